"""Who takes the hits of a step, and who is saved (11.5)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from ...core.events import EVERYONE
from ...core.offers import Exactly, Offer
from ..actions import Done, Lose
from ..battle import FORT, RANGED, cheapest_losses, rides, targets_of
from ..catalogue import FORTS
from ..events import Fell, Saved, TalismanLost, TookHit
from ..offers import LossLists
from ..orders import ASK, order
from ..stacks import ARMY, army, owner_of
from ..state import HOUSE, WILD, KingsState
from .battle_magic import BattleQuestion, held_for, may_bring
from .roll import Roll

if TYPE_CHECKING:  # at run time it is Battle that imports what is here
    from .battle import Battle


@dataclass
class Losses(BattleQuestion):
    """Everybody who was hit says, at the same time, who takes the hits; then saves are rolled (11.5, C3)."""

    rule: ClassVar[str] = "11.51"
    asking: ClassVar[str] = "losses"
    step: str = ""
    hits: dict[str, int] = field(default_factory=dict)
    aimed: dict[str, list[str]] = field(default_factory=dict)
    lists: dict[str, list[str]] = field(default_factory=dict)
    savers: list[list[str]] = field(default_factory=list)  # by side: whose saves the dice are for
    throwers: list[int] = field(default_factory=list)
    faces: list[list[int]] = field(default_factory=list)
    steps: ClassVar[tuple[str, ...]] = ("by_order", "gather", "saves", "apply", "use_item")

    def sides_hit(self) -> list[int]:
        return [int(side) for side in sorted({*self.hits, *self.aimed})]

    def targets(self, state: KingsState, side: int) -> dict[str, int]:
        """Who can still be given hits, after those a Marksman has placed."""
        found = targets_of(state, self.battle(state).arms(), side, self.step)
        for tag in self.aimed.get(str(side), []):
            if tag in found:  # one that was challenged since and is gone needs no hit
                found[tag] -= 1
        return {tag: left for tag, left in found.items() if left > 0}

    def to_give(self, state: KingsState, side: int) -> int:
        return min(self.hits.get(str(side), 0), sum(self.targets(state, side).values()))

    def by_order(self, state: KingsState) -> None:
        """Whoever ordered so plays the Golem, or else the Talisman, when all of theirs would fall (R2)."""
        battle = self.battle(state)
        for side in self.sides_hit():
            if side == WILD or order(state, side, "battle_items") != "last" or not self.would_all_fall(state, side):
                continue
            for kind in ("golem", "talisman"):
                item = held_for(state, battle, side, kind)
                if item:
                    self.next = "by_order"
                    self.play(state, battle, side, state.tags[item])
                    return

    def would_all_fall(self, state: KingsState, side: int) -> bool:
        return self.hits.get(str(side), 0) >= sum(self.targets(state, side).values())

    def gather(self, state: KingsState) -> None:
        for side in self.sides_hit():
            self.put_question(state, side)

    def put_question(self, state: KingsState, side: int) -> None:
        """The house decides for its own; who has no choice and no magic to play is not asked."""
        battle = self.battle(state)
        count, seat = self.to_give(state, side), battle.controller(side)
        self.answered(seat)
        if count and seat == HOUSE:
            self.lists = {**self.lists, str(side): self.cheapest(state, side)[:count]}
        elif not self.has_choice(state, side, count):
            self.lists = {**self.lists, str(side): self.everybody(state, side)[:count]}
        elif side != WILD and self.is_ordered(state, side, count):
            spare_walls = order(state, side, "hits") == "creatures"
            self.lists = {**self.lists, str(side): self.cheapest(state, side, spare_walls)[:count]}
        else:
            self.pending = [*self.pending, seat]

    def is_ordered(self, state: KingsState, side: int, count: int) -> bool:
        """Whether a standing order says who takes the hits; who waits to play magic against them is asked (R3)."""
        waits = may_bring(state, self.battle(state), side, self.magic_that_helps(state, side, count))
        return order(state, side, "hits") != ASK and not waits

    def cheapest(self, state: KingsState, side: int, spare_walls: bool = False) -> list[str]:
        """All who may take hits, those first who are missed least, without what a Marksman has hit."""
        listed = list(cheapest_losses(state, self.battle(state).arms(), side, self.step, 99, spare_walls))
        for tag in self.aimed.get(str(side), []):
            listed.remove(tag)
        return listed

    def everybody(self, state: KingsState, side: int) -> list[str]:
        targets = self.targets(state, side)
        return [tag for tag in sorted(targets) for _ in range(targets[tag])]

    def has_choice(self, state: KingsState, side: int, count: int) -> bool:
        """All alike in the end means no question, unless a save makes the order matter or magic may be played (R3)."""
        targets = self.targets(state, side)
        if may_bring(state, self.battle(state), side, self.magic_that_helps(state, side, count)):
            return True
        if not count or len(targets) == 1:
            return False
        if self.may_save(state, side):
            return True
        return count < sum(targets.values()) and not self.are_alike(state, side, list(targets))

    def magic_that_helps(self, state: KingsState, side: int, count: int) -> list[str]:
        """Golem and Talisman come at any time: they can answer even the hit that takes the last counter (15, C2)."""
        targets = self.targets(state, side)
        hit = [tag for tag in (*self.aimed.get(str(side), []), *(targets if count else ())) if tag in state.tags]
        found = []
        if count or not targets:
            found.append("golem")  # stops a ranged hit, takes another one, or holds the hex when all have fallen (X6)
        if any(state.kind(state.tags[tag]).sort in ARMY for tag in hit):
            found.append("talisman")
        return found

    def are_alike(self, state: KingsState, side: int, tags: list[str]) -> bool:
        """Creatures of one kind that nothing tells apart."""
        battle = self.battle(state)
        if FORT in tags:
            return False
        numbers = state.numbers_of(tags)
        same = len({state.counters[n].kind for n in numbers}) == 1 and state.kind(numbers[0]).sort == "creature"
        return same and not any(n in battle.held.values() or rides(state, n) for n in numbers)

    def may_save(self, state: KingsState, side: int) -> bool:
        battle = self.battle(state)
        return has_talisman(state, battle, side) or any(
            state.counters[n].kind == "swordmaster" for n in army(state, side, battle.place)
        )

    def offers_to(self, state: KingsState, seat: int) -> list[Offer]:
        side = self.battle(state).side_of(seat)
        count = self.to_give(state, side)
        hits = LossLists(self.targets(state, side), count) if count else Exactly(Done())
        return [hits, *self.item_offers(state, seat)]

    def on_lose(self, state: KingsState, seat: int, action: Lose) -> None:
        side = self.battle(state).side_of(seat)
        self.lists = {**self.lists, str(side): list(action.counters)}
        self.answered(seat)

    def on_done(self, state: KingsState, seat: int, action: Done) -> None:
        """A Marksman has placed all hits, and they are not answered with magic."""
        self.answered(seat)

    def let_pass(self, state: KingsState, seat: int) -> None:
        """Who takes the hits is still asked, but not where only magic could have changed anything."""
        if seat not in self.pending:
            return
        before = self.pending
        self.put_question(state, self.battle(state).side_of(seat))
        if seat in self.pending:
            self.pending = before  # nothing has changed, not even the order, which would make a revision (R4)

    def use_item(self, state: KingsState) -> None:
        """A Golem that comes in time stops one of these ranged hits; whoever has no choice left is not asked again."""
        outcome = self.outcome
        super().use_item(state)
        if outcome is None:
            return
        side = outcome["seat"]
        if outcome["works"] and outcome["kind"] == "golem" and self.step == RANGED:
            self.hits = {**self.hits, str(side): max(0, self.hits.get(str(side), 0) - 1)}
        if self.next != "by_order":
            self.put_question(state, side)

    def fill_gaps(self, state: KingsState, battle: Battle) -> None:
        """Whoever was to answer has left the game."""
        for side in self.sides_hit():
            if str(side) not in self.lists:
                count = self.to_give(state, side)
                listed = list(cheapest_losses(state, battle.arms(), side, self.step, 99))[:count]
                self.lists = {**self.lists, str(side): listed}

    # ---- saves

    def sequence(self, side: int) -> list[str]:
        return [*self.aimed.get(str(side), []), *self.lists.get(str(side), [])]

    def saves(self, state: KingsState) -> None:
        """Sword Master and Talisman: one die for each counter that may be saved, in the order of the list (C3)."""
        battle = self.battle(state)
        self.fill_gaps(state, battle)
        for side in self.sides_hit():
            savers = self.savers_of(state, battle, side)
            if savers:
                self.throwers = [*self.throwers, side]
                self.savers = [*self.savers, savers]
        if self.throwers:
            names = [[state.kind(state.tags[tag]).name for tag in line] for line in self.savers]
            counts = [len(line) for line in self.savers]
            roll = Roll(why="save", throwers=self.throwers, counts=counts, names=names, parties=battle.people())
            state.call(roll, into="faces")

    def savers_of(self, state: KingsState, battle: Battle, side: int) -> list[str]:
        charmed = has_talisman(state, battle, side)
        found: list[str] = []
        for tag in self.sequence(side):
            if tag == FORT or tag in found or tag not in state.tags:
                continue
            number = state.tags[tag]
            if state.kind(number).sort not in ("creature", "hero"):
                continue
            parries = state.counters[number].kind == "swordmaster" and number not in battle.parried
            if parries or charmed:
                found.append(tag)
        return found

    def apply(self, state: KingsState) -> None:
        for side in self.sides_hit():
            self.apply_to(state, side)
        self.leave(state)

    def apply_to(self, state: KingsState, side: int) -> None:
        battle = self.battle(state)
        faces: dict[str, int] = {}
        if side in self.throwers:
            at = self.throwers.index(side)
            faces = dict(zip(self.savers[at], self.faces[at]))
        saved: list[str] = []
        for tag in self.sequence(side):
            if tag in faces and self.is_saved(state, battle, side, tag, faces.pop(tag)):
                saved.append(tag)
            else:
                strike_down(state, battle, tag)
        # More hits than there was anybody to take them: those who were saved are hit again.
        left = self.hits.get(str(side), 0) - len(self.lists.get(str(side), []))
        for tag in saved[: max(0, left)]:
            strike_down(state, battle, tag)

    def is_saved(self, state: KingsState, battle: Battle, side: int, tag: str, face: int) -> bool:
        """2 to 5 saves; a 1 or a 6 does not, and costs the Talisman (pull-out)."""
        number = state.tags.get(tag)
        if number is None:
            return False
        parries = state.counters[number].kind == "swordmaster" and number not in battle.parried
        if not parries and not has_talisman(state, battle, side):
            return False
        if parries:
            battle.parried = [*battle.parried, number]
        if 2 <= face <= 5:
            state.tell(Saved(state.kind(number).name, owner_of(side), battle.place), to=EVERYONE)
            return True
        if not parries:
            for item in state.of(owner_of(side), battle.place):
                if state.counters[item].kind == "talisman" and item in battle.in_play:
                    battle.take_from_play(state, item)
                    state.tell(TalismanLost(), to=EVERYONE)
        return False

    def shown(self, state: KingsState) -> dict[str, Any]:
        """In which step, and how many hits each side has to give out; not to whom, before all have said (C3)."""
        hits = {str(side): self.to_give(state, side) for side in self.sides_hit()}
        return {"place": self.battle(state).place, "step": self.step, "hits": hits}

    def abandoned_by(self, state: KingsState, seat: int) -> bool:
        return seat in self.battle(state).sides


def has_talisman(state: KingsState, battle: Battle, side: int) -> bool:
    return any(
        state.counters[n].kind == "talisman" and n in battle.in_play for n in state.of(owner_of(side), battle.place)
    )


def strike_down(state: KingsState, battle: Battle, tag: str) -> None:
    """One hit: walls crumble by one, everything else is gone (11.52)."""
    if tag == FORT:
        here = state.hexes[battle.place]
        state.change_hex(battle.place, damage=here.damage + 1)
        left = here.fort - here.damage - 1
        state.tell(TookHit(FORTS[here.fort], left, here.owner, battle.place), to=EVERYONE)
        return
    number = state.tags.get(tag)
    if number is None:
        return
    kind, whose = state.kind(number), (state.counters[number].owner, battle.place)
    if kind.sort == "income":
        state.change_counter(number, spent=state.counters[number].spent + 1)
        state.tell(TookHit(kind.name.lower(), kind.value - state.counters[number].spent, *whose), to=EVERYONE)
    elif kind.slug == "firewall":
        battle.firewall -= 1
        state.tell(TookHit(kind.name, battle.firewall, *whose), to=EVERYONE)
        if not battle.firewall:
            battle.take_from_play(state, number)
    elif kind.sort == "magic":
        state.tell(Fell(kind.name, *whose), to=EVERYONE)
        battle.take_from_play(state, number)
    else:
        state.tell(Fell(kind.name, *whose), to=EVERYONE)
        battle.let_go(number)
        state.eliminate(number)
