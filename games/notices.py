"""Your turn: who is to be told that a decision is theirs, once, and not while they are looking."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from .engine import RULESETS
from .models import Game, Notice, Seat

log = logging.getLogger(__name__)

LOOKING_SECONDS = 45  # a page that is seen says so every 30 seconds at the latest
RETRY_MINUTES = 5
MOST_AT_ONCE = 50


def write(game: Game, seats: Iterable[Seat]) -> None:
    """A notice for every person whose question is new, in the action's own transaction; sent later, if still needed."""
    due = timezone.now() + timedelta(seconds=settings.NOTICE_DELAY_SECONDS)
    asked = [seat for seat in seats if seat.is_asked and seat.player_id is not None]
    Notice.objects.bulk_create(
        (
            Notice(player_id=seat.player_id, game=game, seat=seat.number, decision=seat.decision, due_at=due)
            for seat in asked
        ),
        ignore_conflicts=True,
    )


def send_due() -> int:
    """Send what is due and still needed; returns how many mails went out."""
    now = timezone.now()
    due = list(
        Notice.objects.filter(settled_at=None, due_at__lte=now)
        .select_related("player", "game")
        .order_by("due_at")[:MOST_AT_ONCE]
    )
    needed = [notice for notice in due if _is_needed(notice)]
    Notice.objects.filter(pk__in=[each.pk for each in due if each not in needed]).update(settled_at=now)
    if not needed:
        return 0
    connection = get_connection()
    try:
        connection.open()
    except OSError as error:
        # Nothing was handed over, so trying again cannot tell anybody twice.
        log.warning("the mail server cannot be reached: %s", type(error).__name__)
        later = now + timedelta(minutes=RETRY_MINUTES)
        Notice.objects.filter(pk__in=[notice.pk for notice in needed]).update(due_at=later)
        return 0
    try:
        return sum(_send(notice, connection) for notice in needed)
    finally:
        connection.close()


def _is_needed(notice: Notice) -> bool:
    """Still the same question, somebody who wants mail and can get it, and who is not looking at the table anyway."""
    player = notice.player
    if not (player.email and player.mail_my_turn and player.is_active) or is_unconfirmed(player):
        return False
    seat = Seat.objects.filter(game=notice.game, number=notice.seat, player=player).first()
    if seat is None or not seat.is_asked or seat.decision != notice.decision:
        return False
    return not (seat.seen_at and timezone.now() - seat.seen_at < timedelta(seconds=LOOKING_SECONDS))


def is_unconfirmed(player: Any) -> bool:
    """He typed an address here and nobody at that address has said yes: it may be a stranger's."""
    return EmailAddress.objects.filter(user=player, email__iexact=player.email, verified=False).exists()


def _send(notice: Notice, connection: object) -> bool:
    # Claimed before it is sent, so that of several processes only one sends it; a crash in between costs one mail,
    # the other order would cost somebody's patience.
    if not Notice.objects.filter(pk=notice.pk, settled_at=None).update(settled_at=timezone.now(), sent=True):
        return False
    try:
        mail(notice, connection).send()
    except OSError:  # smtplib's errors are OSErrors
        log.warning("a mail could not be sent", exc_info=True)
        Notice.objects.filter(pk=notice.pk).update(sent=False)
        return False
    return True


def mail(notice: Notice, connection: object) -> EmailMessage:
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
