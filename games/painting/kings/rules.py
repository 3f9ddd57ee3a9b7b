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

from ..markup import element, join
from .board import GROUND, ground, middle, terrain_class, tiles, view_box
from .counters import draw_kind, owner_badge, small_svg
from .looks import MARKS, mark_names

# slug -> what it does, in our own words
WORDS: dict[str, str] = {
    # heroes
    "assassin_primus": "In the Special Powers phase, choose another player’s hex with a hero or a face-down "
    "creature in it. You and the hex’s owner roll two dice each. If your total is higher, you both name a victim "
    "there, which may be the same and need not be the owner’s; then a die decides: yours on 1 to 3, theirs on 4 to "
    "6. If your total is lower, nothing happens. On a tie both roll again, and now the Assassin can only lose: if "
    "the owner’s total is higher, the Assassin is caught, leaves you and is turned over. A hero who is assassinated "
    "goes to the pool.",
    "master_thief": "In the Special Powers phase, choose another player. Both roll two dice, as for the Assassin, "
    "and the Thief can be caught in the same way. If the Thief succeeds, you get all of that player’s gold, or one "
    "counter from their rack, drawn unseen.",
    "baron_munchausen": "Before the first round of the Baron’s battle, every enemy fort, city and village in the "
    "hex takes a hit.",
    "grand_duke": "Like the Baron: before the first round, every enemy fort, city and village in the hex takes a hit.",
    "deerhunter": "Counters that begin and end their move with Deerhunter pay one point for any hex, and are not "
    "pinned. Enemies on the way still stop them.",
    "dwarf_king": "Your mines bring double, also when your income is counted for a citadel.",
    "marksman": "You need a 10 to recruit the Marksman. In each ranged step the Marksman shoots with 5 like "
    "anybody else, or with 2; then you choose who is hit. Such a hit takes one point off a fort, city, village or "
    "Firewall.",
    "swordmaster": "When the Sword Master is hit, roll a die: on 2 to 5 the hit is parried. This works for one hit "
    "a round; a second hit eliminates the Sword Master.",
    "warlord": "Before the first round, name an enemy creature (not a hero) and roll a die. If the die is not "
    "below the creature’s value, it joins you, even as an eleventh. If you can’t support it, it is a bluff.",
    # events
    "big_juju": "Changes the terrain of a hex in range, but never one with a citadel. For your own hex you choose "
    "a tile from the deck; for any other the tile is drawn. Special income that doesn’t fit goes to the cup, and the "
    "hex’s owner may place counters there at once. If the hex becomes sea, forts and income are lost, everybody "
    "there escapes to an adjacent hex of their own or is lost, and nobody owns the hex. The old tile goes into the "
    "deck.",
    "dark_plague": "Affects everybody. In each hex you lose as many creatures as its fort, city and village are "
    "worth together. Instead of creatures you may give up fort levels, or the city or village. If you have no "
    "creatures in a hex, nothing happens there; if all your creatures there are lost, nothing more is owed.",
    "defection": "Name a hero in the pool or of another player. You and the hero’s owner roll two dice each; for a "
    "hero in the pool you choose who rolls. If your total is higher, place the hero in one of your hexes. Gold "
    "doesn’t help.",
    "good_harvest": "Collect your income once more, without special income counters.",
    "mother_lode": "Collect twice what your special income counters are worth. With the Dwarf King, mines count "
    "double before that.",
    "teeniepox": "Name a player, who rolls a die. On 2 to 5 that player’s largest stack loses that many. To find "
    "the largest stack, forts, cities and villages count with their value; if stacks are equal, the player chooses.",
    "terrain_disaster": "Choose a land hex and roll two dice. On 6, 7 or 8 the disaster strikes it; otherwise "
    "choose another hex of the same terrain and roll again, until one is struck or none is left. The owner of the "
    "struck hex rolls a die and loses that many on 2 to 5.",
    "vandals": "Name a player: one of that player’s forts, of their choice, loses a level. Citadels are safe.",
    "weather_control": "Puts the Black Cloud on a hex in range. Everything its owner has there, including forts, "
    "cities and heroes, has a combat value one lower; at zero it can’t roll, only take hits. Income and the number "
    "of hits a fort can take don’t change. The Cloud leaves when it is moved or the hex is captured.",
    "willing_workers": "Build a tower, or raise a fort by one level, in one of your hexes for free; not to a "
    "citadel. You may still build there this turn.",
    # magic
    "balloon": "In your movement, the Balloon carries one to three counters of value 3 or less from one hex to any "
    "land within three hexes, over anything, unseen. They must not be pinned or have moved. In a battle this turn "
    "the Balloon shoots with 3, and its riders shoot too as long as it is there. It may retreat with them, apart "
    "from the others, to one of your hexes within three. It is lost when it takes a hit or the turn ends.",
    "bow": "In battle, one creature or hero fights in the ranged step with a value one higher, whatever its other "
    "abilities. The Bow may change hands between rounds. Nobody can carry both Bow and Sword.",
    "dispel_magic_scroll": "Play it when another player uses an item: the item has no effect. In battle it also "
    "makes that side’s magic creatures fight in the melee until the battle ends. Played as a magic step begins, it "
    "does the same and removes a Firewall. Items played later are not affected. Everybody but the user of the magic "
    "may play it, even from outside the battle.",
    "dust_of_defense": "For the defender, before the first round: one attacking army has to retreat. If that army "
    "can’t leave, it stays, and the Dust is used up all the same.",
    "elixir": "You lose nothing to the Dark Plague or Teeniepox.",
    "fan": "Blows a Balloon to a hex of your choice next to its target. Over sea the Balloon is lost, and its "
    "riders escape to an adjacent hex of their owner; elsewhere they land as usual. Or cancels Dust of Defense. Or "
    "moves the Black Cloud to an adjacent hex, or off the map.",
    "firewall": "Before the first round of a battle, roll a die: the result is the Firewall’s value. It fights in "
    "the magic step and takes as many hits.",
    "golem": "In battle, fights in the melee with 6. Cancels one ranged hit in each ranged step and can’t be "
    "harmed by ranged hits; but the Marksman’s chosen hit is cancelled only when aimed at the Golem. The Golem can "
    "hold and capture a hex after its army has fallen, but leaves the battle when its army retreats.",
    "lucky_charm": "After any roll by anybody, one die, or one total of two dice, becomes one higher or one lower.",
    "sword": "In battle, one creature or hero charges in the melee with a value one higher, whatever its other "
    "abilities. Like the Bow, the Sword may change hands between rounds.",
    "talisman": "In battle, each of your creatures and heroes that is hit rolls a die, once a step: on 2 to 5 it "
    "is saved. The Talisman is lost on the first 1 or 6, or when the battle ends.",
}

# slug -> the same in one sentence, for its card at the table
BRIEF: dict[str, str] = {
    # heroes
    "assassin_primus": "Once a turn strikes at a counter in another player’s hex: both roll two dice, the higher wins.",
    "master_thief": "Once a turn steals all of a player’s gold or a counter of their rack: both roll two dice, the "
    "higher wins.",
    "baron_munchausen": "Before the first round, every enemy fort, city and village in the hex takes a hit.",
    "grand_duke": "Before the first round, every enemy fort, city and village in the hex takes a hit.",
    "deerhunter": "Whoever moves with Deerhunter pays one point for any hex and is not pinned.",
    "dwarf_king": "Your mines bring double.",
    "marksman": "Shoots with 5 as usual, or with 2 at a target that you choose.",
    "swordmaster": "Once a round, parries a hit if a die shows 2 to 5.",
    "warlord": "Before the first round, may win over an enemy creature: the die must not be below its value.",
    # events
    "big_juju": "Changes the terrain of a hex in range, but never of one with a citadel.",
    "dark_plague": "Everybody loses as many creatures in each hex as its fort, city and village are worth.",
    "defection": "You and a hero’s owner roll two dice each; if you are higher, the hero is yours.",
    "good_harvest": "Collect your income once more, without special income counters.",
    "mother_lode": "Collect twice what your special income counters bring.",
    "teeniepox": "A player you name rolls a die, and on 2 to 5 loses that many of their largest stack.",
    "terrain_disaster": "Strikes a land hex on a roll of 6 to 8; its owner rolls a die and on 2 to 5 loses that "
    "many there.",
    "vandals": "A player you name loses one level of a fort; citadels are safe.",
    "weather_control": "Puts the Black Cloud on a hex in range: everything its owner has there fights with one less.",
    "willing_workers": "Build a tower or raise a fort for free, but not to a citadel.",
    # magic
    "balloon": "Carries up to three counters of value 3 or less over anything to land within three hexes.",
    "bow": "In battle, one of yours shoots with a value one higher.",
    "dispel_magic_scroll": "Cancels an item that another player uses, or makes one side’s magic creatures wait for the "
    "melee.",
    "dust_of_defense": "Sends one attacking army away before the first round in your hex.",
    "elixir": "You lose nothing to the Dark Plague or Teeniepox.",
    "fan": "Blows a Balloon off its course, cancels Dust of Defense or moves the Black Cloud.",
    "firewall": "Fights in a battle’s magic step with the value of a die, and takes as many hits.",
    "golem": "Fights in a battle with 6 and cancels one ranged hit in each ranged step.",
    "lucky_charm": "After any roll, makes one die or one total higher or lower by one.",
    "sword": "In battle, one of yours charges with a value one higher.",
    "talisman": "In battle, each of yours that is hit is saved if a die shows 2 to 5.",
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
    "If a fort has to drop to a level for which the bank has no counter left, it drops to the next lower level "
    "that the bank has (12.14).",
    "A Sword Master with a Talisman parries first. The Talisman rolls only for further hits in the same round.",
    "If there are more hits than counters to take them, the rest fall on counters that were saved in the same step.",
    "Players can turn in treasures and special income whenever the game asks them anything, except in reaction "
    "windows, where it would show who is asked.",
    "A Dispel Magic Scroll played at the start of a Magic step also removes that side's Firewall. Played against "
    "an item in a battle, it also makes that side's magic creatures fight in the Melee step.",
    'Every other player may answer magic with the Dispel Magic Scroll, even from outside the battle ("any time '
    'another player uses"): an item when it is played, and the magic creatures of one side, including wild ones, '
    "at the start of a Magic step. The player who runs wild defenders uses their magic, so that player can't "
    "answer it. Standing orders play the Scroll only in your own battles.",
    "For an army that retreats, the battle is over: its Golem, Talisman, Bow and Sword go to the cup, even if a "
    "fort, city or village fights on alone (11.6). A Firewall counts as a fort and stays with them. The owner of "
    "a fort, city or village that fights on may play other magic from the rack.",
    "The Golem cancels one ranged hit against its whole side in each Ranged step, no matter who would have taken "
    "it, even a castle or other fort.",
    "Golem and Talisman can be played even against a hit on the last counter, or hits that would take all. The "
    "game asks every player who might hold one (sealed), or those who do (holders), unless a standing order says "
    "otherwise. Bow and Sword may also be played there, but the game does not ask for them. Before the Baron's or "
    "the Grand Duke's hit takes a hex's last fort, city or village, its owner may play the Golem.",
    "Golem, Talisman, Bow and Sword can be played whenever a battle asks you something: also about Dust of "
    "Defense, whom the Warlord calls, how the Marksman shoots and whom the Marksman's 2 hits, and where an army "
    "goes that Dust sends away. Such a question stays open until you answer it. A Golem played before a "
    "Marksman's hit is placed still stops a ranged hit against its own side. A Marksman who is given the Sword "
    "before shooting doesn't shoot.",
    "The game asks for the Elixir after the Teeniepox die, when it is known that somebody would lose counters.",
    "Dust of Defense works only for a defender in their own hex, or for wild defenders; not in a battle between "
    "players over unowned land.",
    "After a battle won by wild defenders, no damage is rolled, because nobody has won the hex.",
    "Baron Munchausen and the Grand Duke on the same side score one hit each.",
    "Creatures that have used Deerhunter's movement can't be left behind in that turn.",
    "If the bearer of a Bow or Sword is eliminated, the item goes to its owner's best creature, unless the owner "
    "chooses another before the next round.",
    "Each player may propose an agreed end once a turn.",
    "Bots and stand-ins have no vote on an agreed end. While a bot plays for a person, or if only one person "
    "votes, an agreed end has no winner.",
    "The Black Cloud lowers what a die needs to hit, the Warlord's number and the range of a spell. What the "
    "Balloon can carry, and what the Dark Plague and Teeniepox count, depend on the printed value (X8).",
    "A city lost to Teeniepox or a Terrain Disaster pays for two losses if two are still owed; a fort loses no "
    "level that the city could have paid for (X9).",
    "The game asks about the Lucky Charm only where one more or one less could turn a roll in the player's "
    "favour, as far as everybody can see: a hero won (with the gold they have), fewer defenders, no damage, an "
    "own miss that becomes a hit, an enemy's hit on them that becomes a miss, a contest decided otherwise. "
    "Treasures on a rack don't count, for nobody can see them. Whoever has nothing to do with the roll and wants "
    "to be asked is asked where the Charm could change anything. About some dice it is always asked: saves, the "
    "Warlord's call, the strength of a Firewall, the Assassin's blow. A standing order asks about every roll "
    "(R2).",
    "An answer in a reaction window can't be undone, because the undo would show who gave the last answer (R4).",
    "When a reaction window has been open for days (three, unless the site says otherwise), anybody at the table "
    'may press "Go on". Standing orders then answer for the players who have not answered; where there is no '
    "order, the answer is a pass. Nobody is shown for whom or for how many (R4).",
    "Special income may be returned to the cup even while the Dark Plague's losses are being chosen, and the "
    "losses owed there become fewer (T2, taken literally).",
    "Whoever faces only bots is never asked a question with one possible answer. Among people it is asked, so "
    "that a pause tells nothing; a table around one screen skips it. It is still asked if cashing in a treasure, "
    "or returning special income, would open another answer. At a table with bots, a person who has moved, built "
    "or placed says themselves that they are done, even if nothing more is possible: once a bot has acted, the "
    "last step can't be taken back (R3).",
    "Whoever has no choice where they would expect one (a start, a claim, recruiting, drawing, placing, an event, "
    "moving, bribing, building) is told why, in their own log only; of reactions and the rounds of a battle "
    "nothing is said (R3).",
    '"Nothing more from me this battle" passes every reaction, every question before a round (Dust of Defense and '
    "the Warlord too) and every question about magic against a hit, whether or not the player holds anything, "
    "until what follows from the battle is settled. Standing orders rest as well, and whoever runs wild defenders "
    "passes for them. Losses, targets, a Marksman's shots and retreats are still asked. The player may take it "
    "back while the battle lasts (R2).",
    "Standing orders can also say which battle comes first, who takes hits, how much is paid for bribes, and when "
    "an army retreats. They never play for wild defenders that the player runs, and they don't say where a "
    "Balloon goes: its owner is asked. An army that retreats by order goes to the highest fort beside the battle, "
    'or else to the hex with most room. At a table with the option "Small questions: answered by usual orders" '
    "some orders are in force from the start, but none that plays magic, bribes or retreats: its players are "
    "asked about a retreat when an enemy has twice as many counters, about building when they have 5 gold, and "
    "place nothing in a hex just captured (R3).",
    "Further orders name the enemy in a battle of three or four (the one with most counters; of equal ones the "
    "first to the defender's left), keep the Marksman from aiming, let the Warlord call the creature for which "
    "combat value times chance is highest, and pass random events, building and the powers of Assassin and Thief. "
    "Vandals get a level of the lowest fort by the order about losses. Whoever builds nothing below 5 gold by "
    "order cashes in a treasure before the Construction Phase, or not at all (R3).",
    "A plan is a list of actions that a player prepares for a question that has not been put yet. Each step is an "
    "ordinary action, taken when the question is put; it knows what the player's own screen shows at that moment "
    "and nothing else. A step whose condition fails stops the plan, or is left out if the player has chosen so. "
    "Whoever takes back a step of a plan is asked themselves for the rest of that turn. "
    '"Nothing more this phase" and "this turn" pass what can be passed; losses, targets, bribes and retreats are '
    "still asked (R2, R3).",
    "A house rule lets all players announce their draws of Things at the same time, unseen; they draw in player "
    "order, and then all place at the same time, unseen. It is off unless the table chooses it (7, as S5).",
    "A bot that took over at a deadline gives the seat back at any time. After its second takeover all other "
    "people may agree to a new person, who gets the seat as it is; the former player's standing orders are "
    "forgotten, and nobody but them reads of them any more. Until somebody comes, the former player may still "
    "return, and the vote then begins anew.",
    "A player's reliability counts open questions with a clock, one for each time the game came to them; hidden "
    "reactions and games without a clock count for nothing. A game was left when a bot ended it for them, or a "
    "new person got their seat.",
)

SYMBOLS = {
    "F": "flies",
    "M": "fights in the magic step",
    "R": "fights in the ranged step",
    "C": "rolls two dice",
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
        return f"A Terrain Lord: supports your {kind.lord_of} creatures in the same hex."
    how = " and ".join(SYMBOLS[mark] for mark in kind.symbols).replace("two dice", "rolls two dice")
    return f"Has no special power, but is strong: {how}."


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
    tile = element("g", ground(terrain, 0, tiles()), class_="hex")
    return element("svg", tile, view_box="-102 -89 204 178", class_="tile-picture", aria_hidden="true")


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
