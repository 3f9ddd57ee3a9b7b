"""The front door in real browsers: one press to any game, and a number of waiting games that is never stale."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.axe import grave_faults
from tests.browser import PHONE, People, Table, is_too_wide

pytestmark = pytest.mark.browser


# ---- one press


@pytest.mark.parametrize("device", [{}, PHONE], ids=["desktop", "phone"])
def test_a_stranger_is_in_the_main_game_after_one_press(people: People, device):
    page = people.come(**device).goes_to("/")
    picture = page.locator(".hero-map img")
    expect(picture).to_be_in_viewport(ratio=0.2)
    assert picture.evaluate("img => img.decode().then(() => img.naturalWidth)") > 400
    play = page.get_by_role("button", name="Play against bots")
    expect(play).to_be_in_viewport(ratio=1)
    play.click()
    expect(page).to_have_url(re.compile(r"/tables/[\w-]{10,}/$"))
    expect(page.locator("#board .hex").first).to_be_visible()


def test_bots_are_as_strong_as_was_chosen(people: People):
    page = people.come().goes_to("/")
    page.get_by_label("Your name").fill("Nora")
    page.get_by_label("Bots", exact=True).select_option(label="Jester, plays at random")
    page.get_by_role("button", name="Play against bots").click()
    expect(page.locator("#board .hex").first).to_be_attached()
    names = page.evaluate("document.body.innerText")
    assert "Nora" in names and "Jester" in names and "Steward" not in names


def test_friends_come_by_a_link_that_one_press_makes_and_play_without_empty_seats(people: People):
    anna, ben = people.come(), people.come()
    page = anna.goes_to("/")
    page.get_by_label("Your name").fill("Anna")
    page.get_by_role("button", name="With friends").click()
    link = page.get_by_label("Invitation link")
    expect(link).to_be_in_viewport()
    there = ben.goes_to(link.input_value())
    expect(there.locator(".crest use")).to_have_attribute("href", re.compile(r"kings.*\.svg#citadel"))
    there.get_by_label("Your name").fill("Ben")
    there.get_by_role("button", name="Accept and join").click()
    page.get_by_role("button", name="Start with 2 players").click()
    for each in (page, there):
        expect(each.locator("#board .hex")).to_have_count(19)  # the map of two


def test_two_at_one_screen_are_in_the_game_after_one_press(people: People):
    page = people.come().goes_to("/")
    page.get_by_role("button", name="Same screen").first.click()
    expect(page.locator(".hand-over, #board .hex").first).to_be_visible()
    expect(page).to_have_url(re.compile(r"/tables/[\w-]{10,}/"))
    page.goto("/")
    page.get_by_role("button", name="Same screen").last.click()  # nothing is hidden in Gambit: no hand-over
    expect(page.locator("#board.gambit-board")).to_be_visible()


@pytest.mark.parametrize(
    "device",
    [{}, PHONE, {"color_scheme": "dark"}, {"viewport": {"width": 1024, "height": 700}}],
    ids=["desktop", "phone", "dark", "small"],
)
def test_the_front_page_has_no_grave_fault_and_nothing_overlaps(people: People, device):
    person = people.come(**device)
    page = person.goes_to("/")
    assert grave_faults(page) == []
    assert not is_too_wide(page)
    for button in page.locator(".front-door button").all():
        button.scroll_into_view_if_needed()
        assert button.evaluate(HITS_ITSELF), button.text_content()


HITS_ITSELF = """each => {
    const {left, top, width, height} = each.getBoundingClientRect();
    return each.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}"""


# ---- what waits


def badge(page: Page):
    return page.locator("#waiting-count")


def beside(table: Table, path: str) -> Page:
    """Another tab of the same person."""
    page = table.person.context.new_page()
    page.goto(path)
    return page


def test_the_number_follows_what_is_done_in_another_tab(people: People):
    anna, ben = people.at_a_table()
    rules, front = beside(anna, "/rules/"), beside(anna, "/")
    for page in (rules, front, anna.page):
        expect(badge(page)).to_have_text("1")
    expect(front.get_by_role("heading", name="Waiting for you")).to_be_visible()
    anna.play("a2-a4")
    for page in (rules, front, anna.page):
        expect(badge(page)).to_be_hidden(timeout=5000)  # sooner than any page asks by itself
    expect(front.get_by_role("heading", name="Waiting for you")).to_be_hidden(timeout=5000)
    expect(front.locator("#lists")).to_contain_text("waiting for Ben")
    assert front.title() == "Kadab"


def test_the_number_appears_while_a_page_stays_open(people: People):
    """The opponent moves: no tab of one's own has heard of it."""
    anna, ben = people.at_a_table()
    page = ben.person.context.new_page()
    page.clock.install()
    page.goto("/rules/")
    ben.page.close()
    expect(badge(page)).to_be_hidden()
    anna.play("a2-a4")
    page.clock.run_for(16_000)
    expect(badge(page)).to_have_text("1")
    expect(badge(page)).to_be_visible()


def test_back_shows_no_number_that_is_over(people: People):
    anna, ben = people.at_a_table()
    url = anna.url
    page = anna.page
    page.goto("/rules/")
    expect(badge(page)).to_have_text("1")
    page.evaluate("document.body.dataset.kept = 'yes'")
    page.goto(url)
    anna.person.at_table().play("a2-a4")
    page.go_back()
    expect(page).to_have_url(re.compile("/rules/$"))
    expect(badge(page)).to_be_hidden(timeout=5000)
