"""The offer of marches: who may go, how far, and where a stack can go together (9)."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from ..core.actions import Action
from ..core.dice import Chance
from ..core.offers import Offer
from ..core.plain import plain
from .actions import March
from .map import map_for
from .offers import one_of, some_of


@dataclass(frozen=True)
class Walker:
    """A counter that may march: its points left, whether it flies, whether it goes with Deerhunter."""

    tag: str
    place: str
    points: int
    flies: bool
    with_deerhunter: bool = False
    is_deerhunter: bool = False
    only_led: bool = False  # pinned, and can leave with Deerhunter only


@dataclass(frozen=True)
class Marches(Offer):
    """Stacks and paths (9). A path ends where enemies or unexplored land stop it, never in a crowd or on the sea."""

    kind: ClassVar[str] = "march"
    players: int
    walkers: Mapping[str, Walker]
    cost: Mapping[str, int]
    seas: frozenset[str]
    stops: frozenset[str]
    room: Mapping[str, int]
    bound: tuple[str, ...] = ()  # counters that used Deerhunter's movement and must stay with Deerhunter

    def why_not(self, action: March) -> tuple[str, str] | None:
        """The code of the first reason against a march, and where; None if it may be done."""
        stack = [self.walkers.get(tag) for tag in action.counters]
        if not stack or len(set(action.counters)) != len(stack) or not action.path:
            return "no_march", ""
        walkers = [walker for walker in stack if walker is not None]
        if len(walkers) != len(stack):
            return "cannot_march", ""
        return self.why_not_leave(walkers) or self.why_no_path(walkers, walkers[0].place, action.path)

    def why_not_leave(self, walkers: list[Walker]) -> tuple[str, str] | None:
        """The code of the reason why these cannot go anywhere together, and where; None if they can."""
        start = walkers[0].place
        if any(walker.place != start for walker in walkers):
            return "not_one_stack", start
        if any(walker.only_led for walker in walkers) and not any(walker.is_deerhunter for walker in walkers):
            return "pinned", start
        left_behind = set(self.bound) - {walker.tag for walker in walkers}
        if left_behind and left_behind != set(self.bound):
            return "stay_with_deerhunter", start
        return None

    def why_no_path(self, walkers: list[Walker], start: str, path: tuple[str, ...]) -> tuple[str, str] | None:
        neighbours = map_for(self.players).neighbours
        led = any(walker.is_deerhunter for walker in walkers)
        flying = any(walker.flies for walker in walkers)
        before = start
        for step, place in enumerate(path, start=1):
            last = step == len(path)
            if place not in neighbours.get(before, ()):
                return "not_adjacent", place
            if place in self.seas and (last or not all(walker.flies for walker in walkers)):
                return "sea", place
            if place in self.stops and not last:
                return "must_stop", place
            if (last or flying) and place not in self.seas and self.room[place] < len(walkers) and place != start:
                return "crowded", place
            before = place
        for walker in walkers:
            if self.price(path, led and walker.with_deerhunter) > walker.points:
                return "too_far", path[-1]
        return None

    def price(self, path: tuple[str, ...], led: bool) -> int:
        return len(path) if led else sum(self.cost[place] for place in path)

    def __contains__(self, action: object) -> bool:
        return isinstance(action, March) and not self.why_not(action)

    @cached_property
    def stacks(self) -> dict[str, tuple[str, ...]]:
        """Who may march, by hex."""
        found: dict[str, tuple[str, ...]] = {}
        for walker in self.walkers.values():
            found[walker.place] = (*found.get(walker.place, ()), walker.tag)
        return found

    def reach(self, tags: tuple[str, ...]) -> dict[str, tuple[March, int]]:
        """Where these can go together: the cheapest march to each hex, and what it costs whoever pays most."""
        walkers = [self.walkers[tag] for tag in tags]
        if not walkers or self.why_not_leave(walkers):
            return {}
        start, led = walkers[0].place, any(walker.is_deerhunter for walker in walkers)
        far = [(walker.points, led and walker.with_deerhunter) for walker in walkers]
        flies, all_fly = any(w.flies for w in walkers), all(w.flies for w in walkers)
        neighbours = map_for(self.players).neighbours
        found: dict[str, tuple[March, int]] = {}
        tried: set[tuple[str, int, int]] = set()
        ahead: deque[tuple[str, ...]] = deque([()])
        while ahead:
            path = ahead.popleft()
            for place in neighbours[path[-1] if path else start]:
                longer = (*path, place)
                steps, cost = len(longer), self.price(longer, led=False)
                is_sea = place in self.seas
                is_full = not is_sea and place != start and self.room[place] < len(walkers)
                if (place, steps, cost) in tried or (is_sea and not all_fly) or (is_full and flies):
                    continue
                if any((steps if is_led else cost) > points for points, is_led in far):
                    continue
                tried.add((place, steps, cost))
                paid = max(steps if is_led else cost for _, is_led in far)
                if not (is_sea or is_full or place == start) and (place not in found or paid < found[place][1]):
                    found[place] = March(tags, longer), paid
                if place not in self.stops:
                    ahead.append(longer)
        return found

    def sample(self, chance: Chance) -> Action:
        """A stack at random, for a walk at random."""
        starts: dict[str, list[Walker]] = {}
        for walker in self.walkers.values():
            starts.setdefault(walker.place, []).append(walker)
        start = one_of(chance, sorted(starts))
        stack = some_of(chance, starts[start], 1, len(starts[start]))
        neighbours = map_for(self.players).neighbours
        path: tuple[str, ...] = ()
        best: March | None = None
        for _ in range(1 + chance.pick("how far", 4)):
            here = path[-1] if path else start
            path = (*path, one_of(chance, neighbours[here]))
            march = March(tuple(walker.tag for walker in stack), path)
            if not self.why_not(march):
                best = march
            if path[-1] in self.stops:
                break
        return best or self.some_step()

    def some_step(self) -> March:
        """Any single step that may be done; there is one, or this would not have been offered."""
        march = self.first_step()
        assert march is not None
        return march

    def first_step(self) -> March | None:
        neighbours = map_for(self.players).neighbours
        for walker in self.walkers.values():
            tags = self.bound if walker.tag in self.bound else (walker.tag,)
            for place in neighbours[walker.place]:
                march = March(tags, (place,))
                if not self.why_not(march):
                    return march
        return self.first_flight()

    def first_flight(self) -> March | None:
        """Across one sea hex."""
        neighbours = map_for(self.players).neighbours
        for walker in self.walkers.values():
            for sea in (place for place in neighbours[walker.place] if place in self.seas):
                for place in neighbours[sea]:
                    march = March((walker.tag,), (sea, place))
                    if not self.why_not(march):
                        return march
        return None

    @property
    def do(self) -> str:
        return March.do

    def plain(self) -> dict[str, Any]:
        return {
            **self.head(),
            "walkers": plain(dict(self.walkers)),
            "cost": plain(dict(self.cost)),
            "seas": sorted(self.seas),
            "stops": sorted(self.stops),
            "room": plain(dict(self.room)),
            "bound": list(self.bound),
        }
