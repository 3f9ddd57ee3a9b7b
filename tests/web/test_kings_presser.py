"""A beginner who presses only what stands out on the page: what is suggested is never foolish."""

from __future__ import annotations

from dataclasses import replace

from games.engine.bots.kings import Steward
from games.engine.bots.kings_realm import odds_of
from games.engine.core.actions import Action
from games.engine.core.dice import Dice
from games.engine.core.grown import Grown
from games.engine.core.view import Face
from games.engine.kings import KINGS
from games.engine.kings.actions import Bribe, Build, Done, March, Place, Recruit
from games.engine.kings.catalogue import KINDS
from games.engine.kings.offers import Attempts, Bribes
from games.engine.kings.view import KingsView
from games.painting.kings import advice as advising
from games.painting.kings.advice import SIMPLE, advised
from games.painting.kings.controls.drawing import controls_context, preview
from games.painting.scene import Line
from tests.kings_presser import hexes_after, pressed, scene_of
from tests.kings_tables import state_of
from tests.web.plain_form import form_in

HEROES = """
    players: 2
    phase: heroes
    gold A: 12
    h1 plains A: farmers
    h12 swamp B: ghost
"""


def view_of(text: str) -> KingsView:
    view = KINGS.view(state_of(text), 0)
    assert isinstance(view, KingsView)
    return view


def drawn(view: KingsView) -> str:
    return str(preview(scene_of(view), view, {}))


def test_pages_let_a_beginner_live():
    """bench/kings_gentle.py plays a hundred games."""
    left = [hexes_after(5, "page", f"gentle {number}", person=number % 4) for number in range(6)]
    assert sum(hexes >= 3 for hexes in left) >= 5


def test_what_stands_out_is_never_foolish():
    """No hopeless roll for a hero and no bribe beyond the purse; creatures are placed and forts built."""
    met: dict[type[Action], int] = {}

    def watch(view: KingsView, action: Action) -> None:
        met[type(action)] = met.get(type(action), 0) + 1
        if isinstance(action, Recruit):
            value = next(KINDS[c.kind].value for c in view.counters if c.tag == action.hero and isinstance(c, Face))
            assert odds_of(2 * value) > 0.15
        if isinstance(action, Bribe):
            gold = next(seat.gold for seat in view.seats if seat.number == view.seat)
            prices = next(offer.prices for offer in view.offers if isinstance(offer, Bribes))
            assert sum(prices[tag] for tag in action.counters) <= gold

    for number in range(3):
        hexes_after(6, "page", f"foolish {number}", watch=watch)
    assert {Recruit, Place, Build, Done} <= met.keys()


# ---- recruiting


def test_every_hero_stands_with_the_odds_and_the_likeliest_is_suggested():
    view = view_of(HEROES)
    markup = drawn(view)
    offer = next(each for each in view.offers if isinstance(each, Attempts))
    assert markup.count("hero-odds") == len(offer.heroes) and "42 %" in markup and "3 %" in markup
    action = pressed(view)
    assert isinstance(action, Recruit) and action.gold == 0
    assert KINDS[next(c.kind for c in view.counters if c.tag == action.hero and isinstance(c, Face))].value == 4


def test_recruit_nobody_stands_beside_the_roll():
    (row,) = [part for part in drawn(view_of(HEROES)).split('<div class="control-row">') if "Recruit nobody" in part]
    assert "Roll for" in row.split("</div>")[0] and "Recruit nobody" in row.split("</div>")[0]
    assert drawn(view_of(HEROES)).count("Recruit nobody") == 1


def test_where_only_hopeless_heroes_are_left_nobody_is_suggested():
    view = view_of(HEROES)
    strong = {c.tag for c in view.counters if isinstance(c, Face) and KINDS[c.kind].value == 6}
    offers = [
        replace(each, heroes=tuple(tag for tag in each.heroes if tag in strong)) if isinstance(each, Attempts) else each
        for each in view.offers
    ]
    view = replace(view, offers=tuple(offers))
    assert pressed(view) == Done()
    (tag, *_) = strong  # whoever picks one may still roll
    form = form_in(str(preview(scene_of(view), view, {"press": [f"recruit hero {tag}"]})))
    assert [text for *_, text, about in form.buttons if "primary" in about.get("class", "")][0].startswith("Roll for")


# ---- what is picked in advance


def test_a_suggested_bribe_can_be_put_back():
    view = view_of(
        """
        players: 2
        phase: march
        turn: 2
        gold A: 9
        h1 plains A: farmers villains
        h2 desert
        h12 swamp B: ghost
        dice: 2
        draw: camel_corps nomads
        A march farmers: h1 > h2
        A done
        B done
        """
    )
    action = pressed(view)
    assert isinstance(action, Bribe) and len(action.counters) == 2  # farmers alone would not stand a chance
    scene, fields = scene_of(view), {"press": [f"bribe counters {tag}" for tag in action.counters]}
    assert "Bribe nobody: fight" in preview(scene, view, fields)
    again = form_in(str(preview(scene, view, fields))).fields
    assert "Bribe nobody: fight" in preview(scene, view, again)  # put back once, it stays so


BRIBE = """
    players: 2
    phase: march
    turn: 2
    gold A: GOLD
    h1 plains A: FORCE tribesmen_2
    h2 desert
    h12 swamp B: ghost
    dice: 3
    draw: camel_corps nomads buzzard
    A march FORCE: h1 > h2
    A done
    B done
"""


def bribed(force: str, gold: int) -> list[str]:
    """Whom it is suggested to pay."""
    view = view_of(BRIBE.replace("FORCE", force).replace("GOLD", str(gold)))
    action = pressed(view)
    assert isinstance(action, Bribe)
    return [kind_of(view, tag) for tag in action.counters]


def kind_of(view: KingsView, tag: str) -> str:
    return next(c.kind for c in view.counters if c.tag == tag and isinstance(c, Face))


def test_a_suggested_bribe_pays_the_strongest_and_no_more_than_is_needed():
    assert bribed("farmers", 20) == ["camel_corps", "buzzard", "nomads"]
    assert bribed("villains farmers greathunter swordmaster marksman warlord", 20) == []
    assert bribed("farmers", 3)[:1] == ["camel_corps"]


def test_a_suggested_bribe_comes_with_the_odds_of_whoever_is_left():
    view = view_of(BRIBE.replace("FORCE", "farmers").replace("GOLD", "20"))
    scene = scene_of(view)
    assert "With what you have picked: 100 % to win." in str(controls_context(scene, view)["drawn"]).replace(
        "\xa0", " "
    )


ALONE = """
    players: 2
    phase: march
    turn: 3
    h1 plains A: farmers villains tribesmen_2
    h2 desert B tower: camel_corps nomads
    h12 swamp B: ghost
"""


def test_nobody_is_sent_where_they_would_rather_lose(monkeypatch):
    """The stack as a whole is, if that is likely to win; else moving is finished."""
    view = view_of(ALONE)
    tags = {kind_of(view, c.tag): c.tag for c in view.counters if isinstance(c, Face) and c.owner == 0}
    alone = March((tags["farmers"],), ("h2",))
    chances = {1: 0.4, 3: 0.8}
    monkeypatch.setattr(advising, "chance_of", lambda prospect: chances[prospect.own])
    whole = advising.not_alone(view, alone)
    assert isinstance(whole, March) and set(whole.counters) == set(tags.values()) and whole.path == ("h2",)
    chances[3] = 0.5
    assert advising.not_alone(view, alone) == Done()
    chances[1] = 0.7
    assert advising.not_alone(view, alone) == alone


def test_suggested_places_are_shown_before_anything_is_sent():
    view = view_of(
        """
        players: 2
        phase: things
        turn: 2
        rack A: ogre cyclops ghost city
        h1 plains A: villains
        h4 mountain A
        h12 swamp B: ghost
        draw: any x1
        A draw
        """
    )
    assert "Suggest a place for" in drawn(view)
    planned = str(preview(scene_of(view), view, {"press": ["place suggest all"]}))
    assert "Put all back" in planned and "Suggest a place" not in planned
    action = pressed(view)
    assert isinstance(action, Place)
    kinds = [next(c.kind for c in view.counters if c.tag == tag and isinstance(c, Face)) for tag in action.counters]
    assert "ghost" not in kinds and {"ogre", "cyclops", "city"} <= set(kinds)  # no bluff is suggested


def test_what_a_sensible_player_would_do_takes_only_presses_that_stand_out():
    """Of movement, magic and battles too: pressing what stands out comes to the suggestion, whatever it is."""
    steward, met = Steward(strict=True), set()
    state = KINGS.setup("suggested", 4, KINGS.usual_options(4), Dice.seeded("suggested"), bots=()).state
    for number in range(420):
        seat = KINGS.asked(state)[0]
        view = KINGS.view(state, seat)
        assert isinstance(view, KingsView)
        if (advice := advised(view)) is not None and view.question not in SIMPLE:
            assert pressed(view) == advice, view.question
            met.add((view.question, advice.do))
        state = KINGS.apply(state, seat, steward.choose(view, view.offers, Dice.seeded(str(number)))).state
    assert {("march", "march"), ("march", "done"), ("engage", "engage"), ("ready", "done"), ("event", "done")} <= met


MARCHES = """
    players: 2
    phase: march
    turn: 3
    h1 plains A: farmers
    h2 plains A: farmers villains greathunter swordmaster warlord
    h3 plains
    h12 swamp B: ghost
"""


def test_to_finish_moving_stands_out_once_something_has_moved():
    view = view_of(MARCHES)
    assert outstanding(view) == ["Suggest a move"]
    began, moved = ({"event": "phase_began"}, 1), ({"event": "marched", "facts": {"seat": 0}}, 2)
    assert outstanding(view, began, moved) == ["Finish moving"]
    assert outstanding(view, moved, began) == ["Suggest a move"]
    taken_back = ({**moved[0], "taken_back": True}, 2)
    assert outstanding(view, began, taken_back) == ["Suggest a move"]


def outstanding(view: KingsView, *told: tuple[dict, int]) -> list[str]:
    """The buttons that stand out after these lines of the log, by their first words."""
    lines = Grown(Line(**{"revision": at, "text": "", "rule": "", "facts": {}, **line}) for line, at in told)
    form = form_in(preview(replace(scene_of(view), lines=lines), view, {}))
    return [text.partition(":")[0] for _, _, text, about in form.buttons if "primary" in about.get("class", "").split()]
