"""Tables of Kings & Things* for tests: seated, begun, and played on at random for a while."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any

from games import play, store
from games.engine.bots.base import Level
from games.engine.bots.simple import AnyLegal
from games.engine.core.dice import Dice
from games.engine.core.state import State
from games.engine.kings import KINGS
from games.engine.kings.view import KingsView
from games.models import Game, Seat
from games.painting.kings.places import names_on
from tests.tables import running

NAMES = ("ann", "bob", "cat", "dan")
LEVELS = {
    "random": Level("random", "Wanderer", "Does anything that is allowed.", AnyLegal()),
    "steward": Level("steward", "Steward", "Keeps a seat.", AnyLegal()),
}


def kings(*who: str, **options: str) -> Game:
    """A game that has begun; four people if nobody is named."""
    return running(*(who or NAMES), ruleset="kings", options={"last_turn": "none", **options})


def state_of(game: Game) -> State:
    game.refresh_from_db()
    return store.load(game)


def act(game: Game, seat: int, action: dict[str, Any], **more: Any) -> play.Outcome:
    game.refresh_from_db()
    view = play.view_for(game, seat)
    given = {"revision": view.revision, "decision": view.decision, "token": secrets.token_hex(16), **more}
    return play.act(game, seat, action, **given)


def sampled(game: Game, seat: int, chance: Dice) -> dict[str, Any]:
    """Some answer to what this seat is asked."""
    offers = [offer for offer in play.view_for(game, seat).offers if not offer.aside]
    return offers[chance.pick("offer", len(offers))].sample(chance).plain()


def named(game: Game, place: str) -> str:
    """What the game's pages call a hex, inside a sentence."""
    view = play.view_for(game, None)
    assert isinstance(view, KingsView)
    return names_on(view, game.public_id)[place]


def asked(game: Game) -> list[int]:
    return list(Seat.objects.filter(game=game, is_asked=True).values_list("number", flat=True).order_by("number"))


def play_on(game: Game, seed: str, until: Callable[[State], bool], most: int = 400) -> State:
    """At random, through the gate, until something is so."""
    chance = Dice.seeded(seed)
    for _ in range(most):
        state = state_of(game)
        if until(state):
            return state
        seats = asked(game)
        seat = seats[chance.pick("seat", len(seats))]
        act(game, seat, sampled(game, seat, chance))
    raise AssertionError(f"not within {most} actions")


def window_is_open(state: State) -> bool:
    return bool(state.flow) and state.flow[-1].name() == "window"


def has_secrets(state: State) -> bool:
    return KINGS.has_secrets(state, state.seats)


def after(actions: int) -> Callable[[State], bool]:
    return lambda state: state.actions >= actions
