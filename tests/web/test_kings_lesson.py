"""The script of the lesson, played against today's rules: each idea's card comes up, and its deed is done."""

from __future__ import annotations

from dataclasses import replace

import pytest

from games import archive, lobby, play, robots
from games.models import Action, Game
from games.painting.kings.lesson import END, LAST_TURN, STEPS, cards, progress_of, step_of
from games.painting.kings.lesson import deeds as deeds_in
from games.painting.scene import Line
from tests import tables
from tests.kings_lesson import Pupil

pytestmark = pytest.mark.django_db

DEEDS = {"collected", "drew", "placed_creatures", "bluff", "event_played", "marched", "explored", "won", "built"}


@pytest.mark.parametrize("first", ["pupil", "first bot", "last bot"])
def test_whoever_presses_what_stands_out_meets_every_idea_in_the_first_turn(first):
    pupil = Pupil(tables.player("ann"), first)
    pupil.plays(turns=1)
    assert set(pupil.cards) == {*STEPS, END}
    assert DEEDS - pupil.deeds == set()
    assert archive.verify(pupil.game) == ""


def course(game: Game) -> list[tuple[int | None, object]]:
    return [(each.seat, each.action) for each in Action.objects.filter(game=game).order_by("number")]


def test_a_quick_and_a_slow_pupil_have_the_same_lesson():
    """Bots wait for the pupil and for each other, so it does not matter who could have answered first."""
    pupils = [Pupil(tables.player(f"ann{n}"), first) for n, first in enumerate(("pupil", "first bot", "last bot"))]
    for pupil in pupils:
        pupil.plays(turns=1)
    quick, *slow = (course(pupil.game) for pupil in pupils)
    assert len(quick) > 50 and all(each == quick for each in slow)


def test_the_lesson_goes_on_as_an_ordinary_game():
    pupil = Pupil(tables.player("ann"), "pupil")
    pupil.plays(turns=4)
    assert pupil.scene.view.turn > 4 or pupil.scene.view.result is not None
    assert archive.verify(pupil.game) == ""


def test_bots_at_a_lesson_answer_one_after_another_and_after_the_pupil():
    game = lobby.lesson(tables.player("ann"), "kings")
    seat = game.seats.get(bot="").number
    bots = sorted({0, 1, 2} - {seat})
    game.seats.filter(number__in=bots).update(is_asked=True, wants_bot=True)
    game.seats.filter(number=seat).update(is_asked=True)
    assert play.bot_questions(game) == [] and robots.waiting() == []
    game.seats.filter(number=seat).update(is_asked=False)
    assert [number for number, _ in play.bot_questions(game)] == bots[:1]
    assert [each.seat for each in robots.waiting()] == bots[:1]
    # A reply that nobody waits for, such as one to a proposal, may come at any time.
    game.seats.filter(number=seat).update(is_asked=True)
    game.seats.filter(number=bots[1]).update(is_asked=False)
    assert [number for number, _ in play.bot_questions(game)] == bots[1:]
    Game.objects.filter(pk=game.pk).update(is_lesson=False)
    assert [number for number, _ in play.bot_questions(game)] == bots


def test_steps_are_counted_and_the_lesson_has_an_end():
    assert [progress_of(step) for step in STEPS] == [f"{n} of 9" for n in range(1, 10)]
    assert progress_of(END) == progress_of("") == ""
    pupil = Pupil(tables.player("ann"))
    pupil.plays(turns=1)
    assert pupil.cards[-1] == END
    assert pupil.cards[:-1] == list(STEPS)  # as they are counted
    assert END in cards()


def test_whoever_leaves_things_out_comes_to_the_end_as_well():
    pupil = Pupil(tables.player("ann"))
    scene = pupil.scene
    view = replace(scene.view, question="build", turn=LAST_TURN)
    assert step_of(replace(scene, view=view)) == "lesson_building"
    built = replace(
        scene, view=view, lines=(Line(1, "turn_began", "", "", {}), Line(1, "built", "", "", {"seat": view.seat}))
    )
    assert step_of(built) == END
    assert step_of(replace(built, view=replace(view, turn=1))) == ""
    assert step_of(replace(built, is_lesson=False)) == ""


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
