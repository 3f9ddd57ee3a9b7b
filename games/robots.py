"""Bots at the table: they think in other processes, from what their seat sees, and act through the gate like anyone."""

from __future__ import annotations

import asyncio
import functools
import itertools
import logging
import multiprocessing
import os
import time
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import NamedTuple

from django.conf import settings
from django.db.models import Exists, F, OuterRef

from kadab import metrics, unavailable

from . import claims, doorbell, plans, play, worker
from .engine.bots import consider
from .engine.core.refusals import IllegalAction
from .models import Game, Seat, waiting_bots
from .thinker import end_with

log = logging.getLogger(__name__)

SECONDS_AFTER_A_FAULT = 30
SECONDS_AFTER_NOTHING = 1
MOST_TURNS_KEPT = 10_000
SECONDS_BEFORE_AN_UPGRADE = 600
CLAIM_SECONDS = 10  # no bot thinks as long; if one does, another process may think about the same

_awake: tuple[asyncio.AbstractEventLoop, asyncio.Event] | None = None


def listen(loop: asyncio.AbstractEventLoop, event: asyncio.Event) -> None:
    """From now on `wake` sets this event."""
    global _awake
    _awake = (loop, event)


def listen_no_more() -> None:
    global _awake
    _awake = None


def wake(game: Game) -> None:
    """A bot has something to answer here. Bots in processes of their own are told over Redis."""
    if _awake:
        loop, event = _awake
        loop.call_soon_threadsafe(event.set)
    elif settings.REDIS_URL:
        doorbell.ring_bots()


class Waiting(NamedTuple):
    """A seat for which a bot, or the plan of its player, has something to answer."""

    game: int
    seat: int
    has_people: bool  # at this table; somebody waits for this bot
    has_plans: bool = False


def name_of(game: int, seat: int) -> str:
    """The claim on thinking for a seat."""
    return f"bot {game}/{seat}"


def claimed(each: Waiting) -> bool:
    return claims.take(name_of(each.game, each.seat), CLAIM_SECONDS)


class Robots:
    """All bots of all games, thinking in a pool so that nobody waits for them.

    At most as many decisions are under way as the pool has processes, so that the next one is always chosen anew: first
    a table where people play, then the table whose last turn is longest ago. However many games bots have among
    themselves, a person's bot waits for no more of their decisions than there are processes.

    Where several processes may run bots (`shares`), each claims a seat before it thinks for it, so that they do not all
    think about the same question. A claim outlives a killed process by CLAIM_SECONDS at most.
    """

    def __init__(self, pool: Executor | None = None, shares: bool | None = None) -> None:
        self.pool = pool
        self.shares = bool(settings.REDIS_URL) if shares is None else shares
        self.busy: dict[tuple[int, int], asyncio.Task[None]] = {}
        self.resting: dict[tuple[int, int], float] = {}  # seats whose bot did not act, until when it is left alone
        self.turns: dict[int, int] = {}  # of each table, the number of its last turn
        self.numbers = itertools.count(1)

    async def answer_all(self) -> None:
        """Set waiting bots thinking, as many as may; returns at once. Each gives one answer and wakes the caretaker."""
        room = settings.BOT_PROCESSES - len(self.busy)
        for each in await worker.run(self.taken_on, room) if room > 0 else ():
            self.turns[each.game] = next(self.numbers)
            at = (each.game, each.seat)
            self.busy[at] = asyncio.ensure_future(self.answer(*at, has_plans=each.has_plans))
            self.busy[at].add_done_callback(functools.partial(self._done, at))
        if len(self.turns) > MOST_TURNS_KEPT:
            self.turns = dict(list(self.turns.items())[-MOST_TURNS_KEPT // 2 :])

    def taken_on(self, room: int) -> list[Waiting]:
        """The next seats to think for, at most so many."""
        in_turn = iter(self.in_turn(waiting()))
        free = filter(claimed, in_turn) if self.shares else in_turn
        return list(itertools.islice(free, room))

    def in_turn(self, found: Iterable[Waiting]) -> list[Waiting]:
        """People's tables first; then one seat of each table before another's second; then by the oldest turn."""
        now = time.monotonic()
        self.resting = {at: until for at, until in self.resting.items() if until > now}
        thinking = Counter(game for game, _ in self.busy)
        order = {}
        for each in found:
            if (each.game, each.seat) not in self.busy and (each.game, each.seat) not in self.resting:
                order[each] = (not each.has_people, thinking[each.game], self.turns.get(each.game, 0))
                thinking[each.game] += 1
        return sorted(order, key=order.__getitem__)

    def _done(self, at: tuple[int, int], task: asyncio.Task[None]) -> None:
        self.busy.pop(at, None)
        if _awake:  # there may be more to do, and a process is free
            _awake[1].set()

    async def answer(self, pk: int, seat: int, has_plans: bool = False) -> None:
        """One decision of one bot, or one step of a player's plan."""
        try:
            if has_plans and await worker.run(plans.run, pk, seat):
                return
            question = await worker.run(play.bot_question, pk, seat)
            if question is None:  # somebody else answered it, or the game is over
                self._rest(pk, seat, SECONDS_AFTER_NOTHING)
                return
            asked = (question.ruleset, question.level, question.view, question.offers, question.seed)
            begun = time.monotonic()
            thought = await asyncio.get_running_loop().run_in_executor(self._pool(), consider, *asked)
            metrics.bot_thought(time.monotonic() - begun)
            if thought.fault:
                log.error("the bot in seat %s of game %s answered with anything allowed: %s", seat, pk, thought.fault)
                await worker.run(count_fault, pk, seat)
            await worker.run(play.bot_acts, question, thought.action)
        except IllegalAction as refusal:
            # Somebody acted meanwhile (resigned, took back); it is asked anew soon. Anything else is a bot's bug.
            if refusal.code in ("stale", "over"):
                self._rest(pk, seat, SECONDS_AFTER_NOTHING)
            else:
                log.error("the bot in seat %s of game %s was refused: %s", seat, pk, refusal.code)
                await self._fail(pk, seat)
        except play.NeedsUpgrade:
            # The gate has told the operator. Ask again now and then: another process may have mended the game.
            self._rest(pk, seat, SECONDS_BEFORE_AN_UPGRADE)
        except BrokenProcessPool:
            log.warning("a thinking process died; starting new ones")
            self.close()
        except Exception as error:
            if unavailable.noted(error):  # no fault of the bot: it is asked again as soon as the database answers
                self._rest(pk, seat, SECONDS_AFTER_NOTHING)
                return
            log.exception("the bot in seat %s of game %s failed", seat, pk)
            await self._fail(pk, seat)
        finally:
            if self.shares:
                await self._give_back(pk, seat)

    async def _give_back(self, pk: int, seat: int) -> None:
        try:
            await worker.run(claims.give_back, name_of(pk, seat))
        except Exception as error:  # the claim ends by itself
            if not unavailable.noted(error):
                raise

    async def _fail(self, pk: int, seat: int) -> None:
        """Leave a bot that failed alone for a while, and count its fault."""
        self._rest(pk, seat, SECONDS_AFTER_A_FAULT)
        await worker.run(count_fault, pk, seat)

    def _rest(self, pk: int, seat: int, seconds: float) -> None:
        self.resting[pk, seat] = time.monotonic() + seconds

    def _pool(self) -> Executor:
        if self.pool is None:
            context = multiprocessing.get_context("forkserver")
            context.set_forkserver_preload(["games.engine.bots", "games.thinker"])
            self.pool = ProcessPoolExecutor(
                settings.BOT_PROCESSES, context, initializer=end_with, initargs=(os.getpid(),)
            )
        return self.pool

    def close(self) -> None:
        if self.pool is not None:
            self.pool.shutdown(wait=False, cancel_futures=True)
            self.pool = None


def count_fault(pk: int, seat: int) -> None:
    """One more question that the bot in this seat could not answer by its own rules; the admin shows the number."""
    metrics.bot_failed()
    Seat.objects.filter(game=pk, number=seat).update(bot_faults=F("bot_faults") + 1)


def waiting() -> list[Waiting]:
    """Every seat of a bot, or with a plan, that has something to answer, in running games."""
    people = Seat.objects.filter(game=OuterRef("game"), player__isnull=False, out=False)
    asked = waiting_bots().filter(game__status=Game.Status.RUNNING)
    rows = asked.annotate(has_people=Exists(people)).order_by("game", "number")
    found = rows.values_list("game", "number", "has_people", "plans")
    return [Waiting(game, seat, has_people, bool(planned)) for game, seat, has_people, planned in found]
