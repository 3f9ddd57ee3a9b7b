"""A whole site behind nginx: web processes, bots and mail on PostgreSQL and Redis. Runs in `make test-cluster`."""

from __future__ import annotations

import contextlib
import gzip
import http.client
import os
import re
import socket
import statistics
import struct
import subprocess
import threading
import time
import uuid
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.server import Server, until
from tests.web.test_server import PREPARE, look, table
from tools.cluster import ROOT, Cluster
from tools.services import find

pytestmark = pytest.mark.skipif(
    not os.environ.get("DATABASE_URL", "").startswith("postgres"), reason="runs in make test-cluster"
)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    with Cluster(tmp_path_factory.mktemp("cluster")) as running:
        yield running
        processes = [each.process.pid for each in running.started]
    assert not [pid for pid in processes if Path(f"/proc/{pid}").exists()], "something is left behind"


@pytest.fixture(scope="module")
def secrets(cluster):
    return cluster.python("-c", f"import django; django.setup()\n{PREPARE}").split()


def door(port: int):
    """The API at this port, in the words of the server's tests."""
    here = SimpleNamespace(url=f"http://127.0.0.1:{port}")
    here.api = lambda *words, **more: Server.api(here, *words, **more)
    return here


def ask(cluster, path: str, method: str = "GET", body: bytes | None = None, **headers: str):
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", cluster.port, timeout=20)) as connection:
        connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        return answer, answer.read()


def act(server, secret: str, game: str) -> int:
    """One move of whoever's turn it is, if it is this player's; the revision it made."""
    seen = look(server, secret, game, sample=3)
    move = next(action for action in seen["sample"] if action["do"] == "move")
    body = {"revision": seen["revision"], "token": uuid.uuid4().hex, "decision": seen["decision"], "action": move}
    status, answer = server.api(secret, "POST", f"tables/{game}/actions", body)
    assert status == 200, answer
    return answer["revision"]


def to_move(server, secrets: list[str], game: str) -> str:
    return next(secret for secret in secrets if look(server, secret, game)["decision"])


# ---- nginx


def test_pages_come_compressed_and_static_files_from_the_disk(cluster):
    answer, body = ask(cluster, "/", Accept_Encoding="gzip")
    assert answer.status == 200 and answer.headers["Content-Encoding"] == "gzip"
    page = gzip.decompress(body).decode()
    (style, *_) = re.findall(r'"(/static/[^"]*\.css)"', page)
    answer, body = ask(cluster, style, Accept_Encoding="gzip")
    assert answer.status == 200 and answer.headers["Content-Encoding"] == "gzip"
    assert "immutable" in str(answer.headers.get_all("Cache-Control"))
    assert ask(cluster, "/static/../secret_key")[0].status in (400, 404)


def test_a_body_above_64_kb_is_refused_before_it_arrives(cluster):
    assert ask(cluster, "/", "POST", b"x" * 66_000)[0].status == 413


def test_what_is_for_the_machine_itself_is_not_shown_to_the_world(cluster):
    assert ask(cluster, "/metrics")[0].status == 404


def test_one_address_cannot_ask_without_end(cluster):
    statuses = [ask(cluster, "/account/login/")[0].status for _ in range(60)]
    assert statuses[0] == 200 and 429 in statuses


def test_no_log_holds_a_path(cluster):
    ask(cluster, "/join/a-secret-link/")
    ask(cluster, "/join/a-secret-link/", "POST", b"x" * 66_000)
    for log in cluster.nginx.folder.glob("*log"):
        assert "a-secret-link" not in log.read_text(), log


def test_the_site_file_of_deploy_is_valid(tmp_path):
    """TLS included: nginx reads the very file, with the paths of this machine."""
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=games.example.org"]
        + ["-keyout", tmp_path / "privkey.pem", "-out", tmp_path / "fullchain.pem"],
        check=True,
        capture_output=True,
    )
    site = (ROOT / "deploy/nginx/kadab.conf").read_text()
    site = site.replace("/etc/letsencrypt/live/games.example.org", str(tmp_path))
    (tmp_path / "site.conf").write_text(site.replace("/srv/kadab/current", str(ROOT)))
    main = f"pid {tmp_path}/pid; events {{}} http {{ include {tmp_path}/site.conf; }}"
    (tmp_path / "nginx.conf").write_text(main)
    done = subprocess.run([find("nginx"), "-t", "-c", tmp_path / "nginx.conf"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


# ---- several processes


class Socket:
    """A table's WebSocket, opened as a browser does."""

    def __init__(self, port: int, cluster, game: str, session: str = "") -> None:
        self.connection = socket.create_connection(("127.0.0.1", port), timeout=20)
        self.file = self.connection.makefile("rb")
        lines = [
            f"GET /ws/tables/{game}/ HTTP/1.1",
            f"Host: 127.0.0.1:{cluster.port}",
            f"Origin: {cluster.url}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
        ]
        self.connection.sendall("\r\n".join([*lines, "", ""]).encode())
        self.status = int(self.file.readline().split()[1])
        while self.file.readline().strip():
            pass

    def frame(self) -> str:
        """The next text."""
        while True:
            first, length = self.file.read(2)
            if length == 126:
                (length,) = struct.unpack(">H", self.file.read(2))
            elif length == 127:
                (length,) = struct.unpack(">Q", self.file.read(8))
            content = self.file.read(length)
            if first & 15 == 1:
                return content.decode()

    def until(self, text: str) -> None:
        while text not in self.frame():
            pass

    def close(self) -> None:
        self.file.close()
        self.connection.close()


def test_a_move_in_one_process_is_seen_by_sockets_of_the_others(cluster, secrets):
    game = table(door(cluster.port), secrets)
    sockets = [Socket(port, cluster, game) for port in (*(web.port for web in cluster.webs), cluster.port)]
    assert [each.status for each in sockets] == [101] * 4
    for web in cluster.webs:
        here = door(web.port)
        revision = act(here, to_move(here, secrets, game), game)
        for each in sockets:
            each.until(f'data-revision="{revision}"')
    for each in sockets:
        each.close()


def test_bots_in_a_process_of_their_own_answer(cluster, secrets):
    server = door(cluster.port)
    game = table(server, secrets, bot="random")
    until(lambda: look(server, secrets[0], game)["decision"])
    revision = act(server, secrets[0], game)
    until(lambda: look(server, secrets[0], game)["revision"] > revision)


def test_bots_are_woken_by_a_move_and_do_not_wait_for_their_tick(cluster, secrets):
    """Each move comes at once after a bot's answer, when the next tick is almost a second away."""
    server = door(cluster.port)
    game = table(server, secrets, bot="random")
    until(lambda: look(server, secrets[0], game)["decision"])
    socket = Socket(cluster.webs[0].port, cluster, game)
    seconds = []
    for _ in range(6):
        revision = act(server, secrets[0], game)
        moved = time.monotonic()
        socket.until(f'data-revision="{revision + 1}"')
        seconds.append(time.monotonic() - moved)
    socket.close()
    assert statistics.median(seconds) < 0.6, seconds


# In systemd's place: it says what to restart in a file, and waits until the test has done so.
SYSTEMCTL = """#!/bin/sh
if [ "$1" = list-units ]; then for port in $PORTS; do echo "kadab-web@$port.service loaded active running"; done
else echo "$2" > "$ASKED.new" && mv "$ASKED.new" "$ASKED"; while [ -e "$ASKED" ]; do sleep 0.05; done; fi
"""


def restart_one_by_one(cluster, folder: Path) -> None:
    """Run deploy/restart on a cluster's web processes."""
    asked, systemctl = folder / "asked", folder / "systemctl"
    systemctl.write_text(SYSTEMCTL)
    systemctl.chmod(0o755)
    facts = {
        "PATH": f"{folder}:{os.environ['PATH']}",
        "PORTS": " ".join(str(web.port) for web in cluster.webs),
        "ASKED": str(asked),
        "SYSTEMD_FOLDER": str(folder),
    }
    webs = {f"kadab-web@{web.port}.service": web for web in cluster.webs}
    with subprocess.Popen([ROOT / "deploy/restart", "one-by-one"], env=facts) as restarting:
        while restarting.poll() is None:
            if asked.exists():
                if web := webs.pop(asked.read_text().strip(), None):
                    web.stop()
                    web.launch()
                asked.unlink()
            time.sleep(0.02)
    assert restarting.returncode == 0 and not webs


def test_a_restart_one_by_one_is_seen_by_nobody(cluster, secrets, tmp_path):
    """As an upgrade does it: every request is answered while each web process is stopped and started in turn."""
    game = table(door(cluster.port), secrets)
    statuses: list[int] = []
    stop = threading.Event()

    def visit(path: str) -> None:
        while not stop.is_set():
            statuses.append(ask(cluster, path)[0].status)
            time.sleep(0.1)

    visitors = [threading.Thread(target=visit, args=[path]) for path in ("/credits/", f"/tables/{game}/")]
    for each in visitors:
        each.start()
    restart_one_by_one(cluster, tmp_path)
    stop.set()
    for each in visitors:
        each.join()
    assert set(statuses) == {200}


def test_the_death_of_one_process_loses_nothing(cluster, secrets):
    """Two players move through nginx while web processes are killed in turn; each action counts once."""
    server = door(cluster.port)
    game = table(server, secrets)
    acknowledged: dict[int, str] = {}
    stop = threading.Event()

    def play() -> None:
        while not stop.is_set():
            try:
                secret = to_move(server, secrets, game)
                seen = look(server, secret, game, sample=3)
                move = next(action for action in seen["sample"] if action["do"] == "move")
            except (OSError, http.client.HTTPException, AssertionError, StopIteration, ValueError):
                continue
            body = {"revision": seen["revision"], "token": uuid.uuid4().hex, "action": move}
            while not stop.is_set():
                try:
                    status, answer = server.api(secret, "POST", f"tables/{game}/actions", body)
                except (OSError, http.client.HTTPException, ValueError):
                    continue
                if status == 200:
                    acknowledged[answer["revision"]] = body["token"]
                    break
                assert status >= 500, answer

    player = threading.Thread(target=play)
    player.start()
    for web in cluster.webs:
        time.sleep(1)
        web.kill()
        time.sleep(1)
        web.start()
    time.sleep(1)
    stop.set()
    player.join(30)
    rows = cluster.python(
        "-c",
        "import django; django.setup()\nfrom games.models import Action\n"
        f"for row in Action.objects.filter(game__public_id={game!r}, number__gt=0): print(row.number, row.token)",
    )
    stored = {int(number): token for number, token in (line.split() for line in rows.splitlines())}
    assert sorted(stored) == list(range(1, len(stored) + 1))
    assert len(acknowledged) >= 5 and not {n: t for n, t in acknowledged.items() if stored.get(n) != t}
    assert ", 0 not" in cluster.manage("verify_games")
