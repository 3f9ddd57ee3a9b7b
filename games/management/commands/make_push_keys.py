"""Make the keys by which push services know this site (VAPID)."""

import os
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from players import push


class Command(BaseCommand):
    help = "Make keys for pushing news to browsers, and keep them in var/; --print shows them instead."

    def add_arguments(self, parser: Any) -> None:
        parser.add_argument("--print", action="store_true", help="print a line for the environment and keep nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        private = push.new_private_key()
        if options["print"]:
            self.stdout.write(f"VAPID_PRIVATE_KEY={private}")
            return
        try:
            file = os.open(settings.VAPID_FILE, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError as error:
            raise CommandError(
                f"{settings.VAPID_FILE} is there already. With other keys every browser would have to subscribe anew."
            ) from error
        with os.fdopen(file, "w") as out:
            out.write(private)
        self.stdout.write(f"Keys are in {settings.VAPID_FILE}. Restart the site; the account page then offers to push.")
