"""Leaving a game before its end: by resignation (W3), or by agreement (W4)."""

from __future__ import annotations

from typing import Any

from ..core.events import EVERYONE
from .events import Resigned
from .state import KingsState
from .victory import last_one_wins, put_out


def remove_player(state: KingsState, seat: int) -> None:
    """Counters to the cup, heroes to the pool, forts to the bank, hexes unexplored again; the others go on (W3)."""
    state.tell(Resigned(seat), to=EVERYONE)
    for number, counter in list(state.counters.items()):
        if counter.owner != seat or counter.place.startswith("rack:"):
            continue
        if state.kind(number).sort == "hero":
            state.to_pool(number)
        else:
            state.to_cup(number)
    for place in state.owned(seat):
        state.change_hex(place, owner=None, fort=0, damage=0)
    put_out(state, seat)
    if last_one_wins(state):
        return
    cut_short(state, seat)


def cut_short(state: KingsState, seat: int) -> None:
    """Procedures that were about this seat end; those that wait for it go on without it."""
    frames: list[Any] = state.flow
    for at, frame in enumerate(frames):
        if frame.abandoned_by(state, seat):
            del frames[at:]
            break
    for frame in list(frames):
        frame.forget(state, seat)
