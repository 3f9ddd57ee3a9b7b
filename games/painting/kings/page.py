"""The page of Kings & Things*: what is asked, who has what, the rack, and what every hex holds.

The board itself is drawn in board.py, the battle in arena.py, what may be done in controls/.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from django.utils.safestring import SafeString

from games.engine.core.grown import Grown, beyond
from games.engine.core.memo import Memo
from games.engine.core.plain import plain
from games.engine.core.view import Back, Face, View
from games.engine.kings import KINGS
from games.engine.kings.actions import SetOrder
from games.engine.kings.catalogue import FORTS, KINDS
from games.engine.kings.income import Income
from games.engine.kings.map import map_for
from games.engine.kings.orders import ORDERS
from games.engine.kings.terms import PHASES
from games.engine.kings.view import HexView, KingsSeatView, KingsView, terrains_of

from ..markup import element, join
from ..scene import Line, LogRow, Person, Scene
from . import board, film, looks
from .arena import arena_context, dice_context, draw_arena, draw_battle, draw_dice_panel, draw_past_arena
from .battle import battle_context
from .board import draw_hex
from .controls.drawing import Fields, action_from, agreement_context, controls_context, draw_agreement
from .controls.drawing import preview as preview_of
from .counters import Marked, crest, marked_in, owner_badge, pickable, seat_marks, small_svg, support
from .finale import draw_finale, finale_context
from .handbook import handbook_url
from .log import FILTERS, draw_meanwhile, meanwhile_context, sorts_of
from .looks import hex_looks, sides
from .odds import bar_context, draw_bar, draw_odds, lines_of, odds_context
from .outdated import tiding_rows
from .places import called as called
from .places import names_on, titled
from .plans import draw_ghosts, draw_planned, ghosts_context, planned_context
from .prompt import citadel_wins, draw_prompt, prompt_context, sole_citadel
from .tidings import bluffs_context, draw_bluffs, draw_tiding
from .words import SHORT_PHASES

PAGE = "table/kings.html"
CELL = "hex"
STEPS: tuple[str, ...] = ()
TEMPLATES: dict[str, str] = {}
SEATS = KINGS.seat_names
MOST_ROWS, ROWS_AT_ONCE = 120, 10  # of the log: how many stay on the page, how many leave it together


def side_of(view: View) -> int:
    """The map is seen from the same side by everybody."""
    return 0


def squares(scene: Scene, before: Any = None) -> dict[str, looks.HexLook]:
    assert isinstance(scene.view, KingsView)
    return hex_looks(scene.view, before and (before.scene.view, before.squares), scene.table)


draw_square = draw_hex


def draw_board(looks: Any, side: int) -> SafeString:
    return board.draw_board(looks)


def page_facts(scene: Scene) -> dict[str, Any]:
    """What the page itself is drawn from and never changes: the map, words, and what counters mean."""
    players = len(scene.people)
    near = map_for(players).neighbours
    return {
        "view_box": board.view_box(players),
        "places": list(near),
        "colour": "" if scene.view.seat is None else board.seat_class(scene.view.seat),
        "near": as_json(near),
        "handbook": handbook_url(scene.rules_url),
        "owl": small_svg("great_owl", "owl"),
        "ghosts": film.ghosts(),
        "seat_marks": seat_marks(),
        "filters": [(sort, words) for sort, words in FILTERS.items() if sort != "mine" or scene.view.seat is not None],
    }


def as_json(data: Any) -> SafeString:
    """JSON to stand inside an element: it needs no quotes escaped there, which would be half of it."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    return SafeString(text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e"))


def still_board(view: KingsView, side: int | None = None, table: str = "") -> SafeString:
    return board.still_board(view, table=table)


def panels(scene: Scene, side: int, before: Any = None) -> dict[str, dict[str, Any]]:
    view = scene.view
    assert isinstance(view, KingsView)
    terrains, here = terrains_of(view, view.seat), counters_by_place(view)
    fight = battle_context(scene, view, here, terrains)
    found: dict[str, dict[str, Any]] = {
        "prompt": prompt_context(scene),
        "purse": {"seat": next((seat for seat in view.seats if seat.number == view.seat), None)},
        "phases": {"phase": view.phase, "turn": view.turn},
        "rack": kept_rack((here.get(f"rack:{view.seat}", ()),), terrains, view.seat, sealed_words(scene, view)),
        "battle": arena_context(scene, fight),
        "dice": dice_context(fight),
        "controls": controls_context(scene, view),
        "plans": planned_context(scene),
        "ghosts": ghosts_context(view, scene.planned.ghosts),
        "agreement": agreement_context(scene, view),
        "orders": {"orders": view.orders if view.seat is not None and view.result is None else {}},
        "meanwhile": meanwhile_context(scene),
        "bluffs": bluffs_context(scene),
        "finale": finale_context(scene),
        "pool": {"counters": here.get("pool", ())},
        "bank": {"forts": view.forts_left},
    }
    known = before.panels if before is not None else {}
    return {**known, **found, **stacks(view, here, terrains, before, scene.table)}


def later_panels(scene: Scene) -> dict[str, dict[str, Any]]:
    """Odds take longer than all the rest of the page."""
    assert isinstance(scene.view, KingsView)
    lines = lines_of(scene.view)
    return {
        "odds": odds_context(scene.view, names_on(scene.view, scene.table), lines),
        "battle-odds": bar_context(scene, scene.view, lines),
    }


def stacks(
    view: KingsView, here: Mapping[str, tuple[Face | Back, ...]], terrains: frozenset[str], before: Any, table: str
) -> dict[str, dict[str, Any]]:
    """Contexts of the hexes' panels. Unchanged hexes are left out unless the viewer's set of owned terrains changed."""
    changed = None
    if before is not None and terrains_of(before.scene.view, view.seat) == terrains:
        changed = looks.kept_changes((view, before.scene.view))
    fought, names, sealed = looks.fought_over(view), names_on(view, table), looks.sealed_in(view)
    found = {}
    for each in view.hexes:
        place = each.place
        if changed is None or place in changed:
            stack = here.get(place, ())
            # Only whoever owns some of a stack is told whether it is supported; to all others it is the same.
            is_own = view.seat is not None and any(c.owner == view.seat for c in stack)
            whose = (view.seat, terrains) if is_own else (None, NO_TERRAINS)
            facts = (view.cloud == place, place in fought, names.get(place, ""), sealed.get(place, ()))
            found[f"in-{place}"] = kept_stack((each, stack), *whose, *facts)
    return found


NO_TERRAINS: frozenset[str] = frozenset()


def draw_panel(slot: str, context: dict[str, Any]) -> SafeString | None:
    """Panels that are drawn by functions: quicker than templates, and there are many of them."""
    if slot.startswith("in-"):
        return kept_drawing((context,), board.sprite())
    draw = DRAWN.get(slot)
    return draw(context) if draw else None


def lists(scene: Scene, before: Any = None) -> dict[str, Sequence[Any]]:
    return {
        "log": log_rows(scene, before),
        "film": film.film_rows(scene, before),
        "tidings": tiding_rows(scene, before),
        "players": player_rows(scene, before),
    }


def draw_row(slot: str, row: Any, scene: Scene, **attributes: object) -> SafeString:
    """A row of any list but the log, which draws itself."""
    draw = {"film": film.draw_shot, "tidings": draw_tiding, "players": draw_player}[slot]
    return draw(row, **attributes)


def log_rows(scene: Scene, before: Any) -> Grown[LogRow]:
    """The end of the log. It begins at a round number, so that what is added to it is mostly all that changes."""
    seat, lines = scene.view.seat, scene.lines
    first = -(-max(0, len(lines) - MOST_ROWS) // ROWS_AT_ONCE) * ROWS_AT_ONCE
    known: Grown[LogRow] = Grown()
    if before is not None and before.lists["log"] and beyond(lines, before.scene.lines) is not None:
        known = before.lists["log"]
        if known[0].number < first:
            known = Grown(known[first - known[0].number :])
    start = first + len(known)
    new = [log_row(number, line, seat) for number, line in enumerate(lines[start:], start)]
    return known.plus(new) if new else known


def log_row(number: int, line: Line, seat: int | None) -> LogRow:
    """One row for all seats that read it alike; a page keeps hundreds."""
    return kept_row((line,), number, sorts_of(line, seat))


def row_of(lines: Sequence[Any], number: int, sorts: str) -> LogRow:
    line: Line = lines[0]
    replay = "Show this battle again" if line.event == "battle_began" else ""
    return LogRow(number, line.text, line.rule, line.taken_back, sorts, line.revision, replay)


kept_row = Memo(row_of, 256)


# ---- people


@dataclass(frozen=True)
class PlayerRow:
    number: int
    name: str
    kind: str
    is_you: bool
    gold: int
    income: int
    income_words: str
    rack: int
    hexes: int
    heroes: tuple[str, ...]
    out: bool
    asked: bool
    forts: int
    first: bool
    won: bool
    richest: bool  # nobody has more income
    citadel: str  # when the only citadel, which is theirs, wins


def view_order(view: KingsView) -> list[int]:
    out = [seat.number for seat in view.seats if seat.number not in view.order]
    return [*view.order, *out]


@lru_cache(maxsize=512)
def player_row(
    person: Person,
    seat: KingsSeatView,
    land: tuple[int, int],
    heroes: tuple[str, ...],
    asked: bool,
    marks: tuple[bool, bool, bool],
    citadel: str,
) -> PlayerRow:
    assert seat.income is not None
    (hexes, forts), (first, won, richest) = land, marks
    return PlayerRow(
        number=seat.number,
        name=person.name,
        kind=person.kind,
        is_you=person.is_you,
        gold=seat.gold,
        income=seat.income.total,
        income_words=income_words(seat.income),
        rack=seat.rack,
        hexes=hexes,
        heroes=tuple(KINDS[kind].name for kind in heroes),
        out=seat.out,
        asked=asked,
        forts=forts,
        first=first,
        won=won,
        richest=richest,
        citadel=citadel,
    )


def player_rows(scene: Scene, before: Any = None) -> tuple[PlayerRow, ...]:
    view = scene.view
    assert isinstance(view, KingsView)
    if before is not None and facts_of_players(scene) == facts_of_players(before.scene):
        known: tuple[PlayerRow, ...] = before.lists["players"]
        return known
    people: dict[int, Person] = {person.number: whose_screen(scene, person) for person in scene.people}
    seats: dict[int, Any] = {seat.number: seat for seat in view.seats}
    hexes, forts = kept_land((view.hexes,))
    holder, when = sole_citadel(view), citadel_wins(view)
    first = view.order[0] if view.order else None
    most = max(seat.income.total for seat in seats.values())
    winners = view.result.winners if view.result is not None else ()
    return tuple(
        player_row(
            people[number],
            seats[number],
            (hexes[number], forts[number]),
            view.heroes.get(number, ()),
            number in view.asked,
            (number == first, number in winners, most > 0 and seats[number].income.total == most),
            when if number == holder else "",
        )
        for number in view_order(view)
    )


def whose_screen(scene: Scene, person: Person) -> Person:
    """On a shared screen only whoever looks at it now is "you"."""
    return replace(person, is_you=False) if scene.is_shared and person.number != scene.view.seat else person


def facts_of_players(scene: Scene) -> tuple[object, ...]:
    """All that the list of players is made of."""
    view = scene.view
    assert isinstance(view, KingsView)
    return view.seats, view.hexes, view.heroes, view.asked, view.order, view.result, view.sole, view.turn, scene.people


def land_of(hexes: Sequence[HexView]) -> tuple[Counter[int | None], Counter[int | None]]:
    """How many hexes each seat has, and how many forts."""
    return Counter(here.owner for here in hexes), Counter(here.owner for here in hexes if here.fort)


kept_land = Memo(lambda hexes: land_of(hexes[0]), 256)


def income_words(sums: Income) -> str:
    return f"land {sums.land}, forts {sums.forts}, counters {sums.counters}, heroes {sums.heroes}"


@lru_cache(maxsize=256)
def draw_player(row: PlayerRow, **attributes: object) -> SafeString:
    badges = [
        *([element("span", row.kind, class_="badge")] if row.kind in ("bot", "guest") else []),
        *([element("span", "you", class_="badge info")] if row.is_you else []),
        *([element("span", "out", class_="badge bad")] if row.out else []),
        *([element("span", "won", class_="badge good")] if row.won else []),
        *([element("span", "to act", class_="badge turn")] if row.asked else []),
    ]
    most = element("span", "★", class_="most", role="img", aria_label="most income", title="Nobody has more income")
    facts = join(
        element("span", element("b", row.gold), " gold", class_="gold"),
        element(
            "span", f"+{row.income}", most if row.richest else "", class_="income", title=f"Income {row.income_words}"
        ),
        fact(row.hexes, "hexes"),
        fact(row.forts, "forts"),
        fact(row.rack, "in the rack"),
    )
    heroes = ", ".join(row.heroes)
    first = element("span", "1st", class_="first", title="First player this turn") if row.first else ""
    return element(
        "li",
        crest(row.number),
        element(
            "div",
            element("span", class_="presence", data_seat=row.number, data_own="class title"),
            element("bdi", row.name, title=row.name if len(row.name) > SHORT else None),
            *badges,
            class_="who",
        ),
        first,
        element("div", facts, class_="facts-line"),
        element("div", row.citadel, class_="countdown") if row.citadel else "",
        element("div", heroes, class_="heroes", title=heroes if len(row.heroes) > 1 else None) if heroes else "",
        id=f"player-{row.number}",
        class_=f"noble {board.seat_class(row.number)}{' to-move' if row.asked else ''}{' out' if row.out else ''}",
        **attributes,
    )


SHORT = 14  # letters of a name that fit beside the badges


def fact(number: int, what: str) -> SafeString:
    """A number; the style sheet puts a sign before it in place of the words."""
    return element("span", number, element("i", f" {what}"), class_=what.split()[-1])


def draw_purse(context: dict[str, Any]) -> SafeString:
    return purse_drawn(context["seat"])


@lru_cache(maxsize=256)
def purse_drawn(seat: KingsSeatView | None) -> SafeString:
    """What oneself has to spend, and what the next turn brings."""
    if seat is None:
        return SafeString("")
    assert seat.income is not None
    words = income_words(seat.income)
    return join(
        owner_badge(seat.number),
        element("strong", f"{seat.gold} gold"),
        element("span", f"+{seat.income.total}", element("span", " a turn"), class_="income", title=words),
    )


def draw_phases(context: dict[str, Any]) -> SafeString:
    return phases_drawn(context["phase"], context["turn"])


@lru_cache(maxsize=256)
def phases_drawn(now: str, number: int) -> SafeString:
    steps = [
        element(
            "li",
            element(
                "button", SHORT_PHASES[phase], type="button", data_lesson=phase, title=f"{name}: what happens here?"
            ),
            class_="now" if phase == now else None,
            aria_current=phase == now and "step",
        )
        for phase, name in PHASES.items()
    ]
    turn = f"Turn {number}" if number else "Set-up"
    return join(element("strong", turn), element("ol", *steps, class_="phase-bar"))


# ---- counters


def counters_by_place(view: KingsView) -> Mapping[str, tuple[Face | Back, ...]]:
    return view.stacks


Sealed = tuple[tuple[str, str], ...]  # tags, and where what bears them goes in words


def sealed_words(scene: Scene, view: KingsView) -> Sealed:
    """What of the viewer's rack is in a sealed answer."""
    if not view.sealed:
        return ()
    names = names_on(view, scene.table)
    return tuple((tag, "the cup" if place == "cup" else names[place]) for tag, place in view.sealed.items())


def rack_context(
    rack: tuple[Face | Back, ...], terrains: frozenset[str], seat: int | None, sealed: Sealed
) -> dict[str, Any]:
    found = [c for c in rack if isinstance(c, Face)]
    found.sort(key=lambda c: (KINDS[c.kind].sort, KINDS[c.kind].terrain, c.kind, c.tag))
    counters = tuple((face, support(seat, face, terrains)) for face in found)
    return {"counters": counters, "has_seat": seat is not None, "sealed": dict(sealed)}


kept_rack = Memo(lambda rack, *facts: rack_context(rack[0], *facts), 512)


def draw_rack(context: dict[str, Any]) -> SafeString:
    if not context["has_seat"]:
        return SafeString("")
    if not context["counters"]:
        return element("p", "Your rack is empty.", class_="muted small")
    art, sealed = board.sprite(), context["sealed"]
    return join(*(pickable(face, mark, art, sealed.get(face.tag, "")) for face, mark in context["counters"]))


def draw_pool(context: dict[str, Any]) -> SafeString:
    art = board.sprite()
    return element("div", *(pickable(face, "", art) for face in context["counters"]), class_="counters")


def draw_bank(context: dict[str, Any]) -> SafeString:
    left = ", ".join(f"{count} {name}{'' if count == 1 else 's'}" for name, count in context["forts"].items())
    return element("p", f"In the bank: {left}.", class_="small muted")


def stack_context(
    here: HexView,
    counters: tuple[Face | Back, ...],
    seat: int | None,
    terrains: frozenset[str],
    cloud: bool,
    fought: bool,
    name: str,
    sealed: tuple[Face, ...],
) -> dict[str, Any]:
    marked = marked_in(seat, counters, terrains)
    contested = len(counters) > 1 and len(sides(here, counters)) > 1
    return {
        "hex": here,
        "name": name,
        "counters": marked,
        "cloud": cloud,
        "battle": "battle now" if fought else "contested" if contested else "",
        "sealed": sealed,
    }


kept_stack = Memo(lambda stack, *facts: stack_context(*stack, *facts))


def draw_stack(context: dict[str, Any], art: str) -> SafeString:
    here, counters = context["hex"], context["counters"]
    owners = sorted({-1 if c.owner is None else c.owner for c, _ in counters})
    groups = [
        draw_group(
            "Nobody’s" if owner < 0 else join(owner_badge(owner), SEATS[owner]),
            [(c, mark) for c, mark in counters if (-1 if c.owner is None else c.owner) == owner],
            art,
        )
        for owner in owners
    ]
    if context["sealed"]:
        groups.append(draw_group("Sealed here", [(face, "sealed") for face in context["sealed"]], art))
    return join(element("h3", " · ".join(stack_facts(context))), *groups or [nothing_in(here)])


kept_drawing = Memo(lambda context, art: draw_stack(context[0], art), 256)


def nothing_in(here: HexView) -> SafeString:
    return element("p", "Nothing stands here." if here.terrain else "Not turned up yet.", class_="muted small")


def stack_facts(context: dict[str, Any]) -> Iterator[str]:
    here = context["hex"]
    if context["name"]:
        yield titled(context["name"])
    yield here.place
    yield here.terrain or "face down"
    if here.owner is not None:
        yield SEATS[here.owner]
    if here.fort:
        yield FORTS[here.fort] + (f" ({here.damage} damage)" if here.damage else "")
    if context["cloud"]:
        yield "under the Black Cloud"
    if context["battle"]:
        yield context["battle"]


def draw_group(name: str | SafeString, counters: list[Marked], art: str) -> SafeString:
    return element(
        "div",
        element("h4", name, f": {len(counters)}"),
        element("div", *(pickable(c, mark, art) for c, mark in counters), class_="counters"),
        class_="stack-group",
    )


# ---- orders


def draw_orders(context: dict[str, Any]) -> SafeString:
    return orders_drawn(tuple(context["orders"].items())) if context["orders"] else SafeString("")


@lru_cache(maxsize=256)
def orders_drawn(given: tuple[tuple[str, str], ...]) -> SafeString:
    """A list for each standing order; each choice is a whole action."""
    now = dict(given)
    return join(*(order_drawn(about, now.get(about, "")) for about in ORDERS))


def order_drawn(about: str, now: str) -> SafeString:
    order = ORDERS[about]
    options = [
        element("option", words, value=as_json(SetOrder(about, how).plain()), selected="" if how == now else None)
        for how, words in order.choices.items()
    ]
    chosen = element("select", *options, aria_label=order.label, data_acts="", data_key=f"order {about}")
    return element("label", order.label, chosen, class_="field small")


DRAWN: dict[str, Callable[[dict[str, Any]], SafeString]] = {
    "prompt": draw_prompt,
    "purse": draw_purse,
    "phases": draw_phases,
    "rack": draw_rack,
    "battle": draw_arena,
    "dice": draw_dice_panel,
    "odds": draw_odds,
    "battle-odds": draw_bar,
    "controls": lambda context: context["drawn"],
    "plans": draw_planned,
    "ghosts": draw_ghosts,
    "agreement": draw_agreement,
    "orders": draw_orders,
    "meanwhile": draw_meanwhile,
    "bluffs": draw_bluffs,
    "finale": draw_finale,
    "pool": draw_pool,
    "bank": draw_bank,
}


# ---- small things pages ask for


def title(scene: Scene, prompt: dict[str, Any]) -> str:
    view = scene.view
    turn = "(1) " if view.seat is not None and view.seat in view.asked else ""
    return f"{turn}{prompt['title']} · {scene.game_name}"


def preview(scene: Scene, fields: Fields) -> SafeString:
    """The controls with what has been picked."""
    assert isinstance(scene.view, KingsView)
    return preview_of(scene, scene.view, fields)


def action_in_form(scene: Scene, fields: Fields) -> Any:
    """The action that a form without scripts comes to; None if it comes to none."""
    assert isinstance(scene.view, KingsView)
    action = action_from(scene, scene.view, fields)
    return None if action is None else plain(action)


def action_of(text: str) -> dict[str, str] | None:
    """Nothing of this game is typed."""
    return None


def fight_in(scene: Scene, view: KingsView) -> dict[str, Any]:
    return battle_context(scene, view, counters_by_place(view), terrains_of(view, view.seat))


def past_facts(scene: Scene, now: Scene, before: View) -> dict[str, Any]:
    """The film of that step, the battle as it stood then and before, the hexes as they were before it, and what one may
    jump to."""
    view = scene.view
    assert isinstance(view, KingsView) and isinstance(before, KingsView)
    earlier = replace(scene, view=before, lines=Grown(scene.lines[: film.start_of_step(scene)]))
    return {
        "shots": film.draw_step(scene),
        "arena": draw_past_arena(scene, fight_in(scene, view)),
        "arena_was": draw_battle(fight_in(earlier, before)),
        "was": board.changed_hexes(before, view, scene.table),
        "chapters": film.chapters(now),
    }


def export_text(scene: Scene, start: View, tags: dict[str, str]) -> str:
    assert isinstance(scene.view, KingsView)
    names = names_on(scene.view, scene.table)
    land = [f"{here.place}: {names[here.place]}, {here.terrain}" for here in scene.view.hexes if here.terrain]
    return "\n".join([scene.as_text(), "Hexes", *land, ""])
