"""The story of a game of Kings & Things* that is over: charts, moments, luck, and who may read it."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from games import play
from games.models import Game
from games.painting.kings.finale import draw_finale, finale_context
from games.painting.kings.story import Luck, charts, fights, luck_of, turns_of
from games.painting.scene import Line
from tests.web import kings as k
from tests.web.test_act import client_of
from tests.web.test_kings_page import scene_of
from tests.web.test_verify import a_finished_kingdom

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("kings_bots", "settled_chance")]


def line(event: str, revision: int = 1, taken_back: bool = False, **facts: object) -> Line:
    return Line(revision, event, "", "", facts, taken_back, {"place": "the Fens"})


def test_turns_are_those_that_began_and_stayed():
    lines = [line("turn_began", 5, number=1), line("turn_began", 9, True, number=2), line("turn_began", 12, number=2)]
    assert turns_of(lines) == [(1, 5), (2, 12)]


def test_luck_is_hits_against_the_sum_of_chances():
    lines = [
        line("rolled", seat=0, faces=(1, 4, 6), needs=(3, 3, 6)),
        line("rolled", seat=0, faces=(6, 6)),  # a hero's recruiting: no fighter's dice
        line("rolled", seat=1, faces=(1,), needs=(2,)),
        line("rolled", taken_back=True, seat=1, faces=(1,), needs=(2,)),
    ]
    luck = luck_of(lines, [0, 1, 2])
    assert luck[0] == Luck(dice=3, expected=2.0, hits=2) and luck[1] == Luck(1, 1 / 3, 1) and luck[2].dice == 0
    assert luck[0].words == "2 hits with 3 dice, as many as expected."
    assert luck[1].words == "1 hit with 1 die, 0.7 more than expected."


def test_the_fallen_belong_to_the_battle_that_was_on():
    lines = [
        line("battle_began", 3, place="h1"),
        *(line("fell", 4, creature="Ogre", place="h1"), line("fell", 4, creature="Goblins", place="h1")),
        *(line("battle_over", 5, place="h1"), line("fell", 6, creature="Ghost", place="h9")),
        line("battle_began", 7, place="h2"),
    ]
    assert [(each.place, each.revision, each.fallen) for each in fights(lines)] == [
        ("h1", 3, ["Ogre", "Goblins"]),
        ("h2", 7, []),
    ]


def test_charts_hold_what_everybody_saw_at_the_beginning_of_each_turn():
    game = k.kings("ann", "bob")
    k.play_on(game, "story", lambda state: state.extras["turn"] >= 3)
    scene = scene_of(game, "ann")
    turns = turns_of(scene.lines)
    assert [turn for turn, _ in turns] == [1, 2, 3]
    views = [(turn, play.view_at(game, 0, revision)) for turn, revision in turns]
    hexes, income, gold, _ = charts(views, [0, 1])
    for at, (_, view) in enumerate(views):
        for seat in view.seats:
            assert gold.lines[seat.number][at] == seat.gold and income.lines[seat.number][at] == seat.income.total
            assert hexes.lines[seat.number][at] == sum(each.owner == seat.number for each in view.hexes)


def story_of(game: Game) -> str:
    return reverse("story", args=[game.public_id])


def test_the_story_is_told_when_a_game_is_over_and_not_before():
    game = k.kings("ann", "bob")
    assert client_of("ann").get(story_of(game)).status_code == 404
    over = a_finished_kingdom()
    name = over.seats.exclude(player=None).first().player.username
    page = client_of(name).get(over.get_absolute_url()).text
    assert f'href="{story_of(over)}"' in page and "How it went" in page
    told = client_of(name).get(story_of(over)).text
    assert told.count("<polyline") == 4 * over.seats.count() and "What everybody remembers" in told
    for link in re.findall(rf'href="({over.get_absolute_url()}at/\d+/)"', told):
        assert client_of(name).get(link).status_code == 200


def test_a_private_table_has_no_story_for_strangers():
    over = a_finished_kingdom()
    Game.objects.filter(pk=over.pk).update(is_public=False)
    assert Client().get(story_of(over)).status_code == 404


# ---- the link that others may be given


def shared_by(game: Game, name: str) -> str:
    assert client_of(name).post(reverse("share", args=[game.public_id])).status_code == 302
    game.refresh_from_db()
    return reverse("shared", args=[game.share_key])


def test_a_link_shows_the_story_of_a_private_table_and_nothing_else_of_it():
    over = a_finished_kingdom()
    Game.objects.filter(pk=over.pk).update(is_public=False)
    link = shared_by(over, "ann")
    answer = Client().get(link)
    assert answer.status_code == 200 and "<polyline" in answer.text and answer["X-Robots-Tag"] == "noindex"
    assert over.get_absolute_url() not in answer.text and over.invite_key not in answer.text
    for path in (story_of(over), over.get_absolute_url()):
        assert Client().get(path).status_code == 404
    assert link in client_of("bob").get(story_of(over)).text
    assert shared_by(over, "bob") == link


def test_a_link_that_was_taken_back_leads_nowhere():
    over = a_finished_kingdom()
    link = shared_by(over, "ann")
    client_of("bob").post(reverse("share", args=[over.public_id]), {"do": "stop"})
    assert Client().get(link).status_code == 404
    assert shared_by(over, "ann") != link


def test_only_players_share_and_only_what_is_over():
    over = a_finished_kingdom()
    assert client_of("eve").post(reverse("share", args=[over.public_id])).status_code in (403, 409)
    over.refresh_from_db()
    assert over.share_key is None and "Make a link" not in client_of("eve").get(story_of(over)).text
    game = k.kings("ann", "bob")
    refused = client_of("ann").post(reverse("share", args=[game.public_id]))
    assert 400 <= refused.status_code < 500
    game.refresh_from_db()
    assert game.share_key is None
    Game.objects.filter(pk=game.pk).update(share_key="of-a-game-that-goes-on")
    assert Client().get(reverse("shared", args=["of-a-game-that-goes-on"])).status_code == 404


# ---- the card at the table


def test_the_card_of_the_end_says_who_won_how_and_where_everybody_stands():
    game = k.kings("ann", "bob")
    assert draw_finale(finale_context(scene_of(game, "ann"))) == ""
    over = a_finished_kingdom()
    name = over.seats.exclude(player=None).first().player.username
    scene = scene_of(over, name)
    context = finale_context(scene)
    winners = scene.view.result.winners
    assert [seat for seat, _, won, _ in context["standings"] if won] == list(winners)
    assert {seat for seat, *_ in context["standings"]} == {person.number for person in scene.people}
    for seat, _, _, (hexes, *_) in context["standings"]:
        assert hexes == sum(each.owner == seat for each in scene.view.hexes)
    drawn = draw_finale(context)
    assert context["title"] in drawn and story_of(over) in drawn
    assert drawn.count("#crest-") == len(winners) + len(scene.people)
