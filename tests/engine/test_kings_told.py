"""What everybody is shown of a procedure under way: why a question is asked, about what, and how many (R2, C1)."""

from __future__ import annotations

import re
from typing import Any

import pytest

from games.engine.core.dice import Dice
from games.engine.core.refusals import IllegalAction
from games.engine.kings import KINGS
from games.engine.kings.actions import AgreeEnd, Place, ProposeEnd
from games.engine.kings.events import EVENTS
from tests.kings_tables import state_of

HOMES = "h12 plains B: watersnake\nh14 desert C: nomads\nplayers: 3\nturn: 5\n"
OPEN = HOMES + "options: waiting=always\n"


def shown(text: str, frame: str, seat: int | None = None) -> dict[str, Any]:
    """A frame as a seat's View tells of it where these lines lead to; the same for everybody."""
    state = state_of(text)
    told = [
        [each for each in KINGS.view(state, viewer).doing if each["frame"] == frame] for viewer in (None, *state.seats)
    ]
    assert all(each == told[0] for each in told), "not the same for everybody"
    return told[0][-1]


def test_a_window_tells_what_could_be_answered_and_not_who_is_asked():
    text = OPEN + "gone: lucky_charm\nrack A: balloon\nrack B: fan\nh2 swamp A: thing\nA ascend balloon thing to h3\n"
    window = shown(text, "window")
    assert window == {
        "frame": "window",
        "rule": "R1",
        "trigger": "item",
        "about": {"kind": "balloon", "side": 0, "target": "h3"},
    }


def test_a_window_stays_the_same_when_somebody_has_answered():
    text = OPEN + "gone: lucky_charm\nrack A: balloon\nrack B: fan\nrack C: bow\nh2 swamp A: thing\n"
    text += "A ascend balloon thing to h3\n"
    assert shown(text, "window") == shown(text + "B play fan to h4\n", "window") == shown(text + "B done\n", "window")


def test_the_scrolls_window_tells_whose_magic_it_could_stop():
    text = OPEN + "phase: combat\nrack B: fan\nh4 desert A\nh3 plains B: farmers | A genie\n"
    text += "gone: lucky_charm bow sword golem talisman firewall balloon elixir dust_of_defense\n"
    assert shown(text, "window")["trigger"] == "magic"
    assert shown(text, "window")["about"] == {"sides": [0], "counts": [1]}


def test_teeniepox_tells_how_many_would_be_lost_from_where():
    text = (
        OPEN
        + "phase: events\ngone: lucky_charm\nrack A: teeniepox\nrack B: elixir\nh2 swamp A\nh3 plains B: farmers x4\n"
    )
    text += "dice: 3\nA play teeniepox on B\n"
    assert shown(text, "window")["trigger"] == "pox"
    pox = shown(text, "teeniepox")
    assert (pox["seat"], pox["count"], pox["places"]) == (1, 3, ["h3"])


def test_losses_of_an_event_say_which_event_where_and_how_many():
    text = HOMES + "phase: events\nrack A: teeniepox\nh2 swamp A\nh3 plains B: farmers x4\n"
    text += "dice: 2\nA play teeniepox on B\n"
    told = shown(text, "hex_losses")
    assert (told["event"], told["seat"], told["place"], told["count"]) == ("teeniepox", 1, "h3", 2)


def test_losses_of_a_disaster_say_so():
    text = HOMES + "phase: events\nrack A: terrain_disaster\nh2 swamp A\nh3 forest B: bears elves_r2 x2\ndice: 3 4 2\n"
    told = shown(text + "A play terrain_disaster on h3\n", "hex_losses")
    assert (told["event"], told["place"], told["count"]) == ("terrain_disaster", "h3", 2)


def test_the_plague_says_how_many_each_has_to_lose():
    text = HOMES + "phase: events\nrack A: dark_plague\nh2 swamp A\nh3 forest B keep: bears elves_r2 x2\n"
    text += "A play dark_plague\n"
    told = shown(text, "dark_plague")
    assert told["hexes"]["1"] == ["h3"] and told["counts"] == {"1": 2}


def test_losses_of_a_battle_say_where_in_which_step_and_how_many():
    text = HOMES + "phase: combat\nh3 plains B: farmers tribesmen_2 | A deerhunter sir_lance_a_lot\n"
    told = shown(text + "dice: 1 6 6 6 6\nexpect: asks B losses\n", "losses")
    assert (told["place"], told["step"], told["hits"]) == ("h3", "melee", {"1": 1})


def test_too_many_says_where_and_how_many_must_go():
    text = HOMES + "phase: combat\nh3 plains B: eagles | A farmers tribesmen_2\n"
    text += "h2 plains A: goblins x4 farmers x3 centaur lion_pride\ndice: 6 6 6\nA retreat h2\n"
    told = shown(text, "too_many")
    assert (told["seat"], told["place"], told["count"]) == (0, "h2", 1)


def test_a_hero_just_missed_says_what_was_reached_and_what_is_needed():
    text = HOMES + "phase: heroes\nh2 swamp A: thing\ngold A: 25\ndice: 3 2\nA recruit grand_duke gold 5\n"
    told = shown(text, "hero_attempt")
    assert (told["total"], told["wanted"], told["gold"]) == (6, 8, 5)


def test_placing_after_a_capture_says_in_which_hex():
    text = HOMES + "phase: march\nrack A: ogre\nh2 swamp A: thing\nh3 plains B\nA march thing: h2 > h3\nA done\n"
    text += "B done\nC done\n"
    told = shown(text, "deploy")
    assert (told["seat"], told["hexes"]) == (0, ["h3"])


def test_placing_at_large_names_no_hex():
    text = HOMES + "phase: things\nrack A: ogre\nh2 swamp A: thing\ndraw: any\nA draw\n"
    assert "hexes" not in shown(text, "deploy")


def test_the_warlords_call_says_whom_and_what_the_die_must_reach():
    text = OPEN + "phase: combat\nrack C: lucky_charm\nh3 plains B: lion_pride farmers | A warlord\ndice: 2\n"
    told = shown(text + "A choose lion_pride\n", "warlord_calls")
    assert told["wanted"] == 3


# ---- words of the log


def test_the_log_reads_right_of_one_and_of_many():
    """Counters are called Crocodiles or Ogre, and there may be one or ten: no verb is tied to either."""
    name = r"\{(creature|counter|names)\}(’s)?( in \{place\})? (is|was|has|goes|joins|does|works|takes|wait)\b"
    number = r"\{count\} ([a-z]+s\b|of .*\b(are|is|find|finds|leave)\b)"
    wrong = [kind.says for kind in EVENTS if re.search(f"{name}|{number}", kind.says)]
    assert not wrong


# ---- refusals that say why


PLACING = HOMES + "phase: things\nh1 plains A: village\nh2 swamp A\nh3 swamp A: ghost x3 thing pirates spirit sprite\n"
PLACING += "h3 swamp A: huge_leech poison_frog swamp_rat\n"


@pytest.mark.parametrize(
    "what, where, code, words",
    [
        ("city", "h1", "one_income", "A hex holds one special income counter, and h1 would have two."),
        ("farmlands", "h2", "wrong_terrain", "Farmlands can be placed only in plains, not in h2 (swamp)."),
        ("city", "h12", "not_your_land", "You can place counters only in your own land hexes, and h12 isn’t one."),
        ("ghost", "h12", "not_your_land", "You can place counters only in your own land hexes, and h12 isn’t one."),
        ("ghost", "h3", "crowded", "A hex holds at most ten"),
        (
            "bow",
            "h2",
            "stays_on_rack",
            "Bow stays on your rack: only creatures and special income counters go on the map.",
        ),
    ],
)
def test_a_counter_that_cannot_go_there_is_told_why(what: str, where: str, code: str, words: str):
    state = state_of(PLACING + f"rack A: {what}\ndraw: any x2\nA draw\n")
    tag = next(state.counters[n].tag for n in state.rack(0) if state.counters[n].kind == what)
    with pytest.raises(IllegalAction) as refused:
        KINGS.check(state, 0, Place((tag,), (where,)))
    assert refused.value.code == code
    assert refused.value.sentence.startswith(words)


def test_agreeing_names_the_winner_that_was_proposed():
    """The other reasons for refusing an end are in the scenarios of W4, which cannot name a wrong winner."""
    begun = KINGS.setup("ends", 3, {}, Dice.seeded("ends")).state
    state = KINGS.apply(begun, 0, ProposeEnd(0)).state
    with pytest.raises(IllegalAction) as caught:
        KINGS.check(state, 1, AgreeEnd(1))
    assert caught.value.code == "other_winner"
