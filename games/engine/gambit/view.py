"""What a player of Gambit sees: everything, but through the same door as in games that hide something."""

from __future__ import annotations

from dataclasses import dataclass

from ..core.rules import Rules
from ..core.state import State
from ..core.view import Face, SeatView, View
from .board import name
from .moves import castle_threats
from .notation import position_text
from .state import TAKEN, position_of


@dataclass(frozen=True)
class GambitView(View):
    turn: int  # the side to move
    number: int  # the move's number in the list
    quiet: int
    position: str  # in one line (G13)
    last: tuple[str, ...]  # from and to of the last move
    # Seats whose Castle could be taken next, and the squares of the pieces that could take it.
    threatened: tuple[tuple[int, tuple[str, ...]], ...]
    wishes: tuple[str, ...]  # "0:draw", "1:take_back"
    seen: tuple[str, ...]  # positions that count for repetition


def view(rules: Rules, state: State, seat: int | None) -> GambitView:
    position = position_of(state)
    return GambitView(
        ruleset=rules.slug,
        seat=seat,
        revision=state.revision,
        silent=0 if seat is None else state.silent.get(seat, 0),
        options=dict(state.options),
        seats=tuple(SeatView(number) for number in sorted(state.seats)),
        asked=rules.asked_openly(state, seat),
        decision="" if seat is None else rules.decision(state, seat),
        offers=() if seat is None else tuple(rules.offers(state, seat)),
        counters=faces(state),
        result=state.result,
        turn=position.turn,
        number=position.number,
        quiet=position.quiet,
        position=position_text(position),
        last=tuple(state.extras["last"] or ()),
        threatened=() if state.result else threatened(state),
        wishes=tuple(state.extras["wishes"]),
        seen=tuple(state.extras["seen"]),
    )


def faces(state: State) -> tuple[Face, ...]:
    counters = sorted(state.counters.values(), key=lambda c: (c.place == TAKEN, c.number))
    return tuple(Face(c.tag, c.kind, c.place, c.owner) for c in counters)


def threatened(state: State) -> tuple[tuple[int, tuple[str, ...]], ...]:
    """Castles that the other side could take if it moved next (G10: allowed, but the page warns)."""
    position = position_of(state)
    found = ((side, tuple(name(s) for s in castle_threats(position, side))) for side in (0, 1))
    return tuple((side, by) for side, by in found if by)
