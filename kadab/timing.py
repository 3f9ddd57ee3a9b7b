"""Where an action's time goes, layer by layer: for the metrics, and for a line in the log when it took long.

    timed = timing.Timed("socket")         # at the door, as soon as the action is there
    with timed:                            # in the thread that does the work: the time until now was spent waiting
        with timing.layer("rules"):
            progress = rules.apply(…)
        with timing.layer("saving"):
            store.save(…)
        with timing.layer("drawing"):
            …
    with timed, timing.layer("sending"):   # back at the door; a Timed can be entered as often as needed
        await socket.send(…)
    timed.end("done")

A layer inside another one counts for itself only, and a layer outside of any Timed counts nothing. What is in no layer
is the rest.
"""

from __future__ import annotations

import logging
import os
import time
from contextvars import ContextVar, Token

from . import metrics

log = logging.getLogger(__name__)

SLOW_SECONDS = float(os.environ.get("SLOW_ACTION_MS", "250")) / 1000

clock = time.perf_counter


class Timed:
    """One action on its way. Only one thread at a time works on it."""

    __slots__ = ("begun", "door", "ended", "inside", "spent", "tokens", "waits")

    def __init__(self, door: str) -> None:
        self.door = door
        self.begun = clock()
        self.spent: dict[str, float] = {}
        self.inside: list[float] = []  # of each layer that is open: the time of the layers within it
        self.tokens: list[Token[Timed | None]] = []
        self.waits = True
        self.ended = False

    def __enter__(self) -> Timed:
        if self.waits:
            self.waits = False
            self.add("waiting", clock() - self.begun)
        self.tokens.append(_current.set(self))
        return self

    def __exit__(self, *_: object) -> None:
        _current.reset(self.tokens.pop())

    def add(self, layer: str, seconds: float) -> None:
        self.spent[layer] = self.spent.get(layer, 0.0) + seconds

    def end(self, outcome: str = "done") -> None:
        """The action is answered: count it, and tell if it was slow. A second call does nothing."""
        if self.ended:
            return
        self.ended = True
        total = clock() - self.begun
        self.add("rest", max(0.0, total - sum(self.spent.values())))
        metrics.acted(total, self.door, outcome)
        for layer_name, seconds in self.spent.items():
            metrics.spent(layer_name, seconds)
        if total >= SLOW_SECONDS:
            log.warning(
                "slow action by %s, %s: %.0f ms, mostly %s (%s)",
                self.door,
                outcome,
                1000 * total,
                max(self.spent, key=self.spent.__getitem__),
                ", ".join(f"{name} {1000 * seconds:.0f}" for name, seconds in self.spent.items()),
            )


_current: ContextVar[Timed | None] = ContextVar("timed", default=None)


class layer:  # noqa: N801  (reads as a statement)
    """`with layer("rules"):` adds the time of the block to the action under way. Names are metrics.LAYERS."""

    __slots__ = ("begun", "name", "timed")

    def __init__(self, name: str) -> None:
        self.name = name

    def __enter__(self) -> None:
        self.timed = _current.get()
        if self.timed is not None:
            self.timed.inside.append(0.0)
            self.begun = clock()

    def __exit__(self, *_: object) -> None:
        if self.timed is None:
            return
        took = clock() - self.begun
        inside = self.timed.inside
        self.timed.add(self.name, took - inside.pop())
        if inside:
            inside[-1] += took
