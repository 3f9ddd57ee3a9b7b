"""A thinking process: it knows the rules and nothing else, no database, no sockets, no secrets."""

from __future__ import annotations

import os
import threading
import time


def end_with(server: int) -> None:
    """A killed server must not leave its thinkers behind.

    The process that forked this one is no sign: it lives as long as any thinker does. So look for the server itself.
    """

    def watch() -> None:
        while is_alive(server):
            time.sleep(1)
        os._exit(0)

    os.nice(5)  # people first
    threading.Thread(target=watch, daemon=True).start()


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True
