"""A web server of this test's own that keeps what is posted to it, and answers as it is told."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Receiver:
    """What has come, and the status and headers of the next answers."""

    netloc: str = ""
    got: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    status: int = 204
    headers: dict[str, str] = field(default_factory=dict)
    drips: bool = False  # answers a byte at a time, for ever

    @property
    def url(self) -> str:
        return f"http://{self.netloc}"


@contextmanager
def receiving(settings: Any) -> Iterator[Receiver]:
    receiver = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            receiver.got.append((self.path, {k.lower(): v for k, v in self.headers.items()}, body))
            if receiver.drips:
                self.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
                for _ in range(100):
                    time.sleep(0.05)
                    self.wfile.write(b"x")
            self.send_response(receiver.status)
            for name, value in receiver.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *given: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.handle_error = lambda *given: None  # type: ignore[method-assign]
    receiver.netloc = f"127.0.0.1:{server.server_port}"
    settings.OUTGOING_ALLOWED = {receiver.netloc}
    threading.Thread(target=server.serve_forever, args=[0.02], daemon=True).start()
    yield receiver
    server.shutdown()
    server.server_close()
