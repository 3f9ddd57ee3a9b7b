"""Seats in real browsers: a guest who lost the link asks from a fourth window, and the table answers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser import PHONE, People, Person
from tests.kings_hand import live
from tests.kings_site import LOG_IN, told

pytestmark = pytest.mark.browser

Picture = Callable[[Page, str], Path]

# ann and bob, and two guests' seats; ann is the host.
TABLE = (
    LOG_IN
    + """
import json
from games.lobby import SeatPlan
me, link = SeatPlan("me"), SeatPlan("link")
game = lobby.create(tables.player("ann"), "kings", {}, [me, link, link], is_public=False)
lobby.join(game, tables.player("bob"), by_link=True)
print(json.dumps({
    "url": game.get_absolute_url(),
    "invitation": f"/join/{game.invite_key}/",
    "keys": {name: key(name) for name in ("ann", "bob")},
}))
"""
)


@pytest.fixture
def table(people: People) -> dict[str, Any]:
    return told(people.server, TABLE)


def logged_in(people: People, table: dict[str, Any], name: str, **device: Any) -> Person:
    person = people.come(**device)
    person.context.add_cookies([{"name": "sessionid", "value": table["keys"][name], "url": people.server.url}])
    return person


def seated(people: People, table: dict[str, Any], **zoes: Any) -> tuple[Person, Person, Person]:
    """ann, bob and the guest Zoë at their table."""
    zoe = people.come(**zoes)
    zoe.accepts(table["invitation"], "Zoë")
    live(zoe.page)
    ann, bob = logged_in(people, table, "ann"), logged_in(people, table, "bob", **PHONE)
    for each in (ann, bob):
        each.goes_to(table["url"])
        live(each.page)
    return ann, bob, zoe


def asks(people: People, table: dict[str, Any], **device: Any) -> Person:
    fresh = people.come(**device)
    page = fresh.goes_to(table["invitation"])
    page.get_by_text("I lost the link to my seat").click()
    page.get_by_label("Who are you?").select_option(label="Zoë")
    page.get_by_role("button", name="Ask for my seat").click()
    expect(page.get_by_text("The table has been told")).to_be_visible()
    return fresh


def test_a_guest_gets_back_into_a_seat_when_all_others_agree(
    people: People, table: dict[str, Any], kept_picture: Picture
):
    ann, bob, zoe = seated(people, table)
    people.watch.forgive("status of 404", "status of 401")
    fresh = asks(people, table)
    bar = "[aria-label='A guest asks for a seat']"
    expect(zoe.page.locator(bar)).to_contain_text("asks for your seat")
    expect(ann.page.locator(bar)).to_contain_text("Somebody says they are Zoë")
    expect(bob.page.locator(bar)).to_contain_text("Somebody says they are Zoë")
    kept_picture(ann.page, "lost-link-ann")
    kept_picture(bob.page, "lost-link-bob-phone")
    kept_picture(zoe.page, "lost-link-old-page")
    kept_picture(fresh.page, "lost-link-waiting")
    ann.page.get_by_role("button", name="Agree: it is Zoë").click()
    expect(fresh.page.get_by_text("Still to agree: bob")).to_be_visible()
    expect(fresh.page.get_by_role("button", name="Open my seat")).to_have_count(0)
    bob.page.get_by_role("button", name="Agree: it is Zoë").click()
    kept_picture(fresh.page, "lost-link-waiting-2")
    fresh.page.get_by_role("button", name="Open my seat").click()
    live(fresh.page)
    expect(fresh.page.locator("#rack-panel")).to_be_visible()
    expect(ann.page.locator(bar)).to_have_count(0)
    expect(ann.page.locator("#log")).to_contain_text("seat was opened in another browser")
    expect(zoe.page.locator("#page-state")).to_have_attribute("data-seat", "")  # she looks on, as any invited guest


def test_the_old_page_refuses_at_once(people: People, table: dict[str, Any], kept_picture: Picture):
    dark = {**PHONE, "color_scheme": "dark"}
    ann, _, zoe = seated(people, table, **dark)
    fresh = asks(people, table, **dark)
    kept_picture(fresh.page, "lost-link-waiting-phone-dark")
    kept_picture(zoe.page, "lost-link-old-page-phone-dark")
    zoe.page.get_by_role("button", name="It isn’t me: refuse").click()
    expect(fresh.page.get_by_text("refused")).to_be_visible()
    kept_picture(fresh.page, "lost-link-refused-phone-dark")
    expect(ann.page.locator("[aria-label='A guest asks for a seat']")).to_have_count(0)
    assert not zoe.page.get_by_text("asks for your seat").is_visible()


def test_a_new_link_ends_the_thiefs_page_while_it_looks(people: People, table: dict[str, Any], kept_picture: Picture):
    _, _, zoe = seated(people, table)
    people.watch.forgive("status of 404")
    page = zoe.page
    page.get_by_text("Your return link to this seat").click()
    kept_picture(page, "return-link-own")
    link = page.get_by_label("Your return link").input_value()
    thief = people.come()
    thief.goes_to(link).get_by_role("button", name="Continue as Zoë").click()
    live(thief.page)
    thief.page.get_by_text("Your return link to this seat").click()
    kept_picture(thief.page, "return-link-by-link")
    thief.goes_to("/account/")
    kept_picture(thief.page, "account-by-link")
    thief.goes_to(table["url"])
    live(thief.page)
    page.get_by_role("button", name="Make a new link").click()
    expect(page.get_by_role("heading", name="New return link")).to_be_visible()
    kept_picture(page, "return-link-new")
    expect(thief.page.locator("#table")).to_have_count(0)
    page.get_by_role("link", name="Back to the table").click()
    live(page)
