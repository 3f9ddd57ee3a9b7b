"""Counts of move trees, and the generator against a second, slow one that shares no code with it (G14)."""

import hashlib
import re
from pathlib import Path

import pytest

from games.engine.gambit.board import Position, name, square, squares_in
from games.engine.gambit.moves import QUIET_LIMIT, after, is_attacked, perft, targets, winner
from games.engine.gambit.notation import parse_position, position_text
from tests.engine import slow_gambit

FOLDER = Path(__file__).parent / "perft"
FILES = sorted(FOLDER.glob("*.txt"))
SLOW_DEPTH = 3


def stored(path: Path) -> tuple[str, dict[int, int]]:
    """Position and counts by depth of one file; all but comments is data."""
    lines = [line.split(": ") for line in path.read_text().splitlines() if not line.startswith("#")]
    (word, text), *counts = lines
    assert word == "position"
    return text, {int(depth): int(count) for depth, count in counts}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_counts_are_those_stored(path: Path) -> None:
    text, counts = stored(path)
    position = parse_position(text)
    assert sorted(counts) == [1, 2, 3, 4]
    assert {depth: perft(position, depth) for depth in counts} == counts


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_counts_agree_with_the_slow_generator(path: Path) -> None:
    text, counts = stored(path)
    game = slow_gambit.read(text)
    found = {depth: slow_gambit.count(game, depth) for depth in range(1, SLOW_DEPTH + 1)}
    assert found == {depth: counts[depth] for depth in found}


def test_the_start_is_among_the_counted_positions() -> None:
    assert stored(FOLDER / "start.txt")[0] == position_text(Position.start())
    assert len(FILES) >= 7


def fast_moves(position: Position) -> set[tuple[str, str]]:
    return {(name(a), name(b)) for a, mask in targets(position) for b in squares_in(mask)}


def slow_moves(
    game: slow_gambit.Slow,
) -> dict[tuple[str, str], tuple[slow_gambit.Square, slow_gambit.Square]]:
    return {(slow_gambit.name(a), slow_gambit.name(b)): (a, b) for a, b in slow_gambit.all_moves(game)}


def picked(options: list[tuple[str, str]], *seed: int) -> tuple[str, str]:
    """One of them, by a hash: the same game for the same seed, with every Python."""
    digest = hashlib.sha256(repr(seed).encode()).digest()
    return options[int.from_bytes(digest[:8], "big") % len(options)]


def prefers_captures(position: Position, options: list[tuple[str, str]], ply: int) -> list[tuple[str, str]]:
    """Every third ply takes something if it can, so that games thin out and Soldiers get through."""
    takes = [each for each in options if position.piece_at(square(each[1])) is not None]
    return takes if takes and ply % 3 == 0 else options


@pytest.mark.parametrize("seed", range(24))
def test_both_generators_agree_along_random_games(seed: int) -> None:
    position = Position.start(seed % 2)
    game = slow_gambit.read(position_text(position))
    for ply in range(200):
        moves = slow_moves(game)
        assert position.quiet < QUIET_LIMIT
        assert fast_moves(position) == set(moves), position_text(position)
        if not moves:
            break
        source, target = picked(prefers_captures(position, sorted(moves), ply), seed, ply)
        game = slow_gambit.play(game, *moves[source, target])
        position = after(position, square(source), square(target))
        assert position_text(position) == slow_gambit.write(game)
        assert (position.light, position.dark, position.giants) == masks(position)
        assert attacked(position) == {b for _, b in fast_moves(position) if position.piece_at(square(b))}


def attacked(position: Position) -> set[str]:
    """What the side to move could take, asked square by square; the Castle's fall ends all that."""
    theirs = [place for place, _, side in position.pieces() if side != position.turn]
    if winner(position) is not None:
        return set()
    return {name(place) for place in theirs if is_attacked(position, place, position.turn)}


def masks(position: Position) -> tuple[int, int, int]:
    """The bit masks worked out anew from the pieces."""
    again = Position.of(position.pieces())
    return again.light, again.dark, again.giants


def test_the_slow_generator_shares_no_code_with_the_engine() -> None:
    source = Path(slow_gambit.__file__).read_text()
    assert set(re.findall(r"^(?:from|import) (\S+)", source, re.M)) == {"dataclasses"}
