"""Limits on how often something may happen: so many times in so many seconds for one address, player or mailbox.

    if not limits.allow("return-mail", limits.address_of(request), most=10, seconds=3600):
        raise IllegalAction("too_many_mails")

Counters stand in Django's cache, so each process counts for itself. Time is cut into spans of `seconds`; a new span
begins at zero, and `seconds_left` says when that is (the value of Retry-After).
"""

from __future__ import annotations

import hashlib
import io
import ipaddress
import math
import time
from typing import Any

from allauth.account.adapter import get_adapter
from django.core.cache import cache
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest

IPV6_NETWORK_BITS = 64  # what one household or machine is given; its single addresses cost nothing


def allow(name: str, key: str, most: int, seconds: int) -> bool:
    """Count one more `name` for `key`; False when that makes more than `most` in this span of `seconds`."""
    digest = hashlib.sha256(key.encode(errors="replace")).hexdigest()[:32]  # a cache's keys are short and plain
    counter = f"limit:{name}:{digest}:{int(time.time() // seconds)}"
    cache.add(counter, 0, timeout=seconds)
    try:
        return cache.incr(counter) <= most
    except ValueError:  # the cache dropped the counter between the two lines
        return True


def seconds_left(seconds: int) -> int:
    """How long the present span of `seconds` still lasts, at least 1."""
    return max(1, math.ceil(seconds - time.time() % seconds))


def address_of(request: HttpRequest) -> str:
    """The address that limits count by: the browser's, as far as TRUSTED_PROXIES lets us believe it.

    IPv6 addresses count by network.
    """
    address: str = get_adapter(request).get_client_ip(request)
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped:
            return str(parsed.ipv4_mapped)
        return str(ipaddress.IPv6Network((parsed, IPV6_NETWORK_BITS), strict=False))
    return str(parsed)


def address_of_scope(scope: Any) -> str:
    """The same for a socket, by the headers it was opened with."""
    return address_of(ASGIRequest({**scope, "type": "http", "method": "GET"}, io.BytesIO()))
