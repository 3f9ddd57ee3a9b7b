"""A game as one file, for a bug report or another site. It holds the seeds, and so all that is hidden."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games import archive
from games.models import Game


class Command(BaseCommand):
    help = "Print a game, hidden things and all, as JSON that import_game reads."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("id", help="the game's public id")

    def handle(self, **options: Any) -> None:
        game = Game.objects.filter(public_id=options["id"]).exclude(started_at=None).first()
        if game is None:
            raise CommandError("no game with this id has begun")
        self.stdout.write(json.dumps(archive.exported(game), indent=1))
