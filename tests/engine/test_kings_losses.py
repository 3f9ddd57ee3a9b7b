"""Nothing is lost beyond what is owed: every answer to the Plague, to Teeniepox and to disasters is tried."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterator
from itertools import permutations, product

import pytest

from games.engine.core.dice import Dice
from games.engine.kings.actions import Lose
from games.engine.kings.battle import FORT
from games.engine.kings.catalogue import CITADEL, FORTS
from games.engine.kings.flow.events import DarkPlague, HexLosses
from games.engine.kings.offers import LossLists
from games.engine.kings.state import KingsState
from tests.kings_tables import state_of

CREATURES = ("hunters", "lion_pride", "villains", "greathunter")
TOWNS = {"": 0, "village": 1, "city": 2}


def stands(creatures: int, fort: int, town: str, hero: bool = False) -> KingsState:
    counters = [*CREATURES[:creatures], *([town] if town else []), *(["deerhunter"] if hero else [])]
    return state_of(
        f"players: 2\nphase: march\nh3 plains A {FORTS[fort]}: {' '.join(counters) or 'nothing'}\nh12 swamp B: ghost"
    )


def kind_at(state: KingsState, tag: str) -> str:
    return FORT if tag == FORT else state.kind(state.tags[tag]).sort


def answers(state: KingsState) -> Iterator[tuple[str, ...]]:
    """Every list of counters of the hex and of levels of its fort, whatever it is worth."""
    tags = state.tags_of(state.at("h3"))
    levels = state.hexes["h3"].fort
    most = [2 if kind_at(state, tag) == "income" else 1 for tag in tags]
    for times in product(*(range(each + 1) for each in most), range(levels + 1)):
        yield tuple(tag for tag, count in zip((*tags, FORT), times) for _ in range(count))


def allowed(state: KingsState, offer: LossLists) -> list[tuple[str, ...]]:
    return [each for each in answers(state) if Lose(each) in offer]


def all_ways_lead_to_allowed_lists(offer: LossLists) -> None:
    for ranked in list(permutations(offer.targets))[:24]:
        assert offer.by_preference(ranked) in offer, (offer, ranked)
    for number in range(12):
        assert offer.sample(Dice.seeded(f"losses {number}")) in offer, offer


@pytest.mark.parametrize("town", TOWNS)
@pytest.mark.parametrize("fort", range(5))
def test_the_plague_takes_the_toll_or_all_creatures_and_nothing_else(fort, town):
    toll = fort + TOWNS[town]
    for count in range(1, 5):
        state = stands(count, fort, town, hero=True)
        if not toll:
            assert not DarkPlague().hexes_hit(state, 0)
            continue
        offer = DarkPlague().offer(state, 0, "h3")
        found = allowed(state, offer)
        assert found, (fort, town, count)
        for each in found:
            sorts = Tally(kind_at(state, tag) for tag in each)
            assert not sorts["hero"] and not (fort == CITADEL and sorts[FORT])
            everybody = sorts["creature"] == count
            assert len(each) == (count if everybody and count <= toll else toll), each
            assert not (everybody and count <= toll) or set(sorts) == {"creature"}, each
        all_ways_lead_to_allowed_lists(offer)


@pytest.mark.parametrize("town", TOWNS)
@pytest.mark.parametrize("fort", range(5))
def test_events_take_no_more_than_they_must(fort, town):
    """Creatures go first (X21); after them no wall could be left out of a list that pays what is owed."""

    def worth(state: KingsState, losses: tuple[str, ...]) -> int:
        towns = sum(TOWNS[town] for tag in set(losses) if kind_at(state, tag) == "income")
        return towns + sum(kind_at(state, tag) != "income" for tag in losses)

    for count, owed in product(range(4), range(2, 6)):
        state = stands(count, fort, town)
        offer = HexLosses(seat=0, place="h3", count=owed).offer(state)
        found = allowed(state, offer)
        assert found, (fort, town, count, owed)
        for each in found:
            for wall in {tag for tag in each if kind_at(state, tag) in (FORT, "income")}:
                levels = each.count(wall) - 1 if wall == FORT else 0
                rest = (*(tag for tag in each if tag != wall), *[wall] * levels)
                assert worth(state, rest) < owed, (each, wall)
        all_ways_lead_to_allowed_lists(offer)


def test_a_loss_too_many_is_told_apart_from_one_too_few():
    offer = DarkPlague().offer(state := stands(1, 2, ""), 0, "h3")
    (creature,) = state.tags_of(state.at("h3"))
    assert offer.why_not(Lose((creature, FORT))) == "enough_lost" and offer.why_not(Lose((FORT,))) == "wrong_or_all"
    assert offer.why_not(Lose((creature,))) == offer.why_not(Lose((FORT, FORT))) == ""
    assert offer.least == 1 and offer.plain()["enough"] == [creature]
