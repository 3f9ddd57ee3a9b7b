"""The socket: everybody gets their own view, once, and whoever was away catches up."""

from __future__ import annotations

import asyncio
from importlib import import_module

import pytest
from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY

from games import chat, consumers, tables
from games.models import Game, Seat
from kadab.asgi import protocols
from tests.tables import move, player, running
from tests.web.test_act import slots_in
from tests.web.test_table_page import visitor

pytestmark = pytest.mark.django_db(transaction=True)


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


def socket(game: Game | str, session=None, query: str = "", origin: str = "http://127.0.0.1") -> WebsocketCommunicator:
    public_id = game if isinstance(game, str) else game.public_id
    headers = [(b"origin", origin.encode()), (b"host", b"127.0.0.1")]
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

        ring, doorbell.ring = doorbell.ring, lambda game: None
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


async def test_a_socket_from_another_site_is_not_opened():
    game = await running_a("ann", "ben")
    connection = socket(game, await session_a("ann"), origin="http://evil.example")
    connected, _ = await connection.connect()
    assert not connected


async def test_whoever_logs_out_hears_no_more():
    game = await running_a("ann", "ben")
    session = await session_a("ann")
    ann = socket(game, session, at(0))
    await ann.connect()
    await sync_to_async(session.flush)()
    await move_a(game, 0, "e2", "e4")
    assert await closed_with(ann) == 4401


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
    assert sent == [{"type": "game.changed", "revision": 1}]


def test_news_says_what_the_page_shows_then():
    game = running("ann", "ben")
    move(game, 0, "e2", "e4")
    who = visitor(game, "ann")
    message, shown = tables.news_and_then(who, tables.Shown(0, 0))
    assert message and shown.revision == 1
    assert tables.news(who, shown) == ""
