"""Pages on which a guest leaves an address for the news of one table, and confirms it."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from players import by_link

from .. import addresses
from ..engine import RULESETS
from ..engine.core.refusals import IllegalAction
from ..forms import MailForm
from ..models import Game
from .links import may_mail
from .lobby import door, find, player_at, table_of


@require_http_methods(["GET", "HEAD", "POST"])
@door
def news(request: HttpRequest, public_id: str) -> HttpResponse:
    """Where a guest wants the news of this table."""
    game = table_of(request, public_id)
    guest = player_at(request, game)
    addresses.check(game, guest)
    if by_link.is_limited(request.session):
        raise IllegalAction("own_browser")
    if request.method != "POST":
        return _page(request, game, MailForm())
    if request.POST.get("do") == "stop":
        addresses.stop(game, guest)
        messages.success(request, "No more mail about this table.")
        return redirect(reverse("news", args=[game.public_id]))
    form = MailForm(request.POST)
    if not form.is_valid():
        return _page(request, game, form, 422)
    address = form.cleaned_data["address"]
    if not may_mail(request, guest, address):
        raise IllegalAction("too_many_mails")
    at_once = addresses.ask(game, guest, address)
    messages.success(request, "Saved." if at_once else "We’re sending you a mail. Press the link in it to confirm.")
    return redirect(reverse("news", args=[game.public_id]))


def _page(request: HttpRequest, game: Game, form: MailForm, status: int = 200) -> HttpResponse:
    address = addresses.address_of(game, player_at(request, game))
    context = {"game": game, "rules": RULESETS[game.ruleset], "form": form, "address": address}
    return render(request, "lobby/news_address.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@door
def confirm_news(request: HttpRequest, public_id: str, token: str) -> HttpResponse:
    """Whoever reads the mail agrees by the button, so that no preview of the link does."""
    game = find(Game.objects.all(), public_id=public_id)
    address = addresses.confirm(game, token) if request.method == "POST" else addresses.address_in(game, token)
    if not address:
        raise Http404
    context = {"rules": RULESETS[game.ruleset], "address": address, "done": request.method == "POST"}
    return render(request, "lobby/confirm_news.html", context)
