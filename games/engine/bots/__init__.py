"""The bots there are, by game and level."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.actions import Action
from ..core.dice import Dice
from ..core.offers import Offer
from ..core.view import View
from .base import Level
from .gambit import Searcher
from .kings import Steward
from .simple import AnyLegal

GAMBIT = (
    Level("random", "Wanderer", "Moves anything anywhere. For a first look at the pieces.", AnyLegal()),
    Level("1", "Squire", "Sees a move or two ahead and takes what is free.", Searcher(1)),
    Level("2", "Knight", "Thinks about a second; punishes carelessness.", Searcher(2)),
    Level("3", "Marshal", "Thinks about three seconds and plans ahead.", Searcher(3)),
)
KINGS = (
    Level("random", "Jester", "Does anything that is allowed. For a first look at the Things.", AnyLegal()),
    Level("steward", "Steward", "Explores, builds, bribes and fights for a citadel; takes over for others.", Steward()),
)

LEVELS: dict[str, dict[str, Level]] = {
    game: {level.name: level for level in levels} for game, levels in (("gambit", GAMBIT), ("kings", KINGS))
}


def think(game: str, level: str, view: View, offers: Sequence[Offer], seed: str) -> Action:
    """One decision. The seed makes it repeatable; pools of processes call this by name."""
    return LEVELS[game][level].bot.choose(view, offers, Dice.seeded(seed))
