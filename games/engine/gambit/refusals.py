"""Why a move of Gambit is refused, as exactly as can be said."""

from __future__ import annotations

from ..core.refusals import IllegalAction, Reason, reasons
from .actions import Move
from .board import NUMBERS, Position, name, square
from .catalogue import FORWARD, KIND, piece_name
from .moves import line_from

reasons(
    no_such_square=Reason("There is no square {where} on this board. Squares run from a1 to j10.", "G1"),
    empty_square=Reason("There is no piece on {where}.", "G4"),
    not_your_piece=Reason("The {piece} on {where} is not yours.", "G4"),
    own_piece=Reason("You can’t move to {where}: your own {piece} is there.", "G4"),
    castle_stays=Reason("The Castle can’t move. Choose another piece.", "G10"),
    too_small=Reason("The {piece} is too small to take the {giant} on {where}.", "G8"),
    in_its_way=Reason("The {piece} on {source} can’t reach {target}: the {other} on {where} is in its way.", "G4"),
    two_steps_take_nothing=Reason(
        "The {piece} can’t capture with two steps: they must end on an empty square, and {target} isn’t one.", "G5"
    ),
    not_its_move=Reason("The {piece} on {source} can’t reach {target}: it doesn’t move that way.", "G4"),
    draw_standing=Reason("A draw offer is already waiting for an answer.", "G11"),
    bot_keeps_seat=Reason("A bot is playing for somebody here, and only people can agree on a draw.", "G11"),
    asked_before=Reason(
        "You have already asked since your last move. Make a move first; then you can ask again.", "G11"
    ),
    no_such_wish=Reason("There is no request to answer."),
    nothing_to_take_back=Reason("You have no move to take back."),
    bad_position=Reason("A game can’t start from this position: {what}.", "G13"),
)


def why_no_move(position: Position, side: int, move: Move) -> IllegalAction:
    for where in (move.source, move.target):
        if where not in NUMBERS:
            return IllegalAction("no_such_square", where=where)
    piece, there = position.piece_at(square(move.source)), position.piece_at(square(move.target))
    if piece is None:
        return IllegalAction("empty_square", where=move.source)
    if piece[1] != side:
        return IllegalAction("not_your_piece", piece=piece_name(*piece), where=move.source)
    if position.turn != side:
        return IllegalAction("not_asked")
    if piece[0] == "castle":
        return IllegalAction("castle_stays")
    if there and there[1] == side:
        return IllegalAction("own_piece", piece=piece_name(*there), where=move.target)
    if there and there[0] == "giant" and piece[0] in ("soldier", "elf"):
        return IllegalAction("too_small", piece=piece_name(*piece), giant=piece_name(*there), where=move.target)
    names = {"piece": piece_name(*piece), "source": move.source, "target": move.target}
    blocker = in_its_way(position, piece[0], side, move)
    if blocker is not None:
        other = position.piece_at(blocker)
        assert other is not None
        return IllegalAction("in_its_way", **names, other=piece_name(*other), where=name(blocker))
    if piece[0] == "soldier" and square(move.target) in line_from(square(move.source), DOUBLE_STEP, side):
        return IllegalAction("two_steps_take_nothing", **names)
    return IllegalAction("not_its_move", **names)


DOUBLE_STEP = (FORWARD, FORWARD)


def in_its_way(position: Position, kind: str, side: int, move: Move) -> int | None:
    """The piece that keeps a move from its target, if the way there is one of the kind's own (G4)."""
    paths = (*KIND[kind].paths, DOUBLE_STEP) if kind == "soldier" else KIND[kind].paths
    for path in paths:
        line = line_from(square(move.source), path, side)
        if square(move.target) in line:
            way = line[: line.index(square(move.target))]
            return next((place for place in way if stops(position, kind, place)), None)
    return None


def stops(position: Position, kind: str, place: int) -> bool:
    there = position.piece_at(place)
    return there is not None and (there[0] == "giant" or not KIND[kind].flies)
