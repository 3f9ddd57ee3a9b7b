"""Load on a real server: N tables of four, real pages and sockets, recorded actions.

python -m bench.load                                   1, 25, 100 and 250 tables by POST, and the yardstick
python -m bench.load --tables 25 --door socket --project ../main
python -m bench.load --idle 1000
python -m bench.load --soak 600
"""

from __future__ import annotations

import argparse
import asyncio
import math
import os
import resource
import signal
import sys
from pathlib import Path

from . import report, runs, servers
from .driving import Measured
from .runs import Counted, Play, Site

ROOT = Path(__file__).resolve().parents[2]
# As much is recorded as the fastest server could play, and a game has about so many actions.
MOST_A_SECOND, MOST_AT_ONE_TABLE, GAME = 400, 150, 600
COUNTED_TABLES, COUNTED_ACTIONS = 5, 200
MOST_IDLE = 0.05  # of a core for 1,000 pages


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="bench.load", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", type=int, nargs="+", default=[1, 25, 100, 250])
    parser.add_argument("--door", choices=["post", "socket"], nargs="+", default=["post"])
    parser.add_argument(
        "--modes", choices=["paced", "closed", "counts"], nargs="+", default=["paced", "closed", "counts"]
    )
    parser.add_argument("--secs", type=float, default=10, help="measured for so long")
    parser.add_argument("--warm", type=float, default=3, help="played for so long before")
    parser.add_argument("--rate", type=float, default=1, help="actions a second of each table when paced")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument(
        "--burn", type=float, default=3, help="the yardstick's ms of busy work; below 0 is no yardstick"
    )
    parser.add_argument("--start", type=int, default=27, help="actions stored beforehand; 27 are the set-up")
    parser.add_argument("--spread", type=int, default=40, help="tables start up to so many actions apart")
    parser.add_argument(
        "--by", choices=["steward", "random"], default="steward", help="who plays; random games are longer"
    )
    parser.add_argument("--idle", type=int, default=0, metavar="PAGES", help="only measure so many idle pages")
    parser.add_argument(
        "--soak", type=float, default=0, metavar="SECONDS", help="only play so long, paced; memory must stay"
    )
    parser.add_argument("--statements", action="store_true", help="list the statements of an action")
    parser.add_argument("--calm", type=float, default=0, help="wait so long for a quiet machine before each run")
    parser.add_argument("--pin", action="store_true", help="the server on one core, the generator on another")
    parser.add_argument("--project", type=Path, default=ROOT, help="the checkout whose server is run")
    parser.add_argument("--peer", type=Path, help="another checkout to compare with, by POST, in the same rounds")
    parser.add_argument("--kept", type=Path, default=ROOT / "var" / "load", help="where seeded databases are kept")
    given = parser.parse_args()
    given.project, given.kept = given.project.resolve(), given.kept.resolve()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    if given.pin:
        os.sched_setaffinity(0, {(os.cpu_count() or 1) - 1})
    given.kept.mkdir(parents=True, exist_ok=True)
    for number in (signal.SIGINT, signal.SIGTERM):  # however this ends, its servers end with it
        signal.signal(number, signal.default_int_handler)
    if given.idle:
        sys.exit(asyncio.run(idle(given)))
    if given.soak:
        sys.exit(asyncio.run(soak(given)))
    sys.exit(asyncio.run(load(given)))


# ---- what has to be recorded


def needed(tables: int, given: argparse.Namespace) -> int:
    """How many actions are played at each table at most."""
    seconds = given.secs + given.warm
    closed = seconds * min(MOST_A_SECOND / tables, MOST_AT_ONE_TABLE) if "closed" in given.modes else 0
    paced = 1.5 * seconds * given.rate + 10 if "paced" in given.modes else 0
    return math.ceil(closed + paced)


def games(actions: int) -> int:
    """How many recorded games so many actions take."""
    return max(1, math.ceil(actions / GAME))


def plan(numbers: list[tuple[int, int]]) -> str:
    """For pairs of tables and actions at each: how many actions to record of which table, as few as will do."""
    lengths: list[int] = []
    for tables, actions in numbers:
        wanted = [math.ceil(actions / games(actions))] * (tables * games(actions))
        most = max(len(wanted), len(lengths))
        wanted, lengths = (each + [0] * (most - len(each)) for each in (wanted, lengths))
        lengths = [max(pair) for pair in zip(wanted, lengths)]
    return " ".join(f"{lengths.count(length)}x{length}" for length in sorted(set(lengths), reverse=True))


def seeded(given: argparse.Namespace, project: Path, numbers: list[tuple[int, int]]) -> Site:
    print("seeding…", file=sys.stderr, flush=True)
    seeds = servers.Seeds(plan(numbers), given.start, given.spread, given.by)
    folder, recorded = servers.seeded(project, given.kept, seeds)
    servers.collect_static(project, given.kept, folder)
    return Site(project, given.kept, folder, recorded, is_pinned=given.pin)


# ---- what is run


async def load(given: argparse.Namespace) -> int:
    numbers = [(tables, needed(tables, given)) for tables in given.tables] + [(COUNTED_TABLES, 60)]
    site = seeded(given, given.project, numbers)
    sides = [(f"Kadab, {door}", site, door) for door in given.door]
    if given.peer:
        sides.insert(0, (f"{given.peer.name}, post", seeded(given, given.peer.resolve(), numbers), "post"))
    rates = {"paced": given.rate, "closed": 0}
    plays = [Play(rates[mode], given.warm, given.secs, given.calm) for mode in rates if mode in given.modes]
    found: list[Measured] = []
    counted: list[Counted] = []
    is_whole = True
    try:
        for _ in range(given.rounds if plays else 0):
            for tables in given.tables:
                for name, side, door in sides:
                    try:
                        found += await runs.kadab(name, side, door, tables, games(needed(tables, given)), plays)
                    except (OSError, RuntimeError) as error:  # the other runs are still worth having
                        is_whole = False
                        print(f"{name} {tables}: {error}", file=sys.stderr, flush=True)
                if given.burn >= 0:
                    found += await runs.bare(site, tables, plays, given.burn)
        if "counts" in given.modes:
            for name, side, door in sides:
                counted.append(await runs.counted(name, side, door, COUNTED_TABLES, COUNTED_ACTIONS))
    finally:
        print(report.table(found))
        if counted:
            print()
            print(report.counts(counted))
        if given.statements:
            for each in counted:
                for text, often in sorted(each.texts.items(), key=lambda pair: -pair[1])[:40]:
                    print(f"{often:6.2f}  {text}")
    return 0 if is_whole else 1


async def idle(given: argparse.Namespace) -> int:
    given.start, given.spread = 0, 1  # nobody plays, so any position will do
    site = seeded(given, given.project, [(math.ceil(given.idle / 4), 1)])
    found = await runs.idle(site, given.idle, given.secs)
    print(report.idle(found))
    return 0 if found.share <= MOST_IDLE * found.pages / 1000 else 1


async def soak(given: argparse.Namespace) -> int:
    tables, actions = given.tables[0], math.ceil(1.2 * given.rate * given.soak + 20)
    site = seeded(given, given.project, [(tables, actions)])
    found = await runs.soak(site, given.door[0], tables, games(actions), given.rate, given.soak)
    print(report.soaked(found))
    is_flat = found.is_flat("memory") and found.is_flat("descriptors")
    return 0 if is_flat and not found.measured.problems else 1


if __name__ == "__main__":
    main()
