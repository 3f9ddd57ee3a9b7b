"""Serve Kadab with daphne, and stop it without losing anything: `python -m kadab.serve --port 8000`.

Plain `daphne --verbosity 0 kadab.asgi:application` works as well; without that option daphne writes every path, and so
return links, into its access log. This launcher adds a longer queue for bursts of connections, wakes the caretaker at
once (so that bots move on after a restart before anybody calls), and on SIGTERM stops accepting, lets requests in
flight finish, tells sockets to come back (1012), and only then ends. It ends the process itself: a thread that was
telling the sockets of a bot's move waits for a loop that has stopped, and Python's own exit would wait for that thread.
Nothing is lost by that, since everything is saved before it is told.

A request has REQUEST_SECONDS to arrive, headers and body; what has not arrived by then is closed with 408. Without a
proxy in front, one address may have MOST_HALF_SENT such requests under way. Neither limit touches an answer that is
being read, or a WebSocket. What sockets send is compressed (kadab/frames.py).
"""

from __future__ import annotations

import argparse
import asyncio
import functools
import gc
import os
import resource
import signal
import sys
import threading
from collections import Counter
from typing import Any

import daphne.server
from daphne.http_protocol import HTTPFactory, WebRequest
from daphne.server import Server, reactor
from twisted.internet.interfaces import IAddress, IListeningPort
from twisted.internet.protocol import connectionDone
from twisted.python.failure import Failure
from twisted.web.http import HTTPChannel

from kadab.frames import CompressingFactory

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kadab.settings")

SERVICE_RESTART = 1012
LONGEST_DRAIN_SECONDS = 8
LONGEST_STOP_SECONDS = 11
REQUEST_SECONDS = float(os.environ.get("REQUEST_SECONDS", "25"))
MOST_HALF_SENT = int(os.environ.get("MOST_HALF_SENT", "100"))
# Python looks for garbage among all objects, code and kept tables included. Seldom is enough, as little is made in
# circles; with its own numbers (700, 10, 10) the slowest actions waited twice as long.
GARBAGE_EVERY = (50_000, 20, 50)
MOST_FILES = 65_536  # every connection is an open file, and the usual 1024 are soon used up

TOO_LATE = b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class PatientChannel(HTTPChannel):
    """A connection whose request must have arrived whole in REQUEST_SECONDS: however often a byte of it comes.

    The time runs from the connection's first moment, or from the first byte after an earlier answer. Twisted's own
    limit, on a connection that rests, begins anew with every byte.
    """

    deadline: asyncio.TimerHandle | None = None
    counted: str = ""  # the address in whose number of half-sent requests this one is

    def connectionMade(self) -> None:
        super().connectionMade()
        self.begin()

    def dataReceived(self, data: bytes) -> None:
        if self.deadline is None and not self._handlingRequest:
            self.begin()
        super().dataReceived(data)

    def allContentReceived(self) -> None:
        self.end()
        super().allContentReceived()

    def connectionLost(self, reason: Failure = connectionDone) -> None:
        self.end()
        super().connectionLost(reason)

    def begin(self) -> None:
        self.deadline = asyncio.get_event_loop().call_later(REQUEST_SECONDS, self.give_up)
        self.factory.half_sent[self.counted] += 1

    def end(self) -> None:
        if self.deadline is None:
            return
        self.deadline.cancel()
        self.deadline = None
        self.factory.half_sent[self.counted] -= 1
        if not self.factory.half_sent[self.counted]:
            del self.factory.half_sent[self.counted]

    def give_up(self) -> None:
        self.write(TOO_LATE)
        self.timeoutConnection()  # closes when that is sent, and by force when it cannot be


class PatientFactory(HTTPFactory):
    """Makes the connections, and turns an address away that has too many half-sent requests."""

    protocol = PatientChannel

    def __init__(self, server: Server) -> None:
        super().__init__(server)
        self.half_sent: Counter[str] = Counter()

    def buildProtocol(self, addr: IAddress) -> PatientChannel | None:
        address = getattr(addr, "host", "")
        if self.half_sent[address] >= MOST_HALF_SENT and not is_behind_proxy():
            return None  # Twisted closes the connection
        channel: PatientChannel = super().buildProtocol(addr)
        channel.counted = address
        # Django reads forms. Twisted would as well, and answer one that it cannot read with an empty 400.
        read_by_django = functools.partial(WebRequest, parsePOSTFormSubmission=False)
        channel.requestFactory = read_by_django  # type: ignore[assignment]  # a class, say the stubs
        return channel


def is_behind_proxy() -> bool:
    """All visitors come from one address then, and the proxy counts them."""
    from django.conf import settings

    return bool(settings.ALLAUTH_TRUSTED_PROXY_COUNT)


# daphne has no other place to say how connections are made.
daphne.server.HTTPFactory = PatientFactory
daphne.server.WebSocketFactory = CompressingFactory


class DrainingServer(Server):
    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.ports: list[IListeningPort] = []
        self.stopping = False

    def listen_success(self, port: IListeningPort) -> None:
        self.ports.append(port)
        super().listen_success(port)

    def listen_error(self, failure: Failure) -> None:
        print(f"Cannot listen: {failure.getErrorMessage()}", file=sys.stderr)
        self.failed = True
        super().listen_error(failure)

    def kill_all_applications(self) -> object:
        # daphne trips over connections whose application has already been reaped.
        for protocol in [p for p, details in self.connections.items() if "application_instance" not in details]:
            del self.connections[protocol]
        return super().kill_all_applications()

    def drain(self) -> None:
        if self.stopping:
            self.stop()
            return
        self.stopping = True
        last_resort = threading.Timer(LONGEST_STOP_SECONDS, end_process, [0])
        last_resort.daemon = True
        last_resort.start()
        asyncio.ensure_future(self._drain())

    async def _drain(self) -> None:
        for port in self.ports:
            port.stopListening()  # type: ignore[misc]  # methods of a zope interface have no self
        for protocol in list(self.connections):
            # autobahn's sendClose refuses this code, which is meant for servers and not for applications.
            if hasattr(protocol, "sendCloseFrame") and protocol.state == protocol.STATE_OPEN:
                protocol.sendCloseFrame(code=SERVICE_RESTART)
        for _ in range(LONGEST_DRAIN_SECONDS * 20):
            if not any(self._in_flight(details) for details in self.connections.values()):
                break
            await asyncio.sleep(0.05)
        self.stop()

    @staticmethod
    def _in_flight(details: dict[str, Any]) -> bool:
        running = details.get("application_instance")
        return running is not None and not running.done()


def end_process(code: int) -> None:
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--host", default="127.0.0.1")
    arguments.add_argument("--port", type=int, default=8000)
    given = arguments.parse_args()

    from kadab.asgi import application

    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, MOST_FILES), most))
    host = given.host.replace(":", "\\:")
    server = DrainingServer(
        application,
        endpoints=[f"tcp:port={given.port}:interface={host}:backlog=1024"],
        signal_handlers=False,
        # autobahn's limit holds for what is sent as well, and a whole board is 40 kB. What comes in is limited by the
        # consumer.
        websocket_max_message_size=1024 * 1024,
        websocket_max_frame_size=1024 * 1024,
        websocket_timeout=43200,
        ping_interval=20,
        ping_timeout=30,
    )

    def up() -> None:
        from games import caretaker

        loop = asyncio.get_event_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, server.drain)
        loop.call_soon(caretaker.ensure_running)
        gc.freeze()  # what has been loaded by now stays
        gc.set_threshold(*GARBAGE_EVERY)
        print(f"Kadab is at {os.environ.get('SITE_URL', f'http://127.0.0.1:{given.port}')}", flush=True)

    reactor.callWhenRunning(up)
    server.run()
    end_process(1 if getattr(server, "failed", False) else 0)


if __name__ == "__main__":
    main()
