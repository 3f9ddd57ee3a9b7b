"""The Special Powers Phase: the Assassin and the Thief (13, pull-out)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from ...core.events import EVERYONE
from ...core.offers import Exactly, Offer, OneOf
from ..actions import Assassinate, Choose, Done, Steal
from ..catalogue import the
from ..events import (
    Assassinated,
    AssassinStrikes,
    Caught,
    ContestFailed,
    ContestTied,
    StoleCounter,
    StoleGold,
    StoleThis,
    ThiefStrikes,
)
from ..income import heroes_of
from ..orders import ASK, order
from ..state import KingsState
from .base import InTurn, KingsFrame, Offers
from .place import FledHeroes, FullRack
from .roll import Roll


@dataclass
class SpecialPowers(InTurn):
    """In player order, whoever has the Assassin or the Thief may use them (13)."""

    rule: ClassVar[str] = "13"

    def turn_of(self, state: KingsState, seat: int) -> None:
        if order(state, seat, "powers") != ASK:
            return
        kinds = [state.counters[n].kind for n in heroes_of(state, seat)]
        if "master_thief" in kinds:
            state.call(Theft(seat=seat))
        if "assassin_primus" in kinds:
            state.call(Assassination(seat=seat))


def victims_in(state: KingsState, place: str) -> list[int]:
    """Heroes and face-down Things in a hex, whoever owns them (X25)."""
    return [
        n
        for n in state.at(place)
        if state.kind(n).sort == "hero" or (state.kind(n).sort == "creature" and not state.counters[n].face_up)
    ]


@dataclass
class Contest(KingsFrame):
    """Two players roll two dice each; a tie rolls again, and then the actor can only lose (pull-out)."""

    rule: ClassVar[str] = "13"
    hero: ClassVar[str] = ""
    seat: int = 0
    other: int = -1
    ties: int = 0
    totals: list[int] = field(default_factory=list)
    steps: ClassVar[tuple[str, ...]] = ("idle", "roll", "compare", "strike", "finish")

    def idle(self, state: KingsState) -> None:
        self.leave(state)

    def on_done(self, state: KingsState, seat: int, action: Done) -> None:
        self.next = "done"

    def roll(self, state: KingsState) -> None:
        pair = [self.seat, self.other]
        why = "contest again" if self.ties else "contest"
        state.call(Roll(why=why, throwers=pair, counts=[2, 2], added=True, parties=pair), into="totals")

    def compare(self, state: KingsState) -> None:
        mine, theirs = self.totals
        if self.ties:
            if theirs > mine:
                self.be_caught(state)
            else:
                state.tell(ContestFailed(self.seat), to=EVERYONE)
            self.next = "finish"
        elif mine == theirs:
            self.ties = 1
            state.tell(ContestTied(self.seat), to=EVERYONE)
            self.next = "roll"
        elif theirs > mine:
            state.tell(ContestFailed(self.seat), to=EVERYONE)
            self.next = "finish"

    def be_caught(self, state: KingsState) -> None:
        """Caught in the act: back to the pool, turned over (X18)."""
        for number in heroes_of(state, self.seat):
            if state.counters[number].kind == self.hero:
                state.tell(Caught(self.seat, state.kind(number).name), to=EVERYONE)
                state.to_pool(number, turned=True)

    def strike(self, state: KingsState) -> None:
        """The attempt succeeded; what is to be decided is offered."""

    def finish(self, state: KingsState) -> None:
        self.leave(state)

    def abandoned_by(self, state: KingsState, seat: int) -> bool:
        return seat in (self.seat, self.other)


@dataclass
class Assassination(Contest):
    """One hero or face-down Thing in another player's hex is struck down; its owner may offer another (P1, X25)."""

    hero: ClassVar[str] = "assassin_primus"
    asking: ClassVar[str] = "assassinate"
    place: str = ""
    first: int = 0
    second: int = 0
    faces: list[list[int]] = field(default_factory=list)
    steps: ClassVar[tuple[str, ...]] = ("idle", "roll", "compare", "strike", "decide", "kill", "finish")

    def offers(self, state: KingsState) -> Offers:
        if self.next == "":
            places = tuple(
                place
                for place, here in state.hexes.items()
                if here.owner not in (None, self.seat) and victims_in(state, place)
            )
            return {self.seat: [OneOf(Assassinate, "place", places), Exactly(Done())]} if places else {}
        if self.next == "strike":
            return self.offers_of_targets(state)
        return {}

    def asks(self, state: KingsState, seat: int) -> str:
        return "victim" if self.next == "strike" else self.asking

    def offers_of_targets(self, state: KingsState) -> Offers:
        victims = victims_in(state, self.place)
        if len(victims) < 2:
            return {}
        offer: list[Offer] = [OneOf(Choose, "what", state.tags_of(victims))]
        if not self.first:
            return {self.seat: offer}
        return {} if self.second else {self.other: offer}

    def on_assassinate(self, state: KingsState, seat: int, action: Assassinate) -> None:
        owner = state.hexes[action.place].owner
        assert owner is not None
        self.place, self.other = action.place, owner
        state.tell(AssassinStrikes(seat, action.place), to=EVERYONE)
        self.next = "roll"

    def on_choose(self, state: KingsState, seat: int, action: Choose) -> None:
        if seat == self.seat and not self.first:
            self.first = state.tags[action.what]
        else:
            self.second = state.tags[action.what]

    def decide(self, state: KingsState) -> None:
        """1 to 3: the Assassin's choice; 4 to 6: the owner's. A single counter needs no die."""
        victims = victims_in(state, self.place)
        if len(victims) == 1:
            self.first = self.second = victims[0]
            self.faces = [[1]]
        elif victims:
            pair = [self.seat, self.other]
            state.call(Roll(why="assassination", throwers=[self.seat], counts=[1], parties=pair), into="faces")

    def kill(self, state: KingsState) -> None:
        if not self.faces:
            return
        number = self.first if self.faces[0][0] <= 3 else self.second
        counter = state.counters[number]
        name = the(state.kind(number).name) if counter.face_up else "a face-down Thing"
        state.tell(Assassinated(self.seat, name, self.place, counter.owner), to=EVERYONE)
        state.eliminate(number)
        state.call(FledHeroes())

    def shown(self, state: KingsState) -> dict[str, Any]:
        return {"place": self.place, "seat": self.seat, "other": self.other} if self.place else {}


@dataclass
class Theft(Contest):
    """All of another player's gold, or one counter at random from their rack (pull-out, P2)."""

    hero: ClassVar[str] = "master_thief"
    asking: ClassVar[str] = "steal"
    choice: str = ""
    steps: ClassVar[tuple[str, ...]] = ("idle", "roll", "compare", "strike", "take", "finish")

    def offers(self, state: KingsState) -> Offers:
        if self.next == "":
            others = tuple(seat for seat in state.order if seat != self.seat)
            return {self.seat: [OneOf(Steal, "victim", others), Exactly(Done())]} if others else {}
        if self.next == "strike" and not self.choice and state.rack(self.other):
            return {self.seat: [OneOf(Choose, "what", ("gold", "counter"))]}
        return {}

    def asks(self, state: KingsState, seat: int) -> str:
        return "loot" if self.next == "strike" else self.asking

    def on_steal(self, state: KingsState, seat: int, action: Steal) -> None:
        self.other = action.victim
        state.tell(ThiefStrikes(seat, action.victim), to=EVERYONE)
        self.next = "roll"

    def on_choose(self, state: KingsState, seat: int, action: Choose) -> None:
        self.choice = action.what

    def take(self, state: KingsState) -> None:
        if self.choice != "counter":
            amount = state.seats[self.other].gold
            state.pay(self.other, amount)
            state.earn(self.seat, amount)
            state.tell(StoleGold(self.seat, self.other, amount), to=EVERYONE)
            return
        there = state.rack(self.other)
        number = there[state.dice.pick("theft", len(there))]
        state.to_rack(number, self.seat)
        state.tell(StoleCounter(self.seat, self.other), to=EVERYONE)
        state.tell(StoleThis(self.seat, self.other, state.kind(number).name), to=[self.seat, self.other])
        state.call(FullRack(seat=self.seat))

    def shown(self, state: KingsState) -> dict[str, Any]:
        return {"seat": self.seat, "other": self.other} if self.other >= 0 else {}
