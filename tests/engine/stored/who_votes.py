"""Print who has a vote on an agreed end in each running game of Kings & Things* of a stored database. Run by a test.

DATABASE_URL=sqlite:///… python -m tests.engine.stored.who_votes
"""

from __future__ import annotations

import django

django.setup()

from games import begun, play  # noqa: E402
from games.models import Game, Seat  # noqa: E402


def voters(game: Game) -> str:
    view = play.view_for(game, None)
    return " ".join(map(str, sorted(view.voters)))  # type: ignore[attr-defined]


def winners(game: Game) -> str:
    """Whom seat 0 may propose as the winner of an agreed end."""
    offers = [offer for offer in play.view_for(game, 0).offers if offer.do == "propose_end"]
    return " ".join(str(winner) for offer in offers for winner in sorted(offer.choices))  # type: ignore[attr-defined]


for game in Game.objects.filter(ruleset="kings", status=Game.Status.RUNNING).order_by("pk"):
    print(f"{game.public_id}: {voters(game)}; winners: {winners(game)}", flush=True)
    for seat in Seat.objects.filter(game=game, stands_in_for__isnull=False):
        begun.take_back_seat(game, seat.stands_in_for, seat.number)
        game.refresh_from_db()
        print(f"{game.public_id}: {voters(game)} with {seat.number} back; winners: {winners(game)}", flush=True)
