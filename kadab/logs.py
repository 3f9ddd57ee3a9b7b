"""One line of the log: short for what a stranger can cause, and without keys, tokens and addresses.

Return links, invitations and links to set a password are secrets in a path, and Django and daphne log paths.
"""

from __future__ import annotations

import copy
import logging
import re
from typing import Any

LONGEST_LINE = 300
HIDDEN = "…"

SECRETS = [
    re.compile(r"kadab_[\w-]+"),  # API tokens
    re.compile(r"(?<=/)[\w:.~%-]{16,}(?=[/?\s'\"<>),]|$)"),  # a long part of a path: a key; a table's id has 12 letters
    re.compile(r"(?<=\?)[^\s'\"<>]+"),  # a query
    re.compile(r"[^\s<>@'\"(=]+@[^\s<>@'\"),]+"),  # a mail address, or user and password of a URL
    re.compile(r"(?<=\)=\().*(?=\) already exists)"),  # PostgreSQL's DETAIL of a value that is there already
]


class Line(logging.Formatter):
    """A 4xx is one line; only faults of our own have a traceback."""

    def format(self, record: logging.LogRecord) -> str:
        if not is_refusal(record):
            return without_secrets(super().format(record))
        short = copy.copy(record)  # other handlers get the whole of it
        short.exc_info = short.exc_text = short.stack_info = None
        line = without_secrets(" ".join(super().format(short).split()))
        return line if len(line) <= LONGEST_LINE else line[:LONGEST_LINE] + HIDDEN


def is_refusal(record: logging.LogRecord) -> bool:
    """Whether Django refused a request: a bad Host, look-up, token or body, a page that is not there."""
    status: Any = getattr(record, "status_code", 500)
    return record.name.startswith("django.security") or (isinstance(status, int) and status < 500)


def without_secrets(text: str) -> str:
    """The text with every secret in it hidden; lines of a traceback that name a file stay as they are."""
    return "\n".join(line if line.lstrip().startswith('File "') else _hide(line) for line in text.split("\n"))


def _hide(line: str) -> str:
    for secret in SECRETS:
        line = secret.sub(HIDDEN, line)
    return line
