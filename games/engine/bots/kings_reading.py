"""What a steward makes of its View: who stands where, what is supported, what things are worth. No State, no dice."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from ..core.view import Back, Face
from ..kings.battle import fort_step, is_clouded, value_now
from ..kings.catalogue import CITADEL, KINDS, SEA, Kind
from ..kings.map import Map, map_for
from ..kings.movement import cost
from ..kings.view import HexView, KingsFace, KingsSeatView, KingsView
from .kings_odds import MELEE, STEP_OF, UNKNOWN, Fighter, fighter, walls

Piece = Face | Back

# Worths are in gold. A point of income pays for itself in five turns at most, so it is worth about a fort's price.
INCOME_POINT = 6.0
LAND = 8.0
NEW_TERRAIN = 4.0
A_CITADEL = 45.0
THE_GAME = 2000.0


class Reading:
    """One View, indexed; everything is worked out at most once."""

    def __init__(self, view: KingsView) -> None:
        assert view.seat is not None
        self.view = view
        self.seat: int = view.seat
        self.hexes: dict[str, HexView] = {each.place: each for each in view.hexes}
        self.map: Map = map_for(len(view.seats))
        self.at: dict[str, list[Piece]] = {}
        for counter in view.counters:
            self.at.setdefault(counter.place, []).append(counter)
        self.by_tag: dict[str, Piece] = {counter.tag: counter for counter in view.counters}
        self.rack: list[Face] = [c for c in self.at.get(f"rack:{self.seat}", ()) if isinstance(c, Face)]
        self.own: list[str] = [p for p, each in self.hexes.items() if each.owner == self.seat]
        self.land: list[str] = [p for p in self.own if self.hexes[p].terrain != SEA]
        self.terrains: set[str] = {self.hexes[p].terrain for p in self.land}

    # ---- seats

    @property
    def me(self) -> KingsSeatView:
        return self.seat_view(self.seat)

    def seat_view(self, seat: int) -> KingsSeatView:
        found = self.view.seats[seat]
        assert isinstance(found, KingsSeatView)
        return found

    @property
    def gold(self) -> int:
        return self.me.gold

    def income_of(self, seat: int) -> int:
        income = self.seat_view(seat).income
        return income.total if income is not None else 0

    @property
    def income(self) -> int:
        return self.income_of(self.seat)

    @cached_property
    def others(self) -> list[int]:
        return [seat for seat in self.view.order if seat != self.seat]

    @cached_property
    def citadels(self) -> dict[str, int]:
        return {p: h.owner for p, h in self.hexes.items() if h.fort == CITADEL and h.owner is not None}

    @cached_property
    def my_citadel(self) -> str:
        return next((place for place, owner in self.citadels.items() if owner == self.seat), "")

    @cached_property
    def sole_rival(self) -> int | None:
        """Another player whose citadel stands alone and who wins if nobody does anything."""
        owners = list(self.citadels.values())
        return owners[0] if len(owners) == 1 and owners[0] != self.seat else None

    @cached_property
    def is_winning(self) -> bool:
        """My citadel stands alone: holding it wins."""
        return len(self.citadels) == 1 and bool(self.my_citadel)

    def danger(self, seat: int) -> float:
        """How close another player is to winning, roughly."""
        return self.income_of(seat) + (25 if seat == self.sole_rival else 10 if seat in self.citadels.values() else 0)

    @cached_property
    def leader(self) -> int:
        """The most dangerous of the others."""
        return max(self.others, key=lambda seat: (self.danger(seat), -seat))

    # ---- counters

    def kind(self, piece: Piece) -> Kind | None:
        return KINDS[piece.kind] if isinstance(piece, Face) else None

    def army(self, owner: int | None, place: str) -> list[Piece]:
        """Creatures and heroes of one owner in a hex; what lies face down there can be nothing else."""
        return [c for c in self.at.get(place, ()) if c.owner == owner and self.marches(c)]

    def marches(self, piece: Piece) -> bool:
        kind = self.kind(piece)
        return kind is None or kind.sort in ("creature", "hero")

    def owners_in(self, place: str) -> list[int]:
        """Other players with creatures or heroes in a hex."""
        here = {c.owner for c in self.at.get(place, ()) if self.marches(c)}
        return [seat for seat in self.others if seat in here]

    def income_counter(self, place: str) -> Face | None:
        for each in self.at.get(place, ()):
            if isinstance(each, Face) and KINDS[each.kind].sort == "income":
                return each
        return None

    def lords_in(self, place: str) -> set[str]:
        return {KINDS[c.kind].lord_of for c in self.at.get(place, ()) if isinstance(c, Face) and c.owner == self.seat}

    def supports(self, kind: Kind, place: str = "") -> bool:
        """Whether a creature of mine would be no bluff there."""
        if kind.sort != "creature" or kind.terrain in self.terrains:
            return True
        return bool(place) and kind.terrain in self.lords_in(place)

    def is_open_bluff(self, tag: str) -> bool:
        """A face-up creature of another player that, for all to see, nothing supports (8.3)."""
        counter = self.by_tag.get(tag)
        if not isinstance(counter, Face) or KINDS[counter.kind].sort != "creature" or counter.owner is None:
            return False
        land = {here.terrain for here in self.view.hexes if here.owner == counter.owner}
        lords = {KINDS[c.kind].lord_of for c in self.army(counter.owner, counter.place) if isinstance(c, Face)}
        return KINDS[counter.kind].terrain not in land | lords

    def heroes_of(self, seat: int) -> list[Face]:
        return [
            c for c in self.view.counters if isinstance(c, Face) and c.owner == seat and KINDS[c.kind].sort == "hero"
        ]

    # ---- forces

    def fighters(self, pieces: Iterable[Piece], place: str) -> list[Fighter]:
        """Mine without the bluffs, others' as far as I can see them."""
        found = []
        for piece in pieces:
            if isinstance(piece, Back):
                found.append(UNKNOWN)
            elif piece.owner != self.seat or self.supports(KINDS[piece.kind], place):
                found.append(fighter(KINDS[piece.kind], self.value_in(piece, place), self.items.get(piece.tag, "")))
        return found

    def value_in(self, face: Face, place: str) -> int:
        """The combat value a counter has, or would have in another hex."""
        if face.place == place and isinstance(face, KingsFace):
            return face.value
        clouded = is_clouded(self.view.cloud, self.hexes[place], face.owner)
        return value_now(KINDS[face.kind].value, is_clouded=clouded)

    @cached_property
    def items(self) -> dict[str, str]:
        """Whose the Bow and the Sword are, by tag."""
        held = self.view.under_way("battle", "explore").get("held", {})
        return {tag: item for item, tag in held.items()}

    def walls_of(self, place: str) -> list[Fighter]:
        """The fort, city or village of a hex, for whoever owns it."""
        here = self.hexes[place]
        found = walls(here.fort - here.damage, STEP_OF[fort_step(here.fort)], here.fort_value)
        town = self.income_counter(place)
        if isinstance(town, KingsFace) and KINDS[town.kind].value:
            found += walls(KINDS[town.kind].value - town.hits, MELEE, town.value)
        return found

    def defence(self, place: str) -> list[Fighter]:
        """What would fight me for a hex now: counters of all others and of nobody, and the owner's walls."""
        here = self.hexes[place]
        found = self.walls_of(place) if here.owner != self.seat else []
        for owner in (*self.others, None):
            found += self.fighters(self.army(owner, place), place)
        return found

    def near_forces(self, seat: int, place: str, reach: int = 2) -> list[Fighter]:
        """What a player could bring into a hex in one Movement Phase, at most ten."""
        found: list[Fighter] = []
        for other in self.map.within(place, reach):
            found += self.fighters(self.army(seat, other), other)
        found.sort(key=lambda each: -each[1])
        return found[:10]

    # ---- worth

    def worth_of_hex(self, place: str) -> float:
        """What it would be worth to me to take a hex, or not to lose one."""
        here = self.hexes[place]
        worth = LAND + INCOME_POINT * here.fort
        if here.terrain not in self.terrains:
            worth += NEW_TERRAIN
        counter = self.income_counter(place)
        if counter is not None:
            worth += INCOME_POINT * KINDS[counter.kind].gold
        if here.fort == CITADEL:
            worth += self.worth_of_citadel(here.owner)
        elif here.owner is not None and here.owner == self.leader:
            worth += 3
        if here.owner not in (None, self.seat):
            worth *= 1 + 1.2 / len(self.others)  # what a rival loses is gained too, the more the fewer there are
        return worth

    def worth_of_citadel(self, owner: int | None) -> float:
        """A second one wins at once; a rival's only one has to fall before it wins."""
        if owner == self.seat:
            rivals = [other for other in self.citadels.values() if other != self.seat]
            return THE_GAME if rivals or self.is_winning else A_CITADEL
        if self.my_citadel:
            return THE_GAME
        return THE_GAME if owner == self.sole_rival else A_CITADEL

    def step_cost(self, place: str) -> int:
        return cost(self.hexes[place].terrain)


def price(kind: Kind) -> float:
    """What losing a counter costs."""
    if kind.sort == "hero":
        return 12.0 + 2 * kind.value
    return 1.0 + 2.2 * kind.value + 0.8 * len(kind.symbols)
