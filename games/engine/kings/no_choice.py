"""Why somebody was not asked, in the words of the log. Each is told to that seat alone: others would learn from it what
lies on a rack."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..core.events import Event


@dataclass(frozen=True)
class NoChoice(Event):
    explains: ClassVar[bool] = True


@dataclass(frozen=True)
class OnlyStart(NoChoice):
    says: ClassVar[str] = "You were not asked: this was the only start left for you."
    rule: ClassVar[str] = "S2"


@dataclass(frozen=True)
class OnlyClaim(NoChoice):
    says: ClassVar[str] = "You were not asked: this was the only hex you could claim."
    rule: ClassVar[str] = "S4"


@dataclass(frozen=True)
class NothingToClaim(NoChoice):
    says: ClassVar[str] = "You claim nothing: no free land lies beside yours."
    rule: ClassVar[str] = "S4"


@dataclass(frozen=True)
class NoHeroLeft(NoChoice):
    says: ClassVar[str] = "You recruit nobody: no hero is left for you."
    rule: ClassVar[str] = "6"


@dataclass(frozen=True)
class NoRoomForHeroes(NoChoice):
    says: ClassVar[str] = "You recruit nobody: none of your hexes has room for a hero."
    rule: ClassVar[str] = "8.1"


@dataclass(frozen=True)
class HeroTooDear(NoChoice):
    says: ClassVar[str] = "You cannot add enough to the roll: that would cost {price} gold, and you have {gold}."
    rule: ClassVar[str] = "6.2"
    price: int
    gold: int


@dataclass(frozen=True)
class OnlyFreeThings(NoChoice):
    says: ClassVar[str] = "You draw only what is free: one more costs {price} gold, or two counters from your rack."
    rule: ClassVar[str] = "7.1"
    price: int


@dataclass(frozen=True)
class NothingToPlace(NoChoice):
    says: ClassVar[str] = "You place nothing: nothing on your rack can be placed now."
    rule: ClassVar[str] = "8.2"


@dataclass(frozen=True)
class NoEventToPlay(NoChoice):
    says: ClassVar[str] = "You play no event: none on your rack can be played now."
    rule: ClassVar[str] = "14"


@dataclass(frozen=True)
class NothingToMove(NoChoice):
    says: ClassVar[str] = "You move nothing: none of your counters can move now."
    rule: ClassVar[str] = "9.1"


@dataclass(frozen=True)
class BribeTooDear(NoChoice):
    says: ClassVar[str] = "You can bribe nobody: the cheapest defender wants {price} gold, and you have {gold}."
    rule: ClassVar[str] = "10.2"
    price: int
    gold: int


@dataclass(frozen=True)
class FortTooDear(NoChoice):
    says: ClassVar[str] = "You build nothing: a level costs {price} gold, and you have {gold}."
    rule: ClassVar[str] = "12.1"
    price: int
    gold: int


@dataclass(frozen=True)
class NothingToBuild(NoChoice):
    says: ClassVar[str] = "You build nothing: none of your hexes can have a higher fort now."
    rule: ClassVar[str] = "12.1"


EVENTS: tuple[type[NoChoice], ...] = (
    *(OnlyStart, OnlyClaim, NothingToClaim, NoHeroLeft, NoRoomForHeroes, HeroTooDear, OnlyFreeThings, NothingToPlace),
    *(NoEventToPlay, NothingToMove, BribeTooDear, FortTooDear, NothingToBuild),
)
