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
from tests.engine.stored import databases

ROOT = Path(__file__).resolve().parent.parent.parent
LARGEST = 100_000


class Site:
    """A database stored by an earlier release, and commands of today's code that use it."""

    def __init__(self, stored: Path, folder: Path) -> None:
        self.file = file = folder / "stored.sqlite3"
        file.write_bytes(lzma.decompress(stored.read_bytes()))
        self.environment = {
            **os.environ,
            "DATABASE_URL": f"sqlite:///{file}",
            "KADAB_VAR": str(folder),
            "DJANGO_SETTINGS_MODULE": "kadab.settings",
        }

    def run(self, *words: str) -> str:
        done = subprocess.run(
            [sys.executable, *words], env=self.environment, cwd=ROOT, capture_output=True, text=True, timeout=280
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


@pytest.mark.parametrize("stored", databases(), ids=lambda path: path.name.partition(".")[0])
def test_games_of_an_earlier_release_go_on_to_their_end(stored, tmp_path):
    site = Site(stored, tmp_path)
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
