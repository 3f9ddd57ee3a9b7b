"""The table's socket: on a ring, ask for this visitor's own view and send what changed of it.

It brings news and takes none: actions go by POST. All a page may say here is whether somebody looks at it.
"""

from __future__ import annotations

import json
from collections import Counter
from importlib import import_module
from typing import Any
from urllib.parse import parse_qs

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.urls import reverse

from . import tables
from .access import Visitor
from .models import Game
from .tables import Shown

NO_SUCH_TABLE, LOGGED_OUT, TOO_MANY = 4404, 4401, 4429
MOST_SOCKETS = 6
LONGEST_FRAME = 256

_open: Counter[tuple[str, str]] = Counter()  # sockets of this process by table and visitor


class Gone(Exception):
    """This socket has no business here any longer; its close code says why."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class TableConsumer(AsyncWebsocketConsumer):
    place: tuple[str, str] | None = None
    group: str = ""
    shown = Shown()

    async def connect(self) -> None:
        # A browser is told the reason only of a socket that was opened; so it is, and then closed.
        await self.accept()
        self.public_id = self.scope["url_route"]["kwargs"]["public_id"]
        try:
            self.group = await self.find_group()
            self.take_place()
        except Gone as gone:
            await self.turn_away(gone)
            return
        # First listen, then look: what happens in between rings.
        await self.channel_layer.group_add(self.group, self.channel_name)
        self.shown = _shown(self.scope.get("query_string", b""))
        await self.refresh()

    def take_place(self) -> None:
        user, session = self.scope["user"], self.scope["session"]
        client = (self.scope.get("client") or ("",))[0]
        who = f"user {user.pk}" if user.is_authenticated else session.session_key or f"from {client}"
        place = (self.public_id, who)
        if _open[place] >= MOST_SOCKETS:
            raise Gone(TOO_MANY)
        _open[place] += 1
        self.place = place

    async def disconnect(self, code: int) -> None:
        await self.leave()

    async def turn_away(self, gone: Gone) -> None:
        await self.leave()
        await self.close(gone.code)

    async def leave(self) -> None:
        """Give the place back; to leave twice does no harm."""
        if self.place:
            _open[self.place] -= 1
            if not _open[self.place]:
                del _open[self.place]
            self.place = None
        if self.group:
            await self.channel_layer.group_discard(self.group, self.channel_name)
            self.group = ""

    # ---- what the page says

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Only {"looking": true}; anything else is not for this ear."""
        if text_data is None or len(text_data) > LONGEST_FRAME or self.place is None:
            return
        try:
            said = json.loads(text_data)
        except (ValueError, RecursionError):
            return
        if isinstance(said, dict) and said.get("looking") is True:
            await self.refresh(looking=True)

    # ---- the doorbell

    async def game_changed(self, event: dict[str, Any]) -> None:
        if event.get("revision") != self.shown.revision:
            await self.refresh()

    async def chat_changed(self, event: dict[str, Any]) -> None:
        await self.refresh()

    async def people_changed(self, event: dict[str, Any]) -> None:
        await self.refresh()

    # ---- the answer

    async def refresh(self, looking: bool = False) -> None:
        """Send what this visitor's page does not show yet."""
        if self.place is None:
            return
        try:
            message = await self.news(looking)
        except Gone as gone:
            await self.turn_away(gone)
            return
        if message:
            await self.send(text_data=message)

    @database_sync_to_async
    def find_group(self) -> str:
        return self.visitor().game.group

    @database_sync_to_async
    def news(self, looking: bool) -> str:
        visitor = self.visitor()
        if visitor.game.status not in (Game.Status.RUNNING, Game.Status.FINISHED):
            return ""
        if visitor.hand_over_to:
            self.shown = Shown()
            return tables.go_to(reverse("hand_over", args=[self.public_id]))
        if looking:
            tables.look(visitor)
        message, self.shown = tables.news_and_then(visitor, self.shown)
        return message

    def visitor(self) -> Visitor:
        """Who is looking now; the session is read anew, as somebody may have logged out or handed over."""
        visitor = tables.visitor_at(self.public_id, self.scope["user"], self.session())
        if visitor is None:
            raise Gone(NO_SUCH_TABLE)
        return visitor

    def session(self) -> Any:
        store = import_module(settings.SESSION_ENGINE).SessionStore
        fresh, user = store(self.scope["session"].session_key), self.scope["user"]
        if user.is_authenticated and fresh.get(SESSION_KEY) != str(user.pk):
            raise Gone(LOGGED_OUT)
        return fresh


def _shown(query: bytes) -> Shown:
    """What the page that opens the socket says it shows."""
    try:
        said = {key: values[0] for key, values in parse_qs(query.decode("ascii"), max_num_fields=10).items()}
    except (UnicodeDecodeError, ValueError):
        return Shown()
    said["revision"] = said.get("v", "")
    return tables.shown_by(said.get)
