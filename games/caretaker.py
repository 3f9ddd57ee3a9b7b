"""The caretaker: what must happen without anybody pressing a key. Bots answer, mail goes out, old tables are cleared.

With the in-memory channel layer it is a task of the one serving process (a ring from another would not arrive). With
Redis it is a process of its own, `manage.py run_bots`. It keeps nothing in memory: after a restart it finds in the
database whatever is still to be done.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import logging
import threading
import time
from collections.abc import Awaitable, Callable

from django.conf import settings
from django.db import connections

from players import letters

from . import lobby, lost_links, notices, play, robots, worker

log = logging.getLogger(__name__)

TICK_SECONDS = 1.0
HOUSEKEEPING_SECONDS = 3600.0

_task: asyncio.Task[None] | None = None


def ensure_running() -> None:
    """Start the caretaker in this process's loop, once, if this is where it belongs."""
    global _task
    if _task is None and not settings.REDIS_URL and settings.CARETAKER:
        _task = asyncio.ensure_future(run())


async def run(bots: robots.Robots | None = None) -> None:
    awake = asyncio.Event()
    robots.listen(asyncio.get_running_loop(), awake)
    bots = bots or robots.Robots()
    last_cleared = -HOUSEKEEPING_SECONDS
    await _safely(functools.partial(worker.run, play.ask_anew))
    no_more_mail = threading.Event()
    threading.Thread(target=send_mail, args=[no_more_mail], name="mail", daemon=True).start()
    try:
        while True:
            await _safely(bots.answer_all)
            if time.monotonic() - last_cleared >= HOUSEKEEPING_SECONDS:
                last_cleared = time.monotonic()
                await _safely(functools.partial(worker.run, lobby.expire_tables))
                await _safely(functools.partial(worker.run, lost_links.close_ended))
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(awake.wait(), TICK_SECONDS)
            awake.clear()
    finally:
        no_more_mail.set()
        bots.close()


def send_mail(stop: threading.Event) -> None:
    """Send mail in a thread of its own: a mail server may take a minute, and everything else shares one thread.

    The thread is a daemon, so the process ends without waiting for the mail server.
    """
    while not stop.wait(TICK_SECONDS):
        for send_due in (letters.send_due, notices.send_due):  # whoever asked for a letter sits and waits for it
            try:
                send_due()
            except Exception:
                log.exception("mail could not be sent")
            finally:
                connections.close_all()


async def _safely(job: Callable[[], Awaitable[object]]) -> None:
    """One job's fault must not end the caretaker."""
    try:
        await job()
    except Exception:
        log.exception("the caretaker's job failed")
