"""Private notes for a table: what a player writes down for themselves. They belong to the player and not to the seat.

Nobody else reads them: no export, API or admin has them, and a new person in the seat does not get them.
"""

from __future__ import annotations

from .access import Visitor
from .engine.core.refusals import IllegalAction, Reason, reasons
from .models import Game, Note

LONGEST = 2000

reasons(
    notes_long=Reason("Your notes can have up to {most} characters. These have {length}."),
    notes_odd=Reason("Your notes contain characters that can’t be kept. Remove them and save again."),
)


def may_keep(visitor: Visitor) -> bool:
    """Whoever plays here, or did so; on a shared device nothing would be private."""
    player = visitor.player
    if not player.is_authenticated or visitor.shares_device:
        return False
    begun = visitor.game.status in (Game.Status.RUNNING, Game.Status.FINISHED)
    has_seat = any(player.pk in (seat.player_id, seat.stands_in_for_id) for seat in visitor.seats)
    return begun and (has_seat or Note.objects.filter(game=visitor.game, player=player).exists())


def of(visitor: Visitor) -> str:
    return Note.objects.filter(game=visitor.game, player=visitor.player).values_list("text", flat=True).first() or ""


def keep(visitor: Visitor, text: str) -> None:
    """In place of any before; no text, no row."""
    text = text.replace("\r\n", "\n").rstrip()
    if len(text) > LONGEST:
        raise IllegalAction("notes_long", most=LONGEST, length=len(text))
    if "\0" in text or any("\ud800" <= letter <= "\udfff" for letter in text):
        raise IllegalAction("notes_odd")
    if text:
        Note.objects.update_or_create(game=visitor.game, player=visitor.player, defaults={"text": text})
    else:
        Note.objects.filter(game=visitor.game, player=visitor.player).delete()
