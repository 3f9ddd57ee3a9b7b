"""News pushed to a player's browsers. A lock screen shows it to anybody, so it holds table and deadline only."""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.utils import timezone
from pywebpush import WebPushException, webpush

from kadab import outgoing
from players import push
from players.models import PushSubscription
from players.telling import PUSH

from . import telling
from .models import Notice

log = logging.getLogger(__name__)

MOST_AT_ONCE, MOST_TRIES = 20, 8
KEPT_SECONDS = 24 * 3600  # by a push service, for a browser that is not there
LONGEST_PAUSE_MINUTES = 60
GONE = (404, 410)


def send_due() -> int:
    """Push what is due and still needed; returns how many pieces of news arrived at a push service."""
    if not push.is_on():
        if telling.due(PUSH).exists():  # the keys were taken away
            telling.due(PUSH).update(settled_at=timezone.now())
        return 0
    waiting = telling.due(PUSH).select_related("player", "game__rematch").order_by("due_at")
    return sum(_send(notice) for notice in list(waiting[:MOST_AT_ONCE]) if telling.is_needed_now(notice))


def _send(notice: Notice) -> bool:
    if not telling.settle(notice, sent=True):
        return False
    data = json.dumps(payload(notice))
    troubles = [_push(each, data) for each in push.subscriptions(notice.player)]
    if "" in troubles:
        return True
    why = next((each.why for each in troubles if isinstance(each, Trouble)), "no device")
    later = [each for each in troubles if isinstance(each, Trouble) and each.passes]
    rows = Notice.objects.filter(pk=notice.pk)
    if later and notice.tries + 1 < MOST_TRIES:
        pause = timedelta(minutes=min(LONGEST_PAUSE_MINUTES, 2**notice.tries))
        due = timezone.now() + max(pause, timedelta(seconds=max(each.wait for each in later)))
        rows.update(settled_at=None, sent=False, due_at=due, tries=notice.tries + 1)
    else:
        rows.update(sent=False, refused=why)
    log.warning("a push failed: %s", why)
    return False


def payload(notice: Notice) -> dict[str, str]:
    """The table, and until when it waits; not even what for."""
    game = notice.game
    return {
        "table": telling.table_of(game, notice.seat),
        "path": game.get_absolute_url(),
        "deadline": telling.deadline_in_words(notice),
    }


@dataclass(frozen=True)
class Trouble:
    """Why a push service did not take a message, and whether it may do so later."""

    why: str
    passes: bool = False
    wait: int = 0  # seconds


def _push(to: PushSubscription, data: str) -> Trouble | str:
    """Empty if the service took it. A subscription that is no more is dropped."""
    try:
        webpush(
            {"endpoint": to.endpoint, "keys": {"p256dh": to.p256dh, "auth": to.auth}},
            data,
            vapid_private_key=settings.VAPID_PRIVATE_KEY,
            vapid_claims={"sub": settings.VAPID_CONTACT},
            ttl=KEPT_SECONDS,
            timeout=outgoing.SECONDS,
            requests_session=Sender(),
        )
    except WebPushException as error:
        status = error.response.status_code if error.response is not None else 0
        wait = getattr(error.response, "retry_after", 0)
        trouble = Trouble(f"answer {status}", status == 429 or status >= 500, wait)
    except outgoing.NotAllowed as error:
        trouble, status = Trouble(str(error)), 0
    except OSError as error:
        trouble, status = Trouble(type(error).__name__, passes=True), 0
    else:
        PushSubscription.objects.filter(pk=to.pk).exclude(trouble="").update(trouble="")
        return ""
    if status in GONE:
        push.unsubscribe(to.endpoint)
    else:
        PushSubscription.objects.filter(pk=to.pk).update(trouble=trouble.why[:60])
    return trouble


@dataclass(frozen=True)
class Taken:
    """A push service's answer, as pywebpush reads it."""

    status_code: int
    retry_after: int = 0
    reason: str = ""
    text: str = ""
    headers: tuple[()] = ()


class Sender:
    """What pywebpush sends with: our own way out, which reaches no inside address."""

    def post(self, endpoint: str, data: bytes, headers: dict[str, Any], timeout: float) -> Taken:
        named = {name: str(value) for name, value in headers.items()}
        answer = outgoing.post(endpoint, data, named, timeout)
        return Taken(answer.status, answer.retry_after or 0)
