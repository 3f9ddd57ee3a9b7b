"""Copy the database into one file while the site runs."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.verify import fingerprint
from kadab import backups


class Command(BaseCommand):
    help = "Copy the whole database into one file (it contains everything hidden). The site may run meanwhile."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", nargs="?", help="by default in var/backups/, named after the time")

    def handle(self, *, file: str | None, **options: Any) -> None:
        path = Path(file) if file else self.default()
        try:
            found = backups.back_up(path, fingerprint)
        except backups.BackupFailed as failure:
            raise CommandError(str(failure)) from failure
        self.stdout.write(f"{path}: {found}")

    def default(self) -> Path:
        folder = settings.VAR_DIR / "backups"
        folder.mkdir(mode=0o700, exist_ok=True)
        return Path(folder / f"kadab-{datetime.now(UTC):%Y%m%d-%H%M%S}{backups.suffix()}")
