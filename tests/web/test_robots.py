"""Bots at the table: they answer by themselves, through the gate, and whatever happens to them hurts no game."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from asgiref.sync import sync_to_async

from games import play, robots
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

    monkeypatch.setattr(robots, "think", broken)
    bots = robots.Robots(ThreadPoolExecutor(1))
    for _ in range(3):
        await bots.answer_all()
        await asyncio.gather(*bots.busy.values())
    assert len(calls) == 1 and "failed" in caplog.text
    await game.arefresh_from_db()
    assert game.revision == 0


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
