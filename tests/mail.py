"""Mail for tests: what has been sent, and a real mail server that answers as it is told."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from django.core import mail

from players import letters
from tests.server import free_port


def sent() -> list[Any]:
    """All mails so far; letters that wait are sent first, as the caretaker would."""
    letters.send_due()
    return mail.outbox


def written(caplog: Any) -> list[str]:
    """What our own code has logged, as it stands in the log; the mail server in this process logs as well."""
    ours = [record for record in caplog.records if record.name.startswith(("games", "players", "kadab"))]
    return [logging.Formatter("%(message)s").format(record) for record in ours]


class Letterbox:
    def __init__(self) -> None:
        self.letters: list[Any] = []
        self.says: dict[str, str] = {}  # to which command, what instead of 250

    async def handle_MAIL(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:
        envelope.mail_from = address
        return self.says.get("MAIL", "250 OK")

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:
        envelope.rcpt_tos.append(address)
        return self.says.get("RCPT", "250 OK")

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        if self.says.get("DATA", "250").startswith("250"):
            self.letters.append(envelope)
        if self.says.get("DATA") == "250 and goes away":
            server.transport.abort()
        return self.says.get("DATA", "250 OK")


@pytest.fixture(name="smtp_server")
def fixture_smtp_server(settings: Any) -> Iterator[Letterbox]:
    """A real SMTP server on this machine."""
    box = Letterbox()
    controller = Controller(box, hostname="127.0.0.1", port=free_port())
    controller.start()
    settings.EMAIL_BACKEND, settings.EMAIL_TIMEOUT = "kadab.mail.SmtpBackend", 5
    settings.EMAIL_HOST, settings.EMAIL_PORT = controller.hostname, controller.port
    settings.EMAIL_USE_TLS = settings.EMAIL_USE_SSL = False
    settings.EMAIL_HOST_USER = settings.EMAIL_HOST_PASSWORD = ""
    settings.DEFAULT_FROM_EMAIL = "Kadab <table@example.org>"
    yield box
    controller.stop()
