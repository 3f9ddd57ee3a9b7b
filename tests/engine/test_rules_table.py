"""docs/rules.md has a scenario and code for every rule, and is up to date."""

from __future__ import annotations

import pytest

from tests.mutants import all_mutants, all_survivors, scenarios_fail
from tests.rules_table import PAGE, PARTS, SCENARIOS, page, resolved, rows, scenarios_by_rule

EVERY = [(rule, code) for text in PARTS.values() for rule, _, code, _ in rows(text)]
RULES = [rule for rule, _ in EVERY]


def test_every_rule_has_a_scenario():
    known = scenarios_by_rule()
    missing = [rule for rule in RULES if not known.get(rule)]
    assert not missing, f"no scenario says that it shows: {', '.join(missing)}"


def test_no_scenario_names_a_rule_that_is_not_there():
    unknown = {rule: files for rule, files in scenarios_by_rule().items() if rule not in RULES}
    assert not unknown


def test_the_code_of_every_rule_is_there():
    for _, code in EVERY:
        for each in code:
            resolved(each)


def test_no_rule_is_listed_twice():
    assert len(RULES) == len(set(RULES))


def test_the_page_is_up_to_date():
    assert PAGE.read_text() == page(), "run `python -m tests.rules_table`"


def test_every_rule_has_a_mutant_or_a_reason():
    covered = {mutant.rule for mutant in all_mutants()} | set(all_survivors())
    missing = [rule for rule in RULES if rule not in covered and not rule.endswith("example")]
    assert not missing, f"neither mutant nor reason: {', '.join(missing)}"


@pytest.mark.parametrize("mutant", all_mutants(), ids=lambda m: f"{m.rule}: {m.fault}"[:60])
def test_a_fault_is_noticed(mutant):
    assert mutant.rule in RULES
    assert all((SCENARIOS / name).exists() for name in mutant.scenarios)
    assert scenarios_fail(mutant), f"with this fault all scenarios still pass: {mutant.fault}"
