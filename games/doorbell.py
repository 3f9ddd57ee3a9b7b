"""Tell a table's sockets after a commit that something is new, but never what.

An action of the writing thread tells the sockets of its own process by a call, with the rows that were just written
(games/live.py listens). All others hear a ring over the channel layer: a number, and nothing else travels.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import secrets
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.conf import settings
from django.db import transaction

from kadab import bus

if TYPE_CHECKING:
    from .models import Game, Seat

log = logging.getLogger(__name__)

PROCESS = secrets.token_hex(8)  # whose ring it is: a process need not answer its own
LONGEST_RING_SECONDS = 2.0  # Redis may hang; nobody who plays waits for it


@dataclass(frozen=True)
class Ring:
    """Something is new at a table. The rows, where they come along, are as they were just committed."""

    group: str
    kind: str  # "game", "seat", "chat", "people" or "visitor"
    number: int | None = None  # the game's revision, or the seat that has acted silently
    game: Game | None = None
    seats: tuple[Seat, ...] = ()

    def message(self, by: str = "") -> dict[str, Any]:
        """All that travels of it."""
        return {"type": "rang", "kind": self.kind, "number": self.number, "by": by}


def ring(game: Game, seats: Sequence[Seat] = ()) -> None:
    """News of the game itself."""
    _after_commit(Ring(game.group, "game", game.revision, game, tuple(seats)))


def ring_seat(game: Game, seat: int, seats: Sequence[Seat] = ()) -> None:
    """News for the pages of one seat only: it has acted silently, and nobody else may notice (R4)."""
    _after_commit(Ring(game.group, "seat", seat, game, tuple(seats)))


def ring_chat(game: Game) -> None:
    _after_commit(Ring(game.group, "chat"))


def ring_people(game: Game) -> None:
    """Somebody sat down, left or came back."""
    _after_commit(Ring(game.group, "people"))


def ring_session(key: str) -> None:
    """Somebody logged out, or sits at another seat of a shared device."""
    _after_commit(Ring(session_group(key), "visitor"))


def ring_player(pk: int) -> None:
    """A player was deactivated, or has a new password."""
    _after_commit(Ring(player_group(pk), "visitor"))


def session_group(key: str) -> str:
    """The group that hears of one session; its name goes through Redis, so it does not hold the key."""
    return f"session.{hashlib.sha256(key.encode()).hexdigest()[:32]}"


def player_group(pk: int) -> str:
    return f"player.{pk}"


# ---- bots in a process of their own

BOTS = "bots"  # the group of all processes that run bots


def ring_bots() -> None:
    """Tell the bots' processes that a bot is asked; not at which table. Call it after the commit."""
    _send_from_any_thread(BOTS, {"type": "rang"})


async def hear_bots(called: Callable[[], None]) -> None:
    """Call this at every ring for bots, until cancelled. Rings may be lost, so bots also look by themselves."""
    layer = get_channel_layer()
    assert layer is not None, "settings.CHANNEL_LAYERS has no default"
    name = await layer.new_channel()
    await layer.group_add(BOTS, name)
    try:
        while True:
            await layer.receive(name)
            called()
    finally:
        with contextlib.suppress(Exception):
            await asyncio.wait_for(layer.group_discard(BOTS, name), LONGEST_RING_SECONDS)


# ---- who listens

_listener: Callable[[Ring], bool] | None = None
_loop: asyncio.AbstractEventLoop | None = None
_under_way: set[asyncio.Task[None]] = set()


def listen(listener: Callable[[Ring], bool]) -> None:
    """From now on this is called after each commit, in its thread; it says whether all sockets here have been told."""
    global _listener
    _listener = listener


def ring_from(loop: asyncio.AbstractEventLoop) -> None:
    """From now on the channel layer is rung from this loop, and nobody waits for it."""
    global _loop
    _loop = loop


def _after_commit(ring: Ring) -> None:
    transaction.on_commit(lambda: _tell(ring), robust=True)


def _tell(ring: Ring) -> None:
    all_here_are_told = _listener is not None and _listener(ring)
    if all_here_are_told and not settings.REDIS_URL:
        return
    _send_from_any_thread(ring.group, ring.message(by=PROCESS if all_here_are_told else ""))


def _send_from_any_thread(group: str, message: dict[str, Any]) -> None:
    if _loop is not None and _loop.is_running():
        _loop.call_soon_threadsafe(_send_soon, group, message)
    else:
        async_to_sync(_send)(group, message)


def _send_soon(group: str, message: dict[str, Any]) -> None:
    task: asyncio.Task[None] = asyncio.ensure_future(_send(group, message))
    _under_way.add(task)
    task.add_done_callback(_under_way.discard)


async def _send(group: str, message: dict[str, Any]) -> None:
    # A ring that is lost is harmless: the next one, a reconnect or the process's own look brings the newest state.
    try:
        layer = get_channel_layer()
        assert layer is not None, "settings.CHANNEL_LAYERS has no default"
        sending: Coroutine[Any, Any, None] = layer.group_send(group, message)
        await asyncio.wait_for(sending, LONGEST_RING_SECONDS)
    except bus.AwayError:  # which the operator has heard of
        pass
    except Exception as error:
        log.warning("the doorbell of %s could not be rung: %s", group, type(error).__name__)
