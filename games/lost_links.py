"""Guests who lost the link to their seat: they ask on the invitation page, and the table answers.

The seat opens in the browser that asked, and only there: its session keeps a secret whose digest is in the request.
With two or more other people at the table all of them must agree; otherwise the request must stand for days without
being refused. Whoever holds the seat may refuse; to play on or to make a new return link is to refuse. Nobody at the
table is shown a link to it. Bots have no say.

A request ends with what it is about: the game, the guest's seat, the guest. Nobody has to notice that at the moment it
happens: `outcome_of` looks, and the next writer stores it.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
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
WITH_SEAT = ("seat__game", "seat__player", "seat__stands_in_for", "player")
REFUSALS = (LostLink.Outcome.REFUSED, LostLink.Outcome.PLAYED)
MOST_A_DAY = 5  # requests at one table
AFTER_REFUSAL = timedelta(days=1)  # until the browser that was refused may ask again at this table
OTHERS_AFTER_REFUSAL = timedelta(hours=1)  # until another browser may: the guest, if an impostor was refused
CODE_LETTERS = "BCDFGHJKLMNPQRSTVWXZ"  # no vowels, so no words
ENOUGH_OTHERS = 2  # people who can agree; one alone could be the one who asks

reasons(
    lost_not_guest=Reason("You can ask only for a guest’s seat. This player has an account and can log in."),
    lost_over=Reason("This game is over, so nobody can ask for its seats."),
    lost_bot=Reason("A bot plays in this seat, and for nobody who could come back."),
    lost_out=Reason("This player is out of the game, so nobody can ask for the seat."),
    lost_same_device=Reason("This seat is played on another player’s device. Ask for that player’s own seat."),
    lost_pending=Reason(
        "Somebody is already asking for this seat, and the table has been told. If it wasn’t you, warn the other "
        "players outside the game, so that they don’t agree."
    ),
    lost_asking=Reason("This browser is already asking for a seat at this table. Withdraw that request first."),
    lost_refused=Reason("Your request was refused. This browser can ask again at this table tomorrow."),
    lost_refused_lately=Reason("A request for this seat was refused less than an hour ago. Try again in an hour."),
    lost_too_often=Reason("Seats at this table were asked for {most} times in a day. Try again tomorrow."),
    lost_network=Reason("Too many lost seats were asked for from your network. Try again tomorrow."),
    lost_no_request=Reason("Nobody is asking for this seat now."),
    lost_not_yours=Reason("Only the player of this seat can refuse."),
    lost_own_seat=Reason("This is your own seat. You can refuse the request, but not agree to it."),
    lost_no_vote=Reason(
        "Nobody has to agree here: with fewer than two other people at the table, the seat opens {days} days after the "
        "request unless its player refuses."
    ),
    lost_not_yet=Reason("You can’t open the seat yet. Not everybody at the table has agreed."),
    lost_too_early=Reason(
        "You can’t open the seat yet. You can {days} days after you asked, if its player doesn’t refuse."
    ),
)

FORBIDDEN = {"lost_not_yours", "lost_own_seat"}
CONFLICT = {
    *("lost_pending", "lost_asking", "lost_no_request", "lost_not_yet", "lost_too_early", "lost_no_vote"),
    *("lost_not_guest", "lost_over", "lost_bot", "lost_out", "lost_same_device"),
}
TOO_MANY = {"lost_refused", "lost_refused_lately", "lost_too_often", "lost_network"}


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
        raise IllegalAction(_why_not(seat))
    return seat


def _why_not(seat: Seat) -> str:
    """The code that says why nobody can ask for this seat."""
    if seat.game.status not in LIVE:
        return "lost_over"
    whose = holder(seat)
    if whose is None:
        return "lost_bot" if seat.bot else "nobody_there"
    if not whose.is_guest:
        return "lost_not_guest"
    return "lost_out" if seat.out else "lost_same_device"


def ask(game: Game, asker: Any, number: object, asked_before: object = None) -> str:
    """Ask for a seat; the answer is the secret that the asking browser must keep.

    `asked_before` is the secret of the browser's last request at this table, if there was one.
    """
    secret = secrets.token_urlsafe(24)
    with transaction.atomic():
        _lock(game)
        seat = seat_to_ask_for(game, asker, number)
        _close_ended(game)
        whose = holder(seat)
        assert whose is not None
        _check_not_too_soon(game, whose, request_of(game, asked_before))
        LostLink.objects.create(seat=seat, player=whose, secret=_digest(secret))
        _tell(game)
    return secret


def _check_not_too_soon(game: Game, whose: Player, before: LostLink | None) -> None:
    """A refusal holds for a day in the browser that asked, and for an hour in others, as the guest may be there."""
    now = timezone.now()
    if before is not None and not before.outcome:
        raise IllegalAction("lost_asking")
    if _open_requests(game).filter(player=whose).exists():
        raise IllegalAction("lost_pending")
    if before is not None and before.outcome in REFUSALS and _settled_after(before, now - AFTER_REFUSAL):
        raise IllegalAction("lost_refused")
    asked = LostLink.objects.filter(seat__game=game)
    refused = asked.filter(player=whose, outcome__in=REFUSALS, settled_at__gt=now - OTHERS_AFTER_REFUSAL)
    if refused.exists():
        raise IllegalAction("lost_refused_lately")
    if asked.filter(asked_at__gt=now - timedelta(days=1)).count() >= MOST_A_DAY:
        raise IllegalAction("lost_too_often", most=MOST_A_DAY)


def _settled_after(request: LostLink, when: datetime) -> bool:
    return request.settled_at is not None and request.settled_at > when


def request_of(game: Game, secret: object) -> LostLink | None:
    """The request of the browser that has this secret."""
    if not isinstance(secret, str):
        return None
    found = LostLink.objects.filter(seat__game=game, secret=_digest(secret))
    return found.select_related(*WITH_SEAT).first()


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
    return [request for request in _open_requests(game) if not outcome_of(request)]


def code_of(request: LostLink) -> str:
    """Four letters that the browser that asks and the table both show, so that people can compare them."""
    number = int.from_bytes(hashlib.sha256(f"code {request.secret}".encode()).digest()[:8])
    return "".join(CODE_LETTERS[number // len(CODE_LETTERS) ** place % len(CODE_LETTERS)] for place in range(4))


def agree(game: Game, player: Any, number: object) -> None:
    """Another person at the table knows who asks."""
    with transaction.atomic():
        _lock(game)
        request = _request_for(game, number)
        if player.pk == request.player_id:
            raise IllegalAction("lost_own_seat")
        if player.pk not in others(request):
            raise IllegalAction("not_seated")
        if opens_at(request) is not None:
            raise IllegalAction("lost_no_vote", days=settings.LOST_LINK_DAYS)
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


def refuse_all(game: Game, player: Any) -> None:
    """Refuse whatever is asked of this player here: they made a new return link, so the old one is not all they had."""
    _close_by_player(game, player, LostLink.Outcome.REFUSED)


@contextmanager
def closed_by_playing(seat: Seat) -> Iterator[None]:
    """While the player of this seat acts: a request for it is closed by that, as the seat is not lost.

    Only what everybody sees counts. A silent action, or the answer that closes a window, must not show in the request
    who gave it (R4).
    """
    if not (seat.wanted and seat.player_id and seat.asked_openly):
        yield
        return
    before = _revision(seat.game_id)
    yield
    if _revision(seat.game_id) > before:
        _close_by_player(Game.objects.get(pk=seat.game_id), seat.player, LostLink.Outcome.PLAYED)


def _revision(pk: int) -> int:
    return Game.objects.values_list("revision", flat=True).get(pk=pk)


def _close_by_player(game: Game, player: Any, outcome: str) -> None:
    with transaction.atomic():
        _lock(game)
        for request in pending(game):
            if request.player_id == player.pk:
                _settle(request, outcome)
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
    if outcome_of(request):
        return False
    when = opens_at(request)
    return others(request) <= set(request.agreed) if when is None else when <= timezone.now()


def outcome_of(request: LostLink) -> str:
    """How a request ended; empty while it is open."""
    return request.outcome or _ended_by(request)


def _ended_by(request: LostLink) -> str:
    """What ended a request that nobody answered; empty if nothing did."""
    outcomes, whose = LostLink.Outcome, holder(request.seat)
    if request.seat.game.status not in LIVE or request.seat.out:
        return outcomes.OVER
    if whose is None or whose.pk != request.player_id:
        return outcomes.LEFT
    if not whose.is_guest:
        return outcomes.ACCOUNT
    expires_at = request.asked_at + timedelta(days=settings.LOST_LINK_EXPIRES_DAYS)
    return outcomes.EXPIRED if expires_at <= timezone.now() else ""


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
            if opens_at(request) is None:
                raise IllegalAction("lost_not_yet")
            raise IllegalAction("lost_too_early", days=settings.LOST_LINK_DAYS)
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


def opened_elsewhere(public_id: str, player: Any) -> LostLink | None:
    """The request by which this player's seat at a table was opened in another browser, if that is so."""
    if not player.is_authenticated:
        return None
    found = LostLink.objects.filter(seat__game__public_id=public_id, player=player, outcome=LostLink.Outcome.OPENED)
    return found.select_related(*WITH_SEAT).order_by("pk").last()


def close_ended() -> int:
    """Close requests that nobody answered for too long, or that are about nothing any more; how many."""
    found = LostLink.objects.filter(outcome="").select_related(*WITH_SEAT)
    games = {request.seat.game for request in found if _ended_by(request)}
    return sum(_close_ended_at(game) for game in games)


def _close_ended_at(game: Game) -> int:
    with transaction.atomic():
        _lock(game)
        return _close_ended(game)


def _close_ended(game: Game) -> int:
    ended = [(request, how) for request in _open_requests(game) if (how := _ended_by(request))]
    for request, how in ended:
        _settle(request, how)
    if ended:
        _tell(game)
    return len(ended)


# ---- common


def holder(seat: Seat) -> Player | None:
    """Whose seat this is: who plays here, or for whom a bot plays."""
    return seat.player or seat.stands_in_for


def _is_of(seat: Seat, player: Any) -> bool:
    return player.pk in (seat.player_id, seat.stands_in_for_id)


def _seats(game: Game) -> Iterable[Seat]:
    return game.seats.select_related("game", "player", "stands_in_for").order_by("number")


def _open_requests(game: Game) -> Any:
    return LostLink.objects.filter(seat__game=game, outcome="").select_related(*WITH_SEAT).order_by("pk")


def _pending(request: LostLink | None) -> LostLink:
    if request is None or outcome_of(request):
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
