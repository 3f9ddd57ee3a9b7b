"""The pieces of both armies and where they stand at the start (G1, G2, G5-G8, G12)."""

from collections.abc import Iterator
from dataclasses import dataclass

LIGHT, DARK = 0, 1

Step = tuple[int, int]
"""Columns to the right and rows forward, as the piece's own player sees it."""

Path = tuple[Step, ...]
"""Squares passed one after the other; a piece may stop on any of them."""

FORWARD, BACK, LEFT, RIGHT = (0, 1), (0, -1), (-1, 0), (1, 0)
STRAIGHT: tuple[Step, ...] = (FORWARD, BACK, LEFT, RIGHT)
DIAGONAL: tuple[Step, ...] = ((-1, 1), (1, -1), (1, 1), (-1, -1))


def straight_on(directions: tuple[Step, ...], furthest: int) -> tuple[Path, ...]:
    """Paths of up to `furthest` steps that keep one direction."""
    return tuple((direction,) * furthest for direction in directions)


def lion_paths() -> Iterator[Path]:
    """One straight step, then up to two on either diagonal that keeps going the same way (G7)."""
    for straight in STRAIGHT:
        for diagonal in DIAGONAL:
            if straight[0] == diagonal[0] or straight[1] == diagonal[1]:
                yield (straight, diagonal, diagonal)


@dataclass(frozen=True, slots=True)
class Kind:
    """One sort of piece; `value` is in hundredths of a Soldier, for bots and for sorting the captured."""

    slug: str
    letter: str
    light: str
    dark: str
    greater: bool
    value: int
    paths: tuple[Path, ...]
    flies: bool = False


KINDS: tuple[Kind, ...] = (
    Kind("soldier", "S", "Soldier", "Skeleton", False, 100, ((LEFT,), (RIGHT,), (FORWARD,))),
    Kind("elf", "E", "Elf", "Orc", False, 150, straight_on(DIAGONAL, 2)),
    Kind("knight", "N", "Knight", "Death Knight", True, 600, straight_on(STRAIGHT + DIAGONAL, 3)),
    Kind("promoted", "N", "Knight", "Death Knight", True, 600, straight_on(STRAIGHT + DIAGONAL, 3)),
    Kind("lion", "L", "Lion", "Dire Wolf", True, 400, tuple(lion_paths())),
    Kind("griffin", "G", "Griffin", "Dragon", True, 420, straight_on(STRAIGHT, 3), flies=True),
    Kind(
        "giant",
        "T",
        "Giant",
        "Ogre",
        True,
        600,
        straight_on((FORWARD, LEFT, RIGHT, (-1, 1), (1, 1)), 3),
    ),
    Kind("paladin", "P", "Paladin", "Lich", True, 1000, straight_on(STRAIGHT + DIAGONAL, 9)),
    Kind("castle", "C", "Castle", "Castle", True, 0, ()),
)
"""Every sort of piece, lesser ones first. The Soldier's double step is no path, as it never takes (G5)."""

KIND: dict[str, Kind] = {kind.slug: kind for kind in KINDS}

START: dict[int, tuple[str, ...]] = {
    10: ("knight", "lion", "griffin", "giant", "paladin", "castle", "giant", "griffin", "lion", "knight"),
    9: ("elf", "soldier") * 5,
    2: ("soldier", "elf") * 5,
    1: ("knight", "lion", "griffin", "giant", "castle", "paladin", "giant", "griffin", "lion", "knight"),
}
"""Kinds on the full rows, a to j; dark has rows 10 and 9, light rows 2 and 1 (G2)."""


def piece_name(kind: str, side: int) -> str:
    """What the rule book calls this piece in this army."""
    return KIND[kind].dark if side else KIND[kind].light
