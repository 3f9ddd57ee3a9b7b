"""A game played in memory: for fuzzing, matches, tests, and for running a stored log again."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from .actions import Action
from .dice import Dice
from .plain import canonical, plain
from .rules import Progress, Rules
from .state import State, changes

FIRST_VERSION = "1"  # its links do not name the rules' version


def link(
    previous: str, seat: int | None, action: Any, draws: Any, changed: Any, rules_version: str = FIRST_VERSION
) -> str:
    """One link of the hash chain: no action, die or change can be altered later without breaking all that follow."""
    linked = [previous, seat, action, [list(each[:3]) for each in draws], changed]
    if rules_version != FIRST_VERSION:
        linked.append(rules_version)
    return hashlib.sha256(canonical(linked)).hexdigest()


def first_link(start: State, rules_version: str = FIRST_VERSION) -> str:
    """The first link holds what was settled before the first action: the options, and which seats are bots'."""
    settled: dict[str, Any] = {"options": plain(dict(start.options))}
    if "bots" in start.extras:
        settled["bots"] = start.extras["bots"]
    return link("", None, None, (), settled, rules_version)


@dataclass(frozen=True)
class Step:
    """One action as it was taken, and the chain's hash after it. The house's actions have no seat."""

    seat: int | None
    action: Action
    progress: Progress
    hash: str


class Run:
    """A game from its start, keeping every state so that it can go back."""

    def __init__(self, rules: Rules, start: State) -> None:
        self.rules = rules
        self.states = [start]
        self.steps: list[Step] = []
        self.hash = first_link(start)

    @classmethod
    def fresh(
        cls,
        rules: Rules,
        seats: int,
        options: Mapping[str, Any],
        dice: Dice,
        game: str = "run",
        bots: tuple[int, ...] = (),
    ) -> Run:
        return cls(rules, rules.setup(game, seats, options, dice, bots).state)

    @property
    def state(self) -> State:
        return self.states[-1]

    def act(self, seat: int | None, action: Action) -> Progress:
        """Check and apply, as the gate does; what is refused changes nothing."""
        before = self.state
        self.rules.check(before, seat, action)
        progress = self.rules.apply(before, seat, action)
        after = progress.state
        if progress.rewind is not None:
            after = self.rules.go_back(self.states[progress.rewind], after)
        self.hash = link(self.hash, seat, plain(action), progress.draws, changes(before, after))
        self.states.append(after)
        self.steps.append(Step(seat, action, progress, self.hash))
        return progress


def replay(rules: Rules, start: State, actions: Iterable[tuple[int | None, Action]]) -> Run:
    run = Run(rules, start)
    for seat, action in actions:
        run.act(seat, action)
    return run


def parting(one: Run, other: Run) -> int | None:
    """The number of the first action after which two runs differ; None if they are the same."""
    for number, (a, b) in enumerate(zip(one.steps, other.steps), start=1):
        if a.hash != b.hash:
            return number
    return None if len(one.steps) == len(other.steps) else min(len(one.steps), len(other.steps)) + 1
