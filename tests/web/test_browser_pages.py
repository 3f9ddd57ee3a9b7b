"""Every page: on a phone, light and dark, calm for who wants it calm, and at home on its own site."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser import PHONE, People, Person, is_too_wide

pytestmark = pytest.mark.browser

FOR_ALL = ("/", "/rules/", "/rules/gambit/", "/rules/kings/", "/credits/", "/tables/new/")
FOR_STRANGERS = ("/account/login/", "/account/signup/", "/account/password/reset/")
FOR_GUESTS = ("/account/", "/account/keep/")
FOR_ACCOUNTS = ("/account/", "/account/email/", "/account/password/change/", "/account/logout/")


def pages_of_a_table(person: Person, friend: Person) -> list[str]:
    """A room, its invitation, a running table with a long name, an earlier position, and the way back."""
    person.opens_a_table("Annabella the Unbreakable-Long", visible="everyone")
    room, link = person.page.url, person.invitation
    return_link = person.page.get_by_label("Your return link").input_value()
    playing = friend.plays_a_bot("Wolfgangamadeus-Theophilus-Moz").url
    return [room, link, return_link, playing, f"{playing}at/0/"]


def test_no_page_needs_sideways_scrolling_on_a_phone(people: People, kept_picture):
    anna, ben = people.come(**PHONE), people.come(**PHONE)
    too_wide = [path for path in (*FOR_ALL, *FOR_STRANGERS) if is_too_wide(anna.goes_to(path))]
    paths = pages_of_a_table(anna, ben)
    too_wide += [path for path in (*FOR_ALL, *FOR_GUESTS, *paths) if is_too_wide(anna.goes_to(path))]
    assert not too_wide
    ben.goes_to(paths[3])
    table = ben.at_table()
    assert not is_too_wide(ben.page)
    for name in ("Chat", "Log", "Table", "Text"):
        table.page.get_by_role("tab", name=name).tap()
        assert not is_too_wide(ben.page), name
    assert kept_picture(ben.page, "table-phone").stat().st_size > 10_000


def test_a_move_is_made_by_two_taps_on_a_phone(people: People):
    anna = people.come(**PHONE)
    anna.opens_a_table("Anna", second="bot:random")
    table = anna.at_table()
    box = table.page.locator("#board").bounding_box()
    assert box["width"] > 330  # the board has the whole width
    table.square("a2").tap()
    expect(table.square("a4")).to_have_class(re.compile("target"))
    table.square("a4").tap()
    expect(table.moves.first).to_have_text("Sa2-a4")
    expect(table.moves).to_have_count(2)
    assert not is_too_wide(anna.page)


def test_every_page_keeps_to_its_own_site_and_writes_no_error(people: People):
    """The watch over console, policy and addresses looks on; every page is there."""
    anna, ben = people.come(), people.come()
    answers = {path: anna.page.goto(path).status for path in (*FOR_ALL, *FOR_STRANGERS, "/admin/login/")}
    paths = pages_of_a_table(anna, ben)
    answers |= {path: anna.page.goto(path).status for path in (*FOR_ALL, *FOR_GUESTS, *paths)}
    answers["/api/v1/docs"] = anna.page.goto("/api/v1/docs").status
    anna.page.wait_for_timeout(500)
    assert {path: status for path, status in answers.items() if status != 200} == {}


def test_pages_of_an_account_work_and_a_guest_becomes_one(people: People):
    anna = people.come()
    url = anna.plays_a_bot("Anna").url
    page = anna.goes_to("/account/keep/")
    page.locator("[name=username]").fill("annabella")
    page.locator("[name=password1]").fill("a good long password")
    page.locator("main form").get_by_role("button").last.click()
    expect(page.locator(".site-nav .who")).to_have_text("annabella")
    for path in FOR_ACCOUNTS:
        assert anna.page.goto(path).status == 200, path
    anna.goes_to(url)
    expect(anna.at_table().page.locator("#player-bottom")).to_contain_text("annabella")


def test_a_page_that_is_not_there_says_so_in_our_own_clothes(people: People):
    people.watch.forgive("status of 404")
    page = people.come().page
    assert page.goto("/tables/nonesuch/").status == 404
    expect(page.locator(".site-header")).to_be_visible()


# ---- light and dark, calm


def background(page: Page) -> str:
    return page.evaluate("getComputedStyle(document.documentElement).backgroundColor")


def brightness(colour: str) -> float:
    red, green, blue = map(float, re.findall(r"[\d.]+", colour)[:3])
    return (red + green + blue) / 3


def test_light_and_dark_follow_the_system_until_somebody_chooses(people: People):
    day, night = people.come(color_scheme="light"), people.come(color_scheme="dark")
    light, dark = background(day.goes_to("/")), background(night.goes_to("/"))
    assert brightness(light) > 150 > 80 > brightness(dark)
    day.page.get_by_role("button", name="Switch between light and dark").click()
    assert background(day.page) == dark
    table = day.plays_a_bot("Anna")  # the choice goes with them, and is there before the first paint
    assert day.page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert brightness(background(table.page)) < 80
    day.page.get_by_role("button", name="Switch between light and dark").click()
    assert brightness(background(table.page)) > 150


RUNNING = "document.getAnimations().filter(a => a.effect.getTiming().duration > 1).map(a => a.animationName ?? 'glide')"


def test_nothing_moves_for_who_wants_it_calm(people: People):
    lively, calm = people.come(), people.come(reduced_motion="reduce")
    lively.opens_a_table("Anna", visible="everyone")
    calm.opens_a_table("Ben", visible="everyone")
    assert lively.page.evaluate(RUNNING)  # the waiting line's dot: there is something to be stilled
    assert calm.page.evaluate(RUNNING) == []
    calm.goes_to("/")
    calm.page.get_by_label("Bots in Gambit of Kings").select_option("random")
    calm.page.get_by_role("button", name="Play a bot", exact=True).click()
    table = calm.at_table()
    expect(table.prompt).to_contain_text("Your move")
    calm.page.evaluate("() => { Element.prototype.animate = () => { globalThis.glided = true; }; }")
    before = table.moves.count()
    source = table.page.locator("#offers [data-from]").first
    table.square(source.get_attribute("data-from")).click()
    table.square(source.get_attribute("data-targets").split()[0]).click()
    expect(table.moves).to_have_count(before + 2)
    assert calm.page.evaluate(RUNNING) == []
    assert not calm.page.evaluate("globalThis.glided === true")
