"""The bots there are, by game and level."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.actions import Action
from ..core.dice import Dice
from ..core.offers import Offer
from ..core.view import View
from .base import BotFault, Level, Thought
from .gambit import Searcher
from .kings import Steward
from .simple import AnyLegal

GAMBIT = (
    Level("random", "Wanderer", "Makes random moves. Good for a first look at the pieces.", AnyLegal()),
    Level("1", "Squire", "Looks a move or two ahead and captures what is unprotected.", Searcher(1)),
    Level("2", "Knight", "Thinks for about a second and punishes mistakes.", Searcher(2)),
    Level("3", "Marshal", "Thinks for about three seconds and plans ahead.", Searcher(3)),
)
KINGS = (
    Level("random", "Jester", "Plays at random. Good for a first look at the Things.", AnyLegal()),
    Level(
        "steward",
        "Steward",
        "Explores, builds, bribes and fights for a citadel. Also plays for people who are away.",
        Steward(),
    ),
)

LEVELS: dict[str, dict[str, Level]] = {
    game: {level.name: level for level in levels} for game, levels in (("gambit", GAMBIT), ("kings", KINGS))
}

# The bot that plays on in the seat of a person who has resigned or fallen silent (W3).
STAND_INS = {"gambit": "2", "kings": "steward"}


def consider(game: str, level: str, view: View, offers: Sequence[Offer], seed: str) -> Thought:
    """One decision, and the fault that was met on the way to it. The seed makes it repeatable.

    Pools of processes call this by name; what goes wrong there reaches no log but that of whoever called.
    """
    bot = LEVELS[game][level].bot
    if isinstance(bot, Steward):
        return bot.consider(view, offers, Dice.seeded(seed))
    return Thought(bot.choose(view, offers, Dice.seeded(seed)))


def think(game: str, level: str, view: View, offers: Sequence[Offer], seed: str) -> Action:
    """One decision of a bot that must not fail, for tools and tests."""
    thought = consider(game, level, view, offers, seed)
    if thought.fault:
        raise BotFault(thought.fault)
    return thought.action
