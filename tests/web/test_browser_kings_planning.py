"""The Plan switch of the live table: the same map, the same camera, and back with one press."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser import PHONE, People, Person
from tests.kings_hand import Hand, live
from tests.kings_site import LOG_IN, comes, sits, told

pytestmark = pytest.mark.browser

# Two people: one moves now, and the other, who has a stack too, moves afterwards.
MAKE = (
    LOG_IN
    + """
import json
from games import plans, play
from games.engine.kings import KINGS
from games.models import Seat
from tests.web import kings as k
for number in range(40):
    game = k.kings("ann", "bob", waiting="never")
    state = k.play_on(game, f"WHY {number}", lambda state: state.extras["phase"] == "march", most=900)
    if state.extras["phase"] != "march" or k.asked(game) != [state.order[0]]:
        continue
    now, then = state.order[:2]
    seen = plans.supposed(game, Seat.objects.select_related("game").get(game=game, number=then), "march").view
    if any(each.do == "march" for each in seen.offers):
        break
names = ("ann", "bob")
print(json.dumps({"url": game.get_absolute_url(), "now": names[now], "then": names[then],
                  "keys": {n: key(n) for n in names}}))
"""
)
PLANS = """
import json
from games.models import Game, Seat
game = Game.objects.get(public_id="ID")
print(json.dumps({each.player.username: each.plans for each in game.seats.all() if each.player}))
"""


def table(people: People, why: str) -> dict[str, Any]:
    return told(people.server, MAKE.replace("WHY", why))


def plans_of(people: People, there: dict[str, Any], name: str) -> dict[str, Any]:
    return told(people.server, PLANS.replace("ID", there["url"].split("/")[2]))[name]


def switch(page: Page) -> Any:
    return page.locator(".board-tools [data-plan]")


def is_ready(page: Page) -> None:
    expect(page.locator("#plan-map > svg").first).to_be_visible()
    expect(page.locator("#plan-side[aria-busy]")).to_have_count(0)


def press_hex(page: Page, place: str) -> None:
    """A press on the map, where a reader would press."""
    page.locator(f'#plan-map .hex[data-still="{place}"]').evaluate(
        """(hex) => {
          const box = hex.getBoundingClientRect();
          const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
          const at = { clientX: x, clientY: y, bubbles: true, pointerId: 1, isPrimary: true };
          const target = document.elementFromPoint(x, y);
          target.dispatchEvent(new PointerEvent("pointerdown", at));
          target.dispatchEvent(new PointerEvent("pointerup", at));
          target.dispatchEvent(new MouseEvent("click", { ...at, cancelable: true, detail: 1 }));
        }"""
    )


def lit(page: Page) -> list[str]:
    found = page.locator("#plan-map .hex.target")
    expect(found.first).to_be_attached()
    return found.evaluate_all("all => all.map((each) => each.dataset.still)")


def transform(page: Page) -> str:
    return page.locator("#camera").evaluate("(node) => node.style.transform")


def test_a_march_is_planned_on_the_map_of_the_live_table(people: People, kept_picture):
    there = table(people, "a march")
    other = comes(people, there, there["now"])
    frames: list[str] = []
    other.page.on("websocket", lambda socket: socket.on("framereceived", lambda data: frames.append(str(data))))
    other.goes_to(there["url"])
    live(other.page)
    page = sits(people, there, there["then"]).page
    page.locator("[data-zoom=in]").click()
    where, revision = transform(page), page.locator("#page-state").get_attribute("data-revision")
    expect(other.page.locator(".presence.here, .here").first).to_be_visible()
    heard = len(frames)
    switch(page).click()
    is_ready(page)
    expect(switch(page)).to_have_attribute("aria-pressed", "true")
    assert transform(page) == where, "the camera is the same"
    expect(page.locator("#plan-side a[aria-current=page]")).to_have_text("Move")
    expect(page.locator("#control-form")).to_be_hidden()
    goal = page.locator("#plan-side button[data-cost]").first
    for start in lit(page):  # not every stack can go anywhere
        press_hex(page, start)
        expect(page.locator("#plan-side h3", has_text="Stack in")).to_be_attached()
        is_ready(page)
        if goal.count():
            break
    expect(page.locator("#plan-map .hex.reach .cost").first).to_be_visible()
    kept_picture(page, "planning")
    press_hex(page, goal.get_attribute("data-hex") or "")
    expect(page.locator("#plan-side .plan-steps li")).to_have_count(1)
    expect(page.locator("#plan-map .planned-march")).to_have_count(1)
    assert [each["action"]["do"] for each in plans_of(people, there, there["then"])["march"]["steps"]] == ["march"]
    page.locator("#planning [data-plan]").click()
    expect(page.locator("#planning")).to_be_hidden()
    expect(page.locator("#plan-map > svg")).to_have_count(0)
    expect(page.locator("#ghosts .planned-march")).to_have_count(1)
    assert transform(page) == where
    assert page.locator("#page-state").get_attribute("data-revision") == revision
    assert len(frames) == heard and other.page.locator("#ghosts path").count() == 0, "nobody else hears of it"
    assert page.url == f"{people.server.url}{there['url']}"


def plans_beside(people: People, there: dict[str, Any]) -> tuple[Person, Page]:
    """Whoever is asked now, and the page of the other, who plans."""
    one = sits(people, there, there["now"])
    page = sits(people, there, there["then"]).page
    page.keyboard.press("p")
    is_ready(page)
    return one, page


def test_the_game_goes_on_while_somebody_plans(people: People):
    there = table(people, "goes on")
    one, page = plans_beside(people, there)
    Hand(one.page).done()
    expect(page.locator("#page-state")).to_have_attribute("data-turn", "yes")
    expect(page.locator("#prompt")).to_contain_text(re.compile("your|you", re.I))
    expect(page.locator("#plan-side")).to_contain_text("You are being asked this now.")
    page.locator("#plan-side a", has_text="Answer at the table").click()
    expect(page.locator("#planning")).to_be_hidden()
    expect(page.locator("#control-form button:visible").first).to_be_visible()
    hand = Hand(page)
    decision = hand.state["decision"]
    hand.done()
    expect(page.locator("#page-state")).not_to_have_attribute("data-decision", decision)


def test_what_is_typed_into_a_condition_stays_while_the_game_goes_on(people: People):
    there = table(people, "a condition")
    one, page = plans_beside(people, there)
    revision = page.locator("#page-state").get_attribute("data-revision") or ""
    page.locator("#plan-side a", has_text="Build").click()
    expect(page.locator("#plan-side a[aria-current=page]")).to_have_text("Build")
    page.locator("#plan-side .controls button[data-do=done]").click()
    page.locator("#plan-side .plan-steps summary").first.click()
    page.locator("#plan-side .plan-steps input[type=number]").first.fill("7")
    Hand(one.page).done()
    expect(page.locator("#page-state")).not_to_have_attribute("data-revision", revision)
    page.wait_for_timeout(1000)
    expect(page.locator("#plan-side .plan-steps input[type=number]").first).to_have_value("7")


def test_what_cannot_be_planned_is_said_and_another_press_leads_back(people: People):
    there = table(people, "refused")
    page = sits(people, there, there["then"]).page
    page.locator("a[data-plan]:visible").first.click()
    is_ready(page)
    page.locator("#plan-side a", has_text="Build").click()
    expect(page.locator("#plan-side a[aria-current=page]")).to_have_text("Build")
    page.locator("#plan-side button", has_text="Build nothing, every turn").click()
    expect(page.locator("#plan-side")).to_contain_text("Build nothing, every turn.")
    page.route("**/plans/", lambda route: route.abort())
    people.watch.forgive("ERR_FAILED")
    page.locator("#plan-side button", has_text="Remove this plan").click()
    expect(page.locator("#toasts .toast.error")).to_be_visible()
    expect(page.locator("#planning")).to_be_visible()
    page.locator("[data-past=latest]").click()
    expect(page.locator("#planning")).to_be_hidden()
    expect(page.locator("#past")).not_to_be_empty()


def test_on_a_phone_the_switch_works_the_same(people: People, kept_picture):
    there = table(people, "phone")
    page = sits(people, there, there["then"], **PHONE).page
    switch(page).tap()
    is_ready(page)
    kept_picture(page, "planning-phone")
    expect(page.locator("#planning")).to_be_visible()
    switch(page).tap()
    expect(page.locator("#planning")).to_be_hidden()
