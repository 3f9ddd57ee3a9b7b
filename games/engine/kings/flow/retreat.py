"""Retreats after a round (11.6)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from ...core.events import EVERYONE
from ...core.offers import Exactly, Offer
from ..actions import Done, Retreat
from ..events import Retreated
from ..offers import Retreats
from ..orders import ASK, order
from ..stacks import armies, army, holds, land_of, refuges
from ..state import WILD, KingsState
from .base import Offers
from .battle_magic import BattleQuestion
from .place import TooMany

if TYPE_CHECKING:  # at run time it is Battle that imports what is here
    from .battle import Battle


def balloon_of(state: KingsState, side: int, place: str) -> int | None:
    return next((n for n in state.of(side, place) if state.counters[n].kind == "balloon"), None)


def riders_of(state: KingsState, side: int, place: str) -> list[int]:
    if balloon_of(state, side, place) is None:
        return []
    riders = state.extras.get("balloon") or []
    return [n for n in army(state, side, place) if n in riders]


def ways_out(state: KingsState, battle: Battle, side: int) -> Retreats:
    place = battle.place
    riders = riders_of(state, side, place)
    walkers = [n for n in army(state, side, place) if n not in riders]
    safe = [
        there
        for there in land_of(state, side)
        if state.map.distance(place, there) <= 3 and there != place and armies(state, there) in ([], [side])
    ]
    return Retreats(
        places=tuple(refuges(state, side, place)) if walkers else (),
        balloon=tuple(safe) if riders else (),
        walkers=state.tags_of(walkers),
        riders=state.tags_of(riders),
    )


def can_retreat(state: KingsState, battle: Battle, side: int) -> bool:
    if side == WILD or not army(state, side, battle.place):
        return False
    ways = ways_out(state, battle, side)
    return bool(ways.places or ways.balloon)


def is_outnumbered(state: KingsState, battle: Battle, side: int) -> bool:
    """Whether a side of this battle has at least twice as many counters as this one; its walls are not counted."""
    own = len(army(state, side, battle.place))
    return any(len(army(state, other, battle.place)) >= 2 * own for other in battle.standing(state) if other != side)


def best_refuge(state: KingsState, side: int, place: str) -> str:
    """The highest fort next to the battle, or else the hex with most room."""

    def rank(near: str) -> tuple[int, int]:
        here = state.hexes[near]
        return here.fort - here.damage, -len(army(state, side, near))

    return max(refuges(state, side, place), key=rank)


@dataclass
class Retreating(BattleQuestion):
    """After each round attackers may leave first, then the defender; Dust of Defense leaves no choice (11.6, C5)."""

    rule: ClassVar[str] = "11.6"
    asking: ClassVar[str] = "retreat"
    waiting: list[int] = field(default_factory=list)
    forced: bool = False
    steps: ClassVar[tuple[str, ...]] = ("each", "use_item")

    def each(self, state: KingsState) -> None:
        battle = self.battle(state)
        self.pending = []
        while self.waiting and (len(battle.standing(state)) > 1):
            side = self.waiting.pop(0)
            if not holds(state, side, battle.place) or not can_retreat(state, battle, side):
                continue
            how = ASK if self.forced else self.ordered(state, battle, side)
            if how == "stay":
                continue
            self.rounds += 1
            self.next = "each"
            if how == ASK:
                self.pending = [side]
            else:
                self.on_retreat(state, side, Retreat(best_refuge(state, side, battle.place)))
            return
        self.leave(state)

    def ordered(self, state: KingsState, battle: Battle, side: int) -> str:
        """What a side's standing order comes to now: ask, stay or leave. No order says where a Balloon goes (R3)."""
        how = order(state, side, "retreat")
        if how in ("ask_outnumbered", "outnumbered"):
            if not is_outnumbered(state, battle, side):
                return "stay"
            return ASK if how == "ask_outnumbered" or riders_of(state, side, battle.place) else "leave"
        return how

    def offers(self, state: KingsState) -> Offers:
        if any(not can_retreat(state, self.battle(state), side) for side in self.pending):
            return {}
        return super().offers(state)

    def offers_to(self, state: KingsState, seat: int) -> list[Offer]:
        stay = [] if self.forced else [Exactly(Done())]
        return [ways_out(state, self.battle(state), seat), *stay, *self.item_offers(state, seat)]

    def on_done(self, state: KingsState, seat: int, action: Done) -> None:
        self.answered(seat)

    def on_retreat(self, state: KingsState, seat: int, action: Retreat) -> None:
        self.answered(seat)
        battle = self.battle(state)
        place = battle.place
        riders = riders_of(state, seat, place) if action.balloon else []
        balloon = balloon_of(state, seat, place)
        if action.balloon and balloon is not None:
            state.change_counter(balloon, place=action.balloon)
            self.go(state, battle, seat, riders, action.balloon)
        if action.to:
            self.go(state, battle, seat, army(state, seat, place), action.to)
        if not army(state, seat, place):
            battle.drop_magic_of_an_army(state, seat)
            battle.drop_magic_of_the_fallen(state)

    def go(self, state: KingsState, battle: Battle, seat: int, force: list[int], to: str) -> None:
        for number in force:
            battle.let_go(number)
            state.change_counter(number, place=to)
        state.hide(seat, to)
        state.tell(Retreated(seat, len(force), battle.place, to), to=EVERYONE)
        state.call(TooMany(seat=seat, place=to))

    def abandoned_by(self, state: KingsState, seat: int) -> bool:
        return seat in self.pending

    def forget(self, state: KingsState, seat: int) -> None:
        super().forget(state, seat)
        self.waiting = [side for side in self.waiting if side != seat]
