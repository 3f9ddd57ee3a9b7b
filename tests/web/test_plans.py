"""Plans: prepared while others play, taken through the gate when their moment comes, and known to nobody else."""

from __future__ import annotations

import pytest
from django.db import transaction

from games import archive, begun, doorbell, plans, play, robots
from games.engine.core.dice import Dice
from games.engine.core.plans import REST
from games.engine.core.refusals import IllegalAction
from games.engine.kings import KINGS
from games.models import Action, Game, Seat
from tests import tables
from tests.web import kings as k

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("kings_bots", "settled_chance")]

DONE = {"do": "done"}


@pytest.fixture
def marching() -> Game:
    """A game of four people in which somebody moves, and somebody with a stack waits for their turn to."""
    for number in range(9):
        game = k.kings()
        state = k.play_on(game, f"plans {number}", lambda state: state.extras["phase"] == "march")
        if len(KINGS.asked(state)) == 1 and KINGS.asked(state)[0] != state.order[-1] and can_march(game, later(game)):
            return game
    raise AssertionError("nobody waits for their turn to move")


def can_march(game: Game, number: int) -> bool:
    supposed = plans.supposed(game, seat_of(game, number), "march")
    return any(each.do == "march" for each in supposed.view.offers)


def seat_of(game: Game, number: int) -> Seat:
    return Seat.objects.select_related("game").get(game=game, number=number)


def later(game: Game) -> int:
    """Somebody who is to move after whoever is moving now."""
    view = play.view_for(game, None)
    return view.order[view.order.index(k.asked(game)[0]) + 1]


def plan_march(game: Game, number: int) -> None:
    """One march, and then nothing more."""
    seat = seat_of(game, number)
    view = plans.supposed(game, seat, "march").view
    offer = next(each for each in view.offers if each.do == "march")
    plans.add(game, seat, "march", offer.sample(Dice.seeded("march")).plain())
    plans.add(game, seat_of(game, number), "march", DONE)


def pass_until(game: Game, number: int) -> None:
    """Whoever is asked before this seat is has nothing to say."""
    chance = Dice.seeded("until")
    for _ in range(60):
        asked = k.asked(game)
        if number in asked:
            return
        view = play.view_for(game, asked[0])
        can_pass = any(each.do == "done" for each in view.offers)
        k.act(game, asked[0], DONE if can_pass else k.sampled(game, asked[0], chance))
    raise AssertionError("it never came to that seat")


def refused(call, *args) -> str:
    with pytest.raises(IllegalAction) as refusal:
        call(*args)
    return refusal.value.code


# ---- carried out


def test_a_plan_is_carried_out_when_its_moment_comes(marching):
    number = later(marching)
    plan_march(marching, number)
    assert not plans.run(marching.pk, number)
    pass_until(marching, number)
    assert seat_of(marching, number).wants_bot
    assert plans.run(marching.pk, number)
    assert seat_of(marching, number).plans["march"]["at"] == 1
    assert plans.run(marching.pk, number)
    taken = Action.objects.filter(game=marching, seat=number).order_by("-number")[:2]
    assert [row.action["do"] for row in taken] == ["done", "march"]
    assert seat_of(marching, number).plans == {} and number not in k.asked(marching)
    assert not archive.verify(marching)


def test_bots_processes_find_it(marching):
    number = later(marching)
    plan_march(marching, number)
    assert robots.waiting() == []
    pass_until(marching, number)
    assert robots.waiting() == [robots.Waiting(marching.pk, number, True, True)]


def test_a_plan_that_answers_at_once_is_carried_out_at_once(marching):
    number = k.asked(marching)[0]
    plans.pass_each_turn(marching, seat_of(marching, number), "march")
    assert seat_of(marching, number).wants_bot
    assert plans.run(marching.pk, number)
    assert number not in k.asked(marching)
    assert seat_of(marching, number).plans["march"]["again"] == "turn"


def test_a_step_counts_once_even_if_it_fails_on_the_way(marching, monkeypatch):
    """The process is killed between the step and the note of it: neither has happened, and then both do."""
    number = later(marching)
    plan_march(marching, number)
    pass_until(marching, number)
    count = Action.objects.filter(game=marching).count()
    act = play.act

    def dies(*args, **kwargs):
        act(*args, **kwargs)
        raise SystemExit

    monkeypatch.setattr(play, "act", dies)
    with pytest.raises(SystemExit), transaction.atomic():
        plans.run(marching.pk, number)
    monkeypatch.setattr(play, "act", act)
    play.forget()
    assert Action.objects.filter(game=marching).count() == count
    assert seat_of(marching, number).plans["march"]["at"] == 0
    assert plans.run(marching.pk, number)
    assert Action.objects.filter(game=marching).count() == count + 1


def test_of_two_processes_one_takes_the_step(marching, monkeypatch):
    number = later(marching)
    plan_march(marching, number)
    pass_until(marching, number)
    after_step, others = plans.after_step, []

    def first_another(*args):
        monkeypatch.setattr(plans, "after_step", after_step)
        others.append(plans.run(marching.pk, number))
        return after_step(*args)

    monkeypatch.setattr(plans, "after_step", first_another)
    assert refused(plans.run, marching.pk, number) == "stale"
    assert others == [True] and seat_of(marching, number).plans["march"]["at"] == 1


# ---- stopped, and only its owner is told


def test_a_condition_that_does_not_hold_stops_it(marching):
    number = later(marching)
    plan_march(marching, number)
    plans.set_guard(marching, seat_of(marching, number), "march", 0, "gold", 900)
    pass_until(marching, number)
    revision = play.view_for(marching, None).revision
    assert plans.run(marching.pk, number)
    seat = seat_of(marching, number)
    assert "less than 900 gold" in seat.plans["march"]["why"]
    assert not seat.wants_bot and seat.is_asked and not plans.run(marching.pk, number)
    marching.refresh_from_db()
    assert marching.revision == revision and not archive.verify(marching)


def test_what_the_rules_refuse_stops_it(marching):
    number = later(marching)
    plan_march(marching, number)
    seat = seat_of(marching, number)
    steps = [{**each} for each in seat.plans["march"]["steps"]]
    steps[0]["action"] = {**steps[0]["action"], "counters": ["*troll@h99@0"]}
    play.change_plans(seat, lambda before: {"march": {**before["march"], "steps": steps}})
    pass_until(marching, number)
    assert plans.run(marching.pk, number)
    assert "isn’t there any more: Troll" in seat_of(marching, number).plans["march"]["why"]


def test_conditions_are_those_that_fit_the_step(marching):
    number = later(marching)
    plan_march(marching, number)
    seat = seat_of(marching, number)
    assert refused(plans.set_guard, marching, seat, "march", 1, "empty", 0) == "bad_guard"
    assert refused(plans.set_guard, marching, seat, "march", 7, "gold", 1) == "bad_guard"
    assert refused(plans.set_guard, marching, seat, "march", 0, "gold", 1000) == "bad_guard"
    assert refused(plans.set_guard, marching, seat, "march", 0, "luck", 1) == "bad_guard"


# ---- made


def test_what_cannot_be_planned_is_refused(marching):
    asked, number = k.asked(marching)[0], later(marching)
    assert refused(plans.add, marching, seat_of(marching, asked), "march", DONE) == "plan_asked"
    assert refused(plans.add, marching, seat_of(marching, number), "losses", DONE) == "no_plans"
    assert refused(plans.add, marching, seat_of(marching, number), "march", {"do": "resign"}) == "plan_beside"
    assert refused(plans.add, marching, seat_of(marching, number), "march", {"do": "build", "place": "h1"})
    plan_march(marching, number)
    assert refused(plans.add, marching, seat_of(marching, number), "march", DONE) == "plan_full"


def test_a_game_without_plans_and_a_lesson_have_none(marching):
    duel = tables.running("ann", "bob")
    assert refused(plans.planning_of, duel) == "no_plans"
    marching.is_lesson = True
    assert refused(plans.planning_of, marching) == "no_plans"


def test_the_last_step_is_taken_off(marching):
    number = later(marching)
    plan_march(marching, number)
    plans.drop_last(seat_of(marching, number), "march")
    assert len(seat_of(marching, number).plans["march"]["steps"]) == 1
    plans.drop_last(seat_of(marching, number), "march")
    assert seat_of(marching, number).plans == {}


# ---- nothing more from me


def test_nothing_more_this_phase_and_this_turn(marching):
    number = k.asked(marching)[0]
    plans.nothing_more(marching, seat_of(marching, number), whole_turn=False)
    assert plans.is_resting(marching, seat_of(marching, number))
    assert plans.run(marching.pk, number) and number not in k.asked(marching)
    k.play_on(marching, "on", lambda state: state.extras["phase"] == "build")
    assert not plans.is_resting(marching, seat_of(marching, number))


def test_whoever_takes_it_back_is_asked_again(marching):
    number = k.asked(marching)[0]
    plans.nothing_more(marching, seat_of(marching, number), whole_turn=True)
    assert plans.run(marching.pk, number)
    k.act(marching, number, {"do": "undo"})
    assert number in k.asked(marching)
    assert not seat_of(marching, number).wants_bot and not plans.run(marching.pk, number)
    assert not archive.verify(marching)


def test_a_plan_half_taken_waits_after_an_undo(marching):
    number = later(marching)
    plan_march(marching, number)
    pass_until(marching, number)
    assert plans.run(marching.pk, number)
    if any(each.do == "undo" for each in play.view_for(marching, number).offers):
        k.act(marching, number, {"do": "undo"})
        assert not plans.run(marching.pk, number)


# ---- who plays the seat


def test_a_stand_in_goes_on_with_the_plans(marching):
    number = later(marching)
    plan_march(marching, number)
    with transaction.atomic():
        play.keep_seat(seat_of(marching, number))
    pass_until(marching, number)
    assert plans.run(marching.pk, number)
    seat = seat_of(marching, number)
    assert seat.bot and seat.plans["march"]["at"] == 1
    player = tables.player(k.NAMES[seat.number])
    begun.take_back_seat(marching, player)
    assert seat_of(marching, number).plans["march"]["at"] == 1 and not archive.verify(marching)


def test_whoever_resigns_leaves_no_plans_behind(marching):
    number = later(marching)
    plan_march(marching, number)
    k.act(marching, number, {"do": "resign"})
    seat = seat_of(marching, number)
    assert seat.plans == {} and seat.bot and not archive.verify(marching)


def test_nothing_is_carried_out_when_the_game_is_over(marching):
    number = k.asked(marching)[0]
    plans.pass_each_turn(marching, seat_of(marching, number), "march")
    Game.objects.filter(pk=marching.pk).update(status="finished")
    assert not plans.run(marching.pk, number)


# ---- known to nobody else


def test_a_plan_raises_no_number_and_rings_only_its_own_pages(marching, monkeypatch):
    rung = []
    monkeypatch.setattr(doorbell, "_after_commit", lambda ring: rung.append((ring.kind, ring.number)))
    number = later(marching)
    before = Game.objects.filter(pk=marching.pk).values().get()
    plan_march(marching, number)
    plans.nothing_more(marching, seat_of(marching, number), whole_turn=True)
    plans.drop(seat_of(marching, number), REST)
    assert Game.objects.filter(pk=marching.pk).values().get() == before
    assert set(rung) == {("seat", number)}


def test_an_exported_game_has_no_plans(marching):
    exported = archive.exported(marching)
    plan_march(marching, later(marching))
    assert archive.exported(marching) == exported


def test_plans_of_another_version_are_passed_over(marching):
    number = k.asked(marching)[0]
    Seat.objects.filter(game=marching, number=number).update(plans={"divination": {"steps": []}})
    assert not plans.run(marching.pk, number)
    assert "nothing can be planned for" in archive.verify(marching)
    k.act(marching, number, DONE)
