"""Fixtures for everybody."""

import pytest

from games.engine.core.rules import Rules

Rules.check_codec = True  # every state of every test must survive storing


@pytest.fixture(autouse=True)
def _plain_settings(settings):
    settings.STORAGES = {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    settings.NOTICE_DELAY_SECONDS = 0


@pytest.fixture(autouse=True)
def _fresh_caches():
    from django.core.cache import cache

    from games import play

    play.forget()
    cache.clear()  # limits of logins and guests


@pytest.fixture
def frozen_csrf(monkeypatch):
    """Two answers can be compared byte by byte: the one thing in them that is different each time stands still."""
    monkeypatch.setattr("django.middleware.csrf._get_new_csrf_string", lambda: "a" * 32)
