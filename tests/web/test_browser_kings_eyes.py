"""Kings & Things* for every eye: nothing grave that axe-core can find, in light and dark, large and small."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.axe import grave_faults
from tests.browser import DESKTOP, PHONE, People
from tests.kings_site import LOG_IN, sits, told
from tests.server import Server

pytestmark = pytest.mark.browser

DARK = {"color_scheme": "dark"}
DEVICES = {
    "desktop": DESKTOP,
    "desktop, dark": {**DESKTOP, **DARK},
    "phone": PHONE,
    "phone, dark": {**PHONE, **DARK},
}

POSITIONS = (
    LOG_IN
    + """
import json
from tests.kings_tables import laid
from tests.web import kings as k
over = laid("h2 swamp A: thing\\nh12 plains B: watersnake")
k.act(over, 0, {"do": "propose_end", "winner": 0})
k.act(over, 1, {"do": "agree_end", "winner": 0})
standing = {
    "gambit": tables.running("ann", "bob"),
    "finished": over,
    "set-up": k.kings(waiting="never"),
    "march": laid('''
        players: 4
        phase: march
        turn: 5
        rack A: lucky_charm farmers balloon
        gold A: 12
        h1 jungle
        h2 swamp A tower: thing pirates* swamp_rat vampire_bat
        h3 plains A keep: farmers deerhunter
        h12 plains B castle: watersnake
        h10 plains C citadel: hunters
        h16 plains D: farmers
        '''),
    "battle": laid('''
        players: 4
        phase: combat
        turn: 5
        waiting: mine
        rack A: lucky_charm
        rack B: dust_of_defense
        h12 swamp B
        h2 plains A
        h3 plains B tower: thing pirates | A villains farmers hunters
        h10 plains B
        dice: 6 6 6 6 6 6
        '''),
}
told = {name: {"url": game.get_absolute_url(), "keys": {n: key(n) for n in k.NAMES}} for name, game in standing.items()}
print(json.dumps(told))
"""
)


@pytest.fixture(scope="module", name="tables")
def fixture_tables(site: Server) -> dict[str, Any]:
    return told(site, POSITIONS)


def no_grave_faults(page: Page, where: str) -> None:
    faults = grave_faults(page)
    assert not faults, f"{where}:\n" + "\n".join(faults)


# ---- axe


PAGES = ("/", "/tables/new/", "/tables/new/?game=kings", "/rules/", "/rules/kings/", "/credits/", "/account/login/")


@pytest.mark.parametrize("device", ["desktop", "phone, dark"])
def test_axe_finds_nothing_grave_on_pages_for_all(people: People, device: str):
    anna = people.come(**DEVICES[device])
    faults = {path: grave_faults(anna.goes_to(path)) for path in PAGES}
    assert not any(faults.values()), "\n".join(f"{path}:\n" + "\n".join(each) for path, each in faults.items() if each)


@pytest.mark.parametrize(
    ("name", "device"),
    [
        ("set-up", "desktop, dark"),
        ("set-up", "phone"),
        ("march", "desktop"),
        ("march", "phone, dark"),
        ("battle", "desktop"),
        ("battle", "desktop, dark"),
        ("battle", "phone"),
        ("finished", "desktop"),
        ("finished", "phone, dark"),
        ("gambit", "desktop, dark"),
        ("gambit", "phone"),
    ],
)
def test_axe_finds_nothing_grave_at_a_table(people: People, tables: dict[str, Any], name: str, device: str):
    ann = sits(people, tables[name], "ann", **DEVICES[device]).page
    expect(ann.locator("#prompt")).not_to_be_empty()
    no_grave_faults(ann, f"{name}, {device}")


@pytest.mark.parametrize("device", ["desktop", "phone, dark"])
def test_axe_finds_nothing_grave_in_a_help_card(people: People, tables: dict[str, Any], device: str):
    ann = sits(people, tables["march"], "ann", **DEVICES[device]).page
    ann.locator("#rack .counter[data-kind=lucky_charm]").click()
    expect(ann.locator("#card")).to_be_visible()
    no_grave_faults(ann, f"help card, {device}")


def test_axe_finds_what_is_put_there_to_be_found(people: People):
    """The net holds: a picture without words and a grey on grey are found, with the markup they are in."""
    page = people.come().goes_to("/credits/")
    page.evaluate(
        """() => { const image = document.createElement("img"), text = document.createElement("p");
        image.src = "data:image/gif;base64,R0lGODlhAQABAAAAACw="; text.textContent = "Hardly to be read";
        text.style.color = "#888"; text.style.background = "#999";
        document.querySelector("main").append(image, text); }"""
    )
    found = "\n".join(grave_faults(page))
    assert "image-alt (critical)" in found and "color-contrast (serious)" in found and "Hardly to be read" in found
