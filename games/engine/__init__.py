"""The rules: standard library only, no clock, no chance but the dice, no input or output."""

from __future__ import annotations

from .core.rules import Rules
from .gambit import GAMBIT
from .kings import KINGS

RULESETS: dict[str, Rules] = {rules.slug: rules for rules in (GAMBIT, KINGS)}
