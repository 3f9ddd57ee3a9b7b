"""What the log says: one short line for what a stranger can cause, and never a key, a token or an address."""

from __future__ import annotations

import http.client
import io
import json
import logging
import re
import sys
import threading
from collections.abc import Callable
from types import SimpleNamespace

import pytest
from django.conf import settings
from django.core import mail
from django.test import Client
from django.utils.log import AdminEmailHandler

from kadab import logs
from kadab.logs import LONGEST_LINE, MOST_ALIKE, MOST_TRACEBACKS, SPAN_SECONDS, Floods, JsonLine, Line
from players import tokens
from tests import tables
from tests.server import Server, until

KEY = "s3cret-Key_of-24-letters"
TOKEN = "kadab_" + "t0ken-" * 7
SEED = "5eed" * 16


def line(message: str, *args: object, name: str = "daphne", **extra: object) -> str:
    record = logging.LogRecord(name, logging.WARNING, "", 1, message, args, extra.pop("exc_info", None))
    record.__dict__.update(extra)
    return Line("{levelname} {name}: {message}", style="{").format(record)


@pytest.mark.parametrize(
    "text",
    [
        f"Not Found: /return/{KEY}/",
        f"Forbidden (Permission denied): /return/{KEY}",
        f"Not Found: /retrun/{KEY}/x",
        f"Gone: /join/{KEY}/?from={KEY}",
        f"Bad Request: /account/password/reset/key/1-{KEY}/",
        f"Not Found: /account/confirm-email/MQ:1tXyz:{KEY}/",
        f"Forbidden (Referer checking failed - http://127.0.0.1:8000/return/{KEY}/ does not match): /",
        f"<WebRequest at 0x7f method=GET uri=/return/{KEY}/?a={KEY} clientproto=HTTP/1.1> took too long",
        f"Not Found: /?next=/return/{KEY}/",
        f"DETAIL:  Key (return_key)=({KEY}) already exists.",
        f"Authorization: Bearer {TOKEN}",
        f"refused: {TOKEN}",
        f"{{550 no such user <{KEY}@example.org>}}",
        f"smtp://me:{KEY}@mail.example.org:25",
        f"ValueError: KingsState(game='x', dice={KEY})",
        f"KeyError: b'{KEY}'",
        f'TypeError: not b"{KEY}\\x00"',
    ],
)
def test_no_key_and_no_token_is_written(text):
    assert KEY not in line(text) and TOKEN not in line(text)


def test_what_is_no_secret_is_still_there():
    told = line("Not Found: %s", "/tables/AbCdEfGhIjKl/act/")
    assert told == "WARNING daphne: Not Found: /tables/AbCdEfGhIjKl/act/"


def test_a_fault_of_our_own_keeps_its_traceback():
    try:
        raise RuntimeError(f"/return/{KEY}/")
    except RuntimeError:
        told = line("failed", exc_info=sys.exc_info())
    assert __file__ in told and "RuntimeError" in told and KEY not in told


def test_a_refusal_is_one_short_line():
    try:
        raise ValueError("x" * 5000)
    except ValueError:
        told = line(
            "Invalid\n\r host " + "y" * 5000, name="django.security.X", exc_info=sys.exc_info(), status_code=400
        )
    assert "\n" not in told and "\r" not in told and "Traceback" not in told and len(told) <= LONGEST_LINE + 1


def test_a_seed_in_hexadecimal_is_not_written():
    seed = "0123456789abcdef" * 4
    assert seed not in line("cannot read %s", seed) and "cannot read" in line("cannot read %s", seed)


# ---- JSON


def test_a_line_of_json_is_one_object():
    def told(*args: object, **extra: object) -> dict[str, str]:
        record = logging.LogRecord("games.play", logging.ERROR, "", 1, "a %s", args, extra.pop("exc_info", None))
        text = JsonLine().format(record)
        assert "\n" not in text
        return json.loads(text)

    plain = told(f'"word" of /return/{KEY}/\nand more')
    assert plain.keys() == {"time", "level", "logger", "message"}
    assert plain["level"] == "error" and plain["logger"] == "games.play"
    assert plain["message"] == 'a "word" of /return/…/\nand more'
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00", plain["time"])
    try:
        raise RuntimeError(f"/return/{KEY}/")
    except RuntimeError:
        failed = told("fault", exc_info=sys.exc_info())
    assert failed["message"] == "a fault" and "RuntimeError" in failed["traceback"] and KEY not in failed["traceback"]


# ---- floods


class Clock:
    """A clock that the test turns, so that a slow machine does not end a span in the middle of a flood."""

    def __init__(self) -> None:
        self.now = 100.0
        self.timers: list[tuple[float, Callable[[], None]]] = []

    def later(self, seconds: float, tell: Callable[[], None]) -> SimpleNamespace:
        return SimpleNamespace(start=lambda: self.timers.append((self.now + seconds, tell)))

    def turn(self, seconds: float) -> None:
        self.now += seconds
        due = [timer for timer in self.timers if timer[0] <= self.now]
        self.timers = [timer for timer in self.timers if timer not in due]
        for _, tell in due:
            tell()


@pytest.fixture
def clock(monkeypatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(logs, "time", SimpleNamespace(monotonic=lambda: clock.now))
    monkeypatch.setattr(logs, "threading", SimpleNamespace(Lock=threading.Lock, Timer=clock.later))
    return clock


@pytest.fixture
def flooded(clock):
    """A log, and what it wrote."""
    stream, logger = io.StringIO(), logging.getLogger("tests.flooded")
    handler = logging.StreamHandler(stream)
    handler.setFormatter(Line("{levelname} {message}", style="{"))
    handler.addFilter(Floods())
    logger.addHandler(handler)
    logger.propagate = False
    yield logger, lambda: stream.getvalue().splitlines()
    logger.removeHandler(handler)


def test_of_a_flood_a_few_lines_are_written_and_the_rest_is_counted(flooded, clock):
    logger, lines = flooded
    for number in range(2200):
        logger.warning("no Redis for %s: /return/%s/", number, KEY)
    logger.warning("something else")
    assert len(lines()) == MOST_ALIKE + 1 and lines()[-1] == "WARNING something else"
    clock.turn(SPAN_SECONDS - 1)
    assert len(lines()) == MOST_ALIKE + 1
    clock.turn(1)
    (told,) = lines()[MOST_ALIKE + 1 :]
    assert told.startswith(f"WARNING left out {2200 - MOST_ALIKE} records like this one: no Redis for 20")
    assert KEY not in told
    logger.warning("no Redis for %s", "the next span")
    assert lines()[-1].endswith("the next span")


def test_a_real_timer_tells_the_rest(monkeypatch):
    monkeypatch.setattr(logs, "SPAN_SECONDS", 0.2)
    floods, told = Floods(), []
    handler = logging.Handler()
    handler.emit = lambda record: told.append(record.getMessage())
    handler.addFilter(floods)
    logger = logging.getLogger("tests.flooded.later")
    logger.addHandler(handler)
    logger.propagate = False
    try:
        floods.later(logger.makeRecord(logger.name, logging.WARNING, "", 1, "again", (), None), [0.0, 25], MOST_ALIKE)
        until(lambda: told == ["left out 5 records like this one: again"], 10)
    finally:
        logger.removeHandler(handler)


def test_only_who_left_lines_out_hears_how_many(flooded, clock):
    """A handler without the filter got all of them."""
    logger, lines = flooded
    stream = io.StringIO()
    other = logging.StreamHandler(stream)
    logger.addHandler(other)
    for _ in range(30):
        logger.warning("again")
    clock.turn(SPAN_SECONDS)
    assert "left out 10 records" in lines()[-1]
    logger.removeHandler(other)
    assert stream.getvalue() == "again\n" * 30


def test_of_many_tracebacks_a_few_are_written_but_none_of_another_fault_is_missing(flooded):
    logger, lines = flooded
    for number in range(100):
        try:
            if number == 50:
                raise KeyError("rare")
            raise OSError("no Redis")
        except Exception:
            logger.exception("the doorbell could not be rung")
    written = "\n".join(lines())
    assert written.count("OSError: no Redis") == MOST_TRACEBACKS and written.count("KeyError: 'rare'") == 1
    assert len(lines()) < 100


def test_the_settings_use_it():
    console = settings.LOGGING["handlers"]["console"]
    assert console["filters"] == ["floods"] and settings.LOGGING["filters"]["floods"]["()"] == "kadab.logs.Floods"


# ---- reports of errors


def fail_with_secrets() -> None:
    """A fault deep in the gate: State and seeds are local variables there."""
    state = {"cup_seed": SEED, "rack": ["Old Dragon of the cup"]}
    seed = bytes.fromhex(SEED)
    raise RuntimeError("no such hex") if state and seed else None


@pytest.mark.django_db
def test_an_error_mail_holds_no_local_variables_cookies_or_forms(settings, monkeypatch):
    settings.ADMINS = [("", "operator@example.org")]
    monkeypatch.setattr("games.views.pages.render", lambda *_: fail_with_secrets())
    handler = AdminEmailHandler(include_html=True)
    logger = logging.getLogger("django.request")
    logger.addHandler(handler)
    try:
        visitor = Client(raise_request_exception=False)
        visitor.cookies["sessionid"] = KEY
        answer = visitor.get("/credits/", {"key": KEY}, headers={"Authorization": f"Bearer {TOKEN}"})
    finally:
        logger.removeHandler(handler)
    assert answer.status_code == 500
    (letter,) = mail.outbox
    told = letter.body + "".join(str(part) for part, _ in letter.alternatives) + letter.subject
    assert "RuntimeError: no such hex" in told and "fail_with_secrets" in told and "GET /credits/" in told
    for secret in (SEED, "Old Dragon of the cup", KEY, TOKEN, settings.SECRET_KEY, "DATABASES"):
        assert secret not in told
    assert SEED not in answer.text and "RuntimeError" not in answer.text


def test_a_log_line_of_a_fault_holds_no_local_variables():
    try:
        fail_with_secrets()
    except RuntimeError:
        told = line("failed", exc_info=sys.exc_info())
    assert "no such hex" in told and SEED not in told


def test_mail_handlers_do_not_flood():
    floods = Floods(most=1)
    record = logging.LogRecord("x", logging.ERROR, __file__, 1, "a fault", (), None)
    assert [floods.filter(record) for _ in range(3)] == [True, False, False]


# ---- through Django


@pytest.fixture
def log():
    """What would stand on the console: a handler with the formatter of settings.LOGGING."""
    stream, root = io.StringIO(), logging.getLogger()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(Line(settings.LOGGING["formatters"]["line"]["format"], style="{"))
    root.addHandler(handler)
    yield stream.getvalue
    root.removeHandler(handler)


@pytest.mark.django_db
def test_a_refused_request_is_one_short_line(log, client):
    game = tables.running("ann", "bob")
    client.force_login(tables.player("chief", is_staff=True, is_superuser=True))
    secret = tokens.make(tables.player("ann"), "a bot")[1]
    key = game.seats.get(number=0).return_key
    strict = Client(enforce_csrf_checks=True)
    refused = {
        "host": client.get("/", headers={"Host": "evil.example"}),
        "look-up": client.get("/admin/games/game/", {f"invite_key__startswith{'z' * 400}": "a"}),
        "look-up of a key": client.get("/admin/games/game/", {"invite_key": game.invite_key}),
        "body": client.post("/account/login/", {"login": "x" * 70_000}),
        "body of the API": client.post(
            f"/api/v1/tables/{game.public_id}/actions",
            b"x" * 70_000,
            content_type="application/json",
            headers={"Authorization": f"Bearer {secret}"},
        ),
        "fields": client.post("/account/login/", {f"f{n}": "" for n in range(1100)}),
        "address": client.get("/" + "x" * 5000),
        "csrf": strict.post(f"/return/{key}/", headers={"Referer": f"https://testserver/return/{key}/"}, secure=True),
        "missing": client.get(f"/return/{key}x/"),
        "method": client.put(f"/return/{key}/"),
        "multipart": client.generic("POST", "/account/login/", b"x", content_type="multipart/form-data"),
    }
    for what, answer in refused.items():
        assert 400 <= answer.status_code < 500, (what, answer.status_code)
    written = log()
    assert "Traceback" not in written
    assert key not in written and game.invite_key not in written and secret not in written
    assert len(written.splitlines()) <= len(refused)
    assert all(re.match(r"\d{4}-\d\d-\d\d .* (WARNING|ERROR) ", each) for each in written.splitlines()), written
    assert max(map(len, written.splitlines())) <= LONGEST_LINE + 1


# ---- through daphne


def test_the_servers_log_holds_no_key(tmp_path):
    with Server(tmp_path, BOT_PROCESSES="1") as server:
        for path, headers in (
            (f"/return/{KEY}/", {}),
            (f"/join/{KEY}/?k={KEY}", {"Referer": f"{server.url}/return/{KEY}/"}),
            ("/api/v1/tables", {"Authorization": f"Bearer {TOKEN}"}),
            (f"/ws/tables/{KEY}/?v={KEY}", {}),
            ("/", {"Host": "evil.example"}),
        ):
            connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
            connection.request("GET", path, headers=headers)
            assert 400 <= connection.getresponse().status < 500, path
            connection.close()
        server.stop()
        written = server.log.read_text()
    assert "Not Found" in written and "HTTP_HOST" in written
    assert KEY not in written and TOKEN not in written and "Traceback" not in written
