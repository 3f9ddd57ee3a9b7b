"""Plain values (what JSON can hold) and their one canonical spelling."""

from __future__ import annotations

import dataclasses
import json
from typing import Any


def plain(value: Any) -> Any:
    """Records, tuples and mappings as plain JSON values; anything else that JSON cannot hold is a bug."""
    if value is None or isinstance(value, str | int | bool):
        return value
    if hasattr(value, "plain"):
        return value.plain()
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    raise TypeError(f"{type(value).__name__} is not a plain value: {value!r}")


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
