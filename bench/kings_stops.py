"""How often a game of Kings & Things* among four people stops for somebody: what decides how long it takes over days.

A stop: play waits for somebody who did not just act. Questions put to several at once are one stop. Set-up is not
counted. Stewards play the four seats as people on screens of their own would, and never answer before they are asked.

    PYTHONPATH=. .venv/bin/python bench/kings_stops.py --games 16
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Mapping

from games.engine.bots.kings import Steward
from games.engine.core.dice import Dice
from games.engine.kings import KINGS
from games.engine.kings.actions import SetOrder
from games.engine.kings.state import KingsState
from games.engine.kings.view import KingsView

SEATS = 4
MOST_ACTIONS = 20_000
ALL_ORDERS = {
    "lucky_charm": "any",
    "dispel_magic_scroll": "any",
    "fan": "mine",
    "elixir": "mine",
    "dust_of_defense": "outnumbered",
    "battle_items": "best",
    "proof": "show",
    "flyers": "all",
    "endangered_income": "keep",
    "fled_heroes": "keep",
    "losses": "weakest",
    "captured": "nothing",
    "retreat": "stay",
    "bribes": "five",
}
CASES: dict[str, tuple[Mapping[str, str], dict[str, str]]] = {
    "defaults of a live table": (KINGS.usual_options(SEATS, "live"), {}),
    "a table over days": (KINGS.usual_options(SEATS, "days"), {}),
    "the same, all orders given": (KINGS.usual_options(SEATS, "days"), ALL_ORDERS),
}


def with_orders(state: KingsState, orders: dict[str, str]) -> KingsState:
    for seat in range(SEATS):
        for about, how in orders.items():
            state = KINGS.apply(state, seat, SetOrder(about, how)).state
    return state


def open_questions(state: KingsState) -> dict[int, str]:
    return {seat: KINGS.decision(state, seat) for seat in KINGS.asked(state)}


def play(seed: str, options: Mapping[str, str], orders: dict[str, str]) -> tuple[Counter[str], Counter[str], int]:
    """One game: its stops by question, all answers by question, and how many turns it took."""
    steward, stops, answers = Steward(), Counter[str](), Counter[str]()
    state = with_orders(KINGS.setup(seed, SEATS, options, Dice.seeded(seed)).state, orders)
    while state.result is None and state.actions < MOST_ACTIONS:
        seat = KINGS.asked(state)[0]
        view = KINGS.view(state, seat)
        assert isinstance(view, KingsView)
        before = open_questions(state)
        action = steward.choose(view, view.offers, Dice.seeded(f"{seed} {state.actions}"))
        state = KINGS.apply(state, seat, action).state
        if not state.extras["turn"]:
            continue
        answers[view.question] += 1
        new = {other for other, asked in open_questions(state).items() if before.get(other) != asked and other != seat}
        if new:
            stops[KINGS.view(state, min(new)).question] += 1
    return stops, answers, state.extras["turn"]


def measure(name: str, games: int, options: Mapping[str, str], orders: dict[str, str]) -> float:
    stops, answers, turns = Counter[str](), Counter[str](), 0
    for number in range(games):
        stopped, answered, lasted = play(f"stops {number}", options, orders)
        stops, answers, turns = stops + stopped, answers + answered, turns + lasted
    print(f"\n{name}: {games} games, {turns} turns")
    print(f"{'question':22} {'stops a turn':>12} {'answers a turn':>15}")
    for question, count in stops.most_common():
        print(f"{question:22} {count / turns:12.2f} {answers[question] / turns:15.2f}")
    print(f"{'all':22} {sum(stops.values()) / turns:12.1f} {sum(answers.values()) / turns:15.1f}")
    return sum(stops.values()) / turns


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=16)
    given = parser.parse_args()
    for name, (options, orders) in CASES.items():
        measure(name, given.games, options, orders)


if __name__ == "__main__":
    main()
