"""Private talk between two players, blocks that work both ways, and reports."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from games import access, aside, lobby, tables
from games.engine.core.refusals import IllegalAction
from games.models import Game, Message, PrivateMessage, Report
from players.models import Block
from tests import tables as tt
from tests.web.test_act import client_of

pytestmark = pytest.mark.django_db

SECRET = "attack cat together"


def talk(game: Game, number: int) -> str:
    return reverse("talk", args=[game.public_id, number])


@pytest.fixture(name="game")
def fixture_game() -> Game:
    return tt.running("ann", "bob", private_talk=True)


def test_only_the_two_read_it(game):
    assert client_of("ann").post(talk(game, 1), {"text": SECRET}).status_code == 302
    assert "1 new" in client_of("bob").get(game.get_absolute_url()).text
    assert SECRET in client_of("bob").get(talk(game, 0)).text
    assert "1 new" not in client_of("bob").get(game.get_absolute_url()).text
    for client in (client_of("eve"), Client()):
        assert client.get(talk(game, 0)).status_code == 403
        assert SECRET not in client.get(game.get_absolute_url()).text
    Game.objects.filter(pk=game.pk).update(status="finished")
    assert SECRET not in client_of("bob").get(game.get_absolute_url()).text


def test_where_the_table_does_not_allow_it_there_is_none():
    game = tt.running("ann", "bob")
    assert client_of("ann").post(talk(game, 1), {"text": SECRET}).status_code == 403
    assert "Talk in private" not in client_of("ann").get(game.get_absolute_url()).text
    assert not PrivateMessage.objects.exists()


def test_bad_texts_and_seats_are_refused(game):
    assert client_of("ann").post(talk(game, 1), {"text": ""}).status_code == 422
    assert client_of("ann").post(talk(game, 1), {"text": "x" * 501}).status_code == 422
    for number in (0, 7, 10**12):
        assert client_of("ann").get(talk(game, number)).status_code == 403
    for _ in range(4):
        assert client_of("ann").post(talk(game, 1), {"text": "hello"}).status_code == 302
    assert client_of("ann").post(talk(game, 1), {"text": "hello"}).status_code == 429


def lines(game: Game, name: str) -> list[str]:
    visitor = access.visit(Game.objects.get(pk=game.pk), tt.player(name), {})
    return [line[1] for line in tables.talk_context(visitor)["lines"]]


def test_a_block_works_both_ways(game):
    for name in ("ann", "bob"):
        Message.objects.create(game=game, player=tt.player(name), name=name, text=f"from {name}")
    assert client_of("ann").post(talk(game, 1), {"do": "block"}).status_code == 302
    assert (lines(game, "ann"), lines(game, "bob")) == (["from ann"], ["from bob"])
    for name, number in (("ann", 1), ("bob", 0)):
        assert client_of(name).post(talk(game, number), {"text": "hello"}).status_code == 403
    table = lobby.create(tt.player("bob"), "gambit", {}, [{"kind": "me"}, {"kind": "open"}])
    with pytest.raises(IllegalAction, match="no_company"):
        lobby.join(table, tt.player("ann"))
    aside.unblock(tt.player("bob"), tt.player("ann").pk)
    assert Block.objects.exists(), "it is not theirs to end"
    bob = tt.player("bob").pk
    assert "Players you blocked" in client_of("ann").get(reverse("account")).text
    assert client_of("ann").post(reverse("end_block"), {"player": "x"}).status_code == 302 and Block.objects.exists()
    assert client_of("ann").post(reverse("end_block"), {"player": bob}).status_code == 302
    lobby.join(table, tt.player("ann"))


def test_a_message_is_reported_to_the_staff(game):
    said = Message.objects.create(game=game, player=tt.player("bob"), name="bob", text="you fool")
    address = reverse("report", args=[game.public_id, "table", said.pk])
    assert address in client_of("ann").get(game.get_absolute_url()).text
    assert "you fool" in client_of("ann").get(address).text
    for _ in range(2):
        client_of("ann").post(address, {"why": "rude", "block": "yes"})
    assert [(each.author, each.text, each.why) for each in Report.objects.all()] == [
        (tt.player("bob"), "you fool", "rude")
    ]
    for name in ("eve", "bob"):
        assert client_of(name).get(address).status_code == 403
    assert client_of("ann").post(address, {"why": "x" * 400}).status_code in (403, 422)
    tt.player("chief", is_staff=True, is_superuser=True)
    assert "you fool" in client_of("chief").get("/admin/games/report/").text
    assert client_of("ann").get("/admin/games/report/").status_code == 302
