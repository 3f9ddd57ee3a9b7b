"""The panel with the odds of one's own battles and explorations, as far as the viewer can know them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString

from games.engine.core.memo import Memo
from games.engine.core.view import Face
from games.engine.kings.catalogue import KINDS
from games.engine.kings.odds import Exploration, Fight, Force, Odds, Prospect, prospects, reckon, watched
from games.engine.kings.view import KingsView

from ..markup import element, join
from ..scene import Scene
from .battle import name_of_side
from .board import seat_class
from .looks import FIGHTS
from .places import Names

WILD = -1
LEFT_OUT = (
    "Retreats, bribes, magic that nobody has played yet, saving throws, the Warlord’s call and the Marksman’s aim are"
    " left out. Everybody gives up walls first, then their weakest."
)
UNSEEN = (
    "What you cannot see is taken from all counters of the box that you do not see now, each as likely as any other."
    " A face-down counter may be a bluff; here it counts as a creature that fights."
)
AT_RANDOM = "Among three or more, everybody strikes at anybody, anew each round."


def reckoned(event: Fight | Exploration) -> Odds:
    """The same forces have the same odds, in every process. All are tried with the same luck, so they compare well.

    What is unseen is a long tuple, but the same object for as long as it is the same (engine/kings/odds.py)."""
    if isinstance(event, Exploration):
        return kept_exploration((event.things,), event.force, event.faces)
    known = tuple([(force.fighters, force.backs) for force in event.forces])
    return kept_fight([force.unseen for force in event.forces], known, event.hits, event.step)


def exploration_odds(things: Sequence[Any], force: Force, faces: tuple[int, ...]) -> Odds:
    return reckon(Exploration(force, faces, things[0]), random.Random("odds").random)


def fight_odds(unseen: Sequence[Any], known: tuple[Any, ...], hits: tuple[int, ...], step: int) -> Odds:
    forces = tuple(Force(fighters, backs, unseen[at]) for at, (fighters, backs) in enumerate(known))
    return reckon(Fight(forces, hits, step), random.Random("odds").random)


kept_exploration, kept_fight = Memo(exploration_odds, 256), Memo(fight_odds, 256)


@dataclass(frozen=True)
class Line:
    """One hex in the panel."""

    prospect: Prospect
    odds: Odds

    @property
    def explores(self) -> bool:
        return isinstance(self.prospect.event, Exploration)

    @property
    def needs_guesses(self) -> bool:
        return self.explores or self.prospect.backs > 0


def lines_of(view: KingsView) -> list[Line]:
    return [Line(each, reckoned(each.event)) for each in prospects(view)]


def odds_context(view: KingsView, names: Names, lines: list[Line] | None = None) -> dict[str, Any]:
    lines = lines_of(view) if lines is None else lines
    if not lines:
        return NO_ODDS
    return {"lines": tuple(words_of(line, names, not_counted(view, line)) for line in lines), "notes": notes_on(lines)}


NO_ODDS: dict[str, Any] = {"lines": (), "notes": (LEFT_OUT,)}


def bar_context(scene: Scene, view: KingsView, lines: list[Line]) -> dict[str, Any]:
    """The odds of the fight under way, as a bar in the arena; nothing if the viewer has none."""
    place = view.under_way(*FIGHTS).get("place")
    line = next((each for each in lines if each.prospect.place == place), None)
    if line is not None and view.seat is not None:
        you = scene.name(view.seat) if scene.is_shared else "You"
        return {"bar": bar_of(scene, view.seat, you, line.prospect, line.odds)}
    prospect = watched(view)
    if prospect is None:
        return {"bar": None}
    first = view.under_way("battle")["attackers"][0]
    return {"bar": bar_of(scene, first, scene.name(first), prospect, reckoned(prospect.event))}


def bar_of(scene: Scene, side: int, name: str, prospect: Prospect, odds: Odds) -> tuple[int, int, str, str, str]:
    """Whose colour, how far it reaches, what stands at its ends, and where the fight is."""
    others = prospect.against
    against = name_of_side(scene.names, others[0]) if len(others) == 1 else "the others" if others else "not taken"
    win, lose = share(odds.win, odds.tries), share(1 - odds.win, odds.tries)
    return (side, round(100 * odds.win), f"{name}: {win}", f"{against}: {lose}", prospect.place)


def draw_bar(context: dict[str, Any]) -> SafeString:
    """Presentation attributes, as a style attribute is not allowed; the script lets the bar move from its old width."""
    if context["bar"] is None:
        return SafeString("")
    seat, percent, mine, theirs, place = context["bar"]
    part = element("rect", class_=f"own {seat_class(seat)}", width=f"{percent}%")
    return join(
        element("svg", part, class_="odds-line", aria_hidden="true", data_of=place),
        element("span", mine, class_="own"),
        element("span", theirs),
    )


def notes_on(lines: list[Line]) -> tuple[str, ...]:
    """How these odds came about."""
    tries = max((line.odds.tries for line in lines), default=0)
    return (
        *((f"Odds that begin with “about” come from {tries} tries.",) if tries else ()),
        *((UNSEEN,) if any(line.needs_guesses for line in lines) else ()),
        *((AT_RANDOM,) if any(len(line.prospect.against) > 1 for line in lines) else ()),
        LEFT_OUT,
    )


COUNTED = ("golem", "balloon")  # they fight


def not_counted(view: KingsView, line: Line) -> tuple[str, ...]:
    """Others' magic that lies there for everybody to see, and that the odds leave out."""
    items = magic_of_others(view, line.prospect.place)
    return (f"Not counted: {', '.join(items)}.",) if items else ()


def magic_of_others(view: KingsView, place: str) -> list[str]:
    """What could still be played against the viewer there."""
    faces = [each for each in view.stacks.get(place, ()) if isinstance(each, Face) and each.owner != view.seat]
    doing = view.under_way("battle")
    played = {*doing.get("held", {}), *(["firewall"] if doing.get("firewall") else [])} if doing else set[str]()
    kinds = [each.kind for each in faces if KINDS[each.kind].sort == "magic"]
    return sorted(KINDS[kind].name for kind in kinds if kind not in COUNTED and kind not in played)


def words_of(line: Line, names: Names, more: tuple[str, ...] = ()) -> tuple[str, str, tuple[str, ...]]:
    """(what, how likely, what else)"""
    prospect, odds = line.prospect, line.odds
    where = names.get(prospect.place, prospect.place)
    win = share(odds.win, odds.tries).capitalize()
    if line.explores:
        return f"Exploring {where}", f"{win} to take it", (*explored(prospect, odds), *more)
    if prospect.against == (WILD,):
        what, of_all = f"You against the defenders of {where}", "if all of them fight"
    else:
        what, of_all = f"Battle in {where}", "for you"
    return what, f"{win} to win, {of_all}", (*unseen(prospect), loss(prospect, odds), *more)


def explored(prospect: Prospect, odds: Odds) -> tuple[str, ...]:
    if odds.free == 1:
        return ("Nobody who fights is there.",)
    fight = f"{odds.defenders:.1f} defenders on average, and {share(odds.win_fight, odds.tries)} to beat them."
    meets = f"{share(odds.free, odds.tries).capitalize()} to meet nobody who fights; else " if odds.free else ""
    return meets + fight, loss(prospect, odds)


def unseen(prospect: Prospect) -> tuple[str, ...]:
    count = prospect.backs
    return (f"{count} of their counters {'is' if count == 1 else 'are'} unseen.",) if count else ()


def loss(prospect: Prospect, odds: Odds) -> str:
    if not prospect.own:
        return "None of your creatures there would fight."
    if odds.lost < 0.05:
        return "You would hardly lose anybody."
    return f"You would lose {odds.lost:.1f} of {prospect.own} on average."


def share(chance: float, tries: int) -> str:
    """A chance in words: what has been tried is never quite sure, and told no finer than it is."""
    percent = 5 * round(20 * chance) if tries and 0.05 <= chance <= 0.95 else round(100 * chance)
    if not tries and chance in (0, 1):
        return f"{percent} %"
    if chance > 0.99:
        return "over 99 %"
    if chance < 0.01:
        return "under 1 %"
    return f"{'about ' if tries else ''}{percent} %"


def brief(chance: float, tries: int) -> str:
    """The same for a small banner on the map."""
    said = share(chance, tries).removeprefix("about ")
    return said.replace("over ", ">").replace("under ", "<").replace(" ", "\u00a0")


def draw_odds(context: dict[str, Any]) -> SafeString:
    if not context["lines"]:
        return SafeString("")
    notes = element(
        "details",
        element("summary", "How this is worked out"),
        *(element("p", note) for note in context["notes"]),
        class_="small",
    )
    return join(element("h3", "Odds"), element("ul", *map(draw_line, context["lines"])), notes)


def draw_line(words: tuple[str, str, tuple[str, ...]]) -> SafeString:
    what, chance, more = words
    lines = [element("p", text, class_="small muted") for text in more]
    return element("li", element("span", f"{what}: "), element("strong", chance), *lines)
