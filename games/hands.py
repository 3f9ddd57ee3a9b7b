"""Clocks of seats as their rows have them: read, started and stopped. games/clocks.py does the arithmetic."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from players.hours import ZERO

from .clocks import Clock, Hand
from .models import Game, Seat

CLOCK_FIELDS = ("bank", "clock_from", "spent", "due_at", "hours")


def hand_of(seat: Seat, clock: Clock) -> Hand:
    """A seat's clock as its row has it; before the first question it has all its time."""
    bank = clock.bank if seat.bank is None else seat.bank
    return Hand(bank, seat.clock_from, seat.spent or ZERO, seat.due_at, seat.hours)


def set_hand(seat: Seat, hand: Hand) -> bool:
    """Write a seat's clock into its row; whether it was another."""
    values = (hand.bank, hand.since, hand.spent if hand.is_asked else None, hand.due, hand.hours)
    if values == (seat.bank, seat.clock_from, seat.spent, seat.due_at, seat.hours):
        return False
    seat.bank, seat.clock_from, seat.spent, seat.due_at, seat.hours = values
    return True


def hours_and_vacations(seat: Seat) -> tuple[str, str]:
    return (seat.player.hours, seat.player.vacations) if seat.player else ("", "")


def wind(clock: Clock, game: Game, seat: Seat, stays: bool, now: datetime) -> bool:
    """Start or stop a seat's clock, as its row says what is asked; whether it is another now.

    With `stays`, a clock that runs goes on: the question is the same, or this seat has itself just acted."""
    hand, (hours, vacations) = hand_of(seat, clock), hours_and_vacations(seat)
    runs = seat.asked_openly and seat.player_id is not None and game.status == game.Status.RUNNING
    if hand.is_asked and stays and not runs and seat.player_id is not None:
        seat.in_time += 1
    if hand.is_asked and not (runs and stays):
        hand = hand.answered(clock, now, vacations)
    if runs and not hand.is_asked:
        hand = hand.put(clock, max(now, game.paused_until or now), hours, vacations)
    return set_hand(seat, hand)


def next_deadline(clock: Clock, game: Game, seats: Iterable[Seat]) -> datetime | None:
    """When time runs out next: somebody's, or that of a window, by facts that everybody may know (R4)."""
    if game.status != game.Status.RUNNING:
        return None
    if game.window_since is None:
        return min((seat.due_at for seat in seats if seat.due_at is not None), default=None)
    people = [hours_and_vacations(seat) for seat in seats if seat.player_id is not None and not seat.out]
    begins = max(game.window_since, game.paused_until or game.window_since)
    return clock.window_due(begins, people)
