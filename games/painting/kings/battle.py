"""The battle that is fought or the hex that is explored, and the dice on the table: the facts, which arena.py draws."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.engine.core.memo import Memo
from games.engine.core.view import Back, Face
from games.engine.kings.battle import MAGIC, MELEE, RANGED, fort_step, is_clouded
from games.engine.kings.catalogue import FORTS, KINDS
from games.engine.kings.view import HexView, KingsFace, KingsView, under_way

from ..scene import Line, Scene
from .board import picture_of
from .counters import Marked, marked_in
from .looks import FIGHTS
from .places import names_on

WILD_NAME = "Wild defenders"
NOTHING: frozenset[str] = frozenset()
Doing = tuple[dict[str, Any], ...]  # procedures under way, outermost first
BATTLE_STEPS = ("magic", "ranged", "melee", "retreat")


@dataclass(frozen=True)
class Dice:
    """One thrower's dice: the faces, and where that is known whose they are and what they must not exceed."""

    side: int
    name: str
    faces: tuple[int, ...]
    bonus: int = 0
    whose: tuple[str, ...] = ()
    needs: tuple[int, ...] = ()


@dataclass(frozen=True)
class Walls:
    """The fort that fights on a side."""

    level: int
    left: int  # levels that still stand
    value: int  # combat value now


Note = tuple[str, str]  # a picture of the sprite, or none, and words
Loss = tuple[str, bool]  # who has gone, and whether as a bluff that was found out


@dataclass(frozen=True)
class Side:
    """One army of the battle that is shown."""

    number: int
    name: str
    role: str  # attacks, defends or explores
    counters: tuple[Marked, ...]
    walls: Walls | None
    notes: tuple[Note, ...]  # what the counters do not show themselves
    hits: int  # given to it in this step and not yet taken
    against: str  # whom it fights, where there are more than two
    lost: tuple[Loss, ...]  # in this battle so far, in order


Names = tuple[tuple[int, str], ...]  # seat -> what its player is called, so that it can be a key


def name_of_side(names: Mapping[int, str], side: int | None) -> str:
    return WILD_NAME if side is None or side < 0 else names[side]


def battle_context(
    scene: Scene, view: KingsView, here: Mapping[str, tuple[Face | Back, ...]], terrains: frozenset[str]
) -> dict[str, Any]:
    battle, names = view.under_way(*FIGHTS), tuple(scene.names.items())
    why, dice = kept_roll((view.rolled, view.doing), names)
    if not battle:
        are_news = bool(view.under_way("roll")) or have_just_rolled(scene)
        return {"battle": None, "why": why if are_news else "", "dice": dice if are_news else ()}
    if not (why == battle["frame"] == "explore" or has_rolled_here(scene, battle["frame"])):
        dice = ()
    place = battle["place"]
    land = next(each for each in view.hexes if each.place == place)
    counters = here.get(place, ())
    # Nobody but the owner of a counter in doubt is shown another battle than the others.
    own = any(is_in_doubt(c) for c in counters)
    seat, terrains = (view.seat, terrains) if own else (None, NOTHING)
    return {
        "battle": (battle["frame"], names_on(view, scene.table).get(place, place), battle.get("round", 0)),
        "step": "retreat" if view.under_way("retreating") else battle.get("step", ""),
        "place": place,
        "sides": kept_sides(
            (view.doing, land, counters), names, seat, terrains, view.cloud, view.balloon, lost_so_far(scene, battle)
        ),
        "why": why,
        "dice": dice,
    }


def has_rolled_here(scene: Scene, frame: str) -> bool:
    """Whether the dice on the table belong to what is fought now; those of before are there until others are thrown."""
    newest = next((line.event for line in reversed(scene.lines) if line.event in DICE_OR_BATTLE), "")
    return frame == "battle" and newest in DICE_EVENTS


def have_just_rolled(scene: Scene) -> bool:
    """Whether dice were thrown since the viewer's own last step, or in this phase if they only watch."""
    for line in reversed(scene.lines):
        if line.event in DICE_EVENTS:
            return line.revision >= scene.acted
        if line.revision < scene.acted or (line.event == "phase_began" and scene.view.seat is None):
            break
    return False


DICE_EVENTS = ("rolled", "wild_rolled")
DICE_OR_BATTLE = (*DICE_EVENTS, "battle_began")

Lost = tuple[tuple[int, Loss], ...]  # side and who has gone, in order
FAR_BACK = 600  # lines: no battle is longer


def lost_so_far(scene: Scene, battle: Mapping[str, Any]) -> Lost:
    """Who has fallen in the battle under way, as the viewer's own log tells it."""
    if battle["frame"] != "battle":
        return ()
    lines = scene.lines
    start = began_at(lines, len(lines) - 1, battle["place"])
    return () if start is None else losses_in(lines[start:], battle["place"])


def began_at(lines: Sequence[Line], end: int, place: str) -> int | None:
    """The line with which the latest battle for a hex began."""
    for number in range(end, max(-1, end - FAR_BACK), -1):
        line = lines[number]
        if line.event == "battle_began" and line.facts["place"] == place and not line.taken_back:
            return number
    return None


def losses_in(lines: Sequence[Line], place: str) -> Lost:
    return tuple(
        (-1 if line.facts["seat"] is None else line.facts["seat"], (line.facts["creature"], line.event != "fell"))
        for line in lines
        if line.event in ("fell", "bluffs_removed") and not line.taken_back and line.facts["place"] in ("", place)
    )


def battle_sides(
    doing: Doing,
    land: HexView,
    counters: tuple[Face | Back, ...],
    called: Names,
    seat: int | None,
    terrains: frozenset[str],
    cloud: str,
    balloon: tuple[str, ...],
    lost: Lost,
) -> Iterator[Side]:
    battle, names = under_way(doing, *FIGHTS), dict(called)
    hits = under_way(doing, "strike").get("hits", {})
    numbers = [*battle.get("attackers", [battle.get("seat")]), battle.get("defender", -1)]
    targets = battle.get("targets", {}) if len(numbers) > 2 else {}
    marked = [(c, mark if is_in_doubt(c) else "") for c, mark in marked_in(seat, counters, terrains)]
    for side in dict.fromkeys(numbers):
        target = targets.get(str(side), targets.get(side))
        yield Side(
            side,
            name_of_side(names, side),
            role_of(battle, side),
            tuple(each for each in marked if (-1 if each[0].owner is None else each[0].owner) == side),
            walls_of(land, side),
            tuple(notes_on(cloud, balloon, battle, land, side, counters)),
            hits.get(str(side), 0),
            "" if target is None else name_of_side(names, target),
            tuple(who for of, who in lost if of == side),
        )


kept_sides = Memo(lambda objects, *facts: tuple(battle_sides(*objects, *facts)), 256)


def role_of(battle: Mapping[str, Any], side: int) -> str:
    if battle["frame"] != "battle":
        return "explores" if side == battle.get("seat") else ""
    return "defends" if side == battle["defender"] else "attacks"


def walls_of(land: HexView, side: int) -> Walls | None:
    if not land.fort or land.owner != side:
        return None
    return Walls(land.fort, land.fort - land.damage, land.fort_value)


def is_in_doubt(counter: Face | Back) -> bool:
    """One's own counter that is still face down may be a bluff, and gone before the first die."""
    return isinstance(counter, Face) and not counter.face_up


def notes_on(
    cloud: str,
    balloon: tuple[str, ...],
    battle: dict[str, Any],
    land: HexView,
    side: int,
    counters: tuple[Face | Back, ...],
) -> Iterator[Note]:
    """What strengthens or weakens a side, in words; the values on its counters are those of now."""
    owner = None if side < 0 else side
    own = {c.tag: c for c in counters if c.owner == owner and isinstance(c, KingsFace)}
    if land.fort and land.owner == owner and (words := fort_words(land)):
        yield "", words
    if is_clouded(cloud, land, owner):
        yield "cloud", "The Black Cloud: all values are one less"
    for item, tag in battle.get("held", {}).items():
        if tag in own:
            how = "ranged" if item == "bow" else "two dice"
            words = f"{KINDS[item].name}: {KINDS[own[tag].kind].name}, {how}, {hit_words(own[tag].value)}"
            yield picture_of(KINDS[item]), words
    for wall in (c for c in own.values() if c.kind == "firewall" and battle.get("firewall")):
        words = f"Firewall: takes {battle['firewall']} more, {hit_words(wall.value)}"
        yield picture_of(KINDS["firewall"]), words
    if side in battle.get("dispelled", ()):
        yield "magic", "Magic dispelled: its magic creatures fight in melee"
    if riders := [KINDS[c.kind].name for tag, c in own.items() if tag in balloon]:
        yield picture_of(KINDS["balloon"]), f"In the Balloon, with the ranged: {', '.join(riders)}"


def hit_words(value: int) -> str:
    return f"{value} or less hits" if value else "cannot hit"


def fort_words(land: HexView) -> str:
    """What is left of a fort and how it fights; nothing where its counter in the line says it all."""
    left = f"{land.fort - land.damage} of {land.fort} left" if land.damage else str(land.fort)
    weakened = f", {hit_words(land.fort_value)}" if land.fort_value < land.fort - land.damage else ""
    how = HOW_FORTS_FIGHT[fort_step(land.fort)]
    return f"{FORTS[land.fort].capitalize()}: {left}{how}{weakened}" if land.damage or how or weakened else ""


HOW_FORTS_FIGHT = {MAGIC: ", uses magic", RANGED: ", shoots", MELEE: ""}


def shown_roll(rolled: tuple[Any, ...], doing: Doing, called: Names) -> tuple[str, tuple[Dice, ...]]:
    """The dice on the table; while they may still be answered, the View also tells whose each is."""
    if not rolled:
        return "", ()
    why, throwers, faces, *more = rolled
    called_by = dict(called)
    now = next((each for each in reversed(doing) if each["frame"] == "roll" and each["faces"] == faces), None)
    names, needs = (now["names"], now["needs"]) if now else more or ((), ())
    return str(why), tuple(
        Dice(
            seat,
            name_of_side(called_by, seat),
            tuple(faces[at]),
            now["bonus"][at] if now else 0,
            tuple(names[at]) if at < len(names) else (),
            tuple(needs[at]) if at < len(needs) else (),
        )
        for at, seat in enumerate(throwers)
    )


kept_roll = Memo(lambda objects, called: shown_roll(objects[0], objects[1], called), 256)

DICE = " ⚀⚁⚂⚃⚄⚅"
