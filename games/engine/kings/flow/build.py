"""Construction: forts, the citadel, and whether it wins (12, 4)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from ...core.actions import Action
from ...core.events import EVERYONE
from ...core.offers import Exactly, OneOf
from ...core.refusals import IllegalAction
from ..actions import Build, Done
from ..catalogue import FORTS
from ..events import Built
from ..forts import FORT_PRICE, sites, why_not_higher
from ..no_choice import FortTooDear, NoChoice, NothingToBuild
from ..orders import order
from ..state import KingsState
from ..victory import wins_with_one
from .base import InTurn, Offers, OnesPart


@dataclass
class Construction(InTurn):
    """Each player may build; at the end a sole citadel may have won (12.1, 4.2)."""

    rule: ClassVar[str] = "12.1"

    def turn_of(self, state: KingsState, seat: int) -> None:
        state.call(Building(seat=seat))

    def finish(self, state: KingsState) -> None:
        if not wins_with_one(state):
            self.leave(state)


@dataclass
class Building(OnesPart):
    """A tower, or one level more, for five gold: once a hex and turn (12.11, 12.12)."""

    rule: ClassVar[str] = "12.1"
    asking: ClassVar[str] = "build"
    ends_by_word: ClassVar[bool] = True
    built: list[str] = field(default_factory=list)

    def offers(self, state: KingsState) -> Offers:
        poor, how = state.seats[self.seat].gold < FORT_PRICE, order(state, self.seat, "building")
        if self.next or how == "none":
            return {}
        places = sites(state, self.seat, self.built)
        if not places or (poor and (how == "afford" or not state.rack(self.seat))):
            return {self.seat: [Exactly(Done())]} if self.may_regret(state, self.seat) else {}
        found = [] if poor else [OneOf(Build, "place", tuple(places))]
        return {self.seat: [*found, Exactly(Done())]}

    def price_of_more(self, state: KingsState) -> int:
        return FORT_PRICE

    def why_no_choice(self, state: KingsState, seat: int) -> NoChoice | None:
        if self.answers or order(state, seat, "building") == "none":
            return None
        gold = state.seats[seat].gold
        return FortTooDear(FORT_PRICE, gold) if sites(state, seat, self.built) else NothingToBuild()

    def on_build(self, state: KingsState, seat: int, action: Build) -> None:
        state.pay(seat, FORT_PRICE)
        self.built = [*self.built, action.place]
        raise_fort(state, seat, action.place, FORT_PRICE)

    def on_done(self, state: KingsState, seat: int, action: Done) -> None:
        self.next = "done"

    def why_not(self, state: KingsState, seat: int, action: Action) -> IllegalAction:
        if not isinstance(action, Build):
            return super().why_not(state, seat, action)
        if action.place in self.built:
            return IllegalAction("one_level_a_turn", place=action.place)
        code = why_not_higher(state, seat, action.place)
        return IllegalAction(code or "no_gold", place=action.place)


def raise_fort(state: KingsState, seat: int, place: str, price: int = 0) -> None:
    level = state.hexes[place].fort + 1
    state.change_hex(place, fort=level)
    state.tell(Built(seat, FORTS[level], place, price), to=EVERYONE)
