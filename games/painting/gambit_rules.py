"""The pictures of Gambit's rules page, made by the generator that the game itself asks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString

from games.engine.gambit.board import Position, name, square, squares_in
from games.engine.gambit.catalogue import piece_name
from games.engine.gambit.moves import targets

from .gambit import ALL_SQUARES, Square, moved_to, picture
from .gambit_pieces import GOAL, HOW
from .markup import element

Pieces = dict[str, tuple[str, int]]


@dataclass(frozen=True)
class Lesson:
    """One piece, where it stands in the picture, and who stands in its way."""

    kind: str
    at: str
    others: Pieces
    label: str

    @property
    def names(self) -> str:
        return f"{piece_name(self.kind, 0)} and {piece_name(self.kind, 1)}"

    @property
    def rule(self) -> str:
        return HOW[self.kind].rule

    @property
    def text(self) -> str:
        return HOW[self.kind].text


LESSONS = (
    Lesson(
        "soldier",
        "e4",
        {"d4": ("elf", 1), "f5": ("elf", 1)},
        "A Soldier on e4 can capture the Orc on d4, or go to f4, e5 and e6; it can’t reach the Orc on f5.",
    ),
    Lesson(
        "elf",
        "e5",
        {"g7": ("soldier", 1), "d4": ("soldier", 0)},
        "An Elf on e5 reaches f6, d6, c7, f4 and g3 and can capture on g7; its own Soldier on d4 blocks one way.",
    ),
    Lesson(
        "knight",
        "e5",
        {"e7": ("soldier", 1), "g5": ("soldier", 0)},
        "A Knight on e5 reaches three squares each way, and stops at pieces.",
    ),
    Lesson(
        "lion",
        "e5",
        {"f5": ("soldier", 1)},
        "A Lion on e5 can capture on f5 but can’t continue from there; the other three ways are open.",
    ),
    Lesson(
        "griffin",
        "e5",
        {"e6": ("soldier", 0), "e7": ("soldier", 1), "f5": ("giant", 1)},
        "A Griffin on e5 flies over its own Soldier on e6; it can capture the Ogre on f5, but can’t fly over it.",
    ),
    Lesson(
        "giant",
        "e4",
        {"e6": ("soldier", 1)},
        "A Giant on e4 reaches three squares to either side, forward and diagonally forward.",
    ),
    Lesson(
        "paladin",
        "e5",
        {"e8": ("soldier", 1), "h5": ("soldier", 0)},
        "A Paladin on e5 goes as far as it likes in all eight directions until something is in the way.",
    ),
)


# Where a link to a rule leads; one that several pieces share leads to the first of them.
ANCHORS = {"soldier": "G5", "elf": "G6", "lion": "G7", "giant": "G8"}


def context() -> dict[str, Any]:
    start = {name(place): Square(kind, side) for place, kind, side in Position.start().pieces()}
    return {
        "goal": GOAL,
        "castle": HOW["castle"],
        "lessons": [
            {"lesson": lesson, "picture": lesson_picture(lesson), "anchor": ANCHORS.get(lesson.kind)}
            for lesson in LESSONS
        ],
        "start": picture(
            {place: start.get(place, Square()) for place in ALL_SQUARES},
            0,
            "The board before the first move, light below",
            css="lesson",
        ),
    }


def lesson_picture(lesson: Lesson) -> SafeString:
    """The piece, its neighbours, and a mark on every square it may go to."""
    pieces: Pieces = {lesson.at: (lesson.kind, 0), **lesson.others}
    marks = (mark(place, place in pieces) for place in reach(lesson.at, pieces))
    looks = {place: Square(*pieces[place]) if place in pieces else Square() for place in ALL_SQUARES}
    return picture(looks, 0, lesson.label, *marks, css="lesson")


# A side without a Castle has no moves, so there are two, out of everybody's way and out of the picture.
CASTLES: Pieces = {"c1": ("castle", 0), "b10": ("castle", 1)}


def reach(at: str, pieces: Pieces) -> list[str]:
    """Where the piece on a square may go, as the game's own generator says."""
    position = Position.of((square(place), *piece) for place, piece in {**CASTLES, **pieces}.items())
    found = dict(targets(position)).get(square(at), 0)
    return [name(place) for place in squares_in(found)]


def mark(place: str, taken: bool) -> SafeString:
    shape = (
        element(
            "circle",
            cx=50,
            cy=50,
            r=46,
            fill="none",
            stroke="#a51d22",
            stroke_width=8,
            stroke_dasharray="26 10",
        )
        if taken
        else element("circle", cx=50, cy=50, r=16, fill="#17386f", fill_opacity=".75")
    )
    return element("g", shape, transform=moved_to(place, 0), data_reach=place)
