"""How fast moves are generated: nodes a second of Gambit's generator beside those of the `chess` package.

Both count the moves of their start position, the last ply in bulk, in turns within one run and by processor
time, so that whatever else the machine does burdens neither. The goal is as many as `chess` makes; the aim is
twice as many.

    .venv/bin/python bench/gambit_perft.py [--repeats 5] [--json]
"""

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import chess

from games.engine.gambit.board import Position
from games.engine.gambit.moves import perft

GOAL, AIM = 1.0, 2.0


def chess_perft(board: chess.Board, depth: int) -> int:
    if depth == 1:
        return board.legal_moves.count()
    count = 0
    for move in board.legal_moves:
        board.push(move)
        count += chess_perft(board, depth - 1)
        board.pop()
    return count


def nodes_a_second(count: Callable[[], int]) -> float:
    started = time.process_time()
    nodes = count()
    return nodes / (time.process_time() - started)


def measure(repeats: int) -> dict[str, object]:
    gambit, other = [], []
    perft(Position.start(), 3)  # the tables of a process that has been up for a moment
    chess_perft(chess.Board(), 3)
    for _ in range(repeats):
        gambit.append(nodes_a_second(lambda: perft(Position.start(), 4)))
        other.append(nodes_a_second(lambda: chess_perft(chess.Board(), 4)))
    ratio = statistics.median(gambit) / statistics.median(other)
    return {
        "gambit": [round(speed) for speed in gambit],
        "chess": [round(speed) for speed in other],
        "gambit_median": round(statistics.median(gambit)),
        "chess_median": round(statistics.median(other)),
        "ratio": round(ratio, 2),
        "goal": GOAL,
        "met": ratio >= GOAL,
    }


def table(found: dict[str, object]) -> str:
    lines = [f"{'run':>8} {'gambit':>12} {'chess':>12} {'ratio':>7}   nodes a second, depth 4"]
    rows = list(zip(found["gambit"], found["chess"]))  # type: ignore[call-overload]
    for number, (gambit, other) in enumerate(rows, start=1):
        lines.append(f"{number:>8} {gambit:>12,} {other:>12,} {gambit / other:>7.2f}")
    lines.append(
        f"{'median':>8} {found['gambit_median']:>12,} {found['chess_median']:>12,} {found['ratio']:>7.2f}"
        f"   goal {GOAL:g}, aim {AIM:g}: {'met' if found['met'] else 'MISSED'}"
    )
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--json", action="store_true", help="one line of JSON instead of the table")
    options = parser.parse_args()
    found = measure(options.repeats)
    print(json.dumps(found) if options.json else table(found))
    return 0 if found["met"] else 1


if __name__ == "__main__":
    sys.exit(main())
