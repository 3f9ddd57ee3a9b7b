"""`manage.py days` in small: a game over days as people live it, and that its checks find what is wrong."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
import time_machine
from django.db import transaction

from games import clocks, hands, play, store, timekeeper
from games.management import days
from games.management.days import ALL_ORDERS, BEGINS, CASES, PEOPLE, Case, Days, Report

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("kings_bots")]

HOUR = timedelta(hours=1)
# Dora never looks in: a bot takes over for her within the week.
CAST = (*PEOPLE[:3], replace(PEOPLE[3], vanishes=timedelta()))


def lived(case: Case = CASES[1], length: int = 7, outage: timedelta = timedelta(days=1)) -> Report:
    with time_machine.travel(BEGINS, tick=False) as wall:
        return Days(case, "small", wall.move_to, length, CAST, (outage, 5 * HOUR)).play()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_week_goes_by_with_a_takeover_and_an_outage_and_without_a_fault(case):
    report = lived(case)
    assert report.faults == []
    assert report.takeovers["dora"] == 1 and report.answers > 4
    assert report.notices["dora", "taken"] == 1 and report.mails["dora"] >= 1
    said = "\n".join(report.lines())
    assert said.startswith(f"{case.name}: ") and "stops a turn" in said and "takeovers: " in said


def test_the_same_seed_lives_the_same_days():
    with transaction.atomic():
        first = list(lived(length=3).lines())
        transaction.set_rollback(True)
    assert list(lived(length=3).lines()) == first


def test_every_order_there_is_can_be_given():
    orders = days.ORDERS
    assert {about: how in orders[about].choices for about, how in ALL_ORDERS.items()} == dict.fromkeys(orders, True)


def test_a_clock_that_does_not_end_is_found(monkeypatch):
    monkeypatch.setattr(play, "time_out", lambda pk: False)
    assert "did not end" in lived().faults[0]


def test_a_clock_that_ends_early_is_found(monkeypatch):
    real = clocks.deadline
    monkeypatch.setattr(clocks, "deadline", lambda start, left, hours=None: real(start, left - 2 * HOUR, hours))
    assert "of it at the takeover" in lived(outage=timedelta(days=6)).faults[0]


def test_a_clock_that_an_outage_does_not_move_is_found(monkeypatch):
    monkeypatch.setattr(timekeeper, "move_clocks", lambda stood, now: None)
    assert "the outage of 5:00:00 moved the clock" in lived().faults[0]


def test_a_game_that_stands_still_is_found(monkeypatch):
    for module in (hands, store, timekeeper):
        monkeypatch.setattr(module, "next_deadline", lambda *given: None, raising=False)
    assert "stuck at" in lived().faults[0]


def test_a_takeover_that_happens_twice_is_found(monkeypatch):
    real = play.house_acts

    def twice(game, action):
        real(game, action)
        if action.do == "take_over":
            real(game, action)

    monkeypatch.setattr(play, "house_acts", twice)
    assert any("the log tells seat_taken_over 2 times" in fault for fault in lived().faults)
