"""Everything out of the box: the cup filled, heroes tossed, hexes laid out face down (2.11 to 2.14, S1)."""

from __future__ import annotations

from ..core.dice import Dice
from ..core.state import Counter, Hex, Seat
from .catalogue import HEROES, HEXES, SEA, THINGS
from .map import map_for
from .state import CUP, POOL, KingsState


def lay_out(state: KingsState, seats: int) -> None:
    for number in range(seats):
        state.seats[number] = Seat(number)
    fill_cup(state)
    toss_heroes(state)
    lay_hexes(state, seats)
    state.extras |= {
        "order": list(range(seats)),
        "turn": 0,
        "phase": "setup",
        "cloud": "",
        "sole": None,
        "rolled": [],
        "orders": {},
        "proposal": None,
        "balloon": [],
        "fled": [],
        "undo": {"seat": -1, "back": []},
        "stewards": [],
        "proposed": [],
        "true_elimination": False,
        "captured": "",
        "exchanged": [],
    }
    state.index()
    for number in state.at(POOL):
        state.change_counter(number, tag=state.mint())


def fill_cup(state: KingsState) -> None:
    """All Things, each as often as there are counters of it (2.12)."""
    kinds = [kind for kind in THINGS for _ in range(kind.copies)]
    for number, kind in enumerate(kinds, start=1):
        state.counters[number] = Counter(number, kind.slug, CUP, face_up=False)


def toss_heroes(state: KingsState) -> None:
    """Which side of each hero's counter is up is left to chance (2.13)."""
    first = len(state.counters) + 1
    for number, pair in enumerate(HEROES, start=first):
        face = pair[state.dice.throw("hero", sides=2)[0] - 1]
        state.counters[number] = Counter(number, face.slug, POOL, face_up=True)


def lay_hexes(state: KingsState, seats: int) -> None:
    """Some tiles are set aside, the rest shuffled and laid in a spiral; what is left waits for the deck (2.14, S1)."""
    board = map_for(seats).board
    land = [terrain for terrain, count in HEXES.items() if terrain != SEA for _ in range(count)]
    aside = [SEA] * board.set_aside_sea
    for terrain in HEXES:
        if terrain != SEA:
            for _ in range(board.set_aside_land):
                land.remove(terrain)
                aside.append(terrain)
    pile = shuffled([*land, *[SEA] * (HEXES[SEA] - board.set_aside_sea)], state.dice, "hex")
    for place in map_for(seats).places:
        state.hexes[place] = Hex(place, pile.pop())
    state.extras["deck"], state.extras["aside"] = sorted(pile), sorted(aside)


def shuffled(things: list[str], dice: Dice, why: str) -> list[str]:
    left, found = list(things), []
    while left:
        found.append(left.pop(dice.pick(why, len(left))))
    return found
