"""Templates are read by people: `make lint` keeps their shape, and no line is longer than a screen."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LONGEST = 160


def test_no_line_is_longer_than_a_screen():
    long = [
        f"{file.relative_to(ROOT)}:{number}: {len(line)} columns"
        for file in sorted((ROOT / "templates").rglob("*.html"))
        for number, line in enumerate(file.read_text().splitlines(), 1)
        if len(line) > LONGEST
    ]
    assert not long, "\n" + "\n".join(long)
