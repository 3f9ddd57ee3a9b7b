"""Open pages of a table: what each shows, what it takes of the news, and how it acts, as static/js/table.js does."""

from __future__ import annotations

import asyncio
import html
import json
import re
import secrets
import time
from collections import Counter
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from .wire import Browser, Socket

TAG = re.compile(rb'<div id="page-state"[^>]*>')
ANSWER = re.compile(rb'<div id="answer"[^>]*>')
PRESENCE = re.compile(rb'<div id="presence"[^>]*>')
FACT = re.compile(rb' data-([a-z-]+)="([^"]*)"')
CSRF = re.compile(rb'name="csrfmiddlewaretoken" value="([^"]+)"')
PULSE = re.compile(rb'<form id="pulse-form"[^>]*hx-trigger="[^"]*every (\d+)s')
SILENT_PLACES = 1_000_000  # a place is (revision, silent) as one number


def facts_in(tag: re.Pattern[bytes], text: bytes) -> dict[str, str] | None:
    """The data attributes of an element, if the text has it."""
    found = tag.search(text)
    if found is None:
        return None
    return {name.decode(): html.unescape(value.decode()) for name, value in FACT.findall(found.group())}


def place(revision: str | int, silent: str | int = 0) -> int:
    return int(revision) * SILENT_PLACES + int(silent or 0)


class Seen:
    """Counts of one run; `is_on` only while it is measured."""

    def __init__(self) -> None:
        self.is_on = False
        self.clear()

    def clear(self) -> None:
        self.counts: Counter[str] = Counter()
        self.problems: Counter[str] = Counter()
        self.sizes: list[int] = []  # of messages that changed a page
        self.latencies: list[float] = []

    def count(self, name: str, by: int = 1) -> None:
        if self.is_on:
            self.counts[name] += by

    def trouble(self, what: str) -> None:
        self.problems[what] += 1


class Page:
    """One seat's open page."""

    def __init__(self, table: Table, seat: int, session: str) -> None:
        self.table, self.seat, self.seen = table, seat, table.seen
        self.browser = Browser(table.port, table.address)
        self.cookie = f"sessionid={session}"
        self.facts: dict[str, str] = {}
        self.talk, self.csrf, self.token = "", "", ""
        self.at = -1
        self.pulse_seconds = 0
        self.loaded_bytes = 0
        self.socket: Socket | None = None
        self.pulsing: asyncio.Task[None] | None = None
        self.last_look = time.monotonic()

    @property
    def path(self) -> str:
        return f"/tables/{self.table.id}/"

    async def load(self) -> None:
        answer = await self.browser.ask("GET", self.path, f"Cookie: {self.cookie}\r\n")
        if answer.status != 200:
            raise RuntimeError(f"the page of table {self.table.id} was answered with {answer.status}")
        if "csrftoken" in answer.cookies and "csrftoken" not in self.cookie:
            self.cookie += f"; csrftoken={answer.cookies['csrftoken']}"
        form, shown = CSRF.search(answer.body), facts_in(TAG, answer.body)
        if form is None or shown is None:
            raise RuntimeError(f"the page of table {self.table.id} is not a table's page")
        self.csrf = form.group(1).decode()
        if place(shown["revision"], shown["silent"]) >= self.at:  # the socket may have been quicker
            self.show(shown)
        self.hear_talk(answer.body)
        pulse = PULSE.search(answer.body)
        self.pulse_seconds = int(pulse.group(1)) if pulse else 0
        self.loaded_bytes = answer.wire

    async def open(self) -> None:
        self.socket = await self.new_socket()
        self.socket.send(b'{"looking":true}')
        self.last_look = time.monotonic()

    async def reload(self) -> None:
        """Load the page anew; the old socket goes when an answer that may be under way has come."""
        old = self.socket
        await self.load()
        await self.open()
        self.table.arrived()
        if old:
            await asyncio.sleep(0.5)
            old.close()

    async def new_socket(self, heard: Callable[[bytes, int], None] | None = None) -> Socket:
        facts = self.facts
        query = {"v": facts["revision"], "silent": facts["silent"], "seat": facts["seat"], "mark": facts["mark"]}
        path = f"/ws/tables/{self.table.id}/?{urlencode({**query, 'talk': self.talk})}"
        head = f"Cookie: {self.cookie}\r\n"
        for pause in (0.5, 1, 2, 4, 8):  # a server with too much to do does not shake hands in time
            try:
                return await Socket.connect(self.table.port, path, head, heard or self.hear, self.table.address)
            except (OSError, TimeoutError):
                self.seen.trouble("socket not opened")
                await asyncio.sleep(pause)
        raise RuntimeError("the server opens no socket")

    # ---- news

    def show(self, facts: dict[str, str]) -> None:
        self.facts, self.at = facts, place(facts["revision"], facts["silent"])

    def hear_talk(self, text: bytes) -> None:
        if talk := facts_in(PRESENCE, text):
            self.talk = talk["talk"]

    def hear(self, text: bytes, wire: int) -> None:
        """A message of the socket."""
        self.seen.count("socket bytes", wire)
        self.seen.count("socket frames")
        if b'id="answer"' in text:
            self.take(text, wire)
            self.answered(facts_in(ANSWER, text) or {})
        else:
            self.take(text, wire)

    def take(self, text: bytes, wire: int) -> None:
        """Show what a message brings, if it fits what is shown; otherwise ask for what does."""
        if b'id="presence"' in text:
            self.hear_talk(text)
        facts = facts_in(TAG, text)
        if facts is None:
            return
        if "revision" not in facts:
            self.seen.trouble("sent elsewhere")
            return
        to = place(facts["revision"], facts["silent"])
        if facts["base"]:
            if to <= self.at:
                self.seen.count("copies")
                self.seen.count("copied bytes", wire)
                return
            if place(facts["base"], facts["base-silent"]) != self.at:
                self.seen.count("misfits")
                self.pulse()
                return
        elif to < self.at:
            return
        if self.seen.is_on:
            self.seen.sizes.append(len(text))
        self.show(facts)
        self.table.arrived()

    def answered(self, facts: dict[str, str]) -> None:
        if facts.get("token") != self.token:
            self.seen.trouble("answers to another token")
        elif facts.get("status") != "200":
            self.seen.trouble(f"refused {facts.get('status')}")
            self.table.failed()
        else:
            self.token = ""
            self.table.arrived()

    # ---- acting

    def act(self, step: dict[str, Any]) -> None:
        self.token = secrets.token_urlsafe(18)
        action = json.dumps(step["action"], separators=(",", ":"))
        form = {"action": action, "revision": self.facts["revision"], "decision": self.facts["decision"]}
        form |= {"token": self.token}
        if self.table.door == "socket":
            assert self.socket
            self.socket.send(json.dumps(form).encode())
        else:
            asyncio.ensure_future(self.post_action(form))

    async def post_action(self, form: dict[str, str]) -> None:
        try:
            status, text, wire = await self.post("act", {**form, **self.shown()})
        except (OSError, asyncio.IncompleteReadError) as error:
            self.seen.trouble(type(error).__name__)
            self.table.failed()
            return
        self.seen.count("answer bytes", wire)
        if status != 200:
            self.seen.trouble(f"refused {status}")
            self.table.failed()
            return
        self.token = ""
        self.take(text, wire)
        self.table.arrived()

    def shown(self) -> dict[str, str]:
        """What every form of the page carries."""
        facts = self.facts
        return {
            "csrfmiddlewaretoken": self.csrf,
            "revision": facts["revision"],
            "silent": facts["silent"],
            "seat": facts["seat"],
            "mark": facts["mark"],
            "talk": self.talk,
        }

    async def post(self, name: str, form: dict[str, str]) -> tuple[int, bytes, int]:
        site = f"http://127.0.0.1:{self.table.port}"
        head = (
            f"Cookie: {self.cookie}\r\nOrigin: {site}\r\nReferer: {site}{self.path}\r\nHX-Request: true\r\n"
            f"HX-Current-URL: {site}{self.path}\r\nContent-Type: application/x-www-form-urlencoded\r\n"
            f"X-CSRFToken: {self.csrf}\r\n"
        )
        answer = await self.browser.ask("POST", f"{self.path}{name}/", head, urlencode(form).encode())
        return answer.status, answer.body, answer.wire

    # ---- what a page does by itself

    def pulse(self) -> None:
        if self.pulsing is None or self.pulsing.done():
            self.pulsing = asyncio.ensure_future(self.ask_for_news())

    async def ask_for_news(self) -> None:
        try:
            status, text, wire = await self.post("pulse", {**self.shown(), "visible": "1"})
        except (OSError, asyncio.IncompleteReadError) as error:
            self.seen.trouble(f"pulse {type(error).__name__}")
            return
        self.seen.count("pulses")
        self.seen.count("pulse bytes", wire)
        if status == 200:
            self.take(text, wire)
        elif status != 204:
            self.seen.trouble(f"pulse {status}")

    def look(self) -> None:
        if self.socket and self.socket.is_open:
            self.socket.send(b'{"looking":true}')

    def close(self) -> None:
        if self.socket:
            self.socket.close()
        self.browser.close()


class Table:
    """Four pages, and the recorded game they play, one whole action at a time."""

    def __init__(self, number: int, recorded: dict[str, Any], port: int, door: str, seen: Seen) -> None:
        self.id: str = recorded["id"]
        self.steps: list[dict[str, Any]] = recorded["actions"]
        self.port, self.door, self.seen = port, door, seen
        # Every table comes from an address of its own, as limits count by address.
        self.address = f"127.0.{1 + number // 250}.{1 + number % 250}"
        self.pages = [Page(self, seat, session) for seat, session in enumerate(recorded["sessions"])]
        self.next = 0
        self.target = 0
        self.waits_for: list[Page] = []
        self.actor: Page | None = None
        self.done: Callable[[bool], None] = lambda is_done: None

    @property
    def is_over(self) -> bool:
        return self.next >= len(self.steps)

    def play(self, done: Callable[[bool], None]) -> None:
        """Send the next action; `done` is called when everybody who hears of it has been patched."""
        step = self.steps[self.next]
        self.next += 1
        self.done = done
        self.target = place(step["to"], step["silent"])
        self.actor = self.pages[step["seat"]]
        self.waits_for = [self.actor] if step["is_silent"] else self.pages
        self.actor.act(step)

    def arrived(self) -> None:
        if self.actor is None or self.actor.token:
            return
        revision = self.target // SILENT_PLACES
        for page in self.waits_for:
            if page.at < self.target if page is self.actor else page.at // SILENT_PLACES < revision:
                return
        self.end(True)

    def failed(self) -> None:
        self.end(False)

    def end(self, is_done: bool) -> None:
        if self.actor is not None:
            self.actor = None
            self.done(is_done)

    def close(self) -> None:
        for page in self.pages:
            page.close()
