"""What the lobby's pages list: games and tables as rows, a table's seats as lines. Writes nothing."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format

from . import begun, lobby, lost_links, silence
from .access import Visitor
from .engine import RULESETS
from .engine.bots import LEVELS, STAND_INS
from .engine.bots.base import Level
from .models import Game, GameQuerySet, LostLink, Seat

LONGEST_LIST = 20
REMATCH_BADGES = {"open": "rematch requested", "running": "rematch running", "finished": "rematch played"}

Only = Collection[str] | None  # public ids of the tables a session may know as its player's; None for all

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


def lists_for(player: Any, only: Only = None) -> Lists:
    """Everything for a player, or of their own tables only these: a session that came by a return link sees no more."""
    mine = player.is_authenticated
    waiting = waiting_rows(player, only) if mine else ()
    sections = [
        Section("waiting", "Waiting for you", waiting),
        Section("playing", "Your other games" if waiting else "Your games", playing_rows(player, only) if mine else ()),
        Section("my-tables", "Your open tables", my_table_rows(player, only) if mine else ()),
        Section("open-tables", "Open tables", open_rows(player)),
        Section("watch", "Games to watch", watch_rows(player)),
        Section("finished", "Finished games", finished_rows(player, only) if mine else ()),
    ]
    shown = (each for each in sections if each.rows or each.slug == "open-tables")
    return Lists(tuple(shown), len(waiting))


def waiting_count(player: Any, only: Only = None) -> int:
    """The number in the page's title."""
    return len(waiting_rows(player, only)) if player.is_authenticated else 0


def waiting_rows(player: Any, only: Only = None) -> tuple[Row, ...]:
    """Moves to make first, then rematches to answer, then full tables to start."""
    asked = _games(only).waiting_for(player).order_by("moved_at")
    rows = [_playing_row(game, player, button="Your move", yours=True) for game in asked]
    rows += [_offer_row(game, player) for game in _rematch_offers(player, only)]
    rows += [_open_row(game, player, button="Start the game", yours=True) for game in _full_tables(player, only)]
    return tuple(rows)


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
    return tuple(_playing_row(game, player) for game in theirs.order_by("-moved_at")[: lobby.MOST_RUNNING_GAMES])


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
    return tuple(_join_row(game, player) for game in tables.order_by("-created_at")[:LONGEST_LIST])


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
    facts = [RULESETS[game.ruleset].name]
    if not yours:
        facts.append(f"waiting for {_and(asked) if asked else 'an answer'}")
    facts.append(f"last move {ago(game.moved_at)}" if game.revision else f"started {ago(game.started_at)}")
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
    again = game.rematch
    assert again is not None, "only games with a rematch are asked for"
    return Row(
        url=game.get_absolute_url(),
        title=f"{again.host.display_name} asks for a rematch",
        picture=_picture(game, ""),
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
        title=f"{game.host.display_name}’s table",
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
    return {"random": "random sides", "host": "you would play dark", "guest": "you would play light"}.get(
        game.options.get("light"), ""
    )


def _free_text(free: int, seats: int) -> str:
    if not free:
        return "all seats taken"
    return f"{free} of {seats} seats free"


# ---- guests who lost the link to their seat


@dataclass(frozen=True)
class Wanted:
    """A seat that a guest asks for from another browser, as one visitor is told of it."""

    number: int
    name: str
    is_yours: bool  # the visitor's own seat: they may refuse
    may_agree: bool
    waits_for: str  # who has not agreed yet
    opens_at: datetime | None  # unless somebody refuses; None where people must agree


def wanted_at(visitor: Visitor) -> tuple[Wanted, ...]:
    """What is asked of the people at this table; strangers are told nothing."""
    kept = any(seat.stands_in_for_id == visitor.player.pk for seat in visitor.seats if visitor.player.is_authenticated)
    if not (visitor.is_player or visitor.is_host or kept):
        return ()
    return tuple(_wanted(request, visitor.player.pk) for request in lost_links.pending(visitor.game))


def _wanted(request: LostLink, player: int) -> Wanted:
    return Wanted(
        number=request.seat.number,
        name=request.player.guest_name,
        is_yours=request.player_id == player,
        may_agree=player in lost_links.others(request) and player not in request.agreed,
        waits_for=still_to_agree(request),
        opens_at=lost_links.opens_at(request),
    )


def still_to_agree(request: LostLink) -> str:
    """Names of the people whose agreement is missing; empty where nobody has to agree."""
    if lost_links.opens_at(request) is not None:
        return ""
    missing = lost_links.others(request) - set(request.agreed)
    seats = request.seat.game.seats.select_related("game", "player").filter(player__in=missing)
    names = {seat.player_id: seat.player.display_name for seat in seats if seat.player}
    return _and(names.values()) if names else ""


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
    wanted: tuple[Wanted, ...] = ()

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
        wanted=wanted_at(visitor),
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
        return "Host" if seat.player_id == seat.game.host_id else "Ready"
    if seat.name:
        return "Asked for a rematch, no answer yet"
    return "Open to anyone" if seat.held_for == Seat.HeldFor.ANYONE else "Reserved for someone with the invitation link"


def options_in_force(game: Game) -> list[OptionLine]:
    """The table's options, in words."""
    rules = RULESETS[game.ruleset]
    lines = []
    for option in rules.options:
        value = game.options.get(option.name, option.default)
        lines.append(OptionLine(option.label, option.choices.get(value, value) or "Standard set-up"))
    return lines


# ---- words


def bot_choices(ruleset: str) -> tuple[tuple[str, str], ...]:
    """The bots there are, weakest first: what a form sends, and what people read."""
    return tuple((level.name, _bot_label(level)) for level in LEVELS.get(ruleset, {}).values())


def _bot_label(level: Level) -> str:
    if level.name.isdigit():
        return f"{level.title}, level {level.name}"
    return f"{level.title}, plays at random" if level.name == "random" else level.title


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
    silent: tuple[Named, ...] = ()  # seats of silent players that this visitor may give to a bot
    stand_in: str = ""  # what that bot is called
    kept: tuple[Named, ...] = ()  # seats in which a bot plays for this visitor, who may come back
    wanted: tuple[Wanted, ...] = ()  # seats that guests ask for from other browsers
    invite: str = ""  # the invitation link, for guests who lost theirs
    go_on: bool = False  # a window has stood open for days, and this visitor may end it
    return_link: str = ""  # the visitor's own
    own_number: int = 0
    by_link: bool = False  # this browser came in by that link alone
    has_address: bool = False  # and the link can be mailed to an address that is confirmed
    rematch: str = ""  # ask, asked (by this visitor), answer, ready
    rematch_with: str = ""  # whose answer is waited for, or who asks
    rematch_url: str = ""  # the new table

    def __bool__(self) -> bool:
        return bool(self.silent or self.kept or self.go_on or self.invite or self.return_link or self.rematch)


def tools_of(visitor: Visitor) -> Tools:
    game = visitor.game
    own = visitor.own[0] if visitor.own else None
    running = game.status == Game.Status.RUNNING
    return Tools(
        public_id=game.public_id,
        silent=_named(begun.silent_seats(game, visitor.player)),
        stand_in=LEVELS[game.ruleset][STAND_INS[game.ruleset]].title,
        kept=_named(begun.kept_seats(game, visitor.player)),
        wanted=wanted_at(visitor),
        invite=invite_url(game) if running and _has_guests_elsewhere(visitor) else "",
        go_on=silence.may_go_on(game) and begun.has_say(game, visitor.player),
        return_link=return_url(own) if own and visitor.player.is_guest and running else "",
        own_number=own.number if own else 0,
        by_link=visitor.by_link,
        has_address=bool(own and visitor.player.return_address),
        **_rematch_of(visitor),
    )


def _has_guests_elsewhere(visitor: Visitor) -> bool:
    if not (visitor.is_player or visitor.is_host):
        return False
    return any(lost_links.holder(seat) != visitor.player for seat in lost_links.seats_to_ask_for(visitor.game))


def _named(seats: Iterable[Seat]) -> tuple[Named, ...]:
    return tuple(Named(seat.number, seat.label) for seat in seats)


def _rematch_of(visitor: Visitor) -> dict[str, str]:
    game = visitor.game
    if game.status != Game.Status.FINISHED or not begun.has_say(game, visitor.player):
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
