"""Views that reuse parts of earlier ones are what they would be if they were worked out anew."""

from __future__ import annotations

import pickle
from dataclasses import fields, replace

import pytest

from games.engine.core.dice import Dice
from games.engine.core.replay import Run
from games.engine.fuzz import random_choice
from games.engine.kings import KINGS
from games.engine.kings.view import KingsView, Line

ACTIONS = 300
OPTIONS = ({}, {"bluffs": "challenge", "waiting": "always"}, {"reactions": "holders", "resigned": "remove"})


def played(options: dict[str, str], seed: str) -> Run:
    """A random game, with asides: undo, cashing in, resigning."""
    run = Run.fresh(KINGS, 4, options, Dice.seeded(seed))
    chance = Dice.seeded(f"whim {seed}")
    while len(run.steps) < ACTIONS and run.state.result is None:
        for seat in (None, *run.state.seats):
            KINGS.view(run.state, seat)
        seat, offer = random_choice(KINGS, run.state, chance)
        run.act(seat, offer.sample(chance))
    return run


@pytest.mark.parametrize("options", OPTIONS, ids=["usual", "challenge", "holders"])
def test_views_are_as_if_worked_out_anew(options):
    reused = 0
    run = played(options, f"views {sorted(options)}")
    for before, state in zip(run.states, run.states[1:]):
        anew = state.copy()
        anew.seen = None
        for seat in (None, *state.seats):
            now, fresh = KINGS.view(state, seat), KINGS.view(anew, seat)
            assert now == fresh
            assert isinstance(now.counters, Line)
            by_itself = replace(now, counters=tuple(now.counters))
            assert now.stacks == by_itself.stacks and list(now.stacks) == list(by_itself.stacks)
            assert (now.heroes, now.lands, now.unseen) == (by_itself.heroes, by_itself.lands, by_itself.unseen)
            was = KINGS.view(before, seat)
            reused += sum(was.stacks.get(place) is stack for place, stack in now.stacks.items())
    assert reused > 10 * len(run.steps), "hardly any stack is the same object as before"


def test_a_view_for_another_process_holds_no_more_than_its_fields():
    """Bots think in processes of their own; what a View has worked out for pages stays here."""
    state = played({}, "sent").state
    view = KINGS.view(state, 1)
    sent = pickle.loads(pickle.dumps(view))
    assert set(vars(sent)) == {field.name for field in fields(KingsView)} < set(vars(view))
    assert sent == view and type(sent.counters) is tuple
    assert (sent.stacks, sent.heroes, sent.lands) == (view.stacks, view.heroes, view.lands)


def test_the_end_of_a_game_shows_everything():
    run = played({}, "shown at the end")
    state = run.state.copy()
    KINGS.view(state, 0)
    state.end([0], "agreed")
    shown = {c.tag for c in KINGS.view(state, None).counters if hasattr(c, "kind")}
    assert shown == {c.tag for c in state.counters.values() if c.place not in ("cup", "gone")}
