"""The table: its page, the one way to act, and what keeps the page up to date. Each a few lines over play."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseNotAllowed, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers

from games import access, archive, aside, lost_links, notes, play, robots, shares, since, submissions, tables
from games.access import Visitor
from games.engine import RULESETS
from games.engine.core.refusals import IllegalAction
from games.models import Game, Seat
from games.painting import fragments as painting
from games.painting.pages import StoryPage
from games.registry import ENTRIES
from games.tables import Shown
from kadab import timing

from . import lobby

LARGEST_REVISION = 10_000_000


def at_table(
    *methods: str, share: Callable[[HttpRequest], None] | None = None
) -> Callable[[Callable[..., HttpResponseBase]], Callable[..., HttpResponseBase]]:
    """A view of one table: it gets a Visitor who may look, and its answer is kept by nobody.

    A view that costs much takes from the asker's fair share first.
    """

    def wrap(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
        @functools.wraps(view)
        def door(request: HttpRequest, public_id: str, **kwargs: Any) -> HttpResponseBase:
            if share:
                share(request)
            if request.method not in methods:
                response: HttpResponseBase = HttpResponseNotAllowed(methods)
            else:
                try:
                    visitor = visitor_of(request, public_id)
                except Http404:
                    response = no_longer_seated(request, public_id)
                else:
                    response = view(request, visitor, **kwargs)
            response["Cache-Control"] = "private, no-store"
            patch_vary_headers(response, ("Cookie", "HX-Request"))
            return response

        return door

    return wrap


def visitor_of(request: HttpRequest, public_id: str) -> Visitor:
    visitor = tables.visitor_at(public_id, request.user, request.session)
    if visitor is None:
        raise Http404("There is no such table.")
    return visitor


def no_longer_seated(request: HttpRequest, public_id: str) -> HttpResponse:
    """Tell the browser that had a seat, which another browser has now, what happened; nobody else hears of a table."""
    is_page = request.method != "POST" and not is_htmx(request) and public_id.isascii() and public_id.isprintable()
    opened = lost_links.opened_elsewhere(public_id, request.user) if is_page else None
    if opened is None:
        raise Http404("There is no such table.")
    context = {"opened": opened, "rules": RULESETS[opened.seat.game.ruleset]}
    return render(request, "lobby/opened_elsewhere.html", context, status=403)


def again(request: HttpRequest, visitor: Visitor, rows: tuple[Game, tuple[Seat, ...]] | None = None) -> Visitor:
    """The same visitor after something happened: who is asked may have changed. Rows just written are not read."""
    game, seats = rows or tables.table_at(visitor.game.public_id)
    if game is None:
        raise Http404("There is no such table.")
    return access.visit(game, request.user, request.session, seats)


# ---- the page


@at_table("GET", "HEAD", share=shares.take_read)
def table(request: HttpRequest, visitor: Visitor) -> HttpResponseBase:
    game = visitor.game
    if game.status == Game.Status.OPEN:
        room: HttpResponseBase = lobby.room(request, game, visitor)
        return room
    if game.status == Game.Status.CANCELLED:
        return render(request, "table/cancelled.html", {"game": game})
    if visitor.hand_over_to:
        return redirect("hand_over", game.public_id)
    page = render(request, painting.page_of(game.ruleset), page_context(visitor))
    lobby.remember_seat(request, page, visitor)
    return page


def page_context(visitor: Visitor) -> dict[str, Any]:
    drawn_from = tables.fragments_for(visitor)  # kept, so that what comes next can be told as a change
    scene = drawn_from.scene
    return {
        "game": visitor.game,
        "visitor": visitor,
        "scene": scene,
        "slots": painting.drawn(drawn_from),
        "since": since.at_table(visitor),
        "since_left": since.left_at(visitor),
        "may_note": notes.may_keep(visitor),
        "talk": tables.talk_context(visitor),
        "form_token": play.fresh_token(),
        "may_talk": visitor.player.is_authenticated,
        "sound": getattr(visitor.player, "sound", False),
        "is_first_game": functools.partial(tables.is_first_game, visitor),  # asked by pages that explain themselves
        "others": [person.name for person in scene.people if person.number != visitor.number],
        **painting.page_facts(scene),
        **tools_of(visitor),
    }


def tools_of(visitor: Visitor) -> dict[str, Any]:
    """What the lobby adds to a table's page: rematch, return links, a bot for a silent seat."""
    tools: dict[str, Any] = lobby.table_tools(visitor)
    return tools


# ---- acting


@at_table("POST")
def act(request: HttpRequest, visitor: Visitor) -> HttpResponseBase:
    if "press" in request.POST and not is_htmx(request):
        return preview(request, public_id=visitor.game.public_id)  # without scripts all controls are one form
    timed = timing.Timed("post")
    try:
        with timed:
            said = submissions.read(visitor, field_of(request), is_htmx(request), dict(request.POST.lists()))
            outcome = submissions.act(visitor, said)
    except IllegalAction as error:
        timed.end("refused")
        return refused(request, visitor, error)
    timed.end("repeated" if outcome.repeated else "done")
    if outcome.wakes_bots:
        robots.wake(visitor.game)
    return answer(request, again(request, visitor, outcome.rows))


@at_table("POST")
def why(request: HttpRequest, visitor: Visitor) -> HttpResponseBase:
    """What would be said to an action, without doing it: the reason and its rule, or nothing if it is allowed."""
    try:
        data = submissions.action_in(visitor, field_of(request))
        refusal = play.why_not(visitor.game, tables.acting_seat(visitor, data), data)
    except IllegalAction as error:  # no action at all, or nobody who could do it
        return JsonResponse(reason_of(error), status=submissions.status_of(error))
    return JsonResponse(reason_of(refusal and tables.worded(refusal, visitor)))


@at_table("POST", share=shares.take_preview)
def preview(request: HttpRequest, visitor: Visitor) -> HttpResponseBase:
    """The controls with what has been picked, from the seat's View alone. Nothing is done, and nobody hears of it."""
    seat = request.POST.get("seat", "")
    is_mine = visitor.seat is not None and seat in ("", str(visitor.number)) and not visitor.hand_over_to
    if not is_mine or visitor.game.status != Game.Status.RUNNING:
        return JsonResponse(reason_of(IllegalAction("not_your_seat")), status=submissions.FORBIDDEN)
    scene = tables.fragments_for(visitor).scene
    controls = painting.painter_of(visitor.game.ruleset).preview(scene, dict(request.POST.lists()))
    if controls is None:
        raise Http404("This game has nothing to be picked.")
    if is_htmx(request):
        return HttpResponse(controls)
    context = page_context(visitor)
    context["slots"]["controls"] = controls
    return render(request, painting.page_of(visitor.game.ruleset), context)


def reason_of(refusal: IllegalAction | None) -> dict[str, str]:
    return {"why": refusal.sentence, "rule": refusal.rule} if refusal else {"why": "", "rule": ""}


def field_of(request: HttpRequest) -> Callable[[str], str]:
    """The fields of the form that was sent."""

    def field(name: str) -> str:
        return request.POST.get(name, "")

    return field


def answer(request: HttpRequest, visitor: Visitor) -> HttpResponseBase:
    """The actor's own page brought up to date."""
    if not is_htmx(request):
        return redirect(visitor.game)
    if visitor.hand_over_to:
        return hand_over_now(visitor)
    return HttpResponse(tables.news(visitor, shown_on(request)) + tables.refusal(None))


def refused(request: HttpRequest, visitor: Visitor, error: IllegalAction) -> HttpResponseBase:
    """Why not; with how the game stands, if the page does not show that."""
    status, error = submissions.status_of(error), tables.worded(error, visitor)
    rules_url = tables.rules_url_of(visitor.game)
    if not is_htmx(request):
        context = {"refusal": error, "back": visitor.game.get_absolute_url(), "rules_url": rules_url}
        return render(request, "table/refused.html", context, status=status)
    body = tables.refusal(error, rules_url)
    visitor = again(request, visitor)
    if visitor.hand_over_to:
        return hand_over_now(visitor, status)
    if visitor.game.status in (Game.Status.RUNNING, Game.Status.FINISHED):
        body = tables.news(visitor, shown_on(request)) + body
    return HttpResponse(body, status=status)


def shown_on(request: HttpRequest) -> Shown:
    """What the asking page says it shows."""
    return tables.shown_by(request.POST.get)


def is_htmx(request: HttpRequest) -> bool:
    return request.headers.get("HX-Request") == "true"


# ---- keeping up


@at_table("POST", share=shares.take_pulse)
def pulse(request: HttpRequest, visitor: Visitor) -> HttpResponseBase:
    """Every few seconds a page asks whether it is up to date: with no socket, it still follows."""
    if visitor.game.status not in (Game.Status.RUNNING, Game.Status.FINISHED):
        return HttpResponse(tables.go_to(visitor.game.get_absolute_url()))
    if visitor.hand_over_to:
        return hand_over_now(visitor)
    if request.POST.get("visible") == "1":
        tables.look(visitor)
    body = tables.news(visitor, shown_on(request))
    return HttpResponse(body) if body else HttpResponse(status=204)


@at_table("POST", share=shares.take_pulse)
def read(request: HttpRequest, visitor: Visitor) -> HttpResponseBase:
    """Note how far the player of this seat has read the cards about what happened, for their other browsers."""
    shown, line = shown_on(request), request.POST.get("line", "")
    if shown.seat == visitor.number and line.isascii() and line.isdigit() and len(line) < 10:
        tables.note_read(visitor, int(line))
    return HttpResponse(status=204)


@at_table("GET", "HEAD", share=shares.take_read)
def since_lines(request: HttpRequest, visitor: Visitor) -> HttpResponseBase:
    """The newsreel's lines anew, for a page where more has happened while it was offered; none if there is none."""
    if visitor.game.status not in (Game.Status.RUNNING, Game.Status.FINISHED):
        raise Http404("Nothing has been played at this table.")
    return render(request, "table/since_lines.html", {"since": since.at_table(visitor, up_to_now=True)})


@at_table("GET", "HEAD", share=shares.take_read)
def past(request: HttpRequest, visitor: Visitor, revision: int) -> HttpResponseBase:
    """The board after an earlier action, to be laid over the live one; or on a page of its own."""
    if visitor.game.status not in (Game.Status.RUNNING, Game.Status.FINISHED):
        raise Http404("Nothing has been played at this table.")
    if visitor.hand_over_to:
        return redirect("hand_over", visitor.game.public_id)
    scene = tables.scene_at(visitor, min(revision, LARGEST_REVISION))
    side = {"0": 0, "1": 1}.get(request.GET.get("side", ""))
    context = {"game": visitor.game, "scene": scene, "board": painting.board_svg(scene.view, side, scene.table)}
    steps = steps_round(visitor, scene.view.revision)
    context |= steps
    context |= {"counts_moves": bool(painting.steps_of(visitor.game.ruleset))}
    context |= {"styles": painting.styles_of(visitor.game.ruleset)}
    context |= {"told": scene.lines[-1].text if scene.lines else "", "revision": scene.view.revision}
    before = play.view_at(visitor.game, visitor.number, steps["back"])
    context |= painting.past_facts(scene, tables.scene_for(visitor), before)
    return render(request, "table/past_layer.html" if is_htmx(request) else "table/past.html", context)


@at_table("GET", "HEAD", share=shares.take_read)
def story(request: HttpRequest, visitor: Visitor) -> HttpResponseBase:
    """How a game went that is over."""
    page = ENTRIES[visitor.game.ruleset].pages.story
    if page is None or visitor.game.status != Game.Status.FINISHED:
        raise Http404("There is no story to tell of this table.")
    if visitor.hand_over_to:
        return redirect("hand_over", visitor.game.public_id)
    link = {"may_share": visitor.is_player, "share_url": share_url_of(visitor.game)}
    return render(request, page.template, {**story_context(visitor, page), "shows_table": True, **link})


def story_context(visitor: Visitor, page: StoryPage) -> dict[str, Any]:
    scene = tables.scene_for(visitor)
    views = tables.views_at(visitor, page.turns_of(scene.lines), scene.view)
    return {"game": visitor.game, **page.context(scene, views)}


def share_url_of(game: Game) -> str:
    return settings.SITE_URL + reverse("shared", args=[game.share_key]) if game.share_key else ""


def steps_round(visitor: Visitor, revision: int) -> dict[str, Any]:
    """The steps before and after a revision, for links that lead there."""
    at = tables.steps_made(visitor)
    here = max((i for i, each in enumerate(at) if each <= revision), default=0)
    return {
        "first": 0,
        "back": at[max(here - 1, 0)],
        "on": at[min(here + 1, len(at) - 1)],
        "last": at[-1],
        "number": here,
        "count": len(at) - 1,
    }


@at_table("POST")
def chat(request: HttpRequest, visitor: Visitor) -> HttpResponseBase:
    try:
        aside.say_to_table(visitor, request.POST.get("text", ""))
    except IllegalAction as error:
        return refused(request, visitor, error)
    return answer(request, again(request, visitor))


# ---- one device, several seats


@at_table("GET", "HEAD", "POST")
def hand_over(request: HttpRequest, visitor: Visitor) -> HttpResponseBase:
    """Between two seats of one device: nothing of either is shown until the next one says it is them."""
    if request.method == "POST":
        access.sit_down(visitor, request.session)
        return redirect(visitor.game)
    if not visitor.hand_over_to:
        return redirect(visitor.game)
    to = visitor.hand_over_to
    context = {
        "game": visitor.game,
        "to": to,
        "name": to.label,
        "army": RULESETS[visitor.game.ruleset].seat_names[to.number],
        "picture": ENTRIES[visitor.game.ruleset].picture_of(to.number),
    }
    return render(request, "table/hand_over.html", context)


def hand_over_now(visitor: Visitor, status: int = 200) -> HttpResponse:
    response = HttpResponse(tables.go_to(reverse("hand_over", args=[visitor.game.public_id])), status=status)
    response["HX-Redirect"] = reverse("hand_over", args=[visitor.game.public_id])
    return response


# ---- taking it away


@at_table("GET", "HEAD", share=shares.take_read)
def export(request: HttpRequest, visitor: Visitor) -> HttpResponseBase:
    """The game as text, as far as this visitor may know it."""
    if visitor.game.status not in (Game.Status.RUNNING, Game.Status.FINISHED):
        raise Http404("Nothing has been played at this table.")
    if visitor.hand_over_to:
        return redirect("hand_over", visitor.game.public_id)
    if request.GET.get("with") == "seeds":
        return export_with_seeds(visitor.game)
    return download(visitor.game, "txt", tables.export_text(visitor), "text/plain; charset=utf-8")


def export_with_seeds(game: Game) -> HttpResponse:
    """Everything about a game, so that anybody can check its dice; only when nothing is left to hide."""
    if game.status != Game.Status.FINISHED:
        raise Http404("The seeds are shown when the game is over.")
    return download(game, "json", json.dumps(archive.exported(game), indent=1), "application/json")


def download(game: Game, ending: str, text: str, kind: str) -> HttpResponse:
    response = HttpResponse(text, content_type=kind)
    response["Content-Disposition"] = f'attachment; filename="{game.ruleset}-{game.public_id}.{ending}"'
    return response
