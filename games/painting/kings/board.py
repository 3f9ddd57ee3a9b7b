"""Kings & Things*: the drawn board. From a KingsView to the look of every hex, and from a look to its drawing.

A look holds all that is drawn on a hex and nothing else: two that are equal look the same, so only hexes whose look
has changed are sent. Looks come from Views alone; what a View does not show cannot be drawn.

Ids, classes and data attributes: docs/kings_board.md. Colours: static/css/kings.css. Pictures: static/art/kings.svg and
terrain.svg.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Any

from django.utils.safestring import SafeString

from games.engine.core.hexgrid import DIRECTIONS, neighbours, spiral
from games.engine.core.memo import Memo
from games.engine.core.view import Back, Face
from games.engine.kings import KINGS
from games.engine.kings.catalogue import FORTS, KINDS, LARGE, Kind
from games.engine.kings.map import map_for
from games.engine.kings.view import HexView, KingsFace, KingsView

from ..markup import address_of, element, join
from .places import names_on, titled

SEATS = tuple(name.lower() for name in KINGS.seat_names)
FIGHTS = ("battle", "explore")  # procedures that take place in one hex
MARKS = {"F": "flying", "M": "magic", "C": "charge", "R": "ranged", "*": "special"}


# ---- looks


@dataclass(frozen=True, slots=True)
class CounterLook:
    """A counter whose face the viewer sees."""

    kind: str
    owner: int | None
    masked: bool = False  # it lies face down on the map: the others see its back
    value: int | None = None  # combat value now, where it is not as printed


@dataclass(frozen=True, slots=True)
class BacksLook:
    """So many counters of one owner that the viewer may not look at."""

    owner: int | None
    count: int


@dataclass(frozen=True, slots=True)
class HexLook:
    """All that is drawn on a hex."""

    terrain: str  # empty while it lies face down
    owner: int | None = None
    border: tuple[int, ...] = ()  # the sides beyond which the owner's realm ends
    fort: int = 0
    damage: int = 0
    fort_value: int | None = None  # combat value now, where it is not the fort's level
    cloud: bool = False
    battle: str = ""  # "now" while it is fought, "waits" while more than one side stands here
    income: CounterLook | None = None
    counters: tuple[CounterLook, ...] = ()
    backs: tuple[BacksLook, ...] = ()
    name: str = ""  # empty while it lies face down
    label: str = ""  # the whole of it in words


Before = tuple[KingsView, dict[str, HexLook]]  # an earlier View of the same viewer, and its looks


def hex_looks(view: KingsView, before: Before | None = None, table: str = "") -> dict[str, HexLook]:
    """What there is to see on every hex, by place, from the middle outwards; hexes that are as before look so."""
    changed = kept_changes((view, before[0])) if before else None
    fought, stacks, owners = fought_over(view), view.stacks, kept_owners((view.hexes,))
    names = names_on(view, table)
    looks = {}
    for here in view.hexes:
        place = here.place
        if changed is None or place in changed:
            around, name = border_of(place, owners), names.get(place, "")
            stack = stacks.get(place, ())
            looks[place] = kept_look((here, stack), around, place == view.cloud, place in fought, name)
    return before[1] | looks if before else looks


def fought_over(view: KingsView) -> set[str]:
    return {doing["place"] for doing in view.doing if doing["frame"] in FIGHTS and doing.get("place")}


def changed_places(view: KingsView, before: KingsView) -> set[str]:
    """Hexes where anything is another than in an earlier View.

    What is the same mostly is the same object; in a game that was loaded again it is only equal."""
    new, old = view.stacks, before.stacks
    changed = {
        place for place, stack in new.items() if (was := old.get(place)) is not stack and was != stack and place in AT
    }
    if new.keys() != old.keys():
        changed |= {place for place in old if place not in new and place in AT}
    if view.hexes is not before.hexes:
        owners = kept_owners((view.hexes,))
        pairs = [(h, was) for h, was in zip(view.hexes, before.hexes) if h is not was and h != was]
        changed |= {h.place for h, _ in pairs}
        # Where land changes hands, the borders of the hexes around it change too.
        changed |= {near for h, was in pairs if h.owner != was.owner for near in NEAR[h.place] if near in owners}
    if view.cloud != before.cloud:
        changed |= {view.cloud, before.cloud}
    return changed | (fought_over(view) ^ fought_over(before))


kept_changes = Memo(lambda views: changed_places(views[0], views[1]), 16)  # board and panels ask one after the other

# Most hexes are the same after an action, and for everybody.
kept_look = Memo(lambda stack, *facts: hex_look(stack[0], stack[1], *facts))


def hex_look(
    each: HexView, counters: Sequence[Face | Back], border: tuple[int, ...], cloud: bool, fought: bool, name: str = ""
) -> HexLook:
    faces = sorted((counter_look(c) for c in counters if isinstance(c, Face)), key=lambda c: place_in_line(c, each))
    backs = Counter(c.owner for c in counters if isinstance(c, Back))
    income = next((face for face in faces if KINDS[face.kind].sort == "income"), None)
    if income is not None:
        faces.remove(income)
    look = HexLook(
        terrain=each.terrain,
        owner=each.owner,
        border=border,
        fort=each.fort,
        damage=each.damage,
        fort_value=each.fort_value if each.fort_value != each.fort else None,
        cloud=cloud,
        battle="now" if fought else "waits" if len(sides(each, counters)) > 1 else "",
        income=income,
        counters=tuple(faces),
        backs=tuple(BacksLook(owner, backs[owner]) for owner in sorted(backs, key=lambda o: side_in_line(o, each))),
        name=name,
    )
    return replace(look, label=hex_words(each.place, look))


def counter_look(face: Face) -> CounterLook:
    assert isinstance(face, KingsFace)
    value = face.value if face.value != KINDS[face.kind].value else None
    return CounterLook(face.kind, face.owner, not face.face_up and face.place in AT, value)


def sides(each: HexView, counters: Iterable[Face | Back]) -> set[int | None]:
    """Whoever has something in this hex that can fight; wild defenders belong to nobody."""
    found = {c.owner for c in counters if isinstance(c, Back) or KINDS[c.kind].value}
    return found | {each.owner} if each.fort else found


def side_in_line(owner: int | None, each: HexView) -> tuple[bool, int]:
    """The hex's owner first, then the other seats, then the wild."""
    return owner != each.owner, len(SEATS) if owner is None else owner


def place_in_line(look: CounterLook, each: HexView) -> tuple[Any, ...]:
    kind = KINDS[look.kind]
    value = kind.value if look.value is None else look.value
    return side_in_line(look.owner, each), look.masked, kind.sort != "hero", -kind.value, kind.slug, -value


# ---- words


def hex_words(place: str, look: HexLook) -> str:
    """A hex for ears, and for the pointer that rests on it."""
    name = f"{titled(look.name)} ({place})" if look.name else place
    words = [f"{name}, {look.terrain or 'face down'}", f"of {seat_word(look.owner)}" if look.owner is not None else ""]
    if look.fort:
        damage = f" with {look.damage} damage" if look.damage else ""
        value = look.fort if look.fort_value is None else f"{look.fort_value}/{look.fort}"
        words.append(f"{FORTS[look.fort]} ({value}){damage}")
    words.append(counter_words(look.income) if look.income else "")
    words += [counter_words(counter) for counter in look.counters]
    words += [f"{backs.count} face down of {seat_word(backs.owner)}" for backs in look.backs]
    words.append("Black Cloud" if look.cloud else "")
    words.append({"now": "battle", "waits": "contested"}.get(look.battle, ""))
    return "; ".join(word for word in words if word)


def seat_word(owner: int | None) -> str:
    return "nobody" if owner is None else SEATS[owner].capitalize()


def counter_words(look: CounterLook) -> str:
    kind = KINDS[look.kind]
    value = f" {value_text(kind, look.value)}".rstrip()
    marks = "".join(f" {word}" for word in mark_names(kind))
    masked = ", face down" if look.masked else ""
    return f"{kind.name}{value}{marks} ({seat_word(look.owner) if look.owner is not None else 'wild'}{masked})"


def value_text(kind: Kind, value: int | None = None) -> str:
    """The combat value; where it is another now than the printed one, both. Empty for counters that do not fight."""
    if value is None or not kind.value:
        return str(value or kind.value or "")
    return f"{value}/{kind.value}"


def mark_names(kind: Kind) -> list[str]:
    return [MARKS[symbol] for symbol in kind.symbols]


# ---- where things are drawn: a hex has radius 100 and its middle at 0 0, with a flat side up

RADIUS = 100
HALF_HEIGHT = RADIUS * math.sqrt(3) / 2
MARGIN = 8
STACK_TOP, BELOW_FORTS, STACK_BOTTOM, ABOVE_BADGES = -52, -38, 64, 54
CHIT = 40  # a counter on the board is drawn in these units and scaled
CHIT_SIZES = (52, 48, 44, 38, 32, 28, 24, 21)
GAP = 2
AT = {f"h{n}": at for n, at in enumerate(spiral(LARGE.radius), start=1)}  # the small map is the middle of the large
PLACES = {at: place for place, at in AT.items()}
# What lies beyond each side of a hex, clockwise from north; nothing beyond the edge of the map.
NEAR = {place: tuple(PLACES.get(near, "") for near in neighbours(at)) for place, at in AT.items()}


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
    elif look.owner is not None:
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
    masked = " masked" if look.masked else ""
    return f"chit {ground_of(KINDS[look.kind])} {seat_class(look.owner)}{masked}"


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
    """The hex's name as maps write it, where there is room; a hex that lies face down has its number."""
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
        class_=css,
    )


@cache
def border(owner: int, around: tuple[int, ...]) -> SafeString:
    """A realm's border along these sides of a hex; it goes on in the next hex of the realm."""
    path = border_path(around)
    return element(
        "g", element("path", class_="casing", d=path), element("path", d=path), class_=f"border {SEATS[owner]}"
    )


def border_of(place: str, owners: dict[str, int | None]) -> tuple[int, ...]:
    """The sides of a hex beyond which somebody else's land begins, or nobody's."""
    owner = owners[place]
    return () if owner is None else tuple(n for n, near in enumerate(NEAR[place]) if owners.get(near) != owner)


kept_owners = Memo(lambda hexes: {here.place: here.owner for here in hexes[0]}, 256)


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
    standing: list[CounterLook | BacksLook] = [*look.counters, *look.backs]
    if not standing:
        return
    above = BELOW_FORTS if look.fort or look.income else STACK_TOP
    below = ABOVE_BADGES if look.cloud or look.battle else STACK_BOTTOM
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
    hexes = (
        element("g", draw_hex(place, look), class_="hex", transform=moved_to(place)) for place, look in looks.items()
    )
    return element(
        "svg",
        beneath(tuple(looks)),
        *hexes,
        class_="kings-board still",
        view_box=view_box(len(view.seats)),
        role="img",
        aria_label=label or f"Board, turn {view.turn}",
    )


# ---- counters in panels: HTML, sized by the font around them; `wrap` may be a button or a label


def draw_counter(
    face: Face, wrap: str = "span", *, class_: str = "", brief: bool = False, **attributes: object
) -> SafeString:
    """A counter the viewer may look at, large: picture, name, value, symbols."""
    look = counter_look(face)
    whose = seat_class(face.owner) if face.owner is not None or face.place in AT else ""
    css = " ".join(filter(None, (whose, "masked" if look.masked else "", class_)))
    if look.masked:
        attributes.setdefault("title", "Face down: the others see its back")
    attributes |= {"data_tag": face.tag, "brief": brief}
    return draw_kind(face.kind, wrap, owner=face.owner, value=look.value, class_=css, **attributes)  # type: ignore[arg-type]


def draw_kind(
    slug: str,
    wrap: str = "span",
    *,
    owner: int | None = None,
    value: int | None = None,
    class_: str = "",
    brief: bool = False,
    **attributes: object,
) -> SafeString:
    """What is printed on a kind of counter, for lists of them and for the other side of a hero."""
    kind = KINDS[slug]
    return element(
        wrap,
        small_svg(picture_of(kind), "picture"),
        element("span", kind.name, class_="name"),
        element("span", *(small_svg(name, "mark", name) for name in mark_names(kind)), class_="marks")
        if kind.symbols
        else "",
        element("span", strength, class_="value") if (strength := value_text(kind, value)) else "",
        element("span", kind.gold, class_="coin", title=f"{kind.gold} gold") if kind.gold else "",
        (brief_badge if brief else owner_badge)(owner) if owner is not None else "",
        class_=f"counter {ground_of(kind)} {class_}".rstrip(),
        data_kind=slug,
        **attributes,
    )


def draw_back(
    owner: int | None, tag: str = "", wrap: str = "span", *, class_: str = "", brief: bool = False, **attributes: object
) -> SafeString:
    """A counter of which the viewer knows nothing but whose it is, and the name it goes by."""
    return element(
        wrap,
        small_svg("back", "picture"),
        element("span", f"face down, of {seat_word(owner)}", class_="visually-hidden"),
        (brief_badge if brief else owner_badge)(owner) if owner is not None else "",
        class_=f"counter back {seat_class(owner)} {class_}".rstrip(),
        data_tag=tag or None,
        **attributes,
    )


Marked = tuple[Face | Back, str]  # a counter and whether it is supported


def support(seat: int | None, counter: Face | Back, terrains: frozenset[str]) -> str:
    """Whether a creature of the viewer's own is supported or a bluff; nothing is said of anything else."""
    if seat is None or counter.owner != seat or not isinstance(counter, Face):
        return ""
    kind = KINDS[counter.kind]
    if kind.sort != "creature":
        return ""
    return "supported" if kind.terrain in terrains else "bluff"


def marked_in(seat: int | None, counters: tuple[Face | Back, ...], terrains: frozenset[str]) -> tuple[Marked, ...]:
    """What stands in one hex, where Terrain Lords support their own as well."""
    lords = {KINDS[c.kind].lord_of for c in counters if isinstance(c, Face) and c.owner == seat}
    return tuple((c, support(seat, c, terrains | lords)) for c in counters)


def pickable(counter: Face | Back, mark: str = "", art: str = "") -> SafeString:
    """A counter in a panel, which the script may let its owner pick; else it opens the counter's help card."""
    return _pickable(counter, mark, art or sprite())


@lru_cache(maxsize=2048)
def _pickable(counter: Face | Back, mark: str, art: str) -> SafeString:
    if isinstance(counter, Back):
        return draw_back(counter.owner, counter.tag, "button", type="button", brief=True)
    kind = KINDS[counter.kind]
    home = kind.terrain if kind.sort == "creature" else ""
    name = f"{kind.name} {value_text(kind, counter_look(counter).value)}".strip()
    words = ", ".join(filter(None, (name, home, mark)))
    return draw_counter(counter, "button", class_=mark, type="button", title=words, brief=True)


def small_svg(name: str, css: str, label: str = "") -> SafeString:
    words: dict[str, object] = {"role": "img", "aria_label": label} if label else {"aria_hidden": "true"}
    return element("svg", element("use", href=f"{sprite()}#{name}"), class_=css, **words)


@cache
def brief_badge(owner: int) -> SafeString:
    """The same by reference, where the page has `seat_marks`: panels hold many counters, below their owner's name."""
    return element("svg", element("use", href=f"#of-{owner}"), class_="seat-mark")


SHIELD = "M3 2h26v15c0 10-6 15-13 18C9 32 3 27 3 17z"  # 32 wide, 36 high


@cache
def seat_marks() -> SafeString:
    """What brief badges and crests refer to."""
    marks = (
        element("symbol", seat_mark(owner, 10, 10, 7.5), id=f"of-{owner}", view_box="0 0 20 20")
        for owner in range(len(SEATS))
    )
    shields = (
        element(
            "symbol",
            element("path", class_="field", d=SHIELD),
            seat_mark(owner, 16, 16, 7),
            id=f"crest-{owner}",
            class_=f"crest {name}",
            view_box="0 0 32 37",
        )
        for owner, name in enumerate(SEATS)
    )
    return element("svg", *marks, *shields, class_="visually-hidden", aria_hidden="true")


@cache
def crest(owner: int) -> SafeString:
    """A shield in a seat's colour that bears its shape, by reference to what `seat_marks` draws."""
    shield = element("use", href=f"#crest-{owner}")
    return element("svg", shield, class_="crest", role="img", aria_label=seat_word(owner))


@cache
def owner_badge(owner: int) -> SafeString:
    """A seat's colour and shape, for counters and wherever a player is named."""
    return element(
        "svg",
        seat_mark(owner, 10, 10, 7.5),
        class_="seat-mark",
        view_box="0 0 20 20",
        role="img",
        aria_label=seat_word(owner),
    )
