"""The arena of Kings & Things*: battles and explorations as each viewer sees them, from their View and log alone."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from games import play
from games.engine.core.dice import Dice as Chance
from games.engine.core.grown import Grown
from games.engine.core.plain import plain
from games.engine.kings import KINGS
from games.engine.kings.catalogue import KINDS
from games.engine.kings.view import KingsFace
from games.painting import fragments as painting
from games.painting.kings.arena import GAINS, RECENT, beside, draw_arena, draw_past_arena, last_results
from games.painting.kings.battle import Dice, Side, Walls, battle_context, losses_in, notes_on
from games.painting.kings.controls.drawing import action_from, preview
from games.painting.kings.film import draw_shot, film_rows
from games.painting.kings.line_up import line_up_of
from games.painting.kings.odds import bar_context, draw_bar, lines_of
from games.painting.kings.page import counters_by_place, draw_panel, log_rows, past_facts
from games.painting.scene import Line, Person, Scene
from tests.kings_tables import TWO_BATTLES, laid
from tests.web import kings as k
from tests.web.test_kings_page import scene_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("kings_bots", "settled_chance")]

THREE = """
    players: 3
    phase: combat
    turn: 3
    h1 plains C: farmers* | A ogre* | B bears*
    h9 mountain A: goblins* | B big_foot*
    h5 forest B
    h3 mountain A
    h13 plains C
"""
MANY = """
    players: 2
    phase: combat
    turn: 3
    h2 plains B citadel: eagles* | A ogre* giant* cyclops* dwarves_c3* dwarves_r2* troll* goblins* x3
    h9 swamp A: ghost* | B pirates*
    h3 mountain A
    h4 forest A
    h12 swamp A
"""


def fought(text: str, place: str):
    """A game in which the battle for a hex has begun, through the gate: so there is a log of it."""
    game = laid(text)
    k.act(game, k.asked(game)[0], {"do": "engage", "place": place})
    return game


def tree(html: str) -> ElementTree.Element:
    closed = re.sub(r"(<input[^>]*)>", r"\1/>", html)
    return ElementTree.fromstring(f"<div>{closed}</div>")


def arena(scene: Scene) -> ElementTree.Element:
    return tree(draw_panel("battle", painting.fragments(scene).panels["battle"]))


def having(root: ElementTree.Element, css: str) -> list[ElementTree.Element]:
    """The elements with a class."""
    return [each for each in root.iter() if css in each.get("class", "").split()]


def words(element: ElementTree.Element) -> str:
    return "".join(element.itertext())


def side(root: ElementTree.Element, number: int) -> ElementTree.Element:
    (found,) = [each for each in having(root, "battle-side") if each.get("data-side") == str(number)]
    return found


def names(root: ElementTree.Element, css: str = "counter") -> list[str]:
    return [words(having(each, "name")[0]) for each in having(root, css)]


def told(scene: Scene, *events: tuple[int, str, dict]) -> Scene:
    """The scene with a log of these lines: (revision, event, facts)."""
    lines = Grown(Line(at, event, f"[{event}]", "", facts) for at, event, facts in events)
    return replace(scene, lines=lines)


# ---- who stands there


def test_all_sides_face_each_other_with_their_values_of_now():
    game = fought(TWO_BATTLES, "h2")
    root = arena(scene_of(game, "ann"))
    assert words(having(root, "fight-head")[0].find("h3")) == f"Battle in {k.named(game, 'h2')}, round 1"
    assert [each.get("data-side") for each in having(root, "battle-side")] == ["0", "1"]
    assert "attacks" in side(root, 0).get("class") and "defends" in side(root, 1).get("class")
    values = {
        name: words(having(counter, "value")[0])
        for name, counter in zip(names(side(root, 0)), having(side(root, 0), "counter"))
    }
    assert values == {"Ogre": "2", "Giant": "4", "Cyclops": "5", "Dwarves": "3"}
    assert names(side(root, 1))[0] == "Keep"


def test_the_step_of_the_round_is_a_track():
    game = fought(TWO_BATTLES, "h2")
    (track,) = having(arena(scene_of(game, "bob")), "battle-steps")
    steps = [(words(each), each.get("class")) for each in track]
    at = [css for _, css in steps].index("now")
    assert [css for _, css in steps] == ["over"] * at + ["now"] + [None] * (3 - at)
    assert [step for step, _ in steps] == ["magic", "ranged", "melee", "retreat"]


def test_the_shot_of_its_beginning_brings_who_stood_there():
    """A battle may be over within the message that begins it: then no arena of before shows who fought."""
    game = fought(TWO_BATTLES, "h2")
    drawn = {}
    for name in ("ann", "bob", "eve"):
        scene = scene_of(game, name)
        (shot,) = [shot for shot in film_rows(scene, None) if shot.kind == "battle" and shot.line_up]
        root = tree(draw_shot(shot))
        (drawn[name],) = list(root.iter("template"))
        assert draw_shot(shot).startswith("<li") and shot.says.startswith(("You", "ann"))
        assert names(side(root, 0)) == ["Cyclops", "Dwarves", "Giant", "Ogre"]
        assert names(side(root, 1)) == ["Keep", "Eagles", "Farmers", "Villains"]
        assert "attacks" in side(root, 0).get("class") and "defends" in side(root, 1).get("class")
        (levels,) = having(side(root, 1), "levels")
        assert [each.get("class") for each in levels] == [None, None]
    assert words(drawn["ann"]) == words(drawn["bob"]) == words(drawn["eve"])


def test_a_line_up_knows_towns_damage_and_wild_defenders():
    lines = [
        (
            *(7, "battle_began"),
            {"place": "h9", "attackers": [0], "defender": -1, "fort": 0, "left": 0, "town": "", "wild": ["Ogre"]},
        ),
        (7, "revealed", {"seat": 0, "names": ["Giant"], "place": "h9"}),
        (8, "revealed", {"seat": 0, "names": ["Cyclops"], "place": "h9"}),
    ]
    scene = scene_of(k.kings(), "ann")
    wild = line_up_of(told(scene, *lines).lines, 0, scene.names)
    assert [(army.number, army.fighters) for army in wild.armies] == [(0, ("Giant",)), (-1, ("Ogre",))]
    home = {"defender": 1, "fort": 3, "left": 1, "town": "City", "wild": []}
    lines[0] = (7, "battle_began", {**lines[0][2], **home})
    town = line_up_of(told(scene, *lines).lines, 0, scene.names).armies[1]
    assert town.fighters == ("City",) and town.walls == Walls(3, 1, 1)
    old = {"place": "h9", "attackers": [0], "defender": 1, "fort": 0, "left": 0, "town": "", "wild": []}
    assert line_up_of(told(scene, (7, "battle_began", old)).lines, 0, scene.names) is None


def test_everybody_is_shown_the_same_drawing_where_nothing_is_hidden():
    game = fought(TWO_BATTLES, "h2")
    drawn = [draw_panel("battle", painting.fragments(scene_of(game, name)).panels["battle"]) for name in ("ann", "bob")]
    spectator = draw_panel("battle", painting.fragments(scene_of(game, "eve")).panels["battle"])
    assert drawn[0] is drawn[1] and drawn[0] == spectator


def test_three_sides_say_whom_they_fight_once_all_have_chosen():
    game = fought(THREE, "h1")
    root = arena(scene_of(game, "ann"))
    assert having(root, "battle-sides")[0].get("data-sides") == "3"
    assert len(having(root, "battle-side")) == 3 and "fights" not in words(root)
    k.act(game, 0, {"do": "choose", "what": "1"})
    assert "fights" not in words(arena(scene_of(game, "ann")))  # nobody sees it before all have chosen (C8)
    k.act(game, 1, {"do": "choose", "what": "2"})
    k.act(game, 2, {"do": "choose", "what": "0"})
    root = arena(scene_of(game, "bob"))
    assert "fights bob" in words(side(root, 0)) and "fights cat" in words(side(root, 1))


def test_many_fighters_are_smaller_and_long_names_are_whole():
    scene = scene_of(fought(MANY, "h2"), "ann")
    long = "Wolfeschlegelsteinhausenbergerdorff"
    people = tuple(replace(each, name=long, called=long) if each.number == 1 else each for each in scene.people)
    assert isinstance(people[0], Person)
    root = arena(replace(scene, people=people))
    assert "many" in having(root, "battle-sides")[0].get("class").split()
    assert len(having(side(root, 0), "counter")) == 9
    assert long in words(side(root, 1))


def test_an_exploration_shows_what_was_found_and_the_die():
    game = k.kings()

    def is_met(state) -> bool:
        top = state.flow[-1]
        return top.name() == "explore" and top.next == "meet"

    k.play_on(game, "an exploration", is_met, most=2000)
    scene = scene_of(game, k.NAMES[k.asked(game)[0]])
    root, place = arena(scene), scene.view.under_way("explore")["place"]
    assert words(root.find(".//h3")) == f"Exploring {k.named(game, place)}"
    found = [c for c in scene.view.stacks[place] if c.owner is None]
    assert len(having(side(root, -1), "counter")) == len(found) > 0
    assert "explores" in side(root, k.asked(game)[0]).get("class")
    assert "exploration" in words(having(root, "dice")[0]) and not having(root, "battle-steps")


# ---- dice beside whoever threw them


def line_of(*kinds: str, walls: bool = False, lost: tuple[str, ...] = ()) -> Side:
    counters = tuple(
        (KingsFace(f"tag{at}", kind, "h1", 0, True, value=KINDS[kind].value), "") for at, kind in enumerate(kinds)
    )
    fallen = tuple((name, False) for name in lost)
    return Side(0, "ann", "attacks", counters, Walls(2, 2, 2) if walls else None, (), 0, "", fallen)


def dice_of(*whose: str, needs: tuple[int, ...] = ()) -> Dice:
    return Dice(0, "ann", (1,) * len(whose), 0, whose, needs or (3,) * len(whose))


def test_each_die_stands_beside_whoever_threw_it():
    rolls, loose = beside(line_of("giant", "ogre", walls=True), dice_of("Giant", "Fort"))
    assert list(rolls) == [[1], [0], []] and loose == []


def test_whoever_charges_throws_two_and_equals_one_each():
    assert KINDS["dwarves_c3"].charges
    rolls, _ = beside(line_of("dwarves_c3", "goblins", "goblins"), dice_of("Dwarves", "Dwarves", "Goblins", "Goblins"))
    assert list(rolls) == [[0, 1], [2], [3]]
    dwarves = line_of("dwarves_r2", "dwarves_c3", "dwarves_r3")
    rolls, _ = beside(dwarves, dice_of(*["Dwarves"] * 4, needs=(3, 3, 2, 3)))
    assert list(rolls) == [[2], [0, 1], [3]]  # by their values; whoever charges throws twice


def test_a_die_of_somebody_who_fell_stands_beside_the_fallen():
    rolls, loose = beside(line_of("goblins", lost=("Goblins",)), dice_of("Goblins", "Goblins", "Ogre"))
    assert list(rolls) == [[0], [1]] and loose == [2]


def test_dice_are_drawn_with_hit_or_miss():
    scene = scene_of(fought(TWO_BATTLES, "h2"), "ann")
    throwers = ((0, 1), ((4, 5), ()), (("Giant", "Ogre"), ()), ((4, 2), ()))
    root = arena(replace(scene, view=replace(scene.view, rolled=("melee", *throwers))))
    by_name = {names(each)[0]: having(each, "die-of")[0] for each in having(root, "fighter")}
    assert by_name["Giant"].get("class") == "die-of hit" and words(by_name["Giant"]).endswith("hit")
    assert by_name["Ogre"].get("class") == "die-of miss"


def test_dice_without_a_battle_stand_beside_the_map():
    game = laid(TWO_BATTLES)
    scene = scene_of(game, "ann")
    scene = replace(scene, view=replace(scene.view, rolled=("recruit", (0,), ((3, 4),), ((),), ((),))))
    scene = told(scene, (1, "rolled", {"why": "recruit", "seat": 0, "faces": (3, 4)}))
    panels = painting.fragments(scene).panels
    assert "⚂" in draw_panel("dice", panels["dice"]) and draw_panel("battle", panels["battle"]) == ""
    battle = painting.fragments(scene_of(fought(TWO_BATTLES, "h2"), "ann")).panels
    assert draw_panel("dice", battle["dice"]) == ""


@pytest.mark.parametrize(
    "since, shown",
    [
        ((), True),
        (((1, "phase_began", {"phase": "march"}),), True),  # the roll itself ended the phase
        (((2, "claimed", {"seat": 0, "place": "h2"}),), False),  # the viewer's own next step
        (((2, "claimed", {"seat": 1, "place": "h2"}),), True),
    ],
)
def test_dice_without_a_battle_are_put_away_once_they_are_old(since, shown):
    scene = scene_of(laid(TWO_BATTLES), "ann")
    scene = replace(scene, view=replace(scene.view, rolled=("order", (0,), ((3, 4),), ((),), ((),))))
    scene = told(scene, (1, "rolled", {"why": "order", "seat": 0, "faces": (3, 4)}), *since)
    acted = max((at for at, event, facts in since if facts.get("seat") == 0), default=1)
    panels = painting.fragments(replace(scene, acted=acted)).panels
    assert ("⚂" in draw_panel("dice", panels["dice"])) == shown


# ---- the fallen, forts and items


def test_the_fallen_of_this_battle_stay_in_the_line():
    scene = scene_of(fought(TWO_BATTLES, "h2"), "ann")
    root = arena(
        told(
            scene,
            (1, "battle_began", {"place": "h2", "attackers": (0,), "defender": 1}),
            (1, "fell", {"creature": "Troll", "seat": 0, "place": "h2"}),  # in a battle before this one
            (2, "battle_began", {"place": "h2", "attackers": (0,), "defender": 1}),
            (3, "fell", {"creature": "Goblins", "seat": 0, "place": "h2"}),
            (3, "bluffs_removed", {"creature": "Ghost", "seat": 1, "place": "h2"}),
            (3, "fell", {"creature": "Bears", "seat": 0, "place": "h9"}),  # elsewhere
        )
    )
    assert names(side(root, 0), "fallen") == ["Goblins"]
    assert names(side(root, 1), "bluffed") == ["Ghost"]


def test_who_falls_through_the_gate_is_shown_as_fallen_to_everybody():
    game = fought(TWO_BATTLES, "h2")
    state = k.state_of(game)
    while not any(line.event == "fell" for line in scene_of(game, "ann").lines):
        seat = k.asked(game)[0]
        lists = [offer for offer in play.view_for(game, seat).offers if offer.do == "lose"]
        k.act(game, seat, lists[0].sample(state.dice).plain() if lists else {"do": "done"})
    lines = scene_of(game, "ann").lines
    fell = {
        (-1 if line.facts["seat"] is None else line.facts["seat"], line.facts["creature"])
        for line in lines
        if line.event == "fell"
    }
    for name in ("ann", "bob", "eve"):
        root = arena(scene_of(game, name))
        assert {(seat, name) for seat, name in fell} == {
            (number, each) for number in (0, 1) for each in names(side(root, number), "fallen")
        }


def test_what_was_taken_back_has_not_fallen():
    line = Line(1, "fell", "", "", {"creature": "Ogre", "seat": None, "place": "h2"})
    assert losses_in([line], "h2") == ((-1, ("Ogre", False)),)
    assert losses_in([replace(line, taken_back=True)], "h2") == ()


def test_a_fort_has_a_mark_for_each_level_and_can_be_pressed():
    scene = scene_of(fought(TWO_BATTLES, "h2"), "bob")
    hexes = tuple(replace(each, damage=1, fort_value=1) if each.place == "h2" else each for each in scene.view.hexes)
    (fort,) = having(arena(replace(scene, view=replace(scene.view, hexes=hexes))), "fort")
    assert [each.get("class") for each in having(fort, "levels")[0]] == [None, "gone"]
    assert fort.tag == "button" and fort.get("data-tag") == "fort"
    assert words(having(fort, "value")[0]) == "1"


def test_items_in_use_are_told_with_their_pictures():
    scene = scene_of(fought(TWO_BATTLES, "h2"), "ann")
    land = next(each for each in scene.view.hexes if each.place == "h2")
    counters = scene.view.stacks["h2"]
    giant = next(c.tag for c in counters if getattr(c, "kind", "") == "giant")
    battle = {**scene.view.under_way("battle"), "held": {"bow": giant}, "dispelled": [0]}
    found = dict(notes_on("", (giant,), battle, land, 0, counters))
    assert found["bow"].startswith("Bow: Giant, ranged") and "dispelled" in found["magic"]
    assert found["balloon"].endswith("Giant")
    clouded = dict(notes_on("h2", (), battle, land, 1, counters))
    assert "one less" in clouded["cloud"]


# ---- hits


def test_hits_are_taken_as_suggested_with_one_press():
    game = fought(TWO_BATTLES, "h2")
    while not (seats := [s for s in k.asked(game) if play.view_for(game, s).question == "losses"]):
        k.act(game, k.asked(game)[0], {"do": "done"})
    scene = scene_of(game, k.NAMES[seats[0]])
    (suggested,) = [each for each in tree(preview(scene, scene.view, {})).iter() if each.get("data-key") == "suggested"]
    assert "primary" in suggested.get("class").split() and words(suggested).startswith("As suggested: ")
    tag = next(iter(next(offer for offer in scene.view.offers if offer.do == "lose").targets))
    picked = tree(preview(scene, scene.view, {"press": [f"lose counters {tag}"]}))
    (beside_pick,) = [each for each in picked.iter() if each.get("data-key") == "suggested"]
    assert "primary" not in beside_pick.get("class").split()
    assert plain(action_from(scene, scene.view, {"control": [suggested.get("value")]})) == json.loads(
        suggested.get("data-action")
    )
    k.act(game, seats[0], json.loads(suggested.get("data-action")))
    assert scene_of(game, k.NAMES[seats[0]]).view.revision > scene.view.revision  # it may be hit again at once


def test_only_who_is_hit_gets_a_suggestion():
    game = fought(TWO_BATTLES, "h2")
    while not (seats := [s for s in k.asked(game) if play.view_for(game, s).question == "losses"]):
        k.act(game, k.asked(game)[0], {"do": "done"})
    for name in ("ann", "bob", "eve"):
        drawn = draw_panel("controls", painting.fragments(scene_of(game, name)).panels["controls"])
        assert ("As suggested" in drawn) == (name in k.NAMES and k.NAMES.index(name) in seats)


# ---- odds


def test_the_odds_are_a_bar_for_whoever_has_them():
    game = fought(TWO_BATTLES, "h2")
    scene = scene_of(game, "ann")
    bar = tree(draw_bar(bar_context(scene, scene.view, lines_of(scene.view))))
    own = having(bar, "own")[0]
    percent = int(own.get("width").rstrip("%"))
    assert 0 <= percent <= 100 and "yellow" in own.get("class")
    assert words(bar).startswith("You: ") and "bob: " in words(bar)
    watching = scene_of(game, "eve")
    bar = tree(draw_bar(bar_context(watching, watching.view, lines_of(watching.view))))
    assert words(bar).startswith("ann: ") and "bob: " in words(bar)


def test_without_odds_at_the_table_there_is_no_bar():
    game = fought(f"{TWO_BATTLES} options: odds={no_odds()}\n", "h2")
    scene = scene_of(game, "ann")
    assert bar_context(scene, scene.view, lines_of(scene.view)) == {"bar": None}


def no_odds() -> str:
    (option,) = [each for each in KINGS.options if each.name == "odds"]
    return next(each for each in option.choices if each != option.default)


# ---- how it ended

BATTLE = (
    (1, "battle_began", {"place": "h2", "attackers": (0,), "defender": 1}),
    (2, "fell", {"creature": "Goblins", "seat": 0, "place": "h2"}),
    (3, "retreated", {"seat": 1, "count": 1, "place": "h2", "target": "h5"}),
    (3, "battle_over", {"place": "h2", "winner": 0}),
)
TAKEN = (4, "captured", {"seat": 0, "place": "h2", "terrain": "plains", "by": 1})


def test_a_result_tells_who_fell_and_what_was_gained():
    assert set(KINGS.event_kinds()) >= GAINS
    scene = told(scene_of(laid(TWO_BATTLES), "bob"), *BATTLE, TAKEN)
    root = arena(scene)
    (result,) = having(root, "result")
    assert result.get("hidden") is not None and result.get("data-result") == "3"
    assert "ann holds the field." in words(result) and "ann takes h2 (plains) from bob." in words(result)
    assert names(side(root, 0), "fallen") == ["Goblins"] and "retreated" in words(side(root, 1))


def test_an_old_result_is_not_drawn():
    scene = scene_of(laid(TWO_BATTLES), "bob")
    later = [(5, "turn_began", {"number": 4})] * (RECENT - 1)
    assert last_results(told(scene, *BATTLE, *later[:-1]))
    assert not last_results(told(scene, *BATTLE, *later))


def test_of_two_battles_that_end_together_both_results_are_drawn():
    """The first to end stands first: the page shows one after the other."""
    other = [(at + 3, event, {**facts, "place": "h9"}) for at, event, facts in BATTLE]
    found = having(arena(told(scene_of(laid(TWO_BATTLES), "bob"), *BATTLE, TAKEN, *other)), "result")
    assert [each.get("data-place") for each in found] == ["h2", "h9"]
    assert [each.get("data-result") for each in found] == ["3", "8"]
    assert all(each.get("hidden") is not None for each in found)


def test_a_battle_under_way_has_no_result():
    game = fought(TWO_BATTLES, "h2")
    scene = scene_of(game, "ann")
    assert not having(arena(told(scene, *BATTLE, TAKEN)), "result")


# ---- film, chronicle and past


def test_a_strike_says_whose_dice_they_are_and_each_step_is_a_shot():
    scene = scene_of(laid(TWO_BATTLES), "ann")
    rolled = {"why": "melee", "faces": [4, 5], "names": ["Giant", "Ogre"], "needs": [4, 2], "place": "h2"}
    ranged = {**rolled, "why": "ranged", "faces": [1], "names": ["Giant"], "needs": [4]}
    events = (
        (2, "rolled", {**ranged, "seat": 0, "against": 1}),
        (2, "rolled", {**rolled, "seat": 0, "against": 1}),
        (2, "wild_rolled", {**rolled, "against": 0}),
    )
    first, second = film_rows(told(scene, *events), None)
    assert len(first.throws) == 1 and second.throws == ((0, 1, 2), (-1, 0, 2))
    throws = having(tree(draw_shot(second)), "film-dice")
    assert [each.get("data-throw") for each in throws] == ["0 1", "-1 0"]


def test_a_shot_says_who_falls():
    scene = scene_of(laid(TWO_BATTLES), "ann")
    events = (
        (2, "fell", {"creature": "Ogre", "seat": None, "place": "h2"}),
        (2, "took_hit", {"what": "keep", "left": 1, "seat": 1, "place": "h2"}),
    )
    (shot,) = film_rows(told(scene, *events), None)
    assert shot.falls == ("-1 Ogre", "1 keep=1")


def test_a_battle_can_be_replayed_from_the_chronicle():
    game = fought(TWO_BATTLES, "h2")
    scene = scene_of(game, "ann")
    rows = log_rows(scene, None)
    with_button = [row for row in rows if row.replay]
    assert [scene.lines[row.number].event for row in with_button] == ["battle_began"]
    drawn = tree(painting.draw_log_row(with_button[0], "/rules/"))
    assert having(drawn, "replay")[0].get("data-replay") == str(with_button[0].at)
    assert having(drawn, "replay")[0].get("data-line") == str(with_button[0].number)
    assert "Battle in" in past_facts(scene, scene, scene.view)["arena"]


def test_a_step_of_the_past_knows_the_battle_as_it_stood_before():
    """What is thrown in a step falls in the arena of before, not in what came of it."""
    game = fought(TWO_BATTLES, "h2")
    first = after = scene_of(game, "ann")
    shown = {past_facts(first, first, first.view)["arena"]}
    for step in range(8):
        before, seat = after, k.asked(game)[0]
        k.act(game, seat, k.sampled(game, seat, Chance.seeded(f"step {step}")))
        after = scene_of(game, "ann")
        facts = past_facts(after, after, before.view)
        earlier = past_facts(before, before, before.view)["arena"]
        assert facts["arena_was"] == (earlier if "data-fight=" in earlier else "")
        shown.add(facts["arena"])
    assert len(shown) > 2
    before = first
    assert past_facts(before, before, scene_of(laid(TWO_BATTLES), "ann").view)["arena_was"] == ""


def test_the_past_shows_a_result_only_where_the_battle_ended():
    scene = scene_of(laid(TWO_BATTLES), "ann")
    nothing = {"battle": None, "why": "", "dice": ()}
    ended = replace(scene, view=replace(scene.view, revision=3))
    (result,) = having(tree(draw_past_arena(told(ended, *BATTLE), nothing)), "result")
    assert result.get("hidden") is None and "is over" in words(result)
    assert draw_past_arena(told(replace(scene, view=replace(scene.view, revision=9)), *BATTLE), nothing) == ""


def test_contexts_of_battles_are_equal_for_equal_views():
    game = fought(TWO_BATTLES, "h2")
    one, other = scene_of(game, "ann"), scene_of(game, "ann")
    contexts = [battle_context(each, each.view, counters_by_place(each.view), frozenset()) for each in (one, other)]
    assert contexts[0] == contexts[1] and draw_arena(contexts[0]) == draw_arena(contexts[1])
