"""Moments of random games of Kings & Things* at which somebody is shown odds."""

from __future__ import annotations

import pytest

from games.engine.core.rules import Rules
from games.engine.fuzz import random_game
from games.engine.kings import KINGS
from games.engine.kings.odds import prospects
from games.engine.kings.state import KingsState


def takes_part(state: KingsState) -> list[int]:
    """Seats with something to win or lose at this moment."""
    return [seat for seat in state.seats if prospects(KINGS.view(state, seat))]


def moments_with_odds(name: str, games: int, every: int, about: int) -> list[tuple[KingsState, int]]:
    """About so many, each with a seat that sees odds; the name is the seed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Rules, "check_codec", False)
        runs = [random_game(KINGS, 2 + n % 3, f"{name} {n}", 500)[0] for n in range(games)]
    found = []
    for state in (state for each in runs for state in each.states[::every]):
        state.options = {**state.options, "odds": "shown"}
        found += [(state, seat) for seat in takes_part(state)]
    return found[:: max(1, len(found) // about)]
