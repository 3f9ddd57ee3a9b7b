"""What the lobby's pages list: games and tables as rows, a table's seats as lines. Writes nothing."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import Exists, OuterRef, Prefetch, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format

from . import lobby
from .access import Visitor
from .engine import RULESETS
from .engine.bots import LEVELS
from .engine.bots.base import Level
from .models import Game, Seat

LONGEST_LIST = 20
REMATCH_BADGES = {"open": "rematch offered", "running": "rematch running", "finished": "rematch played"}

SEATS = Prefetch("seats", Seat.objects.select_related("player").order_by("number"))


@dataclass(frozen=True)
class Row:
    """One game or table in a list."""

    url: str
    title: str
    picture: str  # the piece that stands for the game, e.g. "castle-light"
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


def lists_for(player: Any) -> Lists:
    mine = player.is_authenticated
    waiting = waiting_rows(player) if mine else ()
    sections = [
        Section("waiting", "Waiting for you", waiting),
        Section("playing", "Your other games" if waiting else "Your games", playing_rows(player) if mine else ()),
        Section("my-tables", "Your open tables", my_table_rows(player) if mine else ()),
        Section("open-tables", "Open tables", open_rows(player)),
        Section("watch", "Games to watch", watch_rows(player)),
        Section("finished", "Finished games", finished_rows(player) if mine else ()),
    ]
    shown = (each for each in sections if each.rows or each.slug == "open-tables")
    return Lists(tuple(shown), len(waiting))


def waiting_count(player: Any) -> int:
    """The number in the page's title."""
    return len(waiting_rows(player)) if player.is_authenticated else 0


def waiting_rows(player: Any) -> tuple[Row, ...]:
    """Moves to make first, then rematches to answer, then full tables to start."""
    asked = _games().waiting_for(player).order_by("moved_at")
    rows = [_playing_row(game, player, button="Your move", yours=True) for game in asked]
    rows += [_offer_row(game, player) for game in _rematch_offers(player)]
    rows += [_open_row(game, player, button="Start the game", yours=True) for game in _full_tables(player)]
    return tuple(rows)


def _rematch_offers(player: Any) -> Iterable[Game]:
    """Finished games whose other player has asked for another."""
    sits_already = Seat.objects.filter(game=OuterRef("rematch"), player=player)
    finished = _games().finished().of(player).filter(rematch__status=Game.Status.OPEN)
    return finished.exclude(rematch__host=player).exclude(Exists(sits_already)).select_related("rematch__host")


def _full_tables(player: Any) -> Iterable[Game]:
    free = Seat.objects.filter(game=OuterRef("pk"), player__isnull=True, bot="")
    return _games().open().filter(host=player).exclude(Exists(free)).order_by("created_at")


def playing_rows(player: Any) -> tuple[Row, ...]:
    """Running games in which others are to move; exhibitions the player set up count as his."""
    running = _games().running()
    theirs = (running.of(player) | running.left_by(player) | running.filter(host=player)).exclude(
        Exists(Seat.objects.filter(game=OuterRef("pk"), player=player, is_asked=True))
    )
    return tuple(_playing_row(game, player) for game in theirs.order_by("-moved_at")[: lobby.MOST_RUNNING_GAMES])


def my_table_rows(player: Any) -> tuple[Row, ...]:
    """Open tables the player opened or sits at, less the full ones that wait for him."""
    free = Seat.objects.filter(game=OuterRef("pk"), player__isnull=True, bot="")
    opened = _games().open()
    theirs = opened.filter(host=player).filter(Exists(free)) | opened.of(player).exclude(host=player)
    return tuple(_open_row(game, player, button="Open") for game in theirs.order_by("-created_at"))


def open_rows(player: Any) -> tuple[Row, ...]:
    """Public tables with a seat for anyone."""
    free = Seat.objects.filter(game=OuterRef("pk"), player__isnull=True, bot="", held_for=Seat.HeldFor.ANYONE)
    tables = _of_others(_games().open().filter(Exists(free), is_public=True), player)
    return tuple(_join_row(game, player) for game in tables.order_by("-created_at")[:LONGEST_LIST])


def watch_rows(player: Any) -> tuple[Row, ...]:
    games = _of_others(_games().running().filter(is_public=True), player)
    return tuple(_watch_row(game) for game in games.order_by("-moved_at")[:LONGEST_LIST])


def _of_others(games: Any, player: Any) -> Any:
    if not player.is_authenticated:
        return games
    theirs = Seat.objects.filter(Q(player=player) | Q(stands_in_for=player), game=OuterRef("pk"))
    return games.exclude(host=player).exclude(Exists(theirs))


def finished_rows(player: Any) -> tuple[Row, ...]:
    finished = _games().finished()
    theirs = finished.of(player) | finished.filter(host=player)
    games = theirs.select_related("rematch").order_by("-ended_at")[:LONGEST_LIST]
    return tuple(_finished_row(game, player) for game in games)


def _games() -> Any:
    return Game.objects.select_related("host").prefetch_related(SEATS)


# ---- rows


def _playing_row(game: Game, player: Any, button: str = "", yours: bool = False) -> Row:
    asked = [seat.label for seat in game.seats.all() if seat.asked_openly]
    facts = [RULESETS[game.ruleset].name]
    if not yours:
        facts.append(f"waiting for {_and(asked) if asked else 'an answer'}")
    facts.append(f"last move {ago(game.moved_at)}" if game.revision else f"begun {ago(game.started_at)}")
    side = _own_side(game, player)
    return Row(
        url=game.get_absolute_url(),
        title=_opponents(game, player),
        picture=_picture(game, side),
        facts=tuple(facts),
        side=side,
        side_text=f"you play {side}" if side else "",
        yours=yours,
        badge="" if yours else "a bot plays for you" if _is_kept(game, player) else "their move",
        button=button,
    )


def _is_kept(game: Game, player: Any) -> bool:
    return any(seat.stands_in_for_id == player.pk for seat in game.seats.all())


def _offer_row(game: Game, player: Any) -> Row:
    return Row(
        url=game.get_absolute_url(),
        title=f"{game.rematch.host.display_name} asks for a rematch",
        picture=_picture(game, ""),
        facts=(RULESETS[game.ruleset].name, ago(game.rematch.created_at)),
        yours=True,
        rematch=reverse("rematch", args=[game.public_id]),
        button="Accept",
    )


def _open_row(game: Game, player: Any, button: str = "", yours: bool = False) -> Row:
    seats = list(game.seats.all())
    free = sum(not seat.is_taken for seat in seats)
    others = [seat.label for seat in seats if seat.is_taken and seat.player_id != player.pk]
    host = "Your table" if game.host_id == player.pk else f"Table of {game.host.display_name}"
    return Row(
        url=game.get_absolute_url(),
        title=f"{host} with {_and(others)}" if others and game.host_id == player.pk else host,
        picture=_picture(game, ""),
        facts=(RULESETS[game.ruleset].name, _free_text(free, len(seats)), f"opened {ago(game.created_at)}"),
        yours=yours,
        badge="" if game.is_public else "private",
        button=button,
    )


def _join_row(game: Game, player: Any) -> Row:
    seats = list(game.seats.all())
    free = sum(not seat.is_taken for seat in seats)
    url = game.get_absolute_url()
    return Row(
        url=url,
        title=f"Table of {game.host.display_name}",
        picture=_picture(game, ""),
        facts=(RULESETS[game.ruleset].name, _free_text(free, len(seats)), f"opened {ago(game.created_at)}"),
        side=_lot(game),
        side_text=_lot_text(game),
        # Whoever has no name yet chooses one in the table's room.
        join=reverse("join", args=[game.public_id]) if player.is_authenticated else "",
        button="Join",
    )


def _watch_row(game: Game) -> Row:
    return Row(
        url=game.get_absolute_url(),
        title=_versus(game.seats.all()),
        picture=_picture(game, ""),
        facts=(RULESETS[game.ruleset].name, f"last move {ago(game.moved_at)}"),
        button="Watch",
    )


def _finished_row(game: Game, player: Any) -> Row:
    result, text = result_for(game, player)
    again = game.rematch
    may_ask = again is None or again.status == Game.Status.CANCELLED
    return Row(
        url=game.get_absolute_url(),
        title=_opponents(game, player),
        picture=_picture(game, _own_side(game, player)),
        facts=(RULESETS[game.ruleset].endings.get(game.ended_how, ""), ago(game.ended_at)),
        result=result,
        result_text=text,
        rematch=reverse("rematch", args=[game.public_id]) if may_ask else "",
        button="Rematch" if may_ask else "",
        badge="" if may_ask else REMATCH_BADGES[again.status],
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
    return "", f"{_and(seat.label for seat in winners)} won"


def _opponents(game: Game, player: Any) -> str:
    seats = list(game.seats.all())
    own = [seat for seat in seats if seat.player_id == player.pk]
    if len(own) != 1:
        return _versus(seats)
    return _and(seat.label for seat in seats if seat.player_id != player.pk)


def _versus(seats: Iterable[Seat]) -> str:
    names = [seat.label for seat in seats]
    return " against ".join(names) if len(names) == 2 else _and(names)


def _own_side(game: Game, player: Any) -> str:
    own = [seat.number for seat in game.seats.all() if seat.player_id == player.pk]
    return RULESETS[game.ruleset].seat_names[own[0]].lower() if len(own) == 1 else ""


def _picture(game: Game, side: str) -> str:
    return f"castle-{side if side in ('light', 'dark') else 'light'}"


def _lot(game: Game) -> str:
    return {"random": "random", "host": "dark", "guest": "light"}.get(game.options.get("light"), "")


def _lot_text(game: Game) -> str:
    return {"random": "sides by lot", "host": "you would play dark", "guest": "you would play light"}.get(
        game.options.get("light"), ""
    )


def _free_text(free: int, seats: int) -> str:
    if not free:
        return "every seat is taken"
    return f"{free} of {seats} seats free"


# ---- a table's room


@dataclass(frozen=True)
class SeatLine:
    """A seat in the room of a table that has not begun."""

    number: int
    name: str  # who sits there, or for whom it is kept
    help: str
    taken: bool
    is_bot: bool = False
    is_guest: bool = False
    is_you: bool = False
    is_host: bool = False
    added_luck: bool = False
    may_remove: bool = False
    may_seat_bot: bool = False


@dataclass(frozen=True)
class OptionLine:
    label: str
    value: str


@dataclass(frozen=True)
class Room:
    """Everything that may change in a table's room while somebody looks at it."""

    seats: tuple[SeatLine, ...]
    free: int
    is_host: bool
    is_seated: bool
    may_join: bool
    may_leave: bool
    host_name: str
    starts_by_itself: bool

    @property
    def may_invite(self) -> bool:
        return self.is_host or self.is_seated

    @property
    def digest(self) -> str:
        return digest(self)


def room_of(visitor: Visitor, invited: bool) -> Room:
    game, player = visitor.game, visitor.player
    seats = list(game.seats.select_related("game", "player").order_by("number"))
    free = [seat for seat in seats if not seat.is_taken]
    welcome = [seat for seat in free if invited or visitor.is_host or seat.held_for == Seat.HeldFor.ANYONE]
    return Room(
        seats=tuple(_seat_line(game, seat, visitor) for seat in seats),
        free=len(free),
        is_host=visitor.is_host,
        is_seated=visitor.is_player,
        may_join=bool(welcome) and not visitor.is_player,
        may_leave=visitor.is_player and game.host_id != player.pk,
        host_name=game.host.display_name,
        starts_by_itself=not any(lobby.is_for_strangers(seat, game) for seat in seats),
    )


def _seat_line(game: Game, seat: Seat, visitor: Visitor) -> SeatLine:
    is_you = visitor.player.is_authenticated and seat.player_id == visitor.player.pk
    is_hosts = seat.player_id == game.host_id
    return SeatLine(
        number=seat.number,
        name=seat.label,
        help=_seat_help(seat),
        taken=seat.is_taken,
        is_bot=bool(seat.bot),
        is_guest=bool(seat.player and seat.player.is_guest),
        is_you=is_you and seat.held_for != Seat.HeldFor.HOST,
        is_host=is_hosts and seat.held_for != Seat.HeldFor.HOST,
        added_luck=bool(seat.entropy),
        may_remove=visitor.is_host and seat.is_taken and not is_hosts,
        may_seat_bot=visitor.is_host and not seat.is_taken,
    )


def _seat_help(seat: Seat) -> str:
    if seat.bot:
        return LEVELS[seat.game.ruleset][seat.bot].help
    if seat.held_for == Seat.HeldFor.HOST:
        return "On the host’s device"
    if seat.player_id:
        return "Host" if seat.player_id == seat.game.host_id else "Has sat down"
    if seat.name:
        return "Was asked for a rematch and has not answered yet"
    return "Open to anyone" if seat.held_for == Seat.HeldFor.ANYONE else "Kept for whoever has the invitation link"


def options_in_force(game: Game) -> list[OptionLine]:
    """The table's options, in words."""
    rules = RULESETS[game.ruleset]
    lines = []
    for option in rules.options:
        value = game.options.get(option.name, option.default)
        lines.append(OptionLine(option.label, option.choices.get(value, value) or "The usual set-up"))
    return lines


# ---- words


def bot_choices(ruleset: str) -> tuple[tuple[str, str], ...]:
    """The bots there are, weakest first: what a form sends, and what people read."""
    return tuple((level.name, _bot_label(level)) for level in LEVELS.get(ruleset, {}).values())


def _bot_label(level: Level) -> str:
    if level.name.isdigit():
        return f"{level.title}, level {level.name}"
    return f"{level.title}, for a first look" if level.name == "random" else level.title


def _and(names: Iterable[str]) -> str:
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


# ---- what the lobby adds to a table that has begun


@dataclass(frozen=True)
class Named:
    number: int
    name: str


@dataclass(frozen=True)
class Tools:
    """The host's tools, a guest's way back and the rematch, for one visitor of a table that has begun."""

    public_id: str
    silent: tuple[Named, ...] = ()  # seats the host may give to a bot
    kept: tuple[Named, ...] = ()  # seats in which a bot plays for this visitor, who may come back
    guests: tuple[Named, ...] = ()  # seats for which the host may make a new return link
    levels: tuple[tuple[str, str], ...] = ()
    return_link: str = ""  # the visitor's own
    own_number: int = 0
    rematch: str = ""  # ask, asked (by this visitor), answer, ready
    rematch_with: str = ""  # whose answer is waited for, or who asks
    rematch_url: str = ""  # the new table

    def __bool__(self) -> bool:
        return bool(self.silent or self.kept or self.guests or self.return_link or self.rematch)


def tools_of(visitor: Visitor) -> Tools:
    game = visitor.game
    own = visitor.own[0] if visitor.own else None
    running = game.status == Game.Status.RUNNING
    return Tools(
        public_id=game.public_id,
        silent=_named(lobby.silent_seats(game)) if visitor.is_host else (),
        kept=_named(lobby.kept_seats(game, visitor.player)),
        guests=_named(_guests_elsewhere(visitor)) if visitor.is_host and running else (),
        levels=bot_choices(game.ruleset),
        return_link=return_url(own) if own and visitor.player.is_guest and running else "",
        own_number=own.number if own else 0,
        **_rematch_of(visitor),
    )


def _named(seats: Iterable[Seat]) -> tuple[Named, ...]:
    return tuple(Named(seat.number, seat.label) for seat in seats)


def _guests_elsewhere(visitor: Visitor) -> Iterable[Seat]:
    seats = visitor.game.seats.filter(player__is_guest=True).exclude(player=visitor.player)
    return seats.select_related("game", "player").order_by("number")


def _rematch_of(visitor: Visitor) -> dict[str, str]:
    game = visitor.game
    if game.status != Game.Status.FINISHED or not lobby.may_ask_for_rematch(game, visitor.player):
        return {}
    again = Game.objects.filter(rematch_of=game).select_related("host").first()
    if again is None or again.status == Game.Status.CANCELLED:
        return {"rematch": "ask"}
    if again.status != Game.Status.OPEN:
        return {"rematch": "ready", "rematch_url": again.get_absolute_url()}
    missing = [seat.label for seat in again.seats.select_related("game", "player") if not seat.is_taken]
    if again.host_id == visitor.player.pk or again.seats.filter(player=visitor.player).exists():
        return {"rematch": "asked", "rematch_with": _and(missing), "rematch_url": again.get_absolute_url()}
    return {"rematch": "answer", "rematch_with": again.host.display_name}


# ---- links that leave the site


def invite_url(game: Game) -> str:
    return settings.SITE_URL + reverse("invitation", args=[game.invite_key])


def return_url(seat: Seat) -> str:
    return settings.SITE_URL + reverse("come_back", args=[seat.return_key])
