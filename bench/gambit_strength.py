"""How strong Gambit's bots are: level 1 against random moves, and each level against the one below.

The same games as `manage.py match` plays: every bot sees only its View, sides change after each game, and a seed
repeats them all. Level 3 thinks for seconds, so few games are the default; the promise is about a hundred:

    PYTHONPATH=. .venv/bin/python bench/gambit_strength.py --games 100
"""

import argparse
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from games.engine.match import played_game

# (stronger, weaker, goal in percent, games by default)
PAIRS = (("1", "random", 95, 40), ("2", "1", 65, 20), ("3", "2", 65, 8))


def points(line: dict) -> float:
    """What the first player got out of a game; a draw is half a point."""
    return 0.5 if not line["winners"] else float(line["winners"] == [0])


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--games", type=int, default=0, help="of each pair, instead of the few by default")
    arguments.add_argument("--seed", default="bench")
    arguments.add_argument("--processes", type=int, default=2)
    given = arguments.parse_args()
    print(f"{'pair':>10} {'games':>6} {'points':>7} {'percent':>8} {'goal':>5} {'plies':>6} {'s a game':>9}")
    with ProcessPoolExecutor(given.processes) as pool:
        for stronger, weaker, goal, few in PAIRS:
            games = given.games or few
            begun = time.perf_counter()
            lines = list(pool.map(partial(played_game, "gambit", (stronger, weaker), given.seed), range(games)))
            seconds = (time.perf_counter() - begun) * given.processes / games
            got = sum(map(points, lines))
            plies = sum(line["actions"] for line in lines) / games
            met = "met" if 100 * got / games >= goal else "NOT MET"
            name = f"{stronger}-{weaker}"
            row = f"{name:>10} {games:>6} {got:>7} {100 * got / games:>8.0f} {goal:>5} {plies:>6.0f} {seconds:>9.1f}"
            print(f"{row}  {met}", flush=True)


if __name__ == "__main__":
    main()
