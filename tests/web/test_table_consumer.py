"""The socket: everybody gets their own view, once, and whoever was away catches up."""

from __future__ import annotations

import asyncio
import contextlib
from importlib import import_module

import pytest
from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.models import Session

from games import chat, consumers, doorbell, live, tables
from games.models import Game, Seat
from kadab.asgi import protocols
from tests.tables import move, player, running
from tests.web.test_act import slots_in
from tests.web.test_table_page import visitor

pytestmark = pytest.mark.django_db(transaction=True)


SITE = "http://127.0.0.1:8000"  # SITE_URL by default


@pytest.fixture(autouse=True)
def _no_sockets():
    consumers._open.clear()
    yield
    assert not consumers._open, "a socket was not given back"


def session_of(name: str | None):
    session = import_module(settings.SESSION_ENGINE).SessionStore()
    if name:
        user = player(name)
        session[SESSION_KEY] = str(user.pk)
        session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
        session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    return session


def socket(game: Game | str, session=None, query: str = "", origin: str = SITE) -> WebsocketCommunicator:
    public_id = game if isinstance(game, str) else game.public_id
    headers = [(b"origin", origin.encode()), (b"host", b"127.0.0.1:8000")]
    if session:
        headers.append((b"cookie", f"sessionid={session.session_key}".encode()))
    return WebsocketCommunicator(protocols, f"/ws/tables/{public_id}/{query}", headers=headers)


running_a, move_a, session_a = sync_to_async(running), sync_to_async(move), sync_to_async(session_of)


async def opened(game, name: str | None = None, query: str = "?v=0"):
    connection = socket(game, await session_a(name), query)
    connected, _ = await connection.connect()
    assert connected
    return connection


async def closed_with(connection) -> int:
    message = await connection.receive_output(3)
    assert message["type"] == "websocket.close", message
    await connection.wait()
    return message["code"]


def at(seat: object, revision: int = 0) -> str:
    return f"?v={revision}&seat={seat}"


async def test_a_page_that_is_up_to_date_hears_nothing_until_it_rings():
    game = await running_a("ann", "ben")
    ben = await opened(game, "ben", at(1))
    assert await ben.receive_nothing()
    await move_a(game, 0, "e2", "e4")
    news = await ben.receive_from(3)
    assert {"sq-e2", "sq-e4", "offers"} <= slots_in(news)
    assert 'data-base="0" data-revision="1"' in news
    assert await ben.receive_nothing()
    await ben.disconnect()


async def test_each_seat_gets_its_own_view():
    game = await running_a("ann", "ben")
    people = {name: await opened(game, name, at(seat)) for name, seat in (("ann", 0), ("ben", 1), ("cleo", ""))}
    await move_a(game, 0, "e2", "e4")
    news = {name: await connection.receive_from(3) for name, connection in people.items()}
    assert "data-from=" in news["ben"] and "Your move" in news["ben"]
    assert "data-from=" not in news["ann"] + news["cleo"]
    assert 'data-seat=""' in news["cleo"]
    for connection in people.values():
        await connection.disconnect()


async def test_whoever_was_away_catches_up_by_revision():
    game = await running_a("ann", "ben")
    await move_a(game, 0, "e2", "e4")
    await move_a(game, 1, "f9", "f7")
    ann = await opened(game, "ann", at(0, 1))
    news = await ann.receive_from(3)
    assert 'data-base="1" data-revision="2"' in news
    assert {slot for slot in slots_in(news) if slot.startswith("sq-")} == {"sq-e2", "sq-e4", "sq-f9", "sq-f7"}
    await ann.disconnect()


@pytest.mark.parametrize(
    "query", ["", "?v=", "?v=x", "?v=99", "?v=-1", "?v=" + "9" * 400, "?%ff=%00&v=%00", "?v=0&seat=7"]
)
async def test_whoever_does_not_know_what_they_show_gets_everything(query):
    game = await running_a("ann", "ben")
    ann = await opened(game, "ann", query)
    assert {"board", "prompt", "moves", "log"} <= slots_in(await ann.receive_from(3))
    await ann.disconnect()


async def test_a_dropped_ring_is_made_good_by_the_next():
    game = await running_a("ann", "ben")
    cleo = await opened(game, "cleo", at(""))

    def two_moves_one_ring():
        from games import doorbell

        ring, doorbell.ring = doorbell.ring, lambda game, seats: None
        try:
            move(game, 0, "e2", "e4")
        finally:
            doorbell.ring = ring
        move(game, 1, "f9", "f7")

    await sync_to_async(two_moves_one_ring)()
    news = await cleo.receive_from(3)
    assert 'data-base="0" data-revision="2"' in news
    assert await cleo.receive_nothing()
    await cleo.disconnect()


@pytest.mark.parametrize(
    "frame",
    [
        "",
        "{",
        "[]",
        "null",
        "7",
        '{"looking": 1}',
        '{"act": {}}',
        "[" * 250,
        "x" * 100_000,
        "\x00",
        b"\xff\x00",
    ],
)
async def test_garbage_is_not_listened_to(frame):
    game = await running_a("ann", "ben")
    ann = await opened(game, "ann", at(0))
    kind = "bytes" if isinstance(frame, bytes) else "text"
    await ann.send_input({"type": "websocket.receive", kind: frame})
    assert await ann.receive_nothing()
    await move_a(game, 0, "e2", "e4")
    assert "page-state" in await ann.receive_from(3)
    await ann.disconnect()


async def test_a_page_says_that_somebody_looks_at_it():
    game = await running_a("ann", "ben")
    ann = await opened(game, "ann", at(0))
    await ann.send_to(text_data='{"looking": false}')
    await ann.receive_nothing()
    assert (await Seat.objects.aget(game=game, number=0)).seen_at is None
    await ann.send_to(text_data='{"looking": true}')
    await asyncio.sleep(0.2)
    assert (await Seat.objects.aget(game=game, number=0)).seen_at is not None
    await ann.disconnect()


async def test_six_windows_are_enough():
    game = await running_a("ann", "ben")
    session = await session_a("ann")
    windows = []
    for _ in range(6):
        windows.append(socket(game, session, at(0)))
        assert (await windows[-1].connect())[0]
    one_more = socket(game, session, at(0))
    await one_more.connect()
    assert await closed_with(one_more) == 4429
    ben = await opened(game, "ben", at(1))
    await windows.pop().disconnect()
    again = socket(game, session, at(0))
    await again.connect()
    assert await again.receive_nothing()
    for each in (*windows, ben, again):
        await each.disconnect()


@pytest.mark.parametrize(
    ("proxies", "first", "second", "opens"),
    [
        (1, "203.0.113.1", "203.0.113.2", True),
        (1, "203.0.113.1", "203.0.113.1", False),
        (1, "203.0.113.2, 203.0.113.1", "203.0.113.3, 203.0.113.1", False),  # the first of both is the client's word
        (1, "2001:db8::1", "2001:db8::2", False),
        (0, "203.0.113.1", "203.0.113.2", False),
    ],
)
async def test_onlookers_without_a_session_are_told_apart_by_their_address(settings, proxies, first, second, opens):
    """Behind a proxy all sockets come from its address: six onlookers would have been all there was room for."""
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = proxies
    game = await running_a("ann", "ben")

    async def onlooker(address: str) -> WebsocketCommunicator:
        connection = socket(game)
        connection.scope["headers"].append((b"x-forwarded-for", address.encode()))
        connection.scope["client"] = ["127.0.0.1", 50000]
        await connection.connect()
        return connection

    windows = [await onlooker(first) for _ in range(consumers.MOST_SOCKETS)]
    one_more = await onlooker(second)
    if opens:
        assert (await one_more.receive_output(3))["type"] == "websocket.send"
        windows.append(one_more)
    else:
        assert await closed_with(one_more) == 4429
    for each in windows:
        await each.disconnect()


class Broken(Exception):
    """What a test lets fail."""


def broken(*_: object, **__: object) -> None:
    raise Broken


async def broken_a(*_: object, **__: object) -> None:
    raise Broken


LAYER = settings.CHANNEL_LAYERS["default"]["BACKEND"]  # Redis in `make test-cluster`, else this process's memory

# Everything a socket calls on its way in, while it listens, and on its way out.
ON_THE_WAY_IN = [
    ("games.consumers.TableConsumer.accept", broken_a),
    ("games.consumers.TableConsumer.find_group", broken_a),
    ("games.live.tables.table_at", broken),
    ("games.live.sessions_of", broken),
    (f"{LAYER}.group_add", broken_a),
    ("games.consumers._shown", broken),
    ("games.live.asked_together", broken_a),
    ("games.live.answers_to", broken),
    ("games.consumers.tables.news_and_then", broken),
    ("games.consumers.TableConsumer.send", broken_a),
]
ONCE = ("accept", "find_group", "group_add", "_shown", "sessions_of")  # what no ring calls again
INSIDE = [
    *(("ring", *each) for each in ON_THE_WAY_IN if each[0].rpartition(".")[2] not in ONCE),
    ("talk", "games.consumers.tables.news_and_then", broken),
    ("talk", "games.live.chat.lines_for", broken),
    ("people", "games.consumers.TableConsumer.rang", broken_a),
    ("looks", "games.consumers.tables.look", broken),
    ("looks", "games.consumers.TableConsumer.receive", broken_a),
    ("frame", "games.consumers.json.loads", broken),
    ("no such message", "", None),
    ("closed", f"{LAYER}.group_discard", broken_a),
    ("closed", "games.consumers.TableConsumer.disconnect", broken_a),
    ("turned away", f"{LAYER}.group_discard", broken_a),
    ("turned away", "games.consumers.TableConsumer.close", broken_a),
]


async def has_ended(connection: WebsocketCommunicator) -> None:
    """However it ended: by itself, or by what went wrong."""
    with contextlib.suppress(Broken, ValueError, live.Unanswered, asyncio.CancelledError):
        await asyncio.wait_for(asyncio.shield(connection.future), 10)
    assert connection.future.done()


@pytest.mark.parametrize(("what", "how"), ON_THE_WAY_IN)
async def test_a_socket_that_fails_on_the_way_in_gives_its_place_back(monkeypatch, what, how):
    game, session = await running_a("ann", "ben"), await session_a("ann")
    monkeypatch.setattr(what, how)
    for _ in range(consumers.MOST_SOCKETS + 1):
        connection = socket(game, session)
        await connection.send_input({"type": "websocket.connect"})
        await has_ended(connection)
    assert not consumers._open
    monkeypatch.undo()
    connection = socket(game, session, at(0))
    assert (await connection.connect())[0]
    assert await connection.receive_nothing()
    await connection.disconnect()


@pytest.mark.parametrize(("when", "what", "how"), INSIDE)
async def test_a_socket_that_fails_later_gives_its_place_back(monkeypatch, when, what, how):
    game, session = await running_a("ann", "ben"), await session_a("ann")
    connection = socket(game, session, at(0) + "&talk=0.0.")
    assert (await connection.connect())[0]
    await connection.receive_nothing()
    for _ in range(100):  # the place is taken soon after the socket is opened
        if consumers._open:
            break
        await asyncio.sleep(0.05)
    assert consumers._open
    if what:
        monkeypatch.setattr(what, how)
    match when:
        case "ring":
            await move_a(game, 0, "e2", "e4")
        case "talk":
            await sync_to_async(doorbell.ring_chat)(game)
        case "people":
            await sync_to_async(doorbell.ring_people)(game)
        case "looks" | "frame":
            await connection.send_input({"type": "websocket.receive", "text": '{"looking": true}'})
        case "no such message":
            await connection.send_input({"type": "websocket.nonsense"})
        case "closed":
            await connection.send_input({"type": "websocket.disconnect", "code": 1001})
        case "turned away":
            await sync_to_async(session.flush)()
            await move_a(game, 0, "e2", "e4")
            await asyncio.sleep(0.3)
            assert not consumers._open
            if not connection.future.done():
                await connection.send_input({"type": "websocket.disconnect", "code": 1001})
    await has_ended(connection)
    assert not consumers._open


async def test_a_socket_that_is_cancelled_gives_its_place_back(monkeypatch):
    """daphne cancels what does not end ten seconds after its browser went away."""
    game, session = await running_a("ann", "ben"), await session_a("ann")
    entered = asyncio.Event()

    async def never(*_: object) -> str:
        entered.set()
        return await asyncio.get_running_loop().create_future()

    async def ends_when_cancelled(connection: WebsocketCommunicator) -> None:
        connection.future.cancel()
        await has_ended(connection)
        assert not consumers._open

    idle = socket(game, session, at(0))
    await idle.connect()
    await ends_when_cancelled(idle)
    for what in ("live.asked_together", "consumers.TableConsumer.find_group"):
        monkeypatch.setattr(f"games.{what}", never)
        stuck = socket(game, session, at(0))
        await stuck.send_input({"type": "websocket.connect"})
        await asyncio.wait_for(entered.wait(), 3)
        await ends_when_cancelled(stuck)
        monkeypatch.undo()
        entered.clear()


async def test_an_answer_that_is_cancelled_leaves_no_socket_waiting(monkeypatch):
    """Whoever asks for several sockets may be cancelled; all of them must hear of it."""
    game, session = await running_a("ann", "ben"), await session_a("ann")
    connection = socket(game, session, at(0))
    await connection.connect()
    await connection.receive_nothing()

    async def cancelled(*_: object) -> None:
        raise asyncio.CancelledError

    monkeypatch.setattr("games.worker.run", cancelled)
    await connection.send_input({"type": "websocket.receive", "text": '{"looking": true}'})
    await has_ended(connection)


async def test_a_private_table_is_closed_to_a_stranger_like_a_missing_one():
    game = await running_a("ann", "ben", is_public=False)
    codes = []
    for there in (game, "is-not-here", "nul%00"):
        stranger = await opened(there, "cleo")
        codes.append(await closed_with(stranger))
    assert codes == [4404, 4404, 4404]
    ben = await opened(game, "ben", at(1))
    assert await ben.receive_nothing()
    await ben.disconnect()


async def is_opened(game: Game, session, *headers: tuple[str, str]) -> bool:
    sent = [(name.encode(), value.encode("latin1")) for name, value in headers]
    cookie = (b"cookie", f"sessionid={session.session_key}".encode())
    connection = WebsocketCommunicator(protocols, f"/ws/tables/{game.public_id}/", headers=[*sent, cookie])
    connected, _ = await connection.connect()
    if connected:
        await connection.disconnect()
    return connected


HERE = "127.0.0.1:8000"
STRANGERS = [
    "http://evil.example",
    "http://127.0.0.1",
    "http://127.0.0.1:80",
    "http://127.0.0.1:3000",  # another site on this machine
    "http://127.0.0.1:80000",
    "http://localhost:3000",
    "https://127.0.0.1:8000",
    "ws://127.0.0.1:8000",
    "127.0.0.1:8000",
    "http://127.0.0.1:8000.evil.example",
    "http://evil.example:8000",
    "http://127.0.0.1:8000@evil.example",
    "http://127.0.0.1:8000/",
    "http://127.0.0.1:8000, http://evil.example",
    "http://[",
    "http://[::1",
    "http://127.0.0.1:port",
    "http://\xe9",
    "null",
    "",
]


@pytest.mark.parametrize("origin", STRANGERS)
async def test_a_socket_from_another_site_is_not_opened(origin):
    game, session = await running_a("ann", "ben"), await session_a("ann")
    assert not await is_opened(game, session, ("origin", origin), ("host", HERE))


async def test_a_socket_needs_exactly_one_origin():
    game, session = await running_a("ann", "ben"), await session_a("ann")
    evil = ("origin", "http://evil.example")
    assert not await is_opened(game, session, ("host", HERE))
    assert not await is_opened(game, session, ("origin", SITE), evil, ("host", HERE))
    assert not await is_opened(game, session, evil, ("origin", SITE), ("host", HERE))
    assert await is_opened(game, session, ("origin", SITE), ("host", HERE))


@pytest.mark.parametrize(
    ("origin", "host", "opens"),
    [
        ("http://localhost:8000", "localhost:8000", True),  # the other name of this machine, as typed
        ("http://[::1]:8000", "[::1]:8000", True),
        ("HTTP://LocalHost:8000", "localhost:8000", True),
        ("http://localhost:8000", HERE, False),
        ("http://localhost:3000", "localhost:3000", False),
        ("http://evil.example:8000", "evil.example:8000", False),
        ("http://127.0.0.1:8000", "evil.example", True),  # SITE_URL, whatever Host says
    ],
)
async def test_a_socket_may_come_from_the_address_the_site_was_asked_at(origin, host, opens):
    game, session = await running_a("ann", "ben"), await session_a("ann")
    assert await is_opened(game, session, ("origin", origin), ("host", host)) is opens


PROXIED = {
    "SITE_URL": "https://games.example.org",
    "ALLOWED_HOSTS": ["games.example.org", "other.example.org", "127.0.0.1"],
    "SECURE_PROXY_SSL_HEADER": ("HTTP_X_FORWARDED_PROTO", "https"),
    "ALLAUTH_TRUSTED_PROXY_COUNT": 1,
}


@pytest.mark.parametrize(
    ("origin", "host", "scheme", "opens"),
    [
        ("https://games.example.org", "games.example.org", "https", True),
        ("https://games.example.org:443", "games.example.org", "https", True),
        ("https://games.example.org:8443", "games.example.org:8443", "https", True),  # what the proxy was asked for
        ("https://other.example.org", "other.example.org", "https", True),
        ("http://games.example.org", "games.example.org", "https", False),
        ("http://games.example.org:443", "games.example.org", "https", False),
        ("https://games.example.org:8443", "games.example.org", "https", False),
        ("https://other.example.org", "other.example.org", "http", False),
        ("https://evil.example.org", "evil.example.org", "https", False),
        ("https://games.example.org.evil.example", "games.example.org", "https", False),
    ],
)
async def test_behind_a_proxy_its_host_and_scheme_count(settings, origin, host, scheme, opens):
    for name, value in PROXIED.items():
        setattr(settings, name, value)
    game, session = await running_a("ann", "ben"), await session_a("ann")
    headers = ("origin", origin), ("host", host), ("x-forwarded-proto", scheme)
    assert await is_opened(game, session, *headers) is opens


async def test_without_a_proxy_of_ours_its_headers_count_for_nothing():
    game, session = await running_a("ann", "ben"), await session_a("ann")
    headers = ("origin", "https://127.0.0.1:8000"), ("host", HERE), ("x-forwarded-proto", "https")
    assert not await is_opened(game, session, *headers, ("x-forwarded-host", "127.0.0.1:8000"))


async def test_whoever_logs_out_hears_no_more():
    game = await running_a("ann", "ben")
    session = await session_a("ann")
    ann = socket(game, session, at(0))
    await ann.connect()
    await sync_to_async(session.flush)()
    await move_a(game, 0, "e2", "e4")
    assert await closed_with(ann) == 4401


def deactivate(who: str) -> None:
    someone = player(who)
    someone.is_active = False
    someone.save()


def change_password(who: str) -> None:
    someone = player(who)
    someone.set_password("another one")
    someone.save()


def log_out(who: str) -> None:
    for each in Session.objects.all():
        if each.get_decoded().get(SESSION_KEY) == str(player(who).pk):
            import_module(settings.SESSION_ENGINE).SessionStore(each.session_key).flush()


NO_LONGER = [deactivate, change_password, log_out]


def deactivate_unheard(who: str) -> None:
    type(player(who)).objects.filter(username=who).update(is_active=False)


def forget_sessions(who: str) -> None:
    Session.objects.all().delete()


UNHEARD = [deactivate_unheard, forget_sessions]  # no bell rings for these


@pytest.mark.parametrize("how", NO_LONGER)
@pytest.mark.parametrize("who", ["ann", "cleo"])  # a player, and a spectator with an account
@pytest.mark.parametrize("news", ["move", "talk", "people", "looks"])
async def test_whoever_may_not_be_here_any_longer_gets_nothing_more(how, who, news):
    game = await running_a("ann", "ben")
    connection = await opened(game, who, at(0 if who == "ann" else "") + "&talk=0.0.")
    await connection.receive_nothing()
    await sync_to_async(how)(who)
    match news:
        case "move":
            await move_a(game, 0, "e2", "e4")
        case "talk":
            await sync_to_async(lambda: chat.say(visitor(game, "ben"), "a secret"))()
        case "people":
            await sync_to_async(doorbell.ring_people)(game)
        case "looks":
            await connection.send_to(text_data='{"looking": true}')
    assert await closed_with(connection) == 4401


@pytest.mark.parametrize("how", [*NO_LONGER, *UNHEARD])
async def test_the_socket_of_whoever_may_not_be_here_closes_by_itself(monkeypatch, how):
    """No ring, nothing said by the page: a forgotten tab, or a program that only listens."""
    assert live.CHECK_SECONDS <= 30
    monkeypatch.setattr(live, "CHECK_SECONDS", 0.3)
    game = await running_a("ann", "ben")
    anna, ben = [await opened(game, name, at(seat)) for seat, name in enumerate(["ann", "ben"])]
    onlooker, nobody = await opened(game, "cleo", at("")), await opened(game, None, at(""))
    await sync_to_async(how)("ann")
    assert await closed_with(anna) == 4401
    if how is not forget_sessions:
        assert await ben.receive_nothing(0.7)
        await move_a(game, 0, "e2", "e4")
        for each in (ben, onlooker):
            assert "page-state" in await each.receive_from(3)
    for each in (ben, onlooker, nobody):
        await each.disconnect()


async def test_an_open_socket_is_checked_while_the_database_comes_and_goes(monkeypatch):
    monkeypatch.setattr(live, "CHECK_SECONDS", 0.1)
    game = await running_a("ann", "ben")
    anna = await opened(game, "ann", at(0))
    with monkeypatch.context() as away:
        away.setattr(live, "look_after", broken)
        await asyncio.sleep(0.5)
    await sync_to_async(deactivate)("ann")
    assert await closed_with(anna) == 4401


async def test_a_private_table_checks_its_onlookers_as_well(monkeypatch):
    monkeypatch.setattr(live, "CHECK_SECONDS", 0.1)
    game = await running_a("ann", "ben", is_public=False)
    session = await session_a(None)
    session["invited"] = [game.public_id]
    await sync_to_async(session.save)()
    onlooker = socket(game, session, at(""))
    await onlooker.connect()
    assert await onlooker.receive_nothing(0.4)
    await sync_to_async(session.delete)()
    assert await closed_with(onlooker) == 4404


async def test_talk_rings_only_for_those_it_is_for():
    game = await running_a("ann", "ben")
    ben, cleo = (
        await opened(game, "ben", at(1) + "&talk=0.0."),
        await opened(game, "cleo", at("") + "&talk=0.0."),
    )
    await sync_to_async(lambda: chat.say(visitor(game, "ann"), "players only"))()
    assert "players only" in await ben.receive_from(3)
    assert await cleo.receive_nothing()
    await ben.disconnect()
    await cleo.disconnect()


async def test_a_page_of_the_other_seat_is_sent_to_the_hand_over():
    game = await running_a("ann", "bob")
    session = await session_a("ann")

    def share():
        Seat.objects.filter(game=game, number=1).update(player=player("ann"), name="Bob")
        session[f"at:{game.public_id}"] = 0
        session.save()

    await sync_to_async(share)()
    ann = socket(game, session, at(0))
    await ann.connect()
    assert await ann.receive_nothing()
    await move_a(game, 0, "e2", "e4")
    news = await ann.receive_from(3)
    assert f'data-go="/tables/{game.public_id}/hand-over/"' in news
    assert "sq-" not in news
    await ann.disconnect()


async def test_nothing_but_a_number_travels(monkeypatch):
    """The channel layer carries no part of the game."""
    game = await running_a("ann", "ben")
    sent = []

    class Layer:
        async def group_send(self, group, message):
            sent.append(message)

    monkeypatch.setattr("games.doorbell.get_channel_layer", Layer)
    await move_a(game, 0, "e2", "e4")
    assert sent == [{"type": "rang", "kind": "game", "number": 1, "by": ""}]


def test_news_says_what_the_page_shows_then():
    game = running("ann", "ben")
    move(game, 0, "e2", "e4")
    who = visitor(game, "ann")
    message, shown, _ = tables.news_and_then(who, tables.Shown(0, 0))
    assert message and shown.revision == 1
    assert tables.news(who, shown) == ""
