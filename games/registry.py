"""The games there are. To add a game, write its modules and one entry here.

Every process that imports anything of `games` has them all, also one that thinks for bots: this module needs no Django.
What does need it, a game's pages, is imported when a page is asked for.
"""

from __future__ import annotations

from dataclasses import dataclass

from .engine import RULESETS
from .engine.bots import LEVELS, STAND_INS, gambit, kings
from .engine.bots.base import Level
from .engine.core.rules import Rules
from .engine.gambit import GAMBIT
from .engine.kings import KINGS


@dataclass(frozen=True)
class Entry:
    """A game, with all that the site needs to know of it."""

    rules: Rules
    bots: tuple[Level, ...]  # the weakest first
    stand_in: str  # the level that plays on in the seat of a person who has resigned or fallen silent (W3)

    @property
    def slug(self) -> str:
        return self.rules.slug

    @property
    def name(self) -> str:
        return self.rules.name


ENTRIES: dict[str, Entry] = {}


def register(entry: Entry) -> None:
    """Make a game known to the site and, by its slug, to the engine."""
    ENTRIES[entry.slug] = entry
    RULESETS[entry.slug] = entry.rules
    LEVELS[entry.slug] = {level.name: level for level in entry.bots}
    STAND_INS[entry.slug] = entry.stand_in


def withdraw(slug: str) -> None:
    """Forget a game, for tests that have registered one of their own."""
    for known in (ENTRIES, RULESETS, LEVELS, STAND_INS):
        del known[slug]


register(Entry(rules=GAMBIT, bots=gambit.BOTS, stand_in="2"))
register(Entry(rules=KINGS, bots=kings.BOTS, stand_in="steward"))
