"""Players: accounts, guests, the API tokens by which programs play for them, and letters on their way to them."""

from typing import Any

from django.contrib.auth.models import AbstractUser
from django.core.exceptions import PermissionDenied
from django.db import models
from django.db.models.functions import Lower
from django.http import HttpRequest
from django.utils import timezone

from games import doorbell

from .names import LONGEST, check_username


class Player(AbstractUser):
    """Somebody who plays, with an account or as a guest.

    A guest is a player with a name and no password, who gets in only by the session that made the guest, or by
    return links. Turning a guest into an account fills in this row; games, which point here, stay theirs.
    """

    username = models.CharField(
        "name",
        max_length=LONGEST,
        unique=True,
        validators=[check_username],
        error_messages={"unique": "Somebody already has this name."},
    )
    is_guest = models.BooleanField(default=False)
    guest_name = models.CharField(max_length=LONGEST, blank=True)
    # Where a guest's return links may be mailed: confirmed by opening one of them there. Accounts have allauth's.
    return_address = models.EmailField(blank=True)
    mail_my_turn = models.BooleanField("mail me about my games", default=True)
    # How the player wants to be told news of games (players/telling.py): what not, when not, and when in a daily mail.
    untold = models.CharField(max_length=400, blank=True)
    quiet = models.CharField(max_length=10, blank=True)
    digest = models.PositiveSmallIntegerField(null=True, blank=True)
    mail_trouble = models.CharField(max_length=60, blank=True)  # why mail to the address is held back
    calendar_key = models.CharField(max_length=32, unique=True, null=True, blank=True, editable=False)
    has_push = models.BooleanField(default=False)  # there is a browser to push news to
    sound = models.BooleanField("play a sound when it is my turn", default=False)
    # When the clocks of games over days run for this player (players/hours.py); empty until they have said.
    hours = models.CharField(max_length=80, blank=True)
    vacations = models.CharField(max_length=600, blank=True)
    # By game: standing orders to give at every table that starts (games/usual_orders.py). Nobody else's business.
    orders = models.JSONField(default=dict, blank=True, editable=False)

    class Meta(AbstractUser.Meta):
        constraints = [
            models.UniqueConstraint(
                Lower("username"),
                name="one_account_a_name",
                violation_error_message="Somebody already has this name.",
            )
        ]

    def save(self, *given: Any, **named: Any) -> None:
        """Open sockets hear of it: the player may be deactivated now, or have another password."""
        super().save(*given, **named)
        doorbell.ring_player(self.pk)

    @property
    def display_name(self) -> str:
        return self.guest_name if self.is_guest else self.username

    def __str__(self) -> str:
        return self.display_name


def logged_in(request: HttpRequest) -> Player:
    """The player who sent this request, account or guest; for views behind login_required."""
    if not isinstance(request.user, Player):
        raise PermissionDenied
    return request.user


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


class PushSubscription(models.Model):
    """A browser to push news to; see push."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="push_subscriptions")
    endpoint = models.CharField(max_length=1000, unique=True)
    p256dh = models.CharField(max_length=120)
    auth = models.CharField(max_length=40)
    made_at = models.DateTimeField(default=timezone.now)
    trouble = models.CharField(max_length=60, blank=True)  # why the last push failed

    def __str__(self) -> str:
        return f"browser {self.pk}"


class Block(models.Model):
    """Two players who have no contact: whoever of them wanted it, it works both ways (games/aside.py)."""

    by = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="blocks")
    of = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="blocked_by")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["by", "of"], name="one_block_a_pair")]


class Letter(models.Model):
    """A mail that somebody asked for and that is not sent yet; see letters. Its text holds a secret."""

    address = models.EmailField()
    subject = models.CharField(max_length=200)
    body = models.TextField()
    picture = models.CharField(max_length=100, blank=True)  # the static path of the one that goes along
    due_at = models.DateTimeField(default=timezone.now, db_index=True)
    tries = models.PositiveSmallIntegerField(default=0)  # how often the mail server could not take it

    def __str__(self) -> str:
        return f"letter {self.pk}"
