"""The caretaker as a process of its own, for sites with Redis and several web processes."""

import asyncio

from django.core.management.base import BaseCommand

from games import caretaker


class Command(BaseCommand):
    help = "Let bots answer, send mail that is due, clear old tables. Only beside REDIS_URL; else the server does it."

    def handle(self, **options: object) -> None:
        try:
            asyncio.run(caretaker.run())
        except KeyboardInterrupt:
            self.stdout.write("The caretaker has gone home.")
