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
class Picture:
    """What stands for a game in lists: a symbol of a sprite."""

    sprite: str  # its static path
    name: str
    size: int = 100  # of the symbol's box
    css: str = ""


@dataclass(frozen=True)
class QuickStart:
    """A first game that starts with one press."""

    bots: tuple[str, ...]  # the level of each opponent
    button: str = "Play now"
    help: str = "Play against bots, at once."


@dataclass(frozen=True)
class Entry:
    """A game, with all that the site needs to know of it."""

    rules: Rules
    bots: tuple[Level, ...]  # the weakest first
    stand_in: str  # the level that plays on in the seat of a person who has resigned or fallen silent (W3)
    quick_start: QuickStart
    own_pages: Callable[[], Pages] | None = None  # without them, pages that fit any game
    pictures: tuple[Picture, ...] = ()  # one for each seat, or one for all of them
    about: str = ""  # what the game is like, for those who look for one

    @cached_property
    def pages(self) -> Pages:
        """Imported when first asked for, and with them Django."""
        from .painting.pages import Pages

        return self.own_pages() if self.own_pages else Pages()

    @property
    def slug(self) -> str:
        return self.rules.slug

    @property
    def name(self) -> str:
        return self.rules.name

    @property
    def players(self) -> range:
        return self.rules.players

    @property
    def picture(self) -> Picture | None:
        return self.picture_of(None)

    def picture_of(self, seat: int | None) -> Picture | None:
        """The picture of a seat, or of the game as a whole."""
        if seat is not None and seat < len(self.pictures):
            return self.pictures[seat]
        return self.pictures[0] if self.pictures else None


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


def load_pages() -> None:
    """Import the pages of all games, for a server that will need them anyway."""
    for entry in ENTRIES.values():
        assert entry.pages


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


register(
    Entry(
        rules=GAMBIT,
        bots=GAMBIT_BOTS,
        stand_in="2",
        quick_start=QuickStart(("1",)),
        own_pages=gambit_pages,
        pictures=(Picture("art/gambit.svg", "castle-light"), Picture("art/gambit.svg", "castle-dark")),
        about="A duel of two armies on a ten-by-ten board. Capture your opponent’s Castle to win. A game takes about "
        "half an hour; you learn it in five minutes.",
    )
)
register(
    Entry(
        rules=KINGS,
        bots=KINGS_BOTS,
        stand_in="steward",
        quick_start=QuickStart(
            ("steward",) * 3,
            button="Play three stewards",
            help="Explore, recruit, bluff and build a citadel against three bots called stewards. To play with "
            "friends, set up a table.",
        ),
        own_pages=kings_pages,
        pictures=(Picture("art/kings.svg", "citadel", size=176, css="of-kings"),),
        about="Two to four players, a shattered land, and a cup full of creatures, most of them face down. Build a "
        "citadel and keep it to win. A game takes an evening or longer; you learn it as you play.",
    )
)
