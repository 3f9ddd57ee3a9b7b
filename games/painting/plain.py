"""The plain painter, for games without one of their own: the View as text, and every offer as buttons.

It knows no game. What it shows comes from the View and the scene alone, and the page works without scripts.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.utils.safestring import SafeString

from games.engine.core.actions import Action
from games.engine.core.dice import Dice
from games.engine.core.offers import Exactly, Offer, OneOf
from games.engine.core.plain import plain
from games.engine.core.view import View

from .markup import element
from .painter import Told
from .scene import Scene

PAGE = "table/plain.html"
CELL = ""
STEPS: tuple[str, ...] = ()
TEMPLATES = {"offers": "plain_offers"}

SAID_ELSEWHERE = ("ruleset", "seat", "revision", "silent", "decision", "offers")
MOST_EXAMPLES, TRIES = 5, 20


def panels(scene: Scene, side: int, before: Any = None) -> dict[str, dict[str, Any]]:
    return {
        "prompt": prompt_context(scene),
        "view": {"text": view_text(scene.view)},
        "offers": {"offers": tuple(map(offer_context, scene.view.offers))},
    }


def later_panels(scene: Scene) -> dict[str, dict[str, Any]]:
    return {}


def lists(scene: Scene, before: Any = None) -> dict[str, tuple[Any, ...]]:
    return {}


def draw_panel(slot: str, context: dict[str, Any]) -> SafeString | None:
    return draw_text(context["text"]) if slot == "view" else None


def draw_row(slot: str, row: Any, scene: Scene, **attributes: object) -> SafeString:
    raise LookupError(f"there is no list {slot}")


def page_facts(scene: Scene) -> dict[str, Any]:
    return {}


# ---- the board, which is a text


def side_of(view: View) -> int:
    return 0


def squares(scene: Scene, before: Any = None) -> dict[str, Any]:
    return {}


def draw_square(place: str, look: Any) -> SafeString:
    raise LookupError(f"there is no square {place}")


def draw_board(looks: Any, side: int) -> SafeString:
    return SafeString("")


def still_board(view: View, side: int | None = None, table: str = "") -> SafeString:
    return draw_text(view_text(view))


def draw_text(text: str) -> SafeString:
    return element("pre", text, class_="break", role="group", aria_label="How the game stands")


def view_text(view: View) -> str:
    """Everything in a View that the page does not say elsewhere, a line each."""
    told = {name: value for name, value in plain(view).items() if name not in SAID_ELSEWHERE}
    return "\n".join(lines_of(told.items()))


def lines_of(told: Iterable[tuple[object, Any]], indent: str = "") -> Iterator[str]:
    for name, value in told:
        if isinstance(value, dict) and value:
            yield f"{indent}{name}:"
            yield from lines_of(value.items(), indent + "  ")
        elif isinstance(value, list) and any(isinstance(each, dict | list) for each in value):
            yield f"{indent}{name}:"
            yield from lines_of(enumerate(value, start=1), indent + "  ")
        else:
            yield f"{indent}{name}: {worded(value)}"


def worded(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(worded, value)) or "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "–" if value is None or value == {} or value == "" else str(value)


def called(told: Sequence[Told], view: View, table: str) -> list[Mapping[str, str]]:
    """Leave every line as the log words it."""
    return [{} for _ in told]


# ---- what may be done


def offer_context(offer: Offer) -> dict[str, Any]:
    actions = actions_of(offer)
    return {"title": spelt(offer.do), "buttons": tuple(map(button, actions)), "is_sample": not is_listed(offer)}


def actions_of(offer: Offer) -> list[Action]:
    """All actions of a short list; of larger sets some examples, the same each time."""
    if isinstance(offer, Exactly):
        return [offer.action]
    chance, found = Dice.seeded("examples"), dict[str, Action]()
    if isinstance(offer, OneOf):
        return [replace(offer, choices=(choice,)).sample(chance) for choice in offer.choices]
    for _ in range(TRIES):
        action = offer.sample(chance)
        found.setdefault(as_json(action), action)
    return list(found.values())[:MOST_EXAMPLES]


def is_listed(offer: Offer) -> bool:
    return isinstance(offer, Exactly | OneOf)


def button(action: Action) -> dict[str, str]:
    return {"value": as_json(action), "label": action_words(action)}


def as_json(action: Action) -> str:
    return json.dumps(action.plain(), ensure_ascii=False)


def action_words(action: Action) -> str:
    fields = [f"{name} {worded(value)}" for name, value in action.plain().items() if name != "do"]
    return ": ".join(filter(None, (spelt(action.do), ", ".join(fields))))


def spelt(do: str) -> str:
    return do.replace("_", " ").capitalize()


# ---- what is asked of whom


def prompt_context(scene: Scene) -> dict[str, Any]:
    view = scene.view
    replies = (
        {"value": json.dumps({"do": do}), "label": f"{scene.name(seat)}: {spelt(do)}"} for seat, do in scene.beside
    )
    return {
        "state": "over" if scene.is_over else "yours" if view.seat in view.asked else "waiting",
        "title": prompt_title(scene),
        "details": (),
        "replies": tuple(replies),
    }


def prompt_title(scene: Scene) -> str:
    view = scene.view
    if view.result is not None:
        winners = " and ".join(map(scene.name, view.result.winners))
        return f"The game is over: {winners} won" if winners else "The game is over: nobody won"
    if view.seat in view.asked:
        return scene.put_to("your turn") if scene.is_shared else "Your turn"
    return f"Waiting for {' and '.join(map(scene.name, view.asked)) or 'an answer'}"


def title(scene: Scene, prompt: dict[str, Any]) -> str:
    mark = "(●) " if prompt["state"] == "yours" else ""
    return f"{mark}{prompt['title']} – {scene.game_name}"


def preview(scene: Scene, fields: Any) -> None:
    """Nothing is picked in steps: an action is one press."""
    return


def action_in_form(scene: Scene, fields: Any) -> None:
    return


def action_of(text: str) -> dict[str, str] | None:
    """Nothing is typed but JSON, which needs no painter."""
    return None


def past_facts(scene: Scene, now: Scene, before: View) -> dict[str, Any]:
    """Nothing but the position."""
    return {}


def export_text(scene: Scene, start: View, tags: dict[str, str]) -> str:
    return f"{scene.as_text()}\n{view_text(scene.view)}\n"
