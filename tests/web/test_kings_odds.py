"""The panel with the odds: for whoever takes part, the same whatever is hidden from them, and nothing if so chosen."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import Client
from django.urls import reverse

from games import access, play, tables
from games.engine.core.dice import Dice
from games.engine.kings import KINGS
from games.models import Game
from games.painting import fragments as painting
from games.painting.kings import odds as painter
from games.painting.kings.odds import draw_odds, odds_context, share
from tests import tables as tt
from tests.kings_odds import moments_with_odds, takes_part
from tests.kings_tables import state_of
from tests.web import kings as k
from tests.web.test_act import client_of
from tests.web.test_table_consumer import opened

with_games = pytest.mark.usefixtures("kings_bots", "settled_chance")


def panel_of(client: Client, game: Game) -> str:
    page = client.get(game.get_absolute_url())
    assert page.status_code == 200
    (found,) = re.findall(r'<section id="odds"[^>]*>(.*?)</section>', page.text, re.S)
    return found


def somebody_is_in_it(state) -> bool:
    """Something is to be won or lost, and not by everybody."""
    return 0 < len(takes_part(state)) < len(state.seats)


# ---- on the page


@pytest.mark.django_db
@with_games
def test_whoever_takes_part_sees_odds_and_nobody_else():
    game = k.kings()
    state = k.play_on(game, "odds", somebody_is_in_it, most=800)
    for seat, name in enumerate(k.NAMES):
        assert bool(panel_of(client_of(name), game)) == (seat in takes_part(state)), name
    assert panel_of(client_of("eve"), game) == panel_of(Client(), game) == ""
    shown = panel_of(client_of(k.NAMES[takes_part(state)[0]]), game)
    assert re.search(r"<strong>(About|Over|Under|\d+ %).* to (win|take it)</strong>", shown)
    assert "How this is worked out" in shown and "Retreats" in shown


@pytest.mark.django_db
@with_games
def test_a_table_can_do_without():
    """Nobody's page or message has anything about odds, though there are battles or explorations."""
    game, other = k.kings(odds="hidden"), k.kings()
    k.play_on(game, "hidden", would_be_shown, most=800)
    assert {panel_of(client_of(name), game) for name in k.NAMES} == {""}
    chance = Dice.seeded("hidden")
    for _ in range(8):
        before = {name: painting.fragments(scene_of(game, name)) for name in k.NAMES}
        seat = k.asked(game)[0]
        k.act(game, seat, k.sampled(game, seat, chance))
        for name, old in before.items():
            new = painting.fragments(scene_of(game, name))
            assert new.later["odds"]["lines"] == () and not painting.patch_later(new, old.later)
    assert play.view_for(game, 0).options["odds"] == "hidden" and "odds" not in play.view_for(other, 0).options


# ---- by the socket


@pytest.mark.django_db(transaction=True)
@with_games
async def test_odds_follow_when_the_table_has_come_to_rest():
    """An action is answered without them, and of two actions one after the other only the last is followed by odds."""
    game = await sync_to_async(k.kings)()
    state = await sync_to_async(k.play_on)(game, "odds", somebody_is_in_it, most=800)
    seat = takes_part(state)[0]
    shown = await sync_to_async(own_panel)(game, seat)
    page = await opened(game, k.NAMES[seat], f"?v={state.revision}&seat={seat}")
    assert odds_in(await page.receive_from(5)) == shown
    for token in ("first token", "second token"):
        action = {"do": "set_order", "about": "proof", "how": "show" if token == "first token" else "ask"}
        frame = {"action": json.dumps(action), "revision": str(state.revision), "token": token}
        await page.send_to(text_data=json.dumps(frame))
        answer = await page.receive_from(5)
        assert 'data-status="200"' in answer and odds_in(answer) is None
    assert await page.receive_nothing(1.0)  # they are as they were
    await sync_to_async(k.play_on)(game, "more odds", k.after(state.actions + 6))
    frames = [await page.receive_from(5)]
    while not await page.receive_nothing(1.0):
        frames.append(await page.receive_from(5))
    now = await sync_to_async(own_panel)(game, seat)
    assert [odds for frame in frames if (odds := odds_in(frame)) is not None][-1] == now
    await page.disconnect()


def own_panel(game: Game, seat: int) -> str:
    return panel_of(client_of(k.NAMES[seat]), game)


def odds_in(message: str) -> str | None:
    """What a message puts into the panel, if it does."""
    found: Any = re.search(r'<div hx-swap-oob="innerHTML:#odds">(.*?)</div>', message, re.S)
    return found and found[1]


def would_be_shown(state) -> bool:
    twin = state.copy()
    twin.options = {**state.options, "odds": "shown"}
    return bool(takes_part(twin))


def scene_of(game: Game, name: str):
    return tables.scene_for(access.visit(Game.objects.get(pk=game.pk), tt.player(name), {}))


@pytest.mark.django_db
@with_games
def test_the_option_is_on_the_form_and_on_the_page():
    form = client_of("ann").get(reverse("new_table"), {"game": "kings"})
    assert 'name="option_odds"' in form.text and "Odds of battles and explorations" in form.text
    for options, words in (({}, "Shown, from what each player can see"), ({"odds": "hidden"}, "Not shown")):
        game = k.kings(**options)
        facts = dict(scene_of(game, "ann").facts)
        assert facts["Odds of battles and explorations"].startswith(words)


# ---- what it says


@pytest.fixture(scope="module")
def states():
    return moments_with_odds("panel", games=5, every=2, about=220)


def drawn(state, seat) -> str:
    painter.kept_fight.cache_clear()
    painter.kept_exploration.cache_clear()
    return draw_odds(odds_context(KINGS.view(state, seat), {}))


def test_the_panel_is_the_same_whatever_is_hidden(states):
    """By the byte, and without a cache that could hide a difference (C1)."""
    assert len(states) >= 200
    for number, (state, seat) in enumerate(states):
        twin = KINGS.scramble(state, seat, Dice.seeded(f"panel {number}"))
        shown = drawn(state, seat)
        assert shown and drawn(twin, seat) == shown, f"seat {seat} after {state.actions} actions of {state.game}"


def test_it_reads_well(states):
    texts = [re.sub("<[^>]+>", " ", drawn(state, seat)) for state, seat in states[::4]]
    for text in texts:
        assert not re.search(r"nan|None\b(?! of)|-\d|\b1 defenders|%%", text), text
        for percent in re.findall(r"(\d+) %", text):
            assert 0 <= int(percent) <= 100
    assert any("to take it" in text for text in texts) and any("to win" in text for text in texts)


def test_what_has_been_tried_is_never_sure():
    assert share(1.0, 300) == "over 99 %" and share(0.0, 300) == "under 1 %" and share(0.5, 300) == "about 50 %"
    assert share(1.0, 0) == "100 %" and share(0.0, 0) == "0 %" and share(1 / 3, 0) == "33 %"
    assert share(0.999, 0) == "over 99 %" and share(0.001, 0) == "under 1 %"


def test_magic_of_others_that_everybody_sees_is_named_where_it_is_not_counted():
    text = """
        players: 2
        turn: 2
        phase: combat
        h2 plains A
        h12 swamp B
        h3 plains B: basilisk dust_of_defense golem | A villains farmers
        h4 plains B: ghost | A hunters
    """
    view = KINGS.view(state_of(text), 0)
    there, other = (more for _, _, more in odds_context(view, {})["lines"])
    assert "Not counted: Dust of Defense." in there  # the Golem fights, so it is
    assert not any("Not counted" in each for each in other)
    of_b = KINGS.view(state_of(text), 1)
    assert not any("Not counted" in each for _, _, more in odds_context(of_b, {})["lines"] for each in more)
