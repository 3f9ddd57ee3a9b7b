"""Tables of Kings & Things* that stand as a scenario says (docs/scenarios.md), for pages that are to show just that.

For the server's own process (`Server.shell`): whoever opens such a table finds it as if it had been played so far.
"""

from __future__ import annotations

from typing import Any
from unittest import mock

from games.engine.kings import Kings
from games.engine.kings.scenario import Game as ScenarioGame
from games.engine.kings.scenario import ScenarioState, read
from games.engine.kings.state import KingsState
from games.models import Game
from tests.tables import running
from tests.web.kings import NAMES

# Two contested hexes, so that somebody is asked which comes first; the battle for h2 lasts some rounds.
TWO_BATTLES = """
    players: 2
    phase: combat
    turn: 3
    h2 plains B keep: farmers* eagles* villains* | A ogre* giant* cyclops* dwarves_c3*
    h9 swamp A: ghost* | B pirates*
    h3 mountain A
    h5 plains B
    h8 swamp B
"""
# A stands in B's empty land, which is taken when B has marched as well.
MARCHED = """
    players: 2
    phase: march
    turn: 2
    h1 plains A: farmers ogre
    h2 swamp B
    h9 plains A
    h12 swamp B: ghost
    A march farmers: h1 > h2
    A done
"""
# A may march: from h1 into land of their own, easy or rough, and not into the sea.
MARCH = """
    players: 2
    phase: march
    turn: 2
    h1 plains A: farmers ogre
    h2 desert A
    h3 sea
    h4 mountain A
    h5 plains A
    h12 swamp B: ghost
"""

COPIED = ("seats", "hexes", "counters", "extras", "flow", "serial", "era")


def laid(text: str, **values: Any) -> Game:
    """A game that has begun and stands like this; A is ann, B is bob and so on. The dice to come are its own."""
    stands = state_of(text)
    with mock.patch.object(Kings, "begin", lambda rules, state, seats: copy(stands, state)):
        return running(*NAMES[: len(stands.seats)], ruleset="kings", options=dict(stands.options), **values)


def state_of(text: str) -> ScenarioState:
    """Where a scenario's lines lead to, its actions included."""
    (scenario,) = read(f"title: a table\n{text}")
    game = ScenarioGame(scenario)
    for line in scenario.lines:
        game.take(line)
    game.begin()
    assert not game.failures, game.failures
    return game.state


def copy(stands: ScenarioState, state: KingsState) -> None:
    for name in COPIED:
        setattr(state, name, getattr(stands, name))
    state.index()
