"""Watch the film as a player does: `python -m tools.film --games 10 --turns 4`, or `make film`.

One person plays the first turns against three stewards (ten are a whole game), on a site of its own, with the film on.
Whenever the page lets them decide, every line of the log that concerns them must have been shown in a caption. A
picture of each kind of shot is left in a folder.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from tests.browser import People, launch
from tests.kings_hand import Hand
from tests.kings_site import LOG_IN, STALE, sits, told
from tests.server import Server

FOLDER = Path(__file__).resolve().parent.parent / "var" / "film"
DESKTOP = {"viewport": {"width": 1280, "height": 800}}
LONGEST = 1800  # seconds a game may take

TABLE = (
    LOG_IN
    + """
import json, random, secrets
from games import lobby
kept, secrets.token_bytes = secrets.token_bytes, random.Random("film SEED").randbytes
seats = [{"kind": "me"}, *[{"kind": "bot", "level": "steward"}] * 3]
game = lobby.create(tables.player("ann"), "kings", {"last_turn": "10"}, seats)
secrets.token_bytes = kept
print(json.dumps({"url": game.get_absolute_url(), "keys": {"ann": key("ann")}}))
"""
)

# Notes the lines of the log whose caption is before the player's eyes.
NOTE_CAPTIONS = """() => {
  globalThis.captioned = new Set();
  const bar = document.getElementById("film-bar");
  const note = () => {
    const row = document.getElementById(`film-${bar.dataset.shot}`);
    if (!row || bar.hidden || !bar.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return;
    if (document.getElementById("caption").textContent.trim() !== row.textContent.trim()) return;
    const first = Number(bar.dataset.shot);
    for (let line = first; line <= Number(row.dataset.last ?? first); line++) captioned.add(line);
  };
  new MutationObserver(note).observe(bar, { attributes: true, childList: true, subtree: true });
}"""

# The lines since one of a number that concern the player and were not shown; what they did themselves need not be.
UNSEEN = """(since) => {
  const number = (row) => Number(row.id.split("-")[1]);
  const own = new Set();
  for (const row of document.querySelectorAll("#film > .own"))
    for (let line = number(row); line <= Number(row.dataset.last ?? number(row)); line++) own.add(line);
  return [...document.querySelectorAll("#log > .mine:not(.taken-back)")]
    .filter((row) => number(row) > since && !captioned.has(number(row)) && !own.has(number(row)))
    .map((row) => row.firstElementChild.textContent);
}"""
NEWEST = """() => Number(document.querySelector("#log > :last-child")?.id.split("-")[1] ?? -1)"""


@dataclass
class Watched:
    """What a player has seen, and what they were asked about without having seen it."""

    folder: Path
    most: float = float("inf")  # decisions to watch
    decisions: int = 0
    concerned: int = 0  # lines that were about the player, and shown
    unseen: list[str] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)

    def picture(self, page: Page, kind: str) -> None:
        self.kinds[kind] += 1
        if self.kinds[kind] == 1:
            page.screenshot(path=self.folder / f"{kind}.png", caret="initial", timeout=60_000)


def watch(hand: Hand, seen: Watched, until: float, turns: int) -> None:
    """Play until the game is over, or so many turns are; look at the film before every decision."""
    page, checked, last = hand.page, page_newest(hand.page), ""
    page.evaluate(NOTE_CAPTIONS)
    while (
        hand.state["over"] != "yes" and hand.turn <= turns and time.monotonic() < until and seen.decisions < seen.most
    ):
        last = look(page, seen, last)
        if page.locator("#table.filming").count():
            page.wait_for_timeout(30)
        elif page.locator("#newsreel:visible").count():
            seen.picture(page, "newsreel")
            page.locator("[data-newsreel=play]").click()
        elif hand.question and hand.is_idle:
            checked = decide(hand, seen, checked)
        else:
            page.wait_for_timeout(30)


def look(page: Page, seen: Watched, last: str) -> str:
    """Take a picture of a kind of shot that was not seen before; gives the shot that is on."""
    bar: dict[str, Any] = page.evaluate("({...document.getElementById('film-bar').dataset})")
    shot = bar.get("shot", "")
    if shot != last and page.locator("#film-bar:visible").count():
        seen.picture(page, bar["kind"])
    return shot


def decide(hand: Hand, seen: Watched, checked: int) -> int:
    """Answer, once everything before it has been shown."""
    newest = page_newest(hand.page)
    missing = hand.page.evaluate(UNSEEN, checked)
    if hand.page.locator("#table.filming").count() or page_newest(hand.page) != newest:
        return checked  # the game went on meanwhile
    seen.decisions += 1
    seen.unseen += [f"before {hand.question!r}: {line}" for line in missing]
    seen.concerned = hand.page.evaluate("captioned.size")
    hand.answer()
    return newest


def page_newest(page: Page) -> int:
    return int(page.evaluate(NEWEST))


def play(people: People, seeds: Iterable[int], turns: int, seconds: float, seen: Watched) -> None:
    for seed in seeds:
        begun = time.monotonic()
        table = told(people.server, TABLE.replace("SEED", str(seed)))
        person = sits(people, table, "ann", film="fast", **DESKTOP)
        person.page.set_default_timeout(3000)
        hand = Hand(person.page)
        watch(hand, seen, begun + seconds, turns)
        for _ in range(200):  # the end is a shot, too
            look(person.page, seen, "")
            if not person.page.locator("#table.filming").count():
                break
            person.page.wait_for_timeout(50)
        print(
            f"game {seed}: {hand.turn} turns, {sum(hand.met.values())} decisions, {time.monotonic() - begun:.0f} s,"
            f" {len(seen.unseen)} unseen so far",
            flush=True,
        )
        assert not hand.refused, hand.refused
        person.context.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--turns", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1, help="of the first game")
    parser.add_argument("--seconds", type=float, default=LONGEST, help="at most, for one game")
    parser.add_argument("--folder", type=Path, default=FOLDER)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    seen = Watched(given.folder)
    with (
        tempfile.TemporaryDirectory() as folder,
        Server(Path(folder), BOT_PROCESSES="1") as server,
        sync_playwright() as playwright,
    ):
        browser = launch(playwright)
        people = People(browser, server)
        people.watch.forgive(STALE)
        play(people, range(given.seed, given.seed + given.games), given.turns, given.seconds, seen)
        browser.close()
    print(f"{seen.decisions} decisions; shots: {dict(seen.kinds)}; pictures in {given.folder}")
    for line in seen.unseen:
        print(f"not seen {line}")
    sys.exit(bool(seen.unseen))


if __name__ == "__main__":
    main()
