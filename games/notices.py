"""Mails that say "your turn": one for each decision, and none while the player is looking.

`send_due` waits for the mail server, so it has a thread of its own (games/caretaker.py).
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from kadab.mail import MaybeSent, is_temporary, why

from .engine import RULESETS
from .models import Game, Notice, Seat

log = logging.getLogger(__name__)

LOOKING_SECONDS = 45  # a page that is seen says so every 30 seconds at the latest
LONGEST_PAUSE_MINUTES = 60  # between two tries; the first comes after one minute, each next after twice as many
MOST_TRIES = 50  # two days
LONGEST_REFUSAL = 60
MOST_AT_ONCE = 50


def write(game: Game, seats: Iterable[Seat]) -> None:
    """A notice for every person whose question is new, in the action's own transaction; sent later, if still needed."""
    due = timezone.now() + timedelta(seconds=settings.NOTICE_DELAY_SECONDS)
    Notice.objects.bulk_create(
        (
            Notice(player_id=seat.player_id, game=game, seat=seat.number, decision=seat.decision, due_at=due)
            for seat in seats
            if seat.is_asked and seat.player_id is not None
        ),
        ignore_conflicts=True,
    )


def send_due() -> int:
    """Send what is due and still needed; returns how many mails went out."""
    now = timezone.now()
    due = Notice.objects.filter(settled_at=None, due_at__lte=now).select_related("player", "game").order_by("due_at")
    needed = [notice for notice in due[:MOST_AT_ONCE] if _is_needed_now(notice)]
    if not needed:
        return 0
    connection = get_connection()
    try:
        connection.open()
    except OSError as error:
        log.warning("the mail server cannot be reached: %s", why(error))
        for notice in needed:
            # Only while it is unsettled: another process may have reached the mail server and sent this one.
            _try_later(notice, settled_at=None)
        return 0
    try:
        return sum(_send(notice, connection) for notice in needed)
    finally:
        connection.close()


def _is_needed_now(notice: Notice) -> bool:
    """Whether to send this notice now; otherwise settle it, or keep it until its player has stopped looking."""
    seat = _seat_asked(notice)
    if seat is None:
        _settle(notice)
        return False
    patience = timedelta(seconds=max(LOOKING_SECONDS, settings.NOTICE_DELAY_SECONDS))
    if seat.seen_at and timezone.now() - seat.seen_at < patience:
        Notice.objects.filter(pk=notice.pk).update(due_at=seat.seen_at + patience)
        return False
    return True


def _seat_asked(notice: Notice) -> Seat | None:
    """The seat that still owes this answer, if its player wants mail and can get it."""
    player = notice.player
    if not (player.email and player.mail_my_turn and player.is_active) or is_unconfirmed(player):
        return None
    return Seat.objects.filter(
        game=notice.game, number=notice.seat, player=player, is_asked=True, decision=notice.decision
    ).first()


def is_unconfirmed(player: Any) -> bool:
    """Whether the player's address is unconfirmed: it may be a stranger's."""
    return bool(EmailAddress.objects.filter(user=player, email__iexact=player.email, verified=False).exists())


def _send(notice: Notice, connection: BaseEmailBackend) -> bool:
    # Claimed before it is sent, so that of several processes only one sends it, and nobody is told twice: a crash in
    # between costs one mail, the other order would cost somebody's patience.
    if not _settle(notice, sent=True):
        return False
    try:
        mail(notice, connection).send()
    except MaybeSent as error:
        log.warning("a mail may not have arrived: %s", why(error))
        return False
    except Exception as error:
        _fail(notice, error)
        return False
    return True


def _settle(notice: Notice, **more: Any) -> bool:
    """Whether this process was the first to settle it."""
    return bool(Notice.objects.filter(pk=notice.pk, settled_at=None).update(settled_at=timezone.now(), **more))


def _fail(notice: Notice, error: Exception) -> None:
    """A temporary refusal is tried again; a final one is kept for the operator to count, in numbers only."""
    if is_temporary(error) and notice.tries < MOST_TRIES:
        log.warning("a mail was put off: %s", why(error))
        _try_later(notice)
    else:
        log.warning("a mail was given up: %s", why(error))
        Notice.objects.filter(pk=notice.pk).update(sent=False, refused=why(error)[:LONGEST_REFUSAL])


def _try_later(notice: Notice, **only_if: Any) -> None:
    """Nothing was handed over, so trying again cannot tell anybody twice."""
    later = timezone.now() + timedelta(minutes=min(LONGEST_PAUSE_MINUTES, 2**notice.tries))
    Notice.objects.filter(pk=notice.pk, **only_if).update(
        settled_at=None, sent=False, due_at=later, tries=min(notice.tries + 1, MOST_TRIES)
    )


def mail(notice: Notice, connection: BaseEmailBackend) -> EmailMessage:
    game = notice.game
    others = [s.label for s in game.seats.select_related("player", "game") if s.number != notice.seat]
    facts = {
        "player": notice.player,
        "game": RULESETS[game.ruleset].name,
        "others": others,
        "link": settings.SITE_URL + game.get_absolute_url(),
        "preferences": settings.SITE_URL + reverse("account"),
    }
    return EmailMessage(
        subject=render_to_string("mail/your_turn_subject.txt", facts).strip(),
        body=render_to_string("mail/your_turn.txt", facts),
        to=[notice.player.email],
        headers={"List-Unsubscribe": f"<{facts['preferences']}>", "Auto-Submitted": "auto-generated"},
        connection=connection,
    )
