"""Whole games out and in again, and what a check finds."""

from __future__ import annotations

import io
import json

import pytest
from django.core.management import CommandError, call_command

from games import archive, play
from games.models import Action, Counter, Game, Position, public_id
from tests.tables import do, move, player, running

pytestmark = pytest.mark.django_db


@pytest.fixture
def game():
    game = running("anna", "ben", options={"light": "random"})
    for _ in range(4):
        view = play.view_for(game, 0)
        seat = view.turn
        source, targets = next(iter(play.view_for(game, seat).offers[0].by_source.items()))
        move(game, seat, source, targets[0])
    do(game, seat, "ask_take_back")
    do(game, 1 - seat, "allow_take_back")
    game.refresh_from_db()
    return game


def test_a_game_in_order_verifies(game):
    assert archive.verify(game) == ""
    out = io.StringIO()
    call_command("verify_games", stdout=out)
    assert out.getvalue().strip() == "1 in order, 0 not"


def tamper_with_a_row(game):
    Counter.objects.filter(game=game, kind="paladin", owner=0).update(kind="griffin")


def tamper_with_an_action(game):
    row = Action.objects.filter(game=game, number=1).get()
    row.action["target"] = "e5"
    row.save()


def tamper_with_the_seed(game):
    position = Position.objects.get(game=game)
    position.dice_seed = b"\1" * 32
    position.save()


def tamper_with_the_chain(game):
    Action.objects.filter(game=game, number=2).update(hash="0" * 64)


@pytest.mark.parametrize(
    "tamper", [tamper_with_a_row, tamper_with_an_action, tamper_with_the_seed, tamper_with_the_chain]
)
def test_whoever_tampers_is_found_out(game, tamper):
    tamper(game)
    play.forget()
    assert archive.verify(game) != ""
    with pytest.raises(CommandError):
        call_command("verify_games", game.public_id, stdout=io.StringIO())


def exported(game) -> dict:
    out = io.StringIO()
    call_command("export_game", game.public_id, stdout=out)
    return json.loads(out.getvalue())


def test_a_game_exported_and_imported_is_the_same_game(game, tmp_path):
    file = tmp_path / "game.json"
    file.write_text(json.dumps(exported(game)))
    view = play.view_for(game, 0)
    Game.objects.all().delete()
    play.forget()
    call_command("import_game", str(file), host=player("cleo").username, stdout=io.StringIO())
    again = Game.objects.get(public_id=game.public_id)
    assert play.view_for(again, 0).position == view.position and again.revision == game.revision
    assert archive.verify(again) == ""


def test_no_id_is_taken_for_an_option(monkeypatch):
    drawn = iter(["-begins_dash", "in-the-middle"])
    monkeypatch.setattr("games.models.secrets.token_urlsafe", lambda size: next(drawn))
    assert public_id() == "in-the-middle"


def test_a_game_that_is_here_already_is_not_imported_again(game):
    with pytest.raises(archive.BadArchive, match="here already"):
        archive.imported(exported(game), player("cleo"))


@pytest.mark.parametrize(
    "change",
    [
        *({"kadab": 9}, {"ruleset": "chess"}, {"actions": 3}, {"seats": ["a"]}, {"dice_seed": "zz"}),
        *({"actions": ["resign"]}, {"actions": [{}]}, {"actions": [{"seat": 0, "action": "resign"}]}),
        *({"rules_version": "9"}, {"set_up_rules": "9"}, {"actions": [{"rules": "9"}]}),
    ],
)
def test_a_file_that_is_no_game_is_refused(game, change):
    data = {**exported(game), **change}
    game.delete()
    before = Game.objects.count()
    with pytest.raises(archive.BadArchive):
        archive.imported(data, player("cleo"))
    assert Game.objects.count() == before


def test_a_file_with_options_of_no_game_is_refused(game):
    """Its seeds are those that were committed to, so nothing but the options is wrong with it."""
    data = {**exported(game), "options": {"clock": "fast"}}
    game.delete()
    with pytest.raises(archive.BadArchive, match="options are refused"):
        archive.imported(data, player("cleo"))


def test_a_gambit_game_in_notation_is_imported(tmp_path):
    file = tmp_path / "game.txt"
    file.write_text('[Game "Gambit of Kings"]\n[Light "Anna"]\n\n1. Sa2-a4 Ea9-b8 2. Sc2-c3 *\n')
    call_command("import_game", str(file), host=player("cleo").username, stdout=io.StringIO())
    game = Game.objects.get()
    assert game.revision == 3 and play.view_for(game, 0).last == ("c2", "c3")
    assert [seat.label for seat in game.seats.all()] == ["Anna", "Dark"]


def test_nonsense_is_refused_in_words(tmp_path):
    file = tmp_path / "game.txt"
    for text in ("nonsense", '[Game "Chess"]\n\n1. e4 *', "{}", "[1, 2"):
        file.write_text(text)
        with pytest.raises(CommandError):
            call_command("import_game", str(file), host=player("cleo").username)
