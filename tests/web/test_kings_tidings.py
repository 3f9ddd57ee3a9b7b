"""Tidings: cards about what a player must not miss, made from the player's own log and View."""

from __future__ import annotations

import dataclasses
from dataclasses import replace

import pytest
from django.urls import reverse

from games import doorbell
from games.engine.core.dice import Dice
from games.engine.core.grown import Grown
from games.engine.core.state import Result
from games.engine.kings import KINGS
from games.painting import fragments as painting
from games.painting.kings.outdated import BRINGS_GOLD, FINDS, with_notes
from games.painting.kings.tidings import AFTERMATH, LOSES_SUPPORT, TOLD, Tiding, bluffs_context, draw_tiding, tidings
from games.painting.scene import Line, Scene
from tests.kings_tables import MARCHED, laid
from tests.web import kings as k
from tests.web.test_act import client_of
from tests.web.test_kings_page import scene_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("kings_bots", "settled_chance")]


@pytest.fixture(name="scene")
def fixture_scene() -> Scene:
    return scene_of(k.kings(), "ann")


def with_lines(scene: Scene, *events: tuple) -> Scene:
    """(revision, event, facts); facts that are not named have their defaults."""
    kinds = KINGS.event_kinds()

    def whole(event: str, told: dict) -> dict:
        defaults = {f.name: f.default for f in dataclasses.fields(kinds[event]) if f.default is not dataclasses.MISSING}
        return {**defaults, **told}

    return replace(
        scene, lines=Grown(Line(at, event, f"[{event}]", "", whole(event, told)) for at, event, told in events)
    )


def cards(scene: Scene, *events: tuple) -> list[Tiding]:
    return list(tidings(with_lines(scene, *events), 0))


BEGAN = (7, "battle_began", {"place": "h9", "attackers": [1], "defender": 0})


def test_every_event_named_is_one_of_the_game():
    assert {*TOLD, *AFTERMATH, *LOSES_SUPPORT, *BRINGS_GOLD, *(event for _, event in FINDS)} <= set(KINGS.event_kinds())


def test_a_battle_tells_who_fell_and_what_came_of_it(scene):
    (card,) = cards(
        scene,
        BEGAN,
        (7, "bluffs_removed", {"seat": 1, "creature": "Ghost", "place": "h9"}),
        (8, "fell", {"creature": "Giant", "seat": 0, "place": "h9"}),
        (8, "fell", {"creature": "Ogre", "seat": 1, "place": "h9"}),
        (8, "took_hit", {"what": "tower", "left": 0, "seat": 0, "place": "h9"}),
        (9, "battle_over", {"place": "h9", "winner": 1}),
        (9, "captured", {"seat": 1, "place": "h9", "terrain": "swamp", "by": 0}),
    )
    assert (card.kind, card.title, card.place) == ("lost", "You lost the battle in h9", "h9")
    assert card.lines == (
        "You lost Giant and tower.",
        "bob lost Ogre and had Ghost removed as bluff.",
        "bob takes h9 (swamp) from you.",
    )


def test_a_battle_is_told_from_the_side_of_its_reader(scene):
    told = (BEGAN, (8, "retreated", {"seat": 1, "count": 2, "place": "h9", "target": "h8"}))
    over = (8, "battle_over", {"place": "h9", "winner": 0})
    (card,) = cards(scene, *told, over)
    assert (card.kind, card.title) == ("won", "You won the battle in h9")
    assert card.lines == ("You lost nobody.", "bob retreated.")
    (drawn,) = cards(scene, *told, (8, "battle_over", {"place": "h9"}))
    assert drawn.kind == "drawn"
    assert cards(replace(scene, view=replace(scene.view, seat=2)), *told, over) == []


def test_only_the_latest_battle_of_a_hex_counts(scene):
    over = (8, "battle_over", {"place": "h9", "winner": 0})
    fallen = (8, "fell", {"creature": "Giant", "seat": 0, "place": "h9"})
    elsewhere = (10, "fell", {"creature": "Ogre", "seat": 0, "place": "h4"})
    *_, latest = cards(scene, BEGAN, fallen, over, BEGAN, elsewhere, (11, *over[1:]))
    assert latest.lines[0] == "You lost nobody."


def test_land_taken_without_a_battle_has_a_card_of_its_own(scene):
    (card,) = cards(scene, (7, "captured", {"seat": 1, "place": "h9", "terrain": "swamp", "by": 0}))
    assert (card.kind, card.title, card.lines) == ("land", "You have lost h9", ("bob takes h9 (swamp) from you.",))
    assert cards(scene, (7, "captured", {"seat": 1, "place": "h9", "terrain": "swamp", "by": 2})) == []


def test_a_hero_who_is_gone_says_who_is_on_the_other_side(scene):
    (card,) = cards(scene, (7, "fell", {"creature": "Marksman", "seat": 0, "place": "h9"}))
    assert card.title == "Your Marksman is gone" and "Forest King" in card.lines[1]
    (caught,) = cards(scene, (7, "caught", {"seat": 0, "hero": "Master Thief"}))
    assert caught.title == "Your Master Thief is gone"
    (sides,) = cards(scene, (7, "defected", {"seat": 1, "hero": "Marksman", "by": 0}))
    assert sides.title == "Your Marksman has changed sides"
    assert cards(scene, (7, "fell", {"creature": "Marksman", "seat": 1, "place": "h9"})) == []
    assert cards(scene, (7, "fell", {"creature": "Giant", "seat": 0, "place": "h9"})) == []


def test_bluffs_found_out_by_one_action_share_a_card(scene):
    def bluff(creature: str, seat: int = 0, place: str = "h9") -> tuple:
        return 7, "bluffs_removed", {"seat": seat, "creature": creature, "place": place}

    found = cards(scene, bluff("Ghost"), bluff("Ogre", seat=1), bluff("Thing"), bluff("Troll", place="h4"))
    assert [card.title for card in found] == ["Your bluffs in h9 found out", "Your bluff in h4 found out"]
    assert found[0].lines == ("Ghost and Thing had no support there and went back to the cup.",)


def test_losses_by_one_action_share_a_card(scene):
    def lost(event: str, **facts) -> tuple:
        return 7, event, {"seat": 0, "place": "h9", **facts}

    plague = (7, "event_played", {"seat": 1, "event_name": "Dark Plague"})
    (card,) = cards(scene, plague, lost("lost_town", town="city"), lost("lost_counters", count=2))
    assert card.title == "You have suffered losses" and len(card.lines) == 2
    assert card.lines[1] == "Dark Plague, played by bob, takes two of yours in h9."
    (robbed,) = cards(scene, (7, "stole_gold", {"seat": 1, "by": 0, "amount": 3}))
    assert robbed.title == "You have been robbed"
    assert cards(scene, (7, "lost_town", {"seat": 1, "place": "h9", "town": "city"})) == []


def test_income_that_is_down_says_in_what(scene):
    def income(seat: int, land: int, counters: int) -> tuple:
        parts = {"land": land, "forts": 1, "counters": counters, "heroes": 0}
        return land, "collected", {"seat": seat, "gold": land + counters + 1, **parts}

    (card,) = cards(scene, income(0, 5, 3), income(1, 9, 9), income(0, 6, 1))
    assert card.title == "Income is down from 9 to 8 gold" and card.lines == ("Counters: 1 (was 3).",)
    assert cards(scene, income(0, 5, 3), income(0, 5, 3)) == []


def test_the_end_is_told_before_it_comes_and_when_it_comes(scene):
    danger, mine = cards(scene, (7, "sole_citadel", {"seat": 1}), (8, "sole_citadel", {"seat": 0}))
    assert (danger.kind, danger.title) == ("danger", "bob is about to win")
    assert (mine.kind, mine.title) == ("citadel", "You hold the only citadel")
    (out,) = cards(scene, (7, "seat_out", {"seat": 0}))
    assert (out.kind, out.title) == ("out", "You are out of the game")
    (won,) = cards(scene, (7, "won", {"seat": 1, "how": "by agreement"}))
    assert (won.kind, won.title) == ("over", "The game is over: bob wins")


CITADEL = (3, "built", {"seat": 0, "fort": "citadel", "place": "h9", "gold": 5})
COMES = (8, "marched", {"seat": 1, "count": 3, "source": "h3", "target": "h9", "path": ["h9"]})


def test_an_enemy_in_the_hex_of_ones_citadel_has_a_card(scene):
    (card,) = cards(scene, CITADEL, COMES)
    assert (card.kind, card.place, card.number) == ("danger", "h9", 1)
    assert card.title == "bob has come to your citadel" and "with three" in card.lines[0], card


def test_more_of_them_in_the_same_phase_are_no_second_card(scene):
    again, phase = (9, *COMES[1:]), (9, "phase_began", {"phase": "march", "seat": 1})
    assert len(cards(scene, CITADEL, COMES, again)) == 1
    assert len(cards(scene, CITADEL, COMES, phase, again)) == 2


@pytest.mark.parametrize(
    "before",
    [
        (),
        ((3, "built", {**CITADEL[2], "fort": "castle"}),),
        ((3, "built", {**CITADEL[2], "place": "h8"}),),
        ((3, "built", {**CITADEL[2], "seat": 1}),),
        (CITADEL, (4, "captured", {"seat": 1, "place": "h9", "terrain": "swamp", "by": 0})),
        (CITADEL, (4, "hex_changed", {"place": "h9", "terrain": "sea", "was": "swamp"})),
    ],
)
def test_no_citadel_of_ones_own_no_card(scene, before):
    assert not [card for card in cards(scene, *before, COMES) if card.number == len(before)]


def test_a_citadel_taken_is_ones_own(scene):
    theirs = (3, "built", {**CITADEL[2], "seat": 1})
    taken = (4, "captured", {"seat": 0, "place": "h9", "terrain": "swamp", "by": 1})
    assert [card.kind for card in cards(scene, theirs, taken, COMES)] == ["danger"]


def test_spectators_and_what_was_taken_back_get_no_card(scene):
    out = (7, "seat_out", {"seat": 0})
    assert cards(replace(scene, view=replace(scene.view, seat=None)), out) == []
    shown = with_lines(scene, out)
    undone = Grown(replace(line, taken_back=True) for line in shown.lines)
    assert list(tidings(replace(shown, lines=undone), 0)) == []


def test_cards_that_grow_are_the_cards_drawn_anew():
    """A page that is patched action by action shows the same cards as one that is loaded now."""
    game, chance, before, seen = k.kings(), Dice.seeded("cards"), None, set()
    for _ in range(420):
        scene = scene_of(game, "ann")
        now = painting.fragments(scene, before)
        assert list(now.lists["tidings"]) == list(painting.fragments(scene).lists["tidings"])
        before, seen = now, seen | {card.number for card in now.lists["tidings"]}
        seats = k.asked(game)
        seat = seats[chance.pick("seat", len(seats))]
        k.act(game, seat, k.sampled(game, seat, chance))
    assert len(seen) > 4


# ---- cards that are no longer true


def as_of_now(scene: Scene, *events: tuple, **here: object) -> tuple[str, ...]:
    """What the cards' notes say; `here` is how h9 is now."""
    hexes = tuple(replace(each, **here) if each.place == "h9" else each for each in scene.view.hexes)
    told = with_lines(replace(scene, view=replace(scene.view, hexes=hexes)), *events)
    return tuple(card.note.says if card.note else "" for card in with_notes(told, list(tidings(told, 0))))


LOST = (7, "captured", {"seat": 1, "place": "h9", "terrain": "swamp", "by": 0})
WON_BACK = (8, "captured", {"seat": 0, "place": "h9", "terrain": "swamp", "by": 1})


def test_land_that_was_won_back_is_no_longer_lost(scene):
    assert as_of_now(scene, LOST, WON_BACK, owner=0) == ("No longer true: You take h9 (swamp) from bob.",)
    assert as_of_now(scene, LOST, owner=1) == ("",)
    assert as_of_now(scene, LOST, WON_BACK, LOST, owner=1) == ("", "")


def test_a_lost_battle_stays_lost_but_its_hex_may_be_ones_own_again(scene):
    fought = (BEGAN, (7, "battle_over", {"place": "h9", "winner": 1}), LOST)
    assert as_of_now(scene, *fought, owner=1) == ("",)
    assert as_of_now(scene, *fought, WON_BACK, owner=0) == ("Since then: You take h9 (swamp) from bob.",)


SOLE = (7, "sole_citadel", {"seat": 1})
THEIRS = (3, "built", {"seat": 1, "fort": "citadel", "place": "h9", "gold": 5})
FALLEN = (8, "captured", {"seat": 2, "place": "h9", "terrain": "swamp", "by": 1})


def test_whoever_lost_the_citadel_is_no_longer_about_to_win(scene):
    assert as_of_now(scene, THEIRS, SOLE, owner=1, fort=4) == ("",)
    (said,) = as_of_now(scene, THEIRS, SOLE, FALLEN, owner=2, fort=4)
    assert said.startswith("No longer true: ") and "takes h9 (swamp) from bob" in said
    (said,) = as_of_now(scene, THEIRS, SOLE, (9, "no_sole_citadel", {"seat": 1}))
    assert said == "No longer true: [no_sole_citadel]"
    (mine, _) = as_of_now(scene, CITADEL, (7, "sole_citadel", {"seat": 0}), LOST)
    assert mine == "No longer true: bob takes h9 (swamp) from you."


def test_nobody_is_about_to_win_a_game_that_is_over(scene):
    over = replace(scene, view=replace(scene.view, result=Result((1,), "by agreement")))
    danger, won = as_of_now(over, THEIRS, SOLE, (9, "won", {"seat": 1, "how": "by agreement"}), owner=1, fort=4)
    assert danger == "No longer true: The game is over." and won == ""


def test_an_enemy_who_has_left_the_citadel_is_no_danger_there():
    stands = """
        players: 2
        phase: march
        turn: 5
        h9 swamp A citadel: ogre
        h12 swamp B: ghost
    """
    scene, enemy = scene_of(laid(stands), "ann"), "    h9 swamp A citadel: ogre | B ghost"
    there = scene_of(laid(stands.replace("h9 swamp A citadel: ogre", enemy.strip())), "ann")
    assert as_of_now(there, CITADEL, COMES) == ("",)
    assert as_of_now(scene, CITADEL, COMES) == ("No longer true: None of bob’s counters is there any more.",)
    retreat = (9, "retreated", {"seat": 1, "count": 3, "place": "h9", "target": "h3"})
    assert as_of_now(scene, CITADEL, COMES, retreat) == ("No longer true: bob retreats with three from h9 to h3.",)
    fallen = as_of_now(there, CITADEL, COMES, LOST, owner=1)
    assert fallen == ("No longer true: bob takes h9 (swamp) from you.", "")


def test_a_hero_who_has_come_back_is_no_longer_gone(scene):
    gone = (7, "fell", {"creature": "Marksman", "seat": 0, "place": "h9"})
    joined = (8, "hero_joined", {"seat": 0, "hero": "Marksman", "place": "h4"})
    assert as_of_now(scene, gone, joined) == ("",)
    has = laid("players: 2\nturn: 5\nphase: march\nh4 swamp A: marksman\nh12 swamp B: ghost\n")
    assert as_of_now(scene_of(has, "ann"), gone, joined) == ("No longer true: The Marksman joins you in h4.",)


def test_income_that_is_up_again_is_no_longer_down(scene):
    def income(gold: int) -> tuple:
        return 7, "collected", {"seat": 0, "gold": gold, "land": gold, "forts": 0, "counters": 0, "heroes": 0}

    def now(gold: int) -> Scene:
        mine, *others = scene.view.seats
        seats = (replace(mine, income=replace(mine.income, land=gold)), *others)
        return replace(scene, view=replace(scene.view, seats=seats))

    rest = now(0).view.seats[0].income.total
    assert as_of_now(now(8 - rest), income(9), income(6)) == ("",)
    assert as_of_now(now(9 - rest), income(9), income(6)) == ("No longer true: Your kingdom brings 9 gold now.",)


def test_the_page_shows_a_note_once_its_film_has_come_to_it(scene):
    told = with_lines(scene, LOST, WON_BACK)
    hexes = tuple(replace(each, owner=0) if each.place == "h9" else each for each in told.view.hexes)
    told = replace(told, view=replace(told.view, hexes=hexes))
    (card,) = with_notes(told, list(tidings(told, 0)))
    assert card.number == 0 and 'class="note undone" data-note="1" hidden=""' in draw_tiding(card)


def test_a_patch_brings_the_note_to_a_card_that_is_there_already():
    game = laid(MARCHED)
    k.act(game, 1, {"do": "done"})
    before = painting.fragments(scene_of(game, "bob"))
    (card,) = before.lists["tidings"]
    assert card.kind == "land" and card.note is None
    scene = before.scene
    back = replace(scene.lines[card.number], revision=scene.view.revision + 1)
    back = replace(back, facts={**back.facts, "seat": 1, "by": 0})
    hexes = tuple(replace(each, owner=1) if each.place == "h2" else each for each in scene.view.hexes)
    after = painting.fragments(
        replace(scene, lines=scene.lines.plus([back]), view=replace(scene.view, hexes=hexes)), before
    )
    assert f'<li id="tidings-{card.number}" class="tiding land"' in painting.patch(before, after)
    assert "No longer true: You take" in painting.patch(before, after)


# ---- creatures that have become bluffs


LOST_LAND = """
    players: 2
    turn: 5
    phase: march
    h1 plains A: farmers
    h12 swamp B: ghost
"""
CAPTURED = (7, "captured", {"seat": 1, "place": "h9", "terrain": "swamp", "by": 0})


def bluffs_after(hexes: str, *events: tuple) -> tuple[str, ...]:
    return bluffs_context(with_lines(scene_of(laid(f"{LOST_LAND}{hexes}\n"), "ann"), *events))["lines"]


def test_creatures_whose_land_is_gone_are_named():
    (line,) = bluffs_after("    h2 plains A: ghost farmers", CAPTURED)
    assert line.endswith(": Ghost.")


def test_a_bluff_of_ones_own_making_is_no_news():
    assert bluffs_after("    h2 plains A: ghost") == ()
    assert bluffs_after("    h2 plains A: ghost", (7, "captured", {**CAPTURED[2], "by": 1, "seat": 0})) == ()
    assert bluffs_after("    h2 plains A: ghost\n    h3 swamp A", CAPTURED) == ()


def test_a_lord_who_is_gone_takes_the_support_along():
    fled = (7, "fell", {"creature": "Swamp King", "seat": 0, "place": "h2"})
    assert len(bluffs_after("    h2 plains A: ghost", fled)) == 1
    assert bluffs_after("    h2 plains A: ghost", (7, "fell", {**fled[2], "creature": "Marksman"})) == ()


# ---- what has been read


def reads(game, name: str, **facts: object) -> int:
    return client_of(name).post(reverse("read", args=[game.public_id]), facts).status_code


def read_by(game, name: str) -> int:
    """What the page of another browser is told when it is opened."""
    page = client_of(name).get(game.get_absolute_url()).content.decode()
    return int(page.partition('data-read="')[2].partition('"')[0])


def test_other_browsers_of_a_player_know_what_was_read_and_nobody_else_does(monkeypatch, frozen_csrf):
    game, rung = k.kings(), []
    for ring in ("ring", "ring_people"):
        monkeypatch.setattr(doorbell, ring, lambda *facts, **more: rung.append(facts))
    before = {name: client_of(name).get(f"/api/v1/tables/{game.public_id}/log").content for name in ("bob", "eve")}
    assert reads(game, "ann", line=7, seat=0) == 204
    assert reads(game, "ann", line=3, seat=0) == 204  # from a page that is behind: nothing becomes unread
    assert (read_by(game, "ann"), read_by(game, "bob")) == (7, -1)
    revision = game.revision
    game.refresh_from_db()
    assert game.revision == revision and rung == []
    assert before == {
        name: client_of(name).get(f"/api/v1/tables/{game.public_id}/log").content for name in ("bob", "eve")
    }


@pytest.mark.parametrize("facts", [{}, {"line": "x", "seat": 0}, {"line": "9" * 9, "seat": 0}, {"line": 7, "seat": 1}])
def test_what_makes_no_sense_is_not_noted(facts):
    game = k.kings()
    assert reads(game, "ann", **facts) == 204
    assert read_by(game, "ann") == -1
    assert reads(game, "eve", line=7, seat="") == 204


def test_a_spectator_has_nothing_to_read():
    page = client_of("eve").get(k.kings().get_absolute_url()).content.decode()
    assert 'data-read=""' in page and 'class="tiding' not in page
