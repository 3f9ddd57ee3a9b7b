"""What every page shows: how many games are waiting for whoever is looking."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from . import listing


def waiting(request: HttpRequest) -> dict[str, Any]:
    # Lazy, so that pages without a header ask nothing.
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return {}
    return {"waiting_count": SimpleLazyObject(lambda: listing.waiting_count(user))}
