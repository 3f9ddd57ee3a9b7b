"""What the lobby shows of one table: its room, requests for its seats, its tools and links. Writes nothing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.urls import reverse

from . import aside, begun, lobby, lost_links, newcomers, reliability, silence
from .access import Visitor
from .clocks import PAUSES, clock_of, local, pace_facts
from .engine import RULESETS
from .engine.bots import LEVELS, STAND_INS
from .listing import digest, joined
from .models import Game, LostLink, Seat

# ---- guests who lost the link to their seat


@dataclass(frozen=True)
class Wanted:
    """A seat that a guest asks for from another browser, as one visitor is told of it."""

    number: int
    name: str
    code: str  # shown in the browser that asks as well
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
    opens_at = lost_links.opens_at(request)
    return Wanted(
        number=request.seat.number,
        name=request.player.display_name,
        code=lost_links.code_of(request),
        is_yours=request.player_id == player,
        may_agree=opens_at is None and player in lost_links.others(request) and player not in request.agreed,
        waits_for=still_to_agree(request),
        opens_at=opens_at,
    )


def still_to_agree(request: LostLink) -> str:
    """Names of the people whose agreement is missing; empty where nobody has to agree."""
    if lost_links.opens_at(request) is not None:
        return ""
    missing = lost_links.others(request) - set(request.agreed)
    seats = request.seat.game.seats.select_related("game", "player").filter(player__in=missing)
    names = {seat.player_id: seat.player.display_name for seat in seats if seat.player}
    return joined(names.values()) if names else ""


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
    may_start_with: int = 0  # so many are here, and the host may start without the free seats
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
        may_start_with=len(seats) - len(free) if visitor.is_host and lobby.may_start_with_those_here(game) else 0,
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
        ready = "Host" if seat.player_id == seat.game.host_id else "Ready"
        return f"{ready}; {reliability.of(seat.player).brief}" if seat.game.clock else ready
    if seat.name:
        return "Asked for a rematch, no answer yet"
    return "Open to anyone" if seat.held_for == Seat.HeldFor.ANYONE else "Reserved for someone with the invitation link"


def options_in_force(game: Game) -> list[OptionLine]:
    """The table's options, in words."""
    rules = RULESETS[game.ruleset]
    lines = [OptionLine(what, value) for what, value in pace_facts(game.pace, game.clock)]
    if game.least_reliability:
        lines.append(OptionLine("Who may join", f"At least {game.least_reliability} % answered in time"))
    if game.private_talk:
        lines.append(OptionLine("Private talk", "Allowed between two players"))
    for option in rules.options:
        value = game.options.get(option.name, option.default)
        lines.append(OptionLine(option.label, option.choices.get(value, value) or "Standard set-up"))
    return lines


def is_over_days(game: Game) -> bool:
    """Whether a clock runs at this table in its players' waking hours."""
    clock = clock_of(game.clock)
    return clock is not None and not clock.is_live


# ---- what the lobby adds to a table that has begun


@dataclass(frozen=True)
class Named:
    number: int
    name: str


@dataclass(frozen=True)
class Pause:
    """What a player may do about a pause: ask for one or for its end, or answer whoever has asked."""

    choices: tuple[tuple[int, str], ...]  # hours, and in words; only the end of a pause that lasts
    until: str = ""  # how long the present one lasts, in the visitor's time zone
    asked: str = ""  # who asks
    hours: int = 0  # what for
    words: str = ""
    by_you: bool = False
    may_agree: bool = False


@dataclass(frozen=True)
class Voted:
    """A seat that a bot keeps once more, and what this visitor may do about it."""

    number: int
    name: str
    waits_for: str  # who has not agreed to a new person; empty for a seat that is free
    may_agree: bool = False
    has_agreed: bool = False
    may_take: bool = False


@dataclass(frozen=True)
class Tools:
    """The host's tools, a guest's way back and the rematch, for one visitor of a table that has begun."""

    public_id: str
    silent: tuple[Named, ...] = ()  # seats of silent players that this visitor may give to a bot
    stand_in: str = ""  # what that bot is called
    kept: tuple[Named, ...] = ()  # seats in which a bot plays for this visitor, who may come back
    wanted: tuple[Wanted, ...] = ()  # seats that guests ask for from other browsers
    invite: str = ""  # the invitation link, for guests who lost theirs
    pause: Pause | None = None  # at tables with a clock, for its players
    partners: tuple[aside.Partner, ...] = ()  # whom this visitor may talk to in private
    voted: tuple[Voted, ...] = ()  # seats that a new person may get
    go_on: bool = False  # a window has stood open for days, and this visitor may end it
    webhook: str = ""  # for the host: where to say what else is told about the game
    return_link: str = ""  # the visitor's own
    own_number: int = 0
    by_link: bool = False  # this browser came in by that link alone
    has_address: bool = False  # and the link can be mailed to an address that is confirmed
    rematch: str = ""  # ask, asked (by this visitor), answer, ready
    rematch_with: str = ""  # whose answer is waited for, or who asks
    rematch_url: str = ""  # the new table

    def __bool__(self) -> bool:
        return bool(
            self.silent
            or self.voted
            or self.partners
            or self.kept
            or self.go_on
            or self.pause
            or self.invite
            or self.return_link
            or self.rematch
            or self.webhook
        )


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
        pause=_pause_of(visitor) if running and game.clock else None,
        partners=aside.partners(visitor),
        voted=_voted_of(visitor),
        go_on=silence.may_go_on(game) and begun.has_say(game, visitor.player),
        webhook=_webhook_page(visitor) if running else "",
        return_link=return_url(own) if own and visitor.player.is_guest and running else "",
        own_number=own.number if own else 0,
        by_link=visitor.by_link,
        has_address=bool(own and visitor.player.return_address),
        **_rematch_of(visitor),
    )


def _webhook_page(visitor: Visitor) -> str:
    is_for_them = visitor.is_host and not visitor.player.is_guest and not visitor.by_link and not visitor.game.is_lesson
    return reverse("webhook", args=[visitor.game.public_id]) if is_for_them else ""


def _pause_of(visitor: Visitor) -> Pause | None:
    game, player = visitor.game, visitor.player
    if not player.is_authenticated or player.pk not in begun.people_at(game):
        return None
    asked = game.pause_asked
    hours = int(asked.get("hours", 0))
    by = [seat for seat in game.seats.select_related("player") if asked and seat.player_id == asked["by"]]
    return Pause(
        choices=((0, "End the pause"),) if game.is_paused else tuple(PAUSES.items()),
        until=local(game.paused_until, player.hours) if game.paused_until and game.is_paused else "",
        asked=by[0].player.display_name if by and by[0].player else "Somebody" if asked else "",
        hours=hours,
        words=f"a pause of {PAUSES[hours]}" if hours in PAUSES else "the end of the pause",
        by_you=bool(asked) and asked["by"] == player.pk,
        may_agree=bool(asked) and player.pk not in asked["yes"],
    )


def _voted_of(visitor: Visitor) -> tuple[Voted, ...]:
    """For the people of the table; and for strangers, once a seat is free."""
    game, key = visitor.game, visitor.player.pk if visitor.player.is_authenticated else None
    found = []
    for seat in newcomers.seats_of(game):
        people, free = newcomers.others(game, seat), newcomers.is_free(game, seat)
        missing = people - set(seat.votes)
        names = {each.player_id: each.label for each in game.seats.all() if each.player_id in missing}
        name = seat.stands_in_for.display_name if seat.stands_in_for else seat.label
        is_stranger = not visitor.is_player and key != seat.stands_in_for_id
        may_take = is_stranger and newcomers.may_take(game, visitor.player, seat)
        if may_take or not is_stranger:
            found.append(
                Voted(
                    seat.number,
                    name,
                    waits_for="" if free or not names else joined(names.values()),
                    may_agree=key in missing,
                    has_agreed=key in people and key in seat.votes,
                    may_take=may_take,
                )
            )
    return tuple(found)


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
        return {"rematch": "asked", "rematch_with": joined(missing), "rematch_url": again.get_absolute_url()}
    return {"rematch": "answer", "rematch_with": again.host.display_name}


# ---- links that leave the site


def invite_url(game: Game) -> str:
    return settings.SITE_URL + reverse("invitation", args=[game.invite_key])


def return_url(seat: Seat) -> str:
    return settings.SITE_URL + reverse("come_back", args=[seat.return_key])
