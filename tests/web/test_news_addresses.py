"""A guest leaves an address for one table: it is confirmed by whoever reads it, and used for nothing else."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
import time_machine
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games import addresses, lobby, notices, telling
from games.lobby import SeatPlan
from games.models import Game, Notice, TableAddress
from players import letters
from players.guests import new_guest
from tests.tables import player

pytestmark = pytest.mark.django_db
ADDRESS = "zoe@example.org"


@pytest.fixture(autouse=True)
def at_once(settings):
    settings.NOTICE_DELAY_SECONDS = 0


@pytest.fixture
def guest():
    return new_guest("Zoe")


@pytest.fixture
def game(guest):
    return table_of(guest)


def table_of(guest) -> Game:
    """A running game in which only the guest is asked, and has not looked."""
    made = lobby.create(player("ann"), "gambit", {"light": "host"}, [SeatPlan("me"), SeatPlan("link")], is_public=False)
    lobby.join(made, guest, by_link=True)
    made.refresh_from_db()
    made.seats.update(seen_at=None, is_asked=False)
    made.seats.filter(player=guest).update(is_asked=True, decision="now")
    Notice.objects.all().delete()
    return made


def asked_again(game: Game) -> list[str]:
    """To whom a mail about the guest's question goes."""
    Notice.objects.all().delete()
    notices.write(game, game.seats.select_related("player"))
    before = len(mail.outbox)
    telling.send_due()
    return [each.to[0] for each in mail.outbox[before:]]


def browser_of(someone) -> Client:
    client = Client()
    client.force_login(someone, backend="django.contrib.auth.backends.ModelBackend")
    return client


def link_mailed() -> str:
    letters.send_due()
    assert mail.outbox[-1].to == [ADDRESS]
    return re.search(r"http://127\.0\.0\.1:8000(\S+)", mail.outbox[-1].body)[1]


def test_news_goes_to_a_guests_address_once_it_is_confirmed_and_of_that_table_only(game, guest):
    other, page = table_of(guest), reverse("news", args=[game.public_id])
    assert asked_again(game) == []
    assert browser_of(guest).post(page, {"address": ADDRESS}).status_code == 302
    assert asked_again(game) == [], "nobody has confirmed it"
    link = link_mailed()
    assert ADDRESS in Client().get(link).content.decode()
    assert asked_again(game) == [], "looking at the page confirms nothing"
    assert Client().post(link).status_code == 200
    assert asked_again(game) == [ADDRESS] and asked_again(other) == []
    assert ADDRESS in browser_of(guest).get(page).content.decode()


def test_the_address_a_guest_has_confirmed_before_needs_no_letter(game, guest):
    guest.return_address = ADDRESS
    guest.save()
    browser_of(guest).post(reverse("news", args=[game.public_id]), {"address": ADDRESS})
    assert letters.send_due() == 0 and asked_again(game) == [ADDRESS]


def test_a_guest_stops_it_on_the_page_or_by_the_link_in_the_mail(game, guest):
    TableAddress.objects.create(game=game, player=guest, address=ADDRESS)
    assert asked_again(game) == [ADDRESS]
    stop = mail.outbox[-1].message()["List-Unsubscribe"].strip("<>")
    Client().post(stop.removeprefix("http://127.0.0.1:8000"))
    assert asked_again(game) == []
    browser_of(guest).post(reverse("news", args=[game.public_id]), {"do": "stop"})
    assert not TableAddress.objects.exists()


def test_a_link_is_good_for_its_table_and_guest_and_for_a_week(game, guest):
    other, page = table_of(new_guest("Yan")), reverse("news", args=[game.public_id])
    browser_of(guest).post(page, {"address": ADDRESS})
    link = link_mailed()
    for bad in (link.replace(game.public_id, other.public_id), link[:-3] + "xx/", f"{page}nothing/"):
        assert Client().get(bad).status_code == Client().post(bad).status_code == 404
    with time_machine.travel(timezone.now() + timedelta(days=8)):
        assert Client().post(link).status_code == 404
    assert not TableAddress.objects.exists()


def test_only_a_guest_who_plays_here_may_leave_one(game):
    page = reverse("news", args=[game.public_id])
    assert browser_of(player("ann")).post(page, {"address": ADDRESS}).status_code == 409
    assert browser_of(new_guest("Max")).post(page, {"address": ADDRESS}).status_code == 404
    assert Client().get(page).status_code == 404


def test_what_is_no_address_is_refused(game, guest):
    page = reverse("news", args=[game.public_id])
    for bad in ("", "x", "a@b", "x" * 300 + "@example.org"):
        assert browser_of(guest).post(page, {"address": bad}).status_code == 422


def test_the_letter_holds_nothing_a_guest_can_choose(game, guest):
    browser_of(guest).post(reverse("news", args=[game.public_id]), {"address": ADDRESS})
    letters.send_due()
    assert "Zoe" not in mail.outbox[-1].body + mail.outbox[-1].subject


def test_addresses_of_games_long_over_are_forgotten(game, guest):
    TableAddress.objects.create(game=game, player=guest, address=ADDRESS)
    Game.objects.update(ended_at=timezone.now() - timedelta(days=29))
    assert addresses.clear() == 0
    Game.objects.update(ended_at=timezone.now() - timedelta(days=31))
    assert addresses.clear() == 1
