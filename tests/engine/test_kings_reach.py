"""Where a stack can go together: all that the rules let it, at the least cost, and nothing else (9.1)."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from games.engine.kings.actions import March
from games.engine.kings.map import map_for
from games.engine.kings.marches import Marches, Walker

PLACES = map_for(2).places
NEAR = map_for(2).neighbours
START = "h1"


def some_marches(chance: random.Random) -> Marches:
    """Any terrain, crowds, enemies and seas, and a stack in the middle of them."""
    led = chance.random() < 0.4
    walkers = {
        tag: Walker(
            tag,
            START,
            chance.randint(0, 4),
            flies=chance.random() < 0.5,
            with_deerhunter=led and chance.random() < 0.7,
            is_deerhunter=led and tag == "a",
            only_led=chance.random() < 0.15,
        )
        for tag in "abc"[: chance.randint(1, 3)]
    }
    return Marches(
        players=2,
        walkers=walkers,
        cost={place: chance.choice((1, 2)) for place in PLACES},
        seas=frozenset(place for place in PLACES if chance.random() < 0.2),
        stops=frozenset(place for place in PLACES if chance.random() < 0.3),
        room={place: chance.choice((0, 1, 2, 10, 10)) for place in PLACES},
        bound=("a", "b") if len(walkers) > 1 and chance.random() < 0.2 else (),
    )


def paths(start: str, steps: int) -> Iterator[tuple[str, ...]]:
    for place in NEAR[start]:
        yield (place,)
        if steps > 1:
            yield from ((place, *rest) for rest in paths(place, steps - 1))


def price(offer: Marches, march: March) -> int:
    stack = [offer.walkers[tag] for tag in march.counters]
    led = any(walker.is_deerhunter for walker in stack)
    return max(offer.price(march.path, led and walker.with_deerhunter) for walker in stack)


@pytest.mark.parametrize("seed", range(60))
def test_a_stack_reaches_just_what_the_rules_let_it_at_the_least_cost(seed: int):
    chance = random.Random(seed)
    offer = some_marches(chance)
    tags = tuple(chance.sample(sorted(offer.walkers), chance.randint(1, len(offer.walkers))))
    cheapest: dict[str, int] = {}
    for path in paths(START, 4):
        march = March(tags, path)
        if path[-1] != START and not offer.why_not(march):
            cheapest[path[-1]] = min(price(offer, march), cheapest.get(path[-1], 99))
    reach = offer.reach(tags)
    assert {place: cost for place, (_, cost) in reach.items()} == cheapest
    assert all(march in offer and march.path[-1] == place for place, (march, _) in reach.items())


def test_stacks_are_told_by_hex():
    offer = some_marches(random.Random(3))
    assert offer.stacks == {START: tuple(offer.walkers)}
    assert offer.reach(()) == {}
