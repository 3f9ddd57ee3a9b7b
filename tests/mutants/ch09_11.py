"""Faults in movement, exploration and combat (9 to 11, M1 to M7, B2, E1 to E4, C1 to C10, some of X)."""

from __future__ import annotations

import dataclasses
from dataclasses import replace
from typing import Any

from games.engine.core.events import EVERYONE
from games.engine.core.offers import Exactly
from games.engine.kings.actions import Done
from games.engine.kings.battle import MELEE
from games.engine.kings.catalogue import SEA
from games.engine.kings.events import TargetNamed
from games.engine.kings.flow.battle import Battle
from games.engine.kings.flow.capture import Capture
from games.engine.kings.flow.combat import Segment, pending
from games.engine.kings.flow.explore import Explore
from games.engine.kings.flow.place import Deploy
from games.engine.kings.flow.retreat import Retreating
from games.engine.kings.offers import Charms
from games.engine.kings.stacks import armies, army, wild
from games.engine.kings.state import CUP, GONE, HOUSE, WILD

from . import Mutant, always, instead, nothing

ENGINE = "games.engine.kings"
FLOW = f"{ENGINE}.flow"
MARCH, EXPLORE = f"{FLOW}.march", f"{FLOW}.explore"
MARCHES = f"{ENGINE}.marches"
STACKS, OFFERS, BATTLE = f"{ENGINE}.stacks", f"{ENGINE}.offers", f"{ENGINE}.battle"
STOPS = f"{ENGINE}.movement:stops_and_room"

SPEED, LIMIT, PINNED = "09_movement/speed.txt", "09_movement/limit.txt", "09_movement/pinned.txt"
FLYERS, CONQUEST, SEA_LAND = "09_movement/flyers.txt", "09_movement/conquest.txt", "09_movement/sea_and_wilderness.txt"
FINDING, BRIBES, FIGHTING = "10_exploration/finding.txt", "10_exploration/bribes.txt", "10_exploration/fighting.txt"
SEGMENTS, ROUNDS, HITS = "11_combat/segments.txt", "11_combat/rounds.txt", "11_combat/hits.txt"
RETREAT, AFTER, UNOWNED = "11_combat/retreat.txt", "11_combat/after.txt", "11_combat/unowned.txt"
MULTIPLE, MORE, POWERS = "11_combat/multiple.txt", "11_combat/multiple_more.txt", "11_combat/powers.txt"
CHALLENGED = "11_combat/challenged_sides.txt"


# ---- 9: movement


def last_hex_free(original: Any) -> Any:
    return lambda offer, path, led: original(offer, path[:-1], led)


def whole_stacks_only(original: Any) -> Any:
    def why_not(offer: Any, action: Any) -> Any:
        starts = {offer.walkers[tag].place for tag in action.counters if tag in offer.walkers}
        left = [tag for tag, walker in offer.walkers.items() if walker.place in starts and tag not in action.counters]
        return original(offer, action) or (("not_one_stack", "") if left else None)

    return why_not


def the_neighbours_part(original: Any) -> Any:
    return lambda movement, state, seat: original(movement, state, state.left_of(seat))


def nobody_rests(original: Any) -> Any:
    def set_out(marching: Any, numbers: list[int]) -> None:
        marching.stack, marching.bound = sorted(numbers), []

    return set_out


def no_seas(original: Any) -> Any:
    return lambda offer, *args: original(replace(offer, seas=frozenset()), *args)


def stops_where(holds: Any) -> Any:
    """Other hexes stop a march than those of the rules: `holds` is asked about each, with what the rules say."""

    def change(original: Any) -> Any:
        def stops_and_room(state: Any, seat: int) -> Any:
            stops, room = original(state, seat)
            return {p for p, here in state.hexes.items() if holds(here, seat, p in stops)}, room

        return stops_and_room

    return change


def enemy_land_too(here: Any, seat: int, stops: bool) -> bool:
    return stops or here.owner not in (seat, None)


def not_the_wilderness(here: Any, seat: int, stops: bool) -> bool:
    return stops and here.owner is not None


def nowhere(here: Any, seat: int, stops: bool) -> bool:
    return False


def last_step_on_credit(original: Any) -> Any:
    """One point left is enough for any hex."""

    def why_no_path(offer: Any, walkers: list[Any], start: str, path: tuple[str, ...]) -> Any:
        reason = original(offer, walkers, start, path)
        enough = all(offer.price(path[:-1], False) < walker.points for walker in walkers)
        return None if reason and reason[0] == "too_far" and enough else reason

    return why_no_path


def full_over_citadels(original: Any) -> Any:
    return lambda state, place: 10


def most_only(original: Any) -> Any:
    """The flyers of several enemies do not add up."""

    def hold(passing: Any, state: Any, seat: int, shown: list[int]) -> None:
        before, passing.held = passing.held, 0
        original(passing, state, seat, shown)
        passing.held = max(before, passing.held)

    return hold


def flyers_cross_the_wilderness(original: Any) -> Any:
    def arrive(marching: Any, state: Any, numbers: list[int], place: str) -> None:
        original(marching, state, numbers, place)
        if state.hexes[place].owner is None:
            flyers = [n for n in numbers if state.kind(n).flies]
            marching.stopped = [n for n in marching.stopped if n not in flyers]

    return arrive


def first_intruder_takes_it(original: Any) -> Any:
    def conquests(movement: Any, state: Any) -> None:
        for place, here in state.hexes.items():
            others = [seat for seat in armies(state, place) if seat != here.owner]
            if here.owner is not None and others and here.owner not in armies(state, place) and not here.fort:
                movement.next = "conquests"
                state.call(Capture(seat=others[0], place=place))
                return

    return conquests


def stay_face_up(original: Any) -> Any:
    def go_on(passing: Any, state: Any) -> None:
        if passing.flyers:
            passing.stay(state, [])
        passing.leave(state)

    return go_on


MOVEMENT = [
    Mutant("9", "special income marches", f"{STACKS}:ARMY", instead(("creature", "hero", "income")), (SPEED,)),
    Mutant("9.1", "five hexes a turn", f"{ENGINE}.movement:POINTS", instead(5), (SPEED,)),
    Mutant("9.11", "all hexes cost one", f"{ENGINE}.movement:cost", always(1), (SPEED,)),
    Mutant("9.12", "the last hex costs nothing", f"{MARCHES}:Marches.price", last_hex_free, (SPEED,)),
    Mutant("9.13", "stacks cannot be divided", f"{MARCHES}:Marches.why_not", whole_stacks_only, (SPEED,)),
    Mutant("9.21", "the neighbour moves instead", f"{MARCH}:Movement.turn_of", the_neighbours_part, (SPEED,)),
    Mutant("9.22", "no limit in a hex", f"{ENGINE}.state:MOST_IN_A_HEX", instead(99), (LIMIT,)),
    Mutant("9.23", "nobody is pinned", f"{STACKS}:is_pinned", always(False), (PINNED,)),
    Mutant("9.24", "stacks move by turns", f"{MARCH}:Marching.set_out", nobody_rests, (SPEED,)),
    Mutant("9.25", "the sea is land", f"{MARCHES}:Marches.why_no_path", no_seas, (SEA_LAND,)),
    Mutant("9.3", "nobody flies", f"{ENGINE}.catalogue:Kind.flies", always(False), (FLYERS,)),
    Mutant("9.31", "flyers hold nobody", f"{MARCH}:Passing.hold", nothing, (FLYERS,)),
    Mutant("9.4", "nothing stops a march", STOPS, stops_where(nowhere), (PINNED, SEA_LAND)),
    Mutant("9.41", "enemy land stops armies", STOPS, stops_where(enemy_land_too), (PINNED,)),
    Mutant("9.42", "unexplored land stops nobody", STOPS, stops_where(not_the_wilderness), (SEA_LAND,)),
    Mutant("9.43", "empty hexes are not taken", f"{MARCH}:Movement.conquests", nothing, (CONQUEST,)),
    Mutant("M1", "the last step on credit", f"{MARCHES}:Marches.why_no_path", last_step_on_credit, (SPEED,)),
    Mutant("M2", "each march has four points", f"{ENGINE}.movement:points_left", always(4), (SPEED,)),
    Mutant("M3", "citadels are no exception", f"{STACKS}:most_in", full_over_citadels, (LIMIT,)),
    Mutant("M4", "heroes and walls need proof", f"{STACKS}:pins_by_itself", always(False), (PINNED,)),
    Mutant("M5", "only one enemy's flyers hold", f"{MARCH}:Passing.hold", most_only, (FLYERS,)),
    Mutant("M6", "flyers go on", f"{MARCH}:Marching.arrive", flyers_cross_the_wilderness, (SEA_LAND,)),
    Mutant("M7", "the first intruder has it", f"{MARCH}:Movement.conquests", first_intruder_takes_it, (CONQUEST,)),
    Mutant("B2", "shown flyers stay face up", f"{MARCH}:Passing.go_on", stay_face_up, (FLYERS,)),
]


# ---- 10: exploration


def battles_only(original: Any) -> Any:
    return lambda state, seat: [place for place in original(state, seat) if len(armies(state, place)) > 1]


def always_undefended(original: Any) -> Any:
    def roll(explore: Any, state: Any) -> None:
        explore.faces = [[1]]

    return roll


def six_is_five(original: Any) -> Any:
    def defenders(explore: Any, state: Any) -> None:
        explore.faces = [[min(5, explore.faces[0][0])]]
        original(explore, state)

    return defenders


def one_gold_each(original: Any) -> Any:
    return lambda state, place, held: dict.fromkeys(original(state, place, held), 1)


def never_doubled(original: Any) -> Any:
    def prices(state: Any, place: str, held: Any) -> dict[str, int]:
        found = original(state, place, held)
        guarded = any(state.kind(n).sort in ("treasure", "magic", "income") for n in wild(state, place))
        return {tag: price // 2 if guarded else price for tag, price in found.items()}

    return prices


def wild_go_home(*sorts: str) -> Any:
    """Wild counters of these sorts do not stay when they have won."""

    def change(original: Any) -> Any:
        def decide(aftermath: Any, state: Any) -> None:
            original(aftermath, state)
            if aftermath.standing == [WILD]:
                for number in wild(state, aftermath.place):
                    if state.kind(number).sort in sorts:
                        state.to_cup(number)

        return decide

    return change


def always_rolled_for(original: Any) -> Any:
    def look(explore: Any, state: Any) -> None:
        original(explore, state)
        explore.next = "roll"

    return look


def run_from_the_left(original: Any) -> Any:
    def look(explore: Any, state: Any) -> None:
        original(explore, state)
        if explore.runner != HOUSE:
            explore.runner = state.left_of(explore.seat)

    return look


def only_by_the_die(original: Any) -> Any:
    def take(explore: Any, state: Any) -> None:
        if explore.faces[0][0] in (1, 6):
            original(explore, state)
        else:
            explore.leave(state)

    return take


def not_from_an_empty_cup(original: Any) -> Any:
    def take(explore: Any, state: Any) -> None:
        if state.at(CUP):
            original(explore, state)
        else:
            explore.leave(state)
            for number in army(state, explore.seat, explore.place):
                state.eliminate(number)

    return take


EXPLORATION = [
    Mutant("10", "nobody explores", f"{FLOW}.combat:pending", battles_only, (FINDING,)),
    Mutant("10.1", "all hexes are undefended", f"{EXPLORE}:Explore.roll", always_undefended, (FINDING,)),
    Mutant("10.11", "a 6 is as good as a 5", f"{EXPLORE}:Explore.defenders", six_is_five, (FINDING,)),
    Mutant("10.12", "all special income stays", f"{EXPLORE}:Explore.income", nothing, (FINDING,)),
    Mutant("10.2", "no bribes", f"{EXPLORE}:Explore.offers_to_bribe", always({}), (BRIBES,)),
    Mutant("10.21", "everybody costs one", f"{EXPLORE}:prices", one_gold_each, (BRIBES,)),
    Mutant("10.22", "what was guarded stays", f"{FLOW}.capture:Capture.loot", nothing, (BRIBES,)),
    Mutant("10.3", "winners go home", f"{FLOW}.aftermath:Aftermath.decide", wild_go_home("creature"), (FIGHTING,)),
    Mutant("10.4", "defenders are added", f"{EXPLORE}:Explore.look", always_rolled_for, (FIGHTING,)),
    Mutant("E1", "the left neighbour runs them", f"{EXPLORE}:Explore.look", run_from_the_left, (FINDING,)),
    Mutant("E2", "a draw of treasure defends", f"{EXPLORE}:Explore.take", only_by_the_die, (FINDING,)),
    Mutant("E3", "guards are not dearer", f"{EXPLORE}:prices", never_doubled, (BRIBES,)),
    Mutant(
        "E4",
        "treasure does not stay",
        f"{FLOW}.aftermath:Aftermath.decide",
        wild_go_home("treasure", "magic"),
        (FIGHTING,),
    ),
    Mutant("X10", "an empty cup is deadly", f"{EXPLORE}:Explore.take", not_from_an_empty_cup, (FINDING,)),
]


# ---- 11: combat


def explorations_only(original: Any) -> Any:
    return lambda state, seat: [place for place in original(state, seat) if state.hexes[place].owner is None]


def no_fight_for_exploration(original: Any) -> Any:
    def fight(explore: Any, state: Any) -> None:
        for number in army(state, WILD, explore.place):
            state.to_cup(number)

    return fight


def anybodys_battles(original: Any) -> Any:
    def pending(state: Any, seat: int) -> list[str]:
        if not original(state, seat):
            return []
        found = {place for each in state.order for place in original(state, each)}
        return sorted(found)

    return pending


def roles_exchanged(original: Any) -> Any:
    def take_sides(battle: Any, state: Any) -> None:
        original(battle, state)
        if battle.defender != WILD:
            battle.attackers, battle.defender = [battle.defender, *battle.attackers[1:]], battle.attackers[0]

    return take_sides


def everybody_has_a_segment(original: Any) -> Any:
    def turn_of(combat: Any, state: Any, seat: int) -> None:
        original(combat, state, seat)
        if not pending(state, seat):
            state.call(Deploy(seat=seat))

    return turn_of


def all_in_one_segment(original: Any) -> Any:
    def after(segment: Any, state: Any) -> None:
        if pending(state, segment.seat):
            state.call(Segment(seat=segment.seat))
        else:
            original(segment, state)

    return after


def may_pass(original: Any) -> Any:
    def offers(segment: Any, state: Any) -> Any:
        return {seat: [*found, Exactly(Done())] for seat, found in original(segment, state).items()}

    return offers


def gone_for_good(original: Any) -> Any:
    def eliminate(state: Any, number: int) -> None:
        if state.kind(number).sort == "hero":
            original(state, number)
        else:
            state.change_counter(number, place=GONE, owner=None, face_up=True, tag="")

    return eliminate


def without(steps: tuple[str, ...], *order: str) -> tuple[str, ...]:
    """The same steps with these ones, in this order, where the first of them stood."""
    at = min(steps.index(step) for step in order)
    return (*steps[:at], *order, *(step for step in steps[at:] if step not in order))


def equal_is_a_miss(original: Any) -> Any:
    def count(strike: Any, state: Any) -> None:
        strike.needs = [[need - 1 for need in line] for line in strike.needs]
        original(strike, state)

    return count


def first_side_only(original: Any) -> Any:
    def count(strike: Any, state: Any) -> None:
        strike.throwers = strike.throwers[:1]
        original(strike, state)

    return count


def one_hit_each(original: Any) -> Any:
    return lambda *args: dict.fromkeys(original(*args), 1)


def some_stay(original: Any) -> Any:
    return lambda offer, action: original(offer, dataclasses.replace(action, counters=()))


def always_asked(original: Any) -> Any:
    return lambda frame, state: {seat: frame.offers_to(state, seat) for seat in frame.pending}


def defender_first(original: Any) -> Any:
    def retreats(battle: Any, state: Any) -> None:
        if not battle.is_over(state):
            state.call(Retreating(waiting=[side for side in reversed(battle.sides) if side != WILD]))

    return retreats


def from_the_right(original: Any) -> Any:
    def retreats(battle: Any, state: Any) -> None:
        if not battle.is_over(state):
            state.call(Retreating(waiting=[*reversed(battle.attackers), battle.defender]))

    return retreats


def place_nothing(original: Any) -> Any:
    return lambda frame, state: frame.leave(state)


def anybody(original: Any) -> Any:
    def target_of(battle: Any, state: Any, side: int) -> int | None:
        return next((other for other in battle.standing(state) if other != side), None)

    return target_of


def no_exploring_after_a_fight(original: Any) -> Any:
    def decide(aftermath: Any, state: Any) -> None:
        aftermath.wild = True
        original(aftermath, state)

    return decide


def announcer_defends(original: Any) -> Any:
    def take_sides(battle: Any, state: Any) -> None:
        original(battle, state)
        if state.hexes[battle.place].owner is None and battle.defender != WILD:
            battle.attackers = [side for side in battle.sides if side != battle.initiator]
            battle.defender = battle.initiator

    return take_sides


def first_to_the_left(original: Any) -> Any:
    def found(battle: Any, state: Any, there: list[int]) -> int:
        seat = state.left_of(battle.initiator)
        while seat not in there:
            seat = state.left_of(seat)
        return int(seat)

    return found


COMBAT_RULES = [
    Mutant("11", "armies share hexes in peace", f"{FLOW}.combat:pending", explorations_only, (SEGMENTS, ROUNDS)),
    Mutant(
        "11.1", "explorers need not fight", f"{EXPLORE}:Explore.fight", no_fight_for_exploration, (SEGMENTS, FIGHTING)
    ),
    Mutant("11.2", "anybody's battle may be announced", f"{FLOW}.combat:pending", anybodys_battles, (SEGMENTS,)),
    Mutant("11.21", "the owner attacks", f"{FLOW}.battle:Battle.take_sides", roles_exchanged, (SEGMENTS, RETREAT)),
    Mutant("11.22", "nobody is skipped", f"{FLOW}.combat:Combat.turn_of", everybody_has_a_segment, (SEGMENTS,)),
    Mutant("11.23", "all one's battles at once", f"{FLOW}.combat:Segment.after", all_in_one_segment, (SEGMENTS,)),
    Mutant("11.24", "one may pass", f"{FLOW}.combat:Segment.offers", may_pass, (SEGMENTS,)),
    Mutant("11.25", "one segment each", f"{FLOW}.combat:Combat.finish", nothing, (SEGMENTS,)),
    Mutant("11.3", "the dead stay dead", f"{ENGINE}.state:KingsState.eliminate", gone_for_good, (HITS, ROUNDS)),
    Mutant(
        "11.31",
        "melee before magic",
        f"{FLOW}.battle:Battle.steps",
        instead(without(Battle.steps, "melee", "ranged", "magic")),
        (ROUNDS,),
    ),
    Mutant("11.4", "equal is a miss", f"{FLOW}.strike:Strike.count", equal_is_a_miss, (ROUNDS,)),
    Mutant("11.41", "nobody charges", f"{ENGINE}.catalogue:Kind.charges", always(False), (ROUNDS,)),
    Mutant("11.5", "only one side's hits count", f"{FLOW}.strike:Strike.count", first_side_only, (HITS,)),
    Mutant("11.51", "the game picks the losses", f"{FLOW}.losses:Losses.has_choice", always(False), (HITS,)),
    Mutant("11.52", "walls take one hit", f"{BATTLE}:targets_of", one_hit_each, (HITS,)),
    Mutant("11.53", "all forts fight in the melee", f"{BATTLE}:fort_step", always(MELEE), (HITS,)),
    Mutant("11.6", "some may stay behind", "games.engine.kings.offers:Retreats.why_not", some_stay, (RETREAT,)),
    Mutant("11.81", "asked without a choice", f"{FLOW}.strike:Targets.offers", always_asked, (CHALLENGED,)),
    Mutant("11.6", "the defender leaves first", f"{FLOW}.battle:Battle.retreats", defender_first, (RETREAT,)),
    Mutant("11.7", "survivors stay face up", f"{FLOW}.aftermath:Aftermath.hide", nothing, (AFTER,)),
    Mutant("11.71", "nothing is captured", f"{FLOW}.aftermath:Aftermath.decide", nothing, (AFTER,)),
    Mutant("11.72", "nothing is damaged", f"{FLOW}.aftermath:Aftermath.reduce", nothing, (AFTER,)),
    Mutant("11.73", "hits on walls last", f"{FLOW}.aftermath:Aftermath.mend", nothing, (AFTER,)),
    Mutant("11.74", "nothing is placed", f"{FLOW}.capture:PlaceAfterCapture.ask", place_nothing, (AFTER,)),
    Mutant("11.8", "nobody names a target", f"{FLOW}.battle:Battle.name_targets", nothing, (MULTIPLE,)),
    Mutant("11.81", "hits go to anybody", f"{FLOW}.battle:Battle.target_of", anybody, (MULTIPLE,)),
    Mutant(
        "11.82", "attackers leave the other way round", f"{FLOW}.battle:Battle.retreats", from_the_right, (MULTIPLE,)
    ),
    Mutant(
        "11.9",
        "the survivor owns the hex",
        f"{FLOW}.aftermath:Aftermath.decide",
        no_exploring_after_a_fight,
        (UNOWNED,),
    ),
    Mutant("11.91", "the announcer defends", f"{FLOW}.battle:Battle.take_sides", announcer_defends, (UNOWNED,)),
    Mutant("11.92", "the left one defends", f"{FLOW}.battle:Battle.first_to_the_right", first_to_the_left, (UNOWNED,)),
]


# ---- the rulings on combat


def last_player_first(original: Any) -> Any:
    def gather(frame: Any, state: Any) -> None:
        original(frame, state)
        if frame.name() == "combat":
            frame.waiting.reverse()

    return gather


def every_save_counts(original: Any) -> Any:
    return lambda losses, state, battle, side, tag, face: 2 <= face <= 5


def as_good_as_new(original: Any) -> Any:
    return lambda state, place: state.hexes[place].fort


def any_own_land(original: Any) -> Any:
    def refuges(state: Any, seat: int, place: str) -> list[str]:
        hexes = state.hexes
        near = state.map.neighbours[place]
        return [each for each in near if hexes[each].owner == seat and hexes[each].terrain != SEA]

    return refuges


def nobodys_when_all_are_gone(original: Any) -> Any:
    def decide(aftermath: Any, state: Any) -> None:
        original(aftermath, state)
        if not aftermath.standing:
            state.own(aftermath.place, None)

    return decide


def only_after_capture(original: Any) -> Any:
    def damage(aftermath: Any, state: Any) -> None:
        if state.extras.get("captured") == aftermath.place:
            original(aftermath, state)
        else:
            aftermath.next = "hide"

    return damage


def named_aloud(original: Any) -> Any:
    def on_choose(targets: Any, state: Any, seat: int, action: Any) -> None:
        state.tell(TargetNamed(seat, int(action.what)), to=EVERYONE)
        original(targets, state, seat, action)

    return on_choose


def explored_at_once(original: Any) -> Any:
    def decide(aftermath: Any, state: Any) -> None:
        original(aftermath, state)
        if state.hexes[aftermath.place].owner is None and not aftermath.wild and aftermath.standing:
            state.call(Explore(place=aftermath.place, seat=aftermath.standing[0]))

    return decide


def any_number(original: Any) -> Any:
    def offers(charm: Any, state: Any, window: Any, seat: int, item: str) -> list[Any]:
        roll = state.below(window)
        dice = [(side, die) for side, faces in enumerate(roll.faces) for die in range(len(faces))]
        return [Charms(item, tuple((side, die, change) for side, die in dice for change in (1, -1)))]

    return offers


def creatures_hands_only(original: Any) -> Any:
    def empty_hands(state: Any, battle: Any, side: int) -> tuple[str, ...]:
        tags = original(state, battle, side)
        return tuple(tag for tag in tags if state.kind(state.tags[tag]).sort == "creature")

    return empty_hands


def items_take_no_hits(original: Any) -> Any:
    def targets_of(state: Any, *args: Any) -> dict[str, int]:
        items = {state.counters[n].tag for kind, n in state.magic.items() if kind in ("bow", "sword", "balloon")}
        return {tag: most for tag, most in original(state, *args).items() if tag not in items}

    return targets_of


def another_target_instead(original: Any) -> Any:
    def target_of(battle: Any, state: Any, side: int) -> int | None:
        found = original(battle, state, side)
        others = [other for other in battle.standing(state) if other != side]
        return found if found is not None or not others else others[0]

    return target_of


def left_lying(original: Any) -> Any:
    def decide(aftermath: Any, state: Any) -> None:
        if aftermath.standing:
            original(aftermath, state)

    return decide


def looked_at_later(original: Any) -> Any:
    return lambda segment, state: segment.leave(state)


RULINGS = [
    Mutant("C1", "the last player begins", f"{ENGINE}.flow.base:InTurn.gather", last_player_first, (SEGMENTS,)),
    Mutant(
        "C2",
        "the Baron before Warlord and Dust",
        f"{FLOW}.battle:Battle.steps",
        instead(without(Battle.steps, "baron", "warlord", "dust")),
        (POWERS,),
    ),
    Mutant("C3", "the Talisman saves for ever", f"{FLOW}.losses:Losses.is_saved", every_save_counts, (POWERS,)),
    Mutant("C4", "forts fight at full strength", f"{STACKS}:fort_left", as_good_as_new, (HITS,)),
    Mutant("C5", "retreat into enemies", f"{STACKS}:refuges", any_own_land, (RETREAT,)),
    Mutant("C6", "nobody left, nobody's", f"{FLOW}.aftermath:Aftermath.decide", nobodys_when_all_are_gone, (AFTER,)),
    Mutant("C7", "only captured walls suffer", f"{FLOW}.aftermath:Aftermath.damage", only_after_capture, (AFTER,)),
    Mutant("C8", "targets are named aloud", f"{FLOW}.strike:Targets.on_choose", named_aloud, (MULTIPLE,)),
    Mutant("C9", "explored in the same segment", f"{FLOW}.aftermath:Aftermath.decide", explored_at_once, (UNOWNED,)),
    Mutant("C10", "dice of 0 and 7", f"{ENGINE}.powers.magic:LuckyCharm.offers", any_number, (POWERS,)),
    Mutant("X1", "heroes hold no items", f"{FLOW}.battle_magic:empty_hands", creatures_hands_only, (POWERS,)),
    Mutant("X5", "items take no hits", f"{BATTLE}:targets_of", items_take_no_hits, (HITS, POWERS)),
    Mutant("X6", "the Golem stops nothing", f"{FLOW}.strike:has_golem", always(0), (POWERS,)),
    Mutant("X7", "another target instead", f"{FLOW}.battle:Battle.target_of", another_target_instead, (MORE,)),
    Mutant("X13", "more than ten may stay", f"{ENGINE}.flow.place:TooMany.offers", always({}), (RETREAT, POWERS)),
    Mutant("X15", "treasure is left lying", f"{FLOW}.aftermath:Aftermath.decide", left_lying, (FIGHTING,)),
    Mutant("X27", "elimination waits for the end", f"{FLOW}.combat:Segment.after", looked_at_later, (AFTER,)),
]

EXAMPLES = [
    Mutant("9.11 example", "all hexes cost one", f"{ENGINE}.movement:cost", always(1), (SPEED,)),
    Mutant("9.31 example", "flyers hold nobody", f"{MARCH}:Passing.hold", nothing, (FLYERS,)),
    Mutant("10.12 example", "oil in the swamp", f"{EXPLORE}:Explore.income", nothing, (FINDING,)),
    Mutant("10.21 example", "nine gold for all", f"{EXPLORE}:prices", never_doubled, (BRIBES,)),
    Mutant("11.41 example", "the knight does not charge", f"{ENGINE}.catalogue:Kind.charges", always(False), (ROUNDS,)),
    Mutant(
        "11.5 example",
        "arrows before magic",
        f"{FLOW}.battle:Battle.steps",
        instead(without(Battle.steps, "ranged", "magic")),
        (HITS,),
    ),
]

MUTANTS = [*MOVEMENT, *EXPLORATION, *COMBAT_RULES, *RULINGS, *EXAMPLES]
