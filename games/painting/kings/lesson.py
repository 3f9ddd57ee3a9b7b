"""The guided lesson of Kings & Things*: one idea at a time, each on a card that points at what it talks about.

The server says with each question which cards fit it, in their order (`cards_for`); the page shows the first of them
that this browser has not shown at this table. So nobody misses an idea: what does not come up by itself is told later,
in other words. The dice are those of the lesson's table (games/lobby.py, `lesson`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from games.engine.core.actions import Action
from games.engine.core.offers import Exactly
from games.engine.core.plain import plain
from games.engine.core.view import Face
from games.engine.kings.actions import Done, March, Place, PlayEvent
from games.engine.kings.catalogue import KINDS, SEA
from games.engine.kings.marches import Marches
from games.engine.kings.offers import Placements
from games.engine.kings.terms import PHASES
from games.engine.kings.view import KingsView, terrains_of

from ..scene import Line, Scene
from .advice import SIMPLE, advised
from .counters import support
from .lesson_words import END, ENDING, GOAL, LATER, STEPS

# The ordinary coach's cards that say the same: left out at a lesson's table.
TAUGHT = ("place", "income", "things", "events", "march", "combat", "explore", "battle", "losses", "retreat", "build")
# The kinds of shots of the film that wait until these have been read: a battle may have no question in it.
FILMED = {"explore": ("lesson_exploring",), "battle": ("lesson_battle",), "strike": ("lesson_battle", "lesson_dice")}
LAST_TURN = 2  # what has not come up by then is told in other words
ORDER = list(PHASES)


def cards() -> dict[str, tuple[str, str, str, str]]:
    """What the page's script shows, as the coach's own cards."""
    later = {name + LATER: (each.title, each.later, each.tip, each.rule) for name, each in STEPS.items()}
    usual = {name: (each.title, each.words, each.tip, each.rule) for name, each in {**STEPS, END: ENDING}.items()}
    return {**usual, **later}


def script() -> dict[str, Any]:
    """What else the page's script knows of the lesson: which shots wait for which cards, and where these point."""
    filmed = {kind: [card(name, STEPS[name].point) for name in names] for kind, names in FILMED.items()}
    return {"ideas": list(STEPS), "end": END, "filmed": filmed}


# ---- which cards fit


def deeds(lines: Iterable[Line], seat: int | None) -> set[str]:
    """What this seat has done and seen so far, by its own log."""
    done: set[str] = set()
    gone_to: set[str] = set()
    has_begun = False
    for line in lines:
        if line.taken_back:
            continue
        if line.event == "turn_began":
            done -= set() if has_begun else {"drew", "built"}  # the set-up is no lesson in these
            has_begun = True
        facts = line.facts
        if facts.get("seat") == seat:
            done.add(line.event)
        if line.event == "marched" and facts.get("seat") == seat:
            gone_to.add(facts["target"])
        if line.event in ("undefended", "found_defenders") and facts["place"] in gone_to:
            done.add("explored")
        if line.event == "battle_began" and seat in (*facts.get("attackers", ()), facts.get("defender")):
            done.add("battled")
        if line.event == "battle_over" and facts.get("winner") == seat:
            done.add("won")
    return done


def cards_for(scene: Scene) -> list[str]:
    """The cards that fit what the viewer is asked, the first ones first; none where there is no lesson."""
    view = scene.view
    if not scene.is_lesson or not isinstance(view, KingsView) or not view.question:
        return []
    done = done_by(scene, view)
    now = [name for name, step in STEPS.items() if view.question in step.questions and fits(name, view, done)]
    late = [name + LATER for name in STEPS if name not in now and is_late(name, view, done)]
    return [*now, *late, *([END] if view.turn > 1 or view.question == "build" else [])]


def card(name: str, point: str) -> dict[str, str]:
    return {"name": name, "point": point, "progress": progress_of(name)}


def progress_of(card: str) -> str:
    """Which of the lesson's ideas it is, as "4 of 9"."""
    name = card.removesuffix(LATER)
    return f"{list(STEPS).index(name) + 1} of {len(STEPS)}" if name in STEPS else "Lesson over"


def done_by(scene: Scene, view: KingsView) -> set[str]:
    done = deeds(scene.lines, view.seat)
    return done | ({"bluff"} if "bluffs_removed" in done or bluffs_placed(view) else set())


def fits(name: str, view: KingsView, done: set[str]) -> bool:
    """Whether what a card talks about is on the table, at one of its questions."""
    if name == "lesson_bluff":
        return bool(bluffs_to_place(view))
    if name == "lesson_gold":
        return view.turn == 1
    if name == "lesson_event":
        return any(each.do == PlayEvent.do for each in view.offers)
    if name == "lesson_moving":
        return guided_march(view) is not None
    if name == "lesson_exploring":
        return is_abroad(view)
    if name in ("lesson_battle", "lesson_dice"):
        return bool(view.under_way("battle"))
    return True


def is_late(name: str, view: KingsView, done: set[str]) -> bool:
    """Whether the moment for an idea is over: it has been done, or its phase has passed twice."""
    if view.turn == 0:  # all of this is still to come
        return False
    step = STEPS[name]
    if step.deed in done or (name == "lesson_moving" and view.question == "march"):
        return True
    is_over = view.turn == LAST_TURN and ORDER.index(view.phase) > ORDER.index(step.phase)
    return view.turn > LAST_TURN or is_over


def point_of(scene: Scene, card: str, advice: Action | None, picks: Mapping[str, Any]) -> str:
    """A selector of what a card is about, as a path into the page."""
    name = card.removesuffix(LATER)
    step = {**STEPS, END: ENDING}[name]
    if card != name:
        return step.later_point
    if step.point != GOAL:
        return step.point
    if isinstance(advice, March) and isinstance(scene.view, KingsView):
        source = start_of(scene.view, advice)
        is_picked = picks.get("march", {}).get("stack") == [source]
        return f"#hex-{advice.path[-1] if is_picked else source}"
    place = getattr(advice, "place", "")
    return f"#hex-{place}" if place else ""


# ---- what it suggests, beyond the ordinary advice


def guided(scene: Scene) -> Action | None:
    """The suggested answer in a lesson: as at any table, and a march, an event and a bluff while they are taught."""
    view = scene.view
    assert isinstance(view, KingsView)
    own: Action | None = None
    if view.question == "march":
        own = guided_march(view)
    elif view.question == "event":
        own = event_to_play(view)
    elif view.question == "place" and {"placed_creatures", "bluff"} & done_by(scene, view) == {"placed_creatures"}:
        own = bluff_to_place(view)
    return own if own is not None else advised(view, SIMPLE)


def guided_march(view: KingsView) -> March | None:
    """The largest stack into the nearest land that nobody owns; one such stack at a time."""
    offer = next((each for each in view.offers if isinstance(each, Marches)), None)
    if offer is None or is_abroad(view) or view.seat is None:
        return None
    land = {each.place: each for each in view.hexes}
    for _, tags in sorted(offer.stacks.items(), key=lambda each: (-len(each[1]), each[0])):
        free = [
            (cost, to, march)
            for to, (march, cost) in offer.reach(tags).items()
            if land[to].owner is None and land[to].terrain != SEA
        ]
        if free:
            return min(free, key=lambda each: each[:2])[2]
    return None


def is_abroad(view: KingsView) -> bool:
    """Whether counters of the viewer's stand in land that nobody owns."""
    free = {each.place for each in view.hexes if each.owner is None}
    return any(each.owner == view.seat and each.place in free for each in view.counters)


def asks_all(scene: Scene) -> bool:
    """Whether passing a whole battle is not offered: in a lesson, whose first battles are there to learn from."""
    return scene.is_lesson and isinstance(scene.view, KingsView) and scene.view.turn <= LAST_TURN


def start_of(view: KingsView, march: March) -> str:
    first = plain(march)["counters"][0]
    return next((counter.place for counter in view.counters if counter.tag == first), "")


def event_to_play(view: KingsView) -> PlayEvent | None:
    """An event that works without a choice."""
    actions = [each.action for each in view.offers if isinstance(each, Exactly)]
    return next((action for action in actions if isinstance(action, PlayEvent)), None)


def own_creatures(view: KingsView, on_rack: bool) -> list[Face]:
    rack = f"rack:{view.seat}"
    own = [each for each in view.counters if isinstance(each, Face) and each.owner in (view.seat, None)]
    return [each for each in own if (each.place == rack) == on_rack and KINDS[each.kind].sort == "creature"]


def bluffs_on_rack(view: KingsView) -> list[Face]:
    terrains = terrains_of(view, view.seat)
    return [each for each in own_creatures(view, True) if support(view.seat, each, terrains) == "bluff"]


def bluffs_placed(view: KingsView) -> list[Face]:
    terrains = terrains_of(view, view.seat)
    land = {each.place for each in view.hexes}
    placed = [each for each in own_creatures(view, False) if each.place in land and each.owner == view.seat]
    return [each for each in placed if support(view.seat, each, terrains) == "bluff"]


def bluffs_to_place(view: KingsView) -> list[str]:
    """Bluffs on the rack that may be placed now."""
    offer = next((each for each in view.offers if isinstance(each, Placements)), None)
    return [each.tag for each in bluffs_on_rack(view) if offer and each.tag in offer.creatures]


def bluff_to_place(view: KingsView) -> Action | None:
    """One bluff into the hex with the most of one's own."""
    offer = next((each for each in view.offers if isinstance(each, Placements)), None)
    bluffs = bluffs_to_place(view)
    if offer is None or not bluffs:
        return None
    for place in sorted(offer.room, key=lambda at: (-len(view.stacks.get(at, ())), at)):
        action = Place((bluffs[0],), (place,))
        if action in offer:
            return action
    return Done()
