"""One step of a round: whom each side fights, and the dice of all who fight in it (11.4, 11.8)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from ...core.events import EVERYONE
from ...core.offers import Offer, OneOf
from ..actions import Choose
from ..battle import FORT, MAGIC, RANGED, Striker, magic_creatures, strikers, targets_of
from ..events import AimedAt, TargetNamed
from ..orders import ASK, order
from ..stacks import army, owner_of
from ..state import KingsState
from ..terms import WILD, is_hit
from .base import Offers
from .battle_magic import BattleQuestion, BringsMagic
from .bluffs import remove_bluffs
from .losses import Losses
from .roll import Roll, Window

if TYPE_CHECKING:  # at run time it is Battle that imports what is here
    from .battle import Battle


@dataclass
class Targets(BattleQuestion):
    """With three or four sides each names, secretly, whom it fights this round (11.81, C8)."""

    rule: ClassVar[str] = "11.81"
    asking: ClassVar[str] = "target"
    named: dict[str, int] = field(default_factory=dict)
    steps: ClassVar[tuple[str, ...]] = ("gather", "show", "use_item")

    def gather(self, state: KingsState) -> None:
        standing = self.battle(state).standing(state)
        by_order = [each for each in standing if each != WILD and order(state, each, "targets") != ASK]
        self.pending = [each for each in standing if each not in by_order]
        self.named = {str(each): self.largest_enemy(state, each) for each in by_order} if len(standing) > 2 else {}

    def largest_enemy(self, state: KingsState, side: int) -> int:
        """The enemy with most counters in the hex; of equal ones the first to the defender's left."""
        battle = self.battle(state)
        enemies = [each for each in battle.standing(state) if each != side]
        return max(enemies, key=lambda each: (len(army(state, each, battle.place)), -enemies.index(each)))

    def offers(self, state: KingsState) -> Offers:
        """Bluffs may be challenged meanwhile (B1): a side that is gone names nobody, and one of two has no choice."""
        standing = self.battle(state).standing(state)
        asked = super().offers(state) if len(standing) > 2 else {}
        return {seat: offers for seat, offers in asked.items() if seat in standing}

    def offers_to(self, state: KingsState, seat: int) -> list[Offer]:
        others = tuple(str(side) for side in self.battle(state).standing(state) if side != seat)
        return [OneOf(Choose, "what", others), *self.item_offers(state, seat)]

    def on_choose(self, state: KingsState, seat: int, action: Choose) -> None:
        self.named = {**self.named, str(seat): int(action.what)}
        self.answered(seat)

    def show(self, state: KingsState) -> None:
        battle = self.battle(state)
        standing = battle.standing(state)
        if len(standing) > 2:
            battle.targets = {side: target for side, target in self.named.items() if int(side) in standing}
        for side, target in battle.targets.items():
            state.tell(TargetNamed(int(side), target), to=EVERYONE)
        self.leave(state)


@dataclass
class Strike(BringsMagic):
    """One step of a round: all who fight in it roll, then all losses are taken together (11.4, 11.5, C3)."""

    rule: ClassVar[str] = "11.4"
    asking: ClassVar[str] = "aim"
    step: str = ""
    undecided: list[int] = field(default_factory=list)  # Marksmen whose owner has to choose
    aims: list[int] = field(default_factory=list)
    throwers: list[int] = field(default_factory=list)
    needs: list[list[int]] = field(default_factory=list)  # as they were when the dice were thrown
    shooters: list[list[bool]] = field(default_factory=list)  # dice of Marksmen who aim
    faces: list[list[int]] = field(default_factory=list)
    hits: dict[str, int] = field(default_factory=dict)
    shots: list[list[int]] = field(default_factory=list)  # [shooter's side, target side] of each 2-hit to be placed
    aimed: dict[str, list[str]] = field(default_factory=dict)
    steps: ClassVar[tuple[str, ...]] = (
        *("dispel", "marksmen", "roll", "count", "place_shots", "losses", "finish", "use_item"),
    )

    def strikers_of(self, state: KingsState, side: int) -> list[Striker]:
        battle = self.battle(state)
        if battle.target_of(state, side) is None:
            return []
        ready = strikers(state, battle.arms(tuple(self.aims)), side, self.step)
        return [striker for striker in ready if striker.tag not in battle.struck]

    def dispel(self, state: KingsState) -> None:
        """Magic creatures about to fight may be answered with a Dispel Magic Scroll (C2)."""
        if self.step != MAGIC:
            return
        battle = self.battle(state)
        counts = {side: len(magic_creatures(state, battle.arms(), side)) for side in battle.standing(state)}
        for side in counts:
            counts[side] += sum(state.counters[n].kind == "firewall" for n in battle.magic_of(state, side))
        sides = [side for side, count in counts.items() if count]
        if sides:
            about = {"sides": sides, "counts": [counts[side] for side in sides]}
            state.call(Window(trigger="magic", by=battle.initiator, parties=battle.people(), about=about))

    def marksmen(self, state: KingsState) -> None:
        """The Marksman's owner decides between the 5 and the 2 before rolling (pull-out)."""
        if self.step != RANGED:
            return
        battle = self.battle(state)
        self.undecided = [
            number
            for side in battle.standing(state)
            for number in army(state, side, battle.place)
            if state.counters[number].kind == "marksman"
            and self.shoots(state, side, number)
            and order(state, side, "marksman") == ASK
        ]

    def shoots(self, state: KingsState, side: int | None, number: int) -> bool:
        tag = state.counters[number].tag
        return side is not None and any(striker.tag == tag for striker in self.strikers_of(state, side))

    def offers(self, state: KingsState) -> Offers:
        if self.next == "use_item":
            return {}
        if self.undecided:
            owner = state.counters[self.undecided[0]].owner
            assert owner is not None
            return {owner: [OneOf(Choose, "what", ("5", "2")), *self.item_offers(state, owner)]}
        if self.shots:
            shooter, target = self.shots[0]
            places = self.places_for_shot(state, target)
            return {shooter: [OneOf(Choose, "what", places), *self.item_offers(state, shooter)]} if places else {}
        return {}

    def asks(self, state: KingsState, seat: int) -> str:
        return "aim" if self.undecided else "aimed_hit"

    def on_choose(self, state: KingsState, seat: int, action: Choose) -> None:
        if self.undecided:
            number = self.undecided[0]
            self.undecided = self.undecided[1:]
            if action.what == "2":
                self.aims = [*self.aims, number]
            return
        _, target = self.shots[0]
        self.shots = self.shots[1:]
        self.aimed = {**self.aimed, str(target): [*self.aimed.get(str(target), []), action.what]}
        name = "fort" if action.what == FORT else state.kind(state.tags[action.what]).name
        state.tell(AimedAt(seat, name), to=EVERYONE)
        self.drop_pointless_shots(state)

    def use_item(self, state: KingsState) -> None:
        """The Sword keeps a Marksman from shooting; the Golem stops a ranged hit that is thrown but not yet taken."""
        outcome = self.outcome
        super().use_item(state)
        self.undecided = [n for n in self.undecided if self.shoots(state, state.counters[n].owner, n)]
        if self.faces and outcome is not None and outcome["works"] and outcome["kind"] == "golem":
            self.hits = without_one(self.hits, str(outcome["seat"]))

    def places_for_shot(self, state: KingsState, target: int) -> tuple[str, ...]:
        """Enemy counters a 2-hit can be put on; those it has already been put on do not die twice."""
        targets = targets_of(state, self.battle(state).arms(), target, self.step)
        placed = self.aimed.get(str(target), [])
        return tuple(sorted(tag for tag, most in targets.items() if placed.count(tag) < most))

    def drop_pointless_shots(self, state: KingsState) -> None:
        self.shots = [shot for shot in self.shots if self.places_for_shot(state, shot[1])]

    def roll(self, state: KingsState) -> None:
        battle = self.battle(state)
        rolling = {side: self.strikers_of(state, side) for side in battle.standing(state)}
        self.throwers = [side for side in rolling if rolling[side]]
        if not self.throwers:
            self.leave(state)
            return
        dice = [[s for s in rolling[side] for _ in range(s.dice)] for side in self.throwers]
        battle.struck = [*battle.struck, *(s.tag for side in self.throwers for s in rolling[side])]
        self.needs = [[striker.need for striker in line] for line in dice]
        self.shooters = [[striker.aimed for striker in line] for line in dice]
        state.call(
            Roll(
                why=self.step,
                throwers=self.throwers,
                counts=[len(line) for line in dice],
                needs=self.needs,
                names=[[striker.name for striker in line] for line in dice],
                parties=battle.people(),
            ),
            into="faces",
        )

    def count(self, state: KingsState) -> None:
        """A die not above the value is a hit (11.41); the Golem stops one ranged hit a step (X6)."""
        battle = self.battle(state)
        hits: dict[int, int] = {}
        for at, (side, faces) in enumerate(zip(self.throwers, self.faces)):
            target = battle.target_of(state, side)
            if target is None:
                continue
            for need, aimed, face in zip(self.needs[at], self.shooters[at], faces):
                if is_hit(face, need):
                    if aimed:
                        self.shots = [*self.shots, [side, target]]
                    else:
                        hits[target] = hits.get(target, 0) + 1
        if self.step == RANGED:
            hits = {side: count - has_golem(state, battle, side) for side, count in hits.items()}
        self.hits = {str(side): count for side, count in hits.items() if count > 0}
        self.drop_pointless_shots(state)

    def place_shots(self, state: KingsState) -> None:
        """The shooter has placed the 2-hits; the rest is up to those hit."""

    def losses(self, state: KingsState) -> None:
        if self.hits or self.aimed:
            state.call(Losses(step=self.step, hits=self.hits, aimed=self.aimed))

    def finish(self, state: KingsState) -> None:
        battle = self.battle(state)
        remove_bluffs(state, battle.place)
        battle.drop_magic_of_the_fallen(state)
        self.leave(state)

    def shown(self, state: KingsState) -> dict[str, Any]:
        return {"step": self.step, "hits": dict(self.hits), "aimed": {k: list(v) for k, v in self.aimed.items()}}

    def abandoned_by(self, state: KingsState, seat: int) -> bool:
        return seat in self.battle(state).sides


def without_one(hits: dict[str, int], side: str) -> dict[str, int]:
    """The hits of a step, one less for a side."""
    return {each: left for each, count in hits.items() if (left := count - (each == side)) > 0}


def has_golem(state: KingsState, battle: Battle, side: int) -> int:
    return int(
        any(state.counters[n].kind == "golem" and n in battle.in_play for n in state.of(owner_of(side), battle.place))
    )
