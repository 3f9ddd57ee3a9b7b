"""Statements that are written once, for the few that run at every action or ring.

Django takes longer to write their SQL, and to find out what the columns are, than the database takes to answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import AutoField, BooleanField, CharField, ForeignKey, IntegerField, Model, QuerySet, TextField
from django.db.models.base import ModelState
from django.db.models.query import get_related_populators

Row = TypeVar("Row", bound=Model)


def in_this_thread() -> BaseDatabaseWrapper:
    """The connection itself; `django.db.connection` looks it up anew for whatever it is asked."""
    return connections[DEFAULT_DB_ALIAS]


class Prepared(Generic[Row]):
    """A query with any values in it, to be asked again with others in the same order."""

    def __init__(self, query: Callable[[], QuerySet[Row]]) -> None:
        self.query = query
        self.sql = ""

    def __call__(self, *values: Any) -> list[Row]:
        if not self.sql:  # not before the database is there
            self.prepare(len(values))
        with in_this_thread().cursor() as cursor:
            cursor.execute(self.sql, values)
            rows = cursor.fetchall()
        return [self.made_of(row) for row in self.compiler.apply_converters(rows, self.converters)]

    def prepare(self, count: int) -> None:
        """What Django does for every query before its first row (ModelIterable)."""
        query = self.query()
        self.compiler = query.query.get_compiler(query.db)
        sql, like = self.compiler.as_sql()
        assert len(like) == count, "a value that Django has written into the SQL, or has not"
        select, parts = self.compiler.select, self.compiler.klass_info
        self.converters = self.compiler.get_converters([column for column, *_ in select])
        own = parts["select_fields"]
        self.first, self.end = own[0], own[-1] + 1
        self.names = [column.target.attname for column, *_ in select[self.first : self.end]]
        self.beside = get_related_populators(parts, select, query.db)  # type: ignore[call-arg]  # stubs of Django 6
        assert not any(each.related_populators or each.reorder_for_init for each in self.beside), (
            "only rows beside ours"
        )
        self.model, self.db = parts["model"], query.db
        self.sql = sql  # last, as another thread may come by

    def made_of(self, columns: list[Any]) -> Row:
        made: Row = row_of(self.model, self.db, self.names, columns[self.first : self.end])
        for other in self.beside:  # rows of select_related
            values = columns[other.cols_start : other.cols_end]
            is_there = values[other.pk_idx] is not None
            related = row_of(other.model_cls, self.db, other.init_list, values) if is_there else None
            other.local_setter(made, related)
        return made


def row_of(model: type[Model], db: str, names: list[str], values: list[Any]) -> Any:
    """What Model.from_db makes of a row, in a third of the time: signals of new rows are for nobody here."""
    made = model.__new__(model)
    made.__dict__.update(zip(names, values))
    made._state = ModelState()
    made._state.db, made._state.adding = db, False
    return made


def _column(model: type[Model], name: str) -> Any:
    return model._meta.get_field(name)


AS_THEY_ARE = (IntegerField, BooleanField, CharField, TextField, AutoField, ForeignKey)


def is_plain(column: Any) -> bool:
    """Whether Django hands the column's values to the database as they are."""
    return isinstance(column, AS_THEY_ARE) and not column.choices


class Writing:
    """One statement that changes rows, or adds them, however many and with whatever values."""

    def __init__(self, model: type[Model], fields: Iterable[str], keys: Iterable[str] = (), once: bool = False) -> None:
        self.model, self.fields, self.keys = model, tuple(fields), tuple(keys)
        self.once = once  # rows that break a unique constraint are left out
        self.sql = ""

    def __call__(self, *rows: tuple[Any, ...]) -> int:
        """Write these rows, each the values of `fields` and then of `keys`; returns how many there are now of them."""
        if not self.sql:  # not before the database is there
            self.prepare()
        database = in_this_thread()
        values = [
            tuple(
                [prepare(each, database) if prepare else each for prepare, each in zip(self.prepared, row, strict=True)]
            )
            for row in rows
        ]
        with database.cursor() as cursor:
            if len(values) == 1:
                cursor.execute(self.sql, values[0])
            elif values:
                cursor.executemany(self.sql, values)
            return cursor.rowcount if values else 0

    def prepare(self) -> None:
        fields, keys = ([_column(self.model, name) for name in names] for names in (self.fields, self.keys))
        self.prepared = [None if is_plain(field) else field.get_db_prep_save for field in (*fields, *keys)]
        quote = connection.ops.quote_name
        table, columns = quote(self.model._meta.db_table), [quote(field.column) for field in fields]
        if self.keys:
            where = " AND ".join(f"{quote(field.column)} = %s" for field in keys)
            sql = f"UPDATE {table} SET {', '.join(f'{column} = %s' for column in columns)} WHERE {where}"
        else:
            sql = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join(['%s'] * len(columns))})"
            sql += " ON CONFLICT DO NOTHING" if self.once else ""
        self.sql = sql  # last, as another thread may come by
