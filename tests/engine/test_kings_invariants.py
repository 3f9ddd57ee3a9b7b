"""What always holds in Kings & Things*, whatever is played (C9)."""

from __future__ import annotations

from collections import Counter as Tally

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from games.engine.core.codec import state_hash
from games.engine.core.dice import Dice
from games.engine.core.replay import Run, parting, replay
from games.engine.core.rules import Rules
from games.engine.fuzz import random_game
from games.engine.kings import BESIDE_THE_GAME, KINGS, is_final
from games.engine.kings.actions import Undo
from games.engine.kings.invariants import Broken, check, check_gold

MOST_IN_ONE_TURN = 1500


class Table(RuleBasedStateMachine):
    """A table at which anything on offer may be done by anybody who is offered it."""

    @initialize(
        players=st.integers(2, 4),
        seed=st.integers(0, 10_000),
        options=st.fixed_dictionaries({o.name: st.sampled_from(sorted(o.choices)) for o in KINGS.options}),
    )
    def open(self, players: int, seed: int, options: dict[str, str]) -> None:
        self.run = Run.fresh(KINGS, players, options, Dice.seeded(f"table {seed}"))
        self.names_seen: set[str] = set()
        self.names_now: set[str] = set()

    @precondition(lambda self: self.run.state.result is None)
    @rule(who=st.integers(0, 3), which=st.integers(0, 30), chance=st.integers(0, 1 << 30), aside=st.integers(0, 9))
    def act(self, who: int, which: int, chance: int, aside: int) -> None:
        before = self.run.state
        asked = KINGS.asked(before)
        seat = asked[who % len(asked)]
        offers = [
            o for o in KINGS.offers(before, seat) if o.aside == (aside == 0) and o.do not in ("resign", "agree_end")
        ]
        offers = offers or [o for o in KINGS.offers(before, seat) if not o.aside]
        action = offers[which % len(offers)].sample(Dice.seeded(str(chance)))
        progress = self.run.act(seat, action)
        if progress.rewind is None:
            check_gold(before, progress.told, self.run.state)
        else:
            assert isinstance(action, Undo)
            self.undone_was_harmless(seat, progress.rewind)

    def undone_was_harmless(self, seat: int, number: int) -> None:
        """Undo never crosses a die, a draw, a reveal or another seat's action."""
        for step in self.run.steps[number:-1]:
            if not isinstance(step.action, Undo) and step.action.do not in BESIDE_THE_GAME:
                assert step.seat == seat
                assert not is_final(step.progress), f"undo went back over {step.action}"

    @invariant()
    def everything_holds(self) -> None:
        if hasattr(self, "run"):
            check(self.run.state)

    @invariant()
    def old_names_never_come_back(self) -> None:
        """Nobody can follow a counter that was hidden by the name it had before."""
        if not hasattr(self, "run") or self.run.state.era:
            return
        now = {c.tag for c in self.run.state.counters.values() if c.tag}
        assert not (now - self.names_now) & self.names_seen
        self.names_seen |= now
        self.names_now = now

    def teardown(self) -> None:
        if hasattr(self, "run"):
            steps = [(step.seat, step.action) for step in self.run.steps]
            again = replay(KINGS, self.run.states[0], steps)
            assert parting(self.run, again) is None
            assert state_hash(again.state) == state_hash(self.run.state)


Table.TestCase.settings = settings(
    max_examples=40, stateful_step_count=80, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True
)
TestTable = Table.TestCase


@pytest.mark.parametrize("players", [2, 3, 4])
def test_random_games_end_and_nothing_is_lost(players, monkeypatch):
    """A small version of `manage.py fuzz`: the box and all gold are accounted for, and nobody gets stuck in a turn."""
    monkeypatch.setattr(Rules, "check_codec", False)
    for seed in range(5):
        run, _ = random_game(KINGS, players, f"invariants {seed}", 4000, check)
        turn, most = Tally(state.extras["turn"] for state in run.states).most_common(1)[0]
        assert most < MOST_IN_ONE_TURN, f"turn {turn} of game {seed} went on for {most} actions"
        for before, step, after in zip(run.states, run.steps, run.states[1:]):
            if step.progress.rewind is None:
                check_gold(before, step.progress.told, after)


def broken(state, **changes):
    twin = state.copy()
    for number, values in changes.get("counters", {}).items():
        twin.change_counter(number, **values)
    for place, values in changes.get("hexes", {}).items():
        twin.change_hex(place, **values)
    for seat, values in changes.get("seats", {}).items():
        twin.change_seat(seat, **values)
    return twin


def test_the_checks_can_fail():
    """Each promise is broken once on purpose."""
    run, _ = random_game(KINGS, 4, "to be broken 4", 300)
    state = run.state
    check(state)
    on_rack = state.rack(0)[0]
    free = next(p for p, here in state.hexes.items() if here.owner == 0 and not here.fort)
    faults = {
        "a counter that is nowhere": {"counters": {on_rack: {"place": "under the table"}}},
        "two of a kind too many": {"counters": {on_rack: {"kind": "big_foot"}}},
        "somebody else's counter on a rack": {"counters": {on_rack: {"owner": 1}}},
        "debts": {"seats": {0: {"gold": -1}}},
        "a hex that was never printed": {"hexes": {free: {"terrain": "lava"}}},
        "a fort of nobody": {"hexes": {free: {"owner": None, "fort": 1}}},
        "a ruin after the battle": {"hexes": {free: {"fort": 2, "damage": 1}}},
    }
    for fault, changes in faults.items():
        with pytest.raises(Broken):
            check(broken(state, **changes))
            pytest.fail(fault)
    with pytest.raises(Broken):
        check_gold(state, (), broken(state, seats={1: {"gold": state.seats[1].gold + 1}}))
