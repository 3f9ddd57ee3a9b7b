"""Handing mail to the server in EMAIL_URL, and what its refusals mean.

smtplib raises the same errors before and after a server has taken a letter. Whoever tries again must know the
difference, or somebody gets the same mail twice.
"""

from __future__ import annotations

import smtplib
from typing import Any

from django.core.mail.backends import smtp


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
