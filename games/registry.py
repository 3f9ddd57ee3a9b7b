"""The games there are. To add a game, write its modules and one entry here.

Every process that imports anything of `games` has them all, also one that thinks for bots: this module needs no Django.
What does need it, a game's pages, is imported when a page is asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from .engine import RULESETS
from .engine.bots import LEVELS, STAND_INS
from .engine.bots.base import Level
from .engine.bots.gambit import BOTS as GAMBIT_BOTS
from .engine.bots.kings import BOTS as KINGS_BOTS
from .engine.core.rules import Rules
from .engine.gambit import GAMBIT
from .engine.kings import KINGS

if TYPE_CHECKING:
    from .painting.pages import Pages


@dataclass(frozen=True)
class Entry:
    """A game, with all that the site needs to know of it."""

    rules: Rules
    bots: tuple[Level, ...]  # the weakest first
    stand_in: str  # the level that plays on in the seat of a person who has resigned or fallen silent (W3)
    own_pages: Callable[[], Pages]  # imports them, and with them Django

    @cached_property
    def pages(self) -> Pages:
        return self.own_pages()

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


# ---- the games


def gambit_pages() -> Pages:
    from .painting import gambit, gambit_rules
    from .painting.pages import Pages, RulesPage

    return Pages(
        painter=gambit,
        rules=RulesPage("pages/gambit.html", gambit_rules.context),
        styles=("css/gambit.css",),
    )


def kings_pages() -> Pages:
    from .engine.kings.orders import ORDERS
    from .painting.kings import handbook, orders, page, rules
    from .painting.pages import OrdersPage, Pages, RulesPage

    labels = {about: each.label for about, each in ORDERS.items()}
    return Pages(
        painter=page,
        rules=RulesPage("pages/kings.html", rules.context),
        styles=("css/kings.css",),
        handbook=handbook.handbook,
        orders=OrdersPage("table/orders.html", labels, orders.parts_of, orders.options_of),
    )


register(Entry(rules=GAMBIT, bots=GAMBIT_BOTS, stand_in="2", own_pages=gambit_pages))
register(Entry(rules=KINGS, bots=KINGS_BOTS, stand_in="steward", own_pages=kings_pages))
