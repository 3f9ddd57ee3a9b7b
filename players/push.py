"""Browsers a player wants news pushed to (Web Push, RFC 8030), and the site's keys for it (VAPID, RFC 8292)."""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from py_vapid import Vapid02

from kadab import outgoing

from .models import Player, PushSubscription

if TYPE_CHECKING:
    from django.db.models import QuerySet

MOST = 10  # browsers of one player
POINT_BYTES, SECRET_BYTES = 65, 16


def is_on() -> bool:
    """Whether this site has keys to push with (manage.py make_push_keys)."""
    return bool(settings.VAPID_PRIVATE_KEY)


def public_key() -> str:
    """What a browser needs to subscribe; empty without keys."""
    return spelt(point_of(Vapid02.from_string(settings.VAPID_PRIVATE_KEY))) if is_on() else ""


def new_private_key() -> str:
    keys = Vapid02()
    keys.generate_keys()
    return spelt(keys.private_key.private_numbers().private_value.to_bytes(32, "big"))


def point_of(keys: Vapid02) -> bytes:
    point: bytes = keys.public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return point


def spelt(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def subscriptions(player: Player) -> QuerySet[PushSubscription]:
    return PushSubscription.objects.filter(player=player).order_by("-pk")


def subscribe(player: Player, endpoint: str, p256dh: str, auth: str) -> PushSubscription:
    """Push to this browser from now on. It is one player's at a time: whoever subscribed last."""
    _check(endpoint, p256dh, auth)
    with transaction.atomic():
        Player.objects.select_for_update().get(pk=player.pk)
        unsubscribe(endpoint)
        if subscriptions(player).count() >= MOST:
            raise ValidationError(f"You can have {MOST} devices. Remove one first.")
        made = PushSubscription.objects.create(player=player, endpoint=endpoint, p256dh=p256dh, auth=auth)
        _count(player.pk)
    return made


def unsubscribe(endpoint: str, player: Player | None = None) -> bool:
    """Push to this browser no more; whether that was done before."""
    found = PushSubscription.objects.filter(endpoint=endpoint)
    if player is not None:
        found = found.filter(player=player)
    players = list(found.values_list("player_id", flat=True))
    gone = found.delete()[0]
    for pk in players:
        _count(pk)
    return bool(gone)


def bring(guest: Player, account: Player) -> None:
    """A guest's browsers become the account's, as the games do."""
    if PushSubscription.objects.filter(player=guest).update(player=account):
        _count(guest.pk)
        _count(account.pk)


def _count(pk: int) -> None:
    Player.objects.filter(pk=pk).update(has_push=PushSubscription.objects.filter(player=pk).exists())


def _check(endpoint: str, p256dh: str, auth: str) -> None:
    try:
        outgoing.check_url(endpoint)
        point, secret = _bytes(p256dh), _bytes(auth)
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    except (outgoing.NotAllowed, ValueError, binascii.Error) as error:
        raise ValidationError("This browser’s subscription can’t be read.") from error
    if len(point) != POINT_BYTES or len(secret) != SECRET_BYTES:
        raise ValidationError("This browser’s subscription can’t be read.")


def _bytes(text: str) -> bytes:
    if not text.isascii() or len(text) > 120:
        raise ValueError("not a key")
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
