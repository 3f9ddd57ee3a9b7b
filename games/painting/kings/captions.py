"""Captions of the film: what a line of the viewer's own log tells, in words that name people, places and reasons."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from games.engine.kings.catalogue import FORTS, KINDS
from games.engine.kings.terms import WILD, is_hit

from ..scene import Line
from .teller import Caption, Die, Teller, at_place, counted, listed, without_article
from .words import LABELS

HEROES = frozenset(kind.name for kind in KINDS.values() if kind.sort == "hero")
CITADEL = FORTS[-1]

# ---- dice


def dice_of(facts: Mapping[str, Any]) -> tuple[Die, ...]:
    names, needs = facts.get("names", ()), facts.get("needs", ())
    return tuple(
        (names[at] if at < len(names) else "", face, needs[at] if at < len(needs) else 0)
        for at, face in enumerate(facts["faces"])
    )


def rolled(tell: Teller, at: int, line: Line) -> Caption:
    facts = line.facts
    seat, why, dice = facts.get("seat", WILD), facts["why"], dice_of(facts)
    place, name = facts.get("place", ""), at_place(line)
    if not place and why in IN_FIGHTS:
        place, name = tell.fight(at)
    if facts.get("needs"):
        hits = sum(is_hit(face, need) for _, face, need in dice)
        said = f"{tell.does(seat, 'roll')} {counted(len(dice))} against {tell.whom(facts['against'])}: "
        said += f"{counted(hits)} hit{'' if hits == 1 else 's'}." if hits else "no hit."
        title = f"{tell.sentence(LABELS.get(why, why))} in {name}" if name else tell.sentence(LABELS.get(why, why))
        against = side_of(facts["against"])
        return Caption("strike", said, title, place, seat=seat, dice=dice, joins=("strike",), against=against)
    faces = " and ".join(map(str, facts["faces"]))
    said = f"{tell.does(seat, 'roll')} {faces} ({LABELS.get(why, why)})."
    if why == "explore":
        said = f"{tell.does(seat, 'explore')} {name or 'a hex'} and {'roll' if seat == tell.me else 'rolls'} {faces}."
        return Caption("explore", said, place=place, seat=seat, dice=dice)
    joins = ("hero",) if why == "recruit" else ()
    return Caption("roll", said, place=place, seat=seat, dice=dice, joins=joins)


def side_of(seat: int | None) -> int:
    return WILD if seat is None else seat


IN_FIGHTS = ("magic", "ranged", "melee", "save", "damage", "warlord", "firewall")


# ---- moving and placing


def marched(tell: Teller, at: int, line: Line) -> Caption:
    facts = line.facts
    said = f"{tell.does(facts['seat'], 'march', 'marches')} with {counted(facts['count'])}"
    said += f" from {at_place(line, 'source')} to {at_place(line, 'target')}."
    path = (facts["source"], *(facts["path"] or [facts["target"]]))
    return Caption("march", said, place=facts["target"], path=path, seat=facts["seat"], count=facts["count"])


def retreated(tell: Teller, at: int, line: Line) -> Caption:
    facts = line.facts
    said = f"{tell.does(facts['seat'], 'retreat')} with {counted(facts['count'])}"
    said += f" from {at_place(line)} to {at_place(line, 'target')}."
    path = (facts["place"], facts["target"])
    return Caption("retreat", said, place=facts["target"], path=path, seat=facts["seat"], count=facts["count"])


def simple(
    kind: str, words: str, joins: tuple[str, ...] = (), title: str = "", again: str = ""
) -> Callable[..., Caption]:
    """A sentence of facts: {place} by its name; {who}, {whose} and {them} are the seat as this viewer calls it, and
    {whom} is the other one it tells of."""

    def told(tell: Teller, at: int, line: Line) -> Caption:
        facts = line.facts
        seat, by = facts.get("seat"), facts.get("by")
        is_me = seat is not None and seat == tell.me
        given = {
            **facts,
            **line.words,
            **(FOR_ME if is_me else FOR_OTHERS),
            "who": tell.who(seat),
            "whose": tell.whose(seat),
            "yours": tell.of_whose(seat),
            "them": tell.whom(seat),
            "whom": tell.whom(by),
            "count": counted(facts.get("count", 0)),
            "names": listed(facts.get("names", ())),
        }
        said, head = tell.sentence(words.format(**given)), title.format(**given)
        place, count = str(facts.get("place") or ""), facts.get("count", 0)
        return Caption(kind, said, head, place, (), seat, count, (), joins, again.format(**given))

    return told


# ends of verbs
FOR_ME = {"s": "", "es": "", "tries": "try", "is_": "are"}
FOR_OTHERS = {"s": "s", "es": "es", "tries": "tries", "is_": "is"}


# ---- fights


def battle_began(tell: Teller, at: int, line: Line) -> Caption:
    facts, place = line.facts, at_place(line)
    title = f"Battle in {place}"
    if facts["defender"] is None:
        return Caption("battle", "", title, facts["place"])
    attackers = facts["attackers"]
    if len(attackers) == 1:
        said = f"{tell.does(attackers[0], 'attack')} {tell.whom(facts['defender'])}."
    else:
        said = (
            f"{tell.sentence(listed([tell.whom(each) for each in attackers]))} attack {tell.whom(facts['defender'])}."
        )
    return Caption("battle", said, title, facts["place"], seat=attackers[0])


def revealed(tell: Teller, at: int, line: Line) -> Caption:
    facts = line.facts
    said = f"{tell.does(facts['seat'], 'show')} {listed(facts['names'])}."
    return Caption("battle", said, f"Shown in {at_place(line)}", facts["place"], seat=facts["seat"], joins=("battle",))


def bluff_removed(tell: Teller, at: int, line: Line) -> Caption:
    told = simple(
        "bluff", "A bluff of {yours} in {place} is found out and removed: {creature}.", ("bluff",), again="{creature}"
    )(tell, at, line)
    return replace(told, falls=(f"{side_of(line.facts['seat'])} {line.facts['creature']}",))


def battle_over(tell: Teller, at: int, line: Line) -> Caption:
    winner = line.facts["winner"]
    said = "" if winner is None else f"{tell.does(winner, 'hold')} the field."
    return Caption("battle-over", said, f"The battle in {at_place(line)} is over", line.facts["place"], seat=winner)


def fell(tell: Teller, at: int, line: Line) -> Caption:
    facts, creature = line.facts, line.facts["creature"]
    place, name = (facts["place"], at_place(line)) if facts["place"] else tell.fight(at)
    title = f"Losses in {name}" if name else "Losses"
    falls = (f"{side_of(facts['seat'])} {creature}",)
    if creature in HEROES:
        whose = f"{tell.whose(facts['seat'])} hero," if facts["seat"] is not None else "a hero,"
        said = f"{whose} the {creature}, is beaten{f' in {name}' if name else ''} and flees."
        return Caption("hero-lost", tell.sentence(said), place=place, seat=facts["seat"], falls=falls)
    said, again = f"{tell.does(facts['seat'], 'lose')} the {creature}.", f"the {creature}"
    return Caption("losses", said, title, place, seat=facts["seat"], joins=("losses",), again=again, falls=falls)


def took_hit(tell: Teller, at: int, line: Line) -> Caption:
    facts = line.facts
    place, name = (facts["place"], at_place(line)) if facts["place"] else tell.fight(at)
    owner = tell.whose(facts["seat"]) if facts["seat"] is not None else "the"
    left = f"{counted(facts['left'])} left" if facts["left"] else "it is out of the fight"
    said = tell.sentence(f"{owner} {facts['what']} takes a hit: {left}.")
    title, falls = f"Losses in {name}" if name else "", (f"{side_of(facts['seat'])} {facts['what']}={facts['left']}",)
    return Caption("walls", said, title, place, seat=facts["seat"], joins=("walls", "losses"), falls=falls)


def saved(tell: Teller, at: int, line: Line) -> Caption:
    facts = line.facts
    place, name = (facts["place"], at_place(line)) if facts["place"] else tell.fight(at)
    said = f"{tell.does(facts['seat'], 'save')} the {facts['creature']}."
    return Caption("losses", said, f"Losses in {name}" if name else "", place, seat=facts["seat"], joins=("losses",))


def captured(tell: Teller, at: int, line: Line) -> Caption:
    facts = line.facts
    said = f"{tell.does(facts['seat'], 'take')} {at_place(line)} ({facts['terrain']})"
    said += f" from {tell.whom(facts['by'])}." if facts["by"] is not None else "."
    return Caption("capture", said, place=facts["place"], seat=facts["seat"])


def bribed(tell: Teller, at: int, line: Line) -> Caption:
    facts = line.facts
    place, name = tell.fight(at)
    said = f"{tell.does(facts['seat'], 'bribe')} {listed(facts['names'])} with {facts['gold']} gold"
    return Caption("bribe", f"{said}{f' in {name}' if name else ''}.", place=place, seat=facts["seat"])


def found_defenders(tell: Teller, at: int, line: Line) -> Caption:
    facts = line.facts
    said = f"In {at_place(line)} wait: {listed(facts['names'])}."
    return Caption("explore", said, place=facts["place"], joins=("explore",))


def built(tell: Teller, at: int, line: Line) -> Caption:
    facts = line.facts
    price = f"for {facts['gold']} gold" if facts["gold"] else "for free"
    said = f"{tell.does(facts['seat'], 'build')} a {facts['fort']} in {at_place(line)}, {price}."
    kind = "citadel" if facts["fort"] == CITADEL else "fort"
    return Caption(kind, said, place=facts["place"], seat=facts["seat"])


# ---- events and heroes


def of_event(kind: str, words: str, without: str) -> Callable[..., Caption]:
    """A loss with the event behind it ({cause} …), or without where the log does not tell."""

    def told(tell: Teller, at: int, line: Line) -> Caption:
        cause, facts = tell.cause(at), line.facts
        given = {**facts, **line.words, "cause": cause, "whose": tell.whose(facts.get("seat"))}
        given |= {"yours": tell.of_whose(facts.get("seat")), "count": counted(facts.get("count", 0))}
        said = tell.sentence((words if cause else without).format(**given))
        return Caption(kind, said, place=facts["place"], seat=facts.get("seat"), joins=(kind,))

    return told


def defected(tell: Teller, at: int, line: Line) -> Caption:
    facts = line.facts
    leaves = "" if facts["by"] is None else f"leaves {tell.whom(facts['by'])} and "
    said = f"The {facts['hero']} {leaves}defects to {tell.whom(facts['seat'])}."
    return Caption("hero-lost" if facts["by"] is not None else "hero", said, seat=facts["seat"])


def assassinated(tell: Teller, at: int, line: Line) -> Caption:
    facts = line.facts
    owner = f", {tell.of_whose(facts['by'])}," if facts["by"] is not None else ""
    said = f"{tell.whose(facts['seat'])} Assassin Primus strikes down {facts['victim']}{owner} in {at_place(line)}."
    return Caption("hero-lost", tell.sentence(said), place=facts["place"], seat=facts["seat"])


def collected(tell: Teller, at: int, line: Line) -> Caption:
    facts = line.facts
    parts = [f"{name} {facts[name]}" for name in ("land", "forts", "counters", "heroes") if facts[name]]
    why = f" ({', '.join(parts)})" if parts and facts["seat"] == tell.me else ""
    said = f"{tell.does(facts['seat'], 'collect')} {facts['gold']} gold{why}."
    return Caption("income", said, "Income", seat=facts["seat"], joins=("income",))


def recruiting(tell: Teller, at: int, line: Line) -> Caption:
    facts = line.facts
    paid = f", with {facts['gold']} gold" if facts["gold"] else ""
    said = f"{tell.does(facts['seat'], 'try', 'tries')} to win the {facts['hero']}{paid}."
    return Caption("hero", said, seat=facts["seat"])


def as_logged(kind: str, tell: Teller, at: int, line: Line) -> Caption:
    """Whatever has no words of its own here is shown in the log's."""
    facts = line.facts
    return Caption(kind, line.text, place=str(facts.get("place") or ""), seat=facts.get("seat"))


AIMED = ("item_aimed", "item_aimed_at", "item_aimed_at_wild", "fan_turned", "fan_turned_off")
MAGIC = ("charmed", "dispelled", "magic_dispelled", "scattered", "blown_away", "cloud_gone", "cloud_moved", "cured",
         "firewall_raised", "item_given", "talisman_lost", "balloon_landed", "balloon_lost", "wild_item_played",
         "dust_stayed", "caster_revealed")  # fmt: skip


def joining(kinds: tuple[str, ...], tell: Teller, at: int, line: Line) -> Caption:
    return Caption("magic", line.text, place=str(line.facts.get("place") or ""), joins=kinds)


TELLS: dict[str, Callable[[Teller, int, Line], Caption]] = {
    **dict.fromkeys(MAGIC, partial(as_logged, "magic")),
    **dict.fromkeys((*AIMED, "charm_aimed", "charm_aimed_at_wild", "balloon_sent"), partial(joining, ("magic",))),
    "turn_began": simple("turn", "", title="Turn {number}"),
    "collected": collected,
    "cashed_in": simple("income", "{who} cash{es} in the {treasure} for {gold} gold."),
    "earned": simple("income", "{who} receive{s} {amount} gold."),
    "placed_creatures": simple(
        "place", "{who} place{s} {count} face down in {place}.", ("place",), again="{count} in {place}"
    ),
    "placed_income": simple(
        "place", "{who} place{s} the {counter} in {place}.", ("place",), again="the {counter} in {place}"
    ),
    "start_gold": simple("income", "{who} begin{s} with {gold} gold.", joins=("income",)),
    "claimed": simple("place", "{who} claim{s} {place}."),
    "start_chosen": simple("place", "{who} start{s} at {place}."),
    "drew": simple("draw", "{who} draw{s} {count} from the cup.", joins=("draw",)),
    "drew_these": partial(as_logged, "draw"),
    "traded": simple("draw", "{who} trade{s} in {names}."),
    "exchanged": simple("draw", "{who} exchange{s} {count}."),
    "discarded": simple("draw", "{who} return{s} {count} from a full rack."),
    "income_removed": simple("place", "{who} take{s} the {counter} off {place}."),
    "proof_asked": simple("note", "{who} ask{s} to be shown who pins in {place}."),
    "proof_given": simple("note", "{who} show{s} the {creature} in {place}."),
    "flyers_shown": simple("note", "{who} show{s} flyers in {place}: {names}."),
    "marched": marched,
    "retreated": retreated,
    "rolled": rolled,
    "wild_rolled": rolled,
    "undefended": simple("explore", "Nobody defends {place}.", joins=("explore",)),
    "found_defenders": found_defenders,
    "bribed": bribed,
    "bluffs_removed": bluff_removed,
    "challenge_failed": simple("bluff", "{who} challenge{s} the {creature}: it is supported, and no bluff."),
    "battle_began": battle_began,
    "revealed": revealed,
    "battle_over": battle_over,
    "target_named": simple("battle", "{who} turn{s} against {whom}.", joins=("battle",)),
    "fell": fell,
    "took_hit": took_hit,
    "saved": saved,
    "captured": captured,
    "looted": simple("capture", "{who} find{s} the {item}.", joins=("capture",)),
    "built": built,
    "damage_done": simple("walls", "The fight has damaged the {what} in {place}."),
    "siege_hit": simple("walls", "The {hero} damages the {what} in {place}."),
    "lost_walls": of_event(
        "walls", "{cause} lowers {whose} {fort} in {place} by {levels}.", "{whose} {fort} in {place} sinks by {levels}."
    ),
    "lost_town": of_event(
        "walls", "{cause} destroys {whose} {town} in {place}.", "{whose} {town} in {place} is destroyed."
    ),
    "vandalized": of_event(
        "walls", "{cause} wreck {whose} {fort} in {place}.", "Vandals wreck {whose} {fort} in {place}."
    ),
    "lost_counters": of_event(
        "losses", "{cause} takes {count} of {yours} in {place}.", "{count} of {yours} are lost in {place}."
    ),
    "crowded": simple("losses", "{count} of {yours} find no room in {place}, and are lost."),
    "item_played": simple("magic", "{who} play{s} the {item}."),
    "event_played": simple("event", "", title="{who} play{s} {event_name}"),
    "disaster_strikes": of_event("event", "{cause} strikes {place}.", "Disaster strikes {place}."),
    "disaster_missed": of_event("event", "{cause} spares {place}.", "The disaster spares {place}."),
    "harmless": partial(as_logged, "event"),
    "hex_changed": partial(as_logged, "event"),
    "recruiting": recruiting,
    "paid_more": simple("hero", "{who} add{s} {gold} gold.", joins=("hero",)),
    "hero_refused": simple("hero", "The {hero} does not join {them}."),
    "hero_joined": simple("hero", "The {hero} joins {them} in {place}."),
    "hero_turned": partial(as_logged, "hero-lost"),
    "discharged": partial(as_logged, "hero-lost"),
    "lord_left": simple("hero-lost", "Two Terrain Lords do not serve together: the {hero} leaves {them}."),
    "caught": simple("hero-lost", "{whose} {hero} is caught and leaves."),
    "defected": defected,
    "defection_failed": simple("hero", "The {hero} does not defect to {them}."),
    "assassin_strikes": simple("power", "{who} send{s} the Assassin Primus to {place}."),
    "assassinated": assassinated,
    "thief_strikes": simple("power", "{who} send{s} the Master Thief to {whom}."),
    "stole_gold": simple("power", "{who} take{s} {amount} gold from {whom}."),
    "stole_counter": simple("power", "{who} take{s} a counter from {whom}: it is the Master Thief’s loot."),
    "seat_out": simple("out", "", title="{who} {is_} out of the game"),
    "sole_citadel": simple("citadel", "{who} hold{s} the only citadel. It wins after the next Construction."),
    "no_sole_citadel": partial(as_logged, "citadel"),
    "won": simple("won", "{how}.", title="{who} win{s}"),
}  # fmt: skip
SKIPPED = frozenset(("phase_began", "order_given", "battle_passed", "battle_rejoined", "deck_ready", "order_set"))


def caption_of(tell: Teller, at: int) -> Caption | None:
    """What the film says of one line; None for headings and for what concerns no position."""
    line = tell.lines[at]
    if line.taken_back or line.event in SKIPPED:
        return None
    told = TELLS.get(line.event, partial(as_logged, "note"))(tell, at, line)
    if "he " not in told.says or without_article(told.says) == told.says:
        return told
    return replace(told, says=without_article(told.says), again=without_article(told.again))
