"""Rules: the contract a game fills in, and the only way to change a State."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from . import house
from .actions import Action, Vocabulary
from .codec import RECORDS, FrameBook, decode, decode_extras, encode
from .dice import Dice, Draw
from .events import EVERYONE, Event, Told
from .flow import run
from .offers import Exactly, Offer
from .plain import plain
from .plans import Moment, Planning
from .refusals import IllegalAction
from .shapes import NO_RENAMES, NewerRules, Renames, Shape, Unreadable, fields_renamed, short
from .state import Counter, Hex, State, rewound
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
    draws: tuple[Draw, ...]
    # Set when the action took earlier ones back: the game goes on from before the action of this number.
    rewind: int | None = None
    # Nobody but the seat that acted may notice anything: neither View nor log nor revision of any other changes (R4).
    silent: bool = False


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
    extras_kind: ClassVar[type[house.Extras]] = house.Extras  # declares what fits no row
    counter_kinds: ClassVar[frozenset[str]] = frozenset()
    terrains: ClassVar[frozenset[str]] = frozenset()
    renames: ClassVar[Renames] = NO_RENAMES
    plans: ClassVar[Planning | None] = None  # none where nothing can be prepared in advance
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

    def setup(
        self, game: str, seats: int, options: Mapping[str, Any], dice: Dice, bots: tuple[int, ...] = ()
    ) -> Progress:
        state = self.state_kind(game=game, options=self.complete(options), dice=dice.copy())
        self.begin(state, seats)
        if bots:
            state.extras["bots"] = list(bots)
        run(state)
        return self._progress(state)

    def usual_options(self, apart: int, pace: str = "") -> Mapping[str, Any]:
        """What fits a table with so many people at devices of their own, where nobody has chosen otherwise.

        `pace` is how they mean to play: live, evening or days; empty if they have not said."""
        return {}

    def complete(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """The table's options with defaults for those it left open; unknown ones and values are refused."""
        known = {option.name: option for option in self.options}
        for name, value in options.items():
            if name not in known:
                raise IllegalAction("bad_option", what=str(name)[:40])
            known[name].check(value)
        return self.with_defaults(options)

    def with_defaults(self, options: Mapping[str, Any]) -> dict[str, Any]:
        return {option.name: options.get(option.name, option.default) for option in self.options}

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

    def window(self, state: State) -> str:
        """Names the window the game stands in, where nobody is shown who is asked (R4); empty if it does not."""
        return ""

    def has_secrets(self, state: State, seats: Collection[int]) -> bool:
        """Whether there is anything by now that one of these seats, who share a device, must not see of another."""
        return True

    def decision(self, state: State, seat: int) -> str:
        """Names the question put to a seat; it changes only when that seat's question does."""
        if seat not in self.asked(state):
            return ""
        top = state.flow[-1]
        return f"{state.era}.{top.serial}.{top.question(state, seat)}"

    def plan_moment(self, state: State, seat: int) -> Moment:
        """What a seat is asked that a plan may answer, and when; as Planning.moment says of its View."""
        return Moment("", 0, "", state.era)

    def check(self, state: State, seat: int | None, action: Action) -> Offer:
        """The offer that holds this action; refused, with the reason, if there is none."""
        if state.result:
            raise IllegalAction("over")
        if action.house:
            return self.check_house(state, seat, action)
        if seat is None:
            raise IllegalAction("not_on_offer")
        for offer in self.all_offers(state).get(seat, ()):
            if action in offer:
                return offer
        for offer in self.asides(state, seat) if seat in state.seats else ():
            if action in offer:
                return offer
        if not action.aside and seat not in self.asked(state):
            raise IllegalAction("not_asked")
        raise state.flow[-1].why_not(state, seat, action)

    def check_house(self, state: State, seat: int | None, action: Action) -> Offer:
        """Only the house takes its actions: for seats that are still in the game, and in a window for all of them."""
        if seat is None and isinstance(action, house.GoOn) and self.window(state):
            return Exactly(action)
        if seat is None and isinstance(action, house.Pause):
            return Exactly(action)
        about = state.seats.get(getattr(action, "seat", -1))
        if seat is not None or about is None or about.out:
            raise IllegalAction("not_on_offer")
        return Exactly(action)

    def apply(self, state: State, seat: int | None, action: Action) -> Progress:
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
        silent = after.result is None and self.is_silent(state, after, action)
        if silent and seat is not None:
            after.silent = {**after.silent, seat: after.silent.get(seat, 0) + 1}
        else:
            after.revision, after.silent = after.revision + 1, {}
        return self._progress(after, silent)

    def is_silent(self, before: State, after: State, action: Action) -> bool:
        """Whether an action has changed nothing that anybody but its seat may know of."""
        return False

    def go_back(self, past: State, now: State) -> State:
        """Go on from an earlier state after `now` asked for it. Who plays the seats does not go back."""
        again = rewound(past, now)
        for name in house.STEWARDS:
            if name in now.extras:
                again.extras[name] = now.extras[name]
        return again

    # ---- the house

    def on_keep_seat(self, state: State, seat: None, action: house.KeepSeat) -> None:
        house.put_steward(state, action.seat)
        state.tell(house.SeatKept(self.seat_names[action.seat]), to=EVERYONE)

    def on_take_over(self, state: State, seat: None, action: house.TakeOver) -> None:
        house.put_steward(state, action.seat)
        state.tell(house.SeatTakenOver(self.seat_names[action.seat]), to=EVERYONE)

    def on_give_seat_back(self, state: State, seat: None, action: house.GiveSeatBack) -> None:
        house.take_steward_away(state, action.seat)
        state.tell(house.SeatGivenBack(self.seat_names[action.seat]), to=EVERYONE)

    def on_pass_seat_on(self, state: State, seat: None, action: house.PassSeatOn) -> None:
        house.take_steward_away(state, action.seat)
        self.forget_person(state, action.seat)
        state.tell(house.SeatPassedOn(self.seat_names[action.seat]), to=EVERYONE)

    def forget_person(self, state: State, seat: int) -> None:
        """Drop what a seat's player has prepared and nobody else is to have, such as standing orders."""

    def on_pause(self, state: State, seat: None, action: house.Pause) -> None:
        state.tell(house.PauseEnded() if action.ends else house.Paused(), to=EVERYONE)

    def on_open_seat(self, state: State, seat: None, action: house.OpenSeat) -> None:
        kind = house.SeatOpened if action.agreed else house.SeatOpenedUnrefused
        state.tell(kind(self.seat_names[action.seat]), to=EVERYONE)

    def parse(self, data: object) -> Action:
        """An action that a player sent."""
        return self.vocabulary.parse(data)

    # ---- reading what is stored

    def decode(self, data: Mapping[str, Any], dice: Dice) -> State:
        return decode(data, self.frames, dice, self.state_kind, self.extras_shape)

    @functools.cached_property
    def extras_shape(self) -> Shape:
        return Shape(self.extras_kind, "the extras", self.renames.extras)

    @functools.cached_property
    def record_shapes(self) -> dict[type[Any], Shape]:
        """Shapes of the records that are rows, with what stored changes call by an older name."""
        renamed = self.renames.record_fields
        return {
            kind: Shape(kind, shape.called, fields_renamed(renamed, kind.__name__.lower()))
            for kind, shape in RECORDS.items()
        }

    @functools.cached_property
    def event_shapes(self) -> dict[str, Shape]:
        renamed = self.renames.event_fields
        return {
            name: Shape(kind, f"the event {name}", fields_renamed(renamed, name))
            for name, kind in self.event_kinds().items()
        }

    def stored_extras(self, data: object) -> dict[str, Any]:
        return decode_extras(data, self.extras_shape)

    def stored_options(self, options: object) -> dict[str, Any]:
        """The options a game was begun with, and defaults for those that did not exist then."""
        if not isinstance(options, Mapping):
            raise Unreadable("the options are not a record")
        known = {option.name: option for option in self.options}
        for name, value in options.items():
            if name not in known:
                raise Unreadable(f"there is no option {short(name)}")
            if not isinstance(value, str) or (known[name].choices and value not in known[name].choices):
                raise Unreadable(f"the option {name} has no such choice")
        return self.with_defaults(options)

    def parse_logged(self, data: object) -> Action:
        """An action of a game's log, the house's included, by the names it has today."""
        if not isinstance(data, Mapping):
            raise Unreadable("an action is not a record")
        do = self.renames.actions.get(str(data.get("do")), data.get("do"))
        names = fields_renamed(self.renames.action_fields, str(do))
        fields = {names.get(name, name): value for name, value in data.items() if names.get(name, name)}
        vocabulary = house.VOCABULARY if do in house.VOCABULARY.kinds else self.vocabulary
        return vocabulary.parse({**fields, "do": do})

    def stored_event(self, data: object) -> tuple[type[Event], dict[str, Any]]:
        """The kind of a told event and all its facts; facts that older games lack get their defaults."""
        if not isinstance(data, Mapping):
            raise Unreadable("an event is not a record")
        name = str(data.get("event"))
        name = self.renames.events.get(name, name)
        if name not in self.event_shapes:
            raise Unreadable(f"there is no event {short(name)}")
        shape = self.event_shapes[name]
        facts = shape.read({key: value for key, value in data.items() if key not in ("to", "event")}, typed=False)
        if len(facts) < len(shape.names):
            made = shape.kind(**facts)
            facts = {each: plain(getattr(made, each)) for each in shape.names}
        return shape.kind, facts

    def check_kinds(self, counters: Mapping[int, Counter], hexes: Mapping[str, Hex]) -> None:
        """Refuse counters and hexes of a kind that the box does not hold."""
        for what, known, found in (
            ("counter", self.counter_kinds, {counter.kind for counter in counters.values()}),
            ("terrain", self.terrains, {each.terrain for each in hexes.values()}),
        ):
            if strange := sorted(map(str, found - known)):
                raise Unreadable(f"there is no {what} {short(strange[0])}")

    def older_ranges(self, stream: str, purpose: str) -> tuple[int, ...]:
        """What an older draw, stored without its range, was drawn below: a die or a coin, if it was thrown."""
        return (6, 2) if stream == "dice" else ()

    def check_version(self, version: str) -> None:
        """Refuse games of newer rules. Games of older rules go on under the rules of today."""
        if not version.isdecimal() or int(version) > int(self.version):
            raise NewerRules(f"its rules are version {short(version)}, those of this site version {self.version}")

    def event_kinds(self) -> dict[str, type[Event]]:
        return {kind.name(): kind for kind in (*self.events, *house.EVENTS)}

    def _progress(self, state: State, silent: bool = False) -> Progress:
        if self.check_codec:
            again = self.decode(encode(state), state.dice)
            assert encode(again) == encode(state), "a state that does not survive storing"
        return Progress(state, tuple(state.told), tuple(state.dice.drawn), state.rewind, silent)
