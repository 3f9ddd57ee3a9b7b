"""State, frames and actions to plain values and back. What stored games call by an older name is found here."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

from .dice import Dice
from .flow import Frame
from .plain import canonical, copied, plain
from .state import Counter, Hex, Result, Seat, State

# Frames and steps renamed since games were stored: {"old frame": "new frame"}, {("frame", "old step"): "new step"}.
RENAMED_FRAMES: dict[str, str] = {}
RENAMED_STEPS: dict[tuple[str, str], str] = {}


class FrameBook:
    """The frames of one game, by name."""

    def __init__(self, kinds: Iterable[type[Frame]]) -> None:
        self.kinds = {kind.name(): kind for kind in kinds}

    def decode(self, data: Mapping[str, Any]) -> Frame:
        fields = dict(data)
        name = fields.pop("frame")
        name = RENAMED_FRAMES.get(name, name)
        fields["next"] = RENAMED_STEPS.get((name, fields["next"]), fields["next"])
        kind = self.kinds[name]
        known = {f.name for f in dataclasses.fields(kind)}
        return kind(**{key: copied(value) for key, value in fields.items() if key in known})


SEAT_FIELDS, HEX_FIELDS, COUNTER_FIELDS = (
    tuple(f.name for f in dataclasses.fields(kind)) for kind in (Seat, Hex, Counter)
)


def flat(record: Any, names: tuple[str, ...]) -> dict[str, Any]:
    """A record whose fields are all plain already; there are hundreds of them in a state."""
    return {name: getattr(record, name) for name in names}


def encode_frame(frame: Frame) -> dict[str, Any]:
    return {"frame": frame.name(), **{f.name: plain(getattr(frame, f.name)) for f in dataclasses.fields(frame)}}


def encode_flow(state: State) -> list[dict[str, Any]]:
    return [encode_frame(frame) for frame in state.flow]


def encode(state: State) -> dict[str, Any]:
    """Everything but the keys of the dice and what can be worked out again."""
    return {
        "game": state.game,
        "options": plain(dict(state.options)),
        "numbers": list(state.dice.numbers),
        "seats": [flat(seat, SEAT_FIELDS) for _, seat in sorted(state.seats.items())],
        "hexes": [flat(each, HEX_FIELDS) for _, each in sorted(state.hexes.items())],
        "counters": [flat(counter, COUNTER_FIELDS) for _, counter in sorted(state.counters.items())],
        "extras": plain(state.extras),
        "flow": encode_flow(state),
        "result": plain(state.result),
        "actions": state.actions,
        "serial": state.serial,
        "era": state.era,
    }


def decode(data: Mapping[str, Any], frames: FrameBook, dice: Dice, kind: type[State] = State) -> State:
    dice = dice.copy()
    dice.numbers = (data["numbers"][0], data["numbers"][1])
    return kind(
        game=data["game"],
        options=copied(data["options"]),
        dice=dice,
        seats={each["number"]: Seat(**each) for each in data["seats"]},
        hexes={each["place"]: Hex(**each) for each in data["hexes"]},
        counters={each["number"]: Counter(**each) for each in data["counters"]},
        extras=copied(data["extras"]),
        flow=[frames.decode(each) for each in data["flow"]],
        result=decode_result(data["result"]),
        actions=data["actions"],
        serial=data["serial"],
        era=data["era"],
    )


def decode_result(data: Mapping[str, Any] | None) -> Result | None:
    return Result(tuple(data["winners"]), data["how"]) if data else None


def state_hash(state: State) -> str:
    """Equal states have equal hashes on every machine."""
    return hashlib.sha256(canonical(encode(state))).hexdigest()
