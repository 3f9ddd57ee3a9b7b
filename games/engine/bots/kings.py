"""The bots of Kings & Things*: the steward, a sensible player who also takes over for whoever leaves the table (W3),
and the page, a gentle one for a first game."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable, Sequence
from typing import ClassVar

from ..core.actions import Action
from ..core.dice import Dice
from ..core.offers import Offer, OneOf, Reply
from ..core.view import View
from ..kings.actions import AgreeEnd, Challenge, DeclineEnd
from ..kings.view import KingsView
from . import kings_battle as battle
from . import kings_gentle as gentle
from . import kings_magic as magic
from . import kings_march as marching
from . import kings_realm as realm
from .base import BotFault, Level, Thought
from .kings_reading import Reading
from .simple import AnyLegal

log = logging.getLogger(__name__)

Answer = Callable[[Reading, Sequence[Offer], Dice], Action]

ANSWERS: dict[str, Answer] = {
    # set-up
    "start": realm.start,
    "replace_sea": realm.replace_sea,
    "claim": realm.claim,
    "tower": realm.tower,
    "exchange": realm.exchange,
    # heroes, Things, forts
    "recruit": realm.recruit,
    "add_gold": realm.add_gold,
    "station_hero": realm.station_hero,
    "which_lord": realm.which_lord,
    "turn_hero": realm.turn_hero,
    "draw": realm.draw,
    "place": realm.place,
    "full_rack": realm.full_rack,
    "build": realm.build,
    # events and powers
    "event": magic.event,
    "disaster": magic.disaster,
    "which_stack": magic.which_stack,
    "event_losses": magic.event_losses,
    "plague_losses": magic.event_losses,
    "vandals": magic.vandals,
    "which_terrain": magic.which_terrain,
    "escape": magic.escape,
    "steal": magic.steal,
    "loot": magic.loot,
    "assassinate": magic.assassinate,
    "victim": magic.victim,
    # movement
    "march": marching.march,
    "endangered_income": battle.endangered_income,
    "proof": battle.proof,
    "hold_flyers": battle.hold_flyers,
    "who_stays": battle.too_many,
    "too_many": battle.too_many,
    # exploration and battle
    "engage": battle.engage,
    "which_income": battle.which_income,
    "arm": battle.arm,
    "bribe": battle.bribe,
    "dust": battle.dust,
    "ready": battle.ready,
    "warlord": battle.warlord,
    "target": battle.target,
    "aim": battle.aim,
    "aimed_hit": battle.aimed_hit,
    "losses": battle.losses,
    "retreat": battle.retreat,
    "react": battle.react,
}

GENTLY: dict[str, Answer] = {
    **ANSWERS,
    "recruit": gentle.recruit,
    "draw": gentle.draw,
    "build": gentle.build,
    "event": gentle.event,
    "march": gentle.march,
}


class Steward:
    """Answers every question by arithmetic on its View; what it cannot answer, it answers with anything allowed.

    No game stops because of a fault here, but no fault is hidden either: each comes with the answer (`consider`), or
    is logged (`choose`). A `strict` steward raises it, for tests and measurements.
    """

    answers: ClassVar[dict[str, Answer]] = ANSWERS

    def __init__(self, strict: bool = False) -> None:
        self.strict = strict
        self.otherwise = AnyLegal()

    def choose(self, view: View, offers: Sequence[Offer], dice: Dice) -> Action:
        thought = self.consider(view, offers, dice)
        if thought.fault:
            log.error("a steward answered with anything allowed: %s", thought.fault)
        return thought.action

    def consider(self, view: View, offers: Sequence[Offer], dice: Dice) -> Thought:
        assert isinstance(view, KingsView)
        try:
            return Thought(self.answer(view, offers, dice))
        except Exception as error:
            if self.strict:
                raise
            lines = traceback.format_exception(error)
            fault = f"question {view.question or 'none'}, revision {view.revision}: {''.join(lines).strip()}"
            return Thought(self.otherwise.choose(view, offers, dice), fault)

    def answer(self, view: KingsView, offers: Sequence[Offer], dice: Dice) -> Action:
        action = beside(view, offers) or self.answers[view.question](Reading(view), offers, dice)
        if not any(action in offer for offer in offers):
            raise BotFault(f"{action} is not on offer")
        return action


class Page(Steward):
    """A steward's pupil: explores and builds, but makes little of gold and magic and leaves small kingdoms alone."""

    answers = GENTLY


def beside(view: KingsView, offers: Sequence[Offer]) -> Action | None:
    """What is answered or done before any question: proposals to end the game, and bluffs that lie open."""
    wish = AgreeEnd.do if view.proposal.get("winner") == view.seat else DeclineEnd.do
    for offer in offers:
        if offer.do == wish and isinstance(offer, Reply):
            return offer.action
    for offer in offers:
        if offer.do == Challenge.do and isinstance(offer, OneOf):
            reading = Reading(view)
            for tag in offer.choices:
                if reading.is_open_bluff(tag):
                    return Challenge(tag)
    return None


BOTS = (
    Level("random", "Jester", "Plays at random. Good for a first look at the Things.", AnyLegal()),
    Level(
        "page",
        "Page",
        "Gentle: explores and builds, starts no war in the first turns and spares small kingdoms.",
        Page(),
    ),
    Level(
        "steward",
        "Steward",
        "Explores, builds, bribes and fights for a citadel. Also plays for people who are away.",
        Steward(),
    ),
)

# Names of our own, which no hero, creature or place of the game has.
GIVEN_NAMES = (
    "Aldric",
    "Berta",
    "Odo",
    "Hilda",
    "Wulfric",
    "Maud",
    "Godwin",
    "Edith",
    "Tancred",
    "Rowena",
    "Osric",
    "Ysolde",
)
