"""Play many tables at once: closed loop (the next action follows at once) or paced, and measure."""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from .pages import Seen
from .servers import Server, busy_seconds

LONGEST_ACTION_SECONDS = 30.0
LOOK_SECONDS = 30


class Player(Protocol):
    """A table that can be played: Kadab's, or the yardstick's."""

    @property
    def is_over(self) -> bool: ...

    def play(self, done: Any) -> None: ...

    def end(self, is_done: bool) -> None: ...


@dataclass
class Measured:
    """What one run has shown. Latencies are in milliseconds, processor time in ms per action."""

    name: str
    tables: int
    mode: str
    seconds: float
    actions: int
    latencies: list[float]
    waiting: int  # actions that were due and not sent when the run ended
    processor: float  # ms of the server's processor time per action
    generator: float  # share of a core that the generator used
    others: float  # cores that everything else on the machine used
    counts: dict[str, int]
    problems: dict[str, int]
    sizes: list[int]
    extra: dict[str, float] = field(default_factory=dict)

    @property
    def rate(self) -> float:
        return self.actions / self.seconds

    def at(self, share: float) -> float:
        latencies = sorted(self.latencies)
        return latencies[min(len(latencies) - 1, int(share * len(latencies)))] if latencies else float("nan")


class Slot:
    """A place where tables are played one after another, as recorded games are finite."""

    def __init__(self, players: list[Player], drive: Drive) -> None:
        self.players, self.drive = players, drive
        self.is_busy = False
        self.due: list[float] = []  # intended times of actions that wait for the one under way
        self.intended = 0.0
        self.limit: asyncio.TimerHandle | None = None
        self.is_dry = self.has_failed = False

    def go(self, intended: float) -> None:
        """Send the next action, meant for this time."""
        if self.drive.is_stopped or self.is_dry:
            return
        while self.players and self.players[0].is_over:
            self.players.pop(0)
        if not self.players:
            self.is_dry = True
            if not self.has_failed:
                self.drive.dry.set()
            return
        self.intended, self.is_busy = intended, True
        self.limit = self.drive.loop.call_later(LONGEST_ACTION_SECONDS, self.give_up)
        self.players[0].play(self.done)

    def give_up(self) -> None:
        self.drive.seen.trouble("not complete in time")
        self.players[0].end(False)

    def done(self, is_done: bool) -> None:
        now = time.perf_counter()
        if self.limit:
            self.limit.cancel()
        self.is_busy = False
        if not is_done:
            self.has_failed = True
            self.players.pop(0)  # its record does not fit the game any more
        elif self.drive.seen.is_on:  # an action counts when it is complete
            self.drive.seen.latencies.append(1000 * (now - self.intended))
            self.drive.seen.count("actions")
        if self.drive.rate == 0:
            self.drive.loop.call_soon(lambda: self.go(time.perf_counter()))
        elif self.due:
            self.go(self.due.pop(0))

    def plan(self, intended: float) -> None:
        """Paced: gaps are exponential, whatever the server does."""
        if self.drive.is_stopped or self.is_dry:
            return
        following = intended + random.expovariate(self.drive.rate)
        self.drive.loop.call_at(self.drive.loop.time() + following - time.perf_counter(), self.fall_due, following)

    def fall_due(self, intended: float) -> None:
        if self.is_busy:
            self.due.append(intended)
        else:
            self.go(intended)
        self.plan(intended)


class Drive:
    """One run over some slots. `rate` is actions a second of each table; 0 is closed loop."""

    def __init__(self, tables: Sequence[list[Any]], seen: Seen, rate: float) -> None:
        self.loop = asyncio.get_running_loop()
        self.seen, self.rate = seen, rate
        self.is_stopped = False
        self.begun = 0.0
        self.dry = asyncio.Event()
        self.slots = [Slot(players, self) for players in tables]

    async def run(self, name: str, server: Server, warm: float, seconds: float) -> Measured:
        for slot in self.slots:
            if self.rate:
                slot.plan(time.perf_counter())
            else:
                slot.go(time.perf_counter())
        await asyncio.sleep(warm)
        self.seen.clear()
        self.seen.is_on, self.begun = True, time.perf_counter()
        spent, own, all_ = server.processor_seconds(), time.process_time(), busy_seconds()
        # A slot that has nothing left to play ends the run: what follows would be another load.
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.dry.wait(), seconds)
        took = time.perf_counter() - self.begun
        self.seen.is_on = False
        spent, own = server.processor_seconds() - spent, time.process_time() - own
        others = busy_seconds() - all_ - spent - own
        # Actions that should have been sent by now have waited for so long at least; to leave them out would flatter.
        waiting = [1000 * (time.perf_counter() - due) for slot in self.slots for due in slot.due]
        await self.stop()
        seen = self.seen
        actions = seen.counts["actions"]
        return Measured(
            name=name,
            tables=len(self.slots),
            mode=f"paced {self.rate:g}/s" if self.rate else "closed",
            seconds=took,
            actions=actions,
            latencies=seen.latencies + waiting,
            waiting=len(waiting),
            processor=1000 * spent / max(1, actions),
            generator=own / took,
            others=others / took,
            counts=dict(seen.counts),
            problems=dict(seen.problems),
            sizes=seen.sizes,
        )

    async def stop(self) -> None:
        """Send nothing more, and let what is under way arrive."""
        self.is_stopped = True
        deadline = time.monotonic() + LONGEST_ACTION_SECONDS
        while any(slot.is_busy for slot in self.slots) and time.monotonic() < deadline:
            await asyncio.sleep(0.02)


async def calm(server: Server, longest: float, most: float = 0.5, look: float = 2.0) -> None:
    """Wait until everything but this server uses no more than so many cores, but not for ever."""
    deadline = time.monotonic() + longest
    while time.monotonic() < deadline:
        begun, others = time.monotonic(), busy_seconds() - server.processor_seconds()
        await asyncio.sleep(look)
        if busy_seconds() - server.processor_seconds() - others <= most * (time.monotonic() - begun):
            return


async def opened(tables: list[Any], at_once: int = 8) -> None:
    """Load every page and open its socket."""
    gate = asyncio.Semaphore(at_once)

    async def open_page(page: Any) -> None:
        async with gate:
            await page.load()
            await page.open()

    await asyncio.gather(*(open_page(page) for table in tables for page in table.pages))


async def keep_alive(tables: list[Any]) -> None:
    """What pages do while nothing happens: ask for news if the page says how often, and say that somebody looks."""
    pages = [page for table in tables for page in table.pages]
    now = time.monotonic()
    due = {page: now + random.random() * page.pulse_seconds for page in pages if page.pulse_seconds}
    look = {page: page.last_look + LOOK_SECONDS for page in pages}
    while True:
        await asyncio.sleep(0.1)
        now = time.monotonic()
        for page, when in due.items():
            if when <= now:
                due[page] = when + page.pulse_seconds
                page.pulse()
        for page, when in look.items():
            if when <= now:
                look[page] = when + LOOK_SECONDS
                page.look()
