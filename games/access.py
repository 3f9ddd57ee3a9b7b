"""Who is looking: which seats of a table are theirs, which one they sit in now, and whether they may look at all."""

from __future__ import annotations

from collections.abc import MutableMapping
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import AnonymousUser

from players import by_link

from . import models
from .models import Game, Seat

Session = MutableMapping[str, Any]


@dataclass(frozen=True)
class Visitor:
    """Somebody at a table's page, socket or API."""

    game: Game
    player: Any  # a Player, or Django's AnonymousUser
    own: tuple[Seat, ...]  # more than one on a shared device
    seat: Seat | None  # the one they look from; None for a spectator, and between two seats of one device
    hand_over_to: Seat | None = None  # whose turn it is on this shared device
    seats: tuple[Seat, ...] = ()  # everybody's, if they were read
    by_link: bool = False  # the session came in by a return link alone (players/by_link.py)

    @property
    def number(self) -> int | None:
        return self.seat.number if self.seat else None

    @property
    def is_host(self) -> bool:
        return bool(self.player.is_authenticated and self.game.host_id == self.player.pk)

    @property
    def is_player(self) -> bool:
        return bool(self.own)

    @property
    def shares_device(self) -> bool:
        return len(self.own) > 1


def visit(game: Game, player: Any, session: Session, seats: tuple[Seat, ...] | None = None) -> Visitor:
    """Who this is at a table; its seats, if they were just read, need not be read again."""
    seats = seats_of(game) if seats is None else seats
    player = player_at(game, player, session)
    own = tuple([seat for seat in seats if _sits(seat, player)])
    sitting, hand_over_to = _sitting(game, own, session)
    return Visitor(game, player, own, sitting, hand_over_to, seats, by_link.is_limited(session))


def _sitting(game: Game, own: tuple[Seat, ...], session: Session) -> tuple[Seat | None, Seat | None]:
    """The seat somebody looks from, and the one that a shared device is to be handed to."""
    if len(own) < 2:
        return (own[0] if own else None), None
    if game.status != Game.Status.RUNNING:
        return own[0], None
    return _shared_device(game, own, session)


def player_at(game: Game, player: Any, session: Session) -> Any:
    """Whom this session plays as here. One that came by the return link of another table is a stranger."""
    return player if by_link.covers(session, game.public_id) else AnonymousUser()


def _sits(seat: Seat, player: Any) -> bool:
    return bool(player.is_authenticated and seat.player_id == player.pk)


def own_seats(game: Game, player: Any) -> tuple[Seat, ...]:
    return tuple(seat for seat in seats_of(game) if _sits(seat, player)) if player.is_authenticated else ()


def seats_of(game: Game) -> tuple[Seat, ...]:
    """Everybody's, by number, with who sits there."""
    return tuple(models.seats_of(game))


def _shared_device(game: Game, own: tuple[Seat, ...], session: Session) -> tuple[Seat | None, Seat | None]:
    """Several seats, one screen: whoever sat down last looks, until another seat of this device is asked."""
    asked = [seat for seat in own if seat.is_asked]
    if not (game.hand_over and game.has_secrets):
        return (asked[0] if asked else own[0]), None
    sitting = next((seat for seat in own if seat.number == session.get(_at(game))), None)
    if sitting and (sitting.is_asked or not asked):
        return sitting, None
    return None, (asked[0] if asked else own[0])


def sit_down(visitor: Visitor, session: Session) -> None:
    """Somebody said: it is me, and nobody else is looking."""
    if visitor.hand_over_to:
        session[_at(visitor.game)] = visitor.hand_over_to.number


def stand_up(game: Game, session: Session) -> None:
    session.pop(_at(game), None)


def _at(game: Game) -> str:
    return f"at:{game.public_id}"


# ---- private tables


def may_see(game: Game, player: Any, session: Session, seats: tuple[Seat, ...] | None = None) -> bool:
    """A private table answers a stranger exactly as one that does not exist."""
    player = player_at(game, player, session)
    return (
        game.is_public
        or game.public_id in session.get("invited", ())
        or (player.is_authenticated and (game.host_id == player.pk or _has_to_do_with(game, player, seats)))
    )


def _has_to_do_with(game: Game, player: Any, seats: tuple[Seat, ...] | None) -> bool:
    """Whether the player has a seat there, or a bot keeps one until they come back."""
    return any(player.pk in (seat.player_id, seat.stands_in_for_id) for seat in seats or seats_of(game))


def remember_invitation(game: Game, session: Session) -> None:
    """Whoever came by the link may look on even if every seat is taken."""
    known = session.get("invited", [])
    if game.public_id not in known:
        session["invited"] = [*known[-49:], game.public_id]
