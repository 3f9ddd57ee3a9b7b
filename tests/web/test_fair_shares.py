"""Fair shares: whoever reads a great deal from one address is told to wait, and keeps nobody else from playing."""

from __future__ import annotations

import json

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from tests.tables import move, player, running
from tests.web.test_api import Program

pytestmark = pytest.mark.django_db

FLOOD, HOME = "10.0.0.1", "10.0.0.2"


@pytest.fixture(autouse=True)
def few(settings):
    settings.READS_A_MINUTE = {"anonymous": 5, "player": 8, "pulse": 12, "api": 6, "api_token": 9}


@pytest.fixture(autouse=True)
def early_in_a_minute():
    """No test runs into the next minute, whose counters begin at zero."""
    with time_machine.travel(1_700_000_040):
        yield


@pytest.fixture
def game():
    game = running("anna", "ben", is_public=True)
    move(game, 0, "a2", "a3")
    return game


def past(game, revision: int = 1) -> str:
    return reverse("past", args=[game.public_id, revision])


def read(client: Client, url: str, times: int, **more) -> list[int]:
    return [client.get(url, REMOTE_ADDR=FLOOD, **more).status_code for _ in range(times)]


def test_a_load_of_past_positions_is_refused_while_a_player_acts_from_elsewhere(game):
    stranger, ben = Client(), Client()
    ben.force_login(player("ben"))
    assert read(stranger, past(game), 40) == [200] * 5 + [429] * 35
    form = {"action": '{"do": "move", "source": "b9", "target": "b8"}', "revision": 1, "token": "a-token-of-ben"}
    answer = ben.post(reverse("act", args=[game.public_id]), form, REMOTE_ADDR=HOME, headers={"HX-Request": "true"})
    game.refresh_from_db()
    assert (answer.status_code, game.revision) == (200, 2)
    assert ben.get(past(game), REMOTE_ADDR=HOME).status_code == 200
    assert Client().get(past(game), REMOTE_ADDR=HOME).status_code == 200


def test_acting_is_never_limited(game):
    """Not even from the address that floods: a player must be able to answer."""
    ben = Client()
    ben.force_login(player("ben"))
    assert read(ben, past(game), 9)[-1] == 429
    form = {"action": '{"do": "move", "source": "b9", "target": "b8"}', "revision": 1, "token": "a-token-of-ben"}
    act = reverse("act", args=[game.public_id])
    assert ben.post(act, form, REMOTE_ADDR=FLOOD, headers={"HX-Request": "true"}).status_code == 200


def test_page_export_and_past_have_one_share(game):
    client = Client()
    table, export = game.get_absolute_url(), reverse("export", args=[game.public_id])
    assert [read(client, url, 1) for url in (table, past(game), export, table, past(game), table)] == [
        *([[200]] * 5),
        [429],
    ]


def test_the_page_says_how_long_to_wait(game):
    with time_machine.travel(1_700_000_020, tick=False):  # forty seconds into a minute
        client = Client()
        read(client, past(game), 5)
        answer = client.get(past(game), REMOTE_ADDR=FLOOD)
        assert answer.status_code == 429 and answer["Retry-After"] == "20"
        assert "in 20 seconds" in answer.content.decode() and "<h1>" in answer.content.decode()
        assert answer["Cache-Control"] == "private, no-store"


def test_a_layer_over_the_board_is_answered_with_a_toast(game):
    client = Client()
    read(client, past(game), 5, headers={"HX-Request": "true"})
    answer = client.get(past(game), REMOTE_ADDR=FLOOD, headers={"HX-Request": "true"})
    assert answer.status_code == 429 and answer["HX-Reswap"] == "none" and answer["Retry-After"]
    assert "toast" in answer["HX-Trigger"] and answer.content == b""


def test_the_next_minute_begins_anew(game):
    with time_machine.travel(1_700_000_020, tick=False) as clock:
        client = Client()
        assert read(client, past(game), 6)[-1] == 429
        clock.shift(20)
        assert read(client, past(game), 1) == [200]


def test_whoever_is_logged_in_has_a_larger_share(game):
    anna = Client()
    anna.force_login(player("anna"))
    assert read(anna, past(game), 10) == [200] * 8 + [429] * 2


def test_a_forged_header_gives_no_second_share(game):
    codes = [
        Client().get(past(game), REMOTE_ADDR=FLOOD, headers={"X-Forwarded-For": f"10.9.9.{n}"}).status_code
        for n in range(7)
    ]
    assert codes == [200] * 5 + [429] * 2


def test_pages_that_ask_for_news_have_a_share_of_their_own(game):
    client = Client()
    pulse = reverse("pulse", args=[game.public_id])
    codes = [client.post(pulse, {"revision": "0"}, REMOTE_ADDR=FLOOD).status_code for _ in range(14)]
    assert codes == [200] * 12 + [429] * 2
    assert read(client, past(game), 1) == [200]


def test_a_table_nobody_may_see_counts_and_tells_nothing(game):
    hidden = running("anna", "ben", is_public=False)
    assert read(Client(), past(hidden), 7) == [404] * 5 + [429] * 2


# ---- the API


def call(program: Program, path: str, body: object = None) -> int:
    """A call of a program at the address of the flood."""
    url, more = f"/api/v1/{path}", {"headers": program.headers, "REMOTE_ADDR": FLOOD}
    if body is None:
        return program.client.get(url, **more).status_code
    return program.client.post(url, json.dumps(body), content_type="application/json", **more).status_code


def test_calls_without_a_token_are_limited_and_players_go_on():
    client = Client()
    answers = [client.get("/api/v1/games", REMOTE_ADDR=FLOOD) for _ in range(8)]
    assert [answer.status_code for answer in answers] == [200] * 6 + [429] * 2
    refused = answers[-1]
    assert refused.json()["code"] == "too_many_requests" and set(refused.json()) == {"code", "sentence", "rule"}
    assert int(refused["Retry-After"]) >= 1
    program = Program(player("anna"))
    assert call(program, "tables") == 200
    assert client.get("/api/v1/games", REMOTE_ADDR=HOME).status_code == 200


def test_guessing_tokens_is_limited_as_well():
    wrong = {"Authorization": "Bearer kadab_nobody"}
    codes = [Client().get("/api/v1/tables", REMOTE_ADDR=FLOOD, headers=wrong).status_code for _ in range(8)]
    assert codes == [401] * 6 + [429] * 2
    assert call(Program(player("anna")), "tables") == 200


def test_reading_with_a_token_has_a_larger_share_and_acting_none(game):
    ben = Program(player("ben"))
    codes = [call(ben, f"tables/{game.public_id}") for _ in range(11)]
    assert codes == [200] * 9 + [429] * 2
    action = {"do": "move", "source": "b9", "target": "b8"}
    body = {"action": action, "revision": 1, "token": "from-ben"}
    assert call(ben, f"tables/{game.public_id}/actions", body) == 200


def test_the_description_of_the_api_is_limited_too():
    client = Client()
    codes = [client.get("/api/v1/openapi.json", REMOTE_ADDR=FLOOD).status_code for _ in range(8)]
    assert codes == [200] * 6 + [429] * 2
