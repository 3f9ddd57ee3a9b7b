"""Standing orders: answers a seat has given in advance, so that nobody waits for a player with nothing to say (R2, R3).

They are part of the State (a replay needs them) and private to their seat. Whether a seat is asked follows from public
facts and from these orders only, never from what lies on its rack.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..core.house import bots
from .state import KingsState

ASK, SKIP = "ask", "skip"
EVERY = "every"  # asked about each roll, also where the Lucky Charm could do the player no good
THIS_BATTLE = "this_battle"  # kept among a seat's orders: the battle in which nothing more comes from it


@dataclass(frozen=True)
class Order:
    """One kind of question and the answers that may be given in advance; the first is in force until another is set."""

    label: str
    choices: dict[str, str]
    default: str = ASK


WAITING = Order(
    "When I could answer with a magic item",
    {
        "never": "Don’t wait for me; follow my orders below",
        "mine": "Ask me in my own battles and recruiting",
        "always": "Always ask me",
    },
    default="",  # the table's option
)

_REACTION = {ASK: "Ask me, as set in the first order", SKIP: "Don’t play it"}

ORDERS: dict[str, Order] = {
    "waiting": WAITING,
    "lucky_charm": Order(
        "Lucky Charm",
        {
            ASK: "Ask me when it could help me, as set in the first order",
            EVERY: "Ask me about every roll, as set in the first order",
            SKIP: _REACTION[SKIP],
            "recruit": "Play it when my recruiting roll is one short",
            "hit": "Play it when one of my dice misses by one in battle",
            "explore": "Play it when it makes a hex I explore undefended",
            "any": "Play it in any of these cases",
        },
    ),
    "dispel_magic_scroll": Order(
        "Dispel Magic Scroll",
        {
            **_REACTION,
            "item": "Play it against the first item played in a battle of mine",
            "magic": "Play it when two or more magic creatures are about to fight me",
            "any": "Play it in either case",
        },
    ),
    "fan": Order(
        "Fan",
        {**_REACTION, "mine": "Play it against a Balloon, Dust or Cloud aimed at me"},
    ),
    "elixir": Order("Elixir", {**_REACTION, "mine": "Play it when the Dark Plague or Teeniepox would hurt me"}),
    "dust_of_defense": Order("Dust of Defense", {**_REACTION, "outnumbered": "Play it when I am outnumbered"}),
    "battle_items": Order(
        "Other magic in battle",
        {
            ASK: "Ask me before each round, and when I am hit",
            SKIP: "Don’t ask me",
            "best": "Play everything I have when a battle begins",
            "last": "Play Golem or Talisman when I would lose everything there",
        },
    ),
    "proof": Order(
        "When asked to prove that I pin a stack",
        {ASK: "Ask me", "show": "Show a supported creature if I have one", "refuse": "Never show anything"},
    ),
    "flyers": Order(
        "When flyers want to pass",
        {ASK: "Ask me", "all": "Show all supported flyers", "none": "Show none"},
    ),
    "endangered_income": Order(
        "Special income counters in hexes that enemies have entered",
        {ASK: "Ask me", "keep": "Keep them", "remove": "Return them to the cup"},
    ),
    "fled_heroes": Order(
        "Heroes of mine that fled to the pool",
        {ASK: "Ask me", "keep": "Leave them as they are", "turn": "Turn them over"},
    ),
    "losses": Order(
        "Losses by Plague, Teeniepox, Vandals and disasters",
        {ASK: "Ask me", "weakest": "Give up the weakest"},
    ),
    "captured": Order(
        "Placing counters in a hex just captured",
        {ASK: "Ask me", "nothing": "Place nothing"},
    ),
    "battles": Order(
        "Which of my battles and explorations comes first",
        {ASK: "Ask me", "home": "My own hexes first, then where I have most counters"},
    ),
    "hits": Order(
        "Who takes hits in my battles",
        {
            ASK: "Ask me",
            "walls": "Fort levels first, then the weakest",
            "creatures": "The weakest first, fort levels last",
        },
    ),
    "bribes": Order(
        "Bribing defenders of a hex I explore",
        {
            ASK: "Ask me",
            "none": "Bribe nobody",
            "five": "Bribe all of them if that costs at most 5 gold, or else nobody",
            "ten": "Bribe all of them if that costs at most 10 gold, or else nobody",
        },
    ),
    "retreat": Order(
        "Retreating after a round",
        {
            ASK: "Ask me",
            "ask_outnumbered": "Ask me only when an enemy there has twice as many",
            "outnumbered": "Retreat when an enemy there has twice as many",
            "stay": "Never retreat",
        },
    ),
    "targets": Order(
        "Whom I fight in a battle of three or four",
        {ASK: "Ask me", "most": "The enemy with most counters there"},
    ),
    "marksman": Order(
        "My Marksman",
        {ASK: "Ask me before each shot", "usual": "Shoot as usual: 5 or less hits"},
    ),
    "warlord": Order(
        "My Warlord",
        {
            ASK: "Ask me",
            "best": "He calls the creature with the best chance for its strength",
            "none": "He calls nobody",
        },
    ),
    "events": Order("Random events", {ASK: "Ask me", "none": "Play none"}),
    "building": Order(
        "Building forts",
        {ASK: "Ask me", "afford": "Ask me only when I have 5 gold or more", "none": "Build nothing"},
    ),
    "powers": Order(
        "My Assassin Primus and my Master Thief",
        {ASK: "Ask me", "none": "Use neither"},
    ),
}

# What is ordered at the start of a table that settles small questions (option "orders"). Magic, bribes and retreats
# from a stronger enemy are left to the player.
SETTLED = {
    "battles": "home",
    "hits": "walls",
    "targets": "most",
    "marksman": "usual",
    "warlord": "best",
    "building": "afford",
    "retreat": "ask_outnumbered",
    "captured": "nothing",
    "proof": "show",
    "flyers": "all",
    "endangered_income": "keep",
    "fled_heroes": "keep",
    "losses": "weakest",
}


MAGIC = ("lucky_charm", "dispel_magic_scroll", "fan", "elixir", "dust_of_defense", "battle_items")


def order(state: KingsState, seat: int, about: str) -> str:
    """What this seat has ordered about something. Who passes a battle plays no magic in it, not even by order."""
    given = state.extras["orders"].get(str(seat), {})
    if about in MAGIC and passes(state, seat):
        return SKIP
    return str(given.get(about, usual_order(state.options, about)))


def usual_order(options: Mapping[str, Any], about: str) -> str:
    """What holds for everybody who has ordered nothing else: what the table has chosen, or being asked."""
    if about == "waiting":
        return str(options["waiting"])
    settled = SETTLED if options.get("orders") == "settle" else {}
    return settled.get(about, ORDERS[about].default)


def orders_of(state: KingsState, seat: int) -> dict[str, str]:
    """Everything this seat has ordered, usual or given."""
    given = state.extras["orders"].get(str(seat))
    found = {about: usual_order(state.options, about) for about in ORDERS}
    if given:
        found |= {about: str(how) for about, how in given.items() if about in found}
    return found


def set_order(state: KingsState, seat: int, about: str, how: str) -> None:
    orders = state.extras["orders"]
    state.extras["orders"] = {**orders, str(seat): {**orders.get(str(seat), {}), about: how}}


# ---- nothing more from me this battle


def battle_now(state: KingsState) -> str:
    """Names the battle under way, until what follows from it is settled; empty if there is none."""
    for frame in reversed(state.flow):
        if frame.name() == "battle":
            return str(frame.serial)
        if frame.name() == "aftermath":
            return str(frame.battle)  # type: ignore[attr-defined]
    return ""


def passes(state: KingsState, seat: int) -> bool:
    """Whether this seat has said that nothing more comes from it in this battle."""
    battle = state.extras["orders"].get(str(seat), {}).get(THIS_BATTLE)
    return bool(battle) and battle == battle_now(state)


def pass_battle(state: KingsState, seat: int) -> None:
    set_order(state, seat, THIS_BATTLE, battle_now(state))


def rejoin_battle(state: KingsState, seat: int) -> None:
    orders = state.extras["orders"]
    kept = {about: how for about, how in orders[str(seat)].items() if about != THIS_BATTLE}
    others = {other: given for other, given in orders.items() if other != str(seat)}
    state.extras["orders"] = {**others, str(seat): kept} if kept else others


# ---- who is asked


def faces_people(state: KingsState, seat: int) -> bool:
    return any(other != seat and other not in bots(state) for other in state.order)


def hides_items(state: KingsState, seat: int) -> bool:
    """Whether it must not show if this seat has a magic item to answer with (R2)."""
    return state.options["reactions"] == "sealed" and faces_people(state, seat)


def hides_choices(state: KingsState, seat: int) -> bool:
    """Whether it must not show if this seat has a choice at all (R3); a table that hides items hides that as well."""
    is_open = state.options["reactions"] == "holders" and state.options.get("one_answer") == "skipped"
    return not is_open and faces_people(state, seat)


def is_waited_for(state: KingsState, seat: int, kind: str, parties: list[int]) -> bool:
    """Whether the game waits for this seat's word on an item it may or may not hold (R2)."""
    if order(state, seat, kind) not in (ASK, EVERY):
        return False
    waiting = order(state, seat, "waiting")
    return waiting == "always" or (waiting == "mine" and seat in parties)
