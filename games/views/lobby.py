"""Views of the lobby: each a few lines over games.lobby, which decides, and games.listing, which lists.

Pages behind a link that somebody was given are in links.py.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect, HttpResponseClientRefresh, trigger_client_event
from django_htmx.middleware import HtmxDetails

from players import by_link
from players.guests import guest_for
from players.models import Player

from .. import access, begun, listing, lost_links, newcomers, robots, rooms, shares, since, tables
from .. import lobby as verbs
from ..engine import RULESETS
from ..engine.bots import LEVELS
from ..engine.core.refusals import IllegalAction, Reason, reasons
from ..forms import BotForm, EntropyForm, JoinForm, NamedForm, PauseForm, PlayNowForm, SeatForm, TableForm
from ..models import Game
from ..registry import ENTRIES

reasons(
    not_logged_in=Reason("Log in or choose a name first."),
    bad_form=Reason("{what}"),
    other_table=Reason("This browser came in by the return link of another table. Use the return link of this table."),
    own_browser=Reason("Only the browser you first played in, or one that opened a link mailed to you, can do this."),
    too_many_mails=Reason("You have sent enough mails for today. Copy the link instead."),
)

STATUS_OF = {
    "bad_form": 400,
    "not_logged_in": 403,
    "other_table": 403,
    "own_browser": 403,
    "webhook_guest": 403,
    "no_webhook": 409,
    "address_account": 409,
    "webhook_tests": 429,
    "too_many_mails": 429,
}

View = Callable[..., HttpResponse]


def door(view: View) -> View:
    """Turn refusals into pages or toasts, and keep answers out of shared caches."""

    @functools.wraps(view)
    def answer(request: HttpRequest, **kwargs: Any) -> HttpResponse:
        try:
            response = view(request, **kwargs)
        except IllegalAction as refusal:
            response = refused(request, refusal, kwargs.get("public_id", ""))
        response.headers["Cache-Control"] = "private, no-store"
        patch_vary_headers(response, ("Cookie", "HX-Request"))
        return response

    return answer


def refused(request: HttpRequest, refusal: IllegalAction, public_id: str = "") -> HttpResponse:
    status = STATUS_OF.get(refusal.code) or lost_links.status_of(refusal) or verbs.status_of(refusal)
    if is_htmx(request):
        response = HttpResponse(status=status, headers={"HX-Reswap": "none"})
        return trigger_client_event(response, "toast", {"value": refusal.sentence})
    back = reverse("table", args=[public_id]) if public_id else ""
    return render(request, "lobby/refused.html", {"refusal": refusal, "back": back}, status=status)


def is_htmx(request: HttpRequest) -> bool:
    """Whether htmx sent this request, so that the answer goes into a page that stays."""
    return bool(HtmxDetails(request))


def go(request: HttpRequest, to: Any) -> HttpResponse:
    """After a form: to a table or another page, whoever sent the form."""
    url = to if isinstance(to, str) else to.get_absolute_url()
    return HttpResponseClientRedirect(url) if is_htmx(request) else redirect(url)


# ---- the lobby


@require_safe
@door
def lobby(request: HttpRequest) -> HttpResponse:
    return _lobby_page(request, PlayNowForm(request.user))


def _lobby_page(request: HttpRequest, form: PlayNowForm, status: int = 200) -> HttpResponse:
    lists = listing.lists_for(request.user, by_link.tables(request.session), sat_at(request))
    main, *others = form.games()
    context = {
        "lists": lists,
        "missed": since.in_lobby(request.user, request.session, by_link.tables(request.session)),
        "waiting_count": lists.waiting,
        "form": form,
        "main": main,
        "others": others,
        "may_rename": getattr(request.user, "is_guest", False) and not by_link.is_limited(request.session),
    }
    return render(request, "lobby/page.html", context, status=status)


@require_safe
@door
def lists(request: HttpRequest) -> HttpResponse:
    """The lists alone, for a front page that stays open; nothing if they are as the page has them."""
    shown = listing.lists_for(request.user, by_link.tables(request.session), sat_at(request))
    if request.GET.get("v") == shown.digest:
        return HttpResponse(status=204)
    return render(request, "lobby/news.html", {"lists": shown})


@require_safe
@door
def waiting(request: HttpRequest) -> HttpResponse:
    """How many games wait for the visitor, for the number in the header of any page that stays open.

    With `at`, the table the visitor looks at: also where the next one is."""
    shares.take_pulse(request)
    only = by_link.tables(request.session)
    told: dict[str, object] = {"waiting": listing.waiting_count(request.user, only)}
    if at := request.GET.get("at", ""):
        told["next"] = listing.next_waiting(request.user, at, only)
    return JsonResponse(told)


@require_POST
@door
def play_now(request: HttpRequest) -> HttpResponse:
    form = PlayNowForm(request.user, request.POST)
    player = _player_for(request, form)
    if player is None:
        return _lobby_page(request, form, status=_form_status(form))
    return _begun(request, _quick_game(player, form))


def _quick_game(player: Any, form: PlayNowForm) -> Game:
    chosen = form.chosen
    if chosen.way == "bots":
        return verbs.quick_game(player, chosen.entry.slug, chosen.level)
    if chosen.way == "lesson":
        return verbs.lesson(player, chosen.entry.slug)
    if chosen.way == "friends":
        return verbs.quick_invitation(player, chosen.entry.slug)
    return verbs.quick_same_device(player, chosen.entry.slug, chosen.people)


def _player_for(request: HttpRequest, form: Any) -> Any:
    """Who sent a good form: whoever is logged in, or a new guest. None if the form has errors."""
    if not form.is_valid():
        return None
    try:
        return guest_for(request, form.name)
    except ValidationError as error:
        form.add_error(None, error)
        return None


def _form_status(form: Form) -> int:
    return 429 if form.has_error("__all__", "too_many") else 400


def _begun(request: HttpRequest, game: Game) -> HttpResponse:
    by_link.add(request.session, game.public_id)
    robots.wake(game)
    return go(request, game)


# ---- a new table


@require_http_methods(["GET", "HEAD", "POST"])
@door
def new_table(request: HttpRequest) -> HttpResponse:
    asked = request.POST if request.method == "POST" else request.GET
    rules = RULESETS.get(asked.get("game", "")) or next(iter(RULESETS.values()))
    form = TableForm(request.user, rules, request.POST if request.method == "POST" else None)
    if request.method != "POST":
        return _new_table_page(request, form)
    player = _player_for(request, form)
    if player is None:
        return _new_table_page(request, form, status=_form_status(form))
    try:
        return _begun(request, _create(player, form))
    except IllegalAction as refusal:
        form.add_error(None, refusal.sentence)
        return _new_table_page(request, form, status=verbs.status_of(refusal))


def _create(player: Any, form: TableForm) -> Game:
    asked = form.cleaned_data
    return verbs.create(
        player,
        asked["game"],
        form.options(),
        form.plans(),
        asked["visible"] == "everyone",
        asked["hand_over"],
        asked["pace"],
        asked["clock"],
        int(asked["least"]),
        asked["private_talk"],
    )


def _new_table_page(request: HttpRequest, form: TableForm, status: int = 200) -> HttpResponse:
    context = {
        "form": form,
        "games": ENTRIES.values(),
        "levels": LEVELS[form.rules.slug].values(),
    }
    return render(request, "lobby/new_table.html", context, status=status)


# ---- a table that has not begun


def room(
    request: HttpRequest, game: Game, visitor: access.Visitor, form: JoinForm | None = None, status: int = 200
) -> HttpResponse:
    """The page of an open table. The table's own view calls this until the game has begun."""
    own = visitor.own[0] if visitor.own else None
    context = {
        "game": game,
        "rules": RULESETS[game.ruleset],
        "picture": ENTRIES[game.ruleset].picture,
        "rules_url": tables.rules_url_of(game),
        "room": rooms.room_of(visitor, _is_invited(request, game)),
        "options": rooms.options_in_force(game),
        "is_over_days": rooms.is_over_days(game),
        "levels": listing.bot_choices(game.ruleset),
        "usual_level": ENTRIES[game.ruleset].quick_start.level,
        "form": form or JoinForm(request.user),
        "own": own,
        "by_link": visitor.by_link,
        "invite_url": rooms.invite_url(game),
        "return_url": rooms.return_url(own) if own and visitor.player.is_guest else "",
    }
    return door(lambda request: render(request, "lobby/room.html", context, status=status))(request)


@require_safe
@door
def room_news(request: HttpRequest, public_id: str) -> HttpResponse:
    """The seats alone, for a room that stays open; on to the table when the game has begun."""
    game = table_of(request, public_id)
    if game.status != Game.Status.OPEN or not is_htmx(request):
        return go(request, game)
    visitor = access.visit(game, request.user, request.session)
    shown = rooms.room_of(visitor, _is_invited(request, game))
    if request.GET.get("seated", "") != ("yes" if shown.is_seated else "no"):
        return HttpResponseClientRefresh()
    if request.GET.get("v") == shown.digest:
        return HttpResponse(status=204)
    context = {
        "game": game,
        "room": shown,
        "levels": listing.bot_choices(game.ruleset),
        "usual_level": ENTRIES[game.ruleset].quick_start.level,
        "invite_url": rooms.invite_url(game),
    }
    return render(request, "lobby/seats.html", context)


def table_of(request: HttpRequest, public_id: str) -> Game:
    """The table of this address, if it exists for whoever asks."""
    game: Game = find(Game.objects.select_related("host"), public_id=public_id)
    if not access.may_see(game, request.user, request.session):
        raise Http404
    return game


def find(rows: Any, **key: str) -> Any:
    (value,) = key.values()
    found = rows.filter(**key).first() if value.isascii() and value.isprintable() else None
    if found is None:
        raise Http404
    return found


def _is_invited(request: HttpRequest, game: Game) -> bool:
    return game.public_id in request.session.get("invited", ())


def player_at(request: HttpRequest, game: Game) -> Player:
    """Who asks for something at this table."""
    if not isinstance(request.user, Player):
        raise IllegalAction("not_logged_in")
    if not by_link.covers(request.session, game.public_id):
        raise IllegalAction("other_table")
    return request.user


def first_error(form: Form) -> str:
    return str(next(iter(form.errors.values()))[0])


def cleaned(form: Form) -> dict[str, Any]:
    """The cleaned data of a form made of buttons. Only a forged request can be wrong, so one sentence is enough."""
    if not form.is_valid():
        raise IllegalAction("bad_form", what=first_error(form))
    return form.cleaned_data


@require_POST
@door
def join(request: HttpRequest, public_id: str) -> HttpResponse:
    game = table_of(request, public_id)
    form = JoinForm(request.user, request.POST)
    if game.status == Game.Status.OPEN and not form.is_valid():
        visitor = access.visit(game, request.user, request.session)
        return room(request, game, visitor, form, status=400)
    return sit_down(request, game, form, _is_invited(request, game))


def sit_down(request: HttpRequest, game: Game, form: JoinForm, invited: bool) -> HttpResponse:
    # Looked at before a guest is made, so that a full table leaves no guest behind.
    if not request.user.is_authenticated:
        verbs.check_joinable(game, invited)
    player = _player_for(request, form)
    if player is None:
        raise IllegalAction("bad_form", what=first_error(form))
    asked = form.cleaned_data
    is_known = game.host_id == player.pk or game.seats.filter(player=player).exists()
    if is_known and not by_link.covers(request.session, game.public_id):
        raise IllegalAction("other_table")
    if not game.seats.filter(player=player).exists():
        verbs.join(game, player, asked["number"], invited, asked["entropy"])
    return _begun(request, game)


@require_POST
@door
def leave(request: HttpRequest, public_id: str) -> HttpResponse:
    game = table_of(request, public_id)
    verbs.leave(game, player_at(request, game))
    messages.info(request, "You left the table.")
    return go(request, reverse("lobby"))


@require_POST
@door
def remove(request: HttpRequest, public_id: str) -> HttpResponse:
    game = table_of(request, public_id)
    verbs.remove(game, player_at(request, game), cleaned(SeatForm(request.POST))["number"])
    return go(request, game)


@require_POST
@door
def cancel(request: HttpRequest, public_id: str) -> HttpResponse:
    game = table_of(request, public_id)
    verbs.cancel(game, player_at(request, game))
    messages.info(request, "The table was cancelled.")
    return go(request, reverse("lobby"))


@require_POST
@door
def start(request: HttpRequest, public_id: str) -> HttpResponse:
    game = table_of(request, public_id)
    start_now = verbs.start_with_those_here if request.POST.get("do") == "those_here" else verbs.start
    start_now(game, player_at(request, game))
    return _begun(request, game)


@require_POST
@door
def seat_bot(request: HttpRequest, public_id: str) -> HttpResponse:
    game = table_of(request, public_id)
    asked = cleaned(BotForm(request.POST))
    verbs.seat_bot(game, player_at(request, game), asked["number"], asked["level"])
    return _begun(request, game)


@require_POST
@door
def stand_in(request: HttpRequest, public_id: str) -> HttpResponse:
    """A bot for a seat whose player has not answered for days."""
    game = table_of(request, public_id)
    begun.stand_in(game, player_at(request, game), cleaned(SeatForm(request.POST))["number"])
    return _begun(request, game)


@require_POST
@door
def new_person(request: HttpRequest, public_id: str) -> HttpResponse:
    """A vote for a new person in somebody's seat; or that person sits down."""
    game = table_of(request, public_id)
    number, do = cleaned(SeatForm(request.POST))["number"], request.POST.get("do")
    if do == "take":
        same_browser = has_played_in_this_browser(request, game)
        newcomers.take(game, _newcomer(request, game, number, same_browser), number, same_browser)
        return _begun(request, game)
    newcomers.vote(game, player_at(request, game), number, is_for=do != "withdraw")
    return go(request, game)


def _newcomer(request: HttpRequest, game: Game, number: int, same_browser: bool) -> Player:
    """Who sits down: whoever is logged in, or a new guest; none is made for a seat that they can't have."""
    if request.user.is_authenticated:
        return player_at(request, game)
    newcomers.check_stranger(game, number, same_browser)
    form = NamedForm(request.user, request.POST)
    player: Player | None = _player_for(request, form)
    if player is None:
        raise IllegalAction("bad_form", what=first_error(form))
    return player


@require_POST
@door
def go_on(request: HttpRequest, public_id: str) -> HttpResponse:
    """The end of a window that has stood open for days."""
    game = table_of(request, public_id)
    begun.go_on(game, player_at(request, game))
    return _begun(request, game)


@require_POST
@door
def pause(request: HttpRequest, public_id: str) -> HttpResponse:
    """Ask for a pause, or for the end of one; agree or refuse."""
    game = table_of(request, public_id)
    player = player_at(request, game)
    if request.POST.get("do") == "refuse":
        begun.refuse_pause(game, player)
    else:
        begun.ask_pause(game, player, cleaned(PauseForm(request.POST))["hours"])
    return go(request, game)


@require_POST
@door
def take_back_seat(request: HttpRequest, public_id: str) -> HttpResponse:
    """Back to a seat that a bot has kept."""
    game = table_of(request, public_id)
    begun.take_back_seat(game, player_at(request, game), cleaned(SeatForm(request.POST))["number"])
    return go(request, game)


@require_POST
@door
def add_entropy(request: HttpRequest, public_id: str) -> HttpResponse:
    game = table_of(request, public_id)
    asked = cleaned(EntropyForm(request.POST))
    verbs.add_entropy(game, player_at(request, game), asked["entropy"], asked["number"])
    messages.success(request, "Your text now helps to decide the dice of this game.")
    return go(request, game)


# ---- playing again, and the rest of what the lobby adds to a table's page


@require_POST
@door
def rematch(request: HttpRequest, public_id: str) -> HttpResponse:
    game = table_of(request, public_id)
    player = player_at(request, game)
    if request.POST.get("do") == "decline":
        begun.decline_rematch(game, player)
        return go(request, game)
    return _begun(request, begun.rematch(game, player))


SAT_AT = "sat_at"  # a signed cookie: tables at which somebody has sat with this browser
MOST_REMEMBERED, REMEMBERED_SECONDS = 60, 400 * 24 * 3600


def sat_at(request: HttpRequest) -> list[str]:
    said = request.get_signed_cookie(SAT_AT, default="", salt=SAT_AT)
    return said.split(".") if said else []


def has_played_in_this_browser(request: HttpRequest, game: Game) -> bool:
    return game.public_id in sat_at(request)


def remember_seat(request: HttpRequest, response: Any, visitor: access.Visitor) -> None:
    """The browser itself keeps where somebody sat with it: another guest of it is no new person there."""
    known = sat_at(request)
    if visitor.is_player and visitor.game.public_id not in known:
        kept = ".".join([*known[1 - MOST_REMEMBERED :], visitor.game.public_id])
        response.set_signed_cookie(
            SAT_AT,
            kept,
            salt=SAT_AT,
            max_age=REMEMBERED_SECONDS,
            httponly=True,
            samesite="Lax",
            secure=settings.SESSION_COOKIE_SECURE,
        )


def table_tools(visitor: access.Visitor) -> dict[str, Any]:
    """Context of lobby/table_tools.html: the host's tools, a guest's return link, the rematch."""
    tools = rooms.tools_of(visitor)
    return {"tools": tools, "has_tools": bool(tools)}
