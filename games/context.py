"""Context of every page: the number of games waiting for the visitor."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from players import by_link

from . import listing


def waiting(request: HttpRequest) -> dict[str, Any]:
    # Lazy, so that pages without a header ask nothing.
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return {}
    return {"waiting_count": SimpleLazyObject(lambda: listing.waiting_count(user, by_link.tables(request.session)))}
