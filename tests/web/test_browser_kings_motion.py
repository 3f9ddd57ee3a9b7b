"""Motion in a real browser: what marches is seen to go and is gone again, and for who wants it so nothing moves."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser import People
from tests.kings_hand import Hand, item
from tests.kings_site import LOG_IN, sits, told

pytestmark = pytest.mark.browser

# Played at random until the first of four may do something.
UNTIL = (
    LOG_IN
    + """
import json, random, secrets
kept, secrets.token_bytes = secrets.token_bytes, random.Random("to look at WHAT").randbytes
from games import play
from tests.web import kings as k
game = k.kings(waiting="never")
secrets.token_bytes = kept
def is_offered(state):
    return k.asked(game) == [0] and any(o.do == "WHAT" and not o.aside for o in play.view_for(game, 0).offers)
k.play_on(game, "to look at WHAT", is_offered, most=600)
print(json.dumps({"url": game.get_absolute_url(), "keys": {n: key(n) for n in k.NAMES}}))
"""
)

# Counts ghosts that ever were, and what they showed.
COUNT_GHOSTS = """() => {
  globalThis.ghosts = [];
  new MutationObserver((changes) => {
    for (const change of changes)
      for (const node of change.addedNodes)
        if (node.nodeType === 1 && node.closest(".ghosts")) ghosts.push(node.textContent);
  }).observe(document.getElementById("board"), { childList: true, subtree: true });
}"""

# Notes of each die that tumbles what it says of itself, in every picture the page draws.
WATCH_DICE = """() => {
  globalThis.tumbled = [];
  const look = () => {
    for (const die of document.querySelectorAll(".die.tumbling"))
      tumbled.push([die.textContent, die.ariaLabel, die.dataset.face]);
    requestAnimationFrame(look);
  };
  look();
}"""
FACES = "⚀⚁⚂⚃⚄⚅"


def table_at(people: People, what: str) -> dict[str, Any]:
    return told(people.server, UNTIL.replace("WHAT", what))


def marches(hand: Hand) -> None:
    """One stack goes somewhere, and the page has it."""
    revision = hand.state["revision"]
    hand.answer_march()
    expect(hand.page.locator("#page-state")).not_to_have_attribute("data-revision", revision)


def ghosts(page: Page) -> list[str]:
    return page.evaluate("globalThis.ghosts")


def test_a_march_is_seen_by_all_and_is_over_soon(people: People):
    table = table_at(people, "march")
    ann, bob = (sits(people, table, name).page for name in ("ann", "bob"))
    still = sits(people, table, "cat", reduced_motion="reduce").page
    off = sits(people, table, "dan").page
    button = item(off, "Animations")
    expect(button).to_have_attribute("aria-pressed", "true")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "false")
    expect(item(still, "Animations")).to_be_disabled()
    for page in (ann, bob, still, off):
        page.evaluate(COUNT_GHOSTS)
    hand = Hand(ann)
    marches(hand)
    revision = hand.state["revision"]
    for page in (bob, still, off):
        expect(page.locator("#page-state")).to_have_attribute("data-revision", revision)
    for page in (ann, bob):
        expect(page.locator(".ghosts")).to_have_count(0, timeout=2000)
        assert any(text.isdigit() for text in ghosts(page)), ghosts(page)
    assert ghosts(still) == [] and ghosts(off) == []
    off.reload()
    expect(item(off, "Animations")).to_have_attribute("aria-pressed", "false")


def test_dice_tumble_and_always_say_what_they_are(people: People):
    table = table_at(people, "recruit")
    ann = sits(people, table, "ann").page
    still = sits(people, table, "bob", reduced_motion="reduce").page
    for page in (ann, still):
        page.evaluate(WATCH_DICE)
    hand = Hand(ann)
    revision = hand.state["revision"]
    hand.press("[data-key=roll]")
    for page in (ann, still):
        expect(page.locator("#page-state")).not_to_have_attribute("data-revision", revision)
        expect(page.locator("#battle .die")).to_have_count(2)
        expect(page.locator(".die.tumbling")).to_have_count(0)
    seen = ann.evaluate("tumbled")
    assert seen and all(text == FACES[int(label) - 1] for text, label, _ in seen)
    assert any(over != text for text, _, over in seen)
    assert still.evaluate("tumbled") == []
    assert ann.locator("#battle .die").all_inner_texts() == still.locator("#battle .die").all_inner_texts()
