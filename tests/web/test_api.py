"""The JSON door: everything a player can do, by the same gate and with the same refusals."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.test import Client

from games import play
from games.models import Action, Game
from players import tokens
from tests import tables
from tests.server import Server

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parents[2]
# Light's Paladin on e9 can take the Castle on f10.
NEARLY_WON = "5c4/4P5/s9/10/10/10/10/10/10/4C5 w 0 1"
SEATS_AGAINST_BOT = [{"kind": "me"}, {"kind": "bot", "level": "random"}]


class Program:
    """Somebody's program, with a token and no cookies. CSRF is enforced, as on the site."""

    def __init__(self, player, secret: str | None = None) -> None:
        self.player = player
        self.secret = secret or tokens.make(player, "my program")[1]
        self.client = Client(enforce_csrf_checks=True)

    def get(self, path: str, **query):
        return self.client.get(f"/api/v1/{path}", query, headers=self.headers)

    def post(self, path: str, body=None, raw: bytes | None = None):
        data = raw if raw is not None else json.dumps(body if body is not None else {})
        return self.client.post(f"/api/v1/{path}", data, content_type="application/json", headers=self.headers)

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.secret}"}

    def create(self, *seats: dict, **more) -> dict:
        body = {"game": "gambit", "seats": list(seats) or SEATS_AGAINST_BOT, **more}
        response = self.post("tables", body)
        assert response.status_code == 201, response.content
        return response.json()

    def look(self, table: str, **query) -> dict:
        response = self.get(f"tables/{table}", **query)
        assert response.status_code == 200, response.content
        return response.json()

    def act(self, table: str, action: object, revision: int = 0, token: str = "token-0001", **more):
        body = {"action": action, "revision": revision, "token": token, **more}
        return self.post(f"tables/{table}/actions", body)


@pytest.fixture
def ann():
    return Program(tables.player("ann"))


@pytest.fixture
def bob():
    return Program(tables.player("bob"))


@pytest.fixture
def duel(ann, bob):
    """A running game between them, ann being asked."""
    return tables.running("ann", "bob", options={"light": "host", "position": NEARLY_WON})


def is_refusal(response, status: int, code: str | None = None) -> bool:
    body = response.json()
    assert {"code", "sentence", "rule"} <= set(body), body
    assert (response.status_code, body["code"]) == (status, code or body["code"]), body
    return True


# ---- who asks


def test_without_a_valid_token_there_is_nothing(ann):
    for headers in (
        {},
        {"Authorization": "Bearer nonsense"},
        {"Authorization": "Basic abc"},
        {"Authorization": "é"},
    ):
        response = Client().get("/api/v1/tables", headers=headers)
        assert is_refusal(response, 401, "no_token")
        assert response["WWW-Authenticate"].startswith("Bearer")


def test_a_session_cookie_is_no_token(ann):
    client = Client()
    client.force_login(ann.player)
    assert client.get("/api/v1/tables").status_code == 401


def test_a_revoked_token_no_longer_works(ann):
    assert ann.get("tables").status_code == 200
    ann.player.api_tokens.all().delete()
    assert is_refusal(ann.get("tables"), 401)


def test_the_last_use_of_a_token_is_noted_once_a_minute(ann, django_assert_num_queries):
    ann.get("tables")
    first = ann.player.api_tokens.get().last_used_at
    ann.get("tables")
    assert first is not None and ann.player.api_tokens.get().last_used_at == first


# ---- games and tables


def test_the_games_are_listed_with_options_seats_and_bots():
    (gambit,) = [g for g in Client().get("/api/v1/games").json() if g["game"] == "gambit"]
    assert gambit["players"] == [2] and gambit["seats"] == ["Light", "Dark"]
    assert {option["name"] for option in gambit["options"]} == {"light", "position"}
    assert "random" in {bot["name"] for bot in gambit["bots"]}


def test_a_table_against_a_bot_starts_at_once(ann):
    table = ann.create(options={"light": "host"})
    assert (table["status"], table["revision"], table["seat"]) == ("running", 0, 0)
    assert [seat["kind"] for seat in table["seats"]] == ["player", "bot"]
    assert table["view"]["position"] and len(table["dice"]["dice_commit"]) == 64


def test_two_programs_meet_at_an_open_table(ann, bob):
    table = ann.create({"kind": "me"}, {"kind": "open"})["id"]
    assert ann.look(table)["view"] is None
    assert table in [t["id"] for t in bob.get("tables", show="open").json()["tables"]]
    assert bob.post(f"tables/{table}/join").json()["seat"] is not None
    started = ann.post(f"tables/{table}/start").json()
    assert started["status"] == "running" and len(started["asked"]) == 1
    assert table not in [t["id"] for t in bob.get("tables", show="open").json()["tables"]]
    asked = ann if ann.look(table)["decision"] else bob
    assert table in [t["id"] for t in asked.get("tables", show="waiting").json()["tables"]]


def test_whoever_joined_can_leave_and_the_host_can_cancel(ann, bob):
    table = ann.create({"kind": "me"}, {"kind": "open"})["id"]
    bob.post(f"tables/{table}/join", {"seat": 1})
    assert bob.post(f"tables/{table}/leave").status_code == 200
    assert is_refusal(bob.post(f"tables/{table}/cancel"), 403, "not_host")
    assert ann.post(f"tables/{table}/cancel").json()["status"] == "cancelled"
    assert is_refusal(bob.post(f"tables/{table}/join"), 409, "closed")


def test_only_the_host_starts_and_only_a_full_table(ann, bob):
    table = ann.create({"kind": "me"}, {"kind": "open"})["id"]
    assert is_refusal(ann.post(f"tables/{table}/start"), 409, "not_full")
    bob.post(f"tables/{table}/join")
    assert is_refusal(bob.post(f"tables/{table}/start"), 403, "not_host")


def test_a_private_table_is_found_only_with_its_key(ann, bob):
    made = ann.create({"kind": "me"}, {"kind": "link"}, public=False)
    table, key = made["id"], made["invite_url"].rstrip("/").rsplit("/", 1)[1]
    missing = bob.get("tables/nosuchtable1").content
    for response in (
        bob.get(f"tables/{table}"),
        bob.get(f"tables/{table}", invite="wrong-key"),
        bob.get(f"tables/{table}/log"),
        bob.post(f"tables/{table}/join"),
        bob.post(f"tables/{table}/join", {"invite": "wrong-key"}),
        bob.post(f"tables/{table}/leave"),
        bob.post(f"tables/{table}/start"),
        bob.post(f"tables/{table}/cancel"),
        bob.act(table, {"do": "resign"}),
    ):
        assert response.status_code == 404 and response.content == missing
    assert bob.look(table, invite=key)["invite_url"] == ""
    assert bob.post(f"tables/{table}/join", {"invite": key}).json()["status"] == "running"


def test_lists_come_in_pages(ann):
    for _ in range(3):
        ann.create()
    first, second = (ann.get("tables", size=2, page=page).json() for page in (1, 2))
    assert (len(first["tables"]), len(second["tables"]), first["pages"], first["count"]) == (2, 1, 2, 3)
    assert ann.get("tables", size=2, page=9).json()["tables"] == []


def test_lists_hold_only_what_one_may_see(ann, bob):
    private = ann.create(public=False)["id"]
    public = ann.create()["id"]
    assert [t["id"] for t in bob.get("tables", show="watch").json()["tables"]] == [public]
    assert bob.get("tables").json()["tables"] == []
    assert {t["id"] for t in ann.get("tables").json()["tables"]} == {private, public}


def test_a_listing_costs_the_same_however_many_tables_it_has(ann, django_assert_max_num_queries):
    for _ in range(6):
        ann.create()
    ann.get("tables")
    with django_assert_max_num_queries(8):
        ann.get("tables")


# ---- playing


def test_a_move_is_made_and_both_see_it(ann, bob, duel):
    table = ann.look(duel.public_id)
    assert table["decision"] and table["seat"] == 0 and table["asked"] == [0]
    answer = ann.act(duel.public_id, {"do": "move", "source": "e1", "target": "e2"})
    assert is_refusal(answer, 422, "castle_stays")
    answer = ann.act(duel.public_id, {"do": "move", "source": "e9", "target": "f10"})
    assert answer.status_code == 200 and answer.json() == {"revision": 1, "repeated": False}
    seen = bob.look(duel.public_id)
    assert seen["status"] == "finished" and seen["result"] == {"winners": [0], "how": "castle"}


def test_the_view_is_the_gates_own(ann, duel):
    from games.engine.core.plain import plain

    told, view = ann.look(duel.public_id), plain(play.view_for(duel, 0))
    assert told["offers"] == view["offers"] and told["decision"] == view["decision"]
    assert told["view"]["counters"] == view["counters"]


def test_a_spectator_sees_no_offers_and_cannot_act(duel):
    eve = Program(tables.player("eve"))
    seen = eve.look(duel.public_id, sample=5)
    assert (seen["seat"], seen["offers"], seen["decision"], seen["sample"]) == (None, [], "", [])
    assert is_refusal(eve.act(duel.public_id, {"do": "resign"}), 403, "not_your_seat")
    assert is_refusal(eve.act(duel.public_id, {"do": "resign"}, seat=0), 403, "not_your_seat")
    assert is_refusal(eve.get(f"tables/{duel.public_id}", seat=0), 403, "not_your_seat")


def test_samples_are_legal_different_and_never_asides(ann, bob):
    game = tables.running("ann", "bob")
    told = ann.look(game.public_id, sample=50)
    moves = told["offers"][0]["by_source"]
    spelt = {json.dumps(action, sort_keys=True) for action in told["sample"]}
    assert len(spelt) == len(told["sample"]) == min(50, sum(map(len, moves.values())))
    assert all(action["target"] in moves[action["source"]] for action in told["sample"])
    assert bob.look(game.public_id, sample=5)["sample"] == []
    assert "sample" not in bob.look(game.public_id)


def test_more_samples_than_allowed_are_refused(ann, duel):
    assert is_refusal(ann.get(f"tables/{duel.public_id}", sample=51), 400, "bad_field")


def test_the_same_token_acts_once(ann, duel):
    move = {"do": "move", "source": "e9", "target": "e8"}
    assert ann.act(duel.public_id, move).json() == {"revision": 1, "repeated": False}
    assert ann.act(duel.public_id, move).json() == {"revision": 1, "repeated": True}
    assert Action.objects.filter(game=duel, number__gt=0).count() == 1
    other = {"do": "move", "source": "e9", "target": "e7"}
    assert is_refusal(ann.act(duel.public_id, other), 409, "token_used")


def test_a_stale_action_is_refused_with_the_current_revision(ann, bob, duel):
    ann.act(duel.public_id, {"do": "move", "source": "e9", "target": "e8"})
    late = bob.act(duel.public_id, {"do": "move", "source": "a8", "target": "a7"}, token="token-0002")
    assert is_refusal(late, 409, "stale") and late.json()["revision"] == 1


def test_the_rules_refuse_with_their_number(ann, bob):
    game = tables.running("ann", "bob")
    refused = ann.act(game.public_id, {"do": "move", "source": "a5", "target": "a6"})
    assert is_refusal(refused, 422, "empty_square") and refused.json()["rule"] == "G4"
    assert is_refusal(bob.act(game.public_id, {"do": "move", "source": "a9", "target": "a8"}), 422)


def test_one_player_with_two_seats_names_the_seat(ann):
    table = ann.create({"kind": "me"}, {"kind": "same_device", "name": "Cleo"}, options={"light": "host"})
    asked = table["asked"][0]
    assert table["seat"] == asked
    assert ann.look(table["id"], seat=1 - asked)["decision"] == ""
    resigned = ann.act(table["id"], {"do": "resign"}, seat=1 - asked)
    assert resigned.status_code == 200
    assert ann.look(table["id"])["result"]["winners"] == [asked]


def test_the_log_speaks_in_names_and_can_be_read_on(ann, bob, duel):
    ann.act(duel.public_id, {"do": "move", "source": "e9", "target": "e8"})
    lines = bob.get(f"tables/{duel.public_id}/log").json()["lines"]
    assert [line["text"] for line in lines] == ["ann moves first.", "ann moves the Paladin: Pe9-e8"]
    news = bob.get(f"tables/{duel.public_id}/log", since=0).json()
    assert [line["event"] for line in news["lines"]] == ["moved"] and news["revision"] == 1


def test_before_the_start_there_is_no_view_no_log_and_no_action(ann):
    table = ann.create({"kind": "me"}, {"kind": "open"})
    assert table["view"] is None and table["offers"] == [] and table["status"] == "open"
    assert ann.get(f"tables/{table['id']}/log").json()["lines"] == []
    assert is_refusal(ann.act(table["id"], {"do": "resign"}), 422, "not_started")


def test_bots_are_woken_when_they_have_something_to_answer(ann, duel, monkeypatch):
    woken = []
    monkeypatch.setattr("games.robots.wake", lambda game: woken.append(game.pk))
    ann.act(duel.public_id, {"do": "move", "source": "e9", "target": "e8"})
    assert woken == []  # two people play there
    ann.create()
    assert len(woken) == 1
    with_bot = tables.running("ann", "bot:random")
    outcome = ann.act(with_bot.public_id, {"do": "move", "source": "e2", "target": "e4"})
    assert outcome.status_code == 200 and woken[1:] == [with_bot.pk]


def test_answers_are_kept_by_no_cache(ann, duel):
    for response in (ann.get("tables"), ann.get(f"tables/{duel.public_id}"), ann.get("tables/nosuch")):
        assert response["Cache-Control"] == "private, no-store"
        assert {"Cookie", "HX-Request", "Authorization"} <= set(response["Vary"].split(", "))


def test_nothing_secret_is_in_an_answer(ann, bob, duel):
    position = duel.position
    keys = duel.seats.values_list("return_key", flat=True)
    for path in (f"tables/{duel.public_id}", f"tables/{duel.public_id}/log", "tables"):
        text = bob.get(path).content.decode()
        for secret in (bytes(position.dice_seed).hex(), position.hash, duel.invite_key, *keys):
            assert secret not in text


# ---- bad input


BAD_BODIES = [
    b"",
    b"{",
    b"null",
    b"[]",
    b'"text"',
    b"12",
    b"\xff\xfe\x00",
    b'{"game": "gambit\\u0000", "seats": []}',
    b'{"game": "\\ud800", "seats": []}',
    b'{"game": NaN, "seats": Infinity}',
    b'{"game": ' + b"9" * 5000 + b"}",
    b'{"seats": ' + b"[" * 30_000 + b"]" * 30_000 + b"}",
    b'{"seats": ' + b"[" * 20 + b"]" * 20 + b"}",
    b'{"game": "gambit", "seats": [], "surprise": 1}',
    b'{"game": "gambit", "seats": [{"kind": "king"}, {"kind": "me"}]}',
    b'{"game": "gambit", "seats": {"kind": "me"}}',
    b'{"game": 7, "seats": []}',
    b'{"game": "gambit", "options": [], "seats": []}',
    b'{"game": "gambit", "options": {"light": 1}, "seats": []}',
    b'{"game": "gambit", "public": "yes", "seats": []}',
]


@pytest.mark.parametrize("raw", BAD_BODIES, ids=range(len(BAD_BODIES)))
def test_a_bad_body_is_refused_by_every_verb(ann, duel, raw):
    before = Game.objects.count()
    for path in ("tables", f"tables/{duel.public_id}/actions"):
        assert is_refusal(ann.post(path, raw=raw), 400)
    assert Game.objects.count() == before and Action.objects.filter(game=duel).count() == 1


@pytest.mark.parametrize(
    ("table", "status", "code"),
    [
        ({"game": "chess", "seats": SEATS_AGAINST_BOT}, 422, "no_such_game"),
        ({"game": "gambit", "seats": [{"kind": "me"}]}, 422, "bad_seats"),
        ({"game": "gambit", "seats": []}, 422, "bad_seats"),
        ({"game": "gambit", "seats": [{"kind": "me"}] * 2}, 422, "two_mes"),
        ({"game": "gambit", "seats": [{"kind": "me"}] * 9}, 400, "bad_field"),
        ({"game": "gambit", "seats": [{"kind": "me"}, {"kind": "bot", "level": "99"}]}, 422, "no_such_bot"),
        (
            {"game": "gambit", "seats": [{"kind": "me"}, {"kind": "same_device", "name": "\u202e"}]},
            422,
            "bad_name",
        ),
        ({"game": "gambit", "seats": SEATS_AGAINST_BOT, "options": {"light": "nobody"}}, 400, "bad_option"),
        (
            {"game": "gambit", "seats": SEATS_AGAINST_BOT, "options": {"position": "junk"}},
            400,
            "bad_position",
        ),
        ({"game": "gambit", "seats": SEATS_AGAINST_BOT, "options": {"what": "junk"}}, 400, "bad_option"),
    ],
)
def test_a_table_that_cannot_be_is_refused(ann, table, status, code):
    assert is_refusal(ann.post("tables", table), status, code)
    assert not Game.objects.exists()


GOOD = {"action": {"do": "resign"}, "revision": 0, "token": "token-0001"}


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"revision": None}, 400),
        ({"revision": "0"}, 400),
        ({"revision": 0.0}, 400),
        ({"revision": True}, 400),
        ({"revision": -1}, 400),
        ({"revision": 10**30}, 400),
        ({"token": ""}, 400),
        ({"token": "short"}, 400),
        ({"token": "x" * 65}, 400),
        ({"token": "é" * 10}, 400),
        ({"token": 12345678}, 400),
        ({"decision": 3}, 400),
        ({"seat": "0"}, 400),
        ({"seat": 1}, 403),
        ({"seat": 10**30}, 400),
        ({"action": None}, 400),
        ({"action": "resign"}, 400),
        ({"action": {}}, 400),
        ({"action": {"do": 5}}, 400),
        ({"action": {"do": "fly"}}, 400),
        ({"action": {"do": "resign", "why": "x"}}, 400),
        ({"action": {"do": "move", "source": "a2"}}, 400),
        ({"action": {"do": "move", "source": ["a2"], "target": "a3"}}, 400),
        ({"action": {"do": "move", "source": 10**300, "target": "a3"}}, 400),
        ({"action": {"do": "move", "source": "z99", "target": "a3"}}, 422),
    ],
)
def test_a_bad_action_is_refused_and_changes_nothing(ann, duel, change, status):
    assert is_refusal(ann.post(f"tables/{duel.public_id}/actions", GOOD | change), status)
    assert Action.objects.filter(game=duel).count() == 1


def test_a_missing_field_is_named(ann, duel):
    body = {name: value for name, value in GOOD.items() if name != "token"}
    refused = ann.post(f"tables/{duel.public_id}/actions", body)
    assert is_refusal(refused, 400, "bad_field") and refused.json()["sentence"].startswith("token: ")


def test_a_giant_body_is_refused(ann):
    assert is_refusal(ann.post("tables", raw=b'"' + b"x" * 70_000 + b'"'), 413, "too_large")


@pytest.mark.parametrize("query", ["show=all", "page=0", "page=x", "size=0", "size=51", f"page={10**40}", "page="])
def test_a_bad_query_is_refused(ann, query):
    assert is_refusal(ann.client.get(f"/api/v1/tables?{query}", headers=ann.headers), 400, "bad_field")


@pytest.mark.parametrize("junk", ["nosuchtable", "%00", "..%2f", "é", "x" * 500, "%ff", "' OR 1=1"])
def test_a_junk_id_is_a_missing_table(ann, junk):
    assert ann.get(f"tables/{junk}").status_code == 404


def test_other_methods_and_addresses_are_refused_in_the_same_shape(ann):
    refused = ann.client.delete("/api/v1/tables", headers=ann.headers)
    assert is_refusal(refused, 405, "bad_method") and set(refused["Allow"].split(", ")) == {"GET", "POST"}
    for path in ("", "tables/", "no/such/thing"):
        assert is_refusal(ann.get(path), 404)


# ---- the documents


def test_the_openapi_page_has_nothing_from_elsewhere(client):
    page = client.get("/api/v1/docs")
    text = page.content.decode()
    assert page.status_code == 200 and "swagger-ui" in text
    assert not re.search(r'(src|href)="(https?:)?//', text)
    assert "'unsafe" not in page["Content-Security-Policy"]
    # Data blocks are no script; whatever runs comes from a file.
    for attributes, content in re.findall(r"<script([^>]*)>(.*?)</script>", text, re.S):
        assert "src=" in attributes or 'type="application/json"' in attributes or not content.strip()


def test_the_openapi_description_covers_every_address(client):
    schema = client.get("/api/v1/openapi.json").json()
    assert "/api/v1/tables/{id}/actions" in schema["paths"]
    assert "422" in schema["paths"]["/api/v1/tables/{id}/actions"]["post"]["responses"]


def snippet() -> str:
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / "docs/api.md").read_text(), re.S)
    return code


def test_the_documents_twenty_lines_play_a_whole_game(tmp_path):
    script = tmp_path / "play.py"
    script.write_text(snippet())
    with Server(tmp_path) as server:
        token = server.shell(
            "from players import models, tokens\nprint(tokens.make(models.Player.objects.create_user('ann'), 'doc')[1])"
        )
        environment = {**os.environ, "KADAB_URL": server.url, "KADAB_TOKEN": token}
        played = subprocess.run(
            [sys.executable, str(script)], env=environment, capture_output=True, text=True, timeout=240
        )
    assert played.returncode == 0, played.stderr + server.log.read_text()[-2000:]
    assert re.search(r"^I (won|did not win) by \w+ http", played.stdout, re.M)
