"""Scenarios: a position, dice, actions and what must come of them, as a text (docs/scenarios.md says how to write one).

A scenario that fails says where, what it expected and what it found. Nothing in it is left to chance: dice and draws
are written down, and a script that runs out, does not fit or is not used up fails too.
"""

from __future__ import annotations

import dataclasses
import json
import re
import traceback
from collections import Counter as Tally
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from ..core.actions import Action
from ..core.dice import STREAMS, Dice
from ..core.events import Event, Told
from ..core.flow import run
from ..core.refusals import IllegalAction
from ..core.replay import Run
from ..core.state import Counter, Hex, Seat
from ..core.view import Face
from . import KINGS
from .actions import Bribe, Done, Draw, Exchange, Reveal
from .box import lay_out
from .catalogue import FORT_COPIES, FORTS, HEROES, HEXES, KINDS, LAND, OTHER_FACE, SEA, THINGS
from .flow.setup import SetUp
from .flow.turn import PHASES, Turn
from .income import income
from .orders import ORDERS
from .state import CUP, GONE, POOL, KingsState, rack
from .support import is_supported

SEATS = "ABCD"
WILD = "wild"
NOTHING = "nothing"
ANY = "any"
TERRAINS = {terrain.replace(" ", "_"): terrain for terrain in (*LAND, SEA)} | {"frozen": "frozen waste"}
# Nobody is asked about magic he might hold unless a scenario wants it so: most are about something else.
USUAL_OPTIONS = {"waiting": "never", "setup": "in_turn"}
MOST_SKIPPED = 300


class Wrong(Exception):
    """What a scenario says cannot be, in words for whoever wrote it."""


# ---- reading


@dataclass(frozen=True)
class Line:
    number: int
    text: str


@dataclass(frozen=True)
class Scenario:
    path: str
    title: str
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Failure:
    path: str
    title: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.title}: {self.text}"


def uncommented(text: str) -> str:
    """A comment starts with # at the start of a line or between blanks; ogre#2 is the second ogre."""
    return re.sub(r"(^|\s)#(\s.*|$)", "", text).strip()


def read(text: str, path: str = "") -> list[Scenario]:
    """Every `title:` begins a scenario; what stands before the first one is shared by all."""
    shared: list[Line] = []
    found: list[tuple[str, list[Line]]] = []
    for number, raw in enumerate(text.splitlines(), start=1):
        line = Line(number, uncommented(raw))
        if line.text.startswith("title:"):
            found.append((line.text.removeprefix("title:").strip(), []))
        elif line.text:
            (found[-1][1] if found else shared).append(line)
    return [Scenario(path, title, (*shared, *lines)) for title, lines in found]


def scenarios_in(path: Path) -> Iterator[Scenario]:
    """The scenarios of a file, or of every .txt file below a folder."""
    for each in sorted(path.rglob("*.txt")) if path.is_dir() else [path]:
        yield from read(each.read_text(encoding="utf-8"), str(each))


def repeated(words: Iterable[str]) -> list[str]:
    """`goblins x3` stands for three of them; `nothing` for none."""
    found: list[str] = []
    for word in words:
        if re.fullmatch(r"x\d+", word) and found:
            found += [found[-1]] * (int(word[1:]) - 1)
        elif word != NOTHING:
            found.append(word)
    return found


def seat_of(word: str) -> int:
    if word not in SEATS or len(word) != 1:
        raise Wrong(f"{word} is no player: they are called A, B, C and D")
    return SEATS.index(word)


def owner_named(word: str) -> int | None:
    return None if word in (WILD, "none", "nobody") else seat_of(word)


def name_of(seat: int | None) -> str:
    return "nobody" if seat is None else WILD if seat < 0 else SEATS[seat]


def terrain_named(word: str) -> str:
    if word.replace(" ", "_") not in TERRAINS:
        raise Wrong(f"{word} is no terrain: they are {', '.join(sorted(TERRAINS))}")
    return TERRAINS[word.replace(" ", "_")]


def number_in(word: str) -> int:
    if not re.fullmatch(r"[+-]?\d+", word):
        raise Wrong(f"{word} is no number")
    return int(word)


# ---- dice and draws that somebody has written down


@dataclass
class Script:
    """Faces and names still to come. All copies of the dice share one: what has been thrown stays thrown."""

    faces: list[int] = field(default_factory=list)
    draws: list[str] = field(default_factory=list)
    tags: int = 0


class ScenarioDice(Dice):
    """Throws the faces of a script, and finds what it draws by name."""

    __slots__ = ("script", "table")

    def __init__(self, script: Script, numbers: tuple[int, int] = (0, 0)) -> None:
        super().__init__(b"", b"", numbers)
        self.script = script
        self.table: KingsState | None = None  # the state these dice belong to, to look into its cup

    def copy(self) -> ScenarioDice:
        return ScenarioDice(self.script, self.numbers)

    def _next(self, stream: int, purpose: str, below: int) -> int:
        result = self.thrown(purpose, below) if stream == 0 else self.picked(purpose, below)
        dice, cup = self.numbers
        self.numbers = (dice + 1, cup) if stream == 0 else (dice, cup + 1)
        self.drawn.append((STREAMS[stream], purpose, result))
        return result

    def thrown(self, purpose: str, sides: int) -> int:
        if purpose == "hero":
            return 0  # fronts, unless the scenario's `pool:` turns some over
        if not self.script.faces:
            raise Wrong(f"a die is thrown ({purpose}), but the script has no face left")
        face = self.script.faces.pop(0)
        if not 1 <= face <= sides:
            raise Wrong(f"a die with {sides} sides is thrown ({purpose}), and the script says {face}")
        return face - 1

    def picked(self, purpose: str, below: int) -> int:
        if purpose == "tag":
            self.script.tags += 1
            return self.script.tags % below
        if purpose == "hex":
            return 0  # how the map is laid without a `map:` of the scenario's own
        choices = self.choices(purpose)
        if len(choices) != below:
            raise Wrong(f"something is drawn ({purpose}) that scenarios do not know how to name")
        if not self.script.draws:
            raise Wrong(f"something is drawn ({purpose}), but the script has no name left")
        name = self.script.draws.pop(0)
        if name == ANY:
            return 0
        if TERRAINS.get(name, name) not in choices:
            raise Wrong(f"{name} is to be drawn ({purpose}), but it is not there")
        return choices.index(TERRAINS.get(name, name))

    def choices(self, purpose: str) -> list[str]:
        """What can be drawn, in the order the game counts it."""
        state = self.table
        assert state is not None
        frame: Any = state.flow[-1]
        if purpose == "replace sea":
            return list(state.extras["deck"])
        if purpose == "juju":
            return [terrain for terrain in state.extras["deck"] if terrain != state.hexes[frame.place].terrain]
        place = rack(frame.other) if purpose == "theft" else CUP
        return [state.counters[number].kind for number in state.at(place)]


@dataclass
class ScenarioState(KingsState):
    """A state whose dice can look at it."""

    def copy(self) -> Self:
        twin = super().copy()
        twin.watch()
        return twin

    def watch(self) -> None:
        assert isinstance(self.dice, ScenarioDice)
        self.dice.table = self


# ---- the position


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
        *("rule", "players", "turn", "order", "phase", "map", "pool", "cup", "gone", "deck", "cloud", "sole"),
        "true elimination",
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

    def lay(self, kind: str, place: str, owner: int | None, face_up: bool, tagged: bool = True) -> None:
        number = self.use(kind)
        tag = self.state.mint() if tagged else ""
        self.state.counters[number] = Counter(number, kind, place, owner, face_up, tag)

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
            self.lay_group(here, group.replace(f"{WILD}:", WILD).split())

    def lay_group(self, here: Hex, words: list[str]) -> None:
        owner = here.owner
        if words and (words[0] in SEATS or words[0] == WILD):
            owner = owner_named(words.pop(0))
        if owner is not None and owner >= len(self.state.seats):
            raise Wrong(f"there is no player {name_of(owner)} in this game")
        for word in repeated(words):
            kind = word.rstrip("*")
            is_creature = kind in KINDS and KINDS[kind].sort == "creature"
            self.lay(kind, here.place, owner, word.endswith("*") or owner is None or not is_creature)

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


# ---- naming counters


NAME = re.compile(r"(?:(?P<owner>[A-D]|wild)\.)?(?P<kind>\w+)(?:#(?P<nth>\d+))?(?:@(?P<place>\w+))?")


@dataclass
class Names:
    """Finds counters by what a scenario calls them: `troll`, `ogre#2`, `goblins@h5`, `B.ogre`."""

    state: KingsState
    seat: int

    def tag(self, word: str, *areas: str) -> str:
        return self.tags([word], *areas)[0]

    def tags(self, words: Sequence[str], *areas: str) -> list[str]:
        """Several at once; a name said twice is the next of its kind, or the same city hit again."""
        found: list[str] = []
        seen: Tally[str] = Tally()
        for word in repeated(words):
            if word == "fort":
                found.append(word)
                continue
            found.append(self.state.counters[self.number(word, areas, seen[word])].tag)
            seen[word] += 1
        return found

    def number(self, word: str, areas: Sequence[str], after: int = 0) -> int:
        parts = NAME.fullmatch(word)
        if parts is None or parts["kind"] not in KINDS:
            raise Wrong(f"{word} is not the name of a counter")
        kind = KINDS[parts["kind"]]
        found = self.candidates(parts["kind"], parts["owner"], parts["place"], areas)
        places = sorted({self.state.counters[n].place for n in found})
        if not found:
            raise Wrong(f"there is no {word} that could be meant")
        if len(places) > 1:
            raise Wrong(f"which {word}? There is one in each of {', '.join(places)}; write {word}@{places[0]}")
        nth = int(parts["nth"] or 1) - 1 + after
        if nth >= len(found) and (kind.sort == "income" or kind.slug == "firewall") and not parts["nth"]:
            nth = 0
        if nth >= len(found):
            raise Wrong(f"there are only {len(found)} {parts['kind']} in {places[0]}")
        return found[nth]

    def candidates(self, kind: str, owner: str | None, place: str | None, areas: Sequence[str]) -> list[int]:
        """Where to look first, and whose first: one's own, then nobody's, then another's."""
        seat = self.seat if owner is None else owner_named(owner)
        if place is not None:
            areas = [place]
        for area in areas or [*self.scene(), "map", POOL, "rack"]:
            there = [n for n in self.look(area, seat) if self.state.counters[n].kind == kind]
            owners = [seat] if owner else [self.seat, None, *(s for s in self.state.seats if s != self.seat)]
            for each in owners:
                if mine := [n for n in there if self.state.counters[n].owner == each]:
                    return mine
        return []

    def look(self, area: str, seat: int | None) -> list[int]:
        if area == "map":
            return [n for place in self.state.hexes for n in self.state.at(place)]
        if area == "rack":
            return list(self.state.rack(self.seat if seat is None else seat))
        return list(self.state.at(area))

    def scene(self) -> list[str]:
        """The hex where something is going on."""
        places = [getattr(frame, "place", "") for frame in reversed(self.state.flow)]
        return [place for place in places if isinstance(place, str) and place in self.state.hexes]

    def anything(self, word: str) -> str:
        """A counter's tag, a player's number, a terrain; a place or any other word stays as it is."""
        parts = NAME.fullmatch(word)
        if parts is not None and parts["kind"] in KINDS:
            return self.tag(word)
        if word in SEATS:
            return str(seat_of(word))
        return "-1" if word == WILD else TERRAINS.get(word, word)


# ---- actions


Plain = dict[str, Any]
TO = r"(?:on|at|to|against|in)"


def on_words(do: str, pattern: str, build: Callable[..., Plain]) -> tuple[str, re.Pattern[str], Callable[..., Plain]]:
    return do, re.compile(pattern), build


def pairs(names: Names, text: str) -> Plain:
    """`troll dervish: h5, village: h6`"""
    counters: list[str] = []
    places: list[str] = []
    for part in text.split(","):
        what, _, place = part.partition(":")
        counters += repeated(what.split())
        places += [place.strip()] * (len(repeated(what.split())))
    return {"counters": names.tags(counters, "rack", "map", POOL), "places": places}


def march(names: Names, text: str) -> Plain:
    who, _, path = text.partition(":")
    start, *steps = (step.strip() for step in path.split(">"))
    return {"counters": names.tags(who.split(), start), "path": steps}


def play(names: Names, text: str) -> Plain:
    """A magic item or an event, and what it is aimed at."""
    word, *rest = text.split()
    parts = NAME.fullmatch(word)
    if parts is None or parts["kind"] not in KINDS:
        raise Wrong(f"{word} is not the name of a counter")
    tag = names.tag(word, "rack", *names.scene(), "map")
    if parts["kind"] == "lucky_charm" and rest:
        return {"do": "play_item", "item": tag, **charm(names, rest)}
    if KINDS[parts["kind"]].sort == "event":
        return {"do": "play_event", "event": tag, **aimed(names, word, rest)}
    return {"do": "play_item", "item": tag, **aimed(names, word, rest)}


def aimed(names: Names, word: str, rest: list[str]) -> Plain:
    """`on h5 by genie`"""
    if len(rest) % 2:
        raise Wrong(f"what about {rest[-1]}? Write: play {word} on …")
    found: Plain = {}
    for key, value in zip(rest[::2], rest[1::2]):
        if not re.fullmatch(rf"{TO}|by", key):
            raise Wrong(f"{key} means nothing here; write: play {word} on …, by …")
        found["caster" if key == "by" else "target"] = names.anything(value)
    return found


def charm(names: Names, words: list[str]) -> Plain:
    """`die 2 of B -1`, `total +1`: whose dice, which of them, one more or one less."""
    found = re.fullmatch(r"(?:die (?P<die>\d+)|total)(?: of (?P<who>\w+))? (?P<change>[+-]1)", " ".join(words))
    if found is None:
        raise Wrong("write: play lucky_charm die 2 of B -1, or: play lucky_charm total +1")
    roll: Any = next((frame for frame in reversed(names.state.flow) if frame.name() == "roll"), None)
    throwers = list(roll.throwers) if roll is not None else []
    who = -1 if found["who"] == WILD else seat_of(found["who"]) if found["who"] else names.seat
    thrower = throwers.index(who) if who in throwers else 0
    return {"thrower": thrower, "die": int(found["die"] or 1) - 1, "change": int(found["change"])}


def ascend(names: Names, text: str) -> Plain:
    who, _, to = text.replace(":", " to ").rpartition(" to ")
    item, *riders = who.split()
    return {"item": names.tag(item, "rack", "map"), "counters": names.tags(riders, "map"), "to": to.strip()}


VERBS: tuple[tuple[str, re.Pattern[str], Callable[..., Plain]], ...] = (
    *(on_words(do, "", lambda n: {}) for do in ("done", "undo", "resign", "decline_end")),
    on_words("agree_end", "", lambda n: {"winner": (n.state.extras["proposal"] or {"winner": -1})["winner"]}),
    on_words("choose", r"(\S+)", lambda n, what: {"what": n.anything(what)}),
    on_words("replace_sea", r"(\S+)", lambda n, place: {"place": place}),
    on_words("exchange", r"(.+)", lambda n, who: {"counters": n.tags(who.split(), "rack", "map")}),
    on_words("place", r"(.+:.+)", pairs),
    on_words("discharge", r"(\S+)", lambda n, hero: {"hero": n.tag(hero, "map", POOL)}),
    on_words(
        "recruit", r"(\S+)(?: gold (\d+))?", lambda n, hero, gold: {"hero": n.tag(hero, POOL, "map"), "gold": num(gold)}
    ),
    on_words("add_gold", r"(\d+)", lambda n, gold: {"gold": num(gold)}),
    on_words(
        "draw",
        r"(?:paid (\d+))? ?(?:traded (.+))?",
        lambda n, paid, who: {"paid": num(paid), "traded": n.tags((who or "").split(), "rack", "map")},
    ),
    on_words("discard", r"(.+)", lambda n, who: {"counters": n.tags(who.split(), "rack", "map")}),
    on_words("cash", r"(\S+)", lambda n, what: {"treasure": n.tag(what, "rack", "map")}),
    on_words("remove_income", r"(\S+)", lambda n, what: {"counter": n.tag(what, "map", "rack")}),
    on_words("play", r"(.+)", play),
    on_words("give", r"(\S+) to (\S+)", lambda n, what, who: {"item": n.tag(what), "creature": n.tag(who)}),
    on_words("march", r"(.+:.+)", march),
    on_words("fly_past", r"(.+)", lambda n, who: {"counters": n.tags(who.split(), "map")}),
    on_words("ask_proof", r"(\S+)", lambda n, place: {"place": place}),
    on_words("reveal", r"(.+)", lambda n, who: {"counters": n.tags(who.split(), *n.scene(), "map")}),
    on_words("ascend", r"(.+)", ascend),
    on_words("engage", r"(\S+)", lambda n, place: {"place": place}),
    on_words("bribe", r"(.+)", lambda n, who: {"counters": n.tags(who.split(), *n.scene(), "map")}),
    on_words("lose", r"(.+)", lambda n, who: {"counters": n.tags(who.split(), *n.scene(), "map")}),
    on_words(
        "retreat", r"(h\d+)? ?(?:balloon (h\d+))?", lambda n, to, balloon: {"to": to or "", "balloon": balloon or ""}
    ),
    on_words("build", r"(\S+)", lambda n, place: {"place": place}),
    on_words("assassinate", r"(\S+)", lambda n, place: {"place": place}),
    on_words("steal", r"(?:from )?(\S+)", lambda n, who: {"victim": seat_of(who)}),
    on_words("challenge", r"(\S+)", lambda n, who: {"counter": n.tag(who)}),
    on_words("set_order", r"(\w+):? (\w+)", lambda n, about, how: {"about": about, "how": how}),
    on_words(
        "propose_end", r"(\S+)?", lambda n, who: {"winner": -1 if who in (None, "nobody") else seat_of(who or "")}
    ),
)


def num(word: str | None) -> int:
    return int(word or 0)


def spoken(state: KingsState, text: str) -> tuple[int, Action]:
    """`A march troll: h5 > h6` as the seat and the action it sends."""
    who, _, said = text.strip().partition(" ")
    seat = seat_of(who)
    names = Names(state, seat)
    said = said.strip()
    data = from_json(names, said) if said.startswith("{") else from_words(names, said)
    try:
        return seat, KINGS.parse(data)
    except IllegalAction as refusal:
        raise Wrong(refusal.sentence) from refusal


def from_words(names: Names, said: str) -> Plain:
    verb, _, rest = said.partition(" ")
    for do, pattern, build in VERBS:
        if do == verb:
            found = pattern.fullmatch(rest.strip())
            if found is None:
                raise Wrong(f"this is not how to say {do}: {said}")
            return {"do": do, **build(names, *found.groups())}
    raise Wrong(f"nobody can {verb}; the verbs are {', '.join(do for do, _, _ in VERBS)}")


def from_json(names: Names, said: str) -> Plain:
    def filled(value: Any) -> Any:
        if isinstance(value, str) and value.startswith("$"):
            return names.tag(value[1:])
        if isinstance(value, list):
            return [filled(each) for each in value]
        return value

    try:
        data = json.loads(said)
    except ValueError as error:
        raise Wrong(f"this is not JSON: {error}") from error
    if not isinstance(data, dict):
        raise Wrong("an action in JSON is an object with a field do")
    return {key: filled(value) for key, value in data.items()}


# ---- what happened, in words


def sentence(event: Event) -> str:
    """As the log has it, players by their letters."""
    values = {f.name: getattr(event, f.name) for f in dataclasses.fields(event)}
    for key in ("seat", "by", "to_seat"):
        if key in values and (values[key] is None or isinstance(values[key], int)):
            values[key] = name_of(values[key])
    for key, value in values.items():
        if isinstance(value, tuple):
            values[key] = ", ".join(str(each) for each in value)
    return event.says.format(**values)


def kinds_at(state: KingsState, place: str, owner: int | None | str = ANY) -> list[str]:
    numbers = [n for n in state.at(place) if owner == ANY or state.counters[n].owner == owner]
    return sorted(state.counters[n].kind for n in numbers)


def words_of(names: Iterable[str]) -> str:
    return " ".join(sorted(names)) or NOTHING


# ---- playing


class Game:
    """One scenario while it is played."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.script = Script()
        self.position = Position(self.script)
        self.run: Run | None = None
        self.heard: list[list[Told]] = []
        self.failures: list[Failure] = []
        self.box: Tally[str] = Tally()
        self.tiles: Tally[str] = Tally()
        self.checked = 0  # expectations, refusals and permissions looked at

    @property
    def state(self) -> ScenarioState:
        assert self.run is not None and isinstance(self.run.state, ScenarioState)
        return self.run.state

    def fail(self, line: Line, text: str) -> None:
        self.failures.append(Failure(self.scenario.path, self.scenario.title, line.number, text))

    def play(self) -> list[Failure]:
        """Expectations that fail are gathered; anything else that is wrong ends the scenario."""
        line = Line(0, "")
        try:
            for line in self.scenario.lines:
                self.take(line)
            self.begin()
            self.finish()
        except Wrong as wrong:
            self.fail(Line(self.position.at, "") if self.position.at else line, str(wrong))
        except IllegalAction as refusal:
            self.fail(line, f"expected this to be allowed, found it refused: {refusal.sentence} ({refusal.code})")
        except Exception as error:  # a bug of the game fails its scenario, and the next one is played all the same
            where = traceback.extract_tb(error.__traceback__)[-1]
            self.fail(line, f"the game broke: {error!r} in {where.name}, {where.filename}:{where.lineno}")
        return self.failures

    def take(self, line: Line) -> None:
        key, _, value = line.text.partition(":")
        if key in ("dice", "draw"):
            self.write(key, value)
        elif self.run is None and self.position.take(line):
            pass
        else:
            self.begin()
            self.follow(line)

    def write(self, key: str, value: str) -> None:
        words = repeated(value.split())
        if key == "dice":
            self.script.faces += [number_in(word) for word in words]
            return
        for word in words:
            if word not in KINDS and word not in TERRAINS and word != ANY:
                raise Wrong(f"{word} cannot be drawn: there is no such counter or terrain")
        self.script.draws += words

    def begin(self) -> None:
        if self.run is not None:
            return
        state = self.position.laid()
        self.box, self.tiles = box_of(state), tiles_of(state)
        self.position.begin(state)
        self.run = Run(KINGS, state)
        self.heard.append(list(state.told))
        self.check_box()

    def finish(self) -> None:
        if not self.checked:
            raise Wrong("this scenario expects nothing")
        if self.script.faces:
            raise Wrong(f"dice left over: {' '.join(map(str, self.script.faces))}")
        if self.script.draws:
            raise Wrong(f"draws left over: {' '.join(self.script.draws)}")

    def follow(self, line: Line) -> None:
        text = line.text
        if found := re.match(r"(refuse|allow|offered|not offered|expect)\b([^:]*):\s*(.*)", text):
            self.checked += 1
            problem = self.look(found[1], found[2].strip(), found[3])
            if problem:
                self.fail(line, problem)
        elif found := re.fullmatch(r"skip to (turn )?(\w+)", text):
            self.skip(found[2], is_turn=bool(found[1]))
        elif re.match(r"[A-D]\s", text):
            self.act(*spoken(self.state, text))
        else:
            raise Wrong(f"this line is not understood: {text}")

    def act(self, seat: int, action: Action) -> None:
        assert self.run is not None
        progress = self.run.act(seat, action)
        self.heard.append(list(progress.told))
        self.state.watch()
        self.check_box()

    def check_box(self) -> None:
        """No action makes or loses a counter or a tile."""
        if box_of(self.state) != self.box:
            raise Wrong(f"the box is no longer whole: {missing_from(box_of(self.state), self.box)} missing")
        if tiles_of(self.state) != self.tiles:
            raise Wrong("the tiles on the map and in the deck are no longer the same")

    def skip(self, to: str, *, is_turn: bool) -> None:
        """Everybody asked does nothing, until a phase or a turn begins."""
        if not is_turn and to not in PHASES:
            raise Wrong(f"{to} is no phase: they are {', '.join(PHASES)}")
        told: list[Told] = []
        for _ in range(MOST_SKIPPED):
            if self.state.result is not None or self.has_come_to(to, is_turn, told):
                return
            seat = KINGS.asked(self.state)[0]
            self.act(seat, self.nothing_for(seat))
            told = self.heard[-1]
        raise Wrong(f"nothing was done {MOST_SKIPPED} times, and {to} has not come")

    def has_come_to(self, to: str, is_turn: bool, told: list[Told]) -> bool:
        """A phase in which nobody is asked anything is over before anybody could see it, but it has been announced."""
        if is_turn:
            return bool(self.state.extras["turn"] == number_in(to))
        begun = [getattr(each.event, "phase", "") for each in told if each.event.name() == "phase_began"]
        return bool(self.state.extras["phase"] == to) or PHASES[to] in begun

    def nothing_for(self, seat: int) -> Action:
        for action in (Done(), Draw(), Exchange(()), Bribe(), Reveal()):
            if any(action in offer for offer in KINGS.offers(self.state, seat)):
                return action
        raise Wrong(f"{name_of(seat)} cannot do nothing here: asked for {question(self.state, seat)}")

    # -- looking

    def look(self, how: str, reason: str, text: str) -> str:
        """What is wrong, in words; nothing if all is well."""
        if how == "expect":
            return self.expectation(text)
        if how in ("offered", "not offered"):
            return self.offered(how == "offered", text)
        seat, action = spoken(self.state, text)
        try:
            KINGS.check(self.state, seat, action)
        except IllegalAction as refusal:
            return self.refused(how, reason, refusal)
        return "" if how == "allow" else "expected this to be refused, found it allowed"

    def refused(self, how: str, reason: str, refusal: IllegalAction) -> str:
        found = f"{refusal.sentence} ({refusal.code}, rule {refusal.rule or 'none'})"
        if how == "allow":
            return f"expected this to be allowed, found it refused: {found}"
        fits = not reason or reason in (refusal.code, refusal.rule)
        return "" if fits else f"expected a refusal because of {reason}, found {found}"

    def offered(self, wanted: bool, text: str) -> str:
        seat, do = text.split()
        offers = sorted({offer.do for offer in KINGS.offers(self.state, seat_of(seat))})
        if (do in offers) == wanted:
            return ""
        return f"expected {do} to be {'' if wanted else 'not '}on offer to {seat}, found {words_of(offers)}"

    def expectation(self, text: str) -> str:
        for pattern, check in EXPECTATIONS:
            if found := pattern.fullmatch(text.strip()):
                expected, seen = check(self, *found.groups())
                return "" if expected == seen else f"expected {text}, found {seen}"
        raise Wrong(f"this expectation is not understood: {text}")

    def told_to(self, who: str, ever: bool) -> str:
        seat = None if who == "watcher" else seat_of(who)
        told = [each for part in (self.heard if ever else self.heard[-1:]) for each in part]
        return " ".join(sentence(each.event) for each in told if each.heard_by(seat))


def box_of(state: KingsState) -> Tally[str]:
    """Every counter there is; two heroes of one counter count as the same."""
    return Tally(min(c.kind, OTHER_FACE.get(c.kind, c.kind)) for c in state.counters.values())


def tiles_of(state: KingsState) -> Tally[str]:
    terrains = [here.terrain for here in state.hexes.values()]
    return Tally([*terrains, *state.extras["deck"], *state.extras["aside"]])


def whole_box() -> Tally[str]:
    heroes = [min(front.slug, back.slug) for front, back in HEROES]
    return Tally([*(kind.slug for kind in THINGS for _ in range(kind.copies)), *heroes])


def question(state: KingsState, seat: int) -> str:
    return str(state.flow[-1].asks(state, seat)) if state.flow else ""  # type: ignore[attr-defined]


# ---- expectations: each answers with what was expected and what is there


Check = Callable[..., tuple[Any, Any]]
EXPECTATIONS: list[tuple[re.Pattern[str], Check]] = []


def expects(pattern: str) -> Callable[[Check], Check]:
    def noted(check: Check) -> Check:
        EXPECTATIONS.append((re.compile(pattern), check))
        return check

    return noted


def hex_in(game: Game, place: str) -> Hex:
    if place not in game.state.hexes:
        raise Wrong(f"there is no hex {place} on this map")
    return game.state.hexes[place]


@expects(r"(h\d+) owner (\S+)")
def _(game: Game, place: str, owner: str) -> tuple[Any, Any]:
    return name_of(owner_named(owner)), name_of(hex_in(game, place).owner)


@expects(r"(h\d+) fort (\w+)")
def _(game: Game, place: str, fort: str) -> tuple[Any, Any]:
    if fort not in (*FORTS[1:], "none"):
        raise Wrong(f"{fort} is no fort: they are {', '.join(FORTS[1:])}, none")
    return fort, FORTS[hex_in(game, place).fort] or "none"


@expects(r"(h\d+) damage (\d+)")
def _(game: Game, place: str, damage: str) -> tuple[Any, Any]:
    return int(damage), hex_in(game, place).damage


@expects(r"(h\d+) terrain (\w+(?: waste)?)")
def _(game: Game, place: str, terrain: str) -> tuple[Any, Any]:
    return terrain_named(terrain), hex_in(game, place).terrain


@expects(r"(h\d+) holds (\w+): (.+)")
def _(game: Game, place: str, owner: str, names: str) -> tuple[Any, Any]:
    """Exactly these; `troll*` must lie face up, `troll/down` face down, `troll` may do either."""
    hex_in(game, place)
    wanted = repeated(names.split())
    there = [game.state.counters[n] for n in game.state.of(owner_named(owner), place)]
    plain_kinds = words_of(known(re.sub(r"\*|/up|/down", "", word)) for word in wanted)
    found = words_of(c.kind for c in there)
    if plain_kinds != found:
        return plain_kinds, found
    faced = Tally((c.kind, c.face_up) for c in there)
    sides = Tally(
        (re.sub(r"\*|/up|/down", "", w), not w.endswith("/down")) for w in wanted if re.search(r"\*|/up|/down", w)
    )
    if sides <= faced:
        return True, True
    return names, words_of(c.kind + ("/up" if c.face_up else "/down") for c in there)


def known(kind: str) -> str:
    if kind not in KINDS:
        raise Wrong(f"there is no counter called {kind}")
    return kind


@expects(r"(gold|income) ([A-D]) (\d+)")
def _(game: Game, what: str, who: str, amount: str) -> tuple[Any, Any]:
    seat = seat_of(who)
    return int(amount), game.state.seats[seat].gold if what == "gold" else income(game.state, seat).total


@expects(r"rack ([A-D]) (\d+)")
def _(game: Game, who: str, count: str) -> tuple[Any, Any]:
    return int(count), len(game.state.rack(seat_of(who)))


@expects(r"rack ([A-D]): (.+)")
def _(game: Game, who: str, names: str) -> tuple[Any, Any]:
    wanted = [known(word) for word in repeated(names.split())]
    return words_of(wanted), words_of(kinds_at(game.state, rack(seat_of(who))))


@expects(r"(pool|cup|gone|rack [A-D]|h\d+) (has|lacks) (.+)")
def _(game: Game, where: str, how: str, names: str) -> tuple[Any, Any]:
    """`has` wants that many or more of each, `lacks` none at all."""
    place = rack(seat_of(where[-1])) if where.startswith("rack") else where
    there = Tally(kinds_at(game.state, place))
    wanted = Tally(known(word) for word in repeated(names.split()))
    fits = wanted <= there if how == "has" else not wanted & there
    return (True, True) if fits else (f"{where} {how} {names}", words_of((there & wanted).elements()) + " there")


@expects(r"(cup|pool|gone|deck) (\d+)")
def _(game: Game, where: str, count: str) -> tuple[Any, Any]:
    there: Sequence[Any] = game.state.extras["deck"] if where == "deck" else game.state.at(where)
    return int(count), len(there)


@expects(r"deck (has|lacks) (.+)")
def _(game: Game, how: str, names: str) -> tuple[Any, Any]:
    wanted = Tally(terrain_named(word) for word in repeated(names.split()))
    there = Tally(game.state.extras["deck"])
    fits = wanted <= there if how == "has" else not wanted & there
    return (True, True) if fits else (f"{how} {names}", words_of((there & wanted).elements()) + " there")


@expects(r"box whole")
def _(game: Game) -> tuple[Any, Any]:
    """Counters and tiles are exactly those that are printed; only a `map: dealt` can pass on tiles."""
    wanted, found = whole_box() + Tally(HEXES), box_of(game.state) + tiles_of(game.state)
    return (NOTHING, NOTHING), (missing_from(found, wanted), missing_from(wanted, found))


def missing_from(there: Tally[str], wanted: Tally[str]) -> str:
    return words_of((wanted - there).elements())


@expects(r"asks nobody")
def _(game: Game) -> tuple[Any, Any]:
    return "nobody", " ".join(name_of(seat) for seat in KINGS.asked(game.state)) or "nobody"


@expects(r"asks ((?:[A-D]\s*)+)(\b\w+)?")
def _(game: Game, who: str, what: str | None) -> tuple[Any, Any]:
    """Exactly these players; and for this, if it is said."""
    wanted = " ".join(sorted(who.split()))
    asked = KINGS.asked(game.state)
    found = " ".join(name_of(seat) for seat in asked) or "nobody"
    if what is None:
        return wanted, found
    questions = sorted({question(game.state, seat) for seat in asked})
    return f"{wanted} {what}", f"{found} {' '.join(questions)}".strip()


@expects(r"(ever )?heard (\w+): (.+)")
def _(game: Game, ever: str | None, who: str, text: str) -> tuple[Any, Any]:
    heard = game.told_to(who, bool(ever))
    return (True, True) if text.lower() in heard.lower() else (text, heard or "silence")


@expects(r"(never )?(?:unheard|heard) (\w+) not: (.+)")
def _(game: Game, never: str | None, who: str, text: str) -> tuple[Any, Any]:
    heard = game.told_to(who, bool(never))
    return (True, True) if text.lower() not in heard.lower() else (f"not {text}", heard)


@expects(r"(\w+) sees (h\d+|pool|own rack): (.+)")
def _(game: Game, who: str, where: str, text: str) -> tuple[Any, Any]:
    """`3 backs of A, troll of A, bears of nobody`, or the kinds on one's own rack."""
    seat = None if who == "watcher" else seat_of(who)
    place = where if where != "own rack" else rack(seat if seat is not None else 0)
    there = [c for c in KINGS.view(game.state, seat).counters if c.place == place]
    if not place.startswith("h"):
        found = words_of(c.kind if isinstance(c, Face) else "back" for c in there)
        return words_of(repeated(text.split())), found
    faces = Tally((c.kind if isinstance(c, Face) else "back", name_of(c.owner)) for c in there)
    return in_words(pictured(text)), in_words(faces)


def pictured(text: str) -> Tally[tuple[str, str]]:
    found: Tally[tuple[str, str]] = Tally()
    for part in [] if text == NOTHING else text.split(","):
        words = re.fullmatch(r"(?:(\d+) )?(\w+)(?: of (\w+))", part.strip())
        if words is None:
            raise Wrong(f"write what is seen like this: 3 backs of A, troll of A; not {part.strip()}")
        kind = "back" if words[2] in ("back", "backs") else known(words[2])
        found[(kind, name_of(owner_named(words[3])))] += int(words[1] or 1)
    return found


def in_words(seen: Mapping[tuple[str, str], int]) -> str:
    return ", ".join(f"{count} {kind} of {owner}" for (kind, owner), count in sorted(seen.items())) or NOTHING


@expects(r"(\w+) sees (h\d+) terrain: (\w+)")
def _(game: Game, who: str, place: str, terrain: str) -> tuple[Any, Any]:
    seat = None if who == "watcher" else seat_of(who)
    found = next(h for h in KINGS.view(game.state, seat).hexes if h.place == place).terrain
    return "hidden" if terrain == "hidden" else terrain_named(terrain), found or "hidden"


@expects(r"(\w+) sees (gold|rack|income) ([A-D]): (\d+)")
def _(game: Game, who: str, what: str, whose: str, count: str) -> tuple[Any, Any]:
    seat = None if who == "watcher" else seat_of(who)
    shown_seat: Any = KINGS.view(game.state, seat).seats[seat_of(whose)]
    found = {"gold": shown_seat.gold, "rack": shown_seat.rack, "income": shown_seat.income.total}[what]
    return int(count), found


@expects(r"(h\d+|rack) ([A-D]) mixed")
def _(game: Game, where: str, who: str) -> tuple[Any, Any]:
    """No face-down counter there bears a name that any counter had before the last action (H3)."""
    assert game.run is not None and len(game.run.states) > 1
    before = {c.tag for c in game.run.states[-2].counters.values()}
    place = rack(seat_of(who)) if where == "rack" else where
    now = [c for c in game.state.counters.values() if c.place == place and c.owner == seat_of(who) and not c.face_up]
    followed = [c.kind for c in now if c.tag in before]
    if not now:
        return "face-down counters there", "none"
    return "new names for all", f"{words_of(followed)} with the old name" if followed else "new names for all"


@expects(r"(\S+) of ([A-D]) is (supported|a bluff)")
def _(game: Game, word: str, who: str, what: str) -> tuple[Any, Any]:
    number = Names(game.state, seat_of(who)).number(word, ("map",))
    return what, "supported" if is_supported(game.state, number) else "a bluff"


@expects(r"won (.+) (\w+)")
def _(game: Game, who: str, how: str) -> tuple[Any, Any]:
    wanted = "" if who == "nobody" else " ".join(sorted(who.split()))
    result = game.state.result
    if result is None:
        return f"{wanted} {how}", "the game goes on"
    return f"{wanted} {how}", f"{' '.join(name_of(seat) for seat in result.winners)} {result.how}"


@expects(r"not over")
def _(game: Game) -> tuple[Any, Any]:
    return "the game goes on", "the game goes on" if game.state.result is None else "it is over"


@expects(r"(turn|phase|cloud) (\w+)")
def _(game: Game, what: str, value: str) -> tuple[Any, Any]:
    return value, str(game.state.extras[what] or "none")


@expects(r"order ((?:[A-D]\s*)+)")
def _(game: Game, seats: str) -> tuple[Any, Any]:
    return " ".join(seats.split()), " ".join(name_of(seat) for seat in game.state.order)


@expects(r"sole (?:([A-D]) (\d+)|none)")
def _(game: Game, who: str | None, turn: str | None) -> tuple[Any, Any]:
    sole = game.state.extras["sole"]
    return f"{who} {turn}" if who else "none", f"{name_of(sole[0])} {sole[1]}" if sole else "none"


@expects(r"out ([A-D]|nobody)")
def _(game: Game, who: str) -> tuple[Any, Any]:
    return who, " ".join(name_of(n) for n, seat in game.state.seats.items() if seat.out) or "nobody"


@expects(r"true elimination (yes|no)")
def _(game: Game, what: str) -> tuple[Any, Any]:
    return what, "yes" if game.state.extras.get("true_elimination") else "no"


@expects(r"bank (tower|keep|castle|citadel) (\d+)")
def _(game: Game, fort: str, count: str) -> tuple[Any, Any]:
    return int(count), game.state.forts_left(FORTS.index(fort))


# ---- the door


def failures_of(scenario: Scenario) -> list[Failure]:
    """Play a scenario; an empty list means that all is as it says."""
    return Game(scenario).play()


def run_text(text: str, path: str = "text") -> list[Failure]:
    found = read(text, path)
    if not found:
        return [Failure(path, "", 1, "there is no scenario here: each begins with a line title: …")]
    return [failure for scenario in found for failure in failures_of(scenario)]
