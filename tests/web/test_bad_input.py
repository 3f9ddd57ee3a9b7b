"""Whatever is sent, by whomever, to any address there is: never a 5xx, and no GET changes a game.

The addresses are found by walking the URLconf, so a new view cannot be forgotten here.
"""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Iterator
from urllib.parse import quote

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.urls.resolvers import RoutePattern

from games.models import Action, Counter, Game, Hex, Message, Position, Seat
from players import tokens
from players.models import Player
from tests import tables

pytestmark = pytest.mark.django_db

KEPT = (Game, Seat, Position, Counter, Hex, Action, Message)


# ---- every address there is


def routes(resolver: URLResolver, before: str = "") -> Iterator[str]:
    """Every pattern of the site as one text, with {name} or {name:int} where something is to be filled in."""
    for each in resolver.url_patterns:
        route = before + blanks(each.pattern)
        if isinstance(each, URLPattern):
            yield route
        else:
            yield from routes(each, route)


def blanks(pattern: object) -> str:
    if isinstance(pattern, RoutePattern):
        return re.sub(r"<(?:(\w+):)?(\w+)>", lambda m: f"{{{m[2]}:{m[1] or 'str'}}}", str(pattern))
    text = re.sub(r"\(\?P<(\w+)>(?:[^()]|\([^()]*\))*\)", r"{\1:str}", pattern.regex.pattern)
    return text.lstrip("^").replace("\\Z", "").replace("\\/", "/").rstrip("$").replace("\\", "")


ROUTES = sorted(set(routes(get_resolver())))
JUNK = {
    "int": ["0", "99999", "9" * 30],
    "str": ["junk", "%00", "%ff%fe", quote("é\u202e<script>"), "x" * 300],
    "path": ["junk/more", "%00"],
    "slug": ["gambit", "junk"],
}
# What views look for, given as what they do not expect.
FIELDS = re.findall(
    r"\w+",
    """action revision decision token visible text name seat number level opponent game options kind seats
    light position is_public hand_over entropy email login username password password1 password2 next key page
    q""",
)
VALUES = ["", "junk", "-1", "9" * 30, "\0", "\u202e", "x" * 2000, '{"do": "fly"}', "[" * 500, "NaN", "true"]
FORMS = [dict(zip(FIELDS, itertools.cycle(VALUES[shift:] + VALUES[:shift]))) for shift in (1, 4, 7)]
BODIES = [
    (b"{", "application/json"),
    (b'{"action": {"do": "fly"}, "revision": "x", "token": null}', "application/json"),
    (b"\xff\xfe", "application/x-www-form-urlencoded"),
    (b"revision=1&revision=2&%zz=%ff%00&action=%5B", "application/x-www-form-urlencoded"),
    (b"--x\r\nbroken", "multipart/form-data; boundary=x"),
    (b"no boundary", "multipart/form-data"),
    (b"", "no/such; charset=nothing"),
]


# ---- who asks


@pytest.fixture(scope="module")
def world(django_db_setup, django_db_blocker):
    """A running game, a private one, and one that waits, all of ann's; everybody who might come by.

    Made once, as it takes longer than the requests; each test's own transaction takes back what it did.
    """
    with django_db_blocker.unblock():
        for name, values in PEOPLE.items():
            Player.objects.create(username=name, **values)
        yield {
            "running": tables.running("ann", "bob"),
            "private": tables.running("ann", "bob", is_public=False),
            "open": tables.seated("ann", "bob"),
        }
        Game.objects.all().delete()
        Player.objects.all().delete()


PEOPLE = {
    "ann": {},
    "bob": {},
    "eve": {},
    "staff": {"is_staff": True, "is_superuser": True},
    "guest-1": {"is_guest": True, "guest_name": "Gus"},
}
ROLES = ["nobody", "guest-1", "ann", "eve", "staff"]
CURIOUS = ["nobody", "ann"]  # who try everything; junk is junk whoever sends it


class Visitor:
    """A browser and a program of one person, or of nobody."""

    def __init__(self, name: str, route: str) -> None:
        self.player = Player.objects.filter(username=name).first()
        self.client = Client(raise_request_exception=False)
        self.is_program = route.startswith("api/")
        self.headers = {}
        if self.player and self.is_program:
            self.headers["Authorization"] = f"Bearer {tokens.make(self.player, 'test')[1]}"
        elif self.player:
            self.client.force_login(self.player)
        self.may_log_out = route.startswith(("account/", "admin/logout", "admin/password"))

    def send(self, method: str, url: str, data: object = None, htmx: bool = False, **more) -> int:
        if self.player and self.may_log_out:
            self.client.force_login(self.player)
        headers = {**self.headers, "HX-Request": "true"} if htmx else self.headers
        if isinstance(data, bytes):  # as it is: the client would try to encode it
            return self.client.generic(method.upper(), url, data, headers=headers, **more).status_code
        return getattr(self.client, method)(url, data, headers=headers, **more).status_code


def addresses(route: str, good: dict[str, str]) -> Iterator[str]:
    """The route filled in: once as it should be, and once with each junk its blanks could be given."""
    names = re.findall(r"\{(\w+):(\w+)\}", route)
    right = {name: good.get(name, JUNK[kind][0]) for name, kind in names}
    yield fill(route, right)
    for name, kind in names:
        for junk in JUNK[kind]:
            yield fill(route, right | {name: junk})


def fill(route: str, values: dict[str, str]) -> str:
    return "/" + re.sub(r"\{(\w+):\w+\}", lambda m: values[m[1]], route)


def is_of_a_table(route: str) -> bool:
    return bool(re.search(r"\{(public_id|id|invite_key|return_key):", route))


def good_values(game: Game) -> dict[str, str]:
    return {
        "public_id": game.public_id,
        "id": game.public_id,
        "invite_key": game.invite_key,
        "return_key": game.seats.first().return_key,
        "revision": "0",
        "object_id": str(game.pk),
        "slug": "gambit",
        "app_label": "games",
    }


def digest(*games: Game) -> str:
    """All that is kept of these games, or of all."""
    told = hashlib.sha256()
    for model in KEPT:
        rows = model.objects.order_by("pk")
        if games:
            rows = rows.filter(pk__in=[g.pk for g in games]) if model is Game else rows.filter(game__in=games)
        told.update(repr(list(rows.values_list())).encode())
    return told.hexdigest()


def test_the_walk_finds_every_kind_of_address():
    assert len(ROUTES) > 40
    for route in ("tables/{public_id:str}/act/", "api/v1/tables/{id:str}/actions", "account/login/"):
        assert route in ROUTES
    assert any(route.startswith("admin/games/game/") for route in ROUTES)


@pytest.mark.parametrize("route", ROUTES)
def test_no_get_changes_anything_and_none_fails(world, route):
    before = digest()
    for role, game in itertools.product(ROLES, world):
        if game != "running" and not is_of_a_table(route):
            continue
        visitor = Visitor(role, route)
        url, *junk = addresses(route, good_values(world[game]))
        assert visitor.send("get", url) < 500, (role, url)
        assert visitor.send("get", url, FORMS[0]) < 500, (role, url, "junk query")
        assert visitor.send("get", url, FORMS[1], htmx=True) < 500, (role, url, "htmx")
        if game == "running" and role in CURIOUS:
            for each in junk:
                assert visitor.send("get", each) < 500, (role, each)
            assert visitor.send("head", url) < 500, (role, url, "head")
            assert visitor.send("options", url) < 500, (role, url, "options")
    assert digest() == before


@pytest.mark.parametrize("route", ROUTES)
def test_no_post_fails(world, route):
    for role in ROLES:
        visitor = Visitor(role, route)
        url, *junk = addresses(route, good_values(world["running"]))
        for form, htmx in zip(FORMS, (True, False, True)):
            assert visitor.send("post", url, form, htmx=htmx) < 500, (role, url, form)
        if role in CURIOUS:
            for body, kind in BODIES:
                assert visitor.send("post", url, body, content_type=kind) < 500, (role, url, body, kind)
            for method in ("put", "patch", "delete", "trace"):
                assert visitor.send(method, url) < 500, (role, url, method)
            for each in junk:
                assert visitor.send("post", each) < 500, (role, each)
        assert visitor.send("post", url) < 500, (role, url)


@pytest.mark.parametrize("route", [r for r in ROUTES if re.search(r"\{(public_id|id|object_id):", r)])
def test_a_stranger_changes_nothing_at_a_private_table(world, route):
    game = world["private"]
    before = digest(game)
    url = fill(
        route,
        {
            **{name: JUNK[kind][0] for name, kind in re.findall(r"\{(\w+):(\w+)\}", route)},
            **good_values(game),
        },
    )
    good = {
        "action": '{"do": "resign"}',
        "revision": "0",
        "token": "token-0001",
        "decision": "",
        "text": "hello",
    }
    for role in ("nobody", "guest-1", "eve"):
        visitor = Visitor(role, route)
        assert 300 <= visitor.send("post", url, good) < 500, (role, url)
        as_json = {"action": {"do": "resign"}, "revision": 0, "token": "token-0001"}
        assert 300 <= visitor.send("post", url, as_json, content_type="application/json") < 500, (role, url)
    assert digest(game) == before
