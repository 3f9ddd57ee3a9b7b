"""All controls of a seat: drawn, drawn anew with one pick more, and read from a plain form."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from django.utils.safestring import SafeString

from games.engine.core.actions import Action
from games.engine.core.memo import Memo
from games.engine.core.offers import Offer, OneOf
from games.engine.kings.actions import ProposeEnd
from games.engine.kings.view import KingsView

from ...markup import Json, element, join
from ...scene import Scene
from ..lesson import card, cards_for, point_of
from .desk import SUGGESTED, Control, Desk, Picks, as_json, key_of
from .on_map import AscendControl, MarchControl, PlaceControl, RetreatControl, SpellControl
from .simple import (
    AsideControl,
    BribeControl,
    CharmControl,
    DefectionControl,
    DrawControl,
    ExactlyControl,
    LoseControl,
    OneOfControl,
    RecruitControl,
    SomeControl,
)
from .weighing import weigh

Fields = Mapping[str, Sequence[str]]

CONTROLS: dict[str, type[Control]] = {
    "exactly": ExactlyControl,
    "one_of": OneOfControl,
    "some": SomeControl,
    "charm": CharmControl,
    "place": PlaceControl,
    "recruit": RecruitControl,
    "draw": DrawControl,
    "lose": LoseControl,
    "retreat": RetreatControl,
    "march": MarchControl,
    "ascend": AscendControl,
    "bribe": BribeControl,
    "defection": DefectionControl,
    "spell": SpellControl,
}
ELSEWHERE = ("resign", "set_order", "propose_end")  # beside the table, and among the orders
LAST = ("discharge", "done")  # below whatever else may be done
LONGEST_PICKS = 8192
MOST_PRESSES = 64


def controls_of(desk: Desk) -> dict[str, Control]:
    """A control for each offer that has one here, by its key."""
    found: dict[str, Control] = {}
    for offer in desk.view.offers:
        if offer.do in ELSEWHERE:
            continue
        key = base = key_of(offer)
        number = 1
        while key in found:
            number += 1
            key = f"{base}.{number}"
        found[key] = control_for(offer)(desk, key, offer)
    return found


def control_for(offer: Offer) -> type[Control]:
    return AsideControl if offer.aside and isinstance(offer, OneOf) else CONTROLS[offer.kind]


# ---- drawing


def draw_controls(desk: Desk) -> SafeString:
    """What is asked, then what may be done beside it."""
    if desk.view.seat is None or desk.view.result is not None:
        return SafeString("")
    found = controls_of(desk)
    place = found.get("place")
    is_planning = isinstance(place, PlaceControl) and bool(place.plan)
    asked = [each for each in found.values() if not each.offer.aside]
    # What is planned is placed or put back before anything is finished.
    shown = [each for each in asked if not (is_planning and each.offer.do == "done")]
    shown.sort(key=lambda each: rank(each, desk.advice))
    replies = [each for each in found.values() if each.offer.reply]
    besides = [drawn for each in found.values() if each.offer.aside and not each.offer.reply and (drawn := each.draw())]
    return join(
        facts(desk),
        proposal(desk, replies) if replies else "",
        *(each.draw() for each in shown),
        element("section", *besides, class_="asides", aria_label="Besides") if besides else "",
    )


def rank(control: Control, advice: Action | None) -> int:
    """Where it stands: what is suggested in sight without scrolling, and the end of a step below everything else."""
    do = control.offer.do
    if do in LAST:
        return LAST.index(do)
    return -2 if advice is not None and advice.do == do else -1


def facts(desk: Desk) -> SafeString:
    """What was picked, to be sent with the next press, and what the page's scripts ask about."""
    lesson = [card(name, point_of(desk.scene, name, desk.advice, desk.picks)) for name in cards_for(desk.scene)]
    kept = {key: fields for key, fields in desk.picks.items() if fields}  # an empty list is a suggestion put back
    return element(
        "input",
        type="hidden",
        id="picks",
        name="picks",
        value=Json.of(kept),
        data_question=desk.view.question,
        data_lesson=Json.of(lesson) if desk.scene.is_lesson else None,
        data_do=" ".join(dict.fromkeys(offer.do for offer in desk.view.offers)),
    )


def proposal(desk: Desk, replies: list[Control]) -> SafeString:
    """Who proposes to end the game and for whom, so that nobody agrees to something else."""
    by, winner = desk.view.proposal.get("by"), desk.view.proposal.get("winner", -1)
    who = desk.scene.name(by) if by in desk.scene.names else "Somebody"
    title = f"{who} proposes to end the game: {won(desk.scene, winner)}"
    return element("section", element("h3", title), *(each.draw() for each in replies), class_="control")


def agreement_context(scene: Scene, view: KingsView) -> dict[str, Any]:
    """Whom this seat may propose as the winner, and what they are called."""
    choices = next((each.choices for each in view.offers if isinstance(each, OneOf) and each.do == "propose_end"), ())
    return {"winners": tuple((winner, won(scene, winner)) for winner in choices)}


def draw_agreement(context: dict[str, Any]) -> SafeString:
    return agreement_drawn(context["winners"])


@lru_cache(maxsize=256)
def agreement_drawn(winners: tuple[tuple[int, str], ...]) -> SafeString:
    """A button for each way the game could end here; they belong to the form of the controls."""
    return join(
        *(
            element(
                "button",
                words[:1].upper() + words[1:],
                form="control-form",
                name="action",
                value=as_json(ProposeEnd(winner)),
                class_="button",
            )
            for winner, words in winners
        )
    )


def won(scene: Scene, winner: int) -> str:
    return f"{scene.name(winner)} has won" if winner >= 0 else "nobody has won"


def controls_context(scene: Scene, view: KingsView) -> dict[str, Any]:
    """Most seats are asked nothing: what they may do beside is drawn once."""
    if view.seat is None or view.question or view.proposal or any(o.do not in NAMES_NOTHING for o in view.offers):
        desk = Desk(scene, view)
        # Some defenders are picked in advance: the odds are those with them paid off.
        weighed = weigh(desk, controls_of(desk)) if view.question == "bribe" else ""
        return {"drawn": join(draw_controls(desk), weighed)}
    return {"drawn": kept_asides.of(Desk(scene, view), (*view.offers, scene.people), view.seat, scene.url)}


# Offers to seats that are not asked. Their buttons show neither counters nor hexes. The offers, and the tuple of
# people, are the same objects each time.
NAMES_NOTHING = frozenset(("set_order", "propose_end", "resign", "undo", "pass_battle", "rejoin_battle"))
kept_asides = Memo(draw_controls, 512)


# ---- picking


def preview(scene: Scene, view: KingsView, fields: Fields) -> SafeString:
    """The controls with what a form has picked, and the odds with that. They follow from the View alone."""
    desk = desk_with(scene, view, fields)
    desk.is_weighed = True
    return join(draw_controls(desk), weigh(desk, controls_of(desk)))


def desk_with(scene: Scene, view: KingsView, fields: Fields) -> Desk:
    """What was picked before, what lists are set to, and then each press."""
    desk = Desk(scene, view, picks_in(fields))
    found = controls_of(desk)
    for name, values in fields.items():
        if name.startswith("set ") and len(words := name.split(" ")) == 3 and words[1] in found:
            found[words[1]].picks[words[2]] = list(values[:1])
    for press in fields.get("press", ())[:MOST_PRESSES]:
        key, _, rest = press.partition(" ")
        field, _, value = rest.partition(" ")
        if key in found:
            found[key].press(field, value)
    return desk


def picks_in(fields: Fields) -> Picks:
    """What a page says was picked; anything else is passed over."""
    text = "".join(fields.get("picks", ())[:1])
    try:
        data = json.loads(text) if len(text) <= LONGEST_PICKS else {}
    except (ValueError, RecursionError):
        return {}
    if not isinstance(data, dict):
        return {}
    return {
        key: {name: [each for each in values if isinstance(each, str)] for name, values in picked.items()}
        for key, picked in data.items()
        if isinstance(picked, dict) and all(isinstance(values, list) for values in picked.values())
    }


def action_from(scene: Scene, view: KingsView, fields: Fields) -> Action | None:
    """What a plain form comes to: the control whose button was pressed, and what was picked for it."""
    key, _, how = "".join(fields.get("control", ())[:1]).partition(" ")
    found = controls_of(desk_with(scene, view, fields)).get(key)
    if found is None:
        return None
    return found.suggested_action() if how == SUGGESTED else found.action()
