"""The finale: the card that lies over the map when a game is over. Who won and how, and where everybody stands."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from django.utils.safestring import SafeString

from games.engine.kings.view import KingsView

from ..markup import element
from ..scene import Line, Scene
from .board import sprite
from .counters import crest
from .prompt import ended
from .story import FIGURES

Standing = tuple[int, str, bool, tuple[int, ...]]  # seat, name, whether they won, and a number for each figure


def finale_context(scene: Scene) -> dict[str, Any]:
    """Nothing while the game is on."""
    view = scene.view
    assert isinstance(view, KingsView)
    if view.result is None:
        return {"standings": ()}
    title, how = ended(scene, view)
    how = next((reason(line) for line in reversed(scene.lines) if line.event == "won"), how)
    winners = view.result.winners
    standings = [
        (
            person.number,
            person.called,
            person.number in winners,
            tuple(figure(view, person.number) for figure in FIGURES.values()),
        )
        for person in scene.people
    ]
    standings.sort(key=lambda each: (not each[2], [-number for number in each[3]]))
    mine = view.seat is not None and view.seat in winners
    turns = f"{view.turn} turn{'' if view.turn == 1 else 's'}."
    return {
        "title": title,
        "how": f"{how} {turns}",
        "mood": "won" if mine else "lost" if view.seat is not None else "",
        "standings": tuple(standings),
        "story": f"{scene.url}story/",
    }


def reason(line: Line) -> str:
    how = str(line.facts["how"])
    return f"{how[:1].upper()}{how[1:]}."


def draw_finale(context: dict[str, Any]) -> SafeString:
    if not context["standings"]:
        return SafeString("")
    return finale_drawn(*(context[name] for name in ("title", "how", "mood", "standings", "story")), sprite())


@lru_cache(maxsize=64)
def finale_drawn(title: str, how: str, mood: str, standings: tuple[Standing, ...], story: str, art: str) -> SafeString:
    return element(
        "div",
        picture([seat for seat, _, won, _ in standings if won], art),
        element("h2", title, id="finale-title"),
        element("p", how),
        table(standings),
        element(
            "div",
            element("a", "How it went", class_="button primary", href=story),
            element("button", "Rematch", type="button", class_="button", data_finale="rematch", hidden=""),
            element("button", "Look at the map", type="button", class_="button", data_finale="close"),
            class_="row",
        ),
        class_=f"finale-card {mood}".rstrip(),
    )


def picture(winners: list[int], art: str) -> SafeString:
    """The crests of the winners before a citadel; the citadel alone if nobody won."""
    castle = element("svg", element("use", href=f"{art}#citadel"), class_="finale-citadel", aria_hidden="true")
    return element("div", castle, *(crest(seat) for seat in winners), class_="finale-picture")


def table(standings: tuple[Standing, ...]) -> SafeString:
    head = element(
        "tr",
        element("th", "Player", scope="col"),
        *(element("th", name, scope="col", class_="number") for name in SHORT),
    )
    rows = (
        element(
            "tr",
            element("th", crest(seat), " ", name, scope="row"),
            *(element("td", number, class_="number") for number in numbers),
            class_="winner" if won else None,
        )
        for seat, name, won, numbers in standings
    )
    return element("table", element("thead", head), element("tbody", *rows), class_="plain standings")


SHORT = ("Hexes", "Income", "Gold", "Counters")
assert len(SHORT) == len(FIGURES)
