"""The log's filters: each line says what it is about, by a short class, and to whom it belongs."""

from __future__ import annotations

import re

import pytest

from games.engine.kings import KINGS
from games.painting import fragments as painting
from games.painting.kings.log import FILTERS, ROLLS, SORTS, WHO, sorts_of
from games.painting.kings.words import LABELS
from games.painting.scene import Line
from games.play import SEAT_FACTS
from tests.web import kings as k
from tests.web.test_act import client_of
from tests.web.test_kings_page import scene_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("kings_bots", "settled_chance")]


def line(event: str, **facts: object) -> Line:
    return Line(1, event, "", "", facts)


def test_every_event_named_is_one_of_the_game():
    events = KINGS.event_kinds()
    assert {each for names in SORTS.values() for each in names} <= set(events)
    assert set(ROLLS) <= set(LABELS) and set(ROLLS.values()) <= set(SORTS)
    assert set(FILTERS) - {"mine"} == set(SORTS) - {"turn"} and WHO == SEAT_FACTS


def test_a_line_is_mine_if_it_names_my_seat():
    assert sorts_of(line("stole_gold", seat=1, by=2, amount=5), 1) == "gold mine"
    assert sorts_of(line("stole_gold", seat=1, by=2, amount=5), 2) == "gold mine"
    assert sorts_of(line("stole_gold", seat=1, by=2, amount=5), 0) == "gold"
    assert sorts_of(line("stole_gold", seat=1, by=2, amount=5), None) == "gold"
    assert sorts_of(line("drew_these", names=["Giant"]), 0) == "mine"


def test_dice_belong_to_what_they_are_thrown_for():
    assert sorts_of(line("rolled", seat=1, why="melee", faces=[1]), None) == "fight"
    assert sorts_of(line("rolled", seat=1, why="teeniepox", faces=[1]), None) == "magic"
    assert sorts_of(line("rolled", seat=1, why="recruit", faces=[1]), None) == ""


def test_rows_have_their_sorts_and_the_page_a_button_for_each():
    game = k.kings()
    k.play_on(game, "log", k.after(60))
    scene = scene_of(game, "ann")
    log = painting.drawn(painting.fragments(scene))["log"]
    rows = re.findall(r'<li id="log-(\d+)"(?: class="([^"]*)")?', log)
    assert len(rows) == len(scene.lines) and {"mine", "gold", "turn"} <= {
        each for _, css in rows for each in css.split()
    }
    for number, css in rows:
        wanted = sorts_of(scene.lines[int(number)], 0) + (" taken-back" if scene.lines[int(number)].taken_back else "")
        assert css == wanted.strip()
    for name, buttons in (("ann", ["", *FILTERS]), ("eve", ["", "fight", "magic", "gold"])):
        page = client_of(name).get(game.get_absolute_url()).text
        assert re.findall(r'data-log="(\w*)"', page) == buttons
