"""View, Face, Back: the only types that leave the engine for a player.

A View is built up from nothing, field by field. A counter in it is a Face or a Back, and a Back has no field in which
a kind could be: what is not written into a View cannot leak out of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .offers import Offer
from .state import Result


@dataclass(frozen=True, slots=True)
class Face:
    """A counter this viewer may look at."""

    tag: str
    kind: str
    place: str
    owner: int | None
    face_up: bool = True


@dataclass(frozen=True, slots=True)
class Back:
    """A counter of which this viewer sees only that it is there."""

    tag: str
    place: str
    owner: int | None


@dataclass(frozen=True)
class SeatView:
    number: int
    out: bool = False


@dataclass(frozen=True)
class View:
    """What one seat, or a spectator (seat None), may know of a game at one revision."""

    ruleset: str
    seat: int | None
    revision: int
    silent: int  # this seat's own actions since that revision which nobody else is shown
    options: dict[str, Any]
    seats: tuple[SeatView, ...]
    asked: tuple[int, ...]  # who is waited for, as far as this viewer may know
    decision: str  # names the question put to this seat; empty when there is none
    offers: tuple[Offer, ...]
    counters: tuple[Face | Back, ...]
    result: Result | None
