"""What the page of Kings & Things* asks of a browser: kilobytes, requests, elements, patches and panning.

A real server, and Chromium. One window plays a game against bots by pressing what the page offers, and keeps every
message of its socket. A second window, a phone whose processor is four times as slow, is given the same page and the
same messages one by one: a patch is counted from the message's arrival until all scripts have settled and the page is
laid out anew. Compared in the same run with a page that swaps a list of 2,000 lines.

    PYTHONPATH=. .venv/bin/python bench/kings_page.py --seconds 60
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Error, Page, Route, WebSocketRoute, sync_playwright

from tests.browser import DESKTOP, FILM, PHONE, launch
from tests.kings_hand import Hand
from tests.server import Server

SLOWER = 4
WANTED = {"first": 300, "second": 20, "depth": 3, "elements": 3000, "median": 16, "p95": 60, "layouts": 0, "script": 2}

NOTES = """(() => {
  globalThis.patches = [];
  let begun = null;
  document.addEventListener("htmx:wsBeforeMessage", () => { begun = performance.now(); }, true);
  document.addEventListener("table:settled", () => queueMicrotask(() => {
    if (begun === null) return;
    document.body.offsetHeight;
    patches.push(performance.now() - begun);
    begun = null;
  }));
})()"""

# Something outside: what this browser needs for a list of so many lines.
YARDSTICK = """() => {
  const times = [];
  const box = document.createElement("ul");
  document.body.append(box);
  for (let round = 0; round < 15; round++) {
    const begun = performance.now();
    box.innerHTML = Array.from({ length: 2000 }, (_, at) => `<li class="a">${at + round}</li>`).join("");
    document.body.offsetHeight;
    times.push(performance.now() - begun);
  }
  box.remove();
  return times.sort((a, b) => a - b)[7];
}"""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=60, help="how long the game is played")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder)) as server, sync_playwright() as playwright:
        browser = launch(playwright)
        context = browser.new_context(base_url=server.url, **DESKTOP)
        context.add_init_script(FILM.replace("SPEED", "off"))  # the hand waits for no shots
        url = begun(context.new_page())
        measure_visits(browser, context, url)
        page, messages = recorded(context, url, given.seconds)
        measure_patches(browser, context, url, page, messages)
        browser.close()


def show(what: str, value: float, unit: str, wanted: str = "") -> None:
    limit = f"   wanted <= {WANTED[wanted]} {unit}" if wanted else ""
    print(f"{what:58}{value:9.1f} {unit}{limit}", flush=True)


def begun(page: Page) -> str:
    """The address of a new table against bots."""
    page.goto("/")
    page.get_by_role("button", name="Play against bots").click()
    page.wait_for_selector("#table.live")
    page.wait_for_selector("#picks", state="attached")
    url = page.url
    page.close()
    return url


# ---- visits


def measure_visits(browser: Browser, seated: BrowserContext, url: str) -> None:
    """A browser that has nothing yet, and the same once more."""
    context = browser.new_context(**DESKTOP)
    context.add_cookies(seated.cookies())  # type: ignore[arg-type]
    for name in ("first", "second"):
        kilobytes, requests, depth = visited(context, url)
        show(f"{name} visit, compressed", kilobytes, "kB", name)
        show("  requests", requests, "")
        show("  longest chain of requests", depth, "", "depth")
    context.close()


def visited(context: BrowserContext, url: str) -> tuple[float, int, int]:
    page = context.new_page()
    network = context.new_cdp_session(page)
    network.send("Network.enable")
    asked: dict[str, dict[str, Any]] = {}
    sizes: list[float] = []
    network.on("Network.requestWillBeSent", lambda told: asked.setdefault(told["request"]["url"], told["initiator"]))
    network.on("Network.loadingFinished", lambda told: sizes.append(told["encodedDataLength"]))
    page.goto(url, wait_until="networkidle")
    page.wait_for_timeout(500)
    page.close()
    asked = {each: initiator for each, initiator in asked.items() if each.startswith("http")}
    return sum(sizes) / 1000, len(asked), max(depth_of(each, asked) for each in asked)


def depth_of(url: str, asked: dict[str, dict[str, Any]]) -> int:
    """How many requests had to be made one after another: 1 for the page itself."""
    frames = asked[url].get("stack", {}).get("callFrames", [])
    parent = asked[url].get("url") or (frames[0]["url"] if frames else "")
    return 1 + depth_of(parent, asked) if parent in asked and parent != url else 1


# ---- patches


def recorded(context: BrowserContext, url: str, seconds: float) -> tuple[str, list[str]]:
    """The page as it came, and the messages of its socket while somebody played on it."""
    page = context.new_page()
    messages: list[str] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda said: messages.append(str(said))))
    answer = page.goto(url)
    assert answer
    html = answer.text()
    page.wait_for_selector("#table.live")
    hand, deadline = Hand(page), time.monotonic() + seconds
    while time.monotonic() < deadline and hand.state["over"] != "yes":
        if hand.question and hand.is_idle:
            hand.answer()
        page.wait_for_timeout(50)
    page.close()
    return html, messages


class Silent:
    """A socket that says only what it is told to say."""

    def __init__(self, context: BrowserContext) -> None:
        self.socket: WebSocketRoute | None = None
        context.route_web_socket(re.compile("/ws/"), self.connect)

    def connect(self, socket: WebSocketRoute) -> None:
        self.socket = socket

    def say(self, message: str) -> None:
        assert self.socket
        self.socket.send(message)


def measure_patches(browser: Browser, seated: BrowserContext, url: str, html: str, messages: list[str]) -> None:
    context = browser.new_context(**PHONE)
    context.add_cookies(seated.cookies())  # type: ignore[arg-type]
    silent = Silent(context)
    page = context.new_page()
    page.add_init_script(NOTES)
    page.route(re.compile("^(?!.*/(static|rules)/)"), lambda route: from_record(route, url, html))
    page.goto(url)
    page.wait_for_selector("#table.live")
    page.wait_for_timeout(500)
    throttle = context.new_cdp_session(page)
    throttle.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    most = 0
    for message in messages:
        silent.say(message)
        page.wait_for_timeout(15)
        most = max(most, page.evaluate("document.querySelectorAll('*').length"))
    patches = sorted(page.evaluate("patches"))
    yardstick = page.evaluate(YARDSTICK)
    throttle.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    show("elements, at most", most, "", "elements")
    show(f"patches applied, of {len(messages)} messages", len(patches), "")
    show(f"  median, processor {SLOWER} times as slow", statistics.median(patches), "ms", "median")
    show("  95 %", patches[int(len(patches) * 0.95)], "ms", "p95")
    show("  a list of 2,000 lines in the same run", yardstick, "ms")
    measure_panning(browser, page)
    context.close()


def from_record(route: Route, url: str, html: str) -> None:
    if route.request.url == url:
        route.fulfill(body=html, content_type="text/html; charset=utf-8")
    else:
        route.abort()


# ---- panning


def measure_panning(browser: Browser, page: Page) -> None:
    """The map zoomed in and pushed about, as a trace of the browser tells it."""
    page.set_viewport_size({"width": 1280, "height": 720})
    for _ in range(3):
        page.keyboard.press("+")
    page.wait_for_timeout(400)
    browser.start_tracing(page=page, categories=["devtools.timeline", "disabled-by-default-devtools.timeline"])
    page.mouse.move(700, 200)
    page.mouse.down()
    for step in range(60):
        page.mouse.move(700 - 4 * step, 200 + 2 * (step % 20))
    trace = json.loads(browser.stop_tracing())["traceEvents"]
    page.mouse.up()
    script = sorted(per_frame(trace))
    moves = sum(each["name"] == "EventDispatch" and told(each).get("type") == "pointermove" for each in trace)
    layouts = sum(each["name"] == "Layout" for each in trace)
    show("panning: pointer moves in the trace", moves, "")
    show("  layouts", layouts, "", "layouts")
    show("  script a frame, median", statistics.median(script), "ms", "script")
    show("  script a frame, 95 %", script[int(len(script) * 0.95)], "ms", "script")


def told(event: dict[str, Any]) -> dict[str, Any]:
    found = event.get("args", {}).get("data", {})
    return found if isinstance(found, dict) else {}


def per_frame(trace: list[dict[str, Any]]) -> Iterator[float]:
    """Milliseconds of script between one frame and the next."""
    events = sorted((each for each in trace if "ts" in each), key=lambda each: each["ts"])
    spent = 0.0
    for event in events:
        if event["name"] == "FunctionCall":
            spent += event.get("dur", 0) / 1000
        elif event["name"] == "Commit":
            yield spent
            spent = 0.0


if __name__ == "__main__":
    try:
        main()
    except Error as error:
        raise SystemExit(f"The browser gave up: {error}") from None
