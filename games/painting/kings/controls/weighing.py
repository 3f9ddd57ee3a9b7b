"""The odds with what a player has picked so far: who is bribed, who takes hits, who goes where.

They follow from the View and are worked out only while somebody picks, within a few milliseconds or not at all. Nobody
but the one who picks sees them.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.safestring import SafeString

from games.engine.kings.odds import Odds, Prospect, if_gone, is_quick

from ...markup import element, join
from ..odds import bar_of, draw_bar, magic_of_others, reckoned, share
from .desk import Control, Desk
from .simple import BribeControl, LoseControl


def weigh(desk: Desk, found: Mapping[str, Control]) -> SafeString:
    """What the page's bar of odds shows while this is picked, and the same in words; nothing where nothing is known."""
    prospect = next((weighed for each in found.values() if (weighed := prospect_with(desk, each)) is not None), None)
    if prospect is None or desk.view.seat is None or not is_quick(prospect.event):
        return SafeString("")
    odds = reckoned(prospect.event) if prospect.against else Odds(1, 0)
    you = desk.scene.name(desk.view.seat) if desk.scene.is_shared else "You"
    bar = draw_bar({"bar": bar_of(desk.scene, desk.view.seat, you, prospect, odds)})
    items = magic_of_others(desk.view, prospect.place)
    but = f" Not counted: {', '.join(items)}." if items else ""
    words = f"With what you have picked: {share(odds.win, odds.tries)} to win.{but}"
    return join(element("p", words, class_="small odds-then"), element("div", bar, id="odds-picked", hidden=""))


def prospect_with(desk: Desk, control: Control) -> Prospect | None:
    if isinstance(control, BribeControl) and control.mine:
        return if_gone(desk.view, control.mine)
    if isinstance(control, LoseControl) and control.mine and desk.view.question == "losses":
        return if_gone(desk.view, control.mine, len(control.mine))
    return None
