"""How a player wants to be told news of their games: what by which channel, when not, and when all at once.

The switches that are off stand in one column as words, `mail:vote`; a switch that is new is on. Times of day are those
of the player's own time zone (players/hours.py).
"""

from __future__ import annotations

from datetime import datetime, time, timedelta
from typing import TYPE_CHECKING

from django.core.signing import BadSignature, Signer
from django.urls import reverse

from .hours import zone_of

if TYPE_CHECKING:
    from .models import Player

UNSUBSCRIBE = "players.telling.unsubscribe"
ALL = "all"  # in place of a kind
MAIL, PUSH = "mail", "push"
CHANNELS = {MAIL: "Mail", PUSH: "This and other devices"}
DAY_MINUTES = 24 * 60


def is_told(player: Player, channel: str, kind: str) -> bool:
    """Whether this kind of news is switched on for this channel."""
    return f"{channel}:{kind}" not in player.untold.split()


def switch(player: Player, channel: str, kind: str, on: bool) -> None:
    """Switch a kind of news on or off; the caller saves."""
    switches = set(player.untold.split())
    switches = switches - {f"{channel}:{kind}"} if on else switches | {f"{channel}:{kind}"}
    player.untold = " ".join(sorted(switches))


def quiet_of(player: Player) -> tuple[int, int] | None:
    """From when until when nothing is sent, in minutes after midnight."""
    numbers = player.quiet.split()
    return (int(numbers[0]), int(numbers[1])) if len(numbers) == 2 else None


def quiet_until(player: Player, now: datetime) -> datetime | None:
    """When the player's quiet hours end; nothing if it isn't quiet now."""
    hours = quiet_of(player)
    if hours is None:
        return None
    begins, ends = hours
    minute = _minute(player, now)
    is_quiet = begins <= minute < ends if begins < ends else minute >= begins or minute < ends
    return _next(player, ends, now) if is_quiet else None


def next_digest(player: Player, now: datetime) -> datetime | None:
    """When the player gets the next daily mail; nothing for those who are told at once."""
    return None if player.digest is None else _next(player, player.digest, now)


# ---- one press in a mail, without logging in (RFC 8058)


def unsubscribe_path(player: int, channel: str, kind: str) -> str:
    """Where one press switches a kind of news off; nobody can guess the link of another player or kind."""
    token = Signer(salt=UNSUBSCRIBE).sign_object([player, channel, kind])
    return reverse("unsubscribe", args=[token])


def unsubscribes(token: str) -> tuple[int, str, str] | None:
    """Whose switch a link is for: a player's key, channel and kind."""
    try:
        pk, channel, kind = Signer(salt=UNSUBSCRIBE).unsign_object(token)
    except (BadSignature, ValueError, TypeError):
        return None
    return pk, channel, kind


def _minute(player: Player, now: datetime) -> int:
    there = now.astimezone(zone_of(_zone(player)))
    return there.hour * 60 + there.minute


def _next(player: Player, minute: int, now: datetime) -> datetime:
    """The next moment after now at which clocks there show so many minutes after midnight."""
    zone = zone_of(_zone(player))
    day = now.astimezone(zone).date()
    at = time(minute % DAY_MINUTES // 60, minute % 60)
    while (found := datetime.combine(day, at, zone)) <= now:
        day += timedelta(days=1)
    return found


def _zone(player: Player) -> str:
    return player.hours.split(" ")[0] if player.hours else "UTC"
