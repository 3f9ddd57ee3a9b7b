"""After the battle: who has the hex, and what is damaged (11.7)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from ...core.events import EVERYONE
from ..battle import FORT
from ..catalogue import CITADEL, FORTS
from ..events import BattleOver, DamageDone
from ..stacks import armies, settlement
from ..state import WILD, KingsState
from .base import KingsFrame
from .capture import Capture, PlaceAfterCapture
from .place import FledHeroes
from .roll import Roll


@dataclass
class Aftermath(KingsFrame):
    """Who has the hex, what is damaged; survivors are hidden again (11.7)."""

    rule: ClassVar[str] = "11.7"
    place: str = ""
    standing: list[int] = field(default_factory=list)
    wild: bool = False
    battle: int = 0  # whose aftermath it is
    checked: list[str] = field(default_factory=list)
    faces: list[list[int]] = field(default_factory=list)
    steps: ClassVar[tuple[str, ...]] = ("mend", "decide", "damage", "reduce", "hide", "fled", "finish")

    def mend(self, state: KingsState) -> None:
        """What forts, cities and villages suffered lasts no longer than the battle (11.73)."""
        state.change_hex(self.place, damage=0)
        town = settlement(state, self.place)
        if town is not None:
            state.change_counter(town, spent=0)

    def decide(self, state: KingsState) -> None:
        """The one side left captures or keeps the hex; nobody left leaves it as it was (11.71, C6, C9)."""
        owner = state.hexes[self.place].owner
        winner = self.standing[0] if len(self.standing) == 1 else None
        state.tell(BattleOver(self.place, winner), to=EVERYONE)
        if not self.standing:
            if owner is None and self.wild:
                for number in state.of(None, self.place):
                    state.to_cup(number)  # X15
            return
        winner = self.standing[0]
        explores_later = owner is None and not self.wild
        if winner not in (owner, WILD) and not explores_later:
            state.call(Capture(seat=winner, place=self.place, fought=True))

    def damage(self, state: KingsState) -> None:
        """Each fort and special income counter may suffer: 1 or 6 on a die; citadels never (11.72, C7)."""
        here = state.hexes[self.place]
        if here.owner is None:
            self.next = "hide"
            return
        self.checked = [FORT] if here.fort and here.fort != CITADEL else []
        self.checked += [state.counters[n].tag for n in state.at(self.place) if state.kind(n).sort == "income"]
        if not self.checked:
            self.next = "hide"
            return
        count = len(self.checked)
        state.call(Roll(why="damage", throwers=[here.owner], counts=[count], parties=[here.owner]), into="faces")

    def reduce(self, state: KingsState) -> None:
        for what, face in zip(self.checked, self.faces[0] if self.faces else []):
            if face not in (1, 6):
                continue
            here = state.hexes[self.place]
            if what == FORT:
                state.tell(DamageDone(FORTS[here.fort], self.place, here.owner), to=EVERYONE)
                state.lower_fort(self.place)
            else:
                number = state.tags[what]
                state.tell(DamageDone(state.kind(number).name.lower(), self.place, here.owner), to=EVERYONE)
                state.to_cup(number)

    def hide(self, state: KingsState) -> None:
        """Survivors go face down, and nobody can tell any more which was which (H3)."""
        for seat in armies(state, self.place):
            state.hide(seat, self.place)

    def fled(self, state: KingsState) -> None:
        state.call(FledHeroes())

    def finish(self, state: KingsState) -> None:
        here = state.hexes[self.place]
        self.leave(state)
        if state.extras.get("captured") == self.place and here.owner is not None:
            state.extras["captured"] = ""
            state.call(PlaceAfterCapture(seat=here.owner, place=self.place))
