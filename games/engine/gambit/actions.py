"""What a player of Gambit can send."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..core.actions import Action, Vocabulary


@dataclass(frozen=True)
class Move(Action):
    """Move the piece on one square to another."""

    do: ClassVar[str] = "move"
    source: str
    target: str


@dataclass(frozen=True)
class Resign(Action):
    do: ClassVar[str] = "resign"
    aside: ClassVar[bool] = True


@dataclass(frozen=True)
class OfferDraw(Action):
    do: ClassVar[str] = "offer_draw"
    aside: ClassVar[bool] = True


@dataclass(frozen=True)
class AcceptDraw(Action):
    do: ClassVar[str] = "accept_draw"
    aside: ClassVar[bool] = True


@dataclass(frozen=True)
class DeclineDraw(Action):
    do: ClassVar[str] = "decline_draw"
    aside: ClassVar[bool] = True


@dataclass(frozen=True)
class AskTakeBack(Action):
    """Ask to take back one's own last move (and the answer to it, if there was one)."""

    do: ClassVar[str] = "ask_take_back"
    aside: ClassVar[bool] = True


@dataclass(frozen=True)
class AllowTakeBack(Action):
    do: ClassVar[str] = "allow_take_back"
    aside: ClassVar[bool] = True


@dataclass(frozen=True)
class DeclineTakeBack(Action):
    do: ClassVar[str] = "decline_take_back"
    aside: ClassVar[bool] = True


VOCABULARY = Vocabulary((Move, Resign, OfferDraw, AcceptDraw, DeclineDraw, AskTakeBack, AllowTakeBack, DeclineTakeBack))
