"""Odds come from what a seat sees, agree with hand reckoning, with one another and with battles as they are fought."""

from __future__ import annotations

import dataclasses
import math
import random

import pytest

from games.engine.core.dice import Dice
from games.engine.core.flow import run
from games.engine.core.rules import Rules
from games.engine.core.view import Back, Face
from games.engine.kings import KINGS
from games.engine.kings.actions import Bribe, Choose, Done, Lose
from games.engine.kings.battle import cheapest_losses
from games.engine.kings.catalogue import THINGS
from games.engine.kings.flow.base import frame_named
from games.engine.kings.flow.turn import Turn
from games.engine.kings.odds import (
    Exploration,
    Fight,
    Fighter,
    Force,
    Found,
    found_as,
    prospects,
    reckon,
    reckon_exactly,
    reckon_fight,
    stranger,
    wall,
)
from games.engine.kings.scenario import Position, Script, read
from games.engine.kings.stacks import ARMY
from games.engine.kings.state import KingsState
from tests.kings_odds import moments_with_odds

MANY = 6_000
MAGIC, RANGED, MELEE = 0, 1, 2


def chance(seed: str):
    return random.Random(seed).random


def melee(need: int, dice: int = 1) -> Fighter:
    return Fighter(10 * need, MELEE, need, dice)


def magic(need: int) -> Fighter:
    return Fighter(10 * need, MAGIC, need)


def ranged(need: int) -> Fighter:
    return Fighter(10 * need, RANGED, need)


def fight(*sides: list[Fighter], **more) -> Fight:
    return Fight(tuple(Force(tuple(sorted(side))) for side in sides), **more)


def agrees(share: float, expected: float, tries: int) -> bool:
    """Within four standard deviations of what is expected."""
    return abs(share - expected) <= 4 * math.sqrt(max(expected * (1 - expected), 1e-4) / tries)


# ---- by hand

CASES = {
    "a six and a one strike together": (fight([melee(6)], [melee(1)]), 5 / 6, 1 / 6),
    "two threes": (fight([melee(3)], [melee(3)]), 1 / 3, 2 / 3),
    "magic comes first": (fight([magic(6)], [melee(6)]), 1, 0),
    "arrows come before melee": (fight([ranged(6)], [melee(6)]), 1, 0),
    "and after magic": (fight([ranged(6)], [magic(6)]), 0, 1),
    "a charge is two dice": (fight([melee(3, dice=2)], [melee(3)]), 3 / 7, 4 / 7),
    "a tower": (fight([melee(3)], [wall(-2, "melee", 1)]), 5 / 7, 2 / 7),
    "a keep is weaker after a hit": (fight([melee(6)], [wall(-2, "melee", 2)]), 5 / 9, 4 / 9),
    "walls take the first hits and are no loss": (fight([wall(-2, "melee", 1), melee(6)], [melee(6)]), 1, 0),
    "the weaker one falls first": (fight([melee(1), melee(6)], [melee(6)]), 1, 1),
    "hits that lie on the table are taken first": (fight([melee(1), melee(6)], [melee(6)], hits=(1, 0)), 0, 2),
    "a round that has begun goes on": (fight([magic(6)], [melee(6)], step=2), 0, 1),
    "nobody can hit": (fight([melee(0)], [melee(0)]), 0, 0),
    "there is nobody": (fight([], [melee(1)]), 0, 0),
}


@pytest.mark.parametrize("name", CASES)
def test_small_fights_are_as_reckoned_by_hand(name):
    event, win, lost = CASES[name]
    exact = reckon_exactly(event)
    assert exact.win == pytest.approx(win) and exact.lost == pytest.approx(lost), exact
    tried = reckon_fight(event, chance(name), MANY)
    assert agrees(tried.win, win, MANY) and abs(tried.lost - lost) < 0.05, tried


def test_trying_and_reckoning_agree():
    """Any two known forces, with walls, chargers and a battle that is already half way."""
    draw = random.Random("forces")
    kinds = [kind.slug for kind in THINGS if kind.sort == "creature"]
    for number in range(25):
        forces = [[stranger(draw.choice(kinds), draw.randint(0, 1)) for _ in range(draw.randint(1, 6))] for _ in "ab"]
        if number % 2:
            forces[number % 4 // 2].append(wall(-2, draw.choice(["melee", "ranged", "magic"]), draw.randint(1, 4)))
        event = fight(*forces, hits=(draw.randint(0, 1), draw.randint(0, 1)), step=draw.randint(0, 3))
        exact, tried = reckon_exactly(event), reckon_fight(event, chance(f"try {number}"), 4000)
        assert agrees(tried.win, exact.win, 4000), f"{event}: {exact} but {tried}"
        assert abs(tried.lost - exact.lost) < 0.2, f"{event}: {exact} but {tried}"


def test_among_three_everybody_strikes_at_anybody():
    """All three fall whom somebody strikes at, so one of them is left only if both others strike at each other."""
    tried = reckon(fight([magic(6)], [magic(6)], [magic(6)]), chance("three"), MANY)
    assert agrees(tried.win, 1 / 4, MANY) and agrees(tried.lost, 3 / 4, MANY)


def test_backs_are_any_of_the_unseen():
    """One back that is as often a mage who comes first as somebody who cannot hit at all."""
    event = Fight((Force((melee(6),)), Force((), 1, (magic(6), melee(0)))))
    tried = reckon(event, chance("backs"), MANY)
    assert tried.tries == MANY and agrees(tried.win, 1 / 2, MANY)


def test_all_backs_are_different_counters():
    event = Fight((Force((magic(6), magic(6))), Force((), 2, (melee(6), magic(0)))))
    assert reckon(event, chance("two backs"), 500).win == 1


def test_an_exploration_by_hand():
    """Two Things at most come for a two; everything in the cup is a creature that is beaten five times in six."""
    event = Exploration(Force((melee(6),)), (1, 6, 2), (Found(melee(1)), Found()))
    tried = reckon(event, chance("explore"), MANY)
    assert agrees(tried.free, 2 / 3, MANY) and agrees(tried.win, 2 / 3 + 5 / 18, MANY)
    assert tried.defenders == 1 and agrees(tried.win_fight, 5 / 6, MANY // 3) and agrees(tried.lost, 1 / 18, MANY)


def test_of_several_special_incomes_the_best_stays():
    city, village = found_as("city", "plains"), found_as("village", "plains")
    assert found_as("gold_mine", "plains") == Found() and found_as("gold_mine", "mountain").gold == 3
    for things, strength in (((city, village), 2), ((village, village), 1)):
        tried = reckon(Exploration(Force((melee(0),)), (2,), things), chance("income"), 50)
        assert tried.defenders == 1 and tried.lost == 1, strength


# ---- out of a View


def laid(text: str) -> KingsState:
    """The position of a scenario, with dice that throw anything."""
    position = Position(Script())
    (scenario,) = read("title: odds\n" + text)
    for line in scenario.lines:
        assert position.take(line), line
    scripted = position.laid()
    fields = {field.name: getattr(scripted, field.name) for field in dataclasses.fields(KingsState)}
    state = KingsState(**{**fields, "dice": Dice.seeded("odds")})
    state.call(Turn(next=position.phase))
    return state


LANDS = """
phase: combat
turn: 2
h12 swamp B
h13 desert B
h10 mountain B
h2 plains A
h8 jungle A
h9 frozen_waste A
"""


def odds_of(state: KingsState, seat: int = 0):
    (prospect,) = prospects(KINGS.view(state, seat))
    return prospect, reckon(prospect.event, chance("view"), 2000)


@pytest.mark.parametrize(
    ("hexes", "win"),
    [
        ("h3 plains B tower: | A buffalo_herd_3", 5 / 7),
        ("h3 plains B: village | A buffalo_herd_3", 5 / 7),
        ("h3 plains B: copper_mine troll* | A crawling_vines", 1 / 3),  # 6 against 4: both fall two times in three
        ("h3 plains B: black_knight* | A white_knight", 1 / 5),  # two dice each: (3/4 · 1/4) / (1 - 1/16)
        ("h3 plains B: basilisk* | A crawling_vines", 1 / 2),
        ("h3 plains B citadel: | A crawling_vines", 2 / 6 * 3 / 6 * 4 / 6 * 5 / 6),
        ("h3 plains B castle damage 2: | A crawling_vines", 5 / 6),
        ("h3 plains B tower: | A baron_munchausen", 1),  # he brings the tower down before the first die
        ("h3 plains B: troll* | A bears crawling_vines", 1 / 3),  # nobody supports the bears
        ("h3 plains B: troll* bears* | A crawling_vines", 1 / 3),
        ("bluffs: challenge\nh3 plains B: bears* | A crawling_vines", 2 / 3),  # bluffs fight until challenged
        ("cloud: h3\nh3 plains B: troll* | A crawling_vines", 1 / 2),
        ("cloud: h4\nh3 plains B: troll* | A crawling_vines", 1 / 3),
    ],
)
def test_a_battle_is_read_off_the_view(hexes, win):
    prospect, odds = odds_of(laid(LANDS + hexes))
    assert (prospect.place, prospect.against) == ("h3", (1,)) and odds.tries == 0
    assert odds.win == pytest.approx(win), (prospect, odds)


def test_a_terrain_lord_brings_his_own():
    for hero, own in (("forest_king", 2), ("swamp_king", 1)):
        assert odds_of(laid(LANDS + f"h3 plains B: troll* | A {hero} bears"))[0].own == own


def test_both_sides_see_their_own_odds_and_nobody_else_any():
    state = laid("players: 4\n" + LANDS + "h3 plains B: troll* | A crawling_vines*\nh19 plains C")
    assert odds_of(state, 0)[1].win == pytest.approx(1 / 3) and odds_of(state, 1)[1].win == 0
    for seat in (2, 3, None):
        assert prospects(KINGS.view(state, seat)) == []


def test_a_hex_that_nobody_defends_is_not_fought_for():
    state = laid(LANDS + "h3 plains A: copper_mine | B troll*")
    assert prospects(KINGS.view(state, 0)) == prospects(KINGS.view(state, 1)) == []


def test_what_a_seat_cannot_see_counts_as_any_unseen_creature():
    strong = laid(LANDS + "h3 plains B: troll thing | A crawling_vines")
    weak = laid(LANDS + "h3 plains B: watersnake swamp_rat | A crawling_vines")
    prospect, odds = odds_of(strong)
    assert prospect.backs == 2 and odds.tries and 0.2 < odds.win < 0.6
    assert (prospect, odds) == odds_of(weak)
    assert odds_of(strong, 1)[0].event != odds_of(weak, 1)[0].event  # their owner knows better


def test_what_a_seat_sees_elsewhere_is_not_among_the_unseen():
    plain = laid(LANDS + "h3 plains B: troll | A crawling_vines")
    seen = laid(LANDS + "h3 plains B: troll | A crawling_vines\nrack A: giant white_dragon")
    ((unseen,), (fewer,)) = ([p.event.forces[1].unseen for p in prospects(KINGS.view(s, 0))] for s in (plain, seen))
    assert len(unseen) == len(fewer) + 2


def test_an_unexplored_hex_is_an_exploration_until_its_defenders_lie_open():
    prospect, odds = odds_of(laid(LANDS + "h3 plains: A crawling_vines"))
    assert isinstance(prospect.event, Exploration) and prospect.against == (-1,)
    assert 0.3 < odds.free < 0.5 and odds.free < odds.win < 0.7 and 2 < odds.defenders < 3.5
    prospect, odds = odds_of(laid(LANDS + "h3 plains: A crawling_vines | wild troll"))
    assert isinstance(prospect.event, Fight) and odds.win == pytest.approx(1 / 3)


def test_other_players_are_fought_before_the_wild():
    prospect, odds = odds_of(laid(LANDS + "h3 plains: A crawling_vines | wild bears | B troll*"))
    assert prospect.against == (1,) and odds.win == pytest.approx(1 / 3)


def test_odds_can_be_hidden_and_old_games_show_them():
    state = laid(LANDS + "h3 plains B: troll* | A crawling_vines")
    assert "odds" not in state.options and prospects(KINGS.view(state, 0))
    for value, count in (("shown", 1), ("hidden", 0)):
        state.options["odds"] = value
        assert len(prospects(KINGS.view(state, 0))) == count


def test_the_option_is_no_part_of_games_that_do_not_choose_it():
    """Their hash chains begin with their options: a game from before is still the same game."""
    assert "odds" not in KINGS.complete({}) and KINGS.complete({"odds": "shown"})["odds"] == "shown"
    assert KINGS.complete({"odds": "hidden"})["odds"] == "hidden"


# ---- while it is fought


def answer(state: KingsState, seat: int, dice: Dice):
    """Nobody retreats, bribes or plays magic; the weakest are given up first."""
    question = KINGS.view(state, seat).question
    battle, offers = frame_named(state, "battle"), KINGS.all_offers(state)[seat]
    if question == "losses":
        (offer,) = [offer for offer in offers if offer.do == "lose"]
        side = battle.side_of(seat)
        return Lose(cheapest_losses(state, battle.arms(), side, battle.step, offer.count))
    if question == "target":
        others = [side for side in battle.standing(state) if side != seat]
        return Choose(str(others[dice.pick("target", len(others))]))
    usual = (Done(), Bribe(), Choose("5"), Choose("keep"))
    # Dust of Defense, which may come out of the cup, leaves no choice but to go.
    return next((each for each in usual if any(each in offer for offer in offers)), offers[0].sample(dice))


def fought_out(state: KingsState, seed: str, watch=lambda state: None) -> KingsState:
    """The rest of the Combat Phase, with other dice each time."""
    state = state.copy()
    state.dice, dice = Dice.seeded(seed), Dice.seeded(f"targets {seed}")
    run(state)
    while state.extras["phase"] == "combat" and state.result is None:
        watch(state)
        seat = KINGS.asked(state)[0]
        action = answer(state, seat, dice)
        KINGS.check(state, seat, action)
        state = KINGS.apply(state, seat, action).state
    return state


def test_the_dice_on_the_table_count():
    """Odds after a throw are those of what the throw leaves, in every window and question until the next."""
    position = LANDS + "waiting: always\nrack A: diamond\nrack B: ruby\nh3 plains B: troll* | A tigers* farmers*"
    seen = []
    for number in range(30):
        fought_out(laid(position), f"dice {number}", lambda state: seen.append(state))
    checked = {"window": 0, "losses": 0}
    for state in seen:
        view = KINGS.view(state, 0)
        strike = next((each for each in view.doing if each["frame"] == "strike"), None)
        roll = next((each for each in view.doing if each["frame"] == "roll"), None)
        if strike is None or len(state.of(0, "h3")) < 2 or not (roll or strike["hits"]):
            continue
        (prospect,) = prospects(view)
        if roll:
            faces = dict(zip(roll["throwers"], zip(roll["faces"], roll["needs"])))
            given = {side: sum(f <= n for f, n in zip(*lines)) for side, lines in faces.items()}
            taken = (given.get(1, 0), given.get(0, 0))
        else:
            taken = (strike["hits"].get("0", 0), strike["hits"].get("1", 0))
        both = ([melee(1), melee(3)], [melee(4)])
        expected = reckon_exactly(fight(both[0][taken[0] :], both[1][taken[1] :]))
        odds = reckon(prospect.event, chance("on the table"))
        assert odds.win == pytest.approx(expected.win), (taken, odds, expected)
        checked["window" if roll else "losses"] += 1
    assert min(checked.values()) > 10, checked


@pytest.fixture
def quick(monkeypatch):
    """Hundreds of battles, whose states need not be stored and read again after each die."""
    monkeypatch.setattr(Rules, "check_codec", False)


REAL = {
    "walls and a knight": "h3 plains B keep: troll* thing* village | A white_knight* hunters* farmers* farmers*",
    "magic against many": "h3 plains B: goblins* x4 ogre* | A gypsies_2* white_dragon* tigers*",
    "even": "h3 plains B: basilisk* giant* black_knight* | A gypsies_2* greathunter* elephant*",
    "heroes": "h3 plains B: arch_mage goblins* x2 | A elf_lord sir_lance_a_lot eskimos*",
    "a siege": "h3 plains B castle: goblins* city | A baron_munchausen giant_ape* x2",
    "wild ones": "wild: house\nh3 plains: wild bears dryad wild_cat city | A white_knight* hunters* tigers*",
    "three": "players: 3\nh3 plains B: thing* goblins* | A farmers* tigers* | C slime_beast*\nh5 swamp C",
}


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("name", REAL)
def test_real_battles_end_as_the_odds_say(name):
    """Some hundred fought by the rules: the share that was won, and what it cost."""
    state, battles = laid(LANDS + REAL[name]), 200
    prospect, odds = odds_of(state)
    before, won, lost = len(own_army(state)), 0, 0
    for number in range(battles):
        after = fought_out(state, f"real {name} {number}")
        won += after.hexes["h3"].owner == 0
        lost += before - len(own_army(after))
    assert prospect.own == before
    told = (
        f"{name}: won {won} of {battles}, odds say {odds.win:.3f}; lost {lost / battles:.2f}, they say {odds.lost:.2f}"
    )
    assert 0.03 < odds.win < 0.97, f"{name} decides nothing: {told}"
    assert abs(won / battles - odds.win) < 0.1 and abs(lost / battles - odds.lost) < 0.3, told


def own_army(state: KingsState) -> list[int]:
    places = {*state.hexes}
    return [n for n, c in state.counters.items() if c.owner == 0 and c.place in places and state.kind(n).sort in ARMY]


@pytest.mark.usefixtures("quick")
def test_real_explorations_end_as_the_odds_say():
    state = laid(LANDS + "wild: house\nh3 plains: A white_knight* hunters* tigers*")
    _, odds = odds_of(state)
    won = sum(fought_out(state, f"exploring {n}").hexes["h3"].owner == 0 for n in range(200))
    assert abs(won / 200 - odds.win) < 0.1, f"took it {won} times in 200, odds say {odds}"


# ---- nothing hidden


@pytest.fixture(scope="module")
def states():
    return moments_with_odds("odds", games=6, every=3, about=250)


def test_whatever_is_hidden_may_be_anything(states):
    assert len(states) >= 200
    for number, (state, seat) in enumerate(states):
        twin = KINGS.scramble(state, seat, Dice.seeded(f"odds {number}"))
        assert prospects(KINGS.view(twin, seat)) == prospects(KINGS.view(state, seat))


def test_a_leak_is_found(states, monkeypatch):
    """If one back were shown as what it is, the odds would tell."""
    from games.engine.kings.view import counters

    def turned_up(state, seat):
        found = list(counters(state, seat))
        for at, c in enumerate(found):
            if isinstance(c, Back):
                found[at] = Face(c.tag, state.by_tag(c.tag).kind, c.place, c.owner)
        return tuple(found)

    monkeypatch.setattr("games.engine.kings.view.counters", turned_up)
    with pytest.raises(AssertionError):
        test_whatever_is_hidden_may_be_anything(states)


def test_all_phases_and_kinds_of_odds_occur(states):
    events = [
        (state.extras["phase"], p.event, p.backs) for state, seat in states for p in prospects(KINGS.view(state, seat))
    ]
    assert {"march", "combat"} <= {phase for phase, _, _ in events}
    assert {type(event) for _, event, _ in events} == {Fight, Exploration}
    assert any(backs for _, _, backs in events) and any(isinstance(e, Fight) and e.hits for _, e, _ in events)
    for phase, event, _ in events:
        odds = reckon(event, chance("any"), 20)
        assert 0 <= odds.win <= 1 and odds.lost >= 0, (phase, event, odds)
