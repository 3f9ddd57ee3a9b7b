"""The script of the lesson, played against today's rules: each idea's card comes up, and its deed is done."""

from __future__ import annotations

import pytest

from games import archive
from games.painting.kings.lesson import STEPS
from games.painting.kings.lesson import deeds as deeds_in
from games.painting.scene import Line
from tests import tables
from tests.kings_lesson import Pupil

pytestmark = pytest.mark.django_db

DEEDS = {"collected", "drew", "placed_creatures", "bluff", "event_played", "marched", "explored", "won", "built"}


@pytest.mark.parametrize("first", ["first bot", "last bot"])
def test_whoever_presses_what_stands_out_meets_every_idea_in_the_first_turn(first):
    pupil = Pupil(tables.player("ann"), first)
    pupil.plays(turns=1)
    assert set(pupil.cards) == set(STEPS)
    assert DEEDS - pupil.deeds == set()
    assert archive.verify(pupil.game) == ""


def test_the_lesson_goes_on_as_an_ordinary_game():
    pupil = Pupil(tables.player("ann"), "pupil")  # another order gives another course; the coach adapts
    pupil.plays(turns=4)
    assert {"collected", "drew", "placed_creatures", "marched", "explored"} <= pupil.deeds
    assert archive.verify(pupil.game) == ""


def test_what_others_do_and_what_was_taken_back_is_no_deed_of_the_pupils():
    def line(event: str, taken_back: bool = False, **facts: object) -> Line:
        return Line(1, event, "", "", facts, taken_back)

    lines = [
        line("marched", seat=1, target="h5"),
        line("found_defenders", place="h5"),
        line("built", True, seat=0),
        line("battle_over", place="h5", winner=1),
    ]
    assert deeds_in(lines, 0) == {"any marched", "any found_defenders", "any battle_over"}


def test_cards_are_short():
    for step in STEPS.values():
        assert len(step.words.split()) <= 40
