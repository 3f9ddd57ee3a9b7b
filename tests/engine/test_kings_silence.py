"""Standing orders and answers in a window are silent (R4): when exactly, and what follows from it."""

from __future__ import annotations

import pytest

from games.engine.core.dice import Dice
from games.engine.core.plain import canonical, plain
from games.engine.core.replay import Run
from games.engine.core.rules import Rules
from games.engine.fuzz import random_choice
from games.engine.kings import KINGS, in_window
from games.engine.kings.actions import Done, PassBattle, RejoinBattle, SetOrder, Undo
from games.engine.kings.events import BattlePassed
from games.engine.kings.orders import THIS_BATTLE, passes

ASIDES_TOLD = ("undo", "resign", "propose_end", "agree_end", "decline_end", "challenge")
ORDERING = ("set_order", "pass_battle", "rejoin_battle")


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
    found = [played(f"silence {n}", reactions=("sealed", "holders")[n % 2]) for n in range(8)]
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
            if step.action.do not in ORDERING:
                assert not step.progress.silent or in_window(before)
            elif not step.progress.silent:
                closes = in_window(before) and before.flow[-1].pending == [step.seat]
                assert closes or step.seat in KINGS.asked_openly(before)
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
                assert orders_kept(after) == orders_kept(before)
                return
    raise AssertionError("nothing was taken back")


def orders_kept(state) -> dict[str, dict[str, str]]:
    """Without what was said of one battle, which goes with the step it was said in."""
    found = state.extras["orders"].items()
    kept = {seat: {about: how for about, how in given.items() if about != THIS_BATTLE} for seat, given in found}
    return {seat: given for seat, given in kept.items() if given}


def in_battle(state) -> bool:
    return any(frame.name() == "battle" for frame in state.flow)


def test_nothing_more_this_battle_is_as_silent_as_a_pass(runs):
    """Whatever its seat holds: nothing while the window stays open, and when it closes, what a pass leads to."""
    found = closed = 0
    for run in runs:
        for state in run.states:
            if not (state.flow and in_window(state) and in_battle(state)):
                continue
            seat = state.flow[-1].pending[0]
            (nothing_more,) = [o.action for o in KINGS.offers(state, seat) if o.do in ("pass_battle", "rejoin_battle")]
            if not isinstance(nothing_more, PassBattle):
                continue
            one, other = KINGS.apply(state, seat, Done()), KINGS.apply(state, seat, nothing_more)
            assert one.silent == other.silent
            said = [told for told in other.told if not isinstance(told.event, BattlePassed)]
            assert list(one.told) == said[: len(one.told)]  # the game may run on to the next question
            if one.silent:
                for each in [None, *(s for s in state.seats if s != seat)]:
                    assert canonical(plain(KINGS.view(one.state, each))) == canonical(
                        plain(KINGS.view(other.state, each))
                    )
            found, closed = found + one.silent, closed + (not one.silent)
    assert found > 20 and closed > 20


def test_nothing_more_is_asked_until_the_battle_ends(runs):
    """Neither before a round nor in a window; and in the next battle again."""
    passed = 0
    for run in runs:
        for state in run.states:
            for seat in state.seats:
                if passes(state, seat):
                    passed += 1
                    if state.flow[-1].name() in ("window", "ready", "dusting", "last_stand", "warlord_calls"):
                        assert seat not in KINGS.asked(state)
            if state.flow and not in_battle(state) and state.flow[-1].name() != "window":
                assert not any(
                    o.do in ("pass_battle", "rejoin_battle") for s in state.seats for o in KINGS.offers(state, s)
                )
    assert passed > 20


def test_it_may_be_said_and_taken_back_while_others_are_asked(runs):
    """Silently, like any order."""
    asking = [s for run in runs for s in run.states if s.flow and s.flow[-1].name() == "retreating" and in_battle(s)]
    for state in asking[:20]:
        battle = next(frame for frame in state.flow if frame.name() == "battle")
        for seat in set(battle.people()) - set(KINGS.asked(state)):
            if not passes(state, seat):
                progress = KINGS.apply(state, seat, PassBattle(battle.place))
                assert progress.silent and passes(progress.state, seat)
                again = KINGS.apply(progress.state, seat, RejoinBattle(battle.place))
                assert again.silent and not passes(again.state, seat)
                assert again.state.extras["orders"].get(str(seat)) == state.extras["orders"].get(str(seat))
                return
    raise AssertionError("nobody waited in a battle")


def test_an_order_about_the_question_at_hand_answers_it_openly(runs):
    """Whoever is asked about endangered income and orders to keep it has answered: the game goes on, for all to see."""
    asking = [state for run in runs for state in run.states if state.flow and state.flow[-1].name() == "save_income"]
    assert asking
    for state in asking[:5]:
        (seat,) = KINGS.asked(state)
        assert not KINGS.apply(state, seat, SetOrder("endangered_income", "keep")).silent
        assert KINGS.apply(state, (seat + 1) % 4, SetOrder("endangered_income", "keep")).silent
