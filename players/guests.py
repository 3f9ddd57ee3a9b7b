"""Guests: players with a name but no account, who may create one later and keep their games."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from allauth.core import ratelimit
from django.contrib.auth import HASH_SESSION_KEY, login
from django.core import signing
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import HttpRequest

from games import doorbell
from games.models import Game, Notice, Seat

from . import push
from .models import Player
from .names import GUEST_PREFIX, clean_name

__all__ = ["bring_games", "clean_name", "games_of", "guest_for", "log_in_as", "new_guest", "rename", "ring_tables_of"]

BACKEND = "django.contrib.auth.backends.ModelBackend"
ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
PROOF, PROOF_LASTS = "players.guests.mail", timedelta(days=7)
CARRIED = "invited"  # private tables a session may look at; see games.access


def guest_for(request: HttpRequest, name: object) -> Player:
    """Whoever is logged in; otherwise a new guest of this name, logged in by this session.

    ValidationError if the name cannot be one, or if this address has made too many guests just now.
    """
    if request.user.is_authenticated:
        return request.user
    name = clean_name(name)
    if not ratelimit.consume(request, action="guest"):
        raise ValidationError("There are too many new guests right now. Please try again in a minute.", code="too_many")
    guest = new_guest(name)
    log_in_as(request, guest)
    return guest


def new_guest(name: str) -> Player:
    guest = Player(is_guest=True, guest_name=name, username=GUEST_PREFIX + _random_letters())
    guest.set_unusable_password()
    guest.save()
    return guest


def _random_letters() -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(16))


def log_in_as(request: HttpRequest, player: Player) -> None:
    """Log a guest in by their return link. Accounts are refused: they have a password."""
    if not (player.is_guest and player.is_active):
        raise PermissionDenied
    with invitations_kept(request):
        login(request, player, backend=BACKEND)


def end_other_ways_in(guest: Player) -> None:
    """Every browser and every program of this guest is shut out. A caller who is one of them renews its own session."""
    guest.set_unusable_password()  # random each time, and sessions are bound to it
    guest.save(update_fields=["password"])
    guest.api_tokens.all().delete()


def stay_in(request: HttpRequest, guest: Player) -> None:
    """Keep this browser in after `end_other_ways_in`, under the session key that its open pages go on with."""
    guest.refresh_from_db()
    request.session[HASH_SESSION_KEY] = guest.get_session_auth_hash()
    request.session.save()


# ---- a guest's address


def mail_proof(guest: Player, address: str) -> str:
    """What a mailed link carries besides its key: whoever sends it back reads that mailbox."""
    return signing.dumps([guest.pk, address, guest.return_address], salt=PROOF)


def confirm_address(guest: Player, proof: str) -> bool:
    """Whether this proof was mailed to the guest; their address is confirmed by it. An older address stays replaced."""
    try:
        pk, address, instead_of = signing.loads(proof, salt=PROOF, max_age=PROOF_LASTS)
    except signing.BadSignature:
        return False
    if pk != guest.pk or guest.return_address not in (address, instead_of):
        return False
    guest.return_address = address
    guest.save(update_fields=["return_address"])
    return True


@contextmanager
def invitations_kept(request: HttpRequest) -> Iterator[None]:
    """Django empties the session when another logs in; private tables shown to this browser stay known."""
    carried = request.session.get(CARRIED)
    yield
    if carried:
        request.session[CARRIED] = carried


# ---- what becomes of a guest's games


def games_of(player: Player, only: tuple[str, ...] | None = None) -> list[Game]:
    """Tables this player sits at or hosts that are not over; of these public ids only, if any are named."""
    games = Game.objects.filter(status__in=[Game.Status.OPEN, Game.Status.RUNNING])
    if only is not None:
        games = games.filter(public_id__in=only)
    return list((games.of(player) | games.filter(host=player)).order_by("pk"))


def bring_games(guest: Player, account: Player) -> int:
    """Everything a guest has begun or played becomes the account's: seats, those a bot keeps, and hosted tables.

    A table at which the account sits already stays as it is: one person must not come to play both sides.
    """
    with transaction.atomic():
        games = list(_tables_to_bring(guest, account))
        Seat.objects.filter(game__in=games, player=guest).update(player=account)
        Seat.objects.filter(game__in=games, stands_in_for=guest).update(stands_in_for=account)
        Game.objects.filter(pk__in=[game.pk for game in games], host=guest).update(host=account)
        Notice.objects.filter(game__in=games, player=guest, settled_at=None).exclude(
            decision__in=Notice.objects.filter(player=account, game__in=games).values("decision")
        ).update(player=account)
        push.bring(guest, account)
        for game in games:
            doorbell.ring_people(game)
    return len(games)


def _tables_to_bring(guest: Player, account: Player) -> QuerySet[Game]:
    """Locked where the database can, so that the account cannot sit down at one of them meanwhile."""
    seated = Game.objects.of(guest).values("pk")
    hosted = Game.objects.filter(host=guest).values("pk")
    left = Game.objects.left_by(guest).values("pk")
    taken = Game.objects.of(account).values("pk")
    theirs = Game.objects.filter(Q(pk__in=seated) | Q(pk__in=left) | Q(pk__in=hosted)).exclude(pk__in=taken)
    return theirs.select_for_update().order_by("pk")


def rename(guest: Player, name: str) -> None:
    """Another name at every table, the running ones too."""
    if not guest.is_guest:
        raise PermissionDenied
    guest.guest_name = clean_name(name)
    guest.save(update_fields=["guest_name"])
    ring_tables_of(guest)


def ring_tables_of(player: Player) -> None:
    """Tell the player's tables that the name has changed."""
    for game in games_of(player):
        doorbell.ring_people(game)
