"""Who may import whom, as a table; a failure names the offending line."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
CHANCE_AND_CLOCK = {"random", "time", "datetime", "uuid", "os", "asyncio", "secrets"}

# Folder or file -> prefixes of our own modules it may import. The longest matching entry counts.
MAY_IMPORT = {
    "games/engine/core": ["games.engine.core"],
    "games/engine/gambit": ["games.engine.core", "games.engine.gambit"],
    "games/engine/kings": ["games.engine.core", "games.engine.kings"],
    "games/engine/bots": ["games.engine"],
    "games/engine/__init__.py": ["games.engine"],
    "games/engine/fuzz.py": ["games.engine.core"],
    "games/engine/match.py": ["games.engine"],
    "games/painting": [
        "games.engine.core.view",
        "games.engine.core.offers",
        "games.engine.core.plain",
        "games.engine.core.hexgrid",
        "games.engine.gambit",
        "games.engine.kings",
        "games.painting",
    ],
    "games/models.py": ["games.engine.bots"],
    "games/store.py": ["games.engine", "games.models", "games.prepared"],
    "games/doorbell.py": ["games.models"],
    "games/notices.py": ["games.engine", "games.models"],
    "games/prepared.py": [],
    "games/access.py": ["games.models", "games.prepared"],
    "games/chat.py": [
        *("games.models", "games.prepared", "games.doorbell", "games.access", "games.engine.core.refusals", "players"),
    ],
    "games/play.py": [
        "games.engine",
        "games.models",
        "games.store",
        "games.doorbell",
        "games.notices",
        "games.prepared",
    ],
}

# What holds secrets, and the only files that may name it.
KEEPERS = {"games/store.py", "games/play.py", "games/archive.py", "games/admin.py", "games/models.py"}
SECRET_MODELS = {"Position", "Hex", "Counter", "Action"}
SECRET_MODULES = {"games.store", "games.engine.core.state"}


def modules_imported(path: Path) -> list[tuple[int, str, list[str]]]:
    """(line, absolute module, names) of every import in a file."""
    package = list(path.relative_to(ROOT).with_suffix("").parts)[:-1]
    found = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name, []) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            names = [alias.name for alias in node.names]
            found.append((node.lineno, ".".join([*base, *filter(None, [node.module])]), names))
    return found


def sources(*folders: str) -> list[Path]:
    return [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]


def entry_for(path: Path) -> list[str] | None:
    name = str(path.relative_to(ROOT))
    fitting = [entry for entry in MAY_IMPORT if name == entry or name.startswith(entry + "/")]
    return MAY_IMPORT[max(fitting, key=len)] if fitting else None


def is_allowed(module: str, names: list[str], allowed: list[str]) -> bool:
    wanted = [f"{module}.{name}" for name in names] or [module]
    return all(any((w + ".").startswith(a + ".") for a in allowed) for w in wanted)


def test_everybody_imports_only_from_the_layers_below():
    wrong = []
    for path in sources("games"):
        allowed = entry_for(path)
        for line, module, names in modules_imported(path) if allowed is not None else ():
            if module.split(".")[0] in ("games", "players", "kadab") and not is_allowed(module, names, allowed):
                wrong.append(f"{path.relative_to(ROOT)}:{line} imports {module} {names}")
    assert not wrong, "\n".join(wrong)


def test_the_engine_has_no_chance_but_the_dice_and_no_clock():
    wrong = []
    for path in sources("games/engine"):
        for line, module, _ in modules_imported(path):
            top = module.split(".")[0]
            if top in CHANCE_AND_CLOCK or (top != "games" and top not in sys.stdlib_module_names):
                wrong.append(f"{path.relative_to(ROOT)}:{line} imports {module}")
    assert not wrong, "\n".join(wrong)


def test_only_the_keepers_touch_what_is_hidden():
    wrong = []
    for path in sources("games", "players", "kadab"):
        name = str(path.relative_to(ROOT))
        if name in KEEPERS or name.startswith(("games/engine/", "games/migrations/")):
            continue
        for line, module, names in modules_imported(path):
            secret = [n for n in names if f"{module}.{n}" in SECRET_MODULES]
            if module == "games.models":
                secret += [n for n in names if n in SECRET_MODELS]
            if secret or module in SECRET_MODULES:
                wrong.append(f"{name}:{line} imports {module} {secret}")
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "models" and node.attr in SECRET_MODELS:
                wrong.append(f"{name}:{node.lineno} uses models.{node.attr}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("line", ["from games.models import Position", "from . import store", "import random"])
def test_this_test_can_fail(line, tmp_path, monkeypatch):
    """A forbidden line in any of the layers is found."""
    folder = tmp_path / "games" / ("engine" if "random" in line else "views")
    folder.mkdir(parents=True)
    (folder / "bad.py").write_text(line.replace("from . ", "from .. ") + "\n")
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)
    check = (
        test_the_engine_has_no_chance_but_the_dice_and_no_clock
        if "random" in line
        else (test_only_the_keepers_touch_what_is_hidden)
    )
    with pytest.raises(AssertionError, match="bad.py:1"):
        check()


def test_the_engine_plays_where_there_is_no_django():
    code = """
import sys
sys.modules["django"] = None
from games.engine import RULESETS
from games.engine.fuzz import random_game
for rules in RULESETS.values():
    run, _ = random_game(rules, rules.players[0], "no django", 60)
    print(rules.slug, len(run.steps))
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "gambit" in done.stdout
