"""What happened since somebody's last visit, in a dozen lines at most: the reel of games without one of their own."""

from __future__ import annotations

from .scene import Scene

MOST = 11  # lines; the twelfth says until when there is time


def newest(scene: Scene, first: int) -> tuple[str, ...]:
    """The newest lines of the log from this one on, and how many came before them."""
    told = [line.text for line in scene.lines[first:] if not line.taken_back]
    if len(told) <= MOST:
        return tuple(told)
    return (f"{len(told) - MOST + 1} more before this.", *told[1 - MOST :])
