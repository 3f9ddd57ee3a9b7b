"""How often a game of Kings & Things* among four people stops for somebody: what decides how long it takes over days.

A stop: play waits for somebody who did not just act. Questions put to several at once are one stop. Set-up is not
counted. Stewards play the four seats as people on screens of their own would, and never answer before they are asked.
In the last case they also plan ahead, from what they see: whoever is asked anyway prepares what comes next, and draws
what is free every turn. Where a plan stops, they are asked.

    PYTHONPATH=. .venv/bin/python bench/kings_stops.py --games 16
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from games.engine.bots.kings import Steward
from games.engine.core.dice import Dice
from games.engine.core.plans import EACH_TURN, Plan, Step, after_step, due, step_due
from games.engine.core.refusals import IllegalAction
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
CASES: dict[str, tuple[Mapping[str, str], dict[str, str], bool]] = {
    "defaults of a live table": (KINGS.usual_options(SEATS, "live"), {}, False),
    "a table over days": (KINGS.usual_options(SEATS, "days"), {}, False),
    "the same, all orders given": (KINGS.usual_options(SEATS, "days"), ALL_ORDERS, False),
    "the same, with plans": (KINGS.usual_options(SEATS, "days"), ALL_ORDERS, True),
}
WANTED = {"a table over days": 18, "the same, with plans": 8}
EVERY_TURN = {"draw": Plan((Step(KINGS.plans.passes["draw"]),), again=EACH_TURN)}
AHEAD = ("recruit", "event", "march", "build")  # what is placed, players choose when they see what they have drawn
MOST_STEPS = 20
Plans = dict[int, dict[str, Plan]]


def with_orders(state: KingsState, orders: dict[str, str]) -> KingsState:
    for seat in range(SEATS):
        for about, how in orders.items():
            state = KINGS.apply(state, seat, SetOrder(about, how)).state
    return state


def open_questions(state: KingsState) -> dict[int, str]:
    return {seat: KINGS.decision(state, seat) for seat in KINGS.asked(state)}


def plan_ahead(state: KingsState, seat: int, plans: dict[str, Plan], seed: str) -> dict[str, Plan]:
    """Whoever looks at the table plans what comes next and is not planned, as a steward would answer it now."""
    view, steward = KINGS.view(state, seat), Steward()
    moment = KINGS.plans.moment(view)
    kept = {name: plan for name, plan in plans.items() if not plan.why and plan.turn in (0, moment.turn)}
    found = {**EVERY_TURN, **kept}
    for question in AHEAD:
        if question in found or question == moment.question:
            continue
        steps: list[Step] = []
        while len(steps) < MOST_STEPS:
            supposed = KINGS.plans.suppose(KINGS, view, question, steps)
            if supposed.refusal or not supposed.is_open:
                break
            chosen = steward.choose(supposed.view, supposed.view.offers, Dice.seeded(f"{seed} {len(steps)}"))
            steps.append(Step(KINGS.plans.noted(supposed.view, chosen)))
        if steps:
            found[question] = Plan(tuple(steps))
    return found


def carry_out(state: KingsState, plans: Plans, taken: Counter[str]) -> KingsState:
    """Take the steps that are due, one after another, until somebody is asked who has planned nothing for it."""
    passes = KINGS.plans.passes
    while state.result is None:
        seat = next(
            (each for each in KINGS.asked(state) if due(plans[each], KINGS.plan_moment(state, each), passes)), None
        )
        if seat is None:
            break
        view, moment = KINGS.view(state, seat), KINGS.plan_moment(state, seat)
        name, step = due(plans[seat], moment, passes), step_due(plans[seat], moment, passes)
        assert step is not None
        try:
            KINGS.plans.check_guard(view, step)
            action = KINGS.parse(KINGS.plans.recalled(view, step.action))
            KINGS.check(state, seat, action)
        except IllegalAction as refusal:
            plans[seat][name] = replace(plans[seat][name], why=refusal.code)
            taken["stopped"] += 1
            continue
        plans[seat] = after_step(plans[seat], moment, passes)
        state = KINGS.apply(state, seat, action).state
        taken["steps"] += 1
    return state


def play(
    seed: str, options: Mapping[str, str], orders: dict[str, str], with_plans: bool, taken: Counter[str]
) -> tuple[Counter[str], Counter[str], int]:
    """One game: its stops by question, all answers by question, and how many turns it took."""
    steward, stops, answers = Steward(), Counter[str](), Counter[str]()
    state = with_orders(KINGS.setup(seed, SEATS, options, Dice.seeded(seed)).state, orders)
    plans: Plans = {each: {} for each in range(SEATS)}
    while state.result is None and state.actions < MOST_ACTIONS:
        seat = KINGS.asked(state)[0]
        view = KINGS.view(state, seat)
        assert isinstance(view, KingsView)
        before = open_questions(state)
        action = steward.choose(view, view.offers, Dice.seeded(f"{seed} {state.actions}"))
        state = KINGS.apply(state, seat, action).state
        if not state.extras["turn"]:
            continue
        if with_plans and state.result is None:
            if seat not in KINGS.asked(state):
                plans[seat] = plan_ahead(state, seat, plans[seat], f"{seed} {state.actions}")
            state = carry_out(state, plans, taken)
        answers[view.question] += 1
        new = {other for other, asked in open_questions(state).items() if before.get(other) != asked and other != seat}
        if new:
            stops[KINGS.view(state, min(new)).question] += 1
    return stops, answers, state.extras["turn"]


def measure(name: str, games: int, options: Mapping[str, str], orders: dict[str, str], with_plans: bool) -> float:
    stops, answers, taken, turns = Counter[str](), Counter[str](), Counter[str](), 0
    for number in range(games):
        stopped, answered, lasted = play(f"stops {number}", options, orders, with_plans, taken)
        stops, answers, turns = stops + stopped, answers + answered, turns + lasted
    print(f"\n{name}: {games} games, {turns} turns")
    print(f"{'question':22} {'stops a turn':>12} {'answers a turn':>15}")
    for question, count in stops.most_common():
        print(f"{question:22} {count / turns:12.2f} {answers[question] / turns:15.2f}")
    print(f"{'all':22} {sum(stops.values()) / turns:12.1f} {sum(answers.values()) / turns:15.1f}")
    if with_plans:
        steps, stopped_plans = taken["steps"] / turns, taken["stopped"] / turns
        print(f"{'taken by plans':22} {'':12} {steps:15.1f}\n{'plans that stopped':22} {'':12} {stopped_plans:15.1f}")
    if name in WANTED:
        print(f"{'wanted, at most':22} {WANTED[name]:12}")
    return sum(stops.values()) / turns


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=16)
    parser.add_argument("--case", choices=CASES, help="one of them only")
    given = parser.parse_args()
    for name, case in CASES.items():
        if given.case in (None, name):
            measure(name, given.games, *case)


if __name__ == "__main__":
    main()
