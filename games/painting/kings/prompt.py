"""What is asked, of whom, and what about: the card that stands above everything else on the page."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from django.utils.safestring import SafeString

from games.engine.core.memo import Memo
from games.engine.core.offers import OneOf
from games.engine.core.view import Face
from games.engine.kings import KINGS
from games.engine.kings.catalogue import CITADEL, KINDS, OTHER_FACE
from games.engine.kings.offers import LossLists
from games.engine.kings.terms import PER_TEN_AFTER, PHASES, RACK_LIMIT, WILD
from games.engine.kings.view import HexView, KingsView

from ..markup import address_of, element
from ..scene import Line, Scene
from .looks import AT
from .places import names_on
from .rules import BRIEF
from .teller import Teller, at_place, counted, listed, without_article
from .words import DECIDES, IDLE, IDLE_LAST_HIT, IN_ONE_HEX, LAST_HIT, NO_DUST, QUESTIONS


def prompt_context(scene: Scene) -> dict[str, Any]:
    view = scene.view
    assert isinstance(view, KingsView)
    if view.result is not None:
        title, details = ended(scene, view)
    elif view.seat is not None and view.seat in view.asked:
        title, details = question(scene, view)
        title = scene.put_to(title)
    else:
        title, details = waiting(scene, view)
    return {
        "state": "over" if scene.is_over else "yours" if view.seat in view.asked else "waiting",
        "title": title,
        "details": (details,) if details else (),
        "warning": citadel_words(scene, view),
        "here": place_in_question(view),
        "story": f"{scene.url}story/" if scene.is_over else "",
        "replies": (),
    }


def place_in_question(view: KingsView) -> str:
    """The hex where it happens, if it is just one."""
    return next((doing["place"] for doing in reversed(view.doing) if doing.get("place") in AT), "")


def draw_prompt(context: dict[str, Any]) -> SafeString:
    """As table/fragments/prompt.html, of which this game has no replies to draw."""
    facts = (context["state"], context["title"], context["details"], context["warning"], context["here"])
    return prompt_drawn(*facts, context["story"], address_of(SPRITE))


@lru_cache(maxsize=256)
def prompt_drawn(
    state: str, title: str, details: tuple[str, ...], warning: str, here: str, story: str, art: str
) -> SafeString:
    """All who wait are told the same."""
    said = [part for detail in details for part in (element("span", detail), " ")]
    warned = element("span", warning, class_="warning") if warning else ""
    picture = element("use", href=f"{art}#{ICONS[state]}")
    return element(
        "section",
        element("svg", picture, class_="icon", aria_hidden="true", focusable="false"),
        element("p", element("strong", title), " ", *said, warned, class_="say"),
        element("a", "How it went", class_="button primary", href=story) if story else "",
        class_=f"prompt {state}",
        data_here=here or None,
    )


SPRITE = "art/ui.svg"
ICONS = {"over": "trophy", "yours": "turn", "waiting": "clock"}


def question(scene: Scene, view: KingsView) -> tuple[str, str]:
    """What the viewer is asked, with what it is about just now."""
    title, details = QUESTIONS.get(view.question, ("Your decision", ""))
    if view.question in IDLE and not has_an_answer(view):
        details = IDLE[view.question]
    elif view.question == "dust" and not has_dust(view):
        details = NO_DUST
    if view.question == "losses" and would_all_fall(view):
        details = (
            LAST_HIT if any(offer.do == "play_item" and not offer.aside for offer in view.offers) else IDLE_LAST_HIT
        )
    about = ABOUT[view.question](scene, view) if view.question in ABOUT else ""
    if view.question == "place" and about and has_an_answer(view):
        details = IN_ONE_HEX
    if runs_the_wild(view):
        about = f"You decide for the wild defenders. {about}"
    return title, f"{about} {details}".strip()


def would_all_fall(view: KingsView) -> bool:
    """Whether the viewer's hits leave no choice, so that only magic could change anything (R2)."""
    lists = [offer for offer in view.offers if isinstance(offer, LossLists)]
    return all(offer.count >= sum(offer.targets.values()) for offer in lists)


def has_an_answer(view: KingsView) -> bool:
    return any(not offer.aside and offer.do != "done" for offer in view.offers)


def has_dust(view: KingsView) -> bool:
    """Whether the Dust itself is among the magic that the viewer could play."""
    items = {offer.fixed["item"] for offer in view.offers if isinstance(offer, OneOf) and offer.do == "play_item"}
    return any(c.tag in items and c.kind == "dust_of_defense" for c in view.counters if isinstance(c, Face))


def runs_the_wild(view: KingsView) -> bool:
    """Whether what is asked comes of somebody else's battle with them (E1)."""
    battle = view.under_way("battle")
    if not battle or view.question not in IN_BATTLE:
        return False
    return view.seat not in (*battle["attackers"], battle["defender"])


IN_BATTLE = ("losses", "retreat", "ready", "target", "dust", "aim", "aimed_hit", "arm")


# ---- what a question is about


def where(scene: Scene, place: str) -> str:
    """What a hex is called; by its number while it lies face down."""
    assert isinstance(scene.view, KingsView)
    return names_on(scene.view, scene.table).get(place, place)


def hero_short(scene: Scene, view: KingsView) -> str:
    attempt = view.under_way("hero_attempt")
    hero = next((c for c in view.counters if c.tag == attempt.get("hero")), None)
    if hero is None or "total" not in attempt:
        return ""
    short = attempt["wanted"] - attempt["total"]
    gold = next((seat.gold for seat in view.seats if seat.number == view.seat), 0)  # type: ignore[attr-defined]
    name = KINDS[hero.kind].name  # type: ignore[union-attr]
    cost = PER_TEN_AFTER * short
    return f"{name}: {attempt['total']} of {attempt['wanted']}. To reach it costs {cost} gold; you have {gold}."


def place_taken(scene: Scene, view: KingsView) -> str:
    hexes = view.under_way("deploy").get("hexes", ())
    places = " and ".join(where(scene, each) for each in hexes)
    return f"Just now you can place counters only in {places}." if places else ""


def losses_to_event(scene: Scene, view: KingsView) -> str:
    losses = view.under_way("hex_losses")
    if not losses:
        return ""
    event = KINDS[losses["event"]].name if losses.get("event") in KINDS else "The event"
    offer = next((each for each in view.offers if isinstance(each, LossLists)), None)
    rest = " All creatures and heroes there are lost; choose what pays the rest." if offer and offer.first else ""
    by = teller(scene).cause(len(scene.lines) - 1)
    cause = by if by.startswith(event) else event
    return f"{cause} takes {losses['count']} of yours in {where(scene, losses['place'])}.{rest}"


def losses_to_plague(scene: Scene, view: KingsView) -> str:
    """How many, or, where they are fewer, all creatures of the hex: then nothing more is owed."""
    places = view.under_way("dark_plague").get("hexes", {}).get(str(view.seat))
    offer = next((each for each in view.offers if isinstance(each, LossLists)), None)
    if not places or offer is None:
        return ""
    there = where(scene, places[0])
    creatures = f"your {len(offer.enough)} creature{'' if len(offer.enough) == 1 else 's'}"
    if not offer.enough:
        return f"It takes {offer.count} of these in {there}."
    if set(offer.targets) == set(offer.enough):
        return f"It asks for {offer.count} in {there}, but takes no more than {creatures} there."
    return f"It takes {offer.count} of these in {there}, or {creatures}: then nothing more is owed."


def too_many(scene: Scene, view: KingsView) -> str:
    crowd = view.under_way("too_many")
    return f"{crowd['count']} must leave {where(scene, crowd['place'])}." if crowd.get("count") else ""


def hits(scene: Scene, view: KingsView) -> str:
    battle, losses = view.under_way("battle"), view.under_way("losses")
    side = view.seat if view.seat in (*battle.get("attackers", ()), battle.get("defender")) else -1
    count = losses.get("hits", {}).get(str(side))
    if not count:
        return ""
    others = [each for each in (*battle.get("attackers", ()), battle.get("defender")) if each != side]
    hit, place = f"{count} hit{'' if count == 1 else 's'}", where(scene, losses["place"])
    if len(others) > 1 or others == [None]:
        return f"{hit} in {place} ({losses['step']})."
    return f"{teller(scene).does(others[0], 'score')} {hit} in {place} ({losses['step']})."


def full_rack(scene: Scene, view: KingsView) -> str:
    rack = next((seat.rack for seat in view.seats if seat.number == view.seat), 0)  # type: ignore[attr-defined]
    return f"{rack - RACK_LIMIT} too many." if rack > RACK_LIMIT else ""


def teller(scene: Scene) -> Teller:
    return Teller(scene.names, None if scene.is_shared else scene.view.seat, scene.lines)


def in_battle(scene: Scene, view: KingsView) -> str:
    """Who attacks whom, where, and with how many; or what was found where somebody explores."""
    battle, explored = view.under_way("battle"), view.under_way("explore")
    if not battle:
        return f"In {where(scene, explored['place'])}." if explored else ""
    tell, there = teller(scene), where(scene, battle["place"])
    attackers, defender = battle["attackers"], battle["defender"]
    if len(attackers) > 1:
        said = tell.sentence(listed([tell.whom(each) for each in attackers]))
        return f"{said} attack {tell.whom(defender)} in {there}."
    number = fighters(view, battle["place"], attackers[0])
    return f"{tell.does(attackers[0], 'attack')} {tell.whom(defender)} in {there} with {counted(number)}."


def fighters(view: KingsView, place: str, side: int) -> int:
    """How many creatures and heroes a side has there; all that lies face down counts as one of them."""
    owner = None if side == WILD else side
    own = (c for c in view.stacks.get(place, ()) if c.owner == owner)
    return sum(not isinstance(c, Face) or KINDS[c.kind].sort in ("creature", "hero") for c in own)


def hero_fled(scene: Scene, view: KingsView) -> str:
    """Which hero fled and from where, and who is on the other side of the counter."""
    tag = view.under_way("fled_heroes").get("hero")
    hero = next((c for c in view.counters if c.tag == tag and isinstance(c, Face)), None)
    if hero is None:
        return ""
    name, other = KINDS[hero.kind].name, KINDS[OTHER_FACE[hero.kind]].name
    fell = next((line for line in reversed(scene.lines) if line.facts.get("creature") == name), None)
    place = f" from {at_place(fell)}" if fell and fell.facts.get("place") else ""
    return without_article(f"The {name} fled{place}. The other side of the counter is the {other}.")


def pinned(scene: Scene, view: KingsView) -> str:
    """Who wants to leave a hex that the viewer holds them in."""
    frame = view.under_way("proof", "passing")
    if "mover" not in frame:
        return ""
    tell, there = teller(scene), where(scene, frame["place"])
    return f"{tell.does(frame['mover'], 'want')} to {'pass' if frame['frame'] == 'passing' else 'leave'} {there}."


def in_danger(scene: Scene, view: KingsView) -> str:
    """Each special income counter that could be lost: where it is, who has come there, and with how many."""
    offered = [
        tag
        for offer in view.offers
        if isinstance(offer, OneOf) and offer.do == "remove_income"
        for tag in offer.choices
    ]
    found = [c for c in view.counters if isinstance(c, Face) and c.tag in offered]
    return " ".join(danger_to(scene, view, KINDS[c.kind].name, c.place) for c in found)


def danger_to(scene: Scene, view: KingsView, name: str, place: str) -> str:
    tell, there = teller(scene), view.stacks.get(place, ())
    comers = dict.fromkeys(c.owner for c in there if c.owner not in (None, view.seat))
    said = [f"{tell.whom(seat)} with {counted(fighters(view, place, seat))}" for seat in comers if seat is not None]
    return f"Your {name} is in {where(scene, place)}, where {listed(said)} {'has' if len(said) == 1 else 'have'} come."


def over_the_sea(scene: Scene, view: KingsView) -> str:
    """What is to be saved from which hex, and who or what brought it there."""
    tell = teller(scene)
    for at in range(len(scene.lines) - 1, -1, -1):
        line = scene.lines[at]
        if line.taken_back or line.event not in ("hex_changed", "balloon_lost"):
            continue
        if line.event == "balloon_lost":
            return f"Your Balloon went down in the sea at {at_place(line)}. Whoever was aboard escapes."
        own = counted(fighters(view, str(line.facts["place"]), view.seat)) if view.seat is not None else "some"
        cause = tell.cause(at) or "An event"
        return f"{cause} turned {at_place(line)} into sea; {own} of yours {'is' if own == 'one' else 'are'} there."
    return ""


def at_knifepoint(scene: Scene, view: KingsView) -> str:
    frame = view.under_way("assassination")
    if "place" not in frame:
        return ""
    tell = teller(scene)
    return tell.sentence(f"{tell.whose(frame['seat'])} Assassin Primus strikes in {where(scene, frame['place'])}.")


def robbed(scene: Scene, view: KingsView) -> str:
    frame = view.under_way("theft")
    return f"{teller(scene).does(frame['seat'], 'rob')} {teller(scene).whom(frame['other'])}." if frame else ""


def caused(scene: Scene, view: KingsView) -> str:
    """The random event behind a question, and who played it."""
    cause = teller(scene).cause(len(scene.lines) - 1)
    return f"{cause.removesuffix(',')}." if cause else ""


def answered(scene: Scene, view: KingsView) -> str:
    """What could be answered now (R1)."""
    window = view.under_way("window")
    if window.get("trigger") == "magic":
        return f"{in_battle(scene, view)} Creatures that use magic are about to strike."
    if window.get("trigger") == "pox" and "count" in (pox := view.under_way("teeniepox")):
        places = " or ".join(where(scene, place) for place in pox["places"])
        return f"Teeniepox is about to take {pox['count']} of {scene.name(pox['seat'])}’s in {places}."
    if window.get("trigger") == "plague":
        return "The Dark Plague is about to take its toll."
    if window.get("trigger") == "roll":
        return " ".join(filter(None, (attempted(scene, view), said_last(scene, ROLLED), decides(view))))
    return " ".join(filter(None, (said_last(scene, AIMED), power_played(scene))))


def power_played(scene: Scene) -> str:
    """What the item does that was played last, for whoever may answer it."""
    played = next((line for line in reversed(scene.lines) if line.event in AIMED and not line.taken_back), None)
    return "" if played is None else POWERS.get(str(played.facts["item"]), "")


def attempted(scene: Scene, view: KingsView) -> str:
    """What a hero tries against somebody, where dice decide about it."""
    frame, tell = view.under_way("theft", "assassination"), teller(scene)
    if not view.under_way("roll").get("why", "").startswith("contest") or "seat" not in frame:
        return ""
    tries = tell.does(frame["seat"], "try", "tries")
    if frame["frame"] == "theft":
        return f"{tries} to rob {tell.whom(frame['other'])}."
    return f"{tries} to kill somebody in {where(scene, frame['place'])}." if frame.get("place") else ""


def told(scene: Scene, line: Line) -> str:
    """A line of the log, which says "you" where it tells of the viewer's own dice."""
    tell, seat = teller(scene), line.facts.get("seat")
    own = f"{scene.names.get(seat)} rolls " if seat is not None and seat == tell.me else ""
    return f"You roll {line.text.removeprefix(own)}" if own and line.text.startswith(own) else line.text


def decides(view: KingsView) -> str:
    """What the dice that lie there have to show."""
    roll = view.under_way("roll")
    if any(roll.get("needs", ())):
        return "A die hits if it is no higher than the fighter’s value."
    if roll.get("wish"):
        return f"The dice must reach {roll['wish']} together."
    if roll.get("why") == "warlord":
        return f"The die must reach {view.under_way('warlord_calls').get('wanted')}."
    return DECIDES.get(roll.get("why", ""), "")


def said_last(scene: Scene, besides: tuple[str, ...]) -> str:
    """The last sentence of the log, with those before it that belong to it."""
    said: list[str] = []
    for line in reversed(scene.lines):
        if said and line.event not in besides:
            break
        said.append(told(scene, line))
        if line.event in ("item_played", "wild_item_played"):
            break
    return " ".join(reversed(said[:MOST_SAID]))


POWERS = {KINDS[slug].name: f"{KINDS[slug].name}: {brief}" for slug, brief in BRIEF.items() if slug in KINDS}
MOST_SAID = 4
ROLLED = ("rolled", "wild_rolled", "charmed")
AIMED = ("item_played", "wild_item_played")

ABOUT: dict[str, Callable[[Scene, KingsView], str]] = {
    "add_gold": hero_short,
    "place": place_taken,
    "event_losses": losses_to_event,
    "plague_losses": losses_to_plague,
    "too_many": too_many,
    "full_rack": full_rack,
    "losses": hits,
    **dict.fromkeys(("retreat", "ready", "dust", "target", "aim", "aimed_hit", "arm", "warlord", "bribe"), in_battle),
    **dict.fromkeys(("vandals", "which_stack"), caused),
    **dict.fromkeys(("proof", "hold_flyers", "who_stays"), pinned),
    "endangered_income": in_danger,
    "escape": over_the_sea,
    "turn_hero": hero_fled,
    "victim": at_knifepoint,
    "loot": robbed,
    "react": answered,
}


# ---- when nothing is asked of the viewer


def ended(scene: Scene, view: KingsView) -> tuple[str, str]:
    assert view.result is not None
    names = [scene.name(number) for number in view.result.winners]
    how = KINGS.endings.get(view.result.how, "")
    if not names:
        return "Nobody wins", f"The game ended {how}."
    mine = view.seat in view.result.winners and len(names) == 1 and not scene.is_shared
    return ("You win!" if mine else f"{' and '.join(names)} win{'' if len(names) > 1 else 's'}"), f"{how.capitalize()}."


def waiting(scene: Scene, view: KingsView) -> tuple[str, str]:
    """Who is waited for and what for; never in a reaction window."""
    if any(seat.out for seat in view.seats if seat.number == view.seat):
        return "You are out of the game", "You have no hex and no counter left. You can go on watching."
    watching = "" if scene.is_player else "You are watching. "
    if not view.asked:
        return "Just a moment", f"{watching}Somebody may want to answer this."
    names = " and ".join(scene.name(number) for number in view.asked)
    if view.sealed:
        return f"Waiting for {names}", SEALED["cup" if "cup" in view.sealed.values() else ""]
    return f"Waiting for {names}", f"{watching}{PHASES.get(view.phase, 'Set-up')}"


SEALED = {
    "": "What you have placed is sealed: for the others it is on your rack until everybody has placed.",
    "cup": "What you exchange is sealed: you draw when everybody has answered.",
}


# ---- who is about to win


def citadel_words(scene: Scene, view: KingsView) -> str:
    """That somebody is about to win, so that nobody is surprised by it (4.2, W1)."""
    holder = sole_citadel(view)
    if holder is None or view.result is not None:
        return ""
    who = "You hold" if holder == view.seat else f"{scene.name(holder)} holds"
    if not view.sole or view.sole[0] != holder:
        return f"{who} the only citadel."
    when = turn_of_victory(view)
    return f"{who} the only citadel and will win after Construction {when}, unless it is taken or another is built."


def turn_of_victory(view: KingsView) -> str:
    """When whoever has held the only citadel since a Construction wins by it."""
    return "this turn" if view.sole[1] < view.turn else "next turn"


def citadel_wins(view: KingsView) -> str:
    """The countdown beside the name of whoever holds the only citadel."""
    holder = sole_citadel(view)
    if holder is None or view.result is not None:
        return ""
    if not view.sole or view.sole[0] != holder:
        return "Only citadel"
    return f"Only citadel: wins {turn_of_victory(view)}"


def sole_citadel(view: KingsView) -> int | None:
    """Whose the only citadel is, if there is just one."""
    return kept_citadel((view.hexes,))


def sole_citadel_in(hexes: tuple[HexView, ...]) -> int | None:
    owners = [each.owner for each in hexes if each.fort == CITADEL and each.owner is not None]
    return owners[0] if len(owners) == 1 else None


kept_citadel = Memo(lambda hexes: sole_citadel_in(hexes[0]), 256)
