"""The map under the hand: dragging, what a way costs, why not, one's own kingdom, and earlier positions."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games.painting.kings.places import titled
from tests.browser import PHONE, People
from tests.kings_hand import Hand
from tests.kings_site import sits, stood
from tests.kings_tables import MARCH
from tests.server import Server

pytestmark = pytest.mark.browser

PLACE = """
    players: 2
    phase: things
    turn: 2
    h1 plains A
    h2 desert A
    h12 swamp B
    rack A: ogre farmers
    gold A: 0
"""
BUILD = """
    players: 2
    phase: build
    turn: 2
    h1 plains A keep
    h2 desert A
    h12 swamp B
    gold A: 20
"""
TABLES = {"march": MARCH, "drag": MARCH, "why": MARCH, "place": PLACE, "build": BUILD}


@pytest.fixture(scope="module", name="tables")
def fixture_tables(site: Server) -> dict[str, Any]:
    return stood(site, TABLES)


def middle(page: Page, selector: str) -> tuple[float, float]:
    box = page.locator(selector).first.bounding_box()
    assert box, selector
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, source: str, target: str) -> None:
    page.mouse.move(*middle(page, source))
    page.mouse.down()
    page.mouse.move(*middle(page, "#hex-h1 .ground"), steps=3)
    page.mouse.move(*middle(page, target), steps=3)
    expect(page.locator(".drag-ghost .counter").first).to_be_visible()  # what is dragged is shown
    assert page.locator(".drag-ghost button").count() == 0
    page.mouse.up()
    expect(page.locator(".drag-ghost")).to_have_count(0)


def costs(page: Page) -> dict[str, str]:
    """Read all prices in one go: a preview may draw them anew between two readings."""
    return page.evaluate("""() => Object.fromEntries(
        [...document.querySelectorAll('#board .cost')].map(e => [e.closest('.hex').dataset.place, e.textContent]))""")


def test_the_way_shows_its_price_and_counters_what_they_have_left(people: People, tables: dict[str, Any]):
    ann = sits(people, tables["march"], "ann").page
    hand = Hand(ann)
    hand.hex("h1")
    expect(ann.locator("#hex-h2 .cost")).to_have_text("1")
    told = costs(ann)
    assert told["h4"] == "2" and told["h5"] == "1" and "h3" not in told
    expect(ann.locator("#in-h1 .name[data-left='4 left']")).to_have_count(2)
    ann.keyboard.press("Escape")
    expect(ann.locator("#board .cost")).to_have_count(0)


def test_a_stack_is_dragged_to_where_it_marches(people: People, tables: dict[str, Any]):
    ann = sits(people, tables["drag"], "ann").page
    hand = Hand(ann)
    drag(ann, "#hex-h1 .ground", "#hex-h2 .ground")
    expect(ann.locator("#log li").last).to_contain_text(f"moves 2 from {hand.named('h1')} to {hand.named('h2')}")
    # One that is let go where it cannot go stays, and is told why.
    drag(ann, "#hex-h2 .ground", "#hex-h3 .ground")
    expect(ann.locator("#why-not")).to_contain_text("Only flyers can cross the sea")
    expect(ann.locator("#why-not a")).to_have_attribute("href", "/rules/kings/#9.25")
    expect(ann.locator("#hex-h2 .chit")).to_have_count(2)


def test_a_counter_is_dragged_from_the_rack_and_placed_when_confirmed(people: People, tables: dict[str, Any]):
    ann = sits(people, tables["place"], "ann").page
    hand = Hand(ann)
    hand.play(lambda hand: hand.question == "place")
    drag(ann, "#rack .counter[data-kind=ogre]", "#hex-h2 .ground")
    expect(hand.controls().get_by_role("button", name=f"Do not place Ogre 2 in {hand.named('h2')}")).to_be_visible()
    expect(ann.locator("#hex-h2 .chit")).to_have_count(0)
    hand.controls("[data-key=place]").click()
    expect(ann.locator("#hex-h2 .chit")).to_have_count(1)


def test_pressing_what_is_not_allowed_tells_why(people: People, tables: dict[str, Any]):
    ann = sits(people, tables["why"], "ann").page
    hand = Hand(ann)
    hand.hex("h1")
    hand.hex("h3")
    expect(ann.locator("#why-not")).to_contain_text("Only flyers can cross the sea")
    ann.keyboard.press("Escape")
    expect(ann.locator("#why-not")).to_be_empty()
    bob = sits(people, tables["why"], "bob").page  # bob is not asked, and nothing is explained that nobody tried
    asked: list[str] = []
    bob.on("request", lambda request: asked.append(request.url))
    Hand(bob).hex("h3")
    expect(bob.locator("#hex-panel")).to_be_visible()
    expect(bob.locator("#why-not")).to_be_empty()
    assert not any(url.endswith("/why/") for url in asked)


def test_names_that_are_too_small_to_read_are_shown_when_the_map_is_larger(people: People, tables: dict[str, Any]):
    ann = sits(people, tables["why"], "ann", **PHONE).page
    name = ann.locator("#hex-h1 text.place")
    expect(name).to_be_hidden()
    for _ in range(3):
        ann.keyboard.press("+")
    expect(name).to_be_visible()
    ann.keyboard.press("0")
    expect(name).to_be_hidden()


def test_a_fort_says_what_it_costs_and_brings(people: People, tables: dict[str, Any]):
    ann = sits(people, tables["build"], "ann").page
    controls, hand = ann.locator("#controls"), Hand(ann)
    for place, brings in (
        ("h1", "plains: castle, 5 gold, +1 income, defends with 3"),
        ("h2", "desert: tower, 5 gold, +1 income, defends with 1"),
    ):
        expect(controls).to_contain_text(f"{titled(hand.named(place))}, {brings}")
    hand.hex("h12")
    expect(ann.locator("#why-not")).to_contain_text(f"Choose a land hex you own: {hand.named('h12')} isn’t one.")


def test_ones_own_kingdom_is_shown_on_demand(people: People, tables: dict[str, Any]):
    ann = sits(people, tables["build"], "ann").page
    ann.get_by_role("button", name="Mine").first.click()
    mine = ann.eval_on_selector_all("#board .hex.mine", "all => all.map(each => each.dataset.place)")
    assert sorted(mine) == ["h1", "h2"]
    ann.get_by_role("button", name="Mine").first.click()
    expect(ann.locator("#board .hex.mine")).to_have_count(0)


def test_the_past_lies_over_the_map_and_the_log_leads_there(people: People, tables: dict[str, Any]):
    ann = sits(people, tables["march"], "ann").page
    hand = Hand(ann)
    hand.hex("h1")
    hand.hex("h2")
    expect(ann.locator("#log li").last).to_contain_text("moves 2")
    ann.get_by_role("button", name="Past").click()
    steps = ann.locator(".past-steps")
    expect(steps).to_contain_text("moves 2")
    expect(ann.locator("#past .hex")).not_to_have_count(0)
    ann.keyboard.press("ArrowLeft")
    expect(steps).not_to_contain_text("moves 2")
    expect(ann.locator("#past title", has_text="Farmers").first).to_have_text(
        f"{titled(hand.named('h1'))} (h1), plains; of Yellow; Ogre 2 (Yellow, face down); Farmers 1 (Yellow, face down)"
    )
    ann.keyboard.press("Escape")
    expect(ann.locator("#past")).to_be_empty()
    ann.locator("#log li > span", has_text="moves 2").click()
    expect(steps).to_contain_text("moves 2")
    ann.get_by_role("button", name="Back to now").click()
    expect(ann.locator("#past")).to_be_empty()
