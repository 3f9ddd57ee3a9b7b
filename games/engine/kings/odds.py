"""Odds of battles and explorations, worked out from a View: from what one seat knows, never from the truth.

A View says what is fought for (`prospects`), and `reckon` how it may end: exactly where two sides know all of each
other, else by trying it some hundred times. Chance comes in by the door, as a function that gives numbers from 0 up to
1, so that the same View always leads to the same odds.

Left out, and told to the players: retreats, bribes, magic that has not been played, saving throws, the Warlord's call
and the Marksman's aim.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from ..core.memo import Memo
from ..core.view import Back, Face
from .battle import FORT, MAGIC, MELEE, RANGED, fort_step, is_clouded, step_and_dice, value_now, worth_of_kind
from .catalogue import KINDS, SEA, Kind
from .stacks import ARMY
from .state import WILD
from .terms import is_hit
from .view import HexView, KingsFace, KingsView, terrains_of

STEPS = (MAGIC, RANGED, MELEE)
TRIES = 240
MOST_ROUNDS = 30
SIXTH = 1 / 6
CHANCES = {need: min(max(need, 0), 6) * SIXTH for need in range(-1, 9)}  # of a die not to be above it
SIEGE = ("baron_munchausen", "grand_duke")

Chance = Callable[[], float]
T = TypeVar("T")


# ---- what is fought for, as records that can be compared


class Fighter(NamedTuple):
    """What rolls dice or takes hits on one side. In order: whoever is given up first comes first."""

    rank: int
    step: int
    need: int  # hits with this or less (11.41)
    dice: int = 1
    strength: int = 1  # hits it can take, each of which weakens it by one (11.52)
    is_lost: bool = True  # for good; walls stand again after the battle


class Force(NamedTuple):
    """One side: the fighters that are known, and how many more of those nobody has seen."""

    fighters: tuple[Fighter, ...]
    backs: int = 0
    unseen: tuple[Fighter, ...] = ()


class Fight(NamedTuple):
    """A battle from here on; the first force is the viewer's."""

    forces: tuple[Force, ...]
    hits: tuple[int, ...] = ()  # thrown and not yet taken, by force
    step: int = 0  # the step that comes next


class Found(NamedTuple):
    """What a Thing out of the cup means to whoever explores: somebody who fights, special income, or nothing."""

    fighter: Fighter | None = None
    gold: int = 0


class Exploration(NamedTuple):
    force: Force
    faces: tuple[int, ...]  # the die, or the faces it may show
    things: tuple[Found, ...]


@dataclass(frozen=True)
class Prospect:
    """One hex that the viewer may win or lose; `against` are the other sides."""

    place: str
    against: tuple[int, ...]
    event: Fight | Exploration
    own: int  # creatures and heroes that would fight
    backs: int = 0  # counters against them that the viewer has not seen


@dataclass(frozen=True)
class Odds:
    """How likely it is that the viewer is the only one left, and what that costs."""

    win: float
    lost: float  # own creatures and heroes, on average
    tries: int = 0  # none if this is exact
    free: float = 0.0  # an exploration that meets nobody who fights
    win_fight: float = 0.0  # of an exploration that does
    defenders: float = 0.0  # who fight then, on average


# ---- looking at one hex


@dataclass(frozen=True)
class Ground:
    """One hex as the viewer sees it, with the battle or exploration there if it has begun."""

    view: KingsView
    here: HexView
    counters: tuple[Face | Back, ...]
    doing: dict[str, Any]

    def of(self, side: int) -> list[KingsFace]:
        owner = None if side == WILD else side
        return [c for c in self.counters if c.owner == owner and isinstance(c, KingsFace)]

    def army(self, side: int) -> list[KingsFace]:
        """Creatures and heroes in sight; bluffs are turned away before the first die (B1)."""
        faces = self.of(side)
        everybody = side == WILD or self.view.options.get("bluffs") == "challenge"
        lands = {*terrains_of(self.view, side), *(KINDS[c.kind].lord_of for c in faces)}
        return [c for c in faces if fights_for(KINDS[c.kind], lands, everybody)]

    def backs(self, side: int) -> int:
        return sum(1 for c in self.counters if isinstance(c, Back) and c.owner == side)

    def has_army(self, side: int) -> bool:
        owner = None if side == WILD else side
        return any(c.owner == owner and (isinstance(c, Back) or KINDS[c.kind].sort in ARMY) for c in self.counters)

    def is_clouded(self, side: int) -> bool:
        return is_clouded(self.view.cloud, self.here, None if side == WILD else side)

    def town(self) -> KingsFace | None:
        return next((c for c in self.counters if isinstance(c, KingsFace) and is_town(KINDS[c.kind])), None)

    def strengths(self, hits: int = 0) -> tuple[int, int]:
        """The hits that fort and settlement can still take, after so many more on each."""
        town = self.town()
        left = KINDS[town.kind].value - town.hits if town else 0
        return max(0, self.here.fort - self.here.damage - hits), max(0, left - hits)

    def siege(self) -> int:
        """Hits on walls that heroes bring along, before the first round (C2)."""
        if self.doing.get("round"):
            return 0
        return sum(1 for c in self.counters if isinstance(c, Face) and c.kind in SIEGE and c.owner != self.here.owner)

    def has_walls(self, side: int) -> bool:
        return self.here.owner == (None if side == WILD else side) and any(self.strengths())

    def fights(self, side: int) -> bool:
        return self.has_army(side) or self.has_walls(side)


def fights_for(kind: Kind, lands: set[str], everybody: bool) -> bool:
    return kind.sort == "hero" or (kind.sort == "creature" and (everybody or kind.terrain in lands))


def is_town(kind: Kind) -> bool:
    return kind.sort == "income" and kind.value > 0


def force(ground: Ground, side: int) -> Force:
    known = [fighter(ground, side, face) for face in ground.army(side)]
    known += walls(ground, side)
    known += magic(ground, side)
    backs = ground.backs(side)
    unseen = strangers(ground.view.unseen, ground.is_clouded(side)) if backs else ()
    return Force(tuple(sorted(known)), backs, unseen)


def fighter(ground: Ground, side: int, face: KingsFace) -> Fighter:
    """A creature or hero in the step it fights in (11.31), with the Bow, the Sword or the Balloon it has."""
    kind = KINDS[face.kind]
    item = next((item for item, tag in ground.doing.get("held", {}).items() if tag == face.tag), "")
    dispelled = side in ground.doing.get("dispelled", ())
    step, dice = step_and_dice(kind, item, rides=rides(ground, face), is_dispelled=dispelled)
    return Fighter(worth_of_kind(kind), STEPS.index(step), face.value, dice)


def rides(ground: Ground, face: Face) -> bool:
    return face.tag in ground.view.balloon and any(
        c.kind == "balloon" for c in ground.counters if isinstance(c, Face) and c.owner == face.owner
    )


@lru_cache(maxsize=256)
def stranger(slug: str, clouded: bool = False) -> Fighter:
    """A creature of this kind of which nothing else is known."""
    kind = KINDS[slug]
    step, dice = step_and_dice(kind)
    return Fighter(worth_of_kind(kind), STEPS.index(step), value_now(kind.value, is_clouded=clouded), dice)


def walls(ground: Ground, side: int) -> Iterator[Fighter]:
    """Fort, city and village take hits first: they stand again after the battle (11.73)."""
    if not ground.has_walls(side):
        return
    clouded, (fort, town) = ground.is_clouded(side), ground.strengths(ground.siege())
    if fort:
        yield wall(-2, fort_step(ground.here.fort), fort, clouded)
    if town:
        yield wall(-1, MELEE, town, clouded)


def wall(rank: int, step: str, strength: int, clouded: bool = False) -> Fighter:
    return Fighter(rank, STEPS.index(step), value_now(strength, is_clouded=clouded), 1, strength, False)


def magic(ground: Ground, side: int) -> Iterator[Fighter]:
    """Items that fight in this battle. Firewall and Balloon hold no hex, so they are gone before the rest."""
    for face in ground.of(side):
        if face.kind == "golem":
            yield Fighter(worth_of_kind(KINDS["golem"]), STEPS.index(MELEE), face.value, is_lost=False)
        elif face.kind == "balloon" and side != WILD:
            yield wall(-3, RANGED, 1)._replace(need=face.value)
        elif face.kind == "firewall" and ground.doing.get("firewall"):
            yield wall(-4, MAGIC, ground.doing["firewall"], ground.is_clouded(side))


@lru_cache(maxsize=256)
def strangers(unseen: tuple[str, ...], clouded: bool) -> tuple[Fighter, ...]:
    """The creatures among what a viewer does not see."""
    return tuple(stranger(slug, clouded) for slug in unseen if KINDS[slug].sort == "creature")


@lru_cache(maxsize=256)
def things_for(unseen: tuple[str, ...], terrain: str) -> tuple[Found, ...]:
    """What a viewer does not see, as it would be found in a hex of this terrain."""
    return tuple(found_as(slug, terrain) for slug in unseen)


# ---- what the viewer takes part in


def prospects(view: KingsView) -> list[Prospect]:
    """What is being fought or explored, or will be in this Combat Phase, as far as this seat takes part in it."""
    # Games that began before there was this option have none, and show them.
    if view.seat is None or view.result is not None or are_hidden(view):
        return []
    # Fights come of marching: whoever marches wants to know, and all who take part when they are fought.
    if view.phase != "combat" and not (view.phase == "march" and view.seat in view.asked):
        return []
    now = view.under_way("battle", "explore")
    found = []
    for here in view.hexes:
        there = view.stacks.get(here.place, ())
        # A hex with one side in it is fought for only if it is nobody's yet.
        if not there or here.terrain in ("", SEA) or not any_of(view.seat, here, there):
            continue
        if here.owner != view.seat or any_other(view.seat, there):
            is_now = now.get("place") == here.place
            prospect = kept_prospect.of(
                Ground(view, here, there, now if is_now else {}),
                (here, there, view.lands, view.unseen, view.doing if is_now else ()),
                *(view.seat, len(view.seats), view.cloud, view.balloon, view.options.get("bluffs")),
            )
            if prospect is not None:
                found.append(prospect)
    return sorted(found, key=lambda each: each.place != now.get("place"))


def are_hidden(view: KingsView) -> bool:
    return bool(view.options.get("odds", "shown") != "shown")


def watched(view: KingsView) -> Prospect | None:
    """The battle under way as somebody sees it who has no part in it; the first attacker stands first."""
    doing = view.under_way("battle")
    if not doing or view.result is not None or are_hidden(view):
        return None
    sides = (*doing["attackers"], doing["defender"])
    ground = ground_at(view, doing["place"], doing)
    standing = tuple(side for side in sides if ground.fights(side))
    return battle(ground, standing[0], standing[1:]) if view.seat not in sides and len(standing) > 1 else None


def ground_at(view: KingsView, place: str, doing: dict[str, Any]) -> Ground:
    here = next(each for each in view.hexes if each.place == place)
    return Ground(view, here, tuple(view.stacks.get(place, ())), doing)


# ---- what it would be with what a player has picked


def if_gone(view: KingsView, tags: Sequence[str], hits: int = 0) -> Prospect | None:
    """The battle or exploration under way without these: bribed away, or given up for so many of the viewer's hits.

    A fort, city or village is named once for each hit that it takes."""
    doing = view.under_way("battle", "explore")
    if not doing or view.seat is None or are_hidden(view):
        return None
    ground = ground_at(view, doing["place"], doing)
    here = replace(ground.here, damage=ground.here.damage + tags.count(FORT))
    ground = replace(ground, here=here, counters=tuple(left_of(ground.counters, tags)))
    if not ground.fights(view.seat):
        return None
    found = battle(ground, view.seat, enemies(ground, view.seat))
    fight = found.event
    assert isinstance(fight, Fight)
    rest = (max(0, fight.hits[0] - hits), *fight.hits[1:]) if fight.hits else ()
    return replace(found, event=fight._replace(hits=rest))


def left_of(counters: Iterable[Face | Back], tags: Sequence[str]) -> Iterator[Face | Back]:
    for counter in counters:
        if isinstance(counter, KingsFace) and is_town(KINDS[counter.kind]) and counter.owner is not None:
            yield replace(counter, hits=counter.hits + tags.count(counter.tag))
        elif counter.tag not in tags:
            yield counter


def if_moved(view: KingsView, place: str, tags: Sequence[str]) -> Prospect | None:
    """What would be fought or explored in a hex if the viewer moved these there."""
    if view.seat is None or view.result is not None or are_hidden(view):
        return None
    ground = ground_at(view, place, {})
    if ground.here.terrain in ("", SEA):
        return None
    going = tuple(c for c in view.counters if c.tag in tags and c.place != place)
    ground = replace(ground, counters=(*ground.counters, *going))
    is_own = ground.here.owner == view.seat and not any_other(view.seat, ground.counters)
    return None if is_own else prospect_of(ground)


def is_quick(event: Fight | Exploration) -> bool:
    """Whether it is worked out within a few milliseconds: while somebody picks, no odds are better than late ones."""
    if isinstance(event, Exploration) or len(event.forces) < 2:
        return True
    if len(event.forces) > 2:
        return sum(len(force.fighters) + force.backs for force in event.forces) <= MOST_AT_ONCE
    mine, theirs = (sum(each.strength for each in force.fighters) + force.backs for force in event.forces)
    return mine * theirs <= MOST_DUELS


MOST_AT_ONCE, MOST_DUELS = 20, 170


def any_of(seat: int, here: HexView, counters: Iterable[Face | Back]) -> bool:
    """Whether a seat has land or counters here."""
    return here.owner == seat or any(c.owner == seat for c in counters)


def any_other(seat: int, counters: Iterable[Face | Back]) -> bool:
    """Whether anybody else, or the wild, has counters here."""
    return any(c.owner != seat for c in counters)


def prospect_of(ground: Ground) -> Prospect | None:
    seat = ground.view.seat
    assert seat is not None
    if not ground.fights(seat):
        return None
    against = enemies(ground, seat)
    if against:
        return battle(ground, seat, against)
    if ground.here.owner is None and ground.has_army(seat):
        return exploration(ground, seat)
    return None


kept_prospect = Memo(prospect_of, 256)


def enemies(ground: Ground, seat: int) -> tuple[int, ...]:
    """The other sides of the battle; before it, other players come first and wild defenders later (11.2, 10.4)."""
    if ground.doing.get("frame") == "battle":
        sides = [*ground.doing["attackers"], ground.doing["defender"]]
    else:
        sides = [each.number for each in ground.view.seats if each.number == seat or ground.fights(each.number)]
        if len(sides) > 1:
            return tuple(side for side in sides if side != seat)
        sides = [seat, WILD]
    return tuple(side for side in sides if side != seat and ground.fights(side)) if seat in sides else ()


def battle(ground: Ground, seat: int, against: tuple[int, ...]) -> Prospect:
    sides = (seat, *against)
    forces = tuple(force(ground, side) for side in sides)
    hits, step = under_way(ground, sides)
    own = sum(each.is_lost for each in forces[0].fighters)
    backs = sum(each.backs for each in forces[1:])
    return Prospect(ground.here.place, against, Fight(forces, hits, step), own, backs)


def under_way(ground: Ground, sides: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
    """Hits of this step that are thrown and not yet taken, and the step after it; else nothing and what comes next."""
    frames = {each["frame"]: each for each in ground.view.doing}
    strike = frames.get("strike")
    if strike is None or ground.doing.get("frame") != "battle":
        return (), 0
    now = STEPS.index(strike["step"])
    hits = {int(side): count for side, count in strike["hits"].items()}
    for side, aimed in strike["aimed"].items():
        hits[int(side)] = hits.get(int(side), 0) + len(aimed)
    if not hits and frames.get("roll", {}).get("why") == strike["step"]:
        hits = hits_thrown(ground, sides, frames["roll"])
    elif not hits:
        return (), now
    return tuple(hits.get(side, 0) for side in sides), now + 1


def hits_thrown(ground: Ground, sides: tuple[int, ...], roll: dict[str, Any]) -> dict[int, int]:
    """Dice that lie on the table and may still be answered, as they lie (11.41)."""
    found: dict[int, int] = defaultdict(int)
    targets = {int(side): target for side, target in ground.doing.get("targets", {}).items()}
    if len(sides) == 2:
        targets = {sides[0]: sides[1], sides[1]: sides[0]}
    for side, faces, needs in zip(roll["throwers"], roll["faces"], roll["needs"]):
        if side in targets:
            found[targets[side]] += sum(map(is_hit, faces, needs))
    return found


def exploration(ground: Ground, seat: int) -> Prospect:
    own = force(ground, seat)
    roll = next((each for each in ground.view.doing if each["frame"] == "roll" and each["why"] == "explore"), None)
    thrown = roll is not None and ground.doing and roll["faces"]
    faces = (roll["faces"][0][0],) if roll is not None and thrown else (1, 2, 3, 4, 5, 6)
    event = Exploration(own, faces, things_for(ground.view.unseen, ground.here.terrain))
    return Prospect(ground.here.place, (WILD,), event, sum(each.is_lost for each in own.fighters))


@lru_cache(maxsize=2048)
def found_as(slug: str, terrain: str) -> Found:
    """Creatures and settlements defend, special income of the terrain stays, the rest does not matter (10.12)."""
    kind = KINDS[slug]
    if kind.sort == "creature":
        return Found(stranger(slug))
    if kind.sort == "income" and kind.terrain in ("any", terrain):
        return Found(wall(-1, MELEE, kind.value) if kind.value else None, kind.gold)
    return Found()


# ---- trying it out


class Army:
    """A force in one try. The next loss stands last, in the dice of its step and in the list of all."""

    __slots__ = ("dice", "losses", "lost")

    def __init__(self, fighters: Sequence[Fighter]) -> None:
        self.dice: tuple[list[float], ...] = ([], [], [])  # by step: the chance of each die to hit
        self.losses: list[tuple[int, int, bool]] = []  # (step, dice that go, is lost for good); 0 dice: one weaker
        self.lost = 0
        for _, step, need, dice, strength, is_lost in reversed(fighters):
            self.dice[step].extend([CHANCES[need]] * dice)
            self.losses.append((step, dice, is_lost))
            if strength > 1:
                self.losses.extend([(step, 0, False)] * (strength - 1))

    def strikes(self, step: int, chance: Chance) -> int:
        hits = 0
        for need in self.dice[step]:
            if chance() < need:
                hits += 1
        return hits

    def take(self, hits: int) -> None:
        dice, losses = self.dice, self.losses
        for _ in range(hits if hits < len(losses) else len(losses)):
            step, gone, is_lost = losses.pop()
            if gone:
                del dice[step][-gone:]
            else:
                dice[step][-1] -= SIXTH
            self.lost += is_lost


def mustered(force: Force, chance: Chance) -> list[Fighter]:
    """The force as it might be: its backs are any of the creatures that have not been seen."""
    return sorted([*force.fighters, *some_of(force.unseen, force.backs, chance)])


def some_of(things: tuple[T, ...], count: int, chance: Chance) -> list[T]:
    among = len(things)
    if count == 1 <= among:
        return [things[int(chance() * among)]]
    count = min(count, among)
    chosen: set[int] = set()
    while len(chosen) < count:
        chosen.add(int(chance() * among))
    return [things[at] for at in chosen]


Rank = tuple[tuple[float, ...], tuple[float, ...], tuple[float, ...], int]


def in_ranks(fighters: Sequence[Fighter]) -> list[Rank]:
    """A force after no hit, after one, and so on until nothing is left: by step the dice, and how many it has lost.

    The dice stand as in an Army, whose next loss stands last. Hundreds of tries ask for no more than a number of hits,
    so none of them has to strike out dice one by one.
    """
    dice: list[tuple[float, ...]] = [(), (), ()]
    lost = sum([each[5] for each in fighters])
    ranks: list[Rank] = [((), (), (), lost)]
    for _, step, need, count, strength, is_lost in reversed(fighters):
        lost -= is_lost
        rest = dice[step]
        if strength > 1:
            for left in reversed(weakened(CHANCES[need], strength)):
                dice[step] = (*rest, left)
                ranks.append((*dice, lost))  # type: ignore[arg-type]
        else:
            dice[step] = rest + DICE[need, count]
            ranks.append((*dice, lost))  # type: ignore[arg-type]
    ranks.reverse()
    return ranks


DICE = {(need, count): (chance,) * count for need, chance in CHANCES.items() for count in range(4)}


def weakened(chance: float, strength: int) -> list[float]:
    """The die of a wall before its first hit, after it, and so on."""
    found = [chance]
    for _ in range(strength - 1):
        found.append(found[-1] - SIXTH)
    return found


def duelled(
    mine: list[Rank], theirs: list[Rank], chance: Chance, taken: int = 0, given: int = 0, step: int = 0
) -> tuple[bool, int]:
    """A battle of two sides, as `fought`: whether the first has won, and how many it has lost.

    Both begin with so many hits. A function without calls, because this is tried some hundred times for each hex."""
    most, last = len(mine) - 1, len(theirs) - 1
    taken, given = min(taken, most), min(given, last)
    for now in STEPS_FROM[step]:
        hits = back = 0
        for need in mine[taken][now]:  # type: ignore[union-attr]
            if chance() < need:
                hits += 1
        for need in theirs[given][now]:  # type: ignore[union-attr]
            if chance() < need:
                back += 1
        if hits or back:
            given += hits
            taken += back
            if taken >= most or given >= last:
                break
    return taken < most and given >= last, mine[taken if taken < most else most][3]


# From any step on, the steps of all rounds. A strike's step may be one more than the last.
STEPS_FROM = tuple(tuple(at % 3 for at in range(step, step + 3 * MOST_ROUNDS)) for step in range(4))


def fought(armies: list[Army], chance: Chance, step: int = 0) -> bool:
    """Round after round until at most one side is left (11.3); whether that is the first.

    All who fight in a step roll, then all losses are taken together (11.5).
    """
    pairs = opponents(armies, chance)
    for at in range(step, step + 3 * MOST_ROUNDS):
        now = at % 3
        if not now:
            pairs = opponents(armies, chance)
        due = [(target, hits) for army, target in pairs if army.dice[now] and (hits := army.strikes(now, chance))]
        for target, hits in due:
            target.take(hits)
        if due and sum([1 for army in armies if army.losses]) < 2:
            break
    return bool(armies[0].losses) and not any(army.losses for army in armies[1:])


def opponents(armies: list[Army], chance: Chance) -> list[tuple[Army, Army]]:
    """Whom each side strikes at this round, among three or four: anybody (11.81)."""
    standing = [army for army in armies if army.losses]
    found = []
    for army in standing:
        others = [other for other in standing if other is not army]
        if others:
            found.append((army, others[int(chance() * len(others))]))
    return found


def reckon(event: Fight | Exploration, chance: Chance, tries: int = TRIES) -> Odds:
    if isinstance(event, Exploration):
        return reckon_exploration(event, chance, tries)
    if len(event.forces) == 2 and not any(force.backs for force in event.forces):
        return reckon_exactly(event)
    return reckon_fight(event, chance, tries)


def reckon_fight(fight: Fight, chance: Chance, tries: int) -> Odds:
    if len(fight.forces) == 2:
        return reckon_duel(fight, chance, tries)
    won = lost = 0
    for _ in range(tries):
        armies = [Army(mustered(force, chance)) for force in fight.forces]
        for army, hits in zip(armies, fight.hits):
            army.take(hits)
        won += fought(armies, chance, fight.step)
        lost += armies[0].lost
    return Odds(won / tries, lost / tries, tries)


def reckon_duel(fight: Fight, chance: Chance, tries: int) -> Odds:
    """The same for two sides, who always strike at each other."""
    won = lost = 0
    mine, theirs = fight.forces
    taken, given = fight.hits or (0, 0)
    worn, other = in_ranks(mine.fighters), in_ranks(theirs.fighters)
    for _ in range(tries):
        if mine.backs:
            worn = in_ranks(mustered(mine, chance))
        if theirs.backs:
            other = in_ranks(mustered(theirs, chance))
        wins, losses = duelled(worn, other, chance, taken, given, fight.step)
        won += wins
        lost += losses
    return Odds(won / tries, lost / tries, tries)


def reckon_exploration(event: Exploration, chance: Chance, tries: int) -> Odds:
    free = won = lost = defenders = 0
    mine = in_ranks(event.force.fighters)
    for number in range(tries):
        # Each face comes up equally often: that much less is left to luck.
        wild = found_there(event, event.faces[number % len(event.faces)], chance)
        if not wild:
            free += 1
            continue
        wins, losses = duelled(mine, in_ranks(wild), chance)
        won += wins
        lost += losses
        defenders += len(wild)
    fights = max(1, tries - free)
    return Odds((free + won) / tries, lost / tries, tries, free / tries, won / fights, defenders / fights)


def found_there(event: Exploration, face: int, chance: Chance) -> list[Fighter]:
    """1 or 6: nobody. Else as many Things as rolled, of whose special income only the best stays (10.11, 10.12)."""
    if face in (1, 6):
        return []
    found, income = [], NOTHING
    for each in some_of(event.things, face, chance):
        if each.gold > income.gold:
            income = each
        elif not each.gold and each.fighter is not None:
            found.append(each.fighter)
    if income.fighter is not None:
        found.append(income.fighter)
    return sorted(found)


NOTHING = Found()


# ---- reckoning it exactly, for two sides that are known

End = tuple[float, float]  # chance to win, own losses on average


class Worn(NamedTuple):
    """A force after so many hits: how likely each number of hits is that it gives in each step."""

    gives: tuple[list[float], ...]
    lost: int


def reckon_exactly(fight: Fight) -> Odds:
    """Whoever takes hits gives up the same counters in the same order, so hits taken are all there is to remember."""
    mine, theirs = (worn_down(force) for force in fight.forces)
    ends: dict[tuple[int, int], tuple[End, ...]] = {}
    for taken in reversed(range(len(mine))):
        for given in reversed(range(len(theirs))):
            ends[taken, given] = ends_after(mine, theirs, taken, given, ends)
    taken, given = fight.hits or (0, 0)
    win, lost = ends[min(taken, len(mine) - 1), min(given, len(theirs) - 1)][fight.step % 3]
    return Odds(round(win, 9), round(lost, 9))


def worn_down(force: Force) -> list[Worn]:
    """A force after no hit, after one, and so on until nothing is left of it."""
    army = Army(force.fighters)
    found = []
    for left in range(len(army.losses), -1, -1):
        found.append(Worn(tuple(hits_by(dice) for dice in army.dice), army.lost))
        army.take(1 if left else 0)
    return found


def hits_by(dice: list[float]) -> list[float]:
    """How likely it is that none, one, two … of these dice hit."""
    found = [1.0]
    for chance in dice:
        found = [miss * (1 - chance) + hit * chance for miss, hit in zip([*found, 0.0], [0.0, *found])]
    return found


def ends_after(
    mine: list[Worn], theirs: list[Worn], taken: int, given: int, ends: dict[tuple[int, int], tuple[End, ...]]
) -> tuple[End, ...]:
    """How it ends from here, by the step that comes next; all that can come of a hit is known already."""
    most, last = len(mine) - 1, len(theirs) - 1
    here, there = mine[taken], theirs[given]
    if taken == most or given == last:
        return ((float(taken < most), float(here.lost)),) * 3
    none, win, lost = [], [], []
    for step in range(3):
        after, wins, losses = (step + 1) % 3, 0.0, 0.0
        for hits, chance in enumerate(here.gives[step]):
            for back, other in enumerate(there.gives[step]):
                if hits or back:
                    end = ends[min(taken + back, most), min(given + hits, last)][after]
                    wins += chance * other * end[0]
                    losses += chance * other * end[1]
        none.append(here.gives[step][0] * there.gives[step][0])
        win.append(wins)
        lost.append(losses)
    return tuple((around(none, win, step, 0.0), around(none, lost, step, here.lost)) for step in range(3))


def around(none: list[float], part: list[float], step: int, otherwise: float) -> float:
    """The sum over all rounds until somebody hits; where nobody ever can, the battle has no end."""
    first, second, third = step, (step + 1) % 3, (step + 2) % 3
    still = none[0] * none[1] * none[2]
    if still > 1 - 1e-12:
        return otherwise
    return (part[first] + none[first] * (part[second] + none[second] * part[third])) / (1 - still)
