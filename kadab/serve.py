"""Serve Kadab with daphne, and stop it without losing anything: `python -m kadab.serve --port 8000`.

Plain `daphne kadab.asgi:application` works as well. This launcher adds a longer queue for bursts of connections, wakes
the caretaker at once (so that bots move on after a restart before anybody calls), and on SIGTERM stops accepting, lets
requests in flight finish, tells sockets to come back (1012), and only then ends. It ends the process itself: a thread
that was telling the sockets of a bot's move waits for a loop that has stopped, and Python's own exit would wait for
that thread. Nothing is lost by that, since everything is saved before it is told.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
import threading

from daphne.server import Server, reactor

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kadab.settings")

SERVICE_RESTART = 1012
LONGEST_DRAIN_SECONDS = 8
LONGEST_STOP_SECONDS = 11


class DrainingServer(Server):
    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.ports: list = []
        self.stopping = False

    def listen_success(self, port) -> None:
        self.ports.append(port)
        super().listen_success(port)

    def listen_error(self, failure) -> None:
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
            port.stopListening()
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
    def _in_flight(details: dict) -> bool:
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
        print(f"Kadab is at {os.environ.get('SITE_URL', f'http://127.0.0.1:{given.port}')}", flush=True)

    reactor.callWhenRunning(up)
    server.run()
    end_process(1 if getattr(server, "failed", False) else 0)


if __name__ == "__main__":
    main()
