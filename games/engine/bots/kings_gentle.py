"""The page's own answers: a steward's pupil who means well. It spares small kingdoms and saves its gold."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from ..core.actions import Action
from ..core.dice import Dice
from ..core.offers import Exactly, Offer, OneOf
from ..kings.actions import Build, Done, Draw, PlayEvent, Recruit
from ..kings.catalogue import CASTLE, CITADEL, KINDS
from ..kings.offers import Ascents, Attempts
from . import kings_magic as magic
from . import kings_realm as realm
from .kings_march import Plan, Planner, march_by
from .kings_reading import Reading
from .kings_realm import kind_of, offered

PEACE_TURNS = 4  # nobody's land is attacked before they are over
SMALL_REALM = 3  # hexes; whoever has no more is left alone
CAUTION = 0.1  # how much surer of a victory a page must be than a steward
CROWN_TURN = 8  # no citadel is built before
MOST_PAID = 1
KIND_EVENTS = ("good_harvest", "mother_lode", "willing_workers")


class GentlePlanner(Planner):
    """Sends out one stack a turn; goes to war late, against the large, and only when it is likely to win."""

    def attack(self, spot: str) -> Plan | None:
        """One at a time: while a stack is out, others may only join it."""
        if self.spares(spot) or not self.abroad <= {spot}:
            return None
        return super().attack(spot)

    @cached_property
    def abroad(self) -> set[str]:
        """Hexes of others and of nobody that a stack of one's own has entered."""
        reading = self.reading
        return {spot for spot in reading.hexes if spot not in reading.own and reading.army(reading.seat, spot)}

    def enters(self, spot: str) -> bool:
        return not self.spares(spot)

    def spares(self, spot: str) -> bool:
        """Whether this land is left to its owner; a citadel is nobody's for good."""
        here = self.reading.hexes[spot]
        if here.owner in (None, self.reading.seat) or here.fort == CITADEL:
            return False
        return self.reading.view.turn <= PEACE_TURNS or self.is_small(here.owner)

    def is_small(self, owner: int | None) -> bool:
        return sum(each.owner == owner for each in self.reading.hexes.values()) <= SMALL_REALM

    def least_odds(self, spot: str) -> float:
        return super().least_odds(spot) + CAUTION


def march(reading: Reading, offers: Sequence[Offer], dice: Dice) -> Action:
    """Never by Balloon, which would land wherever there is most to take."""
    return march_by(GentlePlanner, reading, [offer for offer in offers if not isinstance(offer, Ascents)])


def recruit(reading: Reading, offers: Sequence[Offer], dice: Dice) -> Action:
    """Try for the hero whose worth and odds are best, without gold."""
    offer = offered(offers, Recruit.do)
    if not isinstance(offer, Attempts):
        return Done()

    def liking(tag: str) -> float:
        kind = KINDS[kind_of(reading, tag)]
        return realm.odds_of(2 * kind.value) * realm.hero_worth(reading, kind)

    return Recruit(max(offer.heroes, key=lambda tag: (liking(tag), tag)), 0)


def draw(reading: Reading, offers: Sequence[Offer], dice: Dice) -> Action:
    """As a steward, but with one paid draw at most."""
    action = realm.draw(reading, offers, dice)
    return Draw(min(MOST_PAID, action.paid), action.traded) if isinstance(action, Draw) else action


def build(reading: Reading, offers: Sequence[Offer], dice: Dice) -> Action:
    """As a steward, but no citadel while others still learn how to get one."""
    action = realm.build(reading, offers, dice)
    is_citadel = isinstance(action, Build) and reading.hexes[action.place].fort == CASTLE
    return Done() if is_citadel and reading.view.turn < CROWN_TURN else action


def event(reading: Reading, offers: Sequence[Offer], dice: Dice) -> Action:
    """Only events that harm nobody."""
    return magic.event(reading, [offer for offer in offers if is_kind(reading, offer)], dice)


def is_kind(reading: Reading, offer: Offer) -> bool:
    if isinstance(offer, Exactly) and isinstance(offer.action, PlayEvent):
        return kind_of(reading, offer.action.event) in KIND_EVENTS
    return (
        isinstance(offer, OneOf) and offer.do == PlayEvent.do and kind_of(reading, offer.fixed["event"]) in KIND_EVENTS
    )
