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
from . import board


@dataclass(frozen=True)
class Lesson:
    """What this is about and what to aim for, one tip, and the paragraph of the rules that tells the rest."""

    title: str
    words: str
    tip: str
    rule: str


LESSONS: dict[str, Lesson] = {
    # set-up
    "welcome": Lesson(
        "Welcome to Kadab",
        "You are one of several minor nobles who would like to be emperor. Land, forts and odd treasures bring gold; "
        "gold brings more creatures and higher forts; and the highest fort, the citadel, brings the crown. Keep the "
        "only one on the map for a turn, or own two, and you have won.",
        "You need not know the rules. Whatever you are asked stands here, and only what is allowed can be pressed.",
        "about",
    ),
    "setup": Lesson(
        "Setting up",
        "Everybody chooses a start and claims two hexes more. Then each gets ten gold, a tower and ten Things out of "
        "the cup, and may place them. After that the first turn begins.",
        "Have a look at the terrains around you: a creature serves whoever owns a hex of its home terrain.",
        "2.1",
    ),
    "start": Lesson(
        "Where your kingdom begins",
        "Your kingdom grows out of this one hex. The map is still face down and is turned up when everybody has "
        "chosen, so nobody knows what they get.",
        "All starts are as good as each other. If it turns out to be sea, or to have hardly any land beside it, other "
        "tiles are laid there.",
        "2.15",
    ),
    "seas": Lesson(
        "Water beside you",
        "Nobody can own the sea, and only flyers cross it. Where it leaves you too little land it has to be replaced; "
        "beyond that it is up to you. Nobody knows which tile comes instead.",
        "Land beside you can be yours one day. But a shore is also a border that hardly anybody comes across.",
        "S3",
    ),
    "claim": Lesson(
        "Claiming land",
        "Twice round the table everybody takes one more hex: land, next to their own and apart from the others. Each "
        "brings one gold a turn, and lets all creatures of its terrain serve you.",
        "Take different terrains. The more of them you own, the fewer of the creatures you draw will be bluffs.",
        "2.16",
    ),
    "tower": Lesson(
        "Your first fort",
        "A tower brings one gold a turn, and fights for its hex with 1. Later it can be raised, level by level: keep, "
        "castle, and at last a citadel.",
        "Put it where you can hold it for long, away from the others.",
        "2.17",
    ),
    "place": Lesson(
        "Placing counters",
        "Creatures go face down onto your land, ten to a hex at most; the others see how many there are, not which. A "
        "✓ means that you own its home terrain and it fights for you. A ? means it is a bluff: it marches and "
        "frightens like any other, and is lost once it is found out. Special income goes face up and brings gold "
        "every turn; magic, events and treasure stay on your rack.",
        "Keep most of them together: one strong stack does more than three weak ones. What you leave on the rack at "
        "the start may be exchanged once, so bluffs may wait there.",
        "8",
    ),
    "exchange": Lesson(
        "A second draw",
        "Whatever is still on your rack may go back to the cup for as many new counters, this once. Then you may "
        "place again.",
        "Give back what has no home in your land. Treasure, magic and events are worth keeping.",
        "2.18",
    ),
    # the nine phases
    "income": Lesson(
        "Gold",
        "A turn begins with gold, and nobody has to do anything for it: one for each land hex, the level of each "
        "fort, the number on each special income counter on the map, and one for each hero. What comes next turn "
        "stands at the top of the page.",
        "Income is also the way to win: a citadel wants 20 a turn, or 15 with two or three players.",
        "5",
    ),
    "heroes": Lesson(
        "Heroes",
        "Once a turn you may try to win a hero. Two dice have to reach twice the hero’s value; every five gold you "
        "put down before the roll add one, and so do every ten after it.",
        "A try without gold costs nothing. Every hero brings one gold a turn, and many have a power of their own: "
        "press one to read about it.",
        "6",
    ),
    "things": Lesson(
        "Drawing Things",
        "One draw is free for every two land hexes, and an odd one counts as two. Five gold buy another, two counters "
        "of your rack as well, up to five of each kind. You say all this before you see anything, then place what you "
        "like. At the end ten may stay on your rack.",
        "Trade in what does not suit your land. And keep five gold for a fort.",
        "7",
    ),
    "events": Lesson(
        "Random events",
        "Whoever has drawn events may play one of them now. Some bring you gold or a fort, others bring somebody else "
        "misfortune. If you have none, or would rather wait, go on.",
        "Press an event on your rack to read what it does, before you play it.",
        "14",
    ),
    "march": Lesson(
        "Movement",
        "Each creature and hero has four points. Swamp, mountain, forest and jungle cost two, all else costs one. Land "
        "that nobody owns stops everybody: there your stack will explore, and that is how a kingdom grows.",
        "Go with several at once, but leave somebody at home. A hex with nobody and nothing to defend it is simply "
        "taken.",
        "9",
    ),
    "combat": Lesson(
        "Battles and explorations",
        "Wherever armies meet, or somebody stands in land that nobody owns, it is settled now. Everybody in turn "
        "takes one of their own, until none is left. You choose which comes first.",
        "A hex won now may make a bluff real before its own fight: begin with the one you need.",
        "11.1",
    ),
    "build": Lesson(
        "Construction",
        "Five gold build a tower in a hex of yours, or raise a fort by one level: tower, keep, castle. Each hex can be "
        "raised once a turn. A fort brings its level in gold every turn and fights for its hex. A castle becomes a "
        "citadel once your income is 20, or 15 with two or three players.",
        "A level has paid for itself after five turns, and brings the citadel nearer all the time.",
        "12",
    ),
    "powers": Lesson(
        "Special powers",
        "The Master Thief steals gold or a counter, the Assassin Primus strikes down a counter on the map, once a turn "
        "each, if they serve you. You and the other player roll two dice each, and the higher wins.",
        "After a tie both roll again, and now your hero can only lose. Send them out when the prize is worth it.",
        "13",
    ),
    "rotate": Lesson(
        "The order changes",
        "With three or four players, whoever was second this turn goes first in the next, and the first goes last. "
        "With two the order stays.",
        "Whoever moves last has seen where all the others went.",
        "3.1",
    ),
    # what comes up within them
    "full_rack": Lesson(
        "A full rack",
        "Your rack holds ten counters. What is too much has to be placed, played or given back to the cup.",
        "Part with what has no home in your land. Treasure can be turned into gold at once.",
        "7.4",
    ),
    "proof": Lesson(
        "Do you hold them?",
        "A stack that begins in a hex with enemies is held there, but a bluff cannot hold anybody. Show one creature "
        "that is supported, and they stay. Show nothing, and they may go.",
        "Nobody can tell whether you could not or would not. What you show lies face down again afterwards, mixed "
        "with the others.",
        "9.23",
    ),
    "flyers": Lesson(
        "Flying past",
        "Flyers may go on over enemies. Those have one answer: each flyer they show holds one of them back.",
        "A bluff that is shown holds nobody and is lost. Showing nothing is always allowed.",
        "9.3",
    ),
    "explore": Lesson(
        "Exploring",
        "Nobody knows what lives in land without an owner until a die is rolled. On a 1 or a 6 it is empty and yours. "
        "Otherwise as many Things as rolled come out of the cup: creatures, cities and villages defend the hex, and "
        "treasure and magic wait for whoever takes it.",
        "Wild creatures need no support: all of them fight.",
        "10.1",
    ),
    "bribe": Lesson(
        "Bribes",
        "Before the fight, and only now, you may pay defenders to leave. Each costs its value in gold, and twice that "
        "if there is treasure, magic or special income in the hex. Those you do not pay you fight.",
        "Pay for the strong ones and fight the weak. If you bribe them all, everything they guarded is yours.",
        "10.2",
    ),
    "wild": Lesson(
        "You speak for the wild",
        "The player before an explorer decides for those who live there: who takes a weapon, who takes a hit. They "
        "never retreat.",
        "What they hold off today is still nobody’s tomorrow. Play them as if they were yours.",
        "E1",
    ),
    "battle": Lesson(
        "A battle",
        "All counters are turned up and fight in rounds of three steps: first whoever uses magic, then whoever shoots, "
        "then all the others. A die that is not above a fighter’s number hits; one that charges rolls two. In each "
        "step both sides roll before anybody falls.",
        "Whoever falls early in a round does not strike later in it: a weak magician can stop a strong knight.",
        "11.3",
    ),
    "losses": Lesson(
        "Taking hits",
        "You decide who of yours takes the hits. A creature or hero is gone by one. A fort, city or village only loses "
        "a point for each, fights on with what is left, and is mostly mended after the battle.",
        "Let walls take hits first, then those who have struck already in this round.",
        "11.5",
    ),
    "retreat": Lesson(
        "Stay or retreat?",
        "After each round the attacker may leave, then the defender: all together, into one hex beside that is their "
        "own and free of enemies. Forts, cities and villages stay behind and may fight on alone.",
        "A hex can be won back next turn. Creatures that have fallen are back in the cup.",
        "11.6",
    ),
    "target": Lesson(
        "More than two sides",
        "Each side names one other to fight in this round. The choices are shown together, and all hits of the round "
        "go there.",
        "Hits on a side that is gone before the round is over are lost.",
        "11.8",
    ),
    "react": Lesson(
        "A chance to answer",
        "Some magic items answer what somebody does: dice, an item, a Balloon, the Plague. At most tables everybody "
        "who might answer is asked at once, so that a pause does not betray who holds what.",
        "If you have nothing for it, let it pass. Under “Orders” you can say when you want to be asked at all.",
        "R1",
    ),
    "winning": Lesson(
        "Winning",
        "Whoever has the only citadel, and still has it at the end of the next turn’s construction, is emperor. As "
        "soon as there are more on the map it takes two: whoever owns a second wins at once.",
        "You can’t build a second citadel while you have one. The other has to be conquered.",
        "4",
    ),
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
    "build": ("build", "rotate"),
    "assassinate": ("powers",),
    "steal": ("powers",),
}


def lessons() -> dict[str, Any]:
    return {
        "lessons": {name: [each.title, each.words, each.tip, each.rule] for name, each in LESSONS.items()},
        "met": MET,
    }


# ---- the legend

WILD_SAMPLE = board.CounterLook("old_dragon", None)
MASKED_SAMPLE = board.CounterLook("old_dragon", 0, masked=True)
OPEN_SAMPLE = board.CounterLook("old_dragon", 0)


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
        drawn = on_card(board.picture(art, board.MARKS[mark], 8, 8, 24, "mark"))
        yield Entry(drawn, board.MARKS[mark].capitalize(), words, rule)


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
    pile = element("g", board.pile(board.BacksLook(3, 4)), class_="chit back red")
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
        yield Entry(shown(board.seat_mark(seat, 20, 20, 11)), board.seat_word(seat), words, "H1")


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


def sampled(look: board.CounterLook, art: str) -> SafeString:
    return shown(element("g", board.chit(look, art), class_=board.chit_classes(look)))


def written(sign: str, css: str) -> SafeString:
    return element("span", sign, class_=f"legend-picture sign {css}", aria_hidden="true")
