"""How the game is won: citadels (4.2, W1), being the last (W2), the last turn (W4)."""

from __future__ import annotations

from ..core.events import EVERYONE
from .catalogue import CITADEL
from .events import NoSoleCitadel, SeatOut, SoleCitadel, Won
from .income import income
from .state import KingsState, rack

WAYS_TO_WIN = {
    "citadel": "the only citadel has stood for a whole turn",
    "two_citadels": "two citadels in one kingdom",
    "last_one": "nobody else is left",
    "last_turn": "the best kingdom after the last turn",
    "agreed": "everybody agreed to end the game",
}


def citadels(state: KingsState) -> dict[str, int]:
    """Where citadels stand, and whose they are."""
    return {p: each.owner for p, each in state.hexes.items() if each.fort == CITADEL and each.owner is not None}


def win(state: KingsState, winners: list[int], how: str) -> None:
    for seat in winners:
        state.tell(Won(seat, WAYS_TO_WIN[how]), to=EVERYONE)
    state.end(winners, how)


def wins_with_two(state: KingsState, seat: int) -> bool:
    """Whoever owns two citadels wins at once (4.21)."""
    if list(citadels(state).values()).count(seat) < 2:
        return False
    win(state, [seat], "two_citadels")
    return True


def wins_with_one(state: KingsState) -> bool:
    """A sole citadel, held from one Construction Phase to the end of the next, wins (4.2, W1)."""
    owners = list(citadels(state).values())
    turn, sole = state.extras["turn"], state.extras["sole"]
    if len(owners) != 1:
        if sole is not None:
            state.tell(NoSoleCitadel(sole[0]), to=EVERYONE)
        state.extras["sole"] = None
        return False
    if sole is not None and sole[0] == owners[0] and sole[1] < turn:
        win(state, owners, "citadel")
        return True
    if sole is None or sole[0] != owners[0]:
        state.extras["sole"] = [owners[0], turn]
        state.tell(SoleCitadel(owners[0]), to=EVERYONE)
    return False


def has_nothing(state: KingsState, seat: int) -> bool:
    """No hex and no counter on the map (W2)."""
    if any(each.owner == seat for each in state.hexes.values()):
        return False
    return not any(c.owner == seat and c.place in state.hexes for c in state.counters.values())


def put_out(state: KingsState, seat: int) -> None:
    """Out of the game: the rack goes to the cup, the gold to the bank (W2, X20)."""
    for number in state.at(rack(seat)):
        state.to_cup(number)
    state.change_seat(seat, gold=0, out=True)
    state.tell(SeatOut(seat), to=EVERYONE)


def see_who_is_out(state: KingsState) -> bool:
    """Elimination, checked after each battle and phase (X27); True if the game is over by it."""
    for seat in state.order:
        if has_nothing(state, seat):
            put_out(state, seat)
    return last_one_wins(state)


def last_one_wins(state: KingsState) -> bool:
    if len(state.order) > 1:
        return False
    win(state, list(state.order), "last_one")
    return True


def ends_with_last_turn(state: KingsState) -> bool:
    """Table option: after the last turn most income wins, then hexes, then gold, then it is shared (W4)."""
    last = state.options["last_turn"]
    if last == "none" or state.extras["turn"] < int(last):
        return False
    score = {s: (income(state, s).total, len(state.owned(s)), state.seats[s].gold) for s in state.order}
    best = max(score.values())
    win(state, [seat for seat in state.order if score[seat] == best], "last_turn")
    return True
