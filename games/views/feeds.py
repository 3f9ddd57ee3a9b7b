"""What other programs fetch for a player: a calendar, by a link that holds a key, and the script that shows pushes."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from django.contrib.staticfiles.finders import find as find_static
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from players.models import Player

from .. import deadlines, shares
from .lobby import door, find


@require_safe
@door
def calendar(request: HttpRequest, calendar_key: str) -> HttpResponse:
    """The deadlines of whoever has this key."""
    shares.take_read(request)
    player = find(Player.objects.filter(is_active=True), calendar_key=calendar_key)
    return HttpResponse(deadlines.calendar_of(player), content_type="text/calendar; charset=utf-8")


@require_safe
def push_worker(request: HttpRequest) -> HttpResponse:
    """The service worker. Its address stays the same through all releases, or browsers would lose it."""
    response = HttpResponse(_worker(), content_type="text/javascript; charset=utf-8")
    response["Cache-Control"] = "no-cache"
    response["Service-Worker-Allowed"] = "/account/"
    return response


@cache
def _worker() -> str:
    found = find_static("js/push_worker.js")
    assert found, "there is no push_worker.js among the static files"
    return Path(found).read_text()
