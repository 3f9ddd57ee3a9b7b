"""Put a copy made by `manage.py backup` in the place of the database."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError

from games.models import Game
from games.verify import fingerprint
from kadab import backups


class Command(BaseCommand):
    help = "Replace the database by a copy, as a whole or not at all. Stop web, bots and mail first."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file")
        parser.add_argument("--replace", action="store_true", help="though there are games, which will be gone")

    def handle(self, *, file: str, replace: bool, **options: Any) -> None:
        if not replace and has_games():
            raise CommandError("there are games in the database. --replace puts the copy in their place")
        try:
            backups.restore(Path(file))
        except backups.BackupFailed as failure:
            raise CommandError(str(failure)) from failure
        self.stdout.write(f"restored: {fingerprint()}")


def has_games() -> bool:
    try:
        return Game.objects.exists()
    except DatabaseError:  # no tables yet: a new machine
        return False
