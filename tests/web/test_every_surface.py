"""The twin test (C1) at every surface: pages, fragments, files, JSON, headers, cookies, frames, mail and logs.

For one visitor at one moment of a game everything hidden from them is dealt anew (stories.py tells how), and every
answer must stay the same by the byte. What is asked is found by walking the URLconf (surfaces.py). KADAB_TWINS says how
many moments are looked at; `make twins` takes more of them than a daily run.
"""

from __future__ import annotations

import dataclasses
import hashlib
import importlib
import json
import logging
import os
import random
import re
import zlib
from collections import Counter as Tally
from collections import defaultdict
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.utils.safestring import SafeString

from games import archive, play, store, waiting
from games.engine.core.dice import Dice
from games.engine.core.plain import canonical, plain
from games.engine.core.refusals import REASONS, IllegalAction
from games.engine.core.rules import Rules
from games.engine.core.state import State
from games.engine.fuzz import sampled
from games.engine.kings import KINGS, Kings
from games.engine.kings.flow.place import PlaceTogether
from games.models import Game
from games.views import table
from kadab import metrics
from tests import tables
from tests.web import kings as k
from tests.web.stories import Story
from tests.web.surfaces import (
    HOW,
    OF_THE_GAME,
    SOCKETS,
    STAFF,
    VIEWERS,
    Eyes,
    Moment,
    forget_drawn,
    gone,
    leaks,
    unlisted,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("kings_bots", "frozen_csrf", "still_world", "odds_wait")]

MOMENTS = int(os.environ.get("KADAB_TWINS", "100"))
PARTS = 4
# Looked at when the host may replace whoever is silent: even then a window must not tell who is asked.
BEGUN, LATER = datetime(2026, 3, 1, tzinfo=UTC), timedelta(days=9)
OPTIONS = (
    {"waiting": "always"},
    {"waiting": "mine", "bluffs": "challenge"},
    {"waiting": "never", "wild": "house", "resigned": "remove"},
    {"waiting": "always", "setup": "in_turn", "reactions": "holders"},
)
CLOCKS = (("live", "live-10"), ("days", "days-8"), ("", ""), ("", ""))  # a window's end must tell nothing either


@pytest.fixture
def still_world(monkeypatch):
    """Chance and clock stand still: what is asked twice is answered with the same numbers at the same time.

    A busy machine may be slow at one of two twins; that is no leak."""
    monkeypatch.setattr("kadab.timing.SLOW_SECONDS", float("inf"))
    monkeypatch.setattr("secrets.token_bytes", lambda count=None: random.randbytes(count or 32))
    monkeypatch.setattr("secrets.choice", random.choice)
    monkeypatch.setattr(Rules, "check_codec", False)
    # Sockets look into the test's own transaction; to leave its connection open is what a test's client does too.
    monkeypatch.setattr("channels.db.close_old_connections", lambda: None)
    random.seed("still world")
    with time_machine.travel(BEGUN, tick=False) as clock:
        tables.player(STAFF, is_staff=True, is_superuser=True)
        for name in k.NAMES:
            tables.player(name, email=f"{name}@example.org", calendar_key=f"{name}-key")
        yield clock


def test_every_address_is_asked_or_there_is_a_reason():
    assert not unlisted(), (
        "say in tests/web/surfaces.py how these addresses are asked (HOW), or why not (NOT_ASKED), "
        "so that the twin test looks at what they answer"
    )
    assert not gone(), "these addresses are no more; take their lines out of tests/web/surfaces.py"


def test_every_socket_is_opened():
    *sockets, none = SOCKETS  # the last route refuses whatever no other takes
    assert none == "" and sockets == ["ws/tables/{public_id:str}/"], (
        "open the new socket too: Eyes.hears in tests/web/surfaces.py"
    )


def test_a_story_lies_on_the_table_as_if_it_had_been_played():
    story = Story("as if played", most=120)
    for number in (0, 40, 120):
        story.lay(number)
        assert archive.verify(story.game) == ""
    with story.twin(120, None, "other"):
        assert archive.verify(story.game) != ""
    assert archive.verify(story.game) == ""


# ---- nothing hidden shows


def seat_of(name: str) -> int | None:
    return k.NAMES.index(name) if name in k.NAMES else None


def moments(story: Story, count: int) -> list[int]:
    """Revisions all through a story, from its set-up by way of a battle and a window to its end."""
    chosen = {12, *sealed_in(story)[1:2]}
    for name in ("battle", "window"):
        there = [n for n in range(story.length) if any(frame.name() == name for frame in story.state(n).flow)]
        chosen |= set(there[len(there) // 2 :][:1])
    count -= len(chosen)
    return sorted(chosen | {round(story.length * n / count) for n in range(1, count + 1)})


def sealed_in(story: Story) -> list[int]:
    """When somebody has placed in secret and others are still asked; none where they place in turn."""
    tops = ((n, story.state(n).flow[-1]) for n in range(min(40, story.length)))
    return [n for n, top in tops if top.name() == "place_together" and top.plans]


def laid(clock, story: Story, number: int) -> None:
    """After so many actions; looked at some days later."""
    clock.move_to(BEGUN, tick=False)
    story.lay(number)
    clock.move_to(BEGUN + LATER, tick=False)


@pytest.mark.parametrize("part", range(PARTS))
def test_nothing_hidden_shows_wherever_a_game_is_shown(still_world, part):
    """A visitor a moment, in turn: page, file, JSON, refusals, frames and mail; of the past at every other moment."""
    story = Story(f"part {part}", **OPTIONS[part])
    story.game.pace, story.game.clock = CLOCKS[part]
    chosen = moments(story, MOMENTS // PARTS)
    assert len(chosen) >= MOMENTS // PARTS - 3
    visitors = {name: Eyes(name) for name in VIEWERS}
    met = set()
    for number, revision in enumerate(chosen):
        laid(still_world, story, revision)
        name = VIEWERS[(number + part) % len(VIEWERS)]
        moment = Moment(story, revision, name, seat_of(name), briefly=True)
        for whole in (False, True) if number % 2 else (False,):
            found = leaks(visitors[name], moment, OF_THE_GAME, whole)
            assert not found, f"{name} after {revision} actions of part {part}: {found}"
        met |= {frame.name() for frame in story.state(revision).flow} | {story.state(revision).extras["phase"]}
    assert {"setup", "battle"} <= met and story.state(chosen[-1]).result
    assert "window" in met or story.game.options["waiting"] != "always" or "holders" in OPTIONS[part].values()


@pytest.mark.parametrize(
    ("name", "revision"),
    [("ann", 30), ("bob", 170), ("cat", 240), ("dan", 110), ("eve", 210), ("nobody", 140), ("chief", 190)],
)
def test_nothing_hidden_shows_at_any_address(still_world, name, revision):
    story = Story(f"addresses {name}", most=revision, waiting="always")
    laid(still_world, story, revision)
    moment = Moment(story, revision, name, seat_of(name), briefly=name not in ("bob", "chief"))
    for whole in (False, True):
        assert leaks(Eyes(name), moment, list(HOW), whole) == []


@pytest.mark.parametrize("name", ["ann", "eve"])
def test_nothing_but_what_is_shown_at_the_end_shows_when_a_game_is_over(still_world, name):
    story = Story("over", waiting="never")
    laid(still_world, story, story.length)
    assert story.state(story.length).result
    moment = Moment(story, story.length, name, seat_of(name), briefly=True)
    routes = [route for route in HOW if not route.startswith(("account/", "admin/"))]
    for whole in (False, True):
        assert leaks(Eyes(name), moment, routes, whole) == []


def test_a_seat_of_a_shared_device_does_not_see_the_other(still_world):
    """Ann and Bob on one screen: whoever sits there sees their own rack, and between the two nobody sees any."""
    story = Story("shared", "ann", "ann", "cat", "dan", most=150, waiting="never")
    eyes, met = Eyes("ann"), Tally()
    for revision in range(40, story.length):
        asked = [seat for seat in KINGS.asked(story.state(revision)) if seat < 2]
        sitting = [*asked, None][revision % (len(asked) + 1)]
        if met[sitting] == 2:
            continue
        met[sitting] += 1
        laid(still_world, story, revision)
        eyes.sit_at(story.game, sitting)
        moment = Moment(story, revision, "ann", sitting, briefly=True)
        assert [each for whole in (False, True) for each in leaks(eyes, moment, OF_PAGES, whole)] == []
    assert met == {0: 2, 1: 2, None: 2}


def test_the_operators_numbers_tell_nothing_hidden(still_world):
    """What /metrics reads of the games, while windows are open that only those who hold something are asked in."""
    story = Story("numbers", most=260, waiting="always", reactions="holders")
    windows = [n for n in range(story.length) if any(frame.name() == "window" for frame in story.state(n).flow)]
    assert windows

    def numbers() -> list[str]:
        waiting.measure()
        return re.findall(r"(?m)^kadab_(?:running|open|notices)\w+ .*$", metrics.text().decode())

    for revision in windows[:: max(1, len(windows) // 6)]:
        laid(still_world, story, revision)
        before = numbers()
        assert len(before) == 4
        with story.twin(revision, None, f"numbers {revision}"):
            assert numbers() == before


OF_PAGES = [route for route in OF_THE_GAME if not route.startswith("api/")] + ["tables/{public_id:str}/hand-over/"]


# ---- what happens while a page is open


def test_an_action_that_tells_nothing_is_told_alike(still_world):
    """Somebody acts while sockets are open. Where View and log agree in both worlds, so do the frames."""
    story = Story("while open", most=260, waiting="always")
    compared = 0
    for number, revision in enumerate(moments(story, 13)):
        name = VIEWERS[number % len(VIEWERS)]
        laid(still_world, story, revision)
        moment = Moment(story, revision, name, seat_of(name))
        eyes = Eyes(name)
        twin = story.twin(revision, moment.seat, f"open {revision}", moment.own, whole=True)
        possible = outcomes(moment)
        with twin:
            quiet = [at for at, told in outcomes(moment).items() if possible.get(at) == told]
        for seat, action in quiet[:2]:
            one = frames_while(eyes, moment, seat, action)
            with twin:
                assert frames_while(eyes, moment, seat, action) == one
            compared += bool(one)
    assert compared > 5


def outcomes(moment: Moment) -> dict[tuple[int, str], bytes]:
    """What the visitor would see and hear of some actions of others, by who takes which."""
    state = store.load(moment.game)
    chance, found = Dice.seeded("outcomes"), {}
    for seat in KINGS.asked(state):
        offers = [offer for offer in KINGS.all_offers(state)[seat] if seat != moment.seat]
        for action in sampled(offers, chance, 3):
            progress = KINGS.apply(state, seat, action)
            heard = [told for told in progress.told if told.heard_by(moment.seat)]
            seen = [plain(KINGS.view(progress.state, moment.seat)), plain(heard)]
            found[seat, json.dumps(plain(action), sort_keys=True)] = canonical(seen)
    return found


def frames_while(eyes: Eyes, moment: Moment, seat: int, action: str) -> list[bytes]:
    def act() -> None:
        play.act(moment.game, seat, json.loads(action), revision=moment.revision, token="while-open")

    shown = f"?v={moment.revision}&seat={'' if moment.seat is None else moment.seat}"
    found = eyes.frames(moment, shown, act)
    play.forget()
    return found


# ---- the test itself is tested: each leak must be found


def truth() -> State:
    return store.load(Game.objects.get())


def racks() -> str:
    """A secret: what lies on all racks."""
    state = truth()
    return "-".join(state.counters[n].kind for seat in state.seats for n in state.rack(seat))


def kind_of(tag: str) -> str:
    found = truth().by_tag(tag)
    return found.kind if found else ""


def around(monkeypatch, path: str, change: Callable[..., Any]) -> None:
    """Put something around a function: it gets the answer, and what the function was given."""
    where, _, name = path.rpartition(".")
    module = importlib.import_module(where)
    old = getattr(module, name)
    monkeypatch.setattr(module, name, lambda *args, **more: change(old(*args, **more), *args, **more))


def back_drawn(change: Callable[[str, str], str]) -> Callable[[Any], None]:
    """The picture of a face-down counter, changed by somebody who knows its kind."""

    def leak(monkeypatch) -> None:
        def drawn(markup: str, owner: Any, tag: str = "", *args: Any, **more: Any) -> SafeString:
            return SafeString(change(markup, kind_of(tag)))

        around(monkeypatch, "games.painting.kings.counters.draw_back", drawn)

    return leak


def sort_order(monkeypatch) -> None:
    def by_kind(found: dict[str, tuple[Any, ...]], view: Any) -> dict[str, tuple[Any, ...]]:
        return defaultdict(tuple, {at: tuple(sorted(each, key=lambda c: kind_of(c.tag))) for at, each in found.items()})

    around(monkeypatch, "games.painting.kings.page.counters_by_place", by_kind)


def histogram(monkeypatch) -> None:
    def counted(context: dict[str, Any], scene: Any) -> dict[str, Any]:
        state = truth()
        cup = Tally(state.kind(n).terrain for n in state.at("cup"))
        return {**context, "facts": (*context["facts"], ("Cup", str(sorted(cup.items()))))}

    around(monkeypatch, "games.painting.fragments.about_context", counted)


def log_text(monkeypatch) -> None:
    old = play.log_for
    monkeypatch.setattr(play, "log_for", lambda game, seat, at=None: old(game, 2, at))


def hint(monkeypatch) -> None:
    """What can be picked, told by somebody who knows what others hold: on the page, and in what a pick comes to."""
    around(monkeypatch, "games.painting.kings.controls.drawing.facts", lambda data, *args: SafeString(data + racks()))


def head(monkeypatch) -> None:
    around(monkeypatch, "games.views.table.patch_vary_headers", lambda done, answer, *a: mark(answer, "ETag"))


def mark(answer: Any, header: str) -> None:
    answer[header] = hashlib.sha256(racks().encode()).hexdigest()


def cookie(monkeypatch) -> None:
    def baked(done: None, answer: Any, *args: Any) -> None:
        answer.set_cookie("table", hashlib.sha256(racks().encode()).hexdigest())

    around(monkeypatch, "games.views.table.patch_vary_headers", baked)


def mail_text(monkeypatch) -> None:
    def written(message: Any, *args: Any) -> Any:
        message.body += racks()
        return message

    around(monkeypatch, "games.telling.mail", written)


def mail_header(monkeypatch) -> None:
    def written(message: Any, *args: Any) -> Any:
        message.extra_headers["X-Table"] = racks()
        return message

    around(monkeypatch, "games.telling.mail", written)


def frame_size(monkeypatch) -> None:
    """Nothing but blanks, more or fewer of them by what lies on the racks."""

    def padded(message: str, *args: Any) -> SafeString:
        return SafeString(message + " " * (zlib.crc32(racks().encode()) % 1000))

    around(monkeypatch, "games.painting.fragments.patch", padded)


def refusal(monkeypatch) -> None:
    around(monkeypatch, "games.tables.refusal", lambda said, *args: SafeString(said + racks()))


def legality(monkeypatch) -> None:
    """Why an action is refused depends on what lies in the cup."""

    old = Kings.check

    def check(self: Any, state: State, seat: int, action: Any) -> Any:
        try:
            return old(self, state, seat, action)
        except IllegalAction:
            codes = sorted(code for code, reason in REASONS.items() if "{" not in reason.sentence)
            lying = " ".join(state.counters[number].kind for number in state.at("cup"))
            raise IllegalAction(codes[zlib.crc32(lying.encode()) % len(codes)]) from None

    monkeypatch.setattr(Kings, "check", check)


def tokens_of_others(monkeypatch) -> None:
    """A token that any seat has used counts as used."""
    rows = play.models.Action.objects
    monkeypatch.setattr(play, "ACTIONS_BY_TOKEN", lambda pk, seat, token: rows.filter(game_id=pk, token=token))


def json_field(monkeypatch) -> None:
    around(monkeypatch, "games.api._table", lambda told, *args: {**told, "host": racks()})


def past_of_another(monkeypatch) -> None:
    """Old pages as another seat saw them."""
    old = play.view_at
    monkeypatch.setattr(play, "view_at", lambda game, seat, revision: old(game, 2, revision))


def who_is_asked(monkeypatch) -> None:
    def named(row: Any, game: Game, *args: Any) -> Any:
        asked = [seat.label for seat in game.seats.all() if seat.is_asked]
        return dataclasses.replace(row, facts=(*row.facts, *asked))

    around(monkeypatch, "games.listing._watch_row", named)


def staff_page(monkeypatch) -> None:
    def more(lines: list[Any], game: Game) -> list[Any]:
        return [*lines, play.FlowLine("flow", str(game.position.flow), "", "")]

    around(monkeypatch, "games.play.flow_for_admin", more)


def orders_of_others(monkeypatch) -> None:
    def shown(context: dict[str, Any], scene: Any) -> dict[str, Any]:
        return {**context, "facts": (*context["facts"], ("Orders", str(truth().extras["orders"])))}

    around(monkeypatch, "games.painting.fragments.about_context", shown)


def seeds(monkeypatch) -> None:
    """The file with the seeds of a game that is not over."""
    exported = "games.views.table.export_with_seeds"
    monkeypatch.setattr(
        exported, lambda game: table.download(game, "json", json.dumps(archive.exported(game)), "application/json")
    )


def server_log(monkeypatch) -> None:
    around(monkeypatch, "games.tables.scene_for", lambda scene, *args: logged(scene))


def logged(scene: Any) -> Any:
    logging.getLogger("games").warning("drawn for %s", racks())
    return scene


PAGE, PULSE, PAST = (
    "tables/{public_id:str}/",
    "tables/{public_id:str}/pulse/",
    "tables/{public_id:str}/at/{revision:int}/",
)


def caption(monkeypatch) -> None:
    """A caption of the film, told by somebody who knows what others hold."""
    around(monkeypatch, "games.painting.kings.film.said", lambda words, captions: words + racks())


def chapter(monkeypatch) -> None:
    """One more place to jump to in the past, named by somebody who knows what others hold."""
    around(monkeypatch, "games.painting.kings.film.chapters", lambda found, now: (*found, ("All", ((1, racks()),))))


def newsreel(monkeypatch) -> None:
    """A line about what happened since the last visit, told by somebody who knows what others hold."""
    around(monkeypatch, "games.since._reel", lambda lines, *_: (*lines, racks()))


LEAKS: dict[str, tuple[Callable[[Any], None], str, str]] = {
    "dom id": (back_drawn(lambda m, kind: m.replace("<button", f'<button id="x{kind}"', 1)), "eve", PAGE),
    "data attribute": (
        back_drawn(lambda m, kind: m.replace("data-tag", f'data-kind="{kind}" data-tag', 1)),
        "eve",
        PAGE,
    ),
    "css class": (back_drawn(lambda m, kind: m.replace("counter back", f"counter back {kind}", 1)), "eve", PAGE),
    "image url": (
        back_drawn(lambda m, kind: m.replace("</i>", f'<svg><use href="#{kind}"></use></svg></i>', 1)),
        "eve",
        PAGE,
    ),
    "sort order": (sort_order, "nobody", PAGE),
    "histogram of the cup": (histogram, "bob", PAGE),
    "log text": (log_text, "bob", PAGE),
    "hint at what is possible": (hint, "bob", PAGE),
    "hint in a preview": (hint, "bob", "tables/{public_id:str}/preview/"),
    "header": (head, "bob", PAGE),
    "cookie": (cookie, "bob", PAGE),
    "mail text": (mail_text, "asked", "mail"),
    "mail header": (mail_header, "asked", "mail"),
    "size of a frame": (frame_size, "eve", "socket"),
    "size of a pulse": (frame_size, "eve", PULSE),
    "reason of a refusal": (refusal, "bob", "tables/{public_id:str}/act/"),
    "code of a refusal": (legality, "bob", "api/v1/tables/{id:str}/actions"),
    "token on the page": (tokens_of_others, "bob", "tables/{public_id:str}/act/"),
    "token of the API": (tokens_of_others, "bob", "api/v1/tables/{id:str}/actions"),
    "field of the API": (json_field, "eve", "api/v1/tables/{id:str}"),
    "caption of the film": (caption, "bob", PAGE),
    "film of a page that is behind": (caption, "eve", PULSE),
    "newsreel": (newsreel, "bob", "tables/{public_id:str}/since/"),
    "chapter of the past": (chapter, "eve", PAST),
    "page of the past": (past_of_another, "eve", PAST),
    "who is asked": (who_is_asked, "eve", "lists/"),
    "page of the staff": (staff_page, "chief", "admin/games/game/{object_id:path}/change/"),
    "orders of others": (orders_of_others, "bob", PAGE),
    "seeds of a game that is not over": (seeds, "eve", "tables/{public_id:str}/export/"),
    "log of the server": (server_log, "eve", PAGE),
}


@pytest.mark.parametrize("is_leaked", [False, True], ids=["as it is", "leaked"])
def test_nobody_sees_what_another_has_placed_in_secret(still_world, monkeypatch, is_leaked):
    """Before everybody has placed: in the twin nobody but the visitor has placed anything."""
    story = Story("sealed", most=30)
    revision = max(sealed_in(story), key=lambda n: len(story.state(n).flow[-1].plans))
    plans = set(story.state(revision).flow[-1].plans)
    laid(still_world, story, revision)
    if is_leaked:
        own = PlaceTogether.sealed_by
        anybodys = lambda frame, seat: {tag: to for each in frame.plans for tag, to in own(frame, int(each)).items()}  # noqa: E731
        monkeypatch.setattr(PlaceTogether, "sealed_by", anybodys)
    for name in ("ann", "bob", "dan", "eve", "nobody"):
        moment = Moment(story, revision, name, seat_of(name), briefly=True)
        found = [each for whole in (False, True) for each in leaks(Eyes(name), moment, OF_THE_GAME, whole)]
        others = plans - {str(moment.seat)}
        assert bool(found) == bool(is_leaked and moment.seat is not None and others), f"{name}: {found}"
    sees = {str(seat) for seat in range(4) if play.view_for(story.game, seat).sealed}
    assert sees == ({"0", "1", "2", "3"} if is_leaked else plans)


@pytest.mark.parametrize("name", LEAKS)
def test_a_leak_is_found(still_world, monkeypatch, name):
    leak, visitor, where = LEAKS[name]
    story = Story("leaks", most=200, waiting="always")
    window = next(
        number
        for number in range(120, 200)
        if k.window_is_open(story.state(number)) and set(story.state(number).flow[-1].pending) > {1}
    )
    laid(still_world, story, window)
    visitor = k.NAMES[k.asked(story.game)[0]] if visitor == "asked" else visitor
    moment = Moment(story, window, visitor, seat_of(visitor), briefly=leak is not seeds and where != PAST)
    leak(monkeypatch)
    forget_drawn()
    found = leaks(Eyes(visitor), moment, [where] if where in HOW else [], whole=where in (PAST, PULSE))
    assert any(where in each for each in found), found
