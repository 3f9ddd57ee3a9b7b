"""Support: creatures serve whoever owns their terrain or has its Terrain Lord with them; others are bluffs (8.3)."""

from __future__ import annotations

from .state import KingsState


def terrains_of(state: KingsState, seat: int) -> set[str]:
    """The terrains whose creatures a seat supports everywhere: those of its hexes."""
    return {each.terrain for each in state.hexes.values() if each.owner == seat}


def lords_in(state: KingsState, seat: int, place: str) -> set[str]:
    """The terrains a seat's Terrain Lords bring with them into a hex."""
    return {state.kind(n).lord_of for n in state.of(seat, place)} - {""}


def is_supported(state: KingsState, number: int) -> bool:
    """Wild creatures need no support, heroes neither (10.12, 8.24)."""
    counter, kind = state.counters[number], state.kind(number)
    if kind.sort != "creature" or counter.owner is None:
        return True
    return kind.terrain in terrains_of(state, counter.owner) or kind.terrain in lords_in(
        state, counter.owner, counter.place
    )


def bluffs_in(state: KingsState, place: str) -> list[int]:
    """Face-up creatures in a hex that nobody and nothing supports."""
    return [
        number
        for number in state.at(place)
        if state.counters[number].face_up and state.kind(number).sort == "creature" and not is_supported(state, number)
    ]
