"""Events tell enough to be shown: where a stack went, who strikes whom, whose the fallen were (docs/kings_board.md)."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import pytest

from games.engine import RULESETS
from games.engine.bots.kings import Steward
from games.engine.core.actions import Action
from games.engine.core.dice import Dice
from games.engine.core.events import EVERYONE, Event, Told
from games.engine.core.replay import Run
from games.engine.core.rules import Rules
from games.engine.kings import KINGS
from games.engine.kings.actions import March
from games.engine.kings.events import BattleBegan, BattleOver, Captured, Fell, Marched, Rolled, WildRolled
from games.engine.kings.state import WILD, KingsState


@pytest.fixture(scope="module")
def run() -> Run:
    Rules.check_codec = False
    found = Run.fresh(KINGS, 4, {}, Dice.seeded("events"), game="events")
    steward = Steward()
    while found.state.result is None and len(found.steps) < 700:
        seat = KINGS.asked(found.state)[0]
        view = KINGS.view(found.state, seat)
        found.act(seat, steward.choose(view, view.offers, Dice.seeded(f"{len(found.steps)}")))
    Rules.check_codec = True
    return found


def told(run: Run, kind: type[Event]) -> Iterator[tuple[KingsState, Action, Told]]:
    """Each event of a kind, with the State before the action that brought it about."""
    for before, step in zip(run.states, run.steps):
        for each in step.progress.told:
            if isinstance(each.event, kind):
                yield before, step.action, each


def test_facts_that_were_added_later_have_a_default():
    """Or games stored before could not be read."""
    for rules in RULESETS.values():
        for kind in rules.event_kinds().values():
            defaults = {each.name for each in dataclasses.fields(kind) if each.default is not dataclasses.MISSING}
            assert kind.later <= defaults, kind


def test_a_march_tells_everybody_the_hexes_it_went_through(run):
    marches = list(told(run, Marched))
    for _, action, each in marches:
        assert isinstance(action, March) and isinstance(each.event, Marched)
        assert each.to == EVERYONE and each.event.path == action.path and each.event.path[-1] == each.event.target
    assert any(len(action.path) > 1 for _, action, _ in marches)


def test_a_strike_tells_whose_dice_they_are_and_whom_they_hit(run):
    strikes = [e.event for kind in (Rolled, WildRolled) for *_, e in told(run, kind) if e.event.why == "melee"]
    assert strikes
    for event in strikes:
        assert len(event.names) == len(event.needs) == len(event.faces)
        assert event.against is not None and event.against != getattr(event, "seat", WILD)
    assert {event.against == WILD for event in strikes} == {True, False}
    assert all(e.event.against is None for *_, e in told(run, Rolled) if not e.event.needs)


def test_who_falls_is_told_with_whose_it_was_and_where(run):
    fallen = list(told(run, Fell))
    assert {each.event.seat is None for *_, each in fallen} == {True, False}
    for before, _, each in fallen:
        assert each.event.place in before.hexes


def test_a_battle_tells_its_sides_and_who_is_left(run):
    for *_, each in told(run, BattleBegan):
        assert each.event.attackers and each.event.defender is not None
        assert each.event.defender not in each.event.attackers
    assert any(each.event.winner is not None for *_, each in told(run, BattleOver))


def test_a_captured_hex_tells_whose_it_was(run):
    captures = list(told(run, Captured))
    assert captures
    for before, _, each in captures:
        assert each.event.by == before.hexes[each.event.place].owner != each.event.seat
