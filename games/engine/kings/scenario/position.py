"""The position a scenario begins with: its lines, and every counter of the box laid where they say."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter as Tally
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

from ...core.flow import run
from ...core.refusals import IllegalAction
from ...core.state import Counter, Hex, Seat
from .. import KINGS
from ..box import lay_out
from ..catalogue import FORT_COPIES, FORTS, HEXES, KINDS, OTHER_FACE
from ..flow.setup import SetUp
from ..flow.turn import PHASES, Turn
from ..orders import ORDERS
from ..stacks import ARMY
from ..state import CUP, GONE, POOL, rack
from ..terms import MOST_VALUE_IN_BALLOON
from .reading import Line
from .table import ScenarioDice, ScenarioState, Script
from .words import (
    NOTHING,
    SEATS,
    TERRAINS,
    WILD,
    Wrong,
    name_of,
    number_in,
    owner_named,
    repeated,
    seat_of,
    terrain_named,
)

# Nobody is asked about magic they might hold unless a scenario says so: most are about something else.
USUAL_OPTIONS = {"waiting": "never", "setup": "in_turn"}


@dataclass
class Position:
    """What the lines before the first action describe, gathered until the table can be laid."""

    script: Script
    facts: dict[str, str] = field(default_factory=dict)
    options: dict[str, str] = field(default_factory=dict)
    hexes: list[Line] = field(default_factory=list)
    racks: list[tuple[int, Line]] = field(default_factory=list)
    gold: dict[int, int] = field(default_factory=dict)
    orders: dict[str, dict[str, str]] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)  # where each fact was said
    at: int = 0  # the line that is being laid out, for whoever has to find a mistake

    FACTS = (
        *("rule", "players", "turn", "order", "phase", "map", "pool", "cup", "gone", "deck", "bank", "cloud", "sole"),
        *("true elimination", "bots"),
    )

    def take(self, line: Line) -> bool:
        """Note a line of the position; False if it is none."""
        if re.match(r"h\d+\b", line.text):
            self.hexes.append(line)
            return True
        if found := re.match(r"(rack|gold) ([A-D])\s*:\s*(.*)", line.text):
            seat = seat_of(found[2])
            if found[1] == "gold":
                self.gold[seat] = number_in(found[3])
            else:
                self.racks.append((seat, Line(line.number, found[3])))
            return True
        if found := re.match(r"order ([A-D]) (\w+)\s*:\s*(\w+)$", line.text):
            self.give_order(*found.groups())
            return True
        return self.take_fact(line)

    def take_fact(self, line: Line) -> bool:
        """`key: value`; a table option may stand alone, as `bluffs: challenge`, or among others after `options:`."""
        key, _, value = (part.strip() for part in line.text.partition(":"))
        if key == "options":
            self.take_options(value)
        elif key in [option.name for option in KINGS.options]:
            self.options[key] = value
            key = "options"
        elif key in self.FACTS:
            self.facts[key] = value
        else:
            return False
        self.lines[key] = line.number
        return True

    def give_order(self, seat: str, about: str, how: str) -> None:
        if about not in ORDERS or how not in ORDERS[about].choices:
            raise Wrong(f"there is no standing order {about}: {how}")
        self.orders.setdefault(str(seat_of(seat)), {})[about] = how

    def take_options(self, text: str) -> None:
        for word in text.replace(",", " ").split():
            name, _, value = word.partition("=")
            self.options[name] = value

    # -- laying the table

    @property
    def players(self) -> int:
        count = number_in(self.facts.get("players", "2"))
        if count not in KINGS.players:
            self.said("players")
            raise Wrong(f"{count} players: there must be 2 to 4")
        return count

    @property
    def phase(self) -> str:
        phase = self.facts.get("phase", "march")
        if phase not in (*PHASES, "setup"):
            self.said("phase")
            raise Wrong(f"{phase} is no phase: they are setup, {', '.join(PHASES)}")
        return phase

    def laid(self) -> ScenarioState:
        """The whole box on the table, every counter once."""
        state = ScenarioState(game="scenario", options=self.complete_options(), dice=ScenarioDice(self.script))
        lay_out(state, self.players)
        state.watch()
        self.lay_map(state)
        self.lay_counters(Box(state))
        state.index()
        self.lay_deck(state)
        self.fill_bank(state)
        self.note(state)
        self.at = 0
        return state

    def complete_options(self) -> dict[str, Any]:
        self.at = self.lines.get("options", 0)
        try:
            return KINGS.complete({**USUAL_OPTIONS, **self.options})
        except IllegalAction as refusal:
            raise Wrong(refusal.sentence) from refusal

    def lay_counters(self, box: Box) -> None:
        for line in self.hexes:
            self.at = line.number
            box.lay_hex(line.text, face_up=self.phase != "setup")
        for seat, line in self.racks:
            self.at = line.number
            box.fill_rack(self.seated(seat), line.text)
        box.show_pool(self.said("pool"))
        box.fill(GONE, self.said("gone"))
        box.fill(CUP, self.said("cup"))
        box.put_rest(CUP if "cup" not in self.facts else GONE)

    def said(self, key: str, otherwise: str = NOTHING) -> str:
        """What a line of the position says, remembered as the place where a mistake would be."""
        self.at = self.lines.get(key, self.at)
        return self.facts.get(key, otherwise)

    def seated(self, seat: int) -> int:
        if seat >= self.players:
            raise Wrong(f"there is no player {SEATS[seat]} in a game for {self.players}")
        return seat

    def lay_map(self, state: ScenarioState) -> None:
        """One terrain for all hexes, or one for each in spiral order; `dealt` leaves it to the game's own dealing."""
        words = self.said("map", "dealt" if self.phase == "setup" else "plains").split()
        if words == ["dealt"]:
            return
        words = words * len(state.hexes) if len(words) == 1 else words
        if len(words) != len(state.hexes):
            raise Wrong(f"the map has {len(state.hexes)} hexes, and there are {len(words)} terrains")
        for place, word in zip(state.hexes, words):
            state.hexes[place] = Hex(place, terrain_named(word), face_up=self.phase != "setup")
        state.extras["deck"], state.extras["aside"] = [], []

    def lay_deck(self, state: ScenarioState) -> None:
        if "deck" in self.facts:
            state.extras["deck"] = sorted(terrain_named(word) for word in repeated(self.said("deck").split()))
        elif not state.extras["deck"]:
            left = Tally(HEXES)
            left.subtract(here.terrain for here in state.hexes.values())
            state.extras["deck"] = sorted((+left).elements())

    def fill_bank(self, state: ScenarioState) -> None:
        """`tower 0 castle 2`: that many are left; of other forts all that are not on the map."""
        words = self.said("bank").replace(NOTHING, "").split()
        for fort, count in zip_longest(words[::2], words[1::2], fillvalue=""):
            if fort not in FORTS[1:]:
                raise Wrong(f"{fort} is no fort: they are {', '.join(FORTS[1:])}; write: bank: tower 0 castle 2")
            state.leave_in_bank(FORTS.index(fort), number_in(count))

    def note(self, state: ScenarioState) -> None:
        """Turn, order and what else belongs to no hex."""
        for seat, gold in self.gold.items():
            state.seats[self.seated(seat)] = Seat(seat, gold)
        turn = number_in(self.said("turn", "1"))
        order = [self.seated(seat_of(word)) for word in self.said("order", " ".join(SEATS[: self.players])).split()]
        if sorted(order) != list(range(self.players)):
            order_text = " ".join(SEATS[: self.players])
            raise Wrong(f"the order must name each of {order_text} once")
        sole = self.said("sole", "none").split()
        state.extras |= {
            "order": order,
            "turn": 0 if self.phase == "setup" else turn - 1 if self.phase == "income" else turn,
            "phase": self.phase,
            "cloud": self.facts.get("cloud", "").replace("none", ""),
            "sole": None if sole == ["none"] else [seat_of(sole[0]), number_in(sole[-1])],
            "orders": self.orders,
        }
        if "bots" in self.facts:
            words = self.said("bots").replace("none", "").split()
            state.extras["bots"] = sorted(self.seated(seat_of(word)) for word in words)
        if self.facts.get("true elimination") == "yes":
            state.extras["true_elimination"] = True

    def begin(self, state: ScenarioState) -> None:
        if self.phase == "setup":
            state.call(SetUp())
        else:
            state.call(Turn(next=self.phase))
        run(state)


class Box:
    """The counters of the box while a table is laid: each can be used once."""

    def __init__(self, state: ScenarioState) -> None:
        self.state = state
        self.free: dict[str, list[int]] = {}
        for number, counter in sorted(state.counters.items()):
            self.free.setdefault(counter.kind, []).append(number)

    def use(self, kind: str) -> int:
        """The number of a counter of this kind that lies nowhere yet."""
        if kind not in KINDS:
            raise Wrong(f"there is no counter called {kind}")
        if kind in OTHER_FACE:
            return self.use_hero(kind)
        if not self.free.get(kind):
            raise Wrong(f"the box is not whole: it has {KINDS[kind].copies} {kind}, and here is one more")
        return self.free[kind].pop(0)

    def use_hero(self, kind: str) -> int:
        """A hero is one side of a counter: the other side cannot be anywhere at the same time."""
        for face in (kind, OTHER_FACE[kind]):
            if self.free.get(face):
                return self.free[face].pop(0)
        raise Wrong(f"the box is not whole: {kind} or {OTHER_FACE[kind]}, on the same counter, is already in use")

    def lay(self, kind: str, place: str, owner: int | None, face_up: bool, tagged: bool = True) -> int:
        number = self.use(kind)
        tag = self.state.mint() if tagged else ""
        self.state.counters[number] = Counter(number, kind, place, owner, face_up, tag)
        return number

    # -- a hex: `h5 swamp A tower: troll* dervish | B ogre | wild bears bow`

    def lay_hex(self, line: str, face_up: bool) -> None:
        head, _, contents = line.partition(":")
        place, *words = head.replace("frozen waste", "frozen_waste").split()
        if place not in self.state.hexes:
            raise Wrong(f"there is no hex {place} on this map")
        here = Hex(place, self.state.hexes[place].terrain, face_up)
        while words:
            here = described(here, words.pop(0), words)
        if here.owner is not None and here.owner >= len(self.state.seats):
            raise Wrong(f"there is no player {name_of(here.owner)} in this game")
        self.state.hexes[place] = here
        if here.fort and not FORT_COPIES[here.fort] >= sum(h.fort == here.fort for h in self.state.hexes.values()):
            raise Wrong(f"the box is not whole: it has {FORT_COPIES[here.fort]} of {FORTS[here.fort]}")
        for group in contents.split("|"):
            self.lay_group(here, group.replace(f"{WILD}:", WILD))

    def lay_group(self, here: Hex, text: str) -> None:
        """`A thing balloon(pirates swamp_rat)`: an owner, counters, and those who ride in the Balloon."""
        found = re.search(r"\bballoon\s*\(([^()]*)\)", text)
        riders = repeated(found[1].split()) if found else []
        words = (text.replace(found[0], "balloon") if found else text).split()
        owner = here.owner
        if words and (words[0] in SEATS or words[0] == WILD):
            owner = owner_named(words.pop(0))
        if owner is not None and owner >= len(self.state.seats):
            raise Wrong(f"there is no player {name_of(owner)} in this game")
        for word in repeated(words):
            self.lay_word(word, here.place, owner)
        if found:
            self.lay_riders(riders, here.place, owner)

    def lay_word(self, word: str, place: str, owner: int | None) -> int:
        kind = word.rstrip("*")
        is_creature = kind in KINDS and KINDS[kind].sort == "creature"
        return self.lay(kind, place, owner, word.endswith("*") or owner is None or not is_creature)

    def lay_riders(self, words: list[str], place: str, owner: int | None) -> None:
        """Those who came by Balloon in this turn, and fight from it (15)."""
        if owner is None or not 1 <= len(words) <= 3:
            raise Wrong("the Balloon carries one to three counters of one player")
        for word in words:
            kind = KINDS.get(word.rstrip("*"))
            if kind is not None and (kind.sort not in ARMY or kind.value > MOST_VALUE_IN_BALLOON):
                raise Wrong(
                    f"{kind.slug} cannot ride in the Balloon: only creatures and heroes up to {MOST_VALUE_IN_BALLOON}"
                )
        self.state.extras["balloon"] = [self.lay_word(word, place, owner) for word in words]

    # -- everything that is not on the map

    def fill_rack(self, seat: int, names: str) -> None:
        for kind in repeated(names.split()):
            if kind in OTHER_FACE:
                raise Wrong(f"{kind} cannot be on a rack")
            self.lay(kind, rack(seat), seat, face_up=False)

    def show_pool(self, names: str) -> None:
        for kind in repeated(names.split()):
            if kind not in OTHER_FACE:
                raise Wrong(f"{kind} is no hero, and cannot be in the pool")
            self.lay(kind, POOL, None, face_up=True)

    def fill(self, place: str, names: str) -> None:
        for kind in repeated(names.split()):
            if kind in OTHER_FACE:
                raise Wrong(f"{kind} is a hero, and cannot be in the {place}")
            self.lay(kind, place, None, face_up=False, tagged=False)

    def put_rest(self, place: str) -> None:
        """Heroes nobody has mentioned are in the pool already, as they were tossed."""
        for kind, numbers in self.free.items():
            for number in numbers if kind not in OTHER_FACE else ():
                self.state.counters[number] = Counter(number, kind, place, face_up=place == GONE)


def described(here: Hex, word: str, words: list[str]) -> Hex:
    """A hex with one more word said about it."""
    if word in TERRAINS:
        return dataclasses.replace(here, terrain=TERRAINS[word])
    if word in SEATS:
        return dataclasses.replace(here, owner=seat_of(word))
    if word in FORTS[1:]:
        return dataclasses.replace(here, fort=FORTS.index(word))
    if word == "damage" and words:
        return dataclasses.replace(here, damage=number_in(words.pop(0)))
    raise Wrong(f"{word} is neither a terrain, a player nor a fort; counters stand after a colon")


def is_position(line: Line) -> bool:
    """Whether a line would describe the position if it stood further up."""
    try:
        return Position(Script()).take(line)
    except Wrong:
        return True
