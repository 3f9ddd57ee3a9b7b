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
from games.engine.core.rules import Rules
from games.engine.kings.invariants import Broken, check
from games.models import Game
from tests.tables import player
from tests.web import kings as k
from tests.web.test_api import Program

pytestmark = pytest.mark.usefixtures("kings_bots", "settled_chance")


async def played_to_the_end(game: Game) -> None:
    thinking = robots.Robots(ThreadPoolExecutor(2))
    for _ in range(20_000):
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
    assert game.status == Game.Status.FINISHED and game.ended_how in (
        "last_turn",
        "citadel",
        "two_citadels",
        "last_one",
    )
    await sync_to_async(is_checked_and_moved)(game, tmp_path / "game.json")


@pytest.mark.django_db(transaction=True)
async def test_two_stewards_play_a_whole_game_over_the_api(monkeypatch):
    """Opened, followed and read by a program; what the stewards do goes through the same gate."""
    monkeypatch.setattr(Rules, "check_codec", False)  # storing is what this does all the time
    watcher = await sync_to_async(lambda: Program(player("eve")))()
    stewards = [{"kind": "bot", "level": "steward"}] * 2
    made = await sync_to_async(watcher.create)(*stewards, game="kings", options={"waiting": "never"})
    game = await Game.objects.aget(public_id=made["id"])
    await played_to_the_end(game)
    table = (await sync_to_async(watcher.get)(f"tables/{made['id']}")).json()
    assert table["status"] == "finished" and table["result"]["how"] in ("citadel", "two_citadels", "last_one")
    log = (await sync_to_async(watcher.get)(f"tables/{made['id']}/log")).json()
    assert len(log) > 0
    assert await sync_to_async(archive.verify)(game) == ""


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


# ---- the commands


def lines_of(command: str, *arguments: str) -> list[dict]:
    out = io.StringIO()
    call_command(command, "--game", "kings", "--json", *arguments, stdout=out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_fuzz_plays_random_games_and_says_the_same_again(players):
    asked = ("--players", str(players), "--games", "2", "--seed", "web", "--max-actions", "150")
    *games, totals = lines_of("fuzz", *asked)
    assert lines_of("fuzz", *asked) == [*games, totals]
    assert len(games) == 2 and len({game["hash"] for game in games}) == 2
    assert all(game["players"] == players and game["actions"] <= 150 and game["turns"] > 0 for game in games)
    assert (totals["crashes"], totals["dead_ends"], sum(totals["ended"].values())) == (0, 0, 2)


def test_fuzz_stops_after_so_many_turns():
    game, totals = lines_of("fuzz", "--players", "2", "--games", "1", "--max-turns", "2")
    assert (game["turns"], game["ended"]) == (3, "limit") and totals["ended"] == {"limit": 1}


def test_fuzz_finds_what_does_not_hold(monkeypatch):
    def broken(state):
        if state.actions == 7:
            raise Broken("a counter is missing")

    monkeypatch.setattr("games.engine.kings.invariants.check", broken)
    out = io.StringIO()
    with pytest.raises(CommandError, match="1 games crashed"):
        call_command("fuzz", "--game", "kings", "--games", "1", "--json", stdout=out)
    game, totals = map(json.loads, out.getvalue().splitlines())
    assert (game["ended"], game["actions"], game["fault"]) == ("crash", 7, "Broken: a counter is missing")
    assert totals["crashes"] == 1


def test_fuzz_still_plays_gambit():
    out = io.StringIO()
    call_command("fuzz", "--game", "gambit", "--games", "1", "--json", "--seed", "1", stdout=out)
    game, totals = map(json.loads, out.getvalue().splitlines())
    assert game["ended"] == "castle" and totals == {
        "game": "gambit",
        "games": 1,
        "crashes": 0,
        "dead_ends": 0,
        "ended": {"castle": 1},
    }


def test_a_match_counts_wins_by_level(monkeypatch):
    monkeypatch.setattr("games.engine.match.MOST_ACTIONS", 120)
    *games, total = lines_of("match", "--seats", "random,steward,random", "--games", "2", "--processes", "1")
    assert [game["seats"] for game in games] == [["random", "steward", "random"], ["random", "random", "steward"]]
    assert total["levels"] == ["random", "steward", "random"] and set(total["wins"]) == {"random", "steward"}
    assert sum(total["wins"].values()) == pytest.approx(2, abs=0.02)


def test_a_match_needs_levels_that_there_are():
    for seats in ("random", "random,7", "random,random,random,random,random"):
        with pytest.raises(CommandError, match="2 or 3 or 4 levels out of random, steward"):
            call_command("match", "--game", "kings", "--seats", seats, stdout=io.StringIO())
