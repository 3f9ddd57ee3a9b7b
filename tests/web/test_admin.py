"""The admin shows staff where a game stands, nothing hidden, and lets nobody touch it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.fields import GenericForeignKey
from django.db import connection
from django.db.models import Model
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from games import play
from games.models import Action, Counter, Game, Notice, Position, Seat
from tests import tables

pytestmark = pytest.mark.django_db

LIST = "/admin/games/game/"


def page(game: Game) -> str:
    return reverse("admin:games_game_change", args=[game.pk])


@pytest.fixture
def ann():
    return tables.player("ann")


@pytest.fixture
def bob():
    return tables.player("bob")


@pytest.fixture
def staff(client):
    chief = tables.player("chief", is_staff=True, is_superuser=True)
    client.force_login(chief)
    return chief


def test_the_list_tells_status_players_and_who_is_waited_for(client, staff, ann):
    game = tables.running("ann", "bot:random")
    text = client.get(LIST).content.decode()
    assert game.public_id in text and "Gambit of Kings" in text and "being played" in text
    assert "ann, Wanderer" in text


def test_the_list_asks_as_much_of_the_database_for_many_games_as_for_one(client, staff):
    """It once loaded the state of every game it listed, to say whether the game can be opened."""

    def queries() -> int:
        play.forget()
        with CaptureQueriesContext(connection) as asked:
            assert client.get(LIST).status_code == 200
        return len(asked)

    tables.running("ann", "bot:random")
    queries()  # whatever is asked for once only
    one = queries()
    for _ in range(4):
        tables.running("ann", "bot:random")
    assert queries() == one


def test_games_are_found_by_public_id_and_by_player(client, staff, ann, bob):
    one, other = tables.running("ann", "bot:random"), tables.running("bob", "bot:random")
    for query, found, not_found in ((one.public_id, one, other), ("bob", other, one)):
        text = client.get(LIST, {"q": query}).content.decode()
        assert found.public_id in text and not_found.public_id not in text


def test_games_whose_bots_had_faults_are_found(client, staff, ann, bob):
    faulty, other = tables.running("ann", "bot:random"), tables.running("bob", "bot:random")
    faulty.seats.filter(number=1).update(bot_faults=3)
    text = client.get(LIST, {"faults": "some"}).content.decode()
    assert faulty.public_id in text and other.public_id not in text
    assert '<td class="field-bot_faults">3</td>' in text
    assert "bot, level random (3 faults)" in client.get(page(faulty)).content.decode()
    assert "fault)" not in client.get(page(other)).content.decode()


def test_games_are_filtered_by_status_and_ruleset(client, staff, ann, bob):
    running, waiting = tables.running("ann", "bob"), tables.seated("ann")
    text = client.get(LIST, {"status__exact": "open", "game": "gambit"}).content.decode()
    assert waiting.public_id in text and running.public_id not in text


def test_games_are_filtered_by_who_is_waited_for(client, staff, ann, bob):
    for_a_bot = tables.running("ann", "bot:random")
    Seat.objects.filter(game=for_a_bot).update(is_asked=False, asked_openly=False)
    for_a_bot.seats.exclude(bot="").update(is_asked=True, asked_openly=True)
    for_a_person, silent = tables.running("ann", "bob"), tables.running("bob", "ann")
    silent.seats.filter(is_asked=True).update(asked_at=timezone.now() - timedelta(days=4))

    def found(waits: str) -> set[str]:
        text = client.get(LIST, {"waits": waits}).content.decode()
        return {game.public_id for game in (for_a_bot, for_a_person, silent) if game.public_id in text}

    assert found("bot") == {for_a_bot.public_id}
    assert found("person") == {for_a_person.public_id, silent.public_id}
    assert found("silent") == {silent.public_id}


def test_a_games_page_shows_flow_seats_log_and_commitments(client, staff, ann, bob):
    game = tables.running("ann", "bob")
    tables.move(game, 0, "a2", "a3")
    text = client.get(page(game)).content.decode()
    assert "duel" in text and "The sides move in turn" in text and "(G3)" in text
    assert "ann" in text and "bob" in text and "moves first." in text
    assert game.dice_commit in text and game.cup_commit in text


def test_a_games_page_shows_the_board_a_spectator_sees(client, staff, ann, bob):
    game = tables.running("ann", "bob")
    assert "<svg" in client.get(page(game)).content.decode().split('id="board"')[1]


@pytest.mark.parametrize("started", [False, True])
def test_nothing_hidden_is_on_the_page(client, staff, ann, bob, started):
    """Seeds, extras, changes, keys to seats and invitations, and what frames remember stay out."""
    game = (tables.running if started else tables.seated)("ann", "bob")
    if started:
        tables.move(game, 0, "a2", "a3")
        # A marker in everything hidden; had the page any of it, it would be seen.
        Position.objects.filter(game=game).update(
            extras={**Position.objects.get(game=game).extras, "asked_once": ["marked-extra"]}
        )
        Action.objects.filter(game=game).update(changes={"marked-change": 1}, draws=["marked-draw"])
        Counter.objects.filter(game=game).update(tag="marked-tag")
        play.forget()
    text = client.get(page(game)).content.decode()
    position = Position.objects.get(game=game)
    for secret in (
        bytes(position.dice_seed).hex(),
        bytes(position.cup_seed).hex(),
        position.hash or "no hash",
        "marked-extra",
        "marked-change",
        "marked-draw",
        "marked-tag",
        "plies",
        "serial",
        game.invite_key,
        *game.seats.values_list("return_key", flat=True),
    ):
        assert secret not in text


def test_staff_do_not_find_the_unfinished_games_they_play_in(client, staff, ann):
    played = tables.running("ann", "chief")
    assert played.public_id not in client.get(LIST).content.decode()
    assert client.get(page(played)).status_code == 404
    assert client.get(reverse("admin:games_game_history", args=[played.pk])).status_code == 404
    play.act(played, 0, {"do": "resign"}, revision=0, token="resign-now")
    assert played.public_id in client.get(LIST).content.decode()
    assert client.get(page(played)).status_code == 200


def test_a_missing_game_is_404(client, staff):
    for junk in ("999999", "junk", "_00", "9" * 40, "-1"):
        assert client.get(f"{LIST}{junk}/change/").status_code == 404


def test_nothing_can_be_added_changed_or_deleted(client, staff, ann, bob):
    game = tables.running("ann", "bob")
    assert client.get(f"{LIST}add/").status_code == 403
    assert client.post(f"{LIST}add/", {"ruleset": "gambit"}).status_code == 403
    assert client.post(page(game), {"status": "finished"}).status_code == 405
    assert client.post(f"{LIST}{game.pk}/delete/", {"post": "yes"}).status_code == 403
    client.post(LIST, {"action": "delete_selected", "_selected_action": game.pk, "post": "yes"})
    game.refresh_from_db()
    assert game.status == "running"


def test_seeds_cannot_be_fished_for_by_filters(client, staff, ann, bob):
    tables.running("ann", "bob")
    for fishing in (
        "position__dice_seed__startswith",
        "seats__return_key__startswith",
        "actions__draws__contains",
    ):
        response = client.get(LIST, {fishing: "a"})
        assert response.status_code in (302, 400)


def test_what_holds_secrets_is_not_registered(client, staff):
    for model in ("position", "counter", "hex", "action", "seat", "message"):
        assert client.get(f"/admin/games/{model}/").status_code == 404


def test_players_and_staff_without_the_permission_see_nothing(client, ann, bob):
    game = tables.running("ann", "bob")
    assert client.get(page(game)).status_code == 302  # to the log-in
    client.force_login(ann)
    assert client.get(page(game)).status_code == 302
    helper = tables.player("helper", is_staff=True)
    client.force_login(helper)
    assert client.get(page(game)).status_code == 403
    helper.user_permissions.add(Permission.objects.get(codename="view_game"))
    assert client.get(page(game)).status_code == 200


def test_notices_can_be_looked_at(client, staff, ann, bob):
    tables.running("ann", "bob")
    notice = Notice.objects.get()
    assert notice.player.username in client.get("/admin/games/notice/").content.decode()
    assert client.get(f"/admin/games/notice/{notice.pk}/change/").status_code in (200, 302)
    assert client.post(f"/admin/games/notice/{notice.pk}/change/", {"sent": "on"}).status_code == 403


def test_names_are_shown_as_text(client, staff, bob):
    tables.player("imp", is_guest=True, guest_name="<script>alert(1)</script>")
    game = tables.running("imp", "bob")
    for url in (LIST, page(game)):
        text = client.get(url).content.decode()
        assert "<script>alert" not in text and "&lt;script&gt;alert" in text


def test_the_page_has_nothing_inline(client, staff, ann, bob):
    text = client.get(page(tables.running("ann", "bob"))).content.decode()
    assert "style=" not in text and "<style" not in text and "onclick" not in text


# ---- no column can be read letter by letter

SECRET = re.compile(r"key|seed|password|digest|token|session|entropy|hash|flow|extras|changes|told|draws|decision|tag")


def columns(model: type[Model], depth: int = 2, before: str = "") -> Iterator[tuple[str, str]]:
    """Every column of a model and, by relations, of others: (look-up, name)."""
    for field in model._meta.get_fields():
        if isinstance(field, GenericForeignKey):
            continue
        if field.is_relation and field.related_model and depth:
            yield from columns(field.related_model, depth - 1, f"{before}{field.name}__")
        elif not field.is_relation:
            yield before + field.name, field.name


def is_refused(client: Client, where: str, lookup: str, value: str = "a") -> bool:
    return client.get(where, {lookup: value}).status_code == 400


@pytest.mark.parametrize("model", [model._meta.label for model in admin.site._registry])
def test_no_secret_column_can_be_looked_up_by(client, staff, model):
    tables.running("ann", "bob")
    options = apps.get_model(model)._meta
    where = reverse(f"admin:{options.app_label}_{options.model_name}_changelist")
    secret = {path for path, name in columns(options.model) if SECRET.search(name)}
    for path in secret:
        assert is_refused(client, where, path), path
        assert is_refused(client, where, f"{path}__startswith"), path


@pytest.mark.parametrize("lookup", ["invite_key", "invite_key__startswith", "invite_key__regex", "dice_commit__gt"])
def test_an_invitation_cannot_be_guessed_letter_by_letter(client, staff, lookup):
    game = tables.running("ann", "bob")
    right = game.invite_key[: 1 if "starts" in lookup else None]
    assert is_refused(client, LIST, lookup, right) and is_refused(client, LIST, lookup, "!")


@pytest.mark.parametrize("lookup", ["seats__return_key__startswith", "host__password__startswith", "seats__player__pk"])
def test_relations_are_no_way_round(client, staff, lookup):
    tables.running("ann", "bob")
    assert is_refused(client, LIST, lookup)
    assert is_refused(client, "/admin/players/player/", "api_tokens__digest__startswith")


def test_a_popup_shows_no_key_either(client, staff):
    game = tables.running("ann", "bob")
    answer = client.get(LIST, {"_popup": "1", "_to_field": "invite_key"})
    assert answer.status_code == 400 and game.invite_key not in answer.content.decode()


def test_the_filters_the_page_offers_still_work(client, staff):
    tables.running("ann", "bob")
    players = "/admin/players/player/"
    for where, filter_ in (
        (LIST, {"status__exact": "running"}),
        (LIST, {"game": "gambit", "waits": "person"}),
        (players, {"is_guest__exact": "0"}),
        ("/admin/games/notice/", {"sent__exact": "0"}),
    ):
        page = client.get(where, filter_)
        assert page.status_code == 200
        for link in re.findall(r'href="(\?[^"]*)"', page.content.decode()):
            assert client.get(where + link.replace("&amp;", "&")).status_code == 200, link
