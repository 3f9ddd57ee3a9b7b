"""The battle that is fought or the hex that is explored, and the dice on the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString

from games.engine.core.memo import Memo
from games.engine.core.view import Back, Face
from games.engine.kings.battle import MAGIC, MELEE, RANGED, fort_step, is_clouded
from games.engine.kings.catalogue import FORTS, KINDS
from games.engine.kings.terms import is_hit
from games.engine.kings.view import HexView, KingsFace, KingsView, under_way

from ..markup import element, join
from ..scene import Scene
from .board import sprite
from .counters import Marked, marked_in, owner_badge, pickable
from .looks import FIGHTS
from .places import names_on
from .words import LABELS

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
class Side:
    """One army of the battle that is shown."""

    number: int
    name: str
    counters: tuple[Marked, ...]
    notes: tuple[str, ...]  # what the counters do not show themselves
    hits: int  # given to it in this step and not yet taken
    against: str  # whom it fights, where there are more than two


Names = tuple[tuple[int, str], ...]  # seat -> what its player is called, so that it can be a key


def name_of_side(names: Mapping[int, str], side: int | None) -> str:
    return WILD_NAME if side is None or side < 0 else names[side]


def battle_context(
    scene: Scene, view: KingsView, here: Mapping[str, tuple[Face | Back, ...]], terrains: frozenset[str]
) -> dict[str, Any]:
    battle, names = view.under_way(*FIGHTS), tuple(scene.names.items())
    why, dice = kept_roll((view.rolled, view.doing), names)
    if not battle:
        return {"battle": None, "why": why, "dice": dice}
    if why != "explore" and not has_rolled_here(scene, battle["frame"]):
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
        "sides": kept_sides((view.doing, land, counters), names, seat, terrains, view.cloud, view.balloon),
        "asked": tuple(scene.name(number) for number in view.asked),
        "why": why,
        "dice": dice,
    }


def has_rolled_here(scene: Scene, frame: str) -> bool:
    """Whether the dice on the table belong to what is fought now; those of before are there until others are thrown."""
    newest = next((line.event for line in reversed(scene.lines) if line.event in DICE_OR_BATTLE), "")
    return frame == "battle" and newest in DICE_EVENTS


DICE_EVENTS = ("rolled", "wild_rolled")
DICE_OR_BATTLE = (*DICE_EVENTS, "battle_began")


def battle_sides(
    doing: Doing,
    land: HexView,
    counters: tuple[Face | Back, ...],
    called: Names,
    seat: int | None,
    terrains: frozenset[str],
    cloud: str,
    balloon: tuple[str, ...],
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
            tuple(each for each in marked if (-1 if each[0].owner is None else each[0].owner) == side),
            tuple(notes_on(cloud, balloon, battle, land, side, counters)),
            hits.get(str(side), 0),
            "" if target is None else name_of_side(names, target),
        )


kept_sides = Memo(lambda objects, *facts: tuple(battle_sides(*objects, *facts)), 256)


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
) -> Iterator[str]:
    """What strengthens or weakens a side, in words; the values on its counters are those of now."""
    owner = None if side < 0 else side
    own = {c.tag: c for c in counters if c.owner == owner and isinstance(c, KingsFace)}
    if land.fort and land.owner == owner:
        yield fort_words(land)
    if is_clouded(cloud, land, owner):
        yield "The Black Cloud: all values are one less"
    for item, tag in battle.get("held", {}).items():
        if tag in own:
            how = "ranged" if item == "bow" else "two dice"
            yield f"{KINDS[item].name}: {KINDS[own[tag].kind].name}, {how}, {hit_words(own[tag].value)}"
    for wall in (c for c in own.values() if c.kind == "firewall" and battle.get("firewall")):
        yield f"Firewall: takes {battle['firewall']} more, {hit_words(wall.value)}"
    if side in battle.get("dispelled", ()):
        yield "Magic dispelled: its magic creatures fight in melee"
    if riders := [KINDS[c.kind].name for tag, c in own.items() if tag in balloon]:
        yield f"In the Balloon, with the ranged: {', '.join(riders)}"


def hit_words(value: int) -> str:
    return f"{value} or less hits" if value else "cannot hit"


def fort_words(land: HexView) -> str:
    """A fort with what is left of it, and how it fights."""
    left = f"{land.fort - land.damage} of {land.fort} left" if land.damage else str(land.fort)
    weakened = f", {hit_words(land.fort_value)}" if land.fort_value < land.fort - land.damage else ""
    return f"{FORTS[land.fort].capitalize()}: {left}{HOW_FORTS_FIGHT[fort_step(land.fort)]}{weakened}"


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


def die(face: int) -> SafeString:
    return element("span", DICE[face] if 1 <= face <= 6 else str(face), class_="die", aria_label=str(face), role="img")


def draw_dice(dice: Dice) -> SafeString:
    """One thrower's dice: each beside its counter where it is known, with hit or miss."""
    bonus = element("span", f"{dice.bonus:+d}", class_="small") if dice.bonus else ""
    if not dice.whose:
        return join(*(die(face) for face in dice.faces), bonus)
    return join(*(draw_die_of(dice, at) for at in range(len(dice.faces))), bonus)


def draw_die_of(dice: Dice, at: int) -> SafeString:
    face, need = dice.faces[at], dice.needs[at] if at < len(dice.needs) else None
    name = dice.whose[at] if at < len(dice.whose) else ""
    if need is None:
        return element("span", f"{name}: ", die(face), class_="die-of")
    result = "hit" if is_hit(face, need) else "miss"
    verdict = element("span", result, class_="verdict")
    return element("span", f"{name} {need}: ", die(face), " ", verdict, class_=f"die-of {result}")


def draw_battle(context: dict[str, Any]) -> SafeString:
    """Whoever is shown the same battle is shown the same sides and dice, as objects, so it is drawn once for them."""
    sides, dice = context.get("sides", ()), context["dice"]
    facts = (context["battle"], context["why"], context.get("step", ""), context.get("asked", ()))
    return kept_battle((sides, dice), sprite(), *facts)


def battle_drawn(
    sides: tuple[Side, ...],
    thrown: tuple[Dice, ...],
    art: str,
    battle: tuple[str, str, int] | None,
    why: str,
    step: str,
    asked: tuple[str, ...],
) -> SafeString:
    dice = {each.side: each for each in thrown}
    heading = f"Dice: {LABELS.get(why, why)}"
    if battle is None:
        return draw_last_dice(heading, list(dice.values()))
    frame, where, round_ = battle
    title = f"Battle in {where}" if frame == "battle" else f"Exploring {where}"
    thrown_here = why in BATTLE_STEPS  # other dice, as those of the exploration, need their heading
    drawn = [draw_side(side, dice.pop(side.number, None) if thrown_here else None, art) for side in sides]
    return join(
        element("h3", title + (f", round {round_}" if round_ else "")),
        draw_steps(step) if round_ else "",
        element("p", f"Asked: {' and '.join(asked)}", class_="small") if asked else "",
        element("div", *drawn, class_="battle-sides"),
        draw_last_dice(heading, list(dice.values())),
    )


kept_battle = Memo(lambda objects, *facts: battle_drawn(*objects, *facts), 64)


def draw_steps(now: str) -> SafeString:
    steps = [element("li", step, class_="now" if step == now else None) for step in BATTLE_STEPS]
    return element("ol", *steps, class_="battle-steps")


def draw_side(side: Side, dice: Dice | None, art: str) -> SafeString:
    lines = [
        element("p", f"Fights {side.against}", class_="small") if side.against else "",
        *(element("p", note, class_="small") for note in side.notes),
        element("div", draw_dice(dice), class_="dice-row") if dice else "",
        element("p", f"{side.hits} hit{'' if side.hits == 1 else 's'} to take", class_="hits") if side.hits else "",
    ]
    return element(
        "div",
        element("h4", owner_badge(side.number) if side.number >= 0 else "", f" {side.name}"),
        element("div", *(pickable(c, mark, art) for c, mark in side.counters), class_="counters"),
        *lines,
        class_="battle-side",
    )


def draw_last_dice(heading: str, rows: list[Dice]) -> SafeString:
    if not rows:
        return SafeString("")
    dice = [
        element("div", element("span", each.name, class_="who"), draw_dice(each), class_="dice-row") for each in rows
    ]
    return element("div", element("h4", heading), *dice, class_="dice")
