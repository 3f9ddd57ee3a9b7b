"""Bots against bots, in memory and in parallel; the same seed gives the same games."""

import json
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.engine import RULESETS
from games.engine.bots import LEVELS
from games.engine.match import played_game


class Command(BaseCommand):
    help = "Let bots play each other and count. --seats names a level for each seat; seats change after every game."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--game", required=True, choices=sorted(RULESETS))
        parser.add_argument("--seats", required=True, help="levels, e.g. 2,1")
        parser.add_argument("--games", type=int, default=10)
        parser.add_argument("--seed", default="0")
        parser.add_argument("--processes", type=int, default=2)
        parser.add_argument("--json", action="store_true", help="a JSON object a line, then the sum")

    def handle(self, *, game: str, seats: str, games: int, seed: str, **options: Any) -> None:
        levels, known = seats.split(","), LEVELS.get(game, {})
        if len(levels) not in RULESETS[game].players or any(level not in known for level in levels):
            numbers = " or ".join(map(str, RULESETS[game].players))
            raise CommandError(f"seats: {RULESETS[game].name} needs {numbers} levels out of {', '.join(known)}")
        points, faults = [0.0] * len(levels), 0
        with ProcessPoolExecutor(max(1, options["processes"])) as pool:
            for line in pool.map(partial(played_game, game, levels, seed), range(games)):
                for player in line["winners"] or range(len(levels)):
                    points[player] += 1 / len(line["winners"] or levels)
                faults += line["faults"]
                self.stdout.write(json.dumps(line) if options["json"] else f"{line}")
        total = {
            "levels": levels,
            "games": games,
            "faults": faults,
            "points": [round(each, 2) for each in points],
            "wins": {level: round(sum_of(level, levels, points), 2) for level in dict.fromkeys(levels)},
        }
        self.stdout.write(json.dumps(total) if options["json"] else f"{total}")


def sum_of(level: str, levels: list[str], points: list[float]) -> float:
    """What all players of one level have won together; a shared or unfinished game counts in parts."""
    return sum(won for each, won in zip(levels, points) if each == level)
