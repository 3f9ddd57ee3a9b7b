"""The room of Kings & Things*: at every decision title, main button and hex are in sight and under the hand."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import CDPSession, Page, expect

from tests.browser import DESKTOP, People
from tests.kings_hand import Hand
from tests.kings_site import STALE, sits, stood, told
from tests.kings_tables import MARCH
from tests.server import Server
from tests.web.test_browser_kings_game import WHOLE_GAME

pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]

# Width, height and the size of letters the reader has asked for.
SIZES = [(1280, 720, 16), (390, 844, 16), (360, 640, 16), (844, 390, 16), (1280, 720, 32)]

# What a press at the middle of each of these would miss: it lies outside the window, or under something else.
MISSED = """() => {
    const missed = (name, node, whole = node) => {
        if (!node) return [];
        const at = node.getBoundingClientRect();
        const [x, y] = [at.left + at.width / 2, at.top + at.height / 2];
        const isInside = at.width && x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;
        if (!isInside) return [`${name} is out of sight at ${x}, ${y}`];
        const hit = document.elementFromPoint(x, y);
        return whole.contains(hit) ? [] : [`${name} is under ${hit?.id || hit?.className?.baseVal || hit?.className}`];
    };
    const visible = (selector) => [...document.querySelectorAll(selector)].find((each) => each.getClientRects().length);
    const buttons = [".button.primary", "[data-do=done]", "button:not([disabled])"];
    const main = buttons.map((each) => visible(`#controls ${each}`)).find((each) => each);
    const here = document.querySelector("#prompt [data-here]")?.dataset.here;
    const hex = here && document.getElementById(`hex-${here}`);
    return [
        ...missed("the title", document.querySelector("#prompt strong")),
        ...missed("the main button", main),
        ...(hex ? missed(`hex ${here}`, hex.querySelector(".ground"), hex) : []),
        ...(document.documentElement.scrollHeight > innerHeight ? ["the page scrolls"] : []),
    ];
}"""


def resize(page: Page, devtools: CDPSession, width: int, height: int, letters: int) -> None:
    devtools.send("Page.setFontSizes", {"fontSizes": {"standard": letters, "fixed": letters * 13 // 16}})
    page.set_viewport_size({"width": width, "height": height})


def missed_at_every_size(page: Page, devtools: CDPSession) -> list[str]:
    found = []
    for size in SIZES:
        resize(page, devtools, *size)
        page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        found += [f"{size}: {each}" for each in page.evaluate(MISSED)]
    resize(page, devtools, *SIZES[0])
    return found


class Careful(Hand):
    """Looks at decisions in all sizes before it answers: one of each sort and turn."""

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self.devtools = page.context.new_cdp_session(page)
        self.looked: set[tuple[str, int]] = set()
        self.missed: list[str] = []

    def answer(self) -> None:
        about = (self.question, self.turn)
        if about not in self.looked:
            self.looked.add(about)
            self.missed += [
                f"turn {self.turn}, {self.question}: {each}" for each in missed_at_every_size(self.page, self.devtools)
            ]
        super().answer()


def test_every_decision_of_a_game_is_in_sight_and_under_the_hand(people: People):
    people.watch.forgive(STALE)
    ann = sits(
        people,
        told(people.server, WHOLE_GAME.replace("a whole game", "a room")),
        "ann",
        viewport={"width": 1280, "height": 720},
    )
    hand = Careful(ann.page)
    hand.page.set_default_timeout(10_000)
    hand.play(lambda hand: hand.state["over"] == "yes", seconds=800)
    assert len(hand.looked) > 15, hand.looked
    assert not hand.missed, "\n".join(hand.missed)


@pytest.fixture(scope="module", name="tables")
def fixture_tables(site: Server) -> dict[str, Any]:
    return stood(site, {"room": MARCH})


def test_what_lies_over_a_button_is_found(people: People, tables: dict[str, Any]):
    """The net holds: something is laid over the main button, and the title is pushed out of the window."""
    ann = sits(people, tables["room"], "ann", **DESKTOP).page
    assert ann.evaluate(MISSED) == []
    ann.evaluate("""() => {
        const at = document.querySelector("#controls .button.primary").getBoundingClientRect();
        const over = document.createElement("div");
        over.id = "over";
        const where = { left: `${at.left}px`, top: `${at.top}px`, width: "300px", height: "60px" };
        Object.assign(over.style, { position: "fixed", zIndex: 99, ...where });
        document.body.append(over);
        document.querySelector("#prompt strong").style.transform = "translateY(-400px)";
    }""")
    missed = ann.evaluate(MISSED)
    assert len(missed) == 2 and "title is out of sight" in missed[0] and "button is under over" in missed[1], missed


# ---- the camera


def width_of(page: Page, selector: str) -> float:
    box = page.locator(selector).first.bounding_box()
    assert box
    return box["width"]


def test_the_map_is_enlarged_moved_and_shown_whole_again(people: People, tables: dict[str, Any]):
    ann = sits(people, tables["room"], "ann", **DESKTOP).page
    whole = width_of(ann, "#hex-h1 .ground")
    ann.locator("#hex-h1 .ground").hover(force=True)
    ann.mouse.wheel(0, -300)
    ann.mouse.wheel(0, -300)
    expect(ann.locator("#camera:not(.moving)")).to_be_attached()
    large = width_of(ann, "#hex-h1 .ground")
    assert large > whole * 1.2
    ann.mouse.move(700, 420)
    ann.mouse.down()
    ann.mouse.move(600, 420, steps=4)
    before = ann.locator("#camera").evaluate("(each) => each.style.transform")
    ann.mouse.up()
    assert "translate" in before and width_of(ann, "#hex-h1 .ground") == pytest.approx(large, abs=1)
    expect(ann.locator("#prompt")).to_contain_text("Move your counters")  # moving the map picks nothing
    ann.get_by_role("button", name="All", exact=True).first.click()
    expect(ann.locator("#camera:not(.moving)")).to_be_attached()
    assert width_of(ann, "#hex-h1 .ground") == pytest.approx(whole, abs=1)
    ann.keyboard.press("+")
    assert width_of(ann, "#hex-h1 .ground") > whole * 1.2
    ann.keyboard.press("0")
    assert width_of(ann, "#hex-h1 .ground") == pytest.approx(whole, abs=1)


def test_a_hex_shows_piles_where_its_counters_would_be_too_small(people: People, tables: dict[str, Any]):
    ann = sits(people, tables["room"], "ann", viewport={"width": 360, "height": 640}).page
    expect(ann.locator("#hex-h1.far .piles .chit")).to_be_visible()
    expect(ann.locator("#hex-h1 .piles .value")).to_have_text("×2")
    expect(ann.locator("#hex-h1 .ranks")).to_have_count(0)
    for _ in range(4):
        ann.keyboard.press("+")
    expect(ann.locator("#hex-h1 .ranks .chit").first).to_be_visible()
    assert width_of(ann, "#hex-h1 .ranks .chit .card") >= 22
    expect(ann.locator("#hex-h1 .piles")).to_have_count(0)


def test_a_side_that_a_full_hex_has_no_room_for_has_its_pile(people: People, tables: dict[str, Any]):
    ann = sits(people, tables["room"], "ann", viewport={"width": 360, "height": 640}).page
    expect(ann.locator("#hex-h1.far .piles .chit")).to_have_count(1)
    for _ in range(4):
        ann.keyboard.press("+")
    expect(ann.locator("#hex-h1 .ranks .chit").first).to_be_visible()
    ann.evaluate("""document.querySelector("#hex-h1 .ranks").dataset.piles = "yellow:2 red:9" """)
    ann.keyboard.press("0")
    expect(ann.locator("#hex-h1 .piles .chit .value")).to_have_text(["×2", "×9"])


def test_a_pointer_at_rest_fans_out_a_hex_and_tells_what_a_counter_is(people: People, tables: dict[str, Any]):
    ann = sits(people, tables["room"], "ann", **DESKTOP).page
    ann.locator("#hex-h1 .ground").hover(force=True)
    expect(ann.locator("#peek .counter")).to_have_count(2)
    assert ann.locator("#peek button").count() == 0
    ann.mouse.move(5, 5)
    expect(ann.locator("#peek")).to_be_hidden()
    ann.locator("#in-h1 .counters").first.evaluate(
        """group => {
        for (let n = 0; n < 6; n++) group.insertAdjacentHTML("beforeend", '<button class="counter back red"></button>');
        }"""
    )
    ann.locator("#hex-h1 .ground").hover(force=True)
    expect(ann.locator("#peek .counter.back[data-count]")).to_have_attribute("data-count", "×6")
    expect(ann.locator("#peek .counter")).to_have_count(3)


def test_a_pulled_up_sheet_makes_room_for_the_hexes_that_come_next(people: People, tables: dict[str, Any]):
    ann = sits(people, tables["room"], "ann", viewport={"width": 360, "height": 640}).page
    ann.locator("#handle").press("Enter")
    expect(ann.locator("#sheet.pulled")).to_be_visible()
    ann.locator("#controls button[data-hex=h1]").click()
    expect(ann.locator("#board .hex.reach").first).to_be_visible()
    expect(ann.locator("#sheet:not(.pulled)")).to_be_visible()


def test_a_window_that_grows_shows_the_whole_map(people: People):
    table = told(people.server, WHOLE_GAME.replace("a whole game", "a window"))
    ann = sits(people, table, "ann", viewport={"width": 360, "height": 640}).page
    expect(ann.locator("#camera")).not_to_have_css("transform", "none")
    ann.set_viewport_size({"width": 1280, "height": 720})
    expect(ann.locator("#camera")).to_have_css("transform", "none")


def test_cards_are_folded_away_and_stay_so(people: People, tables: dict[str, Any]):
    ann = sits(people, tables["room"], "ann", **DESKTOP).page
    whole = width_of(ann, "#hex-h1 .ground")
    ann.get_by_role("button", name="Clear").click()
    expect(ann.locator("#players, #records, #rack")).to_have_count(3)
    for each in ("#players", "#records", "#rack"):
        expect(ann.locator(each)).to_be_hidden()
    expect(ann.locator("#prompt strong")).to_be_visible()
    assert width_of(ann, "#hex-h1 .ground") >= whole
    ann.reload()
    expect(ann.locator("#players")).to_be_hidden()
    ann.keyboard.press("c")
    expect(ann.locator("#players")).to_be_visible()


def test_each_card_folds_away_by_itself_and_stays_so(people: People, tables: dict[str, Any]):
    ann = sits(people, tables["room"], "ann", **DESKTOP).page
    shown = {"players": "#players", "records": "#panel-log", "rack": "#rack"}
    for what, card in shown.items():
        button = ann.locator(f"[data-fold-card={what}]")
        expect(ann.locator(card)).to_be_visible()
        button.click()
        expect(ann.locator(card)).to_be_hidden()
        expect(button).to_have_attribute("aria-expanded", "false")
        for other in set(shown) - {what}:
            expect(ann.locator(shown[other])).to_be_visible()
        ann.reload()
        expect(ann.locator(card)).to_be_hidden()
        button.press("Enter")
        expect(ann.locator(card)).to_be_visible()
