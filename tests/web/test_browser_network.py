"""What a page shows when sockets are cut, servers restart and answers are lost: the truth, again and by itself (C5)."""

from __future__ import annotations

import json
import re
import time
from urllib.parse import parse_qs

import pytest
from playwright.sync_api import Page, Route, WebSocketRoute, expect

from tests.browser import NEARLY_WON, Line, People, Table

pytestmark = pytest.mark.browser

# What a browser writes into its console while a server, or an answer, is away.
AWAY = ("ERR_CONNECTION", "ERR_EMPTY_RESPONSE", "ERR_FAILED", "WebSocket", "status of 50", "vendor/htmx")


def at_a_table_through(people: People, line: Line, **options: str) -> tuple[Table, Table]:
    """Anna's sockets go through the line, Ben's do not."""
    anna, ben = people.come(), people.come()
    anna.has_sockets_through(line)
    return people.sit_down(anna, ben, **options)


def test_a_page_without_sockets_follows_by_asking(people: People):
    line = Line(is_up=False)
    anna, ben = at_a_table_through(people, line)
    anna.play("a2-a4")
    ben.has_seen("a2-a4")
    ben.play("b9-b7")
    anna.has_seen("b9-b7")  # within the ten seconds between two questions
    anna.shows_the_truth()
    assert line.tries and not line.open


def test_a_page_that_comes_back_to_sight_asks_at_once(people: People):
    anna, ben = at_a_table_through(people, Line(is_up=False))
    anna.play("a2-a4")
    ben.has_seen("a2-a4")
    with anna.page.expect_response(re.compile("/pulse/$")):
        anna.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    ben.play("b9-b7")
    began = time.monotonic()
    anna.page.evaluate("dispatchEvent(new Event('online'))")
    anna.has_seen("b9-b7")
    assert time.monotonic() - began < 8


def test_a_socket_that_was_cut_comes_back_and_the_page_catches_up(people: People):
    line = Line()
    anna, ben = at_a_table_through(people, line)
    anna.hears_by_socket_only()
    anna.play("a2-a4")
    ben.has_seen("a2-a4")
    line.cut()
    ben.play("b9-b7")
    ben.say("Are you there?")
    anna.page.wait_for_timeout(1000)
    expect(anna.moves).to_have_count(1)  # cut off indeed
    line.mend()
    anna.has_seen("b9-b7")
    expect(anna.talk).to_have_count(1)
    anna.shows_the_truth()
    anna.play("a4-a5")
    ben.has_seen("a4-a5")
    ben.play("b7-b6")
    anna.has_seen("b7-b6")


MORE_SOCKETS = """() => {
    const url = document.querySelector("[ws-connect]").getAttribute("ws-connect");
    globalThis.more = [...Array(5)].map(() => new WebSocket(url));
    return Promise.all(more.map((each) => new Promise((done) => (each.onopen = done))));
}"""


# When the page opened each socket, by the page's own clock: Playwright tells of sockets late on a busy machine.
NOTE_SOCKETS = """
    globalThis.tries = [];
    globalThis.WebSocket = class extends WebSocket {
        constructor(...given) {
            super(...given);
            const one = { socket: this, begun: performance.now() };
            this.addEventListener("close", ({ code }) => (one.code = code));
            tries.push(one);
        }
    };
"""

# A refused socket opens too and closes at once: one that is still open after a while was given.
GIVEN_A_SOCKET = """() => {
    const { socket, begun } = tries.at(-1);
    return socket.readyState === WebSocket.OPEN && performance.now() - begun > 1500;
}"""


def test_one_window_too_many_asks_until_it_is_given_a_socket(people: People):
    """It once only asked, for ever: after 4429 no page tried again."""
    anna, ben = people.at_a_table()
    anna.page.evaluate(MORE_SOCKETS)  # six with the page's own: all that one visitor may have
    tab = anna.person.context.new_page()
    tab.add_init_script(NOTE_SOCKETS)
    tab.goto(anna.url)
    seventh = Table(anna.person, tab)
    anna.play("a2-a4")
    seventh.has_seen("a2-a4")  # by asking
    # A connection may also be lost on the way (1006); that one is tried again sooner.
    tab.wait_for_function("() => tries.slice(0, -1).filter((each) => each.code === 4429).length >= 3", timeout=90_000)
    tried = tab.evaluate("() => tries.map(({ begun, code }) => [begun, code])")
    gaps = [later - begun for (begun, code), (later, _) in zip(tried, tried[1:]) if code == 4429]
    assert min(gaps) >= 1000 and gaps[2] > gaps[0] * 1.5, tried
    anna.page.evaluate("() => more.forEach((each) => each.close())")
    tab.wait_for_function(GIVEN_A_SOCKET, timeout=90_000)
    seventh.hears_by_socket_only()
    ben.play("b9-b7")
    seventh.has_seen("b9-b7")
    seventh.shows_the_truth()


def test_after_a_restart_pages_come_back_by_themselves_and_show_the_truth(people: People):
    people.watch.forgive(*AWAY)
    anna, ben = people.at_a_table()
    anna.play("a2-a4")
    ben.has_seen("a2-a4")
    for each in (anna, ben):
        each.hears_by_socket_only()
    assert people.server.stop() == 0  # open sockets keep no server from ending
    play_while_nobody_serves(people, ben, "b9", "b7")
    people.server.start()
    began = time.monotonic()
    for each in (anna, ben):
        each.has_seen("b9-b7")
    assert time.monotonic() - began < 15
    for each in (anna, ben):
        each.shows_the_truth()
    anna.play("a4-a5")
    ben.has_seen("a4-a5")


def play_while_nobody_serves(people: People, table: Table, source: str, target: str) -> None:
    people.server.shell(
        f"""
from games import play
from games.models import Game
game = Game.objects.get(public_id={table.url.rstrip("/").split("/")[-1]!r})
move = {{"do": "move", "source": {source!r}, "target": {target!r}}}
play.act(game, 1, move, revision=game.revision, token="meanwhile")
"""
    )


def test_an_open_page_says_that_its_game_needs_an_upgrade_and_asks_no_more(people: People):
    people.watch.forgive(*AWAY)
    anna, ben = people.at_a_table()
    people.server.stop()
    people.server.shell(
        f"""
from games.models import Position
position = Position.objects.get(game__public_id={anna.url.rstrip("/").split("/")[-1]!r})
position.flow[0]["moves"] = position.flow[0].pop("plies")
position.save()
"""
    )
    people.server.start()
    for each in (anna, ben):
        expect(each.page.get_by_role("heading", name="This game needs an upgrade")).to_be_visible()
    asked: list[str] = []
    anna.page.on("request", lambda request: asked.append(request.url))
    anna.page.on("websocket", lambda socket: asked.append(socket.url))
    anna.page.wait_for_timeout(3000)
    assert asked == []
    anna.page.get_by_role("link", name="To the lobby").click()
    expect(anna.page.get_by_role("heading", level=1)).to_be_visible()


def test_a_move_sent_to_a_server_that_is_away_is_made_once_when_it_is_back(people: People):
    people.watch.forgive(*AWAY)
    anna, ben = people.at_a_table()
    people.server.stop()
    anna.choose("a2")
    anna.square("a4").click()
    expect(anna.page.locator("#connection")).to_be_visible()
    people.server.start()
    anna.has_seen("a2-a4")
    ben.has_seen("a2-a4")
    expect(anna.page.locator("#connection")).to_be_hidden()
    assert anna.revision == 1
    anna.shows_the_truth()


class Fault:
    """Answers to actions while the database is away, by POST and by the socket, until .is_over."""

    def __init__(self, page: Page) -> None:
        self.is_over = False
        self.tokens: list[str] = []
        page.route(re.compile("/act/$"), self.by_post)
        page.route_web_socket(re.compile("/ws/"), self.by_socket)

    def by_post(self, route: Route) -> None:
        self.tokens += parse_qs(route.request.post_data or "").get("token", [])
        if self.is_over:
            route.continue_()
        else:
            route.fulfill(status=503, headers={"Retry-After": "2", "HX-Reswap": "none"})

    def by_socket(self, page: WebSocketRoute) -> None:
        server = page.connect_to_server()

        def said(text: str) -> None:
            if self.is_over or '"action"' not in text:
                server.send(text)
                return
            self.tokens.append(json.loads(text)["token"])
            facts = f'data-token="{self.tokens[-1]}" data-status="503" hx-swap-oob="innerHTML:#answer"'
            page.send(f'<div id="answer" {facts}></div>')

        page.on_message(said)


def test_a_move_that_cannot_be_saved_is_sent_again_with_its_token_until_it_is(people: People):
    people.watch.forgive(*AWAY)
    anna, ben = people.come(), people.come()
    fault = Fault(anna.page)
    anna, ben = people.sit_down(anna, ben)
    anna.choose("a2")
    anna.square("a4").click()
    line = anna.page.locator("#connection")
    expect(line).to_have_text("Not saved yet. Trying again…")
    deadline = time.monotonic() + 20
    while len(fault.tokens) < 3 and time.monotonic() < deadline:
        anna.page.wait_for_timeout(100)
    anna.page.evaluate("dispatchEvent(new Event('online'))")  # news of something else do not hide it
    expect(line).to_be_visible()
    fault.is_over, began = True, time.monotonic()
    anna.has_seen("a2-a4")
    assert time.monotonic() - began < 10
    expect(line).to_be_hidden()
    expect(anna.page.locator("#toasts")).to_contain_text("Saved.")
    ben.has_seen("a2-a4")
    assert len(fault.tokens) >= 3 and len(set(fault.tokens)) == 1
    assert anna.revision == 1
    anna.shows_the_truth()


def test_a_laptop_that_slept_for_an_hour_shows_the_truth_at_once(people: People):
    """Its socket looks open and is deaf, and nobody tells the page what it missed."""
    line = Line()
    anna, ben = people.come(), people.come()
    anna.page.clock.install()
    anna.has_sockets_through(line)
    anna, ben = people.sit_down(anna, ben)
    anna.play("a2-a4")
    ben.has_seen("a2-a4")
    line.is_deaf = True
    ben.play("b9-b7")
    ben.say("Are you there?")
    assert anna.moves.count() == 1  # asleep indeed
    anna.page.clock.fast_forward("01:00:00")  # the lid is opened again: timers that were due fire once
    began = time.monotonic()
    anna.has_seen("b9-b7")
    expect(anna.talk).to_have_count(1)
    assert time.monotonic() - began < 2
    line.is_deaf = False
    anna.shows_the_truth()
    tries = line.tries
    anna.play("a4-a5")
    ben.has_seen("a4-a5")
    anna.page.wait_for_timeout(1500)
    assert line.tries == tries <= 3  # the deaf socket's late end closes no other


def test_an_answer_that_was_lost_does_not_make_the_move_twice(people: People):
    """The move arrives by POST, its answer does not; the page asks again with the same token."""
    people.watch.forgive(*AWAY)
    anna, ben = at_a_table_through(people, Line(is_up=False))
    lost = []

    def lose_the_first_answer(route):
        if lost:
            route.continue_()
        else:
            lost.append(route.fetch())
            route.abort()

    anna.page.route(re.compile("/act/$"), lose_the_first_answer)
    with anna.page.expect_response(re.compile("/act/$")) as second:
        anna.play("a2-a4")
    assert lost[0].ok and second.value.ok
    ben.play("b9-b7")
    anna.has_seen("b9-b7")
    expect(anna.moves).to_have_count(2)
    assert anna.revision == 2
    expect(anna.refusal).to_be_empty()


def test_an_answer_that_the_socket_lost_is_asked_for_by_post_and_the_move_made_once(people: People):
    line = Line()
    anna, ben = at_a_table_through(people, line)
    anna.play("a2-a4")
    ben.has_seen("a2-a4")
    ben.play("b9-b7")
    anna.has_seen("b9-b7")
    line.is_deaf = True
    with anna.page.expect_response(re.compile("/act/$")) as by_post:
        anna.choose("c2")
        anna.square("c4").click()
    assert by_post.value.ok
    anna.has_seen("c2-c4")
    ben.has_seen("c2-c4")
    assert anna.revision == 3
    expect(anna.refusal).to_be_empty()


def test_a_move_goes_by_the_socket_while_it_is_open(people: People):
    anna, ben = at_a_table_through(people, Line())
    asked: list[str] = []
    anna.page.on("request", lambda request: asked.append(request.url))
    anna.play("a2-a4")
    ben.has_seen("a2-a4")
    ben.play("b9-b7")
    anna.has_seen("b9-b7")
    assert not [url for url in asked if "/act/" in url or "/pulse/" in url]


def test_a_stale_page_says_so_and_is_brought_up_to_date(people: People):
    people.watch.forgive("status of 409")
    anna, ben = at_a_table_through(people, Line(is_up=False))
    anna.hears_by_socket_only()
    other = anna.fresh()  # the same seat in another tab
    other.play("a2-a4")
    ben.has_seen("a2-a4")
    ben.play("b9-b7")
    assert anna.revision == 0
    anna.choose("c2")
    anna.square("c4").click()
    expect(anna.refusal).to_contain_text("The game has moved on since you looked. This is the position now.")
    anna.has_seen("b9-b7")
    assert "c2" in anna.board()  # the move was not made
    anna.play("c2-c4")
    expect(anna.refusal).to_be_empty()
    ben.has_seen("c2-c4")


def test_news_between_an_answer_and_its_settling_hide_nothing(people: People):
    """The button for a rematch once failed to appear when a word of talk came just behind the last move's answer."""
    line = Line()
    anna, ben = at_a_table_through(people, line, position=NEARLY_WON)
    anna.play("g1-f1")
    ben.has_seen("g1-f1")
    ben.play("a9-a8")
    anna.has_seen("a9-a8")
    anna.hears_by_socket_only()
    anna.page.evaluate("() => { htmx.config.defaultSettleDelay = 1500; }")
    line.is_deaf = True
    anna.play("f1-f10")
    line.say('<div hx-swap-oob="innerHTML:#spoken">Hello</div>')
    expect(anna.page.locator("#spoken")).to_have_text("Hello")
    expect(anna.button("Rematch")).to_be_visible()


def test_an_answer_behind_the_socket_still_says_whether_it_was_refused(people: People):
    """News by socket may be quicker than the answer; the answer's own sentence, or its end, is shown all the same."""
    people.watch.forgive("status of 422", "status of 409")
    anna, ben = at_a_table_through(people, Line())
    anna.page.evaluate("""() => htmx.ajax("POST", document.getElementById("table").dataset.act, {
        source: document.getElementById("act-form"), swap: "none",
        values: {action: JSON.stringify({do: "move", source: "a2", target: "a9"})}})""")
    expect(anna.refusal).to_contain_text("can’t reach a9")

    def answer_late(route):
        answer = route.fetch()
        anna.page.wait_for_timeout(700)
        route.fulfill(response=answer)

    anna.page.route("**/act/", answer_late)
    anna.page.evaluate("""() => htmx.ajax("POST", document.getElementById("table").dataset.act, {
        source: document.getElementById("act-form"), swap: "none",
        values: {action: JSON.stringify({do: "move", source: "a2", target: "a4"})}})""")
    anna.has_seen("a2-a4")
    expect(anna.refusal).to_be_empty()
    ben.has_seen("a2-a4")
