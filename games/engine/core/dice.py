"""Chance comes in by this door only: two keyed streams whose every draw can be checked after the game.

The `dice` stream throws what everybody sees, the `cup` stream draws what stays hidden. A draw is
HMAC(key, purpose, number, counter) cut into 64-bit words with rejection sampling, so it is exact, repeatable, and
nobody (the host included) can tell the next one without the seed, whose hash was shown before the game.
"""

from __future__ import annotations

import functools
import hashlib
import hmac
from collections.abc import Iterable, Sequence
from typing import Protocol

STREAMS = ("dice", "cup")
WORD = 1 << 64
Draw = tuple[str, str, int, int]  # stream, purpose, result, and below what: all that is needed to draw it again


def lp(*fields: str | bytes) -> bytes:
    """Length-prefixed fields: no two different lists of fields spell the same bytes."""
    out = bytearray()
    for each in fields:
        raw = each.encode() if isinstance(each, str) else each
        out += len(raw).to_bytes(4, "big") + raw
    return bytes(out)


def commit(stream: str, game: str, rules_version: str, seed: bytes) -> str:
    """What is published before the game, so that the seed shown after it cannot be another."""
    return hashlib.sha256(lp("kadab/commit/v1", stream, game, rules_version, seed)).hexdigest()


def mix(stream: str, game: str, committed: str, seed: bytes, entropy: Sequence[str]) -> bytes:
    """The stream's key, in which every seat may have had a hand."""
    return hmac.digest(seed, lp("kadab/mix/v1", stream, game, committed, *entropy), "sha256")


_ZERO = lp("0")


@functools.lru_cache(maxsize=256)
def _draw_prefix(purpose: str) -> bytes:
    return lp("kadab/draw/v1", purpose)


def draw(key: bytes, purpose: str, number: int, below: int) -> int:
    """The whole number from 0 up to (not including) `below` that this draw gives."""
    limit = WORD - WORD % below
    counter = 0
    named = b"%d" % number
    head = _draw_prefix(purpose) + len(named).to_bytes(4, "big") + named  # lp(…, purpose, str(number)), but quicker
    while True:
        block = hmac.digest(key, head + (_ZERO if counter == 0 else lp(str(counter))), "sha256")
        for at in (0, 8, 16, 24):
            word = int.from_bytes(block[at : at + 8], "big")
            if word < limit:
                return word % below
        counter += 1


class Chance(Protocol):
    """Whatever can pick a number: the game's dice, a bot's own, a script's."""

    def pick(self, purpose: str, below: int) -> int: ...


class Dice:
    """The two streams of one game, how far each has been drawn, and what this action drew."""

    __slots__ = ("keys", "numbers", "drawn")

    def __init__(self, dice_key: bytes, cup_key: bytes, numbers: tuple[int, int] = (0, 0)) -> None:
        self.keys = (dice_key, cup_key)
        self.numbers = numbers
        self.drawn: list[Draw] = []  # since the last copy

    @classmethod
    def seeded(cls, seed: str) -> Dice:
        """Dice for play that nobody needs to check: fuzzing, matches, tests."""
        dice, cup = (hashlib.sha256(lp("kadab/seeded", stream, seed)).digest() for stream in STREAMS)
        return cls(dice, cup)

    def copy(self) -> Dice:
        return Dice(*self.keys, self.numbers)

    def throw(self, purpose: str, count: int = 1, sides: int = 6) -> tuple[int, ...]:
        """Faces everybody sees."""
        return tuple(1 + self._next(0, purpose, sides) for _ in range(count))

    def pick(self, purpose: str, below: int) -> int:
        """An index out of something hidden."""
        return self._next(1, purpose, below)

    def _next(self, stream: int, purpose: str, below: int) -> int:
        result = draw(self.keys[stream], purpose, self.numbers[stream], below)
        dice, cup = self.numbers
        self.numbers = (dice + 1, cup) if stream == 0 else (dice, cup + 1)
        self.drawn.append((STREAMS[stream], purpose, result, below))
        return result


class ScriptedDice(Dice):
    """Dice whose faces a test has written down; it fails when they run out or do not fit."""

    __slots__ = ("faces",)

    def __init__(self, faces: Iterable[int], numbers: tuple[int, int] = (0, 0)) -> None:
        super().__init__(b"", b"", numbers)
        self.faces = list(faces)

    def copy(self) -> ScriptedDice:
        return ScriptedDice(self.faces, self.numbers)

    def _next(self, stream: int, purpose: str, below: int) -> int:
        if not self.faces:
            raise AssertionError(f"the script has no face left for {purpose}")
        # Thrown faces are written as they are seen (1 to 6), picks as indexes (0 and up).
        result = self.faces.pop(0) - (1 if stream == 0 else 0)
        if not 0 <= result < below:
            raise AssertionError(f"the script's face does not fit {purpose}")
        dice, cup = self.numbers
        self.numbers = (dice + 1, cup) if stream == 0 else (dice, cup + 1)
        self.drawn.append((STREAMS[stream], purpose, result, below))
        return result
