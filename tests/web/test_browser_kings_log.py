"""The log's filters in a real browser: by mouse and by keys, kept over a reload."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser import People, is_too_wide
from tests.kings_site import LOG_IN, sits, told

pytestmark = pytest.mark.browser

BEGUN = (
    LOG_IN
    + """
import json
from tests.web import kings as k
game = k.kings(waiting="never")
k.play_on(game, "a log to read", lambda state: state.extras["turn"] == 1 and state.extras["phase"] != "income")
print(json.dumps({"url": game.get_absolute_url(), "keys": {n: key(n) for n in k.NAMES}}))
"""
)


def shown(page: Page) -> set[str]:
    return set(page.locator("#log > li:visible").evaluate_all("all => all.map(each => each.className)"))


def ends_with_newest(page: Page) -> bool:
    """Whether the newest line is in sight."""
    left = "e => { const l = e.closest('[data-keep-end]'); return l.scrollHeight - l.scrollTop - l.clientHeight; }"
    return page.locator("#log").evaluate(left) < 5


ADD_LINES = "log => { for (let n = 0; n < 40; n++) log.append(log.lastElementChild.cloneNode(true)); }"
MOVE_UP = "log => { log.closest('[data-keep-end]').scrollTop -= 200; }"
NEWS = "() => document.dispatchEvent(new CustomEvent('htmx:wsAfterMessage'))"


def test_the_log_follows_until_its_reader_scrolls_back(people: People):
    """The browser, too, scrolls a list up; as long as nobody touches the list, it goes on following."""
    ann = sits(people, told(people.server, BEGUN), "ann", viewport={"width": 1280, "height": 720}).page
    log = ann.locator("#log")

    def follows() -> bool:
        ann.wait_for_timeout(200)  # the list is scrolled before the page hears of the news
        log.evaluate(ADD_LINES)
        ann.evaluate(NEWS)
        ann.wait_for_timeout(200)
        return ends_with_newest(ann)

    assert follows()
    log.evaluate(MOVE_UP)
    assert follows()
    log.hover()
    ann.mouse.wheel(0, -400)
    assert not follows()


def test_the_log_shows_what_one_wants_to_read(people: People):
    ann = sits(people, told(people.server, BEGUN), "ann", viewport={"width": 360, "height": 740}).page
    everything = ann.locator("#log > li:visible").count()
    chips = ann.get_by_role("group", name="What the chronicle shows")
    chips.get_by_role("button", name="Gold").click()
    expect(chips.get_by_role("button", name="Gold")).to_have_attribute("aria-pressed", "true")
    assert shown(ann) and all({"gold", "turn"} & set(css.split()) for css in shown(ann))
    assert 0 < ann.locator("#log > li:visible").count() < everything
    chips.get_by_role("button", name="Mine").focus()
    ann.keyboard.press("Enter")
    assert shown(ann) and all({"mine", "turn"} & set(css.split()) for css in shown(ann))
    expect(chips.locator("[aria-pressed=true]")).to_have_text(["Mine"])
    ann.reload()
    expect(chips.locator("[aria-pressed=true]")).to_have_text(["Mine"])
    chips.get_by_role("button", name="All").click()
    assert ann.locator("#log > li:visible").count() == everything
    assert not is_too_wide(ann)
