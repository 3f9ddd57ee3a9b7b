"""Tidings: cards about what a player must not miss. They stay on the player's own page until they are read.

Like the film, tidings are made from the log as this viewer hears it. What has become of the viewer's creatures is
read from the viewer's own View.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from django.utils.safestring import SafeString

from games.engine.kings.catalogue import CITADEL, FORTS, KINDS, OTHER_FACE, SEA, the
from games.engine.kings.terms import WILD
from games.engine.kings.view import KingsView, terrains_of

from ..markup import element
from ..scene import Line, Scene
from .captions import HEROES, caption_of
from .counters import marked_in
from .film import MOST_LINES
from .places import names_on
from .teller import Teller, at_place, listed

FAR_BACK = 600  # lines: about two turns of four players, so that last turn's income is among them
# The hero on the other side of each counter.
OTHER_SIDE = {KINDS[one].name: KINDS[other].name for one, other in OTHER_FACE.items()}


@dataclass(frozen=True, slots=True)
class Note:
    """What has become of a card since (outdated.py), with the number of the log line that tells of it."""

    number: int
    says: str
    is_undone: bool  # the card's title is no longer true


@dataclass(frozen=True, slots=True)
class Tiding:
    """One card. Its number is that of the log line it is about."""

    number: int
    kind: str
    title: str
    lines: tuple[str, ...] = ()
    place: str = ""
    note: Note | None = None
    replay: tuple[int, int] | None = None  # of a battle: the revision and the line in the log with which it began


@dataclass(frozen=True)
class Reader:
    """The viewer's seat, and the words for what its log tells."""

    seat: int
    tell: Teller

    @property
    def lines(self) -> Sequence[Line]:
        return self.tell.lines

    def back(self, at: int) -> Iterator[tuple[int, Line]]:
        """Earlier lines, latest first."""
        for number in range(at - 1, max(-1, at - FAR_BACK), -1):
            if not self.lines[number].taken_back:
                yield number, self.lines[number]

    def rest_of_action(self, at: int) -> Iterator[Line]:
        """Later lines of the same action."""
        for number in range(at + 1, len(self.lines)):
            if self.lines[number].revision != self.lines[at].revision:
                return
            yield self.lines[number]

    def together(self, at: int, is_wanted: Callable[[Line], bool]) -> list[int]:
        """All such lines of one action, if this is the first of them; they share a card."""
        if not is_wanted(self.lines[at]):
            return []
        revision = self.lines[at].revision
        for _, earlier in self.back(at):
            if earlier.revision != revision:
                break
            if is_wanted(earlier):
                return []
        later = enumerate(self.rest_of_action(at), at + 1)
        return [at, *(number for number, line in later if is_wanted(line))]

    @cached_property
    def citadels(self) -> list[tuple[int, str, int | None]]:
        """Each time somebody came to own a citadel, or it was lost: (line, hex, owner). The whole
        log is looked through, but only when an enemy moves."""
        found: list[tuple[int, str, int | None]] = []
        places: set[str] = set()
        for number, line in enumerate(self.lines):
            if line.event not in CITADEL_CHANGES or line.taken_back:
                continue
            facts = line.facts
            if line.event == "built" and facts["fort"] == CITADEL_NAME:
                places.add(facts["place"])
                found.append((number, facts["place"], facts["seat"]))
            elif line.event == "captured" and facts["place"] in places:
                found.append((number, facts["place"], facts["seat"]))
            elif line.event == "hex_changed" and facts["terrain"] == SEA and facts["place"] in places:
                places.discard(facts["place"])
                found.append((number, facts["place"], None))
        return found

    def has_citadel(self, place: str, at: int) -> bool:
        """Whether the reader's citadel stood there by then."""
        owners = [owner for number, where, owner in self.citadels if where == place and number < at]
        return bool(owners) and owners[-1] == self.seat

    def says(self, at: int) -> str:
        caption = caption_of(self.tell, at)
        return " ".join(filter(None, (caption.title, caption.says))) if caption else ""


def tidings(scene: Scene, start: int) -> Iterator[Tiding]:
    """Cards for this viewer about the log from a line on. Spectators get none."""
    seat = scene.view.seat
    if seat is None:
        return
    reader = Reader(seat, Teller(scene.names, None if scene.is_shared else seat, scene.lines))
    for number in range(start, len(scene.lines)):
        line = scene.lines[number]
        told = TOLD.get(line.event)
        if told is not None and not line.taken_back and (tiding := told(reader, number, line)) is not None:
            yield tiding


# ---- battles


def battle_over(reader: Reader, at: int, line: Line) -> Tiding | None:
    """Won or lost, with the fallen of each side and what came of it."""
    place, tell = line.facts["place"], reader.tell
    began = next((number for number, each in reader.back(at) if is_start_of_battle(each, place)), None)
    if began is None:
        return None
    facts = reader.lines[began].facts
    sides = (*facts["attackers"], facts["defender"])
    if reader.seat not in sides:
        return None
    winner, where = line.facts["winner"], at_place(line)
    if winner == reader.seat:
        kind, title = "won", f"{tell.who(reader.seat)} won the battle in {where}"
    elif winner is None:
        kind, title = "drawn", f"Nobody won the battle in {where}"
    else:
        kind, title = "lost", f"{tell.who(reader.seat)} lost the battle in {where}"
    told = [reader.lines[n] for n in range(began, at) if not reader.lines[n].taken_back]
    own_first = sorted(sides, key=lambda side: side != reader.seat)
    fallen = (lost_by(reader, side, place, told) for side in own_first)
    lines = (*fallen, *came_of_it(reader, at, place))
    return Tiding(at, kind, title, lines, place, replay=(reader.lines[began].revision, began))


def is_start_of_battle(line: Line, place: str) -> bool:
    return line.event == "battle_began" and line.facts["place"] == place


def lost_by(reader: Reader, side: int | None, place: str, told: Sequence[Line]) -> str:
    """What a battle cost one side: the fallen, bluffs that were found out, and whether the side retreated."""
    owner = None if side == WILD else side
    here = [line for line in told if line.facts.get("seat") == owner and line.facts.get("place") in ("", place)]
    fallen = [str(line.facts["creature"]) for line in here if line.event == "fell"]
    fallen += [str(line.facts["what"]) for line in here if line.event == "took_hit" and not line.facts["left"]]
    bluffs = [str(line.facts["creature"]) for line in here if line.event == "bluffs_removed"]
    parts = [f"lost {listed(fallen)}"] if fallen else []
    parts += [f"had {listed(bluffs)} removed as bluff{'' if len(bluffs) == 1 else 's'}"] if bluffs else []
    parts += ["retreated"] if any(line.event == "retreated" for line in here) else []
    return f"{reader.tell.who(side)} {' and '.join(parts) or 'lost nobody'}."


def came_of_it(reader: Reader, at: int, place: str) -> Iterator[str]:
    """What the end of a battle led to at once: land, loot, damage."""
    for number, line in enumerate(reader.rest_of_action(at), at + 1):
        if line.event in AFTERMATH and line.facts.get("place", place) == place:
            yield reader.says(number)


AFTERMATH = frozenset(("captured", "looted", "damage_done"))


def captured(reader: Reader, at: int, line: Line) -> Tiding | None:
    """Land that somebody took. What followed from a battle at once stands on that battle's card."""
    if line.facts["by"] != reader.seat:
        return None
    for _, earlier in reader.back(at):
        if earlier.revision != line.revision:
            break
        if earlier.event == "battle_over" and earlier.facts["place"] == line.facts["place"]:
            return None
    loser = "You have" if reader.tell.me == reader.seat else f"{reader.tell.who(reader.seat)} has"
    return Tiding(at, "land", f"{loser} lost {at_place(line)}", (reader.says(at),), line.facts["place"])


# ---- heroes and bluffs


def fell(reader: Reader, at: int, line: Line) -> Tiding | None:
    """A hero who fled, and who would come in their place."""
    hero = str(line.facts["creature"])
    if line.facts["seat"] != reader.seat or hero not in HEROES:
        return None
    return hero_lost(reader, at, hero, reader.says(at), str(line.facts["place"]))


def caught(reader: Reader, at: int, line: Line) -> Tiding | None:
    hero = str(line.facts["hero"])
    return hero_lost(reader, at, hero, reader.says(at)) if line.facts["seat"] == reader.seat else None


def hero_lost(reader: Reader, at: int, hero: str, why: str, place: str = "") -> Tiding:
    whose = reader.tell.sentence(reader.tell.whose(reader.seat))
    waits = reader.tell.sentence(f"{the(hero)} waits in the pool for a new lord.")
    turning = f"{waits} Turned over, the counter is {the(OTHER_SIDE[hero])}."
    return Tiding(at, "hero", f"{whose} {hero} is gone", (why, turning), place)


def defected(reader: Reader, at: int, line: Line) -> Tiding | None:
    if line.facts["by"] != reader.seat:
        return None
    whose = reader.tell.sentence(reader.tell.whose(reader.seat))
    return Tiding(at, "hero", f"{whose} {line.facts['hero']} has changed sides", (reader.says(at),))


def bluffs_removed(reader: Reader, at: int, line: Line) -> Tiding | None:
    """One card for all bluffs that an action found out in a hex."""
    found = reader.together(at, lambda each: is_own_bluff(reader, each, line.facts["place"]))
    if not found:
        return None
    names = [str(reader.lines[number].facts["creature"]) for number in found]
    said = f"{listed(names)} had no support there and went back to the cup."
    whose = reader.tell.sentence(reader.tell.whose(reader.seat))
    title = f"{whose} bluff{'' if len(names) == 1 else 's'} in {at_place(line)} found out"
    return Tiding(at, "bluff", title, (reader.tell.sentence(said),), line.facts["place"])


def is_own_bluff(reader: Reader, line: Line, place: str) -> bool:
    return line.event == "bluffs_removed" and line.facts["seat"] == reader.seat and line.facts["place"] == place


# ---- what others and chance take


def lost(reader: Reader, at: int, line: Line) -> Tiding | None:
    """One card for all that an action or an event took."""
    found = reader.together(at, lambda each: is_own_loss(reader, each))
    if not found:
        return None
    places = {str(reader.lines[number].facts.get("place") or "") for number in found}
    who = "You have" if reader.tell.me == reader.seat else f"{reader.tell.who(reader.seat)} has"
    title = f"{who} been robbed" if line.event in THEFTS else f"{who} suffered losses"
    said = tuple(reader.says(number) for number in found)
    return Tiding(at, "loss", title, said, places.pop() if len(places) == 1 else "")


THEFTS = ("stole_gold", "stole_counter")
# Losses outside battles, and the fact that names the loser.
LOSER = {
    **dict.fromkeys(("lost_counters", "crowded", "lost_town", "lost_walls", "vandalized"), "seat"),
    **dict.fromkeys(("assassinated", *THEFTS), "by"),
}


def is_own_loss(reader: Reader, line: Line) -> bool:
    return line.event in LOSER and line.facts.get(LOSER[line.event]) == reader.seat


def collected(reader: Reader, at: int, line: Line) -> Tiding | None:
    """Less income than last turn, and in what."""
    if line.facts["seat"] != reader.seat:
        return None
    last = last_income(reader, at)
    if last is None or line.facts["gold"] >= last.facts["gold"]:
        return None
    less = [
        f"{name}: {line.facts[name]} (was {last.facts[name]})."
        for name in ("land", "forts", "counters", "heroes")
        if line.facts[name] < last.facts[name]
    ]
    title = f"Income is down from {last.facts['gold']} to {line.facts['gold']} gold"
    return Tiding(at, "income", title, tuple(map(reader.tell.sentence, less)))


def last_income(reader: Reader, at: int) -> Line | None:
    """What the reader had collected before this line."""
    earlier = (each for _, each in reader.back(at) if each.event == "collected")
    return next((each for each in earlier if each.facts["seat"] == reader.seat), None)


# ---- the end


def sole_citadel(reader: Reader, at: int, line: Line) -> Tiding | None:
    if line.facts["seat"] == reader.seat:
        title = f"{reader.tell.does(reader.seat, 'hold')} the only citadel"
        return Tiding(at, "citadel", title, ("It wins the game after the next Construction, if it is still held.",))
    who = reader.tell.who(line.facts["seat"])
    stop = f"Take the citadel, or build one, before the next Construction ends: otherwise {who} wins."
    return Tiding(at, "danger", f"{who} is about to win", (stop,))


def at_the_citadel(reader: Reader, at: int, line: Line) -> Tiding | None:
    """An enemy who comes into the hex of one's citadel; one card, however many stacks they move there."""
    seat, place = line.facts["seat"], goal(line)
    if seat == reader.seat or not reader.has_citadel(place, at):
        return None
    for _, earlier in reader.back(at):
        if earlier.event == "phase_began":
            break
        if earlier.event in COMES and earlier.facts["seat"] == seat and goal(earlier) == place:
            return None
    whose = "your" if reader.tell.me == reader.seat else reader.tell.whose(reader.seat)
    where = at_place(line, "target" if line.event == "marched" else "place")
    title = f"{reader.tell.who(seat)} has come to {whose} citadel"
    said = f"{reader.says(at)} Whoever stays there in the Combat Phase fights for {where}."
    return Tiding(at, "danger", title, (said,), place)


def goal(line: Line) -> str:
    return str(line.facts["target" if line.event == "marched" else "place"])


COMES = ("marched", "balloon_landed")
CITADEL_CHANGES = frozenset(("built", "captured", "hex_changed"))
CITADEL_NAME = FORTS[CITADEL]


def seat_out(reader: Reader, at: int, line: Line) -> Tiding | None:
    said = "The game goes on without this realm." if line.facts["seat"] == reader.seat else ""
    return Tiding(at, "out", reader.says(at), tuple(filter(None, (said,))))


def won(reader: Reader, at: int, line: Line) -> Tiding:
    how = f"{reader.tell.sentence(str(line.facts['how']))}."
    return Tiding(at, "over", f"The game is over: {reader.tell.does(line.facts['seat'], 'win')}", (how,))


TOLD: dict[str, Callable[[Reader, int, Line], Tiding | None]] = {
    "battle_over": battle_over,
    "captured": captured,
    "fell": fell,
    "caught": caught,
    "lord_left": caught,
    "defected": defected,
    "bluffs_removed": bluffs_removed,
    **dict.fromkeys(LOSER, lost),
    "collected": collected,
    **dict.fromkeys(COMES, at_the_citadel),
    "sole_citadel": sole_citadel,
    "seat_out": seat_out,
    "won": won,
}


# ---- creatures that have become bluffs


def bluffs_context(scene: Scene) -> dict[str, Any]:
    """Creatures on the map that lost their support with land or a Terrain Lord, as far as the log tells."""
    view = scene.view
    assert isinstance(view, KingsView)
    if view.seat is None or view.result is not None or not (gone := terrains_gone(scene, view.seat)):
        return {"lines": ()}
    names, terrains = names_on(view, scene.table), terrains_of(view, view.seat)
    found: dict[str, list[str]] = {}
    for here in view.hexes:
        for counter, mark in marked_in(view.seat, view.stacks.get(here.place, ()), terrains):
            if mark == "bluff" and KINDS[counter.kind].terrain in gone:  # type: ignore[union-attr]
                found.setdefault(here.place, []).append(KINDS[counter.kind].name)  # type: ignore[union-attr]
    return {"lines": tuple(f"In {names[place]}: {listed(found[place])}." for place in found)}


def terrains_gone(scene: Scene, seat: int) -> frozenset[str]:
    """Terrains of which the viewer lost a hex or the Lord, within the lines the page shows."""
    return lost_terrains(tuple(recent(scene)), seat)


def recent(scene: Scene) -> Iterator[Line]:
    for line in scene.lines[-MOST_LINES:]:
        if line.event in LOSES_SUPPORT and not line.taken_back:
            yield line


LOSES_SUPPORT = frozenset(("captured", "hex_changed", "fell", "caught", "lord_left", "defected"))


@lru_cache(maxsize=256)
def lost_terrains(lines: tuple[Line, ...], seat: int) -> frozenset[str]:
    return frozenset(filter(None, (terrain_lost(line, seat) for line in lines)))


def terrain_lost(line: Line, seat: int) -> str:
    facts = line.facts
    if line.event == "captured":
        return str(facts["terrain"]) if facts["by"] == seat else ""
    if line.event == "hex_changed":
        return str(facts["was"])
    loser = facts["by"] if line.event == "defected" else facts["seat"]
    return LORD_OF.get(str(facts["creature" if line.event == "fell" else "hero"]), "") if loser == seat else ""


LORD_OF = {kind.name: kind.lord_of for kind in KINDS.values() if kind.lord_of}


# ---- drawing


@lru_cache(maxsize=512)
def draw_tiding(tiding: Tiding, **attributes: object) -> SafeString:
    return element(
        "li",
        element("strong", tiding.title),
        element("ul", *(element("li", line) for line in tiding.lines)) if tiding.lines else "",
        draw_note(tiding.note) if tiding.note else "",
        buttons(tiding.place, tiding.replay),
        id=f"tidings-{tiding.number}",
        class_=f"tiding {tiding.kind}",
        data_key=tiding.number,
        hidden="",
        **attributes,
    )


def draw_note(note: Note) -> SafeString:
    """Arrives hidden, like the card: a page shows it once its film has come to what it tells."""
    kind = "note undone" if note.is_undone else "note"
    return element("p", note.says, class_=kind, data_note=note.number, hidden="")


def buttons(place: str, replay: tuple[int, int] | None = None) -> SafeString:
    """A battle is shown as it was fought, anything else where it happened."""
    look = {"type": "button", "class_": "button small"}
    if replay is not None:
        at, line = replay
        show = element("button", "Show", **look, data_replay=at, data_line=line, title="Show this battle again")
    else:
        show = element("button", "Show", **look, data_tiding="show", data_place=place)
    read = element("button", "Got it", type="button", class_="button small", data_tiding="read")
    return element("div", show if place else "", read, class_="row")


def draw_bluffs(context: dict[str, Any]) -> SafeString:
    lines = context["lines"]
    if not lines:
        return SafeString("")
    told = element("ul", *(element("li", line) for line in lines))
    why = element("p", "The land or Terrain Lord that supported them is gone. In a battle they are removed.")
    head = element("strong", "Creatures of yours are bluffs now")
    return element("div", head, why, told, buttons(""), class_="tiding bluff", data_key=" ".join(lines), hidden="")
