"""The table of a lesson: one press begins it, nothing else can ask for its chance, and it is marked as one."""

from __future__ import annotations

import json

import pytest

from games import access, archive, begun, listing, lobby
from games.engine.core.refusals import IllegalAction
from games.models import Action, Game
from games.registry import ENTRIES
from tests import tables
from tests.web.test_api import Program

pytestmark = pytest.mark.django_db


def press(client, start: str, **fields: str):
    return client.post("/play-now/", {"start": start, **fields})


def test_one_press_seats_a_guest_with_two_pages(client):
    answer = press(client, "lesson:kings")
    game = Game.objects.get()
    assert answer.status_code == 302 and answer.url == game.get_absolute_url()
    assert game.is_lesson and game.status == "running" and not game.is_public
    assert sorted(seat.bot for seat in game.seats.all()) == ["", "page", "page"]
    assert game.host.is_guest


def test_the_front_page_offers_the_lesson(client):
    assert client.get("/").text.count("Learn it in ten minutes") == 1


def test_all_lessons_begin_the_same_and_can_be_verified():
    one, other = (lobby.lesson(tables.player(name), "kings") for name in ("ann", "bob"))
    draws = [Action.objects.get(game=game, number=0).draws for game in (one, other)]
    assert draws[0] == draws[1] and draws[0]
    assert archive.verify(one) == archive.verify(other) == ""


@pytest.mark.parametrize("start", ["lesson:gambit", "lesson:chess", "lesson:", "lesson"])
def test_a_game_without_a_lesson_is_refused(client, start):
    assert press(client, start).status_code == 400
    assert not Game.objects.exists()


def test_the_lobby_refuses_a_lesson_that_there_is_not():
    for slug in ("gambit", "chess"):
        with pytest.raises(IllegalAction):
            lobby.lesson(tables.player("ann"), slug)


def test_nothing_that_is_sent_makes_another_table_a_lesson(client):
    asked = {"is_lesson": "on", "lesson": "on", "option_lesson": "on", "option_is_lesson": "on"}
    press(client, "bots:kings", **asked)
    game = Game.objects.get()
    assert not game.is_lesson
    seeds = {bytes(game.position.dice_seed), bytes(game.position.cup_seed)}
    assert seeds.isdisjoint(lesson_seeds())
    with pytest.raises(IllegalAction):
        lobby.create(game.host, "kings", {"lesson": "yes"}, [lobby.SeatPlan("me"), lobby.SeatPlan("bot", "page")])


def test_a_program_cannot_ask_for_a_lesson():
    program = Program(tables.player("ann"))
    seats = [{"kind": "me"}, {"kind": "bot", "level": "page"}]
    for more in ({"lesson": True}, {"is_lesson": True}, {"options": {"lesson": "yes"}}):
        answer = program.post("tables", {"game": "kings", "seats": seats, **more})
        assert answer.status_code in (201, 400, 422) and not answer.json().get("lesson")
    assert not Game.objects.filter(is_lesson=True).exists()


def lesson_seeds() -> set[bytes]:
    lesson = lobby.lesson(tables.player("pupil"), "kings")
    return {bytes(lesson.position.dice_seed), bytes(lesson.position.cup_seed)}


def test_nobody_else_may_join_or_see_it(client):
    game = lobby.lesson(tables.player("ann"), "kings")
    bob = tables.player("bob")
    with pytest.raises(IllegalAction):
        lobby.join(game, bob, by_link=True)
    client.force_login(bob)
    assert not access.may_see(game, bob, client.session, access.seats_of(game))
    assert not listing.watch_rows(bob)


def test_a_lesson_is_marked_in_lists_export_and_admin(client):
    game = lobby.lesson(tables.player("ann"), "kings")
    assert archive.exported(game)["lesson"] is True
    rows = [*listing.waiting_rows(game.host), *listing.playing_rows(game.host)]
    assert [row.facts[0] for row in rows] == [f"{ENTRIES['kings'].name}, lesson"]
    client.force_login(tables.player("staff", is_staff=True, is_superuser=True))
    assert "Is lesson" in client.get("/admin/games/game/").text


def test_an_exported_lesson_can_be_imported_and_stays_one():
    game = lobby.lesson(tables.player("ann"), "kings")
    data = archive.exported(game)
    game.delete()
    again = archive.imported(json.loads(json.dumps(data)), tables.player("eve"))
    assert again.is_lesson and archive.verify(again) == ""


def test_a_rematch_of_a_lesson_has_ordinary_dice():
    game = lobby.lesson(tables.player("ann"), "kings")
    Game.objects.filter(pk=game.pk).update(status="finished")
    game.refresh_from_db()
    again = begun.rematch(game, game.host)
    assert not again.is_lesson and bytes(again.position.dice_seed) != bytes(game.position.dice_seed)
