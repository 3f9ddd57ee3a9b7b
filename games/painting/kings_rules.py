"""What the rules page of Kings & Things* draws and lists, all of it read from the box the game is played with."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString

from games.engine.core.hexgrid import spiral
from games.engine.kings import KINGS
from games.engine.kings.catalogue import (
    CREATURES,
    EVENTS,
    FORT_COPIES,
    FORTS,
    HEROES,
    HEXES,
    INCOME,
    KINDS,
    LAND,
    LARGE,
    MAGIC,
    OTHER_FACE,
    ROUGH,
    SEA,
    SMALL,
    THINGS,
    TREASURES,
    Board,
    Kind,
)
from games.engine.kings.orders import ORDERS, Order

from .kings_board import (
    GROUND,
    MARKS,
    draw_kind,
    mark_names,
    middle,
    owner_badge,
    small_svg,
    terrain_class,
    view_box,
)
from .markup import element, join

# slug -> what it does, in our own words
WORDS: dict[str, str] = {
    # heroes
    "assassin_primus": "In the Special Powers phase, points to another player’s hex with a hero or a face-down "
    "creature in it. You and the hex’s owner roll two dice each. If yours are higher, both name a victim there, which "
    "may be the same and need not be the owner’s; a die decides: yours on 1 to 3, his on 4 to 6. If they are lower, "
    "nothing happens. On a tie both roll again, and now she can only lose: if his are higher, she is caught, leaves "
    "you and is turned over. A hero struck down goes to the pool.",
    "master_thief": "In the Special Powers phase, goes to another player. Both roll two dice, as for the Assassin, and "
    "he is caught in the same way. If he succeeds, he brings all the gold, or one counter of the rack, drawn unseen.",
    "baron_munchausen": "Before the first round of his battle, every enemy fort, city and village in the hex takes a "
    "hit.",
    "grand_duke": "As the Baron: before the first round, one hit on every enemy fort, city and village in the hex.",
    "deerhunter": "Whoever begins and ends the movement with him pays one point for any hex, and is not pinned. "
    "Enemies on the way still stop them.",
    "dwarf_king": "Your mines bring double, also when income is counted for a citadel.",
    "marksman": "Wants a 10 in recruiting. In each ranged step he shoots with 5, as others do, or with 2; then you "
    "choose who is hit. Such a hit takes one point off a fort, city, village or Firewall.",
    "swordmaster": "When he is hit, roll a die: on 2 to 5 he parries. One hit a round; a second one strikes him down.",
    "warlord": "Before the first round, name an enemy creature, not a hero, and roll a die: if it is not below the "
    "creature’s value, it joins you, even as an eleventh. If you cannot support it, it is a bluff.",
    # events
    "big_juju": "Changes the terrain of a hex in reach, never one with a citadel. Your own becomes what you like out "
    "of the deck, any other what the deck gives. Special income that does not fit goes to the cup, and the hex’s owner "
    "may place there at once. If it becomes sea, forts and income sink, everybody there escapes to an adjacent hex of "
    "his own or is lost, and nobody owns it. The old tile goes into the deck.",
    "dark_plague": "Strikes everybody. In each hex you lose as many creatures as its fort, city and village are worth "
    "together. You may pay with levels of the fort, or the city or village, instead. Where you have no creatures, "
    "nothing happens, and when they have run out it is enough.",
    "defection": "Name a hero, in the pool or another player’s. You and his owner roll two dice each; for one of the "
    "pool you say who rolls. If yours are higher, place him with you. Gold does not help.",
    "good_harvest": "Collect your income once more, without special income counters.",
    "mother_lode": "Collect twice what your special income counters are worth. With the Dwarf King mines count double "
    "before that.",
    "teeniepox": "Name a player, who rolls a die. On 2 to 5 his largest stack loses that many. Forts, cities and "
    "villages count with their value in finding the largest; of equal ones he chooses.",
    "terrain_disaster": "Point to a land hex and roll two dice. On 6, 7 or 8 it is struck, else point to another of "
    "the same terrain, until one is struck or all are spared. Its owner rolls a die, and loses that many on 2 to 5.",
    "vandals": "Name a player: one of his forts, of his choice, sinks by a level. Citadels are safe.",
    "weather_control": "Brings the Black Cloud over a hex in reach. Everything of its owner in it, forts, cities and "
    "heroes too, rolls against one less; at nothing it cannot roll, only take hits. Income and how many hits a fort "
    "takes stay as they are. The Cloud leaves when it is sent elsewhere or the hex is captured.",
    "willing_workers": "A tower, or one level more, in a hex of yours for nothing; not a citadel. You may build there "
    "in this turn all the same.",
    # magic
    "balloon": "In your movement, carries one to three counters of value 3 or less from one hex to any land within "
    "three hexes, over anything, unseen. They must not be pinned or have moved. In a battle this turn it shoots with "
    "3, and its riders shoot too while it is there. It retreats with them, apart from the others, to a hex of yours "
    "within three. One hit ends it, and so does the end of the turn.",
    "bow": "In battle, one creature or hero shoots with one more, whatever else it could do. It may change hands "
    "between rounds. Nobody carries both Bow and Sword.",
    "dispel_magic_scroll": "Answers another player’s item, which then does nothing. In battle it also sends that "
    "side’s magic creatures into the melee until the end; played as a magic step begins, it does this and takes down a "
    "Firewall. Items played later are not affected.",
    "dust_of_defense": "For the defender, before the first round: one attacking army has to retreat. One that cannot "
    "leave stays, and the Dust is used up all the same.",
    "elixir": "The Dark Plague or the Teeniepox passes you by.",
    "fan": "Blows a Balloon into a hex of your choice beside its target: over sea it is lost, and its riders escape to "
    "an adjacent hex of theirs; elsewhere they arrive as usual. Or scatters Dust of Defense. Or moves the Black "
    "Cloud to a hex beside, or off the map.",
    "firewall": "Before a battle’s first round, roll a die: that is its value. It fights in the magic step and takes "
    "as many hits.",
    "golem": "In battle, fights in the melee with 6. Takes away one ranged hit in each ranged step, and none harms it; "
    "but the Marksman’s chosen hit is taken away only when aimed at the Golem. It holds and captures hexes.",
    "lucky_charm": "After any roll, anybody’s: one die, or one sum of two dice, becomes one more or one less.",
    "sword": "In battle, one creature or hero charges with one more, in the melee, whatever else it could do. As the "
    "Bow it changes hands between rounds.",
    "talisman": "In battle, each of your creatures and heroes that is hit rolls a die, once a step: on 2 to 5 it is "
    "saved. The first 1 or 6 ends it, as does the end of the battle.",
}

# slug -> paragraphs that are told on its card
ALSO: dict[str, tuple[str, ...]] = {
    "assassin_primus": ("P1", "X18", "X25"),
    "big_juju": ("P4", "X19"),
    "weather_control": ("P8", "X8"),
    "balloon": ("P6", "X17"),
    "dust_of_defense": ("P5",),
    "dispel_magic_scroll": ("X22",),
}

# The doubts that book and rulings leave, and what the game does (docs/rules.md).
CHOSEN = (
    "A fort that has to sink to a level of which the bank has no counter left sinks to the next level below that it "
    "has (12.14).",
    "A Sword Master under a Talisman parries first; only when he has parried in this round does the Talisman roll for "
    "him.",
    "Hits beyond what anybody could take fall on those who were saved in the same step.",
    "Treasures and special income can be turned in whenever their owner is asked anything, except in reaction windows: "
    "doing it there would show who is asked.",
    "A Dispel Magic Scroll played at the start of a Magic step also takes down that side's Firewall; played against an "
    "item in a battle it also sends that side's magic creatures into the Melee step.",
    "The Elixir is asked for after the Teeniepox die, when it is known that somebody would suffer.",
    "Dust of Defense works in the defender's own hex (or a wild one) only, not in fights over unowned land.",
    "After a battle that wild defenders win no damage is rolled: nobody has won the hex.",
    "Baron Munchausen and the Grand Duke on one side do one hit each.",
    "Creatures that have used Deerhunter's ways cannot be left behind by him in that turn.",
    "A Bow or Sword whose bearer fell goes to the best of its owner's creatures if he does not say otherwise before "
    "the next round.",
    "Each player may propose an agreed end once a turn.",
    "Special income may be taken back even while the Dark Plague's losses are being named, and what is owed there "
    "falls with it (T2 by its letter).",
)

SYMBOLS = {
    "F": "flies",
    "M": "fights in the magic step",
    "R": "fights in the ranged step",
    "C": "charges: two dice",
    "*": "has a power",
}


SORTS = {
    "things": THINGS,
    "creatures": CREATURES,
    "income": INCOME,
    "treasures": TREASURES,
    "magic": MAGIC,
    "events": EVENTS,
}


@dataclass(frozen=True)
class BattleExample:
    """The battle that is told on the page; a test plays it."""

    attackers: tuple[str, ...] = ("genie", "elves_r2", "green_knight", "nomads")
    defenders: tuple[str, ...] = ("basilisk", "hunters", "farmers")
    attacker: int = 0
    defender: int = 1


def context() -> dict[str, Any]:
    return {
        "counter_example": draw_kind("dragon_rider"),
        "symbols": [(small_svg(MARKS[mark], "mark"), MARKS[mark], words) for mark, words in SYMBOLS.items()],
        "count": {name: copies(kinds) for name, kinds in SORTS.items()},
        "terrains": [terrain_row(terrain) for terrain in (*LAND, SEA)],
        "maps": [
            (draw_starts(LARGE, 4, "37 hexes, starts marked"), "Four players"),
            (draw_starts(SMALL, 2, "19 hexes, starts marked"), "Two or three"),
        ],
        "battle": battle_example(BattleExample()),
        "forts": [(small_svg(FORTS[level], "picture"), FORTS[level], level) for level in FORT_COPIES],
        "heroes": [hero_card(kind) for pair in HEROES for kind in pair],
        "events": [card(kind) for kind in EVENTS],
        "magic": [card(kind) for kind in MAGIC],
        "homes": [(terrain, terrain_class(terrain), creature_rows(terrain)) for terrain in LAND],
        "income": [(draw_kind(kind.slug), kind) for kind in INCOME],
        "treasures": [draw_kind(kind.slug) for kind in TREASURES],
        "options": KINGS.options,
        "orders": [order_row(order) for order in ORDERS.values()],
        "chosen": CHOSEN,
    }


def copies(kinds: Iterable[Kind]) -> int:
    return sum(kind.copies for kind in kinds)


# ---- cards


def card(kind: Kind, more: str = "") -> dict[str, Any]:
    return {
        "slug": kind.slug,
        "name": kind.name,
        "counter": draw_kind(kind.slug),
        "words": WORDS.get(kind.slug) or fighter_words(kind),
        "also": ALSO.get(kind.slug, ()),
        "more": more,
    }


def hero_card(kind: Kind) -> dict[str, Any]:
    return card(kind, f"Other side: {KINDS[OTHER_FACE[kind.slug]].name}.")


def fighter_words(kind: Kind) -> str:
    """A Terrain Lord, or a hero who is simply strong."""
    if kind.lord_of:
        return f"A Terrain Lord: creatures of the {kind.lord_of} that stand in his hex are supported."
    how = " and ".join(SYMBOLS[mark] for mark in kind.symbols).replace("two dice", "he rolls two dice")
    return f"No power but his strength; he {how}."


# ---- lists


def creature_rows(terrain: str) -> list[dict[str, Any]]:
    """The creatures of one terrain, the strongest first."""
    at_home = sorted((k for k in CREATURES if k.terrain == terrain), key=lambda k: (-k.value, k.name))
    return [
        {
            "name": kind.name,
            "value": kind.value,
            "marks": [small_svg(name, "mark", name) for name in mark_names(kind)],
            "copies": kind.copies,
        }
        for kind in at_home
    ]


def terrain_row(terrain: str) -> dict[str, Any]:
    lords = [kind.name for pair in HEROES for kind in pair if kind.lord_of == terrain]
    return {
        "name": terrain,
        "picture": draw_tile(terrain),
        "tiles": HEXES[terrain],
        "points": "1 (flyers)" if terrain == SEA else 2 if terrain in ROUGH else 1,
        "lord": "".join(lords),
        "income": [(kind.name, kind.gold) for kind in INCOME if kind.terrain == terrain],
    }


def order_row(order: Order) -> dict[str, Any]:
    """Labels of choices, and which of them holds from the start; of "waiting" the table's option says so."""
    return {
        "label": order.label,
        "choices": [(words, key == order.default) for key, words in order.choices.items()],
    }


# ---- pictures


def draw_tile(terrain: str) -> SafeString:
    """One hex, as it lies on the map."""
    grain = small_svg(f"grain-{terrain_class(terrain)[2:]}", "grain")
    tile = element("g", element("polygon", class_="ground", points=GROUND), class_="hex")
    return element(
        "span",
        element("svg", tile, view_box="-102 -89 204 178", class_="tile", aria_hidden="true"),
        grain,
        class_=f"tile-picture {terrain_class(terrain)}",
    )


def draw_starts(board: Board, players: int, label: str) -> SafeString:
    """A map face down, with the hexes a kingdom may start from, and the order in which it is laid."""
    spots = enumerate(spiral(board.radius), start=1)
    hexes = [start_hex(f"h{number}", at in board.starts) for number, at in spots]
    return element(
        "svg", *hexes, class_="kings-board still starts", view_box=view_box(players), role="img", aria_label=label
    )


def start_hex(place: str, is_start: bool) -> SafeString:
    x, y = middle(place)
    mark = "★" if is_start else place[1:]
    return element(
        "g",
        element("polygon", class_="ground", points=GROUND),
        element("text", mark, y=28 if is_start else 16, class_="start" if is_start else "laid"),
        class_="hex t-plains" if is_start else "hex t-unknown",
        transform=f"translate({x:g} {y:g})",
    )


def battle_example(battle: BattleExample) -> dict[str, Any]:
    return {
        "attackers": join(*(draw_kind(slug, owner=battle.attacker) for slug in battle.attackers)),
        "defenders": join(*(draw_kind(slug, owner=battle.defender) for slug in battle.defenders)),
        "attacker": element("span", owner_badge(battle.attacker), f" {KINGS.seat_names[battle.attacker]}"),
        "defender": element("span", owner_badge(battle.defender), f" {KINGS.seat_names[battle.defender]}"),
        "tower": small_svg("tower", "picture", "tower"),
    }
