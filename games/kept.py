"""What a process keeps of the tables played at here, so that it reads no row twice: the last few things of each kind.

Whoever keeps something names it by the game's key and by what makes it out of date (mostly the number of actions), so
nothing kept can be wrong. A table that nobody watches any more is let go (games/live.py).
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar

MOST_TABLES = 500  # about 0.4 MB each while they are played at
VIEWERS = 5  # four seats and those who watch

Kept = TypeVar("Kept")
_CACHES: list[Cache[Any]] = []


class Cache(Generic[Kept]):
    """The last few things of each table, of the tables used last; shared by the threads of one process.

    A name is a tuple that begins with the game's key."""

    def __init__(self, each: int) -> None:
        self.each = each
        self.tables: OrderedDict[int, dict[Hashable, Kept]] = OrderedDict()
        self.lock = threading.Lock()
        _CACHES.append(self)

    def get(self, name: tuple[Any, ...], make: Callable[[], Kept]) -> Kept:
        with self.lock:
            kept = self.tables.get(name[0], {})
            if name in kept:
                return kept[name]
        made = make()
        self.put(name, made)
        return made

    def peek(self, name: tuple[Any, ...]) -> Kept | None:
        with self.lock:
            return self.tables.get(name[0], {}).get(name)

    def put(self, name: tuple[Any, ...], value: Kept) -> None:
        with self.lock:
            kept = self.tables.setdefault(name[0], {})
            self.tables.move_to_end(name[0])
            kept.pop(name, None)
            kept[name] = value
            if len(kept) > self.each:
                del kept[next(iter(kept))]
            if len(self.tables) > MOST_TABLES:
                self.tables.popitem(last=False)

    def drop(self, pk: int) -> None:
        with self.lock:
            self.tables.pop(pk, None)

    def clear(self) -> None:
        with self.lock:
            self.tables.clear()


def let_go(pk: int) -> None:
    """Nobody watches this table any more: keep nothing of it."""
    for cache in _CACHES:
        cache.drop(pk)


def forget() -> None:
    """Keep nothing of any table."""
    for cache in _CACHES:
        cache.clear()
