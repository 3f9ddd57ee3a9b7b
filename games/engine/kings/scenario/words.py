"""Words of scenarios: players, terrains, numbers and lists, and what is said of those that make no sense."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..catalogue import KINDS, LAND, SEA

SEATS = "ABCD"
WILD = "wild"
NOTHING = "nothing"
ANY = "any"
TERRAINS = {terrain.replace(" ", "_"): terrain for terrain in (*LAND, SEA)} | {"frozen": "frozen waste"}


class Wrong(Exception):
    """What a scenario says cannot be, in words for whoever wrote it."""


class Nobody(Wrong):
    """A counter is named that is not there."""


def repeated(words: Iterable[str]) -> list[str]:
    """`goblins x3` stands for three of them; `nothing` for none."""
    found: list[str] = []
    for word in words:
        if re.fullmatch(r"x\d+", word) and found:
            found += [found[-1]] * (int(word[1:]) - 1)
        elif word != NOTHING:
            found.append(word)
    return found


def seat_of(word: str) -> int:
    if word not in SEATS or len(word) != 1:
        raise Wrong(f"{word} is no player: they are called A, B, C and D")
    return SEATS.index(word)


def owner_named(word: str) -> int | None:
    return None if word in (WILD, "none", "nobody") else seat_of(word)


def name_of(seat: int | None) -> str:
    return "nobody" if seat is None else WILD if seat < 0 else SEATS[seat]


def terrain_named(word: str) -> str:
    if word.replace(" ", "_") not in TERRAINS:
        raise Wrong(f"{word} is no terrain: they are {', '.join(sorted(TERRAINS))}")
    return TERRAINS[word.replace(" ", "_")]


def number_in(word: str) -> int:
    if not re.fullmatch(r"[+-]?\d+", word):
        raise Wrong(f"{word} is no number")
    return int(word)


def words_of(names: Iterable[str]) -> str:
    return " ".join(sorted(names)) or NOTHING


def known(kind: str) -> str:
    if kind not in KINDS:
        raise Wrong(f"there is no counter called {kind}")
    return kind
