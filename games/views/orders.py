"""Standing orders on a page of their own: an ordinary form, each change an action through the gate."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse

from games import play, robots, tables, usual_orders
from games.access import Visitor
from games.engine.core.refusals import IllegalAction
from games.models import Game
from games.painting.pages import OrdersPage
from games.registry import ENTRIES

from .table import at_table, refused


@at_table("GET", "HEAD", "POST")
def orders(request: HttpRequest, visitor: Visitor) -> HttpResponseBase:
    """Only who plays has any; on a shared device they are those of the seat that looks."""
    game = visitor.game
    page = ENTRIES[game.ruleset].pages.orders
    if page is None or not visitor.is_player:
        raise Http404("There are no standing orders here.")
    if game.status != Game.Status.RUNNING:
        return redirect(game)
    if visitor.hand_over_to or visitor.seat is None:
        return redirect("hand_over", game.public_id)
    if request.method == "POST":
        return give(request, visitor, page)
    return render(request, page.template, context_of(request, visitor, page))


def context_of(request: HttpRequest, visitor: Visitor, page: OrdersPage) -> dict[str, object]:
    view = play.view_of(visitor.game, visitor.number)
    saved = request.GET.get("saved")
    return {
        "game": visitor.game,
        "seat": visitor.number,
        "form_token": play.fresh_token(),
        "parts": page.parts_of(view),
        "options": page.options_of(view),
        "kept": USUAL.get(request.GET.get("usual", ""), ""),
        "saved": None if saved is None else [page.labels[about] for about in saved.split() if about in page.labels],
        "rules_url": tables.rules_url_of(visitor.game),
        "may_keep": may_keep(visitor),
        "usual": [page.labels[about] for about in usual_orders_of(visitor) if about in page.labels],
    }


def may_keep(visitor: Visitor) -> bool:
    """Whoever shares their device has several seats, and the orders of one are not those of all.

    A return link opens its own table; usual orders are given at all the others."""
    return not visitor.shares_device and not visitor.by_link and visitor.player.is_authenticated


def usual_orders_of(visitor: Visitor) -> dict[str, str]:
    return usual_orders.usual_orders_of(visitor.player, visitor.game.ruleset) if may_keep(visitor) else {}


def keep_as_usual(visitor: Visitor, page: OrdersPage) -> None:
    """Make what this seat has ordered otherwise than its table the player's usual orders."""
    given = page.given_in(play.view_for(visitor.game, visitor.number))
    usual_orders.keep(visitor.player, visitor.game.ruleset, given)


def give(request: HttpRequest, visitor: Visitor, page: OrdersPage) -> HttpResponseBase:
    """Save only the orders edited on this page; orders changed in another tab since it was loaded are left alone."""
    changed = {
        about: request.POST[about]
        for about in page.labels
        if about in request.POST and request.POST[about] != request.POST.get(f"was_{about}")
    }
    try:
        if request.POST.get("seat") != str(visitor.number):
            raise play.StaleAction  # another seat of this device has sat down since
        for about, how in changed.items():
            give_one(visitor, about, how, request.POST.get("form_token", ""))
    except IllegalAction as error:
        return refused(request, visitor, error)
    robots.wake(visitor.game)
    usual = request.POST.get("usual", "") if may_keep(visitor) else ""
    if usual == "keep":
        keep_as_usual(visitor, page)
    elif usual == "forget":
        usual_orders.keep(visitor.player, visitor.game.ruleset, {})
    done = f"&usual={usual}" if usual in USUAL else ""
    return redirect(f"{reverse('orders', args=[visitor.game.public_id])}?saved={'+'.join(changed)}{done}")


# What a press has done about a player's usual orders, in words.
USUAL = {
    "keep": "These are your usual orders now. They hold at every table that starts from now on.",
    "forget": "You have no usual orders any more. The tables you play at keep the orders they have.",
}


def give_one(visitor: Visitor, about: str, how: str, form_token: str) -> None:
    """Orders answer no question, so they are about the game as it is."""
    game, seat = visitor.game, visitor.number
    assert seat is not None
    game.refresh_from_db(fields=["revision", "status"])
    order = {"do": "set_order", "about": about, "how": how}
    token = play.token_of_form(form_token, f"{about} {how}")
    play.act(game, seat, order, revision=game.revision, token=token, sitter=visitor.player.pk)
