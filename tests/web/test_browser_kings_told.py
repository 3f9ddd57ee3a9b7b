"""What the page of Kings & Things* tells without being asked, and what a hasty hand cannot do: in a real browser."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from games.painting.kings.places import titled
from tests.browser import People
from tests.kings_site import at, confirmed, sits, stood
from tests.server import Server

pytestmark = pytest.mark.browser

TABLES = {
    "citadel": """
        phase: march
        turn: 5
        sole: B 4
        h2 swamp A: thing
        h12 plains B citadel: farmers
    """,
    "meanwhile": """
        phase: march
        turn: 5
        h2 swamp A: thing pirates
        h3 plains A
        h12 plains B: farmers
        h13 plains B
        gold A: 20
    """,
    "village": """
        phase: march
        turn: 5
        h1 plains A: village
        h2 swamp A: thing
        h12 plains B: watersnake
    """,
    "hero": """
        phase: heroes
        turn: 5
        gold A: 60
        h1 plains A: farmers
        h2 swamp A
        h12 plains B: farmers
        dice: 3 3
        A recruit assassin_primus gold 40
    """,
    "rack": """
        phase: things
        turn: 5
        rack A: farmers thing farmlands
        h1 plains A: farmers village
        h2 swamp A
        h12 plains B: farmers
    """,
    "full": """
        phase: things
        turn: 5
        rack A: farmers x2
        h1 plains A: thing pirates ghost watersnake basilisk killer_racoon dark_wizard vampire_bat ogre
        h2 swamp A
        h12 plains B: farmers
    """,
}


@pytest.fixture(scope="module", name="tables")
def fixture_tables(site: Server) -> dict[str, Any]:
    return stood(site, TABLES)


# ---- told


def test_everybody_sees_that_somebody_is_about_to_win(people: People, tables: dict[str, Any]):
    for name in ("ann", "eve"):
        page = sits(people, tables["citadel"], name).page
        expect(page.locator("#prompt .warning")).to_contain_text("bob holds the only citadel and will win")
        expect(page.locator("#player-1")).to_contain_text("Only citadel: wins this turn")
        expect(page.locator("#player-0")).not_to_contain_text("citadel")


def test_who_watches_is_told_so_and_offered_nothing_of_a_players(people: People, tables: dict[str, Any]):
    eve = sits(people, tables["citadel"], "eve").page
    expect(eve.locator("#prompt")).to_contain_text("You are watching.")
    expect(eve.locator("[data-mine], #tab-orders, [data-dialog=resign]")).to_have_count(0)
    ann = sits(people, tables["citadel"], "ann").page
    expect(ann.locator("#prompt")).not_to_contain_text("watching")
    expect(ann.locator("[data-mine], #tab-orders")).to_have_count(2)


def test_who_is_asked_again_reads_what_happened_meanwhile(people: People, tables: dict[str, Any]):
    ann, bob = (at(people, tables["meanwhile"], name) for name in ("ann", "bob"))
    expect(ann.page.locator("#meanwhile")).to_be_hidden()
    ann.done()
    expect(bob.page.locator("#prompt")).to_contain_text("Move your counters")
    bob.hex("h12")
    bob.hex("h13")
    expect(bob.page.locator("#hex-h13 .chit")).not_to_have_count(0)
    expect(bob.page.locator("#meanwhile")).to_be_hidden()  # bob is just doing it
    bob.done()
    expect(ann.page.locator("#prompt")).to_contain_text("Build?")
    source, target = ann.named("h12"), ann.named("h13")
    expect(ann.page.locator("#meanwhile")).to_contain_text(f"bob moves 1 from {source} to {target}.")


# ---- placing


def test_a_hero_just_won_is_placed_by_pressing_a_hex(people: People, tables: dict[str, Any]):
    ann = at(people, tables["hero"])
    assert set(ann.lit("target")) == {"h1", "h2"} and ann.question == "station_hero"
    ann.hex("h2")
    confirmed(ann, f"Place Assassin Primus 4 in {ann.named('h2')}, swamp")
    expect(ann.page.locator("#in-h2 [data-kind=assassin_primus]")).to_have_count(1)
    assert ann.did == {"place": 1}


def test_what_is_about_to_be_placed_is_seen_on_map_and_rack(people: People, tables: dict[str, Any]):
    ann = at(people, tables["rack"])
    ann.controls("[data-key=draw]").click()
    expect(ann.page.locator("#prompt")).to_contain_text("Place counters")
    expect(ann.controls()).to_contain_text("no hex for now that takes Farmlands")
    ann.press(".chip[data-chip]:has-text('Farmers')")
    ann.hex("h2")
    expect(ann.page.locator("#hex-h2 .cost.planned")).to_have_text("+1")
    to = f"→ {titled(ann.named('h2'))}"
    expect(ann.page.locator("#rack .counter.planned .name")).to_have_attribute("data-left", to)
    expect(ann.controls("[data-do=done]")).to_have_count(0)
    ann.controls("[data-key=place]").click()
    expect(ann.page.locator("#hex-h2 .chit")).to_have_count(1)
    expect(ann.page.locator(".planned")).to_have_count(0)
    expect(ann.controls("[data-do=done]")).to_contain_text("on your rack")
    assert ann.did == {"draw": 1, "place": 1} and not ann.refused


def test_no_hex_is_lit_that_cannot_take_all_of_them(people: People, tables: dict[str, Any]):
    ann = at(people, tables["full"])
    ann.controls("[data-key=draw]").click()
    expect(ann.page.locator("#prompt")).to_contain_text("Place counters")
    farmers = ann.controls(".chip[data-chip]", has_text="Farmers")
    farmers.nth(0).click()
    ann.settled()
    assert {"h1", "h2"} <= set(ann.lit("target"))  # nine are in h1: one more has room there
    farmers.nth(1).click()
    ann.settled()
    assert "h1" not in ann.lit("target") and "h2" in ann.lit("target")


# ---- a hasty hand


def test_the_second_press_of_a_double_click_does_nothing(people: People, tables: dict[str, Any]):
    """It may meet another button than the first: what was under the hand a moment ago is somewhere else now."""
    ann = at(people, tables["citadel"])
    done = ann.controls("[data-do=done]")
    revision = ann.state["revision"]
    done.dispatch_event("click", {"detail": 2, "bubbles": True})
    ann.page.wait_for_timeout(200)
    assert ann.state["revision"] == revision and not ann.did
    done.dispatch_event("click", {"detail": 1, "bubbles": True})
    expect(ann.page.locator("#page-state")).not_to_have_attribute("data-revision", revision)


def test_asking_to_confirm_moves_nothing_under_the_hand(people: People, tables: dict[str, Any]):
    ann = at(people, tables["village"])
    ann.controls("summary", has_text="Return special income").click()
    pressed = ann.controls().get_by_role("button", name="Return the Village")
    before = pressed.bounding_box()
    pressed.click()
    expect(ann.controls(".confirm")).to_be_visible()
    assert pressed.bounding_box() == before


def test_news_of_something_else_leave_the_button_that_is_being_pressed(people: People, tables: dict[str, Any]):
    """A browser makes a click only of a press and a release upon the same element."""
    ann, bob = (at(people, tables["citadel"], name) for name in ("ann", "bob"))
    button = ann.controls("button").first.element_handle()
    bob.page.get_by_role("tab", name="Chat").click()
    bob.page.locator("#panel-chat [name=text]").fill("Hurry up!")
    bob.page.keyboard.press("Enter")
    expect(ann.page.locator("#talk")).to_contain_text("Hurry up!")
    assert button.evaluate("(button) => button.isConnected")


def test_a_part_just_unfolded_stays_open_when_the_next_press_comes_at_once(people: People, tables: dict[str, Any]):
    ann = at(people, tables["village"])
    fold = ann.controls("details", has_text="Return special income")
    press_both = "(fold) => { fold.querySelector('summary').click(); fold.querySelector('button').click(); }"
    fold.evaluate(press_both)
    expect(ann.controls(".confirm")).to_be_visible()
    assert fold.get_attribute("open") is not None
