"""The page of Kings & Things*: what is asked, who has what, the rack, the battle, and what every hex holds.

The board itself is drawn in kings_board.py. What may be done goes to the page's script as data (#offers): the script
offers a control for each of it and sends one whole action.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString

from games.engine.core.plain import plain
from games.engine.core.view import Back, Face, View
from games.engine.kings import KINGS
from games.engine.kings.catalogue import FORTS, KINDS
from games.engine.kings.flow.turn import PHASES
from games.engine.kings.map import map_for
from games.engine.kings.orders import ORDERS
from games.engine.kings.view import KingsView

from . import kings_board
from .kings_board import draw_back, draw_counter, draw_hex, hex_looks
from .kings_words import ASKED, LABELS, QUESTIONS
from .markup import element, join
from .scene import Scene

PAGE = "table/kings.html"
CELL = "hex"
TEMPLATES: dict[str, str] = {}
SEATS = KINGS.seat_names
SHAPES = ("disc", "square", "diamond", "triangle")


def side_of(view: View) -> int:
    """The map is seen from the same side by everybody."""
    return 0


squares = hex_looks
draw_square = draw_hex


def draw_board(looks: Any, side: int) -> SafeString:
    return kings_board.draw_board(looks)


def page_facts(scene: Scene) -> dict[str, Any]:
    """What the page itself is drawn from and never changes: the map."""
    players = len(scene.people)
    near = map_for(players).neighbours
    return {
        "view_box": kings_board.view_box(players),
        "places": list(near),
        "near": json.dumps(near, separators=(",", ":")),
    }


def still_board(view: KingsView, side: int | None = None) -> SafeString:
    return kings_board.still_board(view)


def panels(scene: Scene, side: int) -> dict[str, dict[str, Any]]:
    view = scene.view
    assert isinstance(view, KingsView)
    found = {
        "prompt": prompt_context(scene),
        "players": {"rows": tuple(player_row(scene, view, number) for number in view_order(view))},
        "phases": {"phase": view.phase, "turn": view.turn, "cloud": view.cloud},
        "rack": {"counters": rack_of(view), "has_seat": view.seat is not None},
        "battle": battle_context(scene, view),
        "offers": {"data": offers_data(scene, view)},
        "pool": {"counters": tuple(c for c in view.counters if c.place == "pool"), "forts": dict(view.forts_left)},
    }
    return {**found, **{f"in-{here.place}": stack_context(view, here.place) for here in view.hexes}}


def draw_panel(slot: str, context: dict[str, Any]) -> SafeString | None:
    """Panels that are drawn by functions: quicker than templates, and there are many of them."""
    if slot.startswith("in-"):
        return draw_stack(context)
    draw = {
        "players": draw_players,
        "phases": draw_phases,
        "rack": draw_rack,
        "battle": draw_battle,
        "offers": draw_offers,
        "pool": draw_pool,
    }.get(slot)
    return draw(context) if draw else None


def lists(scene: Scene) -> dict[str, tuple[Any, ...]]:
    return {}


# ---- what is asked


def prompt_context(scene: Scene) -> dict[str, Any]:
    view = scene.view
    assert isinstance(view, KingsView)
    if view.result is not None:
        title, details = ended(scene, view)
    elif view.seat is not None and view.seat in view.asked:
        title, details = QUESTIONS.get(view.question, ("Your decision", ""))
    else:
        title, details = waiting(scene, view)
    return {
        "state": "over" if scene.is_over else "yours" if view.seat in view.asked else "waiting",
        "title": title,
        "details": (details,) if details else (),
        "replies": (),
    }


def ended(scene: Scene, view: KingsView) -> tuple[str, str]:
    assert view.result is not None
    names = [scene.name(number) for number in view.result.winners]
    how = KINGS.endings.get(view.result.how, "")
    if not names:
        return "Nobody wins", f"The game ended {how}."
    mine = view.seat in view.result.winners and len(names) == 1
    return ("You win!" if mine else f"{' and '.join(names)} win{'' if len(names) > 1 else 's'}"), f"{how.capitalize()}."


def waiting(scene: Scene, view: KingsView) -> tuple[str, str]:
    """Who is waited for and what for; never in a reaction window."""
    if not view.asked:
        return "Just a moment", "Somebody may want to answer this."
    names = " and ".join(scene.name(number) for number in view.asked)
    return f"Waiting for {names}", PHASES.get(view.phase, "Set-up")


# ---- people


@dataclass(frozen=True)
class PlayerRow:
    number: int
    name: str
    kind: str
    is_you: bool
    title: str
    gold: int
    income: int
    income_words: str
    rack: int
    hexes: int
    heroes: tuple[str, ...]
    out: bool
    asked: bool
    first: bool
    won: bool


def view_order(view: KingsView) -> list[int]:
    out = [seat.number for seat in view.seats if seat.number not in view.order]
    return [*view.order, *out]


def player_row(scene: Scene, view: KingsView, number: int) -> PlayerRow:
    seat: Any = next(each for each in view.seats if each.number == number)
    person = scene.person(number)
    sums = seat.income
    return PlayerRow(
        number=number,
        name=person.name,
        kind=person.kind,
        is_you=person.is_you,
        title=SEATS[number],
        gold=seat.gold,
        income=sums.total,
        income_words=f"land {sums.land}, forts {sums.forts}, counters {sums.counters}, heroes {sums.heroes}",
        rack=seat.rack,
        hexes=sum(1 for here in view.hexes if here.owner == number),
        heroes=tuple(
            KINDS[c.kind].name
            for c in view.counters
            if isinstance(c, Face) and c.owner == number and KINDS[c.kind].sort == "hero"
        ),
        out=seat.out,
        asked=number in view.asked,
        first=bool(view.order) and view.order[0] == number,
        won=view.result is not None and number in view.result.winners,
    )


def draw_players(context: dict[str, Any]) -> SafeString:
    return element("ul", *(draw_player(row) for row in context["rows"]), class_="nobles")


def draw_player(row: PlayerRow) -> SafeString:
    badges = [
        *([element("span", row.kind, class_="badge")] if row.kind in ("bot", "guest") else []),
        *([element("span", "you", class_="badge info")] if row.is_you else []),
        *([element("span", "out", class_="badge bad")] if row.out else []),
        *([element("span", "won", class_="badge good")] if row.won else []),
        *([element("span", "asked", class_="badge turn")] if row.asked else []),
    ]
    facts = join(
        element("span", f"{row.gold} gold", class_="gold"),
        element("span", f"income {row.income}", title=row.income_words),
        element("span", f"{row.hexes} hexes"),
        element("span", f"rack {row.rack}"),
    )
    first = element("span", "1st", class_="first", title="First player this turn") if row.first else ""
    return element(
        "li",
        element("span", class_=f"shape {SHAPES[row.number]} seat-{row.number}", title=row.title),
        element(
            "div", element("span", class_="presence", data_seat=row.number), element("bdi", row.name), *badges, first
        ),
        element("div", facts, class_="facts-line"),
        element("div", ", ".join(row.heroes), class_="heroes small muted") if row.heroes else "",
        class_=f"noble{' to-move' if row.asked else ''}{' out' if row.out else ''}",
    )


def draw_phases(context: dict[str, Any]) -> SafeString:
    steps = [
        element(
            "li",
            name,
            class_="now" if phase == context["phase"] else None,
            aria_current=phase == context["phase"] and "step",
        )
        for phase, name in PHASES.items()
        if phase != "rotate"
    ]
    turn = f"Turn {context['turn']}" if context["turn"] else "Set-up"
    return join(element("strong", turn), element("ol", *steps, class_="phase-bar"))


# ---- counters


def rack_of(view: KingsView) -> tuple[Face, ...]:
    mine = f"rack:{view.seat}"
    found = [c for c in view.counters if c.place == mine and isinstance(c, Face)]
    return tuple(sorted(found, key=lambda c: (KINDS[c.kind].sort, KINDS[c.kind].terrain, c.kind, c.tag)))


def draw_rack(context: dict[str, Any]) -> SafeString:
    if not context["has_seat"]:
        return SafeString("")
    if not context["counters"]:
        return element("p", "Your rack is empty.", class_="muted small")
    return join(*(pickable(face) for face in context["counters"]))


def pickable(face: Face | Back) -> SafeString:
    """A counter in a panel, which the script may let its owner pick."""
    drawing = draw_counter(face) if isinstance(face, Face) else draw_back(face.owner)
    name = KINDS[face.kind].name if isinstance(face, Face) else "Face-down counter"
    return element(
        "button",
        drawing,
        type="button",
        class_="counter-button",
        data_tag=face.tag,
        aria_label=name,
        title=name,
        aria_pressed="false",
    )


def draw_pool(context: dict[str, Any]) -> SafeString:
    left = ", ".join(f"{count} {name}{'' if count == 1 else 's'}" for name, count in context["forts"].items())
    counters = element("div", *(pickable(face) for face in context["counters"]), class_="counters")
    return join(counters, element("p", f"In the bank: {left}.", class_="small muted"))


def stack_context(view: KingsView, place: str) -> dict[str, Any]:
    here = next(each for each in view.hexes if each.place == place)
    counters = tuple(c for c in view.counters if c.place == place)
    return {"place": place, "hex": here, "counters": counters, "cloud": view.cloud == place}


def draw_stack(context: dict[str, Any]) -> SafeString:
    here, counters = context["hex"], context["counters"]
    facts = [context["place"], here.terrain or "face down"]
    if here.owner is not None:
        facts.append(SEATS[here.owner])
    if here.fort:
        facts.append(FORTS[here.fort] + (f" (damage {here.damage})" if here.damage else ""))
    if context["cloud"]:
        facts.append("under the Black Cloud")
    owners = sorted({-1 if c.owner is None else c.owner for c in counters})
    groups = [
        element(
            "div",
            element("h4", "Nobody’s" if owner < 0 else SEATS[owner]),
            element(
                "div",
                *(pickable(c) for c in counters if (-1 if c.owner is None else c.owner) == owner),
                class_="counters",
            ),
            class_="stack-group",
        )
        for owner in owners
    ]
    return join(element("h3", " · ".join(facts)), *groups)


# ---- battle


def battle_context(scene: Scene, view: KingsView) -> dict[str, Any]:
    battle = next((each for each in reversed(view.doing) if each["frame"] in ("battle", "explore")), None)
    roll = next((each for each in reversed(view.doing) if each["frame"] == "roll"), None)
    if battle is None:
        return {"rolled": shown_roll(scene, view), "battle": None, "sides": ()}
    place = battle["place"]
    sides = [*battle.get("attackers", [battle.get("seat")]), battle.get("defender", -1)]
    names = {side: "Wild defenders" if side is None or side < 0 else scene.name(side) for side in sides}
    return {
        "battle": {key: value for key, value in battle.items() if key != "rule"},
        "sides": tuple(
            (
                names[side],
                tuple(c for c in view.counters if c.place == place and (-1 if c.owner is None else c.owner) == side),
            )
            for side in sides
        ),
        "rolled": shown_roll(scene, view),
        "roll": roll,
    }


def shown_roll(scene: Scene, view: KingsView) -> tuple[str, tuple[tuple[str, tuple[int, ...]], ...]]:
    if not view.rolled:
        return "", ()
    why, throwers, faces = view.rolled
    names = ["Wild defenders" if seat < 0 else scene.name(seat) for seat in throwers]
    return str(why), tuple((name, tuple(each)) for name, each in zip(names, faces))


DICE = " ⚀⚁⚂⚃⚄⚅"


def die(face: int) -> SafeString:
    return element("span", DICE[face] if 1 <= face <= 6 else str(face), class_="die", aria_label=str(face), role="img")


def draw_battle(context: dict[str, Any]) -> SafeString:
    why, rows = context["rolled"]
    dice = [
        element("div", element("span", name, class_="who"), *(die(face) for face in faces), class_="dice-row")
        for name, faces in rows
    ]
    shown = element("div", element("h4", f"Last dice: {LABELS.get(why, why)}"), *dice, class_="dice") if rows else ""
    battle = context["battle"]
    if battle is None:
        return join(shown)
    title = f"Battle in {battle['place']}" if battle["frame"] == "battle" else f"Exploring {battle['place']}"
    if battle.get("round"):
        title += f", round {battle['round']}" + (f", {battle['step']}" if battle["step"] else "")
    sides = [
        element(
            "div",
            element("h4", name),
            element("div", *(pickable(c) for c in counters), class_="counters"),
            class_="battle-side",
        )
        for name, counters in context["sides"]
    ]
    return join(element("h3", title), element("div", *sides, class_="battle-sides"), shown)


# ---- what may be done


def offers_data(scene: Scene, view: KingsView) -> str:
    """The seat's offers, and the words for what they name, as one text for the page's script."""
    if view.seat is None or view.result is not None:
        return json.dumps({"offers": [], "question": ""})
    names = {
        c.tag: {"name": KINDS[c.kind].name, "kind": c.kind, "place": c.place, "value": KINDS[c.kind].value}
        if isinstance(c, Face)
        else {"name": "face-down counter", "kind": "", "place": c.place, "value": 0}
        for c in view.counters
    }
    data = {
        "question": view.question,
        "asks": ASKED.get(view.question, ""),
        "seat": view.seat,
        "gold": next(each.gold for each in view.seats if each.number == view.seat),  # type: ignore[attr-defined]
        "offers": [plain(offer) for offer in view.offers if offer.do != "set_order"],
        "names": names,
        "seats": {str(person.number): person.name for person in scene.people},
        "labels": LABELS,
        "map": {here.place: here.terrain for here in view.hexes},
        "roll": next((plain(each) for each in reversed(view.doing) if each["frame"] == "roll"), None),
        "orders": view.orders,
        "order_words": {about: [each.label, each.choices] for about, each in ORDERS.items()},
    }
    return json.dumps(data, separators=(",", ":"))


def draw_offers(context: dict[str, Any]) -> SafeString:
    return element("div", id="offers-data", hidden="", data_offers=context["data"])


# ---- small things pages ask for


def title(scene: Scene) -> str:
    view = scene.view
    assert isinstance(view, KingsView)
    turn = "(1) " if view.seat is not None and view.seat in view.asked else ""
    return f"{turn}{prompt_context(scene)['title']} · {scene.game_name}"


def action_of(text: str) -> dict[str, str] | None:
    """Nothing of this game is typed."""
    return None


def export_text(scene: Scene, start: View, tags: dict[str, str]) -> str:
    facts = [f"{what}: {value}" for what, value in scene.facts]
    return "\n".join([*facts, "", *(f"{line.revision}. {line.text}" for line in scene.lines), ""])


def crest(number: int) -> str:
    return ""
