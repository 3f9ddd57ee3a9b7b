"""Copies of the whole database while the site runs, and the way back: SQLite by VACUUM INTO, PostgreSQL by pg_dump.

A copy holds everything hidden and every password's hash, so only its owner may read it. A copy is written under another
name and gets its own when it is complete. A restore happens as a whole or not at all.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from django.db import connection, connections, transaction

# Tables that the restored version does not know would be in the way of its migrations later.
EMPTY = """
DO $$ DECLARE found record; BEGIN
  FOR found IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
    EXECUTE format('DROP TABLE public.%I CASCADE', found.tablename);
  END LOOP;
END $$;
"""
COPY = "backup"  # the alias of a copy that is being looked at


class BackupFailed(Exception):
    """Nothing was written, or nothing was changed; the message says why."""


def is_sqlite() -> bool:
    return connection.vendor == "sqlite"


def suffix() -> str:
    return ".sqlite3" if is_sqlite() else ".dump"


def back_up(file: Path, fingerprint: Callable[[str], str]) -> str:
    """Copy the database into a file; returns the fingerprint of what is in the copy."""
    if file.exists():
        raise BackupFailed(f"{file} exists already")
    half = file.with_name(f".{file.name}.half")
    half.unlink(missing_ok=True)
    half.touch(0o600)
    try:
        found = (_copy_sqlite if is_sqlite() else _copy_postgres)(half, fingerprint)
        half.rename(file)
    finally:
        half.unlink(missing_ok=True)
    return found


def restore(file: Path) -> None:
    """Put a copy in the place of the database. Nothing else may use the database meanwhile."""
    if not file.is_file():
        raise BackupFailed(f"there is no file {file}")
    connections.close_all()
    (_restore_sqlite if is_sqlite() else _restore_postgres)(file)


# ---- SQLite


def _copy_sqlite(file: Path, fingerprint: Callable[[str], str]) -> str:
    file.unlink()  # VACUUM INTO wants to make it; the mask keeps it private
    mask = os.umask(0o077)
    try:
        with contextlib.closing(sqlite3.connect(connection.settings_dict["NAME"], timeout=60)) as source:
            source.execute("VACUUM INTO ?", [str(file)])
    finally:
        os.umask(mask)
    connections.databases[COPY] = {**connection.settings_dict, "NAME": str(file), "OPTIONS": {}}
    try:
        return fingerprint(COPY)
    finally:
        connections[COPY].close()
        del connections[COPY]
        del connections.databases[COPY]


def _restore_sqlite(file: Path) -> None:
    with contextlib.closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as source:
        try:
            (sound,) = source.execute("PRAGMA integrity_check").fetchone()
        except sqlite3.DatabaseError as error:
            raise BackupFailed(f"{file} is not a copy of an SQLite database") from error
        if sound != "ok":
            raise BackupFailed(f"{file} is damaged")
        with contextlib.closing(sqlite3.connect(connection.settings_dict["NAME"], timeout=60)) as target:
            source.backup(target)


# ---- PostgreSQL


def _copy_postgres(file: Path, fingerprint: Callable[[str], str]) -> str:
    """The fingerprint and the dump see the same moment, however busy the site is."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        cursor.execute("SELECT pg_export_snapshot()")
        (snapshot,) = cursor.fetchone()
        _run("pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--snapshot={snapshot}", f"--file={file}")
        return fingerprint("default")


def _restore_postgres(file: Path) -> None:
    """Out with everything and in with the copy, in one transaction."""
    with contextlib.ExitStack() as stack:
        script = stack.enter_context(_script(file))
        words = [_program("psql"), "--quiet", "--no-psqlrc", "--single-transaction", "--set=ON_ERROR_STOP=1"]
        into = subprocess.Popen(
            words, env=_environment(), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        assert into.stdin
        with contextlib.suppress(BrokenPipeError):  # psql has stopped at an error, which it tells below
            into.stdin.write(EMPTY.encode())
            shutil.copyfileobj(script, into.stdin)
        _, said = into.communicate()
        if into.returncode:
            raise BackupFailed(f"nothing was restored: {said.decode(errors='replace').strip()[:500]}")


@contextlib.contextmanager
def _script(file: Path) -> Iterator[Any]:
    """The copy as SQL, which pg_restore has read to its end without a fault."""
    sql = file.with_name(f".{file.name}.sql")
    sql.touch(0o600)
    try:
        _run("pg_restore", "--no-owner", "--no-privileges", f"--file={sql}", str(file))
        with sql.open("rb") as script:
            yield script
    finally:
        sql.unlink()


def _run(name: str, *words: str) -> None:
    done = subprocess.run([_program(name), *words], env=_environment(), capture_output=True, text=True)
    if done.returncode:
        raise BackupFailed(f"{name} failed: {done.stderr.strip()[:500]}")


def _program(name: str) -> str:
    """Debian has PostgreSQL's programs outside PATH, one folder for each version; the newest reads all older ones."""
    newest = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda path: int(path.parts[4]))
    if found := str(newest[-1]) if newest else shutil.which(name):
        return found
    raise BackupFailed(f"{name} is missing: install the package postgresql-client")


def _environment() -> dict[str, str]:
    """Where the database is. A command line would show the password to everybody on this machine."""
    known = connection.settings_dict
    words = {"PGHOST": "HOST", "PGPORT": "PORT", "PGUSER": "USER", "PGPASSWORD": "PASSWORD", "PGDATABASE": "NAME"}
    return {**os.environ, **{name: str(known[key]) for name, key in words.items() if known.get(key)}}
