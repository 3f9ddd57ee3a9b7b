"""What players of Kings & Things* may do besides what they are asked, pressed in a real browser; leaving; wishes."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser import PHONE, People, Person
from tests.kings_hand import Hand, item, live
from tests.kings_site import at, comes, confirmed, in_hex, sits, stood
from tests.server import Server

pytestmark = pytest.mark.browser

LEAVING = """
    players: 3
    phase: march
    turn: 5
    waiting: never
    h2 swamp A tower: thing
    h12 plains B: watersnake
    h14 desert C: nomads
"""

MARCH = """
    phase: march
    turn: 5
    h2 swamp A: thing pirates
    h3 plains A
    h12 plains B: watersnake
"""

TABLES = {
    "march": MARCH,
    "wishes": MARCH,
    "treasure": """
        phase: heroes
        turn: 5
        rack A: diamond emerald treasure_chest
        h1 plains A: farmers
        h12 plains B: watersnake
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
        h1 plains A: deerhunter farmers
        h12 plains B: watersnake
    """,
    "steward": LEAVING + "resigned: steward",
    "removed": LEAVING + "resigned: remove",
}


@pytest.fixture(scope="module", name="tables")
def fixture_tables(site: Server) -> dict[str, Any]:
    return stood(site, TABLES)


def is_as_before(hand: Hand, revision: str) -> None:
    """Nothing was sent, and nothing has happened."""
    assert hand.state["revision"] == revision and not hand.did and not hand.refused


# ---- besides


def test_a_step_is_taken_back(people: People, tables: dict[str, Any]):
    ann, bob = (at(people, tables["march"], name) for name in ("ann", "bob"))
    expect(ann.controls("[data-do=undo]")).to_have_count(0)
    ann.hex("h2")
    ann.hex("h3")
    for page in (ann.page, bob.page):
        expect(page.locator("#hex-h3 .chit")).not_to_have_count(0)
        expect(page.locator("#hex-h2 .chit")).to_have_count(0)
    expect(bob.controls("[data-do=undo]")).to_have_count(0)
    ann.controls().get_by_role("button", name="Take back the last step").click()
    for page in (ann.page, bob.page):
        expect(page.locator("#hex-h3 .chit")).to_have_count(0)
        expect(page.locator("#hex-h2 .chit")).not_to_have_count(0)
        expect(page.locator("#log li").last).to_contain_text("take")
    expect(ann.controls("[data-do=undo]")).to_have_count(0)
    ann.hex("h2")
    expect(ann.page.locator("#in-h2 .name[data-left='4 left']")).to_have_count(2)  # with all they had
    assert ann.did == {"march": 1, "undo": 1} and not ann.refused


def test_treasure_is_cashed_in_when_confirmed(people: People, tables: dict[str, Any]):
    ann, bob = (at(people, tables["treasure"], name) for name in ("ann", "bob"))
    purse, rack = ann.page.locator("#purse"), ann.page.locator("#rack")
    expect(purse).to_contain_text("0 gold")
    revision = ann.state["revision"]
    ann.controls("summary", has_text="Cash in treasure").click()
    ann.controls().get_by_role("button", name="Cash in the Emerald").click()
    ann.controls().get_by_role("button", name="Cancel").click()
    expect(ann.controls(".confirm")).to_have_count(0)
    is_as_before(ann, revision)
    ann.controls().get_by_role("button", name="Cash in the Emerald").click()
    confirmed(ann, "Cash in the Emerald")
    expect(purse).to_contain_text("10 gold")
    expect(rack.locator("[data-kind=emerald]")).to_have_count(0)
    expect(bob.page.locator("#log")).to_contain_text("Emerald")
    assert ann.question == "recruit" and ann.did == {"cash": 1}  # what was asked is asked still
    rack.locator("[data-kind=treasure_chest]").first.click(button="right")  # the counter's own card offers it, too
    ann.page.locator("#card").get_by_role("button", name="Cash in the Treasure Chest").click()
    expect(ann.page.locator("#card")).to_be_hidden()
    confirmed(ann, "Cash in the Treasure Chest")
    expect(purse).to_contain_text("30 gold")
    expect(rack.locator(".counter")).to_have_count(1)


def test_special_income_is_returned_to_the_cup(people: People, tables: dict[str, Any]):
    ann, bob = (at(people, tables["village"], name) for name in ("ann", "bob"))
    for page in (ann.page, bob.page):
        expect(in_hex(page, "h1", "village")).to_have_count(1)
    ann.controls("summary", has_text="Return special income").click()
    ann.controls().get_by_role("button", name=f"Return the Village in {ann.named('h1')} to the cup").click()
    confirmed(ann, f"Return the Village in {ann.named('h1')} to the cup")
    for page in (ann.page, bob.page):
        expect(in_hex(page, "h1", "village")).to_have_count(0)
        expect(page.locator("#log li").last).to_contain_text("Village")
    assert ann.question == "march" and ann.did == {"remove_income": 1}
    expect(ann.controls("[value*=remove_income]")).to_have_count(0)


def test_a_hero_is_discharged_and_his_other_side_can_be_recruited(people: People, tables: dict[str, Any]):
    ann, bob = (at(people, tables["hero"], name) for name in ("ann", "bob"))
    expect(ann.controls("[data-kind=grand_duke]")).to_have_count(0)
    ann.controls("summary", has_text="Discharge a hero").click()
    ann.controls("[data-fold='Discharge a hero']").get_by_role("button", name="Deerhunter").click()
    expect(ann.controls(".confirm")).to_have_count(0)  # it can be taken back
    for page in (ann.page, bob.page):
        expect(in_hex(page, "h1", "deerhunter")).to_have_count(0)
        expect(page.locator("#pool [data-kind=grand_duke]")).to_have_count(1)
    expect(in_hex(ann.page, "h1", "farmers")).to_have_count(1)
    ann.controls("[data-kind=grand_duke]").click()
    expect(ann.controls("[data-key=roll]")).to_contain_text("Grand Duke")
    assert ann.question == "recruit" and ann.did == {"discharge": 1}


# ---- leaving


def leave(page: Page) -> Any:
    return item(page, "Leave the game")


def dialogue(page: Page) -> Any:
    return page.get_by_role("dialog", name="Leave this game?")


def test_whoever_leaves_is_asked_first_and_a_steward_keeps_the_seat(people: People, tables: dict[str, Any]):
    ann, bob = (at(people, tables["steward"], name) for name in ("ann", "bob"))
    revision = ann.state["revision"]
    leave(ann.page).click()
    expect(dialogue(ann.page)).to_contain_text("a steward takes your seat")
    dialogue(ann.page).get_by_role("button", name="Play on").click()
    expect(dialogue(ann.page)).to_be_hidden()
    leave(ann.page).focus()
    for _ in range(2):  # who presses Enter without reading plays on
        ann.page.keyboard.press("Enter")
    expect(dialogue(ann.page)).to_be_hidden()
    leave(ann.page).click()
    ann.page.keyboard.press("Escape")
    expect(dialogue(ann.page)).to_be_hidden()
    is_as_before(ann, revision)
    leave(ann.page).click()
    dialogue(ann.page).get_by_role("button", name="Leave", exact=True).click()
    expect(ann.page.get_by_role("button", name="Take my seat back")).to_be_visible()
    expect(leave(ann.page)).to_be_hidden()
    expect(ann.controls("button")).to_have_count(0)
    expect(bob.page.locator("#log")).to_contain_text("steward")
    bob.play(lambda hand: hand.question == "march", seconds=30)  # the steward has moved
    assert bob.page.locator("#hex-h2 .fort").count() == 1 and ann.did == {"resign": 1}


def test_on_a_phone_no_hasty_tap_leaves_and_whoever_leaves_is_gone(people: People, tables: dict[str, Any]):
    ann, bob = at(people, tables["removed"], **PHONE), at(people, tables["removed"], "bob")
    revision = ann.state["revision"]
    box = leave(ann.page).bounding_box()
    assert box
    for _ in range(3):
        ann.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    is_as_before(ann, revision)
    if not dialogue(ann.page).is_visible():  # the second tap beside it has closed it again
        leave(ann.page).tap()
    dialogue(ann.page).get_by_role("button", name="Leave", exact=True).tap()
    for page in (ann.page, bob.page):
        expect(page.locator("#hex-h2 .fort")).to_have_count(0)
        expect(page.locator("#hex-h2 .chit")).to_have_count(0)
        expect(page.locator("#page-state")).to_have_attribute("data-over", "no")
    expect(ann.controls("button")).to_have_count(0)
    expect(leave(ann.page)).to_be_hidden()
    bob.play(lambda hand: hand.question == "march", seconds=10)


# ---- wishes, which a browser keeps

WISHES = ("coach", "film", "log", "sound")
FORBID_STORAGE = """Object.defineProperty(globalThis, "localStorage", {
    get() { throw new DOMException("storage is forbidden here", "SecurityError"); } });"""


def wishes(page: Page) -> dict[str, bool]:
    """Which are as they are not in a browser that has never been here: the log of gold only, sound, nothing else."""
    buttons = (item(page, "Coach"), page.locator("[data-log=gold]"), item(page, "Sounds"))
    coach, gold, sound = (button.get_attribute("aria-pressed") == "true" for button in buttons)
    film = page.locator("[data-film-speed]").input_value()
    return dict(zip(WISHES, (not coach, film != "normal", gold, sound)))


def say_other_wishes(page: Page) -> None:
    for button in ("Coach", "Sounds"):
        item(page, button).click()
    page.locator("[data-film-speed]").select_option("off")
    page.get_by_role("button", name="Gold", exact=True).last.click()


def looks_again(person: Person) -> Page:
    person.page.reload()
    live(person.page)
    return person.page


def test_a_browser_keeps_what_one_wishes(people: People, tables: dict[str, Any]):
    ann = sits(people, tables["wishes"], "ann", film="normal")
    assert not any(wishes(ann.page).values())
    say_other_wishes(ann.page)
    assert all(wishes(ann.page).values()) and all(wishes(looks_again(ann)).values())
    kept = {"coach": "off", "film": "off", "log": "gold", "sound": "yes"}  # as browsers out there have kept it
    assert ann.page.evaluate("names => names.map((each) => localStorage.getItem(each))", WISHES) == list(kept.values())


def test_where_nothing_may_be_stored_a_wish_lasts_as_long_as_the_page(people: People, tables: dict[str, Any]):
    ann = comes(people, tables["wishes"], "ann")
    ann.context.add_init_script(FORBID_STORAGE)
    ann.goes_to(tables["wishes"]["url"])
    live(ann.page)
    expect(ann.page.locator("#coach")).to_be_visible()
    ann.page.get_by_role("button", name="Got it").click()
    expect(ann.page.locator("#coach")).to_be_hidden()
    say_other_wishes(ann.page)
    assert all(wishes(ann.page).values())
    hand = Hand(ann.page)
    hand.hex("h2")
    hand.hex("h3")
    expect(ann.page.locator("#hex-h3 .chit")).not_to_have_count(0)
    assert all(wishes(ann.page).values())
    assert not any(wishes(looks_again(ann)).values())
    expect(ann.page.locator("#coach")).to_be_visible()


# ---- sounds

# A machine that makes no sound but counts what it is asked for.
COUNTS_SOUNDS = """(() => {
    globalThis.heard = [];
    const value = () => ({ setValueAtTime() {}, exponentialRampToValueAtTime(to) { heard.push(to); } });
    const node = () => ({ gain: value(), frequency: value(), connect: (next) => next, start() {}, stop() {} });
    globalThis.AudioContext = class {
        state = "running"; currentTime = 0; sampleRate = 100; destination = {};
        createGain = node; createOscillator = node; createBufferSource = node; createBiquadFilter = node;
        createBuffer = () => ({ getChannelData: () => new Float32Array(100) });
    };
})()"""


def test_sounds_have_a_switch_in_sight_and_a_volume_and_both_are_kept(people: People, tables: dict[str, Any]):
    ann = comes(people, tables["wishes"], "ann")
    ann.context.add_init_script(COUNTS_SOUNDS)
    ann.goes_to(tables["wishes"]["url"])
    live(ann.page)
    switch = ann.page.locator(".kings-top > [data-sound-toggle]")
    expect(switch).to_be_visible()
    assert switch.get_attribute("aria-pressed") == "false" and ann.page.evaluate("heard") == []
    switch.click()
    loud = max(ann.page.evaluate("heard"))
    ann.page.locator("#menu > summary").click()
    ann.page.locator("[data-volume]").fill("20")
    ann.page.evaluate("heard.length = 0")
    ann.page.locator("[data-volume]").fill("10")
    assert 0 < max(ann.page.evaluate("heard")) < loud / 3
    looks_again(ann)
    assert switch.get_attribute("aria-pressed") == "true" and ann.page.locator("[data-volume]").input_value() == "10"
    assert ann.page.evaluate("heard") == []  # nothing before the first press
