"""Bots at the table: they think in other processes, from what their seat sees, and act through the gate like anyone."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import time
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from channels.db import database_sync_to_async
from django.conf import settings

from . import play
from .engine.bots import think
from .engine.core.refusals import IllegalAction
from .models import Game
from .thinker import end_with

log = logging.getLogger(__name__)

SECONDS_AFTER_A_FAULT = 30

_awake: tuple[asyncio.AbstractEventLoop, asyncio.Event] | None = None


def listen(loop: asyncio.AbstractEventLoop, event: asyncio.Event) -> None:
    """From now on `wake` sets this event."""
    global _awake
    _awake = (loop, event)


def wake(game: Game) -> None:
    """Something happened at this table. Where the bots live in another process, they will see it by themselves."""
    if _awake:
        loop, event = _awake
        loop.call_soon_threadsafe(event.set)


class Robots:
    """All bots of all games, thinking in a pool so that nobody waits for them."""

    def __init__(self, pool: Executor | None = None) -> None:
        self.pool = pool
        self.busy: dict[tuple[int, int], asyncio.Task[None]] = {}
        self.resting: dict[tuple[int, int], float] = {}  # seats whose bot failed, until when it is left alone

    async def answer_all(self) -> None:
        """Set every waiting bot thinking; returns at once."""
        for pk, seat in await database_sync_to_async(waiting)():
            if (pk, seat) in self.busy or self.resting.get((pk, seat), 0) > time.monotonic():
                continue
            task = asyncio.ensure_future(self.answer(pk, seat))
            self.busy[pk, seat] = task
            task.add_done_callback(lambda _, at=(pk, seat): self.busy.pop(at, None))

    async def answer(self, pk: int, seat: int) -> None:
        try:
            question = await database_sync_to_async(play.bot_question)(pk, seat)
            while question:
                loop = asyncio.get_running_loop()
                action = await loop.run_in_executor(
                    self._pool(), think, question.ruleset, question.level, question.view, question.offers, question.seed
                )
                await database_sync_to_async(play.bot_acts)(question, action)
                question = await database_sync_to_async(play.bot_question)(pk, seat)
                # The other bots of this table may have been asked by this one's action.
                if _awake:
                    _awake[1].set()
        except IllegalAction as refusal:
            # Somebody acted meanwhile (resigned, took back); the next round asks anew. Anything else is a bot's bug.
            if refusal.code not in ("stale", "over"):
                log.error("the bot in seat %s of game %s was refused: %s", seat, pk, refusal.code)
                self.resting[pk, seat] = time.monotonic() + SECONDS_AFTER_A_FAULT
        except BrokenProcessPool:
            log.warning("a thinking process died; starting new ones")
            self.close()
        except Exception:
            log.exception("the bot in seat %s of game %s failed", seat, pk)
            self.resting[pk, seat] = time.monotonic() + SECONDS_AFTER_A_FAULT

    def _pool(self) -> Executor:
        if self.pool is None:
            context = multiprocessing.get_context("forkserver")
            context.set_forkserver_preload(["games.engine.bots", "games.thinker"])
            self.pool = ProcessPoolExecutor(
                settings.BOT_PROCESSES, context, initializer=end_with, initargs=(os.getpid(),)
            )
        return self.pool

    def close(self) -> None:
        if self.pool is not None:
            self.pool.shutdown(wait=False, cancel_futures=True)
            self.pool = None


def waiting() -> list[tuple[int, int]]:
    return [
        (game.pk, seat) for game in Game.objects.waiting_for_bots().only("pk") for seat, _ in play.bot_questions(game)
    ]
