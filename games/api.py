"""The JSON door: as thin as the pages, over play and lobby. Whoever has a token can write a bot.

Every refusal, from a missing token to a move the rules forbid, is {"code", "sentence", "rule"}; the status
says which kind it is. docs/api.md tells the whole story.
"""

from __future__ import annotations

import functools
import json
import re
import secrets
from collections.abc import Callable, Sequence
from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, SuspiciousOperation
from django.core.paginator import Paginator
from django.db.models import Exists, OuterRef, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern
from django.utils.cache import patch_vary_headers
from ninja import NinjaAPI, Query, Status
from ninja.errors import AuthenticationError, HttpError, ValidationError
from ninja.parser import Parser
from ninja.security import HttpBearer

from kadab import timing
from players import tokens
from players.models import Player

from . import access, begun, lobby, lost_links, play, robots, rooms, shares, silence, submissions
from .api_shapes import (
    ActionIn,
    DetailOut,
    GameOut,
    JoinIn,
    LeftOut,
    ListQuery,
    LogOut,
    LogQuery,
    LookQuery,
    LostLinkIn,
    OutcomeOut,
    PauseIn,
    Refusal,
    SeatChoice,
    SeatNumber,
    Show,
    Stale,
    TableIn,
    TablesOut,
)
from .engine import RULESETS
from .engine.bots import LEVELS
from .engine.core.dice import Dice
from .engine.core.offers import Offer
from .engine.core.plain import plain
from .engine.core.refusals import IllegalAction, Reason, reasons
from .models import Game, Seat

DEEPEST = 12  # no body of ours nests deeper
TABLE_ID = re.compile(r"[A-Za-z0-9_-]{1,16}")

reasons(
    no_token=Reason("Send one of your API tokens: “Authorization: Bearer …”. You can make one on your account page."),
    no_such_table=Reason("There is no such table."),
    no_such_page=Reason("There is nothing at this API address."),
    not_json=Reason("The body must be JSON in UTF-8, without NUL characters, nested at most twelve levels deep."),
    bad_field=Reason("{where}: {what}."),
    bad_request=Reason("This request was not understood."),
    too_large=Reason("This request is too large."),
    bad_method=Reason("This address doesn’t support that HTTP method."),
)

# What is wrong with the request itself. Other codes are the lobby's or the rules': lobby.status_of.
STATUS = {
    "malformed": 400,
    "unknown_action": 400,
    "bad_option": 400,
    "bad_position": 400,
    "bad_token": 400,
    "bad_revision": 400,
    "no_token": 401,
    "not_your_seat": 403,
    "stale": 409,
    "token_used": 409,
}


REFUSALS = {frozenset({400, 401, 403, 404, 409, 413, 422, 429, 503}): Refusal}


# ---- the door itself


class StrictParser(Parser):
    def parse_body(self, request: HttpRequest) -> Any:
        data = json.loads(request.body.decode(), parse_constant=_no_such_number)
        _check_sound(data)
        return data


def _no_such_number(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _check_sound(value: Any, depth: int = 0) -> None:
    """No database takes zero characters or half surrogates, and nothing of ours nests deep."""
    if depth > DEEPEST:
        raise ValueError("too deep")
    if isinstance(value, str):
        if "\0" in value:
            raise ValueError("a zero character")
        value.encode()
    elif isinstance(value, list):
        for each in value:
            _check_sound(each, depth + 1)
    elif isinstance(value, dict):
        for key, each in value.items():
            _check_sound(key)
            _check_sound(each, depth + 1)


class ByToken(HttpRequest):
    """A request whose token has been looked at: `auth` is whose it is."""

    auth: Player


class Token(HttpBearer):
    """A personal token, made on the account page. Cookies count for nothing here."""

    def authenticate(self, request: HttpRequest, token: str) -> Any:
        return tokens.player_of(token)


class Api(NinjaAPI):
    """NinjaAPI whose every answer, refusals of methods too, has our shape and is kept by no cache."""

    @functools.lru_cache(maxsize=1)  # noqa: B019  (there is one Api, and it lives as long as the process)
    def _described(self) -> Any:
        return super().get_openapi_schema()

    def get_openapi_schema(self, *args: Any, **kwargs: Any) -> Any:
        """Made once: it takes a tenth of a second, and anybody may ask."""
        return self._described()

    def _get_urls(self) -> list[Any]:
        urls = super()._get_urls()
        for url in urls:
            if isinstance(url, URLPattern):
                is_description = url.name in ("openapi-view", "openapi-json")
                url.callback = _fair(url.callback if is_description else _for_one_pair_of_eyes(url.callback))
        return urls


def _fair(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Reading takes from the asker's fair share; without a token, or with a wrong one, from a stranger's."""

    @functools.wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        has_token = "Authorization" in request.headers
        try:
            if not has_token:
                shares.take(request, "api")
            elif request.method in ("GET", "HEAD"):
                shares.take(request, "api_token")
            response = view(request, *args, **kwargs)
            if has_token and response.status_code == 401:
                shares.take(request, "api")
        except shares.TooMany as fault:
            response = _private(_refuse(request, fault.refusal, fault.status))
            response["Retry-After"] = str(fault.retry_after)
        return response

    answer.csrf_exempt = True  # type: ignore[attr-defined]  # as below
    return answer


def _for_one_pair_of_eyes(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    @functools.wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            response = view(request, *args, **kwargs)
        except Http404:  # the API's root, which is only there to be named
            return no_such_page(request)
        if response.status_code == 405:
            allow = response["Allow"]
            response = _refuse(request, IllegalAction("bad_method"), 405)
            response["Allow"] = allow
        return _private(response)

    answer.csrf_exempt = True  # type: ignore[attr-defined]  # a token is no cookie: no other site can send it
    return answer


def _private(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = "private, no-store"
    patch_vary_headers(response, ["Authorization", "Cookie", "HX-Request"])
    return response


api = Api(
    title="Kadab",
    version="1",
    description="Play by program: same rules, same gate, same refusals as on the page.",
    auth=Token(),
    parser=StrictParser(),
    urls_namespace="api",
)


# ---- refusals


def _refuse(request: HttpRequest, refusal: IllegalAction, status: int, **more: Any) -> HttpResponse:
    return api.create_response(request, {**refusal.plain(), **more}, status=status)


@api.exception_handler(IllegalAction)
def _illegal(request: HttpRequest, refusal: IllegalAction) -> HttpResponse:
    status = STATUS.get(refusal.code) or lost_links.status_of(refusal) or lobby.status_of(refusal)
    return _refuse(request, refusal, status)


@api.exception_handler(play.NeedsUpgrade)
def _needs_upgrade(request: HttpRequest, fault: play.NeedsUpgrade) -> HttpResponse:
    response = _refuse(request, fault.refusal, fault.status)
    response["Retry-After"] = fault.retry_after
    return response


@api.exception_handler(AuthenticationError)
def _no_token(request: HttpRequest, error: Exception) -> HttpResponse:
    response = _refuse(request, IllegalAction("no_token"), 401)
    response["WWW-Authenticate"] = 'Bearer realm="Kadab"'
    return response


@api.exception_handler(Http404)
def _missing(request: HttpRequest, error: Exception) -> HttpResponse:
    return _refuse(request, IllegalAction("no_such_table"), 404)


@api.exception_handler(ValidationError)
def _bad_field(request: HttpRequest, error: ValidationError) -> HttpResponse:
    first = error.errors[0]
    # What is wrong is pydantic's sentence about our own field; the value sent is in neither.
    where = ".".join(_printable(part) for part in first["loc"][1:] if part != "data") or "body"
    what = _printable(first["msg"]).rstrip(".")
    return _refuse(request, IllegalAction("bad_field", where=where, what=what[:1].lower() + what[1:]), 400)


def _printable(text: object) -> str:
    return "".join(c for c in str(text) if c.isprintable())[:120]


@api.exception_handler(HttpError)
def _not_json(request: HttpRequest, error: HttpError) -> HttpResponse:
    return _refuse(request, IllegalAction("not_json"), 400)


@api.exception_handler(RequestDataTooBig)
def _too_large(request: HttpRequest, error: Exception) -> HttpResponse:
    return _refuse(request, IllegalAction("too_large"), 413)


@api.exception_handler(SuspiciousOperation)
def _bad_request(request: HttpRequest, error: Exception) -> HttpResponse:
    return _refuse(request, IllegalAction("bad_request"), 400)


def no_such_page(request: HttpRequest, rest: str = "") -> HttpResponse:
    """Whatever else is asked for below /api/v1/."""
    return _private(_refuse(request, IllegalAction("no_such_page"), 404))


no_such_page.csrf_exempt = True  # type: ignore[attr-defined]


# ---- games and tables


@api.get("games", response=list[GameOut], auth=None, tags=["tables"])
def games(request: HttpRequest) -> list[dict[str, Any]]:
    """The games there are, with the options a table can set and the bots that play them."""
    return [
        {
            "game": rules.slug,
            "name": rules.name,
            "version": rules.version,
            "players": list(rules.players),
            "seats": list(rules.seat_names),
            "options": [
                {
                    "name": option.name,
                    "label": option.label,
                    "choices": option.choices,
                    "default": option.default,
                    "help": option.help,
                }
                for option in rules.options
            ],
            "bots": [
                {"name": level.name, "title": level.title, "help": level.help}
                for level in LEVELS.get(rules.slug, {}).values()
            ],
        }
        for rules in RULESETS.values()
    ]


@api.get("tables", response={200: TablesOut, **REFUSALS}, tags=["tables"])
def tables(request: ByToken, query: Query[ListQuery]) -> dict[str, Any]:
    """Tables, newest first."""
    found = _shown(query.show, request.auth).select_related("host").prefetch_related("seats__player")
    pages = Paginator(found.order_by("-moved_at", "-created_at", "-pk"), query.size)
    rows = pages.get_page(query.page).object_list if query.page <= pages.num_pages else []
    return {
        "tables": [_table(game, request.auth) for game in rows],
        "page": query.page,
        "pages": pages.num_pages,
        "count": pages.count,
    }


def _shown(show: Show, player: Any) -> Any:
    games = Game.objects.all()
    sits_or_sat = Seat.objects.filter(Q(player=player) | Q(stands_in_for=player))
    mine = Q(host=player) | Q(pk__in=sits_or_sat.values("game"))
    if show == "waiting":
        return games.waiting_for(player)
    if show == "open":
        free = Seat.objects.filter(game=OuterRef("pk"), player=None, bot="", held_for=Seat.HeldFor.ANYONE)
        return games.open().filter(Exists(free), is_public=True)
    if show == "watch":
        return games.running().filter(is_public=True)
    if show == "finished":
        return games.finished().filter(mine)
    return games.exclude(status=Game.Status.CANCELLED).filter(mine)


@api.post("tables", response={201: DetailOut, **REFUSALS}, tags=["tables"])
def create(request: ByToken, data: TableIn) -> Status[dict[str, Any]]:
    """Open a table. One with nobody to wait for starts at once."""
    game = lobby.create(
        request.auth,
        data.game,
        data.options,
        [seat.model_dump() for seat in data.seats],
        data.public,
        data.hand_over,
        data.pace,
        data.clock,
        data.least_reliability,
    )
    robots.wake(game)
    return Status(201, _detail(_visit(request, game)))


@api.post("tables/{id}/join", response={200: DetailOut, **REFUSALS}, tags=["tables"])
def join(request: ByToken, id: str, data: JoinIn | None = None) -> dict[str, Any]:
    """Sit down. An invitation's key opens seats kept for it, and private tables."""
    data = data or JoinIn()
    game = _find(request, id, data.invite)
    lobby.join(game, request.auth, data.seat, by_link=_is_key(game, data.invite))
    robots.wake(game)
    return _detail(_visit(request, _find(request, id)))


@api.post("tables/{id}/leave", response={200: LeftOut, **REFUSALS}, tags=["tables"])
def leave(request: ByToken, id: str) -> dict[str, Any]:
    """Get up again before the start."""
    return _left(request, id, lobby.leave)


@api.post("tables/{id}/cancel", response={200: LeftOut, **REFUSALS}, tags=["tables"])
def cancel(request: ByToken, id: str) -> dict[str, Any]:
    """Close your own table before the start."""
    return _left(request, id, lobby.cancel)


def _left(request: ByToken, id: str, verb: Callable[[Game, Any], Any]) -> dict[str, Any]:
    game = _find(request, id)
    verb(game, request.auth)
    game.refresh_from_db(fields=["status"])
    return {"id": game.public_id, "status": game.status}


def _done(request: ByToken, id: str, verb: Callable[..., Any], *given: Any) -> dict[str, Any]:
    """Do something that a bot may have to answer, and show the table as it is then."""
    game = _find(request, id)
    verb(game, request.auth, *given)
    robots.wake(game)
    return _detail(_visit(request, _find(request, id)))


@api.post("tables/{id}/start", response={200: DetailOut, **REFUSALS}, tags=["tables"])
def start(request: ByToken, id: str) -> dict[str, Any]:
    """Start your own table when every seat is taken."""
    return _done(request, id, lobby.start)


@api.post("tables/{id}/stand-in", response={200: DetailOut, **REFUSALS}, tags=["tables"])
def stand_in(request: ByToken, id: str, data: SeatNumber) -> dict[str, Any]:
    """Let a bot play on in the seat of a player who has not answered for days."""
    return _done(request, id, begun.stand_in, data.seat)


@api.post("tables/{id}/lost-link", response={200: DetailOut, **REFUSALS}, tags=["tables"])
def answer_lost_link(request: ByToken, id: str, data: LostLinkIn) -> dict[str, Any]:
    """A guest who lost their link asks for a seat: agree if you know them, or refuse if it is your own seat."""
    game = _find(request, id)
    answer = lost_links.agree if data.answer == "agree" else lost_links.refuse
    answer(game, request.auth, data.seat)
    return _detail(_visit(request, _find(request, id)))


@api.post("tables/{id}/go-on", response={200: DetailOut, **REFUSALS}, tags=["playing"])
def go_on(request: ByToken, id: str) -> dict[str, Any]:
    """End a wait for answers that has taken days: the house answers for whoever has not."""
    return _done(request, id, begun.go_on)


@api.post("tables/{id}/pause", response={200: DetailOut, **REFUSALS}, tags=["tables"])
def pause(request: ByToken, id: str, data: PauseIn) -> dict[str, Any]:
    """Ask for a pause of all clocks or for the end of one, or agree: send the same hours. Refuse with none."""
    if data.hours is None:
        return _done(request, id, begun.refuse_pause)
    return _done(request, id, begun.ask_pause, data.hours)


@api.post("tables/{id}/take-back-seat", response={200: DetailOut, **REFUSALS}, tags=["tables"])
def take_back_seat(request: ByToken, id: str, data: SeatChoice | None = None) -> dict[str, Any]:
    """Come back to a seat that a bot keeps for you, because you resigned or fell silent."""
    game = _find(request, id)
    seat = begun.take_back_seat(game, request.auth, data.seat if data else None)
    return _detail(_visit(request, _find(request, id), seat.number))


# ---- playing


@api.get("tables/{id}", response={200: DetailOut, **REFUSALS}, exclude_unset=True, tags=["playing"])
def table(request: ByToken, id: str, query: Query[LookQuery]) -> dict[str, Any]:
    """How the table stands, as your seat sees it."""
    game = _find(request, id, query.invite)
    return _detail(_visit(request, game, query.seat), query.sample)


@api.get("tables/{id}/log", response={200: LogOut, **REFUSALS}, tags=["playing"])
def log(request: ByToken, id: str, query: Query[LogQuery]) -> dict[str, Any]:
    """What happened, as your seat may hear of it, oldest first."""
    visitor = _visit(request, _find(request, id), query.seat)
    game = visitor.game
    names = play.told_apart(game, {seat.number: seat.label for seat in game.seats.all()})
    lines = play.log_for(game, visitor.number) if game.started_at else []
    told = [{**plain(line), "text": line.text(names)} for line in lines if line.revision > query.since]
    return {"revision": game.revision, "lines": told}


@api.post("tables/{id}/actions", response={200: OutcomeOut, **REFUSALS, 409: Stale}, tags=["playing"])
def act(request: ByToken, id: str, data: ActionIn) -> Any:
    """Do something, exactly once. What is refused changes nothing."""
    visitor = _visit(request, _find(request, id), data.seat)
    if visitor.seat is None:
        raise IllegalAction("not_your_seat")
    submission = submissions.Submission(data.action, data.revision, data.token, data.decision)
    timed = timing.Timed("api")
    try:
        with timed:
            outcome = submissions.act_from(visitor.seat, visitor.game, submission)
    except IllegalAction as refusal:
        timed.end("refused")
        if not isinstance(refusal, play.StaleAction):
            raise
        visitor.game.refresh_from_db(fields=["revision"])
        return _refuse(request, refusal, 409, revision=visitor.game.revision)
    timed.end("repeated" if outcome.repeated else "done")
    if outcome.wakes_bots:
        robots.wake(visitor.game)
    return {"revision": outcome.revision, "repeated": outcome.repeated}


# ---- who asks for which table


def _find(request: ByToken, id: str, invite: str = "") -> Game:
    """The table, if this player may see it; a private one answers a stranger as if it were not there."""
    game = None
    if TABLE_ID.fullmatch(id):
        found = Game.objects.select_related("host").prefetch_related("seats__player")
        game = found.filter(public_id=id).first()
    if game is None or not (_is_key(game, invite) or access.may_see(game, request.auth, {})):
        raise Http404
    return game


def _is_key(game: Game, invite: str) -> bool:
    return bool(invite) and secrets.compare_digest(game.invite_key.encode(), invite.encode())


def _visit(request: ByToken, game: Game, number: int | None = None) -> access.Visitor:
    """This player at this table: from the seat they name, else one that is asked, else their first."""
    own = access.own_seats(game, request.auth)
    if number is not None:
        own_there = [seat for seat in own if seat.number == number]
        if not own_there:
            raise IllegalAction("not_your_seat")
        return access.Visitor(game, request.auth, own, own_there[0])
    asked = [seat for seat in own if seat.is_asked]
    return access.Visitor(game, request.auth, own, (asked or own or (None,))[0])


# ---- plain values


def _table(game: Game, player: Any) -> dict[str, Any]:
    return {
        "id": game.public_id,
        "url": settings.SITE_URL + game.get_absolute_url(),
        "game": game.ruleset,
        "status": game.status,
        "revision": game.revision,
        "options": game.options,
        "pace": game.pace,
        "clock": game.clock,
        "least_reliability": game.least_reliability,
        "deadline": game.deadline.isoformat() if game.deadline else None,
        "paused_until": game.paused_until.isoformat() if game.paused_until else None,
        "pause_asked": game.pause_asked.get("hours"),
        "public": game.is_public,
        "lesson": game.is_lesson,
        "host": game.host.display_name,
        "seats": [_seat(game, seat, player) for seat in game.seats.all()],
        "created_at": game.created_at.isoformat(),
        "moved_at": game.moved_at.isoformat() if game.moved_at else None,
    }


def _seat(game: Game, seat: Seat, player: Any) -> dict[str, Any]:
    return {
        "number": seat.number,
        "title": RULESETS[game.ruleset].seat_names[seat.number] if game.started_at else "",
        "name": seat.label,
        "kind": "bot" if seat.bot else "player" if seat.player_id else "free",
        "bot": seat.bot,
        "held_for": "" if seat.is_taken else seat.held_for,
        "mine": seat.player_id == player.pk,
        "asked": seat.asked_openly or (seat.is_asked and seat.player_id == player.pk),
        "due_at": seat.due_at.isoformat() if seat.due_at else None,
        "bank": None if seat.bank is None else int(seat.bank.total_seconds()),
    }


def _detail(visitor: access.Visitor, sample: int = 0) -> dict[str, Any]:
    """The table and, once it has begun, what the visitor's seat sees; each fact is said once."""
    game = visitor.game
    view = play.view_for(game, visitor.number) if game.started_at else None
    seen = plain(view) if view else {}
    told = {
        "seat": seen.pop("seat", visitor.number),
        "revision": seen.pop("revision", game.revision),
        "asked": seen.pop("asked", []),
        "decision": seen.pop("decision", ""),
        "offers": seen.pop("offers", []),
        "result": seen.pop("result", None),
        "view": seen or None,
        "dice": {"dice_commit": game.dice_commit, "cup_commit": game.cup_commit},
        "may_go_on": silence.may_go_on(game) and begun.has_say(game, visitor.player),
        "invite_url": rooms.invite_url(game) if visitor.is_host else "",
        "wanted": [_wanted(each) for each in rooms.wanted_at(visitor)],
    }
    if sample:
        told["sample"] = _sample(view.offers if view else (), sample)
    table = _table(game, visitor.player)
    for seat in table["seats"]:
        seat["asked"] = seat["number"] in told["asked"]  # the rows may be a moment older than the View
    return {**table, **told}


def _wanted(wanted: rooms.Wanted) -> dict[str, Any]:
    return {
        "seat": wanted.number,
        "name": wanted.name,
        "code": wanted.code,
        "yours": wanted.is_yours,
        "may_agree": wanted.may_agree,
        "opens_at": wanted.opens_at.isoformat() if wanted.opens_at else None,
    }


def _sample(offers: Sequence[Offer], count: int) -> list[dict[str, Any]]:
    """So many different legal answers to the question, or all that chance finds.

    Asides are left out, or a program that plays what it is given would soon resign; only where nothing is
    asked of the seat but another's wish (a draw) are its replies picked from.
    """
    asked = [offer for offer in offers if not offer.aside] or [offer for offer in offers if offer.reply]
    if not asked:
        return []
    dice = Dice.seeded(secrets.token_hex(16))
    picked: dict[str, dict[str, Any]] = {}
    for _ in range(20 * count):
        action = asked[dice.pick("offer", len(asked))].sample(dice).plain()
        picked.setdefault(json.dumps(action, sort_keys=True), action)
        if len(picked) == count:
            break
    return list(picked.values())
