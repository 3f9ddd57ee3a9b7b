"""The script of the lesson, played against today's rules: each idea's card comes up, and its deed is done."""

from __future__ import annotations

from dataclasses import replace

import pytest

from games import archive, lobby, play, robots
from games.models import Action, Game
from games.painting.kings.lesson import LAST_TURN, cards, cards_for, point_of, progress_of, script
from games.painting.kings.lesson import deeds as deeds_in
from games.painting.kings.lesson_words import END, LATER, STEPS
from games.painting.scene import Line
from tests import tables
from tests.kings_lesson import Pupil, Way, at_random, finished, pressed

pytestmark = pytest.mark.django_db

DEEDS = {"collected", "drew", "placed_creatures", "bluff", "event_played", "marched", "explored", "won", "built"}


@pytest.mark.parametrize("first", ["pupil", "first bot", "last bot"])
def test_whoever_presses_what_stands_out_meets_every_idea_in_the_first_turn(first):
    pupil = Pupil(tables.player("ann"), first)
    pupil.plays(turns=1)
    assert set(pupil.cards) == {*STEPS, END}
    assert DEEDS - pupil.deeds == set()
    assert archive.verify(pupil.game) == ""


WAYS: dict[str, Way] = {
    "as suggested": pressed,
    "done with everything": finished,
    **{f"at random {seed}": at_random(f"pupil {seed}") for seed in range(12)},
}


@pytest.mark.parametrize("reads", [True, False], ids=["reads", "goes on at once"])
@pytest.mark.parametrize("way", WAYS)
def test_whatever_a_pupil_does_every_idea_is_told_once(way: str, reads: bool):
    """Also those of the battle, to whoever never fights, and the end after all of them."""
    pupil = Pupil(tables.player("ann"), way=WAYS[way], reads=reads)
    pupil.plays(turns=LAST_TURN + 2)
    assert set(STEPS) - pupil.told == set()
    assert pupil.cards[-1] == END and len(pupil.cards) == len(STEPS) + 1
    assert archive.verify(pupil.game) == ""


def test_a_bluff_is_told_of_while_it_can_be_placed():
    pupil = Pupil(tables.player("ann"))

    def watched(scene, view):
        if "lesson_bluff" in pupil.cards and "bluff" not in asked:
            asked["bluff"] = [each.do for each in view.offers]
        return pressed(scene, view)

    asked: dict[str, list[str]] = {}
    pupil.way = watched
    pupil.plays(turns=1)
    assert "place" in asked["bluff"]


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


def test_ideas_are_counted_and_the_lesson_has_an_end():
    assert [progress_of(step) for step in STEPS] == [f"{n} of 10" for n in range(1, 11)]
    assert progress_of("lesson_dice" + LATER) == progress_of("lesson_dice")
    assert progress_of(END) == "Lesson over"
    pupil = Pupil(tables.player("ann"), reads=False)
    pupil.plays(turns=2)
    assert pupil.cards == [*STEPS, END]  # as they are counted
    assert END in cards()


def test_what_did_not_come_up_is_told_in_other_words_and_shown_elsewhere():
    pupil = Pupil(tables.player("ann"))
    scene = pupil.scene
    view = replace(scene.view, question="build", phase="build", turn=LAST_TURN)
    assert cards_for(replace(scene, view=replace(view, turn=1))) == ["lesson_building", END]
    told = cards_for(replace(scene, view=view))
    assert told[0] == "lesson_building" and {"lesson_battle.later", "lesson_dice.later"} < set(told)
    assert point_of(scene, "lesson_battle.later", None, {}) == "#phases [data-lesson=combat]"
    assert cards_for(replace(scene, view=view, is_lesson=False)) == []
    assert all(f"{name}{LATER}" in cards() and step.later != step.words for name, step in STEPS.items())


def test_a_battle_that_asked_nothing_is_explained_right_after_it():
    pupil = Pupil(tables.player("ann"))
    scene = pupil.scene
    view = replace(scene.view, question="build", phase="build", turn=1)
    fought = Line(1, "battle_began", "", "", {"attackers": (view.seat,), "defender": -1, "place": "h5"})
    told = cards_for(replace(scene, view=view, lines=(fought,)))
    assert told == ["lesson_building", "lesson_battle.later", "lesson_dice.later", END]
    others = replace(fought, facts={**fought.facts, "attackers": (view.seat + 1,)})
    assert cards_for(replace(scene, view=view, lines=(others,))) == ["lesson_building", END]


def test_the_film_waits_for_the_cards_of_a_battle():
    filmed = {kind: [each["name"] for each in told] for kind, told in script()["filmed"].items()}
    assert filmed["battle"] == ["lesson_battle"] and filmed["strike"] == ["lesson_battle", "lesson_dice"]
    assert script()["filmed"]["battle"][0]["point"].startswith("#arena")


def test_what_others_do_and_what_was_taken_back_is_no_deed_of_the_pupils():
    def line(event: str, taken_back: bool = False, **facts: object) -> Line:
        return Line(1, event, "", "", facts, taken_back)

    lines = [
        line("marched", seat=1, target="h5"),
        line("found_defenders", place="h5"),
        line("built", True, seat=0),
        line("battle_over", place="h5", winner=1),
    ]
    assert deeds_in(lines, 0) == set()


def test_cards_are_short():
    for step in STEPS.values():
        assert max(len(step.words.split()), len(step.later.split())) <= 40
