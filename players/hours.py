"""Hours in which a player can be expected to answer: awake hours and days in their own time zone, and vacations.

Pure arithmetic of time: no database and no clock. All moments are aware; all durations are exact.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo, available_timezones

DAY_MINUTES = 24 * 60
LEAST_MINUTES = 8 * 60  # awake on each of the player's days
LEAST_DAYS = 4  # a week
EVERY_DAY = "0123456"  # Monday is 0
VACATION_DAYS = 30  # in any twelve months
YEAR = timedelta(days=365)
DAY, ZERO = timedelta(days=1), timedelta()


@functools.cache
def zones() -> tuple[str, ...]:
    """Time zones to choose from: the ones named after places, and UTC."""
    regions = (
        "Africa/",
        "America/",
        "Antarctica/",
        "Asia/",
        "Atlantic/",
        "Australia/",
        "Europe/",
        "Indian/",
        "Pacific/",
    )
    return ("UTC", *sorted(name for name in available_timezones() if name.startswith(regions)))


@functools.lru_cache(maxsize=1024)
def zone_of(name: str) -> tzinfo:
    """A zone by its name; UTC for one this machine does not know."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return UTC


@dataclass(frozen=True)
class Vacation:
    """Whole days of the player's own calendar, the first and the last included."""

    first: date
    last: date

    @property
    def days(self) -> int:
        return (self.last - self.first).days + 1

    def __str__(self) -> str:
        return f"{self.first.isoformat()}/{self.last.isoformat()}"


@dataclass(frozen=True)
class Hours:
    """When somebody is awake. `sleeps` is later than `wakes`, and may be after midnight: 26 * 60 is two at night."""

    zone: str = "UTC"
    wakes: int = 8 * 60  # minutes after midnight
    sleeps: int = 22 * 60
    days: str = EVERY_DAY
    vacations: tuple[Vacation, ...] = ()

    def __str__(self) -> str:
        """As a column keeps it; vacations have a column of their own."""
        return f"{self.zone} {self.wakes} {self.sleeps} {self.days}"

    @property
    def is_enough(self) -> bool:
        """Whether others may be asked to wait for it: awake at least eight hours a day, four days a week."""
        is_day = 0 <= self.wakes < DAY_MINUTES and LEAST_MINUTES <= self.sleeps - self.wakes <= DAY_MINUTES
        return is_day and len(set(self.days) & set(EVERY_DAY)) >= LEAST_DAYS

    @property
    def never_ends(self) -> bool:
        return self.sleeps - self.wakes == DAY_MINUTES and self.days == EVERY_DAY and not self.vacations

    def with_vacations(self, text: str) -> Hours:
        return replace(self, vacations=vacations_of(text))

    def is_free(self, day: date) -> bool:
        return str(day.weekday()) not in self.days or any(v.first <= day <= v.last for v in self.vacations)


ALWAYS = Hours(wakes=0, sleeps=DAY_MINUTES)
USUAL = Hours()  # of players who have not said


def hours_of(text: str, vacations: str = "") -> Hours:
    """Hours as a column keeps them; the usual ones where nothing is kept, or nothing that can be used."""
    return _read_hours(text).with_vacations(vacations)


@functools.lru_cache(maxsize=1024)
def _read_hours(text: str) -> Hours:
    zone, *numbers = text.split(" ") if text else [""]
    if len(numbers) != 3 or not all(each.isascii() and each.isdigit() for each in numbers):
        return USUAL
    found = Hours(zone, int(numbers[0]), int(numbers[1]), numbers[2])
    return found if found.is_enough else replace(USUAL, zone=zone)


@functools.lru_cache(maxsize=1024)
def vacations_of(text: str) -> tuple[Vacation, ...]:
    spans = (span.split("/") for span in text.split())
    return tuple(Vacation(date.fromisoformat(first), date.fromisoformat(last)) for first, last in spans)


def written(vacations: tuple[Vacation, ...]) -> str:
    return " ".join(map(str, sorted(vacations, key=lambda each: each.first)))


# ---- how time runs


def awake(hours: Hours, after: datetime) -> Iterator[tuple[datetime, datetime]]:
    """Spans in which time runs, from this moment on, without end: each from when to when, never overlapping."""
    zone = zone_of(hours.zone)
    # Two days back: a span may last until the next day, and a zone may be changed by a day.
    day, from_then = after.astimezone(zone).date() - 2 * DAY, after
    while True:
        if not hours.is_free(day):
            # Local times that do not exist, or exist twice, when clocks are changed are read by the offset before that.
            midnight = datetime(day.year, day.month, day.day)
            begins, ends = (
                (midnight + timedelta(minutes=each)).replace(tzinfo=zone).astimezone(UTC)
                for each in (hours.wakes, hours.sleeps)
            )
            begins = max(begins, from_then)
            if begins < ends:
                yield begins, ends
                from_then = ends
        day += DAY


def time_used(start: datetime, end: datetime, hours: Hours = ALWAYS) -> timedelta:
    """How much of the time between two moments ran."""
    if hours.never_ends:
        return max(end - start, ZERO)
    used = ZERO
    for begins, ends in awake(hours, start):
        if begins >= end:
            break
        used += min(ends, end) - begins
    return used


def deadline(start: datetime, allowed: timedelta, hours: Hours = ALWAYS) -> datetime:
    """The first moment at which as much time has run as is allowed; with no time left, the next one awake."""
    if hours.never_ends:
        return start + max(allowed, ZERO)
    left = max(allowed, ZERO)
    for begins, ends in awake(hours, start):
        if left <= ends - begins:
            return begins + left
        left -= ends - begins
    raise AssertionError("time never ends")


# ---- vacations


def taken_in_a_year(vacations: tuple[Vacation, ...], until: date) -> int:
    """Days of vacation in the twelve months that end with this day."""
    since = until - YEAR + DAY
    return sum(max(0, (min(v.last, until) - max(v.first, since)).days + 1) for v in vacations)


def most_in_a_year(vacations: tuple[Vacation, ...]) -> int:
    """The most days of vacation that fall into any twelve months."""
    return max(
        (taken_in_a_year(vacations, each) for v in vacations for each in (v.last, v.first + YEAR - DAY)), default=0
    )
