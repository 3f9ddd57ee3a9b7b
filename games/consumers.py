"""The table's socket: actions come in by it, and on a ring this visitor's own news go out.

A page may say three things: what its visitor does, whether somebody looks at it, and "ping". Actions are the page's own
form with the same names, tokens, checks and refusals as by POST (games/views/table.py).
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import parse_qs

from channels.generic.websocket import AsyncWebsocketConsumer
from django.urls import reverse

from kadab import limits, metrics, timing, unavailable

from . import doorbell, live, play, robots, submissions, tables, worker
from .access import Visitor
from .engine.core.refusals import IllegalAction, Reason, reasons
from .live import Gone
from .models import Game
from .painting.markup import join
from .tables import Shown

log = logging.getLogger(__name__)

TOO_MANY = 4429
MOST_SOCKETS = 6
LONGEST_FRAME = 8192
MOST_ACTIONS_A_SECOND = 100

reasons(acting_fast=Reason("That was too quick. Wait a second, then try again."))

_open: Counter[tuple[str, str]] = Counter()  # sockets of this process by table and visitor


class TableConsumer(AsyncWebsocketConsumer):
    place: tuple[str, str] | None = None
    shown = Shown()
    groups_heard: tuple[str, ...] = ()
    # What was read of this visitor, and kept until something about them changes (games/live.py).
    session: dict[str, Any] | None = None
    account: Any = None  # a Player's row, of a visitor who has none of the seats
    known: Visitor | None = None
    own: frozenset[int] = frozenset()  # the visitor's seats, as of the last look
    drawn: tables.Drawn | None = None  # what the page was drawn from the last time
    later: tables.Panels | None = None  # what takes long, as the page shows it; None if nobody knows
    is_looking = False
    second, acted = 0, 0  # how many actions came in this second

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Give the place back however the socket ends: channels calls `disconnect` only after an orderly close."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            await self.leave()

    async def dispatch(self, message: Any) -> None:
        """Channels' own, without a visit to another thread, before each message, to close old connections there: all
        that a socket does with the database is done by games/worker.py, which looks after its own."""
        handlers: dict[str, Callable[[Any], Awaitable[None]]] = {
            "websocket.connect": self.websocket_connect,
            "websocket.receive": self.websocket_receive,
            "websocket.disconnect": self.websocket_disconnect,
            "rang": self.rang,
        }
        if message["type"] not in handlers:
            raise ValueError(f"no handler for a message of type {message['type']}")
        await handlers[message["type"]](message)

    async def connect(self) -> None:
        # A browser is told the reason only of a socket that was opened; so it is, and then closed.
        await self.accept()
        self.public_id = self.scope["url_route"]["kwargs"]["public_id"]
        try:
            self.group = await self.find_group()
            self.take_place()
        except Gone as gone:
            await self.turn_away(gone)
            return
        # First listen, then look: what happens in between rings.
        groups = [self.group, doorbell.session_group(self.session_key)]
        if self.user_pk is not None:
            groups.append(doorbell.player_group(self.user_pk))
        self.groups_heard = tuple(groups)
        self.loop = asyncio.get_running_loop()
        live.add(self)
        for group in self.groups_heard:
            await self.channel_layer.group_add(group, self.channel_name)
        self.shown = _shown(self.scope.get("query_string", b""))
        await self.refresh()
        live.owe([self])  # an earlier socket of this page may have closed before it came

    def take_place(self) -> None:
        who = f"user {self.user_pk}" if self.user_pk is not None else self.session_key
        who = who or f"from {limits.address_of_scope(self.scope)}"
        place = (self.public_id, who)
        if _open[place] >= MOST_SOCKETS:
            raise Gone(TOO_MANY)
        _open[place] += 1
        self.place = place
        metrics.socket_opened()

    async def disconnect(self, code: int) -> None:
        await self.leave()

    async def turn_away(self, gone: Gone) -> None:
        await self.leave()
        await self.close(gone.code)

    async def leave(self) -> None:
        """Give the place back and stop listening; to leave twice does no harm."""
        # The place first, without waiting for anything: what follows may fail or be cancelled.
        place, self.place = self.place, None
        if place:
            _open[place] -= 1
            if not _open[place]:
                del _open[place]
            metrics.socket_closed()
        live.remove(self)
        groups, self.groups_heard = self.groups_heard, ()
        for group in groups:
            try:
                await self.channel_layer.group_discard(group, self.channel_name)
            except Exception as error:  # the channel layer forgets silent channels by itself
                log.warning("a socket could not leave its group: %s", type(error).__name__)

    # ---- what the page says

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """An action, {"looking": true or false}, or "ping"; anything else is not for this ear."""
        if text_data is None or len(text_data) > LONGEST_FRAME or self.place is None:
            return
        if text_data == "ping":
            await self.send(text_data="")
            return
        try:
            said = json.loads(text_data)
        except (ValueError, RecursionError):
            return
        if not isinstance(said, dict):
            return
        if "action" in said:
            await self.act(said)
        elif said.get("looking") is True:
            was, self.is_looking = self.is_looking, True
            if not was:
                await self.refresh(looking=True)
        elif said.get("looking") is False:
            self.is_looking = False

    async def act(self, said: dict[str, Any]) -> None:
        """Do what the page asks for, and answer with its own news, or with why not."""
        timed = timing.Timed("socket")
        too_fast = IllegalAction("acting_fast") if self.is_too_fast() else None
        try:
            answer = await worker.run(answer_to, self, said, too_fast, timed)
        except Gone as gone:
            timed.end("refused")
            await self.turn_away(gone)
            return
        except Exception as error:
            timed.end("failed")
            if not unavailable.noted(error):
                raise
            answer = Answer(tables.answered(token_in(said), unavailable.STATUS), "failed", None)
        if self.place is not None:
            metrics.frame_sent(len(answer.message))
            with timed, timing.layer("sending"):
                await self.send(text_data=answer.message)
        timed.end(answer.outcome)
        if answer.bots_turn is not None:
            robots.wake(answer.bots_turn)

    def is_too_fast(self) -> bool:
        now = int(time.monotonic())
        self.second, self.acted = now, self.acted + 1 if now == self.second else 1
        return self.acted > MOST_ACTIONS_A_SECOND

    # ---- the doorbell

    async def rang(self, event: dict[str, Any]) -> None:
        """News from another thread or process; of those this process told itself it hears nothing twice."""
        if event.get("by") == doorbell.PROCESS:
            return
        kind, number = event.get("kind"), event.get("number")
        if kind == "game" and number == self.shown.revision:
            return
        # A seat has acted silently: only its own pages look, and nobody else's as much as sends a frame (R4).
        if kind == "seat" and number not in self.own:
            return
        if kind == "visitor":
            self.session = None
        await self.refresh(talk=kind not in ("game", "seat"))

    # ---- the answer

    async def refresh(self, looking: bool = False, talk: bool = True) -> None:
        """Send what this visitor's page does not show yet; talk has a bell of its own."""
        if self.place is None:
            return
        try:
            message = await live.asked_together(self, looking, talk)
        except Gone as gone:
            await self.turn_away(gone)
            return
        if message:
            metrics.frame_sent(len(message))
            await self.send(text_data=message)

    async def find_group(self) -> str:
        def find() -> str:
            return self.visitor(live.Reading([self])).game.group

        return await worker.run(find)

    def news_now(
        self, reading: live.Reading, looking: bool = False, talk: bool = False, with_later: bool = True
    ) -> str:
        visitor = self.visitor(reading)
        if visitor.game.status not in (Game.Status.RUNNING, Game.Status.FINISHED):
            return ""
        if visitor.hand_over_to:
            self.shown, self.drawn = Shown(), None
            return tables.go_to(reverse("hand_over", args=[self.public_id]))
        if looking:
            tables.look(visitor)
        # When a game ends, players and spectators may read each other.
        talk = talk or visitor.game.status == Game.Status.FINISHED
        lines_for = reading.lines_for if talk else None
        message, self.shown, self.drawn = tables.news_and_then(visitor, self.shown, lines_for, with_later)
        if message and with_later:
            self.later = None
        return message

    def later_now(self) -> str:
        """What takes long to draw, which the page's last news left out; nothing for a visitor who must be read anew."""
        if self.drawn is None or self.session is None:
            return ""
        known, self.later = self.later, self.drawn.later
        return tables.later_news(self.drawn, known)

    def visitor(self, reading: live.Reading) -> Visitor:
        """Who is looking now: since the last time they may have logged out, been deactivated or lost their seat."""
        self.known = visitor = reading.visitor(self)
        self.own = frozenset(seat.number for seat in visitor.own)
        return visitor

    @cached_property
    def user_pk(self) -> int | None:
        """Who opened the socket, if they were logged in."""
        user: Any = self.scope["user"]
        pk: int | None = user.pk
        return pk

    @cached_property
    def session_key(self) -> str:
        return self.scope["session"].session_key or ""


@dataclass(frozen=True)
class Answer:
    """What became of an action that came by a socket."""

    message: str
    outcome: str  # one of kadab.metrics.OUTCOMES
    bots_turn: Game | None  # set if a bot has something to answer now


def answer_to(
    socket: TableConsumer, said: dict[str, Any], refusal: IllegalAction | None, timed: timing.Timed
) -> Answer:
    """Act for this socket's visitor, in the writing thread. All other sockets of the table have been told by then."""
    visitor = socket.known if socket.session is not None else None
    if visitor is None:  # something about them has changed since
        visitor = socket.visitor(live.Reading([socket]))
    outcome = None
    with timed, live.answering(socket) as news:
        try:
            if refusal is None:
                outcome = submissions.act(visitor, submissions.read(visitor, _texts(said), by_script=True))
        except IllegalAction as error:
            refusal = error
    if news.message is None:  # nothing rang: it was refused, or done before
        news.message = socket.news_now(live.Reading([socket]))
    status = submissions.status_of(refusal) if refusal else submissions.OK
    answered = tables.answered(token_in(said), status)
    told = refusal and tables.worded(refusal, visitor)
    message = join(news.message, tables.refusal(told, tables.rules_url_of(visitor.game)), answered)
    if outcome is None:
        return Answer(message, "refused", None)
    return Answer(message, "repeated" if outcome.repeated else "done", visitor.game if outcome.wakes_bots else None)


def token_in(said: dict[str, Any]) -> str:
    """The token that an answer names, cut to the length a token may have."""
    return _texts(said)("token")[: play.LONGEST_TOKEN]


def _texts(said: dict[str, Any]) -> Callable[[str], str]:
    """The fields of what a page sent, all of them texts."""

    def field(name: str) -> str:
        value = said.get(name, "")
        return value if isinstance(value, str) else ""

    return field


def _shown(query: bytes) -> Shown:
    """What the page that opens the socket says it shows."""
    try:
        said = {key: values[0] for key, values in parse_qs(query.decode("ascii"), max_num_fields=10).items()}
    except (UnicodeDecodeError, ValueError):
        return Shown()
    said["revision"] = said.get("v", "")
    return tables.shown_by(said.get)
