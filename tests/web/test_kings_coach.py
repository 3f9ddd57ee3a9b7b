"""What a newcomer to Kings & Things* is told: words for everything that is asked, and links that lead to the rules."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from games import tables
from games.engine.bots.kings import ANSWERS
from games.engine.core.refusals import IllegalAction
from games.engine.kings.catalogue import FORTS, LAND, SEA
from games.engine.kings.flow.turn import PHASES
from games.engine.kings.income import needed_for_citadel
from games.painting.kings import coach
from games.painting.kings.looks import MARKS
from games.painting.kings.words import QUESTIONS
from tests.web import kings as k
from tests.web.test_act import client_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("kings_bots", "settled_chance")]

RULES = "/rules/kings/"
MOST_WORDS = 35  # read in ten seconds


@pytest.fixture(name="anchors")
def fixture_anchors() -> set[str]:
    """Every place on the rules page that a link can lead to."""
    return set(re.findall(r'\bid="([^"]+)"', Client().get(reverse("rules_of", args=["kings"])).text))


def sentences(text: str) -> list[str]:
    return re.split(r"(?<=[.!]) ", text)


# ---- what may I do?


def test_every_question_says_what_to_do():
    assert set(QUESTIONS) == set(ANSWERS)  # a steward has an answer to every question of the game
    for question, (title, how) in QUESTIONS.items():
        assert title and how.endswith("."), question


# ---- lessons


def test_every_phase_and_every_question_has_a_lesson():
    assert set(coach.LESSONS) >= {*PHASES, "setup", "winning"}
    assert set(coach.MET) <= set(QUESTIONS)
    assert {name for names in coach.MET.values() for name in names} <= set(coach.LESSONS)
    first = {
        "start",
        "claim",
        "tower",
        "place",
        "bribe",
        "ready",
        "losses",
        "retreat",
        "react",
        "draw",
        "march",
        "build",
    }
    assert first <= set(coach.MET)


def test_the_coach_points_only_at_what_the_page_has():
    assert set(coach.POINTS) <= set(coach.LESSONS)
    page = client_of("ann").get(k.kings().get_absolute_url()).text
    drawn = [at for at in coach.POINTS.values() if at.startswith("#")]
    assert drawn and all(f'id="{at[1:]}"' in page for at in drawn)


def test_no_lesson_is_out_of_reach():
    met = {name for names in coach.MET.values() for name in names}
    assert set(coach.LESSONS) == met | set(PHASES) | {"setup", "winning"}


def test_lessons_are_read_in_ten_seconds_and_lead_to_the_rules(anchors: set[str]):
    for name, lesson in coach.LESSONS.items():
        assert lesson.words.endswith(".") and lesson.tip.endswith("."), name
        assert 10 <= len(f"{lesson.words} {lesson.tip}".split()) <= MOST_WORDS, name
        assert lesson.rule in anchors, (name, lesson.rule)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_lessons_name_the_income_a_citadel_takes(players: int):
    needed = needed_for_citadel(k.state_of(k.kings(*k.NAMES[:players])))
    for name in ("income", "build"):
        assert f"{needed}" in coach.LESSONS[name].words + coach.LESSONS[name].tip
    assert (needed == 15) == (players < 4)


# ---- the legend


def test_the_legend_explains_every_sign():
    text = unescape(re.sub(r"<[^>]+>", "|", coach.legend(RULES)))
    names = {*MARKS.values(), *FORTS[1:], *LAND, SEA, "yellow", "grey", "green", "red", "Black Cloud", "battle"}
    names |= {"contested", "coin", "value", "supported", "bluff", "folded corner", "back", "dashed frame", "face down"}
    assert sorted(name for name in names if f"|{name[0].upper()}{name[1:]}|" not in text) == []


def test_the_legend_leads_to_the_rules(anchors: set[str]):
    links = re.findall(r'href="/rules/kings/#([^"]+)"', coach.legend(RULES))
    assert len(links) == coach.legend(RULES).count("<li>") > 30
    assert sorted(set(links) - anchors) == []


def test_the_legend_is_drawn_with_pictures_that_exist():
    sprite = (Path(settings.BASE_DIR) / "static/art/kings.svg").read_text()
    used = set(re.findall(r'kings[\w.]*\.svg#([\w-]+)"', coach.legend(RULES)))
    assert used > set(MARKS.values()) and sorted(used - set(re.findall(r'id="([^"]+)"', sprite))) == []
    tiles = (Path(settings.BASE_DIR) / "static/art/terrain.svg").read_text()
    shown = set(re.findall(r'terrain[\w.]*\.svg#([\w-]+)"', coach.legend(RULES)))
    assert len(shown) == len(LAND) + 2 and sorted(shown - set(re.findall(r'id="([^"]+)"', tiles))) == []
    assert " style=" not in coach.legend(RULES)


# ---- the page


def test_the_page_has_lessons_legend_and_a_coach_for_everybody():
    game = k.kings()
    for client in (client_of("ann"), Client()):
        page = client.get(game.get_absolute_url()).text
        (url,) = re.findall(r'data-handbook="(/rules/kings/handbook-\w+\.js)"', page)
        answer = client.get(url)
        told = json.loads(answer.text.removeprefix("export default ").strip().removesuffix(";"))
        lessons = {name: told[name] for name in ("lessons", "met", "points", "taught", "script")}
        assert lessons == json.loads(json.dumps(coach.lessons()))
        assert told["legend"] == coach.legend(RULES) and told["cards"]["ogre"][0] == "Creature of the mountain"
        assert "immutable" in answer["Cache-Control"] and "Cookie" not in answer.get("Vary", "")
        assert 'data-coach="toggle"' in page and 'data-coach="again"' in page and 'data-dialog="legend"' in page
        (card,) = re.findall(r'<div id="coach".*?>', page)
        assert 'role="note"' in card and " hidden" in card


def test_every_phase_of_the_bar_tells_what_happens_in_it():
    game = k.kings()
    k.play_on(game, "phases", lambda state: state.extras["turn"] == 1)
    page = client_of("ann").get(game.get_absolute_url()).text
    bar = page[page.index('<ol class="phase-bar"') :].split("</ol>")[0]
    assert set(re.findall(r'<button [^>]*data-lesson="(\w+)"', bar)) == set(PHASES)
    assert re.search(r'<li class="now"[^>]*><button ', bar)


def test_the_handbook_of_an_older_page_is_asked_for_again():
    answer = Client().get(f"{RULES}handbook-0123456789ab.js")
    assert answer.status_code == 200 and answer["Cache-Control"] == "no-cache"
    assert Client().get("/rules/gambit/handbook-0123456789ab.js").status_code == 404


# ---- the rules are linked from everywhere


def test_table_lobby_and_refusals_lead_to_the_rules(anchors: set[str]):
    page = client_of("ann").get(k.kings().get_absolute_url()).text
    for part in ('id="coach"', 'id="legend"', 'id="card"', 'id="facts"'):
        assert f'href="{RULES}' in page[page.index(part) :].split("</dialog>")[0].split("</aside>")[0], part
    way = Client().get(reverse("lobby")).text
    assert f'href="{RULES}"' in way
    refused = IllegalAction("crowded", place="h1", most=10)
    assert f'href="{RULES}#{refused.rule}"' in tables.refusal(refused, RULES) and refused.rule in anchors
