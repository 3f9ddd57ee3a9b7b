"""The guided lesson of Kings & Things*: one idea at a time, each on a card that points at what it talks about.

A step shows while its question is asked and its deed has not been done; that follows from the seat's own View and log,
so the lesson adapts to whatever the player does. The dice are those of the lesson's table (games/lobby.py, `lesson`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from games.engine.core.actions import Action
from games.engine.core.offers import Exactly
from games.engine.core.plain import plain
from games.engine.core.view import Face
from games.engine.kings.actions import Done, March, Place, PlayEvent
from games.engine.kings.catalogue import KINDS, SEA
from games.engine.kings.marches import Marches
from games.engine.kings.offers import Placements
from games.engine.kings.view import KingsView, terrains_of

from ..scene import Line, Scene
from .advice import SIMPLE, advised
from .counters import support

GOAL = "goal"  # points at the hex that the suggested action is about


@dataclass(frozen=True)
class Step:
    """One idea: the questions it goes with, what it says, what it points at, and the event that shows it was done."""

    questions: tuple[str, ...]
    deed: str
    title: str
    words: str
    tip: str
    rule: str
    point: str = ""
    by_anybody: bool = False  # somebody else's deed is as good to look at


BATTLE = ("ready", "target", "losses", "retreat", "arm")

STEPS: dict[str, Step] = {
    "lesson_placing": Step(
        ("place",),
        "placed_creatures",
        "Placing your Things",
        "These are yours. Creatures with ✓ come from land you own. Put them on your hexes; others see only backs.",
        "Press the bright button: it plans a good place for each.",
        "8",
        "#rack-panel",
    ),
    "lesson_bluff": Step(
        ("place", "exchange"),
        "bluff",
        "A bluff",
        "A creature with ? has no home in your land. You may still put it on the map: others can’t tell. If it has to "
        "fight, it is found out and lost.",
        "Bluffs frighten. Put one beside a real creature.",
        "8.3",
        "#rack-panel",
    ),
    "lesson_gold": Step(
        ("recruit", "draw"),
        "",
        "Gold",
        "You were just paid: one gold for each hex, more for your tower. Here is your purse.",
        "More land brings more gold.",
        "5",
        "#purse",
    ),
    "lesson_recruiting": Step(
        ("draw",),
        "drew",
        "New Things from the cup",
        "Your land lets you draw Things for free. Five gold buy one more. You never know what comes.",
        "Press the bright button to draw.",
        "7",
        "#rack-panel",
    ),
    "lesson_event": Step(
        ("event",),
        "event_played",
        "A random event",
        "One of your Things is an event. It is played from your rack, works once, and goes back to the cup.",
        "Press the bright button and see what it does.",
        "14",
        "#rack-panel",
        by_anybody=True,
    ),
    "lesson_moving": Step(
        ("march",),
        "marched",
        "Move your army",
        "Press the ringed hex to pick up the stack there, then the hex that is ringed next. It goes there.",
        "A large stack is safer than a small one.",
        "9",
        GOAL,
    ),
    "lesson_exploring": Step(
        ("march", "engage", "bribe"),
        "captured",
        "Into the unknown",
        "Nobody owns the hex you went to. A die tells who lives there: on 1 or 6 nobody. Otherwise that many Things "
        "come out of the cup and defend it.",
        "You may pay them to leave. Whoever you don’t pay, you fight.",
        "10.1",
        "here",
    ),
    "lesson_battle": Step(
        BATTLE,
        "won",
        "Your first battle",
        "The wild ones defend their hex. Each fighter rolls a die: not above its number is a hit. Magic strikes first, "
        "then archers, then the rest.",
        "Stay until the hex is yours. Your numbers are good.",
        "11.3",
        "#arena",
    ),
    "lesson_building": Step(
        ("build",),
        "built",
        "Build",
        "Five gold build a tower, or raise one you have. It defends its hex and pays you each turn.",
        "The bright button is a good choice.",
        "12",
        GOAL,
    ),
}


# The ordinary coach's cards that say the same: left out at a lesson's table.
TAUGHT = ("place", "income", "things", "events", "march", "combat", "explore", "battle", "build")
END = "lesson_end"
LAST_TURN = 3  # of the lesson: whatever was not met by then comes up in play
ENDING = Step(
    (),
    "",
    "You know enough: play on",
    "That was the lesson. The game goes on against two gentle bots; the bright button is always a sound choice.",
    "Whoever holds the only citadel for a whole turn wins.",
    "4.2",
)


def cards() -> dict[str, tuple[str, str, str, str]]:
    """What the page's script shows, as the coach's own cards."""
    return {name: (each.title, each.words, each.tip, each.rule) for name, each in {**STEPS, END: ENDING}.items()}


# ---- which step it is


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
        done.add(f"any {line.event}")
        if facts.get("seat") == seat:
            done.add(line.event)
        if line.event == "marched" and facts.get("seat") == seat:
            gone_to.add(facts["target"])
        if line.event in ("undefended", "found_defenders") and facts["place"] in gone_to:
            done.add("explored")
        if line.event == "battle_over" and facts.get("winner") == seat:
            done.add("won")
    return done


def step_of(scene: Scene) -> str:
    """The name of the step to show now; empty where the ordinary coach may speak."""
    view = scene.view
    if not scene.is_lesson or not isinstance(view, KingsView) or not view.question:
        return ""
    done, met = done_by(scene, view), met_by(scene, view)
    for name, step in STEPS.items():
        if view.question in step.questions and name not in met and fits(name, view, done):
            return name
    return END if len(met) == len(STEPS) or view.turn >= LAST_TURN else ""


def progress_of(step: str) -> str:
    """Which of the lesson's steps it is, as "4 of 9"."""
    return f"{list(STEPS).index(step) + 1} of {len(STEPS)}" if step in STEPS else ""


def done_by(scene: Scene, view: KingsView) -> set[str]:
    done = deeds(scene.lines, view.seat)
    return done | ({"bluff"} if "bluffs_removed" in done or bluffs_placed(view) else set())


def met_by(scene: Scene, view: KingsView) -> set[str]:
    """The steps whose deed has been done; of the first gold, once it can be spent on something else than a hero."""
    done = done_by(scene, view)
    met = {
        name for name, step in STEPS.items() if step.deed in done or (step.by_anybody and f"any {step.deed}" in done)
    }
    paid = "collected" in done and (view.turn > 1 or view.question != "recruit")
    return met | ({"lesson_gold"} if paid else set())


def fits(name: str, view: KingsView, done: set[str]) -> bool:
    """Whether what a step talks about is on the table."""
    if name == "lesson_bluff":
        return bool(bluffs_on_rack(view))
    if name == "lesson_gold":
        return view.turn == 1 and view.question == "recruit"
    if name == "lesson_event":
        return event_to_play(view) is not None
    if name == "lesson_moving":
        return guided_march(view) is not None
    if name == "lesson_exploring":
        return "marched" in done and not (view.question == "march" and guided_march(view) is not None)
    if name == "lesson_battle":
        return bool(view.under_way("battle"))
    return True


def point_of(scene: Scene, step: str, advice: Action | None, picks: Mapping[str, Any]) -> str:
    """A selector of what the step's card is about, as a path into the page."""
    point = {**STEPS, END: ENDING}[step].point if step else ""
    if point != GOAL:
        return point
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
    elif view.question == "place" and step_of(scene) == "lesson_bluff":
        own = bluff_to_place(view)
    return own if own is not None else advised(view, SIMPLE)


def guided_march(view: KingsView) -> March | None:
    """The largest stack into the nearest land that nobody owns; one such stack at a time."""
    offer = next((each for each in view.offers if isinstance(each, Marches)), None)
    land = {each.place: each for each in view.hexes}
    abroad = any(c.owner == view.seat and c.place in land and land[c.place].owner is None for c in view.counters)
    if offer is None or abroad or view.seat is None:
        return None
    for _, tags in sorted(offer.stacks.items(), key=lambda each: (-len(each[1]), each[0])):
        free = [
            (cost, to, march)
            for to, (march, cost) in offer.reach(tags).items()
            if land[to].owner is None and land[to].terrain != SEA
        ]
        if free:
            return min(free, key=lambda each: each[:2])[2]
    return None


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


def bluff_to_place(view: KingsView) -> Action | None:
    """One bluff into the hex with the most of one's own."""
    offer = next((each for each in view.offers if isinstance(each, Placements)), None)
    bluffs = [each.tag for each in bluffs_on_rack(view) if offer and each.tag in offer.creatures]
    if offer is None or not bluffs:
        return None
    for place in sorted(offer.room, key=lambda at: (-len(view.stacks.get(at, ())), at)):
        action = Place((bluffs[0],), (place,))
        if action in offer:
            return action
    return Done()
