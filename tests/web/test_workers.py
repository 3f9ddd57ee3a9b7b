"""Background jobs that run twice at once, in two processes or on two machines: each piece of work is done once."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
import time_machine
from asgiref.sync import sync_to_async
from django.core import mail
from django.db import connections
from django.utils import timezone

from games import caretaker, claims, doorbell, lobby, play, robots, telling, timekeeper
from games.models import Action, Claim, Game, Notice, Pulse
from kadab import mail as sending
from tests.server import Server, until
from tests.tables import player, running, seated
from tools.services import Redis

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(call, times: int = 2) -> list:
    """What the call returns in so many threads that begin together, each with a connection of its own."""
    gate = threading.Barrier(times)

    def run(_: int):
        gate.wait()
        try:
            return call()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(times) as threads:
        return list(threads.map(run, range(times)))


@pytest.mark.parametrize("look", [timekeeper.look, "gate"])
def test_a_deadline_counts_once_however_many_look_at_it(look):
    game = running("anna", "ben", pace="live", clock="live-10")
    Game.objects.update(deadline=timezone.now())
    game.seats.filter(number=0).update(due_at=timezone.now())
    play.forget()
    done = at_once((lambda: play.time_out(game.pk)) if look == "gate" else look, times=4)
    assert sum(done) == 1
    assert [row.action for row in Action.objects.filter(game=game, number__gt=0)] == [{"do": "take_over", "seat": 0}]
    assert Notice.objects.filter(kind="taken").count() == 1


def test_an_outage_moves_clocks_once_however_many_find_it():
    game = running("anna", "ben", pace="live", clock="live-10")
    due = game.deadline
    Pulse.objects.create(name=timekeeper.SITE, at=timezone.now() - timedelta(hours=3))
    Game.objects.update(moved_at=timezone.now() - timedelta(hours=4))
    game.seats.filter(number=0).update(clock_from=timezone.now() - timedelta(hours=4))
    at_once(timekeeper.beat, times=4)
    game.refresh_from_db()
    assert timedelta(hours=3) <= game.deadline - due < timedelta(hours=3, minutes=1)


def test_a_dozen_threads_may_hold_a_connection_at_once():
    """PostgreSQL's pool has four by default: four threads that keep theirs would leave none for anybody else."""
    together = threading.Barrier(12)

    def hold() -> bool:
        found = Game.objects.exists()
        together.wait(20)  # nobody gives a connection back before all have one
        return found

    assert at_once(hold, 12) == [False] * 12


# ---- claims


def test_of_several_who_want_a_job_at_once_one_gets_it():
    assert sorted(at_once(lambda: claims.take("a new job", 60), 8)) == [False] * 7 + [True]
    claims.give_back("a new job")
    assert sorted(at_once(lambda: claims.take("a new job", 60), 8)) == [False] * 7 + [True]


def test_a_claim_ends_when_it_is_given_back_or_by_itself():
    assert claims.take("job", 60) and not claims.take("job", 60)
    claims.give_back("job")
    assert claims.take("job", 60)
    with time_machine.travel(timezone.now() + timedelta(seconds=61), tick=False):
        assert claims.take("job", 60)


def test_nobody_gives_back_what_another_has_taken_over(monkeypatch):
    claims.take("job", -1)  # ran out while its holder was busy
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(claims, "HOLDER", "another process")
        assert claims.take("job", 60)
    claims.give_back("job")
    assert not claims.take("job", 60)


def test_claims_that_nobody_wants_are_cleared():
    claims.take("old", -2 * 24 * 3600)
    claims.take("new", 60)
    assert claims.clear() == 1
    assert [each.job for each in Claim.objects.all()] == ["new"]


# ---- bots


@pytest.mark.parametrize("shares", [True, False])
async def test_two_processes_with_bots_give_each_answer_once(monkeypatch, settings, shares):
    """With claims they do not even think about the same question. Without, the gate takes one of two equal answers."""
    settings.BOT_PROCESSES = 4
    games = [await sync_to_async(running)("bot:random", "bot:random") for _ in range(4)]
    asked: list[str] = []
    consider = robots.consider

    def counted(*question):
        asked.append(question[-1])
        time.sleep(0.05)
        return consider(*question)

    monkeypatch.setattr(robots, "consider", counted)
    both = [robots.Robots(ThreadPoolExecutor(4), shares) for _ in range(2)]
    for _ in range(3):
        await asyncio.gather(*(each.answer_all() for each in both))
        await asyncio.gather(*(task for each in both for task in each.busy.values()))
        for each in both:
            each.resting.clear()
    if shares:
        assert len(asked) == len(set(asked))
    for game in games:
        await game.arefresh_from_db()
        numbers = [row.number async for row in game.actions.all()]
        assert numbers == list(range(len(numbers))) and game.revision >= 2


async def test_a_bot_whose_process_died_is_thought_for_by_another_soon():
    game = await sync_to_async(running)("bot:random", "anna")
    await sync_to_async(claims.take)(robots.name_of(game.pk, 0), robots.CLAIM_SECONDS)  # and then it is killed
    alive = robots.Robots(ThreadPoolExecutor(1), shares=True)
    await alive.answer_all()
    assert not alive.busy
    with time_machine.travel(timezone.now() + timedelta(seconds=robots.CLAIM_SECONDS + 1), tick=False):
        await alive.answer_all()
        await asyncio.gather(*alive.busy.values())
    await game.arefresh_from_db()
    assert game.revision == 1


# ---- mail


@pytest.fixture
def asked():
    game = running("anna", "ben")
    anna = player("anna")
    anna.email = "anna@example.org"
    anna.save()
    return game


def test_two_processes_that_send_mail_send_each_letter_once(asked):
    assert sorted(at_once(telling.send_due, 4)) == [0, 0, 0, 1]
    assert len(mail.outbox) == 1


def test_a_process_that_cannot_reach_the_mail_server_does_not_put_back_what_another_has_sent(asked, monkeypatch):
    """It did: whoever was told was told again after a minute."""
    reachable = sending.get_connection

    class Unreachable:
        def open(self) -> None:
            monkeypatch.setattr(sending, "get_connection", reachable)
            assert telling.send_due() == 1  # the other process, in the meantime
            raise OSError("no route")

    monkeypatch.setattr(sending, "get_connection", Unreachable)
    assert telling.send_due() == 0
    sent = Notice.objects.get()
    assert sent.sent and sent.settled_at
    with time_machine.travel(timezone.now() + timedelta(hours=2)):
        assert telling.send_due() == 0
    assert len(mail.outbox) == 1


# ---- clearing


def test_two_processes_that_clear_cancel_each_old_table_once(monkeypatch):
    long_ago = timezone.now() - timedelta(days=100)
    for name in ("anna", "ben", "cleo"):
        seated(name, created_at=long_ago)
    assert sum(at_once(lobby.expire_tables)) == 3
    assert set(Game.objects.values_list("status", flat=True)) == {Game.Status.CANCELLED}


def test_one_process_clears_for_all(monkeypatch):
    cleared: list[int] = []
    monkeypatch.setattr(lobby, "expire_tables", lambda: cleared.append(1))
    at_once(caretaker.clear, 4)
    assert cleared == [1]


# ---- as processes

GAMES = """
from games.models import Game
from tests import tables
for _ in range(3): tables.running("bot:random", "bot:random")
"""


PLAYED_ON = """
import time
from games.models import Action
before = Action.objects.count()
for _ in range(400):
    if Action.objects.count() > before + 60: break
    time.sleep(0.25)
print(Action.objects.count() - before)
"""


def test_two_bot_processes_play_games_that_verify(tmp_path):
    with Server(tmp_path, BOT_PROCESSES="1", CARETAKER="0") as server:
        server.shell(GAMES)
        server.workers = [server.run("manage.py", "run_bots") for _ in range(2)]
        assert int(server.shell(PLAYED_ON)) > 60
        server.workers[0].kill()  # its claims run out, and the other goes on alone
        assert int(server.shell(PLAYED_ON)) > 60
        assert server.stop() == 0
        assert "0 not" in server.manage("verify_games")
        assert "failed" not in server.log.read_text()


async def test_a_question_that_another_process_has_just_answered_is_none(monkeypatch):
    """The row of the seat was read before the answer and the state after it: the bot had nothing to choose from."""
    game = await sync_to_async(running)("bot:random", "anna")
    monkeypatch.setattr(play, "bot_questions", lambda game: [(0, "random"), (1, "random")])
    assert await sync_to_async(play.bot_question)(game.pk, 0)
    assert await sync_to_async(play.bot_question)(game.pk, 1) is None


ON_REDIS = pytest.mark.skipif(not os.environ.get("REDIS_URL"), reason="needs Redis: runs in make test-cluster")


@ON_REDIS
async def test_bots_in_another_process_are_woken_over_redis(monkeypatch):
    """They would look by themselves after a minute."""
    monkeypatch.setattr(caretaker, "TICK_SECONDS", 60)
    at_work = asyncio.ensure_future(caretaker.run_bots(robots.Robots(ThreadPoolExecutor(1))))
    await asyncio.sleep(1)  # nothing to do yet
    game = await sync_to_async(running)("bot:random", "anna")
    robots.listen_no_more()  # as in a web process
    begun = time.monotonic()
    while game.revision == 0 and time.monotonic() < begun + 20:
        await sync_to_async(robots.wake)(game)
        await asyncio.sleep(0.2)
        await game.arefresh_from_db()
    at_work.cancel()
    await asyncio.wait([at_work])
    assert game.revision == 1


@ON_REDIS
async def test_bots_are_woken_again_after_redis_was_away(settings, tmp_path):
    woken = []
    with Redis(tmp_path) as redis:
        settings.CHANNEL_LAYERS = {"default": {"BACKEND": "kadab.redis_bus.Bus", "CONFIG": {"hosts": [redis.url]}}}
        hearing = asyncio.ensure_future(doorbell.hear_bots(lambda: woken.append(1)))
        await rung(woken)
        redis.kill()
        await sync_to_async(doorbell.ring_bots)()  # lost, and nobody is hurt
        await sync_to_async(redis.start)()
        woken.clear()
        await rung(woken)
        hearing.cancel()
        await asyncio.wait([hearing])


async def rung(woken: list[int]) -> None:
    """Ring until the bots hear it."""
    for _ in range(100):
        await sync_to_async(doorbell.ring_bots)()
        await asyncio.sleep(0.1)
        if woken:
            return
    raise AssertionError("bots hear nothing")


def test_workers_stop_when_they_are_told_to(tmp_path):
    server = Server(tmp_path, BOT_PROCESSES="1")
    server.manage("migrate", "--verbosity", "0")
    workers = [server.run("manage.py", name) for name in ("run_bots", "send_mail")]
    until(lambda: "at work" in server.log.read_text() and "when it is due" in server.log.read_text(), 60)
    for each in workers:
        each.terminate()
    assert [each.wait(10) for each in workers] == [0, 0], server.log.read_text()
