"""Every scenario under tests/scenarios, and proof that a scenario can fail."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management import call_command

from games.engine.kings.actions import VOCABULARY
from games.engine.kings.scenario import VERBS, Scenario, failures_of, run_text, scenarios_in
from tests.kings_tables import state_of

FOLDER = Path(__file__).resolve().parent.parent / "scenarios"
ALL = [(path, scenario) for path in sorted(FOLDER.rglob("*.txt")) for scenario in scenarios_in(path)]

TABLE = """title: a table
phase: march
h1 plains A: troll*
h2 swamp B: ogre goblins x4
rack A: diamond
"""


@pytest.mark.parametrize(
    "scenario", [s for _, s in ALL], ids=[f"{p.relative_to(FOLDER).with_suffix('')}: {s.title}" for p, s in ALL]
)
def test_scenario(scenario: Scenario):
    assert not failures_of(scenario), "\n".join(str(failure) for failure in failures_of(scenario))


def test_every_file_has_scenarios_and_every_scenario_names_its_rule():
    assert ALL
    assert {path for path, _ in ALL} == set(FOLDER.rglob("*.txt"))
    nameless = [f"{s.path}: {s.title}" for _, s in ALL if not any(line.text.startswith("rule:") for line in s.lines)]
    assert not nameless


def test_the_example_in_the_docs_is_true():
    text = (FOLDER.parent.parent / "docs" / "scenarios.md").read_text()
    example = text.split("```")[1]
    assert example.strip().startswith("title:") and not run_text(example, "docs/scenarios.md")


def test_every_action_can_be_said_and_is_in_the_docs():
    verbs = {do for do, _, _ in VERBS}
    assert verbs - {"play"} | {"play_item", "play_event"} == set(VOCABULARY.kinds)
    text = (FOLDER.parent.parent / "docs" / "scenarios.md").read_text()
    assert not [verb for verb in verbs if f"A {verb}" not in text and f"B {verb}" not in text]


def told(more: str) -> str:
    return " / ".join(str(failure) for failure in run_text(TABLE + more, "t.txt"))


def test_what_is_right_passes():
    assert told("expect: h1 owner A\nexpect: B sees h1: troll of A\nexpect: A sees h2: 5 backs of B\n") == ""


@pytest.mark.parametrize(
    "more, text",
    [
        ("expect: h1 owner B", "t.txt:6: a table: expected h1 owner B, found A"),
        ("expect: h1 holds A: ogre", "found troll"),
        ("expect: h2 holds B: ogre* goblins x4", "found goblins/down goblins/down goblins/down goblins/down ogre/down"),
        ("expect: gold A 7", "expected gold A 7, found 0"),
        ("expect: rack A: pearl", "found diamond"),
        ("expect: pool has troll", "found nothing there"),
        ("expect: cup lacks bears", "found bears there"),
        ("expect: asks B march", "found A march"),
        ("expect: B sees h2: 5 backs of B", "found 4 goblins of B, 1 ogre of B"),
        ("expect: heard A: goose", "expected heard A: goose, found Movement"),
        ("expect: heard A not: movement", "expected heard A not: movement, found Movement"),
        ("expect: won A citadel", "found the game goes on"),
        ("expect: troll of A is supported", "found a bluff"),
        ("offered: A build", "expected build to be on offer to A, found"),
        ("not offered: A march", "expected march to be not on offer to A, found"),
        ("refuse: A march troll: h1 > h2", "expected this to be refused, found it allowed"),
        ("refuse 9.22: A march troll: h1 > h2 > h3", "expected a refusal because of 9.22, found"),
        ("allow: A march troll: h1 > h2 > h3", "expected this to be allowed, found it refused"),
        ("A march troll: h1 > h9", "t.txt:6: a table: expected this to be allowed, found it refused"),
        ("B march ogre: h2 > h3", "It’s not your turn to decide"),
    ],
)
def test_a_wrong_expectation_fails_and_says_what_is_there(more: str, text: str):
    assert text in told(more)


HEROES = "phase: heroes\npool: arch_mage\n"


@pytest.mark.parametrize(
    "more, text",
    [
        (
            HEROES + "A recruit arch_mage\nexpect: not over",
            "t.txt:8: a table: a die is thrown (recruit), but the script",
        ),
        (HEROES + "dice: 3 7\nA recruit arch_mage\nexpect: not over", "a die with 6 sides is thrown (recruit)"),
        (HEROES + "dice: 1 2 3\nA recruit arch_mage\nexpect: not over", "dice left over: 3"),
        ("phase: things\nA draw\nexpect: not over", "something is drawn (things), but the script has no name left"),
        ("phase: things\ndraw: troll\nA draw\nexpect: not over", "troll is to be drawn (things), but it is not there"),
        ("draw: bears\nexpect: not over", "draws left over: bears"),
        ("draw: goose\nexpect: not over", "goose cannot be drawn"),
    ],
)
def test_dice_and_draws_that_do_not_fit_fail(more: str, text: str):
    assert text in told(more)


@pytest.mark.parametrize(
    "more, text",
    [
        ("h3 plains A: goblins\nexpect: not over", "t.txt:6: a table: the box is not whole: it has 4 goblins"),
        ("h3 plains A: dwarf_king\npool: warlord\nexpect: not over", "t.txt:7: a table: the box is not whole: warlord"),
        ("rack B: diamond\nexpect: not over", "the box is not whole: it has 1 diamond"),
        ("cup: bears troll\nexpect: not over", "the box is not whole: it has 1 troll"),
        ("rack B: warlord\nexpect: not over", "warlord cannot be on a rack"),
        ("h3 plains A: goose\nexpect: not over", "there is no counter called goose"),
        ("h40 plains A\nexpect: not over", "there is no hex h40"),
        ("h3 lava A\nexpect: not over", "lava is neither a terrain, a player nor a fort"),
        ("h3 plains C\nexpect: not over", "there is no player C"),
        ("players: 5\nexpect: not over", "t.txt:6: a table: 5 players"),
        ("phase: lunch\nexpect: not over", "lunch is no phase"),
        ("options: bluffs=never\nexpect: not over", "or can’t have this value"),
        ("map: plains swamp\nexpect: not over", "the map has 19 hexes, and there are 2 terrains"),
    ],
)
def test_a_table_that_cannot_be_laid_fails(more: str, text: str):
    assert text in told(more)


@pytest.mark.parametrize(
    "more, text",
    [
        ("", "this scenario expects nothing"),
        ("A flap", "nobody can flap"),
        ("A march troll", "this is not how to say march"),
        ("A cash bears", "there is no bears that could be meant"),
        ("expect: the moon is up", "this expectation is not understood"),
        ("Somebody does something", "this line is not understood"),
    ],
)
def test_what_is_not_understood_fails(more: str, text: str):
    assert text in told(more)


@pytest.mark.parametrize(
    "line", ["h4 plains", "gold A: 5", "rack B: ruby", "turn: 3", "bank: tower 0", "order A proof: show"]
)
def test_a_position_that_comes_too_late_is_told_so(line: str):
    late = f"t.txt:7: a table: positions must stand before the first action or expectation: {line}"
    assert told(f"expect: not over\n{line}") == late
    assert told(f"A march troll: h1 > h2\n{line}\nexpect: not over") == late


# ---- names of counters that are not there


@pytest.mark.parametrize(
    "more",
    [
        "refuse: A march bears: h1 > h2",  # no bears on the map
        "refuse: A march ogre: h1 > h2",  # the ogre is elsewhere
        "refuse: A march troll#2: h1 > h2",  # there is one troll
        "refuse not_your_counter: A march bears: h1 > h2",  # the game's own reason
        "refuse: A cash pearl",
        'refuse: A {"do": "march", "counters": ["$bears@h1"], "path": ["h2"]}',
    ],
)
def test_a_refusal_may_name_a_counter_that_is_not_there(more: str):
    assert told(more) == ""


@pytest.mark.parametrize(
    "more, text",
    [
        ("refuse: A march goose: h1 > h2", "goose is not the name of a counter"),  # a slip of the pen is none
        ("refuse pinned: A march bears: h1 > h2", "expected a refusal because of pinned, found"),
        ("allow: A march bears: h1 > h2", "there is no bears that could be meant"),
        ("A march bears: h1 > h2", "there is no bears that could be meant"),
    ],
)
def test_only_a_refusal_may(more: str, text: str):
    assert text in told(more)


# ---- the bank


BUILDING = "phase: build\ngold A: 5\n"


def test_a_bank_may_have_run_out():
    assert told(f"{BUILDING}h3 plains A tower\nbank: tower 0\nexpect: bank tower 0\nrefuse 12.14: A build h1") == ""
    assert told(f"{BUILDING}bank: tower 1 keep 0\nA build h1\nexpect: bank tower 0\nexpect: bank keep 0") == ""
    assert told("h3 plains A castle\nbank: castle 3\nexpect: bank castle 3\nexpect: bank tower 10") == ""
    assert "expected bank castle 4, found 3" in told("h3 plains A castle\nbank: castle 3\nexpect: bank castle 4")


@pytest.mark.parametrize(
    "more, text",
    [
        ("bank: hut 3\nexpect: not over", "t.txt:6: a table: hut is no fort"),
        ("bank: tower\nexpect: not over", "is no number"),
        ("bank: tower many\nexpect: not over", "many is no number"),
        ("bank: citadel 7\nexpect: not over", "the bank cannot hold 7 of citadel: the box has"),
        ("bank: tower -1\nexpect: not over", "the bank cannot hold -1 of tower"),
    ],
)
def test_a_bank_that_cannot_be_fails(more: str, text: str):
    assert text in told(more)


# ---- the Balloon


ALOFT = """title: aloft
phase: combat
turn: 5
gold A: 5
h2 swamp A
h3 plains B: farmers | A thing balloon(pirates swamp_rat)
h9 swamp A
h12 plains B
"""


def test_riders_fight_from_the_balloon_and_leave_with_it():
    text = f"""{ALOFT}
dice: 6 6 6                # ranged: pirates, swamp rat, Balloon
dice: 6 6                  # melee: the thing, the farmers
expect: asks A retreat
expect: h3 holds A: thing pirates swamp_rat balloon
refuse 11.6: A retreat h2
A retreat h2 balloon h9
expect: h2 holds A: thing
expect: h9 holds A: pirates swamp_rat balloon
"""
    assert not run_text(text, "t.txt")
    on_foot = text.replace("balloon(pirates swamp_rat)", "balloon pirates swamp_rat")
    assert "expected this to be refused, found it allowed" in str(run_text(on_foot, "t.txt")[0])


@pytest.mark.parametrize(
    "riders, text",
    [
        ("A balloon()", "one to three counters"),
        ("A balloon(thing pirates swamp_rat poison_frog)", "one to three counters"),
        ("wild balloon(thing)", "one to three counters of one player"),
        ("A balloon(old_dragon)", "old_dragon cannot ride"),
        ("A balloon(bow)", "bow cannot ride"),
        ("A balloon(goose)", "there is no counter called goose"),
    ],
)
def test_riders_that_cannot_be_fail(riders: str, text: str):
    assert text in told(f"h3 plains B | {riders}\nexpect: not over".replace("B |", "B: |"))


# ---- partial retreats


RETREATING = """title: retreating
phase: combat
turn: 5
h2 swamp A
h3 plains B: farmers | A thing pirates
h12 plains B
dice: 6 6 6
"""


def test_a_partial_retreat_can_be_tried_and_is_refused():
    whole = "A retreat h2 with thing pirates\nexpect: h2 holds A: thing pirates\nexpect: h3 holds A: nothing\n"
    tries = "refuse 11.6: A retreat h2 with thing\nrefuse whole_force: A retreat h2 with pirates\n"
    more = "refuse whole_force: A retreat h2 with thing pirates farmers\nrefuse whole_force: A retreat h2 with bears\n"
    nowhere = "refuse no_retreat_there: A retreat h9 with thing\n"
    assert not run_text(RETREATING + tries + more + nowhere + whole, "t.txt")
    (failure,) = run_text(RETREATING + "A retreat h2 with thing\nexpect: not over\n", "t.txt")
    assert "found it refused" in failure.text and "whole_force" in failure.text


# ---- the order of dice


def thrown(text: str) -> tuple[list[int], list[list[str]]]:
    """Whose dice the last throw was, by side and by counter."""
    _, throwers, _, names, _ = state_of(text).extras["rolled"]
    return throwers, names


def test_within_a_side_dice_come_in_the_order_of_the_docs():
    text = """
        phase: combat
        turn: 5
        h2 swamp A
        h3 plains B keep: village white_knight dwarf_king farmers lion_pride villains#  | A pirates thing ghost x2
        h12 plains B
        dice: 6 6 6 6
        dice: 6 6 6 6 6 6 6 6
    """.replace("villains#", "villains")
    throwers, names = thrown(text)
    assert throwers == [0, 1]
    assert names[0] == ["Ghost", "Ghost", "Pirates", "Thing"]
    assert names[1] == [
        "Farmers",
        "Lion Pride",
        "Villains",
        "White Knight",
        "White Knight",
        "Dwarf King",
        "Fort",
        "Village",
    ]


def test_of_three_sides_the_attackers_throw_from_the_defenders_left_and_the_defender_last():
    text = """
        players: 3
        phase: combat
        turn: 5
        order: C A B
        h2 swamp A
        h9 jungle C
        h3 plains B: farmers | A thing | C watusi
        h12 plains B
        C choose A
        A choose B
        dice: 6 6 6
        B choose A
    """
    throwers, names = thrown(text)
    assert throwers == [2, 0, 1] and names == [["Watusi"], ["Thing"], ["Farmers"]]


# ---- play runs on


def test_play_runs_on_into_the_next_turn_until_somebody_is_asked():
    text = """title: a turn passes
phase: build
turn: 5
h2 swamp A: thing
h12 plains B: farmers
expect: turn 6
expect: phase heroes
expect: gold A 1
expect: asks A recruit
"""
    assert not run_text(text, "t.txt")
    with_gold = text.replace("turn: 5", "turn: 5\ngold A: 5").replace("expect: turn 6", "expect: turn 5")
    assert "expected phase heroes, found build" in str(run_text(with_gold, "t.txt")[0])


def test_a_bug_of_the_game_fails_its_scenario_with_the_place(monkeypatch):
    from games.engine.kings.flow.march import Marching

    monkeypatch.setattr(Marching, "on_march", lambda *args: 1 // 0)
    assert "t.txt:6: a table: the game broke: ZeroDivisionError" in told("A march troll: h1 > h2\nexpect: not over")


def test_a_counter_lost_on_the_way_fails(monkeypatch):
    from games.engine.kings.flow.march import Marching

    monkeypatch.setattr(Marching, "on_march", lambda self, state, seat, action: state.change_counter(1, kind="troll"))
    assert "the box is no longer whole: baby_dragon missing" in told("A march troll: h1 > h2\nexpect: not over")


def test_an_option_may_stand_alone():
    assert told("bluffs: challenge\noffered: B challenge") == ""
    assert "expected challenge to be on offer to B" in told("bluffs: automatic\noffered: B challenge")


def test_a_file_without_a_scenario_fails():
    assert "there is no scenario here" in str(run_text("phase: march\n")[0])


def test_the_command_counts_and_ends_with_an_error_when_one_failed(tmp_path, capsys):
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "good.txt").write_text(TABLE + "expect: h1 owner A\n")
    call_command("scenario", tmp_path)
    assert capsys.readouterr().out == "1 passed, 0 failed\n"
    (tmp_path / "bad.txt").write_text(TABLE + "expect: h1 owner B\n")
    with pytest.raises(SystemExit) as ended:
        call_command("scenario", tmp_path)
    assert ended.value.code == 1
    first, last = capsys.readouterr().out.splitlines()
    assert first.endswith("bad.txt:6: a table: expected h1 owner B, found A") and last == "1 passed, 1 failed"
