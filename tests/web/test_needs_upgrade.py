"""A stored game that this code cannot read: every door says so, nothing of it changes, and nothing else suffers."""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from asgiref.sync import async_to_sync, sync_to_async
from django.test import Client
from django.urls import reverse

from games import archive, consumers, live, play, robots, urls
from games.engine import RULESETS
from games.models import Action, Counter, Game, Hex, Position, Seat
from tests.tables import move, player, running, seated
from tests.web import kings as k
from tests.web.test_api import Program
from tests.web.test_table_consumer import closed_with, opened

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    return running("anna", "bot:random")


def rows_of(game: Game) -> list[Any]:
    """Every stored value of a game."""
    found = [list(Game.objects.filter(pk=game.pk).values())]
    for model in (Position, Seat, Hex, Counter, Action):
        found.append(list(model.objects.filter(game=game).order_by("pk").values()))
    return found


# ---- what cannot be read


def rename_a_field(game: Game) -> None:
    position = Position.objects.get(game=game)
    position.flow[-1]["moves"] = position.flow[-1].pop("plies")
    position.save()


def change(**values: Any):
    def damage(game: Game) -> None:
        position = Position.objects.get(game=game)
        for name, value in values.items():
            old = getattr(position, name)
            setattr(position, name, value(old))
        position.save()

    return damage


def without(record: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in record.items() if key != name}


DAMAGE = {
    "a field under another name": (rename_a_field, "the frame duel has no field moves"),
    "a frame that is gone": (change(flow=lambda flow: [{**flow[0], "frame": "melee"}]), "there is no frame melee"),
    "a frame without a name": (change(flow=lambda flow: [without(flow[0], "frame")]), "a frame has no name"),
    "a flow of another form": (change(flow=lambda flow: {"duel": flow}), "the flow is not a list of frames"),
    "no flow": (change(flow=lambda flow: []), "the flow is empty, but the game has not ended"),
    "a step that is gone": (change(flow=lambda flow: [{**flow[0], "next": "moves"}]), "no step moves"),
    "a result for no field": (
        change(flow=lambda flow: [flow[0], {**flow[0], "into": "faces"}]),
        "the frame duel has no field faces",
    ),
    "a field of another type": (
        change(flow=lambda flow: [{**flow[0], "plies": [3]}]),
        "the frame duel: the field plies does not hold int",
    ),
    "an unknown extra": (change(extras=lambda extras: {**extras, "clock": 5}), "the extras has no field clock"),
    "a missing extra": (change(extras=lambda extras: without(extras, "quiet")), "the extras lacks the field quiet"),
    "an unknown kind of counter": (
        lambda game: Counter.objects.filter(game=game, kind="castle").update(kind="keep"),
        "there is no counter keep",
    ),
    "an unknown option": (
        lambda game: Game.objects.filter(pk=game.pk).update(options={**game.options, "clock": "fast"}),
        "there is no option clock",
    ),
    "an option with another choice": (
        lambda game: Game.objects.filter(pk=game.pk).update(options={**game.options, "light": "nobody"}),
        "the option light has no such choice",
    ),
    "no position": (lambda game: Position.objects.filter(game=game).delete(), "it has no position"),
    "newer rules": (
        lambda game: Game.objects.filter(pk=game.pk).update(rules_version="9"),
        "its rules are version 9, those of this site version 1",
    ),
    "newer rules of an action": (
        lambda game: Action.objects.filter(game=game).update(rules_version="9"),
        "its rules are version 9, those of this site version 1",
    ),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_a_game_that_cannot_be_read_is_not_opened_and_not_changed(game, name, client, caplog):
    damage, why = DAMAGE[name]
    damage(game)
    play.forget()
    before = rows_of(game)
    client.force_login(player("anna"))
    with caplog.at_level(logging.ERROR):
        for _ in range(2):
            assert client.get(game.get_absolute_url()).status_code == 503
    told = [record.getMessage() for record in caplog.records if record.name.startswith("games")]
    game.refresh_from_db()
    with pytest.raises(play.NeedsUpgrade) as stopped:
        play.act(game, 0, {"do": "resign"}, revision=game.revision, token="a-fresh-token")
    assert told == [f"game {game.public_id} needs an upgrade: {stopped.value.why}"]
    assert why in stopped.value.why
    assert rows_of(game) == before


def test_a_battle_with_a_renamed_field_does_not_end_by_itself():
    """The fault of issue 8: `attackers` under another name was dropped, and the battle was over at once."""
    game = k.kings("ann", "bob")
    k.play_on(game, "battle", lambda state: any(frame.name() == "battle" for frame in state.flow))
    position = Position.objects.get(game=game)
    battle = next(frame for frame in position.flow if frame["frame"] == "battle")
    battle["assailants"] = battle.pop("attackers")
    position.save()
    play.forget()
    with pytest.raises(play.NeedsUpgrade) as stopped:
        play.view_for(game, 0)
    assert stopped.value.why == "the frame battle has no field assailants"


@pytest.mark.parametrize("field, value", [("event", "marched"), ("move", 3), ("to", None)])
def test_a_log_that_cannot_be_read_stops_its_game(game, field, value, client):
    move(game, 0, "a2", "a3")
    row = Action.objects.get(game=game, number=1)
    row.told = [{**row.told[0], field: value} if field != "move" else {**row.told[0], "moved": value}]
    row.save()
    play.forget()
    assert client.get(game.get_absolute_url()).status_code == 503


@pytest.mark.parametrize(
    "changes",
    [
        {"counters": {"1": {"square": ["a1", "a2"]}}},
        {"pieces": {}},
        {"counters": {"999": {"place": ["a1", "a2"]}}},
        {"extras": {"clock": [1, 2]}},
        {"result": [{"winner": 1}, None]},
        [1],
    ],
)
def test_history_that_cannot_be_read_is_not_run_backwards(game, changes, client):
    """Unknown fields of changes were ignored, and an earlier board was shown as it never was."""
    move(game, 0, "a2", "a3")
    Action.objects.filter(game=game, number=1).update(changes=changes)
    play.forget()
    assert client.get(reverse("past", args=[game.public_id, 0])).status_code == 503
    assert client.get(game.get_absolute_url()).status_code == 200


# ---- what the doors say


def test_the_page_says_what_is_wrong_in_words_for_players(game, client):
    rename_a_field(game)
    play.forget()
    answer = client.get(game.get_absolute_url())
    text = answer.content.decode()
    assert answer.status_code == 503 and answer["Retry-After"] == "3600"
    assert "This game needs an upgrade" in text and "Nothing is lost" in text
    assert "plies" not in text and "moves" not in text  # that is for the operator


def test_a_game_of_newer_rules_has_words_of_its_own(game, client):
    Game.objects.filter(pk=game.pk).update(rules_version="9")
    play.forget()
    text = client.get(game.get_absolute_url()).content.decode()
    assert "needs newer rules" in text and "version" not in text


@pytest.mark.parametrize("door", ["act", "pulse", "chat", "why"])
def test_a_script_is_told_to_load_the_page_anew(game, door):
    rename_a_field(game)
    play.forget()
    browser = Client(headers={"HX-Request": "true"})
    browser.force_login(player("anna"))
    data = {"action": '{"do":"resign"}', "revision": "0", "token": "a-fresh-token", "text": "hello", "visible": "1"}
    answer = browser.post(reverse(door, args=[game.public_id]), data)
    assert answer.status_code == 503 and answer["HX-Refresh"] == "true" and answer.content == b""


def addresses(game: Game) -> Iterator[str]:
    """Every address of a table that the site knows."""
    for pattern in urls.urlpatterns:
        route = str(pattern.pattern)
        if route.startswith("tables/<"):
            yield "/" + re.sub("<int:[^>]+>", "0", route.replace("<str:public_id>", game.public_id))


@pytest.mark.parametrize("method", ["get", "post"])
def test_no_address_of_the_table_fails_otherwise(method, client):
    game = k.kings("ann", "bob")
    change(extras=lambda extras: {**extras, "clock": 5})(game)
    play.forget()
    before = rows_of(game)
    client.raise_request_exception = False
    client.force_login(player("ann"))
    data = {"action": '{"do":"resign"}', "seat": "0", "player": "1", "number": "0", "text": "hello"}
    codes = {address: getattr(client, method)(address, data).status_code for address in addresses(game)}
    assert len(codes) > 8 and 503 in codes.values()
    assert not [address for address, code in codes.items() if code >= 500 and code != 503], codes
    assert game_rows(rows_of(game)) == game_rows(before)


def game_rows(rows: list[Any]) -> list[Any]:
    """All but when somebody looked."""
    return [[{name: value for name, value in row.items() if name != "seen_at"} for row in each] for each in rows]


def test_the_api_gives_a_coded_refusal(game):
    rename_a_field(game)
    play.forget()
    program = Program(player("anna"))
    for answer in (
        program.get(f"tables/{game.public_id}"),
        program.post(
            f"tables/{game.public_id}/actions", {"action": {"do": "resign"}, "revision": 0, "token": "fresh-token"}
        ),
    ):
        assert answer.status_code == 503 and answer["Retry-After"] == "3600"
        assert answer.json()["code"] == "needs_upgrade" and "needs an upgrade" in answer.json()["sentence"]


def test_lists_and_lobby_go_on(game, client):
    rename_a_field(game)
    play.forget()
    client.force_login(player("anna"))
    assert game.public_id in client.get(reverse("lobby")).content.decode()
    shown = Program(player("anna")).get("tables?show=mine").json()["tables"]
    assert [each["id"] for each in shown] == [game.public_id]


def test_the_admin_says_why(game, client):
    rename_a_field(game)
    play.forget()
    client.force_login(player("chief", is_staff=True, is_superuser=True))
    page = client.get(reverse("admin:games_game_change", args=[game.pk]))
    assert page.status_code == 200 and "the frame duel has no field moves" in page.content.decode()
    assert game.public_id in client.get("/admin/games/game/").content.decode()


def test_a_table_opened_under_newer_rules_is_not_started():
    game = seated("anna", "ben")
    Game.objects.filter(pk=game.pk).update(rules_version="9")
    game.refresh_from_db()
    with pytest.raises(play.NeedsUpgrade):
        play.start(game)
    assert not Action.objects.filter(game=game).exists()


@pytest.mark.django_db(transaction=True)
def test_a_socket_is_closed_with_a_code_of_its_own():
    consumers._open.clear()

    async def story() -> int:
        game = await sync_to_async(running)("anna", "ben")
        await sync_to_async(rename_a_field)(game)
        play.forget()
        return await closed_with(await opened(game, "anna"))

    assert async_to_sync(story)() == live.NEEDS_UPGRADE == 4503
    assert not consumers._open


@pytest.mark.django_db(transaction=True)
def test_a_bot_leaves_such_a_game_alone_and_answers_in_others(caplog):
    async def story() -> tuple[Game, Game, int]:
        broken = await sync_to_async(running)("bot:random", "anna")
        sound = await sync_to_async(running)("bot:random", "ben")
        await sync_to_async(rename_a_field)(broken)
        play.forget()
        thinking, tasks = robots.Robots(ThreadPoolExecutor(1)), 0
        for _ in range(5):
            await thinking.answer_all()
            tasks += sum(1 for pk, _ in thinking.busy if pk == broken.pk)
            await asyncio.gather(*thinking.busy.values())
        return broken, sound, tasks

    with caplog.at_level(logging.ERROR):
        broken, sound, tasks = async_to_sync(story)()
    broken.refresh_from_db()
    sound.refresh_from_db()
    assert (broken.revision, sound.revision, tasks) == (0, 1, 1)
    assert [record.getMessage() for record in caplog.records] == [
        f"game {broken.public_id} needs an upgrade: the frame duel has no field moves"
    ]


def test_such_a_game_can_be_exported_for_a_bug_report(game):
    whole = archive.exported(game)
    rename_a_field(game)
    play.forget()
    assert archive.exported(game) == {**whole, "state": ""}


# ---- what can be read by its older name


def test_a_registered_rename_is_read(game, monkeypatch):
    rules = RULESETS["gambit"]
    shape = rules.frames.shapes["duel"]
    monkeypatch.setattr(shape, "renamed", {"moves": "plies"})
    rename_a_field(game)
    play.forget()
    assert play.view_for(game, 0).turn == 0


def test_a_field_with_a_default_may_be_missing(game):
    change(flow=lambda flow: [without(flow[0], "plies")])(game)
    play.forget()
    assert play.view_for(game, 0).turn == 0
    assert json.dumps(Position.objects.get(game=game).flow).count("plies") == 0
