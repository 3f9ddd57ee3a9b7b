"""What a sensible player would answer: the page makes it the button that stands out, or picks it in advance.

A steward is asked, who knows no more than the View.
"""

from __future__ import annotations

from games.engine.bots.kings import ANSWERS
from games.engine.bots.kings_reading import Reading
from games.engine.core.actions import Action
from games.engine.core.dice import Dice
from games.engine.core.plain import plain
from games.engine.kings.actions import Ascend, Bribe, Done, Lose, March, Place
from games.engine.kings.catalogue import KINDS
from games.engine.kings.marches import Marches
from games.engine.kings.odds import Prospect, if_gone, if_moved, is_quick
from games.engine.kings.offers import Bribes, LossLists
from games.engine.kings.view import KingsView

from .odds import reckoned

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
    offers = [each for each in view.offers if each.do != Ascend.do]  # a Balloon is no suggestion for beginners
    action = ANSWERS[view.question](reading, offers, dice_for(view))
    if isinstance(action, Place) and view.question == "place":
        action = without_bluffs(reading, action)
    elif isinstance(action, March):
        action = not_alone(view, action)
    elif view.question == "bribe":
        action = worth_its_gold(view, action)
    return action if any(action in offer and not offer.aside for offer in view.offers) else None


def advised_losses(view: KingsView) -> Lose | None:
    """Who should fall or be given up, whatever the question: whoever is missed least."""
    offer = next((each for each in view.offers if isinstance(each, LossLists)), None)
    if offer is None or view.question not in ANSWERS:
        return None
    # Only the list is offered, so that no magic is suggested in its place.
    action = ANSWERS[view.question](Reading(view), [offer], dice_for(view))
    return action if isinstance(action, Lose) and action in offer else None


def dice_for(view: KingsView) -> Dice:
    """The same View always gets the same advice, so drawing it twice gives the same page."""
    return Dice.seeded(f"advice {view.revision}")


FAIR, SURE = 0.6, 0.9  # chances to win: what is suggested at all, and what needs no more gold


def chance_of(prospect: Prospect | None) -> float | None:
    """How likely the viewer wins; None where that takes too long to work out, or where nobody is to be beaten."""
    if prospect is None or not is_quick(prospect.event):
        return None
    return reckoned(prospect.event).win if prospect.against else 1.0


def not_alone(view: KingsView, march: March) -> Action:
    """A stack as a whole, where those who were to go would rather lose; nobody, if it would as well."""
    going, to = plain(march)["counters"], march.path[-1]
    chance = chance_of(if_moved(view, to, going))
    if chance is None or chance >= FAIR:
        return march
    offer = next(each for each in view.offers if isinstance(each, Marches))
    stack = next((tags for tags in offer.stacks.values() if set(going) <= set(tags)), ())
    whole, _ = offer.reach(stack).get(to, (None, 0))
    chance = chance_of(if_moved(view, to, stack)) if whole is not None else None
    return whole if whole is not None and chance is not None and chance >= FAIR else Done()


def worth_its_gold(view: KingsView, advice: Action) -> Action:
    """Whom to pay among the strongest defenders: no more than makes the viewer fairly sure to win."""
    offer = next((each for each in view.offers if isinstance(each, Bribes)), None)
    if offer is None:
        return advice
    dearest = sorted(offer.prices, key=lambda tag: -offer.prices[tag])
    ways = [tuple(dearest[:count]) for count in range(len(dearest) + 1)]
    paid = [way for way in ways if sum(offer.prices[tag] for tag in way) <= offer.gold]
    chances = [chance_of(if_gone(view, way)) or 0.0 for way in paid]
    sure = next((way for way, chance in zip(paid, chances) if chance >= SURE), None)
    return Bribe(sure if sure is not None else paid[chances.index(max(chances))])


def without_bluffs(reading: Reading, action: Place) -> Action:
    """Whoever bluffs should know it: only counters that serve are suggested."""
    kinds = {counter.tag: KINDS[counter.kind] for counter in reading.rack}
    placed = plain(action)
    served = [(tag, at) for tag, at in zip(placed["counters"], placed["places"]) if reading.supports(kinds[tag], at)]
    return Place(tuple(tag for tag, _ in served), tuple(at for _, at in served)) if served else Done()
