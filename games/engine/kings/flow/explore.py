"""Exploration: the die, the defenders, bribes, and then a fight or none (10)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from ...core.events import EVERYONE, Event
from ...core.offers import Exactly, OneOf
from ..actions import Bribe, Choose, Done, PlayItem
from ..battle import Arms, value_of, worth
from ..events import Bribed, FoundDefenders, IncomeReturned, ItemGiven, Undefended
from ..no_choice import BribeTooDear, NoChoice
from ..offers import Bribes
from ..orders import ASK, order
from ..stacks import army, holds, settlement, wild
from ..state import HOUSE, IN_PLAY, WILD, KingsState
from .base import KingsFrame, Offers
from .battle import Battle
from .capture import Capture
from .roll import Played, Roll, creature_aimed_at


def prices(state: KingsState, place: str, held: Mapping[str, int]) -> dict[str, int]:
    """What each defender wants: its present value, twice that with something to guard (E3)."""
    guarded = any(state.kind(n).sort in ("treasure", "magic", "income") for n in wild(state, place))
    town = settlement(state, place)
    defenders = [*army(state, WILD, place), *([] if town is None else [town])]
    values = {state.counters[n].tag: value_of(state, Arms(place, held=held), n) for n in defenders}
    return {tag: value * (2 if guarded else 1) for tag, value in values.items() if value}


MOST_BRIBED = {"none": 0, "five": 5, "ten": 10}  # gold that an order pays for all defenders together


@dataclass
class Explore(KingsFrame):
    """One army explores one hex: defenders are drawn, paid off or fought (10.1 to 10.4)."""

    rule: ClassVar[str] = "10.1"
    place: str = ""
    seat: int = 0
    runner: int = HOUSE
    faces: list[list[int]] = field(default_factory=list)
    equal: list[int] = field(default_factory=list)  # special income counters of which the runner picks one
    held: dict[str, int] = field(default_factory=dict)
    in_play: list[int] = field(default_factory=list)
    outcome: dict[str, Any] | None = None
    steps: ClassVar[tuple[str, ...]] = (
        *("look", "roll", "defenders", "income", "arm", "armed", "bribe", "meet", "fight", "take"),
    )

    def look(self, state: KingsState) -> None:
        """Those who beat back an earlier explorer are still there, and take no bribes (10.4, E4)."""
        neighbour = state.options["wild"] == "neighbour"
        self.runner = state.right_of(self.seat) if neighbour and len(state.order) > 1 else HOUSE
        if holds(state, WILD, self.place):
            self.next = "meet"

    def roll(self, state: KingsState) -> None:
        state.call(Roll(why="explore", throwers=[self.seat], counts=[1], parties=[self.seat]), into="faces")

    def defenders(self, state: KingsState) -> None:
        """1 or 6: nobody is there. Else as many Things as rolled come out of the cup (10.11, 10.12)."""
        face = self.faces[0][0]
        if face in (1, 6):
            state.tell(Undefended(self.place), to=EVERYONE)
            self.next = "take"
            return
        drawn = state.draw(face, "defenders")
        for number in drawn:
            state.change_counter(number, place=self.place, owner=None, face_up=True, tag=state.mint())
        state.tell(FoundDefenders(self.place, tuple(sorted(state.kind(n).name for n in drawn))), to=EVERYONE)
        for number in drawn:
            if state.kind(number).sort == "event":
                state.to_cup(number)

    def income(self, state: KingsState) -> None:
        """Special income of another terrain goes back; of several only the most valuable stays (10.12)."""
        terrain = state.hexes[self.place].terrain
        found = [n for n in wild(state, self.place) if state.kind(n).sort == "income"]
        best = max((state.kind(n).gold for n in found if state.kind(n).terrain in ("any", terrain)), default=0)
        for number in found:
            kind = state.kind(number)
            if kind.terrain not in ("any", terrain) or kind.gold < best:
                self.give_back(state, number)
        self.equal = [n for n in wild(state, self.place) if state.kind(n).sort == "income"]
        if len(self.equal) > 1 and self.runner == HOUSE:
            self.keep(state, self.equal[0])

    def keep(self, state: KingsState, kept: int) -> None:
        for number in self.equal:
            if number != kept:
                self.give_back(state, number)
        self.equal = []

    def give_back(self, state: KingsState, number: int) -> None:
        state.tell(IncomeReturned(state.kind(number).name), to=EVERYONE)
        state.to_cup(number)

    def offers(self, state: KingsState) -> Offers:
        if self.next == "arm" and len(self.equal) > 1:
            return {self.runner: [OneOf(Choose, "what", state.tags_of(self.equal))]}
        if self.next == "armed" and self.outcome is None:
            return self.offers_to_arm(state)
        if self.next == "meet":
            return self.offers_to_bribe(state)
        return {}

    def asks(self, state: KingsState, seat: int) -> str:
        return {"arm": "which_income", "armed": "arm", "meet": "bribe"}.get(self.next, "")

    def on_choose(self, state: KingsState, seat: int, action: Choose) -> None:
        self.keep(state, state.tags[action.what])

    # ---- Bow and Sword, before the bribe (E3)

    def arm(self, state: KingsState) -> None:
        """The house arms the best of its own; a neighbour is asked."""
        if self.runner == HOUSE:
            item = self.item_to_give(state)
            if item is not None:
                best = max(self.unarmed(state), key=lambda tag: (worth(state, state.tags[tag]), tag))
                self.play(state, item, best)

    def unarmed(self, state: KingsState) -> tuple[str, ...]:
        return state.tags_of(n for n in army(state, WILD, self.place) if n not in self.held.values())

    def item_to_give(self, state: KingsState) -> int | None:
        items = (n for n in wild(state, self.place) if state.counters[n].kind in ("bow", "sword"))
        waiting = [n for n in items if n not in self.in_play]
        return waiting[0] if waiting and self.unarmed(state) else None

    def offers_to_arm(self, state: KingsState) -> Offers:
        item = self.item_to_give(state)
        if item is None or self.runner == HOUSE:
            return {}
        tag = state.counters[item].tag
        return {self.runner: [OneOf(PlayItem, "target", self.unarmed(state), {"item": tag}), Exactly(Done())]}

    def on_play_item(self, state: KingsState, seat: int, action: PlayItem) -> None:
        self.play(state, state.tags[action.item], action.target)

    def play(self, state: KingsState, item: int, target: str) -> None:
        parties = [seat for seat in (self.seat, self.runner) if seat >= 0]
        state.call(Played(seat=WILD, item=item, parties=parties, about={"target": target}), into="outcome")

    def aim_of(self, state: KingsState, played: Any) -> Event | None:
        return creature_aimed_at(state, played)

    def on_done(self, state: KingsState, seat: int, action: Done) -> None:
        """Nothing (more) is handed out, or nobody is bribed."""
        self.next = "bribe"

    def armed(self, state: KingsState) -> None:
        outcome, self.outcome = self.outcome, None
        if outcome is None:
            return
        if outcome["works"]:
            item, holder = outcome["item"], state.tags[outcome["target"]]
            state.change_counter(item, place=self.place, owner=None, face_up=True, spent=IN_PLAY)
            self.held = {**self.held, str(item): holder}
            self.in_play = [*self.in_play, item]
            state.tell(ItemGiven(state.kind(item).name, state.kind(holder).name), to=EVERYONE)
        self.next = "arm"

    # ---- bribes (10.2)

    def bribe(self, state: KingsState) -> None:
        """Paying comes once, before the first round; a standing order may say how much (R3)."""
        how = order(state, self.seat, "bribes")
        if how == ASK or not holds(state, WILD, self.place):
            return
        self.next = "fight"
        wanted = prices(state, self.place, self.held)
        if 0 < sum(wanted.values()) <= min(MOST_BRIBED[how], state.seats[self.seat].gold):
            self.on_bribe(state, self.seat, Bribe(tuple(wanted)))

    def offers_to_bribe(self, state: KingsState) -> Offers:
        if not self.faces or self.outcome is not None or not holds(state, WILD, self.place):
            return {}
        wanted = prices(state, self.place, self.held)
        gold = state.seats[self.seat].gold
        if min(wanted.values()) > gold and not state.rack(self.seat):
            return {}
        return {self.seat: [Bribes(wanted, gold)]}

    def price_of_more(self, state: KingsState) -> int:
        return min(prices(state, self.place, self.held).values()) if self.next == "meet" else 0

    def why_no_choice(self, state: KingsState, seat: int) -> NoChoice | None:
        if self.next not in ("meet", "fight") or seat != self.seat:
            return None
        return BribeTooDear(min(prices(state, self.place, self.held).values()), state.seats[seat].gold)

    def on_bribe(self, state: KingsState, seat: int, action: Bribe) -> None:
        wanted = prices(state, self.place, self.held)
        self.next = "fight"
        if not action.counters:
            return
        cost = sum(wanted[tag] for tag in action.counters)
        state.pay(seat, cost)
        numbers = state.numbers_of(action.counters)
        state.tell(Bribed(seat, tuple(sorted(state.kind(n).name for n in numbers)), cost), to=EVERYONE)
        for number in numbers:
            if state.kind(number).sort == "income":
                state.change_counter(number, spent=state.kind(number).value)
            else:
                self.held = {item: 0 if holder == number else holder for item, holder in self.held.items()}
                state.to_cup(number)

    # ---- fight or take

    def meet(self, state: KingsState) -> None:
        """Nobody to bribe, or nothing to bribe with."""
        if self.faces and self.outcome is None and holds(state, WILD, self.place):
            self.explain(state, self.seat)

    def fight(self, state: KingsState) -> None:
        if not holds(state, WILD, self.place):
            return
        battle = Battle(
            place=self.place,
            initiator=self.seat,
            attackers=[self.seat],
            defender=WILD,
            runner=self.runner,
            held=self.held,
            in_play=self.in_play,
        )
        self.leave(state)
        state.call(battle)

    def take(self, state: KingsState) -> None:
        """Nobody is there (any more): the hex is captured, and no counter was turned up (10.11, E2)."""
        town = settlement(state, self.place)
        if town is not None:
            state.change_counter(town, spent=0)
        for number in self.in_play:
            state.use_up(number)  # magic that was used is not looted (10.22)
        self.leave(state)
        state.call(Capture(seat=self.seat, place=self.place))

    def arms(self) -> Arms:
        return Arms(self.place, held=self.held)

    def shown(self, state: KingsState) -> dict[str, Any]:
        held = {state.counters[int(item)].kind: state.counters[n].tag for item, n in self.held.items() if n}
        return {"place": self.place, "seat": self.seat, "runner": self.runner, "held": held}

    def forget(self, state: KingsState, seat: int) -> None:
        if self.runner == seat:
            self.runner = HOUSE
            if len(self.equal) > 1:
                self.keep(state, self.equal[0])
