"""Fail at once while PostgreSQL is known to be away.

The pool waits more than a second for a connection, even if the server refuses each. A hundred pages that wait for it
one after another in a few threads would be answered after a minute. So after a failed try all others fail at once for
REST_SECONDS, and then one tries again.
"""

from __future__ import annotations

import time
from typing import Any

from django.db.backends.postgresql import base
from psycopg import OperationalError

REST_SECONDS = 0.5


class DatabaseWrapper(base.DatabaseWrapper):
    away_until = 0.0  # of the process, by time.monotonic()

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        if time.monotonic() < DatabaseWrapper.away_until:
            raise OperationalError("connection not tried: the server was away a moment ago")
        refused = self._refused()
        try:
            return super().get_new_connection(conn_params)
        except OperationalError:
            if self._refused() > refused:  # not merely a pool all of whose connections are in use
                DatabaseWrapper.away_until = time.monotonic() + REST_SECONDS
                self._forget_idle()
            raise

    def _refused(self) -> int:
        """How many connections the server has refused so far."""
        return self.pool.get_stats().get("connections_errors", 0) if self.pool else 0

    def _forget_idle(self) -> None:
        """Drop connections of the time before: each would be tried, and waited for, when the server is back."""
        if self.pool:
            self.pool.drain()
