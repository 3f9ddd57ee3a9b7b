"""Invariants of Kings & Things*: what must be true after every action (C9)."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable

from ..core.events import Event, Told
from .catalogue import CITADEL, FORT_COPIES, HEROES, HEXES, KINDS, OTHER_FACE, SEA, THINGS
from .events import (
    Bribed,
    Built,
    CashedIn,
    Collected,
    Drew,
    Earned,
    PaidMore,
    Recruiting,
    SeatOut,
    StartGold,
    StoleGold,
)
from .stacks import army
from .state import CUP, GONE, POOL, SHOWN, KingsState

BOX = Tally({kind.slug: kind.copies for kind in THINGS})
PAIRS = Tally(front.slug for front, _ in HEROES)
# Procedures in which a rack may hold more than ten for a moment, or a hex more than ten creatures.
DRAWING = {
    "deploy",
    "full_rack",
    "set_up",
    "place_together",
    "place_in_turn",
    "draw_things",
    "draw_together",
    "capture",
}
CROWDING = {"battle", "too_many", "marching", "aftermath", "movement", "escape"}


class Broken(Exception):
    """Something holds no more that must always hold: a bug in the rules."""


def must(holds: object, what: str) -> None:
    if not holds:
        raise Broken(what)


def check(state: KingsState) -> None:
    box_is_whole(state)
    everything_is_somewhere(state)
    gold_and_racks(state)
    hexes_are_right(state)
    index_is_true(state)


def box_is_whole(state: KingsState) -> None:
    kinds = Tally(c.kind for c in state.counters.values())
    things = Tally({kind: n for kind, n in kinds.items() if kind in BOX})
    must(things == BOX, f"the box has changed: {things - BOX} too many, {BOX - things} missing")
    heroes = Tally(k if k in PAIRS else OTHER_FACE[k] for k in kinds.elements() if KINDS[k].sort == "hero")
    must(heroes == PAIRS, "a hero's counter is missing or double")
    tiles = Tally(each.terrain for each in state.hexes.values())
    tiles += Tally(state.extras["deck"]) + Tally(state.extras["aside"])
    must(tiles == Tally(HEXES), f"hexes have changed: {tiles}")
    forts = Tally(each.fort for each in state.hexes.values() if each.fort)
    must(all(count <= FORT_COPIES[level] for level, count in forts.items()), f"more forts than there are: {forts}")


def everything_is_somewhere(state: KingsState) -> None:
    known = {CUP, POOL, GONE, SHOWN, *state.hexes, *(f"rack:{seat}" for seat in state.seats)}
    for c in state.counters.values():
        kind = KINDS[c.kind]
        where = f"{c.kind} {c}"
        must(c.place in known, where)
        must((kind.sort == "hero") >= (c.place == POOL), where)
        if c.place == CUP:
            must(c.owner is None and not c.tag and not c.face_up, where)
        if c.place.startswith("rack:"):
            must(c.owner == int(c.place[5:]) and not c.face_up and c.tag, where)
            must(kind.sort != "hero", where)
            must(not state.seats[int(c.place[5:])].out, where)
        if c.place in state.hexes:
            must(c.tag, where)
            must(c.owner is None or not state.seats[c.owner].out, where)
            must(kind.sort in ("creature", "hero", "income") or state.flow or state.result, where)
            must(c.face_up or (kind.sort == "creature" and c.owner is not None), where)
    tags = [c.tag for c in state.counters.values() if c.tag]
    must(len(tags) == len(set(tags)), "two counters have one name")


def gold_and_racks(state: KingsState) -> None:
    names = {frame.name() for frame in state.flow}
    for seat in state.seats.values():
        must(seat.gold >= 0, f"seat {seat.number} has less than no gold")
        if state.result is None and not names & DRAWING:
            must(len(state.rack(seat.number)) <= 10, f"a rack of {len(state.rack(seat.number))} in {names}")


def hexes_are_right(state: KingsState) -> None:
    names = {frame.name() for frame in state.flow}
    warlord_is_up = any(state.counters[n].kind == "warlord" for n in state.hero_numbers)
    for place, here in state.hexes.items():
        income = [n for n in state.at(place) if state.kind(n).sort == "income"]
        if not names & {"explore"}:
            must(len(income) <= 1, f"{len(income)} special income counters in {place}")
        for number in income:
            must(state.counters[number].owner == here.owner, f"income in {place} has another owner than the hex")
        if here.terrain == SEA:
            must(here.owner is None or names & {"set_up"}, f"{place} is sea and owned")
            must(not here.fort, f"a fort in the sea at {place}")
        must(here.owner is None or not state.seats[here.owner].out, f"{place} belongs to somebody who is out")
        must(here.fort == 0 or here.owner is not None, f"a fort of nobody in {place}")
        must(0 <= here.damage <= here.fort, f"more damage than fort in {place}")
        if not names & {"battle", "aftermath"}:
            must(here.damage == 0, f"damage outlasts the battle in {place}")
        if here.fort != CITADEL and not names & CROWDING:
            for seat in state.seats:
                # The Warlord may bring more than ten together until that stack moves (X13).
                count = len(army(state, seat, place))
                must(count <= 10 or warlord_is_up, f"{count} of one player in {place}")


def index_is_true(state: KingsState) -> None:
    for place, numbers in state.places.items():
        must(list(numbers) == sorted(numbers), f"the index of {place} is out of order")
        must(all(state.counters[n].place == place for n in numbers), f"the index of {place} is wrong")
    must(sum(map(len, state.places.values())) == len(state.counters), "the index has lost a counter")
    must(state.tags == {c.tag: n for n, c in state.counters.items() if c.tag}, "the index of tags is wrong")
    magic = {c.kind: n for n, c in state.counters.items() if KINDS[c.kind].sort == "magic"}
    must(state.magic == magic, "the index of magic items is wrong")


def check_gold(before: KingsState, told: Iterable[Told], after: KingsState) -> None:
    """Gold changes only by what the log says."""
    expected = {number: seat.gold for number, seat in before.seats.items()}
    for each in told:
        for seat, amount in gold_moved(each.event):
            expected[seat] += amount
        if isinstance(each.event, SeatOut):
            expected[each.event.seat] = 0
    found = {number: seat.gold for number, seat in after.seats.items()}
    must(found == expected, f"gold is {found}, but by the log it should be {expected}")


def gold_moved(event: Event) -> list[tuple[int, int]]:
    match event:
        case Collected(seat=seat, gold=gold) | CashedIn(seat=seat, gold=gold) | StartGold(seat=seat, gold=gold):
            return [(seat, gold)]
        case Earned(seat=seat, amount=amount):
            return [(seat, amount)]
        case Recruiting(seat=seat, gold=gold) | PaidMore(seat=seat, gold=gold) | Bribed(seat=seat, gold=gold):
            return [(seat, -gold)]
        case Built(seat=seat, gold=gold):
            return [(seat, -gold)]
        case Drew(seat=seat, paid=paid):
            return [(seat, -5 * paid)]
        case StoleGold(seat=seat, by=victim, amount=amount):
            return [(seat, amount), (victim, -amount)]
    return []
