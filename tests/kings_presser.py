"""A beginner at the page of Kings & Things*: presses the button that stands out, and the first one where none does.

Nothing but the drawn controls is read, so what the beginner does is what the page suggests. No browser is needed.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from games.engine.bots import think
from games.engine.core.actions import Action
from games.engine.core.dice import Dice
from games.engine.kings import KINGS
from games.engine.kings.view import KingsView
from games.painting.kings.controls.desk import TAKEN_BACK
from games.painting.kings.controls.drawing import action_from, preview
from games.painting.scene import Person, Scene
from tests.web.plain_form import Form, form_in

MOST_PRESSES = 40
MOST_ACTIONS = 6_000


def scene_of(view: KingsView) -> Scene:
    people = tuple(Person(seat.number, f"Player {seat.number}", "account") for seat in view.seats)
    return Scene(view, (), people, "", "presser", "/", "/rules/", (), "", is_player=True)


def pressed(view: KingsView) -> Action:
    """What a beginner's presses come to."""
    scene, done = scene_of(view), set[str]()
    form = form_in(preview(scene, view, {}))
    for _ in range(MOST_PRESSES):
        name, value, _, about = next_button(form, done)
        if name == "action":
            return KINGS.parse(json.loads(value))
        if name == "control":
            action = action_from(scene, view, form.sent_by(name, value))
            assert action is not None, about
            return action
        done.add(value)
        form = form_in(preview(scene, view, form.sent_by(name, value)))
    raise AssertionError(f"no answer to {view.question} after {MOST_PRESSES} presses")


def next_button(form: Form, done: set[str]) -> tuple[str, str, str, dict[str, str]]:
    able = [button for button in form.buttons if "aria-disabled" not in button[3]]
    outstanding = [button for button in able if "primary" in button[3].get("class", "").split()]
    answers = [button for button in able if not is_beside(button[1])]
    fresh = [button for button in answers if button[1] not in done]
    return (outstanding or fresh or answers)[0]  # a fort may take several hits


def is_beside(value: str) -> bool:
    """Whether a button answers no question: it can be taken back, so pressing it might go on for ever."""
    return any(f'"do":"{do}"' in value.replace(" ", "") for do in (*TAKEN_BACK, "undo"))


Watch = Callable[[KingsView, Action], None]


def hexes_after(turns: int, level: str, seed: str, person: int = 0, watch: Watch = lambda view, action: None) -> int:
    """How many hexes a beginner has at the end of so many turns, among three bots of one level."""
    bots = tuple(seat for seat in range(4) if seat != person)
    options: dict[str, Any] = KINGS.usual_options(1)
    state = KINGS.setup(seed, 4, options, Dice.seeded(seed), bots=bots).state
    while state.result is None and state.extras["turn"] <= turns:
        assert state.actions < MOST_ACTIONS, "somebody goes round in circles"
        seat = KINGS.asked(state)[0]
        view = KINGS.view(state, seat)
        assert isinstance(view, KingsView)
        chance = f"{seed} {state.actions} {seat}"
        action = pressed(view) if seat == person else think("kings", level, view, view.offers, chance)
        if seat == person:
            watch(view, action)
        KINGS.check(state, seat, action)
        state = KINGS.apply(state, seat, action).state
    return sum(here.owner == person for here in state.hexes.values())
