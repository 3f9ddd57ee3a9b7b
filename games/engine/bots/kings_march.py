"""The steward on the march: what to take, what to guard, with whom, and where the rest should wait."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..core.actions import Action
from ..core.dice import Dice
from ..core.offers import Offer, OneOf
from ..core.view import Face
from ..kings.actions import Ascend, AskProof, Done, March
from ..kings.catalogue import CITADEL, KINDS, SEA
from ..kings.marches import Marches, Walker
from ..kings.offers import Ascents
from .kings_odds import Fighter, chance, exploring
from .kings_reading import THE_GAME, Reading, price
from .kings_realm import BRIBES, must_keep, pull

SURE = 0.85  # more force than for this is not sent
Paths = dict[str, tuple[str, ...]]


@dataclass(frozen=True)
class Plan:
    """A hex to be won, and who goes there."""

    score: float
    to: str
    walkers: tuple[Walker, ...]


class Planner:
    """One look at the map in one's own Movement Phase."""

    def __init__(self, reading: Reading, offer: Marches) -> None:
        self.reading = reading
        self.offer = offer
        self.paths: dict[tuple[str, int, bool], Paths] = {}
        self.forces: dict[str, list[Fighter]] = {}  # by tag; asked for again and again
        self.lord = next((hero for hero in reading.heroes_of(reading.seat) if KINDS[hero.kind].lord_of), None)
        self.kept: set[str] = set()
        self.kept = self.guards()

    # ---- who can go where

    def paths_of(self, walker: Walker) -> Paths:
        key = (walker.place, walker.points, walker.flies)
        if key not in self.paths:
            self.paths[key] = self.paths_from(*key)
        return self.paths[key]

    def paths_from(self, start: str, points: int, flies: bool) -> Paths:
        """The cheapest way to each hex that can be entered."""
        offer, neighbours = self.offer, self.reading.map.neighbours
        left = {start: points}
        paths: Paths = {start: ()}
        waiting = [start]
        while waiting:
            here = waiting.pop(0)
            if here != start and here in offer.stops:
                continue
            for near in neighbours[here]:
                rest = left[here] - offer.cost[near]
                if rest < 0 or rest <= left.get(near, -1) or (near in offer.seas and not flies):
                    continue
                if not self.enters(near):
                    continue
                if flies and near not in offer.seas and offer.room[near] < 1:
                    continue
                left[near] = rest
                paths[near] = (*paths[here], near)
                waiting.append(near)
        return {spot: path for spot, path in paths.items() if path and spot not in offer.seas}

    def enters(self, spot: str) -> bool:
        """Whether a hex may be gone through; undefended land is taken in passing."""
        return True

    def free(self) -> list[Walker]:
        """Those who may march and are not needed where they are; bluffs stay at home."""
        return [w for w in self.offer.walkers.values() if w.tag not in self.kept and not w.only_led]

    def fighter_of(self, walker: Walker) -> list[Fighter]:
        if walker.tag not in self.forces:
            self.forces[walker.tag] = self.reading.fighters([self.reading.by_tag[walker.tag]], walker.place)
        return self.forces[walker.tag]

    def price_of(self, walker: Walker) -> float:
        counter = self.reading.by_tag[walker.tag]
        return price(KINDS[counter.kind]) if isinstance(counter, Face) else 5.0

    def is_led(self, walker: Walker) -> bool:
        """Supported by the Terrain Lord beside it alone: elsewhere it would be a bluff."""
        counter = self.reading.by_tag[walker.tag]
        if self.lord is None or not isinstance(counter, Face) or counter.place != self.lord.place:
            return False
        return not self.reading.supports(KINDS[counter.kind])

    def power_of(self, walker: Walker) -> float:
        return sum(each[1] for each in self.fighter_of(walker))

    # ---- who stays

    def guards(self) -> set[str]:
        """In a citadel as many stay as hold it against any one neighbour; a rival's wins call everybody out."""
        reading = self.reading
        spot = reading.my_citadel
        if not spot:
            return set()
        here = sorted((w for w in self.offer.walkers.values() if w.place == spot), key=self.power_of, reverse=True)
        moving = {w.tag for w in here}
        fixed = [c for c in reading.army(reading.seat, spot) if c.tag not in moving]
        force = [*reading.walls_of(spot), *reading.fighters(fixed, spot)]
        kept: set[str] = set()
        for walker in here:
            if self.holds(spot, force):
                break
            kept.add(walker.tag)
            force += self.fighter_of(walker)
        return kept

    def holds(self, spot: str, force: list[Fighter]) -> bool:
        return self.holding(spot, force) >= (0.93 if self.reading.is_winning else 0.7)

    def holding(self, spot: str, force: list[Fighter]) -> float:
        """The chance to hold a hex against the worst neighbour, or against who is already there."""
        reading = self.reading
        present = reading.owners_in(spot)
        if present:
            return chance(force, reading.defence(spot))
        return min((chance(force, reading.near_forces(seat, spot)) for seat in reading.others), default=1.0)

    # ---- what to take

    def best(self) -> Plan | None:
        found = [plan for spot in self.reading.hexes for plan in [self.plan_for(spot)] if plan is not None]
        return max(found, key=lambda plan: (plan.score, plan.to), default=None)

    def plan_for(self, spot: str) -> Plan | None:
        here = self.reading.hexes[spot]
        if here.terrain == SEA:
            return None
        if here.owner == self.reading.seat:
            return self.relief(spot)
        return self.attack(spot)

    def able(self, spot: str) -> list[Walker]:
        """Who can reach a hex, the strongest first."""
        found = [w for w in self.free() if w.place != spot and spot in self.paths_of(w) and self.power_of(w) > 0]
        found.sort(key=lambda w: (-self.power_of(w), w.tag))
        lords = [w for w in found if self.lord is not None and w.tag == self.lord.tag]
        led = [w for w in found if self.is_led(w)]
        if led and lords:  # they go together, and first, or the led do not go at all
            found = [*lords, *led, *(w for w in found if w not in led and w not in lords)]
        elif led:
            found = [w for w in found if w not in led]
        return found[: max(0, self.offer.room[spot])]

    def attack(self, spot: str) -> Plan | None:
        """Send the least that is likely enough to win; more than that only if it has to be."""
        reading = self.reading
        able = self.able(spot)
        if not able:
            return None
        force = reading.fighters(reading.army(reading.seat, spot), spot)
        worth = reading.worth_of_hex(spot)
        odds = self.odds(spot, force)
        if odds >= SURE:
            return None
        if reading.hexes[spot].owner is not None and not reading.defence(spot):
            able = able[-1:]  # anybody will do
        sent: list[Walker] = []
        for walker in able:
            sent.append(walker)
            force += self.fighter_of(walker)
            odds = self.odds(spot, force)
            if odds >= SURE:
                break
        if odds < self.least_odds(spot):
            return None
        stake = sum(self.price_of(w) for w in sent)
        score = odds * worth - (1 - odds) * 0.7 * stake - self.exposure(sent)
        return Plan(score, spot, tuple(sent)) if score > 1 else None

    def odds(self, spot: str, force: list[Fighter]) -> float:
        reading = self.reading
        foes = reading.defence(spot)
        if reading.hexes[spot].owner is None and not foes:
            return exploring(force, self.bribes(spot))
        return chance(force, foes)

    def bribes(self, spot: str) -> int:
        """How many defenders the gold would pay for, after what explorations under way may need."""
        reading = self.reading
        under_way = sum(
            1
            for other, here in reading.hexes.items()
            if here.owner is None and other != spot and reading.army(reading.seat, other)
        )
        gold = reading.gold - must_keep(reading) - BRIBES * under_way
        return max(0, gold // 3)

    def least_odds(self, spot: str) -> float:
        reading = self.reading
        here = reading.hexes[spot]
        if here.fort == CITADEL and reading.worth_of_citadel(here.owner) >= THE_GAME:
            pressing = reading.sole_rival is not None
            return 0.08 if pressing else max(0.3, 0.62 - 0.02 * max(0, reading.view.turn - 8))
        return 0.55 if here.owner is None else 0.6

    def exposure(self, sent: Sequence[Walker]) -> float:
        """Leaving a fort or special income behind with enemies near costs something."""
        reading = self.reading
        gone = {w.tag for w in sent}
        total = 0.0
        for spot in {w.place for w in sent}:
            here = reading.hexes[spot]
            if here.owner != reading.seat:
                continue
            stay = [c for c in reading.army(reading.seat, spot) if c.tag not in gone]
            near = any(reading.army(seat, other) for seat in reading.others for other in reading.map.within(spot, 1))
            if not stay and near:
                total += 0.25 * reading.worth_of_hex(spot)
        return total

    def relief(self, spot: str) -> Plan | None:
        """Help for a hex of one's own that is, or may come, under attack; mostly the citadel."""
        reading = self.reading
        present = reading.owners_in(spot)
        if not present and spot != reading.my_citadel:
            return None
        force = [*reading.walls_of(spot), *reading.fighters(reading.army(reading.seat, spot), spot)]
        before = self.holding(spot, force)
        goal = 0.95 if spot == reading.my_citadel and reading.is_winning else 0.8
        if before >= goal:
            return None
        sent: list[Walker] = []
        odds = before
        for walker in self.able(spot):
            sent.append(walker)
            force += self.fighter_of(walker)
            odds = self.holding(spot, force)
            if odds >= goal:
                break
        gain = (odds - before) * reading.worth_of_hex(spot)
        return Plan(gain - self.exposure(sent), spot, tuple(sent)) if sent and gain > 2 else None

    # ---- where to wait

    def staging(self) -> Action | None:
        """Whoever has nothing to do goes to where there is more to take, all to the same place."""
        liking = {spot: self.waiting_liking(spot) for spot in self.reading.land}
        best: tuple[float, Action] | None = None
        for start, group in self.groups([w for w in self.free() if w.points == 4]).items():
            if start not in liking:
                continue
            for spot, path in self.paths_of(min(group, key=lambda w: w.flies)).items():
                gain = liking.get(spot, -9.0) - liking[start]
                if gain <= 0.7 or (best is not None and gain <= best[0]):
                    continue
                march = self.march_of(group, spot, path)
                if march is not None:
                    best = (gain, march)
        return best[1] if best is not None else None

    def waiting_liking(self, spot: str) -> float:
        reading = self.reading
        liking = pull(reading, spot) + 0.15 * len(reading.army(reading.seat, spot))
        goal = self.goal()
        if goal:
            liking += 2.0 * (6 - reading.map.distance(spot, goal))
        return liking

    def goal(self) -> str:
        """The rival citadel to gather against: the nearest."""
        rivals = [place for place, owner in self.reading.citadels.items() if owner != self.reading.seat]
        heart = self.reading.my_citadel or (self.reading.land[0] if self.reading.land else "")
        if not rivals or not heart:
            return ""
        return min(rivals, key=lambda place: (self.reading.map.distance(heart, place), place))

    # ---- marching orders

    def groups(self, walkers: Sequence[Walker]) -> dict[str, list[Walker]]:
        found: dict[str, list[Walker]] = {}
        for walker in walkers:
            found.setdefault(walker.place, []).append(walker)
        return found

    def march_of(self, group: Sequence[Walker], spot: str, path: tuple[str, ...]) -> Action | None:
        tags = [walker.tag for walker in group if spot in self.paths_of(walker)]
        march = March(tuple(tags[: max(0, self.offer.room[spot])]), path)
        return march if march in self.offer else None

    def first_march(self, plan: Plan) -> Action | None:
        """The largest part of a plan's force that starts from one hex; the rest follows."""
        groups = self.groups(plan.walkers)
        for start in sorted(groups, key=lambda start: (-len(groups[start]), start)):
            group = groups[start]
            slowest = min(group, key=lambda w: (w.flies, w.points))
            for one in (group, [slowest], group[:1]):
                march = self.march_of(one, plan.to, self.paths_of(min(one, key=lambda w: (w.flies, w.points)))[plan.to])
                if march is not None:
                    return march
        return None


def march(reading: Reading, offers: Sequence[Offer], dice: Dice) -> Action:
    return march_by(Planner, reading, offers)


def march_by(make: type[Planner], reading: Reading, offers: Sequence[Offer]) -> Action:
    """Ask for proof where pinned, carry out the best plan, move the idle up; then it is done."""
    asked = proof_to_ask(offers)
    if asked is not None:
        return asked
    flight = balloon(reading, offers)
    if flight is not None:
        return flight
    offer = next((each for each in offers if isinstance(each, Marches)), None)
    if offer is None:
        return Done()
    planner = make(reading, offer)
    plan = planner.best()
    if plan is not None:
        found = planner.first_march(plan)
        if found is not None:
            return found
    return planner.staging() or Done()


def proof_to_ask(offers: Sequence[Offer]) -> Action | None:
    """Asking costs nothing."""
    for offer in offers:
        if offer.do == AskProof.do and isinstance(offer, OneOf):
            return AskProof(offer.choices[0])
    return None


BASKET: Fighter = (1, 0.5, 30.0)  # the Balloon itself shoots, with a value of 3


def balloon(reading: Reading, offers: Sequence[Offer]) -> Action | None:
    """Three aboard for a hex that three can take; citadels are left to armies."""
    offer = next((each for each in offers if isinstance(each, Ascents)), None)
    if offer is None:
        return None
    best: tuple[float, Action] | None = None
    for start, tags in offer.passengers.items():
        riders = sorted(tags, key=lambda tag: (-power(reading, tag), tag))
        for spot in offer.targets[start]:
            here = reading.hexes[spot]
            crew = tuple(riders[: min(3, offer.room[spot])])
            if here.owner == reading.seat or not crew or here.fort == CITADEL:
                continue
            odds = odds_of_landing(reading, crew, spot)
            score = odds * reading.worth_of_hex(spot)
            if odds > 0.65 and (best is None or score > best[0]):
                best = (score, Ascend(offer.item, crew, spot))
    return best[1] if best is not None else None


def power(reading: Reading, tag: str) -> float:
    piece = reading.by_tag[tag]
    return sum(each[1] for each in reading.fighters([piece], piece.place))


def odds_of_landing(reading: Reading, crew: tuple[str, ...], spot: str) -> float:
    pieces = [reading.by_tag[tag] for tag in crew]
    force = [BASKET, *reading.fighters(pieces, pieces[0].place)]
    force += reading.fighters(reading.army(reading.seat, spot), spot)
    foes = reading.defence(spot)
    return exploring(force, 2) if reading.hexes[spot].owner is None and not foes else chance(force, foes)
