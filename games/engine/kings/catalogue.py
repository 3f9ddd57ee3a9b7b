"""The box: every playing piece and hex, as tables. Facts of the 1986 edition.

A kind is what is printed on a counter. Symbols: F flies, M uses magic, C charges, R shoots, * has a power.
"""

from __future__ import annotations

from dataclasses import dataclass

LAND = ("desert", "forest", "frozen waste", "jungle", "mountain", "plains", "swamp")
SEA = "sea"
ROUGH = ("forest", "jungle", "mountain", "swamp")  # two points to enter (9.11)


@dataclass(frozen=True, slots=True)
class Kind:
    """One sort of counter."""

    slug: str
    name: str
    sort: str  # creature, income, treasure, magic, event, hero
    terrain: str = ""  # where it lives, or may be placed; "any" for cities and villages
    value: int = 0  # combat value
    symbols: str = ""
    gold: int = 0
    copies: int = 1
    lord_of: str = ""  # the terrain whose creatures a Terrain Lord supports
    is_mine: bool = False

    @property
    def flies(self) -> bool:
        return "F" in self.symbols

    @property
    def uses_magic(self) -> bool:
        return "M" in self.symbols

    @property
    def charges(self) -> bool:
        return "C" in self.symbols

    @property
    def shoots(self) -> bool:
        return "R" in self.symbols


def creature(slug: str, name: str, terrain: str, value: int, symbols: str = "", copies: int = 1) -> Kind:
    return Kind(slug, name, "creature", terrain, value, symbols, copies=copies)


def hero(slug: str, name: str, value: int, symbols: str = "", lord_of: str = "") -> Kind:
    return Kind(slug, name, "hero", "", value, symbols, lord_of=lord_of)


# ---- creatures

CREATURES = (
    creature("baby_dragon", "Baby Dragon", "desert", 3, "F"),
    creature("buzzard", "Buzzard", "desert", 1, "F"),
    creature("camel_corps", "Camel Corps", "desert", 3),
    creature("dervish", "Dervish", "desert", 2, "M", 2),
    creature("desert_bat", "Desert Bat", "desert", 1, "F"),
    creature("dust_devil", "Dust Devil", "desert", 4, "F"),
    creature("genie", "Genie", "desert", 4, "M"),
    creature("giant_spider", "Giant Spider", "desert", 1),
    creature("giant_wasp_2", "Giant Wasp", "desert", 2, "F"),
    creature("giant_wasp_4", "Giant Wasp", "desert", 4, "F"),
    creature("griffon", "Griffon", "desert", 2, "F"),
    creature("nomads", "Nomads", "desert", 1, "", 2),
    creature("old_dragon", "Old Dragon", "desert", 4, "FM"),
    creature("sandworm", "Sandworm", "desert", 3),
    creature("skeletons", "Skeletons", "desert", 1, "", 2),
    creature("sphinx", "Sphinx", "desert", 4, "M"),
    creature("vultures", "Vultures", "desert", 1, "F"),
    creature("yellow_knight", "Yellow Knight", "desert", 3, "C"),
    creature("bandits", "Bandits", "forest", 2),
    creature("bears", "Bears", "forest", 2),
    creature("big_foot", "Big Foot", "forest", 5),
    creature("druid", "Druid", "forest", 3, "M"),
    creature("dryad", "Dryad", "forest", 1, "M"),
    creature("elf_mage", "Elf Mage", "forest", 2, "M"),
    creature("elves_r2", "Elves", "forest", 2, "R", 2),
    creature("elves_r3", "Elves", "forest", 3, "R"),
    creature("flying_squirrel_1", "Flying Squirrel", "forest", 1, "F"),
    creature("flying_squirrel_2", "Flying Squirrel", "forest", 2, "F"),
    creature("forester", "Forester", "forest", 2, "R"),
    creature("great_owl", "Great Owl", "forest", 2, "F"),
    creature("green_knight", "Green Knight", "forest", 4, "C"),
    creature("killer_racoon", "Killer Racoon", "forest", 2),
    creature("pixies", "Pixies", "forest", 1, "F", 2),
    creature("unicorn", "Unicorn", "forest", 4),
    creature("walking_tree", "Walking Tree", "forest", 5),
    creature("wild_cat", "Wild Cat", "forest", 2),
    creature("wyvern", "Wyvern", "forest", 3, "F"),
    creature("dragon_rider", "Dragon Rider", "frozen waste", 3, "FR"),
    creature("elk_herd", "Elk Herd", "frozen waste", 2),
    creature("eskimos", "Eskimos", "frozen waste", 2, "", 4),
    creature("ice_bats", "Ice Bats", "frozen waste", 1, "F"),
    creature("ice_giant", "Ice Giant", "frozen waste", 5, "R"),
    creature("iceworm", "Iceworm", "frozen waste", 4, "M"),
    creature("killer_penguins", "Killer Penguins", "frozen waste", 3),
    creature("killer_puffins", "Killer Puffins", "frozen waste", 2, "F"),
    creature("mammoth", "Mammoth", "frozen waste", 5, "C"),
    creature("north_wind", "North Wind", "frozen waste", 2, "FM"),
    creature("walrus", "Walrus", "frozen waste", 4),
    creature("white_bear", "White Bear", "frozen waste", 4),
    creature("white_dragon", "White Dragon", "frozen waste", 5, "M"),
    creature("wolves", "Wolves", "frozen waste", 3),
    creature("bird_of_paradise", "Bird of Paradise", "jungle", 1, "F"),
    creature("crawling_vines", "Crawling Vines", "jungle", 6),
    creature("crocodiles_jungle", "Crocodiles", "jungle", 2),
    creature("dinosaur", "Dinosaur", "jungle", 4, "", 2),
    creature("elephant", "Elephant", "jungle", 4, "C"),
    creature("giant_ape", "Giant Ape", "jungle", 5, "", 2),
    creature("giant_snake_jungle", "Giant Snake", "jungle", 3),
    creature("head_hunter", "Head Hunter", "jungle", 2, "R"),
    creature("pterodactyl_warriors", "Pterodactyl Warriors", "jungle", 2, "FR", 2),
    creature("pygmies", "Pygmies", "jungle", 2),
    creature("tigers", "Tigers", "jungle", 3, "", 2),
    creature("watusi", "Watusi", "jungle", 2),
    creature("witch_doctor", "Witch Doctor", "jungle", 2, "M"),
    creature("brown_dragon", "Brown Dragon", "mountain", 3, "F"),
    creature("brown_knight", "Brown Knight", "mountain", 4, "C"),
    creature("cyclops", "Cyclops", "mountain", 5),
    creature("dwarves_r2", "Dwarves", "mountain", 2, "R"),
    creature("dwarves_c3", "Dwarves", "mountain", 3, "C"),
    creature("dwarves_r3", "Dwarves", "mountain", 3, "R"),
    creature("giant", "Giant", "mountain", 4, "R"),
    creature("giant_condor", "Giant Condor", "mountain", 3, "F"),
    creature("giant_roc", "Giant Roc", "mountain", 3, "F"),
    creature("goblins", "Goblins", "mountain", 1, "", 4),
    creature("great_eagle", "Great Eagle", "mountain", 2, "F"),
    creature("great_hawk_mountain", "Great Hawk", "mountain", 1, "F"),
    creature("little_roc", "Little Roc", "mountain", 2, "F"),
    creature("mountain_lion", "Mountain Lion", "mountain", 2),
    creature("mountain_men", "Mountain Men", "mountain", 1, "", 2),
    creature("ogre", "Ogre", "mountain", 2),
    creature("troll", "Troll", "mountain", 4),
    creature("buffalo_herd_3", "Buffalo Herd", "plains", 3),
    creature("buffalo_herd_4", "Buffalo Herd", "plains", 4),
    creature("centaur", "Centaur", "plains", 2),
    creature("dragonfly", "Dragonfly", "plains", 2, "F"),
    creature("eagles", "Eagles", "plains", 2, "F"),
    creature("farmers", "Farmers", "plains", 1, "", 4),
    creature("flying_buffalo", "Flying Buffalo", "plains", 2, "F"),
    creature("giant_beetle", "Giant Beetle", "plains", 2, "F"),
    creature("great_hawk_plains", "Great Hawk", "plains", 2, "F"),
    creature("greathunter", "Greathunter", "plains", 4, "R"),
    creature("gypsies_1", "Gypsies", "plains", 1, "M"),
    creature("gypsies_2", "Gypsies", "plains", 2, "M"),
    creature("hunters", "Hunters", "plains", 1, "R"),
    creature("lion_pride", "Lion Pride", "plains", 3),
    creature("pegasus", "Pegasus", "plains", 2, "F"),
    creature("pterodactyl", "Pterodactyl", "plains", 3, "F"),
    creature("tribesmen_r1", "Tribesmen", "plains", 1, "R"),
    creature("tribesmen_2", "Tribesmen", "plains", 2, "", 2),
    creature("villains", "Villains", "plains", 2),
    creature("white_knight", "White Knight", "plains", 3, "C"),
    creature("wolf_pack", "Wolf Pack", "plains", 3),
    creature("basilisk", "Basilisk", "swamp", 3, "M"),
    creature("black_knight", "Black Knight", "swamp", 3, "C"),
    creature("crocodiles_swamp", "Crocodiles", "swamp", 2),
    creature("dark_wizard", "Dark Wizard", "swamp", 1, "FM"),
    creature("ghost", "Ghost", "swamp", 1, "F", 4),
    creature("giant_lizard", "Giant Lizard", "swamp", 2, "", 2),
    creature("giant_mosquito", "Giant Mosquito", "swamp", 2, "F"),
    creature("giant_snake_swamp", "Giant Snake", "swamp", 3),
    creature("huge_leech", "Huge Leech", "swamp", 2),
    creature("pirates", "Pirates", "swamp", 2),
    creature("poison_frog", "Poison Frog", "swamp", 1),
    creature("slime_beast", "Slime Beast", "swamp", 3),
    creature("spirit", "Spirit", "swamp", 2, "M"),
    creature("sprite", "Sprite", "swamp", 1, "M"),
    creature("swamp_gas", "Swamp Gas", "swamp", 1, "F"),
    creature("swamp_rat", "Swamp Rat", "swamp", 1),
    creature("thing", "Thing", "swamp", 2),
    creature("vampire_bat", "Vampire Bat", "swamp", 4, "F"),
    creature("watersnake", "Watersnake", "swamp", 1),
    creature("will_o_wisp", "Will-O-Wisp", "swamp", 2, "M"),
    creature("winged_pirhana", "Winged Pirhana", "swamp", 3, "F"),
)

# ---- special income: one a hex, in its own terrain; cities and villages anywhere (2.17, 5.4)

INCOME = (
    Kind("copper_mine", "Copper Mine", "income", "mountain", gold=1, is_mine=True),
    Kind("silver_mine", "Silver Mine", "income", "mountain", gold=2, copies=2, is_mine=True),
    Kind("gold_mine", "Gold Mine", "income", "mountain", gold=3, is_mine=True),
    Kind("diamond_field", "Diamond Field", "income", "desert", gold=1),
    Kind("elephants_graveyard", "Elephants' Graveyard", "income", "jungle", gold=3),
    Kind("farmlands", "Farmlands", "income", "plains", gold=1),
    Kind("oil_field", "Oil Field", "income", "frozen waste", gold=3),
    Kind("peat_bog", "Peat Bog", "income", "swamp", gold=1),
    Kind("timberland", "Timberland", "income", "forest", gold=1),
    Kind("city", "City", "income", "any", gold=2, value=2, copies=6),
    Kind("village", "Village", "income", "any", gold=1, value=1, copies=6),
)

TREASURES = (
    Kind("diamond", "Diamond", "treasure", gold=5),
    Kind("emerald", "Emerald", "treasure", gold=10),
    Kind("pearl", "Pearl", "treasure", gold=5),
    Kind("ruby", "Ruby", "treasure", gold=10),
    Kind("sapphire", "Sapphire", "treasure", gold=5),
    Kind("treasure_chest", "Treasure Chest", "treasure", gold=20),
)

# ---- magic and events: one of each

MAGIC = (
    Kind("balloon", "Balloon", "magic", value=3, symbols="R"),
    Kind("bow", "Bow", "magic"),
    Kind("dispel_magic_scroll", "Dispel Magic Scroll", "magic"),
    Kind("dust_of_defense", "Dust of Defense", "magic"),
    Kind("elixir", "Elixir", "magic"),
    Kind("fan", "Fan", "magic"),
    Kind("firewall", "Firewall", "magic", value=0, symbols="M"),
    Kind("golem", "Golem", "magic", value=6, symbols=""),
    Kind("lucky_charm", "Lucky Charm", "magic"),
    Kind("sword", "Sword", "magic"),
    Kind("talisman", "Talisman", "magic"),
)

EVENTS = (
    Kind("big_juju", "Big JuJu", "event"),
    Kind("dark_plague", "Dark Plague", "event"),
    Kind("defection", "Defection", "event"),
    Kind("good_harvest", "Good Harvest", "event"),
    Kind("mother_lode", "Mother Lode", "event"),
    Kind("teeniepox", "Teeniepox", "event"),
    Kind("terrain_disaster", "Terrain Disaster", "event"),
    Kind("vandals", "Vandals", "event"),
    Kind("weather_control", "Weather Control", "event"),
    Kind("willing_workers", "Willing Workers", "event"),
)

# ---- special characters: two on one counter, one of them face up (2.13)

HEROES = (
    (
        hero("arch_cleric", "Arch Cleric", 5, "M"),
        hero("jungle_lord", "Jungle Lord", 4, "*", lord_of="jungle"),
    ),
    (hero("arch_mage", "Arch Mage", 6, "M"), hero("ghaog_ii", "Ghaog II", 6, "F")),
    (
        hero("assassin_primus", "Assassin Primus", 4, "*"),
        hero("plains_lord", "Plains Lord", 4, "*", lord_of="plains"),
    ),
    (
        hero("baron_munchausen", "Baron Munchausen", 4, "*"),
        hero("desert_master", "Desert Master", 4, "*", lord_of="desert"),
    ),
    (hero("dwarf_king", "Dwarf King", 5, "*"), hero("warlord", "Warlord", 5, "*")),
    (hero("elf_lord", "Elf Lord", 6, "R"), hero("ice_lord", "Ice Lord", 4, "*", lord_of="frozen waste")),
    (hero("grand_duke", "Grand Duke", 4, "*"), hero("deerhunter", "Deerhunter", 4, "*")),
    (hero("marksman", "Marksman", 5, "R*"), hero("forest_king", "Forest King", 4, "*", lord_of="forest")),
    (hero("master_thief", "Master Thief", 4, "*"), hero("lord_of_the_eagles", "Lord of the Eagles", 5, "F")),
    (
        hero("sir_lance_a_lot", "Sir Lance-A-Lot", 5, "C"),
        hero("swamp_king", "Swamp King", 4, "*", lord_of="swamp"),
    ),
    (
        hero("swordmaster", "Swordmaster", 4, "*"),
        hero("mountain_king", "Mountain King", 4, "*", lord_of="mountain"),
    ),
)

# Names of people, which take no article: "Sir Lance-A-Lot joins you", but "the Dwarf King joins you".
PROPER_NAMES = frozenset(("Baron Munchausen", "Ghaog II", "Sir Lance-A-Lot"))


def the(name: str) -> str:
    """A counter with its article, if it takes one."""
    return name if name in PROPER_NAMES else f"the {name}"


MARKSMANS_AIM = 2  # the value of a shot at a chosen target

THINGS = (*CREATURES, *INCOME, *TREASURES, *MAGIC, *EVENTS)
KINDS: dict[str, Kind] = {kind.slug: kind for kind in (*THINGS, *(face for pair in HEROES for face in pair))}
OTHER_FACE: dict[str, str] = {
    **{front.slug: back.slug for front, back in HEROES},
    **{back.slug: front.slug for front, back in HEROES},
}

# ---- forts

FORTS = ("", "tower", "keep", "castle", "citadel")
TOWER, KEEP, CASTLE, CITADEL = 1, 2, 3, 4
FORT_COPIES = {TOWER: 10, KEEP: 8, CASTLE: 8, CITADEL: 6}

# ---- hexes

HEXES = {
    "desert": 6,
    "forest": 6,
    "frozen waste": 5,
    "jungle": 5,
    "mountain": 6,
    "plains": 6,
    "swamp": 6,
    "sea": 8,
}


@dataclass(frozen=True)
class Board:
    """A map as it is laid out: in a spiral from the middle, with the hexes a kingdom may start from."""

    radius: int
    starts: tuple[tuple[int, int], ...]  # clockwise
    set_aside_land: int  # of each terrain, before the map is laid
    set_aside_sea: int


LARGE = Board(3, ((2, -3), (2, 1), (-2, 3), (-2, -1)), set_aside_land=0, set_aside_sea=4)
SMALL = Board(2, ((0, -2), (2, -2), (2, 0), (0, 2), (-2, 2), (-2, 0)), set_aside_land=2, set_aside_sea=5)
