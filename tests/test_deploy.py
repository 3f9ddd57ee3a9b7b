"""deploy/restart, with a systemctl that only writes down what it is told and web processes that answer as we like."""

from __future__ import annotations

import contextlib
import os
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

from tools.services import install

ROOT = Path(__file__).resolve().parent.parent
SYSTEMCTL = """#!/bin/sh
if [ "$1" = list-units ]; then for port in $PORTS; do echo "kadab-web@$port.service loaded active running"; done
else echo "$*" >> "$DONE"; fi
"""


class Web:
    """A web process that is ready when it has been asked so often."""

    def __init__(self, done: Path, ready_after: int) -> None:
        self.asked = 0
        self.seen: list[str] = []  # what had been restarted whenever it was asked
        web = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                assert self.path == "/readyz"
                web.asked += 1
                web.seen.append(done.read_text())
                self.send_response(200 if web.asked > ready_after else 503)
                self.end_headers()
                self.wfile.write(b'{"database": "no answer"}')

            def log_message(self, *_: object) -> None:
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.name = f"kadab-web@{self.server.server_port}.service"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@contextlib.contextmanager
def webs(done: Path, *ready_after: int) -> Iterator[list[Web]]:
    made = [Web(done, each) for each in ready_after]
    yield made
    for each in made:
        each.server.shutdown()
        each.server.server_close()


def restart(folder: Path, made: list[Web], verb: str, seconds: int = 30) -> subprocess.CompletedProcess[str]:
    install("curl")
    (folder / "systemctl").write_text(SYSTEMCTL)
    (folder / "systemctl").chmod(0o755)
    facts = {
        "PATH": f"{folder}:{os.environ['PATH']}",
        "PORTS": " ".join(str(each.server.server_port) for each in made),
        "DONE": str(folder / "done"),
        "SYSTEMD_FOLDER": str(folder),
        "READY_SECONDS": str(seconds),
    }
    return subprocess.run([ROOT / "deploy/restart", verb], env=facts, capture_output=True, text=True)


def test_each_web_process_is_ready_before_the_next_one_is_restarted(tmp_path):
    done = tmp_path / "done"
    with webs(done, 3, 0) as (first, second):
        finished = restart(tmp_path, [first, second], "one-by-one")
        assert finished.returncode == 0, finished.stderr
        assert first.asked == 4 and set(first.seen) == {f"restart {first.name}\n"}
    expected = [f"restart {first.name}", f"restart {second.name}", "restart kadab-bots kadab-mail"]
    assert done.read_text().splitlines() == expected


def test_a_web_process_that_does_not_become_ready_leaves_the_others_alone(tmp_path):
    done = tmp_path / "done"
    with webs(done, 10**6, 0) as (first, second):
        finished = restart(tmp_path, [first, second], "one-by-one", seconds=1)
        assert finished.returncode == 1 and second.asked == 0
        assert f'{first.name} is not ready: {{"database": "no answer"}}' in finished.stderr
    assert done.read_text() == f"restart {first.name}\n"


def test_a_start_waits_until_all_are_ready(tmp_path):
    with webs(tmp_path / "done", 2, 1) as made:
        finished = restart(tmp_path, made, "start")
        assert finished.returncode == 0, finished.stderr
        assert [each.asked for each in made] == [3, 2]
