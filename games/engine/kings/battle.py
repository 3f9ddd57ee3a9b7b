"""The arithmetic of battle: combat values, who rolls how many dice in which step, who can take how many hits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from .catalogue import CASTLE, CITADEL, MARKSMANS_AIM, Kind
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
    aimed: bool = False  # a Marksman's shot at a chosen target


class Land(Protocol):
    """What a Hex of the State and the HexView of a View have in common."""

    @property
    def place(self) -> str: ...

    @property
    def owner(self) -> int | None: ...


# ---- combat values


def value_now(printed: int, *, hits: int = 0, is_armed: bool = False, is_clouded: bool = False) -> int:
    """The combat value a counter or fort has now; a die hits with this number or less (11.41).

    Forts, cities and villages lose a point for each hit (11.52), the Bow and the Sword add one (15), the Black Cloud
    takes one (P8). Dice, odds, bribes, spells, the Warlord's call, Views, pages and bots all ask this function.
    """
    return max(0, printed - hits + is_armed - is_clouded)


def is_clouded(cloud: str, here: Land, owner: int | None) -> bool:
    """The Black Cloud weakens everything that the owner of its hex has there (P8, X8)."""
    return cloud == here.place and owner is not None and here.owner == owner


def value_of(state: KingsState, arms: Arms, number: int) -> int:
    """A counter's combat value now, with what the battle or exploration under way has given it."""
    counter, kind = state.counters[number], state.kind(number)
    printed = arms.firewall if kind.slug == "firewall" else kind.value
    if kind.slug == "marksman" and number in arms.aims:
        printed = MARKSMANS_AIM
    here = state.hexes.get(counter.place)
    return value_now(
        printed,
        hits=counter.spent if kind.sort == "income" else 0,
        is_armed=bool(item_of(state, arms, number)),
        is_clouded=here is not None and is_clouded(state.extras["cloud"], here, counter.owner),
    )


def value_of_fort(state: KingsState, place: str) -> int:
    """A fort's combat value now; 0 where there is none."""
    here = state.hexes[place]
    return value_now(here.fort, hits=here.damage, is_clouded=is_clouded(state.extras["cloud"], here, here.owner))


# ---- who rolls


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


def step_and_dice(kind: Kind, item: str = "", *, rides: bool = False, is_dispelled: bool = False) -> tuple[str, int]:
    """The step in which a creature or hero fights (11.31), and how many dice it rolls (11.41)."""
    if item == "bow" or (rides and not item):
        return RANGED, 1
    if item == "sword":
        return MELEE, 2
    if kind.uses_magic:
        return (MELEE if is_dispelled else MAGIC), 1
    if kind.shoots:
        return RANGED, 1
    return MELEE, 2 if kind.charges else 1


def creature_strikes(state: KingsState, arms: Arms, side: int, number: int) -> tuple[str, Striker]:
    """The step in which a creature or hero fights, and its dice."""
    kind = state.kind(number)
    item = item_of(state, arms, number)
    step, dice = step_and_dice(kind, item, rides=rides(state, number), is_dispelled=side in arms.dispelled)
    aimed = kind.slug == "marksman" and number in arms.aims
    return step, Striker(state.counters[number].tag, kind.name, value_of(state, arms, number), dice, aimed)


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
    here = state.hexes[place]
    rolling = [n for n in magic_at_work(state, side, place) if ITEM_STEPS.get(state.counters[n].kind) == step]
    if here.owner == owner_of(side):
        if here.fort and fort_step(here.fort) == step:
            found.append(Striker(FORT, "Fort", value_of_fort(state, place), 1))
        town = settlement(state, place)
        if town is not None and step == MELEE:
            rolling.insert(0, town)
    for number in rolling:
        name = state.kind(number).name
        found.append(Striker(state.counters[number].tag, name, value_of(state, arms, number), 1))
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
    return worth_of_kind(state.kind(number))


def worth_of_kind(kind: Kind) -> int:
    """How much a counter is missed: its value, a little more for what it can do, most for a hero."""
    return 10 * kind.value + 3 * len(kind.symbols) + (25 if kind.sort == "hero" else 0)


def cheapest_losses(
    state: KingsState, arms: Arms, side: int, step: str, hits: int, spare_walls: bool = False
) -> tuple[str, ...]:
    """What the house gives up first: walls that stand again after the battle, then the weakest creatures.

    Somebody may order to spare the walls: then they come last."""
    targets = targets_of(state, arms, side, step)
    walls = LAST_OF_ALL if spare_walls else 0
    order = sorted(targets, key=lambda tag: (walls, tag) if tag == FORT else rank_of_loss(state, tag))
    listed = [tag for tag in order for _ in range(targets[tag])]
    return tuple(listed[:hits])


LAST_OF_ALL = 1000  # beyond the worth of any counter


def rank_of_loss(state: KingsState, tag: str) -> tuple[int, str]:
    number = state.tags[tag]
    kind = state.kind(number)
    if kind.slug == "firewall":
        return (-1, tag)
    if kind.sort == "income":
        return (1, tag)
    return (2 + worth(state, number), tag)
