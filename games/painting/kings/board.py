"""Kings & Things*: the drawn board, from the look of every hex (looks.py) to its drawing.

Ids, classes and data attributes: docs/kings_board.md. Colours: static/css/kings.css. Pictures: static/art/kings.svg and
terrain.svg.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache, lru_cache

from django.utils.safestring import SafeString

from games.engine.core.hexgrid import DIRECTIONS
from games.engine.core.memo import Memo
from games.engine.kings.catalogue import FORTS, KINDS, Kind
from games.engine.kings.map import map_for
from games.engine.kings.view import KingsView

from ..markup import address_of, element, join
from .looks import AT, SEATS, BacksLook, CounterLook, HexLook, hex_looks, mark_names, value_text

# ---- where things are drawn: a hex has radius 100 and its middle at 0 0, with a flat side up

RADIUS = 100
HALF_HEIGHT = RADIUS * math.sqrt(3) / 2
MARGIN = 8
STACK_TOP, BELOW_FORTS, STACK_BOTTOM, ABOVE_BADGES = -52, -38, 64, 54
CHIT = 40  # a counter on the board is drawn in these units and scaled
CHIT_SIZES = (52, 48, 44, 38, 32, 28, 24, 21)
GAP = 2


def middle(place: str) -> tuple[float, float]:
    q, r = AT[place]
    return 1.5 * RADIUS * q, round(HALF_HEIGHT * (2 * r + q), 1)


def view_box(players: int) -> str:
    radius = map_for(players).board.radius
    width = (1.5 * radius + 1) * RADIUS + MARGIN
    height = (2 * radius + 1) * HALF_HEIGHT + MARGIN
    return f"{-width:g} {-height:.0f} {2 * width:g} {2 * height:.0f}"


def corner_at(number: int, radius: float) -> tuple[float, float]:
    """A corner of a hexagon. Side n, clockwise from north, lies between the corners n and n + 1."""
    angle = math.pi * (number - 2) / 3
    return radius * math.cos(angle), radius * math.sin(angle)


def hexagon(radius: float) -> str:
    corners = (corner_at(n, radius) for n in range(6))
    return " ".join(f"{x:.1f},{y:.1f}".replace(".0", "") for x, y in corners)


GROUND, EDGE = hexagon(RADIUS), hexagon(86)  # what is lit is lit inside the border of its realm
THICK = 11  # of a tile, seen from above and in front
TILE = "l50-86.6h100l50 86.6l-50 86.6h-100z"  # from its left corner
INSIDE = 6  # how far inside its own land a realm's border runs
CUT = 2 * INSIDE / math.sqrt(3)  # the same, along an edge from its corner


def room(top: float, bottom: float, size: float) -> int:
    """How many counters stand side by side between two heights of a hex."""
    widest = 2 * (RADIUS - max(abs(top), abs(bottom)) / math.sqrt(3)) - 8
    return int((widest + GAP) // (size + GAP))


@cache
def spots(count: int, above: float, below: float) -> tuple[float, tuple[tuple[float, float], ...]]:
    """How large so many counters are, and where: as large as they fit, in as few rows as that takes."""
    for size in CHIT_SIZES:
        for rows in range(1, int((below - above + GAP) // (size + GAP)) + 1):
            top = (above + below - rows * (size + GAP) + GAP) / 2
            tops = [top + row * (size + GAP) for row in range(rows)]
            rooms = [room(y, y + size, size) for y in tops]
            if sum(rooms) >= count:
                return size, tuple(in_rows(count, tops, rooms, size))
    return spots(sum(rooms), above, below)


def in_rows(count: int, tops: list[float], rooms: list[int], size: float) -> Iterator[tuple[float, float]]:
    for row, y in enumerate(tops):
        even = math.ceil(count / (len(tops) - row))
        here = min(rooms[row], max(even, count - sum(rooms[row + 1 :])))
        count -= here
        left = -(here * (size + GAP) - GAP) / 2
        for column in range(here):
            yield round(left + column * (size + GAP), 1), round(y, 1)


# ---- pieces of a drawing


def picture_of(kind: Kind) -> str:
    """Pictures go by the name on the counter: kinds of the same name share one."""
    return re.sub(r"[^a-z]+", "_", kind.name.lower().replace("'", ""))


def ground_of(kind: Kind) -> str:
    """The class that colours a counter: where it lives, or what sort of thing it is."""
    home = kind.terrain if kind.terrain not in ("", "any") else kind.lord_of or kind.sort
    return terrain_class(home)


def terrain_class(terrain: str) -> str:
    return f"t-{terrain.replace(' ', '-') or 'unknown'}"


def sprite() -> str:
    return address_of("art/kings.svg")


def tiles() -> str:
    return address_of("art/terrain.svg")


def picture(art: str, name: str, x: float, y: float, size: float, css: str = "picture") -> SafeString:
    return element("use", class_=css, href=f"{art}#{name}", x=x, y=y, width=size, height=size)


def seat_class(owner: int | None) -> str:
    return "wild" if owner is None else SEATS[owner]


@cache
def seat_mark(owner: int, x: float, y: float, r: float) -> SafeString:
    """Whose it is, by colour and shape: disc, square, diamond, triangle."""
    css = f"seat {SEATS[owner]}"
    if owner == 0:
        return element("circle", class_=css, cx=x, cy=y, r=r)
    if owner == 1:
        return element("rect", class_=css, x=x - r * 0.9, y=y - r * 0.9, width=r * 1.8, height=r * 1.8)
    if owner == 2:
        r *= 1.2
        return element("path", class_=css, d=f"M{x} {y - r:g}L{x + r:g} {y}L{x} {y + r:g}L{x - r:g} {y}z")
    r *= 1.15
    return element("path", class_=css, d=f"M{x - r:g} {y - r * 0.85:g}H{x + r:g}L{x} {y + r:g}z")


@lru_cache(maxsize=1024)
def chit(look: CounterLook, art: str) -> SafeString:
    """A counter on the board, small: picture, value and symbols, and whose it is."""
    kind = KINDS[look.kind]
    parts = [element("rect", class_="card", x=1, y=1, width=38, height=38, rx=6)]
    if look.masked:
        parts.append(element("path", class_="fold", d="M27 1h6a6 6 0 0 1 6 6v6z"))
    elif look.owner is not None and not look.sealed:
        parts.append(element("rect", class_="frame", x=3.4, y=3.4, width=33.2, height=33.2, rx=4))
    parts.append(picture(art, picture_of(kind), 8, 4, 24))
    parts += [picture(art, name, 3.5 + 10 * n, 27.5, 9, "mark") for n, name in enumerate(mark_names(kind))]
    if kind.gold and look.value is None:  # there is no room for both, and in a battle nobody counts gold
        parts += [element("circle", class_="coin", cx=9, cy=31, r=6.5), text(kind.gold, 9, 34.2, "gold")]
    if value := value_text(kind, look.value):
        parts.append(seal(value))
    if look.owner is not None:
        parts.append(seat_mark(look.owner, 7, 7, 4.5))
    return join(*parts)


@cache
def seal(words: str) -> SafeString:
    """A number at a counter's corner, large enough to be read where the picture is not."""
    return text(words, 32, 37, "value") if len(words) < 3 else text(words, 30, 36, "value both")


def chit_classes(look: CounterLook) -> str:
    mark = " sealed" if look.sealed else " masked" if look.masked else ""
    return f"chit {ground_of(KINDS[look.kind])} {seat_class(look.owner)}{mark}"


@lru_cache(maxsize=256)
def pile(backs: BacksLook) -> SafeString:
    """Backs of one owner as a single back with a number."""
    parts = [element("rect", class_="card under", x=5, y=-3, width=36, height=36, rx=6)] if backs.count > 1 else []
    parts.append(element("rect", class_="card", x=1, y=1, width=38, height=38, rx=6))
    if backs.owner is not None:
        parts.append(seat_mark(backs.owner, 16, 16, 7.5))
    return join(*parts, seal(str(backs.count)))


def text(words: object, x: float, y: float, css: str) -> SafeString:
    return element("text", words, x=x, y=y, class_=css)


def set_down(drawn: SafeString, css: str, x: float, y: float, size: float) -> SafeString:
    return element("g", drawn, class_=css, transform=f"translate({x:g} {y:g}) scale({size / CHIT:g})")


# ---- a hex


def draw_hex(place: str, look: HexLook) -> SafeString:
    """What is inside a hex's slot."""
    return kept_hex((look,), place, sprite())


def hex_drawn(look: HexLook, place: str, art: str) -> SafeString:
    return join(
        element("title", look.label),
        ground(look.terrain, variant_at(place), tiles()),
        border(look.owner, look.border) if look.owner is not None and look.border else "",
        fort(look.fort, look.fort_value, look.owner, art) if look.fort else "",
        seat_mark(look.owner, 1, -70, 10) if look.owner is not None else "",
        set_down(chit(look.income, art), chit_classes(look.income), 20, -82, 38) if look.income else "",
        *stack(look, art),
        badge(art, "cloud", -40) if look.cloud else "",
        badge(art, "battle", 40, look.battle) if look.battle else "",
        element("polygon", class_="edge", points=EDGE),
        place_label(place, look),
    )


MOST_LABELLED = 3  # counters; more need all the room there is
LABEL_ROOM, LETTER = 94, 0.58  # the width of a hex near its foot; that of a letter, as a share of its height


def place_label(place: str, look: HexLook) -> SafeString:
    """The hex's name as maps write it, where there is room; a hex that lies face down has its number.

    What its viewer has placed here in secret is more important."""
    if look.sealed:
        return element("text", "sealed here", x=0, y=72, class_="place sealed", font_size=14)
    if look.cloud or look.battle or len(look.counters) + len(look.backs) > MOST_LABELLED:
        return SafeString("")
    name = look.name.removeprefix("the ") or place
    size = min(14, int(LABEL_ROOM / (LETTER * len(name))))
    return element("text", name, x=0, y=71, class_="place", font_size=size)


# Looks that are the same for several viewers are the same object.
kept_hex = Memo(lambda looks, place, art: hex_drawn(looks[0], place, art))


VARIANTS = 3  # tiles of each terrain


def variant_at(place: str) -> int:
    """Which of its tiles a terrain shows here, so that neighbours seldom look alike."""
    q, r = AT[place]
    return (q - r) % VARIANTS


@cache
def ground(terrain: str, variant: int, art: str) -> SafeString:
    """A tile, with a shade upon it that darkens it by night and lights it when it can be chosen."""
    css = terrain_class(terrain)
    tile = f"{art}#{css.removeprefix('t-')}-{variant}"
    return element(
        "g",
        element("polygon", class_="ground", points=GROUND),
        element("use", class_="tile", href=tile, x=-100, y=-87, width=200, height=174),
        element("polygon", class_="shade", points=GROUND),
        class_=f"terrain {css}",
    )


@cache
def border(owner: int, around: tuple[int, ...]) -> SafeString:
    """A realm's border along these sides of a hex; it goes on in the next hex of the realm."""
    path = border_path(around)
    return element(
        "g", element("path", class_="casing", d=path), element("path", d=path), class_=f"border {SEATS[owner]}"
    )


def border_path(around: tuple[int, ...]) -> str:
    """Lines along these sides. They meet at corners of the hex, or reach the edge where the neighbour's line begins."""
    if len(around) == len(DIRECTIONS):
        return f"M{hexagon(RADIUS - CUT).replace(' ', 'L')}z"
    # A line begins at a side with no border before it, so that it is drawn in one go.
    starts = [n for n in around if (n - 1) % 6 not in around]
    return "".join(_line_from(n, around) for n in starts)


def _line_from(first: int, around: tuple[int, ...]) -> str:
    last = first
    while (last + 1) % 6 in around:
        last += 1
    points = [
        _along(first, first - 1),
        *(corner_at(n, RADIUS - CUT) for n in range(first + 1, last + 1)),
        _along(last + 1, last + 2),
    ]
    return "M" + "L".join(f"{x:.1f} {y:.1f}".replace(".0", "") for x, y in points)


def _along(corner: int, towards: int) -> tuple[float, float]:
    """The point on a hex's edge, near one corner on the way to another, where two hexes' lines meet."""
    (x, y), (to_x, to_y) = corner_at(corner, RADIUS), corner_at(towards, RADIUS)
    share = CUT / RADIUS
    return x + (to_x - x) * share, y + (to_y - y) * share


@cache
def fort(level: int, value: int | None, owner: int | None, art: str) -> SafeString:
    """A shield in its owner's colour with the level; where the fort's value is less now, both are shown."""
    return element(
        "g",
        element("path", class_="shield", d="M-66-86h48v32q0 20-24 31q-24-11-24-31z"),
        picture(art, FORTS[level], -56, -81, 28),
        text(level if value is None else f"{value}/{level}", -42, -36, "level"),
        class_=f"fort {seat_class(owner)}{'' if value is None else ' hit'}",
    )


def stack(look: HexLook, art: str) -> Iterator[SafeString]:
    """Everything that stands here, side by side. Where that is too small to read, the page shows a pile for each side
    (static/js/kings_camera.js); it can count what it sees, and is told the rest."""
    standing: list[CounterLook | BacksLook] = [*look.counters, *look.backs, *look.sealed]
    if not standing:
        return
    above = BELOW_FORTS if look.fort or look.income else STACK_TOP
    below = ABOVE_BADGES if look.cloud or look.battle or look.sealed else STACK_BOTTOM
    size, where = spots(len(standing), above, below)
    counts = numbers_of(standing) if len(where) < len(standing) else None
    yield element("g", *ranks(standing, size, where, art), class_="ranks", data_piles=counts)


def numbers_of(standing: list[CounterLook | BacksLook]) -> str:
    """How many counters each side has here."""
    counts: Counter[str] = Counter()
    for item in standing:
        counts[seat_class(item.owner)] += item.count if isinstance(item, BacksLook) else 1
    return " ".join(f"{owner}:{count}" for owner, count in counts.items())


def ranks(
    standing: list[CounterLook | BacksLook], size: float, where: tuple[tuple[float, float], ...], art: str
) -> Iterator[SafeString]:
    """Counters as large as there is room for; what does not fit is a number."""
    shown = standing if len(where) == len(standing) else standing[: len(where) - 1]
    for item, (x, y) in zip(shown, where):
        if isinstance(item, BacksLook):
            yield set_down(pile(item), f"chit back {seat_class(item.owner)}", x, y, size)
        else:
            yield set_down(chit(item, art), chit_classes(item), x, y, size)
    if len(shown) < len(standing):
        x, y = where[-1]
        yield text(f"+{len(standing) - len(shown)}", x + size / 2, y + size * 0.7, "more")


@cache
def badge(art: str, name: str, x: float, css: str = "") -> SafeString:
    return element(
        "g",
        element("circle", class_="plate", cx=x, cy=68, r=14),
        picture(art, name, x - 10, 58, 20),
        class_=f"badge {name} {css}".rstrip(),
    )


# ---- the board


def draw_board(looks: dict[str, HexLook]) -> SafeString:
    """The inside of the board's svg: a slot for every hex."""
    art = sprite()
    return join(beneath(tuple(looks)), *(slot(place, look, art) for place, look in looks.items()))


@cache
def beneath(places: tuple[str, ...]) -> SafeString:
    """The near edges of all tiles, in one piece."""
    corners = (f"M{x - RADIUS:g} {y + THICK:g}" for x, y in map(middle, places))
    return element("path", class_="beneath", d="".join(corner + TILE for corner in corners))


def slot(place: str, look: HexLook, art: str) -> SafeString:
    """The `<title>` inside names the slot: it is swapped with the rest, an aria-label would stay what it was."""
    return element(
        "g",
        kept_hex((look,), place, art),
        id=f"hex-{place}",
        class_="hex",
        transform=moved_to(place),
        data_place=place,
        role="button",
        tabindex=-1,
    )


def moved_to(place: str) -> str:
    x, y = middle(place)
    return f"translate({x:g} {y:g})"


def still_board(view: KingsView, side: int | None = None, label: str = "", table: str = "") -> SafeString:
    """A whole board to look at, with no slot in it that a patch could find; it lies the same way for every side."""
    looks = hex_looks(view, table=table)
    hexes = (still_hex(place, look) for place, look in looks.items())
    return element(
        "svg",
        beneath(tuple(looks)),
        *hexes,
        class_="kings-board still",
        view_box=view_box(len(view.seats)),
        role="img",
        aria_label=label or f"Board, turn {view.turn}",
    )


def still_hex(place: str, look: HexLook) -> SafeString:
    return element("g", draw_hex(place, look), class_="hex", transform=moved_to(place), data_still=place)


def changed_hexes(before: KingsView, after: KingsView, table: str) -> SafeString:
    """The hexes that two positions draw differently, as the earlier one does."""
    old, new = hex_looks(before, table=table), hex_looks(after, table=table)
    return join(*(still_hex(place, look) for place, look in old.items() if look != new[place]))
