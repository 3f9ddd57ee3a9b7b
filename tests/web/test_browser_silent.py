"""In the browser: an answer in a window changes the own tabs and no other's, and a window can be ended (R4)."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser import People, is_too_wide
from tests.kings_site import LOG_IN, comes, told

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

WINDOW = (
    LOG_IN
    + """
import json, random, secrets
from datetime import timedelta
from django.utils import timezone
from games.models import Game
from tests.web import kings as k
kept, secrets.token_bytes = secrets.token_bytes, random.Random("a window in the browser, DAYS days").randbytes
game = k.kings(waiting="always", setup="in_turn")
secrets.token_bytes = kept
k.play_on(game, "browser", lambda state: k.window_is_open(state) and len(state.flow[-1].pending) > 2)
game.refresh_from_db()
Game.objects.filter(pk=game.pk).update(window_since=timezone.now() - timedelta(days=DAYS))
keys = {name: key(name) for name in k.NAMES}
print(json.dumps({"url": game.get_absolute_url(), "keys": keys, "asked": [k.NAMES[n] for n in k.asked(game)]}))
"""
)


def numbers(page: Page) -> tuple[str, str]:
    state = page.locator("#page-state")
    return state.get_attribute("data-revision") or "", state.get_attribute("data-silent") or ""


def test_an_answer_in_a_window_is_seen_in_the_own_tabs_only(people: People):
    table = told(people.server, WINDOW.replace("DAYS", "0"))
    own, other = table["asked"][0], table["asked"][1]
    first = comes(people, table, own)
    tab, second_tab = first.goes_to(table["url"]), first.context.new_page()
    second_tab.goto(people.server.url + table["url"])
    elsewhere = comes(people, table, other).goes_to(table["url"])
    for page in (tab, second_tab, elsewhere):
        expect(page.locator("#table.live")).to_be_visible()
        expect(page.locator("#page-state")).to_have_attribute("data-turn", "yes")
    revision, _ = numbers(tab)
    html = elsewhere.content()
    tab.get_by_role("button", name="Let it pass").click()
    for page in (tab, second_tab):
        expect(page.locator("#page-state")).to_have_attribute("data-turn", "no")
        assert numbers(page) == (revision, "1")
    elsewhere.wait_for_timeout(1500)
    assert numbers(elsewhere) == (revision, "0") and elsewhere.content() == html


def test_a_window_that_has_stood_open_for_days_is_ended_by_a_button(people: People, kept_picture):
    table = told(people.server, WINDOW.replace("DAYS", "4"))
    person = comes(people, table, "ann")
    page = person.goes_to(table["url"])
    expect(page.locator("#table.live")).to_be_visible()
    revision, _ = numbers(page)
    button = page.get_by_role("button", name="Go on")
    button.scroll_into_view_if_needed()
    kept_picture(page, "go-on-desktop")
    page.emulate_media(color_scheme="dark")
    kept_picture(page, "go-on-dark")
    page.set_viewport_size({"width": 360, "height": 740})
    button.scroll_into_view_if_needed()
    assert not is_too_wide(page)
    kept_picture(page, "go-on-phone")
    button.click()
    expect(button).to_have_count(0)
    expect(page.locator("#page-state")).not_to_have_attribute("data-revision", revision)
