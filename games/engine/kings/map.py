"""The map: hexes by name (h1 in the middle, then in a spiral), who lies next to whom, and how far apart they are."""

from __future__ import annotations

from functools import cache

from ..core.hexgrid import Axial, distance, neighbours, spiral
from .catalogue import LARGE, SMALL, Board


class Map:
    """One of the two layouts; never changes during a game, whatever lies on it."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.at: dict[str, Axial] = {f"h{n}": at for n, at in enumerate(spiral(board.radius), start=1)}
        self.places = tuple(self.at)
        by_axial = {at: place for place, at in self.at.items()}
        self.neighbours: dict[str, tuple[str, ...]] = {
            place: tuple(by_axial[n] for n in neighbours(at) if n in by_axial) for place, at in self.at.items()
        }
        self.starts = tuple(by_axial[at] for at in board.starts)

    def distance(self, one: str, other: str) -> int:
        return distance(self.at[one], self.at[other])

    def within(self, place: str, reach: int) -> list[str]:
        return [other for other in self.places if self.distance(place, other) <= reach]


@cache
def map_for(players: int) -> Map:
    """The large map is for four (2.14), the small one for two or three (16)."""
    return Map(LARGE if players == 4 else SMALL)
