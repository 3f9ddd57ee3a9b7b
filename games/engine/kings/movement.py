"""Movement: what a step costs, who may march, and what each seat may know of it (9)."""

from __future__ import annotations

from .catalogue import ROUGH, SEA
from .marches import Marches, Walker
from .stacks import army, is_fortified, is_stopped_in, most_in, room
from .state import KingsState

POINTS = 4


def cost(terrain: str) -> int:
    """Two points into swamp, mountain, forest and jungle, one into everything else (9.11)."""
    return 2 if terrain in ROUGH else 1


def points_left(state: KingsState, number: int) -> int:
    return POINTS - state.counters[number].spent


def marches(
    state: KingsState, seat: int, movable: dict[str, list[int]], bound: list[int], escorts: list[int], led: list[int]
) -> Marches:
    """The marches of a seat's counters: `movable` by hex, `escorts` began the phase with Deerhunter, `led` are pinned
    and can leave only with Deerhunter."""
    walkers = {}
    for place, numbers in movable.items():
        for number in numbers:
            kind = state.kind(number)
            tag = state.counters[number].tag
            walkers[tag] = Walker(
                tag,
                place,
                points_left(state, number),
                kind.flies,
                with_deerhunter=number in escorts,
                is_deerhunter=kind.slug == "deerhunter",
                only_led=number in led,
            )
    hexes = state.hexes
    stops, space = stops_and_room(state, seat)
    return Marches(
        players=len(state.seats),
        walkers=walkers,
        cost={place: cost(here.terrain) for place, here in hexes.items()},
        seas=frozenset(place for place, here in hexes.items() if here.terrain == SEA),
        stops=frozenset(stops),
        room=space,
        bound=state.tags_of(bound),
    )


def stops_and_room(state: KingsState, seat: int) -> tuple[set[str], dict[str, int]]:
    """is_stopped_in and room for every hex at once. Most hexes are empty: only the others are looked at closely."""
    stops: set[str] = set()
    space: dict[str, int] = {}
    for place, here in state.hexes.items():
        if not state.at(place):
            space[place] = most_in(state, place)
            unexplored = here.owner is None and here.terrain != SEA
            if unexplored or (here.fort and here.owner != seat and is_fortified(state, place)):
                stops.add(place)
        else:
            space[place] = room(state, seat, place)
            if is_stopped_in(state, seat, place):
                stops.add(place)
    return stops, space


def stacks_of(state: KingsState, seat: int) -> dict[str, list[int]]:
    """A seat's creatures and heroes, by hex."""
    counters, found = state.counters, {}
    for place in state.hexes:
        there = state.at(place)
        if there and any(counters[n].owner == seat for n in there):
            numbers = army(state, seat, place)
            if numbers:
                found[place] = numbers
    return found
