"""Gold: what a kingdom brings in each turn (5.1), and what it must bring in to build a citadel (4.1)."""

from __future__ import annotations

from dataclasses import dataclass

from ..core.state import Hex
from .catalogue import SEA
from .state import KingsState


@dataclass(frozen=True)
class Income:
    """The sum, in the order in which the book counts it."""

    land: int
    forts: int
    counters: int
    heroes: int

    @property
    def total(self) -> int:
        return self.land + self.forts + self.counters + self.heroes


def income(state: KingsState, seat: int) -> Income:
    """One for each land hex, each fort's level, each special income counter's value, one for each hero (5.1)."""
    owned = state.owned(seat)
    return Income(
        land=sum(1 for place in owned if is_land(state.hexes[place])),
        forts=sum(state.hexes[place].fort for place in owned),
        counters=counters_worth(state, seat),
        heroes=len(heroes_of(state, seat)),
    )


def is_land(here: Hex) -> bool:
    """Nobody knows what lies face down (2.1): until it is turned up it brings nothing."""
    return here.face_up and here.terrain != SEA


def counters_worth(state: KingsState, seat: int) -> int:
    """Printed values of special income counters on the map; the Dwarf King doubles mines (pull-out)."""
    has_king = any(state.counters[n].kind == "dwarf_king" for n in heroes_of(state, seat))
    worth = 0
    for place in state.owned(seat):
        counter = income_counter(state, place)
        if counter is not None:
            kind = state.kind(counter)
            worth += kind.gold * (2 if kind.is_mine and has_king else 1)
    return worth


def heroes_of(state: KingsState, seat: int) -> list[int]:
    counters = state.counters
    return [n for n in state.hero_numbers if counters[n].owner == seat]


def income_counter(state: KingsState, place: str) -> int | None:
    """The special income counter of a hex; there is one at most (2.17)."""
    return next((n for n in state.at(place) if state.kind(n).sort == "income"), None)


def needed_for_citadel(state: KingsState) -> int:
    """20 gold, or 15 with two or three players (4.1, 16); by the number that started (X20)."""
    return 20 if len(state.seats) == 4 else 15
