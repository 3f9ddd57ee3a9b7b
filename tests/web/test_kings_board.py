"""The drawn board of Kings & Things*: complete, told by Views alone, escaped."""

from __future__ import annotations

import gzip
import math
import re
import time
import xml.etree.ElementTree as ET
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from games.engine.core.dice import Dice
from games.engine.core.view import Back, Face
from games.engine.fuzz import random_game
from games.engine.kings import KINGS
from games.engine.kings.catalogue import FORTS, HEXES, KINDS
from games.engine.kings.map import map_for
from games.engine.kings.state import KingsState
from games.engine.kings.view import HexView, KingsFace, KingsView
from games.painting.kings import board, counters, looks
from tools import paint_terrain

ROOT = Path(__file__).resolve().parent.parent.parent
SPRITE = ROOT / "static" / "art" / "kings.svg"
TERRAIN = ROOT / "static" / "art" / "terrain.svg"
CSS = ROOT / "static" / "css" / "kings.css"
SVG = "{http://www.w3.org/2000/svg}"


@cache
def symbols(file: Path = SPRITE) -> list[str]:
    return [each.get("id", "") for each in ET.fromstring(file.read_text()).iter(f"{SVG}symbol")]


@cache
def states(players: int) -> tuple[KingsState, ...]:
    """Some moments of a game played at random, from before the hexes are turned to the last one."""
    seen: list[KingsState] = []
    random_game(KINGS, players, f"board {players}", 500, seen.append)
    return tuple(seen[:: len(seen) // 12])


def views(players: int) -> list[KingsView]:
    return [KINGS.view(state, seat) for state in states(players) for seat in (None, *range(players))]


def pictures(drawn: str) -> set[str]:
    return set(re.findall(r"kings[^#\"]*\.svg#([\w-]+)", drawn))


def a_look(**values: object) -> looks.HexLook:
    return replace(looks.HexLook("forest", label="h1, forest"), **values)


FULL = a_look(
    owner=2,
    fort=3,
    damage=1,
    fort_value=1,
    cloud=True,
    battle="now",
    income=looks.CounterLook("city", 2, value=1),
    counters=(looks.CounterLook("elf_lord", 2), looks.CounterLook("goblins", 2, masked=True)),
    backs=(looks.BacksLook(0, 4),),
)


# ---- the sprite


def test_every_kind_of_counter_has_a_picture():
    assert {board.picture_of(kind) for kind in KINDS.values()} <= set(symbols())


def test_forts_and_marks_have_pictures():
    assert {*FORTS[1:], *looks.MARKS.values(), "back", "cloud", "battle"} <= set(symbols())


def test_every_terrain_has_its_tiles():
    terrains = [board.terrain_class(terrain).removeprefix("t-") for terrain in ("", *HEXES)]
    tiles = {f"{terrain}-{variant}" for terrain in terrains for variant in range(board.VARIANTS)}
    assert tiles == set(symbols(TERRAIN)) and len(symbols(TERRAIN)) == len(tiles)
    assert len(gzip.compress(TERRAIN.read_bytes())) < 60_000


def test_the_tiles_are_the_ones_that_are_painted():
    assert TERRAIN.read_text() == paint_terrain.terrain(), "run python tools/paint_terrain.py"


def test_the_sprite_is_small_and_names_nothing_twice():
    assert len(symbols()) == len(set(symbols()))
    assert SPRITE.stat().st_size < 160_000


def test_every_picture_drawn_is_in_the_sprite():
    for view in views(4):
        drawn = board.draw_board(looks.hex_looks(view))
        assert pictures(drawn) <= set(symbols())
        assert set(re.findall(r"terrain[^#\"]*\.svg#([\w-]+)", drawn)) <= set(symbols(TERRAIN))


def test_every_ground_has_its_colours():
    named = {board.terrain_class(terrain) for terrain in ("", *HEXES)} | {board.ground_of(k) for k in KINDS.values()}
    assert named <= {rule[1:] for rule in re.findall(r"\.t-[\w-]+", CSS.read_text())}


# ---- secrets


@pytest.mark.parametrize("players", (2, 3, 4))
def test_twins_look_the_same(players):
    """Deal everything hidden from a seat anew: no hex looks otherwise. Nothing is hidden after the end."""
    going_on = [state for state in states(players) if state.result is None]
    assert len(going_on) >= 12
    for number, state in enumerate(going_on):
        for seat in (None, *range(players)):
            twin = KINGS.scramble(state, seat, Dice.seeded(f"twin {number}"))
            assert looks.hex_looks(KINGS.view(state, seat)) == looks.hex_looks(KINGS.view(twin, seat))


def test_a_back_shows_its_owner_and_its_tag_and_nothing_else():
    drawn = counters.draw_back(2, "qzx23456")
    assert not pictures(drawn) and '<i class="picture">' in drawn  # the style sheet draws the same star on all
    assert re.findall(r'data-[\w-]+="[^"]*"', drawn) == ['data-tag="qzx23456"']
    assert drawn.replace("qzx23456", "bcdfghjk") == counters.draw_back(2, "bcdfghjk")
    assert "data-" not in counters.draw_back(2)


def test_only_faces_are_pictured_on_the_board():
    backs = 0
    for view in views(4):
        for place, look in looks.hex_looks(view).items():
            here = [counter for counter in view.counters if counter.place == place]
            faces = {board.picture_of(KINDS[c.kind]) for c in here if isinstance(c, Face)}
            kinds = {board.picture_of(kind) for kind in KINDS.values()}
            assert pictures(board.draw_hex(place, look)) & kinds == faces
            backs += sum(each.count for each in look.backs)
            assert sum(each.count for each in look.backs) == sum(isinstance(c, Back) for c in here)
    assert backs, "nothing was hidden in all this: the test looked at nothing"


def test_tags_stay_off_the_board():
    """A stack gets new tags whenever it is mixed; its drawing need not change for that."""
    for view in views(4):
        drawn = board.draw_board(looks.hex_looks(view))
        assert not any(counter.tag in drawn for counter in view.counters)


def test_what_lies_face_down_is_drawn_so_for_its_owner():
    masked = [look for view in views(4) for look in looks.hex_looks(view).values() if any_masked(look)]
    assert masked
    for look in masked:
        drawn = board.draw_hex("h1", look)
        assert drawn.count(" masked") == drawn.count('class="fold"') == sum(c.masked for c in look.counters)


def any_masked(look: looks.HexLook) -> bool:
    return any(counter.masked for counter in look.counters)


# ---- what is drawn


@pytest.mark.parametrize("players, hexes", ((2, 19), (3, 19), (4, 37)))
def test_a_slot_for_every_hex(players, hexes):
    for view in (views(players)[0], views(players)[-1]):
        root = ET.fromstring(f'<svg xmlns="http://www.w3.org/2000/svg">{board.draw_board(looks.hex_looks(view))}</svg>')
        beneath, *slots = root
        assert beneath.get("class") == "beneath"
        assert [slot.get("id") for slot in slots] == [f"hex-{place}" for place in map_for(players).places]
        assert [slot.get("data-place") for slot in slots] == list(map_for(players).places)
        assert all(slot.get("role") == "button" and slot.find(f"{SVG}title").text for slot in slots)


@pytest.mark.parametrize("players", (2, 4))
def test_neighbours_touch_and_all_is_inside_the_view_box(players):
    map_ = map_for(players)
    for place in map_.places:
        for other in map_.neighbours[place]:
            assert math.dist(board.middle(place), board.middle(other)) == pytest.approx(math.sqrt(3) * 100, abs=0.2)
    left, top, width, height = map(float, board.view_box(players).split())
    xs, ys = zip(*map(board.middle, map_.places))
    assert left <= min(xs) - 100 and left + width >= max(xs) + 100
    assert top <= min(ys) - 87 and top + height >= max(ys) + 87
    assert width < max(xs) - min(xs) + 230 and height < max(ys) - min(ys) + 204


@pytest.mark.parametrize(
    "change",
    (
        {"terrain": "jungle"},
        {"owner": 1},
        {"owner": None},
        {"fort": 4},
        {"fort_value": None},
        {"cloud": False},
        {"battle": "waits"},
        {"battle": ""},
        {"income": None},
        {"income": looks.CounterLook("city", 2)},
        {"counters": FULL.counters[:1]},
        {"backs": (looks.BacksLook(0, 5),)},
        {"backs": (looks.BacksLook(3, 4),)},
        {"label": "else"},
    ),
    ids=str,
)
def test_looks_that_differ_are_drawn_differently(change):
    assert board.draw_hex("h1", replace(FULL, **change)) != board.draw_hex("h1", FULL)


# ---- realms


@pytest.mark.parametrize("players", (2, 4))
def test_a_border_runs_where_a_realm_ends_and_nowhere_else(players):
    near = map_for(players).neighbours
    for view in views(players):
        owners = {here.place: here.owner for here in view.hexes}
        for place, look in looks.hex_looks(view).items():
            within = sum(owners[each] == look.owner for each in near[place])
            assert len(look.border) == (0 if look.owner is None else 6 - within)


def test_a_border_goes_on_in_the_next_hex():
    """Each line ends on an edge, at the very point where the line of the neighbouring hex begins."""
    met = 0
    for view in views(4):
        ends: Counter[tuple[int, float, float]] = Counter()
        for place, look in looks.hex_looks(view).items():
            if look.owner is None or len(look.border) in (0, 6):
                continue
            x, y = board.middle(place)
            for line in board.border_path(look.border).split("M")[1:]:
                points = [tuple(map(float, point.split())) for point in line.split("L")]
                ends.update((look.owner, round(x + a), round(y + b)) for a, b in (points[0], points[-1]))
        assert set(ends.values()) <= {2}
        met += len(ends)
    assert met > 50


def test_when_land_changes_hands_the_borders_around_it_change_too():
    """What is taken over from an earlier look is as a fresh look would be."""
    for before, after in zip(states(4), states(4)[1:]):
        old, new = KINGS.view(before, None), KINGS.view(after, None)
        assert looks.hex_looks(new, (old, looks.hex_looks(old))) == looks.hex_looks(new)


def test_seats_differ_in_shape_and_not_only_in_colour():
    shapes = {re.sub(r'class="[^"]*"', "", board.seat_mark(seat, 0, 0, 10)) for seat in range(4)}
    assert len(shapes) == 4


def test_a_hex_in_words():
    view = HexView("h7", "mountain", 1, 2, 1, 0)
    counters = [
        KingsFace("b", "village", "h7", 1, True, hits=1, value=0),
        KingsFace("c", "elf_lord", "h7", 1, value=5),
        KingsFace("d", "dragon_rider", "h7", None, value=3),
        KingsFace("e", "goblins", "h7", 0, False, value=1),
        Back("f", "h7", 3),
        Back("g", "h7", 3),
    ]
    look = looks.hex_look(view, counters, border=(), cloud=True, fought=False)
    assert look.label == (
        "h7, mountain; of Grey; keep (0/2) with 1 damage; Village 0/1 (Grey); Elf Lord 5/6 ranged (Grey); "
        "Goblins 1 (Yellow, face down); Dragon Rider 3 flying ranged (wild); 2 face down of Red; Black Cloud; contested"
    )


@pytest.mark.parametrize(
    "counters, owner, fort, battle",
    (
        ([Back("b", "h1", 0)], 0, 0, ""),
        ([Back("b", "h1", 0)], 1, 0, ""),  # nobody is there to fight: it will pass to the intruder (M7)
        ([Back("b", "h1", 0)], 1, 1, "waits"),
        ([Back("b", "h1", 0), Back("c", "h1", 1)], 1, 0, "waits"),
        ([Back("b", "h1", 0), KingsFace("c", "troll", "h1", None, value=4)], None, 0, "waits"),
        ([Back("b", "h1", 0), KingsFace("c", "ruby", "h1", None)], None, 0, ""),
        ([Back("b", "h1", 0), KingsFace("c", "village", "h1", 1, value=1)], 1, 0, "waits"),
        ([Back("b", "h1", 0), KingsFace("c", "peat_bog", "h1", 1)], 1, 0, ""),
    ),
)
def test_a_hex_is_contested_when_more_than_one_side_can_fight_there(counters, owner, fort, battle):
    look = looks.hex_look(HexView("h1", "swamp", owner, fort, 0, fort), counters, border=(), cloud=False, fought=False)
    assert look.battle == battle


def test_the_battle_under_way_is_marked():
    fought = 0
    for view in views(4):
        places = {d["place"] for d in view.doing if d["frame"] in ("battle", "explore") and d.get("place")}
        fought += len(places)
        assert {place for place, look in looks.hex_looks(view).items() if look.battle == "now"} == places
    assert fought


@pytest.mark.parametrize("above, below", ((-52, 64), (-38, 54)))
@pytest.mark.parametrize("count", (1, 2, 3, 5, 7, 11, 16, 20, 45))
def test_counters_stand_side_by_side_inside_their_hex(count, above, below):
    size, where = board.spots(count, above, below)
    assert len(where) == count or (count > 20 and len(where) >= 20)
    for x, y in where:
        assert above - 1 <= y and y + size <= below + 1
        assert max(abs(x), abs(x + size)) <= 100 - max(abs(y), abs(y + size)) / math.sqrt(3)
    for one in where:
        for other in where:
            assert one is other or max(abs(one[0] - other[0]), abs(one[1] - other[1])) >= size


def test_what_does_not_fit_is_counted():
    crowd = a_look(counters=(looks.CounterLook("goblins", 0),) * 45)
    drawn = board.draw_hex("h1", crowd)
    shown = drawn.count('class="chit')
    assert f">+{45 - shown}</text>" in drawn and shown >= 20


def test_counters_in_panels_show_what_is_printed_on_them():
    drawn = counters.draw_counter(
        KingsFace("tagtagta", "old_dragon", "h3", 1, False, value=4), "button", class_="picked"
    )
    assert drawn.startswith("<button ") and 'class="counter t-desert grey masked picked"' in drawn
    assert 'data-tag="tagtagta"' in drawn and ">Old Dragon<" in drawn and ">4<" in drawn
    assert pictures(drawn) == {"old_dragon", "flying", "magic"}
    assert 'title="Face down: the others see its back"' in drawn
    city = counters.draw_counter(KingsFace("b", "city", "h3", 1, True, hits=1, value=1))
    assert ">1/2<" in city and 'title="2 gold"' in city and "masked" not in city
    assert "masked" not in counters.draw_counter(KingsFace("b", "goblins", "rack:1", 1, False, value=1))


def test_a_still_board_has_no_slot_that_a_patch_could_find():
    view = views(3)[-1]
    drawn = board.still_board(view)
    assert " id=" not in drawn and "button" not in drawn
    assert set(re.findall(r"\bdata-\w+", drawn)) <= {"data-piles", "data-still"}
    assert drawn.startswith("<svg ") and drawn.count('class="hex"') == 19


# ---- markup


def test_all_text_is_escaped():
    nasty = '"><script>alert(1)</script>&'
    drawn = [
        board.draw_hex("h1", a_look(label=nasty)),
        board.hex_drawn(FULL, "h1", nasty),
        counters.draw_counter(KingsFace(nasty, "goblins", "h1", 0), title=nasty, class_=nasty),
        counters.draw_back(1, nasty, class_=nasty),
        board.still_board(views(3)[-1], label=nasty),
    ]
    for each in drawn:
        assert "<script" not in each and "&lt;script&gt;" in each
    assert "Elephants&#x27; Graveyard" in counters.draw_kind("elephants_graveyard")


def test_nothing_drawn_needs_more_than_the_content_policy_allows():
    drawn = board.draw_board(looks.hex_looks(views(4)[-1])) + counters.draw_counter(KingsFace("b", "sphinx", "h1", 0))
    assert not re.search(r"\sstyle=|\son\w+=|javascript:", drawn)


def test_how_long_a_board_takes(capsys):
    view = views(4)[-1]
    for clear in (board.chit, board.ground, board.spots):
        clear.cache_clear()
    begun = time.perf_counter()
    seen_looks = looks.hex_looks(view)
    seen = time.perf_counter()
    drawn = board.draw_board(seen_looks)
    done = time.perf_counter()
    again = board.draw_board(seen_looks)
    with capsys.disabled():
        print(
            f"\n37 hexes: looks {1000 * (seen - begun):.1f} ms, drawn {1000 * (done - seen):.1f} ms,"
            f" again {1000 * (time.perf_counter() - done):.1f} ms, {len(drawn)} bytes"
        )
    assert again == drawn
