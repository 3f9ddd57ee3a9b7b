"""Plans of Kings & Things*: made from a seat's View alone, and checked when their moment comes."""

from __future__ import annotations

import dataclasses

import pytest

from games.engine.bots.kings import Steward
from games.engine.core.dice import Dice
from games.engine.core.flow import run
from games.engine.core.plain import plain
from games.engine.core.plans import EACH_TURN, REST, Moment, Plan, Step, after_step, due, step_due
from games.engine.core.refusals import IllegalAction
from games.engine.kings import KINGS
from games.engine.kings.flow.turn import Turn
from games.engine.kings.plans import PARTS
from games.engine.kings.scenario import Position, Script, read
from games.engine.kings.state import KingsState

PLANNING = KINGS.plans
DONE = {"do": "done"}


def laid(text: str) -> KingsState:
    """The position of a scenario, with dice that throw anything."""
    position = Position(Script())
    (scenario,) = read("title: plans\n" + text)
    for line in scenario.lines:
        assert position.take(line), line
    scripted = position.laid()
    fields = {field.name: getattr(scripted, field.name) for field in dataclasses.fields(KingsState)}
    state = KingsState(**{**fields, "dice": Dice.seeded("plans")})
    state.call(Turn(next=position.phase))
    run(state)
    return state


WAITING = """
players: 2
phase: march
h5 swamp A tower: troll goblins
h6 desert A
h4 mountain A
h13 jungle B: ogre
h12 swamp B
"""


def view_of(state, seat):
    return KINGS.view(state, seat)


def planned(state, seat, question, *actions):
    """A plan of these actions, as they are noted one after another, and what it comes to."""
    steps: list[Step] = []
    for action in actions:
        supposed = PLANNING.suppose(KINGS, view_of(state, seat), question, steps)
        assert supposed.refusal is None and supposed.is_open
        chosen = action(supposed.view) if callable(action) else action
        steps.append(Step(PLANNING.noted(supposed.view, KINGS.parse(chosen))))
    return Plan(tuple(steps)), PLANNING.suppose(KINGS, view_of(state, seat), question, steps)


def march(kind, start, *path):
    def chosen(view):
        tag = next(c.tag for c in view.stacks[start] if getattr(c, "kind", "") == kind)
        return {"do": "march", "counters": [tag], "path": list(path)}

    return chosen


# ---- a seat that is not asked imagines that it is


def test_a_march_is_planned_while_somebody_else_moves():
    state = laid(WAITING)
    assert KINGS.asked(state) == (0,)
    plan, then = planned(state, 1, "march", march("ogre", "h13", "h12"), DONE)
    assert then.refusal is None and not then.is_open
    assert [c.place for c in then.view.counters if getattr(c, "kind", "") == "ogre"] == ["h12"]
    assert plan.steps[0].action["counters"] == ["*ogre@h13@1"]


def test_its_steps_are_taken_when_the_seat_is_asked():
    state = laid(WAITING)
    plan, _ = planned(state, 1, "march", march("ogre", "h13", "h12"), DONE)
    state = KINGS.apply(state, 0, KINGS.parse(DONE)).state
    plans, taken = {"march": plan}, []
    while step := step_due(plans, KINGS.plan_moment(state, 1), PLANNING.passes):
        action = KINGS.parse(PLANNING.recalled(view_of(state, 1), step.action))
        KINGS.check(state, 1, action)
        plans = after_step(plans, KINGS.plan_moment(state, 1), PLANNING.passes)
        state = KINGS.apply(state, 1, action).state
        taken.append(action.do)
    assert taken == ["march", "done"] and plans == {}
    assert [c.place for c in state.counters.values() if c.kind == "ogre" and c.owner == 1] == ["h12"]


def test_what_the_rules_refuse_is_refused_in_a_plan():
    state = laid(WAITING)
    _, then = planned(state, 1, "march")
    with pytest.raises(AssertionError):
        planned(state, 1, "march", march("ogre", "h13", "h1"), DONE)
    step = Step(PLANNING.noted(then.view, KINGS.parse(march("ogre", "h13", "h1")(then.view))))
    assert PLANNING.suppose(KINGS, view_of(state, 1), "march", [step]).refusal is not None


@pytest.mark.parametrize("aside", [{"do": "resign"}, {"do": "undo"}, {"do": "set_order", "about": "fan", "how": "ask"}])
def test_nothing_beside_the_question_is_planned(aside):
    refusal = PLANNING.suppose(KINGS, view_of(laid(WAITING), 1), "march", [Step(aside)]).refusal
    assert refusal is not None and refusal.code == "plan_beside"


def test_a_plan_ends_where_dice_decide():
    state = laid(WAITING)
    supposed = PLANNING.suppose(KINGS, view_of(state, 1), "recruit", ())
    offer = next(each for each in supposed.view.offers if each.do == "recruit")
    step = Step(PLANNING.noted(supposed.view, offer.sample(Dice.seeded("one"))))
    after = PLANNING.suppose(KINGS, view_of(state, 1), "recruit", [step])
    assert after.refusal is None and not after.is_open
    too_long = PLANNING.suppose(KINGS, view_of(state, 1), "recruit", [step, Step(DONE)])
    assert too_long.refusal is not None and too_long.refusal.code == "plan_full"


def test_what_a_plan_can_choose_from_follows_from_the_view_alone():
    """Whatever others hold, and whatever they have ordered, the same questions come of it."""
    state = played(60)
    for seat in range(4):
        twin = KINGS.scramble(state, seat, Dice.seeded("twin"))
        for question in PARTS:
            one, other = (PLANNING.suppose(KINGS, view_of(each, seat), question, ()) for each in (state, twin))
            assert plain(one.view.offers) == plain(other.view.offers)
        assert KINGS.plan_moment(state, seat) == KINGS.plan_moment(twin, seat)


# ---- what is gone, and conditions


def test_a_plan_whose_counter_is_gone_is_refused():
    state = laid(WAITING)
    plan, _ = planned(state, 1, "march", march("ogre", "h13", "h12"))
    ogre = next(n for n, c in state.counters.items() if c.kind == "ogre" and c.owner == 1)
    state.to_cup(ogre)
    with pytest.raises(IllegalAction) as refused:
        PLANNING.recalled(view_of(state, 1), plan.steps[0].action)
    assert refused.value.code == "plan_gone" and refused.value.facts == {"what": "Ogre"}


MOVE = {"do": "march", "counters": ["*ogre@h13@1"], "path": ["h12"]}


@pytest.mark.parametrize(
    ("guard", "least", "holds"),
    [
        ("gold", 0, True),
        ("gold", 900, False),
        ("income", 1, True),
        ("income", 900, False),
        ("empty", 0, True),
        ("mine", 0, True),
        ("", 0, True),
    ],
)
def test_conditions_look_at_the_view(guard, least, holds):
    view = view_of(laid(WAITING), 1)
    if holds:
        PLANNING.check_guard(view, Step(MOVE, guard, least))
    else:
        with pytest.raises(IllegalAction) as refused:
            PLANNING.check_guard(view, Step(MOVE, guard, least))
        assert refused.value.code == "plan_guard"


@pytest.mark.parametrize("guard", ["empty", "mine"])
def test_conditions_about_a_hex_fail_where_somebody_else_stands_and_owns(guard):
    view = view_of(laid(WAITING), 1)
    with pytest.raises(IllegalAction):
        PLANNING.check_guard(view, Step({**MOVE, "path": ["h5"]}, guard))


# ---- which plan answers, and until when


MARCHING = Moment("march", 3, "march", 0)


def test_a_plan_is_for_its_own_question():
    plans = {"march": Plan((Step(DONE),))}
    assert due(plans, MARCHING, {}) == "march"
    assert due(plans, MARCHING._replace(question="build", phase="build"), {}) == ""
    assert due(plans, MARCHING._replace(question=""), {}) == ""


def test_a_plan_once_begun_is_over_with_the_turn():
    plans = after_step({"march": Plan((Step(DONE), Step(DONE)))}, MARCHING, {})
    assert due(plans, MARCHING, {}) == "march"
    assert due(plans, MARCHING._replace(turn=4), {}) == ""


def test_a_plan_for_every_turn_holds_again():
    plans = after_step({"march": Plan((Step(DONE),), again=EACH_TURN)}, MARCHING, {})
    assert due(plans, MARCHING._replace(turn=4), {}) == "march"


def test_whoever_takes_a_step_back_is_asked_again_themselves():
    plans = {"march": Plan((Step(DONE),), again=EACH_TURN)}
    plans = after_step(plans, MARCHING, {})
    assert due(plans, MARCHING._replace(era=1), {}) == ""
    assert due(plans, MARCHING._replace(era=1, turn=4), {}) == "march"


def test_nothing_more_passes_what_can_be_passed_until_its_phase_or_turn_is_over():
    passes = {"march": DONE, "build": DONE}
    phase, turn = {REST: Plan(turn=3, phase="march")}, {REST: Plan(turn=3)}
    building, losing = Moment("build", 3, "build", 0), Moment("losses", 3, "combat", 0)
    assert [due(phase, moment, passes) for moment in (MARCHING, building, losing)] == [REST, "", ""]
    assert [due(turn, moment, passes) for moment in (MARCHING, building, losing)] == [REST, REST, ""]
    assert due(turn, MARCHING._replace(turn=4), passes) == ""
    assert step_due(turn, MARCHING, passes) == Step(DONE)
    taken = after_step(turn, MARCHING, passes)
    assert due(taken, building, passes) == REST
    assert due(taken, MARCHING._replace(era=1), passes) == ""


def test_a_plan_that_was_stopped_answers_no_more():
    assert due({"march": Plan((Step(DONE),), why="gone")}, MARCHING, {}) == ""


def test_a_plan_is_read_as_it_was_stored():
    plan = Plan((Step(MOVE, "gold", 5), Step(DONE)), at=1, again=EACH_TURN, turn=2, why="x")
    assert Plan.read(plan.stored()) == plan
    assert Plan.read({**plan.stored(), "of_another_version": 1}) == plan
    assert dataclasses.replace(plan, why="") == Plan.read({**plan.stored(), "why": ""})


# ---- over whole turns


def played(actions, seed="plans"):
    state, steward = KINGS.setup(seed, 4, KINGS.usual_options(4, "days"), Dice.seeded(seed)).state, Steward()
    while not state.extras["turn"] or state.actions < actions:
        state = answered(state, KINGS.asked(state)[0], steward)
    return state


def answered(state, seat, steward):
    view = view_of(state, seat)
    return KINGS.apply(state, seat, steward.choose(view, view.offers, Dice.seeded(f"{state.actions}"))).state


def plan_for(state, seat, question, steward):
    """What a steward would answer if it were asked now, up to the end of what can be planned."""
    steps: list[Step] = []
    for _ in range(12):
        supposed = PLANNING.suppose(KINGS, view_of(state, seat), question, steps)
        assert supposed.refusal is None
        if not supposed.is_open:
            break
        chosen = steward.choose(supposed.view, supposed.view.offers, Dice.seeded(f"{len(steps)}"))
        steps.append(Step(PLANNING.noted(supposed.view, chosen)))
    return Plan(tuple(steps))


def test_plans_for_every_question_play_whole_turns():
    """Whoever has planned all of a turn is asked almost nothing of it; what is refused is asked as ever."""
    steward, state = Steward(), played(60)
    plans: dict[int, dict[str, Plan]] = {seat: {} for seat in range(4)}
    taken, refused, turn = 0, 0, 0
    for _ in range(260):
        if state.result or state.extras["turn"] >= 6:
            break
        if state.extras["turn"] != turn:
            turn = state.extras["turn"]
            plans = {seat: {q: plan_for(state, seat, q, steward) for q in PARTS} for seat in range(4)}
        seat = KINGS.asked(state)[0]
        moment = KINGS.plan_moment(state, seat)
        assert moment == PLANNING.moment(view_of(state, seat))
        step = step_due(plans[seat], moment, PLANNING.passes)
        if step is None:
            state = answered(state, seat, steward)
            continue
        try:
            action = KINGS.parse(PLANNING.recalled(view_of(state, seat), step.action))
            KINGS.check(state, seat, action)
        except IllegalAction:
            refused += 1
            plans[seat].pop(moment.question)
            continue
        plans[seat] = after_step(plans[seat], moment, PLANNING.passes)
        state, taken = KINGS.apply(state, seat, action).state, taken + 1
    assert taken > 40 and refused < taken / 3
