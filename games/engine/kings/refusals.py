"""Why an action of Kings & Things* is refused, as exactly as can be said without telling what is hidden."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.actions import Action
from ..core.offers import Offer, OneOf, Some
from ..core.refusals import IllegalAction, Reason, reasons
from .actions import Ascend, Bribe, Draw, Lose, Place, Recruit, Retreat
from .catalogue import Kind
from .income import income_counter
from .offers import Attempts, Draws, LossLists, Placements
from .stacks import land_of, room
from .state import KingsState

reasons(
    not_your_counter=Reason("That is not a counter of yours on the map.", "9"),
    not_your_hex=Reason("{place} is not a land hex of yours.", "12.1"),
    has_moved=Reason("This counter has finished its movement for this turn.", "9.24"),
    pinned=Reason("This stack is pinned by enemies in {place} and cannot leave.", "9.23"),
    must_stop=Reason("A stack must stop in {place}: enemies or unexplored land are there.", "9.23"),
    no_march=Reason("A march needs at least one counter and one hex to go to, each counter once.", "9.1"),
    cannot_march=Reason("One of these counters cannot move now.", "9.1"),
    not_one_stack=Reason("Counters that move together must start in the same hex.", "9.13"),
    stay_with_deerhunter=Reason("Whoever uses Deerhunter’s ways must stay with him to the end.", "13"),
    not_adjacent=Reason("Each hex of a path must lie beside the one before it.", "9.1"),
    sea=Reason("Only flyers cross the sea, and nobody may end there.", "9.25"),
    crowded=Reason("A hex holds ten of your creatures and heroes; {place} would have more.", "9.22"),
    too_far=Reason("That is more than the four points a counter has in a turn.", "9.11"),
    highest_fort=Reason("There is nothing higher than a citadel.", "12.12"),
    no_fort_left=Reason("The bank has no fort of that level left.", "12.14"),
    no_citadel_so=Reason("A citadel cannot be had that way.", "14"),
    one_citadel=Reason("You already have a citadel.", "4.11"),
    income_too_low=Reason("Your income is too low for a citadel.", "4.1"),
    one_level_a_turn=Reason("A hex gets one level a turn; {place} has had it.", "12.12"),
    no_gold=Reason("You do not have the gold for that.", "5.2"),
    in_fives=Reason("Gold before the roll comes in fives, and no more than you have.", "6.2"),
    no_such_hero=Reason("This hero cannot be recruited by you now.", "6.1"),
    too_many_paid=Reason("At most five draws can be paid for, with five gold each.", "7.2"),
    trade_in_pairs=Reason("Counters are traded in pairs, ten at most, from your rack.", "7.3"),
    cannot_place=Reason("{what} cannot be placed there.", "8.2"),
    not_on_rack=Reason("That counter is not on your rack.", "8.2"),
    stays_on_rack=Reason("Only creatures and special income are placed; the {what} stays on the rack.", "8.21"),
    not_your_land=Reason("Counters are placed in land hexes of yours; {place} is none.", "8.2"),
    one_income=Reason("A hex takes one special income counter; {place} would have two.", "8.22"),
    wrong_terrain=Reason("{what} can be placed in {terrain} only; {place} is {here}.", "8.23"),
    placed_elsewhere=Reason("Counters can be placed only in {places} now.", "T6"),
    cannot_bribe=Reason("You cannot bribe these: they cost more than you have, or are not there.", "10.21"),
    wrong_losses=Reason("Name exactly {count}, each as often as it can take hits.", "11.51"),
    no_retreat_there=Reason("A retreat goes to an adjacent land hex of yours without enemies.", "11.6"),
    no_balloon=Reason(
        "The Balloon takes one to three of one hex, of value 3 or less, to land within three hexes.", "15"
    ),
    no_target=Reason("That cannot be chosen here."),
    no_start=Reason("A kingdom starts from one of the marked hexes at the rim that nobody has taken.", "2.15"),
    no_sea=Reason("Only sea under your start or beside it is replaced.", "2.15"),
    no_claim=Reason("A claim is free land beside your own, and not beside another’s while there is any such.", "2.16"),
    no_fight=Reason("No battle or exploration of yours waits in {place}.", "11.1"),
    no_undo=Reason("There is nothing to take back: a die, a draw, a reveal or another player came in between."),
    nothing_proposed=Reason("Nobody has proposed to end the game.", "W4"),
    not_a_treasure=Reason("You can cash in treasures on your rack while you are asked for a decision.", "5.3"),
    not_your_income=Reason(
        "You can take back your own special income counters while you are asked, but not in the Combat Phase.", "8.42"
    ),
    no_challenge=Reason("Only creatures that lie face up can be challenged, and not your own.", "8.3"),
    no_such_order=Reason("There is no such standing order.", "R2"),
)

ASIDES = {
    "cash": "not_a_treasure",
    "remove_income": "not_your_income",
    "challenge": "no_challenge",
    "set_order": "no_such_order",
    "undo": "no_undo",
    "agree_end": "nothing_proposed",
    "decline_end": "nothing_proposed",
}


# question -> why a hex that was not offered is not to be had
WRONG_HEX = {
    "start": "no_start",
    "replace_sea": "no_sea",
    "claim": "no_claim",
    "tower": "not_your_hex",
    "station_hero": "not_your_hex",
    "engage": "no_fight",
}


def why_not(state: KingsState, seat: int, action: Action, offers: Sequence[Offer], question: str = "") -> IllegalAction:
    """The best reason for refusing an action, from what was asked and offered instead."""
    if action.do in ASIDES:
        return IllegalAction(ASIDES[action.do])
    offered = next((offer for offer in offers if offer.do == action.do), None)
    if offered is None:
        return IllegalAction("not_on_offer")
    if isinstance(action, Recruit) and isinstance(offered, Attempts):
        return IllegalAction("no_such_hero" if action.hero not in offered.heroes else "in_fives")
    if isinstance(action, Draw) and isinstance(offered, Draws):
        return IllegalAction("too_many_paid" if not 0 <= action.paid <= offered.most_paid else "trade_in_pairs")
    if isinstance(action, Place) and isinstance(offered, Placements):
        return why_no_place(state, seat, action, offered)
    if isinstance(action, Bribe):
        return IllegalAction("cannot_bribe")
    if isinstance(action, Lose) and isinstance(offered, LossLists):
        return IllegalAction("wrong_losses", count=offered.count)
    if isinstance(action, Retreat):
        return IllegalAction("no_retreat_there")
    if isinstance(action, Ascend):
        return IllegalAction("no_balloon")
    if isinstance(offered, OneOf) and (where := getattr(action, offered.open)) in state.hexes:
        return IllegalAction(WRONG_HEX.get(question, "no_target"), place=where)
    return IllegalAction("no_target" if isinstance(offered, OneOf | Some) else "not_on_offer")


def why_no_place(state: KingsState, seat: int, action: Place, offered: Placements) -> IllegalAction:
    for tag, place in zip(action.counters, action.places):
        counter = state.by_tag(tag)
        if counter is None or (counter.place != f"rack:{seat}" and tag not in offered.creatures):
            return IllegalAction("not_on_rack")
        kind = state.kind(counter.number)
        if kind.sort not in ("creature", "hero", "income"):
            return IllegalAction("stays_on_rack", what=kind.name)
        if place not in state.hexes:
            break
        if place not in land_of(state, seat):
            return IllegalAction("not_your_land", place=place)
        refusal = why_no_income(state, action, place, kind) if kind.sort == "income" else None
        if refusal is not None:
            return refusal
        if room(state, seat, place) < len(creatures_for(state, action, place)):
            return IllegalAction("crowded", place=place)
        if place not in offered.room:
            return IllegalAction("placed_elsewhere", places=", ".join(offered.room))
    return IllegalAction("cannot_place", what="That")


def why_no_income(state: KingsState, action: Place, place: str, kind: Kind) -> IllegalAction | None:
    here = state.hexes[place].terrain
    if kind.terrain not in ("any", here):
        return IllegalAction("wrong_terrain", what=kind.name, terrain=kind.terrain, place=place, here=here)
    if income_counter(state, place) is not None or len(income_for(state, action, place)) > 1:
        return IllegalAction("one_income", place=place)
    return None


def income_for(state: KingsState, action: Place, place: str) -> list[str]:
    """Special income counters that an action would put into a hex."""
    return [
        tag for tag in tags_for(action, place) if tag in state.tags and state.kind(state.tags[tag]).sort == "income"
    ]


def creatures_for(state: KingsState, action: Place, place: str) -> list[str]:
    """Everything else."""
    income = income_for(state, action, place)
    return [tag for tag in tags_for(action, place) if tag not in income]


def tags_for(action: Place, place: str) -> list[str]:
    return [tag for tag, where in zip(action.counters, action.places) if where == place]
