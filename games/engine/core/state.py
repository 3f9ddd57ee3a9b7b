"""State: everything there is to know about one game, as frozen records that are replaced, never written to."""

from __future__ import annotations

import dataclasses
import operator
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import compress
from typing import Any, Self

from .dice import Dice
from .events import Event, Told, audience
from .flow import Frame
from .offers import Offer
from .plain import field_names, plain


@dataclass(frozen=True, slots=True)
class Seat:
    """What a seat owns that is neither a hex nor a counter."""

    number: int
    gold: int = 0
    out: bool = False


@dataclass(frozen=True, slots=True)
class Hex:
    place: str
    terrain: str
    face_up: bool = False
    owner: int | None = None
    fort: int = 0
    damage: int = 0


@dataclass(frozen=True, slots=True)
class Counter:
    """One piece of the box. `tag` is the name players see; it is drawn anew whenever the piece is hidden again."""

    number: int
    kind: str
    place: str
    owner: int | None = None
    face_up: bool = True
    tag: str = ""
    spent: int = 0


@dataclass(frozen=True, slots=True)
class Result:
    """How it ended. No winner: nobody won. Several: they share it."""

    winners: tuple[int, ...]
    how: str


@dataclass
class State:
    game: str
    options: Mapping[str, Any]
    dice: Dice
    seats: dict[int, Seat] = field(default_factory=dict)
    hexes: dict[str, Hex] = field(default_factory=dict)
    counters: dict[int, Counter] = field(default_factory=dict)
    # Plain values that fit no row. They are replaced, never written into: extras["seen"] = [*old, new].
    extras: dict[str, Any] = field(default_factory=dict)
    flow: list[Frame] = field(default_factory=list)
    result: Result | None = None
    actions: int = 0  # how many actions have been applied, silent ones too; never leaves the server (R4)
    revision: int = 0  # how many of them everybody may know of: the number that Views, decisions and logs go by
    silent: dict[int, int] = field(default_factory=dict)  # by seat: its silent actions since the last that was none
    serial: int = 0  # the last frame's serial
    era: int = 0  # how often the game has gone back; keeps an old question from being mistaken for a new one

    # What belongs to one apply, or can be worked out again; never stored, never compared.
    told: list[Told] = field(default_factory=list, compare=False, repr=False)
    rewind: int | None = field(default=None, compare=False, repr=False)
    offered: Mapping[int, list[Offer]] | None = field(default=None, compare=False, repr=False)
    # What was worked out from all this and may be wanted again; "public" is what Views show to everybody alike.
    cache: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)

    def copy(self) -> Self:
        """A state that can be written to without touching this one: dicts are copied, records shared."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.dice = self.dice.copy()
        twin.seats, twin.hexes, twin.counters = dict(self.seats), dict(self.hexes), dict(self.counters)
        twin.extras, twin.flow = dict(self.extras), [frame.copy() for frame in self.flow]
        twin.told, twin.rewind, twin.offered, twin.cache = [], None, None, {}
        return twin

    def call(self, frame: Frame, into: str = "") -> None:
        """Go down into a procedure; its result comes back into the caller's field of that name."""
        self.serial += 1
        frame.serial, frame.into = self.serial, into
        self.flow.append(frame)

    def below(self, frame: Frame) -> Frame:
        return self.flow[self.flow.index(frame) - 1]

    def tell(self, event: Event, to: str | int | Iterable[int]) -> None:
        self.told.append(Told(event, audience(to)))

    def change_counter(self, number: int, **values: Any) -> None:
        old = self.counters[number]
        self.cache.pop("public", None)
        get = values.get
        # Spelt out, because this is done more often than anything else.
        self.counters[number] = Counter(
            number,
            get("kind", old.kind),
            get("place", old.place),
            get("owner", old.owner),
            get("face_up", old.face_up),
            get("tag", old.tag),
            get("spent", old.spent),
        )

    def change_hex(self, place: str, **values: Any) -> None:
        self.cache.pop("public", None)
        self.hexes[place] = dataclasses.replace(self.hexes[place], **values)

    def change_seat(self, number: int, **values: Any) -> None:
        self.cache.pop("public", None)
        self.seats[number] = dataclasses.replace(self.seats[number], **values)

    def end(self, winners: Iterable[int], how: str) -> None:
        """The game is over: nobody is asked anything any more."""
        self.result = Result(tuple(sorted(winners)), how)
        self.flow.clear()


ROWS = ("seats", "hexes", "counters")
Changes = dict[str, Any]


def changed_records(before: Mapping[Any, Any], after: Mapping[Any, Any]) -> list[Any]:
    """Keys whose record is not the old one. Records are frozen, so identity is enough, and quick."""
    if len(before) == len(after) and all(map(operator.eq, before, after)):
        # The same keys in the same order, as records are only replaced: none of them needs to be looked up.
        return list(compress(after, map(operator.is_not, after.values(), before.values())))
    return [key for key, record in after.items() if before.get(key) is not record]


def changes(before: State, after: State) -> Changes:
    """Old and new value of every field that differs: history runs backwards on these, without any rule."""
    found: Changes = {}
    for rows in ROWS:
        old, new = getattr(before, rows), getattr(after, rows)
        differing = {str(key): _differing(old[key], new[key]) for key in changed_records(old, new)}
        if differing := {key: fields for key, fields in differing.items() if fields}:
            found[rows] = differing
    if extras := changed_extras(before.extras, after.extras):
        found["extras"] = extras
    if before.result != after.result:
        found["result"] = [plain(before.result), plain(after.result)]
    return found


def changed_extras(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Old and new value of every extra that differs. They are never written into: the same object is the same value."""
    found = {}
    for key in sorted({*before, *after}):
        old, new = before.get(key), after.get(key)
        if old is not new:
            pair = [plain(old), plain(new)]
            if pair[0] != pair[1]:
                found[key] = pair
    return found


def _differing(old: Any, new: Any) -> dict[str, list[Any]]:
    fields = field_names(type(new))
    return {n: [getattr(old, n), getattr(new, n)] for n in fields if getattr(old, n) != getattr(new, n)}


def rewound(past: State, now: State) -> State:
    """The game as it was, going on from now: draw numbers, serials and revisions never go back."""
    again = past.copy()
    again.dice.numbers = now.dice.numbers
    again.actions, again.revision, again.silent = now.actions, now.revision, now.silent
    again.serial, again.era = now.serial, now.era + 1
    return again
