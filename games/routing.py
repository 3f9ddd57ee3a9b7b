"""WebSocket routes."""

from typing import Any

from django.urls import path

from .consumers import TableConsumer

websocket_urlpatterns: list[Any] = [
    path("ws/tables/<str:public_id>/", TableConsumer.as_asgi()),  # type: ignore[arg-type]  # the stubs know views only
]
