"""Acting from the page: one POST, a patch of the actor's own page, and a clear refusal of all else."""

from __future__ import annotations

import json
import re

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Action, Game
from tests.tables import do, move, player, running, seated, token

pytestmark = pytest.mark.django_db


def client_of(name: str) -> Client:
    client = Client()
    client.force_login(player(name))
    return client


def submit(client: Client, game: Game, do: object, **fields: object):
    data = {"action": json.dumps(do), "revision": game.revision, "token": token(), "seat": "0"}
    data |= {name: value for name, value in fields.items() if value is not None}
    for name in [name for name, value in fields.items() if value is None]:
        data.pop(name, None)
    return client.post(reverse("act", args=[game.public_id]), data, headers={"HX-Request": "true"})


MOVE = {"do": "move", "source": "e2", "target": "e4"}


def slots_in(body: str) -> set[str]:
    return set(re.findall(r'hx-swap-oob="[a-zA-Z]+:#([^"]+)"', body)) | set(
        re.findall(r'<(?:div|li) id="([^"]+)"[^>]*hx-swap-oob="true"', body)
    )


def test_a_move_is_made_and_answered_with_what_changed():
    game = running("ann", "ben")
    client = client_of("ann")
    response = submit(client, game, MOVE)
    assert response.status_code == 200
    game.refresh_from_db()
    assert game.revision == 1
    slots = slots_in(response.text)
    assert {"page-state", "sq-e2", "sq-e4", "prompt", "offers"} <= slots
    assert {slot for slot in slots if slot.startswith("sq-")} == {"sq-e2", "sq-e4"}
    assert "board" not in slots and "about" not in slots
    assert 'data-base="0" data-revision="1"' in response.text


def test_game_answers_are_kept_by_nobody():
    game = running("ann", "ben")
    for response in (
        submit(client_of("ann"), game, MOVE),
        client_of("ben").get(game.get_absolute_url()),
        client_of("ben").get(reverse("act", args=[game.public_id])),
    ):
        assert response["Cache-Control"] == "private, no-store"
        assert {"Cookie", "HX-Request"} <= set(re.split(r",\s*", response["Vary"]))


def test_the_same_token_again_counts_once():
    game = running("ann", "ben")
    client, same = client_of("ann"), token()
    first = submit(client, game, MOVE, token=same)
    second = submit(client, game, MOVE, token=same)
    assert (first.status_code, second.status_code) == (200, 200)
    game.refresh_from_db()
    assert game.revision == 1


def test_a_token_used_for_something_else_is_refused():
    game = running("ann", "ben")
    client, same = client_of("ann"), token()
    submit(client, game, MOVE, token=same)
    response = submit(client, game, {"do": "resign"}, token=same)
    assert response.status_code == 409
    game.refresh_from_db()
    assert game.revision == 1


def test_a_stale_page_is_shown_how_the_game_stands():
    game = running("ann", "ben")
    move(game, 0, "e2", "e4")
    move(game, 1, "f9", "f7")
    response = submit(client_of("ann"), game, {"do": "move", "source": "d2", "target": "f4"}, revision=0)
    assert response.status_code == 409
    assert "has moved on" in response.text
    assert {"page-state", "sq-f9", "sq-f7", "refusal"} <= slots_in(response.text)
    game.refresh_from_db()
    assert game.revision == 2


def test_an_aside_of_an_older_page_counts():
    game = running("ann", "ben")
    move(game, 0, "e2", "e4")
    response = submit(client_of("ann"), game, {"do": "offer_draw"}, revision=0)
    assert response.status_code == 200


def test_an_illegal_move_is_refused_with_its_reason_and_rule():
    game = running("ann", "ben")
    response = submit(client_of("ann"), game, {"do": "move", "source": "e1", "target": "e3"})
    assert response.status_code == 422
    assert "The Castle can’t move. Choose another piece." in response.text
    assert "/rules/gambit/#G10" in response.text
    game.refresh_from_db()
    assert game.revision == 0


def test_nobody_moves_for_another_seat():
    game = running("ann", "ben")
    response = submit(client_of("ben"), game, MOVE, seat="1")
    assert response.status_code == 422
    game.refresh_from_db()
    assert game.revision == 0


@pytest.mark.parametrize("who", ["a stranger", "nobody"])
def test_whoever_does_not_sit_there_is_refused(who):
    game = running("ann", "ben")
    client = Client() if who == "nobody" else client_of("cleo")
    response = submit(client, game, MOVE)
    assert response.status_code == 403
    assert "This isn’t your seat." in response.text
    game.refresh_from_db()
    assert game.revision == 0


def test_a_private_table_answers_a_stranger_like_a_missing_one():
    game = running("ann", "ben", is_public=False)
    there = submit(client_of("cleo"), game, MOVE)
    game.public_id = "is-not-here"
    missing = submit(client_of("cleo"), game, MOVE)
    assert (there.status_code, missing.status_code) == (404, 404)


@pytest.mark.parametrize(
    "action",
    [
        "",
        "{",
        "null",
        "[]",
        "7",
        '"move"',
        "{}",
        '{"do": 7}',
        '{"do": "fly"}',
        '{"do": "move"}',
        '{"do": "move", "source": 1, "target": "e4"}',
        '{"do": "move", "source": ["e2"], "target": "e4"}',
        '{"do": "move", "source": "e2", "target": "e4", "more": 1}',
        '{"do": "move", "source": "e2\\u0000", "target": "e4"}',
        "[" * 3000,
        '{"do": "' + "m" * 5000 + '"}',
        "\x00",
        "NaN",
    ],
)
def test_what_is_no_action_is_refused(action):
    game = running("ann", "ben")
    response = submit(client_of("ann"), game, None, action=action)
    assert response.status_code == 400
    game.refresh_from_db()
    assert game.revision == 0


@pytest.mark.parametrize("revision", ["", "x", "-1", "1.5", "٣", "9" * 5000, None])
def test_a_revision_is_a_number(revision):
    game = running("ann", "ben")
    response = submit(client_of("ann"), game, MOVE, revision=revision)
    assert response.status_code == 400


@pytest.mark.parametrize("bad", ["", "short", "x" * 65, "ümlaut-token", "nul\x00-token", None])
def test_a_token_is_a_short_text(bad):
    game = running("ann", "ben")
    response = submit(client_of("ann"), game, MOVE, token=bad)
    assert response.status_code == 400
    assert not Action.objects.filter(game=game, number=1).exists()


@pytest.mark.parametrize("view", ["act", "pulse", "chat"])
def test_what_changes_something_cannot_be_got(view):
    game = running("ann", "ben")
    assert client_of("ann").get(reverse(view, args=[game.public_id])).status_code == 405


def test_a_request_without_the_csrf_token_is_refused():
    game = running("ann", "ben")
    client = Client(enforce_csrf_checks=True)
    client.force_login(player("ann"))
    assert submit(client, game, MOVE).status_code == 403
    game.refresh_from_db()
    assert game.revision == 0


def test_nothing_is_acted_before_the_start():
    game = seated("ann", "ben")
    response = submit(client_of("ann"), game, MOVE)
    assert response.status_code == 422
    assert "hasn’t started yet" in response.text


def test_nothing_is_acted_after_the_end():
    game = running("ann", "ben")
    do(game, 1, "resign")
    response = submit(client_of("ann"), game, MOVE, revision=1)
    assert response.status_code == 422
    assert "The game is over." in response.text


# ---- without a script


def plain(client: Client, game: Game, **fields: str):
    return client.post(reverse("act", args=[game.public_id]), fields)


def test_a_typed_move_works_as_a_plain_form():
    game = running("ann", "ben")
    response = plain(client_of("ann"), game, move="e2-e4")
    assert (response.status_code, response["Location"]) == (302, game.get_absolute_url())
    game.refresh_from_db()
    assert game.revision == 1


@pytest.mark.parametrize("text", ["e2-e4", "E2 e4", "Se2-e4", " e2e4 ", "e2xe4"])
def test_moves_are_understood_however_they_are_typed(text):
    game = running("ann", "ben")
    plain(client_of("ann"), game, move=text)
    game.refresh_from_db()
    assert game.revision == 1


def test_a_button_works_as_a_plain_form():
    game = running("ann", "ben")
    plain(client_of("ann"), game, action='{"do": "resign"}')
    game.refresh_from_db()
    assert game.winners == [1]


def test_a_refusal_of_a_plain_form_is_a_page():
    game = running("ann", "ben")
    response = plain(client_of("ann"), game, move="e1-e4")
    assert response.status_code == 422
    assert "The Castle can’t move. Choose another piece." in response.text
    assert plain(client_of("ann"), game, move="castle!").status_code == 400
