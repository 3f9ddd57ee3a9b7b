"""Notes on cards that are no longer true: the viewer's own View says whether, and their own log says why.

A card stays until it is read, but "Clara is about to win" would mislead after her citadel has fallen. The note has the
number of the log line it is about, as a page shows it no sooner than its film has come to that line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from games.engine.core.grown import Grown
from games.engine.kings.catalogue import KINDS
from games.engine.kings.view import KingsSeatView, KingsView

from ..scene import Line, Scene
from .film import end_of_log
from .prompt import sole_citadel
from .teller import Teller
from .tidings import COMES, Note, Reader, Tiding, goal, last_income, tidings

SLUGS = {kind.name: slug for slug, kind in KINDS.items()}
Later = Iterator[tuple[int, Line]]


def tiding_rows(scene: Scene, before: Any) -> Grown[Tiding]:
    """The cards about the end of the log, each with its note as of now."""
    rows = end_of_log(scene, before, "tidings", tidings)
    noted = with_notes(scene, rows)
    return rows if all(old is new for old, new in zip(rows, noted)) else Grown(noted)


def with_notes(scene: Scene, rows: Sequence[Tiding]) -> list[Tiding]:
    view, seat = scene.view, scene.view.seat
    if seat is None:
        return list(rows)
    assert isinstance(view, KingsView)
    reader = Reader(seat, Teller(scene.names, None if scene.is_shared else seat, scene.lines))
    return [noted(reader, view, row) for row in rows]


def noted(reader: Reader, view: KingsView, card: Tiding) -> Tiding:
    find = FINDS.get((card.kind, reader.lines[card.number].event))
    note = find(reader, view, card) if find is not None else None
    return card if note == card.note else replace(card, note=note)


# ---- what may have become of a card; None while it is true


def land_is_back(reader: Reader, view: KingsView, card: Tiding) -> Note | None:
    """Land that was lost and is the reader's own again."""
    if owner_of(view, card.place) != reader.seat:
        return None
    return because(reader, card, lambda line: is_capture(line, card.place), "The hex is held again.")


def battle_made_good(reader: Reader, view: KingsView, card: Tiding) -> Note | None:
    """A lost battle stays lost, but its hex may have been taken since."""
    if owner_of(view, card.place) != reader.seat:
        return None
    won = latest(reader, card, lambda line: is_capture(line, card.place) and line.facts["seat"] == reader.seat)
    return Note(won, f"Since then: {reader.says(won)}", is_undone=False) if won is not None else None


def citadel_no_more(reader: Reader, view: KingsView, card: Tiding) -> Note | None:
    """Somebody held the only citadel."""
    if view.result is not None:
        return game_over(reader, card)
    if sole_citadel(view) == reader.lines[card.number].facts["seat"]:
        return None
    changes = [number for number, *_ in reader.citadels if number > card.number]
    if changes:
        return undone(changes[-1], reader.says(changes[-1]))
    return because(reader, card, lambda line: line.event == "no_sole_citadel", "There is no longer just one citadel.")


def enemy_has_gone(reader: Reader, view: KingsView, card: Tiding) -> Note | None:
    """An enemy had come to the reader's citadel."""
    seat = reader.lines[card.number].facts["seat"]
    if view.result is not None:
        return game_over(reader, card)
    if owner_of(view, card.place) != reader.seat:
        return because(reader, card, lambda line: is_capture(line, card.place), "The citadel has fallen.")
    if any(counter.owner == seat for counter in view.stacks.get(card.place, ())):
        return None
    gone = reader.tell.sentence(f"none of {reader.tell.whose(seat)} counters is there any more.")
    return because(reader, card, lambda line: leaves(line, seat, card.place), gone)


def game_over(reader: Reader, card: Tiding) -> Note:
    number = latest(reader, card, lambda line: line.event == "won")
    return undone(card.number if number is None else number, "The game is over.")


def hero_is_back(reader: Reader, view: KingsView, card: Tiding) -> Note | None:
    facts = reader.lines[card.number].facts
    hero = str(facts["creature"] if "creature" in facts else facts["hero"])
    if SLUGS[hero] not in view.heroes.get(reader.seat, ()):
        return None
    return because(reader, card, lambda line: line.facts.get("hero") == hero, f"The {hero} is back.")


def income_is_up(reader: Reader, view: KingsView, card: Tiding) -> Note | None:
    """What would be collected now, against what was collected before income went down."""
    mine = next((each for each in view.seats if each.number == reader.seat), None)
    income = mine.income if isinstance(mine, KingsSeatView) else None
    was = last_income(reader, card.number)
    if income is None or was is None or income.total < was.facts["gold"]:
        return None
    number = latest(reader, card, lambda line: line.event in BRINGS_GOLD and line.facts.get("seat") == reader.seat)
    says = reader.tell.sentence(f"{reader.tell.whose(reader.seat)} kingdom brings {income.total} gold now.")
    return undone(card.number if number is None else number, says)


FINDS: dict[tuple[str, str], Callable[[Reader, KingsView, Tiding], Note | None]] = {
    ("land", "captured"): land_is_back,
    ("lost", "battle_over"): battle_made_good,
    ("drawn", "battle_over"): battle_made_good,
    ("danger", "sole_citadel"): citadel_no_more,
    ("citadel", "sole_citadel"): citadel_no_more,
    **{("danger", event): enemy_has_gone for event in COMES},
    **{("hero", event): hero_is_back for event in ("fell", "caught", "lord_left", "defected")},
    ("income", "collected"): income_is_up,
}
BRINGS_GOLD = frozenset(("collected", "captured", "claimed", "built", "placed_income", "hero_joined", "defected"))


# ---- what led to it


def undone(number: int, says: str) -> Note:
    return Note(number, f"No longer true: {says}", is_undone=True)


def because(reader: Reader, card: Tiding, undoes: Callable[[Line], bool], otherwise: str) -> Note:
    """A note with the latest line that undid the card; `otherwise`, at once, if the log tells of none."""
    number = latest(reader, card, undoes)
    return undone(card.number, otherwise) if number is None else undone(number, reader.says(number) or otherwise)


def latest(reader: Reader, card: Tiding, is_wanted: Callable[[Line], bool]) -> int | None:
    """The latest such line after a card's own."""
    numbers = range(len(reader.lines) - 1, card.number, -1)
    return next((at for at in numbers if is_line(reader.lines[at], is_wanted)), None)


def is_line(line: Line, is_wanted: Callable[[Line], bool]) -> bool:
    return not line.taken_back and is_wanted(line)


def is_capture(line: Line, place: str) -> bool:
    return line.event in ("captured", "claimed") and bool(line.facts["place"] == place)


def leaves(line: Line, seat: int, place: str) -> bool:
    """A seat's stack leaves a hex, or the battle there is over."""
    facts = line.facts
    if line.event == "marched":
        return bool(facts["seat"] == seat and facts["source"] == place) and goal(line) != place
    if line.event == "retreated":
        return bool(facts["seat"] == seat and facts["place"] == place)
    return line.event == "battle_over" and bool(facts["place"] == place)


def owner_of(view: KingsView, place: str) -> int | None:
    return next((each.owner for each in view.hexes if each.place == place), None)
