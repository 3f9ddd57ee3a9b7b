"""Pages that belong to no table: the rules in our own words, and the credits."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from games.registry import ENTRIES

FOR_GOOD, ASK_AGAIN = "public, max-age=31536000, immutable", "no-cache"


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    return render(request, "pages/rules.html", {"games": ENTRIES.values()})


@require_safe
def rules_of(request: HttpRequest, slug: str) -> HttpResponse:
    if slug not in ENTRIES:
        raise Http404("There are no rules of that name.")
    entry = ENTRIES[slug]
    return render(request, entry.pages.rules.template, {"game": entry, **entry.pages.rules.context()})


@require_safe
def handbook(request: HttpRequest, slug: str, digest: str) -> HttpResponse:
    """What every table's page of a game shares. A page from before an upgrade gets it as it is now."""
    written = ENTRIES[slug].pages.handbook if slug in ENTRIES else None
    if written is None:
        raise Http404("There is no handbook of that name.")
    script, newest = written(reverse("rules_of", args=[slug]))
    response = HttpResponse(script, content_type="text/javascript; charset=utf-8")
    response["Cache-Control"] = FOR_GOOD if digest == newest else ASK_AGAIN
    return response


@require_safe
def credits(request: HttpRequest) -> HttpResponse:
    return render(request, "pages/credits.html")
