"""The steward plays whole games from its View alone, wins against chance, and never asks for what is not on offer."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import replace

import pytest

from games.engine.bots import LEVELS, BotFault, consider, think
from games.engine.bots.kings import ANSWERS, Steward
from games.engine.bots.kings_magic import cheapest
from games.engine.bots.kings_odds import chance, exploring, fighter, walls
from games.engine.bots.kings_reading import Reading
from games.engine.bots.simple import AnyLegal
from games.engine.core.actions import Action
from games.engine.core.dice import Dice
from games.engine.core.offers import Offer
from games.engine.core.view import View
from games.engine.kings import KINGS
from games.engine.kings.actions import AgreeEnd, Cash, Choose, DeclineEnd, Done, PlayItem, ProposeEnd
from games.engine.kings.catalogue import KINDS
from games.engine.kings.offers import LossLists
from games.engine.match import played_game
from tests.kings_tables import state_of

MOST_TURNS = 25
MOST_ACTIONS = 6_000


class ThroughTheWire(Steward):
    """A strict steward that gets a copy of its View from a pickle: nothing of the game's own objects reaches it."""

    def choose(self, view: View, offers: Sequence[Offer], dice: Dice) -> Action:
        copy = pickle.loads(pickle.dumps(view))
        action = super().choose(copy, copy.offers, dice)
        assert any(action in offer for offer in offers)
        return action


def played(bots, seed, options=None, watch=lambda state, view, action: None):
    """The last state of a game, each seat with its own bot."""
    state = KINGS.setup(seed, len(bots), options or {}, Dice.seeded(seed)).state
    while state.result is None and state.extras["turn"] <= MOST_TURNS:
        assert state.actions < MOST_ACTIONS, "somebody goes round in circles"
        seat = KINGS.asked(state)[0]
        view = KINGS.view(state, seat)
        action = bots[seat].choose(view, view.offers, Dice.seeded(f"{seed} {state.actions}"))
        watch(state, view, action)
        KINGS.check(state, seat, action)
        state = KINGS.apply(state, seat, action).state
    return state


@pytest.mark.parametrize("players", [2, 3, 4])
def test_games_among_stewards_end_with_a_winner(players):
    for number in range(5 - players):
        state = played([Steward(strict=True)] * players, f"stewards {players} {number}")
        assert state.result is not None and len(state.result.winners) == 1
        assert state.extras["turn"] <= MOST_TURNS


def test_a_steward_beats_three_who_do_anything():
    for seat in range(4):
        bots = [AnyLegal()] * 4
        bots[seat] = Steward(strict=True)
        state = played(bots, f"alone {seat}")
        assert state.result is not None and state.result.winners == (seat,)


def test_a_pickled_view_is_all_it_needs():
    state = played([ThroughTheWire(strict=True)] * 3, "wire")
    assert state.result is not None


def mixed(number: int) -> tuple[int, dict[str, str]]:
    """Players and table options of the strict game of this number: all combinations come up sooner or later."""
    choices = (
        ("reactions", ("sealed", "holders")),
        ("waiting", ("mine", "always", "never")),
        ("bluffs", ("automatic", "challenge")),
        ("wild", ("neighbour", "house")),
        ("setup", ("together", "in_turn")),
    )
    dice = Dice.seeded(f"mixed {number}")
    return 2 + number % 3, {name: some[dice.pick(name, len(some))] for name, some in choices}


@pytest.mark.parametrize("number", range(50))
def test_fifty_games_of_strict_stewards(number):
    """Each answer is by the steward's own rules; in every second game a player who does anything leads it astray."""
    players, options = mixed(number)
    bots = [Steward(strict=True)] * players
    if number % 2:
        bots[number // 2 % players] = AnyLegal()
    state = played(bots, f"strict {number}", {**options, "last_turn": "15"})
    assert state.result is not None


OPTIONS = [
    {"bluffs": "challenge", "reactions": "holders", "waiting": "always"},
    {"wild": "house", "setup": "in_turn", "waiting": "never"},
    {"waiting": "always", "setup": "in_turn"},
]


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: " ".join(options.values()))
def test_it_plays_with_every_option_of_the_table(options):
    for players in (2, 4):
        state = played([Steward(strict=True)] * players, f"options {players}", options)
        assert state.result is not None


def test_it_answers_whatever_random_players_lead_it_into():
    """Its choice is asked for, and checked, at every question of games it does not play itself."""
    steward = Steward(strict=True)
    asked = set()

    def watch(state, view, action):
        asked.add(view.question)
        chosen = steward.choose(view, view.offers, Dice.seeded(f"{state.actions}"))
        assert any(chosen in offer for offer in view.offers)

    for number in range(3):
        played([AnyLegal()] * 4, f"led {number}", {"last_turn": "10"}, watch)
    assert len(asked) > 25


def test_every_question_there_is_has_an_answer():
    asking = {kind.asking for kind in KINGS.frames.kinds.values() if getattr(kind, "asking", "")}
    told_apart = {"add_gold", "victim", "loot", "who_stays", "which_income", "arm", "bribe", "aimed_hit"}
    assert asking | told_apart == set(ANSWERS)


def test_the_same_view_and_seed_give_the_same_choice():
    def watch(state, view, action):
        assert think("kings", "steward", view, view.offers, "seed") == think(
            "kings", "steward", pickle.loads(pickle.dumps(view)), view.offers, "seed"
        )

    played([Steward(strict=True)] * 2, "same", watch=watch)


def test_what_it_cannot_answer_it_answers_with_anything_allowed_and_says_so(monkeypatch, caplog):
    def fails(reading, offers, dice):
        raise KeyError("a bug")

    for question in ANSWERS:
        monkeypatch.setitem(ANSWERS, question, fails)
    state = KINGS.setup("lost", 4, {}, Dice.seeded("lost")).state
    seat = KINGS.asked(state)[0]
    view = KINGS.view(state, seat)
    with caplog.at_level("ERROR"):
        assert any(Steward().choose(view, view.offers, Dice.seeded("any")) in offer for offer in view.offers)
    assert f"question {view.question}" in caplog.text and "KeyError: 'a bug'" in caplog.text
    thought = consider("kings", "steward", view, view.offers, "any")
    assert any(thought.action in offer for offer in view.offers) and "in fails" in thought.fault
    with pytest.raises(BotFault, match="a bug"):
        think("kings", "steward", view, view.offers, "any")
    with pytest.raises(KeyError):
        Steward(strict=True).choose(view, view.offers, Dice.seeded("any"))


def test_an_answer_that_is_not_on_offer_is_a_fault(monkeypatch):
    monkeypatch.setitem(ANSWERS, "start", lambda reading, offers, dice: Cash("nothing"))
    view = KINGS.view(state := started(), KINGS.asked(state)[0])
    assert "is not on offer" in consider("kings", "steward", view, view.offers, "any").fault
    with pytest.raises(BotFault, match="is not on offer"):
        Steward(strict=True).choose(view, view.offers, Dice.seeded("any"))


def test_a_match_counts_faults(monkeypatch):
    line = played_game("kings", ["steward", "steward"], "counted", 0)
    assert line["faults"] == 0
    monkeypatch.setitem(ANSWERS, "claim", lambda reading, offers, dice: {}["a bug"])
    assert played_game("kings", ["steward", "steward"], "counted", 0)["faults"] == 4


def test_it_is_one_of_the_levels():
    assert set(LEVELS["kings"]) == {"random", "page", "steward"}


# ---- single decisions


def started(seed="decisions", players=4):
    return KINGS.setup(seed, players, {}, Dice.seeded(seed)).state


def proposed(winner):
    """A state in which seat 0 has proposed to end the game, and what seat 1 sees of it."""
    state = KINGS.apply(started(), 0, ProposeEnd(winner)).state
    return KINGS.view(state, 1)


def test_it_agrees_to_its_own_victory_and_to_nothing_else():
    steward = Steward(strict=True)
    for winner, answer in ((1, AgreeEnd.do), (0, DeclineEnd.do), (-1, DeclineEnd.do)):
        view = proposed(winner)
        assert steward.choose(view, view.offers, Dice.seeded("x")).do == answer


def test_treasure_is_cashed_only_for_something_to_buy():
    cashed = []

    def watch(state, view, action):
        if isinstance(action, Cash):
            cashed.append(view.question)

    for number in range(3):
        played([Steward(strict=True)] * 2, f"treasure {number}", watch=watch)
    assert cashed and set(cashed) <= {"build", "draw"}


def test_more_and_better_fighters_have_better_odds():
    giant, goblins = fighter(KINDS["giant"], 4), fighter(KINDS["goblins"], 1)
    assert chance([giant], [goblins]) > 0.8 > 0.5 > chance([goblins], [giant])
    assert chance([goblins] * 6, [goblins] * 2) > 0.9
    assert chance([giant], walls(4, 0)) < chance([giant] * 3, walls(4, 0))
    assert chance([], [goblins]) == 0.0 and chance([goblins], []) == 1.0


def test_bribes_make_exploring_safer():
    alone = [fighter(KINDS["goblins"], 1)]
    assert exploring(alone, 0) < exploring(alone, 2) < exploring(alone, 4)


def test_walls_take_the_hits_of_a_battle_and_are_spared_by_events():
    view = KINGS.view(started(), 0)
    offer = LossLists({"fort": 2, "elsewhere": 1}, 2)
    reading = Reading(replace(view, counters=()))
    assert cheapest(reading, offer).counters == ("fort", "fort")
    assert cheapest(reading, offer, walls_last=True).counters == ("elsewhere", "fort")


# ---- magic in battle


def seat_asked(text: str, seat: int) -> View:
    """What a seat sees where these lines lead to."""
    return KINGS.view(state_of(text), seat)


FIGHT = """
    players: 3
    phase: combat
    turn: 5
    options: waiting=always
    h2 swamp A
    h12 plains B: watersnake
    h14 desert C: nomads
"""


NO_ANSWERS = "gone: lucky_charm dust_of_defense fan"


@pytest.mark.parametrize("item", ["golem", "talisman"])
def test_against_the_last_hit_it_plays_what_it_has(item):
    """Even where it would win: without the counter that is hit there is nothing left to win with."""
    text = FIGHT + f"{NO_ANSWERS} dispel_magic_scroll\nrack A: {item}\nh3 plains B: hunters | A vampire_bat\n"
    view = seat_asked(text + "dice: 1\nA done\n", 0)
    assert view.question == "losses"
    action = Steward(strict=True).choose(view, view.offers, Dice.seeded("last"))
    assert isinstance(action, PlayItem)


def test_a_hit_placed_by_the_marksman_is_answered_too():
    text = FIGHT + f"{NO_ANSWERS} dispel_magic_scroll\nrack B: talisman\nh3 plains B: farmers | A marksman\n"
    view = seat_asked(text + "B done\ndice: 2\nA choose 2\nA choose farmers\n", 1)
    assert view.question == "losses"
    assert isinstance(Steward(strict=True).choose(view, view.offers, Dice.seeded("aimed")), PlayItem)
    without = seat_asked(text.replace("talisman", "ruby") + "B done\ndice: 2\nA choose 2\nA choose farmers\n", 1)
    assert Steward(strict=True).choose(without, without.offers, Dice.seeded("aimed")) == Done()


ASKED_BEFORE = "gone: lucky_charm fan dispel_magic_scroll"
EVERY_ITEM = "golem talisman bow sword"
SHOOTING = f"{NO_ANSWERS}\nrack A: {EVERY_ITEM}\nh3 plains B: farmers villains | A marksman\n"


@pytest.mark.parametrize(
    ("question", "seat", "lines"),
    [
        ("dust", 1, f"{ASKED_BEFORE}\nrack B: sword bow\nh3 plains B: farmers | A thing pirates\n"),
        ("dust", 1, f"{ASKED_BEFORE}\nrack B: {EVERY_ITEM} dust_of_defense\nh3 plains B: farmers | A thing pirates\n"),
        ("warlord", 0, f"{NO_ANSWERS}\nrack A: {EVERY_ITEM}\nh3 plains B: farmers hunters | A warlord\n"),
        ("aim", 0, f"{SHOOTING}A done\n"),
        ("aimed_hit", 0, f"{SHOOTING}A done\ndice: 2\nA choose 2\n"),
    ],
)
def test_it_answers_the_question_where_other_magic_could_be_played_too(question, seat, lines):
    """The round that follows is time enough; it does not take another item for the Dust."""
    view = seat_asked(FIGHT + lines, seat)
    assert view.question == question
    assert len([offer for offer in view.offers if offer.do == PlayItem.do]) >= 2
    action = Steward(strict=True).choose(view, view.offers, Dice.seeded("before"))
    if f"{EVERY_ITEM} dust_of_defense" in lines:
        dust = next(c.tag for c in view.counters if getattr(c, "kind", "") == "dust_of_defense")
        assert action == PlayItem(dust, "0")
    else:
        assert isinstance(action, Done | Choose)


def test_it_keeps_its_scroll_in_the_battles_of_others():
    text = FIGHT + f"{NO_ANSWERS} golem talisman bow sword firewall\nh3 plains B: farmers | A spirit basilisk\n"
    view = seat_asked(text + "rack C: dispel_magic_scroll\n", 2)
    assert view.question == "react" and any(offer.do == PlayItem.do for offer in view.offers)
    assert Steward(strict=True).choose(view, view.offers, Dice.seeded("others")) == Done()
    mine = seat_asked(text + "rack B: dispel_magic_scroll\n", 1)
    assert isinstance(Steward(strict=True).choose(mine, mine.offers, Dice.seeded("mine")), PlayItem)
