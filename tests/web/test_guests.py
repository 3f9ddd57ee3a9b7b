"""Guests: made in one step, kept by session and link, turned into accounts without losing a seat."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.core.exceptions import PermissionDenied, ValidationError
from django.test import Client, RequestFactory
from django.urls import reverse

from games import play
from games.models import Game, Notice, Seat
from players import guests, tokens
from players.models import Player
from players.names import clean_name
from tests import tables
from tests.mail import sent

pytestmark = pytest.mark.django_db

PASSWORD = "one clever lion"


def request_of(user=None, session=None):
    request = RequestFactory().post("/")
    request.session = session or SessionStore()
    request.user = user or AnonymousUser()
    return request


def table(host, *players, status=Game.Status.RUNNING, **more):
    game = Game.objects.create(ruleset="gambit", rules_version="1", host=host, status=status, **more)
    for number, player in enumerate(players):
        Seat.objects.create(game=game, number=number, player=player)
    return game


def account(name="Anna", **more):
    return Player.objects.create_user(name, password=PASSWORD, **more)


@pytest.fixture
def guest(client):
    made = guests.new_guest("Wanderer")
    client.force_login(made)
    return made


# ---- names


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("Anna", "Anna"),
        ("  Anna \t the\n Bold ", "Anna the Bold"),
        ("An\u200bna", "Anna"),
        ("\u202eannA", "annA"),
        ("An\u2066na\u2069", "Anna"),
        ("A\x00nna\x1b", "Anna"),
        ("Ann\u3164a", "Anna"),
        ("Zoe\u0308", "Zoë"),
        ("Z" + "\u0301" * 20 + "oe", "Ź\u0301\u0301oe"),
        ("李白", "李白"),
        ("<b>Tom</b>", "<b>Tom</b>"),
        ("x" * 30, "x" * 30),
    ],
)
def test_a_guests_name_is_cleaned_of_what_cannot_be_seen(typed, kept):
    assert clean_name(typed) == kept


@pytest.mark.parametrize("typed", ["", "   ", "\u200b\u200d", "\u202e", "\u3164", "\u0301", None, "x" * 31])
def test_a_name_that_cannot_be_seen_or_is_too_long_is_refused(typed):
    with pytest.raises(ValidationError):
        clean_name(typed)


def test_a_cleaned_name_is_clean():
    for typed in ["a\u200b\u0301", "e\u200d\u0301\u0301\u0301", "\u1100\u3164\u1161", " a \u202e b "]:
        assert clean_name(clean_name(typed)) == clean_name(typed)


# ---- coming in


def test_whoever_has_no_account_becomes_a_guest_of_this_session():
    request = request_of()
    made = guests.guest_for(request, " Wan\u200bderer ")
    assert (made.is_guest, made.display_name) == (True, "Wanderer")
    assert not made.has_usable_password()
    assert request.user == made
    assert request.session["_auth_user_id"] == str(made.pk)


def test_whoever_is_logged_in_stays_who_he_is():
    anna = account()
    assert guests.guest_for(request_of(anna), "Somebody Else") == anna
    assert Player.objects.count() == 1


def test_a_bad_name_makes_no_guest():
    with pytest.raises(ValidationError):
        guests.guest_for(request_of(), "\u202e")
    assert not Player.objects.exists()


def test_a_flood_of_guests_is_stopped(settings):
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "guest": "2/m/ip"}
    for _ in range(2):
        guests.guest_for(request_of(), "Wanderer")
    with pytest.raises(ValidationError):
        guests.guest_for(request_of(), "Wanderer")
    assert Player.objects.count() == 2


def test_two_guests_may_have_the_same_name():
    assert guests.new_guest("Wanderer").username != guests.new_guest("Wanderer").username


def test_a_return_link_lets_a_guest_in_and_private_tables_stay_known(guest):
    request = request_of(account())
    request.session["_auth_user_id"] = str(request.user.pk)
    request.session["invited"] = ["abc"]
    guests.log_in_as(request, guest)
    assert request.user == guest
    assert request.session["invited"] == ["abc"]


def test_nobody_gets_into_an_account_or_a_closed_guest_by_return_link(guest):
    with pytest.raises(PermissionDenied):
        guests.log_in_as(request_of(), account())
    guest.is_active = False
    with pytest.raises(PermissionDenied):
        guests.log_in_as(request_of(), guest)


def test_a_guest_cannot_log_in_by_password(client, guest):
    client.logout()
    for password in ["", "!", guest.password]:
        answer = client.post(reverse("account_login"), {"login": guest.username, "password": password})
        assert answer.status_code == 422
    assert "_auth_user_id" not in client.session


def test_a_guest_has_no_password_to_reset_or_set(client, guest):
    Player.objects.filter(pk=guest.pk).update(email="guest@example.org")
    Client().post(reverse("account_reset_password"), {"email": "guest@example.org"})
    assert all("password/reset/key" not in each.body for each in sent())
    for name in ["account_set_password", "account_change_password", "account_email"]:
        data = {"password1": PASSWORD, "password2": PASSWORD, "email": "x@example.org", "action_add": ""}
        assert client.post(reverse(name), data).headers["Location"] == reverse("keep_games")
    guest.refresh_from_db()
    assert not guest.has_usable_password()
    assert not guest.emailaddress_set.exists()


# ---- becoming an account


def keep(client, **changes):
    data = {"username": "Anna", "password1": PASSWORD, "email": "", **changes}
    return client.post(reverse("keep_games"), data)


def test_a_guest_becomes_an_account_and_keeps_row_seats_tables_and_tokens(client, guest):
    game = table(guest, guest, account("Bob"))
    _, secret = tokens.make(guest, "my bot")
    before = client.session.session_key
    assert keep(client).headers["Location"] == reverse("account")
    anna = Player.objects.get(username="Anna")
    assert (anna.pk, anna.is_guest, anna.display_name) == (guest.pk, False, "Anna")
    assert game.seats.get(number=0).player == anna
    assert Game.objects.get().host == anna
    assert tokens.player_of(secret) == anna
    assert client.session["_auth_user_id"] == str(anna.pk)
    assert client.session.session_key != before
    assert client.get(reverse("account")).status_code == 200
    assert Client().post(reverse("account_login"), {"login": "anna", "password": PASSWORD}).status_code == 302


def test_other_browsers_of_a_guest_must_log_in_once_he_has_an_account(client, guest):
    other = Client()
    other.force_login(guest)
    keep(client)
    assert other.get(reverse("account")).status_code == 302


def test_a_guest_may_give_an_address_and_is_asked_to_confirm_it(client, guest):
    keep(client, email="Anna@Example.org")
    address = Player.objects.get(username="Anna").emailaddress_set.get()
    assert (address.email, address.primary, address.verified) == ("anna@example.org", True, False)
    assert [each.to for each in sent()] == [["anna@example.org"]]


@pytest.mark.parametrize(
    "changes",
    [
        {"username": "bob"},
        {"username": "A"},
        {"username": "guest-abc"},
        {"username": "An\u200bna"},
        {"password1": "12345678"},
        {"password1": ""},
        {"email": "not an address"},
    ],
)
def test_what_cannot_be_an_account_leaves_the_guest_as_he_was(client, guest, changes):
    account("Bob")
    assert keep(client, **changes).status_code == 422
    guest.refresh_from_db()
    assert (guest.is_guest, guest.display_name, guest.has_usable_password()) == (True, "Wanderer", False)


def test_an_account_has_nothing_to_keep(client):
    client.force_login(anna := account())
    assert keep(client, username="Other").headers["Location"] == reverse("account")
    anna.refresh_from_db()
    assert anna.username == "Anna"


def test_a_guest_who_signs_up_is_led_to_the_page_that_keeps_his_games(client, guest):
    answer = client.post(reverse("account_signup"), {"username": "Anna", "password1": PASSWORD})
    assert answer.headers["Location"] == reverse("keep_games")
    assert Player.objects.count() == 1


@pytest.mark.parametrize("to", ["https://evil.example/", "//evil.example/", "javascript:alert(1)", "word", "a.b"])
def test_after_keeping_nobody_is_sent_to_another_site(client, guest, to):
    assert keep(client, next=to).headers["Location"] == reverse("account")


def test_after_keeping_one_goes_on_where_one_was(client, guest):
    assert keep(client, next="/tables/abc/?x=1").headers["Location"] == "/tables/abc/?x=1"


def test_the_page_suggests_the_guests_name_unless_it_is_taken(client, guest):
    assert 'value="Wanderer"' in client.get(reverse("keep_games")).content.decode()
    account("wanderer")
    assert 'value="Wanderer"' not in client.get(reverse("keep_games")).content.decode()


# ---- logging in to an account there is


def log_in(client, **more):
    return client.post(reverse("account_login"), {"login": "Anna", "password": PASSWORD, **more})


def test_a_guest_who_logs_in_brings_his_seats_and_tables_along(client, guest):
    anna, bob = account(), account("Bob")
    running = table(bob, bob, guest)
    hosted = table(guest, guest, status=Game.Status.OPEN)
    over = table(guest, guest, bob, status=Game.Status.FINISHED)
    Notice.objects.create(player=guest, game=running, seat=1, decision="d", due_at="2030-01-01T00:00Z")
    session = client.session
    session["invited"] = ["abc"]
    session.save()
    assert log_in(client).status_code == 302
    assert running.seats.get(number=1).player == anna
    assert running.seats.get(number=0).player == bob
    assert {game.pk for game in Game.objects.filter(host=anna)} == {hosted.pk, over.pk}
    assert not Seat.objects.filter(player=guest).exists()
    assert Notice.objects.get().player == anna
    assert client.session["invited"] == ["abc"]
    assert "3 tables" in client.get(reverse("account")).content.decode()


def test_a_table_where_the_account_sits_already_is_left_as_it_is(client, guest):
    anna = account()
    both, other = table(guest, anna, guest), table(guest, guest)
    log_in(client)
    assert both.seats.get(number=1).player == guest
    assert Game.objects.get(pk=both.pk).host == guest
    assert other.seats.get().player == anna


def test_a_guest_may_leave_games_that_are_not_his(client, guest):
    account()
    game = table(guest, guest)
    assert "leave_games" in client.get(reverse("account_login")).content.decode()
    log_in(client, leave_games="on")
    assert game.seats.get().player == guest


def test_a_failed_login_moves_nothing_and_the_guest_stays(client, guest):
    account()
    game = table(guest, guest)
    assert log_in(client, password="wrong").status_code == 422
    assert game.seats.get().player == guest
    assert client.session["_auth_user_id"] == str(guest.pk)


def test_moving_games_is_done_whole_or_not_at_all(guest, monkeypatch):
    game = table(guest, guest)

    def broken(game):
        raise RuntimeError

    monkeypatch.setattr(guests.doorbell, "ring_people", broken)
    with pytest.raises(RuntimeError):
        guests.bring_games(guest, account())
    assert game.seats.get().player == guest


# ---- leaving


def test_a_guest_with_games_is_asked_before_he_logs_out(client, guest):
    table(guest, guest)
    answer = client.post(reverse("account_logout"))
    assert "return link" in answer.content.decode()
    assert "_auth_user_id" in client.session
    client.post(reverse("account_logout"), {"sure": "yes"})
    assert "_auth_user_id" not in client.session


def test_a_guest_sees_his_return_links_and_an_account_does_not(client, guest):
    seat = table(guest, guest).seats.get()
    assert seat.return_key in client.get(reverse("account")).content.decode()
    keep(client)
    assert seat.return_key not in client.get(reverse("account")).content.decode()


def test_a_guest_is_marked_wherever_his_name_stands(client, guest):
    page = client.get(reverse("account")).content.decode()
    assert ">guest</span>" in page
    keep(client)
    assert ">guest</span>" not in client.get(reverse("account")).content.decode()


def test_a_seat_that_a_bot_keeps_goes_to_the_account_as_well():
    """A guest who logs in to an account once lost the right to come back to it."""
    game = tables.running("gus", "bob")
    guest, account = tables.player("gus"), tables.player("anna")
    play.put_stand_in(game.seats.select_related("game", "player").get(number=0))
    assert guests.bring_games(guest, account) == 1
    assert game.seats.get(number=0).stands_in_for == account


# ---- another name


def renamed(client, name, **more):
    return client.post(reverse("rename_guest"), {"guest_name": name}, **more)


def test_a_guest_may_take_another_name(client, guest, monkeypatch):
    rung = []
    monkeypatch.setattr("players.guests.doorbell.ring_people", lambda game: rung.append(game.pk))
    game = table(guest, guest, account())
    client.force_login(guest)
    page = client.get(reverse("account")).text
    assert f'action="{reverse("rename_guest")}#name"' in page and f'value="{guest.guest_name}"' in page
    answer = renamed(client, "  Queen\u200b  Zoë ")
    assert (answer.status_code, answer.url) == (302, reverse("account"))
    guest.refresh_from_db()
    assert guest.is_guest and guest.guest_name == "Queen Zoë" == guest.display_name
    assert [seat.label for seat in game.seats.order_by("number")] == ["Queen Zoë", "Anna"]
    assert rung == [game.pk]  # open pages learn of it
    assert "Queen Zoë" in client.get(reverse("account")).text


@pytest.mark.parametrize("typed", ["", "   ", "\u202e\u200b", "x" * 31, "x" * 5_000, "\x00"])
def test_a_name_that_cannot_be_one_leaves_the_guest_as_they_were(client, guest, typed):
    client.force_login(guest)
    answer = renamed(client, typed)
    assert answer.status_code == 422 and 'class="errors"' in answer.text.split('id="name-h"')[1].split("</section>")[0]
    was = guest.guest_name
    guest.refresh_from_db()
    assert guest.guest_name == was


def test_a_guest_may_be_called_like_somebody_else_and_stays_marked(client, guest):
    """As when they came: names of guests need not differ, and a mark tells them from an account."""
    account("Anna")
    client.force_login(guest)
    assert renamed(client, "Anna").status_code == 302
    page = client.get(reverse("account")).text
    assert page.count("Anna") and 'title="Plays without an account">guest</span>' in page


def test_an_account_keeps_its_name(client):
    anna = account()
    client.force_login(anna)
    assert 'id="name"' not in client.get(reverse("account")).text
    assert renamed(client, "Zoë").status_code == 403
    anna.refresh_from_db()
    assert (anna.username, anna.guest_name) == ("Anna", "")


def test_only_the_guests_own_browser_may_change_the_name(client, guest):
    """Neither a stranger, nor another site, nor somebody who has no more than a return link."""
    assert renamed(Client(), "Zoë").url.startswith(reverse("account_login"))
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(guest)
    assert renamed(strict, "Zoë").status_code == 403
    game = table(guest, guest, account())
    by_link = Client()
    come_back = reverse("come_back", args=[game.seats.get(number=0).return_key])
    by_link.get(come_back)
    by_link.post(come_back)
    page = by_link.get(reverse("account"))
    assert page.status_code == 200 and 'id="name"' not in page.text
    assert f'href="{reverse("account")}#name"' not in by_link.get(reverse("lobby")).text
    assert renamed(by_link, "Zoë").status_code == 403
    was = guest.guest_name
    guest.refresh_from_db()
    assert guest.guest_name == was


def test_names_do_not_change_all_the_time(client, guest, monkeypatch):
    monkeypatch.setattr("players.views.NAMES_AN_HOUR", 2)
    client.force_login(guest)
    assert [renamed(client, name).status_code for name in ("Ava", "Bo", "Cy")] == [302, 302, 429]
    guest.refresh_from_db()
    assert guest.guest_name == "Bo"


def test_the_front_page_leads_a_guest_to_their_name(client, guest):
    link = f'href="{reverse("account")}#name"'
    assert link not in Client().get(reverse("lobby")).text
    assert link in client.get(reverse("lobby")).text
    stranger = Client()
    stranger.force_login(account())
    assert link not in stranger.get(reverse("lobby")).text
