"""Static files for sites that tests and tools start: collected once, as compressing them takes most of a minute."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / "var" / "collected"


def into(folder: Path, environment: dict[str, str]) -> None:
    """Fill a site's STATIC_ROOT, from the files collected last if nothing has changed since."""
    kept = KEPT / digest()
    KEPT.mkdir(parents=True, exist_ok=True)
    with (KEPT / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # workers of one test run come at the same time
        if not kept.exists():
            collect(environment)
            for old in KEPT.glob("*/"):
                shutil.rmtree(old)
            shutil.copytree(folder, half := kept.with_suffix(".half"))
            half.rename(kept)
        else:
            shutil.copytree(kept, folder, dirs_exist_ok=True)


def collect(environment: dict[str, str]) -> None:
    words = [sys.executable, "manage.py", "collectstatic", "--noinput", "--verbosity", "0"]
    subprocess.run(words, cwd=ROOT, env={**os.environ, **environment}, check=True)


def digest() -> str:
    """Of everything that decides what is collected: our files, and the libraries with theirs."""
    found = hashlib.sha256(f"{sys.version} {(ROOT / 'requirements.txt').read_text()}".encode())
    for path in sorted((ROOT / "static").rglob("*")):
        if path.is_file():
            found.update(f"{path.relative_to(ROOT)} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return found.hexdigest()[:16]
