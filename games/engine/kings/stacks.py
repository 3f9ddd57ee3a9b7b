"""Who stands in a hex: pure questions, asked by movement, battle, events and views alike."""

from __future__ import annotations

from .catalogue import CITADEL, KINDS, SEA
from .state import IN_PLAY, MOST_IN_A_HEX, WILD, KingsState

UNLIMITED = 1000
ARMY = ("creature", "hero")


def owner_of(side: int) -> int | None:
    return None if side == WILD else side


def army(state: KingsState, side: int, place: str) -> list[int]:
    """A side's creatures and heroes in a hex."""
    numbers = state.at(place)
    if not numbers:
        return []
    counters, owner = state.counters, owner_of(side)
    return [n for n in numbers if counters[n].owner == owner and KINDS[counters[n].kind].sort in ARMY]


def armies(state: KingsState, place: str) -> list[int]:
    """The seats with creatures or heroes in a hex, in player order."""
    numbers = state.at(place)
    if not numbers:
        return []
    counters = state.counters
    here = {counters[n].owner for n in numbers if KINDS[counters[n].kind].sort in ARMY}
    return [seat for seat in state.order if seat in here]


def wild(state: KingsState, place: str) -> list[int]:
    """Everything in a hex that belongs to nobody."""
    return state.of(None, place)


def settlement(state: KingsState, place: str) -> int | None:
    """The city or village of a hex: the special income counters that can fight."""
    return next((n for n in state.at(place) if state.kind(n).sort == "income" and state.kind(n).value), None)


def strength_left(state: KingsState, number: int) -> int:
    """What is left of a city or village after the hits it has taken (11.52)."""
    return max(0, state.kind(number).value - state.counters[number].spent)


def fort_left(state: KingsState, place: str) -> int:
    here = state.hexes[place]
    return max(0, here.fort - here.damage)


def is_fortified(state: KingsState, place: str) -> bool:
    """Whether fort, city or village there can fight."""
    town = settlement(state, place)
    return fort_left(state, place) > 0 or (town is not None and strength_left(state, town) > 0)


def holds(state: KingsState, side: int, place: str) -> bool:
    """Whether a side is still in a fight for a hex: by creatures, heroes or the Golem (X6), or, at home, by walls."""
    owner = owner_of(side)
    for number in state.at(place):
        if state.counters[number].owner == owner:
            kind = state.kind(number)
            if kind.sort in ARMY or (kind.slug == "golem" and state.counters[number].spent == IN_PLAY):
                return True
    return state.hexes[place].owner == owner and is_fortified(state, place)


def enemies_in(state: KingsState, seat: int, place: str) -> list[int]:
    """Seats whose counters stop or pin this seat's there (9.23): creatures, heroes, forts, cities, villages."""
    found = [other for other in armies(state, place) if other != seat]
    owner = state.hexes[place].owner
    if owner is not None and owner != seat and owner not in found and is_fortified(state, place):
        found.append(owner)
    return found


def is_stopped_in(state: KingsState, seat: int, place: str) -> bool:
    """A stack that enters stops there: enemies with a combat value (9.23), or unexplored land (9.42)."""
    here = state.hexes[place]
    return (here.owner is None and here.terrain != SEA) or bool(enemies_in(state, seat, place))


def most_in(state: KingsState, place: str) -> int:
    """Ten of one player's creatures and heroes, any number where a citadel stands (9.22)."""
    return UNLIMITED if state.hexes[place].fort == CITADEL else MOST_IN_A_HEX


def room(state: KingsState, seat: int, place: str) -> int:
    """How many more of a seat's creatures and heroes a hex takes."""
    return most_in(state, place) - len(army(state, seat, place))


def land_of(state: KingsState, seat: int) -> list[str]:
    return [place for place in state.owned(seat) if state.hexes[place].terrain != SEA]


def refuges(state: KingsState, seat: int, place: str) -> list[str]:
    """Adjacent land of one's own without enemy counters, to retreat or escape to (11.6, P4)."""
    return [
        near
        for near in state.map.neighbours[place]
        if state.hexes[near].owner == seat
        and state.hexes[near].terrain != SEA
        and not any(other != seat for other in armies(state, near))
    ]


def is_pinned(state: KingsState, seat: int, place: str) -> bool:
    return bool(enemies_in(state, seat, place))


def pins_by_itself(state: KingsState, other: int, place: str) -> bool:
    """Heroes, forts, cities and villages pin without proof (M4)."""
    if any(state.kind(n).sort == "hero" or state.counters[n].face_up for n in army(state, other, place)):
        return True
    return state.hexes[place].owner == other and is_fortified(state, place)
