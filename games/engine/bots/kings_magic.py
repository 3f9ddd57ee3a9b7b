"""The steward's events, items and powers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..core.actions import Action
from ..core.dice import Dice
from ..core.offers import Exactly, Offer, OneOf
from ..core.view import Face
from ..kings.actions import Assassinate, Choose, Done, Lose, PlayEvent, Steal
from ..kings.battle import FORT
from ..kings.catalogue import CITADEL, KINDS, SEA
from ..kings.offers import Defections, LossLists, Spells
from .kings_reading import Reading, price
from .kings_realm import choices, hero_worth, kind_of, safety

# ---- random events (14)


def event(reading: Reading, offers: Sequence[Offer], dice: Dice) -> Action:
    """The event that brings most, if it brings anything."""
    best: tuple[float, Action] = (1.0, Done())
    for offer in offers:
        if offer.do == PlayEvent.do:
            found = event_of(reading, offer)
            if found is not None and found[0] > best[0]:
                best = found
    return best[1]


def event_of(reading: Reading, offer: Offer) -> tuple[float, Action] | None:
    if isinstance(offer, Defections):
        return defection(reading, offer)
    if isinstance(offer, Spells):
        spell = juju if kind_of(reading, offer.event) == "big_juju" else weather
        return spell(reading, offer)
    if isinstance(offer, Exactly):
        action = offer.action
        assert isinstance(action, PlayEvent)
        return PLAIN[kind_of(reading, action.event)](reading), action
    assert isinstance(offer, OneOf)
    tag = offer.fixed["event"]
    liking = AIMED[kind_of(reading, tag)]
    target = max(offer.choices, key=lambda each: (liking(reading, each), each))
    return liking(reading, target), PlayEvent(tag, target)


def harvest(reading: Reading) -> float:
    return float(reading.income)


def mother_lode(reading: Reading) -> float:
    income = reading.me.income
    return 2.0 * income.counters if income is not None else 0.0


def plague(reading: Reading) -> float:
    """Good when the others lose more than I do."""
    losses = {seat: plague_losses_of(reading, seat) for seat in (reading.seat, *reading.others)}
    own = losses.pop(reading.seat)
    return 3.0 * (max(losses.values()) - own)


def plague_losses_of(reading: Reading, seat: int) -> int:
    total = 0
    for spot, here in reading.hexes.items():
        if here.owner == seat:
            town = reading.income_counter(spot)
            toll = here.fort + (KINDS[town.kind].value if town is not None else 0)
            total += min(toll, len(reading.army(seat, spot)))
    return total


def workers(reading: Reading, spot: str) -> float:
    fort = reading.hexes[spot].fort
    return 6.0 + fort + 0.1 * safety(reading, spot)


def vandals_on(reading: Reading, seat: str) -> float:
    return 2.0 + 0.1 * reading.danger(int(seat))


def pox_on(reading: Reading, seat: str) -> float:
    """Worst for large stacks."""
    if int(seat) == reading.seat:
        return 0.0
    largest = max(len(reading.army(int(seat), spot)) + reading.hexes[spot].fort for spot in reading.hexes)
    return 1.0 + largest + 0.1 * reading.danger(int(seat))


def disaster_on(reading: Reading, spot: str) -> float:
    """A rival's full hex; the die goes on to other hexes of the terrain, so few of mine should be of it."""
    here = reading.hexes[spot]
    if here.owner in (None, reading.seat):
        return 0.0
    own = sum(reading.hexes[mine].terrain == here.terrain for mine in reading.land)
    stake = 1.0 + min(4, len(reading.army(here.owner, spot)) + (here.fort if here.fort != CITADEL else 0))
    return stake - 0.5 * own + 0.05 * reading.danger(here.owner)


PLAIN = {"good_harvest": harvest, "mother_lode": mother_lode, "dark_plague": plague}
AIMED = {
    "willing_workers": workers,
    "vandals": vandals_on,
    "teeniepox": pox_on,
    "terrain_disaster": disaster_on,
}


def defection(reading: Reading, offer: Defections) -> tuple[float, Action] | None:
    """A rival's hero is worth more than one in the pool: the rival loses it."""
    found: list[tuple[float, str, str]] = []
    for tag in offer.pool:
        found.append((0.44 * hero_worth(reading, KINDS[kind_of(reading, tag)]), tag, offer.rollers[0]))
    for tag in offer.owned:
        found.append((0.44 * 1.6 * hero_worth(reading, KINDS[kind_of(reading, tag)]), tag, ""))
    served = any(KINDS[hero.kind].lord_of for hero in reading.heroes_of(reading.seat))
    found = [each for each in found if not (served and KINDS[kind_of(reading, each[1])].lord_of)]
    if not found:
        return None
    worth, tag, roller = max(found)
    return worth, PlayEvent(offer.event, tag, roller)


def juju(reading: Reading, offer: Spells) -> tuple[float, Action] | None:
    """A rival's hex with a fort or income in it may sink, or lose its income; its terrain may be their only one."""

    def liking(spot: str) -> float:
        here = reading.hexes[spot]
        if here.owner in (None, reading.seat):
            return 0.0
        counter = reading.income_counter(spot)
        same = sum(h.owner == here.owner and h.terrain == here.terrain for h in reading.hexes.values())
        worth = 1.0 * here.fort + (2.0 * KINDS[counter.kind].gold if counter is not None else 0.0)
        return worth + (4.0 if same == 1 else 0.0) + 0.05 * reading.danger(here.owner)

    return best_spell(reading, offer, liking)


def weather(reading: Reading, offer: Spells) -> tuple[float, Action] | None:
    """The Black Cloud over a rival's strongest hex, best where I might attack."""

    def liking(spot: str) -> float:
        here = reading.hexes[spot]
        if here.owner in (None, reading.seat):
            return 0.0
        near = any(reading.army(reading.seat, other) for other in reading.map.within(spot, 2))
        stake = len(reading.army(here.owner, spot)) + here.fort
        return 0.5 * stake * (2.0 if near else 1.0) + (4.0 if here.fort == CITADEL else 0.0)

    return best_spell(reading, offer, liking)


def best_spell(reading: Reading, offer: Spells, liking: Callable[[str], float]) -> tuple[float, Action] | None:
    casters = [tag for tag in offer.reach if is_trusty(reading, tag)]
    found = [(liking(spot), spot, tag) for tag in casters for spot in offer.reach[tag]]
    if not found:
        return None
    worth, spot, tag = max(found)
    return worth, PlayEvent(offer.event, spot, tag)


def is_trusty(reading: Reading, tag: str) -> bool:
    counter = reading.by_tag[tag]
    return isinstance(counter, Face) and reading.supports(KINDS[counter.kind], counter.place)


# ---- what events ask of one


def disaster(reading: Reading, offers: Sequence[Offer], dice: Dice) -> Action:
    """The next hex of the terrain: a rival's, then nobody's, mine last."""

    def liking(spot: str) -> float:
        owner = reading.hexes[spot].owner
        return -5.0 if owner == reading.seat else 0.0 if owner is None else 1.0 + disaster_on(reading, spot)

    return Choose(max(choices(offers), key=lambda spot: (liking(spot), spot)))


def which_stack(reading: Reading, offers: Sequence[Offer], dice: Dice) -> Action:
    """The stack whose loss hurts least."""

    def pain(spot: str) -> float:
        army = reading.army(reading.seat, spot)
        return sum(price(KINDS[c.kind]) for c in army if isinstance(c, Face)) + 5 * reading.hexes[spot].fort

    return Choose(min(choices(offers), key=lambda spot: (pain(spot), spot)))


def cheapest(reading: Reading, offer: LossLists, walls_last: bool = False) -> Lose:
    """Who is given up: bluffs, then the cheapest. In battle walls come first, they stand again afterwards (11.73)."""

    def cost(tag: str) -> tuple[float, str]:
        if tag == FORT:
            return 90.0 if walls_last else -2.0, tag
        counter = reading.by_tag.get(tag)
        if not isinstance(counter, Face):
            return 5.0, tag
        kind = KINDS[counter.kind]
        if kind.slug == "firewall":
            return -3.0, tag
        if kind.sort == "income":
            return 95.0 if walls_last else -1.0, tag
        if kind.sort == "magic":
            return 12.0 if kind.slug == "golem" else 4.5, tag
        bluff = counter.owner == reading.seat and not reading.supports(kind, counter.place)
        return 0.0 if bluff else price(kind) + 20 * bool(kind.lord_of), tag

    return offer.by_preference(sorted(offer.targets, key=cost))


def event_losses(reading: Reading, offers: Sequence[Offer], dice: Dice) -> Action:
    for offer in offers:
        if isinstance(offer, LossLists):
            return cheapest(reading, offer, walls_last=True)
    return Done()


def vandals(reading: Reading, offers: Sequence[Offer], dice: Dice) -> Action:
    """The lowest and least safe; a castle that is to become the citadel stays."""
    return Choose(min(choices(offers), key=lambda spot: (reading.hexes[spot].fort, safety(reading, spot), spot)))


def which_terrain(reading: Reading, offers: Sequence[Offer], dice: Dice) -> Action:
    """Land, and of a terrain that is not there yet."""
    waiting = [KINDS[counter.kind].terrain for counter in reading.rack]
    order = [t for t in choices(offers) if t != SEA] or list(choices(offers))
    return Choose(max(order, key=lambda terrain: (terrain not in reading.terrains, waiting.count(terrain), terrain)))


def escape(reading: Reading, offers: Sequence[Offer], dice: Dice) -> Action:
    """To where there is room."""
    return Choose(min(choices(offers), key=lambda spot: (len(reading.army(reading.seat, spot)), spot)))


# ---- special powers (13)


def steal(reading: Reading, offers: Sequence[Offer], dice: Dice) -> Action:
    victims: Sequence[int] = [int(each) for each in choices(offers, Steal.do)]
    seats = {seat: reading.seat_view(seat) for seat in victims}
    return Steal(max(victims, key=lambda seat: (max(seats[seat].gold, 4 if seats[seat].rack else 0), -seat)))


def loot(reading: Reading, offers: Sequence[Offer], dice: Dice) -> Action:
    other = reading.view.doing[-1].get("other", reading.leader)
    rich = reading.seat_view(other).gold >= 4
    return Choose("gold" if rich or "counter" not in choices(offers) else "counter")


def assassinate(reading: Reading, offers: Sequence[Offer], dice: Dice) -> Action:
    """Heroes, and counters that stand alone, first; best where an attack would follow."""

    def liking(spot: str) -> float:
        owner = reading.hexes[spot].owner
        pieces = [c for c in reading.at.get(spot, ()) if reading.marches(c) and c.owner != reading.seat]
        if owner is None or not pieces:
            return -1.0
        heroes = sum(isinstance(c, Face) and KINDS[c.kind].sort == "hero" for c in pieces)
        share = 1.0 if len(pieces) == 1 else 0.6
        return share * (2.0 + 3.0 * bool(heroes)) + 0.05 * reading.danger(owner) + 2.0 * (spot in reading.citadels)

    spots = choices(offers, Assassinate.do)
    best = max(spots, key=lambda spot: (liking(spot), spot))
    return Assassinate(best) if liking(best) > 0 else Done()


def victim(reading: Reading, offers: Sequence[Offer], dice: Dice) -> Action:
    """Mine least of all; as the Assassin's master the best of the others'."""

    def worth(tag: str) -> float:
        counter = reading.by_tag.get(tag)
        value = price(KINDS[counter.kind]) if isinstance(counter, Face) else 6.0
        return value if counter is not None and counter.owner != reading.seat else -value

    return Choose(max(choices(offers), key=lambda tag: (worth(tag), tag)))
