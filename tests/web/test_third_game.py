"""A game that has rules, a bot and an entry in the registry, and no page of its own, works on every page."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from io import StringIO
from typing import ClassVar

import pytest
from asgiref.sync import sync_to_async
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from games import registry
from games.engine import RULESETS
from games.engine.bots import LEVELS, STAND_INS
from games.engine.core.actions import Action
from games.engine.core.offers import Some
from games.models import Game
from games.painting import plain
from tests import pebbles, tables
from tests.tables import player, running
from tests.web.test_act import slots_in
from tests.web.test_api import Program
from tests.web.test_robots import answered
from tests.web.test_table_consumer import at, opened

pytestmark = pytest.mark.django_db
SLUG = pebbles.ENTRY.slug


@pytest.fixture(autouse=True)
def _registered() -> Iterator[None]:
    registry.register(pebbles.ENTRY)
    yield
    registry.withdraw(SLUG)


def client_of(name: str) -> Client:
    client = Client()
    client.force_login(player(name))
    return client


def begun(*who: str) -> Game:
    return running(*who, ruleset=SLUG, options={})


def url(name: str, game: Game, *more: object) -> str:
    return reverse(name, args=[game.public_id, *more])


def take(game: Game, seat: int, count: int) -> None:
    game.refresh_from_db()
    tables.play.act(game, seat, {"do": "take", "count": count}, revision=game.revision, token=tables.token())


def buttons_in(page: str) -> dict[str, dict[str, object]]:
    """What each button of the page's form sends, by its label."""
    found = re.findall(r'form="act-form" name="action" value="([^"]*)">([^<]*)<', page)
    return {unescape(label): json.loads(unescape(value)) for value, label in found}


# ---- before the game


def test_the_registry_forgets_a_game_that_was_withdrawn():
    registry.withdraw(SLUG)
    assert not any(SLUG in known for known in (registry.ENTRIES, RULESETS, LEVELS, STAND_INS))
    registry.register(pebbles.ENTRY)


def test_the_front_page_has_a_strip_that_starts_it_with_one_press():
    page = Client().get(reverse("lobby")).text
    assert 'value="bots:pebbles"' in page and reverse("rules_of", args=[SLUG]) in page
    assert Client().post(reverse("play_now"), {"start": "bots:pebbles"}).status_code == 302
    game = Game.objects.get()
    assert game.ruleset == SLUG and game.status == "running"
    assert sorted(seat.bot for seat in game.seats.all()) == ["", "one"]


def test_it_is_opened_joined_and_started_on_pages():
    ann, bob = client_of("ann"), client_of("bob")
    assert "Pebbles &amp; Stones" in ann.get(reverse("new_table")).text
    assert "Pebbler" in ann.get(reverse("new_table"), {"game": SLUG}).text
    form = {"game": SLUG, "seat_0": "me", "seat_1": "open", "visible": "everyone"}
    assert ann.post(reverse("new_table"), form).status_code == 302
    game = Game.objects.get()
    room = ann.get(game.get_absolute_url()).text
    assert "Pebbles &amp; Stones" in room and reverse("rules_of", args=[SLUG]) in room
    assert "Pebbles &amp; Stones" in bob.get(reverse("lobby")).text
    assert "Pebbles &amp; Stones" in Client().get(reverse("invitation", args=[game.invite_key])).text
    assert bob.post(url("join", game)).status_code == 302
    ann.post(url("start", game))
    game.refresh_from_db()
    assert game.status == "running"


def test_its_rules_page_says_who_can_play_it():
    page = Client().get(reverse("rules_of", args=[SLUG])).text
    assert "<h1>Pebbles &amp; Stones</h1>" in page and "For 2 players." in page
    assert reverse("rules_of", args=[SLUG]) in Client().get(reverse("rules")).text
    assert Client().get(reverse("handbook", args=[SLUG, "any"])).status_code == 404


# ---- at the table


def test_the_table_shows_the_view_and_buttons_only_for_whoever_is_asked():
    game = begun("ann", "bob")
    pages = {name: client_of(name).get(game.get_absolute_url()).text for name in ("ann", "bob", "eve")}
    assert all("pile: 7" in page for page in pages.values())
    assert buttons_in(pages["ann"]) == {
        "Take: count 1": {"do": "take", "count": 1},
        "Take: count 2": {"do": "take", "count": 2},
        "Resign": {"do": "resign"},
    }
    assert set(buttons_in(pages["bob"])) == {"Resign"} and not buttons_in(pages["eve"])
    assert "These are examples" not in pages["ann"]
    assert "Your turn" in pages["ann"] and "Waiting for ann" in pages["bob"]
    assert client_of("ann").get(url("orders", game)).status_code == 404


def test_a_plain_form_acts_and_leads_back_to_the_table():
    game, ann = begun("ann", "bob"), client_of("ann")
    page = ann.get(game.get_absolute_url()).text
    sent = {
        "action": json.dumps(buttons_in(page)["Take: count 2"]),
        "form_token": re.search(r'name="form_token" value="([^"]+)"', page)[1],
    }
    answer = ann.post(url("act", game), sent)
    assert answer.status_code == 302 and answer.url == game.get_absolute_url()
    assert "pile: 5" in ann.get(answer.url).text
    assert ann.post(url("act", game), {**sent, "action": '{"do": "take", "count": 3}'}).status_code == 422


def test_a_refusal_goes_to_a_script_as_well():
    game = begun("ann", "bob")
    action = {"action": '{"do": "take", "count": 1}', "revision": "0", "token": tables.token()}
    answer = client_of("bob").post(url("act", game), action, headers={"HX-Request": "true"})
    assert answer.status_code == 422 and "refusal" in slots_in(answer.text)


def test_the_past_the_export_and_the_admin_show_it():
    game = begun("ann", "bob")
    take(game, 0, 2)
    take(game, 1, 1)
    ann = client_of("ann")
    assert "pile: 5" in ann.get(url("past", game, 1)).text
    assert "pile: 5" in ann.get(url("past", game, 1), headers={"HX-Request": "true"}).text
    export = ann.get(url("export", game)).text
    assert "ann takes 2." in export and "bob takes 1." in export and "pile: 4" in export
    staff = Client()
    staff.force_login(player("staff", is_staff=True, is_superuser=True))
    page = staff.get(reverse("admin:games_game_change", args=[game.pk])).text
    assert "Pebbles &amp; Stones" in page and "pile: 4" in page and "The players take pebbles in turn." in page


def test_a_finished_game_says_who_won_and_verifies():
    game = begun("ann", "bob")
    for seat, count in ((0, 2), (1, 2), (0, 2), (1, 1)):
        take(game, seat, count)
    assert "bob won" in client_of("ann").get(game.get_absolute_url()).text
    listed = client_of("bob").get(reverse("lobby")).text
    assert "You won" in listed and "the last pebble" in listed
    told = StringIO()
    call_command("verify_games", stdout=told, stderr=told)
    assert told.getvalue() == "1 in order, 0 not\n"


def test_programs_play_it():
    ann = Program(player("ann"))
    assert SLUG in [game["game"] for game in ann.get("games").json()]
    made = ann.create({"kind": "me"}, {"kind": "bot", "level": "one"}, game=SLUG, options={})
    shown = ann.get(f"tables/{made['id']}").json()
    answer = ann.act(made["id"], {"do": "take", "count": 2}, revision=shown["revision"], token=tables.token())
    assert answer.status_code == 200
    assert ann.get(f"tables/{made['id']}").json()["view"]["pile"] == 5


@pytest.mark.django_db(transaction=True)
async def test_a_bot_answers_and_the_socket_tells_it():
    game = await sync_to_async(begun)("ann", "bot:one")
    eve = await opened(game, "eve", at(""))
    await sync_to_async(take)(game, 0, 2)
    news = await eve.receive_from(3)
    assert {"view", "prompt", "log"} <= slots_in(news) and "pile: 5" in news
    await answered()
    assert "pile: 4" in await eve.receive_from(3)
    await eve.disconnect()


@dataclass(frozen=True)
class Drop(Action):
    do: ClassVar[str] = "drop"
    which: tuple[str, ...]


def test_larger_sets_of_actions_are_shown_by_examples():
    offer = Some(Drop, "which", tuple("abcdef"), least=1)
    shown = plain.offer_context(offer)
    assert shown == plain.offer_context(offer) and shown["is_sample"]
    assert len({button["value"] for button in shown["buttons"]}) == plain.MOST_EXAMPLES
    assert all(action in offer for action in plain.actions_of(offer))
