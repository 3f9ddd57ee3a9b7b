"""What other programs fetch for a player, by a link that holds a key."""

from __future__ import annotations

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
