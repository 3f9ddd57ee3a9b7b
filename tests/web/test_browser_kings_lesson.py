"""The lesson in a real browser: whoever knows nothing but to press what stands out or is ringed meets every idea."""

from __future__ import annotations

import os
import time

import pytest
from playwright.sync_api import Error, expect

from games.painting.kings.lesson import ENDING, STEPS
from tests.browser import PHONE, People
from tests.kings_hand import Hand
from tests.kings_site import STALE

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
    people.watch.forgive(STALE)
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
    assert newcomer.counts == [f"{number} of 9" for number in range(1, 10)]
    assert newcomer.turn > 1 and newcomer.state["over"] != "yes"  # and play goes on
