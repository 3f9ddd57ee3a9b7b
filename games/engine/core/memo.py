"""What was made of the same objects before.

Views hand out the same object for what is the same (kings/view.py), from one revision to the next and to all seats, so
most of a page can be found again by the objects it was made of, without comparing or hashing any of their fields.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Generic, TypeVar

Made = TypeVar("Made")


class Memo(Generic[Made]):
    """Keeps what a function made of some objects and plain values.

    Objects are told apart by where they are in memory; they are kept together with what was made of them, so nothing
    else can come to be there meanwhile.
    """

    def __init__(self, make: Callable[..., Made], size: int = 1024) -> None:
        self.make, self.size = make, size
        self.kept: dict[Hashable, tuple[Sequence[object], Made]] = {}

    def __call__(self, objects: Sequence[object], *values: Hashable) -> Made:
        key = (*map(id, objects), values)
        found = self.kept.get(key)
        return self._keep(key, objects, self.make(objects, *values)) if found is None else found[1]

    def of(self, given: object, objects: Sequence[object], *values: Hashable) -> Made:
        """The same for a function of one thing: `objects` and `values` are all of it that the function looks at."""
        key = (*map(id, objects), values)
        found = self.kept.get(key)
        return self._keep(key, objects, self.make(given)) if found is None else found[1]

    def _keep(self, key: Hashable, objects: Sequence[object], made: Made) -> Made:
        if len(self.kept) >= self.size:
            self.kept.clear()
        self.kept[key] = (objects, made)
        return made

    def cache_clear(self) -> None:
        self.kept.clear()
