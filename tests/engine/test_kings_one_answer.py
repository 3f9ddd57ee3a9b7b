"""Whoever faces only bots is never asked what they can answer in one way only (R3); games are replayed all the same."""

from __future__ import annotations

import pytest

from bench import kings_presses
from games.engine.bots.kings import Steward
from games.engine.bots.simple import AnyLegal
from games.engine.core.dice import Dice
from games.engine.core.replay import Run
from games.engine.kings import KINGS
from games.engine.kings.flow.base import KingsFrame

AGAINST_BOTS = (KINGS.usual_options(1), {"reactions": "sealed"})


@pytest.mark.parametrize("options", AGAINST_BOTS, ids=["usual", "sealed"])
@pytest.mark.parametrize("person", [Steward(), AnyLegal()], ids=["steward", "random"])
def test_no_question_has_one_possible_answer(monkeypatch, person, options):
    monkeypatch.setattr(kings_presses, "TURNS", 6)
    asked, idle, _ = kings_presses.play(person, "one answer", options)
    assert sum(asked.values()) > 20
    assert +idle == {}


def test_that_test_would_notice_one(monkeypatch):
    monkeypatch.setattr(kings_presses, "TURNS", 6)
    monkeypatch.setattr(KingsFrame, "foregone", lambda frame, state, offered: None)
    _, idle, _ = kings_presses.play(Steward(), "one answer", KINGS.usual_options(1))
    assert len(+idle) > 3


def test_among_people_at_their_own_screens_every_answer_is_theirs(monkeypatch):
    """No step of the flow takes an answer for them: what is asked follows from what everybody can see."""
    taken: list[object] = []
    foregone = KingsFrame.foregone

    def watched(frame, state, offered):
        found = foregone(frame, state, offered)
        taken.extend([found] if found else [])
        return found

    monkeypatch.setattr(KingsFrame, "foregone", watched)
    run = game_of(KINGS.usual_options(2), bots=(2, 3), most=400)
    assert taken == [] and len(run.steps) == 400
    game_of(KINGS.usual_options(1), bots=(), most=400)
    assert taken


def test_answers_that_were_not_asked_for_are_found_again():
    run = game_of(KINGS.usual_options(1), bots=(1, 2, 3), most=300)
    again = Run.fresh(KINGS, 4, KINGS.usual_options(1), Dice.seeded("one answer"), game="one answer", bots=(1, 2, 3))
    for step in run.steps:
        again.act(step.seat, step.action)
    assert again.hash == run.hash


def game_of(options, bots: tuple[int, ...], most: int) -> Run:
    run = Run.fresh(KINGS, 4, options, Dice.seeded("one answer"), game="one answer", bots=bots)
    steward = Steward()
    while run.state.result is None and len(run.steps) < most:
        seat = KINGS.asked(run.state)[0]
        view = KINGS.view(run.state, seat)
        run.act(seat, steward.choose(view, view.offers, Dice.seeded(f"{len(run.steps)}")))
    return run
