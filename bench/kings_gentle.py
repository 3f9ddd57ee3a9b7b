"""How strong and how gentle the levels of Kings & Things* are: who beats whom, and who lets a beginner live.

A steward should beat three pages, and a page three random players, in 60 of 100 games. The beginner presses whatever
button stands out on the page, and the first button there is where none does; against three pages they should still
have three hexes at the end of turn 5 in 70 of 100 games. The same against three stewards is only told.

    PYTHONPATH=. .venv/bin/python bench/kings_gentle.py --games 100 --processes 2
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from typing import NamedTuple

from games.engine.match import played_game

TURNS = 5
HEXES = 3
WON_GOAL, LIVING_GOAL = 60, 70


class Row(NamedTuple):
    what: str
    good: int
    goal: int | None

    def line(self, games: int) -> str:
        percent = 100 * self.good / games
        met = "" if self.goal is None else f"goal {self.goal}: {'met' if percent >= self.goal else 'NOT MET'}"
        return f"{self.what:58} {self.good:>4} of {games}   {met}".rstrip()


def won(levels: tuple[str, ...], seed: str, number: int) -> bool:
    """Whether the first of these levels wins alone."""
    return played_game("kings", levels, seed, number)["winners"] == [0]


def lives(level: str, seed: str, number: int) -> bool:
    """Whether somebody who presses what stands out still has a kingdom after five turns among three of this level."""
    ready()
    from tests.kings_presser import hexes_after

    return hexes_after(TURNS, level, f"{seed} {number}", person=number % 4) >= HEXES


@cache
def ready() -> None:
    """Django, for the page's controls; static files have plain names."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kadab.settings")
    import django

    django.setup()
    from django.conf import settings

    settings.STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}


def rows(games: int, seed: str, processes: int) -> Iterator[Row]:
    with ProcessPoolExecutor(max(1, processes)) as pool:

        def count(tried: Callable[[int], bool]) -> int:
            return sum(pool.map(tried, range(games)))

        yield Row("a steward against three pages wins", count(partial(won, ("steward", *["page"] * 3), seed)), WON_GOAL)
        yield Row(
            "a page against three random players wins", count(partial(won, ("page", *["random"] * 3), seed)), WON_GOAL
        )
        for level, goal in (("page", LIVING_GOAL), ("steward", None)):
            what = f"a beginner has {HEXES} hexes after turn {TURNS} among three {level}s"
            yield Row(what, count(partial(lives, level, seed)), goal)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=20, help="of each row")
    parser.add_argument("--seed", default="gentle")
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    missed = 0
    for row in rows(given.games, given.seed, given.processes):
        missed += row.goal is not None and 100 * row.good < row.goal * given.games
        print(row.line(given.games), flush=True)
    return min(1, missed)


if __name__ == "__main__":
    sys.exit(main())
