"""A bot is choose(view, offers, dice) -> action. It gets what a player in its seat gets, and never a State."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from ..core.actions import Action
from ..core.dice import Dice
from ..core.offers import Offer
from ..core.view import View


@dataclass(frozen=True)
class Thought:
    """A bot's answer, and the fault that made it answer with anything allowed; no fault is the rule."""

    action: Action
    fault: str = ""  # the question and the traceback, for a log


class BotFault(Exception):
    """A strict bot could not answer by its own rules."""


class Bot(Protocol):
    def choose(self, view: View, offers: Sequence[Offer], dice: Dice) -> Action: ...


@runtime_checkable
class Candid(Protocol):
    """A bot that tells of its own faults."""

    def consider(self, view: View, offers: Sequence[Offer], dice: Dice) -> Thought: ...


@dataclass(frozen=True)
class Level:
    """A bot as the lobby offers it."""

    name: str  # how tables store it: "random", "1", "2", "3"
    title: str
    help: str
    bot: Bot
