"""Kadab's backend for SQLite runs what Django's runs."""

from __future__ import annotations

import pytest
from django.db import connection
from django.db.backends.sqlite3.base import SQLiteCursorWrapper

from kadab.sqlite import base

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif("connection.vendor != 'sqlite'", reason="another database"),
]

STATEMENTS = ["SELECT 1", "SELECT %s", "SELECT '100%%', %s WHERE %s = %s", "SELECT x FROM y WHERE z LIKE '%%a%%'"]


def test_statements_are_put_as_django_puts_them():
    with connection.cursor() as cursor:
        ours, theirs = cursor.cursor, connection.connection.cursor(SQLiteCursorWrapper)
        assert type(ours) is base.Cursor
        for sql in STATEMENTS * 2:
            assert ours.convert_query(sql) == theirs.convert_query(sql)
        named = "SELECT %(a)s, %(b)s"
        assert ours.convert_query(named, param_names=["a", "b"]) == "SELECT :a, :b"


def test_values_go_where_they_belong_each_time():
    with connection.cursor() as cursor:
        for value in (1, "two", None):
            cursor.execute("SELECT %s, '5%%', %s", (value, 3))
            assert cursor.fetchone() == (value, "5%", 3)
        cursor.execute("SELECT %(a)s", {"a": 7})
        assert cursor.fetchone() == (7,)


def test_no_more_statements_are_kept_than_there_is_room_for(monkeypatch):
    monkeypatch.setattr(base, "MOST_STATEMENTS", 3)
    monkeypatch.setattr(base, "_written", {})
    with connection.cursor() as cursor:
        for number in range(10):
            cursor.execute(f"SELECT %s + {number}", (1,))
            assert cursor.fetchone() == (1 + number,)
    assert len(base._written) <= 3
