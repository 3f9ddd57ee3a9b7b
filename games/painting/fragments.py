"""View -> fragments; two sets of fragments -> one message that turns a page showing the one into the other.

A fragment is a slot of the page (a dom id) and the context it is drawn from. Contexts are compared, and only
those that differ are drawn. HTTP answers, sockets and polling send the same markup: every slot stays where it
is and gets a new inside (`hx-swap-oob="innerHTML:#slot"`), as a bare `<g>` would land outside the SVG
namespace.

Panels that take long to work out (`later`) may be left out of a message and follow in one of their own.

A message says what it starts from and what it leads to (`#page-state`: data-base and data-base-silent, data-revision
and data-silent), so that a page never applies one twice or upon something else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from games.engine.core.grown import Grown, beyond
from games.engine.core.view import View
from games.registry import ENTRIES

from .markup import as_text, element, escape, join
from .painter import Painter, Told
from .scene import ClockLine, Line, LogRow, Scene

MOST_SQUARES = 20  # a browser swaps a whole board faster than more slots than these


@dataclass(frozen=True)
class Fragments:
    """A page's slots and what they are drawn from."""

    painter: Painter
    scene: Scene
    side: int
    squares: Mapping[str, Any]
    panels: dict[str, dict[str, Any]]
    lists: Mapping[str, Sequence[Any]]

    @cached_property
    def later(self) -> dict[str, dict[str, Any]]:
        """The contexts that take long; worked out when somebody asks for them."""
        return self.painter.later_panels(self.scene)

    @property
    def revision(self) -> int:
        return self.scene.view.revision

    @property
    def silent(self) -> int:
        return self.scene.view.silent


def painter_of(ruleset: str) -> Painter:
    return ENTRIES[ruleset].pages.painter


def fragments(scene: Scene, before: Fragments | None = None) -> Fragments:
    """What a scene is drawn from; what is still as it was before is taken over."""
    painter = painter_of(scene.view.ruleset)
    side = painter.side_of(scene.view)
    return Fragments(
        painter,
        scene,
        side,
        painter.squares(scene, before),
        {**painter.panels(scene, side, before), "about": about_context(scene), "clock": {"clocks": scene.clocks}},
        lists_of(painter, scene, before),
    )


def lists_of(painter: Painter, scene: Scene, before: Fragments | None) -> Mapping[str, Sequence[Any]]:
    """A painter may show less of the log than all of it."""
    lists = painter.lists(scene, before)
    return lists if "log" in lists else {"log": tuple(map(log_row, enumerate(scene.lines))), **lists}


def page_facts(scene: Scene) -> dict[str, Any]:
    return painter_of(scene.view.ruleset).page_facts(scene)


def page_of(ruleset: str) -> str:
    return painter_of(ruleset).PAGE


def steps_of(ruleset: str) -> tuple[str, ...]:
    """The events that make a step worth stopping at when the past is looked through; none means all."""
    return painter_of(ruleset).STEPS


def past_facts(scene: Scene, now: Scene, before: View) -> dict[str, Any]:
    return painter_of(scene.view.ruleset).past_facts(scene, now, before)


def styles_of(ruleset: str) -> tuple[str, ...]:
    """The style sheets of a board that stands on a page other than its table's."""
    return ENTRIES[ruleset].pages.styles


def about_context(scene: Scene) -> dict[str, Any]:
    return {"facts": scene.facts, "url": scene.url, "over": scene.is_over}


def log_row(numbered: tuple[int, Line]) -> LogRow:
    number, line = numbered
    return LogRow(number, line.text, line.rule, line.taken_back)


# ---- drawing


def prompt_of(scene: Scene) -> dict[str, Any]:
    """What the prompt says, for mail: its title and details."""
    painter = painter_of(scene.view.ruleset)
    return painter.panels(scene, painter.side_of(scene.view))["prompt"]


def board_svg(view: View, side: int | None = None, table: str = "") -> SafeString:
    """A whole board to look at, for any View; seen from the viewer's side unless told otherwise."""
    return painter_of(view.ruleset).still_board(view, side, table)


def called(told: Sequence[Told], view: View, table: str) -> Sequence[Mapping[str, str]]:
    """The facts of some lines of a log, or of a refusal, that pages word in their own way."""
    return painter_of(view.ruleset).called(told, view, table)


def draw_board(all_: Fragments) -> SafeString:
    return all_.painter.draw_board(all_.squares, all_.side)


def draw_panel(slot: str, context: dict[str, Any], painter: Painter | None = None) -> SafeString:
    if painter is not None and (by_hand := painter.draw_panel(slot, context)) is not None:
        return by_hand
    if slot == "clock":
        return draw_clocks(context["clocks"])
    template = f"table/fragments/{painter.TEMPLATES.get(slot, slot) if painter else slot}.html"
    try:
        return _rendered(template, tuple(context.items()))
    except TypeError:  # something in it can change, so it cannot be kept
        return render_to_string(template, context)


@lru_cache(maxsize=512)
def _rendered(template: str, context: tuple[tuple[str, Any], ...]) -> SafeString:
    """Three of four watchers are told the same, and often what they were told before."""
    return render_to_string(template, dict(context))


def draw_list(slot: str, rows: Sequence[Any], scene: Scene) -> SafeString:
    return join(*(draw_row(slot, row, scene) for row in rows))


def draw_row(slot: str, row: Any, scene: Scene, **attributes: object) -> SafeString:
    if slot == "log":
        return draw_log_row(row, scene.rules_url, **attributes)
    return painter_of(scene.view.ruleset).draw_row(slot, row, scene, **attributes)


@lru_cache(maxsize=512)
def draw_log_row(row: LogRow, rules_url: str, **attributes: object) -> SafeString:
    classes = " ".join(filter(None, (row.sorts, "taken-back" if row.taken_back else "")))
    has_replay = row.replay and not row.taken_back
    replay = {"type": "button", "class_": "replay", "data_replay": row.at, "data_line": row.number, "title": row.replay}
    link = element("a", row.rule, class_="rule", href=f"{rules_url}#{row.rule}") if row.rule else ""
    return element(
        "li",
        element("span", row.text),
        " ",
        link,
        element("button", "▶", **replay) if has_replay else "",
        id=f"log-{row.number}",
        class_=classes or None,
        data_at=None if row.taken_back else row.at,
        **attributes,
    )


@lru_cache(maxsize=512)
def draw_clocks(clocks: tuple[ClockLine, ...]) -> SafeString:
    """Who is waited for since when and until when; a script counts down (static/js/clock.js).

    Whoever is asked in a window is not named (R4)."""
    return join(
        *(
            element(
                "span",
                element("bdi", "You" if line.is_you else line.name or "For an answer"),
                " ",
                *((element("span", f"since {line.since}", class_="since"), " ") if line.since else ()),
                element("time", line.says, datetime=line.until, data_until=line.until)
                if line.until
                else element("span", line.says),
                class_=f"clock{' running' if line.until else ''}{' yours' if line.is_you else ''}",
            )
            for line in clocks
        )
    )


def draw_state(all_: Fragments, old: Fragments | None = None, swap: bool = False) -> SafeString:
    """What the page's script has to know; swapped as a whole, as it is all attributes. Spelt out: all pages get it."""
    view, scene = all_.scene.view, all_.scene
    title = all_.painter.title(scene, all_.panels["prompt"])
    is_asked = view.seat is not None and view.seat in view.asked
    base, base_silent = ("", "") if old is None else (old.revision, old.silent)
    return SafeString(
        f'<div id="page-state" hidden="" data-title="{escape(title)}" data-turn="{"yes" if is_asked else "no"}"'
        f' data-base="{base}" data-revision="{view.revision}"'
        f' data-base-silent="{base_silent}" data-silent="{view.silent}" data-decision="{escape(view.decision)}"'
        f' data-seat="{"" if view.seat is None else view.seat}" data-side="{all_.side}"'
        f"{TIMED if scene.is_timed and is_asked else ''}"
        f' data-acted="{scene.acted}" data-mark="{escape(scene.mark)}" data-over="{"yes" if scene.is_over else "no"}"'
        f' data-last="{escape(" ".join(getattr(view, "last", ())))}"'
        f"{SWAPPED if swap else ''}></div>"
    )


SWAPPED = ' hx-swap-oob="true"'
TIMED = ' data-timed="yes"'


def drawn(all_: Fragments) -> dict[str, SafeString]:
    """The inside of every slot, for a page that is loaded."""
    panels = {**all_.panels, **all_.later}
    found = {slot: draw_panel(slot, context, all_.painter) for slot, context in panels.items()}
    found |= {slot: draw_list(slot, rows, all_.scene) for slot, rows in all_.lists.items()}
    return {**found, "board": draw_board(all_), "page-state": draw_state(all_)}


# ---- patching


def patch(old: Fragments | None, new: Fragments, with_later: bool = True) -> SafeString:
    """One message that turns a page showing `old` into one showing `new`; all slots if `old` is not known.

    Panels that may come later are either all in it or left out (`patch_later`): nobody knows which ones `old` had."""
    parts = [draw_state(new, old, swap=True)]
    parts += _patch_board(old, new)
    parts += [
        swap_inner(slot, draw_panel(slot, context, new.painter))
        for slot, context in new.panels.items()
        if old is None or (old.panels[slot] is not context and old.panels[slot] != context)
    ]
    for slot, rows in new.lists.items():
        parts += _patch_list(slot, old.lists[slot] if old else None, rows, new.scene)
    if with_later:
        parts.append(patch_later(new))
    return join(*parts)


def patch_later(new: Fragments, shown: dict[str, dict[str, Any]] | None = None) -> SafeString:
    """The panels that take long, for a page that shows all others already; `shown` are those it has, if known."""
    return join(
        *(
            swap_inner(slot, draw_panel(slot, context, new.painter))
            for slot, context in new.later.items()
            if shown is None or shown[slot] != context
        )
    )


def swap_inner(slot: str, inside: object, tag: str = "div", how: str = "innerHTML") -> SafeString:
    return SafeString(f'<{tag} hx-swap-oob="{how}:#{slot}">{as_text(inside)}</{tag}>')


def _patch_board(old: Fragments | None, new: Fragments) -> list[SafeString]:
    if not new.squares:
        return []
    if old is None or old.side != new.side:
        return [swap_inner("board", draw_board(new), "svg")]
    was = old.squares
    changed = [place for place, look in new.squares.items() if was[place] is not look and was[place] != look]
    if len(changed) > MOST_SQUARES:
        return [swap_inner("board", draw_board(new), "svg")]
    draw, cell = new.painter.draw_square, new.painter.CELL
    return [swap_inner(f"{cell}-{place}", draw(place, new.squares[place]), "svg") for place in changed]


def _patch_list(slot: str, old: Sequence[Any] | None, new: Sequence[Any], scene: Scene) -> list[SafeString]:
    """Lists grow at their end: mostly a row is added, or the last one filled in. A log may lose rows at its top."""
    if old is new or old == new:
        return []
    if isinstance(old, Grown) and old and (added := beyond(new, old)) is not None:
        return [swap_inner(slot, draw_list(slot, added, scene), "ol", "beforeend")]
    if old and _same_rows(old, new):
        changed_rows = (row for before, row in zip(old, new) if before is not row and before != row)
        return [draw_row(slot, row, scene, hx_swap_oob="true") for row in changed_rows]
    parts = _rows_gone(slot, old, new)
    old = old[len(parts) :] if old else ()
    if not old or len(new) < len(old) or old[:-1] != new[: len(old) - 1] or not _same(old[-1], new[len(old) - 1]):
        return [swap_inner(slot, draw_list(slot, new, scene), "ol")]
    changed, added = new[len(old) - 1], new[len(old) :]
    if old[-1] != changed:
        parts.append(draw_row(slot, changed, scene, hx_swap_oob="true"))
    if added:
        parts.append(swap_inner(slot, draw_list(slot, added, scene), "ol", "beforeend"))
    return parts


def _same_rows(old: Sequence[Any], new: Sequence[Any]) -> bool:
    """Rows that have a number may change wherever they are, as long as they are still the same ones."""
    if len(old) != len(new) or not hasattr(new[0], "number"):
        return False
    return all(map(_same, old, new))


def _same(before: Any, after: Any) -> bool:
    """Whether both are the same row, whatever it says; after a step was taken back another may stand in its place."""
    return getattr(before, "number", None) == getattr(after, "number", None)


def _rows_gone(slot: str, old: Sequence[Any] | None, new: Sequence[Any]) -> list[SafeString]:
    """A log or a film that shows only its end loses rows at its top."""
    if not isinstance(old, Grown) or not old or not new or new[0] not in old:
        return []
    return [element("li", id=f"{slot}-{row.number}", hx_swap_oob="delete") for row in old[: old.index(new[0])]]
