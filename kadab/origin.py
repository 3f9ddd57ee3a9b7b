"""The site's own origin: scheme, host and port that a page must come from to open a socket.

A browser sends cookies with a WebSocket that any page opens, and CORS does not apply to it: the Origin header is the
only sign that the page is ours. A page of another port of the same machine is not ours.
"""

from __future__ import annotations

import io
from typing import Any
from urllib.parse import urlsplit

from channels.security.websocket import WebsocketDenier
from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.core.handlers.asgi import ASGIRequest

PORTS = {"http": "80", "https": "443"}


class OwnOrigin:
    """Open a socket only for pages of the site's own origin; all others, and none, get 403."""

    def __init__(self, application: Any) -> None:
        self.application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if is_own(scope):
            await self.application(scope, receive, send)
        else:
            await WebsocketDenier()(scope, receive, send)


def is_own(scope: Any) -> bool:
    """Whether the one Origin header is SITE_URL's origin, or that of the address this request was sent to."""
    sent = [value for name, value in scope["headers"] if name == b"origin"]
    if len(sent) != 1:
        return False
    try:
        origin = normal(sent[0].decode("ascii"))
    except UnicodeDecodeError:
        return False
    return origin in (site(), addressed(scope))


def addressed(scope: Any) -> str | None:
    """The origin this request was sent to, if it is one of the site's: Django's own reading of Host and proxy headers.

    Without a proxy of ours in front, Host is the client's word: then the port is that of SITE_URL.
    """
    request = ASGIRequest({**scope, "type": "http", "method": "GET"}, io.BytesIO())
    try:
        host = request.get_host()
    except DisallowedHost:
        return None
    found = normal(f"{'https' if request.is_secure() else 'http'}://{host}")
    is_right_port = found.rpartition(":")[2] == site().rpartition(":")[2]
    return found if is_right_port or settings.ALLAUTH_TRUSTED_PROXY_COUNT else None


def site() -> str:
    where = urlsplit(settings.SITE_URL)
    return normal(f"{where.scheme}://{where.netloc}")


def normal(origin: str) -> str:
    """An origin with its port written out, in lower case: https://games.example.org:443."""
    scheme, _, place = origin.lower().partition("://")
    has_port = ":" in place.rpartition("]")[2]
    return f"{scheme}://{place}" if has_port else f"{scheme}://{place}:{PORTS.get(scheme, '')}"
