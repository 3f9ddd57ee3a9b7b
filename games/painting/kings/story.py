"""Kings & Things*: the story of a game that is over, with charts over its turns, great moments and luck of the dice.

It is told from Views of those moments and from the log, both as this viewer may know them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.safestring import SafeString

from games.engine.kings.terms import is_hit
from games.engine.kings.view import KingsSeatView, KingsView

from ..markup import element
from ..scene import Line, Scene
from .board import seat_mark
from .counters import crest, seat_marks
from .film import shots
from .looks import AT, SEATS
from .prompt import ended

MOST_BATTLES = 3
TELLING = ("out", "citadel", "won")  # kinds of shots that everybody remembers


# ---- which moments are looked at


def turns_of(lines: Sequence[Line]) -> list[tuple[int, int]]:
    """The number of each turn and the revision at which it began; what was taken back did not begin."""
    return [(line.facts["number"], line.revision) for line in lines if is_told(line, "turn_began")]


def is_told(line: Line, *events: str) -> bool:
    return line.event in events and not line.taken_back


# ---- figures


def hexes(view: KingsView, seat: int) -> int:
    return sum(each.owner == seat for each in view.hexes)


def gold(view: KingsView, seat: int) -> int:
    return seat_of(view, seat).gold


def income(view: KingsView, seat: int) -> int:
    earned = seat_of(view, seat).income
    return earned.total if earned else 0


def counters(view: KingsView, seat: int) -> int:
    return sum(counter.owner == seat and counter.place in AT for counter in view.counters)


def seat_of(view: KingsView, seat: int) -> KingsSeatView:
    found = next(each for each in view.seats if each.number == seat)
    assert isinstance(found, KingsSeatView)
    return found


FIGURES: dict[str, Callable[[KingsView, int], int]] = {
    "Hexes": hexes,
    "Income": income,
    "Gold": gold,
    "Counters on the map": counters,
}


@dataclass(frozen=True)
class Chart:
    """One figure over the turns, for each seat."""

    name: str
    turns: tuple[int, ...]
    lines: dict[int, tuple[int, ...]]  # by seat

    @property
    def rows(self) -> list[tuple[int, list[int]]]:
        return [(turn, [line[at] for line in self.lines.values()]) for at, turn in enumerate(self.turns)]


def charts(views: Sequence[tuple[int, KingsView]], seats: Sequence[int]) -> list[Chart]:
    turns = tuple(turn for turn, _ in views)
    return [
        Chart(name, turns, {seat: tuple(figure(view, seat) for _, view in views) for seat in seats})
        for name, figure in FIGURES.items()
    ]


# ---- drawing a chart: 300 wide, 120 high, with room for numbers at the left and below

WIDE, HIGH, LEFT, BELOW = 300, 120, 26, 18


def draw_chart(chart: Chart, names: dict[int, str]) -> SafeString:
    most = max((max(line) for line in chart.lines.values()), default=0) or 1
    steps = max(1, len(chart.turns) - 1)

    def at(step: int, value: int) -> tuple[float, float]:
        return LEFT + (WIDE - LEFT - 10) * step / steps, 8 + (HIGH - BELOW - 16) * (1 - value / most)

    grid = [
        element("line", class_="grid", x1=LEFT, x2=WIDE - 6, y1=round(at(0, v)[1], 1), y2=round(at(0, v)[1], 1))
        for v in (0, most)
    ]
    words = [text(v, LEFT - 5, at(0, v)[1] + 3.5, "end") for v in (0, most)]
    words += [text(label, at(step, 0)[0], HIGH - 4, "middle") for step, label in labelled(chart.turns)]
    lines = []
    for seat, values in chart.lines.items():
        points = " ".join("{:.1f},{:.1f}".format(*at(step, value)) for step, value in enumerate(values))
        x, y = at(len(values) - 1, values[-1])
        mark = seat_mark(seat, round(x, 1), round(y, 1), 3.75)
        lines += [element("polyline", points=points, class_=SEATS[seat]), mark]
    last = ", ".join(f"{names[seat]} {line[-1]}" for seat, line in chart.lines.items())
    label = f"{chart.name} over the turns; at the end: {last}"
    return element(
        "svg", *grid, *words, *lines, class_="chart", view_box=f"0 0 {WIDE} {HIGH}", role="img", aria_label=label
    )


def labelled(turns: Sequence[int]) -> list[tuple[int, str]]:
    """Every turn, or every few of them where they would be too close; the last is the end."""
    every, last = -(-len(turns) // 10), len(turns) - 1
    return [*((step, str(turn)) for step, turn in enumerate(turns[:last]) if step % every == 0), (last, "end")]


def text(words: object, x: float, y: float, anchor: str) -> SafeString:
    return element("text", words, x=round(x, 1), y=round(y, 1), text_anchor=anchor)


# ---- luck


@dataclass
class Luck:
    """The dice of one player's fighters: how many there were, how many should have hit, and how many did."""

    dice: int = 0
    expected: float = 0
    hits: int = 0

    @property
    def words(self) -> str:
        if not self.dice:
            return "No dice were thrown in battle."
        more = self.hits - self.expected
        how = (
            "as many as expected"
            if abs(more) < 0.5
            else f"{abs(more):.1f} {'more' if more > 0 else 'fewer'} than expected"
        )
        hits, dice = ("hit" if self.hits == 1 else "hits"), ("die" if self.dice == 1 else "dice")
        return f"{self.hits} {hits} with {self.dice} {dice}, {how}."


def luck_of(lines: Sequence[Line], seats: Sequence[int]) -> dict[int, Luck]:
    """A die hits if it is no higher than the fighter's value. Games of before dice told their fighters have none."""
    found = {seat: Luck() for seat in seats}
    for line in lines:
        needs = line.facts.get("needs", ())
        if not is_told(line, "rolled") or not needs or line.facts["seat"] not in found:
            continue
        luck = found[line.facts["seat"]]
        luck.dice += len(needs)
        luck.expected += sum(min(need, 6) / 6 for need in needs)
        luck.hits += sum(map(is_hit, line.facts["faces"], needs))
    return found


# ---- moments


@dataclass
class Fight:
    """A battle: where, from which line to which, and who fell."""

    place: str
    name: str
    revision: int
    fallen: list[str] = field(default_factory=list)


def fights(lines: Sequence[Line]) -> list[Fight]:
    found: list[Fight] = []
    now: Fight | None = None
    for line in lines:
        if is_told(line, "battle_began"):
            now = Fight(line.facts["place"], line.words.get("place", line.facts["place"]), line.revision)
            found.append(now)
        elif is_told(line, "battle_over"):
            now = None
        elif is_told(line, "fell") and now is not None:
            now.fallen.append(line.facts["creature"])
    return found


@dataclass(frozen=True)
class Moment:
    turn: int
    revision: int
    words: str


def moments(scene: Scene, turns: Sequence[tuple[int, int]]) -> list[Moment]:
    """What everybody remembers: citadels, players who fell, the greatest battles and the victory, in their order."""

    def turn_at(revision: int) -> int:
        return max((turn for turn, began in turns if began <= revision), default=0)

    told = [
        (shot.at, f"{shot.title}. {shot.says}" if shot.title else shot.says)
        for shot in shots(scene, 0)
        if shot.kind in TELLING
    ]
    greatest = sorted(fights(scene.lines), key=lambda fight: -len(fight.fallen))[:MOST_BATTLES]
    told += [(fight.revision, fought(fight)) for fight in greatest if fight.fallen]
    return [Moment(turn_at(revision), revision, words) for revision, words in sorted(told)]


def fought(fight: Fight) -> str:
    count = len(fight.fallen)
    return f"Battle in {fight.name}: {count} fell." if count > 1 else f"Battle in {fight.name}: one fell."


# ---- the page


def story_context(scene: Scene, views: Sequence[tuple[int, Any]]) -> dict[str, Any]:
    """`views` are those of the moments that `turns_of` names, and of the end, each with its turn."""
    view = scene.view
    assert isinstance(view, KingsView)
    names = {person.number: person.called for person in scene.people}
    seats = [person.number for person in scene.people]
    title, how = ended(scene, view)
    drawn = charts(views, seats)
    luck = luck_of(scene.lines, seats)
    final = {seat: [chart.lines[seat][-1] for chart in drawn] for seat in seats}
    winners = view.result.winners if view.result else ()
    order = sorted(seats, key=lambda seat: (seat not in winners, [-each for each in final[seat]]))
    return {
        "title": title,
        "how": how,
        "turns": view.turn,
        "marks": seat_marks(),
        "figures": list(FIGURES),
        "standings": [(crest(seat), names[seat], final[seat], seat in winners, luck[seat].words) for seat in order],
        "has_luck": any(each.dice for each in luck.values()),
        "charts": [(chart.name, draw_chart(chart, names), chart.rows) for chart in drawn],
        "names": [names[seat] for seat in seats],
        "moments": moments(scene, turns_of(scene.lines)),
    }
