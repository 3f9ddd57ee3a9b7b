"""The real server: what is acknowledged survives its death (C2), bots move on after a restart."""

from __future__ import annotations

import asyncio
import http.client
import os
import threading
import time
import urllib.parse
import uuid
from pathlib import Path

import pytest

from tests.server import Server, until
from tools import faults

KILLS = 8

PREPARE = """
from players.models import Player
from players import tokens
from games import lobby
anna, ben = (Player.objects.create_user(n, password="a good long password") for n in ("anna", "ben"))
print(tokens.make(anna, "test")[1], tokens.make(ben, "test")[1])
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with Server(tmp_path_factory.mktemp("server"), BOT_PROCESSES="1") as running:
        yield running


@pytest.fixture(scope="module")
def secrets(server):
    return server.shell(PREPARE).split()


def table(server, secrets, *, bot: str = "") -> str:
    """A running table of anna (light) with ben or a bot."""
    anna, ben = secrets
    other = {"kind": "bot", "level": bot} if bot else {"kind": "open"}
    body = {"game": "gambit", "options": {"light": "host"}, "seats": [{"kind": "me"}, other], "public": True}
    status, made = server.api(anna, "POST", "tables", body)
    assert status == 201, made
    if not bot:
        assert server.api(ben, "POST", f"tables/{made['id']}/join", {})[0] == 200
        server.api(anna, "POST", f"tables/{made['id']}/start", {})
    return made["id"]


def look(server, secret, game, sample=0) -> dict:
    status, found = server.api(secret, "GET", f"tables/{game}?sample={sample}")
    assert status == 200, found
    return found


def test_a_bot_moves_on_by_itself_after_a_restart(server, secrets):
    anna = secrets[0]
    game = table(server, secrets, bot="random")
    until(lambda: look(server, anna, game)["decision"])
    server.stop()
    # The person's move is made while no server runs, so that only the caretaker can find it.
    server.shell(
        f"""
from games import play
from games.models import Game
game = Game.objects.get(public_id={game!r})
view = play.view_for(game, 0)
source, targets = next(iter(view.offers[0].by_source.items()))
move = {{"do": "move", "source": source, "target": targets[0]}}
play.act(game, 0, move, revision=game.revision, token="offline-move")
"""
    )
    server.start()
    until(lambda: look(server, anna, game)["decision"])


def test_what_was_acknowledged_survives_kill_nine(server, secrets):
    """Two players move as fast as they can while the server is killed again and again; sent again with the same token,
    nothing is lost, nothing happens twice, no revision is missing."""
    acknowledged: dict[str, dict[int, str]] = {}  # token by revision, for each game
    made = [0, 0]  # moves of each player
    stop = threading.Event()

    def begun() -> str:
        game = table(server, secrets)
        acknowledged[game] = {}
        return game

    def player(number: int, game: str) -> None:
        while not stop.is_set():
            try:
                if not move_on(number, game):
                    game = begun()  # random moves sometimes end a game
            except (OSError, http.client.HTTPException):
                time.sleep(0.05)

    def move_on(number: int, game: str) -> bool:
        for secret in secrets:
            seen = look(server, secret, game, sample=3)
            if seen["status"] != "running":
                return False
            if not seen["decision"]:
                continue
            move = next(action for action in seen["sample"] if action["do"] == "move")
            token = uuid.uuid4().hex
            body = {"revision": seen["revision"], "token": token, "decision": seen["decision"], "action": move}
            while not stop.is_set():
                try:
                    status, answer = server.api(secret, "POST", f"tables/{game}/actions", body)
                except (OSError, http.client.HTTPException):
                    time.sleep(0.05)
                    continue
                assert status == 200, answer
                assert token not in acknowledged[game].values()
                acknowledged[game][answer["revision"]] = token
                made[number] += 1
                break
        return True

    players = [threading.Thread(target=player, args=[number, begun()]) for number in range(2)]
    for each in players:
        each.start()
    for _ in range(KILLS):
        before = list(made)
        time.sleep(0.4)
        until(lambda before=before: all(now > then for now, then in zip(made, before)), 60)
        server.kill()
        server.start()
    time.sleep(0.3)
    stop.set()
    for each in players:
        each.join(timeout=30)
    for game in acknowledged:
        rows = server.shell(
            f"""
from games.models import Action
for row in Action.objects.filter(game__public_id={game!r}, number__gt=0): print(row.number, row.token)
"""
        )
        stored = {int(line.split()[0]): line.split()[1] for line in rows.splitlines()}
        assert sorted(stored) == list(range(1, len(stored) + 1)), "a revision is missing"
        lost = {number: token for number, token in acknowledged[game].items() if stored.get(number) != token}
        assert not lost
    assert all(moves >= KILLS for moves in made), "the players hardly moved: this test shows nothing"
    assert "0 not" in server.manage("verify_games")


@pytest.mark.parametrize(("fault", "amount"), [(faults.sqlite_full, 1.0), (faults.network, 1.0)])
def test_people_play_on_through_a_full_disk_and_a_bad_network(server, monkeypatch, fault, amount):
    """Only 503 while nothing can be saved, and nothing lost (C7)."""
    if os.environ.get("DATABASE_URL", "").startswith("postgres"):
        pytest.skip("faults of a site on SQLite; tests/web/test_faults.py has those of PostgreSQL")
    monkeypatch.setattr(faults, "CALM_SECONDS", 1.0)
    monkeypatch.setattr(faults, "AFTER_SECONDS", 2.5)
    row = asyncio.run(fault(faults.Site(server), amount))
    # How fast they are depends on what else this machine does; `make faults` tells.
    assert row.lost.startswith("0, 0, 0 of "), row
    assert "answers" not in row.verdict and "nobody played" not in row.verdict, row
    assert fault is faults.network or "503×" in row.statuses, row


def test_a_killed_server_leaves_no_thinker_behind(server, secrets):
    bots = [{"kind": "bot", "level": "random"}] * 2  # two, so that one of them is certain to be asked
    assert server.api(secrets[0], "POST", "tables", {"game": "gambit", "seats": bots, "public": True})[0] == 201
    until(lambda: thinkers_of(server))
    left = thinkers_of(server)
    server.kill()
    until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in left))
    server.start()


def thinkers_of(server) -> list[int]:
    """Processes that were started to think for this server, which its forkserver has as children."""
    parents = {int(path.parent.name): parent_of(path) for path in Path("/proc").glob("[0-9]*/stat")}
    ours = [each.pid for each in (server.process, *server.workers)]
    forkservers = [pid for pid, parent in parents.items() if parent in ours]
    return [pid for pid, parent in parents.items() if parent in forkservers]


def parent_of(stat: Path) -> int:
    try:
        return int(stat.read_text().rpartition(")")[2].split()[1])
    except (OSError, IndexError):
        return 0


def test_stopping_answers_what_is_in_flight(server, secrets):
    """SIGTERM while requests are on their way: each is answered, and the server ends with 0 within seconds."""
    statuses: list[int] = []

    def ask() -> None:
        connection = http.client.HTTPConnection(urllib.parse.urlsplit(server.url).netloc, timeout=20)
        connection.request("GET", "/")
        statuses.append(connection.getresponse().status)

    askers = [threading.Thread(target=ask) for _ in range(4)]
    for each in askers:
        each.start()
    time.sleep(0.05)
    begun = time.monotonic()
    code = server.stop()
    took = time.monotonic() - begun
    for each in askers:
        each.join()
    server.start()
    assert statuses == [200] * 4
    assert code == 0 and took < 15
