"""Your turn, by mail: one a decision, none while you are looking, none lost when the mail server is away."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.contrib.staticfiles.finders import find
from django.core import mail
from django.core.management import call_command
from django.utils import timezone

from games import notices, telling
from games.models import Notice, Seat
from games.registry import ENTRIES
from kadab.mail import MOST_TRIES
from tests.mail import written
from tests.server import free_port
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
    assert telling.send_due() == 1
    (message,) = mail.outbox
    assert message.to == ["anna@example.org"]
    assert "Gambit of Kings" in message.subject and "ben" in message.subject
    assert f"http://127.0.0.1:8000/tables/{game.public_id}/" in message.body
    assert telling.send_due() == 0 and len(mail.outbox) == 1


@pytest.mark.parametrize("slug", ENTRIES)
def test_a_mail_shows_the_games_own_picture_and_fetches_nothing(slug):
    someone = player("anna")
    someone.email = "anna@example.org"
    someone.save()
    game = running("anna", "www.evil.example", ruleset=slug, options={})
    if not game.seats.get(player=someone).is_asked:
        Seat.objects.filter(player=someone).update(is_asked=True, decision="now")
        notices.write(game, game.seats.filter(player=someone))
    assert telling.send_due() == 1
    (message,) = mail.outbox
    parts = {part.get_content_type(): part for part in message.message().walk()}
    assert parts["image/png"].get_payload(decode=True) == Path(find(ENTRIES[slug].mail_picture)).read_bytes()
    assert parts["image/png"]["Content-ID"] == "<picture>"
    html = parts["text/html"].get_payload(decode=True).decode()
    assert 'src="cid:picture"' in html and "www.evil.example" in html
    links = re.findall(r'(?:href|src)="([^"]*)"', html)
    link = f"http://127.0.0.1:8000/tables/{game.public_id}/"
    (stop,) = re.findall("<(.*)>", message.extra_headers["List-Unsubscribe"])
    assert links == ["cid:picture", link, stop, "http://127.0.0.1:8000/account/"]
    assert link in parts["text/plain"].get_payload(decode=True).decode()


def test_each_decision_has_its_own_mail(game):
    telling.send_due()
    move(game, 0, "a2", "a3")
    telling.send_due()
    move(game, 1, "a9", "b8")
    telling.send_due()
    assert [m.to[0].split("@")[0] for m in mail.outbox] == ["anna", "ben", "anna"]


def test_a_wish_of_the_other_side_is_no_new_decision(game):
    telling.send_due()
    do(game, 1, "offer_draw")
    assert not Notice.objects.filter(kind="turn", settled_at=None).exists()


def look(game, ago=timedelta(0)):
    game.seats.filter(number=0).update(seen_at=timezone.now() - ago)


def test_nobody_is_mailed_while_looking(game):
    look(game)
    assert telling.send_due() == 0
    assert Notice.objects.get().settled_at is None


def test_a_notice_that_fell_due_while_its_player_looked_is_sent_when_they_have_stopped(game):
    """It was once dropped for ever: whoever looked for a moment and closed the page was never told."""
    start = timezone.now()
    with time_machine.travel(start, tick=False) as clock:
        for _ in range(5):  # looks for two and a half minutes, without an answer
            look(game)
            assert telling.send_due() == 0
            clock.shift(30)
        assert telling.send_due() == 0, "may be looking still"
        clock.shift(telling.LOOKING_SECONDS)
        assert telling.send_due() == 1
        assert telling.send_due() == 0 and len(mail.outbox) == 1


def test_a_player_who_answers_after_looking_gets_no_mail(game):
    with time_machine.travel(timezone.now(), tick=False) as clock:
        look(game)
        telling.send_due()
        move(game, 0, "a2", "a3")
        clock.shift(3600)
        telling.send_due()
        assert [m.to for m in mail.outbox] == [["ben@example.org"]]


def test_a_kept_notice_is_not_read_every_second(game, django_assert_num_queries):
    look(game)
    telling.send_due()
    with django_assert_num_queries(1):
        telling.send_due()


def test_the_delay_counts_from_the_last_look(game, settings):
    settings.NOTICE_DELAY_SECONDS = 600
    with time_machine.travel(timezone.now(), tick=False) as clock:
        look(game)
        telling.send_due()
        clock.shift(599)
        assert telling.send_due() == 0
        clock.shift(2)
        assert telling.send_due() == 1


def test_whoever_looked_long_ago_is_mailed(game):
    game.seats.filter(number=0).update(seen_at=timezone.now() - timedelta(minutes=5))
    assert telling.send_due() == 1


def test_a_quick_answer_needs_no_mail(game):
    move(game, 0, "a2", "a3")
    telling.send_due()
    assert [m.to for m in mail.outbox] == [["ben@example.org"]]


def test_a_notice_waits_until_it_is_due(game):
    Notice.objects.update(due_at=timezone.now() + timedelta(minutes=1))
    assert telling.send_due() == 0 and Notice.objects.filter(settled_at=None).exists()


@pytest.mark.parametrize("change", [{"email": ""}, {"mail_my_turn": False}, {"is_active": False}])
def test_whoever_wants_or_can_get_no_mail_gets_none(game, change):
    type(player("anna")).objects.filter(username="anna").update(**change)
    assert telling.send_due() == 0 and not mail.outbox


def test_an_address_that_nobody_confirmed_gets_no_mail(game):
    """Somebody may have typed a stranger's address."""
    anna = player("anna")
    typed = EmailAddress.objects.create(user=anna, email=anna.email.upper(), verified=False)
    assert telling.send_due() == 0
    typed.verified = True
    typed.save()
    Notice.objects.update(settled_at=None)
    assert telling.send_due() == 1


def test_a_mail_server_that_is_away_is_tried_again(game, settings):
    settings.EMAIL_BACKEND = "kadab.mail.SmtpBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", free_port(), 2
    assert telling.send_due() == 0
    notice = Notice.objects.get()
    assert notice.settled_at is None and notice.due_at > timezone.now() and notice.tries == 1


def test_mail_reaches_a_real_smtp_server(game, smtp_server):
    assert telling.send_due() == 1
    (letter,) = smtp_server.letters
    assert letter.mail_from == "table@example.org" and letter.rcpt_tos == ["anna@example.org"]
    assert b"it is your turn" in letter.content and b"List-Unsubscribe" in letter.content


ADDRESS = "anna@example.org"


@pytest.mark.parametrize(
    ("command", "reply"),
    [
        ("MAIL", f"451 4.7.1 greylisted, {ADDRESS}"),
        ("RCPT", f"451 {ADDRESS}: try again later"),
        ("RCPT", "450 mailbox busy"),
        ("DATA", "452 no room"),
        ("MAIL", "421 closing"),
    ],
)
def test_a_temporary_refusal_is_tried_again_ever_later_and_tells_once(game, smtp_server, caplog, command, reply):
    smtp_server.says = {command: reply}
    with time_machine.travel(timezone.now(), tick=False) as clock:
        pauses = []
        for tries in range(1, 9):
            assert telling.send_due() == 0
            notice = Notice.objects.get()
            assert (notice.settled_at, notice.sent, notice.tries) == (None, False, tries)
            pauses.append(int((notice.due_at - timezone.now()).total_seconds() // 60))
            assert telling.send_due() == 0 and Notice.objects.get().tries == tries, "before its time"
            clock.move_to(notice.due_at)
        assert pauses == [1, 2, 4, 8, 16, 32, 60, 60]
        smtp_server.says = {}
        assert telling.send_due() == 1
        clock.shift(86400)
        assert telling.send_due() == 0 and len(smtp_server.letters) == 1
    assert all("put off" in line and ADDRESS not in line for line in written(caplog))


def test_a_question_answered_meanwhile_needs_no_second_try(game, smtp_server):
    smtp_server.says = {"RCPT": "451 later"}
    telling.send_due()
    Notice.objects.update(due_at=timezone.now())
    move(game, 0, "a2", "a3")
    smtp_server.says = {}
    telling.send_due()
    assert [letter.rcpt_tos for letter in smtp_server.letters] == [["ben@example.org"]]


@pytest.mark.parametrize(
    ("command", "reply"), [("RCPT", f"550 no {ADDRESS} here"), ("DATA", f"554 spam from {ADDRESS}")]
)
def test_a_final_refusal_is_given_up_and_can_be_counted(game, smtp_server, caplog, command, reply):
    smtp_server.says = {command: reply}
    assert telling.send_due() == 0
    notice = Notice.objects.get()
    assert notice.settled_at and not notice.sent and reply[:3] in notice.refused
    (line,) = written(caplog)
    assert "given up" in line and reply[:3] in line and "\n" not in line
    assert ADDRESS not in line + notice.refused
    smtp_server.says = {}
    assert telling.send_due() == 0


def test_a_letter_that_may_have_arrived_is_not_sent_again(game, smtp_server):
    smtp_server.says = {"DATA": "250 and goes away"}
    telling.send_due()
    smtp_server.says = {}
    Notice.objects.filter(settled_at=None).update(due_at=timezone.now())
    telling.send_due()
    assert len(smtp_server.letters) == 1


def test_one_refused_letter_keeps_no_other_back(game, smtp_server):
    other = running("cleo", "ben")
    cleo = player("cleo")
    cleo.email = "cleo@example.org"
    cleo.save()
    smtp_server.says = {"RCPT": "250 OK"}
    refuse = smtp_server.handle_RCPT

    async def only_anna(server, session, envelope, address, options):
        return "550 no" if address == ADDRESS else await refuse(server, session, envelope, address, options)

    smtp_server.handle_RCPT = only_anna
    assert telling.send_due() == 1 and Notice.objects.get(game=other).sent


def test_tries_end(game, smtp_server):
    Notice.objects.update(tries=MOST_TRIES)
    smtp_server.says = {"RCPT": "451 later"}
    telling.send_due()
    assert Notice.objects.get().refused == "SMTPRecipientsRefused 451"


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
