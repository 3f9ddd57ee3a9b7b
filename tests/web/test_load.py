"""What one action costs a real server, counted and not timed: statements, thread hops and bytes may not grow.

`make load` measures time; this only runs its generator at two tables, on a server that counts (bench/load/counted.py).
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bench.load import runs, servers
from tests.server import ROOT

TABLES, ACTIONS, WARM = 2, 80, runs.WARM_ACTIONS
AFTER_SET_UP = 27

# The most that one action may take on average: what was seen, and up to a fifth more.
MOST = {
    "post": {"statements": 13, "brackets": 2.4, "hops": 3.6, "connections": 0.2, "bytes": 28_000},
    "socket": {"statements": 7.5, "brackets": 2.4, "hops": 3.7, "connections": 0.2, "bytes": 19_600},
}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    kept: Path = tmp_path_factory.mktemp("load")
    seeds = servers.Seeds(f"{TABLES}x{ACTIONS // TABLES + WARM}", start=AFTER_SET_UP, spread=30)
    folder, recorded = servers.seeded(ROOT, kept, seeds)
    return runs.Site(ROOT, kept, folder, recorded, settings="bench.load.plain_settings")


@pytest.mark.parametrize("door", MOST)
def test_an_action_costs_no_more_than_it_did(site, door):
    seen = asyncio.run(runs.counted(door, site, door, TABLES, ACTIONS))
    assert seen.problems == {}
    assert seen.actions == ACTIONS
    costs = {name: getattr(seen, name) for name in MOST[door]}
    assert {name: round(cost, 1) for name, cost in costs.items() if cost > MOST[door][name]} == {}
