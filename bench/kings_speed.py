"""How fast the rules of Kings & Things* are: random games of four with their offers, beside random games of `chess`."""

from __future__ import annotations

import random
import statistics
import time

import chess

from games.engine.core.codec import encode
from games.engine.core.dice import Dice
from games.engine.core.state import State
from games.engine.fuzz import random_choice
from games.engine.kings import KINGS

ACTIONS = 12_000
LONG_GAME = 2_000
WANTED = 3_000


def main() -> None:
    costs = played(ACTIONS, {})
    costs.sort()
    per_second = len(costs) / sum(costs)
    chess_rate = chess_moves_per_second()
    ratios = [late_over_early(seed) for seed in range(3)]
    state = state_in_the_middle()
    both = timed(lambda: KINGS.decode(encode(state), state.dice))
    view = statistics.median(timed(lambda seat=seat: KINGS.view(state, seat)) for seat in range(4))
    print(f"{'':44}{'seen':>12}{'wanted':>12}")
    line("random four-player actions a second", f"{per_second:,.0f}", f">= {WANTED:,}")
    line("  of `chess`, the same way, in this run", f"{chess_rate:,.0f}", "")
    line("  ours / chess", f"{per_second / chess_rate:.2f}", "")
    line("99th percentile of one action", f"{1000 * costs[int(0.99 * len(costs))]:.2f} ms", "<= 10 ms")
    line("late / early cost in 2,000 actions (median of 3)", f"{statistics.median(ratios):.2f}", "<= 1.2")
    line("encode + decode of a full state", f"{1000 * both:.2f} ms", "<= 5 ms")
    line("a View for one seat", f"{1000 * view:.2f} ms", "<= 1 ms")


def line(what: str, seen: str, wanted: str) -> None:
    print(f"{what:48}{seen:>12}{wanted:>12}")


def played(actions: int, options: dict[str, str]) -> list[float]:
    """What each action cost in processor time, from the choice among the offers to the offers after it."""
    costs: list[float] = []
    game = 0
    while len(costs) < actions:
        game += 1
        costs += costs_of_game(f"speed {game}", options, actions - len(costs))
    return costs


class Whim:
    """Picks for the random players; the game's own dice stay the real ones."""

    def __init__(self, seed: str) -> None:
        self.random = random.Random(seed)

    def pick(self, purpose: str, below: int) -> int:
        return self.random.randrange(below)


def costs_of_game(seed: str, options: dict[str, str], most: int) -> list[float]:
    chance = Whim(seed)
    state = KINGS.setup(seed, 4, options, Dice.seeded(seed)).state
    costs: list[float] = []
    while state.result is None and len(costs) < most:
        begun = time.process_time()
        seat, offer = random_choice(KINGS, state, chance)
        if offer.aside:
            continue
        action = offer.sample(chance)
        KINGS.check(state, seat, action)
        state = KINGS.apply(state, seat, action).state
        costs.append(time.process_time() - begun)
    return costs


def late_over_early(seed: int) -> float:
    """The same long game, its first turns against its last: everybody is asked always, so that it gets long."""
    for attempt in range(50):
        costs = costs_of_game(f"long {seed} {attempt}", {"waiting": "always"}, LONG_GAME)
        if len(costs) >= LONG_GAME:
            return statistics.mean(costs[-500:]) / statistics.mean(costs[250:750])
    raise SystemExit("no random game gets long enough")


def state_in_the_middle() -> State:
    chance = Dice.seeded("middle")
    state = KINGS.setup("middle", 4, {}, Dice.seeded("middle")).state
    for _ in range(400):
        seat, offer = random_choice(KINGS, state, chance)
        if not offer.aside:
            state = KINGS.apply(state, seat, offer.sample(chance)).state
    return state


def timed(what) -> float:
    found = []
    for _ in range(60):
        begun = time.process_time()
        what()
        found.append(time.process_time() - begun)
    return statistics.median(found)


def chess_moves_per_second() -> float:
    chance = random.Random(1)
    moves, begun = 0, time.process_time()
    while moves < 20_000:
        board = chess.Board()
        while not board.is_game_over() and moves < 20_000:
            board = board.copy()  # as ours: the state before stays as it was
            board.push(chance.choice(list(board.legal_moves)))
            moves += 1
    return moves / (time.process_time() - begun)


if __name__ == "__main__":
    main()
