"""One game among bots, each seeing only its own View."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import RULESETS
from .bots import consider
from .core.dice import Dice
from .core.replay import Run

MOST_ACTIONS = 20_000


def played_game(game: str, levels: Sequence[str], seed: str, number: int) -> dict[str, Any]:
    """Player p of the match sits in seat (p + number) mod seats, so that nobody keeps the better side."""
    rules = RULESETS[game]
    count = len(levels)
    run = Run.fresh(rules, count, {}, Dice.seeded(f"match {seed} {number}"), game=f"match {seed} {number}")
    player_in = {(player + number) % count: player for player in range(count)}
    faults = 0
    while run.state.result is None and len(run.steps) < MOST_ACTIONS:
        seat = rules.asked(run.state)[0]
        view = rules.view(run.state, seat)
        chance = f"{seed} {number} {run.state.actions} {seat}"
        thought = consider(game, levels[player_in[seat]], view, view.offers, chance)
        faults += bool(thought.fault)
        run.act(seat, thought.action)
    result = run.state.result
    return {
        "game": game,
        "number": number,
        "seats": [levels[player_in[seat]] for seat in range(count)],
        "actions": len(run.steps),
        "faults": faults,  # questions that a bot could not answer by its own rules
        "winners": [player_in[seat] for seat in result.winners] if result else [],
        "ended": result.how if result else "limit",
        "hash": run.hash,
    }
