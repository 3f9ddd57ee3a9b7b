"""Play scenarios written as text, and say which of them did not come out as written."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.engine.kings.scenario import failures_of, scenarios_in


class Command(BaseCommand):
    help = "Play scenarios of Kings & Things* (docs/scenarios.md): files, or folders with .txt files in them."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("paths", nargs="+", type=Path)

    def handle(self, *, paths: list[Path], **options: Any) -> None:
        passed = failed = 0
        for path in paths:
            if not path.exists():
                raise CommandError(f"there is no {path}")
            for scenario in scenarios_in(path):
                failures = failures_of(scenario)
                for failure in failures:
                    self.stdout.write(str(failure))
                passed, failed = passed + (not failures), failed + bool(failures)
        self.stdout.write(f"{passed} passed, {failed} failed")
        if failed or not passed:
            raise SystemExit(1)
