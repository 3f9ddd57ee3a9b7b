"""One line of the log: short for what a stranger can cause, and without keys, tokens and addresses.

Return links, invitations and links to set a password are secrets in a path, and Django and daphne log paths. A report
of an error has no local variables: a State and the seeds of its dice would be among them. When the same is logged over
and over (no Redis, no database), a few of the lines are written and the rest is counted.
"""

from __future__ import annotations

import copy
import json
import logging
import re
import threading
import time
import traceback
from collections import OrderedDict
from datetime import UTC, datetime
from html import escape
from typing import Any

from django.conf import settings
from django.utils.safestring import SafeString
from django.views.debug import ExceptionReporter

from kadab import metrics

LONGEST_LINE = 300
LONGEST_TOLD = 2000  # of one line in a traceback
HIDDEN = "…"

SECRETS = [
    re.compile(r"kadab_[\w-]+"),  # API tokens
    re.compile(r"(?<=/)[\w:.~%-]{16,}(?=[/?\s'\"<>),]|$)"),  # a long part of a path: a key; a table's id has 12 letters
    re.compile(r"(?<=\?)[^\s'\"<>]+"),  # a query
    re.compile(r"[^\s<>@'\"(=]+@[^\s<>@'\"),]+"),  # a mail address, or user and password of a URL
    re.compile(r"(?<=\)=\().*(?=\) already exists)"),  # PostgreSQL's DETAIL of a value that is there already
    re.compile(r"\b[0-9a-fA-F]{32,}\b"),  # seeds, hashes and tokens in hexadecimal
    re.compile(r"\bb(?:'(?:[^'\\]|\\.){8,}'|\"(?:[^\"\\]|\\.){8,}\")"),  # bytes as Python writes them: seeds
    re.compile(r"\b\w*(?:State|View)\(.*"),  # a whole game in the words of an exception
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


class JsonLine(Line):
    """The same as one JSON object: time, level, logger, message, and the traceback if there is one."""

    def __init__(self) -> None:
        super().__init__("{message}", style="{")

    def format(self, record: logging.LogRecord) -> str:
        message, _, more = super().format(record).partition("\nTraceback (most recent call last):")
        told = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": message,
        }
        if more:
            told["traceback"] = f"Traceback (most recent call last):{more}"
        return json.dumps(told, ensure_ascii=False)


def is_refusal(record: logging.LogRecord) -> bool:
    """Whether Django refused a request: a bad Host, look-up, token or body, a page that is not there."""
    status: Any = getattr(record, "status_code", 500)
    return record.name.startswith("django.security") or (isinstance(status, int) and status < 500)


def without_secrets(text: str) -> str:
    """The text with every secret in it hidden; lines of a traceback that name a file stay as they are."""
    return "\n".join(line if line.lstrip().startswith('File "') else _hide(line) for line in text.split("\n"))


def _hide(line: str) -> str:
    if len(line) > LONGEST_TOLD:
        line = line[:LONGEST_TOLD] + HIDDEN
    for secret in SECRETS:
        line = secret.sub(HIDDEN, line)
    return line


# ---- floods

MOST_ALIKE, MOST_TRACEBACKS = 20, 1  # in one span; a traceback may have a hundred lines
SPAN_SECONDS = 10.0
MOST_KINDS = 500


class Floods(logging.Filter):
    """Let the first few records of a kind pass in each span, and tell at its end how many were left out.

    Records are of one kind if they come from the same line of code, by the same exception. A handler that mails takes
    `most` of a kind, in an hour.
    """

    def __init__(self, most: int = 0) -> None:
        super().__init__()
        self.most = most
        self.span = 3600.0 if most else SPAN_SECONDS
        self.lock = threading.Lock()
        self.kinds: OrderedDict[tuple[object, ...], list[float]] = OrderedDict()  # when the span began, and how many

    def filter(self, record: logging.LogRecord) -> bool:
        if getattr(record, "is_summary", False):
            return not self.most
        if not self.most:
            metrics.logged(record.levelname)
        kind, now = kind_of(record), time.monotonic()
        most = self.most or (MOST_TRACEBACKS if record.exc_info and not is_refusal(record) else MOST_ALIKE)
        with self.lock:
            seen = self.kinds.get(kind)
            if seen is None or now - seen[0] >= self.span:
                seen = self.kinds[kind] = [now, 0]
                self.kinds.move_to_end(kind)
                while len(self.kinds) > MOST_KINDS:
                    self.kinds.popitem(last=False)
            seen[1] += 1
            count = seen[1]
        if count <= most:
            return True
        if not self.most:
            metrics.left_out()
            if count == most + 1:
                self.later(record, seen, most)
        return False

    def later(self, record: logging.LogRecord, seen: list[float], most: int) -> None:
        """Say at the end of the span how many were left out."""

        def tell() -> None:
            logging.getLogger(record.name).log(
                record.levelno,
                "left out %d records like this one: %s",
                seen[1] - most,
                without_secrets(record.getMessage())[:LONGEST_LINE],
                extra={"is_summary": True},
            )

        timer = threading.Timer(self.span, tell)
        timer.daemon = True  # at the end of the process nobody waits for it
        timer.start()


def kind_of(record: logging.LogRecord) -> tuple[object, ...]:
    fault = record.exc_info[1] if record.exc_info else None
    where = traceback.extract_tb(fault.__traceback__)[-1:] if fault is not None else []
    at = [(each.filename, each.lineno) for each in where]
    return record.name, record.levelno, record.pathname, record.lineno, type(fault), *at


# ---- reports of errors


class PlainReporter(ExceptionReporter):
    """What is told of an error by mail: the traceback and the kind of request; no values, cookies, forms or settings.

    Django's own page is left for DEBUG, on a developer's machine.
    """

    def get_traceback_text(self) -> SafeString:
        lines = [f"{self.request.method} {self.request.path}"] if self.request else []
        if isinstance(self.exc_value, BaseException):
            lines += "".join(traceback.format_exception(self.exc_value)).rstrip().split("\n")
        return SafeString(without_secrets("\n".join(lines)) + "\n")

    def get_traceback_html(self) -> SafeString:
        if settings.DEBUG and not self.is_email:
            return super().get_traceback_html()
        return SafeString(f"<pre>{escape(str(self.get_traceback_text()))}</pre>")
