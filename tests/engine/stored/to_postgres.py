"""Copy a stored SQLite database into PostgreSQL tables of the same migrations: later ones then run on old rows."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

import psycopg
from psycopg import sql

ALL_TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
COLUMNS = (
    "SELECT column_name, data_type FROM information_schema.columns WHERE table_name = %s ORDER BY ordinal_position"
)


def migrations_of(file: Path) -> dict[str, str]:
    """Of each app the newest migration that a database has."""
    with contextlib.closing(sqlite3.connect(file)) as source:
        return dict(source.execute("SELECT app, max(name) FROM django_migrations GROUP BY app"))


def copy(file: Path, address: str) -> None:
    with contextlib.closing(sqlite3.connect(file)) as source, psycopg.connect(address) as target:
        tables = [name for (name,) in target.execute(ALL_TABLES).fetchall() if name != "django_migrations"]
        named = sql.SQL(", ").join(map(sql.Identifier, tables))
        target.execute(sql.SQL("TRUNCATE {}").format(named))
        target.execute("SET CONSTRAINTS ALL DEFERRED")  # rows come table by table, in no order
        for table in tables:
            columns = target.execute(COLUMNS, [table]).fetchall()
            _copy_table(source, target, table, dict(columns))


def _copy_table(source: sqlite3.Connection, target: psycopg.Connection, table: str, columns: dict[str, str]) -> None:
    names = sql.SQL(", ").join(map(sql.Identifier, columns))
    # SQLite has its own idea of true and false, and keeps JSON and times as texts.
    values = sql.SQL(", ").join(sql.SQL(f"%s::{kind}") for kind in columns.values())
    quoted = ", ".join(f'"{name}"' for name in columns)
    rows = [
        [
            bool(value) if kind == "boolean" and value is not None else value
            for value, kind in zip(row, columns.values())
        ]
        for row in source.execute(f'SELECT {quoted} FROM "{table}"')
    ]
    statement = sql.SQL("INSERT INTO {} ({}) VALUES ({})").format(sql.Identifier(table), names, values)
    target.cursor().executemany(statement, rows)
    if columns.get("id") in ("bigint", "integer"):
        target.execute(
            sql.SQL("SELECT setval(pg_get_serial_sequence(%s, 'id'), (SELECT coalesce(max(id), 1) FROM {}))").format(
                sql.Identifier(table)
            ),
            [table],
        )
