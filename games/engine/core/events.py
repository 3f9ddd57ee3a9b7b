"""Events: what happened, each told to a named audience. There is no default audience: whoever tells, decides."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from .plain import field_names, plain

EVERYONE: Final = "everyone"
Audience = str | tuple[int, ...]


@dataclass(frozen=True)
class Event:
    """Something that happened. `says` is its sentence; fields called seat, by or to_seat are shown as names."""

    says: ClassVar[str]
    rule: ClassVar[str] = ""
    # An event that shows something hidden stops undo: what was seen cannot be unseen.
    reveals: ClassVar[bool] = False
    personal: ClassVar[bool] = False  # its player's own affair: a new person in the seat does not hear of it
    # An event that only tells a seat why it was not asked. Games stored before such a line existed lack it.
    explains: ClassVar[bool] = False
    # Facts with a default that the event did not tell from the beginning. Games stored before lack them.
    later: ClassVar[frozenset[str]] = frozenset()

    @classmethod
    def name(cls) -> str:
        return snake(cls.__name__)

    @classmethod
    def sentence(cls, facts: Mapping[str, Any]) -> str:
        """What it says with these facts; a subclass words some of them otherwise."""
        return cls.says

    def plain(self) -> dict[str, Any]:
        return {"event": self.name(), **{name: plain(getattr(self, name)) for name in field_names(type(self))}}


@dataclass(frozen=True)
class Told:
    """An event and who may hear of it."""

    event: Event
    to: Audience

    def heard_by(self, seat: int | None) -> bool:
        return self.to == EVERYONE or (seat is not None and seat in self.to)

    def plain(self) -> dict[str, Any]:
        told = self.event.plain()
        assert "to" not in told, "an event must not have a field that could be taken for its audience"
        return {"to": plain(self.to), **told}


def audience(to: str | int | Iterable[int]) -> Audience:
    if to == EVERYONE:
        return EVERYONE
    if isinstance(to, int):
        return (to,)
    if isinstance(to, str):
        raise ValueError(f"no such audience: {to}")
    return tuple(sorted(to))


@functools.cache
def snake(name: str) -> str:
    return "".join("_" + c.lower() if c.isupper() and i else c.lower() for i, c in enumerate(name))
