"""What a newcomer to Kings & Things* is told: a lesson when something is met for the first time, and the legend.

Lessons go to the page's script as data (#lessons), which knows what has been seen in this browser. Which of them fits
follows from what the seat is asked and from the phase, so they tell nothing that the View does not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.utils.safestring import SafeString

from games.engine.kings.catalogue import FORT_COPIES, FORTS, LAND, ROUGH, SEA

from ..markup import element, join
from . import board, lesson, looks


@dataclass(frozen=True)
class Lesson:
    """What this is about, one tip, and the paragraph of the rules that tells the rest; ten seconds to read."""

    title: str
    words: str
    tip: str
    rule: str


LESSONS: dict[str, Lesson] = {
    # set-up
    "welcome": Lesson(
        "Welcome to Kadab",
        "Land and forts bring gold; gold brings creatures and higher forts. Keep the only citadel on the map for "
        "a turn and you are emperor.",
        "Only what is allowed can be pressed.",
        "about",
    ),
    "setup": Lesson(
        "Setting up",
        "Everybody chooses a start and claims two more hexes, then gets ten gold, a tower and ten Things.",
        "A creature serves whoever owns its home terrain.",
        "2.1",
    ),
    "start": Lesson(
        "Where your kingdom begins",
        "Your kingdom grows out of this hex. The map lies face down until everybody has chosen.",
        "All starts are as good as each other.",
        "2.15",
    ),
    "seas": Lesson(
        "Water beside you",
        "Nobody owns the sea, and only flyers cross it. You may have it replaced by a hidden tile.",
        "Land can be yours one day; a shore is safe.",
        "S3",
    ),
    "claim": Lesson(
        "Claiming land",
        "Each hex brings one gold a turn and lets the creatures of its terrain serve you.",
        "Take different terrains: then fewer of your creatures are bluffs.",
        "2.16",
    ),
    "tower": Lesson(
        "Your first fort",
        "A tower brings one gold a turn and defends its hex. Later you raise it: keep, castle, citadel.",
        "Put it where you can hold it, away from the others.",
        "2.17",
    ),
    "place": Lesson(
        "Placing counters",
        "Creatures lie face down: others see how many, not which. ✓ serves you; ? is a bluff, lost once found "
        "out. Special income brings gold.",
        "One strong stack beats three weak ones.",
        "8",
    ),
    "exchange": Lesson(
        "A second draw",
        "Counters still on your rack may go back to the cup for as many new ones, this once.",
        "Give back what has no home in your land.",
        "2.18",
    ),
    # the nine phases
    "income": Lesson(
        "Gold",
        "Each turn brings one gold for every land hex and hero, a fort’s level, and what special income counters show.",
        "A citadel wants an income of 20, or 15 for two or three players.",
        "5",
    ),
    "heroes": Lesson(
        "Heroes",
        "Once a turn you may roll for a hero: two dice must reach twice its value. Five gold before the roll add one.",
        "A try without gold costs nothing.",
        "6",
    ),
    "things": Lesson(
        "Drawing Things",
        "Every two land hexes bring a free draw; five gold, or two counters of your rack, buy another.",
        "Trade in what does not suit your land, and keep gold for a fort.",
        "7",
    ),
    "events": Lesson(
        "Random events",
        "You may play one event now. Some help you, others harm somebody else.",
        "Press an event on your rack to read what it does. It can wait, too.",
        "14",
    ),
    "march": Lesson(
        "Movement",
        "Everybody has four points. Swamp, mountain, forest and jungle cost two, other land one. Land that nobody "
        "owns stops your stack: it explores.",
        "Go with several at once.",
        "9",
    ),
    "combat": Lesson(
        "Battles and explorations",
        "Wherever armies meet, or stand in land that nobody owns, it is settled now. You choose which of yours "
        "comes first.",
        "Begin with the hex you need most.",
        "11.1",
    ),
    "build": Lesson(
        "Construction",
        "Five gold build a tower or raise a fort, once a turn in each hex. An income of 20, or 15 for two or three "
        "players, turns a castle into a citadel.",
        "Levels bring gold.",
        "12",
    ),
    "powers": Lesson(
        "Special powers",
        "The Master Thief steals, the Assassin Primus strikes, once a turn each. Both players roll two dice; the "
        "higher wins.",
        "Try it when the prize is worth the risk.",
        "13",
    ),
    "rotate": Lesson(
        "The order changes",
        "With three or four players, the first player of this turn goes last in the next.",
        "Whoever moves last has seen where the others went.",
        "3.1",
    ),
    # what comes up within them
    "full_rack": Lesson(
        "A full rack",
        "Your rack holds ten counters. The rest must be placed, played or given back.",
        "Give back what has no home in your land. Treasure becomes gold at once.",
        "7.4",
    ),
    "proof": Lesson(
        "Do you hold them?",
        "Enemies who begin their move in a hex of yours are held there, unless you only bluff. Show a supported "
        "creature, and they stay.",
        "Showing nothing is always allowed.",
        "9.23",
    ),
    "flyers": Lesson(
        "Flying past",
        "Flyers may go on over enemies. Each flyer shown against them holds one back.",
        "A bluff that is shown holds nobody and is lost.",
        "9.3",
    ),
    "explore": Lesson(
        "Exploring",
        "Roll a die: on 1 or 6 the hex is empty and yours. Otherwise as many Things as rolled come out of the cup "
        "and defend it.",
        "Wild creatures need no support.",
        "10.1",
    ),
    "bribe": Lesson(
        "Bribes",
        "Pay defenders to leave: their value in gold, or twice that if they guard anything. You fight those you "
        "don’t pay.",
        "Pay for the strong ones, fight the weak.",
        "10.2",
    ),
    "wild": Lesson(
        "You speak for the wild",
        "You decide for the wild defenders of another player’s exploration: who takes a weapon, who takes a hit.",
        "Play them as if they were yours.",
        "E1",
    ),
    "battle": Lesson(
        "A battle",
        "Each round magic strikes first, then archers, then all others. A die not above a fighter’s number hits.",
        "Whoever falls early does not strike later in the round.",
        "11.3",
    ),
    "losses": Lesson(
        "Taking hits",
        "You choose who takes the hits. A creature or hero falls at one; a fort, city or village loses a point.",
        "Let walls take hits first, then those who have struck.",
        "11.5",
    ),
    "retreat": Lesson(
        "Stay or retreat?",
        "After each round, attackers and then defenders may leave for a free hex of their own beside it.",
        "A hex can be won back; fallen creatures are gone.",
        "11.6",
    ),
    "target": Lesson(
        "More than two sides",
        "Each side names one other to fight in this round. All choices are shown together.",
        "Hits on a side that is already gone are lost.",
        "11.8",
    ),
    "react": Lesson(
        "A chance to answer",
        "Some magic items answer what somebody has just done. If you have nothing for it, let it pass.",
        "Under “Orders” you can say when you want to be asked.",
        "R1",
    ),
    "winning": Lesson(
        "Winning",
        "Whoever still has the only citadel after the next turn’s construction is emperor. If there are more, "
        "owning two wins at once.",
        "The second has to be conquered.",
        "4",
    ),
}

# lesson -> the part of the page it talks about, which is ringed while its card is there; "here" is the hex in question
POINTS: dict[str, str] = {
    "income": "#purse",
    "heroes": ".heroes-to-pick",
    **dict.fromkeys(("place", "exchange", "full_rack", "events"), "#rack-panel"),
    **dict.fromkeys(("battle", "losses"), "#arena"),
    **dict.fromkeys(("explore", "bribe", "retreat", "wild"), "here"),
    "winning": "#players",
}

# question -> the lessons that fit it, in this order; of any other question, the lesson of the phase
MET: dict[str, tuple[str, ...]] = {
    "start": ("welcome", "start"),
    "replace_sea": ("seas",),
    "claim": ("welcome", "claim"),
    "tower": ("tower",),
    "place": ("place",),
    "exchange": ("exchange",),
    "recruit": ("heroes", "income"),
    "draw": ("things",),
    "full_rack": ("full_rack",),
    "event": ("events",),
    "march": ("march",),
    "proof": ("proof",),
    "hold_flyers": ("flyers",),
    "who_stays": ("flyers",),
    "engage": ("combat",),
    "bribe": ("bribe", "explore"),
    "arm": ("wild",),
    "which_income": ("wild",),
    "ready": ("battle",),
    "target": ("battle", "target"),
    "losses": ("battle", "losses"),
    "retreat": ("battle", "retreat"),
    "react": ("react",),
    "build": ("build",),
    "assassinate": ("powers",),
    "steal": ("powers",),
}


def lessons() -> dict[str, Any]:
    return {
        "lessons": {
            **{name: [each.title, each.words, each.tip, each.rule] for name, each in LESSONS.items()},
            **lesson.cards(),
        },
        "met": MET,
        "taught": lesson.TAUGHT,
        "script": lesson.script(),
        "points": POINTS,
    }


# ---- the legend

WILD_SAMPLE = looks.CounterLook("old_dragon", None)
MASKED_SAMPLE = looks.CounterLook("old_dragon", 0, masked=True)
OPEN_SAMPLE = looks.CounterLook("old_dragon", 0)


# symbol -> what it means, and the paragraph of the rules
SYMBOL_WORDS = {
    "F": ("Crosses the sea, and may pass over enemies.", "9.3"),
    "M": ("Strikes in the first step of a round.", "11.3"),
    "R": ("Shoots in the second step of a round.", "11.3"),
    "C": ("Strikes with two dice.", "11.4"),
    "*": ("Has a power of its own.", "6.3"),
}


@dataclass(frozen=True)
class Entry:
    """A drawing as it is met on the page, what it is called, what it means, and where the rules tell more."""

    picture: SafeString
    name: str
    words: str
    rule: str


def legend(rules_url: str) -> SafeString:
    """Everything that is drawn and is not a counter, for a dialog; the same for everybody."""
    return _legend(rules_url, board.sprite())


@cache
def _legend(rules_url: str, art: str) -> SafeString:
    return join(*(draw_group(title, entries, rules_url) for title, entries in groups(art)))


def draw_group(title: str, entries: list[Entry], rules_url: str) -> SafeString:
    rows = (draw_entry(entry, rules_url) for entry in entries)
    return element("section", element("h3", title), element("ul", *rows, class_="legend"))


def draw_entry(entry: Entry, rules_url: str) -> SafeString:
    name = element("a", entry.name, href=f"{rules_url}#{entry.rule}", target="_blank", rel="noopener")
    return element("li", entry.picture, element("div", element("strong", name), element("p", entry.words)))


def groups(art: str) -> Iterator[tuple[str, list[Entry]]]:
    yield "On a counter", [*symbol_entries(art), *counter_entries(art)]
    yield "On a hex", [*fort_entries(art), *hex_entries(art)]
    yield "Whose it is", list(owner_entries())
    yield "What you can choose", list(choice_entries(board.tiles()))
    yield "Terrains", list(terrain_entries(board.tiles()))


def symbol_entries(art: str) -> Iterator[Entry]:
    for mark, (words, rule) in SYMBOL_WORDS.items():
        drawn = on_card(board.picture(art, looks.MARKS[mark], 8, 8, 24, "mark"))
        yield Entry(drawn, looks.MARKS[mark].capitalize(), words, rule)


def counter_entries(art: str) -> Iterator[Entry]:
    yield Entry(on_card(board.seal("5")), "Value", "A die not above it is a hit.", "11.4")
    coin = join(element("circle", class_="coin", cx=20, cy=20, r=13), board.text(2, 20, 26, "gold"))
    yield Entry(on_card(coin), "Coin", "Gold: every turn for special income on the map, once for treasure.", "5.1")
    yield Entry(
        written("✓", "supported"), "Supported", "You own a hex of its home terrain, or its Lord is there.", "8.24"
    )
    yield Entry(written("?", "bluff"), "Bluff", "Frightens others, but is lost once it is found out.", "8.3")
    yield Entry(sampled(MASKED_SAMPLE, art), "Folded corner", "Face down: you see it, the others see its back.", "H2")
    yield Entry(sampled(OPEN_SAMPLE, art), "Coloured frame", "Face up: everybody sees it.", "H1")
    pile = element("g", board.pile(looks.BacksLook(3, 4)), class_="chit back red")
    yield Entry(shown(pile), "Back", "So many counters lie face down; only their owner knows them.", "H2")
    yield Entry(
        sampled(WILD_SAMPLE, art), "Dashed frame", "A wild defender: it serves nobody and needs no support.", "10.12"
    )


def fort_entries(art: str) -> Iterator[Entry]:
    how = {3: " Shoots.", 4: " Uses magic. It wins the game."}
    for level in FORT_COPIES:
        words = f"Brings {level} gold a turn and fights with {level}.{how.get(level, '')}"
        yield Entry(shown(board.fort(level, None, None, art), FORT_BOX), FORTS[level].capitalize(), words, "12.3")
    yield Entry(
        shown(board.fort(3, 2, None, art), FORT_BOX),
        "Weakened fort",
        "Its value now, after hits and under the Cloud.",
        "11.52",
    )


def hex_entries(art: str) -> Iterator[Entry]:
    now, waits = (board.badge(art, "battle", 0, css) for css in ("now", "waits"))
    yield Entry(shown(now, BADGE_BOX), "Battle", "It is being fought.", "11.3")
    yield Entry(shown(waits, BADGE_BOX), "Contested", "More than one side is here; it will be fought for.", "11.1")
    cloud = board.badge(art, "cloud", 0)
    yield Entry(
        shown(cloud, BADGE_BOX), "Black Cloud", "Everything of the hex’s owner fights with one less.", "weather_control"
    )


def owner_entries() -> Iterator[Entry]:
    shapes = ("disc", "square", "diamond", "triangle")
    for seat, shape in enumerate(shapes):
        words = f"{shape.capitalize()} and border of this colour."
        yield Entry(shown(board.seat_mark(seat, 20, 20, 11)), looks.seat_word(seat), words, "H1")


def choice_entries(tiles: str) -> Iterator[Entry]:
    edge = element("polygon", class_="edge", points=board.EDGE)
    plains = join(board.ground("plains", 0, tiles), edge)
    words = "You can choose this hex now. The number is what the way there costs."
    yield Entry(shown(plains, HEX_BOX, "reach"), "White dashes", words, "9.1")
    yield Entry(shown(plains, HEX_BOX, "picked"), "Bright edge", "The hex you have chosen.", "3.2")


def terrain_entries(tiles: str) -> Iterator[Entry]:
    for terrain in LAND:
        words = f"Costs {'two points' if terrain in ROUGH else 'one point'} to enter."
        yield Entry(shown(board.ground(terrain, 0, tiles), HEX_BOX), terrain.capitalize(), words, "9.1")
    sea = shown(board.ground(SEA, 0, tiles), HEX_BOX)
    yield Entry(sea, SEA.capitalize(), "Only flyers cross it, for one point, and nobody stays there.", "9.25")
    unknown = shown(board.ground("", 0, tiles), HEX_BOX)
    yield Entry(unknown, "Face down", "Turned up when everybody has chosen a start.", "2.15")


# ---- its drawings

CHIT_BOX, HEX_BOX = "-1 -4 44 46", "-104 -104 208 208"
FORT_BOX, BADGE_BOX = "-76 -90 68 70", "-16 52 32 32"


def shown(drawn: SafeString, box: str = CHIT_BOX, css: str = "") -> SafeString:
    """A piece of the board by itself. It is coloured as it is there because it stands in a hex."""
    inside = element("g", drawn, class_=f"hex sample {css}".rstrip())
    return element("svg", inside, class_="legend-picture", view_box=box, aria_hidden="true")


def on_card(drawn: SafeString) -> SafeString:
    card = element("rect", class_="card", x=1, y=1, width=38, height=38, rx=5)
    return shown(element("g", card, drawn, class_="chit t-income"))


def sampled(look: looks.CounterLook, art: str) -> SafeString:
    return shown(element("g", board.chit(look, art), class_=board.chit_classes(look)))


def written(sign: str, css: str) -> SafeString:
    return element("span", sign, class_=f"legend-picture sign {css}", aria_hidden="true")
