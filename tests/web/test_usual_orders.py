"""A player's usual orders: kept from one table's page, given at the next one, and nobody else's business."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from games import lobby, play, usual_orders
from games.models import Action, Game
from players.guests import new_guest
from players.models import Player
from tests import tables
from tests.web import kings as k
from tests.web.test_act import client_of
from tests.web.test_kings_orders import form_in, orders_of, page_of, url

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("kings_bots", "settled_chance", "frozen_csrf")]


def press(game: Game, name: str, **changed: str) -> str:
    """Send the page of orders with some answers changed, and read what comes of it."""
    client = client_of(name)
    return client.post(url(game), form_in(page_of(game, name)) | changed, follow=True).text


def started(*others: str) -> Game:
    """A table of ann's that starts at once, through the lobby: against bots, or with people beside her."""
    beside = [{"kind": "same_device", "name": other} for other in others]
    plans = [{"kind": "me"}, *beside, {"kind": "bot", "level": "steward"}]
    game = lobby.create(tables.player("ann"), "kings", {}, plans)
    game.refresh_from_db()
    return game


def seat_of(game: Game, name: str) -> int:
    return game.seats.get(player=tables.player(name)).number


def test_orders_kept_at_one_table_are_given_at_the_next():
    first = k.kings()
    page = press(first, "ann", hits="walls", retreat="stay", usual="keep")
    assert "These are your usual orders now." in page and "Who takes hits in my battles" in page
    second = started()
    given = orders_of(second, seat_of(second, "ann"))
    assert (given["hits"], given["retreat"], given["battles"]) == ("walls", "stay", "ask")
    assert orders_of(second, 1 - seat_of(second, "ann"))["hits"] == "ask"


def test_only_saving_keeps_nothing():
    press(k.kings(), "ann", hits="walls")
    second = started()
    assert orders_of(second, seat_of(second, "ann"))["hits"] == "ask"


def test_what_the_table_orders_for_everybody_is_not_taken_for_a_players_own():
    press(k.kings(orders="settle"), "ann", retreat="stay", usual="keep")
    assert usual_orders.usual_orders_of(tables.player("ann"), "kings") == {"retreat": "stay"}


def test_usual_orders_can_be_forgotten_and_tables_keep_what_they_have():
    first = k.kings()
    press(first, "ann", hits="walls", usual="keep")
    assert "You have no usual orders any more." in press(first, "ann", usual="forget")
    assert orders_of(first, seat_of(first, "ann"))["hits"] == "walls"
    second = started()
    assert orders_of(second, seat_of(second, "ann"))["hits"] == "ask"


def test_nobody_else_can_tell_that_they_were_given():
    usual_orders.keep(tables.player("ann"), "kings", {"hits": "walls"})
    game = started()
    ann = seat_of(game, "ann")
    assert Action.objects.filter(game=game, action__do="set_order").count() == 1
    assert game.revision == 0
    heard = {seat: [line.event for line in play.log_for(game, seat)] for seat in (ann, 1 - ann, None)}
    assert "order_given" in heard[ann] and "order_given" not in heard[1 - ann] + heard[None]


def test_orders_of_one_person_are_not_those_of_all_at_their_device():
    usual_orders.keep(tables.player("ann"), "kings", {"hits": "walls"})
    game = started("Bea")
    assert {orders_of(game, seat)["hits"] for seat in (0, 1, 2)} == {"ask"}
    assert "usual-h" not in client_of("ann").get(url(game), follow=True).text


def test_by_a_return_link_alone_nobody_sees_or_changes_them():
    """Whoever stole one plays at its table, and must not give orders for the guest's next ones."""
    game, zoe = k.kings(), new_guest("Zoë")
    game.seats.filter(player=tables.player("ann")).update(player=zoe)
    usual_orders.keep(zoe, "kings", {"hits": "walls"})
    thief = Client()
    assert thief.post(reverse("come_back", args=[game.seats.get(player=zoe).return_key])).status_code == 302
    page = thief.get(url(game)).text
    assert "Who takes hits in my battles" in page and "At other tables" not in page
    for usual in ("keep", "forget"):
        thief.post(url(game), form_in(page) | {"retreat": "stay", "usual": usual})
        assert usual_orders.usual_orders_of(Player.objects.get(pk=zoe.pk), "kings") == {"hits": "walls"}
    assert orders_of(game, game.seats.get(player=zoe).number)["retreat"] == "stay", "at this table they play"


def test_an_order_that_the_rules_no_longer_know_is_left_out():
    usual_orders.keep(tables.player("ann"), "kings", {"hits": "walls", "no_such": "order", "retreat": "sideways"})
    game = started()
    assert orders_of(game, seat_of(game, "ann"))["hits"] == "walls"
    assert Action.objects.filter(game=game, action__do="set_order").count() == 1
