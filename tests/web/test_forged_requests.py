"""Tokens tell nothing of other seats: no answer of the gate depends on what another seat has sent (issue 8, B1)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from games import play
from games.engine.core.refusals import IllegalAction
from games.engine.kings.orders import ORDERS
from games.models import Action, Game
from players import tokens
from tests import tables as tt
from tests.web import kings as k
from tests.web.test_act import client_of
from tests.web.test_kings_orders import form_in, page_of, url

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("kings_bots", "settled_chance")]

VICTIM = 1


def guesses(game: Game) -> Iterator[str]:
    """Tokens the site once made from seat, revision and content: every order and answer at six revisions."""
    game.refresh_from_db()
    for revision in range(game.revision - 5, game.revision + 1):
        for about, order in ORDERS.items():
            for how in order.choices:
                told = f"{VICTIM} {revision} {about} {how}"
                yield "order-" + hashlib.sha256(told.encode()).hexdigest()[:40]


def answers_to_guesses(game: Game) -> list[tuple[int, str]]:
    """What Ann hears when she sends each guess with an action of hers that no page could be about."""
    ann = client_of("ann")
    program = {"Authorization": f"Bearer {tokens.make(tt.player('ann'), 'test')[1]}"}
    act, api = reverse("act", args=[game.public_id]), f"/api/v1/tables/{game.public_id}/actions"
    heard = []
    for number, guess in enumerate(guesses(game)):
        forged = {"action": {"do": "done"}, "revision": 9_000_000, "token": guess}
        if number % 2:
            answer = ann.post(act, {**forged, "action": json.dumps(forged["action"]), "seat": "0"})
        else:
            answer = Client().post(api, json.dumps(forged), content_type="application/json", headers=program)
        heard.append((answer.status_code, answer.text if number % 2 else answer.json()["code"]))
    return heard


@pytest.mark.usefixtures("frozen_csrf")
def test_guessing_every_order_learns_nothing_of_what_another_has_given():
    game = k.kings()
    k.play_on(game, "guesses", k.after(12))
    form = form_in(page_of(game, "bob"))
    heard = []
    for orders in ({"fan": "mine"}, {"fan": "skip"}, {"lucky_charm": "any"}):
        with transaction.atomic():
            client_of("bob").post(url(game), {**form, **orders})
            assert play.view_for(game, VICTIM).orders.items() >= orders.items()
            assert len(list(guesses(game))) >= 252  # as many as the attack once took
            heard.append(answers_to_guesses(game))
            transaction.set_rollback(True)
        play.forget()
        game.refresh_from_db()
    assert heard[0] == heard[1] == heard[2]
    assert {status for status, _ in heard[0]} == {409}


def test_a_token_of_another_seat_is_as_good_as_any():
    game = tt.running("anna", "ben")
    tt.move(game, 0, "a2", "a3", token="same-token")
    assert tt.move(game, 1, "a9", "b8", token="same-token") == play.Outcome(2)
    with pytest.raises(IllegalAction) as refusal:
        tt.move(game, 1, "c9", "c8", token="same-token")
    assert refusal.value.code == "token_used"


def test_no_two_tokens_of_forms_are_alike():
    """Of the same seat, at the same revision, for the same content."""
    game = k.kings()
    used = []
    for page in (page_of(game, "ann"), page_of(game, "ann")):
        with transaction.atomic():
            client_of("ann").post(url(game), {**form_in(page), "fan": "mine"})
            used.append(Action.objects.filter(game=game).latest("number").token)
            transaction.set_rollback(True)
        play.forget()
    assert len(set(used)) == 2


@pytest.mark.parametrize("carried", ["", "short", "ümlaut-token", "x" * 200, "nul\x00-token-of-mine"])
def test_a_form_that_carries_no_token_still_counts(carried):
    game = k.kings()
    form = {**form_in(page_of(game, "ann")), "form_token": carried}
    assert client_of("ann").post(url(game), {**form, "fan": "mine"}).status_code == 302
    assert play.view_for(game, 0).orders["fan"] == "mine"


def test_a_plain_form_sent_twice_counts_once():
    """Even where the same action would be possible again: a draw offered, declined and offered by an old form."""
    game = tt.running("ann", "ben")
    page = client_of("ann").get(game.get_absolute_url()).text
    form = {"action": json.dumps({"do": "offer_draw"}), "form_token": form_in(page)["form_token"]}
    for _ in range(3):
        answer = client_of("ann").post(reverse("act", args=[game.public_id]), form)
        assert answer.status_code == 302
    game.refresh_from_db()
    assert game.revision == 1
