"""Chat at a table: players among themselves and spectators among themselves, until the game is over."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from players.names import visible_line

from . import doorbell
from .access import Visitor
from .engine.core.refusals import IllegalAction, Reason, reasons
from .models import Game, Message
from .prepared import Prepared

LONGEST = 500
MOST_AT_ONCE = 4
AT_ONCE = timedelta(seconds=10)
SHOWN = 100

reasons(
    chat_empty=Reason("This message is empty. Write something first."),
    chat_long=Reason("A message can have up to 500 characters. This one has {length}."),
    chat_fast=Reason("That was quick! Wait a few seconds before your next message."),
    chat_stranger=Reason("Log in or play as a guest to chat."),
    chat_closed=Reason("There is no chat at this table."),
)


def say(visitor: Visitor, text: object) -> Message:
    """Put a line into the talk this visitor takes part in."""
    if not visitor.player.is_authenticated:
        raise IllegalAction("chat_stranger")
    if visitor.game.status not in (Game.Status.RUNNING, Game.Status.FINISHED):
        raise IllegalAction("chat_closed")
    line = clean(text if isinstance(text, str) else "")
    with transaction.atomic():
        _keep_calm(visitor)
        message = Message.objects.create(
            game=visitor.game,
            player=visitor.player,
            name=_name(visitor)[:30],
            by_spectator=not visitor.is_player,
            text=line,
        )
        doorbell.ring_chat(visitor.game)
    return message


def clean(text: str) -> str:
    """Plain text on one line, as it will be seen."""
    if len(text) > 8 * LONGEST:
        raise IllegalAction("chat_long", length=len(text))
    line = visible_line(text)
    if not line:
        raise IllegalAction("chat_empty")
    if len(line) > LONGEST:
        raise IllegalAction("chat_long", length=len(line))
    return line


def _keep_calm(visitor: Visitor) -> None:
    since = timezone.now() - AT_ONCE
    if Message.objects.filter(player=visitor.player, at__gt=since).count() >= MOST_AT_ONCE:
        raise IllegalAction("chat_fast")


def _name(visitor: Visitor) -> str:
    """On a shared device, whoever sits there now; else the player's own name."""
    seat = visitor.seat or (visitor.own[0] if visitor.own else None)
    return str((seat and seat.name) or visitor.player.display_name)


def lines_for(visitor: Visitor) -> list[Message]:
    """The newest lines this visitor may read, oldest first. When the game is over, everybody may read all."""
    if visitor.game.status == Game.Status.FINISHED:
        newest = EVERYBODYS(visitor.game.pk)
    else:
        newest = PLAYERS(visitor.game.pk) if visitor.is_player else SPECTATORS(visitor.game.pk)
    return newest[::-1]


EVERYBODYS = Prepared(lambda: Message.objects.filter(game_id=0).order_by("-pk")[:SHOWN])
PLAYERS = Prepared(lambda: Message.objects.filter(game_id=0, by_spectator=False).order_by("-pk")[:SHOWN])
SPECTATORS = Prepared(lambda: Message.objects.filter(game_id=0, by_spectator=True).order_by("-pk")[:SHOWN])
