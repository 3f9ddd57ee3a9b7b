"""The handbook: help cards, lessons and legend, which are the same at every table of Kings & Things*.

They are a third of a table's page and never change while the site runs, so they are a module of their own. Browsers
keep it for good: its address contains a digest of what it says.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache
from typing import NamedTuple

from games.engine.kings.catalogue import FORTS, KINDS

from . import coach
from .board import sprite
from .looks import MARKS
from .rules import BRIEF
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
    told = {"cards": {**cards(), **fort_cards()}, **coach.lessons(), "legend": coach.legend(rules_url)}
    script = f"export default {json.dumps(told, separators=(',', ':'), ensure_ascii=False)};\n"
    return Handbook(script, hashlib.sha256(script.encode()).hexdigest()[:12])


LORD = "Terrain Lord: creatures of the {terrain} in the same hex serve you even if you own no {terrain}."
USES = {
    "treasure": "Cash it in whenever you are asked something.",
    "event": "Played from the rack in the Random Events phase.",
}


def cards() -> dict[str, tuple[str, list[str], str]]:
    """The help card of every kind of counter: its sort, what its symbols mean, and where the rules tell more."""
    return {slug: card_of(slug) for slug in KINDS}


def card_of(slug: str) -> tuple[str, list[str], str]:
    """Symbols come first, in the order in which they are drawn; the star stands for the power."""
    kind = KINDS[slug]
    sort, rule = SORTS[kind.sort]
    home = f" of the {kind.terrain}" if kind.sort == "creature" else ""
    power = LORD.format(terrain=kind.lord_of) if kind.lord_of else BRIEF.get(slug, "")
    lines = [power if symbol == "*" else f"{MARKS[symbol].capitalize()}: {said(symbol)}" for symbol in kind.symbols]
    lines += [strikes(kind.value)] if kind.value else []
    lines += [f"Worth {kind.gold} gold{' a turn' if kind.sort == 'income' else ''}."] if kind.gold else []
    lines += [f"Goes into a {kind.terrain if kind.terrain != 'any' else 'land'} hex of yours."] * (
        kind.sort == "income"
    )
    lines += [power] if power and power not in lines else []
    lines += [USES[kind.sort]] if kind.sort in USES else []
    return f"{sort}{home}", lines, rule if kind.sort in ("creature", "income", "treasure") else slug


def fort_cards() -> dict[str, tuple[str, list[str], str]]:
    """The help card of every fort, which the arena shows as one of the line."""
    return {
        name: ("Fort", [f"Has {level} level{'' if level == 1 else 's'}; each takes one hit.", strikes(level)], "12.3")
        for level, name in enumerate(FORTS)
        if level
    }


def said(symbol: str) -> str:
    """What a symbol means, to go on after its name."""
    words, _ = coach.SYMBOL_WORDS[symbol]
    return words[0].lower() + words[1:]


def strikes(value: int) -> str:
    return f"Value {value}: {'any die hits' if value >= 6 else f'a die of {value} or less hits'}."
