"""Keep the text of statements in SQLite's own style.

Django writes `%s` for a value and turns it into SQLite's `?` each time a statement is run. That takes as long as many a
statement does, and the new text is looked up anew among the statements that SQLite has prepared.
"""

from __future__ import annotations

from typing import Any

from django.db.backends.sqlite3 import base

MOST_STATEMENTS = 512  # a site has about so many; lists of values make new ones now and then


_written: dict[str, str] = {}


class Cursor(base.SQLiteCursorWrapper):
    def convert_query(self, query: str, *, param_names: list[str] | None = None) -> str:
        if param_names is not None:
            return super().convert_query(query, param_names=param_names)
        found = _written.get(query)
        if found is None:
            if len(_written) >= MOST_STATEMENTS:
                _written.clear()
            found = _written[query] = super().convert_query(query)
        return found


class DatabaseWrapper(base.DatabaseWrapper):
    def create_cursor(self, name: str | None = None) -> Any:
        return self.connection.cursor(factory=Cursor)
