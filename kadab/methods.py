"""A page for requests whose HTTP method an address does not support, for instance a form's address that is opened."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


class ExplainMethods:
    """Give an empty 405 a page; the API's has JSON already."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code != 405 or response.streaming or response.content:
            return response
        page = render(request, "405.html", status=405)
        for name, value in response.items():
            page.headers.setdefault(name, value)
        page._has_been_logged = True  # type: ignore[attr-defined]  # Django logs each refusal once; it has this one
        return page
