"""The caretaker: what must happen without anybody pressing a key. Time runs out, bots answer, mail goes out, old tables
are cleared.

With the in-memory channel layer it is a task of the one serving process (a ring from another would not arrive). With
Redis its jobs are processes of their own: `manage.py run_bots` (clocks, bots and clearing) and `manage.py send_mail`.
A ring over Redis wakes the bots when one of them is asked; without it they look every TICK_SECONDS. The caretaker
keeps nothing in memory: after a restart it finds in the database whatever is still to be done.

Each job may run several times at once, on one machine or on several. Bots and clearing are shared out by claims
(games/claims.py), mail by settling each notice before it is sent. The gate counts an answer once even if two give it.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import logging
import threading
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator

from django.conf import settings
from django.db import connections

from kadab import unavailable
from players import letters

from . import (
    addresses,
    claims,
    doorbell,
    lobby,
    lost_links,
    play,
    pushes,
    robots,
    telling,
    timekeeper,
    webhooks,
    worker,
)

log = logging.getLogger(__name__)

TICK_SECONDS = 1.0
HOUSEKEEPING_SECONDS = 3600.0

_task: asyncio.Task[None] | None = None


def ensure_running() -> None:
    """Start the caretaker in this process's loop, once, if this is where it belongs."""
    global _task
    doorbell.ring_from(asyncio.get_running_loop())  # so that nobody who acts waits for a Redis that hangs
    if _task is None and not settings.REDIS_URL and settings.CARETAKER:
        _task = asyncio.ensure_future(run())


async def run(bots: robots.Robots | None = None) -> None:
    """All of it, in this process."""
    with sending_mail():
        await run_bots(bots)


async def run_bots(bots: robots.Robots | None = None) -> None:
    """Look at the clocks, let bots answer, and clear old tables once an hour."""
    awake, loop = asyncio.Event(), asyncio.get_running_loop()
    robots.listen(loop, awake)
    doorbell.ring_from(loop)
    hearing = asyncio.ensure_future(doorbell.hear_bots(awake.set)) if settings.REDIS_URL else None
    bots = bots or robots.Robots()
    last_cleared = -HOUSEKEEPING_SECONDS
    await _safely(functools.partial(worker.run, play.ask_anew))
    try:
        while True:
            await _safely(functools.partial(worker.run, timekeeper.look))
            await _safely(bots.answer_all)
            if time.monotonic() - last_cleared >= HOUSEKEEPING_SECONDS:
                last_cleared = time.monotonic()
                await _safely(functools.partial(worker.run, clear))
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(awake.wait(), TICK_SECONDS)
            awake.clear()
    finally:
        bots.close()
        robots.listen_no_more()
        if hearing is not None:
            hearing.cancel()


def clear() -> None:
    """Clear what is too old. One process does it for all; the others find it done."""
    if not claims.take("clear", HOUSEKEEPING_SECONDS):
        return
    for job in (lobby.warn_of_closing, lobby.expire_tables, lost_links.close_ended, addresses.clear, claims.clear):
        try:
            job()
        except Exception as error:
            if not unavailable.noted(error):
                log.exception("clearing failed")


@contextlib.contextmanager
def sending_mail() -> Iterator[None]:
    """Send mail in a thread of its own, and webhooks in another: a mail server may take a minute, and everything else
    shares one thread.

    The threads are daemons, so the process ends without waiting for other servers.
    """
    stop = threading.Event()
    jobs = {"mail": (letters.send_due, telling.send_due), "calls": (pushes.send_due, webhooks.send_due)}
    for name, sends in jobs.items():  # whoever asked for a letter sits and waits for it, so letters come first
        threading.Thread(target=_send, args=[stop, sends], name=name, daemon=True).start()
    try:
        yield
    finally:
        stop.set()


def _send(stop: threading.Event, sends: Iterable[Callable[[], int]]) -> None:
    while not stop.wait(TICK_SECONDS):
        for send_due in sends:
            try:
                send_due()
            except Exception as error:
                if not unavailable.noted(error):
                    log.exception("news could not be sent")
            finally:
                connections.close_all()


async def _safely(job: Callable[[], Awaitable[object]]) -> None:
    """One job's fault must not end the caretaker."""
    try:
        await job()
    except Exception as error:
        if not unavailable.noted(error):
            log.exception("the caretaker's job failed")
