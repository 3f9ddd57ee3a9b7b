"""What a sensible player would answer: the page makes it the button that stands out, or picks it in advance.

A steward is asked, who knows no more than the View.
"""

from __future__ import annotations

from games.engine.bots.kings import ANSWERS
from games.engine.bots.kings_magic import cheapest
from games.engine.bots.kings_reading import Reading
from games.engine.core.actions import Action
from games.engine.core.dice import Dice
from games.engine.core.plain import plain
from games.engine.kings.actions import Ascend, Done, Lose, Place
from games.engine.kings.catalogue import KINDS
from games.engine.kings.offers import LossLists
from games.engine.kings.view import KingsView

SIMPLE = frozenset(
    ("start", "claim", "tower", "place", "exchange", "station_hero", "full_rack", "build", "bribe", "retreat")
)
# Movement, magic, powers and whom to fight. A lesson has suggestions of its own for some of these.
ADVISED = SIMPLE.union(
    ("march", "event", "ready", "react", "dust", "arm", "warlord", "target", "engage", "aim", "aimed_hit"),
    ("disaster", "which_stack", "vandals", "which_terrain", "escape", "replace_sea", "which_lord", "turn_hero"),
    ("steal", "loot", "assassinate", "victim", "which_income", "endangered_income"),
)


def advised(view: KingsView, questions: frozenset[str] = ADVISED) -> Action | None:
    """The suggested answer to what the viewer is asked; None where the page suggests nothing."""
    if view.seat is None or view.seat not in view.asked or view.question not in questions:
        return None
    reading = Reading(view)
    # The same View always gets the same advice, so drawing it twice gives the same page.
    offers = [each for each in view.offers if each.do != Ascend.do]  # a Balloon is no suggestion for beginners
    action = ANSWERS[view.question](reading, offers, Dice.seeded(f"advice {view.revision}"))
    if isinstance(action, Place) and view.question == "place":
        action = without_bluffs(reading, action)
    return action if any(action in offer and not offer.aside for offer in view.offers) else None


def advised_losses(view: KingsView) -> Lose | None:
    """Who should take the hits of a battle: walls, which stand again afterwards, then whoever is missed least."""
    if view.question != "losses":
        return None
    offer = next((each for each in view.offers if isinstance(each, LossLists)), None)
    action = cheapest(Reading(view), offer) if offer is not None else None
    return action if offer is not None and action in offer else None


def without_bluffs(reading: Reading, action: Place) -> Action:
    """Whoever bluffs should know it: only counters that serve are suggested."""
    kinds = {counter.tag: KINDS[counter.kind] for counter in reading.rack}
    placed = plain(action)
    served = [(tag, at) for tag, at in zip(placed["counters"], placed["places"]) if reading.supports(kinds[tag], at)]
    return Place(tuple(tag for tag, _ in served), tuple(at for _, at in served)) if served else Done()
