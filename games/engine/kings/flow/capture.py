"""A hex changes hands, with a battle or without (9.43, 10.11, 11.71, 11.74)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ...core.events import EVERYONE
from ..catalogue import CITADEL
from ..events import Captured, Looted
from ..orders import order
from ..state import KingsState
from ..victory import wins_with_two
from .base import KingsFrame
from .place import Deploy, FullRack


@dataclass
class Capture(KingsFrame):
    """A hex changes hands, with what lies in it; the winner may place counters there (9.43, 10.11, 11.71, 11.74)."""

    rule: ClassVar[str] = "11.71"
    seat: int = 0
    place: str = ""
    fought: bool = False  # then damage is rolled before anything is placed
    steps: ClassVar[tuple[str, ...]] = ("take", "loot", "too_full", "after")

    def take(self, state: KingsState) -> None:
        here = state.hexes[self.place]
        before = here.owner
        state.own(self.place, self.seat)
        state.tell(Captured(self.seat, self.place, here.terrain, before), to=EVERYONE)
        if state.extras["cloud"] == self.place:
            state.extras["cloud"] = ""  # X8
        if here.fort == CITADEL:
            state.extras["sole"] = None  # 4.22: the new owner has to hold it as long again
            wins_with_two(state, self.seat)

    def loot(self, state: KingsState) -> None:
        """Treasure and magic that defenders left behind (10.22, P7)."""
        found = [n for n in state.of(None, self.place) if state.kind(n).sort in ("treasure", "magic")]
        for number in found:
            state.tell(Looted(self.seat, state.kind(number).name), to=EVERYONE)
            state.to_rack(number, self.seat)

    def too_full(self, state: KingsState) -> None:
        state.call(FullRack(seat=self.seat))

    def after(self, state: KingsState) -> None:
        self.leave(state)
        if self.fought:
            state.extras["captured"] = self.place
        else:
            state.call(PlaceAfterCapture(seat=self.seat, place=self.place))


@dataclass
class PlaceAfterCapture(KingsFrame):
    """Right after the capture the winner may place counters from the rack in the hex (11.74)."""

    rule: ClassVar[str] = "11.74"
    seat: int = 0
    place: str = ""
    steps: ClassVar[tuple[str, ...]] = ("ask",)

    def ask(self, state: KingsState) -> None:
        self.leave(state)
        if order(state, self.seat, "captured") == "ask" and state.rack(self.seat):
            state.call(Deploy(seat=self.seat, hexes=[self.place]))
