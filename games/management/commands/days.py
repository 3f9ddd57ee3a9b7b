"""Live through a game over days, on a temporary database: absent-minded people, a moved clock, the site's own code."""

import tempfile
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from games.management.days import BEGINS, CASES, Days


class Command(BaseCommand):
    help = (
        "Let three absent-minded people and one who vanishes play Kings & Things* over days: with nothing set, with "
        "all orders set, and with orders and plans. Fails when the game is stuck, or a clock ends early, late or twice."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--seed", default="0")
        parser.add_argument("--days", type=int, default=90)

    def handle(self, *, seed: str, days: int, **options: Any) -> None:
        try:
            from time_machine import travel
        except ImportError as error:
            raise CommandError("This needs the libraries of requirements-dev.txt: run `make test` once.") from error
        faults = 0
        for case in CASES:
            with tempfile.TemporaryDirectory() as folder, travel(BEGINS, tick=False) as wall:
                faults += self.live(Days(case, seed, wall.move_to, days), Path(folder))
        if faults:
            raise CommandError(f"{faults} faults")

    def live(self, days: Days, folder: Path) -> int:
        """One game, on a database of its own, which is thrown away."""
        named = connection.settings_dict["NAME"]
        if connection.vendor == "sqlite":
            connection.settings_dict["TEST"]["NAME"] = folder / "days.sqlite3"
            connection.settings_dict["OPTIONS"]["init_command"] = "PRAGMA synchronous=OFF"  # nobody will miss it
        connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
        try:
            report = days.play()
        finally:
            connection.creation.destroy_test_db(named, verbosity=0)
        for line in report.lines():
            self.stdout.write(line)
        return len(report.faults)
