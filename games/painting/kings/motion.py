"""What moved last, for the page's script to show: stacks that march, counters put down, hits that land, dice thrown.

It is told from the log as this viewer hears it and from nothing else, so a motion never shows more than a line of text
does. The page itself holds the new position at once; what is shown here lies on top of it for half a second.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from typing import Any

from django.utils.safestring import SafeString

from ..markup import element, join
from ..scene import Line, Scene
from .board import SEATS, BacksLook, pile

# event -> the facts that say where a stack comes from and where it goes
MOVES = {"marched": ("source", "target"), "retreated": ("place", "target")}
# events that put something down in a hex, or change whose it is
LANDS = (
    "placed_creatures",
    "placed_income",
    "hero_joined",
    "balloon_landed",
    "built",
    "claimed",
    "start_chosen",
    "captured",
    "sea_replaced",
    "hex_changed",
    "cloud_moved",
)
# events that hurt what stands in a hex; those that do not say where mean the fight that is on
HITS = (
    "fell",
    "took_hit",
    "siege_hit",
    "bluffs_removed",
    "damage_done",
    "crowded",
    "assassinated",
    "balloon_lost",
    "disaster_strikes",
    "lost_counters",
    "lost_town",
    "lost_walls",
    "vandalized",
)
FIGHTS = ("battle_began", "battle_over", "found_defenders")
DICE = ("rolled", "wild_rolled", "charmed")
MOST = 12  # at once: nobody sees more, and the message stays short

Motion = dict[str, Any]


def motion_of(scene: Scene) -> dict[str, Any]:
    """The newest action that anything was seen of: its number, and what was seen.

    Not simply the newest: an action of somebody else that changes nothing here (a standing order) must not show in
    the message either.
    """
    newest = next((line for line in reversed(scene.lines) if line.event in SEEN and not line.taken_back), None)
    if newest is None:
        return {"at": 0, "motions": []}
    later = takewhile(lambda line: line.revision >= newest.revision, reversed(scene.lines))
    lines = [line for line in reversed(list(later)) if line.revision == newest.revision]
    return {"at": newest.revision, "motions": without_repeats(motions(scene, lines))[:MOST]}


def motions(scene: Scene, lines: list[Line]) -> Iterator[Motion]:
    for line in lines:
        facts = line.facts
        if line.event in MOVES:
            path = [facts[name] for name in MOVES[line.event]]
            yield {"kind": "move", "seat": facts["seat"], "count": facts["count"], "path": path}
        elif line.event in LANDS:
            yield {"kind": "land", "place": facts["place"]} | seat_in(facts)
        elif line.event in HITS:
            yield {"kind": "hit", "place": facts.get("place") or fought_in(scene, line.revision)}
        elif line.event in DICE:
            yield {"kind": "dice"}


SEEN = frozenset((*MOVES, *LANDS, *HITS, *DICE))


def seat_in(facts: dict[str, Any]) -> dict[str, Any]:
    """Whose it is and how many, where the line says so."""
    return {name: facts[name] for name in ("seat", "count") if name in facts}


def fought_in(scene: Scene, revision: int) -> str:
    """Where hits fall: the last fight the log told of when they fell."""
    lines = (line for line in reversed(scene.lines) if line.revision <= revision and line.event in FIGHTS)
    last = next(lines, None)
    return str(last.facts["place"]) if last else ""


def without_repeats(found: Iterator[Motion]) -> list[Motion]:
    kept: list[Motion] = []
    for motion in found:
        if motion not in kept:
            kept.append(motion)
    return kept


def ghosts() -> SafeString:
    """A stack of each seat as everybody may see it: backs with a number. The script moves copies of them."""
    return join(
        *(
            element("g", pile(BacksLook(number, 2)), class_=f"chit back {name}", data_ghost=number)
            for number, name in enumerate(SEATS)
        )
    )
