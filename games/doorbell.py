"""Tell a table's sockets after a commit that something is new, but never what."""

from __future__ import annotations

import logging

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import transaction

from .models import Game

log = logging.getLogger(__name__)


def ring(game: Game) -> None:
    """News of the game itself: a number, and nothing else, travels."""
    _after_commit(game, {"type": "game.changed", "revision": game.revision})


def ring_seat(game: Game, seat: int) -> None:
    """News for the pages of one seat only: it has acted silently, and nobody else may notice (R4)."""
    _after_commit(game, {"type": "seat.changed", "seat": seat})


def ring_chat(game: Game) -> None:
    _after_commit(game, {"type": "chat.changed"})


def ring_people(game: Game) -> None:
    """Somebody sat down, left or came back."""
    _after_commit(game, {"type": "people.changed"})


def _after_commit(game: Game, message: dict[str, object]) -> None:
    group = game.group
    transaction.on_commit(lambda: _send(group, message), robust=True)


def _send(group: str, message: dict[str, object]) -> None:
    # A ring that is lost is harmless: the next one, a reconnect or the page's own question brings the newest state.
    try:
        layer = get_channel_layer()
        assert layer is not None, "settings.CHANNEL_LAYERS has no default"
        async_to_sync(layer.group_send)(group, message)
    except Exception:
        log.warning("the doorbell of %s could not be rung", group, exc_info=True)
