"""Reliability: open questions answered in time, games left, and tables that ask for a minimum."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
import time_machine
from django.urls import reverse

from games import begun, lobby, reliability, timekeeper
from games.engine.core.refusals import IllegalAction
from games.models import Game, Seat
from games.reliability import FEW, Reliability
from tests import tables
from tests.web import kings as k
from tests.web.test_act import client_of
from tests.web.test_api import Program
from tests.web.test_clocks import MINUTE, duel, in_window

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("kings_bots", "settled_chance")]


@pytest.fixture(name="wall")
def fixture_wall():
    with time_machine.travel(datetime(2026, 6, 10, 12, tzinfo=UTC), tick=False) as wall:
        yield wall


def of(name: str) -> tuple[int, int, int]:
    shown = reliability.of(tables.player(name))
    return shown.in_time, shown.late, shown.left


def past(name: str, in_time: int, late: int) -> None:
    """Somebody with a past at another table."""
    game = tables.running(name, "zoe")
    Seat.objects.filter(game=game, player__username=name).update(in_time=in_time, late=late)


def test_answers_in_time_count_and_so_does_a_takeover(wall):
    game = duel()
    tables.move(game, 0, "a2", "a4")
    assert (of("ann"), of("bob")) == ((1, 0, 0), (0, 0, 0))
    tables.do(game, 0, "offer_draw")
    tables.move(game, 1, "b9", "b7")
    assert (of("ann"), of("bob")) == ((1, 0, 0), (1, 0, 0)), "asides answer nothing"
    wall.shift(20 * MINUTE)
    assert timekeeper.look() == 1 and of("ann") == (1, 1, 0), "a seat that a bot keeps is still its player's"
    begun.take_back_seat(Game.objects.get(pk=game.pk), tables.player("ann"))
    assert of("ann") == (1, 1, 0)


def test_a_game_that_a_bot_ended_was_left(wall):
    game = duel()
    wall.shift(20 * MINUTE)
    timekeeper.look()
    assert of("ann") == (0, 1, 0)
    tables.do(game, 1, "resign")
    assert of("ann") == (0, 1, 1) and of("bob") == (0, 0, 0)


def test_a_window_counts_for_nobody(wall):
    game = in_window("live-10")
    before = [of(name) for name in k.NAMES]
    number = k.asked(game)[0]
    k.act(game, number, {"do": "done"})
    assert [of(name) for name in k.NAMES] == before
    game.refresh_from_db()
    wall.move_to(game.deadline)
    timekeeper.look()
    assert [late for _, late, _ in map(of, k.NAMES)] == [0] * 4


def test_without_a_clock_nothing_counts(wall):
    game = tables.running("ann", "bob")
    tables.move(game, 0, "a2", "a4")
    assert of("ann") == (0, 0, 0)


def test_in_words():
    assert Reliability(3, 0).brief == "new to clocks"
    assert Reliability(999, 1, 1).brief == "99 % in time, left 1 game"
    assert Reliability(FEW, 0, 2).brief == "100 % in time, left 2 games"


def table(least: int) -> Game:
    seats = [{"kind": "me"}, {"kind": "open"}]
    host = tables.player("ann")
    return lobby.create(host, "gambit", {}, seats, pace="days", least_reliability=least)


def test_a_table_may_ask_for_a_minimum_and_says_why_not(wall):
    past("bob", 89, 11)
    past("cat", 90, 10)
    past("dan", 1, FEW - 2)
    game = table(90)
    with pytest.raises(IllegalAction) as refused:
        lobby.join(game, tables.player("bob"))
    assert refused.value.code == "unreliable" and "at least 90 %" in refused.value.sentence
    assert "89 % of 100" in refused.value.sentence
    answer = client_of("bob").post(reverse("join", args=[game.public_id]))
    assert answer.status_code == 403 and "89 % of 100" in answer.text
    assert not game.seats.filter(player__username="bob").exists()
    lobby.join(table(90), tables.player("cat"))
    lobby.join(table(90), tables.player("dan"))  # new, which is nothing bad
    with pytest.raises(IllegalAction):
        lobby.join(game, tables.player("bob"), by_link=True)
    Game.objects.all().update(status=Game.Status.CANCELLED)
    lobby.join(table(0), tables.player("bob"))


def test_whoever_asks_for_it_need_not_have_it_themselves(wall):
    past("ann", 1, 99)
    assert table(95).seats.filter(player__username="ann").exists()


@pytest.mark.parametrize("least", [50, 100, True, "90", None])
def test_other_minimums_are_refused(least):
    with pytest.raises(IllegalAction, match="bad_least"):
        table(least)


def test_lobby_room_profile_and_api_show_it(wall):
    past("ann", 95, 5)
    game = table(80)
    page = client_of("bob").get(reverse("lobby")).text
    assert "host 95 % in time" in page and "at least 80 % in time" in page
    assert "Host; 95 % in time" in client_of("bob").get(game.get_absolute_url()).text
    profile = client_of("ann").get(reverse("account")).text
    assert "You answered 95 of 100 questions with a clock in time" in profile
    told = Program(tables.player("bob")).get(f"tables/{game.public_id}").json()
    assert told["least_reliability"] == 80


def test_the_form_opens_such_a_table(wall):
    form = {"game": "gambit", "seat_0": "me", "seat_1": "open", "visible": "everyone", "pace": "days", "least": "90"}
    form |= {"option_light": "random"}
    assert client_of("ann").post(reverse("new_table"), form).status_code == 302
    assert Game.objects.get().least_reliability == 90
    assert client_of("ann").post(reverse("new_table"), {**form, "least": "91"}).status_code != 302


def test_a_rematch_asks_for_the_same(wall):
    game = table(80)
    lobby.join(game, tables.player("bob"))
    lobby.start(game, tables.player("ann"))
    game.refresh_from_db()
    tables.do(game, 0, "resign")
    again = begun.rematch(Game.objects.get(pk=game.pk), tables.player("ann"))
    assert again.least_reliability == 80
