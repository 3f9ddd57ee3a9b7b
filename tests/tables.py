"""Tables for tests: people sit down and a game is running, through the same doors as in life."""

from __future__ import annotations

import itertools
from typing import Any

from games import play
from games.engine import RULESETS
from games.models import Game, Seat
from players.models import Player

TOKENS = (f"test-token-{number}" for number in itertools.count())


def player(name: str, **values: Any) -> Player:
    made = Player.objects.filter(username=name).first()
    return made or Player.objects.create_user(name, password="a good long password", **values)


def seated(*who: str, ruleset: str = "gambit", options: dict[str, str] | None = None, **values: Any) -> Game:
    """An open table, full: names of players, or "bot:LEVEL"; the first player is the host."""
    people = {name: player(name) for name in who if not name.startswith("bot:")}
    host = next(iter(people.values()), None) or player("host")
    version = RULESETS[ruleset].version
    options = {"light": "host"} if options is None else options
    game = Game(ruleset=ruleset, rules_version=version, host=host, options=options, **values)
    play.prepare(game)
    for number, name in enumerate(who):
        bot = name.removeprefix("bot:") if name.startswith("bot:") else ""
        Seat.objects.create(game=game, number=number, player=people.get(name), bot=bot)
    return game


def running(*who: str, **values: Any) -> Game:
    """A game that has begun; in Gambit the first named plays light and moves first unless told otherwise."""
    options = {"light": "host", "position": LIGHT_TO_MOVE}
    game = seated(*who, **{"options": options, **values})
    play.start(game)
    game.refresh_from_db()
    return game


LIGHT_TO_MOVE = "nlgtpctgln/eseseseses/10/10/10/10/10/10/SESESESESE/NLGTCPTGLN w 0 1"


def token() -> str:
    return next(TOKENS)


def move(game: Game, seat: int, source: str, target: str, **more: Any) -> play.Outcome:
    game.refresh_from_db()
    data = {"do": "move", "source": source, "target": target}
    return play.act(game, seat, data, **{"revision": game.revision, "token": token(), **more})


def do(game: Game, seat: int, name: str, **more: Any) -> play.Outcome:
    game.refresh_from_db()
    return play.act(game, seat, {"do": name}, **{"revision": game.revision, "token": token(), **more})
