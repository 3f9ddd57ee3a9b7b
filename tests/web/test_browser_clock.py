"""In the browser: clocks count down by themselves, a bot takes over, its player comes back, a window ends."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser import People
from tests.kings_site import LOG_IN, comes, told

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

DUEL = (
    LOG_IN
    + """
import json
from tests import tables
game = tables.running("ann", "bob", pace="live", clock="live-10")
keys = {name: key(name) for name in ("ann", "bob")}
print(json.dumps({"url": game.get_absolute_url(), "keys": keys, "pk": game.pk}))
"""
)
WINDOW = (
    LOG_IN
    + """
import json, random, secrets
from tests import tables
from tests.web import kings as k
kept, secrets.token_bytes = secrets.token_bytes, random.Random("a window with a clock").randbytes
game = tables.running(*k.NAMES, ruleset="kings", options={"waiting": "always"}, pace="live", clock="live-30")
secrets.token_bytes = kept
k.play_on(game, "browser", lambda state: k.window_is_open(state) and len(state.flow[-1].pending) > 1)
game.refresh_from_db()
keys = {name: key(name) for name in k.NAMES}
print(json.dumps({"url": game.get_absolute_url(), "keys": keys, "asked": [k.NAMES[n] for n in k.asked(game)]}))
"""
)
SOON = """
from datetime import timedelta
from django.utils import timezone
from games.models import Game, Seat
due = timezone.now() + timedelta(seconds=4)
Seat.objects.filter(game=PK, due_at__isnull=False).update(due_at=due)
Game.objects.filter(pk=PK).update(deadline=due)
"""


def test_a_clock_counts_down_a_bot_takes_over_and_its_player_comes_back(people: People, kept_picture):
    table = told(people.server, DUEL)
    ann, bob = (comes(people, table, name).goes_to(table["url"]) for name in ("ann", "bob"))
    clock = ann.locator("#clock .yours time")
    expect(clock).not_to_contain_text("until")
    seen = clock.inner_text()
    ann.wait_for_timeout(2100)
    assert clock.inner_text() < seen, "it counts down"
    kept_picture(ann, "clock-duel")
    people.server.shell(SOON.replace("PK", str(table["pk"])))
    expect(ann.get_by_role("button", name="Take my seat back")).to_be_visible(timeout=20_000)
    expect(bob.locator("#page-state")).to_have_attribute("data-turn", "yes", timeout=20_000)
    bob.get_by_role("tab", name="Log").click()
    expect(bob.locator("#log")).to_contain_text("did not answer in time")
    ann.get_by_role("button", name="Take my seat back").click()
    expect(ann.locator("#clock .yours")).to_be_visible()
    expect(bob.locator("#log")).to_contain_text("player is back")


def test_a_window_ends_by_itself_for_all_alike(people: People):
    table = told(people.server, WINDOW)
    pages = [comes(people, table, name).goes_to(table["url"]) for name in ("ann", "bob")]
    for page in pages:
        expect(page.locator("#page-state")).not_to_have_attribute("data-revision", "")
    # Fifteen seconds may be over by now; then the log says so already.
    for page in pages:
        expect(page.locator("#log")).to_contain_text("The wait for answers is over", timeout=40_000)
