"""Leaving a game before its end: by resignation (W3), or by agreement (W4)."""

from __future__ import annotations

from typing import Any

from ..core.events import EVERYONE
from ..core.house import bots, stewards
from .events import ProposalDropped, Resigned
from .state import KingsState
from .victory import last_one_wins, put_out, win

NOBODY = -1  # the winner of an end without one


def remove_player(state: KingsState, seat: int) -> None:
    """Counters to the cup, heroes to the pool, forts to the bank, hexes unexplored again; the others go on (W3)."""
    state.tell(Resigned(seat), to=EVERYONE)
    for number, counter in list(state.counters.items()):
        if counter.owner != seat or counter.place.startswith("rack:"):
            continue
        if state.kind(number).sort == "hero":
            state.to_pool(number)
        else:
            state.to_cup(number)
    for place in state.owned(seat):
        state.change_hex(place, owner=None, fort=0, damage=0)
    put_out(state, seat)
    if last_one_wins(state):
        return
    cut_short(state, seat)


def cut_short(state: KingsState, seat: int) -> None:
    """Procedures that were about this seat end; those that wait for it go on without it."""
    frames: list[Any] = state.flow
    for at, frame in enumerate(frames):
        if frame.abandoned_by(state, seat):
            del frames[at:]
            break
    for frame in list(frames):
        frame.forget(state, seat)


# ---- agreeing on an end (W4)


def voters(state: KingsState) -> tuple[int, ...]:
    """Seats whose living players are people: neither bots nor stand-ins vote on an end."""
    without = {*bots(state), *stewards(state)}
    return tuple([seat for seat in state.order if seat not in without])


def possible_winners(state: KingsState, voting: tuple[int, ...] | None = None) -> tuple[int, ...]:
    """Winners that can be agreed on: none while a stand-in keeps a person's seat, or while only one person votes."""
    order = state.order
    is_kept = any(seat in order for seat in stewards(state))
    return (NOBODY,) if is_kept or len(voters(state) if voting is None else voting) < 2 else (NOBODY, *order)


def settle_proposal(state: KingsState) -> None:
    """Drop a proposal that can no longer be agreed on; end the game when everybody who has a vote said yes."""
    proposal = state.extras["proposal"]
    if proposal is None:
        return
    if proposal["winner"] not in possible_winners(state) or proposal["by"] not in voters(state):
        state.extras["proposal"] = None
        state.tell(ProposalDropped(), to=EVERYONE)
    elif set(voters(state)) <= set(proposal["yes"]):
        win(state, [] if proposal["winner"] == NOBODY else [proposal["winner"]], "agreed")


def withdraw_vote(state: KingsState, seat: int) -> None:
    """A seat that a stand-in keeps has said nothing about an end; its player is asked again when they are back."""
    proposal = state.extras["proposal"]
    if proposal is not None:
        state.extras["proposal"] = {**proposal, "yes": [each for each in proposal["yes"] if each != seat]}
        settle_proposal(state)
