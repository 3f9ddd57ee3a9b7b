"""News that people are told who are away: the kinds there are, and the rows that say who is to be told what.

A row is written in the transaction of what it tells. games/telling.py sends it later, if it still stands then.

    notices.tell(game, seats, notices.VOTE, key=f"pause {game.retimed}", says="Anna asks for a pause of a day.")
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.utils import timezone

from players.telling import MAIL, PUSH

from .clocks import clock_of
from .models import Call, Game, Notice, Seat
from .prepared import Writing

if TYPE_CHECKING:
    from players.models import Player

REMIND_BEFORE = timedelta(hours=4)
LONGEST_SAYING, LONGEST_KEY = 200, 40


@dataclass(frozen=True)
class Kind:
    """A kind of news: its switch in the profile, and how a mail begins; {table} names the game and who else plays."""

    slug: str
    label: str
    subject: str
    lead: str


TURN, REMINDER, BEGAN, FULL, VOTE = "turn", "reminder", "began", "full", "vote"
TAKEN, PASSED, SEATS, OVER, REMATCH, EXPIRES = "taken", "passed", "seats", "over", "rematch", "expires"
WROTE, TALK = "wrote", "talk"
WINDOW, TEST = "window", "test"  # what only webhooks are told
PAUSE, WISH, PERSON = "pause", "wish", "person"  # what is asked by the others: the first word of a vote's key
TOLD_OUTSIDE = (BEGAN, VOTE, SEATS, OVER)  # besides whose turn it is

KINDS = {
    each.slug: each
    for each in (
        Kind(TURN, "It’s my turn", "Your turn: {table}", "it is your turn in {table}."),
        Kind(REMINDER, "My time runs out soon", "Time runs out: {table}", "your time runs out soon in {table}."),
        Kind(FULL, "My table is full", "Your table is full: {table}", "every seat is taken in {table}. You can start."),
        Kind(BEGAN, "A game has begun", "The game has begun: {table}", "the game has begun: {table}."),
        Kind(VOTE, "Somebody asks the table something", "Your answer, please: {table}", "you are asked in {table}."),
        Kind(
            TAKEN,
            "A bot plays for me",
            "A bot plays for you: {table}",
            "you did not answer in time in {table}. A bot plays on for you. You can take your seat back at any time,"
            " with one press.",
        ),
        Kind(
            PASSED,
            "My seat goes to somebody else",
            "A new person plays in your seat: {table}",
            "a bot had to take over from you more than once in {table}. The others agreed to a new person, who plays in"
            " your seat now. You can watch the game; your orders and notes are still yours alone.",
        ),
        Kind(SEATS, "Others leave, or come back", "Who plays now: {table}", "somebody else plays now in {table}."),
        Kind(OVER, "A game is over", "The game is over: {table}", "the game is over: {table}."),
        Kind(REMATCH, "Somebody wants a rematch", "Rematch: {table}", "you are asked for a rematch of {table}."),
        Kind(
            EXPIRES,
            "My table is about to close",
            "About to close: {table}",
            "too few players have come to {table}. The table closes in two days unless the game begins.",
        ),
        Kind(
            WROTE,
            "Somebody writes to me in private",
            "A message for you: {table}",
            "somebody has written to you in private in {table}. Only you can read it, at the table.",
        ),
        Kind(
            TALK,
            "Somebody writes to the players of a table",
            "New messages: {table}",
            "somebody has written to the players in {table}.",
        ),
    )
}

ADDED = (
    *("player", "game", "seat", "decision", "kind", "channel", "says", "at", "due_at"),
    *("in_digest", "sent", "tries", "refused"),
)
NOTICES_ADDED = Writing(Notice, ADDED, once=True)
CALLED = ("game", "kind", "decision", "seat", "says", "at", "due_at", "sent", "tries", "refused")
CALLS_ADDED = Writing(Call, CALLED, once=True)
Row = tuple[object, ...]


def tell(game: Game, seats: Iterable[Seat], kind: str, key: str, says: str = "") -> None:
    """Tell the people in these seats; `key` names what about, and nobody is told of it twice. Call it in the
    transaction of what it tells. `says` is a sentence of your own that everybody at the table may read."""
    now, people = timezone.now(), {seat.player_id: seat for seat in seats if seat.player is not None}
    rows = [_row(game, seat.player, seat.number, kind, key, says, now, now) for seat in people.values() if seat.player]
    NOTICES_ADDED(*(row for by_channel in rows for row in by_channel))
    if game.has_webhook and kind in TOLD_OUTSIDE:
        CALLS_ADDED(_call(game, kind, key, None, says, now, now))


def tell_player(game: Game, player: Player, seat: int, kind: str, key: str, says: str = "") -> None:
    """The same for somebody who may not sit there: a host, or a player whose seat a bot keeps."""
    now = timezone.now()
    NOTICES_ADDED(*_row(game, player, seat, kind, key, says, now, now))


def tell_written(game: Game, seat: Seat, kind: str, key: str, at: datetime) -> None:
    """Somebody wrote to the person in this seat at this moment; whoever reads it soon need not be told."""
    due = at + timedelta(seconds=settings.NOTICE_DELAY_SECONDS)
    if player := seat.player or seat.stands_in_for:
        NOTICES_ADDED(*_row(game, player, seat.number, kind, key, "", at, due))


def write(game: Game, seats: Iterable[Seat]) -> None:
    """A notice for every person whose question is new, and one before its time runs out."""
    now = timezone.now()
    due, rows, seats = now + timedelta(seconds=settings.NOTICE_DELAY_SECONDS), [], list(seats)
    for seat in seats:
        if not seat.is_asked or seat.player is None:
            continue
        rows += _row(game, seat.player, seat.number, TURN, seat.decision, "", now, due)
        if remind := remind_at(game, seat, now):
            rows += _row(game, seat.player, seat.number, REMINDER, seat.decision, "", now, remind)
    NOTICES_ADDED(*rows)
    if game.has_webhook:
        CALLS_ADDED(*_calls(game, seats, now, due))


def _calls(game: Game, seats: Sequence[Seat], now: datetime, due: datetime) -> list[Row]:
    """What a webhook is told: who is asked if everybody may know, and of a window only that an answer is awaited."""
    if game.window_since is not None:
        return [_call(game, WINDOW, window_key(game), None, "", now, due)]
    openly = [seat for seat in seats if seat.asked_openly and seat.player is not None]
    return [_call(game, TURN, seat.decision, seat.number, "", now, due) for seat in openly]


def window_key(game: Game) -> str:
    """Names the window the game stands in."""
    return game.window_since.isoformat() if game.window_since else ""


def _call(game: Game, kind: str, key: str, seat: int | None, says: str, now: datetime, due: datetime) -> Row:
    return (game.pk, kind, key[:LONGEST_KEY], seat, says[:LONGEST_SAYING], now, due, False, 0, "")


def deadline_of(game: Game, seat: Seat) -> datetime | None:
    """Until when this seat's question waits; in a window, its end, which is the same for all (R4)."""
    return seat.due_at if game.window_since is None else game.deadline


def remind_at(game: Game, seat: Seat, since: datetime) -> datetime | None:
    """When to remind of a question that is there since then; at live tables everybody is there."""
    clock, due = clock_of(game.clock), deadline_of(game, seat)
    if clock is None or clock.is_live or due is None:
        return None
    return due - min(REMIND_BEFORE, (due - since) / 2)


def write_taken_over(game: Game, number: int, player: Player, seats: Iterable[Seat]) -> None:
    """A bot plays on for this person: they are told, and so are the others at the table."""
    key = f"{TAKEN} {number} {game.revision}"
    tell_player(game, player, number, TAKEN, key)
    tell(game, [each for each in seats if each.player_id != player.pk], SEATS, key, f"A bot plays for {player}.")


def write_passed_on(game: Game, number: int, former: Player, seats: Iterable[Seat]) -> None:
    """A new person plays for somebody: they are told, and so are the others at the table."""
    key = f"{PASSED} {number} {game.revision}"
    tell_player(game, former, number, PASSED, key)
    rest = [each for each in seats if each.number != number]
    tell(game, rest, SEATS, key, f"A new person plays instead of {former}.")


def _row(
    game: Game, player: Player, seat: int, kind: str, key: str, says: str, now: datetime, due: datetime
) -> list[Row]:
    """One row for each way to tell this person."""
    channels = (MAIL, PUSH) if player.has_push else (MAIL,)
    fixed = (player.pk, game.pk, seat, key[:LONGEST_KEY], kind)
    said = says[:LONGEST_SAYING]
    return [(*fixed, channel, said, now, due, False, False, 0, "") for channel in channels]
