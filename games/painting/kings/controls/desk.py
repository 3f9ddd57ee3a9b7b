"""What every control is drawn with: the words for what an offer names, and buttons that act or pick.

All controls are parts of one form (#control-form). A press acts (`name="action"` holds the whole action) or picks
(`name="press"`), which asks for the controls again with one pick more. The map and the counters are other ways to press
the same buttons: `data-hex` and `data-chip` say which. Without scripts `name="control"` has the action put together
from what was picked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

from django.utils.safestring import SafeString

from games.engine.core.actions import Action
from games.engine.core.offers import Offer
from games.engine.core.plain import plain
from games.engine.core.view import Back, Face
from games.engine.kings.actions import Lose
from games.engine.kings.catalogue import KINDS
from games.engine.kings.view import HexView, KingsFace, KingsSeatView, KingsView, terrains_of

from ...markup import Json, element, join
from ...scene import Scene
from ..advice import advised, advised_losses
from ..board import picture_of
from ..counters import small_svg, support
from ..lesson import guided
from ..places import Names, names_on, titled
from ..words import LABELS

Picks = dict[str, dict[str, list[str]]]  # by control and field: what was picked, in order
# Done at the first press: a step that can always be taken back, and a pass.
TAKEN_BACK = ("discharge", "give", "pass_battle", "rejoin_battle")
AT_ONCE = frozenset((*TAKEN_BACK, "done", "undo"))
MOVES = ("marched", "balloon_sent")
SUGGESTED = "suggested"  # after the key of a control: its suggestion, not what was picked
MANY_HEXES = 14  # more than these are folded away: the map shows them better


class Desk:
    """A seat's View, and what this seat has picked so far."""

    def __init__(self, scene: Scene, view: KingsView, picks: Picks | None = None) -> None:
        self.scene, self.view = scene, view
        self.picks: Picks = {} if picks is None else picks
        self.has_primary = False
        self.is_weighed = False  # while somebody picks, hexes within reach are shown with the odds there

    def standing_out(self) -> str:
        """The class of the one button that most likely comes next; the first to ask for it has it."""
        is_first, self.has_primary = not self.has_primary, True
        return "primary" if is_first else ""

    @cached_property
    def advice(self) -> Action | None:
        """The answer that is suggested, if any is."""
        return guided(self.scene) if self.scene.is_lesson else advised(self.view)

    @cached_property
    def advised_losses(self) -> Lose | None:
        return advised_losses(self.view)

    def advised_fields(self, do: str) -> dict[str, Any]:
        """The fields of the suggested answer, if it is of this kind."""
        return plain(self.advice) if self.advice is not None and self.advice.do == do else {}

    def suggested(self, action: Action) -> str:
        """The class of a button that acts: one that stands out if its action is the suggested one."""
        return self.standing_out() if action == self.advice else "small"

    # ---- facts

    @cached_property
    def has_moved(self) -> bool:
        """Whether something of the viewer's has moved in this phase."""
        for told in reversed(self.scene.lines):
            if told.event == "phase_began":
                break
            if told.event in MOVES and not told.taken_back and told.facts.get("seat") == self.view.seat:
                return True
        return False

    @cached_property
    def known(self) -> dict[str, Face | Back]:
        return {counter.tag: counter for counter in self.view.counters}

    @cached_property
    def land(self) -> dict[str, HexView]:
        return {here.place: here for here in self.view.hexes}

    @cached_property
    def names(self) -> Names:
        return names_on(self.view, self.scene.table)

    @cached_property
    def gold(self) -> int:
        seat = next(each for each in self.view.seats if each.number == self.view.seat)
        assert isinstance(seat, KingsSeatView)
        return seat.gold

    @cached_property
    def terrains(self) -> frozenset[str]:
        return terrains_of(self.view, self.view.seat)

    def is_bluff(self, tag: str) -> bool:
        """Whether it is a creature of one's own that no land and no Terrain Lord beside it supports."""
        counter = self.known.get(tag)
        if counter is None:
            return False
        beside = self.view.stacks.get(counter.place, ()) if counter.place in self.land else ()
        lords = {KINDS[c.kind].lord_of for c in beside if isinstance(c, Face) and c.owner == self.view.seat}
        return support(self.view.seat, counter, self.terrains | lords) == "bluff"

    # ---- words

    def name(self, tag: str) -> str:
        counter = self.known.get(tag)
        if counter is None:
            return LABELS.get(tag, tag)
        if isinstance(counter, Back):
            return "face-down counter"
        assert isinstance(counter, KingsFace)
        return f"{KINDS[counter.kind].name} {counter.value or ''}".rstrip()

    def where(self, tag: str) -> str:
        counter = self.known.get(tag)
        return f" in {self.hex(counter.place)}" if counter is not None and counter.place in self.land else ""

    def hex(self, place: str) -> str:
        """What a hex is called; by its number while it lies face down."""
        return self.names.get(place, place)

    def word(self, what: object) -> str:
        """A hex, a counter, a seat or a choice, as the player knows it."""
        text = str(what)
        if self.view.question == "aim" and text in AIM:
            return AIM[text]
        if text in self.land:
            return f"{self.hex(text)}, {self.land[text].terrain or 'face down'}"
        if text in self.known:
            return self.name(text) + self.where(text)
        if text in LABELS:
            return LABELS[text]
        return self.scene.name(int(text)) if text.isdigit() and int(text) in self.scene.names else text

    def art(self, tag: str) -> SafeString:
        """The picture on a counter, if the viewer may see it."""
        counter = self.known.get(tag)
        return small_svg(picture_of(KINDS[counter.kind]), "art") if isinstance(counter, KingsFace) else SafeString("")

    # ---- buttons

    def acts(
        self, text: str, action: Action, *, css: str = "small", ask: str | None = None, **more: object
    ) -> SafeString:
        """A button that does it; with `ask`, after saying once more what it will do: these words and the button's.

        Only what cannot be taken back is asked for again, and that for every action of its kind.
        """
        value = Json.of(plain(action))
        ask = None if action.do in AT_ONCE else ask
        points = self.hexes_of(action) if css == "primary" else None
        return element(
            "button",
            titled(text),
            name="action",
            value=value,
            class_=f"button {css}".rstrip(),
            data_ask=ask,
            data_points=points,
            **more,
        )

    def hexes_of(self, action: Action) -> str | None:
        """The hexes that an action names, or else those of the counters it names: the map rings them."""
        named = [each for value in plain(action).values() for each in (value if isinstance(value, list) else [value])]
        hexes = [each for each in named if isinstance(each, str) and each in self.land]
        where = [self.known[each].place for each in named if isinstance(each, str) and each in self.known]
        return " ".join(dict.fromkeys(hexes or [each for each in where if each in self.land])) or None

    def presses(self, text: object, press: tuple[str, str, str], *, css: str = "small", **more: object) -> SafeString:
        """A button that picks: control, field, value."""
        return element("button", text, name="press", value=" ".join(press), class_=f"button {css}".rstrip(), **more)


AIM = {"5": "Shoot as usual: 5 or less hits", "2": "Aim: 2 or less hits whom you choose"}


def as_json(action: Action) -> Json:
    return Json.of(plain(action))


def line(*children: object) -> SafeString:
    return element("div", *filter(None, children), class_="control-row")


def chips(*children: object) -> SafeString:
    return element("div", *children, class_="chips")


def hint(text: str) -> SafeString:
    return element("p", text, class_="small muted")


def roomy(text: str) -> SafeString:
    """A hint that a phone leaves out; the button it is about has it as its title."""
    return element("p", text, class_="small muted roomy")


def fold(title: str, *children: object) -> SafeString:
    return element("details", element("summary", title, data_key=title), *children, class_="small", data_fold=title)


class Control:
    """An offer and what was picked for it. A subclass says what a press means, what it comes to, and how it looks."""

    takes_hexes: ClassVar[bool] = False  # picked on the map without first saying what for

    def __init__(self, desk: Desk, key: str, offer: Any) -> None:
        self.desk, self.key, self.offer = desk, key, offer
        self.picks = desk.picks.setdefault(key, {})

    def picked(self, field: str, among: Iterable[str]) -> list[str]:
        """What was picked, as far as it is still there to be picked."""
        there = set(among)
        return [each for each in self.picks.get(field, ()) if each in there]

    def is_touched(self, field: str) -> bool:
        """Whether the player has picked or put back anything, so that no suggestion is in their way."""
        return field in self.picks

    def first(self, field: str, among: Sequence[str]) -> str:
        """The one that was picked; else the first there is."""
        found = self.picked(field, among)
        return found[0] if found else among[0] if among else ""

    def toggle(self, field: str, value: str, most: int) -> None:
        now = self.picks.get(field, [])
        if value in now:
            self.picks[field] = [each for each in now if each != value]
        elif most == 1:
            self.picks[field] = [value]
        elif len(now) < most:
            self.picks[field] = [*now, value]

    def press(self, field: str, value: str) -> None:
        """Take one pick more; presses that mean nothing here are passed over."""

    def action(self) -> Action | None:
        """What was picked, as a whole action; None if it is not one yet."""
        return None

    def suggested_action(self) -> Action | None:
        """The whole action that a button of its own does, for controls that have one."""
        return None

    def draw(self) -> SafeString:
        raise NotImplementedError

    # ---- parts of a control

    def block(self, title: str, *children: object, **attributes: object) -> SafeString:
        heading = element("h3", title) if title else ""
        parts = [each for each in (heading, *children) if each]
        return element("section", *parts, class_="control", data_control=self.key, **attributes)

    def chip(self, tag: str, is_on: bool, text: str = "", *, field: str = "counters", **more: object) -> SafeString:
        words = text or ("? " if self.desk.is_bluff(tag) else "") + self.desk.name(tag) + self.desk.where(tag)
        pressed = "true" if is_on else "false"
        press = (self.key, field, tag)
        shown = join(self.desk.art(tag), words)
        return self.desk.presses(shown, press, css="small chip", aria_pressed=pressed, data_chip=tag, **more)

    def go(self, text: str, *, key: str = "", ask: str | None = None, stands_out: bool = True) -> SafeString:
        """The button that does what was picked. Scripts send its action; a plain form is read anew."""
        action = self.action()
        is_ready = action is not None and action in self.offer
        return element(
            "button",
            text,
            name="control",
            value=self.key,
            class_=f"button {self.desk.standing_out() if is_ready and stands_out else ''}".rstrip(),
            data_points=self.desk.hexes_of(action) if action is not None and is_ready else None,
            data_key=key or self.offer.do,
            data_do=self.offer.do,
            data_action=as_json(action) if action is not None and is_ready else None,
            data_ask=ask,
            aria_disabled=None if is_ready else "true",
        )

    def choice(self, label: str, field: str, options: Mapping[str, str], chosen: str) -> SafeString:
        choices = [
            element("option", text, value=value, selected="" if value == chosen else None)
            for value, text in options.items()
        ]
        name = f"set {self.key} {field}"
        show = self.desk.presses("Show", (self.key, "show", field), css="small no-script")
        return join(element("select", *choices, name=name, aria_label=label), show)


def staying(creatures: int) -> str:
    return f"{creatures} creature{'s stay' if creatures > 1 else ' stays'} on your rack"


def is_hex(desk: Desk, what: object) -> bool:
    return isinstance(what, str) and what in desk.land


def key_of(offer: Offer) -> str:
    """What a control is called: its action, with the item or event it is about."""
    fields = offer.plain()
    about = {**fields, **fields.get("fixed", {}), **fields.get("action", {})}
    return ".".join(filter(None, (offer.do, about.get("item"), about.get("event"))))
