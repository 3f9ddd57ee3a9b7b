"""Bluffs that lie face up leave (8.3, B1)."""

from __future__ import annotations

from typing import Any

from ...core.events import EVERYONE
from ..events import BluffsRemoved
from ..state import KingsState
from ..support import bluffs_in
from .base import frame_named


def remove_bluffs(state: KingsState, place: str) -> None:
    """Unsupported creatures that lie face up leave at once, unless the table plays with challenges (B1)."""
    if state.options["bluffs"] != "automatic":
        return
    battle = frame_named(state, "battle")
    # A Lord's followers may have been supported by one another's land only; what leaves may take nobody along here,
    # since creatures support nobody. One pass is enough.
    for number in bluffs_in(state, place):
        unmask(state, number, battle)


def unmask(state: KingsState, number: int, battle: Any) -> None:
    counter = state.counters[number]
    assert counter.owner is not None
    state.tell(BluffsRemoved(counter.owner, state.kind(number).name, counter.place), to=EVERYONE)
    if battle is not None:
        battle.let_go(number)
    state.eliminate(number)
