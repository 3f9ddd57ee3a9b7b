"""Silence: who has kept an open question waiting for too long (W3), and which window has stood open too long (R4).

In a window nobody is silent: nobody is shown who is asked in it, so nobody is named, offered or replaced because of it.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone

from .models import Game, Seat


def long_ago() -> datetime:
    """Whoever was asked before this moment and has not answered is silent."""
    return timezone.now() - timedelta(days=settings.SILENT_DAYS)


def is_silent(seat: Seat) -> bool:
    """Whether this seat's person was asked days ago, for all to see, and has not answered; looking is no answer."""
    is_person = seat.player_id is not None and not seat.out and not seat.game.clock  # a clock says itself who is late
    return is_person and seat.asked_openly and seat.asked_at is not None and seat.asked_at <= long_ago()


def may_go_on(game: Game) -> bool:
    """Whether the window the game stands in has been open for days, so that anybody at the table may end it.

    Its clock started when it opened, for all to see; who is asked in it, and who has answered, makes no difference."""
    running = game.status == Game.Status.RUNNING and not game.clock
    return running and game.window_since is not None and game.window_since <= long_ago()
