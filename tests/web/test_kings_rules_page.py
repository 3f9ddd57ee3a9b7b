"""The rules of Kings & Things* as a page: every paragraph a player can be sent to is there, and says what is played."""

from __future__ import annotations

import re
from collections import Counter
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from games.engine.core.refusals import REASONS
from games.engine.kings import KINGS
from games.engine.kings.catalogue import CREATURES, EVENTS, FORT_COPIES, FORTS, HEROES, KINDS, LAND, MAGIC
from games.engine.kings.orders import ORDERS
from games.engine.kings.scenario import run_text
from games.painting.kings import rules
from games.painting.kings.board import picture_of
from tests.rules_table import CHOICES, PARTS, rows

pytestmark = pytest.mark.django_db

FRAMES = {frame.rule for frame in KINGS.frames.kinds.values()}
EVENT_RULES = {kind.rule for kind in KINGS.event_kinds().values()}
REFUSALS = {reason.rule for reason in REASONS.values() if not reason.rule.startswith("G")}  # those of Gambit
TABLED = {rule.split(" ")[0] for text in PARTS.values() for rule, *_ in rows(text)}


@pytest.fixture
def shown() -> str:
    response = Client().get(reverse("rules_of", args=["kings"]))
    assert response.status_code == 200
    return response.text


def ids_in(text: str) -> Counter[str]:
    return Counter(re.findall(r'\bid="([^"]+)"', text))


def words_of(text: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", text)).split())


@pytest.mark.parametrize("rules", [FRAMES, EVENT_RULES, REFUSALS, TABLED], ids=["frames", "events", "refusals", "docs"])
def test_every_rule_a_player_can_meet_has_a_place(shown: str, rules: set[str]):
    named = rules - {""}
    assert len(named) > 10
    assert sorted(named - set(ids_in(shown))) == []


def test_no_place_is_there_twice_and_no_link_leads_nowhere(shown: str):
    ids = ids_in(shown)
    assert [name for name, count in ids.items() if count > 1] == []
    links = set(re.findall(r'href="#([^"]+)"', shown))
    assert len(links) > 15 and sorted(links - set(ids)) == []


def test_every_section_is_in_the_contents(shown: str):
    contents, text = shown.split("</nav>", 2)[1:]
    sections = re.findall(r'<section id="([^"]+)">', text)
    assert len(sections) > 20
    assert re.findall(r'href="#([^"]+)"', contents[contents.index("rules-contents") :]) == sections


@pytest.mark.parametrize("kinds", [[h for pair in HEROES for h in pair], EVENTS, MAGIC], ids=["hero", "event", "magic"])
def test_every_hero_event_and_item_has_a_card_with_picture_and_words(shown: str, kinds):
    for kind in kinds:
        card = re.search(rf'<section class="card rule-card" id="{kind.slug}">(.*?)</section>', shown, re.S)
        assert card and f"#{picture_of(kind)}" in card[1], kind.name
        told = words_of(card[1].split("</h3>")[1])
        assert len(told) > 30, kind.name


def test_words_are_there_for_kinds_that_exist_and_need_them():
    assert set(rules.WORDS) <= set(KINDS) and set(rules.ALSO) <= set(rules.WORDS)
    wordless = {h.slug for pair in HEROES for h in pair} - set(rules.WORDS)
    assert all(KINDS[slug].lord_of or "*" not in KINDS[slug].symbols for slug in wordless)
    assert {kind.slug for kind in (*EVENTS, *MAGIC)} <= set(rules.WORDS)


def test_heroes_name_who_is_on_their_other_side(shown: str):
    for front, back in HEROES:
        card = shown[shown.index(f'id="{front.slug}"') :].split("</section>")[0]
        assert f"Other side: {back.name}." in words_of(card)


def test_all_creatures_are_listed_by_terrain(shown: str):
    tables = re.findall(r'<table class="home .*?</table>', shown, re.S)
    assert len(tables) == len(LAND)
    for terrain, table in zip(LAND, tables):
        found = re.findall(r'<th scope="row">(?:(\d+)× )?(.*?)</th>.*?class="value">(\d)</td>', table, re.S)
        listed = Counter((unescape(name), int(value), int(copies or 1)) for copies, name, value in found)
        assert listed == Counter((k.name, k.value, k.copies) for k in CREATURES if k.terrain == terrain)


def test_the_box_is_counted_as_it_is(shown: str):
    words = words_of(shown)
    things = sum(kind.copies for kind in KINDS.values() if kind.sort != "hero")
    assert f"All {things} Things" in words and "22 special income counters" in words
    numbers = {10: "ten", 8: "eight", 6: "six"}
    for level, copies in FORT_COPIES.items():
        assert re.search(rf"{numbers[copies]} {FORTS[level]}s", words)


def test_options_and_standing_orders_are_those_of_the_game(shown: str):
    words = words_of(shown)
    for option in KINGS.options:
        assert option.label in words and all(choice in words for choice in option.choices.values())
        usual = re.search(rf'id="option-{option.name}".*?<strong>(.*?)</strong>', shown, re.S)
        assert usual and unescape(usual[1]) == option.choices[option.default]
    for order in ORDERS.values():
        assert order.label in words and all(choice in words for choice in order.choices.values())


def test_what_we_chose_is_what_the_docs_say(shown: str):
    assert list(rules.CHOSEN) == CHOICES.strip().splitlines()
    assert all(line in words_of(shown) for line in rules.CHOSEN)


BATTLE = rules.BattleExample()
EXAMPLE = f"""title: The battle of the rules page
phase: combat
turn: 2
h2 desert A
h8 forest A
h10 swamp B
h3 plains B tower: {" ".join(BATTLE.defenders)} | A {" ".join(BATTLE.attackers)}
dice: 4 2              # magic: genie, basilisk
expect: asks A B losses
A lose nomads
dice: 3 1              # ranged: elves, hunters
B lose fort
dice: 4 2 5            # melee: green knight twice, farmers
A lose elves_r2
B lose hunters farmers
A done
dice: 3                # the tower is not damaged
B retreat h10
expect: h3 owner A
expect: h3 fort tower
expect: h3 damage 0
expect: h3 holds A: genie/down green_knight/down
expect: h10 holds B: basilisk/down
"""


def test_the_battle_of_the_page_can_be_fought_so():
    assert [str(failure) for failure in run_text(EXAMPLE)] == []


def test_the_battle_of_the_page_shows_its_counters_and_dice(shown: str):
    told = shown[shown.index('id="battle-example"') :].split("</ol>")[0]
    assert re.findall(r'data-kind="(\w+)"', told) == [*BATTLE.attackers, *BATTLE.defenders]
    dice = [line.split(":")[1].split("#")[0].split() for line in EXAMPLE.splitlines() if line.startswith("dice")]
    steps = re.findall(r"<li>(.*?)</li>", told, re.S)
    for faces, step in zip(dice, (steps[0], steps[1], steps[2], steps[4])):
        rolled = re.findall(r"\ba (\d)\b", step)
        assert rolled == faces


def test_the_starts_are_those_of_the_maps(shown: str):
    maps = re.findall(r'<svg class="kings-board still starts".*?</svg>', shown, re.S)
    assert [(m.count("<polygon"), m.count("★")) for m in maps] == [(37, 4), (19, 6)]


def test_the_page_keeps_to_the_policy(shown: str):
    """No inline style or script: the Content-Security-Policy would drop them."""
    assert " style=" not in shown and "<script>" not in shown and not re.search(r"\son\w+=", shown)


@pytest.mark.parametrize("page", ["rules", "lobby"])
def test_other_pages_lead_there(page: str):
    assert f'href="{reverse("rules_of", args=["kings"])}"' in Client().get(reverse(page)).text
