"""States that look the same to one seat: for the twin test (C1), and for bots that think about what they cannot see."""

from __future__ import annotations

from collections.abc import Container
from typing import Any

from ..core.dice import Dice
from ..core.state import Counter, Hex, Seat
from ..core.view import Face
from .box import shuffled
from .catalogue import HEXES, KINDS
from .state import CUP, IN_PLAY, KingsState, rack
from .view import KingsFace, KingsView


def hidden_from(state: KingsState, seat: int | None) -> list[int]:
    """Counters whose kind a seat cannot know: in the cup, on others' racks, face down on the map."""
    found = []
    for number, c in state.counters.items():
        if (
            c.place == CUP
            or (c.place.startswith("rack:") and c.place != f"rack:{seat}")
            or c.place in state.hexes
            and not c.face_up
            and c.owner != seat
        ):
            found.append(number)
    return found


def dealt_anew(state: KingsState, seat: int | None, dice: Dice) -> KingsState:
    """All that is hidden from a seat dealt anew, and others' sealed answers forgotten; creatures stay creatures where
    only those can lie."""
    twin = state.copy()
    twin.dice = Dice(*dice.keys, numbers=state.dice.numbers)
    numbers = hidden_from(state, seat)
    if state.options["reactions"] == "holders":
        # There a pause may tell who holds an item; the table has chosen that (R2).
        numbers = [n for n in numbers if state.kind(n).sort != "magic"]
    on_map = [n for n in numbers if state.counters[n].place in state.hexes]
    elsewhere = [n for n in numbers if state.counters[n].place not in state.hexes]
    kinds = shuffled([state.counters[n].kind for n in numbers], dice, "twin")
    creatures = [kind for kind in kinds if KINDS[kind].sort == "creature"]
    others = [kind for kind in kinds if KINDS[kind].sort != "creature"]
    for number in on_map:
        twin.change_counter(number, kind=creatures.pop())
    rest = shuffled([*creatures, *others], dice, "twin")
    for number in elsewhere:
        twin.change_counter(number, kind=rest.pop())
    face_down = [place for place, here in state.hexes.items() if not here.face_up]
    for place, terrain in zip(face_down, shuffled([state.hexes[p].terrain for p in face_down], dice, "twin")):
        twin.change_hex(place, terrain=terrain)
    for frame in twin.flow:
        frame.keep_answers_of(seat)  # type: ignore[attr-defined]
    twin.index()
    twin.offered = None
    return twin


def imagined(view: KingsView, dice: Dice) -> KingsState:
    """Some state that fits a View: what it shows as shown, the rest of the box dealt where hidden counters are."""
    state = KingsState(game="imagined", options=dict(view.options), dice=dice.copy())
    for each in view.seats:
        state.seats[each.number] = Seat(each.number, getattr(each, "gold", 0), each.out)
    for here in view.hexes:
        state.hexes[here.place] = Hex(here.place, here.terrain, bool(here.terrain), here.owner, here.fort, here.damage)
    kinds = shuffled(list(view.unseen), dice, "imagine")
    creatures = [kind for kind in kinds if KINDS[kind].sort == "creature"]
    others = [kind for kind in kinds if KINDS[kind].sort != "creature"]
    number = 0

    def add(kind: str, place: str, owner: int | None, face_up: bool, tag: str = "", spent: int = 0) -> None:
        nonlocal number
        number += 1
        state.counters[number] = Counter(number, kind, place, owner, face_up, tag, spent)

    for counter in view.counters:
        if isinstance(counter, Face):
            spent = spent_as_seen(counter, state.hexes)
            add(counter.kind, counter.place, counter.owner, counter.face_up, counter.tag, spent)
        else:
            add(creatures.pop(), counter.place, counter.owner, False, counter.tag)
    rest = shuffled([*creatures, *others], dice, "imagine")
    for each in view.seats:
        if each.number != view.seat:
            for _ in range(getattr(each, "rack", 0)):
                add(rest.pop(), rack(each.number), each.number, False)
    for kind in rest:
        add(kind, CUP, None, False)
    state.extras = imagined_extras(view)
    state.index()
    state.extras["balloon"] = state.numbers_of(view.balloon)
    return state


def spent_as_seen(counter: Face, hexes: Container[str]) -> int:
    """Hits that a city or village has taken, and that a player's magic on the map is at work; how far others have
    marched no View tells."""
    if KINDS[counter.kind].sort == "magic":
        return IN_PLAY if counter.place in hexes and counter.owner is not None else 0
    return counter.hits if isinstance(counter, KingsFace) else 0


def imagined_extras(view: KingsView) -> dict[str, Any]:
    tiles = dict(HEXES)
    for here in view.hexes:
        if here.terrain:
            tiles[here.terrain] -= 1
    return {
        "order": list(view.order),
        "turn": view.turn,
        "phase": view.phase,
        "cloud": view.cloud,
        "sole": list(view.sole) or None,
        "rolled": [],
        "orders": {} if view.seat is None else {str(view.seat): dict(view.orders)},
        "proposal": None,
        "balloon": [],
        "fled": [],
        "undo": {"seat": -1, "back": []},
        "deck": [terrain for terrain, count in sorted(tiles.items()) for _ in range(max(0, count))],
        "aside": [],
        "true_elimination": view.true_elimination,
        "stewards": [seat for seat in view.order if seat not in view.voters],
        "proposed": [],
        "captured": "",
        "exchanged": [],
    }
