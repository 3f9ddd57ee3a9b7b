"""What the page of Kings & Things* says above everything else: what is asked, about what, and who is about to win."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path

import pytest

from games.engine.kings import KINGS
from games.painting.kings import log
from games.painting.kings.battle import battle_context
from games.painting.kings.log import meanwhile_context
from games.painting.kings.page import counters_by_place
from games.painting.kings.prompt import ABOUT, power_played, prompt_context
from games.painting.kings.words import DECIDES, IDLE, IDLE_LAST_HIT, LAST_HIT, NO_DUST, QUESTIONS
from games.painting.scene import Line
from tests.kings_tables import laid
from tests.web import kings as k
from tests.web.test_kings_page import scene_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("kings_bots", "settled_chance")]

TWO = """
    players: 2
    turn: 5
    h1 plains A: farmers
    h12 swamp B: ghost
"""

# Both have something on their racks, so both are asked; B alone is asked before the first dice of their battle.
TO_ROLL = """
    players: 2
    turn: 5
    options: waiting=always
    phase: march
    h1 plains A: farmers
    h2 plains B: farmers
    h12 swamp B
    rack A: ruby
    rack B: diamond
    order A lucky_charm: every
    order B lucky_charm: every
    gone: dust_of_defense dispel_magic_scroll fan
    A march farmers: h1 > h2
    skip to combat
    A done
"""


def said(game, name: str) -> str:
    prompt = prompt_context(scene_of(game, name))
    return " ".join((prompt["title"], *prompt["details"], prompt["warning"]))


def test_every_question_that_has_more_words_is_one():
    assert {*ABOUT, *IDLE} <= set(QUESTIONS)
    assert log.STIRRING | log.CAME_OF_IT | {*log.HEADINGS} <= set(KINGS.event_kinds())
    assert all(words.endswith(".") for words in IDLE.values())


# ---- who, where and why


DUST_ASKED = f"""{TWO} phase: combat
    options: waiting=always
    gone: lucky_charm dispel_magic_scroll fan
    h3 plains B: hunters | A villains
"""


def test_a_battle_names_its_sides_and_their_number():
    position = f"{DUST_ASKED} rack B: ruby\n rack A: diamond\n".replace("A villains", "A villains farmers")
    game = laid(position)
    assert f"ann attacks you in {k.named(game, 'h3')} with two." in said(game, "bob")
    k.act(game, 1, {"do": "done"})
    assert scene_of(game, "ann").view.question == "ready"
    assert f"You attack bob in {k.named(game, 'h3')} with two." in said(game, "ann")


POWERS = f"{TWO} phase: powers\n h2 plains A: assassin_primus\n dice: 6 6 1 1\n"
PINNED = f"{TWO} phase: march\n h2 plains A: goblins | B ogre\n h3 mountain B\n A ask_proof h2\n"


def test_a_hero_who_fled_is_named_with_the_other_side():
    game = laid(f"{POWERS} h13 swamp B: arch_mage\n A assassinate h13\n")
    assert scene_of(game, "bob").view.question == "turn_hero"
    assert "The Arch Mage fled. The other side of the counter is Ghaog II." in said(game, "bob")
    scene = scene_of(game, "bob")
    fell = Line(1, "fell", "", "", {"creature": "Arch Mage", "seat": 1, "place": "h13"}, words={"place": "the Fens"})
    prompt = prompt_context(replace(scene, lines=(fell,)))
    assert prompt["details"][0].startswith("The Arch Mage fled from the Fens.")


def test_whoever_offers_another_victim_is_told_who_strikes_and_what_decides():
    asked = f"{POWERS} h13 swamp B: arch_mage ghost\n A assassinate h13\n"
    game = laid(asked)
    assert f"Your Assassin Primus strikes in {k.named(game, 'h13')}." in said(game, "ann")
    game = laid(f"{asked} A choose arch_mage\n")
    assert f"ann’s Assassin Primus strikes in {k.named(game, 'h13')}." in said(game, "bob")
    assert "1 to 3 is the Assassin’s choice, 4 to 6 the owner’s." in said(game, "bob")


def test_whoever_holds_a_stack_is_told_who_wants_to_leave():
    game = laid(PINNED)
    assert scene_of(game, "bob").view.question == "proof"
    assert f"ann wants to leave {k.named(game, 'h2')}." in said(game, "bob")


def test_the_victim_of_an_event_reads_who_played_it():
    game = laid(f"{TWO} phase: events\n rack A: vandals\n h13 swamp B keep\n h14 swamp B castle\n")
    vandals = next(c.tag for c in scene_of(game, "ann").view.counters if getattr(c, "kind", "") == "vandals")
    k.act(game, 0, {"do": "play_event", "event": vandals, "target": "1"})
    assert scene_of(game, "bob").view.question == "vandals"
    assert "Vandals, played by ann." in said(game, "bob")


IN_DANGER = """
    players: 2
    turn: 2
    phase: march
    h1 mountain A: gold_mine
    h2 mountain A: goblins
    h12 swamp B: ghost
    h3 swamp B: basilisk thing
    A done
    B march basilisk thing: h3 > h1
    B done
"""


def test_special_income_in_danger_is_named_with_the_place_and_whoever_came():
    game = laid(IN_DANGER)
    assert scene_of(game, "ann").view.question == "endangered_income"
    assert f"Your Gold Mine is in {k.named(game, 'h1')}, where bob with two has come." in said(game, "ann")


DROWNED = """
    players: 2
    phase: events
    turn: 5
    h12 swamp B: watersnake
    h2 plains A: farmers
    rack A: big_juju
    h1 desert A: genie
    h13 plains B keep: city hunters farmers x1
    h14 plains B
    draw: sea
    A play big_juju on h13 by genie
"""


def test_whoever_saves_counters_from_the_sea_reads_who_brought_it_and_where():
    scene = scene_of(laid(DROWNED), "bob")
    assert scene.view.question == "escape"
    played = Line(1, "event_played", "", "", {"seat": 0, "event_name": "Big JuJu"})
    changed = Line(1, "hex_changed", "", "", {"place": "h13"}, words={"place": "the Fens"})
    prompt = prompt_context(replace(scene, lines=(played, changed)))
    assert prompt["details"][0].startswith("Big JuJu, played by ann, turned the Fens into sea; two of yours are there.")
    sunk = Line(1, "balloon_lost", "", "", {"seat": 1, "place": "h13"}, words={"place": "the Fens"})
    prompt = prompt_context(replace(scene, lines=(played, sunk)))
    assert prompt["details"][0].startswith("Your Balloon went down in the sea at the Fens.")


# ---- who is about to win


def test_everybody_is_told_of_the_only_citadel():
    game = laid(f"{TWO} phase: march\n sole: B 4\n h13 swamp B citadel\n")
    assert "bob holds the only citadel and will win after Construction this turn" in said(game, "ann")
    assert "You hold the only citadel and will win after Construction this turn" in said(game, "bob")
    assert "bob holds the only citadel" in said(game, "eve")


def test_a_citadel_of_this_turn_wins_in_the_next():
    game = laid(f"{TWO} phase: march\n sole: B 5\n h13 swamp B citadel\n")
    assert "will win after Construction next turn" in said(game, "ann")


def test_of_two_citadels_or_of_none_nothing_is_said():
    assert "citadel" not in said(laid(f"{TWO} phase: march\n"), "ann")
    game = laid(f"{TWO} phase: march\n h13 swamp B citadel\n h2 plains A citadel\n")
    assert "citadel" not in said(game, "ann")


# ---- what a question is about


def test_somebody_just_short_of_a_hero_is_told_by_how_much():
    game = laid(f"{TWO} phase: heroes\n gold A: 30\n dice: 3 4\n A recruit assassin_primus gold 0\n")
    assert "Assassin Primus: 7 of 8. To reach it costs 10 gold; you have 30." in said(game, "ann")
    game = laid(f"{TWO} phase: heroes\n gold A: 7\n rack A: ruby\n dice: 3 3\n A recruit assassin_primus gold 0\n")
    assert "6 of 8. To reach it costs 20 gold; you have 7." in said(game, "ann") and IDLE["add_gold"] in said(
        game, "ann"
    )


def test_who_is_asked_without_anything_to_answer_with_is_told_so():
    game = laid(f"{TWO} phase: events\n rack A: ruby\n")
    assert scene_of(game, "ann").view.question == "event"
    assert IDLE["event"] in said(game, "ann")
    game = laid(f"{TWO} phase: events\n rack A: good_harvest\n")
    assert IDLE["event"] not in said(game, "ann")


@pytest.mark.parametrize(("rack", "words"), [("talisman", LAST_HIT), ("ruby", IDLE_LAST_HIT)])
def test_hits_that_take_all_are_asked_about_and_say_why(rack: str, words: str):
    game = laid(
        f"""{TWO} phase: combat
        options: waiting=always
        gone: lucky_charm dispel_magic_scroll dust_of_defense fan
        rack A: {rack}
        h3 plains B: hunters | A villains
        dice: 1
        A done
        """
    )
    assert scene_of(game, "ann").view.question == "losses"
    assert f"bob scores 1 hit in {k.named(game, 'h3')} (ranged). {words}" in said(game, "ann")


@pytest.mark.parametrize(
    ("rack", "words"),
    [("dust_of_defense golem", QUESTIONS["dust"][1]), ("golem", NO_DUST), ("bow", NO_DUST), ("ruby", IDLE["dust"])],
)
def test_whoever_is_asked_about_dust_reads_what_they_could_play(rack: str, words: str):
    game = laid(f"{DUST_ASKED} rack B: {rack}\n")
    assert scene_of(game, "bob").view.question == "dust"
    assert f"ann attacks you in {k.named(game, 'h3')} with one. {words}" in said(game, "bob")


def test_a_choice_among_several_is_put_as_before():
    game = laid(f"{TWO} phase: combat\n h3 plains B: hunters | A villains farmers\n dice: 1\n")
    assert scene_of(game, "ann").view.question == "losses"
    assert QUESTIONS["losses"][1] in said(game, "ann") and LAST_HIT not in said(game, "ann")


def test_whoever_may_answer_an_item_reads_what_it_does():
    scene = scene_of(laid(f"{DUST_ASKED} rack B: dust_of_defense\n"), "ann")
    fan = Line(1, "item_played", "bob plays the Fan.", "15", {"seat": 1, "item": "Fan"})
    dust = Line(2, "item_played", "bob plays the Dust of Defense.", "15", {"seat": 1, "item": "Dust of Defense"})
    assert power_played(replace(scene, lines=(fan, dust))).startswith("Dust of Defense: Sends one attacking army away")
    assert power_played(replace(scene, lines=())) == ""


def test_a_window_says_all_that_was_rolled():
    """The last line of the log alone would name one side's dice."""
    game = laid(TO_ROLL)
    k.act(game, 1, {"do": "done"})
    words = said(game, "ann")
    assert scene_of(game, "ann").view.question == "react", words
    assert "You roll" in words and "bob rolls" in words and "ann rolls" not in words, words
    assert "A die hits if it is no higher than the fighter’s value." in words, words


ROBBED = f"""{TWO} phase: powers
    options: waiting=always
    gold B: 4
    h2 plains A: master_thief
    rack B: lucky_charm
    order B lucky_charm: every
"""


def test_whoever_answers_dice_about_a_theft_reads_who_robs_whom():
    game = laid(ROBBED)
    k.act(game, 0, {"do": "steal", "victim": 1})
    assert scene_of(game, "bob").view.question == "react"
    words = said(game, "bob")
    assert "ann tries to rob you. ann rolls" in words and "You roll" in words, words


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("phase: heroes\n dice: 3 4\n A recruit marksman gold 5", "The dice must reach 9 together."),
        ("phase: combat\n h3 desert: A tigers\n dice: 3", "On a 1 or a 6 nobody defends the hex;"),
    ],
)
def test_a_window_says_what_the_dice_must_show(lines, words):
    game = laid(f"{TWO} options: waiting=always\n gold A: 20\n rack A: lucky_charm\n {lines}\n")
    assert scene_of(game, "ann").view.question == "react", scene_of(game, "ann").view.question
    assert words in said(game, "ann"), said(game, "ann")


def test_whatever_dice_are_thrown_for_says_what_decides():
    """Dice of a battle's steps, of a hero's recruiting and of the Warlord's call say it by numbers."""
    thrown = {
        keyword.value.value
        for file in Path("games/engine/kings/flow").glob("*.py")
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Roll"
        for keyword in node.keywords
        if keyword.arg == "why" and isinstance(keyword.value, ast.Constant)
    }
    assert len(thrown) > 9 and thrown - {"recruit", "warlord"} <= set(DECIDES), thrown - set(DECIDES)


PLAGUE = f"{TWO} phase: events\n rack A: dark_plague\n"


@pytest.mark.parametrize(
    "hex_line, words",
    [
        ("h2 plains A keep: hunters", "It takes 2 of these in {h2}, or your 1 creature: then nothing more is owed."),
        ("h2 plains A castle: hunters lion_pride", "It takes 3 of these in {h2}, or your 2 creatures: then nothing"),
        ("h2 plains A: city hunters", "It asks for 2 in {h2}, but takes no more than your 1 creature there."),
        ("h2 plains A tower: hunters", "It takes 1 of these in {h2}."),
        ("h2 plains A keep: hunters lion_pride villains", "It takes 2 of these in {h2}."),
    ],
)
def test_the_plague_says_what_is_enough(hex_line, words):
    game = laid(f"{PLAGUE} {hex_line}\n A play dark_plague\n")
    words = words.format(h2=k.named(game, "h2"))
    assert scene_of(game, "ann").view.question == "plague_losses" and words in said(game, "ann")


def test_losses_to_an_event_say_when_only_walls_are_left_to_choose_from():
    pox = f"{TWO} phase: events\n rack A: teeniepox\n h13 swamp B keep: city thing\n"
    rest = "All creatures and heroes there are lost; choose what pays the rest."
    assert rest in said(laid(f"{pox} dice: 3\n A play teeniepox on B\n"), "bob")
    few = f"{TWO} phase: events\n rack A: teeniepox\n h13 swamp B keep: thing pirates swamp_rat\n dice: 2\n"
    game = laid(f"{few} A play teeniepox on B\n")
    words = said(game, "bob")
    assert f"Teeniepox takes 2 of yours in {k.named(game, 'h13')}." in words and rest not in words


# ---- dice


def test_a_battle_shows_no_dice_of_before(settled_chance):
    game = laid(TO_ROLL)
    scene = scene_of(game, "ann")
    before = replace(scene.view, rolled=("melee", (0, 1), ((1,), (1,)), ((), ()), ((), ())))
    assert dice_of(replace(scene, view=before)) == ()
    k.act(game, 1, {"do": "done"})
    assert len(dice_of(scene_of(game, "ann"))) == 2


def dice_of(scene) -> tuple:
    return battle_context(scene, scene.view, counters_by_place(scene.view), frozenset())["dice"]


# ---- what happened meanwhile


def test_nothing_is_told_while_somebody_goes_on_himself():
    game = laid(f"{TWO} phase: march\n")
    k.act(game, 0, {"do": "march", "counters": list(scene_of(game, "ann").view.offers[0].walkers), "path": ["h2"]})
    scene = scene_of(game, "ann")
    assert scene.acted == scene.view.revision and meanwhile_context(scene)["lines"] == ()


def has_news_for_somebody(game) -> bool:
    return any(meanwhile_context(scene_of(game, k.NAMES[seat]))["lines"] for seat in k.asked(game))


def test_who_is_asked_again_is_told_what_came_of_his_step_and_what_others_did():
    game = k.kings()
    k.play_on(game, "meanwhile", lambda state: state.actions >= 160 and has_news_for_somebody(game))
    told = {}
    for seat, name in enumerate(k.NAMES):
        scene = scene_of(game, name)
        told[name] = context = meanwhile_context(scene)
        if seat not in scene.view.asked:
            assert context == {"lines": (), "more": 0}
            continue
        since = [line.text for line in scene.lines if line.revision >= scene.acted]
        assert len(context["lines"]) <= log.MOST_NEWS
        assert set(context["lines"]) <= set(since) and len(context["lines"]) + context["more"] <= len(since)
    assert any(context["lines"] for context in told.values()), told
