"""Kadab's settings but for static files, which are served as they are: compressing them takes most of a minute."""

from kadab.settings import *  # noqa: F403

STORAGES = {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
