"""Django's sessions in the database, with a limit on what a cookie may say. Open sockets hear when theirs changes."""

from __future__ import annotations

from typing import Any

from django.contrib.sessions.backends import db

from games import doorbell

LONGEST_KEY = 40  # of Django's column


class SessionStore(db.SessionStore):
    def _validate_session_key(self, key: str) -> bool:
        """Whether to look for this key: not if no row can have it, however many kilobytes a cookie holds."""
        is_one: bool = super()._validate_session_key(key)  # type: ignore[misc]  # not in the stubs
        return is_one and len(key) <= LONGEST_KEY

    def save(self, *given: Any, **named: Any) -> None:
        super().save(*given, **named)
        doorbell.ring_session(self.session_key or "")

    def delete(self, session_key: str | None = None) -> None:
        gone = session_key or self.session_key
        super().delete(session_key)
        doorbell.ring_session(gone or "")
