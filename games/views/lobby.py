"""The lobby's doors: each a few lines over games.lobby, which decides, and games.listing, which tells."""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect, HttpResponseClientRefresh, trigger_client_event

from players.guests import guest_for, log_in_as

from .. import access, listing, robots, tables
from .. import lobby as verbs
from ..engine import RULESETS
from ..engine.bots import LEVELS
from ..engine.core.refusals import IllegalAction, Reason, reasons
from ..forms import BotForm, EntropyForm, JoinForm, MailForm, PlayNowForm, SeatForm, TableForm
from ..models import Game, Seat

log = logging.getLogger(__name__)

MAILS_A_DAY = {"player": 5, "address": 3}

reasons(
    not_logged_in=Reason("Please log in or choose a name first."),
    bad_form=Reason("{what}"),
    too_many_mails=Reason("That is enough mail for today; please copy the link instead."),
)

View = Callable[..., HttpResponse]


def door(view: View) -> View:
    """Refusals become pages or toasts, and no answer is kept by anybody but the browser it was made for."""

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
    status = {"bad_form": 400, "not_logged_in": 403, "too_many_mails": 429}.get(refusal.code)
    status = status or verbs.status_of(refusal)
    if request.htmx:
        response = HttpResponse(status=status, headers={"HX-Reswap": "none"})
        return trigger_client_event(response, "toast", {"value": refusal.sentence})
    back = reverse("table", args=[public_id]) if public_id else ""
    return render(request, "lobby/refused.html", {"refusal": refusal, "back": back}, status=status)


def go(request: HttpRequest, to: Any) -> HttpResponse:
    """After a form: to a table or another page, whoever sent the form."""
    url = to if isinstance(to, str) else to.get_absolute_url()
    return HttpResponseClientRedirect(url) if request.htmx else redirect(url)


# ---- the lobby


@require_safe
@door
def lobby(request: HttpRequest) -> HttpResponse:
    return _lobby_page(request, PlayNowForm(request.user))


def _lobby_page(request: HttpRequest, form: PlayNowForm, status: int = 200) -> HttpResponse:
    lists = listing.lists_for(request.user)
    known = request.user.is_authenticated and any(
        section.rows and section.slug not in ("open-tables", "watch") for section in lists.sections
    )
    context = {
        "lists": lists,
        "waiting_count": lists.waiting,
        "form": form,
        "newcomer": not known,
        "levels": listing.bot_choices("gambit"),
    }
    return render(request, "lobby/page.html", context, status=status)


@require_safe
@door
def lists(request: HttpRequest) -> HttpResponse:
    """The lists alone, for a lobby that stays open; nothing if they are as the page has them."""
    shown = listing.lists_for(request.user)
    if request.GET.get("v") == shown.digest:
        return HttpResponse(status=204)
    return render(request, "lobby/lists.html", {"lists": shown})


@require_POST
@door
def play_now(request: HttpRequest) -> HttpResponse:
    form = PlayNowForm(request.user, request.POST)
    player = _player_for(request, form)
    if player is None:
        return _lobby_page(request, form, status=_form_status(form))
    return _begun(request, _quick_game(player, form.cleaned_data))


def _quick_game(player: Any, asked: dict[str, Any]) -> Game:
    if asked["opponent"] == "stewards":
        return verbs.quick_kings(player)
    if asked["opponent"] == "bot":
        return verbs.quick_game(player, asked["level"], asked["game"])
    if asked["opponent"] == "friend":
        return verbs.quick_invitation(player, asked["game"])
    return verbs.quick_same_device(player, asked["other_name"], asked["game"], asked["hand_over"])


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
    )


def _new_table_page(request: HttpRequest, form: TableForm, status: int = 200) -> HttpResponse:
    context = {
        "form": form,
        "games": RULESETS.values(),
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
        "rules_url": tables.rules_url_of(game),
        "room": listing.room_of(visitor, _is_invited(request, game)),
        "options": listing.options_in_force(game),
        "levels": listing.bot_choices(game.ruleset),
        "form": form or JoinForm(request.user),
        "own": own,
        "invite_url": listing.invite_url(game),
        "return_url": listing.return_url(own) if own and request.user.is_guest else "",
    }
    return door(lambda request: render(request, "lobby/room.html", context, status=status))(request)


@require_safe
@door
def room_news(request: HttpRequest, public_id: str) -> HttpResponse:
    """The seats alone, for a room that stays open; on to the table when the game has begun."""
    game = table_of(request, public_id)
    if game.status != Game.Status.OPEN or not request.htmx:
        return go(request, game)
    visitor = access.visit(game, request.user, request.session)
    shown = listing.room_of(visitor, _is_invited(request, game))
    if request.GET.get("seated", "") != ("yes" if shown.is_seated else "no"):
        return HttpResponseClientRefresh()
    if request.GET.get("v") == shown.digest:
        return HttpResponse(status=204)
    context = {
        "game": game,
        "room": shown,
        "levels": listing.bot_choices(game.ruleset),
        "invite_url": listing.invite_url(game),
    }
    return render(request, "lobby/seats.html", context)


def table_of(request: HttpRequest, public_id: str) -> Game:
    """The table of this address, if it exists for whoever asks."""
    game = _find(Game.objects.select_related("host"), public_id=public_id)
    if not access.may_see(game, request.user, request.session):
        raise Http404
    return game


def _find(rows: Any, **key: str) -> Any:
    (value,) = key.values()
    found = rows.filter(**key).first() if value.isascii() and value.isprintable() else None
    if found is None:
        raise Http404
    return found


def _is_invited(request: HttpRequest, game: Game) -> bool:
    return game.public_id in request.session.get("invited", ())


def _player(request: HttpRequest) -> Any:
    if not request.user.is_authenticated:
        raise IllegalAction("not_logged_in")
    return request.user


def _cleaned(form: Form) -> dict[str, Any]:
    """What a form of buttons says; buttons are never wrong, so whoever sends nonsense gets one sentence."""
    if not form.is_valid():
        raise IllegalAction("bad_form", what=next(iter(form.errors.values()))[0])
    return form.cleaned_data


@require_POST
@door
def join(request: HttpRequest, public_id: str) -> HttpResponse:
    game = table_of(request, public_id)
    form = JoinForm(request.user, request.POST)
    if game.status == Game.Status.OPEN and not form.is_valid():
        visitor = access.visit(game, request.user, request.session)
        return room(request, game, visitor, form, status=400)
    return _sit_down(request, game, form, by_link=_is_invited(request, game))


def _sit_down(request: HttpRequest, game: Game, form: JoinForm, by_link: bool) -> HttpResponse:
    # Looked at before a guest is made, so that a full table leaves no guest behind.
    if not request.user.is_authenticated:
        verbs.check_joinable(game, by_link)
    player = _player_for(request, form)
    if player is None:
        raise IllegalAction("bad_form", what=next(iter(form.errors.values()))[0])
    asked = form.cleaned_data
    if not game.seats.filter(player=player).exists():
        verbs.join(game, player, asked["number"], by_link, asked["entropy"])
    return _begun(request, game)


@require_POST
@door
def leave(request: HttpRequest, public_id: str) -> HttpResponse:
    game = table_of(request, public_id)
    verbs.leave(game, _player(request))
    messages.info(request, "You have left the table.")
    return go(request, reverse("lobby"))


@require_POST
@door
def remove(request: HttpRequest, public_id: str) -> HttpResponse:
    game = table_of(request, public_id)
    verbs.remove(game, _player(request), _cleaned(SeatForm(request.POST))["number"])
    return go(request, game)


@require_POST
@door
def cancel(request: HttpRequest, public_id: str) -> HttpResponse:
    game = table_of(request, public_id)
    verbs.cancel(game, _player(request))
    messages.info(request, "The table is cancelled.")
    return go(request, reverse("lobby"))


@require_POST
@door
def start(request: HttpRequest, public_id: str) -> HttpResponse:
    game = table_of(request, public_id)
    verbs.start(game, _player(request))
    return _begun(request, game)


@require_POST
@door
def seat_bot(request: HttpRequest, public_id: str) -> HttpResponse:
    game = table_of(request, public_id)
    asked = _cleaned(BotForm(request.POST))
    verbs.seat_bot(game, _player(request), asked["number"], asked["level"])
    return _begun(request, game)


@require_POST
@door
def take_back_seat(request: HttpRequest, public_id: str) -> HttpResponse:
    """Back to a seat that a bot has kept."""
    game = table_of(request, public_id)
    verbs.take_back_seat(game, _player(request), _cleaned(SeatForm(request.POST))["number"])
    return go(request, game)


@require_POST
@door
def add_entropy(request: HttpRequest, public_id: str) -> HttpResponse:
    game = table_of(request, public_id)
    asked = _cleaned(EntropyForm(request.POST))
    verbs.add_entropy(game, _player(request), asked["entropy"], asked["number"])
    messages.success(request, "Your words go into the dice of this game.")
    return go(request, game)


# ---- invitations


@require_http_methods(["GET", "HEAD", "POST"])
@door
def invitation(request: HttpRequest, invite_key: str) -> HttpResponse:
    game = _find(Game.objects.select_related("host"), invite_key=invite_key)
    if request.method != "POST":
        return _invitation_page(request, game, JoinForm(request.user))
    access.remember_invitation(game, request.session)
    if request.POST.get("do") == "watch":
        return go(request, game)
    form = JoinForm(request.user, request.POST)
    if not form.is_valid():
        return _invitation_page(request, game, form, status=400)
    try:
        return _sit_down(request, game, form, by_link=True)
    except IllegalAction as refusal:
        form.add_error(None, refusal.sentence)
        status = 400 if refusal.code == "bad_form" else verbs.status_of(refusal)
        return _invitation_page(request, game, form, status=status)


def _invitation_page(request: HttpRequest, game: Game, form: JoinForm, status: int = 200) -> HttpResponse:
    seats = list(game.seats.select_related("game", "player"))
    context = {
        "game": game,
        "rules": RULESETS[game.ruleset],
        "rules_url": tables.rules_url_of(game),
        "form": form,
        "options": listing.options_in_force(game),
        "is_open": game.status == Game.Status.OPEN,
        "is_closed": game.status == Game.Status.CANCELLED,
        "has_room": game.status == Game.Status.OPEN and any(not seat.is_taken for seat in seats),
        "is_seated": bool(access.own_seats(game, request.user)),
        "others": [seat for seat in seats if seat.is_taken and seat.player_id != game.host_id],
    }
    return render(request, "lobby/invitation.html", context, status=status)


# ---- return links


@require_http_methods(["GET", "HEAD", "POST"])
@door
def come_back(request: HttpRequest, return_key: str) -> HttpResponse:
    """A guest's way back to a seat. Only pressing the button logs in, so that no preview of the link does."""
    seat = _find(Seat.objects.select_related("game", "player", "stands_in_for"), return_key=return_key)
    whose = seat.player or seat.stands_in_for
    if whose is None or seat.game.status == Game.Status.CANCELLED:
        raise Http404
    is_theirs = request.user.is_authenticated and request.user.pk == whose.pk
    if request.method == "POST" and (is_theirs or whose.is_guest):
        if not is_theirs:
            log_in_as(request, whose)
        return go(request, seat.game)
    context = {
        "seat": seat,
        "whose": whose,
        "name": seat.name or whose.display_name,
        "game": seat.game,
        "rules": RULESETS[seat.game.ruleset],
        "is_theirs": is_theirs,
    }
    return render(request, "lobby/come_back.html", context, status=403 if request.method == "POST" else 200)


@require_POST
@door
def return_link(request: HttpRequest, public_id: str) -> HttpResponse:
    """Mail a guest the way back to his own seat, or make a new one for a guest who lost it."""
    game, player = table_of(request, public_id), _player(request)
    if request.POST.get("do") == "mail":
        return _mail_return_link(request, game, player)
    seat = verbs.reissue_return_key(game, player, _cleaned(SeatForm(request.POST))["number"])
    context = {
        "game": game,
        "seat": seat,
        "link": listing.return_url(seat),
        "own": seat.player_id == player.pk,
    }
    return render(request, "lobby/return_link.html", context)


def _mail_return_link(request: HttpRequest, game: Game, player: Any) -> HttpResponse:
    address = _cleaned(MailForm(request.POST))["address"]
    seats = access.own_seats(game, player)
    if not seats:
        raise IllegalAction("not_seated")
    if not player.is_guest:
        raise IllegalAction("not_a_guest")
    if _too_often("player", str(player.pk)) or _too_often("address", address.casefold()):
        raise IllegalAction("too_many_mails")
    sent = _send(address, game, seats[0])
    said = "The link is on its way." if sent else "The mail could not be sent just now; please copy the link instead."
    if request.htmx:
        response = HttpResponse(status=204, headers={"HX-Reswap": "none"})
        return trigger_client_event(response, "toast", {"value": said})
    messages.add_message(request, messages.SUCCESS if sent else messages.ERROR, said)
    return redirect(game)


def _too_often(what: str, whose: str) -> bool:
    """Anybody may type any address here, so nobody gets much mail from it."""
    counter = f"return-mail:{what}:{listing.digest(whose)}"
    cache.add(counter, 0, timeout=24 * 3600)
    try:
        return cache.incr(counter) > MAILS_A_DAY[what]
    except ValueError:  # it ran out between the two lines
        return False


def _send(address: str, game: Game, seat: Seat) -> bool:
    facts = {"seat": seat, "game": RULESETS[game.ruleset].name, "link": listing.return_url(seat)}
    mail = EmailMessage(
        subject=f"Your way back to {facts['game']}",
        body=render_to_string("lobby/mail/return_link.txt", facts),
        to=[address],
        headers={"Auto-Submitted": "auto-generated"},
    )
    try:
        return bool(mail.send())
    except OSError:  # smtplib's errors are OSErrors
        log.warning("a return link could not be mailed", exc_info=True)
        return False


# ---- playing again, and the rest of what the lobby adds to a table's page


@require_POST
@door
def rematch(request: HttpRequest, public_id: str) -> HttpResponse:
    game, player = table_of(request, public_id), _player(request)
    if request.POST.get("do") == "decline":
        verbs.decline_rematch(game, player)
        return go(request, game)
    return _begun(request, verbs.rematch(game, player))


def table_tools(visitor: access.Visitor) -> dict[str, Any]:
    """Context of lobby/table_tools.html: the host's tools, a guest's return link, the rematch."""
    tools = listing.tools_of(visitor)
    return {"tools": tools, "has_tools": bool(tools)}
