"""The flow of Gambit: one frame, in which the sides move in turn until it ends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from ..core.actions import Action
from ..core.events import EVERYONE
from ..core.flow import Frame
from ..core.house import stewards
from ..core.offers import Aside, Offer, Reply
from ..core.refusals import IllegalAction
from ..core.state import State
from .actions import AcceptDraw, AllowTakeBack, AskTakeBack, DeclineDraw, DeclineTakeBack, Move, OfferDraw, Resign
from .board import square
from .catalogue import piece_name
from .events import (
    DrawDeclined,
    Drawn,
    DrawOffered,
    Moved,
    Promoted,
    TakeBackAsked,
    TakeBackDeclined,
    TakenBack,
    Took,
    Won,
)
from .moves import QUIET_LIMIT, has_move
from .notation import move_text
from .offers import Moves
from .refusals import why_no_move
from .state import make_move, position_of, times_seen

WAYS_TO_END = {
    "castle": "the Castle has fallen",
    "no_move": "the other side cannot move",
    "resigned": "the other side gave up",
    "repetition": "the same position for the third time",
    "quiet": "a hundred moves each without a capture or a step forward",
    "agreed": "both sides agreed",
}


@dataclass
class Duel(Frame):
    """The sides move in turn, one piece each, until a Castle falls or nobody can win (G3 to G11)."""

    rule: ClassVar[str] = "G3"
    plies: int = 0

    def offers(self, state: State) -> Mapping[int, list[Offer]]:
        turn = state.extras["turn"]
        found: dict[int, list[Offer]] = {seat: self.asides_of(state, seat) for seat in state.seats}
        found[turn].insert(0, Moves.of(position_of(state)))
        return found

    def asides_of(self, state: State, seat: int) -> list[Offer]:
        other = 1 - seat
        found: list[Offer] = []
        if wish(other, "draw") in state.extras["wishes"] and seat not in stewards(state):
            found += [Reply(AcceptDraw()), Reply(DeclineDraw())]
        if wish(other, "take_back") in state.extras["wishes"]:
            found += [Reply(AllowTakeBack()), Reply(DeclineTakeBack())]
        if self.may_offer_draw(state, seat):
            found.append(Aside(OfferDraw()))
        if self.may_wish(state, seat, "take_back") and last_move_of(state, seat):
            found.append(Aside(AskTakeBack()))
        return [*found, Aside(Resign())]

    def may_wish(self, state: State, seat: int, what: str) -> bool:
        """Each wish may be uttered once between two own moves: nobody is to be pestered."""
        return wish(seat, what) not in state.extras["asked_once"]

    def may_offer_draw(self, state: State, seat: int) -> bool:
        """Not while a bot keeps a person's seat: only people agree on an end."""
        standing = wish(1 - seat, "draw") in state.extras["wishes"]
        return self.may_wish(state, seat, "draw") and not standing and not stewards(state)

    def question(self, state: State, seat: int) -> str:
        # The other side's wishes do not change what is asked: a move may always be made instead of an answer.
        return str(self.plies)

    def why_not(self, state: State, seat: int, action: Action) -> IllegalAction:
        if isinstance(action, Move):
            return why_no_move(position_of(state), seat, action)
        if isinstance(action, OfferDraw | AcceptDraw) and stewards(state):
            return IllegalAction("bot_keeps_seat")
        if isinstance(action, OfferDraw) and self.may_wish(state, seat, "draw"):
            return IllegalAction("draw_standing")
        if isinstance(action, AskTakeBack) and not last_move_of(state, seat):
            return IllegalAction("nothing_to_take_back")
        if isinstance(action, OfferDraw | AskTakeBack):
            return IllegalAction("asked_before")
        return IllegalAction("no_such_wish")

    # ---- moving

    def on_move(self, state: State, seat: int, action: Move) -> None:
        before = position_of(state)
        text = move_text(before, square(action.source), square(action.target))
        mover, taken, promoted = make_move(state, action.source, action.target)
        name = piece_name(mover.kind, seat)
        self.plies += 1
        state.tell(Moved(seat, name, text, before.number, action.source, action.target), to=EVERYONE)
        if taken:
            state.tell(Took(seat, piece_name(taken.kind, 1 - seat), action.target), to=EVERYONE)
        if promoted:
            state.tell(Promoted(seat, name, piece_name("knight", seat)), to=EVERYONE)
        state.extras["moved_at"] = [*state.extras["moved_at"][-1:], [seat, state.actions, text]]
        state.extras["asked_once"] = [w for w in state.extras["asked_once"] if not w.startswith(f"{seat}:")]
        # Moving answers whatever the other side wished for, and ends one's own wish to take back.
        state.extras["wishes"] = [w for w in state.extras["wishes"] if w == wish(seat, "draw")]
        self.see_whether_it_ends(state, seat, taken is not None and taken.kind == "castle")

    def see_whether_it_ends(self, state: State, mover: int, castle_fell: bool) -> None:
        """A fallen Castle wins at once (G10); then the draws, then a side that cannot move (G11)."""
        if castle_fell:
            win(state, mover, "castle")
        elif times_seen(state) >= 3:
            draw(state, "repetition")
        elif state.extras["quiet"] >= QUIET_LIMIT:
            draw(state, "quiet")
        elif not has_move(position_of(state)):
            win(state, mover, "no_move")

    # ---- wishes and answers

    def on_offer_draw(self, state: State, seat: int, action: OfferDraw) -> None:
        self.utter(state, seat, "draw")
        state.tell(DrawOffered(seat), to=EVERYONE)

    def on_accept_draw(self, state: State, seat: int, action: AcceptDraw) -> None:
        draw(state, "agreed")

    def on_decline_draw(self, state: State, seat: int, action: DeclineDraw) -> None:
        self.settle(state, 1 - seat, "draw")
        state.tell(DrawDeclined(seat), to=EVERYONE)

    def on_ask_take_back(self, state: State, seat: int, action: AskTakeBack) -> None:
        self.utter(state, seat, "take_back")
        state.tell(TakeBackAsked(seat), to=EVERYONE)

    def on_allow_take_back(self, state: State, seat: int, action: AllowTakeBack) -> None:
        """The game goes on from before the asker's last move; what came after it is taken back as well."""
        move = last_move_of(state, 1 - seat)
        assert move is not None
        _, number, text = move
        state.tell(TakenBack(seat, text), to=EVERYONE)
        state.rewind = number - 1

    def on_decline_take_back(self, state: State, seat: int, action: DeclineTakeBack) -> None:
        self.settle(state, 1 - seat, "take_back")
        state.tell(TakeBackDeclined(seat), to=EVERYONE)

    def on_resign(self, state: State, seat: int, action: Resign) -> None:
        win(state, 1 - seat, "resigned")

    def utter(self, state: State, seat: int, what: str) -> None:
        state.extras["wishes"] = [*state.extras["wishes"], wish(seat, what)]
        state.extras["asked_once"] = [*state.extras["asked_once"], wish(seat, what)]

    def settle(self, state: State, seat: int, what: str) -> None:
        state.extras["wishes"] = [w for w in state.extras["wishes"] if w != wish(seat, what)]


def wish(seat: int, what: str) -> str:
    return f"{seat}:{what}"


def last_move_of(state: State, seat: int) -> Any:
    """[seat, action number, notation] of a seat's last move, if it is among the last two."""
    return next((move for move in reversed(state.extras["moved_at"]) if move[0] == seat), None)


def win(state: State, seat: int, how: str) -> None:
    state.tell(Won(seat, WAYS_TO_END[how]), to=EVERYONE)
    state.end([seat], how)


def draw(state: State, how: str) -> None:
    state.tell(Drawn(WAYS_TO_END[how]), to=EVERYONE)
    state.end([], how)
