"""Movement: what a step costs, who may march, and what each seat may know of it (9)."""

from __future__ import annotations

from .catalogue import ROUGH, SEA
from .offers import Marches, Walker
from .stacks import army, is_stopped_in, room
from .state import MOST_IN_A_HEX, KingsState

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
    and can leave with him only."""
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
    # Most hexes are empty; only where something lies or stands must be looked at closely.
    quiet = {p for p, here in hexes.items() if not state.at(p) and not here.fort and here.owner is not None}
    return Marches(
        players=len(state.seats),
        walkers=walkers,
        cost={place: cost(here.terrain) for place, here in hexes.items()},
        seas=frozenset(place for place, here in hexes.items() if here.terrain == SEA),
        stops=frozenset(place for place in hexes if place not in quiet and is_stopped_in(state, seat, place)),
        room={place: MOST_IN_A_HEX if place in quiet else room(state, seat, place) for place in hexes},
        bound=state.tags_of(bound),
    )


def stacks_of(state: KingsState, seat: int) -> dict[str, list[int]]:
    """A seat's creatures and heroes, by hex."""
    found = {place: army(state, seat, place) for place in state.hexes if state.at(place)}
    return {place: numbers for place, numbers in found.items() if numbers}
