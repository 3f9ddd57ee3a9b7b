"""Where pieces may go, and what a move makes of a position (G4-G11).

There is one generator, `targets`: offers, counts of move trees and bots all ask it.

Where a piece can go follows from which of a few squares near it are occupied. For every kind, side and square
the paths of the catalogue are tied into as few bundles as possible, and each bundle is a dictionary from "the
blockers among the squares that matter" to "the squares reached", filled in as positions come up.
MOST_BLOCKERS keeps a bundle small, so all of them stay within some tens of megabytes in the longest run.
"""

from __future__ import annotations

import functools
import operator

from .board import ALL, BIT, CODES, PIECES, SIZE, SQUARES, Position, squares_in
from .catalogue import DARK, KIND, LIGHT, Path

MOST_PROMOTED = 2
"""A side has at most this many promoted pieces on the board at a time (G9)."""

QUIET_LIMIT = 200
"""Plies without a capture or a forward Soldier move that make a draw: 100 moves by each side (G11)."""

SOLDIER = CODES["soldier", LIGHT]
PROMOTED = CODES["promoted", LIGHT]
GIANT = CODES["giant", LIGHT]
CASTLE = CODES["castle", LIGHT]
FIRST_GREATER = CODES["knight", LIGHT]

FAR_ROW = (range(SQUARES - SIZE, SQUARES), range(SIZE))
"""Each side's farthest row: the opponent's back row (G9)."""

MOST_BLOCKERS = 12
"""How many squares may matter to one bundle, which then has at most 2 ** 12 entries."""


def mask_of(*places: int) -> int:
    mask = 0
    for place in places:
        mask |= BIT[place]
    return mask


class Bundle(dict[int, int]):
    """The squares reached along some lines, by the blockers on them; worked out when first asked for."""

    __slots__ = ("lines", "double_step")

    def __init__(self, lines: list[tuple[int, ...]], double_step: tuple[int, ...] = ()) -> None:
        super().__init__()
        self.lines = lines
        self.double_step = double_step

    def matters(self) -> int:
        """The squares where a blocker makes a difference: all of a line but its end, reached in any case."""
        return mask_of(*(place for line in self.lines for place in line[:-1]), *self.double_step)

    def __missing__(self, blockers: int) -> int:
        reached = 0
        for line in self.lines:
            for place in line:
                reached |= BIT[place]
                if blockers & BIT[place]:
                    break
        if self.double_step and not blockers & mask_of(*self.double_step):
            reached |= BIT[self.double_step[-1]]
        self[blockers] = reached
        return reached


def line_from(place: int, path: Path, side: int) -> tuple[int, ...]:
    """The squares of a path from here, as far as the board goes; forward is up for light, else down (G3)."""
    column, row = place % SIZE, place // SIZE
    line = []
    for right, forward in path:
        column += right
        row += -forward if side == DARK else forward
        if not (0 <= column < SIZE and 0 <= row < SIZE):
            break
        line.append(row * SIZE + column)
    return tuple(line)


def bundles_of(kind: str, side: int, place: int) -> list[Bundle]:
    """The lines of a piece on a square, in as few bundles as MOST_BLOCKERS allows; one at least."""
    lines = [line for path in KIND[kind].paths if (line := line_from(place, path, side))]
    if kind == "soldier":
        forward = line_from(place, ((0, 1), (0, 1)), side)
        return [Bundle(lines, forward if len(forward) == 2 else ())]
    bundles = [Bundle([])]
    for line in lines:
        wider = Bundle([*bundles[-1].lines, line])
        if wider.matters().bit_count() <= MOST_BLOCKERS:
            bundles[-1] = wider
        else:
            bundles.append(Bundle([line]))
    return bundles


Pattern = tuple[bool, bool, int, Bundle, tuple[tuple[int, Bundle], ...]]
"""Is it lesser, does it fly, the squares that matter to its first bundle, that bundle, and further ones."""


def pattern_of(kind: str, side: int, place: int) -> Pattern:
    first, *more = ((bundle.matters(), bundle) for bundle in bundles_of(kind, side, place))
    return (not KIND[kind].greater, KIND[kind].flies, *first, tuple(more))


PATTERNS: dict[int, tuple[Pattern, ...]] = {
    code: tuple(pattern_of(kind, side, place) for place in range(SQUARES)) for code, (kind, side) in PIECES.items()
}
"""By piece code and square."""


def targets(position: Position) -> list[tuple[int, int]]:
    """For each piece of the side to move that can move: its square, and the mask of the squares it may go to.

    A side whose Castle is gone has no moves, as its game is over (G10). Written out in one piece and without
    calls because everything fast rests on it.
    """
    cells = position.cells
    giants = position.giants
    if position.turn:
        own, other = position.dark, position.light
    else:
        own, other = position.light, position.dark
    if CASTLE + position.turn not in cells:
        return []
    occupied = own | other
    free = ALL ^ own
    free_to_lesser = free ^ (giants & other)
    found = []
    rest = own
    while rest:
        place = rest.bit_length() - 1
        rest ^= BIT[place]
        lesser, flies, matters, bundle, more = PATTERNS[cells[place]][place]
        if lesser:  # never takes a Giant (G8)
            reached = bundle[occupied & matters] & free_to_lesser
        elif flies:  # is stopped by Giants alone (G4)
            reached = bundle[giants & matters] & free
        else:
            reached = bundle[occupied & matters]
            for matters, bundle in more:
                reached |= bundle[occupied & matters]
            reached &= free
        if reached:
            found.append((place, reached))
    return found


def sources() -> dict[int, tuple[int, ...]]:
    """By piece code and square: the squares from which the piece could take here on an empty board."""
    table = {code: [0] * SQUARES for code in PIECES}
    for code, (kind, side) in PIECES.items():
        for place in range(SQUARES):
            for path in KIND[kind].paths:
                for reached in line_from(place, path, side):
                    table[code][reached] |= BIT[place]
    return {code: tuple(masks) for code, masks in table.items()}


SOURCES = sources()
NEARBY = tuple(
    tuple(
        functools.reduce(operator.or_, (SOURCES[code][place] for code in PIECES if code & 1 == side))
        for place in range(SQUARES)
    )
    for side in (LIGHT, DARK)
)
"""By side and square: the squares from which any piece of that side might take here."""


def is_attacked(position: Position, target: int, by: int) -> bool:
    """Could a piece of that side take the piece on `target`, if it were its turn?"""
    cells = position.cells
    occupied = position.light | position.dark
    rest = NEARBY[by][target] & (position.dark if by else position.light)
    bit = BIT[target]
    while rest:
        place = rest.bit_length() - 1
        rest ^= BIT[place]
        code = cells[place]
        if not SOURCES[code][target] & BIT[place]:
            continue
        lesser, flies, matters, bundle, more = PATTERNS[code][place]
        if flies:
            reached = bundle[position.giants & matters]
        elif lesser and position.giants & bit:
            continue
        else:
            reached = bundle[occupied & matters]
            for matters, bundle in more:
                reached |= bundle[occupied & matters]
        if reached & bit:
            return True
    return False


def after(position: Position, source: int, target: int) -> Position:
    """The position after a move that `targets` offers; a piece on `target` is destroyed."""
    cells = position.cells
    turn = position.turn
    code = landing = cells[source]
    taken = cells[target]
    giants = position.giants
    quiet = 0 if taken else position.quiet + 1
    if code == SOLDIER + turn:
        if abs(target - source) != 1:
            quiet = 0
        qualifies = taken >= FIRST_GREATER or target in FAR_ROW[turn]
        if qualifies and cells.count(PROMOTED + turn) < MOST_PROMOTED:
            landing = PROMOTED + turn
    elif code == GIANT + turn:
        giants = giants & ~BIT[source] | BIT[target]
    elif taken == GIANT + 1 - turn:
        giants ^= BIT[target]
    board = bytearray(cells)
    board[source] = 0
    board[target] = landing
    light, dark, number = position.light, position.dark, position.number
    if turn:
        dark ^= BIT[source] | BIT[target]
        light &= ~BIT[target]
        number += 1
    else:
        light ^= BIT[source] | BIT[target]
        dark &= ~BIT[target]
    return Position(bytes(board), light, dark, giants, 1 - turn, quiet, number)


def is_legal(position: Position, source: int, target: int) -> bool:
    """Does the side to move have this move?"""
    return any(place == source and reached & BIT[target] for place, reached in targets(position))


def has_move(position: Position) -> bool:
    """A player who cannot move loses (G11)."""
    return bool(targets(position))


def captured(position: Position, source: int, target: int) -> str | None:
    """The kind of the piece this move would destroy."""
    piece = position.piece_at(target)
    return piece[0] if piece else None


def is_promotion(position: Position, source: int, target: int) -> bool:
    """Does this move make a Soldier or Skeleton a Knight (G9)?

    Taking the Castle counts as well, the rule book has it among the greater pieces.
    """
    return position.cells[source] != after(position, source, target).cells[target]


def castle_threats(position: Position, side: int) -> list[int]:
    """Squares of the opponent's pieces that could take this side's Castle if it were their turn (G10)."""
    castle = position.cells.find(CASTLE + side)
    if castle < 0:
        return []
    view = Position(
        position.cells,
        position.light,
        position.dark,
        position.giants,
        1 - side,
        position.quiet,
        position.number,
    )
    return sorted(place for place, reached in targets(view) if reached & BIT[castle])


def winner(position: Position) -> int | None:
    """The side that has taken the other's Castle (G10)."""
    if CASTLE + DARK not in position.cells:
        return LIGHT
    if CASTLE + LIGHT not in position.cells:
        return DARK
    return None


def is_over(position: Position) -> bool:
    """A Castle has fallen, nothing has happened for too long, or the side to move cannot (G10, G11).

    Repetition is not seen here: it is a matter of the positions before this one.
    """
    return winner(position) is not None or position.quiet >= QUIET_LIMIT or not has_move(position)


def perft(position: Position, depth: int) -> int:
    """Count the move sequences of this length; those the game's end cuts short count 0 (G14)."""
    if depth <= 0:
        return 1
    if position.quiet >= QUIET_LIMIT:
        return 0
    if depth == 1:
        return sum([reached.bit_count() for _, reached in targets(position)])
    return sum(
        perft(after(position, source, target), depth - 1)
        for source, reached in targets(position)
        for target in squares_in(reached)
    )
