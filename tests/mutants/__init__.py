"""`make mutants`: one rule switched off at a time; the scenarios of its row in docs/rules.md must then fail.

A mutant names the rule, the function or method that holds it, and what is put in its place. Functions are replaced in
every module of the engine that has imported them, methods in their class.
"""

from __future__ import annotations

import contextlib
import importlib
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SCENARIOS = Path(__file__).resolve().parent.parent / "scenarios"


@dataclass(frozen=True)
class Mutant:
    """`change` takes the original and returns what is to stand in its place."""

    rule: str  # the row of docs/rules.md
    fault: str  # what is wrong now, in words
    target: str  # "games.engine.kings.movement:cost", "games.engine.kings.flow.battle:Battle.baron", or a constant
    change: Callable[[Any], Any]
    scenarios: tuple[str, ...]  # files below tests/scenarios; one of them at least must fail


def nothing(original: Callable[..., Any]) -> Callable[..., Any]:
    """A step that does nothing."""
    return lambda *args, **kwargs: None


def always(value: Any) -> Callable[[Any], Any]:
    """A question with one answer."""
    return lambda original: lambda *args, **kwargs: value


def instead(value: Any) -> Callable[[Any], Any]:
    """Another constant."""
    return lambda original: value


@contextlib.contextmanager
def applied(mutant: Mutant) -> Iterator[None]:
    module_name, _, path = mutant.target.partition(":")
    owner: Any = importlib.import_module(module_name)
    *outer, name = path.split(".")
    for each in outer:
        owner = getattr(owner, each)
    original = vars(owner)[name]
    changed = mutant.change(original.fget if isinstance(original, property) else original)
    replacement = property(changed) if isinstance(original, property) else changed
    holders = [owner] if outer else holders_of(name, original)
    for holder in holders:
        setattr(holder, name, replacement)
    try:
        yield
    finally:
        for holder in holders:
            setattr(holder, name, original)


def holders_of(name: str, original: Any) -> list[Any]:
    """Every module of the engine that knows this function or constant by this name."""
    modules = [module for key, module in list(sys.modules.items()) if key.startswith("games.engine.kings")]
    return [module for module in modules if name in vars(module) and vars(module)[name] is original]


def all_mutants() -> list[Mutant]:
    found: list[Mutant] = []
    for path in sorted(Path(__file__).parent.glob("ch*.py")):
        found += importlib.import_module(f"tests.mutants.{path.stem}").MUTANTS
    return found


def all_survivors() -> dict[str, str]:
    """Rules that no mutant can switch off, each with the reason."""
    found: dict[str, str] = {}
    for path in sorted(Path(__file__).parent.glob("ch*.py")):
        found |= getattr(importlib.import_module(f"tests.mutants.{path.stem}"), "SURVIVORS", {})
    return found


def scenarios_fail(mutant: Mutant) -> bool:
    """Whether at least one scenario of the mutant's row notices the fault."""
    from games.engine.kings.scenario import failures_of, scenarios_in

    with applied(mutant):
        for name in mutant.scenarios:
            for scenario in scenarios_in(SCENARIOS / name):
                try:
                    if failures_of(scenario):
                        return True
                except Exception:  # a fault may make the engine itself stumble: noticed all the same
                    return True
    return False


def main() -> int:
    survivors = all_survivors()
    lived = []
    for mutant in all_mutants():
        killed = scenarios_fail(mutant)
        print(f"{'killed  ' if killed else 'SURVIVED'} {mutant.rule:24} {mutant.fault}", flush=True)
        if not killed:
            lived.append(mutant)
    for rule, reason in sorted(survivors.items()):
        print(f"no mutant {rule:23} {reason}")
    print(f"{len(all_mutants()) - len(lived)} passed, {len(lived)} failed")
    return 1 if lived else 0
