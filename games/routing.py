"""Where sockets go."""

from django.urls import path

from .consumers import TableConsumer

websocket_urlpatterns = [path("ws/tables/<str:public_id>/", TableConsumer.as_asgi())]
