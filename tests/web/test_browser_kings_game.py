"""A whole game of Kings & Things* through the page: one person by clicking, three stewards, from set-up to the end."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, expect

from games.engine.kings.terms import PHASES
from tests.browser import PATIENCE, SHOWN, People, Table
from tests.kings_hand import Hand
from tests.kings_site import LOG_IN, STALE, sits, told

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

# As the lobby's button starts it; should nobody have won by then, the tenth turn is the last.
WHOLE_GAME = (
    LOG_IN
    + """
import json, random, secrets
from games import lobby, store
drawn, kept = random.Random("a whole game"), secrets.token_bytes
# The deal and the dice only: a table made twice, as when the test runs once more, still has keys of its own.
secrets.token_bytes = lambda count: drawn.randbytes(count) if count == store.SEED_BYTES else kept(count)
seats = [{"kind": "me"}, *[{"kind": "bot", "level": "steward"}] * 3]
game = lobby.create(tables.player("ann"), "kings", {"last_turn": "10"}, seats)
secrets.token_bytes = kept
print(json.dumps({"url": game.get_absolute_url(), "keys": {"ann": key("ann")}}))
"""
)


SLOTS = (
    "page-state",
    "phases",
    "purse",
    "board",
    "rack",
    "prompt",
    "controls",
    "orders",
    "agreement",
    "battle",
    "players",
    "log",
    "pool",
    "about",
)


def test_one_person_plays_a_whole_game_against_three_stewards(people: People):
    """By what the page shows and nothing else; no answer is refused, and at the end the page says who has won."""
    people.watch.forgive(STALE)
    ann = sits(people, told(people.server, WHOLE_GAME), "ann")
    hand = Hand(ann.page)
    hand.page.set_default_timeout(3000)
    hand.play(lambda hand: hand.state["over"] == "yes", seconds=500)
    print(f"{hand.turn} turns\nasked {dict(hand.met)}\noffered {dict(hand.offered)}\ndid {dict(hand.did)}")
    assert not hand.refused
    assert {"choose", "place", "recruit", "draw", "march", "build", "done"} <= set(hand.did)
    expect(hand.page.locator("#prompt strong")).to_have_text(re.compile(r" wins?$| share |^You win!$"))
    expect(hand.page.locator("#log li").last).to_contain_text(re.compile(r" wins: "))
    expect(hand.controls("button")).to_have_count(0)
    assert set(PHASES) - hand.phases <= {"income", "powers", "rotate"}  # where nobody need be asked
    assert hand.turn > 2, hand.turn
    ann.page.set_default_timeout(PATIENCE)
    hand.page.locator("[data-close-hex]:visible").click()  # what is chosen is this page's own matter
    other = Table(ann).fresh().page
    expect(hand.page.locator("#page-state")).to_have_attribute("data-mark", mark(other))
    assert slots(hand.page) == slots(other)


def mark(page: Page) -> str:
    return page.locator("#page-state").get_attribute("data-mark") or ""


def slots(page: Page) -> list[str]:
    """Everything the server draws on this page, in lines. What is new on a rack is marked by the page itself."""
    ids = page.eval_on_selector_all(".in-hex", "all => all.map(each => each.id)")
    lines = page.evaluate(SHOWN.replace(json.dumps(["page-state", "table", "refusal"]), json.dumps([*SLOTS, *ids])))
    lines = [line.replace(" .fresh", "") for line in lines]
    # How long the result of the last battle is shown is the page's own matter, too.
    return [line.removesuffix(" hidden=") if " .result " in line else line for line in lines]
