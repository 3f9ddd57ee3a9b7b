"""Coming back to a table, and what goes on beside the game, as people see it: newsreel, notes, the next table, whom one
waits for, private talk, blocks and reports, the end by agreement, and a seat that is free."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser import PHONE, People
from tests.kings_hand import live
from tests.kings_site import LOG_IN, comes, sits, told
from tests.server import Server

pytestmark = pytest.mark.browser

MAKE = (
    LOG_IN
    + """
import json
from datetime import timedelta
from django.db import transaction
from django.utils import timezone
from games import access, play, since
from games.models import Game, Seat
from tests.web import kings as k
names = ("amy", "bob", "cat")
def kingdom(*who):
    return tables.running(*who, ruleset="kings", options={"last_turn": "none", "waiting": "never"}, pace="days",
                          clock="days-8", private_talk=True)
def lines(game):
    return since.at_table(access.visit(Game.objects.get(pk=game.pk), tables.player("amy"), {}))

away = kingdom(*names, "dan")
k.play_on(away, "before", lambda state: bool(state.extras["turn"]), most=600)
left = Game.objects.get(pk=away.pk).revision
Seat.objects.filter(game=away, number=0).update(seen_at=timezone.now() - timedelta(hours=2), seen_revision=left)
k.play_on(away, "away", lambda state: len(lines(away)) > 2 and k.asked(away) == [1], most=900)
waiting = tables.running("amy", "bob")

beside = kingdom("amy", "bob")
k.play_on(beside, "beside", lambda state: bool(state.extras["turn"]), most=600)

# A bot keeps Dan's seat, and the others have agreed to a new person.
with transaction.atomic():
    play.keep_seat(Seat.objects.select_related("game", "player").get(game=away, number=3))
Seat.objects.filter(game=away, number=3).update(late=2, votes=[tables.player(name).pk for name in names])
urls = {"away": away, "waiting": waiting, "beside": beside}
keys = {name: key(name) for name in (*names, "dan")}
print(json.dumps({"lines": lines(away)} | {
    name: {"url": game.get_absolute_url(), "keys": keys} for name, game in urls.items()}))
"""
)


@pytest.fixture(scope="module", name="tables")
def fixture_tables(site: Server) -> dict[str, Any]:
    return told(site, MAKE)


def menu(page: Page, what: str) -> None:
    page.locator("#menu > summary").click()
    page.locator("#menu .menu-list").get_by_text(what, exact=True).click()


def test_whoever_comes_back_reads_what_they_missed_and_goes_on_to_the_next_table(people: People, tables, kept_picture):
    there = tables["away"]
    page = comes(people, there, "amy", film="normal").goes_to("/")
    missed = page.locator("#since")
    expect(missed.locator("details").first).to_contain_text("Kings & Things* with bob, cat, Steward for dan")
    expect(missed.locator("details[open] li")).to_have_text(tables["lines"])
    kept_picture(page, "coming-back-lobby")
    missed.get_by_role("link", name="Go to the table").click()
    live(page)
    reel = page.locator("#newsreel")
    expect(reel.locator("h2")).to_have_text("Since your last visit")
    expect(reel.locator("li")).to_have_text(tables["lines"])
    kept_picture(page, "coming-back-newsreel")
    page.locator("[data-newsreel=now]").click()
    expect(page.locator("#clock")).to_contain_text("bob")
    expect(page.locator("#clock")).to_contain_text("until")
    menu(page, "Your notes")
    page.get_by_label("Notes for this table").fill("bob is weak in the north")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status").filter(has_text="Saved.")).to_be_visible()
    kept_picture(page, "coming-back-notes")
    page.get_by_role("link", name="Back to the table").click()
    live(page)
    expect(reel).to_be_hidden()
    page.locator("#next-table").click()
    expect(page).to_have_url(f"{people.server.url}{tables['waiting']['url']}")


def test_on_a_phone_what_was_missed_can_be_read_and_put_away(people: People, tables, kept_picture):
    device = {**PHONE, "viewport": {"width": 360, "height": 640}, "color_scheme": "dark"}
    page = comes(people, tables["away"], "amy", film="normal", **device).goes_to("/")
    kept_picture(page, "coming-back-lobby-phone")
    page = sits(people, tables["away"], "amy", film="normal", **device).page
    reel = page.locator("#newsreel")
    expect(reel.locator("li").first).to_be_visible()
    kept_picture(page, "coming-back-newsreel-phone")
    page.locator("[data-newsreel=now]").tap()
    expect(reel).to_be_hidden()


def test_two_talk_in_private_until_one_of_them_wants_no_more(people: People, tables, kept_picture):
    there = tables["beside"]
    amy, bob = sits(people, there, "amy").page, sits(people, there, "bob", color_scheme="dark").page
    amy.get_by_role("link", name="bob", exact=True).click()
    amy.get_by_label("Message").fill("Shall we leave each other alone?")
    amy.get_by_role("button", name="Send").click()
    expect(amy.locator("#private li.mine")).to_contain_text("Shall we leave each other alone?")
    kept_picture(amy, "private-talk")
    unread = bob.locator("#tools .badge", has_text="1 new")
    expect(unread).to_be_visible()
    kept_picture(bob, "private-talk-unread")
    bob.get_by_role("link", name="amy", exact=True).click()
    expect(bob.locator("#private li")).to_contain_text("Shall we leave each other alone?")
    bob.locator("#private").get_by_role("link", name="Report").click()
    expect(bob.locator("main")).to_contain_text("Shall we leave each other alone?")
    kept_picture(bob, "private-report")
    bob.go_back()
    bob.get_by_text("No more contact?").click()
    kept_picture(bob, "private-block")
    bob.get_by_role("button", name="Block this player").click()
    live(bob)
    expect(bob.locator("#tools")).not_to_contain_text("Talk in private")
    people.watch.forgive("status of 403")
    amy.get_by_label("Message").fill("Hello?")
    amy.get_by_role("button", name="Send").click()
    expect(amy.locator("main")).to_contain_text("You and this player have no contact")
    bob.goto("/account/")
    expect(bob.locator("main")).to_contain_text("Players you blocked")


def test_a_game_ends_when_the_other_agrees_on_their_own_screen(people: People, tables, kept_picture):
    there = tables["beside"]
    amy, bob = sits(people, there, "amy").page, sits(people, there, "bob").page
    menu(amy, "End by agreement")
    expect(amy.get_by_role("dialog", name="End the game by agreement?")).to_have_css("opacity", "1")
    kept_picture(amy, "agreement")
    amy.locator("#agreement button", has_text="amy").first.click()
    expect(bob.locator("#controls")).to_contain_text("amy")
    kept_picture(bob, "agreement-asked")
    bob.locator("#controls [data-do=agree_end]").click()
    bob.locator("#controls [data-confirm]").click()
    for page in (amy, bob):
        expect(page.locator("#page-state")).to_have_attribute("data-over", "yes")
    expect(bob.locator("#finale")).to_be_visible()
    expect(bob.locator("#finale")).to_have_css("opacity", "1")
    expect(bob.locator("[data-plan]:visible")).to_have_count(0)
    kept_picture(bob, "agreement-over")


def test_a_stranger_finds_a_free_seat_in_the_lobby_and_sits_down(people: People, tables, kept_picture):
    person = people.come(**PHONE)
    page = person.goes_to("/")
    seats = page.locator("#free-seats")
    expect(seats).to_contain_text("dan’s seat, with amy, bob and cat")
    seats.scroll_into_view_if_needed()
    kept_picture(page, "free-seat-lobby")
    seats.locator("h3 a").click()
    live(page)
    take = page.get_by_role("button", name="Take this seat")
    take.scroll_into_view_if_needed()
    kept_picture(page, "free-seat-table")
    page.get_by_label("Your name").fill("Robin")
    take.click()
    expect(page.locator("#players")).to_contain_text("Robin")
    expect(page.locator("#rack-panel")).to_be_visible()
    kept_picture(page, "free-seat-taken")
