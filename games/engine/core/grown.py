"""Sequences that grow at their end and share what they hold, so that growing copies nothing.

A game's log has hundreds of lines, which every seat keeps for itself, and an action adds one or two.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar, overload

T = TypeVar("T")

_growing = threading.Lock()  # of two threads that add to the same sequence, one makes a copy


class Grown(Sequence[T]):
    """Never changes itself; `plus` makes a longer one, mostly of the same list."""

    __slots__ = ("_list", "_length")

    def __init__(self, things: Iterable[T] = ()) -> None:
        self._list = list(things)
        self._length = len(self._list)

    def plus(self, more: Iterable[T]) -> Grown[T]:
        """These, and then more of them."""
        with _growing:
            # What has grown already, another way, has to be left alone.
            shared = self._list if len(self._list) == self._length else self._list[: self._length]
            shared.extend(more)
            longer: Grown[T] = Grown.__new__(Grown)
            longer._list, longer._length = shared, len(shared)
        return longer

    def shares_with(self, other: Grown[T]) -> bool:
        """Whether the shorter of the two is the beginning of the longer one, as can be told at once."""
        return self._list is other._list

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, at: int) -> T: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[T, ...]: ...
    def __getitem__(self, at: int | slice) -> T | tuple[T, ...]:
        if isinstance(at, slice):
            return tuple(map(self._list.__getitem__, range(*at.indices(self._length))))
        return self._list[range(self._length)[at]]

    def __iter__(self) -> Iterator[T]:
        return islice(self._list, self._length)

    def __reversed__(self) -> Iterator[T]:
        return map(self._list.__getitem__, range(self._length - 1, -1, -1))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Grown):
            return NotImplemented
        if self._length != other._length:
            return False
        return self.shares_with(other) or self[:] == other[:]

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Grown({list(self)})"


def beyond(longer: Sequence[T], shorter: Sequence[T]) -> Sequence[T] | None:
    """What one sequence has after all of another one; None if it does not begin with that."""
    known = len(shorter)
    if len(longer) < known:
        return None
    if isinstance(longer, Grown) and isinstance(shorter, Grown) and longer.shares_with(shorter):
        return longer[known:]
    return longer[known:] if tuple(longer[:known]) == tuple(shorter) else None
