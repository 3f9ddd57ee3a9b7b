"""Processor time of one action of Kings & Things* by part: rules, encoding, Views, contexts, drawing; and the odds,
which are worked out after everybody has their news and are not in the sum.

Four stewards play a game in memory first; then their actions are replayed, and each part is timed for all four seats.
No database, session or socket is involved (bench/kings_live.py has those): this is what remains if they cost nothing.

    PYTHONPATH=. .venv/bin/python bench/kings_parts.py --actions 400
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import statistics
import time
from collections import defaultdict
from collections.abc import Callable
from typing import Any

SEATS = range(4)
NAMES = {0: "ann", 1: "bob", 2: "cat", 3: "dan"}
WANTED_MS = 3.0
EVERY = 10  # actions between two drawings of chess boards
PARTS = ("rules", "encoding", "questions", "views", "log", "contexts", "drawing")

Played = list[tuple[int, Any]]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--actions", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=1, help="replay so often; from the second on caches are warm")
    parser.add_argument("--profile", default="", help="a part, or 'all': where its time goes")
    parser.add_argument("--digest", action="store_true", help="print a hash of all messages, to compare two versions")
    given = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kadab.settings")
    import django

    django.setup()
    from django.conf import settings

    settings.STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    games = recorded(given.actions)
    timer = Timer(given.profile)
    for _ in range(given.rounds):
        for seed, actions in games:
            replayed(seed, actions, timer)
    show(timer, given.digest)


def recorded(actions: int) -> list[tuple[str, Played]]:
    """Games of four stewards, by the seed of their dice, with that many actions in all."""
    from games.engine.bots import think
    from games.engine.core.dice import Dice
    from games.engine.kings import KINGS

    games: list[tuple[str, Played]] = []
    left = actions
    while left > 0:
        seed, played = f"parts {len(games)}", Played()
        state = KINGS.setup(seed, len(SEATS), {}, Dice.seeded(seed)).state
        while state.result is None and len(played) < left:
            seat = KINGS.asked(state)[0]
            view = KINGS.view(state, seat)
            action = think("kings", "steward", view, view.offers, f"{seed} {len(played)}")
            played.append((seat, action))
            state = KINGS.apply(state, seat, action).state
        games.append((seed, played))
        left -= len(played)
    return games


class Timer:
    """Milliseconds of processor time of each part, action by action."""

    def __init__(self, profiled: str = "") -> None:
        self.costs: dict[str, list[float]] = defaultdict(list)
        self.sizes: list[int] = []
        self.boards: list[float] = []
        self.digest = hashlib.sha256()
        self.profiled, self.profiler = profiled, None
        if profiled:
            import cProfile

            self.profiler = cProfile.Profile()

    def __call__(self, part: str, what: Callable[..., Any], *args: Any) -> Any:
        profiler = self.profiler if self.profiled in (part, "all") else None
        if profiler:
            profiler.enable()
        begun = time.process_time_ns()
        made = what(*args)
        self.costs[part].append((time.process_time_ns() - begun) / 1e6)
        if profiler:
            profiler.disable()
        return made


def replayed(seed: str, actions: Played, timer: Timer) -> None:
    from games.engine.core.dice import Dice
    from games.engine.core.plain import plain
    from games.engine.core.replay import first_link
    from games.engine.kings import KINGS
    from games.painting import fragments as painting

    begun = KINGS.setup(seed, len(SEATS), {}, Dice.seeded(seed))
    state, chain = begun.state, first_link(begun.state, KINGS.version)
    logs: dict[int, tuple[Any, ...]] = dict.fromkeys(SEATS, ())
    acted = dict.fromkeys(SEATS, 0)
    logs = with_lines(logs, 0, plain(begun.told))
    shown = [painting.fragments(scene(KINGS.view(state, seat), logs[seat], 0)) for seat in SEATS]
    for number, (seat, action) in enumerate(actions):
        before = state
        progress = timer("rules", acted_on, before, seat, action)
        state = progress.state
        told, chain = timer("encoding", encoded, before, seat, action, progress, chain)
        timer("questions", questions, before, state)
        views = timer("views", lambda state: [KINGS.view(state, each) for each in SEATS], state)
        acted[seat] = state.revision
        logs = timer("log", with_lines, logs, state.revision, told)
        scenes = [scene(views[each], logs[each], acted[each]) for each in SEATS]
        new = timer("contexts", lambda *both: list(map(painting.fragments, *both)), scenes, shown)
        messages = timer("drawing", patches, shown, new)
        timer("odds, later", lambda pages: [each.later for each in pages], new)
        shown = new
        for message in messages:
            timer.sizes.append(len(message.encode()))
            timer.digest.update(message.encode())
        timer.digest.update(chain.encode())
        if number % EVERY == 0:
            timer.boards.append(chess_boards())


def patches(old: list[Any], new: list[Any]) -> list[str]:
    from games.painting import fragments as painting

    return [str(painting.patch(*both, with_later=False)) for both in zip(old, new)]


def acted_on(before: Any, seat: int, action: Any) -> Any:
    from games.engine.kings import KINGS

    KINGS.check(before, seat, action)
    return KINGS.apply(before, seat, action)


def encoded(before: Any, seat: int, action: Any, progress: Any, chain: str) -> tuple[Any, str]:
    """All that is stored of one action, as games/store.py does it, down to the text of its JSON columns."""
    from games.engine.core.codec import encode_flow
    from games.engine.core.plain import plain
    from games.engine.core.replay import link
    from games.engine.core.state import changed_records, changes
    from games.engine.kings import KINGS

    after = progress.state
    changed, did, draws, told = changes(before, after), plain(action), plain(progress.draws), plain(progress.told)
    chain = link(chain, seat, did, progress.draws, changed, KINGS.version)
    columns = (encode_flow(after), after.extras, did, draws, told, changed, encode_flow(before))
    for column in columns:
        json.dumps(column)
    for rows in ("seats", "counters", "hexes"):
        old, new = getattr(before, rows), getattr(after, rows)
        for key in changed_records(old, new):
            plain(new[key])
    return told, chain


def questions(before: Any, state: Any) -> None:
    """Who is asked what, as the seats' rows say it."""
    from games.engine.kings import KINGS

    KINGS.window(before), KINGS.window(state)
    KINGS.asked(state), KINGS.asked_openly(state)
    KINGS.has_secrets(state, ())
    for seat in SEATS:
        KINGS.decision(state, seat)
        KINGS.offers(state, seat)


def with_lines(logs: dict[int, tuple[Any, ...]], revision: int, told: list[Any]) -> dict[int, tuple[Any, ...]]:
    """Every seat's log with what it hears of an action; a line is made once for all who hear it."""
    from games.engine.kings import KINGS
    from games.painting.scene import Line
    from games.play import LogLine

    heard = []
    for each in told:
        kind, facts = KINGS.stored_event(each)
        line = LogLine(revision, kind.name(), kind.says, kind.rule, facts)
        heard.append((each["to"], Line(revision, line.event, line.text(NAMES), line.rule, line.facts)))
    return {
        seat: (*lines, *(line for to, line in heard if to == "everyone" or seat in to)) for seat, lines in logs.items()
    }


def scene(view: Any, lines: tuple[Any, ...], acted: int) -> Any:
    from games.painting.scene import Person, Scene

    people = tuple(Person(n, name, "account", n == view.seat, name) for n, name in NAMES.items())
    return Scene(
        view,
        lines,
        people,
        "Kings & Things*",
        "x",
        "/tables/x/",
        "/rules/kings/",
        (("Game", "x"),),
        "mark",
        is_player=True,
        acted=acted,
    )


def chess_boards() -> float:
    """A drawing of about the same sort by somebody else's code: four boards of `chess`, one for each watcher."""
    import chess
    import chess.svg

    begun = time.process_time_ns()
    for _ in SEATS:
        chess.svg.board(chess.Board())
    return (time.process_time_ns() - begun) / 1e6


def show(timer: Timer, digest: bool) -> None:
    boards = statistics.median(timer.boards)
    all_ = [sum(each) for each in zip(*(timer.costs[part] for part in PARTS))]
    print(f"{len(all_)} actions, four seats{'median':>34}{'mean':>10}{'90 %':>10}{'/ boards':>10}")
    for part in (*PARTS, "all", "odds, later"):
        costs = sorted(all_ if part == "all" else timer.costs[part])
        middle = statistics.median(costs)
        figures = (middle, statistics.mean(costs), costs[int(0.9 * (len(costs) - 1))])
        print(f"{part:40}" + "".join(f"{each:7.3f} ms" for each in figures) + f"{middle / boards:10.3f}")
    print(f"wanted: all <= {WANTED_MS:g} ms; four chess boards by chess.svg, in this run: {boards:.2f} ms")
    print(f"bytes of one message: {statistics.median(timer.sizes):,.0f}, most {max(timer.sizes):,.0f}")
    early, late = all_[len(all_) // 10 : len(all_) // 4], all_[-len(all_) // 6 :]
    print(f"last sixth / first quarter of the actions: {statistics.median(late) / statistics.median(early):.2f}")
    if digest:
        print(f"messages and hash chain: {timer.digest.hexdigest()[:16]}")
    if timer.profiler:
        import pstats

        pstats.Stats(timer.profiler).sort_stats("tottime").print_stats(60)


if __name__ == "__main__":
    main()
