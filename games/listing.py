"""What the lobby lists: games and tables as rows. Writes nothing; games/rooms.py shows one table."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format

from . import newcomers, reliability
from .clocks import PACES, local
from .engine import RULESETS
from .engine.bots import LEVELS
from .engine.bots.base import Level
from .models import Game, GameQuerySet, Seat
from .registry import ENTRIES, Picture
from .reliability import Reliability

LONGEST_LIST = 20
REMATCH_BADGES = {"open": "rematch requested", "running": "rematch running", "finished": "rematch played"}

Only = Collection[str] | None  # public ids of the tables a session may know as its player's; None for all

SEATS = Prefetch("seats", Seat.objects.select_related("player").order_by("number"))


@dataclass(frozen=True)
class Row:
    """One game or table in a list."""

    url: str
    title: str
    picture: Picture | None  # what stands for the game in a list
    facts: tuple[str, ...]
    side: str = ""  # the army shown beside the facts: light, dark or random
    side_text: str = ""
    result: str = ""  # won, lost or drawn, for this player
    result_text: str = ""
    yours: bool = False
    badge: str = ""
    button: str = ""  # a link to the table that says what is to be done there
    join: str = ""  # where to post to sit down
    rematch: str = ""  # where to post for a rematch


@dataclass(frozen=True)
class Section:
    slug: str
    title: str
    rows: tuple[Row, ...]

    @property
    def counts(self) -> bool:
        return self.slug == "waiting"


@dataclass(frozen=True)
class Lists:
    """Everything the lobby lists for one player."""

    sections: tuple[Section, ...]
    waiting: int

    @property
    def title(self) -> str:
        return f"({self.waiting}) Kadab" if self.waiting else "Kadab"

    @property
    def digest(self) -> str:
        """Changes when, and only when, the lists do."""
        return digest(self)


def digest(shown: object) -> str:
    return hashlib.sha256(repr(shown).encode("utf-8", "replace")).hexdigest()[:16]


# ---- the lobby


def lists_for(player: Any, only: Only = None, played_here: Collection[str] = ()) -> Lists:
    """Everything for a player, or of their own tables only these: a session that came by a return link sees no more.

    `played_here`: games that somebody has played in this browser."""
    mine = player.is_authenticated
    waiting = waiting_rows(player, only) if mine else ()
    sections = [
        Section("waiting", "Waiting for you", waiting),
        Section("playing", "Your other games" if waiting else "Your games", playing_rows(player, only) if mine else ()),
        Section("my-tables", "Your open tables", my_table_rows(player, only) if mine else ()),
        Section("open-tables", "Open tables", open_rows(player)),
        Section("free-seats", "Free seats in games that have begun", free_rows(player, played_here, only)),
        Section("watch", "Games to watch", watch_rows(player)),
        Section("finished", "Finished games", finished_rows(player, only) if mine else ()),
    ]
    shown = (each for each in sections if each.rows or each.slug == "open-tables")
    return Lists(tuple(shown), len(waiting))


def waiting_count(player: Any, only: Only = None) -> int:
    """The number in the header and in the page's title: of waiting_rows, counted without reading them."""
    return sum(games.count() for games in _waiting(player, only)) if player.is_authenticated else 0


def next_waiting(player: Any, at: str, only: Only = None) -> str:
    """Where the game is that has waited longest for this player, other than the one `at`; empty if none has."""
    if not player.is_authenticated:
        return ""
    asked, _, _ = _waiting(player, only)
    # `at` may be any text, and PostgreSQL fails on some: the database does not get to see it.
    game = next((game for game in asked[:2] if game.public_id != at), None)
    return game.get_absolute_url() if game else ""


def waiting_rows(player: Any, only: Only = None) -> tuple[Row, ...]:
    """Moves to make first, then rematches to answer, then full tables to start."""
    asked, offered, full = _waiting(player, only)
    rows = [_playing_row(game, player, button="Your move", yours=True) for game in asked]
    rows += [_offer_row(game, player) for game in offered]
    rows += [_open_row(game, player, button="Start the game", yours=True) for game in full]
    return tuple(rows)


def _waiting(player: Any, only: Only) -> tuple[QuerySet[Game], QuerySet[Game], QuerySet[Game]]:
    asked = _games(only).waiting_for(player).order_by("moved_at")
    return asked, _rematch_offers(player, only), _full_tables(player, only)


def _rematch_offers(player: Any, only: Only) -> QuerySet[Game]:
    """Finished games whose other player has asked for another."""
    sits_already = Seat.objects.filter(game=OuterRef("rematch"), player=player)
    finished = _games(only).finished().of(player).filter(rematch__status=Game.Status.OPEN)
    return finished.exclude(rematch__host=player).exclude(Exists(sits_already)).select_related("rematch__host")


def _full_tables(player: Any, only: Only) -> QuerySet[Game]:
    free = Seat.objects.filter(game=OuterRef("pk"), player__isnull=True, bot="")
    return _games(only).open().filter(host=player).exclude(Exists(free)).order_by("created_at")


def playing_rows(player: Any, only: Only = None) -> tuple[Row, ...]:
    """Running games in which others are to move; games between bots that the player set up count as theirs."""
    running = _games(only).running()
    theirs = (running.of(player) | running.left_by(player) | running.filter(host=player)).exclude(
        Exists(Seat.objects.filter(game=OuterRef("pk"), player=player, is_asked=True))
    )
    return tuple(_playing_row(game, player) for game in theirs.order_by("-moved_at")[: settings.MOST_RUNNING_GAMES])


def my_table_rows(player: Any, only: Only = None) -> tuple[Row, ...]:
    """Open tables the player opened or sits at, except full ones that wait for them to start."""
    free = Seat.objects.filter(game=OuterRef("pk"), player__isnull=True, bot="")
    opened = _games(only).open()
    theirs = opened.filter(host=player).filter(Exists(free)) | opened.of(player).exclude(host=player)
    return tuple(_open_row(game, player, button="Open") for game in theirs.order_by("-created_at"))


def open_rows(player: Any) -> tuple[Row, ...]:
    """Public tables with a seat for anyone."""
    free = Seat.objects.filter(game=OuterRef("pk"), player__isnull=True, bot="", held_for=Seat.HeldFor.ANYONE)
    tables = _of_others(_games().open().filter(Exists(free), is_public=True), player)
    found = list(tables.order_by("-created_at")[:LONGEST_LIST])
    reliable = reliability.of_all({game.host_id for game in found if game.clock})
    return tuple(_join_row(game, player, reliable) for game in found)


def free_rows(player: Any, played_here: Collection[str], only: Only = None) -> tuple[Row, ...]:
    """Seats of running games for which everybody there has agreed to a new person, and which this one may take.

    None for a session that came by a return link: it plays at its own tables."""
    if only is not None:
        return ()
    return tuple(_free_row(seat) for seat in newcomers.free_seats(player, played_here))


def watch_rows(player: Any) -> tuple[Row, ...]:
    games = _of_others(_games().running().filter(is_public=True), player)
    return tuple(_watch_row(game) for game in games.order_by("-moved_at")[:LONGEST_LIST])


def _of_others(games: Any, player: Any) -> Any:
    if not player.is_authenticated:
        return games
    theirs = Seat.objects.filter(Q(player=player) | Q(stands_in_for=player), game=OuterRef("pk"))
    return games.exclude(host=player).exclude(Exists(theirs))


def finished_rows(player: Any, only: Only = None) -> tuple[Row, ...]:
    finished = _games(only).finished()
    theirs = finished.of(player) | finished.filter(host=player)
    games = theirs.select_related("rematch").order_by("-ended_at")[:LONGEST_LIST]
    return tuple(_finished_row(game, player) for game in games)


def _games(only: Only = None) -> GameQuerySet:
    games = Game.objects.select_related("host").prefetch_related(SEATS)
    return games if only is None else games.filter(public_id__in=only)


# ---- rows


def _playing_row(game: Game, player: Any, button: str = "", yours: bool = False) -> Row:
    asked = [seat.label for seat in game.seats.all() if seat.asked_openly]
    facts = [_game_name(game), *filter(None, [_pace(game)])]
    if not yours:
        facts.append(f"waiting for {joined(asked) if asked else 'an answer'}{_waits_until(game, player)}")
    elif until := _until(game, player):
        facts.append(f"until {until}")
    facts.append(f"last move {ago(game.moved_at)}" if game.revision else f"started {ago(game.started_at)}")
    seat = _own_seat(game, player)
    side = "" if seat is None else RULESETS[game.ruleset].seat_names[seat].lower()
    return Row(
        url=game.get_absolute_url(),
        title=_opponents(game, player),
        picture=ENTRIES[game.ruleset].picture_of(seat),
        facts=tuple(facts),
        side=side,
        side_text=f"you play {side}" if side else "",
        yours=yours,
        badge="" if yours else "a bot plays for you" if _is_kept(game, player) else "their move",
        button=button,
    )


def _game_name(game: Game) -> str:
    return RULESETS[game.ruleset].name + (", lesson" if game.is_lesson else "")


def _pace(game: Game) -> str:
    """How a table means to play; nothing where nobody hurries."""
    pace = PACES.get(game.pace)
    return pace.brief if pace else ""


def _until(game: Game, player: Any) -> str:
    """Until when the player has time, in their own time zone; nothing without a clock."""
    own = [seat.due_at for seat in game.seats.all() if seat.player_id == player.pk and seat.due_at]
    due = game.deadline if game.window_since else min(own, default=None)
    return local(due, player.hours) if due else ""


def _waits_until(game: Game, player: Any) -> str:
    """Until when others have time, in this player's time zone; nothing without a clock."""
    return f" until {local(game.deadline, player.hours)}" if game.deadline else ""


def _is_kept(game: Game, player: Any) -> bool:
    return any(seat.stands_in_for_id == player.pk for seat in game.seats.all())


def _offer_row(game: Game, player: Any) -> Row:
    again = game.rematch
    assert again is not None, "only games with a rematch are asked for"
    return Row(
        url=game.get_absolute_url(),
        title=f"{again.host.display_name} asks for a rematch",
        picture=ENTRIES[game.ruleset].picture,
        facts=(RULESETS[game.ruleset].name, ago(again.created_at)),
        yours=True,
        rematch=reverse("rematch", args=[game.public_id]),
        button="Accept",
    )


def _open_row(game: Game, player: Any, button: str = "", yours: bool = False) -> Row:
    seats = list(game.seats.all())
    free = sum(not seat.is_taken for seat in seats)
    others = [seat.label for seat in seats if seat.is_taken and seat.player_id != player.pk]
    host = "Your table" if game.host_id == player.pk else f"{game.host.display_name}’s table"
    return Row(
        url=game.get_absolute_url(),
        title=f"{host} with {joined(others)}" if others and game.host_id == player.pk else host,
        picture=ENTRIES[game.ruleset].picture,
        facts=(
            RULESETS[game.ruleset].name,
            _pace(game),
            _free_text(free, len(seats)),
            f"opened {ago(game.created_at)}",
        ),
        yours=yours,
        badge="" if game.is_public else "private",
        button=button,
    )


def _join_row(game: Game, player: Any, reliable: Mapping[int, Reliability]) -> Row:
    seats = list(game.seats.all())
    free = sum(not seat.is_taken for seat in seats)
    url = game.get_absolute_url()
    return Row(
        url=url,
        title=f"{game.host.display_name}’s table",
        picture=ENTRIES[game.ruleset].picture,
        facts=(
            RULESETS[game.ruleset].name,
            _pace(game),
            _free_text(free, len(seats)),
            f"host {reliable[game.host_id].brief}" if game.clock else "",
            f"at least {game.least_reliability} % in time" if game.least_reliability else "",
            f"opened {ago(game.created_at)}",
        ),
        side=_lot(game),
        side_text=_lot_text(game),
        # Whoever has no name yet chooses one in the table's room.
        join=reverse("join", args=[game.public_id]) if player.is_authenticated else "",
        button="Join",
    )


def _free_row(seat: Seat) -> Row:
    game = seat.game
    others = [each.label for each in game.seats.all() if each.number != seat.number]
    return Row(
        url=game.get_absolute_url(),
        title=f"{seat.stands_in_for}’s seat, with {joined(others)}",
        picture=ENTRIES[game.ruleset].picture_of(seat.number),
        facts=(
            RULESETS[game.ruleset].name,
            _pace(game),
            f"at least {game.least_reliability} % in time" if game.least_reliability else "",
            f"last move {ago(game.moved_at)}",
        ),
        button="Look at it",
    )


def _watch_row(game: Game) -> Row:
    return Row(
        url=game.get_absolute_url(),
        title=_versus(game.seats.all()),
        picture=ENTRIES[game.ruleset].picture,
        facts=(RULESETS[game.ruleset].name, _pace(game), f"last move {ago(game.moved_at)}"),
        button="Watch",
    )


def _finished_row(game: Game, player: Any) -> Row:
    result, text = result_for(game, player)
    again = game.rematch
    may_ask = again is None or again.status == Game.Status.CANCELLED
    return Row(
        url=game.get_absolute_url(),
        title=_opponents(game, player),
        picture=ENTRIES[game.ruleset].picture_of(_own_seat(game, player)),
        facts=(
            *(("lesson",) if game.is_lesson else ()),
            RULESETS[game.ruleset].endings.get(game.ended_how, ""),
            ago(game.ended_at),
        ),
        result=result,
        result_text=text,
        rematch=reverse("rematch", args=[game.public_id]) if may_ask else "",
        button="Rematch" if may_ask else "",
        badge="" if again is None or may_ask else REMATCH_BADGES[again.status],
    )


def result_for(game: Game, player: Any) -> tuple[str, str]:
    """How it ended for this player: the class of the word, and the word."""
    seats = list(game.seats.all())
    if not game.winners:
        return "drawn", "Drawn"
    winners = [seat for seat in seats if seat.number in game.winners]
    own = {seat.number for seat in seats if seat.player_id == player.pk}
    if len(own) == 1:
        return ("won", "You won") if own & set(game.winners) else ("lost", "You lost")
    return "", f"{joined(seat.label for seat in winners)} won"


def _opponents(game: Game, player: Any) -> str:
    seats = list(game.seats.all())
    own = [seat for seat in seats if seat.player_id == player.pk]
    if len(own) != 1:
        return _versus(seats)
    return joined(seat.label for seat in seats if seat.player_id != player.pk)


def _versus(seats: Iterable[Seat]) -> str:
    names = [seat.label for seat in seats]
    return " against ".join(names) if len(names) == 2 else joined(names)


def _own_seat(game: Game, player: Any) -> int | None:
    own = [seat.number for seat in game.seats.all() if seat.player_id == player.pk]
    return own[0] if len(own) == 1 else None


def _lot(game: Game) -> str:
    return {"random": "random", "host": "dark", "guest": "light"}.get(game.options.get("light"), "")


def _lot_text(game: Game) -> str:
    return {"random": "random sides", "host": "you would play dark", "guest": "you would play light"}.get(
        game.options.get("light"), ""
    )


def _free_text(free: int, seats: int) -> str:
    if not free:
        return "all seats taken"
    return f"{free} of {seats} seats free"


# ---- words


def bot_choices(ruleset: str) -> tuple[tuple[str, str], ...]:
    """The bots there are, weakest first: what a form sends, and what people read."""
    return tuple((level.name, _bot_label(level)) for level in LEVELS.get(ruleset, {}).values())


def _bot_label(level: Level) -> str:
    if level.name.isdigit():
        return f"{level.title}, level {level.name}"
    return f"{level.title}, plays at random" if level.name == "random" else level.title


def joined(names: Iterable[str]) -> str:
    """Anna, Ben and Cleo."""
    *most, last = list(names) or ["nobody"]
    return f"{', '.join(most)} and {last}" if most else last


def ago(when: datetime | None) -> str:
    """How long since, as one would say it."""
    if when is None:
        return ""
    minutes = int((timezone.now() - when).total_seconds() // 60)
    days = (timezone.localdate() - timezone.localdate(when)).days
    if minutes < 1:
        return "just now"
    if minutes < 60:
        return f"{minutes} minute{'s' if minutes > 1 else ''} ago"
    if minutes < 12 * 60 or days == 0:
        hours = minutes // 60
        return f"{hours} hour{'s' if hours > 1 else ''} ago"
    if days == 1:
        return "yesterday"
    if days < 14:
        return f"{days} days ago"
    return date_format(when, "j F Y" if when.year != timezone.now().year else "j F")
