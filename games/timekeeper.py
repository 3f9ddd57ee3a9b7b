"""The timekeeper: finds in the database whose time has run out, and moves all clocks after the site stood still.

The gate does what is due (`play.time_out`). Several processes may look at once: each deadline counts once.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from kadab import unavailable

from . import claims, doorbell, play
from .clocks import clock_of
from .hands import CLOCK_FIELDS, hand_of, hours_and_vacations, next_deadline, set_hand
from .models import Game, Pulse, Seat

log = logging.getLogger(__name__)

BEAT = timedelta(seconds=30)
OUTAGE = timedelta(minutes=10)
CLAIM_SECONDS = 30
MOST_AT_ONCE = 100
JOBS = "time "  # how claims on the time of a game begin
SITE = "site"


def look() -> int:
    """Let time run out where it has; in how many games. The caretaker calls this every second."""
    beat()
    due = Game.objects.running().filter(deadline__lte=timezone.now()).order_by("deadline")
    if not (pks := list(due.values_list("pk", flat=True))):
        return 0
    claimed = claims.running(JOBS)
    free = [pk for pk in pks if _job(pk) not in claimed]
    return sum(_time_out(pk) for pk in free[:MOST_AT_ONCE])


def _job(pk: int) -> str:
    return f"{JOBS}{pk}"


def _time_out(pk: int) -> bool:
    """One game's fault must not keep the others waiting; the claim then keeps it from being tried every second."""
    job = _job(pk)
    if not claims.take(job, CLAIM_SECONDS):
        return False
    try:
        done = play.time_out(pk)
    except play.NeedsUpgrade:  # the gate has told the operator
        return False
    except Exception as error:
        if not unavailable.noted(error):
            log.exception("the time of game %s could not run out", pk)
        return False
    claims.give_back(job)
    return done


def retime(player: Any) -> None:
    """A player's vacations have changed: work out anew until when their questions may be answered."""
    asked = Seat.objects.filter(player=player, due_at__isnull=False, game__status=Game.Status.RUNNING)
    for pk in sorted(set(asked.values_list("game_id", flat=True))):
        with transaction.atomic():
            game = Game.objects.select_for_update().get(pk=pk)
            clock, seats = clock_of(game.clock), list(game.seats.select_related("player"))
            if clock is None or clock.is_live or game.window_since is not None:
                continue
            for seat in seats:
                hand = hand_of(seat, clock)
                if seat.player_id == player.pk and hand.since is not None:
                    set_hand(seat, hand.timed(clock, timezone.now(), player.vacations))
                    seat.save(update_fields=CLOCK_FIELDS)
            game.deadline = next_deadline(clock, game, seats)
            game.note_retimed()
            game.save(update_fields=["deadline", "retimed"])
            doorbell.ring_people(game)


def rest(game: Game, until: datetime) -> None:
    """No time runs at this table before that moment; the caller has locked its row."""
    clock, now, seats = clock_of(game.clock), timezone.now(), list(game.seats.select_related("player"))
    assert clock is not None, "only tables with a clock have pauses"
    left = None if game.deadline is None else game.deadline - max(now, game.paused_until or now)
    game.paused_until = until
    for seat in seats:
        if set_hand(seat, hand_of(seat, clock).rested(clock, now, until, hours_and_vacations(seat)[1])):
            seat.save(update_fields=CLOCK_FIELDS)
    if game.window_since is None:
        game.deadline = next_deadline(clock, game, seats)
    elif left is not None:
        game.deadline = until + left if clock.is_live else max(next_deadline(clock, game, seats) or until, until)
    game.note_retimed()
    game.save(update_fields=["deadline", "retimed", "paused_until"])


# ---- when the site stood still


def beat() -> None:
    """Say that the site is alive; if it was not for a while, move all clocks by that time, once.

    Whoever changes the row from what it was has the work to do. Nobody comes past before that is done."""
    now = timezone.now()
    last = Pulse.objects.filter(name=SITE).values_list("at", flat=True).first()
    if last is None:
        Pulse.objects.bulk_create([Pulse(name=SITE, at=now)], ignore_conflicts=True)
    elif now - last >= BEAT:
        with transaction.atomic():
            if Pulse.objects.filter(name=SITE, at=last).update(at=now) and now - last > OUTAGE:
                move_clocks(last, now)


def move_clocks(stood: datetime, now: datetime) -> None:
    """Between these two moments nobody could play: that time counts for nobody."""
    moved = 0
    for pk in list(Game.objects.running().filter(deadline__isnull=False).values_list("pk", flat=True)):
        try:
            with transaction.atomic():
                moved += _move_clocks_of(pk, stood, now)
        except Exception as error:
            if unavailable.is_fault(error):
                raise  # nothing is moved, and all is tried again
            log.exception("the clocks of game %s could not be moved", pk)
    log.warning("the site stood still for %s; the clocks of %s games were moved", now - stood, moved)


def _move_clocks_of(pk: int, stood: datetime, now: datetime) -> bool:
    game = Game.objects.select_for_update().get(pk=pk)
    clock = clock_of(game.clock)
    if clock is None or game.deadline is None:
        return False
    seats = list(game.seats.select_related("player"))
    for seat in seats:
        if set_hand(seat, hand_of(seat, clock).moved(clock, stood, now, hours_and_vacations(seat)[1])):
            seat.save(update_fields=CLOCK_FIELDS)
    if game.window_since is not None:
        game.deadline += now - min(max(stood, game.window_since), now)
    else:
        game.deadline = next_deadline(clock, game, seats)
    game.note_retimed()
    game.save(update_fields=["deadline", "retimed"])
    doorbell.ring_people(game)
    return True
