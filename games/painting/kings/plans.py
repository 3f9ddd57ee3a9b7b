"""Plans of Kings & Things*: a step in words, ghosts on the map, and what a table's page says of its viewer's plans."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from django.utils.safestring import SafeString

from games.engine.core.plans import Step
from games.engine.kings.catalogue import KINDS
from games.engine.kings.map import map_for
from games.engine.kings.view import KingsView

from ..markup import element, join
from ..scene import Scene
from . import board
from .places import names_on, titled

LABELS = {
    "recruit": ("Recruit a hero", "Which hero to try for, and with how much gold."),
    "draw": ("Draw Things", "How many to buy, and what to trade in."),
    "place": ("Place counters", "What goes from your rack onto the map."),
    "event": ("Play an event", "Which random event to play, if you have one."),
    "march": ("Move", "Where your stacks go."),
    "build": ("Build", "Where to raise a fort."),
}
NOTHING = {
    "recruit": "Recruit nobody, every turn",
    "draw": "Draw only what is free, every turn",
    "place": "Place nothing, every turn",
    "event": "Play no event, every turn",
    "march": "Move nothing, every turn",
    "build": "Build nothing, every turn",
}
GUARDS = {
    "empty": "only if no other counters are there",
    "mine": "only if that hex is mine",
    "gold": "only if I have at least this much gold:",
    "income": "only if my income is at least:",
}
NUMBERED = ("gold", "income")  # guards that ask for a number


def words_of(view: KingsView, table: str, noted: Mapping[str, Any]) -> str:
    """A step of a plan in a few words."""
    says = WORDS.get(str(noted.get("do")))
    return says(Named(view, table), noted) if says else "Something else"


class Named:
    """What places and counters are called at one table."""

    def __init__(self, view: KingsView, table: str) -> None:
        self.names = names_on(view, table)

    def place(self, place: Any) -> str:
        return self.names.get(str(place), f"hex {str(place).removeprefix('h')}")

    def counter(self, called: Any) -> str:
        kind = str(called).removeprefix("*").partition("@")[0]
        return KINDS[kind].name if kind in KINDS else "a counter"

    def listed(self, called: Sequence[Any]) -> str:
        tally = Counter(map(self.counter, called))
        return ", ".join(name if count == 1 else f"{count} {name}" for name, count in tally.items())


def start_of(called: Sequence[Any]) -> str:
    """The hex that counters named in a plan set out from."""
    return str(called[0]).split("@")[1] if called and "@" in str(called[0]) else ""


def march_words(named: Named, noted: Mapping[str, Any]) -> str:
    start, goal = start_of(noted["counters"]), noted["path"][-1]
    return f"{named.listed(noted['counters'])}: from {named.place(start)} to {named.place(goal)}"


def recruit_words(named: Named, noted: Mapping[str, Any]) -> str:
    gold = f" with {noted['gold']} gold" if noted.get("gold") else ""
    return f"Try for {named.counter(noted['hero'])}{gold}"


def draw_words(named: Named, noted: Mapping[str, Any]) -> str:
    parts = ["Draw what is free"]
    if noted.get("paid"):
        parts.append(f"buy {noted['paid']}")
    if noted.get("traded"):
        parts.append(f"trade in {named.listed(noted['traded'])}")
    return ", ".join(parts)


def place_words(named: Named, noted: Mapping[str, Any]) -> str:
    pairs = zip(noted["counters"], noted["places"])
    return "Place " + ", ".join(f"{named.counter(each)} in {named.place(place)}" for each, place in pairs)


def event_words(named: Named, noted: Mapping[str, Any]) -> str:
    target = str(noted.get("target") or "")
    aimed = named.place(target) if target in named.names or target.startswith("h") else ""
    return f"Play {named.counter(noted['event'])}{f' in {aimed}' if aimed else ''}"


WORDS: dict[str, Callable[[Named, Mapping[str, Any]], str]] = {
    "march": march_words,
    "recruit": recruit_words,
    "discharge": lambda named, noted: f"Discharge {named.counter(noted['hero'])}",
    "draw": draw_words,
    "place": place_words,
    "play_event": event_words,
    "build": lambda named, noted: titled(f"build in {named.place(noted['place'])}"),
    "ascend": lambda named, noted: f"Fly {named.listed(noted['counters'])} to {named.place(noted['to'])}",
    "fly_past": lambda named, noted: f"Show {named.listed(noted['counters'])} to fly on",
    "ask_proof": lambda named, noted: f"Ask for proof in {named.place(noted['place'])}",
    "done": lambda named, noted: "Then nothing more",
}


# ---- on the map: its owner sees planned marches, placements and buildings as ghosts


# A kind of ghost, the hexes it is drawn over, and whether its step has a condition.
Ghost = tuple[str, tuple[str, ...], bool]


def ghosts_context(view: KingsView, planned: Sequence[Step]) -> dict[str, Any]:
    """What is planned, as lines and spots on the map; nothing more, so that the layer seldom changes."""
    ghosts = [ghost for step in planned for ghost in ghosts_of(step)]
    return {"players": len(view.seats), "ghosts": tuple(dict.fromkeys(ghosts))}


def ghosts_of(step: Step) -> list[Ghost]:
    """A march or a flight is a line, a building a circle, and so is each hex where counters are placed."""
    noted, is_if = step.action, bool(step.guard)
    do = noted.get("do")
    if do in ("march", "ascend"):
        start, way = start_of(noted["counters"]), noted["path"] if do == "march" else [noted["to"]]
        return [("march", (start, *map(str, way)), is_if)] if start else []
    if do == "build":
        return [("fort", (str(noted["place"]),), is_if)]
    return [("thing", (str(place),), is_if) for place in noted["places"]] if do == "place" else []


def draw_ghosts(context: dict[str, Any]) -> SafeString:
    return ghosts_drawn(context["players"], context["ghosts"])


@lru_cache(maxsize=256)
def ghosts_drawn(players: int, ghosts: tuple[Ghost, ...]) -> SafeString:
    known = map_for(players).neighbours
    there = [ghost for ghost in ghosts if all(place in known for place in ghost[1])]
    paths = [
        element(
            "path",
            class_=classes_of("march", is_if),
            d="M" + " L".join(map(point, line)),
            marker_end="url(#planned-head)",
        )
        for kind, line, is_if in there
        if kind == "march"
    ]
    rings = [ring(line[0], kind, is_if) for kind, line, is_if in there if kind != "march"]
    if not (paths or rings):
        return SafeString("")
    head = element("path", d="M0 0 L10 5 L0 10 z", class_="planned-head")
    size = {"viewBox": "0 0 10 10", "refX": 7, "refY": 5, "markerWidth": 4, "markerHeight": 4, "orient": "auto"}
    marker = element("marker", head, id="planned-head", **size)
    only_if = " Faint: only if its condition holds." if any(is_if for *_, is_if in there) else ""
    about = element("title", f"What you have planned; only you see it.{only_if}")
    parts = (about, marker, *paths, *rings)
    return element("svg", *parts, class_="kings-map planned", view_box=board.view_box(players), role="img")


def ring(place: str, kind: str, is_if: bool) -> SafeString:
    x, y = board.middle(place)
    return element("circle", class_=classes_of(kind, is_if), cx=f"{x:g}", cy=f"{y:g}", r=62 if kind == "fort" else 46)


def classes_of(kind: str, is_if: bool) -> str:
    return f"planned-{kind}{' planned-if' if is_if else ''}"


def point(place: str) -> str:
    x, y = board.middle(place)
    return f"{x:g} {y:g}"


# ---- below the decision on the table's page


def planned_context(scene: Scene) -> dict[str, Any]:
    planned = scene.planned
    return {"stopped": planned.stopped, "skipped": planned.skipped, "rests": planned.rests}


def draw_planned(context: dict[str, Any]) -> SafeString:
    """What was stopped or skipped and why, and what is passed now; mostly nothing. The buttons are part of the page."""
    stopped = [
        element("p", element("strong", f"Your plan stopped ({LABELS[question][0]}). "), why, class_="small warning")
        for question, why in context["stopped"]
        if question in LABELS
    ]
    stopped += [
        element(
            "p", element("strong", f"Your plan left out a step ({LABELS[question][0]}): "), f"{why}.", class_="small"
        )
        for question, why in context["skipped"]
        if question in LABELS
    ]
    if not context["rests"]:
        return join(*stopped)
    words = f"Whatever can be passed is passed for you until this {context['rests']} is over."
    again = element("button", "Ask me again", name="rest", value="ask", class_="button small")
    return join(*stopped, element("p", words, class_="small"), element("div", again, class_="control-row"))
