"""Paint what stands for the games outside their tables: `.venv/bin/python tools/paint_front.py`.

- static/art/front-….webp, for the front page: the board of a real game in the middle, as its first player sees it. Four
  stewards play it here, always the same one, and the game's own painter and style sheets draw it.
- static/art/mail-….png, for mails, which show no SVG: each game's picture from the registry on a dark ground.

The files are checked in. Run this again when boards look different; --seed and --turn look for another game.
"""

from __future__ import annotations

import argparse
import base64
import os
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kadab.settings")

import django  # noqa: E402

django.setup()

from django.test import override_settings  # noqa: E402
from playwright.sync_api import Browser, Page, Route, sync_playwright  # noqa: E402

from games.engine.bots import consider  # noqa: E402
from games.engine.core.dice import Dice  # noqa: E402
from games.engine.core.replay import Run  # noqa: E402
from games.engine.core.view import View  # noqa: E402
from games.painting import fragments  # noqa: E402
from games.registry import ENTRIES, Entry  # noqa: E402
from tests.browser import launch  # noqa: E402

ART = ROOT / "static" / "art"
LARGEST = 120_000  # bytes of a picture of the front page
SITE = "http://front.invalid/"  # nobody answers there but `from_disk`
PLAIN = {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
MAIL_SIZE = 144  # pixels; shown at half of that

# Seen from a chair at the table: the board lies flat, the far side is a little smaller.
LYING = "perspective(2600px) rotateX(24deg) rotateZ(-9deg)"


# ---- the game


def moment_of(entry: Entry, seed: str, is_wanted: Callable[[View], bool]) -> View:
    """What the first player sees when a game among bots comes to a moment that is wanted."""
    rules, seats = entry.rules, max(entry.players)
    run = Run.fresh(rules, seats, {}, Dice.seeded(seed), game=seed)
    while run.state.result is None:
        seat = rules.asked(run.state)[0]
        view = rules.view(run.state, seat)
        if seat == 0 and is_wanted(view):
            return view
        chance = f"{seed} {run.state.actions} {seat}"
        run.act(seat, consider(entry.slug, entry.stand_in, view, view.offers, chance).action)
    raise SystemExit("this game never came to such a moment; try another seed")


# ---- the pictures


def from_disk(route: Route) -> None:
    """Answer what a page asks for with a file of static/."""
    file = ROOT / route.request.url.removeprefix(SITE).split("?")[0]
    if file.is_file():
        route.fulfill(path=file)
    else:
        route.fulfill(status=404)


def shown(browser: Browser, body: str, styles: tuple[str, ...], width: int, height: int, scale: float = 1) -> Page:
    page = browser.new_page(
        viewport={"width": width, "height": height}, device_scale_factor=scale, color_scheme="light"
    )
    page.route(f"{SITE}**", from_disk)
    links = "".join(f'<link rel="stylesheet" href="{SITE}static/{each}">' for each in ("css/tokens.css", *styles))
    html = f"<!doctype html><html>{links}<body>{body}</body></html>"
    page.route(f"{SITE}page", lambda route: route.fulfill(body=html, content_type="text/html"))
    page.goto(f"{SITE}page")
    page.wait_for_load_state("networkidle")
    page.evaluate("document.fonts.ready")
    return page


TO_WEBP = """async ([png, quality]) => {
    const picture = new Image();
    picture.src = `data:image/png;base64,${png}`;
    await picture.decode();
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    canvas.getContext("2d").drawImage(picture, 0, 0);
    const bytes = new Uint8Array(await (await canvas.convertToBlob({type: "image/webp", quality})).arrayBuffer());
    return btoa(bytes.reduce((text, each) => text + String.fromCharCode(each), ""));
}"""


def as_webp(page: Page, png: bytes) -> bytes:
    """As good as fits into LARGEST."""
    for quality in (0.9, 0.85, 0.8, 0.75, 0.7, 0.65, 0.6, 0.55, 0.5, 0.45, 0.4):
        packed = base64.b64decode(page.evaluate(TO_WEBP, [base64.b64encode(png).decode(), quality]))
        if len(packed) <= LARGEST:
            return packed
    raise SystemExit("this picture does not fit; make it smaller")


def paint_board(browser: Browser, entry: Entry, view: View) -> None:
    """The board lying on a table that the page paints: around it the picture is transparent."""
    assert entry.front is not None
    board = str(fragments.board_svg(view))
    for path, width in ((entry.front.wide, entry.front.width), (entry.front.narrow, entry.front.width // 2)):
        height = width * entry.front.height // entry.front.width
        body = f"""<style>
            html, body {{ margin: 0; background: transparent; overflow: hidden; }}
            #lying {{ width: {width}px; height: {height}px; display: grid; place-items: center; }}
            svg {{ width: 86% !important; height: auto; transform: {LYING}; overflow: visible;
                   filter: drop-shadow(0 {width // 90}px {width // 60}px rgb(0 0 0 / .55)); }}
            .place {{ display: none; }}
        </style><div id="lying">{board}</div>"""
        page = shown(browser, body, entry.pages.styles, width, height)
        write(path, as_webp(page, page.screenshot(omit_background=True)))
        page.close()


def paint_mark(browser: Browser, entry: Entry) -> None:
    assert entry.picture is not None
    picture = entry.picture
    box = f"0 0 {picture.size} {picture.size}"
    body = f"""<style>
        html, body {{ margin: 0; background: transparent; }}
        svg {{ display: block; width: 72px; height: 72px; box-sizing: border-box; padding: 9px; border-radius: 14px;
               background: var(--band); color: var(--or); }}
    </style><svg viewBox="{box}"><use href="/static/{picture.sprite}#{picture.name}"/></svg>"""
    page = shown(browser, body, (), 72, 72, scale=MAIL_SIZE / 72)
    write(entry.mail_picture, page.screenshot(omit_background=True))
    page.close()


def write(path: str, content: bytes) -> None:
    file = ROOT / "static" / path
    file.write_bytes(content)
    print(f"{file.relative_to(ROOT)}  {len(content) / 1000:.0f} kB")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--seed", default="front 4")
    arguments.add_argument("--turn", type=int, default=3)
    given = arguments.parse_args()
    with override_settings(STORAGES=PLAIN), sync_playwright() as playwright:
        browser = launch(playwright)
        for entry in ENTRIES.values():
            if entry.front:
                view = moment_of(entry, given.seed, lambda view: getattr(view, "turn", 0) >= given.turn)
                paint_board(browser, entry, view)
            if entry.mail_picture:
                paint_mark(browser, entry)
        browser.close()


if __name__ == "__main__":
    main()
