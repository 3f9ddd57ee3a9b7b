"""A mail server that hangs: nobody but the mail waits for it."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from asgiref.sync import sync_to_async
from django.test import Client
from django.urls import reverse

from games import caretaker, lobby, robots, worker
from games.lobby import SeatPlan
from games.models import Notice, Seat
from players.guests import new_guest
from tests.server import ROOT, Server, free_port, until
from tests.tables import move, player, running
from tests.web.test_table_consumer import at, opened

AT_MOST = 5  # seconds


class Hanging:
    """Takes a connection and a sender, and then says nothing until it is released."""

    def __init__(self) -> None:
        self.asked, self.released = threading.Event(), threading.Event()
        self.letters: list[Any] = []

    async def handle_MAIL(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:
        self.asked.set()
        while not self.released.is_set():
            await asyncio.sleep(0.05)
        envelope.mail_from = address
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        self.letters.append(envelope)
        return "250 OK"


@pytest.fixture
def hanging() -> Iterator[tuple[Hanging, int]]:
    handler = Hanging()
    controller = Controller(handler, hostname="127.0.0.1", port=free_port())
    controller.start()
    yield handler, controller.port
    handler.released.set()
    controller.stop()


@pytest.fixture
def hanging_mail(hanging, settings) -> Iterator[Hanging]:
    """The caretaker's mail thread, and a mail server that keeps it waiting."""
    handler, port = hanging
    settings.EMAIL_BACKEND, settings.EMAIL_TIMEOUT = "kadab.mail.SmtpBackend", 60
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", port
    with caretaker.sending_mail():
        yield handler
        handler.released.set()
    until(lambda: not {"mail", "calls"} & {each.name for each in threading.enumerate()})


def guests_seat() -> Seat:
    game = lobby.create(player("ann"), "gambit", {}, [SeatPlan("me"), SeatPlan("link")], is_public=False)
    return lobby.join(game, new_guest("Zoë"), by_link=True)


@pytest.mark.django_db(transaction=True)
def test_whoever_asks_for_a_mail_is_answered_while_the_mail_server_hangs(hanging_mail):
    """Mails of accounts and return links were once sent in the request: the asker waited for the mail server."""
    player("anna", email="anna@example.org")
    seat = guests_seat()
    guest = Client()
    guest.force_login(seat.player, backend="django.contrib.auth.backends.ModelBackend")

    def ask(client: Client, url: str, data: dict[str, str]) -> float:
        began = time.monotonic()
        assert client.post(url, data).status_code == 302
        return time.monotonic() - began

    assert ask(Client(), reverse("account_reset_password"), {"email": "anna@example.org"}) < 2
    assert hanging_mail.asked.wait(10), "the mail thread waits for the server from now on"
    form = {"do": "mail", "address": "zoe@example.org"}
    assert ask(guest, reverse("return_link", args=[seat.game.public_id]), form) < 2
    assert ask(Client(), reverse("account_reset_password"), {"email": "nobody@example.org"}) < 2
    assert not hanging_mail.letters
    hanging_mail.released.set()
    until(lambda: len(hanging_mail.letters) == 3, 10)
    written = {letter.rcpt_tos[0]: letter.content for letter in hanging_mail.letters}
    assert b"/account/password/reset/key/" in written["anna@example.org"]
    assert seat.return_key.encode() in written["zoe@example.org"] and "nobody@example.org" in written


@pytest.mark.django_db(transaction=True)
async def test_while_the_mail_server_hangs_bots_answer_and_sockets_get_news(hanging, settings):
    """Sending once shared the one thread of all database work: bots and sockets stood still for 36 seconds."""
    handler, port = hanging
    settings.WRITING_THREAD = True  # the thread that all share on the real site
    settings.EMAIL_BACKEND, settings.EMAIL_TIMEOUT = "kadab.mail.SmtpBackend", 60
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", port

    def prepare() -> Any:
        anna = player("anna")
        anna.email = "anna@example.org"
        anna.save()
        running("anna", "ben")  # anna is asked, and so written to
        return running("cleo", "bot:random")

    game = await sync_to_async(prepare)()
    pool = ThreadPoolExecutor(1)  # instead of thinking processes, which take a while to start
    at_work = asyncio.ensure_future(caretaker.run(robots.Robots(pool)))
    try:
        assert await asyncio.to_thread(handler.asked.wait, 10)
        cleo = await opened(game, "cleo", at(0))
        began = time.monotonic()
        await sync_to_async(move)(game, 0, "e2", "e4")
        news = ""
        while 'data-revision="2"' not in news:
            news = await cleo.receive_from(AT_MOST)
        assert time.monotonic() - began < AT_MOST
        assert not handler.letters and not handler.released.is_set()
        handler.released.set()
        await asyncio.to_thread(until, lambda: handler.letters, 10)
        assert await Notice.objects.filter(sent=True).acount() == 1
        await cleo.disconnect()
    finally:
        handler.released.set()
        at_work.cancel()
        await asyncio.gather(at_work, return_exceptions=True)
        pool.shutdown()
        await asyncio.to_thread(worker.close)
        await asyncio.to_thread(until, lambda: not {"mail", "calls"} & {each.name for each in threading.enumerate()})


PREPARE = """
from players.models import Player
from games import lobby, play
from games.models import Game, Notice
anna, ben = (Player.objects.create_user(name, f"{name}@example.org", "a good long one") for name in ("anna", "ben"))
seats = [{"kind": "me", "level": "", "name": ""}, {"kind": "open", "level": "", "name": ""}]
game = lobby.create(anna, "gambit", {"light": "host"}, seats, True, True)
lobby.join(game, ben)
game.refresh_from_db()
if game.status == "open":
    lobby.start(game, anna)
game.seats.update(seen_at=None)  # whoever has just looked is sent no mail for a while
Notice.objects.exclude(kind="turn").delete()
print(Notice.objects.filter(settled_at=None).count())
"""


@pytest.fixture
def waiting_site(hanging, tmp_path) -> Iterator[tuple[Hanging, Server]]:
    """A site with a notice to send and a mail server that hangs."""
    handler, port = hanging
    server = Server(tmp_path, BOT_PROCESSES="1", EMAIL_URL=f"smtp://127.0.0.1:{port}", NOTICE_DELAY_SECONDS="0")
    server.manage("migrate", "--verbosity", "0")
    assert server.shell(PREPARE) == "1"
    yield handler, server
    server.stop()


def test_a_server_stops_at_once_while_the_mail_server_hangs(waiting_site):
    handler, server = waiting_site
    server.collect()
    server.start()
    assert handler.asked.wait(90), server.log.read_text()
    began = time.monotonic()
    assert server.stop() == 0
    assert time.monotonic() - began < AT_MOST


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_sender_of_mail_stops_at_once_while_the_mail_server_hangs(waiting_site, number):
    handler, server = waiting_site
    process = subprocess.Popen([sys.executable, "manage.py", "send_mail"], cwd=ROOT, env=server.environment)
    try:
        assert handler.asked.wait(90)
        process.send_signal(number)
        process.wait(AT_MOST)
    finally:
        process.kill()


def test_a_letter_that_hung_is_sent_after_all(waiting_site):
    handler, server = waiting_site
    server.collect()
    server.start()
    assert handler.asked.wait(90)
    time.sleep(1)
    handler.released.set()
    until(lambda: handler.letters, 60)
    asked = server.shell(
        "from games.models import Seat; print(Seat.objects.get(is_asked=True).player.email)"
    )  # chance decides who begins
    assert [letter.rcpt_tos for letter in handler.letters] == [[asked]]
