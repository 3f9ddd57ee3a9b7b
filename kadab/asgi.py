"""HTTP to Django, WebSockets to the tables, behind session and origin checks.

The few requests by which a game is played go through Django in the writing thread, in one hop and on its open database
connection (games/worker.py). All others have threads and connections of their own, as Django wants it.
"""

import os
import re
from typing import Any

from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, Scope
from django.core.asgi import get_asgi_application
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kadab.settings")
http = get_asgi_application()

from channels.auth import AuthMiddlewareStack  # noqa: E402  (Django must be set up first)
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402

from games import caretaker, registry, worker  # noqa: E402
from games.routing import websocket_urlpatterns  # noqa: E402
from kadab.origin import OwnOrigin  # noqa: E402
from kadab.unavailable import TryLater  # noqa: E402

registry.load_pages()  # now, or the first visitor would wait for it

PLAYED_BY = re.compile(r"/tables/[^/]+/(act|pulse|chat|why)/|/api/v1/tables/[^/]+/actions")


class OneHop(ASGIHandler):
    """Django's own handler with its whole chain of middleware, as for WSGI: called once, in the writing thread."""

    def load_middleware(self, is_async: bool = False) -> None:
        super().load_middleware(is_async=False)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Without the signals round a request, which would close the connection that is to stay open."""
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        try:
            request, refusal = self.create_request(scope, body)
            response = await worker.run(self.get_response, request) if request is not None else refusal
            if response is not None:
                await self.send_response(response, send)
        finally:
            body.close()


protocols = ProtocolTypeRouter(
    {
        "http": http,
        "websocket": OwnOrigin(TryLater(AuthMiddlewareStack(URLRouter(websocket_urlpatterns)))),
    }
)
one_hop = OneHop()


async def application(scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    # Servers other than kadab.serve have no moment "up", so the first caller wakes the caretaker.
    caretaker.ensure_running()
    if scope["type"] == "http" and scope["method"] == "POST" and PLAYED_BY.fullmatch(scope["path"]):
        await one_hop(scope, receive, send)
    else:
        await protocols(scope, receive, send)
