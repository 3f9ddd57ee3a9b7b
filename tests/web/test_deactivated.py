"""A deactivated player: no page, form, API call or link of theirs works any more (sockets: test_table_consumer)."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import SESSION_KEY
from django.test import Client

from games.models import Game
from players import guests, tokens
from players.models import Player
from tests import tables
from tests.web.test_bad_input import JUNK, ROUTES, digest, fill, good_values

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    return tables.running("ann", "bob", is_public=False)


def deactivated(client: Client, name: str = "ann") -> Client:
    """A browser that was logged in when its player was deactivated."""
    someone = Player.objects.get(username=name)
    client.force_login(someone)
    Player.objects.filter(pk=someone.pk).update(is_active=False)
    return client


def asked(client: Client, method: str, url: str, **more: Any) -> tuple[int, str]:
    response = getattr(client, method)(url, **more)
    return response.status_code, response.headers.get("Location", "")


@pytest.mark.parametrize("route", [route for route in ROUTES if not route.startswith("api/")])
def test_every_page_treats_them_as_a_stranger(game, route):
    blanks = {name: JUNK[kind][0] for name, kind in (each.split(":") for each in _blanks(route))}
    url = fill(route, blanks | good_values(game) | {"invite_key": "junk", "return_key": "junk"})
    before = digest(game)
    for method in ("get", "post"):
        once_there, stranger = deactivated(Client()), Client()
        assert asked(once_there, method, url) == asked(stranger, method, url), (method, url)
    assert digest(game) == before


def _blanks(route: str) -> list[str]:
    return [each.split("}")[0] for each in route.split("{")[1:]]


def test_their_table_is_not_there_for_them(game):
    client = Client()
    client.force_login(Player.objects.get(username="ann"))
    url = game.get_absolute_url()
    assert client.get(url).status_code == 200
    deactivated(client)
    assert client.get(url).status_code == 404
    action = {"action": '{"do": "resign"}', "revision": "0", "token": "token-0001-of-a-page"}
    assert client.post(f"{url}act/", action).status_code == 404
    game.refresh_from_db()
    assert game.status == Game.Status.RUNNING


def test_their_tokens_work_no_more(game):
    _, secret = tokens.make(Player.objects.get(username="ann"), "a bot")
    headers = {"Authorization": f"Bearer {secret}"}
    url = f"/api/v1/tables/{game.public_id}"
    assert Client().get(url, headers=headers).status_code == 200
    deactivated(Client())
    assert Client().get(url, headers=headers).status_code == 401
    resign = {"action": {"do": "resign"}, "revision": 0, "token": "token-0001-of-a-bot"}
    answer = Client().post(f"{url}/actions", resign, content_type="application/json", headers=headers)
    assert answer.status_code == 401


def test_their_password_logs_nobody_in():
    ann = Player.objects.create_user("ann", password="correct horse battery")
    Player.objects.filter(pk=ann.pk).update(is_active=False)
    client = Client()
    client.post("/account/login/", {"login": "ann", "password": "correct horse battery"})
    assert SESSION_KEY not in client.session


def test_their_return_link_opens_nothing():
    game = tables.running("ann", "bob")
    guest = guests.new_guest("Gus")
    seat = game.seats.get(number=1)
    seat.player = guest
    seat.save()
    Player.objects.filter(pk=guest.pk).update(is_active=False)
    client = Client()
    client.get(f"/return/{seat.return_key}/")
    assert 400 <= client.post(f"/return/{seat.return_key}/").status_code < 500
    assert SESSION_KEY not in client.session
