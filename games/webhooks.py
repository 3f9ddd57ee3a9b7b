"""A table's webhook: an address of the host's choice, such as a channel's on Discord, that is told what a spectator may
know, and of a sealed window only, once, that an answer is awaited (R4).

Calls are written in the transaction of what they tell (games/notices.py) and sent by the caretaker. Each is signed:

    X-Kadab-Timestamp: 1760000000
    X-Kadab-Signature: sha256=HMAC-SHA256(secret, timestamp + "." + body)
"""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
import re
import secrets
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from kadab import outgoing

from . import lobby, play, telling
from .clocks import clock_of, local
from .engine.core.refusals import IllegalAction, Reason, reasons
from .models import Call, Game, Webhook
from .notices import BEGAN, OVER, PAUSE, SEATS, TEST, TURN, VOTE, WINDOW, window_key
from .painting import fragments

log = logging.getLogger(__name__)

MOST_AT_ONCE, MOST_TRIES = 20, 8
LONGEST_PAUSE_MINUTES = 60
LONGEST_REFUSAL = 60
GONE = (401, 403, 404, 410)
TOO_MANY = 429

reasons(
    webhook_guest=Reason("Only a host with an account can set a webhook."),
    bad_webhook=Reason("Enter an address that begins with https:// and leads to another site."),
    no_webhook=Reason("This table has no webhook."),
)


# ---- the host's verbs


def put(game: Game, player: Any, url: object) -> Webhook:
    """Set this table's webhook, with a new secret."""
    if not isinstance(url, str):
        raise IllegalAction("bad_webhook")
    try:
        outgoing.check_url(url := url.strip())
    except outgoing.NotAllowed as error:
        raise IllegalAction("bad_webhook") from error
    with transaction.atomic():
        _lock(game, player)
        Webhook.objects.filter(game=game).delete()
        game.has_webhook = True
        game.save(update_fields=["has_webhook"])
        return Webhook.objects.create(game=game, url=url, secret=secrets.token_urlsafe(32))


def remove(game: Game, player: Any) -> None:
    with transaction.atomic():
        _lock(game, player)
        if not Webhook.objects.filter(game=game).delete()[0]:
            raise IllegalAction("no_webhook")
        _forget(game.pk)


def try_out(game: Game, player: Any) -> None:
    """Send a call that says only that the webhook works."""
    with transaction.atomic():
        _lock(game, player)
        if not game.has_webhook:
            raise IllegalAction("no_webhook")
        now = timezone.now()
        Call.objects.create(game=game, kind=TEST, decision=f"{TEST} {now.timestamp()}"[:40], at=now, due_at=now)


def _lock(game: Game, player: Any) -> None:
    lobby.lock(game)
    if game.host_id != player.pk:
        raise IllegalAction("not_host")
    if player.is_guest:
        raise IllegalAction("webhook_guest")


def _forget(pk: int) -> None:
    Game.objects.filter(pk=pk).update(has_webhook=False)
    Call.objects.filter(game=pk, settled_at=None).update(settled_at=timezone.now())


# ---- sending


def send_due() -> int:
    """Send the calls that are due and still stand; returns how many arrived."""
    waiting = Call.objects.filter(settled_at=None, due_at__lte=timezone.now())
    found = list(waiting.select_related("game__host").order_by("due_at")[:MOST_AT_ONCE])
    hooks = {hook.game_id: hook for hook in Webhook.objects.filter(game__in={call.game_id for call in found})}
    return sum(_send(call, hooks.get(call.game_id)) for call in found) if found else 0


def _send(call: Call, hook: Webhook | None) -> bool:
    claimed = Call.objects.filter(pk=call.pk, settled_at=None).update(settled_at=timezone.now())
    if not claimed or hook is None or not _stands(call):
        return False
    try:
        text = words_of(call)
    except play.NeedsUpgrade:
        return False
    body = json.dumps(message(text)).encode()
    try:
        answer = outgoing.post(hook.url, body, headers_of(hook.secret, body))
    except outgoing.NotAllowed as error:
        _fail(call, hook, str(error), is_final=True)
        return False
    except OSError as error:
        _fail(call, hook, type(error).__name__)
        return False
    if answer.is_good:
        Call.objects.filter(pk=call.pk).update(sent=True)
        Webhook.objects.filter(pk=hook.pk).update(trouble="", sent_at=timezone.now())
        return True
    if answer.status in GONE:
        Webhook.objects.filter(pk=hook.pk).update(is_off=True)
        _forget(call.game_id)
    passes = answer.status == TOO_MANY or answer.status >= 500
    _fail(call, hook, f"answer {answer.status}", is_final=not passes, wait=answer.retry_after)
    return False


def _fail(call: Call, hook: Webhook, why: str, is_final: bool = False, wait: int | None = None) -> None:
    """Try again later; the host sees why on the webhook's page, and the staff in the admin."""
    log.warning("the webhook of table %s failed: %s", call.game.public_id, why)
    Webhook.objects.filter(pk=hook.pk).update(trouble=why[:LONGEST_REFUSAL])
    if is_final or call.tries + 1 >= MOST_TRIES:
        Call.objects.filter(pk=call.pk).update(refused=why[:LONGEST_REFUSAL])
        return
    pause = timedelta(minutes=min(LONGEST_PAUSE_MINUTES, 2**call.tries))
    due = timezone.now() + max(pause, timedelta(seconds=wait or 0))
    Call.objects.filter(pk=call.pk).update(settled_at=None, due_at=due, tries=call.tries + 1)


def message(text: str) -> dict[str, Any]:
    """As Discord and those who understand it take it. A name in it pings nobody."""
    return {"username": "Kadab", "content": text[:1900], "allowed_mentions": {"parse": []}}


def headers_of(secret: str, body: bytes) -> dict[str, str]:
    at = str(int(timezone.now().timestamp()))
    signature = hmac.new(secret.encode(), at.encode() + b"." + body, hashlib.sha256).hexdigest()
    return {
        "Content-Type": "application/json",
        "X-Kadab-Timestamp": at,
        "X-Kadab-Signature": f"sha256={signature}",
    }


# ---- what a call says, by what a spectator may know


def _stands(call: Call) -> bool:
    game = call.game
    if call.kind == TURN:
        asked = game.seats.filter(asked_openly=True, decision=call.decision, player__isnull=False)
        return game.window_since is None and any(seat.number == call.seat for seat in asked)
    if call.kind == WINDOW:
        return game.window_since is not None and call.decision == window_key(game)
    if call.kind == VOTE and call.decision.startswith(PAUSE):
        return bool(game.pause)
    return True


def words_of(call: Call) -> str:
    game = call.game
    table = plain(telling.table_of(game, -1))
    link = f"<{settings.SITE_URL}{game.get_absolute_url()}>"
    return f"**{table}**: {_news(call)} {link}"


def _news(call: Call) -> str:
    game = call.game
    if call.kind == TEST:
        return "this webhook works."
    if call.kind == BEGAN:
        return "the game has begun."
    if call.kind == OVER:
        return f"the game is over. {plain(telling.result_of(game))}"
    if call.kind in (SEATS, VOTE):
        return plain(call.says)
    words = "an answer is awaited" if call.kind == WINDOW else _waiting(game)
    clock = clock_of(game.clock)
    until = f", until {local(game.deadline, '', is_live=clock.is_live)}" if clock and game.deadline else ""
    return f"{words.rstrip('.')}{until}."


def _waiting(game: Game) -> str:
    prompt = fragments.prompt_of(telling.outside(game))
    return plain(" · ".join(each for each in (prompt["title"], *prompt["details"]) if each))


def plain(text: str) -> str:
    """Without the signs that would be read as markup."""
    return re.sub(r"([*_~`|>\\\[\]()#@<])", r"\\\1", text)
