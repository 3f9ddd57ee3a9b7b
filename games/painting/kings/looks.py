"""Kings & Things*: from a KingsView to the look of every hex, and to the look in words.

A look holds all that is drawn on a hex and nothing else: two that are equal look the same, so only hexes whose look
has changed are sent. Looks come from Views alone; what a View does not show cannot be drawn. board.py draws them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from games.engine.core.hexgrid import neighbours, spiral
from games.engine.core.memo import Memo
from games.engine.core.view import Back, Face
from games.engine.kings import KINGS
from games.engine.kings.catalogue import FORTS, KINDS, LARGE, Kind
from games.engine.kings.view import HexView, KingsFace, KingsView

from .places import names_on, titled

SEATS = tuple(name.lower() for name in KINGS.seat_names)
FIGHTS = ("battle", "explore")  # procedures that take place in one hex
MARKS = {"F": "flying", "M": "magic", "C": "charge", "R": "ranged", "*": "special"}
AT = {f"h{n}": at for n, at in enumerate(spiral(LARGE.radius), start=1)}  # the small map is the middle of the large
PLACES = {at: place for place, at in AT.items()}
# What lies beyond each side of a hex, clockwise from north; nothing beyond the edge of the map.
NEAR = {place: tuple(PLACES.get(near, "") for near in neighbours(at)) for place, at in AT.items()}


# ---- looks


@dataclass(frozen=True, slots=True)
class CounterLook:
    """A counter whose face the viewer sees."""

    kind: str
    owner: int | None
    masked: bool = False  # it lies face down on the map: the others see its back
    value: int | None = None  # combat value now, where it is not as printed
    sealed: bool = False  # on its owner's rack until everybody has placed; nobody else sees anything of it


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
    sealed: tuple[CounterLook, ...] = ()  # what the viewer has placed here in secret
    name: str = ""  # empty while it lies face down
    label: str = ""  # the whole of it in words


Before = tuple[KingsView, dict[str, HexLook]]  # an earlier View of the same viewer, and its looks


def hex_looks(view: KingsView, before: Before | None = None, table: str = "") -> dict[str, HexLook]:
    """What there is to see on every hex, by place, from the middle outwards; hexes that are as before look so."""
    changed = kept_changes((view, before[0])) if before else None
    fought, stacks, owners = fought_over(view), view.stacks, kept_owners((view.hexes,))
    names, sealed = names_on(view, table), sealed_in(view)
    looks = {}
    for here in view.hexes:
        place = here.place
        if changed is None or place in changed:
            around, name = border_of(place, owners), names.get(place, "")
            stack, secret = stacks.get(place, ()), tuple(map(counter_look, sealed.get(place, ())))
            looks[place] = kept_look((here, stack), around, place == view.cloud, place in fought, name, secret)
    return before[1] | looks if before else looks


def fought_over(view: KingsView) -> set[str]:
    return {doing["place"] for doing in view.doing if doing["frame"] in FIGHTS and doing.get("place")}


def sealed_in(view: KingsView) -> dict[str, tuple[Face, ...]]:
    """What the viewer has placed in secret, by hex; it lies on the rack until everybody has placed (S5)."""
    found: dict[str, tuple[Face, ...]] = {}
    for face in view.stacks.get(f"rack:{view.seat}", ()) if view.sealed else ():
        place = view.sealed.get(face.tag, "")
        if isinstance(face, Face) and place in AT:
            found[place] = (*found.get(place, ()), face)
    return found


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
    if view.sealed != before.sealed:
        changed |= {place for place in (*view.sealed.values(), *before.sealed.values()) if place in AT}
    if view.cloud != before.cloud:
        changed |= {view.cloud, before.cloud}
    return changed | (fought_over(view) ^ fought_over(before))


kept_changes = Memo(lambda views: changed_places(views[0], views[1]), 16)  # board and panels ask one after the other

# Most hexes are the same after an action, and for everybody.
kept_look = Memo(lambda stack, *facts: hex_look(stack[0], stack[1], *facts))


def hex_look(
    each: HexView,
    counters: Sequence[Face | Back],
    border: tuple[int, ...],
    cloud: bool,
    fought: bool,
    name: str = "",
    sealed: tuple[CounterLook, ...] = (),
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
        sealed=tuple(
            sorted((replace(look, sealed=True) for look in sealed), key=lambda look: place_in_line(look, each))
        ),
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


def border_of(place: str, owners: dict[str, int | None]) -> tuple[int, ...]:
    """The sides of a hex beyond which somebody else's land begins, or nobody's."""
    owner = owners[place]
    return () if owner is None else tuple(n for n, near in enumerate(NEAR[place]) if owners.get(near) != owner)


kept_owners = Memo(lambda hexes: {here.place: here.owner for here in hexes[0]}, 256)


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
    if look.sealed:
        words.append(f"sealed here: {', '.join(kind_words(counter) for counter in look.sealed)}")
    words.append("Black Cloud" if look.cloud else "")
    words.append({"now": "battle", "waits": "contested"}.get(look.battle, ""))
    return "; ".join(word for word in words if word)


def seat_word(owner: int | None) -> str:
    return "nobody" if owner is None else SEATS[owner].capitalize()


def counter_words(look: CounterLook) -> str:
    masked = ", face down" if look.masked else ""
    return f"{kind_words(look)} ({seat_word(look.owner) if look.owner is not None else 'wild'}{masked})"


def kind_words(look: CounterLook) -> str:
    kind = KINDS[look.kind]
    value = f" {value_text(kind, look.value)}".rstrip()
    return f"{kind.name}{value}" + "".join(f" {word}" for word in mark_names(kind))


def value_text(kind: Kind, value: int | None = None) -> str:
    """The combat value; where it is another now than the printed one, both. Empty for counters that do not fight."""
    if value is None or not kind.value:
        return str(value or kind.value or "")
    return f"{value}/{kind.value}"


def mark_names(kind: Kind) -> list[str]:
    return [MARKS[symbol] for symbol in kind.symbols]
