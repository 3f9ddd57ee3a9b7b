"""Whatever is sent, by whomever, to any address there is: never a 5xx, and no GET changes a game.

The addresses are found by walking the URLconf, so a new view cannot be forgotten here.
"""

from __future__ import annotations

import copy
import hashlib
import itertools
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from urllib.parse import quote, urljoin

import pytest
from django.db import connection, transaction
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
    return bool(re.search(r"\{(public_id|id|invite_key|return_key|share_key):", route))


def good_values(game: Game) -> dict[str, str]:
    return {
        "public_id": game.public_id,
        "id": game.public_id,
        "invite_key": game.invite_key,
        "return_key": game.seats.first().return_key,
        "share_key": game.share_key or "no-key",
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


# ---- long texts, in every field of every form and of the API

LONG = "Zq" * 1200  # longer than any column of ours takes
LENGTHS = (len(LONG), 60_000)  # what a form's own limit must hold off, and what once gave 500 at the login
PAGES = [route for route in ROUTES if not route.startswith("api/")]


@contextmanager
def no_long_text_reaches_the_database() -> Iterator[None]:
    def look(execute, sql, params, many, context):
        rows = params if many else [params or ()]
        assert not any(isinstance(each, str) and LONG in each for row in rows for each in row), sql
        return execute(sql, params, many, context)

    with connection.execute_wrapper(look):
        yield


def long_text(length: int) -> str:
    return (LONG * (length // len(LONG) + 1))[:length]


class Fields(HTMLParser):
    """The forms of a page: where each goes, how, and what it holds."""

    def __init__(self, text: str, here: str) -> None:
        super().__init__()
        self.here = here
        self.forms: list[tuple[str, str, dict[str, str]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if tag == "form":
            action = values.get("action") or values.get("hx-post") or self.here
            self.forms.append((values.get("method", "get").lower(), urljoin(self.here, action), {}))
        elif tag in ("input", "select", "textarea", "button") and values.get("name") and self.forms:
            self.forms[-1][2].setdefault(values["name"], values.get("value", ""))


def likely(name: str) -> str:
    """What somebody would type into an empty field, so that the other fields come to be looked at."""
    return "somebody@example.org" if "mail" in name or name == "address" else "Somebody9"


def forms_at(visitor: Visitor, url: str) -> list[tuple[str, str, dict[str, str]]]:
    response = visitor.client.get(url)
    if response.status_code != 200 or "html" not in response["Content-Type"]:
        return []
    return Fields(response.content.decode(), url).forms


@pytest.mark.parametrize("route", PAGES)
def test_no_long_text_in_any_form_reaches_the_database(world, route):
    """Every page there is, for everybody: each field of each of its forms too long, the others as the page has them."""
    tried = set()
    for role, game in itertools.product(["nobody", "guest-1", "ann", "staff"], ["running", "open"]):
        if game != "running" and not is_of_a_table(route):
            continue
        visitor = Visitor(role, route)
        url = next(addresses(route, good_values(world[game])))
        forms, cookies = forms_at(visitor, url), visitor.client.cookies
        for method, where, fields in forms:
            if not where.startswith("/") or (role, where, *fields) in tried:
                continue
            tried.add((role, where, *fields))
            for name, length in itertools.product(fields, LENGTHS):
                sent = {each: value or likely(each) for each, value in fields.items()} | {name: long_text(length)}
                visitor.client.cookies = copy.deepcopy(cookies)  # one of the forms logs out
                with no_long_text_reaches_the_database(), transaction.atomic():
                    status = visitor.send(method, where, sent)
                    transaction.set_rollback(True)
                assert status < 500, (role, where, name, length)


def test_the_walk_finds_the_forms(world):
    found = {
        name
        for role, url in (
            ("nobody", "/account/login/"),
            ("nobody", "/"),
            ("staff", "/admin/games/game/"),
            ("ann", "/account/"),
        )
        for _, _, fields in forms_at(Visitor(role, ""), url)
        for name in fields
    }
    assert {"login", "password", "name", "start", "q", "sound"} <= found


@pytest.mark.parametrize("route", ROUTES)
def test_no_long_text_sent_anywhere_reaches_the_database(world, route):
    """Fields a page does not show, queries, parts of the address, headers."""
    for role, length in itertools.product(CURIOUS, LENGTHS):
        visitor = Visitor(role, route)
        url, *_ = addresses(route, good_values(world["running"]))
        long = long_text(length)
        with no_long_text_reaches_the_database():
            some = FIELDS if length == len(LONG) else FIELDS[:1]  # the body has a limit as well
            assert visitor.send("post", url, dict.fromkeys(some, long)) < 500, (role, url)
            assert visitor.send("get", url, dict.fromkeys(FIELDS, long)) < 500, (role, url)
            for name in re.findall(r"\{(\w+):\w+\}", route):
                filled = {name: JUNK[kind][0] for name, kind in re.findall(r"\{(\w+):(\w+)\}", route)}
                where = fill(route, filled | good_values(world["running"]) | {name: long})
                assert visitor.send("get", where) < 500 and visitor.send("post", where) < 500, (role, name)
            assert visitor.send("get", url, HTTP_REFERER=f"http://testserver/{long}") < 500
            if not visitor.player:
                visitor.client.cookies["sessionid"] = visitor.client.cookies["csrftoken"] = long
                assert visitor.send("get", url, HTTP_AUTHORIZATION=f"Bearer {long}") < 500


# ---- and in every field the API describes


def shape(schema: dict, whole: dict, long: str, at: tuple = ()) -> Iterator[tuple[tuple, object]]:
    """Values of this shape with one text in them too long, each with the way to that text."""
    if ref := schema.get("$ref"):
        yield from shape(whole["components"]["schemas"][ref.rpartition("/")[2]], whole, long, at)
    elif choices := schema.get("anyOf") or schema.get("allOf"):
        for each in choices:
            yield from shape(each, whole, long, at)
    elif schema.get("type") == "object" and "properties" in schema:
        good = {name: example(each, whole) for name, each in schema["properties"].items()}
        for name, each in schema["properties"].items():
            for way, value in shape(each, whole, long, (*at, name)):
                yield way, {**good, name: value}
    elif schema.get("type") == "object":
        yield (*at, "key"), {long: "x"}
        yield (*at, "value"), {"do": long, "position": long}
    elif schema.get("type") == "array":
        for way, value in shape(schema["items"], whole, long, (*at, 0)):
            yield way, [value]
    else:
        yield at, long


def example(schema: dict, whole: dict) -> object:
    if ref := schema.get("$ref"):
        schema = whole["components"]["schemas"][ref.rpartition("/")[2]]
    if "examples" in schema or "enum" in schema:
        return (schema.get("examples") or schema["enum"])[0]
    if choices := schema.get("anyOf") or schema.get("allOf"):
        return example(choices[0], whole)
    if schema.get("type") == "object":
        return {name: example(each, whole) for name, each in schema.get("properties", {}).items()}
    return {"array": [], "integer": 0, "boolean": True}.get(schema.get("type", ""), "token-0001")


def test_no_long_text_in_any_field_of_the_api_reaches_the_database(world):
    whole = json.loads(Client().get("/api/v1/openapi.json").content)
    tried = set()
    for role, length in itertools.product(["ann", "eve"], LENGTHS):
        visitor = Visitor(role, "api/")
        for path, operations in whole["paths"].items():
            url = path.replace("{id}", world["running"].public_id)
            for method, operation in operations.items():
                queries = [each["name"] for each in operation.get("parameters", []) if each["in"] == "query"]
                body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
                with no_long_text_reaches_the_database():
                    for name in queries:
                        status = visitor.send(method, f"{url}?{name}={long_text(length)}")
                        assert 400 <= status < 500, (role, url, name)
                    for way, value in shape(body, whole, long_text(length)) if body else ():
                        tried.add((path, *way))
                        status = visitor.send(method, url, value, content_type="application/json")
                        assert 400 <= status < 500, (role, url, way, status)
    assert len(tried) > 15, tried
