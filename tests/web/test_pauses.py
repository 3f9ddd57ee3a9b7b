"""Pauses: all must agree, no time runs in one, and it ends by itself or when all agree."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.urls import reverse

from games import archive, begun, timekeeper
from games.engine.core.refusals import IllegalAction
from games.models import Game
from tests import tables
from tests.web import kings as k
from tests.web.test_act import client_of
from tests.web.test_api import Program
from tests.web.test_clock_pages import clocks_on, page
from tests.web.test_clocks import HOUR, MINUTE, NOON, SECOND, duel, fresh, in_window, kingdom, log, seat

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("kings_bots", "settled_chance")]
DAY = timedelta(days=1)


@pytest.fixture(name="wall")
def fixture_wall():
    with time_machine.travel(NOON, tick=False) as wall:
        yield wall


def ask(game: Game, name: str, hours: object = 24) -> None:
    begun.ask_pause(game, tables.player(name), hours)


def agreed(game: Game, hours: int = 24) -> Game:
    for number in begun.people_at(game):
        begun.ask_pause(game, game.seats.filter(player=number).first().player, hours)
    return fresh(game)


def refused(verb, *given) -> str:
    with pytest.raises(IllegalAction) as refusal:
        verb(*given)
    return refusal.value.code


def test_a_pause_begins_when_everybody_has_agreed(wall):
    game = kingdom("live-10")
    for name in k.NAMES[:3]:
        ask(game, name)
        assert fresh(game).paused_until is None and game.deadline == NOON + 10 * MINUTE
    ask(game, "ann")
    assert fresh(game).paused_until is None, "nobody counts twice"
    ask(game, k.NAMES[3])
    assert fresh(game).paused_until == NOON + DAY and game.pause == {} and "paused" in log(game)
    assert archive.verify(game) == ""


def test_no_time_runs_in_a_pause_and_it_goes_on_where_it_was(wall):
    game = duel()
    wall.shift(3 * MINUTE)
    assert agreed(game).deadline == NOON + DAY + 10 * MINUTE
    wall.shift(DAY)
    tables.move(game, 0, "a2", "a4")
    assert seat(game, 0).bank == 7 * MINUTE + 10 * SECOND
    assert fresh(game).deadline == NOON + DAY + 13 * MINUTE


def test_whoever_plays_in_a_pause_starts_no_clock(wall):
    game = agreed(duel())
    wall.shift(HOUR)
    tables.move(game, 0, "a2", "a4")
    assert seat(game, 0).bank == 10 * MINUTE and fresh(game).deadline == NOON + DAY + 10 * MINUTE
    wall.move_to(NOON + DAY + 10 * MINUTE - SECOND)
    assert timekeeper.look() == 0
    wall.shift(SECOND)
    assert timekeeper.look() == 1 and seat(game, 1).bot


def test_all_may_end_it_early(wall):
    game = duel()
    wall.shift(MINUTE)
    agreed(game, 168)
    wall.shift(HOUR)
    ask(game, "ann", 0)
    assert fresh(game).deadline == NOON + timedelta(days=7) + 10 * MINUTE
    ask(game, "bob", 0)
    assert fresh(game).deadline == NOON + HOUR + 10 * MINUTE and log(game)[-1] == "pause_ended"


def test_over_days_a_pause_is_in_waking_hours_too(wall):
    game = agreed(duel("days-8"))
    assert game.deadline == NOON + timedelta(days=4, hours=6), "a day later than without it"


def test_a_window_rests_as_well(wall):
    game = in_window("live-10")
    wall.shift(5 * SECOND)
    assert agreed(game).deadline == NOON + DAY + 15 * SECOND
    k.act(game, k.asked(game)[0], {"do": "done"})
    assert fresh(game).deadline == NOON + DAY + 15 * SECOND
    agreed(game, 0)
    assert game.deadline == NOON + 15 * SECOND, "no time has passed since"


def test_an_outage_in_a_pause_changes_nothing(wall):
    game = agreed(duel())
    timekeeper.beat()
    wall.shift(2 * HOUR)
    timekeeper.look()
    assert fresh(game).deadline == NOON + DAY + 10 * MINUTE


def test_anybody_may_refuse_and_ask_for_another(wall):
    game = duel()
    ask(game, "ann")
    begun.refuse_pause(game, tables.player("bob"))
    ask(game, "bob")
    assert fresh(game).paused_until is None, "what ann wanted is forgotten"
    ask(game, "ann", 72)
    ask(game, "bob", 72)
    assert fresh(game).paused_until == NOON + timedelta(days=3)


def test_refusals(wall):
    game = duel()
    assert refused(ask, game, "eve") == "not_seated"
    assert {refused(ask, game, "ann", hours) for hours in (0, 5, -1, True, "24", None)} == {"bad_pause"}
    assert refused(begun.refuse_pause, game, tables.player("ann")) == "no_pause"
    assert refused(ask, tables.running("ann", "bob"), "ann") == "no_clock"
    assert refused(ask, agreed(game), "ann", 24) == "bad_pause"
    tables.do(game, 0, "resign")
    assert refused(ask, game, "ann") == "not_running"


def test_whoever_asked_for_the_end_of_a_pause_asks_no_more_when_it_has_ended(wall):
    """Nobody could agree any more, and the page asked on."""
    game = agreed(duel(), 1)
    ask(game, "ann", 0)
    assert "the end of the pause" in page(game, "bob")
    wall.shift(HOUR)
    assert "the end of the pause" not in page(game, "bob") and "Ask for a pause" in page(game, "bob")
    assert Program(tables.player("bob")).get(f"tables/{game.public_id}").json()["pause_asked"] is None
    assert refused(begun.refuse_pause, fresh(game), tables.player("bob")) == "no_pause"
    agreed(game, 24)
    assert fresh(game).is_paused


def test_page_and_api(wall):
    game, url = duel(), ""
    url = reverse("pause", args=[game.public_id])
    assert "Ask for a pause" in page(game, "ann") and "Ask for a pause" not in page(game, "eve")
    assert client_of("ann").post(url, {"hours": "24"}).status_code == 302
    assert "You ask" in page(game, "ann") and "a pause of a day" in page(game, "bob") and "Agree" in page(game, "bob")
    bob = Program(tables.player("bob"))
    assert bob.get(f"tables/{game.public_id}").json()["pause_asked"] == 24
    told = bob.post(f"tables/{game.public_id}/pause", {"hours": 24}).json()
    assert told["paused_until"] == "2026-06-11T12:00:00+00:00" and told["pause_asked"] is None
    assert clocks_on(page(game, "eve")) == ["Pause until Thu 11 June, 12:00 UTC"]
    assert "End the pause?" in page(game, "bob")
    assert client_of("bob").post(url, {"hours": "0"}).status_code == 302
    assert client_of("ann").post(url, {"do": "refuse", "hours": "0"}).status_code == 302
    assert client_of("ann").post(url, {}).status_code == 400
    assert bob.post(f"tables/{game.public_id}/pause", {"hours": None}).json()["code"] == "no_pause"
