"""What hexes are called: "Crow Peak", "the Fens".

A name follows from the table's public id, the place and the terrain that everybody sees, and from nothing else. So it
tells nothing hidden, and stays the same whatever happens elsewhere on the map. Each terrain has names of its own, more
than a map has hexes. The public id shuffles them, and each place then has one for every terrain it may come to have, so
no two hexes of a map share a name.

A hex that lies face down has no name and goes by its number. The API, addresses and scenarios use the number only.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from games.engine.core.memo import Memo
from games.engine.kings.catalogue import SEA
from games.engine.kings.view import HexView, KingsView

from ..painter import Told

Names = Mapping[str, str]  # by place; a hex that lies face down is not in it

# They share no word with counters, forts, seats or other terrains (tests/web/test_kings_places.py). To add or drop one
# renames hexes of all games that are being played.
NAMES: dict[str, tuple[str, ...]] = {
    terrain: tuple(name.strip() for name in names.split(","))
    for terrain, names in {
        "mountain": """
            Crow Peak, Anvil Tor, Kestrel Crag, Saddle Ridge, Candle Pike, Goat Scar, Thunder Horn, Raven Tor,
            Slate Fell, Hatchet Peak, Lantern Crag, Sleeper Ridge, Whetstone Tor, Beacon Pike, Chimney Crag,
            Quartz Horn, Ladder Peak, Ibex Fell, Cinder Peak, Falcon Tor, Granite Brow, Marmot Crag, Needle Pike,
            Echo Ridge, Flint Scar, Gallows Tor, Halfway Peak, Juniper Fell, Kettle Crag, Mantle Ridge, Notched Horn,
            Pilgrim Pike, Chough Scar, Shepherd Tor, Tinker Fell, Curfew Peak, Weaver Ridge, Bellows Crag, Widow Horn,
            Crooked Pike, Lonely Brow, Hammer Scar""",
        "forest": """
            Bramble Wood, Acorn Holt, Badger Copse, Foxglove Grove, Hazel Shaw, Thorn Spinney, Mistle Wood,
            Rowan Grove, Charcoal Holt, Antler Weald, Cuckoo Copse, Ember Wood, Fiddler Grove, Hedgehog Holt,
            Ivy Shaw, Jackdaw Wood, Lichen Weald, Mushroom Copse, Nightjar Holt, Poacher Brake, Quill Grove,
            Robin Spinney, Sorrel Wood, Tawny Hurst, Umber Weald, Violet Copse, Wren Holt, Yew Grove, Birch Hurst,
            Maple Shaw, Beech Brake, Sexton Wood, Truffle Grove, Hollow Holt, Crabapple Wood, Whistle Copse,
            Bluebell Shaw, Stag Weald, Hermit Grove, Fern Hurst, Gnarled Wood, Honey Brake""",
        "jungle": """
            Parrot Canopy, the Rattan Tangle, Orchid Bower, the Monsoon Maze, Macaw Palms, Mango Bower,
            the Tapir Tangle, Panther Maze, Cobra Cane, Toucan Canopy, Gecko Palms, the Fever Tangle, Lotus Bower,
            the Bamboo Maze, Kapok Canopy, Papaya Palms, Cicada Cane, Jaguar Snarl, Lemur Canopy, the Creeper Maze,
            Nectar Bower, Ocelot Snarl, the Python Tangle, Sloth Canopy, Tamarin Palms, Vanilla Cane, Hibiscus Bower,
            Banana Palms, Cacao Cane, the Drizzle Tangle, Ebony Maze, Firefly Bower, Ginger Cane, Hornbill Palms,
            Iguana Snarl, Jasmine Bower, the Mamba Maze, Mandrill Snarl, Peacock Palms, Pepper Cane, Teak Canopy,
            Puma Snarl""",
        "desert": """
            the Amber Sands, the Ochre Dunes, Scorpion Pan, Jackal Dunes, the Thirsty Pan, the Saffron Sands,
            Locust Barrens, Cactus Flats, Mirage Flats, the Brass Dunes, the Caravan Sands, Drought Pan,
            Furnace Flats, the Glass Sands, Sundial Dunes, Kiln Barrens, the Mirror Pan, Oasis Barrens,
            the Parched Flats, Quiver Dunes, the Rattle Sands, the Salt Pan, the Humming Dunes, Tamarisk Flats,
            the Bleached Flats, the Viper Sands, the Whirling Sands, Zenith Barrens, Incense Dunes, Jasper Barrens,
            Lonesome Flats, the Noon Sands, the Rust Dunes, Sirocco Sands, Tortoise Flats, the Veiled Dunes,
            Fennec Dunes, Gazelle Sands, Blister Flats, Cistern Sands, Ostrich Flats, the Shimmer Dunes""",
        "frozen waste": """
            the Silent Snows, Ermine Drifts, Lemming Tundra, the Pale Glacier, the Hushed Snows, Aurora Snows,
            Blizzard Rime, Caribou Tundra, Crystal Firn, Dagger Glacier, the Evening Snows, Fox Drifts, Goose Tundra,
            the Hoar Drifts, the Hungry Snows, Mitten Snows, Musk Tundra, Opal Glacier, the Numb Drifts, Petrel Rime,
            the Quiet Glacier, Reindeer Firn, Sable Snows, Shiver Tundra, Sled Drifts, Snowdrop Firn,
            the Starlit Firn, Tern Tundra, the Blue Glacier, Twilight Firn, Vole Tundra, Midwinter Firn,
            the Glitter Drifts, Hare Snows, Lynx Tundra, the Moonlit Snows, Solstice Snows, Stoat Drifts,
            Whisper Rime, Splinter Rime, Tusk Tundra, Feather Drifts""",
        "plains": """
            Barley Downs, Clover Lea, Cricket Meadow, Dandelion Lea, Foal Downs, Hayrick Acres, Larkspur Lea,
            Skylark Downs, Mustard Acres, Oat Common, Poppy Meadow, Plough Acres, Quail Heath, Ragwort Lea, Rye Downs,
            Sickle Meadow, Sparrow Lea, Stirrup Downs, Tansy Meadow, Teasel Common, Thatch Acres, Trumpet Heath,
            Wagon Steppe, Wheatear Downs, Windmill Lea, Yarrow Meadow, Buttercup Lea, Cartwheel Lea, Chicory Sward,
            Drover Common, Flail Acres, Gorse Heath, Heather Common, Kite Downs, Lapwing Heath, Milkmaid Lea,
            Pony Steppe, Rabbit Common, Bridle Steppe, Swallow Sward, Vetch Meadow, Gander Common""",
        "swamp": """
            the Fens, Sallow Fen, Heron Marsh, Toad Mire, Adder Fen, Bittern Marsh, Bulrush Fen, the Croaking Mire,
            Duckweed Mire, Eel Slough, Gnat Marsh, the Murky Quag, Newt Fen, Osier Fen, Reed Marsh, the Sedge Morass,
            Snipe Marsh, the Sodden Slough, Tadpole Quag, the Weeping Fen, Willow Mire, Alder Slough, Bubble Quag,
            Cattail Marsh, Crane Fen, the Drowned Slough, the Gurgling Quag, Iris Marsh, Mallow Marsh, Moss Morass,
            Mudlark Slough, the Muffled Mire, Puddle Morass, Rushlight Fen, Spoonbill Fen, Stilt Marsh, Stork Morass,
            Sundew Mire, Mayfly Fen, Loon Quag, Coot Marsh, Myrtle Morass""",
        SEA: """
            Gull Sound, Anchor Bay, Barnacle Bight, Cuttlefish Bay, Dolphin Reach, Driftwood Bay, Ebb Strait,
            Ferry Strait, Fishwife Bay, the Foam Shoals, Gannet Gulf, Halyard Reach, Herring Sound, Jetsam Bight,
            the Kelp Deep, Keel Strait, the Kraken Deep, Limpet Shoals, Lobster Bight, Mackerel Deep, Nautilus Deep,
            Oyster Shoals, Paddle Reach, Porpoise Gulf, Prow Strait, Rudder Reach, Sailmaker Bay, Sardine Sound,
            Scallop Bight, Skerry Sound, Spindrift Bay, Sprat Shoals, Squall Gulf, Starfish Reach, Sturgeon Deep,
            Surf Bight, Tide Strait, the Trident Deep, Turtle Sound, Urchin Shoals, the Whale Deep, Wherry Reach""",
    }.items()
}


def name_of(table: str, place: str, terrain: str) -> str:
    """The name of a hex with this terrain; empty while the hex lies face down."""
    return names_for(table, terrain)[int(place[1:]) - 1] if terrain else ""


@lru_cache(maxsize=4096)
def names_for(table: str, terrain: str) -> tuple[str, ...]:
    """A table's names for one terrain, for h1 and so on."""
    return tuple(sorted(NAMES[terrain], key=lambda name: hashlib.sha256(f"{table} {name}".encode()).digest()))


def names_on(view: KingsView, table: str) -> Names:
    """The names of all hexes that everybody sees now; a board that belongs to no table has none."""
    return kept_names((view.hexes,), table) if table else {}


def names_in(hexes: Iterable[HexView], table: str) -> Names:
    return {here.place: name_of(table, here.place, here.terrain) for here in hexes if here.terrain}


kept_names = Memo(lambda hexes, table: names_in(hexes[0], table), 256)


def titled(name: str) -> str:
    """A name at the beginning of a line."""
    return name[:1].upper() + name[1:]


# ---- names in the log


# facts of events and refusals that are places
PLACE_FACTS = ("place", "source", "target", "places")
CHANGES = ("hex_changed", "sea_replaced")  # events that change a terrain; the second does not say what it was


def called(told: Sequence[Told], view: KingsView, table: str) -> list[dict[str, str]]:
    """The facts of the newest lines of a log as the page words them. A hex has the name it had at that time.

    `view` shows the map after the last of these lines, so they are read backwards."""
    names = dict(names_on(view, table))
    found = []
    for event, facts in reversed(told):
        words = dict(places_among(facts, names))
        if event in CHANGES:
            place, terrain = facts["place"], facts["terrain"]
            words["terrain"] = f"{terrain}, now called {name_of(table, place, terrain)}"
            words["place"] = names[place] = name_of(table, place, facts.get("was", SEA))
        elif event == "hexes_turned_up":
            names.clear()
        found.append(words)
    return found[::-1]


def places_among(facts: Mapping[str, Any], names: Names) -> Iterator[tuple[str, str]]:
    """Several places in one fact are separated by commas."""
    for fact in PLACE_FACTS:
        if isinstance(said := facts.get(fact), str) and any(place in names for place in said.split(", ")):
            yield fact, ", ".join(names.get(place, place) for place in said.split(", "))
