"""The moves of the side to move, as sets of squares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from ..core.actions import Action
from ..core.dice import Chance
from ..core.offers import Offer
from .actions import Move
from .board import Position, name, squares_in
from .moves import targets


@dataclass(frozen=True)
class Moves(Offer):
    """Every move of the side to move: for each piece that can move, where to."""

    kind: ClassVar[str] = "moves"
    by_source: Mapping[str, tuple[str, ...]]

    @classmethod
    def of(cls, position: Position) -> Moves:
        return cls({name(here): tuple(map(name, squares_in(mask))) for here, mask in targets(position)})

    def __contains__(self, action: object) -> bool:
        return isinstance(action, Move) and action.target in self.by_source.get(action.source, ())

    def sample(self, chance: Chance) -> Action:
        index = chance.pick("sample", sum(map(len, self.by_source.values())))
        for source, reach in self.by_source.items():
            if index < len(reach):
                return Move(source, reach[index])
            index -= len(reach)
        raise AssertionError("an offer of moves holds at least one")

    @property
    def do(self) -> str:
        return Move.do

    def plain(self) -> dict[str, Any]:
        by_source = {source: list(reach) for source, reach in self.by_source.items()}
        return {**self.head(), "by_source": by_source}
