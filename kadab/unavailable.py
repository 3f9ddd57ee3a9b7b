"""One answer of every door while the database is away, locked, full or read-only: 503, and when to try again.

    HTTP     `answer` is the site's handler500: it also gets what fails in middleware, which no middleware can catch.
             A page as HTML that needs no database, a toast for htmx, JSON below /api/.
    socket   games/consumers.py answers an action with status 503; `TryLater` closes a socket that cannot be opened.

The operator gets one line when it begins and one when it is over, however many requests fail in between.
"""

from __future__ import annotations

import logging
import re
import sys
import threading
import time
from typing import Any

from django.db import DatabaseError, InterfaceError, InternalError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template import loader
from django.views.defaults import server_error
from django_htmx.http import trigger_client_event

from kadab import metrics

log = logging.getLogger(__name__)

STATUS = 503
RETRY_AFTER_SECONDS = 2
TRY_AGAIN_LATER = 1013  # why a socket is closed; pages open another by themselves
READ_ONLY = "25006"  # PostgreSQL's code for a standby, or a database that its operator closed for writing

SENTENCE = "Kadab can’t load or save games right now. Please try again in a few seconds."
REFUSAL = {"code": "unavailable", "sentence": SENTENCE, "rule": ""}
# Pages send these again by themselves and say so; a toast for each try would be too much.
SENT_AGAIN = re.compile(r"/tables/[^/]+/(act|pulse)/")


# ---- which errors


def is_fault(error: BaseException | None) -> bool:
    """Whether the database cannot serve anybody at the moment; False for our own mistakes, such as a missing table."""
    if isinstance(error, InterfaceError):
        return True
    code = getattr(error.__cause__, "sqlstate", None) if isinstance(error, DatabaseError) else None
    if isinstance(error, InternalError):
        return code == READ_ONLY
    # PostgreSQL calls nothing else operational. SQLite calls a wrong statement so as well.
    return isinstance(error, OperationalError) and (bool(code) or metrics.kind_of(error) != "other")


# ---- what the operator hears

QUIET_SECONDS = 3.0  # without a fault until all is well: a disk that is full can still be read

_lock = threading.Lock()
_faults: list[float] = []  # when the first and the last of those were that the operator has heard of
_count = 0
_thread = threading.local()


def failed_here() -> bool:
    """Whether this thread has met a fault since it asked last."""
    failed, _thread.failed = getattr(_thread, "failed", False), False
    return failed


def noted(error: BaseException) -> bool:
    """Whether the database is to blame. Then it is counted, and the operator hears of it, if it is the first time."""
    global _count
    if not is_fault(error):
        return False
    metrics.database_failed(error)
    _thread.failed = True
    now = time.monotonic()
    with _lock:
        is_first = not _faults
        _count = 1 if is_first else _count + 1
        _faults[:] = [*_faults[:1], now]
    if is_first:
        what = str(error).strip().partition("\n")[0]
        log.error("the database fails (%s), requests get 503 until it answers: %s", metrics.kind_of(error), what)
    return True


def note_success() -> None:
    """The database has answered; tell the operator if it had failed before."""
    if not _faults:  # as nearly always
        return
    with _lock:
        if not _faults or time.monotonic() - _faults[-1] < QUIET_SECONDS:
            return
        seconds, count = _faults[-1] - _faults[0], _count
        _faults.clear()
    log.warning("the database answers again: it failed for %.1f s, %d times", seconds, count)


# ---- HTTP


def answer(request: HttpRequest) -> HttpResponse:
    """What a request gets that ended in an exception: 503 if the database was to blame, 500 otherwise."""
    error = sys.exc_info()[1]
    return refused(request) if error is not None and noted(error) else server_error(request)


def refused(request: HttpRequest) -> HttpResponse:
    """503 in the words that the asker understands."""
    if session := getattr(request, "session", None):
        session.modified = False  # else Django would try to save it now, and wait for the database once more
    if request.path.startswith("/api/"):
        response: HttpResponse = JsonResponse(REFUSAL, status=STATUS)
    elif request.headers.get("HX-Request") == "true":
        response = HttpResponse(status=STATUS, headers={"HX-Reswap": "none"})
        if not SENT_AGAIN.fullmatch(request.path):
            trigger_client_event(response, "toast", {"value": SENTENCE})
    else:
        context = {"again": request.get_full_path() if request.method in ("GET", "HEAD") else "/"}
        response = HttpResponse(loader.render_to_string("503.html", context), status=STATUS)
    response["Retry-After"] = str(RETRY_AFTER_SECONDS)
    response["Cache-Control"] = "private, no-store"
    response._has_been_logged = True  # type: ignore[attr-defined]  # Django would log a traceback for each
    return response


# ---- sockets


class TryLater:
    """Close a socket that the database cannot serve; whatever else goes wrong with one is daphne's to tell."""

    def __init__(self, application: Any) -> None:
        self.application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        try:
            await self.application(scope, receive, send)
        except Exception as error:
            if not noted(error):
                raise
            await send({"type": "websocket.close", "code": TRY_AGAIN_LATER})
