"""Letters: mails with a link that somebody has asked for, such as the link to a new password or a guest's return link.

A request stores its letter in its own transaction and answers at once; the caretaker's mail thread sends it. The row is
deleted when the letter is sent or given up, because its text holds a secret. No page, export or log shows the text.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.core.mail import EmailMessage
from django.utils import timezone

from kadab.mail import MOST_AT_ONCE, MOST_TRIES, Outgoing, send, written

from .models import Letter

CLAIM_MINUTES = 10  # longer than a mail server can keep one letter waiting (EMAIL_TIMEOUT for each of its replies)


def write(address: str, subject: str, body: str, picture: str = "") -> None:
    """Store a letter, to be sent as soon as the mail thread looks."""
    Letter.objects.create(address=address, subject=subject, body=body, picture=picture)


def send_due() -> int:
    """Send what is due; returns how many letters went out."""
    due = Letter.objects.filter(due_at__lte=timezone.now()).order_by("due_at", "pk")
    return send([Stored(letter) for letter in due[:MOST_AT_ONCE]])


@dataclass
class Stored(Outgoing):
    """A letter and its row.

    It is claimed by moving its time, so that of several processes only one sends it. If that process dies, the letter
    falls due again: a second link does no harm, but whoever waits for a link has no other way in.
    """

    letter: Letter
    is_patient = False  # old links are of no use, and secrets are not kept for ever

    @property
    def tries(self) -> int:
        return self.letter.tries

    def claim(self) -> bool:
        unclaimed = Letter.objects.filter(pk=self.letter.pk, due_at=self.letter.due_at)
        return bool(unclaimed.update(due_at=timezone.now() + timedelta(minutes=CLAIM_MINUTES)))

    def message(self) -> EmailMessage:
        letter = self.letter
        return written(letter.subject, letter.body, letter.address, letter.picture, Auto_Submitted="auto-generated")

    def put_off(self, until: datetime) -> None:
        tries = min(self.letter.tries + 1, MOST_TRIES)
        Letter.objects.filter(pk=self.letter.pk).update(due_at=until, tries=tries)

    def done(self) -> None:
        self._delete()

    def give_up(self, reason: str) -> None:
        self._delete()

    def _delete(self) -> None:
        Letter.objects.filter(pk=self.letter.pk).delete()
