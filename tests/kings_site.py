"""Kings & Things* at a real server: tables that are made there, and people who sit down at them in a browser."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser import People, Person
from tests.kings_hand import Hand, live
from tests.server import Server

STALE = r"status of 409"  # the game went on under the hand; the page then shows how it stands
NAMES = ("ann", "bob", "cat", "dan")

# ---- tables: a few lines for the server's own process, which say where the table is and give keys to its players

LOG_IN = """
from django.test import Client
from tests import tables
def key(name):
    client = Client()
    client.force_login(tables.player(name))
    return client.cookies["sessionid"].value
"""

# What is drawn, rolled and named is the same each time, and different at each table.
STAND = (
    LOG_IN
    + """
import json, random, secrets
from django.db import IntegrityError, transaction
from tests.kings_tables import laid
from tests.web.kings import NAMES
keys = {name: key(name) for name in NAMES}
def stand(name, text, times=1):
    # A module whose tests are run in two goes on one site needs its tables twice.
    secrets.token_bytes = random.Random(f"{name}: {text}" * times).randbytes
    try:
        with transaction.atomic():
            return {"url": laid(text).get_absolute_url(), "keys": keys}
    except IntegrityError:
        return stand(name, text, times + 1)
print(json.dumps({name: stand(name, text) for name, text in json.loads(TEXTS).items()}))
"""
)


def told(server: Server, code: str) -> dict[str, Any]:
    return json.loads(server.shell(code).splitlines()[-1])


def stood(server: Server, texts: dict[str, str]) -> dict[str, Any]:
    """Tables that stand as these scenarios say (docs/scenarios.md); A is ann, B is bob and so on."""
    return told(server, STAND.replace("TEXTS", repr(json.dumps(texts))))


# ---- people


def sits(people: People, table: dict[str, Any], name: str, **device: Any) -> Person:
    """Somebody who is logged in already."""
    person = comes(people, table, name, **device)
    person.goes_to(table["url"])
    live(person.page)
    return person


def comes(people: People, table: dict[str, Any], name: str, **device: Any) -> Person:
    """Somebody who has a key to this table and has not looked at it yet; whoever has no key looks on."""
    person = people.come(**device)
    if name in table["keys"]:
        person.context.add_cookies([{"name": "sessionid", "value": table["keys"][name], "url": people.server.url}])
    return person


def at(people: People, table: dict[str, Any], name: str = "ann", **device: Any) -> Hand:
    hand = Hand(sits(people, table, name, **device).page)
    expect(hand.page.locator("#controls[aria-busy]")).to_have_count(0)
    return hand


# ---- what they do and see


def in_hex(page: Page, place: str, kind: str) -> Any:
    return page.locator(f"#in-{place} [data-kind={kind}]")


def confirmed(hand: Hand, words: str) -> None:
    """What is to be done is said once more, and then it is done. The socket may bring the news before the answer."""
    before = hand.state["revision"]
    expect(hand.controls(".confirm")).to_contain_text(words)
    hand.confirm()
    expect(hand.page.locator("#controls[aria-busy]")).to_have_count(0)
    expect(hand.page.locator("#page-state")).not_to_have_attribute("data-revision", before)
    assert not hand.refused
