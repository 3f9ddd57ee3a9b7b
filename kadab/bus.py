"""Whether rings of other processes arrive: known to whoever must look for itself while they do not.

kadab/redis_bus.py is the channel layer that finds out. Where there is no Redis, all is well.
"""

from __future__ import annotations

from collections.abc import Callable

_callbacks: list[Callable[[], None]] = []
_is_well = True


class AwayError(Exception):
    """Redis did not answer a moment ago, so it was not asked."""


def is_well() -> bool:
    """Whether a ring of another process arrives here, as far as we know."""
    return _is_well


def on_change(callback: Callable[[], None]) -> None:
    """Call this, in the event loop, when Redis goes away, and when it is back or has forgotten everything."""
    _callbacks.append(callback)


def change(to_well: bool) -> None:
    global _is_well
    _is_well = to_well
    for callback in _callbacks:
        callback()
