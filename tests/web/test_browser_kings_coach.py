"""The coach of Kings & Things* in a real browser: it comes once, keeps out of the way, and can be sent away."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import PHONE, People
from tests.kings_hand import Hand, item
from tests.kings_site import sits, stood
from tests.server import Server

pytestmark = pytest.mark.browser

HEROES = """
    players: 2
    phase: heroes
    turn: 2
    h1 plains A: farmers
    h2 desert A
    h12 swamp B
    gold A: 30
    pool: dwarf_king jungle_lord
"""
BATTLE = """
    players: 2
    phase: combat
    turn: 2
    h2 desert A
    h8 forest A
    h10 swamp B
    h3 plains B tower: basilisk hunters farmers | A genie elves_r2 green_knight nomads
    dice: 4 2
"""
TABLES = {"heroes": HEROES, "left": HEROES, "battle": BATTLE}


@pytest.fixture(scope="module", name="tables")
def fixture_tables(site: Server) -> dict[str, Any]:
    """Ann is asked for a hero, twice, and who of hers is hit. Nobody plays on but at the table that is left."""
    return stood(site, TABLES)


def title(page: Page) -> Locator:
    return page.locator("#coach-title")


def got_it(page: Page) -> None:
    page.get_by_role("button", name="Got it").click()


def coach(page: Page) -> Locator:
    return item(page, "Coach")


def seen(page: Page) -> list[str]:
    return (page.evaluate("localStorage.getItem('coach-seen')") or "").split()


def test_a_lesson_comes_once_and_does_not_take_the_focus(people: People, tables: dict[str, Any]):
    ann = sits(people, tables["heroes"], "ann").page
    expect(title(ann)).to_have_text("Heroes")  # what is asked comes first
    assert ann.evaluate("document.activeElement === document.body")
    expect(ann.locator("#spoken")).to_have_text("Coach: Heroes")
    assert ann.locator("#coach").get_attribute("role") == "note"
    above, below = (ann.locator(each).bounding_box() for each in ("#controls", "#coach"))
    assert above and below and above["y"] + above["height"] <= below["y"]  # never in the way of what is asked
    expect(ann.get_by_role("link", name="More in the rules")).to_have_attribute("href", "/rules/kings/#6")
    expect(ann.locator(".coached")).to_have_class(re.compile("heroes-to-pick"))  # it points at what it talks about
    got_it(ann)
    expect(title(ann)).to_have_text("Gold")  # then what was collected before, without anybody being asked
    expect(ann.locator(".coached")).to_have_id("purse")
    got_it(ann)
    expect(ann.locator("#coach")).to_be_hidden()
    expect(ann.locator(".coached")).to_have_count(0)
    ann.reload()
    expect(ann.locator("#controls > *")).not_to_have_count(0)
    expect(ann.locator("#coach")).to_be_hidden()


def test_what_has_been_done_is_understood(people: People, tables: dict[str, Any]):
    ann, bob = (sits(people, tables["left"], name).page for name in ("ann", "bob"))
    expect(bob.locator("#coach")).to_be_hidden()  # nothing has come to bob yet
    got_it(ann)
    expect(title(ann)).to_have_text("Gold")
    Hand(ann).done()
    expect(ann.locator("#coach")).to_be_hidden()
    assert seen(ann) == ["heroes", "income"]
    expect(title(bob)).to_have_text("Heroes")
    assert seen(bob) == []


def test_the_coach_can_be_switched_off_and_on(people: People, tables: dict[str, Any]):
    ann = sits(people, tables["heroes"], "ann").page
    expect(coach(ann)).to_have_attribute("aria-pressed", "true")
    ann.get_by_role("button", name="Switch the coach off").click()
    expect(ann.locator("#coach")).to_be_hidden()
    expect(coach(ann)).to_have_attribute("aria-pressed", "false")
    ann.reload()
    expect(ann.locator("#controls > *")).not_to_have_count(0)
    expect(coach(ann)).to_have_attribute("aria-pressed", "false")
    expect(ann.locator("#coach")).to_be_hidden()
    coach(ann).click()
    expect(title(ann)).to_have_text("Heroes")


def test_explain_again_works_by_keys_alone_and_gives_the_focus_back(people: People, tables: dict[str, Any]):
    ann = sits(people, tables["heroes"], "ann").page
    ann.get_by_role("button", name="Switch the coach off").click()
    item(ann, "Explain again").focus()
    ann.keyboard.press("Enter")
    expect(title(ann)).to_have_text("Heroes")
    expect(ann.locator("#coach")).to_be_focused()
    expect(ann.get_by_role("button", name="Switch the coach off")).to_have_count(0)  # it is off
    ann.keyboard.press("Tab")
    ann.keyboard.press("Enter")
    expect(ann.locator("#coach")).to_be_hidden()
    expect(ann.locator("#menu > summary")).to_be_focused()


def test_a_phase_of_the_bar_tells_what_happens_in_it(people: People, tables: dict[str, Any]):
    ann = sits(people, tables["heroes"], "ann").page
    ann.locator("#phases").get_by_role("button", name="Build").click()
    expect(title(ann)).to_have_text("Construction")
    expect(ann.locator("#coach-rules")).to_have_attribute("href", "/rules/kings/#12")


def test_whoever_watches_is_told_only_if_he_likes(people: People, tables: dict[str, Any]):
    eve = sits(people, tables["battle"], "eve").page
    expect(eve.locator("#prompt")).to_contain_text("Waiting")
    expect(eve.locator("#coach")).to_be_hidden()
    coach(eve).click()
    expect(title(eve)).to_have_text("Battles and explorations")
    expect(title(eve)).to_be_in_viewport()


def test_a_battle_is_explained_to_whoever_fights(people: People, tables: dict[str, Any]):
    ann = sits(people, tables["battle"], "ann").page
    expect(title(ann)).to_have_text("A battle")
    got_it(ann)
    expect(title(ann)).to_have_text("Taking hits")


def test_what_is_suggested_is_ringed_on_the_map(people: People, tables: dict[str, Any]):
    """Only while its button is under the pointer or has the focus, also when the controls are drawn anew."""
    ann = sits(people, tables["battle"], "ann").page
    suggested, ringed = ann.locator("#controls [data-points]").first, ann.locator("#board .hex.pointed")
    expect(ringed).to_have_count(0)
    suggested.hover()
    expect(ringed).to_have_id("hex-h3")
    ann.mouse.move(2, 2)
    expect(ringed).to_have_count(0)
    suggested.focus()
    expect(ringed).to_have_id("hex-h3")
    ann.locator("#controls [data-chip]").first.click()
    ann.locator("#controls [data-chip]").first.evaluate("each => each.blur()")
    ann.mouse.move(2, 2)
    expect(ringed).to_have_count(0)


def test_on_a_phone_coach_and_buttons_leave_the_map_alone(people: People, tables: dict[str, Any]):
    ann = sits(people, tables["heroes"], "ann", **PHONE).page
    expect(ann.locator("#coach")).to_be_visible()
    card, frame = ann.evaluate(
        """() => { const box = (each) => document.querySelector(each).getBoundingClientRect();
        return [box('#coach').top, box('#board-frame').bottom]; }"""
    )
    assert card >= frame
    assert ann.evaluate("document.documentElement.scrollWidth") <= 360
    got_it(ann)
    got_it(ann)
    item(ann, "Explain again").tap()
    expect(title(ann)).to_be_in_viewport()
    card, frame = ann.evaluate(
        "['#coach-title', '#board-frame'].map((each) => document.querySelector(each).getBoundingClientRect())"
    )
    assert card["top"] >= frame["bottom"]  # the map stays in sight, and not in front of it
    item(ann, "Legend").tap()
    box = ann.get_by_role("dialog", name="Legend").bounding_box()
    assert box and box["x"] >= 0 and box["x"] + box["width"] <= 360


def test_the_legend_and_help_cards_show_the_symbols(people: People, tables: dict[str, Any]):
    ann = sits(people, tables["battle"], "ann").page
    item(ann, "Legend").click()
    legend = ann.get_by_role("dialog", name="Legend")
    expect(legend.get_by_role("link", name="Flying")).to_be_visible()
    sizes = legend.locator(".legend-picture").evaluate_all("all => all.map(each => each.getBoundingClientRect().width)")
    assert len(sizes) > 30 and min(sizes) > 30
    ann.keyboard.press("Escape")
    counter = ann.locator("#battle button.counter[data-kind]:has(.mark)").first
    symbols = counter.locator(".mark use").evaluate_all("all => all.map(each => each.getAttribute('href'))")
    counter.click(button="right")
    for at, symbol in enumerate(symbols):
        line = ann.locator("#card-lines li").nth(at)
        expect(line.locator("use")).to_have_attribute("href", symbol)
        expect(line).to_contain_text(re.compile(f"^{symbol.split('#')[1]}", re.IGNORECASE))
