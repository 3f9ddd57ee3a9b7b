"""Plain values (what JSON can hold) and their one canonical spelling."""

from __future__ import annotations

import dataclasses
import json
from typing import Any


def plain(value: Any) -> Any:
    """Records, tuples and mappings as plain JSON values; anything else that JSON cannot hold is a bug."""
    kind = type(value)
    if kind in SCALARS:
        return value
    # What is most common comes first; a list of plain values costs no call for each of them.
    if kind is list or kind is tuple:
        return [each if type(each) in SCALARS else plain(each) for each in value]
    if kind is dict:
        return {str(key): each if type(each) in SCALARS else plain(each) for key, each in value.items()}
    if isinstance(value, str | int):
        return value
    if hasattr(value, "plain"):
        return value.plain()
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {name: plain(getattr(value, name)) for name in field_names(kind)}
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    raise TypeError(f"{type(value).__name__} is not a plain value: {value!r}")


SCALARS = frozenset((str, int, bool, type(None)))


_FIELD_NAMES: dict[type[Any], tuple[str, ...]] = {}


def field_names(kind: type[Any]) -> tuple[str, ...]:
    """The names of a dataclass's fields; `dataclasses.fields` looks for them anew each time."""
    found = _FIELD_NAMES.get(kind)
    if found is None:
        found = _FIELD_NAMES[kind] = tuple(field.name for field in dataclasses.fields(kind))
    return found


def copied(value: Any) -> Any:
    """A copy of a plain value that shares nothing that could be written to."""
    if type(value) is list:
        return [copied(each) if type(each) in (list, dict) else each for each in value]
    if type(value) is dict:
        return {key: copied(each) if type(each) in (list, dict) else each for key, each in value.items()}
    return value


def canonical(value: Any) -> bytes:
    """The same value always spells the same bytes, whatever order it was built in."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
