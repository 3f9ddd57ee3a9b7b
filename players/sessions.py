"""Django's sessions in the database, with a limit on what a cookie may say. Open sockets hear when theirs changes."""

from __future__ import annotations

from typing import Any

from django.contrib.sessions.backends import db
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import connection
from django.utils import timezone

from games import doorbell
from games.prepared import Prepared

LONGEST_KEY = 40  # of Django's column


class SessionStore(db.SessionStore):
    def _validate_session_key(self, key: str) -> bool:
        """Whether to look for this key: not if no row can have it, however many kilobytes a cookie holds."""
        is_one: bool = super()._validate_session_key(key)  # type: ignore[misc]  # not in the stubs
        return is_one and len(key) <= LONGEST_KEY

    def _get_session_from_db(self) -> AbstractBaseSession | None:
        """What Django's does, by a statement written once: every request needs it."""
        now = connection.ops.adapt_datetimefield_value(timezone.now())
        row = next(iter(SESSIONS(now, self.session_key)), None)
        if row is None:
            self._session_key = None
        return row

    def save(self, *given: Any, **named: Any) -> None:
        super().save(*given, **named)
        doorbell.ring_session(self.session_key or "")

    def delete(self, session_key: str | None = None) -> None:
        gone = session_key or self.session_key
        super().delete(session_key)
        doorbell.ring_session(gone or "")


SESSIONS: Prepared[AbstractBaseSession] = Prepared(
    lambda: SessionStore.get_model_class().objects.filter(expire_date__gt=timezone.now(), session_key="")
)
