"""Context of every page: the number of games waiting for the visitor, and where the next of them is."""

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
    return {
        "waiting_count": SimpleLazyObject(lambda: listing.waiting_count(user, by_link.tables(request.session))),
        "next_table": SimpleLazyObject(lambda: next_table(request)),
    }


def next_table(request: HttpRequest) -> str:
    """Where the visitor of a table finds another one that waits for them."""
    here = request.resolver_match
    at = here.kwargs.get("public_id", "") if here else ""
    return listing.next_waiting(request.user, at, by_link.tables(request.session)) if at else ""
