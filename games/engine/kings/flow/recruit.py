"""Recruiting: heroes with dice and gold (6), Things from the cup (7)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from ...core.events import EVERYONE
from ...core.offers import Exactly, Offer, OneOf
from ..actions import AddGold, Choose, Discharge, Done, Draw, Place, Recruit
from ..events import (
    CupEmpty,
    Discharged,
    Drew,
    DrewThese,
    HeroJoined,
    HeroRefused,
    LordLeft,
    PaidMore,
    Recruiting,
    Traded,
)
from ..income import heroes_of
from ..no_choice import HeroTooDear, NoChoice, NoHeroLeft, NoRoomForHeroes, OnlyFreeThings
from ..offers import Attempts, Draws, Placements
from ..stacks import land_of, room
from ..state import CUP, POOL, KingsState
from ..terms import PER_TEN_AFTER
from .base import InTurn, KingsFrame, Offers, OnesPart, Together
from .place import Deploy, FullRack, PlaceTogether
from .roll import Roll

PER_FIVE_BEFORE = 5
DRAW_PRICE = 5
MOST_PAID = 5
MOST_TRADED = 10


# ---- heroes


@dataclass
class RecruitingHeroes(InTurn):
    """Each player may try to win one special character (6)."""

    rule: ClassVar[str] = "6"

    def turn_of(self, state: KingsState, seat: int) -> None:
        state.call(HeroAttempt(seat=seat))


def lords_of(state: KingsState, seat: int) -> list[int]:
    return [n for n in heroes_of(state, seat) if state.kind(n).lord_of]


def homes_for_hero(state: KingsState, seat: int) -> list[str]:
    """Land of this seat with room for one more (T3)."""
    return [place for place in land_of(state, seat) if room(state, seat, place) > 0]


@dataclass
class HeroAttempt(OnesPart):
    """Discharge, announce, roll, add gold, place (6.1 to 6.4, T3)."""

    rule: ClassVar[str] = "6.1"
    asking: ClassVar[str] = "recruit"
    hero: int = 0
    gold: int = 0
    totals: list[int] = field(default_factory=list)
    steps: ClassVar[tuple[str, ...]] = ("announce", "roll", "count", "settle")

    def wanted(self, state: KingsState) -> int:
        return self.wanted_for(state, self.hero)

    def wanted_for(self, state: KingsState, hero: int) -> int:
        return 2 * state.kind(hero).value

    def short(self, state: KingsState) -> int:
        return self.wanted(state) - self.totals[0] - self.gold // PER_FIVE_BEFORE

    def offers(self, state: KingsState) -> Offers:
        if self.next == "":
            return self.offers_to_announce(state)
        if self.next == "settle" and 0 < self.short(state) <= state.seats[self.seat].gold // PER_TEN_AFTER:
            return {self.seat: [OneOf(AddGold, "gold", (PER_TEN_AFTER * self.short(state),)), Exactly(Done())]}
        if self.next == "settle" and self.short(state) > 0 and state.rack(self.seat):
            return {self.seat: [Exactly(Done())]}  # a treasure might still help
        return {}

    def asks(self, state: KingsState, seat: int) -> str:
        return "add_gold" if self.next == "settle" else self.asking

    def price_of_more(self, state: KingsState) -> int:
        return PER_TEN_AFTER * self.short(state) if self.next == "settle" else 0

    def why_no_choice(self, state: KingsState, seat: int) -> NoChoice | None:
        if self.totals:
            return HeroTooDear(PER_TEN_AFTER * self.short(state), state.seats[seat].gold)
        if self.answers:
            return None
        return NoRoomForHeroes() if self.candidates(state) else NoHeroLeft()

    def offers_to_announce(self, state: KingsState) -> Offers:
        own = heroes_of(state, self.seat)
        found: list[Offer] = [OneOf(Discharge, "hero", state.tags_of(own))] if own else []
        candidates = self.candidates(state)
        if candidates and homes_for_hero(state, self.seat):
            wanted = {state.counters[n].tag: self.wanted_for(state, n) for n in candidates}
            gold = state.seats[self.seat].gold
            found.append(Attempts(state.tags_of(candidates), gold, wanted, PER_FIVE_BEFORE))
        return {self.seat: [*found, Exactly(Done())]} if found else {}

    def candidates(self, state: KingsState) -> list[int]:
        """Unowned heroes, face up; no second Terrain Lord (T3)."""
        served = bool(lords_of(state, self.seat))
        return [n for n in state.at(POOL) if not (served and state.kind(n).lord_of)]

    def announce(self, state: KingsState) -> None:
        """Nobody to win and nobody to discharge."""
        self.leave(state)

    def on_discharge(self, state: KingsState, seat: int, action: Discharge) -> None:
        number = state.tags[action.hero]
        was = state.kind(number).name
        state.to_pool(number, turned=True)
        state.tell(Discharged(seat, was, state.kind(number).name), to=EVERYONE)

    def on_recruit(self, state: KingsState, seat: int, action: Recruit) -> None:
        self.hero, self.gold = state.tags[action.hero], action.gold
        state.pay(seat, action.gold)
        state.tell(Recruiting(seat, state.kind(self.hero).name, action.gold), to=EVERYONE)
        self.next = "roll"

    def on_done(self, state: KingsState, seat: int, action: Done) -> None:
        if self.next == "settle":
            self.fail(state)
        self.next = "done"

    def roll(self, state: KingsState) -> None:
        wish = self.wanted(state) - self.gold // PER_FIVE_BEFORE
        state.call(
            Roll(why="recruit", throwers=[self.seat], counts=[2], added=True, parties=[self.seat], wish=wish),
            into="totals",
        )

    def count(self, state: KingsState) -> None:
        """The dice are read; gold may still be added."""

    def on_add_gold(self, state: KingsState, seat: int, action: AddGold) -> None:
        state.pay(seat, action.gold)
        state.tell(PaidMore(seat, action.gold), to=EVERYONE)
        self.totals = [self.totals[0] + action.gold // PER_TEN_AFTER]

    def settle(self, state: KingsState) -> None:
        if self.short(state) > 0:
            self.explain(state, self.seat)
            self.fail(state)
            return
        self.leave(state)
        state.call(StationHero(seat=self.seat, hero=self.hero))

    def fail(self, state: KingsState) -> None:
        state.tell(HeroRefused(self.seat, state.kind(self.hero).name), to=EVERYONE)

    def shown(self, state: KingsState) -> dict[str, Any]:
        if not self.hero:
            return {}
        told = {"hero": state.counters[self.hero].tag, "gold": self.gold, "wanted": self.wanted(state)}
        return {**told, "total": self.wanted(state) - self.short(state)} if self.totals else told


@dataclass
class StationHero(KingsFrame):
    """A hero just recruited is placed at once in a land hex of their player with room (8.1)."""

    rule: ClassVar[str] = "8.1"
    asking: ClassVar[str] = "station_hero"
    seat: int = 0
    hero: int = 0
    steps: ClassVar[tuple[str, ...]] = ("only_home", "lords")

    def offers(self, state: KingsState) -> Offers:
        if self.next:
            return {}
        homes = homes_for_hero(state, self.seat)
        if len(homes) < 2:
            return {}
        tag = state.counters[self.hero].tag
        return {self.seat: [Placements((tag,), {}, dict.fromkeys(homes, 1), least=1, most=1)]}

    def on_place(self, state: KingsState, seat: int, action: Place) -> None:
        self.next = "lords"
        self.station(state, action.places[0])

    def only_home(self, state: KingsState) -> None:
        homes = homes_for_hero(state, self.seat)
        if homes:
            self.station(state, homes[0])
        else:
            state.to_pool(self.hero)

    def station(self, state: KingsState, place: str) -> None:
        state.put(self.hero, place, self.seat, face_up=True)
        state.tell(HeroJoined(self.seat, state.kind(self.hero).name, place), to=EVERYONE)

    def lords(self, state: KingsState) -> None:
        self.leave(state)
        if len(lords_of(state, self.seat)) > 1:
            state.call(TooManyLords(seat=self.seat))


@dataclass
class TooManyLords(KingsFrame):
    """Terrain Lords do not serve together: the player to the right says who leaves (T3)."""

    rule: ClassVar[str] = "6.4"
    asking: ClassVar[str] = "which_lord"
    seat: int = 0

    def offers(self, state: KingsState) -> Offers:
        lords = lords_of(state, self.seat)
        if len(lords) < 2:
            return {}
        return {state.right_of(self.seat): [OneOf(Choose, "what", state.tags_of(lords))]}

    def on_choose(self, state: KingsState, seat: int, action: Choose) -> None:
        number = state.tags[action.what]
        state.tell(LordLeft(self.seat, state.kind(number).name), to=EVERYONE)
        state.to_pool(number)


# ---- Things


@dataclass
class RecruitingThings(InTurn):
    """Each player draws Things and may place them (7); by a house rule all do so at the same time."""

    rule: ClassVar[str] = "7"

    def gather(self, state: KingsState) -> None:
        if state.options.get("things") == "together":
            state.call(DrawTogether())
        else:
            super().gather(state)

    def turn_of(self, state: KingsState, seat: int) -> None:
        state.call(DrawThings(seat=seat))


def free_draws(state: KingsState, seat: int) -> int:
    """One for every two land hexes, rounded up (7.1)."""
    return (len(land_of(state, seat)) + 1) // 2


def draws(state: KingsState, seat: int) -> Draws:
    """What a seat may announce: free draws, paid ones, and trades of two for one (7.1 to 7.3)."""
    tradable = state.tags_of(state.rack(seat))
    paid = min(MOST_PAID, state.seats[seat].gold // DRAW_PRICE)
    most = min(MOST_TRADED, len(tradable) // 2 * 2)
    return Draws(free_draws(state, seat), paid, tradable, most, DRAW_PRICE)


def draw_things(state: KingsState, seat: int, announced: Draw) -> None:
    """Everything announced is drawn at once; what was traded in goes to the cup afterwards (T4)."""
    traded = state.numbers_of(announced.traded)
    state.pay(seat, DRAW_PRICE * announced.paid)
    if traded:
        names = tuple(sorted(state.kind(n).name for n in traded))
        state.tell(Traded(seat, names), to=EVERYONE)
    count = free_draws(state, seat) + announced.paid + len(traded) // 2
    draw_to_rack(state, seat, count, announced.paid)
    for number in traded:
        state.to_cup(number)


@dataclass
class DrawThings(KingsFrame):
    """Paid draws and trades are announced together, everything is drawn at once, then placed (7, T4)."""

    rule: ClassVar[str] = "7"
    asking: ClassVar[str] = "draw"
    seat: int = 0
    steps: ClassVar[tuple[str, ...]] = ("announce", "deploy", "limit")

    def offers(self, state: KingsState) -> Offers:
        return {} if self.next else {self.seat: [draws(state, self.seat)]}

    def price_of_more(self, state: KingsState) -> int:
        return DRAW_PRICE

    def why_no_choice(self, state: KingsState, seat: int) -> NoChoice | None:
        return OnlyFreeThings(DRAW_PRICE)

    def on_draw(self, state: KingsState, seat: int, action: Draw) -> None:
        self.next = "deploy"
        draw_things(state, seat, action)

    def announce(self, state: KingsState) -> None:
        """Everybody draws; nobody is skipped."""

    def deploy(self, state: KingsState) -> None:
        state.call(Deploy(seat=self.seat))

    def limit(self, state: KingsState) -> None:
        self.leave(state)
        state.call(FullRack(seat=self.seat))


@dataclass
class DrawTogether(Together):
    """All announce their draws at once, sealed, and draw in player order; then all place at once (7, T4, as S5)."""

    rule: ClassVar[str] = "7"
    asking: ClassVar[str] = "draw"
    paid: dict[str, int] = field(default_factory=dict)
    traded: dict[str, list[str]] = field(default_factory=dict)
    steps: ClassVar[tuple[str, ...]] = ("gather", "draw", "deploy", "limit")

    def gather(self, state: KingsState) -> None:
        self.pending = [seat for seat in state.order if not state.seats[seat].out]

    def offers_to(self, state: KingsState, seat: int) -> list[Offer]:
        return [draws(state, seat)]

    def price_of_more(self, state: KingsState) -> int:
        return DRAW_PRICE

    def why_no_choice(self, state: KingsState, seat: int) -> NoChoice | None:
        return OnlyFreeThings(DRAW_PRICE)

    def on_draw(self, state: KingsState, seat: int, action: Draw) -> None:
        self.paid = {**self.paid, str(seat): action.paid}
        self.traded = {**self.traded, str(seat): list(action.traded)}
        self.answered(seat)

    def sealed_by(self, seat: int) -> dict[str, str]:
        return dict.fromkeys(self.traded.get(str(seat), []), CUP)

    def keep_answers_of(self, seat: int | None) -> None:
        self.paid = {key: paid for key, paid in self.paid.items() if key == str(seat)}
        self.traded = {key: tags for key, tags in self.traded.items() if key == str(seat)}

    def forget(self, state: KingsState, seat: int) -> None:
        super().forget(state, seat)
        self.paid = {key: paid for key, paid in self.paid.items() if key != str(seat)}

    def draw(self, state: KingsState) -> None:
        for seat in state.order:
            if str(seat) in self.paid:
                draw_things(state, seat, Draw(self.paid[str(seat)], tuple(self.traded[str(seat)])))

    def deploy(self, state: KingsState) -> None:
        state.call(PlaceTogether())

    def limit(self, state: KingsState) -> None:
        self.leave(state)
        for seat in reversed(state.order):  # the last one called is asked first
            state.call(FullRack(seat=seat))


def draw_to_rack(state: KingsState, seat: int, count: int, paid: int = 0) -> None:
    had_some = bool(state.at(CUP))
    drawn = state.draw(count, "things")
    for number in drawn:
        state.to_rack(number, seat)
    state.tell(Drew(seat, len(drawn), paid), to=EVERYONE)
    state.tell(DrewThese(tuple(sorted(state.kind(n).name for n in drawn))), to=seat)
    if had_some and not state.at(CUP):
        state.tell(CupEmpty(), to=EVERYONE)
