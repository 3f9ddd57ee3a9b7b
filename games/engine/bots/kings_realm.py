"""The steward at home: set-up, heroes, Things, gold, forts."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.actions import Action
from ..core.dice import Dice
from ..core.offers import Offer, OneOf, Some
from ..core.view import Face
from ..kings.actions import (
    AddGold,
    Build,
    Cash,
    Choose,
    Discard,
    Done,
    Draw,
    Exchange,
    Place,
    Recruit,
    ReplaceSea,
)
from ..kings.catalogue import CASTLE, CITADEL, KINDS, OTHER_FACE, SEA, Kind
from ..kings.offers import Attempts, Draws, Placements
from .kings_odds import chance
from .kings_reading import LAND, Reading

FORT_PRICE = 5  # of a level of fort, and of a paid draw
MOST_PAID = 5
BRIBES = 7  # what exploring a hex costs when its defenders are paid off
BLUFF_ONE_IN = 4


def offered(offers: Sequence[Offer], do: str) -> Offer | None:
    return next((offer for offer in offers if offer.do == do and not offer.aside), None)


def choices(offers: Sequence[Offer], do: str = Choose.do) -> tuple[str, ...]:
    """What the open field of an offer of this name takes."""
    found = offered(offers, do)
    return found.choices if isinstance(found, OneOf | Some) else ()


# ---- set-up (2)


def start(reading: Reading, offers: Sequence[Offer], dice: Dice) -> Action:
    """All hexes lie face down: no start is better than another."""
    spots = choices(offers)
    return Choose(spots[dice.pick("start", len(spots))])


def replace_sea(reading: Reading, offers: Sequence[Offer], dice: Dice) -> Action:
    """Land is better than sea."""
    return ReplaceSea(choices(offers, ReplaceSea.do)[0])


def claim(reading: Reading, offers: Sequence[Offer], dice: Dice) -> Action:
    """A terrain of its own for more creatures, land around, and easy going."""

    def liking(spot: str) -> tuple[float, str]:
        new = 3.0 if reading.hexes[spot].terrain not in reading.terrains else 0.0
        land = sum(reading.hexes[near].terrain != SEA for near in reading.map.neighbours[spot])
        return new + 0.4 * land - 0.5 * reading.step_cost(spot), spot

    return Choose(max(choices(offers), key=liking))


def tower(reading: Reading, offers: Sequence[Offer], dice: Dice) -> Action:
    return Build(max(choices(offers, Build.do), key=lambda spot: (safety(reading, spot), spot)))


def safety(reading: Reading, place: str) -> float:
    """How far from others' land and armies a hex lies."""
    distances = [
        reading.map.distance(place, other)
        for other, here in reading.hexes.items()
        if (here.owner not in (None, reading.seat)) or reading.owners_in(other)
    ]
    return float(min(distances, default=6)) + 0.1 * sum(near in reading.own for near in reading.map.neighbours[place])


def exchange(reading: Reading, offers: Sequence[Offer], dice: Dice) -> Action:
    """Creatures nobody here supports and income without a place go back."""
    return Exchange(tuple(counter.tag for counter in reading.rack if is_useless(reading, counter)))


def is_useless(reading: Reading, counter: Face) -> bool:
    kind = KINDS[counter.kind]
    if kind.sort == "creature":
        lords = {KINDS[hero.kind].lord_of for hero in reading.heroes_of(reading.seat)}
        return kind.terrain not in reading.terrains and kind.terrain not in lords
    if kind.sort == "income":
        return not any(may_take(reading, kind, place) for place in reading.land)
    return False


def may_take(reading: Reading, kind: Kind, place: str) -> bool:
    return kind.terrain in ("any", reading.hexes[place].terrain) and reading.income_counter(place) is None


# ---- heroes (6)

HERO_EXTRA = {
    "assassin_primus": 4.0,
    "master_thief": 6.0,
    "warlord": 6.0,
    "marksman": 3.0,
    "baron_munchausen": 3.0,
    "grand_duke": 3.0,
    "deerhunter": 2.0,
    "swordmaster": 4.0,
    "arch_mage": 5.0,
    "arch_cleric": 4.0,
    "elf_lord": 4.0,
    "sir_lance_a_lot": 5.0,
}


def hero_worth(reading: Reading, kind: Kind) -> float:
    """In gold: an income of one, a fighter worth several creatures, and a power."""
    worth = 6.0 + 3.2 * kind.value + HERO_EXTRA.get(kind.slug, 0.0)
    if kind.slug == "dwarf_king":
        counters = [reading.income_counter(place) for place in reading.land]
        worth += 6.0 * sum(KINDS[c.kind].gold for c in counters if c is not None and KINDS[c.kind].is_mine)
    if kind.lord_of and kind.lord_of not in reading.terrains:
        worth += 2.0 * sum(KINDS[c.kind].terrain == kind.lord_of for c in reading.rack)
    return worth


def odds_of(total: int) -> float:
    """The chance of rolling at least this with two dice."""
    return sum(one + other >= total for one in range(1, 7) for other in range(1, 7)) / 36


def worth_of_gold(reading: Reading) -> float:
    """What a piece of gold is worth beside forts: less once there is little left to build."""
    return 1.0 if reading.income < reading.view.citadel_income else 0.55


def recruit(reading: Reading, offers: Sequence[Offer], dice: Dice) -> Action:
    """Trying costs nothing; gold is put down where it raises the odds enough (6.1, 6.2)."""
    offer = offered(offers, Recruit.do)
    if not isinstance(offer, Attempts):
        return Done()
    most = max(0, min(offer.most_gold - must_keep(reading), 30))
    gold_worth = worth_of_gold(reading)
    best, best_score = None, -1.0
    for tag in offer.heroes:
        kind = KINDS[kind_of(reading, tag)]
        worth = hero_worth(reading, kind)
        for gold in range(0, most + 1, 5):
            score = odds_of(2 * kind.value - gold // 5) * worth - gold * gold_worth
            if score > best_score:
                best, best_score = Recruit(tag, gold), score
    return best or Done()


def kind_of(reading: Reading, tag: str) -> str:
    counter = reading.by_tag[tag]
    assert isinstance(counter, Face)
    return counter.kind


def must_keep(reading: Reading) -> int:
    """Gold for the citadel, when it is within reach this turn; nothing is worth more."""
    return FORT_PRICE * levels_to_citadel(reading) if is_citadel_near(reading) else 0


def levels_to_citadel(reading: Reading) -> int:
    return 1 + max(0, reading.view.citadel_income - reading.income)


def is_citadel_near(reading: Reading) -> bool:
    """A castle stands, and income is high enough or can be made so by building this turn (X26)."""
    if reading.my_citadel or not any(reading.hexes[place].fort == CASTLE for place in reading.land):
        return False
    short = reading.view.citadel_income - reading.income
    return short <= 0 or (short <= len(other_sites(reading)) and reading.gold >= FORT_PRICE * (short + 1))


def other_sites(reading: Reading) -> list[str]:
    """Where a level could be built this turn, citadels aside."""
    left = reading.view.forts_left
    names = ("tower", "keep", "castle")
    return [p for p in reading.land if reading.hexes[p].fort < CASTLE and left[names[reading.hexes[p].fort]] > 0]


def add_gold(reading: Reading, offers: Sequence[Offer], dice: Dice) -> Action:
    offer = offered(offers, AddGold.do)
    if not isinstance(offer, OneOf):
        return Done()
    gold = offer.choices[0]
    attempt = next((frame for frame in reading.view.doing if frame["frame"] == "hero_attempt"), {})
    worth = hero_worth(reading, KINDS[kind_of(reading, attempt["hero"])]) if "hero" in attempt else 0.0
    affordable = reading.gold - gold >= must_keep(reading)
    return AddGold(gold) if affordable and worth > gold * worth_of_gold(reading) else Done()


def which_lord(reading: Reading, offers: Sequence[Offer], dice: Dice) -> Action:
    """Another player has two Terrain Lords: the one more useful to them leaves."""
    return Choose(max(choices(offers), key=lambda tag: (KINDS[kind_of(reading, tag)].value, tag)))


def turn_hero(reading: Reading, offers: Sequence[Offer], dice: Dice) -> Action:
    """The face that is easier to win back stays up."""
    frame = reading.view.doing[-1]
    kind = KINDS[kind_of(reading, frame["hero"])]
    other = KINDS[OTHER_FACE[kind.slug]]
    mine = hero_worth(reading, kind) * odds_of(2 * kind.value)
    return Choose("turn" if hero_worth(reading, other) * odds_of(2 * other.value) > mine else "keep")


# ---- Things (7)


def draw(reading: Reading, offers: Sequence[Offer], dice: Dice) -> Action:
    """Paid draws with what forts and bribes will not need; useless counters are traded."""
    offer = offered(offers, Draw.do)
    assert isinstance(offer, Draws)
    cashed = treasure_to_cash(reading, offers, savings(reading) + FORT_PRICE * MOST_PAID)
    if cashed is not None:
        return cashed
    spare = reading.gold - savings(reading)
    paid = max(0, min(offer.most_paid, spare // FORT_PRICE))
    useless = [counter.tag for counter in reading.rack if is_useless(reading, counter)]
    useless = [tag for tag in useless if tag in offer.tradable]
    count = min(offer.most_traded, len(useless) // 2 * 2)
    return Draw(paid, tuple(useless[:count]))


def savings(reading: Reading) -> int:
    """Gold for the forts of this turn, the citadel, and for bribing on the way."""
    if reading.sole_rival is not None and not is_citadel_near(reading):
        return 0  # somebody is about to win: everything goes into counters that can stop it
    short = reading.income < reading.view.citadel_income
    forts = FORT_PRICE * min(len(other_sites(reading)), 2 if short else 1)
    bribes = BRIBES if frontier(reading) else 0
    citadel = 0 if reading.my_citadel or short else FORT_PRICE
    return forts + bribes + citadel


def frontier(reading: Reading) -> list[str]:
    """Unexplored land beside one's own."""
    near = {spot for place in reading.land for spot in reading.map.neighbours[place]}
    return [spot for spot in sorted(near) if reading.hexes[spot].owner is None and reading.hexes[spot].terrain != SEA]


def place(reading: Reading, offers: Sequence[Offer], dice: Dice) -> Action:
    """Income where it is safe, supported creatures where they are wanted most; now and then a bluff."""
    offer = offered(offers, Place.do)
    if not isinstance(offer, Placements):
        return Done()
    tags: list[str] = []
    places: list[str] = []
    for tag, spot in income_placements(reading, offer):
        tags.append(tag)
        places.append(spot)
    for tag, spot in creature_placements(reading, offer, dice):
        tags.append(tag)
        places.append(spot)
    return Place(tuple(tags), tuple(places)) if tags else Done()


def income_placements(reading: Reading, offer: Placements) -> list[tuple[str, str]]:
    taken: set[str] = set()
    found = []
    for tag in sorted(offer.income, key=lambda tag: (-KINDS[kind_of(reading, tag)].gold, tag)):
        free = [spot for spot in offer.income[tag] if spot not in taken]
        if free:
            best = max(free, key=lambda spot: (safety(reading, spot) + reading.hexes[spot].fort, spot))
            taken.add(best)
            found.append((tag, best))
    return found


def creature_placements(reading: Reading, offer: Placements, dice: Dice) -> list[tuple[str, str]]:
    room = dict(offer.room)
    found = []
    liking = {spot: station_liking(reading, spot) for spot in room}
    for tag in offer.creatures:
        kind = KINDS[kind_of(reading, tag)]
        free = [spot for spot, left in room.items() if left > 0 and reading.supports(kind, spot)]
        if not free and dice.pick("bluff", BLUFF_ONE_IN) == 0:
            free = [spot for spot, left in room.items() if left > 3 and not reading.army(reading.seat, spot)]
        if free:
            best = max(free, key=lambda spot: (liking[spot], spot))
            room[best] -= 1
            found.append((tag, best))
    return found


def station_liking(reading: Reading, spot: str) -> float:
    """Where a new creature is wanted: in an endangered citadel, with the main force, near something to take."""
    liking = 1.5 * pull(reading, spot) + 0.6 * min(10, len(reading.army(reading.seat, spot)))
    if reading.hexes[spot].fort == CITADEL:
        liking += 40 * need_of_guards(reading, spot)
    elif reading.owners_in(spot):
        liking += 3
    return liking


def need_of_guards(reading: Reading, spot: str) -> float:
    """How likely a hex would fall if the strongest neighbour came."""
    own = [*reading.walls_of(spot), *reading.fighters(reading.army(reading.seat, spot), spot)]
    return max((1 - chance(own, reading.near_forces(seat, spot, 3)) for seat in reading.others), default=0.0)


def pull(reading: Reading, spot: str) -> float:
    """How much there is to take near a hex."""
    total = 0.0
    for other in reading.map.within(spot, 2):
        here = reading.hexes[other]
        if here.terrain == SEA or here.owner == reading.seat:
            continue
        distance = reading.map.distance(spot, other)
        worth = min(60.0, reading.worth_of_hex(other))
        total = max(total, worth / LAND / distance) + (0.2 if distance == 1 else 0)
    return total


def station_hero(reading: Reading, offers: Sequence[Offer], dice: Dice) -> Action:
    offer = offered(offers, Place.do)
    assert isinstance(offer, Placements)
    (tag,) = offer.creatures
    return Place((tag,), (max(offer.room, key=lambda spot: (station_liking(reading, spot), spot)),))


KEEPING = {"treasure": 9.0, "event": 6.0, "magic": 7.0}


def keeping(reading: Reading, counter: Face) -> float:
    """How gladly a counter is kept on a full rack."""
    kind = KINDS[counter.kind]
    if kind.sort in KEEPING:
        return KEEPING[kind.sort]
    return (0.0 if is_useless(reading, counter) else 3.0) + 0.1 * kind.value


def full_rack(reading: Reading, offers: Sequence[Offer], dice: Dice) -> Action:
    """Play what can be played; then the least useful goes."""
    placed = place(reading, offers, dice)
    if not isinstance(placed, Done):
        return placed
    offer = offered(offers, Discard.do)
    assert isinstance(offer, Some)
    ranked = sorted(reading.rack, key=lambda counter: (keeping(reading, counter), counter.tag))
    return Discard(tuple(counter.tag for counter in ranked[: offer.most]))


# ---- treasure (5.3)


def treasure_to_cash(reading: Reading, offers: Sequence[Offer], wanted: int) -> Action | None:
    """Treasure becomes gold while there is something to buy with it."""
    if reading.gold >= wanted:
        return None
    for offer in offers:
        if offer.do == Cash.do and isinstance(offer, OneOf):
            return Cash(min(offer.choices, key=lambda tag: (KINDS[kind_of(reading, tag)].gold, tag)))
    return None


# ---- construction (12)


def build(reading: Reading, offers: Sequence[Offer], dice: Dice) -> Action:
    """The citadel if it may be built; else the capital up to a castle, then income everywhere."""
    wanted = FORT_PRICE * (len(other_sites(reading)) + is_citadel_near(reading))
    cashed = treasure_to_cash(reading, offers, wanted)
    if cashed is not None:
        return cashed
    places = choices(offers, Build.do)
    castles = [spot for spot in places if reading.hexes[spot].fort == CASTLE]
    if castles:
        return Build(max(castles, key=lambda spot: (citadel_liking(reading, spot), spot)))
    if must_keep(reading) and reading.income >= reading.view.citadel_income:
        places = () if reading.gold < 2 * FORT_PRICE else places
    spare = reading.gold - (0 if reading.income < reading.view.citadel_income + 4 else 25)
    if not places or spare < FORT_PRICE:
        return Done()
    seat_of_power = capital(reading)
    return Build(max(places, key=lambda spot: (spot == seat_of_power, build_liking(reading, spot), spot)))


def citadel_liking(reading: Reading, spot: str) -> float:
    return safety(reading, spot) + 0.8 * len(reading.army(reading.seat, spot))


def capital(reading: Reading) -> str:
    """The hex that is to hold the citadel: the highest fort, the safest of those."""
    return max(reading.land, key=lambda spot: (reading.hexes[spot].fort, safety(reading, spot), spot))


def build_liking(reading: Reading, spot: str) -> float:
    """Where special income and creatures are to be protected, and nobody will come."""
    counter = reading.income_counter(spot)
    worth = 2.0 * KINDS[counter.kind].gold if counter is not None else 0.0
    return worth + safety(reading, spot) + 0.5 * len(reading.army(reading.seat, spot))
