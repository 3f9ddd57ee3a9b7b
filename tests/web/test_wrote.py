"""News that somebody wrote: once until it is read, without a word of it, and from nobody one has no contact with."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.core import mail
from django.urls import reverse

from games import access, aside, pushes, tables, telling
from games.models import Game, Notice
from players.models import Player
from players.telling import switch
from tests.tables import player, running
from tests.web.test_act import client_of

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)
SECRET = "attack cleo together"


@pytest.fixture(autouse=True)
def wall(settings):
    settings.NOTICE_DELAY_SECONDS = 60
    for name in ("anna", "ben", "cleo"):
        player(name, email=f"{name}@example.org")
    with time_machine.travel(NOON, tick=False) as clock:
        yield clock


@pytest.fixture(name="game")
def fixture_game() -> Game:
    game = running("anna", "ben", "cleo", ruleset="kings", options={}, pace="days", clock="days-8", private_talk=True)
    Notice.objects.all().delete()
    return game


def told() -> list[tuple[str, str]]:
    before = len(mail.outbox)
    telling.send_due()
    return sorted((each.to[0].split("@")[0], each.subject.split(":")[0]) for each in mail.outbox[before:])


def visitor(game: Game, name: str) -> access.Visitor:
    return access.visit(Game.objects.get(pk=game.pk), player(name), {})


def write(game: Game, name: str, to: str, text: str = SECRET) -> None:
    aside.say(visitor(game, name), game.seats.get(player=player(to)).number, text)


def say(game: Game, name: str, text: str = SECRET) -> None:
    url = reverse("chat", args=[game.public_id])
    assert client_of(name).post(url, {"text": text}).status_code == 302


def reads(game: Game, name: str, of: str) -> None:
    number = game.seats.get(player=player(of)).number
    assert client_of(name).get(reverse("talk", args=[game.public_id, number])).status_code == 200


FOR_YOU = ("ben", "A message for you")

# ---- private talk


def test_whoever_is_written_to_in_private_is_told_once_until_they_read_it(wall, game):
    write(game, "anna", "ben")
    write(game, "anna", "ben", "and soon")
    assert told() == [], "who reads it soon need not be told"
    wall.shift(MINUTE)
    assert told() == [FOR_YOU] and told() == []
    tables.look(visitor(game, "ben"))  # at the table, and not at what was written
    wall.shift(HOUR)
    write(game, "cleo", "ben")
    wall.shift(HOUR)
    assert told() == []
    reads(game, "ben", "anna")
    reads(game, "ben", "cleo")
    write(game, "anna", "ben")
    wall.shift(HOUR)
    assert told() == [FOR_YOU]


def test_what_was_read_meanwhile_is_no_news(wall, game):
    write(game, "anna", "ben")
    reads(game, "ben", "anna")
    wall.shift(HOUR)
    assert told() == []


def test_whoever_looks_at_the_table_is_told_later_if_it_is_still_unread(wall, game):
    write(game, "anna", "ben")
    wall.shift(MINUTE)
    tables.look(visitor(game, "ben"))
    assert told() == []
    wall.shift(2 * MINUTE)
    assert told() == [FOR_YOU]


def test_nothing_of_the_message_leaves_the_table(wall, game):
    write(game, "anna", "ben")
    say(game, "anna")
    wall.shift(HOUR)
    telling.send_due()
    for notice in Notice.objects.all():
        assert notice.says == "" and SECRET not in str(telling.mail(notice).message())
        assert pushes.payload(notice) == {
            "table": telling.table_of(game, notice.seat),
            "path": game.get_absolute_url(),
            "deadline": "",
        }
    body = next(each.body for each in mail.outbox if each.subject.startswith("A message for you"))
    assert "written to you in private" in body and game.get_absolute_url() in body


def test_nobody_hears_of_what_somebody_wrote_whom_they_have_no_contact_with(wall, game):
    write(game, "anna", "ben")
    aside.block(player("ben"), player("anna"))
    say(game, "anna")
    wall.shift(HOUR)
    assert told() == [("cleo", "New messages")]
    write(game, "cleo", "ben")
    say(game, "cleo")
    wall.shift(HOUR)
    assert told() == [("anna", "New messages"), FOR_YOU, ("ben", "New messages")]


# ---- the talk of the table


def test_the_others_are_told_of_the_tables_talk_once_until_they_look(wall, game):
    tables.look(visitor(game, "cleo"))
    wall.shift(HOUR)
    say(game, "anna")
    say(game, "anna", "hello")
    wall.shift(MINUTE)
    assert told() == [("ben", "New messages"), ("cleo", "New messages")]
    say(game, "ben")
    wall.shift(MINUTE)
    assert told() == [("anna", "New messages")]
    tables.look(visitor(game, "cleo"))
    wall.shift(HOUR)
    say(game, "anna", "again")
    wall.shift(MINUTE)
    assert told() == [("cleo", "New messages")]


def test_one_line_is_told_though_time_goes_on_while_it_is_stored(game):
    with time_machine.travel(NOON) as clock:
        say(game, "anna")
        clock.shift(HOUR)
        assert told() == [("ben", "New messages"), ("cleo", "New messages")]


def test_whoever_reads_along_is_not_told(wall, game):
    say(game, "anna")
    wall.shift(timedelta(seconds=30))
    tables.look(visitor(game, "ben"))
    wall.shift(HOUR)
    assert told() == [("cleo", "New messages")]


def test_spectators_and_live_tables_tell_nobody(wall, game):
    assert visitor(game, "eve").seat is None
    say(game, "eve")
    live = running("anna", "ben", pace="live", clock="live-30")
    Notice.objects.all().delete()
    say(live, "anna")
    assert not Notice.objects.exists()


# ---- as the player likes it


def test_each_kind_has_a_switch_of_its_own(wall, game):
    ben = player("ben")
    switch(ben, "mail", "talk", on=False)
    ben.save()
    write(game, "anna", "ben")
    say(game, "anna")
    wall.shift(HOUR)
    assert told() == [FOR_YOU, ("cleo", "New messages")]
    assert "List-Unsubscribe" in next(each for each in mail.outbox if each.to == ["ben@example.org"]).extra_headers


def test_quiet_hours_and_the_daily_mail_hold_it_back(wall, game):
    Player.objects.filter(username="ben").update(quiet="660 840")
    Player.objects.filter(username="cleo").update(digest=18 * 60)
    say(game, "anna")
    write(game, "anna", "cleo")
    wall.shift(HOUR)
    assert told() == []
    wall.move_to(NOON + 2 * HOUR)
    assert told() == [("ben", "New messages")]
    wall.move_to(NOON + 6 * HOUR)
    assert told() == [("cleo", "Kadab")]
    assert "1 game has news" in mail.outbox[-1].subject and SECRET not in mail.outbox[-1].body
