"""Random games, one line each and a sum: no crash, no dead end, and the same seed gives the same output."""

import json
import time
from collections import Counter
from dataclasses import dataclass
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.engine import RULESETS
from games.engine.core.dice import Dice
from games.engine.core.replay import Run
from games.engine.core.rules import Rules
from games.engine.fuzz import DeadEnd, random_choice, random_options
from games.engine.kings import invariants
from games.engine.kings.state import KingsState

CRASH, DEAD_END, LIMIT = "crash", "dead_end", "limit"


class Command(BaseCommand):
    help = "Play random games of everything on offer and check what must always hold."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--game", required=True, choices=sorted(RULESETS))
        parser.add_argument("--players", type=int, default=0, help="all numbers in turn if left out")
        parser.add_argument("--games", type=int, default=10)
        parser.add_argument("--seed", default="0")
        parser.add_argument("--max-actions", type=int, default=5000)
        parser.add_argument("--max-turns", type=int, default=200, help="of games that count turns")
        parser.add_argument("--json", action="store_true", help="a JSON object a line, then one with the totals")

    def handle(self, *, game: str, players: int, games: int, seed: str, **options: Any) -> None:
        rules = RULESETS[game]
        if players and players not in rules.players:
            raise CommandError(f"{rules.name} is not for {players}")
        ends: Counter[str] = Counter()
        for number in range(games):
            seats = players or rules.players[number % len(rules.players)]
            begun = time.perf_counter()
            played = RandomGame(rules, seats, f"{seed}.{number}")
            played.play(options["max_actions"], options["max_turns"])
            ends[played.ended] += 1
            # How long it took is not for programs: they compare outputs.
            self.say(played.line(), options["json"], seconds=round(time.perf_counter() - begun, 3))
        self.say(totals(game, games, ends), options["json"])
        if ends[CRASH] or ends[DEAD_END]:
            raise CommandError(f"{ends[CRASH]} games crashed, {ends[DEAD_END]} came to a dead end")

    def say(self, line: dict[str, Any], as_json: bool, **more: object) -> None:
        self.stdout.write(json.dumps(line) if as_json else "  ".join(f"{k} {v}" for k, v in {**line, **more}.items()))


def totals(game: str, games: int, ends: Counter[str]) -> dict[str, Any]:
    return {
        "game": game,
        "games": games,
        "crashes": ends[CRASH],
        "dead_ends": ends[DEAD_END],
        "ended": {how: ends[how] for how in sorted(ends)},
    }


@dataclass
class RandomGame:
    """One game of everything on offer, and how far it came; a crash leaves behind what led to it."""

    rules: Rules
    seats: int
    seed: str
    answered: int = 0  # actions that answered a question
    ended: str = LIMIT
    fault: str = ""

    def play(self, most_actions: int, most_turns: int) -> None:
        chance = Dice.seeded(f"player {self.seed}")
        options = random_options(self.rules, chance)
        self.run = Run.fresh(self.rules, self.seats, options, Dice.seeded(f"game {self.seed}"), game=self.seed)
        try:
            while self.run.state.result is None and self.is_within(most_actions, most_turns):
                self.act(chance)
        except DeadEnd as fault:
            self.ended, self.fault = DEAD_END, str(fault)
        except Exception as fault:  # whatever it is, it is what was looked for
            self.ended, self.fault = CRASH, f"{type(fault).__name__}: {fault}"
        else:
            self.ended = self.run.state.result.how if self.run.state.result else LIMIT

    @property
    def counts_turns(self) -> bool:
        return self.rules.slug == "kings"  # in Gambit a turn is a move

    def is_within(self, most_actions: int, most_turns: int) -> bool:
        is_late = self.counts_turns and self.run.state.extras["turn"] > most_turns
        return len(self.run.steps) < most_actions and not is_late

    def act(self, chance: Dice) -> None:
        before = self.run.state
        seat, offer = random_choice(self.rules, before, chance)
        progress = self.run.act(seat, offer.sample(chance))
        self.answered += not offer.aside
        after = self.run.state
        if isinstance(before, KingsState) and isinstance(after, KingsState):
            invariants.check(after)
            if progress.rewind is None:
                invariants.check_gold(before, progress.told, after)

    def line(self) -> dict[str, Any]:
        run, result = self.run, self.run.state.result
        return {
            "game": self.rules.slug,
            "players": self.seats,
            "seed": self.seed,
            "actions": len(run.steps),
            "turns": run.state.extras["turn"] if self.counts_turns else self.answered,
            "winner": list(result.winners) if result else None,
            "ended": self.ended,
            **({"fault": self.fault} if self.fault else {}),
            "hash": run.hash,
        }
