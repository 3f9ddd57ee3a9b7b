"""Moves, positions and whole games as text (G12, G13).

A move is `Sa2-a4`, `Ge1xe4` or `Sb9xa9=N`. A position is one line:

    nlgtpctgln/eseseseses/10/10/10/10/10/10/SESESESESE/NLGTCPTGLN w 0 1

A game is a few lines in brackets, then the numbered moves and the result:

    [Game "Gambit of Kings"]
    [Light "Ann"]

    1. Sa2-a4 Ea9-c7 2. Sa4-a6 *

Reading is strict: what `position_text`, `move_text` and `game_text` write is understood, all else is refused
with a sentence that says where it goes wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from .board import NUMBERS, SIZE, Position, name, square
from .catalogue import DARK, KIND, KINDS, LIGHT, piece_name
from .moves import MOST_PROMOTED, QUIET_LIMIT, after, has_move, is_legal, is_promotion, winner

Move = tuple[int, int]

MARK = "+"
SIDES = "wb"
LETTERS: dict[str, str] = {kind.letter: kind.slug for kind in KINDS if kind.slug != "promoted"}
HIGHEST_NUMBER = 99_999

GAME = "Gambit of Kings"
RESULTS: dict[str, int | None] = {"1-0": LIGHT, "0-1": DARK, "1/2-1/2": None, "*": None}
"""How a game's text ends: light won, dark won, drawn, not finished."""


class NotationError(ValueError):
    """Text that is no move, position or game; the sentence is fit for whoever wrote it."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence


# ---- moves


def move_text(position: Position, source: int, target: int) -> str:
    """Letter, from, `-` or `x`, to, and `=N` if it promotes (G12)."""
    piece = position.piece_at(source)
    if piece is None:
        raise ValueError(f"no piece on {name(source)}")
    sign = "x" if position.piece_at(target) else "-"
    promotion = "=N" if is_promotion(position, source, target) else ""
    return f"{KIND[piece[0]].letter}{name(source)}{sign}{name(target)}{promotion}"


MOVE = re.compile(r"([SENLGTPC])([a-j](?:10|[1-9]))([-x])([a-j](?:10|[1-9]))(=N)?")


def parse_move(position: Position, text: str) -> Move:
    """From and to of a legal move, written exactly as `move_text` writes it."""
    match = MOVE.fullmatch(text)
    if not match:
        raise NotationError("move_shape", f"{quoted(text)} is not a move; moves look like Sa2-a4 or Ge1xe4.")
    letter, source, target = match[1], NUMBERS[match[2]], NUMBERS[match[4]]
    piece = position.piece_at(source)
    if piece is None or piece[1] != position.turn:
        side = "dark" if position.turn else "light"
        raise NotationError("move_source", f"{text}: there is no piece of {side} on {match[2]}.")
    if KIND[piece[0]].letter != letter:
        raise NotationError("move_letter", f"{text}: the piece on {match[2]} is a {piece_name(*piece)}.")
    if not is_legal(position, source, target):
        raise NotationError("move_illegal", f"{text}: this {piece_name(*piece)} cannot go to {match[4]}.")
    proper = move_text(position, source, target)
    if text != proper:
        raise NotationError("move_marks", f"{text}: this move is written {proper}.")
    return source, target


# ---- positions


def position_text(position: Position) -> str:
    """Rows 10 to 1, side to move, quiet plies, move number (G13)."""
    rows = "/".join(row_text(position, row) for row in reversed(range(SIZE)))
    return f"{rows} {SIDES[position.turn]} {position.quiet} {position.number}"


def row_text(position: Position, row: int) -> str:
    parts: list[str] = []
    gap = 0
    for column in range(SIZE):
        piece = position.piece_at(row * SIZE + column)
        if piece is None:
            gap += 1
            continue
        if gap:
            parts.append(str(gap))
            gap = 0
        parts.append(piece_text(*piece))
    return "".join(parts) + (str(gap) if gap else "")


def piece_text(kind: str, side: int) -> str:
    letter = KIND[kind].letter
    return (letter.lower() if side else letter) + (MARK if kind == "promoted" else "")


PART = re.compile(r"10|[1-9]|[Nn]\+|[A-Za-z]")


def parse_position(text: str) -> Position:
    """The position of a line of text.

    Each side has one Castle; only the side to move may have lost its own, as a finished game leaves the board
    so. How many there are of the other pieces is not checked, so that studies can be set up; but no side has
    more than two promoted ones, as G9 says so of the board and not of the box.
    """
    words = text.split(" ")
    if len(words) != 4:
        raise NotationError(
            "position_shape",
            "A position has four parts with one space between them: rows, w or b, quiet moves, move number.",
        )
    rows, turn, quiet, number = words
    if turn not in ("w", "b"):
        raise NotationError("position_turn", f"The side to move is w or b, not {quoted(turn)}.")
    position = Position.of(
        parse_rows(rows),
        SIDES.index(turn),
        parse_count(quiet, "quiet-move count", 0, QUIET_LIMIT),
        parse_count(number, "move number", 1, HIGHEST_NUMBER),
    )
    check_castles(position)
    check_promoted(position)
    return position


def parse_rows(text: str) -> Iterator[tuple[int, str, int]]:
    rows = text.split("/")
    if len(rows) != SIZE:
        raise NotationError("position_rows", f"A position has 10 rows, this one has {len(rows)}.")
    for number, row in zip(range(SIZE, 0, -1), rows):
        yield from parse_row(row, number)


def parse_row(text: str, number: int) -> Iterator[tuple[int, str, int]]:
    column = at = 0
    after_gap = False
    while at < len(text):
        match = PART.match(text, at)
        part = match[0] if match else text[at]
        if part.isascii() and part.isdigit() and part != "0":
            if after_gap:
                raise NotationError("position_gap", f"Row {number} has two numbers side by side.")
            column += int(part)
        elif part[0].upper() in LETTERS and match:
            if column < SIZE:
                kind = "promoted" if part.endswith(MARK) else LETTERS[part.upper()]
                yield (number - 1) * SIZE + column, kind, DARK if part[0].islower() else LIGHT
            column += 1
        else:
            raise NotationError("position_letter", f"Row {number} has {quoted(part)}, which is no piece.")
        after_gap = part.isdigit()
        at += len(part)
    if column != SIZE:
        raise NotationError("position_row", f"Row {number} has {column} squares instead of 10.")


def parse_count(text: str, what: str, lowest: int, highest: int) -> int:
    if not re.fullmatch(r"0|[1-9][0-9]{0,4}", text) or not lowest <= int(text) <= highest:
        raise NotationError("position_count", f"The {what} is a number from {lowest} to {highest}, not {quoted(text)}.")
    return int(text)


def check_castles(position: Position) -> None:
    for side, word in ((LIGHT, "Light"), (DARK, "Dark")):
        castles = sum(1 for _, kind, owner in position.pieces() if (kind, owner) == ("castle", side))
        if castles > 1:
            raise NotationError("position_castles", f"{word} has {castles} Castles.")
        if castles == 0 and position.turn != side:
            raise NotationError("position_castles", f"{word} has no Castle, so it would have to be its turn.")


def check_promoted(position: Position) -> None:
    for side, word in ((LIGHT, "Light"), (DARK, "Dark")):
        promoted = sum(1 for _, kind, owner in position.pieces() if (kind, owner) == ("promoted", side))
        if promoted > MOST_PROMOTED:
            raise NotationError("position_promoted", f"{word} has {promoted} promoted pieces, at most two can be.")


# ---- games


@dataclass(frozen=True)
class GameRecord:
    """A game that was read from text; every move in it is legal and the result does not contradict them."""

    tags: dict[str, str]
    start: Position
    moves: tuple[Move, ...]
    result: str
    final: Position


TAG = re.compile(r'\[([A-Za-z][A-Za-z0-9_]{0,30}) "((?:[^"\\]|\\["\\])*)"\]')
NUMBER = re.compile(r"([1-9][0-9]{0,4})(\.|\.\.\.)")
WIDTH = 80


def game_text(
    moves: Sequence[Move],
    tags: Mapping[str, str] | None = None,
    start_position: Position | None = None,
    result: str = "*",
) -> str:
    """A whole game as text; any start but the usual one with light to move is told in a Position line."""
    if result not in RESULTS:
        raise ValueError(f"no such result: {result}")
    position = start_position or Position.start()
    lines = [tag_line("Game", GAME)]
    lines += [tag_line(tag, value) for tag, value in (tags or {}).items() if tag not in ("Game", "Position")]
    if position != Position.start():
        lines.append(tag_line("Position", position_text(position)))
    words: list[str] = []
    for source, target in moves:
        if position.turn == LIGHT:
            words.append(f"{position.number}.")
        elif not words:
            words.append(f"{position.number}...")
        words.append(move_text(position, source, target))
        position = after(position, source, target)
    return "\n".join([*lines, "", *folded([*words, result])]) + "\n"


def tag_line(tag: str, value: str) -> str:
    plain = "".join(letter if letter.isprintable() else " " for letter in value)
    escaped = plain.replace("\\", "\\\\").replace('"', '\\"')
    line = f'[{tag} "{escaped}"]'
    if not TAG.fullmatch(line):
        raise ValueError(f"no name for a tag: {tag}")
    return line


def folded(words: Sequence[str]) -> list[str]:
    lines = [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + 1 + len(word) > WIDTH:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
    return lines


def parse_game(text: str) -> GameRecord:
    """The game of a text, with every move checked against the rules."""
    lines = text.replace("\r\n", "\n").split("\n")
    tags, rest = parse_tags(lines)
    words = [word for line in rest for word in line.split()]
    if not words or words[-1] not in RESULTS:
        raise NotationError("game_result", "A game ends with its result: 1-0, 0-1, 1/2-1/2 or *.")
    start = parse_position(tags["Position"]) if "Position" in tags else Position.start()
    result = words.pop()
    play = Replay(start)
    for word in words:
        play.read(word)
    play.check_result(result)
    return GameRecord(tags, start, tuple(play.moves), result, play.position)


def parse_tags(lines: Sequence[str]) -> tuple[dict[str, str], Sequence[str]]:
    tags: dict[str, str] = {}
    number = 0
    for number, line in enumerate(lines):
        if line.strip() and not line.startswith("["):
            break
        if not line.strip():
            continue
        match = TAG.fullmatch(line.rstrip())
        if not match:
            raise NotationError("game_tag", f'Line {number + 1} is not of the form [Name "text"].')
        if match[1] in tags:
            raise NotationError("game_tag", f"Line {number + 1} has {match[1]} for the second time.")
        tags[match[1]] = re.sub(r"\\(.)", r"\1", match[2])
    if tags.get("Game") != GAME:
        raise NotationError("game_tag", f'The first lines must have [Game "{GAME}"].')
    return tags, lines[number:]


class Replay:
    """Follows the moves of a text: a number before each move of light, and before a first move of dark."""

    def __init__(self, start: Position) -> None:
        self.position = start
        self.moves: list[Move] = []
        self.seen = [start.key()]
        self.numbered = False

    def where(self) -> str:
        return f"Move {self.position.number} of {'dark' if self.position.turn else 'light'}"

    def read(self, word: str) -> None:
        number = NUMBER.fullmatch(word)
        if number:
            self.read_number(word)
            return
        if not self.numbered and (self.position.turn == LIGHT or not self.moves):
            raise NotationError("game_number", f"{self.where()}: its number is missing before {quoted(word)}.")
        if self.ending() is not None:
            raise NotationError("game_over", f"{self.where()}: the game is over before {quoted(word)}.")
        try:
            source, target = parse_move(self.position, word)
        except NotationError as error:
            raise NotationError(error.code, f"{self.where()}: {error.sentence}") from error
        self.moves.append((source, target))
        self.position = after(self.position, source, target)
        self.seen.append(self.position.key())
        self.numbered = False

    def read_number(self, word: str) -> None:
        proper = f"{self.position.number}{'...' if self.position.turn else '.'}"
        if word != proper or self.numbered or (self.position.turn == DARK and self.moves):
            raise NotationError("game_number", f"{self.where()}: the number {quoted(word)} does not belong here.")
        self.numbered = True

    def ending(self) -> str | None:
        """The result the rules themselves have brought about, if they have (G10, G11)."""
        side = winner(self.position)
        if side is None and self.seen.count(self.seen[-1]) < 3 and self.position.quiet < QUIET_LIMIT:
            if has_move(self.position):
                return None
            side = 1 - self.position.turn
        return "1/2-1/2" if side is None else ("1-0", "0-1")[side]

    def check_result(self, result: str) -> None:
        if self.numbered:
            raise NotationError("game_number", f"{self.where()} is missing after its number.")
        ending = self.ending()
        if ending is not None and result != ending:
            raise NotationError("game_result", f"The moves end in {ending}, but the text says {result}.")


def quoted(text: str) -> str:
    """Foreign text in a sentence: short, and on one line."""
    plain = "".join(letter if letter.isprintable() else "?" for letter in text[:20])
    return f"“{plain}{'…' if len(text) > 20 else ''}”"


__all__ = [
    "GAME",
    "RESULTS",
    "GameRecord",
    "Move",
    "NotationError",
    "game_text",
    "move_text",
    "name",
    "parse_game",
    "parse_move",
    "parse_position",
    "position_text",
    "square",
]
