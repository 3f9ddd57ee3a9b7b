"""A guest lost the link to a seat: asking for it, what the table reads and answers, and how nobody else gets in."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games import archive, lobby, lost_links, play, rooms
from games.access import visit
from games.engine.core.dice import Dice
from games.engine.core.refusals import IllegalAction
from games.engine.kings import KINGS
from games.engine.kings.orders import ORDERS
from games.lobby import SeatPlan
from games.models import Game, LostLink, Seat
from players import tokens
from players.guests import new_guest
from players.models import Player
from tests.mail import sent
from tests.tables import player
from tests.web import kings as k

pytestmark = pytest.mark.django_db

ME, LINK, STEWARD = SeatPlan("me"), SeatPlan("link"), SeatPlan("bot", level="steward")


def browser_of(who: Player) -> Client:
    made = Client()
    made.force_login(who, backend="django.contrib.auth.backends.ModelBackend")
    return made


@pytest.fixture
def zoe() -> Player:
    return new_guest("Zoë")


@pytest.fixture
def three(zoe: Player) -> Game:
    """ann, bob and the guest Zoë, at Kings & Things*."""
    game = lobby.create(player("ann"), "kings", {}, [ME, LINK, LINK], is_public=False)
    lobby.join(game, player("bob"), by_link=True)
    lobby.join(game, zoe, by_link=True)
    game.refresh_from_db()
    assert game.status == Game.Status.RUNNING
    return game


@pytest.fixture
def two(zoe: Player) -> Game:
    """ann and the guest Zoë, with a steward, who is nobody to ask."""
    game = lobby.create(player("ann"), "kings", {}, [ME, LINK, STEWARD], is_public=False)
    lobby.join(game, zoe, by_link=True)
    game.refresh_from_db()
    return game


def seat_of(game: Game, who: Player) -> Seat:
    return game.seats.get(player=who)


def ask(game: Game, who: Client, number: int, **more: Any) -> Any:
    return who.post(reverse("invitation", args=[game.invite_key]), {"do": "lost", "number": number, **more})


def asked(game: Game, zoe: Player) -> Client:
    """A fresh browser that has asked for Zoë's seat."""
    fresh = Client()
    answer = ask(game, fresh, seat_of(game, zoe).number)
    assert answer.status_code == 302 and answer.url == reverse("lost_link", args=[game.public_id])
    return fresh


def answer(game: Game, who: Client, number: int, do: str) -> int:
    return who.post(reverse("answer_lost_link", args=[game.public_id]), {"number": number, "do": do}).status_code


def opens(game: Game, who: Client) -> bool:
    """Whether pressing the button lets this browser into the seat."""
    return who.post(reverse("lost_link", args=[game.public_id]), {"do": "open"}).status_code == 302


def sits(game: Game, who: Client) -> int | None:
    page = who.get(game.get_absolute_url())
    return page.context["visitor"].number if page.status_code == 200 else None


def tools(game: Game, who: Player) -> rooms.Tools:
    game.refresh_from_db()
    return rooms.tools_of(visit(game, who, {}))


def code(verb: Any, *args: Any) -> str:
    with pytest.raises(IllegalAction) as caught:
        verb(*args)
    return caught.value.code


def said(answer: Any) -> str:
    """The code of the refusal that this page shows."""
    return answer.context["refusal"].code if "refusal" in (answer.context or {}) else ""


def waiting_page(game: Game, who: Client) -> str:
    return who.get(reverse("lost_link", args=[game.public_id])).content.decode()


# ---- the way it is meant


def test_the_invitation_page_names_the_guests_who_can_ask(three, zoe):
    page = Client().get(reverse("invitation", args=[three.invite_key])).content.decode()
    number = seat_of(three, zoe).number
    assert "I lost the link to my seat" in page and f'<option value="{number}">Zoë</option>' in page
    assert ">ann</option>" not in page and ">bob</option>" not in page


def test_everybody_at_the_table_reads_it_and_nobody_is_shown_a_link(three, zoe):
    fresh = asked(three, zoe)
    for who in (player("ann"), player("bob"), zoe):
        (wanted,) = tools(three, who).wanted
        assert (wanted.name, wanted.is_yours, wanted.may_agree) == ("Zoë", who == zoe, who != zoe)
        page = browser_of(who).get(three.get_absolute_url()).content.decode()
        assert ("asks for your seat" if who == zoe else "Somebody says they are") in page
    key = seat_of(three, zoe).return_key
    for watching in (browser_of(player("ann")), browser_of(player("bob")), fresh):
        assert key not in watching.get(three.get_absolute_url()).content.decode()
    Game.objects.filter(pk=three.pk).update(is_public=True)
    assert "Somebody says" not in Client().get(three.get_absolute_url()).content.decode()


def test_the_seat_opens_in_the_browser_that_asked_when_all_others_agree(three, zoe):
    number, old = seat_of(three, zoe).number, seat_of(three, zoe)
    fresh, before = asked(three, zoe), browser_of(zoe)
    _, secret = tokens.make(zoe, "a program")
    assert not opens(three, fresh)
    assert answer(three, browser_of(player("ann")), number, "agree") == 302
    assert not opens(three, fresh) and tools(three, player("ann")).wanted[0].waits_for == "bob"
    assert answer(three, browser_of(player("bob")), number, "agree") == 302
    assert "Open my seat" in fresh.get(reverse("lost_link", args=[three.public_id])).content.decode()
    assert opens(three, fresh) and sits(three, fresh) == number
    seat = three.seats.get(number=number)
    assert seat.player and seat.player.guest_name == "Zoë" and seat.player != zoe and not seat.wanted
    assert sits(three, before) is None  # the old browser
    told = before.get(three.get_absolute_url())
    assert told.status_code == 403 and "Your seat was opened in another browser" in told.content.decode()
    ended = Client().get(reverse("come_back", args=[old.return_key]))  # the old link
    assert ended.status_code == 404 and "a newer return link was made" in ended.content.decode()
    assert tokens.player_of(secret) == zoe and not three.seats.filter(player=zoe).exists()  # the old program
    assert not tools(three, player("ann")).wanted


def test_the_log_says_so_to_everybody_and_replay_knows_it(three, zoe):
    number = seat_of(three, zoe).number
    fresh = asked(three, zoe)
    for name in ("ann", "bob"):
        answer(three, browser_of(player(name)), number, "agree")
    assert opens(three, fresh)
    three.refresh_from_db()
    said = "Green’s seat was opened in another browser; everybody else at the table agreed."
    assert said in [line.text({}) for line in play.log_for(three, None)]
    assert not archive.verify(three)


def test_whoever_comes_back_so_gets_none_of_the_guests_other_tables(three, zoe):
    elsewhere = lobby.create(player("carl"), "gambit", {}, [ME, LINK], is_public=False)
    lobby.join(elsewhere, zoe, by_link=True)
    fresh = asked(three, zoe)
    for name in ("ann", "bob"):
        answer(three, browser_of(player(name)), seat_of(three, zoe).number, "agree")
    assert opens(three, fresh) and sits(elsewhere, fresh) is None
    assert elsewhere.seats.filter(player=zoe).exists()


def test_the_old_page_refuses_and_that_is_the_end_of_it(three, zoe):
    number, fresh = seat_of(three, zoe).number, asked(three, zoe)
    for name in ("ann", "bob"):
        answer(three, browser_of(player(name)), number, "agree")
    assert answer(three, browser_of(zoe), number, "refuse") == 302
    assert not opens(three, fresh) and not tools(three, zoe).wanted
    assert "refused" in fresh.get(reverse("lost_link", args=[three.public_id])).content.decode()
    assert (
        said(ask(three, fresh, number)) == "lost_refused"
        and said(ask(three, Client(), number)) == "lost_refused_lately"
    )
    with time_machine.travel(timezone.now() + timedelta(hours=1, minutes=1)):  # the real Zoë may be elsewhere
        assert said(ask(three, fresh, number)) == "lost_refused"
        assert ask(three, Client(), number).status_code == 302
    with time_machine.travel(timezone.now() + timedelta(days=8)):
        assert ask(three, fresh, number).status_code == 302


def test_a_seat_that_a_bot_keeps_for_a_guest_can_be_asked_for(three, zoe):
    seat = seat_of(three, zoe)
    play.keep_seat(seat)
    fresh = Client()
    assert ask(three, fresh, seat.number).status_code == 302
    for name in ("ann", "bob"):
        answer(three, browser_of(player(name)), seat.number, "agree")
    assert opens(three, fresh)
    fresh.post(reverse("take_back_seat", args=[three.public_id]), {"number": seat.number})
    assert sits(three, fresh) == seat.number


def test_with_a_confirmed_address_the_link_goes_there_and_nobody_is_asked(three, zoe):
    Player.objects.filter(pk=zoe.pk).update(return_address="zoe@example.org")
    fresh = Client()
    shown = ask(three, fresh, seat_of(three, zoe).number)
    assert shown.status_code == 302 and not LostLink.objects.exists()
    (mail,) = sent()
    assert mail.to == ["zoe@example.org"] and seat_of(three, zoe).return_key in mail.body
    page = fresh.get(shown.url).content.decode()
    assert "zoe@example.org" not in page and seat_of(three, zoe).return_key not in page
    assert sits(three, fresh) is None


# ---- a game of two


def test_in_a_game_of_two_the_seat_opens_after_three_days_without_refusal(two, zoe):
    number, fresh = seat_of(two, zoe).number, asked(two, zoe)
    with time_machine.travel(timezone.now() + timedelta(days=3) - timedelta(minutes=5)):
        assert not opens(two, fresh)
    with time_machine.travel(timezone.now() + timedelta(days=3, minutes=1)):
        assert opens(two, fresh) and sits(two, fresh) == number
    two.refresh_from_db()
    said = "seat was opened in another browser; nobody refused for days."
    assert said in [line.text({}) for line in play.log_for(two, None)][-1]


def test_when_it_opens_is_said_in_utc(two, zoe):
    fresh = asked(two, zoe)
    at = LostLink.objects.get().asked_at + timedelta(days=3)
    pages = [browser_of(who).get(two.get_absolute_url()).content.decode() for who in (zoe, player("ann"))]
    for page in (waiting_page(two, fresh), *pages):
        assert f"{at:%H:%M} UTC</time>" in page


def test_the_host_who_asks_for_the_guests_seat_cannot_agree_with_themself(two, zoe):
    """A host asks in a second browser and agrees in the first: in a game of two that shortens nothing."""
    number, second = seat_of(two, zoe).number, asked(two, zoe)
    assert not tools(two, player("ann")).wanted[0].waits_for
    answer(two, browser_of(player("ann")), number, "agree")
    assert not opens(two, second)
    with time_machine.travel(timezone.now() + timedelta(days=2)):
        assert answer(two, browser_of(zoe), number, "refuse") == 302
    with time_machine.travel(timezone.now() + timedelta(days=4)):
        assert not opens(two, second)
    assert seat_of(two, zoe)


# ---- attacks


def test_whoever_sits_or_hosts_there_cannot_ask(three, zoe):
    number = seat_of(three, zoe).number
    for who in ("ann", "bob"):
        assert ask(three, browser_of(player(who)), number).status_code == 409
    assert ask(three, browser_of(zoe), number).status_code == 409
    assert not LostLink.objects.exists()


def test_only_guests_seats_are_asked_for(three, two):
    ann = three.seats.get(player=player("ann")).number
    assert ask(three, Client(), ann).status_code == 409
    assert ask(two, Client(), two.seats.exclude(bot="").get().number).status_code == 409
    assert ask(three, Client(), 44).status_code == 422
    assert ask(three, Client(), "x").status_code == 400  # type: ignore[arg-type]
    assert not LostLink.objects.exists()


def test_only_other_people_at_the_table_agree_and_only_the_seats_own_player_refuses(three, zoe):
    number, fresh = seat_of(three, zoe).number, asked(three, zoe)
    stranger = browser_of(player("eve"))
    stranger.post(reverse("invitation", args=[three.invite_key]), {"do": "watch"})
    assert answer(three, stranger, number, "agree") == 403
    assert answer(three, fresh, number, "agree") == 403
    assert answer(three, browser_of(zoe), number, "agree") == 403
    assert answer(three, browser_of(player("ann")), number, "refuse") == 403
    assert answer(three, stranger, number, "refuse") == 403
    assert LostLink.objects.get().agreed == [] and not LostLink.objects.get().outcome
    assert answer(three, browser_of(player("ann")), 44, "agree") == 409


def test_one_person_is_one_vote_however_often_they_agree(three, zoe):
    number, fresh = seat_of(three, zoe).number, asked(three, zoe)
    for _ in range(3):
        answer(three, browser_of(player("ann")), number, "agree")
    assert LostLink.objects.get().agreed == [player("ann").pk] and not opens(three, fresh)


def test_a_seat_on_anothers_device_is_no_second_person(zoe):
    game = lobby.create(player("ann"), "kings", {}, [ME, SeatPlan("same_device", name="Ben"), LINK], is_public=False)
    lobby.join(game, zoe, by_link=True)
    fresh = asked(game, zoe)
    assert answer(game, browser_of(player("ann")), seat_of(game, zoe).number, "agree") == 409
    assert not opens(game, fresh)


def test_bots_have_no_say_and_leave_a_game_of_two(three, zoe):
    """bob falls silent and a bot plays in that seat: then ann alone cannot open the seat by agreeing."""
    number, fresh = seat_of(three, zoe).number, asked(three, zoe)
    answer(three, browser_of(player("ann")), number, "agree")
    play.keep_seat(seat_of(three, player("bob")))
    assert not opens(three, fresh)


def test_another_browser_cannot_open_it_nor_learn_that_the_table_exists(three, zoe):
    asked(three, zoe)
    for name in ("ann", "bob"):
        answer(three, browser_of(player(name)), seat_of(three, zoe).number, "agree")
    url = reverse("lost_link", args=[three.public_id])
    for other in (Client(), browser_of(player("ann")), browser_of(player("eve"))):
        assert other.get(url).status_code == 404 and other.post(url, {"do": "open"}).status_code == 404
    assert seat_of(three, zoe)


def test_one_request_at_a_time_and_not_many_a_day(three, zoe):
    number = seat_of(three, zoe).number
    first = asked(three, zoe)
    assert ask(three, Client(), number).status_code == 409
    for _ in range(4):
        first.post(reverse("lost_link", args=[three.public_id]), {"do": "withdraw"})
        assert ask(three, first, number).status_code == 302
    first.post(reverse("lost_link", args=[three.public_id]), {"do": "withdraw"})
    assert ask(three, first, number).status_code == 429
    assert LostLink.objects.count() == 5


def test_one_network_cannot_ask_everywhere(zoe):
    answers = []
    for number in range(12):
        game = lobby.create(player(f"host{number}"), "gambit", {}, [ME, LINK], is_public=False)
        lobby.join(game, zoe, by_link=True)
        answers.append(ask(game, Client(), seat_of(game, zoe).number).status_code)
    assert answers == [302] * 10 + [429] * 2


def test_requests_expire(two, zoe):
    number, fresh = seat_of(two, zoe).number, asked(two, zoe)
    with time_machine.travel(timezone.now() + timedelta(days=8)):
        assert not opens(two, fresh) and not tools(two, zoe).wanted
        assert lost_links.close_ended() == 1 and lost_links.close_ended() == 0
        assert seat_of(two, zoe).wanted == ""
        assert ask(two, Client(), number).status_code == 302


def test_who_has_become_an_account_meanwhile_keeps_the_seat(three, zoe):
    number, fresh = seat_of(three, zoe).number, asked(three, zoe)
    for name in ("ann", "bob"):
        answer(three, browser_of(player(name)), number, "agree")
    Player.objects.filter(pk=zoe.pk).update(is_guest=False, username="zoe")
    assert not opens(three, fresh)


def test_nothing_is_asked_for_at_a_table_that_is_over(three, zoe):
    number, fresh = seat_of(three, zoe).number, asked(three, zoe)
    Game.objects.filter(pk=three.pk).update(status=Game.Status.FINISHED)
    assert ask(three, Client(), number).status_code == 409
    for name in ("ann", "bob"):
        answer(three, browser_of(player(name)), number, "agree")
    assert not opens(three, fresh)


# ---- what a request is about ends


def open_table(zoe: Player) -> Game:
    """ann, bob and the guest Zoë at a table with a free seat."""
    game = lobby.create(player("ann"), "kings", {}, [ME, LINK, LINK, LINK], is_public=False)
    lobby.join(game, player("bob"), by_link=True)
    lobby.join(game, zoe, by_link=True)
    return game


def check_closed(game: Game, asker: Client, outcome: str, why: str, name: str = "Zoë") -> None:
    """The asker is told why, the table no longer hears of it, and the next writer stores it."""
    page = waiting_page(game, asker)
    assert why in page and f">{name}</span>’s seat" in page and "Withdraw" not in page
    game.refresh_from_db()
    assert rooms.wanted_at(visit(game, player("ann"), {})) == () and not opens(game, asker)
    assert lost_links.close_ended() == 1 and LostLink.objects.get().outcome == outcome
    assert not game.seats.exclude(wanted="").exists() and why in waiting_page(game, asker)


def test_a_request_ends_when_the_guest_makes_an_account(three, zoe):
    fresh = asked(three, zoe)
    Player.objects.filter(pk=zoe.pk).update(is_guest=False, guest_name="", username="zoe-p")
    check_closed(three, fresh, "account", "has an account now", "zoe-p")


def test_a_request_ends_when_the_guest_leaves_and_the_next_guest_can_be_asked_for(zoe):
    game = open_table(zoe)
    fresh, number = asked(game, zoe), seat_of(game, zoe).number
    lobby.leave(game, zoe)
    assert "left it" in waiting_page(game, fresh)
    ida = new_guest("Ida")
    lobby.join(game, ida, number, by_link=True)
    assert asked(game, ida)
    assert [each.outcome for each in LostLink.objects.order_by("pk")] == ["left", ""]
    assert "left it" in waiting_page(game, fresh) and [w.name for w in tools(game, ida).wanted] == ["Ida"]


def test_a_request_ends_when_the_table_is_cancelled(zoe):
    game = open_table(zoe)
    fresh = asked(game, zoe)
    lobby.cancel(game, player("ann"))
    check_closed(game, fresh, "over", "the table was cancelled")


def test_a_request_ends_with_the_game(three, zoe):
    fresh = asked(three, zoe)
    Game.objects.filter(pk=three.pk).update(status=Game.Status.FINISHED)
    check_closed(three, fresh, "over", "the game is over")


# ---- the player of the seat is still there


def duel(zoe: Player) -> Game:
    """The guest Zoë against ann at Gambit; it is Zoë's turn."""
    game = lobby.create(player("ann"), "gambit", {}, [ME, LINK], is_public=False)
    lobby.join(game, zoe, by_link=True)
    game.refresh_from_db()
    if not seat_of(game, zoe).is_asked:
        move_once(game, player("ann"))
    return game


def move_once(game: Game, who: Player, by_program: bool = False) -> int:
    game.refresh_from_db()
    seat = seat_of(game, who)
    view = play.view_for(game, seat.number)
    action = next(offer for offer in view.offers if not offer.aside).sample(Dice.seeded("x")).plain()
    sent = {"revision": game.revision, "token": f"move-number-{game.revision}"}
    if by_program:
        headers = {"Authorization": f"Bearer {tokens.make(who, 'a program')[1]}"}
        url = f"/api/v1/tables/{game.public_id}/actions"
        made = Client().post(url, {"action": action, **sent}, content_type="application/json", headers=headers)
    else:
        made = browser_of(who).post(reverse("act", args=[game.public_id]), {"action": json.dumps(action), **sent})
    assert made.status_code in (200, 302), made.content
    return made.status_code


@pytest.mark.parametrize("by_program", [False, True])
def test_playing_on_refuses(zoe, by_program):
    game = duel(zoe)
    fresh, number = asked(game, zoe), seat_of(game, zoe).number
    move_once(game, zoe, by_program)
    assert LostLink.objects.get().outcome == "played" and not tools(game, player("ann")).wanted
    assert not game.seats.exclude(wanted="").exists()
    assert "has played on" in waiting_page(game, fresh)
    with time_machine.travel(timezone.now() + timedelta(days=3, minutes=1)):
        assert not opens(game, fresh)
    assert said(ask(game, fresh, number)) == "lost_refused"


def test_another_players_move_or_a_stand_ins_does_not(zoe):
    game = duel(zoe)
    move_once(game, zoe)
    asked(game, zoe)
    move_once(game, player("ann"))
    play.keep_seat(seat_of(game, zoe))
    assert not LostLink.objects.get().outcome


def test_a_silent_action_does_not_or_the_table_would_learn_of_it(three, zoe):
    """A standing order changes nothing that others can see (R4), even of a seat that is openly asked."""
    number = seat_of(three, zoe).number
    k.play_on(three, "silent", lambda state: number in KINGS.asked_openly(state))
    assert seat_of(three, zoe).asked_openly
    asked(three, zoe)
    about = next(iter(ORDERS))
    order = {"do": "set_order", "about": about, "how": next(iter(ORDERS[about].choices))}
    three.refresh_from_db()
    sent = {"action": json.dumps(order), "revision": three.revision, "token": "an-order-of-zoe"}
    assert browser_of(zoe).post(reverse("act", args=[three.public_id]), sent).status_code == 302
    assert not LostLink.objects.get().outcome


def test_making_a_new_link_refuses(three, zoe):
    fresh, number = asked(three, zoe), seat_of(three, zoe).number
    made = browser_of(zoe).post(reverse("return_link", args=[three.public_id]), {"number": number})
    assert made.status_code == 200 and "was refused" in waiting_page(three, fresh)
    assert not tools(three, player("ann")).wanted


# ---- what refusals say


def test_one_browser_asks_for_one_seat_at_a_table(zoe):
    game, ida = open_table(zoe), new_guest("Ida")
    fresh = asked(game, zoe)
    lobby.join(game, ida, by_link=True)
    assert said(ask(game, fresh, seat_of(game, ida).number)) == "lost_asking"
    fresh.post(reverse("lost_link", args=[game.public_id]), {"do": "withdraw"})
    assert ask(game, fresh, seat_of(game, ida).number).status_code == 302


def test_the_second_who_asks_is_told_to_warn_the_others_but_not_the_code(three, zoe):
    fresh, number = asked(three, zoe), seat_of(three, zoe).number
    code = lost_links.code_of(LostLink.objects.get())
    assert len(code) == 4 and code in waiting_page(three, fresh)
    assert code in browser_of(player("ann")).get(three.get_absolute_url()).content.decode()
    second = ask(three, Client(), number)
    assert said(second) == "lost_pending" and "warn the other players" in second.content.decode()
    assert code not in second.content.decode()


def test_each_seat_that_cannot_be_asked_for_has_its_own_reason(three, two, zoe):
    assert said(ask(three, Client(), three.seats.get(player=player("ann")).number)) == "lost_not_guest"
    assert said(ask(two, Client(), two.seats.exclude(bot="").get().number)) == "lost_bot"
    shared = lobby.create(zoe, "gambit", {}, [ME, SeatPlan("same_device", name="Ben")], is_public=False)
    numbers = {seat.held_for: seat.number for seat in shared.seats.all()}
    asked_for = {number: said(ask(shared, Client(), number)) for number in numbers.values()}
    assert sorted(asked_for.values()) == ["", "lost_same_device"]
    waits = open_table(new_guest("Ida"))
    free = next(seat.number for seat in waits.seats.all() if not seat.is_taken)
    assert said(ask(waits, Client(), free)) == "nobody_there"
    Game.objects.filter(pk=three.pk).update(status=Game.Status.FINISHED)
    assert said(ask(three, Client(), seat_of(three, zoe).number)) == "lost_over"


def test_in_a_game_of_two_agreeing_is_no_answer(two, zoe):
    number, fresh = seat_of(two, zoe).number, asked(two, zoe)
    assert not tools(two, player("ann")).wanted[0].may_agree
    assert code(lost_links.agree, two, player("ann"), number) == "lost_no_vote"
    early = fresh.post(reverse("lost_link", args=[two.public_id]), {"do": "open"})
    assert said(early) == "lost_too_early" and "3 days after you asked" in early.content.decode()


def test_an_answer_that_is_none_is_a_bad_request(three, zoe):
    number = seat_of(three, zoe).number
    asked(three, zoe)
    assert answer(three, browser_of(zoe), number, "perhaps") == 400
    assert not LostLink.objects.get().outcome


# ---- by program


def test_programs_are_told_of_it_and_may_answer(three, zoe):
    number, fresh = seat_of(three, zoe).number, asked(three, zoe)
    keys = {who: tokens.make(who, "a program")[1] for who in (player("ann"), player("bob"), zoe, player("eve"))}
    url = f"/api/v1/tables/{three.public_id}"

    def post(who: Player, do: str) -> Any:
        headers = {"Authorization": f"Bearer {keys[who]}"}
        data = {"seat": number, "answer": do}
        return Client().post(f"{url}/lost-link", data, content_type="application/json", headers=headers)

    told = Client().get(url, headers={"Authorization": f"Bearer {keys[zoe]}"}).json()["wanted"]
    code = lost_links.code_of(LostLink.objects.get())
    assert told == [{"seat": number, "name": "Zoë", "code": code, "yours": True, "may_agree": False, "opens_at": None}]
    assert post(player("eve"), "agree").status_code == 404
    assert post(zoe, "agree").json()["code"] == "lost_own_seat" and post(player("ann"), "refuse").status_code == 403
    assert post(player("ann"), "perhaps").status_code == 400
    assert post(player("ann"), "agree").json()["wanted"][0]["may_agree"] is False
    assert post(player("bob"), "agree").status_code == 200
    assert opens(three, fresh)
    assert post(player("bob"), "agree").status_code == 409


# ---- before the start


def test_a_guest_comes_back_to_a_table_that_has_not_begun(zoe):
    game = lobby.create(player("ann"), "kings", {}, [ME, LINK, LINK, LINK], is_public=False)
    lobby.join(game, player("bob"), by_link=True)
    lobby.join(game, zoe, by_link=True)
    fresh = asked(game, zoe)
    room = browser_of(player("ann")).get(game.get_absolute_url())
    assert "Somebody says they are" in room.content.decode()
    news = browser_of(zoe).get(reverse("room_news", args=[game.public_id]), headers={"HX-Request": "true"})
    assert news.headers.get("HX-Refresh") or "asks for your seat" in news.content.decode()
    for name in ("ann", "bob"):
        assert answer(game, browser_of(player(name)), seat_of(game, zoe).number, "agree") == 302
    assert opens(game, fresh)
    assert not game.seats.filter(player=zoe).exists() and game.seats.filter(player__guest_name="Zoë").count() == 1


def test_a_guest_who_is_the_host_keeps_that_too(zoe):
    game = lobby.create(zoe, "kings", {}, [ME, LINK, LINK, LINK], is_public=False)
    for name in ("ann", "bob"):
        lobby.join(game, player(name), by_link=True)
    fresh = asked(game, zoe)
    for name in ("ann", "bob"):
        answer(game, browser_of(player(name)), seat_of(game, zoe).number, "agree")
    assert opens(game, fresh)
    game.refresh_from_db()
    assert game.host.guest_name == "Zoë" and game.host != zoe


def test_a_lonely_table_is_opened_by_nobody_at_once(zoe):
    """Nobody else is there to agree: that is no agreement."""
    game = lobby.create(zoe, "kings", {}, [ME, LINK, LINK], is_public=False)
    assert not opens(game, asked(game, zoe))


def test_verbs_refuse_what_is_not_asked(three):
    assert code(lost_links.agree, three, player("ann"), 2) == "lost_no_request"
    assert code(lost_links.refuse, three, player("ann"), None) == "lost_no_request"
    assert code(lost_links.withdraw, three, None) == "lost_no_request"
    assert code(lost_links.open_seat, three, "guess") == "lost_no_request"
