"""Kings & Things* in real browsers: against stewards, in four windows, watched, on a phone, by keys alone, dark."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games.engine.kings.terms import PHASES
from tests.browser import PHONE, People, Person, is_too_wide
from tests.kings_hand import Hand, live
from tests.kings_site import LOG_IN, NAMES, STALE, comes, sits, told
from tests.server import Server

pytestmark = pytest.mark.browser

WITH_STEWARDS = (
    LOG_IN
    + """
import json
from games import lobby
name = "ann"
seats = [{"kind": "me"}, *[{"kind": "bot", "level": "steward"}] * 3]
game = lobby.create(tables.player(name), "kings", {"waiting": "never"}, seats)
print(json.dumps({"url": game.get_absolute_url(), "keys": {name: key(name)}}))
"""
)

# Four people who did anything that is allowed until the first of them has hits to give out, and the battle will go on
# afterwards. The dice are the same each time; so are the secrets that everything else is drawn from.
IN_BATTLE = (
    LOG_IN
    + """
import json, random, secrets
kept, secrets.token_bytes = secrets.token_bytes, random.Random("a battle with hits 4").randbytes
from tests.web import kings as k
game = k.kings(waiting="mine")
secrets.token_bytes = kept
from games.engine.kings.stacks import army
def is_hit(state):
    top = state.flow[-1] if state.flow else None
    if top is None or top.name() != "losses" or 0 not in top.pending:
        return False
    battle = next(frame for frame in state.flow if frame.name() == "battle")
    return all(len(army(state, side, battle.place)) > top.hits.get(str(side), 0) for side in battle.standing(state))
k.play_on(game, "a battle with hits", is_hit, most=3000)
print(json.dumps({"id": game.pk, "url": game.get_absolute_url(), "keys": {n: key(n) for n in k.NAMES}}))
"""
)

TRUTH = """
import json
from games import store
from games.models import Game
state = store.load(Game.objects.get(pk=GAME))
down = [c for c in state.counters.values() if c.place in state.hexes and not c.face_up]
print(json.dumps({
    "racks": [[state.counters[c].tag for c in state.rack(n)] for n in range(4)],
    "down": [[[c.tag, state.kind(c.number).name] for c in down if c.owner == n] for n in range(4)],
}))
"""


@pytest.fixture(scope="module", name="battle")
def fixture_battle(site: Server) -> dict[str, Any]:
    """One table for all who look at a battle: it takes a while to get there."""
    return told(site, IN_BATTLE)


# ---- playing


def test_a_person_plays_two_turns_against_three_stewards(people: People):
    people.watch.forgive(STALE)
    hand = Hand(sits(people, told(people.server, WITH_STEWARDS), "ann").page)
    hand.page.set_default_timeout(3000)
    hand.play(lambda hand: hand.turn >= 3 or hand.state["over"] == "yes", seconds=170)
    # Whoever cannot pay for a fort is not asked about one.
    assert {"claim", "tower", "place", "recruit", "draw", "march"} <= set(hand.met)
    assert {"heroes", "things", "march"} <= hand.phases
    # Phases without a question pass too quickly to be seen in the bar, and the log on the page shows only its end.
    log = hand.page.request.get(hand.page.url.split("?")[0] + "export/").text()
    assert not [name for phase, name in PHASES.items() if phase != "rotate" and name not in log], log
    expect(hand.page.locator("#purse")).to_contain_text(re.compile(r"\d+ gold"))
    assert hand.page.locator("#log li").count() <= 200


def test_hits_are_taken_in_a_battle(people: People, battle: dict[str, Any]):
    ann = sits(people, battle, "ann").page
    panel = ann.locator("#battle")
    expect(panel.locator(".battle-steps .now")).to_have_count(1)
    expect(panel.locator(".battle-side")).not_to_have_count(0)
    expect(panel.locator(".hits").first).to_contain_text("to take")
    hand = Hand(ann)
    confirm = hand.controls("[data-key=lose]")
    expect(confirm).to_be_disabled()
    expect(confirm).to_have_text(re.compile(r"0 of \d+: confirm"))
    first = hand.controls("[data-chip]").first.get_attribute("data-chip") or ""
    if first != "fort":  # the counter itself in the battle's panel picks it as well
        panel.locator(f"button.counter[data-tag='{first}']").click()
        expect(panel.locator(f"button.counter[data-tag='{first}']")).to_have_attribute("aria-pressed", "true")
    revision = hand.state["revision"]
    hand.answer_losses()
    expect(ann.locator("#page-state")).not_to_have_attribute("data-revision", revision)
    assert not hand.refused


# ---- what each may see


def frames_of(person: Person) -> list[str]:
    heard: list[str] = []
    person.page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: heard.append(str(frame))))
    return heard


def dom(page: Page) -> str:
    return page.evaluate("() => document.documentElement.outerHTML")


def window(people: People, table: dict[str, Any], name: str) -> tuple[Page, list[str]]:
    """A window at a table, and what it hears; whoever has no key there looks on."""
    person = comes(people, table, name)
    heard = frames_of(person)
    person.goes_to(table["url"])
    live(person.page)
    return person.page, heard


def test_four_windows_each_see_only_their_own(people: People, battle: dict[str, Any]):
    code = TRUTH.replace("GAME", str(battle["id"]))
    before = told(people.server, code)
    windows = [window(people, battle, name) for name in (*NAMES, "eve")]
    loaded = [dom(page) for page, _ in windows]
    for number, (page, _) in enumerate(windows):
        for seat in set(range(4)) - {number}:
            backs_only(page, before["down"][seat])
        expect(page.locator("#rack .counter")).to_have_count(len((*before["racks"], [])[number]))
    acting = next(page for page, _ in windows if Hand(page).question)
    revision = Hand(acting).state["revision"]
    Hand(acting).answer()
    for page, _ in windows:
        expect(page.locator("#page-state")).not_to_have_attribute("data-revision", revision)
    after = told(people.server, code)
    assert any(heard for _, heard in windows)
    for number, (page, heard) in enumerate(windows):
        shown = loaded[number] + dom(page) + "".join(heard)
        for seat in range(4):
            kept = set(before["racks"][seat]) & set(after["racks"][seat])
            assert {tag for tag in kept if tag in shown} == (kept if seat == number else set()), (number, seat)
            if seat != number:
                backs_only(page, after["down"][seat])
    assert any(before["racks"]) and any(before["down"])


def backs_only(page: Page, down: list[list[str]]) -> None:
    """Of what lies face down of others the page has the tag and nothing else."""
    for tag, name in down:
        for node in page.locator(f"[data-tag='{tag}']").all():
            assert "back" in (node.get_attribute("class") or "").split()
            assert node.get_attribute("data-kind") is None and name not in node.inner_html()


def test_a_spectator_watches_without_controls(people: People, battle: dict[str, Any]):
    eve = sits(people, battle, "eve")
    assert eve.page.locator("#controls > *").count() == 0 and eve.page.locator("#rack .counter").count() == 0
    expect(eve.page.locator("#purse")).to_be_empty()
    expect(eve.page.locator("#prompt")).to_contain_text(re.compile("Waiting for|Just a moment"))
    expect(eve.page.locator("#battle h3")).to_contain_text(re.compile("Battle in|Exploring"))
    counter = eve.page.locator("#battle button.counter[data-kind]").first
    counter.click()  # nothing can be picked, so it tells what it is
    expect(eve.page.locator("#card")).to_be_visible()
    expect(eve.page.locator("#card-title")).to_have_text(counter.locator(".name").inner_text())
    assert re.search(r"/rules/kings/#.+", eve.page.locator("#card-rules").get_attribute("href") or "")


# ---- hands and eyes


def test_on_a_phone_nothing_is_out_of_reach(people: People):
    ann = sits(people, told(people.server, WITH_STEWARDS), "ann", **PHONE).page
    hand = Hand(ann)
    assert not is_too_wide(ann)
    hand.play(lambda hand: hand.question == "place", seconds=60)
    assert not is_too_wide(ann)
    # Ten counters out of the cup: most are creatures, but any of them may be something that is not placed.
    creature = hand.controls("[data-chip]").first.get_attribute("data-chip")
    now = ann.locator(f"#rack [data-tag={creature!r}]")
    now.scroll_into_view_if_needed()
    now.tap()
    expect(now).to_have_attribute("aria-pressed", "true")
    hand.settled()
    place = hand.lit("target")[0]
    ann.locator(f"#hex-{place}").tap(force=True)
    hand.controls("[data-key=place]").tap()
    expect(ann.locator(f"#hex-{place} .chit")).not_to_have_count(0)
    # Read in one go: news of the stewards swaps the controls at any moment, and what is swapped out has no size.
    boxes = ann.evaluate(
        """() => [...document.querySelectorAll("#controls button")].map(each => each.getBoundingClientRect())
        .filter(({width}) => width).map(({left, right, height}) => [left, right, height])"""
    )
    assert boxes and all(left >= 0 and right <= 360 and height >= 24 for left, right, height in boxes), boxes
    assert not is_too_wide(ann)


def test_keys_alone_choose_claim_and_build_a_tower(people: People):
    ann = sits(people, told(people.server, WITH_STEWARDS), "ann").page
    hand = Hand(ann)
    answered = []
    while "tower" not in answered:  # whoever comes last has no choice of a start
        hand.play(lambda hand: hand.question not in ("", "replace_sea"), seconds=30)
        answered.append(hand.question)
        revision = hand.state["revision"]
        expect(ann.locator("#board .hex.target")).not_to_have_count(0)
        go_by_keys(ann, hand.lit("target")[-1])
        ann.keyboard.press("Enter")
        expect(hand.controls("[data-confirm]")).to_be_focused()
        ann.keyboard.press("Enter")
        expect(ann.locator("#page-state")).not_to_have_attribute("data-revision", revision)
        expect(ann.locator("#controls[aria-busy]")).to_have_count(0)
    # Where there is only one hex to choose, it is taken without a question.
    assert set(answered) <= {"start", "claim", "tower"} and len(answered) > 1
    expect(ann.locator("#board .fort")).not_to_have_count(0)


def go_by_keys(page: Page, place: str) -> None:
    """Tab until the map has the focus, then arrows: across first, then up or down, and again if need be."""
    for _ in range(90):
        if page.evaluate("document.activeElement.matches('#board .hex')"):
            break
        page.keyboard.press("Tab")
    for _ in range(40):
        step = page.evaluate(
            """to => { const at = (hex) => hex.getAttribute('transform').match(/-?[\\d.]+/g).map(Number);
            const [x, y] = at(document.activeElement), [a, b] = at(document.getElementById(`hex-${to}`));
            if (x === a && y === b) return '';
            return Math.abs(a - x) > 1 ? (a > x ? 'ArrowRight' : 'ArrowLeft') : (b > y ? 'ArrowDown' : 'ArrowUp'); }""",
            place,
        )
        if not step:
            return
        page.keyboard.press(step)
    raise AssertionError(f"no way to {place} by arrows")


def test_a_choice_is_confirmed_and_can_be_cancelled(people: People):
    ann = sits(people, told(people.server, WITH_STEWARDS), "ann").page
    hand = Hand(ann)
    hand.play(lambda hand: hand.question == "claim", seconds=30)
    revision = hand.state["revision"]
    claim = hand.lit("target")[0]
    hand.hex(claim)
    expect(hand.controls(".confirm")).to_contain_text(hand.named(claim))
    expect(hand.controls(".button.primary")).to_have_count(1)
    ann.keyboard.press("Escape")
    expect(hand.controls(".confirm")).to_have_count(0)
    assert hand.state["revision"] == revision
    hand.play(lambda hand: hand.question == "place", seconds=60)
    hand.press("button:has-text('Pick all creatures')")
    while not hand.lit("target"):
        hand.controls(".chip[aria-pressed=true]").last.click()
        hand.settled()
    hand.hex(hand.lit("target")[0])
    expect(hand.controls(".button.primary")).to_have_count(1)
    expect(hand.controls(".button.primary")).to_have_text(re.compile("^Place"))
    expect(hand.controls("[data-do=done]")).to_have_count(0)  # what is planned is placed or put back first
    hand.controls().get_by_role("button", name="Put all back").click()
    expect(hand.controls("[data-key=place]")).to_have_count(0)
    expect(hand.controls("[data-do=done]")).to_be_enabled()


def test_in_the_dark_it_is_dark(people: People, battle: dict[str, Any], kept_picture):
    ann = sits(people, battle, "ann", color_scheme="dark").page
    shades = ann.evaluate(
        """() => ['body', '#controls', '#battle', '.noble', '#purse'].map(
        (each) => getComputedStyle(document.querySelector(each)).backgroundColor)"""
    )
    for shade in shades:
        red, green, blue = (float(part) for part in re.findall(r"[\d.]+", shade)[:3])
        assert max(red, green, blue) < 120, shades
    kept_picture(ann, "kings-dark")
