"""The page of plans: answers prepared while others play, with the controls of the real question. A plain form."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse

from games import plans as planning
from games import play, robots, shares, submissions, tables
from games.access import Visitor
from games.engine import RULESETS
from games.engine.core.plans import REST, Moment, Plan, Planning
from games.engine.core.refusals import IllegalAction
from games.models import Game
from games.painting import fragments as painting
from games.painting.pages import PlansPage
from games.painting.scene import Planned, Scene
from games.registry import ENTRIES

from .table import at_table, field_of, refused

COMING = "coming"  # in place of a question: the one that is likely to be put next


@at_table("GET", "HEAD", "POST", share=shares.take_read)
def plans(request: HttpRequest, visitor: Visitor) -> HttpResponseBase:
    """Only who plays has any; on a shared device they are those of the seat that looks."""
    game = visitor.game
    page, knows = ENTRIES[game.ruleset].pages.plans, RULESETS[game.ruleset].plans
    if page is None or knows is None or game.is_lesson or not visitor.is_player:
        raise Http404("There is nothing to plan here.")
    if game.status != Game.Status.RUNNING:
        return redirect(game)
    if visitor.hand_over_to or visitor.seat is None:
        return redirect("hand_over", game.public_id)
    question = request.POST.get("for", request.GET.get("for", ""))
    if question == COMING:
        question = knows.coming(play.view_of(game, visitor.seat.number))
    question = question if question in knows.questions else ""
    if request.method != "POST":
        return shown(request, visitor, page, knows, question)
    try:
        if request.POST.get("seat") != str(visitor.number):
            raise play.StaleAction  # another seat of this device has sat down since
        if "press" in request.POST and question:
            return shown(request, visitor, page, knows, question, dict(request.POST.lists()))
        change(request, visitor, question)
    except IllegalAction as error:
        return refused(request, visitor, error)
    if visitor.seat.wants_bot:
        robots.wake(game)
    if request.POST.get("back") == "table":
        return redirect(game)
    return redirect(f"{reverse('plans', args=[game.public_id])}{f'?for={question}' if question else ''}")


# ---- changing


def change(request: HttpRequest, visitor: Visitor, question: str) -> None:
    game, seat = visitor.game, visitor.seat
    assert seat is not None
    posted, do = request.POST, request.POST.get("do", "")
    if rest := posted.get("rest"):
        if rest == "ask":
            planning.drop(seat, REST)
        elif rest in ("phase", "turn"):
            planning.nothing_more(game, seat, whole_turn=rest == "turn")
        else:
            raise IllegalAction("malformed", what="there is no such choice")
    elif not question:
        raise IllegalAction("no_plans")
    elif do == "pass":
        planning.pass_each_turn(game, seat, question)
    elif do == "drop":
        planning.drop(seat, question)
    elif do == "drop_last":
        planning.drop_last(game, seat, question)
    elif do.startswith("guard "):
        number = do.removeprefix("guard ")
        if not number.isascii() or not number.isdigit() or len(number) > 3:
            raise IllegalAction("bad_guard")
        least = posted.get(f"least {number}", "") or "0"
        if not least.isascii() or not least.isdigit() or len(least) > 4:
            raise IllegalAction("bad_guard")
        guard, otherwise = posted.get(f"guard {number}", ""), posted.get(f"otherwise {number}", "stop")
        if otherwise not in ("stop", "skip"):
            raise IllegalAction("bad_guard")
        planning.set_guard(game, seat, question, int(number), guard, int(least), skip=otherwise == "skip")
    else:
        planning.add(game, seat, question, action_in(request, visitor, question))


def action_in(request: HttpRequest, visitor: Visitor, question: str) -> object:
    """The action of a button, or what the picks of the form come to."""
    if "control" not in request.POST:
        return submissions.action_in(visitor, field_of(request))
    scene = imagined_scene(visitor, question)
    action = painting.painter_of(visitor.game.ruleset).action_in_form(scene, dict(request.POST.lists()))
    if action is None:
        raise IllegalAction("malformed", what="nothing was picked")
    return action


# ---- showing


def imagined_scene(visitor: Visitor, question: str) -> Scene:
    """The table as it would look if its seat were asked this and had carried out its plan so far."""
    assert visitor.seat is not None
    supposed = planning.supposed(visitor.game, visitor.seat, question)
    scene = tables.fragments_for(visitor).scene
    return dataclasses.replace(scene, view=supposed.view, planned=Planned())


def shown(
    request: HttpRequest,
    visitor: Visitor,
    page: PlansPage,
    knows: Planning,
    question: str,
    picked: Mapping[str, Any] | None = None,
) -> HttpResponse:
    game, seat = visitor.game, visitor.seat
    assert seat is not None
    view = play.view_of(game, seat.number)
    moment, found = knows.moment(view), play.plans_of(game, seat)
    cards = [card_of(page, knows, view, game, each, found.get(each), moment) for each in knows.questions]
    board, controls, why = view, None, ""
    if question:
        supposed = planning.supposed(game, seat, question)
        board, why = supposed.view, supposed.refusal.sentence if supposed.refusal else ""
        if supposed.is_open and moment.question != question:
            scene = imagined_scene(visitor, question)
            controls = painting.painter_of(game.ruleset).preview(scene, picked or {})
    ghosts = [step for plan in found.values() if not plan.why for step in plan.steps[plan.at :]]
    context = {
        "game": game,
        "seat": seat.number,
        "cards": cards,
        "question": question,
        "card": next((card for card in cards if card["question"] == question), None),
        "controls": controls,
        "why": why,
        "is_asked": bool(question) and moment.question == question,
        "rests": tables.fragments_for(visitor).scene.planned.rests,
        "board": painting.board_svg(board, None, game.public_id),
        "ghosts": page.ghosts_of(view, ghosts),
        "styles": painting.styles_of(game.ruleset),
    }
    return render(request, page.template, context)


def card_of(
    page: PlansPage, knows: Planning, view: Any, game: Game, question: str, plan: Plan | None, moment: Moment
) -> dict[str, Any]:
    """One question and what is planned for it, as the page lists it."""
    title, about = page.labels[question]
    if plan is not None and plan.is_over and plan.turn < moment.turn:
        plan = None  # it told in its turn what was left out
    steps = [
        {
            "number": number,
            "words": page.words_of(view, game.public_id, step.action),
            "is_past": plan is not None and number < plan.at,
            "skipped": step.why,
            "skip": step.skip,
            "guard": step.guard,
            "guard_words": page.guards.get(step.guard, ""),
            "least": step.least if step.guard in page.numbered else "",
            "guards": [(guard, page.guards[guard]) for guard in planning.guards_of(knows, step)],
        }
        for number, step in enumerate(plan.steps if plan else ())
    ]
    return {
        "question": question,
        "title": title,
        "about": about,
        "nothing": page.nothing.get(question, "") if question in knows.passes else "",
        "steps": [] if plan is not None and plan.again else steps,
        "grows": plan is not None and planning.can_grow(plan),
        "again": page.nothing.get(question, "") if plan is not None and plan.again else "",
        "why": plan.why if plan else "",
        "is_old": plan is not None and bool(plan.turn) and plan.turn < moment.turn,
        "is_over": plan is not None and plan.is_over,
        "waits": plan is not None and plan.taken_back(moment),
    }
