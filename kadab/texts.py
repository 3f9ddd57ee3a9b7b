"""A limit on every text of a request, before any view, and so any query, sees it.

Forms and the API have limits of their own, with a sentence for whoever typed too much. This middleware is the net under
them: some queries fail on texts that are merely long (SQLite takes no LIKE pattern above 50,000 bytes).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse

LONGEST_ADDRESS = 4_000  # of path and query together
LONGEST_PART = 500  # of an address: a key, an id, a value of the query
LONGEST_FIELD = 20_000  # of a form; the longest we have is an action of Kings & Things*


class LimitTexts:
    """Answer 400 to texts longer than anything this site has a use for, and 404 to an address with such a part."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.headers.get("Transfer-Encoding"):  # a body of unknown length; no browser sends one
            raise BadRequest("Length of the body not given")
        if not _is_of_the_api(request):
            _check(request)
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> None:
        texts = (each for each in (*args, *kwargs.values()) if isinstance(each, str))
        if not _is_of_the_api(request) and _any_longer(texts, LONGEST_PART):
            raise Http404


def _is_of_the_api(request: HttpRequest) -> bool:
    """The API refuses in JSON, by its own shapes (games/api_shapes.py)."""
    return request.path.startswith("/api/")


def _check(request: HttpRequest) -> None:
    query = request.META.get("QUERY_STRING", "")
    if len(request.path) + len(query) > LONGEST_ADDRESS or _any_longer(_texts(request.GET), LONGEST_PART):
        raise BadRequest("Address too long")
    _ = request.body  # kept, so that views can read it after the form; raises RequestDataTooBig
    try:
        form = request.POST
    except BadRequest:  # a charset other than UTF-8
        request._mark_post_parse_error()  # type: ignore[attr-defined]  # or the CSRF check of the 400 page raises it again
        raise
    if _any_longer(_texts(form), LONGEST_FIELD):
        raise BadRequest("Field too long")


def _texts(given: Any) -> Iterable[str]:
    """Names and values of a query or a form."""
    for name, values in given.lists():
        yield name
        yield from values


def _any_longer(texts: Iterable[str], most: int) -> bool:
    return any(len(text) > most for text in texts)
