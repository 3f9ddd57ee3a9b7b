"""The arena: a battle or an exploration drawn over the map, with all sides, their dice, their fallen, and the result.

It is drawn from the viewer's View and log. What everybody sees alike is drawn once for all of them; scripts mark the
viewer's own side, and let what is drawn here move.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.utils.safestring import SafeString

from games.engine.core.memo import Memo
from games.engine.kings.catalogue import FORTS, KINDS
from games.engine.kings.terms import is_hit
from games.engine.kings.view import KingsFace

from ..markup import element, join
from ..scene import Scene
from .battle import BATTLE_STEPS, DICE, Dice, Loss, Note, Side, Walls, began_at, losses_in, name_of_side
from .board import picture_of, seat_class, sprite
from .captions import caption_of
from .counters import owner_badge, pickable, small_svg
from .teller import Teller, at_place
from .words import LABELS

RECENT = 60  # lines: the result of an older battle is not shown any more
MOST_RESULTS = 3
FORT = "Fort"  # what dice call any fort
SLUGS = {kind.name: slug for slug, kind in KINDS.items()}
FEW, MANY = 4, 8  # fighters of the largest side: up to so many are large, from so many on small


# ---- the dice on the table


def die(face: int) -> SafeString:
    return element("span", DICE[face] if 1 <= face <= 6 else str(face), class_="die", aria_label=str(face), role="img")


def draw_dice(dice: Dice) -> SafeString:
    """One thrower's dice: each beside its counter where it is known, with hit or miss."""
    return join(*draw_some(dice, range(len(dice.faces))), draw_bonus(dice))


def draw_some(dice: Dice, which: Sequence[int]) -> Iterator[SafeString]:
    for at in which:
        yield draw_die_of(dice, at) if dice.whose else die(dice.faces[at])


def draw_bonus(dice: Dice) -> SafeString:
    return element("span", f"{dice.bonus:+d}", class_="small") if dice.bonus else SafeString("")


def draw_die_of(dice: Dice, at: int) -> SafeString:
    face, need = dice.faces[at], dice.needs[at] if at < len(dice.needs) else None
    name = dice.whose[at] if at < len(dice.whose) else ""
    if need is None:
        return element("span", f"{name}: ", die(face), class_="die-of")
    result = "hit" if is_hit(face, need) else "miss"
    verdict = element("span", result, class_="verdict")
    return element("span", f"{name} {need}: ", die(face), " ", verdict, class_=f"die-of {result}")


def dice_context(fight: dict[str, Any]) -> dict[str, Any]:
    """Dice that no battle has anything to do with stand beside the map."""
    return {"why": fight["why"], "dice": () if fight["battle"] else fight["dice"]}


def draw_dice_panel(context: dict[str, Any]) -> SafeString:
    return dice_drawn(context["why"], context["dice"])


@lru_cache(maxsize=256)
def dice_drawn(why: str, dice: tuple[Dice, ...]) -> SafeString:
    return draw_last_dice(f"Dice: {LABELS.get(why, why)}", list(dice))


def draw_last_dice(heading: str, rows: list[Dice]) -> SafeString:
    if not rows:
        return SafeString("")
    dice = [
        element("div", element("span", each.name, class_="who"), draw_dice(each), class_="dice-row") for each in rows
    ]
    return element("div", element("h4", heading), *dice, class_="dice")


# ---- the battle


def arena_context(scene: Scene, fight: dict[str, Any]) -> dict[str, Any]:
    """The battle under way; else how the latest ones ended, as several may end with one message."""
    if fight["battle"]:
        return fight
    return {"battle": None, "results": last_results(scene)}


def draw_arena(context: dict[str, Any]) -> SafeString:
    """Whoever is shown the same battle is shown the same sides and dice, as objects, so it is drawn once for them."""
    if context["battle"] is None:
        return join(*(draw_result(result, sprite()) for result in context["results"]))
    return draw_battle(context)


def draw_battle(context: dict[str, Any]) -> SafeString:
    """The battle under way, if any."""
    if context["battle"] is None:
        return SafeString("")
    facts = (context["battle"], context["place"], context["why"], context["step"])
    return kept_arena((context["sides"], context["dice"]), sprite(), *facts)


def arena_drawn(
    sides: tuple[Side, ...],
    thrown: tuple[Dice, ...],
    art: str,
    battle: tuple[str, str, int],
    place: str,
    why: str,
    step: str,
) -> SafeString:
    dice = {each.side: each for each in thrown}
    frame, where, round_ = battle
    title = f"Battle in {where}" if frame == "battle" else f"Exploring {where}"
    thrown_here = why in BATTLE_STEPS  # other dice, as those of the exploration, need their heading
    drawn = [draw_side(side, dice.pop(side.number, None) if thrown_here else None, art) for side in sides]
    return join(
        element(
            "header",
            element("h3", title + (f", round {round_}" if round_ else "")),
            draw_steps(step) if round_ else "",
            class_="fight-head",
            data_fight=f"{frame} {place}",
        ),
        draw_sides(drawn, crowd(sides), "" if why == step or not thrown_here else " thrown-before"),
        draw_last_dice(f"Dice: {LABELS.get(why, why)}", list(dice.values())),
    )


kept_arena = Memo(lambda objects, *facts: arena_drawn(*objects, *facts), 64)


def draw_sides(drawn: Sequence[SafeString], size: str, more: str = "") -> SafeString:
    return element("div", *drawn, class_=f"battle-sides{size}{more}", data_sides=len(drawn))


def crowd(sides: tuple[Side, ...]) -> str:
    """How large counters can be drawn, by the largest side."""
    most = max(len(side.counters) + len(side.lost) + (side.walls is not None) for side in sides)
    return size_for(most)


def size_for(most: int) -> str:
    return "" if most <= FEW else " many" if most >= MANY else " some"


def draw_steps(now: str) -> SafeString:
    """The steps of a round as a track. Steps that are over have been gone through; nothing is on before the round."""
    at = BATTLE_STEPS.index(now) if now in BATTLE_STEPS else -1
    sorts = ["over" if number < at else "now" if number == at else None for number in range(len(BATTLE_STEPS))]
    steps = [element("li", step, class_=sort) for step, sort in zip(BATTLE_STEPS, sorts)]
    return element("ol", *steps, class_="battle-steps")


def draw_side(side: Side, dice: Dice | None, art: str) -> SafeString:
    rolls, loose = beside(side, dice)
    line = [
        *([fighter(draw_walls(side.walls, side.number), dice, rolls.popleft())] if side.walls else []),
        *(fighter(pickable(c, mark, art, titled=False), dice, rolls.popleft()) for c, mark in side.counters),
        *(fighter(draw_fallen(loss), dice, rolls.popleft()) for loss in side.lost),
    ]
    return element(
        "div",
        draw_name(side.number, side.name, f"fights {side.against}" if side.against else ""),
        element("div", *line, class_="counters"),
        element("div", *draw_some(dice, loose), draw_bonus(dice), class_="dice-row") if dice and loose else "",
        element("ul", *map(draw_note, side.notes), class_="item-cards") if side.notes else "",
        element("p", f"{side.hits} hit{'' if side.hits == 1 else 's'} to take", class_="hits") if side.hits else "",
        class_=f"battle-side {seat_class(None if side.number < 0 else side.number)} {side.role}".rstrip(),
        data_side=side.number,
    )


def draw_name(side: int, name: str, does: str = "") -> SafeString:
    """Whose side it is; the style sheet adds what the side does, unless it is told."""
    told = (" ", element("span", does, class_="does")) if does else ()
    return element("h4", owner_badge(side) if side >= 0 else "", element("bdi", name), *told)


def fighter(counter: SafeString, dice: Dice | None, which: Sequence[int]) -> SafeString:
    """One of the line, with the dice it has thrown, if any."""
    if dice is None or not which:
        return counter
    return element("div", counter, *(draw_die_beside(dice, at) for at in which), class_="fighter")


def draw_die_beside(dice: Dice, at: int) -> SafeString:
    """It stands beside whoever threw it, so it needs no name."""
    face = dice.faces[at]
    result = ("hit" if is_hit(face, dice.needs[at]) else "miss") if at < len(dice.needs) else ""
    return element("span", die(face), result, class_=f"die-of {result}".rstrip())


def draw_note(note: Note) -> SafeString:
    picture, words = note
    return element("li", small_svg(picture, "picture") if picture else "", words)


@lru_cache(maxsize=256)
def draw_walls(walls: Walls, owner: int) -> SafeString:
    """A fort, with a mark for each of its levels that stands or has crumbled. It takes hits like a counter."""
    name = FORTS[walls.level]
    levels = [element("i", class_=None if at < walls.left else "gone") for at in range(walls.level)]
    return element(
        "button",
        small_svg(name, "picture"),
        element("span", name.capitalize(), class_="name"),
        element("span", *levels, class_="levels", role="img", aria_label=f"{walls.left} of {walls.level} levels left"),
        element("span", walls.value, class_="value"),
        class_=f"counter fort {seat_class(owner)}",
        type="button",
        data_tag="fort",
        data_kind=name,
    )


@lru_cache(maxsize=512)
def draw_fallen(loss: Loss) -> SafeString:
    """Whoever has gone; the style sheet says how. There may be many of them, so there is little of it."""
    name, is_bluff = loss
    kind = KINDS[SLUGS[name]] if name in SLUGS else None
    return element(
        "span",
        small_svg(picture_of(kind) if kind else "back", "picture"),
        element("span", name, class_="name"),
        class_=f"counter {'fallen bluffed' if is_bluff else 'fallen'}",
    )


# ---- whose dice they are


Place = tuple[str, int | None, int]  # somebody in the line: name, value now if it is known, dice they throw


def beside(side: Side, dice: Dice | None) -> tuple[deque[list[int]], list[int]]:
    """For everybody in the line which dice they threw, and the dice of nobody there.

    Dice are known by the name and the value of whoever threw them. Of several alike each gets as many as it throws;
    whoever has fallen since comes last.
    """
    line = list(places_in(side))
    rolls: deque[list[int]] = deque([] for _ in line)
    loose: list[int] = []
    for at in range(len(dice.faces) if dice is not None else 0):
        name = dice.whose[at] if dice is not None and at < len(dice.whose) else ""
        need = dice.needs[at] if dice is not None and at < len(dice.needs) else None
        called = [place for place, (each, *_) in enumerate(line) if name and each == name]
        free = [place for place in called if len(rolls[place]) < line[place][2]]
        best = [place for place in free if line[place][1] == need] or free or called
        (rolls[best[0]] if best else loose).append(at)
    return rolls, loose


def places_in(side: Side) -> Iterator[Place]:
    """The line in the order in which it is drawn."""
    if side.walls:
        yield FORT, side.walls.value, 1
    for counter, _ in side.counters:
        kind = KINDS[counter.kind] if isinstance(counter, KingsFace) else None
        yield (kind.name, counter.value, 1 + kind.charges) if kind else ("", None, 1)  # type: ignore[union-attr]
    for name, _ in side.lost:
        yield name, None, 1 + any(kind.charges for kind in KINDS.values() if kind.name == name)


# ---- how it ended


@dataclass(frozen=True)
class Ended:
    """How one side came out of a battle."""

    number: int
    name: str
    lost: tuple[Loss, ...]
    retreated: bool


@dataclass(frozen=True)
class Result:
    """A battle that is over. Its number is that of the log line that says so."""

    number: int
    place: str
    title: str
    winner: int | None
    says: str
    sides: tuple[Ended, ...]
    gained: tuple[str, ...]


def last_results(scene: Scene) -> tuple[Result, ...]:
    """The latest battles that ended not long ago, as the viewer's own log tells it; the latest stands last."""
    lines = scene.lines
    over = [
        number
        for number in range(max(0, len(lines) - RECENT + 1), len(lines))
        if lines[number].event == "battle_over" and not lines[number].taken_back
    ]
    return tuple(filter(None, (result_of(scene, number) for number in over[-MOST_RESULTS:])))


def result_of(scene: Scene, at: int) -> Result | None:
    lines, facts = scene.lines, scene.lines[at].facts
    place, winner = facts["place"], facts["winner"]
    began = began_at(lines, at, place)
    if began is None:
        return None
    tell = Teller(scene.names, None, lines)  # in the same words for everybody
    sides = (*lines[began].facts["attackers"], lines[began].facts["defender"])
    lost = losses_in(lines[began:at], place)
    left = {line.facts["seat"] for line in lines[began:at] if line.event == "retreated" and not line.taken_back}
    return Result(
        number=at,
        place=place,
        title=f"The battle in {at_place(lines[at])} is over",
        winner=winner,
        says=f"{tell.does(winner, 'hold')} the field." if winner is not None else "Nobody is left there.",
        sides=tuple(
            Ended(side, name_of_side(scene.names, side), tuple(who for of, who in lost if of == side), side in left)
            for side in (-1 if each is None else each for each in sides)
        ),
        gained=tuple(gains(tell, at, place)),
    )


GAINS = frozenset(("captured", "looted", "damage_done", "earned"))


def gains(tell: Teller, at: int, place: str) -> Iterator[str]:
    """What came of it: land, loot, damage."""
    for number in range(at + 1, len(tell.lines)):
        line = tell.lines[number]
        if line.event in ("battle_began", "phase_began", "turn_began"):
            return
        if line.event in GAINS and line.facts.get("place", place) == place and (caption := caption_of(tell, number)):
            yield caption.says


def draw_past_arena(scene: Scene, fight: dict[str, Any]) -> SafeString:
    """The arena at an earlier step: a battle, or the result of one that ended with that step."""
    context = arena_context(scene, fight)
    if context["battle"] is not None:
        return draw_arena(context)
    ended_now = [each for each in context["results"] if scene.lines[each.number].revision == scene.view.revision]
    return join(*(draw_result(each, sprite(), is_hidden=False) for each in ended_now))


@lru_cache(maxsize=64)
def draw_result(result: Result, art: str, is_hidden: bool = True) -> SafeString:
    """Arrives hidden: a page shows it once its film has come to the end of the battle."""
    size = size_for(max(len(side.lost) for side in result.sides))
    badge = owner_badge(result.winner) if result.winner is not None and result.winner >= 0 else ""
    return element(
        "div",
        element("header", element("h3", result.title), class_="fight-head"),
        element("p", badge, result.says, class_="holds"),
        draw_sides([draw_ended(side) for side in result.sides], size),
        element("ul", *(element("li", each) for each in result.gained), class_="gains") if result.gained else "",
        element("button", "Got it", type="button", class_="button small", data_arena="read") if is_hidden else "",
        class_="result",
        data_result=result.number,
        data_place=result.place,
        hidden="" if is_hidden else None,
    )


def draw_ended(side: Ended) -> SafeString:
    told = "retreated" if side.retreated else "" if side.lost else "lost nobody"
    return element(
        "div",
        draw_name(side.number, side.name),
        element("div", *map(draw_fallen, side.lost), class_="counters") if side.lost else "",
        element("p", told, class_="small") if told else "",
        class_=f"battle-side {seat_class(None if side.number < 0 else side.number)}",
        data_side=side.number,
    )
