"""A player's deadlines as a calendar that other programs read (iCalendar, RFC 5545).

It holds what everybody at a table knows: until when an open question waits, and when a window ends, whoever is asked
in it (R4).
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.utils import timezone
from icalendar import Calendar, Event

from .models import Game, Seat
from .telling import table_of

if TYPE_CHECKING:
    from players.models import Player

READ_AGAIN = timedelta(minutes=30)


def calendar_of(player: Player) -> bytes:
    """The file; one event for each table where time runs for this player."""
    calendar = Calendar()
    calendar.add("prodid", "-//Kadab//Deadlines//EN")
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", "Kadab")
    calendar.add("refresh-interval", READ_AGAIN, parameters={"VALUE": "DURATION"})
    for event in _events(player):
        calendar.add_component(event)
    return bytes(calendar.to_ical())


def _events(player: Player) -> Iterator[Event]:
    """At a shared device somebody may have several seats; the table's first deadline counts."""
    seats = Seat.objects.filter(
        player=player, out=False, game__status=Game.Status.RUNNING, game__deadline__isnull=False
    )
    seen: set[int] = set()
    for seat in seats.select_related("game").order_by("game_id", "due_at", "number"):
        game = seat.game
        ends = game.deadline if game.window_since is not None else seat.due_at
        if ends is not None and game.pk not in seen:
            seen.add(game.pk)
            yield _event(game, seat, ends)


def _event(game: Game, seat: Seat, ends: datetime) -> Event:
    event = Event()
    what = "Your time ends" if game.window_since is None else "Reactions end"
    event.add("uid", f"{game.public_id}@{settings.SITE.hostname}")
    event.add("dtstamp", timezone.now())
    event.add("dtstart", ends)
    event.add("dtend", ends)
    event.add("summary", f"{what}: {table_of(game, seat.number)}")
    event.add("url", settings.SITE_URL + game.get_absolute_url())
    event.add("transp", "TRANSPARENT")
    return event
