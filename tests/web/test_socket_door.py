"""Acting by the socket: the same checks, tokens and refusals as by POST, and news for everybody at the table."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from games import consumers
from games.models import Action, Game
from tests.web.test_table_consumer import _no_sockets, at, closed_with, opened, running_a, session_a, socket

__all__ = ["_no_sockets"]

pytestmark = pytest.mark.django_db(transaction=True)


def move(source: str, target: str, **fields: Any) -> str:
    action = json.dumps({"do": "move", "source": source, "target": target})
    return json.dumps({"action": action, "revision": "0", "token": "a token of a page", "decision": "", **fields})


async def answer(connection: Any, frame: str) -> tuple[str, str]:
    """Status and text of the answer to a frame."""
    await connection.send_to(text_data=frame)
    text = await connection.receive_from(5)
    return re.search(r'<div id="answer"[^>]* data-status="(\d+)"', text)[1], text


async def actions_of(game: Game) -> int:
    return await Action.objects.filter(game=game, number__gt=0).acount()


async def test_an_action_is_answered_and_everybody_else_gets_the_news():
    game = await running_a("ann", "ben")
    ann, ben, cleo = [await opened(game, name, at(seat)) for name, seat in (("ann", 0), ("ben", 1), ("cleo", ""))]
    status, text = await answer(ann, move("e2", "e4"))
    assert status == "200" and 'data-base="0" data-revision="1"' in text and 'data-token="a token of a page"' in text
    for other, seat in ((ben, "1"), (cleo, "")):
        news = await other.receive_from(5)
        assert 'data-revision="1"' in news and f'data-seat="{seat}"' in news and 'id="answer"' not in news
    assert await ann.receive_nothing()  # nothing twice
    for each in (ann, ben, cleo):
        await each.disconnect()


async def test_the_same_token_counts_once():
    game = await running_a("ann", "ben")
    ann = await opened(game, "ann", at(0))
    assert (await answer(ann, move("e2", "e4")))[0] == "200"
    assert (await answer(ann, move("e2", "e4")))[0] == "200"
    assert (await answer(ann, move("d2", "d4")))[0] == "409"  # the token of another action
    assert await actions_of(game) == 1
    await ann.disconnect()


@pytest.mark.parametrize(
    ("who", "frame", "status"),
    [
        ("ann", move("e2", "e9"), "422"),
        ("ann", move("e2", "e4", revision="7"), "409"),
        ("ann", move("e2", "e4", revision=0), "400"),  # not a text
        ("ann", move("e2", "e4", revision="x"), "400"),
        ("ann", move("e2", "e4", token=""), "400"),
        ("ann", move("e2", "e4", token=["a", "b"]), "400"),
        ("ann", json.dumps({"action": {"do": "move"}}), "400"),
        ("ann", json.dumps({"action": "{"}), "400"),
        ("ann", json.dumps({"action": "[" * 3000}), "400"),
        ("ann", json.dumps({"action": '"' + "x" * 5000 + '"'}), "400"),
        ("ben", move("e2", "e4"), "422"),
        ("cleo", move("e2", "e4"), "403"),
        (None, move("e2", "e4"), "403"),
    ],
)
async def test_what_is_refused_by_post_is_refused_here_and_changes_nothing(who, frame, status):
    game = await running_a("ann", "ben")
    seat = {"ann": 0, "ben": 1}.get(who, "")
    connection = await opened(game, who, at(seat))
    found, text = await answer(connection, frame)
    assert found == status and "toast error" in text
    assert await actions_of(game) == 0
    await connection.disconnect()


async def test_whoever_has_logged_out_does_not_act():
    game, session = await running_a("ann", "ben"), await session_a("ann")
    ann = socket(game, session, at(0))
    await ann.connect()
    await ann.receive_nothing()
    await sync_to_async(session.flush)()
    await ann.send_to(text_data=move("e2", "e4"))
    assert await closed_with(ann) == 4401
    assert await actions_of(game) == 0


async def test_too_many_actions_in_a_second_are_refused(monkeypatch):
    monkeypatch.setattr(consumers, "MOST_ACTIONS_A_SECOND", 0)
    game = await running_a("ann", "ben")
    ann = await opened(game, "ann", at(0))
    assert (await answer(ann, move("e2", "e4")))[0] == "429"
    assert await actions_of(game) == 0
    await ann.disconnect()


JUNK = [
    *(json.loads(f"[{text}]")[0] for text in ("null", "true", "-1", "1e999", '"\\ud800"', '"\\u0000"', "[]", "{}")),
    *("", "junk", "9" * 30, "\u202e", "x" * 2000, '{"do": "fly"}', "[" * 500, "NaN", '{"do": {"do": []}}'),
]
NO_FORMS = ["{", "[]", "null", '"action"', "[" * 8000, "x" * 9000, '{"looking": 1}', '{"looking": null}', "\0"]


async def test_no_junk_in_any_field_ends_a_socket_or_changes_anything(monkeypatch):
    """Each field with each junk, and frames that are no forms at all; then the socket still works."""
    monkeypatch.setattr(consumers, "MOST_ACTIONS_A_SECOND", 10**6)
    game = await running_a("ann", "ben")
    ann = await opened(game, "ann", at(0))
    for field in ("action", "revision", "token", "decision"):
        for junk in JUNK:
            status, _ = await answer(ann, move("e2", "e9", **{field: junk}))
            assert status in ("400", "409", "422"), (field, junk)
    for frame in NO_FORMS:
        await ann.send_to(text_data=frame)
    await ann.send_to(bytes_data=b"\xff\xfe")
    assert await actions_of(game) == 0
    assert (await answer(ann, move("e2", "e4")))[0] == "200"
    await ann.disconnect()
