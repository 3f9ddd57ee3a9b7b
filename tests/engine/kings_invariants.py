"""What must hold in Kings & Things* after every action, whatever was played (C9)."""

from __future__ import annotations

from collections import Counter as Tally

from games.engine.kings.catalogue import CITADEL, FORT_COPIES, HEROES, HEXES, KINDS, OTHER_FACE, SEA, THINGS
from games.engine.kings.stacks import army
from games.engine.kings.state import CUP, GONE, POOL, SHOWN, KingsState

BOX = Tally({kind.slug: kind.copies for kind in THINGS})
PAIRS = Tally(front.slug for front, _ in HEROES)
# Procedures in which a rack may hold more than ten for a moment, or a hex more than ten creatures.
DRAWING = {"deploy", "full_rack", "set_up", "place_together", "place_in_turn", "draw_things", "capture"}
CROWDING = {"battle", "too_many", "marching", "aftermath", "movement", "escape"}


def check(state: KingsState) -> None:
    box_is_whole(state)
    everything_is_somewhere(state)
    gold_and_racks(state)
    hexes_are_right(state)
    index_is_true(state)


def box_is_whole(state: KingsState) -> None:
    kinds = Tally(c.kind for c in state.counters.values())
    things = Tally({kind: n for kind, n in kinds.items() if kind in BOX})
    assert things == BOX, f"the box has changed: {things - BOX} too many, {BOX - things} missing"
    heroes = Tally(k if k in PAIRS else OTHER_FACE[k] for k in kinds.elements() if KINDS[k].sort == "hero")
    assert heroes == PAIRS, "a hero's counter is missing or double"
    tiles = Tally(each.terrain for each in state.hexes.values())
    tiles += Tally(state.extras["deck"]) + Tally(state.extras["aside"])
    assert tiles == Tally(HEXES), f"hexes have changed: {tiles}"
    forts = Tally(each.fort for each in state.hexes.values() if each.fort)
    assert all(count <= FORT_COPIES[level] for level, count in forts.items()), f"more forts than there are: {forts}"


def everything_is_somewhere(state: KingsState) -> None:
    known = {CUP, POOL, GONE, SHOWN, *state.hexes, *(f"rack:{seat}" for seat in state.seats)}
    for c in state.counters.values():
        kind = KINDS[c.kind]
        where = f"{c.kind} {c}"
        assert c.place in known, where
        assert (kind.sort == "hero") >= (c.place == POOL), where
        if c.place == CUP:
            assert c.owner is None and not c.tag and not c.face_up, where
        if c.place.startswith("rack:"):
            assert c.owner == int(c.place[5:]) and not c.face_up and c.tag, where
            assert kind.sort != "hero", where
            assert not state.seats[c.owner].out, where
        if c.place in state.hexes:
            assert c.tag, where
            assert c.owner is None or not state.seats[c.owner].out, where
            assert kind.sort in ("creature", "hero", "income") or state.flow or state.result, where
            assert c.face_up or (kind.sort == "creature" and c.owner is not None), where
    tags = [c.tag for c in state.counters.values() if c.tag]
    assert len(tags) == len(set(tags)), "two counters have one name"


def gold_and_racks(state: KingsState) -> None:
    names = {frame.name() for frame in state.flow}
    for seat in state.seats.values():
        assert seat.gold >= 0
        if not names & DRAWING:
            assert len(state.rack(seat.number)) <= 10, f"a rack of {len(state.rack(seat.number))} in {names}"


def hexes_are_right(state: KingsState) -> None:
    names = {frame.name() for frame in state.flow}
    for place, here in state.hexes.items():
        income = [n for n in state.at(place) if state.kind(n).sort == "income"]
        if not names & {"explore"}:
            assert len(income) <= 1, f"{len(income)} special income counters in {place}"
        for number in income:
            assert state.counters[number].owner == here.owner, f"income in {place} has another owner than the hex"
        if here.terrain == SEA:
            assert here.owner is None or names & {"set_up"}, f"{place} is sea and owned"
            assert not here.fort
        assert here.owner is None or not state.seats[here.owner].out
        assert here.fort == 0 or here.owner is not None, f"a fort of nobody in {place}"
        assert 0 <= here.damage <= here.fort
        if not names & {"battle", "aftermath"}:
            assert here.damage == 0, f"damage outlasts the battle in {place}"
        if here.fort != CITADEL and not names & CROWDING:
            for seat in state.seats:
                # The Warlord may bring more than ten together until that stack moves (X13).
                count = len(army(state, seat, place))
                assert count <= 10 or "warlord" in str([c.kind for c in state.counters.values()]), f"{count} in {place}"


def index_is_true(state: KingsState) -> None:
    for place, numbers in state.places.items():
        assert list(numbers) == sorted(numbers)
        assert all(state.counters[n].place == place for n in numbers), f"the index of {place} is wrong"
    assert sum(len(numbers) for numbers in state.places.values()) == len(state.counters)
    assert state.tags == {c.tag: n for n, c in state.counters.items() if c.tag}
    assert state.magic == {c.kind: n for n, c in state.counters.items() if KINDS[c.kind].sort == "magic"}
