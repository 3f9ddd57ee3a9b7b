"""The searcher wins what is to be won, sees what is coming, and answers the same question the same way."""

import hashlib
import subprocess
import sys
from pathlib import Path

import pytest

from games.engine.bots.gambit_search import LEVELS, SURE, WIN, search
from games.engine.gambit.board import Position, squares_in
from games.engine.gambit.catalogue import DARK, LIGHT
from games.engine.gambit.moves import after, castle_threats, is_legal, is_over, targets, winner
from games.engine.gambit.notation import move_text, parse_move, parse_position, position_text

ROOT = Path(__file__).resolve().parents[2]


def moves_of(position: Position) -> list[tuple[int, int]]:
    return sorted((source, target) for source, mask in targets(position) for target in squares_in(mask))


def wins_by_force(position: Position, moves: int) -> list[tuple[int, int]]:
    """Moves after which the opponent cannot escape, found by trying everything."""
    found = []
    for move in moves_of(position):
        then = after(position, *move)
        if winner(then) is not None:
            found.append(move)
        elif moves > 1 and not is_over(then):
            replies = [after(then, *reply) for reply in moves_of(then)]
            if all(winner(each) is None and wins_by_force(each, moves - 1) for each in replies):
                found.append(move)
    return found


# ---- winning and not losing


@pytest.mark.parametrize("nodes", [1, 50, 2_000])
@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("5c4/4E5/3s6/10/2n7/10/10/6p3/5S4/4C5 w 0 30", "Ee9xf10"),
        ("5c4/5s4/10/10/3P6/10/10/4g5/4SS4/4C5 b 0 30", "Ge3xe1"),
    ],
)
def test_a_castle_that_can_be_taken_is_taken(text: str, move: str, nodes: int) -> None:
    position = parse_position(text)
    result = search(position, nodes)
    assert move_text(position, *result.move) == move
    if nodes > 1:
        assert result.score == WIN - 1 and result.line == (result.move,)


@pytest.mark.parametrize(
    "text",
    [
        "5c4/1s8/8s1/10/2N7/7N2/10/s7s1/10/4C5 w 0 30",
        "5c4/s3e1s3/10/10/1P6G1/10/10/s7s1/10/4C5 w 0 30",
    ],
)
def test_a_win_in_two_is_found(text: str) -> None:
    position = parse_position(text)
    winning = wins_by_force(position, 2)
    assert winning and not wins_by_force(position, 1)
    result = search(position, 6_000)
    assert result.move in winning
    assert result.score == WIN - 3


def test_a_quick_win_is_preferred_to_a_slow_one() -> None:
    position = parse_position("5c4/1s8/5N4/10/2N7/7N2/10/s7s1/10/4C5 w 0 30")
    assert search(position, 6_000).score == WIN - 1


@pytest.mark.parametrize(
    "text",
    [
        "5c4/eses1sese1/10/10/4p5/10/5N4/10/S1S3S1SE/NL2CP3N w 0 12",
        "3P1c4/1se1s1s3/6g3/10/10/10/6S3/2S1E5/10/2L1C4L b 0 12",
    ],
)
def test_a_threatened_castle_is_defended(text: str) -> None:
    position = parse_position(text)
    assert castle_threats(position, position.turn) and not wins_by_force(position, 1)
    result = search(position, 2_000)
    assert castle_threats(after(position, *result.move), position.turn) == []
    assert result.score > -SURE


def test_a_loss_that_cannot_be_helped_is_known_for_one() -> None:
    position = parse_position("5c4/10/5N4/10/10/10/10/4s5/10/4C4P w 0 30")
    result = search(after(position, *parse_move(position, "Pj1-j10")), 2_000)
    assert result.score == 2 - WIN


def test_a_side_about_to_be_walled_in_is_beaten_so() -> None:
    position = parse_position("9c/10/10/10/10/3TsT4/10/4T5/10/4C5 w 5 9")
    result = search(position, 2_000)
    assert targets(after(position, *result.move)) == [] and result.score == WIN - 1


def test_a_winning_side_does_not_walk_into_a_repetition() -> None:
    position = parse_position("5c4/4sss3/10/10/10/10/3N6/1N8/4SS4/P2TC5 w 3 40")
    free = search(position, 1_500)
    assert free.score > 300
    seen = [after(position, *move).key() for move in moves_of(position) if move != free.line[0]]
    bound = search(position, 1_500, history=[*seen, after(position, *free.move).key()])
    assert bound.score == 0
    still = search(position, 1_500, history=[after(position, *free.move).key()])
    assert still.move != free.move and still.score > 300


# ---- the same question, the same answer


def test_the_same_question_gets_the_same_answer() -> None:
    position = Position.start()
    first = search(position, 1_500, jitter=7)
    assert search(position, 1_500, jitter=7) == first
    rebuilt = parse_position(position_text(position))
    assert search(rebuilt, 1_500, jitter=7) == first


def test_the_answer_does_not_depend_on_how_python_seeds_its_hashes() -> None:
    code = (
        "from games.engine.bots.gambit_search import search\n"
        "from games.engine.gambit.board import Position\n"
        "print(search(Position.start(), 1200, jitter=3))"
    )
    answers = {
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "12345")
    }
    assert len(answers) == 1


def test_jitter_makes_games_differ() -> None:
    assert len({search(Position.start(), 400, jitter=jitter).move for jitter in range(1, 25)}) >= 3


def test_a_search_leaves_the_position_alone() -> None:
    position = Position.start(DARK)
    search(position, 500)
    assert position == Position.start(DARK)


# ---- budgets


@pytest.mark.parametrize("nodes", [0, 1, 2, 7, 40, 300])
@pytest.mark.parametrize("turn", [LIGHT, DARK])
def test_however_small_the_budget_a_legal_move_comes_back(nodes: int, turn: int) -> None:
    position = Position.start(turn)
    result = search(position, nodes)
    assert is_legal(position, *result.move) and result.line[0] == result.move
    assert result.nodes <= max(nodes, 1) + 1


def test_a_larger_budget_looks_deeper() -> None:
    depths = [search(Position.start(), nodes).depth for nodes in (100, 1_000, 10_000)]
    assert depths[0] < depths[1] < depths[2]
    assert LEVELS[1] < LEVELS[2] < LEVELS[3]


def test_every_move_of_the_expected_line_is_legal() -> None:
    position = Position.start()
    for move in search(position, 3_000).line:
        assert is_legal(position, *move)
        position = after(position, *move)


def test_a_finished_game_has_nothing_to_search() -> None:
    with pytest.raises(ValueError, match="no move"):
        search(parse_position("5P4/10/10/10/10/10/10/10/10/4C5 b 0 30"), 100)


# ---- strength, in small; the large matches are in bench/gambit_strength.py


@pytest.mark.parametrize("seed", range(6))
def test_a_small_search_beats_chance(seed: int) -> None:
    searcher = seed % 2
    position = Position.start((seed // 2) % 2)
    history = [position.key()]
    for ply in range(200):
        if position.turn == searcher:
            move = search(position, 250, history, jitter=seed + 1).move
        else:
            moves = moves_of(position)
            digest = hashlib.sha256(f"{seed} {ply}".encode()).digest()
            move = moves[int.from_bytes(digest[:8], "big") % len(moves)]
        position = after(position, *move)
        history.append(position.key())
        if is_over(position):
            break
    assert winner(position) == searcher
