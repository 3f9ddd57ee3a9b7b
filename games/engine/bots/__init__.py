"""The bots there are, by game and level."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

from ..core.actions import Action
from ..core.dice import Dice
from ..core.offers import Offer
from ..core.view import View
from .base import BotFault, Candid, Level, Thought

# All are filled by games/registry.py.
LEVELS: dict[str, dict[str, Level]] = {}
GIVEN_NAMES: dict[str, tuple[str, ...]] = {}  # what bots of a game are called, so that those of one level differ
STAND_INS: dict[str, str] = {}  # the bot that plays on in the seat of a person who has resigned or fallen silent (W3)


def named(game: str, level: str, table: str, seat: int) -> str:
    """What a bot is called at a table: its level, and a name that no other seat of the table has."""
    title, names = LEVELS[game][level].title, GIVEN_NAMES.get(game, ())
    return f"{title} {names[(zlib.crc32(table.encode()) + seat) % len(names)]}" if names else title


def consider(game: str, level: str, view: View, offers: Sequence[Offer], seed: str) -> Thought:
    """One decision, and the fault that was met on the way to it. The seed makes it repeatable.

    Pools of processes call this by name; what goes wrong there reaches no log but that of whoever called.
    """
    bot = LEVELS[game][level].bot
    if isinstance(bot, Candid):
        return bot.consider(view, offers, Dice.seeded(seed))
    return Thought(bot.choose(view, offers, Dice.seeded(seed)))


def think(game: str, level: str, view: View, offers: Sequence[Offer], seed: str) -> Action:
    """One decision of a bot that must not fail, for tools and tests."""
    thought = consider(game, level, view, offers, seed)
    if thought.fault:
        raise BotFault(thought.fault)
    return thought.action
