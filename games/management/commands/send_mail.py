"""Mail as a process of its own, for sites with Redis and several web processes."""

import signal
import threading

from django.core.management.base import BaseCommand

from games import caretaker


class Command(BaseCommand):
    help = "Send mail that is due. Only beside REDIS_URL. Several may run at once."

    def handle(self, **options: object) -> None:
        told_to_stop = threading.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: told_to_stop.set())
        self.stdout.write("Mail is sent when it is due.")
        with caretaker.sending_mail():
            told_to_stop.wait()
