"""Send the news that games/notices.py has written, if it still stands: to nobody who is looking at the table or wants
quiet, and to some in one mail a day.

A mail shows what a spectator may know, and what question waits only if everybody knows that it does. `send_due` waits
for the mail server, so it has a thread of its own (games/caretaker.py).
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.mail import EmailMessage
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from kadab.mail import MOST_AT_ONCE, MOST_TRIES, Enclosure, Outgoing, send, written
from players.telling import ALL, MAIL, is_told, next_digest, quiet_until, unsubscribe_path

from . import aside, bounces, newcomers, play, tables
from .access import Visitor, seats_of
from .clocks import clock_of, local
from .engine import RULESETS
from .models import Game, Notice, Seat, TableAddress
from .notices import (
    BEGAN,
    EXPIRES,
    FULL,
    KINDS,
    OVER,
    PASSED,
    PAUSE,
    PERSON,
    REMATCH,
    REMINDER,
    SEATS,
    TAKEN,
    TALK,
    TURN,
    VOTE,
    WISH,
    WROTE,
    deadline_of,
    remind_at,
)
from .painting import fragments
from .painting.alone import board_alone
from .registry import ENTRIES

if TYPE_CHECKING:
    from players.models import Player

log = logging.getLogger(__name__)

LOOKING_SECONDS = 45  # a page that is seen says so every 30 seconds at the latest
LONGEST_REFUSAL = 60
NO_SUCH_ADDRESS = "SMTPRecipientsRefused 55"  # for good
MOST_BOARDS = 3  # in a daily mail
MOST_LINES = 12  # of what happened since

# ---- what still stands


def due(channel: str) -> QuerySet[Notice]:
    return Notice.objects.filter(channel=channel, settled_at=None, due_at__lte=timezone.now())


def is_needed_now(notice: Notice) -> bool:
    """Whether to send this notice now; otherwise settle it, or keep it until its moment has come."""
    player, now = notice.player, timezone.now()
    if not (player.is_active and is_told(player, notice.channel, notice.kind) and STANDS[notice.kind](notice)):
        settle(notice)
        return False
    later = _looked_until(notice, now) or _too_early_for(notice, now) or quiet_until(player, now)
    if later is not None and later > now:
        Notice.objects.filter(pk=notice.pk).update(due_at=later)
        return False
    return True


def _looked_until(notice: Notice, now: datetime) -> datetime | None:
    """Until when the player may be looking at the table."""
    patience = timedelta(seconds=max(LOOKING_SECONDS, settings.NOTICE_DELAY_SECONDS))
    seen = _seen_at(notice)
    return seen + patience if seen is not None and now - seen < patience else None


def _seen_at(notice: Notice) -> datetime | None:
    """When the player last looked at the table; only what happened later is news to them."""
    seats = Seat.objects.filter(Q(player=notice.player) | Q(stands_in_for=notice.player), game=notice.game)
    return max((seat.seen_at for seat in seats if seat.seen_at is not None), default=None)


def _too_early_for(notice: Notice, now: datetime) -> datetime | None:
    """Clocks may have been moved since a reminder was written."""
    seat = _seat_asked(notice) if notice.kind == REMINDER else None
    return remind_at(notice.game, seat, notice.at) if seat else None


def _seat_asked(notice: Notice) -> Seat | None:
    asked = Seat.objects.filter(game=notice.game, number=notice.seat, player=notice.player, is_asked=True)
    return asked.filter(decision=notice.decision).first()


def _still_asked(notice: Notice) -> bool:
    return _seat_asked(notice) is not None


def _still_in_time(notice: Notice) -> bool:
    seat = _seat_asked(notice)
    ends = deadline_of(notice.game, seat) if seat else None
    return ends is not None and ends > timezone.now()


def _still_kept(notice: Notice) -> bool:
    return Seat.objects.filter(game=notice.game, number=notice.seat, stands_in_for=notice.player).exists()


def _is_gone(notice: Notice) -> bool:
    """Whether somebody else plays in the seat; who looks from it now is not this player."""
    return not Seat.objects.filter(game=notice.game, player=notice.player).exists()


def _still_full(notice: Notice) -> bool:
    game = notice.game
    return game.status == Game.Status.OPEN and not game.seats.filter(player=None, bot="").exists()


def _still_open(notice: Notice) -> bool:
    return notice.game.status == Game.Status.OPEN


def _is_wanted_again(notice: Notice) -> bool:
    again = notice.game.rematch
    return (
        again is not None and again.status == Game.Status.OPEN and not again.seats.filter(player=notice.player).exists()
    )


def _has_not_looked(notice: Notice) -> bool:
    seen = _seen_at(notice)
    return seen is None or seen <= notice.at


def _begins_without_them(notice: Notice) -> bool:
    """Whoever is asked at once is told that it is their turn."""
    player, game = notice.player, notice.game
    asked = game.seats.filter(player=player, is_asked=True).exists() and is_told(player, notice.channel, TURN)
    return game.status == Game.Status.RUNNING and not asked and _has_not_looked(notice)


def _still_to_vote(notice: Notice) -> bool:
    """What was asked has not been settled, and this player has neither looked nor answered."""
    game = notice.game
    if notice.decision.startswith(PAUSE):
        return bool(game.pause) and notice.player_id not in game.pause["yes"]
    if notice.decision.startswith(PERSON):
        voted_on = (seat for seat in newcomers.seats_of(game) if notice.decision.split()[1] == str(seat.number))
        return any(notice.player_id not in seat.votes for seat in voted_on)
    if notice.decision.startswith(WISH):
        with contextlib.suppress(play.NeedsUpgrade):
            return any(offer.reply for offer in play.view_of(game, notice.seat).offers)
        return False
    return game.status in (Game.Status.OPEN, Game.Status.RUNNING) and _has_not_looked(notice)


def _still_unread(notice: Notice) -> bool:
    """Whether it has not been read, and they still play there; since a block, nothing of the other is for them."""
    here = Seat.objects.filter(Q(player=notice.player) | Q(stands_in_for=notice.player), game=notice.game)
    return here.exists() and aside.unread(notice.game, notice.player).exists()


def _has_missed_talk(notice: Notice) -> bool:
    return _has_not_looked(notice) and aside.said_since(notice.game, notice.player, notice.at)


STANDS: dict[str, Callable[[Notice], bool]] = {
    TURN: _still_asked,
    REMINDER: _still_in_time,
    FULL: _still_full,
    BEGAN: _begins_without_them,
    VOTE: _still_to_vote,
    TAKEN: _still_kept,
    PASSED: _is_gone,
    SEATS: lambda notice: notice.game.status == Game.Status.RUNNING and _has_not_looked(notice),
    OVER: _has_not_looked,
    REMATCH: _is_wanted_again,
    EXPIRES: _still_open,
    WROTE: _still_unread,
    TALK: _has_missed_talk,
}


def settle(notice: Notice, **more: Any) -> bool:
    """Whether this process was the first to settle it."""
    return bool(Notice.objects.filter(pk=notice.pk, settled_at=None).update(settled_at=timezone.now(), **more))


# ---- mail


def send_due() -> int:
    """Send what is due by mail and still needed; returns how many mails went out."""
    waiting = due(MAIL)
    found = list(waiting.select_related("player", "game__rematch").order_by("due_at")[:MOST_AT_ONCE])
    if not all(notice.player.email for notice in found):  # most guests have no address: one statement for them all
        left = TableAddress.objects.filter(player=OuterRef("player"), game=OuterRef("game"))
        waiting.filter(~Exists(left), player__email="").update(settled_at=timezone.now())
    needed = [notice for notice in found if address_of(notice) and _may_be_mailed(notice) and is_needed_now(notice)]
    return send([Mailing(notices) for notices in _by_mail(needed)])


def address_of(notice: Notice) -> str:
    """Where its player is told: at their own address, or at the one a guest has left for this table."""
    if notice.player.email:
        return notice.player.email
    left = TableAddress.objects.filter(player=notice.player, game=notice.game).first()
    return left.address if left else ""


def _may_be_mailed(notice: Notice) -> bool:
    player = notice.player
    if player.mail_my_turn and not player.mail_trouble and not is_unconfirmed(player):
        return True
    settle(notice)
    return False


def is_unconfirmed(player: Player) -> bool:
    """Whether the player's address is unconfirmed: it may be a stranger's."""
    return bool(EmailAddress.objects.filter(user=player, email__iexact=player.email, verified=False).exists())


def _by_mail(notices: Iterable[Notice]) -> list[list[Notice]]:
    """What goes into each mail: one notice, or all of a player's day. A reminder waits for no daily mail."""
    mails: list[list[Notice]] = []
    daily: dict[tuple[int, str], list[Notice]] = {}
    for notice in notices:
        at = next_digest(notice.player, timezone.now()) if notice.kind != REMINDER else None
        if at is None:
            mails.append([notice])
        elif notice.in_digest:
            daily.setdefault((notice.player_id, address_of(notice)), []).append(notice)
        else:
            Notice.objects.filter(pk=notice.pk).update(due_at=at, in_digest=True)
    return [*mails, *daily.values()]


@dataclass
class Mailing(Outgoing):
    """A mail of one notice or, once a day, of several.

    It is claimed by settling the notices, so that of several processes only one sends it, and nobody is told twice: a
    crash in between costs one mail, the other order would cost somebody's patience.
    """

    notices: list[Notice]
    claimed: list[Notice] = field(default_factory=list)
    is_patient = True

    @property
    def tries(self) -> int:
        return max(notice.tries for notice in self.notices)

    def claim(self) -> bool:
        self.claimed = [notice for notice in self.notices if settle(notice, sent=True)]
        return bool(self.claimed)

    def message(self) -> EmailMessage:
        return mail(self.claimed[0]) if len(self.claimed) == 1 else daily_mail(self.claimed)

    def put_off(self, until: datetime) -> None:
        rows = Notice.objects.filter(pk__in=[notice.pk for notice in self.claimed or self.notices])
        if not self.claimed:  # another process may have reached the mail server and sent these
            rows = rows.filter(settled_at=None)
        rows.update(settled_at=None, sent=False, due_at=until, tries=min(self.tries + 1, MOST_TRIES))

    def done(self) -> None:
        """They were settled when they were claimed."""

    def give_up(self, reason: str) -> None:
        """Keep the reason for the player and the operator to see."""
        rows = Notice.objects.filter(pk__in=[notice.pk for notice in self.claimed])
        rows.update(sent=False, refused=reason[:LONGEST_REFUSAL])
        if reason.startswith(NO_SUCH_ADDRESS):  # a server that is asked again and again may refuse all our mail
            player = self.claimed[0].player
            player.mail_trouble = reason[:LONGEST_REFUSAL]
            player.save(update_fields=["mail_trouble"])


# ---- what a mail says


@dataclass(frozen=True)
class Said:
    """One piece of news in words, by what a spectator may know."""

    notice: Notice
    subject: str
    lead: str
    stands: str = ""  # where in the game it stands, and what is asked if everybody may know
    deadline: str = ""
    since: tuple[str, ...] = ()

    @property
    def link(self) -> str:
        return settings.SITE_URL + self.notice.game.get_absolute_url()


def said(notice: Notice) -> Said:
    game, kind = notice.game, KINDS[notice.kind]
    table = table_of(game, notice.seat)
    lead = kind.lead.format(table="{table}")  # a name may look like a blank
    lead, subject = lead.replace("{table}", table), kind.subject.replace("{table}", table)
    if notice.says:
        lead = f"{lead} {notice.says}"
    if notice.kind == OVER:
        return Said(notice, subject, f"{lead} {result_of(game)}")
    if game.status != Game.Status.RUNNING or notice.kind in (WROTE, TALK):
        return Said(notice, subject, lead)
    seat = game.seats.select_related("player", "game").filter(number=notice.seat).first()
    stands, since = _stands(game, seat, notice)
    return Said(notice, subject, lead, stands, deadline_in_words(notice), since)


def table_of(game: Game, number: int) -> str:
    """The game and who else plays, as one player calls the table."""
    others = [seat.label for seat in seats_of(game) if seat.number != number and seat.label]
    return RULESETS[game.ruleset].name + (f" with {', '.join(others)}" if others else "")


def deadline_in_words(notice: Notice) -> str:
    """Until when the player may answer, in their own time zone; nothing where no clock runs."""
    game, clock = notice.game, clock_of(notice.game.clock)
    seat = _seat_asked(notice) if notice.kind in (TURN, REMINDER) else None
    ends = deadline_of(game, seat) if seat else None
    return local(ends, notice.player.hours, is_live=clock.is_live) if clock and ends else ""


def result_of(game: Game) -> str:
    names = [seat.label for seat in seats_of(game) if seat.number in game.winners]
    how = RULESETS[game.ruleset].endings.get(game.ended_how, "")
    return f"{' and '.join(names) if names else 'Nobody'} won{f' {how}' if how else ''}."


def _stands(game: Game, seat: Seat | None, notice: Notice) -> tuple[str, tuple[str, ...]]:
    """Where it stands and what happened since the player acted last; nothing of a game that cannot be opened."""
    try:
        scene = outside(game)
        prompt = fragments.prompt_of(scene)
        acted = play.acted_last(game, notice.seat)
    except play.NeedsUpgrade:
        return "", ()
    lines = [line.text for line in scene.lines if line.revision > acted and not line.taken_back]
    words = [prompt["title"], *prompt["details"]]
    if seat is not None and seat.asked_openly and notice.kind in (TURN, REMINDER):
        own = Visitor(game, notice.player, (seat,), seat, seats=seats_of(game))
        words = [fragments.prompt_of(tables.scene_for(own))["title"], *prompt["details"]]
    dropped = len(lines) - MOST_LINES
    earlier = (f"… and {dropped} things before",) if dropped > 0 else ()
    return " · ".join(word.strip() for word in words if word.strip()), (*earlier, *lines[-MOST_LINES:])


def outside(game: Game) -> Any:
    """The table as somebody at it sees it between two seats of a shared device: nothing that one seat alone knows."""
    seats = seats_of(game)
    return tables.scene_for(Visitor(game, game.host, seats, None, seats=seats))


def mail(notice: Notice) -> EmailMessage:
    news = said(notice)
    return _written([news], news.subject, notice.kind)


def daily_mail(notices: Sequence[Notice]) -> EmailMessage:
    news = [said(notice) for notice in notices]
    count = len({notice.game_id for notice in notices})
    return _written(news, f"Kadab: {count} game{' has' if count == 1 else 's have'} news for you", ALL)


def _written(news: Sequence[Said], subject: str, kind: str) -> EmailMessage:
    player = news[0].notice.player
    stop = settings.SITE_URL + unsubscribe_path(player.pk, MAIL, kind)
    facts = {"player": player, "news": news, "preferences": settings.SITE_URL + reverse("account"), "stop": stop}
    return written(
        subject,
        render_to_string("mail/news.txt", facts).strip() + "\n",
        address_of(news[0].notice),
        ENTRIES[news[0].notice.game.ruleset].mail_picture,
        _boards(news),
        List_Unsubscribe=f"<{stop}>",
        X_Kadab_Notice=bounces.mark_of(news[0].notice),
        List_Unsubscribe_Post="List-Unsubscribe=One-Click",
        Auto_Submitted="auto-generated",
    )


def _boards(news: Sequence[Said]) -> list[Enclosure]:
    """The boards as spectators see them. They go along in the mail: to fetch one would tell when it was read."""
    games = {each.notice.game_id: each.notice.game for each in news if each.notice.game.started_at is not None}
    found = []
    for game in list(games.values())[:MOST_BOARDS]:
        try:
            drawn = board_alone(play.view_of(game, None), game.public_id)
        except play.NeedsUpgrade:
            continue
        except Exception as error:  # a mail without its picture is better than none
            log.warning("the board of %s could not be drawn for a mail: %s", game.public_id, type(error).__name__)
            continue
        found.append(Enclosure("board.svg", drawn, "image/svg+xml"))
    return found
