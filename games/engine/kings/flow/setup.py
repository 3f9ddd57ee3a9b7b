"""Set-up: who starts where, kingdoms of three hexes, towers, ten Things each (2, 16, S1 to S5)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from ...core.events import EVERYONE
from ...core.offers import Exactly, Offer, OneOf, Some
from ..actions import Build, Choose, Done, Exchange, ReplaceSea
from ..catalogue import SEA, TOWER
from ..events import Claimed, DeckReady, Exchanged, HexesTurnedUp, OrderSet, SeaReplaced, StartChosen, StartGold
from ..no_choice import NothingToClaim, OnlyClaim, OnlyStart
from ..state import CUP, KingsState
from .base import InTurn, KingsFrame, Offers, Together, tell_why
from .build import raise_fort
from .place import Deploy, FullRack, PlaceTogether
from .recruit import draw_to_rack
from .roll import Roll
from .turn import Turn

START_GOLD = 10
START_THINGS = 10


@dataclass
class SetUp(KingsFrame):
    """Everything before the first turn, in the book's order (2.1, S5)."""

    rule: ClassVar[str] = "2.1"
    first: int = 0
    steps: ClassVar[tuple[str, ...]] = (
        *("roll_for_first", "choose_starts", "turn_up", "replace_seas", "second_hexes", "third_hexes", "towers"),
        *("draw", "place", "exchange", "place_again", "prepare_deck"),
    )

    def roll_for_first(self, state: KingsState) -> None:
        state.extras["phase"] = "setup"
        state.call(RollForFirst(rolling=sorted(state.seats)), into="first")

    def choose_starts(self, state: KingsState) -> None:
        """The high roller picks first, then the others clockwise by seat (S2)."""
        count = len(state.seats)
        order = [(self.first + n) % count for n in range(count)]
        state.extras["order"] = order
        state.call(ChooseStarts(waiting=order))

    def turn_up(self, state: KingsState) -> None:
        for spot in state.hexes:
            state.change_hex(spot, face_up=True)
        state.tell(HexesTurnedUp(), to=EVERYONE)

    def replace_seas(self, state: KingsState) -> None:
        state.call(ReplaceSeas())

    def second_hexes(self, state: KingsState) -> None:
        state.call(Claims())

    def third_hexes(self, state: KingsState) -> None:
        state.call(Claims())

    def towers(self, state: KingsState) -> None:
        for seat in state.order:
            state.earn(seat, START_GOLD)
            state.tell(StartGold(seat, START_GOLD), to=EVERYONE)
        state.call(Towers())

    def draw(self, state: KingsState) -> None:
        for seat in state.order:
            draw_to_rack(state, seat, START_THINGS)

    def place(self, state: KingsState) -> None:
        state.call(PlaceTogether() if together(state) else PlaceInTurn())

    def exchange(self, state: KingsState) -> None:
        state.extras["exchanged"] = []
        state.call(ExchangeTogether() if together(state) else ExchangeInTurn())

    def place_again(self, state: KingsState) -> None:
        """Those who exchanged place again; from here on a rack holds ten (S5)."""
        who = list(state.extras["exchanged"])
        state.call(PlaceTogether(only=who) if together(state) else PlaceInTurn(only=who))

    def prepare_deck(self, state: KingsState) -> None:
        """All tiles that are not on the map form the deck (2.19)."""
        state.extras["deck"] = sorted([*state.extras["deck"], *state.extras["aside"]])
        state.extras["aside"] = []
        state.tell(DeckReady(), to=EVERYONE)
        self.leave(state)
        state.call(Turn())


def together(state: KingsState) -> bool:
    return bool(state.options["setup"] == "together")


# ---- starts


@dataclass
class RollForFirst(KingsFrame):
    """Everyone rolls two dice; ties for the highest roll again (S2)."""

    rule: ClassVar[str] = "2.15"
    rolling: list[int] = field(default_factory=list)
    totals: list[int] = field(default_factory=list)
    steps: ClassVar[tuple[str, ...]] = ("roll", "compare")

    def roll(self, state: KingsState) -> None:
        counts = [2] * len(self.rolling)
        state.call(
            Roll(why="first player", throwers=self.rolling, counts=counts, added=True, parties=self.rolling),
            into="totals",
        )

    def compare(self, state: KingsState) -> None:
        if not self.totals:  # somebody left before the dice were read
            self.next = "roll"
            return
        best = max(self.totals)
        self.rolling = [seat for seat, total in zip(self.rolling, self.totals) if total == best]
        if len(self.rolling) == 1:
            self.leave(state, self.rolling[0])
        else:
            self.next = "roll"

    def forget(self, state: KingsState, seat: int) -> None:
        self.rolling = [other for other in self.rolling if other != seat] or self.rolling


@dataclass
class ChooseStarts(KingsFrame):
    """Starts are picked in turn; the clockwise order of the starts becomes the player order (S2)."""

    rule: ClassVar[str] = "2.15"
    asking: ClassVar[str] = "start"
    waiting: list[int] = field(default_factory=list)
    chosen: dict[str, str] = field(default_factory=dict)
    steps: ClassVar[tuple[str, ...]] = ("only_one",)

    def free(self, state: KingsState) -> list[str]:
        """With two players opposite corners, with three alternate ones (16)."""
        starts = state.map.starts
        taken = [starts.index(spot) for spot in self.chosen.values()]
        free = [n for n in range(len(starts)) if n not in taken]
        if taken and len(state.seats) == 2:
            free = [(taken[0] + 3) % 6]
        elif taken and len(state.seats) == 3:
            free = [n for n in free if (n - taken[0]) % 2 == 0]
        return [starts[n] for n in free]

    def offers(self, state: KingsState) -> Offers:
        if not self.waiting or len(self.free(state)) < 2:
            return {}
        return {self.waiting[0]: [OneOf(Choose, "what", tuple(self.free(state)))]}

    def on_choose(self, state: KingsState, seat: int, action: Choose) -> None:
        self.take(state, action.what)

    def only_one(self, state: KingsState) -> None:
        if self.waiting:
            seat = self.waiting[0]
            self.take(state, self.free(state)[0])
            tell_why(state, seat, OnlyStart())
            self.next = "only_one"
            return
        starts = state.map.starts
        seats = sorted(self.chosen, key=lambda seat: starts.index(self.chosen[seat]))
        first = next(seat for seat in state.extras["order"] if str(seat) in self.chosen)
        at = seats.index(str(first))
        state.extras["order"] = [int(seat) for seat in seats[at:] + seats[:at]]
        state.tell(OrderSet(tuple(state.extras["order"])), to=EVERYONE)
        self.leave(state)

    def take(self, state: KingsState, spot: str) -> None:
        seat, *rest = self.waiting
        self.waiting = rest
        self.chosen = {**self.chosen, str(seat): spot}
        state.change_hex(spot, owner=seat)
        state.tell(StartChosen(seat, spot), to=EVERYONE)

    def forget(self, state: KingsState, seat: int) -> None:
        self.waiting = [other for other in self.waiting if other != seat]
        self.chosen = {key: spot for key, spot in self.chosen.items() if key != str(seat)}


@dataclass
class ReplaceSeas(InTurn):
    """Nobody starts on the sea, or with fewer than two adjacent land hexes (S3)."""

    rule: ClassVar[str] = "2.15"

    def turn_of(self, state: KingsState, seat: int) -> None:
        state.call(SeasOfOne(seat=seat, start=state.owned(seat)[0]))


@dataclass
class SeasOfOne(KingsFrame):
    """Must below two land neighbours; may while two or more neighbours are sea (S3)."""

    rule: ClassVar[str] = "2.15"
    asking: ClassVar[str] = "replace_sea"
    seat: int = 0
    start: str = ""
    steps: ClassVar[tuple[str, ...]] = ("must",)

    def seas(self, state: KingsState) -> list[str]:
        return [near for near in state.map.neighbours[self.start] if state.hexes[near].terrain == SEA]

    def needs_land(self, state: KingsState) -> bool:
        return len(state.map.neighbours[self.start]) - len(self.seas(state)) < 2

    def offers(self, state: KingsState) -> Offers:
        if self.next == "done" or state.hexes[self.start].terrain == SEA:
            return {}
        seas = self.seas(state)
        if self.needs_land(state):
            return {self.seat: [OneOf(ReplaceSea, "place", tuple(seas))]} if len(seas) > 1 else {}
        if len(seas) < 2:
            return {}
        return {self.seat: [OneOf(ReplaceSea, "place", tuple(seas)), Exactly(Done())]}

    def must(self, state: KingsState) -> None:
        if state.hexes[self.start].terrain == SEA:
            self.replace(state, self.start)
            self.next = "must"
        elif self.needs_land(state):
            self.replace(state, self.seas(state)[0])
            self.next = "must"
        else:
            self.leave(state)

    def on_replace_sea(self, state: KingsState, seat: int, action: ReplaceSea) -> None:
        self.replace(state, action.place)

    def on_done(self, state: KingsState, seat: int, action: Done) -> None:
        self.next = "done"

    def replace(self, state: KingsState, spot: str) -> None:
        """From the undealt tiles; the sea that goes joins the deck afterwards."""
        deck = list(state.extras["deck"])
        terrain = deck.pop(state.dice.pick("replace sea", len(deck)))
        state.extras["deck"] = deck
        state.extras["aside"] = [*state.extras["aside"], SEA]
        state.change_hex(spot, terrain=terrain)
        state.tell(SeaReplaced(spot, terrain), to=EVERYONE)


# ---- kingdoms


@dataclass
class Claims(InTurn):
    """One more hex for everybody, beside one's own and not beside another's (2.16, S4)."""

    rule: ClassVar[str] = "2.16"

    def turn_of(self, state: KingsState, seat: int) -> None:
        state.call(Claim(seat=seat))


def claimable(state: KingsState, seat: int) -> list[str]:
    """Not beside another's hex, unless there is no other (S4)."""
    own = state.owned(seat)
    near = [
        spot
        for spot, here in state.hexes.items()
        if here.owner is None and here.terrain != SEA and any(spot in state.map.neighbours[p] for p in own)
    ]
    apart = [
        spot
        for spot in near
        if not any(state.hexes[other].owner not in (None, seat) for other in state.map.neighbours[spot])
    ]
    return apart or near


@dataclass
class Claim(KingsFrame):
    rule: ClassVar[str] = "2.16"
    asking: ClassVar[str] = "claim"
    seat: int = 0
    steps: ClassVar[tuple[str, ...]] = ("only_one",)

    def offers(self, state: KingsState) -> Offers:
        spots = [] if self.next else claimable(state, self.seat)
        return {self.seat: [OneOf(Choose, "what", tuple(spots))]} if len(spots) > 1 else {}

    def on_choose(self, state: KingsState, seat: int, action: Choose) -> None:
        self.next = "done"
        self.claim(state, action.what)

    def only_one(self, state: KingsState) -> None:
        spots = claimable(state, self.seat)[:1]
        for spot in spots:
            self.claim(state, spot)
        tell_why(state, self.seat, OnlyClaim() if spots else NothingToClaim())

    def claim(self, state: KingsState, spot: str) -> None:
        state.change_hex(spot, owner=self.seat)
        state.tell(Claimed(self.seat, spot), to=EVERYONE)


@dataclass
class Towers(InTurn):
    """Everybody puts a tower into one of their hexes (2.17)."""

    rule: ClassVar[str] = "2.17"

    def turn_of(self, state: KingsState, seat: int) -> None:
        state.call(FirstTower(seat=seat))


@dataclass
class FirstTower(KingsFrame):
    rule: ClassVar[str] = "2.17"
    asking: ClassVar[str] = "tower"
    seat: int = 0

    def offers(self, state: KingsState) -> Offers:
        if any(state.hexes[spot].fort for spot in state.owned(self.seat)):
            return {}
        return {self.seat: [OneOf(Build, "place", tuple(state.owned(self.seat)))]}

    def on_build(self, state: KingsState, seat: int, action: Build) -> None:
        raise_fort(state, seat, action.place)
        assert state.hexes[action.place].fort == TOWER


# ---- Things


@dataclass
class PlaceInTurn(InTurn):
    """Each player may place counters, in player order (2.17, S5)."""

    rule: ClassVar[str] = "2.17"
    only: list[int] | None = None

    def turn_of(self, state: KingsState, seat: int) -> None:
        if self.only is None or seat in self.only:
            state.call(FullRack(seat=seat))
            state.call(Deploy(seat=seat))


def exchange(state: KingsState, seat: int, numbers: list[int]) -> None:
    """As many new ones as are returned; the returned ones go to the cup last, and unseen (2.18, S5)."""
    if not numbers:
        return
    state.extras["exchanged"] = [*state.extras["exchanged"], seat]
    state.tell(Exchanged(seat, len(numbers)), to=EVERYONE)
    draw_to_rack(state, seat, len(numbers))
    for number in numbers:
        state.to_cup(number)


@dataclass
class ExchangeInTurn(InTurn):
    """Each may exchange once, in player order (2.18)."""

    rule: ClassVar[str] = "2.18"

    def turn_of(self, state: KingsState, seat: int) -> None:
        if state.rack(seat):
            state.call(ExchangeOnce(seat=seat))


@dataclass
class ExchangeOnce(KingsFrame):
    rule: ClassVar[str] = "2.18"
    asking: ClassVar[str] = "exchange"
    seat: int = 0

    def offers(self, state: KingsState) -> Offers:
        if self.next:
            return {}
        return {self.seat: [Some(Exchange, "counters", state.tags_of(state.rack(self.seat)), 0)]}

    def on_exchange(self, state: KingsState, seat: int, action: Exchange) -> None:
        self.next = "done"
        exchange(state, seat, state.numbers_of(action.counters))


@dataclass
class ExchangeTogether(Together):
    """All say at once, sealed, what they return; drawn in player order (S5)."""

    rule: ClassVar[str] = "2.18"
    asking: ClassVar[str] = "exchange"
    returned: dict[str, list[str]] = field(default_factory=dict)
    steps: ClassVar[tuple[str, ...]] = ("gather", "draw")

    def gather(self, state: KingsState) -> None:
        self.pending = [seat for seat in state.order if state.rack(seat)]

    def offers_to(self, state: KingsState, seat: int) -> list[Offer]:
        return [Some(Exchange, "counters", state.tags_of(state.rack(seat)), 0)]

    def on_exchange(self, state: KingsState, seat: int, action: Exchange) -> None:
        self.returned = {**self.returned, str(seat): list(action.counters)}
        self.answered(seat)

    def sealed_by(self, seat: int) -> dict[str, str]:
        return dict.fromkeys(self.returned.get(str(seat), []), CUP)

    def keep_answers_of(self, seat: int | None) -> None:
        self.returned = {key: tags for key, tags in self.returned.items() if key == str(seat)}

    def draw(self, state: KingsState) -> None:
        for seat in state.order:
            exchange(state, seat, state.numbers_of(self.returned.get(str(seat), [])))
        self.leave(state)

    def shown(self, state: KingsState) -> dict[str, Any]:
        return {}
