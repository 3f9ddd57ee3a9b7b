"""What a table's page shows, as plain records: a View and what stands around the board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from games.engine.core.plans import Step
from games.engine.core.view import View


@dataclass(frozen=True)
class Person:
    """Who sits in a seat, for everybody to see."""

    number: int
    name: str
    kind: str  # "account", "guest" or "bot"
    is_you: bool = False
    called: str = ""  # the name, with the side where namesakes sit at one table


@dataclass(frozen=True, eq=False, slots=True)  # each is itself, so that what is made of it can be found again quickly
class Line:
    """One thing that happened, with the names of those it happened to."""

    revision: int
    event: str
    text: str
    rule: str
    facts: dict[str, Any]
    taken_back: bool = False
    words: Mapping[str, str] = field(default_factory=dict)  # facts that the sentence words in another way


@dataclass(frozen=True, slots=True)
class LogRow:
    """A line as the page lists it."""

    number: int
    text: str
    rule: str
    taken_back: bool
    sorts: str = ""  # what it is about, as classes, where a painter tells that
    at: int | None = None  # the revision it leads to, where the log leads into the past
    replay: str = ""  # what can be shown again from this line on, if anything


@dataclass(frozen=True)
class ClockLine:
    """Who is waited for, since when and until when, as a visitor reads it. A window's line names nobody (R4)."""

    name: str  # whose; empty for a window's
    says: str  # until when, in the visitor's time zone; of a clock that stands still, how much is left
    until: str = ""  # the same moment for scripts; empty for a clock that stands still
    is_you: bool = False
    since: str = ""  # in the visitor's time zone too; empty where it is only a matter of minutes


@dataclass(frozen=True)
class Planned:
    """What the viewer has planned, for nobody else's eyes."""

    can: bool = False  # whether there is anything to plan
    apart: bool = False  # whether others play at screens of their own, so that there is time to plan
    ghosts: tuple[Step, ...] = ()  # the steps that are left
    rests: str = ""  # "turn" or "phase": nothing more from them until that is over
    stopped: tuple[tuple[str, str], ...] = ()  # questions whose plan stopped, and why
    skipped: tuple[tuple[str, str], ...] = ()  # questions whose plan went on without a step this turn, and why


@dataclass(frozen=True)
class Scene:
    """One visitor's table at one revision."""

    view: View
    lines: Sequence[Line]
    people: tuple[Person, ...]
    game_name: str
    table: str  # its public id
    url: str  # of the table's page; everything else of the table lies below it
    rules_url: str
    facts: tuple[tuple[str, str], ...]  # options in force and the like: (what, value)
    mark: str  # changes when anything but the game itself does: names, seats, a rematch
    is_player: bool  # sits at the table, in whichever seat
    is_lesson: bool = False  # the coach leads through a first game
    is_timed: bool = False  # the viewer's question runs against a clock: the film must not keep it waiting
    clocks: tuple[ClockLine, ...] = ()  # of the table as it is now; none at an earlier revision
    acted: int = 0  # the revision that the viewer's own last action led to
    planned: Planned = Planned()  # of the viewer as the game stands now; nothing at an earlier revision
    beside: tuple[tuple[int, str], ...] = ()  # on a shared device, what the other seats there may reply: (seat, do)

    def person(self, number: int) -> Person:
        return next(person for person in self.people if person.number == number)

    @cached_property
    def names(self) -> dict[int, str]:
        """What each seat's player is called."""
        return {person.number: person.called or person.name for person in self.people}

    def name(self, number: int) -> str:
        return self.names[number]

    @cached_property
    def is_shared(self) -> bool:
        """Whether several people look at this screen, so that "you" might be any of them."""
        return sum(person.is_you for person in self.people) > 1

    def put_to(self, question: str) -> str:
        """A question to the viewer; on a shared screen it says who is asked."""
        if not self.is_shared or self.view.seat is None:
            return question
        return f"{self.name(self.view.seat)}: {question}"

    @property
    def is_over(self) -> bool:
        return self.view.result is not None

    def as_text(self) -> str:
        """Who sits where and what happened, a line each, as this visitor may read it."""
        facts = [f"{what}: {value}" for what, value in self.facts]
        lines = [f"{line.revision}. {line.text}{' (taken back)' if line.taken_back else ''}" for line in self.lines]
        return "\n".join([*facts, "", *lines, ""])
