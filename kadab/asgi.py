"""HTTP to Django, WebSockets to the tables, behind session and origin checks."""

import os

from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, Scope
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kadab.settings")
http = get_asgi_application()

from channels.auth import AuthMiddlewareStack  # noqa: E402  (Django must be set up first)
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402

from games import caretaker  # noqa: E402
from games.routing import websocket_urlpatterns  # noqa: E402
from kadab.origin import OwnOrigin  # noqa: E402

protocols = ProtocolTypeRouter(
    {
        "http": http,
        "websocket": OwnOrigin(AuthMiddlewareStack(URLRouter(websocket_urlpatterns))),
    }
)


async def application(scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    # Servers other than kadab.serve have no moment "up", so the first caller wakes the caretaker.
    caretaker.ensure_running()
    await protocols(scope, receive, send)
