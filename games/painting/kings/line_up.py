"""The line-up: who stood on each side when a battle began, for a page whose messages never showed it standing.

Bots may fight a whole battle within one message. Its film then has no arena of before to play in, so the shot of its
beginning brings one. It is made from the viewer's own log: what all sides had to show when the battle began.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from django.utils.safestring import SafeString

from games.engine.kings.catalogue import KINDS

from ..markup import element
from ..scene import Line
from .arena import SLUGS, draw_name, draw_sides, draw_steps, draw_walls, size_for
from .battle import Walls, name_of_side
from .board import ground_of, picture_of, seat_class
from .counters import small_svg
from .looks import value_text
from .teller import at_place


@dataclass(frozen=True)
class Army:
    """One side before the first die."""

    number: int
    name: str
    is_defender: bool
    fighters: tuple[str, ...]
    walls: Walls | None


@dataclass(frozen=True)
class LineUp:
    place: str
    where: str
    armies: tuple[Army, ...]


def line_up_of(lines: Sequence[Line], at: int, names: Mapping[int, str]) -> LineUp | None:
    """The line-up of the battle that began with this line; None for logs that do not tell it."""
    facts, place = lines[at].facts, lines[at].facts["place"]
    shown = {line.facts["seat"]: line.facts["names"] for line in rest_of_action(lines, at) if is_shown(line, place)}
    shown[-1] = facts.get("wild", ())
    sides = (*facts["attackers"], facts["defender"])
    if facts["defender"] is None or not any(shown.get(side) for side in sides):
        return None
    home = (facts["town"],) if facts.get("town") else ()
    walls = Walls(facts["fort"], facts["left"], facts["left"]) if facts.get("fort") else None
    return LineUp(
        place,
        at_place(lines[at]),
        tuple(
            Army(
                side,
                name_of_side(names, side),
                side == facts["defender"],
                (*shown.get(side, ()), *(home if side == facts["defender"] else ())),
                walls if side == facts["defender"] else None,
            )
            for side in sides
        ),
    )


def rest_of_action(lines: Sequence[Line], at: int) -> Iterator[Line]:
    for line in lines[at + 1 :]:
        if line.revision != lines[at].revision:
            return
        yield line


def is_shown(line: Line, place: str) -> bool:
    return line.event == "revealed" and bool(line.facts["place"] == place)


# ---- drawing


@lru_cache(maxsize=64)
def draw_line_up(line_up: LineUp, number: int) -> SafeString:
    """Like the arena. In a template it is no part of the caption, and costs a page nothing until it is played.

    The number, of its shot, tells it from others: browsers hold templates for the same whatever is in them."""
    most = max(len(army.fighters) + (army.walls is not None) for army in line_up.armies)
    head = element("h3", f"Battle in {line_up.where}")
    return element(
        "template",
        element("header", head, draw_steps(""), class_="fight-head", data_fight=f"battle {line_up.place}"),
        draw_sides([draw_army(army) for army in line_up.armies], size_for(most)),
        class_="line-up",
        data_number=number,
    )


def draw_army(army: Army) -> SafeString:
    walls = draw_walls(army.walls, army.number) if army.walls else ""
    return element(
        "div",
        draw_name(army.number, army.name),
        element("div", walls, *map(draw_fighter, army.fighters), class_="counters"),
        class_=" ".join(
            (
                "battle-side",
                seat_class(None if army.number < 0 else army.number),
                "defends" if army.is_defender else "attacks",
            )
        ),
        data_side=army.number,
    )


@lru_cache(maxsize=512)
def draw_fighter(name: str) -> SafeString:
    """There may be many, so there is little of each. Which of several kinds of a name it is, the log does not tell."""
    kind = KINDS[SLUGS[name]] if name in SLUGS else None
    values = {value_text(each) for each in KINDS.values() if each.name == name}
    return element(
        "span",
        small_svg(picture_of(kind) if kind else "back", "picture"),
        element("span", name, class_="name"),
        element("span", values.pop(), class_="value") if len(values) == 1 else "",
        class_=f"counter {ground_of(kind)}" if kind else "counter",
    )
