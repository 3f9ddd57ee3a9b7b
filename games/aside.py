"""Private talk between two players of a table, where the table allows it; blocks that work both ways; and reports.

Private talk belongs to the two players and not to their seats: a new person in a seat reads none of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from players.models import Block

from . import chat, doorbell, notices
from .access import Visitor
from .clocks import clock_of
from .engine.core.refusals import IllegalAction, Reason, reasons
from .models import Game, Message, PrivateMessage, Report, Seat

SHOWN = 100
LONGEST_REASON = 300
MOST_REPORTS_A_DAY = 20

reasons(
    no_private_talk=Reason("Private talk isn’t allowed at this table. The host decides that before the game."),
    nobody_to_talk_to=Reason("There is nobody in this seat you could talk to in private."),
    blocked=Reason("You and this player have no contact, as one of you wanted."),
    reason_long=Reason("Say it in up to {most} characters. This has {length}."),
    nothing_to_report=Reason("You can report what others said at a table, to you or to all who read it."),
    reports_many=Reason("You have reported a lot today. Whoever looks after this site has them and will read them."),
)

FORBIDDEN = {"no_private_talk", "nobody_to_talk_to", "blocked", "nothing_to_report"}


def status_of(refusal: IllegalAction) -> int:
    return 403 if refusal.code in FORBIDDEN else 429 if refusal.code in ("reports_many", "chat_fast") else 422


# ---- blocks


def blocked_for(player: Any) -> frozenset[int]:
    """Keys of those with whom this player has no contact, whoever of the two wanted that."""
    if not player.is_authenticated:
        return frozenset()
    rows = Block.objects.filter(Q(by=player) | Q(of=player)).values_list("by", "of")
    return frozenset({key for pair in rows for key in pair} - {player.pk})


def blocks_among(lines: Sequence[Message]) -> frozenset[tuple[int, int]]:
    """The blocks of those who wrote these lines, as pairs; read once for everybody who reads them."""
    authors = {line.player_id for line in lines if line.player_id is not None}
    rows = Block.objects.filter(Q(by__in=authors) | Q(of__in=authors)).values_list("by", "of")
    return frozenset(rows) if authors else frozenset()


def readable(visitor: Visitor, lines: Sequence[Message], blocks: frozenset[tuple[int, int]]) -> list[Message]:
    """The lines without those of people with whom this visitor has no contact."""
    own = visitor.player.pk
    return [line for line in lines if not {(own, line.player_id), (line.player_id, own)} & blocks]


def lines_for(visitor: Visitor) -> list[Message]:
    """The table's talk as this visitor reads it."""
    lines = chat.lines_for(visitor)
    return readable(visitor, lines, blocks_among(lines))


def block(player: Any, other: Any) -> None:
    if player.pk != other.pk:
        Block.objects.get_or_create(by=player, of=other)


def unblock(player: Any, other: int) -> None:
    """Take one's own block back; the other's stays."""
    Block.objects.filter(by=player, of_id=other).delete()


# ---- private talk


@dataclass(frozen=True)
class Partner:
    """Somebody a visitor may talk to in private."""

    number: int
    name: str
    unread: int


def partners(visitor: Visitor) -> tuple[Partner, ...]:
    """Everybody else at the table who plays on a device of their own."""
    game = visitor.game
    if not _may_talk(visitor):
        return ()
    away = blocked_for(visitor.player)
    unread = list(
        PrivateMessage.objects.filter(game=game, to=visitor.player, read_at=None).values_list("player", flat=True)
    )
    found = {}
    for seat in visitor.seats:
        key = seat.player_id or seat.stands_in_for_id
        if key is not None and key != visitor.player.pk and key not in away and key not in found:
            found[key] = Partner(seat.number, seat.label, unread.count(key))
    return tuple(found.values())


def _may_talk(visitor: Visitor) -> bool:
    running = visitor.game.status in (Game.Status.RUNNING, Game.Status.FINISHED)
    return visitor.game.private_talk and running and visitor.is_player and not visitor.shares_device


def partner_in(visitor: Visitor, number: int) -> Any:
    """The player in a seat; refused if this visitor can't talk to them."""
    if not _may_talk(visitor):
        raise IllegalAction("no_private_talk")
    seats = Seat.objects.filter(game=visitor.game, number=number).select_related("player", "stands_in_for")
    seat = seats.first()
    other = (seat.player or seat.stands_in_for) if seat else None
    if other is None or other.pk == visitor.player.pk:
        raise IllegalAction("nobody_to_talk_to")
    if other.pk in blocked_for(visitor.player):
        raise IllegalAction("blocked")
    return other


def between(visitor: Visitor, other: Any) -> list[PrivateMessage]:
    """What the two have said here, oldest first; what this visitor had not read is read now."""
    me = visitor.player
    talk = PrivateMessage.objects.filter(Q(player=me, to=other) | Q(player=other, to=me), game=visitor.game)
    found = list(talk.order_by("-pk")[:SHOWN])[::-1]
    talk.filter(to=me, read_at=None).update(read_at=timezone.now())
    return found


def say(visitor: Visitor, number: int, text: str) -> PrivateMessage:
    line = chat.clean(text)
    with transaction.atomic():
        other = partner_in(visitor, number)
        since = timezone.now() - chat.AT_ONCE
        if PrivateMessage.objects.filter(player=visitor.player, at__gt=since).count() >= chat.MOST_AT_ONCE:
            raise IllegalAction("chat_fast")
        said = PrivateMessage.objects.create(game=visitor.game, player=visitor.player, to=other, text=line)
        _show_to(visitor.game, other)
        _tell(visitor.game, other, said.at)
    return said


def _show_to(game: Game, other: Any) -> None:
    """The page of the one it is for hears of it, and no other page: who talks to whom is nobody's business."""
    doorbell.ring_player(other.pk)


# ---- news for those who are away: never a word of what was written, nor who wrote it


def _tell(game: Game, other: Any, at: datetime) -> None:
    """Whoever was written to in private is told once, until they have read it."""
    seats = list(game.seats.filter(Q(player=other) | Q(stands_in_for=other)).select_related("player", "stands_in_for"))
    first = unread(game, other).order_by("pk").first()
    if first is not None and len(seats) == 1:  # at a shared screen nobody has private talk
        notices.tell_written(game, seats[0], notices.WROTE, f"{notices.WROTE} {first.pk}", at)


def unread(game: Game, player: Any) -> QuerySet[PrivateMessage]:
    """What was written to a player in private, by people with whom they have contact, and they have not read."""
    found = PrivateMessage.objects.filter(game=game, to=player, read_at=None)
    return found.exclude(player__in=blocked_for(player))


def unread_by(visitor: Visitor) -> int:
    """How much of it waits for this visitor, at the tables where there is any."""
    return unread(visitor.game, visitor.player).count() if _may_talk(visitor) else 0


def say_to_table(visitor: Visitor, text: object) -> Message:
    """Say something in the talk of the table; its other players are told once, until they look at the table."""
    with transaction.atomic():
        said = chat.say(visitor, text)
        clock = clock_of(visitor.game.clock)
        if not said.by_spectator and not (clock and clock.is_live):  # at a live table everybody is there
            others = visitor.game.seats.exclude(player=None).exclude(player=visitor.player).select_related("player")
            away = blocked_for(visitor.player)
            for seat in {each.player_id: each for each in others if each.player_id not in away}.values():
                seen = int(seat.seen_at.timestamp()) if seat.seen_at else 0
                notices.tell_written(visitor.game, seat, notices.TALK, f"{notices.TALK} {seen}", said.at)
    return said


def said_since(game: Game, player: Any, when: datetime) -> bool:
    """Whether another player of the table has said something since then that this one may read."""
    said = Message.objects.filter(game=game, at__gte=when, by_spectator=False).exclude(player=player)
    return said.exclude(player__in=blocked_for(player)).exists()


# ---- reports


@dataclass(frozen=True)
class Reported:
    """What somebody said, as whoever reports it has read it."""

    author: Any
    text: str
    at: datetime
    is_private: bool


def to_report(visitor: Visitor, number: int, is_private: bool) -> Reported:
    """A message that this visitor could read, of somebody else."""
    if not visitor.player.is_authenticated:
        raise IllegalAction("nothing_to_report")
    if is_private:
        private = PrivateMessage.objects.filter(pk=number, game=visitor.game, to=visitor.player).select_related(
            "player"
        )
        for each in private:
            return Reported(each.player, each.text, each.at, True)
    read = {message.pk for message in lines_for(visitor)}
    public = Message.objects.filter(pk=number, game=visitor.game, pk__in=read).exclude(player=visitor.player)
    for said in public.select_related("player") if not is_private else ():
        return Reported(said.player, said.text, said.at, False)
    raise IllegalAction("nothing_to_report")


def report(visitor: Visitor, number: int, is_private: bool, why: str) -> Report:
    """Show a message to whoever looks after this site; reported again, it is one report still."""
    why = " ".join(why.split())
    if len(why) > LONGEST_REASON:
        raise IllegalAction("reason_long", most=LONGEST_REASON, length=len(why))
    if not why.isprintable():
        raise IllegalAction("nothing_to_report")
    said = to_report(visitor, number, is_private)
    today = timezone.now() - timedelta(days=1)
    if Report.objects.filter(by=visitor.player, at__gt=today).count() >= MOST_REPORTS_A_DAY:
        raise IllegalAction("reports_many")
    made, _ = Report.objects.update_or_create(
        game=visitor.game,
        by=visitor.player,
        author=said.author,
        text=said.text,
        said_at=said.at,
        is_private=said.is_private,
        defaults={"why": why},
    )
    return made
