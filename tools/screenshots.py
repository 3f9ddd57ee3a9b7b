"""Take the pictures in docs/screenshots: `.venv/bin/python tools/screenshots.py [name …]`.

A site of its own is furnished with a few people and games, and looked at with Chromium; nothing of var/ is touched.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from playwright.sync_api import Page, sync_playwright  # noqa: E402

from tests.browser import People, Person, launch  # noqa: E402
from tests.server import Server  # noqa: E402

FOLDER = ROOT / "docs" / "screenshots"
LARGEST = 1_000_000  # a painted map on a dark table
PASSWORD = "a good long password"
DESKTOP = {"viewport": {"width": 1060, "height": 690}}
WIDE = {"viewport": {"width": 1280, "height": 900}}
PHONE = {"viewport": {"width": 390, "height": 800}, "has_touch": True, "is_mobile": True, "device_scale_factor": 1.5}

FURNISH = """
from django.utils import timezone
from games import chat, lobby, play
from games.access import Visitor
from games.engine.bots import think
from games.models import Game, Seat
from players.models import Player

START = "nlgtpctgln/eseseseses/10/10/10/10/10/10/SESESESESE/NLGTCPTGLN w 0 1"
anna, ben, clara, david = (
    Player.objects.create_user(name, password="a good long password") for name in ("Anna", "Ben", "Clara", "David")
)

def game(host, other, plies=0, level="1", seed="picture"):
    made = lobby.create(host, "gambit", {"light": "host", "position": START}, [{"kind": "me"}, {"kind": "open"}])
    lobby.join(made, other)
    lobby.start(made, host)
    made.refresh_from_db()
    while made.status == Game.Status.RUNNING and made.revision < plies:
        seat = made.seats.get(is_asked=True)
        view = play.view_for(made, seat.number)
        action = think("gambit", level, view, view.offers, f"{seed} {made.revision}")
        play.act(made, seat.number, action.plain(), revision=made.revision, token=f"picture-{made.revision}")
        made.refresh_from_db()
    return made

def resign(made, number):
    play.act(made, number, {"do": "resign"}, revision=made.revision, token="picture-resigns")

def say(made, player, text):
    seat = made.seats.get(player=player)
    chat.say(Visitor(made, player, (seat,), seat), text)

duel = game(anna, ben, 16)
say(duel, ben, "That Griffin of yours worries me")
say(duel, anna, "Wait until you see the Lion!")
Seat.objects.filter(game=duel).update(seen_at=timezone.now())
game(clara, anna, 7, "random", "second")
resign(game(david, anna, 12, "random", "third"), 0)
game(clara, david, 20, "random", "fourth")
room = lobby.create(anna, "gambit", {}, [{"kind": "me"}, {"kind": "link"}], is_public=False)
lobby.create(ben, "gambit", {}, [{"kind": "me"}, {"kind": "open"}])

def realm(wanted, seed):
    # Dice differ from game to game: one of five comes to such a moment.
    return next(filter(None, (played(wanted, f"{seed} {each}") for each in range(5))))

def played(wanted, seed):
    # A game of Kings & Things* by four stewards, until Anna is asked what is wanted.
    seats = [{"kind": "me"}, *({"kind": "open"} for _ in range(3))]
    made = lobby.create(anna, "kings", {}, seats)
    for other in (ben, clara, david):
        lobby.join(made, other)
    lobby.start(made, anna)
    made.refresh_from_db()
    mine = made.seats.get(player=anna).number
    while made.status == Game.Status.RUNNING:
        seat = made.seats.filter(is_asked=True).order_by("number").first()
        view = play.view_for(made, seat.number)
        if seat.number == mine and wanted(view):
            return made
        action = think("kings", "steward", view, view.offers, f"{seed} {made.revision}")
        play.act(made, seat.number, action.plain(), revision=made.revision, token=f"picture-{made.action_count}",
                 decision=view.decision)
        made.refresh_from_db()
    return None

begun = realm(lambda view: True, "begun")
march = realm(lambda view: view.turn == 4 and view.question == "march", "march")
fight = realm(lambda view: view.turn > 2 and any(each["frame"] == "battle" for each in view.doing), "fight")
print(duel.public_id, room.public_id, begun.public_id, march.public_id, fight.public_id)
"""


def log_in(person: Person, name: str) -> None:
    page = person.goes_to("/account/login/")
    page.locator("[name=login]").fill(name)
    page.locator("[name=password]").fill(PASSWORD)
    page.locator("main form").get_by_role("button").last.click()
    page.locator(".site-nav .who").wait_for()


class Studio:
    """One method a picture."""

    def __init__(self, people: People, duel: str, room: str, begun: str, march: str, fight: str) -> None:
        self.people = people
        self.duel, self.room = f"/tables/{duel}/", f"/tables/{room}/"
        self.begun, self.march, self.fight = (f"/tables/{each}/" for each in (begun, march, fight))

    def look(self, path: str, name: str = "", **device: Any) -> Page:
        person = self.people.come(**{**DESKTOP, "reduced_motion": "reduce", **device})
        if name:
            log_in(person, name)
        page = person.goes_to(path)
        page.wait_for_load_state("networkidle")
        return page

    def front_door(self) -> Page:
        """As a stranger sees the site first."""
        return self.look("/", viewport={"width": 1280, "height": 800})

    def lobby_desktop(self) -> Page:
        return self.look("/", "Anna", **WIDE)

    def lobby_dark(self) -> Page:
        return self.look("/", "Anna", color_scheme="dark", **WIDE)

    def lobby_phone(self) -> Page:
        return self.look("/", **PHONE)

    def table_desktop(self) -> Page:
        return self.choosing(self.look(self.duel, "Anna"))

    def table_dark(self) -> Page:
        page = self.look(self.duel, "Ben", color_scheme="dark")
        page.get_by_role("tab", name="Chat").click()
        return page

    def table_phone(self) -> Page:
        return self.choosing(self.look(self.duel, "Anna", **PHONE))

    def choosing(self, page: Page) -> Page:
        """With the piece in hand that has most places to go."""
        offers = page.locator("#offers [data-from]")
        reach = [(len(line.get_attribute("data-targets").split()), i) for i, line in enumerate(offers.all())]
        page.locator(f"#sq-{offers.nth(max(reach)[1]).get_attribute('data-from')}").click()
        return page

    def kings_march(self, **device: Any) -> Page:
        """With a stack in hand, and the hexes lit that it can reach."""
        page = self.look(self.march, "Anna", **{**WIDE, **device})
        self.without_coach(page)
        stacks = page.locator("#board .hex.reach, #board .hex.target")
        stacks.first.wait_for()
        most = max(stacks.all(), key=lambda each: each.locator(".chit").count())
        most.locator(".ground").click(force=True)
        page.mouse.move(5, 5)
        return page

    def kings_setup(self) -> Page:
        return self.look(self.begun, "Anna", **WIDE)

    def kings_legend(self) -> Page:
        page = self.kings_march()
        page.locator("#menu > summary").click()
        page.locator("#menu").get_by_role("button", name="Legend").click()
        return page

    def kings_orders(self) -> Page:
        page = self.kings_march()
        page.locator("#tab-orders").click()
        return page

    def kings_dark(self) -> Page:
        return self.kings_march(color_scheme="dark")

    def kings_phone(self) -> Page:
        return self.kings_march(**PHONE)

    def kings_battle(self) -> Page:
        page = self.look(self.fight, "Anna", **WIDE)
        self.without_coach(page)
        page.mouse.move(640, 5)  # at rest over a counter it would open what the counter is
        return page

    def kings_spectator(self) -> Page:
        return self.look(self.fight, color_scheme="dark", **WIDE)

    def without_coach(self, page: Page) -> None:
        """Pictures show the table as somebody sees it who has played before."""
        page.locator("#coach [data-coach=off]").click()

    def room_(self) -> Page:
        return self.look(self.room, "Anna")

    def hand_over(self) -> Page:
        person = self.people.come(viewport={"width": 900, "height": 600}, reduced_motion="reduce")
        person.opens_a_table("Anna", second="same_device", second_name="Ben")
        person.page.wait_for_load_state("networkidle")
        return person.page


def take(name: str, page: Page) -> None:
    path = FOLDER / f"{name}.png"
    page.wait_for_timeout(300)
    page.screenshot(path=path, caret="initial")
    size = path.stat().st_size
    print(f"{path.relative_to(ROOT)}  {size / 1000:.0f} kB{'  TOO LARGE' if size > LARGEST else ''}")


def main(names: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder)) as server, sync_playwright() as playwright:
        people = People(launch(playwright), server)
        studio = Studio(people, *server.shell(FURNISH).split())
        pictures: dict[str, Callable[[], Page]] = {
            "front-door": studio.front_door,
            "lobby-desktop": studio.lobby_desktop,
            "lobby-dark": studio.lobby_dark,
            "lobby-phone": studio.lobby_phone,
            "table-desktop": studio.table_desktop,
            "table-phone": studio.table_phone,
            "table-dark": studio.table_dark,
            "kings-march": studio.kings_march,
            "kings-dark": studio.kings_dark,
            "kings-setup": studio.kings_setup,
            "kings-legend": studio.kings_legend,
            "kings-orders": studio.kings_orders,
            "kings-phone": studio.kings_phone,
            "kings-battle": studio.kings_battle,
            "kings-spectator": studio.kings_spectator,
            "room": studio.room_,
            "hand-over": studio.hand_over,
        }
        for name in names or pictures:
            take(name, pictures[name]())
        people.leave()


if __name__ == "__main__":
    main(sys.argv[1:])
