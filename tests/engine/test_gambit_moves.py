"""Every movement rule of Gambit of Kings, G1 to G11, one test each."""

import pytest

from games.engine.gambit.board import Position, name, square, squares_in
from games.engine.gambit.catalogue import DARK, KIND, KINDS, LIGHT, piece_name
from games.engine.gambit.moves import (
    QUIET_LIMIT,
    after,
    captured,
    castle_threats,
    has_move,
    is_legal,
    is_over,
    is_promotion,
    perft,
    targets,
    winner,
)

LETTERS = {kind.letter: kind.slug for kind in KINDS if kind.slug != "promoted"} | {"N+": "promoted"}


def board(pieces: str, turn: int = LIGHT, quiet: int = 0, number: int = 1) -> Position:
    """A position from words like `Se4 te5 N+a1`; Castles stand on j1 and a10 unless given."""
    placed = []
    for word in pieces.split():
        letters, where = (word[:2], word[2:]) if word[1] == "+" else (word[0], word[1:])
        placed.append((square(where), LETTERS[letters.upper()], DARK if letters[0].islower() else LIGHT))
    for side, where in ((LIGHT, "j1"), (DARK, "a10")):
        if ("castle", side) not in [(kind, owner) for _, kind, owner in placed]:
            placed.append((square(where), "castle", side))
    return Position.of(placed, turn, quiet, number)


def reach(position: Position, source: str) -> set[str]:
    """The names of the squares the piece on `source` may go to."""
    for place, mask in targets(position):
        if place == square(source):
            return {name(target) for target in squares_in(mask)}
    return set()


def move(position: Position, source: str, target: str) -> Position:
    assert is_legal(position, square(source), square(target))
    return after(position, square(source), square(target))


def words(text: str) -> set[str]:
    return set(text.split())


# ---- G1, G2, G3: board, set-up, directions


def test_squares_are_numbered_from_a1_along_the_rows() -> None:
    assert [square(text) for text in ("a1", "b1", "j1", "a2", "e5", "a10", "j10")] == [
        0,
        1,
        9,
        10,
        44,
        90,
        99,
    ]
    assert all(square(name(number)) == number for number in range(100))


@pytest.mark.parametrize("text", ["", "a", "a0", "a11", "k1", "A1", "a01", " a1", "1a"])
def test_a_square_that_is_not_on_the_board_has_no_number(text: str) -> None:
    with pytest.raises(KeyError):
        square(text)


@pytest.mark.parametrize(
    ("row", "side", "names"),
    [
        (1, LIGHT, "Knight Lion Griffin Giant Castle Paladin Giant Griffin Lion Knight"),
        (2, LIGHT, "Soldier Elf Soldier Elf Soldier Elf Soldier Elf Soldier Elf"),
        (9, DARK, "Orc Skeleton Orc Skeleton Orc Skeleton Orc Skeleton Orc Skeleton"),
        (10, DARK, "Death_Knight Dire_Wolf Dragon Ogre Lich Castle Ogre Dragon Dire_Wolf Death_Knight"),
    ],
)
def test_the_set_up_is_that_of_the_rule_book(row: int, side: int, names: str) -> None:
    start = Position.start()
    found = [start.piece_at(square(f"{column}{row}")) for column in "abcdefghij"]
    assert [piece and piece[1] for piece in found] == [side] * 10
    assert [piece and piece_name(*piece).replace(" ", "_") for piece in found] == names.split()


def test_rows_three_to_eight_start_empty() -> None:
    assert not any(Position.start().piece_at(place) for place in range(square("a3"), square("a9")))
    assert len(list(Position.start().pieces())) == 40


def test_the_set_up_is_the_same_seen_from_either_side() -> None:
    pieces = set(Position.start().pieces())
    assert {(99 - place, kind, 1 - side) for place, kind, side in pieces} == pieces


@pytest.mark.parametrize("turn", [LIGHT, DARK])
def test_either_side_may_begin(turn: int) -> None:
    start = Position.start(turn)
    assert {start.piece_at(place) and start.piece_at(place)[1] for place, _ in targets(start)} == {turn}
    assert after(start, *first_move(start)).turn == 1 - turn


def first_move(position: Position) -> tuple[int, int]:
    source, mask = targets(position)[0]
    return source, next(squares_in(mask))


def test_light_and_dark_pieces_have_their_own_names() -> None:
    assert [kind.light for kind in KINDS] == [piece_name(kind.slug, LIGHT) for kind in KINDS]
    assert piece_name("promoted", DARK) == piece_name("knight", DARK) == "Death Knight"
    assert [kind.slug for kind in KINDS if not kind.greater] == ["soldier", "elf"]


# ---- G4: nobody jumps but Griffin and Dragon


@pytest.mark.parametrize("letter", ["S", "E", "N", "L", "G", "T", "P", "N+"])
def test_no_piece_moves_onto_its_own_side(letter: str) -> None:
    crowd = " ".join(f"S{c}{r}" for c in "bcdefgh" for r in range(2, 9) if (c, r) != ("e", 5))
    position = board(f"{letter}e5 {crowd}")
    assert reach(position, "e5") & words(crowd.replace("S", "")) == set()


def test_a_slider_stops_on_the_first_piece_it_takes() -> None:
    assert reach(board("Pa1 sa4 sa6 Sb1 Sb2"), "a1") == words("a2 a3 a4")
    assert reach(board("Na1 sa3 sa4 Sb1 Sb2"), "a1") == words("a2 a3")
    assert reach(board("Ea1 sb2 sc3"), "a1") == words("b2")
    assert reach(board("Ta1 sa2 Sb1 Sb2"), "a1") == words("a2")


def test_a_slider_stops_before_its_own_piece() -> None:
    assert reach(board("Pa1 Sa4 Sb1 Sb2"), "a1") == words("a2 a3")
    assert reach(board("Ea1 Sc3"), "a1") == words("b2")


def test_the_griffin_jumps_over_pieces_of_both_sides() -> None:
    position = board("Ge5 Se6 se7 Nd5 nc5 Lf5 Sg5 pe4 Pe3")
    assert reach(position, "e5") == words("e7 e8 c5 b5 h5 e4 e2")


def test_the_griffin_does_not_jump_a_giant_of_its_own_side() -> None:
    assert reach(board("Ge5 Te6 Td5 Tf5 Te4"), "e5") == set()
    assert reach(board("Ge5 Te7 Td5 Tf5 Te4"), "e5") == words("e6")


def test_the_griffin_takes_an_ogre_but_does_not_jump_it() -> None:
    assert reach(board("Ge5 te6 tc5 Tf5 Te4"), "e5") == words("e6 d5 c5")


def test_the_dragon_is_stopped_by_giants_and_ogres_too() -> None:
    assert reach(board("ge5 te6 Tc5 sf5 Te3", DARK), "e5") == words("d5 c5 g5 h5 e4 e3")


# ---- G5: Soldier and Skeleton


def test_the_soldier_steps_sideways_or_forward_or_two_forward() -> None:
    assert reach(board("Se5"), "e5") == words("d5 f5 e6 e7")


def test_forward_is_down_for_the_skeleton() -> None:
    assert reach(board("se5", DARK), "e5") == words("d5 f5 e4 e3")


def test_the_soldier_takes_sideways_and_forward() -> None:
    assert reach(board("Se5 sd5 sf5 se6"), "e5") == words("d5 f5 e6")


def test_the_soldier_never_moves_backward_or_diagonally() -> None:
    assert reach(board("Se5 sd6 sf6 sd4 se4 sf4"), "e5") == words("d5 f5 e6 e7")


def test_the_double_step_does_not_jump() -> None:
    assert reach(board("Se5 se6"), "e5") == words("d5 f5 e6")
    assert reach(board("Se5 Se6"), "e5") == words("d5 f5")


def test_the_double_step_never_takes() -> None:
    assert reach(board("Se5 se7"), "e5") == words("d5 f5 e6")
    assert reach(board("Se5 Se7"), "e5") == words("d5 f5 e6")


@pytest.mark.parametrize("row", range(1, 9))
def test_the_double_step_can_be_made_from_any_row(row: int) -> None:
    assert f"e{row + 2}" in reach(board(f"Se{row}"), f"e{row}")
    assert f"e{9 - row}" in reach(board(f"se{11 - row}", DARK), f"e{11 - row}")


def test_there_is_no_double_step_off_the_board() -> None:
    assert reach(board("Se9"), "e9") == words("d9 f9 e10")
    assert reach(board("Se10 N+a1 N+a2"), "e10") == words("d10 f10")
    assert reach(board("se1 n+a9 n+b9", DARK), "e1") == words("d1 f1")


# ---- G6: Elf, Knight, Griffin, Paladin


def test_the_elf_goes_one_or_two_on_any_diagonal() -> None:
    assert reach(board("Ee5"), "e5") == words("d6 c7 f6 g7 d4 c3 f4 g3")
    assert reach(board("ee5", DARK), "e5") == words("d6 c7 f6 g7 d4 c3 f4 g3")


def test_the_elf_stops_at_the_edge() -> None:
    assert reach(board("Ej5"), "j5") == words("i6 h7 i4 h3")
    assert reach(board("Ei10"), "i10") == words("j9 h9 g8")


@pytest.mark.parametrize("letter", ["N", "N+"])
def test_the_knight_goes_up_to_three_in_eight_directions(letter: str) -> None:
    straight = "e6 e7 e8 e4 e3 e2 d5 c5 b5 f5 g5 h5"
    diagonal = "f6 g7 h8 d6 c7 b8 f4 g3 h2 d4 c3 b2"
    assert reach(board(f"{letter}e5"), "e5") == words(straight) | words(diagonal)


def test_the_griffin_goes_up_to_three_along_row_or_column() -> None:
    assert reach(board("Ge5"), "e5") == words("e6 e7 e8 e4 e3 e2 d5 c5 b5 f5 g5 h5")
    assert reach(board("Ga2"), "a2") == words("a3 a4 a5 a1 b2 c2 d2")


def test_the_paladin_goes_any_distance_in_eight_directions() -> None:
    position = board("Pa1 Cj9")
    column = {f"a{row}" for row in range(2, 11)}
    row = {f"{letter}1" for letter in "bcdefghij"}
    diagonal = {f"{letter}{number}" for number, letter in enumerate("abcdefghij", start=1)} - {"a1"}
    assert reach(position, "a1") == column | row | diagonal
    assert len(reach(board("pe5", DARK), "e5")) == 9 + 9 + 9 + 8


# ---- G7: Lion and Dire Wolf


def test_the_lion_steps_straight_then_up_to_two_outward_diagonally() -> None:
    straight = "e6 e4 d5 f5"
    one_more = "d7 f7 d3 f3 c6 c4 g6 g4"
    two_more = "c8 g8 c2 g2 b7 b3 h7 h3"
    assert reach(board("Le5"), "e5") == words(straight) | words(one_more) | words(two_more)
    assert reach(board("le5", DARK), "e5") == words(straight) | words(one_more) | words(two_more)


def test_the_lion_goes_on_only_from_an_empty_first_square() -> None:
    assert reach(board("Le5 Se6 Sd5 Sf5"), "e5") == words("e4 d3 f3 c2 g2")


def test_the_lion_that_takes_on_its_first_square_stops_there() -> None:
    assert reach(board("Le5 se6 sd5 sf5"), "e5") == words("e6 d5 f5 e4 d3 f3 c2 g2")


def test_the_lion_does_not_jump_on_its_diagonal() -> None:
    assert reach(board("Le5 Sd7 sf7 Sd5 Sf5 Se4"), "e5") == words("e6 f7")
    assert reach(board("Le5 sc8 Sg8 Sd5 Sf5 Se4"), "e5") == words("e6 d7 f7 c8")


def test_the_lion_at_the_edge_keeps_to_the_board() -> None:
    assert reach(board("La1"), "a1") == words("a2 b3 c4 b1 c2 d3")
    assert reach(board("Lj9 Sj8"), "j9") == words("j10 i9 h8 g7 h10")


# ---- G8: Giant and Ogre


def test_the_giant_goes_up_to_three_sideways_forward_or_diagonally_forward() -> None:
    assert reach(board("Te5"), "e5") == words("d5 c5 b5 f5 g5 h5 e6 e7 e8 d6 c7 b8 f6 g7 h8")


def test_the_ogre_faces_the_other_way() -> None:
    assert reach(board("te5", DARK), "e5") == words("d5 c5 b5 f5 g5 h5 e4 e3 e2 d4 c3 b2 f4 g3 h2")


def test_the_giant_never_moves_backward_even_to_take() -> None:
    assert reach(board("Te5 sd4 se4 sf4"), "e5") & words("d4 e4 f4") == set()


@pytest.mark.parametrize(("lesser", "where"), [("S", "e4"), ("S", "d5"), ("E", "d4"), ("E", "g7")])
def test_a_lesser_piece_cannot_take_an_ogre(lesser: str, where: str) -> None:
    assert "e5" not in reach(board(f"{lesser}{where} te5"), where)
    assert "e5" in reach(board(f"{lesser}{where} pe5"), where)


@pytest.mark.parametrize(("lesser", "where"), [("s", "e6"), ("e", "d6")])
def test_skeleton_and_orc_cannot_take_a_giant(lesser: str, where: str) -> None:
    assert "e5" not in reach(board(f"{lesser}{where} Te5", DARK), where)
    assert "e5" in reach(board(f"{lesser}{where} Pe5", DARK), where)


def test_an_elf_does_not_pass_an_ogre_either() -> None:
    assert reach(board("Ea1 tb2"), "a1") == set()


@pytest.mark.parametrize("greater", ["Ne4", "N+e4", "Le4", "Ge4", "Te4", "Pe4"])
def test_a_greater_piece_takes_an_ogre(greater: str) -> None:
    position = board(f"{greater} te5 tj9")
    assert "e5" in reach(position, "e4")
    again = move(position, "e4", "e5")
    assert again == Position.of(again.pieces(), again.turn, again.quiet, again.number)
    giants = {name(place) for place, kind, _ in again.pieces() if kind == "giant"}
    assert {name(place) for place in squares_in(again.giants)} == giants


def test_a_giant_that_has_moved_on_no_longer_stops_a_dragon() -> None:
    position = move(board("Te5 ge6"), "e5", "f5")
    assert "e3" in reach(position, "e6")


def test_a_taken_giant_no_longer_stops_a_griffin() -> None:
    position = board("te5 Pe2 Gd5 sh9")
    assert "f5" not in reach(position, "d5")
    position = move(move(position, "e2", "e5"), "h9", "h8")
    assert "f5" in reach(position, "d5")


# ---- G9: promotion


def promoted(position: Position) -> int:
    return sum(1 for _, kind, _ in position.pieces() if kind == "promoted")


@pytest.mark.parametrize("prey", ["n", "n+", "l", "g", "p"])
def test_a_soldier_that_takes_a_greater_piece_becomes_a_knight(prey: str) -> None:
    position = board(f"Se5 {prey}e6")
    assert is_promotion(position, square("e5"), square("e6"))
    assert move(position, "e5", "e6").piece_at(square("e6")) == ("promoted", LIGHT)


def test_a_skeleton_that_takes_a_greater_piece_becomes_a_death_knight() -> None:
    position = board("se5 Le4", DARK)
    assert move(position, "e5", "e4").piece_at(square("e4")) == ("promoted", DARK)


@pytest.mark.parametrize("prey", ["s", "e"])
def test_a_soldier_that_takes_a_lesser_piece_stays_a_soldier(prey: str) -> None:
    position = board(f"Se5 {prey}e6")
    assert not is_promotion(position, square("e5"), square("e6"))
    assert move(position, "e5", "e6").piece_at(square("e6")) == ("soldier", LIGHT)


@pytest.mark.parametrize(
    ("pieces", "turn", "source", "target"),
    [
        ("Se9", LIGHT, "e9", "e10"),
        ("Se8", LIGHT, "e8", "e10"),
        ("Se9 se10", LIGHT, "e9", "e10"),
        ("se2", DARK, "e2", "e1"),
        ("se3", DARK, "e3", "e1"),
    ],
)
def test_a_soldier_that_reaches_the_far_row_is_promoted(pieces: str, turn: int, source: str, target: str) -> None:
    assert is_promotion(board(pieces, turn), square(source), square(target))
    assert move(board(pieces, turn), source, target).piece_at(square(target)) == ("promoted", turn)


def test_a_soldier_on_its_own_back_row_is_not_promoted() -> None:
    assert not is_promotion(board("Sa1"), square("a1"), square("b1"))
    assert not is_promotion(board("sc10", DARK), square("c10"), square("d10"))


def test_a_sideways_move_on_the_far_row_promotes() -> None:
    assert move(board("Se10"), "e10", "d10").piece_at(square("d10")) == ("promoted", LIGHT)
    assert move(board("se1", DARK), "e1", "d1").piece_at(square("d1")) == ("promoted", DARK)


def test_a_third_promoted_piece_is_not_made() -> None:
    position = board("Se9 N+a1 N+a2 ld9")
    assert not is_promotion(position, square("e9"), square("e10"))
    assert move(position, "e9", "e10").piece_at(square("e10")) == ("soldier", LIGHT)
    assert move(position, "e9", "d9").piece_at(square("d9")) == ("soldier", LIGHT)


def test_only_promoted_pieces_of_the_own_side_count_for_the_limit() -> None:
    assert is_promotion(board("Se9 N+a1 Na2 Nb1 n+c3 n+d4"), square("e9"), square("e10"))


def test_a_soldier_left_on_the_far_row_qualifies_again_when_a_promoted_piece_is_gone() -> None:
    position = board("Se10 N+a1 N+a2 pb3")
    assert not is_promotion(position, square("e10"), square("d10"))
    position = move(move(position, "e10", "d10"), "b3", "a2")
    assert is_promotion(position, square("d10"), square("c10"))
    assert promoted(move(position, "d10", "c10")) == 2


@pytest.mark.parametrize("other", ["E", "N", "L", "G", "T", "P"])
def test_only_soldiers_are_promoted(other: str) -> None:
    position = board(f"{other}e9 lf10 le10 ld10 lf9")
    for target in reach(position, "e9"):
        assert not is_promotion(position, square("e9"), square(target))
        assert promoted(move(position, "e9", target)) == 0


def test_a_promoted_piece_counts_as_greater() -> None:
    assert KIND["promoted"].greater
    assert is_promotion(board("Se5 n+e6"), square("e5"), square("e6"))


def test_taking_the_castle_counts_as_taking_a_greater_piece() -> None:
    position = board("Se5 ce6")
    assert is_promotion(position, square("e5"), square("e6"))


# ---- G10: the Castle


def test_the_castle_cannot_move() -> None:
    assert reach(board("Ce5"), "e5") == set()
    assert reach(board("ce5", DARK), "e5") == set()


def test_taking_the_castle_wins_and_ends_the_game() -> None:
    position = board("Pa5")
    assert winner(position) is None and not is_over(position)
    position = move(position, "a5", "a10")
    assert winner(position) == LIGHT and is_over(position)
    assert targets(position) == []
    assert winner(move(board("pj5", DARK), "j5", "j1")) == DARK


def test_a_lesser_piece_may_take_the_castle() -> None:
    assert winner(move(board("Eb9"), "b9", "a10")) == LIGHT


def test_a_move_that_leaves_the_castle_open_is_legal() -> None:
    position = board("Sj2 pj9 Pa1")
    assert reach(position, "j2") == words("i2 j3 j4")
    assert winner(move(move(position, "j2", "i2"), "j9", "j1")) == DARK


@pytest.mark.parametrize("turn", [LIGHT, DARK])
def test_threats_to_a_castle_are_seen_whoever_is_to_move(turn: int) -> None:
    position = board("pj9 ei2 gj4 sj3 si1 Pa5 Na7 Sb10 Lc9", turn)
    assert [name(place) for place in castle_threats(position, LIGHT)] == ["i1", "i2", "j4"]
    assert [name(place) for place in castle_threats(position, DARK)] == ["a7", "c9", "b10"]
    assert castle_threats(Position.start(turn), LIGHT) == castle_threats(Position.start(turn), DARK) == []


def test_a_castle_that_is_gone_is_not_threatened() -> None:
    position = move(board("Pa5"), "a5", "a10")
    assert castle_threats(position, DARK) == []


# ---- G11: no move, quiet moves, repetition


def test_a_side_walled_in_by_giants_has_no_move() -> None:
    position = board("se5 Td5 Tf5 Te4", DARK)
    assert not has_move(position) and is_over(position)
    assert winner(position) is None
    assert has_move(board("se5 Td5 Tf5 Te3", DARK))


def test_a_side_with_nothing_but_its_castle_has_no_move() -> None:
    assert not has_move(board("", LIGHT))


@pytest.mark.parametrize(
    ("pieces", "source", "target", "quiet"),
    [
        ("Se5", "e5", "e6", 0),
        ("Se5", "e5", "e7", 0),
        ("Se5", "e5", "d5", 8),
        ("Se5 sd5", "e5", "d5", 0),
        ("Ee5", "e5", "f6", 8),
        ("Ee5 sf6", "e5", "f6", 0),
        ("Pe5", "e5", "e6", 8),
        ("Pe5 ne8", "e5", "e8", 0),
        ("Se10", "e10", "d10", 8),
    ],
)
def test_captures_and_forward_soldier_moves_are_not_quiet(pieces: str, source: str, target: str, quiet: int) -> None:
    assert move(board(pieces, quiet=7), source, target).quiet == quiet


def test_a_forward_skeleton_move_is_not_quiet() -> None:
    assert move(board("se5", DARK, quiet=7), "e5", "e4").quiet == 0
    assert move(board("se5", DARK, quiet=7), "e5", "f5").quiet == 8


def test_a_hundred_quiet_moves_by_each_side_end_the_game() -> None:
    assert QUIET_LIMIT == 200
    position = board("Pe5 pe8", quiet=QUIET_LIMIT - 1)
    assert not is_over(position)
    assert is_over(move(position, "e5", "f5"))
    assert not is_over(move(board("Pe5 pe8 sa5", quiet=QUIET_LIMIT - 1), "e5", "e8"))


def test_the_move_number_rises_after_dark_has_moved() -> None:
    position = board("Pe5 pe8", number=4)
    position = move(position, "e5", "f5")
    assert (position.turn, position.number) == (DARK, 4)
    position = move(position, "e8", "f8")
    assert (position.turn, position.number) == (LIGHT, 5)


def test_repetition_compares_pieces_and_side_to_move_only() -> None:
    assert board("Pe5").key() == board("Pe5", quiet=9, number=30).key()
    assert board("Pe5").key() != board("Pe5", DARK).key()
    assert board("Pe5").key() != board("Pe6").key()
    assert board("Pe5").key() != board("pe5").key()


def test_repetition_compares_the_promoted_mark() -> None:
    assert board("Ne5").key() != board("N+e5").key()


def test_shuffling_back_and_forth_brings_the_same_key_back() -> None:
    position = first = Position.start()
    for source, target in (("c1", "c3"), ("c10", "c8"), ("c3", "c1"), ("c8", "c10")):
        position = move(position, source, target)
    assert position.key() == first.key()
    assert position != first and position.quiet == 4


# ---- positions as values


def test_a_move_leaves_the_position_it_starts_from_alone() -> None:
    position = Position.start()
    for source, mask in targets(position):
        for target in squares_in(mask):
            after(position, source, target)
    assert position == Position.start() and hash(position) == hash(Position.start())
    assert (position.light, position.dark) == (Position.start().light, Position.start().dark)


def test_a_position_is_rebuilt_from_its_pieces() -> None:
    position = board("Se5 te7 N+c3", DARK, 12, 40)
    assert Position.of(position.pieces(), DARK, 12, 40) == position
    assert position != "no position"


def test_two_pieces_cannot_share_a_square() -> None:
    with pytest.raises(ValueError, match="e5"):
        Position.of([(44, "elf", LIGHT), (44, "giant", DARK)])


def test_what_a_move_takes_is_told_by_kind() -> None:
    position = board("Ne5 n+e6")
    assert captured(position, square("e5"), square("e6")) == "promoted"
    assert captured(position, square("e5"), square("d5")) is None


# ---- G14: counts


def test_a_count_of_no_moves_is_one() -> None:
    assert perft(Position.start(), 0) == 1


def test_a_branch_that_ended_before_the_last_ply_counts_nothing() -> None:
    position = board("Eb9 sj9")
    assert reach(position, "b9") == words("a10 c10 a8 c8 d7")
    assert perft(position, 1) == 5
    others = [move(position, "b9", target) for target in reach(position, "b9") - {"a10"}]
    assert perft(position, 2) == sum(perft(each, 1) for each in others)


def test_a_side_without_a_move_counts_nothing() -> None:
    assert perft(board("se5 Td5 Tf5 Te4", DARK), 1) == 0


def test_a_drawn_branch_counts_nothing() -> None:
    assert perft(board("Pe5 pe8", quiet=QUIET_LIMIT), 1) == 0
