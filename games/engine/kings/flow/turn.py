"""The turn: nine phases, once round the table each (3.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ...core.events import EVERYONE
from ..events import Collected, PhaseBegan, TurnBegan
from ..income import income
from ..state import KingsState
from ..terms import PHASES as PHASES
from ..victory import ends_with_last_turn, see_who_is_out
from .base import InTurn, KingsFrame
from .build import Construction
from .combat import Combat
from .events import RandomEvents
from .march import Movement
from .powers import SpecialPowers
from .recruit import RecruitingHeroes, RecruitingThings


@dataclass
class Turn(KingsFrame):
    """Phase by phase, until somebody wins (3.2)."""

    rule: ClassVar[str] = "3.2"
    steps: ClassVar[tuple[str, ...]] = tuple(PHASES)

    def income(self, state: KingsState) -> None:
        state.extras["turn"] += 1
        state.tell(TurnBegan(state.extras["turn"]), to=EVERYONE)
        self.begin(state, "income", GoldCollection())

    def heroes(self, state: KingsState) -> None:
        self.begin(state, "heroes", RecruitingHeroes())

    def things(self, state: KingsState) -> None:
        self.begin(state, "things", RecruitingThings())

    def events(self, state: KingsState) -> None:
        self.begin(state, "events", RandomEvents())

    def march(self, state: KingsState) -> None:
        self.begin(state, "march", Movement())

    def combat(self, state: KingsState) -> None:
        self.begin(state, "combat", Combat())

    def build(self, state: KingsState) -> None:
        self.begin(state, "build", Construction())

    def powers(self, state: KingsState) -> None:
        self.begin(state, "powers", SpecialPowers())

    def begin(self, state: KingsState, phase: str, frame: KingsFrame) -> None:
        if see_who_is_out(state):
            return
        state.extras["phase"] = phase
        state.tell(PhaseBegan(PHASES[phase]), to=EVERYONE)
        state.call(frame)

    def rotate(self, state: KingsState) -> None:
        """The second player becomes the first, with three or four players (3.1, T1); the Balloon's magic is spent."""
        state.extras["phase"] = "rotate"
        for number in [n for n in state.magic.values() if state.counters[n].kind == "balloon"]:
            if state.counters[number].place in state.hexes and state.counters[number].owner is not None:
                state.use_up(number)
        state.extras["balloon"] = []
        if see_who_is_out(state) or ends_with_last_turn(state):
            return
        if len(state.seats) > 2:
            first, *rest = state.extras["order"]
            state.extras["order"] = [*rest, first]
            # Whoever is out is passed over at once, so that the same player is not first twice (X20).
            while state.seats[state.extras["order"][0]].out:
                first, *rest = state.extras["order"]
                state.extras["order"] = [*rest, first]
        self.next = "income"


@dataclass
class GoldCollection(InTurn):
    """Everybody receives their income (5.1); it is mandatory (3.21)."""

    rule: ClassVar[str] = "5.1"

    def turn_of(self, state: KingsState, seat: int) -> None:
        sum_of = income(state, seat)
        state.earn(seat, sum_of.total)
        state.tell(
            Collected(seat, sum_of.total, sum_of.land, sum_of.forts, sum_of.counters, sum_of.heroes), to=EVERYONE
        )
