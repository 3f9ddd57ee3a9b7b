"""Pages that belong to no table: the rules in our own words, and the credits."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from games.engine import RULESETS
from games.painting import gambit_rules
from games.painting.kings import rules as kings_rules
from games.painting.kings.handbook import handbook as kings_handbook

RULE_PAGES = {
    "gambit": ("pages/gambit.html", gambit_rules.context),
    "kings": ("pages/kings.html", kings_rules.context),
}
HANDBOOKS = {"kings": kings_handbook}
FOR_GOOD, ASK_AGAIN = "public, max-age=31536000, immutable", "no-cache"


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    games = [rules for slug, rules in RULESETS.items() if slug in RULE_PAGES]
    return render(request, "pages/rules.html", {"games": games})


@require_safe
def rules_of(request: HttpRequest, slug: str) -> HttpResponse:
    if slug not in RULE_PAGES:
        raise Http404("There are no rules of that name.")
    template, context = RULE_PAGES[slug]
    return render(request, template, context())


@require_safe
def handbook(request: HttpRequest, slug: str, digest: str) -> HttpResponse:
    """What every table's page of a game shares. A page from before an upgrade gets it as it is now."""
    if slug not in HANDBOOKS:
        raise Http404("There is no handbook of that name.")
    found = HANDBOOKS[slug](reverse("rules_of", args=[slug]))
    response = HttpResponse(found.script, content_type="text/javascript; charset=utf-8")
    response["Cache-Control"] = FOR_GOOD if digest == found.digest else ASK_AGAIN
    return response


@require_safe
def credits(request: HttpRequest) -> HttpResponse:
    return render(request, "pages/credits.html")
