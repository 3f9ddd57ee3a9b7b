"""Mails that say "your turn": one for each decision, and none while the player is looking.

`send_due` waits for the mail server, so it has a thread of its own (games/caretaker.py).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from kadab.mail import MOST_AT_ONCE, MOST_TRIES, Outgoing, send, written

from .engine import RULESETS
from .models import Game, Notice, Seat
from .prepared import Writing
from .registry import ENTRIES

LOOKING_SECONDS = 45  # a page that is seen says so every 30 seconds at the latest
LONGEST_REFUSAL = 60
TURN, TAKEN, PASSED = "turn", "taken", "passed"  # kinds of notices


def write(game: Game, seats: Iterable[Seat]) -> None:
    """A notice for every person whose question is new, in the action's own transaction; sent later, if still needed."""
    due = timezone.now() + timedelta(seconds=settings.NOTICE_DELAY_SECONDS)
    NOTICES_ADDED(
        *(
            (seat.player_id, game.pk, seat.number, seat.decision, TURN, "mail", due, False, 0, "")
            for seat in seats
            if seat.is_asked and seat.player_id is not None
        )
    )


def write_taken_over(game: Game, seat: int, player: int | None) -> None:
    """A notice for a person in whose seat a bot plays on; one for each time."""
    NOTICES_ADDED((player, game.pk, seat, f"{TAKEN} {game.revision}", TAKEN, "mail", timezone.now(), False, 0, ""))


def write_passed_on(game: Game, seat: int, player: int | None) -> None:
    """A notice for whoever had a seat in which a new person plays now; there is nothing to come back to."""
    if player is not None:
        now = timezone.now()
        NOTICES_ADDED((player, game.pk, seat, f"{PASSED} {game.revision}", PASSED, "mail", now, False, 0, ""))


NOTICES_ADDED = Writing(
    Notice, ("player", "game", "seat", "decision", "kind", "channel", "due_at", "sent", "tries", "refused"), once=True
)


def send_due() -> int:
    """Send what is due and still needed; returns how many mails went out."""
    now = timezone.now()
    waiting = Notice.objects.filter(settled_at=None, due_at__lte=now)
    due = list(waiting.select_related("player", "game").order_by("due_at")[:MOST_AT_ONCE])
    if not all(notice.player.email for notice in due):  # most guests have no address: one statement for them all
        waiting.filter(player__email="").update(settled_at=now)
    return send([YourTurn(notice) for notice in due if notice.player.email and _is_needed_now(notice)])


def _is_needed_now(notice: Notice) -> bool:
    """Whether to send this notice now; otherwise settle it, or keep it until its player has stopped looking."""
    seat = _seat_asked(notice)
    if seat is None:
        _settle(notice)
        return False
    if notice.kind == PASSED:  # whoever looks from the seat now is somebody else
        return True
    patience = timedelta(seconds=max(LOOKING_SECONDS, settings.NOTICE_DELAY_SECONDS))
    if seat.seen_at and timezone.now() - seat.seen_at < patience:
        Notice.objects.filter(pk=notice.pk).update(due_at=seat.seen_at + patience)
        return False
    return True


def _seat_asked(notice: Notice) -> Seat | None:
    """The seat that still owes this answer, or is still kept by a bot, if its player wants mail and can get it."""
    player = notice.player
    if not (player.email and player.mail_my_turn and player.is_active) or is_unconfirmed(player):
        return None
    if notice.kind == PASSED:
        return Seat.objects.filter(game=notice.game, number=notice.seat).exclude(player=player).first()
    if notice.kind == TAKEN:
        return Seat.objects.filter(game=notice.game, number=notice.seat, stands_in_for=player).first()
    return Seat.objects.filter(
        game=notice.game, number=notice.seat, player=player, is_asked=True, decision=notice.decision
    ).first()


def is_unconfirmed(player: Any) -> bool:
    """Whether the player's address is unconfirmed: it may be a stranger's."""
    return bool(EmailAddress.objects.filter(user=player, email__iexact=player.email, verified=False).exists())


@dataclass
class YourTurn(Outgoing):
    """The mail of a notice.

    It is claimed by settling the notice, so that of several processes only one sends it, and nobody is told twice: a
    crash in between costs one mail, the other order would cost somebody's patience.
    """

    notice: Notice
    is_claimed: bool = False
    is_patient = True

    @property
    def tries(self) -> int:
        return self.notice.tries

    def claim(self) -> bool:
        self.is_claimed = _settle(self.notice, sent=True)
        return self.is_claimed

    def message(self) -> EmailMessage:
        return mail(self.notice)

    def put_off(self, until: datetime) -> None:
        rows = Notice.objects.filter(pk=self.notice.pk)
        if not self.is_claimed:  # another process may have reached the mail server and sent this one
            rows = rows.filter(settled_at=None)
        tries = min(self.notice.tries + 1, MOST_TRIES)
        rows.update(settled_at=None, sent=False, due_at=until, tries=tries)

    def done(self) -> None:
        """It was settled when it was claimed."""

    def give_up(self, reason: str) -> None:
        """Keep the reason for the operator to count."""
        Notice.objects.filter(pk=self.notice.pk).update(sent=False, refused=reason[:LONGEST_REFUSAL])


def _settle(notice: Notice, **more: Any) -> bool:
    """Whether this process was the first to settle it."""
    return bool(Notice.objects.filter(pk=notice.pk, settled_at=None).update(settled_at=timezone.now(), **more))


def mail(notice: Notice) -> EmailMessage:
    game = notice.game
    name = {TAKEN: "taken_over", PASSED: "passed_on"}.get(notice.kind, "your_turn")
    seats = list(game.seats.select_related("player", "game"))
    others = [seat.label for seat in seats if seat.number != notice.seat]
    facts = {
        "player": notice.player,
        "game": RULESETS[game.ruleset].name,
        "others": others,
        "link": settings.SITE_URL + game.get_absolute_url(),
        "preferences": settings.SITE_URL + reverse("account"),
    }
    return written(
        render_to_string(f"mail/{name}_subject.txt", facts).strip(),
        render_to_string(f"mail/{name}.txt", facts),
        notice.player.email,
        ENTRIES[game.ruleset].mail_picture,
        List_Unsubscribe=f"<{facts['preferences']}>",
        Auto_Submitted="auto-generated",
    )
