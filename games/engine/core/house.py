"""What the house does: who plays a seat from now on. These actions stand in the log, so replay knows them.

No seat is ever offered one of them. The gate applies them for the lobby (`play.house_acts`); their actor is no seat.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from .actions import Action, Vocabulary
from .events import Event
from .shapes import may_be_absent

if TYPE_CHECKING:
    from .state import State


@dataclass(frozen=True)
class KeepSeat(Action):
    """A bot plays on in a person's seat, until that person comes back."""

    do: ClassVar[str] = "keep_seat"
    house: ClassVar[bool] = True
    seat: int


@dataclass(frozen=True)
class TakeOver(Action):
    """A bot plays on in the seat of a person who did not answer in time (W3)."""

    do: ClassVar[str] = "take_over"
    house: ClassVar[bool] = True
    seat: int


@dataclass(frozen=True)
class GiveSeatBack(Action):
    """The person whose seat a bot kept plays again."""

    do: ClassVar[str] = "give_seat_back"
    house: ClassVar[bool] = True
    seat: int


@dataclass(frozen=True)
class PassSeatOn(Action):
    """A new person plays in a seat, as all others agreed; what its former player has ordered is forgotten."""

    do: ClassVar[str] = "pass_seat_on"
    house: ClassVar[bool] = True
    seat: int


@dataclass(frozen=True)
class OpenSeat(Action):
    """A guest who lost the link to a seat plays on in another browser."""

    do: ClassVar[str] = "open_seat"
    house: ClassVar[bool] = True
    seat: int
    agreed: bool  # by all other people at the table; if not, nobody refused for days


@dataclass(frozen=True)
class GoOn(Action):
    """A window has stood open long enough: whoever still owes an answer in it is answered for (R4)."""

    do: ClassVar[str] = "go_on"
    house: ClassVar[bool] = True


@dataclass(frozen=True)
class Pause(Action):
    """Everybody at the table agreed to a pause, or to end one: clocks are beside the rules, which only hear of it."""

    do: ClassVar[str] = "pause"
    house: ClassVar[bool] = True
    ends: bool


@dataclass(frozen=True)
class SeatKept(Event):
    says: ClassVar[str] = "A bot plays on for {side}, whose player may come back at any time."
    side: str


@dataclass(frozen=True)
class SeatTakenOver(Event):
    says: ClassVar[str] = "{side} did not answer in time. A bot plays on until their player comes back."
    side: str


@dataclass(frozen=True)
class SeatGivenBack(Event):
    says: ClassVar[str] = "{side}’s player is back."
    side: str


@dataclass(frozen=True)
class SeatPassedOn(Event):
    says: ClassVar[str] = "{side} has a new player, as everybody else at the table agreed."
    side: str


@dataclass(frozen=True)
class SeatOpened(Event):
    says: ClassVar[str] = "{side}’s seat was opened in another browser; everybody else at the table agreed."
    side: str


@dataclass(frozen=True)
class SeatOpenedUnrefused(Event):
    says: ClassVar[str] = "{side}’s seat was opened in another browser; nobody refused for days."
    side: str


@dataclass(frozen=True)
class WentOn(Event):
    """Not for whom: nobody is shown who was asked, nor how many (R4)."""

    says: ClassVar[str] = "The wait for answers is over, and the game goes on."


@dataclass(frozen=True)
class Paused(Event):
    says: ClassVar[str] = "Everybody agreed to a pause. All clocks stand still."


@dataclass(frozen=True)
class PauseEnded(Event):
    says: ClassVar[str] = "Everybody agreed to end the pause."


VOCABULARY = Vocabulary((KeepSeat, TakeOver, GiveSeatBack, PassSeatOn, OpenSeat, GoOn, Pause))
EVENTS: tuple[type[Event], ...] = (
    SeatKept,
    SeatTakenOver,
    SeatGivenBack,
    SeatPassedOn,
    SeatOpened,
    SeatOpenedUnrefused,
    WentOn,
    Paused,
    PauseEnded,
)


@dataclass(kw_only=True)
class Extras:
    """Names and types of a game's extras. One added later needs a default, which stored games are given."""

    bots: list[int] = may_be_absent()
    stewards: list[int] = may_be_absent()
    # Games begun under the first rules recorded no bots, no stand-in for a player who fell silent, and no return. What
    # the table knew of them is written down here (migration 0011). `bots` stays absent, because it would be part of the
    # first link of the hash chain, and `stewards` stays as the log left it.
    older_bots: list[int] = may_be_absent()
    older_stewards: list[int] = may_be_absent()


def bots(state: State) -> tuple[int, ...]:
    """Seats that bots play from the start to the end."""
    return tuple(state.extras.get("bots", state.extras.get("older_bots", ())))


def stewards(state: State) -> tuple[int, ...]:
    """Seats of people in which a bot plays until they come back."""
    return tuple(state.extras.get("older_stewards", state.extras.get("stewards", ())))


STEWARDS = ("stewards", "older_stewards")


def put_steward(state: State, seat: int) -> None:
    """From now on a bot plays in a person's seat."""
    for name in STEWARDS:
        if name == "stewards" or name in state.extras:
            state.extras[name] = sorted({*state.extras.get(name, ()), seat})


def take_steward_away(state: State, seat: int) -> None:
    """From now on the person plays again."""
    for name in STEWARDS:
        if name == "stewards" or name in state.extras:
            state.extras[name] = [each for each in state.extras.get(name, ()) if each != seat]
