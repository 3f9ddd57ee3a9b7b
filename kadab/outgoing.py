"""Requests that the site itself sends out: never to an address inside, wherever a name may lead.

The name is looked up here, every address it stands for is checked, and the connection goes to a checked one, so that a
name cannot lead elsewhere in between. Redirects are not followed. Tests name their own servers in OUTGOING_ALLOWED.
"""

from __future__ import annotations

import contextlib
import http.client
import ipaddress
import socket
import ssl
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

SECONDS = 10  # for the whole of a request
LONGEST_URL = 1000
MOST_READ = 64 * 1024
# Networks that lead to IPv4 addresses, whose own checks they would evade.
CARRIERS = [ipaddress.ip_network(each) for each in ("64:ff9b::/96", "64:ff9b:1::/48", "2001::/32", "2002::/16")]

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class NotAllowed(ValueError):
    """A request to this address is never sent."""


@dataclass(frozen=True)
class Answer:
    status: int
    retry_after: int | None = None  # seconds

    @property
    def is_good(self) -> bool:
        return 200 <= self.status < 300


def check_url(url: str) -> SplitResult:
    """An address that something may be sent to by its form; NotAllowed for any other. Names are looked up later."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise NotAllowed("not an address") from error
    if len(url) > LONGEST_URL or not url.isascii() or not url.isprintable() or " " in url:
        raise NotAllowed("not an address")
    if not host or parts.username is not None or parts.password is not None or parts.fragment:
        raise NotAllowed("not a plain address")
    if parts.scheme != "https" and not (parts.scheme == "http" and _is_named(host, port)):
        raise NotAllowed("not https")
    if _is_inside(host) and not _is_named(host, port):
        raise NotAllowed("an inside address")
    return parts


def _is_inside(host: str) -> bool:
    """Whether this is an address in numbers, and not one outside."""
    try:
        return not is_outside(ipaddress.ip_address(host))
    except ValueError:
        return False


def post(url: str, body: bytes, headers: Mapping[str, str], seconds: float = SECONDS) -> Answer:
    """Send this; OSError if nobody could be reached in time, NotAllowed if nobody may be."""
    parts = check_url(url)
    host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
    connection = http.client.HTTPConnection(host, port, timeout=seconds)
    connection.sock = sock = socket.create_connection((_checked(host, port), port), timeout=seconds)
    too_late = threading.Event()
    stop = threading.Timer(seconds, _hang_up, [sock, too_late])  # a timeout counts for each byte anew
    stop.daemon = True
    stop.start()
    try:
        if parts.scheme == "https":
            connection.sock = ssl.create_default_context().wrap_socket(sock, server_hostname=host)
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.request("POST", path, body, {"User-Agent": "Kadab", **headers, "Connection": "close"})
        answer = connection.getresponse()
        answer.read(MOST_READ)
        if too_late.is_set():  # what was cut off may look whole
            raise TimeoutError
        return Answer(answer.status, _seconds(answer.headers.get("Retry-After", "")))
    except http.client.HTTPException as error:
        raise OSError(type(error).__name__) from error
    finally:
        stop.cancel()
        connection.close()
        sock.close()


def _hang_up(sock: socket.socket, too_late: threading.Event) -> None:
    too_late.set()
    with contextlib.suppress(OSError):
        sock.shutdown(socket.SHUT_RDWR)


def _checked(host: str, port: int) -> str:
    """An address the name stands for. If one of them is inside, the name is not to be trusted at all."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except UnicodeError as error:
        raise NotAllowed("not a name") from error
    addresses = [str(each[4][0]) for each in found]
    if not addresses:
        raise OSError("no address")
    if not _is_named(host, port) and not all(is_outside(ipaddress.ip_address(each)) for each in addresses):
        raise NotAllowed("an inside address")
    return addresses[0]


def is_outside(address: Address) -> bool:
    """Whether this is an ordinary address of the internet, and not of this machine, its network or its cloud."""
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped:
            return is_outside(address.ipv4_mapped)
        if address.is_site_local or address.scope_id or any(address in network for network in CARRIERS):
            return False
    inside = address.is_multicast or address.is_reserved or address.is_loopback or address.is_link_local
    return address.is_global and not inside and not address.is_unspecified


def _is_named(host: str, port: int | None) -> bool:
    return f"{host}:{port}" in settings.OUTGOING_ALLOWED


def _seconds(text: str) -> int | None:
    return min(int(text), 24 * 3600) if text.isascii() and text.isdigit() and len(text) < 8 else None
