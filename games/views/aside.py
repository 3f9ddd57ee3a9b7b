"""Private talk, blocks and reports: pages of their own, which work without scripts."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse

from games import aside
from games.access import Visitor
from games.clocks import local
from games.engine.core.refusals import IllegalAction

from .table import at_table

HIGHEST = 2**31


@at_table("GET", "HEAD", "POST")
def talk(request: HttpRequest, visitor: Visitor, number: int) -> HttpResponseBase:
    """The private talk with whoever sits in a seat; a POST says something, or blocks them."""
    try:
        other = aside.partner_in(visitor, min(number, HIGHEST))
        if request.method == "POST":
            if request.POST.get("do") == "block":
                return _blocked(request, visitor, other)
            aside.say(visitor, number, request.POST.get("text", ""))
            return redirect("talk", visitor.game.public_id, number)
    except IllegalAction as refusal:
        return _refused(request, visitor, refusal)
    said = [(line, local(line.at, visitor.player.hours)) for line in aside.between(visitor, other)]
    context = {"game": visitor.game, "other": other, "number": number, "said": said}
    return render(request, "table/talk.html", {**context, "me": visitor.player})


@at_table("GET", "HEAD", "POST")
def report(request: HttpRequest, visitor: Visitor, kind: str, number: int) -> HttpResponseBase:
    """Ask why, and then hand a message to whoever looks after this site."""
    is_private = kind == "private"
    if kind not in ("table", "private"):
        raise Http404("There is no such message.")
    try:
        said = aside.to_report(visitor, min(number, HIGHEST), is_private)
        if request.method == "POST":
            aside.report(visitor, number, is_private, request.POST.get("why", ""))
            if request.POST.get("block"):
                aside.block(visitor.player, said.author)
            messages.success(request, "Thank you. Whoever looks after this site will read it.")
            return redirect(visitor.game)
    except IllegalAction as refusal:
        return _refused(request, visitor, refusal)
    context = {"game": visitor.game, "said": said, "most": aside.LONGEST_REASON}
    return render(request, "table/report.html", context)


def _blocked(request: HttpRequest, visitor: Visitor, other: object) -> HttpResponseBase:
    aside.block(visitor.player, other)
    messages.success(request, "You two have no contact from now on. You can change that on your account page.")
    return redirect(reverse("table", args=[visitor.game.public_id]))


def _refused(request: HttpRequest, visitor: Visitor, refusal: IllegalAction) -> HttpResponseBase:
    context = {"refusal": refusal, "back": visitor.game.get_absolute_url()}
    return render(request, "lobby/refused.html", context, status=aside.status_of(refusal))
