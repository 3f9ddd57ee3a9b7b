"""What frames of Kings & Things* share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from ...core.actions import Action
from ...core.events import Event
from ...core.flow import Frame
from ...core.house import bots
from ...core.offers import Offer
from ...core.refusals import IllegalAction
from ...core.state import State
from ..no_choice import NoChoice
from ..orders import hides_choices
from ..refusals import why_not
from ..state import KingsState

Offers = Mapping[int, list[Offer]]


@dataclass
class KingsFrame(Frame):
    """A frame whose refusals are explained from what its seats were offered."""

    ends_by_word: ClassVar[bool] = False  # among bots a person ends it by saying so, not by their last possible action
    asking: ClassVar[str] = ""  # what a seat is being asked, as a code for pages and bots

    def why_not(self, state: KingsState, seat: int, action: Action) -> IllegalAction:
        return why_not(state, seat, action, self.offers(state).get(seat, []), self.asks(state, seat))

    def asks(self, state: KingsState, seat: int) -> str:
        return self.asking

    def shown(self, state: KingsState) -> dict[str, Any]:
        """What everybody may know of this procedure; never a secret answer."""
        return {}

    def sealed_by(self, seat: int) -> dict[str, str]:
        """Counters in this seat's own answer, by tag, and where they go once everybody has answered (S5)."""
        return {}

    def keep_answers_of(self, seat: int | None) -> None:
        """Forget what all other seats have answered under seal: a twin of the state, to this seat (C1)."""

    def aim_of(self, state: KingsState, played: Any) -> Event | None:
        """What everybody hears an item called from here is played on, before anybody may answer it (R1)."""
        return None

    def foregone(self, state: KingsState, offered: Offers) -> tuple[int, Action] | None:
        """The only answer there is, where its being taken as given tells nobody anything (R3)."""
        for seat, offers in offered.items():
            only = offers[0].only if len(offers) == 1 else None
            if only is None or hides_choices(state, seat) or self.has_more_beside(state, seat):
                continue
            if not self.may_regret(state, seat):
                return seat, only
        return None

    def may_regret(self, state: KingsState, seat: int) -> bool:
        """Whether a person who has acted here says themselves that they are done: once a bot has acted, nothing can be
        taken back any more, and bots act at once."""
        return self.ends_by_word and self.answers > 0 and bool(bots(state)) and seat not in bots(state)

    def explain(self, state: KingsState, seat: int) -> None:
        why = self.why_no_choice(state, seat)
        if why is not None:
            tell_why(state, seat, why)

    def why_no_choice(self, state: KingsState, seat: int) -> NoChoice | None:
        """What to tell a seat that is not asked here; nothing where nobody would wonder, as in reactions (R3)."""
        return None

    def has_more_beside(self, state: KingsState, seat: int) -> bool:
        """Whether something done beside the question would open another answer: cashing in brings gold (T2)."""
        price = self.price_of_more(state)
        treasures = sum(kind.gold for kind in map(state.kind, state.rack(seat)) if kind.sort == "treasure")
        return bool(treasures) and state.seats[seat].gold < price <= state.seats[seat].gold + treasures

    def price_of_more(self, state: KingsState) -> int:
        """The gold with which there would be something to choose; 0 where gold opens nothing."""
        return 0

    def let_pass(self, state: KingsState, seat: int) -> None:
        """Nothing more comes from this seat in the battle: what it is asked here is passed, if it can be (R2)."""

    def reconsider(self, state: KingsState) -> None:
        """Something was done beside the question that may change it."""

    def abandoned_by(self, state: KingsState, seat: int) -> bool:
        """Whether this procedure ends when a seat leaves the game (W3)."""
        return getattr(self, "seat", None) == seat

    def forget(self, state: KingsState, seat: int) -> None:
        """Go on without a seat that has left the game."""


@dataclass
class InTurn(KingsFrame):
    """Something each living player does once, in player order (3.1)."""

    waiting: list[int] = field(default_factory=list)
    steps: ClassVar[tuple[str, ...]] = ("gather", "each", "finish")

    def gather(self, state: KingsState) -> None:
        self.waiting = list(state.order)

    def each(self, state: KingsState) -> None:
        while self.waiting:
            seat = self.waiting.pop(0)
            if not state.seats[seat].out:
                self.next = "each"
                self.turn_of(state, seat)
                return

    def turn_of(self, state: KingsState, seat: int) -> None:
        raise NotImplementedError

    def finish(self, state: KingsState) -> None:
        """After the last player."""

    def forget(self, state: KingsState, seat: int) -> None:
        self.waiting = [other for other in self.waiting if other != seat]


@dataclass
class Together(KingsFrame):
    """A question put to several seats at once; each answers without seeing the others' answers."""

    pending: list[int] = field(default_factory=list)
    rounds: int = 0

    def offers(self, state: KingsState) -> Offers:
        return {seat: self.offers_to(state, seat) for seat in self.pending}

    def offers_to(self, state: KingsState, seat: int) -> list[Offer]:
        raise NotImplementedError

    def question(self, state: KingsState, seat: int) -> str:
        return f"{self.rounds}"

    def answered(self, seat: int) -> None:
        self.pending = [other for other in self.pending if other != seat]

    def forget(self, state: KingsState, seat: int) -> None:
        self.answered(seat)


@dataclass
class OnesPart(KingsFrame):
    """What one player does in a phase. Whoever could do nothing in all of it is told why."""

    seat: int = 0

    def leave(self, state: State, result: Any = None) -> None:
        assert isinstance(state, KingsState)
        if not self.answers:
            self.explain(state, self.seat)
        super().leave(state, result)


def tell_why(state: KingsState, seat: int, why: NoChoice) -> None:
    """Nobody else hears it; bots need no explanation."""
    if seat not in bots(state):
        state.tell(why, to=seat)


def frame_named(state: KingsState, *names: str) -> Any:
    """The uppermost frame of one of these names, or None."""
    return next((frame for frame in reversed(state.flow) if frame.name() in names), None)
