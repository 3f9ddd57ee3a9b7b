"""HTTP and WebSocket as a browser speaks them, with as little work as possible: the generator shares a machine with
the server it measures, and one core of it has to carry a thousand sockets.
"""

from __future__ import annotations

import asyncio
import base64
import os
import zlib
from collections.abc import Callable
from dataclasses import dataclass

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10


@dataclass(frozen=True)
class Answer:
    """An HTTP answer; `wire` is its size as it came, head and body."""

    status: int
    head: dict[str, str]
    body: bytes
    wire: int
    cookies: dict[str, str]


class Browser:
    """One kept-alive HTTP connection from one address, opened when it is needed; requests wait for each other."""

    def __init__(self, port: int, address: str = "127.0.0.1") -> None:
        self.port, self.address = port, address
        self.lock = asyncio.Lock()
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, head: str = "", body: bytes = b"") -> Answer:
        length = f"Content-Length: {len(body)}\r\n" if method == "POST" else ""
        request = (
            f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nUser-Agent: Mozilla/5.0 (bench/load)\r\n"
            f"Accept-Encoding: gzip, deflate\r\n{length}{head}\r\n"
        ).encode() + body
        async with self.lock:
            is_kept = self.streams is not None
            try:
                return await self._asked(request)
            except (ConnectionError, asyncio.IncompleteReadError):
                self.close()
                if not is_kept:
                    raise
            return await self._asked(request)  # the server had closed a connection that rested

    async def _asked(self, request: bytes) -> Answer:
        if self.streams is None:
            self.streams = await asyncio.open_connection(
                "127.0.0.1", self.port, local_addr=(self.address, 0), limit=1 << 20
            )
        reader, writer = self.streams
        writer.write(request)
        raw = await reader.readuntil(b"\r\n\r\n")
        first, *lines = raw[:-4].decode("latin-1").split("\r\n")
        status, head, cookies = int(first.split(" ", 2)[1]), {}, {}
        for line in lines:
            name, _, value = line.partition(":")
            head[name.lower()] = value.strip()
            if name.lower() == "set-cookie":
                key, _, kept = value.strip().partition(";")[0].partition("=")
                cookies[key] = kept
        body, size = await self._body(reader, status, head)
        if head.get("connection", "").lower() == "close":
            self.close()
        if head.get("content-encoding") == "gzip":
            body = zlib.decompress(body, 31)
        return Answer(status, head, body, len(raw) + size, cookies)

    @staticmethod
    async def _body(reader: asyncio.StreamReader, status: int, head: dict[str, str]) -> tuple[bytes, int]:
        if status in (204, 304):
            return b"", 0
        if head.get("transfer-encoding", "").lower() == "chunked":
            parts, size = [], 0
            while True:
                line = await reader.readline()
                part = await reader.readexactly(int(line, 16) + 2)
                size += len(line) + len(part)
                if len(part) == 2:
                    return b"".join(parts), size
                parts.append(part[:-2])
        body = await reader.readexactly(int(head.get("content-length", 0)))
        return body, len(body)

    def close(self) -> None:
        if self.streams:
            self.streams[1].close()
        self.streams = None


class Socket(asyncio.Protocol):
    """A WebSocket, client's side. `heard` gets every text message and its size on the wire."""

    def __init__(self, heard: Callable[[bytes, int], None]) -> None:
        self.heard = heard
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.buffer = b""
        self.parts: list[bytes] = []
        self.wire = 0
        self.code = 0  # why it was closed
        self.is_open = False
        self.inflate: zlib._Decompress | None = None
        self.keeps_context = True

    @classmethod
    async def connect(
        cls, port: int, path: str, head: str, heard: Callable[[bytes, int], None], address: str, site: int = 0
    ) -> Socket:
        """Open it; `site` is the port the page came from, if a proxy listens at `port`."""
        loop = asyncio.get_running_loop()
        _, socket = await loop.create_connection(lambda: cls(heard), "127.0.0.1", port, local_addr=(address, 0))
        key = base64.b64encode(os.urandom(16)).decode()
        socket.transport.write(
            (
                f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{site or port}\r\n"
                "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n"
                f"Sec-WebSocket-Key: {key}\r\n{head}\r\n"
            ).encode()
        )
        await asyncio.wait_for(socket.opened, 60)
        return socket

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def connection_lost(self, _: Exception | None) -> None:
        self.is_open = False
        if not self.opened.done():
            self.opened.set_exception(ConnectionError("the socket was not opened"))

    def data_received(self, data: bytes) -> None:
        data = self.buffer + data if self.buffer else data
        self.buffer = b""
        if not self.is_open:
            end = data.find(b"\r\n\r\n")
            if end < 0:
                self.buffer = data
                return
            self._shake_hands(data[:end].decode("latin-1").lower())
            data = data[end + 4 :]
        at, end = 0, len(data)
        while end - at >= 2:
            start, size = at + 2, data[at + 1]
            if size == 126:
                start, size = at + 4, int.from_bytes(data[at + 2 : at + 4], "big")
            elif size == 127:
                start, size = at + 10, int.from_bytes(data[at + 2 : at + 10], "big")
            if end < start or end - start < size:
                break
            self._frame(data[at], data[start : start + size], start + size - at)
            at = start + size
        self.buffer = data[at:]

    def _shake_hands(self, head: str) -> None:
        if " 101 " not in head.partition("\r\n")[0]:
            if not self.opened.done():
                self.opened.set_exception(ConnectionError(head.partition("\r\n")[0]))
            self.transport.abort()
            return
        if "permessage-deflate" in head:
            self.inflate = zlib.decompressobj(-15)
            self.keeps_context = "server_no_context_takeover" not in head
        self.is_open = True
        if not self.opened.done():
            self.opened.set_result(None)

    def _frame(self, first: int, payload: bytes, wire: int) -> None:
        kind = first & 15
        if kind == PING:
            self._write(PONG, payload)
        elif kind == CLOSE:
            self.code = int.from_bytes(payload[:2], "big")
            self.transport.close()
        elif kind in (0, TEXT):
            self.wire += wire
            if first & 64:  # the message's first frame says whether it is compressed
                self.parts = [b""]
            self.parts.append(payload)
            if first & 128:
                parts, wire, self.parts, self.wire = self.parts, self.wire, [], 0
                message = b"".join(parts)
                if parts[0] == b"" and self.inflate:
                    message = self.inflate.decompress(message + b"\x00\x00\xff\xff")
                    if not self.keeps_context:
                        self.inflate = zlib.decompressobj(-15)
                self.heard(message, wire)

    def send(self, text: bytes) -> None:
        self._write(TEXT, text)

    def _write(self, kind: int, payload: bytes) -> None:
        """Frames of a client are masked."""
        size, mask = len(payload), os.urandom(4)
        length = bytes([128 | size]) if size < 126 else bytes([128 | 126]) + size.to_bytes(2, "big")
        key = int.from_bytes((mask * (size // 4 + 1))[:size], "big")
        masked = (int.from_bytes(payload, "big") ^ key).to_bytes(size, "big")
        self.transport.write(bytes([128 | kind]) + length + mask + masked)

    def close(self) -> None:
        if self.is_open:
            self._write(CLOSE, (1000).to_bytes(2, "big"))
        self.transport.close()
