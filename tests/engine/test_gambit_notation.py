"""Moves, positions and games as text (G12, G13): what is written is read back, all else is refused."""

import hashlib
from collections.abc import Iterator

import pytest

from games.engine.gambit.board import Position, square, squares_in
from games.engine.gambit.catalogue import DARK, LIGHT
from games.engine.gambit.moves import QUIET_LIMIT, after, is_over, targets, winner
from games.engine.gambit.notation import (
    NotationError,
    game_text,
    move_text,
    parse_game,
    parse_move,
    parse_position,
    position_text,
)

START = "nlgtpctgln/eseseseses/10/10/10/10/10/10/SESESESESE/NLGTCPTGLN w 0 1"
STUDY = "5c4/2S2e4/4n+5/10/3N+6/10/10/1t8/10/4C5 b 17 42"


def between(source: str, target: str) -> tuple[int, int]:
    return square(source), square(target)


def random_game(seed: int, plies: int = 120) -> Iterator[tuple[Position, tuple[int, int]]]:
    """Positions and the moves made in them, the same for the same seed."""
    position = Position.start(seed % 2)
    for ply in range(plies):
        if is_over(position):
            return
        moves = sorted((a, b) for a, mask in targets(position) for b in squares_in(mask))
        digest = hashlib.sha256(f"{seed} {ply}".encode()).digest()
        move = moves[int.from_bytes(digest[:8], "big") % len(moves)]
        yield position, move
        position = after(position, *move)


# ---- G13: positions


def test_the_set_up_is_written_in_one_line() -> None:
    assert position_text(Position.start()) == START
    assert position_text(Position.start(DARK)) == START.replace(" w ", " b ")


@pytest.mark.parametrize("text", [START, STUDY, "c9/10/10/10/10/10/10/10/10/9C w 200 99999"])
def test_a_position_reads_back_as_it_was_written(text: str) -> None:
    assert position_text(parse_position(text)) == text


def test_upper_case_is_light_and_a_plus_marks_the_promoted() -> None:
    position = parse_position(STUDY)
    assert position.piece_at(square("d6")) == ("promoted", LIGHT)
    assert position.piece_at(square("e8")) == ("promoted", DARK)
    assert position.piece_at(square("b3")) == ("giant", DARK)
    assert (position.turn, position.quiet, position.number) == (DARK, 17, 42)


@pytest.mark.parametrize("seed", range(6))
def test_every_position_and_move_of_a_random_game_reads_back(seed: int) -> None:
    for position, (source, target) in random_game(seed):
        assert parse_position(position_text(position)) == position
        assert parse_move(position, move_text(position, source, target)) == (source, target)


def test_a_position_whose_side_to_move_has_lost_its_castle_is_a_finished_one() -> None:
    position = parse_position("5P4/10/10/10/10/10/10/10/10/4C5 b 0 30")
    assert is_over(position) and targets(position) == []


ROWS = "5c4/10/10/10/10/10/10/10/10/4C5"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "position_shape"),
        (ROWS, "position_shape"),
        (f"{ROWS} w 0", "position_shape"),
        (f"{ROWS} w 0 1 ", "position_shape"),
        (f" {ROWS} w 0 1", "position_shape"),
        (f"{ROWS}  w 0 1", "position_shape"),
        (f"{ROWS}\tw 0 1", "position_shape"),
        (f"{ROWS} w 0 1 2", "position_shape"),
        (f"{ROWS} W 0 1", "position_turn"),
        (f"{ROWS} l 0 1", "position_turn"),
        (f"{ROWS} wb 0 1", "position_turn"),
        (f"{ROWS} w -1 1", "position_count"),
        (f"{ROWS} w 201 1", "position_count"),
        (f"{ROWS} w 00 1", "position_count"),
        (f"{ROWS} w x 1", "position_count"),
        (f"{ROWS} w ² 1", "position_count"),
        (f"{ROWS} w ٣ 1", "position_count"),
        (f"{ROWS} w 0 0", "position_count"),
        (f"{ROWS} w 0 01", "position_count"),
        (f"{ROWS} w 0 1.5", "position_count"),
        (f"{ROWS} w 0 1\n", "position_count"),
        (f"{ROWS} w 0 {'9' * 5000}", "position_count"),
        ("5c4/10/10/10/10/10/10/10/4C5 w 0 1", "position_rows"),
        (f"{ROWS}/10 w 0 1", "position_rows"),
        ("5c4//10/10/10/10/10/10/10/4C5 w 0 1", "position_row"),
        ("5c4/9/10/10/10/10/10/10/10/4C5 w 0 1", "position_row"),
        ("5c4/SSSSSSSSSSS/10/10/10/10/10/10/10/4C5 w 0 1", "position_row"),
        ("5c4/10S/10/10/10/10/10/10/10/4C5 w 0 1", "position_row"),
        ("5c4/55/10/10/10/10/10/10/10/4C5 w 0 1", "position_gap"),
        ("5c4/1S0S7/10/10/10/10/10/10/10/4C5 w 0 1", "position_letter"),
        ("5c4/9K/10/10/10/10/10/10/10/4C5 w 0 1", "position_letter"),
        ("5c4/9+/10/10/10/10/10/10/10/4C5 w 0 1", "position_letter"),
        ("5c4/8S+/10/10/10/10/10/10/10/4C5 w 0 1", "position_letter"),
        ("5c4/8N++/10/10/10/10/10/10/10/4C5 w 0 1", "position_letter"),
        ("5c4/9٣/10/10/10/10/10/10/10/4C5 w 0 1", "position_letter"),
        ("5c4/9ſ/10/10/10/10/10/10/10/4C5 w 0 1", "position_letter"),
        ("10/10/10/10/10/10/10/10/10/10 w 0 1", "position_castles"),
        ("10/10/10/10/10/10/10/10/10/4C5 w 0 1", "position_castles"),
        ("5c4/10/10/10/10/10/10/10/10/10 b 0 1", "position_castles"),
        ("5c4/10/10/10/10/10/10/10/10/3CC5 w 0 1", "position_castles"),
        ("4cc4/10/10/10/10/10/10/10/10/4C5 w 0 1", "position_castles"),
        ("5c4/N+N+N+7/10/10/10/10/10/10/10/4C5 w 0 1", "position_promoted"),
        ("5c4/n+n+n+7/10/10/10/10/10/10/10/4C5 w 0 1", "position_promoted"),
    ],
)
def test_a_malformed_position_is_refused(text: str, code: str) -> None:
    with pytest.raises(NotationError) as refusal:
        parse_position(text)
    assert refusal.value.code == code
    assert refusal.value.sentence.endswith(".") and "\n" not in refusal.value.sentence
    assert len(refusal.value.sentence) < 150


def test_a_refusal_names_the_row() -> None:
    with pytest.raises(NotationError, match="Row 9 has 9 squares instead of 10"):
        parse_position("5c4/9/10/10/10/10/10/10/10/4C5 w 0 1")


# ---- G12: moves


@pytest.mark.parametrize(
    ("text", "source", "target", "written"),
    [
        (START, "a2", "a4", "Sa2-a4"),
        (START, "c1", "c3", "Gc1-c3"),
        ("5c4/10/10/10/10/4s5/4P5/10/10/4C5 w 0 1", "e4", "e5", "Pe4xe5"),
        ("5c4/S9/10/10/10/10/10/10/10/4C5 w 0 1", "a9", "a10", "Sa9-a10=N"),
        ("5c4/Sl8/10/10/10/10/10/10/10/4C5 w 0 1", "a9", "b9", "Sa9xb9=N"),
        ("5c4/SlN+N+6/10/10/10/10/10/10/10/4C5 w 0 1", "a9", "b9", "Sa9xb9"),
        ("5c4/10/10/10/10/10/10/10/n+s8/4C5 b 0 1", "a2", "a5", "Na2-a5"),
        ("5c4/10/10/10/10/10/10/10/n+s8/4C5 b 0 1", "b2", "b1", "Sb2-b1=N"),
        ("5c4/4E5/10/10/10/10/10/10/10/4C5 w 0 1", "e9", "f10", "Ee9xf10"),
        ("5c4/10/10/10/10/10/10/10/10/T3C5 w 0 1", "a1", "d4", "Ta1-d4"),
    ],
)
def test_a_move_is_written_with_letter_squares_sign_and_promotion(
    text: str, source: str, target: str, written: str
) -> None:
    position = parse_position(text)
    assert move_text(position, *between(source, target)) == written
    assert parse_move(position, written) == between(source, target)


def test_an_empty_square_has_no_move_to_write() -> None:
    with pytest.raises(ValueError, match="e5"):
        move_text(Position.start(), *between("e5", "e6"))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "move_shape"),
        ("a2-a4", "move_shape"),
        ("Sa2a4", "move_shape"),
        ("Sa2-a4 ", "move_shape"),
        ("Sa2-a4\n", "move_shape"),
        ("sa2-a4", "move_shape"),
        ("Sa2-a04", "move_shape"),
        ("Sa2-a11", "move_shape"),
        ("Sa0-a1", "move_shape"),
        ("Sk2-k3", "move_shape"),
        ("Sa2-a4=P", "move_shape"),
        ("S" * 10_000, "move_shape"),
        ("Sa5-a6", "move_source"),
        ("Eb9-b8", "move_source"),
        ("Ea2-a4", "move_letter"),
        ("Na2-a4", "move_letter"),
        ("Sa2-a5", "move_illegal"),
        ("Sa2-b3", "move_illegal"),
        ("Ce1-e2", "move_illegal"),
        ("Sa2xa4", "move_marks"),
        ("Sa2-a4=N", "move_marks"),
    ],
)
def test_a_wrong_move_is_refused(text: str, code: str) -> None:
    with pytest.raises(NotationError) as refusal:
        parse_move(Position.start(), text)
    assert refusal.value.code == code
    assert "\n" not in refusal.value.sentence and len(refusal.value.sentence) < 150


def test_a_promotion_must_be_written() -> None:
    position = parse_position("5c4/S9/10/10/10/10/10/10/10/4C5 w 0 1")
    with pytest.raises(NotationError, match="this move is written Sa9-a10=N"):
        parse_move(position, "Sa9-a10")


# ---- games


@pytest.mark.parametrize("seed", range(4))
def test_a_game_reads_back_as_it_was_written(seed: int) -> None:
    played = list(random_game(seed))
    start, moves = played[0][0], [move for _, move in played]
    final = after(played[-1][0], *moves[-1])
    result = {None: "*", LIGHT: "1-0", DARK: "0-1"}[winner(final)]
    text = game_text(moves, {"Light": "Ann", "Dark": 'B"o\\b'}, start, result)
    record = parse_game(text)
    assert (record.start, list(record.moves), record.result) == (start, moves, result)
    assert record.tags["Light"] == "Ann" and record.tags["Dark"] == 'B"o\\b'
    assert record.final == final
    assert max(len(line) for line in text.splitlines()) <= 100


def test_a_game_is_tag_lines_then_numbered_moves_then_the_result() -> None:
    moves = [between("a2", "a4"), between("a9", "b8"), between("a4", "a6")]
    expected = '[Game "Gambit of Kings"]\n[Light "Ann"]\n\n1. Sa2-a4 Ea9-b8 2. Sa4-a6 *\n'
    assert game_text(moves, {"Light": "Ann"}) == expected
    assert parse_game(expected.replace("\n", "\r\n")).moves == tuple(moves)


def test_a_game_that_dark_begins_has_dots_for_light() -> None:
    text = game_text([between("b9", "b7"), between("a2", "a4")], {}, Position.start(DARK))
    assert "1... Sb9-b7 2. Sa2-a4 *" in text
    assert f'[Position "{START.replace(" w ", " b ")}"]' in text
    assert parse_game(text).start == Position.start(DARK)


def test_a_game_without_moves_is_a_game() -> None:
    assert parse_game(game_text([], {}, result="1/2-1/2")).moves == ()


def test_unprintable_letters_in_a_tag_become_spaces() -> None:
    assert parse_game(game_text([], {"Light": "A\nn\x00n\u2028"})).tags["Light"] == "A n n "


def test_a_tag_needs_a_plain_name_and_a_result_must_be_one() -> None:
    with pytest.raises(ValueError, match="no name"):
        game_text([], {"a b": "c"})
    with pytest.raises(ValueError, match="no such result"):
        game_text([], {}, result="2-0")


HEAD = '[Game "Gambit of Kings"]\n'
NEAR_END = "5c4/3P6/10/10/10/10/4p5/10/10/4C5"


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("", "game_tag", "Gambit of Kings"),
        ("1. Sa2-a4 *", "game_tag", "Gambit of Kings"),
        ('[Game "Chess"]\n\n*', "game_tag", "Gambit of Kings"),
        ("[Game Gambit of Kings]\n\n*", "game_tag", "Line 1"),
        (HEAD + '[Light "A"n"]\n\n*', "game_tag", "Line 2"),
        (HEAD + '[Light "A\\n"]\n\n*', "game_tag", "Line 2"),
        (HEAD + '[Light "A"]\n[Light "B"]\n\n*', "game_tag", "second time"),
        (HEAD + '[Position "rubbish"]\n\n*', "position_shape", "four parts"),
        (HEAD, "game_result", "ends with its result"),
        (HEAD + "\n1. Sa2-a4", "game_result", "ends with its result"),
        (HEAD + "\nSa2-a4 *", "game_number", "Move 1 of light"),
        (HEAD + "\n2. Sa2-a4 *", "game_number", "Move 1 of light"),
        (HEAD + "\n1... Sa2-a4 *", "game_number", "Move 1 of light"),
        (HEAD + "\n1. 1. Sa2-a4 *", "game_number", "Move 1 of light"),
        (HEAD + "\n1. *", "game_number", "Move 1 of light"),
        (HEAD + "\n1. Sa2-a4 1... Ea9-b8 *", "game_number", "Move 1 of dark"),
        (HEAD + "\n1. Sa2-a4 Ea9-b8 Sa4-a6 *", "game_number", "Move 2 of light"),
        (HEAD + "\n1. Sa2-a4 Ea9-b8 2. Sa4-a7 *", "move_illegal", "Move 2 of light"),
        (HEAD + "\n1. Sa2-a4 Sa9-b8 *", "move_letter", "Move 1 of dark"),
        (HEAD + "\n1. * Sa2-a4 *", "move_shape", "Move 1 of light"),
        (HEAD + f'[Position "{NEAR_END} w 0 9"]\n\n9. Pd9xf10 *', "move_illegal", "Move 9 of light"),
        (HEAD + f'[Position "{NEAR_END} b 0 9"]\n\n9... Pe4xe1 *', "game_result", "end in 0-1"),
        (HEAD + f'[Position "{NEAR_END} b 0 9"]\n\n9... Pe4xe1 1-0', "game_result", "end in 0-1"),
        (
            HEAD + f'[Position "{NEAR_END} b 0 9"]\n\n9... Pe4xe1 10. Pd9-d8 0-1',
            "game_over",
            "Move 10 of light",
        ),
        (HEAD + f'[Position "{NEAR_END} w 199 9"]\n\n9. Pd9-d8 1-0', "game_result", "end in 1/2-1/2"),
        (HEAD + f'[Position "{NEAR_END} w 199 9"]\n\n9. Pd9-d8 Pe4xe1 0-1', "game_over", "Move 9 of dark"),
    ],
)
def test_a_malformed_game_is_refused_with_the_place(text: str, code: str, words: str) -> None:
    with pytest.raises(NotationError, match=words) as refusal:
        parse_game(text)
    assert refusal.value.code == code


def test_the_third_repetition_ends_a_game() -> None:
    there = "Gc1-c3 Gc10-c8", "Gc3-c1 Gc8-c10"
    pairs = [f"{number}. {there[(number - 1) % 2]}" for number in range(1, 5)]
    drawn = HEAD + "\n" + " ".join(pairs)
    assert parse_game(f"{drawn} 1/2-1/2").result == "1/2-1/2"
    with pytest.raises(NotationError, match="end in 1/2-1/2"):
        parse_game(f"{drawn} *")
    with pytest.raises(NotationError, match="Move 5 of light: the game is over"):
        parse_game(f"{drawn} 5. Sa2-a4 *")


def test_a_side_that_cannot_move_has_lost() -> None:
    text = HEAD + '[Position "9c/10/10/10/10/3TsT4/10/4T5/10/4C5 w 5 9"]\n\n9. Te3-e4'
    assert parse_game(f"{text} 1-0").result == "1-0"
    with pytest.raises(NotationError, match="end in 1-0"):
        parse_game(f"{text} *")


def test_quiet_counts_run_to_the_limit_in_text() -> None:
    assert parse_position(f"{ROWS} w {QUIET_LIMIT} 300").quiet == QUIET_LIMIT
