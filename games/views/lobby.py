"""Views of the lobby: each a few lines over games.lobby, which decides, and games.listing, which lists."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import transaction
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect, HttpResponseClientRefresh, trigger_client_event
from django_htmx.middleware import HtmxDetails

from kadab import limits
from players import by_link, letters
from players.guests import confirm_address, guest_for, log_in_as, mail_proof, stay_in
from players.models import Player

from .. import access, begun, listing, lost_links, robots, rooms, tables
from .. import lobby as verbs
from ..engine import RULESETS
from ..engine.bots import LEVELS
from ..engine.core.refusals import IllegalAction, Reason, reasons
from ..forms import BotForm, EntropyForm, JoinForm, MailForm, PlayNowForm, SeatForm, TableForm
from ..models import Game, LostLink, Seat

MAILS_A_DAY = {"player": 5, "address": 3, "network": 10}
LOST_LINKS_A_DAY = 10  # from one network
DAY_SECONDS = 24 * 3600
SECRETS = "lost_links"  # of a session: by table, the secret of its own request

reasons(
    not_logged_in=Reason("Log in or choose a name first."),
    bad_form=Reason("{what}"),
    other_table=Reason("This browser came in by the return link of another table. Use the return link of this table."),
    own_browser=Reason("Only the browser you first played in, or one that opened a link mailed to you, can do this."),
    too_many_mails=Reason("You have sent enough mails for today. Copy the link instead."),
)

STATUS_OF = {"bad_form": 400, "not_logged_in": 403, "other_table": 403, "own_browser": 403, "too_many_mails": 429}

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
    lists = listing.lists_for(request.user, by_link.tables(request.session))
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
    shown = listing.lists_for(request.user, by_link.tables(request.session))
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
        "room": rooms.room_of(visitor, _is_invited(request, game)),
        "options": rooms.options_in_force(game),
        "levels": listing.bot_choices(game.ruleset),
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
        "invite_url": rooms.invite_url(game),
    }
    return render(request, "lobby/seats.html", context)


def table_of(request: HttpRequest, public_id: str) -> Game:
    """The table of this address, if it exists for whoever asks."""
    game: Game = _find(Game.objects.select_related("host"), public_id=public_id)
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


def _player(request: HttpRequest, game: Game) -> Player:
    """Who asks for something at this table."""
    if not isinstance(request.user, Player):
        raise IllegalAction("not_logged_in")
    if not by_link.covers(request.session, game.public_id):
        raise IllegalAction("other_table")
    return request.user


def first_error(form: Form) -> str:
    return str(next(iter(form.errors.values()))[0])


def _cleaned(form: Form) -> dict[str, Any]:
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
    return _sit_down(request, game, form, _is_invited(request, game))


def _sit_down(request: HttpRequest, game: Game, form: JoinForm, invited: bool) -> HttpResponse:
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
    verbs.leave(game, _player(request, game))
    messages.info(request, "You left the table.")
    return go(request, reverse("lobby"))


@require_POST
@door
def remove(request: HttpRequest, public_id: str) -> HttpResponse:
    game = table_of(request, public_id)
    verbs.remove(game, _player(request, game), _cleaned(SeatForm(request.POST))["number"])
    return go(request, game)


@require_POST
@door
def cancel(request: HttpRequest, public_id: str) -> HttpResponse:
    game = table_of(request, public_id)
    verbs.cancel(game, _player(request, game))
    messages.info(request, "The table was cancelled.")
    return go(request, reverse("lobby"))


@require_POST
@door
def start(request: HttpRequest, public_id: str) -> HttpResponse:
    game = table_of(request, public_id)
    verbs.start(game, _player(request, game))
    return _begun(request, game)


@require_POST
@door
def seat_bot(request: HttpRequest, public_id: str) -> HttpResponse:
    game = table_of(request, public_id)
    asked = _cleaned(BotForm(request.POST))
    verbs.seat_bot(game, _player(request, game), asked["number"], asked["level"])
    return _begun(request, game)


@require_POST
@door
def stand_in(request: HttpRequest, public_id: str) -> HttpResponse:
    """A bot for a seat whose player has not answered for days."""
    game = table_of(request, public_id)
    begun.stand_in(game, _player(request, game), _cleaned(SeatForm(request.POST))["number"])
    return _begun(request, game)


@require_POST
@door
def go_on(request: HttpRequest, public_id: str) -> HttpResponse:
    """The end of a window that has stood open for days."""
    game = table_of(request, public_id)
    begun.go_on(game, _player(request, game))
    return _begun(request, game)


@require_POST
@door
def take_back_seat(request: HttpRequest, public_id: str) -> HttpResponse:
    """Back to a seat that a bot has kept."""
    game = table_of(request, public_id)
    begun.take_back_seat(game, _player(request, game), _cleaned(SeatForm(request.POST))["number"])
    return go(request, game)


@require_POST
@door
def add_entropy(request: HttpRequest, public_id: str) -> HttpResponse:
    game = table_of(request, public_id)
    asked = _cleaned(EntropyForm(request.POST))
    verbs.add_entropy(game, _player(request, game), asked["entropy"], asked["number"])
    messages.success(request, "Your text now helps to decide the dice of this game.")
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
    if request.POST.get("do") == "lost":
        return _ask_for_seat(request, game)
    form = JoinForm(request.user, request.POST)
    if not form.is_valid():
        return _invitation_page(request, game, form, status=400)
    try:
        return _sit_down(request, game, form, invited=True)
    except IllegalAction as refusal:
        form.add_error(None, refusal.sentence)
        status = STATUS_OF.get(refusal.code) or verbs.status_of(refusal)
        return _invitation_page(request, game, form, status=status)


def _invitation_page(request: HttpRequest, game: Game, form: JoinForm, status: int = 200) -> HttpResponse:
    seats = list(game.seats.select_related("game", "player"))
    context = {
        "game": game,
        "rules": RULESETS[game.ruleset],
        "rules_url": tables.rules_url_of(game),
        "form": form,
        "options": rooms.options_in_force(game),
        "is_open": game.status == Game.Status.OPEN,
        "is_closed": game.status == Game.Status.CANCELLED,
        "has_room": game.status == Game.Status.OPEN and any(not seat.is_taken for seat in seats),
        "is_seated": access.visit(game, request.user, request.session).is_player,
        "others": [seat for seat in seats if seat.is_taken and seat.player_id != game.host_id],
        "lost": lost_links.seats_to_ask_for(game),
        "asks_already": _has_asked(request, game),
    }
    return render(request, "lobby/invitation.html", context, status=status)


# ---- guests who lost the link to their seat


def _ask_for_seat(request: HttpRequest, game: Game) -> HttpResponse:
    """By mail to the address the guest confirmed; without one, the table is asked."""
    number = _cleaned(SeatForm(request.POST))["number"]
    seat = lost_links.seat_to_ask_for(game, request.user, number)
    guest = lost_links.holder(seat)
    assert guest is not None
    if not limits.allow("lost-link", limits.address_of(request), LOST_LINKS_A_DAY, DAY_SECONDS):
        raise IllegalAction("lost_too_often")
    if guest.return_address:
        if not may_mail(request, guest, guest.return_address):
            raise IllegalAction("too_many_mails")
        mail_return_link(guest.return_address, seat, guest)
        messages.success(request, "We’re sending the link to the e-mail address that this player confirmed.")
        return go(request, reverse("invitation", args=[game.invite_key]))
    known = request.session.get(SECRETS, {})
    secret = lost_links.ask(game, request.user, number)
    request.session[SECRETS] = {**dict(list(known.items())[-9:]), game.public_id: secret}
    return go(request, reverse("lost_link", args=[game.public_id]))


def _has_asked(request: HttpRequest, game: Game) -> bool:
    """Whether this browser has an open request at this table."""
    asked = lost_links.request_of(game, request.session.get(SECRETS, {}).get(game.public_id))
    return asked is not None and not asked.outcome and not lost_links.is_expired(asked)


@require_http_methods(["GET", "HEAD", "POST"])
@door
def lost_link(request: HttpRequest, public_id: str) -> HttpResponse:
    """Where a browser that asked for a seat waits for the answer, and opens the seat."""
    game = _find(Game.objects.select_related("host"), public_id=public_id)
    secret = request.session.get(SECRETS, {}).get(public_id)
    asked = lost_links.request_of(game, secret)
    if asked is None:
        raise Http404
    if request.method != "POST":
        return render(request, "lobby/lost_link.html", _lost_link_context(game, asked))
    if request.POST.get("do") == "open":
        guest = lost_links.open_seat(game, secret)
        log_in_as(request, guest)
        by_link.lift(request.session)
        return go(request, game)
    lost_links.withdraw(game, secret)
    return go(request, reverse("invitation", args=[game.invite_key]))


def _lost_link_context(game: Game, asked: LostLink) -> dict[str, Any]:
    return {
        "game": game,
        "rules": RULESETS[game.ruleset],
        "name": asked.player.guest_name,
        "outcome": "expired" if not asked.outcome and lost_links.is_expired(asked) else asked.outcome,
        "may_open": lost_links.may_open(asked),
        "opens_at": lost_links.opens_at(asked),
        "waits_for": rooms.still_to_agree(asked),
    }


@require_POST
@door
def answer_lost_link(request: HttpRequest, public_id: str) -> HttpResponse:
    """Another player agrees, or the player of the seat refuses."""
    game = table_of(request, public_id)
    answer = lost_links.agree if request.POST.get("do") == "agree" else lost_links.refuse
    answer(game, _player(request, game), _cleaned(SeatForm(request.POST))["number"])
    return go(request, game)


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
        _let_in(request, whose, seat.game)
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


def _let_in(request: HttpRequest, guest: Player, game: Game) -> None:
    """By the link alone to its table only. A link that was mailed to the guest is as good as their own browser."""
    is_proven = guest.is_guest and confirm_address(guest, request.GET.get("proof", ""))
    if request.user.pk != guest.pk:
        log_in_as(request, guest)
        by_link.limit(request.session, game.public_id)
    by_link.add(request.session, game.public_id)
    if is_proven:
        by_link.lift(request.session)


@require_POST
@door
def return_link(request: HttpRequest, public_id: str) -> HttpResponse:
    """Mail a guest the way back to their own seat, or make a new one and end the old."""
    game = table_of(request, public_id)
    player = _player(request, game)
    if request.POST.get("do") == "mail":
        return _mail_return_link(request, game, player)
    if by_link.is_limited(request.session):
        raise IllegalAction("own_browser")
    number = _cleaned(SeatForm(request.POST))["number"]
    with transaction.atomic():  # before anybody hears the bell, or this browser's own table page would be shut out
        seat = verbs.reissue_return_key(game, player, number)
        stay_in(request, player)
    return render(request, "lobby/return_link.html", {"game": game, "link": rooms.return_url(seat)})


def _mail_return_link(request: HttpRequest, game: Game, player: Player) -> HttpResponse:
    seats = access.visit(game, request.user, request.session).own
    if not seats:
        raise IllegalAction("not_seated")
    if not player.is_guest:
        raise IllegalAction("not_a_guest")
    address = _address_for(request, player)
    if not may_mail(request, player, address):
        raise IllegalAction("too_many_mails")
    mail_return_link(address, seats[0], player)
    said = "We’re sending you the link. It should arrive within a few minutes."
    if is_htmx(request):
        response = HttpResponse(status=204, headers={"HX-Reswap": "none"})
        return trigger_client_event(response, "toast", {"value": said})
    messages.success(request, said)
    return redirect(game)


def _address_for(request: HttpRequest, guest: Player) -> str:
    """Any address for the guest's own browser; for one that came by the link alone, only the one that is confirmed."""
    if by_link.is_limited(request.session):
        if request.POST.get("address") or not guest.return_address:
            raise IllegalAction("own_browser")
        return guest.return_address
    address: str = _cleaned(MailForm(request.POST))["address"]
    return address


def may_mail(request: HttpRequest, guest: Player, address: str) -> bool:
    """Anybody may type any address here, so no mailbox gets much mail, and no sender causes much."""
    whose = {"network": limits.address_of(request), "player": str(guest.pk), "address": address.casefold()}
    return all(limits.allow(f"return-mail:{each}", key, MAILS_A_DAY[each], DAY_SECONDS) for each, key in whose.items())


def mail_return_link(address: str, seat: Seat, guest: Player) -> None:
    """The mail holds nothing that a guest can choose, or strangers could be sent advertisements."""
    game = RULESETS[seat.game.ruleset].name
    link = f"{rooms.return_url(seat)}?{urlencode({'proof': mail_proof(guest, address)})}"
    body = render_to_string("lobby/mail/return_link.txt", {"game": game, "link": link})
    letters.write(address, f"Your return link to {game}", body)


# ---- playing again, and the rest of what the lobby adds to a table's page


@require_POST
@door
def rematch(request: HttpRequest, public_id: str) -> HttpResponse:
    game = table_of(request, public_id)
    player = _player(request, game)
    if request.POST.get("do") == "decline":
        begun.decline_rematch(game, player)
        return go(request, game)
    return _begun(request, begun.rematch(game, player))


def table_tools(visitor: access.Visitor) -> dict[str, Any]:
    """Context of lobby/table_tools.html: the host's tools, a guest's return link, the rematch."""
    tools = rooms.tools_of(visitor)
    return {"tools": tools, "has_tools": bool(tools)}
