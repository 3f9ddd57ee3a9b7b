"""The film in a real browser: what others do is seen and told before one's own question, at a speed of one's choice."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser import PHONE, People, Person
from tests.kings_hand import Hand, live
from tests.kings_site import LOG_IN, STALE, sits, stood, told
from tools import film

pytestmark = pytest.mark.browser

# A attacks next, B is asked afterwards: what A does is what B's question waits for.
TURNS = """
    players: 2
    phase: march
    turn: 2
    h1 plains A: farmers ogre
    h2 desert A
    h3 plains A
    h9 plains A
    h12 swamp B: ghost
    h13 swamp B: thing
"""
# Played at random until the first of four may do something.
UNTIL = (
    LOG_IN
    + """
import json, random, secrets
kept, secrets.token_bytes = secrets.token_bytes, random.Random("to look at WHATWHY").randbytes
from games import play
from tests.web import kings as k
game = k.kings(waiting="never")
secrets.token_bytes = kept
def is_offered(state):
    return k.asked(game) == [0] and any(o.do == "WHAT" and not o.aside for o in play.view_for(game, 0).offers)
k.play_on(game, "to look at WHAT", is_offered, most=600)
print(json.dumps({"url": game.get_absolute_url(), "keys": {n: key(n) for n in k.NAMES}}))
"""
)

# Notes every caption that is shown, every ghost on the stage, and each die that tumbles with what it says of itself.
WATCH = """() => {
  globalThis.seen = { captions: [], ghosts: [], dice: [] };
  const look = () => {
    const caption = document.getElementById("caption");
    const words = document.getElementById("film-bar").hidden ? "" : caption.textContent.trim();
    if (words && seen.captions.at(-1) !== words) seen.captions.push(words);
    // Where it goes, and not where it is just now: a busy machine may show few frames of it.
    for (const ghost of document.querySelectorAll("#stage .ghost"))
      for (const motion of ghost.getAnimations())
        for (const { transform } of motion.effect.getKeyframes()) seen.ghosts.push([ghost.textContent, transform]);
    for (const die of document.querySelectorAll(".die.tumbling"))
      seen.dice.push([die.textContent, die.dataset.face]);
    requestAnimationFrame(look);
  };
  look();
}"""
FACES = "⚀⚁⚂⚃⚄⚅"


def table_at(people: People, what: str, why: str = "") -> dict[str, Any]:
    """Two tables on one site must differ: `why` one is needed tells them apart."""
    return told(people.server, UNTIL.replace("WHAT", what).replace("WHY", why))


def table(people: People) -> dict[str, Any]:
    return stood(people.server, {"film": TURNS})["film"]


def marches(hand: Hand) -> None:
    """One stack goes somewhere, and the page has it."""
    revision = hand.state["revision"]
    hand.answer_march()
    expect(hand.page.locator("#page-state")).not_to_have_attribute("data-revision", revision)


def seen(page: Page, what: str) -> list[Any]:
    return page.evaluate(f"globalThis.seen.{what}")


def asked(page: Page) -> None:
    """The page knows of its question."""
    expect(page.locator("#page-state")).to_have_attribute("data-turn", "yes")


def is_filming(page: Page) -> bool:
    return page.locator("#table.filming").count() > 0


def caption(page: Page) -> Any:
    return page.locator("#film-bar:not([hidden]) #caption")


def waits(page: Page) -> None:
    expect(page.locator("#film-hold")).to_be_visible()


def does_not_wait(page: Page) -> None:
    expect(page.locator("#film-hold")).to_be_hidden()
    expect(page.locator("#table.watching")).to_have_count(0)


def moved_on(people: People, speed: str = "slow", **device: Any) -> tuple[Person, Person]:
    """Ann has marched and is done; Bob, who is asked now, sees it at this speed."""
    there = table(people)
    ann, bob = sits(people, there, "ann"), sits(people, there, "bob", film=speed, **device)
    bob.page.evaluate(WATCH)
    hand = Hand(ann.page)
    marches(hand)
    hand.done()
    asked(bob.page)
    return ann, bob


def test_a_march_is_seen_by_all_and_is_over_soon(people: People):
    there = table_at(people, "march")
    ann = sits(people, there, "ann", film="slow").page
    bob = sits(people, there, "bob", film="slow").page
    still = sits(people, there, "cat", film="fast", reduced_motion="reduce").page
    off = sits(people, there, "dan").page
    for page in (ann, bob, still, off):
        page.evaluate(WATCH)
    hand = Hand(ann)
    marches(hand)
    revision = hand.state["revision"]
    for page in (bob, still, off):
        expect(page.locator("#page-state")).to_have_attribute("data-revision", revision)
    for page in (ann, bob, still):
        expect(page.locator("#film-bar")).to_be_hidden()
        assert any("march" in words for words in seen(page, "captions")), seen(page, "captions")
    for page in (ann, bob):
        assert len({at for _, at in seen(page, "ghosts")}) > 1, "it did not move"
        assert page.locator("#stage .ghost").count() == 0 and page.locator(".hex.held").count() == 0
    assert len({at for _, at in seen(still, "ghosts")}) <= 1, "it moved"
    assert seen(off, "captions") == seen(off, "ghosts") == []


def test_dice_tumble_and_always_say_what_they_are(people: People):
    there = table_at(people, "recruit")
    ann = sits(people, there, "ann", film="normal").page
    still = sits(people, there, "bob", film="normal", reduced_motion="reduce").page
    for page in (ann, still):
        page.evaluate(WATCH)
    hand = Hand(ann)
    hand.press("[data-key=roll]")
    for page in (ann, still):
        expect(caption(page).locator(".die")).to_have_count(2)
    expect(ann.locator(".die.tumbling")).to_have_count(0)
    thrown, true = seen(ann, "dice"), caption(ann).locator(".die").all_inner_texts()
    assert thrown and {text for text, _ in thrown} == set(true) <= set(FACES)
    assert any(over != text for text, over in thrown)
    assert seen(still, "dice") == []


def test_a_question_waits_for_what_led_to_it_and_the_map_shows_it_as_it_was(people: People):
    _, bob = moved_on(people)
    page = bob.page
    waits(page)
    expect(caption(page)).to_contain_text("ann marches with")
    assert page.locator(".hex.held").count() and page.locator("#stage .was > .hex").count()
    expect(page.locator("#film-bar")).to_be_hidden()
    does_not_wait(page)
    assert page.locator(".hex.held").count() == page.locator("#stage .was > .hex").count() == 0


def test_space_skips_one_shot_and_a_press_on_the_question_all_of_them(people: People):
    _, bob = moved_on(people)
    page = bob.page
    waits(page)
    before = caption(page).inner_text()
    page.keyboard.press(" ")
    assert not is_filming(page) or caption(page).inner_text() != before
    page.locator("[data-film=again]").click()
    waits(page)
    page.locator("#film-hold button").click()
    does_not_wait(page)
    assert not is_filming(page)
    hand = Hand(page)
    decision = hand.state["decision"]
    hand.answer()  # and then it can be answered at once
    expect(page.locator("#page-state")).not_to_have_attribute("data-decision", decision)


def test_show_me_that_again_shows_the_same(people: People):
    _, bob = moved_on(people, "fast")
    page = bob.page
    expect(page.locator("#film-bar")).to_be_hidden()
    first = seen(page, "captions")
    page.evaluate("seen.captions = []")
    page.locator("[data-film=again]").click()
    expect(page.locator("#film-bar")).to_be_visible()
    expect(page.locator("#film-bar")).to_be_hidden()
    assert first and seen(page, "captions") == first


def test_the_speed_is_chosen_in_the_menu_and_remembered(people: People):
    page = sits(people, table(people), "bob", film="normal").page
    page.locator("#menu > summary").click()
    speeds = page.locator("[data-film-speed]")
    expect(speeds).to_have_value("normal")
    speeds.select_option("off")
    page.reload()
    live(page)
    expect(page.locator("[data-film-speed]")).to_have_value("off")


def test_a_question_against_time_is_there_at_once_with_what_led_to_it(people: People):
    """No table has a clock yet: the page is told so by hand, in the place where the server would say it."""
    there = table(people)
    ann, bob = sits(people, there, "ann").page, sits(people, there, "bob", film="slow").page
    bob.evaluate(
        """() => document.addEventListener("table:arrived",
             () => (document.getElementById("page-state").dataset.timed = "yes"), true)"""
    )
    hand = Hand(ann)
    marches(hand)
    expect(bob.locator("#newsreel")).to_be_visible()
    does_not_wait(bob)
    expect(bob.locator("#newsreel h2")).to_have_text("What led to this")
    expect(bob.locator("#newsreel li")).to_contain_text(["ann marches with"])
    bob.locator("[data-newsreel=play]").click()
    expect(caption(bob)).to_contain_text("ann marches with")


def test_whoever_comes_back_gets_a_newsreel(people: People):
    there = table(people)
    ann, bob = sits(people, there, "ann").page, sits(people, there, "bob", film="normal")
    bob.goes_to("/rules/")
    hand = Hand(ann)
    marches(hand)
    hand.done()
    bob.goes_to(there["url"])
    live(bob.page)
    reel = bob.page.locator("#newsreel")
    expect(reel).to_be_visible()
    expect(reel.locator("li")).to_contain_text(["ann marches with"])
    does_not_wait(bob.page)
    bob.page.locator("[data-newsreel=now]").click()
    expect(reel).to_be_hidden()
    bob.page.reload()
    live(bob.page)
    expect(reel).to_be_hidden()


def test_what_happens_while_a_newsreel_is_offered_joins_it(people: People):
    """It stays until it is answered, or the viewer acts; nothing of it is lost."""
    two_stacks = TURNS.replace("h9 plains A", "h9 plains A: goblins")
    there = stood(people.server, {"newsreel": two_stacks})["newsreel"]
    ann, bob = sits(people, there, "ann").page, sits(people, there, "bob", film="fast")
    bob.goes_to("/rules/")
    hand = Hand(ann)
    marches(hand)
    bob.goes_to(there["url"])
    live(bob.page)
    reel = bob.page.locator("#newsreel")
    expect(reel.locator("li")).to_have_count(1)
    marches(hand)
    expect(reel.locator("li")).to_have_count(2)
    hand.done()
    asked(bob.page)
    expect(reel).to_be_visible()
    Hand(bob.page).done()
    expect(reel).to_be_hidden()


# Bob has been away for an hour while something happened that Bob is told of.
AWAY = (
    LOG_IN
    + """
import json
from datetime import timedelta
from django.utils import timezone
from games import access, since
from games.models import Game, Seat
from tests.web import kings as k
game = k.kings(waiting="never")
def lines():
    return since.at_table(access.visit(Game.objects.get(pk=game.pk), tables.player("bob"), {}))
def told(state):
    return bool(lines())
k.play_on(game, "before", k.after(60), most=600)
revision = Game.objects.get(pk=game.pk).revision
Seat.objects.filter(game=game, number=1).update(seen_at=timezone.now() - timedelta(hours=1), seen_revision=revision)
k.play_on(game, "away", told, most=600)
print(json.dumps({"url": game.get_absolute_url(), "keys": {n: key(n) for n in k.NAMES}, "lines": lines()}))
"""
)
# More happens, until it is told in other lines.
MORE = """
import json
from games import access, since
from games.models import Game
from tests import tables
from tests.web import kings as k
game = Game.objects.get(public_id=PUBLIC_ID)
def lines():
    return since.at_table(access.visit(Game.objects.get(pk=game.pk), tables.player("bob"), {}), up_to_now=True)
before = lines()
k.play_on(game, "meanwhile", lambda state: lines() != before, most=600)
print(json.dumps({"lines": lines(), "url": game.get_absolute_url()}))
"""


def told_in(reel: Any, lines: list[str]) -> None:
    expect(reel).to_be_visible()
    expect(reel.locator("h2")).to_have_text("Since your last visit")
    expect(reel.locator("li")).to_have_text(lines)


@pytest.mark.parametrize("speed", ["fast", "off"])
def test_what_happens_since_the_last_visit_is_told_by_the_server_to_the_end(people: People, speed: str):
    there = told(people.server, AWAY)
    bob = sits(people, there, "bob", film=speed)
    reel = bob.page.locator("#newsreel")
    told_in(reel, there["lines"])
    more = told(people.server, MORE.replace("PUBLIC_ID", repr(there["url"].split("/")[2])))
    assert more["lines"] != there["lines"]
    bob.page.evaluate("htmx.trigger('#pulse-form', 'pulse')")
    told_in(reel, more["lines"])
    bob.page.locator("[data-newsreel=now]").click()
    expect(reel).to_be_hidden()


def test_without_an_answer_the_newsreel_says_what_the_page_knows(people: People):
    there = told(people.server, AWAY)
    bob = sits(people, there, "bob", film="fast")
    reel = bob.page.locator("#newsreel")
    told_in(reel, there["lines"])
    bob.page.route("**/since/", lambda route: route.abort())
    people.watch.forgive("ERR_FAILED")
    told(people.server, MORE.replace("PUBLIC_ID", repr(there["url"].split("/")[2])))
    bob.page.evaluate("htmx.trigger('#pulse-form', 'pulse')")
    expect(reel.locator("li[data-kind]").first).to_be_visible()
    expect(reel.locator("h2")).to_have_text("Since your last visit")


@pytest.mark.parametrize("device", [{}, PHONE], ids=["desktop", "phone"])
def test_the_caption_covers_neither_the_decision_nor_what_it_tells_of(
    people: People, device: dict[str, Any], kept_picture
):
    _, bob = moved_on(people, **device)
    page = bob.page
    expect(caption(page)).to_contain_text("ann marches with")
    kept_picture(page, f"film-{'phone' if device else 'desktop'}")
    bar, decision = (page.locator(each).bounding_box() for each in ("#film-bar", ".decision"))
    assert bar and decision and not overlap(bar, decision)
    assert bar["x"] >= 0 and page.viewport_size and bar["x"] + bar["width"] <= page.viewport_size["width"]
    for spot in page.locator("#stage .spot").all():
        assert not overlap(bar, spot.bounding_box(), 16)


# Along the length of the map, so that either end of it is told of.
ALONG = """
    players: 4
    phase: march
    turn: 2
    h1 plains A: farmers ogre
    h2 desert A
    h20 forest C: bears
    h8 plains C
    h12 swamp B: ghost
    h13 plains B
    h16 plains D: eagles
"""
# How much of the lit hexes lies under the caption, and how much of the map's height the caption takes.
COVERED = """() => {
  const bar = document.getElementById("film-bar").getBoundingClientRect();
  const spots = [...document.querySelectorAll("#stage .spot")].map((each) => each.getBoundingClientRect());
  const under = spots.map(({ top, bottom }) => Math.max(0, Math.min(bottom, bar.bottom) - Math.max(top, bar.top)));
  return { shot: document.getElementById("film-bar").dataset.shot, under, high: bar.height };
}"""


def test_on_a_small_phone_the_caption_is_low_and_leaves_the_lit_hexes_free(people: People, kept_picture):
    there = stood(people.server, {"small phone": ALONG})["small phone"]
    hands = [Hand(sits(people, there, name).page) for name in ("ann", "bob", "cat")]
    small = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
    page = sits(people, there, "eve", film="slow", **small).page
    shots: dict[str, Any] = {}
    for hand in hands:
        hand.play(lambda hand: hand.question != "march", 30)
    for _ in range(200):
        if page.locator("#film-bar:visible").count():
            found = page.evaluate(COVERED)
            shots[found["shot"]] = found  # the last look at each: the map has come to rest
            if len(shots) == 1:
                kept_picture(page, "caption-small-phone")
        elif shots:
            break
        page.wait_for_timeout(50)
    assert shots
    for found in shots.values():
        assert sum(found["under"]) < 8 and found["high"] < 80, shots


def overlap(one: Any, other: Any, most: float = 1) -> bool:
    wide = min(one["x"] + one["width"], other["x"] + other["width"]) - max(one["x"], other["x"])
    high = min(one["y"] + one["height"], other["y"] + other["height"]) - max(one["y"], other["y"])
    return wide > most and high > most


def test_everything_that_concerns_a_player_is_seen_before_they_are_asked(people: People, tmp_path):
    """The beginning of one game; `make film` plays ten, and leaves pictures."""
    people.watch.forgive(STALE)
    seen = film.Watched(tmp_path, most=12)
    film.play(people, [1], turns=1, seconds=200, seen=seen)
    assert seen.decisions > 6 and seen.concerned > 10
    assert {"place", "draw", "income"} <= set(seen.kinds)
    assert seen.unseen == []


def test_the_past_plays_the_same_film(people: People):
    there = table_at(people, "march", "from the beginning")
    page = sits(people, there, "eve", film="normal").page  # whoever only watches may, too
    page.locator("[data-past=latest]").click()
    jump = page.locator("[data-past-jump]")
    expect(jump).to_be_visible()
    status = page.locator("#past [role=status]")
    before = status.inner_text()
    jump.select_option(label="Turn 1")
    expect(status).not_to_have_text(before)
    page.locator("[data-past-play]").click()
    expect(page.locator("[data-past-play]")).to_have_attribute("aria-pressed", "true")
    expect(status).to_have_text(re.compile("collects"))
    expect(page.locator("#past .stage .spot").first).to_be_attached()
    page.locator("[data-past-play]").click()
    expect(page.locator("[data-past-play]")).to_have_attribute("aria-pressed", "false")
    page.locator("[data-past-slider]").fill("3")
    expect(page.locator("[data-past-slider]")).to_have_value("3")
    page.locator("[data-past=now]").click()
    expect(page.locator("#past")).to_be_empty()


# Notes, while the past plays, what a hex shows with each caption: whether it is still as it was before the step.
WATCH_PAST = """(place) => {
  globalThis.past = [];
  const look = () => {
    const words = document.querySelector("#past [role=status]")?.textContent ?? "";
    const hexes = [...document.querySelectorAll(`#past svg.kings-board > [data-still="${place}"]`)];
    const shown = hexes.find((each) => !each.classList.contains("held"))?.querySelector("title")?.textContent ?? "";
    if (words) past.push([words, shown]);
    requestAnimationFrame(look);
  };
  look();
}"""


def test_the_past_shows_the_position_before_a_step_until_its_film_has_come_to_it(people: People):
    there = table(people)
    ann, eve = sits(people, there, "ann").page, sits(people, there, "eve", film="normal").page
    hand = Hand(ann)
    marches(hand)
    revision = hand.state["revision"]
    expect(eve.locator("#page-state")).to_have_attribute("data-revision", revision)
    target = (eve.locator("#film > [data-kind=march]").last.get_attribute("data-path") or "").split()[-1]
    drawn = eve.locator(f"#past svg.kings-board > [data-still={target}] > title")
    eve.locator("[data-past=latest]").click()
    after = drawn.text_content()
    eve.locator("#past [data-key=back]").click()
    expect(drawn).not_to_have_text(after or "")
    before = drawn.text_content()
    eve.evaluate(WATCH_PAST, target)
    eve.locator("[data-past-play]").click()
    expect(eve.locator("[data-past-slider]")).to_have_value(revision)
    expect(eve.locator("[data-past-play]")).to_have_attribute("aria-pressed", "false")
    told = [shown for words, shown in eve.evaluate("past") if "ann marches with" in words]
    assert told[0] == before and told[-1] == after  # it arrives, and not before it sets out
    assert not eve.locator("#past .hex.held").count() and drawn.count() == 1
    eve.locator("[data-past-play]").click()  # the same step once more, and stopped in the middle of it
    expect(drawn).to_have_count(2)
    eve.locator("[data-past-play]").click()
    expect(drawn).to_have_count(1)
    assert drawn.text_content() == after
