"""What players do, as scenarios say it: names of counters, and a verb for every action."""

from __future__ import annotations

import json
import re
from collections import Counter as Tally
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ...core.actions import Action
from ...core.refusals import IllegalAction
from .. import KINGS
from ..catalogue import KINDS
from ..state import POOL, KingsState
from .words import (
    SEATS,
    TERRAINS,
    WILD,
    Nobody,
    Wrong,
    owner_named,
    repeated,
    seat_of,
)

NAME = re.compile(r"(?:(?P<owner>[A-D]|wild)\.)?(?P<kind>\w+)(?:#(?P<nth>\d+))?(?:@(?P<place>\w+))?")


@dataclass
class Names:
    """Finds counters by what a scenario calls them: `troll`, `ogre#2`, `goblins@h5`, `B.ogre`.

    Where a refusal is expected a counter may be named that is not there: the game gets a tag that nothing bears.
    """

    state: KingsState
    seat: int
    may_be_missing: bool = False

    def tag(self, word: str, *areas: str) -> str:
        return self.tags([word], *areas)[0]

    def tags(self, words: Sequence[str], *areas: str) -> list[str]:
        """Several at once; a name said twice is the next of its kind, or the same city hit again."""
        found: list[str] = []
        seen: Tally[str] = Tally()
        for word in repeated(words):
            if word == "fort":
                found.append(word)
                continue
            found.append(self.tag_of(word, areas, seen[word]))
            seen[word] += 1
        return found

    def tag_of(self, word: str, areas: Sequence[str], after: int) -> str:
        try:
            return self.state.counters[self.number(word, areas, after)].tag
        except Nobody:
            if not self.may_be_missing:
                raise
            return f"no {word}"

    def number(self, word: str, areas: Sequence[str], after: int = 0) -> int:
        parts = NAME.fullmatch(word)
        if parts is None or parts["kind"] not in KINDS:
            raise Wrong(f"{word} is not the name of a counter")
        kind = KINDS[parts["kind"]]
        found = self.candidates(parts["kind"], parts["owner"], parts["place"], areas)
        places = sorted({self.state.counters[n].place for n in found})
        if not found:
            raise Nobody(f"there is no {word} that could be meant")
        if len(places) > 1:
            raise Wrong(f"which {word}? There is one in each of {', '.join(places)}; write {word}@{places[0]}")
        nth = int(parts["nth"] or 1) - 1 + after
        if nth >= len(found) and (kind.sort == "income" or kind.slug == "firewall") and not parts["nth"]:
            nth = 0
        if nth >= len(found):
            raise Nobody(f"there are only {len(found)} {parts['kind']} in {places[0]}")
        return found[nth]

    def candidates(self, kind: str, owner: str | None, place: str | None, areas: Sequence[str]) -> list[int]:
        """Where to look first, and whose first: one's own, then nobody's, then another's."""
        seat = self.seat if owner is None else owner_named(owner)
        if place is not None:
            areas = [place]
        for area in areas or [*self.scene(), "map", POOL, "rack"]:
            there = [n for n in self.look(area, seat) if self.state.counters[n].kind == kind]
            owners = [seat] if owner else [self.seat, None, *(s for s in self.state.seats if s != self.seat)]
            for each in owners:
                if mine := [n for n in there if self.state.counters[n].owner == each]:
                    return mine
        return []

    def look(self, area: str, seat: int | None) -> list[int]:
        if area == "map":
            return [n for place in self.state.hexes for n in self.state.at(place)]
        if area == "rack":
            return list(self.state.rack(self.seat if seat is None else seat))
        return list(self.state.at(area))

    def scene(self) -> list[str]:
        """The hex where something is going on."""
        places = [getattr(frame, "place", "") for frame in reversed(self.state.flow)]
        return [place for place in places if isinstance(place, str) and place in self.state.hexes]

    def anything(self, word: str) -> str:
        """A counter's tag, a player's number, a terrain; a place or any other word stays as it is."""
        parts = NAME.fullmatch(word)
        if parts is not None and parts["kind"] in KINDS:
            return self.tag(word)
        if word in SEATS:
            return str(seat_of(word))
        return "-1" if word == WILD else TERRAINS.get(word, word)


# ---- actions


Plain = dict[str, Any]
TO = r"(?:on|at|to|against|in)"


def on_words(do: str, pattern: str, build: Callable[..., Plain]) -> tuple[str, re.Pattern[str], Callable[..., Plain]]:
    return do, re.compile(pattern), build


def pairs(names: Names, text: str) -> Plain:
    """`troll dervish: h5, village: h6`"""
    counters: list[str] = []
    places: list[str] = []
    for part in text.split(","):
        what, _, place = part.partition(":")
        counters += repeated(what.split())
        places += [place.strip()] * (len(repeated(what.split())))
    return {"counters": names.tags(counters, "rack", "map", POOL), "places": places}


def march(names: Names, text: str) -> Plain:
    who, _, path = text.partition(":")
    start, *steps = (step.strip() for step in path.split(">"))
    return {"counters": names.tags(who.split(), start), "path": steps}


def play(names: Names, text: str) -> Plain:
    """A magic item or an event, and what it is aimed at."""
    word, *rest = text.split()
    parts = NAME.fullmatch(word)
    if parts is None or parts["kind"] not in KINDS:
        raise Wrong(f"{word} is not the name of a counter")
    tag = names.tag(word, "rack", *names.scene(), "map")
    if parts["kind"] == "lucky_charm" and rest:
        return {"do": "play_item", "item": tag, **charm(names, rest)}
    if KINDS[parts["kind"]].sort == "event":
        return {"do": "play_event", "event": tag, **aimed(names, word, rest)}
    return {"do": "play_item", "item": tag, **aimed(names, word, rest)}


def aimed(names: Names, word: str, rest: list[str]) -> Plain:
    """`on h5 by genie`"""
    if len(rest) % 2:
        raise Wrong(f"what about {rest[-1]}? Write: play {word} on …")
    found: Plain = {}
    for key, value in zip(rest[::2], rest[1::2]):
        if not re.fullmatch(rf"{TO}|by", key):
            raise Wrong(f"{key} means nothing here; write: play {word} on …, by …")
        found["caster" if key == "by" else "target"] = names.anything(value)
    return found


def charm(names: Names, words: list[str]) -> Plain:
    """`die 2 of B -1`, `total +1`: whose dice, which of them, one more or one less."""
    found = re.fullmatch(r"(?:die (?P<die>\d+)|total)(?: of (?P<who>\w+))? (?P<change>[+-]1)", " ".join(words))
    if found is None:
        raise Wrong("write: play lucky_charm die 2 of B -1, or: play lucky_charm total +1")
    roll: Any = next((frame for frame in reversed(names.state.flow) if frame.name() == "roll"), None)
    throwers = list(roll.throwers) if roll is not None else []
    who = -1 if found["who"] == WILD else seat_of(found["who"]) if found["who"] else names.seat
    thrower = throwers.index(who) if who in throwers else 0
    return {"thrower": thrower, "die": int(found["die"] or 1) - 1, "change": int(found["change"])}


def ascend(names: Names, text: str) -> Plain:
    who, _, to = text.replace(":", " to ").rpartition(" to ")
    item, *riders = who.split()
    return {"item": names.tag(item, "rack", "map"), "counters": names.tags(riders, "map"), "to": to.strip()}


def retreat(names: Names, to: str | None, balloon: str | None, who: str | None) -> Plain:
    """`h4 balloon h9 with thing pirates`; the whole force goes, so that others than all are refused."""
    found: Plain = {"to": to or "", "balloon": balloon or ""}
    return {**found, "counters": names.tags(who.split(), *names.scene(), "map")} if who else found


VERBS: tuple[tuple[str, re.Pattern[str], Callable[..., Plain]], ...] = (
    *(on_words(do, "", lambda n: {}) for do in ("done", "undo", "resign", "decline_end")),
    on_words("agree_end", "", lambda n: {"winner": (n.state.extras["proposal"] or {"winner": -1})["winner"]}),
    on_words("choose", r"(\S+)", lambda n, what: {"what": n.anything(what)}),
    on_words("replace_sea", r"(\S+)", lambda n, place: {"place": place}),
    on_words("exchange", r"(.+)", lambda n, who: {"counters": n.tags(who.split(), "rack", "map")}),
    on_words("place", r"(.+:.+)", pairs),
    on_words("discharge", r"(\S+)", lambda n, hero: {"hero": n.tag(hero, "map", POOL)}),
    on_words(
        "recruit", r"(\S+)(?: gold (\d+))?", lambda n, hero, gold: {"hero": n.tag(hero, POOL, "map"), "gold": num(gold)}
    ),
    on_words("add_gold", r"(\d+)", lambda n, gold: {"gold": num(gold)}),
    on_words(
        "draw",
        r"(?:paid (\d+))? ?(?:traded (.+))?",
        lambda n, paid, who: {"paid": num(paid), "traded": n.tags((who or "").split(), "rack", "map")},
    ),
    on_words("discard", r"(.+)", lambda n, who: {"counters": n.tags(who.split(), "rack", "map")}),
    on_words("cash", r"(\S+)", lambda n, what: {"treasure": n.tag(what, "rack", "map")}),
    on_words("remove_income", r"(\S+)", lambda n, what: {"counter": n.tag(what, "map", "rack")}),
    on_words("play", r"(.+)", play),
    on_words("give", r"(\S+) to (\S+)", lambda n, what, who: {"item": n.tag(what), "creature": n.tag(who)}),
    on_words("march", r"(.+:.+)", march),
    on_words("fly_past", r"(.+)", lambda n, who: {"counters": n.tags(who.split(), "map")}),
    on_words("ask_proof", r"(\S+)", lambda n, place: {"place": place}),
    on_words("reveal", r"(.+)", lambda n, who: {"counters": n.tags(who.split(), *n.scene(), "map")}),
    on_words("ascend", r"(.+)", ascend),
    on_words("engage", r"(\S+)", lambda n, place: {"place": place}),
    *(
        on_words(do, r"(\S+)?", lambda n, place: {"place": place or (n.scene() or [""])[0]})
        for do in ("pass_battle", "rejoin_battle")
    ),
    on_words("bribe", r"(.+)", lambda n, who: {"counters": n.tags(who.split(), *n.scene(), "map")}),
    on_words("lose", r"(.+)", lambda n, who: {"counters": n.tags(who.split(), *n.scene(), "map")}),
    on_words("retreat", r"(h\d+)? ?(?:balloon (h\d+))? ?(?:with (.+))?", retreat),
    on_words("build", r"(\S+)", lambda n, place: {"place": place}),
    on_words("assassinate", r"(\S+)", lambda n, place: {"place": place}),
    on_words("steal", r"(?:from )?(\S+)", lambda n, who: {"victim": seat_of(who)}),
    on_words("challenge", r"(\S+)", lambda n, who: {"counter": n.tag(who)}),
    on_words("set_order", r"(\w+):? (\w+)", lambda n, about, how: {"about": about, "how": how}),
    on_words(
        "propose_end", r"(\S+)?", lambda n, who: {"winner": -1 if who in (None, "nobody") else seat_of(who or "")}
    ),
)


def num(word: str | None) -> int:
    return int(word or 0)


def spoken(state: KingsState, text: str, may_be_missing: bool = False) -> tuple[int, Action]:
    """`A march troll: h5 > h6` as the seat and the action it sends."""
    who, _, said = text.strip().partition(" ")
    seat = seat_of(who)
    names = Names(state, seat, may_be_missing)
    said = said.strip()
    data = from_json(names, said) if said.startswith("{") else from_words(names, said)
    try:
        return seat, KINGS.parse(data)
    except IllegalAction as refusal:
        raise Wrong(refusal.sentence) from refusal


def from_words(names: Names, said: str) -> Plain:
    verb, _, rest = said.partition(" ")
    for do, pattern, build in VERBS:
        if do == verb:
            found = pattern.fullmatch(rest.strip())
            if found is None:
                raise Wrong(f"this is not how to say {do}: {said}")
            return {"do": do, **build(names, *found.groups())}
    raise Wrong(f"nobody can {verb}; the verbs are {', '.join(do for do, _, _ in VERBS)}")


def from_json(names: Names, said: str) -> Plain:
    def filled(value: Any) -> Any:
        if isinstance(value, str) and value.startswith("$"):
            return names.tag(value[1:])
        if isinstance(value, list):
            return [filled(each) for each in value]
        return value

    try:
        data = json.loads(said)
    except ValueError as error:
        raise Wrong(f"this is not JSON: {error}") from error
    if not isinstance(data, dict):
        raise Wrong("an action in JSON is an object with a field do")
    return {key: filled(value) for key, value in data.items()}
