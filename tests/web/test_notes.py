"""Private notes for a table: for their player alone, in no export, API or admin, and not passed on with the seat."""

from __future__ import annotations

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse

from games import archive, notes
from games.models import Game, Note, Seat
from tests import tables
from tests.web.test_act import client_of
from tests.web.test_api import Program

pytestmark = pytest.mark.django_db

SECRET = "The ogre in the swamp is a bluff"


def notebook(game: Game) -> str:
    return reverse("notes", args=[game.public_id])


@pytest.fixture(name="game")
def fixture_game() -> Game:
    game = tables.running("ann", "bob")
    assert client_of("ann").post(notebook(game), {"text": f"{SECRET}\r\nsecond line  "}).status_code == 302
    return game


def test_they_are_kept_and_shown_to_their_player(game):
    page = client_of("ann").get(notebook(game)).text
    assert f"{SECRET}\nsecond line</textarea>" in page
    assert notebook(game) in client_of("ann").get(game.get_absolute_url()).text
    client_of("ann").post(notebook(game), {"text": "other"})
    assert Note.objects.get().text == "other"
    client_of("ann").post(notebook(game), {"text": " \n"})
    assert not Note.objects.exists()


def test_nobody_else_reads_them(game):
    assert SECRET not in client_of("bob").get(notebook(game)).text
    for client in (client_of("eve"), Client()):
        assert client.get(notebook(game)).status_code == 404
        assert client.post(notebook(game), {"text": "x"}).status_code == 404
        assert "/notes/" not in client.get(game.get_absolute_url()).text
    for path in (game.get_absolute_url(), reverse("export", args=[game.public_id])):
        for name in ("ann", "bob"):
            assert SECRET not in client_of(name).get(path).text
    assert SECRET not in str(archive.exported(game))
    for name in ("ann", "bob"):
        assert SECRET not in Program(tables.player(name)).get(f"tables/{game.public_id}").content.decode()
    assert not admin.site.is_registered(Note)


def test_they_stay_with_the_player_when_the_seat_passes_on(game):
    Seat.objects.filter(game=game, number=0).update(player=tables.player("cat"))
    assert SECRET not in client_of("cat").get(notebook(game)).text
    assert SECRET in client_of("ann").get(notebook(game)).text


def test_too_much_and_what_no_database_keeps_are_refused(game):
    refused = client_of("ann").post(notebook(game), {"text": "x" * (notes.LONGEST + 1)})
    assert refused.status_code == 422 and "up to 2000 characters" in refused.text
    assert Note.objects.get().text.startswith(SECRET)


def test_on_a_shared_device_nothing_would_be_private(game):
    Seat.objects.filter(game=game).update(player=tables.player("ann"), held_for="host")
    assert client_of("ann").get(notebook(game)).status_code == 404
