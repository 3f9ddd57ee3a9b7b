"""The steward in exploration and battle: bribes, magic, losses, retreats, and answers to what others do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core.actions import Action
from ..core.dice import Dice
from ..core.offers import Exactly, Offer, OneOf
from ..core.view import Face
from ..kings.actions import Bribe, Choose, Done, Engage, PlayItem, RemoveIncome, Retreat, Reveal
from ..kings.battle import FORT
from ..kings.catalogue import CITADEL, KINDS
from ..kings.offers import Bribes, Charms, LossLists, Retreats
from ..kings.terms import WILD as WILD_SIDE
from .kings_magic import cheapest
from .kings_odds import MAGIC, MELEE, Fighter, chance, fighter, fought, walls
from .kings_reading import Reading, price
from .kings_realm import choices, kind_of, must_keep, offered

GOOD, BAD, HOPELESS = 0.85, 0.3, 0.15


def frame_of(reading: Reading, *names: str) -> dict[str, Any]:
    """What is shown of the uppermost procedure of one of these names."""
    return next((each for each in reversed(reading.view.doing) if each["frame"] in names), {})


# ---- forces of a battle


def force(reading: Reading, side: int, spot: str) -> list[Fighter]:
    """Creatures, heroes, walls and magic of one side; the wild side has no owner."""
    owner = None if side == WILD_SIDE else side
    found = reading.fighters(reading.army(owner, spot), spot)
    if reading.hexes[spot].owner == owner:
        found += reading.walls_of(spot)
    battle = frame_of(reading, "battle")
    for each in reading.at.get(spot, ()):
        if isinstance(each, Face) and each.owner == owner and KINDS[each.kind].sort == "magic":
            if each.kind in ("golem", "balloon"):
                found.append(fighter(KINDS[each.kind], reading.value_in(each, spot)))
            elif each.kind == "firewall":
                found += walls(battle.get("firewall", 0), MAGIC, reading.value_in(each, spot))
    return found


def value_of(reading: Reading, tag: str) -> int:
    """The combat value a counter in sight has now."""
    face = reading.by_tag[tag]
    assert isinstance(face, Face)
    return reading.value_in(face, face.place)


def my_side(reading: Reading, battle: dict[str, Any]) -> int:
    return reading.seat if reading.seat in (*battle["attackers"], battle["defender"]) else WILD_SIDE


def is_mine(reading: Reading, battle: dict[str, Any]) -> bool:
    """A battle in which I decide for a side; others' battles are left alone."""
    return reading.seat in (*battle["attackers"], battle["defender"], battle["runner"])


def odds(reading: Reading) -> float:
    """My chance in the battle under way, taking all others as one."""
    battle = frame_of(reading, "battle")
    if not battle:
        return 0.5
    side = my_side(reading, battle)
    theirs: list[Fighter] = []
    for other in (*battle["attackers"], battle["defender"]):
        if other != side:
            theirs += force(reading, other, battle["place"])
    return chance(force(reading, side, battle["place"]), theirs)


def matters(reading: Reading) -> bool:
    """A citadel is at stake."""
    battle = frame_of(reading, "battle")
    return bool(battle) and reading.hexes[battle["place"]].fort == CITADEL


# ---- segments and exploration


def engage(reading: Reading, offers: Sequence[Offer], dice: Dice) -> Action:
    """Citadels first, then what is surest: its survivors cannot be lost elsewhere."""

    def liking(spot: str) -> float:
        own = force(reading, reading.seat, spot)
        return chance(own, reading.defence(spot)) + (2.0 if reading.hexes[spot].fort == CITADEL else 0.0)

    return Engage(max(choices(offers, Engage.do), key=lambda spot: (liking(spot), spot)))


def which_income(reading: Reading, offers: Sequence[Offer], dice: Dice) -> Action:
    """The one that fights for the wild side stays."""
    return Choose(max(choices(offers), key=lambda tag: (KINDS[kind_of(reading, tag)].value, tag)))


def arm(reading: Reading, offers: Sequence[Offer], dice: Dice) -> Action:
    """The wild defenders' best gets the Bow or the Sword."""
    offer = offered(offers, PlayItem.do)
    if not isinstance(offer, OneOf):
        return Done()
    best = max(offer.choices, key=lambda tag: (price(KINDS[kind_of(reading, tag)]), tag))
    return PlayItem(offer.fixed["item"], best)


def bribe(reading: Reading, offers: Sequence[Offer], dice: Dice) -> Action:
    """Pay where fighting would cost more: by and by the defender with the best ratio, while that pays."""
    offer = offered(offers, Bribe.do)
    assert isinstance(offer, Bribes)
    spot = frame_of(reading, "explore")["place"]
    gold = offer.gold - must_keep(reading)
    ours = force(reading, reading.seat, spot)
    left = dict(offer.prices)
    paid: list[str] = []
    while left:
        loss = cost_of_fight(reading, ours, left, spot)
        options = []
        for tag in left:
            rest = {other: asked for other, asked in left.items() if other != tag}
            gain = loss - cost_of_fight(reading, ours, rest, spot)
            options.append((gain - left[tag], tag))
        best, tag = max(options)
        everybody = sum(left.values())
        if everybody <= min(gold, loss):
            return Bribe((*paid, *left))
        if best <= 0 or left[tag] > gold:
            break
        gold -= left.pop(tag)
        paid.append(tag)
    return Bribe(tuple(paid))


def cost_of_fight(reading: Reading, ours: list[Fighter], left: dict[str, int], spot: str) -> float:
    """What fighting these defenders would cost: counters that fall, and the hex if they win."""
    theirs: list[Fighter] = []
    for tag in left:
        kind, value = KINDS[kind_of(reading, tag)], value_of(reading, tag)
        theirs += walls(value, MELEE) if kind.sort == "income" else [fighter(kind, value, reading.items.get(tag, ""))]
    if not theirs:
        return 0.0
    lost, _ = fought(ours, theirs, 3)
    return 4.5 * lost + (1 - chance(ours, theirs)) * reading.worth_of_hex(spot) * 1.2


# ---- magic in battle


def ready(reading: Reading, offers: Sequence[Offer], dice: Dice) -> Action:
    """Items are brought where the battle is open, or where a citadel is at stake."""
    battle = frame_of(reading, "battle")
    wild = my_side(reading, battle) == WILD_SIDE  # their magic costs nothing
    hopeful = wild or 0.08 < odds(reading) < 0.93 or matters(reading)
    return (item_to_play(reading, offers) if hopeful else None) or Done()


def item_to_play(reading: Reading, offers: Sequence[Offer]) -> Action | None:
    for offer in offers:
        if offer.do != PlayItem.do or offer.aside:
            continue
        if isinstance(offer, Exactly):
            return offer.action
        if isinstance(offer, OneOf):
            bow = kind_of(reading, offer.fixed["item"]) == "bow"
            best = max(offer.choices, key=lambda tag: (gain_by_item(reading, tag, bow), tag))
            return PlayItem(offer.fixed["item"], best)
    return None


def gain_by_item(reading: Reading, tag: str, bow: bool) -> float:
    """The Bow shoots a point better, the Sword charges a point better; a magic creature would lose its step."""
    counter = reading.by_tag[tag]
    if not isinstance(counter, Face):
        return 0.0
    kind, now = KINDS[counter.kind], value_of(reading, tag)
    value = min(6, now + 1)
    after = value if bow else 2 * value
    before = now * (2 if kind.charges else 1)
    return after - before - (2.0 if kind.uses_magic or (kind.shoots and not bow) else 0.0)


def dust(reading: Reading, offers: Sequence[Offer], dice: Dice) -> Action:
    """Send the strongest attacker away from a battle that looks bad."""
    plays = [offer for offer in offers if offer.do == PlayItem.do and isinstance(offer, OneOf)]
    offer = next((each for each in plays if kind_of(reading, each.fixed["item"]) == "dust_of_defense"), None)
    if offer is None:
        return Done()  # other magic can wait for the round
    battle = frame_of(reading, "battle")
    if my_side(reading, battle) != WILD_SIDE and odds(reading) > (0.75 if matters(reading) else 0.5):
        return Done()
    power = {side: sum(each[1] for each in force(reading, int(side), battle["place"])) for side in offer.choices}
    return PlayItem(offer.fixed["item"], max(power, key=lambda side: (power[side], side)))


def warlord(reading: Reading, offers: Sequence[Offer], dice: Dice) -> Action:
    """The creature for which value and odds are best; one that joins me and stays is worth twice."""

    def liking(tag: str) -> float:
        kind = KINDS[kind_of(reading, tag)]
        return kind.value * (7 - value_of(reading, tag)) * (2.0 if reading.supports(kind) else 1.0)

    return Choose(max(choices(offers), key=lambda tag: (liking(tag), tag)))


def target(reading: Reading, offers: Sequence[Offer], dice: Dice) -> Action:
    """Against a rival's citadel its owner; else the side that is beaten soonest."""
    battle = frame_of(reading, "battle")
    spot = battle["place"]
    ours = force(reading, reading.seat, spot)
    owner = reading.hexes[spot].owner

    def liking(side: str) -> float:
        citadel = reading.hexes[spot].fort == CITADEL and int(side) == owner
        return chance(ours, force(reading, int(side), spot)) + (1.0 if citadel else 0.0)

    return Choose(max(choices(offers), key=lambda side: (liking(side), side)))


def aim(reading: Reading, offers: Sequence[Offer], dice: Dice) -> Action:
    """Five sixths of a hit of their choice, or a third of one of mine (pull-out)."""
    battle = frame_of(reading, "battle")
    foes = [c for c in reading.at.get(battle["place"], ()) if c.owner != reading.seat and reading.marches(c)]
    prices = [price(KINDS[c.kind]) for c in foes if isinstance(c, Face)]
    cheap = min(prices, default=0.0)
    if reading.walls_of(battle["place"]) and reading.hexes[battle["place"]].owner != reading.seat:
        cheap = min(cheap, 2.0)
    return Choose("2" if 2 * max(prices, default=0.0) > 5 * cheap else "5")


def aimed_hit(reading: Reading, offers: Sequence[Offer], dice: Dice) -> Action:
    """On whoever will be missed most."""

    def worth(tag: str) -> float:
        counter = None if tag == FORT else reading.by_tag.get(tag)
        return price(KINDS[counter.kind]) if isinstance(counter, Face) else 1.0

    return Choose(max(choices(offers), key=lambda tag: (worth(tag), tag)))


# ---- losses and retreats


def losses(reading: Reading, offers: Sequence[Offer], dice: Dice) -> Action:
    """Magic where the battle is open, and always against hits that would take all; else the cheapest fall."""
    battle = frame_of(reading, "battle")
    lists = [offer for offer in offers if isinstance(offer, LossLists)]
    all_fall = all(offer.count >= sum(offer.targets.values()) for offer in lists)
    item = item_to_play(reading, offers)
    if battle and item is not None and (all_fall or odds(reading) < 0.8):
        return item
    for offer in offers:
        if isinstance(offer, LossLists):
            return cheapest(reading, offer)
    return Done()


def too_many(reading: Reading, offers: Sequence[Offer], dice: Dice) -> Action:
    """The limit of ten, and flyers that have to stay: the least useful."""
    return losses(reading, [offer for offer in offers if isinstance(offer, LossLists)], dice)


def retreat(reading: Reading, offers: Sequence[Offer], dice: Dice) -> Action:
    """Go when it looks bad, unless everything hangs on this hex; a defender has more to lose."""
    offer = offered(offers, Retreat.do)
    if not isinstance(offer, Retreats):
        return Done()
    battle = frame_of(reading, "battle")
    forced = not any(other.do == Done.do for other in offers)
    defends = battle["defender"] == reading.seat
    limit = HOPELESS if defends else BAD
    if not forced and (matters(reading) or odds(reading) > limit):
        return Done()

    def liking(spot: str) -> tuple[float, str]:
        return 2.0 * reading.hexes[spot].fort + min(6, len(reading.army(reading.seat, spot))), spot

    on_foot = max(offer.places, key=liking) if offer.places else ""
    return Retreat(on_foot, max(offer.balloon, key=liking) if offer.balloon else "")


def endangered_income(reading: Reading, offers: Sequence[Offer], dice: Dice) -> Action:
    """What is as good as lost is kept from the enemy; what can fight stays and fights."""
    for tag in choices(offers, RemoveIncome.do):
        counter = reading.by_tag[tag]
        assert isinstance(counter, Face)
        ours = force(reading, reading.seat, counter.place)
        if chance(ours, reading.defence(counter.place)) < 0.3 and not KINDS[counter.kind].value:
            return RemoveIncome(tag)
    return Done()


# ---- showing counters (9.23, 9.31)


def proof(reading: Reading, offers: Sequence[Offer], dice: Dice) -> Action:
    """The least telling of those that pin."""
    tags = choices(offers, Reveal.do)
    return Reveal((min(tags, key=lambda tag: (KINDS[kind_of(reading, tag)].value, tag)),) if tags else ())


def hold_flyers(reading: Reading, offers: Sequence[Offer], dice: Dice) -> Action:
    tags = choices(offers, Reveal.do)
    held = [tag for tag in tags if is_supported(reading, tag)]
    passing = len(frame_of(reading, "passing").get("flyers", ()))
    return Reveal(tuple(held[:passing]))


def is_supported(reading: Reading, tag: str) -> bool:
    counter = reading.by_tag[tag]
    return isinstance(counter, Face) and reading.supports(KINDS[counter.kind], counter.place)


# ---- reactions (R1)


def react(reading: Reading, offers: Sequence[Offer], dice: Dice) -> Action:
    """By what has just happened: a roll, an item, magic creatures, a cloud, an illness."""
    plays = [offer for offer in offers if offer.do == PlayItem.do and not offer.aside]
    below = reading.view.doing[-2] if len(reading.view.doing) > 1 else {}
    for offer in plays:
        if isinstance(offer, Charms):
            found = charm(reading, offer, below)
        else:
            found = answer(reading, offer, below)
        if found is not None:
            return found
    return Done()


def answer(reading: Reading, offer: Offer, below: dict[str, Any]) -> Action | None:
    item = item_of(offer)
    kind = kind_of(reading, item)
    if kind == "elixir":
        return PlayItem(item)
    if kind == "fan":
        return fan(reading, offer, item, below)
    return dispel(reading, offer, item, below)


def item_of(offer: Offer) -> str:
    if isinstance(offer, Exactly) and isinstance(offer.action, PlayItem):
        return offer.action.item
    assert isinstance(offer, OneOf)
    return str(offer.fixed["item"])


def fan(reading: Reading, offer: Offer, item: str, below: dict[str, Any]) -> Action | None:
    """Against what is meant for me: off with the Cloud, the Balloon out to sea, the Dust nowhere."""
    if below.get("frame") == "played":
        meant = below.get("target", "")
        if below["kind"] == "dust_of_defense":
            return PlayItem(item) if meant == str(reading.seat) else None
        if meant not in reading.hexes or reading.hexes[meant].owner != reading.seat:
            return None
        assert isinstance(offer, OneOf)
        return PlayItem(item, min(offer.choices, key=lambda spot: (blown_to(reading, spot), spot)))
    if reading.view.cloud in reading.own and isinstance(offer, OneOf):
        near = [p for p in offer.choices if p in reading.hexes and reading.hexes[p].owner not in (None, reading.seat)]
        return PlayItem(item, max(near, key=lambda p: (reading.worth_of_hex(p), p)) if near else "off")
    return None


def blown_to(reading: Reading, spot: str) -> int:
    here = reading.hexes[spot]
    return 0 if here.terrain == "sea" else 1 if here.owner != reading.seat else 2


def dispel(reading: Reading, offer: Offer, item: str, below: dict[str, Any]) -> Action | None:
    """An item used against me in battle, or a Charm; or two magic creatures that would strike before mine."""
    battle = frame_of(reading, "battle")
    if battle and not is_mine(reading, battle):
        return None
    if below.get("frame") == "played":
        against = battle and below.get("seat") not in (reading.seat, None)
        helps = battle and below.get("seat") == WILD_SIDE and my_side(reading, battle) == WILD_SIDE
        return PlayItem(item) if against and not helps and odds(reading) < 0.9 else None
    if not battle or not isinstance(offer, OneOf) or odds(reading) > GOOD:
        return None
    counts = {side: magic_of(reading, int(side), battle["place"]) for side in offer.choices}
    best = max(counts, key=lambda side: (counts[side], side))
    return PlayItem(item, best) if counts[best] >= 0.6 else None


def magic_of(reading: Reading, side: int, spot: str) -> float:
    """Hits a round that come in the Magic step."""
    return sum(each[1] for each in force(reading, side, spot) if each[0] == 0)


def charm(reading: Reading, offer: Charms, roll: dict[str, Any]) -> Action | None:
    """One die or total that is one off."""
    found = [change for change in charm_wishes(reading, roll) if change in offer.choices]
    if not found:
        return None
    thrower, die, change = found[0]
    return PlayItem(offer.item, thrower=thrower, die=die, change=change)


def charm_wishes(reading: Reading, roll: dict[str, Any]) -> list[tuple[int, int, int]]:
    """(whose dice, which die, one more or less), best first."""
    why, throwers = roll.get("why"), list(roll.get("throwers", ()))
    mine = throwers.index(reading.seat) if reading.seat in throwers else -1
    if why in ("magic", "ranged", "melee"):
        return battle_wishes(reading, roll, throwers)
    if why == "explore" and mine >= 0:
        return {2: [(mine, 0, -1)], 5: [(mine, 0, 1)]}.get(roll["faces"][mine][0], [])
    if why == "recruit" and mine >= 0:
        return recruit_wishes(reading, roll, mine)
    if why in ("contest", "defection") and mine >= 0:
        totals = [sum(faces) + bonus for faces, bonus in zip(roll["faces"], roll["bonus"])]
        ahead = totals[mine] - totals[1 - mine]
        wanted = 0 if mine == 0 else -1  # the one who acts must be ahead
        return [(mine, 0, 1)] if ahead == wanted else []
    return []


def recruit_wishes(reading: Reading, roll: dict[str, Any], mine: int) -> list[tuple[int, int, int]]:
    attempt = frame_of(reading, "hero_attempt")
    wish = 2 * KINDS[kind_of(reading, attempt["hero"])].value - attempt["gold"] // 5
    return [(mine, 0, 1)] if sum(roll["faces"][mine]) + roll["bonus"][mine] == wish - 1 else []


def battle_wishes(reading: Reading, roll: dict[str, Any], throwers: list[int]) -> list[tuple[int, int, int]]:
    """A miss of mine by one, or a hit of theirs by none, in a battle that is not yet decided."""
    battle = frame_of(reading, "battle")
    if not battle or not is_mine(reading, battle) or not 0.1 < odds(reading) < 0.9:
        return []
    side = my_side(reading, battle)
    found = []
    for thrower, (faces, needs) in enumerate(zip(roll["faces"], roll["needs"])):
        for die, (face, need) in enumerate(zip(faces, needs)):
            if throwers[thrower] == side and face == need + 1:
                found.append((thrower, die, -1))
            elif throwers[thrower] != side and face == need:
                found.append((thrower, die, 1))
    return found
