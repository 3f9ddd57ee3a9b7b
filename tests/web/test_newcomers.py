"""A new person for a seat after its second takeover: the vote, who may come, what they get and what they do not."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from games import access, archive, begun, newcomers, play, reliability, tables, telling, timekeeper
from games.engine.core.refusals import IllegalAction
from games.models import Former, Game, Note, Notice, Pulse, Seat
from players.models import Block, Player
from tests import tables as tt
from tests.web import kings as k
from tests.web.test_act import client_of
from tests.web.test_api import Program

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("kings_bots", "settled_chance")]


@pytest.fixture(name="wall")
def fixture_wall():
    with time_machine.travel(datetime(2026, 6, 10, 12, tzinfo=UTC), tick=False) as wall:
        yield wall


def seat(game: Game, number: int) -> Seat:
    return game.seats.select_related("game", "player").get(number=number)


def fresh(game: Game) -> Game:
    return Game.objects.get(pk=game.pk)


def taken_over(wall, times: int = 2) -> tuple[Game, int]:
    """A kingdom over days in which one seat's player was late so often; the others are at the table."""
    game = tt.running(*k.NAMES, ruleset="kings", options={"last_turn": "none"}, pace="days", clock="days-4")
    k.play_on(game, "late", lambda state: bool(state.extras["turn"]) and not k.window_is_open(state))
    number = next(n for n in k.asked(game) if seat(game, n).due_at)
    order(game, number)
    for once in range(times):
        if once:
            begun.take_back_seat(fresh(game), tt.player(k.NAMES[number]))
        wall.move_to(seat(game, number).due_at)
        Pulse.objects.all().delete()  # the site did not stand still meanwhile
        timekeeper.look()
        assert seat(game, number).late == once + 1 and seat(game, number).bot
    return fresh(game), number


def order(game: Game, number: int) -> None:
    k.act(game, number, {"do": "set_order", "about": "bribes", "how": "ten"})


def agreed(game: Game, number: int) -> None:
    for name in k.NAMES:
        if name != k.NAMES[number]:
            newcomers.vote(fresh(game), tt.player(name), number)


def refused(verb, *args, **named) -> str:
    with pytest.raises(IllegalAction) as caught:
        verb(*args, **named)
    return caught.value.code


def test_after_the_first_takeover_there_is_no_vote(wall):
    game, number = taken_over(wall, times=1)
    other = tt.player(k.NAMES[number - 1])
    assert refused(newcomers.vote, game, other, number) == "no_seat_vote"
    assert newcomers.seats_of(game) == []


def test_all_other_people_have_to_agree_and_may_think_better_of_it(wall):
    game, number = taken_over(wall)
    names = [name for n, name in enumerate(k.NAMES) if n != number]
    for name in names:
        assert not newcomers.is_free(game, seat(game, number))
        newcomers.vote(fresh(game), tt.player(name), number)
    assert newcomers.is_free(game, seat(game, number))
    newcomers.vote(fresh(game), tt.player(names[0]), number, is_for=False)
    assert refused(newcomers.take, game, tt.player("eve"), number) == "not_free"
    for stranger in ("eve", k.NAMES[number]):
        assert refused(newcomers.vote, game, tt.player(stranger), number) == "not_seated"


def test_whoever_is_back_in_time_keeps_the_seat(wall):
    game, number = taken_over(wall)
    agreed(game, number)
    begun.take_back_seat(fresh(game), tt.player(k.NAMES[number]))
    assert seat(game, number).votes == []
    assert refused(newcomers.take, fresh(game), tt.player("eve"), number) == "not_free"


def test_a_new_person_plays_on_from_the_seat_as_it_is(wall):
    game, number = taken_over(wall)
    agreed(game, number)
    view, key = play.view_for(fresh(game), number), seat(game, number).return_key
    newcomers.take(fresh(game), tt.player("eve"), number)
    taken = seat(game, number)
    assert (taken.player, taken.bot, taken.stands_in_for) == (tt.player("eve"), "", None)
    assert taken.return_key != key and (taken.late, taken.in_time, taken.votes) == (0, 0, [])
    now = play.view_for(fresh(game), number)
    assert now.hexes == view.hexes and now.stacks == view.stacks
    said = [line.text({}) for line in play.log_for(fresh(game), None)]
    assert (
        said[-1]
        == f"{('Yellow', 'Grey', 'Green', 'Red')[number]} has a new player, as everybody else at the table agreed."
    )
    if taken.is_asked:
        assert taken.due_at is not None and taken.due_at > fresh(game).moved_at
    assert archive.verify(fresh(game)) == ""


def test_orders_notes_and_the_right_to_come_back_stay_with_the_former_player(wall):
    game, number = taken_over(wall)
    former = k.NAMES[number]
    Note.objects.create(game=game, player=tt.player(former), text="my plan")
    agreed(game, number)
    before = play.view_for(fresh(game), number)
    assert before.orders["bribes"] == "ten"
    assert "order_given" in [line.event for line in play.log_for(fresh(game), number)]
    newcomers.take(fresh(game), tt.player("eve"), number)
    assert play.view_for(fresh(game), number).orders["bribes"] != "ten"
    assert play.view_at(fresh(game), number, before.revision).orders["bribes"] != "ten", "nor in the past"
    for forgotten in (False, True):
        if forgotten:
            play.forget()
        assert "order_given" not in [line.event for line in play.log_for(fresh(game), number)]
    assert "my plan" not in client_of("eve").get(reverse("notes", args=[game.public_id])).text
    assert "my plan" in client_of(former).get(reverse("notes", args=[game.public_id])).text
    assert refused(begun.take_back_seat, fresh(game), tt.player(former)) == "nothing_kept"
    visitor = access.visit(fresh(game), tt.player(former), {})
    assert visitor.seat is None and not visitor.is_player


def test_the_log_stays_when_undo_and_more_orders_follow(wall):
    game, number = taken_over(wall)
    agreed(game, number)
    newcomers.take(fresh(game), tt.player("eve"), number)
    order(fresh(game), number)
    heard = [line.event for line in play.log_for(fresh(game), number)]
    assert heard.count("order_given") == 1 and heard[-1] == "order_given"


def test_who_may_not_come(wall):
    game, number = taken_over(wall)
    agreed(game, number)
    for name in k.NAMES:
        assert refused(newcomers.take, fresh(game), tt.player(name), number) == "played_here"
    tt.player("chief", is_staff=True)
    assert refused(newcomers.take, fresh(game), tt.player("chief"), number) == "may_look"
    assert refused(newcomers.take, fresh(game), tt.player("eve"), number, same_browser=True) == "same_browser"
    Former.objects.create(game=game, player=tt.player("eve"), seat=1)
    assert refused(newcomers.take, fresh(game), tt.player("eve"), number) == "played_here"


def test_a_guest_of_the_same_browser_may_not_come(wall):
    game, number = taken_over(wall)
    agreed(game, number)
    browser = client_of(k.NAMES[number - 1])
    browser.get(game.get_absolute_url())
    kept = browser.cookies["sat_at"]
    assert kept["httponly"]
    other = client_of("eve")
    other.cookies["sat_at"] = kept.value
    press = {"number": number, "do": "take"}
    answer = other.post(reverse("new_person", args=[game.public_id]), press)
    assert answer.status_code == 403 and "this browser" in answer.text
    other.cookies["sat_at"] = "forged"
    assert other.post(reverse("new_person", args=[game.public_id]), press).status_code == 302
    assert seat(game, number).player == tt.player("eve")


def test_the_page_has_a_vote_for_the_table_and_the_seat_for_a_stranger(wall):
    game, number = taken_over(wall)
    names = [name for n, name in enumerate(k.NAMES) if n != number]
    page = client_of(names[0]).get(game.get_absolute_url()).text
    assert "Agree to a new person" in page and "Take this seat" not in page
    assert "Agree to a new person" not in client_of("eve").get(game.get_absolute_url()).text
    for name in names:
        assert client_of(name).post(reverse("new_person", args=[game.public_id]), {"number": number}).status_code == 302
    assert "Take this seat" in client_of("eve").get(game.get_absolute_url()).text
    assert "Take this seat" not in client_of(k.NAMES[number]).get(game.get_absolute_url()).text


def test_a_stranger_chooses_a_name_and_sits_down_as_a_guest(wall):
    game, number = taken_over(wall)
    url, press = reverse("new_person", args=[game.public_id]), {"number": number, "do": "take"}
    guests = Player.objects.filter(is_guest=True)
    assert Client().post(url, {**press, "name": "Robin"}).status_code == 409, "before all have agreed"
    agreed(game, number)
    browser = Client()
    page = browser.get(game.get_absolute_url()).text
    assert "Take this seat" in page and f'id="name-{number}"' in page
    assert browser.post(url, press).status_code == 400
    assert not guests.exists()
    other = client_of(k.NAMES[number - 1])
    other.get(game.get_absolute_url())
    same = Client()
    same.cookies["sat_at"] = other.cookies["sat_at"].value
    assert same.post(url, {**press, "name": "Robin"}).status_code == 403
    assert not guests.exists(), "no guest is made for nothing"
    assert browser.post(url, {**press, "name": "Robin"}).status_code == 302
    assert seat(game, number).player == guests.get() and seat(game, number).label == "Robin"


def test_no_guest_is_made_where_the_game_is_over(wall):
    game, number = taken_over(wall)
    agreed(game, number)
    Game.objects.filter(pk=game.pk).update(status=Game.Status.FINISHED)
    press = {"number": number, "do": "take", "name": "Robin"}
    assert Client().post(reverse("new_person", args=[game.public_id]), press).status_code == 409
    assert not Player.objects.filter(is_guest=True).exists()


# ---- in the lobby


def listed(browser: Client) -> bool:
    page = browser.get(reverse("lobby")).text
    assert ("Free seats in games that have begun" in page) == ("Look at it" in page)
    return "Look at it" in page


def test_the_lobby_lists_a_free_seat_for_whoever_may_take_it(wall):
    game, number = taken_over(wall)
    former = k.NAMES[number]
    assert not listed(Client()) and not listed(client_of("eve")), "there is a vote, and no free seat"
    agreed(game, number)
    tt.player("chief", is_staff=True)
    assert listed(Client()) and listed(client_of("eve"))
    page = client_of("eve").get(reverse("lobby")).text
    assert f"{former}’s seat, with " in page and f'href="{game.get_absolute_url()}"' in page
    for name in (*k.NAMES, "chief"):
        assert not listed(client_of(name)), name
    newcomers.take(fresh(game), tt.player("eve"), number)
    assert not listed(Client()) and not listed(client_of(former))


def test_whoever_could_not_take_it_is_shown_no_free_seat(wall):
    game, number = taken_over(wall)
    agreed(game, number)
    blocker = tt.player(k.NAMES[number - 1])
    Block.objects.create(by=blocker, of=tt.player("foe"))
    Former.objects.create(game=game, player=tt.player("gone"), seat=number - 1)
    for name in ("foe", "gone"):
        assert not listed(client_of(name))
        assert "Take this seat" not in client_of(name).get(game.get_absolute_url()).text
    played = client_of(k.NAMES[number - 1])
    played.get(game.get_absolute_url())
    same = Client()
    same.cookies["sat_at"] = played.cookies["sat_at"].value
    assert not listed(same), "in this browser somebody has played there"
    Game.objects.filter(pk=game.pk).update(least_reliability=90)
    assert listed(client_of("eve")) and "at least 90 % in time" in client_of("eve").get(reverse("lobby")).text
    Game.objects.filter(pk=game.pk).update(is_public=False)
    assert not listed(client_of("eve")) and not listed(Client())


def test_free_seats_cost_the_lobby_one_question_where_there_are_none(django_assert_num_queries):
    tt.running("ann", "bob")
    eve = tt.player("eve")
    with django_assert_num_queries(1):
        assert newcomers.free_seats(eve) == []


def test_the_former_player_gets_one_mail_and_keeps_the_record(wall, settings, mailoutbox):
    settings.NOTICE_DELAY_SECONDS = 0
    game, number = taken_over(wall)
    former = tt.player(k.NAMES[number])
    former.email = "former@example.org"
    former.save()
    agreed(game, number)
    Notice.objects.all().delete()
    newcomers.take(fresh(game), tt.player("eve"), number)
    tables.look(access.visit(fresh(game), tt.player("eve"), {}))
    wall.shift(timedelta(hours=1))
    telling.send_due()
    telling.send_due()
    assert [mail.to for mail in mailoutbox] == [["former@example.org"]]
    assert "A new person plays in your seat" in mailoutbox[0].subject
    shown = reliability.of(former)
    assert shown.late == 2 and shown.left == 1


def test_a_program_reads_the_log_without_what_was_the_former_players(wall):
    game, number = taken_over(wall)
    agreed(game, number)
    newcomers.take(fresh(game), tt.player("eve"), number)
    told = Program(tt.player("eve")).get(f"tables/{game.public_id}/log").content.decode()
    assert "new player" in told and "Bribing" not in told and "order_given" not in told


def test_the_others_are_told_of_the_vote_once_until_they_have_voted(wall, settings, mailoutbox):
    settings.NOTICE_DELAY_SECONDS = 0
    game, number = taken_over(wall)
    first, second, third = (tt.player(name) for name in k.NAMES if name != k.NAMES[number])
    for each in (first, second, third):
        each.email = f"{each.username}@example.org"
        each.save()
    Notice.objects.all().delete()
    newcomers.vote(fresh(game), first, number)
    newcomers.vote(fresh(game), second, number)
    wall.shift(timedelta(hours=1))
    telling.send_due()
    telling.send_due()
    assert [mail.to for mail in mailoutbox] == [[third.email]]
    assert f"{first} wants a new person to play instead of {k.NAMES[number]}" in mailoutbox[0].body
