"""Why an action of Kings & Things* is refused, as exactly as can be said without telling what is hidden."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.actions import Action
from ..core.offers import Offer, OneOf, Some
from ..core.refusals import IllegalAction, Reason, reasons
from .actions import AgreeEnd, Ascend, Bribe, DeclineEnd, Draw, Lose, Place, ProposeEnd, Recruit, Retreat
from .catalogue import Kind
from .income import income_counter
from .leaving import voters
from .offers import Attempts, Draws, LossLists, Placements, Retreats
from .stacks import land_of, room
from .state import KingsState

reasons(
    not_your_counter=Reason("Choose one of your own counters on the map.", "9"),
    not_your_hex=Reason("Choose a land hex you own: {place} isn’t one.", "12.1"),
    has_moved=Reason(
        "This counter has finished moving: once another stack moves, it can’t move again this turn.", "9.24"
    ),
    pinned=Reason("This stack is pinned: enemies in {place} keep it from leaving.", "9.23"),
    must_stop=Reason("A stack must stop in {place}, because the hex is unexplored or holds enemies.", "9.23"),
    no_march=Reason("Choose at least one counter, each only once, and a hex to move to.", "9.1"),
    cannot_march=Reason("One of these counters can’t move now. Leave it out.", "9.1"),
    not_one_stack=Reason("Only counters in the same hex can move together.", "9.13"),
    stay_with_deerhunter=Reason(
        "Counters that used Deerhunter’s movement must stay with Deerhunter for the rest of the turn.", "13"
    ),
    not_adjacent=Reason("Each hex of a path must touch the one before it.", "9.1"),
    sea=Reason("Only flyers can cross the sea, and nobody can end a move there.", "9.25"),
    crowded=Reason("A hex holds at most ten of your creatures and heroes, and {place} would have more.", "9.22"),
    too_far=Reason(
        "That is too far: a counter has four movement points a turn. Swamp, mountain, forest and jungle cost two.",
        "9.11",
    ),
    highest_fort=Reason("A citadel is the highest fort. You can’t raise it further.", "12.12"),
    no_fort_left=Reason("The bank has no fort of this level left.", "12.14"),
    no_citadel_so=Reason("This event can’t build a citadel. Choose another hex.", "14"),
    one_citadel=Reason("You already own a citadel, so you can’t build another.", "4.11"),
    income_too_low=Reason("Your income is too low for a citadel: you need 20, or 15 with two or three players.", "4.1"),
    one_level_a_turn=Reason("A fort grows by one level a turn, and the one in {place} has already grown.", "12.12"),
    no_gold=Reason("You don’t have enough gold for that.", "5.2"),
    in_fives=Reason("Before the roll you can spend gold in steps of five, up to what you have.", "6.2"),
    no_such_hero=Reason("You can’t recruit this hero now. Choose one of those on offer.", "6.1"),
    too_many_paid=Reason("You can buy up to five draws a turn, for five gold each.", "7.2"),
    trade_in_pairs=Reason("Trade in counters from your rack in pairs, ten at most.", "7.3"),
    cannot_place=Reason("{what} can’t be placed there.", "8.2"),
    not_on_rack=Reason("That counter isn’t on your rack.", "8.2"),
    stays_on_rack=Reason(
        "{what} stays on your rack: only creatures and special income counters go on the map.", "8.21"
    ),
    not_your_land=Reason("You can place counters only in your own land hexes, and {place} isn’t one.", "8.2"),
    one_income=Reason("A hex holds one special income counter, and {place} would have two.", "8.22"),
    wrong_terrain=Reason("{what} can be placed only in {terrain}, not in {place} ({here}).", "8.23"),
    placed_elsewhere=Reason("Just now you can place counters only in {places}.", "T6"),
    cannot_bribe=Reason(
        "You can’t bribe these: they cost more gold than you have, or aren’t defending this hex.", "10.21"
    ),
    wrong_losses=Reason(
        "Choose exactly {count} losses. You can choose a counter once for each hit it can take.", "11.51"
    ),
    wrong_or_all=Reason("Choose exactly {count} losses, or all your creatures in the hex and nothing else.", "14"),
    enough_lost=Reason("Losing all your creatures in the hex is enough. Choose nothing else.", "14"),
    living_first=Reason(
        "Lose your creatures and heroes there first. Forts, cities and villages pay only what is still owed.", "X21"
    ),
    pays_in_full=Reason("A city pays for two losses. Choose it twice, and fewer fort levels.", "X9"),
    no_retreat_there=Reason("You can retreat only to an adjacent land hex of yours with no enemies in it.", "11.6"),
    whole_force=Reason("Your whole force retreats together. Nobody can stay behind.", "11.6"),
    no_balloon=Reason(
        "The Balloon carries one to three creatures of value 3 or less from one hex to land within three hexes.", "15"
    ),
    no_target=Reason("You can’t choose that here. Choose something you are offered."),
    no_start=Reason("Start on one of the marked hexes at the edge of the map that nobody has taken.", "2.15"),
    no_sea=Reason("You can replace only a sea hex at your start or next to it.", "2.15"),
    no_claim=Reason("Claim free land next to your own. If you can, stay away from other players’ land.", "2.16"),
    no_fight=Reason("You have no battle or exploration to resolve in {place}.", "11.1"),
    no_undo=Reason("There is nothing to undo: a die, a draw, a reveal or another player’s action can’t be undone."),
    no_proposal=Reason("You can propose an end once a turn. Try again next turn.", "W4"),
    no_vote=Reason("Only people who are still in the game can propose an end or answer a proposal.", "W4"),
    open_proposal=Reason("An end is already proposed. It must be answered first.", "W4"),
    no_such_winner=Reason("Only somebody who is still in the game can be named as the winner.", "W4"),
    no_winner_now=Reason(
        "The proposal can’t name a winner while a bot plays for somebody, or while only one person votes.", "W4"
    ),
    nothing_proposed=Reason("Nobody has proposed to end the game.", "W4"),
    other_winner=Reason("The proposal is another one. Agree to what was proposed, or decline it.", "W4"),
    has_agreed=Reason("You have already agreed to end the game. The others must answer now.", "W4"),
    not_a_treasure=Reason(
        "You can cash in a treasure from your rack only while the game is asking you something.", "5.3"
    ),
    not_your_income=Reason(
        "You can return your special income to the cup while the game is asking you something, except in combat.",
        "8.42",
    ),
    no_challenge=Reason("You can challenge only other players’ creatures that are face up.", "8.3"),
    no_such_battle=Reason("That battle is over, or you have no part in it.", "R2"),
    no_such_order=Reason("There is no such standing order or answer.", "R2"),
)

ASIDES = {
    "cash": "not_a_treasure",
    "remove_income": "not_your_income",
    "challenge": "no_challenge",
    "set_order": "no_such_order",
    "pass_battle": "no_such_battle",
    "rejoin_battle": "no_such_battle",
    "undo": "no_undo",
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
    if isinstance(action, (ProposeEnd, AgreeEnd, DeclineEnd)):
        return IllegalAction(why_no_end(state, seat, action))
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
        return why_no_loss(action, offered)
    if isinstance(action, Retreat) and isinstance(offered, Retreats):
        return IllegalAction(offered.why_not(action))
    if isinstance(action, Ascend):
        return IllegalAction("no_balloon")
    if isinstance(offered, OneOf) and (where := getattr(action, offered.open)) in state.hexes:
        return IllegalAction(WRONG_HEX.get(question, "no_target"), place=where)
    return IllegalAction("no_target" if isinstance(offered, OneOf | Some) else "not_on_offer")


def why_no_end(state: KingsState, seat: int, action: ProposeEnd | AgreeEnd | DeclineEnd) -> str:
    """The code for an end that cannot be proposed or answered so. Votes and proposals are public (W4)."""
    proposal = state.extras["proposal"]
    if seat not in voters(state):
        return "no_vote"
    if isinstance(action, ProposeEnd):
        if proposal is not None:
            return "open_proposal"
        if [seat, state.extras["turn"]] in state.extras["proposed"]:
            return "no_proposal"
        return "no_winner_now" if action.winner in state.order else "no_such_winner"
    if proposal is None:
        return "nothing_proposed"
    return "has_agreed" if seat in proposal["yes"] else "other_winner"


def why_no_loss(action: Lose, offered: LossLists) -> IllegalAction:
    return IllegalAction(offered.why_not(action) or "not_on_offer", count=offered.count)


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
