"""What can happen in Gambit, in the words of the log."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..core.events import Event


@dataclass(frozen=True)
class Began(Event):
    says: ClassVar[str] = "{seat} moves first."
    rule: ClassVar[str] = "G3"
    seat: int


@dataclass(frozen=True)
class Moved(Event):
    says: ClassVar[str] = "{seat} moves the {piece}: {text}"
    rule: ClassVar[str] = "G6"
    seat: int
    piece: str
    text: str  # the move in notation
    number: int  # the move's number in the list
    source: str
    target: str


@dataclass(frozen=True)
class Took(Event):
    says: ClassVar[str] = "{seat} takes the {piece} on {target}."
    rule: ClassVar[str] = "G4"
    seat: int
    piece: str
    target: str


@dataclass(frozen=True)
class Promoted(Event):
    says: ClassVar[str] = "{seat}’s {piece} becomes a {rank}."
    rule: ClassVar[str] = "G9"
    seat: int
    piece: str
    rank: str


@dataclass(frozen=True)
class DrawOffered(Event):
    says: ClassVar[str] = "{seat} offers a draw."
    rule: ClassVar[str] = "G11"
    seat: int


@dataclass(frozen=True)
class DrawDeclined(Event):
    says: ClassVar[str] = "{seat} declines the draw."
    rule: ClassVar[str] = "G11"
    seat: int


@dataclass(frozen=True)
class TakeBackAsked(Event):
    says: ClassVar[str] = "{seat} asks to take back a move."
    seat: int


@dataclass(frozen=True)
class TakeBackDeclined(Event):
    says: ClassVar[str] = "{seat} does not allow it."
    seat: int


@dataclass(frozen=True)
class TakenBack(Event):
    says: ClassVar[str] = "{seat} allows it: {text} is taken back."
    seat: int
    text: str


@dataclass(frozen=True)
class Won(Event):
    says: ClassVar[str] = "{seat} wins: {how}."
    rule: ClassVar[str] = "G10"
    seat: int
    how: str


@dataclass(frozen=True)
class Drawn(Event):
    says: ClassVar[str] = "The game is a draw: {how}."
    rule: ClassVar[str] = "G11"
    how: str


EVENTS = (
    Began,
    Moved,
    Took,
    Promoted,
    DrawOffered,
    DrawDeclined,
    TakeBackAsked,
    TakeBackDeclined,
    TakenBack,
    Won,
    Drawn,
)
