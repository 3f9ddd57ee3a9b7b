"""How reliably somebody plays: the share of open questions they answered in time, and the games they left.

Only questions with a clock count. Windows never do: nobody is to know who was asked in them (R4).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q, Sum

from .engine.core.refusals import IllegalAction, Reason, reasons
from .models import Former, Game, Seat

FEW = 20  # questions: whoever has had fewer is new, which is nothing bad
LEASTS = (0, 70, 80, 90, 95)  # what a table may ask for, in per cent

reasons(
    unreliable=Reason(
        "This table is for players who answer at least {least} % of their questions in time. You answered {share} % of"
        " {asked}. You can raise that at tables with a clock that ask for less."
    ),
    bad_least=Reason("A table can ask for 70, 80, 90 or 95 % of questions answered in time, or for nothing."),
)


@dataclass(frozen=True)
class Reliability:
    """What is known of one player."""

    in_time: int = 0
    late: int = 0
    left: int = 0

    @property
    def asked(self) -> int:
        return self.in_time + self.late

    @property
    def is_new(self) -> bool:
        return self.asked < FEW

    @property
    def share(self) -> int:
        """In per cent, rounded down: 100 is never said of somebody who was late."""
        return 100 * self.in_time // self.asked if self.asked else 100

    @property
    def brief(self) -> str:
        """For lists."""
        left = f", left {self.left} game{'' if self.left == 1 else 's'}" if self.left else ""
        return f"new to clocks{left}" if self.is_new else f"{self.share} % in time{left}"


def of(player: Any) -> Reliability:
    return of_all([player.pk]).get(player.pk, Reliability())


def of_all(players: Collection[int]) -> dict[int, Reliability]:
    """By the players' keys, in three statements; a seat that a bot keeps is still its player's."""
    found = dict.fromkeys(players, Reliability())
    for whose in ("player", "stands_in_for"):
        at_end = Q(game__status=Game.Status.FINISHED) if whose == "stands_in_for" else Q(pk=None)
        rows = Seat.objects.filter(**{f"{whose}__in": players}).order_by().values(whose)
        for row in rows.annotate(good=Sum("in_time"), bad=Sum("late"), gone=Count("pk", filter=at_end)):
            known = found[row[whose]]
            found[row[whose]] = Reliability(
                known.in_time + row["good"], known.late + row["bad"], known.left + row["gone"]
            )
    rows = Former.objects.filter(player__in=players).order_by().values("player")
    for row in rows.annotate(good=Sum("in_time"), bad=Sum("late"), gone=Count("pk")):
        known = found[row["player"]]
        found[row["player"]] = Reliability(
            known.in_time + row["good"], known.late + row["bad"], known.left + row["gone"]
        )
    return found


def check(game: Game, player: Any) -> None:
    """Refused, with the reason, if this table asks for more than the player has shown so far."""
    if not game.least_reliability or player.pk == game.host_id:
        return
    shown = of(player)
    if not shown.is_new and shown.share < game.least_reliability:
        raise IllegalAction("unreliable", least=game.least_reliability, share=shown.share, asked=shown.asked)


def checked_least(least: object) -> int:
    if not isinstance(least, int) or isinstance(least, bool) or least not in LEASTS:
        raise IllegalAction("bad_least")
    return least
