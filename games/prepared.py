"""Queries whose SQL is written once.

For the few that are asked at every ring, Django takes longer to write the SQL than the database to answer it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from django.db.models import Model, QuerySet

Row = TypeVar("Row", bound=Model)


class Prepared(Generic[Row]):
    """A query with any values in it, to be asked again with others in the same order."""

    def __init__(self, model: type[Row], query: Callable[[], QuerySet[Row]]) -> None:
        self.model = model
        self.query = query
        self.sql = ""

    def __call__(self, *values: Any) -> list[Row]:
        if not self.sql:  # not before the database is there
            self.sql, like = self.query().query.sql_with_params()
            assert len(like) == len(values), "a value that Django has written into the SQL, or has not"
        return list(self.model._default_manager.raw(self.sql, values))
