"""Since somebody's last visit: at a table, and in the lobby for all tables they have not looked at for a while.

A visit ends when nobody has looked from a seat for half an hour. Where it ended is kept with the seat, as a revision of
the game; what happened from there on is told from the seat's own log.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import F
from django.utils import timezone

from . import access, tables
from .clocks import clock_of, local
from .kept import VIEWERS, Cache
from .models import Game, Seat
from .registry import ENTRIES

MOST_TABLES = 5  # in the lobby

_REELS: Cache[tuple[str, ...]] = Cache(2 * VIEWERS)


@dataclass(frozen=True)
class Missed:
    """What happened at one table."""

    title: str
    url: str
    lines: tuple[str, ...]


def at_table(visitor: access.Visitor, up_to_now: bool = False) -> tuple[str, ...]:
    """For the page of a table: what happened since the last visit; nothing on a shared screen, and to spectators.

    What came while they are back stands on their page, and is told here only if it is asked for."""
    seat, game = visitor.seat, visitor.game
    if seat is None or visitor.shares_device or seat.seen_at is None:
        return ()
    is_new = tables.was_away(seat)
    left, came = left_at(visitor), game.revision if is_new or up_to_now else seat.came_revision
    if came <= left:
        return ()
    names = tuple(each.label for each in visitor.seats)
    lines = _REELS.get((game.pk, seat.number, left, came, names), lambda: _reel(visitor, left, came))
    return (*lines, *_deadline(visitor)) if lines else ()


def left_at(visitor: access.Visitor) -> int:
    """Up to which revision the player of this seat had looked before this visit; it names the visit."""
    seat = visitor.seat
    return 0 if seat is None else seat.seen_revision if tables.was_away(seat) else seat.left_revision


def _reel(visitor: access.Visitor, left: int, came: int) -> tuple[str, ...]:
    """What the seat heard after one revision and up to another."""
    scene = tables.scene_for(visitor)
    first, end = (bisect_right(scene.lines, each, key=lambda line: line.revision) for each in (left, came))
    return tuple(ENTRIES[visitor.game.ruleset].pages.reel(replace(scene, lines=scene.lines[:end]), first))


def _deadline(visitor: access.Visitor) -> tuple[str, ...]:
    """Until when this visitor has time; of a window, until when an answer is awaited, whoever is asked (R4)."""
    game, seat = visitor.game, visitor.seat
    clock = clock_of(game.clock)
    if clock is None or seat is None or game.status != Game.Status.RUNNING:
        return ()
    if game.window_since is not None:
        return (f"An answer is awaited until {_said(game.deadline, visitor)}.",) if game.deadline else ()
    return (f"You have until {_said(seat.due_at, visitor)}.",) if seat.due_at else ()


def _said(moment: Any, visitor: access.Visitor) -> str:
    clock = clock_of(visitor.game.clock)
    return local(moment, visitor.player.hours, clock is not None and clock.is_live)


def in_lobby(player: Any, session: access.Session, only: Collection[str] | None = None) -> tuple[Missed, ...]:
    """For the lobby: the player's running games that went on while they were away."""
    if not player.is_authenticated:
        return ()
    mine = Seat.objects.filter(player=player, game__status=Game.Status.RUNNING)
    away = mine.filter(seen_at__lt=timezone.now() - tables.AWAY, game__revision__gt=F("seen_revision"))
    seats = away.select_related("game").order_by("-game__moved_at")
    if only is not None:
        seats = seats.filter(game__public_id__in=only)
    found = []
    for seat in seats[:MOST_TABLES]:
        visitor = access.visit(seat.game, player, session)
        if lines := at_table(visitor):
            others = [each.label for each in visitor.seats if each.number != seat.number]
            title = f"{ENTRIES[seat.game.ruleset].name} with {', '.join(others)}"
            found.append(Missed(title, seat.game.get_absolute_url(), lines))
    return tuple(found)
