"""Sorts of lines in the log of Kings & Things*, so that a reader can leave out the others; and the news among them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.utils.safestring import SafeString

from games.engine.kings import KINGS
from games.engine.kings.terms import PHASES
from games.engine.kings.view import KingsView

from ..markup import element, join
from ..scene import Line, Scene

# what the page calls a sort, by its class in the markup; turns are shown with each of them
FILTERS = {"mine": "Mine", "fight": "Battles", "magic": "Magic & events", "gold": "Gold"}

SORTS: dict[str, tuple[str, ...]] = {
    "turn": ("turn_began",),
    "fight": (
        "wild_rolled",
        "battle_began",
        "battle_over",
        "revealed",
        "bluffs_removed",
        "captured",
        "damage_done",
        "dust_stayed",
        "fell",
        "took_hit",
        "siege_hit",
        "firewall_raised",
        "item_given",
        "looted",
        "retreated",
        "saved",
        "talisman_lost",
        "aimed_at",
        "target_named",
        "warlord_called",
        "warlord_won",
        "warlord_failed",
        "undefended",
        "found_defenders",
        "bribed",
        "magic_dispelled",
        "assassin_strikes",
        "assassinated",
    ),
    "magic": (
        "charmed",
        "item_played",
        "wild_item_played",
        "balloon_sent",
        "item_aimed",
        "item_aimed_at",
        "item_aimed_at_wild",
        "fan_turned",
        "fan_turned_off",
        "charm_aimed",
        "charm_aimed_at_wild",
        "dispelled",
        "magic_dispelled",
        "scattered",
        "blown_away",
        "cloud_gone",
        "cloud_moved",
        "cured",
        "dust_stayed",
        "firewall_raised",
        "talisman_lost",
        "balloon_landed",
        "balloon_lost",
        "event_played",
        "earned",
        "harmless",
        "disaster_strikes",
        "disaster_missed",
        "lost_counters",
        "lost_town",
        "lost_walls",
        "vandalized",
        "defected",
        "defection_failed",
        "hex_changed",
        "caster_revealed",
    ),
    "gold": (
        "collected",
        "cashed_in",
        "earned",
        "start_gold",
        "stole_gold",
        "bribed",
        "built",
        "recruiting",
        "paid_more",
        "drew",
    ),
}
SORTS_OF = {
    event: tuple(sort for sort, events in SORTS.items() if event in events)
    for event in {each for events in SORTS.values() for each in events}
}
# what dice were thrown for -> the sort of their line
ROLLS = {
    **dict.fromkeys(("explore", "magic", "ranged", "melee", "save", "damage", "warlord", "firewall"), "fight"),
    "assassination": "fight",
    **dict.fromkeys(("teeniepox", "disaster", "losses", "defection"), "magic"),
}
WHO = ("seat", "by", "to_seat")  # facts that name a seat
SIDES = ("against", "defender", "winner")  # facts that name a side of a fight: a seat, or the wild side
TO_ONE = {"drew_these", "order_given", *(kind.name() for kind in KINGS.events if kind.explains)}


def sorts_of(line: Line, seat: int | None) -> str:
    """The classes of a line: what it is about, and whether this viewer comes into it."""
    return " ".join(_sorts(line, seat))


def _sorts(line: Line, seat: int | None) -> Iterator[str]:
    yield from SORTS_OF.get(line.event, ())
    if line.event == "rolled" and (thrown_for := ROLLS.get(line.facts["why"])):
        yield thrown_for
    if concerns(line, seat):
        yield "mine"


def concerns(line: Line, seat: int | None) -> bool:
    """Whether this viewer comes into it. What is told to a single seat has no need to say whose it is."""
    if seat is None:
        return False
    return (
        line.event in TO_ONE or seat in map(line.facts.get, (*WHO, *SIDES)) or seat in line.facts.get("attackers", ())
    )


# ---- what happened since the viewer's own last step

MOST_NEWS = 8  # lines; the rest is in the log
# what everybody at a table looks up for, whoever it happens to
STIRRING = frozenset(
    (
        "seat_out",
        "sole_citadel",
        "no_sole_citadel",
        "captured",
        "built",
        "hero_joined",
        "discharged",
        "assassinated",
        "stole_gold",
        "stole_counter",
        "event_played",
        "defected",
        "hex_changed",
        "disaster_strikes",
        "vandalized",
        "cloud_moved",
        "item_played",
        "balloon_landed",
        "resigned",
        "end_proposed",
    )
)
# of one's own step, what one could not know when taking it
CAME_OF_IT = frozenset(
    ("rolled", "hero_refused", "hero_joined", "captured", "bluffs_removed", "contest_failed", "earned")
)
HEADINGS = ("turn_began", "phase_began")


def meanwhile_context(scene: Scene) -> dict[str, Any]:
    """The news for a player who is asked again after others: first what concerns them, then what concerns everybody."""
    view = scene.view
    assert isinstance(view, KingsView)
    # During set-up little happens, and all of it on the map.
    if view.seat is None or view.seat not in view.asked or view.phase not in PHASES or scene.is_over:
        return {"lines": (), "more": 0}
    since = news_since(scene, view.seat)
    if not any(line.revision > scene.acted for line in since):
        return {"lines": (), "more": 0}
    mine = [line for line in since if "mine" in _sorts(line, view.seat)]
    stirring = [line for line in since if line.event in STIRRING and line not in mine]
    shown = set(since if len(since) <= MOST_NEWS else [*mine, *stirring][:MOST_NEWS])
    return {"lines": tuple(line.text for line in reversed(since) if line in shown), "more": len(since) - len(shown)}


def news_since(scene: Scene, seat: int) -> list[Line]:
    """What happened since somebody's last action, latest first; of that action itself only what came of it."""
    found = []
    for line in reversed(scene.lines):
        if line.revision < scene.acted:
            break
        own_step = line.revision == scene.acted and line.facts.get("seat") == seat and line.event not in CAME_OF_IT
        if not (line.taken_back or own_step or line.event in HEADINGS):
            found.append(line)
    return found


def draw_meanwhile(context: dict[str, Any]) -> SafeString:
    if not context["lines"]:
        return SafeString("")
    more = context["more"]
    rest = element("p", f"and {more} more in the chronicle", class_="small muted") if more else ""
    lines = (element("li", text) for text in context["lines"])
    return join(element("h3", "Since your last step"), element("ul", *lines), rest)
