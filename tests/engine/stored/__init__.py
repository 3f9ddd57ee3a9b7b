"""What stored games may hold: databases written by earlier releases, and a list of every field that was ever stored.

`shapes.json` lists frames and their steps, events, actions, extras, records, options, kinds and terrains, with types
of all fields. Nothing is ever taken off the list. After adding a field (with a default), a frame or an event, run

    python -m tests.engine.stored

A renamed or removed field needs a line in the game's Renames (games/engine/core/shapes.py); its old name stays listed.
`record.py` stores games with the code of a release.
"""

from __future__ import annotations

import dataclasses
import json
import typing
from pathlib import Path
from typing import Any

from games.engine import RULESETS
from games.engine.core.house import VOCABULARY as HOUSE
from games.engine.core.shapes import Renames, fields_renamed
from games.engine.core.state import Counter, Hex, Result, Seat

FOLDER = Path(__file__).parent
LIST = FOLDER / "shapes.json"
Listed = dict[str, Any]


def databases() -> list[Path]:
    return sorted(FOLDER.glob("*.sqlite3.xz"))


# ---- what the code stores today


def fields_of(kind: type[Any]) -> Listed:
    """Each field's type, and whether a stored record must have it."""
    hints = typing.get_type_hints(kind)
    missing = dataclasses.MISSING
    return {
        each.name: {
            "types": [spelt(hints[each.name])],
            "required": each.default is missing and each.default_factory is missing,
        }
        for each in dataclasses.fields(kind)
    }


def spelt(hint: Any) -> str:
    return str(hint.__name__ if isinstance(hint, type) and not typing.get_args(hint) else hint).replace("typing.", "")


def shapes_of(rules: Any) -> Listed:
    """Everything of one game that is stored by name."""
    records: Listed = {
        "frames": {name: fields_of(kind) for name, kind in rules.frames.kinds.items()},
        "events": {name: fields_of(kind) for name, kind in rules.event_kinds().items()},
        "actions": {name: fields_of(kind) for name, kind in {**rules.vocabulary.kinds, **HOUSE.kinds}.items()},
        "records": {kind.__name__.lower(): fields_of(kind) for kind in (Seat, Hex, Counter, Result)},
        "extras": {"extras": fields_of(rules.extras_kind)},
    }
    names = {
        "steps": [f"{name}.{step}" for name, kind in rules.frames.kinds.items() for step in kind.steps],
        "options": [f"{option.name}={value}" for option in rules.options for value in option.choices or ("",)],
        "counter_kinds": rules.counter_kinds,
        "terrains": rules.terrains,
    }
    return {**records, **{what: sorted(found) for what, found in names.items()}}


# ---- what was ever stored

RECORDS = ("frames", "events", "actions", "records", "extras")
NAMES = ("steps", "options", "counter_kinds", "terrains")


def listed() -> dict[str, Listed]:
    found: dict[str, Listed] = json.loads(LIST.read_text()) if LIST.exists() else {}
    return found


def merged(old: Listed, new: Listed) -> Listed:
    """The list with what the code stores today. `always` tells fields that no stored record lacks."""
    found: Listed = {what: {name: dict(kept) for name, kept in old.get(what, {}).items()} for what in RECORDS}
    for what in RECORDS:
        for name, fields in new.get(what, {}).items():
            is_new = name not in found[what]
            record = found[what].setdefault(name, {})
            for each, facts in fields.items():
                kept = record.get(each, {"types": [], "always": is_new})
                types = [*kept["types"], *(t for t in facts["types"] if t not in kept["types"])]
                record[each] = {"types": types, "always": kept["always"]}
    return {**found, **{what: sorted({*old.get(what, ()), *new[what]}) for what in NAMES}}


def write() -> None:
    lists = listed()
    for slug, rules in RULESETS.items():
        lists[slug] = merged(lists.get(slug, {}), shapes_of(rules))
    LIST.write_text(json.dumps(lists, indent=1, sort_keys=True) + "\n")


# ---- whether today's code can read it


def faults(old: Listed, new: Listed, renames: Renames) -> list[str]:
    """Everything on the list that the code cannot read any more, in words."""
    found = []
    names = {"frames": renames.frames, "events": renames.events, "actions": renames.actions}
    fields = {
        "frames": renames.frame_fields,
        "events": renames.event_fields,
        "actions": renames.action_fields,
        "records": renames.record_fields,
    }
    for what in RECORDS:
        for name, stored in old[what].items():
            called = names.get(what, {}).get(name, name)
            if called not in new[what]:
                found.append(f"{what}: {name} is gone; register its new name")
                continue
            renamed = dict(renames.extras) if what == "extras" else fields_renamed(fields[what], called)
            found += [f"{what}: {name}: {fault}" for fault in field_faults(stored, new[what][called], renamed)]
    found += step_faults(old["steps"], new["steps"], renames)
    for what in ("options", "counter_kinds", "terrains"):
        found += [f"{what}: {each} is gone" for each in old[what] if each not in new[what]]
    return found


def field_faults(stored: Listed, today: Listed, renamed: dict[str, str]) -> list[str]:
    found, known = [], set()
    for name, facts in stored.items():
        called = renamed.get(name, name)
        if not called:
            continue  # given up
        if called not in today:
            found.append(f"the field {name} is gone; register its new name, or that it is given up")
            continue
        (now,) = today[called]["types"]
        found += [f"the field {name} held {t} and now {now}; rename it" for t in facts["types"] if not holds(now, t)]
        if facts["always"]:
            known.add(called)
    required = [name for name, facts in today.items() if facts["required"] and name not in known]
    return found + [f"the field {name} needs a default, as stored games lack it" for name in required]


def holds(now: str, then: str) -> bool:
    return now == "Any" or set(then.split(" | ")) <= set(now.split(" | "))


def step_faults(old: list[str], new: list[str], renames: Renames) -> list[str]:
    found = []
    for each in old:
        frame, step = each.split(".")
        frame = renames.frames.get(frame, frame)
        if f"{frame}.{renames.steps.get((frame, step), step)}" not in new:
            found.append(f"steps: {each} is gone; register its new name")
    return found
