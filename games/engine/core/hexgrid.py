"""Hexes by axial coordinates, flat side up: neighbours, rings, distances."""

from __future__ import annotations

from collections.abc import Iterator

Axial = tuple[int, int]

# Clockwise from north.
DIRECTIONS: tuple[Axial, ...] = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))


def neighbours(at: Axial) -> Iterator[Axial]:
    for q, r in DIRECTIONS:
        yield at[0] + q, at[1] + r


def distance(one: Axial, other: Axial) -> int:
    q, r = one[0] - other[0], one[1] - other[1]
    return max(abs(q), abs(r), abs(q + r))


def ring(radius: int) -> list[Axial]:
    """The hexes at this distance from the middle, clockwise from north."""
    if radius == 0:
        return [(0, 0)]
    at = (0, -radius)
    found = []
    for q, r in (*DIRECTIONS[2:], *DIRECTIONS[:2]):
        for _ in range(radius):
            found.append(at)
            at = (at[0] + q, at[1] + r)
    return found


def spiral(radius: int) -> list[Axial]:
    """All hexes up to this distance, from the middle outwards."""
    return [at for each in range(radius + 1) for at in ring(each)]
