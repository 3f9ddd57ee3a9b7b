"""Queries that are written once.

For the few that are asked at every ring, Django takes longer to write the SQL and to find out what its columns are than
the database takes to answer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from django.db import connection
from django.db.models import Model, QuerySet
from django.db.models.query import get_related_populators

Row = TypeVar("Row", bound=Model)


class Prepared(Generic[Row]):
    """A query with any values in it, to be asked again with others in the same order."""

    def __init__(self, query: Callable[[], QuerySet[Row]]) -> None:
        self.query = query
        self.sql = ""

    def __call__(self, *values: Any) -> list[Row]:
        if not self.sql:  # not before the database is there
            self.prepare(len(values))
        with connection.cursor() as cursor:
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
        self.model, self.db = parts["model"], query.db
        self.sql = sql  # last, as another thread may come by

    def made_of(self, columns: list[Any]) -> Row:
        made: Row = self.model.from_db(self.db, self.names, columns[self.first : self.end])
        for other in self.beside:  # rows of select_related
            other.populate(columns, made)
        return made
