"""A table's webhook: signed calls to a real server, what a spectator may know, and no way to an inside address."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import json
import socket
import threading
import time
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.urls import reverse

from games import begun, caretaker, notices, webhooks
from games.engine.core.refusals import IllegalAction
from games.models import Call, Game, Webhook
from kadab import outgoing
from players.guests import new_guest
from tests.receiver import receiving
from tests.server import until
from tests.tables import do, move, player, running

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.fixture
def receiver(settings):
    settings.NOTICE_DELAY_SECONDS = 0
    with receiving(settings) as found:
        yield found


@pytest.fixture
def wall():
    with time_machine.travel(NOON, tick=False) as clock:
        yield clock


def hooked(receiver, **values) -> tuple[Game, Webhook]:
    game = running("anna", "ben", **values)
    hook = webhooks.put(game, player("anna"), f"{receiver.url}/hook?x=1")
    game.refresh_from_db()
    return game, hook


def said(receiver) -> list[str]:
    """What has been told since the last look."""
    webhooks.send_due()
    found = [json.loads(body)["content"] for _, _, body in receiver.got]
    receiver.got.clear()
    return found


# ---- what is told


def test_a_channel_is_told_whose_turn_it_is_in_a_signed_call(receiver):
    game, hook = hooked(receiver)
    move(game, 0, "a2", "a3")
    assert webhooks.send_due() == 1
    ((path, headers, body),) = receiver.got
    signed = headers["x-kadab-timestamp"].encode() + b"." + body
    assert (
        headers["x-kadab-signature"] == f"sha256={hmac.new(hook.secret.encode(), signed, hashlib.sha256).hexdigest()}"
    )
    data = json.loads(body)
    assert path == "/hook?x=1" and headers["content-type"] == "application/json"
    assert data["allowed_mentions"] == {"parse": []} and data["username"] == "Kadab"
    assert "Gambit of Kings with anna, ben" in data["content"] and "ben is to move" in data["content"]
    assert game.get_absolute_url() in data["content"]
    assert webhooks.send_due() == 0


def test_each_question_is_told_once_and_none_that_was_answered(receiver):
    game, _ = hooked(receiver)
    move(game, 0, "a2", "a3")
    move(game, 1, "a9", "b8")
    (now,) = said(receiver)
    assert "anna is to move" in now and said(receiver) == []


def test_the_end_a_pause_asked_for_and_who_comes_and_goes_are_told(receiver):
    game, _ = hooked(receiver, pace="days", clock="days-8")
    begun.ask_pause(game, player("ben"), 24)
    assert ["ben asks for a pause of a day." in each for each in said(receiver)] == [True]
    do(game, 0, "resign")
    (last,) = [each for each in said(receiver) if "over" in each]
    assert "ben won" in last


def test_of_a_sealed_window_it_is_told_once_that_an_answer_is_awaited(receiver):
    """Neither who is asked nor how many have answered shows: the calls are the same whoever it is."""
    told = []
    for asked in ((0,), (0, 1), (1,)):
        game, _ = hooked(receiver)
        game.window_since, game.revision = NOON, 7
        game.save()
        for _ in range(3):
            seats = list(game.seats.select_related("player"))
            for seat in seats:
                seat.is_asked, seat.asked_openly = seat.number in asked, False
            notices.write(game, seats)
        told.append([each.replace(game.public_id, "ID") for each in said(receiver)])
        Game.objects.filter(pk=game.pk).delete()
    assert told[0] == told[1] == told[2] and len(told[0]) == 1
    assert "an answer is awaited" in told[0][0] and "Waiting" not in told[0][0]


def test_a_table_without_a_webhook_writes_no_calls(django_assert_num_queries):
    game = running("anna", "ben")
    move(game, 0, "a2", "a3")
    assert not Call.objects.exists()


def test_names_are_no_markup(receiver):
    assert webhooks.plain("*@everyone* [x](y)") == r"\*\@everyone\* \[x\]\(y\)"


@pytest.mark.django_db(transaction=True)
def test_the_caretaker_calls_from_a_thread_of_its_own(receiver):
    game, _ = hooked(receiver)
    move(game, 0, "a2", "a3")
    with caretaker.sending_mail():
        until(lambda: receiver.got and Call.objects.filter(sent=True).exists())
    until(lambda: not {"mail", "calls"} & {each.name for each in threading.enumerate()})


# ---- trouble


def test_a_server_in_trouble_is_tried_again_ever_later_and_the_host_sees_why(receiver, wall, client):
    game, hook = hooked(receiver)
    move(game, 0, "a2", "a3")
    receiver.status = 503
    pauses = []
    for _ in range(webhooks.MOST_TRIES - 1):
        assert webhooks.send_due() == 0
        due = Call.objects.get().due_at
        pauses.append((due - datetime.now(UTC)) // timedelta(minutes=1))
        assert webhooks.send_due() == 0 and len(receiver.got) == len(pauses), "before its time"
        wall.move_to(due)
    assert pauses == [1, 2, 4, 8, 16, 32, 60]
    client.force_login(player("anna"))
    assert "answer 503" in client.get(reverse("webhook", args=[game.public_id])).content.decode()
    webhooks.send_due()
    assert Call.objects.get().refused == "answer 503" and Call.objects.get().settled_at


def test_a_server_may_say_when_to_come_again(receiver, wall):
    game, _ = hooked(receiver)
    move(game, 0, "a2", "a3")
    receiver.status, receiver.headers = 429, {"Retry-After": "600"}
    webhooks.send_due()
    assert Call.objects.get().due_at == NOON + timedelta(minutes=10)


@pytest.mark.parametrize("status", [404, 410, 401])
def test_an_address_that_is_gone_is_told_nothing_more(receiver, status):
    game, hook = hooked(receiver)
    move(game, 0, "a2", "a3")
    receiver.status = status
    webhooks.send_due()
    hook.refresh_from_db()
    assert hook.is_off and not Game.objects.get(pk=game.pk).has_webhook
    move(game, 1, "a9", "b8")
    assert Call.objects.count() == 1


def test_a_redirect_is_not_followed(receiver):
    game, _ = hooked(receiver)
    move(game, 0, "a2", "a3")
    receiver.status, receiver.headers = 302, {"Location": f"{receiver.url}/elsewhere"}
    webhooks.send_due()
    assert [path for path, *_ in receiver.got] == ["/hook?x=1"] and Call.objects.get().refused == "answer 302"


def test_a_server_that_answers_a_byte_at_a_time_is_hung_up_on(receiver):
    receiver.drips = True
    began = time.monotonic()
    with pytest.raises(OSError):
        outgoing.post(receiver.url, b"{}", {}, seconds=0.3)
    assert time.monotonic() - began < 2


# ---- no way inside


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "10.0.0.1", "192.168.1.1", "172.16.0.1", "169.254.169.254", "0.0.0.0", "100.64.0.1"),
        *("224.0.0.1", "255.255.255.255", "::1", "fe80::1", "fc00::1", "fec0::1", "::", "::ffff:127.0.0.1"),
        *("64:ff9b::7f00:1", "2002:7f00:1::", "ff02::1", "192.0.2.1", "2001:db8::1"),
    ],
)
def test_no_request_reaches_an_inside_address_by_whatever_name(address, monkeypatch, settings):
    settings.OUTGOING_ALLOWED = set()
    assert not outgoing.is_outside(ipaddress.ip_address(address))
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    public = (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("93.184.215.14", 443))
    inside = (family, socket.SOCK_STREAM, 6, "", (address, 443))
    monkeypatch.setattr(socket, "getaddrinfo", lambda *given, **named: [public, inside])
    monkeypatch.setattr(socket, "create_connection", lambda *given, **named: pytest.fail("connected"))
    for url in ("https://inside.example.org/", f"https://{f'[{address}]' if ':' in address else address}/"):
        with pytest.raises(outgoing.NotAllowed):
            outgoing.post(url, b"", {})


def test_the_connection_goes_to_the_address_that_was_checked(monkeypatch, settings):
    """A name that leads elsewhere when it is asked for a second time gains nothing."""
    answers = iter(["93.184.215.14", "127.0.0.1"])
    monkeypatch.setattr(
        socket, "getaddrinfo", lambda *given, **named: [(socket.AF_INET, 1, 6, "", (next(answers), 443))]
    )
    asked = []

    def connect(address, **named):
        asked.append(address)
        raise OSError("no network")

    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(OSError):
        outgoing.post("https://rebinds.example.org/", b"", {})
    assert asked == [("93.184.215.14", 443)]


@pytest.mark.parametrize(
    "url",
    [
        *("", "x", "http://example.org/", "ftp://example.org/", "https://", "https://127.0.0.1/", "https://[::1]/"),
        *("https://a:b@example.org/", "https://example.org:x/", "https://example.org/#x", "https://example.org/ä"),
        *("https://example.org/\r\nX: y", "https://" + "a" * 1100, "javascript:alert(1)", None, 7),
    ],
)
def test_what_is_no_outside_address_is_refused(url, client):
    game = running("anna", "ben")
    with pytest.raises(IllegalAction) as refused:
        webhooks.put(game, player("anna"), url)
    assert refused.value.code == "bad_webhook"
    client.force_login(player("anna"))
    sent = {} if url is None else {"url": url}
    assert client.post(reverse("webhook", args=[game.public_id]), sent).status_code == 422
    assert not Webhook.objects.exists()


# ---- the host's page


def test_the_host_sets_tries_and_removes_it(client, receiver):
    game = running("anna", "ben")
    page = reverse("webhook", args=[game.public_id])
    client.force_login(player("anna"))
    assert client.post(page, {"url": f"{receiver.url}/a"}).status_code == 302
    assert Webhook.objects.get().secret in client.get(page).content.decode()
    client.post(page, {"do": "test"})
    assert ["this webhook works" in each for each in said(receiver)] == [True]
    assert page in client.get(game.get_absolute_url()).content.decode()
    client.post(page, {"do": "remove"})
    assert not Webhook.objects.exists() and client.post(page, {"do": "test"}).status_code == 409


def test_nobody_but_the_host_sees_it_and_no_guest_sets_one(client, receiver):
    game, _ = hooked(receiver)
    page = reverse("webhook", args=[game.public_id])
    assert client.get(page).status_code == 403
    client.force_login(player("ben"))
    assert client.get(page).status_code == 403 and client.post(page, {"do": "remove"}).status_code == 403
    guest = new_guest("Zoe")
    Game.objects.filter(pk=game.pk).update(host=guest)
    client.force_login(guest)
    assert client.post(page, {"url": f"{receiver.url}/b"}).status_code == 403
    assert Webhook.objects.get().url.endswith("/hook?x=1")
