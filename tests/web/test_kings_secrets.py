"""What one seat hides reaches nobody else: not by the API, not by a page, a list, a file or the staff's window."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games import play
from games.engine import RULESETS
from games.engine.core.dice import Dice
from games.engine.core.state import State
from games.models import Action, Counter, Game, Notice, Position, Seat
from tests import tables
from tests.web import kings as k
from tests.web.test_api import Program

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("kings_bots", "settled_chance", "frozen_csrf")]
VIEWERS = (*k.NAMES, "eve", "chief")  # the players, a spectator, and one of the staff
MARK = "canary-of-the-coal-mine"


@pytest.fixture
def chief():
    return tables.player("chief", is_staff=True, is_superuser=True)


@pytest.fixture(autouse=True)
def _still_clock(monkeypatch):
    """Two answers can be compared: no “3 minutes ago” becomes 4 in between."""
    now = timezone.now()
    monkeypatch.setattr("games.listing.timezone.now", lambda: now)


class Eyes:
    """Everything a visitor can ask for about a table, as bytes."""

    def __init__(self, name: str, game: Game) -> None:
        self.name, self.game = name, game
        self.program = Program(tables.player(name))
        self.client = Client()
        self.client.force_login(tables.player(name))

    def sees(self) -> dict[str, bytes]:
        play.forget()
        found = {path: self.program.get(path).content for path in self.api()}
        return found | {path: self.client.get(path).content for path in self.pages()}

    def api(self) -> list[str]:
        lists = [f"tables?show={show}" for show in ("mine", "waiting", "open", "watch", "finished")]
        return [f"tables/{self.game.public_id}", f"tables/{self.game.public_id}/log", *lists]

    def pages(self) -> list[str]:
        names = ("table", "export")
        pages = ["/", "/lists/", *(reverse(name, args=[self.game.public_id]) for name in names)]
        if self.name == "chief":
            pages += ["/admin/games/game/", reverse("admin:games_game_change", args=[self.game.pk])]
            pages += [f"/admin/games/game/?waits={who}" for who in ("bot", "person", "silent")]
            pages += ["/admin/games/notice/"]
        return pages


def seat_of(name: str) -> int | None:
    return k.NAMES.index(name) if name in k.NAMES else None


def lay_down(game: Game, state: State) -> int:
    """Write the kinds of a state's counters into the rows; how many were others."""
    changed = 0
    for row in Counter.objects.filter(game=game):
        kind = state.counters[row.number].kind
        if row.kind != kind:
            changed += 1
            Counter.objects.filter(pk=row.pk).update(kind=kind)
    return changed


@pytest.mark.parametrize("actions", [15, 60, 140])
def test_whatever_is_hidden_from_a_visitor_may_be_anything(chief, actions):
    """The twin test (C1) at the outer doors: the rows are dealt anew, and every answer stays the same by the byte."""
    game = k.kings(waiting="always", last_turn="40")
    state = k.play_on(game, f"twins {actions}", k.after(actions))
    for number, name in enumerate(VIEWERS):
        eyes = Eyes(name, game)
        before = eyes.sees()
        assert all(before.values())
        twin = RULESETS["kings"].scramble(state, seat_of(name), Dice.seeded(f"twin {number}"))
        assert lay_down(game, twin) > 100
        assert eyes.sees() == before, name
        lay_down(game, state)


def test_the_twin_test_can_fail(chief):
    """What a visitor may see they do see: dealt anew for somebody else, their own rack is another."""
    game = k.kings()
    state = k.play_on(game, "can fail", k.after(20))
    eyes = Eyes("ann", game)
    before = eyes.sees()
    lay_down(game, RULESETS["kings"].scramble(state, 1, Dice.seeded("for bob")))
    assert eyes.sees() != before


def test_what_one_seat_was_told_alone_is_in_nobody_elses_log(chief):
    game = k.kings(last_turn="40")
    k.play_on(game, "log", k.after(100))
    marked = 0
    for row in Action.objects.filter(game=game):
        for told in row.told:
            if told["to"] == [0]:
                facts = {name: MARK for name in told if name not in ("to", "event", "seat", "by")}
                told.update(facts)
                marked += bool(facts)
        row.save()
    assert marked
    for name in VIEWERS:
        seen = b"".join(Eyes(name, game).sees().values())
        assert (MARK.encode() in seen) == (name == "ann"), name


# ---- who is asked in a window


def someone_reacts(state: State) -> bool:
    return k.window_is_open(state) and 0 < len(state.flow[-1].pending) < len(state.seats)


def ask_instead(game: Game, seat: int) -> None:
    """As if the window had asked this seat, and nobody else."""
    position = Position.objects.get(game=game)
    position.flow[-1]["pending"] = [seat]
    position.save()
    decision = game.seats.exclude(decision="").first().decision
    nobody = {"is_asked": False, "decision": "", "wants_bot": False}
    Seat.objects.filter(game=game).update(asked_at=timezone.now(), **nobody)
    Seat.objects.filter(game=game, number=seat).update(is_asked=True, decision=decision)


def test_nobody_is_shown_who_is_asked_in_a_window(chief):
    game = k.kings(waiting="always")
    for seat in (2, 3):  # they do not wish to be asked, so somebody is left out
        k.act(game, seat, {"do": "set_order", "about": "waiting", "how": "never"})
    k.play_on(game, "window", someone_reacts, most=600)
    watching = [Eyes(name, game) for name in ("dan", "eve", "chief")]
    seen = []
    for seat in (0, 1, 2):
        ask_instead(game, seat)
        seen.append([eyes.sees() for eyes in watching])
        mine = Program(tables.player(k.NAMES[seat]))
        assert mine.look(game.public_id)["asked"] == [seat]
        (row,) = mine.get("tables", show="waiting").json()["tables"]
        assert [each["number"] for each in row["seats"] if each["asked"]] == [seat]
    assert seen[0] == seen[1] == seen[2]
    assert Notice.objects.exists() and game.public_id not in seen[0][2]["/admin/games/notice/"].decode()
    assert "waiting for an answer" in seen[0][0]["/"].decode()


def test_an_open_question_names_who_is_asked(chief):
    game = k.kings(waiting="never")
    k.play_on(game, "open", lambda state: len(k.asked(game)) == 1 and state.actions > 20)
    (seat,) = k.asked(game)
    other = next(name for name in k.NAMES if name != k.NAMES[seat])
    for name in (other, "eve"):
        assert Program(tables.player(name)).look(game.public_id)["asked"] == [seat]
    client = Client()
    client.force_login(tables.player(other))
    assert f"waiting for {k.NAMES[seat]}" in client.get("/").content.decode()
