"""Sorts of lines in the log of Kings & Things*, so that a reader can leave out the others."""

from __future__ import annotations

from collections.abc import Iterator

from .scene import Line

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


def sorts_of(line: Line, seat: int | None) -> str:
    """The classes of a line: what it is about, and whether this viewer comes into it."""
    return " ".join(_sorts(line, seat))


def _sorts(line: Line, seat: int | None) -> Iterator[str]:
    yield from SORTS_OF.get(line.event, ())
    if line.event == "rolled" and (thrown_for := ROLLS.get(line.facts["why"])):
        yield thrown_for
    # What is told to a single seat has no need to say whose it is.
    if seat is not None and (seat in map(line.facts.get, WHO) or line.event in ("drew_these", "order_given")):
        yield "mine"
