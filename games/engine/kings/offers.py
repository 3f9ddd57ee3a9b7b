"""Offers of Kings & Things*: sets of actions too large to list. They hold what their own seat knows, never a State."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from ..core.actions import Action
from ..core.dice import Chance
from ..core.offers import Offer, OneOf
from ..core.plain import plain
from .actions import Ascend, Bribe, Draw, Lose, Place, PlayEvent, PlayItem, Recruit, Retreat, SetOrder


def one_of(chance: Chance, choices: Any) -> Any:
    return choices[chance.pick("sample", len(choices))]


def some_of(chance: Chance, choices: Any, least: int, most: int) -> tuple[Any, ...]:
    left = list(choices)
    count = least + chance.pick("how many", min(most, len(left)) - least + 1)
    return tuple(left.pop(chance.pick("sample", len(left))) for _ in range(count))


@dataclass(frozen=True)
class AsideOneOf(OneOf):
    """One of these, beside whatever is being asked."""

    aside: ClassVar[bool] = True


@dataclass(frozen=True)
class OrdersOffer(Offer):
    """Standing orders may be given at any time."""

    kind: ClassVar[str] = "orders"
    aside: ClassVar[bool] = True
    orders: Mapping[str, tuple[str, ...]]

    def __contains__(self, action: object) -> bool:
        return isinstance(action, SetOrder) and action.how in self.orders.get(action.about, ())

    def sample(self, chance: Chance) -> Action:
        about = one_of(chance, sorted(self.orders))
        return SetOrder(about, one_of(chance, self.orders[about]))

    @property
    def do(self) -> str:
        return SetOrder.do

    def plain(self) -> dict[str, Any]:
        return {**self.head(), "orders": plain(dict(self.orders))}


@dataclass(frozen=True)
class Charms(Offer):
    """The Lucky Charm on one die of a roll, or on one total."""

    kind: ClassVar[str] = "charm"
    item: str
    choices: tuple[tuple[int, int, int], ...]  # whose dice, which die, one more or one less

    def __contains__(self, action: object) -> bool:
        return (
            isinstance(action, PlayItem)
            and action.item == self.item
            and action.target == ""
            and (action.thrower, action.die, action.change) in self.choices
        )

    def sample(self, chance: Chance) -> Action:
        thrower, die, change = one_of(chance, self.choices)
        return PlayItem(self.item, thrower=thrower, die=die, change=change)

    @property
    def do(self) -> str:
        return PlayItem.do

    def plain(self) -> dict[str, Any]:
        return {**self.head(), "item": self.item, "charms": plain(self.choices)}


@dataclass(frozen=True)
class Placements(Offer):
    """Counters from the rack onto the map: creatures while there is room, one special income counter a hex (8.2)."""

    kind: ClassVar[str] = "place"
    creatures: tuple[str, ...]
    income: Mapping[str, tuple[str, ...]]  # tag -> the hexes that could take it
    room: Mapping[str, int]  # hex -> how many more creatures it takes
    least: int = 1
    most: int = 64
    ends: bool = False  # whatever is not placed now stays on the rack

    def __contains__(self, action: object) -> bool:
        if not isinstance(action, Place) or len(action.counters) != len(action.places):
            return False
        if not self.least <= len(action.counters) <= self.most or len(set(action.counters)) != len(action.counters):
            return False
        stacked: Tally[str] = Tally()
        taken: set[str] = set()
        for tag, place in zip(action.counters, action.places):
            if tag in self.income:
                if place not in self.income[tag] or place in taken:
                    return False
                taken.add(place)
            elif tag in self.creatures and place in self.room:
                stacked[place] += 1
            else:
                return False
        return all(count <= self.room[place] for place, count in stacked.items())

    def sample(self, chance: Chance) -> Action:
        tags = [*self.creatures, *(tag for tag, places in self.income.items() if places)]
        picked: list[str] = []
        places: list[str] = []
        room, taken = dict(self.room), set[str]()
        for tag in some_of(chance, tags, self.least, min(self.most, len(tags))):
            free = [p for p in self.income.get(tag, ()) if p not in taken]
            if tag not in self.income:
                free = [p for p, left in room.items() if left > 0]
            if not free:
                continue
            place = one_of(chance, free)
            taken.add(place) if tag in self.income else room.update({place: room[place] - 1})
            picked.append(tag)
            places.append(place)
        if not picked and self.least:
            picked, places = self.first_placement()
        return Place(tuple(picked), tuple(places))

    def first_placement(self) -> tuple[list[str], list[str]]:
        for tag, places in self.income.items():
            if places:
                return [tag], [places[0]]
        return [self.creatures[0]], [next(place for place, left in self.room.items() if left > 0)]

    @property
    def is_empty(self) -> bool:
        some_room = any(left > 0 for left in self.room.values())
        return not (self.creatures and some_room) and not any(self.income.values())

    @property
    def do(self) -> str:
        return Place.do

    def plain(self) -> dict[str, Any]:
        limits = {"least": self.least, "most": self.most, "room": plain(dict(self.room))}
        what = {"creatures": list(self.creatures), "income": plain(dict(self.income))}
        return {**self.head(), **what, **limits}


@dataclass(frozen=True)
class Attempts(Offer):
    """A hero to be won, and gold before the roll in fives (6.2, X23)."""

    kind: ClassVar[str] = "recruit"
    heroes: tuple[str, ...]
    most_gold: int
    wanted: Mapping[str, int] = field(default_factory=dict)  # hero -> what two dice must reach
    step: int = 5  # gold that adds one to the roll

    def __contains__(self, action: object) -> bool:
        return (
            isinstance(action, Recruit)
            and action.hero in self.heroes
            and 0 <= action.gold <= self.most_gold
            and action.gold % self.step == 0
        )

    def sample(self, chance: Chance) -> Action:
        return Recruit(one_of(chance, self.heroes), 5 * chance.pick("gold", min(self.most_gold, 20) // 5 + 1))

    def needs(self, action: Recruit) -> int:
        """What two dice must show after the gold."""
        return self.wanted[action.hero] - action.gold // self.step

    @property
    def do(self) -> str:
        return Recruit.do

    def plain(self) -> dict[str, Any]:
        limits = {"most_gold": self.most_gold, "wanted": plain(dict(self.wanted)), "step": self.step}
        return {**self.head(), "heroes": list(self.heroes), **limits}


@dataclass(frozen=True)
class Draws(Offer):
    """Paid draws and traded counters, announced together (7, T4)."""

    kind: ClassVar[str] = "draw"
    free: int
    most_paid: int
    tradable: tuple[str, ...]
    most_traded: int
    price: int = 5  # of a paid draw

    def __contains__(self, action: object) -> bool:
        return (
            isinstance(action, Draw)
            and 0 <= action.paid <= self.most_paid
            and len(action.traded) % 2 == 0
            and len(action.traded) <= self.most_traded
            and len(set(action.traded)) == len(action.traded)
            and set(action.traded) <= set(self.tradable)
        )

    def sample(self, chance: Chance) -> Action:
        traded = some_of(chance, self.tradable, 0, self.most_traded)
        if len(traded) % 2:
            traded = traded[1:]
        return Draw(chance.pick("paid", self.most_paid + 1), traded)

    @property
    def only(self) -> Action | None:
        return None if self.most_paid or self.most_traded else Draw()

    @property
    def do(self) -> str:
        return Draw.do

    def plain(self) -> dict[str, Any]:
        limits = {"free": self.free, "most_paid": self.most_paid, "most_traded": self.most_traded, "price": self.price}
        return {**self.head(), "tradable": list(self.tradable), **limits}

    def drawn(self, action: Draw) -> int:
        """How many Things that brings."""
        return self.free + action.paid + len(action.traded) // 2


@dataclass(frozen=True)
class LossLists(Offer):
    """Hits or losses given out in order; whoever can take several may be named that often (11.51).

    Nothing is lost beyond what is owed: a list with a loss too many is refused, however it came about.
    """

    kind: ClassVar[str] = "lose"
    targets: Mapping[str, int]
    count: int
    first: tuple[str, ...] = ()  # these must be used up before any other is named (X21)
    whole: tuple[str, ...] = ()  # gone when named at all, so named as often as they can pay (X9)
    enough: tuple[str, ...] = ()  # all of these, and nothing else, will do as well (Dark Plague)

    def __contains__(self, action: object) -> bool:
        return isinstance(action, Lose) and not self.why_not(action)

    def why_not(self, action: Lose) -> str:
        """The code of the reason against a list; empty if it will do."""
        named = Tally(action.counters)
        if self.enough and set(self.enough) <= set(named):
            return "" if len(action.counters) == len(self.enough) else "enough_lost"
        wrong = "wrong_or_all" if self.enough else "wrong_losses"
        if any(times > self.targets.get(tag, 0) for tag, times in named.items()):
            return wrong
        if any(tag not in self.first for tag in named) and any(named[tag] < self.targets[tag] for tag in self.first):
            return "living_first"
        if len(action.counters) != self.count:
            return wrong
        if any(0 < named[tag] < self.targets[tag] for tag in self.whole):
            return "pays_in_full"
        return ""

    def by_preference(self, ranked: Iterable[str]) -> Lose:
        """What is lost when these are given up in this order, as far as the rules let it."""
        picked: list[str] = []
        for tag in sorted(ranked, key=lambda tag: tag not in self.first):
            left = self.count - len(picked)
            if left and tag in self.whole:
                # It pays more than is left to pay: that much less is taken from what was named before it.
                kept = [each for each in picked if each in self.first]
                rest = [each for each in picked if each not in self.first]
                picked = [*kept, *rest[: self.count - len(kept) - self.targets[tag]], *[tag] * self.targets[tag]]
            else:
                picked += [tag] * min(left, self.targets[tag])
        if self.enough and set(self.enough) <= set(picked):
            return Lose(self.enough)
        return Lose(tuple(picked))

    def sample(self, chance: Chance) -> Action:
        """Any order of preference; with `enough`, half of the time all of these."""
        if self.enough and (len(self.targets) == len(self.enough) or chance.pick("all of them", 2)):
            return Lose(self.enough)
        tags = list(self.targets)
        ranked = [tags.pop(chance.pick("sample", len(tags))) for _ in range(len(tags))]
        if self.enough:  # one of them must stay
            spared = next(tag for tag in reversed(ranked) if tag in self.enough)
            ranked = [*(tag for tag in ranked if tag != spared), spared]
        picked = list(self.by_preference(ranked).counters)
        return Lose(tuple(picked.pop(chance.pick("order", len(picked))) for _ in range(len(picked))))

    @property
    def only(self) -> Action | None:
        """Where one alone can pay, it pays all; any order of several is an answer of its own."""
        return self.by_preference(self.targets) if len(self.targets) == 1 else None

    @property
    def do(self) -> str:
        return Lose.do

    @property
    def least(self) -> int:
        return min(self.count, len(self.enough)) if self.enough else self.count

    def plain(self) -> dict[str, Any]:
        limits = {"targets": plain(dict(self.targets)), "count": self.count, "least": self.least}
        rules = {"first": list(self.first), "whole": list(self.whole), "enough": list(self.enough)}
        return {**self.head(), **limits, **rules}


@dataclass(frozen=True)
class Retreats(Offer):
    """Where the force may go, and where the Balloon (11.6, X17)."""

    kind: ClassVar[str] = "retreat"
    places: tuple[str, ...]  # for those on foot; empty when all are in the Balloon
    balloon: tuple[str, ...]  # for those in the Balloon; empty when there is none
    walkers: tuple[str, ...] = ()
    riders: tuple[str, ...] = ()  # those in the Balloon

    def __contains__(self, action: object) -> bool:
        return isinstance(action, Retreat) and not self.why_not(action)

    def why_not(self, action: Retreat) -> str:
        """The code of the reason against a retreat; empty if it may be done."""
        foot = action.to in self.places if action.to else not self.walkers or not self.places or bool(action.balloon)
        air = action.balloon in self.balloon if action.balloon else not self.balloon
        if not (action.to or action.balloon) or not foot or not air:
            return "no_retreat_there"
        going = (*(self.walkers if action.to else ()), *(self.riders if action.balloon else ()))
        return "whole_force" if action.counters and Tally(action.counters) != Tally(going) else ""

    def sample(self, chance: Chance) -> Action:
        to = one_of(chance, self.places) if self.places else ""
        return Retreat(to, one_of(chance, self.balloon) if self.balloon else "")

    @property
    def only(self) -> Action | None:
        """On foot or in the Balloon, one way; where both can go, those on foot may also stay."""
        ways = (*self.places, *self.balloon)
        if len(ways) != 1:
            return None
        return Retreat(balloon=ways[0]) if self.balloon else Retreat(ways[0])

    @property
    def do(self) -> str:
        return Retreat.do

    def plain(self) -> dict[str, Any]:
        return {
            **self.head(),
            "places": list(self.places),
            "balloon": list(self.balloon),
        }


@dataclass(frozen=True)
class Ascents(Offer):
    """The Balloon: one to three of a hex to a land hex within three (P6, X17)."""

    kind: ClassVar[str] = "ascend"
    item: str
    passengers: Mapping[str, tuple[str, ...]]  # hex -> who there may board
    targets: Mapping[str, tuple[str, ...]]  # hex -> land within three
    room: Mapping[str, int] = field(default_factory=dict)

    def __contains__(self, action: object) -> bool:
        if not isinstance(action, Ascend) or action.item != self.item or not 1 <= len(action.counters) <= 3:
            return False
        if len(set(action.counters)) != len(action.counters):
            return False
        start = next((p for p, tags in self.passengers.items() if action.counters[0] in tags), None)
        return (
            start is not None
            and set(action.counters) <= set(self.passengers[start])
            and action.to in self.targets[start]
            and self.room[action.to] >= len(action.counters)
        )

    def sample(self, chance: Chance) -> Action:
        start = one_of(chance, sorted(self.passengers))
        to = one_of(chance, self.targets[start])
        most = min(3, self.room[to])
        return Ascend(self.item, some_of(chance, self.passengers[start], 1, most), to)

    @property
    def do(self) -> str:
        return Ascend.do

    def plain(self) -> dict[str, Any]:
        who = {"item": self.item, "passengers": plain(dict(self.passengers)), "targets": plain(dict(self.targets))}
        return {**self.head(), **who, "room": plain(dict(self.room))}


@dataclass(frozen=True)
class Bribes(Offer):
    """Any of the defenders, as far as the gold goes; nobody means to fight (10.21)."""

    kind: ClassVar[str] = "bribe"
    prices: Mapping[str, int]
    gold: int

    def __contains__(self, action: object) -> bool:
        return (
            isinstance(action, Bribe)
            and len(set(action.counters)) == len(action.counters)
            and set(action.counters) <= set(self.prices)
            and sum(self.prices[tag] for tag in action.counters) <= self.gold
        )

    def sample(self, chance: Chance) -> Action:
        gold, taken = self.gold, []
        for tag in some_of(chance, sorted(self.prices), 0, len(self.prices)):
            if self.prices[tag] <= gold:
                gold -= self.prices[tag]
                taken.append(tag)
        return Bribe(tuple(taken))

    @property
    def only(self) -> Action | None:
        """Nobody takes less than there is: fight."""
        return Bribe() if all(price > self.gold for price in self.prices.values()) else None

    @property
    def do(self) -> str:
        return Bribe.do

    def plain(self) -> dict[str, Any]:
        return {**self.head(), "prices": plain(dict(self.prices)), "gold": self.gold}


@dataclass(frozen=True)
class Defections(Offer):
    """A hero of the pool, with a player to roll for it, or of another player."""

    kind: ClassVar[str] = "defection"
    event: str
    pool: tuple[str, ...]
    rollers: tuple[str, ...]
    owned: tuple[str, ...]

    def __contains__(self, action: object) -> bool:
        if not isinstance(action, PlayEvent) or action.event != self.event:
            return False
        if action.target in self.pool:
            return action.caster in self.rollers
        return action.target in self.owned and action.caster == ""

    def sample(self, chance: Chance) -> Action:
        target = one_of(chance, (*self.pool, *self.owned))
        return PlayEvent(self.event, target, one_of(chance, self.rollers) if target in self.pool else "")

    @property
    def do(self) -> str:
        return PlayEvent.do

    def plain(self) -> dict[str, Any]:
        who = {"event": self.event, "pool": list(self.pool), "rollers": list(self.rollers), "owned": list(self.owned)}
        return {**self.head(), **who}


@dataclass(frozen=True)
class Spells(Offer):
    """A creature that uses magic, and a hex within its reach."""

    kind: ClassVar[str] = "spell"
    event: str
    reach: Mapping[str, tuple[str, ...]]  # caster -> hexes

    def __contains__(self, action: object) -> bool:
        return (
            isinstance(action, PlayEvent)
            and action.event == self.event
            and action.target in self.reach.get(action.caster, ())
        )

    def sample(self, chance: Chance) -> Action:
        caster = one_of(chance, sorted(self.reach))
        return PlayEvent(self.event, one_of(chance, self.reach[caster]), caster)

    @property
    def do(self) -> str:
        return PlayEvent.do

    def plain(self) -> dict[str, Any]:
        return {**self.head(), "event": self.event, "reach": plain(dict(self.reach))}
