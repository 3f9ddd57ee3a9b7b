"""Seats of people who do not answer: who may let a bot play there, which bot, and what that bot may not do (W3, W4)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games import archive, begun, play, rooms
from games.access import visit
from games.engine.core.refusals import IllegalAction
from games.models import Game, Seat
from players import tokens
from tests import tables
from tests.web import kings as k

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _days(settings: Any) -> None:
    settings.SILENT_DAYS = 3


def silent(game: Game, number: int) -> None:
    """This seat was asked openly, longer ago than anybody needs to wait."""
    when = timezone.now() - timedelta(days=3, minutes=1)
    Seat.objects.filter(game=game, number=number).update(
        asked_at=when, seen_at=when, is_asked=True, asked_openly=True, decision="0.1.0"
    )


def refused(verb: Any, *args: Any) -> str:
    with pytest.raises(IllegalAction) as caught:
        verb(*args)
    return caught.value.code


def offered(game: Game, seat: int, do: str) -> list[Any]:
    game.refresh_from_db()
    return [offer for offer in play.view_for(game, seat).offers if offer.do == do]


def log(game: Game) -> list[str]:
    game.refresh_from_db()
    return [line.text({}) for line in play.log_for(game, None)]


# ---- who, and which bot


def test_any_other_player_lets_a_steward_play_for_a_silent_one_the_host_included():
    game = k.kings("ann", "bob", "cat")
    silent(game, 0)
    assert [seat.number for seat in begun.silent_seats(game, tables.player("cat"))] == [0]
    begun.stand_in(game, tables.player("cat"), 0)
    seat = game.seats.get(number=0)
    assert (seat.bot, seat.player, seat.stands_in_for) == ("steward", None, tables.player("ann"))
    assert "A bot plays on for Yellow, whose player may come back at any time." in log(game)
    assert not archive.verify(game)


def test_nothing_else_of_the_hosts_rights_passes_on():
    game = k.kings("ann", "bob", "cat")
    silent(game, 0)
    begun.stand_in(game, tables.player("cat"), 0)
    game.refresh_from_db()
    assert game.host == tables.player("ann")
    cat = visit(game, tables.player("cat"), {})
    assert not cat.is_host and not rooms.tools_of(cat).return_link


def test_strangers_and_those_who_are_out_replace_nobody():
    game = k.kings("ann", "bob", "cat")
    silent(game, 0)
    assert refused(begun.stand_in, game, tables.player("eve"), 0) == "not_seated"
    Seat.objects.filter(game=game, number=2).update(out=True)
    assert refused(begun.stand_in, game, tables.player("cat"), 0) == "not_seated"
    assert not begun.silent_seats(game, tables.player("cat"))
    assert refused(begun.stand_in, game, tables.player("ann"), 0) == "not_silent"  # nobody replaces themselves
    assert refused(begun.stand_in, game, tables.player("bob"), 44) == "no_such_seat"


def test_whoever_comes_back_is_told_of_and_votes_again():
    game = k.kings("ann", "bob", "cat")
    silent(game, 2)
    begun.stand_in(game, tables.player("ann"), 2)
    assert not offered(game, 2, "propose_end")
    begun.take_back_seat(game, tables.player("cat"))
    assert "Green’s player is back." in log(game) and offered(game, 2, "propose_end")
    assert not archive.verify(game)


def test_whoever_plays_as_many_games_as_anybody_may_still_comes_back(settings):
    game = k.kings("ann", "bob", "cat")
    silent(game, 2)
    begun.stand_in(game, tables.player("ann"), 2)
    settings.MOST_RUNNING_GAMES = 0
    assert begun.take_back_seat(game, tables.player("cat")).number == 2


def test_the_page_offers_it_to_every_player_and_names_no_choice_of_bots():
    game = k.kings("ann", "bob", "cat")
    silent(game, 0)
    client = Client()
    client.force_login(tables.player("bob"))
    page = client.get(game.get_absolute_url()).text
    assert "Let the Steward play for" in page and "Jester" not in page
    answer = client.post(reverse("stand_in", args=[game.public_id]), {"number": 0, "level": "random"})
    assert answer.status_code == 302 and game.seats.get(number=0).bot == "steward"


def test_programs_can_do_it_too():
    game = k.kings("ann", "bob", "cat")
    _, secret = tokens.make(tables.player("bob"), "my program")
    url, headers = f"/api/v1/tables/{game.public_id}/stand-in", {"Authorization": f"Bearer {secret}"}

    def post(seat: Any) -> Any:
        return Client().post(url, {"seat": seat}, content_type="application/json", headers=headers)

    assert post(0).status_code == 409 and post(0).json()["code"] == "not_silent"
    silent(game, 0)
    assert post("0").status_code == 400
    assert post(0).json()["seats"][0]["bot"] == "steward"


# ---- what a stand-in may not do


def test_a_silent_players_stand_in_has_no_vote_and_nobody_can_be_named_the_winner():
    game = k.kings("ann", "bob", "cat")
    k.act(game, 0, {"do": "propose_end", "winner": 0})
    k.act(game, 1, {"do": "agree_end", "winner": 0})
    silent(game, 2)
    begun.stand_in(game, tables.player("ann"), 2)
    assert "The proposal to end the game no longer stands." in log(game)
    assert not offered(game, 2, "agree_end") and game.status == Game.Status.RUNNING
    (offer,) = offered(game, 1, "propose_end")
    assert offer.choices == (-1,)
    k.act(game, 1, {"do": "propose_end", "winner": -1})
    k.act(game, 0, {"do": "agree_end", "winner": -1})
    game.refresh_from_db()
    assert (game.status, game.winners, game.ended_how) == (Game.Status.FINISHED, [], "agreed")
    assert not archive.verify(game)


def test_the_game_ends_when_the_one_vote_that_was_missing_goes_to_a_stand_in():
    game = k.kings("ann", "bob", "cat")
    k.act(game, 0, {"do": "propose_end", "winner": -1})
    k.act(game, 1, {"do": "agree_end", "winner": -1})
    silent(game, 2)
    begun.stand_in(game, tables.player("ann"), 2)
    game.refresh_from_db()
    assert (game.status, game.winners) == (Game.Status.FINISHED, [])
    assert not archive.verify(game)


def test_stewards_of_the_start_have_no_vote_and_one_person_alone_names_no_winner():
    game = k.kings("ann", "bot:steward", "bot:steward")
    assert not offered(game, 1, "propose_end") and not offered(game, 2, "propose_end")
    (offer,) = offered(game, 0, "propose_end")
    assert offer.choices == (-1,)
    k.act(game, 0, {"do": "propose_end", "winner": -1})
    game.refresh_from_db()
    assert (game.status, game.winners) == (Game.Status.FINISHED, [])
    assert not archive.verify(game)


def test_two_people_among_stewards_agree_on_a_winner_without_asking_them():
    game = k.kings("ann", "bot:steward", "bob")
    k.act(game, 0, {"do": "propose_end", "winner": 2})
    assert play.bot_questions(game) == [] or not offered(game, 1, "agree_end")
    k.act(game, 2, {"do": "agree_end", "winner": 2})
    game.refresh_from_db()
    assert (game.status, game.winners) == (Game.Status.FINISHED, [2])


def test_an_exported_game_with_bots_and_stand_ins_can_be_played_again_and_imported():
    game = k.kings("ann", "bot:steward", "bob")
    silent(game, 2)
    begun.stand_in(game, tables.player("ann"), 2)
    begun.take_back_seat(game, tables.player("bob"))
    data = archive.exported(game)
    assert data["bots"] == [1] and not archive.verify(game)
    Game.objects.all().delete()
    again = archive.imported(data, tables.player("ann"))
    assert again.revision == 2 and not archive.verify(again)


def test_no_player_sends_what_only_the_house_does():
    game = k.kings("ann", "bob", "cat")
    for action in ({"do": "keep_seat", "seat": 1}, {"do": "open_seat", "seat": 1, "agreed": True}):
        assert refused(k.act, game, 0, action) == "unknown_action"
        assert refused(play.why_not, game, 0, action) == "unknown_action"


# ---- Gambit of Kings


def test_a_bot_that_keeps_a_seat_agrees_to_no_draw():
    game = tables.running("ann", "bob")
    assert offered(game, 0, "offer_draw")
    silent(game, 1)
    begun.stand_in(game, tables.player("ann"), 1)
    assert not offered(game, 0, "offer_draw") and not offered(game, 1, "offer_draw")
    assert refused(tables.do, game, 0, "offer_draw") == "bot_keeps_seat"
    begun.take_back_seat(game, tables.player("bob"))
    assert offered(game, 0, "offer_draw") and not archive.verify(game)


def test_a_draw_offered_before_cannot_be_accepted_by_the_stand_in():
    game = tables.running("ann", "bob")
    tables.do(game, 0, "offer_draw")
    silent(game, 1)
    begun.stand_in(game, tables.player("ann"), 1)
    assert not offered(game, 1, "accept_draw")
    assert refused(tables.do, game, 1, "accept_draw") == "bot_keeps_seat"
