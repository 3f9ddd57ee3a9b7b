"""/healthz, /readyz and /metrics: what they say, when, and to whom."""

from __future__ import annotations

import asyncio
import logging
import re
import threading
import time

import pytest
from channels.layers import get_channel_layer
from django.db import OperationalError, connection
from django.test import AsyncClient, Client

from games import notices, waiting
from games.models import Game, Notice, Seat
from kadab import metrics, timing, watch
from tests import tables

ELSEWHERE = {"REMOTE_ADDR": "192.0.2.7"}


@pytest.fixture(autouse=True)
def _unknown(monkeypatch):
    """Each test finds out anew whether the migrations are applied."""
    monkeypatch.setattr(watch, "_is_migrated", False)


def number(name: str) -> float:
    found = re.search(rf"(?m)^{re.escape(name)} (\S+)$", metrics.text().decode())
    assert found, f"{name} is no metric"
    return float(found[1])


# ---- does the process live?


def test_health_asks_no_database(client):
    """pytest-django refuses every query of a test without a mark, so a query would be an error here."""
    answer = client.get("/healthz")
    assert (answer.status_code, answer.content) == (200, b"ok\n")
    assert "no-store" in answer["Cache-Control"] and not answer.cookies
    assert client.post("/healthz").status_code == 405


# ---- can it serve?


@pytest.mark.django_db(transaction=True)
def test_it_is_ready_when_everything_answers(client):
    for _ in range(2):  # the second time without looking at the migrations
        answer = client.get("/readyz")
        assert answer.status_code == 200, answer.content
        assert answer.json() == {"database": "ok", "migrations": "ok", "channels": "ok"}


@pytest.mark.django_db(transaction=True)
def test_it_is_not_ready_before_its_migrations(client, monkeypatch, caplog):
    monkeypatch.setattr("django.db.migrations.executor.MigrationExecutor.migration_plan", lambda *_: ["one"])
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json() == {"database": "ok", "migrations": "not applied", "channels": "ok"}
    assert not caplog.messages, "a load balancer asks every second"


@pytest.mark.django_db(transaction=True)
def test_it_is_not_ready_without_its_database(client, monkeypatch):
    monkeypatch.setattr(watch, "_is_migrated", True)
    before = number('kadab_database_errors_total{kind="away"}')

    def away() -> None:
        raise OperationalError("connection refused")

    monkeypatch.setattr(watch, "ask_database", away)
    answer = client.get("/readyz")
    assert answer.status_code == 503 and answer.json()["database"] == "no answer"
    assert b"refused" not in answer.content
    assert number('kadab_database_errors_total{kind="away"}') == before + 1


@pytest.mark.django_db(transaction=True)
async def test_a_database_that_hangs_is_asked_once_and_waited_for_a_second(monkeypatch):
    monkeypatch.setattr(watch, "_is_migrated", True)
    monkeypatch.setattr(watch, "PATIENCE_SECONDS", 0.3)
    goes_on, asked = threading.Event(), []
    monkeypatch.setattr(watch, "ask_database", lambda: asked.append(1) or goes_on.wait(20))
    begun = time.monotonic()
    for _ in range(3):
        answer = await AsyncClient().get("/readyz")
        assert answer.status_code == 503 and answer.json()["channels"] == "ok"
    assert time.monotonic() - begun < 10 and len(asked) == 1
    goes_on.set()
    for _ in range(100):
        if (await AsyncClient().get("/readyz")).status_code == 200:
            break
        time.sleep(0.05)
    else:
        pytest.fail("it does not come back")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("fault", ["raises", "hangs"])
def test_it_is_not_ready_without_its_channel_layer(client, monkeypatch, fault):
    monkeypatch.setattr(watch, "PATIENCE_SECONDS", 0.3)

    async def receive(self, name):
        if fault == "raises":
            raise ConnectionError("no Redis at redis://user:password@host")
        await asyncio.sleep(20)

    monkeypatch.setattr(type(get_channel_layer()), "receive", receive)
    monkeypatch.setattr(watch, "_is_migrated", True)
    answer = client.get("/readyz")
    assert answer.status_code == 503 and answer.json()["channels"] == "no answer"
    assert b"password" not in answer.content


# ---- who may read the metrics


@pytest.mark.django_db(transaction=True)
def test_metrics_are_for_this_machine_and_for_the_token(settings):
    settings.METRICS_TOKEN = "a token of the operator"
    right, wrong = "Bearer a token of the operator", "Bearer a token"
    here, elsewhere = Client(), Client(**ELSEWHERE)
    assert here.get("/metrics").status_code == 200
    assert Client(REMOTE_ADDR="::1").get("/metrics").status_code == 200
    assert elsewhere.get("/metrics", headers={"Authorization": right}).status_code == 200
    for asked in (
        elsewhere.get("/metrics"),
        elsewhere.get("/metrics", headers={"Authorization": wrong}),
        elsewhere.get("/metrics", headers={"Authorization": "Basic a token of the operator"}),
        elsewhere.get("/metrics", headers={"X-Forwarded-For": "127.0.0.1"}),
        here.get("/metrics", headers={"X-Forwarded-For": "192.0.2.7"}),  # nginx on this machine, for somebody else
        here.get("/metrics", headers={"X-Real-IP": "192.0.2.7"}),
        Client(REMOTE_ADDR="").get("/metrics"),
    ):
        assert asked.status_code == 404 and b"kadab_" not in asked.content


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("token", ["", "Bearer ", "Bearer"])
def test_no_token_is_no_key(settings, token):
    settings.METRICS_TOKEN = ""
    assert Client(**ELSEWHERE).get("/metrics", headers={"Authorization": token}).status_code == 404


@pytest.mark.django_db(transaction=True)
def test_metrics_come_even_if_the_database_does_not(client, monkeypatch):
    def away() -> None:
        raise OperationalError("server closed the connection")

    monkeypatch.setattr(waiting, "measure", away)
    answer = client.get("/metrics")
    assert answer.status_code == 200 and b"\nkadab_database_up 0.0\n" in answer.content


# ---- what is counted


@pytest.mark.django_db(transaction=True)
def test_labels_name_no_table_no_seat_and_no_person(client):
    game = tables.running("ann", "bob")
    tables.player("ann")
    text = client.get("/metrics").text
    labels = set(re.findall(r"(\w+)=\"", text))
    assert labels <= {"door", "outcome", "layer", "le", "kind", "level"}
    for secret in (game.public_id, "ann", "bob", game.group):
        assert not re.search(rf"\b{re.escape(secret)}\b", text), secret


@pytest.mark.django_db(transaction=True)
def test_only_open_questions_and_their_notices_are_counted(client):
    """While a sealed window is open, a number that changed would tell how many are asked in it."""
    game = tables.running("ann", "bob")
    Notice.objects.all().delete()
    Seat.objects.filter(game=game).update(is_asked=True, asked_openly=False)
    for seat in game.seats.all():
        notices.write(game, [seat])

    def told() -> tuple[float, float, float]:
        client.get("/metrics")
        return number("kadab_running_games"), number("kadab_open_questions"), number("kadab_notices_due")

    assert Notice.objects.count() == 2 and told() == (1, 0, 0)
    Seat.objects.filter(game=game, number=1).update(asked_openly=True)
    assert told() == (1, 1, 1)
    Game.objects.filter(pk=game.pk).update(status=Game.Status.FINISHED)
    assert told()[:2] == (0, 0)


@pytest.mark.django_db(transaction=True)
def test_errors_of_the_database_are_counted_by_kind():
    before = number('kadab_database_errors_total{kind="other"}')
    fault = {"sqlite": "SELECT * FROM no_such_table", "postgresql": "SELECT pg_cancel_backend(pg_backend_pid())"}
    with pytest.raises(OperationalError), connection.cursor() as cursor:
        cursor.execute(fault[connection.vendor])
    assert number('kadab_database_errors_total{kind="other"}') == before + 1


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("database is locked", "locked"),
        ("database or disk is full", "full"),
        ("attempt to write a readonly database", "read_only"),
        ("connection to server at 127.0.0.1 failed: Connection refused", "away"),
        ("the connection is closed", "away"),
        ("FATAL: terminating connection due to administrator command", "away"),
        ("couldn't get a connection after 30.00 sec", "away"),
        ("syntax error", "other"),
    ],
)
def test_an_error_of_the_database_has_a_kind_and_is_counted_once(words, kind):
    error, name = OperationalError(words), f'kadab_database_errors_total{{kind="{kind}"}}'
    before = number(name)
    metrics.database_failed(error)
    metrics.database_failed(error)
    assert number(name) == before + 1


def test_everything_is_counted():
    before = {name: number(name) for name in ("kadab_sockets_open", "kadab_frames_sent_total")}
    metrics.socket_opened()
    metrics.frame_sent(4300)
    metrics.bot_thought(0.2)
    metrics.bot_failed()
    metrics.mailed("sent")
    assert number("kadab_sockets_open") == before["kadab_sockets_open"] + 1
    metrics.socket_closed()
    assert number("kadab_sockets_open") == before["kadab_sockets_open"]
    assert number("kadab_frames_sent_total") == before["kadab_frames_sent_total"] + 1
    assert number("kadab_bot_thinking_seconds_count") >= 1


# ---- where the time goes


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch):
    found = Clock()
    monkeypatch.setattr(timing, "clock", found)
    return found


def test_each_layer_counts_its_own_time(clock):
    timed = timing.Timed("socket")
    clock.now += 0.010
    with timed:
        clock.now += 0.001
        with timing.layer("rules"):
            clock.now += 0.002
        with timing.layer("saving"):
            clock.now += 0.003
            with timing.layer("rules"):
                clock.now += 0.004
        with timing.layer("saving"):
            clock.now += 0.005
    with timed, timing.layer("sending"):
        clock.now += 0.006
    timed.end()
    told = {name: round(seconds * 1000) for name, seconds in timed.spent.items()}
    assert told == {"waiting": 10, "rules": 6, "saving": 8, "sending": 6, "rest": 1}


def test_a_slow_action_names_the_slow_layer(clock, caplog):
    timed = timing.Timed("post")
    with timed, timing.layer("saving"):
        clock.now += 0.9
    with caplog.at_level(logging.WARNING):
        timed.end("refused")
        timed.end("refused")
    (told,) = caplog.messages
    assert told == "slow action by post, refused: 900 ms, mostly saving (waiting 0, saving 900, rest 0)"


def test_a_quick_action_is_not_told_and_a_layer_alone_counts_nothing(clock, caplog):
    before = number('kadab_actions_total{door="api",outcome="done"}')
    with timing.layer("rules"):
        clock.now += 5
    timed = timing.Timed("api")
    with timed, timing.layer("rules"):
        clock.now += 0.1
    timed.end()
    assert not caplog.messages
    assert number('kadab_actions_total{door="api",outcome="done"}') == before + 1


def test_a_layer_that_fails_is_closed(clock):
    timed = timing.Timed("bot")
    with pytest.raises(RuntimeError), timed, timing.layer("rules"):
        clock.now += 0.02
        raise RuntimeError
    assert not timed.inside and not timed.tokens and round(timed.spent["rules"], 3) == 0.02
