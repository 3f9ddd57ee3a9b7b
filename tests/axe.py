"""Accessibility faults that axe-core finds in a page."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

SOURCE = Path(__file__).parent / "vendor" / "axe.min.js"
GRAVE = ("serious", "critical")

# By evaluate and not by a <script>: the page's own policy forbids strange scripts.
RUN = "() => axe.run(document, {resultTypes: ['violations'], runOnly: RULES})".replace(
    "RULES", "['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']"
)

# What is half faded in has too little contrast for a moment.
SETTLED = """() => Promise.all(document.getAnimations()
    .filter((each) => Number.isFinite(each.effect.getComputedTiming().endTime))
    .map((each) => each.finished.catch(() => null)))"""


@cache
def source() -> str:
    return SOURCE.read_text(encoding="utf-8")


def violations(page: Page) -> list[dict[str, Any]]:
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(source())
    page.evaluate(SETTLED)
    return page.evaluate(RUN)["violations"]


def grave_faults(page: Page) -> list[str]:
    """The serious and critical ones in words: rule, impact, what to do, and the markup it is about."""
    return [in_words(each) for each in violations(page) if each["impact"] in GRAVE]


def in_words(violation: dict[str, Any]) -> str:
    nodes = [f"    {node['html']}\n        {summary(node)}" for node in violation["nodes"]]
    return "\n".join([f"{violation['id']} ({violation['impact']}): {violation['help']}", *nodes])


def summary(node: dict[str, Any]) -> str:
    return " ".join(str(node.get("failureSummary", "")).split())
