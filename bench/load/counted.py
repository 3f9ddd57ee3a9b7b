"""Serve Kadab and count SQL statements, thread hops and connections opened.

    PYTHONPATH=PROJECT python bench/load/counted.py COUNTS.json --port 8000

SIGUSR1 makes it write the counts. Python's and Django's own classes are wrapped before Kadab is imported, so Kadab
itself has nothing to switch on, and normal play pays nothing.
"""

from __future__ import annotations

import asyncio
import json
import os
import queue
import runpy
import signal
import sqlite3
import sqlite3.dbapi2
import sys
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

BRACKETS = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE", "ROLLBACK", "PRAGMA")
LONGEST_TEXT = 200

counts: Counter[str] = Counter()
texts: Counter[str] = Counter()


# ---- statements


def count_statement(sql: str) -> None:
    """One call of execute or executemany; what only opens or ends a transaction is counted apart."""
    is_bracket = sql.lstrip().upper().startswith(BRACKETS)
    counts["brackets" if is_bracket else "statements"] += 1
    texts[sql[:LONGEST_TEXT]] += 1


def counted(run: Callable[..., Any]) -> Callable[..., Any]:
    def wrapped(self: Any, sql: str, *args: Any) -> Any:
        count_statement(sql)
        return run(self, sql, *args)

    return wrapped


class CountedCursor(sqlite3.Cursor):
    execute = counted(sqlite3.Cursor.execute)  # type: ignore[assignment]
    executemany = counted(sqlite3.Cursor.executemany)  # type: ignore[assignment]


class CountedConnection(sqlite3.Connection):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        counts["connections"] += 1
        super().__init__(*args, **kwargs)

    def cursor(self, factory: Any = sqlite3.Cursor) -> Any:
        return super().cursor(CountedCursor if factory is sqlite3.Cursor else factory)

    execute = counted(sqlite3.Connection.execute)  # type: ignore[assignment]
    executemany = counted(sqlite3.Connection.executemany)  # type: ignore[assignment]

    def commit(self) -> None:
        if self.in_transaction:
            count_statement("COMMIT")
        super().commit()


def count_statements() -> None:
    connect = sqlite3.connect

    def connected(*args: Any, **kwargs: Any) -> sqlite3.Connection:
        return connect(*args, **{"factory": CountedConnection, **kwargs})

    sqlite3.connect = sqlite3.dbapi2.connect = connected  # type: ignore[assignment]
    from django.db.backends.sqlite3.base import SQLiteCursorWrapper

    SQLiteCursorWrapper.execute = counted(SQLiteCursorWrapper.execute)
    SQLiteCursorWrapper.executemany = counted(SQLiteCursorWrapper.executemany)


# ---- hops


class CountedSimpleQueue(queue.SimpleQueue):  # type: ignore[type-arg]
    """Executors hand work to their threads by one of these; None is no work."""

    def put(self, item: Any, *args: Any, **kwargs: Any) -> None:
        counts["hops"] += item is not None
        super().put(item, *args, **kwargs)


def count_hops() -> None:
    """A hop: a thread is handed something to do by another, be it a worker or the loop's own thread."""
    queue.SimpleQueue = CountedSimpleQueue  # type: ignore[misc]
    put = queue.Queue.put

    def counted_put(self: Any, item: Any, *args: Any, **kwargs: Any) -> None:
        counts["hops"] += item is not None
        put(self, item, *args, **kwargs)

    queue.Queue.put = counted_put  # type: ignore[method-assign]
    call = asyncio.BaseEventLoop.call_soon_threadsafe

    def counted_call(self: Any, *args: Any, **kwargs: Any) -> Any:
        counts["hops"] += self._thread_id != threading.get_ident()
        return call(self, *args, **kwargs)

    asyncio.BaseEventLoop.call_soon_threadsafe = counted_call  # type: ignore[method-assign,assignment]
    from asgiref.current_thread_executor import CurrentThreadExecutor

    submit = CurrentThreadExecutor.submit

    def counted_submit(self: Any, *args: Any, **kwargs: Any) -> Any:
        counts["hops"] += 1
        return submit(self, *args, **kwargs)

    CurrentThreadExecutor.submit = counted_submit  # type: ignore[method-assign]
    start = threading.Thread.start

    def counted_start(self: threading.Thread) -> None:
        counts["threads"] += 1
        start(self)

    threading.Thread.start = counted_start  # type: ignore[method-assign]


def write_on_request(place: Path) -> None:
    def write(*_: Any) -> None:
        counts["written"] += 1
        new = place.with_suffix(".new")
        new.write_text(json.dumps({"counts": counts, "texts": texts}))
        new.rename(place)

    signal.signal(signal.SIGUSR1, write)


def main() -> None:
    place = Path(sys.argv.pop(1))
    sys.path[0] = os.getcwd()  # as `python -m kadab.serve` has it
    count_statements()
    count_hops()
    write_on_request(place)
    runpy.run_module("kadab.serve", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
