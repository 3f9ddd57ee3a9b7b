"""Magic items that answer something: what each waits for, when a standing order plays it, and what it does (15, R1)."""

from __future__ import annotations

from typing import Any

from ...core.events import EVERYONE, Event
from ...core.offers import Exactly, Offer, OneOf
from ..actions import PlayItem
from ..battle import MAGIC
from ..catalogue import KINDS
from ..events import (
    BlownAway,
    CharmAimed,
    CharmAimedAtWild,
    CloudGone,
    CloudMoved,
    Cured,
    FanTurned,
    FanTurnedOff,
    ItemAimed,
    ItemAimedAt,
    ItemAimedAtWild,
    MagicDispelled,
    Scattered,
)
from ..flow.base import frame_named
from ..offers import Charms
from ..orders import ASK, EVERY, SKIP, order
from ..state import CUP, IN_PLAY, WILD, KingsState
from .charm import could_help

ON_THE_TABLE_NO_MORE = "off"  # where a Fan may send the Black Cloud
SCROLL, FAN = KINDS["dispel_magic_scroll"].name, KINDS["fan"].name


class Reaction:
    """An item that may be played when something happens."""

    def offers(self, state: KingsState, window: Any, seat: int, item: str) -> list[Offer]:
        return [Exactly(PlayItem(item))]

    def by_order(self, state: KingsState, window: Any, seat: int, how: str, item: str) -> PlayItem | None:
        """What a standing order with a condition plays now."""
        return None

    def is_worth_asking(self, state: KingsState, window: Any, seat: int) -> bool:
        """Whether a seat that wants to be asked is asked now; it follows from public facts and orders alone (R2)."""
        return True

    def aim(self, state: KingsState, below: Any, about: dict[str, Any]) -> Event | None:
        """What everybody hears it is played on; nothing where that goes without saying."""
        return None

    def answer(self, state: KingsState, below: Any, window: Any, played: dict[str, Any]) -> None:
        """The item works."""
        raise NotImplementedError


class LuckyCharm(Reaction):
    """One die, or a total, becomes one more or one less."""

    def is_worth_asking(self, state: KingsState, window: Any, seat: int) -> bool:
        """Most rolls are what they are, one more or less: nobody is stopped for them unless they want to be."""
        return order(state, seat, "lucky_charm") == EVERY or could_help(state, state.below(window), seat)

    def offers(self, state: KingsState, window: Any, seat: int, item: str) -> list[Offer]:
        roll = state.below(window)
        choices: list[tuple[int, int, int]] = []
        for thrower, faces in enumerate(roll.faces):  # type: ignore[attr-defined]
            if roll.added:  # type: ignore[attr-defined]
                choices += [(thrower, 0, 1), (thrower, 0, -1)]
                continue
            for die, face in enumerate(faces):
                choices += [(thrower, die, change) for change in (1, -1) if 1 <= face + change <= 6]
        return [Charms(item, tuple(choices))]

    def by_order(self, state: KingsState, window: Any, seat: int, how: str, item: str) -> PlayItem | None:
        roll: Any = state.below(window)
        if seat not in roll.throwers:
            return None
        at = roll.throwers.index(seat)
        if how in ("recruit", "any") and roll.wish and roll.totals()[at] == roll.wish - 1:
            return PlayItem(item, thrower=at, change=1)
        if how in ("hit", "any") and roll.needs:
            return nearest_miss(roll, at, item)
        if how in ("explore", "any") and roll.why == "explore" and roll.faces[at][0] in (2, 5):
            return PlayItem(item, thrower=at, change=-1 if roll.faces[at][0] == 2 else 1)
        return None

    def aim(self, state: KingsState, below: Any, about: dict[str, Any]) -> Event | None:
        at = about["thrower"]
        was = below.totals()[at] if below.added else below.faces[at][about["die"]]
        now = was + about["change"]
        thrower = below.throwers[at]
        return CharmAimedAtWild(was, now) if thrower == WILD else CharmAimed(thrower, was, now)

    def answer(self, state: KingsState, below: Any, window: Any, played: dict[str, Any]) -> None:
        below.charm(state, played["seat"], played["thrower"], played["die"], played["change"])


def nearest_miss(roll: Any, at: int, item: str) -> PlayItem | None:
    """A die that misses by one, and no longer does."""
    for die, (face, need) in enumerate(zip(roll.faces[at], roll.needs[at])):
        if face == need + 1:
            return PlayItem(item, thrower=at, die=die, change=-1)
    return None


class DispelItem(Reaction):
    """The item just played has no effect; in battle its side's magic creatures fight in the Melee step from now on."""

    def by_order(self, state: KingsState, window: Any, seat: int, how: str, item: str) -> PlayItem | None:
        return PlayItem(item) if how in ("item", "any") and is_fighting(state, seat) else None

    def aim(self, state: KingsState, below: Any, about: dict[str, Any]) -> Event | None:
        return ItemAimed(SCROLL, state.kind(below.item).name)

    def answer(self, state: KingsState, below: Any, window: Any, played: dict[str, Any]) -> None:
        below.dispel(state, played["seat"])
        battle = frame_named(state, "battle")
        if battle is not None and below.seat in battle.sides and below.seat not in battle.dispelled:
            battle.dispelled = [*battle.dispelled, below.seat]


class DispelCreatures(Reaction):
    """A side's magic creatures fight in the Melee step for the rest of the battle; its Firewall falls (X22)."""

    def offers(self, state: KingsState, window: Any, seat: int, item: str) -> list[Offer]:
        sides = tuple(str(side) for side in users_besides(state, window, seat))
        return [OneOf(PlayItem, "target", sides, {"item": item})] if sides else []

    def by_order(self, state: KingsState, window: Any, seat: int, how: str, item: str) -> PlayItem | None:
        """Against the most of those that are about to fight the seat's own; with three sides, those that named it."""
        if how not in ("magic", "any") or not is_fighting(state, seat):
            return None
        battle = frame_named(state, "battle")
        counts = dict(zip(window.about["sides"], window.about["counts"]))
        foes = [side for side in counts if counts[side] > 1 and battle.target_of(state, side) == seat]
        return PlayItem(item, target=str(max(foes, key=lambda side: counts[side]))) if foes else None

    def aim(self, state: KingsState, below: Any, about: dict[str, Any]) -> Event | None:
        side = int(about["target"])
        return ItemAimedAtWild(SCROLL) if side == WILD else ItemAimedAt(SCROLL, side)

    def answer(self, state: KingsState, below: Any, window: Any, played: dict[str, Any]) -> None:
        battle = frame_named(state, "battle")
        side = int(played["target"])
        battle.dispelled = [*battle.dispelled, side]
        battle.drop_firewall(state, side)
        state.tell(MagicDispelled(side if side != WILD else None), to=EVERYONE)


class FanOnItem(Reaction):
    """A Balloon is blown into a hex beside its target, Dust of Defense is scattered."""

    def offers(self, state: KingsState, window: Any, seat: int, item: str) -> list[Offer]:
        if window.about["kind"] == "balloon":
            places = state.map.neighbours[window.about["target"]]
            return [OneOf(PlayItem, "target", places, {"item": item})]
        return [Exactly(PlayItem(item))] if window.about["kind"] == "dust_of_defense" else []

    def by_order(self, state: KingsState, window: Any, seat: int, how: str, item: str) -> PlayItem | None:
        kind, target = window.about["kind"], window.about.get("target", "")
        if how != "mine":
            return None
        if kind == "dust_of_defense":
            return PlayItem(item) if target == str(seat) else None
        if kind == "balloon" and state.hexes[target].owner == seat:
            near = sorted(state.map.neighbours[target], key=lambda p: (state.hexes[p].terrain != "sea", p))
            elsewhere = [p for p in near if state.hexes[p].owner != seat]
            return PlayItem(item, target=(elsewhere or near)[0])
        return None

    def aim(self, state: KingsState, below: Any, about: dict[str, Any]) -> Event | None:
        name = state.kind(below.item).name
        return FanTurned(name, about["target"]) if below.kind == "balloon" else ItemAimed(FAN, name)

    def answer(self, state: KingsState, below: Any, window: Any, played: dict[str, Any]) -> None:
        if below.kind == "dust_of_defense":
            below.works = False
            state.tell(Scattered(), to=EVERYONE)
        else:
            below.blown = played["target"]
            state.tell(BlownAway(played["seat"], played["target"]), to=EVERYONE)


class FanOnCloud(Reaction):
    """The Black Cloud drifts to a hex beside, or off the map."""

    def offers(self, state: KingsState, window: Any, seat: int, item: str) -> list[Offer]:
        places = (*state.map.neighbours[window.about["place"]], ON_THE_TABLE_NO_MORE)
        return [OneOf(PlayItem, "target", places, {"item": item})]

    def by_order(self, state: KingsState, window: Any, seat: int, how: str, item: str) -> PlayItem | None:
        mine = how == "mine" and state.hexes[window.about["place"]].owner == seat
        return PlayItem(item, target=ON_THE_TABLE_NO_MORE) if mine else None

    def aim(self, state: KingsState, below: Any, about: dict[str, Any]) -> Event | None:
        target = about["target"]
        return FanTurnedOff() if target == ON_THE_TABLE_NO_MORE else FanTurned("Black Cloud", target)

    def answer(self, state: KingsState, below: Any, window: Any, played: dict[str, Any]) -> None:
        target = played["target"]
        if target == ON_THE_TABLE_NO_MORE:
            state.extras["cloud"] = ""
            state.tell(CloudGone(), to=EVERYONE)
        else:
            state.extras["cloud"] = target
            state.tell(CloudMoved(target), to=EVERYONE)


class Elixir(Reaction):
    """Plague or Teeniepox pass its owner by."""

    def by_order(self, state: KingsState, window: Any, seat: int, how: str, item: str) -> PlayItem | None:
        return PlayItem(item) if how == "mine" else None

    def answer(self, state: KingsState, below: Any, window: Any, played: dict[str, Any]) -> None:
        below.spared = [*below.spared, played["seat"]]
        state.tell(Cured(played["seat"]), to=EVERYONE)


REACTIONS: dict[str, dict[str, Reaction]] = {
    "roll": {"lucky_charm": LuckyCharm()},
    "item": {"dispel_magic_scroll": DispelItem(), "fan": FanOnItem()},
    "magic": {"dispel_magic_scroll": DispelCreatures()},
    "cloud": {"fan": FanOnCloud()},
    "plague": {"elixir": Elixir()},
    "pox": {"elixir": Elixir()},
}


def possible(state: KingsState, kind: str, window: Any) -> bool:
    """Whether, for all that everybody can see, somebody might hold this item."""
    if kind == "fan" and window.trigger == "item" and window.about["kind"] not in ("balloon", "dust_of_defense"):
        return False
    if kind not in state.magic:
        return False
    place = state.counters[state.magic[kind]].place
    return place == CUP or place.startswith("rack:") or place == wild_place(state)


def wild_place(state: KingsState) -> str:
    """The hex whose wild defenders are fighting."""
    battle = frame_named(state, "battle")
    return battle.place if battle is not None and WILD in battle.sides else ""


def users_besides(state: KingsState, window: Any, seat: int) -> list[int]:
    """The sides that are about to use magic creatures, without the one that this seat decides for (15)."""
    battle = frame_named(state, "battle")
    return [side for side in window.about["sides"] if battle.controller(side) != seat]


def is_fighting(state: KingsState, seat: int) -> bool:
    """Whether the battle or exploration under way is this seat's own; wild defenders are nobody's."""
    battle, explore = frame_named(state, "battle"), frame_named(state, "explore")
    if battle is not None:
        return seat in battle.sides
    return explore is not None and bool(explore.seat == seat)


def held(state: KingsState, seat: int, kind: str) -> str:
    """The tag of an item a seat can play: from its rack, or for the wild defenders it runs; empty if there is none."""
    number = state.magic.get(kind)
    if number is None:
        return ""
    counter = state.counters[number]
    if counter.place == f"rack:{seat}":
        return counter.tag
    battle = frame_named(state, "battle")
    lies_there = battle is not None and counter.place == battle.place and counter.owner is None
    if lies_there and battle.runner == seat and counter.spent != IN_PLAY:
        return counter.tag
    return ""


def reaction_offers(state: KingsState, window: Any, seat: int, kinds: list[str]) -> list[Offer]:
    found: list[Offer] = []
    for kind in kinds:
        tag = held(state, seat, kind)
        if tag:
            found += REACTIONS[window.trigger][kind].offers(state, window, seat, tag)
    return found


def by_condition(state: KingsState, window: Any, seat: int, kinds: list[str]) -> PlayItem | None:
    for kind in kinds:
        how = order(state, seat, kind)
        number = state.magic[kind]
        if how not in (ASK, SKIP, EVERY) and state.counters[number].place == f"rack:{seat}":
            item = state.counters[number].tag
            played = REACTIONS[window.trigger][kind].by_order(state, window, seat, how, item)
            if played is not None:
                return played
    return None


def by_house(state: KingsState, window: Any, kinds: list[str]) -> PlayItem | None:
    """Wild defenders run by nobody play what lies there when it helps them (E1, P7)."""
    battle = frame_named(state, "battle")
    if battle is None or WILD not in battle.sides or battle.runner >= 0:
        return None
    lying = {state.counters[n].kind: state.counters[n].tag for n in state.of(None, battle.place)}
    if "lucky_charm" in kinds and "lucky_charm" in lying:
        roll: Any = state.below(window)
        if WILD in roll.throwers and roll.needs:
            return nearest_miss(roll, roll.throwers.index(WILD), lying["lucky_charm"])
    if "dispel_magic_scroll" in kinds and "dispel_magic_scroll" in lying:
        if window.trigger == "item" and window.about["side"] != WILD and window.about["side"] in battle.sides:
            return PlayItem(lying["dispel_magic_scroll"])
        if window.trigger == MAGIC:
            sides = [side for side in window.about["sides"] if side != WILD]
            return PlayItem(lying["dispel_magic_scroll"], target=str(sides[0])) if sides else None
    return None
