"""What is kept: columns, constraints and queries. No rules.

Game and Seat hold nothing secret and may be read by anyone. Position, Hex, Counter and Action hold what players hide;
only store, play and admin touch them.
"""

import functools
import secrets
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone

from .engine.bots import LEVELS, named
from .prepared import Prepared

if TYPE_CHECKING:
    from players.models import Player


MOST_RETIMED = 32_767  # what a small number holds on PostgreSQL


def public_id() -> str:
    """72 random bits, nearly: nobody finds a private table by guessing or counting.

    A command line would take a leading dash for an option, so there is none.
    """
    while (found := secrets.token_urlsafe(9)).startswith("-"):
        pass
    return found


def key() -> str:
    return secrets.token_urlsafe(18)


class GameQuerySet(models.QuerySet["Game"]):
    def open(self) -> "GameQuerySet":
        return self.filter(status=Game.Status.OPEN)

    def running(self) -> "GameQuerySet":
        return self.filter(status=Game.Status.RUNNING)

    def finished(self) -> "GameQuerySet":
        return self.filter(status=Game.Status.FINISHED)

    def of(self, player: "Player") -> "GameQuerySet":
        return self.filter(models.Exists(Seat.objects.filter(game=models.OuterRef("pk"), player=player)))

    def left_by(self, player: "Player") -> "GameQuerySet":
        """Where a bot stands in for this player."""
        return self.filter(models.Exists(Seat.objects.filter(game=models.OuterRef("pk"), stands_in_for=player)))

    def waiting_for(self, player: "Player") -> "GameQuerySet":
        asked = Seat.objects.filter(game=models.OuterRef("pk"), player=player, is_asked=True)
        return self.running().filter(models.Exists(asked))

    def waiting_for_bots(self) -> "GameQuerySet":
        asked = Seat.objects.filter(game=models.OuterRef("pk"), wants_bot=True).exclude(bot="")
        return self.running().filter(models.Exists(asked))


@functools.lru_cache(maxsize=1024)
def _table_url(public_id: str) -> str:
    return reverse("table", args=[public_id])


class Game(models.Model):
    """One table, from the lobby to the end."""

    class Status(models.TextChoices):
        OPEN = "open", "waiting for players"
        RUNNING = "running", "being played"
        FINISHED = "finished", "finished"
        CANCELLED = "cancelled", "cancelled"

    public_id = models.CharField(max_length=16, unique=True, default=public_id, editable=False)
    ruleset = models.CharField(max_length=20)
    rules_version = models.CharField(max_length=20)
    options = models.JSONField(default=dict)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)
    host = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="hosted")
    is_public = models.BooleanField(default=True)
    # How the table means to play, and by which clock (games/clocks.py); both empty where nobody hurries.
    pace = models.CharField(max_length=10, blank=True)
    clock = models.CharField(max_length=20, blank=True)
    # The share of open questions, in per cent, that whoever joins has answered in time (games/reliability.py).
    least_reliability = models.PositiveSmallIntegerField(default=0)
    private_talk = models.BooleanField(default=False)  # two players may talk where no other reads it
    # A guided first game with its own chance. Only games.lobby.lesson sets it; no form, field or option does.
    is_lesson = models.BooleanField(default=False, editable=False)
    hand_over = models.BooleanField(default=True)  # hot seat: hide the table between two seats of one device
    has_secrets = models.BooleanField(default=True, editable=False)  # there is something to hide by now
    invite_key = models.CharField(max_length=32, unique=True, default=key, editable=False)
    # By it anybody may read the story of a finished game, until its players end the sharing.
    share_key = models.CharField(max_length=32, unique=True, null=True, default=None, editable=False)
    # What everybody may know has happened so often: pages, lists, feeds and programs go by this number.
    revision = models.PositiveIntegerField(default=0)
    # All actions, silent ones too (R4): the gate's own number, by which it stores and keeps. To read it would tell when
    # somebody gives an order, so nothing above the gate does.
    action_count = models.PositiveIntegerField(default=0, editable=False)
    dice_commit = models.CharField(max_length=64, blank=True)
    cup_commit = models.CharField(max_length=64, blank=True)
    winners = models.JSONField(default=list)  # seat numbers; none for a draw or an unfinished game
    ended_how = models.CharField(max_length=20, blank=True)
    rematch = models.OneToOneField("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="rematch_of")
    created_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True, blank=True)
    moved_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    # Since when the game has stood in a window: the same for all, whoever is asked in it (R4).
    window_since = models.DateTimeField(null=True, blank=True, editable=False)
    # When somebody's time, or a window's, runs out first; empty while no clock runs.
    deadline = models.DateTimeField(null=True, blank=True, editable=False, db_index=True)
    # A pause all agreed on, and one that somebody has asked for: {"hours", "by", "yes"}, players by their keys.
    paused_until = models.DateTimeField(null=True, blank=True, editable=False)
    pause = models.JSONField(default=dict, blank=True, editable=False)
    has_webhook = models.BooleanField(default=False, editable=False)  # so that an action need not look for one
    retimed = models.PositiveSmallIntegerField(default=0, editable=False)  # how often clocks changed beside the game

    objects = GameQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["status", "-moved_at"])]

    def __str__(self) -> str:
        return self.public_id

    def get_absolute_url(self) -> str:
        return _table_url(self.public_id)

    def note_retimed(self) -> None:
        """Clocks were changed, or a change was asked for; pages see it by the number, which begins anew at its end."""
        self.retimed = 0 if self.retimed >= MOST_RETIMED else self.retimed + 1

    @property
    def is_paused(self) -> bool:
        """Whether everybody agreed that no clock runs now."""
        return self.paused_until is not None and self.paused_until > timezone.now()

    @property
    def pause_asked(self) -> dict[str, Any]:
        """The pause that somebody has asked for. Whoever asked for the end of one asks no more when it has ended."""
        asked: dict[str, Any] = self.pause
        return asked if self.is_paused or asked.get("hours") else {}

    @property
    def group(self) -> str:
        """The channel group that hears this table's doorbell."""
        return f"game.{self.pk}"


class Position(models.Model):
    """What no player may see as a whole: seeds, flow, and what fits no row."""

    game = models.OneToOneField(Game, on_delete=models.CASCADE, related_name="position")
    dice_seed = models.BinaryField()
    cup_seed = models.BinaryField()
    entropy = models.JSONField(default=list)
    dice_number = models.PositiveIntegerField(default=0)
    cup_number = models.PositiveIntegerField(default=0)
    flow = models.JSONField(default=list)
    extras = models.JSONField(default=dict)
    serial = models.PositiveIntegerField(default=0)
    era = models.PositiveIntegerField(default=0)
    silent = models.JSONField(default=dict)  # by seat: its silent actions since the game's revision
    hash = models.CharField(max_length=64)


class Seat(models.Model):
    """A place at a table and who sits there: a player, a bot, or nobody yet."""

    class HeldFor(models.TextChoices):
        ANYONE = "anyone", "open seat"
        LINK = "link", "invited by link"
        HOST = "host", "same device"

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField()
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="seats"
    )
    bot = models.CharField(max_length=20, blank=True)  # the bot's level, e.g. "searcher-2"; empty for people
    # Whose place a bot keeps; they may come back to it at any time (W3).
    stands_in_for = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="left_seats"
    )
    held_for = models.CharField(max_length=8, choices=HeldFor.choices, default=HeldFor.ANYONE)
    name = models.CharField(max_length=30, blank=True)  # on a shared device, who sits here; of a stand-in, for whom
    entropy = models.CharField(max_length=64, blank=True)  # what this seat added to the dice before the start
    gold = models.IntegerField(default=0)
    out = models.BooleanField(default=False)
    is_asked = models.BooleanField(default=False)
    # Whether anybody else may know that it is: lists, hosts and staff go by this one. While people may answer with what
    # they hide, who is asked would tell who might have something (R2).
    asked_openly = models.BooleanField(default=False)
    wants_bot = models.BooleanField(default=False)  # there is something for a bot, or for its player's plan, to answer
    plans = models.JSONField(default=dict, blank=True, editable=False)  # its player's, by question (games/plans.py)
    bot_faults = models.PositiveIntegerField(default=0)  # questions its bot could not answer by its own rules
    decision = models.CharField(max_length=40, blank=True)
    asked_at = models.DateTimeField(null=True, blank=True)
    seen_at = models.DateTimeField(null=True, blank=True)  # when its player last looked at the table
    # The game's revision at that look, where this visit began, and where the one before it ended (games/since.py).
    seen_revision = models.PositiveIntegerField(default=0, editable=False)
    came_revision = models.PositiveIntegerField(default=0, editable=False)
    left_revision = models.PositiveIntegerField(default=0, editable=False)
    # The line of this seat's log up to which its player has read the cards about it; for this player's pages alone.
    read_up_to = models.IntegerField(default=-1, editable=False)
    return_key = models.CharField(max_length=32, unique=True, default=key, editable=False)
    # The seat's clock (games/clocks.py), at tables that have one: what is left, and since when and until when it runs.
    bank = models.DurationField(null=True, blank=True, editable=False)
    clock_from = models.DateTimeField(null=True, blank=True, editable=False)
    spent = models.DurationField(null=True, blank=True, editable=False)
    due_at = models.DateTimeField(null=True, blank=True, editable=False)
    hours = models.CharField(max_length=80, blank=True, editable=False)  # its player's, when the question was put
    # Keys of those who agree to a new person in this seat (games/newcomers.py).
    votes = models.JSONField(default=list, blank=True, editable=False)
    # Open questions that this seat's player answered in time, and how often a bot had to take over.
    in_time = models.PositiveIntegerField(default=0, editable=False)
    late = models.PositiveIntegerField(default=0, editable=False)
    # Empty unless a guest asks for this seat from another browser; changes with that request, so pages can tell.
    wanted = models.CharField(max_length=24, blank=True, editable=False)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["game", "number"], name="one_seat_a_number"),
            models.CheckConstraint(
                condition=models.Q(bot="") | models.Q(player__isnull=True), name="a_player_or_a_bot"
            ),
        ]
        indexes = [models.Index(fields=["player", "is_asked"])]

    def __str__(self) -> str:
        return f"seat {self.number} of {self.game_id}"

    @property
    def is_taken(self) -> bool:
        return bool(self.player_id or self.bot)

    @property
    def label(self) -> str:
        """Who sits here, for people to read."""
        if self.bot:
            if self.name or not self.game.started_at:  # seats may still change before the start, and names with them
                title = LEVELS[self.game.ruleset][self.bot].title
                return f"{title} for {self.name}" if self.name else title
            return named(self.game.ruleset, self.bot, self.game.public_id, self.number)
        return self.name or (self.player.display_name if self.player else "")


UNREAD = (
    "untold",
    "quiet",
    "digest",
    "mail_trouble",
    "calendar_key",
)  # how a player wants to be told is looked up when they are
# Read at every action and ring. Dates take long to read from SQLite, and nobody at a table asks for these.
SEATS = Prepared(
    lambda: (
        Seat.objects.filter(game_id=0)
        .select_related("player")
        .defer("player__date_joined", "player__last_login", "player__orders", *(f"player__{each}" for each in UNREAD))
        .order_by("number")
    )
)


def seats_of(game: Game) -> list[Seat]:
    """A game's seats by number, with their players; as the game's row is known, nobody has to read it again."""
    seats = SEATS(game.pk)
    for seat in seats:
        Seat.game.field.set_cached_value(seat, game)  # `seat.game = game` checks much that needs no check here
    return seats


def waiting_bots() -> models.QuerySet[Seat]:
    """Seats that a bot, or the plan of their player, should answer for.

    At a lesson's table one seat answers after another, people first: its course must not depend on who is quicker."""
    asked = Seat.objects.filter(game=models.OuterRef("game"), is_asked=True)
    sooner = asked.filter(models.Q(bot="") | models.Q(number__lt=models.OuterRef("number")))
    in_turn = models.Q(game__is_lesson=False) | models.Q(is_asked=False) | ~models.Exists(sooner)
    return Seat.objects.filter(in_turn, wants_bot=True)


class LostLink(models.Model):
    """A guest who lost the link to a seat asks for it from another browser (games/lost_links.py)."""

    class Outcome(models.TextChoices):
        REFUSED = "refused", "refused by the player of the seat"
        OPENED = "opened", "the seat was opened"
        EXPIRED = "expired", "nobody answered"
        WITHDRAWN = "withdrawn", "withdrawn"
        PLAYED = "played", "the player of the seat played on"
        ACCOUNT = "account", "the guest made an account"
        LEFT = "left", "the guest left the seat"
        OVER = "over", "the game was over for the seat"

    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="lost_links")
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="lost_links")
    secret = models.CharField(max_length=64, unique=True)  # digest of what the asking browser keeps
    agreed = models.JSONField(default=list)  # keys of the players who agreed
    asked_at = models.DateTimeField(default=timezone.now)
    outcome = models.CharField(max_length=10, choices=Outcome.choices, blank=True)  # empty while it is open
    settled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["seat"], condition=models.Q(outcome=""), name="one_open_request_a_seat")
        ]

    def __str__(self) -> str:
        return f"request for {self.seat}"


class Former(models.Model):
    """Somebody whose seat a new person has; what they answered in it, in time and late, stays with them."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="formers")
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="former_seats")
    seat = models.PositiveSmallIntegerField()
    in_time = models.PositiveIntegerField(default=0)
    late = models.PositiveIntegerField(default=0)
    at = models.DateTimeField(default=timezone.now)


class Hex(models.Model):
    """A hex of a running game."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="hexes")
    place = models.CharField(max_length=12)
    terrain = models.CharField(max_length=20)
    face_up = models.BooleanField(default=False)
    owner = models.PositiveSmallIntegerField(null=True)
    fort = models.PositiveSmallIntegerField(default=0)
    damage = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "place"], name="one_hex_a_place")]
        verbose_name_plural = "hexes"


class Counter(models.Model):
    """A piece of a running game; it is in exactly one place."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="counters")
    number = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=30)
    place = models.CharField(max_length=20)
    owner = models.PositiveSmallIntegerField(null=True)
    face_up = models.BooleanField(default=True)
    tag = models.CharField(max_length=16, blank=True)
    spent = models.SmallIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "number"], name="one_counter_a_number")]


class Action(models.Model):
    """One action as it was taken: enough to replay it, and to go back behind it without any rule."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="actions")
    number = models.PositiveIntegerField()  # counts all actions; 0 is the set-up
    revision = models.PositiveIntegerField(default=0)  # the game's after it; of a silent action that before it (R4)
    seat = models.PositiveSmallIntegerField(null=True)
    token = models.CharField(max_length=64)
    at = models.DateTimeField(default=timezone.now)
    rules_version = models.CharField(max_length=20, default="1")  # the rules it was applied by; the game's may be older
    action = models.JSONField()
    draws = models.JSONField(default=list)
    told = models.JSONField(default=list)
    changes = models.JSONField(default=dict)
    flow_before = models.JSONField(default=list)
    rewind = models.PositiveIntegerField(null=True)  # the number of the action after which the game goes on
    hash = models.CharField(max_length=64)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["game", "number"], name="one_action_a_revision"),
            # By seat: whether a token was used is nobody's business but the seat's that used it.
            models.UniqueConstraint(fields=["game", "seat", "token"], name="one_action_a_token"),
        ]


class Snapshot(models.Model):
    """A whole state, kept now and then so that going back to an early position takes no longer than to a late one."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="snapshots")
    number = models.PositiveIntegerField()  # of the action that led to it
    revision = models.PositiveIntegerField()
    state = models.BinaryField()  # as the engine writes it (core/codec.py): JSON, compressed

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "number"], name="one_snapshot_an_action")]


class Message(models.Model):
    """A line of chat: players among themselves, spectators among themselves."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="messages")
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    name = models.CharField(max_length=30)
    by_spectator = models.BooleanField(default=False)
    text = models.CharField(max_length=500)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["at", "pk"]


class PrivateMessage(models.Model):
    """A line between two players of a table (games/aside.py), with numbers of its own that tell nobody anything."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="private_messages")
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    to = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    text = models.CharField(max_length=500)
    at = models.DateTimeField(default=timezone.now)
    read_at = models.DateTimeField(null=True)


class Report(models.Model):
    """A message that somebody wants whoever looks after this site to read."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="reports")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    text = models.CharField(max_length=500)
    said_at = models.DateTimeField()
    is_private = models.BooleanField(default=False)
    why = models.CharField(max_length=300, blank=True)
    at = models.DateTimeField(default=timezone.now)


class Note(models.Model):
    """What a player has written down for themselves about a table (games/notes.py); nobody else's business."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="notes")
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notes")
    text = models.TextField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "player"], name="one_note_a_player")]


class Notice(models.Model):
    """Somebody to be told something, written with the action and sent after it."""

    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="notices")
    seat = models.PositiveSmallIntegerField()
    decision = models.CharField(max_length=40)  # what it is about: nobody is told twice of one decision by one channel
    kind = models.CharField(max_length=10, default="turn")  # of news (games/notices.py)
    channel = models.CharField(max_length=10, default="mail")
    says = models.CharField(max_length=200, blank=True)  # what anybody at the table may read of it
    at = models.DateTimeField(default=timezone.now)
    due_at = models.DateTimeField()
    in_digest = models.BooleanField(default=False)  # it waits for its player's daily mail
    settled_at = models.DateTimeField(null=True)  # sent, or found to be needless
    sent = models.BooleanField(default=False)
    tries = models.PositiveSmallIntegerField(default=0)  # how often the mail server could not take it
    refused = models.CharField(max_length=60, blank=True)  # why it was given up, e.g. "SMTPDataError 550"

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["player", "game", "decision", "channel", "kind"], name="one_notice_a_decision_and_kind"
            )
        ]
        indexes = [models.Index(fields=["settled_at", "due_at"])]


class Webhook(models.Model):
    """Where else a table's news go, by its host's wish (games/webhooks.py)."""

    game = models.OneToOneField(Game, on_delete=models.CASCADE, related_name="webhook")
    url = models.CharField(max_length=1000)
    secret = models.CharField(max_length=64)  # calls are signed with it
    made_at = models.DateTimeField(default=timezone.now)
    sent_at = models.DateTimeField(null=True, blank=True)
    trouble = models.CharField(max_length=60, blank=True)  # why the last call failed
    is_off = models.BooleanField(default=False)  # its address answered that it is no more

    def __str__(self) -> str:
        return f"webhook of {self.game_id}"


class Call(models.Model):
    """Something to tell a table's webhook, written with the action and sent after it."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="calls")
    kind = models.CharField(max_length=10)
    decision = models.CharField(max_length=40)
    seat = models.PositiveSmallIntegerField(null=True)
    says = models.CharField(max_length=200, blank=True)
    at = models.DateTimeField(default=timezone.now)
    due_at = models.DateTimeField()
    settled_at = models.DateTimeField(null=True)
    sent = models.BooleanField(default=False)
    tries = models.PositiveSmallIntegerField(default=0)
    refused = models.CharField(max_length=60, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "kind", "decision"], name="one_call_a_decision")]
        indexes = [models.Index(fields=["settled_at", "due_at"])]


class TableAddress(models.Model):
    """Where a guest wants the news of one table; whoever reads that mailbox has agreed (games/addresses.py)."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="addresses")
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    address = models.EmailField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "player"], name="one_address_a_guest_and_table")]

    def __str__(self) -> str:
        return f"address of {self.player_id} at {self.game_id}"


class Pulse(models.Model):
    """When the caretaker last looked at the clocks: by this it knows for how long the site stood still."""

    name = models.CharField(max_length=20, unique=True)
    at = models.DateTimeField()


class Claim(models.Model):
    """A background job that one process has taken on for a while (games/claims.py)."""

    job = models.CharField(max_length=60, unique=True)
    holder = models.CharField(max_length=32)  # the process
    until = models.DateTimeField()
