"""Magic that is brought into a battle, at any of its questions or before a round (15, C2)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from ...core.events import EVERYONE, Event
from ...core.offers import Exactly, Offer, OneOf
from ..actions import Done, Give, PlayItem
from ..battle import worth
from ..events import FirewallRaised
from ..orders import ASK, hides_items, order, passes
from ..powers.magic import held
from ..stacks import army, owner_of
from ..state import CUP, HOUSE, WILD, KingsState
from .base import KingsFrame, Offers, Together, frame_named
from .roll import Played, Roll, creature_aimed_at

if TYPE_CHECKING:  # at run time it is Battle that imports what is here
    from .battle import Battle

BATTLE_ITEMS = ("golem", "talisman", "bow", "sword")


@dataclass
class BringsMagic(KingsFrame):
    """A procedure of a battle; whoever it asks may first play the Golem, the Talisman, the Bow or the Sword (C2).

    The item is played in a step of its own, `use_item`, after which the procedure goes on with the step in `resume`.
    """

    outcome: dict[str, Any] | None = None
    resume: str = ""

    def battle(self, state: KingsState) -> Battle:
        found: Battle = frame_named(state, "battle")
        assert found is not None
        return found

    def item_offers(self, state: KingsState, seat: int) -> list[Offer]:
        battle = self.battle(state)
        side = battle.side_of(seat)
        found: list[Offer] = []
        for kind in BATTLE_ITEMS:
            tag = held_for(state, battle, side, kind)
            if not tag:
                continue
            if kind in ("bow", "sword"):
                hands = empty_hands(state, battle, side)
                if hands:
                    found.append(OneOf(PlayItem, "target", hands, {"item": tag}))
            else:
                found.append(Exactly(PlayItem(tag)))
        return found

    def on_play_item(self, state: KingsState, seat: int, action: PlayItem) -> None:
        battle = self.battle(state)
        number = state.tags[action.item]
        side = WILD if state.counters[number].owner is None else seat
        self.play(state, battle, side, number, action.target)

    def play(self, state: KingsState, battle: Battle, side: int, number: int, target: str = "") -> None:
        self.resume, self.next = self.next, "use_item"
        state.call(Played(seat=side, item=number, parties=battle.people(), about={"target": target}), into="outcome")

    def aim_of(self, state: KingsState, played: Any) -> Event | None:
        return creature_aimed_at(state, played)

    def use_item(self, state: KingsState) -> None:
        outcome = self.outcome
        self.next, self.outcome = self.resume, None
        if outcome is not None and outcome["works"]:
            self.battle(state).bring(state, outcome)


@dataclass
class BattleQuestion(BringsMagic, Together):
    """A question within a battle that may be put to several seats at once."""

    def offers(self, state: KingsState) -> Offers:
        return {} if self.next == "use_item" else super().offers(state)

    def play(self, state: KingsState, battle: Battle, side: int, number: int, target: str = "") -> None:
        self.rounds += 1
        super().play(state, battle, side, number, target)

    def use_item(self, state: KingsState) -> None:
        """Whoever said in the item's window that nothing more comes from them owes no answer here either."""
        super().use_item(state)
        self.pending = [seat for seat in self.pending if not passes(state, seat)]


def held_for(state: KingsState, battle: Battle, side: int, kind: str) -> str:
    """The tag of an item that a side may bring: its own, and for wild defenders one that lies among them (P7)."""
    tag = held(state, battle.controller(side), kind)
    return tag if tag and (side == WILD) == (state.counters[state.tags[tag]].owner is None) else ""


def empty_hands(state: KingsState, battle: Battle, side: int) -> tuple[str, ...]:
    """Creatures and heroes of a side that hold neither Bow nor Sword (X23)."""
    return state.tags_of(n for n in army(state, side, battle.place) if n not in battle.held.values())


@dataclass
class RaiseFirewall(KingsFrame):
    """A die tells how strong the Firewall is."""

    rule: ClassVar[str] = "15"
    side: int = 0
    faces: list[list[int]] = field(default_factory=list)
    steps: ClassVar[tuple[str, ...]] = ("roll", "raise_it")

    def roll(self, state: KingsState) -> None:
        people = frame_named(state, "battle").people()
        state.call(Roll(why="firewall", throwers=[self.side], counts=[1], parties=people), into="faces")

    def raise_it(self, state: KingsState) -> None:
        battle = frame_named(state, "battle")
        if not self.faces:
            return
        battle.firewall = self.faces[0][0]
        state.tell(FirewallRaised(battle.firewall), to=EVERYONE)


@dataclass
class Ready(BattleQuestion):
    """Before each round everybody in the battle may bring magic into it, and pass Bow and Sword on (C2)."""

    rule: ClassVar[str] = "15"
    asking: ClassVar[str] = "ready"
    steps: ClassVar[tuple[str, ...]] = ("by_order", "gather", "finish", "use_item")

    def by_order(self, state: KingsState) -> None:
        """The house, and whoever ordered so, bring what they have."""
        battle = self.battle(state)
        for side in battle.standing(state):
            seat = battle.controller(side)
            if seat == HOUSE or (side != WILD and order(state, seat, "battle_items") == "best"):
                item = best_item(state, battle, side)
                if item is not None:
                    self.next = "by_order"
                    self.play(state, battle, side, *item)
                    return

    def gather(self, state: KingsState) -> None:
        battle = self.battle(state)
        self.pending = [
            battle.controller(side) for side in battle.standing(state) if self.is_asked(state, battle, side)
        ]

    def is_asked(self, state: KingsState, battle: Battle, side: int) -> bool:
        """By what everybody knows: that there is a rack, that items lie open (R2)."""
        seat = battle.controller(side)
        if seat == HOUSE or passes(state, seat):
            return False
        if side == WILD:
            return any(state.counters[n].kind in (*BATTLE_ITEMS, "firewall") for n in state.of(None, battle.place))
        if any(state.counters[int(item)].owner == side for item in battle.held):
            return True
        return may_bring(state, battle, side, BATTLE_ITEMS if battle.round > 1 else (*BATTLE_ITEMS, "firewall"))

    def offers_to(self, state: KingsState, seat: int) -> list[Offer]:
        battle = self.battle(state)
        side = battle.side_of(seat)
        found = self.item_offers(state, seat)
        wall = held_for(state, battle, side, "firewall")
        if wall and battle.round == 1:
            found.append(Exactly(PlayItem(wall)))
        hands = empty_hands(state, battle, side)
        for item in battle.held:
            if hands and state.counters[int(item)].owner == owner_of(side):
                found.append(OneOf(Give, "creature", hands, {"item": state.counters[int(item)].tag}))
        return [*found, Exactly(Done())]

    def on_give(self, state: KingsState, seat: int, action: Give) -> None:
        self.rounds += 1
        self.battle(state).give(state, state.tags[action.item], action.creature)

    def on_done(self, state: KingsState, seat: int, action: Done) -> None:
        self.answered(seat)

    def let_pass(self, state: KingsState, seat: int) -> None:
        self.answered(seat)

    def finish(self, state: KingsState) -> None:
        """A Bow or Sword whose bearer is gone goes to the best of the rest."""
        battle = self.battle(state)
        for item, holder in list(battle.held.items()):
            if holder == 0:
                owner = state.counters[int(item)].owner
                side = WILD if owner is None else owner
                hands = empty_hands(state, battle, side)
                if hands:
                    best = max(hands, key=lambda tag: (worth(state, state.tags[tag]), tag))
                    battle.give(state, int(item), best)
        self.leave(state)


@dataclass
class LastStand(BattleQuestion):
    """Before the Baron's hit takes the last walls of a side, the side may still call the Golem (15, C2)."""

    rule: ClassVar[str] = "15"
    asking: ClassVar[str] = "ready"
    side: int = 0
    steps: ClassVar[tuple[str, ...]] = ("by_order", "gather", "finish", "use_item")

    def by_order(self, state: KingsState) -> None:
        battle = self.battle(state)
        seat = battle.controller(self.side)
        golem = held_for(state, battle, self.side, "golem")
        plays_by_itself = self.side != WILD and order(state, seat, "battle_items") in ("best", "last")
        if golem and (seat == HOUSE or plays_by_itself):
            self.play(state, battle, self.side, state.tags[golem])

    def gather(self, state: KingsState) -> None:
        battle = self.battle(state)
        self.pending = [battle.controller(self.side)] if may_bring(state, battle, self.side, ("golem",)) else []

    def offers_to(self, state: KingsState, seat: int) -> list[Offer]:
        return [*self.item_offers(state, seat), Exactly(Done())]

    def on_done(self, state: KingsState, seat: int, action: Done) -> None:
        self.answered(seat)

    def let_pass(self, state: KingsState, seat: int) -> None:
        self.answered(seat)

    def use_item(self, state: KingsState) -> None:
        super().use_item(state)
        if self.next == "finish":
            self.gather(state)

    def finish(self, state: KingsState) -> None:
        self.leave(state)


def may_bring(state: KingsState, battle: Battle, side: int, kinds: Iterable[str]) -> bool:
    """Whether the game waits for a side's word on magic of these kinds (R2).

    Among people by what everybody can see and by standing orders, never by what lies on the rack; else by the rack.
    """
    seat = battle.controller(side)
    if seat == HOUSE or passes(state, seat):
        return False
    if side == WILD or not hides_items(state, seat):
        might_be_played = any(held_for(state, battle, side, kind) for kind in kinds)
    else:
        hidden_somewhere = any(kind in state.magic and hidden(state, state.magic[kind]) for kind in kinds)
        might_be_played = hidden_somewhere and bool(state.rack(seat))
    wants_to_be_asked = order(state, seat, "battle_items") == ASK and order(state, seat, "waiting") != "never"
    return might_be_played and (side == WILD or wants_to_be_asked)


def hidden(state: KingsState, number: int) -> bool:
    """For all that everybody can see, somebody might hold this."""
    place = state.counters[number].place
    return place == CUP or place.startswith("rack:")


def best_item(state: KingsState, battle: Battle, side: int) -> tuple[int, str] | None:
    """The next item a side that plays by itself brings into battle: (number, to whom)."""
    place = battle.place if side == WILD else f"rack:{side}"
    for number in state.at(place):
        counter = state.counters[number]
        if counter.owner != owner_of(side) or number in battle.in_play:
            continue
        if counter.kind in ("golem", "talisman") or (counter.kind == "firewall" and battle.round == 1):
            return number, ""
        hands = empty_hands(state, battle, side)
        if counter.kind in ("bow", "sword") and hands:
            return number, max(hands, key=lambda tag: (worth(state, state.tags[tag]), tag))
    return None
