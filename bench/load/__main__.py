"""N tables of four, real sockets, real actions: how many a second, how late, and what each costs the server.

.venv/bin/python -m bench.load --tables 1 25 100 --door post
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import math
import os
import resource
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from . import driving, servers
from .driving import Drive, Measured
from .pages import Seen, Table

ROOT = Path(__file__).resolve().parents[2]
MOST_A_SECOND, MOST_AT_ONE_TABLE = 400, 150  # no server is expected to be faster; so much is recorded
GAME = 600  # actions of a recorded game, if it is played to the end


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.load", description=__doc__.partition("\n")[0])
    parser.add_argument("--tables", type=int, nargs="+", default=[1, 25, 100, 250])
    parser.add_argument("--secs", type=float, default=10)
    parser.add_argument("--warm", type=float, default=3)
    parser.add_argument("--door", choices=["post", "socket"], nargs="+", default=["post"])
    parser.add_argument("--modes", choices=["paced", "closed"], nargs="+", default=["paced", "closed"])
    parser.add_argument("--rate", type=float, default=1, help="actions a second of each table, when paced")
    parser.add_argument("--start", type=int, default=0, help="actions that are stored before the run begins")
    parser.add_argument("--project", type=Path, default=ROOT, help="the checkout whose server is run")
    parser.add_argument("--kept", type=Path, default=ROOT / "var" / "load", help="where seeded databases are kept")
    given = parser.parse_args()
    given.project = given.project.resolve()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    given.kept.mkdir(parents=True, exist_ok=True)
    asyncio.run(load(given))


def needed(tables: int, given: argparse.Namespace) -> int:
    """How many actions each slot plays at most."""
    seconds = given.secs + given.warm
    most = MOST_AT_ONE_TABLE if tables == 1 else min(MOST_A_SECOND / tables, MOST_AT_ONE_TABLE)
    closed = seconds * most if "closed" in given.modes else 0
    paced = 1.5 * seconds * given.rate + 10 if "paced" in given.modes else 0
    return math.ceil(closed + paced)


def spares(tables: int, given: argparse.Namespace) -> int:
    """How many recorded games each slot has."""
    return math.ceil(needed(tables, given) / GAME)


def plan(given: argparse.Namespace) -> str:
    """How many actions to record of each table, as few as will do."""
    lengths: list[int] = []
    for tables in given.tables:
        games = spares(tables, given)
        each = math.ceil(needed(tables, given) / games)
        wanted = [each] * (tables * games)
        longest = max(len(wanted), len(lengths))
        wanted += [0] * (longest - len(wanted))
        lengths += [0] * (longest - len(lengths))
        lengths = [max(pair) for pair in zip(wanted, lengths)]
    return " ".join(f"1x{length}" for length in lengths)


async def load(given: argparse.Namespace) -> None:
    print("seeding…", file=sys.stderr, flush=True)
    seeded, recorded = await asyncio.to_thread(servers.seeded, given.project, given.kept, plan(given), given.start)
    show_head()
    for tables in given.tables:
        for door in given.door:
            for measured in await kadab(given, tables, door, seeded, recorded):
                show(measured)


async def kadab(
    given: argparse.Namespace, tables: int, door: str, seeded: Path, recorded: list[dict[str, Any]]
) -> list[Measured]:
    games, seen = spares(tables, given), Seen()
    with tempfile.TemporaryDirectory(dir=given.kept) as folder:
        server = servers.kadab(given.project, seeded, Path(folder))
        try:
            all_ = [Table(n, each, server.port, door, seen) for n, each in enumerate(recorded[: tables * games])]
            slots = [all_[slot::tables] for slot in range(tables)]
            await driving.opened(all_[:1])
            await asyncio.sleep(1)
            before = server.memory()
            await driving.opened(all_[1:])
            await asyncio.sleep(1)
            alive = asyncio.ensure_future(driving.keep_alive(all_))
            found = []
            for mode in given.modes:
                drive = Drive(slots, seen, given.rate if mode == "paced" else 0)
                found.append(await drive.run(f"kadab {door}", server, given.warm, given.secs))
            alive.cancel()
            found[-1].extra["MB/table"] = (server.memory() - before) / max(1, len(all_) - 1)
            for table in all_:
                table.close()
            return found
        finally:
            server.stop()
            with contextlib.suppress(OSError):
                shutil.copy(server.log, given.kept / "last-server.log")


def show_head() -> None:
    heads = ["tables", "mode", "actions/s", "p50", "p95", "p99", "cpu ms", "msg B", "B/action", "gen", "MB/table"]
    print(f"{'':14}" + "".join(f"{head:>11}" for head in heads), flush=True)


def show(each: Measured) -> None:
    actions = max(1, each.actions)
    wire = sum(size for name, size in each.counts.items() if name in ("socket bytes", "answer bytes")) / actions
    cells = [each.tables, each.mode, f"{each.rate:.1f}", *(f"{each.at(share):.1f}" for share in (0.5, 0.95, 0.99))]
    cells += [f"{each.processor:.2f}", f"{sum(each.sizes) / max(1, len(each.sizes)):.0f}", f"{wire:.0f}"]
    cells += [f"{100 * each.generator:.0f} %", f"{each.extra.get('MB/table', math.nan):.2f}"]
    print(f"{each.name:14}" + "".join(f"{cell:>11}" for cell in cells), flush=True)
    others = {name: count for name, count in each.counts.items() if name in ("misfits", "copies", "pulses")}
    if each.problems or others:
        print(f"{'':14}{each.problems or ''} {others}", flush=True)


if __name__ == "__main__":
    os.chdir(ROOT)
    main()
