"""Plans: answers that players prepare while others play; when their moment comes they go through the gate as actions.

A plan lies in its seat's row, by question. It rings nobody and raises no number, and only its owner is told why it
stopped. Bots' processes (games/robots.py) take its steps, one at a time. A step is noted as taken in the transaction
that takes it, so it counts once, whatever happens. A steward who takes over goes on with the plans of the seat.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from django.db import transaction

from . import play
from .engine import RULESETS
from .engine.core.plans import (
    EACH_TURN,
    REST,
    Moment,
    Plan,
    Planning,
    Step,
    Supposed,
    after_skips,
    after_step,
    due,
    step_due,
)
from .engine.core.refusals import IllegalAction, Reason, reasons
from .engine.core.view import View
from .models import Game, Seat

MOST_STEPS = 30
LARGEST_GUARD = 999
Plans = Mapping[str, Plan]

reasons(
    plan_long=Reason("A plan has at most {most} steps."),
    bad_guard=Reason("A step of a plan can’t have this condition."),
    plan_asked=Reason("You are being asked this now. Answer at the table."),
)


def planning_of(game: Game) -> Planning:
    """What the table's game knows about plans; refused where it knows nothing."""
    planning = RULESETS[game.ruleset].plans
    if planning is None or game.is_lesson:
        raise IllegalAction("no_plans")
    return planning


def moment_of(game: Game, number: int) -> Moment:
    return planning_of(game).moment(play.view_of(game, number))


def supposed(game: Game, seat: Seat, question: str) -> Supposed:
    """How the game would stand if the seat were asked this now and had carried out its plan so far."""
    planning = planning_of(game)
    if question not in planning.questions:
        raise IllegalAction("no_plans")
    plan = play.plans_of(game, seat).get(question)
    steps = plan.steps if plan and can_grow(plan) else ()
    return planning.suppose(RULESETS[game.ruleset], play.view_of(game, seat.number), question, steps)


def can_grow(plan: Plan) -> bool:
    """Whether steps are added to this plan; otherwise a new one takes its place."""
    return not (plan.again or plan.why or plan.at)


def is_resting(game: Game, seat: Seat) -> bool:
    """Whether the seat has said "nothing more from me", and that still holds."""
    rest = play.plans_of(game, seat).get(REST)
    return rest is not None and rest.holds(moment_of(game, seat.number))


# ---- making plans


def add(game: Game, seat: Seat, question: str, data: object) -> None:
    """Add an action to the end of the plan for a question, if the rules would allow it there."""
    planning, rules = planning_of(game), RULESETS[game.ruleset]
    view = play.view_of(game, seat.number)
    if question not in planning.questions:
        raise IllegalAction("no_plans")
    if planning.moment(view).question == question:
        raise IllegalAction("plan_asked")
    plan = play.plans_of(game, seat).get(question)
    if plan is None or not can_grow(plan):
        plan = Plan()
    if len(plan.steps) >= MOST_STEPS:
        raise IllegalAction("plan_long", most=MOST_STEPS)
    action = rules.parse(data)
    before = planning.suppose(rules, view, question, plan.steps)
    if before.refusal:
        raise before.refusal
    if not before.is_open:
        raise IllegalAction("plan_full")
    steps = (*plan.steps, Step(planning.noted(before.view, action)))
    after = planning.suppose(rules, view, question, steps)
    if after.refusal:
        raise after.refusal
    grown = replace(plan, steps=steps)
    put(seat, question, grown)


def set_guard(game: Game, seat: Seat, question: str, number: int, guard: str, least: int, skip: bool = False) -> None:
    """Give a step a condition, and say whether it is skipped when that fails; or take its condition away."""
    planning, plan = planning_of(game), play.plans_of(game, seat).get(question)
    if plan is None or plan.again or not 0 <= number < len(plan.steps) or not 0 <= least <= LARGEST_GUARD:
        raise IllegalAction("bad_guard")
    step = plan.steps[number]
    if guard and guard not in guards_of(planning, step):
        raise IllegalAction("bad_guard")
    steps = [*plan.steps]
    steps[number] = replace(step, guard=guard, least=least, skip=skip and bool(guard))
    guarded = replace(plan, steps=tuple(steps))
    put(seat, question, guarded)


def guards_of(planning: Planning, step: Step) -> tuple[str, ...]:
    """The conditions that this step may have."""
    return tuple(guard for guard, fits in planning.guards.items() if not fits or step.action.get("do") in fits)


def drop_last(game: Game, seat: Seat, question: str) -> None:
    """Take the last step of a plan back; of a plan that nothing can be added to, all of it."""
    plan = play.plans_of(game, seat).get(question)
    if plan is None or not can_grow(plan) or len(plan.steps) < 2:
        drop(seat, question)
        return
    shorter = replace(plan, steps=plan.steps[:-1])
    put(seat, question, shorter)


def put(seat: Seat, question: str, plan: Plan) -> None:
    """Put this plan in place of the one that was read; refused if a step of that has been taken meanwhile."""
    known = seat.plans.get(question)

    def changed(plans: Mapping[str, Any]) -> dict[str, Any]:
        if plans.get(question) != known:
            raise play.StaleAction
        return {**plans, question: plan.stored()}

    play.change_plans(seat, changed)


def drop(seat: Seat, question: str) -> None:
    play.change_plans(seat, lambda plans: {each: plan for each, plan in plans.items() if each != question})


def pass_each_turn(game: Game, seat: Seat, question: str) -> None:
    """Answer a question with nothing, turn after turn, until its player says otherwise."""
    planning = planning_of(game)
    if question not in planning.questions or question not in planning.passes:
        raise IllegalAction("no_plans")
    plan = Plan((Step(planning.passes[question]),), again=EACH_TURN)
    play.change_plans(seat, lambda plans: {**plans, question: plan.stored()})


def nothing_more(game: Game, seat: Seat, whole_turn: bool) -> None:
    """Pass whatever may be passed in the rest of this phase, or of this turn."""
    moment = moment_of(game, seat.number)
    plan = Plan(turn=moment.turn, phase="" if whole_turn else moment.phase)
    play.change_plans(seat, lambda plans: {**plans, REST: plan.stored()})


# ---- carrying them out


def run(pk: int, number: int) -> bool:
    """Take the next step of the plan for what a seat is asked; whether the seat had one."""
    seat = Seat.objects.select_related("game").filter(game=pk, number=number).first()
    if seat is None or not seat.plans or seat.game.status != Game.Status.RUNNING:
        return False
    game, planning = seat.game, RULESETS[seat.game.ruleset].plans
    plans = play.plans_of(game, seat)
    if planning is None:
        return False
    view = play.view_of(game, number)
    moment, known = planning.moment(view), seat.plans
    found = after_skips(plans, moment, planning.passes, lambda step: unmet(planning, view, step))
    step = step_due(found, moment, planning.passes)
    if step is None:
        if found != plans:
            play.change_plans(seat, instead(known, found))
        return found != plans
    plans, left = found, after_step(found, moment, planning.passes)
    try:
        planning.check_guard(view, step)
        action = planning.recalled(view, step.action)
        with transaction.atomic():
            play.change_plans(seat, instead(known, left))
            token = play.fresh_token()
            play.act(game, number, action, revision=view.revision, token=token, decision=view.decision)
    except IllegalAction as refusal:
        if refusal.code in ("stale", "over"):
            raise
        name = due(plans, moment, planning.passes)
        stopped = replace(plans[name], why=refusal.sentence)
        play.change_plans(seat, instead(known, {**plans, name: stopped}))
    return True


def unmet(planning: Planning, view: View, step: Step) -> str:
    """Why the condition of a step does not hold; empty if it does."""
    try:
        planning.check_guard(view, step)
    except IllegalAction as refusal:
        return str(refusal.facts.get("what", refusal.sentence))
    return ""


def instead(before: Mapping[str, Any], left: Plans) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    """Put these plans in place of those that were read, unless their owner has changed them meanwhile."""
    known = dict(before)

    def changed(plans: Mapping[str, Any]) -> dict[str, Any]:
        if plans != known:
            raise play.StaleAction
        return {name: plan.stored() for name, plan in left.items()}

    return changed
