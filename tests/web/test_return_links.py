"""Return links: what one opens, what it does not, and how a stolen one is made worthless."""

from __future__ import annotations

import re
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator
from django.conf import settings
from django.test import Client
from django.urls import reverse

from games import lobby
from games.lobby import SeatPlan
from games.models import Game, Seat
from kadab.asgi import protocols
from players import tokens
from players.guests import new_guest
from players.models import Player
from tests.mail import sent
from tests.tables import player

pytestmark = pytest.mark.django_db

PASSWORD = "one clever lion"
MAILED = re.compile(r"https?://[^/]+(/return/\S+)")


def private(host: Player) -> Game:
    return lobby.create(host, "gambit", {}, [SeatPlan("me"), SeatPlan("link")], is_public=False)


def table_with(guest: Player, host: str) -> Seat:
    return lobby.join(private(player(host)), guest, by_link=True)


def back(seat: Seat) -> str:
    return reverse("come_back", args=[seat.return_key])


def seats_of(guest: Player, host: str = "ann") -> Seat:
    return Seat.objects.get(player=guest, game__host=player(host))


@pytest.fixture
def played() -> Client:
    """Zoë's own browser: she plays at ann's table and at bob's, hosts one of her own, and has a program."""
    browser = Client()
    game = private(player("ann"))
    browser.post(reverse("invitation", args=[game.invite_key]), {"name": "Zoë"})
    zoe = Player.objects.get(guest_name="Zoë")
    table_with(zoe, "bob")
    private(zoe)
    return browser


@pytest.fixture
def zoe(played: Client) -> Player:
    return Player.objects.get(guest_name="Zoë")


@pytest.fixture
def thief(zoe: Player) -> Client:
    """Somebody else's browser, with nothing but the link to the seat at ann's table."""
    browser = Client()
    assert browser.post(back(seats_of(zoe))).status_code == 302
    return browser


def is_let_in(browser: Client, seat: Seat) -> bool:
    answer = browser.get(seat.game.get_absolute_url())
    return answer.status_code == 200 and answer.context["visitor"].number == seat.number


# ---- a link opens its own table only


def test_a_return_link_opens_the_table_it_belongs_to(thief, zoe):
    assert is_let_in(thief, seats_of(zoe))


def test_it_opens_none_of_the_guests_other_tables(thief, zoe):
    elsewhere = seats_of(zoe, "bob").game
    assert thief.get(elsewhere.get_absolute_url()).status_code == 404
    own = Game.objects.get(host=zoe)
    assert thief.get(own.get_absolute_url()).status_code == 404
    for name in ("leave", "cancel", "start", "rematch"):
        assert thief.post(reverse(name, args=[own.public_id])).status_code == 404
    assert Game.objects.get(pk=own.pk).status == Game.Status.OPEN


def test_a_public_table_of_the_guest_is_a_strangers_to_it(thief, zoe):
    game = Game.objects.get(host=zoe)
    Game.objects.filter(pk=game.pk).update(is_public=True)
    page = thief.get(game.get_absolute_url())
    assert page.status_code == 200 and not page.context["room"].is_host
    for name, data in (("cancel", {}), ("start", {}), ("seat_bot", {"number": 1, "level": "1"}), ("join", {})):
        assert thief.post(reverse(name, args=[game.public_id]), data).status_code == 403, name
    assert Game.objects.get(pk=game.pk).status == Game.Status.OPEN


def test_lists_and_account_page_show_nothing_of_the_other_tables(thief, zoe):
    others = [seats_of(zoe, "bob"), Game.objects.get(host=zoe).seats.get(number=0)]
    for url in (reverse("lobby"), reverse("lobby_lists"), reverse("account"), reverse("account_logout")):
        page = thief.get(url).content.decode()
        for seat in others:
            assert seat.game.public_id not in page and seat.return_key not in page, url
    assert seats_of(zoe).game.public_id in thief.get(reverse("lobby")).content.decode()


def test_a_second_link_of_the_same_guest_adds_its_table(thief, zoe):
    assert thief.post(back(seats_of(zoe, "bob"))).status_code == 302
    assert is_let_in(thief, seats_of(zoe)) and is_let_in(thief, seats_of(zoe, "bob"))
    assert thief.get(Game.objects.get(host=zoe).get_absolute_url()).status_code == 404


def test_whoever_came_by_link_may_still_open_and_join_tables(thief, zoe):
    answer = thief.post(reverse("play_now"), {"start": "bots:gambit"})
    assert thief.get(answer.url).context["visitor"].is_player
    other = private(player("carl"))
    answer = thief.post(reverse("invitation", args=[other.invite_key]))
    assert thief.get(answer.url).context["visitor"].is_player


def test_by_link_nobody_sits_down_again_where_the_guest_sits(thief, zoe):
    elsewhere = seats_of(zoe, "bob").game
    answer = thief.post(reverse("invitation", args=[elsewhere.invite_key]))
    assert answer.status_code == 403
    assert not thief.get(elsewhere.get_absolute_url()).context["visitor"].is_player


@pytest.mark.django_db(transaction=True)
async def test_a_socket_of_such_a_session_hears_nothing_of_other_tables():
    def prepare() -> tuple[Client, str, str]:
        guest = new_guest("Zoë")
        here, there = table_with(guest, "ann"), table_with(guest, "bob")
        browser = Client()
        browser.post(back(here))
        return browser, here.game.public_id, there.game.public_id

    browser, here, there = await sync_to_async(prepare)()
    cookie = f"sessionid={browser.cookies['sessionid'].value}".encode()
    headers = [(b"cookie", cookie), (b"origin", settings.SITE_URL.encode()), (b"host", b"127.0.0.1:8000")]

    async def closed_with(table: str) -> int | None:
        socket = WebsocketCommunicator(protocols, f"/ws/tables/{table}/", headers=headers)
        await socket.connect()
        message = await socket.receive_output(5)
        code: int | None = message.get("code") if message["type"] == "websocket.close" else None
        await socket.disconnect()
        return code

    assert await closed_with(there) == 4404
    assert await closed_with(here) is None


# ---- what needs the browser that has played


def test_by_link_alone_a_guest_does_not_become_an_account(thief, played, zoe):
    form = {"username": "Thief", "password1": PASSWORD, "email": ""}
    assert thief.get(reverse("keep_games")).status_code == 403
    assert thief.post(reverse("keep_games"), form).status_code == 403
    zoe.refresh_from_db()
    assert zoe.is_guest
    assert played.post(reverse("keep_games"), form).status_code == 302


def test_by_link_alone_no_account_takes_the_guests_games(thief, zoe):
    Player.objects.create_user("Thief", password=PASSWORD)
    assert thief.post(reverse("account_login"), {"login": "Thief", "password": PASSWORD}).status_code == 302
    assert Seat.objects.filter(player=zoe).count() == 3 and not Seat.objects.filter(player__username="Thief").exists()


def test_by_link_alone_nobody_makes_or_sees_or_revokes_tokens(thief, zoe):
    token, _ = tokens.make(zoe, "my program")
    assert thief.post(reverse("make_token"), {"name": "theirs"}).status_code == 403
    assert thief.post(reverse("revoke_token", args=[token.pk])).status_code == 403
    assert "my program" not in thief.get(reverse("account")).content.decode()
    assert zoe.api_tokens.count() == 1


def test_by_link_alone_nobody_makes_a_new_link_or_has_it_mailed(thief, zoe):
    seat = seats_of(zoe)
    url = reverse("return_link", args=[seat.game.public_id])
    assert thief.post(url, {"number": seat.number}).status_code == 403
    assert thief.post(url, {"do": "mail", "address": "thief@example.org"}).status_code == 403
    assert seats_of(zoe).return_key == seat.return_key and sent() == []
    page = thief.get(seat.game.get_absolute_url()).content.decode()
    assert "New link" not in page and 'name="address"' not in page


# ---- a new link ends everything else


def test_a_new_link_ends_the_old_one_every_other_browser_and_every_token(played, thief, zoe):
    other = Client()
    other.force_login(zoe, backend="django.contrib.auth.backends.ModelBackend")
    _, secret = tokens.make(zoe, "stolen")
    seat = seats_of(zoe)
    answer = played.post(reverse("return_link", args=[seat.game.public_id]), {"number": seat.number})
    renewed = seats_of(zoe)
    assert answer.status_code == 200 and renewed.return_key in answer.content.decode()
    assert renewed.player == zoe and renewed.return_key != seat.return_key
    assert Client().get(back(seat)).status_code == 404
    for browser in (thief, other):
        assert browser.get(seat.game.get_absolute_url()).status_code == 404
    assert tokens.player_of(secret) is None
    assert is_let_in(played, renewed)


def test_nobody_is_given_a_link_to_another_seat(played, zoe):
    seat = seats_of(zoe)
    host = Client()
    host.force_login(player("ann"), backend="django.contrib.auth.backends.ModelBackend")
    url = reverse("return_link", args=[seat.game.public_id])
    answer = host.post(url, {"number": seat.number})
    assert answer.status_code == 403 and seats_of(zoe).return_key == seat.return_key
    page = host.get(seat.game.get_absolute_url()).content.decode()
    assert "New link for" not in page and "/return/" not in page


# ---- mail


def mailed_link(browser: Client, seat: Seat, address: str = "zoe@example.org") -> str:
    url = reverse("return_link", args=[seat.game.public_id])
    assert browser.post(url, {"do": "mail", "address": address}).status_code == 302
    found = MAILED.search(str(sent()[-1].body))
    assert found
    return found.group(1)


def test_a_mailed_link_confirms_the_address_and_is_as_good_as_the_own_browser(played, zoe):
    link = mailed_link(played, seats_of(zoe))
    zoe.refresh_from_db()
    assert zoe.return_address == ""
    phone = Client()
    assert phone.get(link).status_code == 200
    zoe.refresh_from_db()
    assert zoe.return_address == ""  # a preview confirms nothing
    assert phone.post(link).status_code == 302
    zoe.refresh_from_db()
    assert zoe.return_address == "zoe@example.org"
    assert is_let_in(phone, seats_of(zoe, "bob"))
    form = {"username": "Zoe", "password1": PASSWORD, "email": ""}
    assert phone.post(reverse("keep_games"), form).status_code == 302
    zoe.refresh_from_db()
    assert (zoe.is_guest, zoe.return_address) == (False, "")


@pytest.mark.parametrize("spoil", [lambda link: link[:-2] + "xx", lambda link: link.partition("?")[0]])
def test_a_link_that_was_not_mailed_so_confirms_nothing(played, zoe, spoil: Any):
    link = mailed_link(played, seats_of(zoe))
    other = Client()
    assert other.post(spoil(link)).status_code == 302
    zoe.refresh_from_db()
    assert zoe.return_address == "" and not is_let_in_at_bobs(other, zoe)


def test_the_proof_of_one_guests_mail_is_none_for_another(played, zoe):
    mia = new_guest("Mia")
    theirs, more = table_with(mia, "carl"), table_with(mia, "dora")
    query = mailed_link(played, seats_of(zoe)).partition("?")[2]
    other = Client()
    other.post(f"{back(theirs)}?{query}")
    mia.refresh_from_db()
    assert mia.return_address == "" and other.get(more.game.get_absolute_url()).status_code == 404


def is_let_in_at_bobs(browser: Client, zoe: Player) -> bool:
    return browser.get(seats_of(zoe, "bob").game.get_absolute_url()).status_code == 200


def test_by_link_alone_the_link_is_mailed_to_the_confirmed_address_only(played, thief, zoe):
    Client().post(mailed_link(played, seats_of(zoe)))
    seat = seats_of(zoe)
    url = reverse("return_link", args=[seat.game.public_id])
    assert thief.post(url, {"do": "mail", "address": "thief@example.org"}).status_code == 403
    page = thief.get(seat.game.get_absolute_url()).content.decode()
    assert "zoe@example.org" not in page
    sent().clear()
    assert thief.post(url, {"do": "mail", "address": ""}).status_code == 302
    assert [each.to for each in sent()] == [["zoe@example.org"]]


def test_mail_is_limited_for_each_address_it_is_asked_from():
    """Each guest, each mailbox and each address of the network has a limit of its own."""
    mailed = 0
    for number in range(30):
        guest = new_guest(f"Guest {number}")
        seat = table_with(guest, f"host{number}")
        browser = Client()
        browser.force_login(guest, backend="django.contrib.auth.backends.ModelBackend")
        url = reverse("return_link", args=[seat.game.public_id])
        answer = browser.post(url, {"do": "mail", "address": f"{number}@example.org"})
        assert answer.status_code in (302, 429)
        mailed += answer.status_code == 302
    assert mailed == len(sent()) == 10
    answer = browser.post(url, {"do": "mail", "address": "x@example.org"}, REMOTE_ADDR="10.1.2.3")
    assert answer.status_code == 302


def test_mail_holds_no_text_that_a_guest_can_choose(played, zoe):
    spam = "Buy at evil.example now"
    Player.objects.filter(pk=zoe.pk).update(guest_name=spam)
    mailed_link(played, seats_of(zoe))
    mail = sent()[-1]
    assert spam not in mail.body and spam not in mail.subject and "evil" not in str(mail.message())
