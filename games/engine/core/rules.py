"""Rules: the contract a game fills in, and the only way to change a State."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from .actions import Action, Vocabulary
from .codec import FrameBook, decode, encode
from .dice import Dice
from .events import Event, Told
from .flow import run
from .offers import Offer
from .refusals import IllegalAction
from .state import State, rewound
from .view import View

LONGEST_OPTION = 200


@dataclass(frozen=True)
class Option:
    """A choice the table makes before the start."""

    name: str
    label: str
    choices: Mapping[str, str]  # value -> what it means; none for a free text
    default: str
    help: str = ""
    check_text: Callable[[str], object] | None = None  # raises IllegalAction on a text that will not do

    def check(self, value: object) -> None:
        if self.check_text and isinstance(value, str) and len(value) <= LONGEST_OPTION:
            if value != self.default:
                self.check_text(value)
        elif not isinstance(value, str) or value not in self.choices:
            raise IllegalAction("bad_option", what=self.label)


@dataclass(frozen=True)
class Progress:
    """What one action led to."""

    state: State
    told: tuple[Told, ...]
    draws: tuple[tuple[str, str, int], ...]
    # Set when the action took earlier ones back: the game goes on from before the action of this number.
    rewind: int | None = None


class Rules:
    """One game. Subclasses fill in the class attributes, `begin` and `view`; frames do the rest."""

    slug: ClassVar[str]
    name: ClassVar[str]
    version: ClassVar[str]
    players: ClassVar[range]
    seat_names: ClassVar[tuple[str, ...]]
    endings: ClassVar[Mapping[str, str]] = {}  # how a game can end -> a word or two for lists of finished games
    options: ClassVar[tuple[Option, ...]] = ()
    # Where nothing is hidden a game may go back further than the last die, if everybody agrees.
    hides_something: ClassVar[bool] = True
    vocabulary: ClassVar[Vocabulary]
    frames: ClassVar[FrameBook]
    events: ClassVar[tuple[type[Event], ...]]
    state_kind: ClassVar[type[State]] = State
    check_codec: ClassVar[bool] = False  # tests and debug switch this on: every state must survive storing

    # ---- what a game fills in

    def begin(self, state: State, seats: int) -> None:
        """Lay out the box and call the first frame."""
        raise NotImplementedError

    def view(self, state: State, seat: int | None) -> View:
        """What this seat, or a spectator, may know; built field by field."""
        raise NotImplementedError

    def seating(self, players: int, options: Mapping[str, Any], dice: Dice) -> tuple[int, ...]:
        """The seat each player gets, in the order they sit in the lobby, host first."""
        return tuple(range(players))

    def rematch_options(self, options: Mapping[str, Any], first: int) -> dict[str, Any]:
        """The options of a return game; `first` is the seat of whoever will be first in its lobby."""
        return dict(options)

    def asides(self, state: State, seat: int) -> list[Offer]:
        """What a seat may do beside any question."""
        return []

    def scramble(self, state: State, seat: int | None, dice: Dice) -> State:
        """Everything hidden from this seat dealt anew; its View must not change by a byte."""
        raise NotImplementedError

    def imagine(self, view: View, dice: Dice) -> State:
        """Some state that fits what a View shows, for bots to think in."""
        raise NotImplementedError

    # ---- what all games share

    def setup(self, game: str, seats: int, options: Mapping[str, Any], dice: Dice) -> Progress:
        state = self.state_kind(game=game, options=self.complete(options), dice=dice.copy())
        self.begin(state, seats)
        run(state)
        return self._progress(state)

    def usual_options(self, apart: int) -> Mapping[str, Any]:
        """What fits a table with so many people at devices of their own, where nobody has chosen otherwise."""
        return {}

    def complete(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """The table's options with defaults for those it left open; unknown ones and values are refused."""
        known = {option.name: option for option in self.options}
        for name, value in options.items():
            if name not in known:
                raise IllegalAction("bad_option", what=str(name)[:40])
            known[name].check(value)
        return {name: options.get(name, option.default) for name, option in known.items()}

    def all_offers(self, state: State) -> Mapping[int, list[Offer]]:
        if state.offered is None:
            state.offered = state.flow[-1].offers(state) if state.flow else {}
        return state.offered

    def offers(self, state: State, seat: int) -> list[Offer]:
        """Everything this seat may do now."""
        if state.result or seat not in state.seats:
            return []
        return [*self.all_offers(state).get(seat, ()), *self.asides(state, seat)]

    def asked(self, state: State) -> tuple[int, ...]:
        """The seats the game waits for."""
        if state.result:
            return ()
        if "asked" not in state.cache or state.offered is None:
            offered = sorted(self.all_offers(state).items())
            state.cache["asked"] = tuple(s for s, offers in offered if any(not offer.aside for offer in offers))
        asked: tuple[int, ...] = state.cache["asked"]
        return asked

    def asked_openly(self, state: State, seat: int | None = None) -> tuple[int, ...]:
        """Those of them whom a viewer is shown; a spectator, if no seat is named."""
        return self.asked(state)

    def has_secrets(self, state: State) -> bool:
        """Whether anybody has anything by now that the others may not see."""
        return True

    def decision(self, state: State, seat: int) -> str:
        """Names the question put to a seat; it changes only when that seat's question does."""
        if seat not in self.asked(state):
            return ""
        top = state.flow[-1]
        return f"{state.era}.{top.serial}.{top.question(state, seat)}"

    def check(self, state: State, seat: int, action: Action) -> Offer:
        """The offer that holds this action; refused, with the reason, if there is none."""
        if state.result:
            raise IllegalAction("over")
        for offer in self.all_offers(state).get(seat, ()):
            if action in offer:
                return offer
        for offer in self.asides(state, seat) if seat in state.seats else ():
            if action in offer:
                return offer
        if not action.aside and seat not in self.asked(state):
            raise IllegalAction("not_asked")
        raise state.flow[-1].why_not(state, seat, action)

    def apply(self, state: State, seat: int, action: Action) -> Progress:
        """The state after the action, and what happened. Trusts that the action is on offer; leaves its input alone."""
        after = state.copy()
        after.actions += 1
        top = after.flow[-1]
        handler = getattr(top, "on_" + action.do, None)
        if handler is not None:
            top.answers += 1
            handler(after, seat, action)
        else:
            getattr(self, "on_" + action.do)(after, seat, action)
        if after.result is None:
            run(after)
        return self._progress(after)

    def go_back(self, past: State, now: State) -> State:
        """Go on from an earlier state after `now` asked for it."""
        return rewound(past, now)

    def decode(self, data: Mapping[str, Any], dice: Dice) -> State:
        return decode(data, self.frames, dice, self.state_kind)

    def parse(self, data: object) -> Action:
        return self.vocabulary.parse(data)

    def event_kinds(self) -> dict[str, type[Event]]:
        return {kind.name(): kind for kind in self.events}

    def _progress(self, state: State) -> Progress:
        if self.check_codec:
            again = self.decode(encode(state), state.dice)
            assert encode(again) == encode(state), "a state that does not survive storing"
        return Progress(state, tuple(state.told), tuple(state.dice.drawn), state.rewind)
