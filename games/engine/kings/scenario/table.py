"""The table a scenario is played at: dice and draws that somebody has written down, and the state they belong to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Self

from ...core.dice import STREAMS, Dice
from ..catalogue import FORTS
from ..state import CUP, KingsState, rack
from .words import (
    ANY,
    TERRAINS,
    Wrong,
)


@dataclass
class Script:
    """Faces and names still to come. All copies of the dice share one: what has been thrown stays thrown."""

    faces: list[int] = field(default_factory=list)
    draws: list[str] = field(default_factory=list)
    tags: int = 0


class ScenarioDice(Dice):
    """Throws the faces of a script, and finds what it draws by name."""

    __slots__ = ("script", "table")

    def __init__(self, script: Script, numbers: tuple[int, int] = (0, 0)) -> None:
        super().__init__(b"", b"", numbers)
        self.script = script
        self.table: KingsState | None = None  # the state these dice belong to, to look into its cup

    def copy(self) -> ScenarioDice:
        return ScenarioDice(self.script, self.numbers)

    def _next(self, stream: int, purpose: str, below: int) -> int:
        result = self.thrown(purpose, below) if stream == 0 else self.picked(purpose, below)
        dice, cup = self.numbers
        self.numbers = (dice + 1, cup) if stream == 0 else (dice, cup + 1)
        self.drawn.append((STREAMS[stream], purpose, result, below))
        return result

    def thrown(self, purpose: str, sides: int) -> int:
        if purpose == "hero":
            return 0  # fronts, unless the scenario's `pool:` turns some over
        if not self.script.faces:
            raise Wrong(f"a die is thrown ({purpose}), but the script has no face left")
        face = self.script.faces.pop(0)
        if not 1 <= face <= sides:
            raise Wrong(f"a die with {sides} sides is thrown ({purpose}), and the script says {face}")
        return face - 1

    def picked(self, purpose: str, below: int) -> int:
        if purpose == "tag":
            self.script.tags += 1
            return self.script.tags % below
        if purpose == "hex":
            return 0  # how the map is laid without a `map:` of the scenario's own
        choices = self.choices(purpose)
        if len(choices) != below:
            raise Wrong(f"something is drawn ({purpose}) that scenarios do not know how to name")
        if not self.script.draws:
            raise Wrong(f"something is drawn ({purpose}), but the script has no name left")
        name = self.script.draws.pop(0)
        if name == ANY:
            return 0
        if TERRAINS.get(name, name) not in choices:
            raise Wrong(f"{name} is to be drawn ({purpose}), but it is not there")
        return choices.index(TERRAINS.get(name, name))

    def choices(self, purpose: str) -> list[str]:
        """What can be drawn, in the order the game counts it."""
        state = self.table
        assert state is not None
        frame: Any = state.flow[-1]
        if purpose == "replace sea":
            return list(state.extras["deck"])
        if purpose == "juju":
            return [terrain for terrain in state.extras["deck"] if terrain != state.hexes[frame.place].terrain]
        place = rack(frame.other) if purpose == "theft" else CUP
        return [state.counters[number].kind for number in state.at(place)]


@dataclass
class ScenarioState(KingsState):
    """A state whose dice can look at it, and whose bank may have fewer forts than the box (`bank:`)."""

    out_of_the_bank: dict[int, int] = field(default_factory=dict, compare=False, repr=False)  # level -> how many

    def copy(self) -> Self:
        twin = super().copy()
        twin.watch()
        return twin

    def forts_left(self, level: int) -> int:
        return super().forts_left(level) - self.out_of_the_bank.get(level, 0)

    def leave_in_bank(self, level: int, count: int) -> None:
        there = super().forts_left(level)
        if not 0 <= count <= there:
            raise Wrong(f"the bank cannot hold {count} of {FORTS[level]}: the box has {there} that are not on the map")
        self.out_of_the_bank[level] = there - count

    def watch(self) -> None:
        assert isinstance(self.dice, ScenarioDice)
        self.dice.table = self
