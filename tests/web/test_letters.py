"""Letters that somebody asked for: stored with the request, sent once, tried again, and not kept afterwards."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO

import pytest
import time_machine
from django.contrib import admin
from django.core import mail
from django.core.management import call_command
from django.db import DatabaseError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from kadab.mail import MOST_TRIES
from players import letters
from players.models import Letter, Player
from tests.mail import Letterbox, written
from tests.server import free_port
from tests.tables import player, running

pytestmark = pytest.mark.django_db

ADDRESS = "anna@example.org"


@pytest.fixture(autouse=True)
def anna() -> Player:
    return player("anna", email=ADDRESS)


def ask_for_reset() -> Letter:
    """Anna has forgotten her password; the letter that is written to her."""
    assert Client().post(reverse("account_reset_password"), {"email": ADDRESS}).status_code == 302
    return Letter.objects.latest("pk")


def key_in(letter: Letter) -> str:
    return letter.body.partition("/password/reset/key/")[2].split("/")[0]


def test_a_request_stores_its_letter_and_sends_nothing():
    letter = ask_for_reset()
    assert not mail.outbox
    assert letter.address == ADDRESS and letter.subject == "Kadab: reset your password" and key_in(letter)
    assert letters.send_due() == 1 and mail.outbox[0].to == [ADDRESS]
    assert mail.outbox[0].extra_headers == {"Auto-Submitted": "auto-generated"}


def test_nothing_of_a_sent_letter_stays():
    ask_for_reset()
    letters.send_due()
    assert not Letter.objects.exists()


@pytest.mark.parametrize("command", ["MAIL", "RCPT", "DATA"])
def test_a_letter_refused_once_for_now_is_sent_exactly_once(smtp_server: Letterbox, caplog, command):
    key = key_in(ask_for_reset())
    smtp_server.says = {command: f"451 4.7.1 greylisted, {ADDRESS}"}
    with time_machine.travel(timezone.now(), tick=False) as clock:
        assert letters.send_due() == 0
        letter = Letter.objects.get()
        assert letter.tries == 1 and letter.due_at == timezone.now() + timedelta(minutes=1)
        assert letters.send_due() == 0, "before its time"
        smtp_server.says = {}
        clock.shift(60)
        assert letters.send_due() == 1
        clock.shift(86400)
        assert letters.send_due() == 0
    (received,) = smtp_server.letters
    assert received.rcpt_tos == [ADDRESS] and key.encode() in received.content
    assert not Letter.objects.exists()
    (line,) = written(caplog)
    assert "put off" in line and key not in line and ADDRESS not in line


def test_pauses_get_longer(smtp_server: Letterbox):
    ask_for_reset()
    smtp_server.says = {"RCPT": "451 later"}
    pauses = []
    with time_machine.travel(timezone.now(), tick=False) as clock:
        for _ in range(8):
            letters.send_due()
            due = Letter.objects.get().due_at
            pauses.append(int((due - timezone.now()).total_seconds() // 60))
            clock.move_to(due)
    assert pauses == [1, 2, 4, 8, 16, 32, 60, 60]


@pytest.mark.parametrize(("command", "reply"), [("RCPT", f"550 no {ADDRESS} here"), ("DATA", f"554 spam, {ADDRESS}")])
def test_a_letter_refused_for_good_is_given_up_with_one_line(smtp_server: Letterbox, caplog, command, reply):
    key = key_in(ask_for_reset())
    smtp_server.says = {command: reply}
    assert letters.send_due() == 0 and not Letter.objects.exists()
    (line,) = written(caplog)
    assert "given up" in line and reply[:3] in line and "\n" not in line
    assert key not in line and ADDRESS not in line


def test_a_letter_that_may_have_arrived_is_not_sent_again(smtp_server: Letterbox):
    ask_for_reset()
    smtp_server.says = {"DATA": "250 and goes away"}
    letters.send_due()
    assert len(smtp_server.letters) == 1 and not Letter.objects.exists()


def test_an_unreachable_mail_server_is_tried_for_two_days_and_no_longer(settings, caplog):
    settings.EMAIL_BACKEND = "kadab.mail.SmtpBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", free_port(), 2
    ask_for_reset()
    began = timezone.now()
    with time_machine.travel(began, tick=False) as clock:
        while letter := Letter.objects.first():
            clock.move_to(letter.due_at)
            letters.send_due()
        assert timedelta(days=1.5) < timezone.now() - began < timedelta(days=2.5)
    assert sum("given up" in line for line in written(caplog)) == 1


def test_tries_end(smtp_server: Letterbox):
    ask_for_reset()
    Letter.objects.update(tries=MOST_TRIES)
    smtp_server.says = {"RCPT": "451 later"}
    letters.send_due()
    assert not Letter.objects.exists()


def test_of_two_processes_one_sends_a_letter():
    letter = letters.Stored(ask_for_reset())
    same = letters.Stored(Letter.objects.get())
    assert letter.claim() and not same.claim()
    assert letters.send_due() == 0


def test_a_letter_whose_process_died_is_sent_by_the_next():
    assert letters.Stored(ask_for_reset()).claim()
    with time_machine.travel(timezone.now() + timedelta(minutes=letters.CLAIM_MINUTES + 1)):
        assert letters.send_due() == 1 and letters.send_due() == 0


def test_without_its_account_no_letter_is_stored_and_without_its_letter_no_account(monkeypatch):
    def fail(*_: object, **__: object) -> None:
        raise DatabaseError

    monkeypatch.setattr("players.letters.write", fail)
    form = {"username": "Ben", "password1": "a good long password", "email": "ben@example.org"}
    with pytest.raises(DatabaseError):
        Client().post(reverse("account_signup"), form)
    assert not Player.objects.filter(username="Ben").exists()


def test_no_admin_page_and_no_export_shows_a_letter(client):
    key = key_in(ask_for_reset())
    assert not admin.site.is_registered(Letter)
    client.force_login(player("chief", is_staff=True, is_superuser=True))
    assert "etter" not in client.get("/admin/").content.decode()
    game = running("anna", "ben")
    exported = StringIO()
    call_command("export_game", game.public_id, stdout=exported)
    assert exported.getvalue() and key not in exported.getvalue() and ADDRESS not in exported.getvalue()
    assert key not in str(Letter.objects.get()) and key not in repr(Letter.objects.get())
