"""Links that lead to a seat: invitations for anybody, return links for guests."""

from __future__ import annotations

import re

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from games import lobby
from games.engine.core.refusals import IllegalAction
from games.lobby import SeatPlan
from games.models import Game, Seat
from players.guests import new_guest
from players.models import Player
from tests.mail import sent
from tests.tables import player

pytestmark = pytest.mark.django_db

ME, OPEN, LINK, BOT = SeatPlan("me"), SeatPlan("open"), SeatPlan("link"), SeatPlan("bot", level="random")


@pytest.fixture(autouse=True)
def _no_limits_left_over():
    cache.clear()


@pytest.fixture
def ann():
    return player("ann")


def private(host, *seats) -> Game:
    return lobby.create(host, "gambit", {}, list(seats) or [ME, LINK], is_public=False)


def link(game) -> str:
    return reverse("invitation", args=[game.invite_key])


def back(seat) -> str:
    return reverse("come_back", args=[seat.return_key])


def login(client, who):
    client.force_login(who, backend="django.contrib.auth.backends.ModelBackend")
    return client


def who_is(client) -> Player | None:
    key = client.session.get("_auth_user_id")
    return Player.objects.get(pk=key) if key else None


def rows():
    return list(Game.objects.values()), list(Seat.objects.order_by("pk").values()), Player.objects.count()


# ---- invitations


def test_an_invitation_says_who_invites_to_what_and_seats_nobody(client, ann):
    game = private(ann)
    before = rows()
    page = client.get(link(game))
    assert page.status_code == 200 and page["Cache-Control"] == "private, no-store"
    assert "ann</span> invites you to Gambit of Kings" in page.content.decode()
    assert rows() == before and not client.session.keys()


def test_whoever_accepts_sits_down_as_a_guest_and_the_game_starts(client, ann):
    game = private(ann)
    answer = client.post(link(game), {"name": "  Zoë  "})
    assert answer.status_code == 302 and answer.url == game.get_absolute_url()
    game.refresh_from_db()
    assert game.status == "running" and game.seats.filter(player__guest_name="Zoë").exists()
    assert client.get(answer.url).status_code == 200


def test_who_is_logged_in_accepts_under_the_own_name(client, ann):
    game, bob = private(ann), player("bob")
    login(client, bob).post(link(game))
    assert game.seats.filter(player=bob).exists() and not Player.objects.filter(is_guest=True).exists()


def test_the_link_opens_any_free_seat_open_ones_too(client, ann):
    game = private(ann, ME, OPEN)
    client.post(link(game), {"name": "Zoë"})
    assert game.seats.filter(player__guest_name="Zoë").exists()


def test_accepting_twice_is_accepting_once(client, ann):
    game = private(ann, ME, OPEN)
    for _ in range(2):
        assert client.post(link(game), {"name": "Zoë"}).url == game.get_absolute_url()
    assert Player.objects.filter(is_guest=True).count() == 1


@pytest.mark.parametrize("name", ["", "   ", "\u202e", "x" * 31, "y" * 2_000, "\x00"])
def test_a_name_that_is_none_is_refused_on_the_page(client, ann, name):
    game = private(ann)
    answer = client.post(link(game), {"name": name})
    assert answer.status_code == 400 and "name" in answer.context["form"].errors
    assert not Player.objects.filter(is_guest=True).exists()


def test_a_full_table_offers_to_watch_and_makes_no_guest(client, ann):
    game = private(ann)
    lobby.join(game, player("bob"), by_link=True)
    assert "Watch the game" in client.get(link(game)).content.decode()
    late = client.post(link(game), {"name": "Zoë"})
    assert late.status_code == 409 and "has already started" in late.content.decode()
    assert not Player.objects.filter(is_guest=True).exists()


def test_an_invitation_to_a_game_that_is_over_says_so(client, ann):
    game = private(ann)
    Game.objects.filter(pk=game.pk).update(status=Game.Status.FINISHED)
    page = client.get(link(game)).content.decode()
    assert "This game is over" in page and "already started" not in page and "Look at the game" in page


@pytest.mark.parametrize("ruleset, crest", [("kings", "kings.svg#citadel"), ("gambit", "gambit.svg#castle-light")])
def test_an_invitation_shows_the_crest_of_its_own_game(client, ann, ruleset, crest):
    game = lobby.create(ann, ruleset, {}, [SeatPlan("me"), SeatPlan("link")])
    shown = re.sub(r"(kings|gambit)\.\w+\.svg", r"\1.svg", client.get(link(game)).content.decode())
    listed = re.sub(r"(kings|gambit)\.\w+\.svg", r"\1.svg", login(Client(), ann).get("/").content.decode())
    assert crest in shown and ("gambit.svg#castle" in shown) == (ruleset == "gambit")
    assert crest in listed.partition('id="lists"')[2]


def test_whoever_has_the_link_may_watch_a_private_table_and_nobody_else(client, ann):
    game = private(ann, ME, BOT)
    assert client.get(game.get_absolute_url()).status_code == 404
    assert client.post(link(game), {"do": "watch"}).url == game.get_absolute_url()
    assert client.get(game.get_absolute_url()).status_code == 200
    assert Client().get(game.get_absolute_url()).status_code == 404


def test_the_link_of_a_cancelled_table_says_so(client, ann):
    game = private(ann)
    lobby.cancel(game, ann)
    assert "closed" in client.get(link(game)).content.decode()
    assert client.post(link(game), {"name": "Zoë"}).status_code == 409


def test_the_host_is_told_that_it_is_the_own_link(client, ann):
    assert "your own table" in login(client, ann).get(link(private(ann))).content.decode()


@pytest.mark.parametrize("key", ["nonsense", "x" * 500, "%00", "%C3%A4", "' OR 1=1"])
@pytest.mark.parametrize("path", ["/join/", "/return/"])
def test_a_link_that_leads_nowhere_is_not_found(client, path, key):
    assert client.get(f"{path}{key}/").status_code == 404
    assert client.post(f"{path}{key}/", {"name": "Zoë"}).status_code == 404


# ---- return links


@pytest.fixture
def zoe():
    return new_guest("Zoë")


@pytest.fixture
def seat(ann, zoe):
    game = private(ann)
    return lobby.join(game, zoe, by_link=True)


def test_a_return_link_brings_a_guest_back_but_only_by_the_button(client, seat, zoe):
    page = client.get(back(seat))
    assert page.status_code == 200 and "Continue as" in page.content.decode() and who_is(client) is None
    answer = client.post(back(seat))
    assert answer.url == seat.game.get_absolute_url() and who_is(client) == zoe
    assert client.get(answer.url).status_code == 200


def test_a_return_link_never_logs_in_to_an_account(client, seat, zoe):
    Player.objects.filter(pk=zoe.pk).update(is_guest=False, username="zoe")
    assert "log in" in client.get(back(seat)).content.decode().lower()
    answer = client.post(back(seat))
    assert answer.status_code == 403 and who_is(client) is None
    assert "for guests only" in answer.content.decode()


def test_a_bots_seat_has_no_way_back(client, ann):
    game = private(ann, ME, BOT)
    assert client.get(back(game.seats.exclude(bot="").get())).status_code == 404


def test_a_guest_renews_the_own_link(client, seat, zoe):
    url = reverse("return_link", args=[seat.game.public_id])
    answer = login(client, zoe).post(url, {"number": seat.number})
    renewed = Seat.objects.get(pk=seat.pk)
    assert answer.status_code == 200 and renewed.return_key in answer.content.decode()
    assert renewed.player == zoe and Client().get(back(seat)).status_code == 404


def test_only_the_guest_renews_the_own_link_and_accounts_have_none(seat, ann, zoe):
    def code(who, number):
        with pytest.raises(IllegalAction) as caught:
            lobby.reissue_return_key(seat.game, who, number)
        return caught.value.code

    other = seat.game.seats.exclude(pk=seat.pk).get()
    assert code(ann, seat.number) == "not_own_seat"  # the host no more than anybody else
    assert code(player("carl"), seat.number) == "not_own_seat"
    assert code(zoe, other.number) == "not_own_seat"
    assert code(ann, other.number) == "not_a_guest"
    assert code(zoe, 44) == "no_such_seat"
    assert Seat.objects.get(pk=seat.pk).return_key == seat.return_key


def post_mail(client, seat, address="zoe@example.org", **headers):
    url = reverse("return_link", args=[seat.game.public_id])
    return client.post(url, {"do": "mail", "address": address}, headers=headers)


def test_a_guest_has_the_link_mailed(client, seat, zoe):
    assert post_mail(login(client, zoe), seat).status_code == 302
    (mail,) = sent()
    assert mail.to == ["zoe@example.org"] and back(seat) in mail.body and "Zoë" not in mail.body
    (picture,) = mail.attachments
    assert picture.get_filename() == "mail-gambit.png"


def test_only_a_guest_who_sits_there_may_have_it_mailed(client, seat, ann):
    assert post_mail(login(client, ann), seat).status_code == 422
    login(client, seat.player)
    assert post_mail(client, seat, "not an address").status_code == 400
    assert post_mail(client, seat, "a@b.example\nBcc: c@d.example").status_code == 400
    assert post_mail(Client(), seat).status_code == 404
    assert sent() == []


def test_nobody_can_have_much_mail_sent(client, seat, zoe):
    login(client, zoe)
    answers = [post_mail(client, seat).status_code for _ in range(4)]
    assert answers == [302, 302, 302, 429]
    others = [post_mail(client, seat, f"{n}@example.org").status_code for n in range(3)]
    assert others == [302, 429, 429]
    assert len(sent()) == 4


def test_nobody_is_told_of_a_dead_mail_server(client, seat, zoe, settings):
    """The letter waits for the mail server, and the link can be copied meanwhile."""
    settings.EMAIL_BACKEND = "kadab.mail.SmtpBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    answer = post_mail(login(client, zoe), seat, **{"HX-Request": "true"})
    assert answer.status_code == 204 and "sending you the link" in answer["HX-Trigger"]
