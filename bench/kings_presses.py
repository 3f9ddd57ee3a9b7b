"""How often one person against three stewards is asked, and how often there is nothing to decide.

A game as "Play three stewards" starts it; the person's seat is played by a steward or at random. A question with one
possible answer costs a press and decides nothing: there should be none (issue 10, "one press where one press is
enough"). Answers are counted without what may be done beside any question: undo, cashing in, returning income.

    PYTHONPATH=. .venv/bin/python bench/kings_presses.py --games 20
"""

import argparse
import sys
from collections import Counter

from games.engine.bots.kings import Steward
from games.engine.bots.simple import AnyLegal
from games.engine.core.dice import Dice
from games.engine.core.offers import Offer
from games.engine.kings import KINGS
from games.engine.kings.view import KingsView

TURNS = 12
MOST_ACTIONS = 20_000
PERSON = 0
# What may be done beside these questions opens another answer.
OPENED_BY = {
    **dict.fromkeys(("add_gold", "build", "draw", "bribe"), "cash"),
    **dict.fromkeys(("place", "plague_losses"), "remove_income"),
}


def has_one_answer(question: str, offers: tuple[Offer, ...]) -> bool:
    answers = [offer for offer in offers if not offer.aside]
    is_open = any(offer.do == OPENED_BY.get(question) for offer in offers)
    return len(answers) == 1 and answers[0].only is not None and not is_open


# After the last possible step a person says that they are done, or takes it back.
ENDED_BY_WORD = ("march", "build", "place")


def play(person: Steward | AnyLegal, seed: str, options: dict[str, str]) -> tuple[Counter[str], Counter[str], int]:
    """One game: all questions put to the person, those with one answer, and how many turns it took."""
    steward, asked, idle = Steward(), Counter[str](), Counter[str]()
    state = KINGS.setup(seed, 4, options, Dice.seeded(seed), bots=(1, 2, 3)).state
    while state.result is None and state.extras["turn"] <= TURNS and state.actions < MOST_ACTIONS:
        seat = KINGS.asked(state)[0]
        view = KINGS.view(state, seat)
        assert isinstance(view, KingsView)
        if seat == PERSON:
            asked[view.question] += 1
            may_regret = view.question in ENDED_BY_WORD and any(each.do == "undo" for each in view.offers)
            idle[view.question] += has_one_answer(view.question, view.offers) and not may_regret
        bot = person if seat == PERSON else steward
        action = bot.choose(view, view.offers, Dice.seeded(f"{seed} {state.actions}"))
        KINGS.check(state, seat, action)
        state = KINGS.apply(state, seat, action).state
    return asked, idle, state.extras["turn"]


def measure(name: str, person: Steward | AnyLegal, games: int, options: dict[str, str]) -> int:
    asked, idle, turns = Counter[str](), Counter[str](), 0
    for number in range(games):
        one, of_these, lasted = play(person, f"presses {number}", options)
        asked, idle, turns = asked + one, idle + of_these, turns + lasted
    total, nothing = sum(asked.values()), sum(idle.values())
    print(f"\n{name}, {games} games, {turns} turns, {options}")
    print(f"{'question':20} {'asked':>7} {'one answer':>11}")
    for question, count in asked.most_common():
        print(f"{question:20} {count:7} {idle[question]:11}")
    print(f"{'all':20} {total:7} {nothing:11}   {total / turns:.1f} and {nothing / turns:.1f} a turn")
    return nothing


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--sealed", action="store_true", help="the option “sealed”, chosen against bots")
    given = parser.parse_args()
    options = {**KINGS.usual_options(1), **({"reactions": "sealed"} if given.sealed else {})}
    idle = measure("played by a steward", Steward(), given.games, options)
    idle += measure("played at random", AnyLegal(), given.games, options)
    return 1 if idle else 0


if __name__ == "__main__":
    sys.exit(main())
