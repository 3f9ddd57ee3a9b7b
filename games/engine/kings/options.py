"""What a table of Kings & Things* may choose before it begins."""

from __future__ import annotations

from ..core.rules import Option

REACTIONS = Option(
    "reactions",
    "Who is asked when a magic item could be played",
    {
        "sealed": "Everybody who might have one (pauses tell nothing)",
        "holders": "Only players who have one (quicker, but pauses can tell)",
    },
    default="sealed",
    help="If everybody is asked, a pause tells nothing about anybody’s rack. Against bots the other way is quicker.",
)
ONE_ANSWER = Option(
    "one_answer",
    "Questions with one possible answer",
    {
        "asked": "Asked all the same (pauses tell nothing)",
        "skipped": "Answered by the game (quicker, but pauses can tell)",
    },
    default="asked",
    help="If all are asked, nobody learns whose rack holds nothing. Going on at once suits players at one screen.",
)
WAITING = Option(
    "waiting",
    "Waiting for reactions",
    {
        "mine": "In your own battles and recruiting",
        "never": "Never: standing orders answer",
        "always": "Whenever somebody could react",
    },
    default="mine",
    help="Everybody’s standing order at the start. Each player can change their own at any time.",
)
ORDERS = Option(
    "orders",
    "Small questions",
    {
        "ask": "Players are asked",
        "settle": "Answered by usual orders: fewer stops (for games over days)",
    },
    default="ask",
    help="Who takes hits, which battle comes first, and the like. Each player can order otherwise at any time.",
)
BLUFFS = Option(
    "bluffs",
    "Bluffs",
    {"automatic": "Removed as soon as they are face up", "challenge": "Stay until somebody challenges them"},
    default="automatic",
)
WILD = Option(
    "wild",
    "Wild defenders",
    {"neighbour": "Played by the person to the explorer’s right", "house": "Played by the game; nobody waits"},
    default="neighbour",
)
SETUP = Option(
    "setup",
    "Placing at the start",
    {"together": "All at the same time, unseen", "in_turn": "In player order"},
    default="together",
)
THINGS = Option(
    "things",
    "Drawing and placing Things",
    {"in_turn": "In player order", "together": "All at the same time, unseen (house rule: fewer stops)"},
    default="in_turn",
)
RESIGNED = Option(
    "resigned",
    "A player who resigns",
    {"steward": "Is replaced by a steward (bot)", "remove": "Leaves, and their land is unexplored again"},
    default="steward",
)
LAST_TURN = Option(
    "last_turn",
    "Last turn",
    {"none": "None", **{str(n): f"Turn {n}" for n in (10, 15, 20, 25, 30, 40)}},
    default="none",
    help="After it the highest income wins, then most hexes, then most gold.",
)
ODDS = Option(
    "odds",
    "Odds of battles and explorations",
    {"shown": "Shown, from what each player can see", "hidden": "Not shown"},
    default="shown",
    help="Your chance to win: hidden counters could be any you haven’t seen. Onlookers see them too.",
)

OPTIONS = (REACTIONS, ONE_ANSWER, WAITING, ORDERS, BLUFFS, WILD, SETUP, THINGS, RESIGNED, LAST_TURN, ODDS)
YOUNGER = (ODDS.name, ONE_ANSWER.name, ORDERS.name, THINGS.name)  # than some stored games
