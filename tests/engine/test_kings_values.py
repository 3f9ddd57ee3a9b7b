"""A fighter has one combat value at a time: dice, Views, odds, the steward and the page all have the same number."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from games.engine.bots.kings_reading import Reading
from games.engine.core.dice import Dice
from games.engine.core.view import Face
from games.engine.kings import KINGS
from games.engine.kings.battle import FORT, MAGIC, MELEE, RANGED, Arms, magic_at_work, strikers, value_now
from games.engine.kings.flow.base import frame_named
from games.engine.kings.odds import Fight, force, prospects
from games.engine.kings.odds import Ground as OddsGround
from games.engine.kings.stacks import settlement, strength_left
from games.engine.kings.state import KingsState
from games.engine.kings.view import KingsFace, KingsView
from games.painting.kings.battle import notes_on
from tests.kings_tables import state_of

# B defends a keep and a city under the Black Cloud; both are hit, and A's ogre has the Bow.
CLOUDED = """
    players: 2
    turn: 5
    phase: march
    cloud: h3
    options: waiting=always
    gone: dust_of_defense dispel_magic_scroll fan lucky_charm
    h2 mountain A: ogre goblins baron_munchausen
    h3 plains B keep: lion_pride city greathunter
    h12 swamp B
    rack A: bow ruby
    rack B: diamond
    A march ogre goblins baron_munchausen: h2 > h3
    skip to combat
    A play bow on ogre
"""
VALUES = {"ogre": 3, "goblins": 1, "baron_munchausen": 4, "lion_pride": 2, "greathunter": 3, "city": 0, FORT: 0}


def seen(state: KingsState, seat: int | None) -> KingsView:
    view = KINGS.view(state, seat)
    assert isinstance(view, KingsView)
    return view


def arms_of(state: KingsState) -> Arms:
    battle: Any = frame_named(state, "battle")
    return battle.arms()  # type: ignore[no-any-return]


@pytest.fixture(scope="module")
def clouded() -> KingsState:
    return state_of(CLOUDED)


def test_the_value_of_now_is_never_below_nothing():
    assert value_now(3) == 3 and value_now(3, hits=2, is_clouded=True) == 0
    assert value_now(1, hits=1, is_clouded=True) == 0 and value_now(2, is_armed=True, is_clouded=True) == 2


@pytest.mark.parametrize("seat", [0, 1, None])
def test_the_view_says_what_the_dice_need(clouded, seat):
    view = seen(clouded, seat)
    faces = {c.kind: c for c in view.counters if isinstance(c, KingsFace) and c.place == "h3"}
    fort = next(here for here in view.hexes if here.place == "h3").fort_value
    assert {kind: fort if kind == FORT else faces[kind].value for kind in VALUES} == VALUES
    needs = {
        s.tag: s.need
        for step in (MAGIC, RANGED, MELEE)
        for side in (0, 1)
        for s in strikers(clouded, arms_of(clouded), side, step)
    }
    rolling = {kind for kind, value in VALUES.items() if value}
    assert needs == {faces[kind].tag: VALUES[kind] for kind in rolling}


def test_odds_reckon_with_it(clouded):
    (prospect,) = [each for each in prospects(seen(clouded, 0)) if each.place == "h3"]
    assert isinstance(prospect.event, Fight)
    mine, theirs = ([fighter.need for fighter in side.fighters] for side in prospect.event.forces)
    assert sorted(mine) == [1, 3, 4] and sorted(theirs) == [0, 0, 2, 3]


def test_the_steward_reckons_with_it(clouded):
    reading = Reading(seen(clouded, 0))
    for owner in (0, 1):
        for piece in reading.army(owner, "h3"):
            assert isinstance(piece, Face) and reading.value_in(piece, "h3") == VALUES[piece.kind]
    assert [hits for _, hits, _ in reading.walls_of("h3")] == [0.0, 0.0]
    dice = sorted(round(6 * hits) for _, hits, _ in reading.fighters(reading.army(0, "h3"), "h3"))
    assert dice == [1, 3, 4]


def test_a_counter_that_would_march_under_the_cloud_is_reckoned_at_one_less():
    state = state_of("players: 2\nphase: march\ncloud: h3\nh2 plains A: lion_pride\nh3 plains A\nh12 swamp B")
    reading = Reading(seen(state, 0))
    (lions,) = reading.army(0, "h2")
    assert isinstance(lions, Face) and (reading.value_in(lions, "h2"), reading.value_in(lions, "h3")) == (3, 2)


def said(view, battle, land, side, counters) -> list[str]:
    return [words for _, words in notes_on(view.cloud, view.balloon, battle, land, side, counters)]


def test_the_page_says_it(clouded):
    view = seen(clouded, 1)
    land = next(here for here in view.hexes if here.place == "h3")
    counters = tuple(c for c in view.counters if c.place == "h3")
    battle = view.under_way("battle")
    assert said(view, battle, land, 0, counters) == ["Bow: Ogre, ranged, 3 or less hits"]
    assert said(view, battle, land, 1, counters)[:2] == [
        "Keep: 1 of 2 left, cannot hit",
        "The Black Cloud: all values are one less",
    ]
    # Under the Cloud the Bow's bearer has the printed value again.
    at_home = replace(land, owner=0)
    cloudy = tuple(replace(c, value=2) if isinstance(c, KingsFace) and c.kind == "ogre" else c for c in counters)
    assert "Bow: Ogre, ranged, 2 or less hits" in said(view, battle, at_home, 0, cloudy)


def test_unseen_counters_under_the_cloud_are_reckoned_at_one_less():
    state = state_of(
        "players: 2\nphase: combat\ncloud: h3\nh2 plains A\nh3 plains B: lion_pride | A goblins\nh12 swamp B"
    )
    view = seen(state, 0)
    here = next(each for each in view.hexes if each.place == "h3")
    counters = tuple(c for c in view.counters if c.place == "h3")
    unseen = force(OddsGround(view, here, counters, {}), 1).unseen
    clear = force(OddsGround(replace(view, cloud=""), here, counters, {}), 1).unseen
    assert [each.need for each in unseen] == [max(0, each.need - 1) for each in clear] and unseen


# ---- a state made up from a View


GROUND_DOWN = """
    players: 2
    turn: 5
    phase: combat
    options: waiting=always
    gone: dust_of_defense dispel_magic_scroll fan lucky_charm
    h2 mountain A
    h3 plains B keep: lion_pride city | A ogre baron_munchausen balloon(goblins)
    h12 swamp B
    rack A: ruby
    rack B: golem
    A done
    B play golem
"""


@pytest.mark.parametrize("seat", [0, 1, None])
def test_an_imagined_state_has_the_hits_riders_and_items_of_its_view(seat):
    """Cities were whole again there, nobody rode in the Balloon, and a Golem held no hex."""
    view = seen(state_of(GROUND_DOWN), seat)
    city = next(c for c in view.counters if isinstance(c, KingsFace) and c.kind == "city")
    assert (city.hits, city.value) == (1, 1) and view.balloon
    imagined = KINGS.imagine(view, Dice.seeded("imagined"))
    assert isinstance(imagined, KingsState)
    again = seen(imagined, seat)
    assert [c for c in again.counters if c.place == "h3"] == [c for c in view.counters if c.place == "h3"]
    assert again.balloon == view.balloon and again.hexes == view.hexes and again.cloud == view.cloud
    assert magic_at_work(imagined, 1, "h3") and strength_left(imagined, settlement(imagined, "h3")) == 1
