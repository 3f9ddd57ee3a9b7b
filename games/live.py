"""The sockets of this process: who listens to which table, and one visit to the database for all who heard a bell.

After an action the writing thread draws the news of all sockets of that table at once, from the rows it has just
written (`heard`). Sessions and accounts are read when a socket opens, when a bell says that something about a visitor
has changed, and every CHECK_SECONDS for all sockets together; that look also finds what a lost ring would have told.

What takes long to draw (the odds) is left out of these news and follows when the table has come to rest (`_follow`).
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY, get_user_model
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.models import Session
from django.db import connection
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from kadab import bus, metrics, timing, unavailable

from . import aside, chat, doorbell, kept, tables, worker
from .access import Visitor
from .models import Game, Message, Seat
from .play import NeedsUpgrade
from .prepared import Prepared
from .silence import may_go_on

if TYPE_CHECKING:
    from .consumers import TableConsumer

log = logging.getLogger(__name__)

NO_SUCH_TABLE, LOGGED_OUT, NEEDS_UPGRADE, FAULT = 4404, 4401, 4503, 1011
MOST_AT_ONCE = 8  # sockets that wait for each other's answers
MOST_IN_A_QUERY = 500
REST_SECONDS, MOST_SECONDS = 0.25, 5.0  # without an action, or in all, before what takes long is drawn
LOOK_AGAIN_SECONDS = 0.05
AT_ONCE_SECONDS = 0.008
CHECK_SECONDS = 20.0  # after which all open sockets are looked after: are their visitors welcome, and up to date?
CHECK_SECONDS_ALONE = 2.0  # the same while no ring of other processes arrives

T = TypeVar("T")
Messages = list[tuple["TableConsumer", "str | Exception"]]


class Gone(Exception):
    """This socket has no business here any longer; its close code says why."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Unanswered(Exception):
    """The task that asked for this socket's news was stopped."""


# ---- who listens to what

_listening: dict[str, set[TableConsumer]] = {}  # by group: of a table, a session, a player
_news_lock = threading.RLock()  # a page's news are made one after another, whichever thread makes them


def add(socket: TableConsumer) -> None:
    for group in socket.groups_heard:
        _listening.setdefault(group, set()).add(socket)
    doorbell.ring_from(asyncio.get_running_loop())
    _look_after_all()


def remove(socket: TableConsumer) -> None:
    for group in socket.groups_heard:
        listening = _listening.get(group, set())
        listening.discard(socket)
        if not listening:
            _listening.pop(group, None)


def all_sockets() -> list[TableConsumer]:
    return [socket for group, sockets in _listening.items() if group.startswith("game.") for socket in sockets]


# ---- news after an action of this process


@dataclass
class News:
    """What the page of the socket that acts is to be sent; None until a bell has rung."""

    socket: TableConsumer
    message: str | None = None


_acting = threading.local()


@contextlib.contextmanager
def answering(socket: TableConsumer) -> Iterator[News]:
    """While this socket's action is done in this thread, its own news are kept for the answer."""
    _acting.news = News(socket)
    try:
        yield _acting.news
    finally:
        _acting.news = None


def heard(ring: doorbell.Ring) -> bool:
    """Tell all sockets here of an action just committed; False if that is for another thread to do."""
    if ring.kind == "visitor":  # what is known of them counts no more, from this moment
        for socket in tuple(_listening.get(ring.group, ())):
            socket.session = None
    if not worker.is_here() or ring.game is None:
        return False
    sockets = [each for each in tuple(_listening.get(ring.group, ())) if _concerns(each, ring)]
    if not sockets:
        return True
    to_send: defaultdict[asyncio.AbstractEventLoop, Messages] = defaultdict(list)
    news: News | None = getattr(_acting, "news", None)
    with timing.layer("drawing"), _news_lock:
        reading = Reading(sockets, (ring.game, ring.seats))
        for socket in sockets:
            message = _news_of(socket, reading, with_later=False)
            if news is not None and socket is news.socket and isinstance(message, str):
                news.message, message = message, ""  # it goes out with the answer
            to_send[socket.loop].append((socket, message))
        for loop, messages in to_send.items():
            with contextlib.suppress(RuntimeError):  # this loop has ended, and its sockets with it
                loop.call_soon_threadsafe(_send_soon, messages)
    return True


def _concerns(socket: TableConsumer, ring: doorbell.Ring) -> bool:
    """Whether a page has anything to learn from this ring: it may know of a later one already."""
    if ring.kind == "seat":
        return ring.number in socket.own
    known = socket.shown.revision
    return known is None or ring.number is None or known < ring.number


def _news_of(
    socket: TableConsumer, reading: Reading, looking: bool = False, talk: bool = False, with_later: bool = True
) -> str | Exception:
    try:
        return socket.news_now(reading, looking, talk, with_later)
    except NeedsUpgrade:
        return Gone(NEEDS_UPGRADE)
    except Exception as error:
        return error


def _send_soon(messages: Messages) -> None:
    _keep(asyncio.ensure_future(_send_all(messages)))
    owe([socket for socket, _ in messages])


async def _send_all(messages: Messages) -> None:
    for socket, message in messages:
        try:
            if isinstance(message, Gone):
                await socket.turn_away(message)
            elif isinstance(message, Exception):
                raise message
            elif message and socket.place is not None:
                metrics.frame_sent(len(message))
                await socket.send(text_data=message)
        except Exception:  # whatever is wrong with one page, the others get their news
            log.exception("a page could not be told its news")
            with contextlib.suppress(Exception):
                await socket.turn_away(Gone(FAULT))


_tasks: set[asyncio.Task[None]] = set()


def _keep(task: asyncio.Task[None]) -> None:
    """asyncio itself keeps no hold of a task that nobody waits for."""
    _tasks.add(task)
    task.add_done_callback(_tasks.discard)


# ---- what takes long, a moment later


@dataclass
class Owed:
    """The sockets of a table whose pages lack what takes long, and when the first and the last action made it so."""

    sockets: set[TableConsumer]
    first: float
    last: float

    def seconds_left(self) -> float:
        """Until these pages are due: when the table has come to rest, and nobody anywhere waits for an action."""
        now = time.monotonic()
        rest = self.last + REST_SECONDS - now
        if rest <= 0 and not worker.is_idle():
            rest = LOOK_AGAIN_SECONDS
        return min(rest, self.first + MOST_SECONDS - now)


_owed: dict[asyncio.AbstractEventLoop, dict[str, Owed]] = {}  # by table


def owe(sockets: Iterable[TableConsumer]) -> None:
    """Draw what takes long for these sockets of one table as soon as it has come to rest."""
    now = time.monotonic()
    for socket in sockets:
        tables_owed = _owed.get(socket.loop)
        if tables_owed is None:
            tables_owed = _owed[socket.loop] = {}
            _keep(asyncio.ensure_future(_follow(socket.loop)))
        owed = tables_owed.setdefault(socket.public_id, Owed(set(), now, now))
        owed.sockets.add(socket)
        owed.last = now


async def _follow(loop: asyncio.AbstractEventLoop) -> None:
    """Look after all tables of this loop together: with a clock each, hundreds would wake only to see others act."""
    owed = _owed[loop]
    try:
        while owed:
            await asyncio.sleep(max(LOOK_AGAIN_SECONDS, min(each.seconds_left() for each in owed.values())))
            for table in list(owed):
                if owed[table].seconds_left() <= 0:  # asked here, as time has passed with the tables before
                    await _send_later(owed.pop(table))
    finally:
        del _owed[loop]


async def _send_later(owed: Owed) -> None:
    left = [socket for socket in owed.sockets if socket.place is not None]
    try:
        while left:
            messages = await worker.run(draw_later, left)
            left = left[len(messages) :]
            await _send_all(messages)
    except Exception:  # the pages have everything else
        log.exception("pages could not be told their odds")


def draw_later(sockets: list[TableConsumer]) -> Messages:
    """What takes long, for the first few of these sockets: after AT_ONCE_SECONDS an action may be waiting."""
    begun, messages = time.monotonic(), Messages()
    with _news_lock:
        for socket in sockets:
            messages.append((socket, socket.later_now()))
            if time.monotonic() - begun > AT_ONCE_SECONDS:
                break
    return messages


# ---- one reading for several sockets of a table


class Reading:
    """A table's rows, talk, visitors and their sessions, read once for several of that table's sockets."""

    def __init__(self, sockets: list[TableConsumer], table: tuple[Game, tuple[Seat, ...]] | None = None) -> None:
        self.game, self.seats = table or tables.table_at(sockets[0].public_id)
        read_visitors([socket for socket in sockets if socket.session is None])
        self.talk: dict[bool, tuple[list[Message], frozenset[tuple[int, int]]]] = {}

    def visitor(self, socket: TableConsumer) -> Visitor:
        """Who looks through this socket; Gone, if they may not."""
        session, player = socket.session or {}, AnonymousUser()
        if socket.user_pk is not None:
            player = self.account(socket)
            if not is_logged_in(socket.user_pk, session, player):
                raise Gone(LOGGED_OUT)
        visitor = tables.visitor_to(self.game, self.seats, player, session) if self.game else None
        if visitor is None:
            raise Gone(NO_SUCH_TABLE)
        return visitor

    def account(self, socket: TableConsumer) -> Any:
        """The visitor's row: with a seat's if they have one, which are read at every action, or as of the last look."""
        at_seats = (seat.player for seat in self.seats if seat.player_id == socket.user_pk)
        return next(at_seats, socket.account)

    def lines_for(self, visitor: Visitor) -> list[Message]:
        """The talk of players or that of spectators, whichever this is."""
        if visitor.is_player not in self.talk:
            lines = chat.lines_for(visitor)
            self.talk[visitor.is_player] = lines, aside.blocks_among(lines)
        return aside.readable(visitor, *self.talk[visitor.is_player])


def is_logged_in(pk: int, session: dict[str, Any], player: Any) -> bool:
    """Django's checks at every request: an active player, whose session this is, made with the current password."""
    return (
        player is not None
        and player.is_active
        and session.get(SESSION_KEY) == str(pk)
        and _is_of_password(session.get(HASH_SESSION_KEY, ""), player)
    )


def _is_of_password(said: str, player: Any) -> bool:
    return constant_time_compare(said, _auth_hash(player.password, player))


_hashes: dict[str, str] = {}
MOST_HASHES = 4096  # fewer than there are players with open pages, and they would be worked out at each action


def _auth_hash(password: str, player: Any) -> str:
    """A player's session hash; it follows from the stored password alone, and takes a while."""
    found = _hashes.get(password)
    if found is None:
        if len(_hashes) >= MOST_HASHES:
            _hashes.clear()
        found = _hashes[password] = player.get_session_auth_hash()
    return found


def read_visitors(sockets: Iterable[TableConsumer]) -> None:
    """The sessions and accounts behind these sockets, as they are now."""
    sockets = list(sockets)
    if not sockets:
        return
    now = connection.ops.adapt_datetimefield_value(timezone.now())
    sessions: dict[str, dict[str, Any]] = {}
    for keys in in_chunks(sorted({socket.session_key for socket in sockets}), MOST_IN_A_QUERY):
        for row in sessions_of(len(keys))(now, *keys):
            sessions[row.session_key] = _decoded(row.session_data)
    accounts: dict[int, Any] = {}
    for pks in in_chunks(sorted({each.user_pk for each in sockets if each.user_pk is not None}), MOST_IN_A_QUERY):
        accounts |= {player.pk: player for player in players_of(len(pks))(*pks)}
    for socket in sockets:
        socket.session = dict(sessions.get(socket.session_key, {}))
        socket.account = None if socket.user_pk is None else accounts.get(socket.user_pk)


@lru_cache(maxsize=64)
def sessions_of(count: int) -> Prepared[Session]:
    """That many sessions by their keys, unless they have expired."""
    like = [str(number) for number in range(count)]
    return Prepared(lambda: Session.objects.filter(expire_date__gt=timezone.now(), session_key__in=like))


@lru_cache(maxsize=64)
def players_of(count: int) -> Prepared[Any]:
    """That many players by their keys."""
    like = list(range(count))
    return Prepared(lambda: get_user_model().objects.filter(pk__in=like))


@lru_cache(maxsize=4096)
def _decoded(session_data: str) -> dict[str, Any]:
    """A session's row in plain values; the signature of the same text is the same each time."""
    return Session(session_data=session_data).get_decoded()


# ---- sockets that ask for their news


@dataclass(eq=False)
class Ask:
    """A socket that wants its news."""

    socket: TableConsumer
    looking: bool
    answer: asyncio.Future[str]
    talk: bool = True


_asks: dict[str, list[Ask]] = {}  # of this process by table; only the loop's own thread touches them


async def asked_together(socket: TableConsumer, looking: bool, talk: bool) -> str:
    """A bell rings for all sockets of a table at once: the first one to hear it goes and asks for all of them."""
    ask = Ask(socket, looking, asyncio.get_running_loop().create_future(), talk)
    waiting = _asks.setdefault(socket.public_id, [])
    waiting.append(ask)
    if len(waiting) == 1:
        # A task of its own: should this socket go away, the others still get their answers.
        _keep(asyncio.ensure_future(_answer_all(socket.public_id)))
    return await ask.answer


async def _answer_all(public_id: str) -> None:
    asks = _asks.pop(public_id)
    try:
        for taken in in_chunks(asks, MOST_AT_ONCE):
            try:
                answers = await worker.run(answers_to, taken)
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


def in_chunks(things: list[T], most: int) -> Iterator[list[T]]:
    """So many of them at a time."""
    for first in range(0, len(things), most):
        yield things[first : first + most]


def answers_to(asks: list[Ask]) -> list[str | Exception]:
    """The rows are read after everybody here has asked, so nobody gets news older than the ring they heard."""
    with _news_lock:
        reading = Reading([ask.socket for ask in asks])
        return [_news_of(ask.socket, reading, ask.looking, ask.talk) for ask in asks]


# ---- looking after sockets nobody rings for: a visitor who was deactivated must not stay, and a ring may be lost

_watch: asyncio.Task[None] | None = None
_bell: asyncio.Event | None = None  # look at once: Redis went away or is back, so rings were lost


def _look_now() -> None:
    if _bell is not None:
        _bell.set()


@dataclass(frozen=True)
class Around:
    """What pages show of a table that changes with time alone, and the number they should show."""

    revision: int
    may_go_on: bool
    here: tuple[int, ...]


_around: dict[int, Around] = {}  # by game, as of the last look


def _look_after_all() -> None:
    """Start to look after the sockets of this loop, if nobody does."""
    global _watch
    if _watch is None or _watch.done() or _watch.get_loop() is not asyncio.get_running_loop():
        _watch = asyncio.ensure_future(_look_while_there_are_any())


async def _look_while_there_are_any() -> None:
    global _bell
    _bell = asyncio.Event()
    while _listening:
        _bell.clear()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(_bell.wait(), CHECK_SECONDS if bus.is_well() else CHECK_SECONDS_ALONE)
        try:
            for socket, gone in await worker.run(look_after, all_sockets()):
                if gone is not None:
                    await socket.turn_away(gone)
                else:
                    await socket.refresh()
        except Exception as error:
            if not unavailable.noted(error):
                log.warning("open sockets could not be looked after: %s", type(error).__name__)
    while _around:
        kept.let_go(_around.popitem()[0])


def look_after(sockets: list[TableConsumer]) -> list[tuple[TableConsumer, Gone | None]]:
    """The sockets whose visitors have to go, and those that miss something; a few queries for all of them."""
    had = {socket: socket.session for socket in sockets}
    read_visitors(sockets)
    note_looks(sockets)
    around = look_around({socket.known.game.pk for socket in sockets if socket.known})
    found: list[tuple[TableConsumer, Gone | None]] = []
    for socket in sockets:
        pk = socket.known.game.pk if socket.known is not None else 0
        now = around.get(pk)
        if socket.user_pk is not None and not is_logged_in(socket.user_pk, socket.session or {}, socket.account):
            found.append((socket, Gone(LOGGED_OUT)))
        elif had[socket] != socket.session or now is None or _misses_something(socket, now, _around.get(pk, now)):
            found.append((socket, None))
    for pk in _around.keys() - around.keys():
        kept.let_go(pk)
    _around.clear()
    _around.update(around)
    return found


def _misses_something(socket: TableConsumer, now: Around, before: Around) -> bool:
    return now.revision != socket.shown.revision or now != before


def look_around(games: set[int]) -> dict[int, Around]:
    """How these tables stand."""
    found = {}
    for pks in in_chunks(sorted(games), MOST_IN_A_QUERY):
        here: defaultdict[int, list[int]] = defaultdict(list)
        since = timezone.now() - tables.HERE
        seen = Seat.objects.filter(game__in=pks, seen_at__gt=since).order_by("number")
        for game, number in seen.values_list("game", "number"):
            here[game].append(number)
        for row in Game.objects.filter(pk__in=pks).only("revision", "status", "window_since", "clock"):
            found[row.pk] = Around(row.revision, may_go_on(row), tuple(here[row.pk]))
    return found


def note_looks(sockets: list[TableConsumer]) -> None:
    """Whoever has a page before their eyes has seen their table now: one statement for all."""
    looking = (socket.known for socket in sockets if socket.is_looking and socket.known)
    seats = sorted({visitor.seat.pk for visitor in looking if visitor.seat})
    for pks in in_chunks(seats, MOST_IN_A_QUERY):
        Seat.objects.filter(pk__in=pks).update(seen_at=timezone.now())


doorbell.listen(heard)
bus.on_change(_look_now)
