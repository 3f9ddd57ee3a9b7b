"""Whole games as they were played once, with the chain's hash after every action (C8).

`python -m tests.engine.playthroughs` records them anew, after a change of the rules that was meant to change games: at
least one for every way in which a game can end. With names (`… last_turn citadel`) it records only these.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from games.engine import RULESETS
from games.engine.bots import think
from games.engine.core.dice import Dice
from games.engine.core.replay import Run
from games.engine.fuzz import random_choice

FOLDER = Path(__file__).parent
LENGTH = 10  # letters of each hash that are kept; one wrong bit anywhere changes them


def files() -> list[Path]:
    return sorted(FOLDER.glob("*.json"))


def started(record: dict[str, Any]) -> Run:
    rules = RULESETS[record["game"]]
    return Run.fresh(rules, record["players"], record["options"], Dice.seeded(record["seed"]), game=record["seed"])


def replayed(record: dict[str, Any]) -> Iterator[tuple[int, str, str]]:
    """Play a record again: (number of the action, hash then, hash now)."""
    run = started(record)
    for number, (seat, action, then) in enumerate(record["actions"], start=1):
        run.act(seat, run.rules.parse(action))
        yield number, then, run.hash[:LENGTH]
    result = run.state.result
    assert result is not None and result.how == record["ended"] and list(result.winners) == record["winners"]


def record_of(run: Run, game: str, players: int, options: dict[str, Any], seed: str) -> dict[str, Any]:
    assert run.state.result is not None
    return {
        "game": game,
        "players": players,
        "options": options,
        "seed": seed,
        "ended": run.state.result.how,
        "winners": list(run.state.result.winners),
        "actions": [[step.seat, step.action.plain(), step.hash[:LENGTH]] for step in run.steps],
    }


# ---- recording

WANTED = [
    # file, players, options, actions forced at a number, how it must end
    ("citadel", 4, {}, {}, "citadel"),
    ("citadel_of_two", 2, {"bluffs": "challenge", "wild": "house"}, {}, "citadel"),
    ("two_citadels", 4, {"waiting": "never"}, {}, "two_citadels"),
    ("last_turn", 3, {"last_turn": "10", "reactions": "holders"}, {}, "last_turn"),
    ("last_one", 2, {"resigned": "remove"}, {150: (1, {"do": "resign"})}, "last_one"),
    (
        "one_leaves",
        3,
        {"resigned": "remove", "last_turn": "10"},
        {120: (2, {"do": "resign"})},
        "last_turn",
    ),
    (
        "agreed",
        3,
        {},
        {
            90: (0, {"do": "propose_end", "winner": 1}),
            91: (1, {"do": "agree_end", "winner": 1}),
            92: (2, {"do": "agree_end", "winner": 1}),
        },
        "agreed",
    ),
    (
        "agreed_without_winner",
        2,
        {},
        {60: (1, {"do": "propose_end", "winner": -1}), 61: (0, {"do": "agree_end", "winner": -1})},
        "agreed",
    ),
]
LONGEST = 1500


def play(players: int, options: dict[str, Any], forced: dict[int, Any], seed: str) -> Run:
    """Random players, or stewards, who know how to take a second citadel."""
    chance, stewards = Dice.seeded(f"recorded {seed}"), seed.startswith("two")
    run = started({"game": "kings", "players": players, "options": options, "seed": seed})
    while run.state.result is None and len(run.steps) < LONGEST:
        number = len(run.steps) + 1
        if number in forced:
            seat, action = forced[number]
            run.act(seat, run.rules.parse(action))
            continue
        if stewards:
            seat = run.rules.asked(run.state)[0]
            view = run.rules.view(run.state, seat)
            run.act(seat, think("kings", "steward", view, view.offers, f"{seed} {number}"))
            continue
        seat, offer = random_choice(run.rules, run.state, chance)
        if offer.do not in ("resign", "propose_end", "agree_end", "decline_end"):
            run.act(seat, offer.sample(chance))
    return run


def record_all(names: Sequence[str] = ()) -> None:
    for name, players, options, forced, how in WANTED:
        if names and name not in names:
            continue
        for attempt in range(400):
            seed = f"{name} {attempt}"
            run = play(players, options, forced, seed)
            if run.state.result is not None and run.state.result.how == how:
                record = record_of(run, "kings", players, options, seed)
                (FOLDER / f"kings_{name}.json").write_text(json.dumps(record, separators=(",", ":")) + "\n")
                print(f"{name}: {len(run.steps)} actions, {run.state.result}", flush=True)
                break
        else:
            print(f"{name}: no game ended that way")
