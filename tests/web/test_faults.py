"""Short runs of tools/faults.py on PostgreSQL and Redis, in `make test-cluster`; SQLite's are in test_server.py."""

from __future__ import annotations

import asyncio
import os

import pytest

from tools import faults

pytestmark = pytest.mark.skipif(
    not os.environ.get("DATABASE_URL", "").startswith("postgres"), reason="runs in make test-cluster"
)


@pytest.mark.parametrize(("name", "seconds"), [("redis-killed", 3), ("redis-stopped", 4), ("postgres-3", 3)])
def test_people_play_on(tmp_path, monkeypatch, name, seconds):
    monkeypatch.setattr(faults, "CALM_SECONDS", 1.0)
    row = asyncio.run(faults.suffer(name, tmp_path, seconds))
    assert row.verdict == "ok", row
