"""The table's page: what it shows to whom, how it keeps up, and what can be said at it."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape

from games import access, chat, play, tables
from games.engine.core.dice import commit
from games.engine.core.refusals import REASONS, IllegalAction
from games.engine.gambit.catalogue import KINDS, piece_name
from games.engine.gambit.notation import parse_game
from games.models import Game, Message, Seat
from games.painting import fragments as painting
from games.painting.gambit_pieces import GOAL, HOW
from tests.tables import do, move, player, running, seated
from tests.web.test_act import client_of, slots_in

pytestmark = pytest.mark.django_db


def page(client: Client, game: Game) -> str:
    response = client.get(game.get_absolute_url())
    assert response.status_code == 200
    return response.text


def pulse(client: Client, game: Game, **fields: object):
    return client.post(reverse("pulse", args=[game.public_id]), fields, headers={"HX-Request": "true"})


def visitor(game: Game, name: str) -> access.Visitor:
    fresh = Game.objects.get(pk=game.pk)
    return access.visit(fresh, player(name), {})


# ---- what it shows


def test_only_what_is_on_offer_can_be_chosen():
    game = running("ann", "ben")
    mine, theirs = page(client_of("ann"), game), page(client_of("ben"), game)
    assert 'data-from="e2" data-targets="e3 e4"' in mine
    assert "data-from=" not in theirs


def test_a_spectator_is_offered_nothing():
    game = running("ann", "ben")
    for client in (Client(), client_of("cleo")):
        shown = page(client, game)
        assert "data-from=" not in shown
        assert 'name="action" value="{&quot;do&quot;' not in shown
        assert "Move 1, light plays." in shown


def test_the_dark_player_sees_the_board_from_the_other_side():
    game = running("ann", "ben")
    assert 'id="sq-a1" class="square dark" transform="translate(0 900)"' in page(client_of("ann"), game)
    assert 'id="sq-a1" class="square dark" transform="translate(900 0)"' in page(client_of("ben"), game)


def test_whose_turn_it_is_stands_in_the_title():
    game = running("ann", "ben")
    assert 'data-title="(●) Your turn – Gambit of Kings" data-turn="yes"' in page(client_of("ann"), game)
    assert 'data-title="ann v. ben – Gambit of Kings" data-turn="no"' in page(client_of("ben"), game)


def test_a_threatened_castle_is_marked_and_told():
    game = running("ann", "ben", options={"light": "host", "position": THREAT})
    shown = page(client_of("ann"), game)
    assert "Your Castle can be taken by the Lich on e8." in shown
    assert 'class="threat"' in shown
    assert "You can take the Castle with the Paladin on f5!" in shown


THREAT = "5c4/10/4p5/10/10/5P4/10/10/10/4C5 w 0 1"


def test_names_are_text_and_nothing_else():
    game = running("ann", "ben")
    Seat.objects.filter(game=game, number=1).update(name="<b hx-get=/x>ben</b>")
    move(game, 0, "e2", "e4")
    move(game, 1, "f9", "f7")
    shown = page(client_of("ann"), game)
    assert "<b hx-get" not in shown
    assert "&lt;b hx-get=/x&gt;ben&lt;/b&gt; moves the Skeleton" in shown


def test_the_page_has_no_inline_script_or_style():
    game = running("ann", "ben")
    move(game, 0, "e2", "e4")

    class Check(HTMLParser):
        def handle_starttag(self, tag, attributes):
            names = [name for name, _ in attributes]
            assert not {"style", "onclick"} & set(names)
            assert not any(name.startswith(("hx-on", "on")) for name in names)
            assert tag != "style"
            assert tag != "script" or "src" in names
            assert all("[" not in (value or "") for name, value in attributes if name == "hx-trigger")

    Check().feed(page(client_of("ben"), game))


def test_the_page_says_of_every_piece_of_both_armies_how_it_moves():
    text = page(client_of("ann"), running("ann", "bob"))
    for kind in KINDS:
        for side, army in enumerate(("light", "dark")):
            card = text.split(f'<template id="how-{kind.slug}-{army}">')[1].split("</template>")[0]
            assert piece_name(kind.slug, side).lower() in card.lower()
            assert escape(HOW[kind.slug].text) in card and f"/rules/gambit/#{HOW[kind.slug].rule}" in card


def test_the_goal_stands_on_the_page_of_a_first_game():
    game = running("ann", "bob")
    goal = escape(GOAL)
    assert all(goal in page(client, game) for client in (client_of("ann"), client_of("bob"), Client()))
    again = running("ann", "carl")
    assert goal not in page(client_of("ann"), again) and goal in page(client_of("carl"), again)
    assert goal not in page(client_of("ann"), game)
    seated("dora", "emil")  # a table at which nothing has been played yet
    assert goal in page(client_of("dora"), running("dora", "emil"))


def test_a_private_table_looks_missing_to_a_stranger():
    game = running("ann", "ben", is_public=False)
    client = client_of("cleo")
    for name in ("table", "export", "hand_over"):
        assert client.get(reverse(name, args=[game.public_id])).status_code == 404
    assert client.get(reverse("past", args=[game.public_id, 0])).status_code == 404
    assert pulse(client, game).status_code == 404
    assert client.get(reverse("table", args=["nul\x00"])).status_code == 404


def test_a_cancelled_table_says_so():
    game = seated("ann", "ben")
    Game.objects.filter(pk=game.pk).update(status=Game.Status.CANCELLED)
    assert "This table was closed" in page(Client(), game)
    assert Client().get(reverse("past", args=[game.public_id, 0])).status_code == 404
    assert Client().get(reverse("export", args=[game.public_id])).status_code == 404


def test_wishes_can_be_answered_from_the_prompt():
    game = running("ann", "ben")
    do(game, 0, "offer_draw")
    shown = page(client_of("ben"), game)
    assert "ann has offered a draw." in shown
    assert "&quot;accept_draw&quot;" in shown and "&quot;decline_draw&quot;" in shown
    assert "&quot;accept_draw&quot;" not in page(client_of("ann"), game)


def test_the_end_is_told_to_each_in_their_own_words():
    game = running("ann", "ben")
    do(game, 1, "resign")
    assert "You win!" in page(client_of("ann"), game)
    assert "ann wins" in page(client_of("ben"), game)
    assert "ann wins" in page(Client(), game)


def test_moves_taken_back_leave_the_list_but_not_the_log():
    game = running("ann", "ben")
    move(game, 0, "e2", "e4")
    do(game, 0, "ask_take_back")
    do(game, 1, "allow_take_back")
    shown = page(client_of("ann"), game)
    assert "data-at=" not in shown
    assert 'class="taken-back"' in shown and "Se2-e4" in shown


# ---- patches


def after(visitor: access.Visitor, revision: int) -> painting.Fragments:
    return painting.fragments(tables.scene_at(visitor, revision))


def play_some(game: Game) -> None:
    for seat, source, target in ((0, "e2", "e4"), (1, "f9", "f7"), (0, "d2", "f4"), (1, "f7", "f6")):
        move(game, seat, source, target)
    do(game, 0, "ask_take_back")
    do(game, 1, "allow_take_back")
    move(game, 0, "d2", "b4")
    do(game, 1, "resign")


class Parts(HTMLParser):
    """The elements at the top of a message: (attributes, where the inside begins and ends, where it ends)."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text, self.depth, self.found = text, 0, []
        self.lines = [0, *(match.end() for match in re.finditer("\n", text))]
        self.feed(text)

    def at(self) -> int:
        line, column = self.getpos()
        return self.lines[line - 1] + column

    def handle_starttag(self, tag, attributes):
        if tag in ("br", "input"):
            return
        if self.depth == 0:
            self.begun = (dict(attributes), self.at(), self.at() + len(self.get_starttag_text()))
        self.depth += 1

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        self.depth -= 1
        if self.depth == 0:
            attributes, start, inside = self.begun
            end = self.at()
            self.found.append((attributes, self.text[inside:end], self.text[start : end + len(tag) + 3]))


def apply(slots: dict[str, str], message: str) -> dict[str, str]:
    """What a browser makes of a message: slots by id, with their new inside."""
    slots = dict(slots)
    for attributes, inside, whole in Parts(message).found:
        how, _, slot = attributes["hx-swap-oob"].partition(":#")
        if how == "innerHTML":
            slots[slot] = inside
        elif how == "beforeend":
            slots[slot] += inside
        elif (name := attributes["id"]) != "page-state":
            row = whole.replace(' hx-swap-oob="true"', "")
            kind = {"move": "moves", "log": "log"}[name.split("-")[0]]
            start = slots[kind].index(f'<li id="{name}"')
            end = slots[kind].index("</li>", start) + len("</li>")
            slots[kind] = slots[kind][:start] + row + slots[kind][end:]
    return slots


@pytest.mark.parametrize("name", ["ann", "ben", "cleo"])
def test_a_patch_from_any_revision_makes_the_page_that_a_fresh_load_shows(name):
    game = running("ann", "ben")
    play_some(game)
    who = visitor(game, name)
    for old in range(8):
        for new in range(old + 1, 9):
            before, now = after(who, old), after(who, new)
            fresh = drawn_slots(now)
            patched = apply(drawn_slots(before), painting.patch(before, now))
            for slot in fresh:
                assert patched[slot] == fresh[slot], (old, new, slot)


def drawn_slots(all_: painting.Fragments) -> dict[str, str]:
    found = painting.drawn(all_)
    del found["page-state"], found["board"]
    squares = {f"sq-{place}": all_.painter.draw_square(place, look) for place, look in all_.squares.items()}
    return {**{k: str(v) for k, v in found.items()}, **{k: str(v) for k, v in squares.items()}}


def test_a_patch_holds_only_what_changed():
    game = running("ann", "ben")
    move(game, 0, "e2", "e4")
    who = visitor(game, "cleo")
    slots = slots_in(painting.patch(after(who, 0), after(who, 1)))
    assert slots == {
        "page-state", "sq-e2", "sq-e4", "prompt", "player-top", "player-bottom", "as-text", "moves", "log",
    }  # fmt: skip


def test_many_changed_squares_bring_the_whole_board():
    game = running("ann", "ben")
    for light, dark in zip("acegi", "bdfhj"):
        move(game, 0, f"{light}2", f"{light}4")
        move(game, 1, f"{dark}9", f"{dark}7")
    move(game, 0, "b2", "c3")
    who = visitor(game, "cleo")
    slots = slots_in(painting.patch(after(who, 0), after(who, 11)))
    assert "board" in slots
    assert not any(slot.startswith("sq-") for slot in slots)


def test_board_svg_draws_any_view_with_no_slot_in_it():
    game = running("ann", "ben")
    board = painting.board_svg(play.view_for(game, None))
    assert board.startswith("<svg") and board.count("<use") == 40
    assert "id=" not in board


# ---- keeping up


def test_a_page_that_is_up_to_date_gets_nothing():
    game = running("ann", "ben")
    response = pulse(client_of("ann"), game, revision=0, seat=0, visible=0)
    assert (response.status_code, response.content) == (204, b"")


def test_a_page_that_is_behind_gets_what_changed():
    game = running("ann", "ben")
    move(game, 0, "e2", "e4")
    response = pulse(client_of("ben"), game, revision=0, seat=1)
    assert response.status_code == 200
    assert {"sq-e2", "sq-e4", "offers"} <= slots_in(response.text)


@pytest.mark.parametrize("fields", [{}, {"revision": "x"}, {"revision": 99, "seat": 1}, {"revision": 0, "seat": "7"}])
def test_a_page_that_does_not_know_what_it_shows_gets_everything(fields):
    game = running("ann", "ben")
    move(game, 0, "e2", "e4")
    response = pulse(client_of("ben"), game, **fields)
    assert response.status_code == 200
    assert {"board", "prompt", "moves", "log", "about", "offers"} <= slots_in(response.text)
    assert 'data-base=""' in response.text


def test_a_change_of_people_brings_everything():
    game = running("ann", "ben")
    mark = re.search(r'data-mark="(\w+)"', page(client_of("ann"), game))[1]
    assert pulse(client_of("ann"), game, revision=0, seat=0, mark=mark).status_code == 204
    Seat.objects.filter(game=game, number=1).update(player=None, bot="1")
    response = pulse(client_of("ann"), game, revision=0, seat=0, mark=mark)
    assert "Squire" in response.text
    move(game, 0, "e2", "e4")
    response = pulse(client_of("ann"), game, revision=0, seat=0, mark=mark)
    assert {"about", "board"} <= slots_in(response.text)


def test_only_a_page_somebody_looks_at_counts_as_looking():
    game = running("ann", "ben")
    client = client_of("ann")
    pulse(client, game, revision=0, seat=0, visible=0)
    assert game.seats.get(number=0).seen_at is None
    pulse(client, game, revision=0, seat=0, visible=1)
    assert timezone.now() - game.seats.get(number=0).seen_at < tables.LOOK_AGAIN
    pulse(client_of("cleo"), game, visible=1)
    assert game.seats.get(number=1).seen_at is None


# ---- earlier positions


def test_an_earlier_position_is_shown_as_it_was():
    game = running("ann", "ben")
    move(game, 0, "e2", "e4")
    move(game, 1, "f9", "f7")
    url = reverse("past", args=[game.public_id, 1])
    layer = Client().get(url, headers={"HX-Request": "true"})
    assert "After move 1 of 2" in layer.text
    assert "id=" not in layer.text.split("</svg>")[0]
    assert "<html" not in layer.text
    whole = Client().get(url)
    assert "<html" in whole.text
    assert "Before the first move" in Client().get(reverse("past", args=[game.public_id, 0])).text
    assert Client().get(reverse("past", args=[game.public_id, 999999])).status_code == 200
    assert Client().get(f"/tables/{game.public_id}/at/{'9' * 5000}/").status_code == 400


def test_the_game_can_be_taken_away_as_text():
    game = running("ann", "ben")
    play_some(game)
    response = client_of("ann").get(reverse("export", args=[game.public_id]))
    assert response["Content-Disposition"].startswith("attachment")
    record = parse_game(response.text)
    assert len(record.moves) == 3 and record.result == "1-0"
    assert record.tags["Light"] == "ann"


def test_seeds_are_given_away_only_when_the_game_is_over():
    game = running("ann", "ben")
    url = reverse("export", args=[game.public_id]) + "?with=seeds"
    assert client_of("ann").get(url).status_code == 404
    do(game, 1, "resign")
    data = client_of("ann").get(url).json()
    assert commit("dice", data["id"], data["rules_version"], bytes.fromhex(data["dice_seed"])) == game.dice_commit
    assert "with=seeds" in page(Client(), game)


# ---- talk


def say(client: Client, game: Game, text: object, **more: object):
    url = reverse("chat", args=[game.public_id])
    return client.post(url, {"text": text, **more}, headers={"HX-Request": "true"})


def test_players_and_spectators_talk_apart_until_the_end():
    game = running("ann", "ben")
    say(client_of("ann"), game, "players only")
    say(client_of("cleo"), game, "spectators only")
    for name in ("ann", "ben"):
        assert "players only" in page(client_of(name), game)
        assert "spectators only" not in page(client_of(name), game)
    for client in (client_of("cleo"), client_of("dan"), Client()):
        assert "spectators only" in page(client, game)
        assert "players only" not in page(client, game)
    do(game, 1, "resign")
    for client in (client_of("ann"), client_of("cleo"), Client()):
        assert "players only" in page(client, game)
        assert "spectators only" in page(client, game)


def test_whoever_speaks_sees_it_at_once():
    game = running("ann", "ben")
    response = say(client_of("ann"), game, "Good luck!", revision=0, seat=0, talk="")
    assert response.status_code == 200
    assert slots_in(response.text) == {"talk", "refusal"} and "Good luck!" in response.text


def test_talk_is_plain_text():
    game = running("ann", "ben")
    say(client_of("ann"), game, "a\u202eb\u200bc\x00d\n\n<i>e</i>  f" + "g" + "\u0301" * 20)
    assert Message.objects.get().text == "abcd <i>e</i> f" + "ǵ" + "\u0301" * 2
    assert "&lt;i&gt;e&lt;/i&gt;" in page(client_of("ben"), game)


@pytest.mark.parametrize("text", ["", "   ", "\u200b\u202e", "x" * 501, "x" * 9000])
def test_what_is_no_message_is_refused(text):
    game = running("ann", "ben")
    assert say(client_of("ann"), game, text).status_code == 400
    assert not Message.objects.exists()


def test_four_messages_in_ten_seconds_are_enough():
    game = running("ann", "ben")
    client = client_of("ann")
    assert [say(client, game, f"hello {n}").status_code for n in range(6)] == [200] * 4 + [429] * 2
    assert Message.objects.count() == 4
    Message.objects.update(at=timezone.now() - chat.AT_ONCE)
    assert say(client, game, "and again").status_code == 200


def test_whoever_has_no_name_does_not_talk():
    game = running("ann", "ben")
    assert say(Client(), game, "hello").status_code == 403
    assert say(client_of("ann"), seated("ann", "dan"), "hello").status_code == 403


# ---- pages beside the tables


def test_every_rule_that_is_named_has_a_place_on_the_rules_page():
    shown = Client().get(reverse("rules_of", args=["gambit"])).text
    named = {f"G{number}" for number in range(1, 15)}
    named |= {reason.rule for reason in REASONS.values() if reason.rule.startswith("G")}  # those of Gambit
    for rule in named:
        assert shown.count(f'id="{rule}"') == 1, rule


def test_the_rules_have_pictures_from_the_real_generator():
    shown = Client().get(reverse("rules_of", args=["gambit"])).text
    soldier = shown[shown.index('id="G5"') : shown.index('id="G6"')]
    assert set(re.findall(r'data-reach="(\w+)"', soldier)) == {"d4", "f4", "e5", "e6"}


@pytest.mark.parametrize("name", ["rules", "credits"])
def test_pages_are_there(name):
    assert Client().get(reverse(name)).status_code == 200
    assert Client().post(reverse(name)).status_code == 405
    assert Client().get(reverse("rules_of", args=["ludo"])).status_code == 404


def test_a_refusal_without_a_rule_has_no_link():
    assert "<a" not in tables.refusal(IllegalAction("over"), "/rules/gambit/")
    assert 'href="/rules/gambit/#G10"' in tables.refusal(IllegalAction("castle_stays"), "/rules/gambit/")
