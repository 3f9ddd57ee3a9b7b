"""How well the steward plays: whether its games come to an end, what it makes of random players, how long it thinks.

Four stewards should bring 95 of 100 games to an end within 25 turns; one against three random players should win 90
of 100; half of its decisions should take less than 30 ms. Then a table of every hero's power, event and magic item, and
how often it was used in the games among stewards.

    PYTHONPATH=. .venv/bin/python bench/kings_strength.py --games 100
"""

import argparse
import statistics
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from games.engine.bots.kings import Steward
from games.engine.bots.simple import AnyLegal
from games.engine.core.actions import Action
from games.engine.core.dice import Dice
from games.engine.core.events import Event
from games.engine.kings import KINGS
from games.engine.kings.actions import Choose, March
from games.engine.kings.catalogue import EVENTS, KINDS, MAGIC
from games.engine.kings.view import KingsView

TURNS = 25
MOST_ACTIONS = 20_000
ENDED_GOAL, WON_GOAL, THINKING_GOAL = 95, 90, 30.0

LORDS = [kind for kind in KINDS.values() if kind.lord_of]
HOMES = Counter(name for name, _ in {(kind.name, kind.terrain) for kind in KINDS.values()})
AMBIGUOUS = {name for name, terrains in HOMES.items() if terrains > 1}
POWERS = (
    *("Assassin Primus", "Baron Munchausen", "Deerhunter", "Dwarf King", "Grand Duke", "Marksman"),
    *("Master Thief", "Swordmaster", "Warlord", *(kind.name for kind in LORDS)),
)
WHO_USES = {"AssassinStrikes": "Assassin Primus", "ThiefStrikes": "Master Thief"}
WHO_USES |= {"WarlordWon": "Warlord", "WarlordFailed": "Warlord"}


@dataclass
class Played:
    turns: int = 0
    winner: int | None = None
    how: str = "no end"
    seconds: float = 0.0
    thinking: list[float] = field(default_factory=list)  # of stewards, in milliseconds
    used: Counter[str] = field(default_factory=Counter)


def play(stewards: set[int], players: int, seed: str) -> Played:
    """One game; the stewards hide no mistake of theirs."""
    game = Played()
    bots = [Steward(strict=True) if seat in stewards else AnyLegal() for seat in range(players)]
    state = KINGS.setup(seed, players, {}, Dice.seeded(seed)).state
    begun = time.perf_counter()
    while state.result is None and state.extras["turn"] <= TURNS and state.actions < MOST_ACTIONS:
        seat = KINGS.asked(state)[0]
        view = KINGS.view(state, seat)
        started = time.perf_counter()
        action = bots[seat].choose(view, view.offers, Dice.seeded(f"{seed} {state.actions} {seat}"))
        if seat in stewards:
            game.thinking.append(1000 * (time.perf_counter() - started))
        KINGS.check(state, seat, action)
        progress = KINGS.apply(state, seat, action)
        game.used.update(powers_in_action(view, action))
        game.used.update(name for told in progress.told for name in used_in_event(view, told.event))
        state = progress.state
    game.seconds, game.turns = time.perf_counter() - begun, state.extras["turn"]
    if state.result is not None and game.turns <= TURNS:
        game.how, game.winner = state.result.how, (*state.result.winners, None)[0]
    return game


# ---- what was used


def used_in_event(view: KingsView, event: Event) -> Iterator[str]:
    """Powers, events and items that what happened gives away."""
    kind = type(event).__name__
    if kind in WHO_USES:
        yield WHO_USES[kind]
    elif kind in ("ItemPlayed", "WildItemPlayed"):
        yield event.item
    elif kind == "EventPlayed":
        yield event.event_name
    elif kind == "SiegeHit":
        yield event.hero
    elif kind == "Saved" and event.creature == "Swordmaster":
        yield event.creature
    elif kind == "Collected":
        yield from dwarf_king_in(view, event.seat)
    elif kind == "Revealed":
        yield from lords_of_battle(view, event.seat, event.names)


def dwarf_king_in(view: KingsView, seat: int) -> Iterator[str]:
    """The Dwarf King doubles a mine."""
    own = {here.place for here in view.hexes if here.owner == seat}
    kinds = [(getattr(c, "kind", ""), c) for c in view.counters]
    mines = any(slug and KINDS[slug].is_mine and c.place in own for slug, c in kinds)
    if mines and any(slug == "dwarf_king" and c.owner == seat for slug, c in kinds):
        yield "Dwarf King"


def lords_of_battle(view: KingsView, seat: int, names: tuple[str, ...]) -> Iterator[str]:
    """A Terrain Lord goes into battle with creatures that nobody else supports; names of two terrains tell nothing."""
    land = {here.terrain for here in view.hexes if here.owner == seat}
    here = [kind for kind in KINDS.values() if kind.name in names and kind.name not in AMBIGUOUS]
    for lord in here:
        if lord.lord_of and lord.lord_of not in land and any(kind.terrain == lord.lord_of for kind in here):
            yield lord.name


def powers_in_action(view: KingsView, action: Action) -> Iterator[str]:
    """Powers that only show in what is done: the Marksman's choice, Deerhunter's ways."""
    if view.question == "aim" and action == Choose("2"):
        yield "Marksman"
    if isinstance(action, March):
        kinds = {c.tag: getattr(c, "kind", "") for c in view.counters}
        rough = [here.terrain for here in view.hexes if here.place in action.path]
        led = any(kinds[tag] == "deerhunter" for tag in action.counters)
        if led and {"forest", "jungle", "mountain", "swamp"} & set(rough):
            yield "Deerhunter"


# ---- tables


def series(name: str, count: int, seed: str, players: int, alone: bool) -> list[Played]:
    """Games of stewards only, or of one steward who changes seats."""
    games = []
    for number in range(count):
        stewards = {number % players} if alone else set(range(players))
        games.append(play(stewards, players, f"{seed} {name} {number}"))
        if alone and games[-1].winner not in stewards:
            games[-1].winner = None
    return games


def row(name: str, games: list[Played], good: int, goal: int | None) -> str:
    thinking = [each for game in games for each in game.thinking]
    turns = [game.turns for game in games]
    percent = 100 * good / len(games)
    met = "" if goal is None else f"goal {goal}: {'met' if percent >= goal else 'NOT MET'}"
    return (
        f"{name:>24} {len(games):>5} games {good:>4} good  turns {statistics.median(turns):>3.0f} (most {max(turns)})  "
        f"{statistics.mean(game.seconds for game in games):.1f} s a game  "
        f"decision {statistics.median(thinking):.2f} ms (most {max(thinking):.0f})  {met}"
    )


def table(games: list[Played]) -> Iterator[str]:
    used: Counter[str] = Counter()
    for game in games:
        used += game.used
    groups = {
        "powers": POWERS,
        "events": tuple(kind.name for kind in EVENTS),
        "magic": tuple(kind.name for kind in MAGIC),
    }
    for group, names in groups.items():
        yield f"{group}: " + ", ".join(f"{name} {used[name]}" for name in names)
        missing = [name for name in names if not used[name]]
        yield f"  never used: {', '.join(missing) or 'none'}"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--games", type=int, default=20, help="of each series")
    arguments.add_argument("--seed", default="bench")
    given = arguments.parse_args()
    begun = time.perf_counter()
    four = series("four", given.games, given.seed, 4, alone=False)
    print(row("four stewards", four, sum(game.winner is not None for game in four), ENDED_GOAL), flush=True)
    print("   ended by", dict(Counter(game.how for game in four)))
    alone = series("alone", given.games, given.seed, 4, alone=True)
    print(row("one against three random", alone, sum(game.winner is not None for game in alone), WON_GOAL), flush=True)
    for players in (2, 3):
        few = series(f"of {players}", max(4, given.games // 4), given.seed, players, alone=False)
        print(row(f"{players} stewards", few, sum(game.winner is not None for game in few), None), flush=True)
    thinking = statistics.median(each for game in four for each in game.thinking)
    print(
        f"median decision {thinking:.2f} ms, goal {THINKING_GOAL}: {'met' if thinking < THINKING_GOAL else 'NOT MET'}"
    )
    for line in table(four):
        print(line)
    print(f"{time.perf_counter() - begun:.0f} s")


if __name__ == "__main__":
    main()
