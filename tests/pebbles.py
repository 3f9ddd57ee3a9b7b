"""Pebbles: a third game, for tests only. Two players take one or two of seven pebbles; whoever takes the last one wins.

It has rules, one bot and an entry, and nothing else: whatever page it has is one that any game gets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from games.engine.bots.base import Level
from games.engine.core.actions import Action, Vocabulary
from games.engine.core.codec import FrameBook
from games.engine.core.dice import Dice
from games.engine.core.events import EVERYONE, Event
from games.engine.core.flow import Frame
from games.engine.core.house import Extras
from games.engine.core.offers import Aside, Offer, OneOf
from games.engine.core.rules import Rules
from games.engine.core.state import Seat, State
from games.engine.core.view import SeatView, View
from games.registry import Entry, QuickStart

PEBBLES_AT_FIRST = 7


@dataclass(frozen=True)
class Take(Action):
    do: ClassVar[str] = "take"
    count: int


@dataclass(frozen=True)
class Resign(Action):
    do: ClassVar[str] = "resign"
    aside: ClassVar[bool] = True


@dataclass(frozen=True)
class Took(Event):
    says: ClassVar[str] = "{seat} takes {count}."
    seat: int
    count: int


@dataclass(kw_only=True)
class PebblesExtras(Extras):
    pile: int
    turn: int


@dataclass
class Taking(Frame):
    """The players take pebbles in turn."""

    def offers(self, state: State) -> Mapping[int, list[Offer]]:
        found: dict[int, list[Offer]] = {seat: [Aside(Resign())] for seat in state.seats}
        counts = tuple(count for count in (1, 2) if count <= state.extras["pile"])
        found[state.extras["turn"]].insert(0, OneOf(Take, "count", counts))
        return found

    def on_take(self, state: State, seat: int, action: Take) -> None:
        state.extras["pile"] -= action.count
        state.extras["turn"] = 1 - seat
        state.tell(Took(seat, action.count), to=EVERYONE)
        if not state.extras["pile"]:
            state.end([seat], "last")

    def on_resign(self, state: State, seat: int, action: Resign) -> None:
        state.end([1 - seat], "resigned")


@dataclass(frozen=True)
class PebblesView(View):
    pile: int


class Pebbles(Rules):
    slug = "pebbles"
    name = "Pebbles & Stones"
    version = "1"
    players = range(2, 3)
    seat_names = ("First", "Second")
    endings = {"last": "the last pebble", "resigned": "by resignation"}
    hides_something = False
    vocabulary = Vocabulary((Take, Resign))
    frames = FrameBook((Taking,))
    events = (Took,)
    extras_kind = PebblesExtras

    def begin(self, state: State, seats: int) -> None:
        state.seats |= {number: Seat(number) for number in range(seats)}
        state.extras |= {"pile": PEBBLES_AT_FIRST, "turn": 0}
        state.call(Taking())

    def view(self, state: State, seat: int | None) -> PebblesView:
        return PebblesView(
            ruleset=self.slug,
            seat=seat,
            revision=state.revision,
            silent=0,
            options=dict(state.options),
            seats=tuple(map(SeatView, sorted(state.seats))),
            asked=self.asked(state),
            decision="" if seat is None else self.decision(state, seat),
            offers=() if seat is None else tuple(self.offers(state, seat)),
            counters=(),
            result=state.result,
            pile=state.extras["pile"],
        )


class TakesOne:
    def choose(self, view: View, offers: Sequence[Offer], dice: Dice) -> Action:
        return Take(1)


ENTRY = Entry(
    rules=Pebbles(),
    bots=(Level("one", "Pebbler", "Takes one pebble at a time.", TakesOne()),),
    stand_in="one",
    quick_start=QuickStart("one"),
)
