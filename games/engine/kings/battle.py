"""The arithmetic of battle: who rolls how many dice in which step, who can take hits, and how many."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .catalogue import CASTLE, CITADEL, MARKSMANS_AIM
from .stacks import army, fort_left, owner_of, settlement, strength_left
from .state import IN_PLAY, WILD, KingsState

MAGIC, RANGED, MELEE = "magic", "ranged", "melee"
FORT = "fort"  # stands for the fort of a hex where a tag is wanted


@dataclass(frozen=True)
class Arms:
    """What a battle adds to the printed counters."""

    place: str
    dispelled: tuple[int, ...] = ()  # sides whose magic creatures fight in the Melee step
    held: Mapping[str, int] | None = None  # the Bow's or Sword's number -> who has it
    firewall: int = 0  # what the Firewall was rolled at, less the hits it took
    aims: tuple[int, ...] = ()  # Marksmen who shoot with their 2


@dataclass(frozen=True)
class Striker:
    """One counter's dice in one step."""

    tag: str
    name: str
    need: int  # hits with this or less (11.41)
    dice: int
    aimed: bool = False  # a Marksman's shot at whom he chooses


def cloud_over(state: KingsState, side: int, place: str) -> int:
    """The Black Cloud takes one from everything of the hex's owner (P8, X8)."""
    here = state.hexes[place]
    return 1 if state.extras.get("cloud") == place and here.owner is not None and here.owner == side else 0


def item_of(state: KingsState, arms: Arms, number: int) -> str:
    """The Bow or the Sword in the hands of a creature."""
    for item, holder in (arms.held or {}).items():
        if holder == number:
            return state.counters[int(item)].kind
    return ""


def rides(state: KingsState, number: int) -> bool:
    """In the Balloon, which is still up."""
    riders = state.extras.get("balloon") or []
    if number not in riders:
        return False
    place = state.counters[number].place
    return any(state.counters[n].kind == "balloon" for n in state.at(place))


def creature_strikes(state: KingsState, arms: Arms, side: int, number: int) -> tuple[str, Striker]:
    """The step in which a creature or hero fights, and its dice."""
    kind = state.kind(number)
    item = item_of(state, arms, number)
    value, dice, aimed = kind.value, 1, False
    if item == "bow":
        step, value = RANGED, value + 1
    elif item == "sword":
        step, value, dice = MELEE, value + 1, 2
    elif rides(state, number):
        step = RANGED
    elif kind.uses_magic:
        step = MELEE if side in arms.dispelled else MAGIC
    elif kind.shoots:
        step = RANGED
    else:
        step, dice = MELEE, 2 if kind.charges else 1
    if kind.slug == "marksman" and number in arms.aims and step == RANGED:
        value, aimed = value - kind.value + MARKSMANS_AIM, True
    need = value - cloud_over(state, side, arms.place)
    return step, Striker(state.counters[number].tag, kind.name, need, dice, aimed)


def strikers(state: KingsState, arms: Arms, side: int, step: str) -> list[Striker]:
    """Everything of one side that rolls in a step (11.31); a counter at 0 cannot (Weather Control)."""
    place, found = arms.place, []
    for number in army(state, side, place):
        when, striker = creature_strikes(state, arms, side, number)
        if when == step:
            found.append(striker)
    found += walls(state, arms, side, step)
    return [striker for striker in found if striker.need > 0]


def walls(state: KingsState, arms: Arms, side: int, step: str) -> list[Striker]:
    """Forts, cities and villages of the hex's owner, and what magic has put beside the creatures."""
    place, found = arms.place, []
    here, less = state.hexes[place], cloud_over(state, side, arms.place)
    if here.owner == owner_of(side):
        if here.fort and fort_step(here.fort) == step and fort_left(state, place):
            found.append(Striker(FORT, "Fort", fort_left(state, place) - less, 1))
        town = settlement(state, place)
        if town is not None and step == MELEE and strength_left(state, town):
            counter = state.counters[town]
            found.append(Striker(counter.tag, state.kind(town).name, strength_left(state, town) - less, 1))
    for number in magic_at_work(state, side, place):
        kind = state.kind(number)
        if ITEM_STEPS.get(kind.slug) == step:
            value = arms.firewall if kind.slug == "firewall" else kind.value
            found.append(Striker(state.counters[number].tag, kind.name, value - less, 1))
    return found


ITEM_STEPS = {"golem": MELEE, "balloon": RANGED, "firewall": MAGIC}


def magic_at_work(state: KingsState, side: int, place: str) -> list[int]:
    """Items that take part in the battle; wild defenders may lie beside one that nobody has used."""
    return [
        number
        for number in state.of(owner_of(side), place)
        if state.kind(number).sort == "magic"
        and (state.counters[number].spent == IN_PLAY or state.counters[number].kind == "balloon" and side != WILD)
    ]


def fort_step(level: int) -> str:
    """A castle shoots, a citadel uses magic, whatever is left of them (12.3)."""
    return {CASTLE: RANGED, CITADEL: MAGIC}.get(level, MELEE)


def targets_of(state: KingsState, arms: Arms, side: int, step: str) -> dict[str, int]:
    """Who of a side can be given hits in a step, and how many each can take (11.52, X5)."""
    place = arms.place
    found = {state.counters[number].tag: 1 for number in army(state, side, place)}
    here = state.hexes[place]
    if here.owner == owner_of(side):
        if left := fort_left(state, place):
            found[FORT] = left
        town = settlement(state, place)
        if town is not None and strength_left(state, town):
            found[state.counters[town].tag] = strength_left(state, town)
    for number in magic_at_work(state, side, place):
        slug, tag = state.counters[number].kind, state.counters[number].tag
        if slug in ("balloon", "bow", "sword") or (slug == "golem" and step != RANGED):
            found[tag] = 1
        elif slug == "firewall" and arms.firewall:
            found[tag] = arms.firewall
    return found


def magic_creatures(state: KingsState, arms: Arms, side: int) -> list[int]:
    """Those whom a Dispel Magic Scroll would send into the Melee step."""
    return [
        number for number in army(state, side, arms.place) if creature_strikes(state, arms, side, number)[0] == MAGIC
    ]


def worth(state: KingsState, number: int) -> int:
    """How much a counter is missed: its value, a little more for what it can do, most for a hero."""
    kind = state.kind(number)
    return 10 * kind.value + 3 * len(kind.symbols) + (25 if kind.sort == "hero" else 0)


def cheapest_losses(state: KingsState, arms: Arms, side: int, step: str, hits: int) -> tuple[str, ...]:
    """What the house gives up first: walls that stand again after the battle, then the weakest creatures."""
    targets = targets_of(state, arms, side, step)
    order = sorted(targets, key=lambda tag: (0, tag) if tag == FORT else rank_of_loss(state, tag))
    listed = [tag for tag in order for _ in range(targets[tag])]
    return tuple(listed[:hits])


def rank_of_loss(state: KingsState, tag: str) -> tuple[int, str]:
    number = state.tags[tag]
    kind = state.kind(number)
    if kind.slug == "firewall":
        return (-1, tag)
    if kind.sort == "income":
        return (1, tag)
    return (2 + worth(state, number), tag)
