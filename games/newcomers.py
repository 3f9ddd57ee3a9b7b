"""A new person for a seat whose player was late again: after the second takeover all other people may vote for one.

Whoever comes gets the seat as it is: its View and its log, but nothing that was the former player's own: their orders,
notes and talk stay with them, and their right to come back ends.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import islice
from typing import Any

from django.db import transaction
from django.utils import timezone

from . import doorbell, hands, lobby, models, notices, play, reliability
from .clocks import Hand, clock_of
from .engine.core.house import PassSeatOn
from .engine.core.refusals import IllegalAction, Reason, reasons
from .models import Former, Game, Seat

TAKEOVERS = 2
MOST_LISTED = 10

reasons(
    no_seat_vote=Reason("There is no vote about this seat. One is possible after a bot has taken over twice."),
    not_free=Reason("This seat isn’t free. The people at the table haven’t agreed, or its player is back."),
    played_here=Reason("You play or have played at this table, so you can’t take another seat here."),
    same_browser=Reason("Somebody has played at this table in this browser, so nobody can take another seat with it."),
    may_look=Reason("Whoever looks after this site may have seen hidden things, so they can’t take a seat in a game."),
)


def others(game: Game, seat: Seat) -> set[int]:
    """Keys of all other people who are still in the game."""
    seats = [each for each in game.seats.all() if each.player_id is not None and not each.out]
    return {each.player_id for each in seats if each.player_id is not None} - {seat.stands_in_for_id}


def is_voted_on(seat: Seat) -> bool:
    """Whether the others may vote: a bot keeps the seat, and not for the first time."""
    return bool(seat.bot and seat.stands_in_for_id and not seat.out and seat.late >= TAKEOVERS)


def is_free(game: Game, seat: Seat) -> bool:
    """Whether everybody else has agreed to a new person."""
    people = others(game, seat)
    return is_voted_on(seat) and bool(people) and people <= set(seat.votes)


def seats_of(game: Game) -> list[Seat]:
    """Seats of a running game that there is a vote about, or that are free."""
    if game.status != Game.Status.RUNNING:
        return []
    return [seat for seat in game.seats.select_related("game", "player", "stands_in_for") if is_voted_on(seat)]


def vote(game: Game, player: Any, number: int, is_for: bool = True) -> Seat:
    """Say whether a new person shall have this seat; the others hear of it."""
    with transaction.atomic():
        seat = _locked(game, number)
        if player.pk not in others(game, seat):
            raise IllegalAction("not_seated")
        if not is_voted_on(seat):
            raise IllegalAction("no_seat_vote")
        is_first = is_for and not seat.votes
        votes = set(seat.votes) | {player.pk} if is_for else set(seat.votes) - {player.pk}
        seat.votes = sorted(votes)
        seat.save(update_fields=["votes"])
        if is_first:
            rest = [each for each in models.seats_of(game) if each.player_id != player.pk]
            says = f"{player} wants a new person to play instead of {seat.stands_in_for}."
            notices.tell(game, rest, notices.VOTE, f"{notices.PERSON} {number} {seat.late}", says)
        _show(game)
    return seat


def free_seats(player: Any, played_here: Collection[str] = ()) -> list[Seat]:
    """Seats of public games that this person may take; `played_here`: games somebody has played in this browser."""
    running = Seat.objects.filter(game__status=Game.Status.RUNNING, game__is_public=True)
    kept = running.filter(stands_in_for__isnull=False, out=False, late__gte=TAKEOVERS).exclude(bot="")
    seats = (
        kept.exclude(game__public_id__in=played_here)
        .select_related("game__host", "stands_in_for")
        .prefetch_related("game__seats__player")
    )
    found = (seat for seat in seats.order_by("-game__moved_at", "number") if is_free(seat.game, seat))
    return list(islice((seat for seat in found if may_take(seat.game, player, seat)), MOST_LISTED))


def may_take(game: Game, player: Any, seat: Seat) -> bool:
    """Whether this person can have the seat, as far as is known without their browser; a stranger may choose a name."""
    if not player.is_authenticated:
        return is_free(game, seat)
    try:
        check(game, player, seat, same_browser=False)
    except IllegalAction:
        return False
    return True


def check_stranger(game: Game, number: int, same_browser: bool) -> None:
    """Refused, with the reason, if nobody new can have the seat in this browser."""
    if game.status != Game.Status.RUNNING:
        raise IllegalAction("not_running")
    if not is_free(game, lobby.seat_at(game, number)):
        raise IllegalAction("not_free")
    if same_browser:
        raise IllegalAction("same_browser")


def check(game: Game, player: Any, seat: Seat, same_browser: bool) -> None:
    """Refused, with the reason, if this person can't have the seat."""
    if not is_free(game, seat):
        raise IllegalAction("not_free")
    here = {key for each in game.seats.all() for key in (each.player_id, each.stands_in_for_id)}
    if player.pk in here or Former.objects.filter(game=game, player=player).exists():
        raise IllegalAction("played_here")
    if player.is_staff:
        raise IllegalAction("may_look")
    if same_browser:
        raise IllegalAction("same_browser")
    reliability.check(game, player)
    lobby.check_company(game, player)


def take(game: Game, player: Any, number: int, same_browser: bool = False) -> Seat:
    """Sit down in a free seat of a running game."""
    with transaction.atomic():
        seat = _locked(game, number)
        lobby.lock_player(player)
        lobby.check_running_limit(player)
        check(game, player, seat, same_browser)
        former = seat.stands_in_for
        if former is None:
            raise IllegalAction("not_free")
        Former.objects.create(game=game, player=former, seat=number, in_time=seat.in_time, late=seat.late)
        seat.player, seat.stands_in_for, seat.bot, seat.wants_bot, seat.name = player, None, "", False, ""
        seat.held_for, seat.return_key, seat.wanted = Seat.HeldFor.ANYONE, models.key(), ""
        seat.in_time = seat.late = 0
        seat.plans = {}  # the former player's
        seat.votes, seat.read_up_to, seat.seen_at = [], -1, None
        seat.seen_revision = seat.came_revision = seat.left_revision = game.revision
        seat.asked_at = timezone.now() if seat.is_asked else None
        if clock := clock_of(game.clock):
            hands.set_hand(seat, Hand(clock.bank))
        seat.save()
        play.house_acts(game, PassSeatOn(number))
        notices.write_passed_on(game, number, former, models.seats_of(game))
        seat.refresh_from_db()
        _show(game)
    return seat


def _show(game: Game) -> None:
    """Open pages bring their tools up to date."""
    game.retimed += 1
    game.save(update_fields=["retimed"])
    doorbell.ring_people(game)


def _locked(game: Game, number: int) -> Seat:
    lobby.lock(game)
    if game.status != Game.Status.RUNNING:
        raise IllegalAction("not_running")
    return lobby.seat_at(game, number)
