"""Fill a new database with tables of Kings & Things*, and write down what every table will play.

    KADAB_VAR=/tmp/seeded PYTHONPATH=PROJECT python bench/load/seed.py --plan "4x800 21x200" --out /tmp/tables.json

A table has four players with a session each, and its own recorded game: bots play it in memory, as dice depend on the
table's id. The first --start actions are stored through the gate, and up to --spread more, so that tables are at
different places in their turns; the record goes on from there.
This runs with the modules of the project under test, so it uses nothing else of bench/.
"""

from __future__ import annotations

import argparse
import json
import os
import random
from pathlib import Path
from typing import Any
from unittest import mock

SEATS = 4
STRIDE = 17  # tables that follow each other start so many actions apart, within the spread
FEWEST = 20  # actions worth opening a table for
MOST_GAMES = 50  # of one table, until one lasts long enough


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--plan", required=True, help="TABLESxACTIONS, several of them separated by spaces")
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--spread", type=int, default=1)
    parser.add_argument("--by", default="steward", help="the level of the bots that play: steward or random")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    set_up()
    lengths: list[int] = []
    for part in given.plan.split():
        tables, _, actions = part.partition("x")
        lengths += [int(actions)] * int(tables)
    made = []
    with mock.patch("secrets.token_bytes", random.Random("kadab load").randbytes):
        for number, length in enumerate(lengths):
            start = given.start + number * STRIDE % given.spread
            made.append(table(number, start, length, given.by))
    given.out.write_text(json.dumps(made))


def set_up() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kadab.settings")
    os.environ["CARETAKER"] = "0"
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection

    call_command("migrate", verbosity=0)
    if connection.vendor == "sqlite":
        connection.cursor().execute("PRAGMA synchronous=OFF")  # nobody loses anything if this machine stops now


def table(number: int, start: int, length: int, level: str) -> dict[str, Any]:
    """A game under way, its players' session keys by seat, and its actions to come."""
    from games import play
    from games.models import Game, Seat
    from players.models import Player

    people = [Player.objects.create(username=f"load{number:04}{'abcd'[each]}") for each in range(SEATS)]
    for _ in range(MOST_GAMES):
        game = begun(people)
        actions = recorded(game.pk, start + length, level)
        if len(actions) >= start + min(length, FEWEST):
            break
        game.delete()
    else:
        raise SystemExit(f"no game of table {number} lasts for {start} actions; try --by random")
    for index, step in enumerate(actions[:start]):
        play.act(
            Game.objects.get(pk=game.pk),
            step["seat"],
            step["action"],
            revision=step["revision"],
            token=f"seeded-{game.pk}-{index:06}",
            decision=step["decision"],
        )
    # The rules have mixed the seats, so sessions are made in the order people sit in now.
    sitting = Seat.objects.filter(game=game).select_related("player").order_by("number")
    return {"id": game.public_id, "sessions": [session_of(seat.player) for seat in sitting], "actions": actions[start:]}


def begun(people: list[Any]) -> Any:
    from games import play
    from games.engine import RULESETS
    from games.models import Game, Seat

    game = Game(ruleset="kings", rules_version=RULESETS["kings"].version, host=people[0], options={}, is_public=True)
    play.prepare(game)
    for seat, person in enumerate(people):
        Seat.objects.create(game=game, number=seat, player=person)
    play.start(game)
    return game


def session_of(person: Any) -> str:
    """The key of a session in which this person is logged in."""
    from importlib import import_module

    from django.conf import settings
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY

    session = import_module(settings.SESSION_ENGINE).SessionStore()
    session[SESSION_KEY] = str(person.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = person.get_session_auth_hash()
    session.save()
    key: str = session.session_key
    return key


def recorded(pk: int, most: int, level: str) -> list[dict[str, Any]]:
    """What four bots do from the position as it is stored, up to so many actions or the end of the game.

    Each action says at which revision it is sent, and what is seen afterwards: a silent one (R4) makes no new revision,
    and nobody but its own seat hears of it.
    """
    from games import store
    from games.engine.bots import think
    from games.engine.core.plain import plain
    from games.models import Game

    game = Game.objects.get(pk=pk)
    rules, state = store.rules_of(game), store.load(game)
    steps: list[dict[str, Any]] = []
    while len(steps) < most and not state.result and (asked := sorted(rules.asked(state))):
        seat = asked[0]
        view = rules.view(state, seat)
        action = think("kings", level, view, view.offers, f"load {game.public_id} {state.actions}")
        rules.check(state, seat, action)
        progress = rules.apply(state, seat, action)
        after = progress.state
        if progress.rewind is not None:
            break
        step = {
            "seat": seat,
            "action": plain(action),
            "decision": rules.decision(state, seat),
            "revision": state.revision,
        }
        steps.append({**step, "to": after.revision, "silent": after.silent.get(seat, 0), "is_silent": progress.silent})
        state = after
    return steps


if __name__ == "__main__":
    main()
