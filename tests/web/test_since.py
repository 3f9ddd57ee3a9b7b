"""Since the last visit: twelve lines at most name every own loss, gain and deadline; at tables and in the lobby."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from games import access, play, since, tables
from games.engine.kings import KINGS
from games.management.days import BEGINS, CASES, PEOPLE, Days
from games.models import Game, Seat
from games.painting.kings.since import reel
from games.painting.scene import Line, Scene
from tests import tables as tt
from tests.web import kings as k
from tests.web.test_act import client_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("kings_bots", "settled_chance")]

NOON = datetime(2026, 6, 10, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.fixture(name="wall")
def fixture_wall():
    with time_machine.travel(NOON, tick=False) as wall:
        yield wall


def visitor(game: Game, name: str) -> access.Visitor:
    return access.visit(Game.objects.get(pk=game.pk), tt.player(name), {})


# ---- against the log, which is read here in another way: what each own line must be named by

LOSSES = {
    "captured": ("by", ("place",)),
    "fell": ("seat", ("creature", "place")),
    "bluffs_removed": ("seat", ("creature", "place")),
    "took_hit": ("seat", ("what", "place")),
    "damage_done": ("seat", ("what", "place")),
    "lost_counters": ("seat", ("place",)),
    "crowded": ("seat", ("place",)),
    "lost_town": ("seat", ("town", "place")),
    "lost_walls": ("seat", ("fort", "place")),
    "vandalized": ("seat", ("fort", "place")),
    "caught": ("seat", ("hero",)),
    "lord_left": ("seat", ("hero",)),
    "assassinated": ("by", ("victim", "place")),
    "defected": ("by", ("hero",)),
    "stole_gold": ("by", ("amount",)),
}
GAINS = {
    "captured": ("seat", ("place",)),
    "claimed": ("seat", ("place",)),
    "hero_joined": ("seat", ("hero",)),
    "defected": ("seat", ("hero",)),
    "warlord_won": ("seat", ("creature",)),
    "looted": ("seat", ("item",)),
    "stole_this": ("seat", ("item",)),
    "stole_gold": ("seat", ("amount",)),
    "built": ("seat", ("fort", "place")),
    "collected": ("seat", ("gold",)),
    "earned": ("seat", ("amount",)),
    "cashed_in": ("seat", ("treasure", "gold")),
}


def own_lines(scene: Scene, first: int) -> Iterator[tuple[Line, list[str]]]:
    """Own losses and gains in the log, with the words that must be found."""
    for line in scene.lines[first:]:
        for table in (LOSSES, GAINS):
            whose, names = table.get(line.event, ("", ()))
            if whose and line.facts[whose] == scene.view.seat and not line.taken_back:
                yield line, [line.words.get(name) or str(line.facts[name]) for name in names]


def test_every_event_looked_for_is_one_of_the_game():
    assert {*LOSSES, *GAINS} <= set(KINGS.event_kinds())


def test_every_own_loss_and_gain_is_named_in_a_dozen_lines(wall):
    game, seen = k.kings(), set()
    k.play_on(game, "a week", k.after(700), most=900)
    for name in k.NAMES:
        scene = tables.scene_for(visitor(game, name))
        for first in (0, len(scene.lines) // 2):
            lines = reel(scene, first)
            said = "\n".join(lines)
            assert 1 <= len(lines) <= 11 and all(lines)
            for line, words in own_lines(scene, first):
                seen.add(line.event)
                assert all(word in said for word in words), (line.event, words, said)
    assert {"captured", "fell", "collected", "claimed"} <= seen


def test_what_was_taken_back_is_not_told(wall):
    game = k.kings()
    k.play_on(game, "back", k.after(120))
    scene = tables.scene_for(visitor(game, "ann"))
    undone = replace(scene, lines=tuple(replace(line, taken_back=True) for line in scene.lines))
    assert reel(undone, 0) == () and reel(scene, len(scene.lines)) == ()


def test_the_newsreel_of_a_simulated_week_names_what_the_log_has(monkeypatch):
    """Dora does not look in for a week: her deadline passes, and she reads of it when she is back."""
    cast = (*PEOPLE[:3], replace(PEOPLE[3], vanishes=timedelta()))
    with time_machine.travel(BEGINS, tick=False) as wall:
        days = Days(CASES[1], "a week", wall.move_to, 12, cast)
        assert days.play().faults == []
        for person in cast:
            seat = Seat.objects.filter(game=days.game, player__username=person.name).first()
            kept = Seat.objects.filter(game=days.game, stands_in_for__username=person.name).first()
            number = (seat or kept).number
            own = access.visit(days.game, tt.player(person.name), {})
            scene = tables.scene_for(replace(own, seat=seat or kept))
            assert scene.view.seat == number
            lines = reel(scene, 0)
            assert len(lines) <= 11
            for line, words in own_lines(scene, 0):
                assert all(word in "\n".join(lines) for word in words), (line.event, words)
            late = [line.text for line in scene.lines if line.event == "seat_taken_over"]
            own_side = KINGS.seat_names[number]
            for text in late:
                assert (text in "\n".join(lines)) == text.startswith(own_side)
            if person.name == "dora":
                assert any(text.startswith(own_side) for text in late)


# ---- visits


def duel(**more: object) -> Game:
    return tt.running("ann", "bob", pace="days", clock="days-8", **more)


def test_a_visit_ends_after_half_an_hour_and_the_next_one_begins_with_what_was_missed(wall):
    game = duel()
    tables.look(visitor(game, "bob"))
    assert since.at_table(visitor(game, "bob")) == ()
    wall.shift(HOUR)
    tt.move(game, 0, "a2", "a4")
    lines = since.at_table(visitor(game, "bob"))
    assert "ann" in lines[0] and lines[-1] == "You have until Sat 13 June, 19:00 UTC."
    tables.look(visitor(game, "bob"))
    assert since.at_table(visitor(game, "bob")) == lines, "for as long as this visit lasts"
    tt.move(game, 1, "b9", "b7")
    wall.shift(timedelta(minutes=1))
    tables.look(visitor(game, "bob"))
    assert since.at_table(visitor(game, "bob")) == lines[:-1], "they have seen what came then"
    wall.shift(HOUR)
    assert since.at_table(visitor(game, "bob")) == (), "and nothing has happened since"


def test_at_the_first_visit_nothing_was_missed(wall):
    game = duel()
    tt.move(game, 0, "a2", "a4")
    assert since.at_table(visitor(game, "bob")) == ()
    tables.look(visitor(game, "bob"))
    assert since.at_table(visitor(game, "bob")) == ()


def test_strangers_and_shared_screens_have_no_last_visit(wall):
    game = duel()
    tables.look(visitor(game, "ann"))
    wall.shift(HOUR)
    tt.move(game, 0, "a2", "a4")
    assert since.at_table(visitor(game, "eve")) == ()
    Seat.objects.filter(game=game).update(player=tt.player("ann"), held_for="host")
    assert since.at_table(visitor(game, "ann")) == ()


def test_the_lobby_tells_of_tables_that_went_on_and_only_to_their_player(wall):
    game, other = duel(), duel()
    for each in (game, other):
        tables.look(visitor(each, "bob"))
    wall.shift(HOUR)
    tt.move(game, 0, "a2", "a4")
    page = client_of("bob").get(reverse("lobby")).text
    assert "Since your last visit" in page and "Gambit of Kings with ann" in page and page.count("You have until") == 1
    for client in (Client(), client_of("ann"), client_of("eve")):
        assert "Since your last visit" not in client.get(reverse("lobby")).text
    tables.look(visitor(game, "bob"))
    assert "Since your last visit" not in client_of("bob").get(reverse("lobby")).text


def test_the_page_of_a_table_has_it_for_whoever_was_away(wall):
    game = k.kings()
    k.play_on(game, "page", k.after(40))
    tables.look(visitor(game, "ann"))
    wall.shift(HOUR)
    k.play_on(game, "page on", k.after(90))
    page = client_of("ann").get(game.get_absolute_url()).text
    lines = since.at_table(visitor(game, "ann"))
    assert lines and '<template id="since-lines"' in page
    assert '<template id="since-lines"' not in client_of("bob").get(game.get_absolute_url()).text


def test_lines_asked_for_anew_have_what_came_meanwhile(wall):
    game = duel()
    tables.look(visitor(game, "bob"))
    wall.shift(HOUR)
    tt.move(game, 0, "a2", "a4")
    tables.look(visitor(game, "bob"))
    first = since.at_table(visitor(game, "bob"))
    tt.move(game, 1, "b9", "b7")
    tt.move(game, 0, "a4", "a5")
    assert since.at_table(visitor(game, "bob"))[:-1] == first[:-1]
    anew = since.at_table(visitor(game, "bob"), up_to_now=True)
    assert len(anew) == len(first) + 2 and anew[0] == first[0]
    url = reverse("since_lines", args=[game.public_id])
    said = client_of("bob").get(url).text
    assert said.count("<li") == len(anew) and "a4" in said
    assert client_of("ann").get(url).text.strip() == "" == client_of("eve").get(url).text.strip()


def test_lines_of_a_table_that_has_not_begun_are_not_there(wall):
    game = duel()
    Game.objects.filter(pk=game.pk).update(status=Game.Status.OPEN)
    assert client_of("bob").get(reverse("since_lines", args=[game.public_id])).status_code == 404


def test_in_a_window_only_an_answer_is_awaited(wall):
    game = tt.running(*k.NAMES, ruleset="kings", options={"waiting": "always"}, pace="days", clock="days-8")
    for name in k.NAMES:
        tables.look(visitor(game, name))
    wall.shift(HOUR)
    k.play_on(game, "a window", lambda state: k.window_is_open(state) and len(state.flow[-1].pending) > 1)
    asked = set(k.asked(game))
    assert 0 < len(asked) < 4 or asked == set(range(4))
    said = {since.at_table(visitor(game, name))[-1] for name in k.NAMES}
    assert len(said) == 1 and said.pop().startswith("An answer is awaited until "), "the same for all, asked or not"
    assert play.view_for(game, 0).seat == 0
