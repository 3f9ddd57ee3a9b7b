"""Pace and clock of a table: what there is to choose, and how a seat's clock runs. Pure arithmetic, no database.

A seat's clock runs while an open question waits for its player, from when play came to them until it goes on to
somebody else: several decisions in a row share one time. Sealed windows have one clock of their own (R4).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from players.hours import ALWAYS, ZERO, Hours, deadline, hours_of, time_used, zone_of

NO_CLOCK = "none"
LIVE_WINDOW = timedelta(seconds=15)
LEAST_AFTER_RETURN = 5  # whoever comes back to a live game has at least this part of the time they began with


@dataclass(frozen=True)
class Clock:
    """How much time a table gives: a bank, and some back after each turn (live) or for each question (over days)."""

    slug: str
    label: str
    kind: str  # "live" or "days"
    each: timedelta
    bank: timedelta

    @property
    def is_live(self) -> bool:
        return self.kind == "live"

    @property
    def for_one(self) -> timedelta:
        """What one question may take before the bank is touched."""
        return ZERO if self.is_live else self.each

    @property
    def added(self) -> timedelta:
        return self.each if self.is_live else ZERO

    def hours(self, text: str, vacations: str) -> Hours:
        """When time runs for a player with these hours: always at a live table."""
        return ALWAYS if self.is_live else hours_of(text, vacations)

    def window_due(self, since: datetime, people: Iterable[tuple[str, str]]) -> datetime:
        """When a window ends that opened then: by the hours and vacations of all who might be asked in it (R4)."""
        if self.is_live:
            return since + LIVE_WINDOW
        return max((deadline(since, self.each, self.hours(*each)) for each in people), default=since + self.each)


def _live(minutes: int, seconds: int) -> Clock:
    label = f"{minutes} minutes for each player; every turn gives {seconds} seconds back"
    return Clock(f"live-{minutes}", label, "live", timedelta(seconds=seconds), timedelta(minutes=minutes))


def _days(hours: int, bank: int) -> Clock:
    label = f"{hours} waking hours whenever the game comes to a player, and {bank} in reserve"
    return Clock(f"days-{hours}", label, "days", timedelta(hours=hours), timedelta(hours=bank))


# Games are stored with these names: a clock may be added, but none taken away.
CLOCKS = {
    each.slug: each
    for each in (_live(10, 10), _live(30, 20), _live(60, 30), _live(90, 30), _days(4, 16), _days(8, 40), _days(16, 80))
}


@dataclass(frozen=True)
class Pace:
    """How a table means to play. It chooses the clock, and options of the game, where nobody has chosen otherwise."""

    slug: str
    label: str
    brief: str  # in lists
    help: str
    clock: str = ""
    kind: str = ""  # of the clocks that fit

    @property
    def clocks(self) -> tuple[Clock, ...]:
        return tuple(clock for clock in CLOCKS.values() if clock.kind == self.kind)


PACES = {
    each.slug: each
    for each in (
        Pace("", "No hurry", "", "No clock. Live or over weeks, as you like."),
        Pace(
            "live",
            "Live",
            "live",
            "All are at the table now. 30 minutes each; then a bot plays on.",
            "live-30",
            "live",
        ),
        Pace(
            "evening",
            "An evening",
            "an evening",
            "All are at the table, with time to talk. 90 minutes each.",
            "live-90",
            "live",
        ),
        Pace(
            "days",
            "Over days",
            "over days",
            "Answer within 8 waking hours, with 40 more in reserve.",
            "days-8",
            "days",
        ),
    )
}


# Pauses that a table may agree on: hours, and in words.
PAUSES = {1: "an hour", 24: "a day", 72: "three days", 168: "a week"}


def clock_of(slug: str) -> Clock | None:
    return CLOCKS.get(slug)


def pace_facts(pace: str, clock: str) -> tuple[tuple[str, str], ...]:
    """Pace and clock of a table in words; nothing where nobody hurries."""
    if not pace:
        return ()
    ticking = CLOCKS.get(clock)
    return (("Pace", PACES[pace].label if pace in PACES else pace), ("Clock", ticking.label if ticking else "None"))


def fits(pace: Pace, clock: str) -> bool:
    """Whether a table of this pace may have this clock; every table may have none."""
    return clock == NO_CLOCK or any(each.slug == clock for each in pace.clocks)


# ---- times in words


def local(moment: datetime, hours: str, is_live: bool = False) -> str:
    """A moment in the time zone of a player with these hours; in UTC, and saying so, for all who named none."""
    there = moment.astimezone(zone_of(hours_of(hours).zone))
    day = "" if is_live else f"{there:%a} {there.day} {there:%B}, "
    return f"{day}{there:%H:%M}{'' if hours else ' UTC'}"


def minutes(time: timedelta) -> str:
    """How much is left, as a chess clock shows it."""
    seconds = int(time.total_seconds())
    hours, rest = divmod(seconds, 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"


# ---- a seat's clock


@dataclass(frozen=True)
class Hand:
    """The clock of one seat: what is left in the bank and, while it runs, since when and until when.

    A question keeps the hours it was put under, so nobody gains time by changing them; vacations count at once."""

    bank: timedelta
    since: datetime | None = None
    spent: timedelta = ZERO  # of this question's time, before `since`, which is later than now in a pause
    due: datetime | None = None
    hours: str = ""

    @property
    def is_asked(self) -> bool:
        """Whether a question waits, even if time stands still."""
        return self.due is not None

    def put(self, clock: Clock, now: datetime, hours: str, vacations: str) -> Hand:
        """The game comes to this seat; `now` is later in a pause, when its time begins only after that."""
        hours = "" if clock.is_live else hours
        return replace(self, since=now, spent=ZERO, hours=hours).timed(clock, now, vacations)

    def timed(self, clock: Clock, now: datetime, vacations: str) -> Hand:
        """Work out anew when the time of this question ends, counting from now."""
        left, begins = clock.for_one + self.bank - self.used(clock, now, vacations), max(now, self.since or now)
        return replace(self, due=deadline(begins, left, clock.hours(self.hours, vacations)))

    def used(self, clock: Clock, now: datetime, vacations: str) -> timedelta:
        """How much of the present question's time is gone."""
        if self.since is None:
            return self.spent
        return self.spent + time_used(self.since, now, clock.hours(self.hours, vacations))

    def answered(self, clock: Clock, now: datetime, vacations: str) -> Hand:
        """The game goes on to somebody else, or this seat's question is no more."""
        from_bank = max(self.used(clock, now, vacations) - clock.for_one, ZERO)
        left = max(self.bank - from_bank, ZERO)
        return Hand(max(left, min(left + clock.added, clock.bank)))  # nobody saves up more than they began with

    def moved(self, clock: Clock, stood: datetime, now: datetime, vacations: str) -> Hand:
        """The site stood still between two moments: no time of the bank is used, and the end comes that much later."""
        if self.due is None or self.since is None or self.since >= now:
            return self
        gone = min(max(stood, self.since), now)
        kept = replace(self, spent=self.used(clock, gone, vacations), since=now)
        return replace(kept, due=self.due + (now - gone))

    def rested(self, clock: Clock, now: datetime, until: datetime, vacations: str) -> Hand:
        """From now on no time runs before this moment; of a pause that is ended early, the moment is now."""
        if self.due is None:
            return self
        kept = replace(self, spent=self.used(clock, now, vacations), since=until)
        left = clock.for_one + self.bank - kept.spent
        return replace(kept, due=deadline(until, left, clock.hours(self.hours, vacations)))

    def back(self, clock: Clock) -> Hand:
        """The player is back: without a live clock's least they would be out of time at once."""
        least = clock.bank / LEAST_AFTER_RETURN if clock.is_live else ZERO
        return Hand(max(self.bank, least))
