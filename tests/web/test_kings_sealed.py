"""Placing in secret (S5): the owner sees what is sealed and where, everybody else a rack as full as before."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from games import play
from games.engine.kings.catalogue import KINDS
from games.models import Game
from games.painting import fragments as painting
from games.painting.kings import looks
from tests.web import kings as k
from tests.web.test_act import client_of
from tests.web.test_kings_page import scene_of, slots_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("kings_bots", "settled_chance")]


def placing() -> Game:
    game = k.kings("ann", "bob", setup="together")
    k.play_on(game, "sealed", lambda state: state.flow[-1].name() == "place_together")
    return game


def place(game: Game, seat: int, most: int = 3) -> dict[str, str]:
    """Creatures from a seat's rack into a hex of its own: what goes where."""
    view = play.view_for(game, seat)
    offer = next(offer for offer in view.offers if offer.do == "place")
    where = max(offer.room, key=offer.room.__getitem__)
    tags = sorted(offer.creatures)[:most]
    k.act(game, seat, {"do": "place", "counters": tags, "places": [where] * len(tags)})
    return dict.fromkeys(tags, where)


def hex_in(page: str, place: str) -> str:
    return page.split(f'id="hex-{place}"')[1].split('id="hex-')[0]


def rack_counts(page: str) -> list[str]:
    return re.findall(r'<span class="rack">(\d+)<i>', page)


def test_what_is_placed_in_secret_is_sealed_here_for_its_owner_alone():
    game = placing()
    before = {name: client_of(name).get(game.get_absolute_url()).text for name in ("ann", "bob", "eve")}
    sealed = place(game, 0)
    (where,) = set(sealed.values())
    names = {KINDS[c.kind].name for c in play.view_for(game, 0).counters if c.tag in sealed}
    page = client_of("ann").get(game.get_absolute_url()).text
    drawn = hex_in(page, where)
    assert drawn.count('yellow sealed"') == len(sealed) == 3 and ">sealed here</text>" in drawn
    assert all(name in drawn.split("sealed here: ")[1].split("</title>")[0] for name in names)
    assert page.count(f'data-sealed="{k.named(game, where)}"') == 3
    assert "What you have placed is sealed" in page and f"{len(sealed)}</h4>" in page.split("Sealed here: ")[1][:20]
    for client in (client_of("bob"), client_of("eve"), Client()):
        other = client.get(game.get_absolute_url()).text
        assert "sealed" not in re.sub(r"<dialog.*?</dialog>", "", other, flags=re.S).lower()
        assert not any(tag in other for tag in sealed)
        assert hex_in(other, where) == hex_in(before["eve"], where)


def test_a_sealed_placement_counts_on_the_rack_until_everybody_has_placed():
    game = placing()
    place(game, 0)
    for client in map(client_of, ("ann", "bob", "eve")):
        assert rack_counts(client.get(game.get_absolute_url()).text) == ["10", "10"]
    for seat in (0, 1, None):
        view = play.view_for(game, seat)
        assert [each.rack for each in view.seats] == [10, 10] and bool(view.sealed) == (seat == 0)
    k.act(game, 1, {"do": "done"})
    for client in map(client_of, ("ann", "bob", "eve")):
        page = client.get(game.get_absolute_url()).text
        assert sorted(rack_counts(page)) == ["10", "7"] and "sealed here" not in page


def test_a_patch_brings_the_seal_and_takes_it_away():
    game = placing()
    seals, old = [], painting.fragments(scene_of(game, "ann"))
    (where,) = set(place(game, 0).values())
    for take in (lambda: None, lambda: k.act(game, 0, {"do": "undo"})):
        take()
        new = painting.fragments(scene_of(game, "ann"), old)
        assert {f"hex-{where}", f"in-{where}", "rack"} <= slots_of(painting.patch(old, new, with_later=False))
        assert new.squares == looks.hex_looks(new.scene.view, table=game.public_id)
        seals.append(new.squares[where].sealed)
        old = new
    assert [len(each) for each in seals] == [3, 0]


def test_what_is_to_be_exchanged_is_marked_too():
    game = placing()
    for seat in (0, 1):
        k.act(game, seat, {"do": "done"})
    tags = [c.tag for c in play.view_for(game, 0).stacks["rack:0"]][:2]
    k.act(game, 0, {"do": "exchange", "counters": tags})
    page = client_of("ann").get(game.get_absolute_url()).text
    assert page.count('data-sealed="the cup"') == 2 and "What you exchange is sealed" in page
    assert "sealed here" not in page
