"""The controls of Kings & Things*: drawn by the server, picked step by step, and made without scripts as well."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from games import play, tables
from games.engine.core.dice import Dice
from games.engine.kings import KINGS
from games.engine.kings.view import KingsView
from games.models import Action, Game, Seat
from games.painting.kings.controls.desk import AT_ONCE, TAKEN_BACK, Desk
from games.painting.kings.controls.drawing import CONTROLS, controls_of
from games.painting.kings.page import preview
from games.painting.scene import Scene
from tests.kings_tables import MARCH, laid, state_of
from tests.tables import player
from tests.web import kings as k
from tests.web.plain_form import Form, form_in

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _unlimited(monkeypatch):
    monkeypatch.setattr("games.shares.PREVIEWS_A_SECOND", 10_000)


def scene_of(game: Game, seat: int) -> Scene:
    visitor = tables.visitor_at(game.public_id, player(k.NAMES[seat]), {})
    assert visitor is not None
    return tables.scene_for(visitor)


def client_of(name: str) -> Client:
    client = Client()
    if name:
        client.force_login(player(name))
    return client


# ---- what is offered can be done


def actions_in(form: Form) -> list[Any]:
    """Whole actions: of buttons that act, and of those that are ready."""
    found = [json.loads(value) for name, value, *_ in form.buttons if name == "action"]
    return found + [json.loads(each["data-action"]) for *_, each in form.buttons if "data-action" in each]


def pick(form: Form, chance: random.Random, scene: Scene) -> Form:
    """One press more, and lists set to anything; what was there before is sent along."""
    presses = [value for name, value, *_ in form.buttons if name == "press"]
    if not presses:
        return form
    return form_in(preview(scene, form.sent_by("press", chance.choice(presses))))


@pytest.mark.parametrize("seed", ["controls 1", "controls 2", "controls 3"])
def test_whatever_is_picked_every_button_that_acts_is_taken_by_the_rules(seed: str, monkeypatch):
    monkeypatch.setattr("secrets.token_bytes", random.Random(seed).randbytes)  # the same game every time
    game, chance, dice = k.kings(), random.Random(seed), Dice.seeded(seed)
    met: Counter[str] = Counter()
    for _ in range(220):
        seats = k.asked(game)
        if not seats:
            break
        seat = seats[0]
        state, scene = k.state_of(game), scene_of(game, seat)
        form = form_in(preview(scene, {}))
        for _ in range(4):
            for action in actions_in(form):
                KINGS.check(state, seat, KINGS.parse(action))
                met[action["do"]] += 1
            form = pick(form, chance, scene)
        k.act(game, seat, k.sampled(game, seat, dice))
    assert {"march", "place", "done", "draw", "recruit", "lose", "choose", "build"} <= set(met), met


def test_only_what_can_be_taken_back_is_done_at_the_first_press(monkeypatch):
    """Of the buttons that act at once, the same kinds always are asked about again, and the others never."""
    monkeypatch.setattr("secrets.token_bytes", random.Random("at the first press").randbytes)
    game, dice = k.kings(), Dice.seeded("at the first press")
    met: Counter[tuple[str, bool]] = Counter()
    for _ in range(160):
        seat = k.asked(game)[0]
        form = form_in(preview(scene_of(game, seat), {}))
        for name, value, *_, attributes in form.buttons:
            if name == "action":
                met[json.loads(value)["do"], "data-ask" in attributes] += 1
        k.act(game, seat, k.sampled(game, seat, dice))
    assert {do for do, asks in met if not asks} <= AT_ONCE
    assert {do for do, asks in met if asks}.isdisjoint(AT_ONCE)
    assert len(met) > 5


@pytest.mark.parametrize("do", ["discharge", "give"])
def test_what_is_done_at_the_first_press_can_be_taken_back(do: str):
    assert do in TAKEN_BACK
    state = state_of(FIRST_PRESS[do])
    (offer,) = [each for each in KINGS.offers(state, 0) if each.do == do]
    after = KINGS.apply(state, 0, offer.sample(Dice.seeded(do))).state
    assert any(each.do == "undo" for each in KINGS.offers(after, 0))


FIRST_PRESS = {
    "discharge": """
        phase: heroes
        h1 plains A: deerhunter
        h12 swamp B: ghost
    """,
    "give": """
        phase: combat
        options: waiting=always
        gone: lucky_charm dispel_magic_scroll dust_of_defense
        h2 swamp A
        h3 plains B: farmers | A thing pirates
        rack A: bow
        A play bow on thing
    """,
}


def test_every_kind_of_offer_has_a_control():
    kinds = {each.kind for each in offer_kinds()}
    assert kinds - {"", "moves", "orders"} == set(CONTROLS)


def offer_kinds() -> list[Any]:
    from games.engine.core.offers import Offer

    found, ahead = [], [Offer]
    while ahead:
        each = ahead.pop()
        found.append(each)
        ahead += [sub for sub in each.__subclasses__() if sub.__module__.startswith("games.")]
    return found


def test_every_offer_of_a_question_can_be_answered_by_its_own_control():
    """Each control acts, or leads to something that acts, by presses alone."""
    game, dice = k.kings(), Dice.seeded("own control")
    stuck: set[str] = set()
    for number in range(160):
        seat = k.asked(game)[0]
        scene = scene_of(game, seat)
        assert isinstance(scene.view, KingsView)
        if number % 4 == 0:
            for key, control in controls_of(Desk(scene, scene.view)).items():
                if not reaches_an_action(scene, key, control.offer.do):
                    stuck.add(f"{scene.view.question}: {key}")
        k.act(game, seat, k.sampled(game, seat, dice))
    assert not stuck


def reaches_an_action(scene: Scene, key: str, do: str) -> bool:
    """Whether trying buttons of this control, at random, comes to an action of its own."""
    for attempt in range(8):
        chance, form = random.Random(attempt), form_in(preview(scene, {}))
        for _ in range(12):
            if any(action["do"] == do for action in actions_in(form)):
                return True
            presses = [value for name, value, *_ in form.buttons if name == "press" and value.startswith(f"{key} ")]
            if not presses:
                break
            form = form_in(preview(scene, form.sent_by("press", chance.choice(presses))))
    return False


# ---- without scripts


def test_a_game_is_played_without_scripts(monkeypatch):
    """Plain forms only: every answer is a page or leads to one, and every question is answered."""
    monkeypatch.setattr("secrets.token_bytes", random.Random("no scripts").randbytes)  # the same game every time
    game, chance = k.kings(), random.Random("no scripts")
    clients = {seat: client_of(name) for seat, name in enumerate(k.NAMES)}
    met: Counter[str] = Counter()
    while sum(met.values()) < 130:
        game.refresh_from_db()
        seat = k.asked(game)[0]
        view = play.view_for(game, seat)
        assert isinstance(view, KingsView)
        answer_plainly(game, clients[seat], chance)
        met[view.question] += 1
    assert {"claim", "place", "tower", "march", "draw", "recruit"} <= set(met), met


def answer_plainly(game: Game, client: Client, chance: random.Random) -> None:
    """Press until something is done, as somebody does who tries what is there."""
    act, page, before = reverse("act", args=[game.public_id]), client.get(game.get_absolute_url()).text, game.revision
    for _ in range(12):
        form = form_in(page)
        ready = [each for each in form.buttons if each[0] != "press" and "aria-disabled" not in each[3]]
        ready = [each for each in ready if json.loads(each[1] if each[0] == "action" else "{}").get("do") not in RARE]
        presses = [each for each in form.buttons if each[0] == "press" and " show " not in each[1]]
        name, value, *_ = chance.choice(ready if ready and (chance.random() < 0.6 or not presses) else presses)
        answer = client.post(act, form.sent_by(name, value))
        if name != "press":
            assert answer.status_code == 302, answer.content[:500]
            game.refresh_from_db()
            assert game.revision > before or Action.objects.filter(game=game).count()
            return
        assert answer.status_code == 200 and answer["Cache-Control"] == "private, no-store"
        page = answer.text
    raise AssertionError("nothing was done in twelve presses")


RARE = ("undo", "remove_income", "propose_end", "resign")


THINGS = """
    players: 2
    phase: things
    turn: 3
    gold A: 20
    h1 plains A: farmers
    h2 swamp A
    h12 plains B: watersnake
"""


def test_a_list_counts_as_it_is_set_when_a_plain_form_is_sent():
    """The button's own action would be that of the page as it was drawn."""
    game = laid(THINGS)
    client, act = client_of("ann"), reverse("act", args=[game.public_id])
    form = form_in(client.get(game.get_absolute_url()).text)
    assert form.fields["set draw paid"] == ["0"]
    sent = form.sent_by("control", "draw") | {"set draw paid": ["2"]}
    gold = gold_of(game, 0)
    assert client.post(act, sent).status_code == 302
    assert gold_of(game, 0) == gold - 10


def gold_of(game: Game, seat: int) -> int:
    return next(each.gold for each in play.view_for(game, seat).seats if each.number == seat)  # type: ignore[attr-defined]


# ---- the preview


def ask(client: Client, game: Game, *presses: str, **more: Any) -> Any:
    data = {"press": list(presses), **more}
    return client.post(reverse("preview", args=[game.public_id]), data, headers={"HX-Request": "true"})


def test_a_preview_shows_who_goes_where_and_for_what():
    game = laid(MARCH)
    answer = ask(client_of("ann"), game, "march stack h1", seat="0")
    assert answer.status_code == 200 and "no-store" in answer["Cache-Control"]
    form = form_in(answer.text)
    costs = {each["data-hex"]: each["data-cost"] for *_, each in form.buttons if "data-cost" in each}
    assert costs and all(json.loads(form.fields["picks"][0])["march"]["stack"] == ["h1"] for _ in costs)


def test_a_preview_changes_nothing():
    game = laid(MARCH)
    before = (Action.objects.count(), list(Seat.objects.values()), list(Game.objects.values()))
    assert ask(client_of("ann"), game, "march stack h1").status_code == 200
    assert (Action.objects.count(), list(Seat.objects.values()), list(Game.objects.values())) == before


@pytest.mark.parametrize(("name", "seat"), [("eve", ""), ("", ""), ("ann", "1"), ("bob", "0")])
def test_a_preview_is_refused_to_whoever_does_not_sit_there(name: str, seat: str):
    game = laid(MARCH)
    answer = ask(client_of(name), game, "march stack h1", seat=seat)
    assert answer.status_code == 403 and "data-hex" not in answer.text


def test_previews_are_limited(monkeypatch):
    monkeypatch.setattr("games.shares.PREVIEWS_A_SECOND", 10)
    monkeypatch.setattr("kadab.limits.time.time", lambda: 1000.0)
    cache.clear()
    game, client = laid(MARCH), client_of("ann")
    codes = [ask(client, game, "march stack h1").status_code for _ in range(12)]
    assert codes == [200] * 10 + [429] * 2


BAD = [
    {"picks": "no json"},
    {"picks": "[1]"},
    {"picks": '{"march": 3}'},
    {"picks": '{"march": {"stack": "h2"}}'},
    {"picks": '{"march": {"stack": [3, null, ["h2"]]}}'},
    {"picks": "[" * 5000},
    {"picks": '{"place": {"plan": ["x@y", "@", "nothing"]}}'},
    {"press": ["march", "march stack", "march stack nowhere", "nobody x y", "", " ", "march counters " + "x" * 9000]},
    {"set march stack": "h999"},
    {"set draw paid": "-1"},
    {"press": ["march stack h1"] * 500},
]


@pytest.mark.parametrize("data", BAD)
def test_picks_that_mean_nothing_are_passed_over(data: dict[str, Any]):
    game = laid(MARCH)
    answer = client_of("ann").post(reverse("preview", args=[game.public_id]), data, headers={"HX-Request": "true"})
    assert answer.status_code == 200 and form_in(answer.text).buttons


def test_a_control_that_is_not_there_is_refused_when_a_form_is_sent():
    game = laid(MARCH)
    for control in ("draw", "nothing", ""):
        answer = client_of("ann").post(reverse("act", args=[game.public_id]), {"control": control})
        assert answer.status_code == 400


FULL = """
    players: 2
    phase: things
    turn: 3
    gold A: 0
    rack A: ogre goblins
    h1 plains A: farmers farmers farmers farmers hunters centaur eagles dragonfly villains
    h2 swamp A
    h12 plains B: watersnake
"""


def test_a_hex_that_is_full_with_what_is_planned_says_so():
    game = laid(FULL)
    k.act(game, 0, {"do": "draw"})
    rack = {each.kind: each.tag for each in play.view_for(game, 0).stacks["rack:0"]}
    first, second = rack["ogre"], rack["goblins"]
    drawn = preview(
        scene_of(game, 0), {"press": [f"place counters {first}", "place to h1", f"place counters {second}"]}
    )
    (would,) = re.findall(r"data-would='([^']*)'", drawn)
    action = json.loads(would.replace('"?"', '"h1"'))
    refusal = play.why_not(game, 0, action)
    assert refusal is not None and refusal.code == "crowded", refusal
    assert play.why_not(game, 0, json.loads(would.replace('"?"', '"h2"'))) is None


# ---- in which order


def words_of(game: Game, who: int | str = 0) -> list[str]:
    """The words of all buttons, in their order."""
    play.forget()
    return re.findall(r"<button[^>]*>(?:<svg.*?</svg>)?([^<]+)", preview(scene_of(game, who), {}))


def test_what_is_suggested_comes_first():
    """It is in sight on a small screen, however many choices there are."""
    game = laid(
        "players: 2\n phase: build\n turn: 2\n h1 desert A\n h2 plains A castle: giant\n h12 swamp B\n gold A: 20\n"
    )
    first, *_ = words_of(game)
    (primary,) = re.findall(r'class="button primary"[^>]*>([^<]+)', preview(scene_of(game, 0), {}))
    assert primary == first


def test_heroes_to_win_come_before_those_to_discharge():
    game = laid("players: 2\n phase: heroes\n turn: 2\n h1 plains A: swordmaster\n h12 swamp B\n gold A: 20\n")
    words = words_of(game)
    roll = next(at for at, each in enumerate(words) if each.startswith("Roll for"))
    discharge = next(at for at, each in enumerate(words) if each.startswith("Swordmaster"))
    assert roll < discharge


def test_a_button_begins_with_a_capital():
    game = laid("players: 2\n phase: build\n turn: 2\n h1 desert A\n h2 plains A\n h12 swamp B\n gold A: 20\n")
    assert all(each[0] == each[0].upper() for each in words_of(game))


# ---- the page follows the rules


def attributes(form: Form, name: str) -> set[str]:
    return {each[name] for *_, each in form.buttons if name in each}


def drawn_anew(game: Game, *presses: str) -> Form:
    play.forget()
    return form_in(preview(scene_of(game, 0), {"press": presses}))


def test_the_page_follows_the_price_of_a_swamp(monkeypatch):
    """The engine alone is changed; the controls say so, and no script is touched."""
    game = laid(MARCH)
    assert attributes(drawn_anew(game, "march stack h1"), "data-cost") == {"1", "2", "3", "4"}
    monkeypatch.setattr("games.engine.kings.movement.cost", lambda terrain: 3)
    assert attributes(drawn_anew(game, "march stack h1"), "data-cost") == {"3"}


def test_the_page_follows_the_price_of_a_draw(monkeypatch):
    game = laid(THINGS)
    assert "2 paid (10 gold)" in preview(scene_of(game, 0), {})
    monkeypatch.setattr("games.engine.kings.flow.recruit.DRAW_PRICE", 7)
    play.forget()
    assert "2 paid (14 gold)" in preview(scene_of(game, 0), {})


def test_the_page_follows_the_limit_of_ten(monkeypatch):
    game = laid(MARCH)
    assert "h5" in attributes(drawn_anew(game, "march stack h1"), "data-hex")
    monkeypatch.setattr("games.engine.kings.stacks.MOST_IN_A_HEX", 1)
    assert "h5" not in attributes(drawn_anew(game, "march stack h1"), "data-hex")


# ---- the Lucky Charm


def charm_buttons(position: str) -> list[str]:
    game = laid(
        f"players: 2\n options: waiting=mine\n turn: 5\n rack A: lucky_charm\n order A lucky_charm: every\n {position}"
    )
    drawn = preview(scene_of(game, 0), {})
    return [text for _, _, text, _ in form_in(drawn).buttons if "→" in text]


def test_the_charm_says_what_it_makes_of_a_total():
    recruited = "phase: heroes\n h2 swamp A\n h12 plains B: watersnake\n dice: 3 4\n A recruit assassin_primus gold 0\n"
    assert charm_buttons(recruited) == ["You: total 7 → 8 (enough)", "You: total 7 → 6"]


def test_changes_of_dice_that_make_a_hit_or_a_miss_stand_first():
    land = "h1 plains A: farmers\n h12 swamp B: ghost\n"
    fight = f"phase: combat\n {land} h3 plains B: hunters | A villains\n dice: 2 6\n A done\n"
    buttons = charm_buttons(fight)
    told = [bool(re.search(r"\((hit|miss)\)$", each)) for each in buttons]
    assert buttons and told == sorted(told, reverse=True) and True in told and False in told, buttons


def test_placing_that_ends_with_one_press_says_so():
    together = "players: 2\n phase: things\n options: things=together waiting=never\n h1 plains A\n h12 swamp B\n"
    game = laid(f"{together} draw: bears goblins pirates\n gold A: 5\n A draw paid 1\n B draw\n")
    scene, fields = scene_of(game, 0), {}
    for begins in ("place counters", "place to h1"):
        form = form_in(preview(scene, fields))
        fields = form.sent_by("press", next(value for _, value, *_ in form.buttons if value.startswith(begins)))
    drawn = preview(scene, fields)
    assert "Place 1 and finish" in drawn and "1 creature stays on your rack." in drawn


def test_what_is_suggested_stands_above_what_else_may_be_done():
    """A march is free, but to ask those who pin the goblins costs nothing, and is suggested."""
    pinned = "players: 2\n phase: march\n turn: 2\n h12 swamp B: ghost\n h2 mountain A: troll\n h5 plains A\n"
    drawn = preview(scene_of(laid(f"{pinned} h1 plains A: goblins | B ogre\n"), 0), {})
    first, *others = drawn.split('<section class="control"')[1:]
    assert "button primary" in first and "Ask for proof" in first, drawn
    assert any('data-control="march"' in each for each in others)


def test_losses_by_an_event_are_suggested_as_well():
    lands = "h12 swamp B: watersnake\n h3 plains A castle: city farmers dragon_rider villains\n"
    plague = f"players: 2\n phase: events\n turn: 5\n rack A: dark_plague\n {lands} A play dark_plague\n"
    drawn = preview(scene_of(laid(plague), 0), {})
    assert "As suggested: Farmers 1, " in drawn, drawn


def test_a_suggestion_names_its_hexes_for_the_map():
    lands = "h12 swamp B: watersnake\n h3 plains A castle: city farmers dragon_rider villains\n"
    plague = f"players: 2\n phase: events\n turn: 5\n rack A: dark_plague\n {lands} A play dark_plague\n"
    drawn = form_in(preview(scene_of(laid(plague), 0), {}))
    (about,) = [each for _, _, text, each in drawn.buttons if text.startswith("As suggested")]
    assert about["data-points"] == "h3"  # where those stand who are to be lost
    bright = [each for *_, each in form_in(preview(scene_of(laid(MARCH), 0), {})).buttons if "data-points" in each]
    assert all(re.fullmatch(r"(h\d+ ?)+", each["data-points"]) for each in bright)


FIGHT = (
    "players: 2\n phase: combat\n turn: 2\n h2 desert A\n h8 forest A\n h10 swamp B\n"
    " h3 plains B tower: basilisk hunters farmers | A genie elves_r2 green_knight nomads\n dice: 4 2\n"
)


def test_nothing_more_says_what_it_passes_and_is_not_offered_in_the_first_turns_of_a_lesson():
    game = laid(FIGHT)
    scene = scene_of(game, 0)
    drawn = preview(scene, {})
    (about,) = [each for _, _, text, each in form_in(drawn).buttons if text.startswith("Nothing more")]
    assert "Losses, targets and retreats are still asked" in about["title"] and drawn.count(about["title"]) == 2
    assert "Nothing more" not in preview(replace(scene, is_lesson=True), {})
    later = replace(scene, is_lesson=True, view=replace(scene.view, turn=3))
    assert "Nothing more" in preview(later, {})
    page = client_of("ann").get(game.get_absolute_url()).text
    for until in ("phase", "turn"):
        assert f'title="Passes your questions until this {until} is over. Losses' in page
