"""Before the first round of a battle: Dust of Defense and the Warlord (C2)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from ...core.events import EVERYONE, Event
from ...core.offers import Exactly, Offer, OneOf
from ..actions import Choose, Done, PlayItem
from ..battle import value_of
from ..events import DustStayed, ItemAimedAt, WarlordCalled, WarlordFailed, WarlordWon
from ..orders import ASK, hides_items, order, passes
from ..powers.magic import held
from ..stacks import army, owner_of
from ..state import HOUSE, WILD, KingsState
from .base import Offers
from .battle_magic import BattleQuestion, BringsMagic, hidden
from .bluffs import remove_bluffs
from .retreat import Retreating, can_retreat
from .roll import Roll

FACES = 6  # of a die

if TYPE_CHECKING:  # at run time it is Battle that imports what is here
    from .battle import Battle


@dataclass
class Dusting(BattleQuestion):
    """The defender may send one attacking army away with Dust of Defense (P5)."""

    rule: ClassVar[str] = "15"
    asking: ClassVar[str] = "dust"
    steps: ClassVar[tuple[str, ...]] = ("gather", "finish", "use_item")

    def gather(self, state: KingsState) -> None:
        battle = self.battle(state)
        seat, number = battle.controller(battle.defender), state.magic.get("dust_of_defense")
        at_home = state.hexes[battle.place].owner == owner_of(battle.defender)
        if number is None or not at_home or passes(state, seat):
            return
        counter = state.counters[number]
        lies_open = battle.defender == WILD and counter.place == battle.place
        mine = lies_open or (battle.defender != WILD and counter.place == f"rack:{battle.defender}")
        how = "ask" if seat == HOUSE or lies_open else order(state, seat, "dust_of_defense")
        if mine and (seat == HOUSE or how == "outnumbered"):
            self.when_outnumbered(state, battle, number)
        elif lies_open or (how == "ask" and self.is_asked(state, seat, number, mine)):
            self.pending = [seat]

    def is_asked(self, state: KingsState, seat: int, number: int, mine: bool) -> bool:
        if seat == HOUSE or order(state, seat, "waiting") == "never":
            return False
        if self.battle(state).defender == WILD:
            return False
        return hidden(state, number) and bool(state.rack(seat)) if hides_items(state, seat) else mine

    def when_outnumbered(self, state: KingsState, battle: Battle, number: int) -> None:
        own = len(army(state, battle.defender, battle.place))
        strongest = max(battle.attackers, key=lambda side: len(army(state, side, battle.place)))
        if len(army(state, strongest, battle.place)) > own:
            self.play(state, battle, battle.defender, number, str(strongest))

    def offers_to(self, state: KingsState, seat: int) -> list[Offer]:
        battle = self.battle(state)
        tag = held(state, seat, "dust_of_defense")
        sides = tuple(str(side) for side in battle.attackers if army(state, side, battle.place))
        found: list[Offer] = [OneOf(PlayItem, "target", sides, {"item": tag})] if tag and sides else []
        return [*found, *self.item_offers(state, seat), Exactly(Done())]

    def on_play_item(self, state: KingsState, seat: int, action: PlayItem) -> None:
        """The Dust is the answer; after any other magic the question is still open."""
        if is_dust(state, state.tags[action.item]):
            self.answered(seat)
        super().on_play_item(state, seat, action)

    def aim_of(self, state: KingsState, played: Any) -> Event | None:
        if not is_dust(state, played.item):
            return super().aim_of(state, played)
        return ItemAimedAt(state.kind(played.item).name, int(played.about["target"]))

    def on_done(self, state: KingsState, seat: int, action: Done) -> None:
        self.answered(seat)

    def let_pass(self, state: KingsState, seat: int) -> None:
        self.answered(seat)

    def finish(self, state: KingsState) -> None:
        self.leave(state)

    def use_item(self, state: KingsState) -> None:
        outcome = self.outcome
        if outcome is None or not outcome["works"] or not is_dust(state, outcome["item"]):
            super().use_item(state)
            return
        self.next, self.outcome = self.resume, None
        state.use_up(outcome["item"])
        side = int(outcome["target"])
        if can_retreat(state, self.battle(state), side):
            state.call(Retreating(waiting=[side], forced=True))
        else:
            state.tell(DustStayed(side), to=EVERYONE)


def is_dust(state: KingsState, item: int) -> bool:
    return state.counters[item].kind == "dust_of_defense"


@dataclass
class WarlordCalls(BringsMagic):
    """The Warlord calls one enemy creature, which joins if the die is not below its present value (pull-out)."""

    rule: ClassVar[str] = "13"
    asking: ClassVar[str] = "warlord"
    seat: int = 0
    called: int = 0
    faces: list[list[int]] = field(default_factory=list)
    steps: ClassVar[tuple[str, ...]] = ("roll", "settle", "use_item")

    def offers(self, state: KingsState) -> Offers:
        if self.called or self.next or passes(state, self.seat) or order(state, self.seat, "warlord") != ASK:
            return {}
        enemies = self.enemies(state)
        if not enemies:
            return {}
        calls = OneOf(Choose, "what", state.tags_of(enemies))
        return {self.seat: [calls, *self.item_offers(state, self.seat), Exactly(Done())]}

    def enemies(self, state: KingsState) -> list[int]:
        """Creatures that he could call."""
        battle = self.battle(state)
        return [
            number
            for side in battle.sides
            if side != self.seat
            for number in army(state, side, battle.place)
            if state.kind(number).sort == "creature"
        ]

    def best(self, state: KingsState) -> int | None:
        """Whom he calls by order: strong creatures are worth more, and harder to win over (R3)."""

        def gain(number: int) -> int:
            value = value_of(state, self.battle(state).arms(), number)
            return value * (FACES + 1 - value)

        by_order = order(state, self.seat, "warlord") == "best" and not passes(state, self.seat)
        return max(self.enemies(state), key=gain, default=None) if by_order else None

    def on_choose(self, state: KingsState, seat: int, action: Choose) -> None:
        self.call(state, state.tags[action.what])

    def call(self, state: KingsState, number: int) -> None:
        self.called = number
        state.tell(WarlordCalled(self.seat, state.kind(number).name), to=EVERYONE)

    def on_done(self, state: KingsState, seat: int, action: Done) -> None:
        self.leave(state)

    def roll(self, state: KingsState) -> None:
        number = None if self.called else self.best(state)
        if number is not None:
            self.call(state, number)
        if not self.called:
            self.leave(state)
            return
        people = self.battle(state).people()
        state.call(Roll(why="warlord", throwers=[self.seat], counts=[1], parties=people), into="faces")

    def wanted(self, state: KingsState) -> int:
        return value_of(state, self.battle(state).arms(), self.called)

    def settle(self, state: KingsState) -> None:
        kind = state.kind(self.called)
        gone = state.counters[self.called].place not in state.hexes
        if gone or not self.faces:
            self.leave(state)
            return
        if self.faces[0][0] >= self.wanted(state):
            self.battle(state).let_go(self.called)
            state.change_counter(self.called, owner=self.seat)
            state.tell(WarlordWon(self.seat, kind.name), to=EVERYONE)
            remove_bluffs(state, state.counters[self.called].place)
        else:
            state.tell(WarlordFailed(self.seat, kind.name), to=EVERYONE)
        self.leave(state)

    def shown(self, state: KingsState) -> dict[str, Any]:
        """Whom the Warlord calls, and what the die must reach: all lie face up in a battle."""
        if not self.called or state.counters[self.called].place not in state.hexes:
            return {"seat": self.seat}
        called = state.counters[self.called]
        return {"seat": self.seat, "called": called.tag, "wanted": self.wanted(state)}
