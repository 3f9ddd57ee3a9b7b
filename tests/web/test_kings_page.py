"""The page of Kings & Things* without a browser: who gets it, what a patch holds, and that it cannot tell secrets."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from django.test import Client
from django.urls import reverse

from games import access, lobby, tables
from games.engine.core.dice import Dice
from games.engine.core.grown import Grown
from games.engine.core.view import Face
from games.engine.kings import KINGS
from games.engine.kings.catalogue import KINDS
from games.engine.kings.support import is_supported
from games.models import Game
from games.painting import fragments as painting
from games.painting.kings import handbook
from games.painting.kings import page as painter
from games.painting.kings.rules import BRIEF
from games.painting.scene import Line, LogRow, Scene
from tests import tables as tt
from tests.web import kings as k
from tests.web.test_act import client_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("kings_bots", "settled_chance")]


def scene_of(game: Game, name: str) -> Scene:
    return tables.scene_for(access.visit(Game.objects.get(pk=game.pk), tt.player(name), {}))


def slots_of(patch: str) -> set[str]:
    return set(re.findall(r'hx-swap-oob="\w+:#([\w-]+)"', patch))


def offered_in(page: str) -> list[str]:
    """What the controls say may be done; nothing where there are none."""
    found = re.findall(r'<input[^>]* id="picks"[^>]* data-do="([^"]*)"', page)
    return found[0].split() if found else []


# ---- who gets it


def test_players_and_spectators_get_the_page():
    game = k.kings()
    k.play_on(game, "page", k.after(30))
    for name in k.NAMES:
        page = client_of(name).get(game.get_absolute_url())
        assert page.status_code == 200 and page.text.count('class="hex"') == 37
        assert offered_in(page.text) and '<div id="purse" class="purse"><svg' in page.text
    for client in (Client(), client_of("eve")):
        page = client.get(game.get_absolute_url())
        assert page.status_code == 200 and not offered_in(page.text)
        assert '<div id="purse" class="purse"></div>' in page.text


def test_two_play_on_the_small_map():
    page = client_of("ann").get(k.kings("ann", "bob").get_absolute_url())
    assert page.status_code == 200 and page.text.count('class="hex"') == 19 and page.text.count('class="in-hex"') == 19


def test_a_shared_device_shows_each_seat_its_own():
    seats = [{"kind": "me"}, {"kind": "same_device", "name": "Ben"}, {"kind": "same_device", "name": "Cleo"}]
    game = lobby.create(tt.player("ann"), "kings", {}, seats)
    client, chance = client_of("ann"), Dice.seeded("shared")
    seen: list[int] = []
    while len(set(seen)) < 3 and len(seen) < 12:
        assert client.post(reverse("hand_over", args=[game.public_id]), follow=True).status_code == 200
        page = client.get(game.get_absolute_url())
        assert page.status_code == 200 and re.search(r'data-question="\w+"', page.text)
        (seat,) = re.findall(r'data-seat="(\d)"[^>]*data-side', page.text)
        seen.append(int(seat))
        k.act(game, seen[-1], k.sampled(game, seen[-1], chance))
    assert set(seen) == {0, 1, 2}


# ---- patches


def test_a_patch_holds_only_what_changed():
    game = k.kings()
    k.play_on(game, "patch", k.after(40))
    before = painting.fragments(scene_of(game, "eve"))
    k.act(game, 0, {"do": "set_order", "about": "proof", "how": "show"})
    assert slots_of(painting.patch(before, painting.fragments(scene_of(game, "eve")), with_later=False)) == set()
    chance = Dice.seeded("patch")
    for _ in range(30):
        before = {name: painting.fragments(scene_of(game, name)) for name in ("ann", "eve")}
        seat = k.asked(game)[0]
        k.act(game, seat, k.sampled(game, seat, chance))
        for name, old in before.items():
            new = painting.fragments(scene_of(game, name))
            changed = {slot for slot in new.panels if new.panels[slot] != old.panels[slot]}
            changed |= {f"hex-{place}" for place in new.squares if new.squares[place] != old.squares[place]}
            lists = {slot for slot in new.lists if new.lists[slot] != old.lists[slot]}  # whole when their order changed
            sent = slots_of(painting.patch(old, new, with_later=False)) - {"board"} - lists
            assert sent <= changed and sent >= {slot for slot in changed if not slot.startswith("hex-")}


def test_what_is_sent_after_an_ordinary_action_is_small():
    game = k.kings(waiting="never")
    k.play_on(game, "small", k.after(60))
    sizes = []
    chance = Dice.seeded("small")
    before = {name: painting.fragments(scene_of(game, name)) for name in (*k.NAMES, "eve")}
    for _ in range(40):
        seat = k.asked(game)[0]
        k.act(game, seat, k.sampled(game, seat, chance))
        for name in before:
            new = painting.fragments(scene_of(game, name))
            sizes.append(len(painting.patch(before[name], new).encode()))
            before[name] = new
    sizes.sort()
    assert sizes[len(sizes) // 2] < 6_000 and sizes[int(0.85 * len(sizes))] < 12_000, sizes


def test_text_of_players_cannot_leave_its_place_in_the_page():
    told = painter.as_json({"seats": {"0": "</div><script>alert(1)</script>&quot;"}})
    assert "<" not in told and ">" not in told and "&" not in told
    assert json.loads(told)["seats"]["0"] == "</div><script>alert(1)</script>&quot;"


# ---- the log


def with_lines(scene: Scene, count: int) -> Scene:
    lines = tuple(
        Line(n, "rolled", f"line {n}", "R1", {"why": "recruit", "seat": 0, "faces": [1]}) for n in range(count)
    )
    return Scene(**{**vars(scene), "lines": lines})


def test_the_log_keeps_its_end_and_mostly_only_grows():
    scene = scene_of(k.kings(), "ann")
    starts = set()
    for count in range(painter.MOST_ROWS - 5, painter.MOST_ROWS + 40):
        rows = painting.fragments(with_lines(scene, count)).lists["log"]
        assert rows[-1].number == count - 1 and rows[0].number % painter.ROWS_AT_ONCE == 0
        assert min(count, painter.MOST_ROWS - painter.ROWS_AT_ONCE) < len(rows) <= painter.MOST_ROWS
        starts.add(rows[0].number)
    assert starts == {0, 10, 20, 30, 40}


def test_another_row_in_place_of_the_last_is_not_looked_for_on_the_page():
    """After a step was taken back: a page that has row 4 knows nothing of row 5."""
    scene = scene_of(k.kings(), "ann")
    rows = [LogRow(number, f"row {number}", "", False) for number in range(6)]
    changed = replace(rows[4], taken_back=True)

    def told(*new: LogRow) -> str:
        return "".join(painting._patch_list("log", Grown(rows[3:5]), Grown(new), scene))

    assert 'hx-swap-oob="innerHTML:#log"' in told(rows[3], rows[5], changed)
    assert told(rows[3], changed, rows[5]).startswith('<li id="log-4" class="taken-back" hx-swap-oob="true">')


# ---- supported or not


def test_own_creatures_are_marked_as_supported_or_bluffs():
    game = k.kings(bluffs="challenge")
    state = k.play_on(game, "support", k.after(90))
    seen = set()
    for number, name in enumerate(k.NAMES):
        panels = painting.fragments(scene_of(game, name)).panels
        marked = [
            each for slot in panels if slot.startswith("in-") or slot == "rack" for each in panels[slot]["counters"]
        ]
        for counter, mark in marked:
            own = counter.owner == number and isinstance(counter, Face) and KINDS[counter.kind].sort == "creature"
            supported = own and is_supported(state, state.tags[counter.tag])
            assert mark == (("supported" if supported else "bluff") if own else "")
            seen.add(mark)
    assert seen == {"supported", "bluff", ""}


# ---- secrets


@pytest.mark.parametrize("actions", [20, 70, 130])
def test_twins_are_drawn_alike(actions):
    """Whatever is hidden from a viewer may be anything: every fragment stays the same."""
    game = k.kings(waiting="always")
    state = k.play_on(game, f"twins of the page {actions}", k.after(actions))
    for name in (*k.NAMES, "eve"):
        scene = scene_of(game, name)
        seat = scene.view.seat
        twin = KINGS.scramble(state, seat, Dice.seeded(f"{name} {actions}"))
        assert [c.kind for c in twin.counters.values()] != [c.kind for c in state.counters.values()]
        other = Scene(**{**vars(scene), "view": KINGS.view(twin, seat)})
        assert painting.drawn(painting.fragments(other)) == painting.drawn(painting.fragments(scene)), name


def test_the_twins_of_another_seat_are_not_alike():
    game = k.kings()
    state = k.play_on(game, "not alike", k.after(40))
    scene = scene_of(game, "ann")
    twin = KINGS.scramble(state, 1, Dice.seeded("for bob"))
    other = Scene(**{**vars(scene), "view": KINGS.view(twin, 0)})
    changed = {
        slot
        for slot, inside in painting.drawn(painting.fragments(other)).items()
        if inside != painting.drawn(painting.fragments(scene))[slot]
    }
    assert "rack" in changed


# ---- help cards


def test_every_counter_has_a_card_that_leads_to_the_rules():
    rules = Client().get(reverse("rules_of", args=["kings"])).text
    cards = handbook.cards()
    assert set(cards) == set(KINDS)
    for slug, (sort, lines, rule) in cards.items():
        assert sort and lines, slug
        assert f'id="{rule}"' in rules, (slug, rule)


def test_every_power_is_told_on_its_card_in_one_sentence():
    for slug, (_, lines, _) in handbook.cards().items():
        kind = KINDS[slug]
        assert all(len(line.split()) <= 25 and line.count(". ") == 0 and line.endswith(".") for line in lines), slug
        assert len(lines) == len(set(lines)) and not any("has a power" in line for line in lines), slug
        if kind.sort in ("event", "magic") or "*" in kind.symbols:
            assert any(line == BRIEF.get(slug) or line.startswith("Terrain Lord: ") for line in lines), slug
        if kind.lord_of:
            assert any(f"creatures of the {kind.lord_of} in the same hex serve you" in line for line in lines), slug
    assert handbook.cards()["marksman"][1][1] == BRIEF["marksman"]  # the star's own line, after the arrow's
