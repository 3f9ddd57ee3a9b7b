"""The gate: an action happens exactly once or not at all, and nobody acts for another seat (C2, C3, C4)."""

from __future__ import annotations

import threading

import pytest
from django.db import connection, connections

from games import play, store
from games.engine.core.codec import encode
from games.engine.core.refusals import IllegalAction
from games.models import Action, Counter, Game, Notice, Position, Seat
from tests.tables import LIGHT_TO_MOVE, do, move, running, seated, token

pytestmark = pytest.mark.django_db


def everything(game: Game) -> list:
    """All rows of a game, to see that nothing changed."""
    rows = [list(model.objects.filter(game=game).values()) for model in (Position, Seat, Counter, Action)]
    return [list(Game.objects.filter(pk=game.pk).values()), *rows]


def refused(call) -> str:
    with pytest.raises(IllegalAction) as refusal:
        call()
    return refusal.value.code


def test_an_action_makes_the_next_revision_and_asks_the_other_side():
    game = running("anna", "ben")
    assert move(game, 0, "a2", "a3").revision == 1
    game.refresh_from_db()
    assert game.revision == 1
    assert [seat.is_asked for seat in game.seats.all()] == [False, True]
    assert play.view_for(game, 1).decision == game.seats.get(number=1).decision


def test_what_is_stored_is_what_was_played():
    """Rows loaded afresh are the state the rules made, after every one of many actions."""
    game = running("anna", "ben")
    for seat, source, target in [(0, "a2", "a4"), (1, "a9", "b8"), (0, "a4", "a6"), (1, "d9", "d7"), (0, "a6", "b6")]:
        move(game, seat, source, target)
        game.refresh_from_db()
        kept = play._state(game)
        play.forget()
        assert encode(store.load(game)) == encode(kept)


def test_rows_hold_the_pieces():
    game = running("anna", "ben")
    move(game, 0, "a2", "a3")
    assert Counter.objects.filter(game=game).count() == 40
    assert Counter.objects.get(game=game, place="a3").kind == "soldier"
    assert not Counter.objects.filter(game=game, place="a2").exists()


def test_only_rows_that_changed_are_written(django_assert_max_num_queries):
    game = running("anna", "ben")
    with django_assert_max_num_queries(20):
        move(game, 0, "a2", "a3")
    changed = Action.objects.get(game=game, number=1).changes
    assert list(changed["counters"].values()) == [{"place": ["a2", "a3"]}]


def test_the_same_token_again_gives_the_same_answer_and_does_nothing():
    game = running("anna", "ben")
    first = move(game, 0, "a2", "a3", token="same-token")
    before = everything(game)
    again = move(game, 0, "a2", "a3", token="same-token", revision=0)
    assert (again.revision, again.repeated) == (first.revision, True)
    assert everything(game) == before


def test_a_token_is_good_for_one_action_only():
    game = running("anna", "ben")
    move(game, 0, "a2", "a3", token="same-token")
    assert refused(lambda: move(game, 0, "c2", "c3", token="same-token")) == "token_used"


def test_an_answer_to_an_old_question_is_stale():
    game = running("anna", "ben")
    old = play.view_for(game, 0)
    move(game, 0, "a2", "a3")
    move(game, 1, "a9", "b8")
    before = everything(game)
    code = refused(lambda: move(game, 0, "c2", "c3", revision=old.revision, decision=old.decision))
    assert code == "stale" and everything(game) == before


def test_an_older_page_may_still_answer_the_same_question():
    """The other side offered a draw meanwhile: that is no reason to refuse a move."""
    game = running("anna", "ben")
    old = play.view_for(game, 0)
    do(game, 1, "offer_draw")
    assert move(game, 0, "a2", "a3", revision=old.revision, decision=old.decision).revision == 2


def test_an_older_page_may_still_resign():
    game = running("anna", "ben")
    move(game, 0, "a2", "a3")
    do(game, 0, "resign", revision=0)
    game.refresh_from_db()
    assert (game.status, game.winners, game.ended_how) == ("finished", [1], "resigned")


@pytest.mark.parametrize(
    "change, code",
    [
        ({"revision": "0"}, "bad_revision"),
        ({"revision": None}, "bad_revision"),
        ({"revision": True}, "bad_revision"),
        ({"revision": -1}, "stale"),
        ({"revision": 99}, "stale"),
        ({"token": ""}, "bad_token"),
        ({"token": None}, "bad_token"),
        ({"token": "x" * 65}, "bad_token"),
        ({"token": "schlüssel"}, "bad_token"),
    ],
)
def test_bad_wrapping_is_refused_and_changes_nothing(change, code):
    game = running("anna", "ben")
    before = everything(game)
    assert refused(lambda: move(game, 0, "a2", "a3", **change)) == code
    assert everything(game) == before


@pytest.mark.parametrize(
    "data", [None, 3, [], {}, {"do": "fly"}, {"do": "move"}, {"do": "move", "source": 1, "target": "a3"}]
)
def test_bad_actions_are_refused_and_change_nothing(data):
    game = running("anna", "ben")
    before = everything(game)
    assert refused(lambda: play.act(game, 0, data, revision=0, token=token())) in ("malformed", "unknown_action")
    assert everything(game) == before


def test_an_illegal_move_changes_nothing():
    game = running("anna", "ben")
    before = everything(game)
    assert refused(lambda: move(game, 0, "a2", "a9")) == "not_its_move"
    assert refused(lambda: move(game, 1, "a9", "b8")) == "not_asked"
    assert refused(lambda: move(game, 7, "a2", "a3")) == "not_asked"
    assert everything(game) == before


def test_a_game_that_has_not_begun_takes_no_action():
    game = seated("anna", "ben")
    assert refused(lambda: move(game, 0, "a2", "a3")) == "not_started"


def test_a_game_that_is_over_takes_no_action():
    game = running("anna", "ben")
    do(game, 1, "resign")
    before = everything(game)
    assert refused(lambda: move(game, 0, "a2", "a3")) == "over"
    assert everything(game) == before


def test_a_fault_while_saving_leaves_no_trace(monkeypatch):
    game = running("anna", "ben")
    before = everything(game)

    def fault(*args, **kwargs):
        raise RuntimeError("the disk is full")

    monkeypatch.setattr(play.notices, "write", fault)
    with pytest.raises(RuntimeError):
        move(game, 0, "a2", "a3")
    assert everything(game) == before
    monkeypatch.undo()
    assert move(game, 0, "a2", "a3").revision == 1


# ---- history


def test_the_past_is_shown_without_running_rules():
    game = running("anna", "ben")
    shown = [play.view_for(game, 0)]
    for seat, source, target in [(0, "a2", "a4"), (1, "a9", "b8"), (0, "f1", "a1")][:2]:
        move(game, seat, source, target)
        shown.append(play.view_for(game, 0))
    play.forget()
    game.refresh_from_db()
    for revision, was in enumerate(shown):
        past = play.view_at(game, 0, revision)
        assert (past.position, past.last, past.counters) == (was.position, was.last, was.counters)


def test_a_move_taken_back_by_consent_is_gone_from_the_board_and_marked_in_the_log():
    game = running("anna", "ben")
    start = play.view_for(game, 0)
    move(game, 0, "a2", "a4")
    move(game, 1, "a9", "b8")
    do(game, 0, "ask_take_back")
    do(game, 1, "allow_take_back")
    game.refresh_from_db()
    play.forget()
    view = play.view_for(game, 0)
    assert view.position == start.position and view.asked == (0,) and game.revision == 4
    assert encode(store.load(game))["era"] == 1
    lines = play.log_for(game, 0)
    assert [line.taken_back for line in lines if line.event == "moved"] == [True, True]
    move(game, 0, "c2", "c3")
    assert play.view_at(game, 0, 2).position != start.position


def test_every_kind_of_event_can_be_read_in_the_log():
    """Promotion, with a capture: a field of its event was once taken for the audience."""
    game = running("anna", "ben", options={"light": "host", "position": "5c4/e9/10/10/10/10/10/1n8/1S8/4C5 w 0 1"})
    move(game, 0, "b2", "b3")
    game.refresh_from_db()
    assert [line.event for line in play.log_for(game, None)] == ["began", "moved", "took", "promoted"]


def test_draw_numbers_never_go_back():
    game = running("anna", "ben", options={"light": "host"})
    first = play.view_for(game, 0).turn
    drawn = Position.objects.get(game=game).dice_number
    assert drawn == 1
    source, target = next((s, t[0]) for s, t in play.view_for(game, first).offers[0].by_source.items())
    move(game, first, source, target)
    do(game, first, "ask_take_back")
    do(game, 1 - first, "allow_take_back")
    assert Position.objects.get(game=game).dice_number == drawn


def test_every_action_is_linked_to_the_one_before():
    game = running("anna", "ben")
    move(game, 0, "a2", "a4")
    move(game, 1, "a9", "b8")
    hashes = list(Action.objects.filter(game=game).values_list("hash", flat=True))
    assert len(set(hashes)) == 3 and Position.objects.get(game=game).hash == hashes[-1]


def test_the_dice_are_committed_to_before_anybody_sits_down():
    game = seated("anna", "ben")
    commits = (game.dice_commit, game.cup_commit)
    assert all(len(each) == 64 for each in commits)
    play.start(game)
    game.refresh_from_db()
    assert (game.dice_commit, game.cup_commit) == commits


def test_no_two_tables_have_the_same_dice():
    games = [seated("anna", "ben") for _ in range(3)]
    assert len({each for game in games for each in (game.dice_commit, game.cup_commit)}) == 6
    assert len({bytes(each) for game in games for each in (game.position.dice_seed, game.position.cup_seed)}) == 6


# ---- several at once


@pytest.mark.django_db(transaction=True)
def test_two_tabs_at_once_make_one_move():
    game = running("anna", "ben")
    outcomes = at_once(*(lambda t=target: move(game, 0, "a2", t, revision=0) for target in ("a3", "a4")))
    assert sorted(outcomes) == ["1", "stale"]
    assert Action.objects.filter(game=game, number__gt=0).count() == 1


@pytest.mark.django_db(transaction=True)
def test_one_submission_sent_many_times_at_once_happens_once():
    game = running("anna", "ben")
    outcomes = at_once(*(lambda: move(game, 0, "a2", "a3", revision=0, token="pressed-twice") for _ in range(6)))
    assert outcomes == ["1"] * 6
    assert Action.objects.filter(game=game, number__gt=0).count() == 1


@pytest.mark.django_db(transaction=True)
def test_two_seats_answering_at_once_are_both_heard():
    """A move and the other side's draw offer, made at the same revision."""
    game = running("anna", "ben")
    decision = play.view_for(game, 0).decision
    outcomes = at_once(
        lambda: move(game, 0, "a2", "a3", revision=0, decision=decision), lambda: do(game, 1, "offer_draw", revision=0)
    )
    assert sorted(outcomes) == ["1", "2"]


def at_once(*calls) -> list[str]:
    outcomes: list[str] = []
    gate = threading.Barrier(len(calls))

    def run(call):
        gate.wait()
        try:
            outcomes.append(str(call().revision))
        except IllegalAction as refusal:
            outcomes.append(refusal.code)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=[call]) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return outcomes


def test_sqlite_is_set_up_not_to_lose_or_lock():
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA synchronous")
            assert cursor.fetchone() == (2,)


def test_a_notice_is_written_with_the_action():
    game = running("anna", "ben")
    assert Notice.objects.filter(game=game).count() == 1
    move(game, 0, "a2", "a3")
    assert list(Notice.objects.filter(game=game).order_by("pk").values_list("seat", flat=True)) == [0, 1]


def test_the_usual_set_up_is_the_position_tests_start_from():
    game = running("anna", "ben", options={"light": "host"})
    assert play.view_for(game, 0).position.split()[0] == LIGHT_TO_MOVE.split()[0]
