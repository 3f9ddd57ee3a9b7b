"""The lesson in a real browser: whoever knows nothing but to press what stands out or is ringed meets every idea."""

from __future__ import annotations

import os
import time
from typing import Any

import pytest
from playwright.sync_api import Error, Page, expect

from games.painting.kings.lesson_words import ENDING, STEPS
from tests.browser import PHONE, People
from tests.kings_hand import Hand, item
from tests.kings_site import STALE, sits, stood
from tests.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

PICTURES = os.environ.get("KADAB_LESSON_PICTURES", "")  # a folder to leave pictures in
COVERED = """() => {
    const box = (each) => each.getBoundingClientRect();
    const card = document.getElementById("coach"), about = document.querySelector(".coached");
    if (!card || card.hidden || !about) return false;
    const [one, other] = [box(card), box(about)];
    return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}"""

IN_SIGHT = """() => {
    const { top, bottom } = document.getElementById("coach").getBoundingClientRect();
    return top >= 0 && top + Math.min(bottom - top, 120) <= innerHeight;
}"""


class Newcomer(Hand):
    """Presses the ringed hex if there is one to press, else what stands out; reads the title of each card."""

    def __init__(self, page) -> None:
        super().__init__(page)
        self.titles: list[str] = []
        self.counts: list[str] = []

    def read(self) -> None:
        card = self.page.locator("#coach:not([hidden]) #coach-title > span")
        if card.count() and (title := card.inner_text().strip()) not in self.titles:
            self.titles.append(title)
            if count := self.page.locator("#coach-progress").inner_text():
                self.counts.append(count)
            self.page.wait_for_function(IN_SIGHT)  # nobody has to scroll for it
            assert not self.page.evaluate(COVERED), f"the card {title!r} covers what it talks about"
            assert self.page.locator(".coached").count() == 0 or self.page.locator("#coach-arrow:visible").count()
            if PICTURES:
                self.page.screenshot(path=f"{PICTURES}/{len(self.titles):02}-{title.replace(' ', '-')}.png")

    def answer(self) -> None:
        before = self.state
        try:
            self.read()
            self.press_what_is_shown()
        except Error as gone:
            if "Timeout" not in str(gone):
                raise
        self.wait_for_news(before)

    def press_what_is_shown(self) -> None:
        if self.page.locator("#board .hex.coached").count() and self.question == "march":
            self.hex(self.page.locator("#board .hex.coached").get_attribute("data-place") or "")
        elif not self.primary():
            self.press("button:not(:disabled):visible")
        if self.controls("[data-confirm]").count():
            self.confirm()


@pytest.mark.parametrize("device", [{}, PHONE], ids=["desktop", "phone"])
def test_a_newcomer_finishes_the_lesson(people: People, device):
    people.watch.forgive(STALE, "status of 429")  # a hand may press faster than a person
    page = people.come(**device).page
    page.goto(f"{people.server.url}/")
    page.get_by_role("button", name="Learn it in ten minutes").click()
    expect(page.locator("#table.live")).to_be_attached()
    page.set_default_timeout(3000)
    newcomer = Newcomer(page)
    wanted, deadline = {step.title for step in (*STEPS.values(), ENDING)}, time.monotonic() + 150
    newcomer.play(lambda hand: hand.turn > 1 or time.monotonic() > deadline, seconds=200)
    assert not newcomer.refused
    assert wanted - set(newcomer.titles) == set()
    assert newcomer.counts == [*(f"{number} of 10" for number in range(1, 11)), "Lesson over"]
    assert newcomer.turn > 1 and newcomer.state["over"] != "yes"  # and play goes on


FILMED = """
    players: 2
    phase: combat
    turn: 1
    options: reactions=holders one_answer=skipped
    h2 desert A
    h12 swamp B
    h3 plains A: genie nomads | B basilisk
    h4 plains A: nomads | B ghost
    dice: 6 6 6 1 1 1
"""
LESSON = "from games.models import Game; Game.objects.filter(public_id='{id}').update(is_lesson=True)"


def begins_a_battle(people: People, site: Server, device: dict[str, Any]) -> Page:
    """A pupil's page whose film waits until the card about the battle is read."""
    table = stood(site, {"filmed": FILMED})["filmed"]
    site.shell(LESSON.format(id=table["url"].strip("/").split("/")[-1]))
    page = sits(people, table, "ann", film="normal", **device).page
    hand = Hand(page)
    assert hand.press("button:not(:disabled):visible")
    if hand.controls("[data-confirm]").count():
        hand.confirm()
    expect(page.locator("#coach-title > span")).to_have_text("A battle")
    expect(page.locator("#film-bar")).to_have_attribute("data-kind", "battle")
    return page


def test_the_film_goes_on_for_whoever_switches_the_coach_off(people: People, site: Server):
    page = begins_a_battle(people, site, {})
    item(page, "Coach").click()
    expect(page.locator("#coach")).to_be_hidden()
    expect(page.locator("#film-bar")).to_be_hidden(timeout=20_000)


@pytest.mark.parametrize("device", [{}, PHONE], ids=["desktop", "phone"])
def test_the_film_of_a_battle_waits_until_its_cards_are_read(people: People, site: Server, device):
    """A battle may have no question in it: it must not run to its end while the pupil still reads what it is about."""
    page = begins_a_battle(people, site, device)
    bar = page.locator("#film-bar")
    shot = bar.get_attribute("data-shot")
    page.wait_for_timeout(5000)
    assert bar.get_attribute("data-shot") == shot and bar.is_visible()
    assert page.evaluate("document.querySelector('.coached').closest('#arena') !== null")
    assert not page.evaluate(COVERED)
    page.get_by_role("button", name="Got it").click()
    expect(page.locator("#coach-title > span")).to_have_text("Dice, hits, retreat")
    expect(bar).to_have_attribute("data-kind", "strike")
    page.get_by_role("button", name="Got it").click()
    expect(page.locator("#coach-title", has_text="Dice, hits, retreat")).to_be_hidden()
    expect(bar).to_be_hidden()  # and the film goes on to its end
