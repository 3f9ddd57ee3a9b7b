"""Actions: what a player sends, one frozen record each, parsed strictly from plain values."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Self

from .plain import plain
from .refusals import IllegalAction

# No action of any game comes near these; whoever sends more is not playing.
LONGEST_TEXT = 64
LONGEST_LIST = 64
LARGEST_NUMBER = 1_000_000


@dataclasses.dataclass(frozen=True)
class Action:
    """Something a seat does. `do` is its name on the wire and gives the handler its name: `on_<do>`."""

    do: ClassVar[str]
    aside: ClassVar[bool] = False  # may be done by a seat that is not asked anything
    house: ClassVar[bool] = False  # done by the house (core/house.py), never by a player

    def plain(self) -> dict[str, Any]:
        fields = {f.name: plain(getattr(self, f.name)) for f in dataclasses.fields(self)}
        return {"do": self.do, **fields}

    @classmethod
    def parsed(cls, data: Mapping[str, Any]) -> Self:
        hints = field_types(cls)
        if unknown := sorted(set(data) - set(hints) - {"do"}):
            raise IllegalAction("malformed", what=f"“{cls.do}” has no field “{_short(unknown[0])}”")
        required = {f.name for f in dataclasses.fields(cls) if f.default is dataclasses.MISSING}
        if missing := sorted(required - set(data)):
            raise IllegalAction("malformed", what=f"“{cls.do}” needs the field “{missing[0]}”")
        return cls(**{name: _checked(cls.do, name, hints[name], data[name]) for name in hints if name in data})


class Vocabulary:
    """The actions of one game, by name."""

    def __init__(self, kinds: Iterable[type[Action]]) -> None:
        self.kinds = {kind.do: kind for kind in kinds}

    def parse(self, data: object) -> Action:
        """An action from plain values; anything not exactly right is refused with what is wrong."""
        if not isinstance(data, Mapping):
            raise IllegalAction("malformed", what="an action must be a JSON object with a field “do”")
        name = data.get("do")
        if not isinstance(name, str):
            raise IllegalAction("malformed", what="the field “do” must name the action")
        if name not in self.kinds:
            raise IllegalAction("unknown_action", what=_short(name))
        return self.kinds[name].parsed(data)


_TYPES: dict[type, dict[str, Any]] = {}  # reading annotations is slow, and they do not change


def field_types(kind: type[Action]) -> dict[str, Any]:
    if kind not in _TYPES:
        hints = typing.get_type_hints(kind)
        _TYPES[kind] = {f.name: hints[f.name] for f in dataclasses.fields(kind)}
    return _TYPES[kind]


def _short(text: object) -> str:
    return "".join(c for c in str(text) if c.isprintable())[:40]


def _checked(do: str, name: str, hint: Any, value: Any) -> Any:
    """The value as the field's type wants it. A bool is no number, a number is no text."""
    origin = typing.get_origin(hint)
    if origin in (typing.Union, types.UnionType):
        options = typing.get_args(hint)
        if value is None and type(None) in options:
            return None
        return _checked(do, name, next(o for o in options if o is not type(None)), value)
    if origin is tuple:
        (each, *_) = typing.get_args(hint)
        if isinstance(value, list | tuple) and len(value) <= LONGEST_LIST:
            return tuple(_checked(do, name, each, v) for v in value)
        raise IllegalAction("malformed", what=f"in “{do}”, “{name}” must be a list of at most {LONGEST_LIST}")
    if hint is bool and isinstance(value, bool):
        return value
    if hint is int and type(value) is int and abs(value) <= LARGEST_NUMBER:
        return value
    if hint is str and isinstance(value, str) and len(value) <= LONGEST_TEXT and value.isprintable():
        return value
    wanted = {bool: "true or false", int: "a whole number", str: "a short text"}.get(hint, "something else")
    raise IllegalAction("malformed", what=f"in “{do}”, “{name}” must be {wanted}")
