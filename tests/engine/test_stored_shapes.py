"""Whatever was ever stored can still be read: a field that changes without a rename or a default fails here (C13)."""

from __future__ import annotations

import copy
import re
from dataclasses import dataclass, field, make_dataclass
from typing import Any

import pytest

from games.engine import RULESETS
from games.engine.core.codec import FrameBook
from games.engine.core.flow import Frame
from games.engine.core.shapes import GIVEN_UP, NO_RENAMES, NewerRules, Renames, Shape, Unreadable, fits
from tests.engine.stored import faults, listed, merged, shapes_of

SLUGS = tuple(RULESETS)


@pytest.mark.parametrize("slug", SLUGS)
def test_everything_ever_stored_can_be_read(slug):
    found = faults(listed()[slug], shapes_of(RULESETS[slug]), RULESETS[slug].renames)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("slug", SLUGS)
def test_everything_stored_today_is_on_the_list(slug):
    known = listed()[slug]
    assert merged(known, shapes_of(RULESETS[slug])) == known, "run: python -m tests.engine.stored"


# ---- the list notices what would stop a stored game


def told(change: Any, renames: Renames = NO_RENAMES) -> list[str]:
    """What is said when the code of Kings & Things* has changed like this."""
    today = copy.deepcopy(shapes_of(RULESETS["kings"]))
    change(today)
    return faults(listed()["kings"], today, renames)


def rename_attackers(today: Any) -> None:
    battle = today["frames"]["battle"]
    battle["assailants"] = battle.pop("attackers")


def test_a_renamed_field_is_noticed_and_its_rename_is_enough():
    (fault,) = (f for f in told(rename_attackers) if "attackers" in f)
    assert fault.startswith("frames: battle: the field attackers is gone")
    assert told(rename_attackers, Renames(frame_fields={("battle", "attackers"): "assailants"})) == []


def test_a_removed_field_is_noticed_and_giving_it_up_is_enough():
    def remove(today: Any) -> None:
        del today["frames"]["roll"]["why"]

    assert told(remove) == ["frames: roll: the field why is gone; register its new name, or that it is given up"]
    assert told(remove, Renames(frame_fields={("roll", "why"): GIVEN_UP})) == []


def test_a_field_added_without_a_default_is_noticed():
    def add(today: Any, required: bool = True) -> None:
        today["frames"]["roll"]["loaded"] = {"types": ["bool"], "required": required}

    assert told(add) == ["frames: roll: the field loaded needs a default, as stored games lack it"]
    assert told(lambda today: add(today, required=False)) == []


def test_a_field_that_holds_something_else_is_noticed():
    def change(to: str) -> Any:
        return lambda today: today["frames"]["roll"]["why"].update(types=[to])

    assert told(change("list[str]")) == ["frames: roll: the field why held str and now list[str]; rename it"]
    assert told(change("str | None")) == []


def test_renamed_frames_and_steps_are_noticed():
    def rename(today: Any) -> None:
        today["frames"]["throw"] = today["frames"].pop("roll")
        today["steps"] = [re.sub(r"^roll\.", "throw.", each) for each in today["steps"]]

    assert "frames: roll is gone; register its new name" in told(rename)
    assert told(rename, Renames(frames={"roll": "throw"})) == []


@pytest.mark.parametrize(
    "what, name", [("events", "rolled"), ("actions", "march"), ("extras", "extras"), ("records", "hex")]
)
def test_other_records_are_on_the_list_as_well(what, name):
    def remove(today: Any) -> None:
        today[what][name].popitem()

    assert [fault for fault in told(remove) if fault.startswith(f"{what}: {name}: the field")]


@pytest.mark.parametrize("what", ["counter_kinds", "terrains", "options"])
def test_a_kind_that_is_gone_is_noticed(what):
    assert len(told(lambda today: today[what].pop())) == 1


# ---- reading


@dataclass(kw_only=True)
class Tent(Frame):
    """A frame for these tests."""

    seat: int
    guests: list[int] = field(default_factory=list)
    steps = ("pitch", "sleep")


TENT = {"frame": "tent", "seat": 1, "guests": [2], "next": "sleep", "into": "", "serial": 4, "answers": 0}


def test_a_frame_is_read_as_it_was_stored():
    tent = FrameBook([Tent]).decode(TENT)
    assert tent == Tent(seat=1, guests=[2], next="sleep", serial=4)


@pytest.mark.parametrize(
    "change, why",
    [
        ({"guest": [1]}, "the frame tent has no field guest"),
        ({"seat": None}, "the frame tent: the field seat does not hold int"),
        ({"seat": True}, "the frame tent: the field seat does not hold int"),
        ({"guests": ["2"]}, "the frame tent: the field guests does not hold list"),
        ({"next": "wake"}, "the frame tent has no step wake"),
        ({"frame": "hut"}, "there is no frame hut"),
    ],
)
def test_a_frame_that_does_not_fit_is_refused(change, why):
    with pytest.raises(Unreadable, match=why):
        FrameBook([Tent]).decode({**TENT, **change})


def test_a_missing_field_needs_a_default():
    assert FrameBook([Tent]).decode({"frame": "tent", "seat": 1}) == Tent(seat=1)
    with pytest.raises(Unreadable, match="the frame tent lacks the field seat"):
        FrameBook([Tent]).decode({"frame": "tent"})


def test_older_names_are_read_when_they_are_registered():
    renames = Renames(
        frames={"hut": "tent"},
        steps={("tent", "lie"): "sleep"},
        frame_fields={("tent", "owner"): "seat", ("tent", "colour"): GIVEN_UP},
    )
    stored = {"frame": "hut", "owner": 1, "colour": "red", "next": "lie"}
    assert FrameBook([Tent], renames).decode(stored) == Tent(seat=1, next="sleep")


def test_a_message_never_tells_a_value():
    with pytest.raises(Unreadable) as refused:
        FrameBook([Tent]).decode({**TENT, "seat": "a secret"})
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    "hint, good, bad",
    [
        (int, 3, True),
        (bool, False, 0),
        (str, "a", 1),
        (list[int], [1, 2], [1, "2"]),
        (tuple[str, ...], ["a"], "a"),
        (dict[str, list[int]], {"a": [1]}, {"a": 1}),
        (int | None, None, "1"),
    ],
)
def test_values_fit_their_types(hint, good, bad):
    assert fits(hint, good) and not fits(hint, bad)


def test_a_type_that_cannot_be_stored_is_a_bug():
    with pytest.raises(TypeError, match="cannot be stored"):
        Shape(make_dataclass("Odd", [("when", complex)]), "odd").read({"when": 1})


@pytest.mark.parametrize("version", [str(int(RULESETS["kings"].version) + 1), "10", "two", ""])
def test_newer_rules_are_refused(version):
    with pytest.raises(NewerRules):
        RULESETS["kings"].check_version(version)


def test_older_and_equal_rules_are_not():
    for version in ("1", RULESETS["kings"].version):
        RULESETS["kings"].check_version(version)
