"""What the site counts, for Prometheus: actions, the time they take, sockets, bots, mail and faults of the database.

Nothing here says at which table, in which seat or by whom. Questions and notices are counted only where everybody may
know of them: a sealed window never shows in a number of its own.

Each process counts for itself; kadab/watch.py answers /metrics.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db import InterfaceError, OperationalError
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest

DOORS = ("socket", "post", "api", "bot", "house")
OUTCOMES = ("done", "refused", "repeated", "failed")
LAYERS = ("waiting", "rules", "saving", "drawing", "sending", "rest")

_FAST = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
_SLOW = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)

registry = CollectorRegistry()
ProcessCollector(registry=registry)

ACTIONS = Counter("kadab_actions", "Actions that came in", ["door", "outcome"], registry=registry)
ACTION_SECONDS = Histogram(
    "kadab_action_seconds", "From an action's arrival to its answer", ["door"], buckets=_FAST, registry=registry
)
LAYER_SECONDS = Histogram(
    "kadab_layer_seconds", "What of that was spent in one layer", ["layer"], buckets=_FAST, registry=registry
)
SOCKETS = Gauge("kadab_sockets_open", "Sockets that are open", registry=registry)
FRAMES = Counter("kadab_frames_sent", "Messages sent by sockets", registry=registry)
FRAME_BYTES = Counter("kadab_frame_bytes_sent", "Bytes of these messages before compression", registry=registry)
BOT_SECONDS = Histogram(
    "kadab_bot_thinking_seconds", "How long bots think about one answer", buckets=_SLOW, registry=registry
)
BOT_FAULTS = Counter("kadab_bot_faults", "Questions that a bot could not answer", registry=registry)
MAILS = Counter("kadab_mails", "Notices by mail", ["outcome"], registry=registry)
DATABASE_ERRORS = Counter("kadab_database_errors", "Statements the database failed at", ["kind"], registry=registry)
LOG_LINES = Counter("kadab_log_records", "Records of the log, written or left out", ["level"], registry=registry)
LEFT_OUT = Counter("kadab_log_records_left_out", "Records left out because many were alike", registry=registry)

# Set when somebody asks for the metrics, from the database (games/waiting.py).
RUNNING_GAMES = Gauge("kadab_running_games", "Games under way", registry=registry)
RUNNING_LESSONS = Gauge("kadab_running_lessons", "Games under way that are lessons", registry=registry)
OPEN_QUESTIONS = Gauge("kadab_open_questions", "Questions put openly to people, not answered yet", registry=registry)
NOTICES_DUE = Gauge("kadab_notices_due", "Notices about open questions that should have been sent", registry=registry)
DATABASE_UP = Gauge("kadab_database_up", "Whether the database answered just now", registry=registry)

# Every combination is there from the start: a counter that appears only with its first fault raises no alarm.
_actions = {(door, outcome): ACTIONS.labels(door, outcome) for door in DOORS for outcome in OUTCOMES}
_action_seconds = {door: ACTION_SECONDS.labels(door) for door in DOORS}
_layer_seconds = {layer: LAYER_SECONDS.labels(layer) for layer in LAYERS}
_mails = {outcome: MAILS.labels(outcome) for outcome in ("sent", "put_off", "given_up")}
_database_errors = {kind: DATABASE_ERRORS.labels(kind) for kind in ("locked", "full", "read_only", "away", "other")}
_log_lines = {level: LOG_LINES.labels(level) for level in ("debug", "info", "warning", "error", "critical")}


def acted(seconds: float, door: str, outcome: str = "done") -> None:
    """An action was answered: `door` is one of DOORS, `outcome` one of OUTCOMES."""
    _actions[door, outcome].inc()
    _action_seconds[door].observe(seconds)


def spent(layer: str, seconds: float) -> None:
    """Part of an action's time; kadab/timing.py calls this."""
    _layer_seconds[layer].observe(seconds)


def socket_opened() -> None:
    SOCKETS.inc()


def socket_closed() -> None:
    SOCKETS.dec()


def frame_sent(size: int) -> None:
    FRAMES.inc()
    FRAME_BYTES.inc(size)


def bot_thought(seconds: float) -> None:
    BOT_SECONDS.observe(seconds)


def bot_failed() -> None:
    BOT_FAULTS.inc()


def mailed(outcome: str) -> None:
    """`outcome` is sent, put_off or given_up."""
    _mails[outcome].inc()


def logged(level: str) -> None:
    if counter := _log_lines.get(level.lower()):
        counter.inc()


def left_out() -> None:
    LEFT_OUT.inc()


def now_in_the_database(running: int, lessons: int, questions: int, notices: int) -> None:
    DATABASE_UP.set(1)
    RUNNING_GAMES.set(running)
    RUNNING_LESSONS.set(lessons)
    OPEN_QUESTIONS.set(questions)
    NOTICES_DUE.set(notices)


def database_is_away() -> None:
    DATABASE_UP.set(0)


def text() -> bytes:
    """Everything in Prometheus's own format."""
    return generate_latest(registry)


# ---- the database


def database_failed(error: BaseException) -> None:
    """Count an error of the database, once: for one that no statement led to, such as a failed connection."""
    if getattr(error, "is_counted", False):
        return
    error.is_counted = True  # type: ignore[attr-defined]
    _database_errors[kind_of(error)].inc()


def kind_of(error: BaseException) -> str:
    """What is wrong, in one word of a fixed list."""
    words = str(error).lower()
    if "locked" in words or "lock timeout" in words or "deadlock" in words:
        return "locked"
    if "full" in words or "no space" in words:
        return "full"
    if "readonly" in words or "read-only" in words:
        return "read_only"
    signs = ("connect", "closed", "terminat", "shutting down", "starting up", "unable to open", "timeout", "disk i/o")
    return "away" if any(sign in words for sign in signs) else "other"


def _counting(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
    try:
        return execute(sql, params, many, context)
    except (OperationalError, InterfaceError) as error:
        database_failed(error)
        raise


def _watch(sender: type, connection: BaseDatabaseWrapper, **_: object) -> None:
    if _counting not in connection.execute_wrappers:
        connection.execute_wrappers.append(_counting)


def watch_database() -> None:
    """Count the errors of every connection opened from now on; once for a process."""
    connection_created.connect(_watch, dispatch_uid="kadab.metrics")
