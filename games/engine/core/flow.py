"""The flow: a stack of frames. A frame is one procedure of the rule book, halfway through.

A frame's fields are its memory: ids, numbers, strings, and lists or dicts of them. `steps` are taken in order;
`self.next = "step"` is the only jump and stays inside the frame; `state.call(frame, into="field")` goes down and
`self.leave(state, result)` comes back. A frame with something to ask says so in `offers`; answers arrive as
`on_<action>`. Nothing else moves the flow.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

from .events import snake
from .offers import Offer
from .plain import copied
from .refusals import IllegalAction

if TYPE_CHECKING:
    from .actions import Action
    from .state import State

MOST_STEPS = 10_000
DONE = "done"


class RunawayFlow(Exception):
    """The flow went on for ever without anybody being asked: a bug in a frame."""


@dataclass(kw_only=True)
class Frame:
    steps: ClassVar[tuple[str, ...]] = ()
    rule: ClassVar[str] = ""

    next: str = ""  # the step to take next, by name, so that stored games survive steps added later
    into: str = ""  # the caller's field that takes this frame's result
    serial: int = 0  # tells this frame from every other of its game
    answers: int = 0  # how many actions it has been given

    @classmethod
    def name(cls) -> str:
        return snake(cls.__name__)

    # A game's frames name their own kind of State here, which is why these take any.
    def offers(self, state: Any) -> Mapping[int, list[Offer]]:
        """What each seat may do now, by seat; empty when nobody is asked and the flow runs on."""
        return {}

    def foregone(self, state: Any, offered: Mapping[int, list[Offer]]) -> tuple[int, Action] | None:
        """An answer that need not be asked for, and whose it is: the flow takes it as if it had been given."""
        return None

    def explain(self, state: Any, seat: int) -> None:
        """Tell a seat why it is not asked, just before the flow takes its answer as given."""

    def question(self, state: Any, seat: int) -> str:
        """Names what this seat is being asked. Frames that ask several seats at once leave out the others' answers,
        so that one seat's answer does not make another's stale."""
        return str(self.answers)

    def why_not(self, state: Any, seat: int, action: Action) -> IllegalAction:
        """The best reason that can be given for refusing an action that is not on offer."""
        return IllegalAction("not_on_offer")

    def leave(self, state: State, result: Any = None) -> None:
        assert state.flow[-1] is self, "only the top frame can leave"
        state.flow.pop()
        if self.into and state.flow:
            setattr(state.flow[-1], self.into, result)

    def copy(self) -> Self:
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        for name, value in self.__dict__.items():
            if type(value) is list or type(value) is dict:
                twin.__dict__[name] = copied(value)
        return twin


def run(state: State) -> None:
    """Take steps until somebody has a choice or the flow is at its end."""
    for _ in range(MOST_STEPS):
        if not state.flow:
            return
        top = state.flow[-1]
        offered = top.offers(state)
        if not offered:
            take_step(state, top)
            continue
        foregone = top.foregone(state, offered)
        if foregone is None:
            state.offered = offered
            return
        top.explain(state, foregone[0])
        take_answer(state, top, *foregone)
    raise RunawayFlow(" > ".join(f"{frame.name()} ({frame.next})" for frame in state.flow))


def take_answer(state: State, frame: Frame, seat: int, action: Action) -> None:
    frame.answers += 1
    getattr(frame, "on_" + action.do)(state, seat, action)


def take_step(state: State, frame: Frame) -> None:
    step = frame.next or (frame.steps[0] if frame.steps else DONE)
    if step == DONE:
        frame.leave(state)
        return
    at = frame.steps.index(step) + 1
    frame.next = frame.steps[at] if at < len(frame.steps) else DONE
    getattr(frame, step)(state)
