"""Nothing hidden leaks (C1): views, offers and log are the same whatever lies where a seat cannot see."""

from __future__ import annotations

import dataclasses

import pytest

from games.engine.core.dice import Dice
from games.engine.core.plain import canonical, plain
from games.engine.core.rules import Rules
from games.engine.core.view import Back, Face
from games.engine.fuzz import random_game
from games.engine.kings import KINGS, Kings
from games.engine.kings.catalogue import KINDS
from games.engine.kings.events import OrderGiven
from games.engine.kings.view import counters

STATES = 2000
NAMES = {kind.name for kind in KINDS.values() if kind.sort != "hero"}


def differing(state, seat, seed: str) -> bool:
    """Whether a seat's View of a state differs from that of a twin in which all that it cannot see lies elsewhere."""
    twin = KINGS.scramble(state, seat, Dice.seeded(seed))
    assert any(twin.counters[n].kind != c.kind for n, c in state.counters.items()), "the twin is no other"
    return canonical(plain(KINGS.view(twin, seat))) != canonical(plain(KINGS.view(state, seat)))


@pytest.fixture(scope="module")
def games():
    """Random games of two, three and four with random options; every state of them in order."""
    Rules.check_codec = False
    runs = [random_game(KINGS, 2 + n % 3, f"secrets {n}", 700)[0] for n in range(9)]
    Rules.check_codec = True
    return runs


@pytest.fixture(scope="module")
def states(games):
    """Some two thousand states, evenly out of all phases."""
    everything = [state for run in games for state in run.states if state.result is None]
    step = max(1, len(everything) // STATES)
    return everything[::step][:STATES]


@pytest.mark.parametrize("part", range(4))
def test_nothing_hidden_changes_what_a_seat_is_shown(states, part):
    chosen = states[part::4]
    assert len(states) >= STATES * 0.9
    for number, state in enumerate(chosen):
        seats = [None, *state.seats]
        seat = seats[number % len(seats)]
        assert not differing(state, seat, f"twin {number}"), (
            f"seat {seat} after {state.actions} actions of {state.game}"
        )


def test_nobody_learns_what_lies_under_a_start_that_has_been_chosen(games):
    """Hexes are face down until all have chosen (2.1, S2): what a chosen one brings in would tell whether it is Sea."""
    choosing = [state for run in games for state in run.states[:6] if not all(h.face_up for h in state.hexes.values())]
    assert any(here.owner is not None for state in choosing for here in state.hexes.values())
    for state in choosing:
        for seat in [None, *state.seats]:
            for number in range(4):
                assert not differing(state, seat, f"under {number}"), f"seat {seat} after {state.actions} actions"


def test_the_log_names_no_counter_its_reader_cannot_know(games):
    """Whoever hears of a counter by name has seen it, sees it now, or is told because it is being shown."""
    for run in games:
        for before, step, after in zip(run.states, run.steps, run.states[1:]):
            for told in step.progress.told:
                if told.event.reveals or isinstance(told.event, OrderGiven) or not mentioned(told.event):
                    continue
                shown = {name for t in step.progress.told if t.event.reveals for name in mentioned(t.event)}
                for seat in [None, *after.seats]:
                    if told.heard_by(seat):
                        known = shown | faces(before, seat) | faces(after, seat)
                        assert mentioned(told.event) <= known, f"{told.event} to {seat}"


def mentioned(event) -> set[str]:
    found = set()
    for value in plain(event).values():
        found |= {value} if isinstance(value, str) else set(value) if isinstance(value, list) else set()
    return found & NAMES


def faces(state, seat) -> set[str]:
    return {KINDS[c.kind].name for c in counters(state, seat) if isinstance(c, Face)}


def test_who_is_asked_in_a_window_is_nobodys_business(games):
    found = 0
    for run in games:
        for state in run.states:
            if state.flow and state.flow[-1].name() == "window":
                asked = KINGS.asked(state)
                for seat in [None, *state.seats]:
                    assert set(KINGS.view(state, seat).asked) <= {seat}
                found += len(asked) > 1
    assert found, "no window with several players asked: this test shows nothing"


# ---- the test itself is tested: each leak must be found


def in_order_of_the_box(state, seat):
    """Backs lie in the order of their numbers, which tell the kind."""
    numbers = {c.tag: n for n, c in state.counters.items()}
    return tuple(sorted(counters(state, seat), key=lambda c: state.counters[numbers[c.tag]].kind))


def marked_backs(state, seat):
    """The name of a Back says what is on its other side."""
    return tuple(
        dataclasses.replace(c, tag=c.tag + state.by_tag(c.tag).kind) if isinstance(c, Back) else c
        for c in counters(state, seat)
    )


def strong_ones_first(state, seat):
    return tuple(sorted(counters(state, seat), key=lambda c: -state.kind(state.tags[c.tag]).value))


def turned_up(state, seat):
    """One face-down counter of somebody else is shown."""
    found = []
    for c in counters(state, seat):
        found.append(Face(c.tag, state.by_tag(c.tag).kind, c.place, c.owner) if isinstance(c, Back) else c)
    return tuple(found)


def cup_histogram(state, seat):
    kinds = sorted(state.counters[n].kind for n in state.at("cup"))
    return (*counters(state, seat), Back("cup", " ".join(kinds), None))


def racks_of_others(state, seat):
    return (
        *counters(state, seat),
        *(Back(state.counters[n].kind, "rack", s) for s in state.seats for n in state.rack(s)),
    )


@pytest.mark.parametrize(
    "leak", [in_order_of_the_box, marked_backs, strong_ones_first, turned_up, cup_histogram, racks_of_others]
)
def test_a_leak_in_the_view_is_found(states, monkeypatch, leak):
    monkeypatch.setattr("games.engine.kings.view.counters", leak)
    assert any(differing(state, None, f"leak {n}") for n, state in enumerate(states[200:260]))


def test_a_leak_by_asking_is_found(states, monkeypatch):
    """If only those were asked who hold magic, the page would tell who does."""
    asked = Kings.asked

    def holders(self, state):
        return tuple(s for s in asked(self, state) if any(state.kind(n).sort == "magic" for n in state.rack(s)))

    sealed = [s for s in states if s.options["reactions"] == "sealed" and s.extras["turn"]]
    monkeypatch.setattr(Kings, "asked", holders)
    assert any(differing(state, None, f"asking {n}") for n, state in enumerate(sealed[:200]))
