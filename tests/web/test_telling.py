"""News for people who are away: each kind once, while it stands, at hours they like, and as they switched it."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from xml.etree import ElementTree
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.core import mail
from django.test import Client
from django.urls import reverse
from icalendar import Calendar

from games import begun, bounces, lobby, play, telling, timekeeper
from games.lobby import SeatPlan
from games.models import Game, Notice
from games.notices import KINDS
from games.painting.alone import board_alone
from players import push
from players import telling as wishes
from players.models import Player
from tests.tables import do, move, player, running

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)


@pytest.fixture(autouse=True)
def wall(settings):
    settings.NOTICE_DELAY_SECONDS = 0
    for name in ("anna", "ben", "cleo"):
        player(name, email=f"{name}@example.org")
    with time_machine.travel(NOON, tick=False) as clock:
        yield clock


def told() -> list[tuple[str, str]]:
    """Who was sent what: the first words of each subject."""
    before = len(mail.outbox)
    telling.send_due()
    return sorted((each.to[0].split("@")[0], each.subject.split(":")[0]) for each in mail.outbox[before:])


def change(name: str, **values: object) -> Player:
    Player.objects.filter(username=name).update(**values)
    return Player.objects.get(username=name)


def switch_off(name: str, kind: str) -> None:
    someone = player(name)
    wishes.switch(someone, "mail", kind, on=False)
    someone.save()


def open_table(kind: str = "open") -> Game:
    return lobby.create(player("anna"), "gambit", {"light": "host"}, [SeatPlan("me"), SeatPlan(kind)])


def overdue(pace: str = "live", clock: str = "live-10") -> Game:
    game = running("anna", "ben", pace=pace, clock=clock)
    Notice.objects.all().delete()
    return game


# ---- the kinds


def test_the_host_is_told_that_the_table_is_full_and_not_after_it_has_begun(wall):
    game = open_table()
    lobby.join(game, player("ben"))
    wall.shift(HOUR)
    assert told() == [("anna", "Your table is full")] and told() == []
    lobby.start(Game.objects.get(pk=game.pk), player("anna"))
    wall.shift(HOUR)
    assert sorted(what for _, what in told()) == ["The game has begun", "Your turn"]


def test_a_full_table_that_has_begun_meanwhile_is_no_news(wall):
    game = open_table()
    lobby.join(game, player("ben"))
    lobby.start(game, player("anna"))
    wall.shift(HOUR)
    assert sorted(what for _, what in told()) == ["The game has begun", "Your turn"]


def test_whoever_has_looked_since_is_not_told_that_the_game_has_begun(wall):
    game = open_table("link")
    lobby.join(game, player("ben"), by_link=True)
    wall.shift(MINUTE)
    game.seats.update(seen_at=NOON + MINUTE)
    wall.shift(HOUR)
    assert [what for _, what in told()] == ["Your turn"]


def test_a_pause_that_somebody_asks_for_is_told_until_it_is_answered(wall):
    game = running("anna", "ben", pace="days", clock="days-8")
    Notice.objects.all().delete()
    begun.ask_pause(game, player("anna"), 24)
    assert told() == [("ben", "Your answer, please")]
    assert "anna asks for a pause of a day." in mail.outbox[-1].body
    begun.refuse_pause(game, player("ben"))
    begun.ask_pause(game, player("anna"), 24)
    begun.refuse_pause(game, player("ben"))
    assert told() == []


def test_the_others_are_told_that_somebody_has_left_a_seat_to_a_bot():
    game = running("anna", "ben", "cleo", ruleset="kings", options={})
    Notice.objects.all().delete()
    do(game, 0, "resign")
    people = {name for name, what in told() if what == "Who plays now"}
    left = game.seats.get(number=0).stands_in_for.username
    assert people == {"anna", "ben", "cleo"} - {left} and f"A bot plays for {left}." in mail.outbox[-1].body


@pytest.mark.parametrize("answer", [None, "decline_draw"])
def test_a_proposal_beside_the_game_is_told_until_it_is_answered(wall, answer):
    game = overdue("", "")
    do(game, 1, "offer_draw")
    if answer:
        do(game, 0, answer)
    Notice.objects.filter(kind="turn").delete()
    assert told() == ([] if answer else [("anna", "Your answer, please")]) and told() == []
    if not answer:
        assert "ben proposes something to the table." in mail.outbox[-1].body


def test_a_takeover_and_the_return_are_told_to_the_player_and_the_others(wall):
    game = overdue()
    wall.shift(10 * MINUTE)
    timekeeper.look()
    assert told() == [("anna", "A bot plays for you"), ("ben", "Who plays now")]
    assert "A bot plays for anna." in mail.outbox[-1].body
    Notice.objects.all().delete()
    begun.take_back_seat(Game.objects.get(pk=game.pk), player("anna"))
    Notice.objects.filter(kind="turn").delete()
    assert told() == [("ben", "Who plays now")] and "anna is back." in mail.outbox[-1].body


def test_the_end_is_told_with_the_result(wall):
    game = overdue("", "")
    do(game, 0, "resign")
    game.seats.filter(number=0).update(seen_at=NOON + MINUTE)
    wall.shift(HOUR)
    assert told() == [("ben", "The game is over")] and "ben won" in mail.outbox[-1].body


def test_a_rematch_is_told_until_it_is_answered(wall):
    game = overdue("", "")
    do(game, 0, "resign")
    Notice.objects.all().delete()
    begun.rematch(Game.objects.get(pk=game.pk), player("anna"))
    assert told() == [("ben", "Rematch")]
    Notice.objects.update(settled_at=None)
    begun.rematch(Game.objects.get(pk=game.pk), player("ben"))
    assert ("ben", "Rematch") not in told()


def test_whoever_waits_at_a_table_is_warned_before_it_closes(wall, settings):
    open_table()
    wall.shift(timedelta(days=settings.TABLE_EXPIRES_DAYS - 3))
    assert lobby.warn_of_closing() == 0
    wall.shift(timedelta(days=1, hours=1))
    assert (lobby.warn_of_closing(), lobby.warn_of_closing()) == (1, 0)
    assert told() == [("anna", "About to close")]


def test_a_reminder_comes_before_the_deadline_wherever_that_moves(wall):
    game = running("anna", "ben", pace="days", clock="days-4")
    Notice.objects.exclude(kind="reminder").delete()
    due = game.seats.get(number=0).due_at
    wall.move_to(due - 4 * HOUR - MINUTE)
    assert told() == []
    begun.ask_pause(game, player("anna"), 24)
    begun.ask_pause(Game.objects.get(pk=game.pk), player("ben"), 24)
    Notice.objects.exclude(kind="reminder").delete()
    wall.move_to(due - 2 * HOUR)
    assert told() == []
    due = game.seats.get(number=0).due_at
    wall.move_to(due - 4 * HOUR)
    assert told() == [("anna", "Time runs out")] and told() == []
    assert "Until " in mail.outbox[-1].body


def test_a_question_that_was_answered_needs_no_reminder(wall):
    game = running("anna", "ben", pace="days", clock="days-4")
    due = game.seats.get(number=0).due_at
    move(game, 0, "a2", "a3")
    wall.move_to(due - HOUR)
    assert ("anna", "Time runs out") not in told()


def test_live_tables_remind_nobody():
    running("anna", "ben", pace="live", clock="live-30")
    assert not Notice.objects.filter(kind="reminder").exists()


def test_an_ordinary_action_tells_nobody_but_whose_turn_it_is(django_assert_num_queries):
    game = running("anna", "ben")
    move(game, 0, "a2", "a3")
    assert set(Notice.objects.values_list("kind", flat=True)) == {"turn"}


# ---- as the player likes it


@pytest.mark.parametrize("kind", ["turn", "over"])
def test_a_switch_silences_its_kind_and_no_other(wall, kind):
    game = running("anna", "ben")
    switch_off("anna", kind)
    first = told()
    Notice.objects.all().delete()
    do(game, 1, "resign")
    assert (first, told()) == (
        ([] if kind == "turn" else [("anna", "Your turn")]),
        [*([("anna", "The game is over")] if kind != "over" else []), ("ben", "The game is over")],
    )


def test_quiet_hours_hold_news_back_until_they_end(wall):
    change("anna", quiet="660 840", hours="Europe/Paris 480 1320 0123456")  # noon in UTC is 13:00 there
    running("anna", "ben")
    assert told() == []
    wall.move_to(NOON + 59 * MINUTE)
    assert told() == []
    wall.move_to(NOON + HOUR)
    assert told() == [("anna", "Your turn")]


def test_quiet_hours_may_pass_midnight():
    anna = change("anna", quiet="1320 480")
    assert wishes.quiet_until(anna, NOON) is None
    assert wishes.quiet_until(anna, NOON.replace(hour=23)) == NOON.replace(day=3, hour=8)
    assert wishes.quiet_until(anna, NOON.replace(hour=3)) == NOON.replace(hour=8)


def test_what_is_answered_in_quiet_hours_is_never_told(wall):
    change("anna", quiet="660 840")
    game = running("anna", "ben")
    assert told() == []
    move(game, 0, "a2", "a3")
    wall.shift(5 * HOUR)
    assert told() == [("ben", "Your turn")]


def test_a_daily_mail_holds_what_still_stands(wall):
    change("anna", digest=18 * 60)
    games = [running("anna", "ben"), running("anna", "cleo"), running("anna", "ben")]
    assert told() == []
    move(games[0], 0, "a2", "a3")
    Notice.objects.exclude(player=player("anna")).delete()
    wall.move_to(NOON + 6 * HOUR)
    assert told() == [("anna", "Kadab")] and told() == []
    body = mail.outbox[-1].body
    assert mail.outbox[-1].subject == "Kadab: 2 games have news for you"
    assert [each.public_id in body for each in games] == [False, True, True]


def test_a_reminder_does_not_wait_for_the_daily_mail(wall):
    change("anna", digest=60)
    game = running("anna", "ben", pace="days", clock="days-4")
    wall.move_to(game.seats.get(number=0).due_at - HOUR)
    assert told()[0] == ("anna", "Time runs out")


# ---- the account page


def test_switches_are_shown_and_saved(client, settings):
    settings.VAPID_PRIVATE_KEY = push.new_private_key()
    client.force_login(player("anna"))
    page = client.get(reverse("account")).content.decode()
    assert all(kind.label in page for kind in KINDS.values())
    sent = {"mail:turn": "on", "push:over": "on", "digest": "480", "quiet_from": "1320", "quiet_until": "420"}
    assert client.post(reverse("set_telling"), sent).status_code == 302
    anna = Player.objects.get(username="anna")
    assert wishes.is_told(anna, "mail", "turn") and wishes.is_told(anna, "push", "over")
    assert not wishes.is_told(anna, "mail", "over") and not wishes.is_told(anna, "push", "turn")
    assert (anna.digest, anna.quiet) == (480, "1320 420")
    assert client.post(reverse("set_telling"), {}).status_code == 302
    anna = Player.objects.get(username="anna")
    assert (anna.digest, anna.quiet) == (None, "")


@pytest.mark.parametrize(
    "bad", [{"quiet_from": "60"}, {"quiet_from": "60", "quiet_until": "60"}, {"digest": "7"}, {"quiet_from": "x" * 99}]
)
def test_what_cannot_be_is_refused(client, bad):
    client.force_login(player("anna"))
    assert client.post(reverse("set_telling"), bad).status_code == 422
    assert Player.objects.get(username="anna").quiet == ""


def test_failures_are_shown_to_the_player(client):
    running("anna", "ben")
    Notice.objects.update(refused="SMTPDataError 554")
    client.force_login(player("anna"))
    assert "SMTPDataError 554" in client.get(reverse("account")).content.decode()


# ---- what a mail tells


def test_a_mail_says_what_is_asked_until_when_and_what_happened_since(wall):
    change("anna", hours="Europe/Paris 480 1320 0123456")
    game = running("anna", "ben", pace="days", clock="days-8")
    move(game, 0, "a2", "a3")
    move(game, 1, "a9", "b8")
    Notice.objects.exclude(player=player("anna")).delete()
    telling.send_due()
    body = mail.outbox[-1].body
    assert "Your move" in body and "Since your last move:\n- " in body
    assert "ben moves" in body and "anna moves" not in body
    due = game.seats.get(number=0).due_at.astimezone(ZoneInfo("Europe/Paris"))
    assert f"Until {due:%a} {due.day} {due:%B}, {due:%H:%M}." in body


def boards(message: object) -> list[str]:
    return [content for name, content, _ in message.attachments[1:] if name == "board.svg"]


@pytest.mark.parametrize("slug", ["gambit", "kings"])
def test_the_board_goes_along_as_a_spectator_sees_it_and_fetches_nothing(slug):
    game = running("anna", "ben", ruleset=slug, options={})
    telling.send_due()
    (svg,) = boards(mail.outbox[-1])
    root = ElementTree.fromstring(svg)
    assert root.tag == "{http://www.w3.org/2000/svg}svg" and len(list(root.iter())) > 100
    ids = {each.get("id") for each in root.iter()}
    used = re.findall(r'href="([^"]*)"', svg)
    assert used and all(each[0] == "#" and each[1:] in ids for each in used)
    assert "url(" not in svg.replace("url(#", "") and "http" not in svg.replace("http://www.w3.org/2000/svg", "")
    assert svg == board_alone(play.view_for(game, None), game.public_id)


def test_a_board_that_cannot_be_drawn_costs_no_mail(monkeypatch):
    monkeypatch.setattr("games.telling.board_alone", lambda *given: 1 / 0)
    running("anna", "ben")
    assert told() == [("anna", "Your turn")] and boards(mail.outbox[-1]) == []


def stop_link() -> str:
    running("anna", "ben")
    telling.send_due()
    headers = mail.outbox[-1].message()
    assert headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    return headers["List-Unsubscribe"].strip("<>").removeprefix("http://127.0.0.1:8000")


def test_one_press_without_logging_in_stops_one_kind_of_mail(wall):
    browser, link = Client(enforce_csrf_checks=True), stop_link()
    page = browser.get(link)
    assert page.status_code == 200 and b"my turn" in page.content and "anna" not in page.content.decode()
    assert wishes.is_told(player("anna"), "mail", "turn"), "looking changes nothing"
    assert browser.post(link, {"List-Unsubscribe": "One-Click"}).status_code == 200
    anna = player("anna")
    assert not wishes.is_told(anna, "mail", "turn") and wishes.is_told(anna, "mail", "over")
    running("anna", "cleo")
    assert told() == []


def test_a_stop_link_may_stop_all_mail():
    assert Client().post(stop_link(), {"all": "1"}).status_code == 200
    assert not player("anna").mail_my_turn


def test_nobody_can_make_a_stop_link_for_somebody_else(client):
    link = stop_link()
    for forged in (link[:-2] + "x/", link.replace("unsubscribe/", "unsubscribe/x"), "/account/unsubscribe/x/"):
        assert client.post(forged).status_code == 404
    assert wishes.is_told(player("anna"), "mail", "turn")


# ---- mail that comes back


def report(mark: str, status: str = "5.1.1", action: str = "failed") -> bytes:
    return f"""From: MAILER-DAEMON@example.org
Content-Type: multipart/report; report-type=delivery-status; boundary="b"

--b
Content-Type: text/plain

It could not be delivered.
--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.org

Final-Recipient: rfc822; anna@example.org
Action: {action}
Status: {status}
--b
Content-Type: text/rfc822-headers

Subject: Your turn
X-Kadab-Notice: {mark}
--b--
""".encode()


def mark_sent() -> str:
    running("anna", "ben")
    telling.send_due()
    return mail.outbox[-1].message()["X-Kadab-Notice"]


def test_a_mail_that_comes_back_stops_mail_until_the_player_says_otherwise(client):
    assert bounces.read(report(mark_sent())).endswith("bounced 5.1.1")
    assert player("anna").mail_trouble == "bounced 5.1.1" and not Notice.objects.get().sent
    running("anna", "cleo")
    assert told() == []
    client.force_login(player("anna"))
    assert "bounced 5.1.1" in client.get(reverse("account")).content.decode()
    client.post(reverse("try_mail_again"))
    running("anna", "cleo")
    assert told() == [("anna", "Your turn")]


def test_a_report_that_nobody_could_have_got_from_us_stops_no_mail():
    mark = mark_sent()
    for bad in (report(mark[:-2] + "xx"), report("1:x"), report(mark, "4.2.2"), report(mark, action="delayed"), b"x"):
        bounces.read(bad)
    assert player("anna").mail_trouble == ""


def test_an_address_that_is_refused_for_good_is_tried_no_more(smtp_server):
    smtp_server.says = {"RCPT": "550 no such user"}
    running("anna", "ben")
    telling.send_due()
    assert player("anna").mail_trouble == "SMTPRecipientsRefused 550"


# ---- the calendar


def calendar(client: Client, name: str = "anna") -> Calendar:
    answer = client.get(f"/calendar/{player(name).calendar_key}.ics")
    assert answer.headers["Content-Type"].startswith("text/calendar")
    return Calendar.from_ical(answer.content)


def test_a_calendar_has_the_players_deadlines_behind_a_key_that_can_be_renewed(client, wall):
    game = running("anna", "ben", pace="days", clock="days-8")
    client.force_login(player("anna"))
    assert client.post(reverse("renew_calendar")).status_code == 302
    stranger = Client()
    (event,) = calendar(stranger).walk("VEVENT")
    assert event.decoded("dtstart") == game.seats.get(number=0).due_at
    assert str(event["summary"]) == "Your time ends: Gambit of Kings with ben"
    move(game, 0, "a2", "a3")
    assert calendar(stranger).walk("VEVENT") == []
    old = player("anna").calendar_key
    client.post(reverse("renew_calendar"))
    assert stranger.get(f"/calendar/{old}.ics").status_code == 404
    client.post(reverse("renew_calendar"), {"do": "stop"})
    assert player("anna").calendar_key is None and stranger.get("/calendar/None.ics").status_code == 404


def test_the_end_of_a_window_is_in_the_calendars_of_all_who_play_whoever_is_asked():
    game = running("anna", "ben", pace="days", clock="days-8")
    Game.objects.filter(pk=game.pk).update(window_since=NOON, deadline=NOON + HOUR)
    game.seats.update(due_at=None)
    said = set()
    for name in ("anna", "ben"):
        change(name, calendar_key=f"{name}-key")
        (event,) = calendar(Client(), name).walk("VEVENT")
        said.add((str(event["summary"]).split(":")[0], event.decoded("dtstart")))
    assert said == {("Reactions end", NOON + HOUR)}
