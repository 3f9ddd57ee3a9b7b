"""Pages: what a game adds to the site's pages. A game names its own in its entry (games/registry.py)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.engine.core.plans import Step

from . import plain
from .painter import Painter
from .reel import newest


@dataclass(frozen=True)
class RulesPage:
    template: str
    context: Callable[[], dict[str, Any]]


@dataclass(frozen=True)
class OrdersPage:
    """The page of standing orders. The functions take a View of the game's own kind."""

    template: str
    labels: Mapping[str, str]  # of every order, by what it is about
    parts_of: Callable[[Any], object]
    options_of: Callable[[Any], object]
    given_in: Callable[[Any], Mapping[str, str]]  # what the seat has ordered otherwise than its table


@dataclass(frozen=True)
class PlansPage:
    """The page of plans. The functions take a View of the game's own kind."""

    template: str
    labels: Mapping[str, tuple[str, str]]  # of every question: what it is called, and what it is about
    nothing: Mapping[str, str]  # of questions that can be passed every turn: what that is called
    guards: Mapping[str, str]  # of every kind of condition
    numbered: tuple[str, ...]  # those that ask for a number
    words_of: Callable[[Any, str, Mapping[str, Any]], str]  # a step, at a table
    ghosts_of: Callable[[Any, Sequence[Step]], str]  # the steps, over the board


@dataclass(frozen=True)
class StoryPage:
    """The story of a game that is over: which moments it looks at, from the log, and what it makes of their Views."""

    template: str
    turns_of: Callable[[Any], list[tuple[int, int]]]  # from the log: turns, and the revisions at which they began
    context: Callable[[Any, Any], dict[str, Any]]  # from the scene, and the turns with their Views


@dataclass(frozen=True)
class Pages:
    """The pages of one game; what it leaves out is the same for all games that do."""

    painter: Painter = plain
    rules: RulesPage = RulesPage("pages/plain_rules.html", dict)
    styles: tuple[str, ...] = ()  # style sheets that a board needs on pages other than its table's
    handbook: Callable[[str], tuple[str, str]] | None = None  # from the rules' address: a script and its digest
    orders: OrdersPage | None = None
    plans: PlansPage | None = None
    story: StoryPage | None = None
    # From the scene, and the number of the log's first line that counts: what happened, in a dozen lines at most.
    reel: Callable[[Any, int], Sequence[str]] = newest
