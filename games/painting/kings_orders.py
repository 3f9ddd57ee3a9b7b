"""The page of standing orders: every item and every question an answer can be given to in advance, in our own words.

It lists all of them for everybody, held or not: a page that left something out would tell what lies on a rack.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from games.engine.kings.orders import ORDERS
from games.engine.kings.view import KingsView


@dataclass(frozen=True)
class Words:
    """What an order is about, what each of its answers leads to, and where the rules tell more."""

    about: str
    choices: Mapping[str, str]
    rule: str


# Answers that several orders share.
ASKED = "The game stops and asks you."
ANSWERS = {
    "ask": "The game waits for your word where the first order on this page says so, and else lets it pass.",
    "skip": "Nobody waits for you, and you do not play it as an answer, even if you hold it.",
}

WORDS: dict[str, Words] = {
    "waiting": Words(
        "Dice, items, magic and plagues can be answered by magic items. This says when the game stops for you "
        "then; the orders about single items come on top.",
        {
            "never": "The game never stops for your items. Orders below that name a case still play them.",
            "mine": "The game stops for you when the dice, the battle or the recruiting are your own affair.",
            "always": "The game stops for you whenever somebody could answer. The others wait as long as you take.",
        },
        "R2",
    ),
    "lucky_charm": Words(
        "Makes one die, or one sum of two dice, one more or one less, after any roll.",
        {
            **ANSWERS,
            "recruit": "When your dice for a hero are one short, it makes up for that. Nothing else uses it up.",
            "hit": "When one of your dice in a battle misses by one, it becomes a hit. Nothing else uses it up.",
            "explore": "When you enter unexplored land and your die is 2 or 5, it becomes 1 or 6: nobody defends it.",
            "any": "The first of these three cases that comes up uses it.",
        },
        "lucky_charm",
    ),
    "dispel_magic_scroll": Words(
        "Takes the effect from another player’s item, or sends a side’s magic creatures into the melee.",
        {
            **ANSWERS,
            "item": "The first item that somebody plays in a battle of yours is dispelled.",
            "magic": "When a side against you is about to fight with two or more magic creatures, they are dispelled.",
            "any": "Whichever of these two cases comes first.",
        },
        "dispel_magic_scroll",
    ),
    "fan": Words(
        "Blows a Balloon aside, scatters Dust of Defense, or moves the Black Cloud.",
        {
            **ANSWERS,
            "mine": "A Balloon that is to land in your land is blown to a hex beside, over sea or off your land if "
            "there is one; Dust thrown at your army is scattered; a Cloud over your land leaves the map.",
        },
        "fan",
    ),
    "elixir": Words(
        "The Dark Plague or the Teeniepox passes you by.",
        {**ANSWERS, "mine": "It is drunk the first time one of the two comes to you."},
        "elixir",
    ),
    "dust_of_defense": Words(
        "Before the first round one army that attacks you in your own land has to leave.",
        {
            **ANSWERS,
            "outnumbered": "It is thrown at the largest army against you, if that has more counters than yours.",
        },
        "dust_of_defense",
    ),
    "battle_items": Words(
        "Bow, Sword, Golem, Talisman and Firewall are brought into a battle before a round begins.",
        {
            "ask": "Before each round the game asks you, unless it never waits for you at all. If there is a rack to "
            "play from, it also asks which of several equal counters take a hit.",
            "skip": "The round begins without you, and your items stay on the rack.",
            "best": "All that you hold goes into the battle as soon as it can, weapons to your strongest.",
        },
        "15",
    ),
    "proof": Words(
        "A stack that may not leave because of your face-down counters may ask to be shown one that holds it.",
        {
            "ask": ASKED,
            "show": "Your weakest supported creature there is shown to all and then turned down again. Without "
            "one, they may leave.",
            "refuse": "You show nothing, and they may leave.",
        },
        "9.23",
    ),
    "flyers": Words(
        "Flyers can pass over your counters; each flyer you turn up there holds one of them.",
        {
            "ask": ASKED,
            "all": "All your supported flyers there are turned up and hold as many.",
            "none": "You turn up none, and they fly on.",
        },
        "9.31",
    ),
    "endangered_income": Words(
        "When enemies have entered a hex with a special income counter of yours, you may save it from being captured.",
        {
            "ask": ASKED,
            "keep": "It stays, and is theirs if they win the hex.",
            "remove": "It goes back to the cup at once, wherever enemies are.",
        },
        "8.42",
    ),
    "fled_heroes": Words(
        "A hero of yours that is killed flees to the others who serve nobody. You may turn it to its other side.",
        {
            "ask": ASKED,
            "keep": "The hero lies there as before, for anybody to win.",
            "turn": "The hero of the counter’s other side lies there instead.",
        },
        "6.5",
    ),
    "losses": Words(
        "Plague, Teeniepox and disasters cost counters, of your choice.",
        {"ask": ASKED, "weakest": "Creatures of the lowest value go first; walls and special income stay."},
        "14",
    ),
    "captured": Words(
        "In a hex you have just taken you may place counters from your rack at once.",
        {
            "ask": "If there is anything on your rack, the game stops and asks you.",
            "nothing": "Nobody waits, and you place nothing there before your next turn to place.",
        },
        "11.74",
    ),
}

# A heading and the orders below it.
PARTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Whether the game waits for you", ("waiting",)),
    ("Items that answer something", ("lucky_charm", "dispel_magic_scroll", "fan", "elixir", "dust_of_defense")),
    ("In battle", ("battle_items", "captured")),
    ("On the map", ("proof", "flyers", "endangered_income", "losses", "fled_heroes")),
)

# What the table's options mean for all this: option -> value -> words.
OPTIONS: dict[str, dict[str, str]] = {
    "reactions": {
        "sealed": "Whoever has anything on the rack may be asked, as long as an item that could answer lies hidden "
        "somewhere. So a pause tells nobody what you hold, and you may be asked without holding it.",
        "holders": "Only players who really hold an item are asked. That is quicker, but a pause can "
        "tell that somebody does.",
    },
    "waiting": {
        "mine": "Unless you change the first order, the game waits for you in your own battles and recruiting.",
        "never": "Unless you change the first order, the game never waits for you, and only your orders play items.",
        "always": "Unless you change the first order, the game waits for you whenever something could be answered.",
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
    usual = order.default or view.options["waiting"]
    choices = (Choice(how, label, words.choices[how], how == now, how == usual) for how, label in order.choices.items())
    return OrderCard(about, order.label, words.about, words.rule, now, tuple(choices))


def options_of(view: KingsView) -> list[str]:
    """What this table's options mean for standing orders."""
    return [words[view.options[name]] for name, words in OPTIONS.items()]
