"""Movement: marches, pinned stacks, flyers that pass, the Balloon, and hexes taken without a fight (9)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from ...core.actions import Action
from ...core.events import EVERYONE, Event
from ...core.offers import Exactly, Offer, OneOf, Some
from ...core.refusals import IllegalAction
from ..actions import Ascend, AskProof, Choose, Done, FlyPast, Lose, March, RemoveIncome, Reveal
from ..catalogue import SEA
from ..events import (
    BalloonLanded,
    BalloonLost,
    BalloonSent,
    FlyersHeld,
    FlyersShown,
    IncomeRemoved,
    Marched,
    NoProof,
    ProofAsked,
    ProofGiven,
)
from ..income import income_counter
from ..marches import Marches
from ..movement import cost, marches, points_left, stacks_of
from ..no_choice import NoChoice, NothingToMove
from ..offers import Ascents, LossLists
from ..orders import ASK, order
from ..powers.magic import held
from ..stacks import armies, army, enemies_in, holds, is_pinned, pins_by_itself, refuges, room
from ..state import KingsState
from ..support import is_supported
from ..terms import MOST_VALUE_IN_BALLOON
from .base import InTurn, KingsFrame, Offers, OnesPart, Together
from .bluffs import remove_bluffs
from .capture import Capture
from .place import TooMany, mix
from .roll import Played

Stacks = dict[str, list[int]]  # a seat's creatures and heroes, by hex


@dataclass
class Movement(InTurn):
    """Each player in turn may move; then undefended hexes change hands (9, M7)."""

    rule: ClassVar[str] = "9"
    taken: list[str] = field(default_factory=list)
    steps: ClassVar[tuple[str, ...]] = ("gather", "each", "rest", "endangered", "conquests")

    def turn_of(self, state: KingsState, seat: int) -> None:
        state.call(Marching(seat=seat))

    def rest(self, state: KingsState) -> None:
        for place in state.hexes:
            for number in state.at(place):
                counter = state.counters[number]
                if counter.spent and state.kind(number).sort in ("creature", "hero"):
                    state.change_counter(number, spent=0)

    def endangered(self, state: KingsState) -> None:
        """Owners of special income in hexes that enemies have entered may take it back to the cup (T2)."""
        for seat in reversed(state.order):
            if endangered_income(state, seat):
                state.call(SaveIncome(seat=seat))

    def conquests(self, state: KingsState) -> None:
        """A hex whose owner has nothing there that can fight passes to the one other player in it (9.43, M7)."""
        for place, here in state.hexes.items():
            if here.owner is None or not state.at(place) or holds(state, here.owner, place):
                continue
            there = armies(state, place)
            if len(there) == 1 and here.owner not in there:
                self.next = "conquests"
                state.call(Capture(seat=there[0], place=place))
                return


def endangered_income(state: KingsState, seat: int) -> list[int]:
    found = []
    for place in state.owned(seat):
        counter = income_counter(state, place)
        if counter is not None and any(other != seat for other in armies(state, place)):
            found.append(counter)
    return found


@dataclass
class SaveIncome(KingsFrame):
    """Asked once, or answered by standing order (T2, 8.42)."""

    rule: ClassVar[str] = "8.42"
    asking: ClassVar[str] = "endangered_income"
    seat: int = 0
    steps: ClassVar[tuple[str, ...]] = ("by_order",)

    def offers(self, state: KingsState) -> Offers:
        found = endangered_income(state, self.seat)
        if self.next == "done" or not found or order(state, self.seat, "endangered_income") != ASK:
            return {}
        return {self.seat: [OneOf(RemoveIncome, "counter", state.tags_of(found)), Exactly(Done())]}

    def on_remove_income(self, state: KingsState, seat: int, action: RemoveIncome) -> None:
        remove_income(state, seat, state.tags[action.counter])

    def on_done(self, state: KingsState, seat: int, action: Done) -> None:
        self.next = "done"

    def by_order(self, state: KingsState) -> None:
        if order(state, self.seat, "endangered_income") == "remove":
            for number in endangered_income(state, self.seat):
                remove_income(state, self.seat, number)


def remove_income(state: KingsState, seat: int, number: int) -> None:
    state.tell(IncomeRemoved(seat, state.kind(number).name, state.counters[number].place), to=EVERYONE)
    state.to_cup(number)


@dataclass
class Marching(OnesPart):
    """One player's part of the Movement Phase (9.1 to 9.4)."""

    rule: ClassVar[str] = "9.1"
    asking: ClassVar[str] = "march"
    ends_by_word: ClassVar[bool] = True
    stack: list[int] = field(default_factory=list)  # the stack that is moving
    dropped: list[int] = field(default_factory=list)  # those it has left on its way
    resting: list[int] = field(default_factory=list)  # those who have finished (M2)
    pinned: list[str] = field(default_factory=list)  # hexes whose stacks are held (9.23)
    asked: list[str] = field(default_factory=list)  # hexes where proof was asked for
    released: list[int] = field(default_factory=list)  # flyers allowed to leave a hex with enemies (9.31)
    stopped: list[int] = field(default_factory=list)  # those who met enemies or the unknown
    escorts: list[int] = field(default_factory=list)  # those who began the phase with Deerhunter
    bound: list[int] = field(default_factory=list)  # those who must end it with Deerhunter
    outcome: dict[str, Any] | None = None
    riders: list[int] = field(default_factory=list)
    steps: ClassVar[tuple[str, ...]] = ("begin", "go", "finish", "land")

    def begin(self, state: KingsState) -> None:
        stacks = stacks_of(state, self.seat)
        self.pinned = [place for place in stacks if is_pinned(state, self.seat, place)]
        for numbers in stacks.values():
            if any(state.counters[n].kind == "deerhunter" for n in numbers):
                self.escorts = numbers

    # ---- what may be done

    def offers(self, state: KingsState) -> Offers:
        if self.next != "finish":
            return {}
        stacks = stacks_of(state, self.seat)
        offer = self.marches(state, stacks)
        found: list[Offer] = [offer] if offer.walkers and offer.first_step() is not None else []
        found += self.flights(state, stacks) + self.proofs(state) + self.ascents(state, stacks)
        # A seat that might have the Balloon is asked, whether it has it or not.
        may_fly = bool(state.rack(self.seat)) and bool(stacks)
        is_put = bool(found) or may_fly or self.may_regret(state, self.seat)
        return {self.seat: [*found, Exactly(Done())]} if is_put else {}

    def why_no_choice(self, state: KingsState, seat: int) -> NoChoice | None:
        return None if self.answers else NothingToMove()

    def marches(self, state: KingsState, stacks: Stacks) -> Marches:
        movable = self.movable(state, stacks)
        led = [n for p in self.pinned for n in movable.get(p, ()) if n not in self.released]
        return marches(state, self.seat, movable, self.bound_here(movable), self.escorts, led)

    def bound_here(self, movable: dict[str, list[int]]) -> list[int]:
        able = {number for numbers in movable.values() for number in numbers}
        return [number for number in self.bound if number in able]

    def movable(self, state: KingsState, stacks: Stacks) -> Stacks:
        """Who may march: not pinned, not stopped, not done, with points left."""
        found = {}
        for place, numbers in stacks.items():
            held_here = place in self.pinned
            able = [
                n
                for n in numbers
                if n not in self.resting
                and n not in self.stopped
                and points_left(state, n) > 0
                and (not held_here or n in self.released or self.slips_away(state, n, numbers))
            ]
            if able:
                found[place] = able
        return found

    def slips_away(self, state: KingsState, number: int, numbers: list[int]) -> bool:
        """Deerhunter's stack may leave an enemy-occupied hex at the beginning of its movement (pull-out)."""
        led = any(state.counters[n].kind == "deerhunter" for n in numbers)
        return led and number in self.escorts and not state.counters[number].spent

    def flights(self, state: KingsState, stacks: Stacks) -> list[Offer]:
        """Flyers among enemies may show themselves to go on (9.31)."""
        found: list[Offer] = []
        for place, numbers in stacks.items():
            unexplored = state.hexes[place].owner is None and place not in self.pinned  # M6
            if unexplored or not enemies_in(state, self.seat, place):
                continue
            flyers = [
                n
                for n in numbers
                if state.kind(n).flies
                and n not in self.resting
                and n not in self.released
                and points_left(state, n) > 0
                and (place in self.pinned or n in self.stopped)
            ]
            if flyers:
                found.append(Some(FlyPast, "counters", state.tags_of(flyers), 1))
        return found

    def proofs(self, state: KingsState) -> list[Offer]:
        places = tuple(place for place in self.pinned if self.may_ask(state, place))
        return [OneOf(AskProof, "place", places)] if places else []

    def may_ask(self, state: KingsState, place: str) -> bool:
        """Once a hex, before its stack has moved, of those who pin by face-down counters only (M4)."""
        enemies = enemies_in(state, self.seat, place)
        untouched = all(not state.counters[n].spent for n in army(state, self.seat, place))
        return (
            place not in self.asked
            and untouched
            and bool(army(state, self.seat, place))
            and not any(pins_by_itself(state, other, place) for other in enemies)
        )

    def ascents(self, state: KingsState, stacks: Stacks) -> list[Offer]:
        """The Balloon: creatures of value 3 or less that have not moved (P6, X17)."""
        item = held(state, self.seat, "balloon")
        if not item:
            return []
        passengers = {
            place: state.tags_of(
                n
                for n in numbers
                if state.kind(n).value <= MOST_VALUE_IN_BALLOON
                and not state.counters[n].spent
                and n not in self.resting + self.stopped
            )
            for place, numbers in stacks.items()
            if place not in self.pinned
        }
        space = {place: room(state, self.seat, place) for place in state.hexes}
        targets = {
            place: tuple(
                p for p in state.map.within(place, 3) if p != place and state.hexes[p].terrain != SEA and space[p] > 0
            )
            for place, tags in passengers.items()
            if tags
        }
        passengers = {place: tags for place, tags in passengers.items() if tags and targets[place]}
        targets = {place: targets[place] for place in passengers}
        return [Ascents(item, passengers, targets, space)] if passengers else []

    def why_not(self, state: KingsState, seat: int, action: Action) -> IllegalAction:
        if isinstance(action, March):
            return self.why_no_march(state, action)
        return super().why_not(state, seat, action)

    def why_no_march(self, state: KingsState, action: March) -> IllegalAction:
        for tag in action.counters:
            counter = state.by_tag(tag)
            if counter is None or counter.owner != self.seat or counter.place not in state.hexes:
                return IllegalAction("not_your_counter")
            if counter.number in self.resting:
                return IllegalAction("has_moved")
            if counter.place in self.pinned and counter.number not in self.released:
                return IllegalAction("pinned", place=counter.place)
            if counter.number in self.stopped:
                return IllegalAction("must_stop", place=counter.place)
        offer = self.marches(state, stacks_of(state, self.seat))
        code, place = offer.why_not(action) or ("not_on_offer", "")
        return IllegalAction(code, place=place)

    # ---- marching

    def on_march(self, state: KingsState, seat: int, action: March) -> None:
        numbers = state.numbers_of(action.counters)
        start = state.counters[numbers[0]].place
        self.set_out(numbers)
        led = any(state.counters[n].kind == "deerhunter" for n in numbers)
        for number in numbers:
            helped = led and number in self.escorts
            price = sum(1 if helped else cost(state.hexes[p].terrain) for p in action.path)
            fair = sum(cost(state.hexes[p].terrain) for p in action.path)
            if helped and (price < fair or start in self.pinned) and number not in self.bound:
                self.bound = [*self.bound, number]
            state.change_counter(number, place=action.path[-1], spent=state.counters[number].spent + price)
        if led and self.bound:
            self.bound = sorted({*self.bound, *(n for n in numbers if n in self.escorts)})
        self.arrive(state, numbers, action.path[-1])
        state.tell(Marched(seat, len(numbers), start, action.path[-1], action.path), to=EVERYONE)

    def set_out(self, numbers: list[int]) -> None:
        """The moving stack goes on, with whom it picked up; or another starts, and those before are done (M2)."""
        if any(n in self.stack for n in numbers):
            self.dropped = sorted({*self.dropped, *self.stack} - set(numbers))
        else:
            self.resting = sorted({*self.resting, *self.stack, *self.dropped} - set(numbers))
            self.dropped, self.bound = [], []
        self.stack = sorted(numbers)

    def arrive(self, state: KingsState, numbers: list[int], place: str) -> None:
        self.released = [n for n in self.released if n not in numbers]
        here = state.hexes[place]
        if enemies_in(state, self.seat, place) or (here.owner is None and here.terrain != SEA):
            self.stopped = sorted({*self.stopped, *numbers})
        if len(army(state, self.seat, place)) > len(numbers):
            mix(state, self.seat, place)

    def on_done(self, state: KingsState, seat: int, action: Done) -> None:
        self.next = "done"

    def go(self, state: KingsState) -> None:
        """Asked from here on, until there is nothing more to do."""

    def finish(self, state: KingsState) -> None:
        self.leave(state)

    # ---- pinned stacks and passing flyers

    def on_ask_proof(self, state: KingsState, seat: int, action: AskProof) -> None:
        self.asked = [*self.asked, action.place]
        enemies = enemies_in(state, seat, action.place)
        state.tell(ProofAsked(seat, action.place), to=EVERYONE)
        state.call(Proof(place=action.place, pending=enemies, mover=seat))

    def free(self, place: str) -> None:
        self.pinned = [other for other in self.pinned if other != place]

    def on_fly_past(self, state: KingsState, seat: int, action: FlyPast) -> None:
        numbers = state.numbers_of(action.counters)
        self.set_out(numbers)
        state.call(Passing(seat=seat, place=state.counters[numbers[0]].place, flyers=numbers))

    def release(self, flyers: list[int], stay: list[int]) -> None:
        self.released = sorted({*self.released, *flyers})
        self.stopped = sorted({*(n for n in self.stopped if n not in flyers), *stay})
        self.resting = sorted({*self.resting, *stay})

    # ---- the Balloon

    def on_ascend(self, state: KingsState, seat: int, action: Ascend) -> None:
        self.riders = state.numbers_of(action.counters)
        target = state.hexes[action.to].owner
        parties = sorted({seat, *([target] if target is not None else [])})
        self.next = "land"
        item = state.tags[action.item]
        state.call(Played(seat=seat, item=item, parties=parties, about={"target": action.to}), into="outcome")

    def aim_of(self, state: KingsState, played: Any) -> Event | None:
        """How many board and where they go lies open; who they are does not (X17)."""
        source = state.counters[self.riders[0]].place
        return BalloonSent(self.seat, len(self.riders), source, played.about["target"])

    def land(self, state: KingsState) -> None:
        """The Balloon comes down where it was sent, or where a Fan has blown it (P6)."""
        outcome, self.outcome = self.outcome, None
        self.next = "finish"
        if outcome is None or not outcome["works"]:
            return
        place = outcome["blown"] or outcome["target"]
        if state.hexes[place].terrain == SEA:
            state.use_up(outcome["item"])
            state.tell(BalloonLost(self.seat, place), to=EVERYONE)
            state.call(Escape(seat=self.seat, place=place, counters=self.riders))
            self.resting = sorted({*self.resting, *self.riders})
            return
        state.change_counter(outcome["item"], place=place, owner=self.seat, face_up=True)
        state.extras["balloon"] = self.riders
        for number in self.riders:
            state.change_counter(number, place=place)
        self.resting = sorted({*self.resting, *self.riders})
        state.tell(BalloonLanded(self.seat, len(self.riders), place), to=EVERYONE)
        if len(army(state, self.seat, place)) > len(self.riders):
            mix(state, self.seat, place)
        state.call(TooMany(seat=self.seat, place=place))


@dataclass
class Proof(Together):
    """Whoever pins by face-down counters alone may show one supported creature; who does not lets the stack go (M4)."""

    rule: ClassVar[str] = "9.23"
    asking: ClassVar[str] = "proof"
    place: str = ""
    mover: int = 0
    shown_by: list[int] = field(default_factory=list)
    steps: ClassVar[tuple[str, ...]] = ("settle",)

    def offers(self, state: KingsState) -> Offers:
        return {seat: self.offers_to(state, seat) for seat in self.pending if order(state, seat, "proof") == ASK}

    def offers_to(self, state: KingsState, seat: int) -> list[Offer]:
        return [Some(Reveal, "counters", state.tags_of(self.proofs_of(state, seat)), 0, 1)]

    def proofs_of(self, state: KingsState, seat: int) -> list[int]:
        return [n for n in army(state, seat, self.place) if is_supported(state, n)]

    def on_reveal(self, state: KingsState, seat: int, action: Reveal) -> None:
        self.answered(seat)
        if action.counters:
            self.show(state, seat, state.tags[action.counters[0]])

    def show(self, state: KingsState, seat: int, number: int) -> None:
        """Seen by all, then mixed with its stack again (B2)."""
        self.shown_by = [*self.shown_by, seat]
        state.tell(ProofGiven(seat, state.kind(number).name, self.place), to=EVERYONE)
        mix(state, seat, self.place)

    def settle(self, state: KingsState) -> None:
        for seat in self.pending:
            proofs = self.proofs_of(state, seat)
            if order(state, seat, "proof") == "show" and proofs:
                self.show(state, seat, min(proofs, key=lambda n: (state.kind(n).value, n)))
        self.leave(state)
        if not self.shown_by:
            marching = state.flow[-1]
            assert isinstance(marching, Marching)
            marching.free(self.place)
            state.tell(NoProof(self.mover, self.place), to=EVERYONE)

    def shown(self, state: KingsState) -> dict[str, Any]:
        return {"place": self.place, "mover": self.mover}


@dataclass
class Passing(Together):
    """Flyers shown by the mover are held by as many flyers as the others show (9.31, M5)."""

    rule: ClassVar[str] = "9.31"
    asking: ClassVar[str] = "hold_flyers"
    seat: int = 0
    place: str = ""
    flyers: list[int] = field(default_factory=list)
    holders: list[int] = field(default_factory=list)  # what the others have shown
    steps: ClassVar[tuple[str, ...]] = ("reveal", "by_order", "choose", "go_on")

    def reveal(self, state: KingsState) -> None:
        """The mover's flyers are turned up; bluffs among them are out (B1)."""
        state.turn_up(self.flyers)
        names = tuple(sorted(state.kind(n).name for n in self.flyers))
        state.tell(FlyersShown(self.seat, names, self.place), to=EVERYONE)
        remove_bluffs(state, self.place)
        self.flyers = [n for n in self.flyers if state.counters[n].place == self.place]
        if not self.flyers:
            self.next = "go_on"
            return
        # Asked by what everybody can see: that there are counters that might fly.
        enemies = [other for other in armies(state, self.place) if other != self.seat]
        self.pending = enemies

    def offers(self, state: KingsState) -> Offers:
        held = self.held(state)
        if self.next == "go_on" and 0 < held < len(self.still_there(state, self.flyers)):
            return {self.seat: [LossLists(dict.fromkeys(state.tags_of(self.still_there(state, self.flyers)), 1), held)]}
        return {s: self.offers_to(state, s) for s in self.pending if order(state, s, "flyers") == ASK}

    def asks(self, state: KingsState, seat: int) -> str:
        return "who_stays" if self.next == "go_on" else self.asking

    def question(self, state: KingsState, seat: int) -> str:
        return self.next

    def still_there(self, state: KingsState, numbers: list[int]) -> list[int]:
        """Less those who were found out as bluffs, by a challenge at any time (B1)."""
        return [n for n in numbers if state.counters[n].place == self.place]

    def held(self, state: KingsState) -> int:
        return len(self.still_there(state, self.holders))

    def offers_to(self, state: KingsState, seat: int) -> list[Offer]:
        return [Some(Reveal, "counters", state.tags_of(self.flyers_of(state, seat)), 0)]

    def flyers_of(self, state: KingsState, seat: int) -> list[int]:
        return [n for n in army(state, seat, self.place) if state.kind(n).flies]

    def on_reveal(self, state: KingsState, seat: int, action: Reveal) -> None:
        self.answered(seat)
        self.hold(state, seat, state.numbers_of(action.counters))

    def hold(self, state: KingsState, seat: int, shown: list[int]) -> None:
        if not shown:
            return
        state.turn_up(shown)
        names = tuple(sorted(state.kind(n).name for n in shown))
        state.tell(FlyersShown(seat, names, self.place), to=EVERYONE)
        remove_bluffs(state, self.place)
        # Bluffs found out hold nobody; one that nobody has challenged yet holds like any other (B1).
        self.holders = [*self.holders, *shown]

    def by_order(self, state: KingsState) -> None:
        for seat in self.pending:
            if order(state, seat, "flyers") == "all":
                self.hold(state, seat, [n for n in self.flyers_of(state, seat) if is_supported(state, n)])
        self.pending = []

    def choose(self, state: KingsState) -> None:
        """So many of the mover's flyers stay, of the mover's choice."""

    def on_lose(self, state: KingsState, seat: int, action: Lose) -> None:
        self.stay(state, state.numbers_of(action.counters))

    def stay(self, state: KingsState, numbers: list[int]) -> None:
        self.holders = []
        if numbers:
            state.tell(FlyersHeld(self.seat, len(numbers), self.place), to=EVERYONE)
        free = [n for n in self.still_there(state, self.flyers) if n not in numbers]
        marching = state.below(self)
        assert isinstance(marching, Marching)
        marching.release(free, numbers)
        self.flyers = []

    def go_on(self, state: KingsState) -> None:
        if self.flyers:  # nobody is held, or everybody
            here = self.still_there(state, self.flyers)
            self.stay(state, here if self.held(state) >= len(here) else [])
        for seat in armies(state, self.place):
            state.hide(seat, self.place)  # B2
        self.leave(state)

    def abandoned_by(self, state: KingsState, seat: int) -> bool:
        return seat == self.seat

    def shown(self, state: KingsState) -> dict[str, Any]:
        return {
            "place": self.place,
            "mover": self.seat,
            "flyers": list(state.tags_of(self.still_there(state, self.flyers))),
        }


@dataclass
class Escape(KingsFrame):
    """Counters over or in the sea reach an adjacent hex of their owner, who chooses it, or are lost (P4, Fan)."""

    rule: ClassVar[str] = "P4"
    asking: ClassVar[str] = "escape"
    seat: int = 0
    place: str = ""
    counters: list[int] = field(default_factory=list)
    steps: ClassVar[tuple[str, ...]] = ("only_way",)

    def ways(self, state: KingsState) -> list[str]:
        return refuges(state, self.seat, self.place)

    def offers(self, state: KingsState) -> Offers:
        ways = self.ways(state)
        if not self.counters or len(ways) < 2:
            return {}
        return {self.seat: [OneOf(Choose, "what", tuple(ways))]}

    def on_choose(self, state: KingsState, seat: int, action: Choose) -> None:
        self.go(state, action.what)

    def only_way(self, state: KingsState) -> None:
        ways = self.ways(state)
        if self.counters and ways:
            self.go(state, ways[0])
        for number in self.counters:
            state.eliminate(number)
        self.counters = []
        self.next = "done"

    def go(self, state: KingsState, place: str) -> None:
        for number in self.counters:
            state.change_counter(number, place=place)
        self.counters = []
        mix(state, self.seat, place)
        state.call(TooMany(seat=self.seat, place=place))
