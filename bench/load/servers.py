"""Servers under test: started in folders of their own, read by /proc, and stopped again."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
TICKS = os.sysconf("SC_CLK_TCK")
# Seeded databases stay valid while the rules and the columns are the same.
SEEDED_FROM = ("games/engine", "games/migrations", "players/migrations")
ELSEWHERE = ("DATABASE_URL", "REDIS_URL")  # a run has its own database and no channel layer outside the process


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Server:
    """A process that serves on a port; what it says goes to a log."""

    def __init__(self, words: list[str], folder: Path, cwd: Path, environment: dict[str, str], port: int) -> None:
        self.port, self.log = port, folder / "server.log"
        with self.log.open("wb") as log:
            self.process = subprocess.Popen([sys.executable, *words], cwd=cwd, env=environment, stdout=log, stderr=log)
        deadline = time.monotonic() + 60
        while True:
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.stop()
                raise RuntimeError(f"the server did not come up:\n{self.log.read_text()[-3000:]}")
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(15)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def pin(self) -> None:
        """Keep it to the first core; the generator takes another."""
        for thread in os.listdir(f"/proc/{self.process.pid}/task"):
            os.sched_setaffinity(int(thread), {0})

    # ---- what the kernel knows of it

    def processor_seconds(self) -> float:
        stat = Path(f"/proc/{self.process.pid}/stat").read_text()
        fields = stat.rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def memory(self) -> float:
        """Resident memory in MB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024

    def descriptors(self) -> int:
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))


def busy_seconds() -> float:
    """Processor time of everything on this machine."""
    user, nice, system, _, _, irq, softirq, *_ = map(int, Path("/proc/stat").read_text().split("\n")[0].split()[1:])
    return (user + nice + system + irq + softirq) / TICKS


class CountedServer(Server):
    """A Kadab that counts its statements and hops (counted.py)."""

    counts_file: Path

    def counts(self) -> dict[str, dict[str, int]]:
        """What it has counted up to now."""
        before = self.counts_file.stat().st_ino if self.counts_file.exists() else 0
        self.process.send_signal(signal.SIGUSR1)
        deadline = time.monotonic() + 20
        while not self.counts_file.exists() or self.counts_file.stat().st_ino == before:
            if time.monotonic() > deadline:
                raise RuntimeError("the server wrote no counts")
            time.sleep(0.005)
        found: dict[str, dict[str, int]] = json.loads(self.counts_file.read_text())
        return found


def kadab(
    project: Path, seeded: Path, folder: Path, settings: str = "kadab.settings", is_counted: bool = False
) -> Server:
    """A Kadab of this project on a copy of a seeded database."""
    shutil.copytree(seeded, folder, symlinks=True, dirs_exist_ok=True)
    port = free_port()
    site = {**site_of(project, folder), "SITE_URL": f"http://127.0.0.1:{port}", "HOST": "127.0.0.1"}
    site["DJANGO_SETTINGS_MODULE"] = settings
    if not is_counted:
        return Server(["-m", "kadab.serve", "--port", str(port)], folder, project, site, port)
    counts = folder / "counts.json"
    words = [str(HERE / "counted.py"), str(counts), "--port", str(port)]
    server = CountedServer(words, folder, project, site, port)
    server.counts_file = counts
    return server


def yardstick(tables: int, folder: Path, burn: float) -> Server:
    port = free_port()
    words = [str(HERE / "yardstick.py"), "--port", str(port), "--tables", str(tables), "--burn", str(burn)]
    return Server([*words, "--database", str(folder / "yardstick.sqlite3")], folder, folder, dict(os.environ), port)


# ---- seeding


@dataclass(frozen=True)
class Seeds:
    """What to put into a database: see seed.py."""

    plan: str
    start: int = 0
    spread: int = 1
    by: str = "steward"

    @property
    def words(self) -> list[str]:
        given = {"plan": self.plan, "start": str(self.start), "spread": str(self.spread), "by": self.by}
        return [word for name, value in given.items() for word in (f"--{name}", value)]


def seeded(project: Path, kept: Path, seeds: Seeds) -> tuple[Path, list[dict[str, Any]]]:
    """A folder for KADAB_VAR with such tables, and what they will play; made once and kept."""
    name = fingerprint([*(project / each for each in SEEDED_FROM), HERE / "seed.py"], " ".join(seeds.words))
    folder, tables = kept / f"seeded-{name}", kept / f"tables-{name}.json"
    if not tables.exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        words = [str(HERE / "seed.py"), *seeds.words, "--out", str(tables)]
        subprocess.run([sys.executable, *words], cwd=project, env=site_of(project, folder), check=True)
    found: list[dict[str, Any]] = json.loads(tables.read_text())
    return folder, found


def collect_static(project: Path, kept: Path, folder: Path) -> None:
    """Give a seeded folder the project's static files, which are compressed once and kept."""
    static, link = kept / f"static-{fingerprint([project / 'static'], '')}", folder / "static"
    link.unlink(missing_ok=True)
    if not static.exists():
        words = [sys.executable, "manage.py", "collectstatic", "--noinput", "--verbosity", "0"]
        subprocess.run(words, cwd=project, env=site_of(project, folder), check=True)
        link.rename(static)
    link.symlink_to(static)


def site_of(project: Path, folder: Path) -> dict[str, str]:
    """The environment of a Kadab that keeps its games in this folder."""
    ours = {"KADAB_VAR": str(folder), "PYTHONPATH": str(project), "DJANGO_SETTINGS_MODULE": "kadab.settings"}
    return {**{name: value for name, value in os.environ.items() if name not in ELSEWHERE}, **ours}


def fingerprint(places: Iterable[Path], more: str) -> str:
    """A short name for the content of files and folders."""
    found = hashlib.sha256(more.encode())
    for each in places:
        for file in sorted(each.rglob("*")) if each.is_dir() else [each]:
            if file.is_file() and "__pycache__" not in file.parts:
                found.update(str(file.relative_to(each)).encode() + file.read_bytes())
    return found.hexdigest()[:12]
