"""Kings & Things* in several windows, and at one device for three: everybody sees what is theirs, and nothing else."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlparse

import pytest
from playwright.sync_api import Page, Response, expect

from tests.browser import People
from tests.kings_hand import Hand, live
from tests.kings_secrets import Secrets, leaks, secrets_from
from tests.kings_site import LOG_IN, NAMES, comes, told

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

FOUR = (
    LOG_IN
    + """
import json, random, secrets
from players import tokens
from tests.web import kings as k
kept, secrets.token_bytes = secrets.token_bytes, random.Random("four windows").randbytes
game = k.kings(waiting="never", wild="house", setup="in_turn")
secrets.token_bytes = kept
programs = {n: tokens.make(tables.player(name), "windows")[1] for n, name in enumerate(k.NAMES)}
keys = {name: key(name) for name in k.NAMES}
print(json.dumps({"id": game.public_id, "url": game.get_absolute_url(), "keys": keys, "programs": programs}))
"""
)

PLAY_ON = """
import json
from tests.kings_secrets import play_on
print(json.dumps({"actions": play_on(GAME, TURN, {int(n): key for n, key in PROGRAMS.items()})}))
"""

HISTORY = """
import json
from tests.kings_secrets import history
print(json.dumps({"history": history(GAME)}))
"""


class Window:
    """One person's browser at a table, with everything that ever came into it."""

    def __init__(self, people: People, table: dict[str, Any], name: str) -> None:
        person = comes(people, table, name)
        self.page: Page = person.page
        self.frames: list[str] = []
        self.answers: list[Response] = []
        self.texts: list[str] = []
        self.page.on("websocket", lambda s: s.on("framereceived", lambda frame: self.frames.append(str(frame))))
        self.page.on("response", lambda answer: self.answers.append(answer))
        person.goes_to(table["url"])
        live(self.page)
        self.hand = Hand(self.page)

    def read(self) -> None:
        """What has been answered so far; what a script or a style sheet says is the same for all."""
        for answer in self.answers:
            if not urlparse(answer.url).path.startswith("/static/") and answer.status == 200:
                self.texts.append(answer.text())
        self.answers.clear()
        self.texts.append(self.page.content())

    @property
    def everything(self) -> str:
        self.read()
        return "\n".join([*self.texts, *self.frames])


def test_four_windows_through_set_up_and_two_turns(people: People):
    """Nobody's window, nor a spectator's, was ever sent the name of a counter on another's rack, nor the face of one
    that lay face down."""
    table = told(people.server, FOUR)
    windows = {name: Window(people, table, name) for name in (*NAMES, "eve")}
    play_by_hand(windows)
    for turn in (2, 3):
        code = PLAY_ON.replace("GAME", repr(table["id"])).replace("TURN", str(turn))
        assert told(people.server, code.replace("PROGRAMS", repr(table["programs"])))["actions"] > 10
        for window in windows.values():
            expect(window.page.locator("#phases strong")).to_have_text(f"Turn {turn}")
            window.read()
    truth = told(people.server, HISTORY.replace("GAME", repr(table["id"])))["history"]
    for seat, (name, window) in zip((*range(4), None), windows.items()):
        kept = secrets_from(seat, truth)
        assert len(kept.tags) > 10 and len(kept.backs) > 10
        text = window.everything
        assert len(window.frames) > 30 and all(tag in text for tag in list(kept.backs)[-3:])
        assert not leaks(text, kept), name


def play_by_hand(windows: dict[str, Window]) -> None:
    """Set-up, each in their own window, as long as it is nobody's turn yet."""
    ann = windows["ann"].hand
    for _ in range(400):
        for window in list(windows.values())[:4]:
            if ann.turn:
                return
            if window.hand.is_idle and window.hand.question:
                window.hand.answer()
    raise AssertionError("set-up does not end")


# ---- one device


SHARED = (
    LOG_IN
    + """
import json, random, secrets
from games import lobby
kept, secrets.token_bytes = secrets.token_bytes, random.Random("three at one device").randbytes
seats = [{"kind": "me"}, {"kind": "same_device", "name": "Bob"}, {"kind": "same_device", "name": "Cat"}]
game = lobby.create(tables.player("ann"), "kings", {"waiting": "never", "wild": "house"}, seats, is_public=False)
secrets.token_bytes = kept
print(json.dumps({"id": game.public_id, "url": game.get_absolute_url(), "keys": {"ann": key("ann")}}))
"""
)


class Device(Hand):
    """A hand at a device that goes round: after an answer it may be somebody else's."""

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self.goes_on = False
        self.shown: dict[int, list[str]] = {0: [], 1: [], 2: []}
        self.between: list[str] = []

    @property
    def is_handed_over(self) -> bool:
        return self.page.locator(".hand-over").count() > 0

    @property
    def seat(self) -> int:
        return int(self.state["seat"])

    def note(self, answer: dict[str, Any]) -> None:
        super().note(answer)
        self.goes_on |= answer["leaves"]

    def wait_for_news(self, before: dict[str, str]) -> None:
        expect(self.page.locator(".hand-over, #controls:not([aria-busy])")).to_have_count(1)
        if self.goes_on:
            expect(self.page.locator(".hand-over")).to_be_visible()
            self.goes_on = False

    def look_between(self) -> None:
        expect(self.page.locator(".hand-over")).to_be_visible()
        self.between.append(self.page.content())

    def hand_on(self) -> None:
        """Whoever is next says so, and sees their own side."""
        self.look_between()
        self.page.get_by_role("button", name="show my side").click()
        live(self.page)

    def until_handed_over(self, most: int = 60) -> set[int]:
        """Everybody who has been shown their side until then."""
        seats = set()
        for _ in range(most):
            if self.is_handed_over:
                return seats
            seats.add(self.seat)
            if self.is_idle and self.question:
                self.answer()
        raise AssertionError("nobody hands the device on")

    def go_round(self, turn: int, most: int = 400) -> None:
        for _ in range(most):
            if self.is_handed_over:
                self.hand_on()
            self.shown[self.seat].append(self.page.content())
            if self.turn >= turn:
                return
            if self.is_idle and self.question:
                self.answer()
        raise AssertionError(f"turn {turn} does not come")


def test_three_at_one_device_see_one_side_at_a_time(people: People):
    """Set-up and a turn. Between two of them a page without either side, and Back does not lead to the one before."""
    table = told(people.server, SHARED)
    device = Device(comes(people, table, "ann").goes_to(table["url"]))
    live(device.page)
    assert device.until_handed_over() == {0, 1, 2}  # as long as nothing is hidden, nobody needs to turn away
    device.hand_on()
    first = device.seat
    assert device.until_handed_over() == {first}
    device.page.go_back()  # towards the side that was just left
    device.look_between()
    device.hand_on()
    second = device.seat
    assert second != first
    device.page.go_back()
    expect(device.page.locator(f"#page-state[data-seat='{second}']")).to_be_attached()
    device.go_round(turn=2)
    truth = told(people.server, HISTORY.replace("GAME", repr(table["id"])))["history"]
    tags = {tag for _, tag, *_ in truth}
    assert len(device.between) > 10 and not any(tag in page for page in device.between for tag in tags)
    assert not any(word in page for page in device.between for word in ('id="board"', 'id="controls"', "data-kind"))
    for seat, pages in device.shown.items():
        kept = secrets_from(seat, truth)
        assert len(pages) > 5 and len(kept.tags) > 10
        assert not leaks("\n".join(pages), kept), seat
    assert not device.refused


# ---- the search


def test_a_search_for_secrets_finds_them():
    """The search itself: a tag, a face beside a tag in markup, and a name beside one in data; but no neighbour's."""
    hidden, back, own = "bcdfghjk", "kmnpqrst", "vwxyz234"
    kept = Secrets(frozenset({hidden}), {back: ("farmers", "Farmers")})
    fine = f"""<button class="counter back" data-tag="{back}"><i>face down</i></button>
        <button data-kind="farmers" data-tag="{own}"><i>Farmers</i></button>"""
    assert not leaks(fine + f'{{"{back}": ["", "h1"], "{own}": ["Farmers", "h1"]}}', kept)
    for fault in (
        f'<b data-tag="{hidden}">',
        f'<b class="counter" data-kind="farmers" data-tag="{back}">',
        f'<b class="counter" data-tag="{back}" data-kind="farmers">',
        f'<b data-tag="{back}"><i class="name">Farmers</i></b>',
        f'"{back}": ["Farmers", "h1"], "{own}"',
        f"&quot;{hidden}&quot;",
    ):
        assert len(leaks(fine + fault + fine, kept)) == 1, fault
