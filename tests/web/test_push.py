"""Web Push, to a push service of our own that decrypts what it gets: table and deadline, and nothing else."""

from __future__ import annotations

import base64
import json
import os
from datetime import UTC, datetime, timedelta

import http_ece
import pytest
import time_machine
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.core.management import CommandError, call_command
from django.urls import reverse

from games import notices, pushes, telling
from games.models import Notice
from players import push
from players import telling as wishes
from players.guests import bring_games, new_guest
from players.models import Player, PushSubscription
from tests.receiver import receiving
from tests.tables import move, player, running

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


KEY = push.new_private_key()


class Browser:
    """One that has subscribed, and can read what is pushed to it."""

    def __init__(self, receiver, path="/push/1"):
        self.key, self.secret = ec.generate_private_key(ec.SECP256R1()), os.urandom(16)
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.fields = {"endpoint": receiver.url + path, "p256dh": push.spelt(point), "auth": push.spelt(self.secret)}

    def reads(self, body: bytes) -> dict:
        return json.loads(http_ece.decrypt(body, private_key=self.key, auth_secret=self.secret, version="aes128gcm"))


@pytest.fixture
def receiver(settings):
    settings.NOTICE_DELAY_SECONDS, settings.VAPID_PRIVATE_KEY = 0, KEY
    with time_machine.travel(NOON, tick=False), receiving(settings) as found:
        found.status = 201
        yield found


@pytest.fixture
def browser(receiver):
    """Anna's."""
    found = Browser(receiver)
    push.subscribe(player("anna"), **found.fields)
    return found


def test_what_is_pushed_is_table_and_deadline_only(browser, receiver):
    game = running("anna", "ben", pace="days", clock="days-8")
    assert pushes.send_due() == 1
    ((path, headers, body),) = receiver.got
    notice = Notice.objects.get(channel="push", kind="turn")
    told = browser.reads(body)
    assert told == {
        "table": "Gambit of Kings with ben",
        "path": game.get_absolute_url(),
        "deadline": telling.deadline_in_words(notice),
    }
    assert told["deadline"] and path == "/push/1" and headers["content-encoding"] == "aes128gcm"
    assert headers["authorization"].startswith("vapid t=") and push.public_key() in headers["authorization"]
    assert pushes.send_due() == 0 and len(receiver.got) == 1


def test_whoever_looks_or_has_answered_gets_no_push(browser, receiver):
    game = running("anna", "ben")
    game.seats.filter(number=0).update(seen_at=NOON)
    assert pushes.send_due() == 0
    move(game, 0, "a2", "a3")
    Notice.objects.update(due_at=NOON)
    game.seats.update(seen_at=None)
    assert pushes.send_due() == 0 and receiver.got == []


def test_mail_and_push_have_switches_of_their_own(browser, receiver):
    anna = player("anna")
    wishes.switch(anna, "push", "turn", on=False)
    anna.save()
    running("anna", "ben")
    assert pushes.send_due() == 0
    assert Notice.objects.filter(channel="mail", settled_at=None).count() == 1


def test_nobody_without_a_device_has_a_row_for_it():
    running("anna", "ben")
    assert not Notice.objects.filter(channel="push").exists()


@pytest.mark.parametrize("status", [404, 410])
def test_a_subscription_that_is_gone_is_dropped(browser, receiver, status):
    running("anna", "ben")
    receiver.status = status
    assert pushes.send_due() == 0
    assert not PushSubscription.objects.exists() and not player("anna").has_push
    assert Notice.objects.get(channel="push").refused == f"answer {status}"


def test_a_service_in_trouble_is_tried_again_later_and_the_player_sees_why(browser, receiver, client):
    running("anna", "ben")
    receiver.status, receiver.headers = 503, {"Retry-After": "300"}
    assert pushes.send_due() == 0
    notice = Notice.objects.get(channel="push")
    assert (notice.settled_at, notice.tries, notice.due_at) == (None, 1, NOON + timedelta(minutes=5))
    client.force_login(player("anna"))
    assert "answer 503" in client.get(reverse("account")).content.decode()
    receiver.status = 201
    Notice.objects.update(due_at=NOON)
    assert pushes.send_due() == 1 and PushSubscription.objects.get().trouble == ""


def test_tries_end(browser, receiver):
    running("anna", "ben")
    Notice.objects.update(tries=pushes.MOST_TRIES)
    receiver.status = 503
    pushes.send_due()
    assert Notice.objects.get(channel="push").refused == "answer 503"


def test_an_inside_address_is_pushed_nothing(browser, receiver, settings):
    running("anna", "ben")
    settings.OUTGOING_ALLOWED = set()
    assert pushes.send_due() == 0 and receiver.got == []


# ---- subscribing


def test_a_player_subscribes_and_removes_a_device(client, receiver):
    client.force_login(player("anna"))
    page = client.get(reverse("account")).content.decode()
    assert push.public_key() in page and "Add to Home Screen" in page
    assert client.post(reverse("push_here"), Browser(receiver).fields).status_code == 204
    assert player("anna").has_push
    made = PushSubscription.objects.get()
    client.force_login(player("ben"))
    assert client.post(reverse("remove_push", args=[made.pk])).status_code == 404
    client.force_login(player("anna"))
    assert client.post(reverse("remove_push", args=[made.pk])).status_code == 302
    assert not Player.objects.get(username="anna").has_push


def test_a_guest_may_subscribe(client, receiver):
    client.force_login(guest := new_guest("Zoe"))
    assert client.post(reverse("push_here"), Browser(receiver).fields).status_code == 204
    assert push.subscriptions(guest).count() == 1


def test_a_guests_devices_become_the_accounts(receiver):
    guest = new_guest("Zoe")
    push.subscribe(guest, **Browser(receiver).fields)
    bring_games(Player.objects.get(pk=guest.pk), player("anna"))
    assert player("anna").has_push and not Player.objects.get(pk=guest.pk).has_push


def test_a_browser_is_one_players_at_a_time(browser, receiver):
    push.subscribe(player("ben"), **browser.fields)
    assert not Player.objects.get(username="anna").has_push and Player.objects.get(username="ben").has_push


@pytest.mark.parametrize(
    "bad",
    [
        {"endpoint": "https://10.0.0.1/x"},
        {"endpoint": "http://example.org/x"},
        {"endpoint": "https://e.org/" + "x" * 1000},
        {"p256dh": "x"},
        {"p256dh": base64.urlsafe_b64encode(b"\x04" + b"x" * 64).decode()},
        {"p256dh": "ä"},
        {"auth": "eA"},
        {"auth": ""},
    ],
)
def test_what_no_browser_would_say_is_refused(client, receiver, bad):
    client.force_login(player("anna"))
    answer = client.post(reverse("push_here"), {**Browser(receiver).fields, **bad})
    assert answer.status_code == 422 and not PushSubscription.objects.exists()


def test_a_player_has_only_so_many_devices(receiver):
    for number in range(push.MOST):
        push.subscribe(player("anna"), **Browser(receiver, f"/{number}").fields)
    with pytest.raises(push.ValidationError):
        push.subscribe(player("anna"), **Browser(receiver, "/more").fields)


# ---- keys and worker


def test_a_command_makes_the_keys_once(tmp_path, settings, capsys):
    settings.VAPID_FILE = tmp_path / "vapid_key"
    call_command("make_push_keys")
    settings.VAPID_PRIVATE_KEY = settings.VAPID_FILE.read_text()
    assert len(base64.urlsafe_b64decode(push.public_key() + "=")) == 65
    assert settings.VAPID_FILE.stat().st_mode & 0o777 == 0o600
    with pytest.raises(CommandError):
        call_command("make_push_keys")
    call_command("make_push_keys", "--print")
    assert "VAPID_PRIVATE_KEY=" in capsys.readouterr().out


def test_without_keys_nothing_is_offered_or_pushed(client, settings):
    settings.VAPID_PRIVATE_KEY = ""
    client.force_login(player("anna"))
    assert "push-switch" not in client.get(reverse("account")).content.decode()
    assert pushes.send_due() == 0


def test_the_worker_has_an_address_that_stays(client):
    answer = client.get("/push-worker.js")
    assert answer.headers["Content-Type"].startswith("text/javascript") and b"showNotification" in answer.content
    policy = answer.headers["Content-Security-Policy"]
    assert "worker-src 'self'" in policy and "manifest-src 'self'" in policy


def test_every_kind_can_be_pushed(browser, receiver):
    game = running("anna", "ben")
    for kind in notices.KINDS:
        notices.tell_player(game, player("anna"), 0, kind, f"{kind} x")
    for notice in Notice.objects.filter(channel="push"):
        assert set(pushes.payload(notice)) == {"table", "path", "deadline"}
