"""The lobby: opening tables, sitting down, starting, playing again, and what its pages list."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.contrib.staticfiles.finders import find
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games import begun, listing, lobby, play, rooms
from games.access import visit
from games.engine import RULESETS
from games.engine.bots import LEVELS, STAND_INS
from games.engine.core.refusals import IllegalAction
from games.lobby import SeatPlan
from games.models import Game, Seat
from games.registry import ENTRIES
from players.guests import new_guest
from players.models import Player
from tests.tables import do, move, player

pytestmark = pytest.mark.django_db

ME, OPEN, LINK, BOT = SeatPlan("me"), SeatPlan("open"), SeatPlan("link"), SeatPlan("bot", level="random")
DARK_TO_MOVE = "nlgtpctgln/eseseseses/10/10/10/10/10/10/SESESESESE/NLGTCPTGLN b 0 1"


@pytest.fixture(autouse=True)
def _no_limits_left_over():
    cache.clear()


@pytest.fixture
def ann():
    return player("ann")


@pytest.fixture
def bob():
    return player("bob")


def table(host, *seats, options=None, **values) -> Game:
    return lobby.create(host, "gambit", options or {}, list(seats) or [ME, OPEN], **values)


def duel(host, other, **options) -> Game:
    """A running game of two people."""
    game = table(host, ME, LINK, options=options)
    lobby.join(game, other, by_link=True)
    return game


def finished(host, other, **options) -> Game:
    game = duel(host, other, **options)
    do(game, 0, "resign")
    game.refresh_from_db()
    return game


def seats(game) -> list:
    return [(s.player.username if s.player else s.bot or "-") for s in game.seats.select_related("player")]


def refused(verb, *args, **kwargs) -> str:
    """The code of the refusal; nothing in the database may have changed."""
    before = list(Game.objects.values()), list(Seat.objects.order_by("pk").values())
    with pytest.raises(IllegalAction) as caught:
        verb(*args, **kwargs)
    assert (list(Game.objects.values()), list(Seat.objects.order_by("pk").values())) == before
    return caught.value.code


def login(client, who):
    client.force_login(who, backend="django.contrib.auth.backends.ModelBackend")
    return client


# ---- opening a table


def test_a_table_commits_to_its_dice_before_anybody_sits_down(ann):
    game = table(ann)
    assert game.status == "open" and len(game.dice_commit) == len(game.cup_commit) == 64


def test_a_table_with_nobody_to_wait_for_starts_at_once(ann):
    game = table(ann, ME, BOT)
    assert game.status == "running"
    assert sorted(seats(game)) == ["ann", "random"]


def test_two_bots_may_play_for_their_host_to_watch(ann):
    game = table(ann, BOT, BOT)
    assert game.status == "running" and game.host == ann and seats(game) == ["random", "random"]


def test_somebody_on_the_same_device_sits_under_a_name_of_their_own(ann):
    game = table(ann, ME, SeatPlan("same_device", name="Grandpa"))
    assert game.status == "running"
    assert {seat.label for seat in game.seats.select_related("player", "game")} == {"ann", "Grandpa"}


def test_the_host_plays_light_if_the_table_says_so(ann):
    assert seats(table(ann, ME, BOT, options={"light": "host"})) == ["ann", "random"]
    assert seats(table(ann, ME, BOT, options={"light": "guest"})) == ["random", "ann"]


@pytest.mark.parametrize(
    ("ruleset", "options", "plans", "code"),
    [
        ("chess", {}, [ME, OPEN], "no_such_game"),
        (None, {}, [ME, OPEN], "no_such_game"),
        (["gambit"], {}, [ME, OPEN], "no_such_game"),
        ("gambit", [], [ME, OPEN], "bad_options"),
        ("gambit", None, [ME, OPEN], "bad_options"),
        ("gambit", {"speed": "11"}, [ME, OPEN], "bad_option"),
        ("gambit", {"light": "left"}, [ME, OPEN], "bad_option"),
        ("gambit", {"light": 7}, [ME, OPEN], "bad_option"),
        ("gambit", {"position": "x" * 5000}, [ME, OPEN], "bad_option"),
        ("gambit", {"position": "nonsense"}, [ME, OPEN], "bad_position"),
        ("gambit", {}, [], "bad_seats"),
        ("gambit", {}, [ME], "bad_seats"),
        ("gambit", {}, [ME] + [OPEN] * 500, "bad_seats"),
        ("gambit", {}, [ME, ME], "two_mes"),
        ("gambit", {}, [ME, SeatPlan("queen")], "bad_seat"),
        ("gambit", {}, [ME, {"kind": 3}], "bad_seat"),
        ("gambit", {}, [ME, {"kind": ["me"]}], "bad_seat"),
        ("gambit", {}, [ME, SeatPlan("bot", level="99")], "no_such_bot"),
        ("gambit", {}, [ME, {"kind": "bot", "level": ["1"]}], "no_such_bot"),
        ("gambit", {}, [ME, SeatPlan("same_device")], "bad_name"),
        ("gambit", {}, [ME, SeatPlan("same_device", name="\u200b\u202e")], "bad_name"),
        ("gambit", {}, [ME, SeatPlan("same_device", name="x" * 31)], "bad_name"),
    ],
)
def test_a_table_that_makes_no_sense_is_refused(ann, ruleset, options, plans, code):
    assert refused(lobby.create, ann, ruleset, options, plans) == code


def test_nobody_has_more_than_three_open_tables(ann, bob):
    for _ in range(3):
        table(ann)
    assert refused(table, ann) == "too_many_tables"
    assert table(ann, ME, BOT).status == "running"  # nobody waits at this one
    assert table(bob).status == "open"


def test_nobody_has_more_than_thirty_running_games(ann, bob, settings):
    settings.MOST_RUNNING_GAMES = 2
    table(ann, ME, BOT)
    table(ann, BOT, BOT)
    assert refused(table, ann, ME, BOT) == "too_many_games"
    assert refused(lobby.join, table(bob), ann) == "too_many_games"


# ---- sitting down and getting up


def test_a_stranger_joins_an_open_seat_and_the_host_starts(ann, bob):
    game = table(ann)
    lobby.join(game, bob)
    assert game.status == "open" and seats(game) == ["ann", "bob"]
    lobby.start(game, ann)
    assert game.status == "running"


def test_a_table_of_invited_people_starts_by_itself(ann, bob):
    game = table(ann, ME, LINK)
    lobby.join(game, bob, by_link=True)
    assert game.status == "running"


def test_whoever_joins_is_told_the_seat_the_game_gave_them(ann, bob):
    game = table(ann, ME, LINK, options={"light": "guest"})
    assert lobby.join(game, bob, by_link=True).number == 0  # the other player plays light
    game = table(ann, ME, LINK, options={"light": "guest"})
    assert lobby.seat_bot(game, ann, 1, "random").number == 0


def test_a_seat_kept_for_the_link_is_not_for_strangers(ann, bob):
    assert refused(lobby.join, table(ann, ME, LINK), bob) == "link_only"


def test_two_who_sit_down_at_once_do_not_share_a_seat(ann, bob):
    game = table(ann)
    as_bob_sees_it, as_carl_sees_it = Game.objects.get(pk=game.pk), Game.objects.get(pk=game.pk)
    lobby.join(as_bob_sees_it, bob)
    assert refused(lobby.join, as_carl_sees_it, player("carl")) == "table_full"


def test_a_seat_taken_between_looking_and_sitting_down_stays_with_who_was_first(ann, bob, monkeypatch):
    game = table(ann)
    free = game.seats.get(number=1)
    lobby.join(game, bob)
    monkeypatch.setattr(lobby, "_seat_to_join", lambda *_: free)  # what the second looked at has grown old
    assert refused(lobby.join, game, player("carl")) == "seat_taken"
    assert seats(game) == ["ann", "bob"]


@pytest.mark.parametrize(("number", "code"), [(0, "seat_taken"), (7, "no_such_seat"), (-1, "no_such_seat")])
def test_only_a_free_seat_of_the_table_can_be_taken(ann, bob, number, code):
    assert refused(lobby.join, table(ann), bob, number) == code


def test_nobody_sits_twice_at_a_table(ann):
    assert refused(lobby.join, table(ann), ann) == "already_seated"


def test_a_table_that_has_begun_or_is_cancelled_cannot_be_joined(ann, bob):
    assert refused(lobby.join, table(ann, ME, BOT), bob) == "begun"
    game = table(ann)
    lobby.cancel(game, ann)
    assert refused(lobby.join, game, bob) == "closed"


def test_a_page_that_has_grown_old_cannot_join_what_is_closed_meanwhile(ann, bob):
    game = table(ann)
    as_bob_sees_it = Game.objects.get(pk=game.pk)
    lobby.cancel(game, ann)
    assert refused(lobby.join, as_bob_sees_it, bob) == "closed"


def test_who_leaves_frees_the_seat_and_its_return_link(ann, bob):
    game = table(ann)
    key = lobby.join(game, bob).return_key
    lobby.leave(game, bob)
    assert seats(game) == ["ann", "-"]
    assert not Seat.objects.filter(return_key=key).exists()


def test_leaving_is_for_those_who_sit_and_do_not_host(ann, bob):
    game = table(ann)
    assert refused(lobby.leave, game, bob) == "not_seated"
    assert refused(lobby.leave, game, ann) == "host_stays"


def test_the_host_sends_a_joiner_away(ann, bob):
    game = table(ann)
    lobby.join(game, bob)
    lobby.remove(game, ann, 1)
    assert seats(game) == ["ann", "-"]
    assert refused(lobby.remove, game, ann, 1) == "nobody_there"
    assert refused(lobby.remove, game, ann, 0) == "host_stays"


@pytest.mark.parametrize(
    "verb",
    [
        lambda game, who: lobby.start(game, who),
        lambda game, who: lobby.cancel(game, who),
        lambda game, who: lobby.remove(game, who, 1),
        lambda game, who: lobby.seat_bot(game, who, 1, "random"),
    ],
)
def test_the_hosts_verbs_are_the_hosts_alone(ann, bob, verb):
    game = table(ann)
    lobby.join(game, bob)
    assert refused(verb, game, bob) == "not_host"


def test_a_game_starts_only_when_every_seat_is_taken(ann):
    assert refused(lobby.start, table(ann), ann) == "not_full"


def test_what_a_seat_adds_goes_into_the_dice(ann, bob):
    game = table(ann)
    lobby.join(game, bob, entropy="bob's own luck")
    lobby.add_entropy(game, ann, "ann's")
    lobby.start(game, ann)
    assert game.position.entropy == ["ann's", "bob's own luck"]


@pytest.mark.parametrize("text", ["x" * 65, "a\x00b", "line\nline", "\u202e", "\ud800", 5, None])
def test_what_is_added_to_the_dice_is_short_and_plain(ann, text):
    assert refused(lobby.add_entropy, table(ann), ann, text) == "bad_entropy"


def test_tables_that_never_started_expire_after_two_weeks(ann, bob, settings):
    old, new, begun = table(ann), table(ann), table(bob, ME, BOT)
    long_ago = timezone.now() - timedelta(days=settings.TABLE_EXPIRES_DAYS, minutes=1)
    Game.objects.filter(pk__in=[old.pk, begun.pk]).update(created_at=long_ago)
    assert lobby.expire_tables() == 1
    assert [Game.objects.get(pk=game.pk).status for game in (old, new, begun)] == [
        "cancelled",
        "open",
        "running",
    ]
    assert lobby.expire_tables() == 0


# ---- bots


def test_the_host_lets_a_bot_take_a_free_seat(ann):
    game = table(ann, ME, LINK)
    lobby.seat_bot(game, ann, 1, "random")
    assert game.status == "running" and "random" in seats(game)


def test_a_bot_takes_nobodys_seat_away_before_the_start(ann, bob):
    game = table(ann)
    lobby.join(game, bob)
    assert refused(lobby.seat_bot, game, ann, 1, "random") == "seat_taken"
    assert refused(lobby.seat_bot, game, ann, 1, "99") == "no_such_bot"


def silenced(ann, bob, settings, minutes) -> Game:
    """Dark, bob, was asked as long ago as makes a seat silent, and some minutes more or less."""
    game = duel(ann, bob, light="host", position=DARK_TO_MOVE)
    when = timezone.now() - timedelta(days=settings.SILENT_DAYS) - timedelta(minutes=minutes)
    game.seats.filter(number=1).update(asked_at=when)
    return game


def test_a_bot_may_step_in_for_a_player_silent_for_three_days(ann, bob, settings):
    game = silenced(ann, bob, settings, 1)
    assert [seat.number for seat in begun.silent_seats(game, ann)] == [1]
    begun.stand_in(game, ann, 1)
    assert seats(game) == ["ann", "2"]
    assert play.bot_questions(game) == [(1, "2")]


def test_each_game_has_one_bot_that_stands_in_and_it_does_not_play_at_random():
    assert {slug: level in LEVELS[slug] for slug, level in STAND_INS.items()} == dict.fromkeys(RULESETS, True)
    assert STAND_INS["kings"] == "steward" and "random" not in STAND_INS.values()


def test_nobody_is_replaced_before_three_days(ann, bob, settings):
    game = silenced(ann, bob, settings, -5)
    assert begun.silent_seats(game, ann) == []
    assert refused(begun.stand_in, game, ann, 1) == "not_silent"
    assert refused(begun.stand_in, game, ann, 0) == "not_silent"  # not even asked
    assert refused(begun.stand_in, game, player("carl"), 1) == "not_seated"
    assert refused(lobby.seat_bot, game, ann, 1, "random") == "begun"


# ---- playing again


def test_a_rematch_against_a_bot_starts_at_the_first_press(ann):
    game = table(ann, ME, BOT, options={"light": "host"})
    do(game, 0, "resign")
    again = begun.rematch(game, ann)
    assert again.status == "running" and again.pk != game.pk
    assert seats(again) == ["random", "ann"]  # sides changed
    assert begun.rematch(game, ann).pk == again.pk  # a second press leads to the same table


def test_a_rematch_on_one_device_starts_at_the_first_press(ann):
    game = table(ann, ME, SeatPlan("same_device", name="Grandpa"), options={"light": "host"})
    do(game, 0, "resign")
    again = begun.rematch(game, ann)
    assert again.status == "running"
    assert [seat.label for seat in again.seats.select_related("player", "game")] == ["Grandpa", "ann"]


def test_a_rematch_between_people_starts_when_both_have_pressed(ann, bob):
    game = finished(ann, bob, light="host")
    again = begun.rematch(game, bob)
    assert again.status == "open" and again.host == bob
    assert begun.rematch(game, bob).pk == again.pk and Game.objects.get(pk=again.pk).status == "open"
    assert begun.rematch(game, ann).pk == again.pk
    again.refresh_from_db()
    assert again.status == "running"
    assert seats(again) == ["bob", "ann"]  # bob was dark


def test_sides_drawn_by_lot_are_drawn_again(ann, bob):
    assert begun.rematch(finished(ann, bob), ann).options["light"] == "random"


def test_a_declined_rematch_can_be_offered_again(ann, bob):
    game = finished(ann, bob)
    first = begun.rematch(game, ann)
    begun.decline_rematch(game, bob)
    first.refresh_from_db()
    assert first.status == "cancelled"
    assert begun.rematch(game, bob).pk != first.pk
    assert refused(begun.decline_rematch, finished(ann, bob), bob) == "no_rematch"


def test_a_rematch_is_for_those_who_played_and_after_the_end(ann, bob):
    assert refused(begun.rematch, duel(ann, bob), ann) == "not_finished"
    assert refused(begun.rematch, finished(ann, bob), player("carl")) == "only_players"


# ---- the lobby's page


def test_anybody_may_look_at_the_lobby(client, ann):
    game = table(ann)
    page = client.get("/")
    assert page.status_code == 200
    assert "ann’s table" in page.content.decode() and game.get_absolute_url() in page.content.decode()
    assert page["Cache-Control"] == "private, no-store"
    assert {"Cookie", "HX-Request"} <= set(map(str.strip, page["Vary"].split(",")))


def test_private_tables_are_listed_for_nobody_else(client, ann, bob):
    opened, running = table(ann, is_public=False), table(ann, ME, BOT, is_public=False)
    for page in (client.get("/"), login(client, bob).get("/")):
        assert opened.public_id not in page.content.decode()
        assert running.public_id not in page.content.decode()
    assert opened.public_id in login(client, ann).get("/").content.decode()


def test_the_title_counts_what_waits_for_the_player(client, ann, bob):
    duel(ann, bob, light="host", position=DARK_TO_MOVE)
    assert "<title>(1) Kadab</title>" in login(client, bob).get("/").content.decode()
    assert "<title>Kadab</title>" in login(client, ann).get("/").content.decode()


def test_moves_rematches_and_full_tables_wait_for_a_player(ann, bob):
    duel(bob, ann, light="host", position=DARK_TO_MOVE)
    begun.rematch(finished(ann, bob), bob)
    lobby.join(table(ann), bob)
    waiting = listing.waiting_rows(ann)
    assert [row.button for row in waiting] == ["Your move", "Accept", "Start the game"]
    assert (listing.waiting_count(ann), listing.waiting_count(bob)) == (3, 0)


def told_to_wait(client) -> tuple[int, bool]:
    """The number in the header, and whether it shows."""
    number, hidden = re.search(r'id="waiting-count"[^>]*?( hidden)?>(\d+)<', client.get("/rules/").text).group(2, 1)
    return int(number), not hidden


def test_every_page_says_how_many_games_wait_and_can_ask_again(client, ann, bob, django_assert_max_num_queries):
    game = duel(ann, bob, light="host", position=DARK_TO_MOVE)
    login(client, bob)
    assert told_to_wait(client) == (1, True)
    assert client.get(reverse("waiting")).json() == {"waiting": 1}
    move(game, 1, "b9", "b8")
    assert told_to_wait(client) == (0, False)  # the number is there to be shown when a game waits again
    with django_assert_max_num_queries(6):
        answer = client.get(reverse("waiting"))
    assert answer.json() == {"waiting": 0} and answer["Cache-Control"] == "private, no-store"
    assert Client().get(reverse("waiting")).json() == {"waiting": 0}
    assert "waiting-count" not in Client().get("/rules/").text


def test_finished_games_say_how_they_ended(ann, bob):
    finished(ann, bob, light="host")
    (lost,), (won,) = listing.finished_rows(ann), listing.finished_rows(bob)
    assert (lost.result_text, won.result_text) == ("You lost", "You won")
    assert lost.facts[0] == "by resignation" and lost.title == "bob"


def test_every_list_takes_a_few_queries_however_long_it_is(ann, bob, django_assert_max_num_queries):
    for _ in range(3):
        table(bob)
        table(bob, BOT, BOT)
        table(ann, ME, BOT)
        finished(ann, bob)
    with django_assert_max_num_queries(20):
        listing.lists_for(ann)


def test_lists_that_have_not_changed_are_not_sent_again(client, ann):
    login(client, ann)
    digest = listing.lists_for(ann).digest
    assert client.get(reverse("lobby_lists"), {"v": digest}).status_code == 204
    table(ann)
    fresh = client.get(reverse("lobby_lists"), {"v": digest})
    assert fresh.status_code == 200 and b"Your open tables" in fresh.content and b"<html" not in fresh.content


def test_names_are_shown_as_text_whatever_they_say(client):
    guest = new_guest("<script>alert(1)</script>")
    table(guest)
    page = client.get("/").content.decode()
    assert "<script>alert" not in page and "&lt;script&gt;alert(1)" in page


@pytest.mark.parametrize(
    ("delta", "says"),
    [
        (timedelta(seconds=5), "just now"),
        (timedelta(minutes=1), "1 minute ago"),
        (timedelta(minutes=59), "59 minutes ago"),
        (timedelta(hours=3), "3 hours ago"),
        (timedelta(days=5), "5 days ago"),
    ],
)
def test_times_are_said_as_people_say_them(delta, says):
    assert listing.ago(timezone.now() - delta) == says


# ---- play now


def press(client, start, **more):
    return client.post(reverse("play_now"), {"start": start, **more})


@pytest.mark.parametrize(("slug", "bots"), [("gambit", 1), ("kings", 3)])
def test_a_newcomer_plays_bots_of_the_chosen_strength_within_one_press(client, slug, bots):
    answer = press(client, f"bots:{slug}", name="Zoë", **{f"level_{slug}": "random"})
    game = Game.objects.get()
    assert answer.status_code == 302 and answer.url == game.get_absolute_url()
    assert game.ruleset == slug and game.status == "running"
    assert game.host.is_guest and game.host.guest_name == "Zoë"
    assert game.seats.filter(bot="random").count() == bots and game.seats.count() == bots + 1


def test_the_other_games_choice_of_bots_does_not_matter(client):
    press(client, "bots:kings", level_gambit="3", level_kings="")
    assert sorted(seat.bot for seat in Game.objects.get().seats.all()) == ["", "page", "page", "page"]


@pytest.mark.parametrize(("slug", "free"), [("gambit", 1), ("kings", 3)])
def test_a_table_for_friends_is_private_and_shows_the_link_at_once(client, slug, free):
    answer = press(client, f"friends:{slug}", name="Zoë")
    game = Game.objects.get()
    assert game.status == "open" and not game.is_public
    assert game.seats.filter(held_for="link", player=None).count() == free
    assert rooms.invite_url(game) in client.get(answer.url).text


@pytest.mark.parametrize(("slug", "hidden"), [("gambit", False), ("kings", True)])
def test_at_the_same_screen_a_game_starts_at_once_and_hides_what_is_secret(client, slug, hidden):
    press(client, f"same_screen:{slug}", name="Zoë")
    game = Game.objects.get()
    assert game.ruleset == slug and game.status == "running" and game.hand_over is hidden
    assert sorted(seat.label for seat in game.seats.all()) == ["Second player", "Zoë"]
    assert game.seats.filter(player=game.host).count() == 2


@pytest.mark.parametrize("people", [2, 3, 4])
def test_as_many_as_the_game_allows_may_sit_at_one_screen(client, people):
    press(client, "same_screen:kings", name="Zoë", people_kings=str(people), level_kings="steward")
    game = Game.objects.get()
    beside = ["Second player", "Third player", "Fourth player"][: people - 1]
    assert game.status == "running" and game.hand_over
    assert [seat.label for seat in game.seats.order_by("number")] == ["Zoë", *beside]
    assert game.seats.filter(player=game.host).count() == people and not game.seats.exclude(bot="").exists()
    assert (game.options["reactions"], game.options["one_answer"]) == ("holders", "skipped")


def test_how_many_is_asked_only_where_it_can_vary_and_two_is_usual(client):
    page = client.get(reverse("lobby")).text
    choice = page.split('name="people_kings"')[1].split("</select>")[0]
    assert re.findall(r'value="(\d)"( selected)?', choice) == [("2", " selected"), ("3", ""), ("4", "")]
    assert "people_gambit" not in page


@pytest.mark.parametrize("people", ["1", "5", "-2", "two", "2\x00"])
def test_too_many_or_too_few_at_one_screen_are_refused(client, people):
    answer = press(client, "same_screen:kings", name="Zoë", people_kings=people)
    assert answer.status_code == 400 and "is not for so many players" in answer.text
    assert not Game.objects.exists() and not Player.objects.exists()


def test_the_number_at_one_screen_does_not_matter_elsewhere(client):
    press(client, "bots:kings", name="Zoë", people_kings="2")
    assert Game.objects.get().seats.count() == 4
    press(client, "same_screen:gambit", people_kings="4")
    assert Game.objects.latest("pk").seats.count() == 2


@pytest.mark.parametrize("way", ["bots", "friends", "same_screen"])
@pytest.mark.parametrize("slug", RULESETS)
def test_no_way_to_a_game_needs_a_name(client, way, slug):
    assert f'value="{way}:{slug}"' in client.get(reverse("lobby")).text
    assert press(client, f"{way}:{slug}", name="").status_code == 302
    assert "Newcomer" in [seat.label for seat in Game.objects.get().seats.all()]


def test_play_now_uses_the_account_of_who_is_logged_in(client, ann):
    press(login(client, ann), "bots:gambit")
    assert Game.objects.get().host == ann and not Player.objects.filter(is_guest=True).exists()


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"name": "Zoë"},
        {"name": "\u202e\u200b", "start": "bots:gambit"},
        {"name": "x" * 60_000, "start": "bots:gambit"},
        {"name": "Zoë", "start": "gods:gambit"},
        {"name": "Zoë", "start": "bots:chess"},
        {"name": "Zoë", "start": "bots"},
        {"name": "Zoë", "start": "bots:gambit", "level_gambit": "99"},
        {"name": "Zoë\x00", "start": "bots:gambit", "level_gambit": "1\x00"},
    ],
)
def test_play_now_refuses_nonsense_and_makes_nobody(client, form):
    assert client.post(reverse("play_now"), form).status_code == 400
    assert not Game.objects.exists() and not Player.objects.exists()


def test_the_front_page_says_what_is_wrong_and_keeps_what_was_chosen(client):
    page = press(client, "gods:kings", name="Zoë", level_kings="random").text
    assert 'role="alert"' in page and "no such game" in page
    assert 'value="Zoë"' in page and 'value="random" selected' in page


# ---- the front page


def test_the_main_game_comes_first_with_a_picture_of_its_map(client):
    page = client.get("/").text
    main = next(iter(ENTRIES.values()))
    assert main.slug == "kings" and main.front
    hero, strip = page.index('class="hero"'), page.index('class="strip"')
    assert hero < page.index(main.front.wide) < strip < page.index('id="open-tables"')
    for path in (main.front.wide, main.front.narrow):
        assert 10_000 < Path(find(path)).stat().st_size <= 120_000
    assert "Play against bots" in page[hero:strip] and "Gambit of Kings" in page[strip:]


@pytest.mark.parametrize("slug", RULESETS)
def test_a_games_bots_can_be_chosen_by_strength(client, slug):
    page = client.get("/").text
    select = page[page.index(f'name="level_{slug}"') :].split("</select>")[0]
    assert re.findall(r'value="([^"]+)"', select) == list(LEVELS[slug])
    assert f'value="{ENTRIES[slug].quick_start.level}" selected' in select


def test_games_that_wait_come_before_everything_else(client, ann, bob):
    duel(ann, bob, light="host", position=DARK_TO_MOVE)
    page = login(client, bob).get("/").text
    assert page.index("Waiting for you") < page.index('class="hero"') < page.index('id="lists"')
    assert page.count("Waiting for you</h2>") + page.count("Waiting for you <span") == 1
    page = login(client, ann).get("/").text
    assert page.index('class="hero"') < page.index("Your games")


def test_what_waits_is_told_apart_from_the_other_lists_when_they_change(client, ann, bob):
    login(client, bob)
    old = listing.lists_for(bob).digest
    duel(ann, bob, light="host", position=DARK_TO_MOVE)
    news = client.get(reverse("lobby_lists"), {"v": old}).text
    lists, waiting = news.split('<div id="waiting-games" hx-swap-oob="innerHTML">')
    assert "Your move" in waiting and "Your move" not in lists


@pytest.mark.parametrize("slug", RULESETS)
def test_each_games_picture_is_in_every_list_in_its_room_and_on_its_invitation(client, ann, bob, slug):
    usual = {"kind": "bot", "level": ENTRIES[slug].quick_start.level}
    open_table = lobby.create(ann, slug, {}, [ME, OPEN])
    lobby.create(ann, slug, {}, [ME, usual])
    over = lobby.create(ann, slug, {}, [ME, SeatPlan("link")])
    lobby.join(over, bob, by_link=True)
    do(over, over.seats.get(player=ann).number, "resign")
    pictures = ENTRIES[slug].pictures
    own = re.compile("|".join(f"{re.escape(each.sprite)}#{each.name}" for each in pictures))
    front = login(client, ann).get("/").text
    rows = re.findall(r'<li class="table-item.*?</li>', front, re.S)
    assert len(rows) == 3 and all(own.search(row) for row in rows)
    assert own.search(client.get(open_table.get_absolute_url()).text)
    assert own.search(Client().get(reverse("invitation", args=[open_table.invite_key])).text)


# ---- starting with fewer


def kings_for_friends(host) -> Game:
    return lobby.quick_invitation(host, "kings")


def test_the_host_starts_with_those_who_have_come(client, ann, bob):
    game = kings_for_friends(ann)
    room = reverse("table", args=[game.public_id])
    assert "Start with" not in login(client, ann).get(room).text  # one alone is no game
    lobby.join(game, bob, 2, by_link=True)
    assert "Start with 2 players" not in login(client, bob).get(room).text
    assert "Start with 2 players" in login(client, ann).get(room).text
    assert client.post(reverse("start", args=[game.public_id]), {"do": "those_here"}).status_code == 302
    game.refresh_from_db()
    assert game.status == "running"
    assert sorted(seats(game)) == ["ann", "bob"] and [seat.number for seat in game.seats.all()] == [0, 1]


def test_nobody_starts_without_enough_players_or_without_being_host(ann, bob):
    game = kings_for_friends(ann)
    assert refused(lobby.start_with_those_here, game, ann) == "not_full"
    lobby.join(game, bob, by_link=True)
    assert refused(lobby.start_with_those_here, game, bob) == "not_host"
    assert refused(lobby.start_with_those_here, table(ann, ME, LINK), ann) == "not_full"  # a duel takes two


# ---- the form for a new table

FORM = {"game": "gambit", "seat_0": "me", "seat_1": "open", "option_light": "random", "visible": "everyone"}


def test_a_table_is_opened_as_the_form_says(client, ann):
    form = {
        **FORM,
        "seat_1": "link",
        "option_light": "guest",
        "visible": "link",
        "option_position": DARK_TO_MOVE,
    }
    answer = login(client, ann).post(reverse("new_table"), form)
    game = Game.objects.get()
    assert answer.status_code == 302 and answer.url == game.get_absolute_url()
    assert (game.status, game.is_public, game.hand_over) == ("open", False, False)
    assert game.options == {"light": "guest", "position": DARK_TO_MOVE}
    assert game.seats.get(number=1).held_for == "link"


@pytest.mark.parametrize(
    ("changed", "field", "says"),
    [
        ({"seat_0": "queen"}, "seat_0", "Select a valid choice"),
        ({"seat_1": "me"}, "seat_1", "only one seat"),
        ({"seat_1": "bot:99"}, "seat_1", "Select a valid choice"),
        ({"seat_1": "same_device"}, "seat_1_name", "name of the person who plays here"),
        ({"seat_1": "same_device", "seat_1_name": "\u200b"}, "seat_1_name", "others can read"),
        ({"option_light": "left"}, "option_light", "Select a valid choice"),
        ({"option_position": "rubbish"}, "option_position", ""),
        ({"option_position": "x" * 2_000}, "option_position", "at most 200"),
        ({"visible": "maybe"}, "visible", "Select a valid choice"),
    ],
)
def test_the_form_says_which_field_is_wrong(client, ann, changed, field, says):
    answer = login(client, ann).post(reverse("new_table"), {**FORM, **changed})
    assert answer.status_code == 400
    errors = answer.context["form"].errors
    assert list(errors) == [field] and says in errors[field][0]
    assert errors[field].as_text() and not Game.objects.exists()


def test_a_game_that_is_not_there_is_refused(client, ann):
    answer = login(client, ann).post(reverse("new_table"), {**FORM, "game": "chess"})
    assert answer.status_code == 400 and "no such game" in answer.context["form"].errors["game"][0]
    assert not Game.objects.exists()


def test_an_empty_form_is_refused(client, ann):
    assert login(client, ann).post(reverse("new_table"), {}).status_code == 400
    assert client.get(reverse("new_table")).status_code == 200


def test_the_form_says_when_there_are_too_many_tables(client, ann):
    for _ in range(3):
        table(ann)
    answer = login(client, ann).post(reverse("new_table"), FORM)
    assert answer.status_code == 409 and "already have 3 tables" in answer.content.decode()


# ---- a table's room


def test_the_room_shows_seats_options_and_fingerprints_of_the_dice(client, ann):
    game = table(ann, options={"light": "guest"})
    page = login(client, ann).get(game.get_absolute_url()).content.decode()
    for text in (game.invite_key, game.dice_commit, game.cup_commit, "The other player", "1 seat free"):
        assert text in page


def test_only_those_who_sit_there_are_given_the_invitation_link(client, ann, bob):
    game = table(ann)
    assert game.invite_key not in login(client, bob).get(game.get_absolute_url()).content.decode()


def test_a_guests_room_shows_the_guests_own_return_link_only(client, ann):
    guest, other = new_guest("Zoë"), new_guest("Yan")
    game = table(guest)
    lobby.join(game, other)
    mine, theirs = (game.seats.get(player=who).return_key for who in (guest, other))
    page = login(client, guest).get(game.get_absolute_url()).content.decode()
    assert mine in page and theirs not in page
    assert theirs not in login(client, ann).get(game.get_absolute_url()).content.decode()


def news(client, game, **query):
    return client.get(reverse("room_news", args=[game.public_id]), query, headers={"HX-Request": "true"})


def test_an_open_room_follows_who_comes_and_goes(client, ann, bob):
    game = table(ann)
    login(client, ann)
    digest = rooms.room_of(visit(game, ann, {}), False).digest
    assert news(client, game, v=digest, seated="yes").status_code == 204
    lobby.join(game, bob)
    fresh = news(client, game, v=digest, seated="yes")
    assert fresh.status_code == 200 and b"bob" in fresh.content and b"Start the game" in fresh.content


def test_an_open_room_goes_to_the_table_by_itself_when_the_game_starts(client, ann, bob):
    game = table(ann)
    lobby.join(game, bob)
    lobby.start(game, ann)
    answer = news(login(client, bob), game)
    assert answer["HX-Redirect"] == game.get_absolute_url()


def test_a_room_is_drawn_anew_for_who_was_sent_away(client, ann, bob):
    game = table(ann)
    lobby.join(game, bob)
    lobby.remove(game, ann, 1)
    assert news(login(client, bob), game, seated="yes")["HX-Refresh"] == "true"


def test_the_rooms_buttons_work(client, ann, bob):
    game = table(ann)
    at = lambda name: reverse(name, args=[game.public_id])  # noqa: E731
    login(client, bob)
    assert client.post(at("join")).url == game.get_absolute_url()
    assert client.post(at("join")).url == game.get_absolute_url()  # pressed twice
    assert client.post(at("add_entropy"), {"entropy": "mine", "number": 1}).status_code == 302
    assert client.post(at("leave")).url == "/"
    assert client.post(at("join")).status_code == 302
    login(client, ann)
    assert client.post(at("remove"), {"number": 1}).status_code == 302
    assert client.post(at("seat_bot"), {"number": 1, "level": "random"}).status_code == 302
    assert Game.objects.get(pk=game.pk).status == "running"
    game = table(ann)
    lobby.join(game, bob)
    assert client.post(reverse("start", args=[game.public_id])).status_code == 302
    game = table(ann)
    assert client.post(reverse("cancel", args=[game.public_id])).url == "/"
    assert Game.objects.get(pk=game.pk).status == "cancelled"


def test_a_visitor_without_a_name_gives_one_to_join(client, ann):
    game = table(ann)
    url = reverse("join", args=[game.public_id])
    assert client.post(url, {"name": ""}).status_code == 400
    assert seats(game) == ["ann", "-"]
    assert client.post(url, {"name": "Zoë"}).status_code == 302
    assert game.seats.get(number=1).player.guest_name == "Zoë"


def test_joining_a_full_table_is_refused_and_makes_no_guest(client, ann, bob):
    game = table(ann)
    lobby.join(game, bob)
    answer = client.post(reverse("join", args=[game.public_id]), {"name": "Zoë"})
    assert answer.status_code == 409 and "All seats" in answer.content.decode()
    assert not Player.objects.filter(is_guest=True).exists()


def test_a_refusal_is_a_toast_for_scripts(client, ann, bob):
    game = table(ann)
    url = reverse("start", args=[game.public_id])
    answer = login(client, bob).post(url, headers={"HX-Request": "true"})
    assert answer.status_code == 403 and "Only the host" in answer["HX-Trigger"]
    assert answer["HX-Reswap"] == "none"


POSTS = ["join", "leave", "remove", "cancel", "start", "rematch", "seat_bot", "return_link", "add_entropy"]


@pytest.mark.parametrize("name", POSTS)
def test_no_get_changes_a_table(client, ann, name):
    game = table(ann)
    assert login(client, ann).get(reverse(name, args=[game.public_id])).status_code == 405


@pytest.mark.parametrize("name", [*POSTS, "room_news"])
def test_a_private_table_answers_a_stranger_as_a_missing_one(client, ann, bob, name, frozen_csrf):
    private = table(ann, is_public=False)
    call = client.get if name == "room_news" else client.post
    for who in (None, bob):
        if who:
            login(client, who)
        found, missing = (call(reverse(name, args=[key])) for key in (private.public_id, "nothing-here"))
        assert found.status_code == missing.status_code == 404
        assert found.content == missing.content
    assert seats(private) == ["ann", "-"] and Game.objects.get().status == "open"


@pytest.mark.parametrize("name", [name for name in POSTS if name != "join"])
def test_visitors_without_a_name_can_do_nothing_but_join(client, ann, name):
    game = table(ann)
    form = {"number": 0, "level": "random"}
    assert client.post(reverse(name, args=[game.public_id]), form).status_code == 403
    assert seats(game) == ["ann", "-"] and Game.objects.get().status == "open"


@pytest.mark.parametrize("number", ["", "x", "-1", "9" * 5000, "1.5", "\x00", "50"])
@pytest.mark.parametrize("name", ["remove", "seat_bot", "return_link"])
def test_a_seat_that_is_no_number_is_refused(client, ann, bob, name, number):
    game = table(ann)
    lobby.join(game, bob)
    form = {"number": number, "level": "random"}
    answer = login(client, ann).post(reverse(name, args=[game.public_id]), form)
    assert 400 <= answer.status_code < 500 and seats(game) == ["ann", "bob"]


# ---- what the lobby adds to a table that has begun


def tools(game, who):
    return rooms.tools_of(visit(Game.objects.get(pk=game.pk), who, {}))


def test_a_finished_table_offers_a_rematch_and_shows_the_offer_to_the_other(ann, bob):
    game = finished(ann, bob)
    assert tools(game, ann).rematch == tools(game, bob).rematch == "ask"
    assert not tools(game, player("carl"))
    again = begun.rematch(game, ann)
    assert (tools(game, ann).rematch, tools(game, ann).rematch_with) == ("asked", "bob")
    assert (tools(game, bob).rematch, tools(game, bob).rematch_with) == ("answer", "ann")
    begun.rematch(game, bob)
    assert tools(game, bob).rematch == "ready" and tools(game, bob).rematch_url == again.get_absolute_url()


def test_rematch_with_one_press_on_the_page(client, ann):
    game = table(ann, ME, BOT)
    do(game, game.seats.get(player=ann).number, "resign")
    page = login(client, ann).get(game.get_absolute_url()).content.decode()
    assert "Rematch" in page
    answer = client.post(reverse("rematch", args=[game.public_id]))
    game.refresh_from_db()
    assert answer.status_code == 302 and answer.url == game.rematch.get_absolute_url()
    assert game.rematch.status == "running"


def test_others_see_who_is_silent_and_nobody_sees_a_link_but_ones_own(ann, settings):
    zoe = new_guest("Zoë")
    game = silenced(ann, zoe, settings, 1)
    assert [(seat.number, seat.name) for seat in tools(game, ann).silent] == [(1, "Zoë")]
    assert not tools(game, zoe).silent  # nobody replaces their own seat
    assert game.seats.get(number=1).return_key in tools(game, zoe).return_link
    assert not tools(game, ann).return_link


KINGS_SEATS = {"seat_0": "me", "seat_1": "bot:steward", "seat_2": "none", "seat_3": "none"}


@pytest.mark.parametrize(
    "seats, chosen, reactions",
    [
        ({}, "", "holders"),
        ({"seat_1": "same_device", "seat_1_name": "Bea"}, "", "holders"),
        ({"seat_1": "link"}, "", "sealed"),
        ({"seat_1": "open"}, "", "sealed"),
        ({}, "sealed", "sealed"),
        ({"seat_1": "link"}, "holders", "holders"),
    ],
)
def test_who_is_asked_fits_who_plays_unless_somebody_chose(client, ann, seats, chosen, reactions):
    """A pause can tell something only to people at other screens (R2)."""
    client.force_login(ann)
    form = client.get(reverse("new_table"), {"game": "kings"}).context["form"]
    sent = {name: field.initial for name, field in form.fields.items() if field.initial is not None}
    answer = client.post(reverse("new_table"), {**sent, **KINGS_SEATS, **seats, "option_reactions": chosen})
    assert answer.status_code == 302, answer.content.decode()
    assert Game.objects.get().options["reactions"] == reactions


def test_each_game_is_set_up_with_its_own_seats_and_options(client):
    pages = {slug: client.get(reverse("new_table"), {"game": slug}).content.decode() for slug in ("gambit", "kings")}
    for slug, page in pages.items():
        assert f'name="game" value="{slug}"' in page
        assert all(f'href="/tables/new/?game={other}"' in page for other in pages)
    assert pages["gambit"].count("data-seat") == 2 and pages["kings"].count("data-seat") == 4
    assert "option_reactions" in pages["kings"] and "option_reactions" not in pages["gambit"]


@pytest.mark.parametrize("slug", RULESETS)
def test_rules_are_folded_away_with_one_line_each(client, slug):
    page = client.get(reverse("new_table"), {"game": slug}).text
    before, folded = page.split('<details class="table-rules">')
    folded = folded.split("</details>")[0]
    assert "Change the rules of this table" in folded and "option_" not in before
    for option in RULESETS[slug].options:
        assert folded.count(f'name="option_{option.name}"') == 1
        assert len(option.help) <= 110, "more than a line"


def test_what_is_folded_away_lies_open_when_it_is_not_as_usual(client, ann):
    login(client, ann)
    assert (
        '<details class="table-rules" open>'
        in client.post(reverse("new_table"), {**FORM, "seat_1": "queen", "option_light": "host"}).text
    )
    assert '<details class="table-rules">' in client.post(reverse("new_table"), {**FORM, "seat_1": "queen"}).text
    assert (
        '<details class="table-rules" open>'
        in client.post(reverse("new_table"), {**FORM, "option_position": "rubbish"}).text
    )
