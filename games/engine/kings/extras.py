"""What a game of Kings & Things* keeps beside seats, hexes, counters and flow."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..core.house import Extras


@dataclass(kw_only=True)
class KingsExtras(Extras):
    order: list[int]
    turn: int
    phase: str
    cloud: str
    sole: list[int] | None
    rolled: list[Any]
    orders: dict[str, dict[str, str]]
    proposal: dict[str, Any] | None
    balloon: list[int]
    fled: list[list[int]]
    undo: dict[str, Any]
    deck: list[str]
    aside: list[str]
    stewards: list[int] = field(default_factory=list)  # always there
    proposed: list[list[int]] = field(default_factory=list)
    true_elimination: bool = False
    captured: str = ""
    exchanged: list[int] = field(default_factory=list)
