"""Kings & Things* at the doors every game has: lobby and lists, past and text, leaving and coming back, staff, mail."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games import begun, lobby, registry, telling
from games.engine import RULESETS
from games.models import Game, Seat
from tests import tables
from tests.web import kings as k

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("kings_bots", "settled_chance")]


@pytest.fixture
def game():
    game = k.kings(last_turn="40")
    k.play_on(game, "pages", k.after(25))
    game.refresh_from_db()
    return game


def client_of(name: str) -> Client:
    client = Client()
    client.force_login(tables.player(name))
    return client


def at(name: str, game: Game, *more: object) -> str:
    return reverse(name, args=[game.public_id, *more])


# ---- the lobby


def test_every_game_has_a_board_and_can_be_opened_on_a_page():
    assert set(registry.ENTRIES) == set(RULESETS)
    for slug in RULESETS:
        assert f'name="game" value="{slug}"' in Client().get(reverse("new_table"), {"game": slug}).text


def test_a_table_opened_by_program_can_be_joined_in_the_browser():
    game = lobby.create(tables.player("ann"), "kings", {"last_turn": "15"}, [{"kind": "me"}, *[{"kind": "open"}] * 2])
    assert "Kings &amp; Things*" in client_of("bob").get("/").text
    room = client_of("bob").get(game.get_absolute_url())
    assert room.status_code == 200 and "Turn 15" in room.text and "/rules/kings/" in room.text
    assert client_of("bob").get(reverse("invitation", args=[game.invite_key])).status_code == 200
    for name in ("bob", "cat"):
        assert client_of(name).post(at("join", game)).status_code == 302
    assert client_of("ann").post(at("start", game)).status_code == 302
    game.refresh_from_db()
    assert game.status == Game.Status.RUNNING and game.seats.count() == 3


def test_the_lists_name_all_who_play(game):
    for name in (*k.NAMES, "eve"):
        text = client_of(name).get("/").text
        others = [each for each in k.NAMES if each != name]
        assert all(each in text for each in others) and game.get_absolute_url() in text
    assert "ann, bob, cat and dan" in client_of("eve").get("/").text


def test_a_finished_game_is_listed_and_can_be_played_again(game):
    for seat, do in (
        (0, {"do": "propose_end", "winner": 1}),
        *((n, {"do": "agree_end", "winner": 1}) for n in (1, 2, 3)),
    ):
        k.act(game, seat, do)
    assert "You won" in client_of("bob").get("/").text and "You lost" in client_of("ann").get("/").text
    assert "by agreement" in client_of("ann").get("/").text
    assert "bob wins" in client_of("eve").get(game.get_absolute_url()).text
    for name in k.NAMES:
        assert client_of(name).post(at("rematch", game)).status_code == 302
    game.refresh_from_db()
    assert game.rematch.status == Game.Status.RUNNING and game.rematch.options["last_turn"] == "40"


# ---- the table


def test_namesakes_are_told_apart_by_their_side():
    game = k.kings("ann", "bob", "cat")
    Seat.objects.filter(game=game, number__in=(1, 2)).update(name="Sam")
    k.play_on(game, "namesakes", k.after(20))
    text = Client().get(game.get_absolute_url()).text
    assert "Sam (Grey) starts at" in text and "Sam (Green) starts at" in text and "ann starts at" in text


def test_bots_of_one_level_have_names_and_keep_their_level():
    game = k.kings("ann", "bot:steward", "bot:steward")
    k.play_on(game, "names", k.after(20))
    text = Client().get(game.get_absolute_url()).text
    one, other = (seat.label for seat in game.seats.filter(bot="steward"))
    assert one != other and one.startswith("Steward ") and other.startswith("Steward ")
    assert f"{one} starts at" in text and f"{other} starts at" in text


def test_earlier_moments_can_be_looked_at(game):
    early = client_of("ann").get(at("past", game, 3))
    assert early.status_code == 200 and "After step 3 of" in early.text
    for revision in (0, 25, 9_999_999):
        assert Client().get(at("past", game, revision)).status_code == 200
    assert Client().get(at("past", game, 3), headers={"HX-Request": "true"}).status_code == 200


def test_the_game_can_be_taken_away_as_text(game):
    text = client_of("ann").get(at("export", game)).text
    assert text.startswith("Game: Kings & Things*\n") and "Yellow: ann" in text and "ann starts at" in text
    assert Client().get(at("export", game), {"with": "seeds"}).status_code == 404
    k.act(game, 0, {"do": "propose_end", "winner": -1})
    for seat in (1, 2, 3):
        k.act(game, seat, {"do": "agree_end", "winner": -1})
    assert json.loads(Client().get(at("export", game), {"with": "seeds"}).content)["ruleset"] == "kings"


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_a_page_may_act_too_and_is_refused_in_words(game, headers):
    client = client_of(next(name for seat, name in enumerate(k.NAMES) if seat not in k.asked(game)))
    order = json.dumps({"do": "set_order", "about": "proof", "how": "show"})
    sent = {"action": order, "revision": game.revision, "token": "from-a-page"}
    done = client.post(at("act", game), sent, headers=headers)
    assert done.status_code == (200 if headers else 302)
    game.refresh_from_db()
    wrong = {
        "revision": game.revision,
        "token": "from-a-page-2",
        "action": '{"do": "march", "counters": [], "path": []}',
    }
    refused = client.post(at("act", game), wrong, headers=headers)
    assert refused.status_code == 422 and "It’s not your turn to decide. Wait until the game asks you." in refused.text
    typed = client.post(at("act", game), {"move": "e2-e4", "revision": "1", "token": "from-a-page-3"}, headers=headers)
    assert typed.status_code == 400


def test_the_other_doors_of_a_table_answer(game):
    ann = client_of("ann")
    assert ann.post(at("pulse", game), {"visible": "1"}).status_code == 200
    assert ann.post(at("chat", game), {"text": "hello"}).status_code == 302
    assert ann.post(at("chat", game), {"text": "again"}, headers={"HX-Request": "true"}).status_code == 200
    assert Client().get(reverse("rules")).status_code == 200


def test_a_device_is_handed_over_between_its_seats():
    seats = [{"kind": "me"}, {"kind": "same_device", "name": "Ben"}, {"kind": "same_device", "name": "Cleo"}]
    game = lobby.create(tables.player("ann"), "kings", {}, seats)
    k.play_on(game, "one device", k.has_secrets)
    client = client_of("ann")
    assert client.get(game.get_absolute_url()).status_code == 302
    shown = client.get(at("hand_over", game))
    assert shown.status_code == 200 and "Hand the device to" in shown.text
    assert client.post(at("hand_over", game)).status_code == 302
    assert client.get(game.get_absolute_url()).status_code == 200


# ---- leaving, silence, coming back


def test_whoever_resigned_finds_a_way_back_on_the_page(game):
    k.act(game, 1, {"do": "resign"})
    bob = client_of("bob")
    assert "Take my seat back" in bob.get(game.get_absolute_url()).text
    assert "Take my seat back" not in client_of("eve").get(game.get_absolute_url()).text
    assert "Steward for bob" in client_of("ann").get(game.get_absolute_url()).text
    assert "a bot plays for you" in bob.get("/").text and bob.get("/").text.count(game.get_absolute_url()) == 1
    assert client_of("eve").post(at("take_back_seat", game), {"number": 1}).status_code == 409
    assert bob.post(at("take_back_seat", game), {"number": 1}).status_code == 302
    assert [seat.label for seat in game.seats.all()] == list(k.NAMES)


def test_a_guest_comes_back_by_the_old_link():
    guest = tables.player("zoe", is_guest=True, guest_name="Zoë")
    game = k.kings("ann", "zoe")
    k.act(game, 1, {"do": "resign"})
    seat = game.seats.get(number=1)
    assert seat.stands_in_for == guest and seat.label == "Steward for Zoë"
    link, client = reverse("come_back", args=[seat.return_key]), Client()
    assert "Welcome back, <span hx-disable>Zoë</span>" in client.get(link).text
    assert client.post(link).status_code == 302
    assert client.post(at("take_back_seat", game), {"number": 1}).status_code == 302
    assert game.seats.get(number=1).player == guest


def test_whoever_was_silent_for_days_may_come_back_as_well(game, settings):
    k.play_on(game, "silent", lambda state: any(k.asked(game)))
    seat = next(n for n in k.asked(game) if n)
    long_ago = timezone.now() - timedelta(days=settings.SILENT_DAYS, minutes=1)
    Seat.objects.filter(game=game, number=seat).update(asked_at=long_ago)
    assert client_of("ann").post(at("stand_in", game), {"number": seat}).status_code == 302
    assert game.seats.get(number=seat).label == f"Steward for {k.NAMES[seat]}"
    begun.take_back_seat(game, tables.player(k.NAMES[seat]))
    back = game.seats.get(number=seat)
    assert back.label == k.NAMES[seat] and back.is_asked and not begun.silent_seats(game, tables.player("ann"))


# ---- staff and mail


def test_the_staff_see_the_game_as_a_spectator_does(game):
    tables.player("chief", is_staff=True, is_superuser=True)
    chief = client_of("chief")
    assert "Kings &amp; Things*" in chief.get("/admin/games/game/", {"game": "kings"}).text
    page = chief.get(reverse("admin:games_game_change", args=[game.pk]))
    assert page.status_code == 200 and "as a spectator reads it" in page.text and 'id="board"' in page.text
    assert "You drew" not in page.text and "css/kings.css" in page.text


def test_everybody_who_is_asked_gets_a_mail(game):
    for name in k.NAMES:
        person = tables.player(name)
        person.email = f"{name}@example.org"
        person.save()
    telling.send_due()
    assert {message.to[0] for message in mail.outbox} == {f"{k.NAMES[n]}@example.org" for n in k.asked(game)}
    assert "Kings & Things*" in mail.outbox[0].subject
