"""The registry is the one place that names a game, and every process that imports anything of ours has read it."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator

import pytest

from games.registry import ENTRIES
from tests import layers

# What belongs to a game may name it; so may demonstrations and what old rows were called.
OWN_MODULES = ("games/registry.py", "games/engine/", "games/painting/", "games/migrations/", "games/management/")
OWN_TEMPLATES = {
    "templates/pages/gambit.html",
    "templates/pages/kings.html",
    "templates/pages/rule_cards.html",
    "templates/svg/piece.html",
    "templates/table/fragments/player.html",
    "templates/table/kings.html",
    "templates/table/kings_plans.html",
    "templates/table/kings_story.html",
    "templates/table/orders.html",
    "templates/table/page.html",
}
# What all painters share names no game either.
SHARED = ("fragments", "geometry", "markup", "pages", "painter", "plain", "scene")
NAMED = re.compile(rf"\b({'|'.join(ENTRIES)})\b")


def names_of_games(source: str) -> Iterator[str]:
    """The slugs in texts and imports of some code; comments and docstrings may say what they like."""
    tree = ast.parse(source)
    docstrings = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in docstrings:
            yield from NAMED.findall(node.value)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from NAMED.findall(ast.unparse(node))


def is_shared(file: str) -> bool:
    return not file.startswith(OWN_MODULES) or file in [f"games/painting/{each}.py" for each in SHARED]


def test_no_shared_module_names_a_game():
    files = {file: source for file, source in layers.modules().items() if is_shared(file)}
    named = {file: set(names_of_games(source)) for file, source in files.items()}
    assert {file: slugs for file, slugs in named.items() if slugs} == {}


def test_no_shared_template_names_a_game():
    files = {file: text for file, text in layers.templates().items() if file.startswith("templates/")}
    assert files.keys() >= OWN_TEMPLATES
    named = {file: NAMED.findall(text) for file, text in files.items() if file not in OWN_TEMPLATES}
    assert {file: slugs for file, slugs in named.items() if slugs} == {}


@pytest.mark.parametrize(
    "line",
    [
        'if game.ruleset == "kings": ...',
        'PICTURES = {"gambit": "castle"}',
        "from games.painting.kings import page",
        'static("art/gambit.svg")',
    ],
)
def test_a_second_place_would_be_found(line):
    assert list(names_of_games(line))


def test_a_process_without_django_knows_every_game_and_its_bots():
    """Bots think in such processes, which import nothing but their own door."""
    code = """
import sys
sys.modules["django"] = None
from games.engine.bots import LEVELS, STAND_INS
print(*LEVELS, *STAND_INS)
"""
    assert printed_by(code) == [*ENTRIES, *ENTRIES]


def test_a_web_process_has_loaded_all_pages_when_it_starts():
    code = """
from kadab import asgi
from games.registry import ENTRIES
print(*(slug for slug, entry in ENTRIES.items() if "pages" in entry.__dict__))
"""
    assert printed_by(code) == [*ENTRIES]


def printed_by(code: str) -> list[str]:
    done = subprocess.run([sys.executable, "-c", code], cwd=layers.ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()
