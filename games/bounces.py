"""Mails that come back: a mail server that took one of ours finds out later that it cannot be delivered (RFC 3464).

The report carries our mail's own header, signed, so nobody can have a player's mail stopped by writing a report.
"""

from __future__ import annotations

from email import message_from_bytes, message_from_string, policy
from email.message import Message

from django.core.signing import BadSignature, Signer

from players.models import Player

from .models import Notice

HEADER = "X-Kadab-Notice"
SALT = "games.bounces"
LONGEST = 2_000_000  # of a report, in bytes


def mark_of(notice: Notice) -> str:
    """What a mail's header says, by which a report about it is known."""
    return Signer(salt=SALT).sign(str(notice.pk))


def read(report: bytes) -> str:
    """Hold back further mail to whoever this report is about; says what came of it, for the operator."""
    message = message_from_bytes(report[:LONGEST], policy=policy.compat32)
    status, notice = _failure(message), _notice(message)
    if not status:
        return "not a report of a final failure"
    if notice is None:
        return "not about a mail of ours"
    why = f"bounced {status}"
    Notice.objects.filter(pk=notice.pk).update(sent=False, refused=why)
    Player.objects.filter(pk=notice.player_id).update(mail_trouble=why)
    return f"player {notice.player_id}: {why}"


def _failure(message: Message) -> str:
    """The final status (5.x.x) of the first address that failed; empty if none did for good."""
    for part in message.walk():
        if part.get_content_type() != "message/delivery-status":
            continue
        for fields in part.walk():
            status = str(fields.get("Status", "")).split(" ")[0].strip()
            if str(fields.get("Action", "")).strip().lower() == "failed" and status.startswith("5"):
                return status[:12]
    return ""


def _notice(message: Message) -> Notice | None:
    for part in message.walk():
        mark = part.get(HEADER)
        if mark is None and part.get_content_type() == "text/rfc822-headers":
            mark = message_from_string(str(part.get_payload())).get(HEADER)
        if mark is not None:
            try:
                return Notice.objects.filter(pk=int(Signer(salt=SALT).unsign(str(mark).strip()))).first()
            except (BadSignature, ValueError):
                return None
    return None
