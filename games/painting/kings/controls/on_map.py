"""Controls that pick counters and then a hex: placing, marching, the Balloon, a retreat, a spell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from django.utils.safestring import SafeString

from games.engine.core.actions import Action
from games.engine.core.plain import plain
from games.engine.kings.actions import Ascend, March, Place, PlayEvent, Retreat
from games.engine.kings.marches import Marches
from games.engine.kings.odds import if_moved, is_quick
from games.engine.kings.offers import Ascents, Placements, Retreats, Spells

from ...markup import Json, element
from ..odds import brief, reckoned
from ..places import titled
from .desk import Control, as_json, chips, fold, hint, line, staying
from .simple import aim_button

ALL = 99
MOST_WEIGHED = 12  # hexes whose odds are worked out with a pick


class PlaceControl(Control):
    """Counters are picked, then a hex; what is planned so is placed together, or put back."""

    offer: Placements

    @property
    def able(self) -> list[str]:
        return [*self.offer.creatures, *(tag for tag, places in self.offer.income.items() if places)]

    @property
    def plan(self) -> list[tuple[str, str]]:
        """Who goes where, as far as the offer still lets it."""
        planned: list[tuple[str, str]] = []
        for each in self.picks.get("plan", ()):
            tag, _, place = each.partition("@")
            if self.fits([*planned, (tag, place)]):
                planned.append((tag, place))
        return planned

    def fits(self, plan: list[tuple[str, str]]) -> bool:
        """Whether these can be placed so, be they too few or too many."""
        return self.of(plan) in Placements(self.offer.creatures, self.offer.income, self.offer.room)

    def of(self, plan: list[tuple[str, str]]) -> Place:
        return Place(tuple(tag for tag, _ in plan), tuple(place for _, place in plan))

    @property
    def waiting(self) -> list[str]:
        planned = {tag for tag, _ in self.plan}
        return [tag for tag in self.able if tag not in planned]

    @property
    def is_only(self) -> bool:
        """A hero just won: there is nothing to pick but the hex."""
        return self.offer.least == self.offer.most == len(self.able) == 1

    @property
    def ready(self) -> list[str]:
        return self.able if self.is_only else self.picked("counters", self.waiting)

    @property
    def takers(self) -> list[str]:
        """The hexes that take all that is picked."""
        ready, plan = self.ready, self.plan
        hexes = dict.fromkeys([*self.offer.room, *(place for each in self.offer.income.values() for place in each)])
        return [place for place in hexes if ready and self.fits([*plan, *((tag, place) for tag in ready)])]

    def press(self, field: str, value: str) -> None:
        plan = [f"{tag}@{place}" for tag, place in self.plan]
        if field == "counters":
            self.toggle("counters", value, 1 if self.offer.most == 1 else ALL)
        elif field == "all":
            self.picks["counters"] = [tag for tag in self.offer.creatures if tag in self.waiting]
        elif field == "to" and value in self.takers:
            self.picks["plan"] = [*plan, *(f"{tag}@{value}" for tag in self.ready)]
            self.picks["counters"] = []
        elif field == "suggest":
            self.picks |= {"plan": self.advised, "counters": []}
        elif field == "off":
            self.picks["plan"] = [each for each in plan if not each.startswith(f"{value}@")]
        elif field == "back":
            self.picks["plan"] = []

    def action(self) -> Action | None:
        return self.of(self.plan) if self.plan else None

    def draw(self) -> SafeString:
        offer, desk, ready, takers = self.offer, self.desk, self.ready, self.takers
        if self.is_only:
            name = desk.name(ready[0])
            return self.block("", hint(f"Pick a lit hex for {name}."), chips(*(self.at_once(each) for each in takers)))
        waiting, plan = self.waiting, self.plan
        creatures = [tag for tag in offer.creatures if tag in waiting]
        nowhere = [desk.name(tag) for tag, places in offer.income.items() if not places]
        can_pick_all = len(creatures) > 1 and offer.most > 1
        hexes = [desk.presses(titled(desk.word(each)), (self.key, "to", each), data_hex=each) for each in takers]
        return self.block(
            "" if desk.view.question == "place" else "Place counters",
            self.suggestion() if not ready and not plan else "",
            hint("Now pick a lit hex." if ready else "Pick counters, then a hex.") if waiting else "",
            chips(*(self.chip(tag, tag in ready) for tag in waiting)),
            line(self.pick_all()) if can_pick_all else "",
            fold("Hexes that take them", chips(*hexes)) if hexes else "",
            hint(f"You have no hex for now that takes {', '.join(nowhere)}.") if nowhere else "",
            *(self.planned(plan) if plan else ()),
            data_planned=" ".join(f"{place}:{count}" for place, count in Counter(p for _, p in plan).items()) or None,
            data_would=as_json(self.of([*plan, *((tag, "?") for tag in ready)])) if ready else None,
            data_would_pick=as_json(Place(("?",), (next(iter(offer.room), "h1"),))),
        )

    def suggestion(self) -> SafeString:
        """Plans all counters that serve where a sensible player would place them; nothing is sent yet."""
        count = len(self.advised)
        if not count:
            return SafeString("")
        words = f"Suggest a place for {count} counter{'s' if count > 1 else ''}"
        return line(self.desk.presses(words, (self.key, "suggest", "all"), css=self.desk.standing_out()))

    @property
    def advised(self) -> list[str]:
        """Who would go where by the advice, as a plan is kept."""
        placed = self.desk.advised_fields("place")
        return [f"{tag}@{place}" for tag, place in zip(placed.get("counters", ()), placed.get("places", ()))]

    def at_once(self, place: str) -> SafeString:
        ask = f"Place {self.desk.name(self.ready[0])} in"
        action = Place(tuple(self.ready), (place,))
        return self.desk.acts(self.desk.word(place), action, css=self.desk.suggested(action), ask=ask, data_hex=place)

    def pick_all(self) -> SafeString:
        return self.desk.presses("Pick all creatures", (self.key, "all", "creatures"))

    def planned(self, plan: list[tuple[str, str]]) -> list[SafeString]:
        """What goes where, before it is sent: a line for each hex, and a press takes a counter off again."""
        rows = []
        for place in dict.fromkeys(place for _, place in plan):
            off = [self.off(tag, place) for tag, at in plan if at == place]
            name = element("span", titled(self.desk.hex(place)), data_in=place)
            rows.append(line(element("strong", name, ":"), *off))
        back = self.desk.presses("Put all back", (self.key, "back", "all"), css="")
        stay = sum(tag in self.offer.creatures for tag in self.waiting) if self.offer.ends else 0
        left = hint(f"{staying(stay)}.") if stay else SafeString("")
        finish = " and finish" if self.offer.ends else ""
        return [*rows, left, line(self.go(f"Place {len(plan)}{finish}"), back)]

    def off(self, tag: str, place: str) -> SafeString:
        name = self.desk.name(tag)
        label = f"Do not place {name} in {self.desk.hex(place)}"
        return self.desk.presses(f"{name} ×", (self.key, "off", tag), css="small chip", aria_label=label)


class MarchControl(Control):
    """A stack is picked, then who of it goes; every hex they can reach together is a button, and lit on the map."""

    offer: Marches

    @property
    def stack(self) -> str:
        return next(iter(self.picked("stack", self.offer.stacks)), "")

    @property
    def going(self) -> tuple[str, ...]:
        return tuple(self.picked("counters", self.offer.stacks.get(self.stack, ())))

    def press(self, field: str, value: str) -> None:
        if field == "stack" and value in self.offer.stacks:
            self.picks |= {"stack": [value], "counters": list(self.offer.stacks[value])}
        elif field == "stack":
            self.picks |= {"stack": [], "counters": []}
        elif field == "counters":
            self.toggle("counters", value, ALL)
        elif field == "suggest" and (march := self.advised) is not None:
            going = list(those_of(march))
            self.picks |= {"stack": [self.start_of(going[0])], "counters": going}
        elif field == "all":
            self.picks["counters"] = list(self.offer.stacks.get(self.stack, ()))
        elif field == "none":
            self.picks["counters"] = []

    def draw(self) -> SafeString:
        left = Json.of({tag: walker.points for tag, walker in self.offer.walkers.items()})
        starts = {place: tags for place, tags in self.offer.stacks.items() if place != self.stack}
        stacks = [self.start(place, tags) for place, tags in starts.items()]
        would = as_json(March(self.going, ("?",))) if self.going else None
        about: dict[str, object] = {"data_left": left, "data_stack": self.stack or None, "data_would": would}
        about["data_would_pick"] = as_json(March(("?",), ()))
        if not self.stack:
            words = "Pick a stack here or on the map." if stacks else "None of your counters can move now."
            title = "" if self.desk.view.question == "march" else "Move"
            return self.block(title, self.suggestion(), hint(words), chips(*stacks) if stacks else "", **about)
        here, going = self.offer.stacks[self.stack], self.going
        odds = self.odds_there() if self.desk.is_weighed else {}
        ways = self.offer.reach(going).values()
        suggested = [self.way(march, cost, odds, "March to ") for march, cost in ways if self.is_as_advised(march)]
        reach = [self.way(march, cost, odds) for march, cost in ways]
        if going:
            all_or_none = self.desk.presses("None of them", (self.key, "none", self.stack))
        else:
            all_or_none = self.desk.presses("All of them", (self.key, "all", self.stack))
        nowhere = hint("There is nowhere they can go together.") if going else ""
        words = f"{len(going)} go. Pick a lit hex; the number is what it costs." if going else "Pick who goes."
        words += " Below it stands your chance to win there." if odds else ""
        return self.block(
            f"Stack in {self.desk.hex(self.stack)}",
            hint(words),
            line(*suggested) if suggested else "",
            chips(*(self.chip(tag, tag in going, self.words(tag)) for tag in here)),
            fold("Hexes within reach", chips(*reach)) if reach else nowhere,
            line(all_or_none, self.desk.presses("Another stack", (self.key, "stack", "none"))),
            element("div", *stacks, class_="chips", hidden=""),
            **about,
        )

    def words(self, tag: str) -> str:
        return ("? " if self.desk.is_bluff(tag) else "") + self.desk.name(tag)

    def start(self, place: str, tags: tuple[str, ...]) -> SafeString:
        """A stack to begin with; where it can go as a whole is known before anybody asks."""
        reach = " ".join(f"{to}:{cost}" for to, (_, cost) in self.offer.reach(tags).items())
        text, press = f"{titled(self.desk.hex(place))}: {len(tags)}", (self.key, "stack", place)
        css = self.desk.standing_out() if self.desk.scene.is_lesson and self.is_advised(tags) else "small"
        return self.desk.presses(text, press, css=css, data_hex=place, data_reach=reach, data_stack_of=" ".join(tags))

    @property
    def advised(self) -> March | None:
        """The suggested march, of counters that stand together."""
        advice = None if self.desk.scene.is_lesson else self.desk.advice
        if not isinstance(advice, March):
            return None
        return advice if any(set(those_of(advice)) <= set(tags) for tags in self.offer.stacks.values()) else None

    def start_of(self, tag: str) -> str:
        return next(place for place, tags in self.offer.stacks.items() if tag in tags)

    def suggestion(self) -> SafeString:
        """Picks who would go; where to is lit then. Once something has moved, to finish is as likely."""
        march = self.advised
        if march is None:
            return SafeString("")
        going = those_of(march)
        start, count = self.start_of(going[0]), len(going)
        words = f"Suggest a move: {count} from {self.desk.hex(start)} to {self.desk.hex(march.path[-1])}"
        css = "small" if self.desk.has_moved else self.desk.standing_out()
        return line(self.desk.presses(words, (self.key, "suggest", "march"), css=css))

    def is_advised(self, tags: tuple[str, ...]) -> bool:
        """Whether the suggested march begins with this stack."""
        advice = self.desk.advice
        return isinstance(advice, March) and self.desk.advised_fields("march")["counters"][0] in tags

    def way(self, march: March, cost: int, odds: Mapping[str, str], verb: str = "") -> SafeString:
        """A hex that those who go can come to, with the odds there if there is somebody to beat."""
        to = march.path[-1]
        css = self.desk.standing_out() if verb else self.desk.suggested(march)
        chance = f", {odds[to]}" if to in odds else ""
        text = f"{verb}{self.desk.word(to)} ({cost}){chance}"
        return self.desk.acts(text, march, css=css, data_hex=to, data_cost=cost, data_odds=odds.get(to))

    def is_as_advised(self, march: March) -> bool:
        advice = self.advised
        is_there = advice is not None and march.path[-1] == advice.path[-1]
        return advice is not None and is_there and set(those_of(march)) == set(those_of(advice))

    def odds_there(self) -> dict[str, str]:
        """How likely those who go are to win where they could go; of hexes that are alike it is worked out once."""
        found: dict[str, str] = {}
        for place in self.offer.reach(self.going):
            prospect = if_moved(self.desk.view, place, self.going)
            if prospect is not None and is_quick(prospect.event) and len(found) < MOST_WEIGHED:
                odds = reckoned(prospect.event)
                found[place] = brief(odds.win, odds.tries)
        return found


def those_of(march: March) -> list[str]:
    """Who goes."""
    return list(plain(march)["counters"])


class AscendControl(Control):
    """Up to three of one hex into the Balloon, then a hex to land at."""

    offer: Ascents

    MOST = 3

    @property
    def riders(self) -> tuple[str, ...]:
        boarded = self.picked("counters", (tag for tags in self.offer.passengers.values() for tag in tags))
        if not boarded:
            return ()
        beside = self.offer.passengers[self.start(boarded[0])]
        return tuple(tag for tag in boarded if tag in beside)[: self.MOST]

    def start(self, tag: str) -> str:
        return next(place for place, tags in self.offer.passengers.items() if tag in tags)

    def press(self, field: str, value: str) -> None:
        if field == "counters":
            self.toggle("counters", value, self.MOST)

    def draw(self) -> SafeString:
        offer, desk, riders = self.offer, self.desk, self.riders
        everybody = [tag for tags in offer.passengers.values() for tag in tags]
        landings: list[SafeString] = []
        for place in offer.targets[self.start(riders[0])] if riders else ():
            action = Ascend(offer.item, riders, place)
            if action in offer:
                ask = f"Balloon with {len(riders)} to"
                landings.append(desk.acts(desk.word(place), action, ask=ask, data_hex=place))
        is_marching = bool(desk.picks.get("march", {}).get("stack"))
        body = self.block(
            "",
            chips(*(self.chip(tag, tag in riders) for tag in everybody)),
            hint("Land at" if landings else "Pick up to three of one hex."),
            chips(*landings) if landings else "",
            data_rival="" if is_marching else None,
        )
        return fold("Balloon", body)


class RetreatControl(Control):
    """The whole force to one hex; those in the Balloon may go farther (X17)."""

    offer: Retreats

    def draw(self) -> SafeString:
        offer, desk = self.offer, self.desk
        balloon = self.first("balloon", offer.balloon)
        air = {place: f"Balloon to {desk.word(place)}" for place in offer.balloon}
        flies_apart = bool(offer.places and offer.balloon)
        ways = offer.places or offer.balloon
        buttons = [self.way(place, balloon if offer.places else "") for place in ways]
        return self.block(
            "Retreat",
            line(self.choice("The Balloon goes to", "balloon", air, balloon)) if flies_apart else "",
            chips(*buttons),
            data_would=as_json(Retreat("?", "")),
        )

    def way(self, place: str, balloon: str) -> SafeString:
        action = Retreat(place, balloon) if self.offer.places else Retreat("", place)
        css = self.desk.suggested(action)
        return self.desk.acts(self.desk.word(place), action, css=css, ask="Retreat to", data_hex=place)


class SpellControl(Control):
    """Whoever works the magic, and a hex within their reach."""

    offer: Spells

    def draw(self) -> SafeString:
        offer, desk = self.offer, self.desk
        caster = self.first("caster", tuple(offer.reach))
        named = {tag: self.named(tag) for tag in offer.reach}
        event = desk.name(offer.event)
        hexes = []
        for place in offer.reach[caster]:
            action = PlayEvent(offer.event, place, caster)
            ask = f"{event}, by {named[caster]}, at"
            hexes.append(desk.acts(desk.word(place), action, ask=ask, data_hex=place))
        advice = desk.advice if isinstance(desk.advice, PlayEvent) and desk.advice in offer else None
        words = f"As suggested: {named[advice.caster]}, at {desk.hex(advice.target)}" if advice else ""
        suggested = desk.acts(words, advice, css=desk.standing_out(), ask=f"{event}:") if advice else None
        who = self.choice("Who works the magic", "caster", named, caster)
        where = fold(f"Hexes for {event}", chips(*hexes))
        return self.block(
            event, line(suggested) if suggested else "", line(who, aim_button(self.key)), where, data_rival=""
        )

    def named(self, tag: str) -> str:
        return self.desk.name(tag) + self.desk.where(tag) + (", a bluff" if self.desk.is_bluff(tag) else "")
