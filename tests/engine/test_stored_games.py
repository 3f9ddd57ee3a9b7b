"""Games stored by earlier releases are opened, played to their end and verified (C13)."""

from __future__ import annotations

import lzma
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from games.engine import RULESETS
from tests.engine.stored import FOLDER, databases
from tests.engine.stored.to_postgres import copy, migrations_of
from tools.services import create_database, free_port

ROOT = Path(__file__).resolve().parent.parent.parent
LARGEST = 100_000


class Site:
    """A database stored by an earlier release, and commands of today's code that use it."""

    def __init__(self, stored: Path, folder: Path) -> None:
        self.file = folder / "stored.sqlite3"
        self.file.write_bytes(lzma.decompress(stored.read_bytes()))
        self.environment = {
            **os.environ,
            "DATABASE_URL": f"sqlite:///{self.file}",
            "REDIS_URL": "",
            "KADAB_VAR": str(folder),
            "DJANGO_SETTINGS_MODULE": "kadab.settings",
        }

    def move_to_postgres(self, server: str) -> None:
        """To a database there that has the stored one's rows and migrations, and no later ones."""
        self.environment["DATABASE_URL"] = address = create_database(server, f"stored_{free_port()}")
        for app, name in migrations_of(self.file).items():
            self.run("manage.py", "migrate", app, name, "--verbosity", "0")
        copy(self.file, address)

    def run(self, *words: str) -> str:
        done = subprocess.run(
            [sys.executable, *words], env=self.environment, cwd=ROOT, capture_output=True, text=True, timeout=280
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


SERVERS = [name for name in ("sqlite", os.environ.get("DATABASE_URL", "")) if name.startswith(("sqlite", "postgres"))]


@pytest.mark.parametrize("server", SERVERS, ids=lambda server: server.partition(":")[0])
@pytest.mark.parametrize("stored", databases(), ids=lambda path: path.name.partition(".")[0])
def test_games_of_an_earlier_release_go_on_to_their_end(stored, server, tmp_path):
    site = Site(stored, tmp_path)
    if server.startswith("postgres"):  # in `make test-cluster`
        site.move_to_postgres(server)
    site.run("manage.py", "migrate", "--verbosity", "0")
    assert ", 0 not" in site.run("manage.py", "verify_games")
    games = site.run("-m", "tests.engine.stored.go_on").splitlines()
    assert games and all(line.split()[1] == "finished" for line in games), games
    assert any(int(before) < int(now) for _, _, before, now in map(str.split, games))
    assert ", 0 not" in site.run("manage.py", "verify_games")


def test_they_are_small_and_of_several_releases():
    assert len(databases()) >= 3
    assert all(path.stat().st_size < LARGEST for path in databases())


def test_there_is_one_of_every_earlier_version_of_the_rules(tmp_path):
    found = set()
    for stored in databases():
        with sqlite3.connect(Site(stored, tmp_path).file) as rows:
            found |= set(rows.execute("SELECT ruleset, rules_version FROM games_game"))
    earlier = {(slug, str(n)) for slug, rules in RULESETS.items() for n in range(1, int(rules.version))}
    assert earlier <= found


# ---- who votes on an agreed end in games whose rules kept no list of their bots


BOTS = FOLDER / "38e3b12-bots.sqlite3.xz"  # version 1: two people and a bot
STAND_IN = """
    UPDATE games_seat SET stands_in_for_id = player_id, player_id = NULL, bot = 'steward', name = 'player1'
    WHERE number = 1
"""


@pytest.mark.parametrize("stored", [BOTS, FOLDER / "dfc7de2.sqlite3.xz"], ids=lambda path: path.name.partition(".")[0])
def test_bots_of_an_older_game_have_no_vote(stored, tmp_path):
    site = Site(stored, tmp_path)
    site.run("manage.py", "migrate", "--verbosity", "0")
    assert "kings3-bots: 0 1; winners: -1 0 1 2" in site.run("-m", "tests.engine.stored.who_votes")
    assert ", 0 not" in site.run("manage.py", "verify_games")


def test_a_stand_in_of_an_older_game_has_no_vote_until_its_player_is_back(tmp_path):
    """The first rules recorded no stand-in for a player who had fallen silent."""
    site = Site(BOTS, tmp_path)
    with sqlite3.connect(site.file) as rows:
        rows.execute(STAND_IN)
    site.run("manage.py", "migrate", "--verbosity", "0")
    said = site.run("-m", "tests.engine.stored.who_votes").splitlines()
    assert said == ["kings3-bots: 0; winners: -1", "kings3-bots: 0 1 with 1 back; winners: -1 0 1 2"]
    assert ", 0 not" in site.run("manage.py", "verify_games")


def test_a_player_who_came_back_under_the_first_rules_votes_again(tmp_path):
    """Those rules recorded that a bot took over for a player who resigned, but not that the player came back."""
    site = Site(BOTS, tmp_path)
    with sqlite3.connect(site.file) as rows:
        rows.execute("UPDATE games_position SET extras = json_set(extras, '$.stewards', json('[1]'))")
    site.run("manage.py", "migrate", "--verbosity", "0")
    assert site.run("-m", "tests.engine.stored.who_votes") == "kings3-bots: 0 1; winners: -1 0 1 2\n"
