"""Why not? A page may ask what would be said to an action, and nothing is done."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games import play
from games.models import Action, Game
from tests.kings_tables import MARCH, laid
from tests.tables import player, running
from tests.web import kings as k

pytestmark = pytest.mark.django_db


def ask(game: Game, name: str, action: Any) -> tuple[int, dict[str, str]]:
    client = Client()
    if name:
        client.force_login(player(name))
    text = action if isinstance(action, str) else json.dumps(action)
    answer = client.post(reverse("why", args=[game.public_id]), {"action": text})
    return answer.status_code, answer.json()


def tags(game: Game, seat: int) -> dict[str, str]:
    return {each.kind: each.tag for each in play.view_for(game, seat).counters if getattr(each, "kind", "")}


def test_the_reason_and_its_rule_are_told():
    game = laid(MARCH)
    ogre = tags(game, 0)["ogre"]
    code, told = ask(game, "ann", {"do": "march", "counters": [ogre], "path": ["h3"]})
    assert code == 200 and "sea" in told["why"] and told["rule"] == "9.25"
    code, told = ask(game, "ann", {"do": "march", "counters": [ogre], "path": ["h4", "h1", "h4"]})
    assert code == 200 and "four movement points" in told["why"]
    assert ask(game, "bob", {"do": "march", "counters": [ogre], "path": ["h2"]})[1]["why"]


def test_nothing_is_said_of_what_is_allowed_and_nothing_is_done():
    game = laid(MARCH)
    before = Action.objects.filter(game=game).count(), play.view_for(game, 0)
    ogre = tags(game, 0)["ogre"]
    assert ask(game, "ann", {"do": "march", "counters": [ogre], "path": ["h2"]}) == (200, {"why": "", "rule": ""})
    assert ask(game, "ann", {"do": "done"}) == (200, {"why": "", "rule": ""})
    play.forget()
    assert (Action.objects.filter(game=game).count(), play.view_for(game, 0)) == before


@pytest.mark.parametrize(
    "question, place, rule",
    [("claim", "h1", "2.16"), ("tower", "h1", "12.1"), ("start", "h1", "2.15")],
)
def test_a_hex_that_is_not_offered_in_the_set_up_is_refused_with_its_rule(question: str, place: str, rule: str):
    game = k.kings(setup="in_turn")

    def is_asked(state: Any) -> bool:
        return bool(state.flow) and any(play.view_for(game, seat).question == question for seat in k.asked(game))

    k.play_on(game, "why", is_asked)
    seat = k.asked(game)[0]
    offer = next(each.plain() for each in play.view_for(game, seat).offers if not each.aside)
    code, told = ask(game, k.NAMES[seat], {"do": offer["do"], offer["field"]: place})
    assert code == 200 and told["rule"] == rule, told


def test_whoever_does_not_play_is_told_so_and_rubbish_is_refused():
    game = laid(MARCH)
    assert ask(game, "", {"do": "done"})[0] == 403
    assert ask(game, "eve", {"do": "done"})[0] == 403
    assert ask(game, "ann", "{")[0] == 400
    assert ask(game, "ann", {"do": "fly to the moon"})[0] == 400
    assert ask(game, "ann", "[]" * 3000)[0] == 400
    client = Client()
    client.force_login(player("ann"))
    assert client.get(reverse("why", args=[game.public_id])).status_code == 405


def test_it_serves_every_game():
    game = running("ann", "bob", options={"light": "host"})
    code, told = ask(game, "ann", {"do": "move", "source": "e2", "target": "e9"})
    assert code == 200 and told["why"]
