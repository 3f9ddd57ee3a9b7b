"""Draw static/art/kings.svg for Kings & Things*: a picture for every kind of counter, forts and marks.

The sprite is checked in; run this only to change a picture:

    cd /tmp && npm pack @iconify-json/game-icons@1.2.4
    mkdir game && tar xzf iconify-json-game-icons-1.2.4.tgz -C game
    python tools/build_kings_sprite.py game/package/icons.json

Every symbol is drawn in the colour of the text around it (currentColor).
Use: <use href="{% static 'art/kings.svg' %}#griffon" width="40" height="40"/>
"""

import json
import math
import re
import sys
from pathlib import Path

SPRITE = Path(__file__).resolve().parent.parent / "static" / "art" / "kings.svg"
BOX = 512  # the side of an icon
GRID = 176  # the side of a symbol: a counter is never drawn larger than about a hundred pixels

# A picture is an icon, or several as (icon, x, y, size) in a box of 512: a crown above the land of each Terrain Lord,
# wings for what grew them. A picture is known by the name printed on the counter, so kinds of the same name share it.


def lord(land):
    return (("crown", 146, -24, 220), (land, 76, 152, 360))


PICTURES = {
    # desert
    "baby_dragon": "dragon-head",
    "buzzard": "raven",
    "camel_corps": "camel",
    "dervish": "dervish-swords",
    "desert_bat": "bat",
    "dust_devil": "whirlwind",
    "genie": "djinn",
    "giant_spider": "hanging-spider",
    "giant_wasp": "wasp-sting",
    "griffon": "griffin-symbol",
    "nomads": "turban",
    "old_dragon": "spiked-dragon-head",
    "sandworm": "sand-snake",
    "skeletons": "skeleton",
    "sphinx": "egyptian-sphinx",
    "vultures": "vulture",
    "yellow_knight": "closed-barbute",
    # forest
    "bandits": "bandit",
    "bears": "bear-head",
    "big_foot": "sasquatch",
    "druid": "holy-oak",
    "dryad": "tree-face",
    "elf_mage": (("elf-ear", -20, 112, 400), ("star-swirl", 232, 0, 270)),
    "elves": "woman-elf-face",
    "flying_squirrel": (("squirrel", 0, 132, 380), ("feathered-wing", 292, 0, 220)),
    "forester": "robin-hood-hat",
    "great_owl": "owl",
    "green_knight": "light-helm",
    "killer_racoon": "raccoon-head",
    "pixies": "fairy",
    "unicorn": "unicorn",
    "walking_tree": "evil-tree",
    "wild_cat": "feline",
    "wyvern": "wyvern",
    # frozen waste
    "dragon_rider": (("sea-dragon", 0, 92, 420), ("archer", 292, 0, 220)),
    "elk_herd": "stag-head",
    "eskimos": "person-in-blizzard",
    "ice_bats": "swamp-bat",
    "ice_giant": "ice-golem",
    "iceworm": "earth-worm",
    "killer_penguins": "penguin",
    "killer_puffins": "parrot-head",
    "mammoth": "mammoth",
    "north_wind": "wind-slap",
    "walrus": "walrus-head",
    "white_bear": "polar-bear",
    "white_dragon": "double-dragon",
    "wolves": "wolf-head",
    # jungle
    "bird_of_paradise": "hummingbird",
    "crawling_vines": "vines",
    "crocodiles": "croc-jaws",
    "dinosaur": "dinosaur-rex",
    "elephant": "elephant",
    "giant_ape": "gorilla",
    "giant_snake": "snake",
    "head_hunter": "bone-gnawer",
    "pterodactyl_warriors": (("pterodactylus", 0, 0, 400), ("stone-spear", 262, 262, 250)),
    "pygmies": "caveman",
    "tigers": "tiger-head",
    "watusi": "tribal-shield",
    "witch_doctor": "totem-mask",
    # mountain
    "brown_dragon": "hydra",
    "brown_knight": "heavy-helm",
    "cyclops": "cyclops",
    "dwarves": "dwarf-face",
    "giant": "giant",
    "giant_condor": "condor-emblem",
    "giant_roc": "eagle-emblem",
    "little_roc": (("eagle-emblem", 96, 176, 320),),
    "goblins": "goblin-head",
    "great_eagle": "eagle-head",
    "great_hawk": "hawk-emblem",
    "mountain_lion": "saber-toothed-cat-head",
    "mountain_men": "viking-head",
    "ogre": "ogre",
    "troll": "troll",
    # plains
    "buffalo_herd": "bison",
    "centaur": "centaur",
    "dragonfly": "dragonfly",
    "eagles": "crow-dive",
    "farmers": "farmer",
    "flying_buffalo": (("bison", 0, 152, 360), ("feathered-wing", 252, 0, 260)),
    "giant_beetle": "scarab-beetle",
    "greathunter": "bowman",
    "gypsies": "crystal-ball",
    "hunters": "archer",
    "lion_pride": "lion",
    "pegasus": "pegasus",
    "pterodactyl": "pterodactylus",
    "tribesmen": "tribal-mask",
    "villains": "mustache",
    "white_knight": "visored-helm",
    "wolf_pack": "wolf-howl",
    # swamp
    "basilisk": "horned-reptile",
    "black_knight": "black-knight-helm",
    "dark_wizard": "warlock-hood",
    "ghost": "ghost",
    "giant_lizard": "gecko",
    "giant_mosquito": "fly",
    "huge_leech": "leeching-worm",
    "pirates": "pirate-captain",
    "poison_frog": "frog",
    "slime_beast": "slime",
    "spirit": "spectre",
    "sprite": "fairy-wand",
    "swamp_gas": "poison-gas",
    "swamp_rat": "rat",
    "thing": "gooey-daemon",
    "vampire_bat": "evil-bat",
    "watersnake": "sea-serpent",
    "will_o_wisp": "spark-spirit",
    "winged_pirhana": (("piranha", 0, 152, 360), ("feathered-wing", 272, 0, 240)),
    # special income
    "copper_mine": "mine-wagon",
    "silver_mine": "mining",
    "gold_mine": "gold-mine",
    "diamond_field": "minerals",
    "elephants_graveyard": "ivory-tusks",
    "farmlands": "barn",
    "oil_field": "oil-rig",
    "peat_bog": "reed",
    "timberland": "logging",
    "city": "medieval-village-01",
    "village": "village",
    # treasure
    "diamond": "cut-diamond",
    "emerald": "emerald",
    "pearl": "oyster-pearl",
    "ruby": "rupee",
    "sapphire": "saphir",
    "treasure_chest": "open-treasure-chest",
    # magic
    "balloon": "air-balloon",
    "bow": "bow-arrow",
    "dispel_magic_scroll": "scroll-unfurled",
    "dust_of_defense": "powder-bag",
    "elixir": "standing-potion",
    "fan": "handheld-fan",
    "firewall": "fire-wave",
    "golem": "rock-golem",
    "lucky_charm": "horseshoe",
    "sword": "broadsword",
    "talisman": "gem-pendant",
    # events
    "big_juju": "king-ju-mask",
    "dark_plague": "plague-doctor-profile",
    "defection": "backstab",
    "good_harvest": "wheat",
    "mother_lode": "gold-nuggets",
    "teeniepox": "virus",
    "terrain_disaster": "earth-crack",
    "vandals": "arson",
    "weather_control": "lightning-storm",
    "willing_workers": "hammer-nails",
    # heroes
    "arch_cleric": "sun-priest",
    "jungle_lord": lord("palm-tree"),
    "arch_mage": "wizard-face",
    "ghaog_ii": "gargoyle",
    "assassin_primus": "hooded-assassin",
    "plains_lord": lord("high-grass"),
    "baron_munchausen": "human-cannonball",
    "desert_master": lord("cactus"),
    "dwarf_king": (("crown", 126, -40, 260), ("dwarf-face", 76, 152, 360)),
    "warlord": "warlord-helmet",
    "elf_lord": "elf-helmet",
    "ice_lord": lord("snowflake-2"),
    "grand_duke": "throne-king",
    "deerhunter": "deer-head",
    "marksman": "bullseye",
    "forest_king": lord("pine-tree"),
    "master_thief": "rogue",
    "lord_of_the_eagles": (("crown", 146, -24, 220), ("eagle-head", 86, 152, 360)),
    "sir_lance_a_lot": "mounted-knight",
    "swamp_king": lord("reed"),
    "swordmaster": "swordman",
    "mountain_king": lord("peaks"),
    # marks
    "battle": "crossed-swords",
    "charge": "horse-head",
}

# Forts and a few marks are our own: the forts' levels should be told by their outline, a tower more each.
OWN = {
    "tower": "M168 480V224h-32V96h48v44h44V96h56v44h44V96h48v128h-32v256h-56v-80a32 32 0 0 0-64 0v80z"
    "M232 256v72h48v-72z",
    "keep": "M72 480V160h64v52h52v-52h136v52h52v-52h64v320H312v-92a56 56 0 0 0-112 0v92z"
    "M136 268v72h44v-72zM332 268v72h44v-72z",
    "castle": "M32 480V72h44v44h36V72h44v44h36V72h44v408zM276 480V72h44v44h36V72h44v44h36V72h44v408z"
    "M236 228h40v60h-40zM236 320h40v160h-40zM112 200v72h44v-72zM356 200v72h44v-72z",
    "citadel": "M16 488V264h32v-24L96 136l48 104v24h40V176h-20L256 8l92 168h-20v88h40v-24l48-104 48 104v24h32v224"
    "H312v-84a56 56 0 0 0-112 0v84zM232 216v80h48v-80zM76 312v64h40v-64zM396 312v64h40v-64z",
    "cloud": "M128 352a92 92 0 0 1-8-183a132 132 0 0 1 250-25a104 104 0 0 1 14 208z"
    "M232 376h80l-40 56h48L208 512l32-64h-40z",
    "flying": "M8 176C104 80 212 132 256 240 300 132 408 80 504 176 400 176 320 248 256 408 192 248 112 176 8 176z",
    "magic": "M256 8l60 188 188 60-188 60-60 188-60-188L8 256l188-60z",
    "ranged": "M496 16l-40 200-56-56L188 372v72l-76 60-20-84-84-20 60-76h72l212-212-56-56z",
    # An asterisk, as printed on counters with a power of their own.
    "special": "M220 40h72v144l125-72 36 62-125 72 125 72-36 62-125-72v144h-72V308L95 380l-36-62 125-72L59 174l36-62"
    " 125 72z",
    "back": "M256 24l64 128 168-40-80 144 80 144-168-40-64 128-64-128-168 40 80-144-80-144 168 40z"
    "M256 184a72 72 0 0 0 0 144a72 72 0 0 0 0-144z",
}


# ---- icons, with their numbers rounded

NUMBERS = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?", re.I)
TAKES = {"m": 2, "l": 2, "h": 1, "v": 1, "c": 6, "s": 4, "q": 4, "t": 2, "a": 7, "z": 0}


def arguments(letter, text):
    """The numbers after a command; an arc's two flags may be written without anything between them."""
    if letter != "a":
        return [float(number) for number in NUMBERS.findall(text)]
    found = []
    while text := text.lstrip(" ,\n"):
        match = re.match("[01]", text) if len(found) % 7 in (3, 4) else NUMBERS.match(text)
        found.append(float(match[0]))
        text = text[match.end() :]
    return found


def segments(path):
    """(command in lower case, is it relative, its numbers), one for each segment."""
    for letter, text in re.findall(r"([MZLHVCSQTA])([^MZLHVCSQTA]*)", path, re.I):
        lower, numbers, count = letter.lower(), arguments(letter.lower(), text), TAKES[letter.lower()]
        if not count:
            yield lower, True, []
        for at in range(0, len(numbers), count or 1):
            yield ("l" if lower == "m" and at else lower), letter.islower(), numbers[at : at + count]


def rounded(path, x=0.0, y=0.0, scale=1.0):
    """A path moved and scaled, in whole numbers; each point is rounded on its own, so that errors do not add up."""
    scale, x, y = scale * GRID / BOX, x * GRID / BOX, y * GRID / BOX
    out, here, start, drawn = [], (0.0, 0.0), (0.0, 0.0), (0, 0)
    for letter, relative, numbers in segments(path):
        if letter == "z":  # what is filled need not be closed
            here = start
            continue
        base = here if relative else (0.0, 0.0)
        points, arc = points_of(letter, numbers, base, here)
        ends = [(round(px * scale + x), round(py * scale + y)) for px, py in points]
        steps = [value for px, py in ends for value in (px - drawn[0], py - drawn[1])]
        if arc:
            steps = [round(arc[0] * scale) or 1, round(arc[1] * scale) or 1, *map(round, arc[2:]), *steps]
        if is_straight(letter, steps):
            letter, steps = "l", steps[-2:]
        here, drawn = points[-1], ends[-1]
        if letter == "m":
            start = here
        if letter in "hv":
            letter, steps = ("h", steps[:1]) if letter == "h" else ("v", steps[1:])
        if letter in "lhv" and not any(steps):
            continue
        out.append((letter, steps))
    return written(out)


def is_straight(letter, steps):
    """A curve so flat, or so small, that a line looks the same."""
    if letter not in "cq":
        return False
    dx, dy = steps[-2:]
    length = math.hypot(dx, dy)
    handles = list(zip(steps[:-2:2], steps[1:-2:2]))
    if length < 1.5:
        return all(math.hypot(*handle) < 2.5 for handle in handles)
    return all(
        abs(hx * dy - hy * dx) / length <= 0.8 and -1 <= (hx * dx + hy * dy) / length <= length + 1
        for hx, hy in handles
    )


def points_of(letter, numbers, base, here):
    """The points of a segment in absolute numbers, and what an arc has besides."""
    if letter == "h":
        return [(base[0] + numbers[0], here[1])], None
    if letter == "v":
        return [(here[0], base[1] + numbers[0])], None
    arc, numbers = (numbers[:5], numbers[5:]) if letter == "a" else (None, numbers)
    return [(base[0] + px, base[1] + py) for px, py in zip(numbers[::2], numbers[1::2])], arc


def written(commands):
    """As short as a path may be: no letter said twice, no space before a minus."""
    text, last = "", ""
    for letter, numbers in commands:
        spelt = "".join(f" {n}" if n >= 0 else str(n) for n in numbers)
        same = letter == last and letter != "m"
        text += spelt if same else letter + spelt.lstrip()
        last = "" if letter == "m" else letter
    return text


def picture(parts, icons):
    parts = ((parts, 0, 0, BOX),) if isinstance(parts, str) else parts
    return "".join(
        f'<path d="{rounded(path, x, y, size / BOX)}"/>'
        for icon, x, y, size in parts
        for path in re.findall(r' d="([^"]+)"', icons[icon]["body"])
    )


def symbol(name, body, box=f"0 0 {GRID} {GRID}"):
    return f'<symbol id="{name}" viewBox="{box}" fill="currentColor">{body}</symbol>'


EVEN_ODD = 'fill-rule="evenodd"'


# ---- the file


def sprite(icons):
    symbols = [symbol(name, picture(parts, icons)) for name, parts in PICTURES.items()]
    symbols += [symbol(name, f'<path {EVEN_ODD} d="{rounded(path)}"/>') for name, path in OWN.items()]
    credit = "<!-- Icons from game-icons.net, CC BY 3.0; see CREDITS.md -->"
    return f'{credit}\n<svg xmlns="http://www.w3.org/2000/svg">\n{chr(10).join(symbols)}\n</svg>\n'


def icons_used():
    """For CREDITS.md."""
    parts = [((p, 0, 0, BOX),) if isinstance(p, str) else p for p in PICTURES.values()]
    return sorted({icon for each in parts for icon, *_ in each})


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    SPRITE.write_text(sprite(json.loads(Path(sys.argv[1]).read_text())["icons"]))
    print(f"{SPRITE}: {SPRITE.stat().st_size} bytes; icons: {', '.join(icons_used())}")
