"""A player's private notes for a table, on a page of their own."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse

from games import notes
from games.access import Visitor
from games.engine.core.refusals import IllegalAction
from games.forms import NotesForm

from .table import at_table


@at_table("GET", "HEAD", "POST")
def notebook(request: HttpRequest, visitor: Visitor) -> HttpResponseBase:
    if not notes.may_keep(visitor):
        raise Http404("There are no notes here.")
    context = {"game": visitor.game, "saved": "saved" in request.GET}
    if request.method != "POST":
        return render(request, "table/notes.html", {**context, "form": NotesForm({"text": notes.of(visitor)})})
    text = request.POST.get("text", "")
    try:
        notes.keep(visitor, text)
    except IllegalAction as refusal:
        return render(
            request,
            "table/notes.html",
            {**context, "form": NotesForm({"text": text[: notes.LONGEST]}), "refusal": refusal},
            status=422,
        )
    return redirect(reverse("notes", args=[visitor.game.public_id]) + "?saved")
