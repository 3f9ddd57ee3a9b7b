"""Bots at the table: they answer by themselves, through the gate, and whatever happens to them hurts no game."""

from __future__ import annotations

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from asgiref.sync import sync_to_async

from games import play, robots
from games.engine.bots.kings import ANSWERS
from games.models import Action
from tests.tables import do, move, running

pytestmark = pytest.mark.django_db(transaction=True)


async def answered(rounds: int = 1, pool=None) -> None:
    """Let the bots think, here in threads, until they have answered."""
    bots = robots.Robots(pool or ThreadPoolExecutor(2))
    for _ in range(rounds):
        await bots.answer_all()
        await asyncio.gather(*bots.busy.values())


async def start(*who, **values):
    return await sync_to_async(running)(*who, **values)


async def test_a_bot_answers_a_move():
    game = await start("anna", "bot:random")
    await sync_to_async(move)(game, 0, "a2", "a3")
    await answered()
    await game.arefresh_from_db()
    assert game.revision == 2
    assert (await Action.objects.aget(game=game, number=2)).seat == 1


async def test_a_bot_that_moves_first_does_so_by_itself():
    game = await start("bot:random", "anna")
    await answered()
    await game.arefresh_from_db()
    assert game.revision == 1


async def test_bots_play_a_whole_game_among_themselves():
    game = await start("bot:random", "bot:random")
    for _ in range(600):
        await answered()
        await game.arefresh_from_db()
        if game.status == "finished":
            break
    assert game.status == "finished"


async def test_a_bot_waits_while_it_is_not_asked():
    game = await start("anna", "bot:random")
    await answered()
    await game.arefresh_from_db()
    assert game.revision == 0


async def test_a_bot_lets_a_person_take_a_move_back():
    game = await start("anna", "bot:1")
    await sync_to_async(move)(game, 0, "a2", "a3")
    await sync_to_async(do)(game, 0, "ask_take_back")
    await answered()
    await game.arefresh_from_db()
    assert (await sync_to_async(play.view_for)(game, 0)).asked == (0,)


async def test_a_bot_answers_a_draw_offer_though_it_is_not_its_turn():
    game = await start("anna", "bot:1")
    await sync_to_async(do)(game, 0, "offer_draw")
    await answered()
    view = await sync_to_async(play.view_for)(game, 0)
    assert view.wishes == ()


async def test_the_same_game_makes_a_bot_choose_the_same():
    game = await start("bot:random", "anna")
    one, other = [await sync_to_async(play.bot_question)(game.pk, 0) for _ in range(2)]
    assert one.seed == other.seed and len(one.seed) == 64
    different = await start("bot:random", "ben")
    assert (await sync_to_async(play.bot_question)(different.pk, 0)).seed != one.seed


async def test_an_answer_that_comes_too_late_changes_nothing():
    game = await start("bot:random", "anna")
    question = await sync_to_async(play.bot_question)(game.pk, 0)
    await sync_to_async(do)(game, 1, "resign")
    await answered()
    await game.arefresh_from_db()
    assert game.revision == 1 and question.seat == 0


async def test_a_bot_that_fails_is_left_alone_for_a_while(monkeypatch, caplog):
    game = await start("bot:random", "anna")
    calls = []

    def broken(*args):
        calls.append(args)
        raise RuntimeError("no idea")

    monkeypatch.setattr(robots, "consider", broken)
    bots = robots.Robots(ThreadPoolExecutor(1))
    for _ in range(3):
        await bots.answer_all()
        await asyncio.gather(*bots.busy.values())
    assert len(calls) == 1 and "failed" in caplog.text
    await game.arefresh_from_db()
    assert game.revision == 0 and await faults_of(game) == [1, 0]


async def faults_of(game) -> list[int]:
    return [seat.bot_faults async for seat in game.seats.all()]


async def test_a_fault_of_the_steward_is_logged_with_its_game_and_counted_and_the_game_goes_on(monkeypatch, caplog):
    """It was swallowed once: the steward played at random, and nobody heard of it."""

    def fails(reading, offers, dice):
        raise KeyError("a bug")

    game = await start("bot:steward", "bot:steward", ruleset="kings", options={"last_turn": "none"})
    for question in ANSWERS:
        monkeypatch.setitem(ANSWERS, question, fails)
    await answered()
    await game.arefresh_from_db()
    assert sum(await faults_of(game)) == game.action_count > 0  # silent actions, such as orders, count too
    errors = [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]
    assert len(errors) == game.action_count
    assert re.match(rf"the bot in seat \d of game {game.pk} answered with anything allowed: question ", errors[0])
    assert "revision 0" in errors[0] and "KeyError: 'a bug'" in errors[0] and "in fails" in errors[0]


async def test_a_steward_that_answers_by_its_rules_has_no_faults(caplog):
    game = await start("bot:steward", "bot:steward", ruleset="kings", options={"last_turn": "none"})
    await answered(8)
    await game.arefresh_from_db()
    assert game.revision > 3 and await faults_of(game) == [0, 0]
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


async def test_thinking_happens_in_another_process():
    """The pool of real life: a process that knows the rules and nothing else, and can be killed."""
    game = await start("bot:random", "anna")
    bots = robots.Robots()
    try:
        await bots.answer_all()
        await asyncio.gather(*bots.busy.values())
    finally:
        bots.close()
    await game.arefresh_from_db()
    assert game.revision == 1


# ---- whose turn it is to think


class Recorded(robots.Robots):
    """Bots whose decisions are written down, by table; `after` is called with their number after each."""

    def __init__(self, after=None) -> None:
        super().__init__(ThreadPoolExecutor(4))
        self.tables: list[int] = []
        self.after = after

    async def answer(self, pk: int, seat: int, has_plans: bool = False) -> None:
        await super().answer(pk, seat, has_plans)
        self.tables.append(pk)
        if self.after:
            await self.after(len(self.tables))

    async def until(self, done) -> None:
        """As the caretaker does it: whenever somebody has answered, the next are chosen."""
        while not done():
            await self.answer_all()
            await asyncio.wait(self.busy.values(), return_when=asyncio.FIRST_COMPLETED)
            await asyncio.sleep(0)
        await asyncio.gather(*self.busy.values())


@pytest.mark.parametrize("processes", [1, 3])
async def test_a_persons_bot_waits_for_no_game_of_bots_only(settings, processes):
    """Thirty games of bots only, all with something to answer, all the time; then a person moves at their own table.

    The second move counts: the first one's table has had no turn yet, which alone would put it before the others."""
    settings.BOT_PROCESSES = processes
    mine = await start("anna", "bot:random")
    alone = [(await start("bot:random", "bot:random")).pk for _ in range(30)]

    async def move_after(number: int) -> None:
        if number in moves:
            await sync_to_async(move)(mine, 0, *moves[number])

    moves = {8: ("a2", "a3"), 16: ("a3", "a4")}
    bots = Recorded(move_after)
    await bots.until(lambda: bots.tables.count(mine.pk) == 2 or len(bots.tables) > 60)
    assert set(bots.tables[:8]) <= set(alone)
    for number in moves:
        after_the_move = bots.tables[number:]
        assert mine.pk in after_the_move
        assert after_the_move.index(mine.pk) <= processes  # those that were under way


async def test_tables_take_turns(settings):
    settings.BOT_PROCESSES = 1
    games = [(await start("bot:random", "bot:random")).pk for _ in range(5)]
    bots = Recorded()
    await bots.until(lambda: len(bots.tables) >= 15)
    for first in (0, 5, 10):
        assert sorted(bots.tables[first : first + 5]) == games


async def test_no_more_decisions_are_under_way_than_there_are_processes(settings):
    settings.BOT_PROCESSES = 2
    for _ in range(5):
        await start("bot:random", "bot:random")
    bots = Recorded()
    for _ in range(3):
        await bots.answer_all()
        assert len(bots.busy) == 2
    await asyncio.gather(*bots.busy.values())


async def test_a_bot_that_fails_keeps_no_other_table_waiting(settings, monkeypatch):
    settings.BOT_PROCESSES = 1
    bad, good = await start("bot:random", "anna"), await start("bot:random", "bot:random")
    ask = play.bot_question
    monkeypatch.setattr(play, "bot_question", lambda pk, seat: None if pk == bad.pk else ask(pk, seat))
    bots = Recorded()
    await bots.until(lambda: bots.tables.count(good.pk) >= 3)
    assert bots.tables[0] == bad.pk and bots.tables.count(bad.pk) == 1
