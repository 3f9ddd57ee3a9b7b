"""Kings & Things*: the box, the map, and what a kingdom brings in."""

from __future__ import annotations

from games.engine.core.dice import Dice
from games.engine.core.hexgrid import distance, ring, spiral
from games.engine.core.state import Counter, Hex, Seat
from games.engine.kings.catalogue import (
    CREATURES,
    EVENTS,
    HEROES,
    HEXES,
    INCOME,
    KINDS,
    LAND,
    MAGIC,
    OTHER_FACE,
    THINGS,
)
from games.engine.kings.income import income, needed_for_citadel
from games.engine.kings.map import map_for
from games.engine.kings.state import CUP, GONE, POOL, KingsState, rack


def test_the_box_is_complete():
    assert sum(kind.copies for kind in CREATURES) == 147 and len(CREATURES) == 123
    assert sum(kind.copies for kind in INCOME) == 22 and len(MAGIC) == 11 and len(EVENTS) == 10
    assert sum(kind.copies for kind in THINGS) == 196
    assert len(HEROES) == 11 and sum(HEXES.values()) == 48
    assert len(KINDS) == len(THINGS) + 22, "two things have one name"


def test_every_hero_has_another_on_his_back_and_every_land_its_lord():
    assert all(OTHER_FACE[OTHER_FACE[slug]] == slug for slug in OTHER_FACE)
    assert sorted(kind.lord_of for kind in KINDS.values() if kind.lord_of) == sorted(LAND)


def test_rings_grow_by_six_and_lie_at_their_distance():
    assert [len(ring(radius)) for radius in range(4)] == [1, 6, 12, 18]
    assert all(distance((0, 0), at) == 3 for at in ring(3))
    assert len(set(spiral(3))) == 37


def test_the_map_is_large_for_four_and_small_for_fewer():
    assert [len(map_for(players).places) for players in (2, 3, 4)] == [19, 19, 37]
    large = map_for(4)
    assert len(large.starts) == 4 and len(large.neighbours["h1"]) == 6
    assert all(place in large.neighbours[other] for place in large.places for other in large.neighbours[place])


def kingdom(**counters: str) -> KingsState:
    """Seat 0 owns three hexes of the small map, a mountain with a castle first; counters by kind and place."""
    state = KingsState(game="t", options={}, dice=Dice.seeded("t"), seats={0: Seat(0), 1: Seat(1)})
    for place, terrain, fort in (("h1", "mountain", 3), ("h2", "plains", 0), ("h3", "swamp", 0)):
        state.hexes[place] = Hex(place, terrain, True, owner=0, fort=fort)
    for number, (kind, place) in enumerate(counters.items(), start=1):
        owner = int(place[-1]) if place.startswith("rack") else None if place in (CUP, POOL) else 0
        state.counters[number] = Counter(number, kind, place, owner=owner)
    state.index()
    return state


def test_the_books_example_kingdom_brings_in_eleven():
    """5.1: three hexes, a village, a mine of three, a castle and one special character."""
    assert income(kingdom(village="h2", gold_mine="h1", arch_mage="h1"), 0).total == 11


def test_the_dwarf_king_doubles_mines_and_nothing_else():
    found = income(kingdom(village="h2", gold_mine="h1", dwarf_king="h1"), 0)
    assert (found.counters, found.heroes) == (7, 1)


def test_counters_on_a_rack_bring_nothing():
    assert income(kingdom(gold_mine="rack:0"), 0).counters == 0


def test_a_citadel_needs_twenty_with_four_players_and_fifteen_with_fewer():
    state = kingdom()
    assert needed_for_citadel(state) == 15
    state.seats |= {2: Seat(2), 3: Seat(3)}
    assert needed_for_citadel(state) == 20


def test_a_counter_is_found_where_it_went():
    state = kingdom(camel_corps="h1", goblins="h1")
    twin = state.copy()
    twin.change_counter(1, place="h2")
    assert twin.at("h1") == (2,) and twin.at("h2") == (1,) and state.at("h1") == (1, 2)


def test_drawing_empties_the_cup_and_begins_true_elimination():
    state = kingdom(camel_corps=CUP, goblins=CUP)
    assert sorted(state.draw(5, "recruit")) == [1, 2] and state.extras["true_elimination"]
    state.to_rack(1, 1)
    assert state.rack(1) == (1,) and state.at(rack(1)) == (1,)
    state.to_cup(1)
    assert state.at(CUP) == (1,) and state.at(GONE) == (), "creatures come back"


def test_magic_is_gone_for_good_once_the_cup_has_been_empty():
    state = kingdom(golem="h1")
    state.extras["true_elimination"] = True
    state.eliminate(1)
    assert state.at(GONE) == (1,)


def test_a_killed_hero_flees_to_the_pool_and_his_owner_may_turn_him():
    state = kingdom(arch_mage="h1")
    state.eliminate(1)
    assert state.at(POOL) == (1,) and state.extras["fled"] == [[0, 1]]
    state.to_pool(1, turned=True)
    assert state.counters[1].kind == "ghaog_ii"


def test_a_stack_that_goes_face_down_gets_new_names():
    state = kingdom(camel_corps="h1", goblins="h1")
    for number in (1, 2):
        state.change_counter(number, tag=f"old{number}", face_up=True)
    state.hide(0, "h1")
    assert all(not state.counters[n].face_up and not state.counters[n].tag.startswith("old") for n in (1, 2))
