"""Awake hours, vacations and deadlines (C11): over time zones, daylight saving time and odd calendars.

KADAB_SCHEDULES=10000 runs the whole of C11; a usual run takes fewer.
"""

import os
import random
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from players.hours import (
    ALWAYS,
    EVERY_DAY,
    USUAL,
    Hours,
    Vacation,
    deadline,
    hours_of,
    most_in_a_year,
    time_used,
    vacations_of,
    written,
    zones,
)

SCHEDULES = int(os.environ.get("KADAB_SCHEDULES", "600"))
UTC = ZoneInfo("UTC")
HOUR, TICK = timedelta(hours=1), timedelta(microseconds=1)
# Zones in which something odd has happened: a day left out, half hours, midnight twice, two changes a year apart.
ODD = (
    *(
        "Pacific/Apia",
        "Australia/Lord_Howe",
        "America/Havana",
        "America/Sao_Paulo",
        "Africa/Casablanca",
        "Asia/Kathmandu",
    ),
    *("Europe/Berlin", "America/New_York", "Pacific/Kiritimati", "Asia/Tehran", "Antarctica/Troll", "Pacific/Chatham"),
)


def at(zone, *when):
    return datetime(*when, tzinfo=ZoneInfo(zone)).astimezone(UTC)


def a_schedule(chance):
    wakes = chance.randrange(24 * 60)
    hours = Hours(
        zone=chance.choice(ODD if chance.random() < 0.5 else zones()),
        wakes=wakes,
        sleeps=wakes + chance.randrange(8 * 60, 24 * 60 + 1),
        days="".join(sorted(chance.sample(EVERY_DAY, chance.randint(4, 7)))),
    )
    start = datetime(2011, 1, 1, tzinfo=UTC) + timedelta(seconds=chance.randrange(25 * 365 * 86400))
    first = start.date() + timedelta(days=chance.randrange(-5, 20))
    if chance.random() < 0.4:
        vacation = Vacation(first, first + timedelta(days=chance.randrange(30)))
        hours = hours_of(str(hours), str(vacation))
    return hours, start, timedelta(seconds=chance.randrange(1, 5 * 86400))


def by_hand(hours, moment):
    """Whether the player is awake at this moment, read off the wall: nothing of the code under test."""
    local = moment.astimezone(ZoneInfo(hours.zone)).replace(tzinfo=None)
    for day in (local.date(), local.date() - timedelta(days=1)):
        minutes = (local - datetime(day.year, day.month, day.day)).total_seconds() / 60
        free = str(day.weekday()) not in hours.days or any(v.first <= day <= v.last for v in hours.vacations)
        if hours.wakes <= minutes < hours.sleeps and not free:
            return True
    return False


@pytest.mark.parametrize("part", range(4))
def test_a_deadline_is_never_early_and_comes_once(part):
    chance = random.Random(f"schedules {part}")
    for _ in range(SCHEDULES // 4):
        hours, start, allowed = a_schedule(chance)
        due = deadline(start, allowed, hours)
        assert due >= start + allowed, "time does not run faster than the clock on the wall"
        assert time_used(start, due, hours) == allowed
        assert time_used(start, due - TICK, hours) < allowed, "there is no earlier moment"
        later = due + timedelta(seconds=chance.randrange(1, 3 * 86400))
        assert time_used(start, later, hours) >= allowed, "and it stays due"
        middle = start + (due - start) * chance.random()
        used = time_used(start, middle, hours)
        assert used + time_used(middle, due, hours) == allowed, "time used adds up"
        assert deadline(middle, allowed - used, hours) == due, "after a restart it is the same moment"
        assert deadline(start + HOUR, allowed, hours) >= due, "whoever is asked later has no less time"


def test_time_runs_when_the_player_is_awake():
    chance = random.Random("by hand")
    for _ in range(SCHEDULES // 20):
        hours, start, _ = a_schedule(chance)
        for _ in range(30):
            moment = start + timedelta(minutes=chance.randrange(40 * 24 * 60))
            step = timedelta(seconds=1)
            if by_hand(hours, moment) == by_hand(hours, moment + step):  # not just where a span begins or ends
                local = moment.astimezone(ZoneInfo(hours.zone))
                if any(_shift(local, days) for days in (-1, 0, 1)):  # walls are in doubt while clocks are changed
                    continue
                assert (time_used(moment, moment + step, hours) == step) == by_hand(hours, moment), (hours, moment)


def _shift(local, days):
    return local.utcoffset() != (local + timedelta(days=days)).utcoffset()


def test_the_day_on_which_clocks_are_put_forward_has_an_hour_less():
    berlin = Hours("Europe/Berlin", wakes=0, sleeps=10 * 60)
    midnight = at("Europe/Berlin", 2026, 3, 29)
    assert time_used(midnight, midnight + 23 * HOUR, berlin) == 9 * HOUR
    assert deadline(midnight, 9 * HOUR, berlin) == at("Europe/Berlin", 2026, 3, 29, 10)


def test_the_day_on_which_clocks_are_put_back_has_an_hour_more():
    berlin = Hours("Europe/Berlin", wakes=0, sleeps=10 * 60)
    midnight = at("Europe/Berlin", 2026, 10, 25)
    assert time_used(midnight, midnight + 25 * HOUR, berlin) == 11 * HOUR


def test_a_day_that_a_country_leaves_out_has_no_time():
    samoa = Hours("Pacific/Apia")  # there was no 30 December 2011
    evening = at("Pacific/Apia", 2011, 12, 29, 21)
    assert deadline(evening, 2 * HOUR, samoa) == at("Pacific/Apia", 2011, 12, 31, 9)


def test_a_night_owl_is_awake_after_midnight():
    owl = Hours("America/New_York", wakes=14 * 60, sleeps=26 * 60)
    assert deadline(at("America/New_York", 2026, 1, 9, 23), 4 * HOUR, owl) == at("America/New_York", 2026, 1, 10, 15)


def test_weekends_and_vacations_take_no_time():
    office = Hours("Europe/London", 9 * 60, 17 * 60, "01234", vacations_of("2026-06-08/2026-06-10"))
    friday = at("Europe/London", 2026, 6, 5, 16)
    assert deadline(friday, 3 * HOUR, office) == at("Europe/London", 2026, 6, 11, 11)


def test_with_no_time_left_the_next_waking_moment_counts():
    assert deadline(at("UTC", 2026, 6, 5, 3), timedelta(), USUAL) == at("UTC", 2026, 6, 5, 8)
    assert deadline(at("UTC", 2026, 6, 5, 3), timedelta(), ALWAYS) == at("UTC", 2026, 6, 5, 3)


def test_hours_are_kept_as_text():
    hours = Hours("Asia/Kolkata", 7 * 60 + 30, 25 * 60, "012345")
    assert hours_of(str(hours)) == hours
    days = (Vacation(date(2026, 12, 24), date(2027, 1, 3)), Vacation(date(2026, 7, 1), date(2026, 7, 1)))
    assert vacations_of(written(days)) == (days[1], days[0])
    assert hours_of("") == USUAL


@pytest.mark.parametrize(
    "text", ["UTC 0 60 0123456", "UTC 480 1320 012", "UTC 480 x 0123456", "UTC 480", "UTC 1500 2200 012345"]
)
def test_too_few_hours_are_read_as_the_usual_ones(text):
    assert hours_of(text) == USUAL


def test_an_unknown_zone_is_read_as_utc():
    lost = Hours("Atlantis/Centre")
    assert deadline(at("UTC", 2026, 6, 5, 8), HOUR, lost) == at("UTC", 2026, 6, 5, 9)


def test_vacations_are_counted_over_any_twelve_months():
    assert most_in_a_year(vacations_of("2026-01-10/2026-01-19 2026-12-20/2027-01-05")) == 27
    assert most_in_a_year(vacations_of("2026-01-10/2026-01-19 2027-01-05/2027-01-21")) == 17
    assert most_in_a_year(vacations_of("2025-06-01/2025-06-30 2026-06-01/2026-06-30")) == 30
    assert most_in_a_year(()) == 0
