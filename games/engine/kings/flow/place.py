"""Counters from the rack onto the map, and off a rack that is too full (7.4, 8)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from ...core.events import EVERYONE
from ...core.offers import Exactly, Offer, OneOf, Some
from ..actions import Choose, Discard, Done, Lose, Place
from ..events import Crowded, Discarded, HeroTurned, PlacedCreatures, PlacedIncome
from ..income import income_counter
from ..no_choice import NoChoice, NothingToPlace
from ..offers import LossLists, Placements
from ..orders import ASK, order
from ..stacks import army, land_of, most_in, room
from ..state import POOL, RACK_LIMIT, KingsState
from .base import KingsFrame, Offers, Together


def placements(state: KingsState, seat: int, hexes: Sequence[str], least: int = 1) -> Placements:
    """What of a seat's rack could go onto these hexes of its own (8.2)."""
    things = {n: state.kind(n) for n in state.rack(seat)}
    free = [place for place in hexes if income_counter(state, place) is None]
    return Placements(
        creatures=state.tags_of(n for n, kind in things.items() if kind.sort == "creature"),
        income={
            state.counters[n].tag: tuple(p for p in free if kind.terrain in ("any", state.hexes[p].terrain))
            for n, kind in things.items()
            if kind.sort == "income"
        },
        room={place: room(state, seat, place) for place in hexes},
        least=least,
    )


def could_make_room(state: KingsState, seat: int, hexes: Sequence[str]) -> bool:
    """Whether special income on the rack could be placed if that in a hex were first returned to the cup (8.42)."""
    taken = {state.hexes[place].terrain for place in hexes if income_counter(state, place) is not None}
    waiting = [kind for kind in map(state.kind, state.rack(seat)) if kind.sort == "income"]
    may_return = state.extras["phase"] != "combat"
    return may_return and any(taken if kind.terrain == "any" else kind.terrain in taken for kind in waiting)


def place(state: KingsState, seat: int, action: Place) -> None:
    """Creatures face down, mixed with what lies there already; special income face up (T6)."""
    stacked: dict[str, int] = {}
    for tag, where in zip(action.counters, action.places):
        number = state.tags[tag]
        if state.kind(number).sort == "income":
            state.put(number, where, seat, face_up=True)
            state.tell(PlacedIncome(seat, state.kind(number).name, where), to=EVERYONE)
        else:
            state.put(number, where, seat, face_up=False)
            stacked[where] = stacked.get(where, 0) + 1
    for where, count in stacked.items():
        mix(state, seat, where)
        state.tell(PlacedCreatures(seat, count, where), to=EVERYONE)


def mix(state: KingsState, seat: int, where: str) -> None:
    """Stacks that merge are mixed: face-down counters get new names (H3)."""
    for number in state.of(seat, where):
        if not state.counters[number].face_up:
            state.change_counter(number, tag=state.mint())


@dataclass
class Deploy(KingsFrame):
    """A player may place counters from the rack in any of these hexes, or in all their own (8)."""

    rule: ClassVar[str] = "8"
    asking: ClassVar[str] = "place"
    ends_by_word: ClassVar[bool] = True
    seat: int = 0
    hexes: list[str] = field(default_factory=list)
    steps: ClassVar[tuple[str, ...]] = ()

    def offers(self, state: KingsState) -> Offers:
        if self.next or not (state.rack(self.seat) or self.may_regret(state, self.seat)):
            return {}
        offer = placements(state, self.seat, self.hexes or land_of(state, self.seat))
        found: list[Offer] = [] if offer.is_empty else [offer]
        return {self.seat: [*found, Exactly(Done())]}

    def has_more_beside(self, state: KingsState, seat: int) -> bool:
        return could_make_room(state, seat, self.hexes or land_of(state, seat))

    def why_no_choice(self, state: KingsState, seat: int) -> NoChoice | None:
        """Not of land just taken: it happens often, and mostly there is nothing to place."""
        return None if self.answers or self.hexes else NothingToPlace()

    def shown(self, state: KingsState) -> dict[str, Any]:
        """The hexes this is about, where it is not all the player owns."""
        return {"seat": self.seat, "hexes": list(self.hexes)} if self.hexes else {"seat": self.seat}

    def on_place(self, state: KingsState, seat: int, action: Place) -> None:
        place(state, seat, action)

    def on_done(self, state: KingsState, seat: int, action: Done) -> None:
        self.next = "done"


@dataclass
class PlaceTogether(Together):
    """All place at once, sealed; the placements are laid out in player order (S5)."""

    rule: ClassVar[str] = "2.17"
    asking: ClassVar[str] = "place"
    only: list[int] | None = None
    plans: dict[str, list[list[str]]] = field(default_factory=dict)
    steps: ClassVar[tuple[str, ...]] = ("gather", "lay_out")

    def gather(self, state: KingsState) -> None:
        self.pending = [s for s in state.order if state.rack(s) and (self.only is None or s in self.only)]

    def offers_to(self, state: KingsState, seat: int) -> list[Offer]:
        offer = replace(placements(state, seat, land_of(state, seat)), ends=True)
        found: list[Offer] = [] if offer.is_empty else [offer]
        return [*found, Exactly(Done())]

    def has_more_beside(self, state: KingsState, seat: int) -> bool:
        return could_make_room(state, seat, land_of(state, seat))

    def why_no_choice(self, state: KingsState, seat: int) -> NoChoice | None:
        return NothingToPlace()

    def on_place(self, state: KingsState, seat: int, action: Place) -> None:
        self.plans = {**self.plans, str(seat): [list(action.counters), list(action.places)]}
        self.answered(seat)

    def on_done(self, state: KingsState, seat: int, action: Done) -> None:
        self.answered(seat)

    def sealed_by(self, seat: int) -> dict[str, str]:
        counters, places = self.plans.get(str(seat), ([], []))
        return dict(zip(counters, places, strict=True))

    def keep_answers_of(self, seat: int | None) -> None:
        self.plans = {key: plan for key, plan in self.plans.items() if key == str(seat)}

    def lay_out(self, state: KingsState) -> None:
        for seat in state.order:
            if str(seat) in self.plans:
                counters, places = self.plans[str(seat)]
                place(state, seat, Place(tuple(counters), tuple(places)))
        self.leave(state)


@dataclass
class FullRack(KingsFrame):
    """A rack holds ten: what is too much is played or goes back to the cup, unseen (7.4, T6)."""

    rule: ClassVar[str] = "7.4"
    asking: ClassVar[str] = "full_rack"
    seat: int = 0

    def offers(self, state: KingsState) -> Offers:
        excess = len(state.rack(self.seat)) - RACK_LIMIT
        if excess <= 0:
            return {}
        found: list[Offer] = [Some(Discard, "counters", state.tags_of(state.rack(self.seat)), 1, excess)]
        offer = placements(state, self.seat, land_of(state, self.seat))
        if not offer.is_empty:
            found.append(offer)
        return {self.seat: found}

    def on_discard(self, state: KingsState, seat: int, action: Discard) -> None:
        for number in state.numbers_of(action.counters):
            state.to_cup(number)
        state.tell(Discarded(seat, len(action.counters)), to=EVERYONE)

    def on_place(self, state: KingsState, seat: int, action: Place) -> None:
        place(state, seat, action)


@dataclass
class TooMany(KingsFrame):
    """More than ten of one player in a hex: the player picks who goes (11.6, X13)."""

    rule: ClassVar[str] = "9.22"
    asking: ClassVar[str] = "too_many"
    seat: int = 0
    place: str = ""

    def excess(self, state: KingsState) -> int:
        return max(0, len(army(state, self.seat, self.place)) - most_in(state, self.place))

    def offers(self, state: KingsState) -> Offers:
        excess = self.excess(state)
        if not excess:
            return {}
        here = army(state, self.seat, self.place)
        return {self.seat: [LossLists(dict.fromkeys(state.tags_of(here), 1), excess)]}

    def on_lose(self, state: KingsState, seat: int, action: Lose) -> None:
        for number in state.numbers_of(action.counters):
            state.eliminate(number)
        state.tell(Crowded(seat, len(action.counters), self.place), to=EVERYONE)

    def shown(self, state: KingsState) -> dict[str, Any]:
        return {"seat": self.seat, "place": self.place, "count": self.excess(state)}


@dataclass
class FledHeroes(KingsFrame):
    """Whoever lost a hero may turn the counter over before others can recruit it (6.5)."""

    rule: ClassVar[str] = "6.5"
    asking: ClassVar[str] = "turn_hero"
    seat: int = 0
    hero: int = 0
    steps: ClassVar[tuple[str, ...]] = ("find", "by_order")

    def find(self, state: KingsState) -> None:
        fled = list(state.extras.get("fled") or ())
        while fled:
            self.seat, self.hero = fled.pop(0)
            state.extras["fled"] = fled
            if not state.seats[self.seat].out and state.counters[self.hero].place == POOL:
                return
        self.leave(state)

    def offers(self, state: KingsState) -> Offers:
        if self.next != "by_order" or order(state, self.seat, "fled_heroes") != ASK:
            return {}
        return {self.seat: [OneOf(Choose, "what", ("keep", "turn"))]}

    def by_order(self, state: KingsState) -> None:
        self.settle(state, order(state, self.seat, "fled_heroes"))

    def on_choose(self, state: KingsState, seat: int, action: Choose) -> None:
        self.settle(state, action.what)

    def settle(self, state: KingsState, how: str) -> None:
        if how == "turn":
            was = state.kind(self.hero).name
            state.to_pool(self.hero, turned=True)
            state.tell(HeroTurned(self.seat, was, state.kind(self.hero).name), to=EVERYONE)
        self.next = "find"

    def abandoned_by(self, state: KingsState, seat: int) -> bool:
        return False

    def shown(self, state: KingsState) -> dict[str, Any]:
        return {"hero": state.counters[self.hero].tag} if self.hero else {}
