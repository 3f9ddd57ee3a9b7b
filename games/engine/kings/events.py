"""What can happen in Kings & Things*, in the words of the log. Each has the number of the rule behind it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from ..core.events import Event
from .catalogue import PROPER_NAMES


class ByName(Event):
    """An event that says "the" before a hero or creature, unless it is called by the name of a person."""

    @classmethod
    def sentence(cls, facts: Mapping[str, Any]) -> str:
        says = cls.says
        for fact in ("hero", "creature"):
            if facts.get(fact) in PROPER_NAMES:
                says = says.replace(f"the {{{fact}}}", f"{{{fact}}}").replace(f"The {{{fact}}}", f"{{{fact}}}")
        return says


@dataclass(frozen=True)
class SeatOut(Event):
    says: ClassVar[str] = "{seat} is out of the game."
    rule: ClassVar[str] = "W2"
    seat: int


@dataclass(frozen=True)
class Won(Event):
    says: ClassVar[str] = "{seat} wins: {how}."
    rule: ClassVar[str] = "4.2"
    seat: int
    how: str


@dataclass(frozen=True)
class SoleCitadel(Event):
    says: ClassVar[str] = "{seat} holds the only citadel, and wins with it after the next Construction."
    rule: ClassVar[str] = "4.2"
    seat: int


@dataclass(frozen=True)
class NoSoleCitadel(Event):
    says: ClassVar[str] = "There is no longer just one citadel: {seat} does not win with it."
    rule: ClassVar[str] = "4.2"
    seat: int


@dataclass(frozen=True)
class Rolled(Event):
    says: ClassVar[str] = "{seat} rolls {faces} ({why})."
    rule: ClassVar[str] = "R1"
    later: ClassVar[frozenset[str]] = frozenset(("names", "needs", "against", "place"))
    seat: int
    why: str
    faces: tuple[int, ...]
    names: tuple[str, ...] = ()  # whose die it is, where that is so
    needs: tuple[int, ...] = ()  # what each die must not exceed to hit, where that is so
    against: int | None = None  # the side that is struck at: a seat, or the wild side
    place: str = ""  # the hex that is fought over or explored


@dataclass(frozen=True)
class WildRolled(Event):
    says: ClassVar[str] = "The wild defenders roll {faces} ({why})."
    rule: ClassVar[str] = "R1"
    later: ClassVar[frozenset[str]] = frozenset(("names", "needs", "against", "place"))
    why: str
    faces: tuple[int, ...]
    names: tuple[str, ...] = ()  # whose die it is, where that is so
    needs: tuple[int, ...] = ()  # what each die must not exceed to hit, where that is so
    against: int | None = None  # the side that is struck at: a seat, or the wild side
    place: str = ""  # the hex that is fought over or explored


@dataclass(frozen=True)
class Charmed(Event):
    says: ClassVar[str] = "{seat}’s Lucky Charm makes it {result}."
    rule: ClassVar[str] = "15"
    seat: int
    result: int


@dataclass(frozen=True)
class ItemPlayed(Event):
    says: ClassVar[str] = "{seat} plays the {item}."
    rule: ClassVar[str] = "15"
    reveals: ClassVar[bool] = True
    seat: int
    item: str


@dataclass(frozen=True)
class WildItemPlayed(Event):
    says: ClassVar[str] = "The wild defenders use the {item}."
    rule: ClassVar[str] = "15"
    item: str


# What an item is played on, told right after it was played: others decide by it whether they answer (R1).


@dataclass(frozen=True)
class BalloonSent(Event):
    says: ClassVar[str] = "{seat}’s Balloon is to carry {count} from {source} to {target}."
    rule: ClassVar[str] = "15"
    seat: int
    count: int
    source: str
    target: str


@dataclass(frozen=True)
class ItemAimed(Event):
    says: ClassVar[str] = "The {item} is meant for the {target}."
    rule: ClassVar[str] = "15"
    item: str
    target: str  # a creature, or another item, by name


@dataclass(frozen=True)
class ItemAimedAt(Event):
    says: ClassVar[str] = "The {item} is meant for {by}."
    rule: ClassVar[str] = "15"
    item: str
    by: int


@dataclass(frozen=True)
class ItemAimedAtWild(Event):
    says: ClassVar[str] = "The {item} is meant for the wild defenders."
    rule: ClassVar[str] = "15"
    item: str


@dataclass(frozen=True)
class FanTurned(Event):
    says: ClassVar[str] = "The Fan is to blow the {what} to {place}."
    rule: ClassVar[str] = "15"
    what: str
    place: str


@dataclass(frozen=True)
class FanTurnedOff(Event):
    says: ClassVar[str] = "The Fan is to blow the Black Cloud off the map."
    rule: ClassVar[str] = "15"


@dataclass(frozen=True)
class CharmAimed(Event):
    says: ClassVar[str] = "The Lucky Charm is to turn {by}’s {was} into {now}."
    rule: ClassVar[str] = "15"
    by: int
    was: int
    now: int


@dataclass(frozen=True)
class CharmAimedAtWild(Event):
    says: ClassVar[str] = "The Lucky Charm is to turn the wild defenders’ {was} into {now}."
    rule: ClassVar[str] = "15"
    was: int
    now: int


@dataclass(frozen=True)
class Dispelled(Event):
    says: ClassVar[str] = "The {item} is dispelled and has no effect."
    rule: ClassVar[str] = "15"
    item: str


@dataclass(frozen=True)
class MagicDispelled(Event):
    says: ClassVar[str] = "Magic creatures will fight hand to hand for the rest of this battle."
    rule: ClassVar[str] = "15"
    seat: int | None


@dataclass(frozen=True)
class Scattered(Event):
    says: ClassVar[str] = "A wind scatters the Dust of Defense."
    rule: ClassVar[str] = "15"


@dataclass(frozen=True)
class BlownAway(Event):
    says: ClassVar[str] = "{seat}’s Fan blows the Balloon to {place}."
    rule: ClassVar[str] = "15"
    seat: int
    place: str


@dataclass(frozen=True)
class CloudGone(Event):
    says: ClassVar[str] = "The Black Cloud is blown off the map."
    rule: ClassVar[str] = "15"


@dataclass(frozen=True)
class CloudMoved(Event):
    says: ClassVar[str] = "The Black Cloud hangs over {place}."
    rule: ClassVar[str] = "14"
    place: str


@dataclass(frozen=True)
class Cured(Event):
    says: ClassVar[str] = "{seat}’s Elixir keeps the disease away."
    rule: ClassVar[str] = "15"
    seat: int


@dataclass(frozen=True)
class Crowded(Event):
    says: ClassVar[str] = "{seat} has no room in {place} and loses {count}."
    rule: ClassVar[str] = "9.22"
    seat: int
    count: int
    place: str


@dataclass(frozen=True)
class Discarded(Event):
    says: ClassVar[str] = "{seat} returns {count} from a full rack."
    rule: ClassVar[str] = "7.4"
    seat: int
    count: int


@dataclass(frozen=True)
class HeroTurned(Event):
    says: ClassVar[str] = "{seat} turns the {was} over: the {now} can be recruited."
    rule: ClassVar[str] = "6.5"
    seat: int
    was: str
    now: str


@dataclass(frozen=True)
class PlacedCreatures(Event):
    says: ClassVar[str] = "{seat} places {count} face down in {place}."
    rule: ClassVar[str] = "8.24"
    seat: int
    count: int
    place: str


@dataclass(frozen=True)
class PlacedIncome(Event):
    says: ClassVar[str] = "{seat} places the {counter} in {place}."
    rule: ClassVar[str] = "8.23"
    reveals: ClassVar[bool] = True
    seat: int
    counter: str
    place: str


@dataclass(frozen=True)
class BattleBegan(Event):
    says: ClassVar[str] = "Battle in {place}."
    rule: ClassVar[str] = "11.2"
    later: ClassVar[frozenset[str]] = frozenset(("attackers", "defender", "fort", "left", "town", "wild"))
    place: str
    attackers: tuple[int, ...] = ()
    defender: int | None = None  # a seat, or the wild side
    fort: int = 0  # the level of the fort that fights there
    left: int = 0  # and how much of it stands
    town: str = ""  # the city or village that fights there
    wild: tuple[str, ...] = ()  # the wild defenders; players show theirs (Revealed)


@dataclass(frozen=True)
class BattleOver(Event):
    says: ClassVar[str] = "The battle in {place} is over."
    rule: ClassVar[str] = "11.7"
    later: ClassVar[frozenset[str]] = frozenset(("winner",))
    place: str
    winner: int | None = None  # a seat, or the wild side; None where nobody is left, or several are


@dataclass(frozen=True)
class Revealed(Event):
    says: ClassVar[str] = "{seat} shows in {place}: {names}."
    rule: ClassVar[str] = "10.3"
    reveals: ClassVar[bool] = True
    seat: int
    names: tuple[str, ...]
    place: str


@dataclass(frozen=True)
class BluffsRemoved(Event):
    says: ClassVar[str] = "A bluff of {seat}’s in {place} is removed: {creature}."
    rule: ClassVar[str] = "8.3"
    reveals: ClassVar[bool] = True
    seat: int
    creature: str
    place: str


@dataclass(frozen=True)
class ChallengeFailed(ByName):
    says: ClassVar[str] = "{seat} challenges the {creature}: supported, no bluff."
    rule: ClassVar[str] = "8.3"
    seat: int
    creature: str


@dataclass(frozen=True)
class Captured(Event):
    says: ClassVar[str] = "{seat} takes {place} ({terrain})."
    rule: ClassVar[str] = "11.71"
    later: ClassVar[frozenset[str]] = frozenset(("by",))
    seat: int
    place: str
    terrain: str
    by: int | None = None  # whose it was


@dataclass(frozen=True)
class DamageDone(Event):
    says: ClassVar[str] = "Damage in {place} to the {what}."
    rule: ClassVar[str] = "11.72"
    later: ClassVar[frozenset[str]] = frozenset(("seat",))
    what: str
    place: str
    seat: int | None = None  # whose it is


@dataclass(frozen=True)
class DustStayed(Event):
    says: ClassVar[str] = "{seat}’s army has nowhere to go and stays; the Dust is spent."
    rule: ClassVar[str] = "P5"
    seat: int


@dataclass(frozen=True)
class Fell(Event):
    says: ClassVar[str] = "Eliminated: {creature}."
    rule: ClassVar[str] = "11.52"
    later: ClassVar[frozenset[str]] = frozenset(("seat", "place"))
    creature: str
    seat: int | None = None  # whose it was; None for wild defenders
    place: str = ""


@dataclass(frozen=True)
class TookHit(Event):
    says: ClassVar[str] = "The {what} takes a hit; {left} left."
    rule: ClassVar[str] = "11.52"
    later: ClassVar[frozenset[str]] = frozenset(("seat", "place"))
    what: str
    left: int
    seat: int | None = None
    place: str = ""


@dataclass(frozen=True)
class SiegeHit(ByName):
    says: ClassVar[str] = "The {hero} damages the {what} in {place}."
    rule: ClassVar[str] = "13"
    hero: str
    what: str
    place: str


@dataclass(frozen=True)
class FirewallRaised(Event):
    says: ClassVar[str] = "The Firewall burns with strength {strength}."
    rule: ClassVar[str] = "15"
    strength: int


@dataclass(frozen=True)
class ItemGiven(ByName):
    says: ClassVar[str] = "The {item} goes to the {creature}."
    rule: ClassVar[str] = "15"
    item: str
    creature: str


@dataclass(frozen=True)
class Looted(Event):
    says: ClassVar[str] = "{seat} takes the {item}."
    rule: ClassVar[str] = "10.22"
    seat: int
    item: str


@dataclass(frozen=True)
class Retreated(Event):
    says: ClassVar[str] = "{seat} retreats with {count} from {place} to {target}."
    rule: ClassVar[str] = "11.6"
    seat: int
    count: int
    place: str
    target: str


@dataclass(frozen=True)
class Saved(Event):
    says: ClassVar[str] = "Saved: {creature}."
    rule: ClassVar[str] = "11.52"
    later: ClassVar[frozenset[str]] = frozenset(("seat", "place"))
    creature: str
    seat: int | None = None
    place: str = ""


@dataclass(frozen=True)
class TalismanLost(Event):
    says: ClassVar[str] = "The Talisman’s magic is spent."
    rule: ClassVar[str] = "15"


@dataclass(frozen=True)
class AimedAt(Event):
    says: ClassVar[str] = "{seat}’s Marksman picks the {target}."
    rule: ClassVar[str] = "13"
    seat: int
    target: str


@dataclass(frozen=True)
class TargetNamed(Event):
    says: ClassVar[str] = "{seat} fights {by}."
    rule: ClassVar[str] = "11.81"
    seat: int
    by: int


@dataclass(frozen=True)
class WarlordCalled(ByName):
    says: ClassVar[str] = "{seat}’s Warlord calls the {creature}."
    rule: ClassVar[str] = "13"
    seat: int
    creature: str


@dataclass(frozen=True)
class WarlordWon(ByName):
    says: ClassVar[str] = "{seat}’s Warlord wins the {creature} over."
    rule: ClassVar[str] = "13"
    seat: int
    creature: str


@dataclass(frozen=True)
class WarlordFailed(ByName):
    says: ClassVar[str] = "{seat}’s Warlord does not win the {creature} over."
    rule: ClassVar[str] = "13"
    seat: int
    creature: str


@dataclass(frozen=True)
class Undefended(Event):
    says: ClassVar[str] = "Nobody defends {place}."
    rule: ClassVar[str] = "10.11"
    place: str


@dataclass(frozen=True)
class FoundDefenders(Event):
    says: ClassVar[str] = "Defenders of {place}: {names}."
    rule: ClassVar[str] = "10.12"
    reveals: ClassVar[bool] = True
    place: str
    names: tuple[str, ...]


@dataclass(frozen=True)
class IncomeReturned(Event):
    says: ClassVar[str] = "The {counter} cannot stay here and must go back to the cup."
    rule: ClassVar[str] = "10.12"
    counter: str


@dataclass(frozen=True)
class Bribed(Event):
    says: ClassVar[str] = "{seat} bribes {names} for {gold} gold."
    rule: ClassVar[str] = "10.21"
    seat: int
    names: tuple[str, ...]
    gold: int


@dataclass(frozen=True)
class IncomeRemoved(Event):
    says: ClassVar[str] = "{seat} takes the {counter} off {place}."
    rule: ClassVar[str] = "8.42"
    seat: int
    counter: str
    place: str


@dataclass(frozen=True)
class Marched(Event):
    says: ClassVar[str] = "{seat} moves {count} from {source} to {target}."
    rule: ClassVar[str] = "9.1"
    later: ClassVar[frozenset[str]] = frozenset(("path",))
    seat: int
    count: int
    source: str
    target: str
    path: tuple[str, ...] = ()  # the hexes walked through, the last one included


@dataclass(frozen=True)
class ProofAsked(Event):
    says: ClassVar[str] = "{seat} asks to be shown who pins in {place}."
    rule: ClassVar[str] = "9.23"
    seat: int
    place: str


@dataclass(frozen=True)
class ProofGiven(ByName):
    says: ClassVar[str] = "{seat} shows the {creature} in {place}."
    rule: ClassVar[str] = "9.23"
    reveals: ClassVar[bool] = True
    seat: int
    creature: str
    place: str


@dataclass(frozen=True)
class NoProof(Event):
    says: ClassVar[str] = "Nobody shows anything: {seat} may leave {place}."
    rule: ClassVar[str] = "9.23"
    seat: int
    place: str


@dataclass(frozen=True)
class FlyersShown(Event):
    says: ClassVar[str] = "{seat} shows flyers in {place}: {names}."
    rule: ClassVar[str] = "9.31"
    reveals: ClassVar[bool] = True
    seat: int
    names: tuple[str, ...]
    place: str


@dataclass(frozen=True)
class FlyersHeld(Event):
    says: ClassVar[str] = "Held in {place}: {count} of {seat}’s flyers."
    rule: ClassVar[str] = "9.31"
    seat: int
    count: int
    place: str


@dataclass(frozen=True)
class BalloonLanded(Event):
    says: ClassVar[str] = "{seat}’s Balloon brings {count} to {place}."
    rule: ClassVar[str] = "15"
    seat: int
    count: int
    place: str


@dataclass(frozen=True)
class BalloonLost(Event):
    says: ClassVar[str] = "{seat}’s Balloon comes down in the sea at {place}."
    rule: ClassVar[str] = "15"
    seat: int
    place: str


@dataclass(frozen=True)
class Recruiting(ByName):
    says: ClassVar[str] = "{seat} tries to win the {hero}, with {gold} gold."
    rule: ClassVar[str] = "6.1"
    seat: int
    hero: str
    gold: int


@dataclass(frozen=True)
class PaidMore(Event):
    says: ClassVar[str] = "{seat} adds {gold} gold."
    rule: ClassVar[str] = "6.2"
    seat: int
    gold: int


@dataclass(frozen=True)
class HeroRefused(ByName):
    says: ClassVar[str] = "The {hero} does not join {seat}."
    rule: ClassVar[str] = "6.1"
    seat: int
    hero: str


@dataclass(frozen=True)
class HeroJoined(ByName):
    says: ClassVar[str] = "The {hero} joins {seat} in {place}."
    rule: ClassVar[str] = "8.1"
    seat: int
    hero: str
    place: str


@dataclass(frozen=True)
class Discharged(Event):
    says: ClassVar[str] = "{seat} discharges the {was}; the {now} can be recruited."
    rule: ClassVar[str] = "6.4"
    seat: int
    was: str
    now: str


@dataclass(frozen=True)
class LordLeft(ByName):
    says: ClassVar[str] = "Two Terrain Lords do not serve together: the {hero} leaves {seat}."
    rule: ClassVar[str] = "6.4"
    seat: int
    hero: str


@dataclass(frozen=True)
class Traded(Event):
    says: ClassVar[str] = "{seat} trades in: {names}."
    rule: ClassVar[str] = "7.3"
    reveals: ClassVar[bool] = True
    seat: int
    names: tuple[str, ...]


@dataclass(frozen=True)
class Drew(Event):
    says: ClassVar[str] = "{seat} draws {count} ({paid} paid)."
    rule: ClassVar[str] = "7"
    seat: int
    count: int
    paid: int


@dataclass(frozen=True)
class DrewThese(Event):
    says: ClassVar[str] = "You drew: {names}."
    rule: ClassVar[str] = "7"
    reveals: ClassVar[bool] = True
    names: tuple[str, ...]


@dataclass(frozen=True)
class CupEmpty(Event):
    says: ClassVar[str] = "The cup is empty: from now on magic, treasure and events are gone for good once used."
    rule: ClassVar[str] = "7.5"


@dataclass(frozen=True)
class Built(Event):
    says: ClassVar[str] = "{seat} builds a {fort} in {place}, for {gold} gold."
    rule: ClassVar[str] = "12.1"
    seat: int
    fort: str
    place: str
    gold: int


@dataclass(frozen=True)
class StartGold(Event):
    says: ClassVar[str] = "{seat} begins with {gold} gold."
    rule: ClassVar[str] = "2.17"
    seat: int
    gold: int


@dataclass(frozen=True)
class AssassinStrikes(Event):
    says: ClassVar[str] = "{seat} sends the Assassin Primus to {place}."
    rule: ClassVar[str] = "13"
    seat: int
    place: str


@dataclass(frozen=True)
class ThiefStrikes(Event):
    says: ClassVar[str] = "{seat} sends the Master Thief to {by}."
    rule: ClassVar[str] = "13"
    seat: int
    by: int


@dataclass(frozen=True)
class Caught(Event):
    says: ClassVar[str] = "{seat}’s {hero} is caught and leaves."
    rule: ClassVar[str] = "13"
    seat: int
    hero: str


@dataclass(frozen=True)
class ContestFailed(Event):
    says: ClassVar[str] = "{seat}’s attempt fails."
    rule: ClassVar[str] = "13"
    seat: int


@dataclass(frozen=True)
class ContestTied(Event):
    says: ClassVar[str] = "{seat}’s attempt is a tie: once more."
    rule: ClassVar[str] = "13"
    seat: int


@dataclass(frozen=True)
class Assassinated(Event):
    says: ClassVar[str] = "{seat}’s Assassin Primus strikes down {victim} in {place}."
    rule: ClassVar[str] = "13"
    later: ClassVar[frozenset[str]] = frozenset(("by",))
    seat: int
    victim: str  # with its article: a hero there is once, a face-down Thing is one of several
    place: str
    by: int | None = None  # whose it was


@dataclass(frozen=True)
class StoleGold(Event):
    says: ClassVar[str] = "{seat} takes {amount} gold from {by}."
    rule: ClassVar[str] = "13"
    seat: int
    by: int
    amount: int


@dataclass(frozen=True)
class StoleCounter(Event):
    says: ClassVar[str] = "{seat} takes a counter from {by}’s rack."
    rule: ClassVar[str] = "13"
    seat: int
    by: int


@dataclass(frozen=True)
class StoleThis(Event):
    says: ClassVar[str] = "{seat} took the {item} from {by}."
    rule: ClassVar[str] = "13"
    reveals: ClassVar[bool] = True
    seat: int
    by: int
    item: str


@dataclass(frozen=True)
class EventPlayed(Event):
    says: ClassVar[str] = "{seat} plays {event_name}."
    rule: ClassVar[str] = "14"
    reveals: ClassVar[bool] = True
    seat: int
    event_name: str


@dataclass(frozen=True)
class Earned(Event):
    says: ClassVar[str] = "{seat} receives {amount} gold."
    rule: ClassVar[str] = "14"
    seat: int
    amount: int


@dataclass(frozen=True)
class Harmless(Event):
    says: ClassVar[str] = "Nothing happens."
    rule: ClassVar[str] = "14"


@dataclass(frozen=True)
class DisasterStrikes(Event):
    says: ClassVar[str] = "Disaster strikes {place}."
    rule: ClassVar[str] = "14"
    place: str


@dataclass(frozen=True)
class DisasterMissed(Event):
    says: ClassVar[str] = "The disaster spares {place}."
    rule: ClassVar[str] = "14"
    place: str


@dataclass(frozen=True)
class LostCounters(Event):
    says: ClassVar[str] = "{seat} loses {count} in {place}."
    rule: ClassVar[str] = "14"
    seat: int
    count: int
    place: str


@dataclass(frozen=True)
class LostTown(Event):
    says: ClassVar[str] = "{seat} loses the {town} in {place}."
    rule: ClassVar[str] = "14"
    seat: int
    town: str
    place: str


@dataclass(frozen=True)
class LostWalls(Event):
    says: ClassVar[str] = "{seat}’s {fort} in {place} sinks by {levels}."
    rule: ClassVar[str] = "14"
    seat: int
    fort: str
    levels: int
    place: str


@dataclass(frozen=True)
class Vandalized(Event):
    says: ClassVar[str] = "Vandals wreck {seat}’s {fort} in {place}."
    rule: ClassVar[str] = "14"
    seat: int
    fort: str
    place: str


@dataclass(frozen=True)
class Defected(ByName):
    says: ClassVar[str] = "The {hero} defects to {seat}."
    rule: ClassVar[str] = "14"
    later: ClassVar[frozenset[str]] = frozenset(("by",))
    seat: int
    hero: str
    by: int | None = None  # whose it was; None if it served nobody


@dataclass(frozen=True)
class DefectionFailed(ByName):
    says: ClassVar[str] = "The {hero} does not defect to {seat}."
    rule: ClassVar[str] = "14"
    seat: int
    hero: str


@dataclass(frozen=True)
class HexChanged(Event):
    says: ClassVar[str] = "The terrain of {place} changes from {was} to {terrain}."
    rule: ClassVar[str] = "14"
    place: str
    was: str
    terrain: str


@dataclass(frozen=True)
class CasterRevealed(ByName):
    says: ClassVar[str] = "{seat} works magic by the {creature} in {place}."
    rule: ClassVar[str] = "14"
    reveals: ClassVar[bool] = True
    seat: int
    creature: str
    place: str


@dataclass(frozen=True)
class TurnBegan(Event):
    says: ClassVar[str] = "Turn {number}."
    rule: ClassVar[str] = "3.2"
    number: int


@dataclass(frozen=True)
class PhaseBegan(Event):
    says: ClassVar[str] = "{phase}."
    rule: ClassVar[str] = "3.2"
    phase: str


@dataclass(frozen=True)
class Collected(Event):
    says: ClassVar[str] = (
        "{seat} collects {gold} gold (land {land}, forts {forts}, counters {counters}, heroes {heroes})."
    )
    rule: ClassVar[str] = "5.1"
    seat: int
    gold: int
    land: int
    forts: int
    counters: int
    heroes: int


@dataclass(frozen=True)
class CashedIn(Event):
    says: ClassVar[str] = "{seat} cashes in the {treasure} for {gold} gold."
    rule: ClassVar[str] = "5.3"
    reveals: ClassVar[bool] = True
    seat: int
    treasure: str
    gold: int


@dataclass(frozen=True)
class OrderSet(Event):
    says: ClassVar[str] = "Player order is settled."
    rule: ClassVar[str] = "2.15"
    order: tuple[int, ...]


@dataclass(frozen=True)
class StartChosen(Event):
    says: ClassVar[str] = "{seat} starts at {place}."
    rule: ClassVar[str] = "2.15"
    seat: int
    place: str


@dataclass(frozen=True)
class HexesTurnedUp(Event):
    says: ClassVar[str] = "All hexes are turned up."
    rule: ClassVar[str] = "2.15"
    reveals: ClassVar[bool] = True


@dataclass(frozen=True)
class SeaReplaced(Event):
    says: ClassVar[str] = "The sea at {place} is replaced by {terrain}."
    rule: ClassVar[str] = "2.15"
    reveals: ClassVar[bool] = True
    place: str
    terrain: str


@dataclass(frozen=True)
class Claimed(Event):
    says: ClassVar[str] = "{seat} claims {place}."
    rule: ClassVar[str] = "2.16"
    seat: int
    place: str


@dataclass(frozen=True)
class Exchanged(Event):
    says: ClassVar[str] = "{seat} exchanges {count}."
    rule: ClassVar[str] = "2.18"
    seat: int
    count: int


@dataclass(frozen=True)
class DeckReady(Event):
    says: ClassVar[str] = "The unused hexes are shuffled into the deck."
    rule: ClassVar[str] = "2.19"


@dataclass(frozen=True)
class OrderGiven(Event):
    says: ClassVar[str] = "Your standing order about “{about}” is now “{how}”."
    rule: ClassVar[str] = "R2"
    personal: ClassVar[bool] = True
    about: str
    how: str


@dataclass(frozen=True)
class BattlePassed(Event):
    says: ClassVar[str] = "You will play nothing more in the battle in {place}."
    rule: ClassVar[str] = "R2"
    place: str


@dataclass(frozen=True)
class BattleRejoined(Event):
    says: ClassVar[str] = "You will be asked again in the battle in {place}."
    rule: ClassVar[str] = "R2"
    place: str


@dataclass(frozen=True)
class TakenBack(Event):
    says: ClassVar[str] = "{seat} takes the last step back."
    seat: int


@dataclass(frozen=True)
class Resigned(Event):
    says: ClassVar[str] = "{seat} leaves the game."
    rule: ClassVar[str] = "W3"
    seat: int


@dataclass(frozen=True)
class HandedOver(Event):
    says: ClassVar[str] = "{seat} hands the seat over to a steward."
    rule: ClassVar[str] = "W3"
    seat: int


@dataclass(frozen=True)
class EndProposed(Event):
    says: ClassVar[str] = "{seat} proposes to end the game with a win for {by}."
    rule: ClassVar[str] = "W4"
    seat: int
    by: int


@dataclass(frozen=True)
class DrawProposed(Event):
    says: ClassVar[str] = "{seat} proposes to end the game without a winner."
    rule: ClassVar[str] = "W4"
    seat: int


@dataclass(frozen=True)
class EndDeclined(Event):
    says: ClassVar[str] = "{seat} wants to play on."
    rule: ClassVar[str] = "W4"
    seat: int


@dataclass(frozen=True)
class ProposalDropped(Event):
    says: ClassVar[str] = "The proposal to end the game no longer stands."
    rule: ClassVar[str] = "W4"


EVENTS: tuple[type[Event], ...] = (
    SeatOut,
    Won,
    SoleCitadel,
    NoSoleCitadel,
    Rolled,
    WildRolled,
    Charmed,
    ItemPlayed,
    WildItemPlayed,
    BalloonSent,
    ItemAimed,
    ItemAimedAt,
    ItemAimedAtWild,
    FanTurned,
    FanTurnedOff,
    CharmAimed,
    CharmAimedAtWild,
    Dispelled,
    MagicDispelled,
    Scattered,
    BlownAway,
    CloudGone,
    CloudMoved,
    Cured,
    Crowded,
    Discarded,
    HeroTurned,
    PlacedCreatures,
    PlacedIncome,
    BattleBegan,
    BattleOver,
    Revealed,
    BluffsRemoved,
    ChallengeFailed,
    Captured,
    DamageDone,
    DustStayed,
    Fell,
    TookHit,
    SiegeHit,
    FirewallRaised,
    ItemGiven,
    Looted,
    Retreated,
    Saved,
    TalismanLost,
    AimedAt,
    TargetNamed,
    WarlordCalled,
    WarlordWon,
    WarlordFailed,
    Undefended,
    FoundDefenders,
    IncomeReturned,
    Bribed,
    IncomeRemoved,
    Marched,
    ProofAsked,
    ProofGiven,
    NoProof,
    FlyersShown,
    FlyersHeld,
    BalloonLanded,
    BalloonLost,
    Recruiting,
    PaidMore,
    HeroRefused,
    HeroJoined,
    Discharged,
    LordLeft,
    Traded,
    Drew,
    DrewThese,
    CupEmpty,
    Built,
    StartGold,
    AssassinStrikes,
    ThiefStrikes,
    Caught,
    ContestFailed,
    ContestTied,
    Assassinated,
    StoleGold,
    StoleCounter,
    StoleThis,
    EventPlayed,
    Earned,
    Harmless,
    DisasterStrikes,
    DisasterMissed,
    LostCounters,
    LostTown,
    LostWalls,
    Vandalized,
    Defected,
    DefectionFailed,
    HexChanged,
    CasterRevealed,
    TurnBegan,
    PhaseBegan,
    Collected,
    CashedIn,
    OrderSet,
    StartChosen,
    HexesTurnedUp,
    SeaReplaced,
    Claimed,
    Exchanged,
    DeckReady,
    OrderGiven,
    BattlePassed,
    BattleRejoined,
    TakenBack,
    Resigned,
    HandedOver,
    EndProposed,
    DrawProposed,
    EndDeclined,
    ProposalDropped,
)
