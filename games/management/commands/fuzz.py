"""Random games, one line each: no crash, no dead end, and the same seed gives the same hash."""

import json
import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.engine import RULESETS
from games.engine.fuzz import random_game


class Command(BaseCommand):
    help = "Play random games of everything on offer and check what must always hold."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--game", required=True, choices=sorted(RULESETS))
        parser.add_argument("--players", type=int, default=0, help="all numbers in turn if left out")
        parser.add_argument("--games", type=int, default=10)
        parser.add_argument("--seed", default="0")
        parser.add_argument("--max-actions", type=int, default=5000)
        parser.add_argument("--json", action="store_true", help="a JSON object a line")

    def handle(self, *, game: str, players: int, games: int, seed: str, **options: Any) -> None:
        rules = RULESETS[game]
        if players and players not in rules.players:
            raise CommandError(f"{rules.name} is not for {players}")
        for number in range(games):
            seats = players or rules.players[number % len(rules.players)]
            begun = time.perf_counter()
            run, turns = random_game(rules, seats, f"{seed}.{number}", options["max_actions"])
            line = {
                "game": game,
                "players": seats,
                "seed": f"{seed}.{number}",
                "actions": len(run.steps),
                "turns": turns,
                "winner": list(run.state.result.winners) if run.state.result else None,
                "ended": run.state.result.how if run.state.result else "limit",
                "seconds": round(time.perf_counter() - begun, 3),
                "hash": run.hash,
            }
            self.stdout.write(json.dumps(line) if options["json"] else "  ".join(f"{k} {v}" for k, v in line.items()))
