"""Forts: what may be built where (12.1), and when a citadel (4.1)."""

from __future__ import annotations

from .catalogue import CITADEL, SEA
from .income import income, needed_for_citadel
from .state import KingsState

FORT_PRICE = 5


def has_citadel(state: KingsState, seat: int) -> bool:
    return any(each.owner == seat and each.fort == CITADEL for each in state.hexes.values())


def why_not_higher(state: KingsState, seat: int, place: str, *, citadel: bool = True) -> str:
    """The code of the reason why a hex cannot get its next level of fort; empty if it can."""
    here = state.hexes.get(place)
    if here is None or here.owner != seat or here.terrain == SEA:
        return "not_your_hex"
    if here.fort == CITADEL:
        return "highest_fort"
    if not state.forts_left(here.fort + 1):
        return "no_fort_left"
    if here.fort + 1 == CITADEL:
        if not citadel:
            return "no_citadel_so"
        if has_citadel(state, seat):
            return "one_citadel"
        if income(state, seat).total < needed_for_citadel(state):
            return "income_too_low"
    return ""


def sites(state: KingsState, seat: int, built: list[str]) -> list[str]:
    """Hexes where this seat may build now: one level a hex and turn (12.12)."""
    return [p for p in state.owned(seat) if p not in built and not why_not_higher(state, seat, p)]
