"""The table's socket: on a ring, ask for this visitor's own view and send what changed of it.

It brings news and takes none: actions go by POST. All a page may say here is whether somebody looks at it.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import parse_qs

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY, get_user_model
from django.contrib.sessions.models import Session
from django.db import connection
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from . import chat, tables
from .access import Visitor
from .models import Game, Message
from .play import NeedsUpgrade
from .prepared import Prepared
from .tables import Shown

if TYPE_CHECKING:
    from players.models import Player

log = logging.getLogger(__name__)

NO_SUCH_TABLE, LOGGED_OUT, TOO_MANY, NEEDS_UPGRADE = 4404, 4401, 4429, 4503
MOST_SOCKETS = 6
MOST_AT_ONCE = 8  # sockets that wait for each other's answers
LONGEST_FRAME = 256
CHECK_SECONDS = 20.0  # after which a silent socket is checked again: is its visitor still welcome?

T = TypeVar("T")

_open: Counter[tuple[str, str]] = Counter()  # sockets of this process by table and visitor


class Gone(Exception):
    """This socket has no business here any longer; its close code says why."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Unanswered(Exception):
    """The task that asked for this socket's news was stopped."""


class TableConsumer(AsyncWebsocketConsumer):
    place: tuple[str, str] | None = None
    group: str = ""
    shown = Shown()
    own: frozenset[int] = frozenset()  # the visitor's seats, as of the last look

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Give the place back however the socket ends: channels calls `disconnect` only after an orderly close."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            await self.leave()

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
        await self.channel_layer.group_add(self.group, self.channel_name)
        watch_over(self)
        self.shown = _shown(self.scope.get("query_string", b""))
        await self.refresh()

    def take_place(self) -> None:
        user, session = self.user, self.scope["session"]
        client = (self.scope.get("client") or ("",))[0]
        who = f"user {user.pk}" if user.is_authenticated else session.session_key or f"from {client}"
        place = (self.public_id, who)
        if _open[place] >= MOST_SOCKETS:
            raise Gone(TOO_MANY)
        _open[place] += 1
        self.place = place

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
        _watched.discard(self)
        group, self.group = self.group, ""
        if group:
            try:
                await self.channel_layer.group_discard(group, self.channel_name)
            except Exception as error:  # the channel layer forgets silent channels by itself
                log.warning("a socket could not leave its group: %s", type(error).__name__)

    # ---- what the page says

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Only {"looking": true}; anything else is not for this ear."""
        if text_data is None or len(text_data) > LONGEST_FRAME or self.place is None:
            return
        try:
            said = json.loads(text_data)
        except (ValueError, RecursionError):
            return
        if isinstance(said, dict) and said.get("looking") is True:
            await self.refresh(looking=True)

    # ---- the doorbell

    async def game_changed(self, event: dict[str, Any]) -> None:
        if event.get("revision") != self.shown.revision:
            await self.refresh(talk=False)

    async def seat_changed(self, event: dict[str, Any]) -> None:
        """A seat has acted silently: only its own pages look, and nobody else's as much as sends a frame (R4)."""
        if event.get("seat") in self.own:
            await self.refresh(talk=False)

    async def chat_changed(self, event: dict[str, Any]) -> None:
        await self.refresh()

    async def people_changed(self, event: dict[str, Any]) -> None:
        await self.refresh()

    # ---- the answer

    async def refresh(self, looking: bool = False, talk: bool = True) -> None:
        """Send what this visitor's page does not show yet; talk has a bell of its own."""
        if self.place is None:
            return
        try:
            message = await asked_together(self, looking, talk)
        except Gone as gone:
            await self.turn_away(gone)
            return
        if message:
            await self.send(text_data=message)

    @database_sync_to_async
    def find_group(self) -> str:
        return self.visitor(Reading([self])).game.group

    def news_now(self, reading: Reading, looking: bool, talk: bool) -> str:
        visitor = self.visitor(reading)
        if visitor.game.status not in (Game.Status.RUNNING, Game.Status.FINISHED):
            return ""
        if visitor.hand_over_to:
            self.shown = Shown()
            return tables.go_to(reverse("hand_over", args=[self.public_id]))
        if looking:
            tables.look(visitor)
        # When a game ends, players and spectators may read each other.
        talk = talk or visitor.game.status == Game.Status.FINISHED
        message, self.shown = tables.news_and_then(visitor, self.shown, reading.lines_for if talk else None)
        return message

    def visitor(self, reading: Reading) -> Visitor:
        """Who is looking now: since the last time they may have logged out, been deactivated or lost their seat."""
        user, session = self.user, reading.sessions.get(self.session_key, {})
        if user.is_authenticated and not reading.is_logged_in(user.pk, session):
            raise Gone(LOGGED_OUT)
        visitor = tables.visitor_to(reading.game, reading.seats, user, session) if reading.game else None
        if visitor is None:
            raise Gone(NO_SUCH_TABLE)
        self.own = frozenset(seat.number for seat in visitor.own)
        return visitor

    @property
    def user(self) -> Any:
        """Who opened the socket: a Player, or AnonymousUser."""
        return self.scope["user"]

    @property
    def session_key(self) -> str:
        return self.scope["session"].session_key or ""


# ---- one reading for all who heard the same bell


class Reading:
    """A table's rows, talk, visitors and their sessions, read anew and once for several of that table's sockets."""

    def __init__(self, sockets: list[TableConsumer]) -> None:
        self.game, self.seats = tables.table_at(sockets[0].public_id)
        keys = {socket.session_key for socket in sockets}
        rows = sessions_of(len(keys))(connection.ops.adapt_datetimefield_value(timezone.now()), *keys)
        self.sessions = {row.session_key: dict(_decoded(row.session_data)) for row in rows}
        # Seats are read with their players; only spectators with an account are left to ask for.
        self.players: dict[int, Player] = {seat.player.pk: seat.player for seat in self.seats if seat.player}
        others = {socket.user.pk for socket in sockets if socket.user.is_authenticated} - self.players.keys()
        self.players |= {player.pk: player for player in (players_of(len(others))(*others) if others else ())}
        self.talk: dict[bool, list[Message]] = {}

    def is_logged_in(self, pk: int, session: dict[str, Any]) -> bool:
        """Django's checks at every request: an active player, whose session this is, made with the current password."""
        player = self.players.get(pk)
        return (
            player is not None
            and player.is_active
            and session.get(SESSION_KEY) == str(pk)
            and constant_time_compare(session.get(HASH_SESSION_KEY, ""), player.get_session_auth_hash())
        )

    def lines_for(self, visitor: Visitor) -> list[Message]:
        """The talk of players or that of spectators, whichever this is."""
        if visitor.is_player not in self.talk:
            self.talk[visitor.is_player] = chat.lines_for(visitor)
        return self.talk[visitor.is_player]


@lru_cache(maxsize=MOST_AT_ONCE)
def sessions_of(count: int) -> Prepared[Session]:
    """That many sessions by their keys, unless they have expired."""
    like = [str(number) for number in range(count)]
    return Prepared(lambda: Session.objects.filter(expire_date__gt=timezone.now(), session_key__in=like))


@lru_cache(maxsize=MOST_AT_ONCE)
def players_of(count: int) -> Prepared[Player]:
    """That many players by their keys."""
    like = list(range(count))
    return Prepared(lambda: get_user_model().objects.filter(pk__in=like))


@lru_cache(maxsize=512)
def _decoded(session_data: str) -> dict[str, Any]:
    """A session's row in plain values; the signature of the same text is the same each time."""
    return Session(session_data=session_data).get_decoded()


@dataclass(eq=False)
class Ask:
    """A socket that wants its news."""

    socket: TableConsumer
    looking: bool
    answer: asyncio.Future[str]
    talk: bool = True


_asks: dict[str, list[Ask]] = {}  # of this process by table; only the loop's own thread touches them
_tasks: set[asyncio.Task[None]] = set()


async def asked_together(socket: TableConsumer, looking: bool, talk: bool) -> str:
    """A bell rings for all sockets of a table at once: the first one to hear it goes and asks for all of them."""
    ask = Ask(socket, looking, asyncio.get_running_loop().create_future(), talk)
    waiting = _asks.setdefault(socket.public_id, [])
    waiting.append(ask)
    if len(waiting) == 1:
        # A task of its own: should this socket go away, the others still get their answers.
        task = asyncio.ensure_future(_answer_all(socket.public_id))
        _tasks.add(task)
        task.add_done_callback(_tasks.discard)
    return await ask.answer


async def _answer_all(public_id: str) -> None:
    asks = _asks.pop(public_id)
    try:
        for taken in in_chunks(asks):
            try:
                answers = await database_sync_to_async(answers_to)(taken)
            except Exception as error:  # each socket shall know, and fail as it would have on its own
                answers = [error for _ in taken]
            for ask, answer in zip(taken, answers):
                if ask.answer.done():
                    continue
                if isinstance(answer, Exception):
                    ask.answer.set_exception(answer)
                else:
                    ask.answer.set_result(answer)
    finally:
        for ask in asks:  # this task was cancelled: a socket that waited for ever would keep its place for ever
            if not ask.answer.done():
                ask.answer.set_exception(Unanswered())


def in_chunks(things: list[T]) -> Iterator[list[T]]:
    """MOST_AT_ONCE of them at a time."""
    for first in range(0, len(things), MOST_AT_ONCE):
        yield things[first : first + MOST_AT_ONCE]


def answers_to(asks: list[Ask]) -> list[str | Exception]:
    """The rows are read after everybody here has asked, so nobody gets news older than the ring they heard."""
    reading = Reading([ask.socket for ask in asks])
    return [_answer(ask, reading) for ask in asks]


def _answer(ask: Ask, reading: Reading) -> str | Exception:
    try:
        return ask.socket.news_now(reading, ask.looking, ask.talk)
    except NeedsUpgrade:
        return Gone(NEEDS_UPGRADE)
    except Exception as error:
        return error


def _shown(query: bytes) -> Shown:
    """What the page that opens the socket says it shows."""
    try:
        said = {key: values[0] for key, values in parse_qs(query.decode("ascii"), max_num_fields=10).items()}
    except (UnicodeDecodeError, ValueError):
        return Shown()
    said["revision"] = said.get("v", "")
    return tables.shown_by(said.get)


# ---- sockets nobody rings for: a visitor who was deactivated, or logged out elsewhere, must not stay

_watched: set[TableConsumer] = set()  # all sockets of this process that listen to a table
_watch: asyncio.Task[None] | None = None


def watch_over(socket: TableConsumer) -> None:
    """Check this socket every CHECK_SECONDS, whatever its page sends or does not send."""
    global _watch
    _watched.add(socket)
    if _watch is None or _watch.done() or _watch.get_loop() is not asyncio.get_running_loop():
        _watch = asyncio.ensure_future(_check_while_there_are_any())


async def _check_while_there_are_any() -> None:
    while _watched:
        await asyncio.sleep(CHECK_SECONDS)
        at_tables: defaultdict[str, list[TableConsumer]] = defaultdict(list)
        for socket in _watched:
            at_tables[socket.public_id].append(socket)
        for sockets in at_tables.values():
            for some in in_chunks(sockets):
                await _check(some)


async def _check(sockets: list[TableConsumer]) -> None:
    """Close the sockets of one table whose visitors may not look at it any more."""
    try:
        for socket, gone in await database_sync_to_async(unwelcome)(sockets):
            await socket.turn_away(gone)
    except Exception as error:  # the database is away, so no socket gets any news either
        log.warning("open sockets could not be checked: %s", type(error).__name__)


def unwelcome(sockets: list[TableConsumer]) -> list[tuple[TableConsumer, Gone]]:
    reading, found = Reading(sockets), []
    for socket in sockets:
        try:
            socket.visitor(reading)
        except Gone as gone:
            found.append((socket, gone))
    return found
