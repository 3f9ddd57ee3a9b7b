"""Names and numbers of the rule book that pages and bots need as well as the rules. Nothing here knows a State."""

from __future__ import annotations

WILD = -1  # the side of those who live in an unexplored hex; their counters have no owner
RACK_LIMIT = 10
MOST_VALUE_IN_BALLOON = 3
PER_TEN_AFTER = 10  # gold that adds one to a recruiting roll after it was thrown

PHASES = {
    "income": "Gold Collection",
    "heroes": "Recruiting Special Characters",
    "things": "Recruiting Things",
    "events": "Random Events",
    "march": "Movement",
    "combat": "Combat",
    "build": "Construction",
    "powers": "Special Powers",
    "rotate": "Changing Player Order",
}


def is_hit(face: int, value: int) -> bool:
    """A die hits if it is not above the fighter's value (11.41)."""
    return face <= value
