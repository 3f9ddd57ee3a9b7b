"""Kings & Things* among bots, through the gate: to the end, checked, taken out of the store and put back."""

from __future__ import annotations

import asyncio
import io
import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from asgiref.sync import sync_to_async
from django.core.management import CommandError, call_command

from games import archive, play, robots
from games.engine import bots
from games.engine.kings.invariants import check
from games.models import Action, Game
from tests.tables import player
from tests.web import kings as k


@pytest.fixture(autouse=True)
def _bots(monkeypatch):
    monkeypatch.setitem(bots.LEVELS, "kings", k.LEVELS)


async def played_to_the_end(game: Game) -> None:
    thinking = robots.Robots(ThreadPoolExecutor(2))
    for _ in range(3000):
        await thinking.answer_all()
        await asyncio.gather(*thinking.busy.values())
        await game.arefresh_from_db()
        if game.status != Game.Status.RUNNING:
            return


@pytest.mark.django_db(transaction=True)
async def test_four_bots_play_to_the_end_and_the_game_can_be_checked_and_moved(tmp_path):
    seats = ["bot:random"] * 4
    game = await sync_to_async(k.kings)(*seats, last_turn="10")
    await played_to_the_end(game)
    assert game.status == Game.Status.FINISHED and game.ended_how in ("last_turn", "citadel", "two_citadels", "last_one")
    await sync_to_async(is_checked_and_moved)(game, tmp_path / "game.json")


def is_checked_and_moved(game: Game, file) -> None:
    check(k.state_of(game))
    said = io.StringIO()
    call_command("verify_games", stdout=said)
    assert said.getvalue().strip() == "1 in order, 0 not"
    out = io.StringIO()
    call_command("export_game", game.public_id, stdout=out)
    file.write_text(out.getvalue())
    seen = [play.view_for(game, seat) for seat in (0, 3, None)]
    Game.objects.all().delete()
    play.forget()
    call_command("import_game", str(file), host=player("eve").username, stdout=io.StringIO())
    again = Game.objects.get(public_id=game.public_id)
    assert [play.view_for(again, seat) for seat in (0, 3, None)] == seen
    assert archive.verify(again) == ""
