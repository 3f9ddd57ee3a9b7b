"""Why a move of Gambit is refused, as exactly as can be said."""

from __future__ import annotations

from ..core.refusals import IllegalAction, Reason, reasons
from .actions import Move
from .board import NUMBERS, Position, square
from .catalogue import piece_name

reasons(
    no_such_square=Reason("There is no square {where} on this board.", "G1"),
    empty_square=Reason("There is no piece on {where}.", "G4"),
    not_your_piece=Reason("The {piece} on {where} is not yours.", "G4"),
    own_piece=Reason("Your own {piece} stands on {where}.", "G4"),
    castle_stays=Reason("The Castle never moves.", "G10"),
    too_small=Reason("A {piece} is too small to take the {giant} on {where}.", "G8"),
    not_its_move=Reason(
        "The {piece} on {source} cannot reach {target}: it does not move that way, or the way is blocked.", "G6"
    ),
    draw_standing=Reason("There is already a draw offer to be answered.", "G11"),
    asked_before=Reason("You have asked for that since your last move; move first, then you may ask again.", "G11"),
    no_such_wish=Reason("There is nothing of the kind to answer."),
    nothing_to_take_back=Reason("You have made no move that could be taken back."),
    bad_position=Reason("This is not a position to start from: {what}.", "G13"),
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
    return IllegalAction("not_its_move", piece=piece_name(*piece), source=move.source, target=move.target)
