"""State, frames and actions to plain values and back. Reading is strict: what this code does not know is Unreadable."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from .dice import Dice
from .flow import DONE, Frame
from .plain import canonical, copied, field_names, plain
from .shapes import NO_RENAMES, Renames, Shape, Unreadable, fields_renamed, short
from .state import Counter, Hex, Result, Seat, State


class FrameBook:
    """The frames of one game, by name."""

    def __init__(self, kinds: Iterable[type[Frame]], renames: Renames = NO_RENAMES) -> None:
        self.kinds = {kind.name(): kind for kind in kinds}
        self.renames = renames
        self.shapes = {
            name: Shape(kind, f"the frame {name}", fields_renamed(renames.frame_fields, name))
            for name, kind in self.kinds.items()
        }

    def decode(self, data: object) -> Frame:
        if not isinstance(data, Mapping) or "frame" not in data:
            raise Unreadable("a frame has no name")
        name = str(data["frame"])
        name = self.renames.frames.get(name, name)
        if name not in self.kinds:
            raise Unreadable(f"there is no frame {short(name)}")
        fields = self.shapes[name].read({key: value for key, value in data.items() if key != "frame"})
        if "next" in fields:
            fields["next"] = self._step(name, fields["next"])
        return self.kinds[name](**fields)

    def _step(self, frame: str, stored: str) -> str:
        step = self.renames.steps.get((frame, stored), stored)
        if step not in ("", DONE, *self.kinds[frame].steps):
            raise Unreadable(f"the frame {frame} has no step {short(step)}")
        return step

    def decode_flow(self, data: object) -> list[Frame]:
        """All frames of a stored flow; each one's result must have a field of its caller to go to."""
        if not isinstance(data, list):
            raise Unreadable("the flow is not a list of frames")
        flow = [self.decode(each) for each in data]
        for caller, frame in zip(flow, flow[1:]):
            if frame.into:
                frame.into = self.shapes[caller.name()].name_today(frame.into)
        return flow


RECORDS = {kind: Shape(kind, f"a {kind.__name__.lower()}") for kind in (Seat, Hex, Counter, Result)}
STATE_FIELDS = frozenset(
    (
        *("game", "options", "numbers", "seats", "hexes", "counters", "extras", "flow", "result"),
        *("actions", "revision", "silent", "serial", "era"),
    )
)
SEAT_FIELDS, HEX_FIELDS, COUNTER_FIELDS = map(field_names, (Seat, Hex, Counter))


def flat(record: Any, names: tuple[str, ...]) -> dict[str, Any]:
    """A record whose fields are all plain already; there are hundreds of them in a state."""
    return {name: getattr(record, name) for name in names}


def encode_frame(frame: Frame) -> dict[str, Any]:
    return {"frame": frame.name(), **{name: plain(getattr(frame, name)) for name in field_names(type(frame))}}


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
        "revision": state.revision,
        "silent": {str(seat): count for seat, count in sorted(state.silent.items())},
        "serial": state.serial,
        "era": state.era,
    }


def decode(
    data: Mapping[str, Any], frames: FrameBook, dice: Dice, kind: type[State] = State, extras: Shape | None = None
) -> State:
    if set(data) != STATE_FIELDS:
        raise Unreadable(f"the state has other fields than it should: {sorted(set(data) ^ STATE_FIELDS)}")
    dice = dice.copy()
    dice.numbers = (data["numbers"][0], data["numbers"][1])
    return kind(
        game=data["game"],
        options=copied(data["options"]),
        dice=dice,
        seats={each.number: each for each in records(Seat, data["seats"])},
        hexes={each.place: each for each in records(Hex, data["hexes"])},
        counters={each.number: each for each in records(Counter, data["counters"])},
        extras=decode_extras(data["extras"], extras),
        flow=frames.decode_flow(data["flow"]),
        result=decode_result(data["result"]),
        actions=data["actions"],
        revision=data["revision"],
        silent={int(seat): count for seat, count in data["silent"].items()},
        serial=data["serial"],
        era=data["era"],
    )


def records(kind: type[Any], rows: Iterable[Mapping[str, Any]]) -> Iterator[Any]:
    """Rows as records. A state has hundreds, so rows with all fields and no others are not read field by field."""
    shape = RECORDS[kind]
    for row in rows:
        yield kind(**row) if row.keys() == shape.types.keys() else shape.make(row)


def decode_extras(data: object, shape: Shape | None) -> dict[str, Any]:
    """What fits no row; fields that older games lack get their defaults."""
    if shape is None:
        if not isinstance(data, dict):
            raise Unreadable("the extras are not a record")
        return dict(copied(data))
    found = shape.read(data)
    whole = shape.kind(**found)
    return {name: getattr(whole, name) for name in shape.names if name in found or name not in shape.may_be_absent}


def decode_result(data: object) -> Result | None:
    if data is None:
        return None
    found = RECORDS[Result].read(data)
    return Result(tuple(found["winners"]), found["how"])


def state_hash(state: State) -> str:
    """Equal states have equal hashes on every machine. What others were told of is no part of how a game stands: of
    games begun before there were silent actions, every action counts as told."""
    told = {name: value for name, value in encode(state).items() if name not in ("revision", "silent")}
    return hashlib.sha256(canonical(told)).hexdigest()
