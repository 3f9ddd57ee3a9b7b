"""Squares, and the position: which piece stands where and whose turn it is (G1, G2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .catalogue import DARK, KINDS, LIGHT, START

SIZE = 10
SQUARES = SIZE * SIZE
COLUMNS = "abcdefghij"

NAMES: tuple[str, ...] = tuple(f"{COLUMNS[number % SIZE]}{number // SIZE + 1}" for number in range(SQUARES))
NUMBERS: dict[str, int] = {text: number for number, text in enumerate(NAMES)}

BIT: tuple[int, ...] = tuple(1 << number for number in range(SQUARES))
ALL = (1 << SQUARES) - 1

# A piece in `Position.cells` is 2 * (place of its kind in KINDS) + 2 + side; an empty square is 0. So the
# lowest bit is the side, and as lesser kinds come first in KINDS, one comparison tells lesser from greater.
EMPTY = 0
CODES: dict[tuple[str, int], int] = {
    (kind.slug, side): 2 * index + 2 + side for index, kind in enumerate(KINDS) for side in (LIGHT, DARK)
}
PIECES: dict[int, tuple[str, int]] = {code: piece for piece, code in CODES.items()}

Key = bytes
"""What repetition compares; no hash, so two positions never share one."""


def square(text: str) -> int:
    """The number of a square by its name: a1 is 0, b1 is 1, j10 is 99."""
    return NUMBERS[text]


def name(number: int) -> str:
    return NAMES[number]


def squares_in(mask: int) -> Iterator[int]:
    """The squares of a bit mask, lowest number first."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


class Position:
    """Pieces, side to move and counters; never changed once made, `moves.after` makes the next one.

    `cells` has a byte for each square and is the truth; `light`, `dark` and `giants` are the bit masks the
    generator of moves needs, kept beside it because working them out anew would cost more than a move.
    `quiet` counts plies since the last capture or forward Soldier move, and draws at moves.QUIET_LIMIT (G11).
    `number` starts at 1 and rises after each move of dark, whoever began.
    """

    __slots__ = ("cells", "light", "dark", "giants", "turn", "quiet", "number")

    def __init__(self, cells: bytes, light: int, dark: int, giants: int, turn: int, quiet: int, number: int) -> None:
        self.cells = cells
        self.light = light
        self.dark = dark
        self.giants = giants
        self.turn = turn
        self.quiet = quiet
        self.number = number

    @classmethod
    def of(cls, pieces: Iterable[tuple[int, str, int]], turn: int = LIGHT, quiet: int = 0, number: int = 1) -> Position:
        """The position with these pieces, each (square, kind, side)."""
        cells = bytearray(SQUARES)
        masks = [0, 0]
        giants = 0
        for place, kind, side in pieces:
            if cells[place]:
                raise ValueError(f"two pieces on {NAMES[place]}")
            cells[place] = CODES[kind, side]
            masks[side] |= BIT[place]
            if kind == "giant":
                giants |= BIT[place]
        return cls(bytes(cells), masks[LIGHT], masks[DARK], giants, turn, quiet, number)

    @classmethod
    def start(cls, turn: int = LIGHT) -> Position:
        """The set-up of the game; either side may be the one to begin (G2, G3)."""
        return cls.of(
            (
                ((row - 1) * SIZE + column, kind, LIGHT if row <= 2 else DARK)
                for row, kinds in START.items()
                for column, kind in enumerate(kinds)
            ),
            turn,
        )

    def piece_at(self, place: int) -> tuple[str, int] | None:
        """Kind and side of the piece on a square."""
        return PIECES.get(self.cells[place])

    def pieces(self) -> Iterator[tuple[int, str, int]]:
        """Every piece as (square, kind, side), by square."""
        for place, code in enumerate(self.cells):
            if code:
                yield (place, *PIECES[code])

    def key(self) -> Key:
        """What has to recur for a repetition: pieces, promoted mark and side to move (G9, G11)."""
        return self.cells + (b"b" if self.turn else b"w")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return (self.cells, self.turn, self.quiet, self.number) == (
            other.cells,
            other.turn,
            other.quiet,
            other.number,
        )

    def __hash__(self) -> int:
        return hash((self.cells, self.turn, self.quiet, self.number))

    def __repr__(self) -> str:
        from .notation import position_text

        return f"<Position {position_text(self)}>"
