"""Numbers about the whole site for its operator: how much is under way and what waits.

Seats are counted only where everybody may know that they are asked (`asked_openly`): while a sealed window is open,
neither who is asked nor how many shows in any number.
"""

from __future__ import annotations

from django.db.models import Exists, OuterRef
from django.utils import timezone

from kadab import metrics

from .models import Game, Notice, Seat


def measure() -> None:
    """Bring the metrics that stand in the database up to date."""
    running = Game.objects.running()
    asked = Seat.objects.filter(asked_openly=True, player__isnull=False, game__status=Game.Status.RUNNING)
    openly = Seat.objects.filter(game=OuterRef("game"), number=OuterRef("seat"), asked_openly=True)
    due = Notice.objects.filter(Exists(openly), settled_at=None, due_at__lte=timezone.now())
    metrics.now_in_the_database(running.count(), running.filter(is_lesson=True).count(), asked.count(), due.count())
