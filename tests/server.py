"""A real server for tests: its own folder, its own database, daphne in a process of its own."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


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
            "DJANGO_SETTINGS_MODULE": "kadab.settings",
            "DATABASE_URL": "",
            "REDIS_URL": "",
            **environment,
        }
        self.environment = {name: value for name, value in self.environment.items() if value}
        self.process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Server:
        self.manage("migrate", "--verbosity", "0")
        self.manage("collectstatic", "--noinput", "--verbosity", "0")
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def manage(self, *words: str) -> str:
        return self.python("manage.py", *words)

    def shell(self, code: str) -> str:
        """Run a few lines with Django set up, and return what they print."""
        return self.python("-c", f"import django; django.setup()\n{code}").strip()

    def python(self, *words: str) -> str:
        done = subprocess.run(
            [sys.executable, *words], cwd=ROOT, env=self.environment, capture_output=True, text=True, timeout=120
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    @property
    def log(self) -> Path:
        return self.folder / "server.log"

    def start(self) -> None:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "kadab.serve", "--port", str(self.port)],
                cwd=ROOT,
                env=self.environment,
                stdout=log,
                stderr=log,
            )
        self.wait_until_up()

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
        """Ask it to end, as a supervisor would; returns its exit code."""
        if self.process is None:
            return 0
        self.process.send_signal(signal.SIGTERM)
        try:
            code = self.process.wait(timeout=15)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = self.process.wait()
        self.process = None
        return code

    def kill(self) -> None:
        assert self.process
        self.process.kill()
        self.process.wait()
        self.process = None

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


def until(what, seconds: float = 20):
    """Wait for something to become true, and return it."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if found := what():
            return found
        time.sleep(0.1)
    raise AssertionError(f"not within {seconds} s: {what}")
