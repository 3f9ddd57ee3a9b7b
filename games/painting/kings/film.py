"""The film: what happened, as a list of shots for the page's script to play, each with a caption.

It is told from the log as this viewer hears it and from nothing else, so a shot never shows more than a line of text
does. The list grows at its end as the log does. Which of its shots a page has shown is known to that page alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol, TypeVar

from django.utils.safestring import SafeString

from games.engine.core.grown import Grown, beyond
from games.engine.kings.terms import is_hit

from ..markup import element, join
from ..scene import Line, Scene
from .battle import DICE as FACES
from .board import pile
from .captions import caption_of, side_of
from .line_up import LineUp, draw_line_up, line_up_of
from .log import concerns
from .looks import SEATS, BacksLook
from .teller import Caption, Die, Teller, at_place, enumerated

MOST_LINES, LINES_AT_ONCE = 120, 10  # of the log that the film goes back, and how many leave it together
MOST_JOINED = 6  # lines in one shot
# what a player has just done, and has seen themselves do: shown in passing, and no question waits for it
OWN = frozenset(
    (
        *("marched", "retreated", "placed_creatures", "placed_income", "claimed", "start_chosen", "exchanged"),
        *("recruiting", "paid_more", "drew", "drew_these", "traded", "built", "cashed_in", "discarded", "discharged"),
        *("event_played", "item_played", "bribed", "target_named", "aimed_at", "income_removed", "hero_turned"),
        *("start_gold", "end_proposed", "draw_proposed", "end_declined", "taken_back"),
    )
)
# what everybody at the table looks up for: shown longer
GREAT = frozenset(("battle", "battle-over", "strike", "losses", "walls", "capture", "bluff", "hero-lost", "event"))
GREATEST = frozenset(("out", "won", "citadel"))


@dataclass(frozen=True, slots=True)
class Shot:
    """One thing to see: the lines of the log it tells, from `number` to `last`, and how."""

    number: int
    last: int
    at: int  # the revision
    kind: str
    title: str
    says: str
    places: tuple[str, ...]
    path: tuple[str, ...]
    seat: int | None
    count: int
    dice: tuple[Die, ...]
    throws: tuple[tuple[int, int | None, int], ...]  # whose dice they are: side, against whom, how many
    falls: tuple[str, ...]  # who falls (teller.py)
    is_mine: bool  # this viewer comes into it
    is_own: bool  # it is this viewer's own doing
    line_up: LineUp | None = None  # who stood there when a battle began


def film_rows(scene: Scene, before: Any) -> Grown[Shot]:
    """The shots of the end of the log."""
    return end_of_log(scene, before, "film", shots)


class Numbered(Protocol):
    """A row made from the log, with the number of its first line."""

    @property
    def number(self) -> int: ...


Row = TypeVar("Row", bound=Numbered)


def end_of_log(scene: Scene, before: Any, slot: str, made: Callable[[Scene, int], Iterable[Row]]) -> Grown[Row]:
    """Rows made from the end of the log. Like the log they begin at a round number; old ones leave ten at a time."""
    lines = scene.lines
    first = -(-max(0, len(lines) - MOST_LINES) // LINES_AT_ONCE) * LINES_AT_ONCE
    if (
        before is not None
        and beyond(lines, before.scene.lines) is not None
        and before.scene.view.seat == scene.view.seat
    ):
        known: Grown[Row] = before.lists[slot]
        if known and known[0].number < first:
            known = Grown(row for row in known if row.number >= first)
        new = [row for row in made(scene, len(before.scene.lines)) if row.number >= first]
        return known.plus(new) if new else known
    start = first
    while start and lines[start - 1].revision == lines[start].revision:
        start -= 1
    return Grown(row for row in made(scene, start) if row.number >= first)


def shots(scene: Scene, start: int) -> Iterator[Shot]:
    """What the lines from there on show. Lines of one action that belong together are one shot."""
    seat, lines = scene.view.seat, scene.lines
    if start >= len(lines):
        return
    tell = Teller(scene.names, None if scene.is_shared else seat, lines)
    open_: list[tuple[int, Caption]] = []
    for number in range(start, len(lines)):
        caption = caption_of(tell, number)
        if caption is None:
            continue
        if open_ and not belongs(open_, caption, lines[number].revision == lines[open_[0][0]].revision):
            yield shot_of(scene, open_, seat)
            open_ = []
        open_.append((number, caption))
    if open_:
        yield shot_of(scene, open_, seat)


def belongs(shown: list[tuple[int, Caption]], caption: Caption, same_action: bool) -> bool:
    """Dice of several steps of a round are several shots, and so is what several players place at the same time."""
    first = shown[0][1]
    is_other_step = caption.kind == "strike" and caption.title != first.title
    is_other_hand = caption.kind == "place" and caption.seat != first.seat
    is_apart = is_other_step or is_other_hand
    return same_action and first.kind in caption.joins and len(shown) < MOST_JOINED and not is_apart


def shot_of(scene: Scene, told: list[tuple[int, Caption]], seat: int | None) -> Shot:
    captions = [caption for _, caption in told]
    first, lines = captions[0], [scene.lines[number] for number, _ in told]
    own = all(line.event in OWN and line.facts.get("seat", seat) == seat for line in lines)
    return Shot(
        number=told[0][0],
        last=told[-1][0],
        at=lines[0].revision,
        kind=first.kind,
        title=first.title,
        says=said(captions),
        places=tuple(dict.fromkeys(caption.place for caption in captions if caption.place)),
        path=first.path,
        seat=first.seat,
        count=first.count,
        dice=tuple(die for caption in captions for die in caption.dice),
        throws=tuple((side_of(each.seat), each.against, len(each.dice)) for each in captions if each.dice),
        falls=tuple(fall for caption in captions for fall in caption.falls),
        is_mine=any(concerns(line, seat) for line in lines),
        is_own=seat is not None and own,
        line_up=next((line_up_of(scene.lines, at, scene.names) for at, line in began(scene, told)), None),
    )


def began(scene: Scene, told: list[tuple[int, Caption]]) -> Iterator[tuple[int, Line]]:
    """The line with which a battle began, if the shot tells it."""
    numbered = ((number, scene.lines[number]) for number, _ in told)
    return ((number, line) for number, line in numbered if line.event == "battle_began")


def said(captions: list[Caption]) -> str:
    """The sentences of all; what is told of the same seat once more is added to its sentence as a list."""
    sentences: list[list[str]] = []
    seat = None
    for caption in captions:
        if sentences and caption.again and caption.seat == seat:
            sentences[-1].append(caption.again)
        elif caption.says:
            sentences.append([caption.says])
        seat = caption.seat
    return " ".join(f"{enumerated([first.removesuffix('.'), *more])}." if more else first for first, *more in sentences)


# ---- the past


def draw_step(scene: Scene) -> SafeString:
    """The shots of the action that led to this position."""
    return join(*(draw_shot(shot, "past") for shot in shots(scene, start_of_step(scene))))


def start_of_step(scene: Scene) -> int:
    """The first line of the action that led to this position."""
    start = len(scene.lines)
    while start and scene.lines[start - 1].revision == scene.view.revision:
        start -= 1
    return start


Chapter = tuple[str, tuple[tuple[int, str], ...]]  # what they are, and the revision and name of each


def chapters(scene: Scene) -> tuple[Chapter, ...]:
    """Where one may jump to: turns, battles, and what the viewer lost."""
    told = [(number, line) for number, line in enumerate(scene.lines) if not line.taken_back]
    turns = tuple((line.revision, f"Turn {line.facts['number']}") for _, line in told if line.event == "turn_began")
    battles = tuple((line.revision, f"Battle in {at_place(line)}") for _, line in told if line.event == "battle_began")
    lost = tuple(dict.fromkeys(losses(scene)))
    found = (("Turns", turns), ("Battles", battles), ("My losses", lost))
    return tuple((what, each) for what, each in found if each)


LOSSES = ("fell", "lost_counters", "crowded", "bluffs_removed", "lost_walls", "lost_town", "vandalized", "caught")
LOST_TO = ("captured", "assassinated", "defected", "stole_gold", "stole_counter")  # these name the loser as `by`


def losses(scene: Scene) -> Iterator[tuple[int, str]]:
    seat = scene.view.seat
    tell = Teller(scene.names, None if scene.is_shared else seat, scene.lines)
    for number, line in enumerate(scene.lines):
        loser = (
            line.facts.get("seat") if line.event in LOSSES else line.facts.get("by") if line.event in LOST_TO else None
        )
        if seat is not None and loser == seat and (caption := caption_of(tell, number)):
            yield line.revision, caption.says.removesuffix(".")


# ---- drawing


@lru_cache(maxsize=512)
def draw_shot(shot: Shot, name: str = "film", **attributes: object) -> SafeString:
    return element(
        "li",
        element("strong", shot.title) if shot.title else "",
        " " if shot.title and shot.says else "",
        element("span", shot.says) if shot.says else "",
        *draw_throws(shot),
        draw_line_up(shot.line_up, shot.number) if shot.line_up else "",
        id=f"{name}-{shot.number}",
        class_=classes(shot),
        data_kind=shot.kind,
        data_at=shot.at,
        data_last=shot.last if shot.last > shot.number else None,
        data_place=" ".join(shot.places) or None,
        data_path=" ".join(shot.path) or None,
        data_seat=shot.seat if shot.seat is not None and shot.seat >= 0 else None,
        data_count=shot.count or None,
        data_falls="|".join(shot.falls) or None,
        **attributes,
    )


def draw_throws(shot: Shot) -> Iterator[SafeString]:
    """A line for the dice of each side; `data-throw` says who strikes at whom."""
    at = 0
    for side, against, count in shot.throws:
        dice, at = shot.dice[at : at + count], at + count
        throw = f"{side} {against}" if against is not None else None
        yield element("span", *draw_dice(dice), class_="film-dice", data_throw=throw)


def classes(shot: Shot) -> str:
    weight = " greatest" if shot.kind in GREATEST else " great" if shot.kind in GREAT else ""
    return f"shot{' mine' if shot.is_mine else ''}{' own' if shot.is_own else ''}{weight}"


def draw_dice(dice: Iterable[Die]) -> Iterator[SafeString]:
    """Each die with whose it is, what it needs and whether it hits, as far as the log tells. There may be dozens."""
    for name, face, need in dice:
        verdict = "" if not need else "hit" if is_hit(face, need) else "miss"
        whose = f"{name} {need}: " if name and need else f"{name}: " if name else ""
        shown = element("b", FACES[face] if 1 <= face <= 6 else face, class_="die")
        yield element("i", whose, shown, f" {verdict}" if verdict else "", class_=f"die-of {verdict}".rstrip())


def ghosts() -> SafeString:
    """A stack of each seat as everybody may see it: backs with a number. The script moves copies of them."""
    return join(
        *(
            element("g", pile(BacksLook(number, 2)), class_=f"chit back {name}", data_ghost=number)
            for number, name in enumerate(SEATS)
        )
    )
