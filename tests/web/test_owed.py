"""What takes long to draw follows when a table has come to rest; one clock looks after all tables (games/live.py)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from games import live

REST, MOST = 0.1, 0.6


class Socket:
    """An open socket of a table, as far as odds are concerned."""

    place = ("somebody", "here")

    def __init__(self, table: str, odds: str | Exception = "odds") -> None:
        self.public_id, self.odds = table, odds
        self.loop = asyncio.get_running_loop()
        self.sent: list[str] = []

    def later_now(self) -> str:
        if isinstance(self.odds, Exception):
            raise self.odds
        return self.odds

    async def send(self, text_data: str) -> None:
        self.sent.append(text_data)


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(live, "REST_SECONDS", REST)
    monkeypatch.setattr(live, "MOST_SECONDS", MOST)
    monkeypatch.setattr(live, "LOOK_AGAIN_SECONDS", 0.02)

    async def run(job: Any, *given: Any) -> Any:
        return job(*given)

    monkeypatch.setattr(live.worker, "run", run)
    monkeypatch.setattr(live.worker, "is_idle", lambda: True)


async def play_on(*sockets: Any, seconds: float) -> None:
    """Actions at these tables, one after another without a rest."""
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    while loop.time() < end:
        live.owe(sockets)
        await asyncio.sleep(REST / 5)


def test_a_table_at_rest_does_not_wait_for_another_one():
    async def story() -> None:
        quiet, busy = Socket("quiet"), Socket("busy")
        live.owe([quiet])
        await play_on(busy, seconds=MOST * 0.7)
        assert quiet.sent == ["odds"] and busy.sent == []
        await asyncio.sleep(MOST)
        assert busy.sent == ["odds"] and quiet.sent == ["odds"]

    asyncio.run(story())


def test_a_table_that_never_rests_gets_them_all_the_same():
    async def story() -> None:
        busy = Socket("busy")
        await play_on(busy, seconds=MOST * 1.5)
        assert busy.sent == ["odds"]

    asyncio.run(story())


def test_while_somebody_acts_anywhere_they_wait(monkeypatch):
    async def story() -> None:
        monkeypatch.setattr(live.worker, "is_idle", lambda: False)
        socket = Socket("quiet")
        live.owe([socket])
        await asyncio.sleep(MOST * 0.6)
        assert socket.sent == []
        monkeypatch.setattr(live.worker, "is_idle", lambda: True)
        await asyncio.sleep(REST)
        assert socket.sent == ["odds"]

    asyncio.run(story())


def test_one_clock_is_enough_and_stops_when_nothing_is_owed():
    async def story() -> None:
        tables = [Socket(str(number)) for number in range(50)]
        before = len(asyncio.all_tasks())
        for socket in tables:
            live.owe([socket])
        assert len(asyncio.all_tasks()) == before + 1
        await asyncio.sleep(MOST)
        assert all(socket.sent == ["odds"] for socket in tables)
        assert len(asyncio.all_tasks()) == before and not live._owed
        live.owe(tables[:1])
        await asyncio.sleep(MOST)
        assert tables[0].sent == ["odds", "odds"]

    asyncio.run(story())


def test_odds_that_fail_cost_no_other_table_theirs(caplog):
    async def story() -> None:
        broken, sound, gone = Socket("broken", ValueError("no odds")), Socket("sound"), Socket("gone")
        live.owe([broken])
        live.owe([sound])
        live.owe([gone])
        gone.place = None  # its page was closed meanwhile
        await asyncio.sleep(MOST)
        assert sound.sent == ["odds"] and broken.sent == [] and gone.sent == []

    asyncio.run(story())
    assert "could not be told their odds" in caplog.text
