"""Fair shares: how much one address may read in a minute. Whoever has had it waits; acting is never limited."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest

from kadab import limits

from .engine.core.refusals import IllegalAction, Reason, reasons

SECONDS = 60
PREVIEWS_A_SECOND = 10

reasons(
    too_many_requests=Reason("Too many requests came from your address. Try again in {wait}."),
)


class TooMany(Exception):
    """This address has had its share of the minute."""

    status = 429

    def __init__(self) -> None:
        super().__init__("too many requests")
        self.retry_after = limits.seconds_left(SECONDS)
        wait = "1 second" if self.retry_after == 1 else f"{self.retry_after} seconds"
        self.refusal = IllegalAction("too_many_requests", wait=wait)


def take(request: HttpRequest, share: str) -> None:
    """Count one more request of this address, by a name of settings.READS_A_MINUTE; TooMany when that is above it."""
    if not limits.allow(share, limits.address_of(request), settings.READS_A_MINUTE[share], SECONDS):
        raise TooMany


def take_pulse(request: HttpRequest) -> None:
    """A page that asks whether it is up to date."""
    take(request, "pulse")


def take_read(request: HttpRequest) -> None:
    """A page of a table: who is logged in has a larger share than a stranger."""
    take(request, "player" if request.user.is_authenticated else "anonymous")


def take_preview(request: HttpRequest) -> None:
    """What a pick would come to: so many a second for each player, wherever they sit."""
    who = str(request.user.pk) if request.user.is_authenticated else limits.address_of(request)
    if not limits.allow("preview", who, PREVIEWS_A_SECOND, 1):
        raise TooMany
