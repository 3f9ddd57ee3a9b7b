"""Hand stored mails to the server in EMAIL_URL, try again after temporary refusals, and give up after final ones.

Notices (games/notices.py) and letters (players/letters.py) are sent by this code, in the caretaker's mail thread.

smtplib raises the same errors before and after a server has taken a letter. Whoever tries again must know the
difference, or somebody gets the same mail twice.
"""

from __future__ import annotations

import logging
import re
import smtplib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.mime.image import MIMEImage
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import find
from django.core.mail import EmailMessage, EmailMultiAlternatives, get_connection
from django.core.mail.backends import smtp
from django.core.mail.backends.base import BaseEmailBackend
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from . import metrics

log = logging.getLogger(__name__)

LONGEST_PAUSE_MINUTES = 60  # between two tries; the first comes after one minute, each next after twice as many
MOST_TRIES = 50  # two days
MOST_AT_ONCE = 50


# ---- what a mail looks like


class Illustrated(EmailMultiAlternatives):
    mixed_subtype = "related"  # what is attached belongs to the HTML


@dataclass(frozen=True)
class Enclosure:
    """A file that goes along."""

    name: str
    content: str
    kind: str


def written(
    subject: str, text: str, to: str, picture: str = "", enclosed: Sequence[Enclosure] = (), **headers: str
) -> EmailMessage:
    """A mail in plain words. With a picture, a PNG of our static files, programs that show HTML show it above them.

    The picture goes along in the mail: one that had to be fetched would tell when the mail was read.
    """
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    if not picture:
        return EmailMessage(subject=subject, body=text, to=[to], headers=headers)
    message = Illustrated(subject=subject, body=text, to=[to], headers=headers)
    message.attach_alternative(render_to_string("mail/with_picture.html", {"text": _linked(text)}), "text/html")
    image = MIMEImage(_picture(picture), "png")
    image.add_header("Content-ID", "<picture>")
    image.add_header("Content-Disposition", "inline", filename=PurePosixPath(picture).name)
    message.attach(image)
    for each in enclosed:
        message.attach(each.name, each.content, each.kind)
    return message


def _linked(text: str) -> SafeString:
    """Escape a mail's text and link the addresses of this site only: a player's name may look like a link."""
    parts = re.split(rf"({re.escape(settings.SITE_URL)}/\S*)", text)  # every second part is an address
    linked = (format_html('<a href="{0}">{0}</a>', part) if at % 2 else part for at, part in enumerate(parts))
    return format_html_join("", "{}", ((part,) for part in linked))


@cache
def _picture(path: str) -> bytes:
    found = find(path)
    assert found, f"there is no {path} among the static files"
    return Path(found).read_bytes()


# ---- what is to be sent


class Outgoing(ABC):
    """A mail to be sent, and the row that keeps it until then."""

    is_patient: bool  # wait for an unreachable mail server without end; others are given up after MOST_TRIES

    @property
    @abstractmethod
    def tries(self) -> int:
        """How often the mail server could not take it."""

    @abstractmethod
    def claim(self) -> bool:
        """Whether this process is the one to send the mail now."""

    @abstractmethod
    def message(self) -> EmailMessage: ...

    @abstractmethod
    def put_off(self, until: datetime) -> None:
        """Count one more try and keep the mail until then."""

    @abstractmethod
    def done(self) -> None:
        """The mail was sent, or may have been."""

    @abstractmethod
    def give_up(self, reason: str) -> None:
        """The mail will not be sent."""


def send(mails: Sequence[Outgoing]) -> int:
    """Send these mails over one connection; returns how many went out."""
    if not mails:
        return 0
    connection = get_connection()
    try:
        connection.open()
    except OSError as error:
        log.warning("the mail server cannot be reached: %s", why(error))
        for mail in mails:
            if mail.is_patient or mail.tries < MOST_TRIES:
                _try_later(mail)
            else:
                _give_up(mail, error)
        return 0
    try:
        return sum(_send(mail, connection) for mail in mails)
    finally:
        connection.close()


def _send(mail: Outgoing, connection: BaseEmailBackend) -> bool:
    if not mail.claim():
        return False
    try:
        message = mail.message()
        message.connection = connection
        message.send()
    except MaybeSent as error:
        log.warning("a mail may not have arrived: %s", why(error))
        mail.done()
        return False
    except Exception as error:
        _fail(mail, error)
        return False
    mail.done()
    metrics.mailed("sent")
    return True


def _fail(mail: Outgoing, error: Exception) -> None:
    if is_temporary(error) and mail.tries < MOST_TRIES:
        metrics.mailed("put_off")
        log.warning("a mail was put off: %s", why(error))
        _try_later(mail)
    else:
        _give_up(mail, error)


def _try_later(mail: Outgoing) -> None:
    """Nothing was handed over, so trying again cannot tell anybody twice."""
    mail.put_off(timezone.now() + timedelta(minutes=min(LONGEST_PAUSE_MINUTES, 2**mail.tries)))


def _give_up(mail: Outgoing, error: Exception) -> None:
    """Tell the operator, in numbers only."""
    metrics.mailed("given_up")
    log.warning("a mail was given up: %s", why(error))
    mail.give_up(why(error))


# ---- handing it over


class MaybeSent(OSError):
    """The connection broke after the letter was handed over and before the server said what became of it."""


class _Careful:
    """Tell apart what failed before the letter was sent and what failed after."""

    def data(self, message: Any) -> Any:
        try:
            return super().data(message)  # type: ignore[misc]
        except (smtplib.SMTPServerDisconnected, TimeoutError, ConnectionError) as error:
            raise MaybeSent from error


class _Smtp(_Careful, smtplib.SMTP):
    pass


class _SmtpOverTls(_Careful, smtplib.SMTP_SSL):
    pass


class SmtpBackend(smtp.EmailBackend):
    @property
    def connection_class(self) -> type[smtplib.SMTP]:
        return _SmtpOverTls if self.use_ssl else _Smtp


# ---- refusals


def is_temporary(error: Exception) -> bool:
    """Whether it may work later: a 4xx reply, no connection, or a server that does not accept our own password."""
    if isinstance(error, MaybeSent):
        return False
    if isinstance(error, smtplib.SMTPAuthenticationError):
        return True  # wrong settings: nothing is the matter with the letter
    codes = codes_of(error)
    return all(400 <= code < 500 for code in codes) if codes else isinstance(error, OSError)


def codes_of(error: Exception) -> list[int]:
    """The server's replies, as numbers."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return [code for code, _ in error.recipients.values()]
    return [error.smtp_code] if isinstance(error, smtplib.SMTPResponseException) else []


def why(error: Exception) -> str:
    """What to write into a log: never the server's words, which repeat addresses."""
    return " ".join([type(error).__name__, *map(str, codes_of(error))])
