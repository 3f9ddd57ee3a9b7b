"""Odds move with what is picked, bribes included, and whoever watches a battle has a bar of odds of their own."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from statistics import median

from games.engine.core.state import State
from games.engine.kings import KINGS
from games.engine.kings.odds import prospects
from games.engine.kings.view import KingsView
from games.painting.kings.controls.drawing import preview
from games.painting.kings.odds import bar_context, draw_bar, lines_of, reckoned
from tests.kings_presser import scene_of
from tests.kings_tables import state_of
from tests.web.plain_form import form_in

# A has two hits to take: a weak creature or a strong one goes.
LOSSES = """
    players: 3
    turn: 5
    phase: combat
    gone: lucky_charm dispel_magic_scroll golem talisman bow sword dust_of_defense firewall balloon
    h12 swamp B
    h14 desert C
    h2 plains A
    h3 plains B keep: pirates thing | A villains farmers hunters
    dice: 6 6 6 6 6 1
"""
BRIBE = """
    players: 2
    turn: 2
    phase: combat
    gold A: 10
    h12 swamp B: watersnake
    h2 plains A
    h3 desert: A farmers
    dice: 2
    draw: troll bears
"""
MARCH = """
    players: 2
    turn: 5
    phase: march
    h12 swamp B: watersnake
    h1 plains A: villains farmers hunters
    h2 plains
    h3 swamp B: pirates
    h4 plains A
"""


def seen_by(state: State, seat: int | None) -> KingsView:
    view = KINGS.view(state, seat)
    assert isinstance(view, KingsView)
    return view


def told(view: KingsView, *picked: str) -> str:
    """What the odds are said to be with these picks."""
    found = re.findall(r'odds-then">With what you have picked: (.*?) to win', drawn(view, *picked))
    assert len(found) < 2
    return found[0] if found else ""


def drawn(view: KingsView, *picked: str) -> str:
    return str(preview(scene_of(view), view, {"press": list(picked)}))


# ---- hits


def with_hits() -> KingsView:
    view = seen_by(state_of(LOSSES), 0)
    assert view.question == "losses", view.question
    return view


def percent(words: str) -> float:
    return float(re.findall(r"\d+", words)[0])


def test_the_odds_say_what_each_choice_of_losses_would_leave():
    view = with_hits()
    assert not told(view)
    losing = {tag: told(view, f"lose counters {tag}") for tag in next(o for o in view.offers if o.do == "lose").targets}
    assert len(set(losing.values())) > 1, losing
    names = {counter.tag: getattr(counter, "kind", "") for counter in view.counters}
    by_kind = {names[tag]: percent(words) for tag, words in losing.items()}
    assert max(by_kind, key=lambda kind: by_kind[kind]) != "hunters" or len(set(by_kind.values())) == 1, by_kind


def test_they_are_those_of_the_battle_once_the_hits_are_taken():
    view = with_hits()
    bar = re.search(r'id="odds-picked".*?width="(\d+)%"', drawn(view, f"lose counters {first_target(view)}"), re.S)
    (now,) = prospects(view)
    assert bar is not None
    # Everybody else gives up their weakest: giving up the weakest oneself is what the panel counts on already.
    weakest = min(
        (each for each in view.counters if getattr(each, "place", "") == "h3" and each.owner == 0),
        key=lambda each: getattr(each, "value", 0),
    )
    with_weakest = re.search(r'id="odds-picked".*?width="(\d+)%"', drawn(view, f"lose counters {weakest.tag}"), re.S)
    assert with_weakest is not None
    assert abs(int(with_weakest[1]) - 100 * reckoned(now.event).win) <= 1


def first_target(view: KingsView) -> str:
    return next(iter(next(each for each in view.offers if each.do == "lose").targets))


# ---- bribes


def with_defenders() -> KingsView:
    view = seen_by(state_of(BRIBE), 0)
    assert view.question == "bribe", view.question
    return view


def test_each_bribe_makes_it_likelier_and_all_make_it_sure():
    view = with_defenders()
    off, tags = presses_off(view), list(next(each for each in view.offers if each.do == "bribe").prices)
    bribes = [f"bribe counters {tag}" for tag in tags]
    assert "odds-then" not in drawn(view, *off)
    assert percent(told(view, *off, bribes[0])) <= percent(told(view, *off, *bribes))
    assert told(view, *off, *bribes) == "100 %"


def presses_off(view: KingsView) -> list[str]:
    """Put back whoever is picked in advance."""
    form = form_in(drawn(view))
    return [value for _, value, _, about in form.buttons if about.get("aria-pressed") == "true"]


# ---- marches


def test_hexes_within_reach_are_shown_with_the_odds_there():
    view = seen_by(state_of(MARCH), 0)
    odds = {}
    tags = [c.tag for c in view.counters if getattr(c, "place", "") == "h1" and c.owner == 0]
    for count in (1, 3):
        page = drawn(view, "march stack h1", "march none h1", *(f"march counters {tag}" for tag in tags[:count]))
        found = {about["data-hex"]: about["data-odds"] for *_, about in form_in(page).buttons if "data-odds" in about}
        assert {"h2", "h3"} <= set(found) and "h4" not in found, found  # h4 is one's own
        odds[count] = {place: percent(words) for place, words in found.items()}
    assert odds[3]["h2"] > odds[1]["h2"] and odds[3]["h3"] > odds[1]["h3"]


def test_a_table_without_odds_shows_none():
    state = state_of(MARCH)
    state.options = {**state.options, "odds": "hidden"}
    view = seen_by(state, 0)
    assert "data-odds" not in drawn(view, "march stack h1") and 'data-cost="' in drawn(view, "march stack h1")
    losing = with_hits()
    hidden = replace(losing, options={**losing.options, "odds": "hidden"})
    assert told(losing, f"lose counters {first_target(losing)}")
    assert not told(hidden, f"lose counters {first_target(losing)}")


# ---- bystanders


def test_a_bystander_has_a_bar_and_whoever_fights_has_their_own():
    state = state_of(LOSSES)
    for seat in (2, None):
        view = seen_by(state, seat)
        bar = bar_context(scene_of(view), view, lines_of(view))["bar"]
        assert bar is not None and bar[0] == 0 and bar[2].startswith("Player 0: ") and bar[3].startswith("Player 1: ")
    own = seen_by(state, 1)
    context = bar_context(scene_of(own), own, lines_of(own))
    assert context["bar"][0] == 1
    # The film takes the bar along only where it is of the battle that is shown.
    assert f'data-of="{own.under_way("battle")["place"]}"' in draw_bar(context)
    state.options = {**state.options, "odds": "hidden"}
    view = seen_by(state, 2)
    assert bar_context(scene_of(view), view, lines_of(view))["bar"] is None


# ---- time


def test_they_cost_a_few_milliseconds():
    """Ten are the limit; the median of many picks is far below it."""
    spent = []
    view = seen_by(state_of(MARCH), 0)
    tags = [c.tag for c in view.counters if getattr(c, "place", "") == "h1" and c.owner == 0]
    for count in (1, 2, 3):
        begun = time.process_time()
        drawn(view, "march stack h1", "march none h1", *(f"march counters {tag}" for tag in tags[:count]))
        spent.append(time.process_time() - begun)
    losing = with_hits()
    for tag in next(each for each in losing.offers if each.do == "lose").targets:
        begun = time.process_time()
        drawn(losing, f"lose counters {tag}")
        spent.append(time.process_time() - begun)
    assert median(spent) < 0.010, spent
