"""PostgreSQL, Redis and nginx for tests and for looking: installed where missing, started on free ports, thrown away.

    python -m tools.services pytest tests/web      # a command with DATABASE_URL and REDIS_URL of fresh servers
    python -m tools.services --install             # only install the Debian packages

In code: `with PostgreSQL(folder) as postgres, Redis(folder) as redis:`. Each server is a child process with its data in
a folder of its own, so tests may kill, stop and continue it without touching the machine's own servers.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import redis
from psycopg import sql

# Debian's packages by the program they bring; the last two for deploy/restart and for a certificate to test with.
PACKAGES = {
    "postgres": "postgresql",
    "redis-server": "redis-server",
    "nginx": "nginx",
    "curl": "curl",
    "openssl": "openssl",
}
START_SECONDS = 60.0  # of a busy machine
STOP_SECONDS = 20.0
REDIS_DATABASES = 65_536  # one for each port, so that test servers on one Redis do not hear each other's doorbells


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def find(name: str) -> str:
    """Where a program is, or "": Debian keeps PostgreSQL's outside PATH, the newest version last."""
    versions = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda path: int(path.parts[4]))
    return str(versions[-1]) if versions else shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin") or ""


def install(*names: str) -> None:
    """Install the Debian packages of programs that are missing; without the right to do so, say what to install."""
    missing = [PACKAGES[name] for name in names if not find(name)]
    if not missing:
        return
    if os.getuid() != 0 or not shutil.which("apt-get"):
        sys.exit(f"Not found: {', '.join(missing)}. Install them first: apt-get install {' '.join(missing)}")
    print(f"Installing {', '.join(missing)}", flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for words in (["update", "-qq"], ["install", "-y", "-qq", "--no-install-recommends", *missing]):
        subprocess.run(["apt-get", *words], env=environment, stdout=subprocess.DEVNULL, check=True)


class Service:
    """A server as a child process: `with` starts it and stops it; kill() and pause() are what may happen to it."""

    name = ""
    stop_signal = signal.SIGTERM
    outlives_us = False  # else the kernel ends it when our process is killed

    def __init__(self, folder: Path, port: int | None = None) -> None:
        self.folder = folder / self.name
        self.port = port or free_port()
        self.process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Any:
        self.prepare()
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def prepare(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)

    def command(self) -> list[str]:
        raise NotImplementedError

    def is_up(self) -> bool:
        raise NotImplementedError

    def start(self) -> None:
        self.launch()
        self.wait_until_up()

    def launch(self) -> None:
        with (self.folder / "log").open("ab") as log:
            # Its own session: Ctrl-C in a terminal reaches us, and we stop our servers in order.
            guard = [] if self.outlives_us else ["setpriv", f"--pdeathsig={self.stop_signal.name}"]
            self.process = subprocess.Popen(
                [*guard, *self.command()],
                stdout=log,
                stderr=log,
                cwd=self.folder,
                start_new_session=True,
                **self.identity(),
            )

    def wait_until_up(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        while not self.is_up():
            assert self.process and self.process.poll() is None and time.monotonic() < deadline, self.log()
            time.sleep(0.05)

    def identity(self) -> dict[str, Any]:
        """As whom the server runs, in the words of Popen."""
        return {}

    def log(self) -> str:
        return f"{self.name} does not come up:\n{(self.folder / 'log').read_text()}"

    def stop(self) -> None:
        if self.process is None:
            return
        self.process.send_signal(signal.SIGCONT)
        self.process.send_signal(self.stop_signal)
        try:
            self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process = None

    def kill(self) -> None:
        """End it at once, as a power cut would."""
        assert self.process
        self.process.kill()
        self.process.wait()
        self.process = None

    def pause(self) -> None:
        """Let it hang: connections stay open, and nothing is answered."""
        assert self.process
        self.process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        assert self.process
        self.process.send_signal(signal.SIGCONT)


class PostgreSQL(Service):
    """PostgreSQL refuses to run as root, so root runs it as Debian's user postgres."""

    name = "postgres"
    stop_signal = signal.SIGINT  # end now, without waiting for clients to leave
    user = "kadab"

    def __init__(self, folder: Path, port: int | None = None, *, is_safe: bool = False) -> None:
        """`is_safe`: written to the disk before it is answered. Without that tests take half the time."""
        super().__init__(folder, port)
        self.is_safe = is_safe

    def identity(self) -> dict[str, Any]:
        if os.getuid() != 0:
            return {}
        account = pwd.getpwnam("postgres")
        return {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def prepare(self) -> None:
        super().prepare()
        if self.data.exists():
            return
        if owner := self.identity():
            os.chown(self.folder, owner["user"], owner["group"])
            for parent in self.folder.parents:  # a temporary folder is its maker's alone, until others may pass
                if Path(tempfile.gettempdir()) in parent.parents:
                    parent.chmod(parent.stat().st_mode | 0o011)
        words = ["--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync", f"--username={self.user}"]
        subprocess.run(
            [find("initdb"), *words, "--pgdata", str(self.data)],
            **self.identity(),
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            check=True,
        )

    def command(self) -> list[str]:
        facts = {
            "listen_addresses": "127.0.0.1",
            "port": str(self.port),
            "unix_socket_directories": "",
            "max_connections": "200",
            "timezone": "UTC",
        }
        if not self.is_safe:
            facts |= {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
        return [find("postgres"), "-D", str(self.data), *(f"--{name}={value}" for name, value in facts.items())]

    def is_up(self) -> bool:
        try:
            psycopg.connect(self.url("postgres"), connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True

    def url(self, database: str) -> str:
        return f"postgres://{self.user}@127.0.0.1:{self.port}/{database}"


def create_database(server: str, name: str) -> str:
    """A new database beside the one at this address; returns its address."""
    with psycopg.connect(server, dbname="postgres", autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    return f"{server.rpartition('/')[0]}/{name}"


class Redis(Service):
    name = "redis"

    def command(self) -> list[str]:
        facts = {
            "bind": "127.0.0.1",
            "port": str(self.port),
            "dir": str(self.folder),
            "save": "",
            "databases": str(REDIS_DATABASES),
        }
        return [find("redis-server"), *(word for name, value in facts.items() for word in (f"--{name}", value))]

    def is_up(self) -> bool:
        try:
            with contextlib.closing(redis.Redis(port=self.port, socket_timeout=2)) as client:
                return bool(client.ping())
        except redis.RedisError:
            return False

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}"


@contextlib.contextmanager
def both() -> Iterator[dict[str, str]]:
    """PostgreSQL and Redis for as long as the block takes, as environment variables that Kadab understands."""
    install(*PACKAGES)  # all at once, though nginx is for tests of a whole site only: no test waits for apt-get
    with (
        tempfile.TemporaryDirectory(prefix="kadab-services-") as name,
        PostgreSQL(Path(name)) as postgres,
        Redis(Path(name)) as bus,
    ):
        yield {"DATABASE_URL": create_database(postgres.url("kadab"), "kadab"), "REDIS_URL": bus.url}


def run_beside(command: list[str], environment: dict[str, str]) -> int:
    """Run a command to its end; told to stop, stop it first, so that it finds its servers while it cleans up."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with subprocess.Popen(command, env={**os.environ, **environment}) as process:
        try:
            return process.wait()
        except BaseException:
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(STOP_SECONDS)
            process.kill()
            raise


def main() -> int:
    arguments = argparse.ArgumentParser(description="Run a command beside a fresh PostgreSQL and Redis.")
    arguments.add_argument("--install", action="store_true", help="install the Debian packages and end")
    arguments.add_argument("command", nargs=argparse.REMAINDER)
    given = arguments.parse_args()
    if given.install:
        install(*PACKAGES)
        return 0
    with both() as addresses:
        return run_beside(given.command, addresses)


if __name__ == "__main__":
    sys.exit(main())
