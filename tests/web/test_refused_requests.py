"""Requests that cannot be read or have no address: refused quietly, with a page or the API's own JSON."""

from __future__ import annotations

import json
import logging

import pytest
from channels.testing import WebsocketCommunicator
from django.test import Client
from django.urls import reverse

from kadab.asgi import protocols
from players import tokens
from tests.tables import player, running

pytestmark = pytest.mark.django_db

FORM = "application/x-www-form-urlencoded"


def browser() -> Client:
    """One that has the CSRF cookie and is checked, as real ones are."""
    made = Client(enforce_csrf_checks=True, raise_request_exception=False)
    made.get(reverse("new_table"))
    assert "csrftoken" in made.cookies
    return made


@pytest.mark.parametrize(
    "kind",
    [f"{FORM}; charset=iso-8859-1", f"{FORM}; charset=utf-7", f"{FORM}; charset=nothing", "multipart/form-data"],
)
@pytest.mark.parametrize("path", ["/play-now/", "/tables/new/", "/account/login/", "/nowhere/"])
def test_a_form_that_cannot_be_read_gets_our_400_page(kind, path):
    """Django's own 400 page reads the form again for its CSRF check, which made it a 500."""
    answer = browser().generic("POST", path, b"name=x", content_type=kind)
    if "charset=nothing" in kind and answer.status_code != 400:
        assert answer.status_code in (403, 404)  # Django ignores a charset that does not exist
        return
    assert answer.status_code == 400 and "This request was not understood" in answer.content.decode()


@pytest.mark.parametrize("kind", ["multipart/form-data", f"{FORM}; charset=utf-7", "multipart/form-data; boundary=x"])
def test_the_api_answers_such_a_body_in_json(kind):
    game = running("ann", "bob")
    headers = {"Authorization": f"Bearer {tokens.make(player('ann'), 'a program')[1]}"}
    made = Client(raise_request_exception=False)
    for path in (f"/api/v1/tables/{game.public_id}/actions", "/api/v1/tables", "/api/v1/nowhere"):
        answer = made.generic("POST", path, b"name=x", content_type=kind, headers=headers)
        assert answer.status_code == (404 if "nowhere" in path else 400), answer.content
        assert set(json.loads(answer.content)) == {"code", "sentence", "rule"}


@pytest.mark.parametrize("path", ["/play-now/", "/tables/abc/return-link/", "/tables/abc/act/", "/account/tokens/"])
def test_a_wrong_method_gets_a_page_that_says_so(path):
    answer = Client().get(path, follow=True)
    if answer.status_code == 200:  # log in first
        return
    assert answer.status_code == 405 and answer["Allow"] == "POST"
    assert "This address can’t be opened like this" in answer.content.decode() and 'href="/"' in answer.content.decode()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("path", ["/", "/ws/", "/ws/evil/", "/ws/tables/"])
async def test_a_socket_to_no_address_is_refused_quietly(path, caplog):
    headers = [(b"origin", b"http://127.0.0.1:8000"), (b"host", b"127.0.0.1:8000")]
    with caplog.at_level(logging.INFO):
        socket = WebsocketCommunicator(protocols, path, headers=headers)
        connected, _ = await socket.connect()
    assert not connected and not [line for line in caplog.records if line.levelno >= logging.ERROR]
