"""Sockets compress what they send to browsers that offer it, through the real server, and serve all others as well."""

from __future__ import annotations

import base64
import json
import os
import socket
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from autobahn.websocket.protocol import TrafficStats
from twisted.internet.error import ConnectionLost

from kadab.frames import PromptProtocol
from tests.kings_site import LOG_IN, told
from tests.server import Server

OFFER = "permessage-deflate; client_max_window_bits"  # as Chromium says it
TABLE = (
    LOG_IN
    + """
import json
game = tables.running("ann", "bob", ruleset="kings", options={"waiting": "never"})
print(json.dumps({"id": game.public_id, "key": key("ann")}))
"""
)

SAID = """
from games.models import Game, Message
from tests import tables
game = Game.objects.get(public_id="{id}")
Message.objects.create(game=game, player=tables.player("bob"), text="good evening")
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("frames"), CARETAKER="0") as running:
        yield running


@pytest.fixture(scope="module")
def table(server: Server) -> dict[str, str]:
    return told(server, TABLE)


class Line:
    """A socket by hand: what stands on the wire is what is tested."""

    def __init__(self, server: Server, table: dict[str, str], offer: str) -> None:
        self.wire = socket.create_connection(("127.0.0.1", server.port), timeout=20)
        self.left = b""
        asked = [
            f"GET /ws/tables/{table['id']}/ HTTP/1.1",
            f"Host: 127.0.0.1:{server.port}",
            f"Origin: {server.url}",
            f"Cookie: sessionid={table['key']}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Version: 13",
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
            *([f"Sec-WebSocket-Extensions: {offer}"] if offer else []),
        ]
        self.wire.sendall(("\r\n".join(asked) + "\r\n\r\n").encode())
        while b"\r\n\r\n" not in self.left:
            self.more()
        answer, _, self.left = self.left.partition(b"\r\n\r\n")
        self.status, *headers = answer.decode().split("\r\n")
        self.headers = dict(each.lower().split(": ", 1) for each in headers)

    def more(self) -> None:
        if not (data := self.wire.recv(65536)):
            raise EOFError
        self.left += data

    def take(self, count: int) -> bytes:
        while len(self.left) < count:
            self.more()
        taken, self.left = self.left[:count], self.left[count:]
        return taken

    def frame(self) -> tuple[int, bool, bytes]:
        """Kind, whether it is compressed, and the bytes."""
        first, length = self.take(2)
        if length == 126:
            (length,) = struct.unpack("!H", self.take(2))
        elif length == 127:
            (length,) = struct.unpack("!Q", self.take(8))
        return first & 15, bool(first & 64), self.take(length)

    def say(self, text: str, compressed: bool) -> None:
        data = text.encode()
        if compressed:
            packer = zlib.compressobj(wbits=-15)
            data = (packer.compress(data) + packer.flush(zlib.Z_SYNC_FLUSH))[:-4]
        length = struct.pack("!B", 128 | len(data)) if len(data) < 126 else struct.pack("!BH", 254, len(data))
        mask = os.urandom(4)
        masked = bytes(byte ^ mask[at % 4] for at, byte in enumerate(data))
        self.wire.sendall(bytes([129 | (64 if compressed else 0)]) + length + mask + masked)


@contextmanager
def line(server: Server, table: dict[str, str], offer: str = "") -> Iterator[Line]:
    opened = Line(server, table, offer)
    try:
        yield opened
    finally:
        opened.wire.close()


def unpacked(data: bytes) -> str:
    return zlib.decompressobj(wbits=-15).decompress(data + b"\0\0\xff\xff").decode()


def test_whoever_offers_it_gets_compressed_frames(server, table):
    with line(server, table, OFFER) as browser:
        assert "101" in browser.status
        assert browser.headers["sec-websocket-extensions"].startswith("permessage-deflate")
        assert "client_no_context_takeover" in browser.headers["sec-websocket-extensions"]
        _, compressed, data = browser.frame()
        assert compressed
        text = unpacked(data)
        assert 'hx-swap-oob="innerHTML:#board"' in text and len(data) < len(text) / 4


def test_every_message_can_be_read_for_itself(server, table):
    """Nothing refers to an earlier message: a chat line is not compressed together with anybody's rack."""
    with line(server, table, OFFER) as browser:
        browser.frame()
        server.shell(SAID.format(**table))
        browser.say('{"looking": true}', compressed=True)
        frames = [browser.frame()]
        if "#odds" in unpacked(frames[0][2]):  # they follow by themselves
            frames.append(browser.frame())
        _, compressed, data = frames[-1]
        assert compressed and "good evening" in unpacked(data)


@pytest.mark.parametrize("offer", ["", "x-webkit-deflate-frame", "permessage-bzip2"])
def test_whoever_does_not_offer_it_gets_plain_frames(server, table, offer):
    with line(server, table, offer) as browser:
        assert "101" in browser.status and "sec-websocket-extensions" not in browser.headers
        _, compressed, data = browser.frame()
        assert not compressed and 'hx-swap-oob="innerHTML:#board"' in data.decode()


@pytest.mark.parametrize(
    "offer",
    [
        "permessage-deflate; server_no_context_takeover; server_max_window_bits=10",
        "permessage-deflate",
        "permessage-bzip2, permessage-deflate; client_no_context_takeover",
    ],
)
def test_any_offer_of_it_is_met(server, table, offer):
    with line(server, table, offer) as browser:
        _, compressed, data = browser.frame()
        assert compressed and "#board" in unpacked(data)


def test_a_message_that_unpacks_to_too_much_ends_the_socket(server, table):
    with line(server, table, OFFER) as browser:
        browser.frame()
        browser.say(json.dumps({"looking": "x" * 5_000_000}), compressed=True)
        with pytest.raises((EOFError, ConnectionError)):
            while True:
                browser.frame()
    with line(server, table, OFFER) as browser:
        assert browser.frame()
    assert "Traceback" not in server.log.read_text()


# ---- what the kernel does not take at once


class Transport:
    """A connection of Twisted whose kernel takes so many bytes at a time; -1: it is lost."""

    TLS, connected, disconnecting = False, True, False

    def __init__(self, takes: int) -> None:
        self.takes, self.dataBuffer, self._tempDataBuffer = takes, b"", list[bytes]()
        self.sent = b""

    def writeSomeData(self, data: bytes) -> int | Exception:
        if self.takes < 0:
            return ConnectionLost()
        self.sent += data[: self.takes]
        return min(self.takes, len(data))

    def write(self, data: bytes) -> None:
        self._tempDataBuffer.append(data)


def protocol_on(transport: Transport) -> PromptProtocol:
    protocol = PromptProtocol()
    protocol.transport, protocol.state = transport, PromptProtocol.STATE_OPEN
    protocol.send_queue, protocol.logOctets, protocol.peer = [], False, ""
    protocol.trafficStats = TrafficStats()
    return protocol


@pytest.mark.parametrize(("takes", "sent", "left"), [(99, b"news", []), (3, b"new", [b"s"]), (0, b"", [b"news"])])
def test_twisted_gets_what_the_kernel_does_not_take(takes, sent, left):
    protocol_on(transport := Transport(takes)).sendData(b"news")
    assert (transport.sent, transport._tempDataBuffer) == (sent, left)


def test_nothing_overtakes_what_waits():
    protocol = protocol_on(transport := Transport(2))
    protocol.sendData(b"first")
    transport.takes = 99
    protocol.sendData(b"second")
    assert (transport.sent, transport._tempDataBuffer) == (b"fi", [b"rst", b"second"])


def test_of_a_lost_connection_twisted_finds_out():
    protocol_on(transport := Transport(-1)).sendData(b"news")
    assert transport._tempDataBuffer == [b"news"]


@pytest.mark.parametrize("state", [{"TLS": True}, {"connected": False}, {"disconnecting": True}, {"dataBuffer": b"x"}])
def test_only_a_plain_connection_at_rest_is_written_to_at_once(state):
    transport = Transport(99)
    for name, value in state.items():
        setattr(transport, name, value)
    protocol_on(transport).sendData(b"news")
    assert (transport.sent, transport._tempDataBuffer) == (b"", [b"news"])
