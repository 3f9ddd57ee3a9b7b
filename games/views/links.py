"""Views behind links that somebody was given: invitations, and the ways back to a guest's seat."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST
from django_htmx.http import trigger_client_event

from kadab import limits
from players import by_link, letters
from players.guests import confirm_address, log_in_as, mail_proof, stay_in
from players.models import Player

from .. import access, begun, lost_links, rooms, shares, tables
from .. import lobby as verbs
from ..engine import RULESETS
from ..engine.core.refusals import IllegalAction
from ..forms import JoinForm, MailForm, SeatForm
from ..models import Game, LostLink, Seat
from ..registry import ENTRIES
from .lobby import STATUS_OF, cleaned, door, find, go, is_htmx, player_at, sit_down, table_of
from .table import story_context

MAILS_A_DAY = {"player": 5, "address": 3, "network": 10}
LOST_LINKS_A_DAY = 10  # from one network
DAY_SECONDS = 24 * 3600
SECRETS = "lost_links"  # of a session: by table, the secret of its own request


# ---- invitations


@require_http_methods(["GET", "HEAD", "POST"])
@door
def invitation(request: HttpRequest, invite_key: str) -> HttpResponse:
    game = find(Game.objects.select_related("host"), invite_key=invite_key)
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
        return sit_down(request, game, form, invited=True)
    except IllegalAction as refusal:
        form.add_error(None, refusal.sentence)
        status = STATUS_OF.get(refusal.code) or verbs.status_of(refusal)
        return _invitation_page(request, game, form, status=status)


def _invitation_page(request: HttpRequest, game: Game, form: JoinForm, status: int = 200) -> HttpResponse:
    seats = list(game.seats.select_related("game", "player"))
    context = {
        "game": game,
        "rules": RULESETS[game.ruleset],
        "pictures": ENTRIES[game.ruleset].pictures,
        "rules_url": tables.rules_url_of(game),
        "form": form,
        "options": rooms.options_in_force(game),
        "is_open": game.status == Game.Status.OPEN,
        "is_closed": game.status == Game.Status.CANCELLED,
        "is_over": game.status == Game.Status.FINISHED,
        "has_room": game.status == Game.Status.OPEN and any(not seat.is_taken for seat in seats),
        "is_seated": access.visit(game, request.user, request.session).is_player,
        "others": [seat for seat in seats if seat.is_taken and seat.player_id != game.host_id],
        "lost": lost_links.seats_to_ask_for(game),
        "lost_days": settings.LOST_LINK_DAYS,
        "asks_already": _has_asked(request, game),
    }
    return render(request, "lobby/invitation.html", context, status=status)


# ---- how a game went, for anybody who was given the link


@require_POST
@door
def share(request: HttpRequest, public_id: str) -> HttpResponse:
    """Make the link to a finished game's story, or put an end to it."""
    game = table_of(request, public_id)
    change = begun.stop_sharing if request.POST.get("do") == "stop" else begun.share
    change(game, player_at(request, game))
    return go(request, reverse("story", args=[game.public_id]))


@require_http_methods(["GET", "HEAD"])
@door
def shared(request: HttpRequest, share_key: str) -> HttpResponse:
    """The story as spectators may read it. It leads to no table, which may be private."""
    shares.take_read(request)
    game = find(Game.objects.filter(status=Game.Status.FINISHED), share_key=share_key)
    page = ENTRIES[game.ruleset].pages.story
    if page is None:
        raise Http404
    response = render(request, page.template, story_context(access.visit(game, AnonymousUser(), {}), page))
    response["Cache-Control"] = "private, no-store"
    response["X-Robots-Tag"] = "noindex"
    return response


# ---- guests who lost the link to their seat


def _ask_for_seat(request: HttpRequest, game: Game) -> HttpResponse:
    """By mail to the address the guest confirmed; without one, the table is asked."""
    number = cleaned(SeatForm(request.POST))["number"]
    seat = lost_links.seat_to_ask_for(game, request.user, number)
    guest = lost_links.holder(seat)
    assert guest is not None
    if not limits.allow("lost-link", limits.address_of(request), LOST_LINKS_A_DAY, DAY_SECONDS):
        raise IllegalAction("lost_network")
    if guest.return_address:
        if not may_mail(request, guest, guest.return_address):
            raise IllegalAction("too_many_mails")
        mail_return_link(guest.return_address, seat, guest)
        messages.success(request, "We’re sending the link to the e-mail address that this player confirmed.")
        return go(request, reverse("invitation", args=[game.invite_key]))
    known = request.session.get(SECRETS, {})
    secret = lost_links.ask(game, request.user, number, known.get(game.public_id))
    request.session[SECRETS] = {**dict(list(known.items())[-9:]), game.public_id: secret}
    return go(request, reverse("lost_link", args=[game.public_id]))


def _has_asked(request: HttpRequest, game: Game) -> bool:
    """Whether this browser has an open request at this table."""
    asked = lost_links.request_of(game, request.session.get(SECRETS, {}).get(game.public_id))
    return asked is not None and not lost_links.outcome_of(asked)


@require_http_methods(["GET", "HEAD", "POST"])
@door
def lost_link(request: HttpRequest, public_id: str) -> HttpResponse:
    """Where a browser that asked for a seat waits for the answer, and opens the seat."""
    game = find(Game.objects.select_related("host"), public_id=public_id)
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
        "name": asked.player.display_name,
        "code": lost_links.code_of(asked),
        "outcome": lost_links.outcome_of(asked),
        "may_open": lost_links.may_open(asked),
        "opens_at": lost_links.opens_at(asked),
        "waits_for": rooms.still_to_agree(asked),
    }


@require_POST
@door
def answer_lost_link(request: HttpRequest, public_id: str) -> HttpResponse:
    """Another player agrees, or the player of the seat refuses."""
    game = table_of(request, public_id)
    answer = {"agree": lost_links.agree, "refuse": lost_links.refuse}.get(request.POST.get("do", ""))
    if answer is None:
        raise IllegalAction("bad_form", what="Choose “agree” or “refuse”.")
    answer(game, player_at(request, game), cleaned(SeatForm(request.POST))["number"])
    return go(request, game)


# ---- return links


@require_http_methods(["GET", "HEAD", "POST"])
@door
def come_back(request: HttpRequest, return_key: str) -> HttpResponse:
    """A guest's way back to a seat. Only pressing the button logs in, so that no preview of the link does."""
    try:
        seat = find(Seat.objects.select_related("game", "player", "stands_in_for"), return_key=return_key)
    except Http404:
        return render(request, "lobby/ended_link.html", status=404)
    whose = seat.player or seat.stands_in_for
    if whose is None or seat.game.status == Game.Status.CANCELLED:
        return render(request, "lobby/ended_link.html", status=404)
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
        "picture": ENTRIES[seat.game.ruleset].picture_of(seat.number),
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
    player = player_at(request, game)
    if request.POST.get("do") == "mail":
        return _mail_return_link(request, game, player)
    if by_link.is_limited(request.session):
        raise IllegalAction("own_browser")
    number = cleaned(SeatForm(request.POST))["number"]
    with transaction.atomic():  # before anybody hears the bell, or this browser's own table page would be shut out
        seat = verbs.reissue_return_key(game, player, number)
        lost_links.refuse_all(game, player)
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
    address: str = cleaned(MailForm(request.POST))["address"]
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
    letters.write(address, f"Your return link to {game}", body, ENTRIES[seat.game.ruleset].mail_picture)
