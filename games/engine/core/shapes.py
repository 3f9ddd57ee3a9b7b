"""Shapes: the fields a stored record may and must have. Reading is strict, so that a changed field stops a game loudly.

A record is declared by a dataclass. A field added later needs a default; a field renamed or given up needs a line in
the game's Renames. `tests/engine/test_stored_shapes.py` fails when either is forgotten.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .plain import copied

GIVEN_UP = ""  # the new name of a field that is no longer kept


class Unreadable(Exception):
    """Stored values that this code cannot read: their game needs an upgrade. Tells names, never values."""


class NewerRules(Unreadable):
    """A game that was opened or played under newer rules than this code has."""


@dataclass(frozen=True)
class Renames:
    """What stored games call by an older name: {old: new}, or {(new name of the record, old): new}."""

    frames: Mapping[str, str] = field(default_factory=dict)
    steps: Mapping[tuple[str, str], str] = field(default_factory=dict)
    frame_fields: Mapping[tuple[str, str], str] = field(default_factory=dict)
    events: Mapping[str, str] = field(default_factory=dict)
    event_fields: Mapping[tuple[str, str], str] = field(default_factory=dict)
    actions: Mapping[str, str] = field(default_factory=dict)
    action_fields: Mapping[tuple[str, str], str] = field(default_factory=dict)
    extras: Mapping[str, str] = field(default_factory=dict)
    record_fields: Mapping[tuple[str, str], str] = field(default_factory=dict)  # of seat, hex, counter and result


NO_RENAMES = Renames()


class Shape:
    """What one kind of record looks like when stored."""

    def __init__(self, kind: type[Any], called: str, renamed: Mapping[str, str] | None = None) -> None:
        self.kind, self.called, self.renamed = kind, called, renamed or {}
        fields = dataclasses.fields(kind)
        self.names = tuple(f.name for f in fields)
        self.required = frozenset(f.name for f in fields if not has_default(f))
        self.may_be_absent = frozenset(f.name for f in fields if f.metadata.get(ABSENT))
        hints = typing.get_type_hints(kind)
        self.types = {name: hints[name] for name in self.names}

    def read(self, data: object, typed: bool = True) -> dict[str, Any]:
        """The values by their names of today. Fields left to their defaults are left out."""
        if not isinstance(data, Mapping):
            raise Unreadable(f"{self.called} is not a record")
        if not typed and not self.renamed and data.keys() == self.types.keys():
            return {name: copied(value) for name, value in data.items()}  # the rule; a log has thousands of events
        found: dict[str, Any] = {}
        for old, value in data.items():
            name = self.name_today(old)
            if name == GIVEN_UP:
                continue
            if typed and not fits(self.types[name], value):
                raise Unreadable(f"{self.called}: the field {name} does not hold {spelt(self.types[name])}")
            found[name] = copied(value)
        if missing := sorted(self.required - found.keys()):
            raise Unreadable(f"{self.called} lacks the field {missing[0]}")
        return found

    def name_today(self, old: object) -> str:
        """The name of a stored field today; refused if there is none."""
        name = self.renamed.get(str(old), str(old))
        if name != GIVEN_UP and name not in self.types:
            raise Unreadable(f"{self.called} has no field {short(old)}")
        return name

    def make(self, data: object, typed: bool = True) -> Any:
        return self.kind(**self.read(data, typed))


ABSENT = "may be absent"


def may_be_absent() -> Any:
    """A list that a stored record may lack and that is then left out, not given its default."""
    return field(default_factory=list, metadata={ABSENT: True})


def has_default(each: dataclasses.Field[Any]) -> bool:
    return each.default is not dataclasses.MISSING or each.default_factory is not dataclasses.MISSING


def fields_renamed(renamed: Mapping[tuple[str, str], str], record: str) -> dict[str, str]:
    """The renamed fields of one record: {old: new}."""
    return {old: new for (of, old), new in renamed.items() if of == record}


def fits(hint: Any, value: Any) -> bool:
    """Whether a plain value can be one of this type. A bool is no number, and a tuple is stored as a list."""
    if hint is Any:
        return True
    if hint is None or hint is type(None):
        return value is None
    if hint in (int, str, bool):
        return type(value) is hint
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return any(fits(each, value) for each in inner)
    if hint is list or hint is tuple or origin in (list, tuple):
        return isinstance(value, list | tuple) and (not inner or all(fits(inner[0], each) for each in value))
    if hint is dict or origin is dict:
        return isinstance(value, dict) and (not inner or all(fits(inner[1], each) for each in value.values()))
    raise TypeError(f"{spelt(hint)} cannot be stored")


def spelt(hint: Any) -> str:
    return str(hint.__name__ if isinstance(hint, type) and not typing.get_args(hint) else hint).replace("typing.", "")


def short(text: object) -> str:
    """A name out of the database for a line of text."""
    return "".join(c for c in str(text) if c.isprintable())[:40]
