"""Gambit of Kings: from a View to the contexts of its fragments, and the drawing of the board."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from django.templatetags.static import static
from django.utils.safestring import SafeString
from django.utils.text import capfirst

from games.engine.core.view import Face, View
from games.engine.gambit.catalogue import KIND, piece_name
from games.engine.gambit.notation import game_text, parse_position, square
from games.engine.gambit.view import GambitView

from .gambit_pieces import GOAL, HOW
from .geometry import BOARD, COLUMNS, SIZE, SQUARE, corner, is_dark, squares_from
from .markup import element, join
from .plain import called as called
from .scene import Person, Scene

ARMIES = ("light", "dark")
ALL_SQUARES = tuple(place for row in squares_from(0) for place in row)


# ---- the board


class Square(NamedTuple):
    """All that is drawn on a square; two that are equal look the same."""

    kind: str = ""
    side: int = 0
    last: str = ""  # "from" or "to" of the last move
    threat: bool = False


PAGE = "table/page.html"
CELL = "sq"
STEPS = ("moved",)
TEMPLATES = {"player-top": "player", "player-bottom": "player"}


def later_panels(scene: Scene) -> dict[str, dict[str, Any]]:
    """None: no part of this page takes long."""
    return {}


def panels(scene: Scene, side: int, before: Any = None) -> dict[str, dict[str, Any]]:
    return {
        "prompt": prompt_context(scene),
        "player-top": player_context(scene, 1 - side),
        "player-bottom": player_context(scene, side),
        "offers": offers_context(scene),
        "actions": actions_context(scene),
        "as-text": text_context(scene),
    }


def lists(scene: Scene, before: Any = None) -> dict[str, tuple[Any, ...]]:
    return {"moves": move_rows(scene)}


def draw_panel(slot: str, context: dict[str, Any]) -> SafeString | None:
    return None


def page_facts(scene: Scene) -> dict[str, Any]:
    """What stands on the page's cards: the goal, and how each piece of both armies moves."""
    return {
        "goal": GOAL,
        "piece_cards": [
            {"kind": kind, "army": army, "name": capfirst(full_name(kind, side)), "moves": moves}
            for side, army in enumerate(ARMIES)
            for kind, moves in HOW.items()
        ],
    }


def draw_row(slot: str, row: Any, scene: Scene, **attributes: object) -> SafeString:
    return draw_move_row(row, scene.url, **attributes)


def side_of(view: View) -> int:
    """The side at the bottom of the board; spectators sit with light."""
    return view.seat or 0


def squares(scene: Scene, before: Any = None) -> dict[str, Square]:
    assert isinstance(scene.view, GambitView)
    return looks_of(scene.view)


def looks_of(view: GambitView) -> dict[str, Square]:
    last = dict(zip(view.last, ("from", "to")))
    threatened = {side for side, _ in view.threatened}
    found = {place: Square(last=last.get(place, "")) for place in ALL_SQUARES}
    for face in view.counters:
        if isinstance(face, Face) and face.place in found and face.owner is not None:
            threat = face.kind == "castle" and face.owner in threatened
            found[face.place] = Square(face.kind, face.owner, last.get(face.place, ""), threat)
    return found


def draw_square(place: str, look: Square) -> SafeString:
    """What is inside a square's slot on a board that can be played on."""
    return _square(place, look, static("art/gambit.svg"), live=True)


@lru_cache(maxsize=20_000)
def _square(place: str, look: Square, sprite: str, live: bool) -> SafeString:
    size = {"width": SQUARE, "height": SQUARE}
    parts = [element("title", square_words(place, look))] if live else []
    parts.append(element("rect", class_="base", fill=None if live else base_colour(place), **size))
    if look.last:
        parts.append(element("rect", class_=f"last {look.last}", fill="#e0a31f", fill_opacity=".5", **size))
    if look.threat:
        parts.append(element("rect", class_="threat", fill="#a51d22", fill_opacity=".6", **size))
    if look.kind:
        parts.append(piece(look.kind, look.side, sprite, class_="piece"))
    if live:
        parts += [aim(bool(look.kind)), element("rect", class_="edge", x=3, y=3, width=94, height=94, rx=4)]
    return join(*parts)


def base_colour(place: str) -> str:
    """For pages without the board's style sheet, such as the admin's."""
    return "#8f9d77" if is_dark(place) else "#e9dfc4"


def aim(taken: bool) -> SafeString:
    """The mark of a square the chosen piece may go to; shown by a class on the slot."""
    if taken:
        return element("circle", class_="aim ring", cx=50, cy=50, r=47.5)
    return element("circle", class_="aim dot", cx=50, cy=50, r=14)


def piece(kind: str, side: int, sprite: str, **attributes: Any) -> SafeString:
    return element("use", href=f"{sprite}#{kind}-{ARMIES[side]}", width=SQUARE, height=SQUARE, **attributes)


def square_words(place: str, look: Square) -> str:
    words = [place]
    if look.kind:
        words.append(f"{ARMIES[look.side]} {full_name(look.kind, look.side)}")
    if look.last:
        words.append("moved here last" if look.last == "to" else "the last move came from here")
    if look.threat:
        words.append("can be taken")
    return ", ".join(words)


def full_name(kind: str, side: int) -> str:
    return f"promoted {piece_name(kind, side)}" if kind == "promoted" else piece_name(kind, side)


def draw_board(looks: dict[str, Square], side: int) -> SafeString:
    """The inside of the board's slot: a slot for every square, and the names of rows and columns."""
    sprite = static("art/gambit.svg")
    rows = (
        element("g", *(slot(place, looks[place], side, sprite) for place in row), role="row")
        for row in squares_from(side)
    )
    return join(*rows, coordinates(side), coordinates(1 - side, turned=True))


def slot(place: str, look: Square, side: int, sprite: str) -> SafeString:
    return element(
        "g",
        _square(place, look, sprite, live=True),
        id=f"sq-{place}",
        class_=f"square {'dark' if is_dark(place) else 'light'}",
        transform=moved_to(place, side),
        data_square=place,
        role="gridcell",
        tabindex=-1,
    )


def moved_to(place: str, side: int) -> str:
    x, y = corner(place, side)
    return f"translate({x} {y})"


def coordinates(side: int, turned: bool = False) -> SafeString:
    """Numbers down the left edge, letters along the bottom."""
    grid = squares_from(side)
    texts = [
        element("text", row[0][1:], x=4, y=y * SQUARE + 19, class_="on-dark" if is_dark(row[0]) else None)
        for y, row in enumerate(grid)
    ] + [
        element(
            "text",
            place[0],
            x=x * SQUARE + 95,
            y=BOARD - 6,
            text_anchor="end",
            class_="on-dark" if is_dark(place) else None,
        )
        for x, place in enumerate(grid[-1])
    ]
    return element("g", *texts, class_="coords turned" if turned else "coords", aria_hidden="true")


def still_board(view: GambitView, side: int | None = None, table: str = "", label: str = "") -> SafeString:
    """A whole board to look at, with no slot in it that a patch could find."""
    side = side_of(view) if side is None else side
    return picture(looks_of(view), side, label or f"Board: {view.position}")


def picture(looks: dict[str, Square], side: int, label: str, *more: object, css: str = "past") -> SafeString:
    sprite = static("art/gambit.svg")
    cells = (
        element(
            "g",
            _square(place, look, sprite, live=False),
            class_=f"square {'dark' if is_dark(place) else 'light'}",
            transform=moved_to(place, side),
        )
        for place, look in looks.items()
    )
    return element(
        "svg",
        *cells,
        *more,
        coordinates(side),
        class_=f"gambit-board still {css}",
        view_box=f"0 0 {BOARD} {BOARD}",
        role="img",
        aria_label=label,
    )


# ---- what may be done


def moves_on_offer(view: View) -> dict[str, tuple[str, ...]]:
    """Where each piece may go, by its square, in the order of the board."""
    for offer in view.offers:
        if offer.do == "move":
            by_source = dict(offer.by_source)  # type: ignore[attr-defined]
            return {place: by_source[place] for place in ALL_SQUARES if place in by_source}
    return {}


def offers_context(scene: Scene) -> dict[str, Any]:
    looks = squares(scene)
    return {
        "pieces": tuple(
            (source, full_name(looks[source].kind, looks[source].side), targets)
            for source, targets in moves_on_offer(scene.view).items()
        )
    }


MOVE = re.compile(r"\s*[SENLGTPC]?\s*([a-j](?:10|[1-9]))\s*[-–x:> ]*\s*([a-j](?:10|[1-9]))(?:=N)?\s*", re.I)


def preview(scene: Scene, fields: Any) -> None:
    """Nothing is picked in steps here: a move is one press."""
    return


def action_in_form(scene: Scene, fields: Any) -> None:
    return None


def action_of(text: str) -> dict[str, str] | None:
    """The action somebody typed, e.g. “e2-e4”, “e2 e4” or “Se2-e4”; None if it cannot be read."""
    match = MOVE.fullmatch(text)
    return match and {"do": "move", "source": match[1].lower(), "target": match[2].lower()}


def button(do: str, label: str, icon: str = "", style: str = "") -> dict[str, str]:
    return {"value": json.dumps({"do": do}), "label": label, "icon": icon, "style": style}


ASIDES = {
    "ask_take_back": ("Take back", "undo"),
    "offer_draw": ("Draw", "handshake"),
    "resign": ("Resign", "flag"),
}

REPLIES = {
    "accept_draw": ("Accept", "primary"),
    "decline_draw": ("Decline", ""),
    "allow_take_back": ("Allow", "primary"),
    "decline_take_back": ("Decline", ""),
}


def actions_context(scene: Scene) -> dict[str, Any]:
    offered = {offer.do for offer in scene.view.offers}
    return {
        "playing": scene.view.seat is not None and not scene.is_over,
        "asides": tuple(
            {**button(do, label, icon), "on": do in offered, "confirm": do == "resign", "do": do}
            for do, (label, icon) in ASIDES.items()
        ),
    }


# ---- what is asked of whom


def prompt_context(scene: Scene) -> dict[str, Any]:
    view = scene.view
    assert isinstance(view, GambitView)
    replies = [
        button(offer.do, REPLIES[offer.do][0], style=REPLIES[offer.do][1])
        for offer in view.offers
        if offer.do in REPLIES
    ] + [button(do, f"{scene.name(seat)}: {REPLIES[do][0]}", style=REPLIES[do][1]) for seat, do in scene.beside]
    title, details = _over(scene) if scene.is_over else _asked(scene, view)
    return {
        "state": "over" if scene.is_over else "yours" if view.seat in view.asked else "waiting",
        "title": title,
        "details": tuple(details),
        "replies": tuple(replies),
    }


ENDS = {
    "castle": ("{loser}’s Castle has fallen.", "Your Castle has fallen."),
    "no_move": ("{loser} cannot move.", "You cannot move."),
    "resigned": ("{loser} resigned.", "You resigned."),
}
"""How a game was lost, as others say it and as the loser is told."""


def _over(scene: Scene) -> tuple[str, list[str]]:
    result = scene.view.result
    assert result is not None
    if not result.winners:
        how = next((line.facts["how"] for line in reversed(scene.lines) if line.event == "drawn"), result.how)
        return "A draw", [f"{how[:1].upper()}{how[1:]}."]
    winner, loser = scene.person(result.winners[0]), scene.person(1 - result.winners[0])
    others, own = ENDS[result.how]
    said = own if loser.is_you and not scene.is_shared else others.format(loser=loser.name)
    return "You win!" if winner.is_you and not scene.is_shared else f"{winner.name} wins", [said]


def _asked(scene: Scene, view: GambitView) -> tuple[str, list[str]]:
    details = [*_wishes(scene, view), *_dangers(scene, view)]
    mover = scene.person(view.turn)
    if view.seat == view.turn:
        title = scene.put_to("your move") if scene.is_shared else "Your move"
        usual = "Choose a piece, then where it goes."
    elif mover.kind == "bot":
        title, usual = f"{mover.name} is thinking", ""
    else:
        title, usual = f"{mover.name} is to move", f"Move {view.number}, {ARMIES[view.turn]} plays."
    return title, details or [usual]


def _wishes(scene: Scene, view: GambitView) -> list[str]:
    """Requests that stand, as the asker, the asked and others read them."""
    said = []
    for wish in view.wishes:
        seat, what = int(wish[0]), wish[2:]
        who = "You have" if seat == view.seat else f"{scene.name(seat)} has"
        said.append(f"{who} offered a draw." if what == "draw" else f"{who} asked to take back the last move.")
    return said


def _dangers(scene: Scene, view: GambitView) -> list[str]:
    """There is no check, so the page says when a Castle can be taken (G10)."""
    looks = looks_of(view)
    said = []
    for side, by in view.threatened:
        pieces = join_words(f"the {full_name(looks[place].kind, 1 - side)} on {place}" for place in by)
        if side == view.seat:
            said.append(f"Your Castle can be taken by {pieces}.")
        elif view.seat == view.turn:
            said.append(f"You can take the Castle with {pieces}!")
        else:
            said.append(f"{scene.name(side)}’s Castle can be taken by {pieces}.")
    return said


def join_words(words: Iterable[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


# ---- players, moves, log


def player_context(scene: Scene, number: int) -> dict[str, Any]:
    person, view = scene.person(number), scene.view
    won = view.result is not None and number in view.result.winners
    return {
        "person": person,
        "army": ARMIES[number],
        "to_move": number in view.asked,
        "won": won,
        "captured": captured_by(view, number),
    }


def captured_by(view: View, number: int) -> tuple[tuple[str, str, str], ...]:
    """What this player has taken, the most valuable last: (kind, army, name)."""
    taken = [face for face in view.counters if face.place == "taken" and face.owner == 1 - number]
    taken.sort(key=lambda face: (KIND[face.kind].value or 9999, face.kind))  # type: ignore[union-attr]
    return tuple((face.kind, ARMIES[1 - number], full_name(face.kind, 1 - number)) for face in taken)  # type: ignore[union-attr]


class MoveRow(NamedTuple):
    """A numbered pair of moves, each (revision, notation) or nothing."""

    number: int
    light: tuple[int, str] | None
    dark: tuple[int, str] | None


def move_rows(scene: Scene) -> tuple[MoveRow, ...]:
    rows: list[MoveRow] = []
    for line in moves_made(scene):
        number, seat, move = line.facts["number"], line.facts["seat"], (line.revision, line.facts["text"])
        if seat == 1 and rows and rows[-1].number == number:
            rows[-1] = rows[-1]._replace(dark=move)
        else:
            rows.append(MoveRow(number, None if seat else move, move if seat else None))
    return tuple(rows)


def moves_made(scene: Scene) -> list[Any]:
    return [line for line in scene.lines if line.event == "moved" and not line.taken_back]


def draw_move_row(row: MoveRow, url: str, **attributes: object) -> SafeString:
    return element(
        "li",
        element("span", row.number, class_="no"),
        *(_move(move, url) for move in (row.light, row.dark)),
        id=f"move-{row.number}",
        **attributes,
    )


def _move(move: tuple[int, str] | None, url: str) -> SafeString:
    if move is None:
        return element("span", class_="move none")
    revision, text = move
    return element("a", text, class_="move", href=f"{url}at/{revision}/", data_at=revision)


# ---- in words


def text_context(scene: Scene) -> dict[str, Any]:
    """The board for ears and for terminals."""
    view = scene.view
    assert isinstance(view, GambitView)
    return {
        "armies": tuple((ARMIES[side].capitalize(), army_words(view, side)) for side in (0, 1)),
        "last": " to ".join(view.last),
        "position": view.position,
        "diagram": diagram(view.position),
    }


def army_words(view: View, side: int) -> str:
    standing = [face for face in view.counters if face.owner == side and face.place != "taken"]
    standing.sort(key=lambda f: (-(KIND[f.kind].value or 9999), ALL_SQUARES.index(f.place)))  # type: ignore[union-attr]
    return ", ".join(f"{full_name(f.kind, side)} {f.place}" for f in standing)  # type: ignore[union-attr]


def diagram(position: str) -> str:
    """The position in letters, light upper case and dark lower case (G13)."""
    rows = []
    for number, row in zip(range(SIZE, 0, -1), position.split(" ")[0].split("/")):
        row = re.sub(r"\d+", lambda gap: "." * int(gap[0]), row.replace("N+", "K").replace("n+", "k"))
        rows.append(f"{number:2} {' '.join(row)}")
    return "\n".join([*rows, f"   {' '.join(COLUMNS)}"])


def title(scene: Scene, prompt: dict[str, Any]) -> str:
    if scene.is_over:
        return f"{prompt['title']} – {scene.game_name}"
    if scene.view.seat in scene.view.asked:
        return f"(●) Your turn – {scene.game_name}"
    return f"{' v. '.join(person.name for person in scene.people)} – {scene.game_name}"


def past_facts(scene: Scene, now: Scene, before: View) -> dict[str, Any]:
    """Nothing but the position."""
    return {}


def export_text(scene: Scene, start: View, tags: dict[str, str]) -> str:
    """The game in our notation, for other programs and for printing (G12)."""
    assert isinstance(start, GambitView)
    result = "*"
    if scene.view.result is not None:
        winners = scene.view.result.winners
        result = ("1-0", "0-1")[winners[0]] if winners else "1/2-1/2"
    moves = [(square(line.facts["source"]), square(line.facts["target"])) for line in moves_made(scene)]
    return game_text(moves, tags, parse_position(start.position), result)


def person_words(person: Person) -> str:
    """A name with what is to be known about it."""
    mark = {"guest": " (guest)", "bot": " (bot)"}.get(person.kind, "")
    return person.name + mark
