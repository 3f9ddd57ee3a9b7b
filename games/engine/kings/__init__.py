"""Kings & Things*: KINGS points the contract at the files beside this one."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from typing import Any

from ..core.actions import Action
from ..core.codec import FrameBook, encode_flow
from ..core.dice import Dice
from ..core.events import EVERYONE
from ..core.flow import Frame
from ..core.house import GoOn, KeepSeat, TakeOver, put_steward
from ..core.offers import Aside, Offer, Reply
from ..core.plans import Moment
from ..core.rules import Progress, Rules
from ..core.shapes import Renames
from ..core.state import State
from ..core.view import View
from . import no_choice
from .actions import (
    VOCABULARY,
    AgreeEnd,
    Cash,
    Challenge,
    DeclineEnd,
    PassBattle,
    ProposeEnd,
    RejoinBattle,
    RemoveIncome,
    Resign,
    SetOrder,
    Undo,
)
from .box import lay_out
from .catalogue import HEXES, KINDS
from .events import (
    EVENTS,
    BattlePassed,
    BattleRejoined,
    CashedIn,
    ChallengeFailed,
    DrawProposed,
    EndDeclined,
    EndProposed,
    HandedOver,
    OrderGiven,
    TakenBack,
)
from .extras import KingsExtras
from .flow import (
    aftermath,
    battle_magic,
    before_rounds,
    build,
    capture,
    combat,
    events,
    explore,
    losses,
    march,
    place,
    powers,
    recruit,
    retreat,
    roll,
    setup,
    strike,
    turn,
)
from .flow import battle as battle_flow
from .flow.base import KingsFrame, frame_named
from .flow.bluffs import unmask
from .flow.march import remove_income
from .leaving import possible_winners, remove_player, settle_proposal, voters, withdraw_vote
from .offers import AsideOneOf, OrdersOffer
from .options import OPTIONS, YOUNGER
from .options import REACTIONS as REACTIONS
from .options import WAITING as WAITING
from .orders import ORDERS, THIS_BATTLE, pass_battle, passes, rejoin_battle, set_order
from .plans import KingsPlanning, is_final, planned_question
from .state import TAG_LENGTH, TAG_LETTERS, KingsState
from .support import is_supported
from .twins import dealt_anew, imagined
from .view import KingsView, seen_by

OVER_DAYS = {"waiting": "never", "wild": "house", "orders": "settle", "things": "together"}
# Neither stops undo nor can be undone: nobody is to learn from it that another has given an order.
BESIDE_THE_GAME = ("set_order", "propose_end", "agree_end", "decline_end")
ANY_ORDER = OrdersOffer({about: tuple(each.choices) for about, each in ORDERS.items()})
UNDO, RESIGN = Aside(Undo()), Aside(Resign())


@cache
def pass_or_rejoin(place: str, has_passed: bool) -> Offer:
    return Aside(RejoinBattle(place) if has_passed else PassBattle(place))


@cache
def any_winner(winners: tuple[int, ...]) -> Offer:
    """The same offer each time: pages compare it with the one they show."""
    return AsideOneOf(ProposeEnd, "winner", winners)


# The files of the flow: a game and its turn, a battle from its segment to its end, and what any of them uses.
FLOW = (
    *(setup, turn, recruit, events, march, explore, build, powers),
    *(combat, battle_flow, before_rounds, battle_magic, strike, losses, retreat, aftermath, capture),
    *(place, roll),
)


def frames_of(*modules: object) -> tuple[type[Frame], ...]:
    """Every frame there is in these files."""
    found: dict[str, type[Frame]] = {}
    for module in modules:
        for each in vars(module).values():
            if isinstance(each, type) and issubclass(each, KingsFrame):
                found[each.name()] = each
    return tuple(found.values())


# What stored games call by an older name.
RENAMES = Renames()


class Kings(Rules):
    slug = "kings"
    name = "Kings & Things*"
    version = "5"
    players = range(2, 5)
    seat_names = ("Yellow", "Grey", "Green", "Red")
    endings = {
        "citadel": "a citadel stood alone",
        "two_citadels": "by a second citadel",
        "last_one": "the last one left",
        "last_turn": "after the last turn",
        "agreed": "by agreement",
    }
    options = OPTIONS
    vocabulary = VOCABULARY
    frames = FrameBook(frames_of(*FLOW), RENAMES)
    events = (*EVENTS, *no_choice.EVENTS)
    state_kind = KingsState
    extras_kind = KingsExtras
    counter_kinds = frozenset(KINDS)
    terrains = frozenset(HEXES)
    renames = RENAMES
    plans = KingsPlanning()

    def usual_options(self, apart: int, pace: str = "") -> Mapping[str, Any]:
        """Among stewards and around one screen a pause tells nobody anything: who has no choice is not asked.

        Over days standing orders answer reactions and small questions (R2, R3), nobody is waited for to play wild
        defenders, and all draw Things at once."""
        usual = {"reactions": "holders", "one_answer": "skipped"} if apart < 2 else {}
        return {**usual, **OVER_DAYS} if pace == "days" else usual

    def asked_openly(self, state: State, seat: int | None = None) -> tuple[int, ...]:
        """Nobody is shown who is asked in a window: it would tell who might hold something (R2)."""
        asked = self.asked(state)
        return tuple(s for s in asked if s == seat) if in_window(state) else asked

    def plan_moment(self, state: State, seat: int) -> Moment:
        turn, phase = state.extras["turn"], state.extras["phase"]
        asked = state.flow[-1].asks(state, seat) if seat in self.asked(state) else ""  # type: ignore[attr-defined]
        return Moment(planned_question(asked, phase), turn, phase, state.era)

    def window(self, state: State) -> str:
        return f"{state.era}.{state.flow[-1].serial}.{state.flow[-1].rounds}" if in_window(state) else ""  # type: ignore[attr-defined]

    def has_secrets(self, state: State, seats: Collection[int]) -> bool:
        """Not before the first counters are drawn: then racks, and what lies face down; and orders once given (R2).

        Of orders only those of these seats count: that somebody else has given one must not show (R4)."""
        assert isinstance(state, KingsState)
        if any(str(seat) in state.extras["orders"] for seat in seats) or any(state.rack(seat) for seat in state.seats):
            return True
        return any(c.owner is not None and not c.face_up and c.place in state.hexes for c in state.counters.values())

    def with_defaults(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Options that are younger than some games: left open they stay so.

        A game's options are the first link of its hash chain, and one more of them would break the chain.
        """
        found = super().with_defaults(options)
        return {name: value for name, value in found.items() if name in options or name not in YOUNGER}

    def older_ranges(self, stream: str, purpose: str) -> tuple[int, ...]:
        return (len(TAG_LETTERS) ** TAG_LENGTH,) if purpose == "tag" else super().older_ranges(stream, purpose)

    def begin(self, state: State, seats: int) -> None:
        assert isinstance(state, KingsState)
        lay_out(state, seats)
        state.call(setup.SetUp())

    def view(self, state: State, seat: int | None) -> KingsView:
        assert isinstance(state, KingsState)
        return seen_by(self, state, seat)

    def scramble(self, state: State, seat: int | None, dice: Dice) -> State:
        assert isinstance(state, KingsState)
        return dealt_anew(state, seat, dice)

    def imagine(self, view: View, dice: Dice) -> State:
        assert isinstance(view, KingsView)
        return imagined(view, dice)

    # ---- applying, with an eye on what can be taken back

    def apply(self, state: State, seat: int | None, action: Action) -> Progress:
        progress = super().apply(state, seat, action)
        beside = progress.silent or action.house or action.do in BESIDE_THE_GAME
        if progress.rewind is None and not beside:
            before = state.extras["undo"]
            back = before["back"] if before["seat"] == seat else []
            # Who takes back the answer that closed a window would say who gave it (R4).
            answers = not action.aside or action.do == PassBattle.do
            final = is_final(progress) or (in_window(state) and answers)
            progress.state.extras["undo"] = {"seat": seat, "back": [] if final else [*back, state.actions]}
        if isinstance(action, GoOn):
            progress.state.extras["undo"] = {"seat": -1, "back": []}
        return progress

    def is_silent(self, before: State, after: State, action: Action) -> bool:
        """A standing order that answers nothing asked openly, and an answer in a window that stays open (R4)."""
        stays_open = in_window(before) and self.window(before) == self.window(after)
        if action.do in (SetOrder.do, PassBattle.do, RejoinBattle.do):
            if stays_open and action.do == PassBattle.do:
                return True
            return encode_flow(before) == encode_flow(after) and self.asked(before) == self.asked(after)
        return stays_open and not action.aside and not action.house

    def go_back(self, past: State, now: State) -> State:
        """What was said beside the game, by whomever, is not taken back with a step of the game.

        But whoever takes back their last step in a battle is asked again as they were before it.
        """
        assert isinstance(again := super().go_back(past, now), KingsState)
        for name in ("orders", "proposal", "proposed"):
            again.extras[name] = now.extras[name]
        seat = now.extras["undo"]["seat"]
        said, says = (state.extras["orders"].get(str(seat), {}).get(THIS_BATTLE) for state in (past, now))
        if says != said and passes(again, seat):
            rejoin_battle(again, seat)
        return again

    def forget_person(self, state: State, seat: int) -> None:
        orders = state.extras["orders"]
        state.extras["orders"] = {other: given for other, given in orders.items() if other != str(seat)}

    # ---- beside any question

    def asides(self, state: State, seat: int) -> list[Offer]:
        assert isinstance(state, KingsState)
        if state.seats[seat].out:
            return []
        undo = state.extras["undo"]
        found: list[Offer] = [UNDO] if undo["seat"] == seat and undo["back"] else []
        found += self.gold_and_income(state, seat)
        found += self.challenges(state, seat)
        found += self.word_on_battle(state, seat)
        found.append(ANY_ORDER)
        found += self.ways_to_end(state, seat)
        found.append(RESIGN)
        return found

    def gold_and_income(self, state: KingsState, seat: int) -> list[Offer]:
        """Treasure to cash and income to take back, while their owner is asked for something (T2)."""
        if seat not in self.asked(state) or in_window(state):
            return []
        found: list[Offer] = []
        treasures = [n for n in state.rack(seat) if state.kind(n).sort == "treasure"]
        if treasures:
            found.append(AsideOneOf(Cash, "treasure", state.tags_of(treasures)))
        if state.extras["phase"] != "combat" and state.flow[-1].name() != "save_income":
            income = state.income_of(seat)
            if income:
                found.append(AsideOneOf(RemoveIncome, "counter", state.tags_of(income)))
        return found

    def challenges(self, state: KingsState, seat: int) -> list[Offer]:
        """Any other player's creature that lies face up may be challenged at any time (B1)."""
        if state.options["bluffs"] != "challenge":
            return []
        shown = [
            n
            for p in state.hexes
            for n in state.at(p)
            if state.counters[n].face_up
            and state.counters[n].owner not in (None, seat)
            and state.kind(n).sort == "creature"
        ]
        return [AsideOneOf(Challenge, "counter", state.tags_of(shown))] if shown else []

    def word_on_battle(self, state: KingsState, seat: int) -> list[Offer]:
        """Whoever fights, or is asked while others do, may say that nothing more comes from them, or be asked again."""
        battle = frame_named(state, "battle")
        if battle is None or not (seat in battle.people() or passes(state, seat) or seat in self.asked(state)):
            return []
        return [pass_or_rejoin(battle.place, passes(state, seat))]

    def ways_to_end(self, state: KingsState, seat: int) -> list[Offer]:
        """Living people may agree on a winner, or on none (W4); each may propose once a turn. Bots have no vote."""
        proposal, voting = state.extras["proposal"], voters(state)
        if seat not in voting:
            return []
        if proposal is not None:
            return [] if seat in proposal["yes"] else [Reply(AgreeEnd(proposal["winner"])), Reply(DeclineEnd())]
        if [seat, state.extras["turn"]] in state.extras["proposed"]:
            return []
        return [any_winner(possible_winners(state, voting))]

    def on_cash(self, state: KingsState, seat: int, action: Cash) -> None:
        number = state.tags[action.treasure]
        kind = state.kind(number)
        state.earn(seat, kind.gold)
        state.tell(CashedIn(seat, kind.name, kind.gold), to=EVERYONE)
        state.use_up(number)

    def on_remove_income(self, state: KingsState, seat: int, action: RemoveIncome) -> None:
        remove_income(state, seat, state.tags[action.counter])
        top = state.flow[-1]
        assert isinstance(top, KingsFrame)
        top.reconsider(state)

    def on_challenge(self, state: KingsState, seat: int, action: Challenge) -> None:
        """A supported creature stays, and it costs nothing to have asked (B1)."""
        number = state.tags[action.counter]
        if is_supported(state, number):
            state.tell(ChallengeFailed(seat, state.kind(number).name), to=EVERYONE)
        else:
            unmask(state, number, frame_named(state, "battle"))

    def on_set_order(self, state: KingsState, seat: int, action: SetOrder) -> None:
        set_order(state, seat, action.about, action.how)
        state.tell(OrderGiven(ORDERS[action.about].label, ORDERS[action.about].choices[action.how]), to=seat)

    def on_pass_battle(self, state: KingsState, seat: int, action: PassBattle) -> None:
        pass_battle(state, seat)
        state.tell(BattlePassed(action.place), to=seat)
        top = state.flow[-1]
        assert isinstance(top, KingsFrame)
        top.let_pass(state, seat)

    def on_rejoin_battle(self, state: KingsState, seat: int, action: RejoinBattle) -> None:
        rejoin_battle(state, seat)
        state.tell(BattleRejoined(action.place), to=seat)

    def on_undo(self, state: KingsState, seat: int, action: Undo) -> None:
        state.tell(TakenBack(seat), to=EVERYONE)
        state.rewind = state.extras["undo"]["back"][-1]

    def on_resign(self, state: KingsState, seat: int, action: Resign) -> None:
        if state.options["resigned"] == "steward":
            put_steward(state, seat)
            state.tell(HandedOver(seat), to=EVERYONE)
            withdraw_vote(state, seat)
        else:
            remove_player(state, seat)
            if state.result is None:
                settle_proposal(state)

    def on_keep_seat(self, state: State, seat: None, action: KeepSeat) -> None:
        assert isinstance(state, KingsState)
        super().on_keep_seat(state, seat, action)
        withdraw_vote(state, action.seat)

    def on_take_over(self, state: State, seat: None, action: TakeOver) -> None:
        assert isinstance(state, KingsState)
        super().on_take_over(state, seat, action)
        withdraw_vote(state, action.seat)

    def on_propose_end(self, state: KingsState, seat: int, action: ProposeEnd) -> None:
        if action.winner < 0:
            state.tell(DrawProposed(seat), to=EVERYONE)
        else:
            state.tell(EndProposed(seat, action.winner), to=EVERYONE)
        turn_now = state.extras["turn"]
        recent = [each for each in state.extras["proposed"] if each[1] == turn_now]
        state.extras["proposed"] = [*recent, [seat, turn_now]]
        state.extras["proposal"] = {"winner": action.winner, "by": seat, "yes": [seat]}
        settle_proposal(state)

    def on_agree_end(self, state: KingsState, seat: int, action: AgreeEnd) -> None:
        proposal = state.extras["proposal"]
        agreed = sorted({*proposal["yes"], seat})
        state.extras["proposal"] = {**proposal, "yes": agreed}
        settle_proposal(state)

    def on_decline_end(self, state: KingsState, seat: int, action: DeclineEnd) -> None:
        state.extras["proposal"] = None
        state.tell(EndDeclined(seat), to=EVERYONE)


def in_window(state: State) -> bool:
    """Whether the game stands in a window, where nobody is shown who is asked (R2, R4)."""
    return bool(state.flow) and isinstance(state.flow[-1], roll.Window)


KINGS = Kings()
