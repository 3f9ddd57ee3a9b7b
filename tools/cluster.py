"""A whole site on this machine, for tests and for looking: nginx, web processes, bots, mail, PostgreSQL and Redis.

    python -m tools.cluster up [--port 8080] [--webs 3]      # make cluster
    python -m tools.cluster down                             # make cluster-down

In code: `with Cluster(folder) as cluster:`. Everything lies in one folder; var/ and the machine's own servers are not
touched. nginx runs with the files of deploy/nginx, so this is what a site gets, except for TLS.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

from tools import collected
from tools.services import PostgreSQL, Redis, Service, create_database, find, free_port, install

ROOT = Path(__file__).resolve().parent.parent
FOLDER = Path(tempfile.gettempdir()) / f"kadab-cluster-{os.getuid()}"
KEPT = "processes.json"
STOP_SECONDS = 20

NGINX = """
daemon off;
pid {folder}/pid;
error_log {folder}/error.log;
{user}
worker_processes 1;
events {{ worker_connections 4096; }}
http {{
    include /etc/nginx/mime.types;
    default_type application/octet-stream;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {deploy}/kadab-http.conf;
    upstream kadab {{
        hash $kadab_key consistent;
        {servers}
        keepalive 64;
        keepalive_timeout 30s;
    }}
    server {{
        listen 127.0.0.1:{port};
        set $kadab_static {static};
        include {folder}/kadab-server.conf;
    }}
}}
"""


class Process(Service):
    """One of Kadab's own processes."""

    def __init__(self, folder: Path, name: str, environment: dict[str, str], *words: str) -> None:
        self.name = name
        super().__init__(folder)
        self.environment, self.words = environment, words

    def command(self) -> list[str]:
        # env(1) sets the variables, so that `up` need not stay to do it.
        return ["env", "-C", str(ROOT), *(f"{k}={v}" for k, v in self.environment.items()), sys.executable, *self.words]

    def is_up(self) -> bool:
        return "at work" in self.said() or "when it is due" in self.said()

    def said(self) -> str:
        return (self.folder / "log").read_text()


class Web(Process):
    def __init__(self, folder: Path, number: int, environment: dict[str, str]) -> None:
        super().__init__(folder, f"web-{number}", environment)
        self.words = ("-m", "kadab.serve", "--port", str(self.port))

    def is_up(self) -> bool:
        return _answers(f"http://127.0.0.1:{self.port}/credits/")


class Nginx(Service):
    name = "nginx"

    def __init__(self, folder: Path, port: int, webs: list[Web], static: Path) -> None:
        super().__init__(folder, port)
        self.webs, self.static = webs, static

    def prepare(self) -> None:
        super().prepare()
        deploy = ROOT / "deploy" / "nginx"
        site = (deploy / "kadab-server.conf").read_text()
        (self.folder / "kadab-server.conf").write_text(
            site.replace("/var/log/nginx/kadab.log", f"{self.folder}/access")
        )
        servers = "\n        ".join(f"server 127.0.0.1:{web.port} max_fails=1 fail_timeout=2s;" for web in self.webs)
        text = NGINX.format(
            folder=self.folder,
            deploy=deploy,
            port=self.port,
            servers=servers,
            static=self.static,
            user="user root;" if os.getuid() == 0 else "",
        )
        (self.folder / "nginx.conf").write_text(text)

    def command(self) -> list[str]:
        return [find("nginx"), "-p", str(self.folder), "-c", str(self.folder / "nginx.conf"), "-e", "error.log"]

    def is_up(self) -> bool:
        return _answers(f"http://127.0.0.1:{self.port}/credits/")


class Cluster:
    def __init__(self, folder: Path, port: int | None = None, webs: int = 3) -> None:
        self.folder = folder
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.count = webs
        self.started: list[Service] = []

    def __enter__(self) -> Cluster:
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        install("postgres", "redis-server", "nginx")
        self.postgres, self.redis = PostgreSQL(self.folder, is_safe=True), Redis(self.folder)
        self.run(self.postgres, self.redis)
        self.environment = {
            "SITE_URL": self.url,
            "HOST": "127.0.0.1",
            "DATABASE_URL": create_database(self.postgres.url("kadab"), "kadab"),
            "REDIS_URL": f"{self.redis.url}/0",
            "KADAB_VAR": str(self.folder / "var"),
            "TRUSTED_PROXIES": "1",
            "BOT_PROCESSES": "1",
            "DJANGO_SETTINGS_MODULE": "kadab.settings",
        }
        self.manage("migrate", "--verbosity", "0")
        self.manage("demo")
        collected.into(self.folder / "var" / "static", self.environment)
        self.webs = [Web(self.folder, number, self.environment) for number in range(1, self.count + 1)]
        self.bots = Process(self.folder, "bots", self.environment, "manage.py", "run_bots")
        self.mail = Process(self.folder, "mail", self.environment, "manage.py", "send_mail")
        self.nginx = Nginx(self.folder, self.port, self.webs, self.folder / "var" / "static")
        self.run(*self.webs, self.bots, self.mail, self.nginx)

    def run(self, *services: Service) -> None:
        """Start them side by side: each of Kadab's processes takes seconds to import everything."""
        for each in services:
            each.prepare()
            each.launch()
            self.started.append(each)
        for each in services:
            each.wait_until_up()

    def stop(self) -> None:
        """The newest first: nobody is left without what it stands on."""
        while self.started:
            self.started.pop().stop()

    def manage(self, *words: str) -> str:
        return self.python("manage.py", *words)

    def python(self, *words: str) -> str:
        done = subprocess.run(
            [sys.executable, *words], cwd=ROOT, env={**os.environ, **self.environment}, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5):
            return True
    except urllib.error.HTTPError as answer:
        return answer.code < 500
    except (OSError, urllib.error.URLError):
        return False


# ---- left running between two commands


def up(port: int, webs: int) -> None:
    if FOLDER.exists():
        down()
    FOLDER.mkdir(mode=0o755)
    Service.outlives_us = True
    cluster = Cluster(FOLDER, port, webs)
    try:
        cluster.start()
    except BaseException:
        cluster.stop()
        raise
    kept = [{"name": each.name, "pid": _pid(each), "begun": _begun(_pid(each))} for each in cluster.started]
    (FOLDER / KEPT).write_text(json.dumps(kept))
    print(f"Kadab is at {cluster.url} (log in as demo, demo). `make cluster-down` takes it away.")
    for each in cluster.started:
        print(f"  {each.name:9} process {_pid(each)}, log {each.folder}/log")
    variables = ("DATABASE_URL", "REDIS_URL", "KADAB_VAR", "SITE_URL")
    print(
        "Commands: env "
        + " ".join(f"{k}={cluster.environment[k]}" for k in variables)
        + " .venv/bin/python manage.py …"
    )


def down() -> None:
    with contextlib.suppress(FileNotFoundError):
        for each in reversed(json.loads((FOLDER / KEPT).read_text())):
            _end(each["pid"], each["begun"], signal.SIGINT if each["name"] == "postgres" else signal.SIGTERM)
    shutil.rmtree(FOLDER, ignore_errors=True)


def _pid(service: Service) -> int:
    assert service.process
    return service.process.pid


def _begun(pid: int) -> str:
    """When a process began: a number may be another process's by now."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    except OSError:
        return ""


def _end(pid: int, begun: str, number: int) -> None:
    deadline = time.monotonic() + STOP_SECONDS
    while begun and _begun(pid) == begun:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number if time.monotonic() < deadline else signal.SIGKILL)
        number = 0
        time.sleep(0.1)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("what", choices=["up", "down"])
    arguments.add_argument("--port", type=int, default=8080)
    arguments.add_argument("--webs", type=int, default=3)
    given = arguments.parse_args()
    if given.what == "up":
        up(given.port, given.webs)
    else:
        down()


if __name__ == "__main__":
    main()
