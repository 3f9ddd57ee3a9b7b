"""Scenarios: a position, dice, actions and what must come of them, as a text (docs/scenarios.md says how to write one).

A scenario that fails says where, what it expected and what it found. Nothing in it is left to chance: dice and draws
are written down, and a script that runs out, does not fit or is not used up fails too.
"""

from __future__ import annotations

from .playing import Game
from .position import Position
from .reading import Failure, Scenario, read, scenarios_in
from .saying import VERBS
from .table import ScenarioState, Script

__all__ = [
    "VERBS",
    "Failure",
    "Game",
    "Position",
    "Scenario",
    "ScenarioState",
    "Script",
    "failures_of",
    "read",
    "run_text",
    "scenarios_in",
]


def failures_of(scenario: Scenario) -> list[Failure]:
    """Play a scenario; an empty list means that all is as it says."""
    return Game(scenario).play()


def run_text(text: str, path: str = "text") -> list[Failure]:
    found = read(text, path)
    if not found:
        return [Failure(path, "", 1, "there is no scenario here: each begins with a line title: …")]
    return [failure for scenario in found for failure in failures_of(scenario)]
