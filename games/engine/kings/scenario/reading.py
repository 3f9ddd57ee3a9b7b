"""A file of scenarios, read line by line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Line:
    number: int
    text: str


@dataclass(frozen=True)
class Scenario:
    path: str
    title: str
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Failure:
    path: str
    title: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.title}: {self.text}"


def uncommented(text: str) -> str:
    """A comment starts with # at the start of a line or between blanks; ogre#2 is the second ogre."""
    return re.sub(r"(^|\s)#(\s.*|$)", "", text).strip()


def read(text: str, path: str = "") -> list[Scenario]:
    """Every `title:` begins a scenario; what stands before the first one is shared by all."""
    shared: list[Line] = []
    found: list[tuple[str, list[Line]]] = []
    for number, raw in enumerate(text.splitlines(), start=1):
        line = Line(number, uncommented(raw))
        if line.text.startswith("title:"):
            found.append((line.text.removeprefix("title:").strip(), []))
        elif line.text:
            (found[-1][1] if found else shared).append(line)
    return [Scenario(path, title, (*shared, *lines)) for title, lines in found]


def scenarios_in(path: Path) -> Iterator[Scenario]:
    """The scenarios of a file, or of every .txt file below a folder."""
    for each in sorted(path.rglob("*.txt")) if path.is_dir() else [path]:
        yield from read(each.read_text(encoding="utf-8"), str(each))
