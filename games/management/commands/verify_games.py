"""Check stored games and say what is not in order. Reports; never repairs."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.models import Game
from games.verify import verify


class Command(BaseCommand):
    help = "Check seeds, dice, hash chain, history and rows of every table (or of those named), and replay its game."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("ids", nargs="*", help="public ids; all tables if none is given")

    def handle(self, *, ids: list[str], **options: Any) -> None:
        games = Game.objects.order_by("pk")
        if ids:
            games = games.filter(public_id__in=ids)
        right = wrong = 0
        for pk in list(games.values_list("pk", flat=True)):
            report = verify(pk)
            for line in report.lines():
                self.stdout.write(line)
            right, wrong = right + (not report.found), wrong + bool(report.found)
        self.stdout.write(f"{right} in order, {wrong} not")
        if wrong:
            raise CommandError("some games are not in order")
        if missing := set(ids) - set(games.values_list("public_id", flat=True)):
            raise CommandError(f"there is no game {', '.join(sorted(missing))}")
