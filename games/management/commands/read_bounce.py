"""Read a report about a mail that could not be delivered, as a mail server pipes it (docs/hosting.md)."""

import sys
from typing import Any

from django.core.management.base import BaseCommand

from games import bounces


class Command(BaseCommand):
    help = "Read a report about an undelivered mail from the standard input, and send its player no more."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(bounces.read(sys.stdin.buffer.read(bounces.LONGEST)))
