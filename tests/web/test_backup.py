"""A copy of the database made while people play restores to the same games, on SQLite and on PostgreSQL (C14)."""

from __future__ import annotations

import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.server import ROOT, Server

GAMES = """
from tests import tables
from tests.web import kings
tables.move(tables.running("anna", "ben"), 0, "a2", "a3")
game = kings.kings("ann", "bob", "bot:random", waiting="always")
kings.play_on(game, "kingdom", kings.after(30))
"""
STATES = """
from games.models import Game
for game in Game.objects.order_by("pk"): print(game.public_id, game.action_count, game.position.hash)
"""
PLAY = """
from django.db import transaction
from tests import tables
from games import play
from games.models import Game
game = Game.objects.filter(ruleset="gambit").latest("pk")
for number in range({moves}):
    game.refresh_from_db()
    if game.status == "finished":
        with transaction.atomic():  # as the lobby does it
            game = tables.running("anna", "ben")
    turn = play.view_for(game, 0).turn
    source, targets = next(iter(play.view_for(game, turn).offers[0].by_source.items()))
    tables.move(game, turn, source, targets[0], token=play.fresh_token())
    print("moved", flush=True)
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A database with a game of each kind; no server is needed."""
    server = Server(tmp_path_factory.mktemp("backup"))
    server.manage("migrate", "--verbosity", "0")
    server.shell(GAMES)
    return server


def fingerprint(said: str) -> str:
    return re.search(r"\d+ games, fingerprint [0-9a-f]{16}", said).group()


def fails(server: Server, *words: str) -> str:
    done = subprocess.run(
        [sys.executable, "manage.py", *words], cwd=ROOT, env=server.environment, capture_output=True, text=True
    )
    assert done.returncode, done.stdout
    return done.stderr


def test_what_was_played_after_the_copy_is_gone_after_the_restore_and_all_else_is_there(site, tmp_path):
    copy = tmp_path / "copy"
    before = site.shell(STATES)
    kept = fingerprint(site.manage("backup", str(copy)))
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    site.shell(PLAY.format(moves=1))
    assert site.shell(STATES) != before
    assert "--replace" in fails(site, "restore", str(copy)) and site.shell(STATES) != before
    assert fingerprint(site.manage("restore", "--replace", str(copy))) == kept
    assert site.shell(STATES) == before
    assert "2 in order, 0 not" in site.manage("verify_games")
    site.shell(PLAY.format(moves=1))  # numbers of new rows go on after the restored ones


def test_a_copy_made_while_people_play_restores_on_another_machine(site, tmp_path):
    playing = site.run("-u", "-c", f"import django; django.setup()\n{PLAY.format(moves=10_000)}")
    try:
        while "moved" not in site.log.read_text():
            assert playing.poll() is None, site.log.read_text()
        kept = fingerprint(site.manage("backup"))
        assert playing.poll() is None, "nobody played meanwhile: this test shows nothing"
    finally:
        playing.kill()
        playing.wait()
    (copy,) = (site.folder / "backups").iterdir()
    (folder := tmp_path / "other").mkdir()
    other = Server(folder)
    assert fingerprint(other.manage("restore", str(copy))) == kept
    assert ", 0 not" in other.manage("verify_games")
    other.manage("migrate", "--check")


def test_a_copy_of_an_older_version_replaces_newer_tables_too(site, tmp_path):
    """A rollback: tables that the older version did not have are gone, so the next upgrade can make them again."""
    (folder := tmp_path / "old").mkdir()
    old, copy = Server(folder), tmp_path / "copy"
    old.manage("migrate", "games", "0010", "--verbosity", "0")
    old.manage("migrate", "players", "--verbosity", "0")
    old.manage("backup", str(copy))
    new = Server(tmp_path)
    new.manage("migrate", "--verbosity", "0")
    new.manage("restore", str(copy))
    new.manage("migrate", "--verbosity", "0")
    new.manage("migrate", "--check")


def test_what_is_no_copy_changes_nothing(site, tmp_path):
    before = site.shell(STATES)
    bad = tmp_path / "bad"
    bad.write_text("not a copy" * 100)
    fails(site, "restore", "--replace", str(bad))
    fails(site, "restore", "--replace", str(tmp_path / "none"))
    assert "exists already" in fails(site, "backup", str(bad))
    assert site.shell(STATES) == before


def test_half_a_copy_changes_nothing(site, tmp_path):
    before, copy = site.shell(STATES), tmp_path / "copy"
    site.manage("backup", str(copy))
    half = Path(shutil.copy(copy, tmp_path / "half"))
    half.write_bytes(copy.read_bytes()[: copy.stat().st_size // 2])
    fails(site, "restore", "--replace", str(half))
    assert site.shell(STATES) == before
    assert list(tmp_path.iterdir()) and not [each for each in tmp_path.iterdir() if each.name.startswith(".")]
