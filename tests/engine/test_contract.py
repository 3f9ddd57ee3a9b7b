"""What holds for every game, tested once for all: a new ruleset adds no test here."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from games.engine import RULESETS
from games.engine.core.codec import encode, state_hash
from games.engine.core.dice import Dice
from games.engine.core.plain import canonical, plain
from games.engine.core.refusals import IllegalAction
from games.engine.core.replay import parting, replay
from games.engine.fuzz import random_game

GAMES = [(rules, seats) for rules in RULESETS.values() for seats in rules.players]
ids = [f"{rules.slug}-{seats}" for rules, seats in GAMES]
every_game = pytest.mark.parametrize("rules, seats", GAMES, ids=ids)
MOST = 400


def seeds(rules) -> range:
    """Games with many pieces are slower, and have a fuzz test of their own."""
    return range(12) if rules.slug == "gambit" else range(3)


@every_game
def test_somebody_can_act_until_it_is_over(rules, seats):
    def watch(state):
        if state.result:
            assert rules.asked(state) == ()
            assert not any(rules.offers(state, seat) for seat in state.seats)
        else:
            assert rules.asked(state), "nobody is asked and it is not over"

    for seed in seeds(rules):
        random_game(rules, seats, f"contract {seed}", MOST, watch)


@every_game
def test_nobody_but_the_seats_is_offered_anything(rules, seats):
    def watch(state):
        assert set(rules.all_offers(state)) <= set(state.seats)
        assert rules.offers(state, seats) == [] and rules.offers(state, -1) == []
        assert rules.view(state, None).offers == ()
        for seat in state.seats:
            assert list(rules.view(state, seat).offers) == rules.offers(state, seat)

    for seed in seeds(rules):
        random_game(rules, seats, f"offers {seed}", 60, watch)


@every_game
def test_an_action_on_offer_is_accepted_and_leaves_its_input_alone(rules, seats):
    for seed in seeds(rules):
        run, _ = random_game(rules, seats, f"input {seed}", 80)
        for state, step in zip(run.states, run.steps):
            before = canonical(encode(state))
            rules.check(state, step.seat, step.action)
            rules.apply(state, step.seat, step.action)
            assert canonical(encode(state)) == before


@every_game
def test_every_state_survives_storing(rules, seats):
    def watch(state):
        again = rules.decode(encode(state), state.dice)
        assert encode(again) == encode(state)
        assert state_hash(again) == state_hash(state)
        for seat in [None, *state.seats]:
            assert plain(rules.view(again, seat)) == plain(rules.view(state, seat))

    for seed in seeds(rules):
        random_game(rules, seats, f"store {seed}", 60, watch)


@every_game
def test_the_same_log_gives_the_same_game(rules, seats):
    for seed in seeds(rules):
        run, _ = random_game(rules, seats, f"replay {seed}", MOST)
        again = replay(rules, run.states[0], [(step.seat, step.action) for step in run.steps])
        assert parting(run, again) is None
        assert state_hash(again.state) == state_hash(run.state)


@every_game
def test_actions_survive_the_wire(rules, seats):
    for seed in seeds(rules):
        run, _ = random_game(rules, seats, f"wire {seed}", 120)
        for step in run.steps:
            assert rules.parse(plain(step.action)) == step.action


@every_game
def test_what_is_not_on_offer_is_refused_with_a_sentence(rules, seats):
    run, _ = random_game(rules, seats, "refusals", 30)
    for state, step in zip(run.states, run.steps):
        for seat in state.seats:
            if not any(step.action in offer for offer in rules.offers(state, seat)):
                with pytest.raises(IllegalAction) as refusal:
                    rules.check(state, seat, step.action)
                assert refusal.value.sentence and "{" not in refusal.value.sentence


@every_game
def test_a_question_keeps_its_name_while_others_answer(rules, seats):
    """A seat's decision id changes whenever that seat answered, and never comes back."""
    for seed in seeds(rules):
        run, _ = random_game(rules, seats, f"decisions {seed}", 150)
        given: dict[int, set[str]] = {seat: set() for seat in run.state.seats}
        for state, after, step in zip(run.states, run.states[1:], run.steps):
            offer = rules.check(state, step.seat, step.action)
            if not offer.aside:
                answered = rules.decision(state, step.seat)
                assert answered not in given[step.seat], "a question that was answered was asked again"
                given[step.seat].add(answered)
                assert rules.decision(after, step.seat) != answered


@every_game
def test_views_do_not_change_when_all_that_is_hidden_is_dealt_anew(rules, seats):
    """The twin test (C1) on views and offers. When a game is over, nothing is hidden any more."""
    for seed in seeds(rules):
        run, _ = random_game(rules, seats, f"twins {seed}", 60)
        for number, state in enumerate(state for state in run.states if state.result is None):
            for seat in [None, *state.seats]:
                twin = rules.scramble(state, seat, Dice.seeded(f"other {seed} {number}"))
                assert canonical(plain(rules.view(twin, seat))) == canonical(plain(rules.view(state, seat)))


@every_game
def test_a_silent_action_shows_to_nobody_but_its_seat_and_any_other_makes_a_revision(rules, seats):
    """R4: View, offers, question and log of every other seat, and of a spectator, stay the same by the byte."""
    for seed in seeds(rules):
        run, _ = random_game(rules, seats, f"silence {seed}", MOST)
        for before, after, step in zip(run.states, run.states[1:], run.steps):
            assert after.actions == before.actions + 1
            assert after.revision == before.revision + (not step.progress.silent)
            if step.progress.silent:
                assert after.silent == {**before.silent, step.seat: before.silent.get(step.seat, 0) + 1}
                for seat in {None, *after.seats} - {step.seat}:
                    assert shown_to(rules, after, seat) == shown_to(rules, before, seat)
                    assert not any(told.heard_by(seat) for told in step.progress.told)
            else:
                assert after.silent == {}


def shown_to(rules, state, seat) -> bytes:
    return canonical(plain([rules.view(state, seat), rules.asked_openly(state, seat)]))


@every_game
def test_what_is_told_survives_storing_and_reads_as_a_sentence(rules, seats):
    kinds = rules.event_kinds()
    for seed in seeds(rules):
        run, _ = random_game(rules, seats, f"told {seed}", MOST)
        for told in (told for step in run.steps for told in step.progress.told):
            data = plain(told)
            kind = kinds[data["event"]]
            assert kind.says.format(**{name: value for name, value in data.items() if name not in ("to", "event")})


def test_a_seed_gives_the_same_game_in_every_process():
    """C8: whatever PYTHONHASHSEED is."""
    code = """
from games.engine import RULESETS
from games.engine.fuzz import random_game
for rules in RULESETS.values():
    for seats in rules.players:
        print(rules.slug, seats, random_game(rules, seats, "hash", 120)[0].hash)
"""
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
            timeout=120,
        ).stdout
        for seed in ("0", "1", "4711")
    }
    assert len(outputs) == 1 and "gambit 2 " in outputs.pop()
