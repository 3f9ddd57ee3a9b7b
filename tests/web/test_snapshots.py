"""Snapshots: an early position costs no more than a late one, and looks as it did when it was played."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games import archive, play, store
from games.models import Action, Game, Snapshot
from tests.tables import do, move, running
from tests.web import kings as k

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("kings_bots", "settled_chance")]

EVERY = 10


@pytest.fixture(autouse=True)
def often(monkeypatch):
    monkeypatch.setattr(store, "SNAPSHOT_EVERY", EVERY)


def played(actions: int) -> tuple[Game, dict[tuple[int, int | None], object]]:
    """A game, and what seats 0 and 1 and those who watch saw after each action; the last they saw of a revision."""
    game, shown = k.kings(), {}
    for number in range(1, actions + 1):
        k.play_on(game, f"snapshots {number}", k.after(number))
        game.refresh_from_db()
        for seat in (0, 1, None):
            shown[game.revision, seat] = play.view_of(game, seat)
    return game, shown


def known(view) -> tuple[object, ...]:
    return view.counters, view.hexes, view.seats, view.phase, view.turn, view.asked, view.doing, view.revision


def test_the_past_is_as_it_was_seen():
    game, shown = played(44)
    assert list(Snapshot.objects.order_by("number").values_list("number", flat=True)) == [10, 20, 30, 40]
    play.forget()
    for (revision, seat), view in shown.items():
        assert known(play.view_at(game, seat, revision)) == known(view), (revision, seat)


def test_no_position_takes_more_than_the_actions_between_two_snapshots(monkeypatch):
    game, _ = played(44)
    undone = []
    undo = store.undo_changes
    monkeypatch.setattr(store, "undo_changes", lambda *given: undone.append(1) or undo(*given))
    for revision in range(game.revision):
        undone.clear()
        play.forget()
        with CaptureQueriesContext(
            connection,
        ) as asked:
            play.view_at(game, 0, revision)
        silent = Action.objects.filter(game=game, revision=revision).count()
        assert len(undone) <= EVERY + silent, revision
        assert len(asked) <= 15, revision


def test_what_was_taken_back_is_still_there_in_the_past():
    game = running("anna", "ben")
    seen = []
    for _turn in range(4):
        seen.append(play.view_for(game, 0).position)
        move(game, 0, "a2", "a4")
        seen.append(play.view_for(game, 0).position)
        move(game, 1, "a9", "b8")
        seen.append(play.view_for(game, 0).position)
        do(game, 0, "ask_take_back")
        seen.append(play.view_for(game, 0).position)
        do(game, 1, "allow_take_back")
    assert Snapshot.objects.filter(game=game).count() == 1
    play.forget()
    game.refresh_from_db()
    assert [play.view_at(game, 0, revision).position for revision in range(16)] == seen


def test_one_that_cannot_be_read_is_done_without():
    game, shown = played(24)
    Snapshot.objects.update(state=b"nothing of ours")
    play.forget()
    for (revision, seat), view in shown.items():
        assert known(play.view_at(game, seat, revision)) == known(view)
    assert "its snapshot cannot be read" in archive.verify(game)


@pytest.mark.parametrize("what", ["gold", "place", "flow", "number"])
def test_one_that_tells_something_else_is_found(what):
    game, _ = played(24)
    assert archive.verify(game) == ""
    row = Snapshot.objects.get(number=20)
    state = store.unpacked(store.rules_of(game), bytes(row.state), k.state_of(game).dice)
    if what == "gold":
        state.change_seat(0, gold=99)
    elif what == "place":
        number = next(n for n, c in state.counters.items() if c.place == "rack:1")
        state.change_counter(number, place="cup")
    elif what == "flow":
        state.flow.pop()
    else:
        state.actions += 1
    Snapshot.objects.filter(pk=row.pk).update(state=store.packed(state))
    assert archive.verify(game).startswith("action 20: ")
