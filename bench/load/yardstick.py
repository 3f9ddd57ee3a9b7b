"""What daphne, Channels and SQLite can carry at best: a bare server with the writing and sending of one action.

    python bench/load/yardstick.py --port 8150 --tables 25 --burn 3 --database /tmp/yardstick.sqlite3

An action comes by the open socket. One worker thread writes it (eight statements, one fsync) and is busy for --burn ms
in place of rules and drawing; then the four sockets of its table get a frame of 4.3 kB each. It has no pages, people,
rules or secrets.
"""

from __future__ import annotations

import argparse
import asyncio
import sqlite3
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from channels.generic.websocket import AsyncWebsocketConsumer
from channels.routing import ProtocolTypeRouter, URLRouter
from daphne.server import Server
from django.conf import settings
from django.urls import path

FRAME = "x" * 4300
COUNTERS, SEATS = 200, 4
SCHEMA = """
CREATE TABLE game (id INTEGER PRIMARY KEY, revision INTEGER);
CREATE TABLE position (game INTEGER PRIMARY KEY, flow TEXT);
CREATE TABLE counter (game INTEGER, number INTEGER, place TEXT, PRIMARY KEY (game, number));
CREATE TABLE seat (game INTEGER, number INTEGER, is_asked INTEGER, PRIMARY KEY (game, number));
CREATE TABLE action (id INTEGER PRIMARY KEY, game INTEGER, body TEXT);
CREATE TABLE notice (id INTEGER PRIMARY KEY, game INTEGER);
"""


class Worker:
    """The one thread that writes."""

    def __init__(self, database: str, burn: float) -> None:
        self.database, self.burn = database, burn
        self.thread = ThreadPoolExecutor(1)
        self.connection: sqlite3.Connection | None = None

    def connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.database, isolation_level=None)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        return connection

    def act(self, game: int) -> str:
        if self.connection is None:
            self.connection = self.connect()
        run, run_many = self.connection.execute, self.connection.executemany
        run("BEGIN IMMEDIATE")
        run("UPDATE game SET revision = revision + 1 WHERE id = ?", (game,))
        run("UPDATE position SET flow = ? WHERE game = ?", ("f" * 800, game))
        moved = [("h1", game, number) for number in range(4)]
        run_many("UPDATE counter SET place = ? WHERE game = ? AND number = ?", moved)
        run_many("UPDATE seat SET is_asked = 1 WHERE game = ? AND number = ?", [(game, 0), (game, 1)])
        run("INSERT INTO action (game, body) VALUES (?, ?)", (game, "a" * 1500))
        run("INSERT INTO notice (game) VALUES (?)", (game,))
        run("COMMIT")
        until = time.thread_time() + self.burn
        while time.thread_time() < until:
            pass
        return FRAME


worker: Worker
sitting: defaultdict[int, set[TableSocket]] = defaultdict(set)


class TableSocket(AsyncWebsocketConsumer):
    game = 0

    async def connect(self) -> None:
        self.game = self.scope["url_route"]["kwargs"]["game"]
        sitting[self.game].add(self)
        await self.accept()

    async def disconnect(self, code: int) -> None:
        sitting[self.game].discard(self)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        frame = await asyncio.get_running_loop().run_in_executor(worker.thread, worker.act, self.game)
        for socket in list(sitting[self.game]):
            await socket.send(text_data=frame)


def lay_down(database: str, tables: int) -> None:
    connection = sqlite3.connect(database)
    connection.executescript(SCHEMA)
    for game in range(tables):
        connection.execute("INSERT INTO game VALUES (?, 0)", (game,))
        connection.execute("INSERT INTO position VALUES (?, '')", (game,))
        connection.executemany("INSERT INTO counter VALUES (?, ?, '')", [(game, each) for each in range(COUNTERS)])
        connection.executemany("INSERT INTO seat VALUES (?, ?, 0)", [(game, each) for each in range(SEATS)])
    connection.commit()
    connection.close()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--tables", type=int, required=True)
    parser.add_argument("--burn", type=float, default=3, help="ms of busy work for each action")
    parser.add_argument("--database", required=True)
    given = parser.parse_args()
    settings.configure(SECRET_KEY="not secret", INSTALLED_APPS=["channels"])
    import django

    django.setup()
    global worker
    worker = Worker(given.database, given.burn / 1000)
    lay_down(given.database, given.tables)
    routes: Any = [path("ws/<int:game>/", TableSocket.as_asgi())]
    application = ProtocolTypeRouter({"websocket": URLRouter(routes)})
    endpoint = f"tcp:port={given.port}:interface=127.0.0.1:backlog=1024"
    Server(application, endpoints=[endpoint], signal_handlers=True).run()


if __name__ == "__main__":
    main()
