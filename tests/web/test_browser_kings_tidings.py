"""Cards about what a player must not miss, in a real browser: they come after the film and stay until they are read."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import PHONE, People
from tests.kings_hand import Hand
from tests.kings_site import sits, stood
from tests.kings_tables import MARCHED

pytestmark = pytest.mark.browser


def land_is_taken(people: People, why: str, **device: Any) -> Page:
    """Bob ends the marches; Bob’s page, once it tells of the land that is gone."""
    bob = sits(people, stood(people.server, {why: MARCHED})[why], "bob", **device)
    has_the_turn(bob.page).done()
    expect(bob.page.locator("#tidings > li")).to_have_count(1)
    return bob.page


def has_the_turn(page: Page) -> Hand:
    expect(page.locator("#page-state")).to_have_attribute("data-turn", "yes")
    return Hand(page)


def card(page: Page) -> Locator:
    return page.locator("#tidings > li")


def test_a_card_stays_until_it_is_read_and_is_not_shown_again(people: People):
    page = land_is_taken(people, "read")
    expect(card(page)).to_be_visible()
    expect(card(page).locator("strong")).to_contain_text("You have lost")
    page.reload()
    expect(card(page)).to_be_visible()
    card(page).get_by_role("button", name="Got it").click()
    expect(card(page)).to_be_hidden()
    expect(page.locator("#news")).to_be_hidden()
    page.reload()
    expect(page.locator("#table.live")).to_have_count(1)
    expect(card(page)).to_be_hidden()


def test_a_card_that_was_read_is_not_shown_in_another_browser(people: People):
    there = stood(people.server, {"elsewhere": MARCHED})["elsewhere"]
    one = sits(people, there, "bob").page
    has_the_turn(one).done()
    expect(card(one)).to_be_visible()
    other = sits(people, there, "bob").page
    expect(card(other)).to_be_visible()
    with one.expect_response(lambda answer: answer.url.endswith("/read/")) as told:
        card(one).get_by_role("button", name="Got it").click()
    assert told.value.status == 204
    other.reload()
    expect(other.locator("#table.live")).to_have_count(1)
    expect(card(other)).to_be_attached()
    expect(card(other)).to_be_hidden()


def test_a_card_waits_until_the_film_has_come_to_it(people: People):
    page = land_is_taken(people, "film", film="slow")
    expect(page.locator("#table.filming")).to_have_count(1)
    expect(card(page)).to_be_hidden()
    page.locator("[data-film=now]:visible").first.click()
    expect(card(page)).to_be_visible()


def test_a_card_shows_where_it_happened(people: People):
    page = land_is_taken(people, "where")
    card(page).get_by_role("button", name="Show").click()
    expect(page.locator("#in-h2")).to_be_visible()


# On to the next turn's marches, where Ann leaves h2 and Bob's ghost goes there.
ON = """
import json
from games import play
from games.models import Game
from tests.web import kings as k
game = Game.objects.get(public_id=URL.strip("/").split("/")[-1])
def asked(seat):
    game.refresh_from_db()
    view = play.view_for(game, seat)
    return view if seat in view.asked else None
def march(seat, kind, *path):
    walkers = next(offer for offer in play.view_for(game, seat).offers if offer.do == "march").walkers
    tag = next(c.tag for c in play.view_for(game, seat).counters if c.tag in walkers and c.kind == kind)
    k.act(game, seat, {"do": "march", "counters": [tag], "path": path})
k.act(game, 1, {"do": "done"})
while not ((view := asked(0)) and view.phase == "march"):
    for seat in (0, 1):
        if view := asked(seat):
            draws = {"do": "draw", "traded": [], "paid": 0}
            k.act(game, seat, draws if view.question == "draw" else {"do": "done"})
march(0, "farmers", "h1")
k.act(game, 0, {"do": "done"})
march(1, "ghost", "h2")
"""


def test_a_card_that_is_no_longer_true_says_so(people: People, kept_picture):
    there = stood(people.server, {"back": MARCHED.replace("h12", "h8")})["back"]
    people.server.shell(ON.replace("URL", repr(there["url"])))
    page = sits(people, there, "bob", film="slow").page
    lost = page.locator("#tidings > .land")
    expect(lost).to_be_visible()
    expect(lost.locator(".note")).to_have_count(0)
    has_the_turn(page).done()
    expect(page.locator("#table.filming")).to_have_count(1)
    expect(lost.locator(".note")).to_be_hidden()
    page.locator("[data-film=now]:visible").first.click()
    expect(lost.locator(".note")).to_contain_text("No longer true: You take")
    expect(lost.locator("strong")).to_have_css("text-decoration-line", "line-through")
    kept_picture(page, "tiding-undone")


def test_a_phone_says_that_there_is_something_to_know(people: People, kept_picture):
    page = land_is_taken(people, "phone", **PHONE)
    button = page.get_by_role("button", name="News 1")
    expect(button).to_be_visible()
    page.set_viewport_size({"width": 360, "height": 640})
    expect(button).to_be_in_viewport(ratio=1)  # the whole row of tools
    kept_picture(page, "news-small-phone")
    button.click()
    expect(card(page)).to_be_in_viewport()


def test_the_chronicle_says_where_the_news_since_ones_last_step_begin(people: People):
    there = stood(people.server, {"since": MARCHED})["since"]
    ann, bob = sits(people, there, "ann"), sits(people, there, "bob")
    has_the_turn(bob.page).done()
    expect(bob.page.locator("#log > .since")).to_have_count(0)
    # Nobody recruits a hero; then Ann draws Things, which all are told.
    has_the_turn(ann.page).done()
    has_the_turn(bob.page).done()
    state = bob.page.locator("#page-state")
    expect(state).to_have_attribute("data-turn", "no")
    acted = int(state.get_attribute("data-acted") or 0)
    has_the_turn(ann.page).answer_draw()
    since = bob.page.locator("#log > .since")
    expect(since).to_have_count(1)
    assert int(since.get_attribute("data-at") or 0) > acted
    assert since.evaluate("row => Number(row.previousElementSibling.dataset.at)") <= acted


# A holds the only citadel, and wins by it when both have built.
CROWNED = """
    players: 2
    phase: build
    turn: 5
    sole: A 4
    gold A: 9
    h1 plains A citadel: farmers
    h2 plains A
    h12 swamp B: ghost
"""


def game_is_won(people: People, why: str, **device: Any) -> tuple[Page, Page]:
    there = stood(people.server, {why: CROWNED})[why]
    ann, bob = sits(people, there, "ann", **device).page, sits(people, there, "bob", film="slow", **device).page
    has_the_turn(ann).done()
    for page in (ann, bob):
        expect(page.locator("#page-state")).to_have_attribute("data-over", "yes")
    return ann, bob


def test_the_end_of_a_game_is_a_card_over_the_map(people: People, kept_picture):
    ann, bob = game_is_won(people, "end")
    expect(bob.locator("#finale")).to_be_hidden()  # the film has not come to it
    bob.locator("[data-film=now]:visible").first.click()
    for page, title in ((ann, "You win!"), (bob, "ann wins")):
        expect(page.locator("#finale h2")).to_have_text(title)
        expect(page.locator("#finale")).to_be_in_viewport(ratio=1)
        expect(page.locator("#finale tbody tr")).to_have_count(2)
    kept_picture(ann, "finale")
    expect(ann.locator("#finale [data-finale=rematch]")).to_be_visible()
    ann.locator("#finale [data-finale=close]").click()
    expect(ann.locator("#finale")).to_be_hidden()
    ann.reload()
    expect(ann.locator("#table.live")).to_have_count(1)
    expect(ann.locator("#finale")).to_be_hidden()
    bob.locator("#finale").get_by_role("link", name="How it went").click()
    expect(bob.locator("#standings-h")).to_be_visible()


def test_a_rematch_is_asked_for_on_the_card_of_the_end(people: People, kept_picture):
    ann, _ = game_is_won(people, "rematch", **PHONE)
    expect(ann.locator("#finale")).to_be_in_viewport(ratio=1)
    kept_picture(ann, "finale-phone")
    ann.locator("#finale [data-finale=rematch]").click()
    expect(ann.locator("#table")).to_have_count(0)  # the new table waits for bob
    expect(ann.get_by_role("heading", level=1)).to_be_visible()
