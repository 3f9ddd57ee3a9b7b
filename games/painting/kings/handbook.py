"""The handbook: help cards, lessons and legend, which are the same at every table of Kings & Things*.

They are a third of a table's page and never change while the site runs, so they are a script of their own. Browsers
keep it for good: its address contains a digest of what it says.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache
from typing import NamedTuple

from games.engine.kings.catalogue import KINDS

from . import coach
from .board import MARKS, sprite
from .rules import SYMBOLS, WORDS
from .words import SORTS


class Handbook(NamedTuple):
    script: str
    digest: str


def handbook(rules_url: str) -> Handbook:
    return _handbook(rules_url, sprite())


def handbook_url(rules_url: str) -> str:
    return f"{rules_url}handbook-{handbook(rules_url).digest}.js"


@cache
def _handbook(rules_url: str, art: str) -> Handbook:
    """Cached by the address of the pictures too: the legend contains it."""
    told = {"cards": cards(), **coach.lessons(), "legend": coach.legend(rules_url)}
    text = json.dumps(told, separators=(",", ":"), ensure_ascii=False)
    return Handbook(f"globalThis.kadab.handbook = {text};\n", hashlib.sha256(text.encode()).hexdigest()[:12])


def cards() -> dict[str, tuple[str, list[str], str]]:
    """The help card of every kind of counter: its sort, what its symbols mean, and where the rules tell more."""
    return {slug: card_of(slug) for slug in KINDS}


def card_of(slug: str) -> tuple[str, list[str], str]:
    kind = KINDS[slug]
    sort, rule = SORTS[kind.sort]
    home = f" of the {kind.terrain}" if kind.sort == "creature" else ""
    lines = [f"{MARKS[symbol].capitalize()}: {SYMBOLS[symbol]}." for symbol in kind.symbols]
    lines += [f"Value {kind.value}: hits with a die of {kind.value} or less."] if kind.value else []
    lines += [f"Worth {kind.gold} gold{' a turn' if kind.sort == 'income' else ''}."] if kind.gold else []
    lines += [f"Terrain Lord of the {kind.lord_of}."] if kind.lord_of else []
    lines += [f"Goes to {kind.terrain if kind.terrain != 'any' else 'any land'}."] if kind.sort == "income" else []
    lines += [WORDS[slug]] if slug in WORDS else []
    return f"{sort}{home}", lines, rule if kind.sort in ("creature", "income", "treasure") else slug
