"""The writing thread: whatever happens at tables happens here, one thing after another.

A process has one (on PostgreSQL a few) with a database connection that stays open. Who comes waits in a queue: nobody
polls for SQLite's lock, no thread is started and no connection opened on the way of an action. Sockets, bots, the
JSON API and the few HTTP requests that a game is played by come here; pages have threads of their own.
"""

from __future__ import annotations

import asyncio
import functools
import select
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar

from channels.db import database_sync_to_async
from django.conf import settings
from django.db import connection, connections

from kadab import unavailable

P = ParamSpec("P")
T = TypeVar("T")

THREADS = {"sqlite": 1, "postgresql": 4}

_pool: ThreadPoolExecutor | None = None
_starting = threading.Lock()
_thread = threading.local()
_under_way: set[Future[Any]] = set()


async def run(job: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
    """Do something with the database in the writing thread, and wait for what it returns."""
    if not settings.WRITING_THREAD:  # tests, whose transaction only their own thread can see
        done: T = await database_sync_to_async(_at_work)(job, *given, **named)
        return done
    working = functools.partial(job, *given, **named)
    future = _threads().submit(_keeping_connection, working)
    _under_way.add(future)
    future.add_done_callback(_under_way.discard)
    return await asyncio.wrap_future(future)


def is_idle() -> bool:
    """Whether nobody waits for the writing thread, and nothing is being done there."""
    return not _under_way


def is_here() -> bool:
    """Whether this is the writing thread, at work."""
    return getattr(_thread, "at_work", False)


def _at_work(job: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
    _thread.at_work = True
    try:
        return job(*given, **named)
    finally:
        _thread.at_work = False


def _keeping_connection(job: Callable[[], T]) -> T:
    if _is_cut():
        connection.close()
    try:
        done = _at_work(job)
    except Exception as error:
        if unavailable.is_fault(error) or connection.errors_occurred:
            connection.close()  # it may be broken; the next job opens another
        raise
    # Django may have caught the error and answered 503; then `failed_here` tells. After a rollback Django takes the
    # connection for sound, but SQLite keeps a file as it was when it was opened: read-only then, read-only for ever.
    if unavailable.failed_here() or connection.errors_occurred:
        connection.close()
    elif connection.connection is not None:
        unavailable.note_success()
    return done


def _is_cut() -> bool:
    """Whether PostgreSQL has closed the connection since the last job; asks the kernel, not the server.

    Nothing is under way on a connection at rest, so there is something to read only if the server said goodbye.
    """
    if connection.vendor != "postgresql" or connection.connection is None:
        return False
    if connection.connection.closed:
        return True
    poll = select.poll()
    poll.register(connection.connection.fileno(), select.POLLIN)
    return bool(poll.poll(0))


def _threads() -> ThreadPoolExecutor:
    global _pool
    with _starting:
        if _pool is None:
            _pool = ThreadPoolExecutor(THREADS.get(connection.vendor, 1), "writing")
        return _pool


def close() -> None:
    """Let the threads end, and their connections with them; the next job starts new ones."""
    global _pool
    with _starting:
        pool, _pool = _pool, None
    if pool is not None:
        pool.submit(connections.close_all)
        pool.shutdown()
