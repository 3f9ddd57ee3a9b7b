"""Two seats, one device: between them a page that shows nothing of either."""

from __future__ import annotations

import html
import re

import pytest
from django.test import Client
from django.urls import reverse

from games import access, play, tables
from games.engine.core.dice import Dice
from games.models import Game, Seat
from games.painting.kings.words import QUESTIONS
from tests.tables import player, running, seated
from tests.web import kings as k
from tests.web.test_act import client_of, submit
from tests.web.test_table_page import pulse

pytestmark = pytest.mark.django_db

MOVE = {"do": "move", "source": "e2", "target": "e4"}
ANSWER = {"do": "move", "source": "f9", "target": "f7"}


def shared(**values: object) -> Game:
    """ann plays light, bob dark, both on ann's device."""
    game = running("ann", "bob", **values)
    Seat.objects.filter(game=game, number=1).update(player=player("ann"), name="Bob")
    return game


def url(game: Game) -> str:
    return reverse("hand_over", args=[game.public_id])


def sit_down(client: Client, game: Game) -> None:
    response = client.post(url(game))
    assert (response.status_code, response["Location"]) == (302, game.get_absolute_url())


def test_nobody_sees_the_board_before_saying_who_they_are():
    game, client = shared(), client_of("ann")
    response = client.get(game.get_absolute_url())
    assert (response.status_code, response["Location"]) == (302, url(game))
    page = client.get(url(game))
    assert "I am ann, show my side" in page.text
    assert page["Cache-Control"] == "private, no-store"
    assert "sq-" not in page.text and "Soldier" not in page.text and "offers" not in page.text


def test_looking_at_the_page_sits_nobody_down():
    game, client = shared(), client_of("ann")
    client.get(url(game))
    assert client.get(game.get_absolute_url()).status_code == 302


def test_after_a_move_the_device_goes_to_the_other_seat():
    game, client = shared(), client_of("ann")
    sit_down(client, game)
    assert 'data-seat="0"' in client.get(game.get_absolute_url()).text
    response = submit(client, game, MOVE)
    assert response.status_code == 200
    assert response["HX-Redirect"] == url(game)
    assert "sq-" not in response.text
    assert "I am Bob, show my side" in client.get(url(game)).text
    sit_down(client, game)
    assert 'data-side="1"' in client.get(game.get_absolute_url()).text


def test_nothing_of_the_former_seat_remains():
    """Back, an old address, the pulse of an old page: all lead to the hand-over page."""
    game, client = shared(), client_of("ann")
    sit_down(client, game)
    submit(client, game, MOVE)
    for address in ("table", "export"):
        response = client.get(reverse(address, args=[game.public_id]))
        assert (response.status_code, response["Location"]) == (302, url(game))
    assert client.get(reverse("past", args=[game.public_id, 0]))["Location"] == url(game)
    old = pulse(client, game, revision=0, seat=0, visible=1)
    assert old["HX-Redirect"] == url(game) and "sq-" not in old.text


def test_between_two_seats_nobody_acts():
    game, client = shared(), client_of("ann")
    response = submit(client, game, MOVE)
    assert response.status_code == 403
    game.refresh_from_db()
    assert game.revision == 0


def test_a_stranger_cannot_sit_down():
    game = shared()
    client = client_of("cleo")
    client.post(url(game))
    assert 'data-seat=""' in client.get(game.get_absolute_url()).text
    assert submit(client, game, MOVE).status_code == 403


def test_without_hand_over_the_board_turns_by_itself():
    game, client = shared(hand_over=False), client_of("ann")
    assert 'data-side="0"' in client.get(game.get_absolute_url()).text
    response = submit(client, game, MOVE)
    assert response.status_code == 200
    assert 'data-seat="1" data-side="1"' in response.text
    game.refresh_from_db()
    assert submit(client, game, ANSWER, seat="1").status_code == 200


def test_whoever_sits_beside_can_answer_a_draw_offer():
    game, client = shared(), client_of("ann")
    sit_down(client, game)
    submit(client, game, {"do": "offer_draw"})
    assert "Bob: Accept" in client.get(game.get_absolute_url()).text
    game.refresh_from_db()
    assert submit(client, game, {"do": "accept_draw"}).status_code == 200
    game.refresh_from_db()
    assert (game.status, game.winners) == (Game.Status.FINISHED, [])


def test_nobody_answers_their_own_offer_from_another_device():
    game = running("ann", "bob")
    client = client_of("ann")
    submit(client, game, {"do": "offer_draw"})
    game.refresh_from_db()
    assert submit(client, game, {"do": "accept_draw"}).status_code == 422


def shared_kings() -> Game:
    """ann plays for two at one device, at the very start."""
    game = k.kings("ann", "bob")
    Seat.objects.filter(game=game, number=1).update(player=player("ann"), name="Bea")
    return game


def test_before_anybody_has_anything_to_hide_the_device_need_not_change_hands(settled_chance):
    game, client = shared_kings(), client_of("ann")
    while not Game.objects.get().has_secrets:
        (asked,) = k.asked(game)
        page = client.get(game.get_absolute_url())
        assert page.status_code == 200 and f'data-seat="{asked}"' in page.text, k.state_of(game).flow
        k.act(game, asked, k.sampled(game, asked, Dice.seeded("shared")))
    assert k.state_of(game).rack(0) and k.state_of(game).rack(1)
    response = client.get(game.get_absolute_url())
    assert (response.status_code, response["Location"]) == (302, url(game))


def test_whoever_has_given_orders_has_something_to_hide(settled_chance):
    game, client = shared_kings(), client_of("ann")
    assert client.get(game.get_absolute_url()).status_code == 200
    k.act(game, 0, {"do": "set_order", "about": "fan", "how": "mine"})
    assert client.get(game.get_absolute_url()).status_code == 302


def test_what_happens_while_a_shared_page_is_drawn_is_not_on_it(settled_chance):
    """The rows said that nothing is hidden; by the time the state is read there are racks."""
    game = shared_kings()
    old = Game.objects.get()
    visitor = access.visit(old, player("ann"), {})
    while not Game.objects.get().has_secrets:
        (asked,) = k.asked(game)
        k.act(game, asked, k.sampled(game, asked, Dice.seeded("shared")))
    play.forget()
    scene = tables.scene_for(visitor)
    assert scene.view.revision == 0 and not [c for c in scene.view.counters if c.place.startswith("rack")]


def test_there_is_nothing_to_hand_over_at_an_ordinary_table():
    game = running("ann", "bob")
    assert client_of("ann").get(url(game))["Location"] == game.get_absolute_url()
    assert client_of("ann").get(url(seated("ann", "dan"))).status_code == 302


# ---- who is meant


def asked_in(page: str) -> str:
    (title,) = re.findall(r'<section class="prompt yours".*?<strong>(.*?)</strong>', page, re.S)
    return title


def test_on_a_shared_screen_every_question_names_who_is_asked(kings_bots, settled_chance):
    game, client, chance, questions = shared_kings(), client_of("ann"), Dice.seeded("shared"), set()
    for _ in range(60):
        client.post(url(game))
        page = client.get(game.get_absolute_url()).text
        asked = int(re.findall(r'data-seat="(\d)"[^>]*data-side', page)[0])
        view = play.view_for(game, asked)
        assert page.count('<span class="badge info">you</span>') == 1
        assert asked_in(page) == f"{('ann', 'Bea')[asked]}: {html.escape(QUESTIONS[view.question][0])}"
        questions.add(view.question)
        k.act(game, asked, k.sampled(game, asked, chance))
    assert len(questions) > 8


def test_whoever_has_a_screen_of_their_own_needs_no_name(kings_bots):
    game = k.kings("ann", "bob")
    (asked,) = k.asked(game)
    page = client_of(k.NAMES[asked]).get(game.get_absolute_url()).text
    assert asked_in(page) == "Choose your start"


def test_gambit_names_who_is_to_move_at_one_screen():
    game, client = shared(hand_over=False), client_of("ann")
    assert asked_in(client.get(game.get_absolute_url()).text) == "ann: your move"
    submit(client, game, MOVE)
    assert asked_in(client.get(game.get_absolute_url()).text) == "Bob: your move"


def test_at_one_screen_nobody_in_particular_wins(kings_bots):
    game, client = shared_kings(), client_of("ann")
    k.act(game, 0, {"do": "propose_end", "winner": 0})
    k.act(game, 1, {"do": "agree_end", "winner": 0})
    page = client.get(game.get_absolute_url()).text
    assert "<strong>ann wins</strong>" in page and "You win!" not in page


def test_whoever_had_no_choice_at_one_screen_reads_why_and_the_other_does_not(kings_bots, settled_chance):
    """Of two, the second starts where the first leaves room (16, S2)."""
    game = shared_kings()
    (first,) = k.asked(game)
    k.act(game, first, k.sampled(game, first, Dice.seeded("start")))
    game.refresh_from_db()
    heard = {seat: [line.event for line in play.log_for(game, seat)] for seat in (0, 1, None)}
    assert [seat for seat, lines in heard.items() if "only_start" in lines] == [1 - first]
