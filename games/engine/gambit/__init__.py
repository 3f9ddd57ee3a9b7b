"""Gambit of Kings: a duel on a board of ten by ten. GAMBIT points the contract at the files beside this one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..core.codec import FrameBook
from ..core.dice import Dice
from ..core.events import EVERYONE
from ..core.refusals import IllegalAction
from ..core.rules import Option, Rules
from ..core.state import Seat, State
from ..core.view import View
from .actions import VOCABULARY
from .board import Position
from .catalogue import KIND
from .events import EVENTS, Began
from .flow import Duel
from .moves import has_move, winner
from .notation import NotationError, parse_position
from .state import GambitExtras, lay_out
from .view import GambitView, view

LIGHT = Option(
    "light",
    "Who plays light",
    {"random": "Random", "host": "The host", "guest": "The other player"},
    default="random",
    help="Light is the king’s army, dark the exiled king’s. Which side moves first is random.",
)


def start_position(text: str) -> Position:
    """A position a game can start from: both Castles stand, and whoever is to move can."""
    try:
        position = parse_position(text)
    except NotationError as error:
        raise IllegalAction("bad_position", what=error.sentence.rstrip(".")) from error
    if winner(position) is not None or not has_move(position):
        raise IllegalAction("bad_position", what="the game would be over before it began")
    return position


POSITION = Option(
    "position",
    "Start from a position",
    {},
    default="",
    help="One line of text (see the rules, G13). Leave it empty for the standard set-up.",
    check_text=start_position,
)


class Gambit(Rules):
    slug = "gambit"
    name = "Gambit of Kings"
    version = "1"
    players = range(2, 3)
    seat_names = ("Light", "Dark")
    endings = {
        "castle": "the Castle fell",
        "no_move": "no move was left",
        "resigned": "by resignation",
        "repetition": "by repetition",
        "quiet": "a hundred quiet moves",
        "agreed": "by agreement",
    }
    options = (LIGHT, POSITION)
    hides_something = False
    vocabulary = VOCABULARY
    frames = FrameBook((Duel,))
    events = EVENTS
    extras_kind = GambitExtras
    counter_kinds = frozenset(KIND)

    def seating(self, players: int, options: Mapping[str, Any], dice: Dice) -> tuple[int, ...]:
        """Seat 0 plays light; who that is, the table has chosen (G14)."""
        light = options.get("light", LIGHT.default)
        if light == "random":
            light = ("host", "guest")[dice.throw("who plays light", sides=2)[0] - 1]
        return (0, 1) if light == "host" else (1, 0)

    def rematch_options(self, options: Mapping[str, Any], first: int) -> dict[str, Any]:
        """Where the table had chosen who plays light, the return game changes sides; a lot is drawn anew."""
        if options["light"] == "random":
            return dict(options)
        return {**options, "light": "guest" if first == 0 else "host"}

    def begin(self, state: State, seats: int) -> None:
        """The set-up of G2, or a position the table chose; a random side moves first (G3)."""
        for number in range(seats):
            state.seats[number] = Seat(number)
        if text := state.options["position"]:
            position = start_position(text)
        else:
            position = Position.start(state.dice.throw("who moves first", sides=2)[0] - 1)
        lay_out(state, position)
        state.tell(Began(position.turn), to=EVERYONE)
        state.call(Duel())

    def view(self, state: State, seat: int | None) -> GambitView:
        return view(self, state, seat)

    def scramble(self, state: State, seat: int | None, dice: Dice) -> State:
        """Nothing on the board is hidden; only the dice to come are."""
        twin = state.copy()
        twin.dice = Dice(*dice.keys, numbers=state.dice.numbers)
        return twin

    def imagine(self, view: View, dice: Dice) -> State:
        """The very position: there is nothing to guess."""
        assert isinstance(view, GambitView)
        state = State(game="imagined", options=dict(view.options), dice=dice.copy())
        for number in range(2):
            state.seats[number] = Seat(number)
        lay_out(state, parse_position(view.position))
        state.extras["seen"] = list(view.seen)
        state.call(Duel())
        return state


GAMBIT = Gambit()
