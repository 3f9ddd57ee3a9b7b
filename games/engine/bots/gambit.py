"""The searcher at the table: from what its seat sees to a move."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.actions import Action
from ..core.dice import Dice
from ..core.offers import Offer
from ..core.view import View
from ..gambit.actions import AcceptDraw, AllowTakeBack, DeclineDraw, Move
from ..gambit.board import Position, name
from ..gambit.notation import parse_position
from ..gambit.view import GambitView
from .base import Level
from .gambit_search import LEVELS, search
from .simple import AnyLegal

# A draw is welcome to a bot that thinks itself this much behind (in hundredths of a Soldier).
DRAW_WHEN_BEHIND = -150


class Searcher:
    """Looks ahead as far as its budget of nodes goes."""

    def __init__(self, level: int) -> None:
        self.nodes = LEVELS[level]

    def choose(self, view: View, offers: Sequence[Offer], dice: Dice) -> Action:
        assert isinstance(view, GambitView) and view.seat is not None
        offered = {offer.do for offer in offers}
        # Nothing is lost by letting a person take a move back against a machine.
        if AllowTakeBack.do in offered:
            return AllowTakeBack()
        position = parse_position(view.position)
        found = search(position, self.nodes, seen_before(view), jitter=dice.pick("jitter", 1 << 16))
        score = found.score if view.turn == view.seat else -found.score
        if AcceptDraw.do in offered and score <= DRAW_WHEN_BEHIND:
            return AcceptDraw()
        if view.turn != view.seat:
            return DeclineDraw()
        source, target = found.move
        return Move(name(source), name(target))


def seen_before(view: GambitView) -> list[bytes]:
    return [key_of(text) for text in view.seen]


def key_of(text: str) -> bytes:
    position: Position = parse_position(f"{text} 0 1")
    return position.key()


BOTS = (
    Level("random", "Wanderer", "Makes random moves. Good for a first look at the pieces.", AnyLegal()),
    Level("1", "Squire", "Looks a move or two ahead and captures what is unprotected.", Searcher(1)),
    Level("2", "Knight", "Thinks for about a second and punishes mistakes.", Searcher(2)),
    Level("3", "Marshal", "Thinks for about three seconds and plans ahead.", Searcher(3)),
)
