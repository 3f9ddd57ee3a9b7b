"""Sessions that came in by a return link alone. Such a session plays at the link's table, not at its guest's others.

The browser a guest was made in has no such limit, nor has one that came by a link mailed to the guest's own address.
"""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from typing import Any

KEY = "by_link"  # the tables' public ids; a session without this key has no limit
MOST = 50


def limit(session: MutableMapping[str, Any], table: str) -> None:
    """From now on this session plays at this table only."""
    session[KEY] = [table]


def is_limited(session: Mapping[str, Any]) -> bool:
    return KEY in session


def tables(session: Mapping[str, Any]) -> tuple[str, ...] | None:
    """The tables this session may play at as its guest; None if there is no limit."""
    return tuple(session[KEY]) if KEY in session else None


def covers(session: Mapping[str, Any], table: str) -> bool:
    return KEY not in session or table in session[KEY]


def lift(session: MutableMapping[str, Any]) -> None:
    session.pop(KEY, None)


def add(session: MutableMapping[str, Any], table: str) -> None:
    """This session opened or joined another table, or has its link too."""
    if not covers(session, table):
        session[KEY] = [*session[KEY][1 - MOST :], table]
