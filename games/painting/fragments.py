"""View -> fragments; two sets of fragments -> one message that turns a page showing the one into the other.

A fragment is a slot of the page (a dom id) and the context it is drawn from. Contexts are compared, and only
those that differ are drawn. HTTP answers, sockets and polling send the same markup: every slot stays where it
is and gets a new inside (`hx-swap-oob="innerHTML:#slot"`), as a bare `<g>` would land outside the SVG
namespace.

A message says what it starts from and what it leads to (`#page-state`, data-base and data-revision), so that
a page never applies one twice or upon something else.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from games.engine.core.view import View

from . import gambit, kings
from .markup import element, join
from .scene import Line, Scene

PAINTERS: dict[str, ModuleType] = {"gambit": gambit, "kings": kings}

MOST_SQUARES = 20  # a browser swaps a whole board faster than more slots than these


@dataclass(frozen=True)
class Fragments:
    """A page's slots and what they are drawn from."""

    painter: ModuleType
    scene: Scene
    side: int
    squares: dict[str, Any]
    panels: dict[str, dict[str, Any]]
    lists: dict[str, tuple[Any, ...]]

    @property
    def revision(self) -> int:
        return self.scene.view.revision


def has_board(ruleset: str) -> bool:
    """Whether there is a painter for this game; one without is played by program, and followed on a plain page."""
    return ruleset in PAINTERS


def fragments(scene: Scene) -> Fragments:
    """A painter has: PAGE (its template), CELL (what its cells' ids begin with), TEMPLATES (of panels that are not
    called like their slot), side_of, squares, draw_square, draw_board, panels, lists, draw_row,
    draw_panel (None where a template does it), title."""
    painter = PAINTERS[scene.view.ruleset]
    side = painter.side_of(scene.view)
    return Fragments(
        painter,
        scene,
        side,
        painter.squares(scene.view),
        {**painter.panels(scene, side), "about": about_context(scene)},
        {"log": tuple(map(log_row, enumerate(scene.lines))), **painter.lists(scene)},
    )


def page_facts(scene: Scene) -> dict[str, Any]:
    facts: dict[str, Any] = PAINTERS[scene.view.ruleset].page_facts(scene)
    return facts


def page_of(ruleset: str) -> str:
    page: str = PAINTERS[ruleset].PAGE
    return page


def about_context(scene: Scene) -> dict[str, Any]:
    return {"facts": scene.facts, "url": scene.url, "over": scene.is_over}


def log_row(numbered: tuple[int, Line]) -> tuple[int, str, str, bool]:
    number, line = numbered
    return number, line.text, line.rule, line.taken_back


# ---- drawing


def board_svg(view: View, side: int | None = None) -> SafeString:
    """A whole board to look at, for any View; seen from the viewer's side unless told otherwise."""
    board: SafeString = PAINTERS[view.ruleset].still_board(view, side)
    return board


def draw_board(all_: Fragments) -> SafeString:
    board: SafeString = all_.painter.draw_board(all_.squares, all_.side)
    return board


def draw_panel(slot: str, context: dict[str, Any], painter: ModuleType | None = None) -> SafeString:
    if painter is not None and (drawn_by_hand := painter.draw_panel(slot, context)) is not None:
        by_hand: SafeString = drawn_by_hand
        return by_hand
    template = painter.TEMPLATES.get(slot, slot) if painter else slot
    return render_to_string(f"table/fragments/{template}.html", context)


def draw_list(slot: str, rows: tuple[Any, ...], scene: Scene) -> SafeString:
    return join(*(draw_row(slot, row, scene) for row in rows))


def draw_row(slot: str, row: Any, scene: Scene, **attributes: object) -> SafeString:
    if slot == "log":
        return draw_log_row(row, scene, **attributes)
    drawn_row: SafeString = PAINTERS[scene.view.ruleset].draw_row(slot, row, scene, **attributes)
    return drawn_row


def draw_log_row(row: tuple[int, str, str, bool], scene: Scene, **attributes: object) -> SafeString:
    number, text, rule, taken_back = row
    link = element("a", rule, class_="rule", href=f"{scene.rules_url}#{rule}") if rule else ""
    return element(
        "li",
        element("span", text),
        " ",
        link,
        id=f"log-{number}",
        class_="taken-back" if taken_back else None,
        **attributes,
    )


def draw_state(all_: Fragments, base: object = "", **attributes: object) -> SafeString:
    """What the page's script has to know; swapped as a whole, as it is all attributes."""
    view, painter = all_.scene.view, all_.painter
    return element(
        "div",
        id="page-state",
        hidden="",
        data_title=painter.title(all_.scene),
        data_turn="yes" if view.seat is not None and view.seat in view.asked else "no",
        data_base=base,
        data_revision=view.revision,
        data_decision=view.decision,
        data_seat="" if view.seat is None else view.seat,
        data_side=all_.side,
        data_mark=all_.scene.mark,
        data_over="yes" if all_.scene.is_over else "no",
        data_last=" ".join(getattr(view, "last", ())),
        **attributes,
    )


def drawn(all_: Fragments) -> dict[str, SafeString]:
    """The inside of every slot, for a page that is loaded."""
    found = {slot: draw_panel(slot, context, all_.painter) for slot, context in all_.panels.items()}
    found |= {slot: draw_list(slot, rows, all_.scene) for slot, rows in all_.lists.items()}
    return {**found, "board": draw_board(all_), "page-state": draw_state(all_)}


# ---- patching


def patch(old: Fragments | None, new: Fragments) -> SafeString:
    """One message that turns a page showing `old` into one showing `new`; all slots if `old` is not known."""
    base: object = "" if old is None else old.revision
    parts = [draw_state(new, base, hx_swap_oob="true")]
    parts += _patch_board(old, new)
    parts += [
        swap_inner(slot, draw_panel(slot, context, new.painter))
        for slot, context in new.panels.items()
        if old is None or old.panels[slot] != context
    ]
    for slot, rows in new.lists.items():
        parts += _patch_list(slot, old.lists[slot] if old else None, rows, new.scene)
    return join(*parts)


def swap_inner(slot: str, inside: object, tag: str = "div", how: str = "innerHTML") -> SafeString:
    return element(tag, inside, hx_swap_oob=f"{how}:#{slot}")


def _patch_board(old: Fragments | None, new: Fragments) -> list[SafeString]:
    if old is None or old.side != new.side:
        return [swap_inner("board", draw_board(new), "svg")]
    changed = [place for place, look in new.squares.items() if old.squares[place] != look]
    if len(changed) > MOST_SQUARES:
        return [swap_inner("board", draw_board(new), "svg")]
    draw: Callable[[str, Any], SafeString] = new.painter.draw_square
    cell = new.painter.CELL
    return [swap_inner(f"{cell}-{place}", draw(place, new.squares[place]), "svg") for place in changed]


def _patch_list(slot: str, old: tuple[Any, ...] | None, new: tuple[Any, ...], scene: Scene) -> list[SafeString]:
    """Lists grow at their end: mostly a row is added, or the last one filled in."""
    if old == new:
        return []
    if not old or len(new) < len(old) or old[:-1] != new[: len(old) - 1]:
        return [swap_inner(slot, draw_list(slot, new, scene), "ol")]
    changed, added = new[len(old) - 1], new[len(old) :]
    parts = []
    if old[-1] != changed:
        parts.append(draw_row(slot, changed, scene, hx_swap_oob="true"))
    if added:
        parts.append(swap_inner(slot, draw_list(slot, added, scene), "ol", "beforeend"))
    return parts
