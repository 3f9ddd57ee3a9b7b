"""Every scenario under tests/scenarios, and proof that a scenario can fail."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management import call_command

from games.engine.kings.actions import VOCABULARY
from games.engine.kings.scenario import VERBS, Scenario, failures_of, run_text, scenarios_in

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
        ("B march ogre: h2 > h3", "It is not your decision now"),
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
        ("options: bluffs=never\nexpect: not over", "cannot be set so"),
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
        ("h3 plains A: bandits\nA march troll: h1 > h3\nh4 plains\nexpect: not over", "this line is not understood"),
    ],
)
def test_what_is_not_understood_fails(more: str, text: str):
    assert text in told(more)


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
