"""The steward plays whole games from its View alone, wins against chance, and never asks for what is not on offer."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import replace

import pytest

from games.engine.bots import LEVELS, think
from games.engine.bots.kings import ANSWERS, Steward
from games.engine.bots.kings_magic import cheapest
from games.engine.bots.kings_odds import chance, exploring, fighter, walls
from games.engine.bots.kings_reading import Reading
from games.engine.bots.simple import AnyLegal
from games.engine.core.actions import Action
from games.engine.core.dice import Dice
from games.engine.core.offers import Offer
from games.engine.core.view import View
from games.engine.kings import KINGS
from games.engine.kings.actions import AgreeEnd, Cash, DeclineEnd, ProposeEnd
from games.engine.kings.catalogue import KINDS
from games.engine.kings.offers import LossLists

MOST_TURNS = 25
MOST_ACTIONS = 6_000


class ThroughTheWire(Steward):
    """A strict steward that gets a copy of its View from a pickle: nothing of the game's own objects reaches it."""

    def choose(self, view: View, offers: Sequence[Offer], dice: Dice) -> Action:
        copy = pickle.loads(pickle.dumps(view))
        action = super().choose(copy, copy.offers, dice)
        assert any(action in offer for offer in offers)
        return action


def played(bots, seed, options=None, watch=lambda state, view, action: None):
    """The last state of a game, each seat with its own bot."""
    state = KINGS.setup(seed, len(bots), options or {}, Dice.seeded(seed)).state
    while state.result is None and state.extras["turn"] <= MOST_TURNS:
        assert state.actions < MOST_ACTIONS, "somebody goes round in circles"
        seat = KINGS.asked(state)[0]
        view = KINGS.view(state, seat)
        action = bots[seat].choose(view, view.offers, Dice.seeded(f"{seed} {state.actions}"))
        watch(state, view, action)
        KINGS.check(state, seat, action)
        state = KINGS.apply(state, seat, action).state
    return state


@pytest.mark.parametrize("players", [2, 3, 4])
def test_games_among_stewards_end_with_a_winner(players):
    for number in range(5 - players):
        state = played([Steward(strict=True)] * players, f"stewards {players} {number}")
        assert state.result is not None and len(state.result.winners) == 1
        assert state.extras["turn"] <= MOST_TURNS


def test_a_steward_beats_three_who_do_anything():
    for seat in range(4):
        bots = [AnyLegal()] * 4
        bots[seat] = Steward(strict=True)
        state = played(bots, f"alone {seat}")
        assert state.result is not None and state.result.winners == (seat,)


def test_a_pickled_view_is_all_it_needs():
    state = played([ThroughTheWire(strict=True)] * 3, "wire")
    assert state.result is not None


OPTIONS = [
    {"bluffs": "challenge", "reactions": "holders", "waiting": "always"},
    {"wild": "house", "setup": "in_turn", "waiting": "never"},
    {"waiting": "always", "setup": "in_turn"},
]


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: " ".join(options.values()))
def test_it_plays_with_every_option_of_the_table(options):
    for players in (2, 4):
        state = played([Steward(strict=True)] * players, f"options {players}", options)
        assert state.result is not None


def test_it_answers_whatever_random_players_lead_it_into():
    """Its choice is asked for, and checked, at every question of games it does not play itself."""
    steward = Steward(strict=True)
    asked = set()

    def watch(state, view, action):
        asked.add(view.question)
        chosen = steward.choose(view, view.offers, Dice.seeded(f"{state.actions}"))
        assert any(chosen in offer for offer in view.offers)

    for number in range(3):
        played([AnyLegal()] * 4, f"led {number}", {"last_turn": "10"}, watch)
    assert len(asked) > 25


def test_every_question_there_is_has_an_answer():
    asking = {kind.asking for kind in KINGS.frames.kinds.values() if getattr(kind, "asking", "")}
    told_apart = {"add_gold", "victim", "loot", "who_stays", "which_income", "arm", "bribe", "aimed_hit"}
    assert asking | told_apart == set(ANSWERS)


def test_the_same_view_and_seed_give_the_same_choice():
    def watch(state, view, action):
        assert think("kings", "steward", view, view.offers, "seed") == think(
            "kings", "steward", pickle.loads(pickle.dumps(view)), view.offers, "seed"
        )

    played([Steward(strict=True)] * 2, "same", watch=watch)


def test_what_it_cannot_answer_it_answers_with_anything_allowed(monkeypatch):
    def fails(reading, offers, dice):
        raise KeyError("a bug")

    for question in ANSWERS:
        monkeypatch.setitem(ANSWERS, question, fails)
    state = KINGS.setup("lost", 4, {}, Dice.seeded("lost")).state
    seat = KINGS.asked(state)[0]
    view = KINGS.view(state, seat)
    assert any(Steward().choose(view, view.offers, Dice.seeded("any")) in offer for offer in view.offers)
    with pytest.raises(KeyError):
        Steward(strict=True).choose(view, view.offers, Dice.seeded("any"))


def test_it_is_one_of_the_levels():
    assert set(LEVELS["kings"]) == {"random", "steward"}


# ---- single decisions


def started(seed="decisions", players=4):
    return KINGS.setup(seed, players, {}, Dice.seeded(seed)).state


def proposed(winner):
    """A state in which seat 0 has proposed to end the game, and what seat 1 sees of it."""
    state = KINGS.apply(started(), 0, ProposeEnd(winner)).state
    return KINGS.view(state, 1)


def test_it_agrees_to_its_own_victory_and_to_nothing_else():
    steward = Steward(strict=True)
    for winner, answer in ((1, AgreeEnd.do), (0, DeclineEnd.do), (-1, DeclineEnd.do)):
        view = proposed(winner)
        assert steward.choose(view, view.offers, Dice.seeded("x")).do == answer


def test_treasure_is_cashed_only_for_something_to_buy():
    cashed = []

    def watch(state, view, action):
        if isinstance(action, Cash):
            cashed.append(view.question)

    for number in range(3):
        played([Steward(strict=True)] * 2, f"treasure {number}", watch=watch)
    assert cashed and set(cashed) <= {"build", "draw"}


def test_more_and_better_fighters_have_better_odds():
    giant, goblins = fighter(KINDS["giant"]), fighter(KINDS["goblins"])
    assert chance([giant], [goblins]) > 0.8 > 0.5 > chance([goblins], [giant])
    assert chance([goblins] * 6, [goblins] * 2) > 0.9
    assert chance([giant], walls(4, 0)) < chance([giant] * 3, walls(4, 0))
    assert chance([], [goblins]) == 0.0 and chance([goblins], []) == 1.0


def test_bribes_make_exploring_safer():
    alone = [fighter(KINDS["goblins"])]
    assert exploring(alone, 0) < exploring(alone, 2) < exploring(alone, 4)


def test_walls_take_the_hits_of_a_battle_and_are_spared_by_events():
    view = KINGS.view(started(), 0)
    offer = LossLists({"fort": 2, "elsewhere": 1}, 2)
    reading = Reading(replace(view, counters=()))
    assert cheapest(reading, offer) == ("fort", "fort")
    assert cheapest(reading, offer, walls_last=True) == ("elsewhere", "fort")
