"""Kings & Things*: counters in panels, and the marks of their owners beside a name.

They are HTML, as large as the letters around them; `wrap` may be a button or a label. What is printed on a counter, and
how it lies on the map, is in board.py.
"""

from __future__ import annotations

from functools import cache, lru_cache

from django.utils.safestring import SafeString

from games.engine.core.view import Back, Face
from games.engine.kings.catalogue import KINDS

from ..markup import element
from .board import ground_of, picture_of, seat_class, seat_mark, sprite
from .looks import AT, SEATS, counter_look, mark_names, seat_word, value_text


def draw_counter(face: Face, wrap: str = "span", *, class_: str = "", **attributes: object) -> SafeString:
    """A counter the viewer may look at, large: picture, name, value, symbols."""
    look = counter_look(face)
    whose = seat_class(face.owner) if face.owner is not None or face.place in AT else ""
    css = " ".join(filter(None, (whose, "masked" if look.masked else "", class_)))
    if look.masked:
        attributes.setdefault("title", "Face down: the others see its back")
    attributes["data_tag"] = face.tag
    return draw_kind(face.kind, wrap, owner=face.owner, value=look.value, class_=css, **attributes)  # type: ignore[arg-type]


def draw_kind(
    slug: str,
    wrap: str = "span",
    *,
    owner: int | None = None,
    value: int | None = None,
    class_: str = "",
    marked: bool = True,
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
        owner_badge(owner) if owner is not None and marked else "",
        class_=f"counter {ground_of(kind)} {class_}".rstrip(),
        data_kind=slug,
        **attributes,
    )


def draw_back(owner: int | None, tag: str = "", *, class_: str = "") -> SafeString:
    """A counter of which the viewer knows nothing but whose it is, and the name it goes by.

    Pages hold dozens, so its picture is drawn by the style sheet."""
    return element(
        "button",
        element("i", class_="picture"),
        class_=f"counter back {seat_class(owner)} {class_}".rstrip(),
        aria_label=f"face down, of {seat_word(owner)}",
        data_tag=tag or None,
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


def pickable(counter: Face | Back, mark: str = "", art: str = "", sealed: str = "", titled: bool = True) -> SafeString:
    """A counter in a panel, which the script may let its owner pick; else it opens the counter's help card.

    It is a button outside of any form, which needs no type: pages hold hundreds. It bears no badge, since it stands
    among its owner's. `sealed` says where it goes once everybody has answered."""
    return _pickable(counter, mark, art or sprite(), sealed, titled)


@lru_cache(maxsize=2048)
def _pickable(counter: Face | Back, mark: str, art: str, sealed: str, titled: bool) -> SafeString:
    if isinstance(counter, Back):
        return draw_back(counter.owner, counter.tag)
    kind = KINDS[counter.kind]
    home = kind.terrain if kind.sort == "creature" else ""
    name = f"{kind.name} {value_text(kind, counter_look(counter).value)}".strip()
    words = ", ".join(filter(None, (name, home, mark, f"sealed for {sealed}" if sealed else "")))
    css = f"{mark} sealed".strip() if sealed else mark
    title = words if titled else None
    return draw_counter(counter, "button", class_=css, title=title, marked=False, data_sealed=sealed or None)


def small_svg(name: str, css: str, label: str = "") -> SafeString:
    words: dict[str, object] = {"role": "img", "aria_label": label} if label else {"aria_hidden": "true"}
    return element("svg", element("use", href=f"{sprite()}#{name}"), class_=css, **words)


SHIELD = "M3 2h26v15c0 10-6 15-13 18C9 32 3 27 3 17z"  # 32 wide, 36 high


@cache
def seat_marks() -> SafeString:
    """What crests refer to."""
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
    return element("svg", *shields, class_="visually-hidden", aria_hidden="true")


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
