"""Names of hexes: what they follow from, what they keep clear of, and where they are read."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import chain

import pytest
from django.urls import reverse

from games import access, play, tables
from games.engine.core.refusals import REASONS
from games.engine.kings import KINGS
from games.engine.kings.catalogue import FORTS, HEXES, KINDS, LARGE
from games.engine.kings.events import EVENTS
from games.engine.kings.map import Map
from games.models import Game
from games.painting import fragments as painting
from games.painting.kings.places import NAMES, called, name_of, names_on, titled
from tests import tables as tt
from tests.kings_tables import laid
from tests.web import kings as k
from tests.web.test_act import client_of
from tests.web.test_api import Program
from tests.web.test_kings_page import scene_of

PLACES = Map(LARGE).places
TABLES = [f"table-{number}" for number in range(200)]

# A may play Big JuJu at once, and says what h2 becomes.
JUJU = """
    players: 2
    phase: events
    turn: 2
    rack A: big_juju
    h1 swamp A: sprite
    h2 plains A: farmers
    h12 swamp B: watersnake
"""


def words_in(text: str) -> set[str]:
    """The words of a text, without the ending of a plural."""
    return {word.removesuffix("s") for word in re.findall("[a-z]+", text.lower())} - {"the", "of", "o"}


# ---- what a name follows from


def test_no_two_hexes_share_a_name_whatever_their_terrains():
    for table in TABLES:
        names = [name_of(table, place, terrain) for place in PLACES for terrain in HEXES]
        assert len(set(names)) == len(names) == len(PLACES) * len(HEXES)


def test_there_are_names_for_a_map_of_one_terrain():
    assert set(NAMES) == set(HEXES)
    assert all(len(set(names)) == len(names) >= len(PLACES) for names in NAMES.values())


def test_a_name_follows_from_table_place_and_terrain_alone():
    """It is the same in another process and in all versions of Python: these were written down once."""
    assert name_of("abc", "h1", "mountain") == "Sleeper Ridge"
    assert name_of("abc", "h37", "sea") == "the Whale Deep"
    assert name_of("abd", "h1", "mountain") == "Kettle Crag"


def test_tables_have_maps_of_their_own():
    for terrain in HEXES:
        assert len({tuple(name_of(table, place, terrain) for place in PLACES) for table in TABLES}) == len(TABLES)
        assert len({name_of(table, "h1", terrain) for table in TABLES}) > len(PLACES) // 2


def test_a_hex_that_lies_face_down_has_no_name():
    assert all(name_of("abc", place, "") == "" for place in PLACES)


@pytest.mark.django_db
def test_what_happens_elsewhere_changes_no_name():
    game = laid(JUJU)
    view = play.view_for(game, None)
    names = names_on(view, game.public_id)
    assert set(names) == {here.place for here in view.hexes}
    for changed in view.hexes:
        for terrain in ("", "sea", "jungle"):
            hexes = tuple(replace(here, terrain=terrain) if here is changed else here for here in view.hexes)
            now = names_on(replace(view, hexes=hexes), game.public_id)
            assert {place: name for place, name in now.items() if place != changed.place} == {
                place: name for place, name in names.items() if place != changed.place
            }
            assert len(set(now.values())) == len(now) and (changed.place in now) == bool(terrain)


# ---- what it keeps clear of


def test_names_share_no_word_with_counters_forts_seats_or_terrains():
    taken = {*chain.from_iterable(words_in(kind.name) for kind in KINDS.values())}
    taken |= words_in(" ".join((*FORTS, *KINGS.seat_names, "fort wall cup rack bank pool stack thing bluff hex wild")))
    for terrain, names in NAMES.items():
        others = words_in(" ".join(each for each in HEXES if each != terrain)) | words_in("frozen waste sea ice")
        for name in names:
            assert not words_in(name) & (taken | others), name


def test_names_of_one_terrain_share_no_word_with_those_of_another():
    """So a name's last word tells the terrain, and nobody mixes up a wood and a peak of the same name."""
    of = {terrain: set(chain.from_iterable(map(words_in, names))) for terrain, names in NAMES.items()}
    for terrain, words in of.items():
        for other in of.keys() - {terrain}:
            assert not words & of[other], (terrain, other)


def test_names_fit_into_sentences_and_onto_a_hex():
    for name in chain.from_iterable(NAMES.values()):
        assert re.fullmatch("(the )?[A-Z][a-z]+( [A-Z][a-z]+)?", name), name
        assert len(name.removeprefix("the ")) <= 14, name
    # A name may begin with a small letter, so no sentence begins with a place.
    assert not [event.says for event in EVENTS if re.search(r"(^|[.!?] )\{(place|source|target)\}", event.says)]
    assert not [why.sentence for why in REASONS.values() if re.search(r"(^|[.!?] )\{places?\}", why.sentence)]


# ---- the log


def told(*lines):
    return [(event, facts) for event, facts in lines]


@pytest.mark.django_db
def test_a_line_calls_a_hex_what_everybody_called_it_then():
    game = laid(JUJU)
    view = play.view_for(game, None)
    at = game.public_id
    lines = told(
        ("start_chosen", {"seat": 0, "place": "h2"}),
        ("hexes_turned_up", {}),
        ("sea_replaced", {"place": "h2", "terrain": "desert"}),
        ("claimed", {"seat": 0, "place": "h2"}),
        ("hex_changed", {"place": "h2", "was": "desert", "terrain": "plains"}),
        ("marched", {"seat": 0, "count": 1, "source": "h1", "target": "h2"}),
        ("aimed_at", {"seat": 0, "target": "Giant"}),
    )
    sea, desert, plains = (name_of(at, "h2", terrain) for terrain in ("sea", "desert", "plains"))
    assert called(lines, view, at) == [
        {},
        {},
        {"place": sea, "terrain": f"desert, now called {desert}"},
        {"place": desert},
        {"place": desert, "terrain": f"plains, now called {plains}"},
        {"source": name_of(at, "h1", "swamp"), "target": plains},
        {},
    ]


@pytest.mark.django_db
def test_the_log_says_both_names_once_when_the_terrain_changes():
    game = laid(JUJU)
    was, mine, theirs = (k.named(game, place) for place in ("h2", "h1", "h12"))
    changed_to_jungle(game)
    now = k.named(game, "h2")
    assert now == name_of(game.public_id, "h2", "jungle") != was
    assert (k.named(game, "h1"), k.named(game, "h12")) == (mine, theirs)
    for name in ("ann", "bob", "eve"):
        lines = [line.text for line in scene_of(game, name).lines]
        assert f"The terrain of {was} changes from plains to jungle, now called {now}." in lines
        assert len([line for line in lines if was in line]) == len([line for line in lines if now in line]) == 1
    # Whoever looks at the past reads and sees the name of that time.
    scene = scene_of(game, "ann")
    past = tables.scene_at(access.visit(game, tt.player("ann"), {}), scene.view.revision - 1)
    assert names_on(past.view, past.table)["h2"] == was and [line.text for line in past.lines] == lines_before(scene)


def changed_to_jungle(game: Game) -> None:
    event = next(offer for offer in play.view_for(game, 0).offers if offer.do == "play_event")
    caster = next(iter(event.reach))
    k.act(game, 0, {"do": "play_event", "event": event.event, "target": "h2", "caster": caster})
    k.act(game, 0, {"do": "choose", "what": "jungle"})


def lines_before(scene) -> list[str]:
    return [line.text for line in scene.lines if line.revision < scene.view.revision]


@pytest.mark.django_db
@pytest.mark.usefixtures("kings_bots", "settled_chance")
def test_a_whole_game_is_told_in_names_and_the_same_whenever_it_is_read():
    """Line by line as it happened, or all at once by somebody who comes late."""
    game = k.kings()
    for step in range(0, 140, 20):
        k.play_on(game, f"names {step}", k.after(step + 20))
        scene_of(game, "ann")
    heard = [(line.event, line.text) for line in scene_of(game, "ann").lines]
    play.forget()
    assert [(line.event, line.text) for line in scene_of(game, "ann").lines] == heard
    up = [event for event, _ in heard].index("hexes_turned_up")
    before, after = heard[:up], heard[up:]
    assert any(re.search(r"\bh\d+\b", text) for _, text in before)
    assert not [text for _, text in after if re.search(r"\bh\d+\b", text)]
    starts = [text for event, text in before if event == "start_chosen"]
    assert starts and all(re.fullmatch(r"\w+ starts at h\d+\.", text) for text in starts)
    assert any(k.named(game, place) in text for place in PLACES for _, text in after)


# ---- where else they are read


@pytest.mark.django_db
def test_two_tables_in_one_process_do_not_mix_their_names():
    """Their states are equal, so whatever is kept by what it looks like would be taken for the other's."""
    one, other = laid(JUJU), laid(JUJU)
    assert one.public_id != other.public_id
    for _ in range(2):
        for game, stranger in ((one, other), (other, one)):
            drawn = painting.drawn(painting.fragments(scene_of(game, "ann")))
            shown = " ".join(map(str, drawn.values()))
            for place in ("h1", "h2", "h12"):
                name, wrong = k.named(game, place), k.named(stranger, place)
                assert f"{titled(name)} ({place})" in drawn["board"] and f"{titled(name)} · {place} ·" in shown
                assert name == wrong or f"{titled(wrong)} ({place})" not in shown
                assert name == wrong or f"{titled(wrong)} · {place}" not in shown


BATTLE = """
    players: 2
    phase: combat
    turn: 2
    h1 plains A
    h12 swamp B
    h3 plains B: hunters | A villains farmers
    dice: 1
"""


@pytest.mark.django_db
@pytest.mark.parametrize("stands, place", [(JUJU, "h1"), (BATTLE, "h3")])
def test_whatever_is_kept_of_a_drawing_is_kept_for_one_table(stands: str, place: str):
    """Two tables draw the very same View, one after the other and once more."""
    scene = scene_of(laid(stands), "ann")
    name = {table: name_of(table, place, terrain_at(scene, place)) for table in TABLES}
    one, other = "table-0", next(table for table in TABLES if name[table] != name["table-0"])
    for table, stranger in ((one, other), (other, one), (one, other)):
        drawn = painting.drawn(painting.fragments(replace(scene, table=table)))
        panels = ["board", f"in-{place}", *(("battle", "prompt", "odds") if stands == BATTLE else ("controls",))]
        for panel in panels:
            shown = str(drawn[panel]).lower()
            assert name[table].lower() in shown, panel
            assert panel == "board" or name[stranger].lower() not in shown, panel
        assert f"{titled(name[stranger])} ({place})" not in drawn["board"]


def terrain_at(scene, place: str) -> str:
    return next(here.terrain for here in scene.view.hexes if here.place == place)


@pytest.mark.django_db
def test_seats_of_a_table_share_what_is_drawn():
    """A name costs no drawing: what two seats see alike is still the same object for both."""
    game = laid(JUJU)
    ann, eve = (painting.fragments(scene_of(game, name)) for name in ("ann", "eve"))
    assert ann.squares["h12"] is eve.squares["h12"] and ann.panels["in-h12"] is eve.panels["in-h12"]
    assert ann.squares["h12"].name == k.named(game, "h12")


@pytest.mark.django_db
def test_pages_use_names_and_programs_the_number():
    game = laid(JUJU, is_public=True)
    changed_to_jungle(game)
    name, number = k.named(game, "h2"), play.view_for(game, None).revision
    past = client_of("ann").get(reverse("past", args=[game.public_id, number]))
    text = client_of("ann").get(reverse("export", args=[game.public_id]))
    assert titled(name) in past.text and f"h2: {name}, jungle" in text.text
    program = Program(tt.player("ann"))
    for path in (f"tables/{game.public_id}", f"tables/{game.public_id}/log"):
        answer = program.get(path)
        assert answer.status_code == 200 and '"h2"' in answer.text and name not in answer.text, path


@pytest.mark.django_db
def test_a_refusal_names_the_hex_on_the_page_and_numbers_it_for_programs():
    game = laid("players: 2\nphase: build\nturn: 2\nh1 plains A\nh12 swamp B\ngold A: 20\n")
    action = {"do": "build", "place": "h12"}
    name = k.named(game, "h12")
    refusal = play.why_not(Game.objects.get(pk=game.pk), 0, action)
    assert refusal is not None and "h12 isn’t one" in refusal.sentence
    answer = client_of("ann").post(reverse("why", args=[game.public_id]), {"action": '{"do":"build","place":"h12"}'})
    assert f"{name} isn’t one" in answer.json()["why"] and "h12" not in answer.json()["why"]
