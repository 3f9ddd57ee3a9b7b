"""Your turn, by mail: one a decision, none while you are looking, none lost when the mail server is away."""

from __future__ import annotations

import socket
from datetime import timedelta

import pytest
from aiosmtpd.controller import Controller
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.management import call_command
from django.utils import timezone

from games import notices
from games.models import Notice
from tests.tables import do, move, player, running

pytestmark = pytest.mark.django_db


@pytest.fixture
def game():
    game = running("anna", "ben")
    for name in ("anna", "ben"):
        someone = player(name)
        someone.email = f"{name}@example.org"
        someone.save()
    return game


def test_whoever_is_asked_gets_one_mail(game):
    assert notices.send_due() == 1
    (message,) = mail.outbox
    assert message.to == ["anna@example.org"]
    assert "Gambit of Kings" in message.subject and "ben" in message.subject
    assert f"http://127.0.0.1:8000/tables/{game.public_id}/" in message.body
    assert notices.send_due() == 0 and len(mail.outbox) == 1


def test_each_decision_has_its_own_mail(game):
    notices.send_due()
    move(game, 0, "a2", "a3")
    notices.send_due()
    move(game, 1, "a9", "b8")
    notices.send_due()
    assert [m.to[0].split("@")[0] for m in mail.outbox] == ["anna", "ben", "anna"]


def test_a_wish_of_the_other_side_is_no_new_decision(game):
    notices.send_due()
    do(game, 1, "offer_draw")
    assert notices.send_due() == 0


def test_nobody_is_mailed_while_looking(game):
    game.seats.filter(number=0).update(seen_at=timezone.now())
    assert notices.send_due() == 0
    game.seats.filter(number=0).update(seen_at=timezone.now() - timedelta(hours=1))
    assert notices.send_due() == 0, "he saw it; a later mail would be noise"


def test_whoever_looked_long_ago_is_mailed(game):
    game.seats.filter(number=0).update(seen_at=timezone.now() - timedelta(minutes=5))
    assert notices.send_due() == 1


def test_a_quick_answer_needs_no_mail(game):
    move(game, 0, "a2", "a3")
    notices.send_due()
    assert [m.to for m in mail.outbox] == [["ben@example.org"]]


def test_a_notice_waits_until_it_is_due(game):
    Notice.objects.update(due_at=timezone.now() + timedelta(minutes=1))
    assert notices.send_due() == 0 and Notice.objects.filter(settled_at=None).exists()


@pytest.mark.parametrize("change", [{"email": ""}, {"mail_my_turn": False}, {"is_active": False}])
def test_whoever_wants_or_can_get_no_mail_gets_none(game, change):
    type(player("anna")).objects.filter(username="anna").update(**change)
    assert notices.send_due() == 0 and not mail.outbox


def test_an_address_that_nobody_confirmed_gets_no_mail(game):
    """Somebody may have typed a stranger's address."""
    anna = player("anna")
    typed = EmailAddress.objects.create(user=anna, email=anna.email.upper(), verified=False)
    assert notices.send_due() == 0
    typed.verified = True
    typed.save()
    Notice.objects.update(settled_at=None)
    assert notices.send_due() == 1


def test_a_mail_server_that_is_away_is_tried_again(game, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", free_port(), 2
    assert notices.send_due() == 0
    notice = Notice.objects.get()
    assert notice.settled_at is None and notice.due_at > timezone.now()


class Letterbox:
    def __init__(self):
        self.letters = []

    async def handle_DATA(self, server, session, envelope):
        self.letters.append(envelope)
        return "250 OK"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture
def smtp_server(settings):
    """A real SMTP server on this machine."""
    box = Letterbox()
    controller = Controller(box, hostname="127.0.0.1", port=free_port())
    controller.start()
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = controller.hostname, controller.port
    settings.EMAIL_USE_TLS = settings.EMAIL_USE_SSL = False
    settings.EMAIL_HOST_USER = settings.EMAIL_HOST_PASSWORD = ""
    settings.DEFAULT_FROM_EMAIL = "Kadab <table@example.org>"
    yield box
    controller.stop()


def test_mail_reaches_a_real_smtp_server(game, smtp_server):
    assert notices.send_due() == 1
    (letter,) = smtp_server.letters
    assert letter.mail_from == "table@example.org" and letter.rcpt_tos == ["anna@example.org"]
    assert b"it is your turn" in letter.content and b"List-Unsubscribe" in letter.content


def test_the_hosts_test_mail_works(smtp_server):
    call_command("sendtestemail", "host@example.org")
    assert smtp_server.letters[0].rcpt_tos == ["host@example.org"]


def test_mail_settings_come_from_one_address():
    import os
    import subprocess
    import sys

    names = (
        "EMAIL_HOST",
        "EMAIL_PORT",
        "EMAIL_HOST_USER",
        "EMAIL_HOST_PASSWORD",
        "EMAIL_USE_TLS",
        "DEFAULT_FROM_EMAIL",
    )
    code = f"from django.conf import settings; print(*(getattr(settings, name) for name in {names}))"
    env = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "kadab.settings",
        "EMAIL_URL": "smtp+tls://me%40x:p%3Aw@mail.example.org:587",
        "EMAIL_FROM": "a@b.c",
    }
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["mail.example.org", "587", "me@x", "p:w", "True", "a@b.c"]
