"""What a seat, or a spectator, may know of a game of Kings & Things* (H1 to H4), built field by field."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from ..core.rules import Rules
from ..core.state import Counter
from ..core.view import Back, Face, SeatView, View
from .battle import Arms, value_of, value_of_fort
from .catalogue import FORT_COPIES, FORTS
from .income import Income, income, needed_for_citadel
from .leaving import voters
from .orders import ORDERS, order
from .state import CUP, GONE, KingsState


@dataclass(frozen=True, slots=True)
class KingsFace(Face):
    """A counter this viewer may look at."""

    hits: int = 0  # taken by a city or village in the battle
    value: int = 0  # combat value now: with its hits, the Bow or Sword, and the Black Cloud


@dataclass(frozen=True)
class KingsSeatView(SeatView):
    gold: int = 0
    rack: int = 0  # how many counters are on it
    income: Income | None = None


@dataclass(frozen=True, slots=True)
class HexView:
    place: str
    terrain: str  # empty while it lies face down
    owner: int | None
    fort: int
    damage: int
    fort_value: int = 0  # combat value now: with its damage and the Black Cloud


@dataclass(frozen=True)
class KingsView(View):
    turn: int
    phase: str
    order: tuple[int, ...]
    question: str  # what this seat is asked, as a code
    doing: tuple[dict[str, Any], ...]  # the procedures under way, outermost first
    hexes: tuple[HexView, ...]
    cloud: str
    sole: tuple[int, ...]  # the owner of the only citadel and since which turn
    forts_left: dict[str, int]
    citadel_income: int
    rolled: tuple[Any, ...]  # the last dice: why, who, faces
    orders: dict[str, str]
    proposal: dict[str, Any]
    voters: tuple[int, ...]  # who has a vote on an end by agreement: people, not bots (W4)
    true_elimination: bool
    balloon: tuple[str, ...]  # who rides in it, as far as this viewer can tell

    def under_way(self, *names: str) -> dict[str, Any]:
        """The innermost procedure of these names; nothing if there is none."""
        return next((each for each in reversed(self.doing) if each["frame"] in names), {})


def seen_by(rules: Rules, state: KingsState, seat: int | None) -> KingsView:
    top = state.flow[-1] if state.flow else None
    asked = rules.asked(state)
    mine = seat is not None and seat in asked
    extras, public = state.extras, public_of(state)
    return KingsView(
        ruleset=rules.slug,
        seat=seat,
        revision=state.revision,
        silent=0 if seat is None else state.silent.get(seat, 0),
        options=dict(state.options),
        seats=public.seats,
        asked=rules.asked_openly(state, seat),
        decision="" if seat is None else rules.decision(state, seat),
        offers=() if seat is None else tuple(rules.offers(state, seat)),
        counters=counters(state, seat),
        result=state.result,
        turn=extras["turn"],
        phase=extras["phase"],
        order=tuple(state.order),
        question=top.asks(state, seat) if mine and top is not None else "",  # type: ignore[attr-defined]
        doing=tuple({"frame": f.name(), "rule": f.rule, **f.shown(state)} for f in state.flow),  # type: ignore[attr-defined]
        hexes=public.hexes,
        cloud=extras["cloud"],
        sole=tuple(extras["sole"] or ()),
        forts_left=public.forts_left,
        citadel_income=needed_for_citadel(state),
        rolled=tuple(extras["rolled"]),
        orders={} if seat is None else {about: order(state, seat, about) for about in ORDERS},
        proposal=dict(extras["proposal"] or {}),
        voters=voters(state),
        true_elimination=bool(extras.get("true_elimination")),
        balloon=riders(state, seat),
    )


class InLine(NamedTuple):
    """A counter that is not in the cup, with what a View says of it."""

    counter: Counter
    hits: int
    value: int
    on_rack: bool


class Public(NamedTuple):
    """What everybody sees alike, worked out once for all Views of a state."""

    seats: tuple[KingsSeatView, ...]
    hexes: tuple[HexView, ...]
    forts_left: dict[str, int]
    in_line: list[InLine]


def public_of(state: KingsState) -> Public:
    found: Public | None = state.cache.get("public")
    if found is None:
        found = Public(
            tuple(seat_view(state, number) for number in sorted(state.seats)),
            hexes(state),
            {FORTS[level]: state.forts_left(level) for level in FORT_COPIES},
            in_line(state),
        )
        state.cache["public"] = found
    return found


def riders(state: KingsState, seat: int | None) -> tuple[str, ...]:
    """Passengers board unseen and are mixed with whom they meet: others know them only face up (X17)."""
    aboard = [state.counters[n] for n in state.extras["balloon"] if state.counters[n].place in state.hexes]
    return tuple(sorted(c.tag for c in aboard if c.face_up or (seat is not None and c.owner == seat)))


def seat_view(state: KingsState, number: int) -> KingsSeatView:
    seat = state.seats[number]
    return KingsSeatView(number, seat.out, seat.gold, len(state.rack(number)), income(state, number))


def hexes(state: KingsState) -> tuple[HexView, ...]:
    return tuple(
        hex_view(h.place, h.terrain if h.face_up else "", h.owner, h.fort, h.damage, value_of_fort(state, h.place))
        for h in state.hexes.values()
    )


def counters(state: KingsState, seat: int | None) -> tuple[Face | Back, ...]:
    """Face-up counters, one's own, and the backs of what others have on the map; racks of others are a number only."""
    found: list[Face | Back] = []
    over = state.result is not None
    for c, hits, value, on_rack in public_of(state).in_line:
        mine = seat is not None and c.owner == seat
        if (c.face_up and not on_rack) or mine or over:
            found.append(face(c.tag, c.kind, c.place, c.owner, c.face_up, hits, value))
        elif not on_rack:
            found.append(back(c.tag, c.place, c.owner))
    return tuple(found)


def in_line(state: KingsState) -> list[InLine]:
    """By place, owner and tag: an order that tells nothing of what lies face down."""
    found = []
    arms = arms_now(state)
    for place, numbers in state.places.items():
        if place in (CUP, GONE) or not numbers:
            continue
        on_rack = place.startswith("rack:")
        for number in numbers:
            c = state.counters[number]
            hits = c.spent if c.spent and state.kind(number).sort == "income" else 0
            found.append(InLine(c, hits, value_of(state, arms, number), on_rack))
    found.sort(key=lambda each: (each[0].place, -1 if each[0].owner is None else each[0].owner, each[0].tag))
    return found


def arms_now(state: KingsState) -> Arms:
    """What the battle or exploration under way adds to the printed counters."""
    fight = next((f for f in reversed(state.flow) if f.name() in ("battle", "explore")), None)
    arms: Arms = fight.arms() if fight is not None else Arms("")  # type: ignore[attr-defined]
    return arms


def terrains_of(view: KingsView, seat: int | None) -> frozenset[str]:
    """The terrains whose creatures a seat supports everywhere, as anybody can see (8.3)."""
    return frozenset(each.terrain for each in view.hexes if seat is not None and each.owner == seat)


# What is the same in two Views is mostly the same object, so that whoever compares them is done soon.
face = lru_cache(maxsize=1 << 15)(KingsFace)
back = lru_cache(maxsize=1 << 15)(Back)
hex_view = lru_cache(maxsize=1 << 13)(HexView)
