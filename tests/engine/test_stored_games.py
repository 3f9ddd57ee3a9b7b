"""Games stored by earlier releases are opened, played to their end and verified (C13)."""

from __future__ import annotations

import lzma
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.engine.stored import databases
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
    assert len(games) >= 2 and all(line.split()[1] == "finished" for line in games), games
    assert any(int(before) < int(now) for _, _, before, now in map(str.split, games))
    assert ", 0 not" in site.run("manage.py", "verify_games")


def test_they_are_small_and_of_several_releases():
    assert len(databases()) >= 3
    assert all(path.stat().st_size < LARGEST for path in databases())
