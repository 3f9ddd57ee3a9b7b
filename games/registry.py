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
from .engine.bots import GIVEN_NAMES, LEVELS, STAND_INS
from .engine.bots.base import Level
from .engine.bots.gambit import BOTS as GAMBIT_BOTS
from .engine.bots.kings import BOTS as KINGS_BOTS
from .engine.bots.kings import GIVEN_NAMES as KINGS_NAMES
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
class Front:
    """A large picture of a game in the middle, for the front page; made by tools/paint_front.py."""

    wide: str  # static paths
    narrow: str  # half as wide, for phones
    width: int
    height: int
    words: str  # for those who cannot see it


@dataclass(frozen=True)
class QuickStart:
    """Games that start with one press: against bots, with friends who get a link, or at one screen."""

    level: str  # of the bots, unless the player chooses another
    bots: int = 1
    friends: int = 1  # seats kept for whoever is sent the link
    beside: int = 1  # other people at the same screen, unless the player chooses another number
    hand_over: bool = True  # hide the table between two players of one screen


@dataclass(frozen=True)
class Lesson:
    """A guided first game for one person. Its seeds follow from the script's name, so it always begins the same."""

    script: str
    level: str  # of the bots
    bots: int


@dataclass(frozen=True)
class Entry:
    """A game, with all that the site needs to know of it."""

    rules: Rules
    bots: tuple[Level, ...]  # the weakest first
    stand_in: str  # the level that plays on in the seat of a person who has resigned or fallen silent (W3)
    quick_start: QuickStart
    lesson: Lesson | None = None
    bot_names: tuple[str, ...] = ()  # added to a bot's level; at least one for each seat, or none at all
    own_pages: Callable[[], Pages] | None = None  # without them, pages that fit any game
    pictures: tuple[Picture, ...] = ()  # one for each seat, or one for all of them
    about: str = ""  # what the game is like, for those who look for one
    brief: str = ""  # the same in a few words
    front: Front | None = None
    mail_picture: str = ""  # the static path of a PNG: mails show no SVG

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
    def people_at_one_screen(self) -> range:
        """How many may share a screen: one alone is no company."""
        return range(max(2, self.players.start), self.players.stop)

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
    GIVEN_NAMES[entry.slug] = entry.bot_names


def withdraw(slug: str) -> None:
    """Forget a game, for tests that have registered one of their own."""
    for known in (ENTRIES, RULESETS, LEVELS, STAND_INS, GIVEN_NAMES):
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
    from .painting.kings import handbook, orders, page, plans, rules, since, story
    from .painting.pages import OrdersPage, Pages, PlansPage, RulesPage, StoryPage

    labels = {about: each.label for about, each in ORDERS.items()}
    return Pages(
        painter=page,
        rules=RulesPage("pages/kings.html", rules.context),
        styles=("css/kings.css",),
        handbook=handbook.handbook,
        orders=OrdersPage("table/orders.html", labels, orders.parts_of, orders.options_of, orders.given_in),
        plans=PlansPage(
            template="table/kings_plans.html",
            labels=plans.LABELS,
            nothing=plans.NOTHING,
            guards=plans.GUARDS,
            numbered=plans.NUMBERED,
            words_of=plans.words_of,
            ghosts_of=lambda view, planned: plans.draw_ghosts(plans.ghosts_context(view, planned)),
        ),
        story=StoryPage("table/kings_story.html", story.turns_of, story.story_context),
        reel=since.reel,
    )


register(
    Entry(
        rules=KINGS,
        bots=KINGS_BOTS,
        stand_in="steward",
        quick_start=QuickStart("page", bots=3, friends=3),
        lesson=Lesson("kings 50", "page", bots=2),  # a script whose chance fits; tests/web/test_kings_lesson.py
        bot_names=KINGS_NAMES,
        own_pages=kings_pages,
        pictures=(Picture("art/kings.svg", "citadel", size=176, css="of-kings"),),
        about="Explore a shattered land, recruit heroes and creatures from a cup full of surprises, bluff, bribe and "
        "fight. Whoever builds a citadel and keeps it wins. For two to four players; you learn it as you play.",
        brief="for two to four players",
        front=Front(
            "art/front-kings.webp",
            "art/front-kings-narrow.webp",
            width=1000,
            height=960,
            words="A map of Kings & Things* in the middle of a game: four realms, their forts and their stacks",
        ),
        mail_picture="art/mail-kings.png",
    )
)
register(
    Entry(
        rules=GAMBIT,
        bots=GAMBIT_BOTS,
        stand_in="2",
        quick_start=QuickStart("1", hand_over=False),  # nothing is hidden
        own_pages=gambit_pages,
        pictures=(Picture("art/gambit.svg", "castle-light"), Picture("art/gambit.svg", "castle-dark")),
        about="A duel of two armies on a ten-by-ten board. Capture your opponent’s Castle to win. A game takes about "
        "half an hour; you learn it in five minutes.",
        brief="a duel on a board of ten by ten",
        mail_picture="art/mail-gambit.png",
    )
)
