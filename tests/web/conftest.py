"""Fixtures of the web tests: a site and browsers for those that drive one, and games of chance that can be repeated."""

import random

import pytest

from games.engine import bots
from tests.browser import fixture_chromium, fixture_kept_picture, fixture_people, fixture_site
from tests.mail import fixture_smtp_server
from tests.web import kings

__all__ = ["fixture_chromium", "fixture_kept_picture", "fixture_people", "fixture_site", "fixture_smtp_server"]


@pytest.fixture
def kings_bots(monkeypatch):
    """Bots for Kings & Things* that think no longer than it takes to pick something."""
    monkeypatch.setitem(bots.LEVELS, "kings", kings.LEVELS)


@pytest.fixture
def odds_wait(monkeypatch):
    """No socket is sent odds on its own: whether they come before a short test ends would be chance."""
    monkeypatch.setattr("games.live.REST_SECONDS", 3600)
    monkeypatch.setattr("games.live.MOST_SECONDS", 3600)


@pytest.fixture
def settled_chance(monkeypatch, request):
    """Seeds, ids and tokens are the same each time: a test about a random game finds the same game again."""
    monkeypatch.setattr("secrets.token_bytes", random.Random(request.node.name).randbytes)
