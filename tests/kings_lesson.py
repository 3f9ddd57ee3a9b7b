"""A pupil in the lesson of Kings & Things*: answers as they like, and notes what the coach says."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

from games import access, lobby, play, tables
from games.engine.bots import think
from games.engine.core.actions import Action
from games.engine.core.dice import Dice
from games.engine.core.offers import Exactly
from games.engine.core.plain import plain
from games.engine.kings import KINGS
from games.engine.kings.view import KingsView
from games.models import Game
from games.painting.kings.controls.drawing import action_from, preview
from games.painting.kings.lesson import bluffs_placed, cards_for, deeds
from games.painting.kings.lesson_words import END, LATER, STEPS
from games.painting.scene import Scene
from tests.kings_presser import MOST_PRESSES, next_button
from tests.web.plain_form import form_in

MOST_STEPS = 4_000


Way = Callable[[Scene, KingsView], Action]


class Pupil:
    """Plays one lesson. `cards` are those that came up, `deeds` what was done and seen.

    Whoever reads presses "Got it" for as long as there is another card; the others go on at once. The film, which also
    waits for cards, is off."""

    def __init__(self, player: Any, first: str = "first bot", way: Way | None = None, reads: bool = True) -> None:
        self.way = way or pressed
        self.reads = reads
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
            self.look(scene)
            self.bluffed = self.bluffed or bool(bluffs_placed(view))
            action = self.way(scene, view)
            play.act(game, self.seat, plain(action), revision=game.revision, token=play.fresh_token())
        raise AssertionError("the lesson goes round in circles")

    def look(self, scene: Scene) -> None:
        """What static/js/kings_coach.js and kings_lesson.js show of the cards that fit."""
        while True:
            is_told = self.told == set(STEPS)
            fresh = (each for each in cards_for(scene) if idea(each) not in map(idea, self.cards))
            card = next((each for each in fresh if each != END or is_told), None)
            if card is None:
                return
            self.cards.append(card)
            if not self.reads:
                return

    @property
    def told(self) -> set[str]:
        return {idea(card) for card in self.cards} - {END}

    def bot_acts(self, game: Game, seat: int) -> None:
        question = play.bot_question(game.pk, seat)
        assert question is not None
        play.bot_acts(question, think(question.ruleset, question.level, question.view, question.offers, question.seed))


def idea(card: str) -> str:
    return card.removesuffix(LATER)


def finished(scene: Scene, view: KingsView) -> Action:
    """Done with everything at once, wherever that may be said."""
    done = (each.action for each in view.offers if isinstance(each, Exactly) and each.do == "done")
    return next(done, None) or pressed(scene, view)


def at_random(seed: str) -> Way:
    """Anything that is allowed."""
    chance = random.Random(seed)

    def answer(scene: Scene, view: KingsView) -> Action:
        offers = [each for each in view.offers if not each.aside and each.do != "undo"]
        return chance.choice(offers).sample(Dice.seeded(str(chance.random())))

    return answer


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
