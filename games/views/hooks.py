"""The page on which a host says where else a table's news go."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from kadab import limits
from players import by_link

from .. import webhooks
from ..engine import RULESETS
from ..engine.core.refusals import IllegalAction, Reason, reasons
from ..models import Game, Webhook
from .lobby import door, player_at, table_of

TESTS_AN_HOUR, HOUR_SECONDS = 10, 3600
SAID = {"put": "Saved.", "remove": "The webhook was removed.", "test": "A test is on its way."}

reasons(webhook_tests=Reason("You have sent enough tests. Please try again in an hour."))


@require_http_methods(["GET", "HEAD", "POST"])
@door
def webhook(request: HttpRequest, public_id: str) -> HttpResponse:
    """Set, try out or remove a table's webhook."""
    game = table_of(request, public_id)
    player = player_at(request, game)
    if by_link.is_limited(request.session):
        raise IllegalAction("own_browser")
    if game.host_id != player.pk:
        raise IllegalAction("not_host")
    if request.method != "POST":
        return _page(request, game)
    do = request.POST.get("do")
    try:
        if do == "remove":
            webhooks.remove(game, player)
        elif do == "test":
            if not limits.allow("webhook-test", str(player.pk), TESTS_AN_HOUR, HOUR_SECONDS):
                raise IllegalAction("webhook_tests")
            webhooks.try_out(game, player)
        else:
            do = "put"
            webhooks.put(game, player, request.POST.get("url"))
    except IllegalAction as refusal:
        if refusal.code != "bad_webhook":
            raise
        return _page(request, game, refusal.sentence, 422)
    messages.success(request, SAID[do])
    return redirect(reverse("webhook", args=[game.public_id]))


def _page(request: HttpRequest, game: Game, error: str = "", status: int = 200) -> HttpResponse:
    hook = Webhook.objects.filter(game=game).first()
    context = {"game": game, "rules": RULESETS[game.ruleset], "hook": hook, "error": error}
    return render(request, "lobby/webhook.html", context, status=status)
