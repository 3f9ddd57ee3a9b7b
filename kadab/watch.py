"""How the site is: /healthz for a supervisor, /readyz for a load balancer, /metrics for Prometheus.

/healthz  200 as long as the process answers; asks nobody else
/readyz   200 if the database answers within a second, all migrations are applied and the channel layer brings a message
          back; otherwise 503, with what is missing
/metrics  to this machine, or with `Authorization: Bearer METRICS_TOKEN`; for everybody else there is no such page

Threads of their own ask the database. When a database hangs, the first question hangs with it and the next ones are
answered "no answer" at once, so that questions do not pile up.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import Future

from channels.layers import get_channel_layer
from django.conf import settings
from django.db import DatabaseError, connection, connections
from django.db.migrations.executor import MigrationExecutor
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games import waiting
from kadab import metrics

PATIENCE_SECONDS = 1.0
FIRST_PATIENCE_SECONDS = 5.0  # to compare the migrations, which is done until it has succeeded once
GOOD, NO_ANSWER, NOT_APPLIED = "ok", "no answer", "not applied"
SERVICE_UNAVAILABLE = 503
FORWARDED = ("X-Forwarded-For", "X-Real-IP", "Forwarded", "Via")


@never_cache
@require_safe
async def healthz(request: HttpRequest) -> HttpResponse:
    return HttpResponse("ok\n", content_type="text/plain")


@never_cache
@require_safe
async def readyz(request: HttpRequest) -> HttpResponse:
    found = await how_it_is()
    is_ready = all(word == GOOD for word in found.values())
    response = JsonResponse(found, status=200 if is_ready else SERVICE_UNAVAILABLE)
    response._has_been_logged = True  # type: ignore[attr-defined]  # Django would log an error each time it is asked
    return response


@never_cache
@require_safe
async def show_metrics(request: HttpRequest) -> HttpResponse:
    if not (is_from_here(request) or has_token(request)):
        raise Http404("There is no such page.")
    if await word_for(DATABASE.ask(waiting.measure)) != GOOD:
        metrics.database_is_away()  # the process's own numbers are needed most then
    return HttpResponse(metrics.text(), content_type="text/plain; version=0.0.4; charset=utf-8")


# ---- who may ask


def is_from_here(request: HttpRequest) -> bool:
    """Whether a program on this machine asks, and not a proxy on this machine for somebody else."""
    if any(name in request.headers for name in FORWARDED):
        return False
    try:
        return ipaddress.ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False


def has_token(request: HttpRequest) -> bool:
    kind, _, given = request.headers.get("Authorization", "").partition(" ")
    wanted = settings.METRICS_TOKEN
    return bool(wanted) and kind == "Bearer" and constant_time_compare(given.strip(), wanted)


# ---- what is asked


class Asker:
    """Ask the database in a thread, each question once at a time: whoever asks meanwhile gets the same answer."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.under_way: dict[str, Future[None]] = {}

    def ask(self, question: Callable[[], None]) -> Awaitable[None]:
        name = question.__name__
        with self.lock:
            answer = self.under_way.get(name)
            if answer is None:
                answer = self.under_way[name] = Future()
                thread = threading.Thread(target=self._answer, args=[name, question, answer], daemon=True)
                thread.start()
        mine = asyncio.wrap_future(answer)
        mine.add_done_callback(_hear)
        return asyncio.shield(mine)  # a caller who gives up does not cancel it for the others

    def _answer(self, name: str, question: Callable[[], None], answer: Future[None]) -> None:
        fault: BaseException | None = None
        try:
            question()
        except BaseException as error:
            fault = error
        finally:
            with contextlib.suppress(Exception):
                connections.close_all()
            with self.lock:
                del self.under_way[name]
        if fault is None:
            answer.set_result(None)
        else:
            if isinstance(fault, DatabaseError):
                metrics.database_failed(fault)
            answer.set_exception(fault)


def _hear(answer: asyncio.Future[None]) -> None:
    """asyncio complains of a fault that nobody heard of, and its caller may have given up."""
    if not answer.cancelled():
        answer.exception()


DATABASE = Asker()


class NotApplied(Exception):
    """The code expects tables that the database does not have yet."""


_is_migrated = False


async def how_it_is() -> dict[str, str]:
    database, channels = await asyncio.gather(word_for(DATABASE.ask(ask_database)), word_for(ask_channels()))
    migrations = GOOD if _is_migrated else database
    if database == GOOD and not _is_migrated:
        migrations = await word_for(DATABASE.ask(ask_migrations), FIRST_PATIENCE_SECONDS)
    return {"database": database, "migrations": migrations, "channels": channels}


async def word_for(answer: Awaitable[None], seconds: float | None = None) -> str:
    try:
        await asyncio.wait_for(answer, seconds or PATIENCE_SECONDS)
    except NotApplied:
        return NOT_APPLIED
    except Exception:
        return NO_ANSWER
    return GOOD


def ask_database() -> None:
    connection.introspection.table_names()


def ask_migrations() -> None:
    global _is_migrated
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise NotApplied
    _is_migrated = True  # applied migrations stay applied


async def ask_channels() -> None:
    """Send a message to ourselves."""
    layer = get_channel_layer()
    assert layer is not None, "settings.CHANNEL_LAYERS has no default"
    name = await layer.new_channel()
    await layer.send(name, {"type": "ready"})
    await layer.receive(name)
