"""Fixtures of the browser tests, for all their files: one site is set up, and each file starts a browser of its own."""

from tests.browser import fixture_chromium, fixture_kept_picture, fixture_people, fixture_site

__all__ = ["fixture_chromium", "fixture_kept_picture", "fixture_people", "fixture_site"]
