"""Standing orders and answers in a window are silent (R4): when exactly, and what follows from it."""

from __future__ import annotations

import pytest

from games.engine.core.dice import Dice
from games.engine.core.plain import canonical, plain
from games.engine.core.replay import Run
from games.engine.core.rules import Rules
from games.engine.fuzz import random_choice
from games.engine.kings import KINGS, in_window
from games.engine.kings.actions import Done, SetOrder, Undo

ASIDES_TOLD = ("undo", "resign", "propose_end", "agree_end", "decline_end", "challenge")


def played(seed: str, most: int = 500, **options: str) -> Run:
    chance = Dice.seeded(f"player {seed}")
    run = Run.fresh(KINGS, 4, {"waiting": "always", **options}, Dice.seeded(seed), game=seed)
    while run.state.result is None and len(run.steps) < most:
        seat, offer = random_choice(KINGS, run.state, chance)
        if offer.do not in ("resign", "agree_end"):
            run.act(seat, offer.sample(chance))
    return run


@pytest.fixture(scope="module")
def runs():
    Rules.check_codec = False
    found = [played(f"silence {n}", reactions=("sealed", "holders")[n % 2]) for n in range(6)]
    Rules.check_codec = True
    return found


def test_an_answer_in_a_window_is_silent_until_the_one_that_closes_it(runs):
    silent = closing = 0
    for run in runs:
        for before, step in zip(run.states, run.steps):
            if not in_window(before) or step.action.do not in ("done", "play_item"):
                continue
            is_last = before.flow[-1].pending == [step.seat]
            assert step.progress.silent == (not is_last)
            silent, closing = silent + (not is_last), closing + is_last
            assert is_last or (step.progress.told, step.progress.draws) == ((), ())
    assert silent > 100 and closing > 100


def test_in_a_window_that_stays_open_only_what_is_said_openly_makes_a_revision(runs):
    for run in runs:
        for before, after, step in zip(run.states, run.states[1:], run.steps):
            stays = in_window(before) and in_window(after) and before.flow[-1].serial == after.flow[-1].serial
            if stays and before.flow[-1].rounds == after.flow[-1].rounds and not step.progress.silent:
                assert step.action.do in ASIDES_TOLD


def test_an_order_is_silent_unless_it_answers_what_its_seat_is_asked_openly(runs):
    given = 0
    for run in runs:
        for before, after, step in zip(run.states, run.states[1:], run.steps):
            if step.action.do != "set_order":
                assert not step.progress.silent or in_window(before)
            elif not step.progress.silent:
                assert step.seat in KINGS.asked_openly(before)
                assert KINGS.decision(after, step.seat) != KINGS.decision(before, step.seat)
            else:
                given += 1
    assert given > 50


def open_window(runs, asked: int):
    """A state in a window in which so many are asked, and the run up to it."""
    return next(s for run in runs for s in run.states if in_window(s) and len(s.flow[-1].pending) == asked)


def test_in_whatever_order_a_window_is_answered_it_leads_to_the_same(runs):
    """Who answered, in which order and how many were asked: nothing of it is in anybody's View afterwards."""
    start = open_window(runs, 3)
    ends = []
    for answering in ([0, 1, 2], [2, 0, 1], [1, 2, 0]):
        state = start
        for number in answering:
            state = KINGS.apply(state, start.flow[-1].pending[number], Done()).state
        ends.append(state)
    fewer = start.copy()
    fewer.flow[-1].pending = fewer.flow[-1].pending[:1]
    ends.append(KINGS.apply(fewer, fewer.flow[-1].pending[0], Done()).state)
    for seat in (None, 0, 1, 2, 3):
        assert len({canonical(plain(KINGS.view(end, seat))) for end in ends}) == 1


def test_an_answer_in_a_window_cannot_be_taken_back(runs):
    """To take it back would say who gave it."""
    state = open_window(runs, 2)
    for seat in state.flow[-1].pending:
        state = KINGS.apply(state, seat, Done()).state
        assert not any(Undo() in offer for offer in KINGS.offers(state, seat))


def test_whoever_opened_a_window_may_take_that_back_as_if_nobody_had_answered(runs):
    """Another's answer must not take the button away: it would show that somebody answered."""
    for run in runs:
        for before, after, step in zip(run.states, run.states[1:], run.steps):
            if step.progress.silent:
                for seat in set(after.seats) - {step.seat}:
                    assert KINGS.offers(after, seat) == KINGS.offers(before, seat)
                assert before.extras["undo"] == after.extras["undo"]


def test_an_order_given_and_taken_back_with_nothing_stays(runs):
    """A step of the game that is taken back leaves orders as they are, and numbers go on."""
    for run in runs:
        for before, step, after in zip(run.states, run.steps, run.states[1:]):
            if step.action.do == "undo":
                assert (after.actions, after.revision) == (before.actions + 1, before.revision + 1)
                assert after.extras["orders"] == before.extras["orders"]
                return
    raise AssertionError("nothing was taken back")


def test_an_order_about_the_question_at_hand_answers_it_openly(runs):
    """Whoever is asked about endangered income and orders to keep it has answered: the game goes on, for all to see."""
    asking = [state for run in runs for state in run.states if state.flow and state.flow[-1].name() == "save_income"]
    assert asking
    for state in asking[:5]:
        (seat,) = KINGS.asked(state)
        assert not KINGS.apply(state, seat, SetOrder("endangered_income", "keep")).silent
        assert KINGS.apply(state, (seat + 1) % 4, SetOrder("endangered_income", "keep")).silent
