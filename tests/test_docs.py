"""Documents name places in the code; the places must exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
KINGS = "games/engine/kings"
GLOSSARY = (ROOT / "docs/glossary.md").read_text()
ROW = re.compile(r"^\| .+ \| `([^`]+)` \|$", re.MULTILINE)


def defined(tree: ast.Module | ast.ClassDef) -> dict[str, ast.AST]:
    """Classes, functions and constants of a module or class, by name."""
    found: dict[str, ast.AST] = {}
    for node in tree.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            found[node.name] = node
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {target.id: node for target in targets if isinstance(target, ast.Name)}
    return found


def is_there(place: str) -> bool:
    """Whether `file.py` exists and defines `Class.method`, where one is named after a colon."""
    path, _, name = place.partition(":")
    file = next((each for each in (ROOT / path, ROOT / KINGS / path) if each.is_file()), None)
    if file is None:
        return False
    inside: ast.AST = ast.parse(file.read_text())
    for part in name.split(".") if name else ():
        names = defined(inside) if isinstance(inside, ast.Module | ast.ClassDef) else {}
        if part not in names:
            return False
        inside = names[part]
    return True


def test_every_line_of_the_glossary_names_its_place():
    rows = [line for line in GLOSSARY.splitlines() if line.startswith("| ") and not line.startswith("| word ")]
    assert len(rows) > 80
    assert [row for row in rows if not ROW.match(row)] == []


@pytest.mark.parametrize("place", sorted(set(ROW.findall(GLOSSARY))))
def test_places_in_the_glossary_exist(place: str):
    assert is_there(place)


@pytest.mark.parametrize("place", ["games/play.py:no_such_name", "no_such_file.py", "state.py:KingsState.no_such"])
def test_a_place_that_is_not_there_is_noticed(place: str):
    assert not is_there(place)


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md"])
def test_files_and_folders_named_in_a_document_exist(document: str):
    text = (ROOT / document).read_text()
    named = re.findall(r"\]\(([\w./-]+)\)|`((?:games|players|kadab|tests|docs|templates|tools|bench)/[\w./-]*)`", text)
    paths = {link or code for link, code in named}
    assert paths and [path for path in sorted(paths) if not (ROOT / path).exists()] == []
