"""Combat: segments, battles in rounds of steps, losses, retreats and what comes after (11)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from ...core.events import EVERYONE
from ...core.offers import Exactly, Offer, OneOf
from ..actions import Choose, Done, Engage, Give, Lose, PlayItem, Retreat
from ..battle import (
    FORT,
    MAGIC,
    MELEE,
    RANGED,
    Arms,
    Striker,
    cheapest_losses,
    magic_creatures,
    rides,
    strikers,
    targets_of,
    worth,
)
from ..catalogue import CITADEL, FORTS, SEA
from ..events import (
    AimedAt,
    BattleBegan,
    BattleOver,
    BluffsRemoved,
    Captured,
    DamageDone,
    DustStayed,
    Fell,
    FirewallRaised,
    ItemGiven,
    Looted,
    Retreated,
    Revealed,
    Saved,
    SiegeHit,
    TalismanLost,
    TargetNamed,
    TookHit,
    WarlordFailed,
    WarlordWon,
)
from ..offers import LossLists, Retreats
from ..orders import order
from ..powers.magic import held
from ..stacks import armies, army, holds, is_fortified, land_of, owner_of, refuges, settlement
from ..state import CUP, HOUSE, IN_PLAY, WILD, KingsState
from ..support import bluffs_in
from ..victory import see_who_is_out, wins_with_two
from .base import InTurn, KingsFrame, Offers, Together, frame_named
from .place import Deploy, FledHeroes, FullRack, TooMany
from .roll import Played, Roll

BATTLE_ITEMS = ("golem", "talisman", "bow", "sword")


# ---- who fights where


def combatants(state: KingsState, place: str) -> list[int]:
    """The seats that would fight for a hex: those with creatures there, and its owner if his walls can (11.2)."""
    found = armies(state, place)
    owner = state.hexes[place].owner
    if owner is not None and owner not in found and is_fortified(state, place):
        found.append(owner)
    return found


def pending(state: KingsState, seat: int) -> list[str]:
    """Battles and explorations a seat has to resolve (C1)."""
    found = []
    for place, here in state.hexes.items():
        there = state.at(place)
        if not there or here.terrain == SEA:
            continue
        if here.owner != seat and not any(state.counters[n].owner == seat for n in there):
            continue
        sides = combatants(state, place)
        if seat in sides and (len(sides) > 1 or here.owner is None):
            found.append(place)
    return found


@dataclass
class Combat(InTurn):
    """In player order each resolves one battle or exploration, round and round, until none is left (11.2, C1)."""

    rule: ClassVar[str] = "11.2"
    again: bool = False

    def turn_of(self, state: KingsState, seat: int) -> None:
        if pending(state, seat):
            self.again = True
            state.call(Segment(seat=seat))

    def finish(self, state: KingsState) -> None:
        if self.again:
            self.again = False
            self.next = "gather"


@dataclass
class Segment(KingsFrame):
    """One player names the battle or exploration he resolves now; he may not pass (11.24)."""

    rule: ClassVar[str] = "11.2"
    asking: ClassVar[str] = "engage"
    seat: int = 0
    steps: ClassVar[tuple[str, ...]] = ("only_one", "after")

    def offers(self, state: KingsState) -> Offers:
        if self.next:
            return {}
        places = pending(state, self.seat)
        return {self.seat: [OneOf(Engage, "place", tuple(places))]} if len(places) > 1 else {}

    def only_one(self, state: KingsState) -> None:
        self.engage(state, pending(state, self.seat)[0])

    def on_engage(self, state: KingsState, seat: int, action: Engage) -> None:
        self.next = "after"
        self.engage(state, action.place)

    def engage(self, state: KingsState, place: str) -> None:
        from .explore import Explore

        if len(combatants(state, place)) > 1:
            state.call(Battle(place=place, initiator=self.seat))
        else:
            state.call(Explore(place=place, seat=self.seat))

    def after(self, state: KingsState) -> None:
        if not see_who_is_out(state):
            self.leave(state)

    def abandoned_by(self, state: KingsState, seat: int) -> bool:
        """A running battle goes on without him, as if he had retreated (W3)."""
        return self.seat == seat and frame_named(state, "battle", "aftermath") is None


# ---- one battle


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
        *("take_sides", "reveal", "dust", "warlord", "baron", "new_round", "name_targets"),
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
        """The hex's owner defends; if there is none, or nothing of his can fight, whoever is to the right (11.91)."""
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
        state.tell(BattleBegan(self.place), to=EVERYONE)
        for side in self.sides:
            if side != WILD:
                shown = army(state, side, self.place)
                state.turn_up(shown)
                names = tuple(sorted(state.kind(n).name for n in shown))
                if names:
                    state.tell(Revealed(side, names, self.place), to=EVERYONE)
        remove_bluffs(state, self.place)

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

    def baron(self, state: KingsState) -> None:
        """Baron Munchausen and the Grand Duke: one hit on every enemy fort, city and village (C2)."""
        if self.is_over(state):
            return
        owner = state.hexes[self.place].owner
        for side in self.sides:
            for number in army(state, side, self.place):
                if state.counters[number].kind in ("baron_munchausen", "grand_duke") and owner_of(side) != owner:
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
        state.call(Aftermath(place=place, standing=standing, wild=wild))

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
        self.held = {**self.held, str(item): state.tags[tag]}
        creature = state.kind(state.tags[tag]).name
        state.tell(ItemGiven(state.kind(item).name, creature), to=EVERYONE)

    def take_from_play(self, state: KingsState, number: int) -> None:
        self.in_play = [n for n in self.in_play if n != number]
        self.held = {item: holder for item, holder in self.held.items() if item != str(number)}
        state.use_up(number)

    def drop_firewall(self, state: KingsState, side: int) -> None:
        for number in state.of(owner_of(side), self.place):
            if state.counters[number].kind == "firewall" and number in self.in_play:
                self.firewall = 0
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
        """As if he had retreated (W3); the battle goes on among the others, if there are any."""
        if self.runner == seat:
            self.runner = HOUSE
        if seat in self.sides and self.next:
            self.next = "next_round" if len(self.standing(state)) > 1 else "aftermath"


def remove_bluffs(state: KingsState, place: str) -> None:
    """Unsupported creatures that lie face up leave at once, unless the table plays with challenges (B1)."""
    if state.options["bluffs"] != "automatic":
        return
    battle = frame_named(state, "battle")
    # A Lord's followers may have been supported by one another's land only; what leaves may take nobody along here,
    # since creatures support nobody. One pass is enough.
    for number in bluffs_in(state, place):
        unmask(state, number, battle)


def unmask(state: KingsState, number: int, battle: Any) -> None:
    counter = state.counters[number]
    assert counter.owner is not None
    state.tell(BluffsRemoved(counter.owner, state.kind(number).name, counter.place), to=EVERYONE)
    if battle is not None:
        battle.let_go(number)
    state.eliminate(number)


# ---- magic any time in a battle (C2)


@dataclass
class BattleQuestion(Together):
    """A question within a battle; whoever is asked may first play the Golem, the Talisman, the Bow or the Sword."""

    outcome: dict[str, Any] | None = None
    resume: str = ""

    def battle(self, state: KingsState) -> Battle:
        found = frame_named(state, "battle")
        assert isinstance(found, Battle)
        return found

    def offers(self, state: KingsState) -> Offers:
        return {} if self.next == "use_item" else super().offers(state)

    def item_offers(self, state: KingsState, seat: int) -> list[Offer]:
        battle = self.battle(state)
        side = battle.side_of(seat)
        found: list[Offer] = []
        for kind in BATTLE_ITEMS:
            tag = held(state, seat, kind)
            if not tag or (side == WILD) != (state.counters[state.tags[tag]].owner is None):
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
        self.rounds += 1
        self.resume, self.next = self.next, "use_item"
        state.call(Played(seat=side, item=number, parties=battle.people(), about={"target": target}), into="outcome")

    def use_item(self, state: KingsState) -> None:
        outcome = self.outcome
        self.next, self.outcome = self.resume, None
        if outcome is not None and outcome["works"]:
            self.battle(state).bring(state, outcome)


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
        if seat == HOUSE:
            return False
        if side == WILD:
            return any(state.counters[n].kind in (*BATTLE_ITEMS, "firewall") for n in state.of(None, battle.place))
        if any(state.counters[int(item)].owner == side for item in battle.held):
            return True
        if order(state, seat, "battle_items") != "ask" or order(state, seat, "waiting") == "never":
            return False
        kinds = [k for k in (*BATTLE_ITEMS, "firewall") if k != "firewall" or battle.round == 1]
        if state.options["reactions"] == "holders":
            return any(held(state, seat, kind) for kind in kinds)
        somewhere = [k for k in kinds if k in state.magic and hidden(state, state.magic[k])]
        return bool(somewhere) and bool(state.rack(seat))

    def offers_to(self, state: KingsState, seat: int) -> list[Offer]:
        battle = self.battle(state)
        side = battle.side_of(seat)
        found = self.item_offers(state, seat)
        wall = held(state, seat, "firewall")
        if wall and battle.round == 1 and (side == WILD) == (state.counters[state.tags[wall]].owner is None):
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


# ---- before the first round


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
        if number is None or not at_home:
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
        if state.options["reactions"] == "holders":
            return mine
        return hidden(state, number) and bool(state.rack(seat))

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
        return [*found, Exactly(Done())]

    def on_play_item(self, state: KingsState, seat: int, action: PlayItem) -> None:
        self.answered(seat)
        super().on_play_item(state, seat, action)

    def on_done(self, state: KingsState, seat: int, action: Done) -> None:
        self.answered(seat)

    def finish(self, state: KingsState) -> None:
        self.leave(state)

    def use_item(self, state: KingsState) -> None:
        outcome = self.outcome
        self.next, self.outcome = self.resume, None
        if outcome is None or not outcome["works"]:
            return
        state.use_up(outcome["item"])
        side = int(outcome["target"])
        if can_retreat(state, self.battle(state), side):
            state.call(Retreating(waiting=[side], forced=True))
        else:
            state.tell(DustStayed(side), to=EVERYONE)


@dataclass
class WarlordCalls(KingsFrame):
    """The Warlord calls one enemy creature, which joins him if the die is not below its value (pull-out)."""

    rule: ClassVar[str] = "13"
    asking: ClassVar[str] = "warlord"
    seat: int = 0
    called: int = 0
    faces: list[list[int]] = field(default_factory=list)
    steps: ClassVar[tuple[str, ...]] = ("roll", "settle")

    def offers(self, state: KingsState) -> Offers:
        if self.called or self.next:
            return {}
        battle = frame_named(state, "battle")
        enemies = [
            number
            for side in battle.sides
            if side != self.seat
            for number in army(state, side, battle.place)
            if state.kind(number).sort == "creature"
        ]
        return {self.seat: [OneOf(Choose, "what", state.tags_of(enemies)), Exactly(Done())]} if enemies else {}

    def on_choose(self, state: KingsState, seat: int, action: Choose) -> None:
        self.called = state.tags[action.what]

    def on_done(self, state: KingsState, seat: int, action: Done) -> None:
        self.leave(state)

    def roll(self, state: KingsState) -> None:
        if not self.called:
            self.leave(state)
            return
        people = frame_named(state, "battle").people()
        state.call(Roll(why="warlord", throwers=[self.seat], counts=[1], parties=people), into="faces")

    def settle(self, state: KingsState) -> None:
        kind = state.kind(self.called)
        gone = state.counters[self.called].place not in state.hexes
        if gone or not self.faces:
            self.leave(state)
            return
        if self.faces[0][0] >= kind.value:
            frame_named(state, "battle").let_go(self.called)
            state.change_counter(self.called, owner=self.seat)
            state.tell(WarlordWon(self.seat, kind.name), to=EVERYONE)
            remove_bluffs(state, state.counters[self.called].place)
        else:
            state.tell(WarlordFailed(self.seat, kind.name), to=EVERYONE)
        self.leave(state)


# ---- one round


@dataclass
class Targets(BattleQuestion):
    """With three or four sides each names, secretly, whom it fights this round (11.81, C8)."""

    rule: ClassVar[str] = "11.81"
    asking: ClassVar[str] = "target"
    named: dict[str, int] = field(default_factory=dict)
    steps: ClassVar[tuple[str, ...]] = ("gather", "show", "use_item")

    def gather(self, state: KingsState) -> None:
        self.pending = list(self.battle(state).standing(state))

    def offers_to(self, state: KingsState, seat: int) -> list[Offer]:
        others = tuple(str(side) for side in self.battle(state).standing(state) if side != seat)
        return [OneOf(Choose, "what", others), *self.item_offers(state, seat)]

    def on_choose(self, state: KingsState, seat: int, action: Choose) -> None:
        self.named = {**self.named, str(seat): int(action.what)}
        self.answered(seat)

    def show(self, state: KingsState) -> None:
        self.battle(state).targets = self.named
        for seat, target in self.named.items():
            state.tell(TargetNamed(int(seat), target), to=EVERYONE)
        self.leave(state)


@dataclass
class Strike(KingsFrame):
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
    steps: ClassVar[tuple[str, ...]] = ("dispel", "marksmen", "roll", "count", "place_shots", "losses", "finish")

    def battle(self, state: KingsState) -> Battle:
        found = frame_named(state, "battle")
        assert isinstance(found, Battle)
        return found

    def strikers_of(self, state: KingsState, side: int) -> list[Striker]:
        battle = self.battle(state)
        if battle.target_of(state, side) is None:
            return []
        ready = strikers(state, battle.arms(tuple(self.aims)), side, self.step)
        return [striker for striker in ready if striker.tag not in battle.struck]

    def dispel(self, state: KingsState) -> None:
        """Magic creatures about to fight may be answered with a Dispel Magic Scroll (C2)."""
        from .roll import Window

        if self.step != MAGIC:
            return
        battle = self.battle(state)
        counts = {side: len(magic_creatures(state, battle.arms(), side)) for side in battle.standing(state)}
        for number in state.at(battle.place):
            if state.counters[number].kind == "firewall" and battle.firewall:
                owner = state.counters[number].owner
                counts[WILD if owner is None else owner] += 1
        sides = [side for side, count in counts.items() if count]
        if sides:
            about = {"sides": sides, "counts": [counts[side] for side in sides]}
            people = battle.people()
            state.call(Window(trigger="magic", by=battle.initiator, parties=people, asked=people, about=about))

    def marksmen(self, state: KingsState) -> None:
        """The Marksman's owner decides between the 5 and the 2 before rolling (pull-out)."""
        if self.step != RANGED:
            return
        battle = self.battle(state)
        self.undecided = [
            number
            for side in battle.standing(state)
            for number in army(state, side, battle.place)
            if state.counters[number].kind == "marksman" and self.shoots(state, side, number)
        ]

    def shoots(self, state: KingsState, side: int, number: int) -> bool:
        return any(striker.tag == state.counters[number].tag for striker in self.strikers_of(state, side))

    def offers(self, state: KingsState) -> Offers:
        if self.undecided:
            owner = state.counters[self.undecided[0]].owner
            assert owner is not None
            return {owner: [OneOf(Choose, "what", ("5", "2"))]}
        if self.shots:
            shooter, target = self.shots[0]
            places = self.places_for_shot(state, target)
            return {shooter: [OneOf(Choose, "what", places)]} if places else {}
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
                if face <= need:
                    if aimed:
                        self.shots = [*self.shots, [side, target]]
                    else:
                        hits[target] = hits.get(target, 0) + 1
        if self.step == RANGED:
            hits = {side: count - has_golem(state, battle, side) for side, count in hits.items()}
        self.hits = {str(side): count for side, count in hits.items() if count > 0}
        self.drop_pointless_shots(state)

    def place_shots(self, state: KingsState) -> None:
        """The shooter has placed his 2-hits; the rest is up to those hit."""

    def losses(self, state: KingsState) -> None:
        if self.hits or self.aimed:
            state.call(Losses(step=self.step, hits=self.hits, aimed=self.aimed))

    def finish(self, state: KingsState) -> None:
        remove_bluffs(state, self.battle(state).place)
        self.leave(state)

    def shown(self, state: KingsState) -> dict[str, Any]:
        return {"step": self.step, "hits": dict(self.hits), "aimed": {k: list(v) for k, v in self.aimed.items()}}

    def abandoned_by(self, state: KingsState, seat: int) -> bool:
        return seat in self.battle(state).sides


def has_golem(state: KingsState, battle: Battle, side: int) -> int:
    return int(
        any(state.counters[n].kind == "golem" and n in battle.in_play for n in state.of(owner_of(side), battle.place))
    )


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
    steps: ClassVar[tuple[str, ...]] = ("gather", "saves", "apply", "use_item")

    def sides_hit(self) -> list[int]:
        return [int(side) for side in sorted({*self.hits, *self.aimed})]

    def targets(self, state: KingsState, side: int) -> dict[str, int]:
        """Who can still be given hits, after those a Marksman has placed."""
        found = targets_of(state, self.battle(state).arms(), side, self.step)
        for tag in self.aimed.get(str(side), []):
            found[tag] -= 1
        return {tag: left for tag, left in found.items() if left > 0}

    def to_give(self, state: KingsState, side: int) -> int:
        return min(self.hits.get(str(side), 0), sum(self.targets(state, side).values()))

    def gather(self, state: KingsState) -> None:
        """The house decides for its own; who has no choice is not asked."""
        battle = self.battle(state)
        for side in self.sides_hit():
            count = self.to_give(state, side)
            if count and battle.controller(side) == HOUSE:
                listed = list(cheapest_losses(state, battle.arms(), side, self.step, 99))
                for tag in self.aimed.get(str(side), []):
                    listed.remove(tag)
                self.lists = {**self.lists, str(side): listed[:count]}
            elif count and self.has_choice(state, side, count):
                self.pending.append(battle.controller(side))
            else:
                self.lists = {**self.lists, str(side): self.everybody(state, side)[:count]}

    def everybody(self, state: KingsState, side: int) -> list[str]:
        targets = self.targets(state, side)
        return [tag for tag in sorted(targets) for _ in range(targets[tag])]

    def has_choice(self, state: KingsState, side: int, count: int) -> bool:
        """All alike in the end means no question, unless a save makes the order matter or magic may be played (R3)."""
        targets = self.targets(state, side)
        if len(targets) == 1:
            return False
        if self.may_save(state, side):
            return True
        return count < sum(targets.values()) and not self.are_alike(state, side, list(targets))

    def are_alike(self, state: KingsState, side: int, tags: list[str]) -> bool:
        """Creatures of one kind that nothing tells apart, and nobody with a rack to play magic from."""
        battle = self.battle(state)
        if FORT in tags or (side != WILD and state.rack(side) and order(state, side, "battle_items") == "ask"):
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
        return [LossLists(self.targets(state, side), self.to_give(state, side)), *self.item_offers(state, seat)]

    def on_lose(self, state: KingsState, seat: int, action: Lose) -> None:
        side = self.battle(state).side_of(seat)
        self.lists = {**self.lists, str(side): list(action.counters)}
        self.answered(seat)

    def use_item(self, state: KingsState) -> None:
        """A Golem that comes in time stops one of these ranged hits."""
        outcome = self.outcome
        super().use_item(state)
        if outcome and outcome["works"] and outcome["kind"] == "golem" and self.step == RANGED:
            side = str(outcome["seat"])
            self.hits = {**self.hits, side: max(0, self.hits.get(side, 0) - 1)}
            if not self.hits[side]:
                self.lists = {**self.lists, side: []}
                self.answered(outcome["seat"])

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
            state.tell(Saved(state.kind(number).name), to=EVERYONE)
            return True
        if not parries:
            for item in state.of(owner_of(side), battle.place):
                if state.counters[item].kind == "talisman" and item in battle.in_play:
                    battle.take_from_play(state, item)
                    state.tell(TalismanLost(), to=EVERYONE)
        return False

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
        state.tell(TookHit(FORTS[here.fort], here.fort - here.damage - 1), to=EVERYONE)
        return
    number = state.tags.get(tag)
    if number is None:
        return
    kind = state.kind(number)
    if kind.sort == "income":
        state.change_counter(number, spent=state.counters[number].spent + 1)
        state.tell(TookHit(kind.name.lower(), kind.value - state.counters[number].spent), to=EVERYONE)
    elif kind.slug == "firewall":
        battle.firewall -= 1
        state.tell(TookHit(kind.name, battle.firewall), to=EVERYONE)
        if not battle.firewall:
            battle.take_from_play(state, number)
    elif kind.sort == "magic":
        state.tell(Fell(kind.name), to=EVERYONE)
        battle.take_from_play(state, number)
    else:
        state.tell(Fell(kind.name), to=EVERYONE)
        battle.let_go(number)
        state.eliminate(number)


# ---- retreats


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
    on_foot = len(army(state, side, place)) > len(riders)
    safe = [
        there
        for there in land_of(state, side)
        if state.map.distance(place, there) <= 3 and there != place and armies(state, there) in ([], [side])
    ]
    return Retreats(
        places=tuple(refuges(state, side, place)) if on_foot else (),
        balloon=tuple(safe) if riders else (),
        on_foot=on_foot,
    )


def can_retreat(state: KingsState, battle: Battle, side: int) -> bool:
    if side == WILD or not army(state, side, battle.place):
        return False
    ways = ways_out(state, battle, side)
    return bool(ways.places or ways.balloon)


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
            if holds(state, side, battle.place) and can_retreat(state, battle, side):
                self.rounds += 1
                self.pending = [side]
                self.next = "each"
                return
        self.leave(state)

    def offers(self, state: KingsState) -> Offers:
        if any(not can_retreat(state, self.battle(state), side) for side in self.pending):
            return {}
        return super().offers(state)

    def offers_to(self, state: KingsState, seat: int) -> list[Offer]:
        found: list[Offer] = [ways_out(state, self.battle(state), seat)]
        return found if self.forced else [*found, Exactly(Done()), *self.item_offers(state, seat)]

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
        if not holds(state, seat, place):
            for number in state.of(seat, place):
                if number in battle.in_play:
                    battle.take_from_play(state, number)

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


# ---- after the battle


@dataclass
class Aftermath(KingsFrame):
    """Who has the hex, what is damaged; survivors are hidden again (11.7)."""

    rule: ClassVar[str] = "11.7"
    place: str = ""
    standing: list[int] = field(default_factory=list)
    wild: bool = False
    checked: list[str] = field(default_factory=list)
    faces: list[list[int]] = field(default_factory=list)
    steps: ClassVar[tuple[str, ...]] = ("mend", "decide", "damage", "reduce", "hide", "fled", "finish")

    def mend(self, state: KingsState) -> None:
        """What forts, cities and villages suffered lasts no longer than the battle (11.73)."""
        state.change_hex(self.place, damage=0)
        town = settlement(state, self.place)
        if town is not None:
            state.change_counter(town, spent=0)

    def decide(self, state: KingsState) -> None:
        """The one side left captures or keeps the hex; nobody left leaves it as it was (11.71, C6, C9)."""
        owner = state.hexes[self.place].owner
        state.tell(BattleOver(self.place), to=EVERYONE)
        if not self.standing:
            if owner is None and self.wild:
                for number in state.of(None, self.place):
                    state.to_cup(number)  # X15
            return
        winner = self.standing[0]
        explores_later = owner is None and not self.wild
        if winner not in (owner, WILD) and not explores_later:
            state.call(Capture(seat=winner, place=self.place, fought=True))

    def damage(self, state: KingsState) -> None:
        """Each fort and special income counter may suffer: 1 or 6 on a die; citadels never (11.72, C7)."""
        here = state.hexes[self.place]
        if here.owner is None:
            self.next = "hide"
            return
        self.checked = [FORT] if here.fort and here.fort != CITADEL else []
        self.checked += [state.counters[n].tag for n in state.at(self.place) if state.kind(n).sort == "income"]
        if not self.checked:
            self.next = "hide"
            return
        count = len(self.checked)
        state.call(Roll(why="damage", throwers=[here.owner], counts=[count], parties=[here.owner]), into="faces")

    def reduce(self, state: KingsState) -> None:
        for what, face in zip(self.checked, self.faces[0] if self.faces else []):
            if face not in (1, 6):
                continue
            here = state.hexes[self.place]
            if what == FORT:
                state.tell(DamageDone(FORTS[here.fort], self.place), to=EVERYONE)
                state.lower_fort(self.place)
            else:
                number = state.tags[what]
                state.tell(DamageDone(state.kind(number).name.lower(), self.place), to=EVERYONE)
                state.to_cup(number)

    def hide(self, state: KingsState) -> None:
        """Survivors go face down, and nobody can tell any more which was which (H3)."""
        for seat in armies(state, self.place):
            state.hide(seat, self.place)

    def fled(self, state: KingsState) -> None:
        state.call(FledHeroes())

    def finish(self, state: KingsState) -> None:
        here = state.hexes[self.place]
        self.leave(state)
        if state.extras.get("captured") == self.place and here.owner is not None:
            state.extras["captured"] = ""
            state.call(PlaceAfterCapture(seat=here.owner, place=self.place))


@dataclass
class Capture(KingsFrame):
    """A hex changes hands, with what lies in it; the winner may place counters there (9.43, 10.11, 11.71, 11.74)."""

    rule: ClassVar[str] = "11.71"
    seat: int = 0
    place: str = ""
    fought: bool = False  # then damage is rolled before anything is placed
    steps: ClassVar[tuple[str, ...]] = ("take", "loot", "too_full", "after")

    def take(self, state: KingsState) -> None:
        here = state.hexes[self.place]
        state.own(self.place, self.seat)
        state.tell(Captured(self.seat, self.place, here.terrain), to=EVERYONE)
        if state.extras["cloud"] == self.place:
            state.extras["cloud"] = ""  # X8
        if here.fort == CITADEL:
            state.extras["sole"] = None  # 4.22: the new owner has to hold it as long again
            wins_with_two(state, self.seat)

    def loot(self, state: KingsState) -> None:
        """Treasure and magic that defenders left behind (10.22, P7)."""
        found = [n for n in state.of(None, self.place) if state.kind(n).sort in ("treasure", "magic")]
        for number in found:
            state.tell(Looted(self.seat, state.kind(number).name), to=EVERYONE)
            state.to_rack(number, self.seat)

    def too_full(self, state: KingsState) -> None:
        state.call(FullRack(seat=self.seat))

    def after(self, state: KingsState) -> None:
        self.leave(state)
        if self.fought:
            state.extras["captured"] = self.place
        else:
            state.call(PlaceAfterCapture(seat=self.seat, place=self.place))


@dataclass
class PlaceAfterCapture(KingsFrame):
    """Right after the capture the winner may place counters from his rack in the hex (11.74)."""

    rule: ClassVar[str] = "11.74"
    seat: int = 0
    place: str = ""
    steps: ClassVar[tuple[str, ...]] = ("ask",)

    def ask(self, state: KingsState) -> None:
        self.leave(state)
        if order(state, self.seat, "captured") == "ask" and state.rack(self.seat):
            state.call(Deploy(seat=self.seat, hexes=[self.place]))
