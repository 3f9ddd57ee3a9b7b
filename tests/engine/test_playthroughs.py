"""Recorded games play again to the letter (C8)."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from games.engine.kings import KINGS
from tests.engine.playthroughs import files, replayed


@pytest.mark.parametrize("path", files(), ids=lambda path: path.stem)
def test_a_recorded_game_plays_again(path):
    for number, then, now in replayed(json.loads(path.read_text())):
        assert then == now, f"action {number} of {path.name} leads to another game than it did"


def test_there_is_one_for_every_way_to_end():
    ends = {json.loads(path.read_text())["ended"] for path in files()}
    assert ends == set(KINGS.endings)


def test_they_are_the_same_in_every_process():
    code = """
import json
from tests.engine.playthroughs import files, replayed
for path in files()[:4]:
    print(path.name, all(then == now for _, then, now in replayed(json.loads(path.read_text()))))
"""
    for seed in ("1", "4711"):
        done = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        assert "False" not in done.stdout and done.stdout.count("True") == 4, done.stdout


def test_a_changed_record_is_noticed():
    record = json.loads(files()[0].read_text())
    action = next(a for a in record["actions"][20:] if a[1]["do"] == "done")
    action[2] = "0" * 10
    assert any(then != now for _, then, now in replayed(record))
