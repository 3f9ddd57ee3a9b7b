"""Games played at random, for tests and `manage.py fuzz`: everything on offer is tried sooner or later."""

from __future__ import annotations

from collections.abc import Callable

from .core.actions import Action
from .core.dice import Chance, Dice
from .core.offers import Offer
from .core.replay import Run
from .core.rules import Rules
from .core.state import State

# Asides are tried now and then; those that end a game at once so rarely that games still get long.
ASIDE_ONE_IN = 12
ENDING_ONE_IN = 400
ENDING = ("resign", "accept_draw", "agree_end")


class DeadEnd(Exception):
    """The game is not over and nobody can do anything."""


def random_game(
    rules: Rules, seats: int, seed: str, most: int, watch: Callable[[State], None] = lambda state: None
) -> tuple[Run, int]:
    """A whole game, and how many of its actions answered a question; `watch` sees every state."""
    chance = Dice.seeded(f"player {seed}")
    run = Run.fresh(rules, seats, random_options(rules, chance), Dice.seeded(f"game {seed}"), game=seed)
    answered = 0
    watch(run.state)
    while run.state.result is None and len(run.steps) < most:
        seat, offer = random_choice(rules, run.state, chance)
        run.act(seat, offer.sample(chance))
        answered += not offer.aside
        watch(run.state)
    return run, answered


def random_options(rules: Rules, chance: Dice) -> dict[str, str]:
    return {
        option.name: sorted(option.choices)[chance.pick("option", len(option.choices))]
        for option in rules.options
        if option.choices
    }


def random_choice(rules: Rules, state: State, chance: Chance) -> tuple[int, Offer]:
    asked = rules.asked(state)
    if not asked:
        raise DeadEnd(f"after {state.actions} actions of {state.game}")
    if chance.pick("aside?", ASIDE_ONE_IN) == 0:
        asides = [(seat, offer) for seat in state.seats for offer in rules.offers(state, seat) if offer.aside]
        ending = chance.pick("end?", ENDING_ONE_IN) == 0
        asides = [(seat, offer) for seat, offer in asides if ending or offer.do not in ENDING]
        if asides:
            return asides[chance.pick("which aside", len(asides))]
    seat = asked[chance.pick("which seat", len(asked))]
    answers = [offer for offer in rules.all_offers(state)[seat] if not offer.aside]
    return seat, answers[chance.pick("which offer", len(answers))]


def sampled(offers: list[Offer], chance: Dice, count: int) -> list[Action]:
    """Up to so many different actions out of these offers."""
    found: list[Action] = []
    if not offers:
        return found
    for attempt in range(4 * count):
        action = offers[attempt % len(offers)].sample(chance)
        if action not in found:
            found.append(action)
        if len(found) == count:
            break
    return found
