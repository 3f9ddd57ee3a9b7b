"""The lobby's verbs: open a table, sit down, leave, start. Pages and the API both come here.

Every verb locks the table's row, checks who asks, and changes everything or nothing; a refusal is an
IllegalAction. Whoever calls a verb that may start a game wakes the bots afterwards (robots.wake). What happens to seats
after the start is in games/begun.py; its refusals are listed here as well.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from players.guests import clean_name, end_other_ways_in
from players.models import Block

from . import clocks, doorbell, notices, play, reliability, usual_orders
from .engine import RULESETS
from .engine.bots import LEVELS
from .engine.core.refusals import IllegalAction, Reason, reasons
from .engine.core.rules import Rules
from .models import Game, Notice, Seat, key
from .registry import ENTRIES

MOST_OPEN_TABLES = 3
LONGEST_ENTROPY = 64
WARNED_DAYS = 2  # before a table closes that never began; a mail says so (games/notices.py)
KINDS = ("me", "open", "link", "bot", "same_device")

reasons(
    no_such_game=Reason("This site has no game called “{what}”."),
    bad_seats=Reason("{game} is for {players} players."),
    bad_seat=Reason("A seat must be yours, open, by invitation link, for a bot, or for someone on the same device."),
    two_mes=Reason("You can take only one seat. For people beside you, choose “same device”."),
    no_such_bot=Reason("This game has no such bot."),
    bad_name=Reason("{what}"),
    bad_pace=Reason("A table can be live, for an evening, over days, or without hurry."),
    bad_clock=Reason("This clock doesn’t fit the pace of the table. Choose another one, or none."),
    bad_options=Reason("Give the table options as names with values."),
    too_many_tables=Reason("You already have {most} tables waiting for players. Cancel one first."),
    too_many_games=Reason("You already have {most} games running. Finish one first."),
    not_host=Reason("Only the host of this table can do that."),
    not_seated=Reason("You aren’t a player at this table."),
    only_players=Reason("Only the players of this game can ask for a rematch."),
    no_company=Reason("You can’t join this table. You and somebody there have no contact, as one of you wanted."),
    link_only=Reason("You need the invitation link to join this table. Ask the host for it."),
    begun=Reason("This game has already started."),
    closed=Reason("This table is closed."),
    table_full=Reason("All seats at this table are taken."),
    seat_taken=Reason("Somebody else already has this seat."),
    already_seated=Reason("You already have a seat at this table."),
    no_such_seat=Reason("This table has no such seat."),
    not_full=Reason("The game can start once every seat is taken."),
    host_stays=Reason("You host this table, so you can’t leave it. You can cancel it instead."),
    nobody_there=Reason("Nobody sits in this seat."),
    too_early=Reason("The game can go on without the missing answers once it has waited for {days} days."),
    not_silent=Reason("A bot can take over once a player hasn’t answered for {days} days."),
    no_clock=Reason("This table has no clock, so it needs no pause."),
    bad_pause=Reason("A pause takes an hour, a day, three days or a week. During a pause you can ask to end it."),
    no_pause=Reason("Nobody has asked for a pause."),
    nothing_kept=Reason("No bot is playing for you at this table."),
    no_lesson=Reason("This game has no lesson."),
    not_running=Reason("This game isn’t running."),
    not_finished=Reason("You can ask for a rematch once the game is over."),
    not_over=Reason("You can share a game once it is over."),
    no_rematch=Reason("There is no rematch to decline."),
    not_own_seat=Reason("You can make a return link only for your own seat."),
    not_a_guest=Reason("Only guests have a return link. This player has an account and can log in."),
    bad_entropy=Reason("Use up to {most} ordinary letters, digits or signs."),
)

FORBIDDEN = {
    "unreliable",
    "no_company",
    "played_here",
    "same_browser",
    "may_look",
    "not_host",
    "not_seated",
    "not_own_seat",
    "only_players",
    "link_only",
    "host_stays",
}
CONFLICT = {
    "no_seat_vote",
    "not_free",
    "too_many_tables",
    "too_many_games",
    "begun",
    "closed",
    "table_full",
    "seat_taken",
    "already_seated",
    "not_full",
    "nobody_there",
    "too_early",
    "not_silent",
    "nothing_kept",
    "no_clock",
    "no_pause",
    "not_running",
    "not_finished",
    "no_rematch",
}


def status_of(refusal: IllegalAction) -> int:
    """The HTTP status that fits a refusal of the lobby."""
    if refusal.code in FORBIDDEN:
        return 403
    return 409 if refusal.code in CONFLICT else 422


@dataclass(frozen=True)
class SeatPlan:
    """Who is to sit in a seat of a new table."""

    kind: str
    level: str = ""  # of a bot
    name: str = ""  # of somebody on the same device


# ---- opening a table


def create(
    host: Any,
    ruleset: object,
    options: object,
    seats: Sequence[SeatPlan | Mapping[str, Any]],
    is_public: bool = True,
    hand_over: bool = True,
    pace: object = "",
    clock: object = "",
    least_reliability: object = 0,
    private_talk: bool = False,
) -> Game:
    """Open a table. If there is nobody to wait for, the game starts at once.

    Without a clock named, the table has the one that fits its pace."""
    rules = _rules(ruleset)
    pace, clock = _checked_pace(pace, clock)
    if not isinstance(options, Mapping):
        raise IllegalAction("bad_options")
    plans = _checked_plans(rules, seats)
    game = Game(
        ruleset=rules.slug,
        rules_version=rules.version,
        options=rules.complete({**rules.usual_options(_people_apart(plans), pace), **options}),
        host=host,
        is_public=bool(is_public),
        hand_over=bool(hand_over),
        pace=pace,
        clock=clock,
        least_reliability=reliability.checked_least(least_reliability),
        private_talk=bool(private_talk),
    )
    with transaction.atomic():
        lock_player(host)
        check_running_limit(host)
        if any(plan.kind in ("open", "link") for plan in plans):
            _check_open_limit(host)
        play.prepare(game)
        Seat.objects.bulk_create(_planned_seat(game, n, plan) for n, plan in enumerate(plans))
        start_if_nobody_is_missing(game)
    return game


def quick_game(player: Any, ruleset: str, level: str = "") -> Game:
    """Against as many bots as the game's entry says, at once."""
    quick = ENTRIES[ruleset].quick_start
    return create(player, ruleset, {}, [SeatPlan("me"), *[SeatPlan("bot", level=level or quick.level)] * quick.bots])


def lesson(player: Any, ruleset: str) -> Game:
    """A guided first game: one person among gentle bots, private, with the chance of its script.

    Nothing else makes a lesson: `create`, which forms and the API call, has no way to ask for one."""
    taught = ENTRIES[ruleset].lesson if ruleset in ENTRIES else None
    if taught is None:
        raise IllegalAction("no_lesson")
    rules, plans = RULESETS[ruleset], [SeatPlan("me"), *[SeatPlan("bot", level=taught.level)] * taught.bots]
    game = Game(
        ruleset=rules.slug,
        rules_version=rules.version,
        options=rules.complete(rules.usual_options(1)),
        host=player,
        is_public=False,
        is_lesson=True,
    )
    with transaction.atomic():
        lock_player(player)
        check_running_limit(player)
        play.prepare(game, taught.script)
        Seat.objects.bulk_create(_planned_seat(game, n, plan) for n, plan in enumerate(plans))
        start_if_nobody_is_missing(game)
    return game


def quick_invitation(player: Any, ruleset: str) -> Game:
    """A private table with seats for friends; it starts when all of them have opened the link."""
    seats = [SeatPlan("me"), *[SeatPlan("link")] * ENTRIES[ruleset].quick_start.friends]
    return create(player, ruleset, {}, seats, is_public=False)


BESIDE = ("Second player", "Third player", "Fourth player")


def quick_same_device(player: Any, ruleset: str, people: int = 0) -> Game:
    """So many people at one screen, at once; whoever wants other names sets up a table."""
    quick = ENTRIES[ruleset].quick_start
    beside = people - 1 if people else quick.beside
    seats = [SeatPlan("me"), *(SeatPlan("same_device", name=name) for name in BESIDE[:beside])]
    return create(player, ruleset, {}, seats, is_public=False, hand_over=quick.hand_over)


def _rules(ruleset: object) -> Rules:
    if not isinstance(ruleset, str) or ruleset not in RULESETS:
        raise IllegalAction("no_such_game", what=str(ruleset)[:40])
    return RULESETS[ruleset]


def _checked_plans(rules: Rules, seats: Sequence[SeatPlan | Mapping[str, Any]]) -> list[SeatPlan]:
    plans = [_checked_plan(rules, seat) for seat in seats[: max(rules.players) + 1]]
    if len(plans) not in rules.players:
        least, most = min(rules.players), max(rules.players)
        players = str(least) if least == most else f"{least} to {most}"
        raise IllegalAction("bad_seats", game=rules.name, players=players)
    if sum(plan.kind == "me" for plan in plans) > 1:
        raise IllegalAction("two_mes")
    return plans


def _checked_pace(pace: object, clock: object) -> tuple[str, str]:
    """The names of a table's pace and clock, as they are stored."""
    found = clocks.PACES.get(pace) if isinstance(pace, str) else None
    if found is None:
        raise IllegalAction("bad_pace")
    if clock == "":
        return found.slug, found.clock
    if not isinstance(clock, str) or not clocks.fits(found, clock):
        raise IllegalAction("bad_clock")
    return found.slug, "" if clock == clocks.NO_CLOCK else clock


def _people_apart(plans: list[SeatPlan]) -> int:
    """How many devices people play from: whoever opens the table has one with all who share it."""
    here = any(plan.kind in ("me", "same_device") for plan in plans)
    return here + sum(plan.kind in ("open", "link") for plan in plans)


def _checked_plan(rules: Rules, seat: SeatPlan | Mapping[str, Any]) -> SeatPlan:
    if isinstance(seat, Mapping):
        seat = SeatPlan(seat.get("kind") or "", seat.get("level") or "", seat.get("name") or "")
    if seat.kind not in KINDS:
        raise IllegalAction("bad_seat")
    if seat.kind == "bot":
        return SeatPlan("bot", level=_checked_level(rules.slug, seat.level))
    if seat.kind == "same_device":
        return SeatPlan("same_device", name=_checked_name(seat.name))
    return SeatPlan(seat.kind)


def _checked_level(ruleset: str, level: object) -> str:
    if not isinstance(level, str) or level not in LEVELS.get(ruleset, {}):
        raise IllegalAction("no_such_bot")
    return level


def _checked_name(name: object) -> str:
    try:
        return clean_name(name)
    except ValidationError as error:
        raise IllegalAction("bad_name", what=error.messages[0]) from error


def _planned_seat(game: Game, number: int, plan: SeatPlan) -> Seat:
    seat = Seat(game=game, number=number, held_for=_usually_held_for(game))
    if plan.kind == "me":
        seat.player = game.host
    elif plan.kind == "bot":
        seat.bot = plan.level
    elif plan.kind == "same_device":
        seat.player, seat.held_for, seat.name = game.host, Seat.HeldFor.HOST, plan.name
    else:
        seat.held_for = Seat.HeldFor.LINK if plan.kind == "link" else Seat.HeldFor.ANYONE
    return seat


def _usually_held_for(game: Game) -> str:
    return Seat.HeldFor.ANYONE if game.is_public else Seat.HeldFor.LINK


# ---- limits


def running_games(player: Any) -> int:
    seated = Seat.objects.filter(game=OuterRef("pk"), player=player)
    return Game.objects.running().filter(Q(host=player) | Exists(seated)).count()


def open_tables(player: Any) -> int:
    """Rematches that wait for an answer do not count: they are few, and nobody opens them in advance."""
    return Game.objects.open().filter(host=player, rematch_of__isnull=True).count()


def check_running_limit(player: Any) -> None:
    if running_games(player) >= settings.MOST_RUNNING_GAMES:
        raise IllegalAction("too_many_games", most=settings.MOST_RUNNING_GAMES)


def _check_open_limit(player: Any) -> None:
    if open_tables(player) >= MOST_OPEN_TABLES:
        raise IllegalAction("too_many_tables", most=MOST_OPEN_TABLES)


def lock_player(player: Any) -> None:
    """Two tables opened at the same moment must not both be the last one allowed."""
    get_user_model().objects.select_for_update().get(pk=player.pk)


# ---- who sits where, before the start


def join(game: Game, player: Any, number: int | None = None, by_link: bool = False, entropy: object = "") -> Seat:
    """Sit down. Without a number: in the first seat that is free for this player."""
    added = _checked_entropy(entropy)
    with transaction.atomic():
        _lock_open(game)
        if game.seats.filter(player=player).exists():
            raise IllegalAction("already_seated")
        check_running_limit(player)
        reliability.check(game, player)
        check_company(game, player)
        seat = _seat_to_join(game, number, by_link or game.host_id == player.pk)
        take(seat, player, added)
        start_if_nobody_is_missing(game)
        if game.status == Game.Status.OPEN and not _is_missing_somebody(game):
            at = game.seats.filter(player=game.host).first() or seat
            notices.tell_player(game, game.host, at.number, notices.FULL, _who_is_here(game))
        seat.refresh_from_db()  # the start gives everybody their final seats
        doorbell.ring_people(game)
    return seat


def _who_is_here(game: Game) -> str:
    """Names those who sit at a full table: the host is told anew if somebody else fills it."""
    people = game.seats.order_by("pk").values_list("player_id", "bot")
    return f"{notices.FULL} {hashlib.sha256(repr(list(people)).encode()).hexdigest()[:16]}"


def check_company(game: Game, player: Any) -> None:
    """Whoever blocked somebody there, or was blocked, can't join them."""
    there = {game.host_id, *game.seats.exclude(player=None).values_list("player", flat=True)}
    if Block.objects.filter(Q(by=player, of__in=there) | Q(of=player, by__in=there)).exists():
        raise IllegalAction("no_company")


def check_joinable(game: Game, by_link: bool = False) -> None:
    """Refused, with the reason, if nobody new could sit down now."""
    _check_open(game)
    _seat_to_join(game, None, by_link)


def _seat_to_join(game: Game, number: int | None, by_link: bool) -> Seat:
    if number is not None:
        seat = seat_at(game, number)
        if seat.is_taken:
            raise IllegalAction("seat_taken")
        free = [seat]
    else:
        free = [seat for seat in game.seats.all() if not seat.is_taken]
    if not free:
        raise IllegalAction("table_full")
    for seat in free:
        if by_link or seat.held_for == Seat.HeldFor.ANYONE:
            return seat
    raise IllegalAction("link_only")


def take(seat: Seat, player: Any, entropy: str = "", name: str = "") -> None:
    """Compare and swap: of two who sit down at once, the second finds the seat taken on any database."""
    free = Seat.objects.filter(pk=seat.pk, player__isnull=True, bot="")
    if not free.update(player=player, name=name, entropy=entropy, seen_at=timezone.now()):
        raise IllegalAction("seat_taken")
    seat.refresh_from_db()


def leave(game: Game, player: Any) -> None:
    with transaction.atomic():
        _lock_open(game)
        seat = game.seats.filter(player=player).first()
        if seat is None:
            raise IllegalAction("not_seated")
        if game.host_id == player.pk:
            raise IllegalAction("host_stays")
        _free(seat)
        doorbell.ring_people(game)


def remove(game: Game, host: Any, number: int) -> None:
    """The host frees a seat: of a joiner, or of a bot."""
    with transaction.atomic():
        _lock_open(game)
        _check_host(game, host)
        seat = seat_at(game, number)
        if not seat.is_taken:
            raise IllegalAction("nobody_there")
        if seat.player_id == host.pk:
            raise IllegalAction("host_stays")
        _free(seat)
        doorbell.ring_people(game)


def _free(seat: Seat) -> None:
    seat.player, seat.bot, seat.name, seat.entropy, seat.seen_at = None, "", "", "", None
    seat.return_key = key()
    seat.save(update_fields=["player", "bot", "name", "entropy", "seen_at", "return_key"])


def add_entropy(game: Game, player: Any, text: object, number: int | None = None) -> Seat:
    """What a seat adds to the dice, for those who want to be sure that nobody chose them (reliability.md)."""
    added = _checked_entropy(text)
    with transaction.atomic():
        _lock_open(game)
        own = game.seats.filter(player=player)
        seat = (own.filter(number=number) if number is not None else own).first()
        if seat is None:
            raise IllegalAction("not_seated")
        seat.entropy = added
        seat.save(update_fields=["entropy"])
        doorbell.ring_people(game)
    return seat


def _checked_entropy(text: object) -> str:
    if not isinstance(text, str) or len(text) > LONGEST_ENTROPY or not text.isprintable():
        raise IllegalAction("bad_entropy", most=LONGEST_ENTROPY)
    return text


# ---- from open to running, or not


def start(game: Game, host: Any) -> None:
    with transaction.atomic():
        _lock_open(game)
        _check_host(game, host)
        if _is_missing_somebody(game):
            raise IllegalAction("not_full")
        _start(game)


def start_with_those_here(game: Game, host: Any) -> None:
    """Start without the free seats, if the game can be played by those who have come."""
    with transaction.atomic():
        _lock_open(game)
        _check_host(game, host)
        if not may_start_with_those_here(game):
            raise IllegalAction("not_full")
        for seat in game.seats.all():
            if not seat.is_taken:
                seat.delete()
        _start(game)


def may_start_with_those_here(game: Game) -> bool:
    taken = sum(seat.is_taken for seat in game.seats.all())
    return taken < game.seats.count() and taken in RULESETS[game.ruleset].players


def cancel(game: Game, host: Any) -> None:
    with transaction.atomic():
        _lock_open(game)
        _check_host(game, host)
        close(game)


def expire_tables() -> int:
    """Tables that waited too long for players are cancelled; how many."""
    born_before = timezone.now() - timedelta(days=settings.TABLE_EXPIRES_DAYS)
    expired = 0
    for game in Game.objects.open().filter(created_at__lt=born_before):
        with transaction.atomic():
            lock(game)
            if game.status == Game.Status.OPEN:
                close(game)
                expired += 1
    return expired


def warn_of_closing() -> int:
    """Tell who sits at tables that will soon have waited too long; how many tables those are."""
    born_before = timezone.now() - timedelta(days=settings.TABLE_EXPIRES_DAYS - WARNED_DAYS)
    told = Notice.objects.filter(game=OuterRef("pk"), kind=notices.EXPIRES)
    warned = list(Game.objects.open().filter(~Exists(told), created_at__lt=born_before))
    for game in warned:
        notices.tell(game, game.seats.select_related("player"), notices.EXPIRES, key=notices.EXPIRES)
    return len(warned)


def close(game: Game) -> None:
    game.status, game.ended_at = Game.Status.CANCELLED, timezone.now()
    game.save(update_fields=["status", "ended_at"])
    doorbell.ring_people(game)


def _start(game: Game) -> None:
    play.start(game)
    if not game.is_lesson:
        usual_orders.give(game)
        people = game.seats.select_related("player").exclude(player=None)
        if len({seat.player_id for seat in people}) > 1:  # whoever begins alone is there
            notices.tell(game, people, notices.BEGAN, key=notices.BEGAN)
    doorbell.ring_people(game)


def _is_missing_somebody(game: Game) -> bool:
    return game.seats.filter(player__isnull=True, bot="").exists()


def start_if_nobody_is_missing(game: Game) -> None:
    """Those who were invited are welcome, so a full table starts by itself. A stranger in an open seat the
    host looks at first, and starts the game or sends them away."""
    if all(seat.is_taken and not is_for_strangers(seat, game) for seat in game.seats.all()):
        _start(game)


def is_for_strangers(seat: Seat, game: Game) -> bool:
    return seat.held_for == Seat.HeldFor.ANYONE and seat.player_id != game.host_id and not seat.bot


# ---- bots


def seat_bot(game: Game, host: Any, number: int, level: object) -> Seat:
    """The host puts a bot into a free seat before the start."""
    level = _checked_level(game.ruleset, level)
    with transaction.atomic():
        _lock_open(game)
        _check_host(game, host)
        seat = seat_at(game, number)
        if seat.is_taken:
            raise IllegalAction("seat_taken")
        _put_bot(seat, level)
        start_if_nobody_is_missing(game)
        seat.refresh_from_db()
        doorbell.ring_people(game)
    return seat


def _put_bot(seat: Seat, level: str) -> None:
    seat.bot, seat.name, seat.return_key = level, "", key()
    seat.save(update_fields=["bot", "name", "return_key"])


# ---- return links


def reissue_return_key(game: Game, guest: Any, number: int) -> Seat:
    """A new return link for a guest's own seat. It ends the old link, every browser and every token of the guest."""
    with transaction.atomic():
        lock(game)
        if game.status == Game.Status.CANCELLED:
            raise IllegalAction("closed")
        seat = seat_at(game, number)
        if guest.pk not in (seat.player_id, seat.stands_in_for_id):
            raise IllegalAction("not_own_seat")
        if not guest.is_guest:
            raise IllegalAction("not_a_guest")
        seat.return_key = key()
        seat.save(update_fields=["return_key"])
        end_other_ways_in(guest)
        doorbell.ring_people(game)
    return seat


# ---- common checks


def lock(game: Game) -> None:
    """Nobody else changes this table until the transaction ends; the caller's object becomes current."""
    game.refresh_from_db(from_queryset=Game.objects.select_for_update())


def _lock_open(game: Game) -> None:
    lock(game)
    _check_open(game)


def _check_open(game: Game) -> None:
    if game.status == Game.Status.CANCELLED:
        raise IllegalAction("closed")
    if game.status != Game.Status.OPEN:
        raise IllegalAction("begun")


def _check_host(game: Game, player: Any) -> None:
    if game.host_id != player.pk:
        raise IllegalAction("not_host")


def seat_at(game: Game, number: object) -> Seat:
    seat = None
    if type(number) is int and 0 <= number < 100:
        seat = game.seats.select_related("game", "player").filter(number=number).first()
    if seat is None:
        raise IllegalAction("no_such_seat")
    return seat
