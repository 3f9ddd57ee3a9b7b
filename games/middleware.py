"""One answer of every page for a game that cannot be opened, and for an address that asks too much."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django_htmx.http import trigger_client_event

from .play import NeedsUpgrade
from .shares import TooMany


class StoredGames:
    """Turn NeedsUpgrade into a page that says so.

    The status is 503: the request is right, and the site will be able to answer it after an upgrade. A script's request
    makes its page load anew (htmx obeys HX-Refresh whatever the status), and the page then says what is wrong.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, fault: Exception) -> HttpResponse | None:
        if not isinstance(fault, NeedsUpgrade):
            return None
        if request.headers.get("HX-Request") == "true":
            response = HttpResponse(status=fault.status)
            response["HX-Refresh"] = "true"
        else:
            context = {"refusal": fault.refusal}
            response = render(request, "table/needs_upgrade.html", context, status=fault.status)
        response["Cache-Control"] = "private, no-store"
        response["Retry-After"] = fault.retry_after
        return response


class FairShares:
    """Turn TooMany into a page or a toast that says how long to wait."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, fault: Exception) -> HttpResponse | None:
        if not isinstance(fault, TooMany):
            return None
        if request.headers.get("HX-Request") == "true":
            response = HttpResponse(status=fault.status, headers={"HX-Reswap": "none"})
            trigger_client_event(response, "toast", {"value": fault.refusal.sentence})
        else:
            response = render(request, "lobby/refused.html", {"refusal": fault.refusal}, status=fault.status)
        response["Cache-Control"] = "private, no-store"
        response["Retry-After"] = str(fault.retry_after)
        return response
