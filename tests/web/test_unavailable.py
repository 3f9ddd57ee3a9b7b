"""A database that is away, locked, full or read-only: every door says 503 and when to try again; nothing is lost."""

from __future__ import annotations

import asyncio
import json
import logging
import sqlite3

import pytest
from django.db import InterfaceError, OperationalError, ProgrammingError, connection, transaction
from django.test import AsyncClient, Client

from games import play, worker
from games.models import Action, Game
from kadab import unavailable
from players import tokens
from players.sessions import SessionStore
from tests import tables
from tests.web.test_socket_door import answer, move
from tests.web.test_table_consumer import _no_sockets, at, closed_with, opened, running_a, session_a, socket

__all__ = ["_no_sockets"]

pytestmark = pytest.mark.django_db(transaction=True)

AWAY = "connection failed: Connection refused"


@pytest.fixture(autouse=True)
def _all_is_well():
    unavailable._faults.clear()
    yield
    unavailable._faults.clear()


class Fault:
    """What the database says to every statement that has these words in it."""

    def __init__(self, *words: str, says: str = AWAY) -> None:
        self.words, self.says = words, says
        self.is_on = True

    def __call__(self, execute, sql, params, many, context):
        if self.is_on and all(word in sql for word in self.words):
            raise OperationalError(self.says)
        return execute(sql, params, many, context)


@pytest.fixture
def fails(monkeypatch):
    """fails("INSERT INTO") lets such statements fail, on every connection, until .is_on is False."""

    def fail(*words: str, **more: str) -> Fault:
        fault = Fault(*words, **more)
        init = "django.db.backends.base.base.BaseDatabaseWrapper.execute_wrappers"
        monkeypatch.setattr(init, property(lambda self: [fault], lambda self, value: None), raising=False)
        return fault

    return fail


def unraised() -> Client:
    return Client(raise_request_exception=False)


def signed_in(name: str, **more) -> Client:
    client = Client(raise_request_exception=False, **more)
    client.force_login(tables.player(name))
    return client


# ---- pages, htmx, JSON


def test_a_page_says_try_again(fails, caplog):
    client = signed_in("ann")
    fails()
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            found = client.get("/?show=mine")
            assert found.status_code == 503 and found["Retry-After"] == "2"
            assert "Back in a moment" in found.text and 'href="/?show=mine"' in found.text
            assert "refused" not in found.text and "Content-Security-Policy" in found
    (line,) = [each for each in caplog.records if each.name.startswith(("kadab", "django"))]
    assert line.levelname == "ERROR" and not line.exc_info
    assert line.getMessage() == f"the database fails (away), requests get 503 until it answers: {AWAY}"


async def test_a_page_asked_for_as_daphne_asks_says_so_too(fails):
    client = AsyncClient(raise_request_exception=False)
    await client.aforce_login(await asyncio.to_thread(tables.player, "ann"))
    fails()
    found = await client.get("/")
    assert found.status_code == 503 and "Back in a moment" in found.text


def test_htmx_gets_a_toast_and_a_move_none(fails):
    game = tables.running("ann", "bob")
    client = signed_in("ann", headers={"HX-Request": "true"})
    fails()
    said = client.post(f"/tables/{game.public_id}/chat/", {"text": "Hello"})
    assert said.status_code == 503 and said["HX-Reswap"] == "none" and not said.content
    assert json.loads(said["HX-Trigger"]) == {"toast": {"value": unavailable.SENTENCE}}
    moved = client.post(f"/tables/{game.public_id}/act/", {"action": "{}"})
    assert moved.status_code == 503 and moved["Retry-After"] == "2" and "HX-Trigger" not in moved


def test_the_api_answers_in_json(fails):
    secret = tokens.make(tables.player("ann"), "test")[1]
    fails()
    for path in ("tables", "tables/abc/actions"):
        found = unraised().get(f"/api/v1/{path}", headers={"Authorization": f"Bearer {secret}"})
        if found.status_code == 405:
            continue
        assert found.status_code == 503 and found["Retry-After"] == "2"
        assert found.json() == {"code": "unavailable", "sentence": unavailable.SENTENCE, "rule": ""}


def test_a_session_that_cannot_be_saved_is_no_500(monkeypatch):
    """It is saved in middleware, after the view, where no other middleware could catch the fault."""
    tables.player("ann")
    saved = SessionStore.save

    def save(self, must_create: bool = False) -> None:
        if not must_create:  # which is what middleware asks for
            raise OperationalError("database or disk is full")
        saved(self, must_create)

    monkeypatch.setattr(SessionStore, "save", save)
    client = unraised()
    found = client.post("/account/login/", {"login": "ann", "password": "a good long password"})
    assert found.status_code == 503 and "Back in a moment" in found.text


def test_health_stays_and_readiness_goes(fails, monkeypatch):
    fails()
    assert unraised().get("/healthz").status_code == 200
    assert unraised().get("/readyz").status_code == 503


@pytest.mark.parametrize(
    ("error", "is_one"),
    [
        (OperationalError("database is locked"), True),
        (OperationalError("database or disk is full"), True),
        (OperationalError("attempt to write a readonly database"), True),
        (OperationalError("unable to open database file"), True),
        (OperationalError("disk I/O error"), True),
        (OperationalError("couldn't get a connection after 1.50 sec"), True),
        (OperationalError("server closed the connection unexpectedly"), True),
        (InterfaceError("connection already closed"), True),
        (OperationalError("no such table: games_game"), False),
        (OperationalError('near "x": syntax error'), False),
        (ProgrammingError("connection"), False),
        (ConnectionError("closed"), False),
        (None, False),
    ],
)
def test_our_own_mistakes_stay_500(error, is_one):
    assert unavailable.is_fault(error) is is_one


def test_a_mistake_of_ours_has_its_traceback(fails):
    client = signed_in("ann")
    fails(says="no such table: games_game")
    found = client.get("/")
    assert found.status_code == 500 and "Retry-After" not in found


# ---- an action is made once, whenever it fails


@pytest.mark.parametrize("words", [(), ("INSERT INTO", "games_action"), ("UPDATE", "games_game"), ("UPDATE", "seat")])
def test_nothing_is_half_done_and_the_same_token_is_taken_afterwards(fails, words):
    game = tables.running("ann", "bob")
    client = signed_in("ann", headers={"HX-Request": "true"})
    sent = {"action": json.dumps({"do": "move", "source": "e2", "target": "e4"}), "revision": "0", "token": "t" * 20}
    fault = fails(*words)
    assert client.post(f"/tables/{game.public_id}/act/", sent).status_code == 503
    fault.is_on = False
    game.refresh_from_db()
    assert game.revision == 0 and not Action.objects.filter(game=game, number__gt=0).exists()
    for _ in range(2):
        assert client.post(f"/tables/{game.public_id}/act/", sent).status_code == 200
    assert [row.token for row in Action.objects.filter(game=game, number__gt=0)] == ["t" * 20]


# ---- sockets


async def test_a_socket_answers_503_and_stays(fails):
    game = await running_a("ann", "ben")
    ann = await opened(game, "ann", at(0))
    fault = fails("INSERT INTO")
    status, text = await answer(ann, move("e2", "e4"))
    assert status == "503" and 'data-token="a token of a page"' in text and "refused" not in text
    fault.is_on = False
    assert (await answer(ann, move("e2", "e4")))[0] == "200"
    await ann.disconnect()


async def test_a_socket_that_cannot_be_opened_is_told_to_try_later(fails):
    game = await running_a("ann", "ben")
    session = await session_a("ann")
    fails()
    connection = socket(game, session, at(0))
    await connection.send_input({"type": "websocket.connect"})
    assert await closed_with(connection) == unavailable.TRY_AGAIN_LATER


# ---- the writing thread


@pytest.fixture
def writing(settings):
    settings.WRITING_THREAD = True
    worker.close()
    yield
    worker.close()


async def test_the_writing_thread_gets_over_a_broken_connection(writing):
    """It keeps its connection for ever, so a broken one would fail every action from then on."""

    def count() -> int:
        return Game.objects.count()

    def break_it() -> None:
        raw = connection.connection
        raw.close() if connection.vendor == "sqlite" else raw.pgconn.finish()

    assert await worker.run(count) == 0
    await worker.run(break_it)
    if connection.vendor == "sqlite":
        with pytest.raises(Exception, match="closed"):
            await worker.run(count)
    assert await worker.run(count) == 0


async def test_the_writing_thread_gets_over_a_fault_in_the_middle_of_a_transaction(writing, fails):
    game = await running_a("ann", "ben")

    def act() -> play.Outcome:
        data = {"do": "move", "source": "e2", "target": "e4"}
        return play.act(game, 0, data, revision=0, token="a token of ann")

    fault = fails("INSERT INTO", says="disk I/O error")
    with pytest.raises(OperationalError):
        await worker.run(act)
    fault.is_on = False
    assert (await worker.run(act)).revision == 1


async def test_the_writing_thread_opens_the_database_anew_after_a_fault(writing):
    """Django takes a connection for sound after a rollback. SQLite keeps a file as it was when it was opened: one that
    had been read-only refused every action from then on."""

    def fail() -> object:
        Game.objects.count()
        try:
            with transaction.atomic():
                raise OperationalError("attempt to write a readonly database")
        except OperationalError as error:  # as Django's handler does, which then returns an answer
            assert unavailable.noted(error) and not connection.errors_occurred
        return connection.connection

    def connection_now() -> object:
        Game.objects.count()
        return connection.connection

    before = await worker.run(fail)
    after = await worker.run(connection_now)
    assert after is not before and await worker.run(connection_now) is after


def test_the_operator_hears_when_it_is_over(caplog, monkeypatch):
    with caplog.at_level(logging.WARNING):
        unavailable.note_success()
        assert unavailable.noted(OperationalError(AWAY)) and unavailable.noted(OperationalError(AWAY))
        unavailable.note_success()  # too soon to tell
        monkeypatch.setattr(unavailable, "QUIET_SECONDS", 0.0)
        unavailable.note_success()
        unavailable.note_success()
    assert [each.levelname for each in caplog.records] == ["ERROR", "WARNING"]
    assert caplog.messages[1] == "the database answers again: it failed for 0.0 s, 2 times"


# ---- SQLite itself


@pytest.mark.skipif(connection.vendor != "sqlite", reason="SQLite's own faults")
@pytest.mark.parametrize("fault", ["locked", "full", "read_only"])
def test_sqlite_itself_locked_full_or_read_only(monkeypatch, fault):
    game = tables.running("ann", "bob")
    client = signed_in("ann", headers={"HX-Request": "true"})
    sent = {"action": json.dumps({"do": "move", "source": "e2", "target": "e4"}), "revision": "0", "token": "t" * 20}
    other = None
    with connection.cursor() as cursor:
        if fault == "full":
            cursor.execute("VACUUM")  # pages that earlier tests have freed would take a long chat
            cursor.execute("PRAGMA page_count")
            cursor.execute(f"PRAGMA max_page_count = {cursor.fetchone()[0]}")
        elif fault == "read_only":
            cursor.execute("PRAGMA query_only = 1")
        else:
            cursor.execute("PRAGMA busy_timeout = 100")
            other = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
            other.execute("BEGIN IMMEDIATE")
    statuses = [client.post(f"/tables/{game.public_id}/act/", sent).status_code]
    if fault == "full":  # until its last pages are used up
        monkeypatch.setattr("games.chat.MOST_AT_ONCE", 1000)
        while statuses[-1] != 503 and len(statuses) < 100:
            statuses.append(client.post(f"/tables/{game.public_id}/chat/", {"text": "x" * 500}).status_code)
    if other:
        other.close()
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA query_only = 0")
        cursor.execute("PRAGMA max_page_count = 1000000")
    assert statuses[-1] == 503 and set(statuses) <= {200, 503}
    assert client.post(f"/tables/{game.public_id}/act/", sent).status_code == 200
