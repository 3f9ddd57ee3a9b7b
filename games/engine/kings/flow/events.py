"""Random events: one a player and turn, and the procedures they set off (14)."""

from __future__ import annotations

from collections import Counter as Tally
from dataclasses import dataclass, field
from typing import Any, ClassVar

from ...core.events import EVERYONE
from ...core.offers import Exactly, Offer, OneOf
from ..actions import Choose, Done, Lose, PlayEvent
from ..battle import FORT, worth
from ..catalogue import CITADEL, FORTS, SEA
from ..events import (
    Defected,
    DefectionFailed,
    DisasterMissed,
    DisasterStrikes,
    EventPlayed,
    Harmless,
    HexChanged,
    LostCounters,
    LostTown,
    LostWalls,
    Vandalized,
)
from ..income import income_counter
from ..no_choice import NoChoice, NoEventToPlay
from ..offers import LossLists
from ..orders import ASK, order
from ..stacks import army, settlement
from ..state import KingsState
from .base import InTurn, KingsFrame, Offers, OnesPart, Together
from .march import Escape
from .place import Deploy, FledHeroes
from .recruit import StationHero
from .roll import Roll, Window


@dataclass
class RandomEvents(InTurn):
    """Each player may play one event from their rack (14, T7)."""

    rule: ClassVar[str] = "14"

    def turn_of(self, state: KingsState, seat: int) -> None:
        if state.rack(seat):
            state.call(EventChoice(seat=seat))


@dataclass
class EventChoice(OnesPart):
    """Asks everybody whose rack is not empty, so that being asked tells nothing (R2)."""

    rule: ClassVar[str] = "14"
    asking: ClassVar[str] = "event"

    def offers(self, state: KingsState) -> Offers:
        from ..powers.events import EVENTS

        if self.next or not state.rack(self.seat) or order(state, self.seat, "events") != ASK:
            return {}
        found: list[Offer] = []
        for number in state.rack(self.seat):
            counter = state.counters[number]
            if counter.kind in EVENTS:
                found += EVENTS[counter.kind].offers(state, self.seat, counter.tag)
        return {self.seat: [*found, Exactly(Done())]}

    def why_no_choice(self, state: KingsState, seat: int) -> NoChoice | None:
        return None if self.answers or order(state, seat, "events") != ASK else NoEventToPlay()

    def on_done(self, state: KingsState, seat: int, action: Done) -> None:
        self.next = "done"

    def on_play_event(self, state: KingsState, seat: int, action: PlayEvent) -> None:
        from ..powers.events import EVENTS

        number = state.tags[action.event]
        power = EVENTS[state.counters[number].kind]
        state.tell(EventPlayed(seat, state.kind(number).name), to=EVERYONE)
        state.use_up(number)
        self.leave(state)
        power.play(state, seat, action)


# ---- losses from a hex

LOSSES_AFTER = {"teeniepox": "teeniepox", "losses": "terrain_disaster"}  # what dice were thrown for -> the event


def walls_of(state: KingsState, seat: int, place: str, city_pays: int) -> dict[str, int]:
    """What forts, cities and villages of a seat can pay in a hex; a citadel never does (P3, X9)."""
    here = state.hexes[place]
    found: dict[str, int] = {}
    if here.owner == seat:
        if here.fort and here.fort != CITADEL:
            found[FORT] = here.fort
        town = settlement(state, place)
        if town is not None:
            found[state.counters[town].tag] = min(city_pays, state.kind(town).value)
    return found


def pay_losses(state: KingsState, seat: int, place: str, losses: tuple[str, ...]) -> None:
    """Counters go unseen (X2); forts sink by a level each, a city or village that pays is gone."""
    named = Tally(losses)
    gone = 0
    for tag, times in named.items():
        if tag == FORT:
            level = state.hexes[place].fort
            state.lower_fort(place, times)
            state.tell(LostWalls(seat, FORTS[level], times, place), to=EVERYONE)
        else:
            number = state.tags[tag]
            if state.kind(number).sort == "income":
                state.tell(LostTown(seat, state.kind(number).name.lower(), place), to=EVERYONE)
                state.to_cup(number)
            else:
                gone += 1
                state.eliminate(number)
    if gone:
        state.tell(LostCounters(seat, gone, place), to=EVERYONE)


def weakest_first(state: KingsState, tags: list[str]) -> list[str]:
    """The order in which the standing order "give up the weakest" pays."""

    def rank(tag: str) -> tuple[int, int, str]:
        if tag == FORT:
            return (1, 0, tag)
        number = state.tags[tag]
        is_town = state.kind(number).sort == "income"
        return (2 if is_town else 0, worth(state, number), tag)

    return sorted(tags, key=rank)


@dataclass
class HexLosses(KingsFrame):
    """So many counters from one hex: creatures and heroes first, walls for the shortfall (X21)."""

    rule: ClassVar[str] = "X21"
    asking: ClassVar[str] = "event_losses"
    seat: int = 0
    place: str = ""
    count: int = 0
    steps: ClassVar[tuple[str, ...]] = ("by_order", "fled")

    def offer(self, state: KingsState) -> LossLists:
        """Walls can be named only if creatures and heroes are too few; a city pays all it can of the rest (X9)."""
        living = dict.fromkeys(state.tags_of(army(state, self.seat, self.place)), 1)
        short = self.count - len(living)
        if short <= 0:
            return LossLists(living, self.count)
        walls = walls_of(state, self.seat, self.place, city_pays=min(2, short))
        targets = {**living, **walls}
        towns = tuple(tag for tag in walls if tag != FORT)
        return LossLists(targets, min(self.count, sum(targets.values())), first=tuple(living), whole=towns)

    def offers(self, state: KingsState) -> Offers:
        if self.next or order(state, self.seat, "losses") != ASK:
            return {}
        offer = self.offer(state)
        if offer.count == sum(offer.targets.values()):
            return {}  # everything goes
        return {self.seat: [offer]}

    def on_lose(self, state: KingsState, seat: int, action: Lose) -> None:
        self.next = "fled"
        pay_losses(state, seat, self.place, action.counters)

    def by_order(self, state: KingsState) -> None:
        offer = self.offer(state)
        losses = offer.by_preference(weakest_first(state, list(offer.targets)))
        pay_losses(state, self.seat, self.place, losses.counters)

    def fled(self, state: KingsState) -> None:
        self.leave(state)
        state.call(FledHeroes())

    def shown(self, state: KingsState) -> dict[str, Any]:
        """Which event takes how many, and where; it is the one the last dice were thrown for."""
        event = LOSSES_AFTER.get(state.extras["rolled"][0], "") if state.extras["rolled"] else ""
        return {"seat": self.seat, "place": self.place, "count": self.offer(state).count, "event": event}


# ---- the events that take more than a moment


@dataclass
class Teeniepox(KingsFrame):
    """One player rolls: 2 to 5 is what their largest stack loses (pull-out)."""

    rule: ClassVar[str] = "14"
    asking: ClassVar[str] = "which_stack"
    by: int = 0
    seat: int = 0
    faces: list[list[int]] = field(default_factory=list)
    spared: list[int] = field(default_factory=list)
    place: str = ""
    steps: ClassVar[tuple[str, ...]] = ("roll", "cure", "find", "suffer")

    def roll(self, state: KingsState) -> None:
        pair = [self.seat, self.by]
        state.call(Roll(why="teeniepox", throwers=[self.seat], counts=[1], parties=pair), into="faces")

    def cure(self, state: KingsState) -> None:
        if self.faces[0][0] in (1, 6) or not self.largest(state):
            state.tell(Harmless(), to=EVERYONE)
            self.leave(state)
            return
        state.call(Window(trigger="pox", by=self.by, parties=[self.seat], asked=[self.seat]))

    def find(self, state: KingsState) -> None:
        if self.seat in self.spared:
            self.leave(state)

    def size(self, state: KingsState, place: str) -> int:
        """Creatures and heroes count one each, forts, cities and villages their value."""
        here = state.hexes[place]
        count = len(army(state, self.seat, place))
        if here.owner == self.seat:
            town = settlement(state, place)
            count += here.fort + (state.kind(town).value if town is not None else 0)
        return count

    def largest(self, state: KingsState) -> list[str]:
        sizes = {place: self.size(state, place) for place in state.hexes}
        most = max(sizes.values())
        return [place for place, size in sizes.items() if size == most] if most else []

    def offers(self, state: KingsState) -> Offers:
        if self.next != "suffer" or self.place:
            return {}
        stacks = self.largest(state)
        return {self.seat: [OneOf(Choose, "what", tuple(stacks))]} if len(stacks) > 1 else {}

    def on_choose(self, state: KingsState, seat: int, action: Choose) -> None:
        self.place = action.what

    def suffer(self, state: KingsState) -> None:
        place = self.place or self.largest(state)[0]
        count = self.faces[0][0]
        self.leave(state)
        state.call(HexLosses(seat=self.seat, place=place, count=count))

    def shown(self, state: KingsState) -> dict[str, Any]:
        """Who falls ill, and, once the die has said so, how many would be lost from which of their stacks."""
        told = {"seat": self.seat, "by": self.by}
        if not self.faces:
            return told
        return {**told, "count": self.faces[0][0], "places": [self.place] if self.place else self.largest(state)}


@dataclass
class TerrainDisaster(KingsFrame):
    """Point at hexes of one terrain, one after the other, until a 6, 7 or 8 comes up (pull-out)."""

    rule: ClassVar[str] = "14"
    asking: ClassVar[str] = "disaster"
    seat: int = 0
    terrain: str = ""
    place: str = ""
    pointed: list[str] = field(default_factory=list)
    totals: list[int] = field(default_factory=list)
    faces: list[list[int]] = field(default_factory=list)
    steps: ClassVar[tuple[str, ...]] = ("roll", "see", "again", "roll_losses", "suffer")

    def roll(self, state: KingsState) -> None:
        self.pointed = [*self.pointed, self.place]
        owner = state.hexes[self.place].owner
        parties = sorted({self.seat, *([owner] if owner is not None else [])})
        state.call(Roll(why="disaster", throwers=[self.seat], counts=[2], added=True, parties=parties), into="totals")

    def see(self, state: KingsState) -> None:
        if 6 <= self.totals[0] <= 8:
            state.tell(DisasterStrikes(self.place), to=EVERYONE)
            self.next = "roll_losses"
            return
        state.tell(DisasterMissed(self.place), to=EVERYONE)
        if not self.left(state):
            self.leave(state)

    def left(self, state: KingsState) -> list[str]:
        return [p for p, each in state.hexes.items() if each.terrain == self.terrain and p not in self.pointed]

    def offers(self, state: KingsState) -> Offers:
        if self.next != "again" or len(self.left(state)) < 2:
            return {}
        return {self.seat: [OneOf(Choose, "what", tuple(self.left(state)))]}

    def on_choose(self, state: KingsState, seat: int, action: Choose) -> None:
        self.place = action.what
        self.next = "roll"

    def again(self, state: KingsState) -> None:
        self.place = self.left(state)[0]
        self.next = "roll"

    def roll_losses(self, state: KingsState) -> None:
        """Nobody suffers in an unowned hex (P3)."""
        owner = state.hexes[self.place].owner
        if owner is None:
            self.leave(state)
            return
        state.call(Roll(why="losses", throwers=[owner], counts=[1], parties=[owner, self.seat]), into="faces")

    def suffer(self, state: KingsState) -> None:
        owner = state.hexes[self.place].owner
        count = self.faces[0][0] if self.faces else 1
        self.leave(state)
        if count in (1, 6):
            state.tell(Harmless(), to=EVERYONE)
        elif owner is not None:
            state.call(HexLosses(seat=owner, place=self.place, count=count))

    def shown(self, state: KingsState) -> dict[str, Any]:
        return {"place": self.place, "seat": self.seat, "terrain": self.terrain}


@dataclass
class DarkPlague(Together):
    """In each hex its owner loses as many creatures as forts, cities and villages there are worth (pull-out)."""

    rule: ClassVar[str] = "14"
    asking: ClassVar[str] = "plague_losses"
    by: int = 0
    spared: list[int] = field(default_factory=list)
    hexes: dict[str, list[str]] = field(default_factory=dict)  # by seat: what it has still to answer for
    steps: ClassVar[tuple[str, ...]] = ("cure", "find", "settle")

    def cure(self, state: KingsState) -> None:
        hit = [seat for seat in state.order if self.hexes_hit(state, seat)]
        if hit:
            state.call(Window(trigger="plague", by=self.by, parties=hit, asked=hit))

    def creatures(self, state: KingsState, seat: int, place: str) -> list[int]:
        """Heroes are never lost to the Plague (X9)."""
        return [n for n in army(state, seat, place) if state.kind(n).sort == "creature"]

    def toll(self, state: KingsState, place: str) -> int:
        town = settlement(state, place)
        return state.hexes[place].fort + (state.kind(town).value if town is not None else 0)

    def hexes_hit(self, state: KingsState, seat: int) -> list[str]:
        return [p for p in state.owned(seat) if self.toll(state, p) and self.creatures(state, seat, p)]

    def find(self, state: KingsState) -> None:
        for seat in state.order:
            if seat not in self.spared:
                self.hexes = {**self.hexes, str(seat): self.hexes_hit(state, seat)}
        for seat in state.order:
            self.answer_what_is_clear(state, seat)

    def offer(self, state: KingsState, seat: int, place: str) -> LossLists:
        """As many as the toll, of creatures and walls; or, where they are fewer, all creatures and nothing else."""
        creatures = state.tags_of(self.creatures(state, seat, place))
        walls = walls_of(state, seat, place, city_pays=1)
        toll = self.toll(state, place)
        if toll <= len(creatures):
            return LossLists({**dict.fromkeys(creatures, 1), **walls}, toll)
        saves_one = sum(walls.values()) + len(creatures) - 1 >= toll
        targets = {**dict.fromkeys(creatures, 1), **(walls if saves_one else {})}
        return LossLists(targets, toll, enough=creatures)

    def is_clear(self, state: KingsState, seat: int, place: str) -> bool:
        """Whether a standing order answers, or nothing can pay but creatures, all of whom must go.

        Beside a city or village its owner is asked, since it could be taken back first, which lowers the toll (T2).
        """
        creatures = len(self.creatures(state, seat, place))
        only_creatures = not walls_of(state, seat, place, city_pays=1)
        return order(state, seat, "losses") != ASK or only_creatures and self.toll(state, place) >= creatures

    def answer_what_is_clear(self, state: KingsState, seat: int) -> None:
        """The rest is asked, hex by hex."""
        still_hit = self.hexes_hit(state, seat)
        waiting = [place for place in self.hexes.get(str(seat), []) if place in still_hit]
        while waiting and self.is_clear(state, seat, waiting[0]):
            creatures = state.tags_of(self.creatures(state, seat, waiting[0]))
            cheap = weakest_first(state, list(creatures))[: self.toll(state, waiting[0])]
            pay_losses(state, seat, waiting[0], tuple(cheap))
            waiting = waiting[1:]
        self.hexes = {**self.hexes, str(seat): waiting}
        self.pending = [s for s in state.order if self.hexes.get(str(s))]

    def reconsider(self, state: KingsState) -> None:
        """Special income has been taken back, and less is owed."""
        for seat in state.order:
            self.answer_what_is_clear(state, seat)

    def offers_to(self, state: KingsState, seat: int) -> list[Offer]:
        return [self.offer(state, seat, self.hexes[str(seat)][0])]

    def question(self, state: KingsState, seat: int) -> str:
        return str(len(self.hexes[str(seat)]))

    def has_more_beside(self, state: KingsState, seat: int) -> bool:
        """A city or village could be taken back first, which lowers the toll (T2)."""
        return settlement(state, self.hexes[str(seat)][0]) is not None

    def on_lose(self, state: KingsState, seat: int, action: Lose) -> None:
        place, *rest = self.hexes[str(seat)]
        pay_losses(state, seat, place, action.counters)
        self.hexes = {**self.hexes, str(seat): rest}
        self.answer_what_is_clear(state, seat)

    def settle(self, state: KingsState) -> None:
        self.leave(state)

    def forget(self, state: KingsState, seat: int) -> None:
        super().forget(state, seat)
        self.hexes = {key: places for key, places in self.hexes.items() if key != str(seat)}

    def shown(self, state: KingsState) -> dict[str, Any]:
        """Where each is asked now, and for how many."""
        asked = {seat: places[0] for seat, places in self.hexes.items() if places}
        counts = {seat: self.offer(state, int(seat), place).count for seat, place in asked.items()}
        return {"hexes": {seat: places[:1] for seat, places in self.hexes.items()}, "counts": counts}


@dataclass
class Defection(KingsFrame):
    """A hero changes sides if the caller's two dice beat those of the hero's player, or of who rolls for the pool."""

    rule: ClassVar[str] = "14"
    seat: int = 0
    other: int = 0
    hero: int = 0
    totals: list[int] = field(default_factory=list)
    steps: ClassVar[tuple[str, ...]] = ("roll", "settle")

    def roll(self, state: KingsState) -> None:
        pair = [self.seat, self.other]
        state.call(Roll(why="defection", throwers=pair, counts=[2, 2], added=True, parties=pair), into="totals")

    def settle(self, state: KingsState) -> None:
        self.leave(state)
        name = state.kind(self.hero).name
        if self.totals[0] > self.totals[1]:
            state.tell(Defected(self.seat, name, state.counters[self.hero].owner), to=EVERYONE)
            state.call(StationHero(seat=self.seat, hero=self.hero))
        else:
            state.tell(DefectionFailed(self.seat, name), to=EVERYONE)

    def abandoned_by(self, state: KingsState, seat: int) -> bool:
        return seat in (self.seat, self.other)


@dataclass
class Vandals(KingsFrame):
    """One player loses a level of one fort, of their choice; never a citadel (pull-out)."""

    rule: ClassVar[str] = "14"
    asking: ClassVar[str] = "vandals"
    seat: int = 0
    steps: ClassVar[tuple[str, ...]] = ("only_one",)

    def forts(self, state: KingsState) -> list[str]:
        return [p for p in state.owned(self.seat) if 0 < state.hexes[p].fort < CITADEL]

    def offers(self, state: KingsState) -> Offers:
        forts = self.forts(state)
        if self.next or len(forts) < 2 or order(state, self.seat, "losses") != ASK:
            return {}
        return {self.seat: [OneOf(Choose, "what", tuple(forts))]}

    def on_choose(self, state: KingsState, seat: int, action: Choose) -> None:
        self.next = "done"
        self.wreck(state, action.what)

    def only_one(self, state: KingsState) -> None:
        """The only one there is, or by the player's order the lowest (R3)."""
        forts = self.forts(state)
        if forts:
            self.wreck(state, min(forts, key=lambda place: state.hexes[place].fort))

    def wreck(self, state: KingsState, place: str) -> None:
        level = state.hexes[place].fort
        state.lower_fort(place)
        state.tell(Vandalized(self.seat, FORTS[level], place), to=EVERYONE)

    def shown(self, state: KingsState) -> dict[str, Any]:
        return {"seat": self.seat}


@dataclass
class BigJuju(KingsFrame):
    """A hex becomes another terrain (pull-out, P4, X19)."""

    rule: ClassVar[str] = "14"
    asking: ClassVar[str] = "which_terrain"
    seat: int = 0
    place: str = ""
    steps: ClassVar[tuple[str, ...]] = ("draw", "sink")

    def offers(self, state: KingsState) -> Offers:
        """One's own hex becomes what one likes; the deck is looked through for it."""
        if self.next or state.hexes[self.place].owner != self.seat:
            return {}
        here = state.hexes[self.place].terrain
        choices = tuple(sorted({terrain for terrain in state.extras["deck"] if terrain != here}))
        return {self.seat: [OneOf(Choose, "what", choices)]}

    def on_choose(self, state: KingsState, seat: int, action: Choose) -> None:
        self.change(state, action.what)
        self.next = "sink"

    def draw(self, state: KingsState) -> None:
        """Another's hex, or nobody's, becomes what the shuffled deck gives; its own terrain is drawn again."""
        here = state.hexes[self.place].terrain
        others = [terrain for terrain in state.extras["deck"] if terrain != here]
        self.change(state, others[state.dice.pick("juju", len(others))])

    def change(self, state: KingsState, terrain: str) -> None:
        was = state.hexes[self.place].terrain
        deck = list(state.extras["deck"])
        deck.remove(terrain)
        state.extras["deck"] = sorted([*deck, was])
        state.change_hex(self.place, terrain=terrain)
        state.tell(HexChanged(self.place, was, terrain), to=EVERYONE)
        counter = income_counter(state, self.place)
        if counter is not None and (terrain == SEA or state.kind(counter).terrain not in ("any", terrain)):
            state.to_cup(counter)

    def sink(self, state: KingsState) -> None:
        here = state.hexes[self.place]
        self.leave(state)
        if here.terrain != SEA:
            if here.owner is not None and state.rack(here.owner):
                state.call(Deploy(seat=here.owner, hexes=[self.place]))
            return
        state.change_hex(self.place, owner=None, fort=0, damage=0)
        for number in state.of(None, self.place):
            state.to_cup(number)
        state.call(FledHeroes())
        for seat in reversed(state.order):
            counters = army(state, seat, self.place)
            if counters:
                state.call(Escape(seat=seat, place=self.place, counters=counters))


def disaster_at(seat: int, place: str, terrain: str) -> TerrainDisaster:
    return TerrainDisaster(seat=seat, place=place, terrain=terrain)
