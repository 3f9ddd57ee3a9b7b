"""Personal tokens: keys by which programs play for somebody. Only their digests are kept."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from .models import ApiToken, Player
from .names import clean_name

PREFIX = "kadab_"  # so that people, and scanners for leaked keys, know it when they see it
MOST = 10
LONGEST_SECRET = 100
SEEN_EVERY = timedelta(minutes=1)  # a bot asks many times a second, which is not worth a write each time


def make(player: Player, name: object) -> tuple[ApiToken, str]:
    """A new token and its secret, shown once. ValidationError for a bad name, or for one token too many."""
    name = clean_name(name)
    secret = PREFIX + secrets.token_urlsafe(32)
    with transaction.atomic():
        Player.objects.select_for_update().get(pk=player.pk)
        if player.api_tokens.count() >= MOST:
            raise ValidationError(f"You already have {MOST} tokens. Revoke one first.", code="too_many")
        return ApiToken.objects.create(player=player, name=name, digest=_digest(secret)), secret


def player_of(secret: object) -> Player | None:
    """Whose token this is. The search is by digest, so its time tells nothing about the secrets there are."""
    if not isinstance(secret, str) or not secret.startswith(PREFIX) or len(secret) > LONGEST_SECRET:
        return None
    token = ApiToken.objects.select_related("player").filter(digest=_digest(secret)).first()
    if token is None or not token.player.is_active:
        return None
    _note_use(token)
    return token.player


def revoke(player: Player, pk: int) -> bool:
    """Whether there was such a token of this player; it works no more."""
    gone, _ = player.api_tokens.filter(pk=pk).delete()
    return bool(gone)


def _digest(secret: str) -> str:
    # Secrets have 256 random bits: nothing to guess, so no salt and no slow hash.
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def _note_use(token: ApiToken) -> None:
    now = timezone.now()
    if token.last_used_at is None or now - token.last_used_at > SEEN_EVERY:
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)
