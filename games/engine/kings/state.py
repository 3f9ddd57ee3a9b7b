"""KingsState: the counters on map, racks and in the cup, and the verbs that move them. All writing happens here."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Self

from ..core.state import Counter, State
from .catalogue import FORT_COPIES, KINDS, OTHER_FACE, Kind
from .map import Map, map_for
from .terms import RACK_LIMIT as RACK_LIMIT
from .terms import WILD as WILD

CUP, POOL, GONE, SHOWN = "cup", "pool", "gone", "shown"
IN_PLAY = 1  # `spent` of a magic item that works in a battle; wild defenders may lie beside one that does not
HOUSE = -2  # runs wild defenders when the table wants nobody to wait for it (E1)
TAG_LETTERS = "bcdfghjkmnpqrstvwxyz23456789"
TAG_LENGTH = 8  # long enough that no name comes up twice in a game
MOST_IN_A_HEX = 10


def rack(seat: int) -> str:
    return f"rack:{seat}"


@dataclass
class KingsState(State):
    """Besides what every game has: an index of counters by place, worked out again whenever a game is loaded."""

    places: dict[str, tuple[int, ...]] = field(default_factory=dict, compare=False, repr=False)
    tags: dict[str, int] = field(default_factory=dict, compare=False, repr=False)
    magic: dict[str, int] = field(default_factory=dict, compare=False, repr=False)  # each item exists once
    income_numbers: tuple[int, ...] = field(default=(), compare=False, repr=False)
    hero_numbers: tuple[int, ...] = field(default=(), compare=False, repr=False)
    # The Public (view.py) that was worked out last, of this state or of one before it: the next one begins with it.
    seen: Any = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.counters and not self.places:
            # Stored games come back sorted by name; rules that go through all hexes must always do so in one order.
            self.hexes = dict(sorted(self.hexes.items(), key=lambda item: int(item[0][1:])))
            self.index()

    def index(self) -> None:
        found: dict[str, list[int]] = {}
        for number in sorted(self.counters):
            found.setdefault(self.counters[number].place, []).append(number)
        self.places = {place: tuple(numbers) for place, numbers in found.items()}
        sorts = {number: KINDS[c.kind].sort for number, c in self.counters.items()}
        self.income_numbers = tuple(n for n, sort in sorts.items() if sort == "income")
        self.hero_numbers = tuple(n for n, sort in sorts.items() if sort == "hero")
        self.magic = {c.kind: number for number, c in self.counters.items() if KINDS[c.kind].sort == "magic"}
        self.tags = {counter.tag: number for number, counter in self.counters.items() if counter.tag}

    def copy(self) -> Self:
        twin = super().copy()
        twin.places, twin.tags = dict(self.places), dict(self.tags)
        return twin

    # ---- asking

    @property
    def map(self) -> Map:
        return map_for(len(self.seats))

    @property
    def order(self) -> list[int]:
        """The living seats in player order, the first player first (3.1)."""
        return [seat for seat in self.extras["order"] if not self.seats[seat].out]

    def kind(self, number: int) -> Kind:
        return KINDS[self.counters[number].kind]

    def at(self, place: str) -> tuple[int, ...]:
        """The counters in a place, by number."""
        return self.places.get(place, ())

    def rack(self, seat: int) -> tuple[int, ...]:
        return self.at(rack(seat))

    def of(self, seat: int | None, place: str) -> list[int]:
        """Everything of one owner in a hex."""
        counters = self.counters
        return [number for number in self.at(place) if counters[number].owner == seat]

    def by_tag(self, tag: str) -> Counter | None:
        number = self.tags.get(tag)
        return None if number is None else self.counters[number]

    def left_of(self, seat: int) -> int:
        """The next living player, clockwise."""
        order = self.order
        return order[(order.index(seat) + 1) % len(order)]

    def right_of(self, seat: int) -> int:
        order = self.order
        return order[order.index(seat) - 1]

    def owned(self, seat: int) -> list[str]:
        return [place for place, each in self.hexes.items() if each.owner == seat]

    def income_of(self, seat: int) -> list[int]:
        """A seat's special income counters on the map."""
        counters = self.counters
        return [n for n in self.income_numbers if counters[n].owner == seat and counters[n].place in self.hexes]

    def forts_left(self, level: int) -> int:
        """Forts of a level still in the bank (12.14)."""
        return FORT_COPIES[level] - sum(1 for each in self.hexes.values() if each.fort == level)

    # ---- counters

    def change_counter(self, number: int, **values: Any) -> None:
        before = self.counters[number]
        super().change_counter(number, **values)
        old, new = before.place, self.counters[number].place
        if "tag" in values and values["tag"] != before.tag:
            self.tags.pop(before.tag, None)
            if values["tag"]:
                self.tags[values["tag"]] = number
        if new != old:
            self.places[old] = tuple(n for n in self.places[old] if n != number)
            there = self.places.get(new, ())
            at = bisect_left(there, number)
            self.places[new] = (*there[:at], number, *there[at:])

    def mint(self) -> str:
        """A new name for a counter that others are not to follow, drawn from the hidden stream."""
        while True:
            number = self.dice.pick("tag", len(TAG_LETTERS) ** TAG_LENGTH)
            letters = ""
            for _ in range(TAG_LENGTH):
                number, letter = divmod(number, len(TAG_LETTERS))
                letters += TAG_LETTERS[letter]
            if letters not in self.tags:
                return letters

    def draw(self, count: int, why: str) -> list[int]:
        """So many counters out of the cup, or what there is (T4, X10); the last one begins true elimination (T5)."""
        drawn = []
        for _ in range(min(count, len(self.at(CUP)))):
            cup = self.at(CUP)
            number = cup[self.dice.pick(why, len(cup))]
            self.change_counter(number, place="drawn")
            drawn.append(number)
        if count and not self.at(CUP):
            self.extras["true_elimination"] = True
        return drawn

    def to_rack(self, number: int, seat: int) -> None:
        self.change_counter(number, place=rack(seat), owner=seat, face_up=False, tag=self.mint(), spent=0)

    def to_cup(self, number: int) -> None:
        """Back among all the others; nobody can tell it from them any more."""
        self.change_counter(number, place=CUP, owner=None, face_up=False, tag="", spent=0)

    def use_up(self, number: int) -> None:
        """Lost for good once the cup has been empty (7.5, X11); until then back to the cup."""
        if self.extras.get("true_elimination"):
            self.change_counter(number, place=GONE, owner=None, face_up=True, tag="", spent=0)
        else:
            self.to_cup(number)

    def eliminate(self, number: int) -> None:
        """Creatures wander back to the cup, heroes flee to the pool, where their last owner may turn them (6.5)."""
        sort = self.kind(number).sort
        if sort == "magic":
            self.use_up(number)
        elif sort != "hero":
            self.to_cup(number)
        if sort != "hero":
            return
        owner = self.counters[number].owner
        self.to_pool(number)
        if owner is not None:
            self.extras["fled"] = [*self.extras.get("fled", ()), [owner, number]]

    def to_pool(self, number: int, turned: bool = False) -> None:
        kind = self.counters[number].kind
        shown = OTHER_FACE[kind] if turned else kind
        self.change_counter(number, place=POOL, kind=shown, owner=None, face_up=True, spent=0)

    def put(self, number: int, place: str, seat: int, *, face_up: bool) -> None:
        """Onto the map."""
        tag = self.counters[number].tag or self.mint()
        self.change_counter(number, place=place, owner=seat, face_up=face_up, tag=tag)

    def hide(self, seat: int, place: str) -> None:
        """A stack goes face down and is mixed: every counter in it gets a new name (H3)."""
        for number in self.of(seat, place):
            if self.kind(number).sort == "creature":
                self.change_counter(number, face_up=False, tag=self.mint())

    def turn_up(self, numbers: Iterable[int]) -> None:
        for number in numbers:
            if not self.counters[number].face_up:
                self.change_counter(number, face_up=True)

    # ---- gold and land

    def own(self, place: str, seat: int | None) -> None:
        """The hex changes hands, and with it the fort and the special income counter in it."""
        self.change_hex(place, owner=seat)
        for number in self.at(place):
            if self.kind(number).sort == "income":
                self.change_counter(number, owner=seat)

    def lower_fort(self, place: str, levels: int = 1) -> None:
        """So many levels down; where the bank has no fort of that level left, to the next below that it has (12.14)."""
        level = max(0, self.hexes[place].fort - levels)
        while level and not self.forts_left(level):
            level -= 1
        self.change_hex(place, fort=level)

    def earn(self, seat: int, amount: int) -> None:
        self.change_seat(seat, gold=self.seats[seat].gold + amount)

    def pay(self, seat: int, amount: int) -> None:
        assert amount <= self.seats[seat].gold, "nobody pays more than they have"
        self.change_seat(seat, gold=self.seats[seat].gold - amount)

    def numbers_of(self, tags: Iterable[str]) -> list[int]:
        return [self.tags[tag] for tag in tags]

    def tags_of(self, numbers: Iterable[int]) -> tuple[str, ...]:
        return tuple(sorted(self.counters[number].tag for number in numbers))
