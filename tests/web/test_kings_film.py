"""The film: shots made of the viewer's own log, with captions, and of nothing else."""

from __future__ import annotations

import dataclasses
import re
from dataclasses import replace

import pytest

from games import play
from games.engine import RULESETS
from games.engine.core.dice import Dice
from games.engine.core.grown import Grown
from games.engine.kings import KINGS
from games.engine.kings.catalogue import KINDS
from games.models import Action
from games.painting import fragments as painting
from games.painting.kings.captions import SKIPPED, TELLS
from games.painting.kings.film import MOST_LINES, OWN, Shot, draw_shot, film_rows, shots
from games.painting.kings.log import concerns
from games.painting.scene import Line, Scene
from tests.web import kings as k
from tests.web.test_act import client_of
from tests.web.test_kings_page import scene_of
from tests.web.test_kings_secrets import lay_down, seat_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("kings_bots", "settled_chance")]


@pytest.fixture(name="scene")
def fixture_scene() -> Scene:
    return scene_of(k.kings(), "ann")


def filmed(scene: Scene, *events: tuple, **facts) -> list[Shot]:
    """The shots of some lines: (revision, event, facts)."""
    kinds = KINGS.event_kinds()

    def whole(event: str, told: dict) -> dict:
        defaults = {f.name: f.default for f in dataclasses.fields(kinds[event]) if f.default is not dataclasses.MISSING}
        return {**defaults, **told}

    lines = Grown(Line(at, event, f"[{event}]", "", whole(event, told)) for at, event, told in events)
    return list(film_rows(replace(scene, lines=lines, **facts), None))


def says(scene: Scene, event: str, **facts) -> str:
    (shot,) = filmed(scene, (7, event, facts))
    return f"{shot.title} {shot.says}".strip()


MARCH = {"seat": 1, "count": 2, "source": "h3", "target": "h5", "path": ["h4", "h5"]}
STRIKE = {"why": "melee", "names": ["Giant"], "needs": [4], "place": "h9"}


def test_every_event_named_is_one_of_the_game():
    assert {*TELLS, *SKIPPED, *OWN} <= set(KINGS.event_kinds())


def test_every_event_has_a_caption_or_is_left_out_on_purpose(scene):
    """Whatever its facts are: numbers, names, lists, or nobody."""
    values = {"int": 1, "str": "h2", "tuple[str, ...]": ["h2"], "tuple[int, ...]": [1], "int | None": None}
    for name, kind in KINGS.event_kinds().items():
        facts = {f.name: values[str(f.type)] for f in dataclasses.fields(kind)}
        for seat in (scene.view.seat, None):
            found = filmed(replace(scene, view=replace(scene.view, seat=seat)), (7, name, facts))
            assert len(found) == (name not in SKIPPED), name
            assert all(shot.title or shot.says for shot in found), name
            assert "{" not in "".join(shot.title + shot.says for shot in found), name


@pytest.mark.parametrize("hero, called", [("Sir Lance-A-Lot", "Sir Lance-A-Lot"), ("Dwarf King", "the Dwarf King")])
def test_a_person_takes_no_article(scene, hero, called):
    """Neither in the film nor in the log ("the Sir Lance-A-Lot joins you")."""
    joined = {"seat": 1, "hero": hero, "place": "h5", "gold": 0}
    kind = KINGS.event_kinds()["hero_joined"]
    start = called[0].upper() + called[1:]
    assert says(scene, "hero_joined", **joined) == f"{start} joins bob in h5."
    assert kind.sentence(joined).format(**joined).startswith(f"{start} joins ")
    assert f"to win {called}" in says(scene, "recruiting", **joined)
    assert f", {called}, is beaten" in says(scene, "fell", seat=1, creature=hero, place="h5")


def test_a_march_goes_along_its_path(scene):
    (shot,) = filmed(scene, (7, "marched", MARCH))
    assert (shot.kind, shot.path, shot.seat, shot.count) == ("march", ("h3", "h4", "h5"), 1, 2)
    assert shot.says == "bob marches with two from h3 to h5." and not shot.is_mine
    (older,) = filmed(scene, (7, "marched", {**MARCH, "path": []}))
    assert older.path == ("h3", "h5")


def test_the_viewer_is_you_and_their_own_doings_are_marked(scene):
    (shot,) = filmed(scene, (7, "marched", {**MARCH, "seat": 0}))
    assert shot.says.startswith("You march with two") and shot.is_mine and shot.is_own
    (fallen,) = filmed(scene, (7, "fell", {"creature": "Giant", "seat": 0, "place": "h2"}))
    assert fallen.says == "You lose the Giant." and fallen.is_mine and not fallen.is_own


def test_on_a_shared_screen_nobody_is_you(scene):
    people = tuple(replace(person, is_you=True) for person in scene.people)
    (shot,) = filmed(scene, (7, "captured", {"seat": 0, "place": "h2", "terrain": "swamp"}), people=people)
    assert shot.says == "ann takes h2 (swamp)."


def test_captions_name_the_reason(scene):
    played = (6, "event_played", {"seat": 1, "event_name": "Dark Plague"})
    lost = (7, "lost_counters", {"seat": 0, "count": 2, "place": "h4"})
    assert filmed(scene, played, lost)[-1].says == "Dark Plague, played by bob, takes two of yours in h4."
    turn = (7, "turn_began", {"number": 2})
    assert filmed(scene, played, turn, (8, *lost[1:]))[-1].says == "Two of yours are lost in h4."


def test_a_citadel_that_is_beaten_down_is_not_said_to_be_gone(scene):
    """It passes to whoever takes the hex."""
    assert says(scene, "took_hit", seat=0, what="citadel", left=0, place="h2") == (
        "Losses in h2 Your citadel takes a hit: it is out of the fight."
    )


def test_captions_do_not_speak_of_no_gold(scene):
    assert says(scene, "built", seat=1, fort="tower", place="h2", gold=0) == "bob builds a tower in h2, for free."
    assert says(scene, "recruiting", seat=0, hero="Warlord", gold=0) == "You try to win the Warlord."
    assert says(scene, "recruiting", seat=1, hero="Warlord", gold=5) == "bob tries to win the Warlord, with 5 gold."
    assert says(scene, "start_gold", seat=0, gold=10) == "You begin with 10 gold."


def test_captions_name_who_loses_what_to_whom(scene):
    assert says(scene, "captured", seat=1, place="h2", terrain="swamp", by=0) == "bob takes h2 (swamp) from you."
    assert says(scene, "bluffs_removed", seat=0, creature="Ogre", place="h2") == (
        "A bluff of yours in h2 is found out and removed: Ogre."
    )
    assert says(scene, "battle_began", place="h2", attackers=[1], defender=0) == "Battle in h2 bob attacks you."
    assert says(scene, "defected", seat=1, hero="Ice Lord", by=0) == "The Ice Lord leaves you and defects to bob."
    assert says(scene, "seat_out", seat=0) == "You are out of the game"
    assert says(scene, "won", seat=1, how="by two citadels") == "bob wins By two citadels."
    hero = next(kind.name for kind in KINGS_HEROES)
    assert says(scene, "fell", creature=hero, seat=0, place="h2") == (
        f"Your hero, the {hero}, is beaten in h2 and flees."
    )


KINGS_HEROES = [kind for kind in KINDS.values() if kind.sort == "hero"]


def test_the_dice_of_one_strike_are_one_shot(scene):
    mine = (7, "rolled", {**STRIKE, "seat": 0, "faces": [4], "against": -1})
    theirs = (7, "wild_rolled", {**STRIKE, "faces": [5], "against": 0})
    (shot,) = filmed(scene, mine, theirs)
    assert shot.title == "Melee in h9" and shot.places == ("h9",) and (shot.number, shot.last) == (0, 1)
    assert shot.says == (
        "You roll one against the wild defenders: one hit. The wild defenders roll one against you: no hit."
    )
    assert shot.dice == (("Giant", 4, 4), ("Giant", 5, 4))
    drawn = draw_shot(shot)
    assert drawn.count("die-of hit") == 1 and drawn.count("die-of miss") == 1
    assert len(filmed(scene, mine, (8, *theirs[1:]))) == 2  # another action


def test_what_several_players_place_at_the_same_time_is_a_shot_each(scene):
    """One shot has one seat's counters: the script draws backs in that seat's colour."""
    placed = (7, "placed_creatures", {"seat": 0, "place": "h3", "count": 2})
    income = (7, "placed_income", {"seat": 0, "place": "h4", "counter": "City"})
    theirs = (7, "placed_creatures", {"seat": 1, "place": "h9", "count": 1})
    assert [(each.seat, each.places) for each in filmed(scene, placed, income, theirs)] == [
        (0, ("h3", "h4")),
        (1, ("h9",)),
    ]


def test_what_is_told_of_one_seat_is_one_sentence(scene):
    fell = [(7, "fell", {"creature": name, "seat": 0, "place": "h3"}) for name in ("Giant", "Ogre", "Ogre")]
    (shot,) = filmed(scene, *fell, (7, "fell", {"creature": "Elf", "seat": 1, "place": "h3"}))
    assert shot.says == "You lose the Giant, the Ogre and the Ogre. bob loses the Elf."


def test_what_was_taken_back_is_not_shown_again(scene):
    gone = Line(7, "marched", "", "", dict(MARCH), taken_back=True)
    lines = Grown([gone, Line(8, "taken_back", "bob takes the last step back.", "", {"seat": 1})])
    assert [shot.kind for shot in film_rows(replace(scene, lines=lines), None)] == ["note"]


# ---- growing with the log


def test_a_film_that_grows_is_the_film_drawn_anew():
    """Whatever was kept of it: the same rows, less what leaves it at its beginning."""
    game = k.kings()
    chance, before, longest = Dice.seeded("growing"), None, 0
    for _ in range(230):
        seats = k.asked(game)
        seat = seats[chance.pick("seat", len(seats))]
        k.act(game, seat, k.sampled(game, seat, chance))
        scene = scene_of(game, "ann")
        now = painting.fragments(scene, before)
        assert list(now.lists["film"]) == list(film_rows(scene, None))
        longest, before = max(longest, len(scene.lines)), now
    assert longest > MOST_LINES + 20
    numbers = [number for shot in before.lists["film"] for number in range(shot.number, shot.last + 1)]
    assert numbers == sorted(set(numbers)) and numbers[0] >= longest - MOST_LINES
    assert sum(len(draw_shot(shot)) for shot in before.lists["film"]) < 40_000


def test_a_line_that_concerns_the_viewer_is_in_a_shot():
    game = k.kings()
    k.play_on(game, "all shown", k.after(200))
    scene = scene_of(game, "bob")
    shown = {number for shot in shots(scene, 0) for number in range(shot.number, shot.last + 1)}
    mine = {number for number, line in enumerate(scene.lines) if concerns(line, 1) and not line.taken_back}
    assert len(mine) > 20 and {scene.lines[number].event for number in mine - shown} <= SKIPPED


def test_the_page_has_the_film_and_a_menu_for_its_speed():
    game = k.kings()
    k.play_on(game, "page", k.after(40))
    for name in ("ann", "eve"):
        page = client_of(name).get(game.get_absolute_url()).text
        told = page.split('<ol id="film" hidden hx-disable>')[1].split("</ol>")[0]
        assert told == "".join(draw_shot(shot) for shot in film_rows(scene_of(game, name), None))
        assert "data-film-speed" in page and "js/kings_film.js" in page and page.count("data-ghost=") == 4
        assert set(re.findall('<option value="([a-z]+)"', page)) >= {"slow", "normal", "fast", "off"}


def test_a_question_against_time_says_so_to_whoever_is_asked():
    game = k.kings()
    scene = scene_of(game, k.NAMES[k.asked(game)[0]])
    assert "data-timed" not in painting.draw_state(painting.fragments(scene))
    assert 'data-timed="yes"' in painting.draw_state(painting.fragments(replace(scene, is_timed=True)))
    looker = replace(scene_of(game, "eve"), is_timed=True)
    assert "data-timed" not in painting.draw_state(painting.fragments(looker))


# ---- secrets


@pytest.mark.parametrize("actions", [30, 90, 150])
def test_whatever_is_hidden_the_film_is_the_same(actions):
    """The twin test (C1) of this slot: dealt anew, the same film is told."""
    game = k.kings(waiting="always", last_turn="40")
    state = k.play_on(game, f"motion {actions}", k.after(actions))
    for number, name in enumerate((*k.NAMES, "eve")):
        before = slot_for(game, name)
        assert "data-kind" in before
        lay_down(game, RULESETS["kings"].scramble(state, seat_of(name), Dice.seeded(f"twin {number}")))
        assert slot_for(game, name) == before, name
        lay_down(game, state)


def slot_for(game, name: str) -> str:
    play.forget()
    return str(painting.drawn(painting.fragments(scene_of(game, name)))["film"])


def test_what_is_told_to_one_seat_is_shown_to_nobody_else():
    game = k.kings()
    k.play_on(game, "alone", k.after(40))
    row = Action.objects.filter(game=game).order_by("number").last()
    row.told = [{"to": [0], "event": "marched", **MARCH}]
    row.save()
    told = 'data-path="h3 h4 h5"'
    assert {name: told in slot_for(game, name) for name in ("ann", "bob", "eve")} == {
        "ann": True,
        "bob": False,
        "eve": False,
    }
