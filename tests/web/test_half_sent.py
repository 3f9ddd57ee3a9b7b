"""The real server closes requests that do not arrive, serves everybody else meanwhile, and cuts no slow reader off."""

from __future__ import annotations

import socket
import time
import urllib.request

import pytest

from tests.server import Server

SECONDS = 2  # a request has this long to arrive; 25 outside of tests
MANY = 50

HALVES = {
    "nothing at all": b"",
    "half a line": b"GET /cred",
    "half the headers": b"GET /credits/ HTTP/1.1\r\nHost: 127.0.0.1\r\n",
    "half a body": b"POST /play-now/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 900\r\n\r\nname=",
}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("half-sent")
    with Server(folder, REQUEST_SECONDS=str(SECONDS), MOST_HALF_SENT="60", CARETAKER="0") as running:
        yield running


def connect(server: Server) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), timeout=20)


def is_closed(line: socket.socket) -> bool:
    """Whether the server has ended this connection; what it said before is read."""
    line.settimeout(0.05)
    try:
        while line.recv(4096):
            pass
        return True
    except TimeoutError:
        return False
    except ConnectionError:
        return True


def wait_until_closed(lines: list[socket.socket], seconds: float) -> int:
    """How many are still open after at most so many seconds."""
    deadline = time.monotonic() + seconds
    left = list(lines)
    while left and time.monotonic() < deadline:
        left = [line for line in left if not is_closed(line)]
    return len(left)


def served(server: Server) -> int:
    with urllib.request.urlopen(f"{server.url}/credits/", timeout=20) as answer:
        return answer.status if b"</html>" in answer.read() else 0


@pytest.mark.parametrize("half", HALVES.values(), ids=HALVES.keys())
def test_half_sent_requests_are_closed_and_others_are_served_meanwhile(server, half):
    lines = [connect(server) for _ in range(MANY)]
    try:
        for line in lines:
            line.sendall(half)
        assert served(server) == 200
        assert wait_until_closed(lines, 15) == 0
        assert served(server) == 200
    finally:
        for line in lines:
            line.close()


def test_a_request_that_drips_is_closed_all_the_same(server):
    """A byte now and then keeps no connection open: the whole request has so many seconds, not each byte."""
    line = connect(server)
    line.sendall(b"GET /credits/ HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ")
    began = time.monotonic()
    while time.monotonic() - began < 15 and not is_closed(line):
        try:
            line.sendall(b"a")
        except ConnectionError:
            break
        time.sleep(0.2)
    assert time.monotonic() - began < 15
    line.close()


def test_a_late_request_is_told_so(server):
    with connect(server) as line:
        line.sendall(b"GET /credits/ HTTP/1.1\r\n")
        assert line.recv(4096).startswith(b"HTTP/1.1 408 ")


def test_a_kept_connection_may_send_its_next_request_later(server):
    """The time begins anew with each request, and does not run while a connection rests or an answer is read."""
    request = f"GET /credits/ HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode()
    with connect(server) as line:
        line.settimeout(20)
        for _ in range(2):
            line.sendall(request)
            time.sleep(SECONDS + 1.5)  # nothing is read yet
            assert line.recv(65536).startswith(b"HTTP/1.1 200 ")
            while not is_closed(line) and not _is_empty(line):
                pass


def _is_empty(line: socket.socket) -> bool:
    line.settimeout(0.2)
    try:
        return not line.recv(65536)
    except TimeoutError:
        return True
    finally:
        line.settimeout(20)


def test_an_open_socket_outlives_the_time_for_requests(server):
    game = server.shell(
        """
from games import lobby
from players.models import Player
host = Player.objects.create_user("anna")
print(lobby.create(host, "gambit", {}, [{"kind": "me"}, {"kind": "bot", "level": "random"}], True, True).public_id)
"""
    )
    with connect(server) as line:
        line.sendall(
            (
                f"GET /ws/tables/{game}/ HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nOrigin: {server.url}\r\n"
                "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
            ).encode()
        )
        line.settimeout(20)
        assert line.recv(4096).startswith(b"HTTP/1.1 101 ")
        time.sleep(SECONDS + 2)
        assert not is_closed(line)


def test_one_address_holds_only_so_many_half_sent_requests(server):
    lines = [connect(server) for _ in range(80)]
    try:
        for line in lines[:60]:
            line.sendall(b"GET / HTTP/1.1\r\n")
        time.sleep(0.3)
        assert sum(is_closed(line) for line in lines[60:]) == 20
        assert wait_until_closed(lines, 15) == 0
        assert served(server) == 200
    finally:
        for line in lines:
            line.close()


def test_a_form_without_a_boundary_is_answered_by_django_and_not_by_twisted(server):
    """Twisted read forms as well, and answered this one with an empty 400 before Django saw it."""
    for path, said in (("/play-now/", b"This request was not understood"), ("/api/v1/tables", b'"sentence"')):
        with connect(server) as line:
            head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
            line.sendall(f"{head}Content-Type: multipart/form-data\r\nContent-Length: 4\r\n\r\nname".encode())
            answer = b"".join(iter(lambda: line.recv(65536), b""))
        assert said in answer, answer
