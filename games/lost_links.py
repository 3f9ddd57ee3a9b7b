"""Guests who lost the link to their seat: they ask on the invitation page, and the table answers.

The seat opens in the browser that asked, and only there: its session keeps a secret whose digest is in the request.
With two or more other people at the table all of them must agree; otherwise the request must stand for days without
being refused. Whoever holds the seat may refuse. Nobody at the table is shown a link to it. Bots have no say.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from players.guests import new_guest

from . import doorbell, play
from .engine.core.house import OpenSeat
from .engine.core.refusals import IllegalAction, Reason, reasons
from .models import Game, LostLink, Seat, key

if TYPE_CHECKING:
    from players.models import Player

LIVE = (Game.Status.OPEN, Game.Status.RUNNING)
MOST_A_DAY = 5  # requests at one table
ENOUGH_OTHERS = 2  # people who can agree; one alone could be the one who asks

reasons(
    lost_not_guest=Reason("You can ask only for a guest’s seat. This player has an account and can log in."),
    lost_pending=Reason("Somebody is already asking for this seat. The table has been told."),
    lost_too_often=Reason("This seat has been asked for too often. Try again tomorrow."),
    lost_no_request=Reason("Nobody is asking for this seat now."),
    lost_not_yours=Reason("Only the player of this seat can refuse."),
    lost_not_yet=Reason("You can’t open the seat yet. Not everybody at the table has agreed."),
)

FORBIDDEN = {"lost_not_yours"}
CONFLICT = {"lost_pending", "lost_no_request", "lost_not_yet", "lost_not_guest"}
TOO_MANY = {"lost_too_often"}


def status_of(refusal: IllegalAction) -> int | None:
    """The HTTP status that fits a refusal of this file; None for those of others."""
    for codes, status in ((FORBIDDEN, 403), (CONFLICT, 409), (TOO_MANY, 429)):
        if refusal.code in codes:
            return status
    return None


# ---- asking


def seats_to_ask_for(game: Game) -> list[Seat]:
    """A seat of each guest who plays here, or for whom a bot plays."""
    if game.status not in LIVE:
        return []
    found: dict[int, Seat] = {}
    for seat in _seats(game):
        whose = holder(seat)
        if whose and whose.is_guest and not seat.out:
            found.setdefault(whose.pk, seat)
    return list(found.values())


def seat_to_ask_for(game: Game, asker: Any, number: object) -> Seat:
    """The seat of this number, if this visitor may ask for it."""
    seats = {seat.number: seat for seat in _seats(game)}
    if asker.is_authenticated and (game.host_id == asker.pk or any(_is_of(seat, asker) for seat in seats.values())):
        raise IllegalAction("already_seated")
    seat = seats.get(number) if type(number) is int else None
    if seat is None:
        raise IllegalAction("no_such_seat")
    if seat.number not in {each.number for each in seats_to_ask_for(game)}:
        raise IllegalAction("lost_not_guest")
    return seat


def ask(game: Game, asker: Any, number: object) -> str:
    """Ask for a seat; the answer is the secret that the asking browser must keep."""
    secret = secrets.token_urlsafe(24)
    with transaction.atomic():
        _lock(game)
        seat = seat_to_ask_for(game, asker, number)
        _expire(game)
        whose = holder(seat)
        assert whose is not None
        if _open_requests(game).filter(player=whose).exists():
            raise IllegalAction("lost_pending")
        since = timezone.now() - timedelta(days=1)
        asked = LostLink.objects.filter(seat__game=game, asked_at__gt=since)
        refused = asked.filter(player=whose, outcome=LostLink.Outcome.REFUSED)
        if asked.count() >= MOST_A_DAY or refused.exists():
            raise IllegalAction("lost_too_often")
        LostLink.objects.create(seat=seat, player=whose, secret=_digest(secret))
        _tell(game)
    return secret


def request_of(game: Game, secret: object) -> LostLink | None:
    """The request of the browser that has this secret."""
    if not isinstance(secret, str):
        return None
    found = LostLink.objects.filter(seat__game=game, secret=_digest(secret))
    return found.select_related("seat__game", "seat__player", "seat__stands_in_for", "player").first()


def withdraw(game: Game, secret: object) -> None:
    with transaction.atomic():
        _lock(game)
        request = _pending(request_of(game, secret))
        _settle(request, LostLink.Outcome.WITHDRAWN)
        _tell(game)


# ---- answering


def pending(game: Game) -> list[LostLink]:
    """What is being asked now. Its seats are marked, so a table where nobody asks costs no query."""
    if game.status not in LIVE or not any(seat.wanted for seat in game.seats.all()):
        return []
    found = _open_requests(game).select_related("seat__game", "seat__player", "seat__stands_in_for", "player")
    return [request for request in found if not is_expired(request)]


def agree(game: Game, player: Any, number: object) -> None:
    """Another person at the table knows who asks."""
    with transaction.atomic():
        _lock(game)
        request = _request_for(game, number)
        if player.pk not in others(request):
            raise IllegalAction("not_seated")
        if player.pk not in request.agreed:
            request.agreed = [*request.agreed, player.pk]
            request.save(update_fields=["agreed"])
        _tell(game)


def refuse(game: Game, player: Any, number: object) -> None:
    """Whoever holds the seat says that they did not ask."""
    with transaction.atomic():
        _lock(game)
        request = _request_for(game, number)
        if player.pk != request.player_id:
            raise IllegalAction("lost_not_yours")
        _settle(request, LostLink.Outcome.REFUSED)
        _tell(game)


def _request_for(game: Game, number: object) -> LostLink:
    """The open request for the guest in this seat."""
    for request in pending(game):
        if request.seat.number == number:
            return request
    raise IllegalAction("lost_no_request")


def others(request: LostLink) -> set[int]:
    """All other people who still play at the table; nobody twice, however many seats they have."""
    seats = _seats(request.seat.game)
    return {seat.player_id for seat in seats if seat.player_id and not seat.out} - {request.player_id}


def opens_at(request: LostLink) -> datetime | None:
    """When the seat opens unless it is refused; None where people must agree."""
    if len(others(request)) >= ENOUGH_OTHERS:
        return None
    return request.asked_at + timedelta(days=settings.LOST_LINK_DAYS)


def may_open(request: LostLink) -> bool:
    if request.outcome or is_expired(request) or not _still_theirs(request):
        return False
    when = opens_at(request)
    return others(request) <= set(request.agreed) if when is None else when <= timezone.now()


def is_expired(request: LostLink) -> bool:
    return request.asked_at <= timezone.now() - timedelta(days=settings.LOST_LINK_EXPIRES_DAYS)


def _still_theirs(request: LostLink) -> bool:
    whose = holder(request.seat)
    is_theirs = whose is not None and whose.pk == request.player_id and whose.is_guest
    return is_theirs and request.seat.game.status in LIVE


# ---- opening


def open_seat(game: Game, secret: object) -> Player:
    """The guest for the browser that asked.

    It is a new guest of the same name who plays at this table only. So the old link, browsers and tokens no longer
    reach the seat, and whoever asked gets none of the old guest's other tables.
    """
    with transaction.atomic():
        _lock(game)
        request = _pending(request_of(game, secret))
        if not may_open(request):
            raise IllegalAction("lost_not_yet")
        agreed = opens_at(request) is None
        guest = new_guest(request.player.guest_name)
        for seat in _seats(game):
            _hand_to(seat, request.player, guest)
        if game.host_id == request.player_id:
            game.host = guest
            game.save(update_fields=["host"])
        _settle(request, LostLink.Outcome.OPENED)
        _tell(game)
        if game.status == Game.Status.RUNNING:
            play.house_acts(game, OpenSeat(request.seat.number, agreed))
    return guest


def _hand_to(seat: Seat, old: Player, new: Player) -> None:
    if not _is_of(seat, old):
        return
    if seat.player_id == old.pk:
        seat.player, seat.seen_at = new, timezone.now()
    else:
        seat.stands_in_for = new
    seat.return_key = key()
    seat.save(update_fields=["player", "stands_in_for", "return_key", "seen_at"])


def expire() -> int:
    """Settle requests that nobody answered for too long; how many."""
    old = timezone.now() - timedelta(days=settings.LOST_LINK_EXPIRES_DAYS)
    games = Game.objects.filter(seats__lost_links__outcome="", seats__lost_links__asked_at__lte=old).distinct()
    return sum(_expired_at(game) for game in games)


def _expired_at(game: Game) -> int:
    with transaction.atomic():
        _lock(game)
        return _expire(game)


def _expire(game: Game) -> int:
    gone = [request for request in _open_requests(game) if is_expired(request)]
    for request in gone:
        _settle(request, LostLink.Outcome.EXPIRED)
    if gone:
        _tell(game)
    return len(gone)


# ---- common


def holder(seat: Seat) -> Player | None:
    """Whose seat this is: who plays here, or for whom a bot plays."""
    return seat.player or seat.stands_in_for


def _is_of(seat: Seat, player: Any) -> bool:
    return player.pk in (seat.player_id, seat.stands_in_for_id)


def _seats(game: Game) -> Iterable[Seat]:
    return game.seats.select_related("game", "player", "stands_in_for").order_by("number")


def _open_requests(game: Game) -> Any:
    return LostLink.objects.filter(seat__game=game, outcome="").order_by("pk")


def _pending(request: LostLink | None) -> LostLink:
    if request is None or request.outcome or is_expired(request):
        raise IllegalAction("lost_no_request")
    return request


def _settle(request: LostLink, outcome: str) -> None:
    request.outcome, request.settled_at = outcome, timezone.now()
    request.save(update_fields=["outcome", "settled_at"])


def _tell(game: Game) -> None:
    """Mark the seats that are asked for, so that pages notice, and ring."""
    marks = {each.seat_id: f"{each.pk}.{len(each.agreed)}" for each in _open_requests(game)}
    for seat in game.seats.all():
        if seat.wanted != marks.get(seat.pk, ""):
            Seat.objects.filter(pk=seat.pk).update(wanted=marks.get(seat.pk, ""))
    doorbell.ring_people(game)


def _lock(game: Game) -> None:
    game.refresh_from_db(from_queryset=Game.objects.select_for_update())


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
