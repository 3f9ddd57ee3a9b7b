"""Gambit explains itself: how a piece moves, however it is pointed at, and why it can't go where it was sent."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser import PHONE, People, Table

pytestmark = pytest.mark.browser

SOLDIER = "One step sideways or forward"
LION = "One step forward, back or sideways"


def card(table: Table):
    return table.page.locator("#piece-card")


def test_a_chosen_piece_shows_its_name_and_how_it_moves(people: People):
    anna, _ = people.at_a_table()
    expect(card(anna)).to_contain_text("Capture your opponent’s Castle")  # her first game
    anna.choose("a2")
    anna.page.mouse.move(5, 5)
    expect(card(anna)).to_contain_text(re.compile(f"Soldier {SOLDIER}"))
    anna.square("a2").click()  # lets go
    anna.page.mouse.move(5, 5)
    expect(card(anna)).to_contain_text("Capture your opponent’s Castle")


def test_the_mouse_and_the_keyboard_show_any_piece(people: People):
    _, ben = people.at_a_table()  # it is not Ben's turn
    ben.square("b1").hover()
    expect(card(ben)).to_contain_text(re.compile(f"Lion {LION}"))
    ben.square("b10").hover()
    expect(card(ben)).to_contain_text(re.compile(f"Dire Wolf {LION}"))
    ben.page.mouse.move(5, 5)
    expect(card(ben)).not_to_contain_text(LION)
    ben.square("a1").focus()
    ben.page.keyboard.press("ArrowLeft")  # Ben's own side is below, so light's a1 has b1 at its left
    expect(card(ben)).to_contain_text(re.compile(f"Lion {LION}"))
    expect(ben.square("b1")).to_have_accessible_description(re.compile(LION))


@pytest.mark.parametrize("width", [1024, 1280, 1440])
def test_nothing_jumps_while_the_mouse_wanders(people: People, width: int):
    anna, _ = people.at_a_table()
    anna.page.set_viewport_size({"width": width, "height": 900})
    panel = anna.page.locator(".panel")
    before = panel.bounding_box()
    for name in ("a2", "b1", "d10", "e5", "e1"):
        anna.square(name).hover()
        anna.page.wait_for_timeout(200)
        assert panel.bounding_box() == before, name


def test_an_illegal_target_says_why_and_the_piece_stays_in_hand(people: People):
    anna, _ = people.at_a_table()
    why = anna.page.locator("#why-not")
    anna.choose("a2")
    anna.square("a9").click()
    expect(why).to_have_text("Why not? The Soldier on a2 can’t reach a9: it doesn’t move that way. Rule G4")
    expect(anna.square("a2")).to_have_class(re.compile("selected"))
    anna.square("a1").click()  # her own Knight: it can't move now, so it is no other choice
    expect(why).to_contain_text("your own Knight is there")
    anna.choose("b2")
    expect(why).to_be_empty()
    anna.square("a3").click()
    anna.has_seen("b2-a3")
    expect(why).to_be_empty()
    assert anna.moves.count() == 1


def test_a_drag_to_an_illegal_target_says_why(people: People):
    anna, _ = people.at_a_table()
    anna.square("b2").drag_to(anna.square("b4"))
    expect(anna.page.locator("#why-not")).to_contain_text("The Elf on b2 can’t reach b4")


HOLD = """async ([name, times]) => {
    const g = document.getElementById(`sq-${name}`);
    const {left, top, width, height} = g.getBoundingClientRect();
    const finger = {bubbles: true, pointerType: "touch", pointerId: 7};
    const at = {clientX: left + width / 2, clientY: top + height / 2, ...finger};
    g.dispatchEvent(new PointerEvent("pointerdown", at));
    await new Promise((done) => setTimeout(done, times));
    g.dispatchEvent(new PointerEvent("pointerup", at));
    g.dispatchEvent(new MouseEvent("click", {...at, cancelable: true}));
}"""


def test_on_a_phone_a_long_press_looks_and_moves_nothing(people: People):
    anna = people.come(**PHONE)
    anna.opens_a_table("Anna", second="bot:random", position="5c4/s9/10/10/10/10/10/10/S9/4C1P3 w 0 1")
    table = anna.at_table()
    table.square("g1").tap()
    expect(table.square("f1")).to_have_class(re.compile("target"))
    expect(card(table)).to_contain_text("Paladin Any distance")
    table.page.evaluate(HOLD, ["a9", 700])
    expect(card(table)).to_contain_text("Skeleton One step")
    expect(table.square("g1")).to_have_class(re.compile("selected"))
    expect(table.page.locator("#why-not")).to_be_empty()  # a look is no move
    table.page.evaluate(HOLD, ["a9", 50])
    expect(table.page.locator("#why-not")).to_contain_text("The Paladin on g1 can’t reach a9")
    assert table.moves.count() == 0
