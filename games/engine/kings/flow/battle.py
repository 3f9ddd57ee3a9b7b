"""One battle: its sides, what comes before the first round, and its rounds of steps (11.3)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from ...core.events import EVERYONE
from ..battle import MAGIC, MELEE, RANGED, Arms
from ..catalogue import FORTS
from ..events import BattleBegan, ItemGiven, Revealed, SiegeHit
from ..stacks import armies, army, fort_left, holds, is_fortified, owner_of, settlement, strength_left
from ..state import HOUSE, IN_PLAY, WILD, KingsState
from .aftermath import Aftermath
from .base import KingsFrame, frame_named
from .battle_magic import LastStand, RaiseFirewall, Ready
from .before_rounds import Dusting, WarlordCalls
from .bluffs import remove_bluffs
from .retreat import Retreating
from .strike import Strike, Targets


def combatants(state: KingsState, place: str) -> list[int]:
    """The seats that would fight for a hex: those with creatures there, and its owner if their walls can (11.2)."""
    found = armies(state, place)
    owner = state.hexes[place].owner
    if owner is not None and owner not in found and is_fortified(state, place):
        found.append(owner)
    return found


@dataclass
class Battle(KingsFrame):
    """One battle in one hex, in rounds, until one side is left there (11.3)."""

    rule: ClassVar[str] = "11.3"
    place: str = ""
    initiator: int = 0
    attackers: list[int] = field(default_factory=list)
    defender: int = 0
    runner: int = HOUSE  # who decides for wild defenders
    round: int = 0
    step: str = ""
    targets: dict[str, int] = field(default_factory=dict)
    dispelled: list[int] = field(default_factory=list)
    held: dict[str, int] = field(default_factory=dict)
    in_play: list[int] = field(default_factory=list)
    firewall: int = 0
    parried: list[int] = field(default_factory=list)
    struck: list[str] = field(default_factory=list)  # whoever has rolled in this round, and does not again
    warlords: list[int] = field(default_factory=list)
    faces: list[list[int]] = field(default_factory=list)
    steps: ClassVar[tuple[str, ...]] = (
        *("take_sides", "reveal", "dust", "warlord", "last_stand", "baron", "new_round", "name_targets"),
        *("magic", "ranged", "melee", "retreats", "next_round", "aftermath"),
    )

    # ---- questions

    @property
    def sides(self) -> list[int]:
        return [*self.attackers, self.defender]

    def people(self) -> list[int]:
        """Seats with a say in this battle."""
        return [self.controller(side) for side in self.sides if self.controller(side) >= 0]

    def controller(self, side: int) -> int:
        return self.runner if side == WILD else side

    def side_of(self, seat: int) -> int:
        return seat if seat in self.sides else WILD

    def standing(self, state: KingsState) -> list[int]:
        return [side for side in self.sides if holds(state, side, self.place)]

    def arms(self, aims: tuple[int, ...] = ()) -> Arms:
        return Arms(self.place, tuple(self.dispelled), self.held, self.firewall, aims)

    def is_over(self, state: KingsState) -> bool:
        """At most one side is left: what remains of this round is skipped."""
        if len(self.standing(state)) > 1:
            return False
        self.next = "aftermath"
        return True

    def target_of(self, state: KingsState, side: int) -> int | None:
        """Whom a side's hits go to; nobody if the named side is gone (X7)."""
        if self.targets:
            named = self.targets.get(str(side))
            return named if named is not None and holds(state, named, self.place) else None
        return next((other for other in self.standing(state) if other != side), None)

    # ---- before the first round (C2)

    def take_sides(self, state: KingsState) -> None:
        """The hex's owner defends; if nothing of theirs can fight, the next player to the right (11.91)."""
        if self.attackers:
            return
        there = combatants(state, self.place)
        owner = state.hexes[self.place].owner
        self.defender = owner if owner is not None and owner in there else self.first_to_the_right(state, there)
        order = state.order
        at = order.index(self.defender) + 1
        self.attackers = [seat for seat in order[at:] + order[:at] if seat in there and seat != self.defender]

    def first_to_the_right(self, state: KingsState, there: list[int]) -> int:
        seat = state.right_of(self.initiator)
        while seat not in there:
            seat = state.right_of(seat)
        return seat

    def reveal(self, state: KingsState) -> None:
        """All counters are turned up; bluffs are out (10.3, B1)."""
        state.tell(self.beginning(state), to=EVERYONE)
        for side in self.sides:
            if side != WILD:
                shown = army(state, side, self.place)
                state.turn_up(shown)
                names = tuple(sorted(state.kind(n).name for n in shown))
                if names:
                    state.tell(Revealed(side, names, self.place), to=EVERYONE)
        remove_bluffs(state, self.place)

    def beginning(self, state: KingsState) -> BattleBegan:
        here, town = state.hexes[self.place], settlement(state, self.place)
        wild = tuple(sorted(state.kind(n).name for n in army(state, WILD, self.place))) if WILD in self.sides else ()
        return BattleBegan(
            self.place,
            tuple(self.attackers),
            self.defender,
            fort=here.fort,
            left=fort_left(state, self.place),
            town=state.kind(town).name if town is not None and strength_left(state, town) else "",
            wild=wild,
        )

    def dust(self, state: KingsState) -> None:
        if not self.is_over(state):
            state.call(Dusting())

    def warlord(self, state: KingsState) -> None:
        if self.is_over(state):
            return
        for side in self.sides:
            for number in army(state, side, self.place):
                if state.counters[number].kind == "warlord" and number not in self.warlords:
                    self.warlords = [*self.warlords, number]
                    self.next = "warlord"
                    state.call(WarlordCalls(seat=side))
                    return

    def last_stand(self, state: KingsState) -> None:
        """Whose last walls the Baron or the Duke is about to neutralize may call the Golem first."""
        heroes = len(self.besiegers(state))
        owner, town = state.hexes[self.place].owner, settlement(state, self.place)
        strongest = max(fort_left(state, self.place), strength_left(state, town) if town is not None else 0)
        for side in self.sides:
            if owner_of(side) == owner and not army(state, side, self.place) and 0 < strongest <= heroes:
                state.call(LastStand(side=side))

    def besiegers(self, state: KingsState) -> list[int]:
        owner = state.hexes[self.place].owner
        return [
            number
            for side in self.sides
            for number in army(state, side, self.place)
            if state.counters[number].kind in ("baron_munchausen", "grand_duke") and owner_of(side) != owner
        ]

    def baron(self, state: KingsState) -> None:
        """Baron Munchausen and the Grand Duke: one hit on every enemy fort, city and village (C2)."""
        if self.is_over(state):
            return
        for number in self.besiegers(state):
            self.besiege(state, state.kind(number).name)
        self.is_over(state)

    def besiege(self, state: KingsState, hero: str) -> None:
        here = state.hexes[self.place]
        if here.fort > here.damage:
            state.change_hex(self.place, damage=here.damage + 1)
            state.tell(SiegeHit(hero, FORTS[here.fort], self.place), to=EVERYONE)
        town = settlement(state, self.place)
        if town is not None and state.counters[town].spent < state.kind(town).value:
            state.change_counter(town, spent=state.counters[town].spent + 1)
            state.tell(SiegeHit(hero, state.kind(town).name.lower(), self.place), to=EVERYONE)

    # ---- rounds

    def new_round(self, state: KingsState) -> None:
        if self.is_over(state):
            return
        self.round += 1
        self.parried, self.struck, self.targets, self.step = [], [], {}, ""
        state.call(Ready())

    def name_targets(self, state: KingsState) -> None:
        if not self.is_over(state) and len(self.standing(state)) > 2:
            state.call(Targets())

    def magic(self, state: KingsState) -> None:
        self.strike(state, MAGIC)

    def ranged(self, state: KingsState) -> None:
        self.strike(state, RANGED)

    def melee(self, state: KingsState) -> None:
        self.strike(state, MELEE)

    def strike(self, state: KingsState, step: str) -> None:
        if not self.is_over(state):
            self.step = step
            state.call(Strike(step=step))

    def retreats(self, state: KingsState) -> None:
        self.step = ""
        if not self.is_over(state):
            state.call(Retreating(waiting=[side for side in self.sides if side != WILD]))

    def next_round(self, state: KingsState) -> None:
        if not self.is_over(state):
            self.next = "new_round"

    def aftermath(self, state: KingsState) -> None:
        place, standing, wild = self.place, self.standing(state), WILD in self.sides
        for number in self.in_play:
            if state.counters[number].place == place:
                state.use_up(number)
        if not any(army(state, side, place) for side in standing if side != WILD):
            for number in state.at(place):
                if state.counters[number].kind == "balloon":
                    state.use_up(number)
        self.leave(state)
        state.call(Aftermath(place=place, standing=standing, wild=wild, battle=self.serial))

    # ---- magic in play

    def bring(self, state: KingsState, outcome: dict[str, Any]) -> None:
        """An item that stays for the battle is laid beside the creatures."""
        number, side = outcome["item"], outcome["seat"]
        state.change_counter(number, place=self.place, owner=owner_of(side), face_up=True, spent=IN_PLAY)
        self.in_play = [*self.in_play, number]
        if outcome["kind"] in ("bow", "sword"):
            self.give(state, number, outcome["target"])
        elif outcome["kind"] == "firewall":
            state.call(RaiseFirewall(side=side))

    def give(self, state: KingsState, item: int, tag: str) -> None:
        """Nobody holds an item whose creature was challenged away before it came into play; `Ready` finds another."""
        if tag not in state.tags:
            self.held = {**self.held, str(item): 0}
            return
        self.held = {**self.held, str(item): state.tags[tag]}
        creature = state.kind(state.tags[tag]).name
        state.tell(ItemGiven(state.kind(item).name, creature), to=EVERYONE)

    def take_from_play(self, state: KingsState, number: int) -> None:
        self.in_play = [n for n in self.in_play if n != number]
        self.held = {item: holder for item, holder in self.held.items() if item != str(number)}
        if state.counters[number].kind == "firewall":
            self.firewall = 0
        state.use_up(number)

    def drop_firewall(self, state: KingsState, side: int) -> None:
        for number in self.magic_of(state, side):
            if state.counters[number].kind == "firewall":
                self.take_from_play(state, number)

    def magic_of(self, state: KingsState, side: int) -> list[int]:
        """What a side has brought into the battle."""
        return [number for number in state.of(owner_of(side), self.place) if number in self.in_play]

    def drop_magic_of_an_army(self, state: KingsState, side: int) -> None:
        """For an army that retreats the battle is over, its Golem's too; a Firewall stays with walls that fight on."""
        for number in self.magic_of(state, side):
            if state.counters[number].kind != "firewall":
                self.take_from_play(state, number)

    def drop_magic_of_the_fallen(self, state: KingsState) -> None:
        """Others may fight on (11.8), but not beside the Firewall of a side of which nothing else is left (X6)."""
        for side in self.sides:
            if not holds(state, side, self.place):
                for number in self.magic_of(state, side):
                    self.take_from_play(state, number)

    def let_go(self, number: int) -> None:
        """A creature that is gone holds nothing."""
        self.held = {item: 0 if holder == number else holder for item, holder in self.held.items()}

    # ---- for others

    def shown(self, state: KingsState) -> dict[str, Any]:
        held = {state.counters[int(item)].kind: state.counters[n].tag for item, n in self.held.items() if n}
        return {
            "place": self.place,
            "attackers": list(self.attackers),
            "defender": self.defender,
            "runner": self.runner,
            "round": self.round,
            "step": self.step,
            "targets": {} if frame_named(state, "targets") else dict(self.targets),
            "dispelled": list(self.dispelled),
            "held": held,
            "firewall": self.firewall,
        }

    def abandoned_by(self, state: KingsState, seat: int) -> bool:
        return False

    def forget(self, state: KingsState, seat: int) -> None:
        """As if the player had retreated (W3); the battle goes on among the others, if there are any."""
        if self.runner == seat:
            self.runner = HOUSE
        if seat in self.sides and self.next:
            self.next = "next_round" if len(self.standing(state)) > 1 else "aftermath"
