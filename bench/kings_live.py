"""What it costs to keep four pages of Kings & Things* up to date: processor time and bytes, action by action.

Four stewards play through the gate, their thinking not counted; four seats watch, each with a session and a socket of
their own. After each action every socket asks for its news just as it does when its doorbell rings: it reads session,
table and seats anew, draws what changed and writes the message.

    PYTHONPATH=. .venv/bin/python bench/kings_live.py --actions 400
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import statistics
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from unittest import mock

NAMES = ("ann", "bob", "cat", "dan")
WANTED_MS, WANTED_BYTES, WANTED_ZIPPED = 6.0, 12_000, 4_000
EVERY = 20  # actions between two drawings of a whole page


@contextmanager
def site() -> Iterator[None]:
    """A whole Kadab in a folder of its own, with static files as they are served; the same game each time."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"KADAB_VAR": folder, "DJANGO_SETTINGS_MODULE": "kadab.settings", "CARETAKER": "0"}
        os.environ.pop("DATABASE_URL", None)
        os.environ.pop("REDIS_URL", None)
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        call_command("collectstatic", verbosity=0, interactive=False)
        with mock.patch("secrets.token_bytes", random.Random("kings live").randbytes):
            yield


@dataclass
class Seen:
    """What was measured: milliseconds of processor time, and sizes."""

    act: list[float] = field(default_factory=list)
    four: list[float] = field(default_factory=list)
    sockets: list[float] = field(default_factory=list)
    page: list[float] = field(default_factory=list)
    board: list[float] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    zipped: list[int] = field(default_factory=list)
    heavy: list[tuple[int, str]] = field(default_factory=list)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--actions", type=int, default=300)
    parser.add_argument("--profile", action="store_true", help="where the time for four watchers goes")
    given = parser.parse_args()
    with site():
        seen = Seen()
        profiler = None
        if given.profile:
            import cProfile

            profiler = cProfile.Profile()
        watched(given.actions, seen, profiler)
        through_sockets(given.actions // 3, seen)
        show(seen)
        if profiler:
            import pstats

            pstats.Stats(profiler).sort_stats("cumulative").print_stats(
                r"main/games|query.py|compiler.py.*execute_sql|signing|sessions"
            )


# ---- the table


def begun() -> tuple[Any, list[Any]]:
    """A table of four people, and a logged-in session for each."""
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore

    from games import play
    from games.models import Game, Seat
    from players.models import Player

    people = [Player.objects.get_or_create(username=name)[0] for name in NAMES]
    game = Game(ruleset="kings", rules_version="1", host=people[0], options={})
    play.prepare(game)
    for number, person in enumerate(people):
        Seat.objects.create(game=game, number=number, player=person)
    play.start(game)
    sessions = []
    for person in people:
        session = SessionStore()
        session[SESSION_KEY] = str(person.pk)
        session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
        session[HASH_SESSION_KEY] = person.get_session_auth_hash()
        session.save()
        sessions.append(session)
    return Game.objects.get(pk=game.pk), sessions


def choice(game: Any) -> tuple[Any, int, dict[str, Any], dict[str, Any]] | None:
    """What a steward does next in the seat that is asked; None when the game is over."""
    from games import play
    from games.engine.bots import think
    from games.engine.core.plain import plain

    game.refresh_from_db()
    seats = list(game.seats.filter(is_asked=True).values_list("number", flat=True))
    if not seats:
        return None
    view = play.view_of(game, seats[0])
    action = think("kings", "steward", view, view.offers, f"live {view.revision}")
    given = {"revision": view.revision, "decision": view.decision, "token": f"live-{game.pk}-{view.revision:06}"}
    return game, seats[0], plain(action), given


def consumer_of(game: Any, session: Any) -> Any:
    """A socket that is open, without its wire."""
    from games.consumers import TableConsumer
    from players.models import Player

    made = TableConsumer()
    made.scope = {"session": session, "user": Player.objects.get(pk=session["_auth_user_id"])}
    made.public_id = game.public_id
    return made


def watchers_of(game: Any, sessions: list[Any]) -> list[Any]:
    """Four sockets that show the game as it is, as asking for their news."""
    from games.live import Ask, answers_to

    asks = [Ask(consumer_of(game, session), False, mock.Mock()) for session in sessions]
    answers_to(asks)
    for ask in asks:
        ask.talk = False  # what is said at the table rings another bell
    return asks


def watched(actions: int, seen: Seen, profiler: Any = None) -> None:
    """Act, then let four sockets find out what is new, each drawing and compressing nothing but its own."""
    from games import play
    from games.live import answers_to

    game, sessions = begun()
    asks = watchers_of(game, sessions)
    for number in range(actions):
        next_one = choice(game)
        if next_one is None:
            game, sessions = begun()
            asks = watchers_of(game, sessions)
            continue
        table, seat, action, given = next_one
        seen.act.append(spent(play.act, table, seat, action, **given)[0])
        if profiler:
            profiler.enable()
        cost, messages = spent(answers_to, asks)
        if profiler:
            profiler.disable()
        seen.four.append(cost)
        for message in messages:
            seen.sizes.append(len(message.encode()))
            seen.zipped.append(len(zlib.compress(message.encode(), 6)))
            seen.heavy.append((seen.sizes[-1], parts_of(message)))
        if number % EVERY == 0:
            seen.page.append(spent(whole_page, game, sessions[0])[0])
            seen.board.append(spent(chess_board)[0])


def through_sockets(actions: int, seen: Seen) -> None:
    """The same with the doorbell, the channel layer, threads and frames: real sockets but for the network."""
    asyncio.run(_through_sockets(actions, seen))


async def _through_sockets(actions: int, seen: Seen) -> None:
    from asgiref.sync import sync_to_async
    from channels.testing import WebsocketCommunicator

    from games import play
    from kadab.asgi import protocols

    game, sessions = await sync_to_async(begun)()
    sockets = []
    for session in sessions:
        headers = [(b"origin", b"http://127.0.0.1:8000"), (b"host", b"127.0.0.1:8000")]
        headers.append((b"cookie", f"sessionid={session.session_key}".encode()))
        socket = WebsocketCommunicator(protocols, f"/ws/tables/{game.public_id}/", headers=headers)
        assert (await socket.connect())[0]
        await socket.receive_from(5)
        sockets.append(socket)
    for _ in range(actions):
        next_one = await sync_to_async(choice)(game)
        if next_one is None:
            break
        table, seat, action, given = next_one
        begun_at = time.process_time()
        await sync_to_async(play.act)(table, seat, action, **given)
        for socket in sockets:
            await socket.receive_from(5)
        seen.sockets.append(1000 * (time.process_time() - begun_at))
    for socket in sockets:
        await socket.disconnect()


def spent(what: Callable[..., Any], *args: Any, **more: Any) -> tuple[float, Any]:
    """Milliseconds of this process's time, and what came of it."""
    begun_at = time.process_time()
    made = what(*args, **more)
    return 1000 * (time.process_time() - begun_at), made


# ---- things to compare with


def whole_page(game: Any, session: Any) -> None:
    from django.conf import settings
    from django.test import Client

    client = Client(headers={"host": "127.0.0.1"})
    client.cookies[settings.SESSION_COOKIE_NAME] = session.session_key
    page = client.get(game.get_absolute_url())
    assert page.status_code == 200, page.status_code


def chess_board() -> None:
    """A drawing of about the same sort by somebody else's code: four boards of `chess`, one for each watcher."""
    import chess
    import chess.svg

    for _ in range(4):
        chess.svg.board(chess.Board())


# ---- the table of figures


def parts_of(message: str) -> str:
    """Which slots a message fills, with the bytes of each, largest first."""
    import re

    found = [(m.start(), m.group(1)) for m in re.finditer(r'<\w+ [^<>]*?hx-swap-oob="(?:\w+:)?#?([\w-]+)"', message)]
    ends = [at for at, _ in found[1:]] + [len(message)]
    sized = sorted(((end - at, name) for (at, name), end in zip(found, ends)), reverse=True)
    return " ".join(f"{name}:{size}" for size, name in sized[:6])


def show(seen: Seen) -> None:
    def line(what: str, seen_: str, wanted: str = "") -> None:
        print(f"{what:60}{seen_:>30}{wanted:>14}")

    def ms(figures: list[float]) -> str:
        return f"{statistics.median(figures):.2f} ms, 90 % {at(figures, 0.9):.2f} ms"

    def kb(figures: list[int]) -> str:
        return f"{statistics.median(figures):,.0f}, 90 % {at(figures, 0.9):,.0f}, most {max(figures):,.0f}"

    def at(figures: list[Any], share: float) -> Any:
        return sorted(figures)[int(share * (len(figures) - 1))]

    def under(figures: list[int], most: int) -> str:
        return f"{100 * sum(each <= most for each in figures) / len(figures):.1f} %"

    both = [a + b for a, b in zip(seen.act, seen.four)]
    four, page = statistics.median(seen.four), statistics.median(seen.page)
    line(f"{len(seen.act)} actions of four stewards, four seats watching", "median", "wanted")
    line("news for four: sessions, seats, drawing, messages", ms(seen.four), f"<= {WANTED_MS:g} ms")
    line("the action itself, through the gate, stored", ms(seen.act))
    line("both", ms(both))
    line("both by sockets, with doorbell, threads and frames", ms(seen.sockets))
    line("  a whole page by HTTP, in this run", f"{page:.2f} ms")
    line("  news for four / a whole page", f"{four / page:.2f}")
    line("  four chess boards by chess.svg, in this run", f"{statistics.median(seen.board):.2f} ms")
    line("  news for four / four chess boards", f"{four / statistics.median(seen.board):.2f}")
    line("bytes of one message", kb(seen.sizes))
    line(f"  of {WANTED_BYTES:,} bytes or less", under(seen.sizes, WANTED_BYTES))
    line("bytes of one message, compressed (zlib 6)", kb(seen.zipped))
    line(f"  of {WANTED_ZIPPED:,} bytes or less", under(seen.zipped, WANTED_ZIPPED))
    print("the largest messages:")
    for size, parts in sorted(seen.heavy, reverse=True)[:8]:
        print(f"  {size:7,}  {parts}")


if __name__ == "__main__":
    main()
