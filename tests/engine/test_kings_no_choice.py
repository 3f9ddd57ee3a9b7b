"""Whoever is not asked is told why, alone, and seldom."""

from __future__ import annotations

from collections import Counter

import pytest

from games.engine.bots.kings import Steward
from games.engine.core.dice import Dice
from games.engine.core.replay import Run
from games.engine.core.rules import Rules
from games.engine.kings import KINGS
from games.engine.kings.no_choice import EVENTS, NoChoice

AROUND_ONE_SCREEN = KINGS.usual_options(1)
BOTS = (2, 3)


@pytest.fixture(scope="module")
def run() -> Run:
    """Two people at one screen and two bots, for some turns."""
    Rules.check_codec = False
    found = Run.fresh(KINGS, 4, AROUND_ONE_SCREEN, Dice.seeded("reasons"), game="reasons", bots=BOTS)
    steward = Steward()
    while found.state.result is None and len(found.steps) < 600:
        seat = KINGS.asked(found.state)[0]
        view = KINGS.view(found.state, seat)
        found.act(seat, steward.choose(view, view.offers, Dice.seeded(f"{len(found.steps)}")))
    Rules.check_codec = True
    return found


def reasons(run: Run) -> list[tuple[int, NoChoice, tuple[int, ...]]]:
    """In which turn what was told to whom."""
    return [
        (after.extras["turn"], told.event, told.to)
        for step, after in zip(run.steps, run.states[1:])
        for told in step.progress.told
        if isinstance(told.event, NoChoice)
    ]


def test_only_the_person_who_was_not_asked_hears_why(run):
    heard = reasons(run)
    assert len(heard) > 10
    assert {to for _, _, to in heard} == {(0,), (1,)}


def test_nobody_hears_the_same_reason_twice_in_a_turn(run):
    """The Movement Phase is over once, however many counters there are; a hero is recruited once a turn."""
    times = Counter((turn, to, type(event)) for turn, event, to in reasons(run))
    assert max(times.values()) == 1


def test_it_is_no_flood(run):
    turns = run.state.extras["turn"]
    assert turns > 3 and len(reasons(run)) <= 2.5 * 2 * turns


def test_what_is_told_stops_no_undo_and_names_nobody():
    for kind in EVENTS:
        assert kind.explains and not kind.reveals and kind.says.startswith("You ") and kind.rule
        assert not {"seat", "by", "to_seat"} & set(kind.__dataclass_fields__)


def test_the_view_of_others_does_not_depend_on_it(run, monkeypatch):
    """Dice, states and what everybody hears are the same where nobody is told why."""
    for module in ("base", "setup"):
        monkeypatch.setattr(f"games.engine.kings.flow.{module}.tell_why", lambda state, seat, why: None)
    again = Run.fresh(KINGS, 4, AROUND_ONE_SCREEN, Dice.seeded("reasons"), game="reasons", bots=BOTS)
    for step in run.steps:
        again.act(step.seat, step.action)
    assert reasons(again) == [] and again.hash == run.hash
    for one, other in zip(run.steps, again.steps):
        assert [each for each in one.progress.told if not each.event.explains] == list(other.progress.told)
