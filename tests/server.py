"""A real server for tests: its own folder, its own database, daphne in a process of its own.

Where DATABASE_URL and REDIS_URL name servers (`make test-cluster`), it has a database of its own on each, and bots and
mail are processes of their own, as on a site with several web processes. Elsewhere it is one process with SQLite.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

from tools import collected
from tools.services import create_database, free_port

__all__ = ["ROOT", "Server", "free_port", "until"]

ROOT = Path(__file__).resolve().parent.parent
WORKERS = ("run_bots", "send_mail")
STOP_SECONDS = 15


class Server:
    """`with Server(folder) as server:` serves until the end; restart() and kill() as life does it."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.folder = folder
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.environment = {
            **os.environ,
            "KADAB_VAR": str(folder),
            "SITE_URL": self.url,
            "HOST": "127.0.0.1",
            "MOST_RUNNING_GAMES": "1000",  # the same few people play in all tests of a server
            "DJANGO_SETTINGS_MODULE": "kadab.settings",
            **self.services(),
            **environment,
        }
        self.environment = {name: value for name, value in self.environment.items() if value}
        self.process: subprocess.Popen[bytes] | None = None
        self.workers: list[subprocess.Popen[bytes]] = []

    def services(self) -> dict[str, str]:
        """A new database on the PostgreSQL of this test run, and a number on its Redis; neither on an ordinary run."""
        database, bus = os.environ.get("DATABASE_URL", ""), os.environ.get("REDIS_URL", "")
        return {
            "DATABASE_URL": create_database(database, f"server_{self.port}") if database.startswith("postgres") else "",
            "REDIS_URL": f"{bus}/{self.port}" if bus else "",
        }

    def __enter__(self) -> Server:
        self.manage("migrate", "--verbosity", "0")
        self.collect()
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def collect(self) -> None:
        collected.into(self.folder / "static", self.environment)

    def manage(self, *words: str) -> str:
        return self.python("manage.py", *words)

    def shell(self, code: str) -> str:
        """Run a few lines with Django set up, and return what they print."""
        return self.python("-c", f"import django; django.setup()\n{code}").strip()

    def python(self, *words: str) -> str:
        done = subprocess.run(
            [sys.executable, *words], cwd=ROOT, env=self.environment, capture_output=True, text=True, timeout=240
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    @property
    def log(self) -> Path:
        return self.folder / "server.log"

    def start(self) -> None:
        self.process = self.run("-m", "kadab.serve", "--port", str(self.port))
        if self.environment.get("REDIS_URL") and self.environment.get("CARETAKER") != "0":
            self.workers = [self.run("manage.py", name) for name in WORKERS]
        self.wait_until_up()

    def run(self, *words: str) -> subprocess.Popen[bytes]:
        """A process of this server, which goes on beside the test."""
        with self.log.open("ab") as log:
            return subprocess.Popen([sys.executable, *words], cwd=ROOT, env=self.environment, stdout=log, stderr=log)

    def wait_until_up(self) -> None:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            assert self.process and self.process.poll() is None, self.log.read_text()
            try:
                urllib.request.urlopen(f"{self.url}/credits/", timeout=5)
                return
            except urllib.error.HTTPError:
                return
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                time.sleep(0.1)
        raise AssertionError(f"the server does not come up: {self.log.read_text()}")

    def stop(self) -> int:
        """Ask it to end, as a supervisor would; returns the web process's exit code."""
        if self.process is None:
            return 0
        for each in (self.process, *self.workers):
            each.send_signal(signal.SIGTERM)
        code, *_ = [_ended(each) for each in (self.process, *self.workers)]
        self.process, self.workers = None, []
        return code

    def kill(self) -> None:
        """End all its processes at once, as a machine that loses its power."""
        assert self.process
        for each in (self.process, *self.workers):
            each.kill()
        for each in (self.process, *self.workers):
            each.wait()
        self.process, self.workers = None, []

    def restart(self) -> None:
        self.stop()
        self.start()

    def api(self, secret: str, method: str, path: str, body: object = None) -> tuple[int, dict]:
        """One call of the JSON API: (status, answer)."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"}
        request = urllib.request.Request(f"{self.url}/api/v1/{path}", data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return answer.status, json.loads(answer.read() or b"{}")
        except urllib.error.HTTPError as refused:
            return refused.code, json.loads(refused.read() or b"{}")


def _ended(process: subprocess.Popen[bytes]) -> int:
    try:
        return process.wait(timeout=STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        return process.wait()


def until(what, seconds: float = 20):
    """Wait for something to become true, and return it."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if found := what():
            return found
        time.sleep(0.1)
    raise AssertionError(f"not within {seconds} s: {what}")
