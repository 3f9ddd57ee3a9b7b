"""WebSocket routes."""

from typing import Any

from channels.security.websocket import WebsocketDenier
from django.urls import path, re_path

from .consumers import TableConsumer

websocket_urlpatterns: list[Any] = [
    path("ws/tables/<str:public_id>/", TableConsumer.as_asgi()),  # type: ignore[arg-type]  # the stubs know views only
    re_path(r"", WebsocketDenier.as_asgi()),  # type: ignore[arg-type]  # as above; channels raises where nothing matches
]
