"""The page is a gentle opponent: stronger than chance, weaker than a steward, and no danger to small kingdoms."""

from __future__ import annotations

import pytest

from games.engine.bots import GIVEN_NAMES, named
from games.engine.bots.kings import ANSWERS, GENTLY, Page
from games.engine.bots.kings_gentle import KIND_EVENTS, PEACE_TURNS, SMALL_REALM
from games.engine.kings import KINGS
from games.engine.kings.actions import March, PlayEvent, Recruit
from games.engine.kings.catalogue import CITADEL, KINDS
from games.engine.match import played_game
from games.painting.kings.places import NAMES as PLACES
from tests.engine.test_steward import played


@pytest.mark.parametrize("players", [2, 3, 4])
def test_games_among_pages_end_with_a_winner(players):
    assert GENTLY.keys() == ANSWERS.keys()
    result = played([Page(strict=True)] * players, f"pages {players}").result
    assert result is not None and len(result.winners) == 1


def test_a_page_beats_three_who_do_anything():
    games = [played_game("kings", ("page", "random", "random", "random"), "pages", number) for number in range(3)]
    assert [game["winners"] for game in games] == [[0]] * 3


def test_a_steward_beats_three_pages_more_often_than_not():
    """bench/kings_gentle.py plays a hundred games."""
    games = [played_game("kings", ("steward", "page", "page", "page"), "pages", number) for number in range(6)]
    assert sum(game["winners"] == [0] for game in games) >= 4
    assert not any(game["faults"] for game in games)


def test_pages_keep_the_peace_spare_the_small_and_do_no_harm_by_events():
    marched = set()

    def watch(state, view, action):
        kinds = {counter.tag: getattr(counter, "kind", "") for counter in view.counters}
        if isinstance(action, Recruit):
            assert action.gold == 0
        if isinstance(action, PlayEvent):
            assert kinds[action.event] in KIND_EVENTS
        if isinstance(action, March):
            for place in action.path:
                here = state.hexes[place]
                if here.owner in (None, view.seat) or here.fort == CITADEL:
                    continue
                size = sum(each.owner == here.owner for each in state.hexes.values())
                assert view.turn > PEACE_TURNS and size > SMALL_REALM
                marched.add(place)

    for number in range(4):
        played([Page(strict=True)] * 4, f"gentle {number}", watch=watch)
    assert marched  # they do go to war in the end


def test_bots_of_one_table_have_names_of_their_own():
    for table in ("x1", "x2", "anything else"):
        names = [named("kings", "page", table, seat) for seat in range(4)]
        assert len(set(names)) == 4 and all(name.startswith("Page ") for name in names)
        assert names == [named("kings", "page", table, seat) for seat in range(4)]
    assert named("gambit", "1", "x1", 1) == "Squire"  # one alone needs none


def test_no_bot_is_called_like_anything_in_the_game():
    words = {word.lower() for kind in KINDS.values() for word in kind.name.replace("-", " ").split()}
    words |= {word.lower() for names in PLACES.values() for name in names for word in name.split()}
    assert len(set(GIVEN_NAMES["kings"])) >= max(KINGS.players)
    assert not words & {name.lower() for name in GIVEN_NAMES["kings"]}
