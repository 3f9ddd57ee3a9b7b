"""The page of standing orders: every item and every question an answer can be given to in advance, in our own words.

It lists all of them for everybody, held or not: a page that left something out would tell what lies on a rack.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from games.engine.kings.orders import ORDERS, usual_order
from games.engine.kings.view import KingsView


@dataclass(frozen=True)
class Words:
    """What an order is about, what each of its answers leads to, and where the rules tell more."""

    about: str
    choices: Mapping[str, str]
    rule: str


# Answers that several orders share.
ASKED = "The game asks you."
ANSWERS = {
    "ask": "The game asks you when the first order on this page says so. Otherwise you don’t play it.",
    "skip": "Nobody waits for you, and you don’t play it, even if you hold it.",
}

WORDS: dict[str, Words] = {
    "waiting": Words(
        "Magic items can answer dice, other items, magic creatures and plagues. This order says when the game asks "
        "you. The orders for single items below apply as well. In a battle you can press “Nothing more from me this "
        "battle”: until it ends you play no magic, not even by your orders, and the game asks you only who takes hits, "
        "whom to fight and whether to retreat. You can take that back while the battle lasts.",
        {
            "never": "The game never asks you about your items. Orders below that name a case still play them.",
            "mine": "The game asks you when it’s about your own dice, battle or recruiting.",
            "always": "The game asks you whenever somebody could answer. The others have to wait for you.",
        },
        "R2",
    ),
    "lucky_charm": Words(
        "After any roll, makes one die, or the total of two dice, one higher or one lower.",
        {
            "ask": "When the first order on this page says so, the game asks you about a roll that it could turn in "
            "your favour: a hero whom you then win, fewer defenders, a miss that becomes a hit, or an enemy’s hit that "
            "becomes a miss. Whether it could follows from what everybody sees.",
            "every": "The game asks you about each roll when the first order on this page says so, even where one more "
            "or less changes nothing.",
            "skip": ANSWERS["skip"],
            "recruit": "It is played when your roll for a hero is one short, and for nothing else.",
            "hit": "It is played when one of your dice in a battle misses by one, and for nothing else.",
            "explore": "It is played when you explore and roll 2 or 5: the die becomes 1 or 6; nobody defends the hex.",
            "any": "It is played in the first of these three cases that comes up.",
        },
        "lucky_charm",
    ),
    "dispel_magic_scroll": Words(
        "Cancels another player’s item, or makes one side’s magic creatures fight in the melee.",
        {
            **ANSWERS,
            "item": "It is played against the first item that somebody else plays in your battle.",
            "magic": "It is played when an enemy side is about to fight with two or more magic creatures.",
            "any": "It is played in the first of these two cases that comes up.",
        },
        "dispel_magic_scroll",
    ),
    "fan": Words(
        "Blows a Balloon to another hex, cancels Dust of Defense, or moves the Black Cloud.",
        {
            **ANSWERS,
            "mine": "A Balloon about to land in your hex is blown to an adjacent hex, to sea or off your land if "
            "possible; Dust used against your army is cancelled; a Cloud on your hex is removed from the map.",
        },
        "fan",
    ),
    "elixir": Words(
        "You lose nothing to the Dark Plague or Teeniepox.",
        {**ANSWERS, "mine": "It is played the first time one of the two affects you."},
        "elixir",
    ),
    "dust_of_defense": Words(
        "Before the first round, one army that attacks your hex has to retreat.",
        {
            **ANSWERS,
            "outnumbered": "It is played against the largest enemy army, if that army has more counters than yours.",
        },
        "dust_of_defense",
    ),
    "battle_items": Words(
        "You can play Bow, Sword, Golem, Talisman and Firewall before a round of battle begins, and Golem and Talisman "
        "also when you are hit.",
        {
            "ask": "The game asks you before each round, unless your first order says never. If your rack isn’t empty, "
            "it also asks you when you are hit, even if only one counter can take the hit.",
            "skip": "The round begins without asking you, and your items stay on the rack.",
            "best": "Everything you hold is played as soon as possible. Your strongest creatures get the weapons.",
            "last": "When hits would take everything you have in a battle, your Golem is played, or your Talisman "
            "if you don’t hold the Golem. Nothing else is played.",
        },
        "15",
    ),
    "proof": Words(
        "When your face-down counters pin a stack, its owner may ask you to show a supported creature.",
        {
            "ask": ASKED,
            "show": "Your weakest supported creature there is shown to everybody and then turned face down again. "
            "If you have none, the stack may leave.",
            "refuse": "You show nothing, and the stack may leave.",
        },
        "9.23",
    ),
    "flyers": Words(
        "When enemy flyers pass over your counters, each flyer you show there holds back one of them.",
        {
            "ask": ASKED,
            "all": "All your supported flyers there are shown, and each holds back one.",
            "none": "You show none, and they fly on.",
        },
        "9.31",
    ),
    "endangered_income": Words(
        "When enemies enter a hex with your special income counter, you may return it to the cup first.",
        {
            "ask": ASKED,
            "keep": "It stays, and they get it if they win the hex.",
            "remove": "It goes back to the cup as soon as enemies are there.",
        },
        "8.42",
    ),
    "fled_heroes": Words(
        "When your hero is eliminated and flees to the pool, you may turn the counter over.",
        {
            "ask": ASKED,
            "keep": "The same hero stays in the pool, for anybody to recruit.",
            "turn": "The hero on the other side of the counter is in the pool instead.",
        },
        "6.5",
    ),
    "losses": Words(
        "When the Dark Plague, Teeniepox, Vandals or a disaster cost you counters or a fort level, you choose which.",
        {
            "ask": ASKED,
            "weakest": "Creatures with the lowest value go first. Forts and special income stay if possible. "
            "Vandals get a level of your lowest fort.",
        },
        "14",
    ),
    "captured": Words(
        "In a hex you have just captured, you may place counters from your rack at once.",
        {
            "ask": "If your rack isn’t empty, the game asks you.",
            "nothing": "Nobody waits, and you place nothing there for now.",
        },
        "11.74",
    ),
    "battles": Words(
        "In your part of the Combat Phase you resolve one battle or exploration at a time.",
        {
            "ask": "If there is more than one left, the game asks you.",
            "home": "Your own hexes come first, and then the others; in each group where you have most counters. "
            "Between equals, the lower number on the map decides.",
        },
        "11.2",
    ),
    "hits": Words(
        "When your side is hit in a battle, you choose who takes the hits.",
        {
            "ask": ASKED,
            "walls": "Levels of your fort take hits first, then your weakest creatures, heroes last. If your orders "
            "let you play Golem or Talisman against hits, the game still asks you.",
            "creatures": "Your weakest creatures take hits first, then heroes, and levels of your fort last. If your "
            "orders let you play Golem or Talisman against hits, the game still asks you.",
        },
        "11.51",
    ),
    "bribes": Words(
        "Before the first round you may pay defenders of a hex you explore to go away.",
        {
            "ask": "If you might pay, the game asks you.",
            "none": "You pay nobody, and the battle begins.",
            "five": "If all of them together want 5 gold or less and you have it, you pay. Otherwise you pay nobody.",
            "ten": "If all of them together want 10 gold or less and you have it, you pay. Otherwise you pay nobody.",
        },
        "10.2",
    ),
    "retreat": Words(
        "After each round of a battle your army may retreat to a hex of yours beside it.",
        {
            "ask": "If there is a hex to retreat to, the game asks you.",
            "ask_outnumbered": "The game asks you when an enemy there has at least twice as many counters as you. "
            "Otherwise your army fights on.",
            "outnumbered": "When an enemy there has at least twice as many counters as you, your army leaves: to the "
            "highest fort, or to the hex with most room. Otherwise it fights on.",
            "stay": "Your army fights on to the end. Dust of Defense can still send it away.",
        },
        "11.6",
    ),
    "targets": Words(
        "In a battle with three or four sides, everybody names the enemy they fight before each round.",
        {
            "ask": ASKED,
            "most": "You name the enemy with most counters there; if two have as many, the one nearer to the "
            "defender’s left.",
        },
        "11.81",
    ),
    "marksman": Words(
        "Before he shoots, your Marksman can aim: then only a 2 or less hits, but you choose whom.",
        {"ask": ASKED, "usual": "He never aims: a 5 or less hits, and your enemy chooses who takes the hit."},
        "13",
    ),
    "warlord": Words(
        "Before the first round your Warlord may call one enemy creature. It joins you if the die is not below its "
        "combat value.",
        {
            "ask": ASKED,
            "best": "He calls the creature for which its value times its chance is highest: first a 3 or 4.",
            "none": "He calls nobody.",
        },
        "13",
    ),
    "events": Words(
        "In the Random Events Phase you may play one event from your rack.",
        {
            "ask": "If your rack isn’t empty, the game asks you, whether you have an event or not.",
            "none": "Nobody waits, and your events stay on the rack.",
        },
        "14",
    ),
    "building": Words(
        "In the Construction Phase you may build towers, or the next level of a fort, for 5 gold each.",
        {
            "ask": "If you have 5 gold, or anything on your rack that might be a treasure, the game asks you.",
            "afford": "The game asks you as long as you have 5 gold. If you mean to build from a treasure, cash it in "
            "before that.",
            "none": "Nobody waits, and you build nothing.",
        },
        "12.1",
    ),
    "powers": Words(
        "In the Special Powers Phase your Assassin Primus can strike, and your Master Thief can rob somebody.",
        {"ask": ASKED, "none": "Nobody waits, and both stay where they are."},
        "13",
    ),
}

# A heading and the orders below it.
PARTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Whether the game waits for you", ("waiting",)),
    ("Items that answer what others do", ("lucky_charm", "dispel_magic_scroll", "fan", "elixir", "dust_of_defense")),
    ("In battle", ("battle_items", "battles", "targets", "hits", "retreat", "bribes", "captured")),
    ("Heroes", ("marksman", "warlord", "powers")),
    ("Phases of your turn", ("events", "building")),
    ("On the map", ("proof", "flyers", "endangered_income", "losses", "fled_heroes")),
)

# What the table's options mean for all this: option -> value -> words.
OPTIONS: dict[str, dict[str, str]] = {
    "reactions": {
        "sealed": "Everybody with counters on their rack may be asked, as long as an item that could answer is hidden "
        "somewhere. So a pause tells nobody what you hold, and you may be asked even if you don’t hold the item.",
        "holders": "Only players who hold a fitting item are asked. That is quicker, but a pause can "
        "reveal that somebody holds one.",
    },
    "waiting": {
        "mine": "Unless you change the first order, the game asks you in your own battles and recruiting.",
        "never": "Unless you change the first order, the game never asks you, and only your orders play items.",
        "always": "Unless you change the first order, the game asks you whenever something could be answered.",
    },
    "orders": {
        "ask": "Unless you give other orders, the game asks you about everything else on this page.",
        "settle": "This table settles small questions: unless you give other orders, they are answered as this page "
        "shows, without asking you.",
    },
}


@dataclass(frozen=True)
class Choice:
    how: str
    label: str
    means: str
    is_chosen: bool
    is_usual: bool


@dataclass(frozen=True)
class OrderCard:
    """One order as the page shows it."""

    about: str
    label: str
    words: str
    rule: str
    now: str
    choices: tuple[Choice, ...]


def parts_of(view: KingsView) -> list[tuple[str, list[OrderCard]]]:
    """All orders under their headings, with what this seat has ordered."""
    return [(heading, [card_of(view, about) for about in abouts]) for heading, abouts in PARTS]


def card_of(view: KingsView, about: str) -> OrderCard:
    order, words, now = ORDERS[about], WORDS[about], view.orders[about]
    usual = usual_order(view.options, about)
    choices = (Choice(how, label, words.choices[how], how == now, how == usual) for how, label in order.choices.items())
    return OrderCard(about, order.label, words.about, words.rule, now, tuple(choices))


def options_of(view: KingsView) -> list[str]:
    """What this table's options mean for standing orders."""
    return [words[view.options[name]] for name, words in OPTIONS.items() if name in view.options]


def given_in(view: KingsView) -> dict[str, str]:
    """What this seat has ordered otherwise than everybody at its table at the start."""
    return {about: how for about, how in view.orders.items() if how != usual_order(view.options, about)}
