"""Who plays: accounts, guests, and the keys by which programs play for them."""

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone

from .names import LONGEST, check_username


class Player(AbstractUser):
    """Somebody who plays, with an account or as a guest.

    A guest is a player with a name, no password and no way in but the session that made him and his return
    links. Turning a guest into an account fills this row in; games, which point here, stay his.
    """

    username = models.CharField(
        "name",
        max_length=LONGEST,
        unique=True,
        validators=[check_username],
        error_messages={"unique": "Somebody has this name already."},
    )
    is_guest = models.BooleanField(default=False)
    guest_name = models.CharField(max_length=LONGEST, blank=True)
    mail_my_turn = models.BooleanField("mail me when it is my turn", default=True)
    sound = models.BooleanField("play a sound when it is my turn", default=False)

    class Meta(AbstractUser.Meta):
        constraints = [
            models.UniqueConstraint(
                Lower("username"),
                name="one_account_a_name",
                violation_error_message="Somebody has this name already.",
            )
        ]

    @property
    def display_name(self) -> str:
        return self.guest_name if self.is_guest else self.username

    def __str__(self) -> str:
        return self.display_name


class ApiToken(models.Model):
    """A key to play by program. The secret itself is shown once and kept nowhere; see tokens."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=LONGEST)
    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(default=timezone.now)
    last_used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return self.name
