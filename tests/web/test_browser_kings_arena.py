"""A battle of Kings & Things* at a real table: fought on the arena, folded, watched, replayed, and on a phone."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser import People
from tests.kings_hand import Hand
from tests.kings_site import at, sits, stood
from tests.kings_tables import TWO_BATTLES
from tests.server import Server
from tests.web.test_browser_kings_room import MISSED

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

WINDOW = {"viewport": {"width": 1280, "height": 720}}
SMALL = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
TABLES = ("still", "by hand", "folded", "watched", "suggested", "film", "phone")
# The battle for h9 is over in its first round, and nobody has anything to decide in it.
ONE_SIDED = TWO_BATTLES.replace("B pirates*", "B buffalo_herd_3* buffalo_herd_4* centaur* dragonfly*")


@pytest.fixture(scope="module", name="tables")
def fixture_tables(site: Server) -> dict[str, Any]:
    return stood(site, {**dict.fromkeys(TABLES, TWO_BATTLES), "at once": ONE_SIDED, "results": ONE_SIDED})


def begin(ann: Hand) -> None:
    """Ann begins the battle for h2."""
    ann.hex("h2")
    if ann.controls("[data-confirm]").count():
        ann.confirm()
    expect(ann.page.locator("#battle .battle-steps")).to_be_visible()


def question(page: Page) -> str:
    return page.evaluate("document.getElementById('picks')?.dataset.question ?? ''")


def is_asked(page: Page) -> bool:
    return page.evaluate("document.getElementById('page-state').dataset.turn === 'yes'")


def until_hit(hands: list[Hand]) -> Hand:
    """Both go on until one of them has to take hits and may choose."""
    for _ in range(60):
        for hand in hands:
            if not is_asked(hand.page) or hand.state["over"] == "yes":
                continue
            if question(hand.page) == "losses" and hand.controls("[data-key=lose][aria-disabled]").count():
                return hand
            before = hand.state
            hand.answer()
            hand.wait_for_news(before)
        hands[0].page.wait_for_timeout(100)
    raise AssertionError("nobody was hit")


def over(hand: Hand) -> bool:
    return hand.page.locator("#battle .result").count() > 0


# ---- fighting


def test_hits_are_taken_by_pressing_fighters(people: People, tables: dict[str, Any]):
    ann, bob = at(people, tables["by hand"], "ann", **WINDOW), at(people, tables["by hand"], "bob", **WINDOW)
    begin(ann)
    hit = until_hit([ann, bob])
    other = bob if hit is ann else ann
    seat = hit.state["seat"]
    fighters = hit.page.locator(f"#battle .battle-side[data-side='{seat}'] button.counter.open")
    go = hit.controls("[data-key=lose]")
    before = hit.state["revision"]
    picked = 0
    while go.get_attribute("aria-disabled") == "true":
        hit.page.locator(f"#battle .battle-side[data-side='{seat}'] button.counter.open:not(.picked)").first.click()
        hit.settled()
        picked += 1
        assert picked < 12
    assert fighters.count() and hit.page.locator("#battle .counter.picked").count()
    # Nobody else sees a pick.
    expect(other.page.locator("#battle .counter.picked")).to_have_count(0)
    go.click()
    expect(hit.page.locator("#page-state")).not_to_have_attribute("data-revision", before)
    assert not hit.refused


def test_hits_are_taken_as_suggested(people: People, tables: dict[str, Any]):
    ann, bob = at(people, tables["suggested"], "ann", **WINDOW), at(people, tables["suggested"], "bob", **WINDOW)
    begin(ann)
    hit = until_hit([ann, bob])
    before = hit.state["revision"]
    button = hit.controls("[data-key=suggested]")
    expect(button).to_have_class("button primary")
    button.click()
    expect(hit.page.locator("#page-state")).not_to_have_attribute("data-revision", before)
    assert not hit.refused


def test_retreat_by_a_lit_neighbour_and_the_result_and_a_replay(people: People, tables: dict[str, Any]):
    """A battle to its end: the fallen stay, the result shows and goes, and the chronicle plays the battle again."""
    ann, bob = at(people, tables["watched"], "ann", **WINDOW), at(people, tables["watched"], "bob", **WINDOW)
    eve = sits(people, tables["watched"], "eve", **WINDOW).page
    begin(ann)
    # Whoever watches has it small, and in full by a press.
    expect(eve.locator("#arena.small")).to_be_visible()
    eve.get_by_role("button", name="Full size").click()
    expect(eve.locator("#arena:not(.small)")).to_be_visible()
    retreated = False
    for _ in range(80):
        if over(bob):
            break
        for hand in (ann, bob):
            if over(hand) or not is_asked(hand.page):
                continue
            before = hand.state
            if question(hand.page) == "retreat" and hand is ann:
                assert ann.lit("target"), "the neighbours are lit"
                assert not ann.page.evaluate(MISSED)
                ann.hex(ann.lit("target")[0])
                ann.confirm()
                retreated = True
            else:
                hand.answer()
            hand.wait_for_news(before)
        ann.page.wait_for_timeout(100)
    assert retreated
    # One result after the other, if the second battle was over at once; each goes when it is read.
    shown = bob.page.locator("#battle .result:not([hidden])")
    expect(shown).to_contain_text("holds the field")
    for _ in range(bob.page.locator("#battle .result").count()):
        if shown.count():
            shown.get_by_role("button", name="Got it").click()
    expect(shown).to_have_count(0)
    # The other page has not read it: it goes by itself.
    expect(eve.locator("#arena")).to_be_hidden(timeout=10_000)
    eve.evaluate("localStorage.film = 'fast'")
    eve.locator("#log .replay").first.click()
    expect(eve.locator(".past-arena")).to_contain_text("Battle in")
    expect(eve.locator(".past-steps [role=status]")).to_contain_text("Battle in")
    expect(eve.locator(".past-arena .result").first).to_be_visible(timeout=60_000)
    expect(eve.locator("[data-past-play]")).to_have_attribute("aria-pressed", "false", timeout=60_000)


def test_a_result_goes_by_itself_and_is_small_for_others(people: People, tables: dict[str, Any], kept_picture):
    ann, bob = at(people, tables["results"], "ann", **WINDOW), at(people, tables["results"], "bob", **WINDOW)
    eve = sits(people, tables["results"], "eve", **WINDOW).page
    begin(ann)
    while not over(ann):
        for hand in (ann, bob):
            if is_asked(hand.page) and not over(hand):
                hand.answer()
    expect(eve.locator("#battle .result:not([hidden])")).to_be_visible()
    expect(eve.locator("#arena.small")).to_be_visible()
    kept_picture(eve, "arena-result-small")
    shown = ann.page.locator("#battle .result:not([hidden])")
    expect(ann.page.locator("#arena.own:not(.small)")).to_be_visible()
    kept_picture(ann.page, "arena-result-own")
    title = shown.locator("h3").inner_text()
    for step in range(9):  # nobody takes it away while it is read
        ann.page.mouse.move(500 + 10 * step, 200)
        ann.page.wait_for_timeout(500)
    expect(shown.locator("h3")).to_have_text(title)
    expect(eve.locator("#arena")).to_be_hidden(timeout=10_000)
    expect(ann.page.locator("#arena")).to_be_hidden(timeout=12_000)


# ---- where it lies


def test_the_arena_covers_nothing_that_is_needed_and_folds_away(people: People, tables: dict[str, Any]):
    ann, bob = at(people, tables["folded"], "ann", **WINDOW), at(people, tables["folded"], "bob", **WINDOW)
    begin(ann)
    hit = until_hit([ann, bob])
    page = hit.page
    page.wait_for_timeout(400)
    assert not page.evaluate(MISSED)
    apart = """() => {
        const of = (name) => document.querySelector(name).getBoundingClientRect();
        const arena = of("#arena");
        return [".decision", "#rack-panel", ".kings-players", ".board-tools [data-past]"].filter((name) => {
            const { left, right, top, bottom } = of(name);
            return left < arena.right - 1 && right > arena.left + 1 && top < arena.bottom - 1 && bottom > arena.top + 1;
        });
    }"""
    assert page.evaluate(apart) == []
    fold = page.locator("#arena [data-arena=fold]")
    fold.click()
    expect(page.locator("#battle .battle-sides")).to_be_hidden()
    expect(fold).to_have_attribute("aria-expanded", "false")
    assert page.evaluate("document.getElementById('arena').offsetHeight") < 90
    fold.click()
    expect(page.locator("#battle .battle-sides")).to_be_visible()
    assert page.evaluate("document.querySelectorAll('*').length") < 3000


def test_on_a_phone_the_arena_is_in_the_sheet(people: People, tables: dict[str, Any]):
    ann, bob = at(people, tables["phone"], "ann", **SMALL), at(people, tables["phone"], "bob", **SMALL)
    begin_on_phone(ann)
    # The arena lies below the question; its odds are in sight with it.
    bar = ann.page.locator("#battle-odds")
    expect(bar).to_contain_text("%")
    expect(bar).to_be_in_viewport(ratio=1)
    hit = until_hit([ann, bob])
    hit.page.wait_for_timeout(300)
    assert not hit.page.evaluate(MISSED)
    assert hit.page.evaluate("document.getElementById('sheet').contains(document.getElementById('arena'))")
    seat = hit.state["seat"]
    fighter = hit.page.locator(f"#battle .battle-side[data-side='{seat}'] button.counter.open").first
    fighter.scroll_into_view_if_needed()
    fighter.tap()
    expect(fighter).to_have_class(re.compile(r"\bpicked\b"))


def begin_on_phone(ann: Hand) -> None:
    ann.controls("button[data-hex=h2]").first.click()
    if ann.controls("[data-confirm]").count():
        ann.confirm()
    expect(ann.page.locator("#battle .battle-steps")).to_be_attached()


# ---- the film


def test_the_film_plays_strikes_in_the_arena(people: People, tables: dict[str, Any]):
    """Dice fall beside fighters while the film plays, on the arena as it was; the question waits."""
    ann = at(people, tables["film"], "ann", **WINDOW)
    bob = people_with_film(people, tables["film"], "bob")
    begin(ann)
    expect(bob.locator("#film-bar")).to_be_visible()
    expect(bob.locator("#film-bar[data-kind=strike]")).to_be_visible(timeout=30_000)
    expect(bob.locator("#arena.then #battle-then .fighter > .die-of").first).to_be_visible()
    expect(bob.locator("#battle-then[inert]")).to_be_attached()
    expect(bob.locator("#arena:not(.then)")).to_be_visible(timeout=30_000)
    expect(bob.locator("#battle .battle-sides")).to_be_visible()


# Notes whatever moves for longer than a moment, and for each strike the dice that say in the arena what they are.
STILL = """() => {
  globalThis.noted = { moves: [], strikes: {} };
  const poses = (motion) => motion.effect.getKeyframes().map(({ transform, translate, opacity, width }) =>
    JSON.stringify([transform, translate, opacity, width]));
  const look = () => {
    for (const motion of document.getAnimations())
      if (motion.effect.getComputedTiming().duration > 1 && new Set(poses(motion)).size > 1)
        noted.moves.push(`${motion.effect.target.outerHTML.slice(0, 80)} ${poses(motion)}`);
    for (const each of document.querySelectorAll(".tumbling, .spark")) noted.moves.push(each.className);
    const bar = document.getElementById("film-bar");
    if (!bar.hidden && bar.dataset.kind === "strike") {
      const dice = [...document.querySelectorAll("#arena .die-of")].filter((each) => each.checkVisibility());
      const says = dice.map((each) => each.textContent).filter((each) => /[⚀-⚅](hit|miss)$/.test(each)).length;
      noted.strikes[bar.dataset.shot] = [says, document.getElementById("caption").textContent];
    }
    requestAnimationFrame(look);
  };
  look();
}"""


def is_at_rest(hand: Hand) -> bool:
    """Asked, and not watching: a press on the film would skip it."""
    return bool(hand.question) and hand.is_idle and not hand.page.locator("#table.filming").count()


def test_without_motion_a_battle_is_captions_and_stills(people: People, tables: dict[str, Any], kept_picture):
    """Nothing moves from the first die to the result, and what each strike came to can be read."""
    ann = at(people, tables["still"], "ann", **WINDOW)
    bob = Hand(sits(people, tables["still"], "bob", film="fast", reduced_motion="reduce", **WINDOW).page)
    bob.page.evaluate(STILL)
    begin(ann)
    ended = bob.page.locator("#tidings > .tiding:is(.won, .lost, .drawn)").first
    for _ in range(400):
        if ended.is_visible():
            break
        if is_asked(ann.page):
            ann.answer()
        rests = [bob.page.wait_for_timeout(120) or is_at_rest(bob) for _ in range(2)]
        if all(rests):
            bob.answer()
    expect(ended).to_be_visible()
    noted = bob.page.evaluate("noted")
    assert noted["moves"] == []
    assert noted["strikes"]
    for dice, said in noted["strikes"].values():
        assert dice and re.search(r"(\bhits?)\.", said), noted["strikes"]
    kept_picture(bob.page, "arena-still")


def test_a_battle_within_one_message_is_fought_in_the_arena(people: People, tables: dict[str, Any], kept_picture):
    """Nobody was asked anything from its beginning to its end: the film brings who stood there."""
    ann = at(people, tables["at once"], "ann", **WINDOW)
    bob = people_with_film(people, tables["at once"], "bob")
    ann.hex("h9")
    if ann.controls("[data-confirm]").count():
        ann.confirm()
    then = bob.locator("#arena.then #battle-then")
    expect(bob.locator("#film-bar[data-kind=battle]")).to_be_visible()
    expect(then.locator(".battle-side.attacks .counter .name")).to_have_text(
        ["Buffalo Herd", "Buffalo Herd", "Centaur", "Dragonfly"]
    )
    expect(then.locator(".battle-side.defends .counter .name")).to_have_text(["Ghost"])
    expect(then.locator(".die-of")).to_have_count(0)
    expect(bob.locator("#film-bar[data-kind=strike]")).to_be_visible(timeout=30_000)
    expect(then.locator(".fighter > .die-of").first).to_be_visible()
    kept_picture(bob, "arena-at-once")
    expect(bob.locator("#film-bar:is([data-kind=losses], [data-kind=battle-over])")).to_be_visible(timeout=60_000)
    expect(then.locator(".counter.fallen")).to_have_count(1)
    expect(bob.locator("#film-bar[data-kind=battle-over]")).to_be_visible(timeout=30_000)
    expect(then.locator(".battle-side.holds")).to_have_count(1)
    kept_picture(bob, "arena-at-once-over")
    # Its card shows it again, as it was fought; and so does the chronicle.
    bob.locator("[data-film=now]:visible").first.click()
    bob.locator("#tidings > .tiding.won").get_by_role("button", name="Show").click()
    is_fought_in_the_past(bob, kept_picture)
    bob.get_by_role("button", name="Back to now").click()
    bob.evaluate("localStorage.film = 'fast'")
    bob.locator("#log .replay").first.click()
    is_over_in_the_past(bob)
    bob.set_viewport_size({"width": 360, "height": 640})
    fight, steps = (bob.locator(each).bounding_box() for each in (".past-arena", ".past-steps"))
    assert fight and steps and fight["y"] + fight["height"] <= steps["y"] + 1


def is_fought_in_the_past(page: Page, kept_picture) -> None:
    past = page.locator(".past-arena")
    expect(past.locator(".fight-head h3")).to_contain_text("Battle in")
    expect(past.locator(".counter")).to_have_count(5)
    expect(past.locator(".counter.fallen, .die-of")).to_have_count(0)
    expect(past.locator(".fighter > .die-of").first).to_be_visible(timeout=30_000)
    kept_picture(page, "arena-past")
    is_over_in_the_past(page)


def is_over_in_the_past(page: Page) -> None:
    past = page.locator(".past-arena")
    expect(past.locator(".counter.fallen .name")).to_have_text(["Ghost"], timeout=30_000)
    expect(past.locator(".battle-side.holds")).to_have_count(1, timeout=30_000)
    # It ends with the battle, though another one begins with the same step.
    expect(page.locator("[data-past-play]")).to_have_attribute("aria-pressed", "false", timeout=30_000)


def people_with_film(people: People, table: dict[str, Any], name: str) -> Page:
    page = sits(people, table, name, **WINDOW).page
    page.evaluate("localStorage.film = 'normal'")
    page.reload()
    expect(page.locator("#table.live")).to_be_attached()
    return page
