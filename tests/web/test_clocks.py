"""Clocks of tables: deadlines, takeovers, windows, outages (C11; W3, R4). The clock on the wall is ours to set."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from games import access, archive, begun, clocks, models, play, silence, submissions, telling, timekeeper
from games.engine.core.dice import Dice
from games.engine.core.refusals import IllegalAction
from games.models import Action, Game, Notice, Position, Pulse, Seat
from players.hours import Hours
from players.models import Player
from tests import tables
from tests.web import kings as k

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("kings_bots", "settled_chance")]

NOON = datetime(2026, 6, 10, 12, tzinfo=UTC)  # a Wednesday
SECOND, MINUTE, HOUR = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1)


@pytest.fixture(name="wall")
def fixture_wall():
    with time_machine.travel(NOON, tick=False) as wall:
        yield wall


def duel(clock: str = "live-10", *who: str) -> Game:
    return tables.running(*(who or ("ann", "bob")), pace=clocks.CLOCKS[clock].kind, clock=clock)


def kingdom(clock: str, **options: str) -> Game:
    values = {"pace": clocks.CLOCKS[clock].kind, "clock": clock}
    return tables.running(*k.NAMES, ruleset="kings", options=options, **values)


def seat(game: Game, number: int) -> Seat:
    return game.seats.select_related("game", "player").get(number=number)


def fresh(game: Game) -> Game:
    game.refresh_from_db()
    return game


def log(game: Game) -> list[str]:
    return [line.event for line in play.log_for(fresh(game), None)]


# ---- whose clock runs


def test_without_a_clock_nothing_is_written_and_nothing_runs_out(wall):
    game = tables.running("ann", "bob")
    tables.move(game, 0, "a2", "a4")
    wall.shift(timedelta(days=400))
    assert timekeeper.look() == 0 and fresh(game).deadline is None
    assert {(each.bank, each.due_at, each.clock_from, each.spent, each.hours) for each in game.seats.all()} == {
        (None, None, None, None, "")
    }


def test_a_live_clock_runs_for_whoever_is_to_move_and_gains_a_little(wall):
    game = duel()
    assert game.deadline == seat(game, 0).due_at == NOON + 10 * MINUTE and seat(game, 1).due_at is None
    wall.shift(3 * MINUTE)
    tables.move(game, 0, "a2", "a4")
    assert seat(game, 0).due_at is None and seat(game, 0).bank == 7 * MINUTE + 10 * SECOND
    assert fresh(game).deadline == seat(game, 1).due_at == NOON + 13 * MINUTE
    tables.move(game, 1, "b9", "b7")
    assert seat(game, 1).bank == 10 * MINUTE, "nobody saves up more than they began with"


def test_an_action_writes_its_deadline_and_takes_no_more_statements(wall, django_assert_max_num_queries):
    plain, timed = tables.running("cat", "dan"), duel()
    counts = []
    for game in (plain, timed):
        tables.move(game, 0, "a2", "a4")
        game.refresh_from_db()
        with django_assert_max_num_queries(100) as seen:
            data = {"do": "move", "source": "b9", "target": "b7"}
            play.act(game, 1, data, revision=game.revision, token=tables.token())
        counts.append(len(seen))
    assert counts[0] == counts[1]


def test_asides_and_refusals_do_not_touch_the_clock(wall):
    game = duel()
    due = seat(game, 0).due_at
    wall.shift(MINUTE)
    tables.do(game, 1, "offer_draw")
    with pytest.raises(IllegalAction):
        tables.move(game, 0, "a2", "a9")
    assert seat(game, 0).due_at == due == fresh(game).deadline


def test_over_days_a_question_has_its_own_time_and_then_the_bank(wall):
    game = duel("days-8")  # both are awake from 8 to 22, UTC, as they have not said otherwise
    assert game.deadline == datetime(2026, 6, 13, 18, tzinfo=UTC)  # 10 hours today, 14 and 14, 10 of the last day
    wall.move_to(datetime(2026, 6, 11, 7, tzinfo=UTC))  # 10 waking hours later: 2 of the bank
    tables.move(game, 0, "a2", "a4")
    assert seat(game, 0).bank == 38 * HOUR
    wall.move_to(datetime(2026, 6, 11, 15, tzinfo=UTC))
    tables.move(game, 1, "b9", "b7")
    assert seat(game, 1).bank == 40 * HOUR, "7 waking hours are within the question's own"


def test_own_hours_count_and_a_question_keeps_those_it_was_put_under(wall):
    ann = tables.player("ann")
    ann.hours = str(Hours("Asia/Tokyo", 9 * 60, 17 * 60))  # from 0 to 8 UTC
    ann.save()
    game = duel("days-4")
    assert game.deadline == datetime(2026, 6, 13, 4, tzinfo=UTC)
    ann.hours = str(Hours("America/New_York", 8 * 60, 16 * 60))
    ann.save()
    wall.shift(HOUR)
    tables.do(game, 1, "offer_draw")
    assert seat(game, 0).due_at == datetime(2026, 6, 13, 4, tzinfo=UTC)
    wall.move_to(datetime(2026, 6, 11, 5, tzinfo=UTC))
    tables.move(game, 0, "a2", "a4")
    assert seat(game, 0).bank == 15 * HOUR, "5 hours in Tokyo, by which the question was put"


def test_own_actions_in_a_row_and_undo_win_no_time(wall):
    game = kingdom("days-4")
    k.play_on(
        game, "undo", lambda state: any(o.do == "undo" for s in k.asked(game) for o in play.view_for(game, s).offers)
    )
    number = next(s for s in k.asked(game) if any(o.do == "undo" for o in play.view_for(game, s).offers))
    due = seat(game, number).due_at
    assert due is not None
    wall.shift(HOUR)
    k.act(game, number, {"do": "undo"})
    assert seat(game, number).due_at == due, "undo gives no time back"


# ---- time runs out


def test_a_bot_takes_over_at_the_deadline_and_not_before_and_once(wall):
    game = duel()
    wall.move_to(game.deadline - SECOND / 1000)
    assert timekeeper.look() == 0 and not play.time_out(game.pk)
    wall.move_to(game.deadline)
    assert timekeeper.look() == 1
    assert timekeeper.look() == 0 and not play.time_out(game.pk)
    taken = seat(game, 0)
    assert (taken.player, taken.bot, taken.stands_in_for, taken.wants_bot) == (None, "2", tables.player("ann"), True)
    assert log(game).count("seat_taken_over") == 1
    assert fresh(game).deadline is None, "a bot has no clock"
    assert Action.objects.filter(game=game, seat=None, number__gt=0).count() == 1 and archive.verify(game) == ""


def test_after_a_restart_what_is_due_is_found_in_the_database(wall):
    game = duel()
    wall.shift(9 * MINUTE)
    timekeeper.look()
    play.forget()
    wall.shift(MINUTE)
    assert timekeeper.look() == 1 and seat(game, 0).bot


def test_an_answer_that_comes_late_but_before_the_bot_counts(wall):
    game = duel()
    wall.shift(10 * MINUTE)
    tables.move(game, 0, "a2", "a4")
    assert timekeeper.look() == 0 and seat(game, 0).player and seat(game, 0).bank == 10 * SECOND


def on_its_way(game: Game, who: str, source: str, target: str) -> Callable[[], play.Outcome]:
    """A move that has been sent, by somebody who sits there now: what is left is to take it to the gate."""
    visitor = access.visit(fresh(game), tables.player(who), {})
    asked = visitor.seat and visitor.seat.decision
    data = {"do": "move", "source": source, "target": target}
    sent = submissions.Submission(data, game.revision, tables.token(), asked or "")
    return lambda: submissions.act(visitor, sent)


def test_an_answer_that_was_on_its_way_when_the_bot_took_over_counts_no_more(wall):
    game = duel()
    arrives = on_its_way(game, "ann", "a2", "a4")
    wall.shift(10 * MINUTE)
    assert timekeeper.look() == 1
    with pytest.raises(play.StaleAction):
        arrives()
    assert log(game)[-1] == "seat_taken_over", "a bot sits there, and nobody else moves its army"


def test_what_a_bot_has_thought_of_counts_no_more_when_the_player_comes_back_meanwhile(wall, monkeypatch):
    ann, game = taken_over(wall)
    question = play.bot_question(game.pk, 0)
    act = play.act

    def ann_is_faster(*args, **more):
        begun.take_back_seat(fresh(game), ann)
        return act(*args, **more)

    monkeypatch.setattr(play, "act", ann_is_faster)
    with pytest.raises(play.StaleAction):
        play.bot_acts(question, question.offers[0].sample(Dice.seeded("late")))
    assert log(game)[-1] == "seat_given_back" and seat(game, 0).player == ann


def test_a_fault_of_one_game_does_not_hold_up_the_others(wall, monkeypatch):
    first, second = duel(), duel("live-10", "cat", "dan")
    wall.shift(10 * MINUTE)
    real = play.time_out
    monkeypatch.setattr(play, "time_out", lambda pk: 1 / 0 if pk == first.pk else real(pk))
    assert timekeeper.look() == 1 and seat(second, 0).bot and not seat(first, 0).bot


def test_many_games_with_faults_do_not_hold_up_the_others_either(wall, monkeypatch):
    first = duel()
    wall.shift(MINUTE)
    second = duel("live-10", "cat", "dan")
    wall.shift(10 * MINUTE)
    real = play.time_out
    monkeypatch.setattr(play, "time_out", lambda pk: 1 / 0 if pk == first.pk else real(pk))
    monkeypatch.setattr(timekeeper, "MOST_AT_ONCE", 1)
    assert timekeeper.look() == 0 and not seat(second, 0).bot, "the oldest first"
    assert timekeeper.look() == 1 and seat(second, 0).bot, "and then the next, not the same one for ever"


def test_a_game_that_needs_an_upgrade_is_told_of_by_the_gate_alone(wall, caplog):
    game = duel()
    Position.objects.filter(game=game).update(flow=[{"frame": "melee"}])
    play.forget()
    wall.shift(10 * MINUTE)
    for _ in range(3):
        assert timekeeper.look() == 0
        wall.shift(timekeeper.CLAIM_SECONDS * SECOND)
    told = [each for each in caplog.records if each.levelname == "ERROR"]
    assert len(told) <= 1 and not any(each.exc_info for each in told), "a traceback every half minute helps nobody"


def taken_over(wall) -> tuple[Player, Game]:
    """Ann, who can get mail, has let her time run out; what she was told before that is gone."""
    ann = tables.player("ann")
    ann.email = "ann@example.org"
    ann.save()
    game = duel()
    Notice.objects.all().delete()
    wall.shift(10 * MINUTE)
    timekeeper.look()
    return ann, game


def test_the_player_is_told_once_and_the_others_read_it(wall, settings, mailoutbox):
    settings.NOTICE_DELAY_SECONDS = 0
    ann, game = taken_over(wall)
    (notice,) = Notice.objects.filter(player=ann)
    assert notice.kind == "taken"
    wall.shift(10 * MINUTE)
    telling.send_due()
    telling.send_due()
    (mail,) = mailoutbox
    assert mail.to == ["ann@example.org"] and "A bot plays for you" in mail.subject
    assert game.get_absolute_url() in mail.body


def test_whoever_is_back_already_gets_no_mail(wall, settings, mailoutbox):
    ann, game = taken_over(wall)
    begun.take_back_seat(fresh(game), ann)
    Notice.objects.filter(kind="turn").delete()
    wall.shift(HOUR)
    telling.send_due()
    assert mailoutbox == []


def test_the_player_comes_back_with_one_press_and_has_time(wall):
    game = duel()
    wall.shift(10 * MINUTE)
    timekeeper.look()
    begun.take_back_seat(fresh(game), tables.player("ann"))
    assert seat(game, 0).bank == 2 * MINUTE and fresh(game).deadline == NOON + 12 * MINUTE
    assert log(game)[-2:] == ["seat_taken_over", "seat_given_back"]
    wall.shift(2 * MINUTE)
    assert timekeeper.look() == 1 and archive.verify(fresh(game)) == ""


def test_two_who_are_late_at_once_are_both_replaced_in_one_go(wall):
    game = kingdom("live-10", setup="together")
    k.play_on(game, "together", lambda state: len(k.asked(game)) > 1 and not k.window_is_open(state))
    asked = k.asked(game)
    wall.move_to(max(seat(game, number).due_at for number in asked))
    assert timekeeper.look() == 1
    assert [number for number in range(4) if seat(game, number).bot] == asked
    assert archive.verify(fresh(game)) == ""


def test_of_two_who_are_asked_only_the_late_one_is_replaced(wall):
    game = kingdom("live-10", setup="together")
    k.play_on(game, "together", lambda state: len(k.asked(game)) > 1 and not k.window_is_open(state))
    late, *others = k.asked(game)
    due = fresh(game).deadline - MINUTE
    Seat.objects.filter(game=game, number=late).update(due_at=due)
    Game.objects.filter(pk=game.pk).update(deadline=due)
    wall.move_to(due)
    assert timekeeper.look() == 1
    assert [number for number in range(4) if seat(game, number).bot] == [late]
    assert fresh(game).deadline == min(seat(game, number).due_at for number in others) > due


def test_the_host_too(wall):
    game = duel()
    assert game.host == seat(game, 0).player
    wall.shift(10 * MINUTE)
    timekeeper.look()
    assert seat(game, 0).bot and fresh(game).host == tables.player("ann")


def test_where_a_clock_runs_nobody_is_silent(wall):
    game = duel("days-16")
    wall.shift(timedelta(days=4))
    assert not silence.is_silent(seat(game, 0)) and not silence.may_go_on(fresh(game))


def test_when_a_game_is_over_no_clock_runs(wall):
    game = duel()
    tables.do(game, 0, "resign")
    assert fresh(game).deadline is None and not any(each.due_at for each in game.seats.all())
    wall.shift(HOUR)
    assert timekeeper.look() == 0


def test_a_vote_of_somebody_who_is_late_counts_no_more(wall):
    game = kingdom("live-10")
    number = k.asked(game)[0]
    k.act(game, number, {"do": "propose_end", "winner": number})
    wall.shift(10 * MINUTE)
    timekeeper.look()
    assert k.state_of(game).extras["proposal"] is None


# ---- windows (R4)


def in_window(clock: str) -> Game:
    game = kingdom(clock, waiting="always")
    k.play_on(game, "a window", lambda state: k.window_is_open(state) and len(state.flow[-1].pending) > 1)
    return fresh(game)


def test_a_window_has_one_clock_that_no_answer_moves_and_costs_nobody_anything(wall):
    game = in_window("live-10")
    banks = [each.bank for each in game.seats.all()]
    assert game.deadline == game.window_since + clocks.LIVE_WINDOW
    assert [each.due_at for each in game.seats.all()] == [None] * 4
    wall.shift(3 * SECOND)
    end = game.deadline
    k.act(game, k.asked(game)[0], {"do": "done"})
    k.act(game, 2, {"do": "propose_end", "winner": -1})
    assert fresh(game).deadline == end and [each.bank for each in game.seats.all()] == banks


def test_at_its_end_the_house_answers_and_nobody_is_replaced(wall):
    game = in_window("live-10")
    opened = game.window_since
    wall.move_to(game.deadline - SECOND)
    assert timekeeper.look() == 0
    assert not play.time_out(game.pk), "whoever found it due a moment ago looks once more under the lock"
    wall.move_to(game.deadline)
    assert timekeeper.look() == 1 and fresh(game).window_since != opened
    assert "went_on" in log(game) and not any(each.bot for each in game.seats.all())
    assert archive.verify(game) == ""


@pytest.mark.parametrize("away", [1, 2, 3])
def test_over_days_its_length_follows_from_the_hours_of_all(wall, away):
    """Also of those who are not asked: who holds what must not show in how long the others wait."""
    player = tables.player(k.NAMES[away])
    player.vacations = "2026-06-10/2026-06-19"
    player.save()
    game = in_window("days-8")
    assert game.deadline == datetime(2026, 6, 20, 16, tzinfo=UTC)


def test_a_window_that_was_moved_stays_so_whatever_happens_in_it(wall):
    game = in_window("live-10")
    moved = game.deadline + HOUR
    Game.objects.filter(pk=game.pk).update(deadline=moved)
    k.act(game, k.asked(game)[0], {"do": "done"})
    k.act(game, 2, {"do": "propose_end", "winner": -1})
    assert fresh(game).window_since == NOON and game.deadline == moved


# ---- outages


def test_after_an_outage_all_clocks_move_by_it_once(wall):
    timekeeper.look()
    game, window = duel(), in_window("live-10")
    due, end = game.deadline, window.deadline
    wall.shift(MINUTE)
    timekeeper.beat()
    stood = NOON + MINUTE
    wall.shift(2 * HOUR)
    assert timekeeper.look() == 0 or fresh(window).deadline > end
    assert fresh(game).deadline == seat(game, 0).due_at == due + 2 * HOUR
    assert timekeeper.look() == 0 and fresh(game).deadline == due + 2 * HOUR, "once"
    assert Pulse.objects.get().at == stood + 2 * HOUR
    tables.move(game, 0, "a2", "a4")
    assert seat(game, 0).bank == 9 * MINUTE + 10 * SECOND, "the outage is not taken from the bank"


def test_a_window_moves_by_an_outage_too(wall):
    game = in_window("live-10")
    timekeeper.beat()
    end = game.deadline
    wall.shift(HOUR)
    assert timekeeper.look() == 0 and fresh(game).deadline == end + HOUR


def test_a_fault_of_one_game_keeps_no_other_clock_from_being_moved(wall, monkeypatch):
    timekeeper.look()
    first, second = duel("live-30"), duel("live-30", "cat", "dan")
    real = timekeeper.next_deadline
    monkeypatch.setattr(
        timekeeper,
        "next_deadline",
        lambda clock, game, seats: 1 / 0 if game.pk == first.pk else real(clock, game, seats),
    )
    wall.shift(HOUR)
    timekeeper.look()
    assert seat(second, 0).due_at == NOON + HOUR + 30 * MINUTE and seat(second, 0).player


def test_clocks_may_be_changed_as_often_as_anybody_likes(wall):
    """The count of changes is a small number in the database: on PostgreSQL one too many would be an error."""
    game = duel()
    Game.objects.update(retimed=models.MOST_RETIMED)
    begun.ask_pause(fresh(game), seat(game, 0).player, 24)
    assert fresh(game).retimed == 0
    begun.refuse_pause(fresh(game), seat(game, 1).player)
    assert fresh(game).retimed == 1


def test_a_short_one_moves_nothing(wall):
    game = duel("live-30")
    timekeeper.look()
    wall.shift(10 * MINUTE)
    timekeeper.look()
    assert fresh(game).deadline == NOON + 30 * MINUTE


def test_over_days_an_outage_at_night_takes_nothing_from_the_bank_and_moves_the_end(wall):
    game = duel("days-8")
    wall.move_to(datetime(2026, 6, 10, 22, tzinfo=UTC))
    timekeeper.beat()
    due = game.deadline
    wall.move_to(datetime(2026, 6, 11, 10, tzinfo=UTC))
    timekeeper.look()
    assert fresh(game).deadline == due + 12 * HOUR
    tables.move(game, 0, "a2", "a4")
    assert seat(game, 0).bank == 38 * HOUR, "10 hours of the first day; two of them from the bank"
