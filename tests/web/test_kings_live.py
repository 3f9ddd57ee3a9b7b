"""Keeping pages of Kings & Things* up to date: what a game of stewards sends its seats, and what is not done for it.

Sizes are no timings: they are the same each time.
"""

from __future__ import annotations

import random
import re
import statistics
import zlib
from html.parser import HTMLParser
from importlib import import_module

import pytest
from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY

from games import consumers, live, play, store, tables
from games.engine.bots import think
from games.engine.core.plain import plain
from games.models import Game, Seat
from games.painting import fragments as painting
from tests.tables import player
from tests.web import kings as k

pytestmark = pytest.mark.django_db

ACTIONS = 150


def asks_of(game: Game, *names: str) -> list[live.Ask]:
    """Sockets of these people, open and asking for news; nothing is sent anywhere."""
    asks = []
    for name in names:
        session = import_module(settings.SESSION_ENGINE).SessionStore()
        session[SESSION_KEY] = str(player(name).pk)
        session[HASH_SESSION_KEY] = player(name).get_session_auth_hash()
        session.save()
        socket = consumers.TableConsumer()
        socket.scope = {"session": session, "user": player(name)}
        socket.public_id = game.public_id
        asks.append(live.Ask(socket, False, None))
    return asks


def steward_acts(game: Game) -> None:
    seat = k.asked(game)[0]
    view = play.view_for(game, seat)
    action = plain(think("kings", "steward", view, view.offers, f"live {view.revision}"))
    k.act(game, seat, action, token=f"live-{view.revision:06}")


@pytest.fixture
def steward_game(monkeypatch):
    monkeypatch.setattr("secrets.token_bytes", random.Random("steward game").randbytes)
    return k.kings()


def kept_up(game: Game, actions: int, *names: str):
    """Messages to these people, action by action."""
    asks = asks_of(game, *names)
    if asks:
        live.answers_to(asks)
    for _ in range(actions):
        steward_acts(game)
        yield dict(zip(names, live.answers_to(asks))) if asks else {}


def slots_of(message: str) -> set[str]:
    return set(re.findall(r'hx-swap-oob="\w+:#([\w-]+)"', message))


# ---- sizes


def test_an_ordinary_action_sends_little(steward_game, monkeypatch):
    """Over three games: one alone may have more big battles than most."""
    sent = [m for each in kept_up(steward_game, ACTIONS, *k.NAMES) for m in each.values()]
    for seed in ("steward game 2", "steward game 3"):
        monkeypatch.setattr("secrets.token_bytes", random.Random(seed).randbytes)
        sent += [m for each in kept_up(k.kings(), ACTIONS, *k.NAMES) for m in each.values()]
    sizes = [len(message.encode()) for message in sent]
    zipped = [len(zlib.compress(message.encode(), 6)) for message in sent]
    assert statistics.median(sizes) < 6_000
    assert sum(size > 12_000 for size in sizes) <= 0.12 * len(sizes)  # battles in full hexes, with their line-ups
    assert sum(size > 4_000 for size in zipped) <= 0.05 * len(zipped)
    every = set(painting.fragments(tables.scene_for(visitor(steward_game, "ann"))).panels)
    filled = [len(slots_of(message) & every) / len(every) for message in sent]
    assert max(filled) < 1 and sum(share > 0.3 for share in filled) <= 0.02 * len(filled)


def visitor(game: Game, name: str):
    found = tables.visitor_at(game.public_id, player(name), {})
    assert found is not None
    return found


# ---- what is not done for it


def test_following_a_game_asks_for_no_past(steward_game, monkeypatch):
    """What a page showed a moment ago is still known: nothing is worked out backwards."""
    went_back = []
    state_at, scene_at = store.state_at, tables.scene_at
    monkeypatch.setattr(store, "state_at", lambda *given: went_back.append(given) or state_at(*given))
    monkeypatch.setattr(tables, "scene_at", lambda *given: went_back.append(given) or scene_at(*given))
    for messages in kept_up(steward_game, 20, *k.NAMES, "eve"):
        assert all("data-base" in message for message in messages.values())
    assert went_back == []


@pytest.mark.django_db(transaction=True)  # what is committed is remembered
def test_sockets_of_one_table_share_what_they_read(steward_game, django_assert_max_num_queries):
    asks = asks_of(steward_game, *k.NAMES, "eve")
    live.answers_to(asks)
    steward_acts(steward_game)
    # The table, its seats with who sits there, the talk of players and that of spectators; visitors are known.
    with django_assert_max_num_queries(4):
        assert all("page-state" in message for message in live.answers_to(asks))
    with django_assert_max_num_queries(4):
        assert live.answers_to(asks) == [""] * 5


def test_a_log_is_read_once_and_then_added_to(steward_game, monkeypatch):
    """The process that acted need not read what it has just written; another one reads only what is new."""
    list(kept_up(steward_game, 10, *k.NAMES))
    steward_acts(steward_game)
    play._TOLD.clear()
    read = []
    rows = play._log_rows
    monkeypatch.setattr(play, "_log_rows", lambda game, **which: read.append(which) or rows(game, **which))
    for name in k.NAMES:
        tables.scene_for(visitor(steward_game, name))
    assert read == [{"number__gt": 10, "number__lte": 11}]


@pytest.mark.django_db(transaction=True)  # what is committed is remembered
def test_what_was_told_with_a_silent_action_is_not_read_again(steward_game, monkeypatch):
    """Other seats hear of it with the next action, when they are two actions behind."""
    list(kept_up(steward_game, 10, *k.NAMES))
    order = {"do": "set_order", "about": "fan", "how": "skip"}
    play.act(steward_game, 1, order, revision=steward_game.revision, token="silent-order")
    steward_game.refresh_from_db()
    steward_acts(steward_game)
    monkeypatch.setattr(play, "_log_rows", lambda game, **which: pytest.fail(f"read {which}"))
    heard = [len(tables.scene_for(visitor(steward_game, name)).lines) for name in ("ann", "bob")]
    assert heard[1] == heard[0] + 1  # the order, which only its own seat hears of


# ---- and that it is right all the same


class Rows(HTMLParser):
    """The ids of the elements at the top of some markup."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.depth, self.ids = 0, []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        if self.depth == 0:
            self.ids.append(dict(attributes)["id"])
        self.depth += 1

    def handle_endtag(self, tag):
        self.depth -= 1


def patched(rows: list[str], slot: str, message: str) -> list[str]:
    """The rows of a list after a message, as a browser would have them."""
    rows = list(rows)
    for name in re.findall(r'<li id="([\w-]+)"[^>]* hx-swap-oob="delete"', message):
        rows.remove(name) if name in rows else None
    if whole := re.search(rf'<ol hx-swap-oob="innerHTML:#{slot}">(.*?)</ol>', message, re.S):
        rows = Rows(whole[1]).ids
    if added := re.search(rf'<ol hx-swap-oob="beforeend:#{slot}">(.*?)</ol>', message, re.S):
        rows += Rows(added[1]).ids
    return rows


def test_a_patched_page_lists_what_a_fresh_one_does(steward_game, monkeypatch):
    """Also when the log gets too long and loses its first rows, and when the order of players changes."""
    monkeypatch.setattr("games.painting.kings.page.MOST_ROWS", 30)
    shown = {
        slot: Rows(inside).ids
        for slot, inside in painting.drawn(tables.fragments_for(visitor(steward_game, "ann"))).items()
        if slot in ("log", "players")
    }
    deleted = 0
    for message in (each["ann"] for each in kept_up(steward_game, 100, "ann")):
        fresh = painting.drawn(painting.fragments(tables.scene_for(visitor(steward_game, "ann"))))
        for slot in shown:
            shown[slot] = patched(shown[slot], slot, message)
            assert shown[slot] == Rows(fresh[slot]).ids
        deleted += message.count('hx-swap-oob="delete"')
    assert deleted and "players" in shown


def test_a_kept_page_is_not_shown_under_other_names(steward_game):
    asks = asks_of(steward_game, "ann")
    live.answers_to(asks)
    Seat.objects.filter(game=steward_game, number=1).update(name="Bobby")
    (message,) = live.answers_to(asks)
    assert "Bobby" in message and 'data-base=""' in message
    steward_acts(steward_game)
    (message,) = live.answers_to(asks)
    assert 'data-base="0"' in message


def test_whoever_loses_his_seat_sees_it_no_more(steward_game):
    """Nothing that was kept for a seat is given to somebody who does not sit there any longer."""
    asks = asks_of(steward_game, "ann", "bob")
    list(kept_up(steward_game, 40))
    tags = [c.tag for c in play.view_for(steward_game, 0).counters if c.place == "rack:0"]
    anns, _ = live.answers_to(asks)
    assert tags and all(tag in anns for tag in tags)
    Seat.objects.filter(game=steward_game, number=0).update(player=player("eve"))
    anns, bobs = live.answers_to(asks)
    assert 'data-seat=""' in anns and 'data-seat="1"' in bobs
    assert not any(tag in anns for tag in tags)


def test_one_who_logged_out_does_not_spoil_it_for_the_others(steward_game):
    asks = asks_of(steward_game, "ann", "bob")
    live.answers_to(asks)
    steward_acts(steward_game)
    asks[0].socket.scope["session"].flush()
    asks[0].socket.session_key = "gone"
    asks[0].socket.session = None  # as its bell would have it
    anns, bobs = live.answers_to(asks)
    assert isinstance(anns, live.Gone) and anns.code == live.LOGGED_OUT
    assert 'data-base="0"' in bobs


def test_what_is_taken_over_from_before_is_what_would_be_drawn_anew():
    """Whatever has happened in between, and whoever looks: undo, terrains lost and won, battles, the Cloud."""
    game = k.kings(bluffs="challenge")
    kept = {name: painting.fragments(tables.scene_for(visitor(game, name))) for name in (*k.NAMES, "eve")}
    reused = 0
    for until in range(5, 300, 5):
        k.play_on(game, f"taken over {until}", k.after(until))
        for name, before in kept.items():
            scene = tables.scene_for(visitor(game, name))
            now, anew = painting.fragments(scene, before), painting.fragments(scene)
            assert (now.squares, now.panels, now.lists) == (anew.squares, anew.panels, anew.lists), (name, until)
            assert list(now.squares) == list(anew.squares) and list(now.panels) == list(anew.panels)
            reused += sum(now.squares[place] is before.squares[place] for place in now.squares)
            kept[name] = now
    assert reused
