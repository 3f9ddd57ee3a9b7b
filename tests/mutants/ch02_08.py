"""Faults in set-up, sequence, winning, gold, recruiting and deploying (2 to 8, S1 to S5, H1 to H4, T1 to T7, B1)."""

from __future__ import annotations

import dataclasses
from typing import Any

from games.engine.core.events import EVERYONE
from games.engine.core.offers import Exactly
from games.engine.core.state import Counter
from games.engine.core.view import Back
from games.engine.kings.actions import Cash, Done, Draw
from games.engine.kings.catalogue import CITADEL, FORT_COPIES, HEROES, SEA, THINGS
from games.engine.kings.events import Traded
from games.engine.kings.flow.events import EventChoice
from games.engine.kings.flow.place import place
from games.engine.kings.flow.recruit import DRAW_PRICE, HeroAttempt, draw_things, draw_to_rack, free_draws
from games.engine.kings.flow.roll import Roll
from games.engine.kings.income import income, needed_for_citadel
from games.engine.kings.offers import AsideOneOf
from games.engine.kings.stacks import land_of
from games.engine.kings.state import CUP, POOL
from games.engine.kings.victory import citadels

from . import Mutant, always, instead, nothing

ENGINE = "games.engine.kings"
SETUP = f"{ENGINE}.flow.setup"
TURN = f"{ENGINE}.flow.turn"
RECRUIT = f"{ENGINE}.flow.recruit"
PLACE = f"{ENGINE}.flow.place"
FLOW = f"{ENGINE}.flow"

STARTS, SEAS, DECK = "02_setup/starts.txt", "02_setup/seas.txt", "02_setup/deck.txt"
KINGDOMS, FORCES = "02_setup/kingdoms.txt", "02_setup/forces.txt"
SEQUENCE = "03_sequence/turn.txt"
CITADELS, CONQUEST, ENDS = "04_winning/citadels.txt", "04_winning/conquest.txt", "04_winning/ends.txt"
GOLD = "05_gold/income.txt"
RECRUITING, LEAVING, POWERS = "06_heroes/recruiting.txt", "06_heroes/lords_and_leaving.txt", "06_heroes/powers.txt"
DRAWING, RACK, TOGETHER = "07_things/drawing.txt", "07_things/rack_and_cup.txt", "07_things/together.txt"
PLACING, WHEN = "08_deploying/placing.txt", "08_deploying/when.txt"
BLUFFS, UNMASKED = "08_deploying/bluffs.txt", "08_deploying/bluffs_in_battle.txt"
DANGER, VIEWS = "08_deploying/income_in_danger.txt", "who_sees_what/views.txt"


# ---- 2: set-up


def endless_bank(original: Any) -> Any:
    return lambda state, level: FORT_COPIES[level]


def one_of_each(original: Any) -> Any:
    def fill_cup(state: Any) -> None:
        for number, kind in enumerate(THINGS, start=1):
            state.counters[number] = Counter(number, kind.slug, CUP, face_up=False)

    return fill_cup


def always_backs(original: Any) -> Any:
    def toss_heroes(state: Any) -> None:
        for number, (_, back) in enumerate(HEROES, start=len(state.counters) + 1):
            state.counters[number] = Counter(number, back.slug, POOL, face_up=True)

    return toss_heroes


def face_up_at_once(original: Any) -> Any:
    def lay_hexes(state: Any, seats: int) -> None:
        original(state, seats)
        state.hexes = {spot: dataclasses.replace(here, face_up=True) for spot, here in state.hexes.items()}

    return lay_hexes


def nothing_aside(original: Any) -> Any:
    def lay_hexes(state: Any, seats: int) -> None:
        original(state, seats)
        state.extras["deck"], state.extras["aside"] = sorted([*state.extras["deck"], *state.extras["aside"]]), []

    return lay_hexes


def first_seat_first(original: Any) -> Any:
    return lambda frame, state: frame.leave(state, frame.rolling[0])


def any_start(original: Any) -> Any:
    return lambda frame, state: [spot for spot in state.map.starts if spot not in frame.chosen.values()]


def seats_make_the_order(original: Any) -> Any:
    """The order in which starts are picked stays the player order."""

    def only_one(frame: Any, state: Any) -> None:
        order = list(state.extras["order"])
        original(frame, state)
        state.extras["order"] = order

    return only_one


def all_land_beside(original: Any) -> Any:
    def claimable(state: Any, seat: int) -> list[str]:
        near = {spot for own in state.owned(seat) for spot in state.map.neighbours[own]}
        return sorted(spot for spot in near if state.hexes[spot].owner is None and state.hexes[spot].terrain != SEA)

    return claimable


def strictly_apart(original: Any) -> Any:
    def claimable(state: Any, seat: int) -> list[str]:
        def beside_another(spot: str) -> bool:
            return any(state.hexes[near].owner not in (None, seat) for near in state.map.neighbours[spot])

        return [spot for spot in original(state, seat) if not beside_another(spot)]

    return claimable


def returned_first(original: Any) -> Any:
    def exchange(state: Any, seat: int, numbers: list[int]) -> None:
        for number in numbers:
            state.to_cup(number)
        draw_to_rack(state, seat, len(numbers))
        state.extras["exchanged"] = [*state.extras["exchanged"], *([seat] if numbers else [])]

    return exchange


def and_again(original: Any) -> Any:
    """A question that is put once more after its answer."""

    def answered(frame: Any, state: Any, seat: int, action: Any) -> None:
        original(frame, state, seat, action)
        frame.next = ""

    return answered


def without_those_aside(original: Any) -> Any:
    def prepare_deck(frame: Any, state: Any) -> None:
        state.extras["aside"] = []
        original(frame, state)

    return prepare_deck


def laid_at_once(original: Any) -> Any:
    def on_place(frame: Any, state: Any, seat: int, action: Any) -> None:
        place(state, seat, action)
        frame.answered(seat)

    return on_place


def drawn_at_once(original: Any) -> Any:
    def on_draw(frame: Any, state: Any, seat: int, action: Any) -> None:
        draw_things(state, seat, action)
        frame.answered(seat)

    return on_draw


def of_anybody(field: str) -> Any:
    """Whoever asks is told whatever has been sealed."""
    return lambda original: lambda frame, seat: original(frame, next(iter(getattr(frame, field)), seat))


def large_for_all(original: Any) -> Any:
    return lambda players: original(4)


def ties_go_to_the_first(original: Any) -> Any:
    return lambda frame, state: frame.leave(state, frame.rolling[frame.totals.index(max(frame.totals))])


def in_order(first: str, second: str) -> Any:
    """Two steps change places."""

    def change(original: tuple[str, ...]) -> tuple[str, ...]:
        swapped = {first: second, second: first}
        return tuple(swapped.get(step, step) for step in original)

    return change


SET_UP = [
    Mutant("2.11", "the bank never has fewer forts", f"{ENGINE}.state:KingsState.forts_left", endless_bank, (STARTS,)),
    Mutant("2.12", "the cup holds one Thing of each kind", f"{ENGINE}.box:fill_cup", one_of_each, (STARTS,)),
    Mutant("2.13", "backs are up whatever is tossed", f"{ENGINE}.box:toss_heroes", always_backs, (STARTS,)),
    Mutant("2.14", "hexes are laid face up", f"{ENGINE}.box:lay_hexes", face_up_at_once, (STARTS,)),
    Mutant(
        "2.15", "seat 0 picks first whatever is rolled", f"{SETUP}:RollForFirst.compare", first_seat_first, (STARTS,)
    ),
    Mutant("2.15", "seas at a start stay", f"{SETUP}:SeasOfOne.must", lambda f: lambda s, x: s.leave(x), (SEAS,)),
    Mutant("2.16", "land beside another's may be claimed", f"{SETUP}:claimable", all_land_beside, (KINGDOMS,)),
    Mutant("2.17", "five gold to begin with", f"{SETUP}:START_GOLD", instead(5), (FORCES,)),
    Mutant("2.17", "nine Things to begin with", f"{SETUP}:START_THINGS", instead(9), (FORCES,)),
    Mutant("2.18", "returned counters can be drawn again", f"{SETUP}:exchange", returned_first, (FORCES,)),
    Mutant("2.18", "an exchange can be repeated", f"{SETUP}:ExchangeOnce.on_exchange", and_again, (FORCES,)),
    Mutant("2.19", "tiles set aside are lost", f"{SETUP}:SetUp.prepare_deck", without_those_aside, (DECK,)),
    Mutant("2.2", "two and three play on the large map", f"{ENGINE}.map:map_for", large_for_all, (STARTS,)),
    Mutant("S1", "no tiles are set aside", f"{ENGINE}.box:lay_hexes", nothing_aside, (STARTS, DECK)),
    Mutant("S2", "any start is free for two and three", f"{SETUP}:ChooseStarts.free", any_start, (STARTS,)),
    Mutant("S2", "picking makes the order", f"{SETUP}:ChooseStarts.only_one", seats_make_the_order, (STARTS,)),
    Mutant("S2", "ties are not rolled again", f"{SETUP}:RollForFirst.compare", ties_go_to_the_first, (STARTS,)),
    Mutant("S3", "one land hex beside a start is enough", f"{SETUP}:SeasOfOne.needs_land", always(False), (SEAS,)),
    Mutant("S4", "land beside another's never", f"{SETUP}:claimable", strictly_apart, (KINGDOMS,)),
    Mutant("S5", "drawn before the towers", f"{SETUP}:SetUp.steps", in_order("towers", "draw"), (FORCES,)),
    Mutant("S5", "exchanged before placing", f"{SETUP}:SetUp.steps", in_order("place", "exchange"), (FORCES,)),
    Mutant("S5", "sealed placements are seen at once", f"{PLACE}:PlaceTogether.on_place", laid_at_once, (FORCES,)),
    Mutant("S5", "placements are shown to all", f"{PLACE}:PlaceTogether.sealed_by", of_anybody("plans"), (FORCES,)),
    Mutant("S5", "exchanges are hidden from all", f"{SETUP}:ExchangeTogether.sealed_by", always({}), (FORCES,)),
]


# ---- 3: the turn


def last_player_first(original: Any) -> Any:
    def gather(frame: Any, state: Any) -> None:
        frame.waiting = list(reversed(state.order))

    return gather


def two_change_places(original: Any) -> Any:
    def rotate(frame: Any, state: Any) -> None:
        original(frame, state)
        if len(state.seats) == 2:
            state.extras["order"] = list(reversed(state.extras["order"]))

    return rotate


def same_order_again(original: Any) -> Any:
    def rotate(frame: Any, state: Any) -> None:
        order = list(state.extras["order"])
        original(frame, state)
        state.extras["order"] = order

    return rotate


def draw_is_optional(original: Any) -> Any:
    def offers(frame: Any, state: Any) -> Any:
        return {seat: [*found, Exactly(Done())] for seat, found in original(frame, state).items()}

    return offers


TURNS = [
    Mutant("3.1", "the last player acts first", f"{ENGINE}.flow.base:InTurn.gather", last_player_first, (SEQUENCE,)),
    Mutant("3.2", "Things before heroes", f"{TURN}:Turn.steps", in_order("heroes", "things"), (SEQUENCE,)),
    Mutant("3.2", "building before movement", f"{TURN}:Turn.steps", in_order("march", "build"), (SEQUENCE,)),
    Mutant("3.21", "nobody collects gold", f"{TURN}:GoldCollection.turn_of", nothing, (SEQUENCE,)),
    Mutant("3.22", "nobody tries for a hero", f"{RECRUIT}:RecruitingHeroes.turn_of", nothing, (SEQUENCE, RECRUITING)),
    Mutant("3.23", "drawing is optional", f"{RECRUIT}:DrawThings.offers", draw_is_optional, (SEQUENCE,)),
    Mutant("3.24", "nobody plays events", f"{ENGINE}.flow.events:RandomEvents.turn_of", nothing, (SEQUENCE,)),
    Mutant("3.25", "nobody moves", f"{ENGINE}.flow.march:Movement.turn_of", nothing, (SEQUENCE,)),
    Mutant("3.26", "nobody fights", f"{FLOW}.combat:Combat.turn_of", nothing, (SEQUENCE,)),
    Mutant("3.27", "nobody builds", f"{ENGINE}.flow.build:Construction.turn_of", nothing, (SEQUENCE,)),
    Mutant("3.28", "no powers are used", f"{ENGINE}.flow.powers:SpecialPowers.turn_of", nothing, (SEQUENCE,)),
    Mutant("3.29", "the first player stays first", f"{TURN}:Turn.rotate", same_order_again, (SEQUENCE,)),
    Mutant("T1", "two players change places", f"{TURN}:Turn.rotate", two_change_places, (SEQUENCE,)),
]


# ---- 4: winning


def income_paid_while_building(original: Any) -> Any:
    def turn_of(frame: Any, state: Any, seat: int) -> None:
        state.earn(seat, income(state, seat).total)
        original(frame, state, seat)

    return turn_of


def poor_lose_theirs(original: Any) -> Any:
    def build(frame: Any, state: Any) -> None:
        for spot, seat in citadels(state).items():
            if income(state, seat).total < needed_for_citadel(state):
                state.lower_fort(spot)
        original(frame, state)

    return build


def citadels_suffer(original: Any) -> Any:
    def damage(frame: Any, state: Any) -> None:
        original(frame, state)
        if state.hexes[frame.place].fort == CITADEL:
            owner = state.hexes[frame.place].owner
            state.call(Roll(why="damage", throwers=[owner], counts=[1], parties=[owner]), into="faces")

    return damage


def time_is_inherited(original: Any) -> Any:
    def take(frame: Any, state: Any) -> None:
        sole = state.extras["sole"]
        original(frame, state)
        if sole is not None and state.hexes[frame.place].fort == CITADEL:
            state.extras["sole"] = [frame.seat, sole[1]]

    return take


def anybodys_counts(original: Any) -> Any:
    return lambda state, seat: bool(citadels(state))


WINNING = [
    Mutant("4.1", "any income is enough", f"{ENGINE}.income:needed_for_citadel", always(0), (CITADELS,)),
    Mutant("4.11", "a second citadel is built", f"{ENGINE}.forts:has_citadel", always(False), (CITADELS,)),
    Mutant(
        "4.12", "income is paid too", f"{ENGINE}.flow.build:Construction.turn_of", income_paid_while_building, (ENDS,)
    ),
    Mutant("4.13", "who becomes poor loses their citadel", f"{TURN}:Turn.build", poor_lose_theirs, (CITADELS,)),
    Mutant("4.13", "battles damage citadels", f"{FLOW}.aftermath:Aftermath.damage", citadels_suffer, (CONQUEST,)),
    Mutant("4.2", "a sole citadel wins nothing", f"{ENGINE}.victory:wins_with_one", always(False), (CITADELS,)),
    Mutant("4.21", "two citadels win nothing", f"{ENGINE}.victory:wins_with_two", always(False), (CONQUEST,)),
    Mutant(
        "4.22", "a captured citadel keeps its count", f"{FLOW}.capture:Capture.take", time_is_inherited, (CONQUEST,)
    ),
    Mutant("4.23", "who lost theirs builds none", f"{ENGINE}.forts:has_citadel", anybodys_counts, (CITADELS,)),
]


# ---- 5: gold


def without_heroes(original: Any) -> Any:
    return lambda state, seat: dataclasses.replace(original(state, seat), heroes=0)


def without_land(original: Any) -> Any:
    return lambda state, seat: dataclasses.replace(original(state, seat), land=0)


def gold_is_hidden(original: Any) -> Any:
    return lambda state, number: dataclasses.replace(original(state, number), gold=0)


def cashed_anywhere(original: Any) -> Any:
    """Treasure is cashed in whoever is being asked."""

    def gold_and_income(rules: Any, state: Any, seat: int) -> list[Any]:
        treasures = [n for n in state.rack(seat) if state.kind(n).sort == "treasure"]
        others = [offer for offer in original(rules, state, seat) if offer.do != Cash.do]
        return [*others, AsideOneOf(Cash, "treasure", state.tags_of(treasures))] if treasures else others

    return gold_and_income


FEWER_VILLAGES = tuple(dataclasses.replace(kind, copies=5) if kind.slug == "village" else kind for kind in THINGS)

GOLDEN = [
    Mutant("5.1", "heroes bring nothing", f"{ENGINE}.income:income", without_heroes, (GOLD,)),
    Mutant("5.1", "land brings nothing", f"{ENGINE}.income:income", without_land, (GOLD,)),
    Mutant("5.2", "gold is hidden", f"{ENGINE}.view:seat_view", gold_is_hidden, (GOLD,)),
    Mutant("5.3", "treasure brings nothing", f"{ENGINE}:Kings.on_cash", nothing, (GOLD,)),
    Mutant("5.4", "eleven cities and villages", f"{ENGINE}.catalogue:THINGS", instead(FEWER_VILLAGES), (GOLD,)),
    Mutant("T2", "treasure while another is asked", f"{ENGINE}:Kings.gold_and_income", cashed_anywhere, (GOLD,)),
    Mutant("T2", "nobody is asked to save income", f"{ENGINE}.flow.march:endangered_income", always([]), (DANGER,)),
]


# ---- 6: heroes


def two_attempts(original: Any) -> Any:
    def turn_of(frame: Any, state: Any, seat: int) -> None:
        state.call(HeroAttempt(seat=seat))
        original(frame, state, seat)

    return turn_of


def just_his_value(original: Any) -> Any:
    return lambda frame, state: state.kind(frame.hero).value


def never_turned(original: Any) -> Any:
    return lambda state, number, turned=False: original(state, number)


def always_kept(original: Any) -> Any:
    return lambda frame, state, how: original(frame, state, "keep")


def any_hero(original: Any) -> Any:
    return lambda frame, state: list(state.at(POOL))


HEROIC = [
    Mutant("6", "two attempts a turn", f"{RECRUIT}:RecruitingHeroes.turn_of", two_attempts, (RECRUITING,)),
    Mutant("6.1", "the value once is enough", f"{RECRUIT}:HeroAttempt.wanted", just_his_value, (RECRUITING,)),
    Mutant("6.2", "ten gold before the roll add one", f"{RECRUIT}:PER_FIVE_BEFORE", instead(10), (RECRUITING,)),
    Mutant("6.2", "five gold after the roll add one", f"{RECRUIT}:PER_TEN_AFTER", instead(5), (RECRUITING,)),
    Mutant("6.3", "the Marksman only shoots", f"{FLOW}.strike:Strike.marksmen", nothing, (POWERS,)),
    Mutant("6.4", "discharged as the hero was", f"{ENGINE}.state:KingsState.to_pool", never_turned, (LEAVING,)),
    Mutant("6.5", "the fallen are not turned over", f"{PLACE}:FledHeroes.settle", always_kept, (LEAVING,)),
    Mutant("T3", "two Terrain Lords are recruited", f"{RECRUIT}:HeroAttempt.candidates", any_hero, (LEAVING,)),
    Mutant("T3", "two Terrain Lords serve together", f"{RECRUIT}:TooManyLords.offers", always({}), (LEAVING,)),
]


# ---- 7: Things


def rounded_down(original: Any) -> Any:
    return lambda state, seat: len(land_of(state, seat)) // 2


def odd_trades(original: Any) -> Any:
    def contains(offer: Any, action: Any) -> bool:
        if isinstance(action, Draw):
            action = dataclasses.replace(action, traded=action.traded[: len(action.traded) // 2 * 2])
        return bool(original(offer, action))

    return contains


def traded_first(original: Any) -> Any:
    def on_draw(frame: Any, state: Any, seat: int, action: Draw) -> None:
        frame.next = "deploy"
        traded = state.numbers_of(action.traded)
        state.pay(seat, DRAW_PRICE * action.paid)
        state.tell(Traded(seat, tuple(sorted(state.kind(n).name for n in traded))), to=EVERYONE)
        for number in traded:
            state.to_cup(number)
        draw_to_rack(state, seat, free_draws(state, seat) + action.paid + len(traded) // 2, action.paid)

    return on_draw


def refunded(original: Any) -> Any:
    """Who draws less than they paid for gets their gold back."""

    def on_draw(frame: Any, state: Any, seat: int, action: Draw) -> None:
        short = free_draws(state, seat) + action.paid + len(action.traded) // 2 - len(state.at(CUP))
        original(frame, state, seat, action)
        state.earn(seat, DRAW_PRICE * max(0, min(short, action.paid)))

    return on_draw


def used_and_back(original: Any) -> Any:
    return lambda state, number: state.to_cup(number)


def empty_means_nothing(original: Any) -> Any:
    def draw(state: Any, count: int, why: str) -> list[int]:
        before = state.extras["true_elimination"]
        drawn: list[int] = original(state, count, why)
        state.extras["true_elimination"] = before
        return drawn

    return draw


THINGS_DRAWN = [
    Mutant("7", "draws may be taken one by one", f"{RECRUIT}:DrawThings.on_draw", and_again, (DRAWING,)),
    Mutant("7", "announced draws are drawn at once", f"{RECRUIT}:DrawTogether.on_draw", drawn_at_once, (TOGETHER,)),
    Mutant("7.4", "together a rack holds any number", f"{RECRUIT}:DrawTogether.limit", nothing, (TOGETHER,)),
    Mutant("8.2", "together nobody places", f"{RECRUIT}:DrawTogether.deploy", nothing, (TOGETHER,)),
    Mutant("7.1", "free draws are rounded down", f"{RECRUIT}:free_draws", rounded_down, (DRAWING,)),
    Mutant("7.2", "six paid draws", f"{RECRUIT}:MOST_PAID", instead(6), (DRAWING,)),
    Mutant("7.2", "four gold a draw", f"{RECRUIT}:DRAW_PRICE", instead(4), (DRAWING,)),
    Mutant("7.3", "odd counters are traded", f"{ENGINE}.offers:Draws.__contains__", odd_trades, (DRAWING,)),
    Mutant("7.3", "traded counters can be drawn", f"{RECRUIT}:DrawThings.on_draw", traded_first, (DRAWING,)),
    Mutant("7.4", "a rack holds eleven", f"{ENGINE}.state:RACK_LIMIT", instead(11), (RACK,)),
    Mutant("7.5", "used treasure comes back", f"{ENGINE}.state:KingsState.use_up", used_and_back, (RACK,)),
    Mutant("T4", "a short cup pays back", f"{RECRUIT}:DrawThings.on_draw", refunded, (RACK,)),
    Mutant("T5", "an empty cup means nothing", f"{ENGINE}.state:KingsState.draw", empty_means_nothing, (RACK,)),
]


# ---- 8: deploying


def hero_face_down(original: Any) -> Any:
    def station(frame: Any, state: Any, spot: str) -> None:
        state.put(frame.hero, spot, frame.seat, face_up=False)

    return station


def these_too(*sorts: str) -> Any:
    """Counters of these sorts are placed like creatures."""

    def change(original: Any) -> Any:
        def placements(state: Any, seat: int, hexes: Any, least: int = 1) -> Any:
            offer = original(state, seat, hexes, least)
            more = state.tags_of(n for n in state.rack(seat) if state.kind(n).sort in sorts)
            return dataclasses.replace(offer, creatures=(*offer.creatures, *more))

        return placements

    return change


def income_on_income(original: Any) -> Any:
    """Cities and villages go where there is special income already."""

    def placements(state: Any, seat: int, hexes: Any, least: int = 1) -> Any:
        offer = original(state, seat, hexes, least)
        anywhere = {tag: tuple(hexes) for tag in offer.income if state.kind(state.tags[tag]).terrain == "any"}
        return dataclasses.replace(offer, income={**offer.income, **anywhere})

    return placements


def any_terrain(original: Any) -> Any:
    def placements(state: Any, seat: int, hexes: Any, least: int = 1) -> Any:
        offer = original(state, seat, hexes, least)
        free = [spot for spot in hexes if all(state.kind(n).sort != "income" for n in state.at(spot))]
        return dataclasses.replace(offer, income=dict.fromkeys(offer.income, tuple(free)))

    return placements


def placed_face_up(original: Any) -> Any:
    def placed(state: Any, seat: int, action: Any) -> None:
        original(state, seat, action)
        state.turn_up(n for spot in action.places for n in state.of(seat, spot))

    return placed


def even_by_challenge(original: Any) -> Any:
    """The table option says nothing: bluffs leave by themselves."""

    def remove_bluffs(state: Any, spot: str) -> None:
        options, state.options = state.options, {**state.options, "bluffs": "automatic"}
        original(state, spot)
        state.options = options

    return remove_bluffs


def creatures_too(original: Any) -> Any:
    def income_of(state: Any, seat: int) -> list[int]:
        creatures = [n for spot in state.hexes for n in state.of(seat, spot) if state.kind(n).sort == "creature"]
        return [*original(state, seat), *creatures]

    return income_of


def in_combat_too(original: Any) -> Any:
    def gold_and_income(rules: Any, state: Any, seat: int) -> Any:
        phase, state.extras["phase"] = state.extras["phase"], "any"
        found = original(rules, state, seat)
        state.extras["phase"] = phase
        return found

    return gold_and_income


def in_all_hexes(original: Any) -> Any:
    """After a capture counters are placed anywhere."""

    def offers(frame: Any, state: Any) -> Any:
        hexes, frame.hexes = frame.hexes, []
        found = original(frame, state)
        frame.hexes = hexes
        return found

    return offers


def two_events(original: Any) -> Any:
    def turn_of(frame: Any, state: Any, seat: int) -> None:
        original(frame, state, seat)
        if state.rack(seat):
            state.call(EventChoice(seat=seat))

    return turn_of


DEPLOYING = [
    Mutant("8.1", "heroes are placed face down", f"{RECRUIT}:StationHero.station", hero_face_down, (RECRUITING,)),
    Mutant("8.2", "events are placed", f"{PLACE}:placements", these_too("event"), (PLACING,)),
    Mutant("8.21", "magic is placed", f"{PLACE}:placements", these_too("magic"), (PLACING,)),
    Mutant("8.21", "treasure is placed", f"{PLACE}:placements", these_too("treasure"), (PLACING,)),
    Mutant("8.22", "a city goes on other income", f"{PLACE}:placements", income_on_income, (PLACING,)),
    Mutant("8.23", "income goes into any terrain", f"{PLACE}:placements", any_terrain, (PLACING,)),
    Mutant("8.24", "Lords support nobody", f"{ENGINE}.support:lords_in", always(set()), (BLUFFS,)),
    Mutant("8.24", "land supports nobody", f"{ENGINE}.support:terrains_of", always(set()), (BLUFFS,)),
    Mutant("8.24", "creatures are placed face up", f"{PLACE}:place", placed_face_up, (PLACING,)),
    Mutant("8.3", "bluffs stay", f"{FLOW}.bluffs:remove_bluffs", nothing, (UNMASKED,)),
    Mutant("8.41", "creatures are taken back", f"{ENGINE}.state:KingsState.income_of", creatures_too, (PLACING,)),
    Mutant("8.42", "income leaves in combat too", f"{ENGINE}:Kings.gold_and_income", in_combat_too, (DANGER,)),
    Mutant("8.42", "income is never taken back", f"{ENGINE}:Kings.gold_and_income", always([]), (PLACING,)),
    Mutant("B1", "bluffs leave unchallenged", f"{FLOW}.bluffs:remove_bluffs", even_by_challenge, (UNMASKED,)),
    Mutant("B1", "a challenge does nothing", f"{ENGINE}:Kings.on_challenge", nothing, (UNMASKED,)),
    Mutant("T6", "a capture lets one place anywhere", f"{PLACE}:Deploy.offers", in_all_hexes, (WHEN,)),
    Mutant("T7", "two events a player", f"{ENGINE}.flow.events:RandomEvents.turn_of", two_events, (WHEN,)),
]


# ---- who sees what


def backs_of_others(original: Any) -> Any:
    """What lies face up is shown to its owner only."""

    def counters(state: Any, seat: int | None) -> Any:
        shown = original(state, seat)
        return tuple(c if c.owner in (None, seat) else Back(c.tag, c.place, c.owner) for c in shown)

    return counters


def racks_uncounted(original: Any) -> Any:
    return lambda state, number: dataclasses.replace(original(state, number), rack=0)


def seen_through(original: Any) -> Any:
    """Everybody sees what is on the map as its owner does."""

    def counters(state: Any, seat: int | None) -> Any:
        faces = {c.tag: c for other in state.seats for c in original(state, other) if not isinstance(c, Back)}
        return tuple(faces[c.tag] if isinstance(c, Back) else c for c in original(state, seat))

    return counters


def only_turned_down(original: Any) -> Any:
    """Survivors keep their names."""

    def hide(state: Any, seat: int, spot: str) -> None:
        for number in state.of(seat, spot):
            if state.kind(number).sort == "creature":
                state.change_counter(number, face_up=False)

    return hide


def watcher_as_seat_0(original: Any) -> Any:
    return lambda state, seat: original(state, 0 if seat is None else seat)


def shown_never(original: Any) -> Any:
    """After the game all stays hidden."""

    def counters(state: Any, seat: int | None) -> Any:
        result, state.result = state.result, None
        found = original(state, seat)
        state.result = result
        return found

    return counters


SEEING = [
    Mutant("H1", "face-up counters of others are hidden", f"{ENGINE}.view:counters", backs_of_others, (VIEWS,)),
    Mutant("H1", "the number on a rack is hidden", f"{ENGINE}.view:seat_view", racks_uncounted, (VIEWS,)),
    Mutant("H2", "everybody sees face-down counters", f"{ENGINE}.view:counters", seen_through, (VIEWS,)),
    Mutant(
        "H3", "survivors of a battle keep their names", f"{ENGINE}.state:KingsState.hide", only_turned_down, (VIEWS,)
    ),
    Mutant("H3", "stacks that meet are not mixed", f"{PLACE}:mix", nothing, (VIEWS, PLACING)),
    Mutant("H4", "a spectator sees what A sees", f"{ENGINE}.view:counters", watcher_as_seat_0, (VIEWS,)),
    Mutant("H4", "nothing is shown after the game", f"{ENGINE}.view:counters", shown_never, (VIEWS,)),
]


MUTANTS = [*SET_UP, *TURNS, *WINNING, *GOLDEN, *HEROIC, *THINGS_DRAWN, *DEPLOYING, *SEEING]
