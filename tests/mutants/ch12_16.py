"""Faults in ends, forts, heroes, events, magic, small tables, reactions and undo (12 to 16, W, P, X, R)."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from games.engine.core.events import EVERYONE
from games.engine.kings.battle import FORT
from games.engine.kings.catalogue import CITADEL, KINDS
from games.engine.kings.events import Fell, FirewallRaised
from games.engine.kings.flow.base import frame_named
from games.engine.kings.flow.battle_magic import BringsMagic
from games.engine.kings.flow.events import EventChoice
from games.engine.kings.flow.losses import has_talisman
from games.engine.kings.income import Income, income, income_counter
from games.engine.kings.no_choice import NothingToMove
from games.engine.kings.powers.events import aimed
from games.engine.kings.powers.magic import held
from games.engine.kings.stacks import army
from games.engine.kings.state import CUP, GONE
from games.engine.kings.victory import wins_with_one

from . import Mutant, always, instead, nothing

ENGINE = "games.engine.kings"
BATTLE = f"{ENGINE}.battle"
FLOW = f"{ENGINE}.flow"
EVENTS = f"{ENGINE}.flow.events"
MARCH = f"{ENGINE}.flow.march"
POWERS = f"{ENGINE}.flow.powers"
ROLL = f"{ENGINE}.flow.roll"
SPELLS = f"{ENGINE}.powers.events"
ITEMS = f"{ENGINE}.powers.magic"
STATE = f"{ENGINE}.state:KingsState"

ENDS = "04_winning/ends.txt"
BUILDING, FORTS_FIGHT = "12_forts/building.txt", "12_forts/in_battle.txt"
PLAIN, LORDS = "13_heroes/plain_fighters.txt", "13_heroes/lords.txt"
IN_BATTLE, ON_MAP, SPECIAL = (
    "13_heroes/powers_in_battle.txt",
    "13_heroes/on_the_map.txt",
    "13_heroes/special_powers.txt",
)
GOLD_EVENTS, DISASTERS = "14_events/gold_and_forts.txt", "14_events/disasters.txt"
DEFECTION, SPELLS_CAST, CLOUD = "14_events/defection.txt", "14_events/spells.txt", "14_events/black_cloud.txt"
BALLOON, BOW, DUST = "15_magic/balloon.txt", "15_magic/bow_and_sword.txt", "15_magic/dust_and_fan.txt"
GOLEM, ANSWERS = "15_magic/golem_talisman_firewall.txt", "15_magic/charm_scroll_elixir.txt"
SCROLL, RETREAT = "15_magic/scroll_in_battle.txt", "15_magic/golem_and_retreat.txt"
LAST_HIT, ANY_QUESTION = "15_magic/last_hit.txt", "15_magic/at_any_question.txt"
WILD_MAGIC, FOR_GOOD = "15_magic/wild_defenders.txt", "15_magic/true_elimination.txt"
SMALL = "16_fewer_players/board_and_order.txt"
WINDOWS, ORDERS, UNASKED = "reactions/windows.txt", "reactions/standing_orders.txt", "reactions/no_question.txt"
DOCTRINE = "reactions/doctrine.txt"
HELPS = "reactions/when_it_helps.txt"
NO_CHOICE = "reactions/no_choice.txt"
ONE_ANSWER, NOTHING_MORE = "reactions/one_answer.txt", "reactions/nothing_more.txt"
UNDO = "undo/undo.txt"

Change = Callable[[Any], Any]


def then(afterwards: Callable[..., None]) -> Change:
    """The step is done; then something is spoilt."""

    def change(original: Any) -> Any:
        def spoilt(*args: Any, **kwargs: Any) -> Any:
            found = original(*args, **kwargs)
            afterwards(*args)
            return found

        return spoilt

    return change


def printed(slug: str, **values: Any) -> Change:
    """A counter with something else printed on it."""
    return instead({**KINDS, slug: dataclasses.replace(KINDS[slug], **values)})


def printed_wrong(rule: str, fault: str, scenarios: tuple[str, ...], slug: str, **values: Any) -> Mutant:
    return Mutant(rule, fault, f"{ENGINE}.catalogue:KINDS", printed(slug, **values), scenarios)


# ---- 4: ends


def wins_at_once(original: Any) -> Any:
    def wins(state: Any) -> bool:
        state.extras["sole"] = [next(iter(owners)), 0] if (owners := owners_of_citadels(state)) else None
        return bool(original(state))

    return wins


def owners_of_citadels(state: Any) -> list[int]:
    return [each.owner for each in state.hexes.values() if each.fort == CITADEL]


def won_before_anybody_builds(original: Any) -> Any:
    def build(frame: Any, state: Any) -> None:
        if not wins_with_one(state):
            original(frame, state)

    return build


def income_decides_alone(original: Any) -> Any:
    def ends(state: Any) -> bool:
        last = state.options["last_turn"]
        if last == "none" or state.extras["turn"] < int(last):
            return False
        best = max(state.order, key=lambda seat: income(state, seat).total)
        state.end([best], "last_turn")
        return True

    return ends


def any_yes_ends(original: Any) -> Any:
    def on_agree_end(rules: Any, state: Any, seat: int, action: Any) -> None:
        state.extras["proposal"] = {**state.extras["proposal"], "yes": list(state.order)}
        original(rules, state, seat, action)

    return on_agree_end


def everybody_votes(original: Any) -> Any:
    return lambda state: tuple(state.order)


def anybody_wins(original: Any) -> Any:
    return lambda state: (-1, *state.order)


def keeps_what_he_had(original: Any) -> Any:
    return lambda state, seat: state.change_seat(seat, out=True)


def living_players_count(original: Any) -> Any:
    return lambda state: 20 if len(state.order) == 4 else 15


def leaves_at_once(original: Any) -> Any:
    return lambda frame, state: frame.leave(state)


WINNING = [
    Mutant("W1", "a sole citadel wins as soon as it stands", f"{ENGINE}.victory:wins_with_one", wins_at_once, (ENDS,)),
    Mutant("W2", "who has nothing plays on", f"{ENGINE}.victory:has_nothing", always(False), (ENDS,)),
    Mutant("W3", "who resigns stays", f"{ENGINE}.leaving:remove_player", nothing, (ENDS,)),
    Mutant("W3", "procedures of a player who left go on", f"{ENGINE}.leaving:cut_short", nothing, (ENDS,)),
    Mutant("W4", "the last turn ends nothing", f"{ENGINE}.victory:ends_with_last_turn", always(False), (ENDS,)),
    Mutant("W4", "hexes and gold do not count", f"{ENGINE}.victory:ends_with_last_turn", income_decides_alone, (ENDS,)),
    Mutant("W4", "stewards vote", f"{ENGINE}.leaving:voters", everybody_votes, (ENDS,)),
    Mutant("W4", "anybody can be the winner", f"{ENGINE}.leaving:possible_winners", anybody_wins, (ENDS,)),
    Mutant("W4", "one who agrees is enough", f"{ENGINE}:Kings.on_agree_end", any_yes_ends, (ENDS,)),
    Mutant("X20", "gold and rack stay", f"{ENGINE}.victory:put_out", keeps_what_he_had, (ENDS,)),
    Mutant("X20", "the living are counted", f"{ENGINE}.income:needed_for_citadel", living_players_count, (ENDS,)),
    Mutant(
        "X26",
        "the citadel wins before the others have built",
        f"{ENGINE}.flow.turn:Turn.build",
        won_before_anybody_builds,
        (ENDS,),
    ),
    Mutant("X27", "nobody looks after a battle", f"{FLOW}.combat:Segment.after", leaves_at_once, (ENDS,)),
]


# ---- 12: forts


def anywhere(original: Any) -> Any:
    def why_not_higher(state: Any, seat: int, place: str, *, citadel: bool = True) -> str:
        code = original(state, seat, place, citadel=citadel)
        return "" if code == "not_your_hex" else str(code)

    return why_not_higher


def not_beside_income(original: Any) -> Any:
    def why_not_higher(state: Any, seat: int, place: str, *, citadel: bool = True) -> str:
        if place in state.hexes and income_counter(state, place) is not None:
            return "no_fort_left"
        return str(original(state, seat, place, citadel=citadel))

    return why_not_higher


def forget_what_was_built(frame: Any, *rest: Any) -> None:
    frame.built = []


def one_a_fort(original: Any) -> Any:
    def worth(state: Any, seat: int) -> Income:
        forts = sum(1 for place in state.owned(seat) if state.hexes[place].fort)
        return dataclasses.replace(original(state, seat), forts=forts)

    return worth


def one_hit_is_enough(original: Any) -> Any:
    def strike_down(state: Any, battle: Any, tag: str) -> None:
        if tag == FORT:
            state.change_hex(battle.place, damage=state.hexes[battle.place].fort - 1)
        original(state, battle, tag)

    return strike_down


FORTS = [
    Mutant("12", "a citadel is a fort like any other", f"{ENGINE}.income:needed_for_citadel", always(0), (BUILDING,)),
    Mutant("12.1", "forts are built anywhere", f"{ENGINE}.forts:why_not_higher", anywhere, (BUILDING,)),
    Mutant("12.11", "four gold are enough", f"{ENGINE}.forts:FORT_PRICE", instead(4), (BUILDING,)),
    Mutant(
        "12.12",
        "several levels a turn",
        f"{ENGINE}.flow.build:Building.on_build",
        then(forget_what_was_built),
        (BUILDING,),
    ),
    Mutant("12.13", "a fort or income, not both", f"{ENGINE}.forts:why_not_higher", not_beside_income, (BUILDING,)),
    Mutant("12.14", "the bank never runs out", f"{STATE}.forts_left", always(10), (BUILDING,)),
    Mutant("12.2", "every fort brings one gold", f"{ENGINE}.income:income", one_a_fort, (BUILDING,)),
    Mutant("12.3", "all forts fight in melee", f"{BATTLE}:fort_step", always("melee"), (FORTS_FIGHT,)),
    Mutant("12.4", "one hit neutralizes a fort", f"{FLOW}.losses:strike_down", one_hit_is_enough, (FORTS_FIGHT,)),
]


# ---- 13: heroes


def a_tie_can_be_won(original: Any) -> Any:
    def compare(frame: Any, state: Any) -> None:
        mine, theirs = frame.totals
        if frame.ties and mine > theirs:
            return
        original(frame, state)

    return compare


def the_assassin_decides(original: Any) -> Any:
    def decide(frame: Any, state: Any) -> None:
        original(frame, state)
        frame.second = frame.first

    return decide


def victims_are_everything(original: Any) -> Any:
    return lambda state, place: list(state.at(place))


def victims_of_the_owner(original: Any) -> Any:
    return lambda state, place: [
        n for n in original(state, place) if state.counters[n].owner == state.hexes[place].owner
    ]


def never_turned(original: Any) -> Any:
    return lambda state, number, turned=False: original(state, number)


def thief_takes_gold(original: Any) -> Any:
    def take(frame: Any, state: Any) -> None:
        frame.choice = "gold"
        original(frame, state)

    return take


def no_discount(original: Any) -> Any:
    return lambda offer, path, led: original(offer, path, False)


def nobody_is_bound(frame: Any, *rest: Any) -> None:
    frame.bound = []


def duke_is_no_baron(original: Any) -> Any:
    return lambda battle, state, hero: None if hero == "Grand Duke" else original(battle, state, hero)


def baron_is_no_duke(original: Any) -> Any:
    return lambda battle, state, hero: None if hero == "Baron Munchausen" else original(battle, state, hero)


def printed_value(original: Any) -> Any:
    return lambda calls, state: state.kind(calls.called).value


def unarmed(original: Any) -> Any:
    return lambda printed, **now: original(printed, **{**now, "is_armed": False})


def no_warlord(original: Any) -> Any:
    def warlord(battle: Any, state: Any) -> None:
        battle.is_over(state)

    return warlord


def no_parry(original: Any) -> Any:
    def savers_of(frame: Any, state: Any, battle: Any, side: int) -> list[str]:
        swordmaster = {
            state.counters[n].tag for n in army(state, side, battle.place) if state.counters[n].kind == "swordmaster"
        }
        return [tag for tag in original(frame, state, battle, side) if tag not in swordmaster]

    return savers_of


def parries_always(battle: Any, *rest: Any) -> None:
    battle.parried = []


def no_lord(slug: str, name: str) -> Mutant:
    return printed_wrong(f"13 {name}", "supports nobody", (LORDS,), slug, lord_of="")


HEROIC = [
    Mutant("13", "no powers in the Special Powers Phase", f"{POWERS}:SpecialPowers.turn_of", nothing, (SPECIAL,)),
    printed_wrong("13 Arch Cleric", "uses no magic", (PLAIN,), "arch_cleric", symbols=""),
    printed_wrong("13 Arch Mage", "is worth 5", (PLAIN,), "arch_mage", value=5),
    printed_wrong("13 Ghaog II", "does not fly", (PLAIN,), "ghaog_ii", symbols=""),
    printed_wrong("13 Elf Lord", "does not shoot", (PLAIN,), "elf_lord", symbols=""),
    printed_wrong("13 Lord of the Eagles", "does not fly", (PLAIN,), "lord_of_the_eagles", symbols=""),
    printed_wrong("13 Sir Lance-A-Lot", "does not charge", (PLAIN,), "sir_lance_a_lot", symbols=""),
    no_lord("desert_master", "Desert Master"),
    no_lord("forest_king", "Forest King"),
    no_lord("ice_lord", "Ice Lord"),
    no_lord("jungle_lord", "Jungle Lord"),
    no_lord("mountain_king", "Mountain King"),
    no_lord("plains_lord", "Plains Lord"),
    no_lord("swamp_king", "Swamp King"),
    printed_wrong("13 Dwarf King", "a mine is no mine", (ON_MAP,), "gold_mine", is_mine=False),
    Mutant("13 Deerhunter", "rough land costs two", f"{ENGINE}.marches:Marches.price", no_discount, (ON_MAP,)),
    Mutant("13 Deerhunter", "his stack is pinned", f"{MARCH}:Marching.slips_away", always(False), (ON_MAP,)),
    Mutant("13 Deerhunter", "his stack may part", f"{MARCH}:Marching.on_march", then(nobody_is_bound), (ON_MAP,)),
    Mutant("13 Baron Munchausen", "no siege", f"{FLOW}.battle:Battle.besiege", baron_is_no_duke, (IN_BATTLE,)),
    Mutant("13 Grand Duke", "no siege", f"{FLOW}.battle:Battle.besiege", duke_is_no_baron, (IN_BATTLE,)),
    Mutant("13 Marksman", "cannot aim", f"{FLOW}.strike:Strike.marksmen", nothing, (IN_BATTLE,)),
    Mutant("13 Sword Master", "does not parry", f"{FLOW}.losses:Losses.savers_of", no_parry, (IN_BATTLE,)),
    Mutant("13 Sword Master", "parries every hit", f"{FLOW}.battle:Battle.strike", then(parries_always), (IN_BATTLE,)),
    Mutant("13 Warlord", "calls nobody", f"{FLOW}.battle:Battle.warlord", no_warlord, (IN_BATTLE,)),
    Mutant(
        "13 Warlord",
        "rolls against the printed value",
        f"{FLOW}.before_rounds:WarlordCalls.wanted",
        printed_value,
        (IN_BATTLE,),
    ),
    Mutant("15 Bow", "adds nothing to the value", f"{BATTLE}:value_now", unarmed, (BOW, IN_BATTLE)),
    Mutant("13 Assassin Primus", "a tie can be won", f"{POWERS}:Contest.compare", a_tie_can_be_won, (SPECIAL,)),
    Mutant(
        "13 Assassin Primus",
        "the owner's choice counts for nothing",
        f"{POWERS}:Assassination.decide",
        the_assassin_decides,
        (SPECIAL,),
    ),
    Mutant("13 Master Thief", "takes gold only", f"{POWERS}:Theft.take", thief_takes_gold, (SPECIAL,)),
    Mutant("P1", "everything in a hex is a target", f"{POWERS}:victims_in", victims_are_everything, (SPECIAL,)),
    Mutant("P2", "the rack may overflow", f"{ENGINE}.flow.place:FullRack.offers", always({}), (SPECIAL,)),
    Mutant("X18", "nobody is turned over", f"{STATE}.to_pool", never_turned, (SPECIAL,)),
    Mutant("X25", "guests are safe", f"{POWERS}:victims_in", victims_of_the_owner, (SPECIAL,)),
]


# ---- 14: events


def two_events(original: Any) -> Any:
    def turn_of(frame: Any, state: Any, seat: int) -> None:
        original(frame, state, seat)
        state.call(EventChoice(seat=seat))

    return turn_of


def full_income(original: Any) -> Any:
    return lambda event, state, seat, action: state.earn(seat, income(state, seat).total)


def halved(original: Any) -> Any:
    def play(event: Any, state: Any, seat: int, action: Any) -> None:
        before = state.seats[seat].gold
        original(event, state, seat, action)
        state.change_seat(seat, gold=before + (state.seats[seat].gold - before) // 2)

    return play


def citadels_too(original: Any) -> Any:
    return lambda event, state, seat, tag: aimed(tag, list(state.owned(seat)))


def only_creatures(original: Any) -> Any:
    return lambda frame, state, place: len(army(state, frame.seat, place))


def strikes_always(original: Any) -> Any:
    def see(frame: Any, state: Any) -> None:
        frame.totals = [7]
        original(frame, state)

    return see


def sea_too(original: Any) -> Any:
    return lambda event, state, seat, tag: aimed(tag, list(state.hexes))


def forts_only(original: Any) -> Any:
    return lambda frame, state, place: state.hexes[place].fort


def ties_defect(original: Any) -> Any:
    def settle(frame: Any, state: Any) -> None:
        frame.totals = [frame.totals[0] + 1, frame.totals[1]]
        original(frame, state)

    return settle


def citadels_pay(original: Any) -> Any:
    def walls_of(state: Any, seat: int, place: str, city_pays: int) -> dict[str, int]:
        found: dict[str, int] = original(state, seat, place, city_pays)
        here = state.hexes[place]
        return {**found, FORT: here.fort} if here.owner == seat and here.fort else found

    return walls_of


def losses_are_named(original: Any) -> Any:
    def pay_losses(state: Any, seat: int, place: str, losses: tuple[str, ...]) -> None:
        for tag in losses:
            if tag != FORT:
                state.tell(Fell(state.kind(state.tags[tag]).name), to=EVERYONE)
        original(state, seat, place, losses)

    return pay_losses


def a_city_pays_once(original: Any) -> Any:
    return lambda state, seat, place, city_pays: original(state, seat, place, 1)


def a_city_pays_twice(original: Any) -> Any:
    return lambda state, seat, place, city_pays: original(state, seat, place, 2)


def all_are_not_enough(original: Any) -> Any:
    """Walls may be lost on top of all creatures, as they once could."""

    def offer(frame: Any, state: Any, seat: int, place: str) -> Any:
        found = original(frame, state, seat, place)
        return dataclasses.replace(found, enough=()) if len(found.targets) > len(found.enough) else found

    return offer


def pays_in_parts(original: Any) -> Any:
    return lambda frame, state: dataclasses.replace(original(frame, state), whole=())


def in_any_order(original: Any) -> Any:
    return lambda frame, state: dataclasses.replace(original(frame, state), first=())


def stays_dry(original: Any) -> Any:
    return lambda frame, state: frame.leave(state)


def bluffs_cast(original: Any) -> Any:
    def play(event: Any, state: Any, seat: int, action: Any) -> None:
        event.cast(state, seat, action.target)

    return play


def same_terrain_again(original: Any) -> Any:
    def change(frame: Any, state: Any, terrain: str) -> None:
        deck = list(state.extras["deck"])
        original(frame, state, terrain)
        state.extras["deck"] = deck

    return change


def walls_in_the_sun(original: Any) -> Any:
    def walls(state: Any, arms: Any, side: int, step: str) -> list[Any]:
        cloudy = state.extras["cloud"] == arms.place and state.hexes[arms.place].owner == side
        return [dataclasses.replace(each, need=each.need + cloudy) for each in original(state, arms, side, step)]

    return walls


def cloud_stays(original: Any) -> Any:
    def take(frame: Any, state: Any) -> None:
        cloud = state.extras["cloud"]
        original(frame, state)
        state.extras["cloud"] = cloud

    return take


def reaches_everywhere(original: Any) -> Any:
    """A spell's range is the whole map."""

    def offers(event: Any, state: Any, seat: int, tag: str) -> list[Any]:
        every = tuple(state.hexes)
        return [
            dataclasses.replace(each, reach=dict.fromkeys(each.reach, every))
            for each in original(event, state, seat, tag)
        ]

    return offers


def income_floats(original: Any) -> Any:
    """Special income of another terrain stays where it is."""

    def change(frame: Any, state: Any, terrain: str) -> None:
        counter = income_counter(state, frame.place)
        owner = state.hexes[frame.place].owner
        original(frame, state, terrain)
        if counter is not None and state.counters[counter].place == CUP:
            state.put(counter, frame.place, owner, face_up=True)

    return change


def any_terrain(original: Any) -> Any:
    return lambda frame, state: [place for place in state.hexes if place not in frame.pointed]


def every_roll_hurts(original: Any) -> Any:
    def find_losses(frame: Any, state: Any) -> None:
        frame.faces = [[min(5, max(2, frame.faces[0][0]))]]
        original(frame, state)

    return find_losses


def heroes_fall_ill(original: Any) -> Any:
    return lambda frame, state, seat, place: army(state, seat, place)


def only_the_pool(original: Any) -> Any:
    def offers(event: Any, state: Any, seat: int, tag: str) -> list[Any]:
        return [dataclasses.replace(each, owned=()) for each in original(event, state, seat, tag)]

    return offers


EVENTFUL = [
    Mutant("14 Big JuJu", "any hex is in range", f"{SPELLS}:Spell.offers", reaches_everywhere, (SPELLS_CAST,)),
    Mutant("14 Big JuJu", "special income stays", f"{EVENTS}:BigJuju.change", income_floats, (SPELLS_CAST,)),
    Mutant("14 Terrain Disaster", "any terrain next", f"{EVENTS}:TerrainDisaster.left", any_terrain, (DISASTERS,)),
    Mutant("14 Terrain Disaster", "1 and 6 hurt", f"{EVENTS}:TerrainDisaster.suffer", every_roll_hurts, (DISASTERS,)),
    Mutant("14 Teeniepox", "1 and 6 hurt", f"{EVENTS}:Teeniepox.cure", every_roll_hurts, (DISASTERS,)),
    Mutant("14 Dark Plague", "heroes fall ill", f"{EVENTS}:DarkPlague.creatures", heroes_fall_ill, (DISASTERS,)),
    Mutant("14 Dark Plague", "walls go with them", f"{EVENTS}:DarkPlague.offer", all_are_not_enough, (DISASTERS,)),
    Mutant("14 Dark Plague", "still owed when none is left", f"{EVENTS}:DarkPlague.reconsider", nothing, (DISASTERS,)),
    Mutant("X9", "a city pays in parts", f"{EVENTS}:HexLosses.offer", pays_in_parts, (DISASTERS,)),
    Mutant("14 Defection", "heroes of others stay", f"{SPELLS}:DefectionEvent.offers", only_the_pool, (DEFECTION,)),
    Mutant("14", "two events a turn", f"{EVENTS}:RandomEvents.turn_of", two_events, (GOLD_EVENTS,)),
    Mutant("14 Good Harvest", "pays for income counters", f"{SPELLS}:GoodHarvest.play", full_income, (GOLD_EVENTS,)),
    Mutant("14 Mother Lode", "pays once", f"{SPELLS}:MotherLode.play", halved, (GOLD_EVENTS,)),
    Mutant("14 Willing Workers", "build citadels", f"{SPELLS}:WillingWorkers.offers", citadels_too, (GOLD_EVENTS,)),
    Mutant("14 Vandals", "wreck nothing", f"{EVENTS}:Vandals.wreck", nothing, (GOLD_EVENTS,)),
    Mutant("14 Teeniepox", "walls do not count", f"{EVENTS}:Teeniepox.size", only_creatures, (DISASTERS,)),
    Mutant("14 Terrain Disaster", "every roll strikes", f"{EVENTS}:TerrainDisaster.see", strikes_always, (DISASTERS,)),
    Mutant("14 Dark Plague", "towns do not count", f"{EVENTS}:DarkPlague.toll", forts_only, (DISASTERS,)),
    Mutant("14 Defection", "ties win", f"{EVENTS}:Defection.settle", ties_defect, (DEFECTION,)),
    Mutant("14 Big JuJu", "citadels change", f"{SPELLS}:BigJujuEvent.spares_citadels", instead(False), (SPELLS_CAST,)),
    Mutant("14 Weather Control", "no Cloud comes", f"{SPELLS}:WeatherControl.cast", nothing, (SPELLS_CAST,)),
    Mutant("14 Weather Control", "the Cloud weakens nobody", f"{BATTLE}:is_clouded", always(False), (CLOUD,)),
    Mutant("P3", "citadels pay", f"{EVENTS}:walls_of", citadels_pay, (DISASTERS,)),
    Mutant("P4", "nothing sinks", f"{EVENTS}:BigJuju.sink", stays_dry, (SPELLS_CAST,)),
    Mutant("P8", "walls stand in the sun", f"{BATTLE}:walls", walls_in_the_sun, (CLOUD,)),
    Mutant("X2", "everybody hears what is lost", f"{EVENTS}:pay_losses", losses_are_named, (DISASTERS,)),
    Mutant("X3", "bluffs cast spells", f"{SPELLS}:Spell.play", bluffs_cast, (SPELLS_CAST,)),
    Mutant("X8", "the Cloud stays", f"{FLOW}.capture:Capture.take", cloud_stays, (CLOUD,)),
    Mutant("X9", "a city pays one", f"{EVENTS}:walls_of", a_city_pays_once, (DISASTERS,)),
    Mutant("X9", "a city pays two to the Plague", f"{EVENTS}:walls_of", a_city_pays_twice, (DISASTERS,)),
    Mutant("X19", "the sea has disasters", f"{SPELLS}:TerrainDisasterEvent.offers", sea_too, (DISASTERS,)),
    Mutant("X19", "the tile does not join the deck", f"{EVENTS}:BigJuju.change", same_terrain_again, (SPELLS_CAST,)),
    Mutant("X21", "walls pay first if one likes", f"{EVENTS}:HexLosses.offer", in_any_order, (DISASTERS,)),
]


# ---- 15: magic


def without(kind: str) -> Change:
    """The item in a creature's hands does nothing."""
    return lambda original: lambda *args: "" if (found := original(*args)) == kind else found


def walls_of_one(original: Any) -> Any:
    def raise_it(frame: Any, state: Any) -> None:
        frame_named(state, "battle").firewall = 1
        state.tell(FirewallRaised(1), to=())

    return raise_it


def used_up_for_good(original: Any) -> Any:
    def use_up(state: Any, number: int) -> None:
        state.change_counter(number, place=GONE, owner=None, face_up=True, tag="", spent=0)

    return use_up


def always_back(original: Any) -> Any:
    return lambda state, number: state.to_cup(number)


def not_for_the_wild(original: Any) -> Any:
    def held(state: Any, seat: int, kind: str) -> str:
        tag: str = original(state, seat, kind)
        return tag if tag and state.counters[state.tags[tag]].owner is not None else ""

    return held


def dust_is_kept(original: Any) -> Any:
    def use_item(frame: Any, state: Any) -> None:
        outcome = frame.outcome
        original(frame, state)
        if outcome is not None and state.counters[outcome["item"]].place == CUP:
            state.to_rack(outcome["item"], outcome["seat"])

    return use_item


def dust_does_nothing(original: Any) -> Any:
    def use_item(frame: Any, state: Any) -> None:
        outcome, frame.outcome, frame.next = frame.outcome, None, frame.resume
        if outcome is not None:
            state.use_up(outcome["item"])

    return use_item


def may_go_on(frame: Any, state: Any) -> None:
    frame.resting = []


def pinned_may_board(original: Any) -> Any:
    def ascents(frame: Any, state: Any) -> Any:
        pinned, frame.pinned = frame.pinned, []
        found = original(frame, state)
        frame.pinned = pinned
        return found

    return ascents


def items_take_no_hits(original: Any) -> Any:
    def targets_of(state: Any, arms: Any, side: int, step: str) -> dict[str, int]:
        found: dict[str, int] = original(state, arms, side, step)
        items = ("bow", "sword", "balloon")
        return {tag: n for tag, n in found.items() if tag == FORT or state.counters[state.tags[tag]].kind not in items}

    return targets_of


def walls_hold(original: Any) -> Any:
    def holds(state: Any, side: int, place: str) -> bool:
        kinds = [state.counters[n].kind for n in state.of(None if side < 0 else side, place)]
        return "firewall" in kinds or bool(original(state, side, place))

    return holds


def hands_full(original: Any) -> Any:
    return lambda state, battle, side: state.tags_of(army(state, side, battle.place))


def walkers_squeeze(original: Any) -> Any:
    def why_no_path(offer: Any, walkers: Any, start: str, path: tuple[str, ...]) -> tuple[str, str] | None:
        full = [place for place in path if offer.room[place] < len(walkers)]
        return ("crowded", full[0]) if full else original(offer, walkers, start, path)

    return why_no_path


def everything_dispelled(original: Any) -> Any:
    """Whatever comes later from that side has no effect either."""

    def settle(frame: Any, state: Any) -> None:
        battle = frame_named(state, "battle")
        if battle is not None and frame.seat in battle.dispelled:
            frame.works = False
        original(frame, state)

    return settle


def without_total(original: Any) -> Any:
    """A roll of two dice cannot be charmed."""
    return lambda roll: [sum(faces) for faces in roll.faces]


def rolls_again(original: Any) -> Any:
    def strikers_of(frame: Any, state: Any, side: int) -> Any:
        frame.battle(state).struck = []
        return original(frame, state, side)

    return strikers_of


def room_for_all(original: Any) -> Any:
    """The Balloon takes as many as like to, however heavy."""

    def ascents(frame: Any, state: Any) -> list[Any]:
        found = []
        for each in original(frame, state):
            heavy = {place: state.tags_of(army(state, frame.seat, place)) for place in each.passengers}
            found.append(dataclasses.replace(each, passengers=heavy))
        return found

    return ascents


def balloon_stays(original: Any) -> Any:
    def rotate(frame: Any, state: Any) -> None:
        number = state.magic["balloon"]
        place, owner = state.counters[number].place, state.counters[number].owner
        original(frame, state)
        if place in state.hexes:
            state.put(number, place, owner, face_up=True)

    return rotate


def talisman_lasts(original: Any) -> Any:
    def is_saved(frame: Any, state: Any, battle: Any, side: int, tag: str, face: int) -> bool:
        return bool(original(frame, state, battle, side, tag, 3 if has_talisman(state, battle, side) else face))

    return is_saved


def announcer_left_out(original: Any) -> Any:
    def may_answer(frame: Any, state: Any, seat: int) -> bool:
        return bool(original(frame, state, seat)) and (frame.trigger != "magic" or seat != frame.by)

    return may_answer


def bystanders_left_out(original: Any) -> Any:
    def may_answer(frame: Any, state: Any, seat: int) -> bool:
        return bool(original(frame, state, seat)) and (frame.trigger != "magic" or seat in frame.parties)

    return may_answer


def golem_guards_no_walls(original: Any) -> Any:
    return lambda state, battle, side: original(state, battle, side) if army(state, side, battle.place) else 0


def wall_goes_too(original: Any) -> Any:
    def drop(battle: Any, state: Any, side: int) -> None:
        original(battle, state, side)
        battle.drop_firewall(state, side)

    return drop


def with_reactions(how: str) -> Change:
    """Who is asked as if the table had chosen otherwise."""

    def change(original: Any) -> Any:
        def may_bring(state: Any, battle: Any, side: int, kinds: Any) -> bool:
            options = state.options
            state.options = {**options, "reactions": how}
            try:
                return bool(original(state, battle, side, kinds))
            finally:
                state.options = options

        return may_bring

    return change


def from_any_rack(original: Any) -> Any:
    return lambda state, battle, side, kind: held(state, battle.controller(side), kind)


def one_too(original: Any) -> Any:
    return lambda state, window, seat: list(window.about["sides"])


def runner_fights_too(original: Any) -> Any:
    def is_fighting(state: Any, seat: int) -> bool:
        battle = frame_named(state, "battle")
        return bool(original(state, seat)) or (battle is not None and battle.runner == seat)

    return is_fighting


def fan_answers_oneself(original: Any) -> Any:
    return lambda frame, state, seat: not frame.asked or seat in frame.asked


def attackers_dust(original: Any) -> Any:
    def gather(frame: Any, state: Any) -> None:
        original(frame, state)
        if not frame.pending:
            frame.pending = [seat for seat in frame.battle(state).attackers if state.rack(seat)]

    return gather


def at_any_time(original: Any) -> Any:
    """The Firewall may be raised in any round."""

    def offers_to(frame: Any, state: Any, seat: int) -> list[Any]:
        battle = frame.battle(state)
        battle.round, before = 1, battle.round
        found: list[Any] = original(frame, state, seat)
        battle.round = before
        return found

    return offers_to


def only_where_rounds_ask(original: Any) -> Any:
    """Magic is offered before rounds, at losses and at retreats, but neither by the Warlord nor by the Marksman."""

    def item_offers(frame: Any, state: Any, seat: int) -> list[Any]:
        return original(frame, state, seat) if frame.name() in ("ready", "losses", "retreating", "last_stand") else []

    return item_offers


def anything_is_an_answer(original: Any) -> Any:
    def on_play_item(frame: Any, state: Any, seat: int, action: Any) -> None:
        frame.answered(seat)
        original(frame, state, seat, action)

    return on_play_item


def used_as_anywhere(original: Any) -> Any:
    """An item is brought, and that is all."""
    return BringsMagic.use_item


def stays_asked(original: Any) -> Any:
    def use_item(frame: Any, state: Any) -> None:
        undecided = frame.undecided
        original(frame, state)
        frame.undecided = undecided

    return use_item


def beyond_the_die(original: Any) -> Any:
    """A die may become 0 or 7."""

    def offers(item: Any, state: Any, window: Any, seat: int, tag: str) -> list[Any]:
        roll = state.below(window)
        every = [
            (at, die, change) for at, faces in enumerate(roll.faces) for die in range(len(faces)) for change in (1, -1)
        ]
        return [dataclasses.replace(each, choices=tuple(every)) for each in original(item, state, window, seat, tag)]

    return offers


MAGICAL = [
    Mutant("11.31", "who has rolled rolls again", f"{FLOW}.strike:Strike.strikers_of", rolls_again, (BOW, BALLOON)),
    Mutant("15 Balloon", "takes the heavy too", f"{MARCH}:Marching.ascents", room_for_all, (BALLOON,)),
    Mutant("15 Balloon", "is never spent", f"{ENGINE}.flow.turn:Turn.rotate", balloon_stays, (BALLOON,)),
    Mutant("15 Talisman", "is never lost", f"{FLOW}.losses:Losses.is_saved", talisman_lasts, (GOLEM,)),
    Mutant("15 Fan", "answers oneself", f"{ROLL}:Window.may_answer", fan_answers_oneself, (DUST,)),
    Mutant("15 Dust of Defense", "attackers use it", f"{FLOW}.before_rounds:Dusting.gather", attackers_dust, (DUST,)),
    Mutant("15 Firewall", "comes in any round", f"{FLOW}.battle_magic:Ready.offers_to", at_any_time, (GOLEM,)),
    Mutant("C10", "a die may become 0 or 7", f"{ITEMS}:LuckyCharm.offers", beyond_the_die, (ANSWERS,)),
    Mutant("15", "used items do not return to the cup", f"{STATE}.use_up", used_up_for_good, (BOW, GOLEM)),
    Mutant("15 Balloon", "passengers do not shoot", f"{BATTLE}:rides", always(False), (BALLOON,)),
    Mutant("15 Bow", "does nothing", f"{BATTLE}:item_of", without("bow"), (BOW,)),
    Mutant("15 Sword", "does nothing", f"{BATTLE}:item_of", without("sword"), (BOW,)),
    Mutant("15 Dispel Magic Scroll", "items work on", f"{ITEMS}:DispelItem.answer", nothing, (ANSWERS,)),
    Mutant("15 Dispel Magic Scroll", "creatures too", f"{ITEMS}:DispelCreatures.answer", nothing, (ANSWERS,)),
    Mutant(
        "15 Dispel Magic Scroll",
        "whoever announced the battle is not asked",
        f"{ROLL}:Window.may_answer",
        announcer_left_out,
        (SCROLL,),
    ),
    Mutant(
        "15 Dispel Magic Scroll",
        "who is not in the battle is not asked",
        f"{ROLL}:Window.may_answer",
        bystanders_left_out,
        (SCROLL,),
    ),
    Mutant("15 Dispel Magic Scroll", "one's own magic", f"{ITEMS}:users_besides", one_too, (SCROLL,)),
    Mutant("P7", "orders play for the wild", f"{ITEMS}:is_fighting", runner_fights_too, (SCROLL,)),
    Mutant(
        "15 Dust of Defense", "nobody retreats", f"{FLOW}.before_rounds:Dusting.use_item", dust_does_nothing, (DUST,)
    ),
    Mutant("15 Elixir", "cures nobody", f"{ITEMS}:Elixir.answer", nothing, (ANSWERS,)),
    Mutant("15 Fan", "moves neither Balloon nor Dust", f"{ITEMS}:FanOnItem.answer", nothing, (DUST, BALLOON)),
    Mutant("15 Fan", "does not move the Cloud", f"{ITEMS}:FanOnCloud.answer", nothing, (DUST,)),
    Mutant("15 Firewall", "is always 1", f"{FLOW}.battle_magic:RaiseFirewall.raise_it", walls_of_one, (GOLEM,)),
    Mutant("15 Golem", "stops no hit", f"{FLOW}.strike:has_golem", always(0), (GOLEM,)),
    Mutant("15 Golem", "stops no hit on a castle", f"{FLOW}.strike:has_golem", golem_guards_no_walls, (RETREAT,)),
    Mutant(
        "15 Golem", "fights on without its army", f"{FLOW}.battle:Battle.drop_magic_of_an_army", nothing, (RETREAT,)
    ),
    Mutant(
        "15 Firewall", "leaves with the army", f"{FLOW}.battle:Battle.drop_magic_of_an_army", wall_goes_too, (RETREAT,)
    ),
    Mutant("15 Lucky Charm", "changes nothing", f"{ITEMS}:LuckyCharm.answer", nothing, (ANSWERS,)),
    Mutant("15 Lucky Charm", "does not change totals", f"{ROLL}:Roll.totals", without_total, (ANSWERS,)),
    Mutant("15 Talisman", "saves nobody", f"{FLOW}.losses:has_talisman", always(False), (GOLEM,)),
    Mutant(
        "15 Talisman",
        "the last hit falls without a question",
        f"{FLOW}.losses:Losses.magic_that_helps",
        always([]),
        (LAST_HIT,),
    ),
    Mutant("15 Golem", "not called against the Baron", f"{FLOW}.battle:Battle.last_stand", nothing, (LAST_HIT,)),
    Mutant("15 Golem", "not called by order", f"{FLOW}.losses:Losses.by_order", nothing, (LAST_HIT,)),
    Mutant(
        "C2",
        "not at every question",
        f"{FLOW}.battle_magic:BringsMagic.item_offers",
        only_where_rounds_ask,
        (ANY_QUESTION,),
    ),
    Mutant(
        "C2",
        "any magic answers for the Dust",
        f"{FLOW}.before_rounds:Dusting.on_play_item",
        anything_is_an_answer,
        (ANY_QUESTION,),
    ),
    Mutant(
        "C2", "the Golem is late for a placed hit", f"{FLOW}.strike:Strike.use_item", used_as_anywhere, (ANY_QUESTION,)
    ),
    Mutant(
        "13 Marksman", "shoots with the Sword in hand", f"{FLOW}.strike:Strike.use_item", stays_asked, (ANY_QUESTION,)
    ),
    Mutant("P7", "the runner's rack serves the wild", f"{FLOW}.battle_magic:held_for", from_any_rack, (LAST_HIT,)),
    Mutant("P5", "Dust that moved nobody is kept", f"{FLOW}.before_rounds:Dusting.use_item", dust_is_kept, (DUST,)),
    Mutant("P6", "passengers march on", f"{MARCH}:Marching.land", then(may_go_on), (BALLOON,)),
    Mutant("P7", "wild defenders have no magic", f"{ITEMS}:held", not_for_the_wild, (WILD_MAGIC,)),
    Mutant("X5", "items take no hits", f"{BATTLE}:targets_of", items_take_no_hits, (BOW, BALLOON)),
    Mutant("X6", "a Firewall holds a hex", f"{ENGINE}.stacks:holds", walls_hold, (GOLEM,)),
    Mutant("X6", "a fallen side's wall stays", f"{FLOW}.battle:Battle.drop_magic_of_the_fallen", nothing, (SCROLL,)),
    Mutant("X11", "nothing is lost for good", f"{STATE}.use_up", always_back, (FOR_GOOD,)),
    Mutant("X17", "the pinned fly away", f"{MARCH}:Marching.ascents", pinned_may_board, (BALLOON,)),
    Mutant("X22", "the Firewall stands", f"{FLOW}.battle:Battle.drop_firewall", nothing, (ANSWERS,)),
    Mutant("X22", "later items are dispelled", f"{ROLL}:Played.settle", everything_dispelled, (ANSWERS,)),
    Mutant("X23", "Bow and Sword for one", f"{FLOW}.battle_magic:empty_hands", hands_full, (BOW,)),
    Mutant(
        "X24", "walkers do not pass a full hex", f"{ENGINE}.marches:Marches.why_no_path", walkers_squeeze, (BALLOON,)
    ),
]


# ---- 16: two and three players


def two_take_turns(original: Any) -> Any:
    def rotate(frame: Any, state: Any) -> None:
        original(frame, state)
        if len(state.seats) == 2:
            state.extras["order"] = state.extras["order"][::-1]

    return rotate


SMALLER = [
    Mutant("16", "the citadel takes 20", f"{ENGINE}.income:needed_for_citadel", always(20), (SMALL,)),
    Mutant("16", "two change places too", f"{ENGINE}.flow.turn:Turn.rotate", two_take_turns, (SMALL,)),
]


# ---- reactions


def right_goes_first(original: Any) -> Any:
    def settle(frame: Any, state: Any) -> None:
        frame.by = state.left_of(frame.by)
        original(frame, state)

    return settle


def holders_only(original: Any) -> Any:
    def is_asked(frame: Any, state: Any, seat: int, kind: str) -> bool:
        has_it = any(state.counters[n].kind == kind for n in state.rack(seat))
        return has_it and bool(original(frame, state, seat, kind))

    return is_asked


def rack_tells_nothing(original: Any) -> Any:
    def is_asked(frame: Any, state: Any, seat: int, kind: str) -> bool:
        options = state.options
        state.options = {**options, "reactions": "sealed"}
        try:
            return bool(original(frame, state, seat, kind))
        finally:
            state.options = options

    return is_asked


def no_orders(original: Any) -> Any:
    return lambda state, seat, about: original(state, seat, about) if about == "waiting" else "ask"


def to_everybody(original: Any) -> Any:
    return lambda state, seat, why: state.tell(why, to=EVERYONE)


NOTHING = NothingToMove()


def never_answered(original: Any) -> Any:
    """Nobody can answer an item that answers something."""

    def react(frame: Any, state: Any) -> None:
        if frame_named(state, "window") is None:
            original(frame, state)

    return react


REACTING = [
    Mutant("R1", "the wrong one goes first", f"{ROLL}:Window.settle", right_goes_first, (WINDOWS,)),
    Mutant("R1", "a reaction cannot be answered", f"{ROLL}:Played.react", never_answered, (WINDOWS,)),
    Mutant("R2", "sealed: only holders are asked", f"{ROLL}:Window.is_asked", holders_only, (WINDOWS,)),
    Mutant("R2", "holders: all are asked", f"{ROLL}:Window.is_asked", rack_tells_nothing, (WINDOWS,)),
    Mutant("R2", "all are asked for what nobody can have", f"{ITEMS}:possible", always(True), (WINDOWS,)),
    Mutant("R2", "the Charm is asked about every roll", f"{ENGINE}.powers.charm:could_help", always(True), (HELPS,)),
    Mutant("R2", "and about none", f"{ENGINE}.powers.charm:could_help", always(False), (HELPS,)),
    Mutant("R2", "nobody's dice are their own", f"{ENGINE}.powers.charm:turning_dice", always(()), (HELPS,)),
    Mutant(
        "R3",
        "the last possible step ends it",
        f"{ENGINE}.flow.base:KingsFrame.may_regret",
        always(False),
        (ONE_ANSWER,),
    ),
    Mutant("R2", "conditions play nothing", f"{ITEMS}:by_condition", always(None), (ORDERS,)),
    Mutant(
        "R2",
        "sealed: holders are asked about hits",
        f"{FLOW}.battle_magic:may_bring",
        with_reactions("holders"),
        (LAST_HIT,),
    ),
    Mutant(
        "R2",
        "holders: all are asked about hits",
        f"{FLOW}.battle_magic:may_bring",
        with_reactions("sealed"),
        (LAST_HIT,),
    ),
    Mutant("R3", "standing orders are not read", f"{ENGINE}.orders:order", no_orders, (ORDERS,)),
    Mutant("R3", "who has no choice is asked", f"{FLOW}.losses:Losses.has_choice", always(True), (UNASKED,)),
    Mutant("R2", "nobody can pass a battle", f"{ENGINE}.orders:passes", always(False), (NOTHING_MORE,)),
    Mutant("R2", "who passes one battle passes all", f"{ENGINE}.orders:battle_now", always("1"), (NOTHING_MORE,)),
    Mutant("R2", "orders play on", f"{ENGINE}.orders:MAGIC", instead(()), (NOTHING_MORE,)),
    Mutant("R2", "this window is not passed", f"{ROLL}:Window.let_pass", nothing, (NOTHING_MORE,)),
    Mutant("R2", "this round is not passed", f"{FLOW}.battle_magic:Ready.let_pass", nothing, (NOTHING_MORE,)),
    Mutant("R2", "a last stand is not passed", f"{FLOW}.battle_magic:LastStand.let_pass", nothing, (NOTHING_MORE,)),
    Mutant("R2", "Dust is not passed", f"{FLOW}.before_rounds:Dusting.let_pass", nothing, (NOTHING_MORE,)),
    Mutant("R2", "the last hit is not passed", f"{FLOW}.losses:Losses.let_pass", nothing, (NOTHING_MORE,)),
    Mutant("R2", "passing cannot be taken back", f"{ENGINE}.orders:rejoin_battle", nothing, (NOTHING_MORE,)),
    Mutant("R3", "nobody is told why", f"{FLOW}.base:tell_why", nothing, (ONE_ANSWER, NO_CHOICE)),
    Mutant("R3", "everybody is told why", f"{FLOW}.base:tell_why", to_everybody, (ONE_ANSWER, NO_CHOICE)),
    Mutant("R3", "whoever moved is told why not", f"{MARCH}:Marching.why_no_choice", always(NOTHING), (NO_CHOICE,)),
    Mutant("R3", "the one answer is asked for", f"{FLOW}.base:KingsFrame.foregone", always(None), (ONE_ANSWER,)),
    Mutant("R3", "people notice who has a choice", f"{ENGINE}.orders:hides_choices", always(False), (ONE_ANSWER,)),
    Mutant("R3", "bots are taken for people", f"{ENGINE}.orders:faces_people", always(True), (ONE_ANSWER,)),
    Mutant("R3", "gold opens nothing", f"{FLOW}.base:KingsFrame.has_more_beside", always(False), (ONE_ANSWER,)),
    Mutant("R3", "income makes no room for income", f"{FLOW}.place:could_make_room", always(False), (ONE_ANSWER,)),
    Mutant("R3", "hits are taken by no order", f"{FLOW}.losses:Losses.is_ordered", always(False), (DOCTRINE,)),
    Mutant("R3", "orders keep magic from hits", f"{FLOW}.losses:may_bring", always(False), (DOCTRINE,)),
    Mutant("R3", "no order spares walls", f"{ENGINE}.battle:LAST_OF_ALL", instead(0), (DOCTRINE,)),
    Mutant("R3", "nobody is outnumbered", f"{FLOW}.retreat:is_outnumbered", always(False), (DOCTRINE,)),
    Mutant("R3", "everybody is outnumbered", f"{FLOW}.retreat:is_outnumbered", always(True), (DOCTRINE,)),
    Mutant("R3", "any refuge will do", f"{FLOW}.retreat:best_refuge", always("h10"), (DOCTRINE,)),
    Mutant("R3", "the map decides which battle comes", f"{FLOW}.combat:Segment.comes_at", always(0), (DOCTRINE,)),
    Mutant("R3", "orders bribe nobody", f"{FLOW}.explore:MOST_BRIBED", instead({"five": 0, "ten": 0}), (DOCTRINE,)),
    Mutant("R3", "orders bribe anybody", f"{FLOW}.explore:MOST_BRIBED", instead({"five": 99, "none": 99}), (DOCTRINE,)),
    Mutant("R3", "no table settles anything", f"{ENGINE}.orders:SETTLED", instead({}), (DOCTRINE,)),
    Mutant("R3", "no order about building", f"{FLOW}.build:order", always("ask"), (DOCTRINE,)),
    Mutant("R3", "no order about events", f"{FLOW}.events:order", always("ask"), (DOCTRINE,)),
    Mutant("R3", "no order about powers", f"{FLOW}.powers:order", always("ask"), (DOCTRINE,)),
    Mutant("R3", "no order about targets and aims", f"{FLOW}.strike:order", always("ask"), (DOCTRINE,)),
    Mutant("R3", "no order for the Warlord", f"{FLOW}.before_rounds:WarlordCalls.best", always(None), (DOCTRINE,)),
    Mutant("R3", "any enemy will do", f"{FLOW}.strike:Targets.largest_enemy", always(0), (DOCTRINE,)),
    Mutant("R3", "a city stays", f"{FLOW}.events:DarkPlague.has_more_beside", always(False), (ONE_ANSWER,)),
]


# ---- undo


UNDONE = [
    Mutant("undo", "dice and draws are taken back", f"{ENGINE}:is_final", always(False), (UNDO,)),
    Mutant("undo", "nothing is taken back", f"{ENGINE}:is_final", always(True), (UNDO,)),
]


MUTANTS = [*WINNING, *FORTS, *HEROIC, *EVENTFUL, *MAGICAL, *SMALLER, *REACTING, *UNDONE]
