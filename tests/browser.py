"""A real Chromium for tests: people with browsers of their own, at a real server, and the pages in plain words.

A test asks for `people`. Playwright keeps an event loop running in this thread, so nothing here asks the database:
what cannot be done by clicking is done by `Server.shell`.

A file of such tests stays with one worker (tests/conftest.py), which has one server, with a port and a folder of its
own, and lays the file's tables once.
"""

from __future__ import annotations

import difflib
import re
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, WebSocketRoute, expect, sync_playwright

from tests.server import Server

PATIENCE = 20_000  # milliseconds: the machine may have other work to do
# The shell first: each window of a whole browser is also a page of its own, and takes four times as long.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
DESKTOP = {"viewport": {"width": 1280, "height": 900}}
PHONE = {
    "viewport": {"width": 360, "height": 740},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}

# How fast the film runs, as the menu keeps it; what is chosen there later stays.
FILM = """try { localStorage.film ??= "SPEED"; } catch { /* a page that may keep nothing */ }"""

LIGHT_TO_MOVE = "nlgtpctgln/eseseseses/10/10/10/10/10/10/SESESESESE/NLGTCPTGLN w 0 1"
# Light takes the Castle on f10 with its third move, by way of f1.
NEARLY_WON = "5c4/s9/10/10/10/10/10/10/S9/4C1P3 w 0 1"

# ---- the browser and the server


def find_chromium() -> str:
    """Where Chromium is. Without it the tests fail: a test that is skipped where nobody looks tests nothing."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    return found or pytest.fail("No Chromium for the tests: apt-get install chromium-headless-shell", pytrace=False)


def launch(playwright: Any) -> Browser:
    return playwright.chromium.launch(
        executable_path=find_chromium(),
        args=list(ARGUMENTS),
        # Back must show nothing of a former seat from memory either, so memory is there as for everybody.
        ignore_default_args=["--disable-back-forward-cache"],
    )


@pytest.fixture(scope="module", name="chromium")
def fixture_chromium() -> Iterator[Browser]:
    """For one file: a loop that ran for the whole session would be in pytest-asyncio's way."""
    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()


@pytest.fixture(scope="session", name="site")
def fixture_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("site"), BOT_PROCESSES="1") as running:
        yield running


@pytest.fixture(name="people")
def fixture_people(chromium: Browser, site: Server) -> Iterator[People]:
    """Whoever takes part in one test. At its end nothing may have gone wrong behind the scenes."""
    expect.set_options(timeout=PATIENCE)
    all_ = People(chromium, site)
    yield all_
    all_.leave()
    assert not all_.watch.unforgiven, "behind the scenes:\n" + "\n".join(all_.watch.unforgiven)


@pytest.fixture(name="kept_picture")
def fixture_kept_picture(settings: Any) -> Callable[[Page, str], Path]:
    """Take a picture that is there to be looked at after the tests."""

    def take(page: Page, name: str) -> Path:
        path = settings.VAR_DIR / "screenshots" / f"{name}.png"
        # Playwright would hide the caret by a style of its own, which the site's CSP forbids.
        page.screenshot(path=path, caret="initial")
        return path

    return take


class Watch:
    """Errors in the console, violations of the content security policy, requests to anywhere else."""

    def __init__(self, server: Server) -> None:
        self.origins = (f"{server.url}/", f"ws://127.0.0.1:{server.port}/", "data:", "blob:", "about:")
        self.problems: list[str] = []
        self.forgiven: list[str] = []

    def follow(self, context: BrowserContext) -> None:
        context.add_init_script(
            "addEventListener('securitypolicyviolation',"
            " (e) => console.error(`CSP: ${e.violatedDirective} ${e.blockedURI} ${e.sourceFile}:${e.lineNumber}`))"
        )
        context.on("console", self.hear)
        context.on("weberror", lambda error: self.problems.append(f"script: {error.error}"))
        context.on("request", lambda request: self.check_address(request.url))
        context.on("page", lambda page: page.on("websocket", lambda socket: self.check_address(socket.url)))

    def hear(self, message: Any) -> None:
        if message.type == "error":
            self.problems.append(f"console: {message.text} ({message.location.get('url', '')})")

    def check_address(self, url: str) -> None:
        if not url.startswith(self.origins):
            self.problems.append(f"elsewhere: {url}")

    def forgive(self, *patterns: str) -> None:
        """What a test brings about on purpose, such as a refusal or a server that is away."""
        self.forgiven += patterns

    @property
    def unforgiven(self) -> list[str]:
        return [each for each in self.problems if not any(re.search(p, each) for p in self.forgiven)]


class People:
    """The people of one test and what was seen while they played."""

    def __init__(self, chromium: Browser, server: Server) -> None:
        self.chromium = chromium
        self.server = server
        self.watch = Watch(server)
        self.contexts: list[BrowserContext] = []

    def come(self, film: str = "off", **device: Any) -> Person:
        """Somebody with a browser that has never been here, and who does not wait for films unless they want to."""
        context = self.chromium.new_context(base_url=self.server.url, **{**DESKTOP, **device})
        context.set_default_timeout(PATIENCE)
        context.add_init_script(FILM.replace("SPEED", film))
        self.watch.follow(context)
        self.contexts.append(context)
        return Person(self, context)

    def at_a_table(self, *, host: str = "Anna", friend: str = "Ben", **options: Any) -> tuple[Table, Table]:
        """Two people far from each other at a game that has begun; the host plays light and moves first."""
        anna, ben = self.come(), self.come()
        return self.sit_down(anna, ben, host, friend, **options)

    def sit_down(
        self, anna: Person, ben: Person, host: str = "Anna", friend: str = "Ben", **options: Any
    ) -> tuple[Table, Table]:
        anna.opens_a_table(host, **options)
        link = anna.invitation
        anna.goes_to("about:blank")  # the room's page would go to the table by itself, but in its own time
        ben.accepts(link, friend)
        there = ben.at_table()
        anna.goes_to(there.url)
        return anna.at_table(), there

    def leave(self) -> None:
        for context in self.contexts:
            context.close()


class Person:
    """Somebody at a browser."""

    def __init__(self, people: People, context: BrowserContext) -> None:
        self.people = people
        self.context = context
        self.page = context.new_page()

    def goes_to(self, path: str) -> Page:
        self.page.goto(path)
        return self.page

    # ---- the lobby

    def opens_a_table(
        self,
        name: str = "Anna",
        *,
        light: str = "host",
        position: str = LIGHT_TO_MOVE,
        second: str = "link",
        second_name: str = "",
        visible: str = "link",
    ) -> None:
        """By the form for a table of one's own."""
        page = self.goes_to("/tables/new/?game=gambit")
        page.get_by_label("Your name").fill(name)
        page.get_by_label("Seat 2").select_option(second)
        if second_name:
            page.get_by_label("Name of the player on this device").last.fill(second_name)
        page.locator("summary", has_text="Change the rules of this table").click()
        page.get_by_label("Who plays light").select_option(light)
        page.get_by_label("Start from a position").fill(position)
        page.get_by_label("Who may watch").select_option(visible)
        page.get_by_role("button", name="Open the table").click()

    @property
    def invitation(self) -> str:
        """The link to send, from the page of a table that waits."""
        return self.page.get_by_label("Invitation link").input_value()

    def accepts(self, link: str, name: str = "Ben") -> None:
        page = self.goes_to(link)
        page.get_by_label("Your name").fill(name)
        page.get_by_role("button", name="Accept and join").click()

    def plays_a_bot(self, name: str = "Anna") -> Table:
        """Against the Wanderer, from the lobby."""
        page = self.goes_to("/")
        page.get_by_label("Your name").fill(name)
        page.get_by_label("Bots in Gambit of Kings").select_option("random")
        page.get_by_role("button", name="Play a bot", exact=True).click()
        return self.at_table()

    def watches(self, table: Table) -> Table:
        self.goes_to(table.url)
        return self.at_table()

    def at_table(self) -> Table:
        table = Table(self)
        expect(table.page.locator("#table.live")).to_be_attached()
        return table

    # ---- the network

    def has_sockets_through(self, line: Line) -> None:
        self.page.route_web_socket(re.compile("/ws/"), line.connect)


class Line:
    """The line that sockets go through; it can be cut and mended, and it can lose what the server says."""

    def __init__(self, is_up: bool = True) -> None:
        self.is_up = is_up
        self.is_deaf = False
        self.open: list[WebSocketRoute] = []
        self.tries = 0

    def connect(self, socket: WebSocketRoute) -> None:
        self.tries += 1
        if not self.is_up:
            socket.close(code=4000)
            return
        socket.connect_to_server().on_message(lambda said: None if self.is_deaf else socket.send(said))
        self.open.append(socket)

    def cut(self) -> None:
        self.is_up = False
        for socket in self.open:
            socket.close(code=4000)
        self.open.clear()

    def mend(self) -> None:
        self.is_up = True

    def say(self, message: str) -> None:
        """Tell the page something in the server's place."""
        self.open[-1].send(message)


# ---- the table's page

BOARD = """board => Object.fromEntries([...board.querySelectorAll(".square")].flatMap(square => {
    const piece = square.querySelector(".piece");
    return piece ? [[square.dataset.square, piece.getAttribute("href").split("#")[1]]] : [];
}))"""

# All that the page shows and says, line by line, without what differs from load to load or is a moment's matter:
# the mask of the CSRF token, a form's own token, what a message started from, where the keyboard and the mouse are,
# what was said of a choice and that somebody has spoken meanwhile.
SHOWN = """() => {
    const skip = ["data-base", "data-base-silent", "tabindex", "class", "aria-describedby"];
    const told = node => [...node.attributes].filter(a => !skip.includes(a.name)).map(a => `${a.name}=${a.value}`);
    const css = (node) => [...node.classList].filter((c) => !c.startsWith("htmx-")).map((c) => "." + c);
    const lines = [document.title];
    const tell = (node, depth) => {
        if (node.nodeType === 3 && node.data.trim()) lines.push(" ".repeat(depth) + node.data.trim());
        const passing = "[name=csrfmiddlewaretoken], [name=form_token], #spoken, #piece-card, .unread";
        if (node.nodeType !== 1 || node.matches(passing)) return;
        const name = node.namespaceURI.endsWith("svg") ? "svg:" + node.localName : node.localName;
        lines.push(" ".repeat(depth) + [name, ...css(node).sort(), ...told(node).sort()].join(" "));
        for (const child of node.childNodes) tell(child, depth + 1);
    };
    for (const id of ["page-state", "table", "refusal"]) tell(document.getElementById(id), 0);
    return lines;
}"""


class Table:
    """A table's page as a player uses it. Moves are written e2-e4."""

    def __init__(self, person: Person, page: Page | None = None) -> None:
        self.person = person
        self.page = page or person.page

    @property
    def url(self) -> str:
        return self.page.url

    @property
    def revision(self) -> int:
        return int(self.page.locator("#page-state").get_attribute("data-revision") or -1)

    @property
    def prompt(self) -> Locator:
        return self.page.locator("#prompt")

    @property
    def moves(self) -> Locator:
        """The move list's entries, e.g. Se2-e4."""
        return self.page.locator("#moves .move:not(.none)")

    @property
    def refusal(self) -> Locator:
        return self.page.locator("#refusal")

    def square(self, name: str) -> Locator:
        return self.page.locator(f"#sq-{name}")

    def piece(self, name: str) -> Locator:
        return self.page.locator(f"#sq-{name} .piece")

    def board(self) -> dict[str, str]:
        """What stands where, read from the drawing: {"e2": "soldier-light", …}."""
        return self.page.locator("#board").evaluate(BOARD)

    def shown(self) -> list[str]:
        """The whole page in lines that can be compared."""
        return self.page.evaluate(SHOWN)

    def hears_by_socket_only(self) -> None:
        """No questions every few seconds: what this page learns from now on, the socket has brought."""
        self.page.route(re.compile("/pulse/$"), lambda route: route.fulfill(status=204))

    # ---- playing

    def choose(self, name: str) -> None:
        self.square(name).click()
        expect(self.square(name)).to_have_class(re.compile("selected"))

    def play(self, move: str) -> None:
        """By two clicks; waits until the page shows it."""
        source, target = move.split("-")
        self.choose(source)
        self.square(target).click()
        self.has_seen(move)

    def has_seen(self, move: str) -> None:
        """The page shows this as the last move, in the list and on the board."""
        source, target = move.split("-")
        expect(self.moves.last).to_have_text(re.compile(f"^[A-Z]{source}[-x]{target}(=N)?$"))
        expect(self.page.locator(f"#sq-{target} .last.to")).to_be_attached()
        expect(self.piece(target)).to_be_visible()
        expect(self.piece(source)).to_have_count(0)

    def in_svg(self, name: str) -> bool:
        """Whether a piece is a drawing: a fragment that lands outside the SVG namespace is there and unseen."""
        return self.piece(name).evaluate(
            "use => use.namespaceURI.endsWith('/svg') && use.getBoundingClientRect().width > 5"
        )

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def tab(self, name: str) -> None:
        self.page.get_by_role("tab", name=name).click()

    # ---- talk

    def say(self, text: str) -> None:
        self.tab("Chat")
        self.page.get_by_label("Message", exact=True).fill(text)
        self.page.get_by_role("button", name="Send").click()

    @property
    def talk(self) -> Locator:
        return self.page.locator("#talk .chat li")

    # ---- the same again

    def fresh(self) -> Table:
        """The same table in another tab of the same person, loaded just now."""
        page = self.person.context.new_page()
        page.goto(self.url)
        expect(page.locator("#table.live")).to_be_attached()
        return Table(self.person, page)

    def shows_the_truth(self, seconds: float = 10) -> None:
        """What this page shows equals a fresh load (C5), though who is here may take a moment to get round."""
        other = self.fresh()
        deadline = time.monotonic() + seconds
        while self.shown() != other.shown() and time.monotonic() < deadline:
            self.page.wait_for_timeout(100)
        apart = difflib.unified_diff(other.shown(), self.shown(), "a fresh load", "this page", lineterm="", n=1)
        assert not (told := list(apart)), "\n".join(told)
        other.page.close()


def is_too_wide(page: Page) -> bool:
    """Whether the page scrolls sideways. A phone's own idea of its width grows with the page, so it is not asked."""
    assert page.viewport_size
    return page.evaluate("document.documentElement.scrollWidth") > page.viewport_size["width"]
