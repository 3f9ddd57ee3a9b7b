"""Standing orders on a page of their own: all of them for everybody, told in words, and saved through the gate."""

from __future__ import annotations

import re
from urllib.parse import urlencode

import pytest
from django.test import Client
from django.urls import reverse

from games import lobby, play
from games.engine.kings import options
from games.engine.kings.orders import ORDERS
from games.models import Action, Game
from games.painting.kings.orders import OPTIONS, PARTS, WORDS
from tests import tables as tt
from tests.web import kings as k
from tests.web.test_act import client_of

OPTIONS_ABOUT_ORDERS = (options.REACTIONS, options.WAITING, options.ORDERS)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("kings_bots", "settled_chance", "frozen_csrf")]


def url(game: Game) -> str:
    return reverse("orders", args=[game.public_id])


def page_of(game: Game, name: str) -> str:
    response = client_of(name).get(url(game))
    assert response.status_code == 200 and response["Cache-Control"] == "private, no-store"
    return response.text


def form_in(page: str) -> dict[str, str]:
    """What a browser sends if nothing is touched."""
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="(\w*)">', page))
    return fields | dict(re.findall(r'<input type="radio" name="(\w+)" value="(\w+)" checked>', page))


def orders_of(game: Game, seat: int) -> dict[str, str]:
    return play.view_for(game, seat).orders  # type: ignore[attr-defined]


# ---- words


def test_every_order_and_answer_has_words_and_a_rule_that_is_there():
    assert sorted(about for _, abouts in PARTS for about in abouts) == sorted(ORDERS) == sorted(WORDS)
    for about, order in ORDERS.items():
        assert list(WORDS[about].choices) == list(order.choices), about
        assert WORDS[about].about and all(WORDS[about].choices.values())
    assert {name: set(words) for name, words in OPTIONS.items()} == {
        option.name: set(option.choices) for option in OPTIONS_ABOUT_ORDERS
    }
    page = Client().get(reverse("rules_of", args=["kings"])).text
    assert all(f'id="{words.rule}"' in page for words in WORDS.values())


# ---- who gets it


def test_it_is_the_same_for_two_seats_with_different_racks():
    game = k.kings()
    k.play_on(game, "racks", k.after(40))
    racks = [[c.kind for c in play.view_for(game, seat).counters if c.place == f"rack:{seat}"] for seat in (0, 1)]
    assert racks[0] != racks[1]
    ann, bob = (page_of(game, name).split('<main id="main"')[1] for name in ("ann", "bob"))
    assert ann.count('name="seat" value="0"') == 1
    token_of_ann, token_of_bob = (form_in(page)["form_token"] for page in (ann, bob))
    assert ann.replace('name="seat" value="0"', 'name="seat" value="1"').replace(token_of_ann, token_of_bob) == bob
    assert all(order.label in ann for order in ORDERS.values())
    assert ann.count('type="radio"') == sum(len(order.choices) for order in ORDERS.values())


def test_it_tells_what_the_options_of_the_table_mean():
    page = page_of(k.kings(reactions="holders", waiting="never"), "ann")
    assert OPTIONS["reactions"]["holders"] in page and OPTIONS["waiting"]["never"] in page
    assert OPTIONS["reactions"]["sealed"] not in page
    assert 'name="waiting" value="never" checked' in page


def test_a_table_that_settles_small_questions_shows_the_orders_it_began_with():
    page = page_of(k.kings(orders="settle"), "ann")
    assert OPTIONS["orders"]["settle"] in page
    assert 'name="hits" value="walls" checked' in page and 'name="battle_items" value="ask" checked' in page
    assert 'name="hits" value="ask" checked' in page_of(k.kings(orders="ask"), "ann")


def test_spectators_and_other_games_have_none():
    game, gambit = k.kings(), tt.running("ann", "ben")
    for client in (Client(), client_of("eve")):
        assert client.get(url(game)).status_code == client.post(url(game), {"seat": "0"}).status_code == 404
    assert client_of("ann").get(url(gambit)).status_code == 404


def test_before_and_after_the_game_it_leads_to_the_table():
    game = k.kings()
    Game.objects.filter(pk=game.pk).update(status=Game.Status.FINISHED)
    assert client_of("ann").get(url(game))["Location"] == game.get_absolute_url()


def test_between_two_seats_of_one_device_nothing_is_shown():
    seats = [{"kind": "me"}, {"kind": "same_device", "name": "Ben"}]
    game = lobby.create(tt.player("ann"), "kings", {}, seats)
    k.play_on(game, "one device", k.has_secrets)
    client, over = client_of("ann"), reverse("hand_over", args=[game.public_id])
    assert client.get(url(game))["Location"] == over
    assert client.post(url(game), {"seat": "0", "fan": "skip", "was_fan": "ask"})["Location"] == over
    client.post(over)
    page = client.get(url(game)).text
    wrong = {**form_in(page), "fan": "skip", "seat": str(1 - int(form_in(page)["seat"]))}
    assert client.post(url(game), wrong).status_code == 409
    assert orders_of(game, 0)["fan"] == orders_of(game, 1)["fan"] == "ask"


# ---- saving


def test_what_is_changed_is_saved_and_said():
    game, client = k.kings(), client_of("ann")
    before = Action.objects.filter(game=game).count()
    form = form_in(page_of(game, "ann"))
    assert set(ORDERS) <= set(form)
    response = client.post(url(game), {**form, "fan": "mine", "proof": "show"}, follow=True)
    assert response.status_code == 200 and f"Saved: {ORDERS['fan'].label}; {ORDERS['proof'].label}." in response.text
    assert orders_of(game, 0) | {"fan": "mine", "proof": "show"} == orders_of(game, 0)
    assert orders_of(game, 1)["fan"] == "ask"
    assert Action.objects.filter(game=game).count() == before + 2
    assert form_in(response.text)["fan"] == "mine"


def test_a_form_sent_twice_and_one_that_changes_nothing():
    game, client = k.kings(), client_of("ann")
    form = form_in(page_of(game, "ann"))
    assert "You haven’t changed anything." in client.post(url(game), form, follow=True).text
    before = Action.objects.filter(game=game).count()
    assert before == 1  # the set-up
    for _ in range(2):
        assert client.post(url(game), {**form, "fan": "mine"}, follow=True).status_code == 200
    assert orders_of(game, 0)["fan"] == "mine"
    assert Action.objects.filter(game=game).count() == before + 1


def test_what_was_changed_elsewhere_meanwhile_stays():
    game, client = k.kings(), client_of("ann")
    form = form_in(page_of(game, "ann"))
    k.act(game, 0, {"do": "set_order", "about": "elixir", "how": "mine"})
    client.post(url(game), {**form, "fan": "mine"})
    assert (orders_of(game, 0)["elixir"], orders_of(game, 0)["fan"]) == ("mine", "mine")


@pytest.mark.parametrize("how", [b"no-such-answer", b"", b"\x00", b"\xed\xa0\x80", b"a" * 10_000])
def test_an_answer_there_is_not_is_refused(how):
    game, client = k.kings(), client_of("ann")
    form = form_in(page_of(game, "ann"))
    body = urlencode({**form, "fan": how})
    response = client.post(url(game), body, content_type="application/x-www-form-urlencoded")
    assert response.status_code in (400, 422)
    assert orders_of(game, 0)["fan"] == "ask"


def test_the_table_leads_to_it_and_back():
    game = k.kings()
    assert f'href="{url(game)}"' in client_of("ann").get(game.get_absolute_url()).text
    assert f'href="{url(game)}"' not in client_of("eve").get(game.get_absolute_url()).text
    assert f'href="{game.get_absolute_url()}"' in page_of(game, "ann")
