"""Kings & Things* over the JSON API: a table of four, sealed answers, undo, leaving and coming back."""

from __future__ import annotations

import itertools

import pytest

from games import archive, begun, play
from games.engine import RULESETS
from games.engine.core.dice import Dice
from games.engine.core.plain import plain
from games.models import Game
from tests import tables
from tests.web import kings as k
from tests.web.test_api import Program, is_refusal

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("kings_bots", "settled_chance")]
TOKENS = (f"kings-token-{number}" for number in itertools.count())


@pytest.fixture
def four():
    return [Program(tables.player(name)) for name in k.NAMES]


def answered(program: Program, game: str, table: dict, action: dict, **more):
    given = {"revision": table["revision"], "decision": table["decision"], "token": next(TOKENS), **more}
    return program.act(game, action, **given)


def opened(four: list[Program], **options: str) -> str:
    """ann opens a table for four; the others come by invitation, and it starts by itself."""
    seats = [{"kind": "me"}, *[{"kind": "link"}] * (len(four) - 1)]
    made = four[0].create(*seats, game="kings", options=options)
    for guest in four[1:]:
        key = made["invite_url"].rstrip("/").rsplit("/", 1)[1]
        assert guest.post(f"tables/{made['id']}/join", {"invite": key}).status_code == 200
    return made["id"]


# ---- tables


def test_the_game_is_listed_with_its_options_and_bots(four):
    told = {game["game"]: game for game in four[0].get("games").json()}["kings"]
    assert told["players"] == [2, 3, 4] and told["name"] == "Kings & Things*"
    assert {option["name"] for option in told["options"]} == {
        *("reactions", "one_answer", "waiting", "orders", "bluffs", "wild"),
        *("setup", "things", "resigned", "last_turn", "odds"),
    }
    assert [level["name"] for level in told["bots"]] == ["random", "steward"]


@pytest.mark.parametrize("count", [2, 3, 4])
def test_a_table_may_have_two_to_four_seats(four, count):
    made = four[0].create({"kind": "me"}, *[{"kind": "bot", "level": "random"}] * (count - 1), game="kings")
    assert made["status"] == "running" and [seat["title"] for seat in made["seats"]] == list(
        RULESETS["kings"].seat_names[:count]
    )


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"seats": [{"kind": "me"}]}, "bad_seats"),
        ({"seats": [{"kind": "me"}, *[{"kind": "open"}] * 4]}, "bad_seats"),
        ({"seats": [{"kind": "me"}, {"kind": "bot", "level": "3"}]}, "no_such_bot"),
        ({"seats": [{"kind": "me"}, {"kind": "open"}], "options": {"bluffs": "never"}}, "bad_option"),
        ({"seats": [{"kind": "me"}, {"kind": "open"}], "options": {"light": "host"}}, "bad_option"),
    ],
)
def test_a_table_that_cannot_be_is_refused(four, body, code):
    assert is_refusal(four[0].post("tables", {"game": "kings", **body}), 400 if code == "bad_option" else 422, code)
    assert not Game.objects.exists()


def test_strangers_in_open_seats_wait_for_the_host_to_start(four):
    made = four[0].create({"kind": "me"}, *[{"kind": "open"}] * 2, game="kings", options={"last_turn": "10"})
    for guest in four[1:3]:
        assert guest.post(f"tables/{made['id']}/join").json()["status"] == "open"
    assert four[0].post(f"tables/{made['id']}/start").json()["status"] == "running"
    assert Game.objects.get().options["last_turn"] == "10" and Game.objects.get().options["bluffs"] == "automatic"


# ---- playing


def test_a_look_is_what_the_rules_say_this_seat_sees(four):
    game = opened(four)
    k.play_on(Game.objects.get(), "look", k.after(40))
    stranger = Program(tables.player("eve"))
    for program in (*four, stranger):
        table = program.look(game)
        seen = plain(RULESETS["kings"].view(k.state_of(Game.objects.get()), table["seat"]))
        told = {name: table[name] for name in ("seat", "revision", "asked", "decision", "offers", "result")}
        assert {**table["view"], **told} == seen
    assert stranger.look(game)["seat"] is None and stranger.look(game)["offers"] == []


def test_four_programs_play_what_they_are_offered(four):
    game, acted = opened(four, waiting="always"), [0, 0, 0, 0]
    while sum(acted) < 200:
        for program in four:
            table = program.look(game, sample=1)
            if not table["decision"]:
                assert table["sample"] == []
                continue
            assert table["seat"] in table["asked"]
            response = answered(program, game, table, table["sample"][0])
            assert response.status_code == 200, (table["sample"], response.content)
            acted[table["seat"]] += 1
    assert min(acted) > 10
    stored = Game.objects.get()
    assert stored.action_count == sum(acted) > stored.revision and archive.verify(stored) == ""
    lines = four[0].get(f"tables/{game}/log").json()["lines"]
    assert any(line["event"] == "turn_begins" or "Turn" in line["text"] for line in lines)
    assert not any("{" in line["text"] or "[" in line["text"] for line in lines)


def test_what_is_not_on_offer_is_refused_with_its_rule(four):
    game = opened(four)
    k.play_on(Game.objects.get(), "refusal", k.after(60))
    for program in four:
        table = program.look(game)
        refused = answered(program, game, table, {"do": "march", "counters": ["zzzz"], "path": ["h1"]})
        assert refused.status_code == 422 and refused.json()["sentence"]
        nonsense = answered(program, game, table, {"do": "march", "counters": "zzzz"})
        assert is_refusal(nonsense, 400, "malformed")
    assert Game.objects.get().action_count == 60


def is_sealed_placing(state) -> bool:
    return state.flow[-1].name() == "place_together" and len(state.flow[-1].pending) == 4


def test_sealed_answers_do_not_wait_for_one_another(four):
    """All four looked at the same revision; each answer counts, as nobody's question has changed by the others'."""
    game = opened(four, setup="together")
    k.play_on(Game.objects.get(), "sealed", is_sealed_placing)
    looked = [program.look(game, sample=1) for program in four]
    assert looked[0]["asked"] == [0, 1, 2, 3] and len({table["revision"] for table in looked}) == 1
    first = answered(four[0], game, looked[0], {"do": "done"})
    second = answered(four[1], game, looked[1], {"do": "done"})
    assert (first.status_code, second.status_code) == (200, 200), second.content
    assert second.json()["revision"] == looked[1]["revision"] + 2
    assert is_refusal(answered(four[2], game, looked[2], {"do": "done"}, decision="0.1.1"), 409, "stale")
    again = answered(four[0], game, looked[0], {"do": "done"})
    assert is_refusal(again, 409, "stale")


def test_undo_takes_the_last_step_back(four):
    game = opened(four)
    stored = Game.objects.get()
    k.play_on(stored, "undo", is_sealed_placing)
    ann = four[0]
    before = ann.look(game)
    placing = next(offer for offer in before["offers"] if offer["do"] == "place")
    put = {"do": "place", "counters": placing["creatures"][:1], "places": list(placing["room"])[:1]}
    assert answered(ann, game, before, put).status_code == 200
    placed = ann.look(game)
    assert {"do": "undo"} in [offer.get("action") for offer in placed["offers"]]
    assert not any(offer["do"] == "undo" for offer in four[1].look(game)["offers"])
    assert answered(ann, game, placed, {"do": "undo"}).status_code == 200
    after = ann.look(game)
    assert after["view"]["counters"] == before["view"]["counters"]
    assert after["revision"] == before["revision"] + 2 and after["decision"] != before["decision"]
    assert is_refusal(answered(four[1], game, after, {"do": "undo"}), 422)
    assert is_refusal(answered(ann, game, before, put), 409, "stale")  # an answer to the question before
    play.forget()
    assert archive.verify(Game.objects.get()) == ""


def test_what_is_said_beside_the_game_is_not_undone_with_a_step_of_it(four):
    """A proposal stands, and stands stored as in memory, when its maker takes back a step of the game."""
    game = opened(four)
    first = next(program for program in four if program.look(game)["decision"])
    (start, *_) = (offer for offer in first.look(game)["offers"] if offer["do"] == "choose")
    chosen = {"do": "choose", "what": start["choices"][0]}
    assert answered(first, game, first.look(game), chosen).status_code == 200
    assert answered(first, game, first.look(game), {"do": "propose_end", "winner": -1}).status_code == 200
    assert answered(first, game, first.look(game), {"do": "undo"}).status_code == 200
    table = first.look(game)
    assert table["view"]["proposal"]["winner"] == -1 and table["decision"]
    play.forget()
    assert archive.verify(Game.objects.get()) == ""


def test_players_may_agree_on_the_end(four):
    game = opened(four)
    assert answered(four[0], game, four[0].look(game), {"do": "propose_end", "winner": 2}).status_code == 200
    for program in four[1:]:
        assert answered(program, game, program.look(game), {"do": "agree_end", "winner": 2}).status_code == 200
    table = four[3].look(game)
    assert table["status"] == "finished" and table["result"] == {"winners": [2], "how": "agreed"}
    assert [row["id"] for row in four[0].get("tables", show="finished").json()["tables"]] == [game]


# ---- leaving and coming back


def test_a_steward_plays_on_for_whoever_resigns_until_they_come_back(four):
    game, (ann, bob, *_) = opened(four, resigned="steward"), four
    k.play_on(Game.objects.get(), "steward", k.after(30))
    mine = bob.look(game)["view"]["counters"]
    assert answered(bob, game, bob.look(game), {"do": "resign"}).status_code == 200
    gone = bob.look(game)
    assert gone["status"] == "running" and gone["seat"] is None and gone["offers"] == []
    assert [row["id"] for row in bob.get("tables", show="mine").json()["tables"]] == [game]
    seat = gone["seats"][1]
    assert (seat["kind"], seat["bot"], seat["name"], seat["mine"]) == ("bot", "steward", "Steward for bob", False)
    stored = Game.objects.get()
    assert is_refusal(answered(bob, game, gone, {"do": "done"}), 403, "not_your_seat")
    k.play_on(stored, "on", k.after(stored.revision + 10))
    back = bob.post(f"tables/{game}/take-back-seat")
    assert back.status_code == 200 and back.json()["seat"] == 1
    assert back.json()["seats"][1]["name"] == "bob" and back.json()["view"]["counters"]
    assert mine and is_refusal(bob.post(f"tables/{game}/take-back-seat"), 409, "nothing_kept")
    assert is_refusal(ann.post(f"tables/{game}/take-back-seat", {"seat": 1}), 409, "nothing_kept")
    assert answered(bob, game, bob.look(game), {"do": "resign"}).status_code == 200
    assert bob.look(game)["seats"][1]["bot"] == "steward"
    assert archive.verify(Game.objects.get()) == ""


def test_the_steward_answers_what_was_asked_when_its_player_left(four):
    opened(four)
    stored = Game.objects.get()
    seat = k.asked(stored)[0]
    k.act(stored, seat, {"do": "resign"})
    assert play.bot_questions(stored) == [(seat, "steward")]
    question = play.bot_question(stored.pk, seat)
    begun.take_back_seat(stored, tables.player(k.NAMES[seat]))
    assert play.bot_questions(stored) == []
    with pytest.raises(play.StaleAction):
        play.bot_acts(question, question.offers[0].sample(Dice.seeded("late")))


def test_a_private_table_stays_open_to_whom_a_steward_stands_in_for(four):
    made = four[0].create({"kind": "me"}, {"kind": "link"}, game="kings", public=False)
    key = made["invite_url"].rstrip("/").rsplit("/", 1)[1]
    game, bob = made["id"], four[1]
    assert bob.post(f"tables/{game}/join", {"invite": key}).status_code == 200
    assert answered(bob, game, bob.look(game), {"do": "resign"}).status_code == 200
    assert bob.get(f"tables/{game}").status_code == 200
    assert is_refusal(four[2].get(f"tables/{game}"), 404)


def test_an_imported_game_has_no_stewards(four):
    """Its seats are all on the importer's device, as of any game."""
    opened(four)
    stored = Game.objects.get()
    k.act(stored, 1, {"do": "resign"})
    data = archive.exported(stored)
    Game.objects.all().delete()
    play.forget()
    again = archive.imported(data, tables.player("eve"))
    assert [seat.label for seat in again.seats.all()] == ["ann", "Steward for bob", "cat", "dan"]
    assert not again.seats.exclude(bot="").exists()


def test_where_the_table_wants_it_whoever_resigns_is_out(four):
    game, bob = opened(four, resigned="remove"), four[1]
    k.play_on(Game.objects.get(), "remove", k.after(40))
    assert answered(bob, game, bob.look(game), {"do": "resign"}).status_code == 200
    table = bob.look(game)
    assert table["seat"] == 1 and table["view"]["seats"][1]["out"] and table["offers"] == []
    assert table["seats"][1]["kind"] == "player" and table["status"] == "running"
    stored = Game.objects.get()
    k.play_on(stored, "without bob", k.after(stored.revision + 20))
    assert archive.verify(Game.objects.get()) == ""


def test_of_two_players_the_other_wins(four):
    game = opened(four[:2], resigned="remove")
    assert answered(four[0], game, four[0].look(game), {"do": "resign"}).status_code == 200
    assert four[1].look(game)["result"] == {"winners": [1], "how": "last_one"}
