"""Plans for Kings & Things*: what can be prepared for each phase, from a seat's View alone.

The question is put in a state imagined from the View (twins.py), where nobody else has given an order. A plan ends
where dice, the cup or somebody else's answer would decide what comes next.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..core.actions import Action
from ..core.dice import Dice
from ..core.flow import run
from ..core.plain import plain
from ..core.plans import Moment, Step, Supposed
from ..core.refusals import IllegalAction
from ..core.rules import Progress, Rules
from ..core.view import Face, View
from .actions import Ascend, Build, Done, Draw, March, Place
from .catalogue import KINDS
from .flow.base import KingsFrame
from .flow.build import Building
from .flow.events import EventChoice
from .flow.march import Marching
from .flow.place import Deploy, PlaceTogether
from .flow.recruit import DrawThings, DrawTogether, HeroAttempt
from .orders import ASK, ORDERS
from .state import KingsState
from .terms import PHASES
from .twins import imagined
from .view import KingsView

CALLED = "*"  # begins a counter's kind and place where an action has its tag


def is_together(state: KingsState) -> bool:
    return state.options.get("things") == "together"


def drawing(state: KingsState, seat: int) -> KingsFrame:
    return DrawTogether(pending=[seat], next="draw") if is_together(state) else DrawThings(seat=seat)


def placing(state: KingsState, seat: int) -> KingsFrame:
    return PlaceTogether(pending=[seat], next="lay_out") if is_together(state) else Deploy(seat=seat)


# Each question that can be planned for: its phase, and the procedure that puts it.
PARTS: dict[str, tuple[str, Callable[[KingsState, int], KingsFrame]]] = {
    "recruit": ("heroes", lambda state, seat: HeroAttempt(seat=seat)),
    "draw": ("things", drawing),
    "place": ("things", placing),
    "event": ("events", lambda state, seat: EventChoice(seat=seat)),
    "march": ("march", lambda state, seat: Marching(seat=seat)),
    "build": ("build", lambda state, seat: Building(seat=seat)),
}
NOTHING = plain(Done())
# What "nothing more from me" answers. Losses, targets, bribes and retreats are still asked.
PASSED = ("recruit", "place", "event", "march", "build", "react", "ready", "dust", "warlord", "assassinate", "steal")


def is_final(progress: Progress) -> bool:
    """A die, a draw or a reveal cannot be taken back; new names of mixed counters can."""
    if any(purpose != "tag" for _, purpose, *_ in progress.draws):
        return True
    return any(told.event.reveals for told in progress.told)


def planned_question(asked: str, phase: str) -> str:
    """What a plan answers: the question of a phase within that phase, so not the placing in a hex just taken."""
    known = PARTS[asked][0] == phase if asked in PARTS else asked in PASSED
    return asked if known else ""


class KingsPlanning:
    """What Kings & Things* knows about plans."""

    questions = tuple(PARTS)
    passes: Mapping[str, Mapping[str, Any]] = {**dict.fromkeys(PASSED, NOTHING), "draw": plain(Draw())}
    guards: Mapping[str, tuple[str, ...]] = {
        "empty": (March.do, Ascend.do),
        "mine": (March.do, Ascend.do, Place.do, Build.do),
        "gold": (),
        "income": (),
    }

    def suppose(self, rules: Rules, view: View, question: str, steps: Sequence[Step]) -> Supposed:
        assert isinstance(view, KingsView) and view.seat is not None
        seat = view.seat
        state = asked_now(view, question)
        for taken, step in enumerate(steps):
            seen = seen_in(rules, state, seat)
            try:
                action = rules.parse(self.recalled(seen, step.action))
                if action.aside:
                    raise IllegalAction("plan_beside")
                if not state.flow:
                    raise IllegalAction("plan_full")
                rules.check(state, seat, action)
            except IllegalAction as refusal:
                return Supposed(seen, taken, False, refusal)
            progress = rules.apply(state, seat, action)
            if is_final(progress) or (progress.state.flow and seat not in rules.asked(progress.state)):
                return Supposed(seen, taken + 1, False, IllegalAction("plan_full") if steps[taken + 1 :] else None)
            assert isinstance(progress.state, KingsState)
            state = progress.state
        seen = seen_in(rules, state, seat)
        return Supposed(seen, len(steps), seen.question == question)

    def noted(self, view: View, action: Action) -> Mapping[str, Any]:
        called = {c.tag: called_in_plans(c) for c in view.counters if isinstance(c, Face)}

        def note(value: Any) -> Any:
            if isinstance(value, list):
                return [note(each) for each in value]
            return called.get(value, value) if isinstance(value, str) else value

        return {name: note(value) for name, value in plain(action).items()}

    def recalled(self, view: View, noted: Mapping[str, Any]) -> Mapping[str, Any]:
        left: dict[str, list[str]] = {}
        for each in view.counters:
            if isinstance(each, Face):
                left.setdefault(called_in_plans(each), []).append(each.tag)
        # Of two alike in one hex, one may have marched already: take the one that can still do something.
        twins = [tag for tags in left.values() if len(tags) > 1 for tag in tags]
        offered = str([offer.plain() for offer in view.offers if not offer.aside]) if twins else ""
        left = {name: sorted(tags, key=lambda tag: tag not in offered) for name, tags in left.items()}

        def recall(value: Any) -> Any:
            if isinstance(value, list):
                return [recall(each) for each in value]
            if not isinstance(value, str) or not value.startswith(CALLED):
                return value
            if not left.get(value):
                kind = value.removeprefix(CALLED).partition("@")[0]
                raise IllegalAction("plan_gone", what=KINDS[kind].name if kind in KINDS else "a counter")
            return left[value].pop(0)

        return {name: recall(value) for name, value in noted.items()}

    def check_guard(self, view: View, step: Step) -> None:
        assert isinstance(view, KingsView)
        mine = next(each for each in view.seats if each.number == view.seat)
        goal = goal_of(step.action)
        if step.guard == "gold" and getattr(mine, "gold", 0) < step.least:
            raise IllegalAction("plan_guard", what=f"you have less than {step.least} gold")
        if step.guard == "income" and income_of(view) < step.least:
            raise IllegalAction("plan_guard", what=f"your income is less than {step.least}")
        if step.guard == "empty" and any(c.owner != view.seat for c in view.stacks.get(goal, ())):
            raise IllegalAction("plan_guard", what="there are counters in that hex that aren’t yours")
        if step.guard == "mine" and not any(h.place == goal and h.owner == view.seat for h in view.hexes):
            raise IllegalAction("plan_guard", what="that hex isn’t yours")

    def coming(self, view: View) -> str:
        assert isinstance(view, KingsView)
        asked = self.moment(view).question
        ahead = [each for each in PARTS if each != asked and not comes_next_turn(view, each)]
        return [*ahead, *PARTS][0]

    def moment(self, view: View) -> Moment:
        assert isinstance(view, KingsView)
        era = view.decision.partition(".")[0]
        return Moment(planned_question(view.question, view.phase), view.turn, view.phase, int(era or 0))


def seen_in(rules: Rules, state: KingsState, seat: int) -> KingsView:
    """What a plan can go on with: nothing that may be done beside the question."""
    view = rules.view(state, seat)
    assert isinstance(view, KingsView)
    return replace(view, offers=tuple(offer for offer in view.offers if not offer.aside))


def called_in_plans(counter: Face) -> str:
    """What a plan calls a counter by: others of the same kind in the same place will do as well."""
    owner = "" if counter.owner is None else counter.owner
    return f"{CALLED}{counter.kind}@{counter.place}@{owner}"


def asked_now(view: KingsView, question: str) -> KingsState:
    """A state that fits the View, in which its seat is asked this; with the income that will have come by then."""
    assert view.seat is not None
    if question not in PARTS:
        raise IllegalAction("no_plans")
    phase, part = PARTS[question]
    state = imagined(view, Dice.seeded("plan"))
    state.revision, state.silent = view.revision, {view.seat: view.silent}
    state.extras["orders"] |= {str(seat): ASKED for seat in view.order if seat != view.seat}
    if comes_next_turn(view, question):
        mine = state.seats[view.seat]
        state.seats[view.seat] = replace(mine, gold=mine.gold + income_of(view))
    state.extras["phase"] = phase
    state.call(part(state, view.seat))
    run(state)
    return state


# Whatever others may have ordered, a plan must not tell: here they are asked.
ASKED = {**dict.fromkeys(ORDERS, ASK), "waiting": "always"}


def comes_next_turn(view: KingsView, question: str) -> bool:
    """Whether this turn's moment for the question has passed for the View's seat."""
    order = list(PHASES)
    phase, now = order.index(PARTS[question][0]), order.index(view.phase) if view.phase in order else -1
    if phase != now:
        return phase < now
    if question == "draw" and view.question == "place":
        return True
    places = [view.order.index(seat) for seat in view.asked if seat in view.order]
    return view.seat in view.order and bool(places) and view.order.index(view.seat) <= min(places)


def income_of(view: KingsView) -> int:
    mine = next(each for each in view.seats if each.number == view.seat)
    income = getattr(mine, "income", None)
    return income.total if income else 0


def goal_of(noted: Mapping[str, Any]) -> str:
    """The hex that a step leads to; empty if it leads to none."""
    path, places = noted.get("path"), noted.get("places")
    found = (path or [""])[-1] or (places or [""])[0] or noted.get("to") or noted.get("place") or ""
    return str(found)
