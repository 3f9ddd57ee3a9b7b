"""What the page is told of what moved: the newest action as the log of this viewer has it, and nothing else."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import replace

import pytest

from games import play
from games.engine import RULESETS
from games.engine.core.dice import Dice
from games.engine.kings import KINGS
from games.models import Action
from games.painting import fragments as painting
from games.painting.kings.motion import DICE, FIGHTS, HITS, LANDS, MOST, MOVES, motion_of
from games.painting.scene import Line, Scene
from tests.web import kings as k
from tests.web.test_act import client_of
from tests.web.test_kings_page import scene_of
from tests.web.test_kings_secrets import lay_down, seat_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("kings_bots", "settled_chance")]


@pytest.fixture(name="scene")
def fixture_scene() -> Scene:
    return scene_of(k.kings(), "ann")


def happened(scene: Scene, *events: tuple) -> dict:
    """The motion after some lines: (revision, event, facts)."""
    lines = tuple(Line(number, event, "", "", facts) for number, event, facts in events)
    return motion_of(replace(scene, lines=lines))


MARCH = (7, "marched", {"seat": 1, "count": 2, "source": "h3", "target": "h4"})
FELL = {"creature": "Giant"}


def test_every_event_named_is_one_of_the_game_and_has_the_facts_it_is_told_by():
    fields = {name: {each.name for each in dataclasses.fields(kind)} for name, kind in KINGS.event_kinds().items()}
    for name, facts in MOVES.items():
        assert {"seat", "count", *facts} <= fields[name]
    for name in (*LANDS, *FIGHTS):
        assert "place" in fields[name], name
    assert {*HITS, *DICE} <= set(fields)


def test_a_march_is_a_stack_that_moves(scene):
    move = {"kind": "move", "seat": 1, "count": 2, "path": ["h3", "h4"]}
    assert happened(scene, MARCH) == {"at": 7, "motions": [move]}


def test_only_the_newest_action_that_showed_anything_counts(scene):
    later = (9, "rolled", {"seat": 1, "why": "melee", "faces": [3]})
    assert happened(scene, MARCH, later) == {"at": 9, "motions": [{"kind": "dice"}]}
    assert happened(scene, MARCH, (8, "order_given", {"about": "fan", "how": "skip"}))["at"] == 7


def test_a_hit_lands_where_the_fight_is(scene):
    fight = (5, "battle_began", {"place": "h9"})
    assert happened(scene, fight, (6, "fell", FELL))["motions"] == [{"kind": "hit", "place": "h9"}]
    assert happened(scene, (6, "lost_counters", {"seat": 0, "count": 1, "place": "h2"}))["motions"][0]["place"] == "h2"


def test_what_is_placed_lands_with_its_number(scene):
    placed = (6, "placed_creatures", {"seat": 2, "count": 3, "place": "h1"})
    assert happened(scene, placed)["motions"] == [{"kind": "land", "place": "h1", "seat": 2, "count": 3}]


def test_what_was_taken_back_does_not_move_again(scene):
    gone = Line(7, "marched", "", "", dict(MARCH[2]), taken_back=True)
    assert motion_of(replace(scene, lines=(gone, Line(8, "taken_back", "", "", {"seat": 1})))) == {
        "at": 0,
        "motions": [],
    }


def test_many_hits_at_once_are_few_motions(scene):
    many = [(6, "lost_counters", {"seat": 0, "count": 1, "place": f"h{n}"}) for n in range(1, 30)]
    assert len(happened(scene, *many)["motions"]) == MOST
    fell = [(6, "fell", FELL)] * 30
    assert len(happened(scene, *fell)["motions"]) == 1


def test_the_page_tells_what_moved_and_everybody_may_turn_it_off():
    game = k.kings()
    k.play_on(game, "page", k.after(40))
    for name in ("ann", "eve"):
        page = client_of(name).get(game.get_absolute_url()).text
        told = page.split('<div id="motion" hidden hx-disable>')[1].split("</div>")[0]
        assert json.loads(told) == motion_of(scene_of(game, name))
        assert "data-motion-toggle" in page and "js/kings_motion.js" in page and page.count("data-ghost=") == 4


# ---- secrets


@pytest.mark.parametrize("actions", [30, 90, 150])
def test_whatever_is_hidden_the_motion_is_the_same(actions):
    """The twin test (C1) of this slot: dealt anew, the same motion is told."""
    game = k.kings(waiting="always", last_turn="40")
    state = k.play_on(game, f"motion {actions}", k.after(actions))
    for number, name in enumerate((*k.NAMES, "eve")):
        before = slot_for(game, name)
        assert '"kind"' in before
        lay_down(game, RULESETS["kings"].scramble(state, seat_of(name), Dice.seeded(f"twin {number}")))
        assert slot_for(game, name) == before, name
        lay_down(game, state)


def slot_for(game, name: str) -> str:
    play.forget()
    scene = scene_of(game, name)
    return str(painting.drawn(painting.fragments(scene))["motion"])


def test_what_is_told_to_one_seat_moves_for_nobody_else():
    game = k.kings()
    k.play_on(game, "alone", k.after(40))
    row = Action.objects.filter(game=game).order_by("number").last()
    row.told = [{"to": [0], "event": "marched", **MARCH[2]}]
    row.save()
    at = {name: json.loads(slot_for(game, name))["at"] for name in ("ann", "bob", "eve")}
    assert at["ann"] == row.number and at["bob"] < row.number and at["eve"] < row.number
