"""A second generator of moves, for tests: written straight from the rulings, sharing nothing with the engine.

A board is a dict from (column, row), both counted from 1, to the letters of the position text; a promoted
piece is `N+` or `n+`. Slow and plain on purpose.
"""

from dataclasses import dataclass

Square = tuple[int, int]


@dataclass
class Slow:
    board: dict[Square, str]
    light_to_move: bool
    quiet: int
    number: int


def read(text: str) -> Slow:
    rows, turn, quiet, number = text.split()
    board: dict[Square, str] = {}
    for row, line in zip(range(10, 0, -1), rows.split("/"), strict=True):
        column = 1
        while line:
            if line.startswith("10"):
                column, line = column + 10, line[2:]
            elif line[0].isdigit():
                column, line = column + int(line[0]), line[1:]
            elif line[1:2] == "+":
                board[column, row] = line[:2]
                column, line = column + 1, line[2:]
            else:
                board[column, row] = line[0]
                column, line = column + 1, line[1:]
        assert column == 11
    return Slow(board, turn == "w", int(quiet), int(number))


def write(game: Slow) -> str:
    rows = []
    for row in range(10, 0, -1):
        line, gap = "", 0
        for column in range(1, 11):
            piece = game.board.get((column, row))
            if piece and gap:
                line, gap = line + str(gap), 0
            if piece:
                line += piece
            else:
                gap += 1
        rows.append(line + (str(gap) if gap else ""))
    return f"{'/'.join(rows)} {'w' if game.light_to_move else 'b'} {game.quiet} {game.number}"


def on_board(square: Square) -> bool:
    return square[0] in range(1, 11) and square[1] in range(1, 11)


def is_light(piece: str) -> bool:
    return piece[0].isupper()


def may_land(game: Slow, piece: str, square: Square) -> bool:
    """Not off the board, not on an own piece; a lesser piece not on a Giant or Ogre (G8)."""
    if not on_board(square):
        return False
    there = game.board.get(square)
    if there is None:
        return True
    if is_light(there) == is_light(piece):
        return False
    return not (piece in "SsEe" and there in "Tt")


def slide(game: Slow, piece: str, start: Square, right: int, up: int, furthest: int) -> set[Square]:
    """Step by step in one direction until something is in the way (G4)."""
    found = set()
    column, row = start
    for _ in range(furthest):
        column, row = column + right, row + up
        if may_land(game, piece, (column, row)):
            found.add((column, row))
        if (column, row) in game.board or not on_board((column, row)):
            break
    return found


def soldier(game: Slow, piece: str, start: Square) -> set[Square]:
    """G5."""
    column, row = start
    up = 1 if is_light(piece) else -1
    near = {(column - 1, row), (column + 1, row), (column, row + up)}
    found = {square for square in near if may_land(game, piece, square)}
    one, two = (column, row + up), (column, row + 2 * up)
    if on_board(two) and one not in game.board and two not in game.board:
        found.add(two)
    return found


def elf(game: Slow, piece: str, start: Square) -> set[Square]:
    """G6."""
    found = set()
    for right in (-1, 1):
        for up in (-1, 1):
            found |= slide(game, piece, start, right, up, 2)
    return found


def in_eight_directions(game: Slow, piece: str, start: Square, furthest: int) -> set[Square]:
    found = set()
    for right in (-1, 0, 1):
        for up in (-1, 0, 1):
            if (right, up) != (0, 0):
                found |= slide(game, piece, start, right, up, furthest)
    return found


def griffin(game: Slow, piece: str, start: Square) -> set[Square]:
    """Flies over all but Giants and Ogres of either side (G4, G6)."""
    found = set()
    for right, up in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        for distance in (1, 2, 3):
            square = (start[0] + right * distance, start[1] + up * distance)
            if may_land(game, piece, square):
                found.add(square)
            if game.board.get(square) in ("T", "t"):
                break
    return found


def giant(game: Slow, piece: str, start: Square) -> set[Square]:
    """Never straight or diagonally backward (G8)."""
    found = set()
    up = 1 if is_light(piece) else -1
    for right, ahead in ((-1, 0), (1, 0), (0, up), (-1, up), (1, up)):
        found |= slide(game, piece, start, right, ahead, 3)
    return found


def lion(game: Slow, piece: str, start: Square) -> set[Square]:
    """One straight; if that square is empty, up to two more outward on a diagonal (G7)."""
    found = set()
    for right, up in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        first = (start[0] + right, start[1] + up)
        if may_land(game, piece, first):
            found.add(first)
        if first in game.board or not on_board(first):
            continue
        if up:
            outward = [(-1, up), (1, up)]
        else:
            outward = [(right, -1), (right, 1)]
        for direction in outward:
            found |= slide(game, piece, first, *direction, 2)
    return found


def reach(game: Slow, start: Square) -> set[Square]:
    piece = game.board[start]
    match piece[0].upper():
        case "S":
            return soldier(game, piece, start)
        case "E":
            return elf(game, piece, start)
        case "N":
            return in_eight_directions(game, piece, start, 3)
        case "L":
            return lion(game, piece, start)
        case "G":
            return griffin(game, piece, start)
        case "T":
            return giant(game, piece, start)
        case "P":
            return in_eight_directions(game, piece, start, 99)
        case "C":
            return set()
    raise AssertionError(piece)


def is_finished(game: Slow) -> bool:
    """A Castle is gone (G10), or a hundred moves of each side were quiet (G11)."""
    pieces = list(game.board.values())
    return "C" not in pieces or "c" not in pieces or game.quiet >= 200


def all_moves(game: Slow) -> set[tuple[Square, Square]]:
    if is_finished(game):
        return set()
    mine = [square for square, piece in game.board.items() if is_light(piece) == game.light_to_move]
    return {(start, end) for start in mine for end in reach(game, start)}


def play(game: Slow, start: Square, end: Square) -> Slow:
    board = dict(game.board)
    piece = board.pop(start)
    taken = board.get(end)
    quiet = game.quiet + 1
    if taken:
        quiet = 0
    if piece in ("S", "s"):
        if start[1] != end[1]:
            quiet = 0
        knight = "N+" if piece == "S" else "n+"
        far_row = 10 if piece == "S" else 1
        took_greater = taken is not None and taken not in ("S", "s", "E", "e")
        if (took_greater or end[1] == far_row) and list(board.values()).count(knight) < 2:
            piece = knight
    board[end] = piece
    number = game.number if game.light_to_move else game.number + 1
    return Slow(board, not game.light_to_move, quiet, number)


def count(game: Slow, depth: int) -> int:
    """G14, one move at a time and nothing in bulk."""
    if depth == 0:
        return 1
    return sum(count(play(game, start, end), depth - 1) for start, end in all_moves(game))


def name(square: Square) -> str:
    return "abcdefghij"[square[0] - 1] + str(square[1])
