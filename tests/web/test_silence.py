"""Silence: who may be replaced, and that nobody may be because of a window (issue 8, C2; W3, R4)."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games import archive, begun, play, silence
from games.engine.core.refusals import IllegalAction
from games.engine.kings import KINGS
from games.models import Action, Game, Position, Seat
from tests import kings_tables, tables
from tests.web import kings as k
from tests.web.test_act import client_of
from tests.web.test_api import Program

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("kings_bots", "settled_chance")]


def days_later(game: Game, days: float) -> None:
    """Everything about a game happened so many days earlier than it did."""
    back = timedelta(days=days, minutes=1)
    for seat in game.seats.all():
        if seat.asked_at:
            Seat.objects.filter(pk=seat.pk).update(asked_at=seat.asked_at - back)
    game.refresh_from_db()
    since = game.window_since - back if game.window_since else None
    Game.objects.filter(pk=game.pk).update(moved_at=game.moved_at - back, window_since=since)
    game.refresh_from_db()


def silent(game: Game) -> list[int]:
    return [seat.number for seat in game.seats.select_related("game") if silence.is_silent(seat)]


def test_at_an_open_question_silence_counts_from_when_it_was_asked(settings):
    game = k.kings()
    k.play_on(game, "open question", lambda state: bool(k.asked(game)) and 0 not in k.asked(game))
    asked = k.asked(game)
    days_later(game, settings.SILENT_DAYS - 1)
    assert silent(game) == []
    days_later(game, 1)
    game.seats.update(seen_at=timezone.now())  # to look is not to answer
    assert silent(game) == asked


def test_in_a_window_nobody_is_silent_whoever_has_looked_or_not(settings):
    game = k.kings(waiting="always")
    k.play_on(game, "a window", k.window_is_open)
    days_later(game, settings.SILENT_DAYS + 5)
    game.seats.update(seen_at=None)
    assert silent(game) == [] and begun.silent_seats(game, tables.player("ann")) == []
    for number in (1, 2, 3):
        with pytest.raises(IllegalAction) as refusal:
            begun.stand_in(game, tables.player("ann"), number)
        assert refusal.value.code == "not_silent"


# ---- a window that nobody closes


def in_window(**options: str) -> Game:
    game = k.kings(waiting="always", **options)
    k.play_on(game, "a window", lambda state: k.window_is_open(state) and len(state.flow[-1].pending) > 1)
    return game


def press(game: Game, client: Client, **more: object):
    return client.post(reverse("go_on", args=[game.public_id]), **more)


def refused(game: Game, name: str) -> str:
    with pytest.raises(IllegalAction) as refusal:
        begun.go_on(game, tables.player(name))
    return refusal.value.code


def test_a_window_has_a_clock_of_its_own_that_no_answer_moves():
    game = in_window()
    opened = game.window_since
    assert opened is not None and opened == game.moved_at
    k.act(game, k.asked(game)[0], {"do": "done"})
    k.act(game, 3, {"do": "set_order", "about": "fan", "how": "mine"})
    k.act(game, 2, {"do": "propose_end", "winner": -1})  # said openly, and the window stays as it is
    game.refresh_from_db()
    assert game.window_since == opened < game.moved_at
    while k.window_is_open(k.state_of(game)) and game.window_since == opened:
        k.act(game, k.asked(game)[0], {"do": "done"})
        game.refresh_from_db()
    assert game.window_since != opened
    assert bool(game.window_since) == k.window_is_open(k.state_of(game))


def test_nobody_ends_a_window_before_its_time_or_where_there_is_none(settings):
    game = in_window()
    days_later(game, settings.SILENT_DAYS - 1)
    assert refused(game, "ann") == "too_early" and press(game, client_of("ann")).status_code == 409
    open_question = k.kings()
    days_later(open_question, settings.SILENT_DAYS + 1)
    assert refused(open_question, "ann") == "too_early"


def test_anybody_at_the_table_ends_a_window_that_has_stood_open_for_days(settings):
    for seat, name in enumerate(k.NAMES):
        game = in_window()
        days_later(game, settings.SILENT_DAYS)
        before, owing = k.state_of(game), k.asked(game)
        begun.go_on(game, tables.player(name))
        after = k.state_of(game)
        assert KINGS.window(after) != KINGS.window(before)
        assert (after.actions, after.revision) == (before.actions + 1, before.revision + 1)
        row = Action.objects.filter(game=game).latest("number")
        assert (row.seat, row.action) == (None, {"do": "go_on"})
        told = [line.text(dict(enumerate(k.NAMES))) for line in play.log_for(game, seat) if line.event == "went_on"]
        assert told == ["The wait for answers is over, and the game goes on."]
        assert not any(str(each) in told[0] for each in owing) and archive.verify(game) == ""
        assert game.seats.filter(bot="").count() == 4  # nobody was replaced
        assert refused(game, name) == "too_early"


def test_whoever_only_watches_ends_nothing(settings):
    game = in_window()
    days_later(game, settings.SILENT_DAYS)
    assert refused(game, "eve") == "not_seated"
    assert press(game, client_of("eve")).status_code == 403 and press(game, Client()).status_code in (302, 403)
    assert Program(tables.player("eve")).post(f"tables/{game.public_id}/go-on").status_code == 403
    sent = client_of("ann").post(
        reverse("act", args=[game.public_id]),
        {"action": '{"do": "go_on"}', "revision": game.revision, "token": "a-forged-house", "seat": "0"},
    )
    assert sent.status_code in (400, 422)  # the house's actions are nobody's
    assert k.state_of(game).actions == game.action_count


PLAGUE = """
    players: 3
    phase: events
    turn: 2
    options: waiting=always
    gone: fan dust_of_defense lucky_charm dispel_magic_scroll
    rack A: dark_plague
    rack B: elixir
    rack C: diamond
    h2 plains A tower: farmers
    h13 swamp B tower: ghost
    h16 desert C tower: nomads
    A play dark_plague
"""


@pytest.mark.parametrize("ordered", [True, False])
def test_orders_given_meanwhile_answer_and_all_others_pass(settings, ordered):
    """The house answers by standing orders, also by those that were given while the window stood open."""
    game = kings_tables.laid(PLAGUE)
    assert sorted(k.state_of(game).flow[-1].pending) == [1, 2]
    if ordered:
        k.act(game, 1, {"do": "set_order", "about": "elixir", "how": "mine"})
    days_later(game, settings.SILENT_DAYS)
    begun.go_on(game, tables.player("ann"))
    said = [line.event for line in play.log_for(game, None)]
    assert said.count("went_on") == 1 and ("cured" in said[said.index("went_on") :]) == ordered


def test_the_page_offers_it_to_all_at_the_table_alike_and_to_nobody_else(settings):
    game = in_window()
    url, button = game.get_absolute_url(), reverse("go_on", args=[game.public_id])
    assert all(button not in client_of(name).get(url).text for name in (*k.NAMES, "eve"))
    days_later(game, settings.SILENT_DAYS)
    pages = {name: client_of(name).get(url).text for name in (*k.NAMES, "eve")}
    assert {name for name in pages if f'action="{button}"' in pages[name]} == set(k.NAMES)
    assert not any("has not answered for days" in page for page in pages.values())
    looked = {name: Program(tables.player(name)).look(game.public_id)["may_go_on"] for name in pages}
    assert looked == {**dict.fromkeys(k.NAMES, True), "eve": False}


def test_it_works_on_the_page_and_through_the_api(settings):
    for way in ("page", "api"):
        game = in_window()
        days_later(game, settings.SILENT_DAYS)
        if way == "page":
            assert press(game, client_of("cat")).status_code == 302
        else:
            answer = Program(tables.player("cat")).post(f"tables/{game.public_id}/go-on")
            assert answer.status_code == 200 and answer.json()["may_go_on"] is False
        assert Action.objects.filter(game=game, action={"do": "go_on"}).count() == 1


def test_an_open_page_is_told_when_the_time_has_come(settings):
    """The mark of a page changes when the button may come or go, and the page asks for its tools anew."""
    game = in_window()
    client, url = client_of("bob"), reverse("pulse", args=[game.public_id])
    page = client.get(game.get_absolute_url()).text
    shown = {"revision": game.revision, "seat": "1", "mark": page.split('data-mark="')[1].split('"')[0]}
    assert client.post(url, shown).status_code == 204
    days_later(game, settings.SILENT_DAYS)
    assert client.post(url, shown).status_code == 200


def test_staff_find_a_window_that_nobody_closes_and_nobody_in_it(settings):
    tables.player("chief", is_staff=True, is_superuser=True)
    game, chief = in_window(), client_of("chief")
    found = f"/admin/games/game/{game.pk}/change/"
    assert found not in chief.get("/admin/games/game/?waits=silent").text
    days_later(game, settings.SILENT_DAYS)
    assert found in chief.get("/admin/games/game/?waits=silent").text
    only = Position.objects.get(game=game)
    only.flow[-1]["pending"] = [1]
    only.save()
    game.seats.filter(number=1).update(player=None, bot="steward")
    assert found in chief.get("/admin/games/game/?waits=silent").text
