"""Django's sessions in the database, with a limit on what a cookie may say."""

from __future__ import annotations

from django.contrib.sessions.backends import db

LONGEST_KEY = 40  # of Django's column


class SessionStore(db.SessionStore):
    def _validate_session_key(self, key: str) -> bool:
        """Whether to look for this key: not if no row can have it, however many kilobytes a cookie holds."""
        is_one: bool = super()._validate_session_key(key)  # type: ignore[misc]  # not in the stubs
        return is_one and len(key) <= LONGEST_KEY
