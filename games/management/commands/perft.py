"""Count the tree of moves of Gambit, on the generator that offers are made from."""

import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.engine.gambit.board import Position
from games.engine.gambit.moves import perft
from games.engine.gambit.notation import NotationError, parse_position


class Command(BaseCommand):
    help = "Count move trees of Gambit of Kings and say how fast. A branch that ended before the last ply counts 0."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--depth", type=int, required=True)
        parser.add_argument("--position", default="", help="position text (G13); the start, light to move, if left out")

    def handle(self, *, depth: int, position: str, **options: Any) -> None:
        if not 0 <= depth <= 8:
            raise CommandError("depth is 0 to 8")
        try:
            start = parse_position(position) if position else Position.start()
        except NotationError as error:
            raise CommandError(error.sentence) from error
        begun = time.perf_counter()
        nodes = perft(start, depth)
        seconds = time.perf_counter() - begun
        speed = nodes / max(seconds, 1e-9)
        self.stdout.write(f"{nodes} nodes at depth {depth} in {seconds:.2f} s, {speed:,.0f} nodes/s")
