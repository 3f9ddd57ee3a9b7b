"""Plans: answers a player prepares while others play. Each is worked out from the seat's View, and knows no more.

A game that can be planned for gives `Rules.plans` a Planning. games/plans.py keeps plans and takes their steps.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from .actions import Action
from .refusals import IllegalAction, Reason, reasons
from .shapes import Unreadable, short
from .view import View

if TYPE_CHECKING:
    from .rules import Rules

REST = "*"  # in place of a question: nothing more from this seat for the rest of a phase or turn
EACH_TURN = "turn"  # a plan that holds again every turn

reasons(
    plan_gone=Reason("Your plan names something that isn’t there any more: {what}."),
    plan_guard=Reason("Your plan’s condition wasn’t met: {what}."),
    plan_full=Reason("Nothing can be added to this plan: what follows depends on dice or on others."),
    plan_beside=Reason("That can’t be part of a plan. Do it at the table."),
    no_plans=Reason("There is nothing to plan here."),
)


class Moment(NamedTuple):
    """What a seat is asked that a plan may answer, and when."""

    question: str  # empty if no plan may answer
    turn: int
    phase: str
    era: int


@dataclass(frozen=True)
class Step:
    """One action of a plan, and the condition under which it is taken.

    Counters are called by what they are and where they lie: their tags change when stacks are mixed."""

    action: Mapping[str, Any]
    guard: str = ""  # one of Planning.guards; empty means in any case
    least: int = 0  # the number a guard asks for, if it asks for one
    skip: bool = False  # if the guard does not hold, the plan goes on without this step; otherwise it stops
    why: str = ""  # why it was skipped, in words for its owner


@dataclass(frozen=True)
class Plan:
    """What a player means to answer to one question."""

    steps: tuple[Step, ...] = ()
    at: int = 0  # how many of them have been taken
    again: str = ""  # how it holds again when all have been
    turn: int = 0  # the only turn it holds for; 0 for any
    phase: str = ""  # the only phase it holds for; empty for any
    why: str = ""  # why it stopped, in words for its owner
    taken: int = 0  # the turn in which its last step was taken, and the era then
    era: int = 0

    @classmethod
    def read(cls, data: object) -> Plan:
        """A plan as it was stored, or Unreadable."""
        found = _typed(cls, data)
        return cls(**{**found, "steps": tuple(Step(**_typed(Step, each)) for each in found.pop("steps", ()))})

    def stored(self) -> dict[str, Any]:
        return {**asdict(self), "steps": [asdict(step) for step in self.steps]}

    def holds(self, moment: Moment) -> bool:
        """Whether it is meant for this moment. Whoever takes back a step of it is asked again themselves."""
        meant = self.turn in (0, moment.turn) and self.phase in ("", moment.phase)
        return meant and not self.why and not self.is_over and not self.taken_back(moment)

    @property
    def is_over(self) -> bool:
        """Whether it is kept only to tell which steps were skipped."""
        return bool(self.steps) and self.at >= len(self.steps)

    def taken_back(self, moment: Moment) -> bool:
        return self.taken == moment.turn and self.era != moment.era

    def after_step(self, moment: Moment) -> Plan | None:
        """What is left of it once another step is taken, if anything. A plan once begun is for one turn."""
        noted = replace(self, taken=moment.turn, era=moment.era)
        if self.again and self.at + 1 == len(self.steps):
            return replace(noted, at=0)
        is_kept = self.at + 1 < len(self.steps) or any(step.why for step in self.steps)
        return replace(noted, at=self.at + 1, turn=moment.turn) if is_kept else None

    def skipping(self, moment: Moment, why: str) -> Plan:
        """The plan without its next step, which has not been taken."""
        steps = [*self.steps]
        steps[self.at] = replace(steps[self.at], why=why)
        return replace(self, steps=tuple(steps), at=self.at + 1, turn=moment.turn)


def _typed(kind: type[Any], data: object) -> dict[str, Any]:
    """The fields of a stored record; those of another version of this code are passed over."""
    if not isinstance(data, dict):
        raise Unreadable("a plan is not a record")
    made = kind(action={}) if kind is Step else kind()
    found = {each.name: data[each.name] for each in fields(kind) if each.name in data}
    for name, value in found.items():
        if not isinstance(value, (list, tuple) if name == "steps" else type(getattr(made, name))):
            raise Unreadable(f"{name} of a plan is of another type")
    if kind is Step and "action" not in found:
        raise Unreadable("a step of a plan has no action")
    return found


def read_plans(data: object, planning: Planning | None) -> dict[str, Plan]:
    """A seat's plans by question, as they were stored, or Unreadable."""
    if not isinstance(data, dict):
        raise Unreadable("plans are not a record")
    known = (REST, *planning.questions) if planning is not None else ()
    if strange := sorted(set(data) - set(known)):
        raise Unreadable(f"nothing can be planned for {short(strange[0])}")
    return {question: Plan.read(each) for question, each in data.items()}


def due(plans: Mapping[str, Plan], moment: Moment, passes: Mapping[str, Mapping[str, Any]]) -> str:
    """The name of the plan that answers at this moment; empty if none does. "Nothing more from me" comes first."""
    rest, plan = plans.get(REST), plans.get(moment.question)
    if rest is not None and moment.question in passes and rest.holds(moment):
        return REST
    return moment.question if plan is not None and plan.steps and plan.holds(moment) else ""


def step_due(plans: Mapping[str, Plan], moment: Moment, passes: Mapping[str, Mapping[str, Any]]) -> Step | None:
    """The step to take at this moment, if there is one."""
    name = due(plans, moment, passes)
    if name == REST:
        return Step(passes[moment.question])
    return plans[name].steps[plans[name].at] if name else None


def after_step(plans: Mapping[str, Plan], moment: Moment, passes: Mapping[str, Mapping[str, Any]]) -> dict[str, Plan]:
    """The plans that are left once the step that is due has been taken."""
    name = due(plans, moment, passes)
    if name == REST:
        return {**plans, REST: replace(plans[REST], taken=moment.turn, era=moment.era)}
    left = plans[name].after_step(moment)
    others = {each: plan for each, plan in plans.items() if each != name}
    return others if left is None else {**others, name: left}


def after_skips(
    plans: Mapping[str, Plan],
    moment: Moment,
    passes: Mapping[str, Mapping[str, Any]],
    unmet: Callable[[Step], str],
) -> dict[str, Plan]:
    """The plans without those next steps that are to be skipped now; `unmet` says why a step's condition fails."""
    found = {**plans}
    while (step := step_due(found, moment, passes)) is not None and step.skip and (why := unmet(step)):
        name = due(found, moment, passes)
        found[name] = found[name].skipping(moment, why)
    return found


@dataclass(frozen=True)
class Supposed:
    """How a seat would see the game if it were asked now and had taken the steps of its plan."""

    view: View
    taken: int  # how many of the steps could be taken
    is_open: bool  # whether another step could follow
    refusal: IllegalAction | None = None  # what the rules say to the first step that could not be taken


class Planning(Protocol):
    """What a game knows about plans."""

    @property
    def questions(self) -> tuple[str, ...]:
        """The questions that can be planned for, in the order of a turn."""

    @property
    def passes(self) -> Mapping[str, Mapping[str, Any]]:
        """Questions that can be passed in advance, and the action that passes each."""

    @property
    def guards(self) -> Mapping[str, tuple[str, ...]]:
        """Kinds of conditions, and the actions each fits; none means all."""

    def suppose(self, rules: Rules, view: View, question: str, steps: Sequence[Step], /) -> Supposed:
        """Put the question to the View's seat now, and take these steps."""

    def noted(self, view: View, action: Action, /) -> Mapping[str, Any]:
        """The action as a plan keeps it."""

    def recalled(self, view: View, noted: Mapping[str, Any], /) -> Mapping[str, Any]:
        """The action that a plan's step comes to now; refused if what it names is gone."""

    def check_guard(self, view: View, step: Step, /) -> None:
        """Refuse a step whose condition does not hold."""

    def coming(self, view: View, /) -> str:
        """The question that is likely to be put to the View's seat next, after the one that is put now."""

    def moment(self, view: View, /) -> Moment:
        """What the View's seat is asked that a plan may answer, and when."""
