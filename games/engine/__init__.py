"""The rules: standard library only, no clock, no chance but the dice, no input or output."""

from __future__ import annotations

from .core.rules import Rules

# Filled by games/registry.py.
RULESETS: dict[str, Rules] = {}
