"""A pupil in the lesson of Kings & Things*: presses what stands out, and notes what the coach says."""

from __future__ import annotations

import json
from typing import Any

from games import access, lobby, play, tables
from games.engine.bots import think
from games.engine.core.actions import Action
from games.engine.core.plain import plain
from games.engine.kings import KINGS
from games.engine.kings.view import KingsView
from games.models import Game
from games.painting.kings.controls.drawing import action_from, preview
from games.painting.kings.lesson import bluffs_placed, deeds, step_of
from games.painting.scene import Scene
from tests.kings_presser import MOST_PRESSES, next_button
from tests.web.plain_form import form_in

MOST_STEPS = 4_000


class Pupil:
    """Plays one lesson. `cards` are the steps that came up, `deeds` what was done and seen."""

    def __init__(self, player: Any, first: str = "first bot") -> None:
        self.game = lobby.lesson(player, "kings")
        self.seat = self.game.seats.get(player=player).number
        self.first = first  # who answers first where several are asked at once
        self.cards: list[str] = []
        self.bluffed = False

    @property
    def scene(self) -> Scene:
        game = Game.objects.get(pk=self.game.pk)
        return tables.scene_for(access.visit(game, self.game.host, {}, access.seats_of(game)))

    @property
    def deeds(self) -> set[str]:
        return deeds(self.scene.lines, self.seat) | ({"bluff"} if self.bluffed else set())

    def plays(self, turns: int) -> None:
        """Until so many turns are over."""
        for _ in range(MOST_STEPS):
            game = Game.objects.get(pk=self.game.pk)
            if game.status != "running":
                return
            waiting = play.bot_questions(game)
            is_asked = game.seats.get(number=self.seat).is_asked
            if waiting and not (self.first == "pupil" and is_asked):
                self.bot_acts(game, waiting[-1 if self.first == "last bot" else 0][0])
                continue
            scene = self.scene
            view = scene.view
            assert isinstance(view, KingsView)
            if view.turn > turns:
                return
            if (step := step_of(scene)) and step not in self.cards:
                self.cards.append(step)
            self.bluffed = self.bluffed or bool(bluffs_placed(view))
            action = pressed(scene, view)
            play.act(game, self.seat, plain(action), revision=game.revision, token=play.fresh_token())
        raise AssertionError("the lesson goes round in circles")

    def bot_acts(self, game: Game, seat: int) -> None:
        question = play.bot_question(game.pk, seat)
        assert question is not None
        play.bot_acts(question, think(question.ruleset, question.level, question.view, question.offers, question.seed))


def pressed(scene: Scene, view: KingsView) -> Action:
    """What presses on the buttons that stand out come to."""
    done = set[str]()
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
