"""The channel layer on Redis: it outlives Redis, joins its groups anew, and says when rings were lost."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest
import redis.asyncio

from kadab import bus, redis_bus
from tools.services import Redis, find, free_port

NEWS = {"type": "rang", "kind": "game", "number": 7}


@pytest.fixture(autouse=True)
def _told(monkeypatch):
    """Whatever the bus tells, in order; nobody else hears it."""
    told: list[bool] = []
    monkeypatch.setattr(bus, "_callbacks", [lambda: told.append(bus.is_well())])
    monkeypatch.setattr(bus, "_is_well", True)
    monkeypatch.setattr(redis_bus, "LOOK_SECONDS", 0.1)
    return told


@pytest.fixture
def server(tmp_path: Path):
    if not find("redis-server"):
        pytest.skip("no redis-server here; make test-cluster has one")
    with Redis(tmp_path) as running:
        yield running


async def until(what, seconds: float = 5) -> None:
    deadline = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < deadline
        await asyncio.sleep(0.02)


async def end(layer: redis_bus.Bus) -> None:
    if layer.keeper:
        layer.keeper.cancel()
    await layer.close_pools()


async def test_without_redis_nobody_waits_and_nothing_breaks(_told):
    layer = redis_bus.Bus(hosts=[f"redis://127.0.0.1:{free_port()}"])
    channel = await layer.new_channel()
    begun = time.monotonic()
    await layer.group_add("game.1", channel)
    receiving = asyncio.ensure_future(layer.receive(channel))
    with pytest.raises(bus.AwayError):
        await layer.group_send("game.1", NEWS)
    await layer.group_discard("game.1", channel)
    assert time.monotonic() - begun < 1 and not bus.is_well() and _told == [False]
    await asyncio.sleep(0.3)
    assert not receiving.done()
    receiving.cancel()
    await end(layer)


async def test_a_redis_that_died_is_joined_again_and_whoever_listened_still_hears(server, _told):
    layer = redis_bus.Bus(hosts=[server.url])
    channel = await layer.new_channel()
    await layer.group_add("game.1", channel)
    await layer.group_send("game.1", NEWS)
    assert await layer.receive(channel) == NEWS
    receiving = asyncio.ensure_future(layer.receive(channel))
    await asyncio.sleep(0.1)
    server.kill()
    await until(lambda: not bus.is_well())
    server.start()
    await until(bus.is_well)
    await layer.group_send("game.1", {**NEWS, "number": 8})
    assert await asyncio.wait_for(receiving, 5) == {**NEWS, "number": 8}
    assert _told[-2:] == [False, True]
    await end(layer)


async def test_a_redis_that_hangs_keeps_nobody_waiting(server):
    layer = redis_bus.Bus(hosts=[server.url])
    channel = await layer.new_channel()
    await layer.group_add("game.1", channel)
    server.pause()
    begun = time.monotonic()
    await layer.group_add("game.2", channel)
    assert time.monotonic() - begun < 1 and not bus.is_well()
    server.go_on()
    await until(bus.is_well)
    await layer.group_send("game.2", NEWS)
    assert await asyncio.wait_for(layer.receive(channel), 5) == NEWS
    await end(layer)


async def test_a_redis_that_forgot_everything_is_told_again(server, _told):
    layer = redis_bus.Bus(hosts=[server.url])
    channel = await layer.new_channel()
    await layer.group_add("game.1", channel)
    await until(lambda: layer.has_marked)
    assert not _told  # the first look finds nothing, and has lost nothing
    client = redis.asyncio.Redis(port=server.port)
    await client.flushall()
    await until(lambda: _told == [True])  # rings were lost: look for yourself
    await layer.group_send("game.1", NEWS)
    assert await asyncio.wait_for(layer.receive(channel), 5) == NEWS
    await client.aclose()
    await end(layer)


async def test_a_command_that_loses_cancellations_is_ended_however_often_its_caller_is_cancelled():
    lost = 0

    async def stubborn() -> None:
        nonlocal lost
        while lost < 4:
            try:
                await asyncio.sleep(3)
                return  # nobody ended it
            except asyncio.CancelledError:
                lost += 1
        await asyncio.sleep(3)

    waiting = asyncio.create_task(redis_bus.until_cancelled(stubborn()))
    await asyncio.sleep(0)
    for _ in range(2):  # a page is left, and then the server stops
        waiting.cancel()
        await asyncio.sleep(0.01)
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(waiting, 5)
    assert lost == 4
    others = asyncio.all_tasks() - {asyncio.current_task()}
    assert not [each for each in others if "stubborn" in repr(each)]
