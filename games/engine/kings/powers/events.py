"""Random events: when each may be played, at what, and what it sets off (14, pull-out)."""

from __future__ import annotations

from ...core.events import EVERYONE
from ...core.offers import Exactly, Offer, OneOf
from ..actions import PlayEvent
from ..battle import Arms, value_of
from ..catalogue import CITADEL, SEA
from ..events import CasterRevealed, CloudMoved, Earned
from ..flow.bluffs import remove_bluffs
from ..flow.build import raise_fort
from ..flow.events import BigJuju, DarkPlague, Defection, Teeniepox, Vandals, disaster_at
from ..flow.place import mix
from ..flow.recruit import homes_for_hero
from ..flow.roll import Window
from ..forts import why_not_higher
from ..income import counters_worth, income
from ..offers import Defections, Spells
from ..state import POOL, KingsState
from ..support import is_supported


class RandomEvent:
    """An event counter."""

    def offers(self, state: KingsState, seat: int, tag: str) -> list[Offer]:
        return [Exactly(PlayEvent(tag))]

    def play(self, state: KingsState, seat: int, action: PlayEvent) -> None:
        raise NotImplementedError


def aimed(tag: str, targets: list[str]) -> list[Offer]:
    return [OneOf(PlayEvent, "target", tuple(targets), {"event": tag})] if targets else []


class GoodHarvest(RandomEvent):
    """Gold as in the Gold Collection Phase, but nothing for special income counters."""

    def play(self, state: KingsState, seat: int, action: PlayEvent) -> None:
        amount = income(state, seat).total - counters_worth(state, seat)
        state.earn(seat, amount)
        state.tell(Earned(seat, amount), to=EVERYONE)


class MotherLode(RandomEvent):
    """Twice what all special income counters are worth, with the Dwarf King's doubling of mines."""

    def play(self, state: KingsState, seat: int, action: PlayEvent) -> None:
        amount = 2 * counters_worth(state, seat)
        state.earn(seat, amount)
        state.tell(Earned(seat, amount), to=EVERYONE)


class WillingWorkers(RandomEvent):
    """One level of fort for nothing, but no citadel; it does not count for one level a turn (X19)."""

    def offers(self, state: KingsState, seat: int, tag: str) -> list[Offer]:
        return aimed(tag, [p for p in state.owned(seat) if not why_not_higher(state, seat, p, citadel=False)])

    def play(self, state: KingsState, seat: int, action: PlayEvent) -> None:
        raise_fort(state, seat, action.target)


class VandalsEvent(RandomEvent):
    def offers(self, state: KingsState, seat: int, tag: str) -> list[Offer]:
        victims = [
            str(other)
            for other in state.order
            if other != seat and any(0 < state.hexes[p].fort < CITADEL for p in state.owned(other))
        ]
        return aimed(tag, victims)

    def play(self, state: KingsState, seat: int, action: PlayEvent) -> None:
        state.call(Vandals(seat=int(action.target)))


class TeeniepoxEvent(RandomEvent):
    def offers(self, state: KingsState, seat: int, tag: str) -> list[Offer]:
        return aimed(tag, [str(other) for other in state.order])

    def play(self, state: KingsState, seat: int, action: PlayEvent) -> None:
        state.call(Teeniepox(by=seat, seat=int(action.target)))


class TerrainDisasterEvent(RandomEvent):
    """Land only (X19)."""

    def offers(self, state: KingsState, seat: int, tag: str) -> list[Offer]:
        return aimed(tag, [place for place, each in state.hexes.items() if each.terrain != SEA])

    def play(self, state: KingsState, seat: int, action: PlayEvent) -> None:
        state.call(disaster_at(seat, action.target, state.hexes[action.target].terrain))


class DarkPlagueEvent(RandomEvent):
    def play(self, state: KingsState, seat: int, action: PlayEvent) -> None:
        state.call(DarkPlague(by=seat))


class DefectionEvent(RandomEvent):
    def offers(self, state: KingsState, seat: int, tag: str) -> list[Offer]:
        if not homes_for_hero(state, seat):
            return []
        heroes = [c for c in state.counters.values() if state.kind(c.number).sort == "hero"]
        pool = tuple(sorted(c.tag for c in heroes if c.place == POOL))
        owned = tuple(sorted(c.tag for c in heroes if c.owner not in (None, seat)))
        rollers = tuple(str(other) for other in state.order if other != seat)
        return [Defections(tag, pool, rollers, owned)] if pool or owned else []

    def play(self, state: KingsState, seat: int, action: PlayEvent) -> None:
        hero = state.tags[action.target]
        owner = state.counters[hero].owner
        other = int(action.caster) if owner is None else owner
        state.call(Defection(seat=seat, other=other, hero=hero))


class Spell(RandomEvent):
    """Needs a creature or hero that uses magic; it is turned up, and must be supported (X3)."""

    spares_citadels = False

    def offers(self, state: KingsState, seat: int, tag: str) -> list[Offer]:
        reach = {}
        for number, counter in state.counters.items():
            if counter.owner == seat and counter.place in state.hexes and self.uses_magic(state, number):
                value = value_of(state, Arms(counter.place), number)
                hexes = tuple(p for p in state.map.within(counter.place, value) if self.may_hit(state, p))
                if hexes:
                    reach[counter.tag] = hexes
        return [Spells(tag, dict(sorted(reach.items())))] if reach else []

    def uses_magic(self, state: KingsState, number: int) -> bool:
        kind = state.kind(number)
        return kind.sort in ("creature", "hero") and kind.uses_magic

    def may_hit(self, state: KingsState, place: str) -> bool:
        return not (self.spares_citadels and state.hexes[place].fort == CITADEL)

    def play(self, state: KingsState, seat: int, action: PlayEvent) -> None:
        number = state.tags[action.caster]
        place = state.counters[number].place
        state.tell(CasterRevealed(seat, state.kind(number).name, place), to=EVERYONE)
        supported = is_supported(state, number)
        if state.kind(number).sort == "creature":
            state.turn_up([number])
            remove_bluffs(state, place)
            if state.counters[number].place == place:
                state.change_counter(number, face_up=False)
                mix(state, seat, place)
        if supported:
            self.cast(state, seat, action.target)

    def cast(self, state: KingsState, seat: int, place: str) -> None:
        raise NotImplementedError


class BigJujuEvent(Spell):
    spares_citadels = True

    def cast(self, state: KingsState, seat: int, place: str) -> None:
        state.call(BigJuju(seat=seat, place=place))


class WeatherControl(Spell):
    """The Black Cloud comes over a hex, unless a Fan blows it away."""

    def cast(self, state: KingsState, seat: int, place: str) -> None:
        state.extras["cloud"] = place
        state.tell(CloudMoved(place), to=EVERYONE)
        owner = state.hexes[place].owner
        parties = [owner] if owner is not None else []
        state.call(Window(trigger="cloud", by=seat, parties=parties, about={"place": place}))


EVENTS: dict[str, RandomEvent] = {
    "big_juju": BigJujuEvent(),
    "dark_plague": DarkPlagueEvent(),
    "defection": DefectionEvent(),
    "good_harvest": GoodHarvest(),
    "mother_lode": MotherLode(),
    "teeniepox": TeeniepoxEvent(),
    "terrain_disaster": TerrainDisasterEvent(),
    "vandals": VandalsEvent(),
    "weather_control": WeatherControl(),
    "willing_workers": WillingWorkers(),
}
