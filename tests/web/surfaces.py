"""Everything that leaves the site, found by walking the URLconf and the sockets' routes: what is asked, who asks (C1).

Every address there is has a line here that says how it is asked; test_every_surface.py fails for one that has none.
"""

from __future__ import annotations

import json
import logging
import random
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from asgiref.sync import async_to_sync, sync_to_async
from channels.testing import WebsocketCommunicator
from django.contrib.contenttypes.models import ContentType
from django.core import mail
from django.core.cache import cache
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern

from games import consumers, telling
from games.engine.core.refusals import IllegalAction
from games.engine.kings import KINGS
from games.models import Game, Notice
from games.painting.kings.controls.desk import key_of
from games.routing import websocket_urlpatterns
from kadab.asgi import protocols
from players import letters, tokens
from tests import tables
from tests.web import kings as k
from tests.web.stories import Story, looked_back_to
from tests.web.test_bad_input import ROUTES, blanks

NOBODY, SPECTATOR, STAFF = "nobody", "eve", "chief"
VIEWERS = (*k.NAMES, SPECTATOR, NOBODY, STAFF)
SOCKETS = [blanks(each.pattern) for each in websocket_urlpatterns if isinstance(each, URLPattern)]


@dataclass(frozen=True)
class Ask:
    """One request. `past`: its answer tells of earlier moments too, so it is put to twins of the whole history."""

    method: str = "get"
    query: str = ""
    data: dict[str, Any] = field(default_factory=dict)
    fills: dict[str, Any] = field(default_factory=dict)
    htmx: bool = False
    past: bool = False


@dataclass(frozen=True)
class Moment:
    """A visitor at one moment of a story. `seat` is where they look from; on a shared device others are theirs too."""

    story: Story
    number: int  # of actions taken so far, silent ones too
    name: str
    seat: int | None
    briefly: bool = False  # one question of each kind instead of all

    @property
    def game(self) -> Game:
        return self.story.game

    @property
    def revision(self) -> int:
        """What the visitor's page says it shows."""
        return self.story.state(self.number).revision

    @property
    def silent(self) -> int:
        """The seat’s own actions since that revision that nobody else is shown."""
        return 0 if self.seat is None else self.story.state(self.number).silent.get(self.seat, 0)

    @property
    def own(self) -> set[int]:
        held = self.game.seats.filter(player__username=self.name)
        return set(held.values_list("number", flat=True))

    @property
    def earlier(self) -> list[int]:
        """Revisions to look back to."""
        back = looked_back_to(self.revision)
        return [back[self.revision % 4]] if self.briefly else sorted(set(back))


def get(**more: Any) -> Callable[[Moment], list[Ask]]:
    return lambda moment: [Ask(**more)]


def sent(*bodies: dict[str, Any], **more: Any) -> Callable[[Moment], list[Ask]]:
    """By POST, with bodies that are refused; whatever one should bring about is rolled back all the same."""
    return lambda moment: [Ask("post", data=body, **more) for body in bodies or ({},)]


# ---- how a table is asked


def pages(moment: Moment) -> list[Ask]:
    return [Ask()] if moment.briefly else [Ask(), Ask("head")]


def past_pages(moment: Moment) -> list[Ask]:
    at = moment.earlier if moment.briefly else [*moment.earlier, moment.revision, moment.revision + 50]
    return [Ask(fills={"revision": n}, htmx=not order % 2, past=True) for order, n in enumerate(at)]


def pulses(moment: Moment) -> list[Ask]:
    """A page that is up to date, ones that are behind, and one that does not know what it shows."""
    shown = [{"revision": n, "seat": seat_word(moment)} for n in moment.earlier]
    asks = [Ask("post", data=each, htmx=True, past=True) for each in shown]
    if moment.briefly:
        return asks
    now = {"revision": moment.revision, "silent": moment.silent, "seat": seat_word(moment), "talk": "0.0."}
    return [*asks, Ask("post", data=now, htmx=True), Ask("post", data={"visible": "1"}, htmx=True)]


def refusals(moment: Moment) -> list[Ask]:
    """Actions that cannot be taken: what a seat is told of the reasons must not tell more."""
    asks = []
    for number, action in enumerate(impossible(moment)):
        body = {"action": json.dumps(action), "revision": moment.revision, "token": f"refused-{number}"}
        asks.append(Ask("post", data={**body, "seat": seat_word(moment)}, htmx=bool(number % 2)))
    for body in forged(moment):
        data = {**body, "action": json.dumps(body["action"]), "seat": seat_word(moment)}
        asks.append(Ask("post", data=data, htmx=True))
    return asks


def json_refusals(moment: Moment) -> list[Ask]:
    asked = impossible(moment)
    seat = {} if moment.seat is None else {"seat": moment.seat}
    bodies = [{"action": each, "revision": moment.revision, "token": "refused-1"} for each in asked]
    return [Ask("post", data={**body, **seat}) for body in [*bodies, *forged(moment)]]


def forged(moment: Moment) -> list[dict[str, Any]]:
    """The tokens of others' actions, sent with one of this seat's that is never in time (issue 8, B1)."""
    rows = moment.story.rows[1 : moment.number + 1]
    used = [row.token for row in rows if row.seat not in moment.own][-1 if moment.briefly else -6 :]
    return [{"action": {"do": "done"}, "revision": moment.revision + 50, "token": each} for each in used]


def impossible(moment: Moment) -> list[dict[str, Any]]:
    """What others may do now and what was possible a little earlier, as far as the rules refuse it to this seat now."""
    story, now = moment.story, moment.story.state(moment.number)
    chance = random.Random(f"{moment.number} {moment.name}")
    seat = 0 if moment.seat is None else moment.seat
    found: list[dict[str, Any]] = [{"do": "fly"}]
    steps = [step.action for step in story.run.steps[max(0, moment.number - 12) : moment.number + 12]]
    for action in chance.sample(steps, min(8, len(steps))):
        try:
            KINGS.check(now, seat, action)
        except IllegalAction:
            found.append(action.plain())
    return found[-2:] if moment.briefly else found


def previews(moment: Moment) -> list[Ask]:
    """What some picks come to, for every offer of the seat: control, field and whatever the offer names."""
    seat = 0 if moment.seat is None else moment.seat
    chance = random.Random(f"picks {moment.number} {moment.name}")
    asks = []
    for offer in KINGS.view(moment.story.state(moment.number), seat).offers:
        named = sorted(words_in(offer.plain()))
        tries = [f"{key_of(offer)} {chance.choice(FIELDS)} {chance.choice(named)}" for _ in range(3)]
        asks.append(Ask("post", data={"press": tries, "seat": seat_word(moment)}, htmx=True))
    return chance.sample(asks, min(2, len(asks))) if moment.briefly else asks


FIELDS = ("counters", "stack", "to", "off", "all", "none", "back", "hero", "traded", "caster", "balloon")


def words_in(data: Any) -> set[str]:
    """Every word in some plain data: among them are the tags and hexes it names."""
    if isinstance(data, dict):
        return set(data).union(*map(words_in, data.values()))
    if isinstance(data, list):
        return set[str]().union(*map(words_in, data))
    return {data} if isinstance(data, str) else set()


def plans(moment: Moment) -> list[Ask]:
    """The page, and what a seat could choose from if it were asked each question now."""
    asks = [Ask(query=f"for={question}") for question in KINGS.plans.questions]
    kept = {"seat": seat_word(moment), "for": "march", "do": "pass"}
    chosen = [asks[moment.number % len(asks)]] if moment.briefly else asks
    return [
        Ask(),
        Ask(query="for=coming"),
        *chosen,
        Ask("post", data={"do": "drop"}),
        Ask("post", data=kept, htmx=True),
    ]


def presses(moment: Moment) -> list[Ask]:
    """To end a window that has stood open for days; where that would be done, what comes of it is no refusal."""
    is_done = KINGS.window(moment.story.state(moment.number)) and moment.seat is not None
    return [Ask(), *([] if is_done else [Ask("post")])]


def lists(moment: Moment) -> list[Ask]:
    return [Ask(query=f"show={show}") for show in ("mine", "waiting", "open", "watch", "finished")]


def looks(moment: Moment) -> list[Ask]:
    seat = "" if moment.seat is None else f"seat={moment.seat}"
    return [Ask(query=f"{seat}&sample=3"), *([] if moment.briefly else [Ask(query="seat=7")])]


def logs(moment: Moment) -> list[Ask]:
    seat = "" if moment.seat is None else f"seat={moment.seat}&"
    since = (moment.revision - 9,) if moment.briefly else (-1, moment.revision - 3)
    return [Ask(query=f"{seat}since={each}") for each in since]


def exports(moment: Moment) -> list[Ask]:
    """With its seeds a game is exported only when it is over; then they tell everything, and shall."""
    over = moment.story.state(moment.number).result is not None
    return [Ask(past=True), *([] if over or moment.briefly else [Ask(query="with=seeds")])]


def game_lists(moment: Moment) -> list[Ask]:
    queries = ("", "waits=bot", "waits=person", "waits=silent", "q=ann", "o=5", "o=1&status__exact=running")
    return [Ask(query=query) for query in queries]


def seat_word(moment: Moment) -> str:
    return "" if moment.seat is None else str(moment.seat)


# ---- every address

HOW: dict[str, Callable[[Moment], list[Ask]]] = {
    "": get(),
    "lists/": get(),
    "waiting/": get(),
    "play-now/": sent({"start": "nobody"}),
    "tables/new/": lambda moment: [Ask(), Ask("post", data={"game": "kings", "last_turn": "99"})],
    "join/{invite_key:str}/": lambda moment: [Ask(), Ask("post", data={"do": "watch"})],
    "shared/{share_key:str}/": get(),
    "return/{return_key:str}/": lambda moment: [Ask(), Ask("post")],
    "tables/{public_id:str}/": pages,
    "tables/{public_id:str}/act/": refusals,
    "tables/{public_id:str}/why/": refusals,
    "tables/{public_id:str}/preview/": previews,
    "tables/{public_id:str}/orders/": lambda moment: [Ask(), Ask(htmx=True), Ask("post", data={"about": "nothing"})],
    "tables/{public_id:str}/plans/": plans,
    "tables/{public_id:str}/pulse/": pulses,
    "tables/{public_id:str}/read/": sent({"line": "3", "seat": "0"}, {"line": "x"}),
    "tables/{public_id:str}/since/": pages,
    "tables/{public_id:str}/at/{revision:int}/": past_pages,
    "tables/{public_id:str}/story/": get(),
    "tables/{public_id:str}/share/": sent({"do": "stop"}, {}),
    "tables/{public_id:str}/export/": exports,
    "tables/{public_id:str}/hand-over/": lambda moment: [Ask(), Ask("post")],
    "tables/{public_id:str}/room/": lambda moment: [Ask(), Ask(htmx=True)],
    "tables/{public_id:str}/chat/": sent({"text": ""}, {"text": "good evening"}, htmx=True),
    "tables/{public_id:str}/notes/": lambda moment: [Ask(), Ask("post", data={"text": "x" * 5000})],
    "tables/{public_id:str}/talk/{number:int}/": lambda moment: [
        Ask(fills={"number": 1}),
        Ask("post", data={"text": "good evening"}, fills={"number": 2}),
    ],
    "tables/{public_id:str}/report/{kind:str}/{number:int}/": lambda moment: [
        Ask(fills={"kind": "table", "number": 1}),
        Ask("post", data={"why": "rude"}, fills={"kind": "private", "number": 1}),
    ],
    "tables/{public_id:str}/entropy/": sent({"entropy": "luck"}),
    "tables/{public_id:str}/join/": sent({"number": "1"}, {}),
    "tables/{public_id:str}/leave/": sent(),
    "tables/{public_id:str}/remove/": sent({"number": "1"}),
    "tables/{public_id:str}/cancel/": sent(),
    "tables/{public_id:str}/start/": sent(),
    "tables/{public_id:str}/rematch/": sent({"do": "decline"}),
    "tables/{public_id:str}/bot/": sent(*({"number": str(n), "level": "random"} for n in range(4))),
    "tables/{public_id:str}/stand-in/": sent(*({"number": str(n)} for n in range(4))),
    "tables/{public_id:str}/new-person/": sent({"number": "1"}, {"number": "1", "do": "take"}, {}),
    "tables/{public_id:str}/go-on/": presses,
    "tables/{public_id:str}/pause/": lambda moment: [Ask(), Ask("post")],
    "tables/{public_id:str}/take-back-seat/": sent({"number": "1"}),
    "tables/{public_id:str}/news/": sent({"address": "a@example.org"}),
    "tables/{public_id:str}/news/{token:str}/": lambda moment: [Ask(), Ask("post")],
    "tables/{public_id:str}/webhook/": sent({"do": "remove"}),
    "tables/{public_id:str}/lost-link/": lambda moment: [Ask(), Ask("post", data={"do": "open"})],
    "tables/{public_id:str}/lost-link/answer/": sent(*({"number": str(n), "do": "agree"} for n in range(4))),
    "tables/{public_id:str}/return-link/": sent({"do": "mail", "address": "a@example.org"}, {"number": "1"}),
    "calendar/{calendar_key:str}.ics": get(),
    "push-worker.js": get(),
    "rules/": get(),
    "rules/{slug:slug}/": get(),
    "rules/{slug:slug}/handbook-{digest:slug}.js": get(),
    "credits/": get(),
    "healthz": get(),
    "readyz": get(),
    "api/v1/": get(),
    "api/v1/docs": get(),
    "api/v1/games": get(),
    "api/v1/openapi.json": get(),
    "api/v1/tables": lambda moment: [*lists(moment), Ask("post", data={"game": "none", "seats": []})],
    "api/v1/tables/{id:str}": looks,
    "api/v1/tables/{id:str}/actions": json_refusals,
    "api/v1/tables/{id:str}/cancel": sent(),
    "api/v1/tables/{id:str}/go-on": presses,
    "api/v1/tables/{id:str}/pause": lambda moment: [Ask(), Ask("post")],
    "api/v1/tables/{id:str}/join": sent(),
    "api/v1/tables/{id:str}/leave": sent(),
    "api/v1/tables/{id:str}/log": logs,
    "api/v1/tables/{id:str}/start": sent(),
    "api/v1/tables/{id:str}/lost-link": sent({"seat": 1, "answer": "agree"}, {"seat": 1, "answer": "refuse"}),
    "api/v1/tables/{id:str}/stand-in": sent(*({"seat": n} for n in range(4))),
    "api/v1/tables/{id:str}/take-back-seat": sent({"seat": 1}),
    "api/v1/{rest:path}": get(),
    "admin/games/game/": game_lists,
}
# Pages about people and for the staff: asked as they are, and sent an empty form.
HOW |= dict.fromkeys(
    re.findall(
        r"\S+",
        """
    account/ account/confirm-email/ account/confirm-email/{key:str}/ account/email/ account/inactive/ account/keep/
    account/name/ account/login/ account/login/code/confirm/ account/password/change/ account/password/reset/
    account/password/reset/done/ account/password/reset/key/done/ account/password/reset/key/{uidb36:str}-{key:str}/
    account/password/set/ account/reauthenticate/ account/signup/ account/tokens/ account/tokens/{pk:int}/revoke/
    account/blocks/end/ account/hours/ account/telling/ account/telling/again/ account/unsubscribe/{token:str}/
    account/calendar/ account/push/ account/push/{pk:int}/remove/ account/vacations/ account/vacations/cancel/
    admin/ admin/autocomplete/ admin/jsi18n/ admin/login/ admin/password_change/ admin/password_change/done/
    admin/r/{content_type_id:path}/{object_id:path}/ admin/{app_label:str}/ admin/{url:str}
    admin/players/player/{id:str}/password/
        """,
    ),
    lambda moment: [Ask(), Ask("post")],
)
ADMIN_MODELS = (
    "account/emailaddress",
    "auth/group",
    "games/call",
    "games/game",
    "games/notice",
    "games/report",
    "players/player",
)
for model in ADMIN_MODELS:
    for ending in ("", "add/", "{object_id:path}/", "{object_id:path}/change/", "{object_id:path}/history/"):
        HOW.setdefault(f"admin/{model}/{ending}", get())
    HOW[f"admin/{model}/{{object_id:path}}/delete/"] = get()

# Addresses that are not asked, each with the reason.
NOT_ASKED = {
    "account/logout/": "asking for it would log the visitor out; its page is allauth's and knows no tables",
    "admin/logout/": "the same",
    "metrics": "for the operator alone: 404 for others (test_watch.py), and what it reads of games has a twin test",
}

# What shows a game itself: asked in every one of the states; the rest in some of them.
OF_THE_GAME = (
    "lists/",
    "tables/{public_id:str}/",
    "tables/{public_id:str}/act/",
    "tables/{public_id:str}/pulse/",
    "tables/{public_id:str}/since/",
    "tables/{public_id:str}/at/{revision:int}/",
    "tables/{public_id:str}/story/",
    "tables/{public_id:str}/export/",
    "api/v1/tables/{id:str}",
    "api/v1/tables/{id:str}/log",
)


def unlisted() -> list[str]:
    """Addresses nobody has said anything about."""
    return [route for route in ROUTES if route not in HOW and route not in NOT_ASKED]


def gone() -> list[str]:
    """Lines about addresses that are no more."""
    return [route for route in (*HOW, *NOT_ASKED) if route not in ROUTES]


# ---- who asks


class Heard(logging.Handler):
    """What the site writes into its logs meanwhile."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{record.name} {record.levelname} {record.getMessage()}")


class Eyes:
    """One visitor's browser, program and letter box. Whatever their requests do is rolled back."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.client, self.headers = Client(), {}
        if name != NOBODY:
            player = tables.player(name)
            self.client.force_login(player)
            self.headers = {"Authorization": f"Bearer {tokens.make(player, 'test')[1]}"}

    def sit_at(self, game: Game, seat: int | None) -> None:
        """On a shared device: who said last that it is them."""
        session = self.client.session
        session[f"at:{game.public_id}"] = seat
        session.save()

    def sees(self, moment: Moment, routes: tuple[str, ...] | list[str], past: bool) -> dict[str, bytes]:
        """The answers by address and by what was asked; either those about now only or those about the past only."""
        found: dict[str, bytes] = {}
        for route in routes:
            url = address(route, moment)
            for number, ask in enumerate(HOW[route](moment)):
                if ask.past == past:
                    found[f"{ask.method} {route} {number} {ask.query}"] = self.asks(route, url, ask)
        return found

    def asks(self, route: str, url: Callable[[Ask], str], ask: Ask) -> bytes:
        heard, client = Heard(), self.client
        cookies = client.cookies.copy()
        root = logging.getLogger()
        root.addHandler(heard)
        random.seed(0)
        cache.clear()
        before = len(mail.outbox)
        try:
            with transaction.atomic():
                response = self.response(route, url(ask), ask)
                answer = as_bytes(response)
                letters.send_due()
                transaction.set_rollback(True)
        finally:
            root.removeHandler(heard)
            client.cookies = cookies
        told = [*heard.lines, *(letter(each) for each in mail.outbox[before:])]
        return answer + "\n".join(told).encode()

    def response(self, route: str, url: str, ask: Ask) -> HttpResponse:
        headers = {"HX-Request": "true"} if ask.htmx else {}
        by_program = route.startswith("api/")
        if by_program:
            headers |= self.headers
        if ask.method == "post" and by_program:
            return self.client.post(url, json.dumps(ask.data), content_type="application/json", headers=headers)
        if ask.method == "post":
            return self.client.post(url, ask.data, headers=headers)
        return getattr(self.client, ask.method)(f"{url}?{ask.query}" if ask.query else url, headers=headers)

    # ---- sockets

    def hears(self, moment: Moment, past: bool) -> dict[str, bytes]:
        """The frames of sockets opened by pages that show this and that."""
        queries = [f"?v={n}&seat={seat_word(moment)}" for n in moment.earlier[-3:]] if past else self.fresh(moment)
        found = {f"socket {query}": b"\n".join(self.frames(moment, query)) for query in queries}
        if not past and moment.revision % 3 == 0:  # the same actions that are posted
            query = f"?v={moment.revision}&silent={moment.silent}&seat={seat_word(moment)}"
            for number, ask in enumerate(HOW["tables/{public_id:str}/act/"](moment)[-2 if moment.briefly else -8 :]):
                said = json.dumps({name: str(value) for name, value in ask.data.items()})
                found[f"socket acts {number}"] = b"\n".join(self.frames(moment, query, said=said))
        return found

    def fresh(self, moment: Moment) -> list[str]:
        return (
            [""]
            if moment.briefly
            else ["", f"?v={moment.revision}&silent={moment.silent}&seat={seat_word(moment)}&talk=0.0."]
        )

    def frames(
        self, moment: Moment, query: str, then: Callable[[], None] | None = None, said: str = '{"looking": true}'
    ) -> list[bytes]:
        """All that comes through one socket, from its opening to its end; `then` happens while it is open."""
        headers = [(b"origin", b"http://127.0.0.1:8000"), (b"host", b"127.0.0.1:8000")]
        if "sessionid" in self.client.cookies:
            headers.append((b"cookie", f"sessionid={self.client.cookies['sessionid'].value}".encode()))

        async def listen() -> list[bytes]:
            path = f"/ws/tables/{moment.game.public_id}/{query}"
            connection = WebsocketCommunicator(protocols, path, headers=headers)
            connected, _ = await connection.connect(timeout=10)
            assert connected
            if then:
                await sync_to_async(then)()
                # The bell itself rings after commit, and a test's transaction has none.
                await connection.send_input({"type": "rang", "kind": "game", "number": -1, "by": ""})
            await connection.send_input({"type": "websocket.receive", "text": said})
            await connection.send_input({"type": "websocket.disconnect", "code": 1000})
            await connection.wait(10)
            return [repr(message).encode() for message in outputs(connection)]

        with transaction.atomic():
            found: list[bytes] = async_to_sync(listen)()
            transaction.set_rollback(True)
        assert not consumers._open
        return found

    # ---- mail

    def is_written(self) -> dict[str, bytes]:
        """The letters that would go to this visitor now."""
        before = len(mail.outbox)
        with transaction.atomic():
            Notice.objects.update(settled_at=None)
            telling.send_due()
            transaction.set_rollback(True)
        random.seed(0)
        address = f"{self.name}@example.org"
        letters = [letter(each) for each in mail.outbox[before:] if address in each.to]
        del mail.outbox[before:]
        return {"mail": "\n".join(letters).encode()}


def outputs(connection: WebsocketCommunicator) -> Iterator[Any]:
    while not connection.output_queue.empty():
        yield connection.output_queue.get_nowait()


def letter(message: Any) -> str:
    text: str = message.message().as_string()
    return re.sub(r"(?m)^Message-ID: .*$", "", text)  # made of chance, the clock and the process


def as_bytes(response: HttpResponse) -> bytes:
    """Status, body, every header and every cookie."""
    headers = "\n".join(f"{name}: {value}" for name, value in sorted(response.items()))
    body = b"".join(response.streaming_content) if response.streaming else response.content
    return f"{response.status_code}\n".encode() + body + f"\n{headers}\n{response.cookies.output()}\n".encode()


def address(route: str, moment: Moment) -> Callable[[Ask], str]:
    """Where a request goes: the route with its blanks filled in."""
    game, keys = moment.game, {}
    if "object_id" in route:
        row = game if "/game/" in route or "/r/" in route else Notice.objects.filter(game=game).first()
        keys["object_id"] = tables.player("bob").pk if "/player/" in route else row.pk if row else 1
    if "content_type_id" in route:
        keys["content_type_id"] = ContentType.objects.get_for_model(Game).pk
    known = {
        "public_id": game.public_id,
        "id": tables.player("bob").pk if route.startswith("admin") else game.public_id,
        "invite_key": game.invite_key,
        "return_key": game.seats.get(number=1).return_key,
        "share_key": game.share_key or "no-key",
        "slug": "kings",
        "digest": "0123456789ab",
        "app_label": "games",
        "rest": "nothing/here",
        "url": "games/position/",
        "key": "no-key",
        "token": "no-token",
        "calendar_key": f"{moment.name}-key",
        "uidb36": "1",
        "pk": 1,
        **keys,
    }

    def filled(ask: Ask) -> str:
        values = {**known, **ask.fills}
        return "/" + re.sub(r"\{(\w+):\w+\}", lambda blank: str(values[blank[1]]), route)

    return filled


# ---- comparing


def differences(one: dict[str, bytes], other: dict[str, bytes]) -> list[str]:
    """What is not the same by the byte, with the place where it parts."""
    assert one.keys() == other.keys()
    return [f"{name}: {parting(one[name], other[name])}" for name in one if one[name] != other[name]]


def parting(one: bytes, other: bytes) -> str:
    at = next((n for n, (a, b) in enumerate(zip(one, other)) if a != b), min(len(one), len(other)))
    return (
        f"{len(one)} and {len(other)} bytes, {one[max(0, at - 60) : at + 60]!r} or {other[max(0, at - 10) : at + 60]!r}"
    )


def forget_drawn() -> None:
    """What is drawn is kept by what it shows; a twin is drawn anew, or a leak in what was kept would look the same."""
    for name, module in list(sys.modules.items()):
        if name.startswith("games.") and not name.startswith("games.engine."):
            for kept in vars(module).values():
                if not isinstance(kept, type) and callable(getattr(kept, "cache_clear", None)):
                    kept.cache_clear()


def leaks(eyes: Eyes, moment: Moment, routes: tuple[str, ...] | list[str], whole: bool) -> list[str]:
    """What this visitor could tell a moment from its twin by; a twin of now, or one of the whole history."""

    def everything() -> dict[str, bytes]:
        found = eyes.sees(moment, routes, past=whole) | eyes.hears(moment, past=whole)
        return found if whole else found | eyes.is_written()

    seed = f"{moment.name} {moment.number} {whole}"
    before = everything()
    forget_drawn()
    with moment.story.twin(moment.number, moment.seat, seed, moment.own, whole) as twin:
        assert twin.moved > 20, "the twin is no other"
        found = differences(before, everything())
    forget_drawn()
    return found
