"""Plans: prepared while others play, taken through the gate when their moment comes, and known to nobody else."""

from __future__ import annotations

import html
import re
from datetime import UTC, datetime

import pytest
import time_machine
from django.db import transaction
from django.test import Client
from django.urls import reverse

from games import archive, begun, doorbell, plans, play, robots
from games.engine.core.dice import Dice
from games.engine.core.plans import REST
from games.engine.core.refusals import IllegalAction
from games.engine.kings import KINGS
from games.models import Action, Game, Seat
from players import tokens
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


@pytest.mark.parametrize("change", [plans.drop_last, plans.set_guard, plans.add], ids=lambda each: each.__name__)
def test_a_plan_is_not_changed_back_while_a_step_of_it_is_taken(marching, monkeypatch, change):
    """Its owner has read the plan, and then a process takes a step: the plan must not begin anew."""
    number = later(marching)
    plan_march(marching, number)
    if change is plans.add:
        plans.drop_last(marching, seat_of(marching, number), "march")
    more = {plans.drop_last: (), plans.set_guard: (0, "gold", 0), plans.add: (DONE,)}[change]
    seat, change_plans = seat_of(marching, number), play.change_plans

    def first_a_step(*args):
        monkeypatch.setattr(play, "change_plans", change_plans)
        pass_until(marching, number)
        assert plans.run(marching.pk, number)
        change_plans(*args)

    monkeypatch.setattr(play, "change_plans", first_a_step)
    assert refused(change, marching, seat, "march", *more) == "stale"
    left = seat_of(marching, number).plans
    assert left == {} if change is plans.add else left["march"]["at"] == 1


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


def test_a_step_whose_condition_fails_is_left_out_if_its_owner_wants_so(marching):
    """The plan goes on with what follows, in the same moment, and only its owner is told what was left out."""
    number = later(marching)
    plan_march(marching, number)
    plans.set_guard(marching, seat_of(marching, number), "march", 0, "gold", 900, skip=True)
    pass_until(marching, number)
    assert plans.run(marching.pk, number)
    last = Action.objects.filter(game=marching).order_by("-number")[0]
    assert (last.seat, last.action["do"]) == (number, "done") and number not in k.asked(marching)
    left = play.plans_of(marching, seat_of(marching, number))["march"]
    assert left.is_over and left.steps[0].why == "you have less than 900 gold" and not left.why
    assert not seat_of(marching, number).wants_bot and not plans.run(marching.pk, number)
    told = [
        name
        for name in (*k.NAMES, "eve")
        if "left out a step" in client_of(name).get(marching.get_absolute_url()).content.decode()
    ]
    assert told == [k.NAMES[number]] and not archive.verify(marching)
    page = client_of(k.NAMES[number]).get(url(marching)).content.decode()
    assert "(left out: you have less than 900 gold)" in page and "(done)" in page
    assert "planned-march" not in page


def test_where_every_step_is_left_out_its_owner_is_asked(marching):
    number = later(marching)
    plan_march(marching, number)
    for step in (0, 1):
        plans.set_guard(marching, seat_of(marching, number), "march", step, "gold", 900, skip=True)
    pass_until(marching, number)
    count = Action.objects.filter(game=marching).count()
    assert plans.run(marching.pk, number)
    seat = seat_of(marching, number)
    assert not seat.wants_bot and seat.is_asked and not plans.run(marching.pk, number)
    assert Action.objects.filter(game=marching).count() == count
    assert play.plans_of(marching, seat)["march"].is_over
    assert "left out a step" in client_of(k.NAMES[number]).get(marching.get_absolute_url()).content.decode()


def test_a_later_step_stops_the_plan_that_left_one_out(marching):
    number = later(marching)
    plan_march(marching, number)
    plans.set_guard(marching, seat_of(marching, number), "march", 0, "gold", 900, skip=True)
    plans.set_guard(marching, seat_of(marching, number), "march", 1, "income", 900)
    pass_until(marching, number)
    assert plans.run(marching.pk, number)
    stopped = play.plans_of(marching, seat_of(marching, number))["march"]
    assert "income is less than 900" in stopped.why and stopped.at == 1 and stopped.steps[0].why
    assert number in k.asked(marching) and not plans.run(marching.pk, number)


def test_a_step_whose_condition_holds_is_taken_whatever_else_was_chosen(marching):
    number = later(marching)
    plan_march(marching, number)
    plans.set_guard(marching, seat_of(marching, number), "march", 0, "gold", 0, skip=True)
    pass_until(marching, number)
    assert plans.run(marching.pk, number) and plans.run(marching.pk, number)
    assert seat_of(marching, number).plans == {} and number not in k.asked(marching)


def test_what_is_passed_each_turn_has_no_condition(marching):
    number = later(marching)
    plans.pass_each_turn(marching, seat_of(marching, number), "build")
    guard = (plans.set_guard, marching, seat_of(marching, number), "build", 0, "gold", 9, True)
    assert refused(*guard) == "bad_guard"


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


def test_what_the_gate_refuses_stops_it_and_leaves_no_step_taken(marching):
    """`manage.py days` found it: the refused step looked taken, so the plan was tried again for ever."""
    number = later(marching)
    plan_march(marching, number)
    seat = seat_of(marching, number)
    steps = [{**each} for each in seat.plans["march"]["steps"]]
    steps[0]["action"] = {**steps[0]["action"], "path": [*steps[0]["action"]["path"], "h1", "h37"]}
    play.change_plans(seat, lambda before: {"march": {**before["march"], "steps": steps}})
    pass_until(marching, number)
    assert plans.run(marching.pk, number)
    stopped = seat_of(marching, number).plans["march"]
    assert stopped["why"] and stopped["at"] == 0 and not archive.verify(marching)


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
    plans.drop_last(marching, seat_of(marching, number), "march")
    assert len(seat_of(marching, number).plans["march"]["steps"]) == 1
    plans.drop_last(marching, seat_of(marching, number), "march")
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


# ---- the page


def url(game: Game, question: str = "") -> str:
    return reverse("plans", args=[game.public_id]) + (f"?for={question}" if question else "")


def client_of(name: str) -> Client:
    client = Client()
    client.force_login(tables.player(name))
    return client


def post(client: Client, game: Game, number: int, **fields: str):
    return client.post(url(game), {"seat": str(number), **fields})


def buttons(page: str, name: str) -> list[str]:
    found = re.findall(rf"""<button[^>]*name="{name}"[^>]*value=("[^"]*"|'[^']*')""", page)
    return [html.unescape(each[1:-1]) for each in found]


def test_a_plan_is_made_on_the_page_without_scripts(marching):
    """Pick a stack, then a hex, as at the table; and it is listed in words, with its ghost."""
    number = later(marching)
    client = client_of(k.NAMES[number])
    page = client.get(url(marching, "march")).content.decode()
    stack = next(each for each in buttons(page, "press") if each.startswith("march stack"))
    page = post(client, marching, number, **{"for": "march", "press": stack}).content.decode()
    march = next(each for each in buttons(page, "action") if '"march"' in each)
    assert post(client, marching, number, **{"for": "march", "action": march}).status_code == 302
    page = client.get(url(marching, "march")).content.decode()
    assert "planned-march" in page and "Remove this plan" in page
    assert [step.action["do"] for step in play.plans_of(marching, seat_of(marching, number))["march"].steps] == [
        "march"
    ]
    post(client, marching, number, **{"for": "march", "do": "guard 0", "guard 0": "income", "least 0": "7"})
    page = client.get(url(marching)).content.decode()
    assert "only if my income is at least: 7" in page and "planned-if" in page
    assert "otherwise without this step" not in page
    skip = {"guard 0": "income", "least 0": "7", "otherwise 0": "skip"}
    post(client, marching, number, **{"for": "march", "do": "guard 0", **skip})
    assert "only if my income is at least: 7; otherwise without this step" in client.get(url(marching)).content.decode()
    assert "planned-march" in client.get(marching.get_absolute_url()).content.decode()
    post(client, marching, number, **{"for": "march", "do": "drop"})
    assert seat_of(marching, number).plans == {}


@pytest.mark.parametrize("question", KINGS.plans.questions)
def test_every_question_has_its_page(marching, question):
    number = later(marching)
    client = client_of(k.NAMES[number])
    assert client.get(url(marching, question)).status_code == 200
    if question != "draw":
        assert "every turn" in client.get(url(marching, question)).content.decode()
    assert post(client, marching, number, **{"for": question, "do": "pass"}).status_code == 302
    assert "every turn" in client.get(url(marching)).content.decode()


def test_one_press_at_the_table_passes_the_rest_of_the_turn(marching):
    number = k.asked(marching)[0]
    client = client_of(k.NAMES[number])
    page = client.get(marching.get_absolute_url()).content.decode()
    assert buttons(page, "rest") == ["phase", "turn"]
    assert post(client, marching, number, rest="turn", back="table").url == marching.get_absolute_url()
    assert seat_of(marching, number).wants_bot
    assert buttons(client.get(marching.get_absolute_url()).content.decode(), "rest")[0] == "ask"
    post(client, marching, number, rest="ask")
    assert seat_of(marching, number).plans == {} and not seat_of(marching, number).wants_bot


def test_why_a_plan_stopped_is_told_at_the_table_to_its_owner_only(marching):
    number = later(marching)
    plan_march(marching, number)
    plans.set_guard(marching, seat_of(marching, number), "march", 0, "gold", 900)
    pass_until(marching, number)
    plans.run(marching.pk, number)
    told = [
        name
        for name in (*k.NAMES, "eve")
        if "less than 900 gold" in client_of(name).get(marching.get_absolute_url()).content.decode()
    ]
    assert told == [k.NAMES[number]]
    assert "less than 900 gold" in client_of(k.NAMES[number]).get(url(marching)).content.decode()


BAD = (
    {"for": "march", "action": "{["},
    {"for": "march", "action": '{"do": "resign"}'},
    {"for": "march", "action": '{"do": "march", "counters": [], "path": []}'},
    {"for": "march", "control": "march"},
    {"for": "march", "control": "x" * 9000},
    {"for": "march", "do": "guard 0"},
    {"for": "march", "do": "guard x"},
    {"for": "march", "do": "guard 0", "otherwise 0": "dance"},
    {"for": "march", "do": "guard 0", "least 0": "-1"},
    {"for": "nothing", "do": "pass"},
    {"rest": "forever"},
    {},
)


@pytest.mark.parametrize("fields", BAD, ids=str)
def test_bad_input_is_refused_and_changes_nothing(marching, fields):
    number = later(marching)
    answer = post(client_of(k.NAMES[number]), marching, number, **fields)
    assert 400 <= answer.status_code < 500
    assert seat_of(marching, number).plans == {}


def test_the_page_is_for_players_of_a_running_game_only(marching):
    assert client_of("eve").get(url(marching)).status_code == 404
    assert post(client_of("eve"), marching, later(marching), rest="turn").status_code == 404
    number = later(marching)
    other = next(n for n in range(4) if n != number)
    assert post(client_of(k.NAMES[other]), marching, number, rest="turn").status_code == 409
    duel = tables.running("ann", "bob")
    assert client_of("ann").get(url(duel)).status_code == 404


def test_on_a_shared_screen_plans_are_seen_after_the_hand_over_only():
    game = k.kings("ann", "ann")
    k.play_on(game, "shared", lambda state: state.extras["phase"] == "march")
    other = 1 - k.asked(game)[0]
    plans.pass_each_turn(game, seat_of(game, other), "build")
    client = client_of("ann")
    assert client.get(url(game)).url == reverse("hand_over", args=[game.public_id])
    client.post(reverse("hand_over", args=[game.public_id]))
    page = client.get(url(game)).content.decode()
    assert "Build nothing, every turn." not in page


# ---- and nobody else can tell


def answers_to(name: str, game: Game) -> dict[str, bytes]:
    client, found = client_of(name), {}
    address = game.get_absolute_url()
    view = play.view_for(game, None)
    for path in ("", "room/", "export/", f"at/{view.revision - 1}/", "plans/", "orders/"):
        answer = client.get(f"{address}{path}")
        found[path] = b"%d" % answer.status_code + b"".join(answer) + repr(sorted(answer.items())).encode()
    found["pulse"] = client.post(
        f"{address}pulse/", {"revision": "3", "seat": ""}, headers={"HX-Request": "true"}
    ).content
    found["lists"] = client.get("/lists/").content
    program = {"Authorization": f"Bearer {tokens.make(tables.player(name), 'test')[1]}"}
    for path in ("", "/log"):
        found[f"api{path}"] = client.get(f"/api/v1/tables/{game.public_id}{path}", headers=program).content
    return found


@pytest.mark.usefixtures("frozen_csrf", "odds_wait")
def test_a_plan_given_or_not_changes_nothing_for_anybody_else(marching):
    """Until its step is taken; then it is an action like any other."""
    number = later(marching)
    with time_machine.travel(datetime(2031, 3, 1, tzinfo=UTC), tick=False):
        others = [name for name in (*k.NAMES, "eve") if name != k.NAMES[number]]
        before = {name: answers_to(name, marching) for name in others}
        own = answers_to(k.NAMES[number], marching)
        plan_march(marching, number)
        plans.pass_each_turn(marching, seat_of(marching, number), "build")
        plans.nothing_more(marching, seat_of(marching, number), whole_turn=True)
        for name in others:
            assert answers_to(name, marching) == before[name], name
        now = answers_to(k.NAMES[number], marching)
    assert {path for path in own if own[path] != now[path]} >= {"", "plans/"}
    assert own["export/"] == now["export/"] and own["api"] == now["api"]
