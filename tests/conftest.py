"""Fixtures for everybody."""

import os
from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling

from games.engine.core.rules import Rules

Rules.check_codec = True  # every state of every test must survive storing


# Files whose tests share a site of their own.
WHOLE = ("/test_browser", "/test_server.py", "/test_cluster.py", "/test_backup.py")
# Files whose tests wait for servers, sockets, threads or processes, and may wait in vain on a busy machine.
HURRIED = (
    *WHOLE,
    "/test_workers.py",
    "/test_mail_server.py",
    "/test_robots.py",
    "/test_half_sent.py",
    "/test_table_consumer.py",
)


class WholeSites(LoadScopeScheduling):
    """Any test goes to any worker, but a file that needs a site sets it up once; the long come first."""

    def _split_scope(self, nodeid: str) -> str:
        return nodeid.split("::")[0] if stands_in(nodeid, WHOLE) else nodeid


def stands_in(nodeid: str, files: tuple[str, ...]) -> bool:
    file = nodeid.split("::")[0]
    return any(each in file for each in files)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let hurried tests run a second time when they fail.

    A fault fails twice. What failed once is printed at the end, so that a race in our own code does not hide here."""
    for item in items:
        if stands_in(item.nodeid, HURRIED):
            item.add_marker(pytest.mark.flaky(reruns=1))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    for report in terminalreporter.stats.get("rerun", []):
        terminalreporter.section(f"failed once, then ran again: {report.nodeid}")
        terminalreporter.write_line(report.longreprtext)


def pytest_xdist_make_scheduler(config: Any, log: Any) -> WholeSites:
    return WholeSites(config, log)


@pytest.fixture(autouse=True)
def _plain_settings(settings):
    settings.STORAGES = {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    settings.NOTICE_DELAY_SECONDS = 0
    settings.WRITING_THREAD = False  # most tests run in a transaction that no other thread can see
    settings.READS_A_MINUTE = dict.fromkeys(settings.READS_A_MINUTE, 10**9)  # tests read faster than anybody
    if settings.REDIS_URL:  # a number for each worker, as each has a game 1
        worker = os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")
        hosts = {"hosts": [f"{settings.REDIS_URL}/{worker}"]}
        settings.CHANNEL_LAYERS = {"default": {"BACKEND": "kadab.redis_bus.Bus", "CONFIG": hosts}}


@pytest.fixture(autouse=True)
def _fresh_caches():
    from django.core.cache import cache

    from games import play

    play.forget()
    cache.clear()  # limits of logins and guests


@pytest.fixture
def frozen_csrf(monkeypatch):
    """Two answers can be compared byte by byte: the tokens in them, different each time, stand still."""
    monkeypatch.setattr("django.middleware.csrf._get_new_csrf_string", lambda: "a" * 32)
    monkeypatch.setattr("games.play.fresh_token", lambda: "b" * 32)
