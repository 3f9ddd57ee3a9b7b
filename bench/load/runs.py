"""Whole runs: start a server, open its pages, play or rest, and say what was seen."""

from __future__ import annotations

import asyncio
import random
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import driving, report, servers
from .bare import BareTable
from .driving import Drive, Measured
from .pages import Seen, Table
from .servers import CountedServer, Server

SETTLE_SECONDS = 1.0
FEWEST_TABLES = 10  # to tell a table's memory from the process's own
MOST_GROWTH = 0.05
RELOADING = 4  # connections of pages that are being loaded anew when a sample is taken
WARM_ACTIONS = 3  # at each table, before anything is counted


@dataclass
class Site:
    """Which Kadab is run, and on what."""

    project: Path
    kept: Path
    seeded: Path
    recorded: list[dict[str, Any]]
    settings: str = "kadab.settings"
    is_pinned: bool = False

    def served(self, folder: Path, is_counted: bool = False) -> Server:
        return servers.kadab(self.project, self.seeded, folder, self.settings, is_counted)


@dataclass
class House:
    """A server with tables at which all pages are open; `slots` say which table follows which."""

    server: Server
    tables: list[Table]
    slots: list[list[Table]]
    seen: Seen
    empty: float  # MB of memory with one table open


@contextmanager
def running(server: Server, kept: Path) -> Iterator[Server]:
    try:
        yield server
    finally:
        server.stop()
        shutil.copy(server.log, kept / "last-server.log")


@asynccontextmanager
async def opened(site: Site, door: str, tables: int, games: int = 1) -> AsyncIterator[House]:
    """A Kadab with so many tables, and so many recorded games for each one after another."""
    with tempfile.TemporaryDirectory(dir=site.kept) as folder:
        server = site.served(Path(folder))
        with running(server, site.kept):
            if site.is_pinned:
                server.pin()
            seen = Seen()
            recorded = site.recorded[: tables * games]
            all_ = [Table(number, each, server.port, door, seen) for number, each in enumerate(recorded)]
            # The first table loads code and templates; memory is counted from there.
            await driving.opened(all_[:1])
            await asyncio.sleep(SETTLE_SECONDS)
            empty = server.memory()
            await driving.opened(all_[1:])
            await asyncio.sleep(SETTLE_SECONDS)
            slots = [all_[slot::tables] for slot in range(tables)]
            alive = asyncio.ensure_future(driving.keep_alive(all_))
            try:
                yield House(server, all_, slots, seen, empty)
            finally:
                alive.cancel()
                for table in all_:
                    table.close()


async def kadab(name: str, site: Site, door: str, tables: int, games: int, plays: list[Play]) -> list[Measured]:
    """Each way of playing in turn at the same tables, and the memory they took."""
    async with opened(site, door, tables, games) as house:
        found = [await play.measured(name, house.slots, house.seen, house.server) for play in plays]
        found[-1].extra |= await memory(house)
        return found


@dataclass(frozen=True)
class Play:
    """How a run is played; a rate of 0 is closed loop."""

    rate: float
    warm: float
    seconds: float
    calm: float = 0  # how long to wait for a quiet machine at most

    async def measured(self, name: str, slots: Sequence[list[Any]], seen: Seen, server: Server) -> Measured:
        await driving.calm(server, self.calm)
        measured = await Drive(slots, seen, self.rate).run(name, server, self.warm, self.seconds)
        print(report.brief(measured), file=sys.stderr, flush=True)
        return measured


async def memory(house: House) -> dict[str, float]:
    """MB of a table with its four sockets after play, and kB of a socket, for which each page opens a second one.

    With few tables this would only tell how far the process's own caches have filled.
    """
    tables = len(house.tables) - 1
    if tables < FEWEST_TABLES:
        return {}
    after = house.server.memory()
    pages = [page for table in house.tables for page in table.pages]
    spare = [await page.new_socket(unheard) for page in pages]
    await asyncio.sleep(SETTLE_SECONDS)
    more = house.server.memory() - after
    for socket in spare:
        socket.close()
    return {"MB/table": (after - house.empty) / tables, "kB/socket": 1024 * more / len(pages)}


def unheard(text: bytes, wire: int) -> None:
    """For sockets that are only there to be counted."""


async def bare(site: Site, tables: int, plays: list[Play], burn: float) -> list[Measured]:
    """The yardstick, played the same way."""
    with (
        tempfile.TemporaryDirectory(dir=site.kept) as folder,
        running(servers.yardstick(tables, Path(folder), burn), site.kept) as server,
    ):
        if site.is_pinned:
            server.pin()
        seen = Seen()
        all_ = [BareTable(number, server.port, seen) for number in range(tables)]
        for table in all_:
            await table.open()
        slots = [[table] for table in all_]
        found = [await play.measured(report.YARDSTICK, slots, seen, server) for play in plays]
        for table in all_:
            table.close()
        return found


# ---- counts


@dataclass
class Counted:
    """What one action takes, on average."""

    name: str
    actions: int
    statements: float
    brackets: float
    hops: float
    connections: float
    socket_bytes: float
    answer_bytes: float
    copied_bytes: float
    page_bytes: float  # of a page that is loaded
    problems: dict[str, int]
    texts: dict[str, float] = field(default_factory=dict)  # statements, and how often each is run per action

    @property
    def bytes(self) -> float:
        return self.socket_bytes + self.answer_bytes


async def counted(name: str, site: Site, door: str, tables: int, actions: int) -> Counted:
    """Play so many actions in all, closed loop, on a server that counts.

    What the server does by itself in that time (the caretaker's tick) is measured at rest before, and taken off. Pages
    do not pulse.
    """
    with tempfile.TemporaryDirectory(dir=site.kept) as folder:
        server = site.served(Path(folder), is_counted=True)
        assert isinstance(server, CountedServer)
        with running(server, site.kept):
            seen = Seen()
            all_ = [Table(number, each, server.port, door, seen) for number, each in enumerate(site.recorded[:tables])]
            await driving.opened(all_)
            await played(all_, WARM_ACTIONS * tables)
            await asyncio.sleep(SETTLE_SECONDS)
            begun, first = time.monotonic(), server.counts()
            await asyncio.sleep(2)
            between, second = time.monotonic(), server.counts()
            seen.clear()
            seen.is_on = True
            made = await played(all_, actions)
            await asyncio.sleep(0.2)  # what a ring has still under way
            ended, third = time.monotonic(), server.counts()
            for table in all_:
                table.close()
    at_rest = (ended - between) / (between - begun)

    def each(kind: str, what: str) -> float:
        a, b, c = (counts[kind].get(what, 0) for counts in (first, second, third))
        return (c - b - (b - a) * at_rest) / made

    return Counted(
        name=name,
        actions=made,
        **{what: each("counts", what) for what in ("statements", "brackets", "hops", "connections")},
        socket_bytes=seen.counts["socket bytes"] / made,
        answer_bytes=seen.counts["answer bytes"] / made,
        copied_bytes=seen.counts["copied bytes"] / made,
        page_bytes=statistics.mean(page.loaded_bytes for table in all_ for page in table.pages),
        problems=dict(seen.problems),
        texts={text: each("texts", text) for text in third["texts"]},
    )


async def played(tables: list[Table], actions: int) -> int:
    """Play so many actions, the same number at every table; returns how many were completed."""

    async def one(table: Table) -> int:
        for number in range(actions // len(tables)):
            done: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
            table.play(done.set_result)
            if not await asyncio.wait_for(done, driving.LONGEST_ACTION_SECONDS):
                return number
        return actions // len(tables)

    return sum(await asyncio.gather(*(one(table) for table in tables)))


# ---- at rest


@dataclass
class Idle:
    pages: int
    share: float  # of a core
    pulses: int


async def idle(site: Site, pages: int, seconds: float) -> Idle:
    """Open pages at which nothing happens."""
    async with opened(site, "post", -(-pages // 4)) as house:
        await asyncio.sleep(3)
        house.seen.is_on = True
        spent, begun = house.server.processor_seconds(), time.monotonic()
        await asyncio.sleep(seconds)
        spent, took = house.server.processor_seconds() - spent, time.monotonic() - begun
        return Idle(4 * len(house.tables), spent / took, house.seen.counts["pulses"])


# ---- soaking


@dataclass
class Sample:
    at: float
    memory: float
    descriptors: int


@dataclass
class Soaked:
    measured: Measured
    samples: list[Sample]
    warm: float
    reloads: int

    def ends(self, name: str) -> tuple[float, float]:
        """Medians of the first and the last fifth of the samples after warming up."""
        values = [getattr(each, name) for each in self.samples if each.at >= self.warm]
        some = max(1, len(values) // 5)
        return statistics.median(values[:some]), statistics.median(values[-some:])

    def growth(self, name: str) -> float:
        first, last = self.ends(name)
        return last / first - 1

    def is_flat(self, name: str) -> bool:
        """Whether it grew by a twentieth at most (C16), or by no more than reloading pages account for."""
        first, last = self.ends(name)
        return last <= first * (1 + MOST_GROWTH) or (name == "descriptors" and last - first <= RELOADING)


async def soak(site: Site, door: str, tables: int, games: int, rate: float, seconds: float) -> Soaked:
    """Paced play for a long time, with a page loaded anew every second, as people come and go."""
    warm = seconds / 5
    samples: list[Sample] = []
    async with opened(site, door, tables, games) as house:
        begun = time.monotonic()
        reloads = 0

        async def sample() -> None:
            while True:
                now = time.monotonic() - begun
                samples.append(Sample(now, house.server.memory(), house.server.descriptors()))
                if len(samples) % 12 == 1:
                    latest = samples[-1]
                    told = f"{latest.at:6.0f} s {latest.memory:8.1f} MB {latest.descriptors:6} descriptors"
                    print(told, file=sys.stderr, flush=True)
                await asyncio.sleep(min(5, seconds / 60))

        async def come_and_go() -> None:
            nonlocal reloads
            while True:
                await asyncio.sleep(1)
                await random.choice(random.choice(house.tables).pages).reload()
                reloads += 1

        beside = [asyncio.ensure_future(sample()), asyncio.ensure_future(come_and_go())]
        try:
            play = Play(rate, min(3, warm), seconds)
            measured = await play.measured(f"Kadab, {door}", house.slots, house.seen, house.server)
        finally:
            for task in beside:
                task.cancel()
    return Soaked(measured, samples, warm, reloads)
