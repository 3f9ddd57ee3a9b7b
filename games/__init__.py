"""Kadab's games. Whoever imports anything from here finds them registered; Django is not needed for that."""

from . import registry

__all__ = ["registry"]
