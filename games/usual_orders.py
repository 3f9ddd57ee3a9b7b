"""A player's usual orders: kept with the player, and given at every table of that game when it starts.

They are ordinary standing orders. Each is an action of its seat through the gate, and nobody else hears of it (R4).
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import Any

from . import play
from .engine.core.refusals import IllegalAction
from .models import Game, Seat


def usual_orders_of(player: Any, ruleset: str) -> dict[str, str]:
    """By what each is about."""
    return dict(player.orders.get(ruleset, {}))


def keep(player: Any, ruleset: str, orders: Mapping[str, str]) -> None:
    """Make these a player's usual orders in a game, in place of any before; none means that there are no usual ones."""
    others = {slug: kept for slug, kept in player.orders.items() if slug != ruleset}
    player.orders = {**others, ruleset: dict(orders)} if orders else others
    player.save(update_fields=["orders"])


def give(game: Game) -> None:
    """Give everybody's usual orders at a table that has just started.

    Whoever shares their device has several seats there: the orders of one player are not those of all."""
    seats = list(game.seats.select_related("player").filter(player__isnull=False))
    owners = [seat.player_id for seat in seats]
    for seat in seats:
        if owners.count(seat.player_id) == 1:
            _give(game, seat)


def _give(game: Game, seat: Seat) -> None:
    for about, how in usual_orders_of(seat.player, game.ruleset).items():
        order = {"do": "set_order", "about": about, "how": how}
        token = play.token_of_form(play.fresh_token(), f"{about} {how}")
        # An order that these rules no longer know is left out: the game then asks.
        with contextlib.suppress(IllegalAction):
            play.act(game, seat.number, order, revision=game.revision, token=token)
