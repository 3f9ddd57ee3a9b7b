"""Between the counters of a game and the Position its moves are worked out on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..core.house import Extras
from ..core.plain import plain
from ..core.state import Counter, State
from .board import Position, name, square
from .moves import after, captured, is_promotion
from .notation import position_text

TAKEN = "taken"


@dataclass(kw_only=True)
class GambitExtras(Extras):
    turn: int
    quiet: int
    number: int
    seen: list[str]
    last: list[str] | None
    wishes: list[str]
    asked_once: list[str]
    moved_at: list[list[Any]]


def lay_out(state: State, position: Position) -> None:
    """One counter for every piece, numbered from light's back row (G2)."""
    for number, (where, kind, side) in enumerate(sorted(position.pieces()), start=1):
        state.counters[number] = Counter(number, kind, name(where), owner=side, tag=f"p{number}")
    keep_clock(state, position)
    state.extras |= {"seen": [key_text(position)], "last": None, "wishes": [], "asked_once": [], "moved_at": []}


def position_of(state: State) -> Position:
    """The position the counters make; worked out once for each state."""
    found = state.cache.get("position")
    if found is None:
        pieces = ((square(c.place), c.kind, c.owner) for c in state.counters.values() if c.place != TAKEN)
        extras = state.extras
        found = Position.of(
            ((where, kind, side) for where, kind, side in pieces if side is not None),
            extras["turn"],
            extras["quiet"],
            extras["number"],
        )
        state.cache["position"] = found
    assert isinstance(found, Position)
    return found


def key_text(position: Position) -> str:
    """What repetition compares, as text: the pieces with the promoted mark, and the side to move (G9, G11)."""
    return " ".join(position_text(position).split()[:2])


def counter_on(state: State, place: str) -> Counter | None:
    return next((c for c in state.counters.values() if c.place == place), None)


def make_move(state: State, source: str, target: str) -> tuple[Counter, Counter | None, bool]:
    """Move a piece, take what stood there, promote if it must be (G4, G9): (mover, taken, promoted)."""
    position = position_of(state)
    here, there = square(source), square(target)
    mover, taken = counter_on(state, source), counter_on(state, target)
    assert mover is not None
    promoted = is_promotion(position, here, there)
    irreversible = captured(position, here, there) is not None
    moved = after(position, here, there)
    if taken:
        state.change_counter(taken.number, place=TAKEN)
    state.change_counter(mover.number, place=target, kind="promoted" if promoted else mover.kind)
    keep_clock(state, moved)
    # A position cannot come back after a capture, so the list of those seen starts anew.
    seen = [] if irreversible else state.extras["seen"]
    state.extras["seen"] = [*seen, key_text(moved)]
    state.extras["last"] = [source, target]
    state.cache["position"] = moved
    return mover, taken, promoted


def keep_clock(state: State, position: Position) -> None:
    state.extras |= plain({"turn": position.turn, "quiet": position.quiet, "number": position.number})


def times_seen(state: State) -> int:
    seen = state.extras["seen"]
    return sum(1 for each in seen if each == seen[-1])
