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
from games import lobby
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


def asks(people: People, table: dict[str, Any], name: str = "Zoë", **device: Any) -> Person:
    fresh = people.come(**device)
    page = fresh.goes_to(table["invitation"])
    page.get_by_text("I lost the link to my seat").click()
    page.get_by_label("Who are you?").select_option(label=name)
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
    with page.expect_response(lambda answer: answer.url.endswith(table["url"])):  # drawn anew, they stay unfolded
        page.evaluate("htmx.trigger(document.getElementById('tools'), 'tools')")
    page.get_by_role("button", name="Make a new link").click()
    expect(page.get_by_role("heading", name="New return link")).to_be_visible()
    kept_picture(page, "return-link-new")
    expect(thief.page.locator("#table")).to_have_count(0)
    page.get_by_role("link", name="Back to the table").click()
    live(page)


# ---- long names, and a bar above the board

WIDE = "W" * 30
GAMBIT = (
    LOG_IN
    + """
import json
from games import lobby
from games.lobby import SeatPlan
game = lobby.create(tables.player("ann"), "gambit", {}, [SeatPlan("me"), SeatPlan("link")], is_public=False)
print(json.dumps({
    "url": game.get_absolute_url(),
    "invitation": f"/join/{game.invite_key}/",
    "keys": {name: key(name) for name in ("ann", "bob")},
}))
"""
)
# Elements that are wider than the box they are in, unless that box hides or scrolls what is too wide.
STICKS_OUT = """(inside) => [...document.querySelectorAll(inside)].filter(each => {
  const box = each.getBoundingClientRect();
  return box.width && (box.right > innerWidth + 1 || each.scrollWidth > each.clientWidth + 1);
}).map(each => each.outerHTML.slice(0, 120))"""


@pytest.mark.parametrize("device", [PHONE, {"viewport": {"width": 1440, "height": 900}}], ids=["phone", "wide"])
def test_a_long_name_without_spaces_breaks_nothing(
    people: People, table: dict[str, Any], device, kept_picture: Picture
):
    zoe = people.come(**device)
    zoe.accepts(table["invitation"], WIDE)
    live(zoe.page)
    asks(people, table, WIDE)
    ann = logged_in(people, table, "ann", **device)
    ann.goes_to(table["url"])
    live(ann.page)
    expect(ann.page.get_by_role("button", name="Agree: it is")).to_be_visible()
    for each in (ann, zoe):
        kept_picture(each.page, f"long-name-{len(device)}-{each is ann}")
        assert each.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert each.page.evaluate(STICKS_OUT, ".wanted, .wanted .button, .noble, .noble > div, .tools .button") == []


def test_the_own_strip_stays_in_sight_below_the_request_bar(people: People, kept_picture: Picture):
    table = told(people.server, GAMBIT)
    zoe = people.come(viewport={"width": 1440, "height": 900})
    zoe.accepts(table["invitation"], "Zoë")
    live(zoe.page)
    asks(people, table)
    expect(zoe.page.get_by_text("asks for your seat")).to_be_visible()
    kept_picture(zoe.page, "request-bar-gambit")
    strip = zoe.page.locator("#player-bottom .player").bounding_box()
    assert strip and strip["y"] + strip["height"] <= 900, strip


def test_the_own_rack_stays_in_sight_below_the_request_bar(people: People, table: dict[str, Any]):
    zoe = people.come(viewport={"width": 1440, "height": 900})
    zoe.accepts(table["invitation"], "Zoë")
    live(zoe.page)
    asks(people, table)
    expect(zoe.page.get_by_text("asks for your seat")).to_be_visible()
    rack = zoe.page.locator("#rack-panel").bounding_box()
    assert rack and rack["y"] + rack["height"] <= 900, rack
