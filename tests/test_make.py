"""`make play` says what it is doing, stops when it cannot go on, and names only buttons that are there."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from django.test import Client

from games.management.commands.demo import BUTTON

ROOT = Path(__file__).resolve().parent.parent

# Stands for Python in an environment that has nothing yet.
PYTHON = """#!/bin/sh
echo "$@" >> "$(dirname "$0")/said"
case "$*" in
  *"pip install"*) echo "Collecting Django==5.2 (from -r requirements.txt)"; echo "Processing /wheels/daphne-4.whl"
    echo "Installing collected packages: Django, daphne"; exit {code};;
  *kadab.serve*) echo "Kadab is at http://127.0.0.1:8000";;
esac
"""


def made(folder: Path, code: int = 0) -> tuple[int, str, str]:
    """What `make play` does and says with such a Python, and what that Python was told."""
    python = folder / "bin" / "python"
    python.parent.mkdir()
    python.write_text(PYTHON.replace("{code}", str(code)))
    python.chmod(0o755)
    make = shutil.which("make")
    assert make, "make is what this is about"
    done = subprocess.run([make, "play", f"VENV={folder}"], cwd=ROOT, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, (python.parent / "said").read_text()


def test_play_tells_each_step_before_it_takes_long(tmp_path):
    code, told, _ = made(tmp_path)
    assert code == 0
    steps = ["Installing", "Django", "daphne", "unpacking", "database", "Gathering", "Starting", "Kadab is at"]
    places = [told.index(step) for step in steps]
    assert places == sorted(places), told
    assert "pip install" not in told


def test_play_stops_when_a_library_cannot_be_installed(tmp_path):
    code, told, said = made(tmp_path, code=1)
    assert code != 0 and "Starting" not in told
    assert "kadab.serve" not in said and not (tmp_path / ".ready-to-play").exists()


@pytest.mark.django_db
def test_the_button_that_a_newcomer_is_told_to_press_is_there():
    buttons = re.findall(r"<button[^>]*>\s*(?:<svg.*?</svg>)?([^<]+)</button>", Client().get("/").text, re.S)
    assert BUTTON in [each.strip() for each in buttons]
