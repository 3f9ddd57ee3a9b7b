"""Whether the Lucky Charm could do a player good: who is asked about a roll follows from this, and from orders (R2).

Everything here lies open for everybody: dice, what they need, whose they are, gold. What a rack holds plays no part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ..flow.base import frame_named
from ..state import KingsState
from ..terms import PER_TEN_AFTER, is_hit

HARMLESS = (1, 6)  # of one die: nobody defends, nothing is lost


def could_help(state: KingsState, roll: Any, seat: int) -> bool:
    """Whether one die, or one total, made one higher or lower, turns this roll in a seat's favour; for somebody the
    roll does not concern, whether it changes anything."""
    if roll.needs:
        return any(True for _ in turning_dice(state, roll, seat))
    worth = WORTH.get(roll.why)
    if worth is None:
        return True
    now, others = worth(state, roll, numbers(roll)), [worth(state, roll, each) for each in one_changed(roll)]
    if seat == roll.throwers[0]:
        return any(other > now for other in others)
    if seat in roll.parties:
        return any(other < now for other in others)
    return any(other != now for other in others)


def numbers(roll: Any) -> list[int]:
    """What a roll comes to: totals, or the dice of its only thrower."""
    return list(roll.totals()) if roll.added else list(roll.faces[0])


def one_changed(roll: Any) -> Iterator[list[int]]:
    """All that one Charm could make of a roll."""
    now = numbers(roll)
    for at, number in enumerate(now):
        for changed in (number + 1, number - 1):
            if roll.added or 1 <= changed <= 6:
                yield [*now[:at], changed, *now[at + 1 :]]


# ---- dice that need a number to hit


def turning_dice(state: KingsState, roll: Any, seat: int) -> Iterator[int]:
    """Own dice that miss by one, and dice thrown at the seat's side that only just hit; any of them for bystanders."""
    battle: Any = frame_named(state, "battle")
    own = [side for side in battle.sides if battle.controller(side) == seat] if battle is not None else []
    for side, faces, needs in zip(roll.throwers, roll.faces, roll.needs):
        target = battle.target_of(state, side) if battle is not None else None
        for face, need in zip(faces, needs):
            misses_by_one = face > 1 and not is_hit(face, need) and is_hit(face - 1, need)
            just_hits = face < 6 and is_hit(face, need) and not is_hit(face + 1, need)
            if (misses_by_one and (side in own or not own)) or (just_hits and (target in own or not own)):
                yield face


# ---- other dice: the more, the better for the one who throws first


def hero_won(state: KingsState, roll: Any, now: list[int]) -> int:
    """Whether the total, and the gold that may be added to it, win the hero."""
    gold = state.seats[roll.throwers[0]].gold
    if now[0] >= roll.wish:
        return 2
    return 1 if PER_TEN_AFTER * (roll.wish - now[0]) <= gold else 0


def fewer(state: KingsState, roll: Any, now: list[int]) -> int:
    """How many defend or are lost, as something that nobody wants."""
    return 0 if now[0] in HARMLESS else -now[0]


def undamaged(state: KingsState, roll: Any, now: list[int]) -> int:
    return -sum(face in HARMLESS for face in now)


def strikes(state: KingsState, roll: Any, now: list[int]) -> int:
    return int(6 <= now[0] <= 8)


def ahead(state: KingsState, roll: Any, now: list[int]) -> int:
    return (now[0] > now[1]) - (now[0] < now[1])


def not_behind(state: KingsState, roll: Any, now: list[int]) -> int:
    return -int(now[0] < now[1])


def beaten(state: KingsState, roll: Any, now: list[int]) -> int:
    return int(now[0] > now[1])


# What the dice are thrown for -> what they are worth to the one who throws (first). Others are asked about always.
WORTH: dict[str, Callable[[KingsState, Any, list[int]], int]] = {
    "recruit": hero_won,
    **dict.fromkeys(("explore", "teeniepox", "losses"), fewer),
    "damage": undamaged,
    "disaster": strikes,
    "contest": ahead,
    "contest again": not_behind,
    "defection": beaten,
}
