"""Silent actions (R4): two runs differ only in what a seat may not know, and all that it receives is the same.

An order is given or not; one more is asked in a window, and passes; another answers last. What the others receive over
HTTP, sockets, API, Past, lists and admin, from the first moment to the last, is compared by the byte.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from asgiref.sync import async_to_sync, sync_to_async
from channels.testing import WebsocketCommunicator
from django.db import transaction
from django.test import Client
from django.urls import reverse

from games import consumers, doorbell, notices, play, store
from games.begun import go_on
from games.engine.core.events import EVERYONE
from games.engine.kings import KINGS, Kings
from games.engine.kings.events import HandedOver
from games.engine.kings.flow.roll import Window
from games.models import Action, Game, Notice, Position, Seat
from kadab.asgi import protocols
from tests import tables
from tests.web import kings as k
from tests.web.surfaces import outputs
from tests.web.test_api import Program

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.usefixtures("kings_bots", "settled_chance", "frozen_csrf", "odds_wait"),
]

BEGUN = datetime(2026, 3, 1, tzinfo=UTC)
LOOKED = BEGUN + timedelta(minutes=70)  # lists tell the last hour in minutes
ORDER = {"do": "set_order", "about": "fan", "how": "mine"}
PASS = {"do": "done"}
GO_ON = {"do": "go_on"}


@pytest.fixture
def clock(monkeypatch):
    monkeypatch.setattr("channels.db.close_old_connections", lambda: None)
    with time_machine.travel(BEGUN, tick=False) as clock:
        tables.player("chief", is_staff=True, is_superuser=True)
        yield clock


@pytest.fixture
def bell(monkeypatch) -> list[dict[str, Any]]:
    """What goes over the bus; a test's transaction is never committed, so nothing would ring by itself."""
    rung: list[dict[str, Any]] = []
    monkeypatch.setattr(doorbell, "_after_commit", lambda ring: ring.game and rung.append(ring.message()))
    return rung


@dataclass
class Step:
    """Somebody acts, so many minutes after the beginning."""

    seat: int
    action: dict[str, Any]
    minutes: int
    silent: bool = False


@dataclass
class Watcher:
    """One visitor's browser, program and open socket, and everything that has come to them."""

    name: str
    game: Game
    received: list[object] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.program, self.client = Program(tables.player(self.name)), Client()
        self.client.force_login(tables.player(self.name))

    def sees(self) -> dict[str, bytes]:
        play.forget()
        public = Game.objects.get(pk=self.game.pk).revision
        found = {path: self.program.get(path).content for path in self.api()}
        found |= {path: self.client.get(path).content for path in self.pages(public)}
        for shown in (public, public - 1):
            pulse = reverse("pulse", args=[self.game.public_id])
            said = {"revision": shown, "silent": self.silent, "seat": self.seat_word}
            answer = self.client.post(pulse, said, headers={"HX-Request": "true"})
            found[f"pulse {shown}"] = str(answer.status_code).encode() + answer.content
        return found

    @property
    def seat_word(self) -> str:
        return str(k.NAMES.index(self.name)) if self.name in k.NAMES else ""

    @property
    def silent(self) -> int:
        """This visitor's own silent actions since the revision; their page knows them."""
        return play.view_for(self.game, int(self.seat_word)).silent if self.seat_word else 0

    def api(self) -> list[str]:
        table = f"tables/{self.game.public_id}"
        return [table, f"{table}/log", *(f"tables?show={show}" for show in ("mine", "waiting", "watch"))]

    def pages(self, public: int) -> list[str]:
        at = [reverse("past", args=[self.game.public_id, n]) for n in (public - 1, public, public + 1)]
        table = [reverse(name, args=[self.game.public_id]) for name in ("table", "export")]
        pages = ["/lists/", *table, *at]
        if self.name == "chief":
            admin = "/admin/games/game/"
            pages += [admin, reverse("admin:games_game_change", args=[self.game.pk]), "/admin/games/notice/"]
            pages += [f"{admin}?waits=silent"]
        return pages

    def frames_while(self, bell: list[dict[str, Any]], act: Callable[[], None]) -> list[bytes]:
        """What comes through an open socket when the bell rings as it does."""
        session = f"sessionid={self.client.cookies['sessionid'].value}".encode()
        headers = [(b"origin", b"http://127.0.0.1:8000"), (b"host", b"127.0.0.1:8000"), (b"cookie", session)]
        public = Game.objects.get(pk=self.game.pk).revision
        path = f"/ws/tables/{self.game.public_id}/?v={public}&silent={self.silent}&seat={self.seat_word}"

        async def listen() -> list[bytes]:
            connection = WebsocketCommunicator(protocols, path, headers=headers)
            connected, _ = await connection.connect(timeout=10)
            assert connected
            bell.clear()
            await sync_to_async(act)()
            for message in bell:
                await connection.send_input(message)
            await connection.send_input({"type": "websocket.disconnect", "code": 1000})
            await connection.wait(10)
            return [repr(message).encode() for message in outputs(connection)]

        found: list[bytes] = async_to_sync(listen)()
        assert not consumers._open
        return found


@contextmanager
def undone() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
    play.forget()


def receives(clock, bell, game: Game, name: str, steps: list[Step], prepare: Callable[[], None]) -> list[object]:
    """All that one visitor gets from a run: what is there before and after each step that shows, and every frame."""
    with undone():
        clock.move_to(LOOKED, tick=False)
        prepare()
        play.forget()
        watcher = Watcher(name, game)
        got: list[object] = [watcher.sees()]
        for step in steps:
            clock.move_to(BEGUN + timedelta(minutes=step.minutes), tick=False)
            frames = watcher.frames_while(bell, lambda step=step: act(game, step))
            clock.move_to(LOOKED, tick=False)
            seen = watcher.sees()
            if step.silent:
                assert frames == [], f"{name} got a frame when seat {step.seat} acted"
                assert [path for path in seen if seen[path] != got[-1][path]] == []  # type: ignore[index]
            else:
                got += [frames, seen]
        return got


def act(game: Game, step: Step) -> None:
    if step.action == GO_ON:
        go_on(game, tables.player(k.NAMES[step.seat]))
    else:
        k.act(game, step.seat, step.action)
    play.forget()


def parted(one: list[object], other: list[object]) -> list[str]:
    """Where two visits differ: what was asked for, and at which step."""
    assert len(one) == len(other)
    found = []
    for number, (a, b) in enumerate(zip(one, other)):
        if isinstance(a, dict) and isinstance(b, dict):
            found += [f"{number} {path}" for path in a if a[path] != b.get(path)]
        elif a != b:
            found.append(f"{number} frames")
    return found


# ---- an order given or not


def public_steps(game: Game, count: int) -> list[Step]:
    """What is going to happen anyway."""
    steps = []
    with undone():
        chance = k.Dice.seeded("what happens anyway")
        while len(steps) < count:
            seat = k.asked(game)[0]
            action = k.sampled(game, seat, chance)
            before = k.state_of(game).revision
            k.act(game, seat, action)
            assert k.state_of(game).revision == before + 1
            steps.append(Step(seat, action, 10 * len(steps) + 30))
    return steps


def in_the_open(state) -> bool:
    return state.revision > 20 and not k.window_is_open(state) and bool(set(KINGS.asked(state)) - {3})


def begun(clock, until, **options: str) -> Game:
    game = k.kings(**options)
    k.play_on(game, "silent", until)
    play.forget()
    return game


@pytest.mark.parametrize("name", ["ann", "eve", "chief"])
def test_an_order_given_or_not_is_all_the_same_to_others(clock, bell, name):
    game = begun(clock, in_the_open, waiting="never")
    shown = public_steps(game, 2)
    order = [Step(3, ORDER, 15, silent=True)]
    again = [Step(3, {**ORDER, "how": "skip"}, 35, silent=True)]
    without = receives(clock, bell, game, name, shown, lambda: None)
    given = receives(clock, bell, game, name, [*order, shown[0], *again, shown[1]], lambda: None)
    assert parted(without, given) == []


# ---- one more asked, who passes; another who answers last


def two_are_asked(state) -> bool:
    return k.window_is_open(state) and {1, 2} <= set(state.flow[-1].pending) and 0 not in state.flow[-1].pending


def asks_only(game: Game, *seats: int) -> Callable[[], None]:
    """As if the window had asked these, and nobody else."""

    def ask() -> None:
        position = Position.objects.get(game=game)
        position.flow[-1]["pending"] = list(seats)
        position.save()
        play.forget()
        fresh = Game.objects.get(pk=game.pk)
        Seat.objects.filter(game=game).update(is_asked=False, decision="", asked_at=None)
        Notice.objects.filter(game=game).delete()
        notices.write(fresh, store.write_asked(fresh, store.load(fresh)))

    return ask


WINDOWS = {
    "one asked": ((1,), (1,)),
    "one more asked": ((2, 1), (1, 2)),
    "another answers last": ((1, 2), (1, 2)),
    "three asked": ((2, 3, 1), (1, 2, 3)),
}


def answers(order: tuple[int, ...]) -> list[Step]:
    *first, last = order
    quiet = [Step(seat, PASS, 5 + 3 * n, silent=True) for n, seat in enumerate(first)]
    return [*quiet, Step(last, PASS, 60)]


@pytest.mark.parametrize("name", ["ann", "eve", "chief"])
def test_a_window_shows_nothing_of_who_is_asked_who_answers_and_who_is_last(clock, bell, name):
    game = begun(clock, two_are_asked, waiting="always")
    runs = {
        what: receives(clock, bell, game, name, answers(order), asks_only(game, *asked))
        for what, (order, asked) in WINDOWS.items()
    }
    first = runs["one asked"]
    assert {what: parted(first, run) for what, run in runs.items()} == dict.fromkeys(WINDOWS, [])
    assert first[0] != first[-1]


def two_are_asked_in_battle(state) -> bool:
    return two_are_asked(state) and any(frame.name() == "battle" for frame in state.flow)


@pytest.mark.parametrize("name", ["ann", "eve", "chief"])
def test_nothing_more_this_battle_shows_to_nobody_while_the_window_is_open(clock, bell, name):
    """Said by one who is asked, and taken back."""
    game = begun(clock, two_are_asked_in_battle, waiting="always")
    place = next(frame for frame in k.state_of(game).flow if frame.name() == "battle").place
    said = [{"do": do, "place": place} for do in ("pass_battle", "rejoin_battle")]
    steps = [Step(2, action, 5 + 3 * n, silent=True) for n, action in enumerate(said)]
    receives(clock, bell, game, name, steps, asks_only(game, 1, 2))


# ---- a window ended by whoever sits at the table


def long_open(game: Game, *asked: int) -> Callable[[], None]:
    def wait() -> None:
        asks_only(game, *asked)()
        Game.objects.filter(pk=game.pk).update(window_since=BEGUN - timedelta(days=4))
        play.forget()

    return wait


@pytest.mark.parametrize("name", ["ann", "eve", "chief"])
def test_a_window_that_is_ended_shows_nothing_of_who_was_waited_for(clock, bell, name):
    game = begun(clock, two_are_asked, waiting="always")
    ended = [Step(0, GO_ON, 60)]
    passed = [Step(2, PASS, 30, silent=True), *ended]
    runs = [receives(clock, bell, game, name, ended, long_open(game, *asked)) for asked in ((1,), (1, 2), (1, 2, 3))]
    runs.append(receives(clock, bell, game, name, passed, long_open(game, 1, 2)))
    assert [parted(runs[0], run) for run in runs] == [[], [], [], []]


# ---- the test itself is tested: each leak must be found


def counted(monkeypatch) -> None:
    """Every action makes a revision that all can see."""
    monkeypatch.setattr(Kings, "is_silent", lambda *given: False)


def moved(monkeypatch) -> None:
    """A silent action counts as the last move."""
    old = play._bring_up

    def bring_up(game: Game, *given: Any) -> None:
        old(game, *given)
        game.moved_at = play.timezone.now()

    monkeypatch.setattr(play, "_bring_up", bring_up)


def rung(monkeypatch) -> None:
    """Everybody's page answers to a ring that is meant for one seat."""

    async def rang(self: Any, event: dict[str, Any]) -> None:
        await self.send(text_data="")

    monkeypatch.setattr(consumers.TableConsumer, "rang", rang)


def told_number(monkeypatch) -> None:
    """The gate's own number stands in the API."""
    from games import api

    old = api._table
    monkeypatch.setattr(api, "_table", lambda game, player: {**old(game, player), "revision": game.action_count})


def named_question(monkeypatch) -> None:
    """A question's name counts the answers of others."""
    monkeypatch.setattr(Window, "question", lambda self, state, seat: str(self.answers))


def taken_undo(monkeypatch) -> None:
    """Whoever opened the window cannot take that back once somebody has answered."""
    old = Kings.apply

    def apply(self: Any, state: Any, seat: Any, action: Any) -> Any:
        progress = old(self, state, seat, action)
        if progress.silent:
            progress.state.extras["undo"] = {"seat": seat, "back": [state.actions]}
        return progress

    monkeypatch.setattr(Kings, "apply", apply)


def named_when_ended(monkeypatch) -> None:
    """The log says for whom the house answered."""
    old = Window.on_go_on

    def go_on(self: Any, state: Any, *given: Any) -> None:
        for owing in self.pending:
            state.tell(HandedOver(owing), to=EVERYONE)
        old(self, state, *given)

    monkeypatch.setattr(Window, "on_go_on", go_on)


def rows_in_admin(monkeypatch) -> None:
    from games.admin import GameAdmin

    monkeypatch.setattr(GameAdmin, "last_move", lambda self, game: Action.objects.filter(game=game).count())


def last_action_in_lists(monkeypatch) -> None:
    from games import listing

    old = listing._watch_row

    def row(game: Game) -> Any:
        game.moved_at = Action.objects.filter(game=game).latest("number").at
        return old(game)

    monkeypatch.setattr(listing, "_watch_row", row)


LEAKS = {
    "a revision": (counted, "eve", "window"),
    "a revision for an order": (counted, "ann", "order"),
    "the time of the last move": (moved, "eve", "order"),
    "a ring": (rung, "ann", "order"),
    "the gate's own number": (told_number, "eve", "order"),
    "the name of a question": (named_question, "dan", "asked"),
    "what can be taken back": (taken_undo, "ann", "opener"),
    "for whom the house answered": (named_when_ended, "eve", "ended"),
    "a count of rows": (rows_in_admin, "chief", "order"),
    "the time of the last row": (last_action_in_lists, "eve", "order"),
}


@pytest.mark.parametrize("leak", LEAKS)
def test_a_leak_is_found(clock, bell, monkeypatch, leak):
    """Two runs that are the same to a visitor are not so any more, or a silent step shows by itself."""
    seed, name, where = LEAKS[leak]
    if where == "order":
        game = begun(clock, in_the_open, waiting="never")
        shown = public_steps(game, 1)
        runs = [(shown, lambda: None), ([Step(3, ORDER, 15, silent=True), *shown], lambda: None)]
    else:
        game = begun(clock, two_are_asked, waiting="always")
        quiet = [Step(seat, PASS, 5, silent=True) for seat in (2, 1)]
        runs = {
            "window": [(answers((1,)), asks_only(game, 1)), (answers((2, 1)), asks_only(game, 1, 2))],
            "asked": [(quiet[1:], asks_only(game, 1, 3)), (quiet, asks_only(game, 1, 2, 3))],
            "opener": [(answers((1,)), opened_by(game, 0, 1)), (answers((2, 1)), opened_by(game, 0, 1, 2))],
            "ended": [([Step(0, GO_ON, 60)], long_open(game, 1)), ([Step(0, GO_ON, 60)], long_open(game, 1, 2))],
        }[where]

    def compare() -> list[str]:
        one, other = (receives(clock, bell, game, name, steps, prepare) for steps, prepare in runs)
        return parted(one, other)

    assert compare() == []
    seed(monkeypatch)
    with pytest.raises(AssertionError):
        assert compare() == []


def opened_by(game: Game, seat: int, *asked: int) -> Callable[[], None]:
    """As if this seat could still take back what opened the window."""

    def open_() -> None:
        state = k.state_of(game)
        extras = {**state.extras, "undo": {"seat": seat, "back": [state.actions - 1]}}
        Position.objects.filter(game=game).update(extras=extras)
        asks_only(game, *asked)()

    return open_


# ---- the seat itself sees it at once, in all its windows


@pytest.mark.parametrize("what", ["order", "answer"])
def test_the_own_page_changes_at_once_in_every_tab(clock, bell, what):
    game = begun(clock, two_are_asked if what == "answer" else in_the_open, waiting="always")
    state = k.state_of(game)
    seat, action = (1, PASS) if what == "answer" else (3, ORDER)
    tab = Watcher(k.NAMES[seat], game)
    assert tab.client.get(game.get_absolute_url()).status_code == 200
    frames = tab.frames_while(bell, lambda: k.act(game, seat, action))
    assert bell == [{"type": "rang", "kind": "seat", "number": seat, "by": ""}]
    assert len(frames) == 1 and b'data-silent="1"' in frames[0] and b'data-base-silent="0"' in frames[0]
    assert f'data-revision="{state.revision}"'.encode() in frames[0]
    assert (b'data-turn="no"' in frames[0]) == (what == "answer" or seat not in KINGS.asked_openly(state))
    url, here = reverse("pulse", args=[game.public_id]), {"revision": state.revision, "seat": seat}
    assert tab.client.post(url, {**here, "silent": 1}).status_code == 204
    assert 'data-silent="1"' in tab.client.post(url, {**here, "silent": 0}).text


def test_the_answer_to_a_silent_action_brings_the_own_page_up_to_date(clock):
    game = begun(clock, two_are_asked, waiting="always")
    tab, view = Watcher("bob", game), play.view_for(game, 1)
    assert tab.client.get(game.get_absolute_url()).status_code == 200
    body = {"action": '{"do": "done"}', "revision": view.revision, "silent": 0, "seat": 1, "token": "my-own-answer"}
    answer = tab.client.post(reverse("act", args=[game.public_id]), body, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    assert 'data-turn="no"' in answer.text and 'data-silent="1"' in answer.text
    assert f'data-base="{view.revision}" data-revision="{view.revision}"' in answer.text
    again = tab.client.post(reverse("act", args=[game.public_id]), body, headers={"HX-Request": "true"})
    assert again.status_code == 200  # the same token counts once
    program = Program(tables.player("bob"))
    seen = program.look(game.public_id)
    assert (seen["revision"], seen["view"]["silent"], seen["decision"]) == (view.revision, 1, "")


def test_a_bot_that_answers_twice_at_a_revision_is_not_taken_for_one_that_repeats_itself(clock):
    """Its token follows from the number of all actions, which is another each time."""
    game = begun(clock, two_are_asked, waiting="always")
    Seat.objects.filter(game=game, number=1).update(player=None, bot="steward", wants_bot=True)
    first = play.bot_question(game.pk, 1)
    k.act(game, 3, ORDER)
    second = play.bot_question(game.pk, 1)
    assert first and second
    assert first.view.revision == second.view.revision and first.seed != second.seed
    play.bot_acts(second, KINGS.parse(PASS))
    assert not play.bot_questions(Game.objects.get(pk=game.pk))
