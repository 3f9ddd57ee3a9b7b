"""The Combat Phase: in segments each player resolves one battle or exploration (11.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ...core.offers import OneOf
from ..actions import Engage
from ..catalogue import SEA
from ..orders import ASK, order
from ..stacks import army
from ..state import KingsState
from ..victory import see_who_is_out
from .base import InTurn, KingsFrame, Offers, frame_named
from .battle import Battle, combatants
from .explore import Explore


def pending(state: KingsState, seat: int) -> list[str]:
    """Battles and explorations a seat has to resolve (C1)."""
    found = []
    for place, here in state.hexes.items():
        there = state.at(place)
        if not there or here.terrain == SEA:
            continue
        if here.owner != seat and not any(state.counters[n].owner == seat for n in there):
            continue
        sides = combatants(state, place)
        if seat in sides and (len(sides) > 1 or here.owner is None):
            found.append(place)
    return found


@dataclass
class Combat(InTurn):
    """In player order each resolves one battle or exploration, round and round, until none is left (11.2, C1)."""

    rule: ClassVar[str] = "11.2"
    again: bool = False

    def turn_of(self, state: KingsState, seat: int) -> None:
        if pending(state, seat):
            self.again = True
            state.call(Segment(seat=seat))

    def finish(self, state: KingsState) -> None:
        if self.again:
            self.again = False
            self.next = "gather"


@dataclass
class Segment(KingsFrame):
    """One player names the battle or exploration to resolve now; passing is not allowed (11.24)."""

    rule: ClassVar[str] = "11.2"
    asking: ClassVar[str] = "engage"
    seat: int = 0
    steps: ClassVar[tuple[str, ...]] = ("only_one", "after")

    def offers(self, state: KingsState) -> Offers:
        if self.next:
            return {}
        places = pending(state, self.seat)
        if len(places) == 1 or order(state, self.seat, "battles") != ASK:
            return {}
        return {self.seat: [OneOf(Engage, "place", tuple(places))]}

    def only_one(self, state: KingsState) -> None:
        """The only one there is, or the first by the player's order (R3)."""
        self.engage(state, min(pending(state, self.seat), key=lambda place: self.comes_at(state, place)))

    def comes_at(self, state: KingsState, place: str) -> tuple[bool, int]:
        """Sorts a player's own hexes first, then those with most of their counters; of equal ones the map decides."""
        return state.hexes[place].owner != self.seat, -len(army(state, self.seat, place))

    def on_engage(self, state: KingsState, seat: int, action: Engage) -> None:
        self.next = "after"
        self.engage(state, action.place)

    def engage(self, state: KingsState, place: str) -> None:
        if len(combatants(state, place)) > 1:
            state.call(Battle(place=place, initiator=self.seat))
        else:
            state.call(Explore(place=place, seat=self.seat))

    def after(self, state: KingsState) -> None:
        if not see_who_is_out(state):
            self.leave(state)

    def abandoned_by(self, state: KingsState, seat: int) -> bool:
        """A running battle goes on without the player who leaves, as after a retreat (W3)."""
        return self.seat == seat and frame_named(state, "battle", "aftermath") is None
