"""The yardstick's tables: four sockets, an action from each in turn, complete when all four have their frame."""

from __future__ import annotations

from collections.abc import Callable

from .pages import Seen
from .wire import Socket

SEATS = 4


class BareTable:
    is_over = False

    def __init__(self, number: int, port: int, seen: Seen) -> None:
        self.number, self.port, self.seen = number, port, seen
        self.sockets: list[Socket] = []
        self.sent = 0
        self.missing = 0
        self.done: Callable[[bool], None] = lambda is_done: None

    async def open(self) -> None:
        for _ in range(SEATS):
            self.sockets.append(await Socket.connect(self.port, f"/ws/{self.number}/", "", self.hear, "127.0.0.1"))

    def play(self, done: Callable[[bool], None]) -> None:
        self.done, self.missing = done, SEATS
        self.sent += 1
        self.sockets[self.sent % SEATS].send(b'{"action": "march", "revision": "12", "token": "0123456789abcdef"}')

    def hear(self, text: bytes, wire: int) -> None:
        self.seen.count("socket bytes", wire)
        if self.seen.is_on:
            self.seen.sizes.append(len(text))
        self.missing -= 1
        if self.missing == 0:
            self.done(True)

    def end(self, is_done: bool) -> None:
        self.missing = 0
        self.done(is_done)

    def close(self) -> None:
        for socket in self.sockets:
            socket.close()
