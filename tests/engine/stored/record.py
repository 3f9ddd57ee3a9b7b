"""Store a few games with the code of the working directory, for tests of later code (reliability.md, C13).

Run it in a worktree of the release whose games are to be kept, outside this repository:

    git worktree add /tmp/old COMMIT
    cd /tmp/old && PYTHONPATH=. python …/tests/engine/stored/record.py …/tests/engine/stored/COMMIT.sqlite3.xz

Names of games after that (`kings3-bots`) store only those. It uses only what every release so far has had:
`play.prepare`, `start`, `view_for`, `act`. Seeds are fixed.
"""

from __future__ import annotations

import hashlib
import itertools
import lzma
import os
import sqlite3
import sys
import tempfile
from pathlib import Path

FIRST = os.path.join(tempfile.mkdtemp(), "stored.sqlite3")
os.environ["DATABASE_URL"] = f"sqlite:///{FIRST}"
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kadab.settings")
os.environ.setdefault("SECRET_KEY", "stored games")

import django  # noqa: E402

django.setup()

from django.core.management import call_command  # noqa: E402

from games import play, store  # noqa: E402
from games.engine import RULESETS  # noqa: E402
from games.engine.core.dice import Dice  # noqa: E402
from games.models import Game, Position, Seat  # noqa: E402
from players.models import Player  # noqa: E402

LONGEST = 900
PEOPLE_BESIDE_BOTS = 2
TOKENS = itertools.count()
ENDING = ("resign", "propose_end", "agree_end", "decline_end", "offer_draw", "accept_draw")


def seeded(name: str):
    """Bytes that are the same in every run: the first call's, the second's and so on."""
    calls = itertools.count()
    return lambda size: hashlib.sha256(f"{name} {next(calls)}".encode()).digest()[:size]


def table(name: str, ruleset: str, players: int, options: dict[str, str]) -> Game:
    """A table that has begun; of one that is named after its bots, the last seats are theirs."""
    people = [Player.objects.get_or_create(username=f"player{n}")[0] for n in range(players)]
    rules = RULESETS[ruleset]
    game = Game(public_id=name, ruleset=ruleset, rules_version=rules.version, host=people[0], options=options)
    store.secrets.token_bytes = seeded(name)
    play.prepare(game)
    for number, person in enumerate(people):
        if name.endswith("-bots") and number >= PEOPLE_BESIDE_BOTS:
            Seat.objects.create(game=game, number=number, bot="steward")
        else:
            entropy = f"entropy of {number}" if number else ""
            Seat.objects.create(game=game, number=number, player=person, entropy=entropy)
    play.start(game)
    game.refresh_from_db()
    return game


def act(game: Game, seat: int, action: dict) -> None:
    token = f"stored-{next(TOKENS):06}"  # not by the revision, which silent actions leave as it is
    play.act(game, seat, action, revision=game.revision, token=token)
    game.refresh_from_db()


def play_on(game: Game, chance: Dice, stop) -> None:
    """Random play by those who are asked, now and then an aside, until the game stands as wanted."""
    while game.status == "running" and game.revision < LONGEST and not stop(game):
        asked = [seat.number for seat in game.seats.order_by("number") if seat.is_asked]
        seat = asked[chance.pick("seat", len(asked))]
        offers = [offer for offer in play.view_for(game, seat).offers if offer.do not in ENDING]
        questions = [offer for offer in offers if not offer.aside]
        offers = offers if chance.pick("aside", 8) == 0 else questions
        act(game, seat, offers[chance.pick("offer", len(offers))].sample(chance).plain())


def asks(name: str, least: int, within: str = ""):
    """Whether the uppermost procedure is this one, and within that one, after so many actions at least."""

    def stop(game: Game) -> bool:
        flow = [frame["frame"] for frame in Position.objects.get(game=game).flow]
        return game.revision >= least and flow[-1] == name and (not within or within in flow)

    return stop


def at(revision: int):
    return lambda game: game.revision >= revision


def end_by_agreement(game: Game) -> None:
    seats = list(game.seats.order_by("number").values_list("number", flat=True))
    act(game, seats[0], {"do": "propose_end", "winner": 1})
    for seat in seats[1:]:
        act(game, seat, {"do": "agree_end", "winner": 1})


def main(target: Path, only: list[str]) -> None:
    call_command("migrate", verbosity=0)
    for name, light, plies in (("gambit-begun", "random", 24), ("gambit-over", "host", 16)):
        if only and name not in only:
            continue
        game = table(name, "gambit", 2, {"light": light})
        play_on(game, Dice.seeded(name), at(plies))
        if name == "gambit-over":
            act(game, 1, {"do": "resign"})
    if "kings" in RULESETS:
        wanted = (
            ("kings2-setup", 2, at(3), {}),
            ("kings2-battle", 2, asks("ready", 70, "battle"), {"bluffs": "challenge"}),
            ("kings3-window", 3, asks("window", 60), {"waiting": "always"}),
            ("kings4-battle", 4, asks("losses", 60, "battle"), {"wild": "house"}),
            ("kings3-over", 3, at(70), {"reactions": "holders"}),
            ("kings3-bots", 3, at(40), {"setup": "in_turn"}),
        )
        for name, players, stop, options in wanted:
            if only and name not in only:
                continue
            game = table(name, "kings", players, options)
            play_on(game, Dice.seeded(name), stop)
            if name.endswith("-over"):
                end_by_agreement(game)
            print(name, game.status, game.revision, [frame["frame"] for frame in game.position.flow], flush=True)
    with sqlite3.connect(FIRST) as rows:
        rows.execute("VACUUM INTO ?", (FIRST + ".small",))
    target.write_bytes(lzma.compress(Path(FIRST + ".small").read_bytes(), preset=9 | lzma.PRESET_EXTREME))
    print(target, target.stat().st_size)


main(Path(sys.argv[1]).resolve(), sys.argv[2:])
