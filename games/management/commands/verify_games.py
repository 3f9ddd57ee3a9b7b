"""Run stored games again and say where they part from what is stored. Reports; never repairs."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games import archive
from games.models import Game


class Command(BaseCommand):
    help = "Check log, dice, hash chain and rows of every game that has begun (or of those named)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("ids", nargs="*", help="public ids; all games if none is given")

    def handle(self, *, ids: list[str], **options: Any) -> None:
        games = Game.objects.exclude(started_at=None).order_by("pk")
        if ids:
            games = games.filter(public_id__in=ids)
        wrong = 0
        for game in games.iterator():
            if fault := archive.verify(game):
                wrong += 1
                self.stdout.write(f"{game.public_id}: {fault}")
        self.stdout.write(f"{games.count() - wrong} in order, {wrong} not")
        if wrong:
            raise CommandError("some games are not in order")
