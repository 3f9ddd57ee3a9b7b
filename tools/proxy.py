"""A TCP proxy that stalls, cuts and refuses, as networks do: for tests and for tools/faults.py.

`async with Proxy(port) as proxy:` listens at `proxy.port` and passes everything on to `port` of this machine.
"""

from __future__ import annotations

import asyncio


class Proxy:
    def __init__(self, to: int) -> None:
        self.to, self.port = to, 0
        self.flows = asyncio.Event()
        self.flows.set()
        self.writers: set[asyncio.StreamWriter] = set()
        self.tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Proxy:
        self.server = await asyncio.start_server(self._accept, "127.0.0.1", 0, limit=1 << 20)
        self.port = self.server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self.server.close()
        self.cut()
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    def stall(self) -> None:
        """From now on nothing gets through, in neither direction; nobody is told."""
        self.flows.clear()

    def go_on(self) -> None:
        self.flows.set()

    def cut(self) -> None:
        """End all connections without a goodbye."""
        for writer in tuple(self.writers):
            writer.transport.abort()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self.flows.wait()
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self.to, limit=1 << 20)
        except OSError:
            writer.transport.abort()
            return
        for source, target in ((reader, back), (there, writer)):
            task = asyncio.ensure_future(self._pass(source, target))
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)
        self.writers |= {writer, back}

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(65536):
                await self.flows.wait()
                writer.write(data)
                await writer.drain()
            writer.close()
        except OSError:
            writer.transport.abort()
        finally:
            self.writers.discard(writer)
