"""Bots as a process of their own, for sites with Redis and several web processes."""

import asyncio
import contextlib
import signal

from django.core.management.base import BaseCommand

from games import caretaker


class Command(BaseCommand):
    help = "Let bots answer and clear old tables. Only beside REDIS_URL. Several may run at once."

    def handle(self, **options: object) -> None:
        asyncio.run(self.until_told_to_stop())

    async def until_told_to_stop(self) -> None:
        """A supervisor's SIGTERM ends it as Ctrl-C does. Answers under way are given after the next start."""
        work = asyncio.ensure_future(caretaker.run_bots())
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, work.cancel)
        self.stdout.write("Bots are at work.")
        with contextlib.suppress(asyncio.CancelledError):
            await work
