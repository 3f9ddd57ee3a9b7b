"""Open the games of a stored database, look at them through the doors, and play them to their end. Run by a test.

DATABASE_URL=sqlite:///… python -m tests.engine.stored.go_on
"""

from __future__ import annotations

import django

django.setup()

from django.conf import settings  # noqa: E402
from django.test import Client  # noqa: E402
from django.urls import reverse  # noqa: E402

from games import play  # noqa: E402
from games.engine.core.dice import Dice  # noqa: E402
from games.engine.core.rules import Rules  # noqa: E402
from games.models import Game  # noqa: E402

MOST_ACTIONS = 200
ENDING = {"resign", "propose_end", "agree_end", "decline_end", "offer_draw", "accept_draw"}

settings.ALLOWED_HOSTS = ["*"]
settings.STORAGES = {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
Rules.check_codec = True


def look(game: Game) -> None:
    """Every seat and a stranger see the table now, its log and its first position."""
    for seat in (None, *game.seats.all()):
        browser = Client()
        if seat is not None and seat.player is not None:
            browser.force_login(seat.player)
        for address in (game.get_absolute_url(), reverse("past", args=[game.public_id, 0])):
            answer = browser.get(address)
            assert answer.status_code == 200, f"{game.public_id}: {address} gives {answer.status_code}"


def act(game: Game, seat: int, action: object) -> None:
    play.act(game, seat, action, revision=play.view_for(game, seat).revision, token=play.fresh_token())
    game.refresh_from_db()


def go_on(game: Game, chance: Dice) -> None:
    """Random play for some turns; then everybody agrees on an end, or somebody resigns."""
    first = turn_of(game)
    for _ in range(MOST_ACTIONS):
        if game.status != Game.Status.RUNNING or turn_of(game) >= first + 2:
            break
        asked = [seat.number for seat in game.seats.order_by("number") if seat.is_asked]
        assert asked, f"{game.public_id}: nobody is asked"
        seat = asked[chance.pick("seat", len(asked))]
        offers = [offer for offer in play.view_for(game, seat).offers if offer.do not in ENDING]
        questions = [offer for offer in offers if not offer.aside]
        offers = offers if chance.pick("aside", 8) == 0 else questions
        act(game, seat, offers[chance.pick("offer", len(offers))].sample(chance).plain())
    if game.status == Game.Status.RUNNING:
        end(game)


def turn_of(game: Game) -> int:
    return int(getattr(play.view_for(game, None), "turn", 0)) if game.ruleset == "kings" else 0


def end(game: Game) -> None:
    if game.ruleset == "gambit":
        act(game, 0, {"do": "resign"})
        return
    for seat in game.seats.order_by("number"):
        if game.status == Game.Status.RUNNING:
            act(game, seat.number, {"do": "agree_end" if seat.number else "propose_end", "winner": 0})


for game in Game.objects.order_by("pk"):
    before = game.revision
    look(game)
    if game.status == Game.Status.RUNNING:
        go_on(game, Dice.seeded(f"later {game.public_id}"))
        look(game)
    print(game.public_id, game.status, before, game.revision, flush=True)
