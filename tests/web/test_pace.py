"""The pace of a table: chosen when it is set up, with the clock and the options that fit, and shown wherever it is."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games import begun, clocks, listing, lobby
from games.engine.core.refusals import IllegalAction
from games.models import Game
from tests import tables
from tests.web.test_act import client_of
from tests.web.test_api import Program

pytestmark = pytest.mark.django_db

FRIENDS = [{"kind": "me"}, {"kind": "open"}]


def opened(**more) -> Game:
    return lobby.create(tables.player("ann"), "kings", {}, FRIENDS, **more)


def test_nobody_hurries_unless_the_table_says_so():
    usual = opened()
    assert (usual.pace, usual.clock) == ("", "")
    quick = lobby.quick_game(tables.player("bob"), "kings")
    assert (quick.pace, quick.clock) == ("", "")
    assert "waiting" not in quick.options or quick.options["waiting"] == "mine"


@pytest.mark.parametrize(("pace", "clock"), [("live", "live-30"), ("evening", "live-90"), ("days", "days-8")])
def test_a_pace_chooses_a_clock(pace, clock):
    game = opened(pace=pace)
    assert (game.pace, game.clock) == (pace, clock)


def test_over_days_orders_answer_and_the_house_plays_wild_defenders_unless_chosen_otherwise():
    answered = {"waiting": "never", "wild": "house", "orders": "settle", "things": "together", "reactions": "sealed"}
    assert opened(pace="days").options.items() >= answered.items()
    chosen = lobby.create(tables.player("ann"), "kings", {"wild": "neighbour"}, FRIENDS, pace="days")
    assert chosen.options.items() >= {"waiting": "never", "wild": "neighbour"}.items()
    assert opened(pace="live").options.items() >= {"waiting": "mine", "wild": "neighbour"}.items()


@pytest.mark.parametrize(
    ("pace", "clock", "code"),
    [
        *(("slow", "", "bad_pace"), (3, "", "bad_pace"), (None, "", "bad_pace"), (["live"], "", "bad_pace")),
        *(("live", "days-8", "bad_clock"), ("days", "live-10", "bad_clock"), ("", "live-10", "bad_clock")),
        *(("live", "hourglass", "bad_clock"), ("live", 10, "bad_clock")),
    ],
)
def test_what_does_not_fit_is_refused(pace, clock, code):
    with pytest.raises(IllegalAction) as refusal:
        opened(pace=pace, clock=clock)
    assert refusal.value.code == code and Game.objects.count() == 0


def test_any_pace_goes_without_a_clock_and_with_any_that_fits():
    for pace in clocks.PACES.values():
        for clock in ("none", *(each.slug for each in pace.clocks)):
            game = opened(pace=pace.slug, clock=clock)
            assert (game.pace, game.clock) == (pace.slug, "" if clock == "none" else clock)
            lobby.cancel(game, game.host)


def form(**more):
    return {"game": "kings", "seat_0": "me", "seat_1": "open", "visible": "everyone", **more} | {
        f"option_{option.name}": option.default for option in listing.RULESETS["kings"].options
    }


def test_the_form_offers_paces_and_opens_such_a_table():
    client = client_of("ann")
    page = client.get(reverse("new_table"), {"game": "kings"}).content.decode()
    for pace in clocks.PACES.values():
        assert pace.label in page and pace.help in page
    sent = form(pace="days", clock="", option_waiting="", option_wild="")
    sent |= {f"seat_{n}": "none" for n in (2, 3)}
    answer = client.post(reverse("new_table"), sent | {"option_waiting": "", "option_wild": ""})
    assert answer.status_code == 302, answer.content.decode()
    game = Game.objects.get()
    assert (game.pace, game.clock, game.options["waiting"]) == ("days", "days-8", "never")


def test_the_form_says_that_a_clock_does_not_fit():
    client = client_of("ann")
    sent = form(pace="days", clock="live-10") | {f"seat_{n}": "none" for n in (2, 3)}
    answer = client.post(reverse("new_table"), sent)
    assert answer.status_code == 400 and "doesn’t fit the pace" in answer.content.decode()
    assert client.post(reverse("new_table"), sent | {"pace": "slow"}).status_code == 400
    assert Game.objects.count() == 0


def test_lists_room_table_and_api_tell_the_pace():
    game = opened(pace="days")
    bob = client_of("bob")
    (row,) = [
        row for row in listing.lists_for(tables.player("bob")).sections[0].rows if row.url == game.get_absolute_url()
    ]
    assert "over days" in row.facts
    room = bob.get(game.get_absolute_url()).content.decode()
    assert "Over days" in room and "8 waking hours" in room
    assert "Say when you are awake" not in room, "bob does not play yet"
    assert "Say when you are awake" in client_of("ann").get(game.get_absolute_url()).content.decode()
    told = Program(tables.player("bob")).get(f"tables/{game.public_id}").json()
    assert (told["pace"], told["clock"]) == ("days", "days-8")
    lobby.join(game, tables.player("bob"))
    lobby.start(game, game.host)
    assert "8 waking hours" in bob.get(game.get_absolute_url()).content.decode()
    ann = tables.player("ann")
    (row,) = (*listing.playing_rows(ann), *listing.waiting_rows(ann))
    assert "over days" in row.facts


def test_the_api_opens_tables_of_a_pace():
    ann = Program(tables.player("ann"))
    seats = [{"kind": "me"}, {"kind": "open"}]
    made = ann.post("tables", {"game": "gambit", "seats": seats, "pace": "live", "clock": "live-10"}).json()
    assert (made["pace"], made["clock"]) == ("live", "live-10")
    refused = ann.post("tables", {"game": "gambit", "seats": seats, "pace": "live", "clock": "days-8"})
    assert refused.status_code == 422 and refused.json()["code"] == "bad_clock"


def test_a_rematch_keeps_pace_and_clock():
    game = tables.running("ann", "bob", pace="live", clock="live-10")
    tables.do(game, 0, "resign")
    game.refresh_from_db()
    again = begun.rematch(game, tables.player("ann"))
    assert (again.pace, again.clock) == ("live", "live-10")
