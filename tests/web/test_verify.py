"""verify_games finds every change of a stored game that can be worked out again, and nothing makes it fail.

Each column of each kind of row is changed by hand, one change at a time. What is not found is listed below with the
reason; a new column that is neither found nor listed fails.
"""

from __future__ import annotations

import datetime
import io
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import DataError, IntegrityError, connection, models, transaction

from games import archive, lobby, play, store
from games.engine.core.rules import Rules
from games.engine.kings.catalogue import CREATURES
from games.models import Action, Counter, Game, Hex, Position, Seat
from games.verify import OLDER_RULES, verify
from tests.tables import do, move, player, running, seated, token
from tests.web import kings as k

pytestmark = pytest.mark.django_db

ANY = "any change"
# What nothing else determines: (model, column) -> (the changes that are not found, why).
NOT_FOUND: dict[tuple[str, str], tuple[str, str]] = {
    ("game", "host"): (ANY, "whoever opened the table is recorded nowhere else"),
    ("game", "is_public"): (ANY, "the host's choice"),
    ("game", "hand_over"): (ANY, "the host's choice"),
    ("game", "invite_key"): (ANY, "random"),
    ("game", "private_talk"): (ANY, "the host's choice"),
    ("game", "share_key"): (ANY, "random, and made by a player's wish"),
    ("game", "rematch"): (ANY, "a table opened afterwards"),
    ("game", "created_at"): ("later", "a time; only whether there is one can be checked"),
    ("game", "started_at"): ("later", "a time; only whether there is one can be checked"),
    ("game", "moved_at"): ("later", "a time; only whether there is one can be checked"),
    ("game", "ended_at"): ("later", "a time; only whether there is one can be checked"),
    ("game", "window_since"): ("later", "a time; only whether there is one can be checked"),
    ("seat", "player"): ("other", "who sits there is recorded nowhere else; that somebody does is checked"),
    ("seat", "stands_in_for"): (ANY, "whose place a bot keeps is recorded nowhere else"),
    ("seat", "held_for"): (ANY, "how the seat was offered before the start"),
    ("seat", "name"): (ANY, "chosen by its player"),
    ("seat", "bot"): ("another level", "the level of a bot is recorded nowhere else; that it exists is checked"),
    ("seat", "wanted"): (ANY, "a mark of a request for the seat, made beside the game"),
    ("seat", "read_up_to"): (ANY, "how far its player has read the cards, which is no part of the game"),
    ("seat", "seen_revision"): (ANY, "how far its player has looked, which is no part of the game"),
    ("seat", "came_revision"): (ANY, "where their last visit began"),
    ("seat", "left_revision"): (ANY, "where the visit before that ended"),
    ("seat", "in_time"): (ANY, "counted beside the game, for its player's reliability"),
    ("seat", "late"): (ANY, "counted beside the game, for its player's reliability"),
    ("seat", "votes"): (ANY, "about who plays there, and no part of the game"),
    ("seat", "bot_faults"): (ANY, "counted by the bots, not by the game"),
    ("seat", "seen_at"): (ANY, "a time"),
    ("seat", "asked_at"): ("later", "a time; whether there is one can be checked"),
    ("seat", "return_key"): (ANY, "random"),
    ("action", "at"): ("later", "a time"),
    ("action", "token"): ("other", "random, and only compared with tokens that are sent again"),
}


@dataclass(frozen=True)
class Change:
    """One column of one row, and what is written there."""

    model: type[models.Model]
    pk: int
    column: str
    kind: str
    value: Any

    def __str__(self) -> str:
        return f"{self.model.__name__.lower()} {self.column}: {self.kind}"

    def make(self) -> None:
        name = self.model._meta.get_field(self.column).column
        with connection.cursor() as cursor:
            cursor.execute(f"UPDATE {self.model._meta.db_table} SET {name} = %s WHERE id = %s", [self.value, self.pk])

    @property
    def is_expected(self) -> bool:
        kinds, _ = NOT_FOUND.get((self.model.__name__.lower(), self.column), ("", ""))
        return kinds != ANY and self.kind not in kinds.split(", ")


# ---- changes for every type of column


def other_values(field: models.Field, value: Any) -> Iterator[tuple[str, Any]]:
    """What a column of this type is changed to, and what to call it."""
    if field.null and value is not None:
        yield "nothing", None
    if isinstance(field, models.BooleanField):
        yield "other", not value
    elif isinstance(field, models.JSONField):
        for kind, new in other_json(value):
            yield kind, json.dumps(new)
        yield "garbage", "{["
    elif isinstance(field, models.BinaryField):
        yield "other", bytes([bytes(value)[0] ^ 1]) + bytes(value)[1:]
    elif isinstance(field, models.DateTimeField):
        if value is None:
            yield "a time", datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)
        else:
            yield "later", value + datetime.timedelta(days=1)
            yield "garbage", "last week"  # which Django reads as nothing from SQLite
    elif isinstance(field, models.ForeignKey):
        if field.related_model is not Game:
            yield "other", player("somebody else").pk
    elif isinstance(field, models.CharField):
        text = value or ""
        first = "y" if text.startswith("x") else "x"  # a random id may begin with either
        yield "other", first + text[1:]
        if value:
            yield "empty", ""
        if field.name == "bot" and value:
            yield "another level", "steward"
    else:
        yield "other", 1 if value is None else value + 1
        yield "garbage", "many"


def other_json(value: Any) -> Iterator[tuple[str, Any]]:
    yield "other type", 3
    yield "none", None
    if isinstance(value, dict):
        yield "more", {**value, "another": 1}
        if value:
            first = next(iter(value))
            yield "less", {key: each for key, each in value.items() if key != first}
            yield "other", {**value, first: changed(value[first])}
    if isinstance(value, list):
        yield "more", [*value, *value[-1:]] if value else [1]
        if value:
            yield "less", value[1:]
            yield "other", [*value[:-1], changed(value[-1])]


def changed(value: Any) -> Any:
    """Something else of the same form, deep inside."""
    if isinstance(value, bool) or value is None:
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        return value + "x"
    if isinstance(value, list):
        return [*value[:-1], changed(value[-1])] if value else ["x"]
    last = next(reversed(value), None)
    return {**value, last: changed(value[last])} if last is not None else {"x": 1}


def changes_of(row: models.Model) -> Iterator[Change]:
    for field in row._meta.concrete_fields:
        if field.primary_key:
            continue
        for kind, new in other_values(field, getattr(row, field.attname)):
            is_set_up = isinstance(row, Action) and row.number == 0 and field.name == "token"
            yield Change(type(row), row.pk, field.name, f"{kind} than set-up" if is_set_up else kind, new)


# ---- the stored games


def a_duel() -> Game:
    """Gambit with entropy, a drawn side and a move taken back."""
    table = seated("anna", "ben", options={"light": "random"})
    table.seats.filter(number=1).update(entropy="five dice in a hat")
    play.start(table)
    for _ in range(4):
        turn = play.view_for(table, 0).turn
        source, targets = next(iter(play.view_for(table, turn).offers[0].by_source.items()))
        move(table, turn, source, targets[0])
    do(table, turn, "ask_take_back")
    do(table, 1 - turn, "allow_take_back")
    table.refresh_from_db()
    return table


def a_kingdom() -> Game:
    """Kings & Things* with a bot, past its first throws of the dice."""
    game = k.kings("ann", "bob", "bot:random", waiting="always")
    k.play_on(game, "kingdom", k.after(30))
    game.refresh_from_db()
    return game


def a_finished_kingdom() -> Game:
    game = k.kings("ann", "bob")
    k.play_on(game, "finished", k.after(12))
    for seat, action in ((0, "propose_end"), (1, "agree_end")):
        game.refresh_from_db()
        play.act(game, seat, {"do": action, "winner": 1}, revision=game.revision, token=token())
    game.refresh_from_db()
    return game


GAMES = {"duel": a_duel, "kingdom": a_kingdom, "finished kingdom": a_finished_kingdom}


@pytest.fixture(params=GAMES)
def game(request, monkeypatch) -> Game:
    made = GAMES[request.param]()
    monkeypatch.setattr(Rules, "check_codec", False)
    seated("cleo", "dora")  # a table beside it
    assert [str(finding) for finding in verify(made.pk).found] == []
    return made


def rows_of(game: Game) -> Iterator[models.Model]:
    """The rows that are changed: of hexes and counters some, of actions the set-up, some between, and the last."""
    yield game
    yield Position.objects.get(game=game)
    yield from Seat.objects.filter(game=game)
    yield from Hex.objects.filter(game=game)[3:5]
    counters = Counter.objects.filter(game=game)
    yield from (row for row in (counters.first(), counters.exclude(owner=None).last()) if row)
    actions = Action.objects.filter(game=game)
    chosen = [actions.get(number=0), actions.exclude(draws=[]).last(), actions.exclude(rewind=None).last()]
    yield from {row.pk: row for row in (*chosen, actions.last()) if row}.values()


def test_every_change_that_can_be_worked_out_is_found_and_none_is_fatal(game):
    found = missed = refused = 0
    wrong = []
    for change in [change for row in rows_of(game) for change in changes_of(row)]:
        point = transaction.savepoint()
        try:
            with transaction.atomic():
                change.make()
        except (IntegrityError, DataError):  # PostgreSQL takes no garbage in JSON, times and numbers
            refused += 1
            transaction.savepoint_rollback(point)
            continue
        report = verify(game.pk)
        transaction.savepoint_rollback(point)
        found, missed = found + bool(report.found), missed + (not report.found)
        if bool(report.found) != change.is_expected:
            wrong.append(f"{change}: {'found' if report.found else 'not found'}")
    print(f"{found} found, {missed} not, {refused} refused by the database")
    assert not wrong, "\n".join(sorted(set(wrong)))
    assert found > 100


LATE = datetime.datetime(2040, 1, 1, tzinfo=datetime.UTC)
DAYS = datetime.timedelta(days=3)
ASKED, WAITS = 1, 0  # seats of a duel after its first move
CLOCKS = {
    "nobody is asked until then": (Seat, WAITS, {"due_at": LATE}),
    "the question has no end": (Seat, ASKED, {"due_at": None}),
    "the question ends later": (Seat, ASKED, {"due_at": LATE}),
    "the clock has no beginning": (Seat, ASKED, {"clock_from": None}),
    "the clock stands, with a beginning": (Seat, WAITS, {"clock_from": LATE}),
    "there is no bank": (Seat, WAITS, {"bank": None}),
    "more in the bank than there was": (Seat, WAITS, {"bank": DAYS}),
    "less in the bank than nothing": (Seat, WAITS, {"bank": -DAYS}),
    "a live clock with waking hours": (Seat, ASKED, {"hours": "UTC 480 1320 0123456"}),
    "the game has no deadline": (Game, None, {"deadline": None}),
    "a deadline of its own": (Game, None, {"deadline": LATE}),
    "a window where there is none": (Game, None, {"window_since": LATE}),
    "another clock": (Game, None, {"clock": "days-8"}),
    "no clock": (Game, None, {"clock": ""}),
}


@pytest.mark.parametrize("what", CLOCKS)
def test_clocks_that_do_not_fit_together_are_found(what):
    game = running("ann", "bob", pace="live", clock="live-10")
    move(game, 0, "a2", "a4")
    assert [str(finding) for finding in verify(game.pk).found] == []
    model, number, values = CLOCKS[what]
    model.objects.filter(**({"pk": game.pk} if number is None else {"game": game, "number": number})).update(**values)
    assert verify(game.pk).found


def test_every_row_that_is_gone_is_missed(game):
    for row in [row for row in rows_of(game) if not isinstance(row, Game)]:
        point = transaction.savepoint()
        with connection.cursor() as cursor:
            cursor.execute(f"DELETE FROM {row._meta.db_table} WHERE id = %s", [row.pk])
        assert verify(game.pk).found, f"{type(row).__name__} {row.pk} is gone"
        transaction.savepoint_rollback(point)


def test_what_is_not_found_exists_and_has_a_reason():
    for (model, column), (kinds, reason) in NOT_FOUND.items():
        kind = {"game": Game, "seat": Seat, "action": Action}[model]
        assert kind._meta.get_field(column) and kinds and reason


# ---- what the command says


def said(*ids: str) -> tuple[str, bool]:
    """The command's output, and whether it ended with an error."""
    out = io.StringIO()
    try:
        call_command("verify_games", *ids, stdout=out)
    except CommandError:
        return out.getvalue(), True
    return out.getvalue(), False


def test_one_game_that_cannot_be_read_does_not_stop_the_others():
    broken, sound = a_duel(), running("cleo", "dora")
    position = Position.objects.get(game=broken)
    position.flow[0]["moves"] = position.flow[0].pop("plies")
    position.save()
    text, failed = said()
    assert failed and text.endswith("1 in order, 1 not\n")
    assert f"{broken.public_id}: it needs an upgrade: the frame duel has no field moves" in text
    assert sound.public_id not in text


def test_a_finding_names_the_game_the_action_and_what_differs():
    game = a_duel()
    Action.objects.filter(game=game, number=3).update(told=[])
    text, failed = said(game.public_id)
    assert failed and f"{game.public_id}: action 3: its events differ from what the rules lead to" in text
    Counter.objects.filter(game=game, number=7).update(place="e5")
    assert f"{game.public_id}: counter 7 differs from what the log leads to" in said()[0]


def test_a_finding_tells_no_hidden_value():
    game = a_kingdom()
    Counter.objects.filter(game=game, place="rack:0").update(kind=CREATURES[0].slug)
    text, failed = said(game.public_id)
    assert failed and CREATURES[0].slug not in text


@pytest.mark.usefixtures("kings_bots", "settled_chance")
def test_a_game_from_before_players_were_told_why_they_were_not_asked_is_in_order():
    """Such lines change no rule: games of this version may have been stored without them."""
    game = k.kings("ann", "bob", reactions="holders", one_answer="skipped")
    k.play_on(game, "before reasons", k.after(80))
    explains = {name for name, kind in store.rules_of(game).event_kinds().items() if kind.explains}
    left_out = 0
    for row in Action.objects.filter(game=game):
        kept = [told for told in row.told if told["event"] not in explains]
        left_out += len(row.told) - len(kept)
        Action.objects.filter(pk=row.pk).update(told=kept)
    assert left_out > 2 and verify(game.pk).found == []
    row = next(row for row in Action.objects.filter(game=game).order_by("-number") if row.told)
    Action.objects.filter(pk=row.pk).update(told=row.told[1:])
    assert [finding.action for finding in verify(game.pk).found] == [row.number]


@pytest.mark.usefixtures("kings_bots", "settled_chance")
def test_a_game_from_before_an_event_told_more_is_in_order():
    """Facts added to an event change no rule: games of this version may have been stored without them."""
    game = k.kings("ann", "bob")
    k.play_on(game, "before facts", k.after(120))
    later = {name: kind.later for name, kind in store.rules_of(game).event_kinds().items()}
    told_less = 0
    for row in Action.objects.filter(game=game):
        less = [{fact: each[fact] for fact in each if fact not in later[each["event"]]} for each in row.told]
        told_less += less != row.told
        Action.objects.filter(pk=row.pk).update(told=less)
    assert told_less > 2 and verify(game.pk).found == []
    assert [line.facts["path"] for line in play.log_for(game, 0) if line.event == "marched"][:1] == [[]]
    row = next(row for row in Action.objects.filter(game=game) if any(each["event"] == "marched" for each in row.told))
    wrong = [{**each, "path": ["h1"]} if each["event"] == "marched" else each for each in row.told]
    Action.objects.filter(pk=row.pk).update(told=wrong)
    assert [finding.action for finding in verify(game.pk).found] == [row.number]


def test_an_unknown_id_is_an_error():
    assert said("nonsense")[1]


def test_an_open_table_is_checked_as_well():
    game = seated("anna", "ben")
    assert said() == ("1 in order, 0 not\n", False)
    Game.objects.filter(pk=game.pk).update(dice_commit="0" * 64)
    assert "the dice seed is not the one that was committed to" in said()[0]


def test_a_cancelled_table_is_in_order_and_has_a_time_of_its_end():
    """Cancelling writes when, although nothing was played; verify_games used to call that a fault."""
    game = seated("anna", "ben")
    lobby.cancel(game, player("anna"))
    assert said() == ("1 in order, 0 not\n", False)
    Game.objects.filter(pk=game.pk).update(ended_at=None)
    assert "the time of its end is missing" in said()[0]


# ---- rules that have changed


@pytest.fixture
def newer_rules(monkeypatch):
    """From now on the rules of Gambit are version 2."""

    def raise_version() -> None:
        monkeypatch.setattr(type(play.store.RULESETS["gambit"]), "version", "2")

    return raise_version


def test_a_game_of_older_rules_goes_on_and_is_not_replayed(newer_rules):
    game = a_duel()
    newer_rules()
    text, failed = said()
    assert text == f"{game.public_id}: {OLDER_RULES}\n1 in order, 0 not\n" and not failed
    do(game, 0, "resign")
    assert list(Action.objects.filter(game=game).values_list("rules_version", flat=True)) == ["1"] * 7 + ["2"]
    text, failed = said()
    assert OLDER_RULES in text and not failed


def test_who_is_asked_is_written_anew_after_an_upgrade(newer_rules):
    """A bot whom only the new rules ask would never be woken."""
    game, acted = running("bot:random", "anna"), running("bot:random", "ben")
    as_it_was = list(game.seats.values("is_asked", "asked_openly", "decision", "wants_bot"))
    newer_rules()
    do(acted, 1, "offer_draw")
    Seat.objects.update(is_asked=False, asked_openly=False, decision="", wants_bot=False, asked_at=None)
    play.ask_anew()
    assert list(game.seats.values("is_asked", "asked_openly", "decision", "wants_bot")) == as_it_was
    assert not acted.seats.filter(is_asked=True).exists()  # written under the rules of today


@pytest.mark.parametrize(
    "change, told",
    [
        (lambda game: Position.objects.filter(game=game).update(cup_seed=b"\1" * 32), "the cup seed"),
        (lambda game: Position.objects.filter(game=game).update(dice_number=9), "another number of draws"),
        (
            lambda game: Action.objects.filter(game=game, number=2).update(seat=1 - models.F("seat")),
            "action 2: its hash",
        ),
        (lambda game: Action.objects.filter(game=game, number=2).update(rules_version="2"), "action 2: its hash"),
        (lambda game: Action.objects.filter(game=game, number=0).update(draws=[["dice", "who", 9]]), "set-up: a draw"),
        (lambda game: Counter.objects.filter(game=game, tag=moved_piece(game)).update(place="e5"), "is not as this"),
        (lambda game: Game.objects.filter(pk=game.pk).update(revision=3), "its revision"),
    ],
)
def test_seeds_dice_chain_and_rows_of_older_rules_are_checked(newer_rules, change, told):
    game = a_duel()
    newer_rules()
    change(game)
    text, failed = said()
    assert failed and told in text


def moved_piece(game: Game) -> str:
    row = Action.objects.get(game=game, number=1)
    number = next(iter(row.changes["counters"]))
    return Counter.objects.get(game=game, number=number).tag


def test_a_table_opened_under_older_rules_and_begun_under_todays_is_replayed(newer_rules):
    game = seated("anna", "ben")
    newer_rules()
    play.start(game)
    do(game, 0, "resign")
    assert said() == ("1 in order, 0 not\n", False)
    Action.objects.filter(game=game, number=1).update(told=[])
    assert said()[1]


def test_a_game_of_newer_rules_is_a_finding(newer_rules):
    newer_rules()
    game = a_duel()
    play.store.RULESETS["gambit"].__class__.version = "1"
    text, failed = said()
    assert failed and f"{game.public_id}: set-up: its rules are newer than those of this site" in text


def test_a_game_with_actions_of_both_versions_can_be_taken_along(newer_rules):
    """Exported with the version of each action, imported by playing it again under the rules of today."""
    game = a_duel()
    newer_rules()
    do(game, 0, "resign")
    data = archive.exported(Game.objects.get(pk=game.pk))
    assert [step["rules"] for step in data["actions"]][-2:] == ["1", "2"]
    Game.objects.all().delete()
    play.forget()
    again = archive.imported(data, player("emma"))
    assert again.status == Game.Status.FINISHED and archive.verify(again) == ""
