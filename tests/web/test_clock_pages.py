"""Clocks as people see them: at both tables, in the API, and their hours on the account page."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.urls import reverse

from games import listing, timekeeper
from games.models import Game, Seat
from players.hours import Hours, hours_of
from tests import tables
from tests.web import kings as k
from tests.web.test_act import client_of
from tests.web.test_api import Program
from tests.web.test_clocks import HOUR, MINUTE, NOON, duel, fresh, in_window, kingdom, seat
from tests.web.test_table_page import pulse

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("kings_bots", "settled_chance")]


@pytest.fixture(name="wall")
def fixture_wall():
    with time_machine.travel(NOON, tick=False) as wall:
        yield wall


def page(game: Game, name: str) -> str:
    return client_of(name).get(game.get_absolute_url()).content.decode()


def clocks_on(html: str) -> list[str]:
    """What the clocks on a page say, as text."""
    found = re.search(r'<div id="clock".*?</div>', html, re.DOTALL)
    assert found
    return [
        re.sub(r"<[^>]+>", "", each).strip()
        for each in re.findall(r'<span class="clock.*?(?=<span class="clock|</div>)', found[0])
    ]


def is_timed(html: str) -> bool:
    return 'data-timed="yes"' in html


# ---- at the table


def test_both_players_of_a_live_duel_see_both_clocks(wall):
    game = duel()
    assert clocks_on(page(game, "ann")) == ["You until 12:10 UTC", "bob 10:00"]
    assert clocks_on(page(game, "bob")) == ["ann until 12:10 UTC", "You 10:00"]
    assert clocks_on(page(game, "eve")) == ["ann until 12:10 UTC", "bob 10:00"]
    html = page(game, "ann")
    assert 'datetime="2026-06-10T12:10:00+00:00"' in html and f'data-now="{int(NOON.timestamp())}"' in html
    assert is_timed(html) and not is_timed(page(game, "bob"))


def test_times_are_those_of_the_viewer(wall):
    tokyo = tables.player("bob")
    tokyo.hours = str(Hours("Asia/Tokyo"))
    tokyo.save()
    game = duel("days-8")
    assert clocks_on(page(game, "ann")) == ["You since Wed 10 June, 12:00 UTC until Sat 13 June, 18:00 UTC"]
    assert clocks_on(page(game, "bob")) == ["ann since Wed 10 June, 21:00 until Sun 14 June, 03:00"]


def test_an_action_brings_the_clocks_up_to_date(wall):
    game = duel()
    wall.shift(MINUTE)
    tables.move(game, 0, "a2", "a4")
    news = pulse(client_of("bob"), game, revision=0, seat=1).content.decode()
    assert "#clock" in news and "until 12:11 UTC" in news and "9:10" in news


def test_clocks_that_are_moved_reach_open_pages_too(wall):
    game = duel("days-8")
    client = client_of("bob")
    mark = re.search(r'data-mark="(\w+)"', page(game, "bob"))[1]
    assert pulse(client, game, revision=0, seat=1, mark=mark).status_code == 204
    vacation(client_of("ann"), "2026-06-10", "2026-06-12")
    assert "until Tue 16 June" in pulse(client, game, revision=0, seat=1, mark=mark).content.decode()


def test_without_a_clock_there_is_none(wall):
    game = tables.running("ann", "bob")
    html = page(game, "ann")
    assert clocks_on(html) == [] and "data-now" not in html and not is_timed(html)


def test_without_a_clock_the_page_says_for_whom_it_has_waited_a_while(wall):
    tokyo = tables.player("bob")
    tokyo.hours = str(Hours("Asia/Tokyo"))
    tokyo.save()
    game = tables.running("ann", "bob")
    wall.shift(9 * MINUTE)
    assert clocks_on(page(game, "bob")) == []
    wall.shift(MINUTE)
    assert clocks_on(page(game, "bob")) == ["ann since Wed 10 June, 21:00"]
    assert clocks_on(page(game, "eve")) == ["ann since Wed 10 June, 12:00 UTC"]
    assert clocks_on(page(game, "ann")) == [], "they know"
    tables.move(game, 0, "a2", "a4")
    assert clocks_on(page(game, "bob")) == clocks_on(page(game, "ann")) == []


def test_without_a_clock_a_window_waits_for_an_answer_whoever_is_asked(wall):
    game = k.kings(waiting="always")
    k.play_on(game, "a window", lambda state: k.window_is_open(state) and len(state.flow[-1].pending) > 1)
    wall.shift(11 * MINUTE)
    said = ["For an answer since Wed 10 June, 12:00 UTC"]
    assert {name: clocks_on(page(game, name)) for name in (*k.NAMES, "eve")} == dict.fromkeys((*k.NAMES, "eve"), said)
    number = k.asked(game)[0]
    k.act(game, number, {"do": "done"})
    assert [clocks_on(page(game, name)) for name in k.NAMES] == [said] * 4


def test_over_days_a_window_says_since_when_it_is_open(wall):
    game = in_window("days-8")
    wall.shift(HOUR)
    shown = {tuple(clocks_on(page(game, name))) for name in k.NAMES}
    assert shown == {("For an answer since Wed 10 June, 12:00 UTC until Wed 10 June, 20:00 UTC",)}


def test_the_lobby_says_until_when_others_have_time(wall):
    tokyo = tables.player("bob")
    tokyo.hours = str(Hours("Asia/Tokyo"))
    tokyo.save()
    duel("days-8")
    html = client_of("bob").get(reverse("lobby")).content.decode()
    assert "waiting for ann until Sun 14 June, 03:00" in html


def test_in_a_window_all_see_one_clock_and_nobody_sees_whose(wall):
    game = in_window("live-10")
    shown = {name: clocks_on(page(game, name)) for name in (*k.NAMES, "eve")}
    assert set(map(tuple, shown.values())) == {("For an answer until 12:00 UTC",)}
    asked = [k.NAMES[number] for number in k.asked(game)]
    assert asked and all(is_timed(page(game, name)) for name in asked)


def test_an_answer_in_a_window_changes_no_other_page(wall):
    game = in_window("live-10")
    number = k.asked(game)[0]
    others = [name for n, name in enumerate(k.NAMES) if n != number]
    before = [clocks_on(page(game, name)) for name in others]
    wall.shift(3)
    k.act(game, number, {"do": "done"})
    assert [clocks_on(page(game, name)) for name in others] == before


def test_a_kingdom_shows_the_clock_of_whoever_is_asked(wall):
    game = kingdom("days-8")
    number = k.asked(game)[0]
    name = k.NAMES[number]
    assert clocks_on(page(game, "eve")) == [f"{name} since Wed 10 June, 12:00 UTC until Sat 13 June, 18:00 UTC"]
    assert not is_timed(page(game, name)), "there is time to watch the film"


def test_a_page_of_the_past_has_no_clock(wall):
    game = duel()
    tables.move(game, 0, "a2", "a4")
    past = client_of("ann").get(f"{game.get_absolute_url()}at/0/").content.decode()
    assert "until 12:" not in past


def test_a_taken_seat_is_taken_back_with_one_press(wall):
    game = duel()
    wall.shift(10 * MINUTE)
    timekeeper.look()
    assert "Take my seat back" in page(game, "ann")
    answer = client_of("ann").post(reverse("take_back_seat", args=[game.public_id]), {"number": 0})
    assert answer.status_code == 302 and seat(game, 0).player == tables.player("ann")
    assert clocks_on(page(game, "ann"))[0] == "You until 12:12 UTC"


def test_the_api_tells_deadlines(wall):
    game = duel()
    told = Program(tables.player("bob")).get(f"tables/{game.public_id}").json()
    assert told["deadline"] == "2026-06-10T12:10:00+00:00"
    assert [(each["due_at"], each["bank"]) for each in told["seats"]] == [
        ("2026-06-10T12:10:00+00:00", 600),
        (None, 600),
    ]
    window = in_window("live-10")
    answers = {name: Program(tables.player(name)).get(f"tables/{window.public_id}").json() for name in k.NAMES}
    assert {each["deadline"] for each in answers.values()} == {window.deadline.isoformat()}
    assert {seat["due_at"] for each in answers.values() for seat in each["seats"]} == {None}


def test_the_list_of_waiting_games_says_until_when(wall):
    game = duel("days-8")
    assert "until Sat 13 June, 18:00 UTC" in listing.waiting_rows(tables.player("ann"))[0].facts
    assert "waiting for ann until Sat 13 June, 18:00 UTC" in listing.playing_rows(tables.player("bob"))[0].facts
    tables.do(game, 0, "resign")
    window = in_window("live-10")
    asked = tables.player(k.NAMES[k.asked(window)[0]])
    assert "until Wed 10 June, 12:00 UTC" in listing.waiting_rows(asked)[0].facts


# ---- one's own hours


HOURS = {"zone": "Europe/Berlin", "wakes": "540", "sleeps": "60", "days": ["0", "1", "2", "3", "4"]}


def test_hours_are_set_on_the_account_page(wall):
    client = client_of("ann")
    assert "Choose your time zone" in client.get(reverse("account")).content.decode()
    assert client.post(reverse("set_hours"), HOURS).status_code == 302
    ann = tables.player("ann")
    assert hours_of(ann.hours) == Hours("Europe/Berlin", 540, 1500, "01234")
    html = client.get(reverse("account")).content.decode()
    assert '<option value="Europe/Berlin" selected>' in html and '<option value="60" selected>01:00' in html


@pytest.mark.parametrize(
    "wrong",
    [
        *({"zone": ""}, {"zone": "Atlantis"}, {"wakes": "541"}, {"wakes": "-30"}, {"days": []}, {"days": ["7"]}),
        *({"days": ["0", "1", "2"]}, {"wakes": "0", "sleeps": "450"}),
    ],
)
def test_hours_that_will_not_do_are_refused(wrong):
    answer = client_of("ann").post(reverse("set_hours"), HOURS | wrong)
    assert answer.status_code == 422 and tables.player("ann").hours == ""


def vacation(client, first: str, last: str):
    return client.post(reverse("add_vacation"), {"first": first, "last": last})


def test_a_vacation_counts_at_once_and_is_given_back(wall):
    game, client = duel("days-8"), client_of("ann")
    due = game.deadline
    assert vacation(client, "2026-06-10", "2026-06-12").status_code == 302
    assert fresh(game).deadline == seat(game, 0).due_at == datetime(2026, 6, 16, 14, tzinfo=UTC)
    assert game.deadline > due and seat(game, 1).due_at is None
    wall.shift(timedelta(hours=30))
    assert "10 June 2026" in client.get(reverse("account")).content.decode()
    assert client.post(reverse("cancel_vacation"), {"vacation": "2026-06-10/2026-06-12"}).status_code == 302
    assert tables.player("ann").vacations == "2026-06-10/2026-06-11", "what is over is over, today included"
    assert fresh(game).deadline == datetime(2026, 6, 15, 14, tzinfo=UTC)
    wall.move_to(game.deadline - MINUTE)
    assert timekeeper.look() == 0
    wall.shift(MINUTE)
    assert timekeeper.look() == 1


def test_a_vacation_to_come_is_taken_back_whole(wall):
    client = client_of("ann")
    vacation(client, "2026-07-01", "2026-07-05")
    assert client.post(reverse("cancel_vacation"), {"vacation": "2026-07-01/2026-07-05"}).status_code == 302
    assert tables.player("ann").vacations == ""
    assert client.post(reverse("cancel_vacation"), {"vacation": "2026-07-01/2026-07-05"}).status_code == 404


@pytest.mark.parametrize(
    ("first", "last"),
    [
        *(("2026-06-09", "2026-06-12"), ("2026-06-12", "2026-06-11"), ("2026-07-01", "2026-07-31"), ("", "")),
        *(("2027-06-30", "2027-07-01"), ("2026-08-03", "2026-08-09"), ("soon", "later"), ("2026-09-01", "2026-09-25")),
    ],
)
def test_vacations_that_will_not_do_are_refused(wall, first, last):
    client = client_of("ann")
    assert vacation(client, "2026-08-01", "2026-08-06").status_code == 302
    assert vacation(client, first, last).status_code == 422
    assert tables.player("ann").vacations == "2026-08-01/2026-08-06"


def test_a_live_clock_takes_no_vacation(wall):
    game = duel()
    vacation(client_of("ann"), "2026-06-10", "2026-06-12")
    assert fresh(game).deadline == NOON + 10 * MINUTE


def test_every_hour_of_a_vacation_is_free(wall):
    game = duel("days-4")
    vacation(client_of("ann"), "2026-06-11", "2026-06-14")
    wall.move_to(datetime(2026, 6, 14, 21, 59, tzinfo=UTC))
    tables.move(game, 0, "a2", "a4")
    assert seat(game, 0).bank == 10 * HOUR, "ten waking hours of the first day, of which four were the question's"
    assert Seat.objects.filter(game=game, due_at__isnull=False).count() == 1
