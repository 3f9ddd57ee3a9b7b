"""Where things are drawn: numbers only."""

from __future__ import annotations

SQUARE = 100  # the side of a square of Gambit's board in the drawing's own units
COLUMNS = "abcdefghij"
SIZE = len(COLUMNS)
BOARD = SIZE * SQUARE


def squares_from(side: int) -> list[list[str]]:
    """The names of the squares as this side sees them, row by row from the top left."""
    rows = range(SIZE, 0, -1) if side == 0 else range(1, SIZE + 1)
    columns = COLUMNS if side == 0 else COLUMNS[::-1]
    return [[f"{column}{row}" for column in columns] for row in rows]


def corner(place: str, side: int) -> tuple[int, int]:
    """The top left corner of a square, seen from a side."""
    column, row = COLUMNS.index(place[0]), int(place[1:]) - 1
    x, y = column * SQUARE, (SIZE - 1 - row) * SQUARE
    return (x, y) if side == 0 else (BOARD - SQUARE - x, BOARD - SQUARE - y)


def is_dark(place: str) -> bool:
    """a1 is a dark square, as on any chequered board."""
    return (COLUMNS.index(place[0]) + int(place[1:])) % 2 == 1
