"""How a battle will go, by averages: every point of value is a sixth of a hit, and the cheapest fall first."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..kings import battle as rules
from ..kings.catalogue import Kind

MAGIC, RANGED, MELEE = 0, 1, 2
STEPS = (MAGIC, RANGED, MELEE)
STEP_OF = {rules.MAGIC: MAGIC, rules.RANGED: RANGED, rules.MELEE: MELEE}

Fighter = tuple[int, float, float]  # the step it fights in, hits it scores in a round, how late its owner gives it up

UNKNOWN: Fighter = (MELEE, 0.38, 23.0)  # a face-down counter: the box's average, and a few are bluffs
WILD: Fighter = (MELEE, 0.41, 23.0)
MOST_ROUNDS = 8


def fighter(kind: Kind, value: int, item: str = "") -> Fighter:
    """A creature, hero or item that fights with this combat value, and with the Bow or Sword it may have."""
    step, dice = rules.step_and_dice(kind, item)
    return STEP_OF[step], dice * min(value, 6) / 6, rules.worth_of_kind(kind)


def walls(points: int, step: int, value: int | None = None) -> list[Fighter]:
    """A fort's points fall one by one, and each takes a sixth of a hit with it (11.52).

    Under the Black Cloud the value is less than the points, and the first to fall takes nothing with it.
    """
    strikes = max(0, points if value is None else min(value, points))
    return [(step, 0.0, -1.0)] * max(0, points - strikes) + [(step, 1 / 6, 0.0)] * strikes


class Line:
    """One side, in the order in which it falls, with the hits of all from each place on."""

    def __init__(self, fighters: Sequence[Fighter]) -> None:
        ordered = sorted(fighters, key=lambda each: each[2])
        self.size = len(ordered)
        self.ordered = ordered
        self.hits: list[list[float]] = []
        for step in STEPS:
            rest = [0.0] * (self.size + 1)
            for at in range(self.size - 1, -1, -1):
                rest[at] = rest[at + 1] + (ordered[at][1] if ordered[at][0] == step else 0.0)
            self.hits.append(rest)

    def strikes(self, step: int, lost: float) -> float:
        at = int(lost)
        if at >= self.size:
            return 0.0
        hits = self.hits[step]
        return hits[at] - (lost - at) * (hits[at] - hits[at + 1])


def fought(ours: Sequence[Fighter], theirs: Sequence[Fighter], rounds: int = MOST_ROUNDS) -> tuple[float, float]:
    """How many of ours and of theirs fall, on average."""
    one, other = Line(ours), Line(theirs)
    lost, killed = 0.0, 0.0
    for _ in range(rounds):
        for step in STEPS:
            given, taken = one.strikes(step, lost), other.strikes(step, killed)
            killed = min(other.size, killed + given)
            lost = min(one.size, lost + taken)
        if killed >= other.size - 0.2 or lost >= one.size - 0.2:
            break
    return lost, killed


def chance(ours: Sequence[Fighter], theirs: Sequence[Fighter]) -> float:
    """The chance that ours win; the fewer dice there are, the more depends on luck."""
    if not ours:
        return 0.0
    if not theirs:
        return 1.0
    lost, killed = fought(ours, theirs)
    margin = (1 - lost / len(ours)) - (1 - killed / len(theirs))
    steep = 2.4 + 0.25 * min(12, len(ours) + len(theirs))
    return 1 / (1 + math.exp(-steep * margin))


# What comes out of the cup for each face of the exploration die; about three in four Things can fight.
DEFENDERS = {1: 0, 2: 2, 3: 2, 4: 3, 5: 4, 6: 0}


def exploring(ours: Sequence[Fighter], bribes: int) -> float:
    """The chance to take an unexplored hex when so many of its defenders can be paid off (10.1, 10.2)."""
    total = 0.0
    for count in DEFENDERS.values():
        left = max(0, count - bribes)
        total += chance(ours, [WILD] * left)
    return total / 6
