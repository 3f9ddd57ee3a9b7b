"""What a seat, or a spectator, may know of a game of Kings & Things* (H1 to H4), built field by field."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain
from typing import Any, NamedTuple

from ..core.plain import field_names
from ..core.rules import Rules
from ..core.state import Counter, Hex
from ..core.view import Back, Face, SeatView, View
from .battle import Arms, value_of, value_of_fort
from .catalogue import FORT_COPIES, FORTS, KINDS, THINGS
from .income import Income, income, needed_for_citadel
from .leaving import voters
from .orders import orders_of
from .state import CUP, GONE, KingsState

Counters = tuple[Face | Back, ...]
Heroes = dict[int | None, tuple[str, ...]]
COPIES = {kind.slug: (kind.slug,) * kind.copies for kind in THINGS}


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


class Line(Counters):
    """All counters of a View, with what is often asked of them and known when they are put together."""

    stacks: dict[str, Counters]
    heroes: Heroes

    def __reduce__(self) -> tuple[Any, ...]:
        """To another process go the counters alone."""
        return tuple, (tuple(self),)


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
    # Counters in this seat's own sealed answer, by tag, and where they go once everybody has answered. Till then they
    # lie on the rack, and count there (S5).
    sealed: dict[str, str]

    @cached_property
    def stacks(self) -> dict[str, Counters]:
        """The counters by place. A stack that is as before mostly is the same object in the next View."""
        if isinstance(self.counters, Line):
            return self.counters.stacks
        found: dict[str, list[Face | Back]] = {}
        for counter in self.counters:
            found.setdefault(counter.place, []).append(counter)
        return {place: tuple(stack) for place, stack in found.items()}

    @cached_property
    def lands(self) -> dict[int | None, frozenset[str]]:
        """The terrains that each seat owns, as anybody can see."""
        return lands_in(self.hexes)

    @cached_property
    def heroes(self) -> Heroes:
        """The kinds of heroes that each seat has; they never lie face down."""
        return self.counters.heroes if isinstance(self.counters, Line) else heroes_in(self.counters)

    @cached_property
    def unseen(self) -> tuple[str, ...]:
        """The kinds of the box that lie where this viewer cannot see them, each as often as it does."""
        seen = Tally([c.kind for c in self.counters if isinstance(c, Face)])
        left = [all_ if kind not in seen else all_[seen[kind] :] for kind, all_ in COPIES.items()]
        return unseen_kinds(tuple(chain.from_iterable(left)))

    def __getstate__(self) -> dict[str, Any]:
        """The fields: the rest can be worked out from them."""
        return {name: getattr(self, name) for name in field_names(type(self))}

    def under_way(self, *names: str) -> dict[str, Any]:
        """The innermost procedure of these names; nothing if there is none."""
        return under_way(self.doing, *names)


def under_way(doing: tuple[dict[str, Any], ...], *names: str) -> dict[str, Any]:
    """The innermost of these procedures that has one of these names; nothing if there is none."""
    return next((each for each in reversed(doing) if each["frame"] in names), {})


def lands_in(hexes: tuple[HexView, ...]) -> dict[int | None, frozenset[str]]:
    found: dict[int | None, set[str]] = {}
    for here in hexes:
        found.setdefault(here.owner, set()).add(here.terrain)
    return {owner: frozenset(terrains) for owner, terrains in found.items()}


def heroes_in(counters: Iterable[Face | Back]) -> Heroes:
    found: Heroes = {}
    for c in counters:
        if isinstance(c, Face) and KINDS[c.kind].sort == "hero":
            found[c.owner] = (*found.get(c.owner, ()), c.kind)
    return found


def seen_by(rules: Rules, state: KingsState, seat: int | None) -> KingsView:
    top = state.flow[-1] if state.flow else None
    mine = seat is not None and seat in rules.asked(state)
    extras, public = state.extras, public_of(state)
    view = KingsView(
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
        order=public.order,
        question=top.asks(state, seat) if mine and top is not None else "",  # type: ignore[attr-defined]
        doing=public.doing,
        hexes=public.hexes,
        cloud=extras["cloud"],
        sole=tuple(extras["sole"] or ()),
        forts_left=public.forts_left,
        citadel_income=needed_for_citadel(state),
        rolled=public.rolled,
        orders={} if seat is None else orders_of(state, seat),
        proposal=dict(extras["proposal"] or {}),
        voters=public.voters,
        true_elimination=bool(extras.get("true_elimination")),
        balloon=riders(state, seat),
        sealed={} if seat is None or top is None else top.sealed_by(seat),  # type: ignore[attr-defined]
    )
    # As the View's own properties would find them, but once for all seats and without their lock.
    view.__dict__["lands"] = public.lands
    if isinstance(view.counters, Line):
        view.__dict__.update(stacks=view.counters.stacks, heroes=view.counters.heroes)
    return view


# ---- what everybody sees alike


class Stack(NamedTuple):
    """The counters of one place as Views show them; reused for as long as what they come of is the same."""

    records: tuple[Counter, ...]  # what they come of: the counters,
    beside: tuple[object, ...]  # and what else their combat values and backs depend on
    faces: Counters  # when the game is over
    to_all: Counters
    to_seat: dict[int, Counters]  # to those who see more, as some of what lies face down is theirs


class Public(NamedTuple):
    """What everybody sees alike, worked out once for all Views of a state, and from it the Public of the next one."""

    land: tuple[tuple[Hex, ...], str]  # what the hexes come of: their records, and where the Black Cloud is
    earners: tuple[object, ...]  # what the incomes come of
    hexes: tuple[HexView, ...]
    seats: tuple[KingsSeatView, ...]
    forts_left: dict[str, int]
    stacks: dict[str, Stack]  # by place, in the order of a View's counters
    doing: tuple[dict[str, Any], ...]
    order: tuple[int, ...]
    voters: tuple[int, ...]
    rolled: tuple[Any, ...]
    lands: dict[int | None, frozenset[str]]
    heroes: Heroes


def public_of(state: KingsState) -> Public:
    found: Public | None = state.cache.get("public")
    if found is None:
        found = public_after(state, state.seen)
        state.cache["public"] = state.seen = found
    return found


def public_after(state: KingsState, before: Public | None) -> Public:
    """The Public of a state, with everything in it that is as before taken from there."""
    found, known = hexes(state, before), state.counters.get
    land = (tuple(state.hexes.values()), state.extras["cloud"])
    earners = (land[0], *map(known, state.income_numbers), *map(known, state.hero_numbers))
    stacks = stacks_of(state, before.stacks if before is not None else {})
    if before is not None and earners == before.earners:
        heroes = before.heroes
        state.cache["incomes"] = {each.number: each.income for each in before.seats}
    else:
        heroes = heroes_in(chain.from_iterable(stack.to_all for stack in stacks.values()))
        state.cache.pop("incomes", None)
    if before is not None and found is before.hexes:
        left, lands = before.forts_left, before.lands
    else:
        left, lands = forts_left(state), lands_in(found)
    seats = tuple(seat_view(state, number) for number in sorted(state.seats))
    rolled = tuple(state.extras["rolled"])
    doing = tuple({"frame": f.name(), "rule": f.rule, **f.shown(state)} for f in state.flow)  # type: ignore[attr-defined]
    return Public(
        land=land,
        earners=earners,
        hexes=found,
        seats=before.seats if before is not None and before.seats == seats else seats,
        forts_left=left,
        stacks=stacks,
        doing=before.doing if before is not None and before.doing == doing else doing,
        order=tuple(state.order),
        voters=voters(state),
        rolled=before.rolled if before is not None and before.rolled == rolled else rolled,
        lands=lands,
        heroes=heroes,
    )


def riders(state: KingsState, seat: int | None) -> tuple[str, ...]:
    """Passengers board unseen and are mixed with whom they meet: others know them only face up (X17)."""
    if not state.extras["balloon"]:
        return ()
    aboard = [state.counters[n] for n in state.extras["balloon"] if state.counters[n].place in state.hexes]
    return tuple(sorted(c.tag for c in aboard if c.face_up or (seat is not None and c.owner == seat)))


def seat_view(state: KingsState, number: int) -> KingsSeatView:
    seat, incomes = state.seats[number], state.cache.get("incomes")
    earned = incomes[number] if incomes else income(state, number)
    return KingsSeatView(number, seat.out, seat.gold, len(state.rack(number)), earned)


def forts_left(state: KingsState) -> dict[str, int]:
    return {FORTS[level]: state.forts_left(level) for level in FORT_COPIES}


def hexes(state: KingsState, before: Public | None) -> tuple[HexView, ...]:
    """Every hex; those whose record is the same are the same object as before."""
    records, cloud = tuple(state.hexes.values()), state.extras["cloud"]
    if before is None or len(before.hexes) != len(records):
        return tuple(hex_view(state, here) for here in records)
    old, clouded = before.land
    if (records, cloud) == (old, clouded):
        return before.hexes
    changed_cloud = {cloud} ^ {clouded}
    return tuple(
        seen if here is was and here.place not in changed_cloud else hex_view(state, here)
        for here, was, seen in zip(records, old, before.hexes)
    )


def hex_view(state: KingsState, here: Hex) -> HexView:
    terrain, value = here.terrain if here.face_up else "", value_of_fort(state, here.place)
    return HexView(here.place, terrain, here.owner, here.fort, here.damage, value)


# ---- counters


def counters(state: KingsState, seat: int | None) -> Counters:
    """Face-up counters, one's own, and the backs of what others have on the map; racks of others are a number only."""
    public, over = public_of(state), state.result is not None
    stacks: dict[str, Counters] = {}
    for place, stack in public.stacks.items():
        seen = stack.to_all if seat is None else stack.to_seat.get(seat, stack.to_all)
        if over or seen:
            stacks[place] = stack.faces if over else seen
    found = Line(chain.from_iterable(stacks.values()))
    found.stacks, found.heroes = stacks, public.heroes
    return found


def stacks_of(state: KingsState, before: Mapping[str, Stack]) -> dict[str, Stack]:
    """Counters by place, and there by owner and tag: an order that tells nothing of what lies face down."""
    found: dict[str, Stack] = {}
    arms, cloud, counters = arms_now(state), state.extras["cloud"], state.counters
    at_arms = places_of(state, arms)
    for place in sorted(state.places):
        numbers = state.places[place]
        if not numbers or place in (CUP, GONE):
            continue
        records = tuple(map(counters.__getitem__, numbers))
        beside: tuple[object, ...] = ()
        if place in at_arms or place == cloud:
            owner = state.hexes[place].owner if place == cloud else None
            beside = (arms if place in at_arms else None, place == cloud, owner)
        known = before.get(place)
        if known is None or known.records != records or known.beside != beside:
            known = Stack(records, beside, *looked_at(state, arms, records, place.startswith("rack:")))
        found[place] = known
    return found


def looked_at(
    state: KingsState, arms: Arms, records: tuple[Counter, ...], on_rack: bool
) -> tuple[Counters, Counters, dict[int, Counters]]:
    """All faces of a stack, what everybody sees of it, and what the owners of face-down counters in it see."""
    line = sorted(records, key=lambda c: (-1 if c.owner is None else c.owner, c.tag))
    faces = [face_of(state, arms, c) for c in line]
    hiding = {c.owner for c in line if c.owner is not None and (on_rack or not c.face_up)}
    to_seat = {seat: tuple(as_seen(seat, on_rack, line, faces)) for seat in hiding}
    return tuple(faces), tuple(as_seen(None, on_rack, line, faces)), to_seat


def as_seen(seat: int | None, on_rack: bool, line: list[Counter], faces: list[KingsFace]) -> Iterator[Face | Back]:
    for c, seen in zip(line, faces):
        if (c.face_up and not on_rack) or (seat is not None and c.owner == seat):
            yield seen
        elif not on_rack:
            yield back(c.tag, c.place, c.owner)


def face_of(state: KingsState, arms: Arms, c: Counter) -> KingsFace:
    hits = c.spent if c.spent and KINDS[c.kind].sort == "income" else 0
    return face(c.tag, c.kind, c.place, c.owner, c.face_up, hits, value_of(state, arms, c.number))


def arms_now(state: KingsState) -> Arms:
    """What the battle or exploration under way adds to the printed counters."""
    fight = next((f for f in reversed(state.flow) if f.name() in ("battle", "explore")), None)
    arms: Arms = fight.arms() if fight is not None else Arms("")  # type: ignore[attr-defined]
    return arms


def places_of(state: KingsState, arms: Arms) -> set[str]:
    """Where counters are that a battle or exploration can give another value than the printed one."""
    named = [*map(int, arms.held or ()), *(arms.held or {}).values(), *arms.aims]
    if "firewall" in state.magic:
        named.append(state.magic["firewall"])
    return {arms.place, *(state.counters[number].place for number in named if number in state.counters)}


def terrains_of(view: KingsView, seat: int | None) -> frozenset[str]:
    """The terrains whose creatures a seat supports everywhere, as anybody can see (8.3)."""
    return view.lands.get(seat, NOTHING) if seat is not None else NOTHING


NOTHING: frozenset[str] = frozenset()


# What is the same in two Views is mostly the same object, so that whoever compares them is done soon.
face = lru_cache(maxsize=1 << 13)(KingsFace)
back = lru_cache(maxsize=1 << 13)(Back)


@lru_cache(maxsize=256)
def unseen_kinds(kinds: tuple[str, ...]) -> tuple[str, ...]:
    """The same object for the same kinds: what comes of them takes long, and is kept by it."""
    return kinds
