"""The channel layer on Redis, for which Redis may die, hang or forget everything: nobody who plays notices.

Channels' own layer raises whatever Redis raises, and each open socket ends with it. This one waits until Redis answers
again, joins all groups anew (a Redis that was restarted or flushed knows none), and tells whoever asked to be told,
because what rang meanwhile was lost. Only `group_send` raises: at once while Redis is known to be away.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Coroutine
from typing import Any

from channels_redis.core import RedisChannelLayer
from channels_redis.utils import create_pool
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from kadab import bus

log = logging.getLogger(__name__)

LOOK_SECONDS = 1.0  # between two looks at Redis
TELL_AGAIN_SECONDS = 0.05
PATIENCE_SECONDS = 0.5  # for one answer of Redis, to somebody who waits
FAULTS = (RedisError, OSError, EOFError, TimeoutError)


async def until_cancelled(command: Coroutine[Any, Any, Any]) -> Any:
    """Await a command of redis-py, which may lose cancellations that come while it connects: cancel it until it ends.

    Whoever waits here may be cancelled again meanwhile; nobody else would end the command.
    """
    task = asyncio.ensure_future(command)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        while not task.done():
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.wait({task}, timeout=TELL_AGAIN_SECONDS)
        raise


class Away:
    """A time without Redis."""

    def __init__(self) -> None:
        self.since = time.monotonic()
        self.over = asyncio.Event()
        self.loop = asyncio.get_running_loop()


class Bus(RedisChannelLayer):
    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.members: set[tuple[str, str]] = set()  # (group, channel) of this process
        self.to_leave: set[tuple[str, str]] = set()  # what could not be left while Redis was away
        self.keeper: asyncio.Task[None] | None = None
        self.lost: Away | None = None
        self.has_marked = False

    def create_pool(self, index: int) -> Any:
        # redis-py tries a command four times with pauses of seconds; here the next look does that. The second limit has
        # to be longer than `brpop_timeout`, for which a receiver waits on purpose.
        own = {"socket_connect_timeout": 1, "socket_timeout": 8, "retry": Retry(NoBackoff(), 0)}
        return create_pool({**own, **self.hosts[index]})

    # ---- what consumers and the doorbell call

    async def receive(self, channel: str) -> Any:
        while True:
            if (away := self.away()) is not None:
                await away.over.wait()
            try:
                return await until_cancelled(super().receive(channel))
            except FAULTS as error:
                self.lose(error)

    async def group_add(self, group: str, channel: str) -> None:
        self.members.add((group, channel))
        self.ensure_keeper()
        await self.tried(super().group_add(group, channel))

    async def group_discard(self, group: str, channel: str) -> None:
        self.members.discard((group, channel))
        if not await self.tried(super().group_discard(group, channel)):
            self.to_leave.add((group, channel))

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        if self.away() is not None:
            raise bus.AwayError
        try:
            await super().group_send(group, message)
        except FAULTS as error:
            if self.members:  # else nobody here listens, and it is nothing to look after
                self.lose(error)
            raise

    async def tried(self, command: Awaitable[None]) -> bool:
        """Whether Redis did it. If not, the keeper makes up for it, and nobody waits."""
        if self.away() is not None:
            command.close()  # type: ignore[attr-defined]  # a coroutine, which would complain that nobody awaited it
            return False
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                await command
        except FAULTS as error:
            self.lose(error)
            return False
        return True

    # ---- away and back

    def away(self) -> Away | None:
        return self.lost if self.lost is not None and self.lost.loop is asyncio.get_running_loop() else None

    def lose(self, error: BaseException) -> None:
        if self.away() is None:
            self.lost = Away()
            log.error("Redis does not answer (%s); until it does, open pages are looked after", type(error).__name__)
            bus.change(to_well=False)
        self.ensure_keeper()

    def ensure_keeper(self) -> None:
        if self.keeper is None or self.keeper.done() or self.keeper.get_loop() is not asyncio.get_running_loop():
            self.keeper = asyncio.ensure_future(self.keep())

    async def keep(self) -> None:
        """Look at Redis as long as anybody here listens or Redis is away, and join groups anew before they expire."""
        joined = time.monotonic()
        while self.members or self.away() is not None:
            try:
                async with asyncio.timeout(2 * PATIENCE_SECONDS):
                    # Only a Redis that has forgotten everything takes a mark that was there already.
                    forgot = await self.connection(0).set(self.mark, "1", nx=True, ex=self.group_expiry)
                are_lost = (forgot and self.has_marked) or self.away() is not None
                if are_lost or time.monotonic() - joined > self.group_expiry / 4:
                    await self.join_anew()
                    joined = time.monotonic()
                if are_lost:
                    bus.change(to_well=True)
                self.has_marked = True
            except FAULTS as error:
                self.lose(error)
            await asyncio.sleep(LOOK_SECONDS)

    @property
    def mark(self) -> str:
        return f"{self.prefix}:knows:{self.client_prefix}"

    async def join_anew(self) -> None:
        leaving, self.to_leave = self.to_leave - self.members, set()
        now = time.time()
        async with asyncio.timeout(10 * PATIENCE_SECONDS):
            for index in range(self.ring_size):
                pipe = self.connection(index).pipeline(transaction=False)
                for group, channel in leaving:
                    pipe.zrem(self._group_key(group), channel)
                for group, channel in self.members:
                    if self.consistent_hash(group) == index:
                        pipe.zadd(self._group_key(group), {channel: now})
                        pipe.expire(self._group_key(group), self.group_expiry)
                await pipe.execute()
        if (away := self.away()) is not None:
            self.lost = None
            away.over.set()
            log.warning("Redis answers again after %.1f s", time.monotonic() - away.since)
