"""How soon an opponent's action is seen: from the press in one window to the new position in another.

A real server and two windows of Chromium at one table of Kings & Things*, played by clicking. Counted is the time from
the moment one page sends its action until the other page's document shows the revision that came of it: both sockets,
the rules, the database, drawing and the swap. Compared in the same run with one plain request for a page without a
table. With --slower 4 both windows are phones whose processor is four times as slow. What a page needs to take in one
message is measured by bench/kings_page.py. Best on an idle machine.

    PYTHONPATH=. .venv/bin/python bench/kings_visible.py --seconds 40 --slower 4
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from tests.browser import DESKTOP, PHONE, launch
from tests.kings_hand import Hand
from tests.server import Server

WANTED_MS = 100

NOTES = """(() => {
  globalThis.sent = [];
  globalThis.shown = {};
  document.addEventListener("table:sent", () => {
    const { revision } = document.getElementById("page-state").dataset;
    sent.push([Date.now(), Number(revision)]);
  });
  new MutationObserver(() => {
    const now = document.getElementById("page-state")?.dataset.revision;
    if (now !== undefined) shown[now] ??= Date.now();
  }).observe(document, { subtree: true, childList: true, attributes: true });
})()"""

TABLE = """
import json
from django.test import Client
from tests import tables
from tests.web import kings as k
def key(name):
    client = Client()
    client.force_login(tables.player(name))
    return client.cookies["sessionid"].value
game = k.kings("ann", "bob", waiting="never", setup="in_turn")
print(json.dumps({"url": game.get_absolute_url(), "keys": {name: key(name) for name in ("ann", "bob")}}))
"""

PLAIN = """async () => {
  const begun = performance.now();
  await (await fetch("/credits/", { cache: "no-store" })).text();
  return performance.now() - begun;
}"""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=40)
    parser.add_argument("--slower", type=float, default=1, help="so many times as slow as this machine, as a phone")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder)) as server, sync_playwright() as playwright:
        browser = launch(playwright)
        table = json.loads(server.shell(TABLE).splitlines()[-1])
        pages = [seated(browser, server, table, name, given.slower) for name in table["keys"]]
        played(pages, given.seconds)
        plain = [pages[0].evaluate(PLAIN) for _ in range(20)]
        delays = seen_elsewhere(pages)
        browser.close()
    show(delays, plain)


def seated(browser: Any, server: Server, table: dict[str, Any], name: str, slower: float) -> Page:
    context = browser.new_context(base_url=server.url, **(DESKTOP if slower == 1 else PHONE))
    context.add_cookies([{"name": "sessionid", "value": table["keys"][name], "url": server.url}])
    page: Page = context.new_page()
    page.set_default_timeout(5000)
    page.add_init_script(NOTES)
    page.goto(table["url"])
    page.wait_for_selector("#table.live")
    if slower != 1:
        context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
    return page


def played(pages: list[Page], seconds: float) -> None:
    hands, deadline = [Hand(page) for page in pages], time.monotonic() + seconds
    while time.monotonic() < deadline:
        for hand in hands:
            if hand.data["question"] and hand.is_idle:
                hand.answer()
            hand.page.wait_for_timeout(100)


def seen_elsewhere(pages: list[Page]) -> list[float]:
    """Milliseconds from each press to the other window; an action makes the revision after the one it was sent at."""
    found = []
    for actor, other in (pages, pages[::-1]):
        shown = other.evaluate("shown")
        for at, revision in actor.evaluate("sent"):
            if (seen := shown.get(str(revision + 1))) is not None:
                found.append(seen - at)
    return found


def show(delays: list[float], plain: list[float]) -> None:
    middle, page = statistics.median(delays), statistics.median(plain)
    print(f"{'an action of the other window is shown after':56}{middle:8.0f} ms   wanted <= {WANTED_MS} ms")
    print(f"{'  90 % of ' + str(len(delays)) + ' actions':56}{sorted(delays)[int(len(delays) * 0.9)]:8.0f} ms")
    print(f"{'one plain page by HTTP, in this run':56}{page:8.0f} ms")
    print(f"{'action / plain page':56}{middle / page:8.1f}")


if __name__ == "__main__":
    main()
