"""Break what Kadab stands on while people play, and tell what they noticed: `make faults`.

    python -m tools.faults                        # every fault, 200 kills: about half an hour
    python -m tools.faults redis postgres-20      # some, by the beginning of their names
    python -m tools.faults kill --kills 20        # 10 on SQLite, 10 on PostgreSQL

Real processes (kadab.serve; with PostgreSQL also manage.py run_bots and send_mail) and real servers of their own, which
are killed, stopped and continued. Two tables are played through the API: at one two people move, at the other a person
and a bot. Each action is sent again with its token until it is answered. Beside that pages are asked for, and each
table has an open socket that is opened again as a page would.

worst     the longest that anybody waited for an answer, be it 503
statuses  of actions, looks at a table and pages
back      from the end of the fault to the first action that was made, and to the first news by a socket
news      the longest that a move was stored and not told by the open socket
lost      actions that were acknowledged and are not stored; numbers missing in a game; games that verify_games refuses
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import re
import signal
import sqlite3
import sys
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import redis

from bench.load.wire import Browser, Socket
from tests.server import Server
from tools.proxy import Proxy
from tools.services import PostgreSQL, Redis, create_database, install

CALM_SECONDS = 2.0  # of play before a fault
AFTER_SECONDS = 6.0  # of play after it
LONGEST_WAIT = 60.0  # for what a busy machine does later than that
LONGEST_ANSWER = 60.0
PREPARE = """
from players.models import Player
from players import tokens
people = [Player.objects.get_or_create(username=name)[0] for name in ("fault-anna", "fault-ben")]
print(*(tokens.make(each, "faults")[1] for each in people))
"""
STORED = """
from games.models import Action
for row in Action.objects.filter(number__gt=0).select_related("game").order_by("pk"):
    print(row.game.public_id, row.number, row.revision, row.token)
"""
NONE = "none"  # no answer: the connection was refused or cut


# ---- what was seen


@dataclass
class Seen:
    """Everything that happened to whoever played."""

    answers: list[tuple[float, float, str]] = field(default_factory=list)  # when, seconds, status; of actions
    others: list[tuple[float, float, str]] = field(default_factory=list)  # of pages, and of looks at a table
    news: list[tuple[float, float]] = field(default_factory=list)  # when a move was stored, how much later it was told
    frames: list[float] = field(default_factory=list)  # when a socket said something
    acknowledged: dict[tuple[str, int], str] = field(default_factory=dict)  # by table and revision: the token

    def statuses(self) -> str:
        count = Counter(status for _, _, status in (*self.answers, *self.others))
        return " ".join(f"{status}×{number}" for status, number in sorted(count.items()))

    def worst(self, since: float, until: float = float("inf")) -> float:
        both = (*self.answers, *self.others)
        return max((took for at, took, _ in both if at + took >= since and at <= until), default=0.0)

    def first_after(self, moment: float) -> float:
        """Seconds from a moment to the first action that was made."""
        made = [at + took - moment for at, took, status in self.answers if status == "200" and at + took >= moment]
        return min(made, default=float("inf"))

    def first_frame_after(self, moment: float) -> float:
        return min((at - moment for at in self.frames if at >= moment), default=float("inf"))

    def latest_news(self, since: float) -> float:
        return max((lag for at, lag in self.news if at >= since), default=0.0)


@dataclass
class Row:
    """One line of the table."""

    fault: str
    worst: str
    statuses: str
    back: str
    news: str
    lost: str
    verdict: str

    def __str__(self) -> str:
        cells = (self.fault, self.worst, self.statuses, self.back, self.news, self.lost, self.verdict)
        return f"| {' | '.join(cells)} |"


HEAD = (
    "| fault | worst answer | statuses | back after: action, news | latest news | lost, gaps, unsound of | |\n"
    "|---|---|---|---|---|---|---|"
)


# ---- who plays


class Players:
    """Two tables, played until `stop`, from the address of a server or of a proxy before it."""

    def __init__(self, site: Server, port: int | None = None) -> None:
        self.site, self.port = site, port or site.port
        self.seen = Seen()
        self.stop = asyncio.Event()
        self.in_flight = asyncio.Event()
        self.games: dict[bool, str] = {}  # the table of two people, and the one with a bot
        self.heard: dict[str, int] = {}
        self.tasks: list[asyncio.Task[None]] = []
        self.secrets: list[str] = []

    async def __aenter__(self) -> Players:
        self.secrets = (await asyncio.to_thread(self.site.shell, PREPARE)).split()
        for bot in (False, True):
            self.games[bot] = await self.table(bot)
            self.tasks.append(asyncio.ensure_future(self.keep_playing(bot)))
            self.tasks.append(asyncio.ensure_future(self.listen(bot)))
        self.tasks.append(asyncio.ensure_future(self.look_at_pages()))
        return self

    async def __aexit__(self, *_: object) -> None:
        self.stop.set()
        await asyncio.wait(self.tasks, timeout=10)
        for task in self.tasks:
            task.cancel()
        for done in await asyncio.gather(*self.tasks, return_exceptions=True):
            if isinstance(done, Exception):
                raise done

    async def table(self, bot: bool) -> str:
        browser = Browser(self.port)
        other = {"kind": "bot", "level": "random"} if bot else {"kind": "open"}
        body = {"game": "gambit", "options": {"light": "host"}, "seats": [{"kind": "me"}, other], "public": True}
        game = (await self.insist(browser, self.secrets[0], "tables", body))["id"]
        if not bot:
            await self.insist(browser, self.secrets[1], f"tables/{game}/join", {})
            await self.insist(browser, self.secrets[0], f"tables/{game}/start", {})
        browser.close()
        return str(game)

    async def insist(self, browser: Browser, secret: str, path: str, body: Any) -> Any:
        """Ask until it is done, or has been done by a try whose answer was lost."""
        while True:
            status, answer = await self.api(browser, secret, "POST", path, body)
            if status and status != 503:
                return answer
            await asyncio.sleep(0.3)

    async def api(self, browser: Browser, secret: str, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """Status and answer; 0 without one."""
        head = f"Authorization: Bearer {secret}\r\nContent-Type: application/json\r\n"
        data = json.dumps(body).encode() if body is not None else b""
        try:
            answer = await asyncio.wait_for(browser.ask(method, f"/api/v1/{path}", head, data), LONGEST_ANSWER)
        except (OSError, EOFError, TimeoutError, ValueError):
            browser.close()
            return 0, {}
        try:
            return answer.status, json.loads(answer.body or b"{}")
        except ValueError:
            return answer.status, {}

    async def keep_playing(self, bot: bool) -> None:
        browser = Browser(self.port)
        while not self.stop.is_set():
            game = self.games[bot]
            for secret in self.secrets[: 1 if bot else 2]:
                begun = time.monotonic()
                status, seen = await self.api(browser, secret, "GET", f"tables/{game}?sample=3")
                self.seen.others.append((begun, time.monotonic() - begun, str(status or NONE)))
                if status != 200:
                    await asyncio.sleep(0.1)
                elif seen["status"] != "running":
                    self.games[bot] = await self.table(bot)  # that game is over
                    break
                elif seen["decision"]:
                    await self.move(browser, secret, game, seen)
            if bot:
                await self.watch_bot(browser, game)

    async def move(self, browser: Browser, secret: str, game: str, seen: Any) -> None:
        action = next(each for each in seen["sample"] if each["do"] == "move")
        token = uuid.uuid4().hex
        body = {"revision": seen["revision"], "token": token, "decision": seen["decision"], "action": action}
        while not self.stop.is_set():
            begun = time.monotonic()
            asking = asyncio.ensure_future(self.api(browser, secret, "POST", f"tables/{game}/actions", body))
            self.in_flight.set()
            status, answer = await asking
            self.in_flight.clear()
            self.seen.answers.append((begun, time.monotonic() - begun, str(status or NONE)))
            if status == 200:
                self.seen.acknowledged[game, answer["revision"]] = token
                return
            if 400 <= status < 500:
                raise AssertionError(f"an action was refused: {answer}")
            await asyncio.sleep(0.15)

    async def watch_bot(self, browser: Browser, game: str) -> None:
        """Wait for the bot's move, and for the news of it."""
        while not self.stop.is_set():
            status, seen = await self.api(browser, self.secrets[0], "GET", f"tables/{game}")
            if status == 200 and (seen["decision"] or seen["status"] != "running"):
                break
            await asyncio.sleep(0.05)
        else:
            return
        stored, revision = time.monotonic(), seen["revision"]
        while not self.stop.is_set() and self.heard.get(game, -1) < revision:
            await asyncio.sleep(0.02)
        self.seen.news.append((stored, time.monotonic() - stored))

    async def listen(self, bot: bool) -> None:
        """A spectator's page: it opens its socket again whatever closed it, and says what it shows."""

        def hear(message: bytes, _: int) -> None:
            self.seen.frames.append(time.monotonic())
            game = self.games[bot]
            for revision in re.findall(rb'data-revision="(\d+)"', message):
                self.heard[game] = max(self.heard.get(game, -1), int(revision))

        while not self.stop.is_set():
            game = self.games[bot]
            path = f"/ws/tables/{game}/?v={max(0, self.heard.get(game, 0))}"
            with contextlib.suppress(OSError, EOFError, TimeoutError):
                opening = Socket.connect(self.port, path, "", hear, "127.0.0.1", self.site.port)
                socket = await asyncio.wait_for(opening, 4)
                while socket.is_open and game == self.games[bot] and not self.stop.is_set():
                    await asyncio.sleep(0.02)
                socket.close()
            await asyncio.sleep(random.uniform(0.15, 1.0))

    async def look_at_pages(self) -> None:
        browser = Browser(self.port)
        while not self.stop.is_set():
            begun = time.monotonic()
            try:
                status = str((await asyncio.wait_for(browser.ask("GET", "/"), LONGEST_ANSWER)).status)
            except (OSError, EOFError, TimeoutError):
                browser.close()
                status = NONE
            self.seen.others.append((begun, time.monotonic() - begun, status))
            await asyncio.sleep(0.3)

    async def lost(self) -> str:
        """Acknowledged and not stored, numbers missing, games that do not verify."""
        stored: dict[tuple[str, int], str] = {}
        numbers: dict[str, list[int]] = {}
        for line in (await asyncio.to_thread(self.site.shell, STORED)).splitlines():
            game, number, revision, token = line.split()
            stored[game, int(revision)] = token
            numbers.setdefault(game, []).append(int(number))
        lost = [key for key, token in self.seen.acknowledged.items() if stored.get(key) != token]
        gaps = [game for game, found in numbers.items() if sorted(found) != list(range(1, len(found) + 1))]
        twice = len(stored) - len(set(stored.values()))
        said = await asyncio.to_thread(self.site.manage, "verify_games")
        found = re.search(r"(\d+) not", said)
        assert found, said
        return f"{len(lost)}, {len(gaps) + twice}, {found[1]} of {len(self.seen.acknowledged)}"


# ---- faults


@dataclass
class Site:
    """A running server and what it stands on."""

    server: Server
    postgres: PostgreSQL | None = None
    bus: Redis | None = None


@contextlib.asynccontextmanager
async def site(folder: Path, on_postgres: bool) -> AsyncIterator[Site]:
    folder.mkdir(parents=True)
    with contextlib.ExitStack() as stack:
        postgres = bus = None
        environment = {"BOT_PROCESSES": "1", "DATABASE_URL": "", "REDIS_URL": ""}
        if on_postgres:
            postgres = stack.enter_context(PostgreSQL(folder, is_safe=True))
            bus = stack.enter_context(Redis(folder))
            environment |= {"DATABASE_URL": create_database(postgres.url("kadab"), "kadab"), "REDIS_URL": bus.url}
        server = Server(folder / "site", **environment)
        server.folder.mkdir()
        yield Site(await asyncio.to_thread(stack.enter_context, server), postgres, bus)


async def during(found: Site, name: str, limits: Limits, fault: Callable[[Players], Awaitable[None]]) -> Row:
    """Let people play, break something, and tell."""
    async with Players(found.server) as players:
        return await seen_by(players, name, limits, fault)


@dataclass(frozen=True)
class Limits:
    """What is promised, in seconds."""

    worst: float
    back: float
    news: float = float("inf")
    only: tuple[str, ...] = ("200", "503")


async def until(is_so: Callable[[], bool]) -> None:
    """Wait for something that a busy machine does late; whoever reads the row sees whether it happened."""
    latest = time.monotonic() + LONGEST_WAIT
    while not is_so() and time.monotonic() < latest:
        await asyncio.sleep(0.05)


async def seen_by(players: Players, name: str, limits: Limits, fault: Callable[[Players], Awaitable[None]]) -> Row:
    seen = players.seen
    await asyncio.sleep(CALM_SECONDS)
    await until(lambda: len(seen.acknowledged) >= 5)
    begun = time.monotonic()
    await fault(players)
    ended = time.monotonic()
    await asyncio.sleep(AFTER_SECONDS)
    await until(lambda: max(seen.first_after(ended), seen.first_frame_after(ended)) < float("inf"))
    players.stop.set()
    await asyncio.wait(players.tasks, timeout=10)
    usual, worst = seen.worst(0, begun - 0.1), seen.worst(begun)
    action, frame, news = seen.first_after(ended), seen.first_frame_after(ended), seen.latest_news(begun)
    lost = await players.lost()
    others = {status for _, _, status in (*seen.answers, *seen.others)} - set(limits.only)
    checks = {
        "slow": worst > limits.worst,
        "not back": max(action, frame) > limits.back,
        "news late": news > limits.news,
        f"answers {' '.join(sorted(others))}": bool(others),
        "LOST": not lost.startswith("0, 0, 0 "),
        "nobody played": len(seen.acknowledged) < 5,
    }
    verdict = ", ".join(what for what, is_so in checks.items() if is_so) or "ok"
    return Row(
        name,
        f"{worst:.1f} s (usual {usual:.1f})",
        seen.statuses(),
        f"{action:.1f} s, {frame:.1f} s",
        f"{news:.1f} s",
        lost,
        verdict,
    )


async def redis_killed(found: Site, seconds: float) -> Row:
    async def fault(_: Players) -> None:
        assert found.bus
        found.bus.kill()
        await asyncio.sleep(seconds)
        await asyncio.to_thread(found.bus.start)

    return await during(found, f"Redis killed for {seconds:g} s", Limits(2.0, 5.0, 5.0, ("200",)), fault)


async def redis_stopped(found: Site, seconds: float) -> Row:
    async def fault(_: Players) -> None:
        assert found.bus
        found.bus.pause()
        await asyncio.sleep(seconds)
        found.bus.go_on()

    return await during(found, f"Redis hangs for {seconds:g} s", Limits(2.0, 5.0, 5.0, ("200",)), fault)


async def redis_flushed(found: Site, _: float) -> Row:
    async def fault(_: Players) -> None:
        assert found.bus
        client = redis.Redis(port=found.bus.port)
        for _each in range(3):
            client.flushall()
            await asyncio.sleep(2)
        client.close()

    return await during(found, "Redis flushed, three times", Limits(2.0, 5.0, 5.0, ("200",)), fault)


async def postgres_stopped(found: Site, seconds: float) -> Row:
    async def fault(_: Players) -> None:
        assert found.postgres
        await asyncio.to_thread(found.postgres.stop)
        await asyncio.sleep(seconds)
        await asyncio.to_thread(found.postgres.start)

    return await during(found, f"PostgreSQL away for {seconds:g} s", Limits(2.0, 10.0), fault)


def database_file(found: Site) -> Path:
    return found.server.folder / "kadab.sqlite3"


async def sqlite_locked(found: Site, seconds: float) -> Row:
    async def fault(_: Players) -> None:
        with contextlib.closing(sqlite3.connect(database_file(found), isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            await asyncio.sleep(seconds)

    return await during(found, f"SQLite locked for {seconds:g} s", Limits(22.0, 10.0), fault)


async def sqlite_full(found: Site, seconds: float) -> Row:
    """No byte more fits into any of its files: the limit is the process's own, which the kernel keeps to."""

    async def fault(players: Players) -> None:
        assert found.server.process
        pid = found.server.process.pid
        await run("prlimit", f"--pid={pid}", "--fsize=1024:")
        await asyncio.sleep(seconds)
        await until(lambda: any(status == "503" for _, _, status in players.seen.answers))
        await run("prlimit", f"--pid={pid}", "--fsize=unlimited:")

    return await during(found, f"SQLite: disk full for {seconds:g} s", Limits(2.0, 10.0), fault)


async def sqlite_read_only(found: Site, seconds: float) -> Row:
    """Nobody may write the file; whoever has it open still could, so the server is started anew."""

    async def fault(_: Players) -> None:
        path = database_file(found)
        await run("chattr", "+i", str(path))
        try:
            await asyncio.to_thread(found.server.kill)
            await asyncio.to_thread(found.server.start)
            await asyncio.sleep(seconds)
        finally:
            await run("chattr", "-i", str(path))

    limits = Limits(2.0, 10.0, only=("200", "503", NONE))
    return await during(found, f"SQLite read-only for {seconds:g} s, from a restart on", limits, fault)


async def run(*words: str) -> None:
    process = await asyncio.create_subprocess_exec(*words)
    assert await process.wait() == 0, words


async def killed(found: Site, kills: int) -> Row:
    """kill -9 of web, bots and mail while an action is on its way. Ctrl-C: no kill more."""
    restarts: list[float] = []
    enough = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGINT, enough.set)

    async def fault(players: Players) -> None:
        while len(restarts) < kills and not enough.is_set():
            before = len(players.seen.acknowledged)
            while len(players.seen.acknowledged) < before + 3:
                await asyncio.sleep(0.01)
            await players.in_flight.wait()
            await asyncio.sleep(random.uniform(0, 0.025))
            began = time.monotonic()
            for each in (found.server.process, *found.server.workers):
                assert each
                os.kill(each.pid, signal.SIGKILL)
            await asyncio.to_thread(found.server.kill)
            await asyncio.to_thread(found.server.start)
            restarts.append(time.monotonic() - began)

    where = "PostgreSQL" if found.postgres else "SQLite"
    what = f"kill -9 of {'web, bots and mail' if found.postgres else 'the one process'}, {where}"
    row = await during(found, what, Limits(60.0, 10.0, only=("200", "503", NONE)), fault)
    row.fault = f"{len(restarts)} × {what}"
    row.worst += f"; restart {max(restarts):.1f} s"
    return row


async def network(found: Site, longest: float) -> Row:
    """Everybody comes through a proxy that stalls for 0.2 to 5 s and then goes on, or cuts."""
    stalls = [seconds for seconds in (0.2, 0.5, 1, 2, 5) if seconds <= longest]
    async with Proxy(found.server.port) as proxy, Players(found.server, proxy.port) as players:
        backs: list[float] = []

        async def fault(players: Players) -> None:
            for seconds in stalls:
                for cuts in (False, True):
                    proxy.stall()
                    await asyncio.sleep(seconds)
                    if cuts:
                        proxy.cut()
                    proxy.go_on()
                    ended = time.monotonic()
                    while time.monotonic() < ended + 3 and players.seen.first_frame_after(ended) > 3:
                        await asyncio.sleep(0.05)
                    backs.append(players.seen.first_frame_after(ended))

        limits = Limits(2 * longest + 2, 2.0, only=("200", NONE))  # sent again, it may meet the next stall
        name = f"network stalls {stalls[0]:g} to {stalls[-1]:g} s, then goes on or is cut: {2 * len(stalls)} times"
        row = await seen_by(players, name, limits, fault)
    row.back += f"; news at worst {max(backs):.1f} s"
    if max(backs) > 2:
        row.verdict = f"{row.verdict}, news not back in 2 s"
    return row


Fault = Callable[[Site, float], Awaitable[Row]]
FAULTS: dict[str, tuple[bool, Fault, float]] = {  # by name: on PostgreSQL and Redis?, what is done, for how long
    "redis-killed": (True, redis_killed, 15),
    "redis-stopped": (True, redis_stopped, 20),
    "redis-flushed": (True, redis_flushed, 0),
    "postgres-3": (True, postgres_stopped, 3),
    "postgres-20": (True, postgres_stopped, 20),
    "postgres-60": (True, postgres_stopped, 60),
    "sqlite-locked": (False, sqlite_locked, 25),
    "sqlite-full": (False, sqlite_full, 5),
    "sqlite-read-only": (False, sqlite_read_only, 5),
    "network": (False, network, 5),
    "kill-sqlite": (False, lambda found, kills: killed(found, int(kills)), 100),
    "kill-postgres": (True, lambda found, kills: killed(found, int(kills)), 100),
}


async def suffer(name: str, folder: Path, amount: float | None = None) -> Row:
    """One fault at a site of its own."""
    on_postgres, fault, usual = FAULTS[name]
    async with site(folder / name, on_postgres) as found:
        return await fault(found, usual if amount is None else amount)


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("faults", nargs="*", help=f"beginnings of names: {', '.join(FAULTS)}")
    arguments.add_argument("--kills", type=int, default=200, help="on both databases together")
    given = arguments.parse_args()
    names = [name for name in FAULTS if not given.faults or name.startswith(tuple(given.faults))]
    if any(FAULTS[name][0] for name in names):
        install("postgres", "redis-server")
    print(HEAD, flush=True)
    is_well = bool(names)
    for name in names:
        with tempfile.TemporaryDirectory(prefix="kadab-faults-") as folder:
            try:
                amount = max(1, given.kills // 2) if name.startswith("kill") else None
                row = asyncio.run(suffer(name, Path(folder), amount))
                print(row, flush=True)
                is_well &= row.verdict == "ok"
            except Exception as error:
                print(f" | {name} | failed: {type(error).__name__}: {error}", flush=True)
                is_well = False
    return 0 if is_well else 1


if __name__ == "__main__":
    sys.exit(main())
